//! Changes that were taken back, work that was laid aside, and looks at what is there.

use super::digest;
use super::scope::{Weight, weight};
use crate::transcript::Outcome;
use crate::turn::{Act, Step};

/// What a git command does to changes that were not committed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Undo {
    /// It takes the changes of these paths back; of all where there is none.
    Back(Vec<String>),
    /// It lays all changes aside.
    Aside,
    /// It brings back what was laid aside.
    Return,
    /// It brings in changes from elsewhere, of paths that it does not name.
    Bring,
    /// It brings in other people's changes, if there are any.
    Pull,
    /// It brings the work to another state: commits are joined, replayed or taken back.
    Move,
    /// It goes to another state of the repository.
    Away,
}

/// Reads a git command.
pub(super) fn of(act: &Act) -> Option<Undo> {
    if act.program != "git" {
        return None;
    }
    let mut words = act.words.split(' ').skip(1).peekable();
    while let Some(word) = words.peek() {
        match *word {
            "-C" | "-c" => drop((words.next(), words.next())),
            word if word.starts_with('-') => drop(words.next()),
            _ => break,
        }
    }
    let command = words.next()?;
    let rest: Vec<&str> = words.collect();
    match command {
        "checkout" => checkout(&rest, act),
        "switch" => (!rest.iter().any(|word| matches!(*word, "-c" | "-C"))).then_some(Undo::Away),
        "restore" => {
            let staged = rest.contains(&"--staged") || rest.contains(&"-S");
            let both = rest.contains(&"--worktree") || rest.contains(&"-W");
            (!staged || both).then(|| back(&rest, act))
        }
        "reset" => rest.contains(&"--hard").then_some(Undo::Back(Vec::new())),
        "stash" => match rest.iter().find(|word| !word.starts_with('-')) {
            None | Some(&("push" | "save")) => Some(Undo::Aside),
            Some(&("pop" | "apply")) => Some(Undo::Return),
            _ => None,
        },
        "apply" | "am" => {
            let looks = ["--check", "--stat", "--numstat", "--summary"];
            (!rest.iter().any(|word| looks.contains(word))).then_some(Undo::Bring)
        }
        "pull" => Some(Undo::Pull),
        "merge" | "cherry-pick" | "revert" => stays(&rest).then_some(Undo::Move),
        // What only lays the own commits out anew leaves the same files.
        "rebase" => {
            let own = [
                "HEAD~",
                "HEAD^",
                "@~",
                "--autosquash",
                "--root",
                "--abort",
                "--quit",
            ];
            let within = rest
                .iter()
                .any(|word| own.iter().any(|head| word.starts_with(head)));
            (!within).then_some(Undo::Move)
        }
        "worktree" => (rest.first() == Some(&"add")).then_some(Undo::Away),
        _ => None,
    }
}

/// Whether a command does what it is for, and neither breaks off nor stops before the commit.
fn stays(rest: &[&str]) -> bool {
    const OFF: [&str; 4] = ["--abort", "--quit", "--continue", "--skip"];
    !rest.iter().any(|word| OFF.contains(word))
}

/// Whether what git prints tells that files changed which a check may read: by their names, where
/// it lists them.
pub(super) fn moves(output: &str) -> bool {
    const SIGNS: [&str; 5] = [
        "Updating ",
        "Fast-forward",
        " changed, ",
        "Successfully rebased",
        "Merge made by",
    ];
    let mut listed = output
        .lines()
        .filter_map(|line| line.split_once(" | "))
        .peekable();
    let read =
        listed.peek().is_none() || listed.any(|(path, _)| weight(path.trim()) == Weight::Code);
    read && SIGNS.iter().any(|sign| output.contains(sign))
}

fn checkout(rest: &[&str], act: &Act) -> Option<Undo> {
    if rest
        .iter()
        .any(|word| matches!(*word, "-b" | "-B" | "--orphan"))
    {
        return None;
    }
    // A version from elsewhere in the history is a change of its own.
    let foreign = |word: &&&str| {
        **word != "HEAD" && **word != "--" && !word.starts_with('-') && rest.contains(&"--")
    };
    if rest.first().as_ref().is_some_and(foreign) {
        return None;
    }
    let paths = rest.contains(&"--") || rest.contains(&".") || !act.writes.is_empty();
    Some(if paths { back(rest, act) } else { Undo::Away })
}

fn back(rest: &[&str], act: &Act) -> Undo {
    let all = rest.iter().any(|word| matches!(*word, "." | "./" | ":/"));
    Undo::Back(if all { Vec::new() } else { act.writes.clone() })
}

/// Whether a step is one command for one path that failed, so that nothing was done to it. What
/// is said not to be there is gone already.
pub(super) fn failed_alone(step: &Step) -> bool {
    let [act] = step.acts.as_slice() else {
        return false;
    };
    let plain = matches!(
        act.program.as_str(),
        "rm" | "rmdir" | "unlink" | "mv" | "cp" | "sed" | "touch" | "mkdir" | "ln"
    );
    plain && act.writes.len() == 1 && !act.masked && !step.text.as_str().contains("No such file")
}

/// Whether the shell did not find the command, so that it changed nothing: status 127, and it says so of that
/// very command. A file that its output was sent to is made all the same.
#[must_use]
pub fn not_found(act: &Act, step: &Step) -> bool {
    let program = act.program.as_str();
    let says = |line: &str| {
        let line = line.trim_end();
        let before = [": command not found", ": not found"]
            .iter()
            .find_map(|end| line.strip_suffix(end));
        let named = before.map(|before| before.rsplit(": ").next().unwrap_or(before));
        let behind = line.split_once("command not found: ").map(|(_, name)| name);
        named.or(behind) == Some(program)
    };
    // What a patch holds is no file that its output is sent to.
    let patch = program.split(['_', '-']).any(|word| word == "patch");
    let sent = !patch && (step.args.contains(" > ") || step.args.contains(">>"));
    let alone = act.shell && !program.is_empty() && !act.masked;
    alone
        && !sent
        && step.outcome == Outcome::Failed(Some(127))
        && step.text.as_str().lines().any(says)
}

/// Whether a command that changes files behind a hidden status says that it could not (`rm: cannot remove
/// 'x': …`), or has what it would say thrown away.
pub(super) fn unsure(act: &Act, step: &Step) -> bool {
    let plain = matches!(
        act.program.as_str(),
        "rm" | "rmdir" | "unlink" | "mv" | "cp" | "sed" | "mkdir" | "ln"
    );
    let said = |line: &str| {
        let rest = line.strip_prefix(act.program.as_str());
        let told = rest.is_some_and(|rest| rest.starts_with(": "));
        told && !line.ends_with("No such file or directory")
    };
    let thrown = act.program == "git" && step.args.contains("2>/dev/null");
    act.masked && (thrown || plain && step.text.as_str().lines().any(said))
}

/// The keys of what an edit takes out and puts in, where its call tells both.
pub(super) fn swap(step: &Step) -> Option<(u64, u64)> {
    if let Ok(serde_json::Value::Object(args)) = serde_json::from_str(&step.args) {
        let text = |head: &str| {
            let named = args.iter().find(|(key, _)| key.starts_with(head));
            named.and_then(|(_, value)| value.as_str())
        };
        return Some((digest::key(text("old")?), digest::key(text("new")?)));
    }
    let (mut old, mut new) = (String::new(), String::new());
    for line in step.args.lines() {
        if let Some(line) = line.strip_prefix('-') {
            old.push_str(line);
            old.push('\n');
        } else if let Some(line) = line.strip_prefix('+') {
            new.push_str(line);
            new.push('\n');
        }
    }
    (!old.is_empty() && !new.is_empty()).then(|| (digest::key(&old), digest::key(&new)))
}

/// Whether a look was made: a search that finds nothing and a comparison that finds a difference
/// end with status 1.
pub(super) fn looked(act: &Act, outcome: Outcome) -> bool {
    let tells = matches!(
        act.program.as_str(),
        "grep" | "egrep" | "rg" | "ag" | "git" | "diff" | "cmp" | "test" | "[" | "pgrep" | "which"
    );
    outcome == Outcome::Ok || act.shell && tells && matches!(outcome, Outcome::Failed(Some(1)))
}

/// The paths that git lists as modified.
pub(super) fn modified(output: &str, dir: Option<&str>) -> Vec<String> {
    let mut found: Vec<String> = output
        .lines()
        .filter_map(|line| {
            let path = line.trim().strip_prefix("modified:")?.trim();
            Some(match dir {
                Some(dir) => format!("{dir}/{path}"),
                None => path.to_owned(),
            })
        })
        .collect();
    if found.is_empty() {
        found.push(String::new());
    }
    found
}

/// The paths that an act changes; one empty one where it names none.
pub(super) fn paths(act: &Act) -> &[String] {
    const NONE: &[String] = &[String::new()];
    if act.writes.is_empty() {
        NONE
    } else {
        &act.writes
    }
}
