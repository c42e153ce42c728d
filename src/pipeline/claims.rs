//! The claims of a turn, each at its place: those of the close at its end, and those of what was
//! published on the way when they were published.

use core::ops::Range;

use crate::grade::{ClaimRow, Row, Source, claim_row, group, line_of, unread_row};
use crate::rule::claim::guard::Guards;
use crate::rule::claim::published::{Location, Outlets, speaks};
use crate::rule::claim::{self, Claim, Language, Reading};
use crate::rule::evidence::Ledger;
use crate::text::Prose;
use crate::turn::{Moment, Turn};

/// Sentences that hold a clause that could not be read; one span where none could be.
pub(super) fn unread(prose: &Prose<'_>, reading: &Reading) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    if reading.language == Language::Read {
        return out;
    }
    let mut rest = reading.unread.iter().peekable();
    let mut spoken = 0;
    for sentence in prose.sentences() {
        let range = &sentence.range;
        spoken += usize::from(!sentence.words.is_empty());
        let mut any = false;
        while rest.next_if(|clause| clause.start < range.end).is_some() {
            any = true;
        }
        if any {
            out.push(range.clone());
        }
    }
    match (out.first(), out.last()) {
        (Some(first), Some(last)) if out.len() == spoken && spoken > 1 => {
            let whole = first.start..last.end;
            vec![whole]
        }
        _ => out,
    }
}

/// Steps that the claims of one close may look at in all.
const LOOKS: usize = 1 << 20;

/// Claims of one close that are held against the record; the rest are rows that say that they are
/// not. Some rules look at every other claim of the close, so that the cost grows with the square.
const JUDGED: usize = 1 << 13;

/// The turn with its last steps only, where its claims would else look at its steps too often: a
/// close of thousands of claims over thousands of steps must not cost their product. What runs and
/// changes there were, the ledger tells all the same.
fn shortened(turn: &Turn, claims: usize) -> Option<Turn> {
    let steps = turn.steps.len();
    let kept = LOOKS.checked_div(claims).unwrap_or(steps).max(1);
    (kept < steps).then(|| Turn {
        steps: turn.steps[steps - kept..].to_vec(),
        moments: Vec::new(),
        prompt: turn.prompt.clone(),
        closes: turn.closes.clone(),
        ..*turn
    })
}

/// The rows of a turn's close, held against what the session did up to its end.
pub(super) fn close(
    guards: Guards,
    file: &str,
    turn: &Turn,
    claims: &[Claim],
    unread: &[Range<usize>],
    ledger: &Ledger,
) -> Vec<Row> {
    let Some(close) = turn.close() else {
        return Vec::new();
    };
    let held = &claims[..claims.len().min(JUDGED)];
    let short = shortened(turn, held.len());
    let looked_at = short.as_ref().unwrap_or(turn);
    let source = |span: &Range<usize>| Source {
        file,
        turn: turn.number,
        location: Location::Close,
        text: &close.text,
        line: line_of(close, span.start),
    };
    let mut rows: Vec<ClaimRow> = claims
        .iter()
        .enumerate()
        .map(|(number, one)| {
            let judged = if number < held.len() {
                claim::judge::judge_with(guards, one, &close.text, held, ledger, looked_at)
            } else {
                claim::judge::unjudged()
            };
            claim_row(source(&one.span), one, &judged)
        })
        .collect();
    group(&mut rows);
    rows.extend(
        unread
            .iter()
            .map(|span| unread_row(source(span), span.clone())),
    );
    rows.into_iter().map(Row::Claim).collect()
}

/// Takes a turn's deeds into the ledger, and judges what is published on the way by what had been
/// done until then.
pub(super) fn follow(
    guards: Guards,
    file: &str,
    turn: &mut Turn,
    ledger: &mut Ledger,
    outlets: &mut Outlets,
) -> Vec<Row> {
    if !turn.steps.iter().any(speaks) {
        ledger.turn(turn);
        return Vec::new();
    }
    let copied = turn.copied || turn.inherited;
    let mut rows = Vec::new();
    let mut ahead = std::mem::take(&mut turn.steps).into_iter();
    ledger.begin(turn);
    for at in 0..turn.moments.len() {
        let moment = turn.moments[at];
        if let Moment::Stepped(index) | Moment::Hung(index) = moment {
            let missing = (index + 1).saturating_sub(turn.steps.len());
            turn.steps.extend(ahead.by_ref().take(missing));
        }
        ledger.moment(turn, moment);
        let Moment::Stepped(index) = moment else {
            continue;
        };
        if copied {
            outlets.pass(&turn.steps[index]);
        } else {
            published(guards, file, turn, index, ledger, outlets, &mut rows);
        }
    }
    turn.steps.extend(ahead);
    rows
}

fn published(
    guards: Guards,
    file: &str,
    turn: &Turn,
    index: usize,
    ledger: &Ledger,
    outlets: &mut Outlets,
    rows: &mut Vec<Row>,
) {
    for told in outlets.of(&turn.steps[index]) {
        let source = Source {
            file,
            turn: turn.number,
            location: told.location,
            text: &told.text,
            line: told.place.line,
        };
        let judged = told.judged(guards, ledger, turn);
        let mut own: Vec<ClaimRow> = judged
            .iter()
            .map(|(claim, judged)| claim_row(source, claim, judged))
            .collect();
        group(&mut own);
        rows.extend(own.into_iter().map(Row::Claim));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_close_in_another_language_is_one_row_and_a_sentence_of_it_one() {
        let spans = |text: &str| {
            let prose = Prose::read(text);
            unread(&prose, &claim::read_prose(&prose))
        };
        let german =
            "Ich habe die Datei geändert und alle Tests sind grün. Das ist nicht mit dem Rest.";
        let whole = 0..german.len();
        assert_eq!((spans(german).len(), &spans(german)[0]), (1, &whole));
        assert!(spans("I changed the file. All tests pass.").is_empty());
    }

    fn turn_of(steps: usize) -> Turn {
        Turn {
            number: 1,
            lines: (1, 1),
            prompt: None,
            steps: vec![crate::turn::Step::default(); steps],
            closes: Vec::new(),
            moments: Vec::new(),
            ended: crate::turn::Ended::Closed,
            opaque: 0,
            copied: false,
            inherited: false,
        }
    }

    /// Steps that are looked at, were each claim to look at each step that it is given.
    fn looks(steps: usize, claims: usize) -> usize {
        let turn = turn_of(steps);
        let short = shortened(&turn, claims);
        short.as_ref().unwrap_or(&turn).steps.len() * claims
    }

    #[test]
    fn claims_and_steps_are_bounded_together() {
        assert_eq!(looks(40, 12), 40 * 12);
        assert_eq!(looks(LOOKS / 64, 64), LOOKS);
        for (steps, claims) in [(LOOKS / 32, 64), (4096, JUDGED), (LOOKS, 1), (9000, 777)] {
            assert!(looks(steps, claims) <= LOOKS, "{steps} {claims}");
        }
    }

    #[test]
    fn a_close_is_judged_to_a_bound_and_the_rest_is_said_to_be_left() {
        let text = "- Created `a/b.rs`\n".repeat(JUDGED + 3);
        let mut turn = turn_of(1);
        let place = crate::transcript::Place::default();
        turn.closes.push(crate::turn::Close {
            place,
            blocks: vec![(place, text.len())],
            text: text.clone(),
        });
        let read = claim::read(&text).claims;
        assert_eq!(read.len(), JUDGED + 3);
        let ledger = Ledger::default();
        let rows = close(Guards::default(), "f", &turn, &read, &[], &ledger);
        let left = |row: &&Row| matches!(row, Row::Claim(row) if row.reasons == ["truncated"]);
        assert_eq!(
            (rows.len(), rows.iter().filter(left).count()),
            (JUDGED + 3, 3)
        );
        assert!(rows[JUDGED..].iter().all(|row| left(&row)));
    }
}
