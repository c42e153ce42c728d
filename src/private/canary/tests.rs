use super::kind::{Armed, Kind, Spelling};
use super::planted::{catches, planted, sample_canary, self_test};
use super::*;

#[test]
fn every_planted_canary_is_caught() {
    let canary = sample_canary(Armed::default());
    let missed: Vec<_> = planted()
        .into_iter()
        .filter(|planted| !catches(&canary, planted))
        .collect();
    assert_eq!(missed, []);
    let (planted, caught) = self_test(Armed::default());
    assert_eq!(planted, caught);
    assert!(planted > 200, "{planted}");
}

#[test]
fn switching_a_spelling_off_flips_exactly_its_own_canaries() {
    for off in Spelling::ALL {
        let canary = sample_canary(Armed::default().without_spelling(*off));
        for planted in planted() {
            let own = planted.spelling == Some(*off);
            assert_eq!(catches(&canary, &planted), !own, "{off:?} {planted:?}");
        }
    }
}

#[test]
fn switching_a_kind_off_flips_exactly_its_own_canaries() {
    for off in Kind::ALL {
        let canary = sample_canary(Armed::default().without_kind(*off));
        for planted in planted() {
            let own = planted.kind == *off;
            assert_eq!(catches(&canary, &planted), !own, "{off:?} {planted:?}");
        }
    }
}
