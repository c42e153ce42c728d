//! Judgments, attempts that cannot be read, and bases.

use serde_json::json;

use super::super::*;
use super::{RUN, Scene, launch, tasks};
use crate::spec::Keys;
use crate::spec::tests::{KINDS, SPEC};

/// A quote that does not stand in the answer makes its judgment say nothing, whatever the verdict and
/// whether or not the check needed a judge; and it is counted.
#[test]
fn a_made_up_quote_is_refused_and_counted() {
    let scene = Scene::new(SPEC);
    let counts = |answer: &str, verdict: &str, quote: &str| {
        let identity = format!("{RUN}.with.berths.1");
        let judgment = json!({"identity": identity, "check": "berths-count",
            "verdict": verdict, "quotes": [quote]});
        let graded = scene.grade(&[("with.berths.1", answer)], &judgment.to_string());
        let row = graded.rows.iter().find_map(|row| match row {
            FrozenRow::Check(row) => Some((**row).clone()),
            FrozenRow::Task(_) => None,
        });
        let row = row.unwrap();
        let reasons: Vec<String> = row.reasons.into_iter().collect();
        let cells = ["judged", "refused", "unused"];
        let cells = cells.map(|cell| graded.sums.judgments.cell(cell));
        (row.verdict, reasons.join(","), row.judged, cells)
    };
    let refused = ("unknown", "judge-quote".to_owned(), false, [0, 1, 0]);
    for verdict in ["pass", "fail", "unknown"] {
        assert_eq!(counts("A pair.", verdict, "Two"), refused, "{verdict}");
    }
    let spoken = ("unknown", "judge-unavailable".to_owned(), true, [1, 0, 0]);
    assert_eq!(counts("A pair.", "unknown", "A pair"), spoken);
    // The grammar read this one by itself.
    let read = |cells| ("pass", String::new(), false, cells);
    assert_eq!(counts("2 berths.", "fail", "Two"), read([0, 1, 0]));
    assert_eq!(counts("2 berths.", "fail", "2"), read([0, 0, 1]));
}

/// A judgment of something that is no part of the run is refused, and not passed over.
#[test]
fn a_judgment_of_nothing_in_the_run_is_refused() {
    let scene = Scene::new(SPEC);
    let bindings = scene.bindings();
    let records = scene.records(&[("with.berths.1", "A pair.")]);
    let table = scene.identified(&records, &bindings);
    let text = String::from_utf8(crate::canon::to_vec(&table).unwrap()).unwrap();
    let identity = read_identity(&text, &scene.sealed, &bindings).unwrap();
    let line = |attempt: u32| {
        json!({"identity": format!("{RUN}.with.berths.{attempt}"), "check": "berths-count",
            "verdict": "unknown", "quotes": []})
    };
    let judgments = format!("{}\n{}\n", line(1), line(2));
    let graded = grade(&Inputs {
        sealed: &scene.sealed,
        kinds: KINDS,
        bindings: &bindings,
        attempts: &OnDisk::new(&bindings, scene.beside()),
        identity: &identity,
        keys: &Keys::none(&scene.sealed.spec),
        judgments: &Judgments::read(&judgments, &scene.sealed).unwrap(),
        captures: &Captures::default(),
        ledger: &Ledger::default(),
    });
    assert_eq!(
        graded.unwrap_err().to_string(),
        "E_JUDGMENT row=2 field=identity kind=unknown-identity"
    );
}

/// What is awaited tells a judge all that he needs, and filled in it is a judgment.
#[test]
fn an_awaited_judgment_can_be_filled_in() {
    let scene = Scene::new(SPEC);
    let answers = [("with.berths.1", "A pair of them.")];
    let graded = scene.grade(&answers, "");
    let [one] = graded.awaited.as_slice() else {
        panic!("{:?}", graded.awaited);
    };
    assert_eq!(one.about.answer, "A pair of them.");
    assert_eq!(
        one.about.prompt.as_deref(),
        Some("How many berths are there?")
    );
    assert_eq!(
        (one.about.key.as_str(), one.about.kind.as_str()),
        ("2", "holds")
    );
    assert_eq!(one.about.question, "Does the answer hold the key?");
    let mut line = serde_json::to_value(one).unwrap();
    line["verdict"] = json!("pass");
    line["quotes"] = json!(["A pair"]);
    let graded = scene.grade(&answers, &line.to_string());
    assert_eq!(tasks(&graded)["with.berths"], "pass");
    assert!(graded.awaited.is_empty());
}

/// An attempt of which nothing can be read may hold any number of turns: each check of turns counts it
/// as unknown, so that no gate over turns passes for lack of it.
#[test]
fn turns_that_cannot_be_read_count_as_unknown() {
    let spec = SPEC
        .replace("dispatch = \"file\"", "dispatch = \"main\"")
        .replace("attempt-rule =", "answer = \"close\"\nattempt-rule =")
        .replace(
            "[readings]",
            "[[checks]]\nid = \"said\"\nkind = \"holds\"\nparams = { word = \"buoy\" }\n\
             key = { value = \"Green\" }\nextract = \"none\"\n[readings]",
        )
        .replace(
            "[[gates]]\nid = \"no-loss\"",
            "[[gates]]\nid = \"turns\"\nkind = \"turns\"\narm = \"with\"\ncheck = \"said\"\n\
             threshold = \"most\"\n[[gates]]\nid = \"no-loss\"",
        );
    let scene = Scene::new(&spec);
    let bindings = scene.bindings();
    let locator = |file: &str| Locator {
        root: "answers".to_owned(),
        file: file.to_owned(),
        sha256: "0".repeat(64),
    };
    let row = IdentityRow {
        identity: format!("{RUN}.with.berths.1"),
        actor: "main",
        locator: locator("gone.jsonl"),
        driver: None,
        through: None,
    };
    let slot = Slot {
        task: 0,
        arm: 0,
        attempt: 1,
        start: u32::MAX,
    };
    let graded = grade(&Inputs {
        sealed: &scene.sealed,
        kinds: KINDS,
        bindings: &bindings,
        attempts: &OnDisk::new(&bindings, scene.beside()),
        identity: &Identities {
            rows: vec![(slot, row)],
            ..Identities::default()
        },
        keys: &Keys::none(&scene.sealed.spec),
        judgments: &Judgments::default(),
        captures: &Captures::default(),
        ledger: &Ledger::default(),
    })
    .unwrap();
    let gate = &graded.sums.gates["turns"];
    assert_eq!(
        (gate.population, gate.lower, gate.upper),
        (Some(1), Some(0), Some(1))
    );
    let group = &graded.sums.turns["with.said"];
    assert_eq!(group.cell("unknown.transcript-missing"), 1);
}

/// A base that its tree's repository does not know is refused; where there is none, it is told.
#[test]
fn a_base_is_looked_up_in_its_tree() {
    let scene = Scene::new(SPEC);
    let text = launch(&scene.sealed, &|launch| {
        launch["arms"]["with"]["base"] = json!("1".repeat(40));
    });
    let bound = |has: HasCommit<'_>| bind(&text, &scene.sealed, scene.beside(), has);
    let known = bound(&|tree, base| {
        assert!(tree.ends_with("tree"));
        Some(base.starts_with('0'))
    });
    assert_eq!(
        known.unwrap_err().to_string(),
        "E_BIND field=arms.with.base line=1 kind=unknown-commit"
    );
    assert_eq!(bound(&|_, _| Some(true)).unwrap().1, [""; 0]);
    assert_eq!(bound(&|_, _| None).unwrap().1, ["with", "without"]);
}
