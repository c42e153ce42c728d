//! What a call does to the world: its acts, in order.

use std::borrow::Cow;

use crate::shell::{self, Access, Domain, Effect, Host, Mask, RedirectKind, Verify, Visible};
use crate::transcript::{Action, Change, Dialect};

/// Simple commands of one call that are told apart. What comes after is of unknown effect: no
/// command that a person or an agent means has as many, and each is held against the output.
const ACTS: usize = 256;

/// Where scratch files lie: what is written there is not the work.
const SCRATCH_ROOTS: [&str; 4] = ["/tmp/", "/var/tmp/", "/private/tmp/", "/dev/shm/"];

/// One act: a simple command, or what a tool other than a shell does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Act {
    /// What it does.
    pub effect: Effect,
    /// What the effect is on.
    pub domain: Option<Domain>,
    /// The kind of verification that it runs.
    pub verify: Option<Verify>,
    /// Whether it grounds nothing whatever comes back (`echo`, `sleep`).
    pub noop: bool,
    /// Whether the status that shows tells nothing about it.
    pub masked: bool,
    /// Whether a shell ran it.
    pub shell: bool,
    /// The program, or the empty text where no shell ran it.
    pub program: String,
    /// Its words in normal form, joined by spaces; empty where no shell ran it.
    pub words: String,
    /// A check as it was typed, wrappers and redirections among it; empty for every other act.
    pub typed: String,
    /// Where each of its words ends in `words`; empty where no shell ran it.
    pub ends: Vec<u32>,
    /// Assignments in front of it.
    pub env: Vec<String>,
    /// Why its status does not show, where it does not.
    pub mask: Option<Mask>,
    /// Whether it runs in a folder for scratch files.
    pub aside: bool,
    /// Whether it runs on another machine or in a container, so that its paths are not this machine's.
    pub elsewhere: bool,
    /// Paths that it changes, in canonical form.
    pub writes: Vec<String>,
    /// Paths that it names otherwise, in canonical form.
    pub reads: Vec<String>,
    /// The folder that it runs in, in canonical form, where it is known.
    pub dir: Option<String>,
    /// Number of its pipeline within its call.
    pub pipeline: u32,
    /// Whether its output goes to a file or nowhere instead of back to the agent.
    pub hidden: bool,
    /// Whether its status is printed rather than shown (`echo $?`).
    pub printed: bool,
}

impl Act {
    /// One that does this and nothing else that is known of it.
    pub(crate) fn plain(effect: Effect, domain: Option<Domain>) -> Self {
        Self {
            effect,
            domain,
            verify: None,
            noop: false,
            masked: false,
            shell: false,
            program: String::new(),
            words: String::new(),
            typed: String::new(),
            ends: Vec::new(),
            env: Vec::new(),
            mask: None,
            aside: false,
            elsewhere: false,
            writes: Vec::new(),
            reads: Vec::new(),
            dir: None,
            pipeline: 0,
            hidden: false,
            printed: false,
        }
    }

    /// Its words, one by one.
    pub fn argv(&self) -> impl Iterator<Item = &str> {
        let mut from = 0;
        self.ends.iter().map(move |end| {
            let end = *end as usize;
            let word = self.words.get(from..end).unwrap_or("");
            from = end + 1;
            word
        })
    }

    /// Whether it changes files under work.
    #[must_use]
    pub fn changes_work(&self) -> bool {
        self.effect == Effect::Mutate && self.domain == Some(Domain::Workspace)
    }
}

/// The acts of a call. `cwd` is the folder that the session works in.
#[must_use]
pub fn deeds(action: &Action<'_>, cwd: Option<&str>) -> Vec<Act> {
    match action {
        Action::Shell {
            command,
            dialect,
            cwd: own,
            ..
        } => shell_acts(command, *dialect, own.as_deref().or(cwd)),
        Action::Read { paths, remote } => {
            let domain = if *remote {
                Domain::Remote
            } else {
                Domain::Workspace
            };
            let mut act = Act::plain(Effect::Read, Some(domain));
            act.reads = paths.iter().map(|path| canonical(path, cwd)).collect();
            vec![act]
        }
        Action::Edit { changes, .. } => vec![edit(changes, cwd)],
        Action::Poll { .. } => vec![Act::plain(Effect::Read, Some(Domain::Environment))],
        Action::Kill { .. } => vec![Act::plain(Effect::Mutate, Some(Domain::Environment))],
        Action::Input { .. } | Action::Propose { .. } | Action::Unknown => {
            vec![Act::plain(Effect::Unknown, None)]
        }
        Action::Delegate { .. } | Action::Neutral | Action::Plan { .. } => {
            vec![Act::plain(Effect::None, None)]
        }
    }
}

fn edit(changes: &[(Cow<'_, str>, Change)], cwd: Option<&str>) -> Act {
    let writes: Vec<String> = changes
        .iter()
        .map(|(path, _)| canonical(path, cwd))
        .collect();
    let scratch = !writes.is_empty() && writes.iter().all(|path| is_scratch(path, cwd));
    let domain = if scratch {
        Domain::Scratch
    } else {
        Domain::Workspace
    };
    let mut act = Act::plain(Effect::Mutate, Some(domain));
    act.writes = writes;
    act
}

fn shell_acts(command: &str, dialect: Dialect, cwd: Option<&str>) -> Vec<Act> {
    let script = match dialect {
        Dialect::Posix => shell::read(command),
        Dialect::PowerShell => shell::read_powershell(command),
    };
    let mut acts: Vec<Act> = script
        .commands
        .iter()
        .take(ACTS)
        .map(|simple| {
            let mut act = shell_act(simple, cwd);
            if act.verify.is_some() {
                let typed = command.get(simple.span.clone()).unwrap_or("");
                // Where its errors went matters to the agent, not to a reader.
                let typed = typed.trim().trim_end_matches("2>&1").trim_end();
                typed.clone_into(&mut act.typed);
            }
            act
        })
        .collect();
    if !script.parsed || script.commands.len() > ACTS {
        let mut act = Act::plain(Effect::Unknown, None);
        act.shell = true;
        act.masked = true;
        acts.push(act);
    }
    acts
}

fn shell_act(simple: &shell::Simple<'_>, cwd: Option<&str>) -> Act {
    let here = simple.cwd.as_deref().map(|own| canonical(own, cwd));
    let here = here.as_deref().or(cwd);
    let mut act = Act::plain(simple.effect, simple.domain);
    if simple.host != Host::Local && act.effect == Effect::Mutate {
        act.domain = Some(Domain::Remote);
    }
    act.elsewhere = simple.host != Host::Local;
    act.verify = simple.verify;
    act.noop = simple.noop;
    act.masked = matches!(simple.status, Visible::Masked(_));
    act.shell = true;
    act.program = simple.program.to_string();
    act.words = simple.words.join(" ");
    act.dir = here.map(|here| canonical(here, None));
    act.pipeline = simple.pipeline;
    act.hidden = simple.redirects.iter().any(|redirect| {
        matches!(redirect.kind, RedirectKind::Write | RedirectKind::Append)
            && redirect.fd.is_none_or(|fd| fd == 1)
    });
    act.printed = simple.status == Visible::Masked(Mask::Printed);
    let mut end = 0;
    for word in &simple.words {
        end += word.len();
        act.ends.push(u32::try_from(end).unwrap_or(u32::MAX));
        end += 1;
    }
    act.env = simple.env.iter().map(ToString::to_string).collect();
    act.mask = match simple.status {
        Visible::Masked(mask) => Some(mask),
        Visible::Shown | Visible::Implied => None,
    };
    let there = git_folder(&act).map(|there| canonical(there, here));
    act.aside = there
        .as_deref()
        .or(here)
        .is_some_and(|here| is_scratch(here, cwd) || here.to_ascii_lowercase().contains("$tmp"));
    for touch in &simple.touches {
        let path = canonical(&touch.path, here);
        if touch.access == Access::Read {
            act.reads.push(path);
        } else {
            act.writes.push(path);
        }
    }
    act
}

/// The folder that git is told to work in: `git -C FOLDER …`.
fn git_folder(act: &Act) -> Option<&str> {
    if act.program != "git" {
        return None;
    }
    let mut words = act.argv().skip(1);
    let mut folder = None;
    while let Some(word) = words.next().filter(|word| word.starts_with('-')) {
        match word {
            "-C" => folder = words.next(),
            "-c" => {
                words.next();
            }
            _ => {}
        }
    }
    folder
}

fn is_scratch(path: &str, cwd: Option<&str>) -> bool {
    let inside_work = cwd.is_some_and(|cwd| path.starts_with(cwd));
    !inside_work && SCRATCH_ROOTS.iter().any(|root| path.starts_with(root))
}

/// A path in one spelling: absolute where the folder is known, `/`-separated, without `.` and
/// resolved `..` components. Nothing is looked up on any disk.
#[must_use]
pub(super) fn canonical(path: &str, cwd: Option<&str>) -> String {
    let path = path.trim().replace('\\', "/");
    let path = path.as_str();
    let drive = path.as_bytes().get(1) == Some(&b':');
    let absolute = path.starts_with('/') || path.starts_with('~') || drive;
    let full = match cwd {
        Some(cwd) if !absolute => format!("{}/{path}", cwd.trim().replace('\\', "/")),
        _ => path.to_owned(),
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in full.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    if full.starts_with('/') {
        format!("/{joined}")
    } else {
        joined
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_have_one_spelling() {
        assert_eq!(canonical("./src/a.rs", Some("/repo")), "/repo/src/a.rs");
        assert_eq!(canonical("/repo/x/../src/a.rs", None), "/repo/src/a.rs");
        assert_eq!(canonical("C:\\w\\a.rs", Some("/repo")), "C:/w/a.rs");
        assert_eq!(canonical("a.rs", None), "a.rs");
        assert_eq!(canonical("../b", Some("/repo/x")), "/repo/b");
    }
}
