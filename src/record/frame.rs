//! Where the frames of a record lie, so that its families can be read side by side.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt as _;

/// What a frame of zstd begins with.
const FRAME: u32 = 0xfd2f_b528;
/// What a frame begins with that holds nothing of the stream; its last four bits are free.
const SKIPPED: u32 = 0x184d_2a50;
/// Bytes of a frame's header at most, with the number that it begins with.
const HEADER: usize = 18;

/// A part of a file.
#[derive(Debug)]
pub struct Part<'f> {
    file: &'f File,
    at: u64,
    end: u64,
}

impl Read for Part<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end - self.at).unwrap_or(usize::MAX);
        let most = left.min(buffer.len());
        let read = self.file.read_at(&mut buffer[..most], self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

/// The frames of a record, one after the other; nothing where it is not made of whole frames.
/// Only their headers are read.
#[must_use]
pub fn frames(file: &File) -> Option<Vec<Part<'_>>> {
    let length = file.metadata().ok()?.len();
    let mut parts = Vec::new();
    let mut at = 0;
    while at < length {
        let end = frame_end(file, at).filter(|end| *end <= length)?;
        parts.push(Part { file, at, end });
        at = end;
    }
    Some(parts)
}

/// Where the frame ends that begins at `at`.
fn frame_end(file: &File, at: u64) -> Option<u64> {
    let mut head = [0_u8; HEADER];
    let got = filled(file, at, &mut head)?;
    let head = head.get(..got)?;
    let number = |from: usize, count: usize| -> Option<u64> {
        let bytes = head.get(from..from + count)?.iter().rev();
        Some(bytes.fold(0, |sum, byte| sum << 8 | u64::from(*byte)))
    };
    let magic = u32::try_from(number(0, 4)?).ok()?;
    if magic & !0xf == SKIPPED {
        return at.checked_add(8 + number(4, 4)?);
    }
    let descriptor = *head.get(4).filter(|_| magic == FRAME)?;
    let single = descriptor & 0x20 != 0;
    let dictionary = [0, 1, 2, 4].get(usize::from(descriptor & 3))?;
    let size = [u64::from(single), 2, 4, 8];
    let size = size.get(usize::from(descriptor >> 6))?;
    let mut at = at + 5 + u64::from(!single) + dictionary + size;
    loop {
        let mut block = [0_u8; 3];
        file.read_exact_at(&mut block, at).ok()?;
        let [low, middle, high] = block.map(u64::from);
        let word = high << 16 | middle << 8 | low;
        let length = match word >> 1 & 3 {
            // A byte that is repeated.
            1 => 1,
            3 => return None,
            _ => word >> 3,
        };
        at = at.checked_add(3 + length)?;
        if word & 1 == 1 {
            let checksum = if descriptor & 4 == 0 { 0 } else { 4 };
            return at.checked_add(checksum);
        }
    }
}

/// How many bytes could be read there.
fn filled(file: &File, at: u64, buffer: &mut [u8]) -> Option<usize> {
    let mut got = 0;
    while got < buffer.len() {
        let rest = buffer.get_mut(got..)?;
        match file.read_at(rest, at + got as u64).ok()? {
            0 => break,
            read => got += read,
        }
    }
    Some(got)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    #[test]
    fn frames_are_found_by_their_headers_alone() {
        let texts: [Vec<u8>; 5] = [
            b"a".to_vec(),
            Vec::new(),
            vec![7; 1 << 20],
            (0..400_000_u32).flat_map(u32::to_le_bytes).collect(),
            b"end\n".to_vec(),
        ];
        let mut file = tempfile::tempfile().unwrap();
        for text in &texts {
            file.write_all(&zstd::encode_all(&text[..], 3).unwrap())
                .unwrap();
        }
        let parts = frames(&file).unwrap();
        assert_eq!(parts.len(), texts.len());
        for (part, text) in parts.into_iter().zip(&texts) {
            assert!(zstd::decode_all(part).unwrap() == *text);
        }
        let length = file.metadata().unwrap().len();
        file.set_len(length - 1).unwrap();
        assert!(frames(&file).is_none(), "the last frame is cut off");
        file.write_all(b"none").unwrap();
        assert!(frames(&file).is_none());
    }
}
