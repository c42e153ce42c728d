//! The book of what is replaced by what: numbered in the order of appearance, so that one session
//! gives the same copy whenever and wherever it is made.

use std::collections::{BTreeMap, BTreeSet};

use aho_corasick::{AhoCorasick, MatchKind};

use super::token::{Token, What, tokens};
use super::veil::veil;
use super::write::{email, filled, host, id, uuid};
use crate::private::canary::slug;

/// A user's or host's name that is shorter than this is replaced in paths only.
const WORD: usize = 4;
/// What follows an id in the names of a session's files.
const NAMING: [&str; 3] = [".jsonl", ".meta.json", "/subagents/"];
/// Names of accounts that are words as well: replaced in paths only.
const COMMON: [&str; 40] = [
    "user",
    "users",
    "dev",
    "ubuntu",
    "root",
    "admin",
    "node",
    "runner",
    "vscode",
    "codespace",
    "coder",
    "test",
    "tests",
    "home",
    "work",
    "build",
    "builder",
    "guest",
    "claude",
    "codex",
    "agent",
    "docker",
    "python",
    "jenkins",
    "developer",
    "debian",
    "workspace",
    "project",
    "projects",
    "code",
    "main",
    "data",
    "demo",
    "sandbox",
    "default",
    "local",
    "localhost",
    "host",
    "server",
    "github",
];

/// What is known of where the program runs: names that the session may hold too.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// The user's name.
    pub user: Option<String>,
    /// The host's name.
    pub host: Option<String>,
}

/// One replacement of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) seen: usize,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) text: Vec<u8>,
    pub(super) what: What,
}

/// Where a pattern may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bound {
    Anywhere,
    /// No letter precedes.
    Left,
    /// No letter follows.
    Right,
    /// Nothing follows that a name may go on with.
    Path,
    Word,
}

struct Pattern {
    text: Vec<u8>,
    written: Vec<u8>,
    what: What,
    bound: Bound,
}

/// The book.
#[derive(Default)]
pub(super) struct Book {
    /// Numbers by kind and value; values in small letters but for secrets.
    numbers: BTreeMap<(What, Vec<u8>), usize>,
    /// Values as they stood first, in the order of appearance.
    order: Vec<(What, Vec<u8>)>,
    counts: BTreeMap<What, usize>,
    /// Homes as they are spelt in paths, with where the name begins in them.
    places: BTreeMap<Vec<u8>, usize>,
    /// Users and hosts whose names are replaced as words, and ids that are replaced wherever they stand.
    wide: BTreeSet<(What, Vec<u8>)>,
    search: Option<(AhoCorasick, Vec<Pattern>)>,
}

fn folded(what: What, value: &[u8]) -> Vec<u8> {
    match what {
        What::Secret => value.to_vec(),
        _ => value.to_ascii_lowercase(),
    }
}

impl Book {
    /// Reads what is to be replaced out of the texts.
    pub(super) fn learn(texts: &[&[u8]], names: &Names) -> Self {
        let mut book = Self::default();
        let mut slugs = Vec::new();
        for text in texts {
            for token in tokens(text, &veil(text)) {
                let value = &text[token.start..token.end];
                match token.what {
                    What::Blob | What::Left | What::Day => {}
                    What::Id if token.echo => {}
                    What::User if token.slug => slugs.push(value.to_vec()),
                    what => book.note(what, text, token),
                }
            }
        }
        for name in slugs {
            if book.known_slug(&name).is_none() {
                book.add(What::User, &name);
            }
        }
        for (what, name) in [(What::User, &names.user), (What::Host, &names.host)] {
            let name = name.as_deref().unwrap_or("").as_bytes();
            if is_own_word(name) && texts.iter().any(|text| holds(text, name)) {
                book.add(what, name);
                book.wide.insert((what, folded(what, name)));
            }
        }
        book.build();
        book
    }

    fn note(&mut self, what: What, text: &[u8], token: Token) {
        let value = &text[token.start..token.end];
        self.add(what, value);
        let host = what == What::Host;
        let id = what == What::Id;
        if (token.own || host) && (id || is_own_word(value)) {
            self.wide.insert((what, folded(what, value)));
        }
        if what == What::User {
            let place = text[token.seen..token.end].to_vec();
            self.places.insert(place, token.start - token.seen);
        }
    }

    fn add(&mut self, what: What, value: &[u8]) {
        let key = (what, folded(what, value));
        if !self.numbers.contains_key(&key) {
            let count = self.counts.entry(what).or_insert(0);
            *count += 1;
            self.numbers.insert(key, *count);
            self.order.push((what, value.to_vec()));
        }
    }

    fn number(&self, what: What, value: &[u8]) -> Option<usize> {
        self.numbers.get(&(what, folded(what, value))).copied()
    }

    /// The user whose name, or whose name's beginning as a folder spells it, this is.
    fn known_slug(&self, name: &[u8]) -> Option<usize> {
        self.number(What::User, name).or_else(|| {
            let small = name.to_ascii_lowercase();
            let users = self.order.iter().filter(|(what, _)| *what == What::User);
            let mut fitting = users.filter(|(_, user)| {
                let spelt = slug(&String::from_utf8_lossy(user)).to_ascii_lowercase();
                spelt.as_bytes().starts_with(&small)
                    && spelt.as_bytes().get(small.len()) == Some(&b'-')
            });
            fitting
                .next()
                .and_then(|(what, user)| self.number(*what, user))
        })
    }

    /// What stands for a value.
    fn written(&self, what: What, value: &[u8]) -> Option<Vec<u8>> {
        if what == What::Blob {
            return Some(vec![b'A'; value.len()]);
        }
        let number = self.number(what, value)?;
        Some(match what {
            What::Uuid => uuid(number),
            What::Id => id(value, number),
            What::User => named("user", value, number),
            What::Host => host(number),
            What::Email => email(number),
            What::Secret => filled(value, number),
            What::Blob | What::Day | What::Left => return None,
        })
    }

    fn build(&mut self) {
        let mut patterns = Vec::new();
        let mut heads: BTreeMap<Vec<u8>, Vec<usize>> = BTreeMap::new();
        for (what, value) in &self.order {
            let Some(written) = self.written(*what, value) else {
                continue;
            };
            let bound = match what {
                What::User | What::Host => Bound::Word,
                What::Id if value.len() < 16 => Bound::Word,
                _ => Bound::Anywhere,
            };
            let word = matches!(what, What::User | What::Host);
            let wide = self.wide.contains(&(*what, folded(*what, value)));
            if word && !wide {
                continue;
            }
            if *what == What::Id && !wide {
                // A word that is an id under its keys names files and their folder as well.
                patterns.extend(NAMING.map(|end| Pattern {
                    text: [value, end.as_bytes()].concat(),
                    written: [&written, end.as_bytes()].concat(),
                    what: *what,
                    bound: Bound::Left,
                }));
                continue;
            }
            if *what == What::Uuid {
                let number = self.number(*what, value).unwrap_or(0);
                heads
                    .entry(value[..8].to_ascii_lowercase())
                    .or_default()
                    .push(number);
            }
            let text = value.clone();
            patterns.push(Pattern {
                text,
                written,
                what: *what,
                bound,
            });
        }
        // A UUID's first eight digits are its short name, where they are no other's.
        for (head, numbers) in heads {
            let mixed =
                head.iter().any(u8::is_ascii_digit) && head.iter().any(u8::is_ascii_alphabetic);
            if let ([number], true) = (numbers.as_slice(), mixed) {
                let written = uuid(*number)[..8].to_vec();
                patterns.push(Pattern {
                    text: head,
                    written,
                    what: What::Uuid,
                    bound: Bound::Word,
                });
            }
        }
        self.build_places(&mut patterns);
        let search = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .ascii_case_insensitive(true)
            .build(patterns.iter().map(|pattern| &pattern.text));
        self.search = search.ok().map(|search| (search, patterns));
    }

    /// Homes, as paths and as folder names made of them.
    fn build_places(&self, patterns: &mut Vec<Pattern>) {
        for (place, at) in &self.places {
            let Some(name) = self.written(What::User, &place[*at..]) else {
                continue;
            };
            let written = [&place[..*at], &name].concat();
            let folder = |path: &[u8]| slug(&String::from_utf8_lossy(path)).into_bytes();
            let (text, slugged) = (folder(place), folder(&written));
            let of = |text, written, bound| Pattern {
                text,
                written,
                what: What::User,
                bound,
            };
            patterns.push(of(text, slugged, Bound::Right));
            patterns.push(of(place.clone(), written, Bound::Path));
        }
    }

    /// Whether the book can be searched with at all.
    pub(super) fn works(&self) -> bool {
        self.search.is_some()
    }

    /// What is to be replaced in a text, in order and without overlaps.
    pub(super) fn edits(&self, bytes: &[u8]) -> Vec<Edit> {
        let veil = veil(bytes);
        let mut edits = Vec::new();
        for token in tokens(bytes, &veil) {
            edits.extend(self.edit(bytes, token));
        }
        if let Some((search, patterns)) = &self.search {
            for hit in search.find_iter(bytes) {
                let pattern = &patterns[hit.pattern().as_usize()];
                if !bounded(bytes, &veil, hit.start(), hit.end(), pattern.bound) {
                    continue;
                }
                let original = &bytes[hit.start()..hit.end()];
                let written = match pattern.bound {
                    Bound::Word if pattern.what == What::User => {
                        capital(original, &pattern.written)
                    }
                    _ => pattern.written.clone(),
                };
                edits.push(Edit {
                    seen: hit.start(),
                    start: hit.start(),
                    end: hit.end(),
                    text: written,
                    what: pattern.what,
                });
            }
        }
        edits.sort_by_key(|edit| {
            (
                edit.start,
                std::cmp::Reverse(edit.end),
                edit.what,
                edit.seen,
            )
        });
        let mut free = 0;
        edits.retain(|edit| {
            let fits = edit.start >= free;
            if fits {
                free = edit.end;
            }
            fits
        });
        edits
    }

    fn edit(&self, bytes: &[u8], token: Token) -> Option<Edit> {
        let value = &bytes[token.start..token.end];
        let text = match token.what {
            What::Left => value.to_vec(),
            What::User if token.slug => named("user", value, self.known_slug(value)?),
            what => self.written(what, value)?,
        };
        Some(Edit {
            seen: token.seen,
            start: token.start,
            end: token.end,
            text,
            what: token.what,
        })
    }

    /// A text with everything replaced.
    pub(super) fn rewritten(&self, text: &str) -> String {
        let (bytes, _) = apply(text.as_bytes(), &self.edits(text.as_bytes()));
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// What stands for the value of a key of ids.
    pub(super) fn renamed(&self, id: &str) -> String {
        let known = self.written(What::Id, id.as_bytes());
        known.map_or_else(
            || self.rewritten(id),
            |written| String::from_utf8_lossy(&written).into_owned(),
        )
    }

    /// Every value with its kind, as it stood first; homes as the paths that they are.
    pub(super) fn values(&self) -> impl Iterator<Item = (What, &[u8])> {
        let names = self
            .order
            .iter()
            .map(|(what, value)| (*what, value.as_slice()));
        let names = names.filter(|(what, value)| {
            let word = matches!(what, What::User | What::Host | What::Id);
            !word || self.wide.contains(&(*what, folded(*what, value)))
        });
        names.chain(
            self.places
                .keys()
                .map(|place| (What::Left, place.as_slice())),
        )
    }

    /// Everything that stands for something.
    pub(super) fn stand_ins(&self) -> BTreeSet<Vec<u8>> {
        let patterns = self.search.as_ref().map(|(_, patterns)| patterns);
        let patterns = patterns.into_iter().flatten();
        patterns
            .map(|pattern| pattern.written.to_ascii_lowercase())
            .collect()
    }

    /// How many different values of a kind there are.
    pub(super) fn distinct(&self, what: What) -> usize {
        self.counts.get(&what).copied().unwrap_or(0)
    }
}

fn named(word: &str, original: &[u8], number: usize) -> Vec<u8> {
    capital(original, format!("{word}{number}").as_bytes())
}

/// The stand-in with a capital where the original has one.
fn capital(original: &[u8], written: &[u8]) -> Vec<u8> {
    let mut out = written.to_vec();
    if let (Some(first), true) = (
        out.first_mut(),
        original.first().is_some_and(u8::is_ascii_uppercase),
    ) {
        first.make_ascii_uppercase();
    }
    out
}

/// Whether a name is worth being replaced wherever it stands as a word.
fn is_own_word(name: &[u8]) -> bool {
    let small = name.to_ascii_lowercase();
    let common = COMMON.iter().any(|word| word.as_bytes() == small);
    name.len() >= WORD && !common && name.iter().any(|b| b.is_ascii_alphabetic() || *b >= 0x80)
}

fn bounded(bytes: &[u8], veil: &[u8], start: usize, end: usize, bound: Bound) -> bool {
    let of_word = |b: &u8| b.is_ascii_alphanumeric() || *b >= 0x80;
    let left = start.checked_sub(1).is_some_and(|at| of_word(&veil[at]));
    let right = bytes.get(end).is_some_and(of_word);
    match bound {
        Bound::Anywhere => true,
        Bound::Left => !left,
        Bound::Right => !right,
        Bound::Path => {
            let joint = bytes
                .get(end)
                .is_some_and(|b| matches!(b, b'.' | b'_' | b'-'));
            !(right || joint && bytes.get(end + 1).is_some_and(of_word))
        }
        Bound::Word => !left && !right,
    }
}

fn holds(text: &[u8], name: &[u8]) -> bool {
    let veil = veil(text);
    let search = AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build([name]);
    search.is_ok_and(|search| {
        let mut hits = search.find_iter(text);
        hits.any(|hit| bounded(text, &veil, hit.start(), hit.end(), Bound::Word))
    })
}

/// The text with its edits made, and the places of what was written or left on purpose.
pub(super) fn apply(bytes: &[u8], edits: &[Edit]) -> (Vec<u8>, Vec<(usize, usize)>) {
    let mut out = Vec::with_capacity(bytes.len());
    let mut spans = Vec::with_capacity(edits.len());
    let mut at = 0;
    for edit in edits {
        out.extend_from_slice(&bytes[at..edit.start]);
        let lead = edit.start - edit.seen;
        let start = out.len().saturating_sub(lead);
        out.extend_from_slice(&edit.text);
        spans.push((start, out.len()));
        at = edit.end;
    }
    out.extend_from_slice(&bytes[at..]);
    (out, spans)
}
