//! A failing test, test file or assertion taken out between a red and a green run.

use super::delta::{Delta, Told};
use super::finding::{Reason, Rule};
use super::guard::{Guard, Guards};
use super::scene::Sketch;
use super::{Scene, VERDICTS};
use crate::rule::registry::RuleInfo;

/// The registry's line.
pub const INFO: RuleInfo = RuleInfo {
    id: Rule::TestDeleted.as_str(),
    family: "integrity",
    default: true,
    question: "Was a failing test or assertion removed between a red and a green run?",
    verdicts: VERDICTS,
    guards: &[
        Guard::OperatorAsked.as_str(),
        Guard::CodeRemoved.as_str(),
        Guard::Moved.as_str(),
        Guard::Replaced.as_str(),
        Guard::Restored.as_str(),
        Guard::OwnTest.as_str(),
        Guard::NotFailing.as_str(),
        Guard::Disclosed.as_str(),
        Guard::CodeChanged.as_str(),
    ],
    page: include_str!("test-deleted.md"),
};

/// Tests and assertions that a change of a test file takes away.
pub(super) fn changed(delta: &Delta, scene: &Scene<'_>, guards: Guards) -> Vec<Sketch> {
    // As many tests came as went: they were renamed.
    let renamed = delta.tests_in.len() >= delta.tests_out.len();
    let mut found = if guards.hold(Guard::Moved, renamed) {
        Vec::new()
    } else {
        removed(delta, scene, guards)
    };
    let gone = |name: &Option<String>| {
        name.as_ref()
            .is_some_and(|name| delta.tests_out.contains(name))
    };
    let left: Vec<_> = delta
        .asserts_out
        .iter()
        .filter(|told| !gone(&told.under) && !delta.commented(told))
        .collect();
    // A test that is marked so that it does not run, or rewritten, keeps its number of assertions.
    let replaced = delta.asserts_in.len() >= left.len();
    let moved = delta.tests_out.is_empty() || !renamed;
    if !left.is_empty() && moved && !guards.hold(Guard::Replaced, replaced) {
        // Lines that came in stand for those that they resemble most; what is left was taken out.
        let mut spare: Vec<&str> = delta
            .asserts_in
            .iter()
            .map(|told| told.line.as_str())
            .collect();
        for told in left {
            let twin = twin(told, &spare, delta);
            if let Some(twin) = twin.filter(|_| guards.on(Guard::Replaced)) {
                spare.swap_remove(twin);
                continue;
            }
            let names = told.under.iter().cloned().collect();
            found.push(Sketch::new(
                losing(delta, told),
                Reason::AssertionRemoved,
                names,
                &told.line,
                "",
            ));
        }
    }
    found
}

/// The line that stands for an assertion which was taken out: itself, or one about the same thing
/// that is no other's own.
fn twin(told: &Told, spare: &[&str], delta: &Delta) -> Option<usize> {
    let own = spare.iter().position(|line| *line == told.line);
    own.or_else(|| {
        spare.iter().position(|line| {
            super::strength::related(&told.line, line)
                && delta.asserts_out.iter().all(|other| other.line != *line)
        })
    })
}

/// The rule that an assertion's removal falls under: a test that stands and asks on asks less.
fn losing(delta: &Delta, told: &Told) -> Rule {
    if delta.asks_on(told) {
        Rule::AssertionWeakened
    } else {
        Rule::TestDeleted
    }
}

/// A test file that is gone.
pub(super) fn file_gone(path: &str) -> Sketch {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    let names = vec![name.to_owned(), stem.to_owned()];
    Sketch::new(Rule::TestDeleted, Reason::FileRemoved, names, name, "")
}

/// Tests that went as a whole, while what they test stays.
fn removed(delta: &Delta, scene: &Scene<'_>, guards: Guards) -> Vec<Sketch> {
    let mut found = Vec::new();
    for name in &delta.tests_out {
        let lines: Vec<&str> = delta
            .asserts_out
            .iter()
            .filter(|told| told.under.as_ref() == Some(name))
            .map(|told| told.line.as_str())
            .collect();
        if guards.hold(Guard::CodeRemoved, scene.took_code_of(name, &lines)) {
            continue;
        }
        found.push(Sketch::new(
            Rule::TestDeleted,
            Reason::TestRemoved,
            vec![name.clone()],
            name,
            "",
        ));
    }
    found
}
