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
        // Who spoke before the agent closed cut it off, whatever they said.
        cut_off: turn.ended != Ended::Closed,
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

/// Where a part of a step stands.
pub(super) fn when(step: &Step, within: usize) -> When {
    When {
        issued: step.issued,
        arrived: match step.result {
            Some(_) => step.arrived,
            None => u64::MAX,
        },
        within,
        line: step.call.line,
        span: (step.call.start, step.call.end),
    }
}

fn read(step: &Step, deeds: &mut Deeds) {
    let at = |within| when(step, within);
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
        (Outcome::Denied, _) => How::Refused,
        (Outcome::Invalid, _) => How::Never,
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
        elsewhere: act.elsewhere,
        how,
        when,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::Place;
    use crate::turn::{Delegated, Kept};

    fn act(words: &str, effect: Effect, verify: Option<Verify>) -> Act {
        let mut ends: Vec<u32> = words.match_indices(' ').map(|(at, _)| at as u32).collect();
        ends.push(words.len() as u32);
        Act {
            verify,
            shell: true,
            words: words.to_owned(),
            ends,
            ..Act::plain(effect, Some(Domain::Workspace))
        }
    }

    fn tests() -> Act {
        act("cargo test", Effect::Read, Some(Verify::Test))
    }

    fn step(acts: Vec<Act>, outcome: Outcome, text: &str) -> Step {
        Step {
            result: Some(Place::default()),
            acts,
            outcome,
            text: Kept::of(text),
            issued: 3,
            arrived: 4,
            ..Step::default()
        }
    }

    fn turn(steps: Vec<Step>) -> Turn {
        Turn {
            number: 1,
            lines: (1, 9),
            prompt: None,
            steps,
            closes: Vec::new(),
            moments: Vec::new(),
            ended: Ended::Closed,
            opaque: 0,
            copied: false,
            inherited: false,
        }
    }

    /// How each deed of one step ended.
    fn how(acts: Vec<Act>, outcome: Outcome, text: &str) -> Vec<How> {
        let deeds = of(&turn(vec![step(acts, outcome, text)]));
        deeds.all.into_iter().map(|deed| deed.how).collect()
    }

    fn unsure(reason: &'static str, ran: bool) -> How {
        How::Unsure { reason, ran }
    }

    #[test]
    fn what_a_runner_prints_outranks_its_status() {
        let red = "test result: FAILED. 3 passed; 1 failed; 0 ignored";
        let green = "test result: ok. 4 passed; 0 failed; 0 ignored";
        let none = "test result: ok. 0 passed; 0 failed; 0 ignored";
        assert_eq!(how(vec![tests()], Outcome::Ok, green), [How::Ok]);
        assert_eq!(how(vec![tests()], Outcome::Ok, red), [How::Failed]);
        assert_eq!(
            how(vec![tests()], Outcome::Ok, none),
            [unsure("ran-nothing", true)]
        );
        let masked = Act {
            masked: true,
            ..tests()
        };
        let of = |outcome, text| how(vec![masked.clone()], outcome, text);
        assert_eq!(of(Outcome::Ok, ""), [unsure("outcome-hidden", true)]);
        assert_eq!(of(Outcome::Failed(Some(1)), green), [How::Ok]);
        assert_eq!(of(Outcome::Ok, red), [How::Failed]);
        let doubtful = Act {
            mask: Some(Mask::Or),
            ..masked.clone()
        };
        assert_eq!(
            how(vec![doubtful], Outcome::Ok, ""),
            [unsure("outcome-hidden", false)]
        );
    }

    #[test]
    fn what_never_began_is_told_from_what_somebody_refused() {
        let of = |outcome| how(vec![tests()], outcome, "");
        assert_eq!(of(Outcome::Denied), [How::Refused]);
        assert_eq!(of(Outcome::Invalid), [How::Never]);
        assert_eq!(of(Outcome::Running), [unsure("outcome-unknown", true)]);
        assert_eq!(of(Outcome::Interrupted), [unsure("outcome-unknown", true)]);
        assert_eq!(of(Outcome::Missing), [unsure("outcome-unknown", false)]);
    }

    /// Of a chain that failed only the last command is known to have been reached.
    #[test]
    fn a_chain_that_failed_tells_of_its_end_only() {
        let edit = act("sed -i s/a/b/ a", Effect::Mutate, None);
        assert_eq!(
            how(vec![edit, tests()], Outcome::Failed(Some(1)), ""),
            [unsure("outcome-hidden", false), How::Failed]
        );
    }

    #[test]
    fn gaps_stand_where_the_record_does_not_show_what_was_done() {
        let gap = |step: Step| {
            let deeds = of(&turn(vec![step]));
            assert!(deeds.all.is_empty());
            deeds
                .gaps
                .into_iter()
                .map(|gap| gap.reason)
                .collect::<Vec<_>>()
        };
        let unread = act("", Effect::Unknown, None);
        let tool = Act {
            shell: false,
            ..unread.clone()
        };
        assert_eq!(
            gap(step(vec![unread.clone()], Outcome::Ok, "")),
            ["unread-command"]
        );
        assert_eq!(gap(step(vec![tool], Outcome::Ok, "")), ["unknown-tool"]);
        assert!(gap(step(vec![unread], Outcome::Denied, "")).is_empty());
        let sent = Step {
            delegate: true,
            ..step(Vec::new(), Outcome::Ok, "")
        };
        assert_eq!(gap(sent), ["delegated-unseen"]);
        let neutral = Step {
            neutral: true,
            ..step(vec![tests()], Outcome::Ok, "")
        };
        assert!(gap(neutral).is_empty());
    }

    /// What a launched agent did stands at the call that launched it, in its own order; a status that
    /// does not show there stays hidden.
    #[test]
    fn an_agent_s_deeds_stand_at_its_launch() {
        let hidden = Act {
            masked: true,
            ..tests()
        };
        let sent = Step {
            delegate: true,
            delegated: Some(Delegated {
                agent: "a".to_owned(),
                acts: vec![(tests(), Outcome::Ok), (hidden, Outcome::Ok)],
                looked: false,
            }),
            ..step(Vec::new(), Outcome::Ok, "")
        };
        let deeds = of(&turn(vec![sent]));
        assert!(deeds.gaps.is_empty());
        let told: Vec<(usize, How)> = deeds
            .all
            .iter()
            .map(|deed| (deed.when.within, deed.how))
            .collect();
        assert_eq!(told, [(0, How::Ok), (1, unsure("outcome-hidden", true))]);
        assert_eq!(deeds.all[0].words, ["cargo", "test"]);
        assert_eq!(
            (deeds.all[0].when.issued, deeds.all[0].when.arrived),
            (3, 4)
        );
    }

    #[test]
    fn a_turn_that_is_not_over_is_cut_off_and_a_call_without_result_never_arrives() {
        let mut open = turn(vec![Step {
            result: None,
            ..step(vec![tests()], Outcome::Missing, "")
        }]);
        open.opaque = 1;
        for (ended, cut) in [
            (Ended::Closed, false),
            (Ended::NoClose, true),
            (Ended::Interrupted, true),
            (Ended::Running, true),
            (Ended::Limit, true),
        ] {
            open.ended = ended;
            let deeds = of(&open);
            assert_eq!(deeds.cut_off, cut, "{ended:?}");
            assert_eq!(deeds.all[0].when.arrived, u64::MAX);
            assert_eq!(deeds.gaps[0].reason, "unknown-record");
        }
    }
}
