//! What a careful human reader says of a recorded session: `case.json`, see `golden/README.md`.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

/// One recorded session with its reading.
#[derive(Debug, Deserialize)]
pub(super) struct Case {
    pub(super) files: Vec<File>,
    pub(super) turn_count: usize,
    pub(super) turns: Vec<Turn>,
    /// The folder's name below `golden`, with `/` on every system.
    #[serde(skip)]
    pub(super) name: String,
    /// The folder.
    #[serde(skip)]
    pub(super) folder: PathBuf,
}

/// One file of a case.
#[derive(Debug, Deserialize)]
pub(super) struct File {
    pub(super) path: String,
    pub(super) format: String,
}

/// One turn as the reader sees it.
#[derive(Debug, Deserialize)]
pub(super) struct Turn {
    pub(super) prompt: String,
    pub(super) end: String,
    pub(super) calls: Vec<Call>,
    pub(super) close: Option<String>,
    pub(super) statements: Vec<Statement>,
    #[serde(default)]
    pub(super) said_before: Vec<Said>,
    /// Whether it is a command of the client and no prompt to the agent.
    #[serde(default)]
    pub(super) command: bool,
}

/// One tool call.
#[derive(Debug, Deserialize)]
pub(super) struct Call {
    pub(super) outcome: String,
    pub(super) lines: Vec<Lines>,
    pub(super) agent: Option<Agent>,
}

/// The lines of one file that carry a call's id; the call itself stands first.
#[derive(Debug, Deserialize)]
pub(super) struct Lines {
    pub(super) file: String,
    pub(super) lines: Vec<u64>,
}

/// What a launched agent did.
#[derive(Debug, Deserialize)]
pub(super) struct Agent {
    pub(super) calls: Vec<Call>,
    pub(super) close: Option<String>,
    pub(super) statements: Vec<Statement>,
}

/// A text that would have been a close but for what follows.
#[derive(Debug, Deserialize)]
pub(super) struct Said {
    pub(super) statements: Vec<Statement>,
}

/// One statement of a close, and whether the record bears it out.
#[derive(Debug, Deserialize)]
pub(super) struct Statement {
    pub(super) kind: String,
    pub(super) borne_out: String,
    pub(super) ground: String,
}

impl Case {
    /// Every case, the demo's among them, sorted by name.
    pub(super) fn all() -> Vec<Self> {
        let root = root();
        let mut cases = Vec::new();
        for (folder, prefix) in [(root.clone(), ""), (root.join("demo"), "demo/")] {
            for entry in std::fs::read_dir(&folder).expect("the golden folder") {
                let entry = entry.expect("an entry of the golden folder");
                let Ok(text) = std::fs::read(entry.path().join("case.json")) else {
                    continue;
                };
                let mut case: Self = serde_json::from_slice(&text)
                    .unwrap_or_else(|error| panic!("{}: {error}", entry.path().display()));
                case.name = format!("{prefix}{}", entry.file_name().to_string_lossy());
                case.folder = entry.path();
                cases.push(case);
            }
        }
        cases.sort_by(|a, b| a.name.cmp(&b.name));
        assert!(cases.len() >= 64, "only {} golden cases", cases.len());
        cases
    }

    /// Its files that the client keeps itself and that hold a main session, in the order of `case.json`.
    pub(super) fn main_files(&self) -> Vec<&str> {
        let agents: Vec<&str> = self.agents().iter().filter_map(|a| a.file()).collect();
        self.files
            .iter()
            .filter(|f| f.format == "claude-session" || f.format.starts_with("codex-rollout"))
            .map(|f| f.path.as_str())
            .filter(|path| !agents.contains(path))
            .collect()
    }

    /// The folder of the client that kept it.
    pub(super) fn client(&self) -> &'static str {
        if self.files.iter().any(|f| f.path.starts_with("claude/")) {
            "claude"
        } else {
            "codex"
        }
    }

    /// What the client printed in the same run.
    pub(super) fn printed(&self) -> Option<&File> {
        self.files.iter().find(|f| !f.path.contains('/'))
    }

    /// The agents that its calls launched.
    pub(super) fn agents(&self) -> Vec<&Agent> {
        let calls = self.turns.iter().flat_map(|turn| &turn.calls);
        calls.filter_map(|call| call.agent.as_ref()).collect()
    }

    /// The turns that a main file is the first to hold, each told by the calls that stand there.
    pub(super) fn turns_of(&self, file: &str) -> Vec<&Turn> {
        let mains = self.main_files();
        let mut at = 0;
        let mut own = Vec::new();
        for turn in self.turns.iter().filter(|turn| !turn.command) {
            let holds = |path: &&str| turn.calls.iter().all(|call| call.lines_in(path).is_some());
            at = mains.iter().skip(at).position(holds).map_or(at, |n| at + n);
            if mains.get(at) == Some(&file) {
                own.push(turn);
            }
        }
        own
    }
}

impl Call {
    /// The lines of a file that carry its id.
    pub(super) fn lines_in(&self, file: &str) -> Option<&[u64]> {
        let place = self.lines.iter().find(|place| place.file == file)?;
        Some(&place.lines)
    }
}

impl Agent {
    /// The file of its own, told by its first call.
    pub(super) fn file(&self) -> Option<&str> {
        let lines = &self.calls.first()?.lines;
        let place = lines.iter().find(|place| place.file.contains('/'))?;
        Some(&place.file)
    }
}

/// The golden folder.
pub(super) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden")
}

/// The lines of a file in which these words stand as what a human said.
pub(super) fn lines_saying(file: &Path, words: &str) -> Vec<u64> {
    let text = std::fs::read_to_string(file).expect("a golden file");
    let says = |line: &&str| {
        serde_json::from_str::<Value>(line).is_ok_and(|record| {
            // The client notes the prompt down for itself as well.
            let kind = record["type"].as_str().unwrap_or("");
            !["queue-operation", "last-prompt"].contains(&kind) && holds(&record, words)
        })
    };
    (1..)
        .zip(text.lines())
        .filter(|(_, line)| says(line))
        .map(|(number, _)| number)
        .collect()
}

fn holds(value: &Value, words: &str) -> bool {
    match value {
        Value::String(text) => text.trim() == words.trim(),
        Value::Array(list) => list.iter().any(|item| holds(item, words)),
        Value::Object(map) => ["message", "payload", "content", "text", "prompt"]
            .iter()
            .filter_map(|key| map.get(*key))
            .any(|inner| holds(inner, words)),
        _ => false,
    }
}
