//! Turns the controls, which people write as TOML, into JSON: they are read in every grade, and that takes
//! a fraction of the time.

use std::error::Error;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// What is read at run time, below the folder of the package.
const FOLDER: &str = "calibration/controls";
/// Which controls turn which guard of a check kind.
const LISTED: &str = "calibration/oracle-guards.toml";

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    let mut said = std::io::stdout();
    for watched in ["build.rs", FOLDER, LISTED] {
        writeln!(said, "cargo::rerun-if-changed={watched}")?;
    }
    for family in fs::read_dir(root.join(FOLDER))? {
        let family = family?.path();
        for file in fs::read_dir(&family)? {
            let file = file?.path();
            if file.extension().is_some_and(|end| end == "toml") {
                let below = file.strip_prefix(root.join(FOLDER))?;
                convert(&file, &out.join("controls").join(below))?;
            }
        }
    }
    convert(&root.join(LISTED), &out.join("oracle-guards.toml"))
}

/// Writes a TOML file's content as JSON, beside `to` with the other ending.
fn convert(from: &Path, to: &Path) -> Result<(), Box<dyn Error>> {
    let named = |error: &dyn Error| format!("{}: {error}", from.display());
    let text = fs::read_to_string(from).map_err(|error| named(&error))?;
    let value: serde_json::Value = toml::from_str(&text).map_err(|error| named(&error))?;
    fs::create_dir_all(to.parent().unwrap_or(to))?;
    fs::write(to.with_extension("json"), serde_json::to_vec(&value)?)?;
    Ok(())
}
