//! The light tree between parsing and the walk; its depth is bounded by the parser.

use std::borrow::Cow;
use std::ops::Range;

use super::RedirectKind;

/// A parsed command text.
#[derive(Debug, Default)]
pub(super) struct Tree<'t> {
    pub(super) root: Node<'t>,
    pub(super) docs: Vec<Doc<'t>>,
    /// Everything was read.
    pub(super) ok: bool,
    /// Bytes looked at, repeats included: what linearity is tested by.
    pub(super) steps: usize,
}

/// A heredoc body.
#[derive(Debug, Default)]
pub(super) struct Doc<'t> {
    pub(super) body: Range<usize>,
    pub(super) subs: Vec<Sub<'t>>,
}

/// A command substitution: parsed in place, or text to be parsed later (backticks).
#[derive(Debug)]
pub(super) enum Sub<'t> {
    Tree(Node<'t>),
    /// With where it starts, when it is borrowed, and the bytes it was written in.
    Text(Cow<'t, str>, usize, Range<usize>),
}

/// A word with its quotes removed.
#[derive(Debug, Default)]
pub(super) struct Word<'t> {
    pub(super) text: Cow<'t, str>,
    /// Bytes as written.
    pub(super) span: Range<usize>,
    /// Where the text starts, when it is borrowed.
    pub(super) at: usize,
    pub(super) subs: Vec<Sub<'t>>,
    /// Some of it was quoted or escaped.
    pub(super) quoted: bool,
    /// Some of it is an expansion.
    pub(super) dynamic: bool,
}

/// A redirection as parsed.
#[derive(Debug)]
pub(super) struct RawRedirect<'t> {
    pub(super) fd: Option<u32>,
    pub(super) kind: RedirectKind,
    pub(super) target: Word<'t>,
    /// Index into [`Tree::docs`] for a heredoc.
    pub(super) doc: Option<usize>,
}

/// A simple command as parsed.
#[derive(Debug, Default)]
pub(super) struct Raw<'t> {
    pub(super) span: Range<usize>,
    pub(super) words: Vec<Word<'t>>,
    pub(super) redirects: Vec<RawRedirect<'t>>,
    /// The shell's own `time` stands before it.
    pub(super) timed: bool,
}

/// Operators of an and-or list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    And,
    Or,
}

/// A node of the tree.
#[derive(Debug, Default)]
pub(super) enum Node<'t> {
    #[default]
    Empty,
    Simple(Raw<'t>),
    Pipeline {
        parts: Vec<Node<'t>>,
        negated: bool,
    },
    AndOr {
        first: Box<Node<'t>>,
        rest: Vec<(Op, Node<'t>)>,
    },
    /// Members with whether each is sent to the background.
    List(Vec<(Node<'t>, bool)>),
    Group {
        body: Box<Node<'t>>,
        subshell: bool,
        redirects: Vec<RawRedirect<'t>>,
    },
    If {
        arms: Vec<(Node<'t>, Node<'t>)>,
        otherwise: Option<Box<Node<'t>>>,
        redirects: Vec<RawRedirect<'t>>,
    },
    Loop {
        head: Raw<'t>,
        condition: Option<Box<Node<'t>>>,
        body: Box<Node<'t>>,
        redirects: Vec<RawRedirect<'t>>,
    },
    Case {
        head: Raw<'t>,
        arms: Vec<Node<'t>>,
        redirects: Vec<RawRedirect<'t>>,
    },
    Function(Box<Node<'t>>),
}
