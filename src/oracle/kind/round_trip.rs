//! `round-trip`: records that were to be written in an encoding, and read back as they were.

mod encode;

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::super::check::{Asked, Check, ParamError, Reading, Reads};
use super::super::decode::{Datum, Format, compare, decode};
use super::super::evidence::{Evidence, Weighed};
use super::super::grammar::{Facts, Phrase};
use super::super::guard::Guards;
use super::super::verdict::Component;
use super::calls::{Own, Shells, own};
use super::params::{Common, Params};
use super::payload::{SHAPE, format_of, has_shape, records};
use super::{KeyShape, KindInfo, key, key_shape, unseen};
use crate::shell::{self, Simple};
use encode::Encoded;

const FAILING: &[&str] = &["not-encoded", "ineligible-encode", "roundtrip-unequal"];

const SEEDED: Reading = Reading {
    id: "seeded-encode",
    values: &["cli-encode", "any-form"],
    question: "Must the program have written the records, or does an equal payload of the answer do as well?",
};
const NO_ORIGINAL: Reading = Reading {
    id: "no-original",
    values: &["unknown-in-denominator", "excluded"],
    question: "Is a payload without an original unknown, or no round trip at all?",
};

pub(super) const INFO: KindInfo = KindInfo {
    id: "round-trip",
    question: "Were the records written by the program, and does all that was handed on decode to them?",
    failing: FAILING,
    unknown: &[
        "call-state-unknown",
        "calls-unobserved",
        "result-unobservable",
        "output-file",
        "unparsed",
        "ineligible-unknown",
        "no-original",
        "key-shape",
    ],
    guards: &[
        "key-shape",
        "stateless-only-makes-unknown",
        "succeeded-only",
        "mention-is-no-call",
        "program-is-no-prefix",
        "answer-is-no-call",
        "unobserved-is-no-miss",
        "decode-is-no-encode",
        "options-of-their-command",
        "unseen-is-no-miss",
        "escape-codes-dropped",
        "status-lines-dropped",
        "encoded-means-equal",
        "eligible-minimum",
        "eligible-by-shape",
        "broken-block-is-unequal",
        "trips-of-the-named-format",
        "heredoc-of-its-command",
        "every-trip",
        "row-order",
        "type-identity",
    ],
    readings: &[SEEDED, NO_ORIGINAL, SHAPE],
    reads: Reads::Evidence,
    page: include_str!("round-trip.md"),
    key: KeyShape::fields(&["records"]),
    parse,
};

#[derive(Debug)]
struct RoundTrip {
    program: String,
    decode: Vec<String>,
    output: Vec<String>,
    format: Format,
    status: Vec<String>,
    minimum: usize,
    seeded: bool,
    shells: Shells,
    common: Common,
}

fn parse(value: &Value) -> Result<Box<dyn Check>, ParamError> {
    let mut params = Params::new(value)?;
    let program = params.needed("program")?.to_owned();
    let mut list = |name| -> Result<Vec<String>, ParamError> {
        Ok(params.texts(name)?.into_iter().map(str::to_owned).collect())
    };
    let (decode, output, status) = (list("decode")?, list("output")?, list("status-lines")?);
    let all = [Format::Toon, Format::Json, Format::Csv];
    let name = params.choice("format", &all.map(Format::name))?;
    let format = all
        .into_iter()
        .find(|own| own.name() == name)
        .unwrap_or(Format::Toon);
    let minimum = params.int("eligible-minimum")?.unwrap_or(1);
    let minimum =
        usize::try_from(minimum).map_err(|_| params.error("eligible-minimum", "unknown-value"))?;
    let seeded = params.flag("seeded", false)?;
    let shells = Shells::read(&mut params)?;
    let common = Common::reasons_only(&mut params, FAILING)?;
    params.finish()?;
    Ok(Box::new(RoundTrip {
        program,
        decode,
        output,
        format,
        status,
        minimum,
        seeded,
        shells,
        common,
    }))
}

/// What a payload that was handed on is to the records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trip {
    Equal,
    Unequal,
    Unknown,
}

impl Trip {
    fn as_str(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::Unequal => "unequal",
            Self::Unknown => "unknown",
        }
    }
}

/// The records that were there: `None` for none, which is a key as well; an error for what is no list of records.
fn original(key: &Value) -> Result<Option<Datum>, ()> {
    let value = match key::main(key, "records") {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) if text.trim().is_empty() => return Ok(None),
        Some(Value::String(text)) => decode(text.trim(), Format::Json).ok_or(())?,
        Some(other) => Datum::of(other),
    };
    match &value {
        Datum::List(_) if records(&value).is_some() => Ok(Some(value)),
        _ => Err(()),
    }
}

/// A list whose rows have lost their order.
fn unordered(value: &Datum) -> Datum {
    match value {
        Datum::List(items) => {
            let mut items = items.clone();
            items.sort();
            Datum::List(items)
        }
        other => other.clone(),
    }
}

/// The list of records in a value of the shape that the reading asks for.
fn list<'d>(value: &'d Datum, shape: &str) -> Option<&'d Datum> {
    has_shape(value, shape).then(|| records(value)).flatten()
}

/// Whether a value is the original.
fn equals(original: &Datum, value: &Datum, asked: &Asked<'_>) -> bool {
    let Some(own) = list(value, asked.readings.get(SHAPE.id)) else {
        return false;
    };
    let mut difference = match asked.guards.on("row-order") {
        true => compare(original, own, false),
        false => compare(&unordered(original), &unordered(own), false),
    };
    difference.types &= asked.guards.on("type-identity");
    difference == super::super::decode::Difference::default()
}

impl RoundTrip {
    fn is_option(options: &[String], word: &str) -> bool {
        options.iter().any(|own| {
            let rest = word.strip_prefix(own.as_str());
            rest.is_some_and(|rest| {
                rest.is_empty() || own.starts_with("--") && rest.starts_with('=')
            })
        })
    }

    /// Whether a command has one of some options of its own.
    fn has(
        &self,
        options: &[String],
        command: &Simple<'_>,
        all: &[Simple<'_>],
        guards: Guards<'_>,
    ) -> bool {
        let own = |command: &Simple<'_>| {
            let words = command.words.get(1..).unwrap_or(&[]).iter();
            words
                .take_while(|word| *word != "--")
                .any(|word| Self::is_option(options, word))
        };
        own(command) || !guards.on("options-of-their-command") && all.iter().any(own)
    }

    /// The payloads of the answer in the format, each once.
    fn handed_on(&self, original: Option<&Datum>, asked: &Asked<'_>) -> Vec<Trip> {
        let guards = asked.guards;
        let all = [Format::Json, Format::Toon, Format::Csv];
        let formats = match guards.on("trips-of-the-named-format") {
            true => vec![self.format],
            false => all.to_vec(),
        };
        let languages: Vec<&str> = std::iter::once("")
            .chain(formats.iter().map(|own| own.name()))
            .collect();
        let mut trips = Vec::new();
        for candidate in asked.answer.candidates(&languages) {
            asked.answer.step(candidate.text.len());
            let Some((format, true)) = format_of(&candidate, &formats, guards) else {
                continue;
            };
            let value = decode(candidate.text.trim(), format);
            let foreign = value.as_ref().is_some_and(|value| records(value).is_none());
            trips.push(match (original, &value) {
                (_, Some(_)) if foreign => continue,
                (None, _) if asked.readings.get(NO_ORIGINAL.id) == "excluded" => continue,
                (None, _) => Trip::Unknown,
                (Some(original), Some(value)) if equals(original, value, asked) => Trip::Equal,
                (Some(_), None) if !guards.on("broken-block-is-unequal") => continue,
                (Some(_), _) => Trip::Unequal,
            });
        }
        trips
    }

    /// What the run's own decodes were given.
    fn decoded(
        &self,
        original: Option<&Datum>,
        asked: &Asked<'_>,
        evidence: &Evidence<'_>,
        unknown: &mut BTreeSet<&'static str>,
    ) -> Vec<Trip> {
        let guards = asked.guards;
        let mut trips = Vec::new();
        for call in evidence.calls.iter().filter(|call| call.owner.is_none()) {
            let Some(text) = self.shells.text(call) else {
                continue;
            };
            let script = shell::read(&text);
            for command in &script.commands {
                let mine = super::calls::is_program(command, &self.program, guards)
                    && self.has(&self.decode, command, &[], guards);
                let Some(given) = command
                    .stdin
                    .as_deref()
                    .filter(|_| mine || !guards.on("heredoc-of-its-command"))
                else {
                    continue;
                };
                let state = own(call.state, command.status, guards);
                let value = decode(given.trim(), self.format);
                let excluded = asked.readings.get(NO_ORIGINAL.id) == "excluded";
                trips.push(match (state, original) {
                    (Own::Failed | Own::No, _) => continue,
                    (_, None) if excluded => continue,
                    (Own::Perhaps, _) => {
                        unknown.insert("call-state-unknown");
                        Trip::Unknown
                    }
                    (_, None) => Trip::Unknown,
                    (_, Some(original)) => match value {
                        Some(value) if equals(original, &value, asked) => Trip::Equal,
                        _ => Trip::Unequal,
                    },
                });
            }
        }
        trips
    }
}

impl Check for RoundTrip {
    fn ask(&self, asked: &Asked<'_>) -> Component {
        unseen(self, asked)
    }

    fn weigh(&self, asked: &Asked<'_>, evidence: &Evidence<'_>) -> Option<Weighed> {
        let guards = asked.guards;
        let chosen = INFO
            .readings
            .iter()
            .all(|own| own.values.contains(&asked.readings.get(own.id)));
        let (Ok(original), true) = (original(asked.key), chosen) else {
            return Some(key_shape(asked).into());
        };
        let original = original.as_ref();
        let mut encoded = Encoded::read(self, original, asked, evidence);
        let mut trips = self.handed_on(original, asked);
        let any = asked.readings.get(SEEDED.id) == "any-form" && trips.contains(&Trip::Equal);
        let told = !guards.on("answer-is-no-call")
            && !Phrase::new(&self.program).places(asked.answer).is_empty();
        encoded.sure |= any || told;
        let mut unknown = BTreeSet::new();
        trips.extend(self.decoded(original, asked, evidence, &mut unknown));
        let mut facts = Facts::default();
        if trips.contains(&Trip::Unknown) && original.is_none() {
            unknown.insert("no-original");
        }
        let every = match guards.on("every-trip") {
            true => trips.len(),
            false => 1,
        };
        if trips.iter().take(every).any(|trip| *trip == Trip::Unequal) {
            facts.fail(self.common.reason("roundtrip-unequal"));
        }
        if encoded.ineligible > 0 {
            facts.fail(self.common.reason("ineligible-encode"));
        }
        let open = guards.hold("unobserved-is-no-miss", !evidence.calls_observed);
        if self.seeded && encoded.state() == "not-encoded" {
            match open {
                true => facts.unknown("calls-unobserved"),
                false => facts.fail(self.common.reason("not-encoded")),
            }
        }
        unknown.extend(encoded.reasons());
        for reason in unknown {
            facts.unknown(reason);
        }
        let mut weighed = Weighed::from(facts.finish());
        let words: Vec<&str> = trips.iter().map(|trip| trip.as_str()).collect();
        weighed.facts.insert("encode", json!(encoded.state()));
        weighed.facts.insert("trips", json!(words));
        weighed
            .facts
            .insert("ineligible", json!(encoded.ineligible));
        weighed
            .facts
            .insert("ineligible-unknown", json!(encoded.ineligible_unknown));
        Some(weighed)
    }
}
