//! Checks of what a run left behind, from a transcript and from captures to rows, and again from what was kept.

use std::path::{Path, PathBuf};

use deedcheck::spec::sha256;
use serde_json::{Value, json};

use crate::cli::run;
use crate::regression::record;

const SPEC: &str = r#"schema = "deedcheck/spec/1"
grammar = "g1"
[experiment]
id = "evidence"
title = "What a run leaves behind"
[[arms]]
id = "with"
[[tasks]]
id = "find"
prompt = "Find merle."
family = "claude"
opportunity = "organic"
dispatch = "main"
arms = ["with"]
[[tasks.checks]]
id = "lane"
kind = "lane-use"
extract = "none"
params = { lane = "tidegrep", predicates = [{ program = "tidegrep" }], shells = [{ tool = "Bash", field = "command" }] }
[[tasks.checks]]
id = "recall"
kind = "call-evidence"
extract = "none"
params = { mode = "record", predicates = [{ server = "logbook", tool = "search" }] }
key = { value = { records = [{ path = "decisions/datum.md" }] } }
[[tasks.checks]]
id = "other-lane"
kind = "lane-use"
extract = "none"
params = { lane = "logbook", predicates = [{ server = "harbourlog" }], reason = "unused" }
[[tasks.checks]]
id = "accepted"
kind = "recorded-run"
extract = "none"
params = { command = "accept", argv = ["accept"], last-line = "ACCEPTED 12" }
[[tasks.checks]]
id = "size"
kind = "representation-size"
extract = "none"
params = { of = "transcript" }
[readings]
attempt-rule = "completed-attempts"
answer = "close"
url-match = "exact-url"
recovery-not-shown = "fail"
"#;

pub(crate) fn called(number: u32, name: &str, input: &Value, result: &str) -> [Value; 2] {
    let id = format!("toolu_{number}");
    let message = json!({
        "id": format!("msg_{number}"), "role": "assistant", "type": "message", "model": "m",
        "content": [{"type": "tool_use", "id": id, "name": name, "input": input}]
    });
    let result = json!({"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": id, "content": result, "is_error": false}]});
    [
        record(number, "assistant", &message),
        record(number + 1, "user", &result),
    ]
}

fn transcript() -> String {
    let said = json!({
        "id": "msg_9", "role": "assistant", "type": "message", "model": "m",
        "content": [{"type": "text", "text": "Three tables."}], "stop_reason": "end_turn"
    });
    let mut records = vec![record(
        1,
        "user",
        &json!({"role": "user", "content": "Find merle."}),
    )];
    records.extend(called(
        2,
        "Bash",
        &json!({"command": "tidegrep find merle"}),
        "3 hits",
    ));
    let hit = "see decisions/datum.md (1)";
    records.extend(called(
        4,
        "mcp__logbook__search",
        &json!({"query": "datum"}),
        hit,
    ));
    records.push(record(9, "assistant", &said));
    records.iter().map(|record| format!("{record}\n")).collect()
}

/// A run of some attempts, up to the grade.
pub(crate) struct Run {
    pub(crate) dir: tempfile::TempDir,
}

impl Run {
    fn new() -> Self {
        Self::of(SPEC)
    }

    fn of(spec: &str) -> Self {
        Self::with(spec, &[("find.1", "finished", transcript())])
    }

    /// A run of the arm `with`: each attempt with how its driver ended, and with its transcript.
    pub(crate) fn with(spec: &str, attempts: &[(&str, &str, String)]) -> Self {
        let files: Vec<_> = attempts
            .iter()
            .map(|(slot, _, text)| (format!("{slot}.jsonl"), text.as_str()))
            .collect();
        let launched = attempts.iter().map(|(slot, state, _)| {
            let (task, attempt) = slot.split_once('.').unwrap();
            let attempt: u32 = attempt.parse().unwrap();
            json!({
                "run": "run-of-tests", "arm": "with", "task": task, "attempt": attempt, "actor": "main",
                "root": "sessions", "file": format!("{slot}.jsonl"), "driver": {"state": state},
            })
        });
        Self::launched(spec, &files, launched)
    }

    /// A run of the task `find`, whose actor left these files behind: the first is its own.
    pub(crate) fn over(spec: &str, actor: &str, files: &[(&str, String)]) -> Self {
        let launched = json!({
            "run": "run-of-tests", "arm": "with", "task": "find", "attempt": 1, "actor": actor, "root": "sessions",
            "file": files[0].0,
        });
        let files: Vec<_> = files
            .iter()
            .map(|(name, text)| ((*name).to_owned(), text.as_str()))
            .collect();
        Self::launched(spec, &files, [launched])
    }

    fn launched(
        spec: &str,
        files: &[(String, &str)],
        launched: impl IntoIterator<Item = Value>,
    ) -> Self {
        let own = Self {
            dir: tempfile::tempdir().unwrap(),
        };
        own.write("spec.toml", spec);
        std::fs::create_dir_all(own.at("sessions")).unwrap();
        for (name, text) in files {
            own.write(&format!("sessions/{name}"), text);
        }
        let out = own.done(&["spec", "freeze", "spec.toml", "--out", "spec.json"]);
        let seal = out
            .lines()
            .find_map(|line| line.strip_prefix("seal "))
            .unwrap()
            .to_owned();
        let launch = format!(
            "schema = \"deedcheck/launch/1\"\nspec = \"{seal}\"\nrun = \"run-of-tests\"\n[arms.with]\ntree = \".\"\n\
             base = \"0123456789abcdef0123456789abcdef01234567\"\ninputs = []\n\
             [[windows]]\nid = \"all\"\nsince = \"2026-03-01T00:00:00Z\"\nuntil = \"2026-03-05T00:00:00Z\"\n[roots]\nsessions = \"sessions\"\n"
        );
        own.write("launch.toml", &launch);
        own.write("seal", &seal);
        let records: Vec<String> = launched.into_iter().map(|own| format!("{own}\n")).collect();
        own.write("launched.jsonl", &records.concat());
        own.done(&["keys", "--spec", "spec.json", "--out", "keys.json"]);
        own.done(&[
            "bind",
            "--spec",
            "spec.json",
            "--launch",
            "launch.toml",
            "--out",
            "bindings.json",
        ]);
        own.done(&[
            "identity",
            "--spec",
            "spec.json",
            "--bindings",
            "bindings.json",
            "--launch-records",
            "launched.jsonl",
            "--out",
            "identity.json",
        ]);
        own
    }

    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.at(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn done(&self, args: &[&str]) -> String {
        let said = run(self.dir.path(), args);
        assert_eq!((said.code, said.err.as_str()), (0, ""), "{args:?}");
        said.out
    }

    /// Grades, with the folders of captures that are named; the error line, or check by check what it comes to.
    pub(crate) fn graded<'c>(
        &self,
        out: &str,
        captures: impl IntoIterator<Item = &'c str>,
    ) -> Result<Vec<String>, String> {
        let captures = captures.into_iter();
        let captures: Vec<&str> = captures.flat_map(|folder| ["--captures", folder]).collect();
        self.graded_with(out, &captures)
    }

    /// The same with other arguments.
    pub(crate) fn graded_with(&self, out: &str, more: &[&str]) -> Result<Vec<String>, String> {
        let (private, sums) = (format!("{out}-private"), format!("{out}.json"));
        let mut args = vec![
            "grade",
            "--spec",
            "spec.json",
            "--bindings",
            "bindings.json",
            "--identity",
            "identity.json",
            "--keys",
            "keys.json",
            "--out-private",
            &private,
            "--out",
            &sums,
        ];
        args.extend(more);
        let said = run(self.dir.path(), &args);
        if said.code == 2 {
            return Err(said.err.trim().to_owned());
        }
        assert_eq!(said.err, "");
        Ok(self.rows(&private))
    }

    /// Takes away what a grade was made of, and grades again from its private directory: the same bytes come out.
    pub(crate) fn graded_again(&self, first: &str, gone: &[&str], kept: &[&str]) {
        for gone in gone {
            std::fs::remove_dir_all(self.at(gone)).unwrap();
        }
        let (from, sums) = (format!("{first}-private"), format!("{first}.json"));
        self.done(&[
            "regrade",
            "--from",
            &from,
            "--out-private",
            "again-private",
            "--out",
            "again.json",
        ]);
        let files = ["grades.jsonl"].iter().chain(kept);
        let mut pairs: Vec<(String, String)> = files
            .map(|name| (format!("{from}/{name}"), format!("again-private/{name}")))
            .collect();
        pairs.push((sums, "again.json".to_owned()));
        for (first, again) in pairs {
            let read = |name: &str| std::fs::read(Path::new(&self.at(name))).unwrap();
            assert!(read(&first) == read(&again), "{first}");
        }
    }

    fn rows(&self, private: &str) -> Vec<String> {
        let text = std::fs::read_to_string(self.at(private).join("grades.jsonl")).unwrap();
        let rows = text
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        let checks = rows.filter(|row| row["kind"] == "check");
        checks
            .map(|row| {
                let word = |name: &str| row[name].as_str().unwrap().to_owned();
                let reasons = row["reasons"].as_array().unwrap().iter();
                let reasons: Vec<&str> = reasons.map(|own| own.as_str().unwrap()).collect();
                format!(
                    "{} {} {} {}",
                    word("check"),
                    word("status"),
                    reasons.join(" "),
                    row["facts"]
                )
            })
            .collect()
    }

    /// A folder of observations with one of them.
    pub(crate) fn capture(&self, folder: &str, observation: &Value) {
        let text = observation.to_string();
        let seal = std::fs::read_to_string(self.at("seal")).unwrap();
        let manifest = json!({
            "schema": "deedcheck/observations/1", "spec": seal, "run": "run-of-tests",
            "files": [{"file": "post-w.json", "sha256": sha256(text.as_bytes())}],
        });
        self.write(&format!("{folder}/post-w.json"), &text);
        self.write(&format!("{folder}/manifest.json"), &manifest.to_string());
    }
}

fn observation(arm: &str, line: &str) -> Value {
    json!({
        "schema": "deedcheck/observation/1", "arm": arm,
        "captures": [{
            "id": "accept", "phase": "post-w", "condition": "plain", "argv": ["accept"], "exit": 0, "stdout": line,
        }],
    })
}

#[test]
fn spec_evidence_is_read_from_transcripts_and_captures() {
    let own = Run::new();
    let size = transcript().len();
    let rows = |accepted: &str| {
        vec![
            "lane pass  null".to_owned(),
            "recall pass  null".to_owned(),
            "other-lane fail unused {\"calls\":2}".to_owned(),
            format!("accepted {accepted} null"),
            format!("size pass  {{\"bytes\":[{size}]}}"),
        ]
    };
    assert_eq!(own.graded("bare", None), Ok(rows("unknown key-missing")));
    own.capture("right", &observation("with", "ok\nACCEPTED 12\n"));
    assert_eq!(own.graded("right-out", Some("right")), Ok(rows("pass ")));
    own.capture("wrong", &observation("with", "REFUSED 12\n"));
    assert_eq!(
        own.graded("wrong-out", Some("wrong")),
        Ok(rows("fail acceptance-run"))
    );
}

#[test]
fn spec_evidence_that_is_not_what_it_was_is_refused() {
    let own = Run::new();
    own.capture("gone", &observation("with", "ACCEPTED 12"));
    std::fs::remove_file(own.at("gone/post-w.json")).unwrap();
    let rows = own.graded("gone-out", Some("gone")).unwrap();
    assert!(
        rows.contains(&"accepted unknown key-missing null".to_owned()),
        "{rows:?}"
    );
    own.capture("changed", &observation("with", "ACCEPTED 12"));
    own.write(
        "changed/post-w.json",
        &observation("with", "REFUSED").to_string(),
    );
    own.capture("foreign", &observation("without", "ACCEPTED 12"));
    own.write("empty/note", "");
    for (folder, line) in [
        ("changed", "E_CAPTURES field=files.0 kind=digest"),
        (
            "foreign",
            "E_CAPTURES field=captures.observations.0.arm kind=unknown-value",
        ),
        ("empty", "E_CAPTURES file=captures kind=missing"),
    ] {
        assert_eq!(
            own.graded(&format!("{folder}-out"), Some(folder)),
            Err(line.to_owned())
        );
        assert!(!own.at(&format!("{folder}-out.json")).exists(), "{folder}");
    }
}

#[test]
fn spec_evidence_is_graded_again_from_what_was_kept() {
    let own = Run::new();
    own.capture("captures", &observation("with", "ACCEPTED 12"));
    own.graded("first", Some("captures")).unwrap();
    own.graded_again("first", &["captures", "sessions"], &["captures.json"]);
}

#[test]
fn spec_evidence_is_read_from_what_capture_wrote() {
    let declared = "[[captures]]\nid = \"accept\"\nkind = \"command\"\nargv = [\"/bin/echo\", \"ACCEPTED 12\"]\n\
                    place = \"empty\"\nconditions = [\"plain\"]\nphases = [\"post-w\"]\noutput = \"stdout\"\n\
                    seconds = 20\nbytes = 65536\n";
    let spec = SPEC.replace("[\"accept\"]", "[\"/bin/echo\", \"ACCEPTED 12\"]");
    let own = Run::of(&format!("{spec}{declared}"));
    own.done(&[
        "capture",
        "--spec",
        "spec.json",
        "--bindings",
        "bindings.json",
        "--phase",
        "post-w",
        "--out-private",
        "taken",
    ]);
    own.capture("observed", &json!({"schema": "deedcheck/observation/1"}));
    for (out, folders) in [
        ("alone-out", &["taken"][..]),
        ("both-out", &["observed", "taken"][..]),
    ] {
        let rows = own.graded(out, folders.iter().copied()).unwrap();
        assert!(rows.contains(&"accepted pass  null".to_owned()), "{rows:?}");
    }
    // What was taken for another spec is refused.
    let other = Run::new();
    let taken = own.at("taken");
    assert_eq!(
        other.graded("other-out", taken.to_str()),
        Err("E_CAPTURES field=captures.spec kind=other-spec".to_owned())
    );
}

/// A tree of whose changes nobody told failed as one without changes; a result that the client put outside of the
/// roots was said to be lost, as if nobody knew where.
#[test]
fn spec_evidence_that_nobody_told_of_is_no_evidence() {
    let changed = "[[tasks.checks]]\nid = \"changed\"\nkind = \"tree-change\"\nextract = \"none\"\n\
        params = { required = [\"a.csv\"] }\n\
        key = { value = { prepared = \"t\", base = \"b0\", exec-rev = \"b0\", before = { \"a.csv\" = \"0d\" }, \
        final = { \"a.csv\" = \"4e\" } } }\n[readings]";
    let spec = SPEC.replace("[readings]", changed);
    let elsewhere = "<persisted-output>\\nOutput too large. Full output saved to: /nowhere/a.txt\\n\\nPreview:\\n1 of 9";
    let session = transcript().replace("see decisions/datum.md (1)", elsewhere);
    let own = Run::with(&spec, &[("find.1", "finished", session)]);
    let tree = json!({"observed": "t", "base": "b0", "head": "b0"});
    let seen = json!({"schema": "deedcheck/observation/1", "arm": "with", "tree": tree});
    let mut whole = seen.clone();
    whole["entries"] = json!([]);
    for (name, observation, wanted) in [
        ("untold", &seen, "changed unknown block-grading null"),
        ("whole", &whole, "changed fail empty-diff null"),
    ] {
        own.capture(name, observation);
        let rows = own.graded(&format!("{name}-out"), Some(name)).unwrap();
        assert!(rows.contains(&wanted.to_owned()), "{rows:?}");
        let outside = "recall unknown pointer-outside-roots {\"calls\":2}".to_owned();
        assert!(rows.contains(&outside), "{rows:?}");
    }
}
