//! What another program says of the use of tools: the opportunities of lanes, one JSON object a line.

use std::collections::BTreeMap;

use super::bind::Bindings;
use super::error::FrozenError;
use super::identity::Slot;
use crate::oracle::{Join, Joined};
use crate::spec::{At, FieldError, Fields, Item, Node, Sealed, Spec};

/// The format of a line of a ledger.
pub const JOIN_SCHEMA: &str = "deedcheck/join/1";
/// What a line may say of the use of a tool.
pub(super) const ADOPTED: [&str; 3] = ["adopted", "not-adopted", "unknown"];

/// One opportunity to use a lane's tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Chance {
    pub(super) task: usize,
    /// The attempt; none where nothing was launched.
    pub(super) attempt: Option<u32>,
    pub(super) adopted: Joined,
}

/// Reads the JSON objects of a text, one a line; an error tells its line.
pub(super) fn each_line(
    text: &str,
    kind: fn(FieldError) -> FrozenError,
    mut take: impl FnMut(&Node) -> Result<(), FieldError>,
) -> Result<(), FrozenError> {
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let number = u32::try_from(index + 1).ok();
        let wrong = |error: FieldError| kind(error.at(number));
        let node = Node::json(line).map_err(wrong)?;
        take(&node).map_err(wrong)?;
    }
    Ok(())
}

/// Whose opportunity it is: the task, the arm and the attempt.
type Whose = (usize, usize, Option<u32>);

/// What a ledger says, lane by lane. It speaks only of the lanes and arms that it names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ledger(BTreeMap<String, BTreeMap<Whose, Joined>>);

impl Ledger {
    /// Reads a ledger, one JSON object a line.
    ///
    /// # Errors
    /// `E_JOIN_LEDGER` with the line, the field and what is wrong with it.
    pub fn read(text: &str, sealed: &Sealed, bindings: &Bindings) -> Result<Self, FrozenError> {
        let mut all = Self::default();
        each_line(text, FrozenError::Ledger, |node| {
            let (lane, whose, adopted) = one(node, &sealed.spec, &bindings.run)?;
            match all.0.entry(lane).or_default().insert(whose, adopted) {
                Some(_) => Err(FieldError::new("attempt", "duplicate")),
                None => Ok(()),
            }
        })?;
        Ok(all)
    }

    /// The opportunities of a lane in an arm, in the order of tasks and attempts; none where it does not speak of them.
    pub(super) fn lane(&self, lane: &str, arm: usize) -> Option<Vec<Chance>> {
        let own = self.0.get(lane)?.iter();
        let own = own.filter(|((_, of, _), _)| *of == arm);
        let chance = |((task, _, attempt), adopted): (&Whose, &Joined)| Chance {
            task: *task,
            attempt: *attempt,
            adopted: *adopted,
        };
        let all: Vec<Chance> = own.map(chance).collect();
        (!all.is_empty()).then_some(all)
    }

    /// What it says of an attempt's use of a lane's tool.
    pub(super) fn join(&self, lane: &str, slot: Slot) -> Option<Join> {
        let whose = (slot.task, slot.arm, Some(slot.attempt));
        let adopted = *self.0.get(lane)?.get(&whose)?;
        Some(Join { adopted })
    }
}

/// The fields of a line, which must be of this format and this run.
pub(super) fn of_run<'n>(
    node: &'n Node,
    schema: &'static str,
    run: &str,
) -> Result<Fields<'n>, FieldError> {
    let mut fields = At::root(node).table()?;
    fields.need("schema")?.one_of(&[schema])?;
    let told = fields.need("run")?;
    if told.text()? != run {
        return Err(told.fail("other-run"));
    }
    Ok(fields)
}

/// The task and the arm that a line is of, by their numbers.
pub(super) fn task_and_arm(
    fields: &mut Fields<'_>,
    spec: &Spec,
) -> Result<(usize, usize), FieldError> {
    let at = fields.need("arm")?;
    let name = at.name()?;
    let arm = spec.arms.iter().position(|own| own.id == name);
    let arm = arm.ok_or_else(|| at.fail("unknown-arm"))?;
    let at = fields.need("task")?;
    let name = at.name()?;
    let task = spec.tasks.iter().position(|own| own.id == name);
    let task = task.ok_or_else(|| at.fail("unknown-task"))?;
    if !spec.tasks[task].arms.contains(&spec.arms[arm].id) {
        return Err(at.fail("not-of-arm"));
    }
    Ok((task, arm))
}

fn one(node: &Node, spec: &Spec, run: &str) -> Result<(String, Whose, Joined), FieldError> {
    let mut fields = of_run(node, JOIN_SCHEMA, run)?;
    let lane = fields.need("lane")?.words()?;
    let (task, arm) = task_and_arm(&mut fields, spec)?;
    let attempt = fields.need("attempt")?;
    let attempt = match attempt.node.item {
        Item::Null => None,
        _ => Some(attempt.count(1)?),
    };
    let adopted = fields.need("adopted")?;
    let adopted = match adopted.one_of(&ADOPTED)? {
        "adopted" => Joined::Adopted,
        "not-adopted" => Joined::NotAdopted,
        _ => Joined::Unknown,
    };
    fields.done()?;
    Ok((lane, (task, arm, attempt), adopted))
}
