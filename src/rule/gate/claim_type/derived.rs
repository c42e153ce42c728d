//! Deeds as the reader of claims finds them.

use super::{Doer, Stated, SubClaim, doer};
use crate::rule::claim::{Claim, Kind, Reading};
use crate::text::{BlockKind, Clause, Prose, past_act};

/// The deeds among the claims of a close, in order.
pub(super) fn deeds(prose: &Prose<'_>, reading: &Reading) -> Vec<Stated> {
    let cjk = prose.script().cjk > 0;
    let mut sentences = prose.sentences().iter().peekable();
    let mut out = Vec::new();
    for claim in &reading.claims {
        let start = claim.span.start;
        while sentences.next_if(|own| own.range.end <= start).is_some() {}
        let Some(kind) = sub_claim(claim) else {
            continue;
        };
        let sentence = sentences.peek().filter(|own| own.range.start <= start);
        let clauses = sentence.map_or(&[][..], |own| prose.clauses_of(own));
        // A clause ends where the next one begins, so that the last one before the claim holds it.
        let at = clauses.partition_point(|clause| clause.range.start <= start);
        let clause = clauses.get(at.saturating_sub(1)).filter(|_| at > 0);
        let acts = cjk || clause.is_some_and(|clause| acts(prose, clause));
        if kind == SubClaim::Remote && !acts {
            continue;
        }
        let heading = sentence.is_some_and(|own| matches!(own.kind, BlockKind::Heading(_)));
        out.push(Stated {
            kind,
            span: clause.map_or(claim.span.clone(), |clause| clause.range.clone()),
            doer: clause.map_or(Doer::Other, |clause| doer(prose, clause, heading)),
        });
    }
    out
}

/// `The PR is still a draft` is a state; `the PR was merged` tells of a deed.
fn acts(prose: &Prose<'_>, clause: &Clause) -> bool {
    let mut words = clause.words.clone();
    words.any(|at| past_act(prose.form(at)).is_some())
}

fn sub_claim(claim: &Claim) -> Option<SubClaim> {
    if claim.negated || claim.reported.is_some() {
        return None;
    }
    match claim.kind {
        Kind::Tests | Kind::Build | Kind::Lint | Kind::Typecheck | Kind::Format => {
            Some(SubClaim::Check)
        }
        Kind::Edit | Kind::Create | Kind::Delete | Kind::Cleanup | Kind::Filelist | Kind::Run => {
            Some(SubClaim::Edit)
        }
        Kind::Fixed | Kind::Verified => Some(SubClaim::Outcome),
        Kind::Commit
        | Kind::Push
        | Kind::Pr
        | Kind::Merge
        | Kind::Deploy
        | Kind::Publish
        | Kind::Install => Some(SubClaim::Remote),
        Kind::Count
        | Kind::Quote
        | Kind::Site
        | Kind::Nochange
        | Kind::Preexisting
        | Kind::Failing
        | Kind::Disclosure => None,
    }
}
