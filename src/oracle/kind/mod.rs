//! The check kinds: one file, one page and one registry line each.

use serde_json::Value;

use super::check::{Check, ParamError, Reading};

/// What is known of a check kind without asking it.
pub struct KindInfo {
    /// Its name in a spec.
    pub id: &'static str,
    /// What it asks.
    pub question: &'static str,
    /// Every reason to fail.
    pub failing: &'static [&'static str],
    /// Every reason not to know.
    pub unknown: &'static [&'static str],
    /// Its named guards.
    pub guards: &'static [&'static str],
    /// The rules in it that can be read in several ways.
    pub readings: &'static [Reading],
    /// Its page.
    pub page: &'static str,
    /// Reads its parameters.
    pub parse: fn(&Value) -> Result<Box<dyn Check>, ParamError>,
}

/// Every kind, in the order of the documentation.
pub const KINDS: &[KindInfo] = &[];
