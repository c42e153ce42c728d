//! What a task comes to, from its attempts.

use std::collections::BTreeSet;

use super::attempt::Class;
use crate::oracle::{Component, Status};

/// What a task comes to in one arm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// `pass`, `fail` or `unknown`.
    pub status: Status,
    /// Whether no attempt is recorded.
    pub not_launched: bool,
    /// Whether it is a control that does not show what it was planted for.
    pub incomplete: bool,
    /// Whether its spec asks nothing of its answers: it is recorded, and counts nowhere.
    pub ungraded: bool,
    /// Why, sorted.
    pub reasons: BTreeSet<String>,
}

impl Outcome {
    /// A task that is recorded and not graded.
    #[must_use]
    pub fn ungraded() -> Self {
        Self {
            ungraded: true,
            reasons: BTreeSet::new(),
            ..Self::unknown("")
        }
    }

    fn unknown(reason: &str) -> Self {
        Self {
            status: Status::Unknown,
            not_launched: false,
            incomplete: false,
            ungraded: false,
            reasons: BTreeSet::from([reason.to_owned()]),
        }
    }

    /// Whether it may still pass, once everything is known.
    #[must_use]
    pub fn may_pass(&self) -> bool {
        self.status != Status::Fail && !self.incomplete && !self.ungraded
    }

    /// Whether it passes, whatever is not known.
    #[must_use]
    pub fn passes(&self) -> bool {
        self.status == Status::Pass
    }

    /// The word for it in rows and cells.
    #[must_use]
    pub fn verdict(&self) -> &'static str {
        if self.ungraded {
            "not-graded"
        } else if self.not_launched {
            "not-launched"
        } else if self.incomplete {
            "incomplete-control"
        } else {
            self.status.as_str()
        }
    }
}

/// What an attempt is held against beside its checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Watched {
    /// Nothing.
    No,
    /// It must not have seen something: what became of that.
    Blind(Status),
    /// It is a control that must have seen something: likewise.
    Control(Status),
}

/// One attempt.
#[derive(Debug, Clone, Copy)]
pub struct Spoken<'a> {
    /// What became of it.
    pub class: Class,
    /// What its checks come to.
    pub component: Option<&'a Component>,
    /// What it is held against besides.
    pub watched: Watched,
}

/// What the attempts that are considered come to.
#[derive(Default)]
struct Told {
    failing: BTreeSet<String>,
    passes: bool,
    unknown: bool,
    unresolved: bool,
    /// An attempt fails of which nobody knows whether it may speak.
    unclean: bool,
    blind: bool,
}

impl Told {
    fn add(&mut self, attempt: &Spoken<'_>, every: bool) {
        match (attempt.class, attempt.component) {
            (Class::Completed, Some(component)) => self.completed(attempt.watched, component),
            // Under the strict rule what was not completed is a failure, whatever broke it off.
            (Class::Inadmissible(cause) | Class::Unresolved(cause), _) if every => {
                self.failing.insert(cause.to_owned());
            }
            (Class::Unresolved(_), _) => (self.unknown, self.unresolved) = (true, true),
            (Class::Completed, None) | (Class::Inadmissible(_), _) => self.unknown = true,
        }
    }

    fn completed(&mut self, watched: Watched, component: &Component) {
        let clean = match watched {
            Watched::Blind(clean) => clean,
            Watched::No | Watched::Control(_) => Status::Pass,
        };
        self.blind |= matches!(watched, Watched::Blind(_));
        match (clean, component.status) {
            // What saw too much says nothing, and what may have speaks only against a pass.
            (Status::Unknown | Status::Pending, Status::Fail) => self.unclean = true,
            (Status::Unknown | Status::Pending | Status::Fail, _) => {}
            (Status::Pass, Status::Pass) => self.passes = true,
            (Status::Pass, Status::Fail) => self.failing.extend(component.failing.iter().cloned()),
            (Status::Pass, Status::Unknown | Status::Pending) => self.unknown = true,
        }
    }

    fn outcome(self) -> Outcome {
        if !self.failing.is_empty() {
            return Outcome {
                status: Status::Fail,
                reasons: self.failing,
                ..Outcome::unknown("")
            };
        }
        let open = [
            (self.unresolved, "attempt-class-unresolved"),
            (self.blind && !self.passes, "no-clean-verdict"),
            (self.unclean, "unclean-verdict"),
            (self.unknown, "attempt-unknown"),
        ];
        match open.into_iter().find(|(is, _)| *is) {
            Some((_, reason)) => Outcome::unknown(reason),
            None => Outcome {
                status: Status::Pass,
                reasons: BTreeSet::new(),
                ..Outcome::unknown("")
            },
        }
    }
}

/// What a task comes to under the reading `attempt-rule`. Attempts stand in their order.
#[must_use]
pub fn outcome(rule: &str, attempts: &[Spoken<'_>]) -> Outcome {
    if attempts.is_empty() {
        return Outcome {
            not_launched: true,
            ..Outcome::unknown("not-launched")
        };
    }
    let every = rule == "every-recorded";
    let considered: Vec<&Spoken<'_>> = match rule {
        "last-attempt" => attempts.last().into_iter().filter(speaks).collect(),
        "every-recorded" => attempts.iter().collect(),
        _ => attempts.iter().filter(speaks).collect(),
    };
    if considered.is_empty() {
        return Outcome::unknown("no-completed-attempt");
    }
    let mut told = Told::default();
    for attempt in &considered {
        told.add(attempt, every);
    }
    controlled(told.outcome(), &considered)
}

/// A control is as good as what it shows: where it shows nothing it is incomplete, and where nobody looked it does not pass.
fn controlled(outcome: Outcome, considered: &[&Spoken<'_>]) -> Outcome {
    let seen = considered.iter().filter_map(|own| match own.watched {
        Watched::Control(seen) if own.class == Class::Completed => Some(seen),
        _ => None,
    });
    let seen: Vec<Status> = seen.collect();
    if seen.is_empty() || seen.contains(&Status::Pass) {
        outcome
    } else if seen.iter().all(|own| *own == Status::Fail) {
        Outcome {
            incomplete: true,
            ..Outcome::unknown("nothing-shown")
        }
    } else if outcome.passes() {
        Outcome::unknown("control-unobserved")
    } else {
        outcome
    }
}

fn speaks(attempt: &&Spoken<'_>) -> bool {
    !matches!(attempt.class, Class::Inadmissible(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Class = Class::Inadmissible("usage-limit");
    const TORN: Class = Class::Unresolved("parse");

    #[test]
    fn attempts_speak_as_the_reading_says() {
        let (pass, fail) = (Component::pass(), Component::fail("count"));
        let unknown = Component::unknown("unparsed");
        let spoken = |class, component| Spoken {
            class,
            component,
            watched: Watched::No,
        };
        let done = |component| spoken(Class::Completed, Some(component));
        let said = |rule: &str, attempts: &[Spoken<'_>]| {
            let outcome = outcome(rule, attempts);
            let reasons: Vec<String> = outcome.reasons.iter().cloned().collect();
            format!("{} {}", outcome.verdict(), reasons.join(","))
        };
        let plain = "completed-attempts";
        assert_eq!(said(plain, &[]), "not-launched not-launched");
        assert_eq!(said(plain, &[done(&pass)]), "pass ");
        assert_eq!(said(plain, &[done(&pass), done(&fail)]), "fail count");
        assert_eq!(said(plain, &[done(&pass), spoken(LIMIT, None)]), "pass ");
        assert_eq!(
            said(plain, &[spoken(LIMIT, None)]),
            "unknown no-completed-attempt"
        );
        assert_eq!(
            said(plain, &[done(&unknown), done(&pass)]),
            "unknown attempt-unknown"
        );
        assert_eq!(
            said(plain, &[spoken(TORN, None), done(&pass)]),
            "unknown attempt-class-unresolved"
        );
        assert_eq!(
            said(plain, &[spoken(TORN, None), done(&fail)]),
            "fail count"
        );
        let every = "every-recorded";
        assert_eq!(
            said(every, &[done(&pass), spoken(LIMIT, None)]),
            "fail usage-limit"
        );
        assert_eq!(
            said(every, &[spoken(TORN, None), done(&pass)]),
            "fail parse"
        );
        let last = "last-attempt";
        assert_eq!(said(last, &[done(&fail), done(&pass)]), "pass ");
        assert_eq!(
            said(last, &[done(&pass), spoken(LIMIT, None)]),
            "unknown no-completed-attempt"
        );
    }

    #[test]
    fn a_blind_attempt_speaks_where_it_saw_nothing() {
        let (pass, fail) = (Component::pass(), Component::fail("count"));
        let unknown = Component::unknown("unparsed");
        let (clean, stained, open) = (Status::Pass, Status::Fail, Status::Unknown);
        let said = |attempts: &[(&Component, Status)]| {
            let attempts: Vec<Spoken<'_>> = attempts
                .iter()
                .map(|(component, clean)| Spoken {
                    class: Class::Completed,
                    component: Some(component),
                    watched: Watched::Blind(*clean),
                })
                .collect();
            let outcome = outcome("completed-attempts", &attempts);
            let reasons: Vec<String> = outcome.reasons.iter().cloned().collect();
            format!("{} {}", outcome.verdict(), reasons.join(","))
        };
        assert_eq!(said(&[(&pass, clean)]), "pass ");
        assert_eq!(said(&[(&fail, stained), (&pass, clean)]), "pass ");
        assert_eq!(said(&[(&fail, clean), (&pass, clean)]), "fail count");
        assert_eq!(said(&[(&pass, stained)]), "unknown no-clean-verdict");
        assert_eq!(said(&[(&pass, open)]), "unknown no-clean-verdict");
        assert_eq!(said(&[(&fail, open)]), "unknown no-clean-verdict");
        assert_eq!(
            said(&[(&pass, clean), (&fail, open)]),
            "unknown unclean-verdict"
        );
        assert_eq!(said(&[(&pass, clean), (&unknown, open)]), "pass ");
        assert_eq!(
            said(&[(&pass, clean), (&unknown, clean)]),
            "unknown attempt-unknown"
        );
    }

    #[test]
    fn a_control_that_shows_nothing_is_incomplete() {
        let (pass, fail) = (Component::pass(), Component::fail("count"));
        let said = |attempts: &[(&Component, Status)]| {
            let attempts: Vec<Spoken<'_>> = attempts
                .iter()
                .map(|(component, seen)| Spoken {
                    class: Class::Completed,
                    component: Some(component),
                    watched: Watched::Control(*seen),
                })
                .collect();
            let told = outcome("completed-attempts", &attempts);
            format!("{} {}", told.verdict(), told.may_pass())
        };
        let (seen, nothing, open) = (Status::Pass, Status::Fail, Status::Unknown);
        assert_eq!(said(&[(&pass, seen)]), "pass true");
        assert_eq!(said(&[(&fail, seen)]), "fail false");
        assert_eq!(said(&[(&pass, nothing)]), "incomplete-control false");
        assert_eq!(said(&[(&fail, nothing)]), "incomplete-control false");
        assert_eq!(said(&[(&pass, nothing), (&pass, seen)]), "pass true");
        assert_eq!(said(&[(&pass, open)]), "unknown true");
        assert_eq!(said(&[(&pass, nothing), (&pass, open)]), "unknown true");
        assert_eq!(said(&[(&fail, open)]), "fail false");
    }
}
