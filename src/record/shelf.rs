//! Frames that are made in any order and written in one.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What waits for its turn.
#[derive(Default)]
struct Waiting {
    bytes: Vec<u8>,
    ended: bool,
}

pub(super) struct State<W> {
    pub(super) out: W,
    /// The number whose frame is written as it comes.
    next: usize,
    waiting: BTreeMap<usize, Waiting>,
    /// Nothing is written after a write that failed.
    failed: bool,
}

impl<W: Write> State<W> {
    fn write(&mut self, bytes: &[u8]) {
        self.failed = self.failed || self.out.write_all(bytes).is_err();
    }

    /// Writes what has waited for its turn, as far as it has come.
    fn advance(&mut self) {
        self.next += 1;
        while let Some(waiting) = self.waiting.remove(&self.next) {
            self.write(&waiting.bytes);
            if !waiting.ended {
                return;
            }
            self.next += 1;
        }
    }
}

/// Writes frames in the order of their numbers, whichever threads made them when. The frame whose
/// turn it is goes through as it comes; what waits for its turn is held packed.
pub struct Shelf<W: Write>(pub(super) Mutex<State<W>>);

/// Takes the bytes of frames by their numbers, from any thread.
pub trait Shelve: Sync {
    /// More bytes of the frame of a number.
    fn more(&self, number: usize, bytes: &[u8]);
    /// There is no more of it. Every number from 0 ends once.
    fn end(&self, number: usize);
}

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

    fn state(&self) -> MutexGuard<'_, State<W>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where it was written to, and whether a write failed.
    pub fn into_inner(self) -> (W, bool) {
        let state = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        (state.out, state.failed)
    }
}

impl<W: Write + Send> Shelve for Shelf<W> {
    fn more(&self, number: usize, bytes: &[u8]) {
        let mut state = self.state();
        if number == state.next {
            state.write(bytes);
        } else {
            let waiting = state.waiting.entry(number).or_default();
            waiting.bytes.extend_from_slice(bytes);
        }
    }

    fn end(&self, number: usize) {
        let mut state = self.state();
        if number == state.next {
            state.advance();
        } else {
            state.waiting.entry(number).or_default().ended = true;
        }
    }
}

/// One frame's place on a shelf.
#[derive(Clone, Copy)]
pub struct Slot<'s> {
    /// The shelf.
    pub shelf: &'s dyn Shelve,
    /// The frame's number.
    pub number: usize,
}

impl Write for Slot<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.shelf.more(self.number, bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
