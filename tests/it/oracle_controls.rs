//! Controls that were planted for the check kinds by someone who had not seen them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use deedcheck::oracle::grammar::Answer;
use deedcheck::oracle::{
    Component, Deeds, Form, Guards, KINDS, Readings, Status, Text, ask_with, parse,
};
use serde_json::Value;

/// Controls that come out otherwise, each with what it comes to and why that is right by the rules
/// of the design.
const DEPARTURES: &[(&str, &str, &str)] = &[
    (
        "int-fact-column-table-unread",
        "pass",
        "columns are read, and the control allows for it",
    ),
    (
        "ordered-literals-hedge",
        "pass",
        "the first occurrences are in order, as the rule asks",
    ),
    (
        "ordered-literals-fenced-decoy",
        "unknown ? unparsed",
        "an ordered list stands there as well, so the order is not demonstrably wrong",
    ),
    (
        "ordered-literals-contradiction",
        "pass",
        "a literal that stands is not taken back by another place",
    ),
    (
        "required-literals-hedge",
        "pass",
        "a literal stands or does not: what follows it is a judge's to read",
    ),
    (
        "required-literals-contradiction",
        "pass",
        "a literal that stands is not taken back by another place",
    ),
    (
        "choice-in-clause-anchor-without-choice",
        "unknown ? unparsed",
        "`would` makes a condition, and the control allows for it",
    ),
    (
        "hex-digest-quoted-command",
        "unknown ? unparsed",
        "a digest in a command is shown and not stated, which accuses nobody",
    ),
    (
        "citation-at-contradiction",
        "pass",
        "several citations of one file are normal: the right one will do",
    ),
    (
        "citation-at-table",
        "fail location",
        "a number in a cell beside a path may be anything; an absent citation fails",
    ),
    (
        "source-segment-hedge",
        "pass",
        "the passage is repeated, as the rule asks",
    ),
    (
        "source-segment-negated",
        "pass",
        "the negator stands in another clause",
    ),
    ("name-set-hedge-name", "pass", "every name is listed"),
    (
        "name-set-contradiction",
        "pass",
        "a name that is listed is not taken back by another place",
    ),
    (
        "payload-sum-decoy",
        "pass",
        "a number in a command is shown and not stated, as in the other controls of that shape",
    ),
    (
        "row-filter-contradiction",
        "pass",
        "the first clause of the anchor says the rows",
    ),
    (
        "level-assertion-right-far-negator",
        "unknown ? unparsed",
        "a relative clause between a negator and its word leaves the reach open",
    ),
];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("calibration/oracle")
}

pub(crate) fn read(name: &str) -> Value {
    let text = std::fs::read_to_string(folder().join(name)).unwrap();
    toml::from_str(&text).unwrap()
}

/// The file's table with the control's entries over it.
fn over(file: &Value, control: &Value, name: &str) -> Value {
    let mut table = file[name].as_object().cloned().unwrap_or_default();
    for (field, value) in control[name].as_object().into_iter().flatten() {
        table.insert(field.clone(), value.clone());
    }
    Value::Object(table)
}

/// The readings, in the names of the kinds.
fn readings(table: &Value) -> Readings {
    let mut chosen = BTreeMap::new();
    for (name, value) in table.as_object().unwrap() {
        let name = match name.as_str() {
            "shape" => "payload-shape",
            "key-order" => "object-key-order",
            "url" => "url-match",
            "structure" => "conversion",
            other => other,
        };
        chosen.insert(name.to_owned(), value.as_str().unwrap().to_owned());
    }
    Readings(chosen)
}

fn said(result: &Component) -> String {
    let words = |reasons: &BTreeSet<String>| reasons.iter().cloned().collect::<Vec<_>>().join(" ");
    let mut text = result.status.as_str().to_owned();
    for (mark, reasons) in [(" ", &result.failing), (" ? ", &result.unknown)] {
        if !reasons.is_empty() {
            text.push_str(mark);
            text.push_str(&words(reasons));
        }
    }
    text
}

fn expected(expect: &Value) -> String {
    let words = |name: &str| {
        let list = expect[name].as_array().cloned().unwrap_or_default();
        let set: BTreeSet<String> = list
            .iter()
            .map(|own| own.as_str().unwrap().to_owned())
            .collect();
        set
    };
    let (mut failing, mut unknown) = (words("reasons"), words("also-unknown"));
    let status = match expect["status"].as_str().unwrap() {
        "na" => return "na".to_owned(),
        "pass" => Status::Pass,
        "fail" => Status::Fail,
        _ => {
            unknown = std::mem::take(&mut failing);
            Status::Unknown
        }
    };
    said(&Component {
        status,
        failing,
        unknown,
    })
}

pub(crate) fn ask(kind: &str, file: &Value, control: &Value, guards: Guards<'_>) -> String {
    let mut params = over(file, control, "params");
    let mut chosen = over(file, control, "readings");
    if let Some(end) = chosen
        .as_object_mut()
        .and_then(|table| table.remove("end-rule"))
    {
        params["end"] = end;
    }
    // The two captures of a page are one setting: where a control has one, it is the only one.
    let whole = ["open", "close"]
        .iter()
        .any(|name| control["key"][name].is_object());
    let key = if whole {
        control["key"].clone()
    } else {
        over(file, control, "key")
    };
    let evidence: Vec<String> = control["evidence"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|text| text.as_str().unwrap().to_owned())
        .collect();
    let check = match parse(kind, &params) {
        Ok(check) => check,
        Err(error) => return error.to_string(),
    };
    if let Some(lines) = control["did"].as_array() {
        let lines: Vec<&str> = lines.iter().filter_map(Value::as_str).collect();
        let deeds = Deeds::told(&lines).unwrap();
        let seen = check.ask_steps(&deeds, guards);
        return seen.map_or_else(|| "na".to_owned(), |seen| said(&seen.result));
    }
    let flat = Text::new(control["answer"].as_str().unwrap_or(""), true);
    let form = Form::of(&params);
    if form != Form::Normalized {
        return said(&ask_with(
            &*check,
            &flat.read(form),
            &key,
            &readings(&chosen),
            guards,
        ));
    }
    let answer = Answer::with_evidence(control["answer"].as_str().unwrap(), &evidence);
    said(&ask_with(
        &*check,
        &answer,
        &key,
        &readings(&chosen),
        guards,
    ))
}

#[test]
fn planted_controls_land_where_they_were_planted() {
    let mut tally = BTreeMap::new();
    let mut wrong = Vec::new();
    let mut departed = BTreeSet::new();
    let mut framed = 0;
    for kind in KINDS {
        let file = read(&format!("{}.toml", kind.id));
        assert_eq!(file["kind"], kind.id);
        for control in file["control"].as_array().unwrap() {
            // An unknown key and a drifted tree are told before and after a check is asked.
            if control["key-unknown"].is_string() || control["drift"].is_boolean() {
                framed += 1;
                continue;
            }
            let id = control["id"].as_str().unwrap();
            let (own, expected) = (
                ask(kind.id, &file, control, Guards::ALL),
                expected(&control["expect"]),
            );
            *tally.entry(kind.id).or_insert(0) += 1;
            if own == expected {
                continue;
            }
            match DEPARTURES
                .iter()
                .position(|(of, to, _)| *of == id && *to == own)
            {
                Some(at) => {
                    departed.insert(at);
                }
                None => wrong.push(format!(
                    "{id}: {own:?}, not {expected:?}: {:?} {}",
                    control["answer"].as_str().unwrap_or(""),
                    control["doubt"].as_str().unwrap_or("")
                )),
            }
        }
    }
    let asked: usize = tally.values().sum();
    let line = format!(
        "planted controls: {asked} asked, {} departures, {framed} outside of checks\n",
        departed.len()
    );
    let _ = std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes());
    assert!(wrong.is_empty(), "{} wrong: {wrong:#?}", wrong.len());
    assert_eq!(
        departed.len(),
        DEPARTURES.len(),
        "a departure is none any more"
    );
    for (kind, asked) in tally {
        assert!(asked >= 10, "{kind}: {asked} controls");
    }
}
