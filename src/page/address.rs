//! Addresses in pages: which are a site's own, and what those hold that hold a page by themselves.

use super::charset;
use super::decode;

/// Attributes that hold an address, where a slash begins one of the site's own.
const ADDRESSES: [&[u8]; 9] = [
    b"href",
    b"src",
    b"action",
    b"formaction",
    b"poster",
    b"cite",
    b"data",
    b"xlink:href",
    b"ping",
];

/// Bytes of an address that are looked at.
pub(super) const LONGEST: usize = 2048;
/// Types of files that sites serve; another one below a home is somebody's own.
const SERVED: [&[u8]; 44] = [
    b"7z", b"action", b"asp", b"aspx", b"atom", b"avif", b"bmp", b"bz2", b"cgi", b"css", b"csv",
    b"do", b"eot", b"gif", b"gz", b"htm", b"html", b"ico", b"jpeg", b"jpg", b"js", b"json", b"jsp",
    b"map", b"md", b"mjs", b"mp3", b"mp4", b"otf", b"pdf", b"php", b"png", b"rss", b"shtml",
    b"svg", b"ttf", b"txt", b"wasm", b"webm", b"webp", b"woff", b"woff2", b"xhtml", b"xml",
];

/// Attributes that hold several addresses, each with what is said of it.
const LISTS: [&[u8]; 2] = [b"srcset", b"imagesrcset"];

/// What an attribute holds of addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// It is one.
    One,
    /// Several, parted by commas.
    List,
    /// Maybe one, or one behind `url=`.
    Words,
    None,
}

/// What an attribute of this name holds.
pub(super) fn holds(name: &[u8]) -> Holds {
    let among = |words: &[&[u8]]| words.iter().any(|word| name.eq_ignore_ascii_case(word));
    let own = name
        .get(..5)
        .is_some_and(|head| head.eq_ignore_ascii_case(b"data-"));
    match () {
        () if among(&ADDRESSES) || own => Holds::One,
        () if among(&LISTS) => Holds::List,
        () if name.eq_ignore_ascii_case(b"content") => Holds::Words,
        () => Holds::None,
    }
}

/// Where addresses may begin in such a value.
pub(super) fn places(value: &[u8], holds: Holds) -> Vec<usize> {
    let mut places = vec![0];
    match holds {
        Holds::List => places.extend(memchr::memchr_iter(b',', value).map(|at| {
            let rest = value.get(at + 1..).unwrap_or_default();
            at + 1 + rest.len() - rest.trim_ascii_start().len()
        })),
        _ => {
            // `5; url=/start` of a page that goes on to another one.
            let head = value.get(..value.len().min(64)).unwrap_or_default();
            let head = head.to_ascii_lowercase();
            places.extend(memchr::memmem::find(&head, b"url=").map(|at| {
                let quoted = head.get(at + 4).is_some_and(|b| matches!(b, b'"' | b'\''));
                at + 4 + usize::from(quoted)
            }));
        }
    }
    places
}

/// What a `data:` address holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Body {
    /// It is no such address, or one of a picture, a sound or a letter.
    None,
    /// Text.
    Text(Vec<u8>),
    /// What may hold text and cannot be read.
    Unread,
}

/// What an address holds by itself.
pub(super) fn body(address: &str) -> Body {
    if !is_data(address) {
        return Body::None;
    }
    let body = address.split_once(':').map_or("", |(_, body)| body);
    let (kind, body) = body.split_once(',').unwrap_or(("", body));
    let kind = kind.to_ascii_lowercase();
    let mut words = kind.split(';').map(str::trim);
    let mime = words.next().unwrap_or_default();
    let packed = kind.trim_end().ends_with("base64");
    let label = words.find_map(|word| word.strip_prefix("charset="));
    let texts = ["text", "html", "xml", "json", "script"];
    let told = mime.is_empty() || texts.iter().any(|word| mime.contains(word));
    let looks = ["image/", "font/", "audio/", "video/"];
    if !told && (looks.iter().any(|word| mime.starts_with(word)) || mime.contains("font")) {
        return Body::None;
    }
    let bytes = decode::percent(body.as_bytes());
    let bytes = if packed {
        decode::base64(&bytes)
    } else {
        bytes
    };
    // Of what says nothing of itself, only what looks like text is text.
    if !told && charset::is_binary(&bytes) {
        return Body::Unread;
    }
    let read = match label {
        Some("utf-16" | "utf-16le") => Some(charset::UTF16LE),
        Some("utf-16be") => Some(charset::UTF16BE),
        Some(label) => charset::labelled(label.trim_matches('"')),
        None => charset::charset(&bytes),
    };
    match read {
        Some(read) => Body::Text(charset::decoded(&bytes, read).into_owned()),
        None => Body::Unread,
    }
}

/// Whether an address of a site's own is no site's: it names a line of a file, a hidden folder, or a
/// file below a home of a type that sites do not serve.
pub(super) fn names_file(address: &[u8]) -> bool {
    let address = address.get(..LONGEST).unwrap_or(address);
    let end = address.iter().position(|b| matches!(b, b'?' | b'#'));
    let (path, rest) = address.split_at(end.unwrap_or(address.len()));
    let number = |word: &[u8]| word.first().is_some_and(u8::is_ascii_digit);
    if rest.strip_prefix(b"#L").is_some_and(number) {
        return true;
    }
    let hidden = |name: &[u8]| name.len() > 1 && name.starts_with(b".") && name != b"..";
    if path.split(|b| *b == b'/').any(hidden) {
        return true;
    }
    let mut names = path.rsplit(|b| *b == b'/');
    let (name, below) = (names.next().unwrap_or_default(), names.count() > 2);
    if let Some(colon) = memchr::memchr(b':', name) {
        return name.get(colon + 1..).is_some_and(number);
    }
    let dot = memchr::memrchr(b'.', name);
    let kind = dot.and_then(|dot| name.get(dot + 1..)).unwrap_or_default();
    let letters = kind.first().is_some_and(u8::is_ascii_alphabetic)
        && kind.iter().all(u8::is_ascii_alphanumeric);
    let served = SERVED.iter().any(|word| kind.eq_ignore_ascii_case(word));
    below && letters && kind.len() <= 8 && !served
}

pub(super) fn is_data(address: &str) -> bool {
    is_scheme(address, "data:")
}

pub(super) fn is_scheme(address: &str, scheme: &str) -> bool {
    // Browsers drop blanks and line breaks from addresses.
    let head = address.chars().filter(|c| !c.is_ascii_whitespace());
    let head = head.skip_while(char::is_ascii_control);
    let head: String = head.take(scheme.len()).collect();
    head.eq_ignore_ascii_case(scheme)
}
