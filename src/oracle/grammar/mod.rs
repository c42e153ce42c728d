//! The text grammar g1.

use core::marker::PhantomData;

/// An answer, normalised and tokenised once.
#[derive(Debug, Clone)]
pub struct Answer<'a> {
    marker: PhantomData<&'a str>,
}
