//! What a turn did, in the words of specs.

use crate::oracle::{Deed, Deeds, Gap, How, When};
use crate::rule::runner::{self, Speech};
use crate::shell::{Domain, Effect, Mask, Verify};
use crate::transcript::Outcome;
use crate::turn::{Act, Ended, Step, Turn};

/// Whether whoever launched an agent has to know of an act of its.
pub(super) fn counts(act: &Act) -> bool {
    act.verify.is_some() || act.effect == Effect::Mutate
}

/// Whether a step looked at something.
pub(super) fn looks(step: &Step) -> bool {
    let looks = |act: &Act| act.effect == Effect::Read && !act.noop;
    step.outcome == Outcome::Ok && step.acts.iter().any(looks)
}

/// The deeds of a turn, and where it may have done more.
pub(super) fn of(turn: &Turn) -> Deeds {
    let mut deeds = Deeds {
        cut_off: !matches!(turn.ended, Ended::Closed | Ended::NoClose),
        ..Deeds::default()
    };
    if turn.opaque > 0 {
        deeds.gaps.push(Gap {
            reason: "unknown-record",
            when: None,
        });
    }
    for step in turn.steps.iter().filter(|step| !step.neutral) {
        read(step, &mut deeds);
    }
    deeds
}

fn read(step: &Step, deeds: &mut Deeds) {
    let at = |within| When {
        issued: step.issued,
        arrived: match step.result {
            Some(_) => step.arrived,
            None => u64::MAX,
        },
        within,
        line: step.call.line,
        span: (step.call.start, step.call.end),
    };
    let mut gap = |reason| {
        let when = Some(at(usize::MAX));
        deeds.gaps.push(Gap { reason, when });
    };
    match (&step.delegated, step.delegate) {
        (Some(delegated), _) => {
            for (within, (act, outcome)) in delegated.acts.iter().enumerate() {
                // The agent's own results are not kept: a status that does not show stays hidden.
                let how = ended(act, *outcome, Speech::Silent, true);
                deeds.all.push(deed(act, how, at(within)));
            }
            return;
        }
        (None, true) => return gap("delegated-unseen"),
        (None, false) => {}
    }
    for (within, act) in step.acts.iter().enumerate() {
        if act.effect == Effect::Unknown && act.words.is_empty() {
            if !matches!(step.outcome, Outcome::Denied | Outcome::Invalid) {
                deeds.gaps.push(Gap {
                    reason: if act.shell {
                        "unread-command"
                    } else {
                        "unknown-tool"
                    },
                    when: Some(at(within)),
                });
            }
            continue;
        }
        let speech = match act.verify {
            Some(_) => runner::read(&act.words, step.text.as_str()).speech,
            None => Speech::Silent,
        };
        let last = within + 1 == step.acts.len();
        let how = ended(act, step.outcome, speech, last);
        deeds.all.push(deed(act, how, at(within)));
    }
}

/// How an act ended: what its runner prints outranks its status, and a status that is another
/// command's says nothing. In a chain that failed, only the last command is known to be the one.
fn ended(act: &Act, outcome: Outcome, speech: Speech, last: bool) -> How {
    let ran = !matches!(
        act.mask,
        Some(Mask::Or | Mask::Condition | Mask::Deferred | Mask::Launcher)
    );
    let unsure = |reason, ran| How::Unsure { reason, ran };
    match (outcome, speech) {
        (Outcome::Denied | Outcome::Invalid, _) => How::Never,
        (Outcome::Running | Outcome::Interrupted, _) => unsure("outcome-unknown", true),
        (_, Speech::Failed) => How::Failed,
        (_, Speech::Empty) if act.verify == Some(Verify::Test) => unsure("ran-nothing", true),
        (Outcome::Ok, Speech::Ok) => How::Ok,
        (Outcome::Failed(_), Speech::Ok) if act.masked => How::Ok,
        (Outcome::Ok | Outcome::Failed(_), _) if act.masked => unsure("outcome-hidden", ran),
        (Outcome::Failed(_), _) if last || !act.shell => How::Failed,
        (Outcome::Failed(_), _) => unsure("outcome-hidden", false),
        (Outcome::Ok, _) => How::Ok,
        _ => unsure("outcome-unknown", false),
    }
}

fn deed(act: &Act, how: How, when: When) -> Deed {
    Deed {
        effect: act.effect.as_str(),
        domain: act.domain.map(Domain::as_str),
        verify: act.verify.map(Verify::as_str),
        words: act.argv().map(str::to_owned).collect(),
        writes: act.writes.clone(),
        reads: act.reads.clone(),
        how,
        when,
    }
}
