//! `steps-order`: where one thing was done, another was done too, and in order.

use serde_json::Value;

use super::super::check::{Asked, Check, ParamError, Reads};
use super::super::deed::{After, Deed, Deeds, Gap, Seen, When};
use super::super::guard::Guards;
use super::super::verdict::Component;
use super::params::{Common, Params};
use super::steps::{Match, Matcher, best};
use super::{KeyShape, KindInfo};

const FAILING: &[&str] = &["missing", "failed", "order"];

pub(super) const INFO: KindInfo = KindInfo {
    id: "steps-order",
    question: "Does a turn that does one thing also do another, in this order and with success?",
    failing: FAILING,
    unknown: &[
        "condition-unknown",
        "outcome-hidden",
        "outcome-unknown",
        "ran-nothing",
        "refused",
        "order-unclear",
        "delegated-unseen",
        "unread-command",
        "unknown-tool",
        "unknown-record",
        "another-machine",
        "turn-cut-off",
    ],
    guards: &[
        "refused-is-not-done",
        "refused-accuses-nobody",
        "failed-is-not-done",
        "hidden-outcome",
        "doubtful-condition",
        "unclear-order",
        "gaps",
        "another-machine",
        "cut-off",
        "same-call-in-order",
    ],
    readings: &[],
    reads: Reads::Steps,
    page: include_str!("steps-order.md"),
    key: KeyShape::None,
    parse,
};

#[derive(Debug)]
struct StepsOrder {
    when: Vec<Matcher>,
    then: Vec<Matcher>,
    order: &'static str,
    common: Common,
}

fn parse(value: &Value) -> Result<Box<dyn Check>, ParamError> {
    let mut params = Params::new(value)?;
    let when = Matcher::list(&mut params, "when")?;
    let then = Matcher::list(&mut params, "then")?;
    if then.is_empty() {
        return Err(params.error("then", "missing"));
    }
    let order = params.choice("order", &["after", "before", "any"])?;
    let common = Common::reasons_only(&mut params, FAILING)?;
    params.finish()?;
    Ok(Box::new(StepsOrder {
        when,
        then,
        order,
        common,
    }))
}

/// What stands on the right side of a condition.
#[derive(Default)]
struct Around {
    done: Option<When>,
    maybe: Option<(&'static str, When)>,
    failed: Option<When>,
    /// It was tried, and somebody refused it, after everything that failed.
    refused: Option<When>,
    elsewhere: Option<When>,
}

impl StepsOrder {
    /// Whether a deed stands where it has to for a condition.
    fn side(&self, own: &When, condition: Option<&When>, guards: Guards<'_>) -> After {
        let Some(condition) = condition else {
            return After::Yes;
        };
        let side = match self.order {
            "after" => own.after(condition),
            "before" => condition.after(own),
            _ => After::Yes,
        };
        match side {
            After::Unclear if !guards.on("unclear-order") => After::Yes,
            side => side,
        }
    }

    fn around(&self, deeds: &Deeds, condition: Option<&When>, guards: Guards<'_>) -> Around {
        let mut around = Around::default();
        for deed in &deeds.all {
            let at = deed.when;
            let found = best(&self.then, deed, deeds, guards);
            let mut side = self.side(&deed.when, condition, guards);
            let same = condition.is_some_and(|own| (own.issued, own.line) == (at.issued, at.line));
            if same && !guards.on("same-call-in-order") {
                side = After::Yes;
            }
            match (found, side) {
                (Match::Yes, After::Yes) => around.done = around.done.or(Some(at)),
                (Match::Yes | Match::Maybe(_), After::Unclear) => {
                    around.maybe = around.maybe.or(Some(("order-unclear", at)));
                }
                (Match::Maybe(reason), After::Yes) => around.maybe = Some((reason, at)),
                (Match::Failed, After::Yes) => (around.failed, around.refused) = (Some(at), None),
                (Match::Refused, After::Yes | After::Unclear) => around.refused = Some(at),
                (Match::Yes, After::No) => around.elsewhere = Some(at),
                _ => {}
            }
        }
        around
    }

    /// The conditions that decide: of those that are certain and of those that are not, the last one
    /// for what must come after, and the first for what must come before. What suits it suits all.
    fn conditions<'d>(
        &self,
        deeds: &'d Deeds,
        guards: Guards<'_>,
    ) -> (Option<&'d Deed>, Option<&'d Deed>) {
        let of = |wanted: fn(&Match) -> bool| {
            let all = deeds.all.iter();
            let all = all.filter(|deed| wanted(&best(&self.when, deed, deeds, guards)));
            match self.order {
                "before" => all.min_by_key(|deed| (deed.when.issued, deed.when.within)),
                _ => all.max_by_key(|deed| (deed.when.arrived, deed.when.within)),
            }
        };
        (
            of(|own| matches!(own, Match::Yes)),
            of(|own| matches!(own, Match::Maybe(_))),
        )
    }

    fn gap<'d>(
        &self,
        deeds: &'d Deeds,
        condition: Option<&When>,
        guards: Guards<'_>,
    ) -> Option<&'d Gap> {
        let open = |gap: &&Gap| {
            let when = gap.when.as_ref();
            when.is_none_or(|own| self.side(own, condition, guards) != After::No)
        };
        deeds.gaps.iter().find(open).filter(|_| guards.on("gaps"))
    }

    /// What is so for one condition.
    fn decide(&self, deeds: &Deeds, condition: Option<&When>, guards: Guards<'_>) -> Seen {
        let around = self.around(deeds, condition, guards);
        let mut places: Vec<(When, &'static str)> = Vec::new();
        places.extend(condition.map(|own| (*own, "condition")));
        let result = if let Some(at) = around.done {
            places.push((at, "done"));
            Component::pass()
        } else if let Some((reason, at)) = around.maybe {
            places.push((at, reason));
            Component::unknown(reason)
        } else if let Some(gap) = self.gap(deeds, condition, guards) {
            places.extend(gap.when.map(|own| (own, gap.reason)));
            Component::unknown(gap.reason)
        } else if guards.hold("cut-off", deeds.cut_off) {
            Component::unknown("turn-cut-off")
        } else if let Some(at) = around
            .refused
            .filter(|_| guards.on("refused-accuses-nobody"))
        {
            places.push((at, "refused"));
            Component::unknown("refused")
        } else if let Some(at) = around.failed {
            places.push((at, "failed"));
            Component::fail(self.common.reason("failed"))
        } else if let Some(at) = around.elsewhere {
            places.push((at, "elsewhere"));
            Component::fail(self.common.reason("order"))
        } else {
            Component::fail(self.common.reason("missing"))
        };
        Seen { result, places }
    }
}

impl Check for StepsOrder {
    /// A text has no steps; a spec that asks so is refused.
    fn ask(&self, _: &Asked<'_>) -> Component {
        Component::unknown("key-shape")
    }

    fn ask_steps(&self, deeds: &Deeds, guards: Guards<'_>) -> Option<Seen> {
        if self.when.is_empty() {
            return Some(self.decide(deeds, None, guards));
        }
        let (certain, doubtful) = self.conditions(deeds, guards);
        let certain = certain.map(|deed| self.decide(deeds, Some(&deed.when), guards));
        let doubtful = doubtful.map(|deed| self.decide(deeds, Some(&deed.when), guards));
        match (certain, doubtful) {
            (None, None) => None,
            (Some(own), None) => Some(own),
            // A condition that may not have come about accuses nobody; nor is what must follow it
            // known to have done so.
            (None, Some(mut own)) => {
                soften(&mut own, guards);
                Some(own)
            }
            (Some(own), Some(mut other)) => {
                soften(&mut other, guards);
                let holds = own.result == Component::pass();
                Some(if holds { other } else { own })
            }
        }
    }
}

fn soften(seen: &mut Seen, guards: Guards<'_>) {
    if seen.result != Component::pass() && guards.on("doubtful-condition") {
        seen.result = Component::unknown("condition-unknown");
    }
}
