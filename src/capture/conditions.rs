//! What an arm's client ran commands under, as the bindings tell it.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::spec::{At, FieldError, variable};

/// What commands of an arm ran under.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct Conditions {
    /// The words before a command, such as those of a sandbox.
    pub through: Vec<String>,
    /// Variables that were set.
    pub variables: BTreeMap<String, String>,
    /// Whether somebody looked that these are the arm's own. Where not, nothing that a command
    /// prints under them is held against an answer.
    pub verified: bool,
}

impl Conditions {
    /// Reads them.
    ///
    /// # Errors
    /// The first field that is missing, unknown, of the wrong shape or a secret.
    pub fn read(at: &At<'_>) -> Result<Self, FieldError> {
        let mut fields = at.table()?;
        let through = fields.need("through")?.list()?;
        let word = |at: &At<'_>| match at.text()? {
            text if text.is_empty() || text.contains('\0') => Err(at.fail("word")),
            text => Ok(text.to_owned()),
        };
        let mut variables = BTreeMap::new();
        for (name, at) in fields.need("variables")?.entries_of_any_key()? {
            let node = crate::spec::Node {
                line: at.node.line,
                item: crate::spec::Item::Text(name.clone()),
            };
            let path = at.path.clone();
            variable(&At { path, node: &node })?;
            match at.text()? {
                text if text.contains('\0') => return Err(at.fail("word")),
                text => variables.insert(name, text.to_owned()),
            };
        }
        let conditions = Self {
            through: through.iter().map(word).collect::<Result<_, _>>()?,
            variables,
            verified: fields.need("verified")?.flag()?,
        };
        fields.done()?;
        Ok(conditions)
    }
}
