//! Guards of check kinds: the named conditions that keep a verdict from being given too lightly.

/// The guards that stand: all of them in every grade. Only a run of controls takes one out, and
/// that must turn its own controls and no others (seed 000).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Guards<'g> {
    off: Option<&'g str>,
}

impl<'g> Guards<'g> {
    /// Every guard.
    pub const ALL: Self = Self { off: None };

    /// Every guard but one, by its id in [`KindInfo::guards`](super::KindInfo::guards).
    #[must_use]
    pub fn without(guard: &'g str) -> Self {
        Self { off: Some(guard) }
    }

    /// Whether a guard stands.
    #[must_use]
    pub fn on(self, guard: &str) -> bool {
        self.off != Some(guard)
    }

    /// Whether a guard stands and its condition holds.
    #[must_use]
    pub fn hold(self, guard: &str, condition: bool) -> bool {
        condition && self.on(guard)
    }
}
