//! The `deedcheck` binary: parse, run, map errors to exit codes.
fn main() {}
