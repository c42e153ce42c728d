//! Novelty keys: has this very observation been made before?

use sha2::{Digest as _, Sha256};

/// A key two observations share exactly when tool, epoch, arguments and result are equal after
/// normalising.
///
/// The package compares Python tuples. Parts are length-prefixed here, never joined: `("a", "bc")`
/// and `("ab", "c")` must stay apart (case H16).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct NoveltyKey([u8; 32]);

impl NoveltyKey {
    /// `epoch` is the step of the last mutation, or nothing where the profile has no epochs.
    pub(super) fn new(tool: &str, epoch: Option<i64>, args: &str, result: &str) -> Self {
        let mut hash = Sha256::new();
        for part in [tool, args, result] {
            hash.update(part.len().to_be_bytes());
            hash.update(part.as_bytes());
        }
        if let Some(step) = epoch {
            hash.update(step.to_be_bytes());
        }
        Self(hash.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::NoveltyKey;

    #[test]
    fn parts_do_not_run_into_one_another() {
        let of = |a, b, c| NoveltyKey::new(a, None, b, c);
        assert_ne!(of("t", "a", "bc"), of("t", "ab", "c"));
        assert_ne!(of("ta", "b", "c"), of("t", "ab", "c"));
        assert_eq!(of("t", "a", "b"), of("t", "a", "b"));
    }

    #[test]
    fn an_epoch_opens_novelty_again() {
        let of = |step| NoveltyKey::new("t", Some(step), "a", "b");
        assert_ne!(of(1), of(2));
        assert_ne!(of(0), NoveltyKey::new("t", None, "a", "b"));
    }
}
