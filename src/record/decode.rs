//! Lines back to events.

use std::io::{BufRead as _, BufReader, Read};

use zstd::stream::read::Decoder as Zstd;

use super::schema::{
    AbsentLine, AnswerLine, DatedLine, FileLine, Holder, LeftLine, Line, ParentLine, RECORD_SCHEMA,
};
use crate::source::LONGEST_LINE;
use crate::transcript::{FileReport, Sink};

/// Longer lines are none of a record, in bytes. Texts are written down anew from lines that are
/// [`LONGEST_LINE`] long at most; whatever escapes that takes, they grow less than this.
const LONGEST: u64 = 4 * LONGEST_LINE as u64;

/// Why a record cannot be read. A record whose digest holds is one that was written so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// It cannot be read or unpacked.
    #[error("E_RETAINED role=records kind=unreadable")]
    Unreadable,
    /// A line is none of a record, or stands where it cannot.
    #[error("E_RETAINED role=records kind=invalid line={line}")]
    Line {
        /// The line, from 1.
        line: u64,
    },
    /// It is of another format, such as that of a later version.
    #[error("E_RETAINED role=records kind=schema")]
    Schema,
}

/// What a record holds, between the events of its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// A family of so many files.
    Family(u64),
    /// A file, whose events are to be [read](Decoder::events) now.
    File(FileLine),
    /// A file that is an answer as a whole.
    Answer(AnswerLine),
    /// When the last turn of the file before went on.
    Dated(DatedLine),
    /// What the session ran with that launched the file before.
    Parent(ParentLine),
    /// A file that could not be read.
    Absent(AbsentLine),
    /// What an attempt left beside its transcript.
    Left(LeftLine),
}

/// Reads a record line by line.
pub struct Decoder<R: Read> {
    input: BufReader<Zstd<'static, BufReader<R>>>,
    line: Vec<u8>,
    number: u64,
}

impl<R: Read> Decoder<R> {
    /// Begins to read.
    ///
    /// # Errors
    /// Bytes that are no record, or one of another format.
    pub fn open(input: R) -> Result<Self, RecordError> {
        let mut decoder = Self::within(input)?;
        match decoder.line()? {
            Some(Line::Records(head)) if head.schema == RECORD_SCHEMA => Ok(decoder),
            Some(Line::Records(_)) => Err(RecordError::Schema),
            _ => Err(RecordError::Line { line: 1 }),
        }
    }

    /// Begins to read a record behind its first line.
    ///
    /// # Errors
    /// Bytes that are no record.
    pub fn within(input: R) -> Result<Self, RecordError> {
        let input = Zstd::new(input).map_err(|_| RecordError::Unreadable)?;
        Ok(Self {
            input: BufReader::with_capacity(1 << 17, input),
            line: Vec::new(),
            number: 0,
        })
    }

    /// What comes next outside of a file.
    ///
    /// # Errors
    /// A line that is none, or that belongs into a file.
    pub fn entry(&mut self) -> Result<Option<Entry>, RecordError> {
        let entry = match self.line()? {
            None => return Ok(None),
            Some(Line::Family(family)) => Some(Entry::Family(family.files)),
            Some(Line::File(file)) => Some(Entry::File(file)),
            Some(Line::Answer(answer)) => Some(Entry::Answer(answer)),
            Some(Line::Dated(dated)) => Some(Entry::Dated(dated)),
            Some(Line::Parent(parent)) => Some(Entry::Parent(parent)),
            Some(Line::Absent(absent)) => Some(Entry::Absent(absent)),
            Some(Line::Left(left)) => Some(Entry::Left(left)),
            Some(Line::Records(_) | Line::Event(_) | Line::End(_)) => None,
        };
        entry.map(Some).ok_or_else(|| self.wrong())
    }

    /// The next file of a family.
    ///
    /// # Errors
    /// Anything else that comes next.
    pub fn file(&mut self) -> Result<FileLine, RecordError> {
        match self.entry()? {
            Some(Entry::File(file)) => Ok(file),
            _ => Err(self.wrong()),
        }
    }

    /// Hands on the events of a file, and what was read of it.
    ///
    /// # Errors
    /// A line that is none, or no line of a file.
    pub fn events(&mut self, sink: &mut dyn Sink) -> Result<FileReport, RecordError> {
        let mut last: Option<Holder> = None;
        loop {
            match self.line()? {
                Some(Line::Event(event)) => {
                    let holder = event.record.or(last);
                    let Some(holder) = holder else {
                        return Err(self.wrong());
                    };
                    last = Some(holder);
                    sink.event(holder.event(event.body));
                }
                Some(Line::End(report)) => return Ok(report),
                _ => return Err(self.wrong()),
            }
        }
    }

    /// Hands the events of a file to whoever reads it: `read` is given what it hands its sink to.
    ///
    /// # Errors
    /// Those of [`Self::events`].
    pub fn reading<T>(
        &mut self,
        read: impl FnOnce(&mut dyn FnMut(&mut dyn Sink) -> FileReport) -> T,
    ) -> Result<T, RecordError> {
        let mut fault = None;
        let made = read(&mut |sink| {
            self.events(sink).unwrap_or_else(|error| {
                fault = Some(error);
                FileReport::default()
            })
        });
        fault.map_or(Ok(made), Err)
    }

    /// Reads the files of a family one after the other.
    ///
    /// # Errors
    /// A file that is missing, or that cannot be read to its end.
    pub fn family(
        &mut self,
        files: u64,
        mut each: impl FnMut(&FileLine, &mut dyn FnMut(&mut dyn Sink) -> FileReport),
    ) -> Result<(), RecordError> {
        for _ in 0..files {
            let file = self.file()?;
            self.reading(|events| each(&file, events))?;
        }
        Ok(())
    }

    fn line(&mut self) -> Result<Option<Line<'static>>, RecordError> {
        self.line.clear();
        if self.line.capacity() > 1 << 22 {
            self.line = Vec::new();
        }
        let mut input = self.input.by_ref().take(LONGEST);
        let read = input.read_until(b'\n', &mut self.line);
        if read.map_err(|_| RecordError::Unreadable)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        if self.line.len() as u64 == LONGEST {
            return Err(self.wrong());
        }
        let line = serde_json::from_slice(&self.line);
        line.map(Some).map_err(|_| self.wrong())
    }

    fn wrong(&self) -> RecordError {
        RecordError::Line { line: self.number }
    }
}
