//! `deedcheck capture` with trees and commands that mean no good: nothing leaks, nothing hangs,
//! nothing runs in place, and each thing has its reason.

mod apart;
mod hostile;
mod kept;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::cli::{Said, program};
use crate::schema::validator;

/// A spec of one task with some captures.
const SPEC: &str = r#"schema = "deedcheck/spec/1"
grammar = "g1"
[experiment]
id = "tides"
title = "Does the table help?"
[[arms]]
id = "with"
[[tasks]]
id = "count"
prompt = "How many checks are there?"
family = "claude"
opportunity = "organic"
dispatch = "file"
arms = ["with"]
[[tasks.checks]]
id = "count-checks"
kind = "int-fact"
params = { labels = ["checks"] }
key = { value = 2 }
extract = "none"
[readings]
attempt-rule = "completed-attempts"
"#;

/// The id of the run in the bindings.
pub(super) const RUN: &str = "tides-2031-05-a";

/// Two commands' worth of a spec's fields.
pub(super) const BOUNDS: &str = "seconds = 20\nbytes = 65536\n";

/// An experiment on a disk of its own: a tree, a home, a folder for temporary files.
pub(super) struct Scene {
    dir: tempfile::TempDir,
    base: String,
}

impl Scene {
    /// A scene whose tree has one committed file.
    pub(super) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        for folder in ["tree", "home", "temp", "work"] {
            fs::create_dir(dir.path().join(folder)).unwrap();
        }
        let mut scene = Self {
            dir,
            base: "0".repeat(40),
        };
        scene.write("table.txt", "merle 310\n");
        scene.git(&["init", "--quiet", "--initial-branch=main"]);
        scene.commit("Start the table");
        scene
    }

    pub(super) fn at(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    pub(super) fn tree(&self, path: &str) -> PathBuf {
        self.at("tree").join(path)
    }

    pub(super) fn write(&self, path: &str, text: &str) {
        let path = self.tree(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Writes a program.
    pub(super) fn program(&self, path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        crate::cli::executable(path, text);
    }

    /// Git in the tree, as its owner would run it.
    pub(super) fn git(&self, words: &[&str]) -> String {
        self.git_in(&self.at("tree"), words)
    }

    pub(super) fn git_in(&self, folder: &Path, words: &[&str]) -> String {
        let output = Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@example.org"])
            .args(words)
            .current_dir(folder)
            .env("HOME", self.at("home"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .expect("git is needed for the tests of captures");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "git {words:?}: {said}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Commits everything, which the tree's base then is.
    pub(super) fn commit(&mut self, subject: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--no-verify", "--message", subject]);
        self.base = self.git(&["rev-parse", "HEAD"]).trim().to_owned();
    }

    /// Seals a spec with some captures, and binds it.
    pub(super) fn bind(&self, captures: &str, conditions: &str) {
        for name in ["spec.toml", "spec.json", "launch.toml", "bindings.json"] {
            let _ = fs::remove_file(self.at("work").join(name));
        }
        fs::write(self.at("work/spec.toml"), format!("{SPEC}{captures}")).unwrap();
        let sealed = self.run("spec freeze spec.toml --out spec.json");
        assert_eq!((sealed.code, sealed.err.as_str()), (0, ""));
        let bytes = fs::read(self.at("work/spec.json")).unwrap();
        let spec: Value = serde_json::from_slice(&bytes).unwrap();
        let wrong = validator("spec.v1.schema.json").validate(&spec["spec"]);
        assert!(wrong.is_ok(), "{wrong:?}");
        let seal = sealed
            .out
            .lines()
            .find_map(|line| line.strip_prefix("seal "));
        let launch = format!(
            "schema = \"deedcheck/launch/1\"\nspec = \"{}\"\nrun = \"{RUN}\"\n\
             [arms.with]\ntree = \"../tree\"\nbase = \"{}\"\ninputs = []\n{conditions}\n\
             [[windows]]\nid = \"first\"\nsince = \"2031-05-04T09:00:00Z\"\nuntil = \"2031-05-04T12:00:00Z\"\n\
             [roots]\nanswers = \".\"\n",
            seal.unwrap(),
            self.base
        );
        fs::write(self.at("work/launch.toml"), launch).unwrap();
        let bound = self.run("bind --spec spec.json --launch launch.toml --out bindings.json");
        assert_eq!((bound.code, bound.err.as_str()), (0, ""));
    }

    /// The program with an operator's environment.
    pub(super) fn command(&self, words: &[&str]) -> Command {
        let mut command = program(&self.at("work"));
        command
            .args(words)
            .env("HOME", self.at("home"))
            .env("TMPDIR", self.at("temp"))
            .env("PATH", std::env::var_os("PATH").unwrap());
        command
    }

    pub(super) fn run(&self, line: &str) -> Said {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        said(&self.command(&words).output().unwrap())
    }

    /// Captures a phase and reads every file of it.
    pub(super) fn capture(&self, phase: &str, more: &str, out: &str) -> Kept {
        let said = self.run(&capture(phase, more, out));
        assert_eq!((said.code, said.err.as_str()), (0, ""), "{phase}");
        self.kept(out)
    }

    /// What was captured.
    pub(super) fn kept(&self, out: &str) -> Kept {
        let left = fs::read_dir(self.at("temp")).unwrap().count();
        assert_eq!(left, 0, "something was left of the workspace");
        let mut files = BTreeMap::new();
        for entry in fs::read_dir(self.at("work").join(out)).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            let bytes = fs::read(entry.path()).unwrap();
            if let Some(schema) = schema_of(&name) {
                let value: Value = serde_json::from_slice(&bytes).unwrap();
                let wrong = validator(schema).validate(&value);
                assert!(wrong.is_ok(), "{name}: {wrong:?}");
            }
            files.insert(name, bytes);
        }
        Kept(files)
    }
}

/// The published schema of a file.
fn schema_of(name: &str) -> Option<&'static str> {
    match name {
        "captures.json" => Some("captures.v1.schema.json"),
        "tree.json" => Some("captured-tree.v1.schema.json"),
        "processes.json" => Some("captured-processes.v1.schema.json"),
        name if name.starts_with("capture-") => Some("capture.v1.schema.json"),
        _ => None,
    }
}

/// The words of a capture.
pub(super) fn capture(phase: &str, more: &str, out: &str) -> String {
    let given = "--spec spec.json --bindings bindings.json";
    format!("capture {given} --phase {phase} --arm with {more} --out-private {out}")
}

pub(super) fn said(output: &Output) -> Said {
    Said {
        code: output.status.code().expect("the program is not killed"),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// The files of a phase.
pub(super) struct Kept(pub(super) BTreeMap<String, Vec<u8>>);

impl Kept {
    pub(super) fn json(&self, name: &str) -> Value {
        let bytes = self.0.get(name).unwrap_or_else(|| panic!("no {name}"));
        serde_json::from_slice(bytes).unwrap()
    }

    /// The run of a command.
    pub(super) fn row(&self, id: &str, condition: &str) -> Value {
        self.json(&format!("capture-{id}-{condition}.json"))
    }

    /// What a command printed under plain conditions.
    pub(super) fn printed(&self, id: &str) -> String {
        let row = self.row(id, "plain");
        row["stdout"].as_str().unwrap().to_owned()
    }
}

/// The table of one command in the tree, under plain conditions.
pub(super) fn in_tree(id: &str, argv: &[&str], more: &str) -> String {
    command(
        id,
        argv,
        &format!("place = \"tree\"\nconditions = [\"plain\"]\n{more}"),
    )
}

/// The table of one command.
pub(super) fn command(id: &str, argv: &[&str], more: &str) -> String {
    let argv = serde_json::to_string(argv).unwrap();
    let mut text =
        format!("[[captures]]\nid = \"{id}\"\nkind = \"command\"\nargv = {argv}\n{more}\n");
    for (name, line) in [
        ("seconds", BOUNDS),
        ("phases", "phases = [\"pre-arm\", \"post-arm\"]\n"),
        ("output", "output = \"merged\"\n"),
    ] {
        if !more.contains(&format!("{name} =")) {
            text.push_str(line);
        }
    }
    text
}

/// The ids of processes with a word in their command line.
pub(super) fn running(word: &str) -> Vec<String> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let named = processes.filter(|entry| {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(word)
    });
    named
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect()
}

/// Whether there is such a process.
pub(super) fn alive(word: &str) -> bool {
    !running(word).is_empty()
}

/// How long something takes, with what it gives.
pub(super) fn timed<T>(run: impl FnOnce() -> T) -> (T, Duration) {
    let begun = Instant::now();
    let given = run();
    (given, begun.elapsed())
}
