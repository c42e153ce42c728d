//! Codex's tools: the one table of their names, and what each call asks for.

use std::borrow::Cow;

use super::patch;
use super::wire::{Args, Loose};
use crate::transcript::propose;
use crate::transcript::record::{Action, Dialect, Item, Text};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Shell,
    Read,
    Fetch,
    Patch,
    Stdin,
    Poll,
    Delegate,
    Plan,
    Neutral,
}

/// One line a tool; what is not here is of unknown effect.
const TOOLS: &[(&str, Kind)] = &[
    ("shell", Kind::Shell),
    ("shell_command", Kind::Shell),
    ("exec_command", Kind::Shell),
    ("local_shell", Kind::Shell),
    ("container.exec", Kind::Shell),
    ("apply_patch", Kind::Patch),
    ("write_stdin", Kind::Stdin),
    ("read_file", Kind::Read),
    ("list_dir", Kind::Read),
    ("grep_files", Kind::Read),
    ("view_image", Kind::Read),
    ("web_search", Kind::Fetch),
    ("list_mcp_resources", Kind::Fetch),
    ("list_mcp_resource_templates", Kind::Fetch),
    ("read_mcp_resource", Kind::Fetch),
    ("wait", Kind::Poll),
    ("wait_agent", Kind::Poll),
    ("spawn_agent", Kind::Delegate),
    ("send_input", Kind::Delegate),
    ("close_agent", Kind::Neutral),
    ("resume_agent", Kind::Neutral),
    ("update_plan", Kind::Plan),
    ("request_user_input", Kind::Neutral),
    ("set_thread_title", Kind::Neutral),
];

/// Whether a tool's outcome is told by the header of its output.
pub(super) fn has_header(tool: &str) -> bool {
    matches!(kind(tool), Some(Kind::Shell | Kind::Patch | Kind::Stdin))
}

/// Whether a tool's input is a script that calls other tools.
pub(super) fn is_script(tool: &str) -> bool {
    tool == "exec"
}

/// A tool's whole name, and the server that it is of where its namespace names one. Only some namespaces end in
/// what parts a server from its tool.
pub(super) fn named<'a>(space: &str, name: Text<'a>) -> (Text<'a>, Option<Text<'a>>) {
    let Some(served) = space.strip_prefix("mcp__") else {
        let whole = (!space.is_empty()).then(|| Cow::Owned(format!("{space}{name}")));
        return (whole.unwrap_or(name), None);
    };
    match served.split_once("__") {
        Some((server, _)) => {
            let server = Cow::Owned(server.to_owned());
            (Cow::Owned(format!("{space}{name}")), Some(server))
        }
        None => {
            let server = Cow::Owned(served.to_owned());
            (Cow::Owned(format!("{space}__{name}")), Some(server))
        }
    }
}

fn kind(tool: &str) -> Option<Kind> {
    // Tools for other agents stand in a namespace that carries a version.
    let tool = tool.strip_prefix("multi_agent_v").map_or(tool, |rest| {
        rest.trim_start_matches(|c: char| c.is_ascii_digit())
    });
    TOOLS
        .iter()
        .find(|(name, _)| *name == tool)
        .map(|(_, kind)| *kind)
}

/// What a call asks for, in neutral words. `args` is JSON text, or a patch.
pub(super) fn action<'a>(tool: &str, args: &'a str) -> Action<'a> {
    let Some(kind) = kind(tool) else {
        return propose::action(tool, args).unwrap_or(Action::Unknown);
    };
    if matches!(kind, Kind::Neutral) {
        return Action::Neutral;
    }
    if matches!(kind, Kind::Patch) && !args.trim_start().starts_with('{') {
        return patch::action(args);
    }
    let fields: Args<'a> = serde_json::from_str(args).unwrap_or_default();
    match kind {
        Kind::Shell => {
            let command = if fields.command.0.is_some() {
                fields.command
            } else {
                fields.cmd
            };
            shell(command, fields.workdir.0.or(fields.cwd.0))
        }
        Kind::Patch => patch::action(&fields.input.text()),
        Kind::Stdin => {
            let handle = fields.session_id.text();
            match fields.chars.0 {
                Some(text) if !text.is_empty() => Action::Input { handle, text },
                _ => Action::Poll { handle },
            }
        }
        Kind::Read => Action::Read {
            paths: [fields.path.0, fields.file_path.0, fields.dir_path.0]
                .into_iter()
                .flatten()
                .collect(),
            remote: false,
        },
        Kind::Fetch => Action::Read {
            paths: Vec::new(),
            remote: true,
        },
        Kind::Poll => Action::Poll {
            handle: fields.session_id.text(),
        },
        Kind::Delegate => Action::Delegate {
            prompt: fields.message.text(),
        },
        Kind::Plan => Action::Plan {
            items: fields
                .plan
                .0
                .into_iter()
                .map(|step| Item {
                    key: None,
                    done: step.status.is("completed"),
                    text: step.step.0,
                })
                .collect(),
        },
        Kind::Neutral => Action::Neutral,
    }
}

/// A command that stands as one text or as an argument vector.
pub(super) fn shell<'a>(command: Loose<'a>, cwd: Option<Text<'a>>) -> Action<'a> {
    let raw = command.0.unwrap_or("");
    if !raw.trim_start().starts_with('[') {
        return unwrapped(command.text(), cwd);
    }
    let argv: Vec<String> = serde_json::from_str(raw).unwrap_or_default();
    let words: Vec<&str> = argv.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["apply_patch" | "applypatch", patch] => patch::action(patch),
        [program, flag, script, ..] if is_shell(program) && is_command_flag(flag) => {
            launched(program, Cow::Owned((*script).to_owned()), cwd)
        }
        _ => launched("", Cow::Owned(quoted(&words)), cwd),
    }
}

/// A command text that only wraps another: `/bin/bash -lc 'inner'`, as items spell it.
fn unwrapped<'a>(text: Text<'a>, cwd: Option<Text<'a>>) -> Action<'a> {
    let head = text.split(' ').next().unwrap_or("");
    let dialect = dialect(head);
    Action::Shell {
        command: text,
        dialect,
        cwd,
        background: false,
    }
}

fn launched<'a>(program: &str, command: Text<'a>, cwd: Option<Text<'a>>) -> Action<'a> {
    Action::Shell {
        command,
        dialect: dialect(program),
        cwd,
        background: false,
    }
}

fn base(program: &str) -> &str {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    name.strip_suffix(".exe").unwrap_or(name)
}

fn is_shell(program: &str) -> bool {
    matches!(
        base(program),
        "bash" | "sh" | "zsh" | "dash" | "pwsh" | "powershell" | "cmd"
    )
}

fn is_command_flag(flag: &str) -> bool {
    matches!(
        flag,
        "-c" | "-lc" | "-ic" | "-lic" | "-Command" | "-command" | "/c" | "/C" | "-NoProfile"
    )
}

fn dialect(program: &str) -> Dialect {
    match base(program) {
        "pwsh" | "powershell" | "cmd" => Dialect::PowerShell,
        _ => Dialect::Posix,
    }
}

/// An argument vector as one command text that a shell would split the same way.
fn quoted(words: &[&str]) -> String {
    let mut out = String::new();
    for word in words {
        if !out.is_empty() {
            out.push(' ');
        }
        let plain = !word.is_empty()
            && word
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"-_./=:,@%+".contains(&b));
        if plain {
            out.push_str(word);
        } else {
            out.push('\'');
            out.push_str(&word.replace('\'', "'\\''"));
            out.push('\'');
        }
    }
    out
}
