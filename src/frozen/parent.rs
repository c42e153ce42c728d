//! The transcript of the session that launched another one, found by its own id.

use std::path::Path;

use super::attempt::Heard;
use crate::record::ParentLine;
use crate::source::{Found, discover};
use crate::transcript::{FileReport, Header, read_file};

/// What the session ran with that launched this one. Nothing where it does not lie under the root, where more than one
/// file may be it, or where it cannot be read to its end.
pub(super) fn of(header: &Header, found: &Found, root: &Path) -> Option<ParentLine> {
    if !header.subagent {
        return None;
    }
    // An agent's file may bear the id of the session that launched it, and its own beside that.
    let shared = header
        .session
        .as_ref()
        .filter(|_| header.agent != header.session);
    let id = header.parent.as_ref().or(shared)?;
    let all = discover(&[root.to_owned()]).ok()?;
    let mut named = all
        .files
        .iter()
        .filter(|file| file.path != found.path && bears(&file.path, id));
    let file = named.next().filter(|_| named.next().is_none())?;
    let lines = file.open().ok()?;
    let heard = Heard::of(|sink| read_file(lines, sink));
    let whole = |report: &FileReport| report.fault.is_none() && report.quarantined.is_empty();
    let (report, beside) = heard.alone()?;
    let is_it = report.header.session.as_ref() == Some(id) && whole(report);
    is_it.then(|| beside.as_parent(&found.name))
}

/// Whether a file is called by an id, alone or behind a date.
fn bears(path: &Path, id: &str) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let stem = name.and_then(|name| name.split('.').next());
    let lead = stem.and_then(|stem| stem.strip_suffix(id));
    !id.is_empty() && lead.is_some_and(|lead| lead.is_empty() || lead.ends_with('-'))
}
