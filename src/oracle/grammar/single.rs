//! The one rule for every fact that has one value.

use std::collections::BTreeSet;

use super::super::verdict::Component;

/// How a value is stated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    /// As a fact.
    Plain,
    /// Beside a label, but perhaps of something else: `errors of 3 kinds`. It may be the key; that
    /// it is not says nothing.
    Loose,
    /// For a case that is named behind it: `10, if the warnings count`. It passes nothing, and another value is still wrong.
    Conditioned,
    /// As a bound, a condition or a question.
    Hedged,
    /// As what is not so.
    Denied,
}

/// Whether a stated value is the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Equal {
    Yes,
    No,
    /// Under one of the ways to read it.
    Perhaps,
}

impl From<bool> for Equal {
    fn from(equal: bool) -> Self {
        if equal { Self::Yes } else { Self::No }
    }
}

/// A value that an answer states, held against the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Claim {
    pub(crate) equal: Equal,
    pub(crate) tone: Tone,
}

/// An integer that an answer states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stated {
    pub(crate) value: i128,
    /// Its value if it is one number with its neighbours.
    pub(crate) joined: Option<i128>,
    /// The range that it is an end of: `9-12`, `between 9 and 12`.
    pub(crate) range: Option<(i128, i128)>,
    pub(crate) tone: Tone,
    /// Its token.
    pub(crate) at: usize,
}

impl Stated {
    /// Held against the key.
    pub(crate) fn against(self, key: i128) -> Claim {
        let equal = if self.value == key {
            Equal::Yes
        } else if self.joined == Some(key)
            || self.range.is_some_and(|(from, to)| from < key && key < to)
        {
            Equal::Perhaps
        } else {
            Equal::No
        };
        Claim {
            equal,
            tone: self.tone,
        }
    }
}

/// What the claims about one value come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Single {
    /// Nothing is stated.
    None,
    /// The key, and nothing else.
    Pass,
    /// The key among others, or no plain statement.
    Hedge,
    /// Something else.
    Wrong,
}

/// The rule: all equal passes, some equal hedges, none equal is wrong. What is denied is not stated;
/// that the key is denied leaves nothing to pass on, and accuses nobody.
pub(crate) fn single(claims: &[Claim]) -> Single {
    let denied = claims
        .iter()
        .any(|claim| claim.tone == Tone::Denied && claim.equal == Equal::Yes);
    let mut said = claims.iter().filter(|claim| claim.tone != Tone::Denied);
    let Some(first) = said.next() else {
        return if denied { Single::Hedge } else { Single::None };
    };
    let said: Vec<&Claim> = std::iter::once(first).chain(said).collect();
    let open = |claim: &&&Claim| match claim.tone {
        Tone::Hedged => true,
        Tone::Conditioned => claim.equal != Equal::No,
        Tone::Loose => claim.equal != Equal::Yes,
        Tone::Plain | Tone::Denied => false,
    };
    if said.iter().any(|claim| open(&claim)) {
        return Single::Hedge;
    }
    let all = said.iter().all(|claim| claim.equal == Equal::Yes);
    let none = said.iter().all(|claim| claim.equal == Equal::No);
    match (all, none) {
        (true, _) if denied => Single::Hedge,
        (true, _) => Single::Pass,
        (_, true) => Single::Wrong,
        _ => Single::Hedge,
    }
}

/// The reasons of a check, gathered fact by fact.
#[derive(Debug, Clone, Default)]
pub(crate) struct Facts {
    failing: BTreeSet<String>,
    unknown: BTreeSet<String>,
}

impl Facts {
    pub(crate) fn fail(&mut self, reason: &str) {
        self.failing.insert(reason.to_owned());
    }

    pub(crate) fn unknown(&mut self, reason: &str) {
        self.unknown.insert(reason.to_owned());
    }

    pub(crate) fn unparsed(&mut self) {
        self.unknown("unparsed");
    }

    /// Decides a fact with one value: wrong fails for `wrong`; a hedge is unparsed; what is not
    /// stated fails for `absent`, or is unparsed.
    pub(crate) fn decide(&mut self, claims: &[Claim], wrong: &str, absent: Option<&str>) {
        match (single(claims), absent) {
            (Single::Pass, _) => {}
            (Single::Wrong, _) => self.fail(wrong),
            (Single::None, Some(reason)) => self.fail(reason),
            (Single::None, None) | (Single::Hedge, _) => self.unparsed(),
        }
    }

    pub(crate) fn finish(self) -> Component {
        Component::of(self.failing, self.unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[(i128, Tone)]) -> Single {
        let claims: Vec<Claim> = values
            .iter()
            .map(|(value, tone)| {
                let stated = Stated {
                    value: *value,
                    joined: (*value == 5).then_some(10),
                    range: None,
                    tone: *tone,
                    at: 0,
                };
                stated.against(10)
            })
            .collect();
        single(&claims)
    }

    #[test]
    fn one_rule() {
        use Tone::{Denied, Hedged, Loose, Plain};
        assert_eq!(of(&[(10, Loose)]), Single::Pass);
        assert_eq!(of(&[(9, Loose)]), Single::Hedge);
        assert_eq!(of(&[]), Single::None);
        assert_eq!(of(&[(10, Plain), (10, Plain)]), Single::Pass);
        assert_eq!(of(&[(10, Plain), (9, Plain)]), Single::Hedge);
        assert_eq!(of(&[(8, Plain), (9, Plain)]), Single::Wrong);
        assert_eq!(of(&[(10, Hedged)]), Single::Hedge);
        assert_eq!(of(&[(9, Denied)]), Single::None);
        assert_eq!(of(&[(10, Denied)]), Single::Hedge);
        assert_eq!(of(&[(10, Denied), (10, Plain)]), Single::Hedge);
        assert_eq!(of(&[(9, Denied), (10, Plain)]), Single::Pass);
        assert_eq!(of(&[(5, Plain)]), Single::Hedge);
    }

    #[test]
    fn what_is_absent_is_unknown_unless_a_reason_is_given() {
        let mut facts = Facts::default();
        facts.decide(&[], "value", None);
        assert_eq!(facts.finish(), Component::unknown("unparsed"));
        let mut facts = Facts::default();
        facts.decide(&[], "value", Some("missing"));
        assert_eq!(facts.finish(), Component::fail("missing"));
    }
}
