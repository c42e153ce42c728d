//! What a page of ours is made of. Whatever else stands in it shows or hides something that was not
//! there when it was made: a picture, a frame, a script, a struck number.

use super::Reader;
use super::drawn::properties;
use super::tag::{HIDDEN, STYLE, Tag};
use crate::page::fault::Fault;

/// Elements of our pages, and others that only wrap.
const ELEMENTS: [&[u8]; 57] = [
    b"a",
    b"abbr",
    b"article",
    b"b",
    b"blockquote",
    b"body",
    b"br",
    b"caption",
    b"cite",
    b"code",
    b"dd",
    b"desc",
    b"div",
    b"dl",
    b"dt",
    b"em",
    b"footer",
    b"h1",
    b"h2",
    b"h3",
    b"h4",
    b"h5",
    b"h6",
    b"head",
    b"header",
    b"hr",
    b"html",
    b"i",
    b"li",
    b"link",
    b"main",
    b"meta",
    b"nav",
    b"ol",
    b"p",
    b"pre",
    b"q",
    b"rect",
    b"section",
    b"small",
    b"span",
    b"strong",
    b"style",
    b"sub",
    b"svg",
    b"table",
    b"tbody",
    b"td",
    b"tfoot",
    b"th",
    b"thead",
    b"time",
    b"title",
    b"tr",
    b"tt",
    b"ul",
    b"wbr",
];
/// Attributes that may stand at any of them.
const ATTRIBUTES: [&[u8]; 13] = [
    b"class",
    b"id",
    b"lang",
    b"style",
    b"scope",
    b"aria-labelledby",
    b"data-deed",
    b"data-deed-row",
    b"data-deed-rows",
    b"data-deed-field",
    b"data-deed-width",
    b"data-deed-x",
    b"xmlns",
];
/// And those of some only.
const OWN: [(&[u8], &[&[u8]]); 6] = [
    (b"meta", &[b"charset", b"name", b"content"]),
    (b"link", &[b"rel", b"href", b"type", b"media"]),
    (b"a", &[b"href", b"rel", b"target"]),
    (b"svg", &[b"viewbox", b"preserveaspectratio", b"role"]),
    (b"rect", &[b"x", b"y", b"width", b"height"]),
    (b"style", &[b"type", b"media"]),
];
/// Elements that change a page while it is looked at, or lay another one over it.
const ACTING: [&[u8]; 9] = [
    b"script",
    b"iframe",
    b"frame",
    b"frameset",
    b"object",
    b"embed",
    b"applet",
    b"portal",
    b"base",
];
/// Properties that a style of an element's own may set: none hides, moves or stretches it.
const COLOURS: [&str; 5] = ["color", "background", "background-color", "fill", "stroke"];
/// Elements within a number that show it as it is, or nothing.
const PLAIN: [&[u8]; 19] = [
    b"a", b"abbr", b"b", b"bdi", b"code", b"data", b"em", b"font", b"i", b"mark", b"small",
    b"span", b"strong", b"time", b"tt", b"u", b"wbr", b"script", b"style",
];
/// Elements that show what is no text.
const REPLACED: [&[u8]; 14] = [
    b"img",
    b"image",
    b"picture",
    b"input",
    b"button",
    b"textarea",
    b"select",
    b"iframe",
    b"object",
    b"embed",
    b"meter",
    b"progress",
    b"video",
    b"canvas",
];

fn among(name: &[u8], words: &[&[u8]]) -> bool {
    words.iter().any(|word| name.eq_ignore_ascii_case(word))
}

/// Whether an element shows what is no text; it stands in its line.
pub(super) fn is_replaced(name: &[u8]) -> bool {
    among(name, &REPLACED)
}

/// Whether a page of ours may have an attribute at an element.
pub(super) fn is_known(name: &[u8], element: &[u8]) -> bool {
    let mut own = OWN
        .iter()
        .filter(|(of, _)| element.eq_ignore_ascii_case(of));
    among(name, &ATTRIBUTES) || own.any(|(_, names)| among(name, names))
}

/// Whether an attribute does something by itself.
pub(super) fn acts(name: &[u8], value: &[u8]) -> bool {
    let handler = name.len() > 4
        && name
            .get(..2)
            .is_some_and(|on| on.eq_ignore_ascii_case(b"on"));
    let refresh =
        name.eq_ignore_ascii_case(b"http-equiv") && value.eq_ignore_ascii_case(b"refresh");
    handler || refresh
}

impl Reader<'_> {
    /// Looks at a start tag of a page of ours.
    pub(super) fn own(&mut self, tag: &Tag) {
        let name = self.bytes(tag.name);
        if self.acting.is_none() && (tag.acts || among(name, &ACTING)) {
            self.acting = Some(tag.at);
        }
        let Some(facts) = &mut self.facts else {
            return;
        };
        facts.tag(&String::from_utf8_lossy(name));
        let within = self.showing > 0 && name.eq_ignore_ascii_case(b"sub");
        let sub = name.eq_ignore_ascii_case(b"sub") && !self.markdown;
        if tag.strange || within || sub || !among(name, &ELEMENTS) || !self.is_plain(tag) {
            self.fault(tag.at, Fault::Altered);
        }
    }

    /// Whether an element's own style only colours it.
    fn is_plain(&self, tag: &Tag) -> bool {
        let style = self.value(tag, STYLE).unwrap_or_default();
        properties(&style).all(|name| COLOURS.contains(&name.as_str()))
    }

    /// What is shown and is no text: beside a number it may be a digit, and within one it is.
    pub(super) fn replaced(&mut self, tag: &Tag) {
        let name = self.bytes(tag.name);
        let within = self.watches.iter().any(|watch| watch.number.is_some());
        if within && (!among(name, &PLAIN) || tag.has(HIDDEN) || !self.is_plain(tag)) {
            self.fault(tag.at, Fault::Beside);
        } else if is_replaced(name) {
            self.beside.text("\u{fffc}", false);
        }
    }

    /// The page is over: one that says that it ends in a digest of what it tells must do so, and
    /// nothing in it may change what it shows.
    pub(super) fn kept(&mut self) {
        let lost = self.facts.is_some() && self.promised;
        if lost {
            self.fault(self.bytes.len(), Fault::Altered);
        }
        let ours = self.promised || self.truth.counts.facts > 0;
        if let Some(at) = self.acting.filter(|_| ours && !self.markdown) {
            self.fault(at, Fault::Altered);
        }
    }
}
