//! `deedcheck bind`: what the runs of an experiment were launched with.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};

use super::sources::written_of;
use super::spec::{Step, next, open, write_private};
use super::{Exit, RunError};
use crate::canon;
use crate::frozen;
use crate::private::PublicFile;
use crate::report::counted;
use crate::spec::Git;

#[derive(Debug, Args)]
#[command(
    after_help = "Every retained input is read and held against its digest, and each base is looked \
                        up in the git repository of its tree. Relative paths are relative to the folder of --out."
)]
pub(super) struct Bind {
    /// The sealed spec
    #[arg(long, value_name = "SPEC", value_hint = ValueHint::FilePath)]
    spec: PathBuf,
    /// The launch file, TOML or JSON: arms, trees, bases, inputs, windows, roots, sentinels
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    launch: PathBuf,
    /// Write the bindings into this new file; private, so outside every work tree
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: PathBuf,
}

pub(super) fn run(args: &Bind, out: &mut dyn Write) -> Result<Exit, RunError> {
    let sealed = open(&args.spec, "--spec")?;
    let planned = PublicFile::plan_private(&args.out)?;
    let text = written_of(&args.launch, "--launch")?;
    let has = |tree: &Path, base: &str| Git::at(tree).has_commit(base).ok();
    let (bindings, unseen) = frozen::bind(&text, &sealed, beside(&args.out), &has)?;
    write_private(&planned, &line(&bindings)?)?;
    writeln!(
        out,
        "{}, {}, {}",
        counted(bindings.arms.len(), "arm"),
        counted(bindings.roots.len(), "root"),
        counted(bindings.windows.len(), "window")
    )?;
    if !unseen.is_empty() {
        let (arms, all) = (unseen.join(", "), counted(unseen.len(), "base"));
        writeln!(
            out,
            "{all} not looked up, since no git repository holds the tree: {arms}"
        )?;
    }
    next(&sealed, Step::Bind, out)?;
    Ok(Exit::Done)
}

/// The folder that a file lies in.
pub(super) fn beside(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// One canonical line.
pub(super) fn line<T: serde::Serialize>(value: &T) -> Result<Vec<u8>, RunError> {
    let mut bytes = Vec::new();
    canon::append_line(&mut bytes, value).map_err(|_| RunError::Output {
        kind: std::io::ErrorKind::InvalidData,
    })?;
    Ok(bytes)
}
