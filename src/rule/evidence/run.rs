//! What one run of a check shows.

use super::fact::Shown;
use crate::rule::runner::{self, Speech, Summary};
use crate::shell::Verify;
use crate::transcript::{Outcome, printed};
use crate::turn::{Act, Step};

/// What came back from a run.
pub(super) struct Spoken {
    pub(super) shown: Shown,
    pub(super) by_output: bool,
    pub(super) summary: Summary,
}

/// Reads a run. `behind` are the commands of its pipeline that come after it.
pub(super) fn read(
    act: &Act,
    behind: &[&Act],
    verify: Verify,
    outcome: Outcome,
    step: Option<&Step>,
) -> Spoken {
    let output = step.map_or("", |step| step.text.as_str());
    let mut summary = runner::read(&act.words, output);
    let blind = act.hidden || behind.iter().any(|act| blinds(act));
    let quiet = step.is_some_and(|step| output.trim().is_empty() && !step.truncated);
    // Compilers and linters that find nothing say nothing, where they could be heard.
    let says_nothing = quiet && !matches!(verify, Verify::Test | Verify::Run);
    let unheard = act.masked && (blind || speaks_always(&act.words));
    if summary.speech == Speech::Silent && says_nothing && !unheard {
        summary.speech = Speech::Ok;
    }
    // A build that has no tests to run is a build all the same.
    if summary.speech == Speech::Empty && verify == Verify::Build {
        summary.speech = Speech::Silent;
    }
    let nothing = step.is_some() && printed(output).trim().is_empty();
    let skips = skips_tests(&act.words) || nothing && if_present(&act.words);
    if skips && verify == Verify::Test {
        summary.speech = Speech::Empty;
    }
    let (mut shown, mut by_output) = shown(act, outcome, summary.speech);
    if act.printed
        && summary.speech == Speech::Silent
        && let Some(code) = printed_code(output)
    {
        let good = code == 0;
        shown = if good { Shown::Passed } else { Shown::Failed };
        by_output = true;
    }
    Spoken {
        shown,
        by_output,
        summary,
    }
}

/// What a run shows: its output outranks its exit status, and a hidden status shows nothing.
fn shown(act: &Act, outcome: Outcome, speech: Speech) -> (Shown, bool) {
    match (speech, outcome) {
        (_, Outcome::Running) => (Shown::Running, false),
        (Speech::Failed, _) => (Shown::Failed, true),
        (Speech::Empty, _) => (Shown::Empty, true),
        (Speech::Ok, Outcome::Ok) => (Shown::Passed, act.masked),
        (Speech::Ok, Outcome::Failed(_)) if act.masked => (Shown::Passed, true),
        // A run that ended without a status is known by what it printed.
        (Speech::Ok, Outcome::Unknown) => (Shown::Passed, true),
        (_, Outcome::Failed(_)) if act.masked => (Shown::Unknown, false),
        (_, Outcome::Failed(_)) => (Shown::Failed, false),
        (Speech::Silent, Outcome::Ok) if act.masked => (Shown::Masked, false),
        (Speech::Silent, Outcome::Ok) => (Shown::Passed, false),
        _ => (Shown::Unknown, false),
    }
}

/// Whether a filter lets nothing through that would tell.
fn blinds(act: &Act) -> bool {
    let words = act.words.as_str();
    let flag = |flags: &[&str]| words.split(' ').skip(1).any(|word| flags.contains(&word));
    if act.hidden {
        return true;
    }
    match act.program.as_str() {
        "wc" | "cut" | "awk" | "tr" | "true" => true,
        "tail" | "head" => flag(&["-0", "-n0"]) || words.ends_with("-n 0"),
        "grep" | "egrep" | "rg" => {
            let lower = words.to_ascii_lowercase();
            let picks = ["error", "warn", "fail"];
            flag(&["-c", "-q", "--count", "--quiet"])
                || !picks.iter().any(|word| lower.contains(word))
        }
        _ => false,
    }
}

/// Whether a tool says something even where it finds nothing: its silence behind a pipe is no answer.
fn speaks_always(words: &str) -> bool {
    let mut words = words.split([' ', '/']);
    words.any(|word| matches!(word, "cargo" | "ruff" | "mypy" | "pyright" | "black"))
}

/// Whether a task runs only where the project has it: one that printed nothing was not there.
fn if_present(words: &str) -> bool {
    words.split(' ').any(|word| word == "--if-present")
}

fn skips_tests(words: &str) -> bool {
    // `go test -c` compiles the tests and runs none.
    let mut go = words.split(' ').skip_while(|word| *word != "go");
    let compiles = go.next().is_some() && go.next() == Some("test") && go.any(|word| word == "-c");
    compiles
        || ["-DskipTests", "-Dmaven.test.skip=true", "-Dmaven.test.skip"]
            .iter()
            .any(|flag| words.split(' ').any(|word| word.starts_with(flag)))
}

/// The status that a command printed of the one before it: `exit=0`, `rc: 1`, a lone number.
fn printed_code(output: &str) -> Option<u32> {
    let line = output.lines().rev().find(|line| !line.trim().is_empty())?;
    let line = line.trim();
    let digits = line.trim_end_matches(|c: char| !c.is_ascii_digit());
    let start = digits
        .rfind(|c: char| !c.is_ascii_digit())
        .map_or(0, |at| at + 1);
    let code = digits.get(start..)?.parse().ok()?;
    let lead = line.get(..start)?.to_ascii_lowercase();
    let told = ["exit", "rc", "code", "status"]
        .iter()
        .any(|word| lead.contains(word));
    (start == 0 || told).then_some(code)
}

/// Whether a command names a program only to ask for its version. The shell's table knows this of
/// most programs and not of all: `rubocop -v` is a run of it there.
pub(super) fn asks_version(act: &Act) -> bool {
    let mut words = act.words.split(' ').skip(1);
    // To a test runner `-v` means to tell more.
    let verbose = act.verify == Some(Verify::Test) || act.program == "mypy";
    match (words.next(), words.next()) {
        (Some("-v"), None) => !verbose,
        (Some("-V" | "--version" | "version" | "--help" | "-h"), None) => true,
        _ => false,
    }
}

/// Whether a command only tells of a program, or reads a file for faults of its syntax.
pub(super) fn informs(act: &Act) -> bool {
    let second = act.words.split(' ').nth(1).unwrap_or("");
    asks_version(act)
        || matches!(
            second,
            "help" | "--help" | "--info" | "--list-sdks" | "--version"
        )
        || act.words.starts_with("node --check ")
}

/// Whether a fixer says that it mended something: more than the layout is other than before.
pub(super) fn mended(act: &Act, output: &str) -> bool {
    let fixes = act
        .words
        .split(' ')
        .any(|word| matches!(word, "--fix" | "--fix=true" | "lint:fix"));
    let counted = |line: &str| {
        let words: Vec<&str> = line
            .split([' ', '(', ')', ','])
            .filter(|word| !word.is_empty())
            .collect();
        words.windows(2).any(|pair| {
            let many = |word: &str| word.parse::<u64>().is_ok_and(|many| many > 0);
            many(pair[0]) && pair[1] == "fixed"
                || pair[0].eq_ignore_ascii_case("fixed") && many(pair[1])
        })
    };
    fixes && output.lines().any(counted)
}

/// Whether a command only lays the code out anew, or mends what a linter finds.
pub(super) fn formats(words: &str) -> bool {
    let mut all = words.split(' ');
    let names = |word: &str| {
        matches!(
            word.rsplit('/').next().unwrap_or(word),
            "fmt"
                | "format"
                | "gofmt"
                | "goimports"
                | "rustfmt"
                | "prettier"
                | "black"
                | "isort"
                | "gofumpt"
                | "clang-format"
                | "shfmt"
                | "stylua"
                | "ktlint"
                | "dprint"
                | "format:fix"
                | "lint:fix"
        )
    };
    all.any(|word| names(word) || matches!(word, "--fix" | "--fix=true"))
}
