//! Which outward change a command makes.

use super::fact::OutwardKind;
use super::git;
use crate::shell::{Domain, Effect};
use crate::transcript::Outcome;
use crate::turn::{Act, Step};

/// Commands by their first words. The longest that fits decides.
const COMMANDS: &[(&str, OutwardKind)] = &[
    ("git commit", OutwardKind::Commit),
    ("git push", OutwardKind::Push),
    ("git merge", OutwardKind::Merge),
    ("git pull", OutwardKind::Merge),
    ("git cherry-pick", OutwardKind::Commit),
    ("git rebase", OutwardKind::Merge),
    ("git revert", OutwardKind::Commit),
    ("gh pr create", OutwardKind::Pr),
    ("gh pr edit", OutwardKind::Pr),
    ("gh pr ready", OutwardKind::Pr),
    ("gh pr merge", OutwardKind::Merge),
    ("gh pr comment", OutwardKind::Pr),
    ("gh pr close", OutwardKind::Pr),
    ("gh pr reopen", OutwardKind::Pr),
    ("gh pr view", OutwardKind::State),
    ("gh pr list", OutwardKind::State),
    ("gh pr status", OutwardKind::State),
    ("glab mr view", OutwardKind::State),
    ("gh pr checks", OutwardKind::Ci),
    ("gh run view", OutwardKind::Ci),
    ("gh run list", OutwardKind::Ci),
    ("gh run watch", OutwardKind::Ci),
    ("gh release create", OutwardKind::Publish),
    ("glab mr create", OutwardKind::Pr),
    ("glab mr merge", OutwardKind::Merge),
    ("npm publish", OutwardKind::Publish),
    ("pnpm publish", OutwardKind::Publish),
    ("yarn publish", OutwardKind::Publish),
    ("cargo publish", OutwardKind::Publish),
    ("twine upload", OutwardKind::Publish),
    ("docker push", OutwardKind::Publish),
    ("install", OutwardKind::Install),
    ("npm install", OutwardKind::Install),
    ("npm i", OutwardKind::Install),
    ("npm ci", OutwardKind::Install),
    ("npm add", OutwardKind::Install),
    ("pnpm install", OutwardKind::Install),
    ("pnpm add", OutwardKind::Install),
    ("yarn add", OutwardKind::Install),
    ("yarn install", OutwardKind::Install),
    ("bun add", OutwardKind::Install),
    ("bun install", OutwardKind::Install),
    ("pip install", OutwardKind::Install),
    ("pip3 install", OutwardKind::Install),
    ("uv add", OutwardKind::Install),
    ("uv sync", OutwardKind::Install),
    ("uv pip install", OutwardKind::Install),
    ("uv tool install", OutwardKind::Install),
    ("poetry add", OutwardKind::Install),
    ("poetry install", OutwardKind::Install),
    ("cargo install", OutwardKind::Install),
    ("cargo add", OutwardKind::Install),
    ("go install", OutwardKind::Install),
    ("go get", OutwardKind::Install),
    ("gem install", OutwardKind::Install),
    ("bundle install", OutwardKind::Install),
    ("brew install", OutwardKind::Install),
    ("apt install", OutwardKind::Install),
    ("apt-get install", OutwardKind::Install),
    ("winget install", OutwardKind::Install),
    ("choco install", OutwardKind::Install),
    ("mise install", OutwardKind::Install),
    ("vercel", OutwardKind::Deploy),
    ("netlify deploy", OutwardKind::Deploy),
    ("fly deploy", OutwardKind::Deploy),
    ("flyctl deploy", OutwardKind::Deploy),
    ("wrangler deploy", OutwardKind::Deploy),
    ("kubectl apply", OutwardKind::Deploy),
    ("kubectl rollout", OutwardKind::Deploy),
    ("helm upgrade", OutwardKind::Deploy),
    ("terraform apply", OutwardKind::Deploy),
    ("gcloud app deploy", OutwardKind::Deploy),
    ("firebase deploy", OutwardKind::Deploy),
    ("docker compose up", OutwardKind::Deploy),
    ("docker-compose up", OutwardKind::Deploy),
];

/// The outward change of an act, if it makes one, and whether it only rehearses it.
pub(super) fn kind(act: &Act) -> Option<(OutwardKind, bool)> {
    if !act.shell {
        return None;
    }
    let words = plain_git(&act.words);
    let fits = |head: &str| {
        words
            .strip_prefix(head)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    let found = COMMANDS
        .iter()
        .filter(|(head, _)| fits(head))
        .max_by_key(|(head, _)| head.len());
    if let Some((_, kind)) = found {
        let flag = |flag: &str| words.split(' ').any(|word| word == flag);
        let dry = flag("--dry-run")
            || flag("--help")
            || *kind == OutwardKind::Deploy && (flag("--build-only") || flag("--preview-only"))
            || *kind == OutwardKind::Push && flag("-n")
            || words.contains("--dry-run=");
        return Some((*kind, dry));
    }
    if let Some(kind) = by_api(&words) {
        return Some((kind, false));
    }
    if let Some(kind) = task(&words) {
        let asks = words
            .split(' ')
            .any(|word| matches!(word, "--help" | "--dry-run"));
        return Some((kind, asks));
    }
    let outside = matches!(
        act.domain,
        Some(Domain::Repo | Domain::Remote | Domain::Environment)
    );
    (act.effect == Effect::Mutate && outside).then_some((OutwardKind::Other, false))
}

/// What a change through a code host's interface does: `gh api -X PATCH repos/o/r/pulls/7`.
fn by_api(words: &str) -> Option<OutwardKind> {
    let rest = words.strip_prefix("gh api ")?;
    let mut words = rest.split(' ').peekable();
    let (mut method, mut fields, mut pulls, mut merges) = (None, false, false, false);
    while let Some(word) = words.next() {
        match word {
            "-X" | "--method" => method = words.peek().copied(),
            "-f" | "-F" | "--field" | "--raw-field" | "--input" => fields = true,
            _ if word.contains("/pulls") => {
                pulls = true;
                merges = word.ends_with("/merge");
            }
            _ => {}
        }
    }
    let changes = match method {
        Some(method) => matches!(method, "PATCH" | "POST" | "PUT"),
        None => fields,
    };
    match (pulls && changes, merges) {
        (true, true) => Some(OutwardKind::Merge),
        (true, false) => Some(OutwardKind::Pr),
        (false, _) => None,
    }
}

/// What a script or a task of the project does by its name: `./deploy.sh`, `npm run deploy`.
fn task(words: &str) -> Option<OutwardKind> {
    let mut words = words.split(' ');
    let program = words.next()?;
    let name = match program {
        "npm" | "pnpm" | "yarn" | "bun" | "make" | "just" | "mise" | "task" => {
            words.find(|word| !word.starts_with('-') && *word != "run")?
        }
        "sh" | "bash" | "zsh" => words.find(|word| !word.starts_with('-'))?,
        _ if program.contains('/') || program.ends_with(".sh") => program,
        // A tool that keeps its own remote: `bd dolt push`.
        _ if words.clone().take(2).any(|word| word == "push") => return Some(OutwardKind::Push),
        _ => return None,
    };
    let name = name.rsplit('/').next().unwrap_or(name);
    let name = name.split(['.', ':']).next().unwrap_or(name);
    match name {
        "deploy" => Some(OutwardKind::Deploy),
        "publish" | "release" => Some(OutwardKind::Publish),
        _ => None,
    }
}

/// The file that a command takes the text of a message from: `git commit -F message.txt`.
pub(super) fn message_file(act: &Act) -> Option<&str> {
    let all = git::commands(act, &["git", "gh", "glab"]);
    all.iter().find_map(|words| message_of(words))
}

fn message_of<'a>(words: &[&'a str]) -> Option<&'a str> {
    let own = words.first() == Some(&"git");
    let at = if own { git::asked(words)? } else { 1 };
    let (names, long): (&[&str], &str) = if own {
        (&["commit", "tag", "merge"], "--file")
    } else {
        (&["pr", "issue", "mr"], "--body-file")
    };
    if !words.get(at).is_some_and(|name| names.contains(name)) {
        return None;
    }
    let mut rest = words.iter().skip(at + 1).copied();
    while let Some(word) = rest.next() {
        let path = match word.strip_prefix(long) {
            _ if word == "--" => return None,
            Some("") => rest.next(),
            Some(value) => value.strip_prefix('='),
            None => match valued(word) {
                Some(('F', "")) => rest.next(),
                Some(('F', path)) => Some(path),
                // What stands behind another option is its value.
                Some((_, "")) => {
                    rest.next();
                    None
                }
                _ => None,
            },
        };
        if path.is_some() {
            return path.filter(|path| path.len() > 3);
        }
    }
    None
}

/// The option of a word that takes a value, and the value that stands in the same word: `-amFix` is `-m` of `Fix`.
fn valued(word: &str) -> Option<(char, &str)> {
    if matches!(word, "--message" | "--title" | "--body" | "--author") {
        return Some(('m', ""));
    }
    let options = word
        .strip_prefix('-')
        .filter(|rest| !rest.starts_with('-'))?;
    let at = options.find(['F', 'm', 'C', 'c', 't', 'b'])?;
    let mut chars = options[at..].chars();
    Some((chars.next()?, chars.as_str()))
}

/// What a tool of a code host's server does by its name: `mcp__github__create_pull_request`.
pub(super) fn by_tool(name: &str) -> Option<OutwardKind> {
    let last = name.rsplit("__").next().unwrap_or(name);
    match last {
        "create_pull_request" | "create_merge_request" => Some(OutwardKind::Pr),
        "merge_pull_request" | "merge_merge_request" => Some(OutwardKind::Merge),
        _ => None,
    }
}

/// Lines by which other programs than git tell a refusal, besides those of git itself.
const REFUSED: [&str; 8] = [
    "nothing to commit",
    "pull request create failed",
    "npm error code",
    "npm ERR! code",
    "npm error A complete log",
    "npm ERR! A complete log",
    "ERROR: No matching distribution",
    "ERROR: Could not find a version",
];

/// How an outward change ended: the other side's refusal outranks a hidden status.
pub(super) fn outcome(act: &Act, outcome: Outcome, step: Option<&Step>) -> Outcome {
    let hidden = act.masked && matches!(outcome, Outcome::Ok | Outcome::Failed(_));
    if !hidden {
        return outcome;
    }
    let output = step.map_or("", |step| step.text.as_str());
    if act.program == "git" {
        let name = git::names(act).next().unwrap_or("");
        return match step.and_then(|step| git::ended_in(name, step)) {
            Some(true) => Outcome::Ok,
            Some(false) => Outcome::Failed(None),
            None => Outcome::Unknown,
        };
    }
    let own = matches!(
        act.program.as_str(),
        "gh" | "npm" | "pnpm" | "yarn" | "pip" | "pip3" | "uv"
    );
    let refused = |line: &str| {
        let line = line.trim();
        git::refuses(line) || REFUSED.iter().any(|sign| line.contains(sign))
    };
    if own && output.lines().any(refused) {
        return Outcome::Failed(None);
    }
    Outcome::Unknown
}

/// `git -C dir -c k=v commit` as `git commit`.
fn plain_git(words: &str) -> String {
    let Some(rest) = words.strip_prefix("git ") else {
        return words.to_owned();
    };
    let mut parts = rest.split(' ').peekable();
    while let Some(part) = parts.peek() {
        if matches!(*part, "-C" | "-c" | "--git-dir" | "--work-tree") {
            parts.next();
            parts.next();
        } else if part.starts_with('-') {
            parts.next();
        } else {
            break;
        }
    }
    let rest: Vec<&str> = parts.collect();
    format!("git {}", rest.join(" "))
}
