//! The sealed spec: canonical bytes that this program makes anew and compares before it reads on.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use super::error::{FieldError, SpecError};
use super::json::strict;
use super::model::Spec;
use super::node::Node;
use super::registry::{self, used};
use super::{read, sha256, validate::validate};
use crate::canon;
use crate::oracle::{KindInfo, TOON};

/// The format of a sealed spec.
pub const SEALED_SCHEMA: &str = "deedcheck/sealed-spec/1";

/// A spec whose seal holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    /// The spec.
    pub spec: Spec,
    /// The seal: the SHA-256 that stands in the file.
    pub seal: String,
    /// The readings that it chooses, each with the values that it did not choose.
    pub alternatives: Vec<Alternative>,
    /// The file's bytes.
    pub bytes: Vec<u8>,
}

/// A reading that was not chosen.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct Alternative {
    /// The rule's id.
    pub reading: String,
    /// The value.
    pub value: String,
}

/// Reads and checks the spec that a person wrote.
///
/// # Errors
/// `E_SPEC` with the dotted field, and the line where the format tells it.
pub fn parse(text: &str, kinds: &[KindInfo]) -> Result<Spec, SpecError> {
    let node = Node::parse(text)?;
    let spec = read::spec(&node)?;
    validate(&spec, kinds).map_err(|error| {
        let line = node.line_of(&error.field);
        error.at(line)
    })?;
    Ok(spec)
}

/// Seals a spec that a person wrote.
///
/// # Errors
/// As for [`parse`].
pub fn freeze(text: &str, kinds: &[KindInfo]) -> Result<Sealed, SpecError> {
    seal(parse(text, kinds)?, kinds)
}

fn seal(spec: Spec, kinds: &[KindInfo]) -> Result<Sealed, SpecError> {
    let alternatives = alternatives(&spec, kinds);
    let unwritable = |_| FieldError::new("", "unwritable");
    let mut document = json!({
        "schema": SEALED_SCHEMA,
        "seal": {
            "registry": registry::digest(kinds),
            "tool": env!("CARGO_PKG_VERSION"),
            "toon": TOON,
        },
        "alternatives": &alternatives,
        "inventory": inventory(&spec),
        "spec": serde_json::to_value(&spec).map_err(|_| FieldError::new("", "unwritable"))?,
    });
    let seal = sha256(&canon::to_vec(&document).map_err(unwritable)?);
    document["seal"]["sha256"] = Value::String(seal.clone());
    let mut bytes = Vec::new();
    canon::append_line(&mut bytes, &document).map_err(unwritable)?;
    Ok(Sealed {
        spec,
        seal,
        alternatives,
        bytes,
    })
}

fn alternatives(spec: &Spec, kinds: &[KindInfo]) -> Vec<Alternative> {
    let mut all = Vec::new();
    for reading in used(spec, kinds) {
        let chosen = spec.readings.get(reading.id).map_or("", String::as_str);
        for value in reading.values.iter().filter(|value| **value != chosen) {
            all.push(Alternative {
                reading: reading.id.to_owned(),
                value: (*value).to_owned(),
            });
        }
    }
    all
}

/// What a reviewer counts first.
fn inventory(spec: &Spec) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::from([
        ("arms".to_owned(), spec.arms.len()),
        ("tasks".to_owned(), spec.tasks.len()),
        ("checks".to_owned(), spec.checks().count()),
        ("gates".to_owned(), spec.gates.len()),
        ("sources".to_owned(), spec.sources.len()),
        (
            "answers".to_owned(),
            spec.tasks.iter().map(|task| task.arms.len()).sum(),
        ),
    ]);
    // A spec without any is sealed as it was before there were captures.
    if !spec.captures.is_empty() {
        counts.insert("captures".to_owned(), spec.captures.len());
    }
    let mut add = |key: String| *counts.entry(key).or_insert(0) += 1;
    for task in &spec.tasks {
        add(format!("tasks.{}", task.opportunity));
        add(format!("family.{}", task.family));
    }
    for (_, check) in spec.checks() {
        add(format!("kind.{}", check.kind));
        if check.extract == "judge" {
            add("judged".to_owned());
        }
    }
    counts
}

/// Reads a sealed spec. That it is sealed, unedited and of this very program is looked at before
/// anything else of it is, and no option changes that.
///
/// # Errors
/// `E_SPEC_MISMATCH` with `unsealed`, `hand-edited` or `stale`.
pub fn open(bytes: &[u8], kinds: &[KindInfo]) -> Result<Sealed, SpecError> {
    let unsealed = SpecError::Mismatch {
        reason: "unsealed",
        field: "seal",
    };
    let edited = |field| SpecError::Mismatch {
        reason: "hand-edited",
        field,
    };
    let stale = |field| SpecError::Mismatch {
        reason: "stale",
        field,
    };
    let text = std::str::from_utf8(bytes).map_err(|_| unsealed.clone())?;
    let mut document = strict(text).map_err(|_| unsealed.clone())?;
    if document["schema"] != SEALED_SCHEMA {
        return Err(unsealed);
    }
    let mut canonical = Vec::new();
    canon::append_line(&mut canonical, &document).map_err(|_| edited("bytes"))?;
    let told = document
        .get_mut("seal")
        .and_then(Value::as_object_mut)
        .and_then(|seal| seal.shift_remove("sha256"));
    let Some(Value::String(told)) = told else {
        return Err(unsealed);
    };
    let body = canon::to_vec(&document).map_err(|_| edited("bytes"))?;
    if sha256(&body) != told {
        return Err(edited("spec"));
    }
    if canonical != bytes {
        return Err(edited("bytes"));
    }
    if document["seal"]["tool"] != env!("CARGO_PKG_VERSION") {
        return Err(stale("tool"));
    }
    if document["seal"]["registry"] != registry::digest(kinds).as_str() {
        return Err(stale("registry"));
    }
    let node = Node::of(document["spec"].take());
    let again = read::spec(&node)
        .and_then(|spec| validate(&spec, kinds).map(|()| spec))
        .map_err(|_| stale("spec"))
        .and_then(|spec| seal(spec, kinds))?;
    if again.bytes != bytes {
        return Err(stale("spec"));
    }
    Ok(again)
}

/// Holds a sealed spec against the file that it was sealed from.
///
/// # Errors
/// Those of [`freeze`], or `E_SPEC_MISMATCH reason=source-differs`.
pub fn compare(sealed: &Sealed, text: &str, kinds: &[KindInfo]) -> Result<(), SpecError> {
    if freeze(text, kinds)?.bytes == sealed.bytes {
        Ok(())
    } else {
        Err(SpecError::Mismatch {
            reason: "source-differs",
            field: "spec",
        })
    }
}
