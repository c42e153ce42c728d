//! A spec without tasks: its checks are asked of every turn of the recorded sessions.

use std::path::PathBuf;

use serde_json::Value;

use crate::golden::kept::held;
use crate::spec_golden::Scene;

/// What is committed of what is made.
const MADE: [&str; 3] = ["spec.json", "grades.jsonl", "aggregate.json"];

fn golden() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("golden/frozen/policy")
}

/// Grades the policy in a scene of its own, with so many threads.
fn graded(scene: &Scene, jobs: u32) -> (i32, String, PathBuf) {
    let folder = scene.at("golden/frozen/policy");
    for name in MADE {
        // They may be missing, where they are to be made for the first time.
        let _ = std::fs::remove_file(folder.join(name));
    }
    let frozen = scene.run_in(&folder, "spec freeze spec.toml --out spec.json");
    assert_eq!(
        (frozen.code, frozen.err.as_str()),
        (0, ""),
        "{}",
        frozen.out
    );
    let said = scene.run_in(
        &folder,
        &format!(
            "grade --spec spec.json --jobs {jobs} --out-private ../../../run{jobs} \
             --out aggregate.json ../.."
        ),
    );
    assert_eq!(said.err, "", "{}", said.out);
    let rows = scene.at(&format!("run{jobs}/grades.jsonl"));
    std::fs::copy(rows, folder.join("grades.jsonl")).unwrap();
    (said.code, said.out, folder)
}

#[test]
fn spec_policy_rows_are_those_committed() {
    let scene = Scene::new();
    let (code, out, folder) = graded(&scene, 1);
    assert_eq!(code, 1, "{out}");
    held(&golden(), &folder, &MADE);
    let made = MADE.map(|name| std::fs::read(folder.join(name)).unwrap());
    let (_, again, folder) = graded(&scene, 3);
    assert_eq!(out, again);
    for (name, made) in MADE.iter().zip(&made) {
        assert_eq!(&std::fs::read(folder.join(name)).unwrap(), made, "{name}");
    }
}

/// Every row that fails names the calls that it rests on, and no turn is told of twice.
#[test]
fn spec_policy_rows_tell_where() {
    let text = std::fs::read_to_string(golden().join("grades.jsonl")).unwrap();
    let mut seen = std::collections::BTreeSet::new();
    let mut tally = std::collections::BTreeMap::<String, u64>::new();
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let place = format!(
            "{} {} {} {}",
            row["file"], row["session"], row["turn"], row["check"]
        );
        assert!(seen.insert(place.clone()), "{place}: twice");
        let status = row["status"].as_str().unwrap();
        *tally
            .entry(format!("{} {status}", row["check"]))
            .or_default() += 1;
        assert!(row["task"].is_null() && row["arm"].is_null(), "{place}");
        if status == "fail" {
            assert!(!row["evidence"].as_array().unwrap().is_empty(), "{place}");
        }
        assert_eq!(
            status == "na",
            row["reasons"] == serde_json::json!(["not-asked"]),
            "{place}"
        );
    }
    for word in ["pass", "fail", "unknown", "na"] {
        let key = format!("\"tests-after-edits\" {word}");
        assert!(tally.contains_key(&key), "{tally:?}");
    }
}

#[test]
fn spec_policy_and_tasks_are_not_mixed_up() {
    let scene = Scene::new();
    scene.prepare();
    let said = scene.run("grade --spec spec.json ../..");
    assert_eq!(
        (said.code, said.err.as_str()),
        (2, "E_ARGUMENT field=--bindings kind=not-given\n")
    );
    let said = scene.run("grade --spec spec.json --bindings bindings.json ../..");
    assert_eq!(said.code, 2, "{}", said.out);
}

const HEAD: &str = "schema = \"deedcheck/spec/1\"\ngrammar = \"g1\"\n[experiment]\nid = \"house\"\n\
                    title = \"House rules\"\n[thresholds]\nall = \"1/1\"\nhalf = \"1/2\"\n";

/// A scene with a policy of one check and one gate in a folder of its own, sealed.
fn policy(check: &str, threshold: &str) -> (Scene, PathBuf) {
    let scene = Scene::new();
    let folder = scene.at("policy");
    std::fs::create_dir_all(folder.join("sessions")).unwrap();
    let spec = format!(
        "{HEAD}[[checks]]\nid = \"one\"\nextract = \"none\"\n{check}\n\
         [[gates]]\nid = \"kept\"\nkind = \"turns\"\ncheck = \"one\"\nthreshold = \"{threshold}\"\n"
    );
    std::fs::write(folder.join("spec.toml"), spec).unwrap();
    let frozen = scene.run_in(&folder, "spec freeze spec.toml --out spec.json");
    assert_eq!((frozen.code, frozen.err.as_str()), (0, ""));
    assert!(
        frozen.out.starts_with("sealed: 0 tasks, 1 check, 1 gate, "),
        "{}",
        frozen.out
    );
    assert!(
        frozen
            .out
            .ends_with("next: deedcheck grade --spec SPEC PATH…\n"),
        "{}",
        frozen.out
    );
    (scene, folder)
}

/// Puts a recorded session among those of a policy.
fn session(scene: &Scene, folder: &std::path::Path, case: &str) {
    let from = scene.at("golden").join(case);
    let found = walkdir::WalkDir::new(from).into_iter().map(Result::unwrap);
    let mut found = found.filter(|entry| {
        let path = entry.path().display().to_string();
        entry.file_type().is_file() && path.contains("/projects/")
    });
    let one = found.next().unwrap().into_path();
    let to = folder.join(format!("sessions/{case}.jsonl"));
    std::fs::copy(one, to).unwrap();
}

fn json_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

const NEVER: &str = "kind = \"steps-never\"\nparams = { what = [{ command = \"never run\" }] }";
const TESTS: &str = "kind = \"steps-order\"\nparams = { when = { effect = \"mutate\", domain = \"workspace\" }, \
                     then = { verify = \"test\" } }";

/// A file that could not be judged may hold a turn that breaks the rule: it counts as unknown, once,
/// in the upper bound and not in the lower one.
#[test]
fn spec_policy_counts_what_could_not_be_judged_in_the_upper_bound_only() {
    let (scene, folder) = policy(NEVER, "half");
    session(&scene, &folder, "claude-honest-fix");
    let sums = |line: &str| {
        let said = scene.run_in(&folder, line);
        (said.code, json_of(&said.out))
    };
    let grade = "grade --spec spec.json --format json sessions";
    let (code, before) = sums(grade);
    assert_eq!(code, 0);
    let gate = |sums: &Value, cell: &str| sums["gates"]["kept"][cell].as_u64().unwrap();
    let asked = gate(&before, "population");
    assert_eq!(gate(&before, "lower"), asked);
    std::fs::write(folder.join("sessions/dark.jsonl"), "no record\n").unwrap();
    let (code, after) = sums(grade);
    assert_eq!(code, 0, "half of the turns are enough");
    assert_eq!(gate(&after, "population"), asked + 1);
    assert_eq!(gate(&after, "lower"), asked);
    assert_eq!(gate(&after, "upper"), asked + 1);
    assert_eq!(after["turns"]["one"]["cells"]["unknown.no-record"], 1);
    assert_eq!(after["attempts"]["all"]["cells"]["unresolved.no-record"], 1);
    let (code, _) = sums(&format!("{grade} --fail-on dark"));
    assert_eq!(code, 1);
    let said = scene.run_in(&folder, "grade --spec spec.json sessions");
    for words in [
        "dark: sessions/dark.jsonl (no-record)\n",
        "unknown: one (no-record)\n  sessions/dark.jsonl\n",
    ] {
        assert!(said.out.contains(words), "{words}: {}", said.out);
    }
    let said = scene.run_in(&folder, "grade --spec spec.json --fail-on reject sessions");
    assert_eq!(
        (said.code, said.err.as_str()),
        (2, "E_ARGUMENT field=--fail-on kind=conflict\n")
    );
}

/// What this program wrote among transcripts is passed over with a count, and no dark session.
#[test]
fn spec_policy_and_grade_pass_over_files_of_ours() {
    let (scene, folder) = policy(NEVER, "all");
    session(&scene, &folder, "claude-honest-fix");
    let rows = |line: &str| scene.run_in(&folder, line).out;
    let (frozen, plain) = (
        "grade --spec spec.json --format jsonl sessions",
        "grade --format jsonl sessions",
    );
    let before = (rows(frozen), rows(plain));
    for (at, line) in [
        "grade --out-private sessions/run --out sessions/sums.json sessions",
        "grade --spec spec.json --out-private sessions/policy --out sessions/policy.json sessions",
    ]
    .into_iter()
    .enumerate()
    {
        let said = scene.run_in(&folder, line);
        assert_ne!(said.code, 2, "{at}: {}", said.err);
    }
    std::fs::write(folder.join("sessions/rows.jsonl"), &before.1).unwrap();
    for name in ["launch-records.jsonl", "judgments.jsonl"] {
        let own = scene.at("golden/frozen").join(name);
        std::fs::copy(own, folder.join("sessions").join(name)).unwrap();
    }
    assert_eq!((rows(frozen), rows(plain)), before);
    for line in ["grade --spec spec.json sessions", "grade sessions"] {
        let out = rows(line);
        assert!(out.contains(" other file"), "{line}: {out}");
    }
    // Whoever names one is told that it is none.
    let said = scene.run_in(&folder, "grade --fail-on dark sessions/rows.jsonl");
    assert_eq!(said.code, 1, "{}", said.out);
}

/// Turns that break a rule are told as `show` takes them.
#[test]
fn spec_policy_names_the_turns_that_fail() {
    let (scene, folder) = policy(TESTS, "all");
    session(&scene, &folder, "claude-stale-run");
    let said = scene.run_in(&folder, "grade --spec spec.json sessions");
    assert_eq!(said.code, 1, "{}", said.out);
    let lines: Vec<&str> = said.out.lines().collect();
    let fails = lines.windows(2).filter(|own| own[0].starts_with("fails: "));
    let fails: Vec<&[&str]> = fails.collect();
    assert!(!fails.is_empty(), "{}", said.out);
    for own in fails {
        assert!(own[0].starts_with("fails: one ("), "{own:?}");
        let place = own[1].trim();
        let shown = scene.run_in(&folder, &format!("show {place}"));
        assert_eq!((shown.code, shown.err.as_str()), (0, ""), "{place}");
    }
}

/// A gate over turns of which none is asked is undefined: nothing passes, so the run exits with 1, and
/// says why.
#[test]
fn spec_policy_says_why_a_gate_is_undefined() {
    let check = "kind = \"steps-order\"\nparams = { when = { command = \"never run\" }, then = { verify = \"test\" } }";
    let (scene, folder) = policy(check, "all");
    session(&scene, &folder, "claude-honest-fix");
    let said = scene.run_in(&folder, "grade --spec spec.json sessions");
    let told = "gate kept: undefined: no turn is one that its check asks of\n";
    assert!(said.code == 1 && said.out.contains(told), "{}", said.out);
    let said = scene.run_in(&folder, "grade --spec spec.json --format json sessions");
    let gate = &json_of(&said.out)["gates"]["kept"];
    assert_eq!(gate["reason"], "nothing-asked");
    assert!(gate["lower_rate"].is_null());
}

/// A policy's records are kept, and give the same bytes without the transcripts.
#[test]
fn spec_policy_is_graded_again_from_its_private_directory() {
    let (scene, folder) = policy(TESTS, "all");
    for case in ["claude-stale-run", "claude-honest-fix", "claude-denied"] {
        session(&scene, &folder, case);
    }
    std::fs::write(folder.join("sessions/dark.jsonl"), "no record\n").unwrap();
    let grade = "grade --spec spec.json --out-private ../one --out one.json --jobs 3 sessions";
    let first = scene.run_in(&folder, grade);
    assert_eq!((first.code, first.err.as_str()), (1, ""), "{}", first.out);
    std::fs::remove_dir_all(folder.join("sessions")).unwrap();
    let again = scene.run_in(
        &folder,
        "regrade --from ../one --out-private ../two --out two.json",
    );
    assert_eq!((again.code, again.err.as_str()), (1, ""), "{}", again.out);
    assert_eq!(first.out, again.out);
    let bytes = |path: &str| std::fs::read(scene.at(path)).unwrap();
    for file in [
        "grades.jsonl",
        "aggregate.json",
        "records.jsonl.zst",
        "awaited.jsonl",
    ] {
        assert_eq!(
            bytes(&format!("one/{file}")),
            bytes(&format!("two/{file}")),
            "{file}"
        );
    }
    assert_eq!(bytes("policy/one.json"), bytes("policy/two.json"));
    let context = json_of(&String::from_utf8(bytes("two/context.json")).unwrap());
    assert_eq!(context["regraded_from"]["other_rules"], false);
}

/// A reading that a policy has no use for is refused when it is sealed.
#[test]
fn spec_policy_has_no_attempts_to_choose_from() {
    let (scene, folder) = policy(NEVER, "all");
    let text = std::fs::read_to_string(folder.join("spec.toml")).unwrap();
    let text = format!("{text}[readings]\nattempt-rule = \"last-attempt\"\n");
    std::fs::write(folder.join("other.toml"), &text).unwrap();
    let said = scene.run_in(&folder, "spec freeze other.toml --out other.json");
    let line = text.lines().count();
    assert_eq!(
        said.err,
        format!("E_SPEC field=readings.attempt-rule line={line} kind=unused\n")
    );
}

/// The sums of frozen checks tell how many controls ran with them and landed, as those of sessions do.
#[test]
fn spec_policy_sums_tell_of_the_controls() {
    let (scene, folder) = policy(NEVER, "all");
    session(&scene, &folder, "claude-honest-fix");
    let said = scene.run_in(&folder, "grade --spec spec.json --format json sessions");
    let sums = json_of(&said.out);
    for class in ["canary", "claim", "gate", "integrity", "oracle"] {
        let own = &sums["control"][class];
        assert!(own["planted"].as_u64().unwrap() > 0, "{class}: {own}");
        assert_eq!(own["planted"], own["landed"], "{class}");
    }
    let markdown = scene.run_in(&folder, "grade --spec spec.json --format markdown sessions");
    assert!(!markdown.out.contains("withheld"), "{}", markdown.out);
    let page = scene.run_in(&folder, "grade --spec spec.json --format html sessions");
    assert!(page.out.contains("data-deed=\"control.oracle.landed\""));
}

/// A line that cannot be read hides what its own turn did, and nothing of the turns around it.
#[test]
fn spec_policy_doubts_only_the_turn_that_a_broken_line_stands_in() {
    let (scene, folder) = policy(TESTS, "all");
    let block = |number: u32| {
        let own = format!("block{number}");
        crate::cli::session(&own, "/srv/pond", "Done.")
            .replace(&format!("\"sessionId\":\"{own}\""), "\"sessionId\":\"one\"")
            .replace("\"m1\"", &format!("\"m1{number}\""))
            .replace("\"m2\"", &format!("\"m2{number}\""))
            .replace("\"t1\"", &format!("\"t{number}\""))
    };
    let second = block(2);
    let (head, tail) = second.split_at(second.rfind("{").unwrap());
    let text = format!(
        "{}{head}{{\"type\":\"user\",\"mess\n{tail}{}",
        block(1),
        block(3)
    );
    let cut = text.find("\"mess\n").unwrap();
    assert!(cut > block(1).len());
    std::fs::write(folder.join("sessions/one.jsonl"), text).unwrap();
    let grade =
        "grade --spec spec.json --format jsonl --out-private ../one --out one.json sessions";
    let said = scene.run_in(&folder, grade);
    let rows = said.out.lines().map(json_of);
    let turns: Vec<(u64, String, String)> = rows
        .filter(|row| row["turn"].is_u64())
        .map(|row| {
            let text = |value: &Value| value.as_str().unwrap_or("").to_owned();
            let turn = row["turn"].as_u64().unwrap();
            (turn, text(&row["status"]), text(&row["reasons"][0]))
        })
        .collect();
    let own = |turn, status: &str, reason: &str| (turn, status.to_owned(), reason.to_owned());
    assert_eq!(
        turns,
        [
            own(1, "fail", "missing"),
            own(2, "unknown", "unknown-record"),
            own(3, "fail", "missing")
        ],
        "{}{}",
        said.out,
        said.err
    );
    let again = scene.run_in(
        &folder,
        "regrade --from ../one --format jsonl --out-private ../two --out two.json",
    );
    assert_eq!(said.out, again.out, "{}", again.err);
}
