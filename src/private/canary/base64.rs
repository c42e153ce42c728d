//! What base64 runs of a view decode to.

use super::kind::{Spelling, Spellings};
use super::view::View;

/// Eight characters, the least that is looked for, need eleven.
const LEAST: usize = 11;

/// Keeps decoded pieces apart; no value holds it and no layer drops it.
pub(super) const BETWEEN: char = '\u{fffc}';

/// The readable stretches of all base64 runs, or nothing when there are none.
///
/// A run may be glued to what stands before it, so it is read at each of the four alignments.
pub(super) fn decoded(view: &View) -> Option<View> {
    let bytes = view.text.as_bytes();
    let mut out = View::default();
    let mut at = 0;
    while at < bytes.len() {
        let rest = bytes.get(at..).unwrap_or_default();
        let length = rest.iter().take_while(|b| sextet(**b).is_some()).count();
        if length >= LEAST {
            for shift in 0..4 {
                read(view, at + shift, at + length, &mut out);
            }
        }
        at += length.max(1);
    }
    (!out.text.is_empty()).then_some(out)
}

fn read(view: &View, start: usize, end: usize, out: &mut View) {
    let run = view.text.as_bytes().get(start..end).unwrap_or_default();
    let mut decoded = Vec::with_capacity(run.len() / 4 * 3 + 3);
    for group in run.chunks(4) {
        let mut bits = 0_u32;
        for &byte in group {
            bits = bits << 6 | sextet(byte).unwrap_or_default();
        }
        bits <<= 6 * (4 - group.len());
        let [_, bytes @ ..] = bits.to_be_bytes();
        decoded.extend_from_slice(bytes.get(..group.len() * 3 / 4).unwrap_or_default());
    }
    let mut offset = 0;
    for chunk in decoded.utf8_chunks() {
        let valid = chunk.valid();
        let mut place = offset;
        for piece in valid.split_inclusive(|c: char| c.is_control() && !c.is_whitespace()) {
            if piece.len() >= 8 {
                for (index, c) in piece.char_indices() {
                    let source = start + (place + index) / 3 * 4;
                    let how = view
                        .how(source)
                        .union(Spellings::NONE.with(Spelling::Base64));
                    out.push(c, view.source(source), how);
                }
                out.push(BETWEEN, view.source(start), Spellings::NONE);
            }
            place += piece.len();
        }
        offset += valid.len() + chunk.invalid().len();
    }
}

/// What a character of either alphabet stands for.
pub(crate) fn sextet(byte: u8) -> Option<u32> {
    let value = match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}
