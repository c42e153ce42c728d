//! The closed vocabularies of the gate: profiles, presets and claim types.

/// Which rule book a gate follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Profile {
    /// `grounding_gate` 0.1.0 as published.
    Gg01,
    /// `grounding_gate` 0.4.0 and 0.4.1 as published.
    Gg04,
    /// The agent-SDK adapter of 0.4.1.
    Gg04Hooks,
    /// The lenient profile over finished transcripts.
    Replay,
}

impl Profile {
    /// Every profile, in the order they are documented.
    pub const ALL: [Self; 4] = [Self::Gg01, Self::Gg04, Self::Gg04Hooks, Self::Replay];

    /// The spelling used in reports and options.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Gg01 => "gg-0.1",
            Self::Gg04 => "gg-0.4",
            Self::Gg04Hooks => "gg-0.4-hooks",
            Self::Replay => "replay",
        }
    }

    /// Reads a spelling of [`Self::as_str`], or one of the older `gg-0.1.0`, `gg-replay`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "gg-0.1.0" => Some(Self::Gg01),
            "gg-replay" => Some(Self::Replay),
            _ => Self::ALL.into_iter().find(|p| p.as_str() == text),
        }
    }

    /// Reads the `reference` of a case file, such as `grounding_gate 0.4.1 GateHooks`.
    #[must_use]
    pub fn from_reference(reference: &str) -> Option<Self> {
        let mut words = reference.split_whitespace();
        let version = words.find(|w| w.starts_with(|c: char| c.is_ascii_digit()))?;
        let hooks = words.any(|w| w == "GateHooks");
        match (version, hooks) {
            ("0.1.0", false) => Some(Self::Gg01),
            ("0.4.0" | "0.4.1", false) => Some(Self::Gg04),
            ("0.4.0" | "0.4.1", true) => Some(Self::Gg04Hooks),
            _ => None,
        }
    }

    /// Since 0.2.0 a new mutation clears the verified latch.
    pub(super) fn mutation_clears_verified(self) -> bool {
        self != Self::Gg01
    }

    /// Since 0.3.0 the step of the last mutation is part of the novelty key.
    pub(super) fn keys_hold_epoch(self) -> bool {
        self != Self::Gg01
    }

    /// Since 0.3.0 reasoning cannot push the budget below zero.
    pub(super) fn floors_budget(self) -> bool {
        self != Self::Gg01
    }
}

/// The package's tuning for a class of models.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Preset {
    /// For models that conclude without looking: assertions need the verified tier too.
    Skipper,
    /// For models that reason on without looking: small budget, small refill.
    Diverger,
    /// Everything else.
    Default,
}

impl Preset {
    /// Every preset, in the package's order.
    pub const ALL: [Self; 3] = [Self::Skipper, Self::Diverger, Self::Default];

    /// The package's spelling.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Skipper => "skipper",
            Self::Diverger => "diverger",
            Self::Default => "default",
        }
    }

    /// Reads the package's spelling; anything else is an error there too.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|p| p.as_str() == text)
    }

    /// Budget cap, in reasoning steps.
    #[must_use]
    pub fn cap(self) -> i64 {
        match self {
            Self::Skipper => 5,
            Self::Diverger => 4,
            Self::Default => 6,
        }
    }

    /// Budget given back by one qualifying observation, in reasoning steps.
    #[must_use]
    pub fn refill(self) -> i64 {
        match self {
            Self::Diverger => 1,
            Self::Skipper | Self::Default => 2,
        }
    }

    /// Whether an assertion needs the verified tier.
    #[must_use]
    pub fn strict_g(self) -> bool {
        self == Self::Skipper
    }
}

/// What a close claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ClaimType {
    /// No factual claim.
    None,
    /// "X is so."
    Assertion,
    /// "I changed X."
    Completion,
    /// An openly unverified end.
    Unverified,
    /// Anything the other names do not cover. The package lets every unknown spelling through,
    /// `Completion` with a capital among them; the exact profiles must do so as well. Of a close
    /// that is read rather than declared: it cannot be read, being mostly in another script.
    Unknown,
}

impl ClaimType {
    /// The package's spelling; `unknown` for the rest.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Assertion => "assertion",
            Self::Completion => "completion",
            Self::Unverified => "unverified",
            Self::Unknown => "unknown",
        }
    }

    /// Reads the package's spelling, case-sensitively; every other text is [`Self::Unknown`].
    #[must_use]
    pub fn parse(text: &str) -> Self {
        match text {
            "none" => Self::None,
            "assertion" => Self::Assertion,
            "completion" => Self::Completion,
            "unverified" => Self::Unverified,
            _ => Self::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_are_read_back_and_old_ones_too() {
        for profile in Profile::ALL {
            assert_eq!(Profile::parse(profile.as_str()), Some(profile));
        }
        assert_eq!(Profile::parse("gg-0.1.0"), Some(Profile::Gg01));
        assert_eq!(Profile::parse("gg-replay"), Some(Profile::Replay));
        assert_eq!(Profile::parse("GG-0.1"), None);
        for preset in Preset::ALL {
            assert_eq!(Preset::parse(preset.as_str()), Some(preset));
        }
    }

    #[test]
    fn a_reference_names_version_and_adapter() {
        let of = Profile::from_reference;
        assert_eq!(of("grounding_gate 0.1.0 (PyPI sdist)"), Some(Profile::Gg01));
        assert_eq!(of("grounding_gate 0.4.1 (PyPI sdist)"), Some(Profile::Gg04));
        assert_eq!(
            of("grounding_gate 0.4.1 GateHooks"),
            Some(Profile::Gg04Hooks)
        );
        assert_eq!(of("grounding_gate 0.2.0"), None);
        assert_eq!(of("grounding_gate 0.1.0 GateHooks"), None);
        assert_eq!(of(""), None);
    }

    #[test]
    fn an_unknown_claim_type_stays_unknown() {
        assert_eq!(ClaimType::parse("Completion"), ClaimType::Unknown);
        assert_eq!(ClaimType::parse(""), ClaimType::Unknown);
        assert_eq!(ClaimType::parse("completion"), ClaimType::Completion);
    }
}
