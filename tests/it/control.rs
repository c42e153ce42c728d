//! The controls that are built in: they land, and each guard flips exactly its own.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use deedcheck::control::{
    Control, Expect, FAMILIES, FILES, Guard, ORACLE, canaries, disarm_all, examples, family_of,
    kinds, named, pages, parse, rules, run,
};
use deedcheck::oracle::KINDS;
use deedcheck::rule::registry::RULES;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("calibration/controls")
}

fn all() -> Vec<Control> {
    let mut all = Vec::new();
    for part in [rules(), kinds(), examples(), canaries(), pages()] {
        all.extend_from_slice(part);
    }
    all
}

fn say(line: &str) {
    let _ = std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes());
}

#[test]
fn every_file_is_built_in_and_is_one() {
    let mut lying = BTreeSet::new();
    for family in std::fs::read_dir(folder()).unwrap() {
        let family = family.unwrap();
        for file in std::fs::read_dir(family.path()).into_iter().flatten() {
            let name = file.unwrap().file_name().into_string().unwrap();
            if let Some(rule) = name.strip_suffix(".toml") {
                let family = family.file_name().into_string().unwrap();
                lying.insert((family, rule.to_owned()));
            }
        }
    }
    let mut ids = BTreeSet::new();
    for (family, rule, text) in FILES {
        let own = ((*family).to_owned(), (*rule).to_owned());
        assert!(lying.remove(&own), "{family}/{rule}");
        assert_eq!(family_of(rule), Some(*family), "{rule}");
        let controls = parse(text, rule).unwrap_or_else(|error| panic!("{rule}: {error}"));
        assert!(!controls.is_empty(), "{rule}");
        for control in controls {
            assert_eq!(control.rule, *rule);
            assert!(ids.insert(control.id.clone()), "{}: twice", control.id);
        }
    }
    assert!(lying.is_empty(), "not built in: {lying:?}");
}

#[test]
fn guards_stand_in_the_registry_and_have_controls() {
    let known: BTreeSet<(&str, &str)> = Guard::all()
        .into_iter()
        .map(|guard| (guard.family(), guard.name()))
        .collect();
    let mut declared = BTreeSet::new();
    for kind in KINDS {
        declared.extend(kind.guards.iter().map(|guard| (ORACLE, *guard)));
    }
    for rule in RULES {
        for guard in rule.guards {
            let own = (rule.family, *guard);
            assert!(known.contains(&own), "{}: {guard}", rule.id);
            declared.insert(own);
        }
    }
    let all = all();
    for control in &all {
        let rule = RULES.iter().find(|rule| rule.id == control.rule);
        for guard in control.guards.iter().filter(|_| rule.is_some()) {
            let own = rule.is_some_and(|rule| rule.guards.contains(&guard.name()));
            assert!(own, "{}: {} has no guard {guard}", control.id, control.rule);
        }
    }
    let mut missing = Vec::new();
    for guard in Guard::all() {
        let canary = guard.family() == "canary";
        let stands = canary || declared.contains(&(guard.family(), guard.name()));
        assert!(stands, "{guard} stands in no line of the registry");
        if !all.iter().any(|control| control.guards.contains(&guard)) {
            missing.push(guard.to_string());
        }
    }
    assert!(missing.is_empty(), "no control of its own: {missing:#?}");
}

#[test]
fn every_control_lands() {
    let all = all();
    let begun = Instant::now();
    let strayed: Vec<String> = all
        .iter()
        .zip(run(&all, None))
        .filter_map(|(control, elsewhere)| Some(format!("{}: {:?}", control.id, elsewhere?)))
        .collect();
    let mut line = format!(
        "controls: {} in {} ms",
        all.len(),
        begun.elapsed().as_millis()
    );
    for family in FAMILIES {
        let mut origins: BTreeMap<&str, usize> = BTreeMap::new();
        for control in all.iter().filter(|control| control.family == family) {
            *origins.entry(control.origin_class()).or_insert(0) += 1;
        }
        let _ = write!(line, "; {family} {origins:?}");
    }
    line.push('\n');
    say(&line);
    let count = strayed.len();
    assert!(strayed.is_empty(), "{count} strayed: {strayed:#?}");
}

#[test]
fn each_guard_flips_exactly_its_own_controls() {
    let begun = Instant::now();
    let guards = Guard::all();
    let all = all();
    let matrix = disarm_all(&guards, &all.iter().collect::<Vec<_>>());
    assert_eq!(matrix.len(), guards.len());
    let wrong: Vec<_> = matrix
        .iter()
        .filter(|one| !one.is_exact())
        .map(|one| (one.guard.to_string(), &one.missing, &one.extra))
        .collect();
    let flipped: usize = matrix.iter().map(|one| one.flipped.len()).sum();
    say(&format!(
        "disarmed: {} guards, {flipped} flips, {} ms\n",
        matrix.len(),
        begun.elapsed().as_millis()
    ));
    assert!(wrong.is_empty(), "{} not exact: {wrong:#?}", wrong.len());
}

fn copied(to: &Path) {
    for (family, rule, text) in FILES {
        std::fs::create_dir_all(to.join(family)).unwrap();
        std::fs::write(to.join(family).join(format!("{rule}.toml")), text).unwrap();
    }
}

fn deedcheck(args: &[&str], dir: &Path) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_deedcheck"))
        .args(args)
        .arg("--controls")
        .arg(dir)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let code = output.status.code();
    (code, text(output.stdout), text(output.stderr))
}

#[test]
fn a_broken_control_fails_a_run_and_is_named() {
    let copy = tempfile::tempdir().unwrap();
    copied(copy.path());
    let (code, _, err) = deedcheck(&["grade", "--demo"], copy.path());
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let path = copy.path().join("claim/tests.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    let broken = text.replacen(
        "verdict = [\"supported\"]",
        "verdict = [\"contradicted\"]",
        1,
    );
    let at = text.find("verdict = [\"supported\"]").unwrap();
    let id = text[..at].rsplit("id = \"").next().unwrap();
    let id = id.split('"').next().unwrap();
    std::fs::write(&path, broken).unwrap();
    let (code, out, err) = deedcheck(&["grade", "--demo"], copy.path());
    assert_eq!(code, Some(1), "{err}");
    let line = format!("control {id} landed elsewhere: expected ");
    assert!(err.starts_with(&line), "{err}");
    assert_eq!(err.lines().count(), 1, "{err}");
    assert!(out.contains(&line), "{out}");
    let (code, out, _) = deedcheck(&["controls", "--family", "claim"], copy.path());
    assert_eq!(code, Some(1));
    assert!(out.contains(&line), "{out}");
}

#[test]
fn a_file_of_controls_is_refused_by_place() {
    let refused = |text: &str| parse(text, "own/a.toml").unwrap_err().to_string();
    assert_eq!(
        refused("rule = \"tests\"\nodd = 1\n"),
        "E_CONTROL file=own/a.toml line=2 field=odd kind=invalid"
    );
    assert_eq!(
        refused("rule = \"nothing\"\n"),
        "E_CONTROL file=own/a.toml control=0 field=rule kind=unknown-value"
    );
    let control = |guard: &str, words: &str| {
        let session = "operator: Go\nclose:\nAll tests pass.\n";
        format!(
            "rule = \"tests\"\n[[control]]\nid = \"a\"\nguard = \"{guard}\"\norigin = \"reader\"\n\
             expect = [{{ claim = [\"tests\"], words = \"{words}\", verdict = [\"unsupported\"] }}]\n\
             [control.input]\nclient = \"codex\"\nsession = '''\n{session}'''\n"
        )
    };
    let whole = parse(&control("stale-edit", "All tests pass"), "own/a.toml").unwrap();
    assert_eq!(whole.len(), 1);
    assert!(run(&whole, None)[0].is_none());
    assert_eq!(
        refused(&control("nothing", "All tests pass")),
        "E_CONTROL file=own/a.toml control=1 field=guard kind=unknown-value"
    );
    assert_eq!(
        refused(&control("stale-edit", "Some tests pass")),
        "E_CONTROL file=own/a.toml control=1 field=expect kind=no-such-place"
    );
}

#[test]
fn what_a_run_left_behind_is_refused_where_it_is_none() {
    let control = |kind: &str, run: &str, expect: &str| {
        let text = format!(
            "rule = \"{kind}\"\n[params]\n{}\n[run]\ncalls = []\n[[control]]\nid = \"a\"\norigin = \"reader\"\n\
             expect = [{{ {expect} }}]\n[control.input]\nanswer = \"\"\n{run}\n",
            match kind {
                "lane-use" => "lane = \"x\"\npredicates = [{ program = \"x\" }]",
                _ => "",
            }
        );
        parse(&text, "a.toml").map_err(|error| error.to_string())
    };
    let refused = |kind: &str, run: &str| control(kind, run, "status = \"pass\"").unwrap_err();
    let place = "E_CONTROL file=a.toml control=1 field=input.run";
    let odd = "run = { calls = [{ id = \"c\", tool = \"t\", state = \"maybe\" }] }";
    assert_eq!(refused("lane-use", odd), format!("{place} kind=invalid"));
    let more = "run = { told = 1 }";
    assert_eq!(refused("lane-use", more), format!("{place} kind=invalid"));
    assert_eq!(refused("int-fact", ""), format!("{place} kind=other-kind"));
    // What the file says of the run stands where a control says nothing else.
    let unused = "status = \"fail\", reasons = [\"not-adopted\"]";
    let unseen = "status = \"unknown\", reasons = [\"calls-unobserved\"]";
    for (run, expect, other) in [
        ("", unused, unseen),
        ("run = { calls-observed = false }", unseen, unused),
    ] {
        let landed = |expect| run_one(&control("lane-use", run, expect).unwrap());
        assert!(landed(expect) && !landed(other), "{run}");
    }
}

fn run_one(controls: &[Control]) -> bool {
    run(controls, None) == [None]
}

/// What is told beside a verdict is held, as far as it is named.
#[test]
fn facts_beside_a_verdict_are_held() {
    let mut control = kinds()
        .iter()
        .find(|own| own.id == "representation-size-conversion-lost")
        .unwrap()
        .clone();
    let alone = std::slice::from_ref(&control);
    assert!(run_one(alone));
    let Some(Expect::Check(answered)) = control.expect.first_mut() else {
        panic!("an answer is checked");
    };
    answered.facts.insert("bytes".to_owned(), 20.into());
    let elsewhere = run(std::slice::from_ref(&control), None).remove(0).unwrap();
    assert_eq!(elsewhere.expected, "pass bytes=20 lost=[\"neap\"]");
    assert_eq!(elsewhere.got, "pass bytes=[19] lost=[\"neap\"]");
}

/// A control of a user's own.
const OWN: &str = r#"rule = "int-fact"

[[control]]
id = "own/right"
origin = "reader"
expect = [{ status = "pass" }]

[control.input]
answer = "There are 3 gates."
params = { labels = ["gates"], nouns = [], direction = "both", fallback = "none" }
key = { value = 3 }
"#;

#[test]
fn guards_of_check_kinds_are_named_by_their_kind() {
    let of = |name: &str| {
        let found = named(name);
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        found.join(" ")
    };
    assert_eq!(
        of("oracle/int-fact/bare-first"),
        "oracle/int-fact/bare-first"
    );
    assert_eq!(of("int-fact/bare-first"), "oracle/int-fact/bare-first");
    assert_eq!(of("bare-first"), "oracle/int-fact/bare-first");
    assert!(named("key-shape").len() > 10);
    assert_eq!(of("oracle/key-shape"), "");
    let own = tempfile::tempdir().unwrap();
    std::fs::write(own.path().join("own.toml"), OWN).unwrap();
    let args = ["controls", "--disarm", "oracle/int-fact/key-shape"];
    let (code, out, err) = deedcheck(&args, own.path());
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.contains("without oracle/int-fact/key-shape"), "{out}");
    assert!(out.contains("flipped  int-fact/page-38"), "{out}");
}
