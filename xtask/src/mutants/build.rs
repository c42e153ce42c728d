//! A copy of the source with the mutants built in, and what was built from it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

use super::find::Mutant;
use super::rewrite::{Numbered, SWITCH, rewritten, touched};

/// What the copy leaves behind.
const LEFT: [&str; 2] = ["target", ".git"];
/// How often what does not compile may be taken out.
const ROUNDS: usize = 12;

/// The copy, and the mutants that are built into it by number.
pub(crate) struct Copy {
    /// Its folder.
    pub(crate) folder: PathBuf,
    /// What does not compile, by its place among the candidates.
    pub(crate) dropped: BTreeSet<usize>,
}

/// Programs that were built from the copy.
pub(crate) struct Built {
    /// `deedcheck` itself.
    pub(crate) program: PathBuf,
    /// The unit tests.
    pub(crate) unit: PathBuf,
    /// The integration tests.
    pub(crate) it: PathBuf,
}

/// Copies the repository, changes nothing but what mutants need, and takes out whatever does not
/// compile until the rest does. Candidates are numbered from 1 in their own order. What an earlier
/// copy found out is not found out again, and what is as it was keeps its time and is not built.
///
/// # Errors
/// A file that cannot be read or written, or a copy that does not compile for another reason.
pub(crate) fn copy(root: &Path, folder: &Path, candidates: &[Mutant]) -> Result<Copy> {
    let kept = folder.join("does-not-compile");
    let known = std::fs::read_to_string(&kept).unwrap_or_default();
    let known: BTreeSet<&str> = known.lines().collect();
    let is_known = |at: &usize| known.contains(candidates[*at].key().as_str());
    let mut made = Copy {
        folder: folder.join("source"),
        dropped: (0..candidates.len()).filter(is_known).collect(),
    };
    for _ in 0..ROUNDS {
        write(root, &made, candidates)?;
        let errors = self::errors(folder, &made.folder)?;
        if errors.is_empty() {
            return Ok(made);
        }
        let before = made.dropped.len();
        blame(&mut made, &errors, candidates)?;
        eprintln!("mutants: {} do not compile", made.dropped.len());
        if made.dropped.len() == before {
            bail!("the copy does not compile: {:?}", errors.first());
        }
        let keys: Vec<String> = made
            .dropped
            .iter()
            .map(|at| candidates[*at].key())
            .collect();
        std::fs::write(&kept, keys.join("\n"))?;
    }
    bail!("the copy does not compile after {ROUNDS} rounds");
}

/// Every file of the repository, changed as mutants need it.
fn write(root: &Path, copy: &Copy, candidates: &[Mutant]) -> Result<()> {
    let mut mutants: BTreeMap<&str, Vec<Numbered<'_>>> = BTreeMap::new();
    let kept = candidates
        .iter()
        .enumerate()
        .filter(|(at, _)| !copy.dropped.contains(at));
    for (at, mutant) in kept {
        mutants
            .entry(&mutant.file)
            .or_default()
            .push((at + 1, mutant));
    }
    let mut written = BTreeSet::from(["src/mutant.rs".to_owned()]);
    put(&copy.folder.join("src/mutant.rs"), SWITCH.as_bytes())?;
    for path in files(root)? {
        let below = path.strip_prefix(root).unwrap_or(&path);
        let name = below.to_string_lossy().replace('\\', "/");
        let mut bytes = std::fs::read(&path).with_context(|| name.clone())?;
        if name.ends_with(".rs") || name == "Cargo.toml" {
            let mut text = String::from_utf8(bytes)?;
            if let Some(mutants) = mutants.get(name.as_str()) {
                text = rewritten(&text, mutants);
            }
            bytes = prepared(&name, &text).into_bytes();
        }
        put(&copy.folder.join(&name), &bytes)?;
        written.insert(name);
    }
    for path in files(&copy.folder)? {
        let below = path.strip_prefix(&copy.folder).unwrap_or(&path);
        if !written.contains(&below.to_string_lossy().replace('\\', "/")) {
            std::fs::remove_file(path)?;
        }
    }
    Ok(())
}

fn put(path: &Path, bytes: &[u8]) -> Result<()> {
    if std::fs::read(path).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    std::fs::create_dir_all(path.parent().unwrap_or(path))?;
    std::fs::write(path, bytes).with_context(|| path.display().to_string())
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            if !LEFT.iter().any(|left| entry.file_name() == *left) {
                found.extend(files(&entry.path())?);
            }
        } else {
            found.push(entry.path());
        }
    }
    Ok(found)
}

/// The switch's module, no lints (the rewritten text is not pretty), and tests that start the
/// program in an empty environment let the switch through.
fn prepared(name: &str, text: &str) -> String {
    let kept = ".env_clear().envs(std::env::vars_os().filter(|(name, _)| \
                name.to_string_lossy().starts_with(\"MUTANT\")))";
    match name {
        "src/lib.rs" => format!("{text}\npub mod mutant;\n"),
        "Cargo.toml" => text.replacen("[lints]\nworkspace = true\n", "", 1),
        _ if name.starts_with("tests/it/") => text.replace(".env_clear()", kept),
        _ => text.to_owned(),
    }
}

#[derive(Debug, Deserialize)]
struct Message {
    message: Option<Diagnostic>,
    executable: Option<PathBuf>,
    target: Option<Target>,
}

#[derive(Debug, Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
}

/// What the compiler says.
#[derive(Debug, Deserialize)]
struct Diagnostic {
    level: String,
    message: String,
    spans: Vec<Span>,
    #[serde(default)]
    children: Vec<Diagnostic>,
}

#[derive(Debug, Deserialize)]
struct Span {
    file_name: String,
    byte_start: usize,
    byte_end: usize,
}

fn cargo(folder: &Path, source: &Path, arguments: &[&str]) -> Result<Vec<Message>> {
    let output = Command::new("cargo")
        .args(arguments)
        .args(["--locked", "--message-format=json"])
        .current_dir(source)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .context("cargo cannot be run")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let lines = text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    Ok(lines.collect())
}

/// What the compiler refuses. This builds rather than checks, as the last round is then not for
/// nothing.
fn errors(folder: &Path, source: &Path) -> Result<Vec<Diagnostic>> {
    let messages = cargo(folder, source, &["test", "--no-run", "--test", "it"])?;
    let said = messages.into_iter().filter_map(|message| message.message);
    Ok(said.filter(|said| said.level == "error").collect())
}

/// Lays each error at the door of the mutants that it speaks of.
fn blame(copy: &mut Copy, errors: &[Diagnostic], candidates: &[Mutant]) -> Result<()> {
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    for error in errors {
        let first = error
            .spans
            .iter()
            .chain(error.children.iter().flat_map(|child| &child.spans));
        let mut found = Vec::new();
        for span in first {
            if !texts.contains_key(&span.file_name) {
                let path = copy.folder.join(&span.file_name);
                let text = std::fs::read_to_string(path).unwrap_or_default();
                texts.insert(span.file_name.clone(), text);
            }
            let text = &texts[&span.file_name];
            found.extend(touched(
                text,
                &(span.byte_start..span.byte_end),
                candidates.len(),
            ));
        }
        if found.is_empty() {
            eprintln!("mutants: nobody's error: {}", error.message);
        }
        copy.dropped.extend(found.iter().map(|number| number - 1));
    }
    Ok(())
}

/// Builds the program and its tests.
///
/// # Errors
/// A build that fails.
pub(crate) fn build(folder: &Path, source: &Path) -> Result<Built> {
    let arguments = ["test", "--no-run", "--lib", "--bins", "--test", "it"];
    let messages = cargo(folder, source, &arguments)?;
    let find = |kind: &str, name: &str, tested: bool| {
        let fits = |message: &&Message| {
            message.target.as_ref().is_some_and(|target| {
                target.name == name && target.kind.iter().any(|own| own == kind)
            }) && message.executable.as_ref().is_some_and(|path| {
                path.parent().is_some_and(|folder| folder.ends_with("deps")) == tested
            })
        };
        let found = messages
            .iter()
            .find(fits)
            .and_then(|message| message.executable.clone());
        found.with_context(|| format!("nothing was built for {kind} {name}"))
    };
    Ok(Built {
        program: find("bin", "deedcheck", false)?,
        unit: find("lib", "deedcheck", true)?,
        it: find("test", "it", true)?,
    })
}
