//! The files that a patch in Codex's own format changes.

use std::borrow::Cow;

use crate::transcript::record::{Change, Text};

/// The paths of a patch with their changes, in its order.
pub(super) fn changes(patch: &str) -> Vec<(Text<'_>, Change)> {
    let mut found: Vec<(Text<'_>, Change)> = Vec::new();
    for line in patch.lines() {
        let Some(rest) = line.trim_start().strip_prefix("*** ") else {
            continue;
        };
        let headers = [
            ("Add File: ", Change::Create),
            ("Update File: ", Change::Update),
            ("Delete File: ", Change::Delete),
            ("Move to: ", Change::Move),
        ];
        for (header, change) in headers {
            if let Some(path) = rest.strip_prefix(header) {
                found.push((Cow::Borrowed(path.trim()), change));
            }
        }
    }
    found
}

/// The paths of a `changes` field: an object by path, or a list of objects with a path.
pub(super) fn change_map(raw: &str) -> Vec<(Text<'static>, Change)> {
    let Ok(value) = serde_json::from_str::<serde_json::Value>(raw) else {
        return Vec::new();
    };
    let kind = |value: &serde_json::Value| {
        let name = value.get("type").or_else(|| value.get("kind"));
        let name = name.and_then(|name| name.as_str().or_else(|| name.get("type")?.as_str()));
        match name {
            Some("add" | "create") => Change::Create,
            Some("delete" | "remove") => Change::Delete,
            _ => Change::Update,
        }
    };
    match &value {
        serde_json::Value::Object(map) => map
            .iter()
            .map(|(path, change)| (Cow::Owned(path.clone()), kind(change)))
            .collect(),
        serde_json::Value::Array(items) => items
            .iter()
            .filter_map(|item| {
                let path = item.get("path")?.as_str()?;
                Some((Cow::Owned(path.to_owned()), kind(item)))
            })
            .collect(),
        _ => Vec::new(),
    }
}
