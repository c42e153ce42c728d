//! Which transcript is whose answer: rows `<run>.<arm>.<task>.<attempt>`, never guessed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Serialize;

use super::bind::{Bindings, bytes_of};
use super::carrier::{DriverTold, Told};
use super::error::FrozenError;
use super::locate::Index;
use crate::spec::{At, DISPATCHES, FieldError, Item, Node, Sealed, Spec, is_name, sha256};
use crate::turn::Ended;

/// The format of an identity table.
pub const IDENTITY_SCHEMA: &str = "deedcheck/identity/1";
/// How a driver says that a run ended.
pub const STATES: [&str; 3] = ["finished", "interrupted", "timed-out"];

/// Who answered what, and where the answer stands. Private.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct IdentityTable {
    /// The format: `deedcheck/identity/1`.
    pub schema: &'static str,
    /// The seal of the spec.
    pub spec: String,
    /// The run's own id.
    pub run: String,
    /// One row for each attempt, in the order of tasks, arms and attempts.
    pub rows: Vec<IdentityRow>,
}

/// One attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct IdentityRow {
    /// `<run>.<arm>.<task>.<attempt>`.
    pub identity: String,
    /// Who answered: `main`, `subagent`, `codex-exec` or `file`.
    pub actor: &'static str,
    /// Where the answer stands.
    pub locator: Locator,
    /// How the driver says that the run ended, where one tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub driver: Option<Driver>,
}

/// Where an answer stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct Locator {
    /// The root that it lies under.
    pub root: String,
    /// Its path there.
    pub file: String,
    /// Its SHA-256.
    pub sha256: String,
}

/// How a driver says that a run ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct Driver {
    /// `finished`, `interrupted` or `timed-out`.
    pub state: &'static str,
    /// The exit code, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit: Option<u32>,
}

impl IdentityRow {
    /// What is told of the end of its run. `ended` is how its last turn ended, where it has turns.
    pub(super) fn told(&self, ended: Option<Ended>) -> Told {
        let told = |driver: &Driver| match driver.state {
            "interrupted" => DriverTold::Interrupted,
            state => DriverTold::Finished {
                exit: driver.exit,
                timed_out: state == "timed-out",
            },
        };
        Told {
            driver: self.driver.iter().map(told).collect(),
            ended,
        }
    }
}

/// Whose attempt a row is, by indices into the spec.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot {
    /// The task.
    pub task: usize,
    /// The arm.
    pub arm: usize,
    /// The attempt, from 1.
    pub attempt: u32,
}

/// A launch record: what a driver says of one attempt.
struct Launched {
    slot: Slot,
    actor: &'static str,
    root: String,
    by: By,
    driver: Option<Driver>,
}

/// What a launch record names a transcript by.
enum By {
    Session(String),
    Agent(String),
    Thread(String),
    File(String),
}

/// An identity table from launch records, one JSON object a line.
///
/// # Errors
/// `E_IDENTITY_INVALID` for a record that is none, `E_IDENTITY_SOURCE` for a transcript that is
/// missing, that cannot be told from another, or that two records claim.
pub fn identify(
    text: &str,
    sealed: &Sealed,
    bindings: &Bindings,
    beside: &Path,
) -> Result<IdentityTable, FrozenError> {
    let spec = &sealed.spec;
    let mut indices: BTreeMap<String, Index> = BTreeMap::new();
    let mut rows: BTreeMap<Slot, IdentityRow> = BTreeMap::new();
    let mut claimed: BTreeSet<(String, String)> = BTreeSet::new();
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    for (index, line) in lines.enumerate() {
        let row = index + 1;
        let invalid = FrozenError::identity(row);
        let node = Node::json(line).map_err(&invalid)?;
        let launched = launched(&node, spec, bindings).map_err(&invalid)?;
        let refuse = |reason| FrozenError::Source {
            kind: launched.actor,
            row,
            reason,
        };
        let root = bindings.root(&launched.root, beside);
        let root = root.ok_or_else(|| invalid(FieldError::new("root", "unknown-root")))?;
        let file = match &launched.by {
            By::File(file) => file.clone(),
            by => {
                let index = indices
                    .entry(launched.root.clone())
                    .or_insert_with(|| Index::of(&root));
                let found = match by {
                    By::Session(id) => index.session(id),
                    By::Agent(id) => index.agent(id),
                    By::Thread(id) | By::File(id) => index.thread(id),
                };
                found.map_err(&refuse)?.to_owned()
            }
        };
        let bytes = inside(&root, &file).map_err(&refuse)?;
        if !claimed.insert((launched.root.clone(), file.clone())) {
            return Err(refuse("shared"));
        }
        let identity = spelled(spec, &bindings.run, launched.slot);
        let made = IdentityRow {
            identity,
            actor: launched.actor,
            locator: Locator {
                root: launched.root.clone(),
                file,
                sha256: sha256(&bytes),
            },
            driver: launched.driver.clone(),
        };
        if rows.insert(launched.slot, made).is_some() {
            return Err(invalid(FieldError::new("attempt", "duplicate")));
        }
    }
    Ok(IdentityTable {
        schema: IDENTITY_SCHEMA,
        spec: sealed.seal.clone(),
        run: bindings.run.clone(),
        rows: rows.into_values().collect(),
    })
}

/// A file's bytes, where it really lies under its root.
pub(super) fn inside(root: &Path, file: &str) -> Result<Vec<u8>, &'static str> {
    let real = |path: &Path| std::fs::canonicalize(path).map_err(|_| "missing");
    let (root, path) = (real(root)?, real(&root.join(file))?);
    if !path.starts_with(&root) {
        return Err("outside-roots");
    }
    bytes_of(&path).ok_or("unreadable")
}

fn spelled(spec: &Spec, run: &str, slot: Slot) -> String {
    let (task, arm) = (&spec.tasks[slot.task].id, &spec.arms[slot.arm].id);
    format!("{run}.{arm}.{task}.{}", slot.attempt)
}

fn launched(node: &Node, spec: &Spec, bindings: &Bindings) -> Result<Launched, FieldError> {
    let mut fields = At::root(node).table()?;
    let run = fields.need("run")?;
    if run.text()? != bindings.run {
        return Err(run.fail("other-run"));
    }
    let (arm, task) = (fields.need("arm")?, fields.need("task")?);
    let attempt = fields.need("attempt")?.count(1)?;
    let actor = fields.need("actor")?;
    let (slot, actor) = slot_of(spec, &arm, &task, attempt, &actor)?;
    let root = fields.need("root")?;
    if !bindings.roots.contains_key(root.text()?) {
        return Err(root.fail("unknown-root"));
    }
    let ways = ["session", "agent", "thread", "file"];
    let told: Vec<(&str, At<'_>)> = ways
        .into_iter()
        .filter_map(|way| fields.may(way).map(|at| (way, at)))
        .collect();
    let [(way, at)] = told.as_slice() else {
        return Err(FieldError::new("locator", "one-locator"));
    };
    let by = match (*way, actor) {
        ("session", "main") => By::Session(at.words()?),
        ("agent", "subagent") => By::Agent(at.words()?),
        ("thread", "codex-exec" | "main" | "subagent") => By::Thread(at.words()?),
        ("file", _) => By::File(at.relative()?),
        _ => return Err(at.fail("not-of-actor")),
    };
    let launched = Launched {
        slot,
        actor,
        root: root.text()?.to_owned(),
        by,
        driver: fields.may("driver").map(|at| driver(&at)).transpose()?,
    };
    fields.done()?;
    Ok(launched)
}

fn driver(at: &At<'_>) -> Result<Driver, FieldError> {
    let mut fields = at.table()?;
    let driver = Driver {
        state: fields.need("state")?.one_of(&STATES)?,
        exit: fields.may("exit").map(|at| at.count(0)).transpose()?,
    };
    fields.done()?;
    Ok(driver)
}

/// Whose attempt it is: a known task, an arm that does it, an actor that its dispatch allows.
fn slot_of(
    spec: &Spec,
    arm: &At<'_>,
    task: &At<'_>,
    attempt: u32,
    actor: &At<'_>,
) -> Result<(Slot, &'static str), FieldError> {
    let known = spec
        .tasks
        .iter()
        .position(|known| known.id == *task.node.text_or(""));
    let known = known.ok_or_else(|| task.fail("unknown-task"))?;
    let own = &spec.tasks[known];
    let place = spec
        .arms
        .iter()
        .position(|known| known.id == *arm.node.text_or(""));
    let place = place.filter(|place| own.arms.contains(&spec.arms[*place].id));
    let place = place.ok_or_else(|| arm.fail("arm-not-of-task"))?;
    let actor_id = actor.one_of(&DISPATCHES)?;
    if actor_id != own.dispatch {
        return Err(actor.fail("not-of-dispatch"));
    }
    let slot = Slot {
        task: known,
        arm: place,
        attempt,
    };
    Ok((slot, actor_id))
}

/// Reads an identity table, with the slot of each row.
///
/// # Errors
/// `E_IDENTITY_INVALID` with the row, the field and what is wrong with it.
pub fn read_identity(
    text: &str,
    sealed: &Sealed,
    bindings: &Bindings,
) -> Result<Vec<(Slot, IdentityRow)>, FrozenError> {
    let whole = FrozenError::identity(0);
    let node = Node::json(text).map_err(&whole)?;
    let mut root = At::root(&node).table().map_err(&whole)?;
    let head = |root: &mut crate::spec::Fields<'_>| -> Result<(), FieldError> {
        root.need("schema")?.one_of(&[IDENTITY_SCHEMA])?;
        let spec = root.need("spec")?;
        if spec.text()? != sealed.seal {
            return Err(spec.fail("other-spec"));
        }
        let run = root.need("run")?;
        if run.text()? != bindings.run {
            return Err(run.fail("other-run"));
        }
        Ok(())
    };
    head(&mut root).map_err(&whole)?;
    let list = root.need("rows").and_then(|at| at.list()).map_err(&whole)?;
    root.done().map_err(&whole)?;
    let mut rows: BTreeMap<Slot, IdentityRow> = BTreeMap::new();
    let mut claimed = BTreeSet::new();
    for (index, at) in list.iter().enumerate() {
        let invalid = FrozenError::identity(index + 1);
        // The number of the row is told already.
        let at = At {
            path: String::new(),
            node: at.node,
        };
        let (slot, row) = row(&at, &sealed.spec, bindings).map_err(&invalid)?;
        if !claimed.insert((row.locator.root.clone(), row.locator.file.clone())) {
            return Err(FrozenError::Source {
                kind: row.actor,
                row: index + 1,
                reason: "shared",
            });
        }
        if rows.insert(slot, row).is_some() {
            return Err(invalid(FieldError::new("identity", "duplicate")));
        }
    }
    Ok(rows.into_iter().collect())
}

fn row(at: &At<'_>, spec: &Spec, bindings: &Bindings) -> Result<(Slot, IdentityRow), FieldError> {
    let mut fields = at.table()?;
    let identity = fields.need("identity")?;
    let text = identity.text()?;
    let (run, arm, task, attempt) = parts(text).ok_or_else(|| identity.fail("identity"))?;
    if run != bindings.run {
        return Err(identity.fail("other-run"));
    }
    let part = |text: &str| Node {
        line: None,
        item: Item::Text(text.to_owned()),
    };
    let (arm, task) = (part(arm), part(task));
    let actor = fields.need("actor")?;
    let of = |node| At {
        path: "identity".to_owned(),
        node,
    };
    let (slot, actor) = slot_of(spec, &of(&arm), &of(&task), attempt, &actor)?;
    let mut place = fields.need("locator")?.table()?;
    let root = place.need("root")?;
    if !bindings.roots.contains_key(root.text()?) {
        return Err(root.fail("unknown-root"));
    }
    let locator = Locator {
        root: root.text()?.to_owned(),
        file: place.need("file")?.relative()?,
        sha256: place.need("sha256")?.hex(64)?,
    };
    place.done()?;
    let row = IdentityRow {
        identity: text.to_owned(),
        actor,
        locator,
        driver: fields.may("driver").map(|at| driver(&at)).transpose()?,
    };
    fields.done()?;
    Ok((slot, row))
}

/// The four parts of an identity. An attempt is written without leading zeros, in six digits at
/// most.
fn parts(identity: &str) -> Option<(&str, &str, &str, u32)> {
    let mut parts = identity.split('.');
    let (run, arm, task) = (parts.next()?, parts.next()?, parts.next()?);
    let attempt = parts.next()?;
    let digits = attempt.bytes().all(|byte| byte.is_ascii_digit());
    let plain = (1..=6).contains(&attempt.len()) && digits && !attempt.starts_with('0');
    if parts.next().is_some() || !plain || !is_name(arm) || !is_name(task) {
        return None;
    }
    Some((run, arm, task, attempt.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn an_identity_has_four_parts() {
        assert_eq!(
            parts("run-2026.with.count-tests.12"),
            Some(("run-2026", "with", "count-tests", 12))
        );
        for bad in [
            "run.with.task",
            "run.with.task.1.2",
            "run.with.task.01",
            "run.with.task.0",
            "run.with.task.1234567",
            "run.with.task.+1",
            "run..task.1",
            "run.With.task.1",
        ] {
            assert_eq!(parts(bad), None, "{bad}");
        }
    }
}
