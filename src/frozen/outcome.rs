//! What a task comes to, from its attempts.

use std::collections::BTreeSet;

use super::attempt::Class;
use crate::oracle::{Component, Status};

/// What a task comes to in one arm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Outcome {
    /// `pass`, `fail` or `unknown`.
    pub(super) status: Status,
    /// Whether no attempt is recorded.
    pub(super) not_launched: bool,
    /// Why, sorted.
    pub(super) reasons: BTreeSet<String>,
}

impl Outcome {
    fn unknown(reason: &str) -> Self {
        Self {
            status: Status::Unknown,
            not_launched: false,
            reasons: BTreeSet::from([reason.to_owned()]),
        }
    }

    /// Whether it may still pass, once everything is known.
    pub(super) fn may_pass(&self) -> bool {
        self.status != Status::Fail
    }

    /// Whether it passes, whatever is not known.
    pub(super) fn passes(&self) -> bool {
        self.status == Status::Pass
    }

    /// The word for it in rows and cells.
    pub(super) fn verdict(&self) -> &'static str {
        if self.not_launched {
            "not-launched"
        } else {
            self.status.as_str()
        }
    }
}

/// One attempt: what became of it, and what its checks come to.
pub(super) type Spoken<'a> = (Class, Option<&'a Component>);

/// What a task comes to under the reading `attempt-rule`. Attempts stand in their order.
pub(super) fn outcome(rule: &str, attempts: &[Spoken<'_>]) -> Outcome {
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
    let mut failing = BTreeSet::new();
    let (mut unknown, mut unresolved) = (false, false);
    for (class, component) in &considered {
        match (class, component) {
            (Class::Completed, Some(component)) => match component.status {
                Status::Pass => {}
                Status::Fail => failing.extend(component.failing.iter().cloned()),
                Status::Unknown | Status::Pending => unknown = true,
            },
            // Under the strict rule what was not completed is a failure, whatever broke it off.
            (Class::Inadmissible(cause) | Class::Unresolved(cause), _) if every => {
                failing.insert((*cause).to_owned());
            }
            (Class::Unresolved(_), _) => (unknown, unresolved) = (true, true),
            (Class::Completed, None) | (Class::Inadmissible(_), _) => unknown = true,
        }
    }
    if !failing.is_empty() {
        return Outcome {
            status: Status::Fail,
            not_launched: false,
            reasons: failing,
        };
    }
    if considered.is_empty() {
        return Outcome::unknown("no-completed-attempt");
    }
    if unresolved {
        return Outcome::unknown("attempt-class-unresolved");
    }
    if unknown {
        return Outcome::unknown("attempt-unknown");
    }
    Outcome {
        status: Status::Pass,
        not_launched: false,
        reasons: BTreeSet::new(),
    }
}

fn speaks(attempt: &&Spoken<'_>) -> bool {
    !matches!(attempt.0, Class::Inadmissible(_))
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
        let done = |component| (Class::Completed, Some(component));
        let said = |rule: &str, attempts: &[Spoken<'_>]| {
            let outcome = outcome(rule, attempts);
            let reasons: Vec<String> = outcome.reasons.iter().cloned().collect();
            format!("{} {}", outcome.verdict(), reasons.join(","))
        };
        let plain = "completed-attempts";
        assert_eq!(said(plain, &[]), "not-launched not-launched");
        assert_eq!(said(plain, &[done(&pass)]), "pass ");
        assert_eq!(said(plain, &[done(&pass), done(&fail)]), "fail count");
        assert_eq!(said(plain, &[done(&pass), (LIMIT, None)]), "pass ");
        assert_eq!(
            said(plain, &[(LIMIT, None)]),
            "unknown no-completed-attempt"
        );
        assert_eq!(
            said(plain, &[done(&unknown), done(&pass)]),
            "unknown attempt-unknown"
        );
        assert_eq!(
            said(plain, &[(TORN, None), done(&pass)]),
            "unknown attempt-class-unresolved"
        );
        assert_eq!(said(plain, &[(TORN, None), done(&fail)]), "fail count");
        let every = "every-recorded";
        assert_eq!(
            said(every, &[done(&pass), (LIMIT, None)]),
            "fail usage-limit"
        );
        assert_eq!(said(every, &[(TORN, None), done(&pass)]), "fail parse");
        let last = "last-attempt";
        assert_eq!(said(last, &[done(&fail), done(&pass)]), "pass ");
        assert_eq!(
            said(last, &[done(&pass), (LIMIT, None)]),
            "unknown no-completed-attempt"
        );
    }
}
