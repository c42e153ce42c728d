//! The files of attempts, from a disk or from a record.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::attempt::{Attempt, Class, Heard, Material, ReadAttempt, material};
use super::bind::Bindings;
use super::dated::Span;
use super::identity::IdentityRow;
use super::left::Roots;
use crate::record::{Decoder, Encoder, Entry, RecordError};

/// Why the file of an attempt is not there; the first is what a record without it means too.
const CAUSES: [&str; 3] = ["transcript-missing", "transcript-changed", "unreadable"];

/// The files as they lie under the roots of the bindings. Each one's record is kept on the way.
pub struct OnDisk<'a> {
    bindings: &'a Bindings,
    beside: &'a Path,
    frames: Mutex<BTreeMap<String, Vec<u8>>>,
}

impl<'a> OnDisk<'a> {
    /// The files under the roots of some bindings, which lie in the folder `beside`.
    #[must_use]
    pub fn new(bindings: &'a Bindings, beside: &'a Path) -> Self {
        Self {
            bindings,
            beside,
            frames: Mutex::default(),
        }
    }

    /// The record of what was read: zstd frames in the order of the files' names.
    #[must_use]
    pub fn frames(self) -> Vec<Vec<u8>> {
        let frames = self.frames.into_inner();
        let frames = frames.unwrap_or_else(PoisonError::into_inner);
        frames.into_values().collect()
    }
}

impl ReadAttempt for OnDisk<'_> {
    fn attempt(&self, row: &IdentityRow, name: &str) -> Attempt {
        let Some(root) = self.bindings.root(&row.locator.root, self.beside) else {
            return Attempt::without_turns(Class::Unresolved(CAUSES[0]));
        };
        let all = self.bindings.roots.values();
        let all: Vec<PathBuf> = all.map(|own| self.beside.join(own)).collect();
        let roots = Roots {
            own: &root,
            all: &all,
        };
        // A compressor that cannot be had keeps nothing; regrading then finds the file missing.
        let mut encoder = Encoder::new(Vec::new()).ok();
        let material = material(row, roots, name, encoder.as_mut());
        if let Some(frame) = encoder.and_then(|encoder| encoder.finish().ok()) {
            let mut frames = self.frames.lock().unwrap_or_else(PoisonError::into_inner);
            frames.insert(name.to_owned(), frame);
        }
        material.attempt(row)
    }
}

/// The files as a record kept them.
#[derive(Debug, Default)]
pub struct OnRecord(BTreeMap<String, Material>);

impl OnRecord {
    /// Reads a record.
    ///
    /// # Errors
    /// A record that cannot be read to its end.
    pub fn read<R: Read>(record: &mut Decoder<R>) -> Result<Self, RecordError> {
        let mut all: BTreeMap<String, Material> = BTreeMap::new();
        while let Some(entry) = record.entry()? {
            let (name, material) = match entry {
                Entry::Family(_) => continue,
                Entry::File(file) => {
                    let heard = record.reading(|events| Heard::of(|sink| events(sink)))?;
                    (file.name, Material::Transcript(Box::new(heard)))
                }
                Entry::Dated(dated) => {
                    if let Some(material) = all.get_mut(&dated.name) {
                        let (first, last) = (dated.first, dated.last);
                        Material::date(material, Span { first, last });
                    }
                    continue;
                }
                Entry::Parent(parent) => {
                    if let Some(material) = all.get_mut(&parent.name) {
                        Material::launched_by(material, parent);
                    }
                    continue;
                }
                Entry::Left(left) => {
                    if let Some(material) = all.get_mut(&left.name) {
                        material.leave(left);
                    }
                    continue;
                }
                Entry::Answer(answer) => (answer.name, Material::Answer(answer.text)),
                Entry::Absent(absent) => {
                    let cause = CAUSES.into_iter().find(|cause| *cause == absent.cause);
                    (absent.name, Material::Absent(cause.unwrap_or(CAUSES[0])))
                }
            };
            all.insert(name, material);
        }
        Ok(Self(all))
    }
}

impl ReadAttempt for OnRecord {
    fn attempt(&self, row: &IdentityRow, name: &str) -> Attempt {
        match self.0.get(name) {
            Some(material) => material.attempt(row),
            None => Attempt::without_turns(Class::Unresolved(CAUSES[0])),
        }
    }
}
