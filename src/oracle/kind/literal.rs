//! Literals in the flat text of an answer.

use super::super::grammar::{Answer, Phrase, Place, Tone, is_unspaced, is_word};
use super::super::sight::Sight;

/// A literal, normalised as the answer is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Literal {
    text: String,
    sensitive: bool,
    whole: bool,
}

impl Literal {
    /// `None` where nothing of the text is left to be found.
    pub(super) fn new(
        answer: &Answer<'_>,
        text: &str,
        sensitive: bool,
        whole: bool,
    ) -> Option<Self> {
        let flat = answer.as_flat(text);
        let text = if sensitive { flat } else { flat.to_lowercase() };
        (!text.is_empty()).then_some(Self {
            text,
            sensitive,
            whole,
        })
    }

    /// Every place where it stands, in order.
    pub(super) fn places<'t>(&'t self, answer: &'t Answer<'_>) -> impl Iterator<Item = usize> + 't {
        let text = if self.sensitive {
            answer.flat()
        } else {
            answer.lower()
        };
        answer.step(text.len());
        memchr::memmem::find_iter(text.as_bytes(), self.text.as_bytes())
            .filter(move |at| !self.whole || is_whole(text, *at, *at + self.text.len()))
    }

    pub(super) fn stands(&self, answer: &Answer<'_>) -> bool {
        self.places(answer).next().is_some()
    }

    pub(super) fn phrase(&self) -> Phrase {
        Phrase::with_case(&self.text, self.sensitive)
    }

    /// Whether it stands only where it is denied or doubted. `items` are what is asked for beside it: what `or` joins it to is
    /// another in its place only where that is none of them.
    pub(super) fn is_unsaid(&self, answer: &Answer<'_>, items: &[Phrase]) -> bool {
        let own = self.phrase();
        let places = own.places(answer);
        let end = |place: usize| place + own.len();
        let plain = |place: &usize| tone_at(answer, (*place, end(*place)), items) == Tone::Plain;
        !places.is_empty() && !places.iter().any(plain)
    }

    /// Where it stands first, or that it does not.
    pub(super) fn show(&self, answer: &Answer<'_>, sight: &mut Sight) {
        let phrase = self.phrase();
        match phrase.places(answer).first() {
            _ if !self.stands(answer) => sight.misses(&self.text),
            Some(place) => {
                let tokens = (*place, *place + phrase.len());
                sight.tokens(answer, tokens, tone_at(answer, tokens, &[]));
            }
            None => {}
        }
    }

    /// Whether it is a number that the answer writes in another way: `1,400` for `1400`.
    pub(super) fn is_written_otherwise(&self, answer: &Answer<'_>) -> bool {
        let digits = self.text.bytes().all(|byte| byte.is_ascii_digit());
        let value = self.text.parse().ok().filter(|_| digits);
        value.is_some_and(|value: i128| answer.ints().iter().any(|own| own.value == value))
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }
}

/// How what stands from one token to another is said.
fn tone_at(answer: &Answer<'_>, (first, end): (usize, usize), items: &[Phrase]) -> Tone {
    if answer.is_denied_before(first) || is_absent(answer, end) {
        return Tone::Denied;
    }
    if answer.place(answer.line(first)) != Place::Prose {
        return Tone::Plain;
    }
    let open = answer.is_doubted(first)
        || is_supposed(answer, first)
        || is_alternative(answer, (first, end), items);
    if open { Tone::Hedged } else { Tone::Plain }
}

/// `that is not the name`, `that does not exist`: what is said of the literal itself, not of what it does.
pub(super) fn is_absent(answer: &Answer<'_>, end: usize) -> bool {
    let clause = answer.clause(end);
    let is = |at: usize, words: &[&str]| {
        let word = answer.word(at);
        answer.clause(at) == clause && words.iter().any(|own| own.eq_ignore_ascii_case(word))
    };
    let short = is(end + 1, &["'"]) && is(end + 2, &["t"]);
    let denied = short || is(end + 1, &["not"]);
    let next = end + 2 + usize::from(short);
    let being = is(
        end,
        &["is", "are", "was", "were", "isn", "aren", "wasn", "weren"],
    );
    let doing = is(end, &["does", "do", "did", "doesn", "don", "didn"]);
    being && is(end + 1, &["absent", "missing", "nowhere"])
        || being
            && denied
            && is(
                next,
                &["the", "it", "one", "there", "where", "present", "found"],
            )
        || doing && denied && is(next, &["exist", "appear", "occur", "stand"])
}

/// `if it is that`, `it may be that`: a condition on the literal itself.
fn is_supposed(answer: &Answer<'_>, first: usize) -> bool {
    const SAID: [&str; 9] = [
        "it", "this", "that", "is", "was", "were", "be", "the", "name",
    ];
    let clause = answer.clause(first);
    let is = |word: &str, words: &[&str]| words.iter().any(|own| own.eq_ignore_ascii_case(word));
    for back in 1..=4 {
        let Some(at) = first
            .checked_sub(back)
            .filter(|at| answer.clause(*at) == clause)
        else {
            return false;
        };
        if is(
            answer.word(at),
            &["if", "whether", "unless", "may", "might", "could"],
        ) {
            return back > 1;
        }
        if !is(answer.word(at), &SAID) {
            return false;
        }
    }
    false
}

/// `this or that`, where the other is not asked for as well.
fn is_alternative(answer: &Answer<'_>, (first, end): (usize, usize), items: &[Phrase]) -> bool {
    const NO_OTHER: [&str; 14] = [
        "a",
        "an",
        "any",
        "else",
        "even",
        "if",
        "more",
        "not",
        "otherwise",
        "similar",
        "so",
        "the",
        "when",
        "whether",
    ];
    let clause = answer.clause(first);
    let or = |at: usize| {
        answer.clause(at) == clause
            && !answer.is_code(at)
            && answer.word(at).eq_ignore_ascii_case("or")
    };
    let names = |at: usize| {
        let word = answer.word(at);
        let other = NO_OTHER.iter().any(|own| own.eq_ignore_ascii_case(word));
        answer.clause(at) == clause && word.starts_with(is_word) && !other
    };
    let behind =
        or(end) && names(end + 1) && !items.iter().any(|own| own.at(answer, end + 1).is_some());
    let before = first >= 2
        && or(first - 1)
        && names(first - 2)
        && !items
            .iter()
            .any(|own| own.before(answer, first - 1).is_some());
    behind || before
}

/// Whether a literal stands as a whole. One that is a path or a compound name is no part of a
/// longer one either: `docs/a.md` does not stand in `docs/a.md.bak`, nor `Retry-Key` in
/// `Retry-Key-2`.
fn is_whole(text: &str, start: usize, end: usize) -> bool {
    let own = text.get(start..end).unwrap_or("");
    let mut before = text.get(..start).unwrap_or("").chars().rev();
    let mut after = text.get(end..).unwrap_or("").chars();
    let (one, two) = (before.next(), before.next());
    let (next, then) = (after.next(), after.next());
    // A Han letter beside an ASCII word is no part of it.
    let run = |own: Option<char>| own.is_some_and(is_unspaced);
    let joins = |edge: Option<char>, beside: Option<char>| {
        beside.is_some_and(is_word) && run(edge) == run(beside)
    };
    let touches = joins(own.chars().next(), one) || joins(own.chars().next_back(), next);
    let name = own.contains(['-', '/', '.', '_']) && !own.contains(' ');
    let joined = |join: Option<char>, word: Option<char>, joins: &[char]| {
        join.is_some_and(|c| joins.contains(&c)) && word.is_some_and(is_word)
    };
    let longer = joined(next, then, &['-', '/', '.']) || joined(one, two, &['-', '.']);
    !(touches || name && longer)
}
