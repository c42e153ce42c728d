//! Files that git itself tells of where it commits: `delete mode 100644 a`, `create mode 100644 a`,
//! `rename a => b (97%)`.

use super::seen::look;
use super::{Case, Judged, Reason};
use crate::rule::claim::Kind;
use crate::rule::evidence::names;
use crate::shell::Effect;
use crate::turn::Act;

/// The deed on a named file that a commit of this turn tells of.
pub(super) fn by_git(case: &Case<'_>) -> Option<Judged> {
    let files = case.files();
    let file = *files.first()?;
    let lower = case.text().to_lowercase();
    let moved = lower.contains("renam") || lower.contains("moved");
    let tells = |line: &str| {
        let line = line.trim();
        match case.claim.kind {
            Kind::Delete => told(line, "delete mode ").is_some_and(|path| names(file, path)),
            Kind::Create => told(line, "create mode ").is_some_and(|path| names(file, path)),
            Kind::Edit if moved => renames(line, &files),
            _ => false,
        }
    };
    let commits = |act: &Act| act.program == "git" && act.effect != Effect::Read;
    let place = look(case, |step| {
        step.acts.iter().any(commits) && step.text.as_str().lines().any(tells)
    })?;
    Some(Judged::supported(
        Reason::Direct,
        place,
        "git tells it here",
    ))
}

/// The path behind a head and the mode of the file.
fn told<'a>(line: &'a str, head: &str) -> Option<&'a str> {
    let (mode, path) = line.strip_prefix(head)?.split_once(' ')?;
    mode.bytes()
        .all(|byte| byte.is_ascii_digit())
        .then_some(path)
}

/// Whether a line tells that the first file was renamed, to the second where two are named.
fn renames(line: &str, files: &[&str]) -> bool {
    let last = |path: &str| path.rsplit('/').next().unwrap_or("").to_owned();
    let Some((from, to)) = line
        .strip_prefix("rename ")
        .and_then(|rest| rest.split_once(" => "))
    else {
        return false;
    };
    let (to, _) = to.rsplit_once(" (").unwrap_or((to, ""));
    // `src/{a.rs => b.rs}`
    let from = from.replace('{', "");
    let to = to.replace('}', "");
    let same = |own: &str, told: &str| last(own) == last(told);
    same(files[0], &from) && files.get(1).is_none_or(|other| same(other, &to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn git_tells_what_it_deleted_and_renamed() {
        assert_eq!(
            told("delete mode 100644 src/a.rs", "delete mode "),
            Some("src/a.rs")
        );
        assert!(renames(
            "rename src/{a.rs => b.rs} (97%)",
            &["src/a.rs", "b.rs"]
        ));
        assert!(!renames(
            "rename src/{a.rs => b.rs} (97%)",
            &["src/a.rs", "c.rs"]
        ));
        assert!(renames("rename a.rs => old/a.rs (100%)", &["a.rs"]));
    }
}
