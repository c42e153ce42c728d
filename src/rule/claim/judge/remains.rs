//! What speaks against the statement of a change: another state that the record ends in.

use super::case::brief;
use super::{Case, Judged, Reason, Verdict};
use crate::rule::claim::Kind;
use crate::rule::evidence::{Edit, not_found};
use crate::shell::Effect;
use crate::transcript::Place;
use crate::turn::{Act, Step};

/// Kinds of statements that something was taken away.
pub(super) fn removes(kind: Kind) -> bool {
    matches!(kind, Kind::Delete | Kind::Cleanup)
}

/// "Nothing else was changed", "no other file": a part is left out.
pub(super) fn leaves(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric())
        .any(|word| matches!(word, "else" | "other" | "others" | "further" | "apart"))
}

/// "Nothing outside `a`", "besides `a` no file": the sentence takes something out of what was left alone.
pub(super) fn spares(sentence: &str) -> bool {
    const OUT: [&str; 10] = [
        "aside",
        "apart",
        "barring",
        "besides",
        "beyond",
        "except",
        "exception",
        "excepting",
        "excluding",
        "outside",
    ];
    const BUT: [&str; 6] = [
        "anything but",
        "nothing but",
        "file but",
        "files but",
        "changes but",
        "other than",
    ];
    const CJK: [&str; 8] = [
        "以外", "之外", "除了", "其他", "其它", "他の", "다른", "제외",
    ];
    let lower = sentence.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    words.any(|word| OUT.contains(&word))
        || BUT.iter().chain(&CJK).any(|out| lower.contains(out))
        || lower.contains('除') && lower.contains('外')
}

/// "Still untouched:" above a list: what it names was left alone.
pub(super) fn left_alone(case: &Case<'_>) -> Option<Judged> {
    let rest = case.close.get(case.claim.span.end..)?;
    let rest = rest.trim_start_matches(['*', '_']).strip_prefix(':')?;
    let (head, below) = rest.trim_start_matches(['*', '_', ' ']).split_once('\n')?;
    if !head.is_empty() {
        return None;
    }
    let below = below.strip_prefix('\n').unwrap_or(below);
    let lines = below.lines().take_while(|line| !line.trim().is_empty());
    let name = |line: &'_ str| -> Option<String> {
        let item = line.trim_start_matches(['-', '*', '+', ' ', '\t']);
        let name = item.strip_prefix('`')?.split('`').next()?;
        name.contains(['/', '.']).then(|| name.to_owned())
    };
    let names_below: Option<Vec<String>> = lines.map(name).collect();
    let listed = names_below.filter(|listed| !listed.is_empty())?;
    let ledger = case.ledger;
    let touched = listed.iter().find_map(|name| {
        let mut edits = ledger.edits_of(name);
        edits.find(|edit| edit.turn == ledger.turn && edit.stands() && edit.restores.is_none())
    });
    Some(match touched {
        Some(edit) => Judged::unknown(Reason::Ambiguous).at(
            edit.place,
            format!("this turn changed {}", brief(&edit.path)),
        ),
        None => Judged::new(Verdict::Supported, Reason::Direct),
    })
}

/// Whether the line of a statement itself tells that its change was not to stay: "and deleted it
/// again", "temporarily", "reverted it".
pub(super) fn tells_back(case: &Case<'_>) -> bool {
    const BACK: [&str; 22] = [
        "briefly",
        "by mistake",
        "change is gone",
        "deleted it",
        "deleted again",
        "dropped it",
        "dropped again",
        "gone again",
        "out again",
        "put it back",
        "removed again",
        "removed it",
        "replaced by",
        "replaced it",
        "restored",
        "reverted",
        "rolled back",
        "rolled it back",
        "temporarily",
        "took it out",
        "undid",
        "undone",
    ];
    let span = &case.claim.span;
    let before = case.close.get(..span.start).unwrap_or("");
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    let rest = case.close.get(line..).unwrap_or("").lines().next();
    let lower = rest.unwrap_or("").to_lowercase();
    BACK.iter().any(|back| lower.contains(back))
}

/// What the end of the record says against a change that was told.
pub(super) fn against(case: &Case<'_>, text: &str) -> Option<Judged> {
    removed_again(case)
        .or_else(|| still_there(case, text))
        .or_else(|| left_over(case, text))
        .or_else(|| some_left(case, text))
        .or_else(|| only_read(case))
}

fn takes_away(act: &Act) -> bool {
    matches!(act.program.as_str(), "rm" | "unlink" | "rmdir")
}

/// A command that failed speaks of a statement that tells what the command does; so does every
/// refusal of an editing tool.
pub(super) fn meant(case: &Case<'_>, edit: &Edit) -> bool {
    let Some(step) = case.step_at(edit.place).filter(|_| edit.refused) else {
        return true;
    };
    match step.acts.iter().find(|act| act.shell) {
        Some(act) => takes_away(act) && removes(case.claim.kind) || not_found(act, step),
        None => true,
    }
}

/// "Created `a`": the file was removed again.
fn removed_again(case: &Case<'_>) -> Option<Judged> {
    if case.claim.kind != Kind::Create || tells_back(case) {
        return None;
    }
    case.files().into_iter().find_map(|file| {
        let mut edits = case.ledger.edits_of(file);
        let last = edits.next().filter(|edit| edit.stands())?;
        let before = edits.next().filter(|edit| edit.path == last.path)?;
        let gone = case
            .step_at(last.place)?
            .acts
            .iter()
            .any(|act| takes_away(act) && act.writes.contains(&last.path));
        gone.then(|| {
            let what = format!("{} was removed again here", brief(&last.path));
            Judged::contradicted(Reason::NotDone, last.place, what)
                .at(before.place, "it was written here")
        })
    })
}

/// "I cleaned up the temporary file": no call of the turn takes anything away.
fn still_there(case: &Case<'_>, text: &str) -> Option<Judged> {
    const TAKES: [&str; 18] = [
        "rm ", "rm\t", "unlink", "delete", "clean", "trash", "remov", "prune", "mktemp", "trap ",
        "temp", "rmdir", "mv ", "stash", "restore", "checkout", "down", "kill",
    ];
    let file = ["file", "folder", "director"]
        .iter()
        .any(|noun| text.contains(noun));
    let own = text.starts_with("i ") || text.starts_with("cleaned up");
    let ledger = case.ledger;
    let closed = ledger.delegated.is_empty() && !ledger.cut;
    let loose = text.contains("temp") || text.contains("scratch");
    if case.claim.kind != Kind::Cleanup || !(file && own && loose && closed) {
        return None;
    }
    let takes = |step: &Step| {
        let args = step.args.to_ascii_lowercase();
        TAKES.iter().any(|word| args.contains(word))
    };
    let last = case.turn.steps.last()?;
    let none = !case.turn.steps.iter().any(takes) && ledger.turn == 1;
    none.then(|| {
        Judged::unsupported(Reason::NeverRun).at(
            last.result.unwrap_or(last.call),
            "the last call; none takes a file away",
        )
    })
}

/// "Replaced `x` everywhere": a search after the last change still finds it.
fn left_over(case: &Case<'_>, text: &str) -> Option<Judged> {
    if !text.contains("everywhere") && !text.contains("all occurrences") {
        return None;
    }
    let name = case.claim.scope.first()?;
    let last = case.turn.steps.iter().rposition(|step| {
        let changes = |act: &Act| act.effect == Effect::Mutate;
        step.acts.iter().any(changes)
    })?;
    let finds = |step: &&Step| {
        let [act] = step.acts.as_slice() else {
            return false;
        };
        matches!(act.program.as_str(), "rg" | "grep" | "ag")
            && act.words.contains(name.as_str())
            && step.text.as_str().contains(name.as_str())
    };
    let step = case.turn.steps[last + 1..].iter().rev().find(finds)?;
    let place = step.result.unwrap_or(step.call);
    Some(Judged::unknown(Reason::Ambiguous).at(place, "this search still finds it"))
}

/// "All temp files are cleaned up": the last look lists some.
fn some_left(case: &Case<'_>, text: &str) -> Option<Judged> {
    let step = case.turn.steps.last()?;
    let [act] = step.acts.as_slice() else {
        return None;
    };
    let lists = matches!(act.program.as_str(), "ls" | "find" | "fd");
    let left = |line: &str| {
        let line = line.trim().to_ascii_lowercase();
        let name = line.rsplit('/').next().unwrap_or("");
        name.starts_with("tmp") || name.starts_with("temp")
    };
    let all = text.starts_with("all ") && case.claim.kind == Kind::Cleanup;
    (all && lists && step.text.as_str().lines().any(left)).then(|| {
        let place = step.result.unwrap_or(step.call);
        Judged::unknown(Reason::Ambiguous).at(place, "some are listed here")
    })
}

/// "Updated `a` and `b`": one of them was only read.
fn only_read(case: &Case<'_>) -> Option<Judged> {
    let ledger = case.ledger;
    let files = case.files();
    let opaque = !ledger.unknown.is_empty()
        || !ledger.delegated.is_empty()
        || ledger.cut
        || ledger.turn != 1
        || ledger.edits.iter().any(|edit| edit.path.is_empty());
    if files.len() < 2 || case.claim.kind != Kind::Edit || opaque || !joined(case.text(), &files) {
        return None;
    }
    let missed = files
        .iter()
        .find(|file| ledger.edits_of(file).next().is_none())?;
    let look = ledger.looks_of(missed).next()?;
    let others = files
        .iter()
        .any(|file| ledger.edits_of(file).next().is_some());
    others.then(|| {
        let what = format!("{} was only looked at", brief(missed));
        Judged::unsupported(Reason::NeverRun).at(look.place, what)
    })
}

/// The names stand in one list behind the verb: "Updated `a`, `b` and `c`".
fn joined(text: &str, files: &[&str]) -> bool {
    let Some(first) = text.find(files[0]) else {
        return false;
    };
    let mut at = first + files[0].len();
    text[..first]
        .trim_end_matches('`')
        .split_whitespace()
        .count()
        == 1
        && files[1..].iter().all(|file| {
            let Some(next) = text[at..].find(file) else {
                return false;
            };
            let between = &text[at..at + next];
            at += next + file.len();
            matches!(between.replace('`', "").trim(), "," | "and" | ", and" | "&")
        })
}

/// Whether git shows the name of a file in this turn: somebody else may have changed it.
pub(super) fn git_speaks_of(case: &Case<'_>, file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file);
    case.turn.steps.iter().any(|step| {
        let git = step.acts.iter().any(|act| act.program == "git");
        git && step.text.as_str().contains(name)
    })
}

/// Where git lists all files that a statement names as changed.
pub(super) fn listed_by_git(case: &Case<'_>) -> Option<Place> {
    let files = case.files();
    let lists = |act: &Act| {
        let head = act.words.split(' ').find(|word| {
            matches!(*word, "diff" | "status" | "show" | "log") && act.program == "git"
        });
        head.is_some()
    };
    let step = case.turn.steps.iter().rev().find(|step| {
        let text = step.text.as_str();
        step.acts.iter().any(lists) && files.iter().all(|file| text.contains(file))
    })?;
    (!files.is_empty()).then(|| step.result.unwrap_or(step.call))
}
