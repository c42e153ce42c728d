//! `word-class`: a verdict in words of two classes.

use serde_json::Value;

use super::super::check::{Asked, Check, ParamError, Reads};
use super::super::grammar::{Answer, Claim, Equal, Facts, Kind, Phrase, Polarity, Tone, below};
use super::super::guard::Guards;
use super::super::sight::Sight;
use super::super::verdict::Component;
use super::params::{Common, Params, UNKNOWN};
use super::{KeyShape, KindInfo, key, key_shape};

const FAILING: &[&str] = &["verdict", "missing"];

pub(super) const INFO: KindInfo = KindInfo {
    id: "word-class",
    question: "Is the verdict of the answer, in words of two classes, the right one?",
    failing: FAILING,
    unknown: &["unparsed", "key-shape"],
    guards: &[
        "key-shape",
        "negative-wins",
        "denied-verdict",
        "open-is-hedged",
        "joined-by-or",
        "part-is-no-whole",
        "wanted-is-hedged",
        "named-word",
        "count-of-none",
        "another-script",
        "absent-by-choice",
    ],
    readings: &[],
    reads: Reads::Text,
    page: include_str!("word-class.md"),
    key: KeyShape::fields(&["class"]),
    parse,
};

/// Words of two classes.
#[derive(Debug)]
pub(super) struct Words {
    pub(super) positive: Vec<Phrase>,
    pub(super) negative: Vec<Phrase>,
}

#[derive(Debug)]
struct WordClass {
    words: Words,
    common: Common,
}

fn parse(value: &Value) -> Result<Box<dyn Check>, ParamError> {
    let mut params = Params::new(value)?;
    let positive = params.some_phrases("positive")?;
    let mut negative = params.some_phrases("negative")?;
    negative.extend(params.phrases("phrases")?);
    let common = Common::read(&mut params, FAILING, UNKNOWN)?;
    params.finish()?;
    let words = Words { positive, negative };
    Ok(Box::new(WordClass { words, common }))
}

/// Words behind `fail` that make it a way to work: `--fail-fast`, `it now fails fast`.
const WAYS: [&str; 5] = ["fast", "safe", "over", "gracefully", "open"];
/// Words behind `failure` that make it a thing that is dealt with.
const KINDS_OF: [&str; 6] = ["handling", "mode", "modes", "path", "paths", "domain"];
/// What bears a name in quotes.
const TITLED: [&str; 8] = [
    "case", "check", "checks", "example", "scenario", "spec", "test", "tests",
];
/// Tokens of such a name.
const TITLE: usize = 16;

/// Whether a word is a part of a name and no verdict: `--fail-fast`, `the "login fails" test`.
fn is_named(answer: &Answer<'_>, index: usize, end: usize) -> bool {
    let is = |at: usize, words: &[&str]| {
        words
            .iter()
            .any(|own| own.eq_ignore_ascii_case(answer.word(at)))
    };
    let touches = |at: usize| at > 0 && answer.range(at - 1).1 == answer.range(at).0;
    let option =
        touches(index) && is(index - 1, &["-"]) && index > 1 && !is_word_token(answer, index - 2);
    let after = end + usize::from(is(end, &["-"]));
    let mode = is(index, &["failure", "error"]) && is(after, &KINDS_OF);
    if option || mode || is(index, &["fail", "fails", "failing"]) && is(after, &WAYS) {
        return true;
    }
    let clause = answer.clause(index);
    let quote = |at: &usize| answer.clause(*at) == clause && answer.word(*at) == "\"";
    answer.step(2 * TITLE);
    let opens = (index.saturating_sub(TITLE)..index).any(|at| quote(&at));
    let closes = (end..end + TITLE).find(quote);
    opens && closes.is_some_and(|close| is(close + 1, &TITLED))
}

fn is_word_token(answer: &Answer<'_>, at: usize) -> bool {
    matches!(answer.kind(at), Some(Kind::Word | Kind::Int(_)))
}

/// Whether a table holds a count of none below the word.
fn is_none(answer: &Answer<'_>, index: usize) -> bool {
    let cells = below(answer, index).unwrap_or_default();
    !cells.is_empty() && cells.iter().all(|cell| answer.word(*cell) == "0")
}

impl Words {
    /// What is said: positive or not, and how.
    pub(super) fn said(
        &self,
        answer: &Answer<'_>,
        expected: bool,
        guards: Guards<'_>,
    ) -> Vec<(bool, Tone)> {
        let found = self.found(answer, expected, guards).into_iter();
        found.map(|(positive, tone, _)| (positive, tone)).collect()
    }

    /// The same, each with its tokens, from and one past the last.
    fn found(
        &self,
        answer: &Answer<'_>,
        expected: bool,
        guards: Guards<'_>,
    ) -> Vec<(bool, Tone, (usize, usize))> {
        answer.step(answer.len() * (self.positive.len() + self.negative.len()));
        let mut out = Vec::new();
        let mut index = 0;
        while index < answer.len() {
            let longest = |phrases: &[Phrase]| {
                let ends = phrases.iter().filter_map(|phrase| phrase.at(answer, index));
                ends.max().unwrap_or(index)
            };
            let (good, bad) = (longest(&self.positive), longest(&self.negative));
            let end = good.max(bad);
            if end == index {
                index += 1;
                continue;
            }
            let positive = good > bad;
            if guards.hold("named-word", is_named(answer, index, end)) {
                index = end;
                continue;
            }
            let none = guards.hold("count-of-none", is_none(answer, index));
            let tone = match answer.said(index) {
                _ if none => Tone::Denied,
                // `no mismatch` says that there is none, and not that all is well.
                Polarity::Denied if guards.on("denied-verdict") => Tone::Denied,
                Polarity::Open if guards.on("open-is-hedged") => Tone::Hedged,
                Polarity::Asserted | Polarity::Denied | Polarity::Open => Tone::Plain,
            };
            // `match or differ` is no verdict.
            let joined = index > 0 && answer.word(index - 1).eq_ignore_ascii_case("or");
            let joined = guards.hold("joined-by-or", joined);
            let joined = joined && tone == Tone::Plain;
            let tone = if joined { Tone::Hedged } else { tone };
            // Of a part that passes nobody can say that all does; a part that fails is a failure.
            let partial = positive
                && tone == Tone::Plain
                && guards.hold("part-is-no-whole", answer.is_partial(index, end));
            let wanted =
                tone == Tone::Plain && guards.hold("wanted-is-hedged", answer.is_wanted(index));
            let tone = if partial || wanted {
                Tone::Hedged
            } else {
                tone
            };
            // How another script denies is not known, so it accuses nobody.
            let foreign =
                positive != expected && guards.hold("another-script", answer.is_foreign(index));
            let tone = if foreign { Tone::Hedged } else { tone };
            out.push((positive, tone, (index, end)));
            index = end;
        }
        out
    }
}

/// Whether the right verdict is the positive one.
fn expected(key: &Value) -> Option<bool> {
    let class = match key {
        Value::Null => Some("positive"),
        key => key::main(key, "class").and_then(Value::as_str),
    };
    match class? {
        "positive" => Some(true),
        "negative" => Some(false),
        _ => None,
    }
}

impl Check for WordClass {
    fn ask(&self, asked: &Asked<'_>) -> Component {
        let Some(expected) = expected(asked.key) else {
            return key_shape(asked);
        };
        let mut said = self.words.said(asked.answer, expected, asked.guards);
        // A negative verdict on one thing is one on the whole.
        let one = expected && said.contains(&(false, Tone::Plain));
        if asked.guards.hold("negative-wins", one) {
            said.retain(|own| *own == (false, Tone::Plain));
        }
        let claims: Vec<Claim> = said
            .into_iter()
            .map(|(positive, tone)| Claim {
                equal: Equal::from(positive == expected),
                tone,
            })
            .collect();
        let mut facts = Facts::default();
        let absent = self.common.absent_in(asked, "missing");
        facts.decide(&claims, self.common.reason("verdict"), absent);
        facts.finish()
    }

    fn sight(&self, asked: &Asked<'_>) -> Sight {
        let mut sight = Sight::default();
        let expected = expected(asked.key).unwrap_or(true);
        let found = self.words.found(asked.answer, expected, asked.guards);
        for (_, tone, tokens) in found {
            sight.tokens(asked.answer, tokens, tone);
        }
        sight
    }
}
