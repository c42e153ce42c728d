//! The whole command string: its simple commands and what they come to together.

use std::borrow::Cow;
use std::ops::Range;

use super::{Domain, Effect, Exit, Mask, Redirect, Simple, Touch, Verify, Visible, Wrapped};

/// A command string as read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script<'a> {
    /// Simple commands in the order in which they run; a substitution's stand behind the command that holds it.
    pub commands: Vec<Simple<'a>>,
    /// Commands that run one of those, in no order that counts.
    pub wrapped: Vec<Wrapped<'a>>,
    /// Everything could be read. Where not, the effect is at least unknown and no status shows.
    pub parsed: bool,
    /// Whose exit status shows.
    pub exit: Exit,
    /// Bytes looked at, repeats included.
    pub(super) steps: usize,
}

/// Closes a reading.
pub(super) fn finish<'a>(
    (mut commands, mut wrapped): (Vec<Simple<'a>>, Vec<Wrapped<'a>>),
    parsed: bool,
    steps: usize,
) -> Script<'a> {
    if !parsed {
        for command in &mut commands {
            command.status = Visible::Masked(Mask::Unread);
        }
        for command in &mut wrapped {
            command.status = Visible::Masked(Mask::Unread);
        }
    }
    let shows = |command: &Simple<'_>| command.status == Visible::Shown;
    // `exit $?` and `x=$(…)` show as well as the command whose status they hand on: that one counts.
    let told = commands
        .iter()
        .rposition(|command| shows(command) && !command.noop);
    let exit = match told {
        Some(index) => Exit::Of(index),
        None if commands.iter().any(shows) => Exit::Fixed,
        None if commands.is_empty() && parsed => Exit::Fixed,
        None => match commands.last().map(|command| command.status) {
            Some(Visible::Masked(Mask::Background)) => Exit::Fixed,
            _ => Exit::Unclear,
        },
    };
    Script {
        commands,
        wrapped,
        parsed,
        exit,
        steps,
    }
}

impl<'a> Script<'a> {
    /// The strongest effect: mutate, then unknown, then read.
    #[must_use]
    pub fn effect(&self) -> Effect {
        let floor = if self.parsed {
            Effect::None
        } else {
            Effect::Unknown
        };
        self.commands
            .iter()
            .map(|command| command.effect)
            .max()
            .map_or(floor, |strongest| strongest.max(floor))
    }

    /// The domain of the strongest effect; where several are as strong, the first of workspace, remote, repo,
    /// environment, scratch.
    #[must_use]
    pub fn domain(&self) -> Option<Domain> {
        let strongest = self.effect();
        self.commands
            .iter()
            .filter(|command| command.effect == strongest)
            .filter_map(|command| command.domain)
            .max_by_key(|domain| domain.rank())
    }

    /// The kind of the first verification, if there is one.
    #[must_use]
    pub fn verify(&self) -> Option<Verify> {
        self.verifications().find_map(|command| command.verify)
    }

    /// The simple commands that verify, in order.
    pub fn verifications(&self) -> impl Iterator<Item = &Simple<'a>> {
        self.commands
            .iter()
            .filter(|command| command.verify.is_some())
    }

    /// The simple command whose exit status shows, if it is one.
    #[must_use]
    pub fn shown(&self) -> Option<&Simple<'a>> {
        match self.exit {
            Exit::Of(index) => self.commands.get(index),
            Exit::Fixed | Exit::Unclear => None,
        }
    }

    /// The simple commands whose output can tell of the state after the last change of `domain`: those that
    /// stand behind it, or all where nothing changes it.
    #[must_use]
    pub fn after_last_mutation(&self, domain: Domain) -> &[Simple<'a>] {
        let last = self.commands.iter().rposition(|command| {
            command.effect == Effect::Mutate && command.domain == Some(domain)
        });
        self.commands
            .get(last.map_or(0, |at| at + 1)..)
            .unwrap_or_default()
    }

    /// How many bytes were looked at, repeats included: what tests hold linearity by.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.steps
    }
}

fn owned(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}

impl Redirect<'_> {
    fn into_owned(self) -> Redirect<'static> {
        Redirect {
            fd: self.fd,
            kind: self.kind,
            target: owned(self.target),
        }
    }
}

impl Wrapped<'_> {
    /// The same command, free of the text it was read from.
    #[must_use]
    pub fn into_owned(self) -> Wrapped<'static> {
        let redirects = self.redirects.into_iter();
        Wrapped {
            words: self.words.into_iter().map(owned).collect(),
            program: owned(self.program),
            redirects: redirects.map(Redirect::into_owned).collect(),
            status: self.status,
            piped: self.piped,
        }
    }
}

impl Simple<'_> {
    /// The same command, free of the text it was read from.
    #[must_use]
    pub fn into_owned(self) -> Simple<'static> {
        Simple {
            span: self.span,
            words: self.words.into_iter().map(owned).collect(),
            env: self.env.into_iter().map(owned).collect(),
            program: owned(self.program),
            redirects: self
                .redirects
                .into_iter()
                .map(Redirect::into_owned)
                .collect(),
            stdin: self.stdin.map(owned),
            effect: self.effect,
            own: self.own,
            domain: self.domain,
            verify: self.verify,
            noop: self.noop,
            touches: self
                .touches
                .into_iter()
                .map(|touch| Touch {
                    path: owned(touch.path),
                    access: touch.access,
                })
                .collect(),
            cwd: self.cwd,
            host: self.host,
            joint: self.joint,
            pipeline: self.pipeline,
            last_in_pipeline: self.last_in_pipeline,
            background: self.background,
            status: self.status,
            piped: self.piped,
        }
    }

    /// The command's text in the string it was read from.
    #[must_use]
    pub fn text<'s>(&self, command: &'s str) -> &'s str {
        let Range { start, end } = self.span;
        command.get(start..end).unwrap_or_default()
    }
}
