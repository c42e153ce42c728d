//! Takes the captures of one phase: each declared command once, in a place of its own.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use super::conditions::Conditions;
use super::environment::{Folders, Variables, environment, program};
use super::error::CaptureError;
use super::process;
use super::repository::{Git, Repository, Stance, state};
use super::run::{End, Order, Outcome, Output, run};
use super::store::{
    CAPTURES_SCHEMA, Capture, Captures, FACTS, Keeping, Kept, PROCESSES, Processes, TREE, line,
};
use super::tree::record;
use super::walk::{self, Tree, Way, walk};
use super::workspace::Workspace;
use crate::private::PrivateDir;
use crate::spec::{CaptureSpec, Captured, CommandSpec, Sealed, sha256};

/// One arm as it is bound.
#[derive(Debug, Clone)]
pub struct Arm {
    /// Its id.
    pub id: String,
    /// Its tree as the bindings name it.
    pub named: String,
    /// Its tree.
    pub tree: PathBuf,
    /// The commit that the tree was at.
    pub base: String,
    /// What its client ran commands under; none where the bindings do not tell.
    pub conditions: Option<Conditions>,
}

/// What is to be captured.
#[derive(Debug)]
pub struct Request<'a> {
    /// The spec that declares it.
    pub spec: &'a Sealed,
    /// The id of the run.
    pub run: &'a str,
    /// The phase.
    pub phase: &'a str,
    /// The arm, where one is named.
    pub arm: Option<Arm>,
    /// The captures before the arm.
    pub before: Option<&'a Kept>,
    /// The operator's environment.
    pub variables: &'a Variables,
    /// The folder that temporary ones are made in.
    pub temporary: &'a Path,
}

/// What was captured, in numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Taken {
    /// Runs of commands.
    pub commands: usize,
    /// Those that speak for nothing, as the tree changed.
    pub discarded: Vec<String>,
    /// Those that were ended as their time was over.
    pub timed_out: usize,
    /// Those that could not be started.
    pub not_started: usize,
    /// Facts for keys.
    pub facts: usize,
}

/// What a phase holds, in the spec's order, each command once for each of its conditions.
///
/// # Errors
/// `E_CAPTURE`: nothing is declared for the phase, an arm is needed and none named, or the captures
/// before it are not those that they must be.
pub fn plan<'s>(
    request: &Request<'s>,
) -> Result<Vec<(&'s CaptureSpec, Option<&'static str>)>, CaptureError> {
    let mut steps = Vec::new();
    for capture in &request.spec.spec.captures {
        if !capture.phases.contains(&request.phase) {
            continue;
        }
        if capture.of_tree() && request.arm.is_none() {
            return Err(CaptureError::new("--arm", "missing"));
        }
        match &capture.what {
            Captured::Command(command) => {
                steps.extend(command.conditions.iter().map(|at| (capture, Some(*at))));
            }
            Captured::Processes | Captured::Tree { .. } => steps.push((capture, None)),
        }
    }
    if steps.is_empty() {
        return Err(CaptureError::new("--phase", "nothing"));
    }
    before(request)?;
    Ok(steps)
}

/// After an arm there is always a capture before it, of the same run, spec and arm: what changed
/// could not be told otherwise.
fn before(request: &Request<'_>) -> Result<(), CaptureError> {
    let wrong = |kind| Err(CaptureError::new("--after", kind));
    let Some(before) = request.before else {
        return match request.phase {
            "post-arm" => wrong("missing"),
            _ => Ok(()),
        };
    };
    let arm = request.arm.as_ref().map(|arm| arm.id.as_str());
    if request.phase != "post-arm" {
        wrong("unused")
    } else if before.about.spec != request.spec.seal {
        wrong("other-spec")
    } else if before.about.run != request.run {
        wrong("other-run")
    } else if before.about.phase != "pre-arm" {
        wrong("other-phase")
    } else if before.about.arm.as_deref() != arm {
        wrong("other-arm")
    } else {
        Ok(())
    }
}

/// Takes the captures of a phase and keeps them.
///
/// # Errors
/// As for [`plan`]; and where the tree cannot be read, the workspace or the private directory not
/// written, or a variable would tell a secret. What commands do is no error: it is recorded.
pub fn take(request: &Request<'_>, dir: PrivateDir) -> Result<Taken, CaptureError> {
    let steps = plan(request)?;
    let tree = match &request.arm {
        Some(arm) => Some(
            fs::canonicalize(&arm.tree)
                .ok()
                .filter(|tree| tree.is_dir())
                .ok_or(CaptureError::new("tree", "missing"))?,
        ),
        None => None,
    };
    let workspace = Workspace::new(request.temporary, tree.as_deref())?;
    let git = git(request, tree.as_deref(), &workspace)?;
    if steps.iter().any(|(capture, _)| capture.sees_repository()) {
        // Refused before anything runs: a command that finds no history where it is to see one tells
        // another story.
        let repository = tree.as_deref().and_then(Repository::of);
        let readable = repository.is_some_and(|own| own.is_readable());
        if !readable || git.is_none() {
            let kind = if readable { "no-git" } else { "unreadable" };
            return Err(CaptureError::new("repository", kind));
        }
    }
    let mut taking = Taking {
        request,
        tree,
        workspace,
        git,
        keeping: Keeping::new(dir),
        state: None,
        facts: BTreeMap::new(),
        taken: Taken::default(),
    };
    for (capture, condition) in steps {
        match (&capture.what, condition) {
            (Captured::Command(command), Some(condition)) => {
                taking.command(capture, command, condition)?;
            }
            (Captured::Tree { keep }, _) => taking.tree(keep)?,
            _ => taking.processes()?,
        }
    }
    taking.end()
}

/// Our own git, where there is one.
fn git(
    request: &Request<'_>,
    tree: Option<&Path>,
    workspace: &Workspace,
) -> Result<Option<Git>, CaptureError> {
    let path = request.variables.path(tree);
    let place = workspace.place()?;
    let Some(program) = program(OsStr::new("git"), &path, &place) else {
        return Ok(None);
    };
    let folders = Folders {
        workspace: &place,
        tree,
    };
    let environment = environment(request.variables, &folders, &[], &[], request.run)?;
    Ok(Some(Git {
        program,
        environment,
    }))
}

pub(super) struct Taking<'a> {
    pub(super) request: &'a Request<'a>,
    pub(super) tree: Option<PathBuf>,
    pub(super) workspace: Workspace,
    pub(super) git: Option<Git>,
    pub(super) keeping: Keeping,
    /// The tree's state as the phase began.
    pub(super) state: Option<String>,
    facts: BTreeMap<String, Value>,
    taken: Taken,
}

/// How a run came to be that did not.
type Never = &'static str;

impl Taking<'_> {
    /// What the repository of the tree says, where there is one that can be read.
    pub(super) fn stance(&self) -> Result<Stance, CaptureError> {
        let repository = self.tree.as_deref().and_then(Repository::of);
        match (&self.git, repository) {
            (Some(git), Some(repository)) => {
                let at = self.workspace.place()?.join("git");
                let stance = repository.stance(&at, git);
                walk::remove(&at);
                stance
            }
            _ => Ok(Stance::default()),
        }
    }

    /// The tree as it stands, copied where a copy is asked for.
    pub(super) fn look(&self, to: Option<&Path>) -> Result<(Tree, Stance, String), CaptureError> {
        let home = self.tree.as_deref();
        let home = home.ok_or(CaptureError::new("--arm", "missing"))?;
        let fresh = true;
        let tree = walk(home, Way { to, fresh, home })?;
        let stance = self.stance()?;
        let state = state(&tree.digest(), &stance);
        Ok((tree, stance, state))
    }

    fn command(
        &mut self,
        capture: &CaptureSpec,
        command: &CommandSpec,
        condition: &str,
    ) -> Result<(), CaptureError> {
        let place = self.workspace.place()?;
        let folders = Folders {
            workspace: &place,
            tree: self.tree.as_deref(),
        };
        let folder = folders.make()?;
        let mut copied = None;
        let mut never: Option<Never> = None;
        match command.place {
            "tree" => copied = Some(self.copy(command, &folder)?),
            "base" => never = self.export(&folder)?,
            _ => {}
        }
        let before = copied.as_ref().map(|(_, state)| state.clone());
        let earlier = self.request.before;
        let earlier = earlier.and_then(|before| before.command(&capture.id, condition));
        let earlier = earlier.and_then(|earlier| earlier.tree_before.clone());
        let other = |than: &Option<String>| than.is_some() && before.is_some() && *than != before;
        // Neither another tree than before the arm is asked, nor one that changed since the phase began.
        let mut changed = other(&earlier) || other(&self.state);
        if self.state.is_none() {
            self.state.clone_from(&before);
        }
        if changed {
            never = Some("discarded");
        }
        let arm = self.request.arm.as_ref().filter(|_| condition == "arm");
        let conditions = arm.and_then(|arm| arm.conditions.as_ref());
        let outcome = match never {
            Some(why) => Err(why),
            None => self.ran(command, conditions, &folders, &folder)?,
        };
        walk::remove(&place);
        let after = match &before {
            Some(_) => Some(self.look(None)?.2),
            None => None,
        };
        changed |= before != after;
        let verified = condition == "plain" || conditions.is_some_and(|own| own.verified);
        let skipped = copied.map(|(tree, _)| tree.odd()).unwrap_or_default();
        let mut row = told(outcome, command);
        row.id.clone_from(&capture.id);
        self.request.phase.clone_into(&mut row.phase);
        condition.clone_into(&mut row.condition);
        row.tree_before = before;
        row.tree_after = after;
        row.discarded = changed.then(|| "tree-changed".to_owned());
        row.verified = verified;
        row.skipped = skipped
            .into_iter()
            .map(|(kind, count)| (kind.to_owned(), count))
            .collect();
        self.keep(&row, command)
    }

    /// Copies the tree, with a repository where the command is to see one.
    fn copy(&self, command: &CommandSpec, to: &Path) -> Result<(Tree, String), CaptureError> {
        let (tree, _, state) = self.look(Some(to))?;
        let repository = self.tree.as_deref().filter(|_| command.repository);
        let repository = repository.and_then(Repository::of);
        if let (Some(git), Some(repository)) = (&self.git, repository) {
            repository.neutral(&to.join(".git"), false, git)?;
        }
        Ok((tree, state))
    }

    /// Writes the commit that the tree was at; why not, where that cannot be.
    fn export(&self, to: &Path) -> Result<Option<Never>, CaptureError> {
        let repository = self.tree.as_deref().and_then(Repository::of);
        let arm = self.request.arm.as_ref();
        let (Some(git), Some(repository), Some(arm)) = (&self.git, repository, arm) else {
            return Ok(Some("no-base"));
        };
        let at = self.workspace.place()?.join("git");
        let exported = repository.export(&arm.base, &at, to, git);
        walk::remove(&at);
        Ok(exported?.map_or(Some("no-base"), |()| None))
    }

    fn ran(
        &self,
        command: &CommandSpec,
        conditions: Option<&Conditions>,
        folders: &Folders<'_>,
        folder: &Path,
    ) -> Result<Result<Outcome, Never>, CaptureError> {
        let set: Vec<(String, String)> = conditions
            .map(|own| own.variables.clone().into_iter().collect())
            .unwrap_or_default();
        let variables = self.request.variables;
        let listed = &command.variables;
        let environment = environment(variables, folders, listed, &set, self.request.run)?;
        let through = conditions.map_or(&[][..], |own| &own.through);
        let argv: Vec<OsString> = through
            .iter()
            .chain(&command.argv)
            .map(OsString::from)
            .collect();
        let path = variables.path(folders.tree);
        let Some(program) = argv.first().and_then(|word| program(word, &path, folder)) else {
            return Ok(Err("not-found"));
        };
        Ok(Ok(run(Order {
            program: &program,
            argv: &argv,
            folder,
            environment: &environment,
            input: None,
            merged: command.output == "merged",
            limit: Duration::from_secs(u64::from(command.seconds)),
            keep: usize::try_from(command.bytes).unwrap_or(usize::MAX),
        })))
    }

    fn keep(&mut self, row: &Capture, command: &CommandSpec) -> Result<(), CaptureError> {
        self.taken.commands += 1;
        if row.discarded.is_some() {
            self.taken
                .discarded
                .push(format!("{} under {}", row.id, row.condition));
        }
        self.taken.timed_out += usize::from(row.timed_out);
        let started = !matches!(
            row.without_exit.as_deref(),
            Some("not-started" | "not-found")
        );
        self.taken.not_started += usize::from(!started);
        let whole = row.exit == Some(0) && !row.cut && row.discarded.is_none();
        // What is no UTF-8 was replaced, and then its digest is another.
        let text = sha256(row.stdout.as_bytes()) == row.sha256;
        if let Some(fact) = &command.fact
            && whole
            && text
        {
            self.facts.insert(fact.clone(), row.stdout.clone().into());
            self.taken.facts += 1;
        }
        let name = format!("capture-{}-{}.json", row.id, row.condition);
        self.keeping.write(&name, &line(row)?)
    }

    fn tree(&mut self, keep: &[String]) -> Result<(), CaptureError> {
        let (record, files) = record(self, keep)?;
        for (name, bytes) in files {
            self.keeping.write(&name, &bytes)?;
        }
        self.keeping.write(TREE, &line(&record)?)
    }

    /// The processes there are; after an arm only those that were not there before it. One is told
    /// from another of the same id by its beginning.
    fn processes(&mut self) -> Result<(), CaptureError> {
        let Some(mut list) = process::list() else {
            return Ok(());
        };
        let earlier = self.request.before;
        let earlier = earlier.and_then(|before| before.processes.as_ref());
        if let Some(earlier) = earlier {
            list.retain(|one| {
                let same =
                    |other: &&process::Process| (other.pid, &other.start) == (one.pid, &one.start);
                earlier.list.iter().find(same).is_none()
            });
        }
        let since_before = earlier.is_some();
        let processes = Processes { since_before, list };
        self.keeping.write(PROCESSES, &line(&processes)?)
    }

    fn end(mut self) -> Result<Taken, CaptureError> {
        if !self.facts.is_empty() {
            let schema = "deedcheck/facts/1";
            let facts = json!({
                "schema": schema, "phase": self.request.phase, "facts": self.facts,
            });
            self.keeping.write(FACTS, &line(&facts)?)?;
        }
        self.keeping.publish(Captures {
            schema: CAPTURES_SCHEMA.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            spec: self.request.spec.seal.clone(),
            run: self.request.run.to_owned(),
            phase: self.request.phase.to_owned(),
            arm: self.request.arm.as_ref().map(|arm| arm.id.clone()),
            files: BTreeMap::new(),
            seal: String::new(),
        })?;
        Ok(self.taken)
    }
}

/// What became of a command, as it is kept.
fn told(outcome: Result<Outcome, Never>, command: &CommandSpec) -> Capture {
    let (outcome, never) = match outcome {
        Ok(outcome) => (Some(outcome), None),
        Err(why) => (None, Some(why)),
    };
    let end = outcome.as_ref().map(|outcome| outcome.end);
    let without = match end {
        Some(End::TimedOut) => Some("timed-out"),
        Some(End::NotStarted) => Some("not-started"),
        _ => never,
    };
    let nothing = Output {
        sha256: sha256(b""),
        ..Output::default()
    };
    let left = outcome.as_ref().map_or(0, |outcome| outcome.left);
    let (out, err) = match outcome {
        Some(outcome) if end != Some(End::NotStarted) => (outcome.out, outcome.err),
        _ => (nothing, None),
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let kept = u64::try_from(out.kept.len()).unwrap_or(u64::MAX);
    Capture {
        id: String::new(),
        phase: String::new(),
        condition: String::new(),
        argv: command.argv.clone(),
        exit: match end {
            Some(End::Exit(code)) => Some(code),
            _ => None,
        },
        signal: match end {
            Some(End::Signal(signal)) => Some(signal),
            _ => None,
        },
        without_exit: without.map(str::to_owned),
        stdout: text(&out.kept),
        cut: kept < out.bytes,
        bytes: out.bytes,
        sha256: out.sha256,
        stderr: err.map(|err| text(&err.kept)),
        tree_before: None,
        tree_after: None,
        discarded: None,
        timed_out: end == Some(End::TimedOut),
        verified: false,
        left,
        skipped: BTreeMap::new(),
    }
}
