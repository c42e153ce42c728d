//! The other checker: a program that is started once, asked one line at a time, and heard with
//! patience that has an end.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::Value;

/// Bytes of one answer at most.
const LONGEST: u64 = 64 << 20;

/// What it said of a case.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Said {
    /// This.
    Answer(Value),
    /// That it cannot judge it.
    Unable,
}

/// What is wrong with the other checker.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PeerError {
    /// Its command is no command line: a quote is open, or there is no word.
    #[error("E_PEER kind=command")]
    Command,
    /// It cannot be started.
    #[error("E_PEER kind=not-started")]
    NotStarted,
    /// It did not answer this case as the protocol says.
    #[error("E_PEER case={case} kind={kind}")]
    Case {
        /// The number of the case among those that were asked, and its name where that is plain.
        case: String,
        /// How not: `died`, `timeout`, `too-long`, `not-json`, `malformed`, `out-of-order`.
        kind: &'static str,
    },
    /// It said more than it was asked, did not end, or said that it failed.
    #[error("E_PEER after=last-case kind={0}")]
    After(&'static str),
}

/// The words of a command line, without a shell: blanks part them, quotes hold them together, and
/// nothing is expanded.
///
/// # Errors
/// No word, or a quote that is not closed.
pub fn words_of(line: &str) -> Result<Vec<String>, PeerError> {
    let (mut words, mut word, mut open) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match (open, c) {
            (Some(quote), c) if c == quote => open = None,
            (None, '\'' | '"') => {
                open = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    if open.is_some() || words.first().is_none_or(String::is_empty) {
        return Err(PeerError::Command);
    }
    Ok(words)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    id: String,
    #[serde(default, deserialize_with = "present")]
    answer: Option<Value>,
    #[serde(default)]
    unable: Option<String>,
}

/// An answer of `null` is one.
fn present<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}

/// What came from the other side.
enum Heard {
    Line(Vec<u8>),
    TooLong,
}

/// The running program; it does not outlive its use.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may be over by itself meanwhile.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts the program and asks it each line; its answers, in order. Its errors go where ours go.
pub(super) fn ask(
    program: &[String],
    asked: Vec<(String, String)>,
    seconds: u64,
) -> Result<Vec<Said>, PeerError> {
    let patience = Duration::from_secs(seconds);
    let (first, arguments) = program.split_first().ok_or(PeerError::Command)?;
    let child = Command::new(first)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let mut running = Running(child.map_err(|_| PeerError::NotStarted)?);
    let (Some(mut input), Some(output)) = (running.0.stdin.take(), running.0.stdout.take()) else {
        return Err(PeerError::NotStarted);
    };
    let (ids, lines): (Vec<String>, Vec<String>) = asked.into_iter().unzip();
    // Both ends at once: a full pipe on one side would hold up the other for good.
    std::thread::spawn(move || {
        for line in lines {
            let sent = input.write_all(line.as_bytes());
            if sent
                .and_then(|()| input.write_all(b"\n"))
                .and_then(|()| input.flush())
                .is_err()
            {
                // That it went away early is told by what it did not answer.
                return;
            }
        }
    });
    let (sender, heard) = channel();
    std::thread::spawn(move || listen(output, &sender));
    let mut said = Vec::with_capacity(ids.len());
    for (at, id) in ids.iter().enumerate() {
        let wrong = |kind| PeerError::Case {
            case: named(at, id),
            kind,
        };
        said.push(next(&heard, id, patience).map_err(wrong)?);
    }
    end(&mut running, &heard, patience).map_err(PeerError::After)?;
    Ok(said)
}

fn listen(output: ChildStdout, sender: &Sender<Heard>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let read = output.by_ref().take(LONGEST).read_until(b'\n', &mut line);
        let heard = match read {
            Ok(0) | Err(_) => return,
            Ok(_) if line.len() as u64 == LONGEST => Heard::TooLong,
            Ok(_) => Heard::Line(line),
        };
        if sender.send(heard).is_err() {
            return;
        }
    }
}

fn next(heard: &Receiver<Heard>, id: &str, patience: Duration) -> Result<Said, &'static str> {
    let line = match heard.recv_timeout(patience) {
        Ok(Heard::Line(line)) => line,
        Ok(Heard::TooLong) => return Err("too-long"),
        Err(RecvTimeoutError::Timeout) => return Err("timeout"),
        Err(RecvTimeoutError::Disconnected) => return Err("died"),
    };
    let value: Value = serde_json::from_slice(&line).map_err(|_| "not-json")?;
    let answer = Answer::deserialize(value).map_err(|_| "malformed")?;
    if answer.id != id {
        return Err("out-of-order");
    }
    match (answer.answer, answer.unable) {
        (Some(answer), None) => Ok(Said::Answer(answer)),
        (None, Some(_)) => Ok(Said::Unable),
        _ => Err("malformed"),
    }
}

fn end(
    running: &mut Running,
    heard: &Receiver<Heard>,
    patience: Duration,
) -> Result<(), &'static str> {
    match heard.recv_timeout(patience) {
        Ok(_) => return Err("too-much"),
        Err(RecvTimeoutError::Timeout) => return Err("timeout"),
        Err(RecvTimeoutError::Disconnected) => {}
    }
    let began = Instant::now();
    loop {
        match running.0.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(_)) | Err(_) => return Err("failed"),
            Ok(None) if began.elapsed() > patience => return Err("timeout"),
            Ok(None) => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}

/// A case by its number, and by its name where that cannot hold anything private or odd.
fn named(at: usize, id: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_/#.".contains(c);
    if id.len() <= 80 && id.chars().all(plain) {
        format!("{} id={id}", at + 1)
    } else {
        (at + 1).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_is_split_without_a_shell() {
        let words = |line: &str| words_of(line).unwrap();
        assert_eq!(words("a  b\tc"), ["a", "b", "c"]);
        assert_eq!(words("'a b' c\"d e\"f \"\""), ["a b", "cd ef", ""]);
        assert_eq!(
            words("a $(b) `c` *|&;>d \\e"),
            ["a", "$(b)", "`c`", "*|&;>d", "\\e"]
        );
        for wrong in ["", "  ", "a 'b", "a \"", "'' a"] {
            assert_eq!(words_of(wrong), Err(PeerError::Command), "{wrong}");
        }
    }

    #[test]
    fn a_name_is_told_only_where_it_is_plain() {
        assert_eq!(named(2, "1/T3#2"), "3 id=1/T3#2");
        assert_eq!(named(2, "a b"), "3");
    }
}
