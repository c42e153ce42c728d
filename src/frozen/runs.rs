//! The runs that a policy is held against, from transcripts or from the record of an earlier reading.

use std::io::{self, Write};

use rayon::prelude::*;

use super::attempt::{Attempt, Class, SaidTurn, private_of};
use super::reading::{Kin, Reading, Session};
use crate::grade::{hex, session_verdict};
use crate::oracle::Gap;
use crate::record::{Decoder, Encoder, Entry, FileLine, RecordError, Shelve, Slot, Tee};
use crate::source::Found;
use crate::transcript::{FileReport, Format, Glance, Quarantine, Sink, read_file};
use crate::turn::Delegated;

/// Every session of some files that has turns, or that could not be judged.
#[derive(Debug, Default)]
pub struct Runs(pub(super) Vec<FamilyRuns>);

/// What is read of a family.
#[derive(Debug, Default)]
pub(super) struct FamilyRuns {
    /// Its sessions, each with its file's name.
    pub(super) runs: Vec<(String, Attempt)>,
    /// The digest of each of its files.
    pub(super) files: Vec<(String, String)>,
    /// Files that could not be judged, each with why.
    pub(super) dark: Vec<(String, &'static str)>,
    /// Files that are no transcripts, and whose names promised none.
    pub(super) passed_over: u64,
}

impl Runs {
    /// Reads families of files, each in the order in which it is given, and hands their records to a
    /// shelf where there is one.
    #[must_use]
    pub fn read(families: &[Vec<(Found, Glance)>], shelf: Option<&dyn Shelve>) -> Self {
        // Handed out one after the other, so that a record seldom waits for an earlier one.
        let mut all: Vec<(usize, FamilyRuns)> = families
            .iter()
            .enumerate()
            .par_bridge()
            .map(|(number, own)| (number, family(number, own, shelf)))
            .collect();
        all.sort_by_key(|(number, _)| *number);
        Self(all.into_iter().map(|(_, own)| own).collect())
    }

    /// Reads the same from a record.
    ///
    /// # Errors
    /// A record that cannot be read to its end.
    pub fn of_record<R: io::Read>(record: &mut Decoder<R>) -> Result<Self, RecordError> {
        let mut all = Vec::new();
        while let Some(entry) = record.entry()? {
            let Entry::Family(files) = entry else {
                continue;
            };
            let mut reading = FamilyReading::new(files > 1);
            record.family(files, |file, events| {
                reading.file(&file.found(), &file.glance, |sink| events(sink));
            })?;
            all.push(reading.finish());
        }
        Ok(Self(all))
    }

    /// Files that are no transcripts, and whose names promised none.
    #[must_use]
    pub fn passed_over(&self) -> u64 {
        self.0.iter().map(|family| family.passed_over).sum()
    }
}

fn family(number: usize, files: &[(Found, Glance)], shelf: Option<&dyn Shelve>) -> FamilyRuns {
    let mut slot = shelf.map(|shelf| Slot { shelf, number });
    // A compressor that cannot be had keeps nothing, and the record then lacks the family.
    let mut encoder = slot.as_mut().and_then(|slot| Encoder::new(slot).ok());
    let runs = read_family(files, encoder.as_mut());
    drop(encoder.map(Encoder::finish));
    if let Some(shelf) = shelf {
        shelf.end(number);
    }
    runs
}

fn read_family<W: Write>(
    files: &[(Found, Glance)],
    mut encoder: Option<&mut Encoder<W>>,
) -> FamilyRuns {
    if let Some(encoder) = &mut encoder {
        encoder.family(files.len());
    }
    let mut reading = FamilyReading::new(files.len() > 1);
    for (found, glance) in files {
        reading.file(found, glance, |sink| match &mut encoder {
            None => read(found, sink),
            Some(encoder) => {
                encoder.file(FileLine::of(found, glance));
                let report = read(found, &mut Tee { encoder, sink });
                encoder.end(&report);
                report
            }
        });
    }
    reading.finish()
}

fn read(found: &Found, sink: &mut dyn Sink) -> FileReport {
    match found.open() {
        Ok(lines) => read_file(lines, sink),
        Err(fault) => FileReport {
            fault: Some(fault),
            ..FileReport::default()
        },
    }
}

/// A family while its files are read in their order: what an agent did counts for whoever launched
/// it, and what a copy repeats is told once.
struct FamilyReading {
    own: Kin,
    agents: Kin,
    /// Sessions that a client's own file holds.
    kept: Vec<String>,
    read: FamilyRuns,
}

impl FamilyReading {
    fn new(many: bool) -> Self {
        let kin = || Kin {
            many,
            ..Kin::default()
        };
        Self {
            own: kin(),
            agents: kin(),
            kept: Vec::new(),
            read: FamilyRuns::default(),
        }
    }

    fn file(
        &mut self,
        found: &Found,
        glance: &Glance,
        read: impl FnOnce(&mut dyn Sink) -> FileReport,
    ) {
        // An agent's records and its parent's never own each other: a compaction copy would.
        let kin = if glance.subagent {
            &self.agents
        } else {
            &self.own
        };
        let mut reading = Reading::new(kin);
        let report = read(&mut reading);
        let sessions = reading.finish();
        if report.format == Format::Unknown && !found.expected {
            self.read.passed_over += 1;
            return;
        }
        let digest = hex(&report.sha256);
        self.read.files.push((found.name.clone(), digest));
        let mut keys = Vec::new();
        for (index, session) in sessions.into_iter().enumerate() {
            self.launched(&report, &session);
            keys.extend_from_slice(&session.keys);
            self.session(found, &report, &session, index == 0);
        }
        let kin = if glance.subagent {
            &mut self.agents
        } else {
            &mut self.own
        };
        kin.owned.extend(keys);
    }

    /// Notes what an agent did, for whoever launched it.
    fn launched(&mut self, report: &FileReport, session: &Session) {
        let Some(agent) = &report.header.agent else {
            return;
        };
        let did = Delegated {
            agent: agent.clone(),
            acts: session.acts.clone(),
            looked: session.looked,
        };
        self.own.children.insert(agent.clone(), did.clone());
        self.agents.children.insert(agent.clone(), did);
    }

    fn session(&mut self, found: &Found, report: &FileReport, session: &Session, first: bool) {
        let (_, verdict, reason) = session_verdict(report, &session.counts);
        let dark = reason.filter(|_| verdict == "dark");
        let attempt = attempt(session, report, first, dark);
        let id = attempt.session.clone();
        let told = id.as_ref().is_some_and(|id| self.kept.contains(id));
        if report.header.compaction || told && report.format.is_printed() {
            return;
        }
        // Only the first session of a file answers for what is wrong with the file as a whole.
        let wrong = attempt.class != Class::Completed && first;
        if attempt.turns.is_empty() && !wrong {
            return;
        }
        if !report.format.is_printed() && !attempt.turns.is_empty() {
            self.kept.extend(id);
        }
        if let Some(reason) = dark.filter(|_| first) {
            self.read.dark.push((found.name.clone(), reason));
        }
        self.read.runs.push((found.name.clone(), attempt));
    }

    fn finish(mut self) -> FamilyRuns {
        self.read.files.sort();
        self.read
    }
}

fn attempt(
    session: &Session,
    report: &FileReport,
    first: bool,
    dark: Option<&'static str>,
) -> Attempt {
    let header = &report.header;
    let class = match dark {
        Some(reason) => Class::Unresolved(reason),
        None if !report.quarantined.is_empty() => Class::Unresolved("parse"),
        None => Class::Completed,
    };
    let mut turns = session.turns(header.cwd.as_deref());
    if dark.is_some() {
        turns.iter_mut().for_each(torn);
    } else {
        tear(&mut turns, &report.quarantined);
    }
    let name = if first { None } else { session.name.clone() };
    Attempt {
        turns,
        session: name.or_else(|| header.session.clone()),
        private: private_of(header),
        ..Attempt::without_turns(class)
    }
}

/// The call that is missed may stand in what could not be read: in a piece between the beginning of
/// a turn and that of the next one. What stands before the first turn may have begun it.
fn tear(turns: &mut [SaidTurn], pieces: &[Quarantine]) {
    let begins: Vec<u64> = turns.iter().skip(1).map(|turn| turn.lines.0).collect();
    for (at, turn) in turns.iter_mut().enumerate() {
        let first = at.checked_sub(1).and_then(|before| begins.get(before));
        let first = first.copied().unwrap_or(0);
        let next = begins.get(at).copied().unwrap_or(u64::MAX);
        if pieces
            .iter()
            .any(|piece| (first..next).contains(&piece.line))
        {
            torn(turn);
        }
    }
}

fn torn(turn: &mut SaidTurn) {
    turn.deeds.gaps.push(Gap {
        reason: "unknown-record",
        when: None,
    });
}
