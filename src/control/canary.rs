//! Controls of the search for private values: the list that it plants itself.

use super::guards::Guard;
use super::model::{CANARY, CanaryInput, Control, Input};
use crate::private::canary::{Canary, Spelling, planted};

/// A control for each planted canary.
pub(super) fn controls() -> Vec<Control> {
    let all = planted().into_iter();
    all.map(|planted| {
        let kind = planted.kind.as_str();
        let spelling = planted.spelling.map(Spelling::as_str);
        let guards = [
            Some(Guard::Kind(planted.kind)),
            planted.spelling.map(Guard::Spelling),
        ];
        Control {
            id: format!("{CANARY}/{kind}/{}", spelling.unwrap_or("plain")),
            family: CANARY,
            rule: CANARY.to_owned(),
            guards: guards.into_iter().flatten().collect(),
            origin: "seed 002".to_owned(),
            input: Input::Canary(CanaryInput {
                text: planted.text,
                canary: kind.to_owned(),
                spelling: spelling.map(str::to_owned),
            }),
            expect: Vec::new(),
            departure: None,
            doubt: None,
            about: None,
        }
    })
    .collect()
}

/// Whether a canary catches it as what it is.
pub(super) fn caught(input: &CanaryInput, canary: &Canary) -> bool {
    let hits = canary.scan(&input.text);
    hits.iter().any(|hit| hit.kind.as_str() == input.canary)
}
