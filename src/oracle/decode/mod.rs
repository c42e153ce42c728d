//! Strict decoding of payloads, and how they differ from a key.

mod csv;
mod datum;
mod json;
mod toon;

pub use toon::TOON;

pub(crate) use datum::{Datum, Difference, compare};

/// The formats that are decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Json,
    Toon,
    Csv,
}

impl Format {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Toon => "toon",
            Self::Csv => "csv",
        }
    }
}

/// Decodes a text of a known format.
pub(crate) fn decode(text: &str, format: Format) -> Option<Datum> {
    match format {
        Format::Json => json::decode(text),
        Format::Toon => toon::decode(text),
        Format::Csv => csv::decode(text),
    }
}

#[cfg(test)]
mod tests;
