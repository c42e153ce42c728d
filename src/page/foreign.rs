//! SVG and `MathML` within HTML: there, `<style>` and `<title>` hold markup, tags close themselves,
//! and CDATA sections are text.

/// What is open, as far as it changes how the page is read on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Opened {
    Svg,
    Math,
    /// An element of either that holds HTML again, by its place in [`HTML_WITHIN`].
    Html(u8),
}

/// Elements of SVG and `MathML` whose content is HTML.
const HTML_WITHIN: [&[u8]; 9] = [
    b"foreignobject",
    b"desc",
    b"title",
    b"mi",
    b"mo",
    b"mn",
    b"ms",
    b"mtext",
    b"annotation-xml",
];

/// Elements of HTML that end what is foreign, wherever they stand in it.
const BREAKS_OUT: [&[u8]; 44] = [
    b"b",
    b"big",
    b"blockquote",
    b"body",
    b"br",
    b"center",
    b"code",
    b"dd",
    b"div",
    b"dl",
    b"dt",
    b"em",
    b"embed",
    b"h1",
    b"h2",
    b"h3",
    b"h4",
    b"h5",
    b"h6",
    b"head",
    b"hr",
    b"i",
    b"img",
    b"li",
    b"listing",
    b"menu",
    b"meta",
    b"nobr",
    b"ol",
    b"p",
    b"pre",
    b"ruby",
    b"s",
    b"small",
    b"span",
    b"strong",
    b"strike",
    b"sub",
    b"sup",
    b"table",
    b"tt",
    b"u",
    b"ul",
    b"var",
];

/// Elements of HTML that hold nothing and are never closed.
const EMPTY: [&[u8]; 18] = [
    b"area",
    b"base",
    b"basefont",
    b"bgsound",
    b"br",
    b"col",
    b"embed",
    b"frame",
    b"hr",
    b"img",
    b"input",
    b"keygen",
    b"link",
    b"meta",
    b"param",
    b"source",
    b"track",
    b"wbr",
];

/// What a start tag opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Start {
    /// Whether the element holds nothing.
    pub(super) empty: bool,
    /// Whether it is one of SVG or `MathML`.
    pub(super) foreign: bool,
}

/// The foreign elements that are open.
#[derive(Debug, Default)]
pub(super) struct Foreign {
    open: Vec<Opened>,
}

impl Foreign {
    /// Whether the page is within SVG or `MathML` just now, and not in HTML within.
    pub(super) fn is_open(&self) -> bool {
        matches!(self.open.last(), Some(Opened::Svg | Opened::Math))
    }

    /// A start tag is over.
    pub(super) fn open(&mut self, name: &[u8], slash: bool) -> Start {
        let among = |names: &[&[u8]]| names.iter().any(|word| name.eq_ignore_ascii_case(word));
        if self.is_open() && among(&BREAKS_OUT) {
            while self.is_open() {
                self.open.pop();
            }
        }
        let within = self.is_open();
        let root = match () {
            () if name.eq_ignore_ascii_case(b"svg") => Some(Opened::Svg),
            () if name.eq_ignore_ascii_case(b"math") => Some(Opened::Math),
            () => None,
        };
        if let Some(root) = root {
            if !slash {
                self.open.push(root);
            }
            return Start {
                empty: slash,
                foreign: true,
            };
        }
        if !within {
            return Start {
                empty: among(&EMPTY),
                foreign: false,
            };
        }
        let html = HTML_WITHIN
            .iter()
            .position(|word| name.eq_ignore_ascii_case(word));
        if let Some(place) = html.and_then(|place| u8::try_from(place).ok())
            && !slash
        {
            self.open.push(Opened::Html(place));
        }
        Start {
            empty: slash,
            foreign: true,
        }
    }

    /// An end tag is over. Only the innermost element is looked at, which is enough for what is
    /// well formed and costs the same on what is not.
    pub(super) fn close(&mut self, name: &[u8]) {
        let own = match self.open.last() {
            Some(Opened::Svg) => name.eq_ignore_ascii_case(b"svg"),
            Some(Opened::Math) => name.eq_ignore_ascii_case(b"math"),
            Some(Opened::Html(place)) => HTML_WITHIN
                .get(usize::from(*place))
                .is_some_and(|word| name.eq_ignore_ascii_case(word)),
            None => false,
        };
        if own {
            self.open.pop();
        }
    }
}
