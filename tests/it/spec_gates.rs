//! Gates that count what evidence tells of attempts: lanes, encodings, blindness; and what a check tells without deciding.

use deedcheck::frozen::{Ledger, read_bindings};
use deedcheck::oracle::KINDS;
use deedcheck::spec::parse;
use serde_json::{Value, json};

use crate::cli::run;
use crate::regression::record;
use crate::spec_evidence::{Run, called};

const HEAD: &str = r#"schema = "deedcheck/spec/1"
grammar = "g1"
[experiment]
id = "gates"
title = "What gates count"
[[arms]]
id = "with"
[thresholds]
half = "1/2"
quarter = "1/4"
all = "1/1"
[readings]
attempt-rule = "completed-attempts"
answer = "close"
"#;

/// A task whose answer is to hold `merle`, with another check beside it.
fn task(id: &str, opportunity: &str, more: &str) -> String {
    format!(
        "[[tasks]]\nid = \"{id}\"\nprompt = \"p\"\nfamily = \"claude\"\nopportunity = \"{opportunity}\"\ndispatch = \"main\"\n\
         arms = [\"with\"]\n[[tasks.checks]]\nid = \"{id}-names\"\nkind = \"required-literals\"\nextract = \"none\"\n\
         key = {{ value = [\"merle\"] }}\n[[tasks.checks]]\nid = \"{id}-more\"\nextract = \"none\"\n{more}\n"
    )
}

const LANE: &str = r#"kind = "lane-use"
decides = false
params = { lane = "tidegrep", predicates = [{ program = "tidegrep" }], shells = [{ tool = "Bash", field = "command" }] }"#;

/// What an agent does: a shell command with what came back, or a file that it reads.
fn did(call: &[(&str, &str)], close: &str) -> String {
    let mut records = vec![record(1, "user", &json!({"role": "user", "content": "p"}))];
    for (at, (command, result)) in (2..).step_by(2).zip(call) {
        let (tool, input) = match command.strip_prefix("read ") {
            Some(path) => ("Read", json!({"file_path": path})),
            None => ("Bash", json!({"command": command})),
        };
        records.extend(called(at, tool, &input, result));
    }
    let said = json!({
        "id": "msg_90", "role": "assistant", "type": "message", "model": "m",
        "content": [{"type": "text", "text": close}], "stop_reason": "end_turn"
    });
    records.push(record(90, "assistant", &said));
    records.iter().map(|record| format!("{record}\n")).collect()
}

fn sums(own: &Run, out: &str) -> Value {
    serde_json::from_slice(&std::fs::read(own.at(&format!("{out}.json"))).unwrap()).unwrap()
}

/// Status, sensitivity and figures of a gate.
fn told(gate: &Value) -> Value {
    json!([
        gate["status"],
        gate["sensitive"],
        gate["population"],
        gate["recorded"],
        gate["lower"],
        gate["upper"]
    ])
}

fn lanes() -> Run {
    let gate = "[[gates]]\nid = \"lane\"\nkind = \"lane\"\nlane = \"tidegrep\"\narm = \"with\"\nthreshold = \"quarter\"\nminimum = 2\n\
                [[gates]]\nid = \"all\"\nkind = \"rate\"\narm = \"with\"\nthreshold = \"all\"\n\
                [[gates]]\nid = \"extra\"\nkind = \"lane\"\nlane = \"tidegrep\"\narm = \"with\"\ndecides = false\n";
    let readings =
        "lane-inadmissible = \"unknown-in-denominator\"\npopulation = \"organic-only\"\n";
    let tasks: String = [
        ("used", "organic"),
        ("wrong", "organic"),
        ("bare", "organic"),
        ("never", "organic"),
        ("spare", "optional"),
    ]
    .iter()
    .map(|(id, opportunity)| task(id, opportunity, LANE))
    .collect();
    let grep = &[("tidegrep find merle", "3 hits")][..];
    Run::with(
        &format!("{HEAD}{readings}{tasks}{gate}"),
        &[
            ("used.1", "finished", did(grep, "merle")),
            ("used.2", "interrupted", did(grep, "merle")),
            ("wrong.1", "finished", did(grep, "gorm")),
            ("bare.1", "finished", did(&[("ls", "a")], "merle")),
            ("spare.1", "finished", did(grep, "merle")),
        ],
    )
}

#[test]
fn spec_gates_of_a_lane_count_every_opportunity() {
    let own = lanes();
    let rows = own.graded_with("plain", &[]).unwrap();
    assert!(
        rows.contains(&"bare-more fail not-adopted {\"calls\":1}".to_owned()),
        "{rows:?}"
    );
    let sums = sums(&own, "plain");
    let gates = &sums["gates"];
    // Used and right once; the attempt that was broken off and the task that was never launched are open.
    assert_eq!(told(&gates["lane"]), json!(["fail", true, 5, 4, 1, 3]));
    assert_eq!(gates["lane"]["lower_rate"], "1/5");
    let counts = json!({"adopted": 2, "not-adopted": 1, "unknown": 2});
    assert_eq!(gates["lane"]["counts"]["cells"], counts);
    // One that decides nothing counts optional tasks, too, and needs no threshold.
    assert_eq!(told(&gates["extra"]), json!(["told", false, 6, 5, 2, 4]));
    assert_eq!(gates["extra"]["decides"], false);
    // That the tool was not used fails no answer.
    assert_eq!(told(&gates["all"]), json!(["fail", false, 4, 3, 2, 3]));
    let other = sums["alternatives"].as_array().unwrap().iter();
    let other: Vec<&Value> = other
        .filter(|own| own["reading"] == "lane-inadmissible")
        .collect();
    assert_eq!(other.len(), 1);
    assert_eq!(
        (&other[0]["value"], &other[0]["tasks_changed"]),
        (&json!("excluded"), &json!(0))
    );
    // Without the attempt that was broken off it is one of four.
    assert_eq!(other[0]["gates"]["lane"], "pass");
    // Small figures are withheld with the others of their gate.
    own.graded_with("few", &["--min-cell", "3"]).unwrap();
    let few = &crate::spec_gates::sums(&own, "few")["gates"]["lane"];
    assert_eq!(told(few), json!(["fail", true, null, null, null, null]));
    assert_eq!(few["counts"]["suppressed"], true);
    assert_eq!(few["counts"]["cells"]["unknown"], Value::Null);
}

fn ledger(rows: &[(&str, Value, &str)]) -> String {
    let row = |(task, attempt, adopted): &(&str, Value, &str)| {
        let row = json!({"schema": "deedcheck/join/1", "run": "run-of-tests", "lane": "tidegrep", "arm": "with",
            "task": task, "attempt": attempt, "adopted": adopted});
        format!("{row}\n")
    };
    rows.iter().map(row).collect()
}

#[test]
fn spec_gates_of_a_lane_follow_its_ledger() {
    let own = lanes();
    let rows = [
        ("used", json!(1), "adopted"),
        ("bare", json!(1), "adopted"),
        ("wrong", json!(1), "unknown"),
        ("never", Value::Null, "unknown"),
    ];
    own.write("join.jsonl", &format!("{}\n", ledger(&rows)));
    let told_rows = own
        .graded_with("joined", &["--join-ledger", "join.jsonl"])
        .unwrap();
    assert!(
        told_rows.contains(&"bare-more pass  null".to_owned()),
        "{told_rows:?}"
    );
    let sums = sums(&own, "joined");
    let lane = &sums["gates"]["lane"];
    assert_eq!(told(lane), json!(["pass", false, 4, 3, 2, 3]));
    // The attempt that the ledger does not list is told of.
    let counts = json!({"adopted": 2, "not-adopted": 0, "unknown": 2, "unlisted": 1});
    assert_eq!(lane["counts"]["cells"], counts);
    for gone in ["join.jsonl", "sessions"] {
        let path = own.at(gone);
        let _ = std::fs::remove_dir_all(&path).or_else(|_| std::fs::remove_file(&path));
    }
    let args = "regrade --from joined-private --out-private again-private --out again.json";
    let again = run(own.dir.path(), &args.split(' ').collect::<Vec<_>>());
    assert_eq!(again.err, "");
    for name in [".json", "-private/grades.jsonl", "-private/join.jsonl"] {
        let read = |run: &str| std::fs::read(own.at(&format!("{run}{name}"))).unwrap();
        assert!(read("joined") == read("again"), "{name}");
    }
}

#[test]
fn spec_gates_refuse_a_ledger_that_is_none() {
    let own = lanes();
    let sealed = std::fs::read(own.at("spec.json")).unwrap();
    let sealed = deedcheck::spec::open(&sealed, KINDS).unwrap();
    let bindings = std::fs::read_to_string(own.at("bindings.json")).unwrap();
    let bindings = read_bindings(&bindings, &sealed).unwrap();
    let used = |adopted| ledger(&[("used", json!(1), adopted)]);
    let row = used("adopted");
    for (text, line) in [
        (
            format!("\n{row}{row}"),
            "field=attempt line=3 kind=duplicate",
        ),
        (used("yes"), "field=adopted line=1 kind=unknown-value"),
        (
            row.replace("run-of-tests", "run-of-others"),
            "field=run line=1 kind=other-run",
        ),
        (
            row.replace("\"with\"", "\"without\""),
            "field=arm line=1 kind=unknown-arm",
        ),
        (
            row.replace("\"used\"", "\"unused\""),
            "field=task line=1 kind=unknown-task",
        ),
        (
            row.replace("\"attempt\":1", "\"attempt\":0"),
            "field=attempt line=1 kind=range",
        ),
        (
            row.replace(",\"attempt\":1", ""),
            "field=attempt line=1 kind=missing",
        ),
        (
            row.replace("{\"schema", "{\"more\":1,\"schema"),
            "field=more line=1 kind=unknown-field",
        ),
        (format!("{row}{{\n"), "line=2 kind=syntax"),
        (
            row.replace("join/1", "join/2"),
            "field=schema line=1 kind=unknown-value",
        ),
    ] {
        let told = Ledger::read(&text, &sealed, &bindings).unwrap_err();
        assert_eq!(told.to_string(), format!("E_JOIN_LEDGER {line}"), "{text}");
    }
    own.write("join.jsonl", "{}");
    let said = own.graded_with("refused", &["--join-ledger", "join.jsonl"]);
    let line = "E_JOIN_LEDGER field=schema line=1 kind=missing";
    assert_eq!(said, Err(line.to_owned()));
    assert!(!own.at("refused.json").exists() && !own.at("refused-private").exists());
}

const BLIND: &str = r#"kind = "blindness"
decides = false
params = { allowed-tools = ["Read"], reads = [{ tool = "Read", path = "file_path" }], packet-roots = ["/packet"], marker = "EBB-7" }"#;

const EYES: &str = r#"kind = "call-evidence"
decides = false
params = { mode = "digest", predicates = [{ tool = "Read" }] }
key = { value = { digest = "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9" } }"#;

const SEEN: &str = "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9";

fn blind(attempts: &[(&str, &str, String)]) -> Value {
    let readings = "blind-attachments = \"allowlist\"\nblind-marker = \"any-row\"\nblind-reads = \"packet-roots\"\n\
                    blind-tools = \"read-tools-only\"\nurl-match = \"exact-url\"\nrecovery-not-shown = \"fail\"\n";
    let gate =
        "[[gates]]\nid = \"blind\"\nkind = \"blind\"\narm = \"with\"\ncontrol = \"planted-more\"\n";
    let tasks = [
        task("judge", "organic", BLIND),
        task("planted", "control", EYES),
    ]
    .concat();
    let own = Run::with(&format!("{HEAD}{readings}{tasks}{gate}"), attempts);
    own.graded_with("out", &[]).unwrap();
    let rows = std::fs::read_to_string(own.at("out-private/grades.jsonl")).unwrap();
    let rows = rows
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let tasks = rows.filter(|row| row["kind"] == "task");
    let tasks = tasks.map(|row| format!("{} {}", row["verdict"], row["reasons"]).replace('"', ""));
    let mut gate = sums(&own, "out")["gates"]["blind"].clone();
    gate["tasks"] = json!(tasks.collect::<Vec<_>>());
    gate
}

#[test]
fn spec_gates_of_blindness_need_their_control() {
    let shell = || ("judge.1", "finished", did(&[("ls", "a")], "merle"));
    let broken = || ("judge.1", "interrupted", did(&[], "merle"));
    let control = |result: &str| {
        let call = [("read /packet/log", result)];
        ("planted.1", "finished", did(&call, "merle"))
    };
    // What is watched for is seen where it was planted: then a forbidden call counts.
    let gate = blind(&[shell(), control(SEEN)]);
    assert_eq!(told(&gate), json!(["fail", false, 1, 1, 0, 0]));
    assert_eq!(gate["reason"], "no-clean-verdict");
    assert_eq!(gate["counts"]["cells"]["contaminated"], 1);
    // What saw too much says nothing of its task, and a right control passes.
    assert_eq!(
        gate["tasks"],
        json!(["unknown [no-clean-verdict]", "pass []"])
    );
    // An attempt that was broken off leaves the task open.
    let gate = blind(&[broken(), control(SEEN)]);
    assert_eq!(told(&gate), json!(["fail", true, 1, 0, 0, 1]));
    // It is not seen there: nothing is decided, whatever the tasks show.
    let gate = blind(&[shell(), control("nothing")]);
    assert_eq!(
        (&gate["status"], &gate["reason"]),
        (&json!("incomplete"), &json!("failed-control"))
    );
    assert_eq!(gate["failed_control"], true);
    assert_eq!(gate["tasks"][1], "incomplete-control [nothing-shown]");
    // Nobody looked.
    let gate = blind(&[shell()]);
    assert_eq!(
        (&gate["status"], &gate["reason"]),
        (&json!("unknown"), &json!("control-unobserved"))
    );
}

#[test]
fn spec_gates_of_an_encoding_ask_for_every_part() {
    let seeded = "kind = \"round-trip\"\ndecides = false\nparams = { program = \"toon\", seeded = true, shells = [{ tool = \"Bash\", field = \"command\" }] }\n\
                  key = { value = { records = [{ id = 1, n = \"a\" }, { id = 2, n = \"b\" }] } }";
    let readings = "seeded-encode = \"cli-encode\"\nno-original = \"unknown-in-denominator\"\npayload-shape = \"root-array\"\n";
    let gate = "[[gates]]\nid = \"enc\"\nkind = \"encoding\"\narm = \"with\"\nminimum = 1\n";
    let document = "[2]{id,n}:\n  1,a\n  2,b";
    let gate = |attempts: &[(&str, &str, String)]| {
        let spec = format!("{HEAD}{readings}{}{gate}", task("write", "organic", seeded));
        let own = Run::with(&spec, attempts);
        own.graded_with("out", &[]).unwrap();
        sums(&own, "out")["gates"]["enc"].clone()
    };
    let encoded = [("toon seed.json", document)];
    let answer = |text: &str| format!("merle\n```toon\n{text}\n```\n");
    let right = did(&encoded, &answer(document));
    let told = |gate: &Value| json!([gate["status"], gate["failing"], gate["sensitive"]]);
    let whole = gate(&[("write.1", "finished", right.clone())]);
    assert_eq!(told(&whole), json!(["pass", null, false]));
    let bent = did(&encoded, &answer("[2]{id,n}:\n  1,a\n  2,c"));
    let bent = gate(&[("write.1", "finished", bent)]);
    assert_eq!(told(&bent), json!(["fail", ["strict-round-trip"], false]));
    let none = gate(&[("write.1", "finished", did(&[], "merle"))]);
    let failing = json!(["seeded-encode-rate", "strict-round-trip"]);
    assert_eq!(told(&none), json!(["fail", failing, false]));
    // What was broken off speaks neither for nor against it.
    let broken = ("write.2", "interrupted", did(&[], "x"));
    let broken = gate(&[("write.1", "finished", right), broken]);
    assert_eq!(told(&broken), json!(["pass", null, false]));
    assert_eq!(gate(&[])["status"], "undefined");
}

#[test]
fn spec_gates_a_fail_is_unknown_where_its_folder_had_drifted() {
    let spec = format!("{HEAD}{}", task("find", "organic", LANE));
    let spec = spec.replace(
        "id = \"find-names\"",
        "id = \"find-names\"\nscope = [\"docs\"]",
    );
    let own = Run::with(&spec, &[("find.1", "finished", did(&[], "gorm"))]);
    let names = |out: &str, more: &[&str]| own.graded_with(out, more).unwrap()[0].clone();
    assert_eq!(names("bare", &[]), "find-names fail missing null");
    for (folder, path, expected) in [
        ("elsewhere", "src/a.py", "find-names fail missing null"),
        (
            "cached",
            "docs/__pycache__/a.pyc",
            "find-names fail missing null",
        ),
        ("drifted", "docs/a.md", "find-names unknown tree-drift null"),
    ] {
        let observation = json!({
            "schema": "deedcheck/observation/1", "arm": "with",
            "entries-before": [{"path": path, "status": "??"}],
        });
        own.capture(folder, &observation);
        let out = format!("{folder}-out");
        assert_eq!(names(&out, &["--captures", folder]), expected);
    }
}

#[test]
fn spec_gates_that_could_count_nothing_are_refused() {
    let tasks = [
        task("find", "organic", LANE),
        task("planted", "control", EYES),
    ]
    .concat();
    let readings = "lane-inadmissible = \"excluded\"\nurl-match = \"exact-url\"\nrecovery-not-shown = \"fail\"\n";
    let refused = |gate: &str| {
        let spec = format!("{HEAD}{readings}{tasks}[[gates]]\nid = \"g\"\n{gate}\n");
        let error = parse(&spec, KINDS).unwrap_err().to_string();
        let line = error.find(" line=").map_or(error.len(), |at| at);
        let kind = error.rsplit(' ').next().unwrap().to_owned();
        format!("{} {kind}", &error[..line])
    };
    for (gate, expected) in [
        (
            "kind = \"lane\"\narm = \"with\"\nlane = \"sonar\"\nthreshold = \"half\"",
            "E_SPEC field=gates.0.lane kind=unknown-lane",
        ),
        (
            "kind = \"lane\"\narm = \"with\"\nlane = \"tidegrep\"",
            "E_SPEC field=gates.0.threshold kind=missing",
        ),
        (
            "kind = \"lane\"\narm = \"with\"\nthreshold = \"half\"",
            "E_SPEC field=gates.0.lane kind=missing",
        ),
        (
            "kind = \"lane\"\narm = \"with\"\nlane = \"tidegrep\"\nthreshold = \"most\"",
            "E_SPEC field=gates.0.threshold kind=unknown-threshold",
        ),
        (
            "kind = \"encoding\"\narm = \"with\"",
            "E_SPEC field=gates.0.minimum kind=missing",
        ),
        (
            "kind = \"encoding\"\narm = \"with\"\nminimum = 5",
            "E_SPEC field=gates.0.kind kind=no-check",
        ),
        (
            "kind = \"blind\"\narm = \"with\"",
            "E_SPEC field=gates.0.control kind=missing",
        ),
        (
            "kind = \"blind\"\narm = \"with\"\ncontrol = \"planted-more\"",
            "E_SPEC field=gates.0.kind kind=no-check",
        ),
        (
            "kind = \"denominators\"\narm = \"with\"\nthreshold = \"half\"",
            "E_SPEC field=gates.0.threshold kind=unknown-field",
        ),
        (
            "kind = \"denominators\"\narm = \"with\"\ndecides = true",
            "E_SPEC field=gates.0.decides kind=told-only",
        ),
    ] {
        assert_eq!(refused(gate), expected, "{gate}");
    }
    let blind = task("judge", "organic", BLIND);
    let gate =
        "[[gates]]\nid = \"g\"\nkind = \"blind\"\narm = \"with\"\ncontrol = \"judge-more\"\n";
    let error = parse(&format!("{HEAD}{blind}{gate}"), KINDS).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("E_SPEC field=gates.0.control "),
        "{error}"
    );
    let planted = task("planted", "control", &EYES.replace("decides = false\n", ""));
    let gate = gate.replace("judge-more", "planted-more");
    let error = parse(&format!("{HEAD}{blind}{planted}{gate}"), KINDS)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("gates.0.control") && error.ends_with("told-only"),
        "{error}"
    );
    // A task needs a check that decides.
    let told = task("find", "organic", LANE).replace(
        "id = \"find-names\"",
        "id = \"find-names\"\ndecides = false",
    );
    let error = parse(&format!("{HEAD}{told}"), KINDS)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("field=tasks.0.checks") && error.ends_with("no-answer-check"),
        "{error}"
    );
}

/// What is recorded and not graded counts nowhere, whatever stands in its answers.
#[test]
fn spec_gates_count_no_task_without_a_check() {
    let gate = "[[gates]]\nid = \"all\"\nkind = \"rate\"\narm = \"with\"\nthreshold = \"all\"\n\
                [[gates]]\nid = \"per-task\"\nkind = \"denominators\"\narm = \"with\"\n";
    let bare = |id: &str| {
        let head = task(id, "organic", LANE);
        let end = head.find("[[tasks.checks]]").unwrap();
        format!("{}checks = []\n", &head[..end])
    };
    let spec = format!(
        "{HEAD}population = \"organic-only\"\n{}{}{}{gate}",
        task("used", "organic", LANE),
        bare("told"),
        bare("never"),
    );
    let run = [
        ("used.1", "finished", did(&[], "merle")),
        ("told.1", "finished", did(&[], "gorm")),
        ("told.2", "interrupted", did(&[], "gorm")),
    ];
    let own = Run::with(&spec, &run);
    own.graded_with("plain", &[]).unwrap();
    let sums = sums(&own, "plain");
    let all = &sums["gates"]["all"];
    assert_eq!(told(all), json!(["pass", false, 1, 1, 1, 1]));
    let cells = &sums["tasks"]["with.claude"]["cells"];
    let cell = |name: &str| cells[name].as_u64().unwrap();
    assert_eq!(
        ["planned", "pass", "not-graded", "pass-upper"].map(cell),
        [1, 1, 2, 1]
    );
    assert_eq!(sums["attempts"]["with.claude"]["cells"]["recorded"], 3);
    // Under a rule by which what was broken off fails, it changes nothing either.
    let other = sums["alternatives"].as_array().unwrap();
    assert!(other.iter().all(|own| own["tasks_changed"] == 0));
    let text = std::fs::read_to_string(own.at("plain-private/grades.jsonl")).unwrap();
    let rows = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let rows: Vec<Value> = rows.filter(|row| row["kind"] == "task").collect();
    let verdicts: Vec<&str> = rows
        .iter()
        .map(|row| row["verdict"].as_str().unwrap())
        .collect();
    assert_eq!(verdicts, ["pass", "not-graded", "not-graded"]);
    assert_eq!(rows[1]["status"], "na");
    assert!(
        rows[1]["attempts"]
            .as_array()
            .unwrap()
            .iter()
            .all(|own| own["status"] == "na")
    );
}
