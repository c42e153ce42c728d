//! One attempt at a task: what became of it, and what its answer is.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use super::beside::Beside;
use super::bind::{BoundArm, Window};
use super::carrier::{self, Carried, Carrier, CrossCheck, Plain};
use super::dated::{self, Span};
use super::follow::Following;
use super::identity::IdentityRow;
use super::left::{self, Roots};
use super::parent;
use super::reading::{Kin, Reading, Session};
use super::seen::SeenTurn;
use crate::oracle::Deeds;
use crate::private::Kind;
use crate::record::{
    AbsentLine, AnswerLine, DatedLine, Encoder, Ending, FileLine, LeftLine, ParentLine, Printed,
    Tee,
};
use crate::source::Found;
use crate::spec::sha256;
use crate::transcript::{
    FileReport, Format, Glance, Header, LastEnd, Place, Sink, last_end, printed_end, read_file,
};
use crate::turn::Ended;

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
    /// The records that its blocks stand in, each with the block's length; an answer that is a file is one block of it.
    pub blocks: Vec<(Place, usize)>,
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
    pub cause: Option<Cow<'static, str>>,
    /// Whether its carrier bears the answer.
    pub carrier: Carrier,
    /// What the answer's other copy says of it, where one is told of.
    pub check: Option<CrossCheck>,
    /// The answer as its carrier holds it, where it stands in no turn.
    pub given: Option<String>,
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
    /// The folder that the session began in.
    pub cwd: Option<String>,
    /// Private values that no public output may hold.
    pub private: Vec<(Kind, String)>,
}

impl Attempt {
    pub(super) fn without_turns(class: Class) -> Self {
        Self {
            class,
            turns: Vec::new(),
            cause: None,
            carrier: Carrier::None,
            check: None,
            given: None,
            last: None,
            dated: None,
            bytes: None,
            beside: Beside::default(),
            session: None,
            cwd: None,
            private: Vec::new(),
        }
    }

    /// The answer, or why there is none. `last` asks for the last message rather than the close.
    ///
    /// # Errors
    /// The cause: `no-close`, `empty`, `timeout`, `api-error-…`, `wait-notice`, `not-text`…
    pub fn answer(&self, last: bool) -> Result<&str, Cow<'static, str>> {
        if let Some(cause) = &self.cause {
            return Err(cause.clone());
        }
        if let Some(given) = &self.given {
            return Ok(given);
        }
        let close = || {
            let turn = self.turns.last()?;
            turn.close.as_ref().map(|(_, text)| text.as_str())
        };
        let text = if last { self.last.as_deref() } else { close() };
        carrier::answer(text).map_err(Cow::Borrowed)
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

    /// The attempt held against what its arm and its task were bound to: a session of another folder, or one that was
    /// asked something else, may be anybody's. What its transcript does not tell says nothing.
    #[must_use]
    pub(super) fn bound(mut self, arm: Option<&BoundArm>, prompt: Option<&str>) -> Self {
        if self.class != Class::Completed {
            return self;
        }
        let folder = arm.zip(self.cwd.as_deref());
        let cause = if folder.and_then(|(arm, cwd)| arm.may_work_in(cwd)) == Some(false) {
            "foreign-folder"
        } else if prompt.and_then(|prompt| self.beside.was_asked(prompt)) == Some(false) {
            "foreign-prompt"
        } else {
            return self;
        };
        self.class = Class::Unresolved(cause);
        // What another's turns did is nothing that the arm did.
        self.turns.clear();
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
            Class::Unresolved(cause) if ![carrier::RECORD_ENDS, carrier::CUT].contains(&cause) => {
                Some(cause)
            }
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

/// Reads the attempt of an identity row. `root` is the folder of its locator, and the only one that
/// a result may be followed into.
#[must_use]
pub fn read_attempt(row: &IdentityRow, root: &Path, name: &str) -> Attempt {
    let roots = Roots {
        own: root,
        all: &[root.to_owned()],
    };
    material(row, roots, name, None).attempt(row)
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
    pub(super) report: FileReport,
    sessions: Vec<Session>,
    dated: Option<Span>,
    parent: Option<ParentLine>,
    pub(super) left: LeftLine,
}

/// Reads the file of an identity row, and keeps its record where there is an encoder.
pub(super) fn material(
    row: &IdentityRow,
    roots: Roots<'_>,
    name: &str,
    encoder: Option<&mut Encoder<Vec<u8>>>,
) -> Material {
    let root = roots.own;
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
            match left::left(row, roots) {
                Ok(left) => return of_transcript(&found, roots, left, encoder),
                Err(cause) => Material::Absent(cause),
            }
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

fn of_transcript(
    found: &Found,
    roots: Roots<'_>,
    left: LeftLine,
    mut encoder: Option<&mut Encoder<Vec<u8>>>,
) -> Material {
    let Ok(lines) = found.open() else {
        let material = Material::Absent("unreadable");
        if let Some(encoder) = encoder {
            keep(&material, &found.name, encoder);
        }
        return material;
    };
    let mut elsewhere = BTreeMap::new();
    let mut heard = Heard::of(|sink| {
        let read = |sink: &mut dyn Sink| {
            let mut following = Following {
                sink,
                roots: roots.all,
                elsewhere: BTreeMap::new(),
            };
            let report = read_file(lines, &mut following);
            elsewhere = following.elsewhere;
            report
        };
        match encoder.as_deref_mut() {
            None => read(sink),
            Some(encoder) => {
                encoder.file(FileLine::of(found, &Glance::default()));
                let report = read(&mut Tee { encoder, sink });
                encoder.end(&report);
                report
            }
        }
    });
    heard.dated = heard
        .last_lines()
        .and_then(|lines| dated::span(&found.path, lines));
    heard.parent = parent::of(&heard.report.header, found, roots.own);
    heard.left = LeftLine {
        name: found.name.clone(),
        elsewhere,
        ending: heard.ending(&found.path),
        ..left
    };
    if matches!(
        heard.report.format,
        Format::ClaudeStream | Format::ClaudeJson
    ) {
        // It closes itself with what it says again.
        let text = std::fs::read_to_string(&found.path).unwrap_or_default();
        let end = printed_end(&text).map(|end| Printed {
            error: end.error,
            text: end.text,
        });
        heard.left.printed = end;
    }
    if let Some(encoder) = encoder {
        heard.keep(&found.name, encoder);
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
            left: LeftLine::default(),
        }
    }

    /// What was read, and what its only session shows beside its turns.
    pub(super) fn alone(&self) -> Option<(&FileReport, &Beside)> {
        match self.sessions.as_slice() {
            [only] => Some((&self.report, &only.beside)),
            _ => None,
        }
    }

    /// Keeps what stands beside its events.
    fn keep(&self, name: &str, encoder: &mut Encoder<Vec<u8>>) {
        if let Some(span) = &self.dated {
            encoder.dated(DatedLine {
                name: name.to_owned(),
                first: span.first.clone(),
                last: span.last.clone(),
            });
        }
        if let Some(parent) = &self.parent {
            encoder.parent(parent.clone());
        }
        let nothing = LeftLine {
            name: name.to_owned(),
            ..LeftLine::default()
        };
        if self.left != nothing {
            encoder.left(self.left.clone());
        }
    }

    /// How its last message says that it ends.
    fn ending(&self, path: &Path) -> Option<Ending> {
        let claude = [Format::ClaudeSession, Format::ClaudeStream];
        let header = &self.report.header;
        let aside = header.subagent || header.agent.is_some();
        let lines = self
            .last_lines()
            .filter(|_| claude.contains(&self.report.format));
        let end = lines.and_then(|lines| last_end(path, lines, aside));
        end.map(|end| match end {
            LastEnd::Cut => Ending::Cut,
            LastEnd::Silent => Ending::Silent,
        })
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

    /// Takes what a record kept beside a transcript.
    pub(super) fn leave(&mut self, left: LeftLine) {
        if let Self::Transcript(heard) = self {
            heard.left = left;
        }
    }

    /// What became of the attempt of an identity row.
    pub(super) fn attempt(&self, row: &IdentityRow) -> Attempt {
        match self {
            Self::Absent(cause) => Attempt::without_turns(Class::Unresolved(cause)),
            Self::Answer(text) => of_file(text.as_deref(), row),
            Self::Transcript(heard) => of_events(heard, row),
        }
    }
}

impl Attempt {
    /// Takes what the carrier tells. Where it is a matter of turns, a reading says which of their texts
    /// is the answer.
    fn carried(&mut self, carried: Carried, of_turns: bool) {
        self.class = carried.class;
        self.cause = match of_turns {
            true => carried.cause_of_any(),
            false => carried.cause.clone(),
        };
        if !of_turns {
            if let (Carrier::Fail(reason), None) = (&carried.carrier, &carried.answer) {
                self.cause = Some(reason.clone());
            }
            self.given = carried.answer;
        }
        self.carrier = match of_turns && self.cause.is_none() && carried.cause.is_some() {
            true => Carrier::Pass,
            false => carried.carrier,
        };
    }
}

/// A plain file is an answer as a whole.
fn of_file(text: Option<&str>, row: &IdentityRow) -> Attempt {
    let told = row.told(None);
    let mut attempt = Attempt::without_turns(Class::Completed);
    // A byte order mark tells how the file is written, and is nothing that anybody answered.
    let whole = text.map_or(0, str::len);
    let text = text.map(|text| text.strip_prefix('\u{feff}').unwrap_or(text));
    attempt.carried(Plain { text, told: &told }.carried(), false);
    let Some(text) = text.filter(|_| attempt.class == Class::Completed) else {
        return attempt;
    };
    let place = Place {
        line: 1,
        start: (whole - text.len()) as u64,
        end: whole as u64,
    };
    attempt.turns.push(SaidTurn {
        number: 1,
        lines: (1, 1),
        ended: Ended::Closed,
        close: Some((1, text.to_owned())),
        blocks: vec![(place, text.len())],
        deeds: Deeds::default(),
        seen: SeenTurn::default(),
    });
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

fn of_events(heard: &Heard, row: &IdentityRow) -> Attempt {
    let report = &heard.report;
    let header = &report.header;
    let root = header.cwd.as_deref();
    let sessions = heard.sessions.iter().map(|own| (own.turns(root), own));
    let sessions: Vec<_> = sessions.filter(|(turns, _)| !turns.is_empty()).collect();
    let mut attempt = Attempt {
        private: private_of(header),
        session: header.session.clone(),
        cwd: header.cwd.clone(),
        dated: heard.dated.clone(),
        bytes: Some(report.size),
        ..Attempt::without_turns(Class::Completed)
    };
    if report.fault.is_some() {
        attempt.class = Class::Unresolved("unreadable");
    } else if sessions.len() > 1 {
        attempt.class = Class::Unresolved(match report.quarantined.is_empty() {
            true => "several-sessions",
            false => "parse",
        });
    } else {
        let own = match sessions.into_iter().next() {
            Some((turns, own)) => {
                attempt.turns = turns;
                Some(own)
            }
            None => heard.sessions.first(),
        };
        if let Some(own) = own {
            attempt.beside = own.beside.of(header, heard.parent.as_ref());
            let places = attempt.beside.places().cloned();
            let places: Vec<_> = places.map(|place| (Kind::WorkTree, place)).collect();
            attempt.private.extend(places);
        }
        let mut spoken = own.map(|own| own.spoken.clone()).unwrap_or_default();
        spoken.torn |= !report.quarantined.is_empty();
        for turn in &mut attempt.turns {
            turn.seen.point(&heard.left.elsewhere);
        }
        attempt.last = spoken.text().map(str::to_owned);
        let ended = attempt.turns.last().map(|turn| turn.ended);
        let left = &heard.left;
        let carried = heard.carried(row, &spoken, &row.told(ended));
        let carried = carried.ending(left.ending);
        let copy = left.handed.is_some() || left.workflow.is_some() || left.printed.is_some();
        attempt.check = copy.then_some(carried.check);
        // The last message that a run printed is its answer, an empty one too (seed 002).
        let printed = matches!(report.format, Format::CodexExec | Format::CodexExecOld);
        let silent = (printed || left.ending == Some(Ending::Silent))
            && carried.cause.as_deref() == Some("empty");
        let apart = left.workflow.is_some() || left.copies.is_some() || silent;
        attempt.carried(carried, !apart && !attempt.turns.is_empty());
    }
    attempt
}
