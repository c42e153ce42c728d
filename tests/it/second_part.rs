//! Controls of evidence that a reader planted before the kinds were there: each lands where it was planted, or departs with a
//! reason.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use deedcheck::oracle::grammar::Answer;
use deedcheck::oracle::{
    Evidence, FIELDS, Guards, KINDS, Readings, Reads, Status, Weighed, parse, weigh_with,
};
use serde::Deserialize as _;
use serde_json::{Map, Value};

/// Controls that land elsewhere: where, and why the seed or the design page says so.
const DEPARTURES: &[(&str, &str, &str)] = &[];

/// Files of the folder that are for no check kind.
const OTHERS: [&str; 1] = ["attempts"];

/// A control, with the entries of its file that it does not replace.
#[derive(Debug, Clone)]
pub(crate) struct Planted {
    pub(crate) id: String,
    pub(crate) kind: String,
    params: Value,
    key: Value,
    readings: Readings,
    evidence: Value,
    answer: String,
    expect: Value,
    key_unknown: Option<String>,
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("calibration/second-part")
}

/// A table of a file with the entries that a control replaces.
fn over(file: &Value, own: &Value) -> Map<String, Value> {
    let table = |value: &Value| value.as_object().cloned().unwrap_or_default();
    let mut all = table(file);
    all.extend(table(own));
    all
}

/// The examples of a page whose kind reads evidence.
pub(crate) fn shown(page: &str) -> Vec<Planted> {
    let block = page.rsplit("```toml\n").next().unwrap();
    let file: Value = toml::from_str(block.rsplit_once("\n```").unwrap().0).unwrap();
    let answers = file["answer"].as_array().unwrap().iter().enumerate();
    answers
        .map(|(index, own)| read(&file, own, &format!("page-{}", index + 1)))
        .collect()
}

/// What a file or an example of a page, and one control of it, say together.
fn read(file: &Value, control: &Value, id: &str) -> Planted {
    let table = |name: &str| over(&file[name], &control[name]);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut evidence = Map::new();
    for name in FIELDS {
        for side in [file, control] {
            if let Some(value) = side.get(name) {
                evidence.insert(name.to_owned(), value.clone());
            }
        }
    }
    let readings = table("readings").into_iter();
    Planted {
        id: id.to_owned(),
        kind: text(&file["kind"]),
        params: Value::Object(table("params")),
        key: Value::Object(table("key")),
        readings: Readings(readings.map(|(name, value)| (name, text(&value))).collect()),
        evidence: Value::Object(evidence),
        answer: text(control.get("answer").unwrap_or(&control["text"])),
        expect: control["expect"].clone(),
        key_unknown: control["key-unknown"].as_str().map(str::to_owned),
    }
}

/// Every control of the folder that asks a check.
pub(crate) fn planted() -> Vec<Planted> {
    let mut all = Vec::new();
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "toml"))
        .collect();
    files.sort();
    for path in files {
        if OTHERS.iter().any(|own| path.file_stem().unwrap() == *own) {
            continue;
        }
        let file: Value = toml::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        for control in file["control"].as_array().unwrap() {
            all.push(read(&file, control, control["id"].as_str().unwrap()));
        }
    }
    all
}

impl Planted {
    /// Whether the key is unknown: then no check is asked.
    pub(crate) fn asks(&self) -> bool {
        self.key_unknown.is_none()
    }

    fn weigh(&self, guards: Guards<'_>) -> Option<Weighed> {
        let check = parse(&self.kind, &self.params);
        let check = check.unwrap_or_else(|error| panic!("{}: {error}", self.id));
        let evidence = Evidence::deserialize(&self.evidence);
        let evidence = evidence.unwrap_or_else(|error| panic!("{}: {error}", self.id));
        let answer = Answer::read(&self.answer);
        weigh_with(
            &*check,
            (&answer, &evidence),
            &self.key,
            &self.readings,
            guards,
        )
    }

    /// What it comes to, with everything that is told beside the verdict.
    pub(crate) fn outcome(&self, guards: Guards<'_>) -> (String, BTreeMap<&'static str, Value>) {
        if let Some(reason) = &self.key_unknown {
            return (format!("unknown {reason}"), BTreeMap::new());
        }
        let Some(weighed) = self.weigh(guards) else {
            return ("not-applicable".to_owned(), BTreeMap::new());
        };
        let result = &weighed.result;
        let words =
            |reasons: &BTreeSet<String>| reasons.iter().cloned().collect::<Vec<_>>().join(" ");
        let told = match result.status {
            Status::Fail if !result.unknown.is_empty() => {
                format!(
                    "fail {} + {}",
                    words(&result.failing),
                    words(&result.unknown)
                )
            }
            Status::Fail => format!("fail {}", words(&result.failing)),
            status => format!("{} {}", status.as_str(), words(&result.unknown)),
        };
        (told.trim_end().to_owned(), weighed.facts)
    }

    /// Whether it is planted to land on a reason.
    pub(crate) fn expects(&self, reason: &str) -> bool {
        match &self.expect {
            Value::Null => self
                .outcome(Guards::ALL)
                .0
                .split(' ')
                .any(|own| own == reason),
            _ => self.expected().split(' ').any(|own| own == reason),
        }
    }

    fn expected(&self) -> String {
        let words = |name: &str| {
            let list = self.expect[name].as_array().into_iter().flatten();
            list.map(|word| word.as_str().unwrap())
                .collect::<Vec<_>>()
                .join(" ")
        };
        let (reasons, more) = (words("reasons"), words("also-unknown"));
        let status = self.expect["status"].as_str().unwrap();
        let more = if more.is_empty() {
            more
        } else {
            format!(" + {more}")
        };
        format!("{status} {reasons}{more}").trim_end().to_owned()
    }
}

#[test]
fn every_control_of_evidence_lands_where_it_was_planted() {
    let mut wrong = Vec::new();
    let mut departed = BTreeSet::new();
    let mut tally: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for control in planted() {
        let (told, facts) = control.outcome(Guards::ALL);
        let expected = control.expected();
        let wanted = control.expect["facts"].as_object().into_iter().flatten();
        let mut others = wanted.filter(|(name, value)| facts.get(name.as_str()) != Some(value));
        let other = others.next();
        let of_kind = tally.entry(control.kind.clone()).or_default();
        of_kind.1 += 1;
        if told == expected && other.is_none() {
            of_kind.0 += 1;
            continue;
        }
        let known = DEPARTURES
            .iter()
            .find(|(id, own, _)| *id == control.id && *own == told);
        match known {
            Some((id, ..)) => {
                departed.insert(*id);
            }
            None => wrong.push(format!(
                "{}: {told} {facts:?}, not {expected} {other:?}",
                control.id
            )),
        }
    }
    let text = format!(
        "controls of evidence, landed and planted: {tally:?}, {} depart\n",
        departed.len()
    );
    let _ = std::io::Write::write_all(&mut std::io::stderr(), text.as_bytes());
    assert!(wrong.is_empty(), "{} wrong: {wrong:#?}", wrong.len());
    assert_eq!(
        departed.len(),
        DEPARTURES.len(),
        "a departure is none any more"
    );
    for kind in KINDS.iter().filter(|kind| kind.reads == Reads::Evidence) {
        let (_, planted) = tally.get(kind.id).copied().unwrap_or_default();
        assert!(planted >= 10, "{}: {planted} controls", kind.id);
    }
}
