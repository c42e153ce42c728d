//! The arithmetic of gates over attempts, one early end at a time.

use deedcheck::frozen::GateResult;
use deedcheck::frozen::gate::{
    BlindTask, Encoded, Launched, Opportunity, Terms, blind, encoding, lane,
};
use deedcheck::oracle::{Joined, Status};
use deedcheck::spec::Fraction;

pub(crate) fn terms(kind: &'static str, threshold: Option<&str>, minimum: Option<u32>) -> Terms {
    Terms {
        kind,
        threshold: threshold.map(|text| Fraction::parse(text).unwrap()),
        minimum,
        decides: true,
    }
}

/// Status, reason, sensitivity and bounds in one line.
fn said(told: &GateResult) -> String {
    let reason = told.reason.unwrap_or("-");
    let sensitive = if told.sensitive { " sensitive" } else { "" };
    let [lower, upper, all] = [told.lower, told.upper, told.population].map(Option::unwrap);
    format!("{} {reason} {lower}-{upper}/{all}{sensitive}", told.status)
}

const USED: Joined = Joined::Adopted;
const UNUSED: Joined = Joined::NotAdopted;
const OPEN: Joined = Joined::Unknown;

/// Opportunities as attempts.
fn attempts(all: &[(Joined, Status)]) -> Vec<Opportunity> {
    all.iter()
        .map(|(adopted, correct)| Opportunity {
            launched: Launched::Attempt,
            adopted: *adopted,
            correct: *correct,
        })
        .collect()
}

#[test]
fn gate_counts_of_a_lane() {
    let lane_of =
        |all: &[Opportunity]| said(&lane(terms("lane", Some("1/2"), Some(2)), all, "excluded"));
    let (pass, fail, unknown) = (Status::Pass, Status::Fail, Status::Unknown);
    let of = |all: &[(Joined, Status)]| lane_of(&attempts(all));
    assert_eq!(of(&[(USED, pass), (USED, fail)]), "pass - 1-1/2");
    assert_eq!(of(&[(UNUSED, pass), (USED, pass)]), "pass - 1-1/2");
    assert_eq!(of(&[(UNUSED, pass), (USED, fail)]), "fail - 0-0/2");
    assert_eq!(of(&[(OPEN, pass), (USED, fail)]), "fail - 0-1/2 sensitive");
    assert_eq!(
        of(&[(USED, unknown), (UNUSED, unknown)]),
        "fail - 0-1/2 sensitive"
    );
    assert_eq!(
        of(&[(USED, Status::Pending), (UNUSED, pass)]),
        "fail - 0-1/2 sensitive"
    );
    assert_eq!(of(&[(OPEN, fail), (UNUSED, pass)]), "fail - 0-0/2");
    // Fewer than the minimum, whatever they show.
    assert_eq!(of(&[(USED, pass)]), "incomplete too-few 1-1/1");
    assert_eq!(of(&[]), "incomplete too-few 0-0/0");
    let none = lane(terms("lane", Some("1/2"), None), &[], "excluded");
    assert_eq!(said(&none), "undefined no-task 0-0/0");
    // What was never launched is an opportunity, and is not recorded.
    let mut with = attempts(&[(USED, pass), (USED, pass)]);
    with.push(Opportunity {
        launched: Launched::No,
        adopted: USED,
        correct: pass,
    });
    assert_eq!(lane_of(&with), "pass - 2-3/3");
    assert_eq!(lane_of(&with[1..]), "incomplete too-few 1-2/2");
    // What was broken off is left out, or not known.
    let mut with = attempts(&[(USED, pass), (UNUSED, pass)]);
    with.push(Opportunity {
        launched: Launched::Inadmissible,
        adopted: UNUSED,
        correct: fail,
    });
    assert_eq!(lane_of(&with), "pass - 1-1/2");
    let counted = lane(
        terms("lane", Some("1/2"), Some(2)),
        &with,
        "unknown-in-denominator",
    );
    assert_eq!(said(&counted), "fail - 1-2/3 sensitive");
    // One without a threshold is told.
    let told = lane(terms("lane", None, None), &with, "excluded");
    assert_eq!(said(&told), "told - 1-1/2");
}

#[test]
fn gate_counts_of_an_encoding() {
    let seeded = || Encoded {
        seeded: true,
        encoded: Some(true),
        trips: vec![Some(true)],
        ..Encoded::default()
    };
    let of = |all: &[Encoded]| {
        let told = encoding(terms("encoding", None, Some(2)), all);
        format!("{} [{}]", said(&told), told.failing.join(" "))
    };
    assert_eq!(of(&[seeded(), seeded()]), "pass - 2-2/2 []");
    assert_eq!(of(&[seeded()]), "fail - 1-1/1 [seeded-below-minimum]");
    assert_eq!(of(&[]), "undefined no-task 0-0/0 []");
    let with = |change: &dyn Fn(&mut Encoded)| {
        let mut own = seeded();
        change(&mut own);
        of(&[seeded(), own])
    };
    let unwritten = with(&|own| own.encoded = Some(false));
    assert_eq!(unwritten, "fail - 1-1/2 [seeded-encode-rate]");
    let unseen = with(&|own| own.encoded = None);
    assert_eq!(unseen, "fail - 1-2/2 sensitive [seeded-encode-rate]");
    let bent = with(&|own| own.trips.push(Some(false)));
    assert_eq!(bent, "fail - 2-2/2 [strict-round-trip]");
    let lost = with(&|own| own.trips.push(None));
    assert_eq!(lost, "fail - 2-2/2 sensitive [strict-round-trip]");
    let small = with(&|own| own.ineligible = 1);
    assert_eq!(small, "fail - 2-2/2 [ineligible-encodes]");
    let perhaps = with(&|own| own.ineligible_unknown = 1);
    assert_eq!(perhaps, "fail - 2-2/2 sensitive [ineligible-encodes]");
    // One part that fails for certain is not turned by another that is not known.
    let both = with(&|own| (own.encoded, own.ineligible) = (None, 1));
    assert_eq!(both, "fail - 1-2/2 [seeded-encode-rate ineligible-encodes]");
    // What was not asked for counts with its trips, and is no seeded one.
    let natural = Encoded {
        seeded: false,
        encoded: Some(false),
        trips: vec![Some(false)],
        ..Encoded::default()
    };
    let told = encoding(
        terms("encoding", None, Some(2)),
        &[seeded(), seeded(), natural],
    );
    assert_eq!(said(&told), "fail - 2-2/2");
    assert_eq!(told.failing, ["strict-round-trip"]);
    assert_eq!(
        (told.counts.cell("natural"), told.counts.cell("trips")),
        (1, 3)
    );
}

#[test]
fn gate_counts_of_blindness() {
    let task = |clean, contaminated, unknown| BlindTask {
        clean,
        contaminated,
        unknown,
        open: false,
    };
    let of = |all: &[BlindTask], control| {
        let told = blind(terms("blind", None, None), all, control);
        assert_eq!(told.failed_control, told.reason == Some("failed-control"));
        said(&told)
    };
    let seen = Status::Pass;
    assert_eq!(of(&[task(1, 0, 0)], seen), "pass - 1-1/1");
    // One clean verdict is enough, whatever the other attempts saw.
    assert_eq!(of(&[task(1, 2, 1)], seen), "pass - 1-1/1");
    assert_eq!(
        of(&[task(1, 0, 0), task(0, 1, 0)], seen),
        "fail no-clean-verdict 1-1/2"
    );
    assert_eq!(
        of(&[task(0, 1, 1)], seen),
        "fail no-clean-verdict 0-1/1 sensitive"
    );
    assert_eq!(of(&[task(0, 0, 0)], seen), "fail no-clean-verdict 0-0/1");
    assert_eq!(
        of(&[task(0, 0, 1), task(0, 1, 0)], seen),
        "fail no-clean-verdict 0-1/2"
    );
    let open = BlindTask {
        open: true,
        ..BlindTask::default()
    };
    assert_eq!(of(&[open], seen), "fail no-clean-verdict 0-1/1 sensitive");
    assert_eq!(of(&[], seen), "undefined no-task 0-0/0");
    assert_eq!(
        of(&[task(1, 0, 0)], Status::Fail),
        "incomplete failed-control 1-1/1"
    );
    assert_eq!(
        of(&[task(1, 0, 0)], Status::Unknown),
        "unknown control-unobserved 1-1/1"
    );
    assert_eq!(
        of(&[task(1, 0, 0)], Status::Pending),
        "unknown control-unobserved 1-1/1"
    );
}
