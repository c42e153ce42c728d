//! Which processes there are, as the system's own list says.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::apart::is_own;

/// A process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Process {
    /// Its id.
    pub pid: u32,
    /// The id of the process that started it, or that adopted it.
    pub ppid: u32,
    /// The name of its program, of at most fifteen bytes.
    pub comm: String,
    /// When it began, such as `2026-03-02T09:00:00Z`.
    pub start: String,
}

/// A process as far as it has to be ended.
pub(super) struct Running {
    /// Its id.
    pub(super) pid: u32,
    /// When it began, in ticks since the system did.
    pub(super) started: u64,
    /// Whether it has ended and nobody asked how.
    pub(super) over: bool,
    ppid: u32,
    comm: String,
}

/// The fields of a line of `/proc/PID/stat`. The name may hold anything, brackets too.
fn parsed(line: &str) -> Option<Running> {
    let (head, rest) = line.rsplit_once(')')?;
    let (pid, comm) = head.split_once('(')?;
    let mut fields = rest.split_ascii_whitespace();
    let state = fields.next()?;
    let ppid = fields.next()?.parse().ok()?;
    // The twenty-second field of all; the first three are behind us, and one more.
    let started = fields.nth(17)?.parse().ok()?;
    Some(Running {
        pid: pid.trim().parse().ok()?,
        started,
        over: matches!(state, "Z" | "X"),
        ppid,
        comm: comm.to_owned(),
    })
}

fn running() -> Option<Vec<Running>> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir("/proc").ok()?.flatten() {
        let name = entry.file_name();
        let digits = name.as_encoded_bytes().iter().all(u8::is_ascii_digit);
        if !digits {
            continue;
        }
        // One that has ended meanwhile is none.
        if let Ok(bytes) = std::fs::read(entry.path().join("stat"))
            && let Some(one) = parsed(&String::from_utf8_lossy(&bytes))
        {
            all.push(one);
        }
    }
    all.sort_by_key(|one| one.pid);
    Some(all)
}

/// Whatever descends from a process.
pub(super) fn descendants(of: u32) -> Vec<Running> {
    let all = running().unwrap_or_default();
    let mut found = BTreeSet::from([of]);
    loop {
        let before = found.len();
        for one in &all {
            if found.contains(&one.ppid) {
                found.insert(one.pid);
            }
        }
        if found.len() == before {
            break;
        }
    }
    found.remove(&of);
    let mut all = all;
    all.retain(|one| found.contains(&one.pid));
    all
}

/// Every process but this one and the one that watches it; `None` where the system tells none.
pub(super) fn list() -> Option<Vec<Process>> {
    let stat = std::fs::read_to_string("/proc/stat").ok()?;
    let line = stat.lines().find_map(|line| line.strip_prefix("btime "))?;
    let booted: u64 = line.trim().parse().ok()?;
    let ticks = rustix::param::clock_ticks_per_second().max(1);
    let all = running()?.into_iter().filter(|one| !is_own(one.pid));
    let told = all.map(|one| Process {
        pid: one.pid,
        ppid: one.ppid,
        comm: one.comm,
        start: utc(booted + one.started / ticks),
    });
    Some(told.collect())
}

/// Seconds since 1970 as a time in UTC.
fn utc(seconds: u64) -> String {
    let (mut days, rest) = (seconds / 86_400, seconds % 86_400);
    let leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let mut year = 1970;
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let february = 28 + u64::from(leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    let day = days + 1;
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_767_225_599, "2025-12-31T23:59:59Z"),
            (1_767_225_600, "2026-01-01T00:00:00Z"),
        ] {
            assert_eq!(utc(seconds), text);
        }
    }

    #[test]
    fn a_name_with_brackets_and_spaces_is_read() {
        let rest = (4..22).map(|n| n.to_string()).collect::<Vec<_>>().join(" ");
        let one = parsed(&format!("41 (a) b (c) S {rest} 777 9")).unwrap();
        assert_eq!((one.pid, one.ppid, one.started), (41, 4, 777));
        assert_eq!((one.comm.as_str(), one.over), ("a) b (c", false));
        assert!(parsed("41 (a").is_none());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_list_tells_of_others_and_not_of_this_one() {
        let all = list().unwrap();
        assert!(all.iter().all(|one| one.pid != std::process::id()));
        assert!(all.iter().any(|one| one.pid == 1));
    }
}
