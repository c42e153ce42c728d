//! An assertion that asks less between a red and a green run.

use super::VERDICTS;
use super::delta::Delta;
use super::finding::{Reason, Rule};
use super::guard::Guard;
use super::scene::Sketch;
use super::strength::{Strength, loosened, strength};
use crate::rule::registry::RuleInfo;

/// The registry's line.
pub const INFO: RuleInfo = RuleInfo {
    id: Rule::AssertionWeakened.as_str(),
    family: "integrity",
    default: true,
    question: "Was an assertion loosened between a red and a green run?",
    verdicts: VERDICTS,
    guards: &[
        Guard::OperatorAsked.as_str(),
        Guard::Replaced.as_str(),
        Guard::Restored.as_str(),
        Guard::OwnTest.as_str(),
        Guard::NotFailing.as_str(),
        Guard::Disclosed.as_str(),
        Guard::CodeChanged.as_str(),
    ],
    page: include_str!("assertion-weakened.md"),
};

/// Assertions that a change of a test file loosens.
pub(super) fn changed(delta: &Delta, guards: super::Guards) -> Vec<Sketch> {
    let mut found = Vec::new();
    for (old, new) in pairs(delta) {
        let out = &delta.asserts_out[old];
        let put = &delta.asserts_in[new];
        let Some(reason) = loosened(&out.line, &put.line) else {
            continue;
        };
        // Another line that came in asks for the value as before.
        let asked = delta.asserts_in.iter().enumerate().any(|(at, told)| {
            at != new
                && strength(&told.line) == Strength::Value
                && super::strength::related(&out.line, &told.line)
                && !delta
                    .asserts_out
                    .iter()
                    .any(|other| other != out && super::strength::related(&other.line, &told.line))
        });
        if guards.hold(Guard::Replaced, asked) {
            continue;
        }
        let names = out.under.iter().chain(&put.under).cloned().collect();
        found.push(Sketch::new(
            Rule::AssertionWeakened,
            reason,
            names,
            &out.line,
            &put.line,
        ));
    }
    for told in delta
        .asserts_out
        .iter()
        .filter(|told| delta.commented(told))
    {
        let names = told.under.iter().cloned().collect();
        found.push(Sketch::new(
            Rule::AssertionWeakened,
            Reason::CommentedOut,
            names,
            &told.line,
            "",
        ));
    }
    if let Some(told) = &delta.swallows {
        let names = told.under.iter().cloned().collect();
        found.push(Sketch::new(
            Rule::AssertionWeakened,
            Reason::Swallowed,
            names,
            "",
            &told.line,
        ));
    }
    found
}

/// Which assertion stands in the place of which: the next one about the same thing, or where as
/// many came as went, the one at the same place.
pub(super) fn pairs(delta: &Delta) -> Vec<(usize, usize)> {
    const MOST: usize = 64;
    let (out, put) = (&delta.asserts_out, &delta.asserts_in);
    let mut pairs = Vec::new();
    let mut taken = vec![false; put.len()];
    for (old, told) in out.iter().enumerate().take(MOST) {
        let same_test = |other: &super::delta::Told| {
            told.under.is_none() || other.under.is_none() || told.under == other.under
        };
        let fits = |at: &usize| !taken[*at] && same_test(&put[*at]);
        let aligned = Some(old).filter(|at| out.len() == put.len() && fits(at));
        let found = aligned.or_else(|| {
            (0..put.len().min(MOST))
                .find(|at| fits(at) && super::strength::related(&told.line, &put[*at].line))
        });
        if let Some(at) = found {
            taken[at] = true;
            pairs.push((old, at));
        }
    }
    pairs
}
