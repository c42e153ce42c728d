//! `deedcheck explain` and `deedcheck rules`.

use std::io::Write;

use super::args::{Explain, command};
use super::{Exit, RunError, Surroundings};
use crate::capture;
use crate::control;
use crate::oracle::{KINDS, KindInfo, grammar};
use crate::report::{Style, wrapped};
use crate::rule::registry::{FAMILY_PAGES, RULES};
use crate::{differential, page, spec};

/// Pages that are no rule's and no kind's: the topic, the page, and what it is about.
const PAGES: [(&str, &str, &str); 6] = [
    (
        "spec",
        spec::PAGE,
        "frozen checks: how to write a spec and grade by it",
    ),
    (
        "controls",
        control::PAGE,
        "planted inputs that prove the rules",
    ),
    (
        "capture",
        capture::PAGE,
        "commands that are run in copies of an arm's tree",
    ),
    (
        "differential",
        differential::PAGE,
        "another checker asked the same cases",
    ),
    (
        "check-html",
        page::PAGE,
        "what is checked before a page is published",
    ),
    (
        grammar::GRAMMAR,
        grammar::PAGE,
        "the grammar that answers are read with",
    ),
];

pub(super) fn run(
    args: &Explain,
    around: &Surroundings,
    out: &mut dyn Write,
) -> Result<Exit, RunError> {
    let Some(topic) = args.topic.as_deref() else {
        return topics(around, out);
    };
    let rule = RULES.iter().find(|rule| rule.id == topic);
    let family = FAMILY_PAGES.iter().find(|(family, _)| *family == topic);
    let page = rule.map(|rule| rule.page).or(family.map(|(_, page)| *page));
    let own = PAGES.iter().find(|(own, ..)| *own == topic);
    let kind = KINDS.iter().find(|kind| kind.id == topic);
    if let Some(page) = page.or(own.map(|(_, page, _)| *page)) {
        out.write_all(page.as_bytes())?;
    } else if let Some(kind) = kind {
        self::kind(kind, out)?;
    } else if let Some(help) = help_of(topic, around) {
        out.write_all(help.as_bytes())?;
    } else {
        return Err(RunError::Argument {
            field: "<TOPIC>",
            kind: "unknown-value",
        });
    }
    out.flush()?;
    Ok(Exit::Done)
}

/// Everything that can be explained, by what it is.
fn topics(around: &Surroundings, out: &mut dyn Write) -> Result<Exit, RunError> {
    let style = Style::of(around.columns, around.colour);
    writeln!(out, "{}", style.bold("deedcheck explain TOPIC"))?;
    for (topic, _, about) in PAGES {
        writeln!(out, "  {topic:<12} {about}")?;
    }
    let command = command();
    let commands = command.get_subcommands().map(clap::Command::get_name);
    let lists = [
        (
            "families of rules",
            FAMILY_PAGES.iter().map(|(family, _)| *family).collect(),
        ),
        ("rules", RULES.iter().map(|rule| rule.id).collect()),
        ("check kinds", KINDS.iter().map(|kind| kind.id).collect()),
        ("commands", commands.collect::<Vec<_>>()),
    ];
    for (title, mut names) in lists {
        names.dedup();
        writeln!(out, "\n{}", style.dim(title))?;
        for line in wrapped(&names.join(", "), style.width - 2) {
            writeln!(out, "  {line}")?;
        }
    }
    let hint =
        "deedcheck rules says what each rule asks; deedcheck schema what each file looks like.";
    writeln!(out, "\n{}", style.dim(hint))?;
    out.flush()?;
    Ok(Exit::Done)
}

/// The help of a command.
fn help_of(name: &str, around: &Surroundings) -> Option<String> {
    let style = Style::of(around.columns, around.colour);
    let mut command = command().term_width(style.width.min(100));
    command.build();
    let own = command.find_subcommand_mut(name)?;
    Some(own.render_help().to_string())
}

/// The page of a check kind, and what a spec has to know of it besides.
fn kind(kind: &KindInfo, out: &mut dyn Write) -> Result<(), RunError> {
    writeln!(out, "{}", kind.page.trim_end())?;
    writeln!(out, "\nFails with: {}.", kind.failing.join(", "))?;
    writeln!(out, "Unknown with: {}.", kind.unknown.join(", "))?;
    for reading in kind.readings {
        let values = reading.values.join(", ");
        writeln!(
            out,
            "Reading `{}` ({values}): {}",
            reading.id, reading.question
        )?;
    }
    Ok(())
}

pub(super) fn rules(around: &Surroundings, out: &mut dyn Write) -> Result<Exit, RunError> {
    let style = Style::of(around.columns, around.colour);
    let mut family = "";
    for rule in RULES {
        if rule.family != family {
            let lead = if family.is_empty() { "" } else { "\n" };
            family = rule.family;
            writeln!(out, "{lead}{}", style.dim(&format!("family {family}")))?;
        }
        let on = if rule.default { "on" } else { "off" };
        writeln!(out, "{}  {}", style.bold(rule.id), style.dim(on))?;
        for line in wrapped(rule.question, style.width - 4) {
            writeln!(out, "    {line}")?;
        }
        writeln!(out, "    {}", style.dim(&rule.verdicts.join(" · ")))?;
    }
    let title = "Check kinds of frozen specs; `deedcheck explain spec` says how to write one";
    writeln!(out, "\n{}", style.dim(title))?;
    for kind in KINDS {
        writeln!(out, "{}", style.bold(kind.id))?;
        for line in wrapped(kind.question, style.width - 4) {
            writeln!(out, "    {line}")?;
        }
    }
    let hint = "deedcheck explain RULE prints a rule's or a kind's page.";
    writeln!(out, "\n{}", style.dim(hint))?;
    out.flush()?;
    Ok(Exit::Done)
}
