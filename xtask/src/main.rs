//! Developer tasks for deedcheck: what is committed and made from the source.

mod controls;
mod ecosystem;
mod generate;
mod mutants;
mod reference;
mod rules;
mod toml;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};

const USAGE: &str = "usage: cargo run -p xtask -- generate | check | ecosystem | controls | mutants\n\
                     generate   write schemas/ and xtask/generated/ from the source\n\
                     check      say which of those files are not what the source makes\n\
                     ecosystem OLD NEW FOLDER [--rules LIST]\n           \
                     grade a folder with two binaries and say what changed, by rule\n\
                     controls [FOLDER…] | controls look FOLDER\n           \
                     choose controls of rules from the cases under tests/rules and other folders;\n           \
                     look says what the cases of a folder hang on\n\
                     mutants [--seed N] [--sample N] [--folder DIR] [--only WORD] [--jobs N] [--until STAGE] [--minutes N] [--again] [--rest] [--list]\n           \
                     build a sample of mutants of the rule modules into one program and say who notices each";

fn main() -> ExitCode {
    match run(std::env::args().skip(1).collect()) {
        Ok(said) => {
            println!("{said}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: Vec<String>) -> Result<String> {
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["generate"] => {
            let changed = generate::write(&root(), &generate::files()?)?;
            Ok(format!("{changed} files written or removed"))
        }
        ["check"] => {
            let files = generate::files()?;
            let stale = generate::stale(&root(), &files)?;
            if stale.is_empty() {
                return Ok(format!(
                    "{} generated files are as the source makes them",
                    files.len()
                ));
            }
            bail!(
                "out of date: {}\nrun `cargo run -p xtask -- generate` and commit what it writes",
                stale.join(", ")
            );
        }
        ["mutants", words @ ..] => {
            let options = mutants::Options::read(&root(), words)?;
            mutants::run(&root(), &options)
        }
        ["controls", "look", folder] => controls::look(Path::new(folder)),
        ["ecosystem", old, new, folder] => compare([old, new, folder], None),
        ["ecosystem", old, new, folder, "--rules", rules] => {
            compare([old, new, folder], Some(rules))
        }
        ["controls", folders @ ..] => {
            let folders: Vec<PathBuf> = folders.iter().map(PathBuf::from).collect();
            let made = controls::make(&root(), &folders)?;
            let changed = generate::write_files(&root(), &made.files)?;
            Ok(format!("{}{changed} files written", made.said))
        }
        _ => bail!(USAGE),
    }
}

fn compare(paths: [&str; 3], rules: Option<&str>) -> Result<String> {
    let [old, new, folder] = paths.map(Path::new);
    ecosystem::ecosystem(old, new, folder, rules)
}

/// The repository's own folder: xtask never works on another.
fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_path_buf()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_committed_is_what_the_source_makes() {
        let stale = generate::stale(&root(), &generate::files().unwrap()).unwrap();
        assert!(
            stale.is_empty(),
            "out of date: {}; run `cargo run -p xtask -- generate`",
            stale.join(", ")
        );
    }

    #[test]
    fn changed_missing_and_left_over_files_are_told() {
        let folder = std::env::temp_dir().join(format!("deedcheck-xtask-{}", std::process::id()));
        let files = vec![
            generate::Generated::new("schemas/a.json", "a\n"),
            generate::Generated::new("xtask/generated/b.md", "b\n"),
        ];
        assert_eq!(generate::write(&folder, &files).unwrap(), 2);
        assert!(generate::stale(&folder, &files).unwrap().is_empty());
        std::fs::write(folder.join("schemas/a.json"), "other\n").unwrap();
        std::fs::remove_file(folder.join("xtask/generated/b.md")).unwrap();
        std::fs::write(folder.join("xtask/generated/c.md"), "left over\n").unwrap();
        assert_eq!(
            generate::stale(&folder, &files).unwrap(),
            [
                "schemas/a.json (differs)",
                "xtask/generated/b.md (missing)",
                "xtask/generated/c.md (left over)"
            ]
        );
        assert_eq!(generate::write(&folder, &files).unwrap(), 3);
        assert!(generate::stale(&folder, &files).unwrap().is_empty());
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn an_unknown_task_is_refused() {
        assert!(run(vec!["generat".to_owned()]).is_err());
        assert!(run(Vec::new()).is_err());
    }
}
