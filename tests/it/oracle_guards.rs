//! Every guard of every check kind, taken out one at a time: each turns its own controls and no others.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use deedcheck::control::{self, AnswerInput, DeedsInput, Input};
use deedcheck::oracle::{Guards, KINDS, KindInfo, Reads};
use serde_json::{Map, Value};

use super::second_part::{self, Planted};

/// Guards that no control turns, each with why.
const UNTURNED: &[(&str, &str)] = &[
    (
        "choice-in-clause.negator-as-choice",
        "a negator is not taken for denied by the words about it in any text tried so far",
    ),
    (
        "quoted-source.shown-command",
        "what is shown in a command counts as denied, so `denied-quote` says the same",
    ),
    (
        "quoted-source.too-many-quotes",
        "it takes 2,000 quotes in one answer, which no control writes down",
    ),
];

/// The controls of a kind that reads evidence, and what its page shows.
fn of_evidence(kind: &KindInfo) -> Vec<Planted> {
    let planted = second_part::planted().into_iter();
    let mut all: Vec<Planted> = planted
        .filter(|own| own.kind == kind.id && own.asks())
        .collect();
    all.extend(second_part::shown(kind.page));
    all
}

/// Controls by kind and guard.
type Turned = BTreeMap<String, BTreeMap<String, Vec<String>>>;

/// The controls of a kind: those that were planted, and what its page shows.
fn controls(kind: &str, page: &str) -> Vec<(String, Input)> {
    let planted = control::kinds().iter().filter(|own| own.rule == kind);
    let mut all: Vec<(String, Input)> = planted
        .filter(|own| !matches!(&own.input, Input::Answer(input) if input.key_unknown.is_some()))
        .map(|own| (own.id.clone(), own.input.clone()))
        .collect();
    let example = page.rsplit("```toml\n").next().unwrap();
    let example: Value = toml::from_str(example.rsplit_once("\n```").unwrap().0).unwrap();
    let shown = example.get("answer").or(example.get("turn")).unwrap();
    for (index, own) in shown.as_array().unwrap().iter().enumerate() {
        let table = |name: &str| -> Map<String, Value> {
            let own = own[name].as_object().or(example[name].as_object());
            own.cloned().unwrap_or_default()
        };
        let words = |value: &Value| -> Vec<String> {
            let words = value.as_array().into_iter().flatten();
            words
                .map(|word| word.as_str().unwrap().to_owned())
                .collect()
        };
        let input = if own["did"].is_array() {
            Input::Deeds(DeedsInput {
                did: words(&own["did"]),
                params: table("params"),
            })
        } else {
            Input::Answer(Box::new(AnswerInput {
                answer: own["text"].as_str().unwrap().to_owned(),
                evidence: words(&own["evidence"]),
                params: table("params"),
                key: table("key"),
                readings: table("readings"),
                key_unknown: None,
                drift: false,
            }))
        };
        all.push((format!("page-{}", index + 1), input));
    }
    all
}

fn outcome(kind: &str, input: &Input, guards: Guards<'_>) -> String {
    match input {
        Input::Deeds(deeds) => control::done(kind, deeds, guards),
        Input::Answer(answer) => control::answered(kind, answer, guards),
        _ => panic!("a control of a check asks a check"),
    }
}

fn turned() -> Turned {
    let mut all = Turned::new();
    for kind in KINDS {
        if kind.reads == Reads::Evidence {
            let controls = of_evidence(kind);
            let plain: Vec<_> = controls
                .iter()
                .map(|own| own.outcome(Guards::ALL))
                .collect();
            for guard in kind.guards {
                let own = controls.iter().zip(&plain).filter(|(control, before)| {
                    control.outcome(Guards::without(guard)) != **before
                });
                let own = own.map(|(control, _)| control.id.clone()).collect();
                let of_kind = all.entry(kind.id.to_owned()).or_default();
                of_kind.insert((*guard).to_owned(), own);
            }
            continue;
        }
        let controls = controls(kind.id, kind.page);
        let plain: Vec<String> = controls
            .iter()
            .map(|(_, control)| outcome(kind.id, control, Guards::ALL))
            .collect();
        for guard in kind.guards {
            let own = controls
                .iter()
                .zip(&plain)
                .filter(|((_, control), before)| {
                    outcome(kind.id, control, Guards::without(guard)) != **before
                });
            let own = own.map(|((id, _), _)| id.clone()).collect();
            let of_kind = all.entry(kind.id.to_owned()).or_default();
            of_kind.insert((*guard).to_owned(), own);
        }
    }
    all
}

fn written(all: &Turned) -> String {
    let mut text = String::from(
        "# Which controls each guard turns when it alone is taken out: planted ones by id, examples of the kind's page by\n\
         # number. Made by `DEEDCHECK_ACCEPT=1 cargo test --test it oracle_guards`; read each difference.\n",
    );
    for (kind, guards) in all {
        let _ = writeln!(text, "\n[{kind}]");
        for (guard, ids) in guards {
            let ids: Vec<String> = ids.iter().map(|id| format!("{id:?}")).collect();
            let _ = writeln!(text, "{guard} = [{}]", ids.join(", "));
        }
    }
    text
}

#[test]
fn every_guard_turns_its_own_controls() {
    let all = turned();
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("calibration/oracle-guards.toml");
    let own = written(&all);
    if std::env::var_os("DEEDCHECK_ACCEPT").is_some() {
        std::fs::write(&path, &own).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(own, kept, "calibration/oracle-guards.toml says otherwise");
    let mut unturned = Vec::new();
    for (kind, guards) in &all {
        for (guard, ids) in guards {
            if ids.is_empty() {
                unturned.push(format!("{kind}.{guard}"));
            }
        }
    }
    let known: Vec<&str> = UNTURNED.iter().map(|(guard, _)| *guard).collect();
    assert_eq!(unturned, known, "guards that nothing holds in place");
}

/// A guard that no kind has changes nothing.
#[test]
fn a_guard_of_another_name_changes_nothing() {
    for kind in KINDS {
        if kind.reads == Reads::Evidence {
            for control in of_evidence(kind) {
                let off = Guards::without("no-such-guard");
                assert_eq!(
                    control.outcome(Guards::ALL),
                    control.outcome(off),
                    "{}",
                    control.id
                );
            }
            continue;
        }
        let controls = controls(kind.id, kind.page);
        for (id, control) in &controls {
            assert_eq!(
                outcome(kind.id, control, Guards::ALL),
                outcome(kind.id, control, Guards::without("no-such-guard")),
                "{id}"
            );
        }
    }
}
