//! Statements of words: quotations, cited places, disclosures.

use super::change::names;
use super::{Case, Judged, Reason};

/// A quoted error or output: it must occur in what the agent was shown.
pub(in crate::rule::claim) fn quoted(case: &Case<'_>) -> Judged {
    let quote = case
        .claim
        .quote
        .clone()
        .and_then(|span| case.close.get(span))
        .unwrap_or("");
    let quote = quote.trim_matches(['"', '“', '”', '`', '\'']).trim();
    if quote.len() < 8 {
        return Judged::unknown(Reason::Ambiguous);
    }
    let wanted = folded(quote);
    for step in case.turn.steps.iter().rev() {
        if folded(step.text.as_str()).contains(&wanted) {
            return Judged::supported(
                Reason::Direct,
                step.result.unwrap_or(step.call),
                "the words stand here",
            );
        }
    }
    let asked = case
        .turn
        .prompt
        .as_ref()
        .filter(|prompt| folded(&prompt.text).contains(&wanted));
    match asked {
        Some(prompt) => Judged::supported(Reason::Direct, prompt.place, "the words stand here"),
        None => Judged::unknown(Reason::Elsewhere),
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
        let seen = ledger
            .looks
            .iter()
            .rev()
            .find(|look| look.paths.iter().any(|path| names(&site.path, path)));
        if let Some(look) = seen {
            let reason = if look.turn == ledger.turn {
                Reason::Direct
            } else {
                Reason::Carried
            };
            return Judged::supported(reason, look.place, "it was looked at here");
        }
        let edited = ledger
            .edits
            .iter()
            .rev()
            .find(|edit| names(&site.path, &edit.path));
        if let Some(edit) = edited {
            return Judged::supported(Reason::Direct, edit.place, "it was changed here");
        }
        let shown = case
            .turn
            .steps
            .iter()
            .rev()
            .find(|step| step.text.as_str().contains(site.path.as_str()));
        if let Some(step) = shown {
            return Judged::supported(
                Reason::Direct,
                step.result.unwrap_or(step.call),
                "it is named here",
            );
        }
    }
    Judged::unknown(Reason::Elsewhere)
}

/// "Not tested": honoured.
pub(in crate::rule::claim) fn disclosure(_: &Case<'_>) -> Judged {
    Judged::new(super::Verdict::Supported, Reason::Direct)
}
