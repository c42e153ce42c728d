//! Every guard of every check kind, taken out one at a time: each turns its own controls and no others.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use deedcheck::control::{self, Input};
use deedcheck::oracle::{Guards, KINDS, KindInfo, Reads};

use super::second_part::{self, Planted};

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
fn controls(kind: &str) -> Vec<(String, Input)> {
    let all = control::kinds().iter().chain(control::examples());
    all.filter(|own| own.rule == kind)
        .filter(|own| !matches!(&own.input, Input::Answer(input) if input.key_unknown.is_some()))
        .map(|own| {
            let id = own.id.rsplit('/').next().unwrap();
            (id.to_owned(), own.input.clone())
        })
        .collect()
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
        let controls = controls(kind.id);
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
    assert!(unturned.is_empty(), "nothing holds {unturned:?} in place");
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
        let controls = controls(kind.id);
        for (id, control) in &controls {
            assert_eq!(
                outcome(kind.id, control, Guards::ALL),
                outcome(kind.id, control, Guards::without("no-such-guard")),
                "{id}"
            );
        }
    }
}
