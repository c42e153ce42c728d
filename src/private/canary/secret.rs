//! Secrets by family: a prefix that a vendor gives to its keys, and a tail that looks random.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

/// `prefix`, least length of the tail, and the tail's alphabet.
struct Family(&'static str, usize, Tail);

#[derive(Clone, Copy)]
enum Tail {
    /// Letters, digits, `-` and `_`.
    Token,
    /// Hexadecimal digits.
    Hex,
    /// Letters and digits only.
    Plain,
    /// Letters, digits and the signs of base64 and of paths.
    Packed,
    /// Anything: the prefix alone is enough.
    Any,
}

/// Families as published by the vendors, those of `anthropics/claude-code#63593` among them.
const FAMILIES: &[Family] = &[
    Family("sk-ant-", 16, Tail::Token),
    Family("sk-or-v1-", 32, Tail::Hex),
    Family("sk-proj-", 20, Tail::Token),
    Family("sk-svcacct-", 20, Tail::Token),
    Family("sk-", 32, Tail::Plain),
    Family("github_pat_", 22, Tail::Token),
    Family("ghp_", 30, Tail::Plain),
    Family("gho_", 30, Tail::Plain),
    Family("ghu_", 30, Tail::Plain),
    Family("ghs_", 30, Tail::Plain),
    Family("ghr_", 30, Tail::Plain),
    Family("glpat-", 20, Tail::Token),
    Family("AKIA", 16, Tail::Plain),
    Family("ASIA", 16, Tail::Plain),
    Family("AIza", 35, Tail::Token),
    Family("ya29.", 20, Tail::Token),
    Family("GOCSPX-", 20, Tail::Token),
    Family("xoxb-", 20, Tail::Token),
    Family("xoxp-", 20, Tail::Token),
    Family("xoxa-", 20, Tail::Token),
    Family("xoxs-", 20, Tail::Token),
    Family("xapp-", 20, Tail::Token),
    Family("hooks.slack.com/services/", 30, Tail::Packed),
    Family("AccountKey=", 40, Tail::Packed),
    Family("whsec_", 24, Tail::Plain),
    Family("sbp_", 40, Tail::Hex),
    Family("sk_live_", 16, Tail::Plain),
    Family("sk_test_", 16, Tail::Plain),
    Family("rk_live_", 16, Tail::Plain),
    Family("npm_", 36, Tail::Plain),
    Family("pypi-AgE", 32, Tail::Token),
    Family("hf_", 30, Tail::Plain),
    Family("dop_v1_", 40, Tail::Hex),
    Family("SG.", 20, Tail::Token),
    Family("eyJhbGciOi", 10, Tail::Plain),
    Family("PRIVATE KEY-----", 0, Tail::Any),
];

/// Bytes of a tail that are looked at.
const LONGEST: usize = 200;

static PREFIXES: LazyLock<[Option<AhoCorasick>; 2]> = LazyLock::new(|| {
    [false, true].map(|any_case| {
        AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .ascii_case_insensitive(any_case)
            .build(FAMILIES.iter().map(|family| family.0))
            .ok()
    })
});

/// Calls `found(start, end)` for each secret in `text`. `begins` says where a line begins that was
/// joined to the one before.
pub(super) fn scan(
    text: &str,
    any_case: bool,
    begins: impl Fn(usize) -> bool,
    found: &mut impl FnMut(usize, usize),
) {
    let bytes = text.as_bytes();
    if let Some(prefixes) = &PREFIXES[usize::from(any_case)] {
        for hit in prefixes.find_overlapping_iter(text) {
            let Some(family) = FAMILIES.get(hit.pattern().as_usize()) else {
                continue;
            };
            let tail = bytes.get(hit.end()..).unwrap_or_default();
            let fits = match family.2 {
                Tail::Any => true,
                _ if glued(bytes, hit.start()) && !begins(hit.start())
                    || is_buried(bytes, hit.start()) =>
                {
                    false
                }
                kind => random(tail, family.1, kind),
            };
            if fits {
                found(hit.start(), hit.end() + family.1);
            }
        }
    }
    telegram(bytes, found);
    credentials(bytes, found);
}

/// Each secret that stands in a text plainly, in the order of families: where it begins, the length of
/// what its family gives to every one of them, and where the least of it ends.
#[must_use]
pub fn secrets(text: &str) -> Vec<(usize, usize, usize)> {
    let mut found = Vec::new();
    scan(text, false, |_| false, &mut |start, end| {
        let rest = text.get(start..).unwrap_or_default();
        let prefixes = FAMILIES.iter().filter(|family| rest.starts_with(family.0));
        let prefix = prefixes.map(|family| family.0.len()).max();
        found.push((start, prefix.unwrap_or(0), end));
    });
    found
}

fn glued(bytes: &[u8], start: usize) -> bool {
    start
        .checked_sub(1)
        .and_then(|before| bytes.get(before))
        .is_some_and(u8::is_ascii_alphanumeric)
}

/// Whether a prefix stands in the midst of what is packed as base64, where each one comes about by
/// chance.
fn is_buried(bytes: &[u8], start: usize) -> bool {
    const HEAD: usize = 40;
    let head = start
        .checked_sub(HEAD)
        .and_then(|from| bytes.get(from..start));
    let Some(head) = head.filter(|head| matches!(head.last(), Some(b'+' | b'/'))) else {
        return false;
    };
    let has = |of: fn(&u8) -> bool| head.iter().any(of);
    head.iter()
        .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/'))
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_uppercase)
}

/// The tail has so many bytes of the alphabet, and mixes digits, small letters and capitals as no
/// words do.
fn random(tail: &[u8], least: usize, kind: Tail) -> bool {
    let of_kind = |b: &u8| match kind {
        Tail::Token => b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'),
        Tail::Packed => b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'='),
        Tail::Hex => b.is_ascii_hexdigit(),
        Tail::Plain | Tail::Any => b.is_ascii_alphanumeric(),
    };
    let length = tail.iter().take(LONGEST).take_while(|b| of_kind(b)).count();
    let Some(tail) = tail.get(..length).filter(|_| length >= least) else {
        return false;
    };
    let has = |of: fn(&u8) -> bool| tail.iter().any(of);
    if matches!(kind, Tail::Packed) {
        // Paths and examples are of fewer sorts.
        let sorts: [fn(&u8) -> bool; 3] = [
            u8::is_ascii_digit,
            u8::is_ascii_lowercase,
            u8::is_ascii_uppercase,
        ];
        return sorts.into_iter().all(has);
    }
    // The ids of Amazon's keys are of capitals and few digits, and all of one length.
    let capitals = least == 16 && length == 16 && !has(u8::is_ascii_lowercase);
    has(u8::is_ascii_digit)
        || has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase)
        || capitals
}

/// `<8 to 10 digits>:<35 of a token>`: the token of a Telegram bot.
fn telegram(bytes: &[u8], found: &mut impl FnMut(usize, usize)) {
    for colon in memchr::memchr_iter(b':', bytes) {
        let head = bytes
            .get(colon.saturating_sub(11)..colon)
            .unwrap_or_default();
        let digits = head.iter().rev().take_while(|b| b.is_ascii_digit()).count();
        let tail = bytes.get(colon + 1..).unwrap_or_default();
        if (8..=10).contains(&digits)
            && random(tail, 35, Tail::Token)
            && tail.iter().take(35).any(u8::is_ascii_alphabetic)
            && !random(tail, 40, Tail::Hex)
        {
            found(colon - digits, colon + 36);
        }
    }
}

/// `://user:password@`: credentials in a URL.
fn credentials(bytes: &[u8], found: &mut impl FnMut(usize, usize)) {
    for scheme in memchr::memmem::find_iter(bytes, b"://") {
        let rest = bytes.get(scheme + 3..).unwrap_or_default();
        let rest = rest.get(..rest.len().min(256)).unwrap_or_default();
        let plain = |b: &&u8| b.is_ascii_graphic() && !b"/?#\"@<>".contains(b);
        let length = rest.iter().take_while(plain).count();
        let part = rest.get(..length).unwrap_or_default();
        if rest.get(length) == Some(&b'@')
            && let Some(colon) = memchr::memchr(b':', part)
            && let (user, password) = (&part[..colon], &part[colon + 1..])
            && password.iter().any(u8::is_ascii_alphanumeric)
            && memchr::memmem::find(part, b"&lt;").is_none()
            && !is_placeholder(user, password)
        {
            found(scheme, scheme + 3 + length);
        }
    }
}

/// What documentation writes where a name and a password belong, and what stands there when they were
/// taken out.
fn is_placeholder(user: &[u8], password: &[u8]) -> bool {
    let among = |word: &[u8], words: &[&str]| {
        words
            .iter()
            .any(|own| word.eq_ignore_ascii_case(own.as_bytes()))
    };
    let nobody = among(user, &["user", "username", "usr", "login", "name"]);
    let none = among(
        password,
        &["pass", "password", "passwd", "pwd", "secret", "token"],
    );
    let gone = among(password, &["redacted", "removed", "hidden", "masked"]);
    let filled = |sign: u8| password.iter().all(|b| b.eq_ignore_ascii_case(&sign));
    let template = matches!(password.first(), Some(b'$' | b'{' | b'[' | b'%'))
        && matches!(password.last(), Some(b'}' | b']' | b's' | b'%'))
        || matches!(password, [b'$', rest @ ..] if rest.iter().all(|b| b.is_ascii_uppercase() || *b == b'_'));
    nobody && none || gone || filled(b'*') || filled(b'x') || filled(b'.') || template
}
