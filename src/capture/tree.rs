//! How an arm's tree differs from the commit that it was at, or from the capture before the arm.

use std::collections::BTreeMap;

use super::error::CaptureError;
use super::repository::Repository;
use super::store::{Entry, Listed, TreeRecord};
use super::take::Taking;
use super::walk::{self, bytes_of, spelled, told};
use crate::spec::sha256;

/// The most that is kept of one file.
const MOST: u64 = 64 << 20;

/// Files by the names that they are kept under.
type Files = Vec<(String, Vec<u8>)>;
/// The entries of a tree by their paths, each as its kind and digest.
type List = BTreeMap<String, (String, Option<String>)>;

/// How the tree stands, and the bytes of the files that are kept, by the names that they get.
pub(super) fn record(
    taking: &Taking<'_>,
    keep: &[String],
) -> Result<(TreeRecord, Files), CaptureError> {
    let missing = CaptureError::new("--arm", "missing");
    let arm = taking.request.arm.as_ref().ok_or(missing.clone())?;
    let home = taking.tree.as_deref().ok_or(missing)?;
    let (tree, stance, state) = taking.look(None)?;
    let list = listed(&tree.entries);
    // What a command of this phase changed is not laid at the arm's door.
    let moved = taking.state.as_ref().is_some_and(|own| *own != state);
    let (against, other) = match moved {
        true => ("nothing", None),
        false => against(taking)?,
    };
    let mut kept = BTreeMap::new();
    let mut files = Vec::new();
    for path in keep {
        // A file whose folder became a link, or that changed meanwhile, is not what was listed.
        let digest = list.get(path).and_then(|(_, digest)| digest.as_ref());
        let bytes = bytes_of(&home.join(path), MOST).filter(|bytes| {
            let own = sha256(bytes);
            digest.is_some_and(|digest| *digest == own)
        });
        if let (Some(bytes), Some(digest)) = (bytes, digest) {
            let name = format!("bytes-{digest}");
            kept.insert(path.clone(), name.clone());
            files.push((name, bytes));
        }
    }
    let entries = match &other {
        Some(other) => differences(other, &list),
        None => Vec::new(),
    };
    let record = TreeRecord {
        observed: arm.named.clone(),
        base: arm.base.clone(),
        head: stance.head,
        state,
        unreadable: unread(&list),
        against: against.to_owned(),
        entries,
        list: list
            .into_iter()
            .map(|(path, (kind, sha256))| Listed { path, kind, sha256 })
            .collect(),
        kept,
    };
    Ok((record, files))
}

fn listed(entries: &BTreeMap<Vec<u8>, walk::Entry>) -> List {
    let row = |(path, entry): (&Vec<u8>, &walk::Entry)| {
        let (kind, digest) = told(entry);
        (spelled(path), (kind.to_owned(), digest))
    };
    entries.iter().map(row).collect()
}

/// What the tree is held against.
fn against(taking: &Taking<'_>) -> Result<(&'static str, Option<List>), CaptureError> {
    let before = taking.request.before;
    if let Some(before) = before.and_then(|before| before.tree.as_ref()) {
        let row = |row: &Listed| (row.path.clone(), (row.kind.clone(), row.sha256.clone()));
        return Ok(("before", Some(before.list.iter().map(row).collect())));
    }
    let repository = taking.tree.as_deref().and_then(Repository::of);
    let arm = taking.request.arm.as_ref();
    if let (Some(git), Some(repository), Some(arm)) = (&taking.git, repository, arm) {
        let at = taking.workspace.place()?.join("git");
        let entries = repository.entries(&arm.base, &at, git);
        walk::remove(&at);
        if let Some(entries) = entries? {
            return Ok(("base", Some(listed(&entries))));
        }
    }
    Ok(("nothing", None))
}

/// Whether a kind is that of what was not looked into.
fn is_unread(kind: &str) -> bool {
    matches!(kind, "unreadable" | "deep")
}

/// How many entries were not looked into.
fn unread(list: &List) -> u64 {
    let unread = list.values().filter(|(kind, _)| is_unread(kind)).count();
    u64::try_from(unread).unwrap_or(u64::MAX)
}

/// Whether a path lies in a folder of a list that was not looked into.
fn lies_unread(path: &str, list: &List) -> bool {
    let above = path.match_indices('/').map(|(at, _)| &path[..=at]);
    let mut told = above.filter_map(|folder| list.get(folder));
    told.any(|(kind, _)| is_unread(kind))
}

fn differences(old: &List, new: &List) -> Vec<Entry> {
    let file = |kind: &str| matches!(kind, "file" | "program");
    let mut all = BTreeMap::new();
    for (path, (kind, digest)) in new {
        let status = match old.get(path) {
            _ if is_unread(kind) => "?",
            Some((own, _)) if is_unread(own) => "?",
            None if lies_unread(path, old) => "?",
            _ if kind == "cache" && !old.contains_key(path) => "!!",
            None => "??",
            Some((own, other)) if own == kind && other == digest => continue,
            Some((own, _)) if own == kind || file(own) && file(kind) => "M",
            Some(_) => "T",
        };
        let sha256 = digest.clone().filter(|_| file(kind) && status != "?");
        all.insert(path, (status, sha256));
    }
    for (path, (kind, _)) in old.iter().filter(|(path, _)| !new.contains_key(*path)) {
        // A folder that is looked into now is told by what lies in it.
        let status = match is_unread(kind) || lies_unread(path, new) {
            true => "?",
            false => "D",
        };
        all.insert(path, (status, None));
    }
    let entry = |(path, (status, sha256)): (&String, (&str, Option<String>))| Entry {
        path: path.clone(),
        status: status.to_owned(),
        sha256,
    };
    all.into_iter().map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(rows: &[(&str, &str, &str)]) -> List {
        let row = |(path, kind, digest): &(&str, &str, &str)| {
            let digest = (!digest.is_empty()).then(|| (*digest).to_owned());
            ((*path).to_owned(), ((*kind).to_owned(), digest))
        };
        rows.iter().map(row).collect()
    }

    #[test]
    fn each_difference_has_its_letter() {
        let old = list(&[
            ("a", "file", "1"),
            ("b", "file", "1"),
            ("c", "file", "1"),
            ("d", "file", "1"),
            ("e", "file", "1"),
            ("old/", "cache", ""),
        ]);
        let new = list(&[
            ("a", "file", "1"),
            ("b", "file", "2"),
            ("c", "program", "1"),
            ("d", "link", "1"),
            ("f", "file", "3"),
            ("old/", "cache", ""),
            ("pipe", "fifo", ""),
            ("x/__pycache__/", "cache", ""),
        ]);
        let told: Vec<String> = differences(&old, &new)
            .iter()
            .map(|one| {
                format!(
                    "{} {} {}",
                    one.status,
                    one.path,
                    one.sha256.as_deref().unwrap_or("-")
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                "M b 2",
                "M c 1",
                "T d -",
                "D e -",
                "?? f 3",
                "?? pipe -",
                "!! x/__pycache__/ -"
            ]
        );
    }

    #[test]
    fn what_lies_in_a_folder_that_nobody_can_read_is_not_gone() {
        let whole = list(&[
            ("a", "file", "1"),
            ("d/b", "file", "2"),
            ("d/e/c", "link", "3"),
            ("dd", "file", "4"),
        ]);
        let shut = list(&[("a", "unreadable", ""), ("d/", "unreadable", "")]);
        let told = |old: &List, new: &List| -> Vec<String> {
            let all = differences(old, new).into_iter();
            all.map(|one| {
                assert!(one.status != "?" || one.sha256.is_none());
                format!("{} {}", one.status, one.path)
            })
            .collect()
        };
        let lost = ["? a", "? d/", "? d/b", "? d/e/c"];
        assert_eq!(told(&whole, &shut), [&lost[..], &["D dd"]].concat());
        assert_eq!(told(&shut, &whole), [&lost[..], &["?? dd"]].concat());
        // What was shut all along may have changed as well.
        assert_eq!(told(&shut, &shut), ["? a", "? d/"]);
        assert_eq!((unread(&whole), unread(&shut)), (0, 2));
    }

    #[test]
    fn two_paths_are_never_one_text() {
        let all: [&[u8]; 6] = [
            b"a\nb",
            b"a\\x0ab",
            b"a\\nb",
            b"\xff",
            b"\\xff",
            "\u{ff}".as_bytes(),
        ];
        let texts: std::collections::BTreeSet<String> = all.iter().map(|p| spelled(p)).collect();
        assert_eq!(texts.len(), all.len(), "{texts:?}");
        assert_eq!(spelled("src/größe a.py".as_bytes()), "src/größe a.py");
    }
}
