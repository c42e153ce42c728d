//! Which deeds of a turn a check means.

use super::super::check::ParamError;
use super::super::deed::{DOMAINS, Deed, Deeds, EFFECTS, How, VERIFIES};
use super::super::guard::Guards;
use super::params::Params;

/// The most characters of a path pattern: matching takes its length times the path's.
const LONGEST: usize = 256;

/// Whether a deed is meant.
/// Why it is not known whether a path that was named on another machine, or in a container, is the one that is meant.
pub(super) const ANOTHER_MACHINE: &str = "another-machine";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Match {
    No,
    /// It is one of those meant, and somebody refused it.
    Refused,
    /// It is one of those meant, but was done and failed.
    Failed,
    /// It may be.
    Maybe(&'static str),
    Yes,
}

/// Deeds by what they do, what they touch and how they were typed. All that is told must hold.
#[derive(Debug)]
pub(super) struct Matcher {
    effects: Vec<&'static str>,
    domains: Vec<&'static str>,
    verifies: Vec<&'static str>,
    paths: Vec<Vec<char>>,
    access: &'static str,
    commands: Vec<Vec<String>>,
    /// Whether it is enough that it was run.
    any_outcome: bool,
}

fn words(
    params: &mut Params<'_>,
    name: &'static str,
    known: &[&'static str],
) -> Result<Vec<&'static str>, ParamError> {
    let mut out = Vec::new();
    for (index, text) in params.texts(name)?.into_iter().enumerate() {
        match known.iter().find(|word| **word == text) {
            Some(word) => out.push(*word),
            None => return Err(params.error(&format!("{name}.{index}"), "unknown-value")),
        }
    }
    Ok(out)
}

impl Matcher {
    /// A list of matchers; any of them will do.
    pub(super) fn list(
        params: &mut Params<'_>,
        name: &'static str,
    ) -> Result<Vec<Self>, ParamError> {
        let tables = params.table_or_tables(name)?;
        tables.into_iter().map(Self::read).collect()
    }

    fn read(mut params: Params<'_>) -> Result<Self, ParamError> {
        let mut paths = Vec::new();
        for (index, text) in params.texts("paths")?.into_iter().enumerate() {
            let pattern: Vec<char> = text.chars().collect();
            if pattern.len() > LONGEST {
                return Err(params.error(&format!("paths.{index}"), "too-long"));
            }
            paths.push(pattern);
        }
        let commands = params.texts("command")?.into_iter();
        let commands: Vec<Vec<String>> = commands
            .map(|text| text.split_whitespace().map(str::to_owned).collect())
            .collect();
        if let Some(index) = commands.iter().position(Vec::is_empty) {
            return Err(params.error(&format!("command.{index}"), "empty"));
        }
        let matcher = Self {
            effects: words(&mut params, "effect", &EFFECTS)?,
            domains: words(&mut params, "domain", &DOMAINS)?,
            verifies: words(&mut params, "verify", &VERIFIES)?,
            access: params.choice("access", &["write", "read", "any"])?,
            any_outcome: params.choice("outcome", &["ok", "any"])? == "any",
            paths,
            commands,
        };
        let lists = [&matcher.effects, &matcher.domains, &matcher.verifies];
        let empty = lists.iter().all(|list| list.is_empty())
            && matcher.paths.is_empty()
            && matcher.commands.is_empty();
        if empty {
            return Err(params.error("effect", "missing"));
        }
        params.finish()?;
        Ok(matcher)
    }

    fn means(&self, deed: &Deed, deeds: &Deeds) -> bool {
        let one_of = |list: &[&str], own: Option<&str>| {
            list.is_empty() || own.is_some_and(|own| list.contains(&own))
        };
        let touched = || {
            let writes = deed.writes.iter().filter(|_| self.access != "read");
            let reads = deed.reads.iter().filter(|_| self.access != "write");
            writes.chain(reads).any(|path| {
                let mut paths = self.paths.iter();
                paths.any(|glob| {
                    deeds.look((glob.len() + 1) * (path.len() + 1));
                    lies(glob, path, deeds.root.as_deref())
                })
            })
        };
        let typed = |prefix: &Vec<String>| {
            deeds.look(prefix.len());
            deed.words.starts_with(prefix)
        };
        deeds.look(1 + self.effects.len() + self.domains.len() + self.verifies.len());
        one_of(&self.effects, Some(deed.effect))
            && one_of(&self.domains, deed.domain)
            && one_of(&self.verifies, deed.verify)
            && (self.commands.is_empty() || self.commands.iter().any(typed))
            && (self.paths.is_empty() || touched())
    }

    /// Whether a deed is one of those meant, and was done.
    fn holds(&self, deed: &Deed, deeds: &Deeds, guards: Guards<'_>) -> Match {
        if !self.means(deed, deeds) {
            return Match::No;
        }
        let own = self.came_about(deed, guards);
        // Unless the domain is asked for, nobody knows whose file of that name was meant.
        let named = deed.domain.is_some_and(|own| self.domains.contains(&own));
        let there = deed.elsewhere && !self.paths.is_empty() && !named;
        match own {
            Match::Yes if guards.hold(ANOTHER_MACHINE, there) => Match::Maybe(ANOTHER_MACHINE),
            own => own,
        }
    }

    fn came_about(&self, deed: &Deed, guards: Guards<'_>) -> Match {
        match deed.how {
            How::Refused if guards.on("refused-is-not-done") => Match::Refused,
            How::Never if guards.on("refused-is-not-done") => Match::No,
            How::Failed if self.any_outcome || !guards.on("failed-is-not-done") => Match::Yes,
            How::Failed => Match::Failed,
            How::Unsure { ran: true, .. } if self.any_outcome => Match::Yes,
            How::Unsure { reason, .. } if guards.on("hidden-outcome") => Match::Maybe(reason),
            How::Ok | How::Never | How::Refused | How::Unsure { .. } => Match::Yes,
        }
    }
}

/// What the best of several matchers says of a deed.
pub(super) fn best(all: &[Matcher], deed: &Deed, deeds: &Deeds, guards: Guards<'_>) -> Match {
    let rank = |own: &Match| match own {
        Match::No => 0,
        Match::Refused => 1,
        Match::Failed => 2,
        Match::Maybe(_) => 3,
        Match::Yes => 4,
    };
    let all = all.iter().map(|own| own.holds(deed, deeds, guards));
    all.max_by_key(rank).unwrap_or(Match::No)
}

/// Whether a path lies where a pattern says. A relative pattern is held against what lies below the
/// session's own folder.
fn lies(glob: &[char], path: &str, root: Option<&str>) -> bool {
    let absolute = matches!(glob, ['/' | '~', ..] | [_, ':', ..]);
    let below = root
        .and_then(|root| path.strip_prefix(root))
        .and_then(|rest| rest.strip_prefix('/'));
    let path = match below {
        Some(below) if !absolute => below,
        _ if !absolute && (path.starts_with('/') || path.starts_with('~')) => return false,
        _ => path,
    };
    let path: Vec<char> = path.chars().collect();
    // What is done to a folder is done to what lies in it.
    let folder = glob.strip_suffix(&['/', '*', '*']);
    matches(glob, &path) || folder.is_some_and(|folder| matches(folder, &path))
}

/// `*` and `?` stay within one part of a path, `**` does not. One row of the table at a time, so
/// that no pattern makes it look back.
fn matches(glob: &[char], path: &[char]) -> bool {
    let mut row = vec![false; path.len() + 1];
    row[0] = true;
    let mut at = 0;
    while at < glob.len() {
        let deep = glob[at..].starts_with(&['*', '*']);
        let mut next = vec![false; path.len() + 1];
        if deep || glob[at] == '*' {
            // `**/` stands for no folder as well.
            let slash = deep && glob.get(at + 2) == Some(&'/');
            let mut open = false;
            for end in 0..=path.len() {
                open = (open && (deep || path[end - 1] != '/')) || row[end];
                next[end] = match slash {
                    true => row[end] || open && end > 0 && path[end - 1] == '/',
                    false => open,
                };
            }
            at += 1 + usize::from(deep) + usize::from(slash);
        } else {
            for end in 1..=path.len() {
                let own = path[end - 1];
                next[end] = row[end - 1] && (glob[at] == own || glob[at] == '?' && own != '/');
            }
            at += 1;
        }
        row = next;
    }
    row[path.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_keep_to_the_parts_of_a_path() {
        let held = |glob: &str, path: &str| {
            let glob: Vec<char> = glob.chars().collect();
            lies(&glob, path, Some("/repo"))
        };
        for (glob, path) in [
            ("src/**", "/repo/src/a.rs"),
            ("src/**", "/repo/src/a/b.rs"),
            ("src/**", "/repo/src"),
            ("src/*.rs", "/repo/src/a.rs"),
            ("**/*.rs", "/repo/a.rs"),
            ("**/*.rs", "/repo/x/y/a.rs"),
            ("a?c", "/repo/abc"),
            ("/etc/**", "/etc/x/y"),
            ("src/**", "src/a.rs"),
            ("**", "/repo/x"),
            ("**/tests/**", "/repo/tests/a"),
        ] {
            assert!(held(glob, path), "{glob} {path}");
        }
        for (glob, path) in [
            ("src/**", "/repo/other/src/a.rs"),
            ("src/**", "/repo/srcs/a.rs"),
            ("src/*.rs", "/repo/src/a/b.rs"),
            ("src/**", "/elsewhere/src/a.rs"),
            ("**/*.rs", "/elsewhere/a.rs"),
            ("a?c", "/repo/a/c"),
            ("/etc/**", "/repo/etc/x"),
            ("", "/repo/x"),
        ] {
            assert!(!held(glob, path), "{glob} {path}");
        }
        let stars: Vec<char> = "*a".repeat(120).chars().collect();
        let path: Vec<char> = "a".repeat(4000).chars().collect();
        assert!(matches(&stars, &path));
    }
}
