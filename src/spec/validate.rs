//! What a spec refers to must be there, and what it must say must be said.

use std::collections::BTreeSet;

use super::error::FieldError;
use super::keys::unfit;
use super::model::{CheckSpec, Gate, KeySpec, Spec, Task};
use super::registry::used;
use crate::oracle::{KeyShape, KindInfo, Reads};

/// Looks whether every reference of a spec leads somewhere, every kind can read its parameters,
/// and every reading that is needed is chosen.
///
/// # Errors
/// The first thing that is wrong, without its line.
pub(super) fn validate(spec: &Spec, kinds: &[KindInfo]) -> Result<(), FieldError> {
    unique("arms", spec.arms.iter().map(|arm| &arm.id))?;
    unique("tasks", spec.tasks.iter().map(|task| &task.id))?;
    unique("gates", spec.gates.iter().map(|gate| &gate.id))?;
    unique("sources", spec.sources.iter().map(|source| &source.id))?;
    super::capture::validate(&spec.captures, !spec.arms.is_empty())?;
    tasks(spec)?;
    checks(spec, kinds)?;
    for (index, gate) in spec.gates.iter().enumerate() {
        self::gate(spec, gate, &format!("gates.{index}"))?;
    }
    readings(spec, kinds)?;
    fitting(spec, kinds)
}

fn wrong(field: impl Into<String>, kind: &'static str) -> FieldError {
    FieldError::new(field, kind)
}

fn unique<'s>(list: &str, ids: impl Iterator<Item = &'s String>) -> Result<(), FieldError> {
    let mut seen = BTreeSet::new();
    for (index, id) in ids.enumerate() {
        if !seen.insert(id) {
            return Err(wrong(format!("{list}.{index}.id"), "duplicate"));
        }
    }
    Ok(())
}

fn tasks(spec: &Spec) -> Result<(), FieldError> {
    // Without tasks there are only checks of turns, and then nothing is done in several ways.
    if spec.tasks.is_empty() && spec.checks.is_empty() {
        return Err(wrong("tasks", "missing"));
    }
    if spec.arms.is_empty() != spec.tasks.is_empty() {
        let kind = if spec.arms.is_empty() {
            "missing"
        } else {
            "no-task"
        };
        return Err(wrong("arms", kind));
    }
    for (index, task) in spec.tasks.iter().enumerate() {
        let field = format!("tasks.{index}");
        let mut seen = BTreeSet::new();
        for (at, arm) in task.arms.iter().enumerate() {
            let field = format!("{field}.arms.{at}");
            if !spec.arms.iter().any(|known| known.id == *arm) {
                return Err(wrong(field, "unknown-arm"));
            }
            if !seen.insert(arm) {
                return Err(wrong(field, "duplicate"));
            }
        }
        let of_turns = |check: &CheckSpec| check.subject == "turn";
        let told_only = |check: &CheckSpec| of_turns(check) || !check.decides;
        if let Some(at) = task.checks.iter().position(of_turns)
            && task.dispatch == "file"
        {
            return Err(wrong(format!("{field}.checks.{at}.subject"), "no-turns"));
        }
        // A task without any check is recorded and not graded; it says so by an empty list.
        if !task.checks.is_empty() && task.checks.iter().all(told_only) {
            return Err(wrong(format!("{field}.checks"), "no-answer-check"));
        }
    }
    Ok(())
}

fn checks(spec: &Spec, kinds: &[KindInfo]) -> Result<(), FieldError> {
    let mut seen = BTreeSet::new();
    for (task, check) in spec.checks() {
        let at = match task {
            Some(task) => {
                let list = &spec.tasks[task].checks;
                let at = list.iter().position(|other| std::ptr::eq(other, check));
                format!("tasks.{task}.checks.{}", at.unwrap_or(0))
            }
            None => {
                let list = &spec.checks;
                let at = list.iter().position(|other| std::ptr::eq(other, check));
                format!("checks.{}", at.unwrap_or(0))
            }
        };
        if !seen.insert(&check.id) {
            return Err(wrong(format!("{at}.id"), "duplicate"));
        }
        let Some(kind) = kinds.iter().find(|kind| kind.id == check.kind) else {
            return Err(wrong(format!("{at}.kind"), "unknown-value"));
        };
        if let Err(error) = (kind.parse)(&check.params) {
            let lead = match error.field.as_str() {
                field if field == "params" || field.starts_with("params.") => "",
                _ => "params.",
            };
            return Err(wrong(format!("{at}.{lead}{}", error.field), error.kind));
        }
        if check.subject == "turn" && !check.decides {
            return Err(wrong(format!("{at}.decides"), "answer-only"));
        }
        if check.subject == "turn" && !check.scope.is_empty() {
            return Err(wrong(format!("{at}.scope"), "answer-only"));
        }
        if kind.reads == Reads::Steps {
            of_steps(check, &at)?;
        }
        if kind.reads == Reads::Evidence {
            of_evidence(check, kind, &at)?;
        }
        if let Some(key) = &check.key {
            self::key(spec, key, &format!("{at}.key"))?;
            of_kind(kind, key, &format!("{at}.key"))?;
        }
    }
    Ok(())
}

/// A part of any key that no answer is held against: where its source is missing or has drifted, the key is not known.
const SEEN: &str = "seen";

/// A kind that leans on no key has none, and none holds what its kind does not ask for.
fn of_kind(kind: &KindInfo, key: &KeySpec, at: &str) -> Result<(), FieldError> {
    if kind.key == KeyShape::None {
        return Err(wrong(at.to_owned(), "unused"));
    }
    let value = key
        .value
        .as_ref()
        .and_then(|value| kind.key.unknown_field(value));
    if let Some(path) = value {
        let path: Vec<_> = path.into_iter().map(super::node::named).collect();
        return Err(wrong(
            format!("{at}.value.{}", path.join(".")),
            "unknown-field",
        ));
    }
    if let (KeyShape::Table { own, .. }, Some(fields)) = (kind.key, &key.fields) {
        let lock = |(name, part): &(&String, &KeySpec)| *name == SEEN && part.source.is_some();
        let strangers = fields
            .iter()
            .filter(|(name, _)| !own.contains(&name.as_str()));
        if let Some((name, _)) = strangers.into_iter().find(|part| !lock(part)) {
            return Err(wrong(
                format!("{at}.fields.{}", super::node::named(name)),
                "unknown-field",
            ));
        }
    }
    Ok(())
}

/// A kind that reads steps is asked of turns, leans on no key, and leaves nothing to a judge, who
/// would have no text to quote.
fn of_steps(check: &CheckSpec, at: &str) -> Result<(), FieldError> {
    if check.subject != "turn" {
        return Err(wrong(format!("{at}.subject"), "turn-only"));
    }
    if check.extract != "none" {
        return Err(wrong(format!("{at}.extract"), "no-text"));
    }
    Ok(())
}

/// A kind that reads evidence is asked of an attempt as a whole. A judge has something to read only where the answer may not be
/// understood.
fn of_evidence(check: &CheckSpec, kind: &KindInfo, at: &str) -> Result<(), FieldError> {
    if check.subject == "turn" {
        return Err(wrong(format!("{at}.subject"), "answer-only"));
    }
    if check.extract != "none" && !kind.unknown.contains(&"unparsed") {
        return Err(wrong(format!("{at}.extract"), "no-text"));
    }
    Ok(())
}

fn key(spec: &Spec, key: &KeySpec, at: &str) -> Result<(), FieldError> {
    if let Some(id) = &key.source
        && !spec.sources.iter().any(|source| source.id == *id)
    {
        return Err(wrong(format!("{at}.source"), "unknown-source"));
    }
    for (name, part) in key.fields.iter().flatten() {
        self::key(
            spec,
            part,
            &format!("{at}.fields.{}", super::node::named(name)),
        )?;
    }
    Ok(())
}

fn gate(spec: &Spec, gate: &Gate, at: &str) -> Result<(), FieldError> {
    if gate.arm.is_none() && !spec.arms.is_empty() {
        return Err(wrong(format!("{at}.arm"), "missing"));
    }
    if gate.kind != "turns" && spec.tasks.is_empty() {
        return Err(wrong(format!("{at}.kind"), "no-task"));
    }
    let arms = [
        ("arm", gate.arm.as_ref()),
        ("baseline", gate.baseline.as_ref()),
    ];
    for (field, arm) in arms {
        if let Some(arm) = arm
            && !spec.arms.iter().any(|known| known.id == *arm)
        {
            return Err(wrong(format!("{at}.{field}"), "unknown-arm"));
        }
    }
    if gate.baseline.is_some() && gate.baseline == gate.arm {
        return Err(wrong(format!("{at}.baseline"), "same-arm"));
    }
    if let Some(family) = &gate.family
        && !spec.tasks.iter().any(|task| task.family == *family)
    {
        return Err(wrong(format!("{at}.family"), "unknown-family"));
    }
    if let Some(threshold) = &gate.threshold
        && !spec.thresholds.contains_key(threshold)
    {
        return Err(wrong(format!("{at}.threshold"), "unknown-threshold"));
    }
    if let Some(id) = &gate.check {
        let check = spec.checks().find(|(_, check)| check.id == *id);
        if check.is_none_or(|(_, check)| check.subject != "turn") {
            return Err(wrong(format!("{at}.check"), "unknown-check"));
        }
    }
    measured(spec, gate, at)
}

/// A gate that counts what certain checks tell needs tasks of its arm that are asked them.
fn measured(spec: &Spec, gate: &Gate, at: &str) -> Result<(), FieldError> {
    let of_arm = |task: &&Task| gate.arm.as_ref().is_some_and(|arm| task.arms.contains(arm));
    let tasks = || spec.tasks.iter().filter(of_arm);
    let asked = || tasks().any(|task| gate.reads(task).next().is_some());
    match gate.kind {
        "lane" if !asked() => Err(wrong(format!("{at}.lane"), "unknown-lane")),
        "encoding" | "blind" if !asked() => Err(wrong(format!("{at}.kind"), "no-check")),
        "blind" => {
            let of_control = |task: &&Task| task.opportunity == "control";
            let mut own = tasks().filter(of_control).flat_map(|task| &task.checks);
            match own.find(|check| Some(&check.id) == gate.control.as_ref()) {
                // Its answer is another matter, so that what it shows can be told apart.
                Some(check) if check.decides => Err(wrong(format!("{at}.control"), "told-only")),
                Some(_) => Ok(()),
                None => Err(wrong(format!("{at}.control"), "unknown-check")),
            }
        }
        _ => Ok(()),
    }
}

/// A key that stands in the spec, or is not there at all, must be one that its check can be asked
/// with: nothing that comes later could mend it.
fn fitting(spec: &Spec, kinds: &[KindInfo]) -> Result<(), FieldError> {
    for (_, check) in spec.checks() {
        let Some(reason) = unfit(spec, check, kinds) else {
            continue;
        };
        let at = spec.field_of(&check.id).unwrap_or_default();
        return Err(match &check.key {
            None => wrong(format!("{at}.key"), "missing"),
            Some(key) if key.value.is_some() => wrong(format!("{at}.key.value"), reason),
            Some(key) if key.fields.is_some() => wrong(format!("{at}.key.fields"), reason),
            Some(_) => wrong(format!("{at}.key.recipe"), reason),
        });
    }
    Ok(())
}

/// No reading has a default: each that is used is chosen, and none that is not.
fn readings(spec: &Spec, kinds: &[KindInfo]) -> Result<(), FieldError> {
    let used = used(spec, kinds);
    for reading in &used {
        let field = format!("readings.{}", reading.id);
        match spec.readings.get(reading.id) {
            None => return Err(wrong(field, "missing")),
            Some(value) if !reading.values.contains(&value.as_str()) => {
                return Err(wrong(field, "unknown-value"));
            }
            Some(_) => {}
        }
    }
    let unused = spec
        .readings
        .keys()
        .find(|id| !used.iter().any(|reading| reading.id == id.as_str()));
    match unused {
        Some(id) => Err(wrong(format!("readings.{id}"), "unused")),
        None => Ok(()),
    }
}
