//! What differed in a tree before a run began, and what a check may then still say.

use super::super::verdict::{Component, Status};
use super::model::Entry;

/// What a check comes to whose key was taken from folders of a shared tree: where one of them differed from its base before
/// the run, the run saw something else than the key, and a fail says nothing of it. Anything else stands.
#[must_use]
pub fn settle_drift(told: Component, scope: &[String], entries: &[Entry<'_>]) -> Component {
    let drifted = |entry: &Entry<'_>| {
        let paths = [Some(&entry.path), entry.from.as_ref()];
        let mut paths = paths.into_iter().flatten();
        paths.any(|path| !is_bytecode(path) && scope.iter().any(|own| touches(own, path)))
    };
    match told.status == Status::Fail && entries.iter().any(drifted) {
        true => Component::unknown("tree-drift"),
        false => told,
    }
}

/// Whether a path lies in a folder, or is a folder around it that is told as a whole.
fn touches(folder: &str, path: &str) -> bool {
    let (folder, bare) = (folder.trim_end_matches('/'), path.trim_end_matches('/'));
    let within = |inner: &str, outer: &str| {
        let rest = inner.strip_prefix(outer);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    within(bare, folder) || bare.len() < path.len() && within(folder, bare)
}

/// Whether a path is what an interpreter leaves behind of its own accord.
fn is_bytecode(path: &str) -> bool {
    let mut parts = path.split('/');
    path.ends_with(".pyc") || path.ends_with(".pyo") || parts.any(|part| part == "__pycache__")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_fail_of_a_folder_that_drifted_is_unknown() {
        let scope = ["scripts".to_owned(), "tests/unit".to_owned()];
        let entry = |path: &str, from: Option<&str>| Entry {
            path: path.to_owned().into(),
            status: "??".into(),
            sha256: None,
            from: from.map(|from| from.to_owned().into()),
        };
        let said = |told: Component, path: &str, from: Option<&str>| {
            let told = settle_drift(told, &scope, &[entry(path, from)]);
            (
                told.status,
                told.failing.len(),
                told.unknown.into_iter().next(),
            )
        };
        let drift = (Status::Unknown, 0, Some("tree-drift".to_owned()));
        let stands = (Status::Fail, 1, None);
        let fail = || Component::fail("count");
        for path in [
            "scripts/a.py",
            "scripts",
            "scripts/",
            "tests/unit/b",
            "tests/",
        ] {
            assert_eq!(said(fail(), path, None), drift, "{path}");
        }
        assert_eq!(said(fail(), "docs/a", Some("scripts/a")), drift);
        for path in [
            "README.md",
            "scripts2/a.py",
            "tests/other",
            "tests",
            "src/scripts/a.py",
            "scripts/__pycache__/a.cpython-312.pyc",
            "scripts/__pycache__/",
            "scripts/a.pyo",
        ] {
            assert_eq!(said(fail(), path, None), stands, "{path}");
        }
        let pass = said(Component::pass(), "scripts/a.py", None);
        assert_eq!(pass, (Status::Pass, 0, None));
        let unknown = said(Component::unknown("unparsed"), "scripts/a.py", None);
        assert_eq!(unknown.2, Some("unparsed".to_owned()));
        let none = settle_drift(fail(), &[], &[entry("scripts/a.py", None)]);
        assert_eq!(none.status, Status::Fail);
    }
}
