//! Controls of check kinds.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::expect::{Answered, Status};
use super::model::AnswerInput;
use crate::oracle::grammar::Answer;
use crate::oracle::{self, Asked, Component, Readings, parse};

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

/// An expectation as [`told`] spells what comes out.
pub(super) fn spelled(answered: &Answered) -> String {
    let set = |list: &[String]| list.iter().cloned().collect::<BTreeSet<_>>();
    let (reasons, more) = (set(&answered.reasons), set(&answered.also_unknown));
    match answered.status {
        Status::Pass => said("pass", &reasons, &more),
        Status::Fail => said("fail", &reasons, &more),
        Status::Unknown => said("unknown", &BTreeSet::new(), &reasons),
    }
}

/// What a check of this kind comes to with this answer.
pub(super) fn told(kind: &str, input: &AnswerInput) -> String {
    let component =
        |result: &Component| said(result.status.as_str(), &result.failing, &result.unknown);
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
    let readings: BTreeMap<String, String> = input
        .readings
        .iter()
        .map(|(name, value)| (name.clone(), text(value)))
        .collect();
    let answer = Answer::with_evidence(&input.answer, &input.evidence);
    let key = Value::Object(input.key.clone());
    let asked = Asked {
        key: &key,
        answer: &answer,
        readings: &Readings(readings),
    };
    component(&oracle::Check::ask(check.as_ref(), &asked))
}
