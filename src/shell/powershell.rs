//! PowerShell: statements and plain words are listed; nothing about their effect is guessed.

use std::borrow::Cow;

use super::script::{Script, finish};
use super::{Effect, Host, Joint, Mask, Simple, Visible};

/// Reads a PowerShell command string.
pub(super) fn script(command: &str) -> Script<'_> {
    let mut commands = Vec::new();
    let mut start = 0;
    let mut joint = Joint::Start;
    let mut quote = None;
    for (at, b) in command.bytes().enumerate() {
        match (quote, b) {
            (Some(open), b) if b == open => quote = None,
            (None, b'"' | b'\'') => quote = Some(b),
            (None, b';' | b'\n' | b'|') => {
                push(command, start, at, joint, &mut commands);
                joint = if b == b'|' { Joint::Pipe } else { Joint::Seq };
                start = at + 1;
            }
            _ => {}
        }
    }
    push(command, start, command.len(), joint, &mut commands);
    finish((commands, Vec::new()), false, command.len())
}

fn push<'a>(
    command: &'a str,
    start: usize,
    end: usize,
    joint: Joint,
    commands: &mut Vec<Simple<'a>>,
) {
    let text = command.get(start..end).unwrap_or_default();
    let words: Vec<Cow<'a, str>> = text.split_whitespace().map(Cow::Borrowed).collect();
    let Some(program) = words.first().cloned() else {
        return;
    };
    let lead = text.len() - text.trim_start().len();
    commands.push(Simple {
        span: start + lead..start + text.trim_end().len(),
        program,
        words,
        env: Vec::new(),
        redirects: Vec::new(),
        stdin: None,
        effect: Effect::Unknown,
        own: Effect::Unknown,
        domain: None,
        verify: None,
        noop: false,
        touches: Vec::new(),
        cwd: None,
        host: Host::Local,
        joint,
        pipeline: u32::try_from(commands.len()).unwrap_or(u32::MAX),
        last_in_pipeline: true,
        piped: Visible::Shown,
        background: false,
        status: Visible::Masked(Mask::Unread),
    });
}
