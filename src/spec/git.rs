//! Content of git commits, asked of `git` itself: for freezing, sealing and keys, never while grading.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use super::error::SpecError;
use super::fields::{is_hex, is_relative};

/// Bytes that are read of all files together.
const MOST: u64 = 1 << 30;
/// How long `git` may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// What would lead `git` to another repository, other objects or other content than the named
/// commit's.
const MISLEADING: [&str; 12] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
    "GIT_CONFIG",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_SHALLOW_FILE",
    "GIT_GRAFT_FILE",
];

/// A repository to read from.
#[derive(Debug, Clone)]
pub struct Git {
    repo: PathBuf,
    program: PathBuf,
    patience: Duration,
}

/// A file of a commit.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wanted {
    /// The commit: 40 hexadecimal digits.
    pub commit: String,
    /// The path in it, `/`-separated.
    pub path: String,
}

impl Git {
    /// The repository at a path.
    #[must_use]
    pub fn at(repo: &Path) -> Self {
        Self {
            repo: repo.to_owned(),
            program: PathBuf::from("git"),
            patience: PATIENCE,
        }
    }

    /// The bytes of each file; `None` where the commit, or the file in it, is not there.
    ///
    /// # Errors
    /// `E_GIT` when `git` cannot be run or refuses (`failed`), takes too long (`timeout`), or
    /// answers what cannot be read (`malformed`).
    pub fn files(&self, wanted: &[Wanted]) -> Result<Vec<Option<Vec<u8>>>, SpecError> {
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let mut asked = String::new();
        for one in wanted {
            if !is_hex(&one.commit, 40) || !is_relative(&one.path) {
                return Err(SpecError::Git("malformed"));
            }
            asked.push_str(&one.commit);
            asked.push(':');
            asked.push_str(&one.path);
            asked.push('\n');
        }
        let answered = self.ask(asked)?;
        let mut rest = answered.as_slice();
        let mut files = Vec::with_capacity(wanted.len());
        for _ in wanted {
            files.push(next(&mut rest).ok_or(SpecError::Git("malformed"))?);
        }
        if rest.is_empty() {
            Ok(files)
        } else {
            Err(SpecError::Git("malformed"))
        }
    }

    /// Whether there is such a commit.
    ///
    /// # Errors
    /// `E_GIT`, as for [`Git::files`]; `failed` where there is no repository.
    pub fn has_commit(&self, commit: &str) -> Result<bool, SpecError> {
        if !is_hex(commit, 40) {
            return Err(SpecError::Git("malformed"));
        }
        let answered = self.ask(format!("{commit}\n"))?;
        let end = memchr::memchr(b'\n', &answered).ok_or(SpecError::Git("malformed"))?;
        let head = std::str::from_utf8(&answered[..end]).unwrap_or("");
        Ok(head.split(' ').nth(1) == Some("commit"))
    }

    fn ask(&self, asked: String) -> Result<Vec<u8>, SpecError> {
        let failed = SpecError::Git("failed");
        let mut command = Command::new(&self.program);
        for name in MISLEADING {
            command.env_remove(name);
        }
        let mut child = command
            .arg("-C")
            .arg(&self.repo)
            // A link's own bytes are the path that it points to, which is nobody's pinned content.
            .args(["cat-file", "--batch", "--follow-symlinks"])
            // A replacement would put other content under the pinned commit's name, and a lazy
            // fetch would leave this machine.
            .env("GIT_NO_REPLACE_OBJECTS", "1")
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("LC_ALL", "C")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|_| failed.clone())?;
        let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed);
        };
        // Both ends at once: a full pipe on one side would hold up the other for good.
        std::thread::spawn(move || {
            // A child that goes away early is told by its exit status.
            let _ = input.write_all(asked.as_bytes());
        });
        let (sender, receiver) = mpsc::channel();
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let read = output.take(MOST).read_to_end(&mut bytes);
            let _ = sender.send(read.map(|_| bytes));
        });
        let Ok(read) = receiver.recv_timeout(self.patience) else {
            end(&mut child);
            return Err(SpecError::Git("timeout"));
        };
        match (read, child.wait()) {
            (Ok(bytes), Ok(status)) if status.success() => Ok(bytes),
            _ => Err(failed),
        }
    }
}

/// Ends a child that is no longer waited for.
fn end(child: &mut Child) {
    // It may be over by itself meanwhile.
    let _ = child.kill();
    let _ = child.wait();
}

/// The next answer: `None` where it cannot be read, an inner `None` where nothing is there.
fn next(rest: &mut &[u8]) -> Option<Option<Vec<u8>>> {
    let end = memchr::memchr(b'\n', rest)?;
    let head = std::str::from_utf8(&rest[..end]).ok()?;
    *rest = &rest[end + 1..];
    if head.ends_with(" missing") {
        return Some(None);
    }
    let mut words = head.split(' ');
    let first = words.next()?;
    // A link that leads out of the tree, to nothing, to itself, or through a file: `symlink SIZE`.
    let astray = ["symlink", "dangling", "loop", "notdir"].contains(&first);
    let kind = if astray { first } else { words.next()? };
    let size: usize = words.next()?.parse().ok()?;
    let content = rest.get(..size)?;
    if rest.get(size) != Some(&b'\n') || words.next().is_some() {
        return None;
    }
    *rest = &rest[size + 1..];
    Some((kind == "blob").then(|| content.to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted() -> Vec<Wanted> {
        vec![Wanted {
            commit: "0".repeat(40),
            path: "a".to_owned(),
        }]
    }

    fn scripted(dir: &Path, script: &str) -> Git {
        let program = dir.join("git");
        // Written by another process: a program that this one has open for writing, or had when
        // another test's thread forked, cannot be started (`ETXTBSY`).
        let written = Command::new("sh")
            .args([
                "-c",
                "printf '#!/bin/sh\\n%s\\n' \"$1\" > \"$0\" && chmod 700 \"$0\"",
            ])
            .arg(&program)
            .arg(script)
            .status();
        assert!(written.is_ok_and(|status| status.success()));
        Git {
            repo: dir.to_owned(),
            program,
            patience: Duration::from_millis(2000),
        }
    }

    #[test]
    fn what_git_answers_is_read_to_the_end() {
        let mut answer: &[u8] = b"aa blob 3\na\nb\n0:x y missing\nbb tree 0\n\ncc blob 0\n\n";
        assert_eq!(next(&mut answer), Some(Some(b"a\nb".to_vec())));
        assert_eq!(next(&mut answer), Some(None));
        assert_eq!(next(&mut answer), Some(None));
        assert_eq!(next(&mut answer), Some(Some(Vec::new())));
        assert!(answer.is_empty());
        for broken in ["aa blob 9\nabc\n", "aa blob x\n", "aa blob 3\nabcd\n", "aa"] {
            assert_eq!(next(&mut broken.as_bytes()), None, "{broken}");
        }
    }

    #[test]
    fn a_commit_is_there_or_not() {
        let dir = tempfile::tempdir().unwrap();
        let has = |script: &str| scripted(dir.path(), script).has_commit(&"0".repeat(40));
        assert_eq!(has("printf '0 commit 3\\nabc\\n'"), Ok(true));
        assert_eq!(has("printf '0 tree 3\\nabc\\n'"), Ok(false));
        assert_eq!(has("printf '0 missing\\n'"), Ok(false));
        assert_eq!(has("exit 128"), Err(SpecError::Git("failed")));
        let named = Git::at(dir.path()).has_commit("HEAD");
        assert_eq!(named, Err(SpecError::Git("malformed")));
    }

    #[test]
    fn each_way_of_not_answering_has_its_reason() {
        let dir = tempfile::tempdir().unwrap();
        let reason = |script: &str| scripted(dir.path(), script).files(&wanted()).unwrap_err();
        assert_eq!(reason("exit 3"), SpecError::Git("failed"));
        assert_eq!(reason("echo so what"), SpecError::Git("malformed"));
        assert_eq!(reason("exec sleep 30"), SpecError::Git("timeout"));
        let nowhere = Git::at(&dir.path().join("none"));
        assert_eq!(nowhere.files(&wanted()), Err(SpecError::Git("failed")));
        let odd = vec![Wanted {
            commit: "HEAD".to_owned(),
            path: "a".to_owned(),
        }];
        assert_eq!(nowhere.files(&odd), Err(SpecError::Git("malformed")));
    }
}
