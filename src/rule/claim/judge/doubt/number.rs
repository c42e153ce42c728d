//! Numbers of a statement that the deed which bears it out does not count.

use super::{opaque, open, own_edits};
use crate::rule::claim::Kind;
use crate::rule::claim::guard::Guard;
use crate::rule::claim::judge::case::brief;
use crate::rule::claim::judge::count::{figure_of, stands_by_tests, told};
use crate::rule::claim::judge::{Case, Judged, Reason};
use crate::rule::evidence::{Outward, OutwardKind, Run, Shown};
use crate::transcript::{Outcome, Place};

pub(super) fn of_check(case: &Case<'_>, run: &Run) -> Option<Judged> {
    if !case.on(Guard::Count) {
        return None;
    }
    let what = || format!("{} counts otherwise", brief(&run.words));
    if skipped(case, run) || counted_in_script(case, run) || warned(case, run) {
        return Some(open(Reason::CountMismatch, run.place, what()));
    }
    let many = times(case.sentence())?;
    let same = case.ledger.runs.iter();
    let same = same.filter(|other| other.verify == run.verify && other.turn == run.turn);
    let rounds = same.filter(|other| other.shown == Shown::Passed).count() as u64;
    let step = case.step_at(run.place)?;
    const LOOPS: [&str; 8] = [
        "for ", "while ", "seq ", "-count", "--count", "--repeat", "xargs", "stress",
    ];
    let loops = LOOPS.iter().any(|word| step.args.contains(word));
    (rounds < many && !loops && !opaque(case)).then(|| {
        let what = format!(
            "the last of the runs of {}, which are fewer",
            brief(&run.words)
        );
        open(Reason::CountMismatch, run.place, what)
    })
}

/// "All 12 tests pass", where some of the twelve were left out.
fn skipped(case: &Case<'_>, run: &Run) -> bool {
    let Some(tally) = run.tally.as_ref().filter(|tally| tally.skipped > 0) else {
        return false;
    };
    let sentence = case.sentence().to_lowercase();
    let tells = [
        "skip", "ignor", "pending", "todo", "deselect", "xfail", "expected",
    ];
    let all = tally.passed.saturating_add(tally.skipped);
    let numbers = told(case);
    case.claim.kind == Kind::Tests
        && tally.failed == 0
        && tally.passed != all
        && numbers.iter().any(|number| number.value == all)
        && !numbers.iter().any(|number| number.value == tally.passed)
        && !tells.iter().any(|word| sentence.contains(word))
}

/// "13 个测试全部通过": a number of tests in another script.
fn counted_in_script(case: &Case<'_>, run: &Run) -> bool {
    let text = case.text();
    let tests = ["测试", "測試", "テスト", "테스트"];
    let new = ["新", "追加", "추가", "새", "中有", "件中", "개 중", "作成"];
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if !has(&tests) || has(&new) || run.tally.is_none() {
        return false;
    }
    let counts = |value: u64| {
        let mut runs = case.ledger.runs.iter().filter_map(|run| run.tally.as_ref());
        runs.any(|tally| {
            let total = tally
                .passed
                .saturating_add(tally.failed)
                .saturating_add(tally.errors);
            [tally.passed, total, total.saturating_add(tally.skipped)].contains(&value)
        })
    };
    let mut at = 0;
    while let Some(start) = text[at..].find(|c: char| c.is_ascii_digit()) {
        let rest = &text[at + start..];
        let len = rest.bytes().take_while(u8::is_ascii_digit).count();
        let behind = rest[len..].trim_start();
        let counter = ["个", "個", "件", "개", "項", "项"]
            .iter()
            .any(|unit| behind.starts_with(unit));
        if let (true, Ok(value)) = (counter, rest[..len].parse::<u64>())
            && value > 0
            && !counts(value)
            && !stands_by_tests(case, value)
        {
            return true;
        }
        at += start + len;
    }
    false
}

/// "With no warnings", and the run counts some.
fn warned(case: &Case<'_>, run: &Run) -> bool {
    let sentence = case.sentence().to_lowercase();
    let none = [
        "no warning",
        "without warning",
        "without any warning",
        "zero warning",
        "0 warnings",
        "warning-free",
    ];
    if !none.iter().any(|word| sentence.contains(word)) {
        return false;
    }
    let Some(step) = case.step_at(run.place) else {
        return false;
    };
    step.text.as_str().lines().any(|line| {
        let words: Vec<&str> = line
            .split([' ', ',', '(', ')'])
            .filter(|word| !word.is_empty())
            .collect();
        words.windows(2).any(|pair| {
            pair[0].parse::<u64>().is_ok_and(|many| many > 0)
                && matches!(
                    pair[1].trim_end_matches([':', '.', ';']),
                    "warning" | "warnings"
                )
        })
    })
}

/// "Ten times".
fn times(text: &str) -> Option<u64> {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let found = words.windows(2).find(|pair| pair[1] == "times")?;
    let before = figure_of(found[0]).filter(|many| *many > 1)?;
    // "Three times as fast", "10 times faster".
    let at = words.iter().position(|word| *word == "times")?;
    let after = words.get(at + 1).copied().unwrap_or("");
    (!matches!(
        after,
        "as" | "faster" | "slower" | "more" | "less" | "the" | "larger" | "smaller"
    ))
    .then_some(before)
}

/// "Committed in 3 commits", and fewer were made.
pub(super) fn of_commits(case: &Case<'_>, deed: &Outward) -> Option<Judged> {
    if case.claim.kind != Kind::Commit || opaque(case) || !case.on(Guard::Count) {
        return None;
    }
    let lower = case.text().to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let pair = words.windows(2).find(|pair| pair[1] == "commits")?;
    let many = figure_of(pair[0]).filter(|many| *many > 1)?;
    let ledger = case.ledger;
    let made = ledger.outward.iter().filter(|one| {
        let own = matches!(one.kind, OutwardKind::Commit | OutwardKind::Merge);
        own && one.outcome == Outcome::Ok && !one.rehearsal
    });
    // A rebase, a pull or a script makes many.
    let moves = ledger
        .outward
        .iter()
        .any(|one| one.kind == OutwardKind::Merge);
    let made = made.count() as u64;
    (made < many && !moves).then(|| {
        open(
            Reason::CountMismatch,
            deed.place,
            format!("one of {made} that the record shows"),
        )
    })
}

/// "Changed 3 files", and fewer were changed.
pub(super) fn of_files(case: &Case<'_>) -> Option<Judged> {
    let lower = case.text().to_lowercase();
    let heads = ["changed ", "edited ", "updated ", "modified ", "touched "];
    let rest = heads.iter().find_map(|head| lower.strip_prefix(head))?;
    let mut words = rest.split(' ');
    let many = words.next().and_then(figure_of)?;
    let files = words
        .next()
        .is_some_and(|word| word.trim_end_matches(['.', ',', ':']) == "files");
    if !files || opaque(case) || !case.on(Guard::Count) || case.ledger.turn > 1 {
        return None;
    }
    let mut paths: Vec<&str> = own_edits(case).map(|edit| edit.path.as_str()).collect();
    if paths.iter().any(|path| path.is_empty()) {
        return None;
    }
    paths.sort_unstable();
    paths.dedup();
    let last = own_edits(case).next()?;
    let shown = super::known(case, &format!("{many} file"));
    ((paths.len() as u64) < many && !shown).then(|| {
        let what = format!("the last of {} files was changed here", paths.len());
        open(Reason::CountMismatch, last.place, what)
    })
}

/// "Two tests fail", and the run counts another number of failures.
pub(super) fn of_faults(case: &Case<'_>, at: Place) -> Option<Judged> {
    let lower = case.text().to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let pair = words.windows(2).find(|pair| {
        figure_of(pair[0]).is_some()
            && (pair[1].starts_with("test") || pair[1].starts_with("failure"))
    })?;
    let many = figure_of(pair[0])?;
    let fails = words.iter().any(|word| {
        matches!(
            *word,
            "fail" | "fails" | "failed" | "failing" | "failures" | "failure"
        )
    });
    let run = super::run_at(case, at)?;
    let counted = |run: &Run| {
        run.tally.as_ref().map(|tally| {
            let both = tally.failed.saturating_add(tally.errors);
            let total = tally.passed.saturating_add(both);
            [tally.failed, tally.errors, both, tally.passed, total].contains(&many)
        })
    };
    counted(run)?;
    let any = case
        .ledger
        .runs
        .iter()
        .any(|run| counted(run) == Some(true));
    let shown = ["failed", "failure", "test", "errors"]
        .iter()
        .any(|noun| super::known(case, &format!("{many} {noun}")));
    (fails && !any && !shown && case.on(Guard::Count)).then(|| {
        let what = format!("{} counts otherwise", brief(&run.words));
        open(Reason::CountMismatch, run.place, what)
    })
}
