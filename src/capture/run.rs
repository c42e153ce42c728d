//! Runs one program with bounds on everything: its time, its output, its children.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{PipeReader, Read as _, Write as _, pipe};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions};
use sha2::{Digest as _, Sha256};

use super::apart::unless_over;
use super::process;
use super::walk::hex;

/// How long output may still come once everything that could write it was ended.
const GRACE: Duration = Duration::from_secs(3);
/// How long is slept between two looks.
const PAUSE: Duration = Duration::from_millis(5);
/// How often what is left over is looked for.
const ROUNDS: u32 = 400;

/// A program to be run.
pub(super) struct Order<'a> {
    /// The program's file.
    pub(super) program: &'a Path,
    /// The name that it is told, and its arguments.
    pub(super) argv: &'a [OsString],
    /// The folder that it runs in.
    pub(super) folder: &'a Path,
    /// All of its environment.
    pub(super) environment: &'a [(OsString, OsString)],
    /// What it reads.
    pub(super) input: Option<Vec<u8>>,
    /// Whether its two outputs are one.
    pub(super) merged: bool,
    /// How long it may take.
    pub(super) limit: Duration,
    /// How many bytes of an output are kept.
    pub(super) keep: usize,
}

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// With an exit code.
    Exit(i32),
    /// By a signal that we did not send.
    Signal(i32),
    /// It was ended as its time was over.
    TimedOut,
    /// It could not be started.
    NotStarted,
}

/// What a program wrote.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Output {
    /// Its beginning.
    pub(super) kept: Vec<u8>,
    /// How many bytes there were.
    pub(super) bytes: u64,
    /// The digest of all of them.
    pub(super) sha256: String,
}

/// What became of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Outcome {
    /// How it ended.
    pub(super) end: End,
    /// Its standard output, or both outputs.
    pub(super) out: Output,
    /// Its standard error, where it is told apart.
    pub(super) err: Option<Output>,
    /// Processes that outlived it and were ended.
    pub(super) left: u64,
}

/// Runs a program to its end, to the end of its time or to none at all. Afterwards nothing that it
/// started is there any more, as far as a process can be ended.
///
/// Everything that descends from this very process is taken for the program's: no two run at once.
pub(super) fn run(order: Order<'_>) -> Outcome {
    adopt();
    let nothing = |end| Outcome {
        end,
        out: Output::default(),
        err: None,
        left: 0,
    };
    let Some((mut child, out, err)) = unless_over(|| start(&order)) else {
        return nothing(End::NotStarted);
    };
    let out = Gathering::begin(out, order.keep);
    let err = err.map(|err| Gathering::begin(err, order.keep));
    if let (Some(bytes), Some(mut input)) = (order.input, child.stdin.take()) {
        std::thread::spawn(move || {
            // A child that goes away early is told by its exit status.
            let _ = input.write_all(&bytes);
        });
    }
    let end = wait(&mut child, order.limit);
    let left = clear(Some(&child));
    unless_over(|| ());
    Outcome {
        end,
        out: out.end(),
        err: err.map(Gathering::end),
        left,
    }
}

/// Children whose parent ended become ours, so that none is lost sight of; and nobody without
/// rights of his own reads the operator's environment out of this process.
pub(super) fn adopt() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{DumpableBehavior, set_child_subreaper, set_dumpable_behavior};
        // Where the system knows neither, the process group is all there is.
        let _ = set_child_subreaper(Some(rustix::process::getpid()));
        let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    }
}

fn start(order: &Order<'_>) -> Option<(Child, PipeReader, Option<PipeReader>)> {
    let (name, arguments) = order.argv.split_first()?;
    let (out, to_out) = pipe().ok()?;
    let mut command = Command::new(order.program);
    command
        .arg0(name)
        .args(arguments)
        .current_dir(order.folder)
        .env_clear()
        .envs(order.environment.iter().map(|(name, value)| (name, value)))
        .process_group(0)
        .stdin(match order.input {
            Some(_) => Stdio::piped(),
            None => Stdio::null(),
        });
    let err = if order.merged {
        command.stderr(to_out.try_clone().ok()?);
        None
    } else {
        let (err, to_err) = pipe().ok()?;
        command.stderr(to_err);
        Some(err)
    };
    command.stdout(to_out);
    // The command holds the ends that are written to, and goes here: else nobody would ever read
    // the end of the output.
    let child = command.spawn().ok()?;
    Some((child, out, err))
}

fn wait(child: &mut Child, limit: Duration) -> End {
    let begun = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => {
                let signal = status.signal().map(End::Signal);
                return status
                    .code()
                    .map_or(signal.unwrap_or(End::NotStarted), End::Exit);
            }
            Ok(None) if begun.elapsed() < limit => std::thread::sleep(PAUSE),
            _ => {
                group(child);
                // It may be over by itself meanwhile.
                let _ = child.kill();
                // What the system itself does not let go of is not waited for.
                let asked = Instant::now();
                while matches!(child.try_wait(), Ok(None)) && asked.elapsed() < GRACE {
                    std::thread::sleep(PAUSE);
                }
                return End::TimedOut;
            }
        }
    }
}

/// Ends the program's process group.
fn group(child: &Child) {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    if let Some(pid) = pid {
        let _ = rustix::process::kill_process_group(pid, Signal::KILL);
    }
}

/// Ends what is left of a program that has ended, and says how many processes that were. One that
/// left the group is found by its descent.
fn clear(child: Option<&Child>) -> u64 {
    let own = std::process::id();
    let mut ended = BTreeSet::new();
    for round in 0..ROUNDS {
        // The program itself was waited for, so that whoever is waited for here is another.
        while let Ok(Some(_)) = rustix::process::wait(WaitOptions::NOHANG) {}
        let left = process::descendants(own);
        for one in left.iter().filter(|one| !one.over) {
            ended.insert((one.pid, one.started));
            if let Some(pid) = i32::try_from(one.pid).ok().and_then(Pid::from_raw) {
                let _ = rustix::process::kill_process(pid, Signal::KILL);
            }
        }
        if let Some(child) = child.filter(|_| round == 0) {
            group(child);
        }
        if left.is_empty() {
            break;
        }
        std::thread::sleep(PAUSE);
    }
    u64::try_from(ended.len()).unwrap_or(u64::MAX)
}

/// Ends whatever descends from this process.
pub(super) fn sweep() {
    clear(None);
}

/// An output that is being read.
struct Gathering {
    sink: Arc<Mutex<Sink>>,
    over: Receiver<()>,
}

#[derive(Default)]
struct Sink {
    kept: Vec<u8>,
    bytes: u64,
    hasher: Sha256,
}

impl Gathering {
    fn begin(mut from: PipeReader, keep: usize) -> Self {
        let sink: Arc<Mutex<Sink>> = Arc::default();
        let (sender, over) = channel();
        let shared = Arc::clone(&sink);
        std::thread::spawn(move || {
            let mut buffer = vec![0; 1 << 16];
            loop {
                let read = match from.read(&mut buffer) {
                    Ok(0) => break,
                    Ok(read) => read,
                    Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                    Err(_) => break,
                };
                let mut sink = shared.lock().unwrap_or_else(PoisonError::into_inner);
                let room = keep.saturating_sub(sink.kept.len());
                sink.kept.extend_from_slice(&buffer[..read.min(room)]);
                sink.bytes += u64::try_from(read).unwrap_or(u64::MAX);
                sink.hasher.update(&buffer[..read]);
            }
            let _ = sender.send(());
        });
        Self { sink, over }
    }

    /// What was read. Where somebody holds the other end for good, it is what came so far.
    fn end(self) -> Output {
        let _ = self.over.recv_timeout(GRACE);
        let sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        Output {
            kept: sink.kept.clone(),
            bytes: sink.bytes,
            sha256: hex(&sink.hasher.clone().finalize()),
        }
    }
}
