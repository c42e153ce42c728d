//! Shapes that are private whatever their value: ids, paths, folder slugs, addresses.

use super::base64::BETWEEN;
use super::kind::{Armed, Kind, Spelling};
use super::view::View;
use super::{home, secret};

/// Folders at a file system's top, small letters. Where a slash may be a stray (in what base64 gave,
/// or turned round), only these make a path.
const TOPS: &[&str] = &[
    "app",
    "data",
    "etc",
    "home",
    "mnt",
    "opt",
    "private",
    "root",
    "srv",
    "tmp",
    "users",
    "usr",
    "var",
    "volumes",
    "work",
    "workspace",
];

/// Letters and digits of a message's id at least; names of programs that begin so are shorter.
const MESSAGE: usize = 20;

/// Calls `found(start, end)` for each secret in the view. None comes about by chance.
pub(super) fn secrets(view: &View, armed: Armed, found: &mut impl FnMut(usize, usize)) {
    if armed.kind(Kind::Secret) {
        let begins = |at| begins_line(view, at);
        secret::scan(&view.text, armed.spelling(Spelling::Case), begins, found);
    }
}

/// Calls `found(kind, start, end)` for each other shape in the view. In `pages`, paths are site-relative
/// more often than not, and count only where they begin at a home or a drive.
pub(super) fn scan(
    view: &View,
    armed: Armed,
    pages: bool,
    found: &mut impl FnMut(Kind, usize, usize),
) {
    let any_case = armed.spelling(Spelling::Case);
    let bytes = view.text.as_bytes();
    for at in memchr::memchr3_iter(b'-', b'_', b'@', bytes) {
        match bytes.get(at) {
            Some(b'-') => {
                if armed.kind(Kind::Uuid) && is_uuid(bytes, at) {
                    found(Kind::Uuid, at - 8, at + 28);
                }
                if armed.kind(Kind::HomeSlug)
                    && let Some((start, end)) = home_slug(bytes, at, any_case)
                    && !(pages && home::is_route(bytes.get(end - 1..).unwrap_or_default()))
                {
                    found(Kind::HomeSlug, start, end);
                }
            }
            Some(b'_') => {
                if armed.kind(Kind::CallId)
                    && let Some((start, end)) =
                        call_id(bytes, at, any_case, |at| begins_line(view, at))
                {
                    found(Kind::CallId, start, end);
                }
                // Nobody has to hand these over, of which a session has thousands.
                if armed.kind(Kind::Message)
                    && let Some((start, end)) = message_id(bytes, at, any_case)
                {
                    found(Kind::Message, start, end);
                }
            }
            Some(b'@') if armed.kind(Kind::Email) && !begins_text(view, at) => {
                if let Some((start, end)) = email(bytes, at) {
                    found(Kind::Email, start, end);
                }
            }
            _ => {}
        }
    }
    let turned = armed.spelling(Spelling::Slash);
    for at in memchr::memchr2_iter(b'/', b'\\', bytes) {
        if armed.kind(Kind::PosixPath)
            && let Some(end) = posix(view, at, turned)
            && (!pages || home::begins(bytes, at, any_case))
        {
            found(Kind::PosixPath, at, end);
        }
        if armed.kind(Kind::WindowsPath)
            && let Some((start, end)) = windows(bytes, at, turned)
            && !(pages && is_share(bytes, at))
        {
            found(Kind::WindowsPath, start, end);
        }
    }
}

/// Whether a line break that was taken out stands right before.
fn begins_line(view: &View, at: usize) -> bool {
    view.how(at).has(Spelling::Lines)
}

/// Whether a tag and a line break stand right before: what begins a text there is a decorator or a
/// handle, whatever ends the text before.
fn begins_text(view: &View, at: usize) -> bool {
    let how = view.how(at);
    how.has(Spelling::Lines) && how.has(Spelling::Tags)
}

fn before(bytes: &[u8], at: usize) -> Option<u8> {
    at.checked_sub(1)
        .and_then(|index| bytes.get(index))
        .copied()
}

fn same(bytes: &[u8], word: &str, any_case: bool) -> bool {
    if any_case {
        bytes.eq_ignore_ascii_case(word.as_bytes())
    } else {
        bytes == word.as_bytes()
    }
}

/// `at` is the first dash of an 8-4-4-4-12 group. One of noughts alone is nobody's.
fn is_uuid(bytes: &[u8], at: usize) -> bool {
    let Some(id) = at
        .checked_sub(8)
        .and_then(|start| bytes.get(start..start + 36))
    else {
        return false;
    };
    id.iter().enumerate().all(|(index, b)| match index {
        8 | 13 | 18 | 23 => *b == b'-',
        _ => b.is_ascii_hexdigit(),
    }) && id.iter().any(|b| !matches!(b, b'-' | b'0'))
}

/// `msg_…` with a tail as long as the clients make it; `at` is the underscore.
fn message_id(bytes: &[u8], at: usize, any_case: bool) -> Option<(usize, usize)> {
    let start = at.checked_sub(3)?;
    if !same(bytes.get(start..at)?, "msg", any_case) {
        return None;
    }
    let tail = bytes.get(at + 1..(at + 65).min(bytes.len()))?;
    let length = tail
        .iter()
        .take_while(|b| b.is_ascii_alphanumeric())
        .count();
    let digits = tail.iter().take(length).any(u8::is_ascii_digit);
    (length >= MESSAGE && digits).then_some((start, at + 1 + length))
}

/// `toolu_…` or `call_…` with a tail that is no word; `at` is the underscore.
fn call_id(
    bytes: &[u8],
    at: usize,
    any_case: bool,
    begins: impl Fn(usize) -> bool,
) -> Option<(usize, usize)> {
    let start = ["toolu", "call"].iter().find_map(|word| {
        let start = at.checked_sub(word.len())?;
        same(bytes.get(start..at)?, word, any_case).then_some(start)
    })?;
    // `syscall_info_2` is a name.
    let named = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    if at - start == 4 && before(bytes, start).is_some_and(named) && !begins(start) {
        return None;
    }
    let tail = bytes.get(at + 1..(at + 65).min(bytes.len()))?;
    let of_tail = |b: &&u8| b.is_ascii_alphanumeric() || **b == b'_';
    let length = tail.iter().take_while(of_tail).count();
    let tail = tail.get(..length)?;
    let fits = tail.split(|b| *b == b'_').any(is_random);
    fits.then_some((start, at + 1 + length))
}

/// Whether a part of a name is no word, nor one with a number behind it, such as `depth64`.
fn is_random(part: &[u8]) -> bool {
    let number = part.iter().rev().take_while(|b| b.is_ascii_digit()).count();
    let word = part.get(..part.len() - number).unwrap_or_default();
    let has = |of: fn(&u8) -> bool| word.iter().any(of);
    let mixed = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
    part.len() >= 8 && (number > 4 || has(u8::is_ascii_digit) || mixed)
}

/// Whether the whole of a value is an id of a shape that is known.
pub(super) fn is_id(value: &str) -> bool {
    let bytes = value.as_bytes();
    let uuid = bytes.len() == 36 && is_uuid(bytes, 8);
    let sign = memchr::memchr(b'_', bytes);
    let whole = Some((0, bytes.len()));
    let called = sign.and_then(|at| call_id(bytes, at, false, |_| false)) == whole;
    let said = sign.and_then(|at| message_id(bytes, at, false)) == whole;
    uuid || called || said
}

/// What may stand before a home in the name of a folder: the folders that homes lie under elsewhere.
const ABOVE: [&[u8]; 7] = [
    b"-mnt-?",
    b"-private-var",
    b"-private",
    b"-export",
    b"-var",
    b"-usr",
    b"-?",
];

/// Where the name of a folder begins that ends at `at` with one of these.
fn above(bytes: &[u8], at: usize, any_case: bool) -> Option<usize> {
    ABOVE.iter().find_map(|above| {
        let start = at.checked_sub(above.len())?;
        let own = bytes.get(start..at)?;
        let fits = own.iter().zip(*above).all(|(own, wanted)| match wanted {
            b'?' => own.is_ascii_alphabetic(),
            wanted if any_case => own.eq_ignore_ascii_case(wanted),
            wanted => own == wanted,
        });
        let named = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
        (fits && !before(bytes, start).is_some_and(named)).then_some(start)
    })
}

/// `-home-x`, `-Users-x`, `-root-x`, `C--Users-x` or `-var-home-x`; `at` is the dash before the word.
/// A name that begins with a sign begins with a dash there.
fn home_slug(bytes: &[u8], at: usize, any_case: bool) -> Option<(usize, usize)> {
    let end = ["home-", "Users-", "root-"].iter().find_map(|word| {
        let end = at + 1 + word.len();
        same(bytes.get(at + 1..end)?, word, any_case).then_some(end)
    })?;
    let dashes = bytes.get(end..)?.iter().take(64);
    let end = end + dashes.take_while(|b| **b == b'-').count();
    if !bytes.get(end)?.is_ascii_alphanumeric() {
        return None;
    }
    let start = match before(bytes, at) {
        Some(b) if b.is_ascii_alphanumeric() => above(bytes, at, any_case)?,
        Some(b'-') => {
            let drive = at.checked_sub(2)?;
            if !bytes.get(drive)?.is_ascii_alphabetic() {
                return None;
            }
            if before(bytes, drive).is_some_and(|b| b.is_ascii_alphanumeric() || b == b'-') {
                return None;
            }
            drive
        }
        Some(b'_') => return None,
        _ => at,
    };
    Some((start, end + 1))
}

/// `name@host.tld`; `at` is the sign. Both sides end at the next sign, so the walk stays linear.
fn email(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    let head = bytes.get(at.saturating_sub(64)..at)?;
    let local = |b: &&u8| b.is_ascii_alphanumeric() || b"._%+-".contains(b);
    let length = head.iter().rev().take_while(local).count();
    let rest = bytes.get(at + 1..(at + 256).min(bytes.len()))?;
    let host = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-');
    let host = rest.get(..rest.iter().take_while(host).count())?;
    // What three dots part is said of something else.
    let end = memchr::memmem::find(host, b"..").unwrap_or(host.len());
    let host = host.get(..end)?;
    let host = host.strip_suffix(b".").unwrap_or(host);
    let dot = memchr::memrchr(b'.', host)?;
    let top = host.get(dot + 1..)?;
    // Neither a sentence nor an address ends in a dot before the sign.
    let length = if head.ends_with(b".") { 0 } else { length };
    let local = head.get(head.len() - length..)?;
    if is_picture(host, top) || is_nobody(local, host) || is_version(local, host) {
        return None;
    }
    let start = at - length;
    if is_credential(bytes.get(start.saturating_sub(256)..start)?) {
        return None;
    }
    let fits = length > 0 && dot > 0 && top.len() >= 2 && top.iter().all(u8::is_ascii_alphabetic);
    fits.then_some((start, at + 1 + host.len()))
}

/// `name@1.2.3-rc.one`, a package at a version; a name of a file; or the number of a line of source
/// with a decorator behind it.
fn is_version(local: &[u8], host: &[u8]) -> bool {
    let mut labels = host.split(|b| *b == b'.');
    let mut number = || {
        let label = labels.next().unwrap_or_default();
        let label = label.strip_prefix(b"v").unwrap_or(label);
        !label.is_empty() && label.iter().all(u8::is_ascii_digit)
    };
    let line = local.len() <= 4 && local.iter().all(u8::is_ascii_digit);
    number() && number() || host.starts_with(b".") || line
}

/// Whether a user's name and a colon stand before, in an address: what follows is a password, which is
/// another shape.
fn is_credential(head: &[u8]) -> bool {
    let user = |b: &&u8| b.is_ascii_graphic() && !b"/?#@<>\"".contains(b);
    let length = head.iter().rev().take_while(user).count();
    let (before, user) = head.split_at(head.len() - length);
    before.ends_with(b"//") && user.ends_with(b":")
}

/// `logo@2x.png`: the picture for screens of twice the density.
fn is_picture(host: &[u8], top: &[u8]) -> bool {
    let picture = [
        &b"png"[..],
        b"jpg",
        b"jpeg",
        b"gif",
        b"svg",
        b"webp",
        b"avif",
        b"css",
        b"js",
    ];
    let scale = memchr::memchr(b'x', host).and_then(|end| host.get(..end));
    let scaled = scale.is_some_and(|digits| {
        let digit = |b: &u8| b.is_ascii_digit() || *b == b'.';
        digits.first().is_some_and(u8::is_ascii_digit) && digits.iter().all(digit)
    });
    scaled && picture.iter().any(|word| top.eq_ignore_ascii_case(word))
}

/// Addresses that are no person's: those that nobody reads, and the account of every public host.
fn is_nobody(local: &[u8], host: &[u8]) -> bool {
    let hosts = [
        &b"github.com"[..],
        b"gitlab.com",
        b"bitbucket.org",
        b"codeberg.org",
        b"ssh.dev.azure.com",
    ];
    let silent = [&b"noreply"[..], b"no-reply", b"donotreply"];
    let within =
        |word: &[u8], words: &[&[u8]]| words.iter().any(|own| word.eq_ignore_ascii_case(own));
    within(local, &silent) || local.eq_ignore_ascii_case(b"git") && within(host, &hosts)
}

/// The end of an absolute POSIX path that begins at the slash `at`.
fn posix(view: &View, at: usize, turned: bool) -> Option<usize> {
    let bytes = view.text.as_bytes();
    let slash = *bytes.get(at)?;
    let run = bytes
        .get(at..)?
        .iter()
        .take(4)
        .take_while(|b| **b == slash)
        .count();
    let prior = before(bytes, at);
    let bounded = match prior {
        None => true,
        Some(b) => b.is_ascii_whitespace() || b"\"'`([{>=,;:|!".contains(&b),
    };
    let bounded = bounded || view.text.get(..at)?.ends_with(BETWEEN);
    let bounded = bounded && !(prior == Some(b';') && ends_reference(bytes, at));
    // A path turned round behind `file://`.
    let bounded = bounded || slash == b'\\' && bytes.get(..at)?.ends_with(b"://");
    let bounded = bounded || slash == b'/' && opens_file(bytes.get(at.saturating_sub(96)..at)?);
    // `scheme://host` is a URL; with a third slash it is a file again.
    if !bounded || (prior == Some(b':') && (run == 2 || drive(bytes, at).is_some())) {
        return None;
    }
    let start = at + run;
    let rest = view.text.get(start..)?;
    let first = rest.chars().next()?;
    if !(first.is_alphanumeric() || matches!(first, '.' | '_' | '~' | '@')) {
        return None;
    }
    let name = rest.as_bytes();
    let name = name.get(..name.len().min(16))?;
    let length = name
        .iter()
        .take_while(|b| b.is_ascii_alphanumeric())
        .count();
    let how = view.how_between(at, start + length);
    let strict = slash == b'\\' || how.has(Spelling::Base64);
    if !strict {
        return Some(start + length);
    }
    let next = name.get(length);
    let top = TOPS
        .iter()
        .any(|top| same(name.get(..length).unwrap_or_default(), top, true));
    let deeper = next.is_some_and(|b| matches!(b, b'/' | b'\\'));
    (top && deeper && (slash == b'/' || turned)).then_some(start + length)
}

/// Whether an address ends here behind which the path of a file stands: `vscode://file`, `file://host`.
fn opens_file(head: &[u8]) -> bool {
    let host = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-');
    let length = head.iter().rev().take_while(host).count();
    let (scheme, host) = head.split_at(head.len() - length);
    scheme.ends_with(b"://") && host == b"file" || scheme.ends_with(b"file://") && length > 0
}

/// Whether a character reference ends at `at`: what it stands for is looked at where it is undone.
fn ends_reference(bytes: &[u8], at: usize) -> bool {
    let head = bytes.get(at.saturating_sub(14)..at.saturating_sub(1));
    let mut head = head.unwrap_or_default().iter().rev();
    let sign = head.find(|b| !(b.is_ascii_alphanumeric() || **b == b'#'));
    sign == Some(&b'&')
}

fn is_share(bytes: &[u8], at: usize) -> bool {
    bytes.get(at + 1) == Some(&b'\\') && before(bytes, at) != Some(b':')
}

/// Where the letter of the drive stands whose first slash is at `at`.
fn drive(bytes: &[u8], at: usize) -> Option<usize> {
    let drive = at.checked_sub(2)?;
    let glued = before(bytes, drive).is_some_and(|b| b.is_ascii_alphanumeric() || b == b'_');
    let fits = bytes.get(drive)?.is_ascii_alphabetic() && bytes.get(drive + 1) == Some(&b':');
    (fits && !glued).then_some(drive)
}

/// Whether what looks like a drive is a sign of mathematics, such as `f:\mathbb{R}`, or the end of a
/// string, such as `"e:\n"`, or a flag of a pattern.
fn is_sign(bytes: &[u8], drive: usize, at: usize) -> bool {
    let tail = bytes
        .get(at + 1..(at + 33).min(bytes.len()))
        .unwrap_or_default();
    let length = tail.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    let next = tail.get(length).copied();
    let escape = length == 1 && tail.first().is_some_and(|b| b"nrtbf".contains(b));
    let ends = matches!(next, Some(b'"' | b'\'' | b'`'));
    let mathematics = next == Some(b'{') || before(bytes, drive) == Some(b'$');
    escape && ends || mathematics && length > 0 || is_flag(bytes, drive)
}

/// Whether it is the last flag of a pattern, such as `(?-u:\b)`.
fn is_flag(bytes: &[u8], drive: usize) -> bool {
    let head = bytes
        .get(drive.saturating_sub(8)..drive)
        .unwrap_or_default();
    let flag = |b: &&u8| b.is_ascii_alphabetic() || **b == b'-';
    let flags = head.iter().rev().take_while(flag).count();
    head.get(..head.len() - flags)
        .unwrap_or_default()
        .ends_with(b"(?")
}

/// A drive (`C:\x`) or a share (`\\host\x`) whose first or second slash is at `at`.
fn windows(bytes: &[u8], at: usize, turned: bool) -> Option<(usize, usize)> {
    let slash = *bytes.get(at)?;
    let next = *bytes.get(at + 1)?;
    let letter =
        |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'$' | b'%') || b >= 0x80;
    if before(bytes, at) == Some(b':') && letter(next) {
        let drive = drive(bytes, at)?;
        let is_path = match slash {
            b'\\' => !is_sign(bytes, drive, at),
            // `y?a:/b/.test(c)` and `{b:/c/}` are scripts.
            _ => turned && !before(bytes, drive).is_some_and(|b| b"?{,;&|$}".contains(&b)),
        };
        return is_path.then_some((drive, at + 2));
    }
    if slash == b'\\' && next == b'\\' && before(bytes, at) != Some(b'\\') {
        let rest = bytes.get(at + 2..(at + 66).min(bytes.len()))?;
        let host = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'$');
        let length = rest.iter().take_while(host).count();
        let deeper = rest.get(length) == Some(&b'\\') && letter(*rest.get(length + 1)?);
        // An escaped backslash before `u0041` is no share either.
        let hex = |digits: &[u8]| digits.iter().all(u8::is_ascii_hexdigit);
        let escape = rest.first() == Some(&b'u') && rest.get(1..5).is_some_and(hex);
        return (length >= 2 && deeper && !escape).then_some((at, at + 2 + length));
    }
    None
}
