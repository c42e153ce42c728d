//! `count-before-noun`: every count before a noun is one of those allowed.

use serde_json::Value;

use super::super::check::{Asked, Check, ParamError, Reads};
use super::super::grammar::{Answer, Asking, Equal, Facts, Stated, Tone};
use super::super::sight::Sight;
use super::super::verdict::Component;
use super::params::{Common, Params, UNKNOWN};
use super::{KeyShape, KindInfo, key, key_shape};

const FAILING: &[&str] = &["count", "missing"];

pub(super) const INFO: KindInfo = KindInfo {
    id: "count-before-noun",
    question: "Is every count that stands before the noun one of those allowed?",
    failing: FAILING,
    unknown: &["unparsed", "key-shape"],
    guards: &[
        "key-shape",
        "absent-by-choice",
        "hedged-count",
        "denied-count",
        "another-noun",
    ],
    readings: &[],
    reads: Reads::Text,
    page: include_str!("count-before-noun.md"),
    key: KeyShape::fields(&["allowed"]),
    parse,
};

#[derive(Debug)]
struct CountBeforeNoun {
    asking: Asking,
    common: Common,
}

fn parse(value: &Value) -> Result<Box<dyn Check>, ParamError> {
    let mut params = Params::new(value)?;
    let asking = Asking {
        nouns: params.some_phrases("nouns")?,
        number_words: params.flag("number-words", false)?,
        ..Asking::default()
    };
    let common = Common::read(&mut params, FAILING, UNKNOWN)?;
    params.finish()?;
    Ok(Box::new(CountBeforeNoun { asking, common }))
}

/// A count against all that are allowed.
fn best(stated: Stated, allowed: &[i128]) -> Equal {
    let equal = |key: &i128| stated.against(*key).equal;
    if allowed.iter().any(|key| equal(key) == Equal::Yes) {
        Equal::Yes
    } else if allowed.iter().any(|key| equal(key) == Equal::Perhaps) {
        Equal::Perhaps
    } else {
        Equal::No
    }
}

/// Nouns that make the one before them a part of their name: `2 test files` count no tests.
const HOLDERS: [&str; 14] = [
    "binaries",
    "binary",
    "class",
    "classes",
    "crate",
    "crates",
    "directories",
    "directory",
    "file",
    "files",
    "module",
    "modules",
    "suite",
    "suites",
];

/// What some of what is counted came to.
const CAME_TO: [&str; 10] = [
    "deselected",
    "errored",
    "fail",
    "failed",
    "failing",
    "ignored",
    "pending",
    "skip",
    "skipped",
    "xfailed",
];

impl CountBeforeNoun {
    /// Whether a count is of something else than the noun: of what holds it, of what there was, or of none of it that failed.
    fn is_other(&self, answer: &Answer<'_>, own: Stated, equal: &[Equal]) -> bool {
        if equal.contains(&Equal::Yes) {
            return false;
        }
        let before = own.at.checked_sub(1).map_or("", |at| answer.word(at));
        if before.eq_ignore_ascii_case("before") || before.eq_ignore_ascii_case("previously") {
            return true;
        }
        let nouns = self.asking.nouns.iter();
        let Some(end) = nouns.filter_map(|noun| noun.at(answer, own.at + 1)).max() else {
            return false;
        };
        let clause = answer.clause(own.at);
        let is = |at: usize, words: &[&str]| {
            answer.clause(at) == clause
                && words
                    .iter()
                    .any(|own| own.eq_ignore_ascii_case(answer.word(at)))
        };
        let were = usize::from(is(end, &["are", "were", "is", "was", "have", "has"]));
        is(end, &HOLDERS) || own.value == 0 && is(end + were, &CAME_TO)
    }
}

impl Check for CountBeforeNoun {
    fn ask(&self, asked: &Asked<'_>) -> Component {
        let allowed = key::main(asked.key, "allowed").and_then(key::ints);
        let Some(allowed) = allowed.filter(|allowed| !allowed.is_empty()) else {
            return key_shape(asked);
        };
        let mut facts = Facts::default();
        let stated = self.asking.before_nouns(asked.answer);
        let mut said = false;
        for group in stated {
            let equal = group.iter().map(|own| best(*own, &allowed));
            let equal: Vec<Equal> = equal.collect();
            let plain =
                group.iter().all(|own| own.tone == Tone::Plain) || !asked.guards.on("hedged-count");
            let denied = group.iter().all(|own| own.tone == Tone::Denied);
            if asked.guards.hold("denied-count", denied) {
                continue;
            }
            let other = group
                .iter()
                .all(|own| self.is_other(asked.answer, *own, &equal));
            if asked.guards.hold("another-noun", other) {
                continue;
            }
            said = true;
            if plain && equal.iter().all(|own| *own == Equal::Yes) {
                continue;
            }
            // Alternatives that are all wrong are wrong.
            if plain && equal.iter().all(|own| *own == Equal::No) {
                facts.fail(self.common.reason("count"));
            } else {
                facts.unparsed();
            }
        }
        if !said {
            match self.common.absent(asked.guards, "missing") {
                Some(reason) => facts.fail(reason),
                None => facts.unparsed(),
            }
        }
        facts.finish()
    }

    fn sight(&self, asked: &Asked<'_>) -> Sight {
        let mut sight = Sight::default();
        for own in self.asking.before_nouns(asked.answer).concat() {
            sight.tokens(asked.answer, (own.at, own.at + 1), own.tone);
        }
        sight
    }
}
