//! The rows of a transcript, as far as an attempt's end is told by them.

use super::super::notice::is_login_failure;
use super::Carried;

/// One row of a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row<'a> {
    /// The model says something.
    Said {
        /// The message that it belongs to.
        message: &'a str,
        /// What is said.
        text: &'a str,
    },
    /// The model calls a tool.
    Called {
        /// The message that it belongs to.
        message: &'a str,
        /// The input, as JSON, where the tool is the one that answers are given by.
        answer: Option<&'a str>,
    },
    /// The model's service or the client in front of it failed.
    Faulted {
        /// The client's own word for the fault.
        kind: &'a str,
        /// What it says of it.
        text: &'a str,
    },
    /// The row cannot be read.
    Torn,
}

/// What the rows come to.
#[derive(Debug, Default)]
pub(super) struct Spoken<'a> {
    /// The fault that nothing was said or called behind.
    pub(super) fault: Option<(&'a str, &'a str)>,
    text: Option<String>,
    /// The input of the last answering call.
    pub(super) answer: Option<&'a str>,
    /// Whether the model said or called anything.
    pub(super) spoke: bool,
    /// Whether a row cannot be read.
    pub(super) torn: bool,
    message: Option<&'a str>,
}

impl<'a> Spoken<'a> {
    pub(super) fn of(rows: &[Row<'a>]) -> Self {
        let mut spoken = Self::default();
        for row in rows {
            spoken.row(*row);
        }
        spoken
    }

    fn row(&mut self, row: Row<'a>) {
        match row {
            Row::Said { message, text } => {
                match &mut self.text {
                    Some(before) if self.message == Some(message) => before.push_str(text),
                    before => *before = Some(text.to_owned()),
                }
                self.turn(message);
            }
            Row::Called { message, answer } => {
                self.text = None;
                self.answer = answer.or(self.answer);
                self.turn(message);
            }
            Row::Faulted { kind, text } => self.fault = Some((kind, text)),
            Row::Torn => self.torn = true,
        }
    }

    fn turn(&mut self, message: &'a str) {
        self.message = Some(message);
        self.fault = None;
        self.spoke = true;
    }

    /// The last message, where it ends in words and no fault stands behind it.
    pub(super) fn last(&self) -> Option<&str> {
        self.text.as_deref().filter(|_| self.fault.is_none())
    }

    /// Whether a usage limit was the last thing.
    pub(super) fn limited(&self) -> bool {
        self.fault
            .is_some_and(|(kind, text)| kind == "rate_limit" || is_limit_notice(text))
    }

    /// What a fault at the end makes of the attempt. A limit comes first: it brings other faults
    /// about.
    pub(super) fn faulted(&self) -> Option<Carried> {
        let (kind, text) = self.fault?;
        Some(if self.limited() {
            Carried::broken_off("usage-limit")
        } else if kind == "authentication_failed" || is_login_failure(text) {
            Carried::broken_off(match self.spoke {
                false => "startup-error",
                true => "interrupted-driver",
            })
        } else {
            Carried::without(format!("api-error-{kind}"))
        })
    }
}

/// Whether a text is a client's notice of a limit. One that quotes such a notice is none.
pub(super) fn is_limit_notice(text: &str) -> bool {
    let text = text.trim_start();
    let own = |words: &str| text.starts_with(words);
    own("You've hit your") || own("You’ve hit your")
}
