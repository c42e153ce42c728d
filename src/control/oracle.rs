//! Controls of check kinds.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize as _;
use serde_json::{Map, Value};

use super::expect::{Answered, Expect, Status};
use super::guards::Guard;
use super::model::{AnswerInput, Control, DeedsInput, Input, ORACLE, Table};
use crate::oracle::grammar::Answer;
use crate::oracle::{
    Component, Deeds, Evidence, FIELDS, Form, Guards, KINDS, KindInfo, Readings, Reads, Text,
    Weighed, parse, weigh_with,
};

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

/// What is told beside a verdict, as far as it is asked for.
fn beside<'a>(facts: impl Iterator<Item = (&'a str, Option<&'a Value>)>) -> String {
    let told = facts.map(|(name, value)| match value {
        Some(value) => format!(" {name}={value}"),
        None => format!(" no {name}"),
    });
    told.collect()
}

/// An expectation, spelled as what comes out is.
pub(super) fn spelled(answered: &Answered) -> String {
    let set = |list: &[String]| list.iter().cloned().collect::<BTreeSet<_>>();
    let (reasons, more) = (set(&answered.reasons), set(&answered.also_unknown));
    let said = match answered.status {
        Status::Pass => said("pass", &reasons, &more),
        Status::Fail => said("fail", &reasons, &more),
        Status::Unknown => said("unknown", &BTreeSet::new(), &reasons),
        Status::Na => said("na", &reasons, &more),
    };
    let facts = answered.facts.iter();
    said + &beside(facts.map(|(name, value)| (name.as_str(), Some(value))))
}

fn component(result: &Component) -> String {
    said(result.status.as_str(), &result.failing, &result.unknown)
}

/// What a check of this kind comes to with this answer and what the run left behind, under some of its
/// guards; and what it tells beside of the facts that are expected.
#[must_use]
pub fn answered(
    kind: &str,
    input: &AnswerInput,
    facts: &Map<String, Value>,
    guards: Guards<'_>,
) -> String {
    if let Some(reason) = &input.key_unknown {
        // What has no key is asked nothing, whatever its kind.
        return component(&Component::unknown(reason));
    }
    match weighed(kind, input, guards) {
        Err(error) => error,
        Ok(None) => "na".to_owned(),
        Ok(Some(weighed)) => {
            let told = facts.keys().map(String::as_str);
            component(&weighed.result) + &beside(told.map(|name| (name, weighed.facts.get(name))))
        }
    }
}

fn weighed(kind: &str, input: &AnswerInput, guards: Guards<'_>) -> Result<Option<Weighed>, String> {
    let params = input.params.value();
    let check = parse(kind, params).map_err(|error| error.to_string())?;
    let left = Evidence::deserialize(&input.run).map_err(|error| error.to_string())?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let readings = input.readings.iter();
    let readings = Readings(
        readings
            .map(|(name, of)| (name.clone(), text(of)))
            .collect(),
    );
    let form = Form::of(params);
    let text = Text::new(&input.answer, form == Form::Flat);
    let answer = match form {
        Form::Normalized => Answer::with_evidence(&input.answer, &input.evidence),
        form => text.read(form),
    };
    Ok(weigh_with(
        &*check,
        (&answer, &left),
        input.key.value(),
        &readings,
        guards,
    ))
}

/// What a check of this kind comes to with these steps, under some of its guards.
#[must_use]
pub fn done(kind: &str, input: &DeedsInput, guards: Guards<'_>) -> String {
    let check = match parse(kind, input.params.value()) {
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

/// Gives controls the guards that turn them, by a list of kinds, guards and ids; an example's id is
/// its kind's name and its own.
pub(super) fn list(controls: &mut [Control], listed: &str) {
    let listed: BTreeMap<String, BTreeMap<String, Vec<String>>> =
        serde_json::from_str(listed).unwrap_or_default();
    for control in controls {
        let kind = KINDS.iter().find(|kind| kind.id == control.rule);
        let Some((kind, guards)) = kind.zip(listed.get(&control.rule)) else {
            continue;
        };
        let own = control.id.rsplit('/').next().unwrap_or("");
        for name in kind.guards {
            let ids = guards.get(*name);
            let turned = ids.is_some_and(|ids| ids.iter().any(|id| id == own));
            let guard = Guard::Check {
                kind: kind.id,
                guard: name,
            };
            if turned && !control.guards.contains(&guard) {
                control.guards.push(guard);
            }
        }
    }
}

/// The examples of every kind's page, with what the page says of them.
pub(super) fn examples() -> Vec<Control> {
    let of = |kind: &'static KindInfo| {
        let block = kind.page.rsplit("```toml\n").next().unwrap_or("");
        let block = block.split("\n```").next().unwrap_or("");
        let page: Value = toml::from_str(block).unwrap_or_default();
        let shown = page.get("answer").or(page.get("turn")).cloned();
        let shown = shown.and_then(|shown| shown.as_array().cloned());
        let shown = shown.unwrap_or_default().into_iter().enumerate();
        let made = shown.map(|(at, own)| example(kind, at + 1, &page, &own));
        made.collect::<Vec<Control>>()
    };
    KINDS.iter().flat_map(of).collect()
}

fn example(kind: &KindInfo, number: usize, page: &Value, own: &Value) -> Control {
    let weighs = kind.reads == Reads::Evidence;
    let table = |name: &str| -> Map<String, Value> {
        let of = |side: &Value| side.get(name).and_then(Value::as_object).cloned();
        match (of(page), of(own)) {
            // Beside evidence an answer replaces single entries of the tables that all share.
            (Some(mut page), Some(own)) if weighs => {
                page.extend(own);
                page
            }
            (page, own) => own.or(page).unwrap_or_default(),
        }
    };
    let left = || {
        let left = FIELDS.iter().filter(|_| weighs);
        let left = left.filter_map(|name| {
            let value = own.get(*name).or(page.get(*name))?;
            Some(((*name).to_owned(), value.clone()))
        });
        left.collect()
    };
    let text = |name: &str| own.get(name).and_then(Value::as_str).unwrap_or("");
    let words = |name: &str| -> Vec<String> {
        let words = own
            .get(name)
            .and_then(Value::as_array)
            .into_iter()
            .flatten();
        words
            .filter_map(|word| word.as_str().map(str::to_owned))
            .collect()
    };
    let input = if own.get("did").is_some() {
        Input::Deeds(DeedsInput {
            did: words("did"),
            params: Table::new(table("params")),
        })
    } else {
        Input::Answer(Box::new(AnswerInput {
            answer: text("text").to_owned(),
            evidence: words("evidence"),
            params: Table::new(table("params")),
            key: Table::new(table("holds")),
            readings: table("readings"),
            run: left(),
            key_unknown: None,
            drift: false,
        }))
    };
    Control {
        id: format!("{}/page-{number}", kind.id),
        family: ORACLE,
        rule: kind.id.to_owned(),
        guards: Vec::new(),
        origin: format!("page {}", kind.id),
        input,
        expect: vec![Expect::Check(told(kind, text("is")))],
        departure: None,
        doubt: None,
        about: None,
    }
}

/// `fail missing unparsed` and `unknown unparsed`, as pages spell outcomes.
fn told(kind: &KindInfo, text: &str) -> Answered {
    let mut words = text.split([' ', ',']).filter(|word| !word.is_empty());
    let status = match words.next() {
        Some("pass") => Status::Pass,
        Some("fail") => Status::Fail,
        Some("na") => Status::Na,
        _ => Status::Unknown,
    };
    let unread = |word: &&str| status == Status::Fail && kind.unknown.contains(word);
    let (also_unknown, reasons): (Vec<&str>, Vec<&str>) = words.partition(unread);
    let owned = |words: Vec<&str>| words.into_iter().map(str::to_owned).collect();
    Answered {
        status,
        reasons: owned(reasons),
        also_unknown: owned(also_unknown),
        facts: Map::new(),
    }
}
