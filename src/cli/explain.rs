//! `deedcheck explain` and `deedcheck rules`.

use std::io::Write;

use super::args::Explain;
use super::{Exit, RunError, Surroundings};
use crate::control;
use crate::oracle::{KINDS, KindInfo, grammar};
use crate::report::{Style, wrapped};
use crate::rule::registry::{FAMILY_PAGES, RULES};
use crate::{differential, page, spec};

pub(super) fn run(args: &Explain, out: &mut dyn Write) -> Result<Exit, RunError> {
    let rule = RULES.iter().find(|rule| rule.id == args.rule);
    let family = FAMILY_PAGES.iter().find(|(family, _)| *family == args.rule);
    let page = rule.map(|rule| rule.page).or(family.map(|(_, page)| *page));
    let kind = KINDS.iter().find(|kind| kind.id == args.rule);
    match (page, kind, args.rule.as_str()) {
        (Some(page), _, _) => out.write_all(page.as_bytes())?,
        (_, Some(kind), _) => self::kind(kind, out)?,
        (_, _, "controls") => out.write_all(control::PAGE.as_bytes())?,
        (_, _, "differential") => out.write_all(differential::PAGE.as_bytes())?,
        (_, _, "spec") => out.write_all(spec::PAGE.as_bytes())?,
        (_, _, "check-html") => out.write_all(page::PAGE.as_bytes())?,
        (_, _, grammar::GRAMMAR) => out.write_all(grammar::PAGE.as_bytes())?,
        _ => {
            return Err(RunError::Argument {
                field: "<RULE>",
                kind: "unknown-value",
            });
        }
    }
    out.flush()?;
    Ok(Exit::Done)
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
