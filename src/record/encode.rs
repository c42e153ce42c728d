//! Events to lines.

use std::io::{self, Write};

use zstd::stream::write::Encoder as Zstd;

use super::schema::{
    AbsentLine, AnswerLine, DatedLine, EventLine, FamilyLine, FileLine, Head, Holder, LeftLine,
    Line, ParentLine, RECORD_SCHEMA,
};
use super::view::bounded;
use crate::canon;
use crate::transcript::{Event, FileReport, Sink};

/// How hard zstd tries. Another level would write other bytes for the same run.
const LEVEL: i32 = 3;

/// The frame that begins a record: its first line.
///
/// # Errors
/// None that this memory can have, but for the compressor's own.
pub fn header() -> io::Result<Vec<u8>> {
    let mut encoder = Encoder::new(Vec::new())?;
    encoder.line(&Line::Records(Head {
        schema: RECORD_SCHEMA.to_owned(),
    }));
    encoder.finish()
}

/// Writes lines into one zstd frame. Frames that follow each other are one stream.
pub struct Encoder<W: Write> {
    out: Zstd<'static, W>,
    line: Vec<u8>,
    last: Option<Holder>,
    /// The first error met; nothing is written after it.
    error: Option<io::Error>,
}

impl<W: Write> Encoder<W> {
    /// Begins a frame.
    ///
    /// # Errors
    /// Those of the compressor.
    pub fn new(out: W) -> io::Result<Self> {
        Ok(Self {
            out: Zstd::new(out, LEVEL)?,
            line: Vec::new(),
            last: None,
            error: None,
        })
    }

    /// A family of so many files begins.
    pub fn family(&mut self, files: usize) {
        let files = files as u64;
        self.line(&Line::Family(FamilyLine { files }));
    }

    /// A file begins.
    pub fn file(&mut self, file: FileLine) {
        self.last = None;
        self.line(&Line::File(file));
    }

    /// One event of the file.
    pub fn event(&mut self, event: &Event<'_>) {
        let holder = Holder::of(event);
        let record = (self.last != Some(holder)).then_some(holder);
        self.last = Some(holder);
        let body = bounded(event).body;
        self.line(&Line::Event(EventLine { record, body }));
    }

    /// The file ends.
    pub fn end(&mut self, report: &FileReport) {
        self.line(&Line::End(report.clone()));
    }

    /// A file that is an answer as a whole.
    pub fn answer(&mut self, answer: AnswerLine) {
        self.line(&Line::Answer(answer));
    }

    /// When the last turn of a file went on.
    pub fn dated(&mut self, dated: DatedLine) {
        self.line(&Line::Dated(dated));
    }

    /// What the session ran with that launched a file's.
    pub fn parent(&mut self, parent: ParentLine) {
        self.line(&Line::Parent(parent));
    }

    /// A file that could not be read.
    pub fn absent(&mut self, absent: AbsentLine) {
        self.line(&Line::Absent(absent));
    }

    /// What an attempt left beside its transcript.
    pub fn left(&mut self, left: LeftLine) {
        self.line(&Line::Left(left));
    }

    fn line(&mut self, line: &Line<'_>) {
        if self.error.is_some() {
            return;
        }
        self.line.clear();
        let written = canon::append_line(&mut self.line, line)
            .map_err(|_| io::Error::from(io::ErrorKind::InvalidData))
            .and_then(|()| self.out.write_all(&self.line));
        if self.line.capacity() > 1 << 20 {
            // One huge line must not hold its memory for the rest of the file.
            self.line = Vec::new();
        }
        self.error = written.err();
    }

    /// Ends the frame.
    ///
    /// # Errors
    /// The first error met.
    pub fn finish(self) -> io::Result<W> {
        match self.error {
            Some(error) => Err(error),
            None => self.out.finish(),
        }
    }
}

/// Hands events on and keeps them on the way.
pub struct Tee<'t, W: Write> {
    /// Where they are kept.
    pub encoder: &'t mut Encoder<W>,
    /// Where they go.
    pub sink: &'t mut dyn Sink,
}

impl<W: Write> Sink for Tee<'_, W> {
    fn event(&mut self, event: Event<'_>) {
        self.encoder.event(&event);
        self.sink.event(event);
    }

    fn message(&mut self, id: &str) {
        self.sink.message(id);
    }
}
