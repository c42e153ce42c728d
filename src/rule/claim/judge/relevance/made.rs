//! Which step made a thing, where several speak of it.

use super::edits_of;
use crate::rule::claim::judge::Case;
use crate::rule::evidence::{Deed, OutwardKind};
use crate::turn::Act;

/// Whether a command makes something new by its own words.
pub(in crate::rule::claim::judge) fn makes(case: &Case<'_>, deed: &Deed) -> bool {
    const NEW: [&str; 9] = [
        "create", "generate", "init", "install", "mkdir", "new", "scaffold", "tee", "touch",
    ];
    // What a message tells further on is no command.
    const HEAD: usize = 4;
    let new = |act: &Act| {
        act.words
            .split([' ', '/', '-'])
            .take(HEAD)
            .any(|word| NEW.contains(&word))
    };
    deed.delegate
        || case
            .step_at(deed.place)
            .is_some_and(|step| step.acts.iter().any(new))
}

/// Whether a step only did something to what another one made: a command that updates or links it, or of a
/// thing without a name, a change within a file.
pub(super) fn nearly_made(case: &Case<'_>, deed: &Deed, named: bool) -> bool {
    const OTHER: [&str; 8] = [
        "close", "comment", "dep", "edit", "label", "link", "note", "update",
    ];
    let other = |act: &Act| {
        let mut words = act.words.split(' ').skip(1).take(2);
        act.shell && words.any(|word| OTHER.contains(&word))
    };
    let edits = edits_of(case, deed);
    if edits.is_empty() {
        return case
            .step_at(deed.place)
            .is_some_and(|step| step.acts.iter().any(other))
            || !named && !makes(case, deed);
    }
    !named && edits.iter().all(|edit| edit.lines.is_none())
}

/// Whether all that a step did was to install packages: that makes no page and no file of the work.
pub(super) fn installs(case: &Case<'_>, deed: &Deed) -> bool {
    let outward = &case.ledger.outward;
    let from = outward.partition_point(|one| one.order < deed.order);
    let here = outward.iter().skip(from);
    let mut here = here.take_while(|one| one.order == deed.order);
    let unnamed = edits_of(case, deed).iter().all(|edit| edit.path.is_empty());
    unnamed && here.any(|one| one.kind == OutwardKind::Install)
}
