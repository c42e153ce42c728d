//! One file to the rows of its sessions.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::claims;
use super::policy::Policy;
use crate::grade::{self, Row, SessionFacts, TurnFacts, TurnRow, session_row, turn_row};
use crate::private::Kind;
use crate::private::canary::is_shaped;
use crate::rule::claim::published::Outlets;
use crate::rule::claim::read_prose;
use crate::rule::evidence::Ledger;
use crate::rule::gate::exact::Gate;
use crate::rule::integrity::{Finding, Integrity};
use crate::shell::Effect;
use crate::source::{Found, ReadFault};
use crate::text::Prose;
use crate::transcript::{Body, Client, Event, FileReport, Header, Outcome, Sink, read_file};
use crate::turn::{Act, Delegated, Ended, SessionEnd, SessionFold, Turn, TurnSink};

/// Ids of calls and of messages of one file that are kept for the canary, of each so many. Clients
/// give theirs a shape that it knows anyway; this is for those that do not.
const MOST_IDS: usize = 1 << 14;

/// What one file came to.
pub(super) struct FileGrades {
    /// Rows in order.
    pub(super) rows: Vec<Row>,
    /// What was read of it.
    pub(super) report: FileReport,
    /// Keys of its records.
    pub(super) keys: Vec<u64>,
    /// What its agent did, for the session that launched it.
    pub(super) deeds: Option<Delegated>,
    /// Private values that no public output may hold.
    pub(super) private: Vec<(Kind, String)>,
}

/// What the files of a family know of each other while they are read in order.
#[derive(Default)]
pub(super) struct Kin {
    pub(super) owned: HashSet<u64>,
    pub(super) children: HashMap<String, Delegated>,
    /// Sessions that a client's own file of this family holds.
    pub(super) kept: HashSet<String>,
    pub(super) many: bool,
}

/// Judges the turns of one session.
struct Judge<'p> {
    policy: &'p Policy,
    gate: Gate,
    rows: Vec<Row>,
    file: String,
    lines: Option<(u64, u64)>,
    acts: Vec<(Act, Outcome)>,
    looked: bool,
    ledger: Ledger,
    outlets: Outlets,
    /// The checks that were run, as they were typed, by their words in normal form.
    typed: HashMap<String, String>,
    integrity: Integrity,
}

impl<'p> Judge<'p> {
    fn new(policy: &'p Policy, file: &str) -> Self {
        Self {
            policy,
            gate: Gate::new(policy.profile, policy.preset, &policy.goals)
                .with_guards(policy.guards.gate),
            rows: Vec::new(),
            file: file.to_owned(),
            lines: None,
            acts: Vec::new(),
            looked: false,
            ledger: Ledger::default(),
            outlets: Outlets::default(),
            typed: HashMap::new(),
            integrity: Integrity::new(policy.guards.integrity),
        }
    }

    /// Keeps what a parent's judge and the gate ask of each act.
    fn note(&mut self, turn: &Turn) {
        for step in &turn.steps {
            for act in &step.acts {
                if act.verify.is_some() && !act.typed.is_empty() {
                    self.typed.insert(act.words.clone(), act.typed.clone());
                }
                if act.verify.is_some() || act.effect == Effect::Mutate {
                    self.acts.push((act.clone(), step.outcome));
                }
                self.looked |=
                    act.effect == Effect::Read && !act.noop && step.outcome == Outcome::Ok;
            }
        }
    }
}

impl TurnSink for Judge<'_> {
    fn turn(&mut self, mut turn: Turn) {
        self.policy.apply(&mut turn);
        self.note(&turn);
        let prose = turn.closes.last().map(|close| Prose::read(&close.text));
        let reading = prose.as_ref().map(read_prose);
        let close = prose.as_ref().zip(reading.as_ref());
        let answer = self.gate.judge_read(&turn, close);
        let unread = close.map_or_else(Vec::new, |(prose, reading)| claims::unread(prose, reading));
        let read = reading.filter(|_| turn.close().is_some());
        let claims = read.map_or_else(Vec::new, |reading| reading.claims);
        let mut published = Vec::new();
        if self.policy.claims {
            let guards = self.policy.guards.claim;
            let (ledger, outlets) = (&mut self.ledger, &mut self.outlets);
            published = claims::follow(guards, &self.file, &mut turn, ledger, outlets);
        } else if self.policy.integrity {
            self.ledger.turn(&turn);
        }
        let findings = match self.policy.integrity {
            true => self.integrity.turn(&turn, &claims, &self.ledger),
            false => Vec::new(),
        };
        if turn.copied || turn.inherited {
            return;
        }
        let first = self.lines.map_or(turn.lines.0, |lines| lines.0);
        self.lines = Some((first, turn.lines.1));
        // What the file says of the session as a whole is known at its end only.
        let header = Header::default();
        let facts = TurnFacts {
            file: &self.file,
            header: &header,
            turn: &turn,
            answer: &answer,
            profile: self.policy.profile,
            preset: self.policy.preset,
        };
        self.rows.push(Row::Turn(turn_row(&facts)));
        if self.policy.claims {
            let guards = self.policy.guards.claim;
            let rows = claims::close(guards, &self.file, &turn, &claims, &unread, &self.ledger);
            published.extend(rows);
        }
        let wanted = |row: &Row| match row {
            Row::Claim(row) => row.claim == grade::UNREAD || self.policy.tells(row.claim),
            _ => true,
        };
        for row in published.iter_mut().filter_map(Row::claim_mut) {
            // What a reader is to run is what was typed, and not its normal form.
            if let Some(typed) = row.settle.as_ref().and_then(|words| self.typed.get(words)) {
                row.settle = Some(typed.clone());
            }
        }
        self.rows.extend(published.into_iter().filter(wanted));
        let row = |finding| Row::Finding(grade::finding_row(&self.file, &turn, finding));
        let wanted = |finding: &&Finding| self.policy.tells(finding.rule.as_str());
        self.rows.extend(findings.iter().filter(wanted).map(row));
    }

    fn rewound(&mut self, dead: &[u32]) {
        self.rows.retain_mut(|row| {
            row.turn_mut()
                .is_none_or(|turn| dead.binary_search(turn).is_err())
        });
        // The turns that are left are numbered as their reader would count them.
        for row in &mut self.rows {
            if let Some(turn) = row.turn_mut() {
                let before = dead.partition_point(|number| number < turn);
                *turn -= u32::try_from(before).unwrap_or(0);
            }
        }
    }
}

/// Splits a file's events into its sessions.
struct Sessions<'k, 'p> {
    kin: &'k Kin,
    policy: &'p Policy,
    file: String,
    current: SessionFold<'k, Judge<'p>>,
    name: Option<String>,
    /// Ids of calls that the canary would not know by their shape; of a fixed number at most.
    calls: BTreeSet<String>,
    /// Such ids of messages.
    messages: BTreeSet<String>,
    done: Vec<(Option<String>, SessionEnd, Judge<'p>)>,
}

impl<'k, 'p> Sessions<'k, 'p> {
    fn fold(kin: &'k Kin, policy: &'p Policy, file: &str) -> SessionFold<'k, Judge<'p>> {
        SessionFold::new(
            Judge::new(policy, file),
            &kin.owned,
            &kin.children,
            kin.many,
        )
    }

    fn new(kin: &'k Kin, policy: &'p Policy, file: &str) -> Self {
        Self {
            kin,
            policy,
            file: file.to_owned(),
            current: Self::fold(kin, policy, file),
            name: None,
            calls: BTreeSet::new(),
            messages: BTreeSet::new(),
            done: Vec::new(),
        }
    }

    fn begin(&mut self, name: Option<String>) {
        let next = Self::fold(self.kin, self.policy, &self.file);
        let before = std::mem::replace(&mut self.current, next);
        let (end, judge) = before.finish();
        let own = std::mem::replace(&mut self.name, name);
        self.done.push((own, end, judge));
    }
}

impl Sink for Sessions<'_, '_> {
    fn event(&mut self, event: Event<'_>) {
        if let Body::Begins { session } = &event.body {
            let session = session.as_deref().map(str::to_owned);
            self.begin(session);
        }
        if let Body::Call(call) = &event.body
            && self.calls.len() < MOST_IDS
            && !is_shaped(&call.id)
            && !self.calls.contains(call.id.as_ref())
        {
            self.calls.insert(call.id.as_ref().to_owned());
        }
        self.current.event(event);
    }

    fn message(&mut self, id: &str) {
        if self.messages.len() < MOST_IDS && !is_shaped(id) && !self.messages.contains(id) {
            self.messages.insert(id.to_owned());
        }
    }
}

/// Reads a file that was found.
pub(super) fn read(found: &Found, sink: &mut dyn Sink) -> FileReport {
    match found.open() {
        Ok(lines) => read_file(lines, sink),
        Err(fault) => unreadable(fault),
    }
}

/// Judges one file: `read` hands its events to the sink that it is given, and tells what it read.
pub(super) fn grade_file(
    name: &str,
    kin: &Kin,
    policy: &Policy,
    read: impl FnOnce(&mut dyn Sink) -> FileReport,
) -> FileGrades {
    let mut sessions = Sessions::new(kin, policy, name);
    let report = read(&mut sessions);
    sessions.begin(None);
    let calls = std::mem::take(&mut sessions.calls);
    let calls = calls.into_iter().map(|id| (Kind::Call, id));
    let messages = std::mem::take(&mut sessions.messages);
    let messages = messages.into_iter().map(|id| (Kind::Message, id));
    let mut grades = FileGrades {
        rows: Vec::new(),
        keys: Vec::new(),
        deeds: None,
        private: calls.chain(messages).collect(),
        report,
    };
    for (index, (session, end, judge)) in sessions.done.into_iter().enumerate() {
        collect(&mut grades, kin, name, index == 0, session, end, judge);
    }
    grades
}

fn unreadable(fault: ReadFault) -> FileReport {
    FileReport {
        fault: Some(fault),
        ..FileReport::default()
    }
}

/// Whether the file of an agent is only a request that the client made for itself: one answer
/// without prompt and call, as some releases leave to have a model at hand.
fn is_warm_up(report: &FileReport, end: &SessionEnd, judge: &Judge<'_>) -> bool {
    let counts = &end.counts;
    let lone = report.header.subagent && report.header.client == Client::ClaudeCode;
    let one = counts.turns == 1 && counts.calls + counts.results == 0;
    let answer = |row: &Row| match row {
        Row::Turn(turn) => turn.operator.is_none() && turn.lines.0 == turn.lines.1,
        _ => true,
    };
    let quiet = report.opaque.is_empty() && report.quarantined.is_empty();
    lone && one
        && quiet
        && counts.ended.contains_key(&Ended::Closed)
        && judge.rows.iter().all(answer)
}

/// A record without a single result was cut by its exporter.
fn without_results(turn: &mut TurnRow) {
    for step in &mut turn.steps {
        if step.outcome == Outcome::Missing.as_str() {
            step.outcome = Outcome::Unknown.as_str();
        }
    }
}

/// What the head of a session says that no public output may hold.
fn private(header: Header) -> impl Iterator<Item = (Kind, String)> {
    let values = [
        (Kind::Session, header.session),
        (Kind::Agent, header.agent),
        (Kind::Session, header.parent),
        (Kind::WorkTree, header.cwd),
    ];
    let told = values.into_iter();
    told.filter_map(|(kind, value)| Some((kind, value?)))
}

fn collect(
    grades: &mut FileGrades,
    kin: &Kin,
    file: &str,
    first: bool,
    session: Option<String>,
    mut end: SessionEnd,
    mut judge: Judge<'_>,
) {
    let mut header = grades.report.header.clone();
    if !first {
        header.session = session;
    }
    if is_warm_up(&grades.report, &end, &judge) {
        // The client's own request, and nobody's work.
        grades.report.bookkeeping = grades.report.records;
        end.counts.turns = 0;
        end.counts.ended.clear();
        judge.rows.clear();
    }
    let told = header
        .session
        .as_ref()
        .is_some_and(|id| kin.kept.contains(id));
    if header.compaction || told && grades.report.format.is_printed() {
        end.counts.copied_turns = end.counts.turns;
    }
    let facts = SessionFacts {
        file,
        report: &grades.report,
        header: &header,
        counts: &end.counts,
        lines: judge.lines,
        first,
    };
    let row = session_row(&facts);
    let copy = row.verdict == "copy";
    grades.rows.push(Row::Session(row));
    for mut row in grade::settle(judge.rows, header.session.as_deref()) {
        if let Row::Claim(claim) = &mut row {
            claim.session.clone_from(&header.session);
        }
        if let Row::Turn(turn) = &mut row {
            if end.counts.results == 0 {
                without_results(turn);
            }
            turn.session.clone_from(&header.session);
            turn.client = header.client.as_str();
            turn.client_version.clone_from(&header.version);
            turn.agent = grade::agent(&header);
        }
        if !copy {
            grades.rows.push(row);
        }
    }
    if let Some(agent) = &header.agent {
        grades.deeds = Some(Delegated {
            agent: agent.clone(),
            acts: judge.acts,
            looked: judge.looked,
        });
    }
    grades.keys.append(&mut end.keys);
    grades.private.extend(private(header));
}
