//! Homes: `/home/NAME`, `/Users/NAME`, `C:\Users\NAME`, and the folder names made of them.

use super::token::{Token, What, key_before};
use super::veil::run_of;

/// The longest name, in bytes.
const LONGEST: usize = 64;
/// Names under a home's root that are nobody's.
const NOBODY: [&str; 8] = [
    "shared",
    "public",
    "default",
    "linuxbrew",
    "all",
    "guest",
    "runneradmin",
    "username",
];

/// How the parts of a path are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joint {
    Slash,
    Backslash,
    Percent,
    /// In a folder name that was made of a path.
    Dash,
}

/// Finds the names of homes. `veil` has the escapes blank; separators are read from `bytes`, where a
/// backslash before an `n` may be one.
pub(super) fn homes(bytes: &[u8], veil: &[u8], found: &mut Vec<Token>) {
    for word in [&b"home"[..], b"Users", b"users"] {
        for at in memchr::memmem::find_iter(bytes, word) {
            let Some((begin, before)) = joint_before(bytes, veil, at) else {
                continue;
            };
            // Small letters are a word of addresses, and a folder of Windows.
            if word == b"users" && before != Joint::Backslash {
                continue;
            }
            let after = at + word.len();
            let Some(start) = joint_after(bytes, after, before) else {
                continue;
            };
            let end = start + name_length(bytes, start, before);
            let name = &bytes[start..end];
            if !is_name(name) {
                continue;
            }
            let mut token = Token::new(start, end, What::User);
            token.seen = begin;
            token.slug = before == Joint::Dash;
            token.own = !token.slug && is_cwd(bytes, begin);
            found.push(token);
        }
    }
}

/// Where the separator before a word begins, and its kind; nothing where the path begins elsewhere.
fn joint_before(bytes: &[u8], veil: &[u8], at: usize) -> Option<(usize, Joint)> {
    let before = *bytes.get(at.checked_sub(1)?)?;
    match before {
        b'/' => {
            let mut begin = at - 1;
            let prior = prior(veil, begin);
            // `\/` is a slash of JSON.
            if prior == Some(b'\\') {
                begin -= 1;
                return Some((begin, Joint::Slash));
            }
            let inner = prior.is_some_and(|b| {
                b.is_ascii_alphanumeric() || b"._~-*})]$".contains(&b) || b >= 0x80
            });
            let mounted = inner && is_mounted(&veil[begin.saturating_sub(16)..begin]);
            (!inner || mounted).then_some((begin, Joint::Slash))
        }
        b'\\' => {
            let run = bytes[..at]
                .iter()
                .rev()
                .take_while(|b| **b == b'\\')
                .count();
            let begin = at - run;
            // From the drive on, where there is one.
            let drive = prior(bytes, begin) == Some(b':') && begin >= 2;
            Some((if drive { begin - 2 } else { begin }, Joint::Backslash))
        }
        b'F' | b'f' | b'C' | b'c' if at >= 3 => {
            let escape = bytes[at - 3..at].to_ascii_lowercase();
            let known = escape == b"%2f" || escape == b"%5c";
            known.then_some((at - 3, Joint::Percent))
        }
        b'-' => {
            let begin = at - 1;
            match prior(veil, begin) {
                // `C--Users-`.
                Some(b'-') if begin >= 2 && veil[begin - 2].is_ascii_alphabetic() => {
                    let glued = prior(veil, begin - 2);
                    let glued = glued.is_some_and(|b| b.is_ascii_alphanumeric() || b == b'-');
                    (!glued).then_some((begin - 2, Joint::Dash))
                }
                Some(b) if b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-') => None,
                _ => Some((begin, Joint::Dash)),
            }
        }
        _ => None,
    }
}

fn prior(bytes: &[u8], at: usize) -> Option<u8> {
    at.checked_sub(1).map(|before| bytes[before])
}

/// Whether a path's beginning is where others mount a system's homes: `/mnt/c`, `/c`, `/var`.
fn is_mounted(head: &[u8]) -> bool {
    let slash = memchr::memrchr(b'/', head);
    let last = slash.map_or(head, |slash| &head[slash + 1..]);
    slash.is_some() && (last.len() == 1 && last[0].is_ascii_alphabetic() || last == b"var")
        || last.ends_with(b":")
}

fn joint_after(bytes: &[u8], at: usize, kind: Joint) -> Option<usize> {
    let rest = bytes.get(at..)?;
    let length = match kind {
        Joint::Slash if rest.starts_with(b"\\/") => 2,
        Joint::Slash => run_of(bytes, at, b'/'),
        Joint::Backslash => {
            let run = run_of(bytes, at, b'\\');
            // Some programs turn one of the two.
            if run == 0 {
                run_of(bytes, at, b'/')
            } else {
                run
            }
        }
        Joint::Percent => {
            let escape = rest.get(..3)?.to_ascii_lowercase();
            if escape == b"%2f" || escape == b"%5c" {
                3
            } else {
                0
            }
        }
        Joint::Dash => usize::from(rest.first() == Some(&b'-')),
    };
    (length > 0).then_some(at + length)
}

fn name_length(bytes: &[u8], start: usize, kind: Joint) -> usize {
    let rest = &bytes[start..bytes.len().min(start + LONGEST)];
    let of_name = |b: &u8| match kind {
        Joint::Dash => b.is_ascii_alphanumeric(),
        _ => b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-') || *b >= 0x80,
    };
    let mut length = rest.iter().take_while(|b| of_name(b)).count();
    // `John Smith` is a name where a separator follows it.
    if kind == Joint::Backslash && rest.get(length) == Some(&b' ') {
        let long = rest
            .iter()
            .take_while(|b| of_name(b) || **b == b' ')
            .count();
        if rest.get(long) == Some(&b'\\') && long - length <= 24 {
            length = long;
        }
    }
    while length > 0 && matches!(rest[length - 1], b'.' | b' ') {
        length -= 1;
    }
    // No character is cut in two.
    while length > 0 && rest.get(length).is_some_and(|b| b & 0xc0 == 0x80) {
        length -= 1;
    }
    length
}

fn is_name(name: &[u8]) -> bool {
    let first = name.first();
    let lead = first.is_some_and(|b| b.is_ascii_alphanumeric() || *b >= 0x80 || *b == b'_');
    let small = name.to_ascii_lowercase();
    lead && !NOBODY.iter().any(|word| word.as_bytes() == small)
}

/// Whether a path is what a record says of its working directory.
fn is_cwd(bytes: &[u8], begin: usize) -> bool {
    let head = &bytes[begin.saturating_sub(24)..begin];
    let quoted = head
        .iter()
        .rev()
        .take_while(|b| matches!(b, b'"' | b'\\' | b' '));
    let quoted = quoted.count();
    let Some(colon) = begin.checked_sub(quoted + 1) else {
        return false;
    };
    quoted > 0 && bytes[colon] == b':' && key_before(bytes, colon) == Some(b"cwd")
}
