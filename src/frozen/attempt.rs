//! One attempt at a task: what became of it, and what its answer is.

use std::path::Path;

use super::bind::Window;
use super::dated;
use super::identity::{Driver, IdentityRow};
use super::notice::is_wait_notice;
use super::reading::{Kin, Reading, Tail};
use crate::oracle::Deeds;
use crate::source::Found;
use crate::spec::sha256;
use crate::transcript::read_file;
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
    /// What was done in it.
    pub deeds: Deeds,
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
    pub private: Vec<String>,
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

/// Reads the attempt of an identity row. `root` is the folder of its locator; an answer that its
/// transcript dates outside of every one of `windows` is not admissible.
#[must_use]
pub fn read_attempt(row: &IdentityRow, root: &Path, name: &str, windows: &[Window]) -> Attempt {
    let Ok(bytes) = super::identity::inside(root, &row.locator.file) else {
        return Attempt::without_turns(Class::Unresolved("transcript-missing"));
    };
    if sha256(&bytes) != row.locator.sha256 {
        return Attempt::without_turns(Class::Unresolved("transcript-changed"));
    }
    let mut attempt = if row.actor == "file" {
        of_file(bytes, row.driver.as_ref())
    } else {
        let path = root.join(&row.locator.file);
        let mut attempt = of_transcript(&path, name, row.driver.as_ref());
        let turn = attempt.turns.last();
        if attempt.class == Class::Completed
            && let Some(lines) = turn.map(|turn| turn.lines)
            && !dated::within(&path, lines, windows)
        {
            attempt.class = Class::Inadmissible("outside-window");
        }
        attempt
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
                deeds: Deeds::default(),
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
    let root = report.header.cwd.as_deref();
    let sessions = sessions.into_iter().map(|own| (own.turns(root), own.tail));
    let sessions: Vec<_> = sessions.filter(|(turns, _)| !turns.is_empty()).collect();
    let header = report.header;
    let private = [&header.session, &header.agent, &header.parent, &header.cwd];
    let mut attempt = Attempt {
        private: private.into_iter().flatten().cloned().collect(),
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
        attempt.turns = turns;
        attempt.last.clone_from(&tail.text);
        classify(&mut attempt, &tail, driver);
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
