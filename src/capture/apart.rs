//! Keeps what runs commands apart from what the operator started.
//!
//! Commands can read and signal the process that is their parent. So that is a process of its own: the
//! program once more, without the operator's environment and in a session of its own. The first one
//! only watches it, and ends what is left where a command stopped or killed it. Where the first one is gone,
//! by a key or by a signal, the second ends what it started, removes its copies and goes.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::AsFd;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use rustix::process::{Pid, Signal, WaitOptions, getppid, kill_process, setsid, waitpid};

use super::environment::Variables;
use super::{run, walk, workspace};

/// The only variable that the second process has.
const MARK: &str = "DEEDCHECK_APART";
/// The most that is read of the operator's environment.
const MOST: u64 = 64 << 20;

/// Whether nothing may be started any more.
static OVER: Mutex<bool> = Mutex::new(false);
/// The process that watches this one.
static WATCHER: OnceLock<u32> = OnceLock::new();

/// How a watched run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Watched {
    /// With an exit code.
    Ended(u8),
    /// A command stopped or killed it; what it had started was ended.
    Broken,
}

/// Runs the program, whose file is `own`, once more for a command line that will start commands, and watches it. `None` where
/// it is no such line, or cannot be run once more: then this very process does the work.
#[must_use]
pub fn watch(
    own: &Path,
    argv: &[OsString],
    environment: &Variables,
    temporary: &Path,
) -> Option<Watched> {
    let out = |word: &OsString| word.as_bytes().starts_with(b"--out-private");
    let starts = argv.get(1).is_some_and(|word| word == "capture") && argv.iter().any(out);
    if !starts || is_marked(environment) || WATCHER.get().is_some() {
        return None;
    }
    run::adopt();
    let (name, arguments) = argv.split_first()?;
    let mut child = Command::new(own)
        .arg0(name)
        .args(arguments)
        .env_clear()
        .env(MARK, "1")
        .stdin(Stdio::piped())
        .spawn()
        .ok()?;
    let id = child.id();
    // Held open until this process ends, however it ends.
    let mut line = child.stdin.take()?;
    let mut told = Vec::new();
    for (name, value) in environment.all() {
        told.extend([name.as_bytes(), b"=", value.as_bytes(), b"\0"].concat());
    }
    told.push(0);
    // One that is gone already is told by its end.
    let _ = line.write_all(&told);
    let pid = Pid::from_raw(i32::try_from(id).ok()?)?;
    let ended = loop {
        match waitpid(Some(pid), WaitOptions::UNTRACED) {
            Ok(Some((_, status))) => break status.exit_status(),
            Err(rustix::io::Errno::INTR) | Ok(None) => {}
            Err(_) => break None,
        }
    };
    drop(line);
    if let Some(code) = ended.and_then(|code| u8::try_from(code).ok()) {
        return Some(Watched::Ended(code));
    }
    let _ = kill_process(pid, Signal::KILL);
    run::sweep();
    remove(id, temporary);
    Some(Watched::Broken)
}

fn is_marked(environment: &Variables) -> bool {
    matches!(environment.all(), [(name, _)] if name == MARK)
}

/// The operator's environment, where this process is the second one: it then ends with the first.
#[must_use]
pub fn attended(environment: &Variables, input: &impl AsFd) -> Option<Variables> {
    if !is_marked(environment) {
        return None;
    }
    let _ = setsid();
    run::adopt();
    let mut line = File::from(input.as_fd().try_clone_to_owned().ok()?);
    let told = told(&mut line)?;
    let parent = getppid().and_then(|parent| u32::try_from(parent.as_raw_pid()).ok());
    let _ = WATCHER.set(parent.unwrap_or(0));
    let temporary = told.temporary();
    std::thread::spawn(move || {
        let _ = line.read_to_end(&mut Vec::new());
        leave(&temporary);
    });
    Some(told)
}

/// Reads names and values up to an empty one.
fn told(line: &mut File) -> Option<Variables> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    while !bytes.ends_with(b"\0\0") && bytes != b"\0" {
        let read = line.read(&mut buffer).ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(&buffer[..read]);
        if bytes.len() as u64 > MOST {
            return None;
        }
    }
    let pairs = bytes.split(|byte| *byte == 0).filter_map(|pair| {
        let at = memchr::memchr(b'=', pair)?;
        let own = |bytes: &[u8]| OsString::from_vec(bytes.to_vec());
        Some((own(&pair[..at]), own(&pair[at + 1..])))
    });
    Some(pairs.collect())
}

/// Ends all that was started, removes the copies, and ends this process.
#[expect(clippy::exit, reason = "whoever would be told how this ended is gone")]
fn leave(temporary: &Path) {
    *lock() = true;
    run::sweep();
    remove(std::process::id(), temporary);
    std::process::exit(130);
}

fn lock() -> MutexGuard<'static, bool> {
    OVER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts something, unless all is over: then this thread waits for the end.
pub(super) fn unless_over<T>(start: impl FnOnce() -> T) -> T {
    let over = lock();
    if !*over {
        return start();
    }
    drop(over);
    loop {
        std::thread::park();
    }
}

/// Whether a process is this one or the one that watches it.
pub(super) fn is_own(pid: u32) -> bool {
    pid == std::process::id() || WATCHER.get() == Some(&pid)
}

/// Removes the workspaces of a process that is over.
fn remove(pid: u32, temporary: &Path) {
    let head = workspace::head(pid);
    let is_own = |name: &OsStr| {
        let name = name.as_bytes();
        name.starts_with(head.as_bytes()) && name.ends_with(workspace::TAIL.as_bytes())
    };
    for entry in std::fs::read_dir(temporary).into_iter().flatten().flatten() {
        if is_own(&entry.file_name()) && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            walk::remove(&entry.path());
        }
    }
}
