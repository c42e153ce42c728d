//! The guards of every family by name, and the one switch for them.

use core::fmt;

use super::model::{CANARY, Control, ORACLE, PAGES};
use crate::oracle::{Guards, KINDS};
use crate::pipeline::Standing;
use crate::private::canary::{Armed, Kind, Spelling};
use crate::rule::{claim, gate, integrity};

/// A guard of a family.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Guard {
    /// Of the gate.
    Gate(gate::replay::Guard),
    /// Of claims.
    Claim(claim::guard::Guard),
    /// Of integrity.
    Integrity(integrity::Guard),
    /// Of a check kind.
    Check {
        /// The kind.
        kind: &'static str,
        /// Its name within the kind.
        guard: &'static str,
    },
    /// The canary's ear for a kind.
    Kind(Kind),
    /// The canary's eye for a spelling.
    Spelling(Spelling),
}

impl Guard {
    /// Every guard there is, family by family.
    #[must_use]
    pub fn all() -> Vec<Self> {
        Self::each().collect()
    }

    fn each() -> impl Iterator<Item = Self> {
        let gate = gate::replay::Guard::ALL.map(Self::Gate);
        let claim = claim::guard::Guard::ALL.map(Self::Claim);
        let integrity = integrity::Guard::ALL.map(Self::Integrity);
        let kinds = Kind::ALL.iter().copied().map(Self::Kind);
        let spellings = Spelling::ALL.iter().copied().map(Self::Spelling);
        let rules = gate.into_iter().chain(claim).chain(integrity);
        let checks = KINDS.iter().flat_map(|kind| {
            let of = |guard| Self::Check {
                kind: kind.id,
                guard,
            };
            kind.guards.iter().copied().map(of)
        });
        rules.chain(checks).chain(kinds).chain(spellings)
    }

    /// Whether a control is of a rule that the guard can reach: of its family, and where it is a
    /// check kind's, of its kind.
    #[must_use]
    pub fn reaches(self, control: &Control) -> bool {
        let family = self.family() == control.family;
        match self {
            Self::Check { kind, .. } => family && control.rule == kind,
            _ => family,
        }
    }

    /// Its family.
    #[must_use]
    pub fn family(self) -> &'static str {
        match self {
            Self::Gate(_) => "gate",
            Self::Claim(_) => "claim",
            Self::Integrity(_) => "integrity",
            Self::Check { .. } => ORACLE,
            Self::Kind(_) | Self::Spelling(_) => CANARY,
        }
    }

    /// Its name within its family, or within its check kind.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Gate(guard) => guard.as_str(),
            Self::Claim(guard) => guard.as_str(),
            Self::Integrity(guard) => guard.as_str(),
            Self::Check { guard, .. } => guard,
            Self::Kind(kind) => kind.as_str(),
            Self::Spelling(spelling) => spelling.as_str(),
        }
    }
}

impl fmt::Display for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/", self.family())?;
        if let Self::Check { kind, .. } = self {
            write!(f, "{kind}/")?;
        }
        f.write_str(self.name())
    }
}

/// A guard by the rule or check kind that has it, its family and its name.
#[must_use]
pub fn guard_of(rule: &str, family: &str, name: &str) -> Option<Guard> {
    Guard::each().find(|guard| {
        let own = match guard {
            Guard::Check { kind, .. } => *kind == rule,
            _ => true,
        };
        own && guard.family() == family && guard.name() == name
    })
}

/// Guards by `family/guard`, of check kinds by `oracle/kind/guard` or `kind/guard`, or by a plain
/// name, which may stand for several.
#[must_use]
pub fn named(name: &str) -> Vec<Guard> {
    let all = Guard::all().into_iter();
    all.filter(|guard| {
        let full = guard.to_string();
        let within = full.strip_prefix("oracle/");
        full == name || within == Some(name) || guard.name() == name
    })
    .collect()
}

/// What stands while controls run: everything, or everything but one guard.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Stands {
    pub(super) rules: Standing,
    pub(super) canary: Armed,
    /// The guard that a check kind does without.
    check: Option<(&'static str, &'static str)>,
}

impl Stands {
    pub(super) fn without(guard: Option<Guard>) -> Self {
        let mut stands = Self::default();
        let rules = &mut stands.rules;
        match guard {
            None => {}
            Some(Guard::Gate(guard)) => rules.gate = rules.gate.without(guard),
            Some(Guard::Claim(guard)) => rules.claim = rules.claim.without(guard),
            Some(Guard::Integrity(guard)) => rules.integrity = rules.integrity.without(guard),
            Some(Guard::Check { kind, guard }) => stands.check = Some((kind, guard)),
            Some(Guard::Kind(kind)) => stands.canary = stands.canary.without_kind(kind),
            Some(Guard::Spelling(spelling)) => {
                stands.canary = stands.canary.without_spelling(spelling);
            }
        }
        stands
    }

    /// The guards of a check kind that stand.
    pub(super) fn checks(&self, rule: &str) -> Guards<'static> {
        match self.check {
            Some((kind, guard)) if kind == rule => Guards::without(guard),
            _ => Guards::ALL,
        }
    }
}

/// The families in the order of the documentation.
pub const FAMILIES: [&str; 6] = ["gate", "claim", "integrity", ORACLE, CANARY, PAGES];
