//! One attempt at a task: what became of it, and what its answer is.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use super::identity::{Driver, IdentityRow};
use super::notice::is_wait_notice;
use crate::private::Kind;
use crate::source::Found;
use crate::spec::sha256;
use crate::transcript::{Body, Event, Frame, Opens, Sink, Thread, read_file};
use crate::turn::{Ended, SessionFold, Turn, TurnSink};

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

    /// Where the answer stands: its first line, where it is a close.
    #[must_use]
    pub fn line(&self) -> Option<u64> {
        let turn = self.turns.last()?;
        turn.close.as_ref().map(|(line, _)| *line)
    }
}

/// Reads the attempt of an identity row. `root` is the folder of its locator.
#[must_use]
pub fn read_attempt(row: &IdentityRow, root: &Path, name: &str) -> Attempt {
    let Ok(bytes) = super::identity::inside(root, &row.locator.file) else {
        return Attempt::without_turns(Class::Unresolved("transcript-missing"));
    };
    if sha256(&bytes) != row.locator.sha256 {
        return Attempt::without_turns(Class::Unresolved("transcript-changed"));
    }
    let mut attempt = if row.actor == "file" {
        of_file(bytes, row.driver.as_ref())
    } else {
        of_transcript(&root.join(&row.locator.file), name, row.driver.as_ref())
    };
    let notice = |attempt: &Attempt| attempt.answer(false).is_ok_and(is_wait_notice);
    if row.actor == "subagent" && notice(&attempt) {
        attempt.cause = Some("wait-notice");
    }
    attempt
}

/// A plain file is an answer as a whole.
fn of_file(bytes: Vec<u8>, driver: Option<&Driver>) -> Attempt {
    let mut attempt = Attempt::without_turns(Class::Completed);
    let state = driver.map(|driver| driver.state);
    if state == Some("interrupted") {
        attempt.class = Class::Inadmissible("interrupted-driver");
        return attempt;
    }
    match String::from_utf8(bytes) {
        Ok(text) => {
            attempt.last = Some(text.clone());
            attempt.turns.push(SaidTurn {
                number: 1,
                lines: (1, 1),
                ended: Ended::Closed,
                close: Some((1, text)),
            });
        }
        Err(_) => attempt.cause = Some("not-text"),
    }
    if state == Some("timed-out") {
        attempt.cause = Some("timeout");
    }
    attempt
}

fn of_transcript(path: &Path, name: &str, driver: Option<&Driver>) -> Attempt {
    let found = Found {
        path: path.to_owned(),
        name: name.to_owned(),
        named: true,
        expected: true,
        size: 0,
        built_in: None,
    };
    let Ok(lines) = found.open() else {
        return Attempt::without_turns(Class::Unresolved("unreadable"));
    };
    let kin = Kin::default();
    let mut reading = Reading::new(&kin);
    let report = read_file(lines, &mut reading);
    let sessions = reading.finish();
    let header = report.header;
    let private = [
        (Kind::Session, &header.session),
        (Kind::Agent, &header.agent),
        (Kind::Session, &header.parent),
        (Kind::WorkTree, &header.cwd),
    ];
    let told = |(kind, value): (Kind, &Option<String>)| Some((kind, value.clone()?));
    let mut attempt = Attempt {
        private: private.into_iter().filter_map(told).collect(),
        session: header.session,
        ..Attempt::without_turns(Class::Completed)
    };
    if report.fault.is_some() {
        attempt.class = Class::Unresolved("unreadable");
    } else if !report.quarantined.is_empty() {
        attempt.class = Class::Unresolved("parse");
    } else if sessions.len() > 1 {
        attempt.class = Class::Unresolved("several-sessions");
    } else if let Some((turns, tail)) = sessions.into_iter().next() {
        (attempt.turns, attempt.last) = (turns, tail.text);
        classify(&mut attempt, tail.over, driver);
    } else if driver.is_some_and(|driver| driver.state == "interrupted") {
        attempt.class = Class::Inadmissible("interrupted-driver");
    } else {
        attempt.class = Class::Inadmissible("startup-error");
    }
    attempt
}

/// What became of an attempt that has turns. `over` tells whether the record says that its last
/// turn ended. A usage limit comes first: it makes the driver stop and the record end, and not
/// the other way round.
fn classify(attempt: &mut Attempt, over: bool, driver: Option<&Driver>) {
    let Some(turn) = attempt.turns.last() else {
        return;
    };
    let ended = turn.ended;
    let state = driver.map(|driver| driver.state);
    if ended == Ended::Limit {
        attempt.class = Class::Inadmissible("usage-limit");
    } else if state == Some("interrupted") || ended == Ended::Interrupted {
        attempt.class = Class::Inadmissible("interrupted-driver");
    } else if state == Some("timed-out") {
        attempt.cause = Some("timeout");
    } else if ended == Ended::Running
        || ended == Ended::NoClose && !over && state != Some("finished")
    {
        // A record that stops behind a result may be whole, or may have lost its answer.
        attempt.class = Class::Unresolved("record-ends");
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

/// A transcript is read by itself: nothing is asked of other files.
#[derive(Default)]
struct Kin {
    owned: HashSet<u64>,
    children: HashMap<String, crate::turn::Delegated>,
}

#[derive(Default)]
struct Collected(Vec<SaidTurn>);

impl TurnSink for Collected {
    fn turn(&mut self, turn: Turn) {
        if turn.copied || turn.inherited {
            return;
        }
        let close = turn.close();
        self.0.push(SaidTurn {
            number: turn.number,
            lines: turn.lines,
            ended: turn.ended,
            close: close.map(|close| (close.place.line, close.text.clone())),
        });
    }

    fn rewound(&mut self, dead: &[u32]) {
        self.0
            .retain(|turn| dead.binary_search(&turn.number).is_err());
        for turn in &mut self.0 {
            let before = dead.partition_point(|number| *number < turn.number);
            turn.number -= u32::try_from(before).unwrap_or(0);
        }
    }
}

/// The end of a session so far.
#[derive(Default)]
struct Tail {
    /// The message that was said last.
    message: u64,
    /// The last message of its last turn.
    text: Option<String>,
    /// Whether the client says that the last turn is over.
    over: bool,
}

impl Tail {
    fn event(&mut self, event: &Event<'_>) {
        if event.thread != Thread::Own {
            return;
        }
        match &event.body {
            Body::Operator { opens, .. } if *opens != Opens::IfIdle => *self = Self::default(),
            Body::Frame(frame) => {
                self.over = matches!(frame, Frame::Completed | Frame::Failed | Frame::Aborted);
            }
            Body::Said {
                text,
                message,
                aside: false,
            } => match &mut self.text {
                Some(before) if *message != 0 && *message == self.message => {
                    before.push_str("\n\n");
                    before.push_str(text);
                }
                before => {
                    *before = Some(text.clone().into_owned());
                    self.message = *message;
                }
            },
            _ => {}
        }
    }
}

type Session = (Vec<SaidTurn>, Tail);

struct Reading<'k> {
    kin: &'k Kin,
    fold: SessionFold<'k, Collected>,
    tail: Tail,
    done: Vec<Session>,
}

impl<'k> Reading<'k> {
    fn new(kin: &'k Kin) -> Self {
        Self {
            kin,
            fold: SessionFold::new(Collected::default(), &kin.owned, &kin.children, false),
            tail: Tail::default(),
            done: Vec::new(),
        }
    }

    fn close(&mut self) {
        let next = Self::new(self.kin);
        let before = std::mem::replace(&mut self.fold, next.fold);
        let (_, collected) = before.finish();
        let tail = std::mem::take(&mut self.tail);
        if !collected.0.is_empty() {
            self.done.push((collected.0, tail));
        }
    }

    fn finish(mut self) -> Vec<Session> {
        self.close();
        self.done
    }
}

impl Sink for Reading<'_> {
    fn event(&mut self, event: Event<'_>) {
        if matches!(event.body, Body::Begins { .. }) {
            self.close();
        }
        self.tail.event(&event);
        self.fold.event(event);
    }
}
