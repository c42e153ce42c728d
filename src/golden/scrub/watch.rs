//! The canary over a copy: nothing of the original may stand in it, in any spelling, and no shape of
//! an id, a home, an address or a secret that is not ours.

use super::book::Book;
use super::token::{Token, What, tokens};
use super::veil::veil;
use crate::golden::error::GoldenError;
use crate::private::canary::Spelling;
use crate::private::{Canary, Hit, Kind};

/// No escape with its colour is longer, in bytes.
const ESCAPE: usize = 32;

/// One file of a copy: its bytes, and where something was written or left on purpose.
pub(super) struct Watched<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) spans: &'a [(usize, usize)],
}

/// A canary that knows the values of the original, and how many those are.
pub(super) fn canary(book: &Book) -> Canary {
    let ours = book.stand_ins();
    let mut canary = Canary::new();
    for (what, value) in book.values() {
        // A copy of a copy has our own values for an original, and `/home/user` begins `/home/user1`.
        let small = value.to_ascii_lowercase();
        let mut after = ours.range(small.clone()..);
        if after.next().is_some_and(|own| own.starts_with(&small)) {
            continue;
        }
        let kind = match what {
            What::Uuid => Kind::Session,
            What::Id => Kind::Call,
            What::User => Kind::User,
            What::Host => Kind::Host,
            What::Email => Kind::Identity,
            What::Secret => Kind::Sentinel,
            What::Left | What::Blob | What::Day => Kind::Home,
        };
        canary.value(kind, &String::from_utf8_lossy(value));
    }
    canary
}

/// Looks a copy through.
///
/// # Errors
/// The first thing that should not be there, by its kind, file and line.
pub(super) fn watch(canary: &Canary, files: &[Watched<'_>]) -> Result<(), GoldenError> {
    for (file, number) in files.iter().zip(1..) {
        let refuse = |what: &'static str, at: usize| GoldenError::Canary {
            what,
            file: number,
            line: line_of(file.bytes, at),
        };
        for hit in canary.scan(file.bytes) {
            if !excused(file, &hit) {
                return Err(refuse(hit.kind.as_str(), hit.at));
            }
        }
        for token in tokens(file.bytes, &veil(file.bytes)) {
            if token.what != What::Left && !token.echo && !is_ours(file, &token) {
                return Err(refuse(token.what.words().0, token.start));
            }
        }
    }
    Ok(())
}

fn line_of(bytes: &[u8], at: usize) -> usize {
    let before = bytes.get(..at).unwrap_or(bytes);
    memchr::memchr_iter(b'\n', before).count() + 1
}

fn covered(spans: &[(usize, usize)], at: usize) -> bool {
    let after = spans.partition_point(|(start, _)| *start <= at);
    // What is seen of a home begins before what is written of it, so that spans may overlap a little.
    let near = spans[..after].iter().rev().take(4);
    near.into_iter().any(|(_, end)| at < *end)
}

/// Whether something private by its shape was written here. An id may only look like one by the end
/// that we wrote: `sys-stop-hook-1`, which is a word and holds the id `hook-1`.
fn is_ours(file: &Watched<'_>, token: &Token) -> bool {
    let end = token.end.saturating_sub(1);
    covered(file.spans, token.start) || token.what == What::Id && covered(file.spans, end)
}

/// Whether a hit is none: a value of the original is never excused.
fn excused(file: &Watched<'_>, hit: &Hit) -> bool {
    // The values handed over here are never messages: a hit of those is one of the shape `msg_…`.
    if !hit.kind.is_shape() && hit.kind != Kind::Message {
        return false;
    }
    if covered(file.spans, hit.at) {
        return true;
    }
    // Shapes that come about by taking out line breaks or tags, or in what base64 gives, are mostly
    // chance. Values are searched for in those spellings too.
    let by_chance = [
        Spelling::Lines,
        Spelling::Tags,
        Spelling::Base64,
        Spelling::Slash,
    ];
    if by_chance.iter().any(|way| hit.spelling.has(*way)) {
        return true;
    }
    match hit.kind {
        // Homes are a shape of their own; other paths are told to the user as not replaced.
        Kind::PosixPath | Kind::WindowsPath => !is_home(&file.bytes[hit.at..]),
        Kind::CallId => is_word(&file.bytes[hit.at..]),
        Kind::Email => is_escape(file, hit.at),
        _ => false,
    }
}

/// Whether a path is one of a home that is somebody's.
fn is_home(rest: &[u8]) -> bool {
    let head = &rest[..rest.len().min(96)];
    tokens(head, &veil(head))
        .first()
        .is_some_and(|token| token.what == What::User && token.seen == 0)
}

/// Whether what looks like a call's id is a name of code: made of words.
fn is_word(rest: &[u8]) -> bool {
    let head = &rest[..rest.len().min(96)];
    tokens(head, &veil(head))
        .first()
        .is_none_or(|token| token.start > 0)
}

/// Whether an address begins in an escape, and what comes after the escape is no address or stands in
/// the book: `\n@decorator.name`, or `\ngit@host.example`.
fn is_escape(file: &Watched<'_>, at: usize) -> bool {
    let from = at.saturating_sub(ESCAPE);
    let near = &file.bytes[from..file.bytes.len().min(at + ESCAPE)];
    let veil = veil(near);
    let blank = |index: &usize| veil[*index] == b' ' && near[*index] != b' ';
    let length = (at - from..near.len()).take_while(blank).count();
    let after = at + length;
    length > 0 && (file.bytes.get(after) == Some(&b'@') || covered(file.spans, after))
}
