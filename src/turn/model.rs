//! The turn and its parts.

use super::alter::Alter;
use super::deed::Act;
use super::kept::Kept;
use crate::transcript::{Outcome, Place};

/// How a turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ended {
    /// With a close.
    Closed,
    /// The operator cut it off.
    Interrupted,
    /// The model could not be reached, or refused.
    ApiError,
    /// A usage limit was hit.
    Limit,
    /// It is over, and nothing was said after the last call.
    NoClose,
    /// The record ends inside it.
    Running,
}

impl Ended {
    /// The kebab-case spelling that rows carry.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Interrupted => "interrupted",
            Self::ApiError => "api-error",
            Self::Limit => "limit",
            Self::NoClose => "no-close",
            Self::Running => "running",
        }
    }
}

/// What the operator asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// Where the words stand.
    pub place: Place,
    /// The words, injected text removed.
    pub text: String,
    /// Whether a parent agent spoke rather than a human.
    pub delegated: bool,
}

/// What the agent said after its last call: one attempt to end the turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Close {
    /// Where its first block stands.
    pub place: Place,
    /// Its text blocks joined by a blank line.
    pub text: String,
    /// Line and length in bytes of each block, in order.
    pub blocks: Vec<(Place, usize)>,
}

/// One tool call with what came back.
#[derive(Debug, Clone, Default)]
pub struct Step {
    /// Where the call stands.
    pub call: Place,
    /// Where its first result stands; of what went on running, where its end is told.
    pub result: Option<Place>,
    /// Where its first result stands, where its end is told elsewhere.
    pub first: Option<Place>,
    /// The call's id.
    pub id: String,
    /// The tool's own name.
    pub tool: String,
    /// The message that issued it; 0 where there is none.
    pub message: u64,
    /// Its arguments as recorded.
    pub args: String,
    /// How it ended.
    pub outcome: Outcome,
    /// The exit code, where one is told; a failure carries its own.
    pub code: Option<i32>,
    /// What it did, one act for each simple command.
    pub acts: Vec<Act>,
    /// The lines that it takes out of files and puts in, as far as it tells.
    pub alters: Vec<Alter>,
    /// Whether it is a step of work at all; plans and questions are none.
    pub neutral: bool,
    /// Whether another agent did the work.
    pub delegate: bool,
    /// Whether the policy lets the same question count again although nothing changed.
    pub repeatable: bool,
    /// What came back, as far as it was kept.
    pub text: Kept,
    /// Whether the client cut what it showed.
    pub truncated: bool,
    /// Texts that it publishes.
    pub published: Vec<Published>,
    /// Items of a plan or to-do list that it sets.
    pub plan: Vec<Planned>,
    /// The handle under which it goes on running.
    pub handle: Option<String>,
    /// The handle that it looks at.
    pub polls: Option<String>,
    /// What the agent that it launched did.
    pub delegated: Option<Delegated>,
    /// How many events of the session came before the call was issued.
    pub issued: u64,
    /// How many events of the session came before its result.
    pub arrived: u64,
}

impl Step {
    /// Bytes of a call's arguments that are kept.
    pub(super) const ARGS: usize = 16 * 1024;

    /// Arguments as they are kept: long ones are cut, since what matters of them was read already.
    #[must_use]
    pub fn kept_args(args: &str) -> &str {
        let end = args.floor_char_boundary(Self::ARGS);
        &args[..end]
    }

    /// Whether its arguments may have been cut: a cut falls between two characters, and so up to
    /// three bytes short.
    #[must_use]
    pub fn args_may_be_cut(&self) -> bool {
        self.args.len() >= Self::ARGS - 4
    }

    /// Whether an exit status that this step relies on is hidden behind another command's.
    #[must_use]
    pub fn masked(&self) -> bool {
        self.acts
            .iter()
            .any(|act| act.verify.is_some() && act.masked)
    }
}

/// Where words of an agent that are no close were published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Venue {
    /// A commit's message.
    Commit,
    /// A pull request's title and body.
    Pr,
}

/// A text that a call publishes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Published {
    /// Where.
    pub venue: Venue,
    /// The words: titles, paragraphs and bodies, apart by a blank line.
    pub text: String,
}

/// An item of a plan or to-do list that a call sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planned {
    /// The list's own key of the item, where the call names one.
    pub key: Option<String>,
    /// Its words, where the call gives them.
    pub text: Option<String>,
    /// Whether the call says that it is done.
    pub done: bool,
}

/// What a launched agent did, as its own file tells.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Delegated {
    /// Its own id.
    pub agent: String,
    /// Its acts that change something or verify, in order, with how each ended.
    pub acts: Vec<(Act, Outcome)>,
    /// Whether it looked at anything besides.
    pub looked: bool,
}

/// One thing of a turn in its place among the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// A message that only thought or talked.
    Reasoned,
    /// A step, by its index, at its result.
    Stepped(usize),
    /// A call without a result, by its index.
    Hung(usize),
    /// A piece that could not be read, or a result whose call is not recorded.
    Unread(Place),
    /// An attempt to end the turn, by its index.
    Attempted(usize),
    /// The former place of a step that stands later now.
    Moved,
}

/// One turn.
#[derive(Debug, Clone)]
pub struct Turn {
    /// Its number within its session, from 1.
    pub number: u32,
    /// Its first and last line.
    pub lines: (u64, u64),
    /// What the operator asked.
    pub prompt: Option<Prompt>,
    /// Its steps in the order of their calls.
    pub steps: Vec<Step>,
    /// Its attempts to end, in order. The last is the close, where it closed.
    pub closes: Vec<Close>,
    /// What happened, in order.
    pub moments: Vec<Moment>,
    /// How it ended.
    pub ended: Ended,
    /// Records of unknown kinds in it, and results of calls that are not recorded.
    pub opaque: u64,
    /// Whether another file of the family owns it.
    pub copied: bool,
    /// Whether it is another session's history, copied at the head of this file.
    pub inherited: bool,
}

impl Turn {
    /// The close, where the turn closed.
    #[must_use]
    pub fn close(&self) -> Option<&Close> {
        match self.ended {
            Ended::Closed => self.closes.last(),
            _ => None,
        }
    }

    /// Its steps in the order of their results; those without one come last, in call order.
    #[must_use]
    pub fn in_result_order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.steps.len()).collect();
        order.sort_by_key(|index| {
            (
                self.steps[*index].result.is_none(),
                self.steps[*index].arrived,
            )
        });
        order
    }
}
