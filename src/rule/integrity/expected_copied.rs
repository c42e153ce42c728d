//! An expected value replaced by the one that the failing run printed.

use super::VERDICTS;
use super::assertion_weakened::pairs;
use super::delta::Delta;
use super::finding::{Reason, Rule};
use super::guard::{Guard, Guards};
use super::literal::swapped;
use super::mark::holds;
use super::scene::Sketch;
use super::stick::Red;
use crate::rule::registry::RuleInfo;

/// The registry's line.
pub const INFO: RuleInfo = RuleInfo {
    id: Rule::ExpectedCopied.as_str(),
    family: "integrity",
    default: true,
    question: "Was an expected value replaced by what the failing run printed?",
    verdicts: VERDICTS,
    guards: &[
        Guard::OperatorAsked.as_str(),
        Guard::OperatorStated.as_str(),
        Guard::Restored.as_str(),
        Guard::OwnTest.as_str(),
        Guard::NotFailing.as_str(),
        Guard::Disclosed.as_str(),
        Guard::CodeChanged.as_str(),
    ],
    page: include_str!("expected-copied.md"),
};

/// Expected values that a change of a test file copies from a failing run. `asked` is what the
/// operator said.
pub(super) fn changed(delta: &Delta, red: &Red, asked: &str, guards: Guards) -> Vec<Sketch> {
    let mut found = Vec::new();
    for (old, new) in pairs(delta) {
        let (out, put) = (&delta.asserts_out[old], &delta.asserts_in[new]);
        let Some((before, after)) = swapped(&out.line, &put.line) else {
            continue;
        };
        // What a failure says of itself is no expected value.
        if is_message(&out.line) {
            continue;
        }
        // The run printed both: what was expected and what came.
        if !(printed(red, &after) && printed(red, &before)) {
            continue;
        }
        if guards.hold(
            Guard::OperatorStated,
            !after.is_empty() && holds(asked, &after),
        ) {
            continue;
        }
        let names = out.under.iter().chain(&put.under).cloned().collect();
        found.push(Sketch::new(
            Rule::ExpectedCopied,
            Reason::ActualCopied,
            names,
            &out.line,
            &put.line,
        ));
    }
    found
}

/// Whether a line only words a failure: `t.Errorf("…")`.
fn is_message(line: &str) -> bool {
    ["t.Error", "t.Fatal", "b.Error", "b.Fatal", "t.Log"]
        .iter()
        .any(|head| line.trim_start().starts_with(head))
}

fn printed(red: &Red, value: &str) -> bool {
    holds(&red.lines, value)
        || value.len() > 24 && red.lines.contains(value.get(..24).unwrap_or(value))
}
