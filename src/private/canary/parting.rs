//! Which tags part the texts around them.

/// Elements that begin or end a text of their own.
const PARTING: [&[u8]; 40] = [
    b"address",
    b"article",
    b"aside",
    b"blockquote",
    b"body",
    b"br",
    b"button",
    b"caption",
    b"dd",
    b"div",
    b"dl",
    b"dt",
    b"figcaption",
    b"figure",
    b"footer",
    b"form",
    b"h1",
    b"h2",
    b"h3",
    b"h4",
    b"h5",
    b"h6",
    b"head",
    b"header",
    b"hr",
    b"li",
    b"main",
    b"nav",
    b"ol",
    b"option",
    b"p",
    b"pre",
    b"section",
    b"summary",
    b"table",
    b"td",
    b"th",
    b"title",
    b"tr",
    b"ul",
];

/// Whether a tag, from behind its `<` on, is one of an element that parts what stands around it.
pub(super) fn parts(tag: &[u8]) -> bool {
    let name = tag.strip_prefix(b"/").unwrap_or(tag);
    let length = name
        .iter()
        .take(12)
        .take_while(|b| b.is_ascii_alphanumeric())
        .count();
    let name = name.get(..length).unwrap_or_default();
    PARTING.iter().any(|word| name.eq_ignore_ascii_case(word))
}
