//! Which change a statement is about: the one that holds the names and words of its own.

mod alone;
mod label;
mod made;
mod near;
mod own;
mod sort;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::LazyLock;

use super::Case;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::Guard;
use crate::rule::evidence::{Deed, Edit, Mentions, Term, names as is_named};
use crate::text::past_act;
use crate::transcript::{Outcome, Place};
use crate::turn::Step;
use alone::one_file;
pub(super) use made::makes;
use made::{installs, nearly_made};
pub(super) use near::under_its_file;
use near::{Near, is_given};
use own::Own;
use sort::{Sort, TESTS, of_a_sort, speaks_of};

/// Names and words of a statement that are looked for.
const TERMS: usize = 24;

/// Words that say that something was changed, or tell nothing of what it was.
const PLAIN: &str = "\
about across added addressed adding cleared documented emptied empty adjusted after also been before between both changed class code converted \
created creating deleted deleting each every extended file files fixed from function have here implemented \
improved included instead into introduced just line lines made method modified more moved \
next only over refactored removed removing renamed renaming replaced replacing should simplified still such support than \
that their them then there these they this those under updated updating uses using when where which \
verified verify validated confirmed checked tested while will with would written wrote your";

/// Words of any change of code, which tell none from another.
const GENERIC: &str = "\
assertion assertions assignment assignments behavior behaviour call calls change changes \
check checks comment comments config context current default docs documentation duplicate \
entries entry error errors existing feedback field fields handling import \
imports item items logic message messages module name names option options output package \
page parameter parameters plan project return returns script scripts section separate site sites \
stale string strings struct structure table test tests three type types unused update value \
values variable variables version wrong path paths correct proper properly typo typos spelling \
wording formatting whitespace indentation issue issues problem problems bug bugs feedback review \
suite";

/// Words that tell no change from another, sought for each word of each statement.
static MUTE: LazyLock<HashSet<&str>> =
    LazyLock::new(|| PLAIN.split(' ').chain(GENERIC.split(' ')).collect());

/// What a name weighs against a word.
const NAME: usize = 8;
/// What a word weighs.
const WORD: usize = 4;

/// What the statement is about, in so far as its words tell.
pub(super) fn terms(text: &str) -> Vec<Term> {
    let mut out: Vec<Term> = Vec::new();
    // A plain word within a text of another script tells little: its own words are not looked for.
    let foreign = text.chars().any(|c| c > '\u{2e80}');
    for (number, span) in text.split('`').enumerate() {
        let coded = number % 2 == 1;
        for piece in span.split(|c: char| !(c.is_alphanumeric() || "_-./#\\".contains(c))) {
            let last = piece.trim_end_matches(['/', '.', '-']);
            let mut levels = last.rsplit(['/', '\\']).filter(|level| level.len() > 3);
            let last = levels.next().unwrap_or(last);
            let name = last.trim_matches(['-', '.', '#']);
            let numbered = piece.starts_with('#') && name.bytes().all(|b| b.is_ascii_digit());
            let long = name.len() > 3 || coded && name.len() > 2;
            if long && (coded && !is_figure(name) || is_coded(name) || numbered) {
                out.push(Term::Name(name.to_owned()));
            } else if !coded && !foreign {
                let words = piece.split(|c: char| !c.is_ascii_alphabetic());
                out.extend(
                    words
                        .filter(|word| tells(word))
                        .map(|word| Term::Word(word.to_owned())),
                );
            }
        }
    }
    let mut own: Vec<Term> = Vec::new();
    for term in out {
        if own.len() < TERMS && !own.contains(&term) {
            own.push(term);
        }
    }
    own
}

fn is_figure(name: &str) -> bool {
    !name.contains(|c: char| c.is_alphabetic())
}

/// Whether a word is written as names of code are: `parseLine`, `parse_line`, `a.rs`.
fn is_coded(name: &str) -> bool {
    let pairs = name.as_bytes().windows(2);
    let humped = pairs
        .clone()
        .any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    let ending = name.rsplit_once('.').is_some_and(|(stem, ending)| {
        !stem.is_empty() && (1..5).contains(&ending.len()) && !is_figure(ending)
    });
    humped || name.trim_matches('_').contains('_') || ending
}

fn tells(word: &str) -> bool {
    word.len() > 3 && !MUTE.contains(word.to_ascii_lowercase().as_str())
}

/// Which change bears a statement out.
pub(super) enum Bearing<'a> {
    /// It has no words of its own: any change may be what it tells of.
    Generic,
    /// This step holds them.
    Borne(&'a Deed),
    /// They are names, and stand in what was shown of a file that was changed.
    Read(Place),
    /// No change that the record tells of holds them.
    Untold,
}

/// The names that a text spells.
pub(super) fn names(text: &str) -> Vec<String> {
    let name = |term| match term {
        Term::Name(name) => Some(name),
        Term::Word(_) => None,
    };
    terms(text).into_iter().filter_map(name).collect()
}

/// The one name that a statement's line puts in front of it as its label.
pub(super) fn label_name(case: &Case<'_>) -> Option<String> {
    let mut names = names(label::label(case)).into_iter();
    names.next().filter(|_| names.next().is_none())
}

/// What a statement tells of the change itself, without what the change is for: "updated the docs,
/// so that …".
fn told<'a>(case: &Case<'a>) -> &'a str {
    let text = case.text();
    match text.split_once(" so ") {
        Some((head, _)) if !terms(head).is_empty() => head,
        _ => text,
    }
}

/// Whether what a step of this turn answered, less what the agent had put into the call, holds a name of the
/// statement or half of its words.
pub(super) fn answers(case: &Case<'_>, deed: &Deed) -> bool {
    let asks = |step: &&Step| step.acts.iter().any(|act| act.shell);
    let Some(step) = case.step_at(deed.place).filter(asks) else {
        return false;
    };
    // A log repeats the message that the agent wrote itself.
    let own = |line: &&str| {
        let line = line.trim();
        !line.is_empty() && !step.args.contains(line) && !case.ledger.written.wrote(line)
    };
    let lines = step.text.as_str().lines().filter(own);
    let answer = lines.collect::<Vec<&str>>().join("\n").to_lowercase();
    let terms = terms(told(case));
    let held = terms
        .iter()
        .filter(|term| answer.contains(&term.beginning()));
    !terms.is_empty() && held.count() * 2 >= terms.len()
}

/// Whether a step handed a message on to the id that a statement's label is: "`av-rje.2`: clarified …"
/// after `bd note av-rje.2 …`.
pub(super) fn is_noted(case: &Case<'_>, deed: &Deed) -> bool {
    let given = label_name(case).is_some_and(|name| is_given(case, deed, &name));
    let step = case.step_at(deed.place).filter(|_| given);
    step.is_some_and(|step| step.outcome == Outcome::Ok && !step.masked())
}

/// Whether a step may have left a change that stands.
pub(super) fn live(case: &Case<'_>, deed: &Deed) -> bool {
    let edits = edits_of(case, deed);
    if all_apart(case, deed) || case.claim.kind == Kind::Create && installs(case, deed) {
        return false;
    }
    if edits.is_empty() {
        let own = deed.order > case.ledger.closed;
        return !deed.delegate || own && reports_change(case, deed);
    }
    edits.iter().any(left)
}

fn edits_of<'a>(case: &Case<'a>, deed: &Deed) -> &'a [Edit] {
    case.ledger.edits.get(deed.edits.clone()).unwrap_or(&[])
}

/// Whether an agent that was sent says that it changed something: one that was sent to look, or has
/// not answered yet, speaks of the same things and changed none.
fn reports_change(case: &Case<'_>, deed: &Deed) -> bool {
    let mut sent = case.ledger.delegations.iter();
    let changes = |kind: &Kind| {
        matches!(
            kind,
            Kind::Edit
                | Kind::Create
                | Kind::Delete
                | Kind::Fixed
                | Kind::Filelist
                | Kind::Cleanup
                | Kind::Commit
                | Kind::Install
        )
    };
    let report = sent.find(|one| one.place == deed.place && one.turn == deed.turn);
    report.is_none_or(|one| one.says.iter().any(changes))
}

/// Whether a change is of no part of the work: a scratch file, or what another agent is to read.
pub(super) fn is_apart(case: &Case<'_>, edit: &Edit) -> bool {
    let note = || {
        let name = edit.path.rsplit('/').next().unwrap_or("");
        let mut folders = edit.path.rsplit('/').skip(1);
        let hidden =
            folders.any(|part| part.len() > 2 && part.starts_with('.') && part != ".github");
        let prose = name.ends_with(".md") || name.ends_with(".txt");
        hidden && prose && edit.path.contains("prompt") || name.starts_with('$')
    };
    let told = || {
        let lower = case.sentence().to_lowercase();
        let words = ["/tmp", "temp", "scratch", "prompt"];
        let word = words.iter().any(|word| lower.contains(word));
        word || case
            .claim
            .scope
            .iter()
            .any(|name| is_named(name, &edit.path))
    };
    case.on(Guard::ScratchFile) && (edit.scratch || note()) && !told()
}

/// Whether all that a step changed is no part of the work.
fn all_apart(case: &Case<'_>, deed: &Deed) -> bool {
    let edits = edits_of(case, deed);
    !edits.is_empty() && edits.iter().all(|edit| is_apart(case, edit))
}

/// Whether a change may stand, and is more than the taking back of another.
fn left(edit: &Edit) -> bool {
    !edit.refused && edit.undone.is_none() && edit.restores.is_none()
}

/// What all words of a statement weigh, and those of them that each step holds.
fn held(case: &Case<'_>, terms: &[Term]) -> (Sum, BTreeMap<usize, Sum>) {
    let mentions = &case.ledger.mentions;
    let deeds = mentions.deeds().len();
    let mut all = Sum::default();
    let mut sums: BTreeMap<usize, Sum> = BTreeMap::new();
    let named = |term: &&Term| matches!(term, Term::Name(_));
    let line = self::terms(case.sentence());
    let own = || terms.iter().filter(named).peekable();
    // "`av-rje`: clarified …": what it was done to stands in front.
    let label = self::terms(label::label(case));
    let spelled: Vec<&Term> = if own().peek().is_some() {
        own().chain(label.iter().filter(named)).collect()
    } else {
        line.iter().filter(named).collect()
    };
    for term in terms {
        let (mut numbers, count) = holding(mentions, term);
        let own = |number: &usize| {
            let deed = mentions.deeds().get(*number);
            deed.is_some_and(|deed| {
                deed.own.is_none()
                    || spelled.iter().any(|name| deed.is_named_by(name))
                    || spelled.is_empty() && deed.is_named_by(term)
            })
        };
        if case.on(Guard::SpokenOf) {
            numbers.retain(own);
        }
        let full = match term {
            Term::Name(_) => NAME,
            Term::Word(_) => WORD,
        };
        let common = deeds > 3 && count * 2 > deeds;
        let own = Sum {
            plain: full,
            rare: if common { full / 2 } else { full },
        };
        all.add(own);
        for number in numbers {
            sums.entry(number).or_default().add(own);
        }
    }
    (all, sums)
}

/// The steps that hold a word; a name that is a plain word stands within others, too. One that is
/// written as code does so in other capitals only: `GitHub` in `.github`, but `AgentNameLocal` in no
/// step that speaks of an agent.
fn holding(mentions: &Mentions, term: &Term) -> (Vec<usize>, usize) {
    let found = mentions.holding(term);
    match term {
        Term::Name(name) if found.0.is_empty() && name.bytes().all(|b| b.is_ascii_alphabetic()) => {
            if is_coded(name) {
                mentions.holding_in_any_case(name)
            } else {
                mentions.holding(&Term::Word(name.clone()))
            }
        }
        _ => found,
    }
}

/// How often what a step holds must go into what is told, as a fraction.
fn share(few: bool, lines_own: bool, own: bool) -> (usize, usize) {
    match (lines_own, own) {
        _ if few => (1, 1),
        (false, false) => (1, 1),
        (true, true) => (2, 1),
        _ => (4, 3),
    }
}

/// Finds the step that holds at least half of what the statement is about, a word counting less
/// that most of the session's changes hold; one since the last close before an earlier one.
pub(super) fn bearing<'a>(case: &Case<'a>) -> Bearing<'a> {
    let ledger = case.ledger;
    let told = told(case);
    let terms = terms(told);
    if terms.is_empty() {
        return Bearing::Generic;
    }
    if let Some(deed) = label::labelled(case, told) {
        return Bearing::Borne(deed);
    }
    let deeds = ledger.mentions.deeds();
    let (all, sums) = held(case, &terms);
    let named = || terms.iter().any(|term| matches!(term, Term::Name(_)));
    let beside = (!named()).then(|| holding_names(case)).flatten();
    let tests = speaks_of(told, TESTS).then(|| holding_any(case, &["test", "spec"]));
    let lines = near::above(case);
    let (near, changed) = (Near::of(case, &lines), Own::of(case, told, &terms));
    let mut sort = Sort::of(case, lines);
    let mut fits = |(number, sum): (usize, Sum)| {
        let deed = deeds.get(number)?;
        let paths = edits_of(case, deed).iter().map(|edit| edit.path.as_str());
        let of_tests = tests.as_ref().is_none_or(|held| held.contains(&number));
        if !(named() || of_a_sort(told, paths) && of_tests) {
            return None;
        }
        let own = deed.order > ledger.closed;
        // What a turn tells is mostly its own: an earlier change must hold nearly all of it. So must
        // one that tells nothing of what the statement's line names, and of a thing that was made
        // one word of two is too little.
        let lines_own = beside.as_ref().is_none_or(|held| held.contains(&number));
        let few = case.claim.kind == Kind::Create && !named() && terms.len() < 3;
        let (share, of) = share(few, lines_own, own);
        let enough = sum.plain * share >= all.plain * of && sum.rare * share >= all.rare * of;
        if !enough || !live(case, deed) {
            return None;
        }
        let place = place_of(case, number, deed, (&near, &changed, &mut sort), named())?;
        // What another agent reports comes behind what was done here.
        let made = case.claim.kind == Kind::Create && nearly_made(case, deed, named());
        let makes = case.claim.kind == Kind::Create && named() && makes(case, deed);
        let label = near.is_to_label(case, number, deed);
        let rank = (
            own,
            label,
            !deed.vague,
            !deed.delegate,
            (!made, makes),
            place,
            sum.rare,
        );
        Some((rank, deed))
    };
    let best = sums
        .iter()
        .filter_map(|(number, sum)| fits((*number, *sum)))
        .max_by_key(|(rank, deed)| (*rank, deed.order));
    match best {
        Some((_, deed)) => Bearing::Borne(deed),
        // A turn that changed one file tells of it in words of its own.
        None if !named() && one_file(case) => Bearing::Generic,
        None => all_names(case, &terms)
            .map(Bearing::Borne)
            .or_else(|| read(case, &terms).map(Bearing::Read))
            .unwrap_or(Bearing::Untold),
    }
}

/// How near a step stands to a statement, the weightiest first; nothing where it cannot be meant: its own lines
/// hold none of it, it is in another file than the one that the statement is listed under, or it only writes of
/// the work.
fn place_of(
    case: &Case<'_>,
    number: usize,
    deed: &Deed,
    (near, changed, sort): (&Near, &Own, &mut Sort<'_>),
    named: bool,
) -> Option<impl Ord + Copy + use<>> {
    let work = !sort.only_writes_of_it(deed);
    let apart = !changed.bears(case, number, deed) && case.on(Guard::OtherContent)
        || !work && !named && case.on(Guard::SpokenOf)
        || near.elsewhere(case, deed) && case.on(Guard::OtherFile);
    let work = (work, !sort.is_test_beside(deed));
    let place = (near.in_file(case, deed), near.of_label(number, deed));
    let names = (changed.names(number), near.speaks(number));
    let lines = (deed.own.is_none(), changed.weight(number));
    (!apart).then_some((work, place, names, lines))
}

/// The last change since the last close that holds every name which a statement spells, if it holds no
/// more of its words.
fn all_names<'a>(case: &Case<'a>, terms: &[Term]) -> Option<&'a Deed> {
    let ledger = case.ledger;
    let mut named = terms.to_vec();
    named.retain(|term| matches!(term, Term::Name(_)));
    if named.is_empty() {
        return None;
    }
    let (all, sums) = held(case, &named);
    let deeds = ledger.mentions.deeds();
    let fits = |(number, sum): (&usize, &Sum)| {
        let deed = deeds.get(*number).filter(|_| sum.plain == all.plain)?;
        let own = deed.order > ledger.closed && !deed.vague;
        (own && !deed.edits.is_empty() && live(case, deed)).then_some(deed)
    };
    sums.iter().rev().find_map(fits)
}

/// Which change of the files that a statement names holds what it tells of them.
pub(super) enum Content<'a> {
    /// It tells nothing of their content.
    Any,
    /// This change holds some of its words.
    Held(&'a Edit),
    /// None does.
    Unheld,
}

/// Seeks the change of a named file that holds most of what a statement tells beside the name. Where it
/// spells names of code, one of them must be there.
pub(super) fn content<'a>(case: &Case<'a>) -> Content<'a> {
    let ledger = case.ledger;
    let files: Vec<&str> = case.claim.scope.iter().map(String::as_str).collect();
    let files: Vec<&str> = files
        .into_iter()
        .filter(|name| name.contains(['/', '.']))
        .collect();
    let of_a_path = |term: &Term| {
        let Term::Name(name) = term else { return false };
        let mut parts = files
            .iter()
            .flat_map(|file| file.split(['/', '\\', '#', ':']));
        parts.any(|part| part == name)
    };
    let mut own = terms(told(case));
    let verb =
        |term: &Term| matches!(term, Term::Word(word) if past_act(&word.to_lowercase()).is_some());
    own.retain(|term| !of_a_path(term) && !verb(term));
    if own.is_empty() {
        return Content::Any;
    }
    let held_by = |deed: &Deed| {
        let edits = ledger.edits.get(deed.edits.clone()).unwrap_or(&[]);
        edits.iter().rev().find(|edit| {
            edit.made && left(edit) && files.iter().any(|file| is_named(file, &edit.path))
        })
    };
    let mut named: Vec<Term> = own.clone();
    named.retain(|term| matches!(term, Term::Name(_)));
    let (_, by_name) = held(case, &named);
    let (all, sums) = held(case, &own);
    let deeds = ledger.mentions.deeds();
    let fits = |(number, sum): (usize, Sum)| {
        let deed = deeds.get(number)?;
        let edit = held_by(deed)?;
        let enough =
            named.is_empty() || by_name.contains_key(&number) || sum.plain * 2 >= all.plain;
        enough.then_some((deed.order > ledger.closed, sum.rare, deed.order, edit))
    };
    let best = sums.into_iter().filter_map(fits);
    if let Some((.., edit)) = best.max_by_key(|(own, sum, order, _)| (*own, *sum, *order)) {
        return Content::Held(edit);
    }
    let cut = deeds
        .iter()
        .rev()
        .take(TRIED)
        .any(|deed| deed.cut && held_by(deed).is_some());
    if cut { Content::Any } else { Content::Unheld }
}

/// Steps that are looked through for a text that is not known in full.
const TRIED: usize = 4096;

/// The steps that hold a name of the statement's line, where it spells one.
fn holding_names(case: &Case<'_>) -> Option<BTreeSet<usize>> {
    let names = names(case.sentence());
    let held = |name| holding(&case.ledger.mentions, &Term::Name(name)).0;
    (!names.is_empty()).then(|| names.into_iter().flat_map(held).collect())
}

/// The steps that hold one of these words.
fn holding_any(case: &Case<'_>, words: &[&str]) -> BTreeSet<usize> {
    let terms = words.iter().map(|word| Term::Word((*word).to_owned()));
    let held = terms.map(|term| case.ledger.mentions.holding(&term).0);
    held.flatten().collect()
}

/// How much of a statement's words a step holds.
#[derive(Default, Clone, Copy)]
struct Sum {
    /// Every word for itself.
    plain: usize,
    /// Less for a word that most of the session's changes hold.
    rare: usize,
}

impl Sum {
    fn add(&mut self, other: Self) {
        self.plain += other.plain;
        self.rare += other.rare;
    }
}

/// Where all names of a statement stand in what was shown of a file that was changed.
fn read(case: &Case<'_>, terms: &[Term]) -> Option<Place> {
    let names: Vec<&str> = terms
        .iter()
        .filter_map(|term| match term {
            Term::Name(name) => Some(name.as_str()),
            Term::Word(_) => None,
        })
        .collect();
    if names.is_empty() {
        return None;
    }
    let ledger = case.ledger;
    let changed = |path: &String| {
        let mut edits = ledger.edits_of(path).filter(|edit| edit.path == *path);
        edits.any(|edit| edit.order > ledger.closed && left(edit))
    };
    let step = case.turn.steps.iter().rev().find(|step| {
        let text = step.text.as_str();
        names.iter().all(|name| text.contains(name))
            && step.acts.iter().flat_map(|act| &act.reads).any(changed)
    })?;
    let path = step
        .acts
        .iter()
        .flat_map(|act| &act.reads)
        .find(|path| changed(path))?;
    ledger
        .edits_of(path)
        .find(|edit| left(edit))
        .map(|edit| edit.place)
}
