//! `deedcheck replay`: gate cases in, our answers out.

use std::io::Write;

use super::args::Replay;
use super::sources::text_of;
use super::{Exit, RunError};
use crate::rule::gate::{Profile, replay_cases};

pub(super) fn run(args: &Replay, out: &mut dyn Write) -> Result<Exit, RunError> {
    let profile = match &args.profile {
        None => None,
        Some(name) => Some(Profile::parse(name).ok_or(RunError::Argument {
            field: "--profile",
            kind: "unknown-value",
        })?),
    };
    let text = text_of(&args.file, "<FILE>")?;
    let answered = replay_cases(&text, profile)?;
    out.write_all(answered.as_bytes())?;
    out.flush()?;
    Ok(Exit::Done)
}
