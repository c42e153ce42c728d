//! Every guard of every check kind, taken out one at a time: each turns its own controls and no others.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use deedcheck::control::{Control, Guard, examples, kinds, run};
use deedcheck::oracle::KINDS;

use crate::golden::kept::accepting;

/// Controls by kind and guard.
type Turned = BTreeMap<String, BTreeMap<String, Vec<String>>>;

/// The controls of a kind: those that were planted, and what its page shows.
fn controls(kind: &str) -> Vec<Control> {
    let all = kinds().iter().chain(examples());
    all.filter(|own| own.rule == kind).cloned().collect()
}

fn turned() -> Turned {
    let mut all = Turned::new();
    for kind in KINDS {
        let controls = controls(kind.id);
        for guard in kind.guards {
            let off = Guard::Check {
                kind: kind.id,
                guard,
            };
            let own = controls.iter().zip(run(&controls, Some(off)));
            let own = own.filter(|(_, elsewhere)| elsewhere.is_some());
            let own = own.map(|(control, _)| control.id.rsplit('/').next().unwrap().to_owned());
            let of_kind = all.entry(kind.id.to_owned()).or_default();
            of_kind.insert((*guard).to_owned(), own.collect());
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
    if accepting() {
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
        let controls = controls(kind.id);
        let off = Guard::Check {
            kind: kind.id,
            guard: "no-such-guard",
        };
        for (control, elsewhere) in controls.iter().zip(run(&controls, Some(off))) {
            assert_eq!(elsewhere, None, "{}", control.id);
        }
    }
}
