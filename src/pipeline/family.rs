//! Families: a root session, its subagents, and the copies that resuming and forking make.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Seek as _, Write};

use rayon::prelude::*;

use super::policy::Policy;
use super::session::{FileGrades, Kin, grade_file, read};
use crate::grade::Row;
use crate::private::Kind;
use crate::record::{Decoder, Encoder, Entry, FileLine, RecordError, Shelve, Slot, Tee, frames};
use crate::source::{Digest, Found};
use crate::transcript::{FileReport, Glance, Sink, glance};

/// Files that belong together, in the order in which they are read.
#[derive(Debug, Clone)]
pub struct Family {
    /// Its files with what their heads say.
    pub members: Vec<(Found, Glance)>,
}

/// What a run came to.
#[derive(Debug, Default)]
pub struct Graded {
    /// Rows in their fixed order.
    pub rows: Vec<Row>,
    /// What was read of each file, by its name in rows.
    pub files: BTreeMap<String, FileReport>,
    /// Private values that no public output may hold.
    pub private: Vec<(Kind, String)>,
    /// Files that hold no records of a known client and whose names promised none.
    pub passed_over: u64,
}

/// Which families' records are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// Those of families that something was found in.
    Flagged,
    /// All of them.
    All,
}

/// Takes the records of families while they are graded.
#[derive(Clone, Copy)]
pub struct Keeper<'k> {
    /// Which of them are kept.
    pub keep: Keep,
    /// Where they go, one zstd frame for each family.
    pub shelf: &'k dyn Shelve,
}

/// Grades files. `done` is told the size of each file when it is through; it may be called from
/// any thread.
#[must_use]
pub fn grade(files: &[Found], policy: &Policy, done: &(dyn Fn(u64) + Sync)) -> Graded {
    grade_and_keep(files, policy, None, done)
}

/// Grades files and hands on the records of their families, so that they can be graded again by
/// [`regrade`].
#[must_use]
pub fn grade_and_keep(
    files: &[Found],
    policy: &Policy,
    keeper: Option<Keeper<'_>>,
    done: &(dyn Fn(u64) + Sync),
) -> Graded {
    let glances: Vec<Glance> = files.par_iter().map(glance).collect();
    let mut families = families(files, glances);
    // The biggest first: a long one that starts last would leave the other threads idle.
    families.sort_by_cached_key(|family| {
        let sizes = family.members.iter().map(|(found, _)| found.size);
        let owner = family.members.iter().map(|(found, _)| found.name.clone());
        (Reverse(sizes.sum::<u64>()), owner.min())
    });
    // Handed out one after the other, so that a record seldom waits for an earlier one.
    let results = families
        .into_iter()
        .enumerate()
        .par_bridge()
        .map(|(number, family)| grade_family(number, family, policy, keeper, done))
        .collect();
    collected(results)
}

/// Grades what a record holds, from its events alone. Families are graded side by side, as they were
/// when the record was made.
///
/// # Errors
/// A record that cannot be read to its end.
pub fn regrade(mut record: File, policy: &Policy) -> Result<Graded, RecordError> {
    if let Some(families) = side_by_side(&record, policy) {
        return Ok(collected(families));
    }
    // Read in one go, whatever is wrong has its one place.
    record.rewind().map_err(|_| RecordError::Unreadable)?;
    let mut record = Decoder::open(record)?;
    families_of(&mut record, policy).map(collected)
}

/// The families of a record that has whole frames, each of them with whole families; nothing
/// otherwise.
fn side_by_side(record: &File, policy: &Policy) -> Option<Vec<FamilyGrades>> {
    let mut frames = frames(record)?.into_iter();
    let mut head = Decoder::open(frames.next()?).ok()?;
    if head.entry().ok()?.is_some() {
        return None;
    }
    let read = |frame| families_of(&mut Decoder::within(frame).ok()?, policy).ok();
    let families: Option<Vec<_>> = frames.par_bridge().map(read).collect();
    Some(families?.into_iter().flatten().collect())
}

fn families_of<R: io::Read>(
    record: &mut Decoder<R>,
    policy: &Policy,
) -> Result<Vec<FamilyGrades>, RecordError> {
    let mut results = Vec::new();
    while let Some(entry) = record.entry()? {
        let Entry::Family(files) = entry else {
            // What frozen checks ask of is graded by them.
            continue;
        };
        let mut reading = FamilyReading::new(files > 1);
        record.family(files, |file, events| {
            reading.file(file.found(), &file.glance, policy, |sink| events(sink));
        })?;
        results.push(reading.finish());
    }
    Ok(results)
}

/// A family's owner, and what each of its files came to.
type FamilyGrades = (String, Vec<(Found, FileGrades)>);

/// Everything of all families in its fixed order.
fn collected(mut results: Vec<FamilyGrades>) -> Graded {
    results.sort_by(|a, b| a.0.cmp(&b.0));
    let mut graded = Graded::default();
    for (_, files) in results {
        let mut rows = Vec::new();
        for (found, grades) in files {
            if !found.expected && grades.report.format == crate::transcript::Format::Unknown {
                graded.passed_over += 1;
                continue;
            }
            rows.extend(grades.rows);
            graded.private.extend(grades.private);
            graded.files.insert(found.name, grades.report);
        }
        rows.sort_by(|a, b| a.order().cmp(&b.order()));
        graded.rows.extend(rows);
    }
    graded
}

/// The families that files make, each with its files in the order in which they are read.
#[must_use]
pub fn ordered(files: &[Found]) -> Vec<Family> {
    let glances: Vec<Glance> = files.par_iter().map(glance).collect();
    let mut families = families(files, glances);
    for family in &mut families {
        order(&mut family.members);
    }
    families
}

/// Joins files that share a key.
fn families(files: &[Found], glances: Vec<Glance>) -> Vec<Family> {
    let mut parent: Vec<usize> = (0..files.len()).collect();
    let mut holder: BTreeMap<u64, usize> = BTreeMap::new();
    for (index, glance) in glances.iter().enumerate() {
        for link in &glance.links {
            let other = *holder.entry(*link).or_insert(index);
            let (a, b) = (root(&mut parent, index), root(&mut parent, other));
            parent[a.max(b)] = a.min(b);
        }
    }
    let mut groups: BTreeMap<usize, Vec<(Found, Glance)>> = BTreeMap::new();
    for (index, glance) in glances.into_iter().enumerate() {
        let root = root(&mut parent, index);
        let mut found = files[index].clone();
        // What this program wrote promises no transcript, whatever its ending.
        found.expected &= found.named || !glance.own;
        groups.entry(root).or_default().push((found, glance));
    }
    groups
        .into_values()
        .map(|members| Family { members })
        .collect()
}

fn root(parent: &mut [usize], mut at: usize) -> usize {
    while parent[at] != at {
        parent[at] = parent[parent[at]];
        at = parent[at];
    }
    at
}

/// Reads a family's files, launched agents first, and owners of shared history before their copies.
fn grade_family(
    number: usize,
    mut family: Family,
    policy: &Policy,
    keeper: Option<Keeper<'_>>,
    done: &(dyn Fn(u64) + Sync),
) -> FamilyGrades {
    order(&mut family.members);
    let Some(Keeper { keep, shelf }) = keeper else {
        return read_family::<io::Sink>(family, policy, None, done);
    };
    let mut slot = Slot { shelf, number };
    // A compressor that cannot be had keeps nothing, and `regrade` says that it was not kept.
    let graded = match keep {
        Keep::All => {
            let mut encoder = Encoder::new(slot).ok();
            let graded = read_family(family, policy, encoder.as_mut(), done);
            drop(encoder.map(Encoder::finish));
            graded
        }
        Keep::Flagged => {
            let mut encoder = Encoder::new(Vec::new()).ok();
            let graded = read_family(family, policy, encoder.as_mut(), done);
            let mut rows = graded.1.iter().flat_map(|(_, grades)| &grades.rows);
            let wanted = encoder.filter(|_| rows.any(Row::is_flagged));
            if let Some(Ok(frame)) = wanted.map(Encoder::finish) {
                // A shelf takes everything.
                let _ = slot.write_all(&frame);
            }
            graded
        }
    };
    shelf.end(number);
    graded
}

fn read_family<W: Write>(
    family: Family,
    policy: &Policy,
    mut encoder: Option<&mut Encoder<W>>,
    done: &(dyn Fn(u64) + Sync),
) -> FamilyGrades {
    let files = family.members.len();
    if let Some(encoder) = &mut encoder {
        encoder.family(files);
    }
    let mut reading = FamilyReading::new(files > 1);
    for (found, glance) in family.members {
        let size = found.size;
        let opened = found.clone();
        reading.file(found, &glance, policy, |sink| match &mut encoder {
            None => read(&opened, sink),
            Some(encoder) => {
                encoder.file(FileLine::of(&opened, &glance));
                let report = read(&opened, &mut Tee { encoder, sink });
                encoder.end(&report);
                report
            }
        });
        done(size);
    }
    reading.finish()
}

/// A family while its files are read in order.
struct FamilyReading {
    own: Kin,
    agents: Kin,
    graded: Vec<(Found, FileGrades)>,
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
            graded: Vec::new(),
        }
    }

    /// Reads the next file: `read` hands its events to the sink that it is given.
    fn file(
        &mut self,
        found: Found,
        glance: &Glance,
        policy: &Policy,
        read: impl FnOnce(&mut dyn Sink) -> FileReport,
    ) {
        // An agent's records and its parent's never own each other: a compaction copy would.
        let kin = if glance.subagent {
            &mut self.agents
        } else {
            &mut self.own
        };
        let mut grades = grade_file(&found.name, kin, policy, read);
        kin.owned.extend(std::mem::take(&mut grades.keys));
        if !grades.report.format.is_printed() && holds_turns(&grades.rows) {
            kin.kept.extend(grades.report.header.session.clone());
        }
        if let Some(deeds) = &grades.deeds {
            for kin in [&mut self.own, &mut self.agents] {
                kin.children.insert(deeds.agent.clone(), deeds.clone());
            }
        }
        self.graded.push((found, grades));
    }

    fn finish(self) -> FamilyGrades {
        let names = self.graded.iter().map(|(found, _)| found.name.as_str());
        let owner = names.min_by(|a, b| a.as_bytes().cmp(b.as_bytes()));
        (owner.unwrap_or_default().to_owned(), self.graded)
    }
}

fn holds_turns(rows: &[Row]) -> bool {
    rows.iter().any(|row| match row {
        Row::Session(session) => matches!(session.verdict, "read" | "copy"),
        _ => false,
    })
}

/// How many forks lie between each session that was forked and the oldest of its origins that is
/// here. Linear: no way is walked twice, and a circle ends where it closes.
fn generations(members: &[(Found, Glance)]) -> BTreeMap<String, u32> {
    let own = || members.iter().filter(|(_, glance)| !glance.subagent);
    let here: BTreeSet<&str> = own()
        .filter_map(|(_, glance)| glance.session.as_deref())
        .collect();
    let origins: BTreeMap<&str, &str> = own()
        .filter_map(|(_, glance)| glance.session.as_deref().zip(glance.origin.as_deref()))
        .filter(|(_, origin)| here.contains(origin))
        .collect();
    let mut known: BTreeMap<&str, u32> = BTreeMap::new();
    for start in origins.keys() {
        let (mut at, mut way) = (*start, Vec::new());
        while let Some(origin) = origins.get(at)
            && !known.contains_key(at)
        {
            known.insert(at, 0);
            way.push(at);
            at = origin;
        }
        let mut generation = known.get(at).copied().unwrap_or(0);
        for session in way.into_iter().rev() {
            generation += 1;
            known.insert(session, generation);
        }
    }
    let owned = |(session, generation): (&str, u32)| (session.to_owned(), generation);
    known.into_iter().map(owned).collect()
}

/// Launched agents come first, since their deeds count for those who launched them. Then come the
/// files that clients keep, each origin before its forks, and last what was printed of a run.
fn order(members: &mut [(Found, Glance)]) {
    let mut ids: Vec<_> = members
        .iter()
        .filter(|(_, glance)| !glance.subagent)
        .map(|(_, glance)| glance.session.clone())
        .collect();
    ids.sort();
    let tied = ids.windows(2).any(|pair| pair[0] == pair[1]);
    let digest = |found: &Found| -> Digest {
        // Only copies under one id need their content to be told apart.
        if !tied {
            return [0; 32];
        }
        found.open().map_or([0; 32], |reader| reader.finish().0)
    };
    let generations = generations(members);
    let generation = |session: &Option<String>| {
        let session = session.as_ref();
        session
            .and_then(|session| generations.get(session))
            .copied()
    };
    members.sort_by_cached_key(|(found, glance)| {
        (
            !glance.subagent,
            Reverse(glance.depth),
            glance.printed,
            generation(&glance.session),
            glance.session.clone(),
            digest(found),
            found.name.clone(),
        )
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str, text: String) -> Found {
        Found {
            path: name.into(),
            name: name.to_owned(),
            named: true,
            expected: true,
            size: text.len() as u64,
            built_in: Some(text.into_bytes().into()),
        }
    }

    /// A line of a session file, or of a stream where the session's key says so.
    fn line(key: &str, kind: &str, id: &str, parent: &str, text: &str) -> String {
        format!(
            r#"{{"type":"{kind}","uuid":"{id}","parentUuid":"{parent}","{key}":"a-session-of-the-family","message":{{"role":"{kind}","id":"m{id}","model":"m","content":"{text}"}}}}"#
        ) + "\n"
    }

    fn sessions(files: &[Found]) -> Vec<(String, &'static str, u64, u64)> {
        let rows = grade(files, &Policy::default(), &|_| {}).rows;
        let row = |row: Row| match row {
            Row::Session(row) => Some((
                row.file,
                row.verdict,
                row.counts.turns,
                row.counts.rewound_turns,
            )),
            _ => None,
        };
        rows.into_iter().filter_map(row).collect()
    }

    #[test]
    fn origins_come_before_their_forks_and_circles_end() {
        let member = |session: &str, origin: Option<&str>| {
            let glance = Glance {
                session: Some(session.to_owned()),
                origin: origin.map(str::to_owned),
                ..Glance::default()
            };
            (found(session, String::new()), glance)
        };
        let mut members = vec![
            member("a", Some("b")),
            member("b", Some("c")),
            member("c", Some("gone")),
        ];
        order(&mut members);
        let names: Vec<&str> = members.iter().map(|(f, _)| f.name.as_str()).collect();
        assert_eq!(names, ["c", "b", "a"]);
        let mut circle = vec![member("b", Some("a")), member("a", Some("b"))];
        order(&mut circle);
        assert_eq!(circle.len(), 2);
    }

    #[test]
    fn what_was_printed_is_a_copy_of_what_was_kept() {
        let talk = |key: &str| {
            line(key, "user", "u1", "", "Fix it") + &line(key, "assistant", "a1", "u1", "Done.")
        };
        let kept = found("kept.jsonl", talk("sessionId"));
        let printed = found(
            "a.jsonl",
            talk("session_id").replace("u1", "x1").replace("a1", "y1"),
        );
        let both = sessions(&[printed.clone(), kept]);
        assert_eq!(both[0].0, "a.jsonl");
        assert_eq!((both[0].1, both[1].1), ("copy", "read"));
        assert_eq!(sessions(std::slice::from_ref(&printed))[0].1, "read");
        // A kept file that holds nothing owns nothing.
        let empty = found("kept.jsonl", line("sessionId", "summary", "s1", "", ""));
        assert_eq!(sessions(&[printed, empty])[0].1, "read");
    }

    #[test]
    fn a_rewind_to_a_command_of_the_client_goes_through_it() {
        let key = "sessionId";
        let command = "<command-name>/model</command-name>";
        let text = line(key, "user", "u1", "", "Fix a")
            + &line(key, "assistant", "a1", "u1", "Done.")
            + &line(key, "user", "u2", "a1", "Fix b")
            + &line(key, "assistant", "a2", "u2", "Done.")
            + &line(key, "user", "u3", "a1", command)
            + &line(key, "user", "u4", "u3", "Fix c")
            + &line(key, "assistant", "a4", "u4", "Done.");
        let row = &sessions(&[found("s.jsonl", text)])[0];
        assert_eq!((row.2, row.3), (2, 1));
        let row = &sessions(&[found("s.jsonl", line(key, "user", "u1", "", command))])[0];
        assert_eq!((row.1, row.2), ("no-conversation", 0));
    }
}
