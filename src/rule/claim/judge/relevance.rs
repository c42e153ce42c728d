//! Which change a statement is about: the one that holds the names and words of its own.

use std::collections::BTreeMap;

use super::Case;
use crate::rule::evidence::{Deed, Edit, Term};
use crate::transcript::Place;

/// Names and words of a statement that are looked for.
const TERMS: usize = 24;

/// Words that say that something was changed, or tell nothing of what it was.
const PLAIN: &str = "\
about across added adjusted after also been before between both changed class code converted \
created deleted each every extended file files fixed from function have here implemented \
improved included instead into introduced just line lines made method modified more moved \
next only over refactored removed renamed replaced should simplified still such support than \
that their them then there these they this those under updated uses using when where which \
while will with would written wrote your";

/// Words of any change of code, which tell none from another.
const GENERIC: &str = "\
assertion assertions assignment assignments behavior behaviour call calls change changes \
check checks comment comments config context current default docs documentation duplicate \
entries entry error errors existing feedback field fields handling import \
imports item items logic message messages module name names option options output package \
page parameter parameters plan project return returns script scripts section separate site sites \
stale string strings struct structure table test tests three type types unused update value \
values variable variables version wrong path paths correct proper properly";

/// What a name weighs against a word.
const NAME: usize = 8;
/// What a word weighs.
const WORD: usize = 4;

/// What the statement is about, in so far as its words tell.
fn terms(text: &str) -> Vec<Term> {
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
    let lower = word.to_ascii_lowercase();
    let mut plain = PLAIN.split(' ').chain(GENERIC.split(' '));
    word.len() > 3 && !plain.any(|other| other == lower)
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

/// Whether a step may have left a change that stands.
pub(super) fn live(case: &Case<'_>, deed: &Deed) -> bool {
    let edits = case.ledger.edits.get(deed.edits.clone()).unwrap_or(&[]);
    edits.is_empty() || edits.iter().any(left)
}

/// Whether a change may stand, and is more than the taking back of another.
fn left(edit: &Edit) -> bool {
    !edit.refused && edit.undone.is_none() && edit.restores.is_none()
}

/// Finds the step that holds at least half of what the statement is about, a word counting less
/// that most of the session's changes hold; one since the last close before an earlier one.
pub(super) fn bearing<'a>(case: &Case<'a>) -> Bearing<'a> {
    let ledger = case.ledger;
    let terms = terms(case.text());
    if terms.is_empty() {
        return Bearing::Generic;
    }
    let deeds = ledger.mentions.deeds();
    let mut all = Sum::default();
    let mut sums: BTreeMap<usize, Sum> = BTreeMap::new();
    for term in &terms {
        let (numbers, count) = ledger.mentions.holding(term);
        let full = match term {
            Term::Name(_) => NAME,
            Term::Word(_) => WORD,
        };
        let common = deeds.len() > 3 && count * 2 > deeds.len();
        let own = Sum {
            plain: full,
            rare: if common { full / 2 } else { full },
        };
        all.add(own);
        for number in numbers {
            sums.entry(number).or_default().add(own);
        }
    }
    let fits = |(number, sum): (usize, Sum)| {
        let deed = deeds.get(number)?;
        let own = deed.order > ledger.closed;
        // What a turn tells is mostly its own: an earlier change must hold nearly all of it.
        let (share, of) = if own { (2, 1) } else { (4, 3) };
        let enough = sum.plain * share >= all.plain * of && sum.rare * share >= all.rare * of;
        (enough && live(case, deed)).then_some((own, sum.rare, deed))
    };
    let best = sums
        .into_iter()
        .filter_map(fits)
        .max_by_key(|(own, sum, deed)| (*own, *sum, deed.order));
    let named = || terms.iter().any(|term| matches!(term, Term::Name(_)));
    match best {
        Some((_, _, deed)) => Bearing::Borne(deed),
        // A turn that changed one file tells of it in words of its own.
        None if !named() && one_file(case) => Bearing::Generic,
        None => read(case, &terms).map_or(Bearing::Untold, Bearing::Read),
    }
}

/// Whether all that changed since the last close is one file.
fn one_file(case: &Case<'_>) -> bool {
    let ledger = case.ledger;
    let own = ledger.edits.iter().rev();
    let own = own.take_while(|edit| edit.order > ledger.closed);
    let mut paths = own.filter(|edit| left(edit)).map(|edit| &edit.path);
    let first = paths.next();
    first.is_some_and(|first| !first.is_empty() && paths.all(|path| path == first))
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
