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

/// The page of refusals: a section for each code.
const CODES: &str = include_str!("codes.md");

/// Pages that are no rule's and no kind's: the topic, the page, and what it is about.
const PAGES: [(&str, &str, &str); 7] = [
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
    ("refusals", CODES, "what each refusal means, by its code"),
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
    } else if let Some(section) = section(topic) {
        out.write_all(section.as_bytes())?;
    } else if !mentioned(topic, out)? {
        return Err(RunError::Argument {
            field: "<TOPIC>",
            kind: "unknown-value",
        });
    }
    out.flush()?;
    Ok(Exit::Done)
}

/// The section of a refusal's code.
fn section(code: &str) -> Option<String> {
    let mut sections = CODES.split("\n## ").skip(1);
    let own = sections.find(|own| own.lines().next() == Some(code))?;
    Some(format!("# {}\n", own.trim_end()))
}

/// What the pages say of a reason: every page that has it among its reasons or in its text, with the lines that hold it. It
/// tells whether there is any.
fn mentioned(word: &str, out: &mut dyn Write) -> Result<bool, RunError> {
    let quoted = format!("`{word}`");
    let mut any = false;
    let mut told = |page: &str, topic: &str, lead: Option<String>, out: &mut dyn Write| {
        let lines: Vec<&str> = page.lines().filter(|line| line.contains(&quoted)).collect();
        if lines.is_empty() && lead.is_none() {
            return Ok(());
        }
        let gap = if any { "\n" } else { "" };
        any = true;
        writeln!(out, "{gap}{topic} (deedcheck explain {topic})")?;
        for line in lead.iter().map(String::as_str).chain(lines) {
            writeln!(out, "  {}", line.trim())?;
        }
        Ok::<(), RunError>(())
    };
    for kind in KINDS {
        let lead = if kind.failing.contains(&word) {
            Some(format!(
                "{} A check of this kind fails with it.",
                kind.question
            ))
        } else if kind.unknown.contains(&word) {
            Some(format!("{} With it that is unknown.", kind.question))
        } else {
            None
        };
        told(kind.page, kind.id, lead, out)?;
    }
    for rule in RULES {
        told(rule.page, rule.id, None, out)?;
    }
    for (topic, page) in FAMILY_PAGES {
        told(page, topic, None, out)?;
    }
    for (topic, page, _) in PAGES {
        told(page, topic, None, out)?;
    }
    Ok(any)
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
    for hint in [
        "A code of a refusal (E_SPEC) and a reason of a row (unparsed) are explained as well.",
        "deedcheck rules says what each rule asks; deedcheck schema what each file looks like.",
    ] {
        let lead = if hint.starts_with('A') { "\n" } else { "" };
        writeln!(out, "{lead}{}", style.dim(hint))?;
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_of_a_kind_and_every_cause_of_an_attempt_is_explained() {
        let mut reasons: Vec<&str> = KINDS
            .iter()
            .flat_map(|kind| kind.failing.iter().chain(kind.unknown).copied())
            .collect();
        reasons.extend([
            "usage-limit",
            "interrupted-driver",
            "startup-error",
            "outside-window",
            "record-ends",
            "foreign-folder",
            "foreign-prompt",
            "several-sessions",
            "no-close",
            "wait-notice",
            "carrier-mismatch",
            "tree-drift",
            "judge-quote",
            "judge-pending",
            "judge-unavailable",
            "attempt-unknown",
            "input-hash",
            "key-drift",
            "too-few",
            "nothing-asked",
            "unknown-field",
            "not-given",
        ]);
        for reason in reasons {
            let mut out = Vec::new();
            assert!(mentioned(reason, &mut out).unwrap(), "{reason}");
            assert!(!out.is_empty(), "{reason}");
        }
        assert!(!mentioned("no-such-reason", &mut Vec::new()).unwrap());
    }
}
