//! Pages of a run: made, and searched for anything private before they are shown.

use serde_json::Value;

use super::RunError;
use super::args::Format;
use crate::private::Canary;
use crate::report::{PageView, Picked, html, markdown};
use crate::spec::sha256;

/// A page over an aggregate's bytes and the rows that were picked.
///
/// # Errors
/// `E_PRIVACY`, naming `output`, where anything private stands in it.
pub(super) fn page(
    format: Format,
    aggregate: &[u8],
    picked: &Picked,
    canary: &Canary,
    output: &'static str,
) -> Result<Vec<u8>, RunError> {
    let value: Value = serde_json::from_slice(aggregate).map_err(|_| RunError::Output {
        kind: std::io::ErrorKind::InvalidData,
    })?;
    // Where small cells are withheld, a list of rows would tell them.
    let withheld = value.get("suppressed").and_then(Value::as_u64);
    let none = Picked::default();
    let view = PageView {
        aggregate: &value,
        digest: &sha256(aggregate),
        picked: if withheld.unwrap_or(0) > 0 {
            &none
        } else {
            picked
        },
        private: &|text| canary.look(text).refused().map(|(kind, _)| kind),
    };
    let text = if format == Format::Markdown {
        markdown(&view)
    } else {
        html(&view)
    };
    vouched(text.into_bytes(), canary, output)
}

/// The rows to list of a `grades.jsonl`. A line that is no row counts as one, so that the others
/// keep their numbers.
pub(super) fn picked(rows: &[u8]) -> Picked {
    let mut picked = Picked::default();
    for line in rows
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
    {
        picked.row(&serde_json::from_slice(line).unwrap_or(Value::Null));
    }
    picked
}

/// Bytes that may be published.
///
/// # Errors
/// `E_PRIVACY`, naming `output`, where anything private stands in them.
pub(super) fn vouched(
    bytes: Vec<u8>,
    canary: &Canary,
    output: &'static str,
) -> Result<Vec<u8>, RunError> {
    vouch(&bytes, canary, output)?;
    Ok(bytes)
}

/// Searches bytes that are about to be published.
///
/// # Errors
/// `E_PRIVACY`, naming `output`, where anything private stands in them.
pub(super) fn vouch(bytes: &[u8], canary: &Canary, output: &'static str) -> Result<(), RunError> {
    match canary.look(bytes).refused() {
        Some((kind, at)) => Err(RunError::Privacy { output, kind, at }),
        None => Ok(()),
    }
}
