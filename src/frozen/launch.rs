//! What a driver says of one attempt: one line of `--launch-records`.

use std::path::Path;

use super::bind::Bindings;
use super::error::FrozenError;
use super::identity::{Driver, STATES, Slot, inside, slot_of};
use super::locate::{Index, Started};
use super::through::{BOUNDARIES, NamedFile, Through};
use crate::spec::{At, FieldError, Fields, Node, Spec};
use crate::transcript::{agent_file, launch_file, workflow_file};

/// A launch record.
pub(super) struct Launched {
    pub(super) slot: Option<Slot>,
    pub(super) arm: String,
    pub(super) actor: &'static str,
    pub(super) root: String,
    pub(super) by: By,
    pub(super) driver: Option<Driver>,
}

/// What a launch record names a transcript by.
pub(super) enum By {
    /// A main session, and the file of what it printed.
    Session(String, Option<String>),
    Agent(String),
    Thread(String),
    File(String, Option<String>),
    /// The call of a session, or the only launch in it.
    Call(String, Option<String>),
    /// A key or a label of a workflow, and the workflow's id.
    Key(Named, Option<String>),
    /// A thread, the folder of its copies, and what counts of it.
    Copies(String, String, &'static str),
}

/// What a start of a workflow is named by.
pub(super) enum Named {
    Key(String),
    Label(String),
}

/// A transcript that was found, with what was found beside it. A workflow may have started the same
/// more than once.
pub(super) struct Located {
    pub(super) file: String,
    pub(super) through: Option<Through>,
}

pub(super) fn launched(
    node: &Node,
    spec: &Spec,
    bindings: &Bindings,
) -> Result<Launched, FieldError> {
    let mut fields = At::root(node).table()?;
    let run = fields.need("run")?;
    if run.text()? != bindings.run {
        return Err(run.fail("other-run"));
    }
    let arm = fields.need("arm")?;
    let actor = fields.need("actor")?;
    // A teammate that nobody has a task for is told of all the same: it is counted.
    let stray = actor.node.text_or("") == "teammate" && !fields.was("task");
    let (slot, actor) = if stray {
        let known = spec.arms.iter().any(|own| own.id == *arm.node.text_or(""));
        if !known {
            return Err(arm.fail("unknown-arm"));
        }
        (None, "teammate")
    } else {
        let task = fields.need("task")?;
        let attempt = fields.need("attempt")?.count(1)?;
        let (slot, actor) = slot_of(spec, &arm, &task, attempt, &actor)?;
        (Some(slot), actor)
    };
    let root = fields.need("root")?;
    if !bindings.roots.contains_key(root.text()?) {
        return Err(root.fail("unknown-root"));
    }
    let launched = Launched {
        slot,
        arm: arm.text()?.to_owned(),
        actor,
        root: root.text()?.to_owned(),
        by: by(&mut fields, actor)?,
        driver: fields.may("driver").map(|at| driver(&at)).transpose()?,
    };
    fields.done()?;
    Ok(launched)
}

fn by(fields: &mut Fields<'_>, actor: &'static str) -> Result<By, FieldError> {
    let ways = ["session", "agent", "thread", "file", "key", "label"];
    let told: Vec<(&str, At<'_>)> = ways
        .into_iter()
        .filter_map(|way| fields.may(way).map(|at| (way, at)))
        .collect();
    let [(way, at)] = told.as_slice() else {
        return Err(FieldError::new("locator", "one-locator"));
    };
    let path = |fields: &mut Fields<'_>, name| {
        let at = fields.may(name);
        at.map(|at| at.relative()).transpose()
    };
    Ok(match (*way, actor) {
        ("session", "main") => By::Session(at.words()?, path(fields, "printed")?),
        ("session", "subagent") => {
            let call = fields.may("call").map(|at| at.words()).transpose()?;
            By::Call(at.words()?, call)
        }
        ("agent", "subagent" | "teammate") => By::Agent(at.words()?),
        ("thread", "subagent") if fields.was("copies") => {
            let boundary = fields.may("boundary");
            let boundary = boundary.map(|at| at.one_of(&BOUNDARIES)).transpose()?;
            let copies = fields.need("copies")?.relative()?;
            By::Copies(at.words()?, copies, boundary.unwrap_or("whole"))
        }
        ("thread", "codex-exec" | "main" | "subagent") => By::Thread(at.words()?),
        ("key" | "label", "workflow-child") => {
            let named = match *way {
                "key" => Named::Key(at.words()?),
                _ => Named::Label(at.words()?),
            };
            By::Key(
                named,
                fields.may("workflow").map(|at| at.words()).transpose()?,
            )
        }
        ("file", "main") => By::File(at.relative()?, path(fields, "printed")?),
        ("file", own) if own != "workflow-child" => By::File(at.relative()?, None),
        _ => return Err(at.fail("not-of-actor")),
    })
}

pub(super) fn driver(at: &At<'_>) -> Result<Driver, FieldError> {
    let mut fields = at.table()?;
    let driver = Driver {
        state: fields.need("state")?.one_of(&STATES)?,
        exit: fields.may("exit").map(|at| at.count(0)).transpose()?,
    };
    fields.done()?;
    Ok(driver)
}

impl Launched {
    /// The refusal of a record whose transcript cannot be told.
    pub(super) fn refuse(&self, row: usize, reason: &'static str) -> FrozenError {
        FrozenError::Source {
            kind: self.actor,
            row,
            reason,
        }
    }

    /// Whether the transcript is named by its path, and nothing beside it is asked for.
    pub(super) fn by_path(&self) -> bool {
        matches!(self.by, By::File(..)) && self.actor != "teammate"
    }
}

impl By {
    /// The transcripts that are named, each with what lies beside it: one, or one for each start of a
    /// workflow's key.
    pub(super) fn located(&self, index: &Index, root: &Path) -> Result<Vec<Located>, &'static str> {
        let one = |file: &str, through: Option<Through>| {
            let file = file.to_owned();
            Ok(vec![Located { file, through }])
        };
        match self {
            Self::File(file, None) => one(file, None),
            Self::File(file, Some(out)) => one(file, Some(printed(root, out)?)),
            Self::Session(id, None) => one(index.session(id)?, None),
            Self::Session(id, Some(out)) => one(index.session(id)?, Some(printed(root, out)?)),
            Self::Agent(id) => one(index.agent(id)?, None),
            Self::Thread(id) => one(index.thread(id)?, None),
            Self::Call(session, call) => called(index, root, session, call.as_deref()),
            Self::Copies(thread, folder, boundary) => copies(root, thread, folder, boundary),
            Self::Key(named, workflow) => {
                let starts = index.started(named, workflow.as_deref())?;
                starts_of(&starts, root)
            }
        }
    }
}

fn printed(root: &Path, out: &str) -> Result<Through, &'static str> {
    Ok(Through {
        beside: vec![NamedFile::of("printed", root, out)?],
        ..Through::default()
    })
}

/// The child of a call. Where several say that they are, all are told: nobody knows which it was.
fn called(
    index: &Index,
    root: &Path,
    session: &str,
    call: Option<&str>,
) -> Result<Vec<Located>, &'static str> {
    let caller = index.session(session)?;
    let call = match call {
        Some(call) => call.to_owned(),
        None => index.only_launch(root, caller)?,
    };
    let children = index.children(&call);
    let first = children.first().ok_or("missing")?.clone();
    let mut beside = vec![NamedFile::of("caller", root, caller)?];
    for child in children {
        let launch = launch_file(child).ok_or("missing")?;
        beside.push(NamedFile::of("launch", root, &launch)?);
    }
    let through = Through {
        call: Some(call),
        beside,
        ..Through::default()
    };
    Ok(vec![Located {
        file: first,
        through: Some(through),
    }])
}

/// The copies of a thread in a folder. One that is not packed stands for it, where there is one.
fn copies(
    root: &Path,
    thread: &str,
    folder: &str,
    boundary: &'static str,
) -> Result<Vec<Located>, &'static str> {
    let listed = std::fs::read_dir(root.join(folder)).map_err(|_| "missing")?;
    let mut names: Vec<(bool, String)> = Vec::new();
    for entry in listed.flatten() {
        let name = entry.file_name().into_string().unwrap_or_default();
        if let Some(packed) = crate::transcript::copy_of(&name, thread) {
            names.push((packed, format!("{folder}/{name}")));
        }
    }
    names.sort();
    let mut names = names.into_iter().map(|(_, name)| name);
    let file = names.next().ok_or("missing")?;
    inside(root, &file)?;
    let beside = names.map(|name| NamedFile::of("copy", root, &name));
    let through = Through {
        thread: Some(thread.to_owned()),
        boundary: Some(boundary),
        beside: beside.collect::<Result<_, _>>()?,
        ..Through::default()
    };
    Ok(vec![Located {
        file,
        through: Some(through),
    }])
}

/// Each start of a key. What was started again later is an attempt of its own.
fn starts_of(starts: &[Started], root: &Path) -> Result<Vec<Located>, &'static str> {
    let mut located = Vec::with_capacity(starts.len());
    for (number, own) in starts.iter().enumerate() {
        let mut beside = vec![NamedFile::of("journal", root, &own.journal)?];
        if let Some((record, _)) = workflow_file(&own.journal) {
            // A workflow that was stopped kept none.
            beside.extend(NamedFile::of("workflow", root, &record).ok());
        }
        let folder = own
            .journal
            .rsplit_once('/')
            .map_or("", |(folder, _)| folder);
        let again = number + 1 < starts.len();
        located.push(Located {
            file: format!("{folder}/{}", agent_file(&own.start.agent)),
            through: Some(Through {
                key: Some(own.start.key.clone()),
                agent: Some(own.start.agent.clone()),
                start: again.then(|| u32::try_from(number + 1).unwrap_or(u32::MAX)),
                beside,
                ..Through::default()
            }),
        });
    }
    Ok(located)
}
