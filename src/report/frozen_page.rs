//! The page of a run with frozen checks: gates, tasks with both bounds, and what another reading
//! would make of it.

use std::collections::BTreeSet;

use serde_json::Value;

use super::because::because;
use super::figure::{PageView, capital};
use super::html::{Html, escape};
use super::page::{made, next, of_noun, section};
use super::pick::Class;
use crate::grade::field::{list, text};

/// Rows that a page lists at most.
const MOST: usize = 200;
/// What something can come to: tone, cell, and what that means.
type Outcomes = [(&'static str, &'static str, &'static str); 4];
/// What a task can come to.
const TASKS: Outcomes = [
    ("good", "pass", "each check of it passes"),
    ("bad", "fail", "a check of it fails"),
    ("mute", "unknown", "the record cannot tell"),
    ("mute", "not-launched", "no attempt was recorded"),
];
/// What a turn can come to where a policy is asked of it.
const TURNS: Outcomes = [
    ("good", "pass", "the turn keeps the rule"),
    ("bad", "fail", "the turn breaks the rule"),
    ("mute", "unknown", "the record cannot tell"),
    ("mute", "na", "the rule has nothing to ask"),
];

pub(super) fn page(view: &PageView<'_>) -> String {
    let mut page = Html::new(view, "deedcheck: frozen checks");
    head(&mut page);
    page.line("<main>");
    gates(&mut page);
    listed(&mut page);
    reasons(&mut page);
    tasks(&mut page);
    groups(&mut page);
    alternatives(&mut page);
    let facts = [
        ("Experiment", escape(text(view.aggregate, "experiment"))),
        (
            "Seal",
            format!(
                "<code class=\"digest\">{}</code>",
                escape(text(view.aggregate, "seal"))
            ),
        ),
        ("Grammar", escape(text(view.aggregate, "grammar"))),
        ("Readings", readings(view.aggregate)),
    ];
    made(&mut page, &facts);
    page.line("</main>");
    page.done()
}

/// The names in a field that is an object.
pub(super) fn names<'a>(value: &'a Value, field: &str) -> Vec<&'a str> {
    let fields = value.get(field).and_then(Value::as_object);
    let names = fields.into_iter().flatten().map(|(name, _)| name.as_str());
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names
}

fn readings(aggregate: &Value) -> String {
    let readings = aggregate.get("readings").unwrap_or(&Value::Null);
    let each = names(aggregate, "readings").into_iter();
    let each = each.map(|name| format!("{} = {}", escape(name), escape(text(readings, name))));
    let each: Vec<String> = each.collect();
    match each.is_empty() {
        true => "nothing in it can be read in two ways".to_owned(),
        false => each.join(", "),
    }
}

/// What the gates come to, as words without markup.
pub(super) fn verdict(aggregate: &Value) -> String {
    let decides = |id: &&str| {
        let gate = aggregate.get("gates").and_then(|gates| gates.get(*id));
        gate.is_some_and(|gate| gate.get("decides") != Some(&Value::Bool(false)))
    };
    let gates: Vec<&str> = names(aggregate, "gates")
        .into_iter()
        .filter(decides)
        .collect();
    let status = |id: &&&str| {
        let gate = aggregate.get("gates").and_then(|gates| gates.get(**id));
        gate.is_some_and(|gate| text(gate, "status") == "pass")
    };
    let passing = gates.iter().filter(status).count();
    match (passing, gates.len()) {
        (_, 0) => "No gate is set on these checks".to_owned(),
        (1, 1) => "The gate passes".to_owned(),
        (0, 1) => "The gate does not pass".to_owned(),
        (passing, all) if passing == all => format!("All {all} gates pass"),
        (0, all) => format!("None of {all} gates passes"),
        (1, all) => format!("1 of {all} gates passes"),
        (passing, all) => format!("{passing} of {all} gates pass"),
    }
}

/// Whether the spec is a policy: it has no tasks, and turns are asked.
pub(super) fn is_policy(aggregate: &Value) -> bool {
    names(aggregate, "tasks").is_empty() && !names(aggregate, "turns").is_empty()
}

/// The sum of one cell over every group of tasks; over every rule of a policy.
pub(super) fn outcome_sum(aggregate: &Value, cell: &str) -> String {
    let all = if is_policy(aggregate) {
        "turns"
    } else {
        "tasks"
    };
    let keys = names(aggregate, all).into_iter();
    let keys = keys.map(|group| format!("{all}.{group}.{cell}"));
    keys.collect::<Vec<_>>().join(" + ")
}

fn head(page: &mut Html<'_>) {
    let aggregate = page.view.aggregate;
    page.line(&format!(
        "<header>\n<p class=\"name\">deedcheck · {}</p>\n<h1>{}</h1>",
        escape(text(aggregate, "experiment")),
        verdict(aggregate)
    ));
    let awaited = if page.cells.count("judgments.pending") > 0 {
        let judgments = of_noun(page, "judgments.pending", "judgment is", "judgments are");
        format!(" {judgments} still awaited.")
    } else {
        String::new()
    };
    let (told, outcomes) = if is_policy(aggregate) {
        ("Each rule was asked of every turn.".to_owned(), TURNS)
    } else {
        let sum = outcome_sum(aggregate, "planned");
        let one = page.cells.shown(&sum).is_some_and(|text| text == "1");
        let noun = if one { "task was" } else { "tasks were" };
        let planned = page.number(&sum);
        let told = format!("{planned} {noun} planned, counted in each arm.");
        (told, TASKS)
    };
    page.line(&format!(
        "<p class=\"lede\">{told}{awaited}</p>\n<dl class=\"cells\">"
    ));
    for (tone, cell, meaning) in outcomes {
        let sum = outcome_sum(aggregate, cell);
        let none = page.cells.shown(&sum).is_some_and(|text| text == "0");
        let zero = if none { " zero" } else { "" };
        let number = page.number(&sum);
        page.line(&format!(
            "<div class=\"{tone}{zero}\"><dt>{}</dt><dd>{number}</dd><dd class=\"means\">{meaning}</dd></div>",
            capital(&spelled(cell))
        ));
    }
    page.line("</dl>\n</header>");
}

/// A cell's name for a reader.
fn spelled(cell: &str) -> String {
    match cell {
        "na" => "not asked".to_owned(),
        _ => cell.replace('-', " "),
    }
}

/// Why a gate decides nothing.
#[must_use]
pub fn gate_reason(reason: &str) -> &'static str {
    match reason {
        "nothing-asked" => "no turn is one that its check asks of",
        "no-task" => "no task counts in it",
        "too-few" => "fewer than its minimum were tried",
        "failed-control" => "what it watches for is not seen where it was planted",
        "control-unobserved" => "nobody saw whether its control shows what it watches for",
        "no-clean-verdict" => "a task has no verdict that is clean",
        _ => "",
    }
}

fn gates(page: &mut Html<'_>) {
    let aggregate = page.view.aggregate;
    let ids = names(aggregate, "gates");
    if ids.is_empty() {
        return;
    }
    page.section("gates", "Gates");
    page.line(
        "<p class=\"hint\">The lower bound counts as failed what is not known, the upper bound as passed. \
         A gate is sensitive where what is not known would turn it.</p>\n<ul class=\"bars spans\">",
    );
    for id in ids {
        let gate = aggregate.get("gates").and_then(|gates| gates.get(id));
        let gate = gate.unwrap_or(&Value::Null);
        let bar = page.span_bar(
            &format!("{}: between its bounds", escape(id)),
            &format!("gates.{id}.lower"),
            &format!("gates.{id}.upper"),
            &format!("gates.{id}.population"),
        );
        let figures = gate_figures(page, id, gate);
        page.line(&format!(
            "<li><span class=\"label\">{} <small>{}</small></span>{bar}<span class=\"figures\">{figures}</span></li>",
            escape(id),
            asked(text(gate, "kind"))
        ));
    }
    page.line("</ul>");
    page.end();
}

/// What a kind of gate asks, in a few words.
fn asked(kind: &str) -> &'static str {
    match kind {
        "rate" => "tasks that pass",
        "not-worse" => "beside its baseline",
        "turns" => "turns that keep the rule",
        "lane" => "attempts that used it",
        "encoding" => "payloads that came whole",
        "blind" => "tasks that saw nothing else",
        "denominators" => "tasks to divide by",
        _ => "",
    }
}

/// Two bounds; one number where both are the same.
fn bounds(page: &Html<'_>, sure: &str, open: &str) -> String {
    let lower = page.number(sure);
    match page.cells.shown(sure) == page.cells.shown(open) {
        true => lower,
        false => format!("{lower} to {}", page.number(open)),
    }
}

/// What a gate comes to, with its figures.
fn gate_figures(page: &mut Html<'_>, id: &str, gate: &Value) -> String {
    let status = text(gate, "status");
    let decides = gate.get("decides") != Some(&Value::Bool(false));
    let tone = match status {
        "pass" => "good",
        _ if decides => "bad",
        _ => "",
    };
    let (sure, open, all) = (
        format!("gates.{id}.lower"),
        format!("gates.{id}.upper"),
        format!("gates.{id}.population"),
    );
    let mut figures = format!(
        "<b class=\"word {tone}\">{}</b> <span class=\"between\">{} of {}</span>",
        escape(status),
        bounds(page, &sure, &open),
        page.number(&all)
    );
    if gate.get("baseline_lower").is_some_and(Value::is_u64) {
        figures.push_str(&format!(
            " <span class=\"between\">baseline {}</span>",
            bounds(
                page,
                &format!("gates.{id}.baseline_lower"),
                &format!("gates.{id}.baseline_upper")
            )
        ));
    }
    let reason = gate_reason(text(gate, "reason"));
    if !reason.is_empty() {
        figures.push_str(&format!(" <span class=\"between\">{reason}</span>"));
    }
    for (flag, word) in [
        ("sensitive", "sensitive"),
        ("failed_control", "a control failed"),
    ] {
        if gate.get(flag) == Some(&Value::Bool(true)) {
            figures.push_str(&format!(" <span class=\"word open\">{word}</span>"));
        }
    }
    if !decides {
        figures.push_str(" <span class=\"between\">decides nothing</span>");
    }
    figures
}

fn listed(page: &mut Html<'_>) {
    const TASK: &str = "Each with its arm and its task.";
    const CHECK: &str =
        "Each with its arm, task, check and kind of check, and with what was read in the answer.";
    let lists = [
        (Class::TaskFails, "failed-tasks", "Tasks that fail", TASK),
        (Class::TaskOpen, "open-tasks", "Tasks that stay open", TASK),
        (
            Class::CheckFails,
            "failed-checks",
            "Checks that fail",
            CHECK,
        ),
        (
            Class::CheckOpen,
            "open-checks",
            "Checks that stay open",
            CHECK,
        ),
    ];
    for (class, id, heading, hint) in lists {
        let list = page.view.picked.list(class, MOST);
        section(
            page,
            list,
            (id, heading, hint),
            "grep '\"kind\":\"check\"' DIR/grades.jsonl",
        );
    }
}

/// What the listed reasons mean, and where more is told.
fn reasons(page: &mut Html<'_>) {
    let classes = [
        Class::TaskFails,
        Class::TaskOpen,
        Class::CheckFails,
        Class::CheckOpen,
    ];
    let rows = classes.map(|class| page.view.picked.list(class, MOST).rows);
    let mut reasons = BTreeSet::new();
    let mut kind = "";
    for listed in rows.into_iter().flatten() {
        reasons.extend(list(&listed.row, "reasons").filter_map(Value::as_str));
        if kind.is_empty() {
            kind = text(&listed.row, "check_kind");
        }
    }
    if reasons.is_empty() {
        return;
    }
    let meaning = |reason: &str| Some(vec![escape(reason), escape(because(reason)?)]);
    let known: Vec<Vec<String>> = reasons.into_iter().filter_map(meaning).collect();
    page.section("reasons", "What the reasons mean, and what to do next");
    if !known.is_empty() {
        page.table(
            "meanings",
            "Reasons of this page; what else stands there is named by the spec",
            &["Reason", "Meaning"],
            &known,
        );
    }
    let explain = match kind {
        "" => "deedcheck explain spec".to_owned(),
        kind => format!("deedcheck explain {}", escape(kind)),
    };
    next(
        page,
        &[
            (&explain, "says what a check of a kind asks of an answer"),
            (
                "deedcheck show FILE:TURN",
                "lays out the turn that an answer ends",
            ),
            (
                "deedcheck judge packets",
                "lays out what awaits a judgment, where something does",
            ),
        ],
    );
    page.end();
}

fn tasks(page: &mut Html<'_>) {
    let groups = names(page.view.aggregate, "tasks");
    if groups.is_empty() {
        return;
    }
    page.section("tasks", "Tasks by arm and family");
    page.line("<ul class=\"bars spans\">");
    for group in &groups {
        let key = |cell: &str| format!("tasks.{group}.{cell}");
        let (sure, open, all) = (key("pass-lower"), key("pass-upper"), key("planned"));
        let label = escape(group);
        let bar = page.span_bar(&format!("{label}: tasks that pass"), &sure, &open, &all);
        let figures = format!(
            "<b>{}</b> <span class=\"of\">of {}</span> <span class=\"between\">95 %: {} to {}</span>",
            bounds(page, &sure, &open),
            page.number(&all),
            page.number(&format!("low({sure}, {all})")),
            page.number(&format!("high({open}, {all})")),
        );
        page.line(&format!(
            "<li><span class=\"label\">{label}</span>{bar}<span class=\"figures\">{figures}</span></li>"
        ));
    }
    page.line("</ul>");
    let rows: Vec<Vec<String>> = groups
        .iter()
        .map(|group| {
            let cells = ["planned", "pass", "fail", "unknown", "not-launched"];
            let cells = cells.map(|cell| page.number(&format!("tasks.{group}.{cell}")));
            std::iter::once(escape(group)).chain(cells).collect()
        })
        .collect();
    let heads = [
        "Arm and family",
        "Planned",
        "Pass",
        "Fail",
        "Unknown",
        "Not launched",
    ];
    page.table("num", "Tasks by arm, family and outcome", &heads, &rows);
    page.end();
}

/// Attempts, checks, turns and keys: every count that the aggregate has of them.
fn groups(page: &mut Html<'_>) {
    let aggregate = page.view.aggregate;
    page.section("counts", "Attempts, checks and keys");
    let tables: [(&str, &str, &[&str]); 3] = [
        (
            "attempts",
            "Attempts by arm and family",
            &["recorded", "completed", "inadmissible", "unresolved"],
        ),
        (
            "checks",
            "Checks of answers by arm and kind",
            &["pass", "fail", "unknown", "pending"],
        ),
        (
            "turns",
            "Checks of turns by arm and check",
            &["pass", "fail", "unknown", "pending"],
        ),
    ];
    for (field, caption, cells) in tables {
        let groups = names(aggregate, field);
        if groups.is_empty() {
            continue;
        }
        let rows: Vec<Vec<String>> = groups
            .iter()
            .map(|group| {
                let cells = cells
                    .iter()
                    .map(|cell| page.number(&format!("{field}.{group}.{cell}")));
                std::iter::once(escape(group)).chain(cells).collect()
            })
            .collect();
        let mut heads = vec!["Group".to_owned()];
        heads.extend(cells.iter().map(|cell| capital(cell)));
        let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
        page.table("num", caption, &heads, &rows);
    }
    let mut keys: Vec<Vec<String>> = vec![vec!["known".to_owned(), page.number("keys.known")]];
    for (reason, _) in page.cells.below("keys.unknown") {
        keys.push(vec![
            format!("unknown: {}", escape(reason)),
            page.number(&format!("keys.unknown.{reason}")),
        ]);
    }
    for cell in ["supplied", "judged", "refused", "unused", "pending"] {
        keys.push(vec![
            format!("judgments {cell}"),
            page.number(&format!("judgments.{cell}")),
        ]);
    }
    page.table("num", "Keys and judgments", &["What", "Count"], &keys);
    if let Some(least) = aggregate.get("min_cell").and_then(Value::as_u64) {
        let held = of_noun(page, "suppressed", "cell is", "cells are");
        page.line(&format!(
            "<p class=\"hint\">{held} withheld, with those of its group, because fewer than {least} stand in one.</p>"
        ));
    }
    page.end();
}

/// The gates that another reading would turn.
pub(super) fn turned<'a>(aggregate: &'a Value, other: &'a Value) -> Vec<&'a str> {
    let status = |gates: Option<&'a Value>, id: &str| {
        let gate = gates.and_then(|gates| gates.get(id));
        gate.map(|gate| gate.as_str().unwrap_or_else(|| text(gate, "status")))
    };
    let turns = |id: &&str| status(aggregate.get("gates"), id) != status(other.get("gates"), id);
    names(other, "gates").into_iter().filter(turns).collect()
}

fn alternatives(page: &mut Html<'_>) {
    let aggregate = page.view.aggregate;
    let rows: Vec<Vec<String>> = list(aggregate, "alternatives")
        .enumerate()
        .map(|(at, other)| {
            let turned = turned(aggregate, other);
            let told = |id: &&str| {
                let bound = |cell| page.number(&format!("alternatives.{at}.figures.{id}.{cell}"));
                let [from, to, of] = ["lower", "upper", "population"].map(bound);
                format!("{} ({from} to {to} of {of})", escape(id))
            };
            let turned = match turned.as_slice() {
                [] => "none".to_owned(),
                some => some.iter().map(told).collect::<Vec<_>>().join(", "),
            };
            let turns = other.get("turns_changed") == Some(&Value::Bool(true));
            vec![
                format!(
                    "{} = {}",
                    escape(text(other, "reading")),
                    escape(text(other, "value"))
                ),
                page.number(&format!("alternatives.{at}.tasks_changed")),
                if turns { "yes" } else { "no" }.to_owned(),
                turned,
            ]
        })
        .collect();
    if rows.is_empty() {
        return;
    }
    page.section("alternatives", "Other readings");
    page.line("<p class=\"hint\">Each reading that was not chosen, evaluated alone.</p>");
    let heads = [
        "Reading",
        "Tasks changed",
        "Turns changed",
        "Gates that turn",
    ];
    page.table("num", "What another reading would change", &heads, &rows);
    page.end();
}
