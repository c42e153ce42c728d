//! One file as a stream of lines, whatever it is packed in, with its SHA-256.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek as _, SeekFrom, Take};
use std::path::Path;
use std::sync::Arc;

use memchr::memchr;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// SHA-256 of a file's bytes as they lie on disk.
pub type Digest = [u8; 32];

/// The most that a compressed file may unpack to, in bytes (8 GiB): a bound against decompression
/// bombs, far above any real session.
pub const UNPACKED_LIMIT: u64 = 8 << 30;

/// The longest line that is read, in bytes (256 MiB), far above that of any real session. Of a
/// longer one only the length is kept, so that a small packed file cannot fill the memory.
pub const LONGEST_LINE: usize = 256 << 20;

const CHUNK: usize = 256 * 1024;
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];
const GZIP_MAGIC: [u8; 2] = [0x1F, 0x8B];

/// Why a file could not be read to its end. The spellings are reasons of `dark` rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ReadFault {
    /// The file cannot be opened or read.
    Unreadable,
    /// It is no regular file (a FIFO, a socket, a device).
    NotRegular,
    /// It became shorter than it was when it was opened.
    Shrunk,
    /// Its compressed stream is damaged.
    BadCompression,
    /// It unpacks to more than [`UNPACKED_LIMIT`] bytes.
    TooLarge,
}

impl ReadFault {
    /// The kebab-case spelling that rows carry.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unreadable => "unreadable",
            Self::NotRegular => "not-regular",
            Self::Shrunk => "shrunk",
            Self::BadCompression => "bad-compression",
            Self::TooLarge => "too-large",
        }
    }
}

/// One line of a file, without its newline.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// Its number, from 1.
    pub number: u64,
    /// The offset of its first byte in the decompressed file.
    pub offset: u64,
    /// Its bytes; a carriage return before the newline still stands in them. None where the line is
    /// too long.
    pub bytes: &'a [u8],
    /// Its length, where it is longer than [`LONGEST_LINE`]; else 0.
    pub too_long: u64,
    /// Whether a newline ended it. Only the last line may lack one.
    pub terminated: bool,
}

/// Where bytes come from.
enum Raw {
    File(Take<File>),
    Memory(Cursor<Arc<[u8]>>),
}

impl Read for Raw {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(buf),
            Self::Memory(bytes) => bytes.read(buf),
        }
    }
}

/// Hashes what passes through, so that a file is read once. What is only looked at is not hashed.
struct Hashing {
    inner: Raw,
    hasher: Option<Sha256>,
    expected: u64,
    seen: u64,
}

impl Read for Hashing {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buf)?;
        if let Some(hasher) = &mut self.hasher {
            hasher.update(&buf[..n]);
        }
        self.seen += n as u64;
        Ok(n)
    }
}

enum Unpacked {
    Plain(Hashing),
    Gzip(Box<flate2::read::MultiGzDecoder<Hashing>>),
    Zstd(Box<zstd::stream::read::Decoder<'static, io::BufReader<Hashing>>>),
}

impl Unpacked {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(reader) => reader.read(buf),
            Self::Gzip(reader) => reader.read(buf),
            Self::Zstd(reader) => reader.read(buf),
        }
    }

    fn is_plain(&self) -> bool {
        matches!(self, Self::Plain(_))
    }

    fn into_raw(self) -> Hashing {
        match self {
            Self::Plain(reader) => reader,
            Self::Gzip(reader) => reader.into_inner(),
            Self::Zstd(reader) => reader.finish().into_inner(),
        }
    }
}

/// Reads a file line by line through one reused buffer, to the length that it had when opened.
pub struct LineReader {
    unpacked: Unpacked,
    buffer: Vec<u8>,
    start: usize,
    filled: usize,
    offset: u64,
    number: u64,
    ended: bool,
    fault: Option<ReadFault>,
    /// The buffer's length up to which no newline stands after `start`.
    searched: usize,
    /// Bytes of the line at hand that are gone already, since it is too long.
    dropped: u64,
    longest: usize,
}

impl LineReader {
    /// Opens a file. Its compression is told by its first bytes, never by its name.
    ///
    /// # Errors
    /// [`ReadFault::NotRegular`] and [`ReadFault::Unreadable`].
    pub fn open(path: &Path) -> Result<Self, ReadFault> {
        // The type is asked of the name first: opening a FIFO would wait for a writer.
        let meta = std::fs::metadata(path).map_err(|_| ReadFault::Unreadable)?;
        if !meta.is_file() {
            return Err(ReadFault::NotRegular);
        }
        let mut file = File::open(path).map_err(|_| ReadFault::Unreadable)?;
        let length = file.metadata().map_err(|_| ReadFault::Unreadable)?.len();
        let mut magic = [0_u8; 4];
        let got = read_up_to(&mut file, &mut magic).map_err(|_| ReadFault::Unreadable)?;
        file.seek(SeekFrom::Start(0))
            .map_err(|_| ReadFault::Unreadable)?;
        Self::unpack(Raw::File(file.take(length)), length, &magic[..got])
    }

    /// Reads bytes that are built into the program.
    ///
    /// # Errors
    /// [`ReadFault::BadCompression`].
    pub fn of_bytes(bytes: Arc<[u8]>) -> Result<Self, ReadFault> {
        let length = bytes.len() as u64;
        let magic: Vec<u8> = bytes.iter().take(4).copied().collect();
        Self::unpack(Raw::Memory(Cursor::new(bytes)), length, &magic)
    }

    fn unpack(inner: Raw, length: u64, magic: &[u8]) -> Result<Self, ReadFault> {
        let raw = Hashing {
            inner,
            hasher: Some(Sha256::new()),
            expected: length,
            seen: 0,
        };
        let unpacked = if magic == ZSTD_MAGIC {
            let decoder = zstd::stream::read::Decoder::new(raw);
            Unpacked::Zstd(Box::new(decoder.map_err(|_| ReadFault::BadCompression)?))
        } else if magic.starts_with(&GZIP_MAGIC) {
            Unpacked::Gzip(Box::new(flate2::read::MultiGzDecoder::new(raw)))
        } else {
            Unpacked::Plain(raw)
        };
        // Most files of a run are small, and clearing memory would cost more than reading them.
        let whole = if unpacked.is_plain() {
            length
        } else {
            u64::MAX
        };
        let room = usize::try_from(whole).unwrap_or(CHUNK).saturating_add(1);
        Ok(Self {
            unpacked,
            buffer: vec![0; room.min(CHUNK)],
            start: 0,
            filled: 0,
            offset: 0,
            number: 0,
            ended: false,
            fault: None,
            searched: 0,
            dropped: 0,
            longest: LONGEST_LINE,
        })
    }

    /// Leaves out the digest, for who only takes a look: [`Self::finish`] then tells one of zeros.
    #[must_use]
    pub fn without_digest(mut self) -> Self {
        match &mut self.unpacked {
            Unpacked::Plain(reader) => reader.hasher = None,
            Unpacked::Gzip(reader) => reader.get_mut().hasher = None,
            Unpacked::Zstd(reader) => reader.get_mut().get_mut().hasher = None,
        }
        self
    }

    /// The next line, or `None` at the end or at a fault (see [`Self::finish`]).
    pub fn next_line(&mut self) -> Option<Line<'_>> {
        loop {
            if let Some(at) = memchr(b'\n', &self.buffer[self.searched..self.filled]) {
                let end = self.searched + at;
                return Some(self.take(end, end + 1, true));
            }
            self.searched = self.filled;
            if self.filled - self.start > self.longest {
                self.dropped += (self.filled - self.start) as u64;
                self.start = self.filled;
            }
            if self.ended {
                if self.start == self.filled && self.dropped == 0 {
                    return None;
                }
                let end = self.filled;
                return Some(self.take(end, end, false));
            }
            self.fill();
        }
    }

    /// The next of the lines from one number to another, both from 1 and both among them.
    pub fn next_within(&mut self, (from, to): (u64, u64)) -> Option<Line<'_>> {
        while self.number + 1 < from {
            self.next_line()?;
        }
        if self.number >= to {
            return None;
        }
        self.next_line()
    }

    fn take(&mut self, end: usize, next: usize, terminated: bool) -> Line<'_> {
        let start = self.start;
        let offset = self.offset;
        let dropped = std::mem::take(&mut self.dropped);
        self.number += 1;
        self.offset += dropped + (next - start) as u64;
        self.start = next;
        self.searched = next;
        let too_long = dropped > 0 || end - start > self.longest;
        Line {
            number: self.number,
            offset,
            bytes: if too_long {
                &[]
            } else {
                &self.buffer[start..end]
            },
            too_long: if too_long {
                dropped + (end - start) as u64
            } else {
                0
            },
            terminated,
        }
    }

    fn fill(&mut self) {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.filled, 0);
            self.filled -= self.start;
            self.searched -= self.start;
            self.start = 0;
        }
        if self.filled == self.buffer.len() {
            // Doubling keeps a line of any length linear in time.
            let most = self.longest.saturating_add(CHUNK).max(2 * CHUNK);
            // New memory is not touched before it is read into, as it would be by growing.
            let mut buffer = vec![0; most.min(self.buffer.len() * 2)];
            if let Some(kept) = buffer.get_mut(..self.filled) {
                kept.copy_from_slice(&self.buffer);
            }
            self.buffer = buffer;
        } else if self.buffer.len() > 64 * CHUNK && self.filled < CHUNK {
            // A single huge line must not hold its memory for the rest of the file.
            self.buffer.truncate(CHUNK);
            self.buffer.shrink_to_fit();
        }
        match self.unpacked.read(&mut self.buffer[self.filled..]) {
            Ok(0) => self.ended = true,
            Ok(n) => self.filled += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => {
                self.ended = true;
                self.fault = Some(if self.unpacked.is_plain() {
                    ReadFault::Unreadable
                } else {
                    ReadFault::BadCompression
                });
            }
        }
        if !self.unpacked.is_plain()
            && self.offset + self.dropped + self.filled as u64 > UNPACKED_LIMIT
        {
            self.ended = true;
            self.fault = Some(ReadFault::TooLarge);
        }
    }

    /// Bytes handed out so far, decompressed.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.offset
    }

    /// Reads what is left for the digest's sake and tells how the reading went.
    #[must_use]
    pub fn finish(self) -> (Digest, u64, Option<ReadFault>) {
        let mut fault = self.fault;
        let mut raw = self.unpacked.into_raw();
        let mut sink = self.buffer;
        while let Ok(n) = raw.read(&mut sink) {
            if n == 0 {
                break;
            }
        }
        if fault.is_none() && raw.seen < raw.expected {
            fault = Some(ReadFault::Shrunk);
        }
        let digest = raw.hasher.map(|hasher| hasher.finalize().into());
        (digest.unwrap_or_default(), raw.seen, fault)
    }
}

fn read_up_to(file: &mut File, buf: &mut [u8]) -> io::Result<usize> {
    let mut got = 0;
    while got < buf.len() {
        match file.read(&mut buf[got..]) {
            Ok(0) => break,
            Ok(n) => got += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(got)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    fn lines(bytes: &[u8]) -> Vec<(u64, u64, Vec<u8>, bool)> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        let mut reader = LineReader::open(file.path()).unwrap();
        let mut out = Vec::new();
        while let Some(line) = reader.next_line() {
            out.push((
                line.number,
                line.offset,
                line.bytes.to_vec(),
                line.terminated,
            ));
        }
        let (digest, _, fault) = reader.finish();
        assert_eq!(fault, None);
        if !bytes.starts_with(&GZIP_MAGIC) && !bytes.starts_with(&ZSTD_MAGIC) {
            let expected: Digest = Sha256::digest(bytes).into();
            assert_eq!(digest, expected);
        }
        out
    }

    #[test]
    fn splits_on_newlines_only() {
        let got = lines("a\u{2028}b\r\n\nlast".as_bytes());
        assert_eq!(got.len(), 3);
        assert_eq!(got[0].2, "a\u{2028}b\r".as_bytes());
        assert_eq!(got[1], (2, 7, Vec::new(), true));
        assert_eq!(got[2], (3, 8, b"last".to_vec(), false));
    }

    #[test]
    fn lines_longer_than_the_buffer_come_whole() {
        let mut bytes = vec![b'x'; 3 * CHUNK + 17];
        bytes.push(b'\n');
        bytes.extend_from_slice(b"y\n");
        let got = lines(&bytes);
        assert_eq!(got[0].2.len(), 3 * CHUNK + 17);
        assert_eq!(got[1].2, b"y");
    }

    #[test]
    fn packed_files_read_like_plain_ones() {
        let text = b"{\"a\":1}\n{\"b\":2}\n";
        let plain = lines(text);
        assert_eq!(lines(&zstd::encode_all(&text[..], 3).unwrap()), plain);
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gz.write_all(text).unwrap();
        assert_eq!(lines(&gz.finish().unwrap()), plain);
    }

    #[test]
    fn what_is_only_looked_at_reads_the_same_without_a_digest() {
        let text = b"{\"a\":1}\n{\"b\":2}\n";
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gz.write_all(text).unwrap();
        let zstd = zstd::encode_all(&text[..], 3).unwrap();
        for packed in [text.to_vec(), gz.finish().unwrap(), zstd] {
            let size = packed.len() as u64;
            let mut reader = LineReader::of_bytes(packed.into())
                .unwrap()
                .without_digest();
            let mut seen = Vec::new();
            while let Some(line) = reader.next_line() {
                seen.extend_from_slice(line.bytes);
            }
            assert_eq!(seen, b"{\"a\":1}{\"b\":2}");
            assert_eq!(reader.finish(), (Digest::default(), size, None));
        }
    }

    #[test]
    fn a_file_that_grows_is_read_to_the_length_that_it_had() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let before: Vec<u8> = b"{\"a\":1}\n".repeat(CHUNK / 4);
        file.write_all(&before).unwrap();
        let mut reader = LineReader::open(file.path()).unwrap();
        assert!(reader.next_line().is_some());
        file.write_all(b"{\"b\":2}\n{\"torn").unwrap();
        let mut lines = 1;
        while let Some(line) = reader.next_line() {
            assert!(line.terminated);
            lines += 1;
        }
        assert_eq!(lines, CHUNK / 4);
        let (digest, size, fault) = reader.finish();
        let expected: Digest = Sha256::digest(&before).into();
        assert_eq!((digest, size, fault), (expected, before.len() as u64, None));
        let mut again = LineReader::open(file.path()).unwrap();
        let mut torn = 0;
        while let Some(line) = again.next_line() {
            torn += u32::from(!line.terminated);
        }
        assert_eq!(torn, 1);
    }

    #[test]
    fn a_file_that_shrinks_is_a_fault() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&b"{}\n".repeat(CHUNK)).unwrap();
        let mut reader = LineReader::open(file.path()).unwrap();
        assert!(reader.next_line().is_some());
        file.as_file().set_len(CHUNK as u64 * 2).unwrap();
        while reader.next_line().is_some() {}
        assert_eq!(reader.finish().2, Some(ReadFault::Shrunk));
    }

    #[test]
    fn a_line_of_megabytes_holds_no_more_than_twice_its_length_and_lets_go() {
        const LONG: usize = 64 << 20;
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&vec![b'x'; LONG]).unwrap();
        file.write_all(b"\n").unwrap();
        file.write_all(&b"short\n".repeat(2 * CHUNK)).unwrap();
        let mut reader = LineReader::open(file.path()).unwrap();
        assert_eq!(reader.next_line().map(|line| line.bytes.len()), Some(LONG));
        assert!(reader.buffer.len() <= 2 * LONG);
        while reader.next_line().is_some() {}
        assert!(reader.buffer.capacity() <= 2 * CHUNK, "it lets go again");
    }

    #[test]
    fn of_a_line_that_is_too_long_only_its_length_is_kept() {
        const LONG: usize = 5 * CHUNK;
        let mut text = b"a\n".to_vec();
        text.extend(vec![b'x'; LONG]);
        text.extend(b"\nb\n");
        text.extend(vec![b'y'; CHUNK]);
        text.push(b'\n');
        text.extend(vec![b'z'; CHUNK + 1]);
        for packed in [text.clone(), zstd::encode_all(&text[..], 3).unwrap()] {
            let mut reader = LineReader::of_bytes(packed.into()).unwrap();
            reader.longest = CHUNK;
            let mut told = Vec::new();
            while let Some(line) = reader.next_line() {
                told.push((line.number, line.offset, line.bytes.len(), line.too_long));
            }
            let (long, chunk) = (LONG as u64, CHUNK as u64);
            assert_eq!(
                told,
                [
                    (1, 0, 1, 0),
                    (2, 2, 0, long),
                    (3, 3 + long, 1, 0),
                    (4, 5 + long, CHUNK, 0),
                    (5, 6 + long + chunk, 0, chunk + 1),
                ]
            );
            assert_eq!(reader.position(), text.len() as u64);
            assert!(reader.buffer.len() <= 2 * CHUNK);
            assert_eq!(reader.finish().2, None);
        }
    }

    #[test]
    fn a_damaged_stream_is_a_fault_after_what_could_be_read() {
        let text = vec![b'a'; 100_000];
        let mut packed = zstd::encode_all(&text[..], 3).unwrap();
        packed.truncate(packed.len() - 2);
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&packed).unwrap();
        let mut reader = LineReader::open(file.path()).unwrap();
        while reader.next_line().is_some() {}
        assert_eq!(reader.finish().2, Some(ReadFault::BadCompression));
    }
}
