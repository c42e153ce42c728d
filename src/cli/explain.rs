//! `deedcheck explain` and `deedcheck rules`.

use std::io::Write;

use super::args::Explain;
use super::{Exit, RunError, Surroundings};
use crate::report::{Style, wrapped};
use crate::rule::registry::{FAMILY_PAGES, RULES};

pub(super) fn run(args: &Explain, out: &mut dyn Write) -> Result<Exit, RunError> {
    let rule = RULES.iter().find(|rule| rule.id == args.rule);
    let family = FAMILY_PAGES.iter().find(|(family, _)| *family == args.rule);
    let page = rule.map(|rule| rule.page).or(family.map(|(_, page)| *page));
    let Some(page) = page else {
        return Err(RunError::Argument {
            field: "<RULE>",
            kind: "unknown-value",
        });
    };
    out.write_all(page.as_bytes())?;
    out.flush()?;
    Ok(Exit::Done)
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
    let hint = "deedcheck explain RULE prints a rule's page.";
    writeln!(out, "\n{}", style.dim(hint))?;
    out.flush()?;
    Ok(Exit::Done)
}
