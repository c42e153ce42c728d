//! The generated files: making, comparing, writing.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap_complete::Shell;

use crate::{reference, rules};

/// Folders that hold generated files and nothing else.
const FOLDERS: [&str; 2] = ["schemas", "xtask/generated"];

/// One generated file.
pub(crate) struct Generated {
    /// Its path below the repository's folder, with `/`.
    path: String,
    text: Vec<u8>,
}

impl Generated {
    pub(crate) fn new(path: impl Into<String>, text: impl Into<Vec<u8>>) -> Self {
        Self {
            path: path.into(),
            text: text.into(),
        }
    }
}

/// Everything that is made from the source.
pub(crate) fn files() -> Result<Vec<Generated>> {
    let mut files = Vec::new();
    for document in deedcheck::cli::documents() {
        let mut text = serde_json::to_string_pretty(&document.schema)?;
        text.push('\n');
        files.push(Generated::new(format!("schemas/{}", document.file), text));
    }
    files.push(generated(
        "cli.md",
        reference::page(deedcheck::cli::command()),
    ));
    files.push(generated("rules.md", rules::page()));
    for (shell, name) in [
        (Shell::Bash, "deedcheck.bash"),
        (Shell::Fish, "deedcheck.fish"),
        (Shell::PowerShell, "_deedcheck.ps1"),
        (Shell::Zsh, "_deedcheck"),
    ] {
        let mut text = Vec::new();
        let mut command = deedcheck::cli::command();
        clap_complete::generate(shell, &mut command, "deedcheck", &mut text);
        files.push(generated(&format!("completions/{name}"), text));
    }
    let mut command = deedcheck::cli::command();
    command.build();
    manuals(&command, "deedcheck", &mut files)?;
    Ok(files)
}

fn generated(name: &str, text: impl Into<Vec<u8>>) -> Generated {
    Generated::new(format!("xtask/generated/{name}"), text)
}

/// A manual page for a command and each of its subcommands, named as `git-commit.1` is.
fn manuals(command: &clap::Command, name: &str, files: &mut Vec<Generated>) -> Result<()> {
    let mut text = Vec::new();
    clap_mangen::Man::new(command.clone())
        .title(name)
        .render(&mut text)?;
    files.push(generated(&format!("man/{name}.1"), text));
    for inner in command.get_subcommands() {
        manuals(inner, &format!("{name}-{}", inner.get_name()), files)?;
    }
    Ok(())
}

/// Files that are not as the source makes them, each with what is wrong, sorted by path.
pub(crate) fn stale(root: &Path, files: &[Generated]) -> Result<Vec<String>> {
    let mut stale = Vec::new();
    for file in files {
        match std::fs::read(root.join(&file.path)) {
            Ok(text) if unix(&text) == file.text => {}
            Ok(_) => stale.push(format!("{} (differs)", file.path)),
            Err(_) => stale.push(format!("{} (missing)", file.path)),
        }
    }
    for path in left_over(root, files)? {
        stale.push(format!("{path} (left over)"));
    }
    stale.sort();
    Ok(stale)
}

/// A checkout on Windows may have turned line ends.
fn unix(text: &[u8]) -> Vec<u8> {
    let mut out = text.to_vec();
    out.retain(|byte| *byte != b'\r');
    out
}

/// Writes what is not up to date and removes what nothing makes any more; says how many files that
/// were.
pub(crate) fn write(root: &Path, files: &[Generated]) -> Result<usize> {
    let mut removed = 0;
    for path in left_over(root, files)? {
        std::fs::remove_file(root.join(&path)).with_context(|| path.clone())?;
        removed += 1;
    }
    Ok(removed + write_files(root, files)?)
}

/// Writes what is not up to date; says how many files that were.
pub(crate) fn write_files(root: &Path, files: &[Generated]) -> Result<usize> {
    let mut changed = 0;
    for file in files {
        let path = root.join(&file.path);
        if std::fs::read(&path).is_ok_and(|text| unix(&text) == file.text) {
            continue;
        }
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).with_context(|| file.path.clone())?;
        }
        std::fs::write(&path, &file.text).with_context(|| file.path.clone())?;
        changed += 1;
    }
    Ok(changed)
}

fn left_over(root: &Path, files: &[Generated]) -> Result<Vec<String>> {
    let made: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let mut found = Vec::new();
    for folder in FOLDERS {
        walk(root, PathBuf::from(folder), &mut found)?;
    }
    found.retain(|path| !made.contains(path.as_str()));
    Ok(found)
}

fn walk(root: &Path, folder: PathBuf, found: &mut Vec<String>) -> Result<()> {
    let Ok(entries) = std::fs::read_dir(root.join(&folder)) else {
        return Ok(());
    };
    for entry in entries {
        let entry = entry?;
        let path = folder.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            walk(root, path, found)?;
        } else {
            found.push(path.to_string_lossy().replace('\\', "/"));
        }
    }
    Ok(())
}
