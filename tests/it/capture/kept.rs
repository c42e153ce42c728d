//! What is kept of captures: once, whole or not at all, and with the state of the tree.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use deedcheck::capture::{Evidence, Kept};
use serde_json::{Value, json};

use super::{Scene, alive, capture, command, in_tree, running, said};

const WORK: &str = "capture --spec spec.json --bindings bindings.json";

#[test]
fn a_changed_tree_discards_the_later_capture_and_nothing_is_run_again() {
    let scene = Scene::new();
    let count = scene.at("count");
    let script = format!("echo run >> {}; cat table.txt", count.display());
    let only = in_tree("probe", &["cat", "table.txt"], "phases = [\"post-arm\"]");
    scene.bind(&(in_tree("table", &["sh", "-c", &script], "") + &only), "");
    let runs = || fs::read_to_string(&count).unwrap().lines().count();
    let before = scene.capture("pre-arm", "", "before").row("table", "plain");
    assert_eq!(runs(), 1);
    // What a run leaves of its caches changes nothing.
    scene.write("__pycache__/a.cpython-311.pyc", "x");
    scene.write("old.pyc", "x");
    let same = scene
        .capture("post-arm", "--after before", "same")
        .row("table", "plain");
    assert_eq!(runs(), 2);
    assert_eq!(same["tree-before"], before["tree-after"]);
    assert!(same["discarded"].is_null());
    scene.write("table.txt", "merle 999\n");
    let kept = scene.capture("post-arm", "--after before", "changed");
    let row = kept.row("table", "plain");
    assert_eq!(runs(), 2, "it was run once more");
    assert_eq!(row["discarded"], "tree-changed");
    assert_eq!(row["without-exit"], "discarded");
    assert!(row["exit"].is_null());
    assert_ne!(row["tree-before"], before["tree-before"]);
    assert_eq!(row["tree-before"], row["tree-after"]);
    // What was never asked before the arm has nothing to agree with.
    assert_eq!(kept.printed("probe"), "merle 999\n");
    // A commit or a staged file is another tree, though every byte is the same.
    scene.write("table.txt", "merle 310\n");
    scene.write("more.txt", "");
    scene.git(&["add", "more.txt"]);
    fs::remove_file(scene.tree("more.txt")).unwrap();
    let row = scene
        .capture("post-arm", "--after before", "staged")
        .row("table", "plain");
    assert_eq!(row["discarded"], "tree-changed");
}

#[test]
fn a_tree_that_changes_meanwhile_is_told_by_both_its_states() {
    let scene = Scene::new();
    let table = scene.tree("table.txt");
    let script = format!("cat table.txt; echo more >> {}", table.display());
    let captures = in_tree("first", &["sh", "-c", &script], "")
        + &in_tree("second", &["cat", "table.txt"], "");
    scene.bind(&captures, "");
    let kept = scene.capture("pre-arm", "", "out");
    let (first, second) = (kept.row("first", "plain"), kept.row("second", "plain"));
    assert_eq!(first["discarded"], "tree-changed");
    assert_ne!(first["tree-before"], first["tree-after"]);
    assert_eq!(first["stdout"], "merle 310\n");
    assert_eq!(second["tree-before"], first["tree-after"]);
    // After a changed tree it is not even begun.
    assert_eq!(second["discarded"], "tree-changed");
    assert_eq!(second["without-exit"], "discarded");
    assert_eq!(fs::read_to_string(&table).unwrap(), "merle 310\nmore\n");
}

#[test]
fn captures_are_private_and_written_once() {
    let scene = Scene::new();
    scene.bind(&in_tree("table", &["cat", "table.txt"], ""), "");
    let kept = scene.capture("pre-arm", "", "out");
    let mode = |path: &str| {
        let meta = fs::metadata(scene.at("work").join(path)).unwrap();
        meta.permissions().mode() & 0o7777
    };
    assert_eq!(mode("out"), 0o700);
    for name in kept.0.keys() {
        assert_eq!(mode(&format!("out/{name}")), 0o600, "{name}");
    }
    let again = scene.run(&capture("pre-arm", "", "out"));
    assert_eq!(
        (again.code, again.out.as_str(), again.err.as_str()),
        (
            2,
            "",
            "E_PATH field=--out-private reason=exists detail=directory\n"
        )
    );
    assert_eq!(scene.kept("out").0, kept.0);
    let inside = scene.run(&capture("pre-arm", "", "../tree/out"));
    assert_eq!(
        inside.err,
        "E_PATH field=--out-private reason=work_tree detail=git_folder\n"
    );
    assert!(!scene.tree("out").exists());
}

#[test]
fn a_run_that_is_killed_leaves_only_what_nothing_reads() {
    let scene = Scene::new();
    let word = format!("killed-{}", std::process::id());
    let captures = in_tree("table", &["cat", "table.txt"], "")
        + &in_tree(
            "long",
            &["python3", "-c", "import time; time.sleep(600)", &word],
            "seconds = 60\nbytes = 9",
        );
    scene.bind(&captures, "");
    let line = capture("pre-arm", "", "out/run");
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let mut child = scene.command(&words).stdout(Stdio::null()).spawn().unwrap();
    let patience = Instant::now() + Duration::from_secs(60);
    while !alive(&word) {
        assert!(Instant::now() < patience, "it never began");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let names = |path: &str| -> Vec<String> {
        let entries = fs::read_dir(scene.at(path)).unwrap();
        entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    };
    let left = names("work/out");
    assert!(left.len() == 1 && left[0].ends_with(".partial"), "{left:?}");
    assert!(names("temp").iter().all(|name| name.ends_with(".partial")));
    let after = format!("--after out/{}", left[0]);
    let said = scene.run(&capture("post-arm", &after, "next"));
    assert_eq!(said.err, "E_CAPTURES file=captures kind=unfinished\n");
    // One may end as another of them does.
    for pid in running(&word) {
        let _ = Command::new("kill").args(["-9", &pid]).output();
    }
}

/// A change of a file's text.
type Edit<'a> = &'a dyn Fn(String) -> String;

#[test]
fn captures_that_are_not_what_they_were_are_refused() {
    let scene = Scene::new();
    scene.bind(&in_tree("table", &["cat", "table.txt"], ""), "");
    scene.capture("pre-arm", "", "before");
    let file = |name: &str| scene.at("work/before").join(name);
    let refused = |wanted: &str| {
        let said = scene.run(&capture("post-arm", "--after before", "after"));
        assert_eq!(
            (said.code, said.err.as_str()),
            (2, format!("{wanted}\n").as_str())
        );
        assert!(!scene.at("work/after").exists());
    };
    let row = "capture-table-plain.json";
    let edits: [(&str, Edit<'_>, &str); 3] = [
        (
            row,
            &|text| text.replace("merle 310", "merle 311"),
            "E_CAPTURES file=capture-table-plain.json kind=digest",
        ),
        (
            "captures.json",
            &|text| text.replace("pre-arm", "post-arm"),
            "E_CAPTURES file=captures kind=digest",
        ),
        (
            "captures.json",
            &|text| text.replace('{', "["),
            "E_CAPTURES file=captures kind=invalid",
        ),
    ];
    for (name, edit, wanted) in edits {
        let text = fs::read_to_string(file(name)).unwrap();
        let other = edit(text.clone());
        assert_ne!(text, other, "{name}");
        fs::write(file(name), other).unwrap();
        refused(wanted);
        fs::write(file(name), text).unwrap();
    }
    fs::write(file("capture-more-plain.json"), "{}").unwrap();
    refused("E_CAPTURES file=none kind=extra");
    fs::remove_file(file("capture-more-plain.json")).unwrap();
    fs::rename(file(row), scene.at("aside")).unwrap();
    refused("E_CAPTURES file=capture-table-plain.json kind=missing");
    std::os::unix::fs::symlink(scene.at("aside"), file(row)).unwrap();
    refused("E_CAPTURES file=capture-table-plain.json kind=missing");
    fs::remove_file(file(row)).unwrap();
    fs::rename(scene.at("aside"), file(row)).unwrap();
    scene.capture("post-arm", "--after before", "after");
}

#[test]
fn every_refusal_comes_before_anything_is_run() {
    let scene = Scene::new();
    let mark = scene.at("mark");
    let script = format!("echo run >> {}", mark.display());
    let captures = in_tree("table", &["sh", "-c", &script], "")
        + &in_tree("early", &["sh", "-c", &script], "phases = [\"w-open\"]");
    scene.bind(&captures, "");
    scene.capture("pre-arm", "", "before");
    scene.capture("w-open", "", "open");
    fs::remove_file(&mark).unwrap();
    for (line, wanted) in [
        (
            format!("{WORK} --phase pre-arm --out-private new"),
            "E_CAPTURE field=--arm kind=missing",
        ),
        (
            format!("{WORK} --phase pre-arm --arm none --out-private new"),
            "E_ARGUMENT field=--arm kind=unknown-arm",
        ),
        (
            capture("post-w", "", "new"),
            "E_CAPTURE field=--phase kind=nothing",
        ),
        (
            capture("post-arm", "", "new"),
            "E_CAPTURE field=--after kind=missing",
        ),
        (
            capture("pre-arm", "--after before", "new"),
            "E_CAPTURE field=--after kind=unused",
        ),
        (
            capture("post-arm", "--after open", "new"),
            "E_CAPTURE field=--after kind=other-phase",
        ),
        (
            capture("post-arm", "--after none", "new"),
            "E_CAPTURES file=captures kind=missing",
        ),
        (
            capture("pre-arm", "", "new").replace("spec.json", "spec.toml"),
            "E_SPEC_MISMATCH reason=unsealed field=seal",
        ),
    ] {
        let said = scene.run(&line);
        assert_eq!(
            (said.code, said.out.as_str(), said.err.as_str()),
            (2, "", format!("{wanted}\n").as_str()),
            "{line}"
        );
        assert!(!scene.at("work/new").exists(), "{line}");
    }
    let list = scene.run(&format!("{WORK} --phase pre-arm --arm with --list"));
    assert_eq!((list.code, list.err.as_str()), (0, ""));
    let quoted = serde_json::to_string(&script).unwrap();
    assert_eq!(
        list.out,
        format!("table  plain  in tree  20 s  65536 bytes  sh -c {quoted}\n")
    );
    assert!(!mark.exists(), "something was run");
    scene.bind(&captures.replace("20", "30"), "");
    let said = scene.run(&capture("post-arm", "--after before", "new"));
    assert_eq!(said.err, "E_CAPTURE field=--after kind=other-spec\n");
    fs::remove_dir_all(scene.at("tree")).unwrap();
    let said = scene.run(&capture("pre-arm", "", "new"));
    assert_eq!(said.err, "E_CAPTURE field=tree kind=missing\n");
    assert!(!scene.at("work/new").exists());
    assert!(!mark.exists(), "something was run");
}

#[test]
fn a_secret_is_refused_where_it_is_declared_and_a_run_s_id_where_it_is_seen() {
    let scene = Scene::new();
    let listed = in_tree("env", &["env"], "variables = [\"RUN_TOKEN\"]");
    fs::write(
        scene.at("work/bad.toml"),
        format!("{}{listed}", super::SPEC),
    )
    .unwrap();
    let said = scene.run("spec freeze bad.toml --out bad.json");
    assert_eq!(said.code, 2);
    assert!(
        said.err
            .starts_with("E_SPEC field=captures.0.variables.0 line="),
        "{}",
        said.err
    );
    assert!(said.err.ends_with("kind=secret\n"), "{}", said.err);
    scene.bind(&in_tree("env", &["env"], "variables = [\"TIDE_JOB\"]"), "");
    let line = capture("pre-arm", "", "out");
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let output = scene
        .command(&words)
        .env("TIDE_JOB", format!("x-{}", super::RUN))
        .output();
    assert_eq!(
        said_line(&output.unwrap()),
        "E_CAPTURE field=variables kind=run\n"
    );
    assert!(!scene.at("work/out").exists());
}

fn said_line(output: &std::process::Output) -> String {
    said(output).err
}

#[test]
fn an_arm_s_conditions_are_those_of_the_bindings() {
    let scene = Scene::new();
    let both = "place = \"tree\"\nconditions = [\"arm\", \"plain\"]";
    let captures = command("env", &["sh", "-c", "echo $DEPTH $WRAPPED"], both);
    scene.bind(&captures, "");
    let kept = scene.capture("pre-arm", "", "without");
    assert_eq!(kept.row("env", "arm")["verified"], false);
    assert_eq!(kept.row("env", "plain")["verified"], true);
    let conditions = "[arms.with.conditions]\nthrough = [\"env\", \"WRAPPED=yes\"]\nvariables = { DEPTH = \"3\" }\nverified = true\n";
    scene.bind(&captures, conditions);
    let kept = scene.capture("pre-arm", "", "with");
    let row = kept.row("env", "arm");
    assert_eq!(
        (&row["stdout"], &row["verified"]),
        (&"3 yes\n".into(), &true.into())
    );
    assert_eq!(row["argv"], json!(["sh", "-c", "echo $DEPTH $WRAPPED"]));
    assert_eq!(kept.row("env", "plain")["stdout"], "\n");
    let launch = fs::read_to_string(scene.at("work/launch.toml")).unwrap();
    fs::write(
        scene.at("work/secret.toml"),
        launch.replace("DEPTH", "DEPTH_TOKEN"),
    )
    .unwrap();
    let said = scene.run("bind --spec spec.json --launch secret.toml --out new.json");
    assert!(
        said.err
            .starts_with("E_BIND field=arms.with.conditions.variables.DEPTH_TOKEN line="),
        "{}",
        said.err
    );
    assert!(said.err.ends_with("kind=secret\n"), "{}", said.err);
}

fn entries(tree: &Value) -> Vec<String> {
    let entries = tree["entries"].as_array().unwrap();
    let line = |entry: &Value| {
        format!(
            "{} {}",
            entry["status"].as_str().unwrap(),
            entry["path"].as_str().unwrap()
        )
    };
    entries.iter().map(line).collect()
}

#[test]
fn a_tree_s_changes_are_told_with_the_bytes_of_the_files_that_are_asked_for() {
    let mut scene = Scene::new();
    for path in ["keep.txt", "gone.txt", "same.txt", "kind.txt"] {
        scene.write(path, path);
    }
    scene.commit("Add more");
    scene.write("left.txt", "there before the arm");
    scene.write(".gitignore", "hidden/\n");
    let captures = "[[captures]]\nid = \"changes\"\nkind = \"tree\"\nphases = [\"pre-arm\", \"post-arm\"]\nkeep = [\"keep.txt\", \"no.txt\"]\n";
    scene.bind(captures, "");
    let before = scene.capture("pre-arm", "", "before").json("tree.json");
    assert_eq!(before["against"], "base");
    assert_eq!(before["head"], before["base"]);
    assert_eq!(entries(&before), ["?? .gitignore", "?? left.txt"]);
    scene.write("keep.txt", "changed");
    scene.write("hidden/new.txt", "new");
    scene.write("pkg/__pycache__/a.pyc", "x");
    fs::remove_file(scene.tree("gone.txt")).unwrap();
    fs::remove_file(scene.tree("kind.txt")).unwrap();
    std::os::unix::fs::symlink("same.txt", scene.tree("kind.txt")).unwrap();
    scene.git(&["update-index", "--assume-unchanged", "keep.txt"]);
    let kept = scene.capture("post-arm", "--after before", "after");
    let after = kept.json("tree.json");
    assert_eq!(after["against"], "before");
    assert_eq!(
        entries(&after),
        [
            "D gone.txt",
            "?? hidden/new.txt",
            "M keep.txt",
            "T kind.txt",
            "!! pkg/__pycache__/"
        ]
    );
    let name = after["kept"]["keep.txt"].as_str().unwrap();
    assert_eq!(kept.0[name], b"changed");
    assert_eq!(after["kept"].as_object().unwrap().len(), 1);
    let digest = name.strip_prefix("bytes-").unwrap();
    let entry = after["entries"]
        .as_array()
        .unwrap()
        .iter()
        .find(|entry| entry["path"] == "keep.txt");
    assert_eq!(entry.unwrap()["sha256"], digest);
    // Without a repository nobody knows what was there at first.
    fs::remove_dir_all(scene.tree(".git")).unwrap();
    let none = scene.capture("pre-arm", "", "none").json("tree.json");
    assert_eq!(
        (&none["against"], &none["head"]),
        (&"nothing".into(), &Value::Null)
    );
    assert!(entries(&none).is_empty());
}

#[test]
fn only_processes_that_began_since_are_listed_after_an_arm() {
    let scene = Scene::new();
    let captures =
        "[[captures]]\nid = \"who\"\nkind = \"processes\"\nphases = [\"pre-arm\", \"post-arm\"]\n";
    scene.bind(captures, "");
    let sleeper = scene.at("tidewatch");
    fs::copy("/bin/sleep", &sleeper).unwrap();
    let start = || Command::new(&sleeper).arg("600").spawn().unwrap();
    let mut old = start();
    let before = scene
        .capture("pre-arm", "", "before")
        .json("processes.json");
    let mut new = start();
    let after = scene
        .capture("post-arm", "--after before", "after")
        .json("processes.json");
    let listed = |list: &Value, pid: u32| {
        let all = list["list"].as_array().unwrap();
        all.iter().find(|one| one["pid"] == pid).cloned()
    };
    let told = listed(&before, old.id()).expect("the earlier one was there before");
    assert_eq!(told["comm"], "tidewatch");
    assert_eq!(told["ppid"], std::process::id());
    let start = told["start"].as_str().unwrap();
    assert!(start.len() == 20 && start.ends_with('Z'), "{start}");
    assert!(
        listed(&after, new.id()).is_some(),
        "the later one is not listed"
    );
    assert!(
        listed(&after, old.id()).is_none(),
        "the earlier one is listed"
    );
    assert_eq!(
        (&before["since-before"], &after["since-before"]),
        (&false.into(), &true.into())
    );
    for child in [&mut old, &mut new] {
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

#[test]
fn the_base_is_what_was_committed_whatever_the_tree_holds() {
    let mut scene = Scene::new();
    scene.program(&scene.tree("run.sh"), "#!/bin/sh\necho ok\n");
    std::os::unix::fs::symlink("table.txt", scene.tree("link")).unwrap();
    scene.write("deep/er/file.txt", "f");
    scene.commit("Add a program");
    scene.write("table.txt", "changed\n");
    scene.write("extra.txt", "x");
    let base = |id: &str, argv: &[&str]| {
        command(
            id,
            argv,
            "place = \"base\"\nconditions = [\"plain\"]\nphases = [\"post-w\"]",
        )
    };
    let captures = base("accept", &["./run.sh"])
        + &base("read", &["cat", "table.txt", "link", "deep/er/file.txt"])
        + &base("list", &["ls", "-A"]);
    scene.bind(&captures, "");
    let kept = scene.capture("post-w", "", "out");
    assert_eq!(kept.printed("accept"), "ok\n");
    assert_eq!(kept.printed("read"), "merle 310\nmerle 310\nf");
    assert_eq!(kept.printed("list"), "deep\nlink\nrun.sh\ntable.txt\n");
    let row = kept.row("accept", "plain");
    assert!(row["tree-before"].is_null() && row["tree-after"].is_null());
    fs::remove_dir_all(scene.tree(".git")).unwrap();
    let row = scene.capture("post-w", "", "none").row("accept", "plain");
    assert_eq!(row["without-exit"], "no-base");
}

#[test]
fn a_fact_is_kept_for_keys_and_a_failed_download_is_told_and_none() {
    let scene = Scene::new();
    let page = |id: &str, script: &str, bytes: &str| {
        let more = format!(
            "place = \"empty\"\nconditions = [\"plain\"]\nphases = [\"w-open\"]\nfact = \"{id}\"\noutput = \"stdout\"\nseconds = 20\nbytes = {bytes}"
        );
        command(id, &["sh", "-c", script], &more)
    };
    let captures = page("hours", "echo 48; echo note >&2; ls -A", "100")
        + &page("gone", "echo 404; exit 22", "100")
        + &page("long", "echo 0123456789", "5")
        + &page("odd", "printf '\\377'", "100");
    scene.bind(&captures, "");
    let said = scene.run(&format!("{WORK} --phase w-open --out-private open"));
    assert_eq!(
        said.out,
        "4 commands, 0 of them discarded, 0 ended as their time was over, 0 not started; 1 fact\n"
    );
    let kept = scene.kept("open");
    assert_eq!(
        kept.json("facts.json"),
        json!({"schema": "deedcheck/facts/1", "phase": "w-open", "facts": {"hours": "48\n"}})
    );
    let row = kept.row("gone", "plain");
    assert_eq!(
        (&row["exit"], &row["stdout"]),
        (&22.into(), &"404\n".into())
    );
    let row = kept.row("hours", "plain");
    assert_eq!(
        (&row["stdout"], &row["stderr"]),
        (&"48\n".into(), &"note\n".into())
    );
    assert_eq!(kept.json("captures.json")["arm"], Value::Null);
    let keys = scene.run("keys --spec spec.json --facts open/facts.json --out keys.json");
    assert_eq!((keys.code, keys.err.as_str()), (0, ""));
}

#[test]
fn how_a_command_ended_is_told_apart() {
    let scene = Scene::new();
    let captures = in_tree("fails", &["sh", "-c", "echo no >&2; exit 3"], "")
        + &in_tree("killed", &["sh", "-c", "kill -9 $$"], "")
        + &in_tree("reads", &["sh", "-c", "read line; echo \"$? [$line]\""], "")
        + &in_tree("broken", &["./table.txt"], "")
        + &in_tree(
            "words",
            &["printf", "%s|", "a b", "$HOME", "*", ""],
            "output = \"stdout\"\nseconds = 20\nbytes = 9",
        );
    scene.bind(&captures, "");
    let kept = scene.capture("pre-arm", "", "out");
    let row = kept.row("fails", "plain");
    assert_eq!((&row["exit"], &row["stdout"]), (&3.into(), &"no\n".into()));
    let row = kept.row("killed", "plain");
    assert_eq!((&row["exit"], &row["signal"]), (&Value::Null, &9.into()));
    assert!(row["without-exit"].is_null());
    assert_eq!(kept.printed("reads"), "1 []\n", "there is nothing to read");
    assert_eq!(kept.row("broken", "plain")["without-exit"], "not-started");
    assert_eq!(
        kept.printed("words"),
        "a b|$HOME",
        "no shell has read it, and nine bytes are kept"
    );
}

#[test]
fn checks_are_told_what_was_captured_of_their_arm_and_nothing_is_guessed() {
    let scene = Scene::new();
    let captures = in_tree("table", &["cat", "table.txt"], "")
        + &in_tree("long", &["printf", "0123456789"], "seconds = 9\nbytes = 4")
        + "[[captures]]\nid = \"who\"\nkind = \"processes\"\nphases = [\"pre-arm\", \"post-arm\"]\n"
        + "[[captures]]\nid = \"changes\"\nkind = \"tree\"\nphases = [\"pre-arm\", \"post-arm\"]\n";
    scene.bind(&captures, "");
    scene.write("drifted.txt", "");
    scene.capture("pre-arm", "", "before");
    let before = Kept::open(&scene.at("work/before")).unwrap();
    let alone = serde_json::to_value(Evidence::of([&before], "with")).unwrap();
    for absent in ["processes", "entries", "tree"] {
        assert!(alone.get(absent).is_none(), "{absent}: {alone}");
    }
    assert_eq!(alone["entries-before"][0]["path"], "drifted.txt");
    scene.write("new.txt", "");
    scene.capture("post-arm", "--after before", "after");
    let after = Kept::open(&scene.at("work/after")).unwrap();
    let told = serde_json::to_value(Evidence::of([&before, &after], "with")).unwrap();
    assert_eq!(told["entries"][0]["path"], "new.txt");
    assert_eq!(told["tree"]["observed"], "../tree");
    assert_eq!(told["tree"]["base"], told["tree"]["head"]);
    assert!(told["processes"].is_array());
    let rows = told["captures"].as_array().unwrap();
    let [long, table, _, later] = &rows[..] else {
        panic!("{rows:?}")
    };
    assert_eq!(
        (&table["stdout"], &table["exit"]),
        (&"merle 310\n".into(), &0.into())
    );
    assert!(table.get("sha256").is_none());
    assert_eq!(long["stdout"], "0123");
    assert!(long["sha256"].is_string());
    assert_ne!(table["tree-after"], later["tree-before"]);
    assert!(later.get("exit").is_none() && later["stdout"] == "");
    let other = Evidence::of([&before, &after], "without");
    assert_eq!(other, Evidence::default());
    let error = after.belong(&after.about.spec, "another-run").unwrap_err();
    assert_eq!(error.to_string(), "E_CAPTURES file=captures kind=other-run");
}
