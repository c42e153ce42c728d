//! Claude Code's tools: the one table of their names, and what each call asks for.

use std::borrow::Cow;

use super::wire::{Input, Todo, Todos};
use crate::transcript::loose::Str;
use crate::transcript::propose;
use crate::transcript::record::{Action, Change, Dialect, Item, Swap, Text};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Shell(Dialect),
    Read,
    Fetch,
    Edit(Change),
    Poll,
    Kill,
    Delegate,
    Plan,
    Neutral,
}

/// One line a tool; what is not here is of unknown effect.
const TOOLS: &[(&str, Kind)] = &[
    ("Bash", Kind::Shell(Dialect::Posix)),
    ("PowerShell", Kind::Shell(Dialect::PowerShell)),
    ("Read", Kind::Read),
    ("Glob", Kind::Read),
    ("Grep", Kind::Read),
    ("LS", Kind::Read),
    ("NotebookRead", Kind::Read),
    ("LSP", Kind::Read),
    ("ListMcpResourcesTool", Kind::Fetch),
    ("ReadMcpResourceTool", Kind::Fetch),
    ("ListMcpResources", Kind::Fetch),
    ("ReadMcpResource", Kind::Fetch),
    ("WebFetch", Kind::Fetch),
    ("WebSearch", Kind::Fetch),
    ("Write", Kind::Edit(Change::Write)),
    ("Edit", Kind::Edit(Change::Update)),
    ("MultiEdit", Kind::Edit(Change::Update)),
    ("NotebookEdit", Kind::Edit(Change::Update)),
    ("BashOutput", Kind::Poll),
    ("TaskOutput", Kind::Poll),
    ("AgentOutputTool", Kind::Poll),
    ("KillBash", Kind::Kill),
    ("KillShell", Kind::Kill),
    ("TaskStop", Kind::Kill),
    ("Task", Kind::Delegate),
    ("Agent", Kind::Delegate),
    ("Workflow", Kind::Delegate),
    ("SendMessage", Kind::Delegate),
    ("TodoWrite", Kind::Plan),
    ("TodoRead", Kind::Neutral),
    ("TaskCreate", Kind::Plan),
    ("TaskUpdate", Kind::Plan),
    ("TaskList", Kind::Neutral),
    ("TaskGet", Kind::Neutral),
    ("AskUserQuestion", Kind::Neutral),
    ("ExitPlanMode", Kind::Neutral),
    ("EnterPlanMode", Kind::Neutral),
    ("exit_plan_mode", Kind::Neutral),
    ("Skill", Kind::Neutral),
    ("SlashCommand", Kind::Neutral),
    ("ToolSearch", Kind::Neutral),
    ("CronList", Kind::Neutral),
    ("ReportFindings", Kind::Neutral),
    ("StructuredOutput", Kind::Neutral),
];

/// Whether a tool is the one that an answer of an asked shape is given by.
#[must_use]
pub fn is_answering(tool: &str) -> bool {
    tool == "StructuredOutput"
}

/// What a call asks for, in neutral words.
pub(super) fn action<'a>(tool: &str, args: &'a str) -> Action<'a> {
    let Some((_, kind)) = TOOLS.iter().find(|(name, _)| *name == tool) else {
        return propose::action(tool, args).unwrap_or(Action::Unknown);
    };
    if matches!(kind, Kind::Neutral) {
        return Action::Neutral;
    }
    let input: Input<'a> = serde_json::from_str(args).unwrap_or_default();
    match *kind {
        Kind::Shell(dialect) => Action::Shell {
            command: input.command.text(),
            dialect,
            cwd: None,
            background: input.run_in_background.0,
        },
        Kind::Read => Action::Read {
            paths: paths(input),
            remote: false,
        },
        Kind::Fetch => Action::Read {
            paths: input.url.0.into_iter().collect(),
            remote: true,
        },
        Kind::Edit(change) => edit(input, change),
        Kind::Poll => Action::Poll {
            handle: handle(input),
        },
        Kind::Kill => Action::Kill {
            handle: handle(input),
        },
        Kind::Delegate => Action::Delegate {
            prompt: input.prompt.text(),
        },
        Kind::Plan => Action::Plan { items: items(args) },
        Kind::Neutral => Action::Neutral,
    }
}

/// The items that a call sets: a whole list, or one that is made or changed.
fn items(args: &str) -> Vec<Item<'_>> {
    let todos: Todos<'_> = serde_json::from_str(args).unwrap_or_default();
    let one = Todo {
        content: todos.subject,
        status: todos.status,
        id: todos.task_id,
    };
    let one = (one.content.0.is_some() || one.id.0.is_some()).then_some(one);
    one.into_iter()
        .chain(todos.todos.0)
        .map(|todo| Item {
            done: todo.status.is("completed"),
            key: todo.id.0,
            text: todo.content.0,
        })
        .collect()
}

/// A change of a file: of one stretch of it, of several, or of its whole text.
fn edit<'a>(mut input: Input<'a>, change: Change) -> Action<'a> {
    let whole = change == Change::Write;
    let new = if whole {
        input.content.0.take()
    } else {
        input
            .new_string
            .0
            .take()
            .or_else(|| input.new_source.0.take())
    };
    let mut pairs: Vec<(Text<'a>, Text<'a>)> = Vec::new();
    if let Some(new) = new {
        pairs.push((input.old_string.0.take().unwrap_or_default(), new));
    }
    let edits = std::mem::take(&mut input.edits).0;
    pairs.extend(
        edits
            .into_iter()
            .map(|edit| (edit.old_string.text(), edit.new_string.text())),
    );
    let paths = paths(input);
    let swaps = match paths.first() {
        Some(path) => pairs
            .into_iter()
            .map(|(old, new)| Swap {
                path: path.clone(),
                old,
                new,
                whole,
            })
            .collect(),
        None => Vec::new(),
    };
    Action::Edit {
        changes: paths.into_iter().map(|path| (path, change)).collect(),
        swaps,
    }
}

fn paths(input: Input<'_>) -> Vec<Text<'_>> {
    [input.file_path, input.notebook_path, input.path]
        .into_iter()
        .filter_map(|path| path.0)
        .collect()
}

fn handle(input: Input<'_>) -> Text<'_> {
    [input.bash_id, input.shell_id, input.task_id]
        .into_iter()
        .find_map(|Str(id)| id)
        .unwrap_or(Cow::Borrowed(""))
}
