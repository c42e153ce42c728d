//! Statements of commits, pushes, pull requests, merges, releases and installations: borne out by
//! the command's own good result.

use super::case::brief;
use super::none::none_done;
use super::relevance::names;
use super::scope::begun;
use super::{Case, Judged, Reason, Verdict, seen};
use crate::rule::claim::Kind;
use crate::rule::claim::guard::Guard;
use crate::rule::evidence::{Outward, OutwardKind, tells_of_failure, words as words_of};
use crate::transcript::Outcome;
use crate::turn::Step;

/// The guards that a verdict on an outward deed rests on.
pub(in crate::rule::claim) const GUARDS: [Guard; 10] = [
    Guard::OtherStep,
    Guard::StaleEdit,
    Guard::FailedRun,
    Guard::DryRun,
    Guard::Delegated,
    Guard::MissingResult,
    Guard::UnknownStep,
    Guard::Negated,
    Guard::ReportedSpeech,
    Guard::UnreadRecord,
];

fn wanted(kind: Kind) -> OutwardKind {
    match kind {
        Kind::Commit => OutwardKind::Commit,
        Kind::Push => OutwardKind::Push,
        Kind::Pr => OutwardKind::Pr,
        Kind::Merge => OutwardKind::Merge,
        Kind::Publish => OutwardKind::Publish,
        Kind::Deploy => OutwardKind::Deploy,
        _ => OutwardKind::Install,
    }
}

pub(in crate::rule::claim) fn done(case: &Case<'_>) -> Judged {
    let ledger = case.ledger;
    let wanted = wanted(case.claim.kind);
    if case.claim.negated && case.on(Guard::Negated) {
        let none = !ledger
            .outward
            .iter()
            .any(|found| found.kind == wanted && found.turn == ledger.turn && !found.rehearsal);
        return if none {
            none_done(case)
        } else {
            Judged::unknown(Reason::Ambiguous)
        };
    }
    if let Some(judged) = shown_commit(case) {
        return judged;
    }
    // A look at a pull request bears a statement out only where no deed of the turn does.
    let acted = case.claim.kind == Kind::Pr
        && ledger.outward.iter().rev().any(|found| {
            let own = found.turn == ledger.turn && !found.rehearsal;
            own && found.kind == OutwardKind::Pr && found.outcome == Outcome::Ok
        });
    let found = || {
        let all = ledger.outward.iter().rev();
        let all = all.filter(move |found| !acted || found.kind != OutwardKind::State);
        let real = |found: &&Outward| !found.rehearsal || !case.on(Guard::DryRun);
        all.filter(real)
            .filter(|found| fits(case.claim.kind, found))
            .filter(|found| !is_late(case, found) && concerns(case, found))
    };
    let Some(last) = found().next() else {
        let judged = without(case);
        let shown = judged.verdict == Verdict::Supported;
        return of_another(case, 0).filter(|_| !shown).unwrap_or(judged);
    };
    let good = found().find(|found| found.outcome == Outcome::Ok);
    let failed = matches!(last.outcome, Outcome::Failed(_));
    // What went well after a failure and names no other thing may be the same deed.
    if failed && let Some(judged) = of_another(case, last.order) {
        return judged;
    }
    let against = || seen::another(case, last).or_else(|| seen::after_push(case, last));
    let judged = if failed {
        seen::conflict_solved(case, last)
    } else {
        against()
            .or_else(|| seen::commit_undone(case, last))
            .or_else(|| seen::older_push(case, last))
            .or_else(|| seen::older_commit(case, last))
    };
    if let Some(judged) = judged {
        return judged;
    }
    if failed && let Some(judged) = seen::commit_after(case, last) {
        return judged;
    }
    if failed && again(case, last) && case.on(Guard::UnknownStep) {
        let what = format!("{} failed here", brief(&last.words));
        return Judged::unknown(Reason::Ambiguous).at(last.place, what);
    }
    by_outcome(case, last, good)
}

/// Whether a deed may be that of the thing that a statement names: a request that is merged by its number is not
/// what git joins here, a version that is published stands in the call or its answer, and so does a program that is
/// installed.
fn concerns(case: &Case<'_>, found: &Outward) -> bool {
    if !case.on(Guard::OtherStep) || matches!(found.outcome, Outcome::Failed(_)) {
        return true;
    }
    let text = case.text();
    let step = case.step_at(found.place).filter(|_| !found.delegated);
    let holds = |name: &str| {
        let lower = name.to_lowercase();
        found.words.to_lowercase().contains(&lower)
            // What another turn answered cannot be read here.
            || step.is_none_or(|step| {
                let shown = step.text.as_str();
                shown.contains(name) || shown.to_lowercase().contains(&lower)
            })
    };
    match case.claim.kind {
        Kind::Merge => {
            let request = text.contains('#') || text.contains("PR ");
            !(request && found.words.starts_with("git "))
        }
        Kind::Publish => seen::version(text).is_none_or(holds),
        Kind::Install => {
            let names = names(text);
            names.is_empty() || names.iter().any(|name| holds(name))
        }
        _ => true,
    }
}

/// A deed of the kind went well after a place in the record, and does not name what the statement names.
fn of_another(case: &Case<'_>, after: u64) -> Option<Judged> {
    let mut all = case.ledger.outward.iter().rev();
    let other = all
        .by_ref()
        .take_while(|found| found.order > after)
        .find(|found| fits(case.claim.kind, found) && !concerns(case, found))?;
    Some(seen::shown(case).unwrap_or_else(|| {
        let what = format!("{} does not name it", brief(&other.words));
        Judged::unknown(Reason::Ambiguous).at(other.place, what)
    }))
}

/// Whether only the end of a failed try is told late: another one of the kind was begun after it, and had ended
/// well before.
fn is_late(case: &Case<'_>, found: &Outward) -> bool {
    if !matches!(found.outcome, Outcome::Failed(_)) || found.turn != case.ledger.turn {
        return false;
    }
    let own = begun(case, found.place);
    let mut others = case.ledger.outward.iter().rev();
    others.any(|other| {
        other.kind == found.kind
            && other.outcome == Outcome::Ok
            && !other.rehearsal
            && other.order < found.order
            && begun(case, other.place) > own
    })
}

/// Whether what failed may have been done another way afterwards.
fn again(case: &Case<'_>, last: &Outward) -> bool {
    let ledger = case.ledger;
    let later = |order: u64| order > last.order;
    let mended =
        case.claim.kind == Kind::Merge && ledger.edits.last().is_some_and(|edit| later(edit.order));
    mended
        || ledger.unknown.iter().any(|(order, ..)| later(*order))
        || ledger.delegated.iter().any(|(order, ..)| later(*order))
        || ledger.outward.iter().rev().any(|other| {
            let bad = matches!(other.outcome, Outcome::Failed(_));
            later(other.order) && !bad && !other.rehearsal && changes(other.kind)
        })
}

/// What the last command of the kind, and the last good one, come to.
fn by_outcome(case: &Case<'_>, last: &Outward, good: Option<&Outward>) -> Judged {
    let ledger = case.ledger;
    let words = brief(&last.words);
    let failed = || format!("{words} failed here");
    match (last.outcome, good) {
        (Outcome::Ok, _) => ended_well(case, best(case, last)),
        (Outcome::Failed(_), _) if !case.on(Guard::FailedRun) => Judged::supported(
            case.when(last.turn),
            last.place,
            format!("{words} ran here"),
        ),
        (Outcome::Failed(_), _) if case.claim.kind == Kind::Install && !named(case, last) => {
            Judged::unknown(Reason::Ambiguous).at(last.place, failed())
        }
        (Outcome::Failed(_), None) => Judged::contradicted(Reason::Failed, last.place, failed()),
        (Outcome::Failed(_), Some(good))
            if good.turn != ledger.turn && last.turn == ledger.turn =>
        {
            Judged::contradicted(Reason::Failed, last.place, failed())
        }
        (_, Some(good)) => ended_well(case, good),
        (Outcome::Running | Outcome::Missing, None) if case.on(Guard::MissingResult) => {
            Judged::unknown(Reason::MissingResult)
                .at(last.place, format!("how {words} ended is not recorded"))
        }
        _ if thrown_away(case, last) => Judged::unknown(Reason::Masked).at(
            last.place,
            format!("{words} ran here, and nothing of it shows"),
        ),
        (Outcome::Unknown, None) if !tells_success(case, last) => Judged::unknown(Reason::Masked)
            .at(
                last.place,
                format!("the exit status of {words} is hidden, and its output does not tell"),
            ),
        _ => Judged::supported(
            Reason::OutputOnly,
            last.place,
            format!("{words} ran here; its exit status is hidden"),
        ),
    }
}

/// Of the deeds of the kind that ended well in this turn, the one whose call or answer holds most of what the
/// statement spells: a branch, a hash, "tags".
fn best<'a>(case: &Case<'a>, last: &'a Outward) -> &'a Outward {
    let lower = case.text().to_lowercase();
    let mut spelled = names(case.text());
    let mut hashes: Vec<String> = lower
        .split(|c: char| !c.is_ascii_hexdigit())
        .filter(|word| (7..=40).contains(&word.len()))
        .map(str::to_owned)
        .collect();
    spelled.append(&mut hashes);
    for word in ["tag", "force"] {
        if lower.contains(word) {
            spelled.push(word.to_owned());
        }
    }
    let held = |found: &Outward| {
        let step = case.step_at(found.place);
        let answer = step.map_or("", |step| step.text.as_str());
        let holds =
            |name: &&String| found.words.contains(name.as_str()) || answer.contains(name.as_str());
        spelled.iter().filter(holds).count()
    };
    let ledger = case.ledger;
    let own = ledger.outward.iter().rev();
    let own = own.take_while(|found| found.turn == ledger.turn && last.turn == ledger.turn);
    let fit = own.filter(|found| {
        found.kind == last.kind && found.outcome == Outcome::Ok && !found.rehearsal
    });
    // Of equals the first that is met is the last one of the turn.
    let (mut most, mut chosen) = (held(last), last);
    for found in fit {
        let own = held(found);
        if own > most && concerns(case, found) {
            (most, chosen) = (own, found);
        }
    }
    chosen
}

/// A deed that ended well, whosever it is.
fn ended_well(case: &Case<'_>, good: &Outward) -> Judged {
    let words = brief(&good.words);
    let what = if good.delegated {
        format!("{words} was run by another agent here, and ended well")
    } else {
        format!("{words} ended well here")
    };
    Judged::supported(case.whose(good.delegated, good.turn), good.place, what)
}

/// Whether a command installs what a statement names; so it does where the statement names nothing.
fn named(case: &Case<'_>, found: &Outward) -> bool {
    const OWN: [&str; 12] = [
        "install",
        "installed",
        "the",
        "and",
        "all",
        "dependencies",
        "packages",
        "package",
        "successfully",
        "now",
        "added",
        "is",
    ];
    let words = found.words.to_lowercase();
    let named: Vec<String> = words_of(case.text())
        .filter(|word| word.len() > 2 && !OWN.contains(&word.as_str()))
        .collect();
    named.is_empty() || named.iter().any(|word| words.contains(word.as_str()))
}

/// Words by which an answer tells that a change of this kind was made, in small letters.
fn signs(kind: OutwardKind) -> &'static [&'static str] {
    match kind {
        OutwardKind::Commit => &["] ", "create mode"],
        OutwardKind::Push => &[
            " -> ",
            "up-to-date",
            "set up to track",
            "new branch",
            "new tag",
        ],
        OutwardKind::Pr | OutwardKind::State => &["/pull/", "/merge_requests/", "\"state\""],
        OutwardKind::Merge => &["merge", "fast-forward", "rebased", " changed"],
        OutwardKind::Publish => &[
            "+ ",
            "publish",
            "upload",
            "digest:",
            "releases/tag",
            "pushed",
        ],
        OutwardKind::Deploy => &[
            "http",
            "deployed",
            "live",
            "configured",
            "created",
            "unchanged",
            "started",
            "running",
            "rolled out",
            "ready",
            "healthy",
        ],
        _ => &[
            "added ",
            "installed",
            "already",
            "audited",
            "resolved",
            "prepared",
            "setting up",
            "changed ",
            "package",
            "lockfile",
            "dependenc",
            "download",
            "upgraded",
            "updated",
            "poured",
            "🍺",
            "compiling",
            "newest",
            "built",
        ],
    }
}

/// Whether the log that a step shows holds a commit of a subject that its call spells.
fn logged(step: &Step) -> bool {
    step.text.as_str().lines().any(|line| {
        let (hash, subject) = line.trim().split_once(' ').unwrap_or(("", ""));
        let hex =
            (7..=40).contains(&hash.len()) && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        hex && !subject.is_empty() && step.args.contains(subject)
    })
}

/// Whether what a command of hidden status printed tells that it went well, and of no failure.
fn tells_success(case: &Case<'_>, last: &Outward) -> bool {
    const ANY: [&str; 9] = [
        "success",
        "done",
        "complete",
        "finished",
        "✓",
        "✔",
        "✅",
        "🎉",
        "up to date",
    ];
    let own = signs(last.kind);
    let Some(step) = case.step_at(last.place) else {
        return true;
    };
    if last.kind == OutwardKind::Commit && logged(step) {
        return true;
    }
    let lower = step.text.as_str().to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    !tells_of_failure(step.text.as_str()) && (says(&ANY) || says(own))
}

/// Whether both the status and the output of a command are hidden.
fn thrown_away(case: &Case<'_>, last: &Outward) -> bool {
    let hidden = |step: &Step| {
        let mut acts = step.acts.iter();
        acts.any(|act| act.hidden && act.words == last.words)
    };
    case.step_at(last.place).is_some_and(|step| {
        step.outcome == Outcome::Ok && (hidden(step) || step.text.as_str().trim().is_empty())
    })
}

/// Where the commit that a statement names by its hash is shown in this turn.
fn shown_commit(case: &Case<'_>) -> Option<Judged> {
    if case.claim.kind != Kind::Commit {
        return None;
    }
    let hash = |name: &&str| {
        (7..=40).contains(&name.len())
            && name.bytes().all(|byte| byte.is_ascii_hexdigit())
            && name.bytes().any(|byte| byte.is_ascii_digit())
    };
    let mut words = case.text().split(|c: char| !c.is_ascii_alphanumeric());
    let named = words.find(|word| hash(word))?;
    let ledger = case.ledger;
    let short = named.get(..7).unwrap_or(named);
    let mut steps = case.turn.steps.iter();
    // What only repeats the agent's own words is no commit that is shown.
    let shows = |step: &&Step| {
        let git = step.acts.iter().any(|act| act.program == "git");
        step.text.as_str().contains(short) && (git || !step.args.contains(short))
    };
    let Some(step) = steps.find(shows) else {
        return another_commit(case, short);
    };
    let place = step.result?;
    let own = ledger
        .outward
        .iter()
        .any(|found| found.kind == OutwardKind::Commit && found.place == place);
    let shell = step.acts.iter().any(|act| act.shell);
    let reason = match own {
        _ if step.delegate => Reason::Delegated,
        false if !shell && !ledger.delegated.is_empty() => Reason::Delegated,
        true => Reason::Direct,
        false => Reason::Readback,
    };
    Some(Judged::supported(reason, place, "the commit is shown here"))
}

/// The commit of this turn has another hash, and the one that is named stands nowhere.
fn another_commit(case: &Case<'_>, named: &str) -> Option<Judged> {
    let ledger = case.ledger;
    let commits = || {
        let all = ledger.outward.iter().rev();
        all.filter(|found| found.kind == OutwardKind::Commit && found.turn == ledger.turn)
    };
    let tells = |found: &Outward| {
        let step = case.step_at(found.place)?;
        let text = step.text.as_str();
        (found.outcome == Outcome::Ok && text.contains("] ")).then_some(found.place)
    };
    let place = commits().next().and_then(tells)?;
    let closed = ledger.delegated.is_empty() && !ledger.cut && ledger.turn == 1;
    let asked = case.turn.prompt.as_ref();
    let asked = asked.is_some_and(|prompt| prompt.text.contains(named));
    let written = case.turn.steps.iter().any(|step| step.args.contains(named));
    (closed && !asked && !written && commits().count() == 1)
        .then(|| Judged::unsupported(Reason::NoReadback).at(place, "git names another commit here"))
}

/// Whether an outward change bears a kind of statement out.
pub(super) fn fits(kind: Kind, found: &Outward) -> bool {
    // An image is pushed to its registry, which publishes it.
    let image = || {
        let mut words = found.words.split(' ');
        let program = words.next().unwrap_or("");
        matches!(program, "docker" | "podman" | "nerdctl") && words.next() == Some("push")
    };
    found.kind == wanted(kind)
        || kind == Kind::Pr && matches!(found.kind, OutwardKind::State | OutwardKind::Merge)
        || kind == Kind::Push && found.kind == OutwardKind::Publish && image()
}

fn changes(kind: OutwardKind) -> bool {
    !matches!(kind, OutwardKind::Ci | OutwardKind::State)
}

/// No such command stands in the record: a tool server, another agent or a script may have done it.
fn without(case: &Case<'_>) -> Judged {
    let ledger = case.ledger;
    if let Some(judged) = seen::shown(case) {
        return judged;
    }
    // A file that was put in its place is installed.
    let mut files = case.claim.scope.iter().filter(|name| name.contains('/'));
    let put = files.find_map(|name| ledger.edits_of(name).find(|edit| edit.stands()));
    if let Some(edit) = put.filter(|_| case.claim.kind == Kind::Install) {
        let what = format!("{} was put there here", brief(&edit.path));
        return Judged::supported(case.when(edit.turn), edit.place, what);
    }
    let sent = || {
        ledger
            .delegations
            .iter()
            .rev()
            .filter(|_| case.on(Guard::Delegated))
    };
    if let Some(one) = sent().find(|one| one.says.contains(&case.claim.kind)) {
        return Judged::supported(Reason::Delegated, one.place, "another agent reported it");
    }
    // What an agent whose record is not here did on its way, it need not have told.
    if let Some(one) = sent().find(|one| !one.record && one.order > ledger.closed) {
        return Judged::unknown(Reason::Elsewhere).at(one.place, "another agent worked on it");
    }
    if case.claim.kind == Kind::Push {
        // To open a pull request may push on the way; to change, merge or pull one does not.
        let reaches = |found: &&Outward| {
            let opens = ["gh pr create", "glab mr create"];
            found.outcome == Outcome::Ok
                && !found.rehearsal
                && opens.iter().any(|head| found.words.starts_with(head))
        };
        let pr = ledger.outward.iter().rev().find(reaches);
        if let Some(pr) = pr {
            return Judged::supported(Reason::Direct, pr.place, "this command reached the remote");
        }
    }
    let opaque = ledger.unknown.last();
    if let Some((_, _, place)) = opaque.filter(|_| case.on(Guard::UnknownStep)) {
        return Judged::unknown(Reason::Ambiguous).at(*place, "what this step did is not known");
    }
    if let Some(other) = ledger
        .outward
        .iter()
        .rev()
        .find(|found| found.kind == OutwardKind::Other && !local(&found.words))
    {
        return Judged::unknown(Reason::Ambiguous)
            .at(other.place, "what this command did is not known");
    }
    without_deed(case)
}

/// Nothing of the kind was done here. A state need not be this session's deed: that of the machine, or
/// what a service that watches the branch put there.
fn without_deed(case: &Case<'_>) -> Judged {
    let lower = case.text().to_lowercase();
    match case.claim.kind {
        Kind::Install if lower.contains("is installed in") => Judged::unknown(Reason::Ambiguous),
        Kind::Deploy if lower.contains(" live") => Judged::unknown(Reason::Elsewhere),
        _ => Judged::unsupported(Reason::NeverRun),
    }
}

/// Whether a command is one of git's that reaches neither the history nor a remote.
fn local(words: &str) -> bool {
    [
        "git add",
        "git rm",
        "git mv",
        "git stash",
        "git config",
        "git restore",
    ]
    .iter()
    .any(|head| {
        words
            .strip_prefix(head)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    })
}
