//! `lane-use`: whether a run used the tool that it was given for its task.

use serde_json::Value;

use super::super::check::{Asked, Check, ParamError, Reads};
use super::super::evidence::{Call, Evidence, Joined, Weighed};
use super::super::guard::Guards;
use super::super::verdict::Component;
use super::calls::{Meant, Own};
use super::find::{in_name, stands};
use super::params::{Common, Params};
use super::{KeyShape, KindInfo, unseen};

const FAILING: &[&str] = &["not-adopted"];

pub(super) const INFO: KindInfo = KindInfo {
    id: "lane-use",
    question: "Did the run itself use this tool, by a call that succeeded?",
    failing: FAILING,
    unknown: &["call-state-unknown", "calls-unobserved", "join-unknown"],
    guards: &[
        "join-row-rules",
        "stateless-only-makes-unknown",
        "succeeded-only",
        "own-status",
        "state-not-result",
        "own-calls-only",
        "unobserved-is-no-miss",
        "outside-window",
        "predicate-decides",
        "server-is-no-prefix",
        "program-is-no-prefix",
        "program-behind-wrappers",
        "wrapper-is-a-program",
        "mention-is-no-call",
        "asking-the-version-is-no-use",
        "prompt-is-no-call",
        "answer-decides-nothing",
    ],
    readings: &[],
    reads: Reads::Evidence,
    page: include_str!("lane-use.md"),
    key: KeyShape::None,
    parse,
};

#[derive(Debug)]
struct LaneUse {
    lane: String,
    meant: Meant,
    common: Common,
}

fn parse(value: &Value) -> Result<Box<dyn Check>, ParamError> {
    let mut params = Params::new(value)?;
    let lane = params.needed("lane")?.to_owned();
    let mut meant = Meant::read(&mut params)?;
    if meant.is_empty() {
        return Err(params.error("predicates", "missing"));
    }
    let no_use = params.texts("no-use")?.into_iter();
    meant.no_use = no_use.map(str::to_owned).collect();
    let common = Common::reasons_only(&mut params, FAILING)?;
    params.finish()?;
    Ok(Box::new(LaneUse {
        lane,
        meant,
        common,
    }))
}

impl LaneUse {
    fn by_calls(&self, asked: &Asked<'_>, evidence: &Evidence<'_>) -> Weighed {
        let guards = asked.guards;
        let told = |guard, text: &str| !guards.on(guard) && stands(text, &self.lane, in_name);
        if told("prompt-is-no-call", &evidence.prompt)
            || told("answer-decides-nothing", asked.answer.raw())
        {
            return Component::pass().into();
        }
        let calls = self.meant.calls(evidence, guards).map(|call| {
            let unseen = call.result.is_none() && !guards.on("state-not-result");
            match self.meant.of(call, guards) {
                Own::Yes if unseen => (call, Own::Perhaps),
                own => (call, own),
            }
        });
        let calls: Vec<(&Call<'_>, Own)> = calls.collect();
        let best = calls.iter().map(|(_, own)| *own).max();
        let best = best.unwrap_or(Own::No);
        let told = calls.iter().filter(|(_, own)| *own == best);
        let told = told.map(|(call, _)| *call);
        match best {
            Own::Yes => Weighed::from(Component::pass()).resting(told.take(1), "a use of it"),
            // A program that is not there leaves a call that succeeds by what follows it.
            Own::Perhaps | Own::Hidden => {
                let unknown = Component::unknown("call-state-unknown");
                Weighed::from(unknown).resting(told, "what may have been a use of it")
            }
            Own::Failed => self
                .none(calls.len(), evidence, guards)
                .resting(told, "a use of it that failed"),
            Own::No => self
                .none(calls.len(), evidence, guards)
                .resting(told, "another call"),
        }
    }

    fn none(&self, looked_at: usize, evidence: &Evidence<'_>, guards: Guards<'_>) -> Weighed {
        let result = match guards.hold("unobserved-is-no-miss", !evidence.calls_observed) {
            true => Component::unknown("calls-unobserved"),
            false => Component::fail(self.common.reason("not-adopted")),
        };
        let mut weighed = Weighed::from(result);
        weighed.facts.insert("calls", looked_at.into());
        weighed
    }
}

impl Check for LaneUse {
    fn ask(&self, asked: &Asked<'_>) -> Component {
        unseen(self, asked)
    }

    fn weigh(&self, asked: &Asked<'_>, evidence: &Evidence<'_>) -> Option<Weighed> {
        let join = evidence.join.filter(|_| asked.guards.on("join-row-rules"));
        let result = match join.map(|row| row.adopted) {
            Some(Joined::Adopted) => Component::pass(),
            Some(Joined::NotAdopted) => Component::fail(self.common.reason("not-adopted")),
            Some(Joined::Unknown) => Component::unknown("join-unknown"),
            None => return Some(self.by_calls(asked, evidence)),
        };
        Some(result.into())
    }
}
