//! Controls of check kinds.

use std::collections::BTreeSet;

use serde_json::Value;

use super::expect::{Answered, Status};
use super::model::{AnswerInput, DeedsInput};
use crate::oracle::grammar::Answer;
use crate::oracle::{Component, Deeds, Form, Guards, Readings, Text, ask_with, parse};

/// What a check comes to, in one line.
fn said(status: &str, failing: &BTreeSet<String>, unknown: &BTreeSet<String>) -> String {
    let words = |reasons: &BTreeSet<String>| {
        let words: Vec<&str> = reasons.iter().map(String::as_str).collect();
        words.join(", ")
    };
    let mut text = status.to_owned();
    for reasons in [failing, unknown] {
        if !reasons.is_empty() {
            text.push_str(&format!("({})", words(reasons)));
        }
    }
    text
}

/// An expectation, spelled as what comes out is.
pub(super) fn spelled(answered: &Answered) -> String {
    let set = |list: &[String]| list.iter().cloned().collect::<BTreeSet<_>>();
    let (reasons, more) = (set(&answered.reasons), set(&answered.also_unknown));
    match answered.status {
        Status::Pass => said("pass", &reasons, &more),
        Status::Fail => said("fail", &reasons, &more),
        Status::Unknown => said("unknown", &BTreeSet::new(), &reasons),
        Status::Na => said("na", &reasons, &more),
    }
}

fn component(result: &Component) -> String {
    said(result.status.as_str(), &result.failing, &result.unknown)
}

/// What a check of this kind comes to with this answer, under some of its guards.
#[must_use]
pub fn answered(kind: &str, input: &AnswerInput, guards: Guards<'_>) -> String {
    if let Some(reason) = &input.key_unknown {
        // What has no key is asked nothing, whatever its kind.
        return component(&Component::unknown(reason));
    }
    let params = Value::Object(input.params.clone());
    let check = match parse(kind, &params) {
        Ok(check) => check,
        Err(error) => return error.to_string(),
    };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let readings = input.readings.iter();
    let readings = Readings(
        readings
            .map(|(name, of)| (name.clone(), text(of)))
            .collect(),
    );
    let key = Value::Object(input.key.clone());
    let form = Form::of(&params);
    component(&if form == Form::Normalized {
        let answer = Answer::with_evidence(&input.answer, &input.evidence);
        ask_with(&*check, &answer, &key, &readings, guards)
    } else {
        let text = Text::new(&input.answer, true);
        ask_with(&*check, &text.read(form), &key, &readings, guards)
    })
}

/// What a check of this kind comes to with these steps, under some of its guards.
#[must_use]
pub fn done(kind: &str, input: &DeedsInput, guards: Guards<'_>) -> String {
    let check = match parse(kind, &Value::Object(input.params.clone())) {
        Ok(check) => check,
        Err(error) => return error.to_string(),
    };
    let lines: Vec<&str> = input.did.iter().map(String::as_str).collect();
    let Some(deeds) = Deeds::told(&lines) else {
        return "no steps".to_owned();
    };
    let seen = check.ask_steps(&deeds, guards);
    seen.map_or_else(|| "na".to_owned(), |seen| component(&seen.result))
}
