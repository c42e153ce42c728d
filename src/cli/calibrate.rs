//! `deedcheck calibrate`: the rules held against turns that people have labelled.

use std::io::Write;

use super::args::Calibrate;
use super::sources::written_of;
use super::{Exit, RunError, Surroundings, grade};
use crate::calibrate::{calibrate, labels, page};
use crate::pipeline;
use crate::source::discover;

/// The file of labels in a folder of them.
const LABELS: &str = "turns.jsonl";

pub(super) fn run(
    args: &Calibrate,
    around: &Surroundings,
    out: &mut dyn Write,
) -> Result<Exit, RunError> {
    let file = if args.labels.is_dir() {
        args.labels.join(LABELS)
    } else {
        args.labels.clone()
    };
    let labelled = labels(&written_of(&file, "<LABELS>")?)?;
    let found = discover(std::slice::from_ref(&args.sessions))?;
    let policy = grade::policy(&args.judging, around)?;
    let graded = grade::with_threads(args.jobs, || {
        pipeline::grade(&found.files, &policy, &|_| {})
    })?;
    let sum = calibrate(&labelled, &graded.rows);
    out.write_all(page(&sum).as_bytes())?;
    out.flush()?;
    Ok(Exit::Done)
}
