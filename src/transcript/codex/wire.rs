//! The shapes of Codex's records: envelope, payload and item.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::transcript::loose::{Content, Flag, Int, List, Obj, Str};

/// One line of any Codex format. A bare rollout's line is its own payload.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Envelope<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Str<'a>,
    #[serde(borrow)]
    pub(super) payload: Obj<Payload<'a>>,
    #[serde(borrow)]
    pub(super) item: Obj<Item<'a>>,
    #[serde(borrow)]
    pub(super) thread_id: Str<'a>,
    #[serde(borrow)]
    pub(super) timestamp: Str<'a>,
    #[serde(borrow)]
    pub(super) error: Obj<Fault<'a>>,
    #[serde(borrow)]
    pub(super) message: Str<'a>,
    #[serde(borrow)]
    pub(super) msg: Obj<Payload<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Fault<'a> {
    #[serde(borrow)]
    pub(super) message: Str<'a>,
    #[serde(borrow)]
    pub(super) codex_error_info: Loose<'a>,
}

/// A call within a message, as the oldest rollouts have it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Asked<'a> {
    #[serde(borrow)]
    pub(super) name: Str<'a>,
    #[serde(borrow)]
    pub(super) arguments: Loose<'a>,
}

/// What an envelope holds: every field that any kind of payload has.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Payload<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Str<'a>,
    #[serde(borrow)]
    pub(super) record_type: Str<'a>,
    #[serde(borrow)]
    pub(super) id: Str<'a>,
    #[serde(borrow)]
    pub(super) call_id: Str<'a>,
    #[serde(borrow)]
    pub(super) phase: Str<'a>,
    #[serde(borrow)]
    pub(super) role: Str<'a>,
    #[serde(borrow)]
    pub(super) content: Content<'a, Part<'a>>,
    #[serde(borrow)]
    pub(super) function_call: Obj<Asked<'a>>,
    #[serde(borrow)]
    pub(super) name: Str<'a>,
    #[serde(borrow)]
    pub(super) namespace: Str<'a>,
    #[serde(borrow)]
    pub(super) arguments: Loose<'a>,
    #[serde(borrow)]
    pub(super) input: Loose<'a>,
    #[serde(borrow)]
    pub(super) output: Loose<'a>,
    #[serde(borrow)]
    pub(super) action: Loose<'a>,
    #[serde(borrow)]
    pub(super) message: Str<'a>,
    #[serde(borrow)]
    pub(super) text: Str<'a>,
    #[serde(borrow)]
    pub(super) turn_id: Str<'a>,
    #[serde(borrow)]
    pub(super) item: Obj<Item<'a>>,
    pub(super) exit_code: Int,
    #[serde(borrow)]
    pub(super) status: Str<'a>,
    #[serde(borrow)]
    pub(super) source: Loose<'a>,
    #[serde(borrow)]
    pub(super) thread_source: Str<'a>,
    #[serde(borrow)]
    pub(super) timestamp: Str<'a>,
    #[serde(borrow)]
    pub(super) command: Loose<'a>,
    #[serde(borrow)]
    pub(super) invocation: Loose<'a>,
    #[serde(borrow)]
    pub(super) stdout: Str<'a>,
    #[serde(borrow)]
    pub(super) aggregated_output: Str<'a>,
    #[serde(borrow)]
    pub(super) success: Loose<'a>,
    #[serde(borrow)]
    pub(super) changes: Loose<'a>,
    #[serde(borrow)]
    pub(super) result: Loose<'a>,
    #[serde(borrow)]
    pub(super) cwd: Str<'a>,
    #[serde(borrow)]
    pub(super) model: Str<'a>,
    #[serde(borrow)]
    pub(super) effort: Str<'a>,
    #[serde(borrow)]
    pub(super) sandbox_policy: Loose<'a>,
    #[serde(borrow)]
    pub(super) collaboration_mode: Loose<'a>,
    #[serde(borrow, rename = "internal_chat_message_metadata_passthrough")]
    pub(super) about: Loose<'a>,
    #[serde(borrow)]
    pub(super) cli_version: Str<'a>,
    #[serde(borrow)]
    pub(super) forked_from_id: Str<'a>,
    #[serde(borrow)]
    pub(super) parent_thread_id: Str<'a>,
    #[serde(borrow)]
    pub(super) codex_error_info: Loose<'a>,
    #[serde(borrow)]
    pub(super) error: Obj<Fault<'a>>,
}

/// A field of any shape, kept as its JSON text.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Loose<'a>(pub(super) Option<&'a str>);

impl<'de: 'a, 'a> Deserialize<'de> for Loose<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(d)?;
        Ok(Self(Some(raw.get()).filter(|text| *text != "null")))
    }
}

impl<'a> Loose<'a> {
    /// A truth value, where the field holds one.
    pub(super) fn truth(self) -> Option<bool> {
        match self.0 {
            Some("true") => Some(true),
            Some("false") => Some(false),
            _ => None,
        }
    }

    /// The text of a JSON string, or the JSON text of anything else.
    pub(super) fn text(self) -> Cow<'a, str> {
        let Some(raw) = self.0 else {
            return Cow::Borrowed("");
        };
        if raw.starts_with('"') {
            let text: Str<'a> = serde_json::from_str(raw).unwrap_or_default();
            return text.text();
        }
        Cow::Borrowed(raw)
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Part<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Str<'a>,
    #[serde(borrow)]
    pub(super) text: Str<'a>,
}

/// An item of `item_completed` and of `exec --json`, in either one's spelling.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Item<'a> {
    #[serde(borrow)]
    pub(super) id: Str<'a>,
    #[serde(borrow, rename = "type")]
    pub(super) kind: Str<'a>,
    #[serde(borrow)]
    pub(super) phase: Str<'a>,
    #[serde(borrow)]
    pub(super) item_type: Str<'a>,
    #[serde(borrow)]
    pub(super) text: Str<'a>,
    #[serde(borrow)]
    pub(super) content: Content<'a, Part<'a>>,
    #[serde(borrow)]
    pub(super) command: Loose<'a>,
    #[serde(borrow)]
    pub(super) cwd: Str<'a>,
    #[serde(borrow)]
    pub(super) aggregated_output: Str<'a>,
    #[serde(borrow)]
    pub(super) stdout: Str<'a>,
    pub(super) exit_code: Int,
    #[serde(borrow)]
    pub(super) status: Str<'a>,
    #[serde(borrow)]
    pub(super) changes: Loose<'a>,
    #[serde(borrow)]
    pub(super) server: Str<'a>,
    #[serde(borrow)]
    pub(super) tool: Str<'a>,
    #[serde(borrow)]
    pub(super) arguments: Loose<'a>,
    #[serde(borrow)]
    pub(super) result: Loose<'a>,
    #[serde(borrow)]
    pub(super) query: Str<'a>,
    #[serde(borrow)]
    pub(super) action: Loose<'a>,
    #[serde(borrow)]
    pub(super) path: Str<'a>,
    #[serde(borrow)]
    pub(super) message: Str<'a>,
    #[serde(borrow)]
    pub(super) source: Str<'a>,
}

/// The arguments of the tools that are known, whichever tool it is.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Args<'a> {
    #[serde(borrow)]
    pub(super) command: Loose<'a>,
    #[serde(borrow)]
    pub(super) cmd: Loose<'a>,
    #[serde(borrow)]
    pub(super) workdir: Str<'a>,
    #[serde(borrow)]
    pub(super) cwd: Str<'a>,
    #[serde(borrow)]
    pub(super) session_id: Str<'a>,
    #[serde(borrow)]
    pub(super) chars: Str<'a>,
    #[serde(borrow)]
    pub(super) input: Str<'a>,
    #[serde(borrow)]
    pub(super) path: Str<'a>,
    #[serde(borrow)]
    pub(super) file_path: Str<'a>,
    #[serde(borrow)]
    pub(super) dir_path: Str<'a>,
    #[serde(borrow)]
    pub(super) message: Str<'a>,
    #[serde(borrow)]
    pub(super) plan: List<Planned<'a>>,
}

/// Which server's tool was called, as older events tell it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Invocation<'a> {
    #[serde(borrow)]
    pub(super) server: Str<'a>,
    #[serde(borrow)]
    pub(super) tool: Str<'a>,
    #[serde(borrow)]
    pub(super) arguments: Loose<'a>,
}

/// One step of a plan.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Planned<'a> {
    #[serde(borrow)]
    pub(super) step: Str<'a>,
    #[serde(borrow)]
    pub(super) status: Str<'a>,
}

/// The JSON form of a command's output before 0.77.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct OutputObject<'a> {
    #[serde(borrow)]
    pub(super) output: Str<'a>,
    #[serde(borrow)]
    pub(super) content: Str<'a>,
    pub(super) metadata: Obj<OutputMeta>,
    #[serde(borrow)]
    pub(super) success: Loose<'a>,
}

/// What launching an agent answers.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Launch<'a> {
    #[serde(borrow)]
    pub(super) agent_id: Str<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct OutputMeta {
    pub(super) exit_code: Int,
}

/// Whether a tool server's result says that it failed.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ServerResult<'a> {
    #[serde(borrow, rename = "Err")]
    pub(super) err: Loose<'a>,
    #[serde(rename = "Ok")]
    pub(super) ok: Obj<ServerOk>,
    #[serde(rename = "isError")]
    pub(super) is_error: Flag,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ServerOk {
    #[serde(rename = "isError")]
    pub(super) is_error: Flag,
}

/// Content parts joined by newlines.
pub(super) fn joined<'a>(content: Content<'a, Part<'a>>) -> Cow<'a, str> {
    match content {
        Content::Text(text) => text,
        Content::Absent => Cow::Borrowed(""),
        Content::Items(parts) => {
            let mut texts: Vec<_> = parts.into_iter().filter_map(|part| part.text.0).collect();
            if texts.len() == 1 {
                return texts.remove(0);
            }
            Cow::Owned(texts.join("\n"))
        }
    }
}
