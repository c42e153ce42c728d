//! scratch
use std::path::PathBuf;
fn main() {
    let args: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).collect();
    let found = deedcheck::source::discover(&args).unwrap();
    let graded = deedcheck::pipeline::grade(&found.files, &deedcheck::pipeline::Policy::default(), &|_| {});
    let mut out = Vec::new();
    for row in &graded.rows { deedcheck::canon::append_line(&mut out, row).unwrap(); }
    use std::io::Write; std::io::stdout().write_all(&out).unwrap();
}
