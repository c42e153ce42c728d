//! Clauses: the scope within which a negation or a condition holds.

use core::ops::Range;

use super::cue::{self, Cue, Cues};
use super::frame;
use super::lexicon::past_act;
use super::prose::Prose;
use super::sentence::{Ender, Sentence};

/// A stretch of a sentence with one predicate, as a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// From its first to its last word.
    pub range: Range<usize>,
    /// Indices into [`Prose::words`]; never empty.
    pub words: Range<usize>,
    /// What scopes it.
    pub cues: Cues,
    /// The index of the sentence.
    pub sentence: usize,
    /// The first word that denies what follows it. Kept, because a search for each word would make
    /// a long clause quadratic.
    pub negator: Option<usize>,
    /// The first word from which on nothing is asserted, though no cue holds for the whole clause:
    /// what is expected, asked for, or to be found out.
    pub posed: Option<usize>,
}

impl Clause {
    /// Whether a negation of this clause reaches the word at `index`.
    ///
    /// A negation reaches to the right up to the clause's end (`not seem to fail`); of what stands
    /// left of it, it denies nothing (`Added the flag, not the option`).
    #[must_use]
    pub fn negates(&self, index: usize) -> bool {
        self.negator.is_some_and(|at| at < index)
    }

    /// Whether the word at `index` is only put forward: `I expect the tests to pass`.
    #[must_use]
    pub fn poses(&self, index: usize) -> bool {
        self.posed.is_some_and(|at| at <= index)
    }
}

/// Splits every sentence and reads the cues of its clauses.
pub(crate) fn read(prose: &mut Prose<'_>) {
    let mut clauses = Vec::new();
    let mut spans = Vec::with_capacity(prose.sentences.len());
    for (number, sentence) in prose.sentences.iter().enumerate() {
        let first = clauses.len();
        let mut begin = sentence.words.start;
        for index in sentence.words.start + 1..=sentence.words.end {
            if index < sentence.words.end && !starts_clause(prose, begin, index) {
                continue;
            }
            let words = begin..index;
            clauses.push(Clause {
                range: prose.words[begin].range.start..prose.words[index - 1].range.end,
                cues: cue::read(prose, &words),
                negator: words.clone().find(|&at| cue::is_negator(prose, at)),
                posed: frame::posed(prose, &words),
                words,
                sentence: number,
            });
            begin = index;
        }
        relate(prose, sentence, &mut clauses[first..]);
        spans.push(first..clauses.len());
    }
    for (sentence, span) in prose.sentences.iter_mut().zip(spans) {
        sentence.clauses = span;
    }
    prose.clauses = clauses;
}

/// Cues that one clause lends to its neighbours.
fn relate(prose: &Prose<'_>, sentence: &Sentence, clauses: &mut [Clause]) {
    let mut leading = false;
    let mut labelled = false;
    for clause in &mut *clauses {
        if clause.cues.has(Cue::Condition) {
            leading = true;
        } else if leading {
            clause.cues.add(Cue::Contingent);
        }
        if labelled {
            clause.posed = Some(clause.words.start);
        }
        labelled |= is_label(prose, clause) && frame::is_posing_label(prose, &clause.words);
    }
    for i in 1..clauses.len() {
        // `In theory, …`, `Per the README, …`: what leads the statement holds for it.
        if joined_by_comma(prose, &clauses[i]) && frame::is_lead(prose, &clauses[i - 1].words) {
            let shared = clauses[i - 1].cues;
            for cue in [Cue::Hedge, Cue::Modal, Cue::Future, Cue::Reported] {
                if shared.has(cue) {
                    clauses[i].cues.add(cue);
                }
            }
        }
        // `… to verify that there are no errors and no warnings`: the second half has no verb.
        if is_fragment(prose, &clauses[i]) {
            let shared = clauses[i - 1].cues;
            clauses[i].cues.inherit(shared);
        }
        if clauses[i].cues.has(Cue::Condition) && !clauses[i - 1].cues.has(Cue::Condition) {
            clauses[i - 1].cues.add(Cue::Trailing);
        }
    }
    if sentence.ender == Ender::Question {
        let form = |clause: &Clause| prose.form(clause.words.start);
        let asks = |clause: &Clause| cue::is_interrogative(form(clause));
        // `Did it pass when you ran it?` asks from its start.
        let joins =
            |clause: &Clause| matches!(form(clause), "when" | "if" | "which" | "where" | "or");
        let from = clauses
            .iter()
            .rposition(|clause| asks(clause) && !joins(clause))
            .or_else(|| clauses.iter().rposition(asks))
            .unwrap_or(0);
        for clause in &mut clauses[from..] {
            clause.cues.add(Cue::Question);
        }
    }
}

fn joined_by_comma(prose: &Prose<'_>, clause: &Clause) -> bool {
    clause.words.start > 0
        && prose.masked()[prose.words[clause.words.start - 1].range.end..clause.range.start]
            .contains(',')
}

/// The clause ends in a colon within its sentence.
fn is_label(prose: &Prose<'_>, clause: &Clause) -> bool {
    let last = clause.words.end - 1;
    let to = prose
        .words
        .get(last + 1)
        .map_or(prose.masked().len(), |word| word.range.start);
    prose.masked()[prose.words[last].range.end..to].contains([':', '：'])
}

fn is_fragment(prose: &Prose<'_>, clause: &Clause) -> bool {
    let joined = matches!(prose.form(clause.words.start), "and" | "or" | "nor");
    let verb = |at: usize| {
        let form = prose.form(at);
        past_act(form).is_some()
            || matches!(
                form,
                "is" | "are" | "was" | "were" | "has" | "have" | "pass" | "passes" | "do" | "does"
            )
    };
    joined && clause.words.len() <= 4 && !clause.words.clone().any(verb)
}

fn starts_clause(prose: &Prose<'_>, begin: usize, index: usize) -> bool {
    let gap = &prose.masked()[prose.words[index - 1].range.end..prose.words[index].range.start];
    let form = prose.form(index);
    let next = prose.form(index + 1);
    let spaced = gap.contains(char::is_whitespace);
    if gap.contains([';', '；', '|', '(', ')', '—', '，', '→'])
        || (spaced && gap.contains(['–', ':', '：']))
        || gap.contains(" - ")
        || gap.contains(" -- ")
    {
        return true;
    }
    if matches!(
        form,
        "if" | "unless" | "when" | "whenever" | "until" | "till" | "but" | "however" | "although"
    ) || matches!(
        form,
        "though" | "except" | "while" | "whereas" | "because" | "despite" | "assuming"
    ) || (matches!(form, "apart" | "aside") && next == "from")
        || (form == "other" && next == "than")
        || (form == "rather" && next == "than")
        || (form == "instead" && next == "of")
        || (matches!(form, "once" | "after" | "before") && is_subject(next))
        || (form == "as" && next == "soon")
    {
        return true;
    }
    if gap.contains(',') {
        let subordinate = cue::opens_condition(prose, begin);
        return subordinate
            || is_subject(form)
            || matches!(
                form,
                "so" | "yet"
                    | "not"
                    | "then"
                    | "which"
                    | "build"
                    | "lint"
                    | "linting"
                    | "ci"
                    | "tests"
            )
            || (form == "and" && is_subject(next));
    }
    form == "and"
        && (matches!(
            next,
            "i" | "we" | "it" | "they" | "all" | "no" | "none" | "everything"
        ) || is_first(next))
}

fn is_first(form: &str) -> bool {
    matches!(
        form,
        "i'm" | "i've" | "i'll" | "we've" | "we'll" | "we're" | "it's" | "i'd" | "they're"
    )
}

/// A word that opens a subject: a pronoun, a determiner or a quantifier.
fn is_subject(form: &str) -> bool {
    is_first(form)
        || matches!(
            form,
            "i" | "you" | "we" | "it" | "they" | "he" | "she" | "this" | "that" | "these" | "those"
        )
        || matches!(
            form,
            "the"
                | "all"
                | "no"
                | "none"
                | "nothing"
                | "everything"
                | "both"
                | "there"
                | "your"
                | "my"
        )
        || matches!(
            form,
            "you're" | "you've" | "each" | "every" | "our" | "its" | "neither"
        )
}
