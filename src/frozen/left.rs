//! What an attempt left beside its transcript, from the files that its identity names.

use std::path::{Path, PathBuf};

use super::follow::followed;
use super::identity::{IdentityRow, inside};
use super::through::{NamedFile, Through};
use crate::record::{HandedBack, LeftLine, Printed, Workflow};
use crate::source::Found;
use crate::spec::sha256;
use crate::transcript::{
    Body, Event, HandBack, Sink, Start, hand_back, journal, printed_end, read_file, workflow_end,
};

/// Where files may be read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Roots<'a> {
    /// The folder of the row's own root.
    pub(super) own: &'a Path,
    /// Every folder that the bindings declare.
    pub(super) all: &'a [PathBuf],
}

/// What an attempt left beside its transcript, or why it cannot be told any more.
pub(super) fn left(row: &IdentityRow, roots: Roots<'_>) -> Result<LeftLine, &'static str> {
    let mut left = LeftLine::default();
    let Some(through) = &row.through else {
        return Ok(left);
    };
    let text = |beside: &NamedFile| -> Result<String, &'static str> {
        let bytes = inside(roots.own, &beside.file).map_err(|_| "transcript-missing")?;
        if sha256(&bytes) != beside.sha256 {
            return Err("transcript-changed");
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let role = |role| through.of_role(role).map(text).transpose();
    for beside in &through.beside {
        text(beside)?;
    }
    left.printed = role("printed")?.map(|text| printed(&text));
    if let (Some(call), Some(caller)) = (&through.call, through.of_role("caller")) {
        left.children = Some(through.conflicts() as u64 + 1);
        left.handed = Some(handed(call, &roots.own.join(&caller.file), roots.all));
    }
    if let Some(journal) = role("journal")? {
        left.workflow = Some(workflow(through, &journal, role("workflow")?.as_deref()));
    }
    if through.thread.is_some() {
        let name = |file: &str| file.rsplit('/').next().unwrap_or("").to_owned();
        let copies = through.beside.iter().filter(|own| own.role == "copy");
        let own = std::iter::once(name(&row.locator.file));
        left.copies = Some(own.chain(copies.map(|own| name(&own.file))).collect());
    }
    Ok(left)
}

/// What a run printed: its last words, or the record that closes it.
pub(super) fn printed(text: &str) -> Printed {
    match printed_end(text) {
        Some(end) => Printed {
            error: end.error,
            text: end.text,
        },
        None => Printed {
            error: false,
            text: text.to_owned(),
        },
    }
}

/// Takes what came back of one call.
struct Caller<'c> {
    call: &'c str,
    text: Option<String>,
}

impl Sink for Caller<'_> {
    fn event(&mut self, event: Event<'_>) {
        if let Body::Outcome(reply) = event.body
            && reply.id == self.call
        {
            self.text = Some(reply.text.into_owned());
        }
    }
}

fn handed(call: &str, path: &Path, roots: &[PathBuf]) -> HandedBack {
    let mut caller = Caller { call, text: None };
    let found = Found {
        path: path.to_owned(),
        name: String::new(),
        named: true,
        expected: true,
        size: 0,
        built_in: None,
    };
    if let Ok(lines) = found.open() {
        read_file(lines, &mut caller);
    }
    let Some(text) = caller.text else {
        return HandedBack::Missing;
    };
    let whole = match followed(&text, roots) {
        Ok(other) => other.unwrap_or(text),
        Err(why) => return HandedBack::Elsewhere(why),
    };
    match hand_back(&whole) {
        HandBack::Launched => HandedBack::Launched,
        other => HandedBack::Report(other.text().unwrap_or_default()),
    }
}

fn workflow(through: &Through, text: &str, record: Option<&str>) -> Workflow {
    let journal = journal(text);
    let start = Start {
        key: through.key.clone().unwrap_or_default(),
        agent: through.agent.clone().unwrap_or_default(),
    };
    let result = journal.result(&start).map(str::to_owned);
    let end = record.and_then(|text| workflow_end(text, &start));
    Workflow {
        superseded: through.start.is_some() && result.is_none(),
        result,
        logged: end.as_ref().and_then(|end| end.logged.clone()),
        errors: end.as_ref().map_or_else(Vec::new, |end| end.errors.clone()),
        end: end.map(|end| (end.status, end.error, end.capped)),
    }
}
