//! `representation-size`: how long a payload, a conversion or a transcript is.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::super::check::{Asked, Check, ParamError, Reads};
use super::super::decode::{Format, decode};
use super::super::evidence::{Evidence, Weighed};
use super::super::grammar::is_word;
use super::super::guard::Guards;
use super::super::verdict::Component;
use super::calls::{Meant, Own};
use super::find::stands;
use super::params::Params;
use super::payload::{format_of, formats};
use super::{KeyShape, KindInfo, key, key_shape, unseen};

pub(super) const INFO: KindInfo = KindInfo {
    id: "representation-size",
    question: "How many bytes has the payload, the conversion's output or the transcript?",
    failing: &[],
    unknown: &[
        "unparsed",
        "no-call",
        "call-state-unknown",
        "result-unobservable",
        "calls-unobserved",
        "transcript-missing",
        "key-shape",
    ],
    guards: &[
        "key-shape",
        "only-what-decodes",
        "stateless-only-makes-unknown",
        "succeeded-only",
        "mention-is-no-call",
        "prompt-is-no-output",
        "unseen-is-not-zero",
        "missing-is-not-zero",
        "zero-is-a-size",
        "term-whole-word",
        "utf-8-bytes",
        "each-payload",
    ],
    readings: &[],
    reads: Reads::Evidence,
    page: include_str!("representation-size.md"),
    key: KeyShape::fields(&["terms"]),
    parse,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Of {
    Payload,
    Conversion,
    Transcript,
}

#[derive(Debug)]
struct RepresentationSize {
    of: Of,
    formats: Vec<Format>,
    meant: Meant,
}

fn parse(value: &Value) -> Result<Box<dyn Check>, ParamError> {
    let mut params = Params::new(value)?;
    let of = match params.needed("of")? {
        "payload" => Of::Payload,
        "conversion" => Of::Conversion,
        "transcript" => Of::Transcript,
        _ => return Err(params.error("of", "unknown-value")),
    };
    let formats = formats(&mut params)?;
    let meant = Meant::read(&mut params)?;
    if of == Of::Payload && formats.is_empty() {
        return Err(params.error("formats", "missing"));
    }
    if of == Of::Conversion && meant.is_empty() {
        return Err(params.error("predicates", "missing"));
    }
    params.finish()?;
    Ok(Box::new(RepresentationSize { of, formats, meant }))
}

/// The length of a text as it is written.
fn length(text: &str, guards: Guards<'_>) -> usize {
    match guards.on("utf-8-bytes") {
        true => text.len(),
        false => text.chars().count(),
    }
}

fn measured(bytes: &[usize]) -> Weighed {
    let mut weighed = Weighed::from(Component::pass());
    weighed.facts.insert("bytes", json!(bytes));
    weighed
}

impl RepresentationSize {
    fn payloads(&self, asked: &Asked<'_>) -> Weighed {
        let guards = asked.guards;
        let names = self.formats.iter().map(|format| format.name());
        let languages: Vec<&str> = std::iter::once("").chain(names).collect();
        let mut bytes = Vec::new();
        for candidate in asked.answer.candidates(&languages) {
            asked.answer.step(candidate.text.len());
            let Some((format, true)) = format_of(&candidate, &self.formats, guards) else {
                continue;
            };
            if decode(candidate.text.trim(), format).is_some() || !guards.on("only-what-decodes") {
                bytes.push(length(&candidate.text, guards));
            }
        }
        if !guards.on("each-payload") {
            bytes.truncate(1);
        }
        match bytes.is_empty() {
            true => Component::unknown("unparsed").into(),
            false => measured(&bytes),
        }
    }

    fn conversion(
        &self,
        terms: Option<&[&str]>,
        asked: &Asked<'_>,
        evidence: &Evidence<'_>,
    ) -> Weighed {
        let guards = asked.guards;
        let mut unknown: BTreeSet<&str> = BTreeSet::new();
        let mut outputs: Vec<&str> = Vec::new();
        for call in self.meant.calls(evidence, guards) {
            match self.meant.of(call, guards) {
                Own::No | Own::Failed => continue,
                Own::Perhaps => {
                    unknown.insert("call-state-unknown");
                    continue;
                }
                // What follows it may have printed as well.
                Own::Hidden => {
                    unknown.insert("result-unobservable");
                    continue;
                }
                Own::Yes => {}
            }
            let kept = call.result.as_deref();
            let kept = kept.filter(|_| !call.cut && !self.meant.is_redirected(call, guards));
            match kept {
                Some(text) => outputs.push(text),
                None if guards.on("unseen-is-not-zero") => {
                    unknown.insert("result-unobservable");
                }
                None => outputs.push(""),
            }
        }
        if !guards.on("prompt-is-no-output") && !evidence.prompt.is_empty() {
            outputs.push(&evidence.prompt);
        }
        if outputs.is_empty() {
            if !evidence.calls_observed {
                unknown.insert("calls-unobserved");
            }
            if unknown.is_empty() {
                unknown.insert("no-call");
            }
            let unknown = unknown.into_iter().map(str::to_owned).collect();
            return Component::of(BTreeSet::new(), unknown).into();
        }
        let bytes: Vec<usize> = outputs.iter().map(|text| length(text, guards)).collect();
        let mut weighed = measured(&bytes);
        if let Some(terms) = terms {
            let touches = |c| guards.hold("term-whole-word", is_word(c));
            let kept = |term: &str| outputs.iter().any(|text| stands(text, term, touches));
            let lost: Vec<&&str> = terms.iter().filter(|term| !kept(term)).collect();
            weighed.facts.insert("lost", json!(lost));
        }
        weighed
    }
}

impl Check for RepresentationSize {
    fn ask(&self, asked: &Asked<'_>) -> Component {
        unseen(self, asked)
    }

    fn weigh(&self, asked: &Asked<'_>, evidence: &Evidence<'_>) -> Option<Weighed> {
        let terms = match key::field(asked.key, "terms") {
            None | Some(Value::Null) => None,
            Some(list) => Some(key::texts(list)),
        };
        if terms == Some(None) || matches!(asked.key, Value::Bool(_) | Value::Array(_)) {
            return Some(key_shape(asked).into());
        }
        let terms = terms.flatten();
        Some(match self.of {
            Of::Payload => self.payloads(asked),
            Of::Conversion => self.conversion(terms.as_deref(), asked, evidence),
            Of::Transcript => match evidence.transcript_bytes {
                Some(0) if !asked.guards.on("zero-is-a-size") => {
                    Component::unknown("transcript-missing").into()
                }
                Some(bytes) => measured(&[usize::try_from(bytes).unwrap_or(usize::MAX)]),
                None if asked.guards.on("missing-is-not-zero") => {
                    Component::unknown("transcript-missing").into()
                }
                None => measured(&[0]),
            },
        })
    }
}
