//! Early exits of what gives verdicts: each belongs to a guard, or `tests/it/early.txt` says why to none.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Folders of `src/rule` whose functions give verdicts.
const FOLDERS: [&str; 3] = ["gate/replay", "claim/judge", "integrity"];

/// Types that hold a verdict, or what is on its way to one.
const VERDICTS: [&str; 9] = [
    "Judged",
    "Decision",
    "Finding",
    "Answer",
    "Sketch",
    "Checked",
    "Written",
    "Off",
    "GateVerdict",
];

/// A function as its text shows it.
struct Function {
    name: String,
    returns: String,
    body: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// The functions of a file that rustfmt laid out: each ends with a brace as far in as it began.
fn functions(text: &str) -> Vec<Function> {
    let text = text.split("#[cfg(test)]").next().unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let bare = line.trim_start();
        let Some((before, rest)) = bare.split_once("fn ") else {
            continue;
        };
        let plain = before
            .split(' ')
            .all(|word| word.is_empty() || word == "const" || word.starts_with("pub"));
        if !plain && !before.starts_with("pub(") {
            continue;
        }
        let indent = &line[..line.len() - bare.len()];
        let end = lines[at..]
            .iter()
            .position(|line| line.strip_prefix(indent) == Some("}"));
        let Some(end) = end else { continue };
        let whole = lines[at..=at + end].join("\n");
        let (head, body) = whole.split_once("{\n").unwrap_or((&whole, ""));
        let returns = head.split_once("->").map_or("", |(_, returns)| returns);
        let name = rest
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .next()
            .unwrap();
        found.push(Function {
            name: name.to_owned(),
            returns: returns.trim().to_owned(),
            body: body.to_owned(),
        });
    }
    found
}

impl Function {
    fn gives_a_verdict(&self) -> bool {
        let mut words = self.returns.split(|c: char| !c.is_alphanumeric());
        words.any(|word| VERDICTS.contains(&word))
    }

    fn ends_early(&self) -> bool {
        let code: Vec<&str> = self
            .body
            .lines()
            .map(|line| line.split("// ").next().unwrap())
            .collect();
        let code = code.join("\n");
        [
            "return",
            "?;",
            "?.",
            "?)",
            "else { continue",
            "else { return",
        ]
        .iter()
        .any(|exit| code.contains(exit))
    }

    fn asks_a_guard(&self) -> bool {
        self.body.contains("Guard::")
    }
}

/// `file: function` of every function that gives a verdict, ends early and asks no guard.
fn unguarded() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for folder in FOLDERS {
        let mut files: Vec<PathBuf> = std::fs::read_dir(root().join("src/rule").join(folder))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|ending| ending == "rs"))
            .filter(|path| !path.ends_with("tests.rs"))
            .collect();
        files.sort();
        assert!(files.len() > 5, "{folder}");
        for path in files {
            let text = std::fs::read_to_string(&path).unwrap();
            let name = path.file_name().unwrap().to_str().unwrap();
            for function in functions(&text) {
                if function.gives_a_verdict() && function.ends_early() && !function.asks_a_guard() {
                    found.insert(format!("{folder}/{name}: {}", function.name));
                }
            }
        }
    }
    found
}

#[test]
fn an_early_exit_belongs_to_a_guard_or_says_why_not() {
    let list = std::fs::read_to_string(root().join("tests/it/early.txt")).unwrap();
    let mut listed = BTreeSet::new();
    for line in list.lines().filter(|line| !line.starts_with('#')) {
        let (function, why) = line.rsplit_once(": ").unwrap();
        assert!(why.len() > 10, "{line}: no reason");
        assert!(listed.insert(function.to_owned()), "{line}: twice");
    }
    let found = unguarded();
    let new: Vec<_> = found.difference(&listed).collect();
    let gone: Vec<_> = listed.difference(&found).collect();
    assert!(
        new.is_empty() && gone.is_empty(),
        "neither guarded nor listed: {new:#?}; listed and not there: {gone:#?}"
    );
}

#[test]
fn functions_are_read_as_they_stand() {
    let text = "impl A {\n    pub(super) fn one(&self) -> Option<Judged> {\n        let x = y?;\n        None\n    }\n}\n\
                fn two(\n    a: u8,\n) -> bool {\n    if a > 1 {\n        return true;\n    }\n    false\n}\n\
                fn three() -> Judged {\n    if case.on(Guard::Count) {\n        return a;\n    }\n    b\n}\n";
    let read = functions(text);
    let names: Vec<&str> = read.iter().map(|own| own.name.as_str()).collect();
    assert_eq!(names, ["one", "two", "three"]);
    let told: Vec<_> = read
        .iter()
        .map(|own| (own.gives_a_verdict(), own.ends_early(), own.asks_a_guard()))
        .collect();
    assert_eq!(
        told,
        [
            (true, true, false),
            (false, true, false),
            (true, true, true)
        ]
    );
}
