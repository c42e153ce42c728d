//! What is exported: a private directory, read, and each file of it held against its digest.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use serde_json::Value;

use super::super::RunError;
use super::super::retained::Retained;
use super::super::sources::text_of;
use super::{text, wrong};
use crate::aggregate::{AGGREGATE_SCHEMA, Aggregate, cells};
use crate::private::argv::looks_like_path;
use crate::private::{Canary, Kind};
use crate::report::Picked;

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
    /// `E_RETAINED` where a file is not what it was when it was written, `E_BUNDLE` where one holds
    /// what may not be published, `E_ARGUMENT` where there is no such directory.
    pub(super) fn read(dir: &Path, aggregate: Option<&Path>) -> Result<Self, RunError> {
        let run = Retained::verify(dir)?;
        let context: Value =
            serde_json::from_slice(&run.context).map_err(|_| wrong("context", "json"))?;
        let frozen = match run.schema.as_str() {
            "deedcheck/context/1" => false,
            "deedcheck/frozen-context/1" => true,
            _ => return Err(wrong("context", "schema")),
        };
        let mut source = Self {
            arguments: arguments(&context)?,
            aggregate: match aggregate {
                Some(path) => text_of(path, "--aggregate")?.into_bytes(),
                None => run.bytes("aggregate")?,
            },
            sums: Value::Null,
            picked: Picked::default(),
            rows: 0,
            grades_sha256: run.digests.get("grades").cloned().unwrap_or_default(),
            values: run.canary().into_iter().collect(),
        };
        let inputs = context.get("inputs").and_then(Value::as_object);
        for (name, _) in inputs.into_iter().flatten() {
            source.locator(name);
        }
        let summed = source.read_rows(run.file("grades")?)?;
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
        let mut told = cells(&serde_json::json!({ "cells": self.sums.get("cells") }));
        // Controls have no rows: the run itself says how many landed.
        told.retain(|key, _| !key.starts_with("control."));
        if told != summed.cells {
            return Err(wrong("aggregate", "sums"));
        }
        Ok(())
    }

    /// Reads every row: picks those that pages list, sums them, and notes what is private in them.
    fn read_rows(&mut self, file: File) -> Result<Aggregate, RunError> {
        let unreadable = |_| wrong("grades", "unreadable");
        let mut reader = BufReader::with_capacity(1 << 16, file);
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
            let value: Value = serde_json::from_slice(&row).map_err(|_| wrong("grades", "json"))?;
            self.rows += 1;
            self.picked.row(&value);
            sums.read(&value);
            self.values_of_row(&value);
        }
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

    /// A canary that knows what the directory does.
    pub(super) fn canary(&self) -> Canary {
        let mut canary = Canary::new();
        for (kind, value) in &self.values {
            canary.value(*kind, value);
        }
        canary
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
