//! A spec from the file that a person wrote.

use std::collections::BTreeMap;

use super::error::FieldError;
use super::fields::{At, Fields};
use super::fraction::Fraction;
use super::model::{
    Arm, CheckSpec, DISPATCHES, EXTRACTS, Experiment, GATES, GRAMMAR, Gate, KeySpec, OPPORTUNITIES,
    Origin, Recipe, SPEC_SCHEMA, SUBJECTS, Source, Spec, Task,
};
use super::node::Node;
use super::seal::SEALED_SCHEMA;

/// Reads a spec. What it refers to is not looked at yet.
///
/// # Errors
/// The first field that is missing, unknown, or of the wrong shape.
pub(super) fn spec(node: &Node) -> Result<Spec, FieldError> {
    let mut root = At::root(node).table()?;
    let spec = Spec {
        schema: schema(&root.need("schema")?)?,
        grammar: root.need("grammar")?.one_of(&[GRAMMAR])?,
        experiment: experiment(&root.need("experiment")?)?,
        arms: list(root.may("arms").as_ref(), arm)?,
        tasks: list(root.may("tasks").as_ref(), task)?,
        checks: list(root.may("checks").as_ref(), |at| check(at, "turn"))?,
        readings: map(root.may("readings").as_ref(), At::name)?,
        thresholds: map(root.may("thresholds").as_ref(), fraction)?,
        gates: list(root.may("gates").as_ref(), gate)?,
        sources: list(root.may("sources").as_ref(), source)?,
        captures: list(root.may("captures").as_ref(), super::capture::capture)?,
    };
    root.done()?;
    Ok(spec)
}

/// A spec that is sealed already says so by its schema.
fn schema(at: &At<'_>) -> Result<&'static str, FieldError> {
    match at.node.text_or("") == SEALED_SCHEMA {
        true => Err(at.fail("sealed")),
        false => at.one_of(&[SPEC_SCHEMA]),
    }
}

fn each<'n, T>(
    items: &[At<'n>],
    read: impl Fn(&At<'n>) -> Result<T, FieldError>,
) -> Result<Vec<T>, FieldError> {
    items.iter().map(read).collect()
}

fn list<'n, T>(
    at: Option<&At<'n>>,
    read: impl Fn(&At<'n>) -> Result<T, FieldError>,
) -> Result<Vec<T>, FieldError> {
    at.map_or(Ok(Vec::new()), |at| each(&at.list()?, read))
}

fn map<'n, T>(
    at: Option<&At<'n>>,
    read: impl Fn(&At<'n>) -> Result<T, FieldError>,
) -> Result<BTreeMap<String, T>, FieldError> {
    let Some(at) = at else {
        return Ok(BTreeMap::new());
    };
    let entries = at.entries()?.into_iter();
    entries.map(|(key, at)| Ok((key, read(&at)?))).collect()
}

fn experiment(at: &At<'_>) -> Result<Experiment, FieldError> {
    let mut fields = at.table()?;
    let experiment = Experiment {
        id: fields.need("id")?.name()?,
        title: fields.need("title")?.words()?,
    };
    fields.done()?;
    Ok(experiment)
}

fn arm(at: &At<'_>) -> Result<Arm, FieldError> {
    let mut fields = at.table()?;
    let arm = Arm {
        id: fields.need("id")?.name()?,
        title: fields.may("title").map(|at| at.words()).transpose()?,
    };
    fields.done()?;
    Ok(arm)
}

fn task(at: &At<'_>) -> Result<Task, FieldError> {
    let mut fields = at.table()?;
    let task = Task {
        id: fields.need("id")?.name()?,
        prompt: fields.need("prompt")?.words()?,
        family: fields.need("family")?.name()?,
        opportunity: fields.need("opportunity")?.one_of(&OPPORTUNITIES)?,
        dispatch: fields.need("dispatch")?.one_of(&DISPATCHES)?,
        arms: each(&fields.need("arms")?.some()?, At::name)?,
        checks: each(&fields.need("checks")?.list()?, |at| check(at, "answer"))?,
    };
    fields.done()?;
    Ok(task)
}

/// A check of a task looks at the answer unless told otherwise; one without a task can only look
/// at turns.
fn check(at: &At<'_>, subject: &'static str) -> Result<CheckSpec, FieldError> {
    let mut fields = at.table()?;
    let id = fields.need("id")?.name()?;
    let kind = fields.need("kind")?.name()?;
    let params = match fields.may("params") {
        Some(at) => {
            at.table()?;
            at.value()?
        }
        None => serde_json::json!({}),
    };
    let key = fields.may("key").map(|at| key(&at, true)).transpose()?;
    let extract = fields.need("extract")?.one_of(&EXTRACTS)?;
    let told = fields.may("subject");
    let told = told
        .map(|at| match at.one_of(&SUBJECTS)? {
            "answer" if subject == "turn" => Err(at.fail("no-task")),
            told => Ok(told),
        })
        .transpose()?;
    let scope = fields.may("scope");
    let scope = scope
        .map(|at| each(&at.some()?, At::relative))
        .transpose()?;
    let decides = decides(&mut fields)?;
    fields.done()?;
    Ok(CheckSpec {
        id,
        kind,
        params,
        key,
        extract,
        subject: told.unwrap_or(subject),
        decides,
        scope: scope.unwrap_or_default(),
    })
}

fn decides(fields: &mut Fields<'_>) -> Result<bool, FieldError> {
    fields.may("decides").map_or(Ok(true), |at| at.flag())
}

fn key(at: &At<'_>, may_nest: bool) -> Result<KeySpec, FieldError> {
    let mut fields = at.table()?;
    let value = fields.may("value");
    let source = fields.may("source");
    let parts = fields.may("fields").filter(|_| may_nest);
    let origins = [&value, &source, &parts];
    if origins.iter().filter(|origin| origin.is_some()).count() != 1 {
        return Err(at.fail("one-origin"));
    }
    let key = KeySpec {
        value: value.map(|at| at.value()).transpose()?,
        recipe: match source {
            Some(_) => Some(recipe(&fields.need("recipe")?)?),
            None => None,
        },
        source: source.map(|at| at.name()).transpose()?,
        fields: match parts {
            Some(at) => {
                let entries = at.entries_of_any_key()?.into_iter();
                let parts = entries.map(|(name, at)| Ok((name, key(&at, false)?)));
                Some(parts.collect::<Result<_, FieldError>>()?)
            }
            None => None,
        },
    };
    fields.done()?;
    Ok(key)
}

fn recipe(at: &At<'_>) -> Result<Recipe, FieldError> {
    let mut fields = at.table()?;
    let take = fields.need("take")?.one_of(&[
        "text",
        "lines",
        "json",
        "csv",
        "sha256",
        "bytes",
        "lines-with",
        "headings",
        "names",
    ])?;
    let recipe = match take {
        "text" => Recipe::Text,
        "lines" => lines(&mut fields)?,
        "json" => Recipe::Json {
            pointer: pointer(&fields.need("pointer")?)?,
        },
        "csv" => Recipe::Csv {
            column: fields.may("column").map(|at| at.words()).transpose()?,
            integers: flag(&mut fields, "integers")?,
            pick: pick(&mut fields, false)?,
        },
        "sha256" => Recipe::Sha256,
        "bytes" => Recipe::Bytes,
        "lines-with" => Recipe::LinesWith {
            word: fields.need("word")?.words()?,
        },
        "headings" => Recipe::Headings {
            level: match fields.may("level") {
                Some(at) if at.count(1)? > 6 => return Err(at.fail("range")),
                Some(at) => Some(at.count(1)?),
                None => None,
            },
            count: flag(&mut fields, "count")?,
            pick: pick(&mut fields, true)?,
        },
        _ => Recipe::Names {
            after: each(&fields.need("after")?.some()?, At::words)?,
            count: flag(&mut fields, "count")?,
            pick: pick(&mut fields, true)?,
        },
    };
    fields.done()?;
    Ok(recipe)
}

fn flag(fields: &mut Fields<'_>, name: &str) -> Result<bool, FieldError> {
    fields.may(name).map_or(Ok(false), |at| at.flag())
}

fn lines(fields: &mut Fields<'_>) -> Result<Recipe, FieldError> {
    let from = fields.may("from").map(|at| at.count(1)).transpose()?;
    let to = match fields.may("to") {
        Some(at) => match at.count(1)? {
            to if to < from.unwrap_or(1) => return Err(at.fail("range")),
            to => Some(to),
        },
        None => None,
    };
    Ok(Recipe::Lines {
        from,
        to,
        count: flag(fields, "count")?,
        pick: pick(fields, true)?,
    })
}

/// Which item of a list is taken. Together with their number it would mean nothing.
fn pick(fields: &mut Fields<'_>, counted: bool) -> Result<Option<u32>, FieldError> {
    let Some(at) = fields.may("pick") else {
        return Ok(None);
    };
    if counted && fields.was("count") {
        return Err(at.fail("one-of-count-and-pick"));
    }
    at.count(1).map(Some)
}

fn pointer(at: &At<'_>) -> Result<String, FieldError> {
    match at.text()? {
        text if text.is_empty() || text.starts_with('/') => Ok(text.to_owned()),
        _ => Err(at.fail("pointer")),
    }
}

fn fraction(at: &At<'_>) -> Result<Fraction, FieldError> {
    Fraction::parse(at.text()?).ok_or_else(|| at.fail("fraction"))
}

fn gate(at: &At<'_>) -> Result<Gate, FieldError> {
    let mut fields = at.table()?;
    let id = fields.need("id")?.name()?;
    let kind = fields.need("kind")?.one_of(&GATES)?;
    let decides = match kind {
        // It is no question that could be answered with yes or no; the sealed spec says so.
        "denominators" => {
            let told = fields.may("decides");
            if let Some(at) = told.filter(|at| at.flag() != Ok(false)) {
                return Err(at.fail("told-only"));
            }
            false
        }
        _ => decides(&mut fields)?,
    };
    let lane = match kind {
        "lane" => Some(fields.need("lane")?.words()?),
        _ => None,
    };
    let mut name = |name: &str, asked: Asked| match asked {
        Asked::Never => Ok(None),
        Asked::Needed => fields.need(name)?.name().map(Some),
        Asked::Perhaps => fields.may(name).map(|at| at.name()).transpose(),
    };
    let only = |own: bool, asked: Asked| if own { asked } else { Asked::Never };
    let gate = Gate {
        id,
        kind,
        arm: name("arm", Asked::Perhaps)?,
        baseline: match kind {
            "not-worse" => name("baseline", Asked::Needed)?,
            kind => name("baseline", only(kind == "denominators", Asked::Perhaps))?,
        },
        check: name("check", only(kind == "turns", Asked::Needed))?,
        lane,
        control: name("control", only(kind == "blind", Asked::Needed))?,
        family: name(
            "family",
            only(
                !["not-worse", "denominators"].contains(&kind),
                Asked::Perhaps,
            ),
        )?,
        threshold: match kind {
            "lane" if !decides => name("threshold", Asked::Perhaps)?,
            kind => name(
                "threshold",
                only(["rate", "turns", "lane"].contains(&kind), Asked::Needed),
            )?,
        },
        minimum: match kind {
            "encoding" => Some(fields.need("minimum")?.count(1)?),
            "blind" | "denominators" => None,
            _ => fields.may("minimum").map(|at| at.count(1)).transpose()?,
        },
        decides,
    };
    fields.done()?;
    Ok(gate)
}

/// Whether a field of a gate is asked for.
#[derive(Clone, Copy)]
enum Asked {
    Never,
    Perhaps,
    Needed,
}

fn source(at: &At<'_>) -> Result<Source, FieldError> {
    let mut fields = at.table()?;
    let id = fields.need("id")?.name()?;
    let kind = fields
        .need("kind")?
        .one_of(&["git", "file", "fact", "inline"])?;
    let origin = match kind {
        "git" => Origin::Git {
            commit: fields.need("commit")?.hex(40)?,
            path: fields.need("path")?.relative()?,
            sha256: fields.may("sha256").map(|at| at.hex(64)).transpose()?,
        },
        "file" => Origin::File {
            path: fields.need("path")?.relative()?,
            sha256: fields.need("sha256")?.hex(64)?,
        },
        "fact" => Origin::Fact {
            fact: fields.need("fact")?.name()?,
            phases: each(&fields.need("phases")?.some()?, At::name)?,
        },
        _ => Origin::Inline {
            text: fields.need("text")?.text()?.to_owned(),
        },
    };
    fields.done()?;
    Ok(Source { id, origin })
}
