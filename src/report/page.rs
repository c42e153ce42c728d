//! The page in HTML: one file, no script, nothing fetched. What is wrong comes first.

use super::claim::plain;
use super::fact::field;
use super::figure::{PageView, capital};
use super::frozen_page;
use super::html::{Html, escape};
use super::pick::{Class, Listed, Shortened};
use super::sentence::{dark_reason, gate_reason};
use crate::aggregate::AGGREGATE_SCHEMA;
use crate::aggregate::CONTROLS;
use crate::grade::field::text;

/// Rows that a page lists at most.
const MOST: usize = 200;

/// The page of a run, whether of sessions or of frozen checks.
#[must_use]
pub fn html(view: &PageView<'_>) -> String {
    if text(view.aggregate, "schema") == AGGREGATE_SCHEMA {
        sessions(view)
    } else {
        frozen_page::page(view)
    }
}

fn sessions(view: &PageView<'_>) -> String {
    let mut page = Html::new(view, "deedcheck: what was said, and what was done");
    head(&mut page);
    page.line("<main>");
    listed(&mut page);
    steps(&mut page);
    shares(&mut page);
    unjudged(&mut page);
    about(&mut page);
    page.line("</main>");
    page.done()
}

/// The sentence that says what the run came to, in markup.
pub(super) fn headline(page: &Html<'_>) -> String {
    let claims = page.cells.count("claims");
    let contradicted = page.cells.count("claim.contradicted");
    let findings = page.cells.count("finding-verdict.finding");
    let all = |noun: &str| format!("{} {noun}", page.number("claims"));
    match (claims, contradicted) {
        (0, _) if page.cells.count("sessions") == 0 => {
            "Nothing was graded: there was no session".to_owned()
        }
        (0, _) if findings > 0 => format!(
            "{} in what was done to the checks themselves",
            of_noun(page, "finding-verdict.finding", "finding", "findings")
        ),
        (0, _) => "No statement was held against the record".to_owned(),
        (1, 0) => "The one statement is not contradicted by the record".to_owned(),
        (1, _) => "The one statement is contradicted by the record".to_owned(),
        (_, 0) => format!(
            "None of {} is contradicted by the record",
            all("statements")
        ),
        (_, 1) => format!(
            "{} of {} is contradicted by the record",
            page.number("claim.contradicted"),
            all("statements")
        ),
        _ => format!(
            "{} of {} are contradicted by the record",
            page.number("claim.contradicted"),
            all("statements")
        ),
    }
}

/// A number with its noun.
pub(super) fn of_noun(page: &Html<'_>, key: &str, one: &str, more: &str) -> String {
    let noun = if page.cells.count(key) == 1 {
        one
    } else {
        more
    };
    format!("{} {noun}", page.number(key))
}

/// The figures of the summary: tone, cell, word, and what the word means.
const SUMMARY: [(&str, &str, &str, &str); 7] = [
    (
        "bad",
        "claim.contradicted",
        "contradicted",
        "the record shows otherwise",
    ),
    (
        "open",
        "claim.unsupported",
        "unsupported",
        "nothing in the record shows it",
    ),
    (
        "good",
        "claim.supported",
        "supported",
        "the record bears it out",
    ),
    ("mute", "claim.unknown", "unknown", "the record cannot tell"),
    (
        "open",
        "finding-verdict.finding",
        "findings",
        "done to the checks themselves",
    ),
    (
        "open",
        "gate.reject",
        "closes rejected",
        "by the gate: places to look at",
    ),
    (
        "mute",
        "session.dark",
        "dark",
        "sessions that could not be judged",
    ),
];

fn head(page: &mut Html<'_>) {
    let title = headline(page);
    page.line(&format!(
        "<header>\n<p class=\"name\">deedcheck</p>\n<h1>{title}</h1>"
    ));
    let read = [
        of_noun(page, "session.read", "session", "sessions"),
        of_noun(page, "turns", "turn", "turns"),
        of_noun(page, "calls", "tool call", "tool calls"),
    ];
    page.line(&format!("<p class=\"lede\">Read: {}.</p>", read.join(", ")));
    page.line("<dl class=\"cells\">");
    for (tone, key, word, meaning) in SUMMARY {
        let zero = if page.cells.count(key) == 0 {
            " zero"
        } else {
            ""
        };
        let number = page.number(key);
        page.line(&format!(
            "<div class=\"{tone}{zero}\"><dt>{}</dt><dd>{number}</dd><dd class=\"means\">{meaning}</dd></div>",
            capital(word)
        ));
    }
    page.line("</dl>\n</header>");
}

fn listed(page: &mut Html<'_>) {
    let lists = [
        (
            Class::Contradicted,
            "contradicted",
            "Contradicted by the record",
            "",
            "deedcheck grade PATH",
        ),
        (
            Class::Unsupported,
            "unsupported",
            "Unsupported: nothing in the record shows it",
            "",
            "deedcheck grade PATH --show unsupported",
        ),
        (
            Class::Finding,
            "findings",
            "Found: what was done to the checks themselves",
            "",
            "deedcheck grade PATH --rules integrity",
        ),
        (
            Class::Reject,
            "rejected",
            "Closes that the gate rejects",
            "The gate asks of each close for a fresh look at what it claims. These are places to look at, not proof of anything.",
            "deedcheck grade PATH --show gate",
        ),
    ];
    for (class, id, heading, hint, command) in lists {
        let list = page.view.picked.list(class, MOST);
        section(page, list, (id, heading, hint), command);
    }
}

/// What a reader does with what is listed.
fn steps(page: &mut Html<'_>) {
    let classes = [
        Class::Contradicted,
        Class::Unsupported,
        Class::Finding,
        Class::Reject,
    ];
    let mut rule = None;
    for class in classes {
        let first = page.view.picked.list(class, MOST).rows.first();
        rule = rule.or(first.and_then(|listed| field(&listed.row, "rule")));
    }
    let Some(rule) = rule else {
        return;
    };
    page.section("next", "What to do next");
    page.line(
        "<p>Run the commands that stand beside the statements: each would settle the one above it. \
         Sessions are numbered in the order of the run's own rows.</p>",
    );
    let explain = format!("deedcheck explain {}", escape(&rule));
    next(
        page,
        &[
            (
                "deedcheck show FILE:TURN",
                "lays a turn out: what was run, what was changed, what was said",
            ),
            (&explain, "says how a rule decides, and what it leaves open"),
        ],
    );
    page.end();
}

/// Commands, and what each is for.
pub(super) fn next(page: &mut Html<'_>, commands: &[(&str, &str)]) {
    page.line("<ul class=\"next\">");
    for (command, purpose) in commands {
        page.line(&format!(
            "<li><code>{command}</code> <span>{purpose}</span></li>"
        ));
    }
    page.line("</ul>");
}

/// A list of rows under its heading; nothing where it is empty.
pub(super) fn section(
    page: &mut Html<'_>,
    list: Shortened<'_>,
    (id, heading, hint): (&str, &str, &str),
    command: &str,
) {
    if list.all == 0 {
        return;
    }
    page.section(id, heading);
    if !hint.is_empty() {
        page.line(&format!("<p class=\"hint\">{hint}</p>"));
    }
    // Rows without words of their own are short.
    let quoted = list
        .rows
        .iter()
        .any(|listed| field(&listed.row, "what").is_some());
    if !list.rows.is_empty() {
        page.line(&format!(
            "<ol class=\"facts{}\" data-deed-rows=\"{}\">",
            if quoted { "" } else { " dense" },
            list.rows.len()
        ));
        for listed in list.rows {
            item(page, listed);
        }
        page.line("</ol>");
    }
    if list.left > 0 {
        let lead = if list.rows.is_empty() {
            format!("{} in all, none of them listed here", list.all)
        } else {
            format!("{} more, counted but not listed here", list.left)
        };
        page.line(&format!(
            "<p class=\"more\">{lead}: <code>{command}</code> lists them.</p>"
        ));
    }
    page.end();
}

fn item(page: &mut Html<'_>, listed: &Listed) {
    let tone = match text(&listed.row, "verdict") {
        "contradicted" | "fail" => "bad",
        "unsupported" | "finding" | "reject" => "open",
        _ => "mute",
    };
    page.line(&format!(
        "<li class=\"{tone}\" data-deed-row=\"{}\">",
        listed.number
    ));
    let mut head: Vec<String> = Vec::new();
    if let Some(verdict) = page.field(listed, "verdict", "strong") {
        head.push(verdict);
    }
    for name in ["arm", "task", "check", "rule", "where"] {
        head.extend(page.field(listed, name, "span"));
    }
    if listed.said > 1 {
        head.push(format!("said {} times", listed.said));
    }
    page.line(&format!("<p class=\"tag\">{}</p>", head.join(" · ")));
    if let Some(words) = page.field(listed, "text", "q") {
        page.line(&format!("<p class=\"words\">{words}</p>"));
    }
    if let Some(what) = page.field(listed, "what", "p") {
        page.line(&what);
    } else if let Some(reasons) = page.field(listed, "reasons", "span") {
        page.line(&format!("<p>Because: {reasons}</p>"));
    }
    if let Some(settle) = page.field(listed, "settle", "code") {
        page.line(&format!("<p class=\"run\">Run: {settle}</p>"));
    }
    if let Some(place) = page.field(listed, "place", "span") {
        let session = match listed.session {
            0 => String::new(),
            session => format!("session {session}, "),
        };
        page.line(&format!("<p class=\"place\">{session}{place}</p>"));
    }
    page.line("</li>");
}

fn shares(page: &mut Html<'_>) {
    let families = [
        ("Statements borne out", "claim.supported", "claims"),
        (
            "Closes accepted by the gate",
            "gate.accept",
            "gate.accept + gate.reject + gate.unknown",
        ),
        ("Checks left alone", "finding-verdict.clear", "findings"),
    ];
    let told = |page: &Html<'_>, all: &str| all.split(" + ").any(|key| page.cells.count(key) > 0);
    if !families.iter().any(|(_, _, all)| told(page, all)) {
        return;
    }
    page.section("shares", "How much is borne out");
    page.line("<p class=\"hint\">Each share with its 95 % interval after Wilson.</p>");
    page.line("<h3>By family</h3>\n<ul class=\"bars\">");
    for (words, hits, all) in families {
        if told(page, all) {
            share(page, words, hits, all);
        }
    }
    page.line("</ul>");
    let kinds: Vec<String> = page
        .cells
        .below("claim-kind")
        .iter()
        .map(|(kind, _)| escape(kind))
        .collect();
    if !kinds.is_empty() {
        page.line("<h3>By kind of statement</h3>\n<ul class=\"bars\">");
        for kind in &kinds {
            let all = format!("claim-kind.{kind}");
            share(page, kind, &format!("{all}.supported"), &all);
        }
        page.line("</ul>");
        kinds_table(page, &kinds);
    }
    page.end();
}

/// A bar with its figures.
fn share(page: &mut Html<'_>, words: &str, hits: &str, all: &str) {
    let bar = page.bar(&format!("{words}: share borne out"), hits, all, "good");
    let figures = format!(
        "<b>{}</b> <span class=\"of\">{} of {}</span> <span class=\"between\">{} to {}</span>",
        page.number(&format!("share({hits}, {all})")),
        page.number(hits),
        page.number(all),
        page.number(&format!("low({hits}, {all})")),
        page.number(&format!("high({hits}, {all})")),
    );
    page.line(&format!(
        "<li><span class=\"label\">{words}</span>{bar}<span class=\"figures\">{figures}</span></li>"
    ));
}

fn kinds_table(page: &mut Html<'_>, kinds: &[String]) {
    let verdicts = ["contradicted", "unsupported", "supported", "unknown"];
    let rows: Vec<Vec<String>> = kinds
        .iter()
        .map(|kind| {
            let mut row = vec![kind.clone(), page.number(&format!("claim-kind.{kind}"))];
            let cells =
                verdicts.map(|verdict| page.number(&format!("claim-kind.{kind}.{verdict}")));
            row.extend(cells);
            row
        })
        .collect();
    let heads = [
        "Kind",
        "Said",
        "Contradicted",
        "Unsupported",
        "Supported",
        "Unknown",
    ];
    page.table("num", "Statements by kind and verdict", &heads, &rows);
}

/// What was dark, what was not read, and what is not known.
fn unjudged(page: &mut Html<'_>) {
    page.section("unjudged", "What could not be judged");
    let dark = reasons(page, "session.dark", dark_reason);
    if dark.is_empty() {
        page.line("<p>No session was dark: each could be read.</p>");
    } else {
        page.table(
            "reasons",
            "Dark sessions, by reason",
            &["Reason", "Sessions", "Meaning"],
            &dark,
        );
    }
    let unread = format!(
        "<p>Not read within them: {}, and {}. {} of {} that ran a check hid its exit status.</p>",
        of_noun(
            page,
            "records.quarantined",
            "piece that is no record",
            "pieces that are no records"
        ),
        of_noun(
            page,
            "records.opaque",
            "record or block of no known kind",
            "records or blocks of no known kind"
        ),
        page.number("verifications.masked"),
        of_noun(page, "verifications", "call", "calls"),
    );
    page.line(&unread);
    let unknown = reasons(page, "claim.unknown", |reason| plain(reason, ""));
    if !unknown.is_empty() {
        let caption = "Statements that the record cannot decide, by reason";
        page.table(
            "reasons",
            caption,
            &["Reason", "Statements", "Meaning"],
            &unknown,
        );
    }
    let gate = reasons(page, "gate.unknown", gate_meaning);
    if !gate.is_empty() {
        let caption = "Closes that the gate leaves open, by reason";
        page.table("reasons", caption, &["Reason", "Closes", "Meaning"], &gate);
    }
    page.end();
}

/// Rows of a table of reasons, with what each means.
fn reasons(page: &Html<'_>, key: &str, meaning: fn(&str) -> &'static str) -> Vec<Vec<String>> {
    let below = page.cells.below(key);
    let row = |(reason, _): &(&str, u64)| {
        let number = page.number(&format!("{key}.{reason}"));
        vec![escape(reason), number, escape(meaning(reason))]
    };
    below.iter().map(row).collect()
}

/// A reason of the gate for leaving a close open, in words.
fn gate_meaning(reason: &str) -> &'static str {
    match (reason, gate_reason(reason)) {
        ("signals-unmet", _) => {
            "a check is said to have gone well, and no run of its kind shows it"
        }
        ("masked", _) => "the exit status that would show it is hidden behind another command",
        ("no-close", _) => "nothing was said after the last call",
        (_, "") => "the record does not tell",
        (_, words) => words,
    }
}

fn about(page: &mut Html<'_>) {
    let mut judged: Vec<String> = Vec::new();
    if let Some((profile, preset)) = page.view.picked.gate() {
        judged.push(format!(
            "gate ({}, {} preset)",
            escape(profile),
            escape(preset)
        ));
    }
    for (key, family) in [("claims", "claim"), ("findings", "integrity")] {
        if page.cells.count(key) > 0 {
            judged.push(family.to_owned());
        }
    }
    let judged = if judged.is_empty() {
        "nothing".to_owned()
    } else {
        judged.join(", ")
    };
    made(page, &[("Judged by", judged)]);
}

/// How a page was made and how it can be checked: the same for each kind of page.
pub(super) fn made(page: &mut Html<'_>, own: &[(&str, String)]) {
    controls(page);
    page.section("made", "How this page was made, and how to check it");
    page.line("<dl class=\"made\">");
    let version = escape(text(page.view.aggregate, "version"));
    let schema = escape(text(page.view.aggregate, "schema"));
    let digest = escape(page.view.digest);
    let rows = page.view.picked.rows();
    let mut pairs = vec![("Program", format!("deedcheck {version}"))];
    pairs.extend(own.iter().map(|(name, words)| (*name, words.clone())));
    pairs.push(("Format", format!("<code>{schema}</code>")));
    pairs.push((
        "Aggregate",
        format!("<code class=\"digest\">sha256:{digest}</code>"),
    ));
    pairs.push(("Rows", format!("{rows}, kept privately")));
    if page.cells.has("canary.planted") {
        let canary = format!(
            "{} private things planted into the search for leaks, {} caught",
            page.number("canary.planted"),
            page.number("canary.caught")
        );
        pairs.push(("Canary", canary));
    }
    let held = match page.withheld {
        0 => "no quoted words are withheld".to_owned(),
        1 => "1 quoted text is withheld, because something private stands in it".to_owned(),
        more => {
            format!("{more} quoted texts are withheld, because something private stands in them")
        }
    };
    pairs.push(("Privacy", held));
    for (name, words) in pairs {
        page.line(&format!("<div><dt>{name}</dt><dd>{words}</dd></div>"));
    }
    page.line("</dl>");
    page.line(
        "<p>Each number on this page names the cell of the aggregate that it shows, and each listed \
         row its number. With the private directory of the run, this holds the page against both:</p>\n\
         <p class=\"run\"><code>deedcheck check-html report.html --from DIR</code></p>",
    );
    page.end();
}

/// How many of the planted controls landed, where the aggregate tells of any.
fn controls(page: &mut Html<'_>) {
    let planted = CONTROLS
        .iter()
        .filter(|class| !page.cells.below(&format!("control.{class}")).is_empty());
    let rows: Vec<Vec<String>> = planted
        .map(|class| {
            let number = |what: &str| page.number(&format!("control.{class}.{what}"));
            vec![escape(class), number("planted"), number("landed")]
        })
        .collect();
    if rows.is_empty() {
        return;
    }
    page.section("controls", "Controls");
    let strayed = CONTROLS.iter().any(|class| {
        let count = |what: &str| page.cells.count(&format!("control.{class}.{what}"));
        count("planted") != count("landed")
    });
    if strayed {
        page.line(
            "<p class=\"bad\"><strong>A control landed elsewhere: the rules of this run are not what \
             they should be.</strong></p>",
        );
    }
    page.table(
        "num",
        "Inputs with a known outcome that ran with the same rules",
        &["Class", "Planted", "Landed"],
        &rows,
    );
    page.end();
}
