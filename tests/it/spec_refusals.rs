//! Every refusal of the frozen checks: one line, exit 2, and nothing written.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use crate::spec_golden::{GIVEN, Scene};

/// Every file with its bytes.
fn contents(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    walkdir::WalkDir::new(dir)
        .into_iter()
        .map(|entry| entry.unwrap().into_path())
        .filter(|path| !path.is_dir() || path.read_dir().is_ok_and(|mut all| all.next().is_none()))
        .map(|path| {
            let bytes = std::fs::read(&path).unwrap_or_default();
            (path.display().to_string(), bytes)
        })
        .collect()
}

/// Runs a line that must be refused with these words, and looks that nothing was written.
fn refused(scene: &Scene, line: &str, wanted: &str) {
    let before = contents(&scene.at("."));
    let said = scene.run(line);
    assert_eq!(
        (said.code, said.out.as_str(), said.err.as_str()),
        (2, "", format!("{wanted}\n").as_str()),
        "{line}"
    );
    let after = contents(&scene.at("."));
    let (before, after): (Vec<_>, Vec<_>) = (before.keys().collect(), after.keys().collect());
    assert_eq!(before, after, "{line}: something was written");
}

/// Changes one file of the example under another name.
fn edited(scene: &Scene, name: &str, to: &str, edit: &dyn Fn(String) -> String) {
    let folder = scene.at("golden/frozen");
    let text = std::fs::read_to_string(folder.join(name)).unwrap();
    let other = edit(text.clone());
    assert_ne!(text, other, "{name}: nothing is edited");
    std::fs::write(folder.join(to), other).unwrap();
}

fn object(edit: impl Fn(&mut Value)) -> impl Fn(String) -> String {
    move |text| {
        let mut value: Value = serde_json::from_str(&text).unwrap();
        edit(&mut value);
        format!("{value}\n")
    }
}

#[test]
fn spec_refusals_of_specs_and_seals() {
    let scene = Scene::new();
    scene.prepare();
    let freeze = "spec freeze bad.toml --out new.json";
    edited(&scene, "spec.toml", "bad.toml", &|text| {
        text.replace(
            "params = { labels = [\"lines\"], direction = \"before\" }",
            "",
        )
    });
    let line = 1 + std::fs::read_to_string(scene.at("golden/frozen/bad.toml"))
        .unwrap()
        .lines()
        .position(|line| line == "id = \"berth-lines-count\"")
        .unwrap();
    refused(
        &scene,
        freeze,
        &format!(
            "E_SPEC field=tasks.12.checks.0.params.labels line={} kind=missing",
            line - 1
        ),
    );
    edited(&scene, "spec.toml", "bad.toml", &|text| {
        text.replace("url-match = \"exact-url\"\n", "")
    });
    let missing = scene.run(freeze).err;
    assert!(
        missing.starts_with("E_SPEC field=readings.url-match line="),
        "{missing}"
    );
    assert!(missing.ends_with("kind=missing\n"), "{missing}");
    refused(
        &scene,
        "spec freeze spec.toml --out spec.json",
        "E_PATH field=--out reason=exists detail=file",
    );
    refused(
        &scene,
        "spec freeze none.toml --out new.json",
        "E_ARGUMENT field=<FILE> kind=missing",
    );
    edited(&scene, "spec.json", "edited.json", &|text| {
        text.replace("\"half\":\"1/2\"", "\"half\":\"1/3\"")
    });
    edited(&scene, "spec.json", "stale.json", &|text| {
        text.replace("\"tool\":\"", "\"tool\":\"9")
    });
    // Its seal is right, so that only the version is wrong.
    edited(&scene, "stale.json", "stale.json", &object(reseal));
    let grade = format!("grade {GIVEN} --out-private ../../run --out sums.json");
    let commands = [
        "spec check SPEC".to_owned(),
        "keys --spec SPEC --out new".to_owned(),
        "bind --spec SPEC --launch none --out new".to_owned(),
        "identity --spec SPEC --bindings none --launch-records none --out new".to_owned(),
        grade
            .replace("spec.json", "SPEC")
            .replace("keys.json", "none"),
    ];
    for command in commands {
        for (file, reason, field) in [
            ("spec.toml", "unsealed", "seal"),
            ("keys.json", "unsealed", "seal"),
            ("edited.json", "hand-edited", "spec"),
            ("stale.json", "stale", "tool"),
        ] {
            refused(
                &scene,
                &command.replace("SPEC", file),
                &format!("E_SPEC_MISMATCH reason={reason} field={field}"),
            );
        }
    }
    assert_eq!(scene.run("spec check spec.json --from spec.toml").code, 0);
    edited(&scene, "spec.toml", "other.toml", &|text| {
        text.replace("1/2", "1/3")
    });
    refused(
        &scene,
        "spec check spec.json --from other.toml",
        "E_SPEC_MISMATCH reason=source-differs field=spec",
    );
}

fn reseal(value: &mut Value) {
    let seal = value["seal"].as_object_mut().unwrap();
    seal.shift_remove("sha256");
    let mut sorted = value.clone();
    sorted.sort_all_objects();
    let digest = deedcheck::spec::sha256(sorted.to_string().as_bytes());
    value["seal"]["sha256"] = json!(digest);
    value.sort_all_objects();
}

#[test]
fn spec_refusals_of_a_readme_s_seal() {
    let scene = Scene::new();
    scene.prepare();
    let bytes = std::fs::read(scene.at("golden/frozen/spec.json")).unwrap();
    let digest = deedcheck::spec::sha256(&bytes);
    let check = |readme: &str| {
        let from = tempfile::tempdir().unwrap();
        std::fs::write(from.path().join("README.md"), readme).unwrap();
        let name = format!("repo{}", readme.len());
        let commit = crate::spec_golden::repository(from.path(), &scene.at(&name));
        format!("spec check spec.json --repo ../../{name} --commit {commit} --readme README.md")
    };
    let good = check(&format!(
        "## Amendment 1 seal\n\n| file | sha256 |\n|---|---|\n| spec.json | {digest} |\n"
    ));
    let said = scene.run(&good);
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    refused(
        &scene,
        &check(&format!("## Seal\n| spec.json | {} |\n", "0".repeat(64))),
        "E_PREREG reason=seal-mismatch",
    );
    refused(
        &scene,
        &check(&format!("## Seal\n| other.json | {digest} |\n")),
        "E_PREREG reason=not-listed",
    );
    refused(&scene, &check("# Nothing\n"), "E_PREREG reason=no-seal");
    refused(
        &scene,
        &good.replace("README.md", "NONE.md"),
        "E_PREREG reason=missing",
    );
    refused(
        &scene,
        &format!(
            "spec check spec.json --repo ../../repo --commit {} --readme README.md",
            "0".repeat(40)
        ),
        "E_PREREG reason=missing",
    );
    refused(
        &scene,
        &format!(
            "spec check spec.json --repo none --commit {} --readme README.md",
            "0".repeat(40)
        ),
        "E_GIT reason=failed",
    );
    refused(
        &scene,
        "spec check spec.json --repo ../../repo --commit main --readme README.md",
        "E_ARGUMENT field=--commit kind=not-40-hex",
    );
    refused(
        &scene,
        &format!(
            "spec check spec.json --repo ../../repo --commit {} --readme ../README.md",
            "0".repeat(40)
        ),
        "E_ARGUMENT field=--readme kind=not-relative",
    );
    refused(
        &scene,
        "spec check spec.json --repo ../../repo",
        "E_USAGE kind=missing-argument field=--commit help=\"deedcheck spec --help\"",
    );
}

/// Runs the keys with a `git` of one's own in front of the path.
#[cfg(unix)]
fn with_git(scene: &Scene, script: &str) -> (i32, String, String) {
    let bin = scene.at("bin");
    std::fs::create_dir_all(&bin).unwrap();
    let git = bin.join("git");
    crate::cli::executable(&git, &format!("#!/bin/sh\n{script}\n"));
    let mut path = std::ffi::OsString::from(&bin);
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let before = contents(&scene.at("."));
    let output = crate::cli::program(&scene.at("golden/frozen"))
        .env("HOME", scene.at("home"))
        .env("PATH", path)
        .args("keys --spec spec.json --repo ../../repo --files files --out new.json".split(' '))
        .output()
        .unwrap();
    let after = contents(&scene.at("."));
    let (before, after): (Vec<_>, Vec<_>) = (before.keys().collect(), after.keys().collect());
    assert_eq!(before, after, "{script}: something was written");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let code = output.status.code().unwrap();
    (code, text(output.stdout), text(output.stderr))
}

#[cfg(unix)]
#[test]
fn spec_refusals_of_what_git_answers() {
    let scene = Scene::new();
    scene.prepare();
    for (script, reason) in [
        ("cat >/dev/null; exit 1", "failed"),
        ("cat >/dev/null; echo no answer at all", "malformed"),
        (
            "cat >/dev/null; echo 'abc blob 99'; echo short",
            "malformed",
        ),
        ("cat >/dev/null; exit 0", "malformed"),
        // The program waits half a minute.
        ("exec sleep 300", "timeout"),
    ] {
        let wanted = (2, String::new(), format!("E_GIT reason={reason}\n"));
        assert_eq!(with_git(&scene, script), wanted, "{script}");
    }
}

#[test]
fn spec_refusals_of_files_that_are_no_keys() {
    let scene = Scene::new();
    scene.prepare();
    let grade = format!("grade {GIVEN} --out-private ../../run --out new.json");
    let grade = grade.replace("--keys keys.json", "--keys bad-keys.json");
    let field = |name: &'static str, new: Value| object(move |value| value[name] = new.clone());
    let first =
        |name: &'static str, new: Value| object(move |value| value["keys"][0][name] = new.clone());
    edited(&scene, "keys.json", "bad-keys.json", &|_| "{".to_owned());
    refused(&scene, &grade, "E_KEYS line=1 kind=syntax");
    edited(
        &scene,
        "keys.json",
        "bad-keys.json",
        &field("schema", json!("x")),
    );
    refused(&scene, &grade, "E_KEYS field=schema kind=unknown-value");
    edited(
        &scene,
        "keys.json",
        "bad-keys.json",
        &field("more", json!(1)),
    );
    refused(&scene, &grade, "E_KEYS field=more kind=unknown-field");
    edited(
        &scene,
        "keys.json",
        "bad-keys.json",
        &first("status", json!("fine")),
    );
    refused(
        &scene,
        &grade,
        "E_KEYS field=keys.0.status kind=unknown-value",
    );
    edited(
        &scene,
        "keys.json",
        "bad-keys.json",
        &first("key", json!("[")),
    );
    refused(&scene, &grade, "E_KEYS field=keys.0.key kind=json");
}

#[test]
fn spec_refusals_of_keys_and_places() {
    let scene = Scene::new();
    scene.prepare();
    let keys = "keys --spec spec.json --repo ../../repo --files files --out new.json";
    refused(
        &scene,
        "keys --spec spec.json --files files --out new.json",
        "E_ARGUMENT field=--repo kind=not-given",
    );
    refused(
        &scene,
        "keys --spec spec.json --repo ../../repo --out new.json",
        "E_ARGUMENT field=--files kind=not-given",
    );
    refused(
        &scene,
        &keys.replace("../../repo", "none"),
        "E_ARGUMENT field=--repo kind=missing",
    );
    refused(
        &scene,
        &format!("{keys} --facts facts-open.json --facts facts-open.json"),
        "E_FACTS field=phase kind=duplicate",
    );
    refused(
        &scene,
        &format!("{keys} --facts spec.json"),
        "E_FACTS field=schema kind=unknown-value",
    );
    std::os::unix::fs::symlink("nowhere", scene.at("golden/frozen/dangling")).unwrap();
    let places = [
        ("keys.json", "reason=exists detail=file"),
        ("dangling", "reason=exists detail=link"),
        ("../../repo/keys.json", "reason=work_tree detail=git_folder"),
        (
            "keys.json/new",
            "reason=unwritable detail=parent_not_directory",
        ),
    ];
    for (place, why) in places {
        let wanted = format!("E_PATH field=--out {why}");
        refused(&scene, &keys.replace("new.json", place), &wanted);
        let bind = format!("bind --spec spec.json --launch launch.toml --out {place}");
        refused(&scene, &bind, &wanted);
        let identity = format!(
            "identity --spec spec.json --bindings bindings.json --launch-records \
             launch-records.jsonl --out {place}"
        );
        refused(&scene, &identity, &wanted);
    }
    // What was written is private.
    use std::os::unix::fs::PermissionsExt as _;
    for name in ["keys.json", "bindings.json", "identity.json"] {
        let meta = std::fs::metadata(scene.at("golden/frozen").join(name)).unwrap();
        assert_eq!(meta.permissions().mode() & 0o777, 0o600, "{name}");
    }
}

#[test]
fn spec_refusals_of_bindings_and_identities() {
    let scene = Scene::new();
    scene.prepare();
    let bind = "bind --spec spec.json --launch bad.toml --out new.json";
    edited(&scene, "launch.toml", "bad.toml", &|text| {
        text.replace("run = \"golden-run-2026-03\"", "run = \"short\"")
    });
    refused(&scene, bind, "E_BIND field=run line=4 kind=run-id");
    edited(&scene, "launch.toml", "bad.toml", &|text| {
        text.replace("[arms.new]\n", "[arms.new]\nmodel = \"x\"\n")
    });
    refused(
        &scene,
        bind,
        "E_BIND field=arms.new.model line=13 kind=unknown-field",
    );
    std::fs::write(scene.at("golden/frozen/repo/harbour.py"), "changed").unwrap();
    refused(
        &scene,
        "bind --spec spec.json --launch launch.toml --out new.json",
        "E_BIND field=arms.old.inputs.0.sha256 line=9 kind=input-hash",
    );
    let identity = "identity --spec spec.json --bindings bindings.json --launch-records bad.jsonl --out new.json";
    let cases: [(&str, &str, &str); 6] = [
        (
            "5e550003-0001-4000-8000-000000000001",
            "5e550003-0001-4000-8000-00000000ffff",
            "E_IDENTITY_SOURCE kind=main row=2 reason=missing",
        ),
        (
            "5e550003-0001-4000-8000-000000000001",
            "5e550020-0001-4000-8000-000000000001",
            "E_IDENTITY_SOURCE kind=main row=2 reason=shared",
        ),
        (
            "a0007000000000001",
            "a000700000000ffff",
            "E_IDENTITY_SOURCE kind=subagent row=6 reason=missing",
        ),
        (
            "019cb4db-5900-7001-8000-002a00000001",
            "019cb4db-5900-7001-8000-002a0000ffff",
            "E_IDENTITY_SOURCE kind=codex-exec row=13 reason=missing",
        ),
        (
            "old-catalogue.md",
            "none.md",
            "E_IDENTITY_SOURCE kind=file row=19 reason=missing",
        ),
        (
            "\"actor\": \"codex-exec\", \"root\": \"sessions\", \"file\"",
            "\"actor\": \"main\", \"root\": \"sessions\", \"file\"",
            "E_IDENTITY_INVALID row=14 field=actor kind=not-of-dispatch",
        ),
    ];
    for (old, new, wanted) in cases {
        edited(&scene, "launch-records.jsonl", "bad.jsonl", &|text| {
            text.replacen(old, new, 1)
        });
        refused(&scene, identity, wanted);
    }
    // The same session once more under the root: nobody can say which of the two it was.
    let project = "golden/claude-stale-run/claude/projects/-home-dev-lantern";
    let session = "5e550003-0001-4000-8000-000000000001.jsonl";
    let copy = scene.at("golden/claude-stale-run/claude/copy.jsonl");
    std::fs::copy(scene.at(project).join(session), copy).unwrap();
    refused(
        &scene,
        &identity.replace("bad.jsonl", "launch-records.jsonl"),
        "E_IDENTITY_SOURCE kind=main row=2 reason=ambiguous",
    );
}

#[test]
fn spec_refusals_of_a_grade() {
    let scene = Scene::new();
    scene.prepare();
    let grade = format!("grade {GIVEN} --out-private ../../run --out sums.json");
    let with = |old: &str, new: &str| grade.replace(old, new);
    edited(
        &scene,
        "bindings.json",
        "bad-bindings.json",
        &object(|value| {
            value.as_object_mut().unwrap().shift_remove("windows");
        }),
    );
    refused(
        &scene,
        &with("bindings.json", "bad-bindings.json"),
        "E_BIND field=windows kind=missing",
    );
    edited(
        &scene,
        "identity.json",
        "bad-identity.json",
        &object(|value| {
            value["rows"][0]["identity"] = json!("golden-run-2026-03.new.glow.01");
        }),
    );
    refused(
        &scene,
        &with("identity.json", "bad-identity.json"),
        "E_IDENTITY_INVALID row=1 field=identity kind=identity",
    );
    edited(
        &scene,
        "identity.json",
        "bad-identity.json",
        &object(|value| {
            value["rows"][1]["locator"] = value["rows"][0]["locator"].clone();
        }),
    );
    refused(
        &scene,
        &with("identity.json", "bad-identity.json"),
        "E_IDENTITY_SOURCE kind=main row=2 reason=shared",
    );
    edited(
        &scene,
        "identity.json",
        "bad-identity.json",
        &object(|value| {
            value["run"] = json!("another-run-2026");
        }),
    );
    refused(
        &scene,
        &with("identity.json", "bad-identity.json"),
        "E_IDENTITY_INVALID row=0 field=run kind=other-run",
    );
    edited(
        &scene,
        "keys.json",
        "bad-keys.json",
        &object(|value| {
            value["keys"][0]["key"] = json!("[\"11\"]");
        }),
    );
    refused(
        &scene,
        &with("keys.json", "bad-keys.json"),
        "E_KEYS_MISMATCH field=key",
    );
    edited(
        &scene,
        "keys.json",
        "bad-keys.json",
        &object(|value| {
            value["spec"] = json!("0".repeat(64));
        }),
    );
    refused(
        &scene,
        &with("keys.json", "bad-keys.json"),
        "E_KEYS_MISMATCH field=spec",
    );
    edited(&scene, "judgments.jsonl", "bad-judgments.jsonl", &|text| {
        text.replace("slow-tests-count", "tests-told")
    });
    refused(
        &scene,
        &with("judgments.jsonl", "bad-judgments.jsonl"),
        "E_JUDGMENT row=1 field=check kind=not-judged",
    );
    refused(
        &scene,
        &with(" --keys keys.json", ""),
        "E_ARGUMENT field=--keys kind=not-given",
    );
    refused(
        &scene,
        &with("../../run", "../../repo/run"),
        "E_PATH field=--out-private reason=work_tree detail=git_folder",
    );
    refused(
        &scene,
        &with("sums.json", "spec.json"),
        "E_PATH field=--out reason=exists detail=file",
    );
    refused(
        &scene,
        &format!("{grade} golden"),
        "E_USAGE kind=conflict field=--bindings help=\"deedcheck grade --help\"",
    );
}

/// A private value that comes into the sums by way of the spec's own words.
#[test]
fn spec_refusals_of_what_is_private() {
    let scene = Scene::new();
    edited(&scene, "spec.toml", "spec.toml", &|text| {
        text.replace("id = \"old-and-new-clients\"", "id = \"lantern-old-4417\"")
    });
    scene.prepare();
    let grade = format!("grade {GIVEN} --out-private ../../run --out sums.json");
    let before = contents(&scene.at("golden"));
    let said = scene.run(&grade);
    assert_eq!((said.code, said.out.as_str()), (2, ""));
    assert!(
        said.err.starts_with("E_PRIVACY output=--out kind="),
        "{}",
        said.err
    );
    // The sums are withheld, and the private directory is complete: regrading says the same.
    assert!(contents(&scene.at("golden")) == before);
    let again = "regrade --from ../../run --out-private ../../two --out sums.json";
    assert_eq!(scene.run(again), said);
}
