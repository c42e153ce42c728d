//! Figures that a record can show: `49 tests`, `3 files changed`, `reduced by 71 lines`.

use core::ops::Range;

use super::model::Kind;
use super::scan::{Found, Scan};
use super::words;
use crate::text::{BlockKind, Cue, WordKind};

/// How many words may stand between a figure and its noun.
const REACH: usize = 4;

/// Reads the figures `numbers` of the sentence.
pub(super) fn read(scan: &mut Scan<'_, '_>, index: usize, numbers: Range<usize>) {
    let checks = checks_of(scan);
    let checked = !checks.is_empty();
    let mut counted = 0;
    for number in numbers {
        let Some((word, percent)) = scan.numbers.get(number).map(|n| (n.word, n.percent)) else {
            continue;
        };
        let Some(span) = figure(scan, index, word, percent) else {
            continue;
        };
        // The figure of a check, of a commit or of another count is a parameter of that claim.
        let parameter = checked
            && matches!(
                span_noun(scan, word),
                Some("tests" | "passed" | "failed" | "skipped")
            );
        let known = parameter || checks.iter().any(|check| check.contains(&span.start));
        if !known && span.start >= counted {
            counted = span.end;
            scan.found.push(Found {
                kind: Kind::Count,
                span,
                negated: false,
                reported: scan.section(index).reported,
                sentence: Some(index),
            });
        }
    }
}

/// `Total size: 13 MB`, `| Repository size | 9.0 MB | 784 KB |`: a size that was measured.
pub(super) fn read_size(scan: &mut Scan<'_, '_>, index: usize) {
    let prose = scan.prose;
    let sentence = &prose.sentences()[index];
    let words = sentence.words.clone();
    let label = words
        .clone()
        .take(64)
        .find(|&at| scan.form(at) == "size" && scan.gap(sentence, at).contains([':', '|']));
    let Some(label) = label else {
        return;
    };
    let whole = label == words.start
        || matches!(
            scan.form(label - 1),
            "total"
                | "repository"
                | "repo"
                | "file"
                | "binary"
                | "bundle"
                | "archive"
                | "image"
                | "backup"
                | "disk"
                | "database"
        );
    let source = prose.source();
    let start = label + 1;
    let told = words.contains(&start)
        && is_size(source.get(prose.words()[start].range.start..).unwrap_or(""));
    let moot = prose
        .clauses_of(sentence)
        .iter()
        .any(|clause| scan.is_moot(sentence, clause));
    if whole && told && !moot {
        let row = sentence.kind == BlockKind::Row;
        let end = if row {
            words.end
        } else {
            words.end.min(start + 2)
        };
        let span = scan.span(&(start..end.min(start + 8)));
        scan.found.push(Found {
            kind: Kind::Count,
            span,
            negated: false,
            reported: scan.section(index).reported,
            sentence: Some(index),
        });
    }
}

/// Whether a text opens with a size: `13MB`, `9.0 KiB`.
fn is_size(text: &str) -> bool {
    let body = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let unit: String = body
        .trim_start_matches(' ')
        .chars()
        .take_while(char::is_ascii_alphabetic)
        .take(4)
        .collect();
    let known = ["kb", "mb", "gb", "kib", "mib", "gib"];
    body.len() < text.len() && known.contains(&unit.to_ascii_lowercase().as_str())
}

/// `| Commits | 47 | 39 |`: the first cell names what the figures of the row count.
pub(super) fn read_row(scan: &mut Scan<'_, '_>, index: usize) {
    let prose = scan.prose;
    let sentence = &prose.sentences()[index];
    if sentence.kind != BlockKind::Row || scan.claimed(index) {
        return;
    }
    let clauses = prose.clauses_of(sentence);
    let (Some(label), Some(cell)) = (clauses.first(), clauses.get(1)) else {
        return;
    };
    let noun = label.words.len() <= 3
        && words::counted(scan.form(label.words.end - 1))
            .is_some_and(|noun| !matches!(noun, "tests" | "checks" | "passed" | "failed"));
    let joined = scan.gap(sentence, label.words.end - 1).contains('|');
    let figure = prose.words()[cell.words.start].kind == WordKind::Number && cell.words.len() <= 2;
    let stated = clauses
        .iter()
        .take(4)
        .all(|clause| !scan.is_moot(sentence, clause) && clause.posed.is_none());
    if noun && joined && figure && stated {
        let span = scan.span(&(cell.words.start..sentence.words.end));
        scan.found.push(Found {
            kind: Kind::Count,
            span,
            negated: false,
            reported: scan.section(index).reported,
            sentence: Some(index),
        });
    }
}

/// The noun next to a figure.
fn span_noun(scan: &Scan<'_, '_>, word: usize) -> Option<&'static str> {
    (1..=2).find_map(|n| words::counted(scan.form(word + n)))
}

/// Where the checks of the sentence stand; a sentence of more checks than this is no statement.
fn checks_of(scan: &Scan<'_, '_>) -> Vec<Range<usize>> {
    let from = scan.before.last().copied().unwrap_or(0);
    scan.found[from..]
        .iter()
        .filter(|found| found.kind.is_check() || found.kind == Kind::Failing)
        .map(|found| found.span.clone())
        .take(16)
        .collect()
}

/// The bytes of the figure with its noun, if the figure counts something and the clause states it.
fn figure(scan: &Scan<'_, '_>, index: usize, word: usize, percent: bool) -> Option<Range<usize>> {
    let prose = scan.prose;
    let sentence = prose.sentences().get(index)?;
    let clauses = prose.clauses_of(sentence);
    let at = clauses.partition_point(|clause| clause.words.end <= word);
    let clause = clauses.get(at)?;
    let denied = clause.negator.is_some_and(|negator| negator < word);
    if denied
        || clause.poses(word)
        || scan.is_moot(sentence, clause)
        || sentence.kind == BlockKind::Row
    {
        return None;
    }
    let words = &clause.words;
    let told = (2..=4).any(|n| crate::text::past_act(scan.ahead(words, word, n)).is_some());
    if prose.words().get(word)?.kind != WordKind::Number && vague(scan.form(word)) && !told {
        return None;
    }
    let label = at > 0 && clauses[at - 1].words.len() <= 3 && clause.words.start == word;
    if label
        && clauses[at - 1]
            .words
            .clone()
            .any(|at| scan.form(at) == "total")
    {
        return Some(scan.span(&(clauses[at - 1].words.start..word + 1)));
    }
    if let Some(n) = noun_behind(scan, words, word) {
        return states(scan, index, clause, word, n).then(|| scan.span(&(word..word + n + 1)));
    }
    if counts_times(scan, words, word) {
        return Some(scan.span(&(word..word + 2)));
    }
    // `Task count per story: US1 = 6`
    let equated = word > sentence.words.start && scan.gap(sentence, word - 1).trim() == "=";
    let counting = sentence
        .words
        .clone()
        .take(3)
        .any(|at| matches!(scan.form(at), "count" | "counts"));
    if equated && counting {
        return Some(scan.span(&(word - 1..word + 1)));
    }
    let all = scan.back(words, word, 1) == "all" && scan.ahead(words, word, 1).ends_with('s');
    if all {
        return Some(scan.span(&(word - 1..word + 2)));
    }
    let coverage = percent && (1..=2).any(|n| scan.back(&sentence.words, word, n) == "coverage");
    coverage.then(|| scan.span(&(word - 1..word + 1)))
}

/// How many words behind the figure the noun stands that it counts.
fn noun_behind(scan: &Scan<'_, '_>, words: &Range<usize>, word: usize) -> Option<usize> {
    let ahead = |n: usize| scan.ahead(words, word, n);
    let n = (1..=REACH).find(|&n| words::counted(ahead(n)).is_some())?;
    let stops = (1..n).any(|n| {
        matches!(
            ahead(n),
            "of" | "to" | "in" | "and" | "or" | "the" | "for" | "with" | "from"
        )
    });
    // `Scenario 4 uses …` counts nothing.
    let verb = matches!(ahead(n), "uses" | "hits")
        && !matches!(
            ahead(n + 1),
            "of" | "in" | "across" | "remain" | "left" | ""
        );
    (!stops && !verb).then_some(n)
}

/// `` `x` occurs 12 times ``, `is used 3 times`.
fn counts_times(scan: &Scan<'_, '_>, words: &Range<usize>, word: usize) -> bool {
    scan.ahead(words, word, 1) == "times"
        && (1..=3).any(|n| {
            matches!(
                scan.back(words, word, n),
                "occurs" | "appears" | "used" | "called" | "referenced" | "mentioned" | "found"
            )
        })
}

/// `one file`, `two issues`: small numbers in words count things of the talk as often as of the record.
fn vague(form: &str) -> bool {
    matches!(form, "one" | "two" | "three" | "zero" | "hundred")
}

/// Whether the clause states the figure as a fact of the work: not a limit, a code, a default.
fn states(
    scan: &Scan<'_, '_>,
    index: usize,
    clause: &crate::text::Clause,
    word: usize,
    reach: usize,
) -> bool {
    let words = &clause.words;
    let before = scan.back(words, word, 1);
    // `3. Updated …`: the number counts the items.
    let sentence = &scan.prose.sentences()[index];
    let dotted = scan.gap(sentence, word).starts_with(['.', ')']);
    if dotted && word == sentence.words.start {
        return false;
    }
    let limit = matches!(
        before,
        "to" | "least"
            | "most"
            | "than"
            | "max"
            | "maximum"
            | "minimum"
            | "every"
            | "within"
            | "last"
            | "first"
            | "top"
            | "line"
            | "lines"
            | "phase"
            | "step"
            | "exit"
            | "code"
    );
    let noun = scan.ahead(words, word, reach);
    let ranked = scan.form(word) == "0" && !words::fault(noun);
    let hypothetical = clause.cues.any(&[Cue::Open, Cue::SecondPerson]);
    !limit && !ranked && !hypothetical
}
