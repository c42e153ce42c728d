//! The original's task templates as data: checks, keys and answers of our own.

mod reasons;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use deedcheck::oracle::grammar::Answer;
use deedcheck::oracle::{
    Component, Entry, Evidence, FIELDS, Guards, Readings, Status, combine, parse, settle_drift,
    weigh_with,
};
use serde::Deserialize as _;
use serde_json::{Map, Value};

fn said(result: &Component) -> String {
    let reasons = match result.status {
        Status::Fail => &result.failing,
        _ => &result.unknown,
    };
    let reasons: Vec<&str> = reasons.iter().map(String::as_str).collect();
    format!("{} {}", result.status.as_str(), reasons.join(" "))
        .trim()
        .to_owned()
}

fn readings(table: &Value) -> Readings {
    let entries = table.as_object().into_iter().flatten();
    let chosen: BTreeMap<String, String> = entries
        .map(|(id, value)| (id.clone(), value.as_str().unwrap().to_owned()))
        .collect();
    Readings(chosen)
}

/// What a run left behind: of the file, where the answer has not its own.
fn evidence(file: &Value, answer: &Value) -> Value {
    let named = FIELDS.iter().filter_map(|name| {
        let own = answer.get(name).or_else(|| file.get(name))?;
        Some(((*name).to_owned(), own.clone()))
    });
    Value::Object(named.collect::<Map<String, Value>>())
}

fn ask(file: &Value, answer: &Value) -> String {
    // A key that is not known is no key, whatever the answer.
    if let Some(reason) = answer.get("key-unknown") {
        return said(&Component::unknown(reason.as_str().unwrap()));
    }
    let own = |name: &str| answer.get(name).unwrap_or(&file[name]).clone();
    let readings = readings(&own("readings"));
    let text = Answer::read(answer["text"].as_str().unwrap());
    let behind = evidence(file, answer);
    let behind = Evidence::deserialize(&behind).unwrap();
    let checks = file["check"].as_array().unwrap();
    let parts: Vec<Component> = checks
        .iter()
        .map(|check| {
            let kind = check["kind"].as_str().unwrap();
            let parsed = parse(kind, &check["params"]).unwrap();
            let key = answer.get("key").unwrap_or(&check["key"]);
            let about = (&text, &behind);
            let told = weigh_with(&*parsed, about, key, &readings, Guards::ALL);
            told.unwrap().result
        })
        .collect();
    let told = combine(&parts);
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let scope: Vec<String> = list(&file["scope"])
        .iter()
        .map(|folder| folder.as_str().unwrap().to_owned())
        .collect();
    let drift = list(&own("drift"));
    let drift: Vec<Entry<'_>> = drift
        .iter()
        .map(|entry| Entry::deserialize(entry).unwrap())
        .collect();
    said(&settle_drift(told, &scope, &drift))
}

/// A file of templates.
struct Template {
    name: String,
    file: Value,
}

impl Template {
    fn all() -> Vec<Self> {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/templates");
        let read = |entry: std::io::Result<std::fs::DirEntry>| {
            let path = entry.unwrap().path();
            Self {
                name: path.file_stem().unwrap().to_str().unwrap().to_owned(),
                file: toml::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap(),
            }
        };
        std::fs::read_dir(folder).unwrap().map(read).collect()
    }

    fn list(&self, name: &str) -> &[Value] {
        self.file[name].as_array().map_or(&[], Vec::as_slice)
    }

    fn words(&self, name: &str) -> impl Iterator<Item = &str> {
        self.list(name).iter().map(|word| word.as_str().unwrap())
    }

    /// The words that its answers are planted with.
    fn planted(&self) -> BTreeSet<&str> {
        let answers = self.list("answer").iter();
        answers
            .flat_map(|answer| answer["is"].as_str().unwrap().split(' '))
            .collect()
    }
}

#[test]
fn every_template_lands_where_it_was_planted() {
    let mut covered = BTreeSet::new();
    let mut not_graded = BTreeSet::new();
    let mut wrong = Vec::new();
    let mut answers = 0;
    for template in Template::all() {
        let (name, file) = (&template.name, &template.file);
        for template in template.words("templates") {
            assert!(covered.insert(template.to_owned()), "{template} twice");
        }
        if file.get("graded") == Some(&Value::Bool(false)) {
            // It is mapped and recorded, and there is nothing to ask.
            let nothing = template.list("check").is_empty() && template.list("answer").is_empty();
            assert!(nothing, "{name}");
            not_graded.extend(template.words("templates").map(str::to_owned));
            continue;
        }
        for answer in template.list("answer") {
            answers += 1;
            let (own, expected) = (ask(file, answer), answer["is"].as_str().unwrap());
            if own != expected {
                wrong.push(format!("{name}: {}: {own}, not {expected}", answer["text"]));
            }
        }
        let seen = template.planted();
        let unread = match file.get("unknown") {
            Some(_) => None,
            None => Some("unparsed"),
        };
        let unknown = template.words("unknown").chain(unread);
        for word in template
            .words("failing")
            .chain(unknown)
            .chain(["pass", "unknown"])
        {
            assert!(seen.contains(word), "{name}: no answer for {word}");
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    // The original grades thirty-eight of its forty templates.
    assert_eq!(
        not_graded,
        BTreeSet::from(["T15", "T39"].map(str::to_owned))
    );
    let all: BTreeSet<String> = (0..40).map(|number| format!("T{number}")).collect();
    assert_eq!(covered, all);
    assert!(answers > 200, "{answers}");
}
