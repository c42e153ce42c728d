//! What is exported: a private directory, read, and each file of it held against its digest.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::super::RunError;
use super::super::bind::line;
use super::super::grade::Public;
use super::super::sources::text_of;
use super::{text, wrong};
use crate::aggregate::{AGGREGATE_SCHEMA, Aggregate, cells};
use crate::grade::hex;
use crate::private::argv::PLACEHOLDER;
use crate::private::{Canary, Kind};
use crate::report::Picked;
use crate::spec::sha256;

/// The longest row that is read, in bytes.
const LONGEST: u64 = 1 << 26;

/// A private directory that was read.
pub(super) struct Source {
    pub(super) arguments: Vec<String>,
    /// The aggregate file's bytes.
    pub(super) aggregate: Vec<u8>,
    /// The same, read.
    pub(super) sums: Value,
    pub(super) picked: Picked,
    pub(super) rows: u64,
    pub(super) grades_sha256: String,
    /// What no output may hold.
    values: BTreeSet<(Kind, String)>,
}

impl Source {
    /// Reads a private directory.
    ///
    /// # Errors
    /// `E_BUNDLE` where a file is missing, is not what its digest says, or holds what may not be
    /// published; `E_ARGUMENT` where one cannot be read.
    pub(super) fn read(dir: &Path, aggregate: Option<&Path>) -> Result<Self, RunError> {
        let bytes = text_of(&dir.join("context.json"), "--from")?;
        let context: Value = serde_json::from_str(&bytes).map_err(|_| wrong("context", "json"))?;
        let frozen = match text(&context, "schema") {
            "deedcheck/context/1" => false,
            "deedcheck/frozen-context/1" => true,
            _ => return Err(wrong("context", "schema")),
        };
        let mut source = Self {
            arguments: arguments(&context)?,
            aggregate: Vec::new(),
            sums: Value::Null,
            picked: Picked::default(),
            rows: 0,
            grades_sha256: String::new(),
            values: BTreeSet::new(),
        };
        let summed = source.read_rows(&dir.join("grades.jsonl"))?;
        if kept(&context, "grades", "grades.jsonl") != Some(&source.grades_sha256) {
            return Err(wrong("grades", "digest"));
        }
        source.values_of(dir, &context)?;
        let own = dir.join("aggregate.json");
        source.aggregate = match aggregate {
            Some(path) => text_of(path, "--aggregate")?.into_bytes(),
            None if own.exists() => {
                let bytes = text_of(&own, "--from")?.into_bytes();
                let digest = kept(&context, "aggregate", "aggregate.json");
                if digest.is_some_and(|digest| *digest != sha256(&bytes)) {
                    return Err(wrong("aggregate", "digest"));
                }
                bytes
            }
            None if frozen => return Err(wrong("aggregate", "missing")),
            None => line(&Public::of(&summed))?,
        };
        source.sums =
            serde_json::from_slice(&source.aggregate).map_err(|_| wrong("aggregate", "json"))?;
        source.agrees(frozen, &summed)?;
        Ok(source)
    }

    /// Whether the aggregate is one of these rows.
    fn agrees(&self, frozen: bool, summed: &Aggregate) -> Result<(), RunError> {
        if frozen {
            let known = text(&self.sums, "schema") == crate::frozen::SUMS_SCHEMA;
            return if known {
                Ok(())
            } else {
                Err(wrong("aggregate", "schema"))
            };
        }
        if text(&self.sums, "schema") != AGGREGATE_SCHEMA {
            return Err(wrong("aggregate", "schema"));
        }
        let told = cells(&serde_json::json!({ "cells": self.sums.get("cells") }));
        if told != summed.cells {
            return Err(wrong("aggregate", "sums"));
        }
        Ok(())
    }

    /// Reads every row: picks those that pages list, sums them, and notes what is private in them.
    fn read_rows(&mut self, path: &Path) -> Result<Aggregate, RunError> {
        let unreadable = |_| wrong("grades", "unreadable");
        let file = File::open(path).map_err(|_| wrong("grades", "missing"))?;
        if !file.metadata().map_err(unreadable)?.is_file() {
            return Err(wrong("grades", "not-regular"));
        }
        let mut reader = BufReader::with_capacity(1 << 16, file);
        let mut hash = Sha256::new();
        let mut sums = Aggregate::default();
        let mut row = Vec::new();
        loop {
            row.clear();
            let read = reader.by_ref().take(LONGEST).read_until(b'\n', &mut row);
            if read.map_err(unreadable)? == 0 {
                break;
            }
            if row.last() != Some(&b'\n') {
                return Err(wrong("grades", "line"));
            }
            hash.update(&row);
            let value: Value = serde_json::from_slice(&row).map_err(|_| wrong("grades", "json"))?;
            self.rows += 1;
            self.picked.row(&value);
            sums.read(&value);
            self.values_of_row(&value);
        }
        self.grades_sha256 = hex(&hash.finalize());
        Ok(sums)
    }

    fn values_of_row(&mut self, row: &Value) {
        self.locator(text(row, "file"));
        for (kind, name) in [(Kind::Session, "session"), (Kind::Label, "identity")] {
            let value = text(row, name);
            if !value.is_empty() {
                self.values.insert((kind, value.to_owned()));
            }
        }
        for list in ["evidence", "attempts"] {
            let items = row.get(list).and_then(Value::as_array);
            for item in items.into_iter().flatten() {
                self.locator(text(item, "file"));
            }
        }
    }

    fn locator(&mut self, file: &str) {
        if !file.is_empty() {
            let base = file.rsplit('/').next().unwrap_or("");
            self.values.insert((Kind::Locator, file.to_owned()));
            self.values.insert((Kind::BaseName, base.to_owned()));
        }
    }

    /// What the directory keeps of private values, and the names of the inputs.
    fn values_of(&mut self, dir: &Path, context: &Value) -> Result<(), RunError> {
        let inputs = context.get("inputs").and_then(Value::as_object);
        for (name, _) in inputs.into_iter().flatten() {
            self.locator(name);
        }
        let path = dir.join("canary.json");
        if !path.exists() {
            return Ok(());
        }
        let kept = text_of(&path, "--from")?;
        let kept: Value = serde_json::from_str(&kept).map_err(|_| wrong("canary", "json"))?;
        let by_kind = kept.get("values").and_then(Value::as_object);
        for (word, values) in by_kind.ok_or(wrong("canary", "json"))? {
            let kind = Kind::ALL.iter().find(|kind| kind.as_str() == word);
            let kind = *kind.ok_or(wrong("canary", "kind"))?;
            let values = values.as_array().ok_or(wrong("canary", "json"))?;
            let values = values.iter().filter_map(Value::as_str);
            self.values
                .extend(values.map(|value| (kind, value.to_owned())));
        }
        Ok(())
    }

    /// A canary that knows what the directory does.
    pub(super) fn canary(&self) -> Canary {
        let mut canary = Canary::new();
        for (kind, value) in &self.values {
            canary.value(*kind, value);
        }
        canary
    }
}

/// The digest that a context tells of a file beside it, under its role or its name.
fn kept<'a>(context: &'a Value, role: &str, name: &str) -> Option<&'a String> {
    let files = context.get("files").unwrap_or(&Value::Null);
    let digest = files.get(role).or_else(|| files.get(name));
    let digest = digest.or_else(|| context.get(format!("{role}_sha256")));
    match digest {
        Some(Value::String(digest)) => Some(digest),
        _ => None,
    }
}

/// The recorded arguments, none of which may look like a path.
fn arguments(context: &Value) -> Result<Vec<String>, RunError> {
    let words = context.get("arguments").and_then(Value::as_array);
    let words = words.ok_or(wrong("context", "arguments"))?.iter();
    let words = words.map(|word| word.as_str().map(str::to_owned));
    let words: Option<Vec<String>> = words.collect();
    let words = words.ok_or(wrong("context", "arguments"))?;
    if words.iter().any(|word| looks_like_path(word)) {
        return Err(wrong("context", "path"));
    }
    Ok(words)
}

/// Whether a recorded word may still be a path, by itself or as a flag's value.
fn looks_like_path(word: &str) -> bool {
    word.split(['=', ',']).any(|part| {
        let shard = part.split_once('/').is_some_and(|(left, right)| {
            let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
            digits(left) && digits(right)
        });
        let drive = matches!(part.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
        let lead = part.starts_with('~') || part.starts_with('.');
        part != PLACEHOLDER && !shard && (part.contains(['/', '\\']) || drive || lead)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_look_like_paths() {
        for word in [
            "/a", "a/b", "~", "./a", "..", "C:\\a", "c:", "--out=/x", "A=~/b", "a,/b",
        ] {
            assert!(looks_like_path(word), "{word}");
        }
        for word in [
            "grade",
            "<path>",
            "--out=<path>",
            "1/8",
            "--shard=1/8",
            "gg-0.4",
            "2026-01-02",
            "--",
            "A=<path>",
        ] {
            assert!(!looks_like_path(word), "{word}");
        }
    }
}
