//! The one canonical JSON writer: same value, same bytes, on every machine.
//!
//! Compact; struct fields in declared order (field order is byte order of a wire type); map entries
//! sorted by the bytes of their key; integers, strings, booleans and null only. A float is an
//! error, since its text is not canonical and no figure here needs one. Nothing else of the
//! project writes JSON.

mod error;
mod escape;
mod ser;

pub use error::CanonError;

use serde::Serialize;

/// The canonical bytes of a value, without a line end.
///
/// # Errors
/// [`CanonError`] when the value holds what has no canonical form.
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, CanonError> {
    let mut out = Vec::new();
    append(&mut out, value)?;
    Ok(out)
}

/// Appends the canonical bytes and one `\n`: a row of a JSONL file.
///
/// # Errors
/// As for [`to_vec`]; `out` is left as it was.
pub fn append_line<T: Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) -> Result<(), CanonError> {
    append(out, value)?;
    out.push(b'\n');
    Ok(())
}

/// Appends the canonical bytes of a value.
///
/// # Errors
/// As for [`to_vec`]; `out` is left as it was.
pub fn append<T: Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) -> Result<(), CanonError> {
    let before = out.len();
    let written = value.serialize(ser::Writer::new(out));
    if written.is_err() {
        out.truncate(before);
    }
    written
}

#[cfg(test)]
mod tests;
