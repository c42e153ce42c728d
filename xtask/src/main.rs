//! Developer tasks for deedcheck.
fn main() {}
