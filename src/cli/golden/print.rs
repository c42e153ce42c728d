//! Differences for a person.

use std::io::Write;
use std::path::Path;

use super::super::{RunError, Surroundings};
use super::Checked;
use crate::golden::Difference;
use crate::golden::scrub::Made;
use crate::report::{Style, clean, counted, fit, fit_path, wrapped};

/// Prints each difference under its case, and the total.
pub(super) fn table(
    checked: &Checked,
    around: &Surroundings,
    out: &mut dyn Write,
) -> Result<(), RunError> {
    let style = Style::of(around.columns, around.colour);
    let mut touched = 0_u64;
    for case in checked
        .cases
        .iter()
        .filter(|case| !case.differences.is_empty())
    {
        touched += 1;
        let count = counted(case.differences.len(), "difference");
        writeln!(
            out,
            "{}  {}",
            style.bold(&clean(&case.case)),
            style.dim(&count)
        )?;
        for difference in &case.differences {
            for line in lines(difference, style) {
                writeln!(out, "{line}")?;
            }
        }
        writeln!(out)?;
    }
    let cases = counted(checked.cases.len(), "case");
    match checked.differences {
        0 => writeln!(out, "golden: {cases}, as expected")?,
        total => writeln!(
            out,
            "golden: {} in {} of {cases}",
            counted(total, "difference"),
            touched
        )?,
    }
    Ok(())
}

/// Says what was made, what was replaced in it, and what was not.
pub(super) fn made(
    made: &Made,
    case: &Path,
    moved: bool,
    around: &Surroundings,
    out: &mut dyn Write,
) -> Result<(), RunError> {
    let style = Style::of(around.columns, around.colour);
    let name = clean(&case.to_string_lossy());
    writeln!(
        out,
        "{}  {}, {} judged as in the original",
        style.bold(&name),
        counted(made.files, "file"),
        counted(made.rows, "row"),
    )?;
    let replaced: Vec<String> = made
        .replaced
        .iter()
        .map(|(what, (distinct, places))| {
            let (one, many) = what.words();
            let noun = if *distinct == 1 { one } else { many };
            format!("{distinct} {noun} at {}", counted(*places, "place"))
        })
        .collect();
    let replaced = match replaced.as_slice() {
        [] => "nothing".to_owned(),
        list => list.join(", "),
    };
    let times = if moved { "" } else { " times of day," };
    let told = [
        format!("replaced: {replaced}"),
        format!(
            "searched for {} of the original in every spelling: none is left",
            counted(made.searched, "value"),
        ),
        format!(
            "not replaced: what people and the agent wrote, code, names of people, projects, branches and \
             files, commits, web addresses, numbers,{times} secrets of no known family, names of fewer than \
             four letters outside of paths. Read the case before you publish it."
        ),
        "expected/ holds the grades of today. Read them before you commit: `deedcheck golden check` holds every later \
         release against them."
            .to_owned(),
    ];
    for text in told {
        for line in wrapped(&text, style.width) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

fn lines(found: &Difference, style: Style) -> Vec<String> {
    let room = style.width.saturating_sub(4);
    let mut label = clean(&found.rule).clone();
    if found.turn > 0 {
        label = format!("turn {} · {label}", found.turn);
    }
    let mut out = Vec::new();
    if found.file.is_empty() {
        out.push(format!("  {label}"));
    } else {
        let place = match found.line {
            0 => clean(&found.file),
            line => format!("{} line {line}", clean(&found.file)),
        };
        let left = room.saturating_sub(label.chars().count() + 2).max(12);
        out.push(format!(
            "  {}  {}",
            fit_path(&place, left),
            style.dim(&label)
        ));
    }
    let words = clean(&found.words);
    if !words.trim().is_empty() {
        out.push(format!(
            "    “{}”",
            fit(words.trim(), room.saturating_sub(2))
        ));
    }
    if found.before.is_some() || found.after.is_some() {
        let side = |side: &Option<String>| match side {
            Some(text) => clean(text),
            None => "no row".to_owned(),
        };
        let change = format!("{} → {}", side(&found.before), side(&found.after));
        out.extend(
            wrapped(&change, room)
                .iter()
                .map(|line| format!("    {}", style.yellow(line))),
        );
    }
    if !found.evidence.is_empty() {
        let told = wrapped(&clean(&found.evidence), room);
        out.extend(told.iter().map(|line| format!("    {}", style.dim(line))));
    }
    out
}
