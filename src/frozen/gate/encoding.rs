//! `encoding`: whether records were written in an encoding each time that they were to be, and handed on whole.

use super::{Bounds, GateResult, Terms, result};
use crate::frozen::aggregate::Group;

/// What one attempt did with an encoding, as its `round-trip` check tells it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Encoded {
    /// Whether it was to write the records.
    pub seeded: bool,
    /// Whether it did; none where that is not known.
    pub encoded: Option<bool>,
    /// Whether what was handed on is what was there, for each time; none where that is not known.
    pub trips: Vec<Option<bool>>,
    /// How often it wrote what is not worth it.
    pub ineligible: u64,
    /// How often it may have.
    pub ineligible_unknown: u64,
}

/// What of a number of things holds.
#[derive(Default)]
struct Part {
    all: u64,
    lower: u64,
    upper: u64,
}

impl Part {
    fn add(&mut self, holds: Option<bool>) {
        self.all += 1;
        self.lower += u64::from(holds == Some(true));
        self.upper += u64::from(holds != Some(false));
    }

    /// Whether all hold for certain, and whether all may. Of nothing, nothing holds.
    fn whole(&self) -> (bool, bool) {
        let some = self.all > 0;
        (
            some && self.lower == self.all,
            some && self.upper == self.all,
        )
    }
}

/// What an encoding comes to: enough records that were to be written, each of them written, each time whole, and nothing
/// written that is not worth it.
#[must_use]
pub fn encoding(terms: Terms, attempts: &[Encoded]) -> GateResult {
    let (mut seeded, mut trips) = (Part::default(), Part::default());
    let (mut ineligible, mut perhaps, mut natural) = (0, 0, 0);
    for own in attempts {
        match own.seeded {
            true => seeded.add(own.encoded),
            false => natural += u64::from(own.encoded != Some(false) || !own.trips.is_empty()),
        }
        own.trips.iter().for_each(|trip| trips.add(*trip));
        ineligible += own.ineligible;
        perhaps += own.ineligible_unknown;
    }
    let enough = seeded.all >= u64::from(terms.minimum.unwrap_or(1));
    let parts = [
        ("seeded-below-minimum", (enough, enough)),
        ("seeded-encode-rate", seeded.whole()),
        ("strict-round-trip", trips.whole()),
        (
            "ineligible-encodes",
            (ineligible + perhaps == 0, ineligible == 0),
        ),
    ];
    let some = !attempts.is_empty();
    let failing = parts.iter().filter(|(_, (lower, _))| some && !lower);
    let failing: Vec<&'static str> = failing.map(|(id, _)| *id).collect();
    let status = match failing.is_empty() {
        _ if !some => "undefined",
        true => "pass",
        false => "fail",
    };
    let may = parts.iter().all(|(_, (_, upper))| *upper);
    let mut counts = Group::default();
    for (cell, count) in [
        ("trips", trips.all),
        ("trips-lower", trips.lower),
        ("trips-upper", trips.upper),
        ("ineligible", ineligible),
        ("ineligible-unknown", perhaps),
        ("natural", natural),
    ] {
        counts.add(cell, count);
    }
    let bounds = Bounds {
        population: seeded.all,
        recorded: seeded.all,
        lower: seeded.lower,
        upper: seeded.upper,
    };
    GateResult {
        failing,
        counts,
        ..result(terms, bounds, status, status == "fail" && may)
    }
}
