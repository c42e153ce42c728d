//! The page in Markdown: short enough for the comment of a pull request.
//!
//! Numbers and fields stand in inline elements, so that they can be checked as those of the other
//! page; what Markdown would read as its own is written as a character reference, which the reader
//! of a page sees as the character.

use serde_json::Value;

use super::figure::{Cells, PageView, Told, told};
use super::frozen_page::{gate_reason, is_policy, names, outcome_sum, turned, verdict};
use super::pick::{Class, Listed};
use super::told::PAGE;
use crate::aggregate::AGGREGATE_SCHEMA;
use crate::aggregate::CONTROLS;
use crate::grade::field::{list, text};

/// Rows that are listed at most.
const LISTED: usize = 20;
/// Rows of a table at most.
const ROWS: usize = 10;

struct Page<'a> {
    out: String,
    view: &'a PageView<'a>,
    cells: Cells,
    withheld: u64,
}

/// The page of a run: at most sixty lines.
#[must_use]
pub fn markdown(view: &PageView<'_>) -> String {
    let mut page = Page {
        out: String::new(),
        view,
        cells: Cells::of(view.aggregate),
        withheld: 0,
    };
    page.line(&format!(
        "<!-- deedcheck-aggregate sha256:{} --><!-- {PAGE} 1 -->",
        view.digest
    ));
    if text(view.aggregate, "schema") == AGGREGATE_SCHEMA {
        page.sessions();
    } else {
        page.frozen();
    }
    page.foot();
    let line = super::told::line(&page.out, "<!-- deedcheck-aggregate");
    page.out + &line
}

/// A text in which nothing is markup, of HTML or of Markdown, and which calls nobody: a name after
/// `@` and a number after `#` stand apart from it in an element of its own.
fn plain(text: &str) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '@' | '#' => {
                let _ = write!(out, "<code>&#{};</code>", u32::from(c));
            }
            c if "\\`*_[]<>&'\"|~$!{}^".contains(c) => {
                let _ = write!(out, "&#{};", u32::from(c));
            }
            // A bare address would become a link.
            c => out.push(c),
        }
    }
    out.replace("://", "&#58;//").replace("www.", "www&#46;")
}

/// The same within an element of code, where nobody is called.
fn verbatim(text: &str) -> String {
    plain(text).replace("<code>", "").replace("</code>", "")
}

impl Page<'_> {
    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn number(&self, expr: &str) -> String {
        match self.cells.shown(expr) {
            Some(text) => format!("<span data-deed=\"{expr}\">{text}</span>"),
            None => "withheld".to_owned(),
        }
    }

    fn sessions(&mut self) {
        let headline = self.headline();
        self.line(&format!("### {headline}\n"));
        let cells = [
            ("contradicted", "claim.contradicted"),
            ("unsupported", "claim.unsupported"),
            ("supported", "claim.supported"),
            ("unknown", "claim.unknown"),
            ("findings", "finding-verdict.finding"),
            ("closes rejected", "gate.reject"),
            ("dark sessions", "session.dark"),
        ];
        let words = cells.map(|(word, _)| word).join(" | ");
        let numbers = cells.map(|(_, key)| self.number(key)).join(" | ");
        self.line(&format!("| {words} |\n|{}", "---:|".repeat(cells.len())));
        self.line(&format!("| {numbers} |"));
        self.listed(&[
            (Class::Contradicted, "Contradicted by the record"),
            (
                Class::Unsupported,
                "Unsupported: nothing in the record shows it",
            ),
            (
                Class::Finding,
                "Found: what was done to the checks themselves",
            ),
        ]);
        let facts = [
            self.number("session.read"),
            self.number("turns"),
            self.number("share(claim.supported, claims)"),
            self.number("low(claim.supported, claims)"),
            self.number("high(claim.supported, claims)"),
        ];
        let [sessions, turns, share, low, high] = facts;
        self.strayed();
        self.line(&format!(
            "\nRead: sessions {sessions}, turns {turns}. Borne out: {share} (95 %: {low} to {high})."
        ));
    }

    /// Says so where a control landed elsewhere: nothing else on the page is proven then.
    fn strayed(&mut self) {
        for class in CONTROLS {
            let [planted, landed] =
                ["planted", "landed"].map(|what| format!("control.{class}.{what}"));
            if self.cells.count(&planted) != self.cells.count(&landed) {
                let [planted, landed] = [planted, landed].map(|key| self.number(&key));
                self.line(&format!(
                    "\n**Controls of {class}: {landed} of {planted} landed. The rules of this run are not what they should be.**"
                ));
            }
        }
    }

    fn headline(&self) -> String {
        let claims = self.cells.count("claims");
        let contradicted = self.cells.count("claim.contradicted");
        let of = format!("{} statements", self.number("claims"));
        match (claims, contradicted) {
            (0, _) if self.cells.count("sessions") == 0 => {
                "Nothing was graded: there was no session".to_owned()
            }
            (0, _) => "No statement was held against the record".to_owned(),
            (1, 0) => "The one statement is not contradicted by the record".to_owned(),
            (1, _) => "The one statement is contradicted by the record".to_owned(),
            (_, 0) => format!("None of {of} is contradicted by the record"),
            (_, n) => format!(
                "{} of {of} {} contradicted by the record",
                self.number("claim.contradicted"),
                if n == 1 { "is" } else { "are" }
            ),
        }
    }

    fn frozen(&mut self) {
        let aggregate = self.view.aggregate;
        self.line(&format!("### {}\n", verdict(aggregate)));
        let policy = is_policy(aggregate);
        let last = if policy { "na" } else { "planned" };
        let [pass, fail, unknown, rest] = ["pass", "fail", "unknown", last]
            .map(|cell| self.number(&outcome_sum(aggregate, cell)));
        let pending = self.number("judgments.pending");
        let told = if policy {
            format!(
                "Checks of turns: {pass} pass, {fail} fail, {unknown} unknown, {rest} not asked."
            )
        } else {
            format!("Tasks: {pass} pass, {fail} fail, {unknown} unknown, of {rest}.")
        };
        self.line(&format!("{told} Judgments awaited: {pending}.\n"));
        let gates = names(aggregate, "gates");
        if !gates.is_empty() {
            self.line("| gate | | from | to | of |\n|---|---|---|---|---|");
        }
        for id in gates.iter().take(ROWS) {
            let gate = aggregate.get("gates").and_then(|gates| gates.get(*id));
            let gate = gate.unwrap_or(&Value::Null);
            let sensitive = gate.get("sensitive") == Some(&Value::Bool(true));
            let sensitive = if sensitive { ", sensitive" } else { "" };
            let [from, to, of] = ["lower", "upper", "population"]
                .map(|cell| self.number(&format!("gates.{id}.{cell}")));
            let mut status = plain(text(gate, "status"));
            let reason = gate_reason(text(gate, "reason"));
            if !reason.is_empty() {
                status = format!("{status}: {}", plain(reason));
            }
            if gate["baseline_lower"].is_u64() {
                let [from, to] = ["baseline_lower", "baseline_upper"]
                    .map(|cell| self.number(&format!("gates.{id}.{cell}")));
                status = format!("{status}, baseline {from} to {to}");
            }
            self.line(&format!(
                "| {} | {status}{sensitive} | {from} | {to} | {of} |",
                plain(id)
            ));
        }
        self.more(gates.len().saturating_sub(ROWS), "gates");
        self.alternatives();
        self.strayed();
        self.listed(&[
            (Class::TaskFails, "Tasks that fail"),
            (Class::TaskOpen, "Tasks that stay open"),
        ]);
    }

    fn alternatives(&mut self) {
        let aggregate = self.view.aggregate;
        let mut turning = Vec::new();
        for (at, other) in list(aggregate, "alternatives").enumerate() {
            let gates = turned(aggregate, other);
            if !gates.is_empty() {
                let told = |id: &&str| {
                    let bound =
                        |cell| self.number(&format!("alternatives.{at}.figures.{id}.{cell}"));
                    let [from, to, of] = ["lower", "upper", "population"].map(bound);
                    let status = plain(text(&other["gates"], id));
                    format!("{} turns to {status} ({from} to {to} of {of})", plain(id))
                };
                let gates: Vec<String> = gates.iter().map(told).collect();
                turning.push((at, other, gates.join(", ")));
            }
        }
        let all = list(aggregate, "alternatives").count();
        if turning.is_empty() && all > 0 {
            let told = match all {
                1 => "The one other reading turns no gate.".to_owned(),
                all => format!("None of {all} other readings turns a gate."),
            };
            self.line(&format!("\n{told}"));
        }
        for (at, other, gates) in turning.iter().take(ROWS) {
            let tasks = self.number(&format!("alternatives.{at}.tasks_changed"));
            let (reading, value) = (plain(text(other, "reading")), plain(text(other, "value")));
            self.line(&format!(
                "\nReading {reading} = {value}: tasks changed {tasks}; {gates}."
            ));
        }
    }

    fn more(&mut self, more: usize, what: &str) {
        if more > 0 {
            self.line(&format!("\n… and {more} more {what}."));
        }
    }

    /// Lists of rows, each under its heading.
    fn listed(&mut self, lists: &[(Class, &str)]) {
        let mut left = LISTED;
        for (class, heading) in lists {
            let whole = self.view.picked.list(*class, usize::MAX);
            let rows = &whole.rows[..whole.rows.len().min(left)];
            if whole.all == 0 {
                continue;
            }
            left -= rows.len();
            if rows.is_empty() {
                self.line(&format!("\n**{heading}**: {}, not listed here.", whole.all));
                continue;
            }
            let said: u64 = rows.iter().map(|listed| listed.said).sum();
            let more = match whole.all.saturating_sub(said) {
                0 => String::new(),
                more => format!(" (and {more} more, not listed here)"),
            };
            self.line(&format!(
                "\n**{heading}**{more}\n\n<div data-deed-rows=\"{}\">\n",
                rows.len()
            ));
            for listed in rows {
                self.item(listed);
            }
            self.line("\n</div>");
        }
    }

    /// One row on one line.
    fn item(&mut self, listed: &Listed) {
        let mut parts: Vec<String> = Vec::new();
        let mut head = vec![self.field(listed, "rule", "b")];
        head.extend(["arm", "task"].map(|name| self.field(listed, name, "b")));
        head.push(self.field(listed, "where", "span"));
        let head: Vec<String> = head.into_iter().flatten().collect();
        parts.push(format!("{}:", head.join(" · ")));
        parts.extend(
            self.field(listed, "text", "code")
                .map(|words| format!("“{words}”")),
        );
        match self.field(listed, "what", "span") {
            Some(what) => parts.push(what),
            None => parts.extend(self.field(listed, "reasons", "span")),
        }
        parts.extend(
            self.field(listed, "settle", "code")
                .map(|run| format!("Run: {run}")),
        );
        if let Some(place) = self.field(listed, "place", "span") {
            parts.push(match listed.session {
                0 => format!("({place})"),
                session => format!("(session {session}, {place})"),
            });
        }
        let said = match listed.said {
            1 => String::new(),
            said => format!(" Said {said} times."),
        };
        self.line(&format!(
            "- <span data-deed-row=\"{}\">{}</span>{said}",
            listed.number,
            parts.join(" ")
        ));
    }

    fn field(&mut self, listed: &Listed, name: &str, tag: &str) -> Option<String> {
        let (tag, text) = match told(self.view, &listed.row, name)? {
            Told::Text(text) => (tag, text),
            Told::Withheld(text) => {
                self.withheld += 1;
                ("i", text)
            }
        };
        let text = if tag == "code" {
            verbatim(&text)
        } else {
            plain(&text)
        };
        Some(format!("<{tag} data-deed-field=\"{name}\">{text}</{tag}>"))
    }

    fn foot(&mut self) {
        let canary = if self.cells.has("canary.planted") {
            format!(
                " Canary: {} planted, {} caught.",
                self.number("canary.planted"),
                self.number("canary.caught")
            )
        } else {
            String::new()
        };
        let held = match self.withheld {
            0 => String::new(),
            held => format!(" Quoted texts withheld: {held}."),
        };
        let version = plain(text(self.view.aggregate, "version"));
        self.line(&format!(
            "\n<sub>deedcheck {version}.{canary}{held} Check this page: <code>deedcheck check-html summary.md --from DIR</code></sub>"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_markup_and_nobody_is_called() {
        assert_eq!(
            plain("a *b* [c](d) <e> |f|"),
            "a &#42;b&#42; &#91;c&#93;(d) &#60;e&#62; &#124;f&#124;"
        );
        assert_eq!(
            plain("@all #12"),
            "<code>&#64;</code>all <code>&#35;</code>12"
        );
        assert_eq!(verbatim("@all"), "&#64;all");
        assert_eq!(
            plain("see https://x.y and www.z"),
            "see https&#58;//x.y and www&#46;z"
        );
    }
}
