//! The one way through the house: found files in, rows in a fixed order out.

mod claims;
mod family;
mod policy;
mod session;

pub use family::{Family, Graded, Keep, Keeper, grade, grade_and_keep, ordered, regrade};
pub(crate) use policy::Standing;
pub use policy::{Policy, PolicyError};
