//! The shapes of Claude Code's records, session files and print-mode streams alike.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::transcript::loose::{Content, Flag, List, Obj, Str};

/// One line. Fields that neither shape has read as absent.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Envelope<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Str<'a>,
    #[serde(borrow)]
    pub(super) subtype: Str<'a>,
    #[serde(borrow)]
    pub(super) uuid: Str<'a>,
    #[serde(borrow, rename = "parentUuid")]
    pub(super) parent: Str<'a>,
    #[serde(borrow, rename = "sessionId")]
    pub(super) session_camel: Str<'a>,
    #[serde(borrow, rename = "session_id")]
    pub(super) session_snake: Str<'a>,
    #[serde(borrow, rename = "agentId")]
    pub(super) agent: Str<'a>,
    #[serde(borrow)]
    pub(super) version: Str<'a>,
    #[serde(borrow, rename = "claude_code_version")]
    pub(super) stream_version: Str<'a>,
    #[serde(borrow)]
    pub(super) cwd: Str<'a>,
    #[serde(borrow)]
    pub(super) model: Str<'a>,
    #[serde(rename = "isSidechain")]
    pub(super) sidechain: Flag,
    #[serde(rename = "isMeta")]
    pub(super) meta: Flag,
    #[serde(rename = "isSynthetic")]
    pub(super) synthetic: Flag,
    #[serde(rename = "isCompactSummary")]
    pub(super) summary: Flag,
    #[serde(rename = "isApiErrorMessage")]
    pub(super) api_error: Flag,
    #[serde(borrow)]
    pub(super) error: Str<'a>,
    #[serde(borrow, rename = "parent_tool_use_id")]
    pub(super) parent_call: Str<'a>,
    #[serde(borrow)]
    pub(super) message: Obj<Message<'a>>,
    #[serde(borrow, rename = "toolUseResult")]
    pub(super) detail_camel: Detail<'a>,
    #[serde(borrow, rename = "tool_use_result")]
    pub(super) detail_snake: Detail<'a>,
    #[serde(borrow)]
    pub(super) data: Obj<Progress<'a>>,
    #[serde(borrow)]
    pub(super) attachment: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) content: Str<'a>,
    #[serde(borrow)]
    pub(super) operation: Str<'a>,
    #[serde(borrow)]
    pub(super) origin: Obj<Origin<'a>>,
    #[serde(borrow, rename = "forkedFrom")]
    pub(super) forked: Obj<Forked<'a>>,
    #[serde(rename = "is_error")]
    pub(super) is_error: Flag,
    #[serde(borrow)]
    pub(super) result: Str<'a>,
    #[serde(borrow)]
    pub(super) task_id: Str<'a>,
    #[serde(borrow)]
    pub(super) status: Str<'a>,
    #[serde(borrow, rename = "summary")]
    pub(super) news: Str<'a>,
    #[serde(borrow)]
    pub(super) timestamp: Str<'a>,
    #[serde(borrow)]
    pub(super) effort: Str<'a>,
    #[serde(borrow)]
    pub(super) mcp_servers: Option<&'a RawValue>,
    #[serde(borrow, rename = "hookAdditionalContext")]
    pub(super) hooks_added: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Message<'a> {
    #[serde(borrow)]
    pub(super) id: Str<'a>,
    #[serde(borrow)]
    pub(super) model: Str<'a>,
    #[serde(borrow)]
    pub(super) content: Content<'a, Block<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Block<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Str<'a>,
    #[serde(borrow)]
    pub(super) text: Str<'a>,
    #[serde(borrow)]
    pub(super) id: Str<'a>,
    #[serde(borrow)]
    pub(super) name: Str<'a>,
    #[serde(borrow)]
    pub(super) input: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) tool_use_id: Str<'a>,
    #[serde(borrow)]
    pub(super) content: Content<'a, Part<'a>>,
    pub(super) is_error: Flag,
}

/// One block inside a tool result.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Part<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Str<'a>,
    #[serde(borrow)]
    pub(super) text: Str<'a>,
    #[serde(borrow)]
    pub(super) output: Str<'a>,
}

/// What the client keeps beside a tool result. An object, or the words of an error.
#[derive(Debug, Default)]
pub(super) struct Detail<'a> {
    pub(super) words: Option<String>,
    pub(super) fields: DetailFields<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct DetailFields<'a> {
    pub(super) interrupted: Flag,
    pub(super) is_async: Flag,
    #[serde(borrow)]
    pub(super) background_task_id: Str<'a>,
    #[serde(borrow)]
    pub(super) agent_id: Str<'a>,
    #[serde(borrow)]
    pub(super) status: Str<'a>,
    #[serde(borrow)]
    pub(super) persisted_output_path: Str<'a>,
    #[serde(borrow)]
    pub(super) return_code_interpretation: Str<'a>,
    #[serde(borrow)]
    pub(super) file_path: Str<'a>,
    #[serde(borrow)]
    pub(super) structured_patch: List<Hunk<'a>>,
}

/// Lines around a change of a file, each led by a space, `-` or `+`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Hunk<'a> {
    #[serde(borrow)]
    pub(super) lines: Vec<Str<'a>>,
}

static NAMES: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostFirst)
        .build([
            r#""interrupted":true"#,
            r#""isAsync""#,
            r#""backgroundTaskId""#,
            r#""agentId""#,
            r#""persistedOutputPath""#,
            r#""returnCodeInterpretation""#,
            // A file that was there before was written anew: the call does not tell what it held.
            r#""type":"update""#,
        ])
        .expect("seven short literals build")
});

impl<'de: 'a, 'a> Deserialize<'de> for Detail<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(d)?;
        let text = raw.get();
        // Most details only repeat what the agent was shown, at length. They are parsed where one
        // of the few names that matter stands in them.
        if text.starts_with('"') {
            let words = serde_json::from_str(text).ok();
            return Ok(Self {
                words,
                fields: DetailFields::default(),
            });
        }
        let fields = if text.starts_with('{') && NAMES.is_match(text) {
            serde_json::from_str(text).unwrap_or_default()
        } else {
            DetailFields::default()
        };
        Ok(Self {
            words: None,
            fields,
        })
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Progress<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Str<'a>,
    #[serde(borrow)]
    pub(super) message: Obj<Nested<'a>>,
    #[serde(borrow, rename = "agentId")]
    pub(super) agent: Str<'a>,
}

/// A whole message of another agent inside a progress record.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Nested<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Str<'a>,
    #[serde(borrow)]
    pub(super) message: Obj<Message<'a>>,
    #[serde(borrow, rename = "toolUseResult")]
    pub(super) detail: Detail<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Attachment<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Str<'a>,
    #[serde(borrow)]
    pub(super) prompt: Content<'a, Part<'a>>,
    #[serde(borrow, rename = "commandMode")]
    pub(super) mode: Str<'a>,
    #[serde(borrow, rename = "hookEvent")]
    pub(super) hook_event: Str<'a>,
    #[serde(borrow)]
    pub(super) origin: Obj<Origin<'a>>,
    #[serde(rename = "isMeta")]
    pub(super) meta: Flag,
}

/// A tool server, and how the client stands with it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Server<'a> {
    #[serde(borrow)]
    pub(super) name: Str<'a>,
    #[serde(borrow)]
    pub(super) status: Str<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Origin<'a> {
    #[serde(borrow)]
    pub(super) kind: Str<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Forked<'a> {
    #[serde(borrow, rename = "sessionId")]
    pub(super) session: Str<'a>,
    #[serde(borrow, rename = "messageUuid")]
    pub(super) message: Str<'a>,
}

/// The arguments of the tools that are known, whichever tool it is.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Input<'a> {
    #[serde(borrow)]
    pub(super) command: Str<'a>,
    #[serde(borrow)]
    pub(super) file_path: Str<'a>,
    #[serde(borrow)]
    pub(super) notebook_path: Str<'a>,
    #[serde(borrow)]
    pub(super) path: Str<'a>,
    #[serde(borrow)]
    pub(super) url: Str<'a>,
    #[serde(borrow)]
    pub(super) prompt: Str<'a>,
    #[serde(borrow)]
    pub(super) bash_id: Str<'a>,
    #[serde(borrow)]
    pub(super) shell_id: Str<'a>,
    #[serde(borrow)]
    pub(super) task_id: Str<'a>,
    pub(super) run_in_background: Flag,
    #[serde(borrow)]
    pub(super) old_string: Str<'a>,
    #[serde(borrow)]
    pub(super) new_string: Str<'a>,
    #[serde(borrow)]
    pub(super) content: Str<'a>,
    #[serde(borrow)]
    pub(super) new_source: Str<'a>,
    #[serde(borrow)]
    pub(super) edits: List<Replaced<'a>>,
}

/// One replacement of several in one file.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Replaced<'a> {
    #[serde(borrow)]
    pub(super) old_string: Str<'a>,
    #[serde(borrow)]
    pub(super) new_string: Str<'a>,
}

/// The arguments of the to-do tools.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Todos<'a> {
    #[serde(borrow)]
    pub(super) todos: List<Todo<'a>>,
    #[serde(borrow)]
    pub(super) subject: Str<'a>,
    #[serde(borrow)]
    pub(super) status: Str<'a>,
    #[serde(borrow, rename = "taskId")]
    pub(super) task_id: Str<'a>,
}

/// One item of a to-do list.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Todo<'a> {
    #[serde(borrow)]
    pub(super) content: Str<'a>,
    #[serde(borrow)]
    pub(super) status: Str<'a>,
    #[serde(skip)]
    pub(super) id: Str<'a>,
}
