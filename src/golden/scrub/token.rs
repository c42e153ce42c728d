//! What is private by its shape: ids, homes, addresses, secrets, hosts, opaque data.

use super::home::homes;
use super::random::{Key, is_drawn, is_hex_id, is_hex_word, is_mixed, is_random};
use crate::private::canary::{is_shaped, secrets};

/// What kind of thing a token is. The order is that of the summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum What {
    /// A UUID.
    Uuid,
    /// Another id: of a message, a call, an agent, a request.
    Id,
    /// A user's name: in the path of a home, and as a word.
    User,
    /// A host's name.
    Host,
    /// An e-mail address.
    Email,
    /// A secret of a named family.
    Secret,
    /// Opaque data: signatures, sealed reasoning, pictures.
    Blob,
    /// A day of a time of day, moved.
    Day,
    /// Looks private and is not: left as it is.
    Left,
}

impl What {
    /// The words of the summary: one, many.
    #[must_use]
    pub const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Uuid => ("UUID", "UUIDs"),
            Self::Id => ("other id", "other ids"),
            Self::User => ("user name", "user names"),
            Self::Host => ("host name", "host names"),
            Self::Email => ("e-mail address", "e-mail addresses"),
            Self::Secret => ("secret", "secrets"),
            Self::Blob => ("piece of opaque data", "pieces of opaque data"),
            Self::Day => ("time of day", "times of day"),
            Self::Left => ("look-alike", "look-alikes"),
        }
    }
}

/// One private thing in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    /// Where the canary sees it begin.
    pub(super) seen: usize,
    /// Its first byte.
    pub(super) start: usize,
    /// After its last byte.
    pub(super) end: usize,
    /// What it is.
    pub(super) what: What,
    /// Of a user's name: whether it is the session's own user, whose name is replaced as a word too.
    /// Of an id: whether it is replaced wherever it stands.
    pub(super) own: bool,
    /// Of an id: whether it is one only if it is known for one from elsewhere.
    pub(super) echo: bool,
    /// Of a user's name: whether it stands in a folder name made of a path, where it may be cut.
    pub(super) slug: bool,
}

impl Token {
    pub(super) fn new(start: usize, end: usize, what: What) -> Self {
        Self {
            seen: start,
            start,
            end,
            what,
            own: what == What::Id,
            echo: false,
            slug: false,
        }
    }
}

/// The longest id, in bytes.
const LONGEST: usize = 128;
/// The least tail of a call's id that is told from a name of code.
const CALL: usize = 20;
/// The least bytes of opaque data.
const OPAQUE: usize = 120;

/// Every private thing of a text, by its place. `veil` is the same text with its escapes blank.
pub(super) fn tokens(bytes: &[u8], veil: &[u8]) -> Vec<Token> {
    let mut found = Vec::new();
    uuids(bytes, &mut found);
    prefixed(veil, &mut found);
    keyed(bytes, veil, &mut found);
    files(veil, &mut found);
    homes(bytes, veil, &mut found);
    at_signs(veil, &mut found);
    hidden(veil, &mut found);
    opaque(veil, &mut found);
    found.sort_by_key(|token| (token.start, std::cmp::Reverse(token.end), token.what));
    found
}

fn uuids(bytes: &[u8], found: &mut Vec<Token>) {
    let mut free = 0;
    for dash in memchr::memchr_iter(b'-', bytes) {
        let Some(start) = dash.checked_sub(8).filter(|start| *start >= free) else {
            continue;
        };
        if is_uuid(bytes.get(start..start + 36).unwrap_or_default()) {
            found.push(Token::new(start, start + 36, What::Uuid));
            free = start + 36;
        }
    }
}

/// Whether this is a UUID: 36 bytes.
pub(super) fn is_uuid(id: &[u8]) -> bool {
    id.len() == 36
        && id.iter().enumerate().all(|(index, b)| match index {
            8 | 13 | 18 | 23 => *b == b'-',
            _ => b.is_ascii_hexdigit(),
        })
}

/// A word, `_` or `-`, and a long tail that is no word: an id of any vendor.
fn prefixed(veil: &[u8], found: &mut Vec<Token>) {
    for joint in memchr::memchr2_iter(b'_', b'-', veil) {
        let head = &veil[joint.saturating_sub(12)..joint];
        let head = head.iter().rev().take_while(|b| b.is_ascii_lowercase());
        let head = head.count();
        let rest = &veil[joint + 1..veil.len().min(joint + 1 + LONGEST)];
        let tail = rest
            .iter()
            .take_while(|b| b.is_ascii_alphanumeric())
            .count();
        let tells = is_random(&rest[..tail])
            || is_message(veil, joint, tail)
            || is_call(&veil[joint - head..=joint], &rest[..tail]);
        if head >= 2 && tail < LONGEST && tells {
            found.push(Token::new(joint - head, joint + 1 + tail, What::Id));
        }
    }
}

/// Whether a tail after this joint makes what the canary takes for a message's id.
fn is_message(veil: &[u8], joint: usize, tail: usize) -> bool {
    let rest = &veil[joint + 1..joint + 1 + tail];
    veil[..=joint].ends_with(b"msg_") && tail >= 20 && rest.iter().any(u8::is_ascii_digit)
}

/// Whether this is a call's id, however its tail was drawn: one that has few changes by chance, or that
/// somebody cut short. A text that was read may quote those of any other session.
fn is_call(head: &[u8], tail: &[u8]) -> bool {
    match head {
        b"toolu_" => {
            let whole = [head, tail].concat();
            std::str::from_utf8(&whole).is_ok_and(is_shaped)
        }
        // Names of code begin so, too.
        b"call_" => tail.len() >= CALL && is_drawn(tail),
        _ => false,
    }
}

/// The value under a key that ends in `id`, at any depth of quoting.
fn keyed(bytes: &[u8], veil: &[u8], found: &mut Vec<Token>) {
    for colon in memchr::memchr_iter(b':', bytes) {
        let Some(key) = key_before(bytes, colon) else {
            continue;
        };
        if !names_an_id(key) {
            continue;
        }
        let rest = &bytes[colon + 1..bytes.len().min(colon + 1 + LONGEST * 2)];
        let lead = rest
            .iter()
            .take_while(|b| matches!(b, b' ' | b'\\' | b'"'))
            .count();
        if !rest[..lead].contains(&b'"') {
            continue;
        }
        let start = colon + 1 + lead;
        let of_id = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
        let rest = &veil[start..veil.len().min(start + LONGEST)];
        let length = rest.iter().take_while(of_id).count();
        let ends = matches!(veil.get(start + length), Some(b'"' | b'\\'));
        let value = &rest[..length];
        if !ends || value.is_empty() || value.windows(36).any(is_uuid) {
            continue;
        }
        let mut token = Token::new(start, start + length, What::Id);
        if !is_hex_id(value) {
            let key = Key::of(key);
            token.own = key.spreads(value);
            token.echo = !key.tells(value);
        }
        found.push(token);
    }
}

/// The id in the name of an agent's file, `agent-ID.jsonl`, however short it is.
fn files(veil: &[u8], found: &mut Vec<Token>) {
    for at in memchr::memmem::find_iter(veil, b"agent-") {
        let start = at + b"agent-".len();
        let rest = &veil[start..veil.len().min(start + LONGEST)];
        let of_id = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
        let length = rest.iter().take_while(of_id).count();
        let ends = [&b".jsonl"[..], b".meta.json"];
        let file = ends.iter().any(|end| rest[length..].starts_with(end));
        let value = &rest[..length];
        let id = is_hex_id(value) || is_hex_word(value);
        if file && id && !value.windows(36).any(is_uuid) {
            found.push(Token::new(start, start + length, What::Id));
        }
    }
}

/// The key that a colon follows.
pub(super) fn key_before(bytes: &[u8], colon: usize) -> Option<&[u8]> {
    let head = &bytes[colon.saturating_sub(64)..colon];
    let close = head
        .iter()
        .rposition(|b| *b != b' ')
        .filter(|at| head[*at] == b'"')?;
    let end = head[..close].iter().rposition(|b| *b != b'\\')? + 1;
    let word = |b: &&u8| b.is_ascii_alphanumeric() || **b == b'_';
    let length = head[..end].iter().rev().take_while(word).count();
    let key = &head[end - length..end];
    (length > 0 && head[..end - length].ends_with(b"\"")).then_some(key)
}

fn names_an_id(key: &[u8]) -> bool {
    let small = key.to_ascii_lowercase();
    let id = key.ends_with(b"Id")
        || key.ends_with(b"ID")
        || small == b"id"
        || small.ends_with(b"_id")
        || small.ends_with(b"uuid");
    let of_others = [
        &b"model"[..],
        b"plugin",
        b"provider",
        b"limit",
        b"issue",
        b"depends",
    ];
    id && !of_others.iter().any(|word| small.starts_with(word))
}

/// Addresses, and hosts of a shell's prompt.
fn at_signs(veil: &[u8], found: &mut Vec<Token>) {
    for at in memchr::memchr_iter(b'@', veil) {
        let head = &veil[at.saturating_sub(64)..at];
        let local = |b: &&u8| b.is_ascii_alphanumeric() || b"._%+-".contains(b);
        let length = head.iter().rev().take_while(local).count();
        let rest = &veil[at + 1..veil.len().min(at + 256)];
        let of_host = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-');
        let host = &rest[..rest.iter().take_while(of_host).count()];
        let host = host.strip_suffix(b".").unwrap_or(host);
        let end = at + 1 + host.len();
        if length == 0 || host.is_empty() {
            continue;
        }
        let start = at - length;
        let top = memchr::memrchr(b'.', host).map_or(&b""[..], |dot| &host[dot + 1..]);
        if host.contains(&b'.') && top.len() >= 2 && top.iter().all(u8::is_ascii_alphabetic) {
            let what = if no_address(&veil[start..at], host, top) {
                What::Left
            } else {
                What::Email
            };
            found.push(Token::new(start, end, what));
        } else if is_prompt(host, &veil[end..]) {
            found.push(Token::new(at + 1, end, What::Host));
        }
    }
}

/// What has the shape of an address and is none: a login of a code host, or a file's name.
fn no_address(local: &[u8], host: &[u8], top: &[u8]) -> bool {
    let files = [
        &b"png"[..],
        b"jpg",
        b"jpeg",
        b"gif",
        b"svg",
        b"webp",
        b"js",
        b"ts",
        b"tsx",
        b"mjs",
        b"json",
        b"css",
    ];
    local == b"git" || host.first().is_some_and(u8::is_ascii_digit) || files.contains(&top)
}

/// `user@host:~` and `user@host:/`.
fn is_prompt(host: &[u8], after: &[u8]) -> bool {
    let common = [
        &b"localhost"[..],
        b"github",
        b"host",
        b"server",
        b"db",
        b"postgres",
    ];
    host.len() >= 3
        && host.iter().any(u8::is_ascii_alphabetic)
        && !common.contains(&host)
        && (after.starts_with(b":~") || after.starts_with(b":/") && !after.starts_with(b"://"))
}

/// Secrets, and what a private key is made of.
fn hidden(veil: &[u8], found: &mut Vec<Token>) {
    // Bytes that are no text are no secret of a family; a mark of one byte keeps positions.
    let text: String = veil
        .iter()
        .map(|b| {
            if b.is_ascii() {
                char::from(*b)
            } else {
                '\u{1}'
            }
        })
        .collect();
    for (start, prefix, least) in secrets(&text) {
        if veil[start..].starts_with(b"PRIVATE KEY-----") {
            found.push(Token::new(start, start + 16, What::Left));
            key_body(veil, start + 16, found);
            continue;
        }
        let url = veil[start..].starts_with(b"://");
        let more = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
        let rest = if url {
            0
        } else {
            veil[least..].iter().take(4096).take_while(more).count()
        };
        let mut token = Token::new(start + prefix, least + rest, What::Secret);
        token.seen = start;
        found.push(token);
    }
}

fn key_body(veil: &[u8], from: usize, found: &mut Vec<Token>) {
    let body = &veil[from..veil.len().min(from + 8192)];
    let end = memchr::memmem::find(body, b"-----END").unwrap_or(0);
    runs(&body[..end], 8, |start, length| {
        found.push(Token::new(from + start, from + start + length, What::Blob));
    });
}

/// Long runs of base64 that are no words.
fn opaque(veil: &[u8], found: &mut Vec<Token>) {
    runs(veil, OPAQUE, |start, length| {
        let run = &veil[start..start + length];
        let has = |class: fn(&u8) -> bool| run.iter().any(class);
        let mixed =
            has(u8::is_ascii_digit) && has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
        if mixed && is_mixed(run) {
            found.push(Token::new(start, start + length, What::Blob));
        }
    });
}

/// Calls `found(start, length)` for each run of either base64 that is long enough.
fn runs(bytes: &[u8], least: usize, mut found: impl FnMut(usize, usize)) {
    let mut at = 0;
    while at < bytes.len() {
        let of_run = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'-' | b'_');
        let length = bytes[at..].iter().take_while(of_run).count();
        if length >= least {
            found(at, length);
        }
        at += length.max(1);
    }
}
