//! The claim type of a close, against real turns that two readers labelled.

#![expect(
    clippy::print_stdout,
    reason = "a measurement is read from the test's output"
)]

use std::collections::BTreeMap;
use std::path::Path;

use deedcheck::rule::gate::claim_type::{ClaimType, infer};
use serde_json::Value;

use super::shared::labelled;

/// Whether the turn may have had an effect: any editing tool, or a shell command whose first words
/// are no plain reads. The program has a real shell walk; this is a stand-in for its answer.
fn acted(root: &Path, turn: &Value) -> bool {
    let file = root
        .join("corpus")
        .join(turn["file"].as_str().unwrap_or_default());
    let text = std::fs::read(&file)
        .map(|b| String::from_utf8_lossy(&b).into_owned())
        .unwrap_or_default();
    let line = |n: usize| usize::try_from(turn["lines"][n].as_u64().unwrap_or(0)).unwrap_or(0);
    let (first, last) = (line(0), line(1));
    text.lines()
        .skip(first.saturating_sub(1))
        .take((last + 1).saturating_sub(first))
        .any(|l| serde_json::from_str::<Value>(l).is_ok_and(|record| acts(&record)))
}

fn acts(value: &Value) -> bool {
    match value {
        Value::Array(list) => list.iter().any(acts),
        Value::Object(map) => {
            let call = matches!(
                map.get("type").and_then(Value::as_str),
                Some("tool_use" | "function_call" | "custom_tool_call")
            );
            let name = map.get("name").and_then(Value::as_str).unwrap_or_default();
            if call {
                let input = map
                    .get("input")
                    .or_else(|| map.get("arguments"))
                    .unwrap_or(&Value::Null);
                return call_acts(name, input);
            }
            map.values().any(acts)
        }
        _ => false,
    }
}

fn call_acts(name: &str, input: &Value) -> bool {
    match name {
        "Edit" | "Write" | "MultiEdit" | "NotebookEdit" | "apply_patch" => true,
        "Bash" | "shell" | "shell_command" | "exec_command" => {
            let parsed = input
                .as_str()
                .and_then(|s| serde_json::from_str::<Value>(s).ok());
            let input = parsed.as_ref().unwrap_or(input);
            let command = input
                .get("command")
                .or_else(|| input.get("cmd"))
                .unwrap_or(&Value::Null);
            let words: Vec<&str> = match command {
                Value::Array(argv) => argv.last().and_then(Value::as_str).into_iter().collect(),
                other => other.as_str().into_iter().collect(),
            };
            // An escape that JSON forbids hides the command; its text is still there.
            let raw = input.as_str().unwrap_or_default();
            words.iter().any(|line| command_acts(line)) || raw.contains("apply_patch")
        }
        _ => false,
    }
}

/// Programs that only read, and words of the shell itself.
#[rustfmt::skip]
const READS: &[&str] = &["-o", "Get-ChildItem", "Get-Content", "[", "apt", "awk", "basename", "busctl", "cat", "cd", "command", "curl", "cut", "date", "df", "diff", "dirname", "do", "done", "dpkg", "du", "echo", "else", "env", "export", "fi", "file", "find", "for", "grep", "head", "id", "if", "jq", "ldconfig", "ldd", "ls", "mktemp", "nl", "node", "nvidia-smi", "od", "op", "pacman", "pgrep", "printf", "ps", "pwd", "python", "python3", "read", "readlink", "rg", "rpm", "sed", "set", "sleep", "sort", "ssh-add", "stat", "strings", "tail", "test", "then", "tr", "tree", "true", "type", "uniq", "wc", "which", "while", "xargs"];

/// Subcommands that only read.
#[rustfmt::skip]
const QUERIES: &[&str] = &["--no-pager", "-C", "api", "branch", "cat-file", "checks", "diff", "fetch", "for-each-ref", "grep", "issue", "list", "log", "ls-files", "ls-remote", "ls-tree", "merge-base", "pr", "ready", "remote", "repo", "rev-parse", "show", "show-ref", "status", "test", "view", "worktree"];

/// Words that change something wherever they stand.
#[rustfmt::skip]
const WRITES: &[&str] = &["git commit", "git push", "sed -i", "apply_patch", "gh pr merge", "gh pr create", "<<"];

fn command_acts(command: &str) -> bool {
    WRITES.iter().any(|mark| command.contains(mark))
        || unquoted(command)
            .split(['\n', ';', '|', '&'])
            .map(str::trim)
            .any(|simple| !only_reads(simple))
}

fn only_reads(simple: &str) -> bool {
    let mut words = simple
        .split_whitespace()
        .skip_while(|word| word.contains('=') || *word == "timeout");
    let Some(head) = words.next() else {
        return true;
    };
    let (sub, script) = (
        words.next().unwrap_or_default(),
        words.next().unwrap_or_default(),
    );
    let run = sub == "run"
        && (head == "gh"
            || ["test", "lint", "typecheck"]
                .iter()
                .any(|name| script.contains(name)));
    let tool = matches!(head, "git" | "gh" | "bun" | "bd" | "npm" | "cargo" | "go");
    let word = head.starts_with(|c: char| c.is_ascii_lowercase() || c == '[');
    !word || READS.contains(&head) || (tool && (run || QUERIES.contains(&sub)))
}

/// The command with quoted text blanked out.
fn unquoted(command: &str) -> String {
    let mut quote = None;
    let mut escaped = false;
    let blank = |c: char| {
        let shown = match quote {
            Some(mark) if c == mark && !escaped => {
                quote = None;
                'q'
            }
            Some(_) => 'q',
            None if (c == '\'' || c == '"') && !escaped => {
                quote = Some(c);
                'q'
            }
            None => c,
        };
        escaped = c == '\\' && !escaped;
        shown
    };
    command
        .chars()
        .map(blank)
        .collect::<String>()
        .replace("2>&1", "")
        .replace("\\;", "")
}

fn label(kind: ClaimType) -> &'static str {
    match kind {
        ClaimType::None => "none",
        ClaimType::Assertion => "assertion",
        ClaimType::Completion => "completion",
        ClaimType::Unverified => "unverified",
        ClaimType::Unknown => "unknown",
    }
}

/// A stable half of the turns, by FNV-1a of the id. Neither half is unseen: the two figures show spread,
/// not held-out accuracy.
fn half(id: &str) -> usize {
    let hash = id.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| {
        (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)
    });
    usize::from(hash & 1 == 1)
}

#[test]
fn claim_types_agree_with_two_readers() {
    let Some(root) = labelled("claim_types_agree_with_two_readers") else {
        return;
    };
    let text = std::fs::read_to_string(root.join("cases/claims/turns.jsonl")).unwrap();
    let mut matrix: BTreeMap<(String, &str), usize> = BTreeMap::new();
    let mut tally = [(0, 0); 2];
    let mut blind = 0;
    for turn in text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
    {
        let (Some(want), Some(close)) = (turn["close_claim_type"].as_str(), turn["close"].as_str())
        else {
            continue;
        };
        if want == "no_close" {
            continue;
        }
        let acted = acted(&root, &turn);
        let got = infer(close, acted);
        blind += usize::from(label(infer(close, true).claim_type) == want);
        let id = turn["id"].as_str().unwrap_or_default();
        let tally = &mut tally[half(id)];
        tally.1 += 1;
        if label(got.claim_type) == want {
            tally.0 += 1;
        } else {
            println!(
                "half {} {id}: {want} read as {} (acted: {acted})",
                half(id),
                label(got.claim_type)
            );
        }
        *matrix
            .entry((want.to_owned(), label(got.claim_type)))
            .or_default() += 1;
    }
    for ((want, got), count) in &matrix {
        println!("{want:>11} read as {got:<11} {count}");
    }
    println!(
        "half 0: {}/{}, half 1: {}/{}",
        tally[0].0, tally[0].1, tally[1].0, tally[1].1
    );
    println!("taking every turn for one that acted: {blind}");
    let (right, all) = (tally[0].0 + tally[1].0, tally[0].1 + tally[1].1);
    assert!(all >= 100, "labelled turns went missing: {all}");
    assert!(right * 100 >= all * 92, "{right} of {all}");
    for (right, all) in tally {
        assert!(right * 100 >= all * 88, "{right} of {all} in one half");
    }
}
