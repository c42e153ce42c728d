//! `payload`: records that an answer repeats, decoded strictly.

use serde_json::Value;

use super::super::check::{Asked, Check, ParamError, Reading, Reads};
use super::super::decode::{Datum, Format, compare, decode};
use super::super::grammar::{
    Answer, Asking, Candidate, Claim, Equal, Facts, Phrase, Place, Source, Tone, toon_header,
};
use super::super::guard::Guards;
use super::super::sight::Sight;
use super::super::verdict::Component;
use super::params::{Common, Params, UNKNOWN};
use super::{KeyShape, KindInfo, key, key_shape};

const FAILING: &[&str] = &[
    "records",
    "shape",
    "types",
    "key-order",
    "json-strict-decode",
    "toon-strict-decode",
    "csv-strict-decode",
    "sum",
    "missing",
];

pub(super) const SHAPE: Reading = Reading {
    id: "payload-shape",
    values: &["root-array", "single-key-wrapper", "wrapper-with-extras"],
    question: "Is the payload the list alone, a record with the list under its only key, or a \
               record with the list and scalars beside it?",
};

const KEY_ORDER: Reading = Reading {
    id: "object-key-order",
    values: &["ordered", "unordered"],
    question: "Do the fields of a record have to stand in the key's order?",
};

pub(super) const INFO: KindInfo = KindInfo {
    id: "payload",
    question: "Does the answer repeat these records, to the type of every value?",
    failing: FAILING,
    unknown: &["unparsed", "key-shape"],
    guards: &[
        "key-shape",
        "asked-formats-only",
        "looks-like-a-payload",
        "no-record-list",
        "every-payload-equal",
        "stated-sum-outside-payloads",
        "absent-by-choice",
    ],
    readings: &[SHAPE, KEY_ORDER],
    reads: Reads::Text,
    page: include_str!("payload.md"),
    key: KeyShape::fields(&["records", "sum"]),
    parse,
};

#[derive(Debug)]
struct Sum {
    asking: Asking,
}

#[derive(Debug)]
struct Payload {
    formats: Vec<Format>,
    sum: Option<Sum>,
    common: Common,
}

fn parse(value: &Value) -> Result<Box<dyn Check>, ParamError> {
    let mut params = Params::new(value)?;
    let mut formats = formats(&mut params)?;
    if formats.is_empty() {
        formats = vec![Format::Json, Format::Toon];
    }
    let sum = params.table("sum")?.map(sum).transpose()?;
    let common = Common::read(&mut params, FAILING, UNKNOWN)?;
    params.finish()?;
    Ok(Box::new(Payload {
        formats,
        sum,
        common,
    }))
}

/// The formats that a check names.
pub(super) fn formats(params: &mut Params<'_>) -> Result<Vec<Format>, ParamError> {
    let mut formats = Vec::new();
    for (index, name) in params.texts("formats")?.into_iter().enumerate() {
        let all = [Format::Json, Format::Toon, Format::Csv];
        match all.iter().find(|format| format.name() == name) {
            Some(format) => formats.push(*format),
            None => return Err(params.error(&format!("formats.{index}"), "unknown-value")),
        }
    }
    Ok(formats)
}

fn sum(mut table: Params<'_>) -> Result<Sum, ParamError> {
    let mut nouns = table.phrases("nouns")?;
    nouns.extend(table.phrases("field")?);
    let mut labels = table.phrases("labels")?;
    if labels.is_empty() {
        labels = vec![Phrase::new("sum"), Phrase::new("total")];
    }
    let mut stop_nouns = table.phrases("stop-nouns")?;
    if stop_nouns.is_empty() {
        stop_nouns = ["records", "rows", "entries", "items"]
            .map(Phrase::new)
            .to_vec();
    }
    let asking = Asking {
        labels,
        nouns,
        stop_nouns,
        split_fields: true,
        ..Asking::default()
    };
    table.finish()?;
    Ok(Sum { asking })
}

/// The list of records in a value, under the widest reading of its shape.
pub(super) fn records(value: &Datum) -> Option<&Datum> {
    let is_records = |value: &Datum| match value {
        Datum::List(items) => items.iter().all(|item| matches!(item, Datum::Record(_))),
        _ => false,
    };
    match value {
        Datum::List(_) => is_records(value).then_some(value),
        Datum::Record(fields) => {
            let mut lists = fields.iter().filter(|(_, value)| is_records(value));
            let list = lists.next().map(|(_, value)| value);
            let others = fields.iter().filter(|(_, value)| !is_records(value));
            let scalars = others
                .into_iter()
                .all(|(_, value)| !matches!(value, Datum::List(_) | Datum::Record(_)));
            list.filter(|_| lists.next().is_none() && scalars)
        }
        _ => None,
    }
}

/// Whether a value has the shape that a reading asks for.
pub(super) fn has_shape(value: &Datum, shape: &str) -> bool {
    match (shape, value) {
        ("root-array", Datum::List(_)) | ("wrapper-with-extras", Datum::Record(_)) => true,
        ("single-key-wrapper", Datum::Record(fields)) => fields.len() == 1,
        _ => false,
    }
}

/// Whether a text begins as JSON records do; a log line `[INFO] …` does not.
fn looks_like_json(text: &str) -> bool {
    let mut rest = text.chars().filter(|c| !c.is_whitespace());
    matches!(
        (rest.next(), rest.next()),
        (Some('{'), Some('"' | '}')) | (Some('['), Some('{' | ']' | '[' | '"'))
    )
}

/// The format, among those asked for, that a candidate is to be read in, and whether it is one that has to decode.
pub(super) fn format_of(
    candidate: &Candidate,
    formats: &[Format],
    guards: Guards<'_>,
) -> Option<(Format, bool)> {
    let text = candidate.text.trim();
    let first = text.lines().next().unwrap_or("");
    let header = toon_header(first).is_some();
    let structural = candidate.source != Source::Bare;
    let guess = match &candidate.source {
        Source::Fence(language) if language == "json" => Some((Format::Json, true)),
        Source::Fence(language) if language == "toon" => Some((Format::Toon, true)),
        Source::Fence(language) if language == "csv" => Some((Format::Csv, true)),
        _ if header => Some((Format::Toon, structural)),
        _ if text.starts_with(['{', '[']) => {
            let json = looks_like_json(text) || !guards.on("looks-like-a-payload");
            Some((Format::Json, structural && json))
        }
        _ if formats.contains(&Format::Csv) && first.contains(',') => Some((Format::Csv, false)),
        _ if first.trim_end().ends_with(':') => Some((Format::Toon, false)),
        _ => None,
    };
    let any = !guards.on("asked-formats-only");
    guess.filter(|(format, _)| any || formats.contains(format))
}

/// What a candidate comes to.
enum Found {
    Nothing,
    Broken(Format),
    Value(Datum),
}

impl Payload {
    fn languages(&self) -> Vec<&'static str> {
        let own = self.formats.iter().map(|format| format.name());
        std::iter::once("").chain(own).collect()
    }

    fn read(&self, candidate: &Candidate, key: &Datum, guards: Guards<'_>) -> Found {
        let Some((format, must)) = format_of(candidate, &self.formats, guards) else {
            return Found::Nothing;
        };
        let text = candidate.text.trim();
        let mut value = decode(text, format);
        // A root array of TOON begins as JSON does.
        let header = text
            .lines()
            .next()
            .is_some_and(|line| toon_header(line).is_some());
        if value.is_none()
            && format == Format::Json
            && header
            && self.formats.contains(&Format::Toon)
        {
            value = decode(text, Format::Toon);
        }
        match value {
            Some(value)
                if (records(&value).is_some() || !guards.on("no-record-list"))
                    && (must || self.fits(key, &value, format)) =>
            {
                Found::Value(value)
            }
            None if must => Found::Broken(format),
            _ => Found::Nothing,
        }
    }

    /// Any line is CSV: what was not called so has rows, under a name that the key's have.
    fn fits(&self, key: &Datum, value: &Datum, format: Format) -> bool {
        let names = |value: &Datum| match value {
            Datum::List(items) => match items.first() {
                Some(Datum::Record(fields)) => fields.iter().map(|own| own.0.clone()).collect(),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        let known = names(key);
        format != Format::Csv || names(value).iter().any(|name| known.contains(name))
    }

    fn broken(&self, format: Format) -> &str {
        self.common.reason(match format {
            Format::Json => "json-strict-decode",
            Format::Toon => "toon-strict-decode",
            Format::Csv => "csv-strict-decode",
        })
    }

    fn differ(&self, key: &Datum, value: &Datum, asked: &Asked<'_>, facts: &mut Facts) {
        if !has_shape(value, asked.readings.get(SHAPE.id)) {
            facts.fail(self.common.reason("shape"));
        }
        let ordered = asked.readings.get(KEY_ORDER.id) == "ordered";
        let Some(own) = records(value) else { return };
        let difference = compare(key, own, ordered);
        let reasons = [
            (difference.records, "records"),
            (difference.types, "types"),
            (difference.order, "key-order"),
        ];
        for (differs, reason) in reasons {
            if differs {
                facts.fail(self.common.reason(reason));
            }
        }
    }

    /// The claims about the sum: of the wrappers' fields or, where none has it, of the text outside
    /// payloads.
    fn sums(&self, sum: &Sum, key: i128, values: &[Datum], prose: &str) -> Vec<Claim> {
        let mut claims = Vec::new();
        for value in values {
            let Datum::Record(fields) = value else {
                continue;
            };
            for (name, own) in fields {
                if sum.asking.names(name) {
                    let whole = compare(&Datum::Number(key.to_string()), own, true);
                    let equal = Equal::from(whole == super::super::decode::Difference::default());
                    claims.push(Claim {
                        equal,
                        tone: Tone::Plain,
                    });
                }
            }
        }
        if !claims.is_empty() {
            return claims;
        }
        let prose = Answer::read(prose);
        let stated = sum.asking.by_label(&prose).into_iter();
        stated.map(|own| own.against(key)).collect()
    }
}

/// The lines of an answer outside fences and payloads, and the evidence that is no payload.
fn prose(answer: &Answer<'_>, candidates: &[Candidate]) -> String {
    let blocks = candidates.iter().filter(|own| own.source == Source::Block);
    let mut inside = vec![false; answer.line_count()];
    for block in blocks {
        for flag in inside.iter_mut().take(block.lines.1).skip(block.lines.0) {
            *flag = true;
        }
    }
    let mut text = String::new();
    for (line, inside) in inside.into_iter().enumerate() {
        if !inside && answer.place(line) == Place::Prose {
            text.push_str(answer.raw_line(line));
            text.push('\n');
        }
    }
    for evidence in answer.evidence() {
        if !looks_like_json(evidence) {
            text.push_str(evidence);
            text.push('\n');
        }
    }
    text
}

/// The key's records: a list, or JSON text, which keeps every digit and the order of fields.
fn key_records(key: &Value) -> Option<Datum> {
    let value = match key::main(key, "records")? {
        Value::String(text) => decode(text.trim(), Format::Json)?,
        other => Datum::of(other),
    };
    matches!(records(&value), Some(Datum::List(_)))
        .then_some(value)
        .filter(|value| matches!(value, Datum::List(_)))
}

impl Check for Payload {
    fn ask(&self, asked: &Asked<'_>) -> Component {
        let records = key_records(asked.key);
        let sum_key = key::field(asked.key, "sum").and_then(key::int);
        let shape = SHAPE.values.contains(&asked.readings.get(SHAPE.id));
        let order = KEY_ORDER.values.contains(&asked.readings.get(KEY_ORDER.id));
        let Some(records) = records.filter(|_| shape && order) else {
            return key_shape(asked);
        };
        if self.sum.is_some() && sum_key.is_none() {
            return key_shape(asked);
        }
        let candidates = asked.answer.candidates(&self.languages());
        let mut facts = Facts::default();
        let mut values = Vec::new();
        let mut broken = false;
        for candidate in &candidates {
            asked.answer.step(candidate.text.len());
            match self.read(candidate, &records, asked.guards) {
                Found::Nothing => {}
                Found::Broken(format) => {
                    broken = true;
                    facts.fail(self.broken(format));
                }
                Found::Value(value) => values.push(value),
            }
        }
        let every = match asked.guards.on("every-payload-equal") {
            true => values.len(),
            false => 1,
        };
        for value in values.iter().take(every) {
            self.differ(&records, value, asked, &mut facts);
        }
        if values.is_empty() && !broken {
            match self.common.absent(asked.guards, "missing") {
                Some(reason) => facts.fail(reason),
                None => facts.unparsed(),
            }
        }
        if let (Some(sum), Some(key)) = (&self.sum, sum_key) {
            let prose = match asked.guards.on("stated-sum-outside-payloads") {
                true => prose(asked.answer, &candidates),
                false => asked.answer.raw().to_owned(),
            };
            let claims = self.sums(sum, key, &values, &prose);
            facts.decide(&claims, self.common.reason("sum"), None);
        }
        facts.finish()
    }

    fn sight(&self, asked: &Asked<'_>) -> Sight {
        let mut sight = Sight::default();
        for candidate in asked.answer.candidates(&self.languages()) {
            let read = format_of(&candidate, &self.formats, asked.guards).is_some();
            if read && candidate.source != Source::Bare {
                sight.line(asked.answer, candidate.lines.0);
            }
        }
        sight
    }
}
