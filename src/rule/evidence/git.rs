//! Git's own commands, whichever shell was handed them, and what git's answers say of their end.

use crate::turn::{Act, Step};

/// Shells of another system, whose command lines are read as plain words.
const SHELLS: [&str; 5] = ["powershell", "powershell.exe", "pwsh", "cmd", "cmd.exe"];

/// The words of the commands of some programs that an act runs: its own, or those of a line that it hands to
/// another system's shell.
#[must_use]
pub fn commands<'a>(act: &'a Act, programs: &[&str]) -> Vec<Vec<&'a str>> {
    if programs.contains(&act.program.as_str()) {
        return vec![act.argv().collect()];
    }
    if !SHELLS.contains(&act.program.as_str()) {
        return Vec::new();
    }
    let parts = act.words.split([';', '|', '&']);
    let of_program = parts.filter_map(|part| {
        let words = part.split_whitespace();
        let words: Vec<&str> = words.map(|word| word.trim_matches(['"', '\''])).collect();
        let at = words.iter().position(|word| programs.contains(word))?;
        Some(words[at..].to_vec())
    });
    of_program.collect()
}

/// Where the name of what git is asked to do stands among its words: behind its own options.
#[must_use]
pub fn asked(words: &[&str]) -> Option<usize> {
    let mut at = 1;
    loop {
        match *words.get(at)? {
            "-C" | "-c" | "--git-dir" | "--work-tree" => at += 2,
            word if word.starts_with('-') => at += 1,
            _ => return Some(at),
        }
    }
}

/// The names of what git is asked to do in an act.
pub fn names(act: &Act) -> impl Iterator<Item = &str> {
    commands(act, &["git"])
        .into_iter()
        .filter_map(|words| asked(&words).map(|at| words[at]))
}

/// `[main 5fa2423] Subject`, `[main (root-commit) 5fa2423] Subject`: a commit that was made.
#[must_use]
pub fn is_commit(line: &str) -> bool {
    let head = line
        .trim()
        .strip_prefix('[')
        .and_then(|line| line.split_once(']'));
    let named = head.and_then(|(head, _)| head.rsplit_once(' '));
    named.is_some_and(|(_, hash)| {
        let hex = hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        hex && (7..=40).contains(&hash.len())
    })
}

/// ` 2 files changed, 3 insertions(+)`, the sum of a commit or of what was joined.
fn is_sum(line: &str) -> bool {
    let line = line.trim();
    line.starts_with(|c: char| c.is_ascii_digit())
        && (line.contains(" file changed, ") || line.contains(" files changed, "))
}

/// `9ab31d0..1a2b3c4  main -> main`, ` * [new branch] x -> x`; a fetch tells of its own move into `origin/…`.
fn is_push(line: &str) -> bool {
    let Some((from, to)) = line.trim().split_once(" -> ") else {
        return false;
    };
    let moved = from.trim_start_matches(['+', '*', ' ']);
    let range = moved.split(' ').next().unwrap_or("").contains("..");
    !from.starts_with('!') && !to.starts_with("origin/") && (range || moved.starts_with("[new "))
}

/// Lines by which a hook stops what git was asked to do, whatever it was.
const STOPPED: [&str; 4] = [
    "- exit code: ",
    "- files were modified by this hook",
    "hook exited with code",
    "hook failed",
];

/// Lines by which git says that it committed nothing.
const UNCOMMITTED: [&str; 5] = [
    "nothing to commit",
    "nothing added to commit",
    "no changes added to commit",
    "error: gpg failed to sign",
    "error: pathspec ",
];

/// Lines by which the other side refuses a push.
const REJECTED: [&str; 5] = [
    "! [rejected]",
    "! [remote rejected]",
    "error: failed to push",
    "Note about fast-forwards",
    "Updates were rejected",
];

/// Lines by which git says that it could not join two states.
const APART: [&str; 3] = ["CONFLICT (", "Merge conflict in ", "Automatic merge failed"];

/// Whether a line says that a hook, the other side or a conflict stopped something, whatever it was.
pub(super) fn refuses(line: &str) -> bool {
    let mut all = STOPPED.iter().chain(&REJECTED).chain(&APART);
    line.starts_with("fatal: ") || all.any(|sign| line.contains(sign))
}

/// How a step's answer says that what git was asked to do in it by this name ended, where its status does not show;
/// nothing where it says neither, or where several such commands stand in it and it says both.
#[must_use]
pub fn ended_in(name: &str, step: &Step) -> Option<bool> {
    let acts = step.acts.iter().flat_map(names);
    let same = acts.filter(|other| *other == name).count();
    ended(name, step.text.as_str(), same > 1)
}

fn ended(name: &str, answer: &str, several: bool) -> Option<bool> {
    let commits = matches!(name, "commit" | "cherry-pick" | "revert");
    let joins = matches!(name, "merge" | "pull" | "rebase" | "am");
    let any = !(commits || joins || name == "push");
    let refuses = |line: &str| {
        let says = |signs: &[&str]| signs.iter().any(|sign| line.contains(sign));
        line.starts_with("fatal: ")
            || says(&STOPPED)
            || (commits || any) && says(&UNCOMMITTED)
            || (name == "push" || any) && says(&REJECTED)
            || (joins || any || commits && name != "commit") && says(&APART)
    };
    let good = |line: &str, before: &str| {
        // The sum of a comparison stands behind the lines of its files: `a.rs | 3 ++-`.
        let compared = commits && before.contains(" | ");
        let made = (commits || any) && is_commit(line);
        let sum = name != "push" && is_sum(line) && !compared;
        made || sum || (name == "push" || any) && is_push(line)
    };
    let (mut done, mut last, mut before) = (false, None, "");
    for line in answer.lines() {
        let line = line.trim();
        if good(line, before) {
            (done, last) = (true, Some(true));
        } else if refuses(line) {
            last = Some(false);
        }
        before = line;
    }
    match last {
        // A commit that was made stands, whatever is said after it of something else.
        Some(false) if commits && done => (!several).then_some(true),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::{Action, Dialect};
    use crate::turn::deeds;

    #[test]
    fn a_line_tells_of_a_commit_by_its_branch_and_hash() {
        for line in [
            "[main 5fa2423] Subject",
            "[main (root-commit) 5fa2423] Subject",
            "[detached HEAD 5fa2423] Subject",
            "[main 5fa2423]",
        ] {
            assert!(is_commit(line), "{line}");
        }
        for line in [
            "[INFO] Initializing environment",
            "[worker 7] done",
            "5fa2423 Subject",
        ] {
            assert!(!is_commit(line), "{line}");
        }
    }

    #[test]
    fn each_command_is_told_by_its_own_signs() {
        let made = "[main 1a2b3c4] x\n 1 file changed, 1 insertion(+)";
        let moved = "   9ab31d0..1a2b3c4  main -> main";
        let far = format!("{made}\nfatal: unable to access 'https://example.com/'");
        assert_eq!(ended("push", &far, false), Some(false));
        assert_eq!(ended("commit", &far, false), Some(true));
        assert_eq!(
            ended("push", &format!("{made}\n{moved}"), false),
            Some(true)
        );
        let clean = format!("{made}\nnothing to commit, working tree clean");
        assert_eq!(ended("commit", &clean, false), Some(true));
        assert_eq!(ended("commit", &clean, true), None);
        let part = format!("{moved}\n ! [rejected] dev -> dev (fetch first)");
        assert_eq!(ended("push", &part, false), Some(false));
        let again = format!(" ! [rejected] main -> main\n{moved}");
        assert_eq!(ended("push", &again, true), Some(true));
        assert_eq!(
            ended("push", "   9ab31d0..1a2b3c4  main -> origin/main", false),
            None
        );
        assert_eq!(
            ended("commit", " ! [rejected] main -> main (fetch first)", false),
            None
        );
        let compared = " a.rs | 2 +-\n 1 file changed, 1 insertion(+)";
        assert_eq!(ended("commit", compared, false), None);
        assert_eq!(ended("merge", compared, false), Some(true));
    }

    #[test]
    fn a_line_that_is_handed_on_holds_commands_and_a_printed_one_none() {
        let of = |command: &str| {
            let action = Action::Shell {
                command: command.into(),
                dialect: Dialect::Posix,
                cwd: None,
                background: false,
            };
            let acts = deeds(&action, Some("/r"));
            let names = acts.iter().flat_map(names).map(str::to_owned);
            names.collect::<Vec<String>>()
        };
        assert_eq!(of("git -C x commit -m a && git push"), ["commit", "push"]);
        assert_eq!(
            of("powershell.exe -Command \"git add a; git commit\""),
            ["add", "commit"]
        );
        assert!(of("echo \"git commit\"").is_empty());
    }
}
