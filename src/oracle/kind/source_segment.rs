//! `source-segment`: a passage of a file that the answer repeats.

use serde_json::Value;

use super::super::check::{Asked, Check, ParamError, Reads};
use super::super::grammar::{Answer, Facts};
use super::super::sight::Sight;
use super::super::verdict::Component;
use super::literal::Literal;
use super::params::{Common, FAIL, Params};
use super::{DEFINITION_TEXT, KeyShape, KindInfo, key, key_shape};

const FAILING: &[&str] = &["text"];

pub(super) const INFO: KindInfo = KindInfo {
    id: "source-segment",
    question: "Does the answer repeat this passage word for word?",
    failing: FAILING,
    unknown: &["unparsed", "key-shape"],
    guards: &[
        "key-shape",
        "marks-of-a-view",
        "absent-by-choice",
        "denied-passage",
    ],
    readings: &[DEFINITION_TEXT],
    reads: Reads::Text,
    page: include_str!("source-segment.md"),
    key: KeyShape::fields(&["text", "def-line"]),
    parse,
};

/// Lines of a passage that are looked for one by one, to say which the answer lacks.
const LINES: usize = 64;

#[derive(Debug)]
struct SourceSegment {
    /// `full` or `def-line` where the check itself says which.
    mode: Option<&'static str>,
    common: Common,
}

fn parse(value: &Value) -> Result<Box<dyn Check>, ParamError> {
    let mut params = Params::new(value)?;
    let mode = params.choice("mode", &["reading", "full", "def-line"])?;
    let common = Common::read(&mut params, FAILING, FAIL)?;
    params.finish()?;
    let mode = (mode != "reading").then_some(mode);
    Ok(Box::new(SourceSegment { mode, common }))
}

impl SourceSegment {
    /// The passage that is to be repeated.
    fn text<'k>(&self, asked: &Asked<'k>) -> Option<&'k str> {
        let mode = self.mode.unwrap_or(asked.readings.get(DEFINITION_TEXT.id));
        let text = key::main(asked.key, "text").and_then(key::text);
        let first = || text.and_then(|text| text.lines().find(|line| !line.trim().is_empty()));
        match mode {
            "full" => text,
            "def-line" => key::field(asked.key, "def-line")
                .and_then(key::text)
                .or_else(first),
            _ => None,
        }
    }
}

/// Words at the beginning of a passage by which it is found in prose.
const WORDS: usize = 3;

/// Whether the answer denies or doubts the passage wherever it begins to repeat it.
fn is_denied(answer: &Answer<'_>, text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().take(WORDS).collect();
    let Some(start) = Literal::new(answer, &words.join(" "), true, false) else {
        return false;
    };
    start.stands(answer) && start.is_unsaid(answer, &[])
}

/// An answer without the marks that a view of a file puts before its lines: the sign of a quote, the number of the line, the
/// plus of a line that was added.
fn without_marks(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    for line in raw.lines() {
        let mut rest = line.trim_start();
        while let Some(quoted) = rest.strip_prefix('>') {
            rest = quoted.trim_start();
        }
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let behind = &rest[digits..];
        if (1..=6).contains(&digits)
            && let Some(numbered) = behind.strip_prefix([':', '|', '\t', ' ', '\u{2192}', '-'])
        {
            rest = numbered.trim_start().trim_start_matches(['|', '\u{2502}']);
        }
        out.push_str(rest.strip_prefix('+').unwrap_or(rest));
        out.push('\n');
    }
    out
}

impl Check for SourceSegment {
    fn ask(&self, asked: &Asked<'_>) -> Component {
        let Some(text) = self.text(asked) else {
            return key_shape(asked);
        };
        let mut facts = Facts::default();
        let answer = asked.answer;
        let shown = || {
            let bare = without_marks(answer.raw());
            Answer::read(&bare).repeats(text)
        };
        if answer.repeats(text) {
            if asked.guards.hold("denied-passage", is_denied(answer, text)) {
                facts.unparsed();
            }
            return facts.finish();
        }
        match self.common.absent(asked.guards, "text") {
            Some(reason) if !asked.guards.hold("marks-of-a-view", shown()) => facts.fail(reason),
            _ => facts.unparsed(),
        }
        facts.finish()
    }

    fn sight(&self, asked: &Asked<'_>) -> Sight {
        let mut sight = Sight::default();
        let lines = self.text(asked).unwrap_or("").lines().take(LINES);
        // The lines that are not repeated say where the passage begins to differ.
        for line in lines.filter(|line| !asked.answer.repeats(line)) {
            sight.misses(line.trim());
        }
        sight
    }
}
