//! What stood before the model of an attempt beside what was done in it, and what it ran with.

use std::collections::BTreeMap;

use serde_json::json;

use crate::oracle::grammar::flat;
use crate::oracle::{Evidence, Message, Parent, Row, RowKind, TurnSeen};
use crate::record::ParentLine;
use crate::transcript::{
    Action, Attached, Body, By, Call, Event, Header, Settings, Tells, Text, Thread, key_of,
    served_by,
};
use crate::turn::Kept;

/// What is told of a call beside its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Made {
    at: Option<String>,
    /// Its server and its own name there, where the client tells them apart.
    served: Option<(String, String)>,
    /// Its command, where its arguments are no object with one.
    command: Option<String>,
}

/// What a turn ran with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Ran {
    own: bool,
    model: Option<String>,
    effort: Option<String>,
    sandbox: Option<String>,
    cwd: Option<String>,
    servers: Option<Vec<String>>,
}

/// What a session shows beside its turns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Beside {
    tells: Tells,
    /// Whether another agent launched the session.
    launched: bool,
    /// What the session ran with that launched it.
    parent: Option<ParentLine>,
    /// Whether the model said or did anything yet.
    acted: bool,
    /// Everything that stood in the operator's place before that.
    prompt: String,
    rows: Vec<(RowKind, Kept)>,
    messages: Vec<(String, Kept)>,
    /// What the client put in before the model said or did anything.
    attachments: Vec<String>,
    hook_rows: u64,
    /// Whether a hook may have put in something that is not told.
    hooks_open: bool,
    /// Records that are not understood.
    opaque: bool,
    calls: BTreeMap<u64, Made>,
    /// Whether anything is told of what the session runs with.
    set: bool,
    now: Ran,
    ran: Vec<Ran>,
}

impl Beside {
    /// Takes an event in.
    pub(super) fn event(&mut self, event: &Event<'_>) {
        let own = event.thread == Thread::Own;
        if event.thread == Thread::Other {
            return;
        }
        match &event.body {
            Body::Settings(settings) => {
                self.turn_to(own);
                self.settings(settings);
            }
            Body::Workdir { path } => {
                self.turn_to(own);
                self.now.cwd = Some(path.clone().into_owned());
            }
            Body::Said { .. } | Body::Thought { .. } => self.acts(own),
            Body::Call(call) => {
                self.acts(own);
                if own {
                    let key = key_of(&[&call.id]);
                    self.calls.entry(key).or_insert_with(|| made(call));
                }
            }
            _ if !own => {}
            Body::Operator { text, .. } | Body::Injected { text, .. } => self.asked(text),
            Body::Attached(attached) => self.attached(attached),
            Body::Opaque { .. } => self.opaque = true,
            _ => {}
        }
    }

    /// The same, with what the whole file tells.
    pub(super) fn of(&self, header: &Header, parent: Option<&ParentLine>) -> Self {
        Self {
            tells: header.tells,
            launched: header.subagent,
            parent: parent.cloned(),
            ..self.clone()
        }
    }

    /// What another session's history says of its settings holds for none of the session's own turns.
    fn turn_to(&mut self, own: bool) {
        if self.now.own != own {
            self.set = false;
            self.now = Ran {
                own,
                ..Ran::default()
            };
        }
    }

    fn settings(&mut self, settings: &Settings<'_>) {
        let own = |text: &Option<Text<'_>>| text.as_deref().map(str::to_owned);
        let now = &mut self.now;
        self.set = true;
        now.model = own(&settings.model).or(now.model.take());
        now.effort = own(&settings.effort).or(now.effort.take());
        now.sandbox = own(&settings.sandbox).or(now.sandbox.take());
        if let Some(servers) = &settings.servers {
            now.servers = Some(servers.iter().map(|own| own.clone().into_owned()).collect());
        }
    }

    /// The model says or does something, with what is set now.
    fn acts(&mut self, own: bool) {
        self.acted |= own;
        self.turn_to(own);
        if self.set && self.ran.last() != Some(&self.now) {
            self.ran.push(self.now.clone());
        }
    }

    fn asked(&mut self, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        if !self.acted {
            if !self.prompt.is_empty() {
                self.prompt.push('\n');
            }
            self.prompt.push_str(text);
        }
        self.rows.push((RowKind::User, Kept::of(text)));
    }

    /// Whether the session was asked this, by anything that stood in the operator's place; `None` where its record does not
    /// tell what it was asked. Spaces and marks of emphasis make no difference, and words may stand around it.
    pub(super) fn was_asked(&self, prompt: &str) -> Option<bool> {
        if !self.tells.prompts || self.prompt.is_empty() {
            return None;
        }
        let prompt = flat(prompt);
        let holds = |text: &str| flat(text).contains(&prompt);
        if holds(&self.prompt) {
            return Some(true);
        }
        let asked = || self.rows.iter().filter(|(kind, _)| *kind == RowKind::User);
        if asked().any(|(_, text)| holds(text.as_str())) {
            return Some(true);
        }
        (!asked().any(|(_, text)| text.is_cut())).then_some(false)
    }

    fn attached(&mut self, attached: &Attached<'_>) {
        match attached.by {
            By::Hook => self.hook_rows += 1,
            By::Untold => self.hooks_open = true,
            By::Client => {}
        }
        let Some(text) = attached.text.as_deref() else {
            return;
        };
        match (attached.by, &*attached.role) {
            (By::Hook, _) => self.rows.push((RowKind::Hook, Kept::of(text))),
            (_, "user") => self.asked(text),
            (_, role) => {
                self.rows.push((RowKind::Attachment, Kept::of(text)));
                if !role.is_empty() {
                    self.messages.push((role.to_owned(), Kept::of(text)));
                }
            }
        }
        if attached.by == By::Client && attached.role.is_empty() && !self.acted {
            self.attachments.push(attached.kind.clone().into_owned());
        }
    }

    /// Adds what is shown to what the turns show. Their calls stand there already.
    pub(super) fn add<'e>(&'e self, evidence: &mut Evidence<'e>) {
        for call in &mut evidence.calls {
            let Some(made) = self.calls.get(&key_of(&[&call.id])) else {
                continue;
            };
            call.at = made.at.as_deref().map(Text::Borrowed);
            if let Some((server, tool)) = &made.served {
                (call.server, call.tool) = (server.into(), tool.into());
            }
            if let Some(command) = &made.command {
                call.input = json!({ "command": command });
            }
        }
        let tells = self.tells;
        let whole = |rows: &[(RowKind, Kept)]| !rows.iter().any(|(_, text)| text.is_cut());
        let seen = !evidence.calls.iter().any(|call| call.cut);
        evidence.prompt = self.prompt.as_str().into();
        evidence.prompt_observed = tells.prompts && tells.attached && !self.prompt.is_empty();
        evidence.attachments = self.attachments.iter().map(Into::into).collect();
        let row = |(kind, text): &'e (RowKind, Kept)| Row {
            kind: *kind,
            text: text.as_str().into(),
        };
        evidence.rows = self.rows.iter().map(row).collect();
        evidence.rows_observed =
            tells.prompts && tells.attached && !self.opaque && seen && whole(&self.rows);
        evidence.hook_rows = self.hook_rows;
        evidence.hook_rows_observed = tells.attached && !self.opaque && !self.hooks_open;
        let message = |(role, text): &'e (String, Kept)| Message {
            role: role.into(),
            text: text.as_str().into(),
        };
        evidence.messages = self.messages.iter().map(message).collect();
        let cut = self.messages.iter().any(|(_, text)| text.is_cut());
        evidence.messages_observed = tells.roles && !cut;
        evidence.turns = self.ran.iter().map(Ran::seen).collect();
        if self.launched {
            evidence.child = Some(true);
            evidence.rollouts = 1;
        } else if evidence.calls_observed {
            // Who handed nothing on has no child.
            evidence.child = Some(false);
        }
        evidence.parent = match &self.parent {
            Some(parent) => parent_of(parent),
            None => self.copied(),
        };
    }

    /// What the launching session ran with, where its history stands copied at the head of this one.
    fn copied(&self) -> Parent<'_> {
        let ran: Vec<&Ran> = self.ran.iter().filter(|ran| !ran.own).collect();
        Parent {
            sandbox: agreed(&ran, |ran| ran.sandbox.as_deref()).map(Into::into),
            cwd: agreed(&ran, |ran| ran.cwd.as_deref()).map(Into::into),
            servers: agreed(&ran, |ran| ran.servers.as_deref()).map(listed),
        }
    }

    /// What a session that it launches can be held against.
    pub(super) fn as_parent(&self, name: &str) -> ParentLine {
        let ran: Vec<&Ran> = self.ran.iter().filter(|ran| ran.own).collect();
        ParentLine {
            name: name.to_owned(),
            sandbox: agreed(&ran, |ran| ran.sandbox.as_deref()).map(str::to_owned),
            cwd: agreed(&ran, |ran| ran.cwd.as_deref()).map(str::to_owned),
            servers: agreed(&ran, |ran| ran.servers.as_deref()).map(<[String]>::to_vec),
        }
    }

    /// The folders that it tells of.
    pub(super) fn places(&self) -> impl Iterator<Item = &String> {
        let parent = self.parent.iter().filter_map(|own| own.cwd.as_ref());
        self.ran
            .iter()
            .filter_map(|ran| ran.cwd.as_ref())
            .chain(parent)
    }
}

fn made(call: &Call<'_>) -> Made {
    let object = call.args.trim_start().starts_with('{');
    let served = call.server.as_deref().map(|own| {
        let (server, tool) = served_by(&call.tool, Some(own));
        (server.to_owned(), tool.to_owned())
    });
    Made {
        at: call.at.as_deref().map(str::to_owned),
        served,
        command: match &call.action {
            Action::Shell { command, .. } if !object => Some(command.clone().into_owned()),
            _ => None,
        },
    }
}

/// What all turns agree on; nothing where they differ, or where any of them does not tell.
fn agreed<'r, T: PartialEq + ?Sized>(
    ran: &[&'r Ran],
    of: impl Fn(&'r Ran) -> Option<&'r T>,
) -> Option<&'r T> {
    let first = of(ran.first()?)?;
    ran.iter()
        .all(|ran| of(ran) == Some(first))
        .then_some(first)
}

fn listed(servers: &[String]) -> Vec<Text<'_>> {
    servers.iter().map(Into::into).collect()
}

fn parent_of(parent: &ParentLine) -> Parent<'_> {
    Parent {
        sandbox: parent.sandbox.as_deref().map(Into::into),
        cwd: parent.cwd.as_deref().map(Into::into),
        servers: parent.servers.as_deref().map(listed),
    }
}

impl Ran {
    fn seen(&self) -> TurnSeen<'_> {
        let mut untold = Vec::new();
        let mut told = |name: &'static str, value: &'_ Option<String>| {
            if value.is_none() {
                untold.push(Text::Borrowed(name));
            }
        };
        told("model", &self.model);
        told("effort", &self.effort);
        told("sandbox", &self.sandbox);
        told("cwd", &self.cwd);
        if self.servers.is_none() {
            untold.push("servers".into());
        }
        // What is told to be unset is there, and is nothing.
        let set = |value: &'_ Option<String>| {
            let value = value.as_deref().filter(|value| !value.is_empty());
            value.map(|value| Text::Owned(value.to_owned()))
        };
        TurnSeen {
            own: self.own,
            model: set(&self.model),
            effort: set(&self.effort),
            sandbox: set(&self.sandbox),
            cwd: set(&self.cwd),
            servers: self.servers.as_deref().map(listed),
            untold,
        }
    }
}
