//! Which facts a name of a close is about.

use std::collections::HashMap;

use crate::transcript::key_of;

/// Facts that one look-up goes through at most, the latest first: more of them share one last
/// component only where something makes files by the thousand.
const TRIED: usize = 4096;

/// Whether a path is what an identifier of a close names: equal, one the last components of the
/// other, or whole components within it.
#[must_use]
pub fn names(identifier: &str, path: &str) -> bool {
    let identifier = trimmed(identifier);
    let short = |short: &str, long: &str| {
        long.strip_suffix(short)
            .is_some_and(|before| before.is_empty() || before.ends_with('/'))
    };
    let within = || {
        path.match_indices(identifier).any(|(at, found)| {
            path[..at].ends_with('/') && path[at + found.len()..].starts_with('/')
        })
    };
    !identifier.is_empty()
        && !path.is_empty()
        && (short(identifier, path) || short(path, identifier) || within())
}

fn trimmed(identifier: &str) -> &str {
    identifier.trim_start_matches("./").trim_end_matches('/')
}

/// Places in a list of facts by the components of their paths.
#[derive(Debug, Clone, Default)]
pub(super) struct Index(HashMap<u64, Vec<u32>>);

impl Index {
    /// Notes that the fact of this number has this path.
    pub(super) fn note(&mut self, number: usize, path: &str) {
        let Ok(number) = u32::try_from(number) else {
            return;
        };
        for part in path.split('/').filter(|part| !part.is_empty()) {
            let held = self.0.entry(key_of(&[part])).or_default();
            if held.last() != Some(&number) {
                held.push(number);
            }
        }
    }

    /// The facts that may be what an identifier names, the latest first.
    pub(super) fn of(&self, identifier: &str) -> impl Iterator<Item = usize> + '_ {
        let name = trimmed(identifier);
        let last = name.rsplit('/').next().unwrap_or(name);
        let held = self.0.get(&key_of(&[last]));
        held.into_iter()
            .flat_map(|held| held.iter().rev())
            .take(TRIED)
            .map(|number| *number as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_fits_whole_components_only() {
        assert!(names("src/a.rs", "/r/src/a.rs"));
        assert!(names("/x/r/src/a.rs", "src/a.rs"));
        assert!(names("packages/web", "/r/packages/web/src/a.rs"));
        assert!(!names("a.rs", "/r/src/ba.rs"));
        assert!(!names("pack", "/r/packages/web/a.rs"));
        let mut index = Index::default();
        index.note(0, "/r/src/a.rs");
        index.note(1, "/r/lib/a.rs");
        let found: Vec<usize> = index.of("./src/a.rs").collect();
        assert_eq!(found, [1, 0]);
    }
}
