//! The command line reference as Markdown, from `clap`'s own knowledge of it.

use std::fmt::Write as _;

use clap::{Arg, Command};

/// The whole reference.
pub(crate) fn page(mut command: Command) -> String {
    command.build();
    let mut out = String::from(
        "# Command line\n\nMade by `cargo run -p xtask -- generate`; do not edit by hand.\n",
    );
    section(&command, "deedcheck", &mut out);
    for inner in command.get_subcommands() {
        section(inner, &format!("deedcheck {}", inner.get_name()), &mut out);
    }
    out
}

fn section(command: &Command, name: &str, out: &mut String) {
    // Writing to a String cannot fail.
    let _ = write!(out, "\n## `{name}`\n\n");
    if let Some(about) = command.get_long_about().or_else(|| command.get_about()) {
        let _ = write!(out, "{about}\n\n");
    }
    let usage = command.clone().render_usage().to_string();
    let usage = usage.strip_prefix("Usage: ").unwrap_or(&usage);
    let _ = write!(out, "```text\n{usage}\n```\n");
    let subcommands: Vec<&Command> = command.get_subcommands().collect();
    if !subcommands.is_empty() {
        let _ = write!(out, "\n| command | does |\n|---|---|\n");
        for inner in subcommands {
            let about = inner
                .get_about()
                .map(ToString::to_string)
                .unwrap_or_default();
            let _ = writeln!(out, "| `{}` | {} |", inner.get_name(), cell(&about));
        }
    }
    let args: Vec<&Arg> = command
        .get_arguments()
        .filter(|arg| !arg.is_hide_set())
        .collect();
    if !args.is_empty() {
        let _ = write!(out, "\n| argument | meaning |\n|---|---|\n");
        for arg in args {
            let _ = writeln!(
                out,
                "| `{}` | {} |",
                cell(&spelled(arg)),
                cell(&meaning(arg))
            );
        }
    }
    if let Some(after) = command
        .get_after_long_help()
        .or_else(|| command.get_after_help())
    {
        let _ = write!(out, "\n{}\n", after.to_string().replace('\n', "  \n"));
    }
}

/// A pipe would end the table's cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// The argument as one types it.
fn spelled(arg: &Arg) -> String {
    let value = arg.get_value_names().map_or_else(
        || arg.get_id().to_string().to_uppercase(),
        |names| {
            names
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(" ")
        },
    );
    match (arg.get_long(), arg.get_short()) {
        (None, None) => format!("<{value}>"),
        (Some(long), _) if !arg.get_action().takes_values() => format!("--{long}"),
        (Some(long), _) => format!("--{long} <{value}>"),
        (None, Some(short)) => format!("-{short}"),
    }
}

fn meaning(arg: &Arg) -> String {
    let help = arg.get_long_help().or_else(|| arg.get_help());
    let mut text = help.map(ToString::to_string).unwrap_or_default();
    if !arg.get_action().takes_values() {
        return text;
    }
    if !text.ends_with('.') {
        text.push('.');
    }
    let values = arg.get_possible_values();
    if !values.is_empty() {
        let words: Vec<String> = values
            .iter()
            .filter(|value| !value.is_hide_set())
            .map(|value| match value.get_help() {
                Some(help) => format!("`{}` ({})", value.get_name(), lowered(&help.to_string())),
                None => format!("`{}`", value.get_name()),
            })
            .collect();
        let _ = write!(text, " One of {}.", words.join(", "));
    }
    let defaults: Vec<_> = arg
        .get_default_values()
        .iter()
        .map(|value| value.to_string_lossy())
        .collect();
    if !defaults.is_empty() {
        let _ = write!(text, " Default: `{}`.", defaults.join(","));
    }
    text
}

/// A sentence as the inside of a bracket.
fn lowered(sentence: &str) -> String {
    let sentence = sentence.trim_end_matches('.');
    let mut chars = sentence.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(chars).collect()
    })
}
