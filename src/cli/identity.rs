//! `deedcheck identity`: which transcript is whose answer.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::bind::{beside, line};
use super::sources::{text_of, written_of};
use super::spec::{Step, next, open, write_private};
use super::{Exit, RunError};
use crate::frozen::{self, DriverLedger};
use crate::private::PublicFile;
use crate::report::counted;

#[derive(Debug, Args)]
#[command(
    override_usage = "deedcheck identity --spec <SPEC> --bindings <FILE>\n       \
                      --launch-records <FILE> [--driver-ledger <FILE>] --out <FILE>",
    after_help = "A transcript is never guessed: one that is missing, that cannot be told from \
                        another, or that two records claim is refused."
)]
pub(super) struct Identity {
    /// The sealed spec
    #[arg(long, value_name = "SPEC", value_hint = ValueHint::FilePath)]
    spec: PathBuf,
    /// The bindings
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    bindings: PathBuf,
    /// What was launched, one JSON object a line
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    launch_records: PathBuf,
    /// What the driver recorded of the runs that it started: one JSON object a line, in the order of its
    /// writing
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    driver_ledger: Option<PathBuf>,
    /// Write the identity table into this new file; private, so outside every work tree
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: PathBuf,
}

pub(super) fn run(args: &Identity, out: &mut dyn Write) -> Result<Exit, RunError> {
    let sealed = open(&args.spec, "--spec")?;
    let planned = PublicFile::plan_private(&args.out)?;
    let bindings = frozen::read_bindings(&text_of(&args.bindings, "--bindings")?, &sealed)?;
    let records = written_of(&args.launch_records, "--launch-records")?;
    let drivers = match &args.driver_ledger {
        Some(path) => DriverLedger::read(&text_of(path, "--driver-ledger")?, &sealed, &bindings)?,
        None => DriverLedger::default(),
    };
    let folder = beside(&args.bindings);
    let table = frozen::identify(&records, &sealed, &bindings, folder, &drivers)?;
    write_private(&planned, &line(&table)?)?;
    let mut actors: BTreeMap<&str, usize> = BTreeMap::new();
    for row in &table.rows {
        *actors.entry(row.actor).or_insert(0) += 1;
    }
    let counts: Vec<String> = actors
        .iter()
        .map(|(actor, count)| format!("{count} {actor}"))
        .collect();
    let attempts = counted(table.rows.len(), "attempt");
    let actors = match counts.is_empty() {
        true => "the launch records name none".to_owned(),
        false => counts.join(", "),
    };
    writeln!(out, "{attempts}: {actors}")?;
    if drivers.count() > 0 {
        let known = counted(drivers.count(), "attempt");
        let rest = table.unlaunched(&sealed, &drivers);
        writeln!(
            out,
            "driver ledger: {known}, {rest} of them without a launch record"
        )?;
    }
    next(&sealed, Step::Identity, out)?;
    Ok(Exit::Done)
}
