//! The rules of the house, held by reading the source.

mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use deedcheck::rule::registry::RULES;

use super::rule_spec::{FINDINGS, KINDS};
use source::{files, root, sources};

/// Which modules of the crate a stage may name. Data flows one way: source → transcript → turn →
/// rule → grade → aggregate → report; `text`, `shell`, `canon` and `private` are libraries, and
/// `pipeline` and `cli` stand above the stages. What no stage names yet is not listed.
const EDGES: &[(&str, &[&str])] = &[
    ("text", &[]),
    ("shell", &[]),
    ("canon", &[]),
    ("private", &[]),
    ("oracle", &["shell"]),
    ("source", &[]),
    ("spec", &["canon", "oracle"]),
    ("transcript", &["source"]),
    ("turn", &["shell", "transcript"]),
    ("record", &["canon", "source", "transcript", "turn"]),
    ("rule", &["shell", "text", "transcript", "turn"]),
    ("capture", &["canon", "private", "spec"]),
    ("grade", &["rule", "shell", "source", "transcript", "turn"]),
    (
        "frozen",
        &[
            "capture",
            "grade",
            "oracle",
            "private",
            "record",
            "rule",
            "shell",
            "source",
            "spec",
            "transcript",
            "turn",
        ],
    ),
    ("aggregate", &["grade", "rule"]),
    ("calibrate", &["aggregate", "grade"]),
    ("report", &["aggregate", "grade"]),
    ("page", &["aggregate", "grade", "private", "report"]),
    (
        "pipeline",
        &[
            "grade",
            "private",
            "record",
            "rule",
            "shell",
            "source",
            "text",
            "transcript",
            "turn",
        ],
    ),
    (
        "golden",
        &[
            "aggregate",
            "canon",
            "frozen",
            "grade",
            "oracle",
            "pipeline",
            "private",
            "report",
            "source",
            "spec",
            "transcript",
        ],
    ),
    (
        "control",
        &[
            "grade", "oracle", "page", "pipeline", "private", "rule", "source",
        ],
    ),
    ("differential", &["control", "pipeline", "rule", "source"]),
    (
        "cli",
        &[
            "aggregate",
            "calibrate",
            "canon",
            "capture",
            "control",
            "differential",
            "frozen",
            "golden",
            "grade",
            "oracle",
            "page",
            "pipeline",
            "private",
            "record",
            "report",
            "rule",
            "source",
            "spec",
            "transcript",
            "turn",
        ],
    ),
];

/// What the library must not touch, by the names right below `std`.
const SURROUNDINGS: [&str; 4] = ["env", "process", "time", "net"];

/// Uses of [`SURROUNDINGS`] that are no surroundings of a run.
const SURROUNDINGS_ALLOWED: &[(&str, &str, &str)] = &[
    ("src/main.rs", "env", "the one place that reads it"),
    ("src/main.rs", "process", "the exit code"),
    (
        "src/spec/git.rs",
        "process",
        "git is asked for pinned content, by the commands that make keys and look seals up",
    ),
    ("src/spec/git.rs", "time", "how long git may take"),
    (
        "src/capture/apart.rs",
        "process",
        "what starts commands is the program once more, apart from the operator's process",
    ),
    (
        "src/capture/run.rs",
        "process",
        "declared commands are run, on the operator's word",
    ),
    ("src/capture/run.rs", "time", "how long a command may take"),
    (
        "src/capture/repository.rs",
        "time",
        "how long git may take, which is asked through the former",
    ),
    ("src/capture/take.rs", "time", "how long a command may take"),
    (
        "src/capture/process.rs",
        "process",
        "this process is left out of the list of processes",
    ),
    (
        "src/capture/workspace.rs",
        "process",
        "the process id makes the name of a temporary folder its own",
    ),
    (
        "src/capture/environment.rs",
        "env",
        "paths of a variable are split and joined; it is handed in",
    ),
    (
        "src/differential/peer.rs",
        "process",
        "the other checker of a comparison, which an operator names; no other command comes here",
    ),
    (
        "src/differential/peer.rs",
        "time",
        "how long the other checker may take",
    ),
    (
        "src/private/publish.rs",
        "process",
        "the process id makes the name of an unfinished file its own",
    ),
];

/// Files that are longer than they may be, each with why it still is.
const TOO_LONG: &[(&str, &str)] = &[];

const LINES: usize = 600;

/// Words of the vendors' formats. A new one belongs here as soon as an adapter reads it.
const SPELLINGS: &[&str] = &[
    "AskUserQuestion",
    "ExitPlanMode",
    "MultiEdit",
    "NotebookEdit",
    "TodoWrite",
    "apply_patch",
    "custom_tool_call",
    "event_msg",
    "exec_command",
    "function_call",
    "isSidechain",
    "local_shell",
    "parentUuid",
    "response_item",
    "sessionId",
    "session_meta",
    "task_notification",
    "thread.started",
    "toolUseResult",
    "tool_result",
    "tool_use",
    "toolu_",
    "turn_context",
];

/// Where a vendor's spelling stands for another reason than reading that vendor's records.
const SPELLINGS_ALLOWED: &[(&str, &[&str], &str)] = &[
    (
        "src/rule/gate/adapter.rs",
        &["MultiEdit", "NotebookEdit"],
        "the published adapter knows these tools by name, and is imitated to the bit",
    ),
    (
        "src/control/session/claude.rs",
        SPELLINGS,
        "writes what that client would have stored, for the adapter to read",
    ),
    (
        "src/control/session/codex.rs",
        SPELLINGS,
        "writes what that client would have stored, for the adapter to read",
    ),
    (
        "src/shell/classify.rs",
        &["apply_patch"],
        "a program of that name can be run from a shell",
    ),
    (
        "src/private/canary/planted.rs",
        &["toolu_"],
        "the shape of an id that must not be published",
    ),
    (
        "src/golden/scrub/token.rs",
        &["toolu_"],
        "the shape of an id that a copy must not hold, whoever's it is",
    ),
];

#[test]
fn modules_name_only_what_stands_before_them() {
    let mut wrong = Vec::new();
    let mut seen: BTreeSet<(String, String)> = BTreeSet::new();
    for source in sources() {
        let module = source.module();
        let Some(stage) = module.first().filter(|stage| **stage != "main") else {
            continue;
        };
        let allowed = EDGES.iter().find(|(name, _)| name == stage);
        let Some((_, allowed)) = allowed else {
            wrong.push(format!(
                "{}: no line for `{stage}` in the table",
                source.path
            ));
            continue;
        };
        // Climbing to the root by `super` is another spelling of `crate`.
        let climb = vec!["super"; module.len()].join("::");
        let mut named = source.below("crate");
        named.extend(
            source
                .below(&climb)
                .into_iter()
                .filter(|name| name != "super"),
        );
        for name in named.into_iter().filter(|name| name != stage) {
            if allowed.contains(&name.as_str()) {
                seen.insert(((*stage).to_owned(), name));
            } else {
                wrong.push(format!("{}: crate::{name}", source.path));
            }
        }
    }
    assert!(wrong.is_empty(), "against the table: {wrong:#?}");
    for (stage, allowed) in EDGES {
        for name in *allowed {
            let edge = ((*stage).to_owned(), (*name).to_owned());
            assert!(
                seen.contains(&edge),
                "no {stage} → {name} any more: take it out"
            );
        }
    }
}

#[test]
fn the_table_has_no_way_back() {
    let place: BTreeMap<&str, usize> = EDGES
        .iter()
        .enumerate()
        .map(|(at, (name, _))| (*name, at))
        .collect();
    for (stage, allowed) in EDGES {
        for name in *allowed {
            assert!(place[name] < place[stage], "{stage} → {name}");
        }
    }
}

#[test]
fn the_library_prints_nothing_and_knows_no_surroundings() {
    let printing = [
        "println!",
        "print!",
        "eprintln!",
        "eprint!",
        "dbg!",
        "stdout()",
        "stderr()",
        "stdin()",
    ];
    let mut wrong = Vec::new();
    for source in sources() {
        let allowed = |name: &str| {
            SURROUNDINGS_ALLOWED
                .iter()
                .any(|(path, allowed, _)| *path == source.path && *allowed == name)
        };
        for name in source.below("std") {
            if SURROUNDINGS.contains(&name.as_str()) && !allowed(&name) {
                wrong.push(format!("{}: std::{name}", source.path));
            }
        }
        if source.path != "src/main.rs" {
            for call in printing.iter().filter(|call| source.bare.contains(**call)) {
                wrong.push(format!("{}: {call}", source.path));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Whatever can start a program, in std or in what we build on.
const STARTING: [&str; 9] = [
    "Command::new(",
    "process::Command",
    "CommandExt",
    ".spawn()",
    ".exec()",
    "execve",
    "posix_spawn",
    "fork(",
    "libc::",
];

/// The only files that may.
const STARTERS: [&str; 4] = [
    "src/capture/apart.rs",
    "src/capture/run.rs",
    "src/spec/git.rs",
    "src/differential/peer.rs",
];

#[test]
fn only_what_an_operator_asks_for_starts_a_program() {
    let mut wrong = Vec::new();
    let mut starting = BTreeSet::new();
    for source in sources() {
        for word in STARTING.iter().filter(|word| source.bare.contains(**word)) {
            if STARTERS.contains(&source.path.as_str()) {
                starting.insert(source.path.clone());
            } else {
                wrong.push(format!("{}: {word}", source.path));
            }
        }
        // The half that runs things is asked by its own command and by nobody else.
        let named = source.below("crate::capture").into_iter();
        let asked = named.filter(|name| ["take", "plan", "Request"].contains(&name.as_str()));
        if source.path != "src/cli/capture.rs" {
            wrong.extend(asked.map(|name| format!("{}: capture::{name}", source.path)));
        }
        // And git, whose own clock is not asked in grading either, by the commands that lead up to it.
        let before = ["bind", "keys", "spec"].map(|name| format!("src/cli/{name}.rs"));
        let git = source
            .below("crate::spec")
            .into_iter()
            .any(|name| name == "Git");
        if git && !before.contains(&source.path) {
            wrong.push(format!("{}: spec::Git", source.path));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(
        starting.len(),
        STARTERS.len(),
        "only {starting:?} start any"
    );
}

#[test]
fn no_file_is_too_long_to_read() {
    let mut long = BTreeSet::new();
    for folder in ["src", "tests", "xtask", "benches", "fuzz"] {
        for path in files(folder)
            .into_iter()
            .filter(|path| path.ends_with(".rs"))
        {
            let name = path.rsplit('/').next().unwrap_or("");
            assert!(
                !["utils.rs", "util.rs", "common.rs", "misc.rs"].contains(&name),
                "{path}: say what it does"
            );
            let text = std::fs::read_to_string(root().join(&path)).unwrap();
            if text.lines().count() > LINES {
                long.insert(path);
            }
        }
    }
    let known: BTreeSet<String> = TOO_LONG
        .iter()
        .map(|(path, _)| (*path).to_owned())
        .collect();
    let new: Vec<_> = long.difference(&known).collect();
    assert!(new.is_empty(), "over {LINES} lines: {new:?}");
    let shortened: Vec<_> = known.difference(&long).collect();
    assert!(
        shortened.is_empty(),
        "no longer too long, take out: {shortened:?}"
    );
}

#[test]
fn a_vendor_s_spelling_stands_in_its_adapter_only() {
    let readers = ["claude/", "codex/", "sniff.rs", "glance.rs", "decode.rs"]
        .map(|name| format!("src/transcript/{name}"));
    let mut wrong = Vec::new();
    let mut read = BTreeSet::new();
    for source in sources() {
        let own = readers
            .iter()
            .any(|reader| source.path.starts_with(reader.as_str()));
        for word in SPELLINGS.iter().filter(|word| source.code.contains(**word)) {
            let allowed = SPELLINGS_ALLOWED
                .iter()
                .any(|(path, words, _)| *path == source.path && words.contains(word));
            if own {
                read.insert(*word);
            } else if !allowed {
                wrong.push(format!("{}: {word}", source.path));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(
        read.len() > 15,
        "the spellings are not those that adapters read: {read:?}"
    );
}

#[test]
fn every_rule_has_an_id_a_page_and_fixtures() {
    // Those of claims are generated: `tests/claims`.
    let without_fixtures = ["gate", "claim"];
    let mut ids = BTreeSet::new();
    for rule in RULES {
        let kebab = !rule.id.is_empty()
            && rule.id.split('-').all(|word| {
                !word.is_empty()
                    && word
                        .bytes()
                        .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
            });
        assert!(kebab, "{}: not kebab-case", rule.id);
        assert!(ids.insert(rule.id), "{}: twice", rule.id);
        assert!(
            rule.page.starts_with(&format!("# {}\n", rule.id)),
            "{}: page",
            rule.id
        );
        assert!(rule.question.ends_with('?'), "{}: asks nothing", rule.id);
        let verdicts: BTreeSet<_> = rule.verdicts.iter().collect();
        assert!(
            verdicts.len() == rule.verdicts.len() && !verdicts.is_empty(),
            "{}",
            rule.id
        );
        let fixtures = root().join(format!("tests/rules/{}.md", rule.id));
        assert!(
            fixtures.is_file() || rule.family != "gate" || without_fixtures.contains(&rule.id),
            "{}: no tests/rules/{}.md",
            rule.id,
            rule.id
        );
    }
    // The pages of `rule_spec` stand for kinds of one rule, or for none; what they leave out, it checks.
    let written = |stem: &str| {
        let pages = KINDS.iter().chain(&FINDINGS);
        pages.chain(&["asks", "README"]).any(|page| *page == stem)
    };
    for path in files("tests/rules") {
        // Cases that were written for guards, whichever rule they are of.
        if path.ends_with("/open.txt") || path.starts_with("tests/rules/controls/") {
            continue;
        }
        let stem = path
            .rsplit('/')
            .next()
            .and_then(|name| name.strip_suffix(".md"));
        assert!(
            stem.is_some_and(|stem| ids.contains(stem) || written(stem)),
            "{path}: no such rule"
        );
    }
}

/// A stranger must be able to read the repository: nothing in it may name the place it was made at.
#[test]
fn nothing_names_the_place_it_was_made_at() {
    // Split, so that this file does not find itself.
    let everywhere = [
        ["/wo", "rk/"],
        ["/tmp", "/wt"],
        ["/tmp/", "brief"],
        ["/root/", ".cargo"],
        ["crates.io-", "1949"],
        ["index.crates", ".io"],
        ["issue ", "#"],
        ["opt/", "wheels"],
    ]
    .map(|halves| halves.concat());
    // Transcripts and commands of others may well speak of these.
    let prose =
        [["help", "er"], ["sub-", "session"], ["/tmp/", "deny"]].map(|halves| halves.concat());
    let data = [
        "tests/edge/",
        "tests/cases/",
        "tests/rules/controls/",
        "tests/rules/open.txt",
        "golden/",
        "calibration/",
        "src/oracle/kind/name_set/",
        "src/shell/",
        "src/rule/claim/reader/",
        "xtask/generated/",
        "schemas/",
    ];
    let mut wrong = Vec::new();
    for path in files(".")
        .into_iter()
        .map(|path| path.trim_start_matches("./").to_owned())
    {
        let bytes = std::fs::read(root().join(&path)).unwrap();
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        // It makes up homes of people who have a folder for their work.
        if path == "tests/canary/generate.py" {
            continue;
        }
        let of_data = data.iter().any(|folder| path.starts_with(folder)) || path == "Cargo.lock";
        let needles = everywhere.iter().chain(prose.iter().filter(|_| !of_data));
        for needle in needles.filter(|needle| text.contains(needle.as_str())) {
            wrong.push(format!("{path}: {needle}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// `arbitrary_precision` makes every number a string inside and comes unasked with a dependency's
/// feature. `float_roundtrip` must ship: the exact gate profiles repeat numbers to the last digit,
/// and test builds have it anyway, by the schema validator.
#[test]
fn the_json_reader_ships_with_exact_numbers() {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let out = Command::new(cargo)
        .args([
            "tree",
            "--offline",
            "--package",
            "deedcheck",
            "--edges",
            "normal",
        ])
        .args(["--prefix", "none", "--format", "{p} {f}"])
        .current_dir(root())
        .output()
        .expect("cargo itself is needed for this test");
    assert!(
        out.status.success(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    let text = String::from_utf8(out.stdout).unwrap();
    let line = text
        .lines()
        .find(|line| line.starts_with("serde_json "))
        .unwrap();
    assert!(line.contains("raw_value"), "{line}");
    assert!(line.contains("float_roundtrip"), "{line}");
    assert!(!line.contains("arbitrary_precision"), "{line}");
    for absent in ["schemars ", "jsonschema ", "openssl", "tokio ", "reqwest "] {
        assert!(!text.contains(absent), "{absent}ships");
    }
}
