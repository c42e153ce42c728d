//! Which outward change a command makes.

use super::fact::OutwardKind;
use crate::shell::{Domain, Effect};
use crate::turn::Act;

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

/// The outward change of an act, if it makes one.
pub(super) fn kind(act: &Act) -> Option<OutwardKind> {
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
        let dry = [" --dry-run", " -n ", " --help"]
            .iter()
            .any(|flag| words.contains(flag));
        return (!dry || *kind == OutwardKind::Commit && !words.contains("--dry-run"))
            .then_some(*kind);
    }
    let outside = matches!(
        act.domain,
        Some(Domain::Repo | Domain::Remote | Domain::Environment)
    );
    (act.effect == Effect::Mutate && outside).then_some(OutwardKind::Other)
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
