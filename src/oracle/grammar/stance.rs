//! How far an answer stands behind what a clause says: `probably`, `I think`, `7, if you count those`, `7 is wrong`.
//! A doubt opens what follows it, up to where something new is said; a doubt that ends its clause or its brackets
//! opens what stands before it.

use super::label::is_one_of;
use super::polarity::{CONDITIONED, DENIED, DOUBT, INT_DENIED, LIMITED, LITERAL};
use super::token::{Kind, Tokens};

/// Tokens behind a doubt that may end its clause, so that it is said of what stands before.
const TAIL: usize = 5;

/// Words that doubt what they are said of.
const DOUBTS: [&str; 26] = [
    "allegedly",
    "apparently",
    "arguably",
    "claimed",
    "claims",
    "conceivably",
    "estimated",
    "guess",
    "guessing",
    "lean",
    "leaning",
    "likely",
    "maybe",
    "perhaps",
    "possibly",
    "presumably",
    "probably",
    "reportedly",
    "seemingly",
    "supposedly",
    "theoretically",
    "unchecked",
    "unconfirmed",
    "unlikely",
    "unsure",
    "unverified",
];

/// What somebody does who does not know.
const THINKS: [&str; 13] = [
    "assume", "assumed", "believe", "believed", "expect", "expected", "guess", "hope", "imagine",
    "presume", "reckon", "suppose", "suspect",
];

/// Who may say a thing that the answer only passes on, and how.
const OTHERS: [&str; 9] = [
    "author",
    "colleague",
    "he",
    "people",
    "she",
    "somebody",
    "someone",
    "they",
    "user",
];
const SAYS: [&str; 13] = [
    "assumes", "believe", "believes", "claim", "claimed", "claims", "promised", "reported", "said",
    "say", "says", "think", "thinks",
];

/// Words behind which something new is said.
const BREAKS: [&str; 10] = [
    "although", "because", "but", "however", "since", "so", "though", "whereas", "while", "yet",
];

/// Words before `if` that make it no condition of what is said, and words behind it.
const ASKED: [&str; 17] = [
    "as", "ask", "asked", "check", "checked", "checks", "even", "know", "me", "only", "see",
    "tell", "test", "tested", "tests", "what", "wonder",
];
const POLITE: [&str; 9] = [
    "any",
    "applicable",
    "anything",
    "desired",
    "necessary",
    "needed",
    "possible",
    "required",
    "so",
];
const WISHES: [&str; 8] = [
    "d", "have", "like", "need", "prefer", "want", "wish", "would",
];

const CHANGES: [&str; 9] = [
    "change", "changes", "commit", "edit", "edits", "fix", "patch", "refactor", "rewrite",
];

/// A clause, as far as it is not code.
struct Said<'a> {
    text: &'a str,
    tokens: &'a Tokens,
    spans: &'a [(usize, usize)],
    first: usize,
    end: usize,
}

/// Adds what the stance of a clause does to the flags of its tokens, in one pass.
pub(super) fn read(
    text: &str,
    tokens: &Tokens,
    spans: &[(usize, usize)],
    (first, end): (usize, usize),
    flags: &mut [u16],
) {
    let said = Said {
        text,
        tokens,
        spans,
        first,
        end,
    };
    let (mut doubt, mut limited) = (false, false);
    let mut outer = (false, false);
    // Up to where what stands before is in doubt, or is a matter of a condition.
    let (mut doubted, mut open, mut conditioned) = (first, first, first);
    for index in first..end {
        match said.word(index) {
            "(" => outer = (doubt, limited),
            ")" => (doubt, limited) = outer,
            "|" => (doubt, limited) = (false, false),
            own if is_one_of(&BREAKS, own) => (doubt, limited) = (false, false),
            _ => {}
        }
        if said.is_doubt(index) {
            doubt = true;
            if said.ends_soon(index) {
                doubted = index;
            }
        }
        if said.is_limit(index) {
            limited = true;
            if said.ends_soon(index) {
                open = index;
            }
        }
        if said.is_condition(index) {
            limited |= index == first;
            conditioned = index;
        }
        if said.is_past(index) {
            open = index;
        }
        if said.is_refuted(index) || said.is_unproven(index) && said.ends_soon(index) {
            doubted = index;
        }
        if let Some(own) = flags.get_mut(index) {
            *own |= if doubt { DOUBT } else { 0 } | if limited { LIMITED } else { 0 };
        }
    }
    for own in flags.get_mut(first..doubted).unwrap_or(&mut []) {
        *own |= DOUBT;
    }
    for own in flags.get_mut(first..open).unwrap_or(&mut []) {
        *own |= LIMITED;
    }
    for own in flags.get_mut(first..conditioned).unwrap_or(&mut []) {
        *own |= CONDITIONED;
    }
    said.strike(flags);
}

impl<'a> Said<'a> {
    /// A word of the clause that is no code.
    fn word(&self, at: usize) -> &'a str {
        let own = self
            .tokens
            .all
            .get(at)
            .filter(|_| (self.first..self.end).contains(&at));
        match own {
            Some(own) if !super::covers(self.spans, own.start as usize) => {
                self.tokens.text(self.text, at)
            }
            _ => "",
        }
    }

    fn is(&self, at: usize, words: &[&str]) -> bool {
        is_one_of(words, self.word(at))
    }

    fn before(&self, at: usize, words: &[&str]) -> bool {
        at.checked_sub(1).is_some_and(|at| self.is(at, words))
    }

    fn is_doubt(&self, at: usize) -> bool {
        let own = self.word(at);
        if own.is_empty() || own.len() > 13 {
            return false;
        }
        let next = |words: &[&str]| self.is(at + 1, words);
        match own.to_ascii_lowercase().as_str() {
            "i" | "we" => {
                next(&THINKS)
                    || next(&["think", "thought"])
                    || next(&["d"]) && self.is(at + 2, &["guess", "say"])
            }
            // `none seems to be one` denies it.
            "seem" | "seems" | "seemed" | "appear" | "appears" | "appeared"
                if self.before(at, &["no", "none", "nothing", "never", "not"]) =>
            {
                false
            }
            "seem" | "seems" | "seemed" | "appear" | "appears" | "appeared" => {
                next(&[
                    "to", "like", "right", "correct", "that", "wrong", "off", "high", "low",
                ]) || self.before(at, &["it"])
            }
            "theory" | "principle" => self.before(at, &["in"]),
            "sure" | "certain" => self.before(at, &["not", "t"]),
            "confirm" | "verify" => self.before(at, &["cannot", "not", "t"]),
            "far" => self.before(at, &["as"]) && next(&["as"]) && self.is(at + 2, &["i"]),
            "knowledge" => self.before(at, &["my", "our"]),
            "memory" => self.before(at, &["from"]),
            "depends" | "depending" | "afaik" | "iirc" | "dunno" => true,
            _ if is_one_of(&OTHERS, own) => next(&SAYS),
            _ => is_one_of(&DOUBTS, own),
        }
    }

    /// `7, not verified`.
    fn is_unproven(&self, at: usize) -> bool {
        self.is(at, &["confirmed", "verified", "checked"]) && self.before(at, &["not", "t"])
    }

    /// What may be, is to be, or was once.
    fn is_limit(&self, at: usize) -> bool {
        let own = self.word(at);
        let modal = ["may", "might", "could", "can", "must", "should"];
        let once = [
            "earlier",
            "formerly",
            "initially",
            "originally",
            "previously",
        ];
        modal.contains(&own) && (1..=3).any(|by| self.is(at + by, &["be", "have"]))
            || self.is(at, &["used"])
                && self.is(at + 1, &["to"])
                && self.is(at + 2, &["be", "have"])
            || is_one_of(&once, own)
    }

    /// Whether little more is said behind a doubt: up to the end of the clause, of its brackets, or of a remark between commas.
    fn ends_soon(&self, at: usize) -> bool {
        let remark = self.before(at, &[","]);
        (at + 1..at + TAIL).any(|own| {
            let word = self.word(own);
            own >= self.end || matches!(word, ")" | "]") || remark && word == ","
        })
    }

    /// `7, if you count those`; not `let me know if`, `if you want more`, `even if`.
    fn is_condition(&self, at: usize) -> bool {
        if !self.is(at, &["if", "unless", "provided", "assuming"]) || self.before(at, &ASKED) {
            return false;
        }
        let wish = self.is(at + 1, &["you", "there", "they"]) && self.is(at + 2, &WISHES);
        !wish && !self.is(at + 1, &POLITE)
    }

    /// `they passed before my change`, `there were 7 before`.
    fn is_past(&self, at: usize) -> bool {
        let last = (at + 1..at + 3).all(|at| !self.word(at).starts_with(char::is_alphanumeric));
        self.is(at, &["before"]) && last && at > self.first
            || self.is(at, &["before", "until"])
                && self.is(at + 1, &["my", "our", "the", "this", "these"])
                && self.is(at + 2, &CHANGES)
    }

    /// `7 is wrong`, `7 functions is not right`.
    fn is_refuted(&self, at: usize) -> bool {
        let wrong = [
            "inaccurate",
            "incorrect",
            "mistaken",
            "outdated",
            "untrue",
            "wrong",
        ];
        let right = ["accurate", "correct", "right", "true"];
        if !self.is(
            at,
            &["is", "are", "was", "were", "isn", "aren", "wasn", "weren"],
        ) {
            return false;
        }
        let denied = self.is(at + 1, &["not"]) && self.is(at + 2, &right)
            || self.is(at + 2, &["t"]) && self.is(at + 3, &right);
        denied
            || self.is(at + 1, &wrong)
            || self.is(at + 2, &wrong) && !self.is(at + 1, &["not", "nothing"])
    }

    /// What is struck out, `~~drop~~`, is denied.
    fn strike(&self, flags: &mut [u16]) {
        let mut from = None;
        let mut at = self.first;
        while at + 1 < self.end {
            if !self.is_strike(at) {
                at += 1;
                continue;
            }
            match from.take() {
                None => from = Some(at + 2),
                Some(from) => {
                    for own in flags.get_mut(from..at).unwrap_or(&mut []) {
                        *own |= DENIED | INT_DENIED | LITERAL;
                    }
                }
            }
            at += 2;
        }
    }

    /// Two tildes that touch, and no third.
    fn is_strike(&self, at: usize) -> bool {
        let tilde = |at: usize| self.word(at) == "~";
        let (one, two) = (self.tokens.all.get(at), self.tokens.all.get(at + 1));
        let touch = one
            .zip(two)
            .is_some_and(|(one, two)| one.kind == Kind::Mark && one.end == two.start);
        touch && tilde(at) && tilde(at + 1) && !tilde(at + 2)
    }
}
