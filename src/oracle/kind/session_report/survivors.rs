//! Processes that a run left behind.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::super::super::check::Asked;
use super::super::super::evidence::{Evidence, Instant, Process};
use super::super::super::grammar::Facts;
use super::super::super::guard::Guards;
use super::super::calls::base_name;
use super::{SURVIVING, SessionReport};
use crate::shell;

/// The most bytes of a program's name that a process table shows.
const SHOWN: usize = 15;

impl SessionReport {
    /// The programs that the run itself ran.
    fn ran(&self, evidence: &Evidence<'_>) -> BTreeSet<String> {
        let calls = evidence.calls.iter().filter(|call| call.owner.is_none());
        let texts = calls.filter_map(|call| self.shells.text(call));
        let mut programs = BTreeSet::new();
        for text in texts {
            let script = shell::read(&text);
            let names = script.commands.iter().map(|own| base_name(&own.program));
            programs.extend(names.map(str::to_owned));
        }
        programs
    }

    /// The processes that are the run's own: those of a program that it ran, and their children. Others of its time are counted.
    fn owned(&self, evidence: &Evidence<'_>, guards: Guards<'_>) -> Option<(Vec<u64>, u64)> {
        let lifetime = evidence.lifetime.as_ref()?;
        let (start, end) = (
            Instant::parse(&lifetime.start)?,
            Instant::parse(&lifetime.end)?,
        );
        let inside = |own: &&Process<'_>| {
            let at = own.start.as_deref().and_then(Instant::parse);
            !guards.on("lifetime") || at.is_some_and(|at| start <= at && at <= end)
        };
        let there: Vec<&Process<'_>> = evidence.processes.iter().filter(inside).collect();
        let programs = self.ran(evidence);
        let is = |comm: &str, program: &String| {
            program == comm
                || comm.len() == SHOWN && program.starts_with(comm)
                || !guards.on("program-is-no-prefix") && comm.starts_with(program.as_str())
        };
        let mut owned: BTreeSet<u64> = BTreeSet::new();
        for own in &there {
            let ran = programs.iter().any(|program| is(&own.comm, program));
            if ran || !guards.on("unattributed-never-fails") {
                owned.insert(own.pid);
            }
        }
        let mut children: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        for own in &there {
            children.entry(own.ppid).or_default().push(own.pid);
        }
        let mut open: Vec<u64> = owned.iter().copied().collect();
        while let Some(pid) = open.pop() {
            if !guards.on("children-transitive") {
                break;
            }
            for child in children.remove(&pid).unwrap_or_default() {
                if owned.insert(child) {
                    open.push(child);
                }
            }
        }
        let others = there.iter().filter(|own| !owned.contains(&own.pid)).count();
        Some((owned.into_iter().collect(), others as u64))
    }

    /// Whether anything of the run's goes on without it.
    pub(super) fn left_behind(
        &self,
        asked: &Asked<'_>,
        evidence: &Evidence<'_>,
        facts: &mut Facts,
    ) -> BTreeMap<&'static str, Value> {
        let guards = asked.guards;
        let mut told = BTreeMap::new();
        let observed = evidence.processes_observed || !guards.on("unobserved-is-no-survivor");
        let owned = self.owned(evidence, guards).filter(|_| observed);
        let mut survives = evidence.background_pending > 0;
        match owned {
            Some((pids, others)) => {
                survives |= !pids.is_empty();
                told.insert("owned", json!(pids));
                told.insert("unattributed", json!(others));
            }
            None if survives => {}
            None => facts.unknown("survival-unobserved"),
        }
        if survives {
            let reason = self.common.reason("owned-process-survives");
            match asked.readings.get(SURVIVING.id) {
                "unknown" => facts.unknown(reason),
                _ => facts.fail(reason),
            }
        }
        told
    }
}
