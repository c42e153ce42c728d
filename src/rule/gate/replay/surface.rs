//! What a claim is about, and whether an observation touches it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound::{Included, Unbounded};

use crate::rule::gate::python::identifiers;

/// Identifiers in canonical form, found by their last component.
///
/// A session may change thousands of files of one name, so no look-up walks over those of a name:
/// members stand with their components reversed, where a common suffix is a common prefix.
#[derive(Debug, Clone, Default)]
pub(super) struct Surface {
    by_name: BTreeMap<String, BTreeSet<String>>,
}

impl Surface {
    /// Adds an identifier or a canonical path.
    pub(super) fn add(&mut self, identifier: &str) {
        let identifier = trim(identifier);
        let name = last(identifier);
        if name.is_empty() {
            return;
        }
        let key = reversed(identifier);
        match self.by_name.get_mut(name) {
            Some(known) => known.insert(key),
            None => self.by_name.entry(name.to_owned()).or_default().insert(key),
        };
    }

    pub(super) fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    /// Whether a path or an identifier is one of the surface: equal, or one a suffix of the other
    /// at a `/`.
    pub(super) fn holds(&self, candidate: &str) -> bool {
        let candidate = trim(candidate);
        let Some(known) = self.by_name.get(last(candidate)) else {
            return false;
        };
        let key = reversed(candidate);
        longer(known, &key).is_some() || shorter(&key).any(|own| known.contains(own))
    }

    /// Whether exactly this path is in it.
    pub(super) fn contains(&self, path: &str) -> bool {
        let path = trim(path);
        let known = self.by_name.get(last(path));
        known.is_some_and(|known| known.contains(&reversed(path)))
    }

    /// Takes out what a path or an identifier names.
    pub(super) fn remove(&mut self, candidate: &str) {
        let candidate = trim(candidate);
        let name = last(candidate);
        let Some(known) = self.by_name.get_mut(name) else {
            return;
        };
        let key = reversed(candidate);
        while let Some(own) = longer(known, &key).map(str::to_owned) {
            known.remove(&own);
        }
        for own in shorter(&key) {
            known.remove(own);
        }
        if known.is_empty() {
            self.by_name.remove(name);
        }
    }

    /// Adds those members of another surface that are suffixes of its own members.
    ///
    /// The longer ones need no adding: whatever they would hold is held already.
    pub(super) fn widen(&mut self, other: &Self) {
        for (name, known) in &mut self.by_name {
            let Some(theirs) = other.by_name.get(name) else {
                continue;
            };
            let suffixes = known.iter().flat_map(|own| shorter(own));
            let found: Vec<String> = suffixes
                .filter(|key| theirs.contains(*key))
                .map(str::to_owned)
                .collect();
            known.extend(found);
        }
    }

    /// Whether any identifier of a text is one of the surface.
    pub(super) fn touches(&self, text: &str) -> bool {
        if self.by_name.is_empty() {
            return false;
        }
        named(text).any(|candidate| self.holds(candidate))
    }
}

/// The components from the last to the first, a `/` after each.
fn reversed(path: &str) -> String {
    let mut key = String::with_capacity(path.len() + 1);
    for part in path.rsplit('/') {
        key.push_str(part);
        key.push('/');
    }
    key
}

/// A member that is the key or has it for its last components.
fn longer<'k>(known: &'k BTreeSet<String>, key: &str) -> Option<&'k str> {
    let own = known.range::<str, _>((Included(key), Unbounded)).next()?;
    own.starts_with(key).then_some(own)
}

/// The keys of the shorter suffixes.
fn shorter(key: &str) -> impl Iterator<Item = &str> {
    let whole = key.len();
    key.match_indices('/')
        .map(|(at, _)| at + 1)
        .filter(move |end| *end < whole)
        .map(|end| &key[..end])
}

/// The identifiers of a text, without the full stop that ends a sentence.
pub(super) fn named(text: &str) -> impl Iterator<Item = &str> {
    identifiers(text).map(|candidate| candidate.trim_end_matches('.'))
}

fn trim(identifier: &str) -> &str {
    let mut identifier = identifier.trim_end_matches('/');
    while let Some(rest) = identifier.strip_prefix("./") {
        identifier = rest;
    }
    identifier
}

fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn paths_match_by_whole_components() {
        let mut surface = Surface::default();
        surface.add("/repo/src/a.rs");
        surface.add("parse_line");
        assert!(surface.holds("src/a.rs"));
        assert!(surface.holds("a.rs"));
        assert!(surface.holds("./src/a.rs"));
        assert!(!surface.holds("c/a.rs"));
        assert!(!surface.holds("ba.rs"));
        assert!(surface.touches("fn parse_line() in src/b.rs."));
        assert!(surface.touches("see src/a.rs."));
        assert!(!surface.touches("nothing here"));
    }

    /// What the index answers, by the rule as it is stated.
    fn plainly(members: &[String], candidate: &str) -> bool {
        let suffix = |short: &str, long: &str| {
            long.strip_suffix(short)
                .is_some_and(|before| before.is_empty() || before.ends_with('/'))
        };
        let candidate = trim(candidate);
        members.iter().map(|own| trim(own)).any(|own| {
            !last(own).is_empty()
                && last(own) == last(candidate)
                && (suffix(own, candidate) || suffix(candidate, own))
        })
    }

    proptest! {
        #[test]
        fn the_index_answers_as_the_rule_says(
            members in prop::collection::vec("(\\./)?/?([ab]/){0,3}[ab]?/?", 0..6),
            changed in prop::collection::vec("/?([ab]/){0,3}[ab]", 0..6),
            candidate in "(\\./)?/?([ab]/){0,4}[ab]?/?",
        ) {
            let mut surface = Surface::default();
            members.iter().for_each(|own| surface.add(own));
            prop_assert_eq!(surface.holds(&candidate), plainly(&members, &candidate));

            let mut known = Surface::default();
            changed.iter().for_each(|path| known.add(path));
            let mut all = members.clone();
            all.extend(changed.iter().filter(|path| plainly(&members, path)).cloned());
            let mut wide = surface.clone();
            wide.widen(&known);
            prop_assert_eq!(wide.holds(&candidate), plainly(&all, &candidate));

            known.remove(&candidate);
            for path in &changed {
                let gone = plainly(std::slice::from_ref(path), &candidate);
                prop_assert_eq!(known.contains(path), !gone);
            }
        }
    }
}
