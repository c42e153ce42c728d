//! Which transcript is whose answer: rows `<run>.<arm>.<task>.<attempt>`, never guessed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Serialize;

use super::bind::{Bindings, bytes_of};
use super::carrier::{DriverTold, Told};
use super::driver::DriverLedger;
use super::error::FrozenError;
use super::launch::{Launched, Located, driver, launched};
use super::locate::Index;
use super::through::Through;
use crate::spec::{At, DISPATCHES, FieldError, Item, Node, Sealed, Spec, is_name, sha256};
use crate::transcript::workflow_file;
use crate::turn::Ended;

/// The format of an identity table.
pub const IDENTITY_SCHEMA: &str = "deedcheck/identity/1";
/// How a driver says that a run ended.
pub const STATES: [&str; 5] = ["finished", "interrupted", "timed-out", "intent", "spawned"];

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
    /// Teammates that no task is told of, by arm.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub unmapped: BTreeMap<String, u64>,
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
    /// Who answered: `main`, `subagent`, `workflow-child`, `codex-exec` or `file`; and `teammate`, who is
    /// reported and never graded.
    pub actor: &'static str,
    /// Where the answer stands.
    pub locator: Locator,
    /// How the driver says that the run ended, where one tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub driver: Option<Driver>,
    /// How the answer came, where more than its transcript tells of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub through: Option<Through>,
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
    /// `finished`, `interrupted` or `timed-out`; `intent` or `spawned` where it never saw an end.
    pub state: &'static str,
    /// The exit code, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit: Option<u32>,
}

impl IdentityTable {
    /// How many attempts a driver's ledger tells of that no launch record names.
    #[must_use]
    pub fn unlaunched(&self, sealed: &Sealed, drivers: &DriverLedger) -> usize {
        let spec = &sealed.spec;
        let place = |row: &IdentityRow| {
            let (_, arm, task, attempt) = parts(&row.identity)?;
            let arm = spec.arms.iter().position(|own| own.id == arm)?;
            let task = spec.tasks.iter().position(|own| own.id == task)?;
            Some((task, arm, attempt))
        };
        let graded = self.rows.iter().filter(|row| !row.is_teammate());
        let known: BTreeSet<_> = graded.filter_map(place).collect();
        drivers
            .whose()
            .filter(|whose| !known.contains(whose))
            .count()
    }
}

impl IdentityRow {
    /// The identity, with the number of the start where it was started again later.
    #[must_use]
    pub fn label(&self) -> String {
        match self.through.as_ref().and_then(|through| through.start) {
            Some(start) => format!("{}~{start}", self.identity),
            None => self.identity.clone(),
        }
    }

    /// The name of its transcript or answer in rows.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}/{}", self.locator.root, self.locator.file)
    }

    /// The paths of its files, its transcript or answer first.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        let beside = self.through.iter().flat_map(|through| &through.beside);
        let beside = beside.map(|own| own.file.as_str());
        std::iter::once(self.locator.file.as_str()).chain(beside)
    }

    /// The SHA-256 of each of its files, by the file's name in rows.
    pub fn files(&self) -> impl Iterator<Item = (String, String)> {
        let beside = self.through.iter().flat_map(|through| &through.beside);
        let beside = beside.map(|own| (&own.file, &own.sha256));
        let own = std::iter::once((&self.locator.file, &self.locator.sha256));
        own.chain(beside)
            .map(|(file, sha256)| (format!("{}/{file}", self.locator.root), sha256.clone()))
    }

    /// What clients call its call, key, agent and thread.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        let through = self.through.iter();
        through.flat_map(|own| {
            [&own.call, &own.key, &own.agent, &own.thread]
                .into_iter()
                .flatten()
                .map(String::as_str)
        })
    }

    /// Whether it is only reported.
    #[must_use]
    pub fn is_teammate(&self) -> bool {
        self.actor == "teammate"
    }

    /// What is told of the end of its run. `ended` is how its last turn ended, where it has turns.
    pub(super) fn told(&self, ended: Option<Ended>) -> Told {
        let told = |driver: &Driver| match driver.state {
            "interrupted" => DriverTold::Interrupted,
            "intent" => DriverTold::Intent,
            "spawned" => DriverTold::Spawned,
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
    /// Which start of it, where a workflow started it again later; the last one is the greatest.
    pub start: u32,
}

impl Slot {
    /// The slot of a start.
    fn started(self, through: Option<&Through>) -> Self {
        let start = through.and_then(|through| through.start);
        let start = start.unwrap_or(u32::MAX);
        Self { start, ..self }
    }
}

/// An identity table from launch records, one JSON object a line. What a driver's ledger says of an
/// attempt stands in its row.
///
/// # Errors
/// `E_IDENTITY_INVALID` for a record that is none, or that the ledger contradicts, `E_IDENTITY_SOURCE`
/// for a transcript that is missing, that cannot be told from another, or that two records claim.
pub fn identify(
    text: &str,
    sealed: &Sealed,
    bindings: &Bindings,
    beside: &Path,
    drivers: &DriverLedger,
) -> Result<IdentityTable, FrozenError> {
    let mut making = Making::new(sealed, bindings, drivers);
    let mut indices: BTreeMap<String, Index> = BTreeMap::new();
    let none = Index::default();
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    for (index, line) in lines.enumerate() {
        let row = index + 1;
        let invalid = FrozenError::identity(row);
        let node = Node::json(line).map_err(&invalid)?;
        let launched = launched(&node, &sealed.spec, bindings).map_err(&invalid)?;
        let root = bindings.root(&launched.root, beside);
        let root = root.ok_or_else(|| invalid(FieldError::new("root", "unknown-root")))?;
        let index = match launched.by_path() {
            true => &none,
            false => indices
                .entry(launched.root.clone())
                .or_insert_with(|| Index::of(&root)),
        };
        let located = launched.by.located(index, &root);
        let located = located.map_err(|reason| launched.refuse(row, reason))?;
        for located in located {
            making.add(row, &launched, located, (index, &root))?;
        }
    }
    making.finish()
}

/// An identity table while it is made.
struct Making<'a> {
    sealed: &'a Sealed,
    bindings: &'a Bindings,
    drivers: &'a DriverLedger,
    rows: BTreeMap<Slot, IdentityRow>,
    claimed: BTreeSet<(String, String)>,
    /// The main sessions, each with its record's number, and the sessions that workflows ran in.
    mains: Vec<(usize, (String, String))>,
    hosts: BTreeSet<(String, String)>,
    unmapped: BTreeMap<String, u64>,
}

impl<'a> Making<'a> {
    fn new(sealed: &'a Sealed, bindings: &'a Bindings, drivers: &'a DriverLedger) -> Self {
        Self {
            sealed,
            bindings,
            drivers,
            rows: BTreeMap::new(),
            claimed: BTreeSet::new(),
            mains: Vec::new(),
            hosts: BTreeSet::new(),
            unmapped: BTreeMap::new(),
        }
    }

    /// Adds a transcript that a launch record names.
    fn add(
        &mut self,
        row: usize,
        launched: &Launched,
        located: Located,
        (index, root): (&Index, &Path),
    ) -> Result<(), FrozenError> {
        let Located { file, through } = located;
        let bytes = inside(root, &file).map_err(|reason| launched.refuse(row, reason))?;
        if launched.actor == "teammate" && !index.is_teammate(&file) {
            return Err(launched.refuse(row, "not-in-process"));
        }
        let place = (launched.root.clone(), file.clone());
        if !self.claimed.insert(place.clone()) {
            return Err(launched.refuse(row, "shared"));
        }
        let host = through.as_ref().and_then(|own| host(own, &launched.root));
        self.hosts.extend(host);
        let Some(slot) = launched.slot else {
            *self.unmapped.entry(launched.arm.clone()).or_insert(0) += 1;
            return Ok(());
        };
        if launched.actor == "main" {
            self.mains.push((row, place));
        }
        let driver = self.driven(row, launched, slot)?;
        let slot = slot.started(through.as_ref());
        let made = IdentityRow {
            identity: spelled(&self.sealed.spec, &self.bindings.run, slot),
            actor: launched.actor,
            locator: Locator {
                root: launched.root.clone(),
                file,
                sha256: sha256(&bytes),
            },
            driver,
            through,
        };
        match self.rows.insert(slot, made) {
            None => Ok(()),
            Some(_) => Err(FrozenError::identity(row)(FieldError::new(
                "attempt",
                "duplicate",
            ))),
        }
    }

    /// How the driver says that a run ended, in the launch record or in its ledger. Where both tell, both say
    /// the same.
    fn driven(
        &self,
        row: usize,
        launched: &Launched,
        slot: Slot,
    ) -> Result<Option<Driver>, FrozenError> {
        let listed = self
            .drivers
            .of(slot)
            .filter(|_| launched.actor != "teammate");
        match (&launched.driver, listed) {
            (Some(own), Some(listed)) if own != listed => {
                let error = FieldError::new("driver", "other-than-ledger");
                Err(FrozenError::identity(row)(error))
            }
            (own, listed) => Ok(own.as_ref().or(listed).cloned()),
        }
    }

    fn finish(self) -> Result<IdentityTable, FrozenError> {
        // The close of a session that others answer within is none of its own task.
        let mut mains = self.mains.iter();
        if let Some((row, _)) = mains.find(|(_, main)| self.hosts.contains(main)) {
            return Err(FrozenError::Source {
                kind: "main",
                row: *row,
                reason: "host",
            });
        }
        Ok(IdentityTable {
            schema: IDENTITY_SCHEMA,
            spec: self.sealed.seal.clone(),
            run: self.bindings.run.clone(),
            rows: self.rows.into_values().collect(),
            unmapped: self.unmapped,
        })
    }
}

/// The session that a workflow ran in.
fn host(through: &Through, root: &str) -> Option<(String, String)> {
    let journal = through.of_role("journal")?;
    let (record, _) = workflow_file(&journal.file)?;
    let (folder, _) = record.rsplit_once("/workflows/")?;
    Some((root.to_owned(), format!("{folder}.jsonl")))
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

/// Whose attempt it is: a known task, an arm that does it, an actor that its dispatch allows.
pub(super) fn slot_of(
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
    let place = place.ok_or_else(|| arm.fail("unknown-arm"))?;
    if !own.arms.contains(&spec.arms[place].id) {
        return Err(arm.fail("arm-not-of-task"));
    }
    let teammate = actor.node.text_or("") == "teammate";
    let actor_id = match teammate {
        true => "teammate",
        false => actor.one_of(&DISPATCHES)?,
    };
    // Whoever is only reported may have been told of any task.
    if actor_id != own.dispatch && !teammate {
        return Err(actor.fail("not-of-dispatch"));
    }
    let slot = Slot {
        task: known,
        arm: place,
        attempt,
        start: u32::MAX,
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
) -> Result<Identities, FrozenError> {
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
    let unmapped = match root.may("unmapped") {
        Some(at) => strays(&at, &sealed.spec).map_err(&whole)?,
        None => BTreeMap::new(),
    };
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
    Ok(Identities {
        rows: rows.into_iter().collect(),
        unmapped,
    })
}

/// What an identity table holds, with the slot of each row.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Identities {
    /// The rows.
    pub rows: Vec<(Slot, IdentityRow)>,
    /// Teammates that no task is told of, by arm.
    pub unmapped: BTreeMap<String, u64>,
}

fn strays(at: &At<'_>, spec: &Spec) -> Result<BTreeMap<String, u64>, FieldError> {
    let mut all = BTreeMap::new();
    for (arm, at) in at.entries()? {
        if !spec.arms.iter().any(|own| own.id == arm) {
            return Err(at.fail("unknown-arm"));
        }
        all.insert(arm, u64::from(at.count(1)?));
    }
    Ok(all)
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
        through: fields
            .may("through")
            .map(|at| Through::read(&at))
            .transpose()?,
    };
    fields.done()?;
    Ok((slot.started(row.through.as_ref()), row))
}

/// The four parts of an identity: run, arm, task, attempt. An attempt is written without leading zeros, in six digits at
/// most.
#[must_use]
pub fn parts(identity: &str) -> Option<(&str, &str, &str, u32)> {
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
