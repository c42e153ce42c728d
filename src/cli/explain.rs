//! `deedcheck explain` and `deedcheck rules`.

use std::io::Write;

use super::args::Explain;
use super::{Exit, RunError};
use crate::rule::registry::RULES;

pub(super) fn run(args: &Explain, out: &mut dyn Write) -> Result<Exit, RunError> {
    let Some(rule) = RULES.iter().find(|rule| rule.id == args.rule) else {
        return Err(RunError::Argument {
            field: "<RULE>",
            kind: "unknown-value",
        });
    };
    out.write_all(rule.page.as_bytes())?;
    out.flush()?;
    Ok(Exit::Done)
}

pub(super) fn rules(out: &mut dyn Write) -> Result<Exit, RunError> {
    for rule in RULES {
        let on = if rule.default { "on" } else { "off" };
        writeln!(
            out,
            "{:<12} {:<10} {on:<4} {}",
            rule.id, rule.family, rule.question
        )?;
    }
    out.flush()?;
    Ok(Exit::Done)
}
