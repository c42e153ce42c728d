//! What a claim is about, and whether an observation touches it.

<<<<<<< HEAD
use std::collections::{HashMap, HashSet};

use crate::rule::gate::python::identifiers;

/// Longer paths are compared by this many of their last components.
const COMPONENTS: usize = 32;

/// Identifiers and canonical paths. One matches another when one is the other, or its last
/// components.
#[derive(Debug, Default)]
pub(super) struct Surface<'a> {
    names: Vec<&'a str>,
    whole: HashMap<&'a str, u32>,
    /// Every run of last components, with whose it is.
    ends: HashMap<&'a str, Vec<u32>>,
=======
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
>>>>>>> h/bench2
}

impl<'a> Surface<'a> {
    /// Adds an identifier or a path and gives its number.
    pub(super) fn add(&mut self, identifier: &'a str) -> Option<u32> {
        let identifier = trim(identifier);
<<<<<<< HEAD
        if identifier.is_empty() {
            return None;
        }
        if let Some(id) = self.whole.get(identifier) {
            return Some(*id);
        }
        let id = u32::try_from(self.names.len()).ok()?;
        self.names.push(identifier);
        self.whole.insert(identifier, id);
        for end in ends(identifier) {
            self.ends.entry(end).or_default().push(id);
        }
        Some(id)
=======
        let name = last(identifier);
        if name.is_empty() {
            return;
        }
        let key = reversed(identifier);
        match self.by_name.get_mut(name) {
            Some(known) => known.insert(key),
            None => self.by_name.entry(name.to_owned()).or_default().insert(key),
        };
>>>>>>> h/bench2
    }

    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The number of an identifier that was added.
    pub(super) fn id(&self, identifier: &str) -> Option<u32> {
        self.whole.get(trim(identifier)).copied()
    }

    /// The identifier of a number.
    pub(super) fn name(&self, id: u32) -> &'a str {
        usize::try_from(id)
            .ok()
            .and_then(|id| self.names.get(id))
            .copied()
            .unwrap_or("")
    }

    /// Tells of each one that `candidate` matches; whether there is any.
    pub(super) fn matches(&self, candidate: &str, hit: &mut impl FnMut(u32)) -> bool {
        let candidate = trim(candidate);
        let name = candidate.rsplit('/').next().unwrap_or(candidate);
        if !self.ends.contains_key(name) {
            return false;
<<<<<<< HEAD
        }
        // `git diff` leads paths with `a/` and `b/`.
        let bare = candidate
            .strip_prefix("a/")
            .or_else(|| candidate.strip_prefix("b/"))
            .unwrap_or(candidate);
        let mut any = false;
        for id in self.ends.get(bare).into_iter().flatten() {
            hit(*id);
            any = true;
        }
        for end in ends(candidate).filter(|end| *end != bare) {
            if let Some(id) = self.whole.get(end) {
                hit(*id);
                any = true;
            }
=======
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
>>>>>>> h/bench2
        }
        any
    }

<<<<<<< HEAD
    /// Tells of each one that a text names; whether there is any. One pass.
    pub(super) fn scan(&self, text: &str, hit: &mut impl FnMut(u32)) -> bool {
        if self.is_empty() {
=======
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
>>>>>>> h/bench2
            return false;
        }
        let mut matched: HashSet<&str> = HashSet::new();
        let mut any = false;
        for candidate in identifiers(text) {
            let candidate = candidate.trim_end_matches('.');
            if !matched.contains(candidate) && self.matches(candidate, hit) {
                matched.insert(candidate);
                any = true;
            }
        }
        any
    }
}

<<<<<<< HEAD
=======
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

>>>>>>> h/bench2
fn trim(identifier: &str) -> &str {
    let mut identifier = identifier.trim_end_matches('/');
    while let Some(rest) = identifier.strip_prefix("./") {
        identifier = rest;
    }
    identifier
}

<<<<<<< HEAD
/// A path and each run of its last components, the longest first.
fn ends(path: &str) -> impl Iterator<Item = &str> {
    let cuts = path.bytes().filter(|byte| *byte == b'/').count();
    let inner = path
        .match_indices('/')
        .skip(cuts.saturating_sub(COMPONENTS))
        .filter_map(|(at, _)| path.get(at + 1..));
    core::iter::once(path)
        .chain(inner)
        .filter(|end| !end.is_empty())
=======
fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
>>>>>>> h/bench2
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
        let holds = |candidate: &str| surface.matches(candidate, &mut |_| {});
        for same in [
            "src/a.rs",
            "a.rs",
            "./src/a.rs",
            "b/src/a.rs",
            "/repo/src/a.rs",
        ] {
            assert!(holds(same), "{same}");
        }
        for other in ["c/a.rs", "ba.rs", "rs", "/other/repo/src/a.rs/b"] {
            assert!(!holds(other), "{other}");
        }
        let mut hits = Vec::new();
        assert!(surface.scan("fn parse_line() in src/a.rs.", &mut |id| hits.push(id)));
        assert_eq!(hits, [1, 0]);
        assert!(!surface.scan("nothing here", &mut |_| {}));
        assert_eq!(surface.name(1), "parse_line");
        assert_eq!(surface.id("/repo/src/a.rs"), Some(0));
    }

    #[test]
    fn a_name_claimed_alone_is_found_in_any_folder() {
        let mut surface = Surface::default();
        surface.add("a.rs");
        assert!(surface.matches("/deep/down/a.rs", &mut |_| {}));
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
