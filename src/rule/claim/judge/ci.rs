//! What a look at a CI service bears out: the checks of the change that is claimed.

use super::case::brief;
use super::{Case, Judged, Reason};
use crate::rule::claim::guard::Guard;
use crate::rule::evidence::{Outward, OutwardKind};
use crate::transcript::Outcome;

/// The last listing of the CI service that was read, where it tells of the change that is claimed.
pub(super) fn listed(case: &Case<'_>) -> Option<Judged> {
    let looks = || {
        let all = case.ledger.outward.iter().rev();
        all.filter(|found| lists(found))
    };
    if !case.on(Guard::OtherListing) {
        let last = looks().next()?;
        let failed = matches!(last.outcome, Outcome::Failed(_));
        return (!failed).then(|| good(case, last));
    }
    let named = change_of(case);
    let own = |look: &&Outward| match &named {
        Some(change) => tells_of(case, look, change),
        None => true,
    };
    let Some(last) = looks().find(own) else {
        let other = looks().next()?;
        let what = format!("{} lists another change", brief(&other.words));
        return Some(Judged::unknown(Reason::WrongScope).at(other.place, what));
    };
    if let Some(newer) = changed_since(case, last) {
        let what = "this came after the last listing of the CI service";
        return Some(
            Judged::unknown(Reason::Stale)
                .at(newer.place, what)
                .at(last.place, "the listing was read here"),
        );
    }
    if matches!(last.outcome, Outcome::Failed(_)) {
        return None;
    }
    Some(if says_well(case, last) {
        good(case, last)
    } else {
        let what = format!("{} does not show that they passed", brief(&last.words));
        Judged::unknown(Reason::Ambiguous).at(last.place, what)
    })
}

/// Whether a look shows how the checks of a CI service went. A view of a pull request does where it asks for them.
fn lists(look: &Outward) -> bool {
    look.kind == OutwardKind::Ci
        || look.kind == OutwardKind::State && look.words.contains("statusCheckRollup")
}

/// "GitHub CI is green": no run on this machine shows that. `None` where no service is spoken of, or where a
/// task of that name was run here.
pub(super) fn of_service(case: &Case<'_>) -> Option<Judged> {
    let lower = case.text().to_lowercase();
    // What stands in a code span is the name of a command.
    let plain: String = lower.split('`').step_by(2).collect();
    let mut words = plain.split(|c: char| !c.is_alphanumeric());
    let hosted = ["github", "gitlab", "circleci", "jenkins"];
    let host = hosted.iter().any(|name| plain.contains(name));
    let own = case.claim.reported.is_none() || case.on(Guard::ReportedSpeech);
    let on = own && case.on(Guard::OtherListing);
    if !on || case.claim.negated || !words.any(|word| word == "ci") {
        return None;
    }
    let of_ci = |words: &str| words.split([' ', ':']).any(|word| word == "ci");
    let mut runs = case.ledger.runs.iter();
    if !host && runs.any(|run| of_ci(&run.words)) {
        return None;
    }
    listed(case).or_else(|| {
        let run = case.ledger.runs.last()?;
        let what = format!("{} ran here, and not at the service", brief(&run.words));
        Some(Judged::unknown(Reason::WrongScope).at(run.place, what))
    })
}

/// "Workflow run: …/actions/runs/277; result: succeeded": the run that the lines around a statement
/// name was looked at when it had ended well.
pub(super) fn of_run(case: &Case<'_>) -> Option<Judged> {
    const WELL: [&str; 5] = ["succe", "passed", "green", "completed", "went well"];
    let lower = case.text().to_lowercase();
    if case.claim.negated || !WELL.iter().any(|word| lower.contains(word)) {
        return None;
    }
    let run = run_beside(case)?;
    let looks = case.ledger.outward.iter().rev();
    let mut looks = looks.filter(|look| look.kind == OutwardKind::Ci && tells_of(case, look, run));
    let last = looks.next()?;
    let ended = last.outcome == Outcome::Ok && says_well(case, last);
    ended.then(|| good(case, last))
}

/// Lines in front of a statement that may name what it is about.
const BESIDE: usize = 8;

/// The number of the run in the statement's own list, or in the lines right above it.
fn run_beside<'a>(case: &Case<'a>) -> Option<&'a str> {
    let span = &case.claim.span;
    let before = case.close.get(..span.end).unwrap_or("");
    let lines = before.lines().rev().take(BESIDE);
    let mut near = lines.take_while(|line| !line.trim().is_empty());
    near.find_map(|line| {
        let (_, rest) = line.split_once("/runs/")?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        (digits > 4).then(|| &rest[..digits])
    })
}

fn good(case: &Case<'_>, look: &Outward) -> Judged {
    let what = "this listing of the CI service was read";
    let reason = if look.delegated {
        Reason::Delegated
    } else if look.turn == case.ledger.turn {
        Reason::OutputOnly
    } else {
        Reason::Carried
    };
    Judged::supported(reason, look.place, what)
}

/// The pull request or the commit that the statement's sentence names.
fn change_of(case: &Case<'_>) -> Option<String> {
    let sentence = case.sentence();
    let number = sentence.split('#').skip(1).find_map(|rest| {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        (digits > 0).then(|| rest[..digits].to_owned())
    });
    let hash = || {
        let mut words = sentence.split(|c: char| !c.is_ascii_alphanumeric());
        let word = words.find(|word| {
            (7..=40).contains(&word.len())
                && word.bytes().all(|byte| byte.is_ascii_hexdigit())
                && word.bytes().any(|byte| byte.is_ascii_digit())
                && word.bytes().any(|byte| byte.is_ascii_alphabetic())
        })?;
        Some(word[..7].to_owned())
    };
    number.or_else(hash)
}

/// Whether a listing is of a pull request or a commit: its command or its answer names it, or it names none
/// and the session's own request is that one.
fn tells_of(case: &Case<'_>, look: &Outward, change: &str) -> bool {
    let word = |text: &str| {
        let parts = text.split(|c: char| !c.is_ascii_alphanumeric());
        parts
            .into_iter()
            .any(|part| part.starts_with(change) && (part == change || change.len() > 6))
    };
    let step = case.step_at(look.place);
    word(&look.words) || step.is_some_and(|step| word(&step.args) || word(step.text.as_str()))
}

/// A commit or a push after the listing.
fn changed_since<'a>(case: &Case<'a>, look: &Outward) -> Option<&'a Outward> {
    let mut later = case.ledger.outward.iter().rev();
    later.find(|other| {
        let moves = matches!(other.kind, OutwardKind::Commit | OutwardKind::Push);
        moves && other.order > look.order && other.outcome == Outcome::Ok && !other.rehearsal
    })
}

/// Whether a listing shows that the checks passed: its status says so, or its lines do and none says
/// otherwise.
fn says_well(case: &Case<'_>, look: &Outward) -> bool {
    let checks = look.words.starts_with("gh pr checks") || look.words.contains("--exit-status");
    let Some(step) = case.step_at(look.place) else {
        return checks && look.outcome == Outcome::Ok;
    };
    const WELL: [&str; 5] = ["pass", "success", "✓", "SUCCESS", "green"];
    const BADLY: [&str; 8] = [
        "fail",
        "FAIL",
        "pending",
        "in_progress",
        "queued",
        "cancelled",
        "✗",
        "PENDING",
    ];
    let text = step.text.as_str();
    if look.kind == OutwardKind::State {
        let whole = !step.truncated && !step.text.is_cut();
        return whole && look.outcome == Outcome::Ok && concluded(text);
    }
    let holds = |words: &[&str]| words.iter().any(|word| text.contains(word));
    checks && look.outcome == Outcome::Ok || holds(&WELL) && !holds(&BADLY)
}

/// Whether every check of a view as JSON ended, and none badly.
fn concluded(text: &str) -> bool {
    let mut any = false;
    for key in ["\"conclusion\":", "\"state\":"] {
        for (at, found) in text.match_indices(key) {
            let rest = text[at + found.len()..].trim_start();
            let Some((value, _)) = rest.strip_prefix('"').and_then(|rest| rest.split_once('"'))
            else {
                return false;
            };
            match value {
                "SUCCESS" => any = true,
                // Beside the checks stand the states of the request itself and of its reviews.
                "SKIPPED" | "NEUTRAL" | "OPEN" | "MERGED" | "CLOSED" | "APPROVED" | "COMMENTED"
                | "DISMISSED" => {}
                _ => return false,
            }
        }
    }
    any
}
