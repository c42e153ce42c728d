//! Guards: the named conditions that keep an answer from being given too lightly, and the set of
//! them that stands.

use core::marker::PhantomData;

/// A guard of a family's own closed list.
pub trait Named: Copy {
    /// Its place in the list, below 64.
    fn place(self) -> u32;
}

/// A set of guards of one family: full in every grade; only a run of controls takes one out, and
/// that must flip its own controls and no others (seed 000).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guards<G>(u64, PhantomData<G>);

impl<G> Default for Guards<G> {
    fn default() -> Self {
        Self(u64::MAX, PhantomData)
    }
}

impl<G: Named> Guards<G> {
    /// No guard at all.
    pub const NONE: Self = Self(0, PhantomData);

    /// The set without one guard.
    #[must_use]
    pub fn without(self, guard: G) -> Self {
        Self(self.0 & !(1 << guard.place()), PhantomData)
    }

    /// Whether a guard stands.
    #[must_use]
    pub fn on(self, guard: G) -> bool {
        self.0 & (1 << guard.place()) != 0
    }

    /// Whether a guard stands and its condition holds.
    #[must_use]
    pub fn hold(self, guard: G, condition: bool) -> bool {
        condition && self.on(guard)
    }
}
