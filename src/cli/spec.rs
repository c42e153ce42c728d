//! `deedcheck spec`: a spec of frozen checks sealed, and a sealed one looked at.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueHint};

use super::sources::{text_of, written_of};
use super::{Exit, RunError};
use crate::oracle::KINDS;
use crate::private::{Planned, PublicFile};
use crate::report::counted;
use crate::spec::{self, Git, Origin, Sealed, SpecError, Wanted, is_hex, is_relative};

#[derive(Debug, Args)]
#[command(
    after_help = "The way: spec freeze, keys, bind, identity, grade --spec. `deedcheck explain spec` \
                  shows each step with an example; each command has a --help of its own."
)]
pub(super) struct Spec {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Check a spec and seal it
    Freeze(Freeze),
    /// Make a sealed spec anew and compare the bytes
    Check(Check),
}

#[derive(Debug, Args)]
#[command(
    after_help = "A refusal names the dotted field, and in TOML the line: \
                        E_SPEC field=tasks.2.checks.0.params.labels line=41 kind=missing"
)]
struct Freeze {
    /// The spec that a person wrote, TOML or JSON
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: PathBuf,
    /// Write the sealed spec into this new file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: PathBuf,
}

#[derive(Debug, Args)]
#[command(
    after_help = "With --repo, --commit and --readme, the newest table under a heading that ends \
                        in the word `seal` must list the file's name with its SHA-256."
)]
struct Check {
    /// The sealed spec
    #[arg(value_name = "SPEC", value_hint = ValueHint::FilePath)]
    file: PathBuf,
    /// The spec that it was sealed from, to be sealed again and compared
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    from: Option<PathBuf>,
    /// A git repository whose README vouches for the seal
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, requires_all = ["commit", "readme"])]
    repo: Option<PathBuf>,
    /// The commit to read the README at: 40 hexadecimal digits
    #[arg(long, value_name = "HEX", requires = "repo")]
    commit: Option<String>,
    /// The README's path in the repository
    #[arg(long, value_name = "PATH", requires = "repo")]
    readme: Option<String>,
}

pub(super) fn run(args: &Spec, out: &mut dyn Write) -> Result<Exit, RunError> {
    match &args.command {
        Command::Freeze(args) => freeze(args, out),
        Command::Check(args) => check(args, out),
    }
}

fn freeze(args: &Freeze, out: &mut dyn Write) -> Result<Exit, RunError> {
    let text = written_of(&args.file, "<FILE>")?;
    let sealed = spec::freeze(&text, KINDS)?;
    let planned = PublicFile::plan(&args.out)?;
    write_public(&planned, &sealed.bytes)?;
    said(&sealed, "sealed", out)?;
    next(&sealed, Step::Freeze, out)?;
    Ok(Exit::Done)
}

fn check(args: &Check, out: &mut dyn Write) -> Result<Exit, RunError> {
    let sealed = open(&args.file, "<SPEC>")?;
    if let Some(from) = &args.from {
        spec::compare(&sealed, &written_of(from, "--from")?, KINDS)?;
    }
    if let (Some(repo), Some(commit), Some(readme)) = (&args.repo, &args.commit, &args.readme) {
        vouched(&sealed, &args.file, repo, commit, readme)?;
    }
    said(&sealed, "holds", out)?;
    out.flush()?;
    Ok(Exit::Done)
}

/// A sealed spec from its file: before anything else of a run is looked at.
///
/// # Errors
/// A file that cannot be read, or whose seal does not hold.
pub(super) fn open(file: &Path, field: &'static str) -> Result<Sealed, RunError> {
    let inside = file.join("spec.json");
    let text = text_of(if file.is_dir() { &inside } else { file }, field)?;
    Ok(spec::open(text.as_bytes(), KINDS)?)
}

/// Looks the spec up in the seals of a README.
fn vouched(
    sealed: &Sealed,
    file: &Path,
    repo: &Path,
    commit: &str,
    readme: &str,
) -> Result<(), RunError> {
    let wrong = |field, kind| RunError::Argument { field, kind };
    if !is_hex(commit, 40) {
        return Err(wrong("--commit", "not-40-hex"));
    }
    if !is_relative(readme) {
        return Err(wrong("--readme", "not-relative"));
    }
    let name = file.file_name().and_then(|name| name.to_str());
    let name = name.ok_or(wrong("<SPEC>", "not-utf-8"))?;
    let wanted = Wanted {
        commit: commit.to_owned(),
        path: readme.to_owned(),
    };
    let found = Git::at(repo).files(&[wanted])?.pop().flatten();
    let bytes = found.ok_or(SpecError::Prereg("missing"))?;
    let text = String::from_utf8(bytes).map_err(|_| SpecError::Prereg("missing"))?;
    if spec::lookup(&text, name)? == spec::sha256(&sealed.bytes) {
        Ok(())
    } else {
        Err(SpecError::Prereg("seal-mismatch").into())
    }
}

fn said(sealed: &Sealed, what: &str, out: &mut dyn Write) -> Result<(), RunError> {
    let spec = &sealed.spec;
    writeln!(
        out,
        "{what}: {}, {}, {}, {} to be read otherwise\nseal {}\nfile {}",
        counted(spec.tasks.len(), "task"),
        counted(spec.checks().count(), "check"),
        counted(spec.gates.len(), "gate"),
        counted(sealed.alternatives.len(), "way"),
        sealed.seal,
        spec::sha256(&sealed.bytes),
    )?;
    if spec.gates.is_empty() {
        writeln!(
            out,
            "no gate: grading ends with 0, whatever a check comes to"
        )?;
    }
    Ok(())
}

/// A step on the way from a spec to its grade.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Freeze,
    Keys,
    Bind,
    Identity,
}

/// Says which command comes next for a spec.
pub(super) fn next(sealed: &Sealed, done: Step, out: &mut dyn Write) -> Result<(), RunError> {
    let keyed = sealed.spec.checks().any(|(_, check)| check.key.is_some());
    let sources = sealed.spec.sources.iter().map(|source| &source.origin);
    let needs = |git: bool| {
        let mut sources = sources.clone();
        sources.any(|origin| match origin {
            Origin::Git { .. } => git,
            Origin::File { .. } => !git,
            _ => false,
        })
    };
    let mut command = match (sealed.spec.tasks.is_empty(), done) {
        (_, Step::Freeze) if keyed || !sealed.spec.tasks.is_empty() => "keys --spec SPEC",
        (true, Step::Keys) => "grade --spec SPEC --keys KEYS PATH…",
        (true, _) => "grade --spec SPEC PATH…",
        (false, Step::Freeze | Step::Keys) => "bind --spec SPEC --launch LAUNCH --out BINDINGS",
        (false, Step::Bind) => {
            "identity --spec SPEC --bindings BINDINGS --launch-records RECORDS --out TABLE"
        }
        (false, Step::Identity) => {
            "grade --spec SPEC --bindings BINDINGS --identity TABLE --keys KEYS --out-private DIR --out SUMS"
        }
    }
    .to_owned();
    if command.starts_with("keys") {
        command.push_str(if needs(true) { " --repo REPO" } else { "" });
        command.push_str(if needs(false) { " --files DIR" } else { "" });
        command.push_str(" --out KEYS");
    }
    writeln!(out, "next: deedcheck {command}")?;
    Ok(out.flush()?)
}

/// Writes a new file that anyone may read.
pub(super) fn write_public(planned: &Planned, bytes: &[u8]) -> Result<(), RunError> {
    let mut file = PublicFile::create(planned)?;
    // A failure is kept inside the file, and `publish` names it.
    let _ = file.write_all(bytes);
    Ok(file.publish()?)
}

/// Writes a new private file.
pub(super) fn write_private(planned: &Planned, bytes: &[u8]) -> Result<(), RunError> {
    let mut file = PublicFile::create_private(planned)?;
    let _ = file.write_all(bytes);
    Ok(file.publish()?)
}
