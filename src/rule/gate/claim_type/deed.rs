//! Deeds of English clauses: result verbs in predicate position, checks that went well, and changes
//! told by their effect.

use super::SubClaim;
use crate::text::{Act, BlockKind, Clause, Cue, Prose, Sentence, WordKind, past_act};

/// The deed that a clause states as done, if it states one.
pub(super) fn deed(prose: &Prose<'_>, sentence: &Sentence, clause: &Clause) -> Option<SubClaim> {
    if let Some(kind) = passes(
        prose,
        clause,
        sentence.kind == BlockKind::Row || resumes(prose, sentence, clause),
    ) {
        return Some(kind);
    }
    // A state in a table (`Firewall | Enabled`) is a finding as often as a deed.
    let row = sentence.kind == BlockKind::Row;
    let found = clause.words.clone().filter(|_| !row).find_map(|at| {
        let act = past_act(prose.form(at)).filter(|_| prose.words()[at].kind == WordKind::Plain)?;
        let kind = sub_claim(act)?;
        let denied = clause.negates(at) || of_nothing(prose, clause, at);
        (!denied && predicates(prose, clause, at, act)).then_some(kind)
    });
    found
        .or_else(|| now_does(prose, clause))
        .or_else(|| works(prose, clause))
}

fn sub_claim(act: Act) -> Option<SubClaim> {
    match act {
        Act::Edit | Act::Create | Act::Delete | Act::Run => Some(SubClaim::Edit),
        Act::Push | Act::Merge | Act::Publish | Act::Commit | Act::Install => {
            Some(SubClaim::Remote)
        }
        Act::Fix | Act::Verify => Some(SubClaim::Outcome),
        Act::Complete => Some(SubClaim::Whole),
        Act::Read => None,
    }
}

/// Whether every deed that a clause names is denied, or somebody else's: `I changed nothing`, `it was
/// written by the indexer`; `fixed by adding a guard` is one's own.
pub(super) fn disowned(prose: &Prose<'_>, clause: &Clause) -> bool {
    let mut deeds = clause
        .words
        .clone()
        .filter(|at| past_act(prose.form(*at)).is_some());
    let not_own = |at: usize| {
        let by = at + 2 < clause.words.end && prose.form(at + 1) == "by";
        clause.negates(at)
            || of_nothing(prose, clause, at)
            || by && !prose.form(at + 2).ends_with("ing")
    };
    deeds.next().is_some_and(not_own) && deeds.all(not_own)
}

/// `I changed nothing`, `made no changes`: the object denies the deed.
fn of_nothing(prose: &Prose<'_>, clause: &Clause, at: usize) -> bool {
    let object = at + 1;
    let edits = past_act(prose.form(at)).and_then(sub_claim) == Some(SubClaim::Edit);
    object < clause.words.end
        && match prose.form(object) {
            "nothing" | "none" => true,
            "no" => edits && prose.form(object + 1) != "longer",
            _ => false,
        }
}

/// Whether the past form at `at` is the predicate of the clause and not an attribute
/// (`the updated file`), another's deed (`the flag you added`) or an old state (`already added`).
fn predicates(prose: &Prose<'_>, clause: &Clause, at: usize, act: Act) -> bool {
    let back = |n: usize| {
        if at >= clause.words.start + n {
            prose.form(at - n)
        } else {
            ""
        }
    };
    let adverb = is_adverb(back(1));
    let before = if adverb { back(2) } else { back(1) };
    if matches!(
        back(1),
        "already"
            | "previously"
            | "originally"
            | "formerly"
            | "existing"
            | "being"
            | "get"
            | "gets"
    ) {
        return false;
    }
    if matches!(
        before,
        "be" | "to" | "of" | "for" | "in" | "on" | "by" | "as" | "from" | "than" | "into" | "how"
    ) {
        return false;
    }
    if (is_determiner(before) || before == "with") && act != Act::Complete {
        return false;
    }
    if act == Act::Complete && is_attribute(prose, clause, at) {
        return false;
    }
    if is_theirs(prose, clause, at) {
        return false;
    }
    let other = (1..=4).any(|n| {
        matches!(
            back(n),
            "you" | "you've" | "that" | "which" | "who" | "where" | "what"
        )
    });
    !(other || clause.cues.has(Cue::Trailing) && act == Act::Complete)
}

/// `a complete list`, `Complete Analysis`; but `Completed the migration` is a deed.
fn is_attribute(prose: &Prose<'_>, clause: &Clause, at: usize) -> bool {
    let next = at + 1;
    let noun = next < clause.words.end
        && prose.words()[next].kind == WordKind::Plain
        && !matches!(
            prose.form(next),
            "in" | "on" | "with" | "and" | "per" | "for" | "at" | "as" | "now" | "by" | "to"
        );
    noun && !(prose.form(at) != "complete" && at == clause.words.start)
}

/// `the hook added it`, `updated by the hook`: somebody else's deed.
fn is_theirs(prose: &Prose<'_>, clause: &Clause, at: usize) -> bool {
    let form = |at: usize| {
        if at < clause.words.end {
            prose.form(at)
        } else {
            ""
        }
    };
    if form(at + 1) == "by" {
        return !form(at + 2).ends_with("ing");
    }
    let object =
        is_determiner(form(at + 1)) || matches!(form(at + 1), "it" | "them" | "you" | "us" | "me");
    let subject = if at > clause.words.start {
        prose.form(at - 1)
    } else {
        ""
    };
    let noun = at > clause.words.start
        && prose.words()[at - 1].kind == WordKind::Plain
        && !(is_adverb(subject) || subject.ends_with("'ve"))
        && !matches!(
            subject,
            "i" | "we"
                | "and"
                | "or"
                | "have"
                | "has"
                | "had"
                | "been"
                | "was"
                | "were"
                | "is"
                | "are"
        )
        && !matches!(
            subject,
            "this"
                | "change"
                | "commit"
                | "patch"
                | "fix"
                | "update"
                | "pr"
                | "done"
                | "not"
                | "then"
        );
    object && noun && past_act(subject).is_none()
}

fn is_adverb(form: &str) -> bool {
    form.len() > 3 && form.ends_with("ly")
        || matches!(
            form,
            "also" | "now" | "just" | "then" | "since" | "both" | "fully"
        )
}

fn is_determiner(form: &str) -> bool {
    matches!(
        form,
        "the"
            | "a"
            | "an"
            | "this"
            | "that"
            | "these"
            | "those"
            | "its"
            | "their"
            | "your"
            | "my"
            | "our"
    ) || matches!(
        form,
        "each" | "every" | "any" | "some" | "other" | "newly" | "recently"
    )
}

/// `All tests should pass, and they do`: a pronoun for the check of the clause before.
fn resumes(prose: &Prose<'_>, sentence: &Sentence, clause: &Clause) -> bool {
    let start = clause.words.start;
    let skip = usize::from(matches!(prose.form(start), "and" | "but"));
    let pronoun = matches!(prose.form(start + skip), "they" | "it" | "those");
    let back = start.saturating_sub(8).max(sentence.words.start);
    pronoun && (back..start).any(|at| is_check(prose.form(at)))
}

/// `Tests pass`, `lint is clean`, `0 issues`, `all green`: a check that went well. `carried`:
/// its subject stands before the clause, as in a cell of a table.
fn passes(prose: &Prose<'_>, clause: &Clause, carried: bool) -> Option<SubClaim> {
    let mut subject = carried;
    for at in clause.words.clone() {
        let form = prose.form(at);
        let good = matches!(
            form,
            "pass" | "passes" | "passed" | "passing" | "green" | "clean" | "succeeds" | "succeeded"
        ) || matches!(form, "successful" | "successfully" | "cleanly");
        let last = at + 1 == clause.words.end && at > clause.words.start;
        let echoed = last && carried && matches!(form, "do" | "does" | "did");
        if (good || echoed) && subject && !clause.negates(at) {
            return Some(SubClaim::Check);
        }
        let zero = matches!(form, "0" | "no" | "zero");
        let next = prose.form(at + 1);
        let fault = |form: &str| {
            matches!(
                form,
                "issues"
                    | "errors"
                    | "failures"
                    | "warnings"
                    | "problems"
                    | "conflicts"
                    | "regressions"
            )
        };
        if zero
            && at + 1 < clause.words.end
            && (fault(next) || (at + 2 < clause.words.end && fault(prose.form(at + 2))))
        {
            return Some(SubClaim::Check);
        }
        subject |=
            is_check(form) || matches!(prose.words()[at].kind, WordKind::Code | WordKind::Number);
    }
    None
}

/// `The fix works`, `it works now`, `everything is working`: an outcome.
fn works(prose: &Prose<'_>, clause: &Clause) -> Option<SubClaim> {
    let mut words = clause.words.clone();
    let subject = words
        .by_ref()
        .take(4)
        .any(|at| matches!(prose.form(at), "fix" | "everything" | "it" | "both"));
    let outcome =
        |at: usize| matches!(prose.form(at), "works" | "working" | "work") && !clause.negates(at);
    let now = clause
        .words
        .clone()
        .any(|at| matches!(prose.form(at), "fix" | "now" | "everything" | "correctly"));
    (subject && now && words.any(outcome)).then_some(SubClaim::Outcome)
}

fn is_check(form: &str) -> bool {
    let form = form.strip_suffix("'s").unwrap_or(form);
    matches!(
        form,
        "test"
            | "tests"
            | "suite"
            | "suites"
            | "build"
            | "builds"
            | "lint"
            | "linting"
            | "linter"
            | "ci"
    ) || matches!(
        form,
        "check" | "checks" | "typecheck" | "typechecking" | "clippy" | "pipeline" | "compilation"
    ) || matches!(
        form,
        "everything" | "all" | "formatting" | "verification" | "run" | "validation" | "compiles"
    ) || matches!(
        form,
        "type-check" | "smoke" | "tsc" | "typescript" | "vet" | "hook" | "hooks" | "build's"
    )
}

/// `The parser now rejects …`, `they are now public`: a change told by its effect.
fn now_does(prose: &Prose<'_>, clause: &Clause) -> Option<SubClaim> {
    let told = clause.words.clone().any(|at| {
        if prose.form(at) != "now" || at == clause.words.start || at + 1 >= clause.words.end {
            return false;
        }
        let (before, after) = (prose.form(at - 1), prose.form(at + 1));
        let state = matches!(before, "is" | "are")
            || matches!(after, "is" | "are" | "has" | "have" | "no" | "only");
        let verb = after.len() > 3 && after.ends_with('s') && !after.ends_with("ss");
        !matches!(before, "i" | "we" | "you" | "i'm" | "right") && (state || verb)
    });
    (told && !clause.cues.has(Cue::FirstPerson) && clause.negator.is_none())
        .then_some(SubClaim::Edit)
}
