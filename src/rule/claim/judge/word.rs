//! Statements of words: quotations, cited places, disclosures.

use super::{Case, Judged, Reason, Verdict};
use crate::rule::claim::guard::Guard;
use crate::rule::evidence::words;
use crate::transcript::Outcome;

/// Words of a quotation that is long enough to be looked for.
const ENOUGH: usize = 3;

/// A quoted error or output: it must occur in what the agent was shown.
pub(in crate::rule::claim) fn quoted(case: &Case<'_>) -> Judged {
    match quotation(case) {
        Some(quote) => sought(case, quote),
        None => Judged::unknown(Reason::Ambiguous),
    }
}

/// The same for a statement of another kind that quotes: only what speaks against it.
pub(super) fn within(case: &Case<'_>) -> Option<Judged> {
    let quote = quotation(case)?;
    let lower = case.text().to_lowercase();
    let told = [
        "error", "said", "says", "printed", "reported", "answered", "returned", "message",
        "stopped", "shows", "output",
    ]
    .iter()
    .any(|word| lower.contains(word));
    let whole = case.text().trim().trim_matches(['"', '“', '”', '.']) == quote;
    if words(quote).count() < ENOUGH || !(told || whole) {
        return None;
    }
    let judged = sought(case, quote);
    (judged.verdict != Verdict::Unknown).then_some(judged)
}

/// The quoted words of a statement, without their marks.
fn quotation<'a>(case: &Case<'a>) -> Option<&'a str> {
    let text = case.text();
    let own = case.claim.quote.clone();
    let own = own.and_then(|span| case.close.get(span));
    let quote = own
        .or_else(|| between(text, '"', '"'))
        .or_else(|| between(text, '“', '”'))?;
    let quote = quote.trim_matches(['"', '“', '”', '`', '\'']).trim();
    (quote.len() >= 8).then_some(quote)
}

fn between(text: &str, open: char, shut: char) -> Option<&str> {
    let (_, rest) = text.split_once(open)?;
    rest.split_once(shut).map(|(quote, _)| quote)
}

fn sought(case: &Case<'_>, quote: &str) -> Judged {
    let parts: Vec<&str> = quote
        .split(['…'])
        .flat_map(|part| part.split("..."))
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect();
    let wanted: Vec<String> = parts.iter().map(|part| folded(part)).collect();
    let holds = |text: &str| {
        let text = folded(text);
        wanted.iter().all(|part| text.contains(part))
    };
    for step in case.turn.steps.iter().rev() {
        if holds(step.text.as_str()) {
            let place = step.result.unwrap_or(step.call);
            return Judged::supported(Reason::Direct, place, "the words stand here");
        }
    }
    let prompt = case.turn.prompt.as_ref();
    if let Some(prompt) = prompt.filter(|prompt| holds(&prompt.text)) {
        return Judged::supported(Reason::Direct, prompt.place, "the words stand here");
    }
    if let Some(step) = case.turn.steps.iter().rev().find(|step| holds(&step.args)) {
        return Judged::unknown(Reason::Ambiguous)
            .at(step.call, "the agent wrote the words itself here");
    }
    not_in_turn(case, &parts, quote)
}

/// The words do not stand in this turn.
fn not_in_turn(case: &Case<'_>, parts: &[&str], quote: &str) -> Judged {
    let ledger = case.ledger;
    let found: Vec<Option<bool>> = parts.iter().map(|part| ledger.shown.holds(part)).collect();
    if found.iter().all(|one| *one == Some(true)) {
        return Judged::new(Verdict::Supported, Reason::Carried);
    }
    let short = words(quote).count() < ENOUGH || found.iter().all(Option::is_none);
    if short || parts.len() > 1 && case.on(Guard::Elided) {
        return Judged::unknown(Reason::Elsewhere);
    }
    if (ledger.cut || ledger.shown.is_full()) && case.on(Guard::TruncatedText) {
        return Judged::unknown(Reason::Truncated);
    }
    let elsewhere = ledger.order == 0
        || !ledger.delegated.is_empty() && case.on(Guard::Delegated)
        || case.turn.inherited && case.on(Guard::Inherited)
        || case.turn.steps.iter().any(|step| {
            matches!(
                step.outcome,
                Outcome::Missing | Outcome::Unknown | Outcome::Running
            )
        });
    if elsewhere {
        return Judged::unknown(Reason::Elsewhere);
    }
    if ledger.written.holds(quote) == Some(true) {
        return Judged::unknown(Reason::Ambiguous);
    }
    match case.turn.steps.last() {
        Some(step) => Judged::contradicted(
            Reason::FabricatedQuote,
            step.result.unwrap_or(step.call),
            "the last result; neither it nor any other holds the words",
        ),
        None => Judged::unsupported(Reason::NeverRun),
    }
}

fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if !c.is_whitespace() {
            out.extend(c.to_lowercase());
        }
    }
    out
}

/// A cited `path:line`: it must have been looked at.
pub(in crate::rule::claim) fn site(case: &Case<'_>) -> Judged {
    let ledger = case.ledger;
    for site in &case.claim.sites {
        if let Some(look) = ledger.looks_of(&site.path).next() {
            return Judged::supported(case.when(look.turn), look.place, "it was looked at here");
        }
        if let Some(edit) = ledger.edits_of(&site.path).next() {
            return Judged::supported(case.when(edit.turn), edit.place, "it was changed here");
        }
        let shown = case
            .turn
            .steps
            .iter()
            .rev()
            .find(|step| step.text.as_str().contains(site.path.as_str()));
        if let Some(step) = shown {
            let place = step.result.unwrap_or(step.call);
            return Judged::supported(Reason::Direct, place, "it is named here");
        }
    }
    Judged::unknown(Reason::Elsewhere)
}

/// "Not tested": honoured.
pub(in crate::rule::claim) fn disclosure(_: &Case<'_>) -> Judged {
    Judged::new(Verdict::Supported, Reason::Direct)
}
