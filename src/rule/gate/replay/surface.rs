//! What a claim is about, and whether an observation touches it.

use std::collections::{BTreeMap, BTreeSet};

use crate::rule::gate::python::identifiers;

/// Identifiers in canonical form, found by their last component.
#[derive(Debug, Clone, Default)]
pub(super) struct Surface {
    by_name: BTreeMap<String, BTreeSet<String>>,
}

impl Surface {
    /// Adds an identifier or a canonical path.
    pub(super) fn add(&mut self, identifier: &str) {
        let identifier = trim(identifier);
        let name = last(identifier);
        if !name.is_empty() {
            let entry = self.by_name.entry(name.to_owned()).or_default();
            entry.insert(identifier.to_owned());
        }
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
        known
            .iter()
            .any(|own| is_suffix(own, candidate) || is_suffix(candidate, own))
    }

    /// Whether exactly this path is in it.
    pub(super) fn contains(&self, path: &str) -> bool {
        let path = trim(path);
        let known = self.by_name.get(last(path));
        known.is_some_and(|known| known.contains(path))
    }

    /// Takes out what a path or an identifier names.
    pub(super) fn remove(&mut self, candidate: &str) {
        let candidate = trim(candidate);
        let name = last(candidate);
        if let Some(known) = self.by_name.get_mut(name) {
            known.retain(|own| !is_suffix(own, candidate) && !is_suffix(candidate, own));
            if known.is_empty() {
                self.by_name.remove(name);
            }
        }
    }

    /// Its members that another surface holds, in order.
    pub(super) fn held_by(&self, other: &Self) -> Vec<String> {
        let same = other
            .by_name
            .keys()
            .filter_map(|name| self.by_name.get(name));
        let held = same.flatten().filter(|own| other.holds(own));
        held.cloned().collect()
    }

    /// Whether any identifier of a text is one of the surface.
    pub(super) fn touches(&self, text: &str) -> bool {
        if self.by_name.is_empty() {
            return false;
        }
        named(text).any(|candidate| self.holds(candidate))
    }
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

/// Whether `short` is `long` or its last components.
fn is_suffix(short: &str, long: &str) -> bool {
    long.strip_suffix(short)
        .is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

#[cfg(test)]
mod tests {
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
}
