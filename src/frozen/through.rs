//! How an answer came to whoever asked for it, where more than its transcript tells of it.

use std::path::Path;

use serde::Serialize;

use crate::spec::{At, FieldError, sha256};

/// What a file beside a transcript is to its attempt.
pub const ROLES: [&str; 6] = ["caller", "copy", "journal", "launch", "printed", "workflow"];
/// What counts of a thread.
pub const BOUNDARIES: [&str; 2] = ["last-turn", "whole"];

/// How an answer came, where more than its transcript tells of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct Through {
    /// The call that a subagent was launched by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// The key that a workflow started an agent for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The agent that was started for the key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The number of the start, from 1, where the key was started again later.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<u32>,
    /// The thread whose copies were kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<String>,
    /// What counts of the thread: `last-turn`, `whole`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boundary: Option<&'static str>,
    /// The files beside the transcript.
    pub beside: Vec<NamedFile>,
}

/// A file beside a transcript, under the same root.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct NamedFile {
    /// `caller`: the transcript of who launched the agent. `launch`: what says who launched it; each
    /// that names the call counts as a child of it. `journal`, `workflow`: of a workflow. `copy`: of a
    /// thread. `printed`: what a session printed.
    pub role: &'static str,
    /// Its path.
    pub file: String,
    /// Its SHA-256.
    pub sha256: String,
}

impl NamedFile {
    /// A file as it lies under a root now.
    pub(super) fn of(role: &'static str, root: &Path, file: &str) -> Result<Self, &'static str> {
        let bytes = super::identity::inside(root, file)?;
        Ok(Self {
            role,
            file: file.to_owned(),
            sha256: sha256(&bytes),
        })
    }
}

impl Through {
    /// The file of a role.
    pub(super) fn of_role(&self, role: &str) -> Option<&NamedFile> {
        self.beside.iter().find(|own| own.role == role)
    }

    /// How many files more than one say that they are the child of the call.
    pub(super) fn conflicts(&self) -> usize {
        let children = self.beside.iter().filter(|own| own.role == "launch");
        match &self.call {
            Some(_) => children.count().saturating_sub(1),
            None => 0,
        }
    }

    /// Reads what an identity table holds.
    pub(super) fn read(at: &At<'_>) -> Result<Self, FieldError> {
        let mut fields = at.table()?;
        let mut words = |name: &str| fields.may(name).map(|at| at.words()).transpose();
        let mut through = Self {
            call: words("call")?,
            key: words("key")?,
            agent: words("agent")?,
            thread: words("thread")?,
            ..Self::default()
        };
        through.start = fields.may("start").map(|at| at.count(1)).transpose()?;
        let boundary = fields.may("boundary");
        through.boundary = boundary.map(|at| at.one_of(&BOUNDARIES)).transpose()?;
        for at in fields.need("beside")?.list()? {
            let mut own = at.table()?;
            through.beside.push(NamedFile {
                role: own.need("role")?.one_of(&ROLES)?,
                file: own.need("file")?.relative()?,
                sha256: own.need("sha256")?.hex(64)?,
            });
            own.done()?;
        }
        fields.done()?;
        Ok(through)
    }
}
