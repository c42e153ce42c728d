//! Captures as the checks ask for them.

use serde::Serialize;

use super::process::Process;
use super::store::{Capture, Entry, Kept};

/// What was captured of an arm, in the shape that checks read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Evidence {
    /// Each run of a command: phases in the order in which they are given, commands in that of ids.
    pub captures: Vec<Shown>,
    /// Processes that began while the arm went on; none where nobody looked, or nothing tells which
    /// were there before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processes: Option<Vec<Process>>,
    /// What the arm changed in its tree; none where nothing tells how it was before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entries: Option<Vec<Entry>>,
    /// What differed in the arm's tree from its base before the arm.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub entries_before: Vec<Entry>,
    /// The tree after the arm.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree: Option<Stood>,
}

/// One run of a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Shown {
    /// The capture's id in the spec.
    pub id: String,
    /// When it was taken.
    pub phase: String,
    /// What it ran under.
    pub condition: String,
    /// The command.
    pub argv: Vec<String>,
    /// Its exit code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit: Option<i32>,
    /// Its output.
    pub stdout: String,
    /// SHA-256 of the whole output, where `stdout` is not that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// The state of the tree that was copied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree_before: Option<String>,
    /// Its state afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree_after: Option<String>,
    /// Whether it was ended as its time was over.
    pub timed_out: bool,
    /// Whether the conditions are known to be the arm's own.
    pub verified: bool,
}

/// A tree as it stood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Stood {
    /// The tree as the bindings name it.
    pub observed: String,
    /// The commit that the bindings say it was at.
    pub base: String,
    /// The commit that it was at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
}

impl Evidence {
    /// What is known of an arm. What was captured of no arm is known of each.
    pub fn of<'k>(all: impl IntoIterator<Item = &'k Kept>, arm: &str) -> Self {
        let mut evidence = Self::default();
        for kept in all {
            let own = kept.about.arm.as_deref();
            if own.is_some_and(|own| own != arm) {
                continue;
            }
            evidence.captures.extend(kept.commands.iter().map(shown));
            if kept.about.phase == "pre-arm" {
                let tree = kept.tree.as_ref().filter(|tree| tree.against == "base");
                evidence.entries_before = tree.map(|tree| tree.entries.clone()).unwrap_or_default();
            }
            if kept.about.phase != "post-arm" {
                continue;
            }
            let since = kept.processes.as_ref().filter(|all| all.since_before);
            evidence.processes = since.map(|all| all.list.clone());
            let tree = kept.tree.as_ref();
            evidence.entries = tree
                .filter(|tree| tree.against != "nothing")
                .map(|tree| tree.entries.clone());
            evidence.tree = tree.map(|tree| Stood {
                observed: tree.observed.clone(),
                base: tree.base.clone(),
                head: tree.head.clone(),
            });
        }
        evidence
    }
}

fn shown(capture: &Capture) -> Shown {
    let whole = crate::spec::sha256(capture.stdout.as_bytes()) == capture.sha256;
    Shown {
        id: capture.id.clone(),
        phase: capture.phase.clone(),
        condition: capture.condition.clone(),
        argv: capture.argv.clone(),
        exit: capture.exit,
        stdout: capture.stdout.clone(),
        sha256: (!whole).then(|| capture.sha256.clone()),
        tree_before: capture.tree_before.clone(),
        tree_after: capture.tree_after.clone(),
        timed_out: capture.timed_out,
        verified: capture.verified,
    }
}
