//! What keeps a certificate back: a step of the right kind that went well and does not show what is
//! said of it. It was made before the change, of another thing than the one that is named, of a part
//! of what is told, or it cannot show such a thing at all.
//!
//! Nothing here accuses: what the record does not show, it need not speak against.

mod gone;
mod later;
mod list;
mod number;
mod part;
mod shows;
mod target;
mod told;
mod words;

pub(super) use part::sorts;

use super::{Case, Judged, Reason, Verdict};
use crate::rule::claim::Kind;
use crate::rule::evidence::{Edit, Outward, Run};
use crate::transcript::Place;
use crate::turn::Step;

/// Why a statement that was borne out is not known to be so after all.
pub(super) fn doubt(case: &Case<'_>, judged: &Judged) -> Option<Judged> {
    if judged.verdict != Verdict::Supported || case.claim.negated {
        return None;
    }
    let at = judged.evidence.first().map(|(place, _)| *place)?;
    match case.claim.kind {
        Kind::Tests | Kind::Build | Kind::Lint | Kind::Typecheck | Kind::Format => {
            let run = run_at(case, at)?;
            part::doubt(case, run).or_else(|| number::of_check(case, run))
        }
        Kind::Commit
        | Kind::Push
        | Kind::Pr
        | Kind::Merge
        | Kind::Deploy
        | Kind::Publish
        | Kind::Install => {
            let deed = deed_at(case, at)?;
            later::doubt(case, deed)
                .or_else(|| target::doubt(case, deed))
                .or_else(|| list::of_deed(case, deed))
                .or_else(|| number::of_commits(case, deed))
        }
        Kind::Edit | Kind::Create | Kind::Delete => gone::doubt(case)
            .or_else(|| gone::put_in(case, at))
            .or_else(|| list::of_files(case))
            .or_else(|| words::doubt(case, at))
            .or_else(|| number::of_files(case)),
        Kind::Fixed | Kind::Verified => shows::doubt(case, at),
        Kind::Run => told::doubt(case, at),
        Kind::Failing => number::of_faults(case, at),
        _ => None,
    }
}

/// The answer where a step went well and does not show what is said.
fn open(reason: Reason, place: Place, what: impl Into<std::borrow::Cow<'static, str>>) -> Judged {
    Judged::unknown(reason).at(place, what)
}

fn run_at<'a>(case: &Case<'a>, place: Place) -> Option<&'a Run> {
    let mut runs = case.ledger.runs.iter().rev();
    runs.find(|run| run.place == place && !run.delegated)
}

fn deed_at<'a>(case: &Case<'a>, place: Place) -> Option<&'a Outward> {
    let mut deeds = case.ledger.outward.iter().rev();
    deeds.find(|deed| deed.place == place && super::outward::fits(case.claim.kind, deed))
}

/// Whether anything in the record may have done what no step of it names.
fn opaque(case: &Case<'_>) -> bool {
    let ledger = case.ledger;
    !ledger.unknown.is_empty() || !ledger.delegated.is_empty() || ledger.partial
}

/// Changes of the work since the last close that stand.
fn own_edits<'a>(case: &Case<'a>) -> impl Iterator<Item = &'a Edit> {
    let ledger = case.ledger;
    let edits = ledger.edits.iter().rev();
    edits
        .take_while(|edit| edit.order > ledger.closed)
        .filter(|edit| edit.stands() && !edit.scratch && edit.restores.is_none())
}

/// Whether a text stands in a call of the turn, its answer or the prompt.
fn known(case: &Case<'_>, text: &str) -> bool {
    let prompt = case.turn.prompt.as_ref();
    let holds = |step: &Step| step.args.contains(text) || step.text.as_str().contains(text);
    case.turn.steps.iter().any(holds) || prompt.is_some_and(|prompt| prompt.text.contains(text))
}

/// What follows the statement in its clause.
fn tail<'a>(case: &Case<'a>) -> &'a str {
    let rest = case.close.get(case.claim.span.end..).unwrap_or("");
    let end = rest.find(['\n', ';', '!', '?']).unwrap_or(rest.len());
    let rest = &rest[..end];
    rest.split(". ").next().unwrap_or(rest)
}

/// What stands in code in a text.
fn coded(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}
