//! `session-report`: sessions that an answer names out of an archive.

mod survivors;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::super::check::{Asked, Check, ParamError, Reading, Reads};
use super::super::evidence::{Call, Evidence, Instant, State, Weighed};
use super::super::grammar::{Answer, Asking, Claim, Facts, Phrase, Polarity};
use super::super::guard::Guards;
use super::super::verdict::Component;
use super::calls::{Shells, base_name};
use super::find::{in_name, in_path, stands};
use super::params::{Common, Params};
use super::{KeyShape, KindInfo, key, key_shape, unseen};
use crate::shell;

const FAILING: &[&str] = &[
    "no-archive-query",
    "session-outside-table",
    "session-not-before-query",
    "session-missing",
    "count-mismatch",
    "owned-process-survives",
];

const REPORTED: Reading = Reading {
    id: "reported-sessions",
    values: &["subset", "equal"],
    question: "Do some of the sessions that the archive held do, or must every one of them be named?",
};

const SURVIVING: Reading = Reading {
    id: "surviving-process",
    values: &["fail", "unknown"],
    question: "Does a process that the run left behind fail it, or leave it open?",
};

pub(super) const INFO: KindInfo = KindInfo {
    id: "session-report",
    question: "Does the answer name sessions that the archive held when it was first asked, and was nothing left running?",
    failing: FAILING,
    unknown: &[
        "archive-query-unobserved",
        "call-state-unknown",
        "start-unresolved",
        "survival-unobserved",
        "owned-process-survives",
        "unparsed",
        "key-shape",
    ],
    guards: &[
        "key-shape",
        "stateless-only-makes-unknown",
        "unobserved-is-no-miss",
        "undated-query-is-no-fail",
        "answer-is-no-call",
        "mention-is-no-call",
        "whole-word",
        "first-query",
        "start-strictly-before",
        "identity-is-no-prefix",
        "trailing-dot",
        "every-identity",
        "identities-are-a-set",
        "relation",
        "count-needs-identities",
        "clause-negation",
        "hedge",
        "unobserved-is-no-survivor",
        "lifetime",
        "children-transitive",
        "program-is-no-prefix",
        "unattributed-never-fails",
    ],
    readings: &[REPORTED, SURVIVING],
    reads: Reads::Evidence,
    page: include_str!("session-report.md"),
    key: KeyShape::Table {
        own: &["prefix", "sessions"],
        rows: &["id", "start"],
    },
    parse,
};

#[derive(Debug)]
struct SessionReport {
    programs: Vec<String>,
    servers: Vec<String>,
    shells: Shells,
    asking: Asking,
    survivors: bool,
    common: Common,
}

fn parse(value: &Value) -> Result<Box<dyn Check>, ParamError> {
    let mut params = Params::new(value)?;
    let archive = params.table("archive")?;
    let mut archive = archive.ok_or_else(|| params.error("archive", "missing"))?;
    let own = |texts: Vec<&str>| texts.into_iter().map(str::to_owned).collect::<Vec<_>>();
    let (programs, servers) = (
        own(archive.texts("programs")?),
        own(archive.texts("servers")?),
    );
    if programs.is_empty() && servers.is_empty() {
        return Err(archive.error("programs", "missing"));
    }
    archive.finish()?;
    let shells = Shells::read(&mut params)?;
    let asking = Asking {
        nouns: params.some_phrases("count-nouns")?,
        ..Asking::default()
    };
    let survivors = params.flag("survivors", false)?;
    let common = Common::reasons_only(&mut params, FAILING)?;
    params.finish()?;
    Ok(Box::new(SessionReport {
        programs,
        servers,
        shells,
        asking,
        survivors,
        common,
    }))
}

/// When the archive was first asked, as far as that is known.
enum Query {
    At(Instant),
    /// It was not, or not by a call whose time or outcome is known.
    Not(&'static str),
}

impl SessionReport {
    fn asks(&self, call: &Call<'_>, guards: Guards<'_>) -> bool {
        if self.servers.iter().any(|own| call.server == *own) {
            return true;
        }
        let Some(text) = self.shells.text(call) else {
            return false;
        };
        let is = |program: &String, word: &str| match guards.on("whole-word") {
            true => word == program,
            false => word.contains(program.as_str()),
        };
        if !guards.on("mention-is-no-call") {
            let mut words = text.split(|c: char| !in_path(c));
            return words.any(|word| self.programs.iter().any(|program| program == word));
        }
        let script = shell::read(&text);
        let programs = || self.programs.iter();
        let runs = script.commands.iter();
        runs.into_iter()
            .flat_map(|command| [&*command.program, base_name(&command.program)])
            .any(|named| programs().any(|own| is(own, named)))
    }

    /// Whether a command that cannot be read may ask the archive.
    fn may_ask(&self, evidence: &Evidence<'_>) -> bool {
        let calls = evidence.calls.iter().filter(|call| call.owner.is_none());
        let mut texts = calls.filter_map(|call| self.shells.text(call));
        texts.any(|text| {
            let named = |program: &String| stands(&text, program, in_name);
            self.programs.iter().any(named) && !shell::read(&text).parsed
        })
    }

    fn query(&self, asked: &Asked<'_>, evidence: &Evidence<'_>) -> Query {
        let guards = asked.guards;
        let calls = evidence.calls.iter().filter(|call| call.owner.is_none());
        let queries: Vec<&Call<'_>> = calls.filter(|call| self.asks(call, guards)).collect();
        if !guards.on("answer-is-no-call")
            && queries.is_empty()
            && self
                .programs
                .iter()
                .any(|own| !Phrase::new(own).places(asked.answer).is_empty())
        {
            return Query::Not("archive-query-unobserved");
        }
        let known = |call: &&&Call<'_>| {
            call.state != State::None || !guards.on("stateless-only-makes-unknown")
        };
        let known: Vec<&&Call<'_>> = queries.iter().filter(known).collect();
        if queries.is_empty() {
            let open = !evidence.calls_observed || self.may_ask(evidence);
            return Query::Not(match guards.hold("unobserved-is-no-miss", open) {
                true => "archive-query-unobserved",
                false => "no-archive-query",
            });
        }
        if known.is_empty() {
            return Query::Not("call-state-unknown");
        }
        let mut times = known
            .iter()
            .filter_map(|call| call.at.as_deref().and_then(Instant::parse));
        let first = match guards.on("first-query") {
            true => times.min(),
            false => times.next(),
        };
        first.map_or(Query::Not("archive-query-unobserved"), Query::At)
    }

    /// The identities that an answer names, and whether any is named in a way that cannot be read.
    fn reported(
        &self,
        answer: &Answer<'_>,
        prefix: &str,
        fields: usize,
        guards: Guards<'_>,
    ) -> (Vec<String>, bool) {
        let text = answer.text();
        answer.step(text.len());
        let lead = format!("{prefix}.");
        let (mut named, mut unread) = (Vec::new(), false);
        for at in memchr::memmem::find_iter(text.as_bytes(), lead.as_bytes()) {
            let before = text.get(..at).and_then(|own| own.chars().next_back());
            if before.is_some_and(in_path) {
                continue;
            }
            let rest = text.get(at..).unwrap_or("");
            let end = rest
                .find(|c: char| !(in_path(c) && c != '/'))
                .unwrap_or(rest.len());
            let whole = rest.get(..end).unwrap_or("");
            let whole = match guards.on("trailing-dot") {
                true => whole.trim_end_matches(['.', '-']),
                false => whole,
            };
            let index = answer.token_at(at);
            let denied = answer.is_denied_before(index);
            if guards.hold("clause-negation", denied) {
                continue;
            }
            if whole.split('.').filter(|part| !part.is_empty()).count() != fields
                || guards.hold("hedge", !denied && answer.said(index) == Polarity::Open)
            {
                unread = true;
            } else {
                named.push(whole.to_owned());
            }
        }
        (named, unread)
    }

    /// Holds the named sessions against those of the table.
    fn sessions(
        &self,
        named: &BTreeSet<&str>,
        (table, query): (&BTreeMap<&str, Option<Instant>>, Option<Instant>),
        asked: &Asked<'_>,
        facts: &mut Facts,
    ) {
        let guards = asked.guards;
        let is = |id: &str| match guards.on("identity-is-no-prefix") {
            true => table.get(id),
            false => table
                .iter()
                .find(|(own, _)| id.starts_with(**own))
                .map(|(_, start)| start),
        };
        let late = |start: Instant, at: Instant| match guards.on("start-strictly-before") {
            true => start >= at,
            false => start > at,
        };
        let every = match guards.on("every-identity") {
            true => named.len(),
            false => 1,
        };
        for id in named.iter().take(every) {
            match (is(id), query) {
                (None, _) => facts.fail(self.common.reason("session-outside-table")),
                (Some(None), _) => facts.unknown("start-unresolved"),
                (Some(Some(start)), Some(at)) if late(*start, at) => {
                    facts.fail(self.common.reason("session-not-before-query"));
                }
                (Some(Some(_)), _) => {}
            }
        }
        if !guards.hold("relation", asked.readings.get(REPORTED.id) == "equal") {
            return;
        }
        let Some(at) = query else { return };
        let mut absent = table.iter().filter(|(id, _)| !named.contains(**id));
        let (mut missing, mut open) = (false, false);
        absent.by_ref().for_each(|(_, start)| match start {
            Some(start) => missing |= *start < at,
            None => open = true,
        });
        if missing {
            facts.fail(self.common.reason("session-missing"));
        } else if open {
            facts.unknown("start-unresolved");
        }
    }

    fn count(&self, answer: &Answer<'_>, named: usize, guards: Guards<'_>, facts: &mut Facts) {
        let key = i128::try_from(named).unwrap_or(i128::MAX);
        let stated = self.asking.before_nouns(answer).into_iter().flatten();
        let mut claims: Vec<Claim> = stated.map(|own| own.against(key)).collect();
        if !guards.on("hedge") {
            claims.truncate(1);
        }
        if !claims.is_empty() {
            facts.decide(&claims, self.common.reason("count-mismatch"), None);
        }
    }
}

/// The table of a key: what every id begins with, how many fields an id has, and when each session started.
struct Table<'k> {
    prefix: &'k str,
    fields: usize,
    sessions: BTreeMap<&'k str, Option<Instant>>,
}

impl<'k> Table<'k> {
    fn read(key: &'k Value) -> Option<Self> {
        let prefix = key::field(key, "prefix").and_then(key::text)?;
        let mut sessions = BTreeMap::new();
        for session in key::field(key, "sessions")?.as_array()? {
            let start = match key::field(session, "start") {
                None | Some(Value::Null) => None,
                Some(start) => Some(Instant::parse(key::text(start)?)?),
            };
            sessions.insert(key::field(session, "id").and_then(key::text)?, start);
        }
        let mut counts = sessions.keys().map(|id| id.split('.').count());
        let fields = counts.next()?;
        let lead = |id: &&str| {
            id.strip_prefix(prefix)
                .is_some_and(|rest| rest.starts_with('.'))
        };
        (counts.all(|own| own == fields) && sessions.keys().all(lead)).then_some(Self {
            prefix,
            fields,
            sessions,
        })
    }
}

impl Check for SessionReport {
    fn ask(&self, asked: &Asked<'_>) -> Component {
        unseen(self, asked)
    }

    fn weigh(&self, asked: &Asked<'_>, evidence: &Evidence<'_>) -> Option<Weighed> {
        let (answer, guards) = (asked.answer, asked.guards);
        let chosen = |reading: Reading| reading.values.contains(&asked.readings.get(reading.id));
        let table = Table::read(asked.key).filter(|_| chosen(REPORTED) && chosen(SURVIVING));
        let Some(table) = table else {
            return Some(key_shape(asked).into());
        };
        let mut facts = Facts::default();
        let query = match self.query(asked, evidence) {
            Query::At(at) => Some(at),
            Query::Not("no-archive-query") => {
                facts.fail(self.common.reason("no-archive-query"));
                None
            }
            Query::Not(reason) => {
                if reason != "archive-query-unobserved"
                    || !evidence.calls_observed
                    || guards.on("undated-query-is-no-fail")
                {
                    facts.unknown(reason);
                } else {
                    facts.fail(self.common.reason("session-not-before-query"));
                }
                None
            }
        };
        let (all, unread) = self.reported(answer, table.prefix, table.fields, guards);
        let named: BTreeSet<&str> = all.iter().map(String::as_str).collect();
        if unread || named.is_empty() && guards.on("count-needs-identities") {
            facts.unparsed();
        }
        if !named.is_empty() {
            self.sessions(&named, (&table.sessions, query), asked, &mut facts);
            let count = match guards.on("identities-are-a-set") {
                true => named.len(),
                false => all.len(),
            };
            if !unread {
                self.count(answer, count, guards, &mut facts);
            }
        }
        let mut weighed = Weighed::from(Component::pass());
        if self.survivors {
            weighed.facts = self.left_behind(asked, evidence, &mut facts);
        }
        weighed.result = facts.finish();
        Some(weighed)
    }
}
