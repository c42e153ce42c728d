//! The rows of a transcript, as far as an attempt's end is told by them.

use super::Carried;
use crate::transcript::{Body, Event, Fault, Frame, Opens, Thread, is_answering};

/// One row of a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row<'a> {
    /// The client says that a turn begins.
    Begins,
    /// Something is asked: a turn begins.
    Asked,
    /// The agent says something to whoever asked.
    Said {
        /// The message that it belongs to; 0 where there is none.
        message: u64,
        /// What is said.
        text: &'a str,
    },
    /// The agent calls a tool.
    Called {
        /// The input, as JSON, where the tool is the one that answers are given by.
        answer: Option<&'a str>,
    },
    /// Something came back of a call.
    Came,
    /// The model's service or the client in front of it failed.
    Faulted {
        /// The client's own word for the fault.
        kind: &'a str,
        /// What it is.
        fault: Fault,
    },
    /// The client says that a turn is over.
    Over {
        /// Whether it failed.
        failed: bool,
    },
    /// The row cannot be read.
    Torn,
}

impl<'a> Row<'a> {
    /// The row that an event of a transcript is, where an attempt's end is told by it.
    pub(in crate::frozen) fn of(event: &'a Event<'_>) -> Option<Self> {
        if event.thread != Thread::Own {
            return None;
        }
        Some(match &event.body {
            Body::Operator { opens, .. } if *opens != Opens::IfIdle => Self::Asked,
            Body::Frame(Frame::Started | Frame::Ready | Frame::Resumed) => Self::Begins,
            Body::Frame(Frame::Completed | Frame::Aborted) => Self::Over { failed: false },
            Body::Frame(Frame::Failed) => Self::Over { failed: true },
            Body::Said {
                text,
                message,
                aside: false,
            } => Self::Said {
                message: *message,
                text,
            },
            Body::Call(call) => Self::Called {
                answer: is_answering(&call.tool).then_some(&call.args),
            },
            Body::Outcome(_) | Body::Settled { .. } | Body::Said { .. } => Self::Came,
            Body::ApiError { limit, kind, text } => Self::Faulted {
                kind: kind.as_deref().unwrap_or(""),
                fault: match crate::transcript::fault(kind.as_deref().unwrap_or(""), text) {
                    _ if *limit => Fault::Limit,
                    fault => fault,
                },
            },
            _ => return None,
        })
    }
}

/// What the rows come to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Spoken {
    /// The fault that nothing was said or called behind, with the client's own word for it.
    fault: Option<(String, Fault)>,
    /// The last message.
    text: Option<String>,
    message: u64,
    /// Whether it was said since something was asked last, and since a turn began last.
    since_asked: bool,
    since_begun: bool,
    /// Whether no call stands behind it.
    closing: bool,
    /// The input of the last answering call.
    answer: Option<String>,
    /// Whether the agent said or called anything.
    pub(super) spoke: bool,
    /// Whether a row cannot be read.
    pub(in crate::frozen) torn: bool,
    /// Whether the last row is a call that nothing came back of.
    pub(super) calling: bool,
    /// Whether the client says where turns begin.
    pub(super) framed: bool,
    /// Whether the client says that the last turn is over.
    pub(super) over: bool,
    /// Whether any turn is over, and whether any failed.
    pub(super) ended: bool,
    pub(super) failed: bool,
    /// Whether a usage limit was ever told.
    pub(super) limit_told: bool,
}

impl Spoken {
    /// What some rows come to.
    #[must_use]
    pub fn of(rows: &[Row<'_>]) -> Self {
        let mut spoken = Self::default();
        for row in rows {
            spoken.row(*row);
        }
        spoken
    }

    /// Takes the next row, which may be another block of the message before.
    pub(in crate::frozen) fn block(&mut self, row: Row<'_>) {
        if let Row::Said { message, .. } = row
            && message != 0
            && message == self.message
        {
            // Blocks stand apart, as they do in a close.
            let text = "\n\n";
            self.row(Row::Said { message, text });
        }
        self.row(row);
    }

    /// Takes the next row.
    pub fn row(&mut self, row: Row<'_>) {
        self.calling &= !matches!(row, Row::Came | Row::Said { .. } | Row::Asked);
        match row {
            Row::Begins => {
                self.framed = true;
                self.since_begun = false;
                self.over = false;
            }
            Row::Asked => {
                self.since_asked = false;
                self.fault = None;
                self.message = 0;
                self.over = false;
            }
            Row::Said { message, text } => self.said(message, text),
            Row::Called { answer } => {
                self.closing = false;
                self.calling = true;
                self.spoke = true;
                self.fault = None;
                if let Some(answer) = answer {
                    self.answer = Some(answer.to_owned());
                }
            }
            Row::Came => {}
            Row::Faulted { kind, fault } => {
                self.limit_told |= fault == Fault::Limit;
                self.fault = Some((kind.to_owned(), fault));
            }
            Row::Over { failed } => {
                self.over = true;
                self.ended |= !failed;
                self.failed |= failed;
            }
            Row::Torn => self.torn = true,
        }
    }

    fn said(&mut self, message: u64, text: &str) {
        match &mut self.text {
            Some(before) if message != 0 && message == self.message => before.push_str(text),
            before => *before = Some(text.to_owned()),
        }
        self.message = message;
        self.since_asked = true;
        self.since_begun = true;
        self.closing = true;
        self.spoke = true;
        self.fault = None;
    }
}

impl Spoken {
    /// The last message since something was asked, whatever was called behind it.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref().filter(|_| self.since_asked)
    }

    /// The last message, where it ends in words and no fault stands behind it.
    pub(super) fn last(&self) -> Option<&str> {
        let ends = self.closing && self.fault.is_none();
        self.text().filter(|_| ends)
    }

    /// The last message of all, or only one that was said since a turn began.
    pub(super) fn ever(&self, last_turn: bool) -> Option<&str> {
        let text = self.text.as_deref();
        text.filter(|_| self.since_begun || !last_turn)
    }

    /// The input of the last answering call.
    pub(super) fn answer(&self) -> Option<&str> {
        self.answer.as_deref()
    }

    /// Whether a usage limit was the last thing.
    pub(super) fn limited(&self) -> bool {
        let fault = self.fault.as_ref();
        fault.is_some_and(|(_, fault)| *fault == Fault::Limit)
    }

    /// What a limit, or that nobody is logged in, makes of the attempt. A limit comes first: it
    /// brings other faults about.
    pub(super) fn broken_off(&self) -> Option<Carried> {
        let (_, fault) = self.fault.as_ref()?;
        let cause = match fault {
            Fault::Limit => "usage-limit",
            Fault::Login if self.spoke => "interrupted-driver",
            Fault::Login => "startup-error",
            Fault::Other => return None,
        };
        Some(Carried::broken_off(cause))
    }

    /// What a fault at the end makes of the attempt.
    pub(super) fn faulted(&self) -> Option<Carried> {
        let (kind, _) = self.fault.as_ref()?;
        self.broken_off().or_else(|| {
            Some(match is_word(kind) {
                true => Carried::without(format!("api-error-{kind}")),
                false => Carried::without("api-error"),
            })
        })
    }
}

/// Whether a client's word for a fault is one: causes are published, and other text may be private.
fn is_word(kind: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || matches!(byte, b'_' | b'-');
    (1..=40).contains(&kind.len()) && kind.bytes().all(plain)
}
