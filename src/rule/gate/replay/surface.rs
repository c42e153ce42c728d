//! What a claim is about, and whether an observation touches it.

use std::collections::{HashMap, HashSet};

use crate::rule::gate::python::identifiers;
use crate::text::Prose;

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
}

impl<'a> Surface<'a> {
    /// Adds an identifier or a path and gives its number.
    pub(super) fn add(&mut self, identifier: &'a str) -> Option<u32> {
        let identifier = trim(identifier);
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
        }
        any
    }

    /// Tells of each one that a text names; whether there is any. One pass.
    pub(super) fn scan(&self, text: &str, hit: &mut impl FnMut(u32)) -> bool {
        if self.is_empty() {
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

fn trim(identifier: &str) -> &str {
    let mut identifier = identifier.trim_end_matches('/');
    while let Some(rest) = identifier.strip_prefix("./") {
        identifier = rest;
    }
    identifier
}

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
}

/// Whether a close names a file: a path, or a name with an ending.
pub(super) fn names_file(prose: &Prose<'_>) -> bool {
    crate::text::identifiers(prose).iter().any(|ident| {
        let (stem, ending) = ident.text.rsplit_once('.').unwrap_or((ident.text, ""));
        let named = !stem.is_empty()
            && (1..=5).contains(&ending.len())
            && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && ending.bytes().any(|byte| byte.is_ascii_alphabetic());
        named && !ident.text.contains(' ')
    })
}

#[cfg(test)]
mod tests {
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
}
