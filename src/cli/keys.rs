//! `deedcheck keys`: the keys of a sealed spec from pinned sources.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};

use super::sources::written_of;
use super::spec::{Step, next, open, write_private};
use super::{Exit, RunError};
use crate::oracle::KINDS;
use crate::private::{PublicFile, in_repository};
use crate::report::counted;
use crate::spec::{Computed, Facts, Git, Origin, Sources, SpecError, compute};

#[derive(Debug, Args)]
#[command(
    after_help = "No key is taken from an answer. A source that is missing, changed or drifted \
                        makes the keys that lean on it unknown, with the reason."
)]
pub(super) struct Keys {
    /// The sealed spec
    #[arg(long, value_name = "SPEC", value_hint = ValueHint::FilePath)]
    spec: PathBuf,
    /// The git repository that git sources are read from
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    repo: Option<PathBuf>,
    /// The folder that file sources lie under
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    files: Option<PathBuf>,
    /// A file of captured facts; once for each phase
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    facts: Vec<PathBuf>,
    /// Write the keys into this new file; private, so outside every work tree
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: PathBuf,
}

pub(super) fn run(args: &Keys, out: &mut dyn Write) -> Result<Exit, RunError> {
    let sealed = open(&args.spec, "--spec")?;
    let planned = PublicFile::plan_private(&args.out)?;
    let origins = || sealed.spec.sources.iter().map(|source| &source.origin);
    let missing = |field| RunError::Argument {
        field,
        kind: "not-given",
    };
    if args.repo.is_none() && origins().any(|origin| matches!(origin, Origin::Git { .. })) {
        return Err(missing("--repo"));
    }
    if args.files.is_none() && origins().any(|origin| matches!(origin, Origin::File { .. })) {
        return Err(missing("--files"));
    }
    if args.files.as_ref().is_some_and(|files| !files.is_dir()) {
        return Err(RunError::Argument {
            field: "--files",
            kind: "missing",
        });
    }
    let mut facts = Facts::default();
    for file in &args.facts {
        facts.add(&written_of(file, "--facts")?)?;
    }
    let git = args.repo.as_deref().map(repository).transpose()?;
    let sources = Sources::read(&sealed.spec, git.as_ref(), args.files.as_deref(), &facts)?;
    let made = compute(&sealed, &sources, KINDS)?;
    write_private(&planned, &made.bytes)?;
    said(&made, out)?;
    next(&sealed, Step::Keys, out)?;
    Ok(Exit::Done)
}

/// The repository at a path.
fn repository(repo: &Path) -> Result<Git, RunError> {
    let wrong = |kind| RunError::Argument {
        field: "--repo",
        kind,
    };
    if !repo.is_dir() {
        return Err(wrong("missing"));
    }
    let git = Git::at(repo);
    match git.has_commit(&"0".repeat(40)) {
        Err(SpecError::Git("failed")) if !in_repository(repo) => Err(wrong("no-repository")),
        Err(error) => Err(error.into()),
        Ok(_) => Ok(git),
    }
}

/// How many keys are known, and which are not. A check without a key has none to know.
fn said(made: &Computed, out: &mut dyn Write) -> Result<(), RunError> {
    let all = counted(made.known + made.unknown.len(), "key");
    writeln!(
        out,
        "{all}: {} known, {} unknown",
        made.known,
        made.unknown.len()
    )?;
    for (check, reason) in &made.unknown {
        writeln!(out, "unknown: {check} ({reason})")?;
    }
    if made.keyless > 0 {
        let asking = if made.keyless == 1 { "asks" } else { "ask" };
        let checks = counted(made.keyless, "check");
        writeln!(out, "{checks} {asking} without a key")?;
    }
    Ok(())
}
