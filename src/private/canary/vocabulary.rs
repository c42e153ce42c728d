//! Words that identify nobody: what public outputs are made of, and what every machine has.
//!
//! The former are told by the outputs themselves: the closed words of their schemas, and the fixed
//! text of pages with their style. Whoever is called like one of them would be found in every output.

use std::collections::HashSet;
use std::sync::LazyLock;

use serde_json::Value;

/// The formats of what is published.
const SCHEMAS: [&str; 5] = [
    include_str!("../../../schemas/aggregate.v1.schema.json"),
    include_str!("../../../schemas/bundle.v1.schema.json"),
    include_str!("../../../schemas/frozen-aggregate.v1.schema.json"),
    include_str!("../../../schemas/frozen-rows.v1.schema.json"),
    include_str!("../../../schemas/grade.v1.schema.json"),
];

/// The style of pages, and the words of their fixed text and of the keys that they show. A test reads
/// these from the source of the pages, and from a page of a run with nothing in it.
const FIXED: [&str; 2] = [
    include_str!("../../report/page.css"),
    include_str!("own.txt"),
];

/// Every word that outputs hold whatever they tell of, in small letters.
static OWN: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let mut words = HashSet::new();
    for schema in SCHEMAS {
        closed(
            &serde_json::from_str(schema).unwrap_or_default(),
            &mut words,
        );
    }
    for text in FIXED {
        add(text, &mut words);
    }
    words
});

fn add(text: &str, words: &mut HashSet<String>) {
    let parts = text.split(|c: char| !c.is_alphanumeric());
    words.extend(
        parts
            .filter(|word| !word.is_empty())
            .map(str::to_ascii_lowercase),
    );
}

/// The names of fields of a schema, and the words that they may hold.
fn closed(schema: &Value, words: &mut HashSet<String>) {
    match schema {
        Value::Object(fields) => {
            for (name, value) in fields {
                match (name.as_str(), value) {
                    ("properties", Value::Object(own)) => {
                        for (name, _) in own {
                            add(name, words);
                        }
                        closed(value, words);
                    }
                    ("const" | "enum", value) => add(&value.to_string(), words),
                    _ => closed(value, words),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| closed(item, words)),
        _ => {}
    }
}

/// Whether a value says nothing about anybody: it is made of listed words and short numbers.
///
/// An absolute path is vocabulary only where it is one folder of that name: machines that are made for
/// one run have such ones, and addresses of the web hold them.
pub(super) fn is_mere(value: &str) -> bool {
    let folder = value
        .strip_prefix('/')
        .map(|folder| folder.trim_end_matches('/'));
    let value = match folder {
        Some(folder) if !folder.contains('/') => folder,
        _ => value,
    };
    if value.starts_with(['/', '\\', '~']) || value.get(1..2) == Some(":") {
        return false;
    }
    value
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .all(|word| {
            let small = word.to_ascii_lowercase();
            is_number(&small)
                || WORDS.binary_search(&small.as_str()).is_ok()
                || OWN.contains(&small)
        })
}

/// A short number, a version's part such as `v4` or `20b`, or a date as in model names.
fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix('v').unwrap_or(word);
    let digits = digits.strip_suffix(['b', 'o', 'k', 'm']).unwrap_or(digits);
    let all = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    all && (digits.len() <= 4 || (digits.len() == 8 && digits.starts_with("20")))
}

/// What machines and clients have besides. Sorted, small letters.
const WORDS: &[&str] = &[
    "abandoned",
    "aborted",
    "accept",
    "admin",
    "administrator",
    "agent",
    "agents",
    "aggregate",
    "alpha",
    "announce",
    "answer",
    "anthropic",
    "api",
    "app",
    "assistant",
    "attempt",
    "audit",
    "background",
    "beta",
    "bin",
    "bitwise",
    "bot",
    "bound",
    "build",
    "builder",
    "call",
    "canary",
    "cargo",
    "chat",
    "check",
    "checks",
    "child",
    "claim",
    "claude",
    "clear",
    "cli",
    "client",
    "close",
    "code",
    "codex",
    "commit",
    "completed",
    "config",
    "context",
    "contract",
    "contradicted",
    "control",
    "controls",
    "conversation",
    "count",
    "cursor",
    "dark",
    "deed",
    "deedcheck",
    "default",
    "denied",
    "desktop",
    "dev",
    "developer",
    "directory",
    "diverger",
    "docs",
    "documents",
    "edit",
    "empty",
    "end",
    "error",
    "evidence",
    "exec",
    "explore",
    "explorer",
    "fail",
    "failed",
    "fast",
    "file",
    "finding",
    "fix",
    "flash",
    "fork",
    "function",
    "gate",
    "gemini",
    "general",
    "gg",
    "git",
    "golden",
    "gpt",
    "grade",
    "grades",
    "guest",
    "haiku",
    "handback",
    "high",
    "home",
    "hook",
    "hooks",
    "host",
    "html",
    "identity",
    "inadmissible",
    "index",
    "input",
    "integrity",
    "interrupted",
    "invalid",
    "is",
    "js",
    "json",
    "jsonl",
    "judge",
    "judgment",
    "judgments",
    "kind",
    "label",
    "latest",
    "lib",
    "limit",
    "lint",
    "local",
    "localdomain",
    "localhost",
    "lock",
    "log",
    "low",
    "main",
    "markdown",
    "masked",
    "max",
    "md",
    "medium",
    "message",
    "messages",
    "mini",
    "missing",
    "mod",
    "model",
    "na",
    "nano",
    "never",
    "no",
    "not",
    "o",
    "observed",
    "offer",
    "ok",
    "openai",
    "operator",
    "opus",
    "oracle",
    "out",
    "output",
    "own",
    "package",
    "pass",
    "pending",
    "plan",
    "planned",
    "planner",
    "plugin",
    "pr",
    "preview",
    "private",
    "pro",
    "profile",
    "project",
    "projects",
    "prompt",
    "proven",
    "public",
    "purpose",
    "py",
    "read",
    "reader",
    "readme",
    "records",
    "reject",
    "repeat",
    "replay",
    "repo",
    "report",
    "repos",
    "research",
    "result",
    "results",
    "resume",
    "review",
    "reviewer",
    "role",
    "rollout",
    "root",
    "rs",
    "rule",
    "rules",
    "run",
    "runner",
    "running",
    "scope",
    "scratch",
    "session",
    "sessions",
    "settings",
    "setup",
    "shard",
    "sidechain",
    "skill",
    "skipper",
    "sonnet",
    "source",
    "spec",
    "src",
    "stale",
    "stance",
    "status",
    "statusline",
    "subagent",
    "submit",
    "summary",
    "superseded",
    "supported",
    "system",
    "table",
    "target",
    "task",
    "tasks",
    "team",
    "teammate",
    "temp",
    "template",
    "test",
    "tester",
    "tests",
    "text",
    "the",
    "thread",
    "tmp",
    "toml",
    "tool",
    "total",
    "transcript",
    "turbo",
    "turn",
    "turns",
    "txt",
    "type",
    "ubuntu",
    "unknown",
    "unresolved",
    "unsupported",
    "user",
    "username",
    "value",
    "verdict",
    "verified",
    "verify",
    "version",
    "vscode",
    "work",
    "worker",
    "workflow",
    "workspace",
    "workspaces",
    "worktree",
    "write",
    "writer",
    "wrong",
    "xhigh",
    "yaml",
    "yield",
    "yml",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_for_its_search() {
        assert!(WORDS.is_sorted());
    }

    #[test]
    fn vocabulary_is_told_from_names() {
        for mere in [
            "workflow_child",
            "claude-opus-4-1-20250805",
            "gpt-5.1-codex-max",
            "0.146.0-alpha.3",
            "general-purpose",
            "README.md",
            "src/main.rs",
            "localhost",
            "2.1.154",
            "contradicted",
            "/project",
            "/workspaces/",
            "test-session",
            "completion",
            "verification",
            "verifications",
            "error-not-mentioned",
            "statements",
            "data-deed",
            "monospace",
            "palatino",
            "system-ui",
            "border-box",
            "color-scheme",
            "operator-messages",
        ] {
            assert!(is_mere(mere), "{mere}");
        }
        for private in [
            "/home/user",
            "/workspace/zebra",
            "/project/src",
            "C:\\work\\app",
            "alice-laptop",
            "20391847561",
            "zebra-run",
        ] {
            assert!(!is_mere(private), "{private}");
        }
    }
}
