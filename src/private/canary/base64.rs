//! What base64 runs of a view decode to.

use unicode_general_category::{GeneralCategory, get_general_category};

use super::kind::{Spelling, Spellings};
use super::view::View;

/// Eight characters, the least that is looked for, need eleven.
const LEAST: usize = 11;
/// The shortest stretch that is looked at.
const STRETCH: usize = 8;
/// A readable stretch so long does not come about by chance.
const LONG: usize = 24;
/// How many bytes that no text of single bytes has make a run worth a look for two bytes a character.
const RARE: usize = 4;

/// Keeps decoded pieces apart; no value holds it and no layer drops it.
pub(super) const BETWEEN: char = '\u{fffc}';

/// The readable stretches of all base64 runs.
#[derive(Debug, Default)]
pub(super) struct Unpacked {
    /// Those that somebody packed.
    pub(super) text: View,
    /// Short ones within much that cannot be read, as they come about by chance in pictures and
    /// archives. Only a value may be told from them, no shape.
    pub(super) scraps: View,
}

/// Decodes every run. It may be glued to what stands before it, so it is read at each of the four
/// alignments.
///
/// With `any`, text of two bytes a character is read whatever its script. Much that is no text reads
/// so by chance, and only values are told from it.
pub(super) fn decoded(view: &View, any: bool) -> Unpacked {
    let bytes = view.text.as_bytes();
    let mut out = Unpacked::default();
    let mut packed = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = bytes.get(at..).unwrap_or_default();
        let length = rest.iter().take_while(|b| VALUES[usize::from(**b)] != NONE);
        let length = length.count();
        if length >= LEAST {
            let run = rest.get(..length).unwrap_or_default();
            for shift in 0..4 {
                unpack(run.get(shift..).unwrap_or_default(), &mut packed);
                let run = Run {
                    view,
                    start: at + shift,
                    any,
                };
                run.read(&packed, &mut out);
            }
        }
        at += length.max(1);
    }
    out
}

fn unpack(run: &[u8], out: &mut Vec<u8>) {
    out.clear();
    for group in run.chunks(4) {
        let mut bits = 0_u32;
        for &byte in group {
            bits = bits << 6 | u32::from(VALUES[usize::from(byte)] & 63);
        }
        bits <<= 6 * (4 - group.len());
        let [_, bytes @ ..] = bits.to_be_bytes();
        out.extend_from_slice(bytes.get(..group.len() * 3 / 4).unwrap_or_default());
    }
}

/// A run at one alignment.
struct Run<'v> {
    view: &'v View,
    start: usize,
    any: bool,
}

impl Run<'_> {
    fn read(&self, packed: &[u8], out: &mut Unpacked) {
        let mut offset = 0;
        for chunk in packed.utf8_chunks() {
            let valid = chunk.valid();
            // Most chunks of what is no text are too short for anything.
            if valid.len() >= STRETCH {
                let mut place = offset;
                for piece in valid.split_inclusive(|c: char| c.is_control() && !c.is_whitespace()) {
                    if piece.len() >= STRETCH {
                        let into = out.of(piece.len(), packed.len());
                        self.copy(piece.char_indices().map(|(at, c)| (place + at, c)), into);
                    }
                    place += piece.len();
                }
            }
            offset += valid.len() + chunk.invalid().len();
        }
        // Text of two bytes a character has bytes in it that other text has not.
        let rare = packed.iter().filter(|b| matches!(b, 0..=6 | 0xfe..));
        if self.any || rare.take(RARE).count() == RARE {
            self.wide(packed, out);
        }
    }

    fn wide(&self, packed: &[u8], out: &mut Unpacked) {
        let mut piece: Vec<(usize, char)> = Vec::new();
        for (parity, big) in [(0, false), (1, false), (0, true), (1, true)] {
            let rest = packed.get(parity..).unwrap_or_default();
            let units = rest.chunks_exact(2).map(|pair| match (pair, big) {
                ([a, b], true) => u16::from_be_bytes([*a, *b]),
                ([a, b], false) => u16::from_le_bytes([*a, *b]),
                _ => 0,
            });
            let mut at = parity;
            for c in char::decode_utf16(units.chain([0])) {
                let place = at;
                at += c.as_ref().map_or(2, |c| 2 * c.len_utf16());
                if let Ok(c) = c
                    && (is_near(c) || self.any && is_letter(c))
                {
                    piece.push((place, c));
                    continue;
                }
                if piece.len() >= STRETCH {
                    let near = piece.iter().all(|(_, c)| is_near(*c));
                    let into = match near {
                        true => out.of(2 * piece.len(), packed.len()),
                        false => &mut out.scraps,
                    };
                    self.copy(piece.iter().copied(), into);
                }
                piece.clear();
            }
        }
    }

    fn copy(&self, piece: impl Iterator<Item = (usize, char)>, out: &mut View) {
        for (place, c) in piece {
            let source = self.start + place / 3 * 4;
            let how = self.view.how(source);
            let how = how.union(Spellings::NONE.with(Spelling::Base64));
            out.push(c, self.view.source(source), how);
        }
        let place = self.view.how(self.start).place();
        out.push(BETWEEN, self.view.source(self.start), place);
    }
}

/// Letters of the alphabets that stand first, and what spells or splits them: the rest comes about
/// by chance.
fn is_near(c: char) -> bool {
    match c {
        '\0'..'\u{700}' => !c.is_control() || c.is_whitespace(),
        // The last are invisible letters.
        '\u{2000}'..='\u{206f}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}'..='\u{ff5e}'
        | '\u{e0020}'..='\u{e007e}' => true,
        _ => false,
    }
}

fn is_letter(c: char) -> bool {
    !matches!(
        get_general_category(c),
        GeneralCategory::Unassigned | GeneralCategory::PrivateUse | GeneralCategory::Control
    )
}

impl Unpacked {
    /// Where a stretch of so many bytes among so many belongs.
    fn of(&mut self, bytes: usize, among: usize) -> &mut View {
        if bytes >= LONG || 2 * bytes >= among {
            &mut self.text
        } else {
            &mut self.scraps
        }
    }
}

const NONE: u8 = u8::MAX;

/// What each byte stands for in either alphabet.
const VALUES: [u8; 256] = {
    let mut values = [NONE; 256];
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut at = 0_u8;
    while at < 64 {
        values[letters[at as usize] as usize] = at;
        at += 1;
    }
    values[b'-' as usize] = 62;
    values[b'_' as usize] = 63;
    values
};

/// What a character of either alphabet stands for.
pub(crate) fn sextet(byte: u8) -> Option<u32> {
    let value = VALUES[usize::from(byte)];
    (value != NONE).then(|| u32::from(value))
}
