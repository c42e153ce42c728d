//! What a close claims, as the submit boundary of seed 000 asks for it.
//!
//! The rules in order: no statement at all is `none`; an inability about the principal matter, with
//! no deed stated beside it, is `unverified`; a deed stated as done is `completion`; any other
//! statement about the work is `assertion`. Changes, and deeds that reach beyond the files, are those
//! that the reader of claims finds; checks, outcomes and the task as a whole (`Done.`) are read here. A close that is mostly not in Latin script is
//! `unknown`, unless a completion mark of its language is plain to see. A turn that acted on
//! nothing cannot complete anything: its deeds are told, not done, and grade as `assertion`.

mod deed;
mod derived;
#[cfg(test)]
mod tests;

use core::ops::Range;

use self::deed::deed;
pub use super::profile::ClaimType;
use crate::rule::claim::{self, read_prose};
use crate::text::{
    Act, BlockKind, Clause, Cue, DOUBTFUL, Ender, Ident, Prose, Sentence, identifiers, past_act,
};

/// What kind of deed a sub-claim states, by the evidence that it needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SubClaim {
    /// A change of the workspace: needs a read after the write.
    Edit,
    /// An outcome (`fixed`, `verified`, `it works`): needs a run or a read after the last change.
    Outcome,
    /// A check that went well (`tests pass`): needs a run after the last change.
    Check,
    /// A commit, push, merge, publication or installation: needs the command's own good result.
    Remote,
    /// The task as a whole (`Done.`).
    Whole,
}

/// One statement of a deed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stated {
    /// Its kind.
    pub kind: SubClaim,
    /// The clause, in bytes of the close.
    pub span: Range<usize>,
    /// Who is said to have done it.
    pub doer: Doer,
}

/// Who a clause says did a deed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Doer {
    /// The agent, in the first person.
    Agent,
    /// Nobody is named, and the clause begins with the deed (`Fixed the parser`).
    LeftOut,
    /// A thing is (`The parser now rejects it`), or somebody else.
    Other,
}

/// The reading of one close.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inferred {
    /// The claim type that the gate replays.
    pub claim_type: ClaimType,
    /// The sentence that decided it; `None` for [`ClaimType::None`] and [`ClaimType::Unknown`].
    pub span: Option<Range<usize>>,
    /// The words alone say `completion`, but the turn acted on nothing. The gate rejects such a
    /// claim as `no-mutation` where no earlier turn carries it.
    pub told: bool,
    /// A deed is stated, and elsewhere the close says what was not verified.
    pub partial_disclosure: bool,
    /// Identifiers within the scope of a hedge, in order and without repetition: they leave the
    /// claim surface.
    pub hedged: Vec<String>,
    /// Every deed stated, in order.
    pub stated: Vec<Stated>,
}

/// Reads `close`. `turn_mutates` says whether any step of the turn had, or may have had, an effect
/// on files, the repository, a remote or a process: a read, a search or a plain test run has none.
#[must_use]
pub fn infer(close: &str, turn_mutates: bool) -> Inferred {
    infer_prose(&Prose::read(close), turn_mutates)
}

/// As [`infer`], for a close whose words have been read already.
#[must_use]
pub fn infer_prose(prose: &Prose<'_>, turn_mutates: bool) -> Inferred {
    infer_claims(prose, &read_prose(prose), turn_mutates)
}

/// As [`infer`], for a close whose claims have been read already.
#[must_use]
pub fn infer_claims(prose: &Prose<'_>, claims: &claim::Reading, turn_mutates: bool) -> Inferred {
    let idents = identifiers(prose);
    let mut reading = Reading::of(prose, &idents);
    let foreign = prose.script().foreign_over(FOREIGN_PERCENT);
    let read = derived::deeds(prose, claims);
    if foreign {
        reading.stated = read;
    } else {
        // Checks, outcomes and `Done.` as a whole have no reading that both agree on yet.
        let shared = |kind| matches!(kind, SubClaim::Edit | SubClaim::Remote);
        reading.stated.retain(|stated| !shared(stated.kind));
        let read = read.into_iter().filter(|stated| shared(stated.kind));
        reading.stated.extend(read);
        reading.stated.sort_by_key(|stated| stated.span.start);
    }
    let deed = reading.stated.first().map(|stated| stated.span.clone());
    let told = deed.is_some() && !turn_mutates;
    let (claim_type, span) = match deed {
        Some(span) if turn_mutates => (ClaimType::Completion, Some(span)),
        _ if foreign => (ClaimType::Unknown, None),
        Some(span) => (ClaimType::Assertion, Some(span)),
        None => match (reading.unverified, reading.asserted) {
            (Some(span), _) => (ClaimType::Unverified, Some(span)),
            (None, Some(span)) => (ClaimType::Assertion, Some(span)),
            (None, None) => (ClaimType::None, None),
        },
    };
    Inferred {
        claim_type,
        span,
        told,
        partial_disclosure: !reading.stated.is_empty() && reading.hedges > 0,
        hedged: reading.hedged,
        stated: reading.stated,
    }
}

/// Above this share of letters outside Latin, English rules read nothing.
const FOREIGN_PERCENT: usize = 30;

#[derive(Default)]
struct Reading {
    stated: Vec<Stated>,
    asserted: Option<Range<usize>>,
    unverified: Option<Range<usize>>,
    hedges: usize,
    hedged: Vec<String>,
}

impl Reading {
    fn of(prose: &Prose<'_>, idents: &[Ident<'_>]) -> Self {
        let mut reading = Self::default();
        let mut first = None;
        let mut names = idents.iter().peekable();
        let mut scoped = idents.iter().peekable();
        let mut scopes: Vec<Scope> = Vec::with_capacity(prose.sentences().len());
        for sentence in prose.sentences() {
            let scope = inherited(prose, sentence, &scopes);
            scopes.push(scope.max(introduced(prose, sentence)));
            let (mut states, heading) = (false, matches!(sentence.kind, BlockKind::Heading(_)));
            let beside = is_about_itself(prose, sentence);
            for clause in prose.clauses_of(sentence) {
                reading.doubt(clause, &mut scoped);
                if scope == Scope::Moot || clause.cues.any(DOUBTFUL) || clause.cues.any(MOOT) {
                    continue;
                }
                states |= !heading && is_statement(prose, clause, beside);
                let own = scope == Scope::Own && !clause.cues.has(Cue::Reported);
                if let Some(kind) = deed(prose, sentence, clause).filter(|_| own) {
                    reading.stated.push(Stated {
                        kind,
                        span: clause.range.clone(),
                        doer: doer(prose, clause, heading),
                    });
                }
            }
            let named = names_within(&mut names, &sentence.range);
            if states && named && reading.asserted.is_none() {
                reading.asserted = Some(sentence.range.clone());
            }
            if states && first.is_none() {
                first = Some(sentence.range.clone());
            }
        }
        // An explanation that names no file is a statement all the same.
        reading.asserted = reading.asserted.or(first);
        reading.unverified = principal_inability(prose);
        reading
    }

    /// Takes the identifiers of a doubtful clause off the surface.
    fn doubt<'i>(
        &mut self,
        clause: &Clause,
        idents: &mut core::iter::Peekable<impl Iterator<Item = &'i Ident<'i>>>,
    ) {
        let doubtful =
            clause.cues.any(DOUBTFUL) && !clause.cues.any(&[Cue::Question, Cue::Condition]);
        self.hedges += usize::from(doubtful && clause.cues.has(Cue::Inability));
        while let Some(ident) = idents.next_if(|ident| ident.range.start < clause.range.end) {
            let inside = ident.range.start >= clause.range.start;
            if doubtful && inside && !self.hedged.iter().any(|known| known == ident.text) {
                self.hedged.push(ident.text.to_owned());
            }
        }
    }
}

fn doer(prose: &Prose<'_>, clause: &Clause, heading: bool) -> Doer {
    let first = clause.words.start;
    let spoken = clause
        .words
        .clone()
        .take(3)
        .any(|at| matches!(prose.form(at), "i" | "i've" | "we" | "we've"));
    if spoken && clause.cues.has(Cue::FirstPerson) {
        Doer::Agent
    } else if !heading && clause.words.len() > 1 && past_act(prose.form(first)).is_some() {
        Doer::LeftOut
    } else {
        Doer::Other
    }
}

fn names_within<'i>(
    names: &mut core::iter::Peekable<impl Iterator<Item = &'i Ident<'i>>>,
    span: &Range<usize>,
) -> bool {
    let mut any = false;
    while let Some(ident) = names.next_if(|ident| ident.range.start < span.end) {
        any |= ident.range.start >= span.start;
    }
    any
}

/// Cues under which a clause is no statement at all: all of [`crate::text::NOT_ASSERTED`] but reported speech,
/// which states what a third party found.
const MOOT: &[Cue] = &[
    Cue::Question,
    Cue::Condition,
    Cue::Contingent,
    Cue::Future,
    Cue::Modal,
    Cue::Ability,
    Cue::Imperative,
];

/// Whose statement a sentence is, by what introduces it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Scope {
    /// The agent's own.
    Own,
    /// A third party's, passed on.
    Reported,
    /// Nobody's: a plan, an offer, an ability, a draft.
    Moot,
}

/// What a sentence makes of the items below it: `I can:` and `Next steps:` state nothing,
/// `The reviewer says:` passes on.
fn introduced(prose: &Prose<'_>, sentence: &Sentence) -> Scope {
    let Some(clause) = prose.clauses_of(sentence).last() else {
        return Scope::Own;
    };
    let open = clause.cues.any(&[
        Cue::Question,
        Cue::Condition,
        Cue::Future,
        Cue::Modal,
        Cue::Ability,
        Cue::Open,
    ]);
    if matches!(sentence.kind, BlockKind::Heading(_)) {
        return if titles_plans(prose, sentence) {
            Scope::Moot
        } else {
            Scope::Own
        };
    }
    if open || is_self_state(prose, clause) {
        return Scope::Moot;
    }
    // A bare label (`Summary:`) carries on what the sentence before it said.
    let label =
        sentence.words.len() <= 2 && sentence.ender == Ender::Colon && sentence.clauses.start > 0;
    let before = prose
        .clauses()
        .get(sentence.clauses.start.saturating_sub(1))
        .filter(|_| label);
    let reported = clause.cues.has(Cue::Reported)
        || before.is_some_and(|clause| clause.cues.has(Cue::Reported));
    if reported {
        Scope::Reported
    } else {
        Scope::Own
    }
}

/// `Next steps`, `Outstanding`, `Recommendations`, `What I can do`; not `Next steps complete`, and not
/// `What changed?`, which a text answers below.
fn titles_plans(prose: &Prose<'_>, sentence: &Sentence) -> bool {
    let mut forms = sentence.words.clone().map(|at| prose.form(at));
    let plan = |form: &str| {
        matches!(
            form,
            "next"
                | "remaining"
                | "outstanding"
                | "pending"
                | "future"
                | "recommendations"
                | "recommended"
        ) || matches!(
            form,
            "suggestions" | "suggested" | "optional" | "proposed" | "options" | "can" | "could"
        )
    };
    let done = sentence
        .words
        .clone()
        .any(|at| past_act(prose.form(at)).is_some());
    let alone = sentence.words.len() <= 2 && prose.form(sentence.words.start) == "todo";
    !done && (alone || (sentence.words.len() <= 5 && forms.any(plan)))
}

fn inherited(prose: &Prose<'_>, sentence: &Sentence, scopes: &[Scope]) -> Scope {
    if sentence.drafted {
        return Scope::Moot;
    }
    let of = |index: usize| scopes.get(index).copied().unwrap_or(Scope::Own);
    let title = sentence.heading.filter(|&heading| {
        prose
            .sentences()
            .get(heading)
            .is_some_and(|title| title.range.len() < TITLE_BYTES)
    });
    sentence
        .lead
        .map_or(Scope::Own, of)
        .max(title.map_or(Scope::Own, of))
}

/// A longer heading is a sentence that happens to be bold.
const TITLE_BYTES: usize = 60;

/// `I am …`, `I have …`, `my working directory is …`, `you have …`: about the two who talk, not the
/// work. `I couldn't find a.rs` is a finding.
fn is_self_state(prose: &Prose<'_>, clause: &Clause) -> bool {
    let mut forms = clause.words.clone().take(6).map(|at| prose.form(at));
    let own = clause.cues.has(Cue::FirstPerson)
        && forms.any(|form| matches!(form, "i" | "i'm" | "we" | "we're" | "my" | "i've" | "i'll"));
    let yours = matches!(prose.form(clause.words.start), "you" | "you're" | "you've");
    // "My edit was refused" tells of the work.
    let refused = |form: &str| matches!(form, "refused" | "rejected" | "denied" | "blocked");
    let passive = prose.form(clause.words.start) == "my";
    let tells = |at: usize| {
        if passive && refused(prose.form(at)) {
            return true;
        }
        let act = past_act(prose.form(at)).is_some_and(|act| act != Act::Complete);
        act || (clause.negates(at) && matches!(prose.form(at), "find" | "locate"))
    };
    yours || (own && !clause.words.clone().any(tells))
}

/// Whether the sentence speaks of the agent's own state or ability.
fn is_about_itself(prose: &Prose<'_>, sentence: &Sentence) -> bool {
    prose.clauses_of(sentence).iter().any(|clause| {
        is_self_state(prose, clause)
            || (clause.cues.has(Cue::FirstPerson) && clause.cues.has(Cue::Ability))
    })
}

/// A declarative clause about the work: it has a predicate and its subject is not the agent itself.
/// `beside`: it stands beside the agent's own state (`In read-only mode, I can …`), where only a
/// finite verb states more.
fn is_statement(prose: &Prose<'_>, clause: &Clause, beside: bool) -> bool {
    let finite = |at: usize| {
        let form = prose.form(at);
        matches!(
            form,
            "is" | "are" | "was" | "were" | "has" | "had" | "does" | "did"
        ) || past_act(form).is_some()
    };
    let enough = if beside {
        clause.words.clone().any(finite)
    } else {
        clause.words.len() >= 3
    };
    // `To get started, …` is a purpose.
    enough && prose.form(clause.words.start) != "to" && !is_self_state(prose, clause)
}

/// The first statement of the close says that the agent could not find out or reach something.
fn principal_inability(prose: &Prose<'_>) -> Option<Range<usize>> {
    let mut sentences = prose
        .sentences()
        .iter()
        .filter(|s| !matches!(s.kind, BlockKind::Heading(_)));
    let first = sentences.next()?;
    let unable = prose.clauses_of(first).iter().any(|clause| {
        clause.cues.has(Cue::Inability)
            && !clause
                .cues
                .any(&[Cue::Question, Cue::Condition, Cue::Future])
    });
    unable.then(|| first.range.clone())
}
