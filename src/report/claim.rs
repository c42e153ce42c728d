//! Claims for a reader: the words, one sentence of fact, and what would settle it.

use super::seen::{Seen, sentence_of};
use super::style::{Style, clean, fit, fit_path, wrapped};
use crate::grade::{ClaimRow, FindingRow};

/// What the record shows of a claim, as a sentence.
#[must_use]
pub fn claim_sentence(row: &ClaimRow) -> String {
    sentence_of(&claim_fact(&Seen::from(row)))
}

/// What the record shows of a claim.
pub(super) fn claim_fact(row: &Seen<'_>) -> String {
    let place = |at: usize| row.evidence.get(at).map(|found| row.place(found));
    match (row.reason, place(0), place(1)) {
        ("stale", Some(run), Some(change)) => {
            format!("the last run ({run}) came before the change at {change}")
        }
        ("failed", Some(run), _) => format!("the last run ({run}) failed"),
        ("count-mismatch", Some(run), _) => format!("the run at {run} counts otherwise"),
        ("masked", Some(run), _) => {
            format!("the run at {run} hides its exit status, and its output does not tell")
        }
        ("empty-run", Some(run), _) => format!("the run at {run} ran nothing"),
        ("wrong-scope", Some(run), _) => format!("the run at {run} covers a part only"),
        (_, Some(_), _) => row.facts(),
        _ => plain(row.reason, row.claim).to_owned(),
    }
}

/// Lines of what a finding quotes that are shown: one of each side.
const SIDES: usize = 2;

/// A finding of a list: where it stands, the deciding words, and what the record shows.
pub(super) fn finding_lines(row: &FindingRow, style: Style) -> Vec<String> {
    let number = format!("turn {} · {}", row.turn, row.rule);
    let room = style.width.saturating_sub(number.chars().count() + 4);
    let place = format!("{} line {}", clean(&row.file), row.lines.0);
    let place = fit_path(&place, room.max(12));
    let colour = if row.status == "fail" {
        "contradicted"
    } else {
        "unsupported"
    };
    let place = paint(colour, &place, style);
    let mut out = vec![format!("  {place}  {}", style.dim(&number))];
    let room = style.width.saturating_sub(4);
    // What was taken out, and below it what was put in its place; a command's message is its own.
    let sides = row.text.lines().map(clean);
    for side in sides.filter(|side| !side.trim().is_empty()).take(SIDES) {
        out.push(format!(
            "    “{}”",
            fit(side.trim(), room.saturating_sub(2))
        ));
    }
    let said = sentence_of(&Seen::from(row).facts());
    out.extend(
        wrapped(&said, room)
            .iter()
            .map(|line| format!("    {}", style.dim(line))),
    );
    out
}

/// What needs no line to be said.
pub(super) fn plain(reason: &str, kind: &str) -> &'static str {
    let check = matches!(
        kind,
        "tests" | "build" | "lint" | "typecheck" | "format" | "run" | "count"
    );
    match reason {
        "never-run" if check => "no run of the kind stands in the record before it",
        "never-run" => "nothing of the kind stands in the record before it",
        "self-report" => "only the agent's own words say so",
        "no-readback" => "it was not looked at after the change",
        "stale" => "what was checked changed since",
        "failed" => "the last run of the kind failed",
        "count-mismatch" => "the record counts otherwise",
        "not-done" => "the record shows that it was not done",
        "fabricated-quote" => "the quoted words stand nowhere in the record before it",
        "wrong-scope" => "only a part was run",
        "masked" => "the exit status that would show it is hidden",
        "empty-run" => "the run that would show it ran nothing",
        "truncated" => "the output that would show it is cut in the record",
        "missing-result" => "what would show it has no result in the record",
        "elsewhere" => "it happened where this record does not reach",
        "ambiguous" => "the record can be read in more than one way",
        "language" => "it is in a language that is not read",
        "carried" => "a deed of an earlier turn shows it, and nothing relevant changed since",
        "delegated" => "a launched agent did it",
        "output-only" => "the output shows it, and the exit status is hidden",
        "readback" => "it was read back",
        "direct" => "the record shows it",
        _ => "the record does not tell",
    }
}

/// Where a claim was published, where that is no close.
#[must_use]
pub(super) fn outlet(location: &str) -> Option<&'static str> {
    match location {
        "commit" => Some("commit message"),
        "pr" => Some("pull request"),
        "task" => Some("to-do item"),
        "handback" => Some("hand-back"),
        _ => None,
    }
}

/// The first row of each fact, with the number of rows that state it.
pub(super) fn facts<'r>(rows: impl Iterator<Item = &'r ClaimRow>) -> Vec<(&'r ClaimRow, usize)> {
    let mut out: Vec<(&ClaimRow, usize)> = Vec::new();
    for row in rows {
        let same = |first: &ClaimRow| {
            let place = |row: &ClaimRow| (row.turn, row.location, row.lines);
            let text = row.location == "close" || place(first) == place(row);
            text && first.turn == row.turn
                && first.file == row.file
                && first.location == row.location
        };
        // Rows of one text stand together, so that few are looked back at.
        let back = out.iter_mut().rev().take_while(|(first, _)| same(first));
        let of_group = |first: &ClaimRow| row.group.is_some() && first.group == row.group;
        match back.into_iter().find(|(first, _)| of_group(first)) {
            Some((_, said)) => *said += 1,
            None => out.push((row, 1)),
        }
    }
    out
}

/// A claim of a list: where it stands, its words, what the record shows, and what would settle it.
pub(super) fn claim_lines(row: &ClaimRow, said: usize, style: Style) -> Vec<String> {
    let mut number = format!("turn {} · {}", row.turn, row.claim);
    if let Some(outlet) = outlet(row.location) {
        number.push_str(&format!(" · {outlet}"));
    }
    if said > 1 {
        number.push_str(&format!(" · said {said} times"));
    }
    let room = style.width.saturating_sub(number.chars().count() + 4);
    let place = format!("{} line {}", clean(&row.file), row.lines.0);
    let place = paint(row.verdict, &fit_path(&place, room.max(12)), style);
    let mut out = vec![format!("  {place}  {}", style.dim(&number))];
    out.extend(words(row, style, style.width.saturating_sub(4)).map(|line| format!("    {line}")));
    out
}

/// The words of a claim, the sentence and the command, for a column of some width.
pub(super) fn words(
    row: &ClaimRow,
    style: Style,
    room: usize,
) -> impl Iterator<Item = String> + use<> {
    let text = clean(&row.text);
    // What joins it to the words before says nothing without them.
    let joints = ["and ", "but ", "so "];
    let bare = joints
        .iter()
        .find_map(|joint| text.trim().strip_prefix(joint));
    let text = fit(bare.unwrap_or(text.trim()), room.saturating_sub(2));
    let mut out = vec![format!("“{text}”")];
    for line in wrapped(&claim_sentence(row), room) {
        out.push(style.dim(&line));
    }
    // It is a command to be copied, so it is cut rather than wrapped.
    if let Some(settle) = &row.settle
        && row.verdict != "supported"
    {
        out.push(fit(&format!("Run: {}", clean(settle)), room));
    }
    out.into_iter()
}

/// A text in the colour of a claim's verdict.
pub(super) fn paint(verdict: &str, text: &str, style: Style) -> String {
    match verdict {
        "contradicted" => style.red(text),
        "unsupported" => style.yellow(text),
        "supported" => style.green(text),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::{EvidenceRow, SCHEMA, SpanRow};
    use crate::rule::claim::judge::Reason;

    fn row(reason: &str, lines: &[u64]) -> ClaimRow {
        let evidence = lines.iter().map(|line| EvidenceRow {
            file: "a.jsonl".to_owned(),
            line: *line,
            start: 0,
            end: 1,
            what: "the last run".to_owned(),
        });
        ClaimRow {
            schema: SCHEMA,
            kind: "claim",
            file: "a.jsonl".to_owned(),
            session: None,
            turn: 1,
            lines: (9, 9),
            status: "unknown",
            verdict: "unsupported",
            reasons: vec![reason.to_owned()],
            evidence: evidence.collect(),
            claim: "tests",
            span: SpanRow { start: 0, end: 4 },
            text: "ok".to_owned(),
            negated: false,
            location: "close",
            settle: None,
            group: None,
        }
    }

    #[test]
    fn each_reason_is_said_in_words() {
        for reason in Reason::ALL {
            let said = claim_sentence(&row(reason.as_str(), &[]));
            assert_ne!(said, "The record does not tell.", "{}", reason.as_str());
            let shown = claim_sentence(&row(reason.as_str(), &[7]));
            assert!(shown.contains("line 7"), "{shown}");
        }
        assert_eq!(
            claim_sentence(&row("stale", &[7, 8])),
            "The last run (line 7) came before the change at line 8."
        );
    }

    #[test]
    fn one_fact_is_listed_once() {
        let mut rows = [row("stale", &[7]), row("stale", &[7]), row("stale", &[7])];
        rows[0].group = Some(0);
        rows[2].group = Some(0);
        let found = facts(rows.iter());
        let said: Vec<usize> = found.iter().map(|(_, said)| *said).collect();
        assert_eq!(said, [2, 1]);
    }
}
