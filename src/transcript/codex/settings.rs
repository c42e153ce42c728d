//! What a Codex session runs with, and what its model is told in the developer's name.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::Value;

use super::spoken::{self, Spoken};
use super::wire::{Loose, Part, Payload, joined};
use crate::transcript::beside::{Attached, By, Settings};
use crate::transcript::loose::{Content, Str};
use crate::transcript::out::Out;
use crate::transcript::record::{Body, Text};

/// What a turn's own settings say. An effort that is left out is set nowhere.
pub(super) fn of<'p>(payload: &'p Payload<'_>) -> Settings<'p> {
    let modes: Value = parsed(payload.collaboration_mode);
    let effort = payload.effort.get().map(Text::Borrowed);
    let effort = effort.or_else(|| {
        let own = modes["settings"]["reasoning_effort"].as_str()?;
        Some(Cow::Owned(own.to_owned()))
    });
    Settings {
        model: payload.model.get().map(Text::Borrowed),
        effort: Some(effort.unwrap_or_default()),
        sandbox: sandbox(payload.sandbox_policy).map(Cow::Owned),
        servers: None,
    }
}

fn parsed(raw: Loose<'_>) -> Value {
    serde_json::from_str(raw.0.unwrap_or("")).unwrap_or_default()
}

/// A sandbox's mode, with whatever it allows beside it. What is off or empty is as good as left out.
fn sandbox(raw: Loose<'_>) -> Option<String> {
    let fields = match parsed(raw) {
        Value::String(mode) => return Some(mode),
        Value::Object(fields) => fields,
        _ => return None,
    };
    let mode = ["mode", "type"].iter().find_map(|name| fields.get(*name))?;
    let mode = mode.as_str()?.to_owned();
    let says = |value: &Value| match value {
        Value::Null | Value::Bool(false) => false,
        Value::Array(items) => !items.is_empty(),
        _ => true,
    };
    let more: BTreeMap<&String, &Value> = fields
        .iter()
        .filter(|(name, value)| !["mode", "type"].contains(&name.as_str()) && says(value))
        .collect();
    match more.is_empty() {
        true => Some(mode),
        false => {
            let more = serde_json::to_string(&more).ok()?;
            Some(format!("{mode} {more}"))
        }
    }
}

/// What newer versions tell of the parts of a message: what each is, and whether a hook put it there.
#[derive(Default)]
pub(super) struct Parts(Value);

impl Parts {
    pub(super) fn of(payload: &Payload<'_>) -> Self {
        Self(parsed(payload.about))
    }

    fn kind(&self, index: usize) -> Option<&str> {
        self.0["content_item_kinds"][index].as_str()
    }

    fn hook(&self, index: usize) -> Option<bool> {
        let from = &self.0["content_item_metadata"][index]["provenance"];
        let named = from["type"].as_str().map(|_| false);
        from["hook"].as_bool().or(named)
    }

    /// Whether a hook is known to have put a part of a message there.
    pub(super) fn is_of_hook(&self, index: usize) -> bool {
        self.hook(index) == Some(true)
    }
}

/// A message in another's name than the operator's or the agent's, part by part.
pub(super) fn told(role: &str, about: &Parts, content: Content<'_, Part<'_>>, out: &mut Out<'_>) {
    let parts = match content {
        Content::Items(parts) => parts,
        content => vec![Part {
            text: Str(Some(joined(content))),
            ..Part::default()
        }],
    };
    for (index, part) in parts.into_iter().enumerate() {
        let text = part.text.text();
        let of_client = || matches!(spoken::read(Cow::Borrowed(&text)), Spoken::Injected(_));
        let by = match about.hook(index) {
            Some(true) => By::Hook,
            Some(false) => By::Client,
            None if of_client() => By::Client,
            None => By::Untold,
        };
        out.put(Body::Attached(Attached {
            by,
            role: role.into(),
            kind: about.kind(index).unwrap_or("").into(),
            text: Some(text),
        }));
    }
}

/// Words in the operator's place that a hook put there, or that stand around his own.
pub(super) fn around(by: By, text: &str, out: &mut Out<'_>) {
    out.put(Body::Attached(Attached {
        by,
        role: Cow::Borrowed("user"),
        kind: Cow::Borrowed(""),
        text: Some(text.into()),
    }));
}
