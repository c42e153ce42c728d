//! Frames that are made in any order and written in one.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Mutex, PoisonError};

struct State<W> {
    out: W,
    next: usize,
    /// Frames whose turn has not come, by their number; `None` for one that is not kept.
    waiting: BTreeMap<usize, Option<Vec<u8>>>,
    failed: bool,
}

/// Writes frames in the order of their numbers, whichever threads made them when. What waits for
/// its turn is held packed.
pub struct Shelf<W: Write>(Mutex<State<W>>);

impl<W: Write> Shelf<W> {
    /// An empty shelf.
    pub fn new(out: W) -> Self {
        Self(Mutex::new(State {
            out,
            next: 0,
            waiting: BTreeMap::new(),
            failed: false,
        }))
    }

    /// Puts the frame of a number there, or says that there is none. Numbers go from 0 without a
    /// gap.
    pub fn put(&self, number: usize, frame: Option<Vec<u8>>) {
        let mut guard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let state = &mut *guard;
        state.waiting.insert(number, frame);
        while let Some(frame) = state.waiting.remove(&state.next) {
            state.next += 1;
            if let Some(frame) = frame
                && !state.failed
            {
                state.failed = state.out.write_all(&frame).is_err();
            }
        }
    }

    /// Where it was written to, and whether a write failed.
    pub fn into_inner(self) -> (W, bool) {
        let state = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        (state.out, state.failed)
    }
}
