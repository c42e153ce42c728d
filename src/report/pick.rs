//! Which rows a page lists one by one, and how many it only counts.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::grade::Row;
use crate::grade::field::{number, text};

/// Rows that a page lists at most.
const MOST: usize = 200;

/// A list of a page, in the order in which a page has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    /// A claim that the record contradicts.
    Contradicted,
    /// A claim that nothing in the record bears out.
    Unsupported,
    /// Something that was done to a check.
    Finding,
    /// A close that the gate rejects.
    Reject,
    /// A frozen task that fails.
    TaskFails,
    /// A frozen task of which it is not known.
    TaskOpen,
    /// A frozen check that fails.
    CheckFails,
    /// A frozen check of which it is not known.
    CheckOpen,
}

impl Class {
    pub(super) const ALL: [Self; 8] = [
        Self::Contradicted,
        Self::Unsupported,
        Self::Finding,
        Self::Reject,
        Self::TaskFails,
        Self::TaskOpen,
        Self::CheckFails,
        Self::CheckOpen,
    ];

    fn of(kind: &str, verdict: &str) -> Option<Self> {
        Some(match (kind, verdict) {
            ("claim", "contradicted") => Self::Contradicted,
            ("claim", "unsupported") => Self::Unsupported,
            ("finding", "finding") => Self::Finding,
            ("turn", "reject") => Self::Reject,
            ("task", "fail") => Self::TaskFails,
            ("task", "unknown" | "not-launched" | "incomplete-control") => Self::TaskOpen,
            ("check", "fail") => Self::CheckFails,
            ("check", "unknown" | "pending") => Self::CheckOpen,
            _ => return None,
        })
    }

    /// Rows that a list takes at most, so that none drives all others out.
    const fn most(self) -> usize {
        match self {
            Self::Contradicted => MOST,
            Self::Unsupported | Self::Finding | Self::TaskFails | Self::CheckFails => MOST / 2,
            Self::Reject | Self::TaskOpen | Self::CheckOpen => MOST / 4,
        }
    }
}

/// One row of a list.
#[derive(Debug)]
pub(super) struct Listed {
    /// Its number among all rows, from 1.
    pub(super) number: u64,
    /// Its session's, from 1 in the order of rows; 0 where rows of sessions are not told.
    pub(super) session: u64,
    /// Rows that state the same fact, this one among them.
    pub(super) said: u64,
    pub(super) row: Value,
}

/// One list.
#[derive(Debug, Default)]
struct List {
    rows: Vec<Listed>,
    /// All rows that belong into it, listed or not.
    all: u64,
}

/// The text and the group that rows of one fact share.
type Fact = (u64, u64, String, u64, u64);

/// The rows that a page lists, picked one after the other in their order.
#[derive(Debug, Default)]
pub struct Picked {
    lists: BTreeMap<Class, List>,
    facts: BTreeMap<Fact, (Class, usize)>,
    rows: u64,
    sessions: u64,
    /// The file of the row before, where rows of sessions are not told but each check names its own.
    file: String,
    /// The gate's profile and preset.
    gate: Option<(String, String)>,
}

/// What tells whether and where a row is listed.
#[derive(Default)]
struct Brief<'a> {
    kind: &'a str,
    verdict: &'a str,
    turn: u64,
    location: &'a str,
    line: u64,
    group: Option<u64>,
}

impl Picked {
    /// The rows of a run.
    #[must_use]
    pub fn of(rows: &[Row]) -> Self {
        let mut picked = Self::default();
        for row in rows {
            let json = || serde_json::to_value(row).unwrap_or(Value::Null);
            match row {
                Row::Session(row) => picked.add(&brief(row.kind, row.verdict), json),
                Row::Turn(row) => {
                    picked.judged_by(row.gate.profile, row.gate.preset);
                    picked.add(&brief(row.kind, row.verdict), json);
                }
                Row::Finding(row) => picked.add(&brief(row.kind, row.verdict), json),
                Row::Claim(row) => {
                    let brief = Brief {
                        turn: row.turn.into(),
                        location: row.location,
                        line: row.lines.0,
                        group: row.group,
                        ..brief(row.kind, row.verdict)
                    };
                    picked.add(&brief, json);
                }
            }
        }
        picked
    }

    /// The next row as it stands in `grades.jsonl`.
    pub fn row(&mut self, row: &Value) {
        if let Some(gate) = row.get("gate") {
            self.judged_by(text(gate, "profile"), text(gate, "preset"));
        }
        let own = text(row, "kind") == "check" && row.get("identity").is_some_and(Value::is_null);
        if own && text(row, "file") != self.file {
            text(row, "file").clone_into(&mut self.file);
            self.sessions += 1;
        }
        let verdict = match row.get("decides") {
            // What only gates read says nothing against an answer.
            Some(Value::Bool(false)) => "told",
            _ => text(row, "verdict"),
        };
        let brief = Brief {
            turn: number(row, "turn").unwrap_or(0),
            location: text(row, "where"),
            line: row
                .get("lines")
                .and_then(|lines| lines.get(0))
                .and_then(Value::as_u64)
                .unwrap_or(0),
            group: number(row, "group"),
            ..brief(text(row, "kind"), verdict)
        };
        self.add(&brief, || row.clone());
    }

    fn judged_by(&mut self, profile: &str, preset: &str) {
        if self.gate.is_none() {
            self.gate = Some((profile.to_owned(), preset.to_owned()));
        }
    }

    fn add(&mut self, brief: &Brief<'_>, row: impl FnOnce() -> Value) {
        self.rows += 1;
        self.sessions += u64::from(brief.kind == "session");
        let Some(class) = Class::of(brief.kind, brief.verdict) else {
            return;
        };
        let fact = brief.group.map(|group| {
            let line = if brief.location == "close" {
                0
            } else {
                brief.line
            };
            let location = brief.location.to_owned();
            (self.sessions, brief.turn, location, line, group)
        });
        let list = self.lists.entry(class).or_default();
        list.all += 1;
        // What states one fact has one verdict, but a page read back may say otherwise.
        if let Some((own, at)) = fact.as_ref().and_then(|fact| self.facts.get(fact))
            && *own == class
            && let Some(listed) = list.rows.get_mut(*at)
        {
            listed.said += 1;
            return;
        }
        if list.rows.len() == class.most() {
            return;
        }
        if let Some(fact) = fact {
            self.facts.insert(fact, (class, list.rows.len()));
        }
        list.rows.push(Listed {
            number: self.rows,
            session: self.sessions,
            said: 1,
            row: row(),
        });
    }

    /// A list cut to what the lists before it leave of so many rows.
    pub(super) fn list(&self, class: Class, most: usize) -> Shortened<'_> {
        let before: usize = Class::ALL
            .into_iter()
            .take_while(|other| *other != class)
            .filter_map(|other| self.lists.get(&other))
            .map(|list| list.rows.len())
            .sum();
        let room = most.min(MOST).saturating_sub(before);
        let list = self.lists.get(&class);
        let rows = list.map_or(&[][..], |list| list.rows.as_slice());
        let rows = &rows[..rows.len().min(room)];
        let said: u64 = rows.iter().map(|listed| listed.said).sum();
        let all = list.map_or(0, |list| list.all);
        Shortened {
            rows,
            all,
            left: all.saturating_sub(said),
        }
    }

    /// All rows.
    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    /// The gate's profile and preset, where a turn tells them.
    pub(super) fn gate(&self) -> Option<(&str, &str)> {
        let gate = self.gate.as_ref()?;
        Some((&gate.0, &gate.1))
    }
}

/// A list as a page shows it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shortened<'a> {
    pub(super) rows: &'a [Listed],
    /// All rows that belong into it.
    pub(super) all: u64,
    /// Rows that are neither listed nor stated by one that is.
    pub(super) left: u64,
}

fn brief<'a>(kind: &'a str, verdict: &'a str) -> Brief<'a> {
    Brief {
        kind,
        verdict,
        ..Brief::default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn claim(verdict: &str, group: Option<u64>) -> Value {
        json!({"kind": "claim", "verdict": verdict, "turn": 1, "where": "close", "lines": [4, 4], "group": group})
    }

    #[test]
    fn each_fact_is_listed_once_and_the_rest_counted() {
        let mut picked = Picked::default();
        picked.row(&json!({"kind": "session", "verdict": "read"}));
        for _ in 0..3 {
            picked.row(&claim("contradicted", Some(7)));
        }
        for _ in 0..250 {
            picked.row(&claim("unsupported", None));
        }
        picked.row(&claim("supported", None));
        let list = picked.list(Class::Contradicted, 20);
        assert_eq!((list.rows.len(), list.all, list.left), (1, 3, 0));
        let first = &list.rows[0];
        assert_eq!((first.number, first.session, first.said), (2, 1, 3));
        let list = picked.list(Class::Unsupported, 20);
        assert_eq!((list.rows.len(), list.all, list.left), (19, 250, 231));
        assert!(list.rows.is_sorted_by_key(|listed| listed.number));
        let list = picked.list(Class::Unsupported, MOST);
        assert_eq!((list.rows.len(), list.left), (100, 150));
        assert_eq!(picked.list(Class::Finding, MOST).rows.len(), 0);
        assert_eq!(picked.rows(), 255);
    }

    #[test]
    fn one_fact_is_one_of_one_session() {
        let mut picked = Picked::default();
        for _ in 0..2 {
            picked.row(&json!({"kind": "session", "verdict": "read"}));
            picked.row(&claim("contradicted", Some(7)));
        }
        assert_eq!(picked.list(Class::Contradicted, MOST).rows.len(), 2);
    }
}
