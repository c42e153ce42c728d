//! `steps-never`: what no turn does.

use serde_json::Value;

use super::super::check::{Asked, Check, ParamError, Reads};
use super::super::deed::{Deeds, Seen};
use super::super::guard::Guards;
use super::super::verdict::Component;
use super::params::{Common, Params};
use super::steps::{Match, Matcher, best};
use super::{KeyShape, KindInfo};

const FAILING: &[&str] = &["done"];

pub(super) const INFO: KindInfo = KindInfo {
    id: "steps-never",
    question: "Does a turn leave undone what no turn may do?",
    failing: FAILING,
    unknown: &[
        "outcome-hidden",
        "outcome-unknown",
        "ran-nothing",
        "delegated-unseen",
        "unread-command",
        "unknown-tool",
        "unknown-record",
        "another-machine",
    ],
    guards: &[
        "refused-is-not-done",
        "failed-is-not-done",
        "hidden-outcome",
        "gaps",
        "another-machine",
    ],
    readings: &[],
    reads: Reads::Steps,
    page: include_str!("steps-never.md"),
    key: KeyShape::None,
    parse,
};

#[derive(Debug)]
struct StepsNever {
    what: Vec<Matcher>,
    common: Common,
}

fn parse(value: &Value) -> Result<Box<dyn Check>, ParamError> {
    let mut params = Params::new(value)?;
    let what = Matcher::list(&mut params, "what")?;
    if what.is_empty() {
        return Err(params.error("what", "missing"));
    }
    let common = Common::reasons_only(&mut params, FAILING)?;
    params.finish()?;
    Ok(Box::new(StepsNever { what, common }))
}

impl Check for StepsNever {
    /// A text has no steps; a spec that asks so is refused.
    fn ask(&self, _: &Asked<'_>) -> Component {
        Component::unknown("key-shape")
    }

    fn ask_steps(&self, deeds: &Deeds, guards: Guards<'_>) -> Option<Seen> {
        let mut maybe = None;
        for deed in &deeds.all {
            match best(&self.what, deed, deeds, guards) {
                Match::Yes => {
                    return Some(Seen {
                        result: Component::fail(self.common.reason("done")),
                        places: vec![(deed.when, "done")],
                    });
                }
                Match::Maybe(reason) => maybe = maybe.or(Some((reason, deed.when))),
                Match::Refused | Match::Failed | Match::No => {}
            }
        }
        if let Some((reason, at)) = maybe {
            return Some(Seen {
                result: Component::unknown(reason),
                places: vec![(at, reason)],
            });
        }
        let gap = deeds.gaps.first().filter(|_| guards.on("gaps"));
        Some(match gap {
            Some(gap) => Seen {
                result: Component::unknown(gap.reason),
                places: gap.when.map(|own| (own, gap.reason)).into_iter().collect(),
            },
            None => Seen {
                result: Component::pass(),
                places: Vec::new(),
            },
        })
    }
}
