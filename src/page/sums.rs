//! The aggregate that a page is held against, and what an expression comes to by it.

use std::collections::BTreeMap;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::alternative::Quantity;
use super::fault::Fault;
use crate::aggregate::{AGGREGATE_SCHEMA, cells, is_known};
use crate::grade::hex;
use crate::report::expr::{Expr, ExprError, Shown};

/// An aggregate file.
#[derive(Debug, Clone)]
pub struct Sums {
    cells: BTreeMap<String, u64>,
    /// Whether it is one of sessions, whose keys are a closed list.
    closed: bool,
    digest: String,
}

impl Sums {
    /// Reads an aggregate file; nothing where it is none.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let value: Value = serde_json::from_slice(bytes).ok()?;
        let schema = value.get("schema")?.as_str()?;
        if !schema.starts_with("deedcheck/") || !schema.contains("aggregate") {
            return None;
        }
        // A count that is none has no cell, and would be taken for 0.
        let counts = value.get("cells").and_then(Value::as_object);
        if counts.is_some_and(|counts| !counts.values().all(Value::is_u64)) {
            return None;
        }
        Some(Self {
            cells: cells(&value),
            closed: schema == AGGREGATE_SCHEMA,
            digest: hex(&Sha256::digest(bytes)),
        })
    }

    /// Whether a page names this very file: `sha256:` and its digest.
    pub(super) fn is_named_by(&self, text: &str) -> bool {
        text.trim()
            .strip_prefix("sha256:")
            .is_some_and(|hex| hex.eq_ignore_ascii_case(&self.digest))
    }

    fn cell(&self, key: &str) -> Option<u64> {
        let own = self.cells.get(key).copied();
        own.or_else(|| (self.closed && is_known(key)).then_some(0))
    }

    /// What a number comes to.
    pub(super) fn value(&self, text: &str) -> Result<Shown, Fault> {
        let value = Expr::parse(text).and_then(|expr| expr.value(&|key| self.cell(key)));
        value.map_err(|error| fault(&error))
    }

    /// What a number comes to, as exactly as it is known; nothing where it comes to none.
    pub(super) fn quantity(&self, text: &str) -> Option<Quantity> {
        let expr = Expr::parse(text).ok()?;
        Some(Quantity {
            shown: expr.value(&|key| self.cell(key)).ok()?,
            parts: expr.parts(&|key| self.cell(key)).ok()?,
        })
    }

    /// What a shape measures, in hundredths of a per cent.
    pub(super) fn hundredths(&self, text: &str) -> Result<u64, Fault> {
        let value = Expr::parse(text).and_then(|expr| expr.hundredths(&|key| self.cell(key)));
        value.map_err(|error| fault(&error))
    }
}

fn fault(error: &ExprError) -> Fault {
    match error {
        ExprError::Malformed => Fault::BadExpression,
        ExprError::UnknownKey(_) => Fault::UnknownKey,
    }
}
