//! What a call makes public: messages of commits, titles and bodies of pull requests, plans.

use std::borrow::Cow;

use super::model::{Planned, Published, Venue};
use crate::shell::{self, RedirectKind, Simple};
use crate::transcript::{Action, Dialect};

/// Texts of one call that are told apart, and bytes of them that are kept: more of either is no
/// message that anybody reads.
const TEXTS: usize = 16;
const BYTES: usize = 64 * 1024;
/// Commands of one call that are asked what they publish.
const COMMANDS: usize = 256;
/// Items of one plan that are told apart.
const ITEMS: usize = 256;

/// The texts that a call publishes if it is carried out.
pub(super) fn published(action: &Action<'_>) -> Vec<Published> {
    match action {
        Action::Propose { text } if !text.trim().is_empty() => vec![Published {
            venue: Venue::Pr,
            text: clip(text),
        }],
        Action::Shell {
            command,
            dialect: Dialect::Posix,
            ..
        } if may_publish(command) => of_shell(command),
        _ => Vec::new(),
    }
}

/// The items of a plan that a call sets.
pub(super) fn planned(action: &Action<'_>) -> Vec<Planned> {
    let Action::Plan { items } = action else {
        return Vec::new();
    };
    let owned = |text: &Option<Cow<'_, str>>| text.as_deref().map(str::to_owned);
    items
        .iter()
        .take(ITEMS)
        .map(|item| Planned {
            key: owned(&item.key),
            text: owned(&item.text),
            done: item.done,
        })
        .collect()
}

/// Few commands publish: the rest is not read a second time.
fn may_publish(command: &str) -> bool {
    let has = |needle: &str| memchr::memmem::find(command.as_bytes(), needle.as_bytes()).is_some();
    has("commit") || has("gh ") && has("pr") || has("glab ") && has("mr")
}

fn of_shell(command: &str) -> Vec<Published> {
    let script = shell::read(command);
    let mut out = Vec::new();
    let programs = |simple: &&Simple<'_>| matches!(&*simple.program, "git" | "gh" | "glab");
    for simple in script.commands.iter().filter(programs).take(COMMANDS) {
        let text = match &*simple.program {
            "git" => commit(simple, command, &script.commands).map(|text| (Venue::Commit, text)),
            "gh" | "glab" => {
                proposal(simple, command, &script.commands).map(|text| (Venue::Pr, text))
            }
            _ => None,
        };
        if let Some((venue, text)) = text.filter(|(_, text)| !text.trim().is_empty()) {
            out.push(Published {
                venue,
                text: clip(&text),
            });
        }
        if out.len() == TEXTS {
            break;
        }
    }
    out
}

/// The message of a `git commit`: its `-m` paragraphs, or what `-F` reads where that is in sight.
fn commit(simple: &Simple<'_>, command: &str, all: &[Simple<'_>]) -> Option<String> {
    let mut words = simple.words.iter().skip(1);
    let verb = loop {
        match &**words.next()? {
            "-C" | "-c" | "--git-dir" | "--work-tree" => drop(words.next()),
            option if option.starts_with('-') => {}
            verb => break verb,
        }
    };
    if verb != "commit" {
        return None;
    }
    let rest: Vec<&str> = words.map(|word| &**word).collect();
    let flags = Flags {
        words: &rest,
        simple,
        command,
        all,
    };
    flags.text(&["--message", "-m"], &["--file", "-F"])
}

/// The title and body of a pull request that `gh` or `glab` opens or rewords.
fn proposal(simple: &Simple<'_>, command: &str, all: &[Simple<'_>]) -> Option<String> {
    let words: Vec<&str> = simple.words.iter().map(|word| &**word).collect();
    let [_, noun, verb, rest @ ..] = words.as_slice() else {
        return None;
    };
    let opens = matches!(*verb, "create" | "new" | "edit" | "update");
    if !opens || !matches!(*noun, "pr" | "mr") {
        return None;
    }
    let flags = Flags {
        words: rest,
        simple,
        command,
        all,
    };
    let title = flags.text(&["--title", "-t"], &[]);
    let body = flags.text(
        &["--body", "-b", "--description", "-d"],
        &["--body-file", "-F"],
    );
    match (title, body) {
        (Some(title), Some(body)) => Some(format!("{title}\n\n{body}")),
        (title, body) => title.or(body),
    }
}

/// The options of one command.
struct Flags<'w, 'c> {
    words: &'w [&'w str],
    simple: &'w Simple<'c>,
    command: &'w str,
    all: &'w [Simple<'c>],
}

impl Flags<'_, '_> {
    /// The values of some options, each a paragraph, and what the files of some others hold.
    fn text(&self, values: &[&str], files: &[&str]) -> Option<String> {
        let mut parts: Vec<String> = Vec::new();
        let mut rest = self.words.iter();
        while let Some(word) = rest.next() {
            if *word == "--" {
                break;
            }
            if let Some(value) = value_of(word, values, &mut rest) {
                parts.extend(spoken(value));
            } else if let Some(file) = value_of(word, files, &mut rest) {
                parts.extend(self.file(file));
            }
        }
        (!parts.is_empty()).then(|| parts.join("\n\n"))
    }

    /// What a file holds, where the command itself writes it or feeds it in.
    fn file(&self, name: &str) -> Option<String> {
        let feeds = |simple: &Simple<'_>| {
            let fed = |kind| {
                simple
                    .redirects
                    .iter()
                    .any(|redirect| redirect.kind == kind)
            };
            fed(RedirectKind::Heredoc)
                .then(|| heredoc(self.command.get(simple.span.start..)?))
                .flatten()
                .map(str::to_owned)
        };
        if matches!(name, "-" | "/dev/stdin") {
            return feeds(self.simple);
        }
        let writes = |simple: &&Simple<'_>| {
            simple
                .redirects
                .iter()
                .any(|redirect| redirect.kind == RedirectKind::Write && redirect.target == name)
        };
        self.all.iter().find(writes).and_then(feeds)
    }
}

/// The value that a word gives to one of some options: `-m x`, `-mx`, `-am x`, `--message=x`.
fn value_of<'w>(
    word: &'w str,
    options: &[&str],
    rest: &mut core::slice::Iter<'_, &'w str>,
) -> Option<&'w str> {
    for option in options {
        let Some(after) = word.strip_prefix(option) else {
            continue;
        };
        if after.is_empty() {
            return rest.next().copied();
        }
        if option.starts_with("--") {
            if let Some(value) = after.strip_prefix('=') {
                return Some(value);
            }
        } else {
            return Some(after.strip_prefix('=').unwrap_or(after));
        }
    }
    // Short options in one word: the last of them may take a value.
    let cluster = word.strip_prefix('-').filter(|word| word.len() > 1)?;
    let short = cluster.len() <= 4 && cluster.bytes().all(|byte| byte.is_ascii_lowercase());
    let last = cluster.get(cluster.len() - 1..)?;
    let takes = options
        .iter()
        .any(|option| option.strip_prefix('-') == Some(last));
    (short && takes).then(|| rest.next().copied()).flatten()
}

/// What an argument says: itself, or the body of the heredoc that a substitution in it prints. A
/// variable says nothing that the record shows.
fn spoken(value: &str) -> Option<String> {
    let value = value.trim();
    if let Some(inner) = value.strip_prefix("$(") {
        let feeds = inner.trim_start().starts_with("cat");
        return feeds.then(|| heredoc(inner)).flatten().map(str::to_owned);
    }
    let variable = value.starts_with('$') && !value.contains(char::is_whitespace);
    (!variable).then(|| value.to_owned())
}

/// The body of the first heredoc of a text.
fn heredoc(text: &str) -> Option<&str> {
    let at = text.find("<<")?;
    let after = &text[at + 2..];
    if after.starts_with('<') {
        return None;
    }
    let tabs = after.starts_with('-');
    let after = after.trim_start_matches('-').trim_start_matches(' ');
    let end = after.find('\n')?;
    let delimiter: String = after[..end]
        .trim_start_matches('\\')
        .chars()
        .skip_while(|c| matches!(c, '\'' | '"'))
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect();
    if delimiter.is_empty() {
        return None;
    }
    let body = &after[end + 1..];
    let mut start = 0;
    for line in body.split_inclusive('\n') {
        let bare = line.trim_end();
        let bare = if tabs {
            bare.trim_start_matches('\t')
        } else {
            bare
        };
        let ends = bare
            .strip_prefix(delimiter.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(')'));
        if ends {
            return body.get(..start);
        }
        start += line.len();
    }
    Some(body)
}

fn clip(text: &str) -> String {
    let end = text.floor_char_boundary(BYTES);
    text[..end].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(command: &str) -> Vec<(Venue, String)> {
        let action = Action::Shell {
            command: command.into(),
            dialect: Dialect::Posix,
            cwd: None,
            background: false,
        };
        let found = published(&action).into_iter();
        found.map(|one| (one.venue, one.text)).collect()
    }

    fn message(command: &str) -> String {
        match texts(command).as_slice() {
            [(Venue::Commit, text)] => text.clone(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn each_spelling_of_a_commit_s_message_is_read() {
        assert_eq!(message("git commit -m 'Set n'"), "Set n");
        assert_eq!(
            message("git add -A && git commit -am \"Set n\" -m 'All tests pass.'"),
            "Set n\n\nAll tests pass."
        );
        assert_eq!(
            message("git -C sub commit --message='Set n' --no-verify"),
            "Set n"
        );
        assert_eq!(
            message("git commit -m \"$(cat <<'EOF'\nSet n\n\nTested.\nEOF\n)\" && git push"),
            "Set n\n\nTested.\n"
        );
        assert_eq!(
            message("git commit -F - <<EOF\nSet n\nEOF\ngit push"),
            "Set n\n"
        );
        assert_eq!(
            message("cat > /tmp/m <<'EOF'\nSet n\nEOF\ngit commit -F /tmp/m"),
            "Set n\n"
        );
        assert_eq!(message("bash -lc \"git commit -m 'Set n'\""), "Set n");
    }

    #[test]
    fn what_only_speaks_of_a_commit_publishes_nothing() {
        for command in [
            "echo \"git commit -m 'x'\"",
            "git log --grep commit",
            "git commit --amend --no-edit",
            "git commit -m \"$MESSAGE\"",
            "git commit -F /tmp/elsewhere",
            "grep -m 1 commit log",
        ] {
            assert_eq!(texts(command), [], "{command}");
        }
    }

    #[test]
    fn a_pull_request_is_its_title_and_its_body() {
        let both = |command: &str| texts(command);
        let want = [(Venue::Pr, "Set n\n\nAll tests pass.".to_owned())];
        assert_eq!(
            both("gh pr create --title 'Set n' --body 'All tests pass.'"),
            want
        );
        assert_eq!(both("gh pr edit 7 -t 'Set n' -b 'All tests pass.'"), want);
        assert_eq!(
            both("glab mr create -t 'Set n' --description='All tests pass.'"),
            want
        );
        let fed = "gh pr create -t 'Set n' --body-file - <<'X'\nAll tests pass.\nX";
        assert_eq!(
            both(fed),
            [(Venue::Pr, "Set n\n\nAll tests pass.\n".to_owned())]
        );
        assert_eq!(both("gh pr view 7 --json title"), []);
    }
}
