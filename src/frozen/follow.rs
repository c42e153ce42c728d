//! Texts that a client put into a file, and that stand in their place again where they may be read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::bind::bytes_of;
use crate::oracle::Pointer;
use crate::record::Elsewhere;
use crate::transcript::{Body, Event, Sink, persisted};

/// The text of a file, where it really lies under one of the roots.
fn read(path: &str, roots: &[PathBuf]) -> Result<String, Elsewhere> {
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    // A path that leads nowhere is told apart from one that leads out only where it is there.
    let path = Path::new(path);
    let under = |path: &Path| {
        let mut roots = roots.iter().filter_map(|root| real(root));
        roots.any(|root| path.starts_with(root))
    };
    let Some(path) = path.is_absolute().then(|| real(path)).flatten() else {
        let plain = path.components().all(|part| part.as_os_str() != "..");
        return Err(match plain && under(path) {
            true => Elsewhere::Unreadable,
            false => Elsewhere::OutsideRoots,
        });
    };
    if !under(&path) {
        return Err(Elsewhere::OutsideRoots);
    }
    let bytes = bytes_of(&path).ok_or(Elsewhere::Unreadable)?;
    String::from_utf8(bytes).map_err(|_| Elsewhere::Unreadable)
}

/// A text, or what the client put elsewhere in its place.
pub(super) fn followed(text: &str, roots: &[PathBuf]) -> Result<Option<String>, Elsewhere> {
    persisted(text).map(|path| read(path, roots)).transpose()
}

/// Hands events on, with each result that a client put into a file in its place.
pub(super) struct Following<'s> {
    pub(super) sink: &'s mut dyn Sink,
    pub(super) roots: &'s [PathBuf],
    /// Results that were not followed, by the id of the call.
    pub(super) elsewhere: BTreeMap<String, Elsewhere>,
}

impl Sink for Following<'_> {
    fn event(&mut self, mut event: Event<'_>) {
        if let Body::Outcome(reply) = &mut event.body {
            match followed(&reply.text, self.roots) {
                Ok(None) => {}
                Ok(Some(text)) => {
                    reply.text = text.into();
                    reply.truncated = false;
                }
                Err(why) => {
                    self.elsewhere.insert(reply.id.clone().into_owned(), why);
                }
            }
        }
        self.sink.event(event);
    }

    fn message(&mut self, id: &str) {
        self.sink.message(id);
    }
}

/// The words of evidence for a text that was not followed.
pub(super) fn pointer(why: Elsewhere) -> Pointer {
    match why {
        Elsewhere::OutsideRoots => Pointer::OutsideRoots,
        Elsewhere::Unreadable => Pointer::Unreadable,
    }
}
