//! The driver: one pass over the sentences, then the parameters.

use core::ops::Range;

use super::model::{Kind, Reading, Reporter};
use super::section::{self, Section};
use super::{brief, check, cjk, count, deed, detail, event, fence, item, language, plain, state};
use crate::text::{
    Act, BlockKind, Clause, Cue, Ender, Ident, Number, Prose, Sentence, WordKind, past_act,
};

/// Reads the claims of `close`. Any text will do; the work is linear in its length.
#[must_use]
pub fn read(close: &str) -> Reading {
    read_prose(&Prose::read(close))
}

/// As [`read`], for a close that has been read already.
#[must_use]
pub fn read_prose(prose: &Prose<'_>) -> Reading {
    let mut scan = Scan::new(prose);
    let other = language::is_other(prose);
    let mut unread = Vec::new();
    if other {
        unread.extend(language::stated(prose));
    } else {
        for index in 0..prose.sentences().len() {
            scan.sentence(index);
        }
        unread = cjk::read(&mut scan);
        let figures = scan.found.iter().all(|found| found.kind == Kind::Count);
        if figures && language::is_short_foreign(prose) {
            unread.extend(language::stated(prose));
        }
        fence::read(&mut scan);
    }
    let mut claims = detail::claims(&scan);
    claims.retain(|claim| !is_open(prose.source(), claim.span.start));
    Reading {
        claims,
        language: language::verdict(prose, other, &unread),
        unread,
    }
}

/// Whether an open box stands right before a statement, wherever in its line: `2. - [ ] Tests pass`.
/// It is a plan.
fn is_open(source: &str, start: usize) -> bool {
    let before = source.get(..start).unwrap_or("");
    before
        .trim_end_matches(['*', '_', '`', ' '])
        .ends_with("[ ]")
}

/// A claim without its parameters.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) kind: Kind,
    pub(super) span: Range<usize>,
    pub(super) negated: bool,
    pub(super) reported: Option<Reporter>,
    /// The sentence it stands in; a status block has none.
    pub(super) sentence: Option<usize>,
}

/// What the readers share.
pub(super) struct Scan<'s, 'p> {
    pub(super) prose: &'s Prose<'p>,
    pub(super) sections: Vec<Section>,
    pub(super) idents: Vec<Ident<'p>>,
    pub(super) numbers: Vec<Number>,
    pub(super) found: Vec<Found>,
    /// For every sentence, how many claims stood before it.
    pub(super) before: Vec<usize>,
    /// The text above has said that files were made.
    pub(super) made: bool,
    next_number: usize,
}

/// Cues under which a clause states nothing that a record could bear out.
pub(super) const MOOT: &[Cue] = &[
    Cue::Question,
    Cue::Condition,
    Cue::Contingent,
    Cue::Future,
    Cue::Modal,
    Cue::Ability,
    Cue::Imperative,
    Cue::Hedge,
];

/// The same, where what looks like an order is a noun.
const NO_ORDER: &[Cue] = &[
    Cue::Question,
    Cue::Condition,
    Cue::Contingent,
    Cue::Future,
    Cue::Modal,
    Cue::Ability,
    Cue::Hedge,
];

/// Cues that may belong to what a deed is about.
const AFTER_DEED: &[Cue] = &[Cue::Modal, Cue::Ability, Cue::Future, Cue::Hedge];
/// Cues that no deed outweighs.
const NEVER: &[Cue] = &[
    Cue::Question,
    Cue::Condition,
    Cue::Contingent,
    Cue::Imperative,
    Cue::SecondPerson,
];

impl<'s, 'p> Scan<'s, 'p> {
    fn new(prose: &'s Prose<'p>) -> Self {
        Self {
            prose,
            sections: section::sections(prose),
            idents: crate::text::identifiers(prose),
            numbers: crate::text::numbers(prose),
            found: Vec::new(),
            before: Vec::with_capacity(prose.sentences().len()),
            made: false,
            next_number: 0,
        }
    }

    fn sentence(&mut self, index: usize) {
        self.before.push(self.found.len());
        let sentence = &self.prose.sentences()[index];
        let own = self.numbers_of(sentence);
        if self.section(index).moot {
            return self.admissions(index);
        }
        if self.is_legend(sentence) {
            return;
        }
        check::read(self, index);
        for at in sentence.clauses.clone() {
            let clause = &self.prose.clauses()[at];
            if self.is_moot(sentence, clause) {
                if state::unable(self, clause) {
                    self.push_as(index, Kind::Disclosure, &clause.words, true);
                }
                continue;
            }
            deed::read(self, index, clause);
            state::read(self, index, clause);
            if !self.is_title(sentence) && !self.leads_items(index) {
                event::read(self, index, clause);
                plain::read(self, index, clause);
                brief::read(self, index, clause);
            }
        }
        count::read(self, index, own);
        count::read_row(self, index);
        count::read_size(self, index);
        item::read(self, index);
        self.deny(index);
        if self.is_title(sentence) {
            self.made = false;
        } else if !is_item(sentence) {
            let from = self.before.last().copied().unwrap_or(0);
            self.made |= self.found[from..]
                .iter()
                .any(|found| found.kind == Kind::Create);
        }
    }

    /// "It is not true that …": what the sentence says is denied as a whole. A denied check or a
    /// denied lack of changes is a statement; of a denied deed there is none to hold the record to.
    fn deny(&mut self, index: usize) {
        let words = self.prose.sentences()[index].words.clone();
        let opens: Vec<&str> = words.take(5).map(|at| self.form(at)).collect();
        if !denies(&opens) {
            return;
        }
        let from = self.before.last().copied().unwrap_or(0);
        let mut own = self.found.split_off(from);
        own.retain_mut(|found| {
            found.negated = true;
            matches!(
                found.kind,
                Kind::Tests
                    | Kind::Build
                    | Kind::Lint
                    | Kind::Typecheck
                    | Kind::Format
                    | Kind::Nochange
            )
        });
        self.found.append(&mut own);
    }

    /// Below a title of plans nothing is stated but what the agent owns up to.
    fn admissions(&mut self, index: usize) {
        let sentence = &self.prose.sentences()[index];
        if sentence.drafted {
            return;
        }
        for at in sentence.clauses.clone() {
            let clause = &self.prose.clauses()[at];
            if !self.is_moot(sentence, clause) && state::admits(self, clause) {
                self.push_as(index, Kind::Disclosure, &clause.words, true);
            }
        }
    }

    /// `` `(merged)` = branch merged into main ``: a mark and what it stands for.
    fn is_legend(&self, sentence: &Sentence) -> bool {
        let start = sentence.words.start;
        let word = &self.prose.words()[start];
        let mark = matches!(word.kind, WordKind::Code | WordKind::Quoted);
        let text = self.prose.source().get(word.range.clone()).unwrap_or("");
        let gap = self
            .gap(sentence, start)
            .trim_start_matches(['`', '*', ' ']);
        mark && is_item(sentence) && !text.contains(' ') && gap.starts_with("= ")
    }

    /// Indices of the numbers of the sentence; sentences are asked for in order.
    fn numbers_of(&mut self, sentence: &Sentence) -> Range<usize> {
        let start = self.next_number;
        while self
            .numbers
            .get(self.next_number)
            .is_some_and(|number| number.word < sentence.words.end)
        {
            self.next_number += 1;
        }
        start..self.next_number
    }

    pub(super) fn section(&self, index: usize) -> Section {
        self.sections.get(index).copied().unwrap_or_default()
    }

    /// Whether the clause states nothing: asked, conditional, to come, or doubted.
    pub(super) fn is_moot(&self, sentence: &Sentence, clause: &Clause) -> bool {
        let unticked = matches!(
            sentence.kind,
            BlockKind::Item {
                check: Some(false),
                ..
            }
        );
        unticked
            || clause.poses(clause.words.start)
            || self.is_foreign(clause)
            || matches!(
                self.form(clause.words.start),
                "sometimes" | "usually" | "typically" | "normally" | "often"
            )
            || (clause.cues.any(if self.names_run(clause) {
                NO_ORDER
            } else {
                MOOT
            }) && !(clause.cues.any(AFTER_DEED)
                && !clause.cues.any(NEVER)
                && self.opens_with_deed(clause)))
    }

    /// What the user or a document says is not the agent's own statement.
    fn is_foreign(&self, clause: &Clause) -> bool {
        let words = clause.words.start..clause.words.end.min(clause.words.start + 6);
        clause.cues.has(Cue::Reported)
            && matches!(
                section::reporter(self.prose, &words),
                Some(Reporter::User | Reporter::Docs) | None
            )
    }

    /// `Clarified that it should not …`: what follows the deed is its content.
    fn opens_with_deed(&self, clause: &Clause) -> bool {
        clause.words.clone().take(2).any(|at| {
            let deed = matches!(
                past_act(self.form(at)),
                Some(Act::Edit | Act::Create | Act::Delete | Act::Fix | Act::Verify)
            );
            deed && (at == clause.words.start
                || matches!(self.form(at - 1), "i" | "we" | "also" | "i've" | "and"))
        })
    }

    pub(super) fn form(&self, at: usize) -> &str {
        self.prose.form(at)
    }

    /// The form of the word `n` places left of `at` within `words`, or the empty string.
    pub(super) fn back(&self, words: &Range<usize>, at: usize, n: usize) -> &str {
        if at >= words.start + n {
            self.prose.form(at - n)
        } else {
            ""
        }
    }

    /// The form of the word `n` places right of `at` within `words`, or the empty string.
    pub(super) fn ahead(&self, words: &Range<usize>, at: usize, n: usize) -> &str {
        if at + n < words.end {
            self.prose.form(at + n)
        } else {
            ""
        }
    }

    /// The text between the word at `at` and the next one of the sentence.
    pub(super) fn gap(&self, sentence: &Sentence, at: usize) -> &str {
        let words = self.prose.words();
        let from = words[at].range.end;
        let masked = self.prose.masked();
        let to = words
            .get(at + 1)
            .map_or(masked.len(), |next| next.range.start);
        let gap = masked.get(from..to).unwrap_or("");
        if at + 1 < sentence.words.end {
            return gap;
        }
        gap.split('\n').next().unwrap_or("")
    }

    /// Bytes from the first to the last of `words`.
    pub(super) fn span(&self, words: &Range<usize>) -> Range<usize> {
        let all = self.prose.words();
        let first = words.start.min(all.len().saturating_sub(1));
        let last = words.end.saturating_sub(1).max(first).min(all.len() - 1);
        all[first].range.start..all[last].range.end
    }

    pub(super) fn push(&mut self, sentence: usize, kind: Kind, words: &Range<usize>) {
        self.push_as(sentence, kind, words, false);
    }

    pub(super) fn push_as(
        &mut self,
        sentence: usize,
        kind: Kind,
        words: &Range<usize>,
        negated: bool,
    ) {
        let span = self.span(words);
        self.found.push(Found {
            kind,
            span,
            negated,
            reported: self.section(sentence).reported,
            sentence: Some(sentence),
        });
    }

    /// Whether list items follow the sentence, which ends in a colon.
    pub(super) fn leads_items(&self, index: usize) -> bool {
        let next = self.prose.sentences().get(index + 1);
        self.leads(index) && next.is_some_and(|next| is_item(next) && next.lead == Some(index))
    }

    /// Whether the sentence has yielded a claim so far.
    pub(super) fn claimed(&self, sentence: usize) -> bool {
        let from = self.before.get(sentence).copied().unwrap_or(0);
        self.found.len() > from
    }

    /// Whether the sentence is a title. A line that is bold as a whole and has a verb of its own is a
    /// statement: `**The file is updated.**`.
    pub(super) fn is_title(&self, sentence: &Sentence) -> bool {
        match sentence.kind {
            BlockKind::Heading(7) => {
                let words = sentence.words.clone();
                let asks = matches!(
                    self.form(words.start),
                    "what" | "how" | "why" | "where" | "when" | "who" | "which"
                );
                let told = matches!(
                    self.form(words.start),
                    "i" | "i've" | "we" | "we've" | "it" | "they" | "that"
                ) || words.clone().skip(1).take(24).any(|at| {
                    at + 1 < words.end
                        && matches!(
                            self.form(at),
                            "is" | "are" | "was" | "were" | "has" | "have" | "now" | "i"
                        )
                });
                let labels = words.clone().skip(1).take(12).any(|at| {
                    past_act(self.form(at - 1)).is_some()
                        && self.prose.words()[at].kind == WordKind::Code
                }) && sentence.ender != Ender::Colon;
                if labels || self.tells_words(sentence) {
                    return false;
                }
                let ended = matches!(sentence.ender, Ender::Stop | Ender::Exclaim);
                asks || sentence.ender == Ender::Colon
                    || words.len() < 3
                    || !(told || (ended && words.len() >= 4))
            }
            BlockKind::Heading(_) => true,
            _ => false,
        }
    }

    /// `**The log shows "…"**`, `**Commit: `3f2a91c`**`: a line that quotes what was said, or hands over
    /// a hash or an address, is a statement however it is set.
    fn tells_words(&self, sentence: &Sentence) -> bool {
        let words = sentence.words.clone();
        let last = words.end - 1;
        let word = &self.prose.words()[last];
        let text = self.prose.source().get(word.range.clone()).unwrap_or("");
        let handed = last > words.start
            && self.gap(sentence, last - 1).contains(':')
            && (word.kind == WordKind::Url
                || word.kind == WordKind::Code && state::is_hash(text.trim_matches('`')));
        let said = word.kind == WordKind::Quoted
            && words.take(12).any(|at| {
                matches!(
                    self.form(at),
                    "said"
                        | "says"
                        | "printed"
                        | "shows"
                        | "showed"
                        | "reads"
                        | "reported"
                        | "answered"
                        | "returned"
                        | "stopped"
                )
            });
        handed || said
    }

    /// `Test run is clean`: a noun and its verb, and no order to test.
    fn names_run(&self, clause: &Clause) -> bool {
        let words = &clause.words;
        let start = words.start;
        let well = || {
            words.clone().take(8).any(|at| {
                matches!(
                    self.form(at),
                    "pass" | "passes" | "passed" | "green" | "clean" | "fail" | "failed"
                )
            })
        };
        // `Go tests pass`, `Build and tests pass`.
        let second = self.ahead(words, start, 1);
        let by_name = self.form(start) == "go" && matches!(second, "tests" | "vet");
        let joined = matches!(self.form(start), "test" | "build" | "lint") && second == "and";
        if (by_name || joined) && well() {
            return true;
        }
        matches!(self.form(start), "test" | "build" | "lint")
            && matches!(
                self.ahead(words, start, 1),
                "run" | "runs" | "suite" | "suites" | "results" | "status" | "output"
            )
            && matches!(
                self.ahead(words, start, 2),
                "is" | "are" | "was" | "were" | "came" | "passes" | "passed" | "pass"
            )
    }

    /// Whether the sentence, read so far, states a check of the kind.
    pub(super) fn states_kind(&self, sentence: usize, kind: Kind) -> bool {
        let from = self.before.get(sentence).copied().unwrap_or(0);
        self.found[from..]
            .iter()
            .take(16)
            .any(|found| found.kind == kind)
    }

    /// Whether the sentence ends in a colon.
    pub(super) fn leads_words(&self, sentence: &Sentence) -> bool {
        let last = sentence.words.end - 1;
        sentence.ender == Ender::Colon && !self.gap(sentence, last).contains(super::words::TICKS)
    }

    /// Whether the sentence only introduces what follows it.
    pub(super) fn leads(&self, index: usize) -> bool {
        self.leads_words(&self.prose.sentences()[index])
    }
}

/// Whether the words that open a sentence deny all that follows.
pub(super) fn denies(opens: &[&str]) -> bool {
    let rest = match opens {
        ["it", "is", "not", rest @ ..]
        | ["it's", "not", rest @ ..]
        | ["it", "isn't", rest @ ..] => rest,
        ["it", "is", rest @ ..] | ["it's", rest @ ..] => {
            return matches!(rest, ["false" | "untrue" | "wrong", "that", ..]);
        }
        _ => return false,
    };
    matches!(rest, ["true" | "correct", "that", ..])
}

/// Whether the line is a heading or bold as a whole.
pub(super) fn is_heading(sentence: &Sentence) -> bool {
    matches!(sentence.kind, BlockKind::Heading(_))
}

/// Whether the sentence is a list item.
pub(super) fn is_item(sentence: &Sentence) -> bool {
    matches!(sentence.kind, BlockKind::Item { .. })
}
