//! Statements that something was changed, created, removed, or left alone.

use super::absent::idle;
use super::by_git::by_git;
use super::case::brief;
use super::first::first_of;
use super::relevance::{self, Bearing, Content, is_apart};
use super::remains::{
    against, git_speaks_of, leaves, left_alone, listed_by_git, meant, removes, spares,
};
use super::undone::not_standing;
use super::{Case, Judged, Reason, Verdict, ran};
use crate::rule::claim::Kind;
use crate::rule::claim::guard::Guard;
use crate::rule::evidence::{Deed, Edit, OutwardKind, Weight, names, weight};
use crate::shell::Effect;
use crate::transcript::{Outcome, Place};
use crate::turn::{Act, Step};

/// The guards that a verdict on a change of files rests on.
pub(in crate::rule::claim) const GUARDS: [Guard; 12] = [
    Guard::FailedEdit,
    Guard::Reverted,
    Guard::OtherFile,
    Guard::OtherContent,
    Guard::SpokenOf,
    Guard::ScratchFile,
    Guard::Delegated,
    Guard::MissingResult,
    Guard::UnknownStep,
    Guard::Negated,
    Guard::ReportedSpeech,
    Guard::UnreadRecord,
];

/// "Added X to `src/a.rs`": the change was made.
pub(in crate::rule::claim) fn made(case: &Case<'_>) -> Judged {
    let ledger = case.ledger;
    let text = case.text().to_ascii_lowercase();
    if case.claim.negated && case.on(Guard::Negated) {
        return Judged::unknown(Reason::Ambiguous);
    }
    if ["no changes", "no edits", "no files"]
        .iter()
        .any(|none| text.contains(none))
    {
        return nothing(case);
    }
    let back = ledger
        .backs
        .last()
        .filter(|(order, ..)| *order > ledger.closed);
    if let (true, Some((_, turn, place))) = (takes_back(case.claim.kind, &text), back) {
        return Judged::supported(case.when(*turn), *place, "changes were taken back here");
    }
    if let Some(judged) = against(case, &text) {
        return judged;
    }
    let named = named(case);
    if let Some(edit) = named.iter().find(|edit| stands(edit)) {
        return of_content(case, first_of(case, edit));
    }
    if let Some(edit) = named.iter().max_by_key(|edit| edit.order) {
        return not_standing(case, edit);
    }
    if let Some(judged) = by_git(case).or_else(|| elsewhere(case)) {
        return judged;
    }
    let under = relevance::under_its_file(case).filter(|_| case.on(Guard::OtherFile));
    if let Some(edit) = under.filter(|edit| stands(edit)) {
        return settled(case, edit);
    }
    let bearing = if case.on(Guard::OtherFile) {
        relevance::bearing(case)
    } else {
        Bearing::Generic
    };
    match bearing {
        Bearing::Borne(deed) => done(case, deed),
        Bearing::Read(place) if case.on(Guard::OtherContent) => Judged::unknown(Reason::Ambiguous)
            .at(
                place,
                "its file was changed here, and no change holds the name",
            ),
        Bearing::Read(place) => {
            Judged::supported(Reason::Direct, place, "its file was changed here")
        }
        Bearing::Generic => on_the_whole(case),
        Bearing::Untold => untold(case),
    }
}

/// Changes that were made since the last close, the latest first.
fn own<'a>(case: &Case<'a>) -> impl Iterator<Item = &'a Edit> {
    let ledger = case.ledger;
    let edits = ledger.edits.iter().rev();
    edits.take_while(|edit| edit.order > ledger.closed)
}

pub(super) fn stands(edit: &Edit) -> bool {
    edit.stands() && lasting(edit)
}

/// A file that is named was changed: what the statement tells of it must stand in a change.
fn of_content(case: &Case<'_>, edit: &Edit) -> Judged {
    let asked = case.on(Guard::OtherContent) && case.claim.kind == Kind::Edit;
    match asked.then(|| relevance::content(case)) {
        None | Some(Content::Any) => settled(case, edit),
        Some(Content::Held(own)) => settled(case, own),
        Some(Content::Unheld) => {
            let what = format!(
                "{} was changed here, and no change of it holds what is told",
                brief(&edit.path)
            );
            Judged::unknown(Reason::Ambiguous).at(edit.place, what)
        }
    }
}

/// A step holds what the statement tells. That it speaks of a deed does not show that it did it: a
/// command must say by its own words what it changes, and show how it ended.
fn done(case: &Case<'_>, deed: &Deed) -> Judged {
    let edits = case.ledger.edits.get(deed.edits.clone()).unwrap_or(&[]);
    let own = |edit: &&Edit| stands(edit) && !is_apart(case, edit);
    let tried = |edit: &&Edit| !edit.refused && !is_apart(case, edit);
    let tried = || edits.iter().rev().find(tried);
    if let Some(edit) = edits.iter().rev().find(own).or_else(tried) {
        return settled(case, edit);
    }
    if deed.delegate {
        if case.on(Guard::Hearsay) && idle(case, deed) {
            let what = "this agent's own record shows no such change";
            return Judged::unknown(Reason::SelfReport).at(deed.place, what);
        }
        return if case.on(Guard::Delegated) {
            let what = "another agent, which was sent for it, reports a change";
            Judged::supported(Reason::Delegated, deed.place, what)
        } else {
            Judged::unknown(Reason::Elsewhere)
        };
    }
    let told = || relevance::answers(case, deed) || relevance::is_noted(case, deed);
    if deed.vague && case.on(Guard::SpokenOf) && !told() {
        let what = "this step speaks of it, and what it did is not known";
        return Judged::unknown(Reason::Ambiguous).at(deed.place, what);
    }
    let words = case.step_words(deed.place);
    if deed.vague {
        let what = format!("the answer to {words} tells it");
        return Judged::supported(Reason::Readback, deed.place, what);
    }
    let what = format!("{words} ended well here");
    Judged::supported(case.when(deed.turn), deed.place, what)
}

/// The statement has no words of its own: the changes since the last close bear it out, if there
/// are any.
fn on_the_whole(case: &Case<'_>) -> Judged {
    if let Some(edit) = own(case).find(|edit| stands(edit) && !is_apart(case, edit)) {
        return settled(case, edit);
    }
    let ledger = case.ledger;
    let live = || {
        let deeds = ledger.mentions.deeds().iter().rev();
        let own = deeds.take_while(|deed| deed.order > ledger.closed);
        own.filter(|deed| relevance::live(case, deed))
    };
    // One that says by its own words what it changed, before one that nobody can tell of.
    let told = |deed: &&Deed| {
        !deed.vague && (case.claim.kind != Kind::Create || relevance::makes(case, deed))
    };
    let deed = live().find(told).or_else(|| live().next());
    if let Some(deed) = deed {
        return done(case, deed);
    }
    untold(case)
}

/// No change holds what the statement tells.
fn untold(case: &Case<'_>) -> Judged {
    let taken = |edit: &&Edit| (edit.refused || edit.undone.is_some()) && meant(case, edit);
    let work = |edit: &Edit| stands(edit) && !is_apart(case, edit);
    if !own(case).any(work)
        && let Some(edit) = own(case).find(taken)
    {
        return not_standing(case, edit);
    }
    if let Some(place) = taken_away(case) {
        return Judged::supported(Reason::Direct, place, "something was taken away here");
    }
    if let Some(judged) = watched(case) {
        return judged;
    }
    let ledger = case.ledger;
    if ledger.edits.is_empty() && ledger.mentions.deeds().is_empty() {
        return without(case);
    }
    Judged::unknown(Reason::Ambiguous)
}

/// "It removed the old flag", of a worker whose terminal was watched, in a turn that changed nothing
/// itself, as far as its commands tell.
fn watched(case: &Case<'_>) -> Option<Judged> {
    let ledger = case.ledger;
    let deeds = ledger.mentions.deeds().iter().rev();
    let mut own_deeds = deeds.take_while(|deed| deed.order > ledger.closed);
    let changed = own(case).any(|edit| stands(edit) && !is_apart(case, edit));
    if changed || own_deeds.any(|deed| !deed.vague) || case.speaks_of_itself() {
        return None;
    }
    ran::watched(case)
}

/// Where this turn took something away, of a statement that something is gone and names no file:
/// what a command takes away it seldom calls by the statement's words.
fn taken_away(case: &Case<'_>) -> Option<Place> {
    const TAKES: [&str; 10] = [
        "rm", "rmdir", "unlink", "trash", "remove", "prune", "clean", "down", "kill", "-delete",
    ];
    if !removes(case.claim.kind) || !case.files().is_empty() {
        return None;
    }
    let takes = |act: &Act| {
        act.effect != Effect::Read && act.words.split(' ').any(|word| TAKES.contains(&word))
    };
    // A name that the statement spells is the command's, too: `tmp-*` is not what `rm -r old` took.
    let names = relevance::names(case.text());
    let calls = |step: &Step| {
        names.is_empty() || names.iter().any(|name| step.args.contains(name.as_str()))
    };
    let mut steps = case.turn.steps.iter().rev();
    let step = steps
        .find(|step| step.outcome == Outcome::Ok && step.acts.iter().any(takes) && calls(step))?;
    Some(step.result.unwrap_or(step.call))
}

/// Whether a text is one name.
fn is_name(text: &str) -> bool {
    text.len() > 3
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// For each path that the statement names, the last change of it that stands, or else the last.
fn named<'a>(case: &Case<'a>) -> Vec<&'a Edit> {
    let ledger = case.ledger;
    let paths: Vec<&String> = case
        .claim
        .scope
        .iter()
        .filter(|name| name.contains(['/', '.']))
        .collect();
    let found = paths.iter().filter_map(|path| {
        let live = ledger
            .edits_of(path)
            .find(|edit| edit.stands() && lasting(edit));
        live.or_else(|| ledger.edits_of(path).next())
    });
    // A folder may be named by a plain word.
    let words = case.claim.scope.iter().filter(|name| is_name(name));
    let tried = words.filter_map(|name| ledger.edits_of(name).next());
    let refused = tried.filter(|edit| edit.refused && removes(case.claim.kind));
    found.chain(refused).collect()
}

/// Whether a change is more than the taking back of another.
fn lasting(edit: &Edit) -> bool {
    edit.restores.is_none()
}

fn takes_back(kind: Kind, text: &str) -> bool {
    let back = [
        "revert",
        "undid",
        "undo",
        "rolled back",
        "restor",
        "stash",
        "discard",
    ]
    .iter()
    .any(|word| text.contains(word));
    // "Cleaned the output and reset the counter" tells of a removal.
    let reset = text.contains("reset") || text.contains("put ") && text.contains(" back");
    back || reset && !removes(kind)
}

/// No change of files stands in the record: another deed may bear it out.
fn without(case: &Case<'_>) -> Judged {
    let ledger = case.ledger;
    if let Some(place) = listed_by_git(case) {
        return Judged::supported(Reason::Readback, place, "git lists the changes here");
    }
    let delegated = ledger.delegated.last();
    if let Some((_, turn, place)) = delegated.filter(|_| case.on(Guard::Delegated)) {
        let reason = if *turn == ledger.turn {
            Reason::Delegated
        } else {
            Reason::Carried
        };
        return Judged::supported(reason, *place, "another agent reported");
    }
    let looks = |kind: OutwardKind| matches!(kind, OutwardKind::Ci | OutwardKind::State);
    if let Some(done) = ledger
        .outward
        .iter()
        .rev()
        .find(|done| done.outcome == Outcome::Ok && !done.rehearsal && !looks(done.kind))
    {
        return Judged::supported(Reason::Direct, done.place, "this command changed something");
    }
    let opaque = ledger.unknown.last();
    if let Some((_, _, place)) = opaque.filter(|_| case.on(Guard::UnknownStep)) {
        return Judged::unknown(Reason::Ambiguous)
            .at(*place, "what this step changes is not known");
    }
    if ledger.turn > 1 && ledger.order == 0 {
        return Judged::unknown(Reason::Elsewhere);
    }
    if !case.own_deed() {
        return Judged::unknown(Reason::Ambiguous);
    }
    Judged::unsupported(Reason::NeverRun)
}

/// The statement names files, and the changes of the record are all of others.
fn elsewhere(case: &Case<'_>) -> Option<Judged> {
    let ledger = case.ledger;
    let files = case.files();
    if !case.on(Guard::OtherFile) || ledger.edits.is_empty() {
        return None;
    }
    if files.is_empty() {
        return stands_elsewhere(case);
    }
    let opaque = ledger.edits.iter().any(|edit| edit.path.is_empty())
        || !ledger.unknown.is_empty()
        || !ledger.delegated.is_empty();
    // What is written into another file may speak of this one.
    let spoken = |file: &&str| {
        let last = file.rsplit('/').next().unwrap_or(file);
        let mut steps = case.turn.steps.iter();
        steps.any(|step| {
            let changes = step.acts.iter().any(|act| {
                !act.writes.is_empty() || matches!(act.effect, Effect::Mutate | Effect::Unknown)
            });
            changes && step.args.contains(last)
        })
    };
    if opaque || files.iter().any(spoken) {
        return None;
    }
    if !case.own_deed() {
        return Some(Judged::unknown(Reason::Ambiguous));
    }
    let last = ledger.edits.iter().rev().find(|edit| edit.made)?;
    Some(Judged::unsupported(Reason::NeverRun).at(
        last.place,
        format!(
            "the last change, of {}; {} was not changed",
            brief(&last.path),
            brief(files[0])
        ),
    ))
}

/// The statement names a function or another thing that was read in one file only, and that file
/// was not changed.
fn stands_elsewhere(case: &Case<'_>) -> Option<Judged> {
    let ledger = case.ledger;
    let mut things = case.claim.scope.iter().filter(|name| is_thing(name));
    let first = things.next();
    // "`parse_line`: now uses …": what it was done to stands in front.
    let label = relevance::label_name(case).filter(|name| is_thing(name) && first.is_none());
    let own = first.filter(|_| things.next().is_none());
    let thing = own.or(label.as_ref())?;
    // `git apply fix.patch` names none of the files that it changes.
    let unnamed = |act: &Act| {
        act.shell && act.effect == Effect::Mutate && act.writes.is_empty() && act.changes_work()
    };
    let mut acts = case.turn.steps.iter().flat_map(|step| &step.acts);
    if acts.any(unnamed) {
        return None;
    }
    let mut found: Option<(Place, &str)> = None;
    for step in &case.turn.steps {
        if !step.text.as_str().contains(thing.as_str()) && !step.args.contains(thing.as_str()) {
            continue;
        }
        let [act] = step.acts.as_slice() else {
            return None;
        };
        let ([path], true) = (act.reads.as_slice(), act.writes.is_empty()) else {
            return None;
        };
        if ledger.edits_of(path).next().is_some() {
            return None;
        }
        found = Some((step.result.unwrap_or(step.call), path));
    }
    let (place, path) = found?;
    let judged = if own.is_some() {
        Judged::unsupported(Reason::NeverRun)
    } else {
        Judged::unknown(Reason::Ambiguous)
    };
    Some(judged.at(
        place,
        format!(
            "{} was read in {}, which was not changed",
            brief(thing),
            brief(path)
        ),
    ))
}

/// Whether a name is a function's or a type's.
fn is_thing(name: &str) -> bool {
    is_name(name) && name.len() > 4 && name.contains('_')
}

/// "The only file I changed is `a`": the turn changed another, too.
fn one_more(case: &Case<'_>) -> Option<Judged> {
    let ledger = case.ledger;
    let text = case.text().to_ascii_lowercase();
    if !text.contains("the only file ") || case.files().len() != 1 {
        return None;
    }
    let mut own = ledger
        .edits
        .iter()
        .rev()
        .take_while(|edit| edit.turn == ledger.turn)
        .filter(|edit| edit.stands() && lasting(edit) && !edit.path.is_empty() && !edit.scratch);
    let other = own.find(|edit| !case.files().iter().any(|file| names(file, &edit.path)))?;
    let what = format!("{} was changed, too", brief(&other.path));
    Some(Judged::contradicted(
        Reason::CountMismatch,
        other.place,
        what,
    ))
}

pub(super) fn settled(case: &Case<'_>, edit: &Edit) -> Judged {
    let ledger = case.ledger;
    if !edit.made && case.on(Guard::MissingResult) {
        return Judged::unknown(Reason::MissingResult)
            .at(edit.place, "the outcome of this change is not recorded");
    }
    let read = ledger
        .looks_of(&edit.path)
        .next()
        .is_some_and(|look| look.order > edit.order);
    let reason = if edit.delegated {
        Reason::Delegated
    } else if edit.turn != ledger.turn {
        Reason::Carried
    } else if read {
        Reason::Readback
    } else {
        Reason::Direct
    };
    let what = match (edit.path.is_empty(), edit.delegated) {
        (true, false) => "this change was made".to_owned(),
        (true, true) => "another agent made this change".to_owned(),
        (false, false) => format!("{} was changed here", brief(&edit.path)),
        (false, true) => format!("another agent changed {}", brief(&edit.path)),
    };
    Judged::supported(reason, edit.place, what)
}

/// "No files were changed."
pub(in crate::rule::claim) fn nothing(case: &Case<'_>) -> Judged {
    if case.claim.negated {
        return Judged::unknown(Reason::Ambiguous);
    }
    let ledger = case.ledger;
    let text = case.text().to_ascii_lowercase();
    let code = text.contains("code") || text.contains("source");
    let mut all = ledger
        .edits
        .iter()
        .rev()
        .take_while(|edit| edit.turn == ledger.turn)
        .filter(|edit| edit.stands() && lasting(edit) && !edit.path.is_empty())
        .filter(|edit| !edit.scratch && (!code || weight(&edit.path) == Weight::Code));
    if let Some(judged) = left_alone(case) {
        return judged;
    }
    if leaves(&text) || spares(case.sentence()) {
        // What the sentence takes out, and what the close tells elsewhere, is no other change.
        let told = |edit: &Edit| {
            let last = edit.path.rsplit('/').next().unwrap_or(&edit.path);
            case.close.contains(last)
        };
        return match all.find(|edit| !told(edit)) {
            Some(edit) => Judged::unknown(Reason::Ambiguous).at(
                edit.place,
                format!("this turn changed {}", brief(&edit.path)),
            ),
            None => Judged::new(Verdict::Supported, Reason::Direct),
        };
    }
    match all.next() {
        Some(edit) if flatly(case, &text) => Judged::contradicted(
            Reason::NotDone,
            edit.place,
            format!("this turn changed {}", brief(&edit.path)),
        ),
        Some(edit) if case.claim.scope.is_empty() => Judged::unknown(Reason::Ambiguous).at(
            edit.place,
            format!("this turn changed {}", brief(&edit.path)),
        ),
        Some(edit) if case.claim.scope.iter().any(|name| names(name, &edit.path)) => {
            Judged::contradicted(Reason::NotDone, edit.place, "this turn changed it")
        }
        _ => Judged::new(Verdict::Supported, Reason::Direct),
    }
}

/// The close says that nothing at all was changed, and tells of no change beside it.
fn flatly(case: &Case<'_>, text: &str) -> bool {
    const PLAIN: [&str; 10] = [
        "no files were changed",
        "no files were modified",
        "no files changed",
        "nothing was changed",
        "no changes were made",
        "i made no changes",
        "i have made no changes",
        "i changed nothing",
        "i did not change anything",
        "i didn't change anything",
    ];
    const REST: [&str; 6] = [
        "",
        "to the source",
        "to the code",
        "to any files",
        "to any file",
        "to the repository",
    ];
    let text = text.trim().trim_end_matches(['.', '!']);
    let whole = PLAIN.iter().any(|plain| {
        let rest = text.strip_prefix(plain);
        rest.is_some_and(|rest| REST.contains(&rest.trim()))
    });
    let others = case.others.iter().any(|claim| {
        matches!(
            claim.kind,
            Kind::Edit | Kind::Create | Kind::Delete | Kind::Fixed | Kind::Filelist | Kind::Commit
        )
    });
    whole && !others && case.claim.scope.is_empty()
}

/// A list of changed files.
pub(in crate::rule::claim) fn listed(case: &Case<'_>) -> Judged {
    let ledger = case.ledger;
    let paths = case
        .claim
        .scope
        .iter()
        .filter(|name| name.contains(['/', '.']));
    let mut missing = paths.filter(|path| ledger.edits_of(path).next().is_none());
    let first = missing.next();
    let Some(edit) = ledger.edits.last() else {
        return made(case);
    };
    if let Some(judged) = one_more(case) {
        return judged;
    }
    let Some(first) = first.filter(|_| case.on(Guard::OtherFile)) else {
        return match case.claim.kind {
            Kind::Filelist => made(case),
            _ => settled(case, edit),
        };
    };
    if ledger.unknown.is_empty()
        && ledger.delegated.is_empty()
        && ledger.edits.iter().all(|edit| !edit.path.is_empty())
        && !git_speaks_of(case, first)
    {
        return Judged::unsupported(Reason::NeverRun).at(
            edit.place,
            format!("the last change; {} was not among them", brief(first)),
        );
    }
    Judged::unknown(Reason::Ambiguous)
}
