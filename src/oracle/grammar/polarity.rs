//! What a clause denies, and what it leaves open: one rule for words and integers alike.

use std::ops::Range;

use super::behind::denied_after;
use super::script::{is_unspaced, leaves_open};
use super::stance;
use super::token::{Kind, Tokens};

/// How a token is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Polarity {
    /// It is asserted.
    Asserted,
    /// It is denied.
    Denied,
    /// A condition, a question, or a denial whose reach is unclear.
    Open,
}

pub(super) const DENIED: u16 = 1;
pub(super) const OPEN: u16 = 2;
pub(super) const INT_DENIED: u16 = 4;
const FOREIGN: u16 = 8;
const UNSPACED: u16 = 16;
/// An integer that is denied as a word would be, which tells of a literal and not of what it counts.
pub(super) const LITERAL: u16 = 32;
/// The clause, or the answer, does not stand behind it.
pub(super) const DOUBT: u16 = 64;
/// A time or a leave that it is said for.
pub(super) const LIMITED: u16 = 128;
/// A condition follows that it is said for.
pub(super) const CONDITIONED: u16 = 256;

/// What a word does to the words after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cue {
    /// `no`, `none`, `without`: it denies what it determines.
    Determiner,
    /// `not`, `never`: it denies what is said.
    Verb,
    /// It ends what was denied before.
    Closer,
    /// What follows is no assertion.
    Condition,
    /// `or`, `nor`: a list goes on.
    Or,
    And,
    That,
    /// Who or what did: what it names is not itself denied.
    By,
    /// A preposition or quantifier after which an integer is not what a verb denied.
    Cut,
    Other,
}

fn cue(word: &str) -> Cue {
    if word.len() > 10 || !word.is_ascii() {
        return Cue::Other;
    }
    match word.to_ascii_lowercase().as_str() {
        "no" | "none" | "nothing" | "neither" | "zero" | "excluding" | "excludes" | "excluded"
        | "except" | "besides" | "unlike" => Cue::Determiner,
        "not" | "never" | "cannot" | "without" | "isnt" | "didnt" | "lacks" | "lacking"
        | "lack" => Cue::Verb,
        "but" | "yet" | "however" | "although" | "though" | "whereas" | "while" | "because"
        | "since" | "so" | "which" | "who" | "then" | "only" | "still" => Cue::Closer,
        // `I doubt that they pass`, `hardly any pass`, `it is false that they pass`: not a denial
        // of what follows, and no assertion of it.
        "if" | "unless" | "whether" | "would" | "could" | "might" | "should" | "perhaps"
        | "maybe" | "possibly" | "unsure" | "unclear" | "uncertain" | "doubt" | "doubtful"
        | "hardly" | "barely" | "scarcely" | "rarely" | "seldom" | "few" => Cue::Condition,
        "or" | "nor" => Cue::Or,
        "and" => Cue::And,
        "that" => Cue::That,
        "by" | "per" | "from" | "according" => Cue::By,
        "in" | "among" | "all" | "any" | "every" | "each" | "than" | "above" | "exceed"
        | "exceeds" | "exceeding" => Cue::Cut,
        _ => Cue::Other,
    }
}

/// Words after `no` or `not` that make it deny nothing.
const IDIOMS: [&str; 8] = [
    "doubt", "only", "just", "merely", "matter", "problem", "question", "surprise",
];

/// Words that make what follows `for` only looked for.
const SOUGHT: [&str; 10] = [
    "looked",
    "looking",
    "searched",
    "searching",
    "search",
    "grepped",
    "checked",
    "checking",
    "scanned",
    "filtered",
];

/// What somebody who looks for a fault may fail to do.
const FOUND: [&str; 10] = [
    "find",
    "see",
    "spot",
    "notice",
    "reproduce",
    "detect",
    "identify",
    "locate",
    "provoke",
    "trigger",
];

/// `valid levels: INFO, WARN`, `of the levels INFO and WARN`: what there is to choose from.
fn is_offer(own: &str, next: &str, before: &str) -> bool {
    let is = |word: &str, words: &[&str]| words.iter().any(|own| own.eq_ignore_ascii_case(word));
    let nouns = ["levels", "values", "options", "choices", "verdicts"];
    let offered = [
        "valid",
        "possible",
        "allowed",
        "available",
        "supported",
        "known",
    ];
    is(own, &offered) && is(next, &nouns)
        || is(own, &["the"]) && is(next, &nouns) && is(before, &["of", "among"])
}

fn is_undoubted(before: &str) -> bool {
    ["no", "not", "without", "beyond"]
        .iter()
        .any(|own| before.eq_ignore_ascii_case(own))
}

fn is_failing(word: &str) -> bool {
    [
        "failed", "fails", "fail", "refuse", "refused", "refuses", "decline", "declined",
        "declines",
    ]
    .iter()
    .any(|own| word.eq_ignore_ascii_case(own))
}

fn is_more(word: &str) -> bool {
    ["more", "greater", "higher", "less", "fewer", "lower"]
        .iter()
        .any(|own| word.eq_ignore_ascii_case(own))
}

fn is_other(word: &str) -> bool {
    ["differs", "differ", "differed", "different", "distinct"]
        .iter()
        .any(|own| word.eq_ignore_ascii_case(own))
}

/// How far what was denied reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    Closed,
    /// Everything that follows in the phrase.
    All,
    /// The next word only, as the next item of a list.
    Item,
    /// After such an item: a further list sign goes on, all else ends it.
    AfterItem,
    /// It may or may not reach further.
    Unclear,
}

#[derive(Debug, Clone, Copy)]
struct State {
    reach: Reach,
    verb: bool,
    cut: bool,
    condition: bool,
    /// The next word, as an item, is open and not denied.
    soft: bool,
    /// Nothing more of the clause is asserted: `not, it seems, …`.
    sticky: bool,
    /// What was denied leads a list in: `not public: a and b`.
    list: bool,
    /// A comma may put another in the place of what was denied: `not A, B`.
    contrast: bool,
    /// What follows was looked for, which says nothing of whether it is there.
    sought: bool,
}

const START: State = State {
    reach: Reach::Closed,
    verb: false,
    cut: false,
    condition: false,
    soft: false,
    sticky: false,
    list: false,
    contrast: false,
    sought: false,
};

/// The flags of every token, in one pass.
pub(crate) fn read(text: &str, tokens: &Tokens, spans: &[(usize, usize)]) -> Vec<u16> {
    let mut flags = vec![0; tokens.all.len()];
    for clause in &tokens.clauses {
        let (first, end) = (clause.first as usize, clause.end as usize);
        let mut state = START;
        let mut saved = START;
        let unspaced = is_run(text, tokens, first..end);
        let foreign = unspaced || is_foreign(text, tokens, first..end);
        let open = clause.question || foreign && leaves_open(clause_text(text, tokens, first..end));
        for (index, token) in tokens.all.iter().enumerate().take(end).skip(first) {
            match token.kind {
                Kind::Mark => mark(text, tokens, index, &mut state, &mut saved),
                Kind::Int(_) => {
                    flags[index] = state.int();
                    let zero =
                        tokens.text(text, index) == "0" && determines(text, tokens, first, index);
                    state.after_int(zero);
                }
                // Code says nothing: the `if` of a quoted line makes no condition.
                Kind::Word if super::covers(spans, token.start as usize) => {
                    flags[index] = state.flags();
                }
                Kind::Word => {
                    flags[index] = word(text, tokens, index, first, &mut state);
                }
                Kind::Number => {}
            }
            if foreign {
                flags[index] |= FOREIGN;
            }
            if unspaced {
                flags[index] |= UNSPACED;
            }
            if open {
                flags[index] |= OPEN | DOUBT;
            }
        }
        stance::read(text, tokens, spans, (first, end), &mut flags);
    }
    flags
}

/// A clause with a word of another script: how it denies is not known here.
fn is_foreign(text: &str, tokens: &Tokens, clause: Range<usize>) -> bool {
    let foreign =
        |c: &char| c.is_alphabetic() && !matches!(c, '\0'..='\u{24f}' | '\u{1e00}'..='\u{1eff}');
    clause.into_iter().any(|index| {
        let word = tokens.text(text, index);
        !word.is_ascii() && word.chars().filter(foreign).nth(1).is_some()
    })
}

/// A clause with a word that is written without blanks: two characters, each of which is a token.
fn is_run(text: &str, tokens: &Tokens, clause: Range<usize>) -> bool {
    let mut own = clause.filter(|index| tokens.text(text, *index).starts_with(is_unspaced));
    own.nth(1).is_some()
}

fn clause_text<'t>(text: &'t str, tokens: &Tokens, clause: Range<usize>) -> &'t str {
    let own = tokens.all.get(clause).unwrap_or(&[]);
    match (own.first(), own.last()) {
        (Some(first), Some(last)) => text.get(first.start as usize..last.end as usize),
        _ => None,
    }
    .unwrap_or("")
}

impl State {
    fn int(&mut self) -> u16 {
        let mut flags = if self.condition || self.sticky {
            OPEN
        } else {
            0
        };
        if self.reach == Reach::All && self.verb && !self.cut {
            flags |= INT_DENIED;
        }
        if self.reach == Reach::Unclear {
            flags |= OPEN;
        }
        if self.reach == Reach::All && !self.cut {
            flags |= LITERAL;
        }
        flags
    }

    fn after_int(&mut self, zero: bool) {
        self.cut = true;
        if zero {
            self.reach = Reach::Item;
            self.soft = false;
            self.verb = false;
        } else if matches!(self.reach, Reach::Item | Reach::AfterItem) {
            self.reach = Reach::Closed;
        }
    }

    fn deny(&mut self, verb: bool) {
        self.reach = if self.reach == Reach::All && self.verb && verb {
            Reach::Unclear
        } else {
            Reach::All
        };
        self.verb = verb;
        self.contrast = verb;
        self.cut = false;
        self.list = false;
    }

    fn flags(&self) -> u16 {
        let open = if self.condition || self.sticky || self.sought {
            OPEN
        } else {
            0
        };
        open | match self.reach {
            Reach::Item if self.soft => OPEN,
            Reach::All | Reach::Item => DENIED,
            Reach::Unclear => OPEN,
            Reach::Closed | Reach::AfterItem => 0,
        }
    }
}

/// `0` denies what it counts where it stands as a determiner: `with 0 ERROR events`, but not
/// `exit code 0 verified`.
fn determines(text: &str, tokens: &Tokens, first: usize, index: usize) -> bool {
    if index == first {
        return true;
    }
    matches!(
        tokens.text(text, index - 1).to_ascii_lowercase().as_str(),
        "," | "("
            | "and"
            | "with"
            | "are"
            | "were"
            | "has"
            | "have"
            | "had"
            | "found"
            | "contains"
            | "-"
            | "shows"
            | "holds"
            | "/"
    )
}

/// The flags of a word that denies what follows together with the one beside it.
fn pair(text: &str, tokens: &Tokens, index: usize, first: usize, state: &mut State) -> Option<u16> {
    let own = tokens.text(text, index);
    let next = tokens.text(text, index + 1);
    // The two halves of `didn't`.
    if matches!(own, "t" | "T") && contracted(text, tokens, index, first) {
        state.deny(true);
        return Some(0);
    }
    let phrase = |a: &str, b: &str| own.eq_ignore_ascii_case(a) && next.eq_ignore_ascii_case(b);
    if is_other(own) && next.eq_ignore_ascii_case("from") && state.reach == Reach::Closed {
        state.deny(true);
        return Some(0);
    }
    if phrase("rather", "than") || phrase("instead", "of") || phrase("other", "than") {
        state.deny(false);
        return Some(0);
    }
    if next.eq_ignore_ascii_case("to") && is_failing(own) {
        state.deny(true);
        // `I failed to find a problem` is no failure of what was looked at.
        let sought = FOUND
            .iter()
            .any(|word| tokens.text(text, index + 2).eq_ignore_ascii_case(word));
        return Some(if sought { OPEN } else { 0 });
    }
    None
}

fn word(text: &str, tokens: &Tokens, index: usize, first: usize, state: &mut State) -> u16 {
    if let Some(flags) = pair(text, tokens, index, first, state) {
        return flags;
    }
    let own = tokens.text(text, index);
    let next = tokens.text(text, index + 1);
    let before = index.checked_sub(1).map_or("", |at| tokens.text(text, at));
    let phrase = |a: &str, b: &str| own.eq_ignore_ascii_case(a) && next.eq_ignore_ascii_case(b);
    // `it is false that they pass`, but not the value `false`.
    let untrue = ["false", "untrue", "wrong", "incorrect"];
    state.condition |= untrue.iter().any(|word| phrase(word, "that"));
    let flags = state.flags();
    let sought = SOUGHT.iter().any(|word| own.eq_ignore_ascii_case(word));
    state.sought |= sought && next.eq_ignore_ascii_case("for") || is_offer(own, next, before);
    match cue(own) {
        Cue::Determiner | Cue::Verb
            if IDIOMS.iter().any(|idiom| next.eq_ignore_ascii_case(idiom)) => {}
        // `No: it makes seven.` answers what was said before.
        Cue::Determiner if matches!(next, ":" | ",") => {}
        Cue::Determiner => state.deny(false),
        Cue::Verb => {
            state.deny(true);
            let bare = ["without", "lack", "lacks", "lacking"];
            state.contrast = !bare.iter().any(|word| own.eq_ignore_ascii_case(word));
            state.sticky |= next == ",";
        }
        // `not so that …` goes on.
        Cue::Closer if phrase("so", "that") => {}
        Cue::Closer => {
            state.reach = Reach::Closed;
            state.sought = false;
        }
        // `no doubt it passes`.
        Cue::Condition
            if own.eq_ignore_ascii_case("doubt") && index > first && is_undoubted(before) => {}
        // `could not find` tells what was not found.
        Cue::Condition if phrase("could", "not") => {}
        Cue::Condition => state.condition = true,
        Cue::Or => state.list(false),
        Cue::And => state.list(true),
        Cue::That | Cue::By if state.reach == Reach::All => state.reach = Reach::Unclear,
        // `never more than 1400` does not deny the bound.
        Cue::Cut if own.eq_ignore_ascii_case("than") && !is_more(before) => {}
        Cue::Cut => state.cut = true,
        Cue::That | Cue::By | Cue::Other => {
            state.reach = match state.reach {
                Reach::Item => Reach::AfterItem,
                Reach::AfterItem => Reach::Closed,
                other => other,
            };
        }
    }
    flags
}

impl State {
    /// A list sign: it lets a denial reach the next word only; `or` leaves a wide one wide.
    fn list(&mut self, soft: bool) {
        match self.reach {
            // `neither 1300 nor 1400`.
            Reach::All if !soft => self.cut = false,
            Reach::All if self.list => {}
            Reach::All => {
                self.reach = Reach::Item;
                self.soft = true;
            }
            Reach::AfterItem => {
                self.reach = Reach::Item;
                self.soft |= soft;
            }
            _ => {}
        }
    }
}

fn contracted(text: &str, tokens: &Tokens, index: usize, first: usize) -> bool {
    index >= first + 2
        && matches!(tokens.text(text, index - 1), "'" | "’")
        && tokens.text(text, index - 2).ends_with(['n', 'N'])
        && tokens.all[index - 2].end + 1 >= tokens.all[index - 1].start
}

fn mark(text: &str, tokens: &Tokens, index: usize, state: &mut State, saved: &mut State) {
    match tokens.text(text, index) {
        "," => {
            state.condition = false;
            match state.reach {
                Reach::All if state.list => {}
                Reach::All => {
                    state.reach = Reach::Item;
                    // `not A, B` may as well put B in the place of A.
                    state.soft = state.contrast;
                }
                Reach::AfterItem => state.reach = Reach::Item,
                Reach::Unclear => state.reach = Reach::Closed,
                Reach::Item | Reach::Closed => {}
            }
        }
        "(" => *saved = std::mem::replace(state, START),
        ")" => *state = std::mem::replace(saved, START),
        ":" if state.reach == Reach::All && state.verb => state.list = true,
        ":" if state.reach == Reach::All => state.reach = Reach::Unclear,
        "-" if spaced(text, tokens, index) => state.reach = Reach::Closed,
        "/" => state.list(false),
        "|" => *state = START,
        _ => {}
    }
}

fn spaced(text: &str, tokens: &Tokens, index: usize) -> bool {
    let token = tokens.all[index];
    let before = text.get(..token.start as usize).unwrap_or("");
    let after = text.get(token.end as usize..).unwrap_or("");
    before.ends_with(char::is_whitespace) && after.starts_with(char::is_whitespace)
}

/// How the word at `index` is said.
pub(crate) fn of_word(text: &str, tokens: &Tokens, flags: &[u16], index: usize) -> Polarity {
    let own = flags.get(index).copied().unwrap_or(0);
    if own & (OPEN | DOUBT | LIMITED | CONDITIONED) != 0 {
        return Polarity::Open;
    }
    match (own & DENIED != 0, denied_after(text, tokens, index)) {
        (true, true) => Polarity::Open,
        (false, false) => Polarity::Asserted,
        _ => Polarity::Denied,
    }
}

/// Whether the token stands in a clause of another script.
pub(crate) fn is_foreign_at(flags: &[u16], index: usize) -> bool {
    flags.get(index).copied().unwrap_or(0) & FOREIGN != 0
}

/// Whether the token stands in a clause of a script without blanks.
pub(crate) fn is_unspaced_at(flags: &[u16], index: usize) -> bool {
    flags.get(index).copied().unwrap_or(0) & UNSPACED != 0
}

/// Whether what stands before the token at `index` denies it.
pub(crate) fn is_denied_before(flags: &[u16], index: usize) -> bool {
    let own = flags.get(index).copied().unwrap_or(0);
    own & (DENIED | OPEN) == DENIED || own & (INT_DENIED | LITERAL) != 0
}

/// How a place is said, which no condition behind it moves.
pub(crate) fn of_place(text: &str, tokens: &Tokens, flags: &[u16], index: usize) -> Polarity {
    let own = flags.get(index).copied().unwrap_or(0);
    if own & (OPEN | DOUBT) == 0 && own & (LIMITED | CONDITIONED) != 0 {
        let denied = own & DENIED != 0 || denied_after(text, tokens, index);
        return if denied {
            Polarity::Denied
        } else {
            Polarity::Asserted
        };
    }
    of_word(text, tokens, flags, index)
}

/// Whether a condition follows the token at `index`, which it is told for.
pub(crate) fn is_conditioned(flags: &[u16], index: usize) -> bool {
    flags.get(index).copied().unwrap_or(0) & CONDITIONED != 0
}

/// Whether the answer doubts what stands at `index`, or asks it.
pub(crate) fn is_doubted(flags: &[u16], index: usize) -> bool {
    flags.get(index).copied().unwrap_or(0) & DOUBT != 0
}

/// How the integer at token `index` is said.
pub(crate) fn of_int(flags: &[u16], index: usize) -> Polarity {
    let own = flags.get(index).copied().unwrap_or(0);
    if own & INT_DENIED != 0 {
        Polarity::Denied
    } else if own & (OPEN | DOUBT | LIMITED) != 0 {
        Polarity::Open
    } else {
        Polarity::Asserted
    }
}
