//! The start tag that is open, as far as it matters.

use crate::page::token::Span;

/// The attributes of the tag that is open that matter, each as it first stands there.
#[derive(Debug, Default)]
pub(super) struct Tag {
    pub(super) at: usize,
    pub(super) name: Span,
    /// Whether it has an attribute that no page of ours has, or one that does something.
    pub(super) strange: bool,
    pub(super) acts: bool,
    pub(super) values: [Option<Span>; ATTRIBUTES.len()],
    /// What may be told of a number beside its text, in the order of [`TELLING`].
    pub(super) telling: [Option<Span>; TELLING.len()],
    /// Attributes that the mapping calls measures: their names and values.
    pub(super) measures: Vec<(Span, Span)>,
}

impl Tag {
    pub(super) fn has(&self, which: usize) -> bool {
        self.values.get(which).is_some_and(Option::is_some)
    }

    /// Whether nothing of it matters.
    pub(super) fn is_plain(&self) -> bool {
        let none = |values: &[Option<Span>]| values.iter().all(Option::is_none);
        none(&self.values) && none(&self.telling)
    }
}

/// The first are those of [`MARKED`](crate::report::told::MARKED), in the same order.
pub(super) const ATTRIBUTES: [&[u8]; 26] = [
    b"data-deed",
    b"data-deed-row",
    b"data-deed-rows",
    b"data-deed-field",
    b"data-deed-width",
    b"data-deed-x",
    b"width",
    b"x",
    b"height",
    b"y",
    b"viewbox",
    b"aria-labelledby",
    b"name",
    b"content",
    b"id",
    b"style",
    b"transform",
    b"preserveaspectratio",
    b"value",
    b"min",
    b"max",
    b"srcdoc",
    b"hidden",
    b"src",
    b"data",
    b"aria-describedby",
];
pub(super) const DEED: usize = 0;
pub(super) const ROW: usize = 1;
pub(super) const ROWS: usize = 2;
pub(super) const FIELD: usize = 3;
pub(super) const WIDTH: usize = 4;
pub(super) const X: usize = 5;
pub(super) const OWN_WIDTH: usize = 6;
pub(super) const OWN_X: usize = 7;
pub(super) const VIEW_BOX: usize = 10;
pub(super) const LABELLED: usize = 11;
pub(super) const NAME: usize = 12;
pub(super) const CONTENT: usize = 13;
pub(super) const ID: usize = 14;
pub(super) const STYLE: usize = 15;
pub(super) const TRANSFORM: usize = 16;
pub(super) const ASPECT: usize = 17;
pub(super) const VALUE: usize = 18;
pub(super) const MIN: usize = 19;
pub(super) const MAX: usize = 20;
pub(super) const SRCDOC: usize = 21;
pub(super) const HIDDEN: usize = 22;
pub(super) const SRC: usize = 23;
pub(super) const DATA: usize = 24;
pub(super) const DESCRIBED: usize = 25;

/// Attributes that tell of an element beside its text.
pub(super) const TELLING: [&[u8]; 10] = [
    b"aria-label",
    b"aria-valuetext",
    b"aria-braillelabel",
    b"alt",
    b"title",
    b"aria-description",
    b"aria-valuenow",
    b"aria-valuemin",
    b"aria-valuemax",
    b"role",
];
pub(super) const ALT: usize = 3;
pub(super) const TITLE: usize = 4;
pub(super) const DESCRIPTION: usize = 5;
pub(super) const NOW: usize = 6;
pub(super) const LEAST: usize = 7;
pub(super) const MOST: usize = 8;
pub(super) const ROLE: usize = 9;
