//! Numbers that a record can show: tests, failures, files.

use super::case::brief;
use super::numeral::{holds_number, lines_holding};
use super::{Case, Judged, Reason, Verdict, bound, check, figure, held, written};
use crate::rule::claim::Counted;
use crate::rule::claim::guard::Guard;
use crate::rule::evidence::{OutwardKind, Run};
use crate::rule::runner::Tally;
use crate::shell::Verify;
use crate::transcript::Outcome;
use crate::turn::Step;

/// "49 tests pass", "3 files changed".
pub(in crate::rule::claim) fn counted(case: &Case<'_>) -> Judged {
    if let Some(judged) = held::other_length(case).or_else(|| held::written(case)) {
        return judged;
    }
    let told = told(case);
    if told.is_empty() {
        let other = fewer_files(case).or_else(|| other_lines(case));
        let other = other.or_else(|| held::other_listing(case));
        return other.unwrap_or_else(|| borne(case));
    }
    let runs = counting(case);
    let Some(last) = runs.last() else {
        let judged = borne(case);
        let closed = judged.verdict != Verdict::Supported && nothing_ran(case);
        return if closed {
            Judged::unsupported(Reason::NeverRun)
        } else {
            judged
        };
    };
    let fit = runs
        .iter()
        .rev()
        .find(|run| told.iter().all(|number| fits(run, number.value)));
    let of_faults = case.sentence().to_ascii_lowercase().contains("fail");
    let faults = |run: &&&Run| {
        let failed = run
            .tally
            .as_ref()
            .map(|tally| tally.failed.saturating_add(tally.errors));
        told.iter().all(|number| failed == Some(number.value))
    };
    let fit = fit.or_else(|| runs.iter().rev().filter(|_| of_faults).find(faults));
    if let Some(run) = fit {
        // "Zero failures across 94 tests" says that they pass.
        let sentence = case.sentence().to_ascii_lowercase();
        if sentence.contains("zero fail") || sentence.contains("no fail") {
            return check::passed(case, run);
        }
        let what = format!("{} counts as many", brief(&run.words));
        return Judged::supported(case.why(run), run.place, what);
    }
    let odd = against(case, last).filter(|_| case.on(Guard::Count));
    odd.unwrap_or_else(|| borne(case))
}

/// "I changed 5 files", where the record is closed and fewer were changed.
pub(super) fn fewer_files(case: &Case<'_>) -> Option<Judged> {
    let ledger = case.ledger;
    let lower = case.text().to_lowercase();
    let own = [
        "i changed ",
        "i edited ",
        "i updated ",
        "i modified ",
        "i touched ",
    ];
    let number = case.numbers().find(|number| number.noun == "files")?;
    let mut steps = case.turn.steps.iter();
    let closed = ledger.unknown.is_empty()
        && ledger.delegated.is_empty()
        && ledger.opaque == 0
        && !ledger.partial
        && ledger
            .edits
            .iter()
            .all(|edit| edit.made && !edit.path.is_empty());
    if !own.iter().any(|word| lower.starts_with(word))
        || !closed
        || !case.on(Guard::Count)
        || steps.any(|step| holds_number(step.text.as_str(), &number.value.to_string()))
    {
        return None;
    }
    let mut paths: Vec<&str> = ledger.edits.iter().map(|edit| edit.path.as_str()).collect();
    paths.sort_unstable();
    paths.dedup();
    let many = u64::try_from(paths.len()).unwrap_or(u64::MAX);
    let last = ledger
        .edits
        .last()
        .filter(|_| many > 0 && number.value > many)?;
    let what = format!("the last of {many} files was changed here");
    Some(Judged::contradicted(
        Reason::CountMismatch,
        last.place,
        what,
    ))
}

/// "`a.py` has 298 lines", where `wc -l` counted otherwise and nothing shows that number.
fn other_lines(case: &Case<'_>) -> Option<Judged> {
    let number = case.numbers().find(|number| number.noun == "lines")?;
    let sentence = case.sentence();
    let told = [" has ", " is ", " at "]
        .iter()
        .any(|word| sentence.contains(word));
    if !told || stands_in_text(case, number.value).is_some() {
        return None;
    }
    let names = case.claim.scope.iter().map(String::as_str);
    names
        .chain(sentence.split('`').skip(1).step_by(2))
        .find_map(|name| {
            let mut steps = case.turn.steps.iter().rev();
            let (step, counted) = steps.find_map(|step| {
                let counts = |act: &crate::turn::Act| act.words.starts_with("wc -l ");
                let mut lines = step.text.as_str().lines();
                let line =
                    lines.find(|line| step.acts.iter().any(counts) && line.ends_with(name))?;
                let counted: u64 = line.split_whitespace().next()?.parse().ok()?;
                Some((step, counted))
            })?;
            let changed = case.ledger.edits_of(name).next().is_some();
            let place = step.result.unwrap_or(step.call);
            (counted != number.value && !changed && !name.is_empty()).then(|| {
                Judged::contradicted(
                    Reason::CountMismatch,
                    place,
                    format!("{counted} are counted here"),
                )
            })
        })
}

/// "7 tests fail", where the only run counts otherwise.
pub(super) fn other_faults(case: &Case<'_>, red: &Run) -> Option<Judged> {
    let ledger = case.ledger;
    let lower = case.text().to_lowercase();
    let number = case.numbers().find(|number| {
        let of_tests = is_tests(number.noun) && lower.contains("fail");
        number.value > 0 && (of_tests || number.noun.starts_with("fail"))
    })?;
    red.tally.as_ref()?;
    let counted = |run: &&Run| {
        run.tally.as_ref().is_some_and(|tally| {
            let both = tally.failed.saturating_add(tally.errors);
            [tally.failed, tally.errors, both].contains(&number.value) || fits(run, number.value)
        })
    };
    if ledger.runs.iter().any(|run| counted(&run)) || stands_in_text(case, number.value).is_some() {
        return None;
    }
    let what = format!("{} counts otherwise", brief(&red.words));
    Some(Judged::unknown(Reason::Ambiguous).at(red.place, what))
}

/// "4966/4966 all passed", where what was printed shows another pair, and that it went badly.
pub(super) fn other_pair(case: &Case<'_>) -> Option<Judged> {
    let own = case
        .text()
        .split_whitespace()
        .find_map(pair_of)
        .filter(|(a, b)| a == b)?;
    let text = case.text().to_lowercase();
    let ledger = case.ledger;
    let shown = format!("{}/{}", own.0, own.1);
    let mut steps = case.turn.steps.iter();
    if !text.contains("pass") || ledger.cut || steps.any(|step| step.text.as_str().contains(&shown))
    {
        return None;
    }
    let mut steps = case.turn.steps.iter().rev();
    let last = steps.find(|step| step.acts.iter().any(|act| act.shell))?;
    let red = last.text.as_str().lines().any(|line| {
        let pair = line.split_whitespace().find_map(pair_of);
        pair.is_some_and(|(a, b)| a < b) && line.to_lowercase().contains("fail")
    });
    let bad = matches!(last.outcome, Outcome::Failed(_));
    (red && bad).then(|| {
        let place = last.result.unwrap_or(last.call);
        Judged::contradicted(
            Reason::CountMismatch,
            place,
            "another count is printed here",
        )
    })
}

fn pair_of(word: &str) -> Option<(u64, u64)> {
    let word = word.trim_matches(|c: char| !c.is_ascii_digit());
    let (a, b) = word.split_once('/')?;
    Some((a.parse().ok()?, b.parse().ok()?))
}

/// Whether nothing in the record could have run a test.
fn nothing_ran(case: &Case<'_>) -> bool {
    let ledger = case.ledger;
    ledger.runs.is_empty()
        && ledger.unknown.is_empty()
        && ledger.delegated.is_empty()
        && !ledger.outward.iter().any(|one| one.kind == OutwardKind::Ci)
        && !ledger.edits.is_empty()
}

/// Runs that counted tests.
fn counting<'a>(case: &Case<'a>) -> Vec<&'a Run> {
    let runs = case.ledger.runs.iter();
    runs.filter(|run| run.verify == Verify::Test && run.tally.is_some())
        .collect()
}

pub(super) fn total(tally: &Tally) -> u64 {
    let faults = tally.failed.saturating_add(tally.errors);
    tally.passed.saturating_add(faults)
}

fn fits(run: &Run, value: u64) -> bool {
    run.tally.as_ref().is_some_and(|tally| {
        let total = total(tally);
        [tally.passed, total, total.saturating_add(tally.skipped)].contains(&value)
    })
}

/// Whether a red run counts just what a statement tells: "44 of 46 tests pass".
pub(super) fn tells_part(case: &Case<'_>, run: &Run) -> bool {
    // "The one test passes" is of all that there are.
    if definite(case.text()).is_some() {
        return false;
    }
    let numbers = told(case);
    let Some(tally) = run.tally.as_ref() else {
        return numbers.len() == 1 && !case.of_all() && stands_by_tests(case, numbers[0].value);
    };
    if numbers.is_empty() {
        let own = |word: &str| word.parse() == Ok(tally.passed);
        return tally.passed > 0 && case.text().split_whitespace().any(own);
    }
    let zero = case
        .numbers()
        .any(|number| number.value == 0 && matches!(number.noun, "failed" | "failures" | "errors"));
    numbers.iter().any(|number| number.value == tally.passed)
        && !zero
        && !case.of_all()
        && numbers.iter().all(|number| fits(run, number.value))
        && (numbers.len() < 2 || numbers.iter().any(|number| number.value != tally.passed))
}

/// Whether a statement is of tests that are told apart from the others: "the 11 tests in `a.py`".
pub(super) fn names_some(case: &Case<'_>) -> bool {
    definite(case.text()) == Some(true)
}

/// "The one test", "the 22 tests", and not "44 of the 46 tests": whether more words narrow them.
fn definite(text: &str) -> Option<bool> {
    const NARROW: [&str; 12] = [
        "in", "of", "for", "that", "which", "i", "we", "from", "under", "covering", "on", "with",
    ];
    const WHOLE: [&str; 5] = ["suite", "repository", "repo", "project", "package"];
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    words.windows(3).enumerate().find_map(|(at, three)| {
        let number = figure_of(three[1]).is_some() || matches!(three[1], "only" | "single");
        let of = at > 0 && matches!(words[at - 1], "of" | "but");
        let behind = words.get(at + 3..).unwrap_or_default();
        let whole = behind.iter().take(3).any(|word| WHOLE.contains(word));
        let narrow = behind.first().is_some_and(|word| NARROW.contains(word)) && !whole;
        (three[0] == "the" && number && three[2].starts_with("test") && !of).then_some(narrow)
    })
}

/// The value of digits or of a small number in words.
pub(super) fn figure_of(word: &str) -> Option<u64> {
    const SMALL: [&str; 12] = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    let small = SMALL.iter().position(|own| *own == word);
    small
        .and_then(|at| u64::try_from(at + 1).ok())
        .or_else(|| word.parse().ok())
}

/// Whether a red run bears out what is told with a rest: "all but two pass", "apart from four
/// failures", "nearly all tests pass".
pub(super) fn tells_rest(case: &Case<'_>, run: &Run) -> bool {
    let Some(tally) = run.tally.as_ref().filter(|_| case.claim.kind.is_check()) else {
        return false;
    };
    let faults = tally.failed.saturating_add(tally.errors);
    if faults == 0 || tally.passed == 0 {
        return false;
    }
    let lower = case.sentence().to_lowercase();
    const RESTS: [&str; 10] = [
        "all but ",
        "except for ",
        "except ",
        "apart from ",
        "aside from ",
        "other than ",
        "barring ",
        " bar ",
        "with the exception of ",
        "with ",
    ];
    let rest = RESTS
        .iter()
        .find_map(|head| lower.find(head).map(|at| (head, &lower[at + head.len()..])));
    if let Some((head, rest)) = rest {
        let mut words = rest.split(|c: char| !c.is_alphanumeric());
        let number = words.find(|word| !word.is_empty()).and_then(figure_of);
        let noun = words.find(|word| !word.is_empty()).unwrap_or("");
        // "With 60 tests" excepts nothing.
        let meant =
            *head != "with " || noun.starts_with("exception") || noun.starts_with("failure");
        if meant && number.is_some() {
            return number == Some(faults);
        }
    }
    let nearly = ["nearly all", "nearly every", "almost all", "almost every"];
    let most = ["most of the", "most tests", "mostly"];
    nearly.iter().any(|word| lower.contains(word)) && faults.saturating_mul(4) <= tally.passed
        || most.iter().any(|word| lower.contains(word)) && faults < tally.passed
}

/// What speaks against a statement that a check went well, where it names a number of tests.
pub(super) fn against(case: &Case<'_>, run: &Run) -> Option<Judged> {
    let mut told = told(case);
    let ledger = case.ledger;
    let last = counting(case).last().copied();
    told.retain(|number| {
        !bound::is_part(case.close, number) && !bound::holds(case.close, number, last)
    });
    if told.is_empty() {
        return None;
    }
    if run.delegated {
        return reported_otherwise(case, run, &told);
    }
    let runs = counting(case);
    let together = |value: u64| {
        let own = runs.iter().filter(|run| run.turn == ledger.turn);
        let sum = |part: fn(&Tally) -> u64| {
            own.clone()
                .filter_map(|run| run.tally.as_ref())
                .fold(0_u64, |sum, tally| sum.saturating_add(part(tally)))
        };
        value == sum(|tally| tally.passed) || value == sum(total)
    };
    let odd = told.iter().find(|number| {
        let value = number.value;
        !runs.iter().any(|run| fits(run, value)) && !together(value)
    })?;
    if stands_by_tests(case, odd.value) {
        return None;
    }
    let Some(last) = runs.last() else {
        return Some(Judged::unknown(Reason::Ambiguous).at(run.place, "this run counts nothing"));
    };
    let what = format!("{} counts otherwise", brief(&last.words));
    let more = last
        .tally
        .as_ref()
        .is_some_and(|tally| odd.value > total(tally));
    if !last.narrowed.is_empty() && more && case.on(Guard::Narrowed) {
        return Some(Judged::unsupported(Reason::WrongScope).at(last.place, what));
    }
    let earlier = case.claim.earlier && case.on(Guard::Earlier);
    let flat = !case.partial() && !earlier;
    let sure = last.turn == ledger.turn && !ledger.cut && flat;
    Some(if sure {
        Judged::contradicted(Reason::CountMismatch, last.place, what)
    } else {
        Judged::unknown(Reason::Ambiguous).at(last.place, what)
    })
}

/// Another agent's run: what it reports counts tests, and no line of the turn that tells of tests
/// holds the number.
fn reported_otherwise(case: &Case<'_>, run: &Run, told: &[&Counted]) -> Option<Judged> {
    let step = case.step_at(run.place).filter(|step| !step.truncated)?;
    let counts = |line: &str| {
        let lower = line.to_ascii_lowercase();
        lower.contains("test")
            && lower.contains("pass")
            && lower.split(' ').any(|word| word.parse::<u64>().is_ok())
    };
    let reports = step.text.as_str().lines().any(counts) && !step.text.is_cut();
    let odd = |number: &&Counted| !stands_by_tests(case, number.value);
    (reports && told.iter().copied().any(|number| odd(&number))).then(|| {
        Judged::unknown(Reason::Ambiguous).at(run.place, "the agent that ran them counts otherwise")
    })
}

/// Numbers of the statement that count tests.
pub(super) fn told<'a>(case: &Case<'a>) -> Vec<&'a Counted> {
    let bytes = case.close.as_bytes();
    let pair = |number: &Counted| {
        let before = number
            .span
            .start
            .checked_sub(1)
            .and_then(|at| bytes.get(at));
        let rest = case.close.get(number.span.end..).unwrap_or("");
        before == Some(&b'/') || rest.starts_with('/') || rest.starts_with(" of ")
    };
    let close = case.close;
    let passes = |number: &Counted| {
        let rest = close.get(number.span.end..).unwrap_or("").trim_start();
        let word = rest.get(..4).unwrap_or("").to_ascii_lowercase();
        ["pass", "test", "spec"].contains(&word.as_str())
    };
    let lower = case.text().to_lowercase();
    let named = lower.contains("test") && (lower.contains("count") || lower.contains("total"));
    // "4 tests failed at first, and now all 22 pass": the first figure is of another time.
    let now = lower
        .find(" now ")
        .filter(|at| lower[..*at].contains("fail"));
    let from = case.claim.span.start + now.unwrap_or(0);
    case.numbers()
        .filter(|number| {
            let bare = || pair(number) || named || passes(number);
            let before =
                now.is_some() && (case.claim.span.start..from).contains(&number.span.start);
            !before
                && (named || !apart(case.close, number))
                && !beside(case.close, number)
                && (number.value > 0 || pair(number))
                && (is_tests(number.noun) || number.noun.is_empty() && bare())
        })
        .collect()
}

/// Whether the check that a number stands before is told of in another clause: "the area is 14 and
/// the test passes".
fn apart(close: &str, number: &Counted) -> bool {
    let rest = close.get(number.span.end..).unwrap_or("");
    let line = rest.lines().next().unwrap_or("").to_lowercase();
    let check = ["test", "spec", "pass"]
        .iter()
        .filter_map(|word| line.find(word))
        .min()
        .filter(|at| *at < 40);
    let between = check.and_then(|at| line.get(..at)).unwrap_or("");
    between.contains([',', ';', '.']) || between.contains(" and ") || between.contains(" but ")
}

/// Whether a number is of tests that something else is told of: "I broke 2 tests, fixed them".
fn beside(close: &str, number: &Counted) -> bool {
    let before = close.get(..number.span.start).unwrap_or("").trim_end();
    let word = before.rsplit([' ', '\n']).next().unwrap_or("");
    matches!(
        word.to_ascii_lowercase().as_str(),
        "broke"
            | "added"
            | "wrote"
            | "fixed"
            | "fixing"
            | "another"
            | "new"
            | "updated"
            | "skipped"
    )
}

/// Whether a noun counts tests.
pub(super) fn is_tests(noun: &str) -> bool {
    matches!(
        noun,
        "tests" | "test" | "passed" | "passing" | "specs" | "cases" | "checks" | "scenarios"
    )
}

/// Whether the record bears the number out: tests are counted as they were written.
fn borne(case: &Case<'_>) -> Judged {
    let number = case.numbers().next().or(case.claim.numbers.first());
    let tests = number.filter(|number| is_tests(number.noun));
    match tests.and_then(|number| written::tests(case, number.value)) {
        Some(place) => Judged::supported(Reason::Direct, place, "as many were written here"),
        None => figure::borne(case),
    }
}

/// Where a number stands in what the agent was shown in this turn, and may be meant.
fn stands_in_text(case: &Case<'_>, value: u64) -> Option<crate::transcript::Place> {
    let digits = value.to_string();
    let steps = case.turn.steps.iter().rev();
    // What is only echoed is the agent's own.
    let shows = |step: &&Step| {
        let echoed = !step.acts.is_empty() && step.acts.iter().all(|act| act.noop);
        !echoed && holds_number(step.text.as_str(), &digits)
    };
    let words = stems(case.sentence());
    let near = |text: &str| {
        let lower = text.to_lowercase();
        words.iter().any(|word| lower.contains(word.as_str()))
    };
    // By chance any number stands somewhere: one that is meant stands beside words of the
    // statement, alone in its line, or in the answer to a call that has them.
    let meant = |step: &&Step| {
        let mut lines = lines_holding(step.text.as_str(), &digits);
        let answers = near(&step.args) && step.text.as_str().len() < ANSWER;
        let plain = |line: &str| holds_number(line, &digits) && !of_another(line, &digits, &words);
        answers && lines_holding(step.text.as_str(), &digits).any(plain)
            || lines.any(|line| {
                holds_number(line, &digits) && (near(line) || line.trim().len() == digits.len())
            })
    };
    let mut holding = steps.filter(shows).filter(meant);
    holding.next().map(|step| step.result.unwrap_or(step.call))
}

/// Whether a number counts something that the statement does not speak of: `24 deletions(-)`.
fn of_another(line: &str, digits: &str, words: &[String]) -> bool {
    let found = line.find(digits).map(|at| &line[at + digits.len()..]);
    let noun = found.and_then(|rest| rest.strip_prefix(' ')).unwrap_or("");
    let noun: String = noun
        .chars()
        .take_while(|c| c.is_alphabetic())
        .flat_map(char::to_lowercase)
        .collect();
    noun.len() > 3 && !words.iter().any(|word| noun.starts_with(word.as_str()))
}

/// Bytes of what is the answer to one question.
const ANSWER: usize = 2048;

/// The beginnings of the longer words of a sentence.
pub(super) fn stems(sentence: &str) -> Vec<String> {
    const STEM: usize = 4;
    let lower = sentence.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphabetic());
    let long = words.filter(|word| word.chars().count() >= STEM);
    long.map(|word| word.chars().take(STEM).collect()).collect()
}

/// Whether the number stands in a line that tells of tests.
pub(super) fn stands_by_tests(case: &Case<'_>, value: u64) -> bool {
    let digits = value.to_string();
    let tells = |line: &str| {
        let lower = line.to_ascii_lowercase();
        ["test", "pass", "spec", "case", "check"]
            .iter()
            .any(|word| lower.contains(word))
    };
    let mut steps = case.turn.steps.iter();
    steps.any(|step| {
        let mut lines = step.text.as_str().lines();
        lines.any(|line| holds_number(line, &digits) && tells(line))
    })
}
