//! The guards of every family by name, and the one switch for them.

use core::fmt;

use super::model::{CANARY, ORACLE};
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
    /// The canary's ear for a kind.
    Kind(Kind),
    /// The canary's eye for a spelling.
    Spelling(Spelling),
}

impl Guard {
    /// Every guard there is, family by family.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let gate = gate::replay::Guard::ALL.map(Self::Gate);
        let claim = claim::guard::Guard::ALL.map(Self::Claim);
        let integrity = integrity::Guard::ALL.map(Self::Integrity);
        let kinds = Kind::ALL.iter().copied().map(Self::Kind);
        let spellings = Spelling::ALL.iter().copied().map(Self::Spelling);
        let rules = gate.into_iter().chain(claim).chain(integrity);
        rules.chain(kinds).chain(spellings).collect()
    }

    /// Its family.
    #[must_use]
    pub fn family(self) -> &'static str {
        match self {
            Self::Gate(_) => "gate",
            Self::Claim(_) => "claim",
            Self::Integrity(_) => "integrity",
            Self::Kind(_) | Self::Spelling(_) => CANARY,
        }
    }

    /// Its name within its family.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Gate(guard) => guard.as_str(),
            Self::Claim(guard) => guard.as_str(),
            Self::Integrity(guard) => guard.as_str(),
            Self::Kind(kind) => kind.as_str(),
            Self::Spelling(spelling) => spelling.as_str(),
        }
    }
}

impl fmt::Display for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.family(), self.name())
    }
}

/// A guard of a family by its name.
#[must_use]
pub fn guard_of(family: &str, name: &str) -> Option<Guard> {
    let mut all = Guard::all().into_iter();
    all.find(|guard| guard.family() == family && guard.name() == name)
}

/// Guards by `family/guard`, or by a plain name, which may stand for several.
#[must_use]
pub fn named(name: &str) -> Vec<Guard> {
    let all = Guard::all().into_iter();
    match name.split_once('/') {
        Some((family, name)) => all
            .filter(|guard| guard.family() == family && guard.name() == name)
            .collect(),
        None => all.filter(|guard| guard.name() == name).collect(),
    }
}

/// What stands while controls run: everything, or everything but one guard.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Stands {
    pub(super) rules: Standing,
    pub(super) canary: Armed,
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
            Some(Guard::Kind(kind)) => stands.canary = stands.canary.without_kind(kind),
            Some(Guard::Spelling(spelling)) => {
                stands.canary = stands.canary.without_spelling(spelling);
            }
        }
        stands
    }
}

/// The families in the order of the documentation.
pub const FAMILIES: [&str; 5] = ["gate", "claim", "integrity", ORACLE, CANARY];
