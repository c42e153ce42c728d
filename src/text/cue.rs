//! Cues: what turns a clause into something other than a plain statement.

use core::ops::Range;

use super::lexicon::{is_base_verb, is_epistemic, is_reporter, past_act};
use super::prose::Prose;
use super::source::is_reported;
use super::word::WordKind;

/// One cue of a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Cue {
    /// `not`, `no`, `none`, `never`, `without`, `failed to`.
    Negation = 1,
    /// A question, or a request for leave.
    Question = 1 << 1,
    /// The clause is a condition itself: `if …`, `once you …`.
    Condition = 1 << 2,
    /// A condition precedes it.
    Contingent = 1 << 3,
    /// A condition follows it at once: `tests pass if …`.
    Trailing = 1 << 4,
    /// `will`, `let me`, `going to`, `next`.
    Future = 1 << 5,
    /// `should`, `may`, `might`, `would`, `must`.
    Modal = 1 << 6,
    /// `can`: an ability, not a deed.
    Ability = 1 << 7,
    /// `likely`, `probably`, `seems`, `I think`.
    Hedge = 1 << 8,
    /// Something could not be, or was not, verified, run or reached.
    Inability = 1 << 9,
    /// An order or a hint to the reader.
    Imperative = 1 << 10,
    /// What a reviewer, a log, a document or a delegate says.
    Reported = 1 << 11,
    /// `I`, `we`, `my`.
    FirstPerson = 1 << 12,
    /// `you`, `your`.
    SecondPerson = 1 << 13,
    /// `needs to`, `remaining`, `pending`, `todo`: work that is left.
    Open = 1 << 14,
    /// `except`, `apart from`, `other than`: takes something out of the clause before.
    Exception = 1 << 15,
    /// `but`, `however`, `although`.
    Contrast = 1 << 16,
}

/// A set of cues.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cues(u32);

impl Cues {
    /// Whether the cue is there.
    #[must_use]
    pub fn has(self, cue: Cue) -> bool {
        self.0 & cue as u32 != 0
    }

    /// Whether any of the cues is there.
    #[must_use]
    pub fn any(self, cues: &[Cue]) -> bool {
        cues.iter().any(|&cue| self.has(cue))
    }

    /// Puts a cue in.
    pub fn add(&mut self, cue: Cue) {
        self.0 |= cue as u32;
    }

    /// Takes over the cues that reach across an `and`.
    pub(crate) fn inherit(&mut self, other: Self) {
        for &cue in NOT_ASSERTED.iter().filter(|&&cue| other.has(cue)) {
            self.add(cue);
        }
    }

    fn add_if(&mut self, cue: Cue, holds: bool) {
        if holds {
            self.add(cue);
        }
    }
}

/// Cues under which a clause states no deed of the agent.
pub const NOT_ASSERTED: &[Cue] = &[
    Cue::Question,
    Cue::Condition,
    Cue::Contingent,
    Cue::Future,
    Cue::Modal,
    Cue::Ability,
    Cue::Imperative,
    Cue::Reported,
];

/// Cues by which the agent takes back some of what it says.
pub const DOUBTFUL: &[Cue] = &[Cue::Hedge, Cue::Inability];

/// Reads the cues of the words of one clause.
pub(crate) fn read(prose: &Prose<'_>, words: &Range<usize>) -> Cues {
    let mut cues = Cues::default();
    cues.add_if(
        Cue::Condition,
        opens_condition(prose, words.start) || opens_after(prose, words),
    );
    cues.add_if(Cue::Imperative, is_order(prose, words));
    cues.add_if(Cue::Question, asks_leave(prose, words));
    cues.add_if(Cue::Reported, is_reported(prose, words));
    let mut negated = false;
    for at in words.clone() {
        let (form, next) = (
            prose.form(at),
            if at + 1 < words.end {
                prose.form(at + 1)
            } else {
                ""
            },
        );
        negated |= is_negator(prose, at);
        cues.add_if(Cue::Negation, is_negator(prose, at));
        // `the plan to …` is a thing.
        let noun = form == "plan" && at > words.start && !is_first_person(prose.form(at - 1));
        cues.add_if(
            Cue::Future,
            !noun && is_future(form, next, at == words.start),
        );
        cues.add_if(Cue::Modal, is_modal(form, next));
        cues.add_if(
            Cue::Ability,
            matches!(form, "can" | "could" | "able" | "ready"),
        );
        cues.add_if(Cue::Hedge, is_hedge(form, next));
        cues.add_if(
            Cue::Inability,
            (negated && is_epistemic(form) && next != "out") || is_unproved(form),
        );
        cues.add_if(Cue::FirstPerson, is_first_person(form));
        cues.add_if(
            Cue::SecondPerson,
            form.strip_prefix("you").is_some_and(is_person_tail),
        );
        cues.add_if(Cue::Open, is_open(form, next));
        let taken_out = (matches!(form, "apart" | "aside") && next == "from")
            || (form == "other" && next == "than");
        cues.add_if(
            Cue::Exception,
            taken_out || matches!(form, "except" | "excluding" | "barring"),
        );
        cues.add_if(
            Cue::Contrast,
            matches!(
                form,
                "but" | "however" | "although" | "though" | "yet" | "whereas"
            ),
        );
    }
    cues
}

/// Whether the word at `at` denies what follows it.
pub(crate) fn is_negator(prose: &Prose<'_>, at: usize) -> bool {
    let (form, next) = (prose.form(at), prose.form(at + 1));
    match form {
        "not" => !matches!(next, "only" | "just" | "merely" | "to"),
        "no" => !matches!(next, "longer" | "matter" | "doubt"),
        "far" => next == "from",
        "nowhere" => matches!(next, "near" | "close"),
        "none" | "never" | "neither" | "nor" | "nothing" | "nobody" | "without" | "cannot"
        | "hardly" | "unable" => true,
        "fail" | "fails" | "failed" | "failing" | "refused" | "declined" | "instead" | "rather" => {
            matches!(next, "to" | "of" | "than")
        }
        _ => form.ends_with("n't"),
    }
}

/// Whether a condition opens with the word at `at`.
pub(crate) fn opens_condition(prose: &Prose<'_>, at: usize) -> bool {
    let skip = usize::from(
        matches!(
            prose.form(at),
            "and" | "but" | "so" | "or" | "even" | "only" | "then"
        ) && prose.form(at + 1) != "long",
    );
    let (form, next) = (prose.form(at + skip), prose.form(at + skip + 1));
    match form {
        "if" | "unless" | "until" | "till" | "whenever" | "assuming" | "provided" | "providing"
        | "supposing" | "suppose" | "whether" => true,
        "once" => next != "again",
        "so" => next == "long",
        // `Had the tests passed, I would …`, `Should the tests pass, …`.
        "had" | "should" => matches!(
            next,
            "the" | "all" | "every" | "it" | "they" | "this" | "that" | "any" | "tests" | "lint"
        ),
        "the" => matches!(next, "moment" | "instant"),
        "after" | "before" => next.starts_with("you"),
        "as" => matches!(next, "soon" | "long"),
        "in" => next == "case" || (next == "the" && prose.form(at + skip + 2) == "event"),
        // `When I ran it` tells what happened.
        "when" => !(at + skip + 1..at + skip + 4)
            .any(|i| past_act(prose.form(i)).is_some() || prose.form(i) == "was"),
        _ => false,
    }
}

/// `after the tests pass`: in the present it is a condition. `After the edit the tests pass` tells
/// what happened.
fn opens_after(prose: &Prose<'_>, words: &Range<usize>) -> bool {
    if !matches!(prose.form(words.start), "after" | "before" | "once") {
        return false;
    }
    let check = words.clone().skip(1).take(3).find(|&at| {
        matches!(
            prose.form(at),
            "tests"
                | "test"
                | "suite"
                | "lint"
                | "linter"
                | "linting"
                | "build"
                | "ci"
                | "type"
                | "everything"
                | "checks"
                | "it"
                | "they"
        )
    });
    check.is_some_and(|at| {
        (at + 1..words.end.min(at + 4)).any(|at| {
            let gap = &prose.masked()[prose.words[at - 1].range.end..prose.words[at].range.start];
            !gap.contains(',')
                && matches!(
                    prose.form(at),
                    "pass" | "passes" | "succeed" | "succeeds" | "is" | "are"
                )
        })
    })
}

pub(crate) fn is_interrogative(form: &str) -> bool {
    matches!(
        form,
        "do" | "does"
            | "did"
            | "is"
            | "are"
            | "was"
            | "were"
            | "can"
            | "could"
            | "should"
            | "shall"
            | "would"
    ) || matches!(
        form,
        "will"
            | "want"
            | "what"
            | "which"
            | "how"
            | "why"
            | "who"
            | "where"
            | "when"
            | "have"
            | "has"
    ) || matches!(
        form,
        "any"
            | "may"
            | "sound"
            | "shouldn't"
            | "don't"
            | "isn't"
            | "what's"
            | "if"
            | "or"
            | "anything"
    )
}

fn asks_leave(prose: &Prose<'_>, words: &Range<usize>) -> bool {
    let form = |n: usize| {
        if words.start + n < words.end {
            prose.form(words.start + n)
        } else {
            ""
        }
    };
    match (form(0), form(1)) {
        ("want" | "like", "me")
        | ("would" | "do" | "did", "you")
        | ("shall" | "should" | "may" | "can", "i" | "we")
        | ("happy", "to")
        | ("feel", "free") => true,
        ("let", "me") => form(2) == "know",
        _ => false,
    }
}

fn is_future(form: &str, next: &str, first: bool) -> bool {
    match form {
        "will" | "won't" | "shall" | "tomorrow" | "let's" => true,
        "let" => matches!(next, "me" | "us") || next.is_empty(),
        "going" | "about" | "plan" | "plans" | "planning" | "intend" | "ready" | "prepared" => {
            next == "to" && form != "ready"
        }
        "next" | "later" => first,
        _ => form.ends_with("'ll"),
    }
}

fn is_modal(form: &str, next: &str) -> bool {
    matches!(
        form,
        "should" | "may" | "might" | "would" | "must" | "ought" | "shouldn't" | "wouldn't"
    ) || form.ends_with("'d")
        || (matches!(form, "expected" | "supposed" | "meant") && next == "to")
        || (matches!(form, "need" | "needs" | "want" | "wants" | "has" | "have") && next == "to")
}

fn is_hedge(form: &str, next: &str) -> bool {
    matches!(
        form,
        "likely"
            | "probably"
            | "perhaps"
            | "maybe"
            | "possibly"
            | "presumably"
            | "apparently"
            | "hopefully"
            | "ideally"
    ) || matches!(
        form,
        "seems" | "seem" | "supposedly" | "theoretically" | "unsure"
    ) || (matches!(form, "appears" | "appear")
        // `no longer appears`, `appears 12 times` tell what is there.
        && !(matches!(
            next,
            "" | "and" | "in" | "on" | "at" | "once" | "twice" | "for" | "when" | "only" | "there"
        ) || next.starts_with(|c: char| c.is_ascii_digit())))
        || (matches!(form, "looks" | "look") && matches!(next, "as" | "like"))
        || (matches!(form, "in") && matches!(next, "theory" | "principle"))
        || (form == "some" && next == "luck")
        || (form == "judging" && matches!(next, "by" | "from"))
        || (matches!(form, "i")
            && matches!(next, "think" | "believe" | "suspect" | "guess" | "assume"))
}

fn is_unproved(form: &str) -> bool {
    matches!(
        form,
        "untested" | "unverified" | "unconfirmed" | "unvalidated" | "unchecked"
    )
}

fn is_first_person(form: &str) -> bool {
    matches!(
        form,
        "i" | "we"
            | "my"
            | "our"
            | "me"
            | "i'm"
            | "i've"
            | "i'll"
            | "i'd"
            | "we've"
            | "we'll"
            | "we're"
    )
}

fn is_person_tail(tail: &str) -> bool {
    matches!(tail, "" | "r" | "'re" | "'ve" | "'ll" | "'d" | "rs")
}

fn is_open(form: &str, next: &str) -> bool {
    matches!(
        form,
        "remaining" | "pending" | "outstanding" | "tbd" | "unresolved"
    ) || (matches!(form, "need" | "needs" | "yet") && matches!(next, "to" | "be"))
        || (form == "still" && matches!(next, "needs" | "need" | "open"))
}

/// `Run it`, `- Mark the PR ready`, `Please confirm`, `make sure`: a base form where a subject would stand.
fn is_order(prose: &Prose<'_>, words: &Range<usize>) -> bool {
    let mut at = words.start;
    while at < words.end
        && matches!(
            prose.form(at),
            "please" | "just" | "then" | "and" | "also" | "to" | "first" | "or"
        )
    {
        at += 1;
    }
    // `pass` alone in a cell is a result.
    if words.len() == 1 && prose.form(at) == "pass" {
        return false;
    }
    let clean = at + 1 < words.end && prose.form(at) == "clean" && prose.form(at + 1) == "up";
    if clean {
        return true;
    }
    let named = at < words.end && is_noun_too(prose.form(at)) && prose.form(at) != "commit";
    if named && words.len() <= 3 && is_bold(prose, words) {
        return false;
    }
    let opens =
        at < words.end && is_base_verb(prose.form(at)) && prose.words[at].kind == WordKind::Plain;
    opens && !is_noun_here(prose, at, words.end)
}

/// The clause is a bold label: `**Search functionality** - …`.
fn is_bold(prose: &Prose<'_>, words: &Range<usize>) -> bool {
    let first = prose.words[words.start].range.start;
    let last = prose.words[words.end - 1].range.end;
    let masked = prose.masked();
    masked[..first].ends_with("**") && masked[last..].starts_with("**")
}

/// `Build passes`, `Commit: …`, `Push succeeded`: the word is a subject or a label, not an order.
fn is_noun_here(prose: &Prose<'_>, at: usize, end: usize) -> bool {
    let next_start = prose
        .words
        .get(at + 1)
        .map_or(prose.masked().len(), |word| word.range.start);
    let behind =
        prose.masked()[prose.words[at].range.end..next_start].trim_start_matches(['*', '_']);
    if behind.starts_with([':', '：']) {
        return true;
    }
    if is_compound(prose.form(at), prose.form(at + 1)) {
        return true;
    }
    let next = if at + 1 < end && is_noun_too(prose.form(at)) {
        prose.form(at + 1)
    } else {
        ""
    };
    let says = matches!(
        next,
        "is" | "was" | "are" | "were" | "has" | "passes" | "pass" | "passed" | "passing"
    ) || matches!(
        next,
        "successful"
            | "fails"
            | "failed"
            | "succeeds"
            | "succeeded"
            | "clean"
            | "green"
            | "works"
            | "now"
            | "still"
    );
    // `Review agent ran …`, `Build script added …`
    let doer = is_noun_too(prose.form(at)) && (is_reporter(next) || is_doer(next));
    let deed = (at + 2..end.min(at + 5)).any(|verb| {
        let form = prose.form(verb);
        past_act(form).is_some()
            || matches!(
                form,
                "is" | "was" | "came" | "succeeded" | "succeeds" | "passed" | "passes" | "failed"
            )
    });
    if doer && deed {
        return true;
    }
    // `Check installed packages` is an order.
    says || (past_act(next).is_some() && !is_plain(prose, at + 2, end))
}

/// `type checking`, `pull request`, `commit message`: the verb is the first half of a noun.
fn is_compound(form: &str, next: &str) -> bool {
    matches!(
        (form, next),
        (
            "type",
            "check" | "checks" | "checking" | "checker" | "errors" | "hints"
        ) | ("pull", "request" | "requests")
            | (
                "commit" | "build" | "release" | "merge",
                "message"
                    | "messages"
                    | "history"
                    | "hash"
                    | "order"
                    | "time"
                    | "notes"
                    | "body"
                    | "title"
            )
    )
}

fn is_doer(form: &str) -> bool {
    matches!(
        form,
        "job" | "run" | "script" | "step" | "workflow" | "suite" | "command" | "task" | "stage"
    )
}

/// Base forms that are as often the name of a thing or an event.
fn is_noun_too(form: &str) -> bool {
    matches!(
        form,
        "build"
            | "test"
            | "check"
            | "commit"
            | "push"
            | "merge"
            | "fix"
            | "update"
            | "review"
            | "change"
    ) || matches!(
        form,
        "deploy" | "install" | "run" | "search" | "report" | "copy" | "list" | "edit" | "rebase"
    ) || matches!(
        form,
        "restart" | "upgrade" | "note" | "call" | "watch" | "move" | "switch" | "start" | "stop"
    )
}

/// Whether a word that could be a noun stands at `at`.
fn is_plain(prose: &Prose<'_>, at: usize, end: usize) -> bool {
    at < end
        && prose.words[at].kind == WordKind::Plain
        && !matches!(
            prose.form(at),
            "and" | "to" | "in" | "on" | "at" | "with" | "for" | "as" | "by" | "from" | "now"
        )
        && !prose.form(at).ends_with("ly")
}
