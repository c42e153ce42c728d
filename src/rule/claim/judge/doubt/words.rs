//! A change that holds neither the name nor the value that is told of it.

use super::{coded, opaque, open, own_edits};
use crate::rule::claim::Kind;
use crate::rule::claim::judge::case::is_file;
use crate::rule::claim::judge::numeral::holds_number;
use crate::rule::claim::judge::{Case, Judged, Reason};
use crate::rule::evidence::{Term, Weight, names, weight};
use crate::transcript::Place;
use crate::turn::{Side, Step};

pub(super) fn doubt(case: &Case<'_>, at: Place) -> Option<Judged> {
    if opaque(case) || case.ledger.cut || case.ledger.turn > 1 && case.step_at(at).is_none() {
        return None;
    }
    let what = if other_value(case) {
        "no change of this turn holds the value that is told"
    } else if other_name(case) {
        "no step of this turn holds the name that is told"
    } else if other_end(case) {
        "nothing was moved to the name that is told"
    } else if other_part(case) {
        "nothing in this change tells of the part that is named"
    } else {
        return None;
    };
    Some(open(Reason::Ambiguous, at, what))
}

/// The steps of the turn that changed files.
fn changing<'a>(case: &Case<'a>) -> impl Iterator<Item = &'a Step> {
    let steps = case.turn.steps.iter();
    steps.filter(|step| step.acts.iter().any(|act| !act.writes.is_empty()))
}

/// The figure that a text opens with, with no unit of another kind of thing behind it.
fn figure(text: &str) -> Option<&str> {
    let text = text.trim_start_matches(['`', '"', '\'']);
    let len = text.bytes().take_while(u8::is_ascii_digit).count();
    let next = text[len..].chars().next();
    let whole = next
        .is_none_or(|c| !(c.is_alphanumeric() || matches!(c, '.' | ',' | '/' | '-' | ':' | '%')));
    let ends = text[len..]
        .trim_start_matches(['.', ','])
        .starts_with(|c: char| c.is_alphanumeric());
    (len > 0 && (whole || !ends && text[len..].starts_with(['.', ',']))).then(|| &text[..len])
}

/// "Changed the port to 9090", "the timeout is now 30 seconds", "from 8080 to 3000".
fn other_value(case: &Case<'_>) -> bool {
    let text = case.text();
    let lower = text.to_ascii_lowercase();
    let sets = [
        "changed ",
        "set ",
        "raised ",
        "lowered ",
        "increased ",
        "reduced ",
        "bumped ",
        "updated ",
    ];
    let told = sets
        .iter()
        .any(|word| lower.starts_with(word) || lower.contains(&format!("i {word}")));
    let behind = |head: &str| {
        lower
            .find(head)
            .and_then(|at| figure(&text[at + head.len()..]))
    };
    let new = if told {
        behind(" to ")
    } else {
        behind(" is now ")
    };
    let Some(new) = new else {
        return false;
    };
    let holds = |step: &Step, digits: &str| {
        step.args.match_indices(digits).any(|(at, _)| {
            let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
            !digit(step.args[..at].chars().next_back())
                && !digit(step.args[at + digits.len()..].chars().next())
        })
    };
    let shown = case
        .turn
        .steps
        .iter()
        .any(|step| holds_number(step.text.as_str(), new));
    let none = changing(case).next().is_some() && !changing(case).any(|step| holds(step, new));
    if none {
        return !shown;
    }
    // The other way round: what is said to be new was taken out, and the old one put in.
    let Some(old) = behind(" from ").filter(|old| *old != new) else {
        return false;
    };
    let lines = |side: Side, digits: &str| {
        let steps = case.turn.steps.iter();
        let mut lines = steps
            .flat_map(|step| &step.alters)
            .flat_map(move |alter| alter.side(side));
        lines.any(|line| holds_number(line, digits))
    };
    lines(Side::Removed, new) && lines(Side::Added, old) && !lines(Side::Added, new)
}

/// A function that is said to have been added or taken out stands nowhere in the turn.
fn other_name(case: &Case<'_>) -> bool {
    const VERBS: [&str; 7] = [
        "added ",
        "removed ",
        "created ",
        "introduced ",
        "deleted ",
        "extracted ",
        "implemented ",
    ];
    let text = case.text();
    let lower = text.to_ascii_lowercase();
    let verb = VERBS
        .iter()
        .find_map(|verb| lower.find(verb).map(|at| at + verb.len()));
    let object = verb.and_then(|at| text.get(at..)).unwrap_or("");
    // Behind "in", "to" or "for" stands where it was done, and not what.
    let open = object.split('`').next().unwrap_or("");
    let mut words = open.split(' ');
    if words.any(|word| {
        matches!(
            word,
            "in" | "to" | "for" | "from" | "of" | "so" | "by" | "with" | "when"
        )
    }) {
        return false;
    }
    let bare = |span: &str| -> Option<String> {
        let name = span.strip_suffix("()").unwrap_or(span);
        let plain = name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let thing = span.ends_with("()") || name.trim_matches('_').contains('_');
        (plain && thing && name.len() > 3).then(|| name.to_owned())
    };
    let first = coded(object).next().and_then(bare);
    first.is_some_and(|name| {
        let mentions = case.ledger.mentions.holding(&Term::Name(name.clone())).1;
        let cut = case
            .turn
            .steps
            .iter()
            .any(|step| step.truncated || step.args_may_be_cut());
        mentions == 0 && !cut && !stands(case, &name) && changing(case).next().is_some()
    })
}

/// Whether a name stands in any call of the turn or in its answer.
fn stands(case: &Case<'_>, name: &str) -> bool {
    let holds = |step: &Step| step.args.contains(name) || step.text.as_str().contains(name);
    case.turn.steps.iter().any(holds)
}

/// "Renamed `a` to `c`", and nothing of that name was made.
fn other_end(case: &Case<'_>) -> bool {
    let text = case.text();
    let lower = text.to_ascii_lowercase();
    let moves = ["renamed ", "moved "]
        .iter()
        .any(|word| lower.contains(word));
    let Some((_, rest)) = text.split_once(" to `").filter(|_| moves) else {
        return false;
    };
    let to = rest.split('`').next().unwrap_or("");
    let name = to.trim_end_matches('/').rsplit('/').next().unwrap_or(to);
    let made = case
        .ledger
        .edits
        .iter()
        .any(|edit| edit.path.is_empty() || names(to, &edit.path));
    is_file(to) && !made && !stands(case, name)
}

/// "Refactored the authentication module", "retry logic in the HTTP client": what was changed, its
/// name and what was shown of it tell of nothing of the kind.
fn other_part(case: &Case<'_>) -> bool {
    const PARTS: [&str; 10] = [
        "module",
        "service",
        "client",
        "component",
        "controller",
        "handler",
        "endpoint",
        "middleware",
        "class",
        "package",
    ];
    if !matches!(case.claim.kind, Kind::Edit | Kind::Create) || !case.files().is_empty() {
        return false;
    }
    let lower = case.text().to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let named = words.windows(3).find(|three| {
        matches!(three[0], "the" | "our" | "your")
            && PARTS.contains(&three[2])
            && three[1].len() > 3
            || three[0] == "the" && three[1] == "http" && three[2] == "client"
    });
    let Some(named) = named else {
        return false;
    };
    let stem = named[1].get(..4).unwrap_or(named[1]);
    let edits = || own_edits(case);
    let known = edits().next().is_some() && edits().all(|edit| !edit.path.is_empty());
    let prose = edits().all(|edit| weight(&edit.path) == Weight::Prose);
    let told = case.turn.steps.iter().any(|step| {
        step.args.to_lowercase().contains(stem) || step.text.as_str().to_lowercase().contains(stem)
    });
    let in_path = edits().any(|edit| edit.path.to_lowercase().contains(stem));
    known && !in_path && (!told || prose)
}
