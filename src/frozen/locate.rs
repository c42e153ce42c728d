//! The transcripts under a root, by the ids that they tell of themselves.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rayon::prelude::*;

use super::launch::Named;
use crate::source::{Found, discover};
use crate::transcript::{
    Action, Body, Event, Format, Header, Launch, Sink, Start, glance, journal, launch, launch_file,
    read_file, workflow_file, workflow_labels,
};

/// The files that a client keeps of sessions, by id. What a client prints of a run is found by its
/// path only, since it stands beside the kept file under the same id.
#[derive(Debug, Default)]
pub(super) struct Index {
    sessions: BTreeMap<String, Vec<String>>,
    agents: BTreeMap<String, Vec<String>>,
    threads: BTreeMap<String, Vec<String>>,
    /// The agents that a call launched.
    children: BTreeMap<String, Vec<String>>,
    teammates: BTreeSet<String>,
    starts: Vec<Started>,
}

/// A start that a workflow's journal tells, with the labels that the workflow gave its agent.
#[derive(Debug, Clone)]
pub(super) struct Started {
    pub(super) journal: String,
    pub(super) start: Start,
    labels: Vec<String>,
}

/// Events are not looked at: the file's head tells enough, and the whole of it is read because an
/// agent's id may come late.
struct Nothing;

impl Sink for Nothing {
    fn event(&mut self, _: Event<'_>) {}
}

impl Index {
    /// Looks at every file under a root. A root that is not there holds none, and nobody who names a
    /// file by its path asks for what lies beside it.
    pub(super) fn of(root: &Path) -> Self {
        let found = discover(&[root.to_owned()]).unwrap_or_default();
        let seen: Vec<Seen> = found
            .files
            .par_iter()
            .filter_map(|file| seen(root, file))
            .collect();
        let mut index = Self::default();
        for own in seen {
            index.add(own);
        }
        index
    }

    fn add(&mut self, seen: Seen) {
        let path = seen.path;
        self.starts.extend(seen.starts);
        if seen.launch.teammate {
            self.teammates.insert(path.clone());
        }
        let ids = [
            (&mut self.threads, seen.header.session.clone()),
            match seen.subagent {
                true => (&mut self.agents, seen.header.agent),
                false => (&mut self.sessions, seen.header.session),
            },
            (&mut self.children, seen.launch.call),
        ];
        for (map, id) in ids {
            if let Some(id) = id {
                map.entry(id).or_default().push(path.clone());
            }
        }
    }

    /// The starts of one key, in order. The same key or label in two journals is not told apart.
    pub(super) fn started(
        &self,
        named: &Named,
        workflow: Option<&str>,
    ) -> Result<Vec<Started>, &'static str> {
        let inside = |own: &&Started| {
            let run = workflow_file(&own.journal).map(|(_, run)| run);
            workflow.is_none() || run.as_deref() == workflow
        };
        let fits = |own: &&Started| match named {
            Named::Key(key) => own.start.key == *key,
            Named::Label(label) => own.labels.contains(label),
        };
        let keys: BTreeSet<(&str, &str)> = self
            .starts
            .iter()
            .filter(inside)
            .filter(fits)
            .map(|own| (own.journal.as_str(), own.start.key.as_str()))
            .collect();
        let mut keys = keys.into_iter();
        let (journal, key) = keys.next().ok_or("missing")?;
        if keys.next().is_some() {
            return Err("ambiguous");
        }
        let own = |start: &&Started| start.journal == journal && start.start.key == key;
        Ok(self.starts.iter().filter(own).cloned().collect())
    }

    /// The agents that a call launched.
    pub(super) fn children(&self, call: &str) -> &[String] {
        self.children.get(call).map_or(&[], Vec::as_slice)
    }

    /// The only launch of an agent in a session.
    pub(super) fn only_launch(&self, root: &Path, session: &str) -> Result<String, &'static str> {
        let found = discover(&[root.join(session)]).map_err(|_| "unreadable")?;
        let file = found.files.first().ok_or("unreadable")?;
        let mut launches = Launches::default();
        read_file(file.open().map_err(|_| "unreadable")?, &mut launches);
        match launches.0.as_slice() {
            [] => Err("missing"),
            [call] => Ok(call.clone()),
            _ => Err("ambiguous"),
        }
    }

    /// Whether a transcript is that of a teammate in its leader's own process.
    pub(super) fn is_teammate(&self, file: &str) -> bool {
        self.teammates.contains(file)
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

/// The calls that launch an agent.
#[derive(Default)]
struct Launches(Vec<String>);

impl Sink for Launches {
    fn event(&mut self, event: Event<'_>) {
        if let Body::Call(call) = &event.body
            && matches!(call.action, Action::Delegate { .. })
        {
            self.0.push(call.id.clone().into_owned());
        }
    }
}

/// What a file under a root is.
struct Seen {
    path: String,
    header: Header,
    subagent: bool,
    launch: Launch,
    starts: Vec<Started>,
}

fn seen(root: &Path, file: &Found) -> Option<Seen> {
    let report = read_file(file.open().ok()?, &mut Nothing);
    if report.format.is_printed() || report.header.compaction {
        return None;
    }
    let path = file.path.strip_prefix(root).ok()?;
    let parts: Option<Vec<&str>> = path
        .components()
        .map(|part| part.as_os_str().to_str())
        .collect();
    let path = parts?.join("/");
    let subagent = report.header.subagent || glance(file).subagent;
    let beside = launch_file(&path).filter(|_| subagent);
    let text = beside.and_then(|beside| text(root, &beside));
    Some(Seen {
        launch: text.and_then(|text| launch(&text)).unwrap_or_default(),
        starts: match report.format {
            Format::ClaudeJournal => starts(root, &path),
            _ => Vec::new(),
        },
        header: report.header,
        subagent,
        path,
    })
}

fn text(root: &Path, file: &str) -> Option<String> {
    let bytes = super::identity::inside(root, file).ok()?;
    String::from_utf8(bytes).ok()
}

fn starts(root: &Path, path: &str) -> Vec<Started> {
    let journal = journal(&text(root, path).unwrap_or_default());
    let record = workflow_file(path).and_then(|(record, _)| text(root, &record));
    let labels = record.map_or_else(Vec::new, |record| workflow_labels(&record));
    let started = |start: Start| {
        let own = labels.iter().filter(|(_, agent)| *agent == start.agent);
        Started {
            journal: path.to_owned(),
            labels: own.map(|(label, _)| label.clone()).collect(),
            start,
        }
    };
    journal.starts.into_iter().map(started).collect()
}

fn one<'m>(map: &'m BTreeMap<String, Vec<String>>, id: &str) -> Result<&'m str, &'static str> {
    match map.get(id).map(Vec::as_slice) {
        None | Some([]) => Err("missing"),
        Some([file]) => Ok(file),
        Some(_) => Err("ambiguous"),
    }
}
