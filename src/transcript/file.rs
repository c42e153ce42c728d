//! One file from its bytes to its events, with every byte and every record accounted for.

use std::collections::BTreeMap;

use super::claude::Claude;
use super::codex::Codex;
use super::sniff::{Format, Sniffer};
use super::{Adapter, Body, Event, Header, Piece, Place, Reason, line_text, split, trimmed};
use crate::source::{Digest, Line, LineReader, ReadFault};

/// Records that are looked at before the format is decided.
const SNIFFED_RECORDS: u32 = 24;
/// Bytes that are held back at most while the format is undecided.
const SNIFFED_BYTES: usize = 1 << 20;
/// The largest document that is read as a whole: one JSON value over many lines.
const DOCUMENT_LIMIT: usize = 256 << 20;

/// Bytes that are no record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quarantine {
    /// Their line, from 1.
    pub line: u64,
    /// Offset of their first byte.
    pub start: u64,
    /// Offset after their last byte.
    pub end: u64,
    /// Why they are no record.
    pub reason: Reason,
}

/// Records of a kind that is not known, by the kind's own name.
pub type Opaque = BTreeMap<String, u64>;

/// What was read of a file. Every decompressed byte is in exactly one of the five sums.
#[derive(Debug, Clone, Default)]
pub struct FileReport {
    /// The format.
    pub format: Format,
    /// What the file says of its session.
    pub header: Header,
    /// SHA-256 of the bytes on disk.
    pub sha256: Digest,
    /// Bytes on disk.
    pub size: u64,
    /// Why reading stopped early, if it did.
    pub fault: Option<ReadFault>,
    /// Records read.
    pub records: u64,
    /// Records with no place in the conversation.
    pub bookkeeping: u64,
    /// Records and blocks of unknown kinds.
    pub opaque: Opaque,
    /// Bytes that are no record.
    pub quarantined: Vec<Quarantine>,
    /// Bytes of records.
    pub record_bytes: u64,
    /// Bytes of newlines and of white space around records.
    pub separator_bytes: u64,
    /// Bytes of lines of white space, newlines included.
    pub blank_bytes: u64,
    /// Bytes of a byte order mark.
    pub bom_bytes: u64,
    /// Bytes that are no record.
    pub quarantined_bytes: u64,
}

/// Takes the events of a file in file order.
pub trait Sink {
    /// One event.
    fn event(&mut self, event: Event<'_>);
}

/// Reads an opened file and hands its events on. A fault on the way stands in the report.
pub fn read_file(mut lines: LineReader, sink: &mut dyn Sink) -> FileReport {
    let mut reading = Reading::new(sink);
    while let Some(line) = lines.next_line() {
        reading.line(line);
    }
    let mut report = reading.finish();
    (report.sha256, report.size, report.fault) = lines.finish();
    report
}

struct Held {
    number: u64,
    offset: u64,
    bytes: Vec<u8>,
    terminated: bool,
}

/// A file while it is read. Lines are held back until the format is known.
struct Reading<'s> {
    sink: &'s mut dyn Sink,
    report: FileReport,
    sniffer: Sniffer,
    held: Vec<Held>,
    held_bytes: usize,
    adapter: Option<Box<dyn Adapter>>,
    decided: bool,
    /// Whether the file looks like one JSON document over several lines.
    document: bool,
}

impl<'s> Reading<'s> {
    fn new(sink: &'s mut dyn Sink) -> Self {
        Self {
            sink,
            report: FileReport::default(),
            sniffer: Sniffer::default(),
            held: Vec::new(),
            held_bytes: 0,
            adapter: None,
            decided: false,
            document: false,
        }
    }

    fn line(&mut self, mut line: Line<'_>) {
        if line.number == 1
            && let Some(rest) = line.bytes.strip_prefix(b"\xEF\xBB\xBF")
        {
            self.report.bom_bytes = 3;
            line.bytes = rest;
            line.offset += 3;
        }
        if self.decided {
            self.read_line(line);
            return;
        }
        if self.held.is_empty() {
            let text = &line.bytes[trimmed(line.bytes)];
            self.document = text == b"{" || text.first() == Some(&b'[');
        }
        let text = line_text(line.bytes);
        let before = self.sniffer.records;
        self.sniffer.look(text.trim());
        if self.sniffer.records == before && !text.trim().is_empty() {
            for piece in split(line.bytes, line.terminated) {
                if let Piece::Object(_, text) = piece {
                    self.sniffer.look(&text);
                }
            }
        }
        self.held_bytes += line.bytes.len();
        self.held.push(Held {
            number: line.number,
            offset: line.offset,
            bytes: line.bytes.to_vec(),
            terminated: line.terminated,
        });
        let enough = self.sniffer.records >= SNIFFED_RECORDS || self.held_bytes > SNIFFED_BYTES;
        if self.document && self.sniffer.records == 0 {
            if self.held_bytes > DOCUMENT_LIMIT {
                self.document = false;
                self.decide();
            }
        } else if enough {
            self.decide();
        }
    }

    fn decide(&mut self) {
        self.decided = true;
        let format = self.sniffer.format();
        self.report.format = format;
        self.adapter = adapter(format, self.sniffer.subagent());
        for held in std::mem::take(&mut self.held) {
            self.read_line(Line {
                number: held.number,
                offset: held.offset,
                bytes: &held.bytes,
                terminated: held.terminated,
            });
        }
    }

    fn read_line(&mut self, line: Line<'_>) {
        let range = trimmed(line.bytes);
        let newline = u64::from(line.terminated);
        if range.is_empty() {
            self.report.blank_bytes += line.bytes.len() as u64 + newline;
            return;
        }
        self.report.separator_bytes += (line.bytes.len() - range.len()) as u64 + newline;
        let text = line_text(&line.bytes[range.clone()]);
        let place = Place {
            line: line.number,
            start: line.offset + range.start as u64,
            end: line.offset + range.end as u64,
        };
        if self.record(&text, place) {
            self.report.record_bytes += range.len() as u64;
            return;
        }
        let mut left = range.len() as u64;
        for piece in split(line.bytes, line.terminated) {
            let (Piece::Object(at, _) | Piece::Quarantined(at, _)) = &piece;
            let place = Place {
                line: line.number,
                start: line.offset + at.start as u64,
                end: line.offset + at.end as u64,
            };
            left -= at.len() as u64;
            match &piece {
                Piece::Object(_, text) if self.record(text, place) => {
                    self.report.record_bytes += at.len() as u64;
                }
                Piece::Object(..) => self.quarantine(place, Reason::NotObject),
                Piece::Quarantined(_, reason) => self.quarantine(place, *reason),
            }
        }
        self.report.separator_bytes += left;
    }

    fn quarantine(&mut self, place: Place, reason: Reason) {
        self.report.quarantined_bytes += place.end - place.start;
        self.report.quarantined.push(Quarantine {
            line: place.line,
            start: place.start,
            end: place.end,
            reason,
        });
    }

    /// Reads one record; false where the text is not exactly one readable object.
    fn record(&mut self, text: &str, place: Place) -> bool {
        let Some(adapter) = &mut self.adapter else {
            let readable = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(text);
            self.report.records += u64::from(readable.is_ok());
            return readable.is_ok();
        };
        let (report, sink) = (&mut self.report, &mut *self.sink);
        let mut only_bookkeeping = true;
        let read = adapter.record(text, place, &mut |event| {
            match &event.body {
                Body::Bookkeeping
                | Body::Workdir { .. }
                | Body::Injected { .. }
                | Body::Frame(_) => {}
                Body::Opaque { name } => {
                    only_bookkeeping = false;
                    *report.opaque.entry(clip(name)).or_insert(0) += 1;
                }
                _ => only_bookkeeping = false,
            }
            sink.event(event);
        });
        if read.is_err() {
            return false;
        }
        self.report.records += 1;
        self.report.bookkeeping += u64::from(only_bookkeeping);
        true
    }

    fn finish(mut self) -> FileReport {
        if !self.decided {
            if self.document && self.sniffer.records == 0 {
                self.read_document();
            }
            if !self.decided {
                self.decide();
            }
        }
        if let Some(adapter) = &self.adapter {
            self.report.header = adapter.header().clone();
        }
        self.report
    }

    /// Reads the held lines as one JSON document: a list of records, or one record.
    fn read_document(&mut self) {
        let mut whole = Vec::with_capacity(self.held_bytes + self.held.len());
        for held in &self.held {
            whole.extend_from_slice(&held.bytes);
            if held.terminated {
                whole.push(b'\n');
            }
        }
        let text = line_text(&whole);
        let records = match serde_json::from_str::<serde_json::Value>(&text) {
            Ok(serde_json::Value::Array(items)) => items,
            Ok(object @ serde_json::Value::Object(_)) => vec![object],
            _ => return,
        };
        let texts: Vec<String> = records
            .iter()
            .filter(|record| record.is_object())
            .map(ToString::to_string)
            .collect();
        for text in texts.iter().take(SNIFFED_RECORDS as usize) {
            self.sniffer.look(text);
        }
        let format = match self.sniffer.format() {
            Format::ClaudeStream => Format::ClaudeJson,
            other => other,
        };
        if format == Format::Unknown {
            self.sniffer = Sniffer::default();
            return;
        }
        let first = self
            .held
            .first()
            .map_or((1, 0), |held| (held.number, held.offset));
        self.held.clear();
        self.decided = true;
        self.report.format = format;
        self.adapter = adapter(format, self.sniffer.subagent());
        let range = trimmed(&whole);
        let place = Place {
            line: first.0,
            start: first.1 + range.start as u64,
            end: first.1 + range.end as u64,
        };
        for text in &texts {
            self.record(text, place);
        }
        self.report.record_bytes = range.len() as u64;
        self.report.separator_bytes = (whole.len() - range.len()) as u64;
    }
}

fn adapter(format: Format, agent: Option<String>) -> Option<Box<dyn Adapter>> {
    match format {
        Format::ClaudeSession
        | Format::ClaudeStream
        | Format::ClaudeJson
        | Format::ClaudeJournal => {
            let format = if format == Format::ClaudeJson {
                Format::ClaudeStream
            } else {
                format
            };
            Some(Box::new(Claude::new(format, agent)))
        }
        Format::CodexRollout
        | Format::CodexRolloutBare
        | Format::CodexExec
        | Format::CodexExecOld => Some(Box::new(Codex::new(format))),
        Format::Unknown => None,
    }
}

/// A kind's name as it is counted: short, so that a hostile file cannot fill the report.
fn clip(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(64).collect()
}
