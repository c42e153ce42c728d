//! The text grammar g1.

/// An answer, normalised and tokenised once.
#[derive(Debug, Clone)]
pub struct Answer<'a> {
    raw: &'a str,
}

impl<'a> Answer<'a> {
    /// Reads an answer. Any text is one.
    #[must_use]
    pub fn read(raw: &'a str) -> Self {
        Self { raw }
    }

    /// Its text as it stands.
    #[must_use]
    pub fn raw(&self) -> &'a str {
        self.raw
    }
}
