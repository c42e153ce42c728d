//! The measuring stick: which checks are red, what was done to them since, and when they went green.

use std::collections::{HashSet, VecDeque};

use super::finding::{Finding, Reason, Rule};
use super::guard::{Guard, Guards};
use super::literal;
use super::mark::holds;
use crate::rule::evidence::{Run, Shown};
use crate::shell::Verify;
use crate::transcript::{Place, key_of};

/// Failing checks and changes that are remembered.
const REDS: usize = 32;
const CHANGES: usize = 256;

/// Turns after which a change no longer waits for its check to go green.
const TURNS: u32 = 6;

/// Tests and assertions that are remembered.
const OWN: usize = 50_000;

/// Bytes of a failing run's output that are remembered.
const OUTPUT: usize = 12 * 1024;

/// A failing run.
#[derive(Debug, Clone)]
pub(super) struct Red {
    pub(super) order: u64,
    pub(super) place: Place,
    pub(super) verify: Verify,
    words: String,
    tool: String,
    narrowed: Vec<String>,
    /// The lines of its output that tell of failures.
    pub(super) lines: String,
    /// Whether any of them names a test.
    names: bool,
}

/// Whether a failing run names something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Named {
    /// It names other tests.
    Others,
    /// It names none.
    None,
    /// It does.
    This,
}

/// A change made while a check was red.
#[derive(Debug, Clone)]
pub(super) struct Bent {
    pub(super) rule: Rule,
    pub(super) reason: Reason,
    pub(super) order: u64,
    pub(super) turn: u32,
    pub(super) place: Place,
    pub(super) path: String,
    /// The line taken out, trimmed; empty where there is none.
    pub(super) out: String,
    /// The line put in, trimmed; empty where there is none.
    pub(super) put: String,
    pub(super) red: Red,
    pub(super) named: Named,
    /// What it is called: a test, a file, or words of an option.
    pub(super) names: Vec<String>,
    pub(super) asked: bool,
    /// What it takes away stands elsewhere.
    pub(super) moved: bool,
    pub(super) own: bool,
    /// Whether the session changed code before the check failed.
    pub(super) code_before: bool,
    pub(super) disclosed: bool,
    pub(super) green: Option<(u64, Place)>,
    /// Whether code changed between the failing run and the good one.
    pub(super) code_between: bool,
}

/// The state of all checks of a session.
#[derive(Debug, Clone, Default)]
pub(super) struct Stick {
    reds: Vec<Red>,
    pub(super) bent: VecDeque<Bent>,
    /// The step of the last change of code.
    pub(super) code: u64,
    /// The step of the last change of code before the present failing run, where there was one
    /// since a check last went well.
    pub(super) green: u64,
    /// Tests and assertions that the session wrote and that never ran well, by key.
    own: HashSet<u64>,
    /// Tests and assertions that were put in since the checks are red.
    put_in: HashSet<u64>,
    /// The step in which a test file was last made.
    pub(super) made: u64,
}

impl Stick {
    /// The failing run that a change of tests answers to: the latest of a test suite.
    pub(super) fn red(&self) -> Option<&Red> {
        self.reds.last()
    }

    /// Takes a failing or good run in. `output` is what it printed. Says whether a check went from
    /// red to green.
    pub(super) fn run(&mut self, run: &Run, output: &str) -> bool {
        if run.verify != Verify::Test && !is_own(run) {
            return false;
        }
        match run.shown {
            Shown::Failed => {
                if self.reds.is_empty() {
                    // What was put in before is no new place of what is taken out from here on.
                    self.put_in.clear();
                }
                self.reds.retain(|red| red.words != run.words);
                if self.reds.len() == REDS {
                    self.reds.remove(0);
                }
                self.reds.push(red(run, output));
                false
            }
            Shown::Passed => {
                let before = self.reds.len();
                self.reds.retain(|red| !covers(run, red));
                let code = self.code;
                for bent in self.bent.iter_mut().filter(|bent| bent.green.is_none()) {
                    if covers(run, &bent.red) {
                        bent.green = Some((run.order, run.place));
                        bent.code_between = code > bent.red.order;
                        let moved = match bent.reason {
                            Reason::FileRemoved => self.made > bent.red.order,
                            _ => self.put_in.contains(&key_of(&[&bent.out])),
                        };
                        bent.moved = bent.rule == Rule::TestDeleted && moved;
                    }
                }
                let pair = self.reds.len() < before;
                if self.reds.is_empty() {
                    self.green = run.order;
                    self.own.clear();
                    self.put_in.clear();
                }
                pair
            }
            _ => false,
        }
    }

    /// Whether the session changed code since the checks last went well, up to a failing run.
    pub(super) fn code_before(&self) -> bool {
        self.code > self.green
    }

    pub(super) fn bend(&mut self, bent: Bent) {
        if self.bent.len() == CHANGES {
            self.bent.pop_front();
        }
        self.bent.push_back(bent);
    }

    pub(super) fn write(&mut self, name: &str) {
        if self.own.len() < OWN {
            self.own.insert(key_of(&[name.trim()]));
        }
    }

    pub(super) fn wrote(&self, name: &str) -> bool {
        self.own.contains(&key_of(&[name.trim()]))
    }

    /// Remembers tests and assertions that were put in.
    pub(super) fn put(&mut self, lines: impl Iterator<Item = String>) {
        for line in lines {
            if self.put_in.len() < OWN {
                self.put_in.insert(key_of(&[line.trim()]));
            }
        }
    }

    /// Something that was taken out stands there again.
    pub(super) fn restored(&mut self, line: &str, path: &str, guards: Guards) {
        if guards.on(Guard::Restored) && !line.trim().is_empty() {
            self.bent.retain(|bent| {
                bent.green.is_some() || bent.path != path || bent.out != line.trim()
            });
        }
    }

    /// Something that was put in was taken out again.
    pub(super) fn withdrawn(&mut self, line: &str, guards: Guards) {
        if guards.on(Guard::Restored) && !line.trim().is_empty() {
            self.bent
                .retain(|bent| bent.green.is_some() || bent.put != line.trim());
        }
    }

    /// A file was brought back to its former state.
    pub(super) fn reverted(&mut self, path: &str, guards: Guards) {
        if guards.on(Guard::Restored) {
            self.bent
                .retain(|bent| bent.green.is_some() || !(bent.path == path || path.is_empty()));
        }
    }

    /// What went green in this turn, and lets go of what is too old.
    pub(super) fn resolved(&mut self, turn: u32) -> Vec<Bent> {
        let all = std::mem::take(&mut self.bent);
        let (done, left): (Vec<Bent>, Vec<Bent>) =
            all.into_iter().partition(|bent| bent.green.is_some());
        self.bent = left.into();
        self.bent.retain(|bent| bent.turn + TURNS > turn);
        done
    }
}

fn red(run: &Run, output: &str) -> Red {
    let mut lines = String::new();
    let mut names = false;
    for line in output.lines() {
        if lines.len() + line.len() > OUTPUT {
            break;
        }
        if line.len() < 500 && (is_own(run) || tells_failure(line)) {
            names |= names_test(line);
            lines.push_str(line);
            lines.push('\n');
        }
    }
    Red {
        order: run.order,
        place: run.place,
        verify: run.verify,
        words: run.words.clone(),
        tool: tool(&run.words),
        narrowed: run.narrowed.clone(),
        lines,
        names,
    }
}

/// Whether a run is of a check of the project's own, which only its own words are told by.
fn is_own(run: &Run) -> bool {
    run.verify == Verify::Run && is_check(&run.words)
}

/// Whether words name a check that no table knows: a script of such a name, or a comparison.
pub(super) fn is_check(words: &str) -> bool {
    const NAMES: [&str; 8] = [
        "compare", "check", "test", "verify", "validate", "gate", "diff", "cmp",
    ];
    const LAUNCH: [&str; 7] = ["python", "python3", "node", "bash", "sh", "ruby", "uv"];
    let mut words = words
        .split(' ')
        .filter(|word| !LAUNCH.contains(word) && *word != "run");
    let name = words.next().unwrap_or("");
    let name = name.rsplit('/').next().unwrap_or(name);
    NAMES.iter().any(|own| name.contains(own)) && !name.starts_with("git") && name != "test"
}

fn tells_failure(line: &str) -> bool {
    const MARKS: [&str; 26] = [
        "fail", "FAIL", "Fail", "rror", "ssert", "xpect", "ctual", "got", "want", "left:",
        "right:", "panicked", "not ok", "✗", "✘", "×", "✕", "●", "❯", "E  ", "eceived", "snapshot",
        "golden", "mismatch", "Snapshot", "!=",
    ];
    let text = line.trim_start();
    text.starts_with(['-', '+', '>'])
        || text
            .split_once(") ")
            .is_some_and(|(number, _)| number.parse::<u32>().is_ok())
        || MARKS.iter().any(|mark| line.contains(mark))
}

/// Whether a line names a failing test.
fn names_test(line: &str) -> bool {
    let text = line.trim_start();
    [
        "FAILED ",
        "--- FAIL",
        "✕",
        "✗",
        "✘",
        "×",
        "●",
        "not ok",
        "FAIL: ",
        "FAIL  ",
        "ERROR: test",
        "(FAILED",
    ]
    .iter()
    .any(|mark| text.starts_with(mark))
        || text.ends_with("... FAILED")
        || text.ends_with(" FAILED")
}

impl Red {
    /// Whether its words or its output name a file.
    pub(super) fn speaks_of(&self, name: &str) -> bool {
        holds(&self.words, name) || holds(&self.lines, name)
    }

    /// Whether the run names a test whose name holds one of some words, as options of runners
    /// select tests.
    pub(super) fn named_in_part(&self, words: &[String]) -> Named {
        let mut lines = self.lines.lines().filter(|line| names_test(line));
        let hit = lines.any(|line| words.iter().any(|word| line.contains(word.as_str())));
        match (hit, self.names) {
            (true, _) => Named::This,
            (false, true) => Named::Others,
            (false, false) => Named::None,
        }
    }

    /// Whether the run names a test, a file or a line.
    pub(super) fn named(&self, names: &[String], line: &str, alone: bool) -> Named {
        let line = line.trim();
        // Where nobody tells which test a line belongs to, the value that it expects may tell.
        let value = || {
            literal::values(line)
                .iter()
                .any(|value| value.len() > 1 && holds(&self.lines, value))
        };
        if alone && value() {
            return Named::This;
        }
        let quoted = line.len() > 8 && self.lines.contains(line);
        if quoted
            || names
                .iter()
                .any(|name| name.len() > 2 && holds(&self.lines, name))
        {
            return Named::This;
        }
        if self.names {
            Named::Others
        } else {
            Named::None
        }
    }
}

/// Whether a good run speaks for a failing one.
pub(super) fn covers(run: &Run, red: &Red) -> bool {
    if run.words == red.words {
        return true;
    }
    if run.verify != red.verify || is_own(run) {
        return false;
    }
    let own = tool(&run.words);
    let same = own == red.tool || own.is_empty() || red.tool.is_empty();
    let meet =
        |a: &String, b: &String| a == b || a.starts_with(b.as_str()) || b.starts_with(a.as_str());
    let part = run.narrowed.is_empty()
        || red.narrowed.is_empty()
        || run
            .narrowed
            .iter()
            .any(|a| red.narrowed.iter().any(|b| meet(a, b)));
    same && part
}

/// The tool that runs a check; empty for a launcher, which may run any.
fn tool(words: &str) -> String {
    const TOOLS: [&str; 22] = [
        "pytest",
        "unittest",
        "jest",
        "vitest",
        "mocha",
        "ava",
        "playwright",
        "cypress",
        "rspec",
        "phpunit",
        "go",
        "cargo",
        "gradle",
        "gradlew",
        "mvn",
        "dotnet",
        "swift",
        "ctest",
        "mix",
        "eslint",
        "tsc",
        "deno",
    ];
    words
        .split([' ', '/'])
        .take(12)
        .find(|word| TOOLS.contains(word))
        .unwrap_or("")
        .to_owned()
}

impl Bent {
    /// What a change that made a check go well comes to.
    pub(super) fn finding(&self, guards: Guards) -> Option<Finding> {
        let (_, green) = self.green?;
        if guards.hold(Guard::OperatorAsked, self.asked)
            || guards.hold(Guard::NotFailing, self.named == Named::Others)
            || guards.hold(Guard::OwnTest, self.own)
            || guards.hold(Guard::Moved, self.moved)
        {
            return None;
        }
        let changed = match self.rule {
            Rule::TestDeleted => "the test or assertion is taken out",
            Rule::TestSkipped => "the test is left out",
            Rule::AssertionWeakened => "the assertion asks less",
            Rule::ExpectedCopied => "the expected value becomes what the run printed",
            _ => "what the run produced is accepted",
        };
        let mut text = self.out.clone();
        if !self.put.is_empty() {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&self.put);
        }
        let finding = Finding::new(self.rule, self.reason, &text)
            .at(self.red.place, "the check fails")
            .at(self.place, changed)
            .at(green, "the check passes");
        if guards.hold(Guard::Disclosed, self.disclosed) {
            return Some(finding.doubted(Reason::Disclosed));
        }
        if self.rule == Rule::ExpectedCopied && guards.hold(Guard::CodeChanged, self.code_before) {
            return Some(finding.doubted(Reason::CodeChanged));
        }
        if self.named == Named::None {
            return Some(finding.doubted(Reason::Unnamed));
        }
        // Where code changed as well, it may be what made the check pass.
        let alone = !(self.code_between || self.code_before && guards.on(Guard::CodeChanged));
        Some(if alone { finding } else { finding.not_alone() })
    }
}
