//! The one integration binary.
mod private;
