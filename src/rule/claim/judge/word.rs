//! Statements of words: quotations, cited places, disclosures.

use super::{Case, Judged, Reason, Verdict};
use crate::rule::claim::Site;
use crate::rule::claim::guard::Guard;
use crate::rule::evidence::{folded, names, number, unnumbered, words};
use crate::transcript::{Outcome, Place};
use crate::turn::{Act, Step};

/// The guards that a verdict on words rests on.
pub(in crate::rule::claim) const GUARDS: [Guard; 2] = [Guard::ReportedSpeech, Guard::UnreadRecord];

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
    let parts: Vec<&str> = if case.on(Guard::Elided) {
        let parts = quote.split('…').flat_map(|part| part.split("..."));
        let parts = parts.map(str::trim);
        parts.filter(|part| !part.is_empty()).collect()
    } else {
        vec![quote]
    };
    let wanted: Vec<String> = parts.iter().map(|part| folded(part)).collect();
    let (sights, steps) = (&case.ledger.sights, case.turn.steps.as_slice());
    if let Some(step) = sights.answering(steps, &wanted) {
        let place = step.result.unwrap_or(step.call);
        return Judged::supported(Reason::Direct, place, "the words stand here");
    }
    let prompt = case.turn.prompt.as_ref();
    let asked = |place, text: &str| sights.asked(place, text, &wanted);
    if let Some(prompt) = prompt.filter(|prompt| asked(prompt.place, &prompt.text)) {
        return Judged::supported(Reason::Direct, prompt.place, "the words stand here");
    }
    if let Some(step) = sights.writing(steps, &wanted) {
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
        // A quotation that the session does not hold in one piece stands nowhere.
        let place = parts.first().and_then(|part| ledger.shown.place_of(part));
        return place.map_or(Judged::unknown(Reason::Ambiguous), |place| {
            Judged::supported(Reason::Carried, place, "the words stand here")
        });
    }
    let short = words(quote).count() < ENOUGH || found.iter().all(Option::is_none);
    if short || parts.len() > 1 {
        return Judged::unknown(Reason::Elsewhere);
    }
    if (ledger.cut || ledger.shown.is_full()) && case.on(Guard::TruncatedText) {
        return Judged::unknown(Reason::Truncated);
    }
    let elsewhere = ledger.order == 0
        || !ledger.delegated.is_empty() && case.on(Guard::Delegated)
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

/// The guards that a verdict on a cited place rests on.
pub(in crate::rule::claim) const SITE_GUARDS: [Guard; 3] =
    [Guard::CitedLine, Guard::ReportedSpeech, Guard::UnreadRecord];

/// A cited `path:line`: that line must have been shown.
pub(in crate::rule::claim) fn site(case: &Case<'_>) -> Judged {
    let sites = &case.claim.sites;
    if let Some(judged) = sites.iter().find_map(|site| shown_at(case, site)) {
        return judged;
    }
    let touched = sites.iter().find_map(|site| touched(case, site));
    if let Some((turn, place)) = touched {
        return if case.on(Guard::CitedLine) {
            let what = "of this file other lines were shown, as far as can be told";
            Judged::unknown(Reason::NoReadback).at(place, what)
        } else {
            Judged::supported(case.when(turn), place, "it was looked at here")
        };
    }
    let never = sites.iter().any(|site| never_opened(case, &site.path));
    if never && sites.len() == 1 {
        return Judged::unsupported(Reason::NeverRun);
    }
    Judged::unknown(Reason::Elsewhere)
}

/// Where a line was shown: by a look, in an answer that cites it, or as it was written.
fn shown_at(case: &Case<'_>, site: &Site) -> Option<Judged> {
    let ledger = case.ledger;
    let within = |lines: Option<(u64, u64)>| {
        lines.is_some_and(|(first, last)| (first..=last).contains(&site.line))
    };
    if let Some(look) = ledger.looks_of(&site.path).find(|look| within(look.lines)) {
        let reason = case.when(look.turn);
        return Some(Judged::supported(
            reason,
            look.place,
            "the line was shown here",
        ));
    }
    let mut steps = case.turn.steps.iter().rev();
    if let Some(step) = steps.find(|step| cites(step, site) || in_hunk(step, site)) {
        let reason = case.whose(step.delegate, ledger.turn);
        let place = step.result.unwrap_or(step.call);
        return Some(Judged::supported(
            reason,
            place,
            "the line is shown or named here",
        ));
    }
    let mut edits = ledger.edits_of(&site.path);
    let edit = edits.find(|edit| edit.stands() && within(edit.lines))?;
    let reason = case.whose(edit.delegated, edit.turn);
    Some(Judged::supported(
        reason,
        edit.place,
        "the line was written here",
    ))
}

/// A look at the file, a change of it, or an answer that names it.
fn touched(case: &Case<'_>, site: &Site) -> Option<(u32, Place)> {
    let ledger = case.ledger;
    let look = ledger
        .looks_of(&site.path)
        .next()
        .map(|look| (look.turn, look.place));
    let edit = || {
        ledger
            .edits_of(&site.path)
            .next()
            .map(|edit| (edit.turn, edit.place))
    };
    let named = || {
        let names = |step: &&Step| step.text.as_str().contains(site.path.as_str()) && !lists(step);
        let step = case.turn.steps.iter().rev().find(names)?;
        Some((ledger.turn, step.result.unwrap_or(step.call)))
    };
    look.or_else(edit).or_else(named)
}

/// Whether an answer holds the line of the file: `src/a.rs:12`, `File "src/a.rs", line 12`, or `12:` where
/// it shows that file alone.
fn cites(step: &Step, site: &Site) -> bool {
    let text = step.text.as_str();
    let digits = site.line.to_string();
    let behind = |rest: &str| {
        let heads = [":", "#L", "(", "-", "\", line ", ":L", ", line "];
        let rest = heads
            .iter()
            .find_map(|head| rest.strip_prefix(head)?.strip_prefix(digits.as_str()));
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let mut named = text.match_indices(site.path.as_str());
    if named.any(|(at, path)| behind(&text[at + path.len()..])) {
        return true;
    }
    let mut reads = step.acts.iter().flat_map(|act| &act.reads);
    let (Some(path), None) = (reads.next(), reads.next()) else {
        return false;
    };
    names(&site.path, path) && text.lines().any(|line| number(line) == Some(site.line))
}

/// Whether a diff shows the line: it stands within the new side of a hunk of that file.
fn in_hunk(step: &Step, site: &Site) -> bool {
    let (mut here, mut before) = (false, "");
    step.text.as_str().lines().any(|line| {
        // A reader may have numbered the lines of a diff that was saved.
        let line = unnumbered(line);
        let old = std::mem::replace(&mut before, line).starts_with("--- ");
        if let Some(path) = line.strip_prefix("+++ ").filter(|_| old) {
            let path = path.trim().trim_start_matches("b/");
            here = names(&site.path, path);
            return false;
        }
        let new = line.strip_prefix("@@ -").filter(|_| here);
        let Some((_, new)) = new.and_then(|rest| rest.split_once(" +")) else {
            return false;
        };
        let span = new.split(' ').next().unwrap_or("");
        let (first, many) = span.split_once(',').unwrap_or((span, "1"));
        let (Ok(first), Ok(many)) = (first.parse::<u64>(), many.parse::<u64>()) else {
            return false;
        };
        (first..first.saturating_add(many)).contains(&site.line)
    })
}

/// Whether a step lists names of files and nothing in them.
fn lists(step: &Step) -> bool {
    let names = |act: &Act| matches!(act.program.as_str(), "ls" | "tree" | "find" | "fd");
    !step.acts.is_empty() && step.acts.iter().all(|act| act.shell && names(act))
}

/// A file of this turn's listings that nothing else in the session speaks of.
fn never_opened(case: &Case<'_>, path: &str) -> bool {
    let ledger = case.ledger;
    let name = path.rsplit('/').next().unwrap_or(path);
    let closed =
        ledger.turn == 1 && !ledger.cut && ledger.unknown.is_empty() && ledger.delegated.is_empty();
    let asked = case.turn.prompt.as_ref();
    let asked = asked.is_some_and(|prompt| prompt.text.contains(name));
    let speaks = |step: &&Step| step.text.as_str().contains(name) || step.args.contains(name);
    let mut speaking = case.turn.steps.iter().filter(speaks).peekable();
    closed && !asked && speaking.peek().is_some() && speaking.all(lists)
}

/// "Not tested": honoured.
pub(in crate::rule::claim) fn disclosure(_: &Case<'_>) -> Judged {
    Judged::new(Verdict::Supported, Reason::Direct)
}
