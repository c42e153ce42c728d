//! Controls that were planted for the check kinds by someone who had not seen them.

use std::collections::BTreeMap;

use deedcheck::control::{FILES, ORACLE, kinds, parse, run};
use deedcheck::oracle::KINDS;

#[test]
fn planted_controls_land_where_they_were_planted() {
    let controls = kinds();
    let mut tally: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (control, elsewhere) in controls.iter().zip(run(controls, None)) {
        *tally.entry(control.rule.as_str()).or_insert(0) += 1;
        if let Some(elsewhere) = elsewhere {
            let doubt = control.doubt.as_deref().unwrap_or("");
            wrong.push(format!("{}: {elsewhere:?} {doubt}", control.id));
        }
    }
    assert!(wrong.is_empty(), "{} wrong: {wrong:#?}", wrong.len());
    for kind in KINDS {
        let asked = tally.get(kind.id).copied().unwrap_or(0);
        assert!(asked >= 10, "{}: {asked} controls", kind.id);
    }
}

/// A departure must be one: where the rule comes to what the reader said, it is to be taken out.
#[test]
fn departures_are_departures() {
    let departed: Vec<_> = kinds()
        .iter()
        .filter(|control| control.departure.is_some())
        .cloned()
        .map(|mut control| {
            control.departure = None;
            control
        })
        .collect();
    let landed: Vec<&str> = departed
        .iter()
        .zip(run(&departed, None))
        .filter(|(_, elsewhere)| elsewhere.is_none())
        .map(|(control, _)| control.id.as_str())
        .collect();
    assert!(landed.is_empty(), "no departures any more: {landed:?}");
    let count = departed.len();
    assert!(count <= 17, "{count} depart from their reader");
}

#[test]
fn what_asks_no_check_is_told_apart() {
    let files = FILES.iter().filter(|(family, _, _)| *family == ORACLE);
    let all: usize = files
        .map(|(_, rule, text)| parse(text, rule).unwrap().len())
        .sum();
    let framed = all - kinds().len();
    assert_eq!(framed, 9, "of {all}");
}
