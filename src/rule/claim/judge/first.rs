//! The change that made a thing, among those of its file.

use super::Case;
use super::change::stands;
use super::relevance::{self, Content};
use crate::rule::claim::Kind;
use crate::rule::evidence::Edit;

/// Of a file that is said to have been created, the write that made it, and not what changed it later.
pub(super) fn first_of<'a>(case: &Case<'a>, last: &'a Edit) -> &'a Edit {
    if case.claim.kind != Kind::Create {
        return last;
    }
    // Of what stands in a file, the change that holds it.
    let named = relevance::names(case.text());
    if named.iter().any(|name| !last.path.contains(name.as_str())) {
        return match relevance::content(case) {
            Content::Held(own) => own,
            Content::Any | Content::Unheld => last,
        };
    }
    let same = case.ledger.edits_of(&last.path).take(LATER);
    let own = same.take_while(|edit| edit.turn == last.turn);
    let own = own.filter(|edit| stands(edit) && edit.path == last.path && edit.made);
    own.last().unwrap_or(last)
}

/// Changes of one file that are looked through, the latest first.
const LATER: usize = 4096;
