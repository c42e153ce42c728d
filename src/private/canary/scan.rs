//! The scan itself: windows over the text, and the layers of each window.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, MatchKind};
use sha2::{Digest as _, Sha256};

use super::kind::{Armed, Hit, Kind, Spelling, Spellings};
use super::view::View;
use super::{base64, decode, shape, value};

/// Bytes looked at together.
pub(super) const WINDOW: usize = 1 << 17;
/// Bytes that two windows share. A value that some spelling stretches over more of them than this
/// is seen only when it falls into one window.
pub(super) const OVERLAP: usize = 1 << 14;
/// Hits so near to a cut are left to the other window, which sees what stands around them.
pub(super) const MARGIN: usize = 1 << 11;
/// Layers of escapes that are undone one after the other.
const DEPTH: usize = 4;
/// Layers of base64 among them.
const BASE64_DEPTH: usize = 3;
/// Bytes of layers that are looked at for each byte of a window. Only text made for it comes near;
/// what lies deeper then is left, which [`Look::unread`] says. The shallow layers are always seen.
const WORK: usize = 40;
/// Small texts are walked to the end, however much they fold.
const LEAST_WORK: usize = 1 << 21;
/// So many pieces that were seen before are copied sooner than left out between others.
const FEW: usize = 2;
/// Hits of one kind that are kept. One is enough to refuse; more only help to find the cause. No
/// kind takes another one's place.
const MOST: usize = 1000;

/// Private values and the detectors for them.
#[derive(Debug, Default)]
pub struct Canary {
    armed: Armed,
    pages: bool,
    values: BTreeMap<(Kind, String), ()>,
    built: OnceLock<Search>,
}

#[derive(Debug)]
struct Search {
    automaton: Option<AhoCorasick>,
    kinds: Vec<Kind>,
    /// Whether any form is written in letters that two bytes of one make by chance.
    wide: bool,
}

/// What a text gives away, and whether that is all.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Look {
    /// The private values and shapes, by offset.
    pub hits: Vec<Hit>,
    /// Where a part begins whose escapes lie so thick within each other that they were not undone to
    /// the end.
    pub unread: Option<usize>,
    /// Where a hit stands that was not kept, as there were too many of its kind.
    pub cut: Option<usize>,
}

impl Look {
    /// Why the text may not be published, by a word, and where; nothing when it may.
    #[must_use]
    pub fn refused(&self) -> Option<(&'static str, usize)> {
        let hit = self.hits.first().map(|hit| (hit.kind.as_str(), hit.at));
        hit.or(self.unread.map(|at| (UNREAD, at)))
    }
}

/// The word for what was not looked into to the end.
pub const UNREAD: &str = "unread";

/// The hits that are kept.
#[derive(Debug, Default)]
struct Hits {
    by_place: BTreeMap<(usize, Kind), Spellings>,
    counts: BTreeMap<Kind, usize>,
    cut: Option<usize>,
}

impl Hits {
    /// Keeps the simplest spelling of each hit, and no more than [`MOST`] hits of a kind.
    fn note(&mut self, at: usize, kind: Kind, spelling: Spellings) {
        if let Some(known) = self.by_place.get_mut(&(at, kind)) {
            if (spelling.len(), spelling) < (known.len(), *known) {
                *known = spelling;
            }
            return;
        }
        let count = self.counts.entry(kind).or_default();
        if *count < MOST {
            *count += 1;
            self.by_place.insert((at, kind), spelling);
        } else {
            self.cut = Some(self.cut.map_or(at, |cut| cut.min(at)));
        }
    }
}

/// A text still to be looked at, and how it came about.
struct Layer {
    /// Normalised.
    view: View,
    depth: usize,
    unpacked: usize,
    /// Whether it is made of scraps, which may hold a value, and every shape by chance.
    scraps: bool,
}

/// The texts of a window that are still to be looked at, each piece of them once: most steps change
/// little of a text, and several of them come to the same.
struct Walk {
    armed: Armed,
    /// Bytes that may still be queued; this bounds time and memory alike.
    work: usize,
    /// Digests of pieces, each with the one before and the one behind.
    seen: HashSet<[u8; 32]>,
    /// By depth, so that each piece is met first where most may still be undone within.
    todo: [VecDeque<Layer>; DEPTH + 1],
    /// Whether a text was left.
    left: bool,
}

impl Walk {
    fn next(&mut self) -> Option<Layer> {
        self.todo.iter_mut().find_map(VecDeque::pop_front)
    }

    fn push(&mut self, view: &View, depth: usize, unpacked: usize, scraps: bool) {
        let layer = |view| Layer {
            view,
            depth,
            unpacked,
            scraps,
        };
        if self.armed.spelling(Spelling::Invisible)
            && let Some(unveiled) = view.unveiled()
        {
            self.queue(&layer(unveiled.normal(self.armed)));
        }
        self.queue(&layer(view.normal(self.armed)));
    }

    /// Queues those pieces of a text that were not seen before, with what stands around them.
    fn queue(&mut self, layer: &Layer) {
        let pieces = layer.view.pieces();
        let new = self.new_pieces(layer, &pieces);
        let end = |piece: usize| pieces.get(piece).map_or(0, |(end, _)| *end);
        let start = |piece: usize| piece.checked_sub(1).map_or(0, end);
        let next = |from: usize, to: usize| (from..to.min(new.len())).find(|piece| new[*piece]);
        let mut from = 0;
        while let Some(first) = next(from, new.len()) {
            let mut last = first;
            while let Some(more) = next(last + 1, last + 2 + FEW) {
                last = more;
            }
            from = last + 1;
            let inner = (start(first), end(last));
            let outer = (start(first.saturating_sub(1)), end(from).max(inner.1));
            match self.work.checked_sub(outer.1 - outer.0) {
                Some(left) => {
                    self.work = left;
                    if let Some(todo) = self.todo.get_mut(layer.depth) {
                        todo.push_back(Layer {
                            view: layer.view.stretch(outer, inner),
                            ..*layer
                        });
                    }
                }
                None => self.left = true,
            }
        }
    }

    /// Which pieces of a text were not seen before where they stand.
    fn new_pieces(&mut self, layer: &Layer, pieces: &[(usize, u32)]) -> Vec<bool> {
        let view = &layer.view;
        let mut start = 0;
        let digests = pieces.iter().map(|(end, part)| {
            let text = view.text.as_bytes().get(start..*end).unwrap_or_default();
            let only_around = view.is_around(start, *end);
            start = *end;
            let digest = Sha256::new_with_prefix(part.to_le_bytes());
            let digest = digest.chain_update([u8::from(layer.scraps)]);
            (digest.chain_update(text).finalize(), only_around)
        });
        let digests: Vec<_> = digests.collect();
        let is_new = |at: usize| {
            let near = [at.checked_sub(1), Some(at), at.checked_add(1)];
            let near = near
                .map(|at| digests.get(at?))
                .into_iter()
                .map(|near| match near {
                    Some((digest, _)) => digest.as_slice(),
                    None => &[],
                });
            let digest = near.fold(Sha256::new(), |all, near| {
                all.chain_update([u8::from(near.is_empty())])
                    .chain_update(near)
            });
            let around = digests.get(at).is_some_and(|(_, around)| *around);
            !around && self.seen.insert(digest.finalize().into())
        };
        (0..digests.len()).map(is_new).collect()
    }
}

impl Canary {
    /// A canary with every detector armed and no values yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same canary with other detectors armed; for the control runner only.
    #[must_use]
    pub fn with_armed(mut self, armed: Armed) -> Self {
        self.armed = armed;
        self.built.take();
        self
    }

    /// The same canary for pages that people read in a browser: there, paths are leaks only where
    /// they begin at a home or a Windows drive, or hold one of the values.
    #[must_use]
    pub fn for_pages(mut self) -> Self {
        self.pages = true;
        self
    }

    /// Adds a private value. One of fewer than eight characters, or made of mere vocabulary, is
    /// ignored; the answer tells whether it was taken.
    pub fn value(&mut self, kind: Kind, value: &str) -> bool {
        let taken = value::is_private(value);
        if taken {
            self.values.insert((kind, value.trim().to_owned()), ());
            self.built.take();
        }
        taken
    }

    /// How many values are searched for.
    #[must_use]
    pub fn values(&self) -> usize {
        self.values.len()
    }

    /// Every private value and shape in `bytes`, by offset; at most a thousand of a kind.
    #[must_use]
    pub fn scan(&self, bytes: impl AsRef<[u8]>) -> Vec<Hit> {
        self.look(bytes).hits
    }

    /// Every private value and shape in `bytes`, and whether that is all.
    ///
    /// Linear in the length of `bytes`, with memory for one window beside the values themselves.
    #[must_use]
    pub fn look(&self, bytes: impl AsRef<[u8]>) -> Look {
        let bytes = bytes.as_ref();
        let search = self.built.get_or_init(|| self.build());
        let mut hits = Hits::default();
        let mut unread = None;
        if search.automaton.is_none() {
            // What cannot be searched for cannot be vouched for either.
            hits.note(0, Kind::Identity, Spellings::NONE);
        }
        let mut start = 0;
        loop {
            let end = bytes.len().min(start + WINDOW);
            let end = whole_character(bytes, end);
            let window = bytes.get(start..end).unwrap_or_default();
            let low = if start == 0 { 0 } else { MARGIN };
            let high = if end == bytes.len() {
                usize::MAX
            } else {
                window.len().saturating_sub(MARGIN)
            };
            let whole = self.scan_window(search, window, &mut |at, kind, spelling| {
                if (low..high).contains(&at) {
                    hits.note(start + at, kind, spelling);
                }
            });
            if !whole {
                unread.get_or_insert(start);
            }
            if end == bytes.len() {
                break;
            }
            start = whole_character(bytes, end - OVERLAP);
        }
        let by_place = hits.by_place.into_iter();
        Look {
            hits: by_place
                .map(|((at, kind), spelling)| Hit { at, kind, spelling })
                .collect(),
            unread,
            cut: hits.cut,
        }
    }

    fn build(&self) -> Search {
        let mut forms: BTreeMap<String, Kind> = BTreeMap::new();
        for (kind, text) in self.values.keys() {
            if self.armed.kind(*kind) {
                for form in value::forms(*kind, text, self.armed) {
                    forms.entry(form).or_insert(*kind);
                }
            }
        }
        let mut forms: Vec<_> = forms.into_iter().collect();
        // Leftmost-first takes the earlier pattern, so the longer must come first to be named.
        forms.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.0.cmp(&b.0)));
        Search {
            automaton: AhoCorasick::builder()
                .match_kind(MatchKind::LeftmostFirst)
                .build(forms.iter().map(|(form, _)| form))
                .ok(),
            wide: forms
                .iter()
                .any(|(form, _)| form.chars().any(|c| c >= '\u{700}')),
            kinds: forms.into_iter().map(|(_, kind)| kind).collect(),
        }
    }

    /// Walks the layers of a window breadth first: from each text, those with line breaks taken
    /// out, with tags taken out, and with a layer of escapes undone. Any may be the inner one. Whether
    /// all of them were looked at.
    fn scan_window(
        &self,
        search: &Search,
        window: &[u8],
        found: &mut impl FnMut(usize, Kind, Spellings),
    ) -> bool {
        let mut walk = Walk {
            armed: self.armed,
            work: window.len().saturating_mul(WORK).max(LEAST_WORK),
            seen: HashSet::new(),
            todo: std::array::from_fn(|_| VecDeque::new()),
            left: false,
        };
        walk.push(&View::of(window), 0, 0, false);
        while let Some(layer) = walk.next() {
            self.search(search, &layer, found);
            if !layer.scraps {
                self.inner(search, &layer, &mut walk);
            }
        }
        !walk.left
    }

    /// Queues what a text may hide. Taking out only ever shrinks and a repeat is seen, so that
    /// part ends by itself; undoing escapes is counted.
    fn inner(&self, search: &Search, layer: &Layer, walk: &mut Walk) {
        let view = &layer.view;
        let mut next = |view: View, deeper, unpacked| {
            walk.push(
                &view,
                layer.depth + deeper,
                layer.unpacked + unpacked,
                false,
            );
        };
        if self.armed.spelling(Spelling::Lines) {
            next(view.joined(), 0, 0);
        }
        if self.armed.spelling(Spelling::Tags)
            && memchr::memchr(b'<', view.text.as_bytes()).is_some()
        {
            next(view.untagged(false), 0, 0);
            next(view.untagged(true), 0, 0);
        }
        if layer.depth == DEPTH {
            return;
        }
        // All escapes at once reach deepest; one kind alone comes first where kinds are nested.
        let [json, html, percent] = [Spelling::Json, Spelling::Html, Spelling::Percent];
        let only = |a, b| self.armed.without_spelling(a).without_spelling(b);
        for (armed, loose) in [
            (self.armed, false),
            (only(html, percent), false),
            (only(json, percent), false),
            (only(json, html), false),
            (self.armed, true),
        ] {
            if let Some(inner) = decode::decoded(view, armed, loose) {
                next(inner, 1, 0);
            }
        }
        if layer.unpacked < BASE64_DEPTH && self.armed.spelling(Spelling::Base64) {
            let inner = base64::decoded(view, search.wide);
            if !inner.text.text.is_empty() {
                next(inner.text, 1, 1);
            }
            if !inner.scraps.text.is_empty() && !self.values.is_empty() {
                walk.push(&inner.scraps, layer.depth + 1, layer.unpacked + 1, true);
            }
        }
    }

    fn search(
        &self,
        search: &Search,
        layer: &Layer,
        found: &mut impl FnMut(usize, Kind, Spellings),
    ) {
        let view = &layer.view;
        let mut report = |view: &View, kind: Kind, start: usize, end: usize| {
            let how = view.how_between(start, end);
            // What was dropped before the first byte is marked on it but hides nothing.
            found(view.source(start) as usize, kind, how.plainly());
        };
        if !layer.scraps {
            // What stands at an end of a stretch may look otherwise there than it does.
            let mut shaped = |view: &View, kind: Kind, start: usize, end: usize| {
                if !view.how(start).is_around() {
                    report(view, kind, start, end);
                }
            };
            shape::secrets(view, self.armed, &mut |start, end| {
                shaped(view, Kind::Secret, start, end);
            });
            // The other shapes come about by chance where two texts meet.
            let parted = view.parted();
            let view = parted.as_ref().unwrap_or(view);
            shape::scan(view, self.armed, self.pages, &mut |kind, start, end| {
                shaped(view, kind, start, end);
            });
        }
        if let Some(automaton) = &search.automaton
            && !search.kinds.is_empty()
        {
            let folded = view.folded(self.armed);
            for hit in automaton.find_iter(&folded.text) {
                if let Some(kind) = search.kinds.get(hit.pattern().as_usize()) {
                    report(&folded, *kind, hit.start(), hit.end());
                }
            }
        }
    }
}

/// The nearest place at or before `at` that does not cut a character.
fn whole_character(bytes: &[u8], at: usize) -> usize {
    let inside = |back: &usize| {
        at.checked_sub(*back)
            .and_then(|index| bytes.get(index))
            .is_none_or(|byte| byte & 0xc0 != 0x80)
    };
    at - (0..4).find(inside).unwrap_or(0)
}
