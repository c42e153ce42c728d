//! The one integration binary.

mod shell;
