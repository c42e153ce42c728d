//! `role-config`: with what a child was started in a role.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::check::{Asked, Check, ParamError, Reads};
use super::super::evidence::{Evidence, State, TurnSeen, Weighed};
use super::super::grammar::Facts;
use super::super::guard::Guards;
use super::super::verdict::Component;
use super::find::resolved;
use super::params::{Common, Params};
use super::{KeyShape, KindInfo, key, key_shape, unseen};

const FAILING: &[&str] = &["role-text", "model", "effort", "sandbox", "cwd", "servers"];

pub(super) const INFO: KindInfo = KindInfo {
    id: "role-config",
    question: "Did the child run with its role's words, model and effort, and with what its parent may touch?",
    failing: FAILING,
    unknown: &[
        "rollout-missing",
        "messages-unobserved",
        "turn-unobserved",
        "turns-missing",
        "parent-unobserved",
        "call-state-unknown",
        "key-shape",
    ],
    guards: &[
        "key-shape",
        "unobserved-is-no-fail",
        "one-rollout",
        "no-turn-is-no-pass",
        "own-turns-only",
        "every-own-turn",
        "developer-messages-only",
        "exactly-once",
        "text-whole",
        "model-is-no-prefix",
        "path-is-no-prefix",
        "path-resolved",
        "servers-are-a-set",
        "called-servers-count",
        "stateless-only-makes-unknown",
        "answer-decides-nothing",
    ],
    readings: &[],
    reads: Reads::Evidence,
    page: include_str!("role-config.md"),
    key: KeyShape::fields(&["role-text", "model", "effort"]),
    parse,
};

#[derive(Debug)]
struct RoleConfig {
    /// Whose words the role's text must stand in.
    messages: String,
    common: Common,
}

fn parse(value: &Value) -> Result<Box<dyn Check>, ParamError> {
    let mut params = Params::new(value)?;
    params.needed("role")?;
    let messages = params
        .text("message-role")?
        .unwrap_or("developer")
        .to_owned();
    let common = Common::reasons_only(&mut params, FAILING)?;
    params.finish()?;
    Ok(Box::new(RoleConfig { messages, common }))
}

/// The key: the role's words, model and effort.
struct Role<'k> {
    text: &'k str,
    model: &'k str,
    effort: &'k str,
}

impl RoleConfig {
    fn text(&self, role: &Role<'_>, asked: &Asked<'_>, evidence: &Evidence<'_>, facts: &mut Facts) {
        let guards = asked.guards;
        let own = evidence.messages.iter().filter(|message| {
            message.role == self.messages || !guards.on("developer-messages-only")
        });
        let mut wanted = role.text.trim();
        if !guards.on("text-whole") {
            wanted = wanted.split_inclusive('.').next().unwrap_or(wanted);
        }
        let times =
            |text: &str| memchr::memmem::find_iter(text.as_bytes(), wanted.as_bytes()).count();
        let mut count: usize = own.map(|message| times(&message.text)).sum();
        if !guards.on("answer-decides-nothing") {
            count += times(asked.answer.raw());
        }
        let right = match guards.on("exactly-once") {
            true => count == 1,
            false => count > 0,
        };
        // What does not stand there may have been said where nobody wrote it down; what stands there twice was said twice.
        let open = !evidence.messages_observed && count < 2;
        if guards.hold("unobserved-is-no-fail", open) {
            facts.unknown("messages-unobserved");
        } else if !right {
            facts.fail(self.common.reason("role-text"));
        }
    }

    fn turn(
        &self,
        turn: &TurnSeen<'_>,
        role: &Role<'_>,
        evidence: &Evidence<'_>,
        guards: Guards<'_>,
        facts: &mut Facts,
    ) {
        let model =
            turn.model
                .as_deref()
                .is_some_and(|own| match guards.on("model-is-no-prefix") {
                    true => own == role.model,
                    false => own.starts_with(role.model),
                });
        let mut decide = |name: &'static str, right: bool| {
            let untold = turn.untold.iter().any(|own| own == name);
            // Where a record does not tell which servers could be called, those that were called do.
            if untold && name == "servers" && evidence.calls_observed {
                return;
            }
            if guards.hold("unobserved-is-no-fail", untold) {
                facts.unknown("turn-unobserved");
            } else if !right {
                facts.fail(self.common.reason(name));
            }
        };
        decide("model", model);
        decide("effort", turn.effort.as_deref() == Some(role.effort));
        let parent = &evidence.parent;
        if parent.sandbox.is_some() {
            decide("sandbox", turn.sandbox == parent.sandbox);
        }
        if let Some(wanted) = parent.cwd.as_deref() {
            let place = |path: &str| match guards.on("path-resolved") {
                true => resolved(path, "").unwrap_or_else(|| path.to_owned()),
                false => path.to_owned(),
            };
            let same =
                turn.cwd
                    .as_deref()
                    .is_some_and(|own| match guards.on("path-is-no-prefix") {
                        true => place(own) == place(wanted),
                        false => place(own).starts_with(&place(wanted)),
                    });
            decide("cwd", same);
        }
        if let Some(wanted) = &parent.servers {
            let set = |own: &[std::borrow::Cow<'_, str>]| -> Vec<String> {
                let mut own: Vec<String> = own.iter().map(ToString::to_string).collect();
                if guards.on("servers-are-a-set") {
                    own.sort();
                    own.dedup();
                }
                own
            };
            let same = turn.servers.as_deref().map(set) == Some(set(wanted));
            decide("servers", same);
        }
    }

    /// A server that was called is one that could be.
    fn called(&self, evidence: &Evidence<'_>, guards: Guards<'_>, facts: &mut Facts) {
        let Some(allowed) = evidence.parent.servers.as_deref() else {
            return;
        };
        let allowed: BTreeSet<&str> = allowed.iter().map(AsRef::as_ref).collect();
        for call in evidence.calls.iter().filter(|call| call.owner.is_none()) {
            let outside = !call.server.is_empty() && !allowed.contains(&*call.server);
            if !guards.hold("called-servers-count", outside) {
                continue;
            }
            if call.state == State::None && guards.on("stateless-only-makes-unknown") {
                facts.unknown("call-state-unknown");
            } else {
                facts.fail(self.common.reason("servers"));
            }
        }
    }
}

impl Check for RoleConfig {
    fn ask(&self, asked: &Asked<'_>) -> Component {
        unseen(self, asked)
    }

    fn weigh(&self, asked: &Asked<'_>, evidence: &Evidence<'_>) -> Option<Weighed> {
        let guards = asked.guards;
        if evidence.child == Some(false) {
            return None;
        }
        let text = |name| key::field(asked.key, name).and_then(key::text);
        let role = (text("role-text"), text("model"), text("effort"));
        let (Some(words), Some(model), Some(effort)) = role else {
            return Some(key_shape(asked).into());
        };
        let role = Role {
            text: words,
            model,
            effort,
        };
        let one = evidence.rollouts == 1 || evidence.rollouts > 1 && !guards.on("one-rollout");
        if !one && guards.on("unobserved-is-no-fail") {
            return Some(Component::unknown("rollout-missing").into());
        }
        let mut facts = Facts::default();
        self.text(&role, asked, evidence, &mut facts);
        let own = |turn: &&TurnSeen<'_>| turn.own || !guards.on("own-turns-only");
        let turns: Vec<&TurnSeen<'_>> = evidence.turns.iter().filter(own).collect();
        if turns.is_empty() && guards.on("no-turn-is-no-pass") {
            facts.unknown("turns-missing");
        }
        let every = match guards.on("every-own-turn") {
            true => turns.len(),
            false => 1,
        };
        for turn in turns.iter().take(every) {
            self.turn(turn, &role, evidence, guards, &mut facts);
        }
        let parent = &evidence.parent;
        if parent.sandbox.is_none() || parent.cwd.is_none() || parent.servers.is_none() {
            facts.unknown("parent-unobserved");
        }
        self.called(evidence, guards, &mut facts);
        Some(facts.finish().into())
    }
}
