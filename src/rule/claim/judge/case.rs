//! What a statement is judged with.

use core::ops::Range;

use super::verdict::Reason;
use crate::rule::claim::guard::{Guard, Guards};
use crate::rule::claim::{Claim, Counted, Kind, check_word};
use crate::rule::evidence::{Ledger, Run};
use crate::shell::Effect;
use crate::transcript::Place;
use crate::turn::{Act, Step, Turn};

/// A statement, its close and the record.
pub(in crate::rule::claim) struct Case<'a> {
    pub(super) claim: &'a Claim,
    pub(super) close: &'a str,
    /// Every statement of the close, this one among them.
    pub(super) others: &'a [Claim],
    pub(super) ledger: &'a Ledger,
    pub(super) turn: &'a Turn,
    pub(super) guards: Guards,
}

/// Tools that a statement may name for the run that it speaks of.
const TOOLS: [&str; 22] = [
    "pyright",
    "mypy",
    "tsc",
    "ruff",
    "eslint",
    "clippy",
    "pytest",
    "jest",
    "vitest",
    "rubocop",
    "prettier",
    "black",
    "golangci-lint",
    "shellcheck",
    "biome",
    "flake8",
    "pylint",
    "playwright",
    "mocha",
    "phpunit",
    "rspec",
    "cypress",
];

/// Endings of files that are written by hand.
const ENDINGS: [&str; 44] = [
    "rs", "py", "js", "jsx", "ts", "tsx", "mjs", "cjs", "go", "rb", "java", "kt", "cs", "c", "h",
    "cc", "cpp", "hpp", "php", "swift", "ex", "exs", "sh", "md", "mdx", "txt", "toml", "yaml",
    "yml", "json", "html", "css", "scss", "vue", "svelte", "sql", "lua", "dart", "scala", "zig",
    "proto", "tf", "xml", "ini",
];

/// The words of a lower-case text, elisions kept whole.
fn spoken(lower: &str) -> impl Iterator<Item = &str> + Clone {
    lower
        .split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’')
        .filter(|word| !word.is_empty())
}

/// Whether the agent speaks of itself.
fn is_first_person(word: &str) -> bool {
    matches!(word, "i" | "i've" | "i’ve" | "we" | "we've" | "we’ve")
}

impl<'a> Case<'a> {
    /// The words of the statement.
    pub(super) fn text(&self) -> &'a str {
        self.close.get(self.claim.span.clone()).unwrap_or("")
    }

    pub(super) fn on(&self, guard: Guard) -> bool {
        self.guards.on(guard)
    }

    /// Whether the close itself tells of a failure or of something left undone.
    pub(super) fn discloses(&self) -> bool {
        let honest = |claim: &Claim| {
            let none = claim.numbers.iter().any(|number| number.value == 0);
            let faults = !none && matches!(claim.kind, Kind::Failing | Kind::Preexisting);
            self.is_apart(claim) && (faults || claim.partial)
        };
        self.on(Guard::Disclosed)
            && (self.others.iter().any(honest)
                || tells_of_faults(self.close, &self.claim.span)
                || self.contrasts())
    }

    /// Whether the rest of the sentence tells that the same does not hold elsewhere: "on 3.8 one
    /// fails", "with the new code they don't", "the docs site doesn't". What is told of a check of
    /// another kind is no contrast.
    fn contrasts(&self) -> bool {
        let sentence = self.sentence().to_lowercase();
        let own = self.text().to_lowercase();
        let parts = sentence.split([',', ';', '—', '(', ')', ':', '；', '，']);
        let mut parts = parts.flat_map(|part| part.split(" and "));
        parts.any(|part| {
            let words: Vec<&str> = spoken(part).collect();
            let other = words
                .iter()
                .filter_map(|word| check_word(word))
                .any(|kind| kind != self.claim.kind);
            !own.contains(part.trim()) && !other && fails_plainly(&words)
        })
    }

    fn is_apart(&self, other: &Claim) -> bool {
        let own = &self.claim.span;
        other.span.end <= own.start || other.span.start >= own.end
    }

    /// Whether the statement itself, or one that shares its words, takes something out.
    pub(super) fn excepts(&self) -> bool {
        let mut same = self.others.iter().filter(|other| !self.is_apart(other));
        self.on(Guard::Partial) && (same.any(|other| other.partial) || excepts(self.sentence()))
    }

    /// Files that the statement names.
    pub(super) fn files(&self) -> Vec<&'a str> {
        let names = self.claim.scope.iter().map(String::as_str);
        names.filter(|name| is_file(name)).collect()
    }

    /// Folders and packages that the statement names.
    pub(super) fn areas(&self) -> Vec<&'a str> {
        let area = |name: &&str| {
            let last = name.trim_end_matches('/').rsplit('/').next().unwrap_or("");
            let reference = ["origin/", "upstream/", "feature/", "fix/", "http"]
                .iter()
                .any(|head| name.starts_with(head));
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._/-".contains(&byte);
            name.contains('/')
                && !name.starts_with("//")
                && name.bytes().all(plain)
                && !last.contains(['.', '*', ' ', '('])
                && !name.starts_with('@')
                && !reference
        };
        let names = self.claim.scope.iter().map(String::as_str);
        names.filter(area).collect()
    }

    /// The checking tool that the statement names. Where it names checks of several kinds, "clippy and
    /// rustfmt are happy", only one of its own kind is its tool.
    pub(super) fn tool(&self) -> Option<&'static str> {
        let text = self.text().to_ascii_lowercase();
        let word = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
        let words = || text.split(|c| !word(c));
        let named = |tool: &&str| words().any(|word| word == *tool);
        let own = |tool: &&str| check_word(tool) == Some(self.claim.kind);
        let first = words().find_map(check_word);
        let several = words()
            .filter_map(check_word)
            .any(|kind| Some(kind) != first);
        let mut tools = TOOLS.into_iter().filter(named);
        if several {
            tools.find(own)
        } else {
            tools.next()
        }
    }

    /// The sentence that the statement stands in: to the ends of its line, or to full stops. No more
    /// than its line is looked at, so that a long close costs no more than its length.
    pub(super) fn sentence(&self) -> &'a str {
        let span = self.claim.span.clone();
        let before = self.close.get(..span.start).unwrap_or("");
        let after = self.close.get(span.end..).unwrap_or("");
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        let start = before[line..].rfind(". ").map_or(line, |at| line + at + 2);
        let rest = after.lines().next().unwrap_or("");
        let end = span.end + rest.find(". ").unwrap_or(rest.len());
        self.close.get(start..end).unwrap_or("")
    }

    /// Whether the statement is surely of all of it: "all tests", "the whole suite", and not
    /// "all parser tests".
    pub(super) fn of_all(&self) -> bool {
        speaks_of_all(self.text())
    }

    /// Whether the agent speaks of its own deed rather than of how things are: "I removed",
    /// "Added …".
    pub(super) fn own_deed(&self) -> bool {
        let lower = self.text().to_lowercase();
        let mut words = spoken(&lower);
        let first = words.clone().next().unwrap_or("");
        let done = first.ends_with("ed")
            || matches!(
                first,
                "wrote" | "rewrote" | "made" | "built" | "put" | "set" | "split"
            );
        !self.claim.scope.is_empty() && (done || words.any(is_first_person))
    }

    /// Whether the agent says of itself that it did it.
    pub(super) fn speaks_of_itself(&self) -> bool {
        let lower = self.sentence().to_lowercase();
        spoken(&lower).any(is_first_person)
    }

    /// Whether the statement tells of a deed without saying whose, in a turn that changed nothing: a
    /// summary of earlier work, or an account of how a thing works.
    pub(super) fn retells(&self) -> bool {
        let deed = matches!(
            self.claim.kind,
            Kind::Edit | Kind::Create | Kind::Install | Kind::Format | Kind::Commit
        );
        let own = self.speaks_of_itself();
        let changes = |act: &Act| matches!(act.effect, Effect::Mutate | Effect::Unknown);
        let mut steps = self.turn.steps.iter();
        deed && !own && !steps.any(|step| step.acts.iter().any(changes))
    }

    /// The step of this turn whose result, or whose call where there is none, stands at a place; of a
    /// launch and the look that told its end, the launch.
    pub(super) fn step_at(&self, place: Place) -> Option<&'a Step> {
        let here = |step: &&Step| step.result.unwrap_or(step.call) == place;
        let steps = || self.turn.steps.iter().rev().filter(here);
        let launch = steps().find(|step| step.polls.is_none());
        launch.or_else(|| steps().next())
    }

    /// The command or tool of a step at a place, for a sentence.
    pub(super) fn step_words(&self, place: Place) -> String {
        let named = self.step_at(place).map(words_of);
        named.unwrap_or_else(|| "this step".to_owned())
    }

    /// The statement's own numbers.
    pub(super) fn numbers(&self) -> impl Iterator<Item = &'a Counted> {
        let span = &self.claim.span;
        // Beside the statement's own words only digits close by count it: "65 tests, all passing".
        let digit = |number: &Counted| {
            let byte = self.close.as_bytes().get(number.span.start);
            let before = span.start.checked_sub(number.span.end);
            let after = number.span.start.checked_sub(span.end);
            let close = before.or(after).is_some_and(|gap| gap < 12);
            close && byte.is_some_and(u8::is_ascii_digit)
        };
        self.claim.numbers.iter().filter(move |number| {
            let inside = number.span.start >= span.start && number.span.end <= span.end;
            inside || digit(number)
        })
    }

    /// Whether something is taken out of the statement. "0 failed" takes nothing out.
    pub(super) fn partial(&self) -> bool {
        let none = |number: &Counted| number.value == 0 && number.noun.starts_with("fail");
        self.claim.partial && !self.numbers().any(none)
    }

    /// Why a run bears a statement out.
    pub(super) fn why(&self, run: &Run) -> Reason {
        if run.delegated {
            Reason::Delegated
        } else if run.turn != self.ledger.turn {
            Reason::Carried
        } else if run.by_output {
            Reason::OutputOnly
        } else {
            Reason::Direct
        }
    }

    /// That a run went well, and whose it is.
    pub(super) fn went_well(run: &Run) -> String {
        let words = brief(&run.words);
        if run.delegated {
            format!("{words} was run by another agent here, and went well")
        } else {
            format!("{words} went well here")
        }
    }

    /// Why a deed of a turn, another agent's or the agent's own, bears a statement out.
    pub(super) fn whose(&self, delegated: bool, turn: u32) -> Reason {
        if delegated {
            Reason::Delegated
        } else {
            self.when(turn)
        }
    }

    /// Why a deed of a turn bears a statement out.
    pub(super) fn when(&self, turn: u32) -> Reason {
        if turn == self.ledger.turn {
            Reason::Direct
        } else {
            Reason::Carried
        }
    }
}

/// "With two exceptions", "44 of the 46 tests": something is taken out.
fn excepts(text: &str) -> bool {
    let lower = text.to_lowercase();
    [
        "exception",
        "except",
        " but ",
        "apart from",
        "other than",
        "aside from",
        "mostly",
        "nowhere near",
        "far from",
        "nearly",
        "almost",
        "most of",
        " bar ",
    ]
    .iter()
    .any(|word| lower.contains(word))
}

/// "One fails", "`test_total` is red", "they don't": a part of a sentence that ends in a denial, or
/// says that something fails.
fn fails_plainly(words: &[&str]) -> bool {
    let denial = |word: &str| {
        matches!(
            word,
            "can't" | "cannot" | "doesn't" | "don't" | "isn't" | "aren't" | "didn't" | "won't"
        ) || matches!(word, "doesn’t" | "don’t" | "isn’t" | "can’t" | "aren’t")
    };
    let open = |word: &&str| {
        matches!(
            *word,
            "if" | "when"
                | "would"
                | "could"
                | "should"
                | "may"
                | "no"
                | "none"
                | "never"
                | "nothing"
                | "without"
                | "zero"
                | "0"
                | "not"
                | "why"
                | "which"
                | "that"
        )
    };
    // `… and fails without`
    let rest = words.strip_suffix(&["without"]).unwrap_or(words);
    if rest.iter().any(open) {
        return false;
    }
    let then = words
        .windows(2)
        .any(|two| two[0] == "did" && matches!(two[1], "before" | "until" | "then"));
    let few = |word: &str| {
        matches!(
            word,
            "another" | "it" | "one" | "others" | "some" | "they" | "two" | "three"
        )
    };
    let fails = words.iter().enumerate().any(|(at, word)| match *word {
        "fails" => true,
        "fail" => at > 0,
        "failed" => at > 0 && few(words[at - 1]),
        "red" | "broken" | "failing" => {
            at > 0 && matches!(words[at - 1], "is" | "are" | "still" | "stays" | "stay")
        }
        _ => false,
    });
    fails || then || words.len() > 1 && words.last().is_some_and(|word| denial(word))
}

/// Whether a close tells, outside of some words of it, that a fault is left: "`pg::inserts` still
/// fails", "One error remains".
fn tells_of_faults(close: &str, own: &Range<usize>) -> bool {
    const FAILS: [&str; 3] = ["still fail", "still red", "still broken"];
    const LEFT: [&str; 6] = [
        " remain",
        " left",
        "still report",
        "still complain",
        "still ha",
        "still show",
    ];
    const FAULTS: [&str; 5] = ["error", "warning", "failure", "problem", "failing"];
    let mut from = 0;
    let lines = close.split_inclusive('\n');
    lines
        .flat_map(|line| line.split_inclusive(". "))
        .any(|part| {
            let at = from..from + part.len();
            from = at.end;
            if at.start < own.end && own.start < at.end {
                return false;
            }
            let lower = part.to_lowercase();
            let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
            let none = ["no", "none", "nothing", "zero", "0", "without"];
            let denied = spoken(&lower).any(|word| none.contains(&word));
            let open = has(&["if ", "whether", "?"]);
            !open && (has(&FAILS) || !denied && has(&LEFT) && has(&FAULTS))
        })
}

/// Whether a name is surely a file's.
pub(super) fn is_file(name: &str) -> bool {
    let last = name.rsplit('/').next().unwrap_or(name);
    let ending = last.rsplit_once('.').filter(|(stem, _)| !stem.is_empty());
    ending.is_some_and(|(_, ending)| ENDINGS.contains(&ending))
        && !name.contains([' ', '*', '(', '{', '<'])
}

fn speaks_of_all(text: &str) -> bool {
    let lower = text.to_lowercase();
    // What stands in a code span is the name of a command or a file.
    let lower: String = lower.split('`').step_by(2).collect();
    let words: Vec<&str> = lower
        .split(|c: char| !(c.is_alphanumeric() || c == '-'))
        .filter(|word| !word.is_empty())
        .collect();
    let noun = |word: &str| {
        matches!(
            word,
            "test"
                | "tests"
                | "suite"
                | "suites"
                | "specs"
                | "checks"
                | "run"
                | "project"
                | "repo"
                | "codebase"
        )
    };
    let filler = |word: &str| {
        matches!(
            word,
            "of" | "the"
                | "our"
                | "my"
                | "your"
                | "single"
                | "last"
                | "existing"
                | "test"
                | "project"
        ) || word.bytes().all(|byte| byte.is_ascii_digit())
    };
    // "Tests: all passing" is of all tests, and "the parser tests all pass" is not.
    let passes = |word: &str| matches!(word, "pass" | "passed" | "passing" | "passes" | "green");
    words.iter().enumerate().any(|(at, word)| match *word {
        "all" | "every" => {
            let rest = words.iter().skip(at + 1);
            let mut rest = rest.skip_while(|word| filler(word) && !noun(word));
            rest.next().is_some_and(|word| {
                let before = words.get(..at).unwrap_or(&[]);
                noun(word) || passes(word) && before.iter().all(|word| noun(word) || filler(word))
            })
        }
        "full" | "entire" | "whole" | "complete" => {
            words.iter().skip(at + 1).take(2).any(|word| noun(word))
        }
        _ => false,
    })
}

/// Whether a statement tells of faults and of nothing that went well.
pub(super) fn reports_faults(text: &str) -> bool {
    let lower = text.to_lowercase();
    // `-D warnings` is a flag of the command that is named.
    let lower: String = lower.split('`').step_by(2).collect();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let no = has(&[
        "no ", "zero", "without", "never", "none", "any ", "0 fail", "0 err", "not fail",
        "n't fail",
    ]);
    let well = has(&["pass", "green", "clean", "succe"]);
    let stays = has(&["report", "remain", "still", "exist"]);
    let faults = has(&["error", "problem", "issue", "warning"]);
    !no && (has(&["failures"]) || has(&["fail"]) && !well || faults && stays && !well)
}

/// Whether a statement tells that something was run and not how it went.
pub(super) fn only_ran(text: &str) -> bool {
    let lower = text.to_lowercase();
    let ran = lower
        .split(|c: char| !c.is_alphanumeric() && c != '-')
        .any(|word| matches!(word, "ran" | "reran" | "re-ran" | "rerun"));
    let tells = [
        "pass",
        "green",
        "clean",
        "succe",
        "ok",
        "✓",
        "✅",
        "fine",
        "good",
        "work",
        "no ",
        "without",
        "fail",
        "error",
        "well",
        "nothing",
        "found",
        "issue",
        "warn",
        "types check",
        "typechecks",
        "type-checks",
    ];
    ran && lower.split_whitespace().count() < 8 && !tells.iter().any(|word| lower.contains(word))
}

/// The look among the commands of a step, or else what it ran.
pub(super) fn look_of(step: &Step) -> String {
    let looks =
        |act: &&Act| act.shell && act.effect == Effect::Read && !act.noop && act.program != "cd";
    match step.acts.iter().find(looks) {
        Some(act) => brief(&act.words),
        None => words_of(step),
    }
}

/// The command that a step ran, or else its tool.
pub(super) fn words_of(step: &Step) -> String {
    let mut acts = step
        .acts
        .iter()
        .filter(|act| act.shell && !act.words.is_empty());
    let changes = |act: &&Act| act.effect == Effect::Mutate;
    let works = |act: &&Act| !act.noop && act.program != "cd";
    let act = acts
        .clone()
        .find(changes)
        .or_else(|| acts.clone().find(works));
    let act = act.or_else(|| acts.next());
    brief(act.map_or(step.tool.as_str(), |act| act.words.as_str()))
}

/// A command's words for a sentence, cut where they are long.
pub(super) fn brief(words: &str) -> String {
    const MOST: usize = 80;
    let line = words.lines().next().unwrap_or("");
    match line.char_indices().nth(MOST) {
        Some((at, _)) => format!("`{}…`", &line[..at]),
        None => format!("`{line}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_told_from_all_of_a_kind() {
        for text in [
            "All tests pass",
            "every single test is green",
            "all 240 tests pass",
            "The full test suite passes",
            "the whole run is green",
            "Tests: all passing",
            "`mise run test` (all pass)",
        ] {
            assert!(speaks_of_all(text), "{text}");
        }
        for text in [
            "All parser tests pass",
            "The parser tests all pass",
            "tests pass",
            "all is well",
        ] {
            assert!(!speaks_of_all(text), "{text}");
        }
    }

    #[test]
    fn a_flag_tells_of_no_fault() {
        assert!(reports_faults("the linter reports warnings"));
        assert!(!reports_faults("`cargo clippy -- -D warnings` reports"));
    }

    #[test]
    fn files_are_told_from_other_names() {
        assert!(is_file("src/a.rs") && is_file("README.md"));
        assert!(!is_file("std.mem") && !is_file("a/b") && !is_file("foo()"));
    }
}
