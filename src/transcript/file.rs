//! One file from its bytes to its events, with every byte and every record accounted for.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::claude::Claude;
use super::codex::Codex;
use super::decode::{Document, bytewise, is_deep};
use super::hex;
use super::sniff::{Format, Sniffer};
use super::{
    Adapter, Body, Event, Header, Opens, Piece, Place, Reason, Thread, line_text, split, trimmed,
};
use crate::source::{Digest, Line, LineReader, ReadFault};

/// Records that are looked at before the format is decided.
const SNIFFED_RECORDS: u32 = 24;
/// Bytes that are held back at most while the format is undecided.
const SNIFFED_BYTES: usize = 1 << 20;
/// The largest document that is read as a whole: one JSON value over many lines.
const DOCUMENT_LIMIT: usize = 256 << 20;

/// Bytes that are no record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FileReport {
    /// The format.
    pub format: Format,
    /// What the file says of its session.
    pub header: Header,
    /// SHA-256 of the bytes on disk.
    #[serde(with = "hex::digest")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub sha256: Digest,
    /// Bytes on disk.
    pub size: u64,
    /// Why reading stopped early, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<ReadFault>,
    /// Records read.
    pub records: u64,
    /// Records with no place in the conversation.
    pub bookkeeping: u64,
    /// Records and blocks of unknown kinds.
    #[serde(default, skip_serializing_if = "Opaque::is_empty")]
    pub opaque: Opaque,
    /// Bytes that are no record.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
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

    /// The client's own id of a message. It is part of no event: nothing is judged by it, and it
    /// must not be published.
    fn message(&mut self, _id: &str) {}
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
    too_long: u64,
    terminated: bool,
}

impl Held {
    fn line(&self) -> Line<'_> {
        Line {
            number: self.number,
            offset: self.offset,
            bytes: &self.bytes,
            too_long: self.too_long,
            terminated: self.terminated,
        }
    }
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
        if self.document {
            self.hold(line);
            if self.held_bytes > DOCUMENT_LIMIT || line.too_long > 0 {
                self.read_by_lines();
            }
            return;
        }
        self.sniff(line);
    }

    /// Looks at a line and holds it back until the format is known.
    fn sniff(&mut self, line: Line<'_>) {
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
        let held = self.held_bytes + line.bytes.len();
        if self.sniffer.records >= SNIFFED_RECORDS || held >= SNIFFED_BYTES {
            // The line itself is not copied: it may be huge.
            self.decide();
            self.read_line(line);
        } else {
            self.hold(line);
        }
    }

    fn hold(&mut self, line: Line<'_>) {
        self.held_bytes += line.bytes.len() + 1;
        self.held.push(Held {
            number: line.number,
            offset: line.offset,
            bytes: line.bytes.to_vec(),
            too_long: line.too_long,
            terminated: line.terminated,
        });
    }

    /// Takes what was held back as a document for lines after all.
    fn read_by_lines(&mut self) {
        self.document = false;
        self.held_bytes = 0;
        for held in std::mem::take(&mut self.held) {
            let line = held.line();
            if self.decided {
                self.read_line(line);
            } else {
                self.sniff(line);
            }
        }
    }

    fn decide(&mut self) {
        self.decided = true;
        let format = self.sniffer.format();
        self.report.format = format;
        self.adapter = adapter(format, &self.sniffer);
        for held in std::mem::take(&mut self.held) {
            self.read_line(held.line());
        }
    }

    fn read_line(&mut self, line: Line<'_>) {
        let range = trimmed(line.bytes);
        let newline = u64::from(line.terminated);
        if line.too_long > 0 {
            self.report.separator_bytes += newline;
            let place = Place {
                line: line.number,
                start: line.offset,
                end: line.offset + line.too_long,
            };
            self.quarantine(place, Reason::TooLong);
            self.unread(place);
            return;
        }
        if range.is_empty() {
            self.report.blank_bytes += line.bytes.len() as u64 + newline;
            return;
        }
        self.report.separator_bytes += (line.bytes.len() - range.len()) as u64 + newline;
        let place = Place {
            line: line.number,
            start: line.offset + range.start as u64,
            end: line.offset + range.end as u64,
        };
        let whole = &line.bytes[range.clone()];
        let plain = whole.first() == Some(&b'{') && !is_deep(whole);
        if plain && self.record(&line_text(whole), place) {
            self.report.record_bytes += range.len() as u64;
            return;
        }
        self.read_pieces(line);
    }

    /// Reads a line that is not exactly one plain object.
    fn read_pieces(&mut self, line: Line<'_>) {
        let mut left = trimmed(line.bytes).len() as u64;
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
                Piece::Object(..) => {
                    self.quarantine(place, Reason::NotObject);
                    self.unread(place);
                }
                Piece::Quarantined(_, reason) => {
                    self.quarantine(place, *reason);
                    // Words of a terminal between the records are no part of one.
                    if memchr::memchr2(b'"', b'{', &line.bytes[at.clone()]).is_some() {
                        self.unread(place);
                    }
                }
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

    /// Tells that a record, or a part of one, is lost.
    fn unread(&mut self, place: Place) {
        self.sink.event(Event {
            place,
            thread: Thread::Own,
            key: None,
            node: None,
            parent: None,
            body: Body::Unread,
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
                | Body::Operator {
                    opens: Opens::Command,
                    ..
                }
                | Body::Injected { .. }
                | Body::Settings(_)
                | Body::Attached(_)
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
        if let Some(id) = adapter.message() {
            sink.message(&id);
        }
        self.report.records += 1;
        self.report.bookkeeping += u64::from(only_bookkeeping);
        true
    }

    fn finish(mut self) -> FileReport {
        if !self.decided {
            if self.document && !self.read_document() {
                self.read_by_lines();
            }
            if !self.decided {
                self.decide();
            }
            if self.report.format == Format::ClaudeStream && self.sniffer.is_lone_answer() {
                self.report.format = Format::ClaudeJson;
            }
        }
        if let Some(adapter) = &self.adapter {
            self.report.header = adapter.header().clone();
        }
        self.report
    }

    /// Reads the held lines as one JSON document: a list of records, or the answer of one run.
    fn read_document(&mut self) -> bool {
        let mut whole = Vec::with_capacity(self.held_bytes);
        for held in &self.held {
            whole.extend_from_slice(&held.bytes);
            if held.terminated {
                whole.push(b'\n');
            }
        }
        let first = self
            .held
            .first()
            .map_or((1, 0), |held| (held.number, held.offset));
        // Each byte that is no UTF-8 becomes one other byte, so that offsets stay true.
        let text = match String::from_utf8(whole) {
            Ok(text) => text,
            Err(error) => bytewise(&error.into_bytes()),
        };
        let Some(document) = Document::parse(&text) else {
            return false;
        };
        for (_, element) in document.elements.iter().take(SNIFFED_RECORDS as usize) {
            self.sniffer.look(element);
        }
        let format = match self.sniffer.format() {
            Format::ClaudeStream => Format::ClaudeJson,
            other => other,
        };
        self.held.clear();
        self.decided = true;
        self.report.format = format;
        self.adapter = adapter(format, &self.sniffer);
        let (mut line, mut counted, mut told) = (first.0, 0, 0);
        for (at, element) in document.elements {
            let before = &text.as_bytes()[counted..at];
            line += memchr::memchr_iter(b'\n', before).count() as u64;
            counted = at;
            told += element.len() as u64;
            let place = Place {
                line,
                start: first.1 + at as u64,
                end: first.1 + (at + element.len()) as u64,
            };
            if element.starts_with('{') && self.record(element, place) {
                self.report.record_bytes += element.len() as u64;
            } else {
                self.read_element(element, place);
            }
        }
        self.report.separator_bytes += text.len() as u64 - told;
        true
    }

    /// Reads one element of a document that the adapter did not take as it stands.
    fn read_element(&mut self, element: &str, place: Place) {
        let pieces = split(element.as_bytes(), true);
        if let [Piece::Object(range, text)] = pieces.as_slice()
            && range.len() == element.len()
            && self.record(text, place)
        {
            self.report.record_bytes += element.len() as u64;
        } else {
            self.quarantine(place, Reason::NotObject);
            self.unread(place);
        }
    }
}

fn adapter(format: Format, sniffer: &Sniffer) -> Option<Box<dyn Adapter>> {
    let claude = |format| {
        let (subagent, agent) = (sniffer.is_subagent(), sniffer.agent());
        Some(Box::new(Claude::new(format, subagent, agent)) as Box<dyn Adapter>)
    };
    match format {
        Format::ClaudeSession | Format::ClaudeStream | Format::ClaudeJournal => claude(format),
        Format::ClaudeJson => claude(Format::ClaudeStream),
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
