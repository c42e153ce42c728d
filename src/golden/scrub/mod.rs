//! A case from somebody's own session: what tells who and where is replaced, alike everywhere, and
//! nothing else is touched.
//!
//! The bytes of the files are worked on, and not a tree that was parsed from them, so that torn lines,
//! quoted JSON and outputs of programs are all the same to it. What is private is told by its shape
//! and by the keys that ids stand under; what was found once is replaced wherever it stands. The proof
//! is none of the scanners': the canary looks for the original's values in every spelling, and both
//! sessions are graded.

mod book;
mod day;
mod gather;
mod home;
mod make;
mod random;
mod same;
mod token;
mod veil;
mod watch;
mod write;

pub use book::Names;
pub use make::{Made, Wanted, make};
pub use token::What;

#[cfg(test)]
mod tests;
