//! A small experiment graded with a check kind of the tests' own.
#![expect(
    clippy::too_many_lines,
    reason = "a table of refusals is read from top to bottom"
)]

mod beside;
mod followed;
mod judged;
mod kept;

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use super::*;
use crate::spec::tests::{KINDS, SPEC};
use crate::spec::{Facts, Sealed, Sources, compute, freeze, read_keys};

const RUN: &str = "run-2026-abcdef";

fn launch(sealed: &Sealed, edit: &dyn Fn(&mut Value)) -> String {
    let arm = |value: &str| {
        json!({"tree": "tree", "base": "0".repeat(40), "inputs": [],
            "sentinel": {"value": value, "sha256": crate::spec::sha256(value.as_bytes())}})
    };
    let mut launch = json!({
        "schema": "deedcheck/launch/1", "spec": sealed.seal, "run": RUN,
        "arms": {"with": arm("planted-one"), "without": arm("planted-two")},
        "windows": [{"id": "w", "since": "2026-03-02T09:00:00Z", "until": "2026-03-02T10:00:00Z"}],
        "roots": {"answers": "answers"},
    });
    edit(&mut launch);
    launch.to_string()
}

/// A change that makes something wrong.
type Edit<'e> = &'e dyn Fn(&mut Value);

/// An experiment on disk: answers by `arm.task.attempt`.
struct Scene {
    dir: tempfile::TempDir,
    sealed: Sealed,
}

impl Scene {
    fn new(spec: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("answers")).unwrap();
        std::fs::create_dir_all(dir.path().join("tree")).unwrap();
        Self {
            dir,
            sealed: freeze(spec, KINDS).unwrap(),
        }
    }

    fn beside(&self) -> &Path {
        self.dir.path()
    }

    fn bindings(&self) -> Bindings {
        let text = launch(&self.sealed, &|_| {});
        let bound = bind(&text, &self.sealed, self.beside(), &|_, _| None);
        bound.unwrap().0
    }

    fn records(&self, answers: &[(&str, &str)]) -> String {
        let mut records = String::new();
        for (slot, text) in answers {
            let file = format!("{slot}.md");
            std::fs::write(self.beside().join("answers").join(&file), text).unwrap();
            let parts: Vec<&str> = slot.split('.').collect();
            let attempt: u32 = parts[2].parse().unwrap();
            let record = json!({"run": RUN, "arm": parts[0], "task": parts[1],
                "attempt": attempt, "actor": "file", "root": "answers", "file": file});
            records.push_str(&format!("{record}\n"));
        }
        records
    }

    fn identified(&self, records: &str, bindings: &Bindings) -> IdentityTable {
        let none = DriverLedger::default();
        identify(records, &self.sealed, bindings, self.beside(), &none).unwrap()
    }

    fn grade(&self, answers: &[(&str, &str)], judgments: &str) -> FrozenGrades {
        let bindings = self.bindings();
        let table = self.identified(&self.records(answers), &bindings);
        let text = String::from_utf8(crate::canon::to_vec(&table).unwrap()).unwrap();
        let identity = read_identity(&text, &self.sealed, &bindings).unwrap();
        let sources = Sources::read(&self.sealed.spec, None, None, &Facts::default()).unwrap();
        let made = compute(&self.sealed, &sources, KINDS).unwrap();
        let text = std::str::from_utf8(&made.bytes).unwrap();
        let keys = read_keys(text, &self.sealed).unwrap();
        grade(&Inputs {
            sealed: &self.sealed,
            kinds: KINDS,
            captures: &Captures::default(),
            ledger: &Ledger::default(),
            bindings: &bindings,
            attempts: &OnDisk::new(&bindings, self.beside()),
            identity: &identity,
            keys: &keys,
            judgments: &Judgments::read(judgments, &self.sealed).unwrap(),
        })
        .unwrap()
    }
}

/// The status of each task by `arm.task`.
fn tasks(graded: &FrozenGrades) -> BTreeMap<String, String> {
    let task = |row: &FrozenRow| match row {
        FrozenRow::Task(row) => Some((format!("{}.{}", row.arm, row.task), row.verdict.to_owned())),
        FrozenRow::Check(_) => None,
    };
    graded.rows.iter().filter_map(task).collect()
}

fn other<'g>(graded: &'g FrozenGrades, reading: &str, value: &str) -> &'g OtherReading {
    let mut all = graded.sums.alternatives.iter();
    all.find(|own| own.reading == reading && own.value == value)
        .unwrap()
}

#[test]
fn bounds_gates_and_other_readings_are_told() {
    let scene = Scene::new(SPEC);
    let graded = scene.grade(
        &[
            // The key is 2 by whole words, 4 by substrings.
            ("with.berths.1", "There are 2 berths."),
            ("with.colour.1", "The buoy is green."),
            ("without.berths.1", "There are 4 berths."),
            ("without.colour.1", "Green."),
        ],
        "",
    );
    let told = tasks(&graded);
    assert_eq!(told["with.berths"], "pass");
    assert_eq!(told["with.colour"], "fail");
    assert_eq!(told["without.berths"], "fail");
    assert_eq!(told["without.colour"], "pass");
    let quality = &graded.sums.gates["quality"];
    assert_eq!((quality.status, quality.sensitive), ("pass", false));
    assert_eq!(quality.lower_rate.as_deref(), Some("1/2"));
    let no_loss = &graded.sums.gates["no-loss"];
    assert_eq!((no_loss.status, no_loss.lower), ("pass", Some(1)));
    assert!(graded.sums.passes());
    let folded = other(&graded, "letter-case", "folded");
    assert_eq!(folded.tasks_changed, Some(1));
    let substring = other(&graded, "lines-with-word", "substring");
    assert_eq!(substring.tasks_changed, Some(2));
    assert_eq!(substring.gates["quality"], "fail");
    assert_eq!(substring.gates["no-loss"], "fail");
    assert_eq!(
        other(&graded, "pairing", "pooled-only").tasks_changed,
        Some(0)
    );
    assert_eq!(
        graded.sums.tasks["with.files"].cells["denominator-lower"],
        Some(1)
    );
}

#[test]
fn what_is_unknown_raises_the_upper_bound_only() {
    let scene = Scene::new(SPEC);
    let graded = scene.grade(&[("with.berths.1", "I could not tell.")], "");
    let told = tasks(&graded);
    assert_eq!(told["with.berths"], "unknown");
    assert_eq!(told["with.colour"], "not-launched");
    let quality = &graded.sums.gates["quality"];
    assert_eq!((quality.status, quality.sensitive), ("fail", true));
    assert_eq!((quality.lower, quality.upper), (Some(0), Some(2)));
    // Nothing passes, so there is nothing to divide by.
    assert_eq!(
        graded.sums.tasks["with.files"].cells["denominator-lower"],
        None
    );
    assert_eq!(graded.sums.judgments.cell("pending"), 1);
    assert!(!graded.sums.passes());
    let rows: Vec<&CheckRow> = graded
        .rows
        .iter()
        .filter_map(|row| match row {
            FrozenRow::Check(row) => Some(&**row),
            FrozenRow::Task(_) => None,
        })
        .collect();
    assert_eq!((rows[0].status, rows[0].verdict), ("unknown", "pending"));
    assert!(rows[0].reasons.contains("judge-pending"));
}

#[test]
fn a_judgment_counts_where_its_quote_stands() {
    let scene = Scene::new(SPEC);
    let answers = [("with.berths.1", "A pair of them.")];
    let judged = |verdict: &str, quote: &str| {
        let identity = format!("{RUN}.with.berths.1");
        let judgment = json!({"identity": identity, "check": "berths-count",
            "verdict": verdict, "quotes": [quote]});
        let graded = scene.grade(&answers, &judgment.to_string());
        (
            tasks(&graded)["with.berths"].clone(),
            graded.sums.judgments.cell("pending"),
        )
    };
    assert_eq!(judged("pass", "A pair"), ("pass".to_owned(), 0));
    assert_eq!(judged("fail", "A pair"), ("fail".to_owned(), 0));
    for verdict in ["pass", "fail", "unknown"] {
        assert_eq!(judged(verdict, "Two"), ("unknown".to_owned(), 0));
    }
    assert_eq!(judged("unknown", "A pair"), ("unknown".to_owned(), 0));
    let refused = |judgment: Value| {
        Judgments::read(&judgment.to_string(), &scene.sealed)
            .unwrap_err()
            .to_string()
    };
    let base = json!({"identity": "x", "check": "buoy-colour", "verdict": "pass", "quotes": ["a"]});
    assert_eq!(
        refused(base.clone()),
        "E_JUDGMENT row=1 field=check kind=not-judged"
    );
    let mut empty = base;
    empty["check"] = json!("berths-count");
    empty["quotes"] = json!([]);
    assert_eq!(refused(empty), "E_JUDGMENT row=1 field=quotes kind=empty");
}

#[test]
fn attempts_and_files_are_classified() {
    let scene = Scene::new(SPEC);
    let graded = scene.grade(
        &[
            ("with.berths.1", "  \n"),
            ("with.colour.1", "The buoy is green."),
            ("with.colour.2", "The buoy is Green."),
        ],
        "",
    );
    assert_eq!(tasks(&graded)["with.berths"], "fail");
    assert_eq!(tasks(&graded)["with.colour"], "fail");
    assert_eq!(
        other(&graded, "attempt-rule", "last-attempt").tasks_changed,
        Some(1)
    );
    let group = &graded.sums.attempts["with.files"];
    assert_eq!(group.cell("no-answer.empty"), 1);
    assert_eq!(group.cell("completed"), 3);
    // A file that changed after it was identified speaks for nobody.
    let bindings = scene.bindings();
    let records = scene.records(&[("with.colour.1", "The buoy is Green.")]);
    let table = scene.identified(&records, &bindings);
    let root = scene.beside().join("answers");
    let class = || read_attempt(&table.rows[0], &root, "a").class;
    assert_eq!(class(), Class::Completed);
    let path = root.join("with.colour.1.md");
    std::fs::write(&path, "other").unwrap();
    assert_eq!(class(), Class::Unresolved("transcript-changed"));
    std::fs::remove_file(&path).unwrap();
    assert_eq!(class(), Class::Unresolved("transcript-missing"));
}

#[test]
fn small_cells_are_withheld_and_counted() {
    let scene = Scene::new(SPEC);
    let mut graded = scene.grade(&[("with.berths.1", "There are 2 berths.")], "");
    let before = graded.sums.clone();
    graded.sums.withhold(1);
    assert_eq!(graded.sums.suppressed, 0);
    assert_eq!(graded.sums.tasks, before.tasks);
    graded.sums.withhold(2);
    let group = &graded.sums.tasks["with.files"];
    assert!(group.suppressed && group.cells.values().all(Option::is_none));
    let quality = &graded.sums.gates["quality"];
    assert_eq!((quality.lower, quality.population), (None, None));
    assert_eq!(
        (quality.status, quality.lower_rate.as_deref()),
        ("pass", None)
    );
    assert!(graded.sums.suppressed > 10);
}

#[test]
fn a_launch_is_refused_by_field() {
    let scene = Scene::new(SPEC);
    std::fs::write(scene.beside().join("tree/in.txt"), "in").unwrap();
    let said = |edit: &dyn Fn(&mut Value)| match bind(
        &launch(&scene.sealed, edit),
        &scene.sealed,
        scene.beside(),
        &|_, _| None,
    ) {
        Ok(_) => "bound".to_owned(),
        Err(error) => error.to_string(),
    };
    let input = |path: &str, digest: String| json!([{"path": path, "sha256": digest}]);
    let cases: [(Edit<'_>, &str); 17] = [
        (&|_| {}, "bound"),
        (&|l| l["more"] = json!(1), "field=more kind=unknown-field"),
        (
            &|l| l["spec"] = json!("0".repeat(64)),
            "field=spec kind=other-spec",
        ),
        (&|l| l["run"] = json!("short"), "field=run kind=run-id"),
        (
            &|l| l["arms"]["with"]["base"] = json!("main"),
            "field=arms.with.base kind=hex",
        ),
        (
            &|l| {
                l["arms"].as_object_mut().unwrap().shift_remove("without");
            },
            "field=arms.without kind=missing",
        ),
        (
            &|l| l["arms"]["third"] = l["arms"]["with"].clone(),
            "field=arms.third kind=unknown-field",
        ),
        (
            &|l| l["arms"]["with"]["sentinel"]["value"] = json!("planted-onf"),
            "field=arms.with.sentinel.sha256 kind=digest",
        ),
        (
            &|l| l["arms"]["with"]["sentinel"] = l["arms"]["without"]["sentinel"].clone(),
            "field=arms.without.sentinel.value kind=shared",
        ),
        (
            &|l| l["arms"]["with"]["inputs"] = input("gone", "0".repeat(64)),
            "field=arms.with.inputs.0.path kind=input-missing",
        ),
        (
            &|l| l["arms"]["with"]["inputs"] = input("in.txt", "0".repeat(64)),
            "field=arms.with.inputs.0.sha256 kind=input-hash",
        ),
        (
            &|l| l["windows"][0]["until"] = json!("2026-03-02T09:00:00Z"),
            "field=windows.0.until kind=order",
        ),
        (
            &|l| l["windows"][0]["since"] = json!("yesterday"),
            "field=windows.0.since kind=time",
        ),
        (
            &|l| l["windows"][0]["since"] = json!("2026-99-02T09:00:00Z"),
            "field=windows.0.since kind=time",
        ),
        (
            &|l| l["windows"][0]["since"] = json!("2026-02-30T09:00:00Z"),
            "field=windows.0.since kind=time",
        ),
        (
            &|l| l["windows"][0]["since"] = json!("2026-03-02T09:00:00+02:00"),
            "field=windows.0.since kind=not-utc-seconds",
        ),
        (
            &|l| l["roots"]["more"] = json!("nowhere"),
            "field=roots.more kind=missing-folder",
        ),
    ];
    for (edit, wanted) in cases {
        // The launch is JSON on one line.
        let said = said(edit).replace(" line=1 ", " ");
        assert_eq!(said.strip_prefix("E_BIND ").unwrap_or(&said), wanted);
    }
}

#[test]
fn a_launch_record_is_refused_by_row_and_kind() {
    let scene = Scene::new(SPEC);
    let bindings = scene.bindings();
    let good = scene.records(&[("with.berths.1", "2"), ("with.berths.2", "2")]);
    let root = scene.beside().join("answers");
    std::os::unix::fs::symlink("/etc/hostname", root.join("out.md")).unwrap();
    let said = |edit: &dyn Fn(&mut Value)| {
        let mut records: Vec<Value> = good
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        edit(&mut records[1]);
        let text: Vec<String> = records.iter().map(Value::to_string).collect();
        match identify(
            &text.join("\n"),
            &scene.sealed,
            &bindings,
            scene.beside(),
            &DriverLedger::default(),
        ) {
            Ok(_) => "identified".to_owned(),
            Err(error) => error.to_string(),
        }
    };
    let invalid = |rest: &str| format!("E_IDENTITY_INVALID row=2 {rest}");
    let source = |reason: &str| format!("E_IDENTITY_SOURCE kind=file row=2 reason={reason}");
    let cases: [(Edit<'_>, String); 14] = [
        (&|_| {}, "identified".to_owned()),
        (
            &|r| r["run"] = json!("another-run"),
            invalid("field=run kind=other-run"),
        ),
        (
            &|r| r["arm"] = json!("third"),
            invalid("field=arm kind=unknown-arm"),
        ),
        (
            &|r| r["task"] = json!("depth"),
            invalid("field=task kind=unknown-task"),
        ),
        (
            &|r| r["attempt"] = json!(0),
            invalid("field=attempt kind=range"),
        ),
        (
            &|r| r["actor"] = json!("main"),
            invalid("field=actor kind=not-of-dispatch"),
        ),
        (
            &|r| r["actor"] = json!("human"),
            invalid("field=actor kind=unknown-value"),
        ),
        (
            &|r| r["root"] = json!("other"),
            invalid("field=root kind=unknown-root"),
        ),
        (
            &|r| r["session"] = json!("x"),
            invalid("field=locator kind=one-locator"),
        ),
        (
            &|r| r["file"] = json!("../x.md"),
            invalid("field=file kind=path"),
        ),
        (
            &|r| r["note"] = json!("x"),
            invalid("field=note kind=unknown-field"),
        ),
        (&|r| r["file"] = json!("gone.md"), source("missing")),
        (&|r| r["file"] = json!("out.md"), source("outside-roots")),
        (&|r| r["file"] = json!("with.berths.1.md"), source("shared")),
    ];
    for (edit, wanted) in cases {
        assert_eq!(said(edit), wanted);
    }
    assert_eq!(
        said(&|r| r["attempt"] = json!(1)),
        invalid("field=attempt kind=duplicate")
    );
}
