//! The transcripts under a root, by the ids that they tell of themselves.

use std::collections::BTreeMap;
use std::path::Path;

use rayon::prelude::*;

use crate::source::discover;
use crate::transcript::{Event, Header, Sink, glance, read_file};

/// The files that a client keeps of sessions, by id. What a client prints of a run is found by its
/// path only, since it stands beside the kept file under the same id.
#[derive(Debug, Default)]
pub(super) struct Index {
    sessions: BTreeMap<String, Vec<String>>,
    agents: BTreeMap<String, Vec<String>>,
    threads: BTreeMap<String, Vec<String>>,
}

/// Events are not looked at: the file's head tells enough, and the whole of it is read because an
/// agent's id may come late.
struct Nothing;

impl Sink for Nothing {
    fn event(&mut self, _: Event<'_>) {}
}

impl Index {
    /// Looks at every file under a root. A root that is not there holds none.
    pub(super) fn of(root: &Path) -> Self {
        let found = discover(&[root.to_owned()]).unwrap_or_default();
        let seen: Vec<(String, Header, bool)> = found
            .files
            .par_iter()
            .filter_map(|file| {
                let report = read_file(file.open().ok()?, &mut Nothing);
                let path = file.path.strip_prefix(root).ok()?;
                let parts: Option<Vec<&str>> = path
                    .components()
                    .map(|part| part.as_os_str().to_str())
                    .collect();
                let subagent = report.header.subagent || glance(file).subagent;
                let kept = !report.format.is_printed() && !report.header.compaction;
                kept.then(|| parts.map(|parts| (parts.join("/"), report.header, subagent)))?
            })
            .collect();
        let mut index = Self::default();
        for (path, header, subagent) in seen {
            let mut add = |map: fn(&mut Self) -> &mut BTreeMap<String, Vec<String>>,
                           id: Option<String>| {
                if let Some(id) = id {
                    map(&mut index).entry(id).or_default().push(path.clone());
                }
            };
            add(|index| &mut index.threads, header.session.clone());
            if subagent {
                add(|index| &mut index.agents, header.agent);
            } else {
                add(|index| &mut index.sessions, header.session);
            }
        }
        index
    }

    /// The one file of a main session.
    pub(super) fn session(&self, id: &str) -> Result<&str, &'static str> {
        one(&self.sessions, id)
    }

    /// The one file of a subagent.
    pub(super) fn agent(&self, id: &str) -> Result<&str, &'static str> {
        one(&self.agents, id)
    }

    /// The one file of a thread, whoever started it.
    pub(super) fn thread(&self, id: &str) -> Result<&str, &'static str> {
        one(&self.threads, id)
    }
}

fn one<'m>(map: &'m BTreeMap<String, Vec<String>>, id: &str) -> Result<&'m str, &'static str> {
    match map.get(id).map(Vec::as_slice) {
        None | Some([]) => Err("missing"),
        Some([file]) => Ok(file),
        Some(_) => Err("ambiguous"),
    }
}
