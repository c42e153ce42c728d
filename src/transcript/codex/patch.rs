//! The files that a patch in Codex's own format changes.

use std::borrow::Cow;

use crate::transcript::record::{Action, Change, Swap, Text};

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

/// The change that a patch asks for.
pub(super) fn action(patch: &str) -> Action<'static> {
    let changes = changes(patch)
        .into_iter()
        .map(|(path, change)| (Cow::Owned(path.into_owned()), change))
        .collect();
    Action::Edit {
        changes,
        swaps: swaps(patch),
    }
}

/// The stretches that a patch changes: one a hunk, with the lines around it. The words behind the
/// `@@` of a hunk are a line above it.
#[must_use]
pub fn swaps(patch: &str) -> Vec<Swap<'static>> {
    let mut found: Vec<Swap<'static>> = Vec::new();
    let (mut path, mut whole, mut open) = ("", false, false);
    for line in patch.lines() {
        if let Some(rest) = line.strip_prefix("*** ") {
            let added = rest.strip_prefix("Add File: ");
            let updated = rest.strip_prefix("Update File: ");
            if let Some(own) = added.or(updated) {
                path = own.trim();
                whole = added.is_some();
            } else if !rest.starts_with("Move to: ") && rest != "End of File" {
                path = "";
            }
            open = false;
            continue;
        }
        if path.is_empty() {
            continue;
        }
        let above = line.strip_prefix("@@");
        if above.is_some() || !open {
            found.push(Swap {
                path: Cow::Owned(path.to_owned()),
                old: Cow::Borrowed(""),
                new: Cow::Borrowed(""),
                whole,
            });
            open = true;
        }
        let Some(swap) = found.last_mut() else {
            continue;
        };
        let mark = line.bytes().next().unwrap_or(b' ');
        let text = above.map_or(line.get(1..).unwrap_or(""), str::trim);
        if mark != b'+' {
            push(&mut swap.old, text);
        }
        if mark != b'-' {
            push(&mut swap.new, text);
        }
    }
    found
}

fn push(side: &mut Text<'static>, line: &str) {
    let side = side.to_mut();
    side.push_str(line);
    side.push('\n');
}

/// A `changes` field as a change, with what its differences tell.
pub(super) fn mapped(raw: &str) -> Action<'static> {
    Action::Edit {
        changes: change_map(raw),
        swaps: map_swaps(raw),
    }
}

fn map_swaps(raw: &str) -> Vec<Swap<'static>> {
    let Ok(serde_json::Value::Object(map)) = serde_json::from_str::<serde_json::Value>(raw) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (path, change) in &map {
        // The kind is a field, or the key that the fields stand under.
        let inner = ["add", "update", "delete"]
            .iter()
            .find_map(|kind| change.get(kind));
        let kind = change.get("type").and_then(|kind| kind.as_str());
        let deleted = kind == Some("delete") || change.get("delete").is_some();
        let text = |key: &str| inner.unwrap_or(change).get(key)?.as_str();
        if let Some(diff) = text("unified_diff") {
            found.extend(swaps(&format!("*** Update File: {path}\n{diff}")));
        } else if let Some(content) = text("content") {
            let (old, new) = if deleted {
                (content, "")
            } else {
                ("", content)
            };
            found.push(Swap {
                path: Cow::Owned(path.clone()),
                old: Cow::Owned(old.to_owned()),
                new: Cow::Owned(new.to_owned()),
                whole: true,
            });
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
