//! A page of HTML that is being written.

use std::fmt::Write as _;

use super::figure::{Cells, PageView, Told, told};
use super::pick::Listed;
use super::told::PAGE;

/// The whole style of a page: nothing is fetched.
const CSS: &str = include_str!("page.css");
/// What stands for a number that is withheld because it is small.
const HELD_BACK: &str = "withheld";

/// A page, its numbers, and what it has withheld so far.
pub(super) struct Html<'a> {
    pub(super) out: String,
    pub(super) cells: Cells,
    pub(super) view: &'a PageView<'a>,
    /// Quoted fields that are withheld.
    pub(super) withheld: u64,
    bars: u32,
}

/// A text as HTML shows it, in attributes too.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

impl<'a> Html<'a> {
    pub(super) fn new(view: &'a PageView<'a>, title: &str) -> Self {
        let mut page = Self {
            out: String::with_capacity(64 << 10),
            cells: Cells::of(view.aggregate),
            view,
            withheld: 0,
            bars: 0,
        };
        let digest = escape(view.digest);
        let title = escape(title);
        page.push(&format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <meta name=\"referrer\" content=\"no-referrer\">\n\
             <meta name=\"deedcheck-aggregate\" content=\"sha256:{digest}\">\n\
             <meta name=\"{PAGE}\" content=\"1\">\n\
             <link rel=\"icon\" href=\"data:,\">\n\
             <title>{title}</title>\n<style>\n{CSS}</style>\n</head>\n<body>\n"
        ));
        page
    }

    pub(super) fn push(&mut self, markup: &str) {
        self.out.push_str(markup);
    }

    pub(super) fn line(&mut self, markup: &str) {
        self.out.push_str(markup);
        self.out.push('\n');
    }

    /// The whole page.
    pub(super) fn done(mut self) -> String {
        let line = super::told::line(&self.out, "<meta name=\"deedcheck-aggregate\"");
        self.push(&line);
        self.push("</body>\n</html>\n");
        self.out
    }

    /// An element that shows a number of the aggregate.
    pub(super) fn number(&self, expr: &str) -> String {
        match self.cells.shown(expr) {
            Some(text) => format!(
                "<span class=\"n\" data-deed=\"{}\">{text}</span>",
                escape(expr)
            ),
            None => format!("<span class=\"n\">{HELD_BACK}</span>"),
        }
    }

    /// An element that shows a field of the row that it stands in; nothing where it has none.
    pub(super) fn field(&mut self, listed: &Listed, name: &str, tag: &str) -> Option<String> {
        let (class, text) = match told(self.view, &listed.row, name)? {
            Told::Text(text) => ("", text),
            Told::Withheld(text) => {
                self.withheld += 1;
                (" class=\"held\"", text)
            }
        };
        let text = escape(&text);
        Some(format!(
            "<{tag}{class} data-deed-field=\"{name}\">{text}</{tag}>"
        ))
    }

    /// A bar with the share of `hits` among `all` and its interval.
    pub(super) fn bar(&mut self, what: &str, hits: &str, all: &str, tone: &str) -> String {
        let (share, low, high) = (
            format!("share({hits}, {all})"),
            format!("low({hits}, {all})"),
            format!("high({hits}, {all})"),
        );
        let about = "The bar is the share, the line over it its 95 % interval; both stand beside it in figures.";
        self.svg(what, about, |cells| {
            let width = cells.measured(&share)?;
            let (from, to) = (cells.measured(&low)?, cells.measured(&high)?);
            let mut shapes = String::new();
            let _ = write!(
                shapes,
                "<rect class=\"{tone}\" y=\"3\" height=\"14\" x=\"0\" width=\"{width}\" data-deed-width=\"{}\"/>",
                escape(&share)
            );
            // Of nothing there is no interval.
            if to > 0 {
                let _ = write!(
                    shapes,
                    "<rect class=\"ci\" y=\"8\" height=\"4\" x=\"{from}\" width=\"{}\" data-deed-x=\"{}\" data-deed-width=\"{}\"/>",
                    to.saturating_sub(from),
                    escape(&low),
                    escape(&high)
                );
            }
            Some(shapes)
        })
    }

    /// A bar from 0 to the share of `sure`, and more faintly on to that of `open`.
    pub(super) fn span_bar(&mut self, what: &str, sure: &str, open: &str, all: &str) -> String {
        let (sure, open) = (
            format!("share({sure}, {all})"),
            format!("share({open}, {all})"),
        );
        let about = "The full bar is the lower bound, the faint one reaches to the upper bound; both stand beside it in figures.";
        self.svg(what, about, |cells| {
            let (from, to) = (cells.measured(&sure)?, cells.measured(&open)?);
            Some(format!(
                "<rect class=\"good\" y=\"3\" height=\"14\" x=\"0\" width=\"{from}\" data-deed-width=\"{}\"/>\
                 <rect class=\"open\" y=\"3\" height=\"14\" x=\"{from}\" width=\"{}\" data-deed-x=\"{}\" data-deed-width=\"{}\"/>",
                escape(&sure),
                to.saturating_sub(from),
                escape(&sure),
                escape(&open)
            ))
        })
    }

    fn svg(
        &mut self,
        what: &str,
        about: &str,
        shapes: impl FnOnce(&Cells) -> Option<String>,
    ) -> String {
        let Some(shapes) = shapes(&self.cells) else {
            return String::new();
        };
        self.bars += 1;
        let id = self.bars;
        format!(
            "<svg class=\"bar\" viewBox=\"0 0 10000 20\" preserveAspectRatio=\"none\" role=\"img\" \
             aria-labelledby=\"bar-{id}-t bar-{id}-d\"><title id=\"bar-{id}-t\">{}</title>\
             <desc id=\"bar-{id}-d\">{about}</desc>\
             <rect class=\"rail\" y=\"3\" height=\"14\" x=\"0\" width=\"10000\"/>{shapes}</svg>",
            escape(what)
        )
    }

    /// The beginning of a section with its heading, whose id is a word of ours.
    pub(super) fn section(&mut self, id: &str, heading: &str) {
        self.line(&format!(
            "<section aria-labelledby=\"{id}\">\n<h2 id=\"{id}\">{heading}</h2>"
        ));
    }

    pub(super) fn end(&mut self) {
        self.line("</section>");
    }

    /// A table of words and numbers. Cells are markup already; the first of each row is its head.
    pub(super) fn table(
        &mut self,
        class: &str,
        caption: &str,
        heads: &[&str],
        rows: &[Vec<String>],
    ) {
        self.line(&format!("<div class=\"wide\"><table class=\"{class}\">"));
        self.line(&format!("<caption>{caption}</caption>\n<thead><tr>"));
        for head in heads {
            self.push(&format!("<th scope=\"col\"><span>{head}</span></th>"));
        }
        self.line("</tr></thead>\n<tbody>");
        for row in rows {
            self.push("<tr>");
            for (at, cell) in row.iter().enumerate() {
                if at == 0 {
                    self.push(&format!("<th scope=\"row\">{cell}</th>"));
                } else {
                    self.push(&format!("<td>{cell}</td>"));
                }
            }
            self.line("</tr>");
        }
        self.line("</tbody></table></div>");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leaves_its_element() {
        assert_eq!(
            escape("</title><script>\"a\" & 'b'"),
            "&lt;/title&gt;&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39;"
        );
    }
}
