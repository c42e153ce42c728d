//! One attempt at a task: what became of it, and what its answer is.

use std::path::Path;

use super::beside::Beside;
use super::bind::Window;
use super::dated::{self, Span};
use super::identity::{Driver, IdentityRow};
use super::notice::is_wait_notice;
use super::parent;
use super::reading::{Kin, Reading, Session, Tail};
use super::seen::SeenTurn;
use crate::oracle::Deeds;
use crate::private::Kind;
use crate::record::{AbsentLine, AnswerLine, DatedLine, Encoder, FileLine, ParentLine, Tee};
use crate::source::Found;
use crate::spec::sha256;
use crate::transcript::{FileReport, Glance, Header, Sink, read_file};
use crate::turn::Ended;

/// A transcript that stops before its last turn is over.
const RECORD_ENDS: &str = "record-ends";

/// What became of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// It came to its end, with an answer or without one.
    Completed,
    /// Something outside of it broke it off: it speaks neither for nor against a task.
    Inadmissible(&'static str),
    /// What became of it cannot be told.
    Unresolved(&'static str),
}

impl Class {
    /// The word in rows.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Inadmissible(_) => "inadmissible",
            Self::Unresolved(_) => "unresolved",
        }
    }

    /// Why it was not completed.
    #[must_use]
    pub fn cause(self) -> Option<&'static str> {
        match self {
            Self::Completed => None,
            Self::Inadmissible(cause) | Self::Unresolved(cause) => Some(cause),
        }
    }
}

/// One turn of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaidTurn {
    /// Its number, from 1.
    pub number: u32,
    /// Its first and last line.
    pub lines: (u64, u64),
    /// How it ended.
    pub ended: Ended,
    /// Its close, with the line that it begins in.
    pub close: Option<(u64, String)>,
    /// What was done in it.
    pub deeds: Deeds,
    /// What it shows beside its close, where that was asked for.
    pub seen: SeenTurn,
}

/// One attempt as its transcript tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// What became of it.
    pub class: Class,
    /// Its turns.
    pub turns: Vec<SaidTurn>,
    /// Why it has no answer though it was completed, whatever the reading of an answer.
    pub cause: Option<&'static str>,
    /// The last message of its last turn.
    pub last: Option<String>,
    /// The times that its last turn tells, where its client dates its records.
    pub dated: Option<Span>,
    /// The length of its transcript; none where there is no transcript.
    pub bytes: Option<u64>,
    /// What it shows beside its turns.
    pub beside: Beside,
    /// The session's own id.
    pub session: Option<String>,
    /// Private values that no public output may hold.
    pub private: Vec<(Kind, String)>,
}

impl Attempt {
    pub(super) fn without_turns(class: Class) -> Self {
        Self {
            class,
            turns: Vec::new(),
            cause: None,
            last: None,
            dated: None,
            bytes: None,
            beside: Beside::default(),
            session: None,
            private: Vec::new(),
        }
    }

    /// The answer, or why there is none. `last` asks for the last message rather than the close.
    ///
    /// # Errors
    /// The cause: `no-close`, `empty`, `timeout`, `api-error`, `wait-notice`, `not-text`…
    pub fn answer(&self, last: bool) -> Result<&str, &'static str> {
        if let Some(cause) = self.cause {
            return Err(cause);
        }
        let close = || {
            let turn = self.turns.last()?;
            turn.close.as_ref().map(|(_, text)| text.as_str())
        };
        let text = if last { self.last.as_deref() } else { close() };
        match text {
            None => Err("no-close"),
            Some(text) if text.trim().is_empty() => Err("empty"),
            Some(text) => Ok(text),
        }
    }

    /// The attempt held against the windows in which runs went on: an answer that its transcript
    /// dates outside of every one of them is not admissible.
    #[must_use]
    pub fn within(mut self, windows: &[Window]) -> Self {
        if self.class == Class::Completed && !dated::within(self.dated.as_ref(), windows) {
            self.class = Class::Inadmissible("outside-window");
        }
        self
    }

    /// Whether it has a turn of a number.
    pub(super) fn holds(&self, turn: u32) -> bool {
        self.turns.iter().any(|own| own.number == turn)
    }

    /// Why turns of it may stand in what could not be read. A record that only ends too early has lost
    /// no turn that anybody knows of.
    pub(super) fn unread(&self) -> Option<&'static str> {
        match self.class {
            Class::Unresolved(cause) if cause != RECORD_ENDS => Some(cause),
            _ => None,
        }
    }

    /// Where the answer stands: its first line, where it is a close.
    #[must_use]
    pub fn line(&self) -> Option<u64> {
        let turn = self.turns.last()?;
        turn.close.as_ref().map(|(line, _)| *line)
    }
}

/// Where attempts are read from.
pub trait ReadAttempt: Sync {
    /// The attempt of an identity row. `name` is its file's name in rows.
    fn attempt(&self, row: &IdentityRow, name: &str) -> Attempt;
}

/// Reads the attempt of an identity row. `root` is the folder of its locator.
#[must_use]
pub fn read_attempt(row: &IdentityRow, root: &Path, name: &str) -> Attempt {
    material(row, root, name, None).attempt(row)
}

/// What the file of an attempt holds, before anybody says what became of the attempt.
#[derive(Debug, Clone)]
pub(super) enum Material {
    /// It cannot be read.
    Absent(&'static str),
    /// It is an answer as a whole; `None` where its bytes are no text.
    Answer(Option<String>),
    /// It is a transcript.
    Transcript(Box<Heard>),
}

/// What a transcript tells of an attempt.
#[derive(Debug, Clone)]
pub(super) struct Heard {
    report: FileReport,
    sessions: Vec<Session>,
    dated: Option<Span>,
    parent: Option<ParentLine>,
}

/// Reads the file of an identity row, and keeps its record where there is an encoder.
pub(super) fn material(
    row: &IdentityRow,
    root: &Path,
    name: &str,
    encoder: Option<&mut Encoder<Vec<u8>>>,
) -> Material {
    let material = match super::identity::inside(root, &row.locator.file) {
        Err(_) => Material::Absent("transcript-missing"),
        Ok(bytes) if sha256(&bytes) != row.locator.sha256 => Material::Absent("transcript-changed"),
        Ok(bytes) if row.actor == "file" => Material::Answer(String::from_utf8(bytes).ok()),
        Ok(bytes) => {
            let found = Found {
                path: root.join(&row.locator.file),
                name: name.to_owned(),
                named: true,
                expected: true,
                size: bytes.len() as u64,
                built_in: None,
            };
            drop(bytes);
            return of_transcript(&found, root, encoder);
        }
    };
    if let Some(encoder) = encoder {
        keep(&material, name, encoder);
    }
    material
}

/// Keeps what is no transcript.
fn keep(material: &Material, name: &str, encoder: &mut Encoder<Vec<u8>>) {
    let name = name.to_owned();
    match material {
        Material::Absent(cause) => encoder.absent(AbsentLine {
            name,
            cause: (*cause).to_owned(),
        }),
        Material::Answer(text) => encoder.answer(AnswerLine {
            name,
            text: text.clone(),
        }),
        Material::Transcript(_) => {}
    }
}

fn of_transcript(found: &Found, root: &Path, encoder: Option<&mut Encoder<Vec<u8>>>) -> Material {
    let Ok(lines) = found.open() else {
        let material = Material::Absent("unreadable");
        if let Some(encoder) = encoder {
            keep(&material, &found.name, encoder);
        }
        return material;
    };
    let mut encoder = encoder;
    let mut heard = Heard::of(|sink| match encoder.as_deref_mut() {
        None => read_file(lines, sink),
        Some(encoder) => {
            encoder.file(FileLine::of(found, &Glance::default()));
            let report = read_file(lines, &mut Tee { encoder, sink });
            encoder.end(&report);
            report
        }
    });
    heard.dated = heard
        .last_lines()
        .and_then(|lines| dated::span(&found.path, lines));
    heard.parent = parent::of(&heard.report.header, found, root);
    if let (Some(encoder), Some(span)) = (encoder.as_deref_mut(), &heard.dated) {
        encoder.dated(DatedLine {
            name: found.name.clone(),
            first: span.first.clone(),
            last: span.last.clone(),
        });
    }
    if let (Some(encoder), Some(parent)) = (encoder, &heard.parent) {
        encoder.parent(parent.clone());
    }
    Material::Transcript(Box::new(heard))
}

impl Heard {
    /// What a transcript tells whose events `read` hands to the sink that it is given.
    pub(super) fn of(read: impl FnOnce(&mut dyn Sink) -> FileReport) -> Self {
        let kin = Kin {
            evidence: true,
            ..Kin::default()
        };
        let mut reading = Reading::new(&kin);
        let report = read(&mut reading);
        Self {
            report,
            sessions: reading.finish(),
            dated: None,
            parent: None,
        }
    }

    /// What was read, and what its only session shows beside its turns.
    pub(super) fn alone(&self) -> Option<(&FileReport, &Beside)> {
        match self.sessions.as_slice() {
            [only] => Some((&self.report, &only.beside)),
            _ => None,
        }
    }

    /// The lines of its last turn.
    fn last_lines(&self) -> Option<(u64, u64)> {
        self.sessions.iter().rev().find_map(Session::last_lines)
    }
}

impl Material {
    /// Takes the times that a record kept of a transcript.
    pub(super) fn date(&mut self, span: Span) {
        if let Self::Transcript(heard) = self {
            heard.dated = Some(span);
        }
    }

    /// Takes what a record kept of the session that launched a transcript's.
    pub(super) fn launched_by(&mut self, parent: ParentLine) {
        if let Self::Transcript(heard) = self {
            heard.parent = Some(parent);
        }
    }

    /// What became of the attempt of an identity row.
    pub(super) fn attempt(&self, row: &IdentityRow) -> Attempt {
        let driver = row.driver.as_ref();
        let mut attempt = match self {
            Self::Absent(cause) => return Attempt::without_turns(Class::Unresolved(cause)),
            Self::Answer(text) => of_file(text.as_deref(), driver),
            Self::Transcript(heard) => of_events(heard, driver),
        };
        let notice = |attempt: &Attempt| attempt.answer(false).is_ok_and(is_wait_notice);
        if row.actor == "subagent" && notice(&attempt) {
            attempt.cause = Some("wait-notice");
        }
        attempt
    }
}

/// A plain file is an answer as a whole.
fn of_file(text: Option<&str>, driver: Option<&Driver>) -> Attempt {
    let mut attempt = Attempt::without_turns(Class::Completed);
    let state = driver.map(|driver| driver.state);
    if state == Some("interrupted") {
        attempt.class = Class::Inadmissible("interrupted-driver");
        return attempt;
    }
    match text {
        Some(text) => {
            attempt.last = Some(text.to_owned());
            attempt.turns.push(SaidTurn {
                number: 1,
                lines: (1, 1),
                ended: Ended::Closed,
                close: Some((1, text.to_owned())),
                deeds: Deeds::default(),
                seen: SeenTurn::default(),
            });
        }
        None => attempt.cause = Some("not-text"),
    }
    if state == Some("timed-out") {
        attempt.cause = Some("timeout");
    }
    attempt
}

/// What no public output may say of a session.
pub(super) fn private_of(header: &Header) -> Vec<(Kind, String)> {
    let values = [
        (Kind::Session, &header.session),
        (Kind::Agent, &header.agent),
        (Kind::Session, &header.parent),
        (Kind::WorkTree, &header.cwd),
    ];
    let told = |(kind, value): (Kind, &Option<String>)| Some((kind, value.clone()?));
    values.into_iter().filter_map(told).collect()
}

fn of_events(heard: &Heard, driver: Option<&Driver>) -> Attempt {
    let report = &heard.report;
    let header = &report.header;
    let root = header.cwd.as_deref();
    let sessions = heard.sessions.iter().map(|own| (own.turns(root), own));
    let sessions: Vec<_> = sessions.filter(|(turns, _)| !turns.is_empty()).collect();
    let mut attempt = Attempt {
        private: private_of(header),
        session: header.session.clone(),
        dated: heard.dated.clone(),
        bytes: Some(report.size),
        ..Attempt::without_turns(Class::Completed)
    };
    if report.fault.is_some() {
        attempt.class = Class::Unresolved("unreadable");
    } else if !report.quarantined.is_empty() {
        attempt.class = Class::Unresolved("parse");
    } else if sessions.len() > 1 {
        attempt.class = Class::Unresolved("several-sessions");
    } else if let Some((turns, own)) = sessions.into_iter().next() {
        attempt.turns = turns;
        attempt.last.clone_from(&own.tail.text);
        attempt.beside = own.beside.of(header, heard.parent.as_ref());
        let places = attempt.beside.places().cloned();
        let places: Vec<_> = places.map(|place| (Kind::WorkTree, place)).collect();
        attempt.private.extend(places);
        classify(&mut attempt, &own.tail, driver);
    } else if driver.is_some_and(|driver| driver.state == "interrupted") {
        attempt.class = Class::Inadmissible("interrupted-driver");
    } else {
        attempt.class = Class::Inadmissible("startup-error");
    }
    attempt
}

/// What became of an attempt that has turns. A usage limit comes first: it makes the driver stop and the record end, and not
/// the other way round.
fn classify(attempt: &mut Attempt, tail: &Tail, driver: Option<&Driver>) {
    let Some(turn) = attempt.turns.last() else {
        return;
    };
    let ended = turn.ended;
    let state = driver.map(|driver| driver.state);
    if ended == Ended::Limit {
        attempt.class = Class::Inadmissible("usage-limit");
    } else if ended == Ended::ApiError && tail.login {
        // Nobody who is not logged in answers; one who was until then was broken off.
        attempt.class = Class::Inadmissible(match tail.spoke {
            false => "startup-error",
            true => "interrupted-driver",
        });
    } else if state == Some("interrupted") || ended == Ended::Interrupted {
        attempt.class = Class::Inadmissible("interrupted-driver");
    } else if state == Some("timed-out") {
        attempt.cause = Some("timeout");
    } else if ended == Ended::Running
        || ended == Ended::NoClose && !tail.over && state != Some("finished")
    {
        // A record that stops behind a result may be whole, or may have lost its answer.
        attempt.class = Class::Unresolved(RECORD_ENDS);
    } else if ended == Ended::ApiError {
        attempt.cause = Some("api-error");
    } else {
        let failed = driver
            .and_then(|driver| driver.exit)
            .is_some_and(|code| code != 0);
        if failed && attempt.answer(false).is_err() {
            attempt.cause = Some("exit-nonzero");
        }
    }
}
