//! `deedcheck capture`: declared commands, run on the operator's word.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueHint};

use super::bind::beside;
use super::sources::text_of;
use super::spec::open;
use super::{Exit, RunError, Surroundings};
use crate::capture::{Arm, Kept, Request, Taken, plan, take};
use crate::frozen::{self, Bindings};
use crate::private::PrivateDir;
use crate::report::counted;
use crate::spec::{CaptureSpec, Captured, PHASES};

#[derive(Debug, Args)]
#[command(
    after_help = "Runs the commands that the spec declares: look at them with --list first. Each runs in a copy, \
                  without a shell, with listed variables only, and is ended with all that it started as \
                  its time is over. It runs as you do, and can read what you can read."
)]
pub(super) struct Capture {
    /// The sealed spec
    #[arg(long, value_name = "SPEC", value_hint = ValueHint::FilePath)]
    spec: PathBuf,
    /// What the runs were launched with, as `deedcheck bind` wrote it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    bindings: PathBuf,
    /// The phase to capture
    #[arg(long, value_name = "PHASE", value_parser = PossibleValuesParser::new(PHASES))]
    phase: String,
    /// The arm whose tree is looked at
    #[arg(long, value_name = "ARM")]
    arm: Option<String>,
    /// The captures before the arm, needed after it
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    after: Option<PathBuf>,
    /// Print what would run, and run nothing
    #[arg(long, conflicts_with = "out_private")]
    list: bool,
    /// Write the captures into this new directory; private, so outside every work tree
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, required_unless_present = "list")]
    out_private: Option<PathBuf>,
}

pub(super) fn run(
    args: &Capture,
    around: &Surroundings,
    out: &mut dyn Write,
) -> Result<Exit, RunError> {
    let sealed = open(&args.spec, "--spec")?;
    let bindings = frozen::read_bindings(&text_of(&args.bindings, "--bindings")?, &sealed)?;
    let arm = args.arm.as_deref();
    let arm = arm.map(|arm| bound(arm, &bindings, beside(&args.bindings)));
    let before = args.after.as_deref().map(Kept::open).transpose()?;
    let temporary = around.temporary.as_deref();
    let request = Request {
        spec: &sealed,
        run: &bindings.run,
        phase: &args.phase,
        arm: arm.transpose()?,
        before: before.as_ref(),
        variables: &around.variables,
        temporary: temporary.unwrap_or(Path::new("/tmp")),
    };
    let steps = plan(&request)?;
    match &args.out_private {
        None => {
            for (capture, condition) in steps {
                writeln!(out, "{}", listed(capture, condition))?;
            }
        }
        Some(private) => {
            let planned = PrivateDir::plan(private)?;
            let taken = take(&request, PrivateDir::create(&planned)?)?;
            writeln!(out, "{}", said(&taken))?;
        }
    }
    out.flush()?;
    Ok(Exit::Done)
}

fn bound(name: &str, bindings: &Bindings, beside: &Path) -> Result<Arm, RunError> {
    let arm = bindings.arms.get(name).ok_or(RunError::Argument {
        field: "--arm",
        kind: "unknown-arm",
    })?;
    Ok(Arm {
        id: name.to_owned(),
        named: arm.tree.clone(),
        tree: beside.join(&arm.tree),
        base: arm.base.clone(),
        conditions: arm.conditions.clone(),
    })
}

/// One line on what would be captured. Words of a command are quoted, so that none can pass for two.
fn listed(capture: &CaptureSpec, condition: Option<&str>) -> String {
    let id = &capture.id;
    match &capture.what {
        Captured::Command(command) => {
            let words: Vec<String> = command.argv.iter().map(|word| quoted(word)).collect();
            let mut line = format!(
                "{id}  {}  in {}  {} s  {} bytes  {}",
                condition.unwrap_or("plain"),
                command.place,
                command.seconds,
                command.bytes,
                words.join(" ")
            );
            if !command.variables.is_empty() {
                line.push_str(&format!("  with {}", command.variables.join(", ")));
            }
            line
        }
        Captured::Processes => format!("{id}  processes"),
        Captured::Tree { keep } => format!("{id}  tree  {} kept", counted(keep.len(), "file")),
    }
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,%@+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        serde_json::Value::from(word).to_string()
    }
}

fn said(taken: &Taken) -> String {
    let discarded = taken.discarded.len();
    let mut line = format!(
        "{}, {discarded} of them discarded, {} ended as their time was over, {} not started; {}",
        counted(taken.commands, "command"),
        taken.timed_out,
        taken.not_started,
        counted(taken.facts, "fact")
    );
    if discarded > 0 {
        let named = taken.discarded.join(", ");
        line.push_str(&format!("\ndiscarded, as the tree changed: {named}"));
    }
    line
}
