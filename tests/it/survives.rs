//! Whatever a file holds: no panic, every byte accounted for, and rows that their schema knows.
//!
//! The fuzz targets under `fuzz/` do the same for hours; this is their smoke test.

use std::path::PathBuf;
use std::sync::LazyLock;

use deedcheck::pipeline::{Policy, grade};
use deedcheck::source::discover;
use deedcheck::text::Prose;
use deedcheck::{canon, shell};
use proptest::collection::vec;
use proptest::prelude::*;

/// Lines of the edge cases, which hold every format and oddity that is known.
static LINES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/edge");
    let found = discover(&[folder]).unwrap();
    let lines: Vec<Vec<u8>> = found
        .files
        .iter()
        .map(|file| std::fs::read(&file.path).unwrap())
        .filter(|bytes| !bytes.starts_with(&[0x28, 0xB5]) && !bytes.starts_with(&[0x1F, 0x8B]))
        .flat_map(|bytes| {
            bytes
                .split(|b| *b == b'\n')
                .map(<[u8]>::to_vec)
                .collect::<Vec<_>>()
        })
        .filter(|line| line.len() < 1 << 16)
        .collect();
    assert!(lines.len() > 500, "{} lines", lines.len());
    lines
});

/// Grades a file of these bytes and checks what must hold of any.
fn survives(bytes: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    std::fs::write(&path, bytes).unwrap();
    let found = discover(&[path]).unwrap();
    let graded = grade(&found.files, &Policy::default(), &|_| {});
    let report = &graded.files["session.jsonl"];
    assert_eq!(report.size, bytes.len() as u64);
    if report.fault.is_none() {
        let sum = report.record_bytes
            + report.separator_bytes
            + report.blank_bytes
            + report.bom_bytes
            + report.quarantined_bytes;
        let packed =
            bytes.starts_with(&[0x28, 0xB5, 0x2F, 0xFD]) || bytes.starts_with(&[0x1F, 0x8B]);
        assert!(
            packed || sum == bytes.len() as u64,
            "{sum} of {} bytes",
            bytes.len()
        );
    }
    let mut at = 0;
    for piece in &report.quarantined {
        assert!(
            at <= piece.start && piece.start < piece.end,
            "{piece:?} after {at}"
        );
        at = piece.end;
    }
    for row in &graded.rows {
        canon::to_vec(row).unwrap();
    }
}

/// One way in which a writer, a disk or an editor damages a file.
#[derive(Debug, Clone)]
enum Damage {
    Flip(usize, u8),
    Cut(usize, usize),
    Double(usize, usize),
    Insert(usize, Vec<u8>),
    End(usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = any::<prop::sample::Index>().prop_map(|index| index.index(1 << 20));
    prop_oneof![
        (at.clone(), any::<u8>()).prop_map(|(at, byte)| Damage::Flip(at, byte)),
        (at.clone(), 0_usize..64).prop_map(|(at, length)| Damage::Cut(at, length)),
        (at.clone(), 0_usize..512).prop_map(|(at, length)| Damage::Double(at, length)),
        (at.clone(), piece()).prop_map(|(at, piece)| Damage::Insert(at, piece)),
        at.prop_map(Damage::End),
    ]
}

/// Bytes that mean something to a reader of JSON lines.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        vec(any::<u8>(), 0..16),
        prop::sample::select(vec![
            &b"\n"[..],
            b"\r\n",
            b"{",
            b"}",
            b"[",
            b"]",
            b"\"",
            b"\\",
            b"\\u",
            b"\\ud800",
            b"\0",
            b"null",
            b"1e999",
            b"\xEF\xBB\xBF",
            b"\xFF",
            b",",
            b":",
            b"{}",
            b"-",
            b"\xE2\x80\xA8",
            b"*** Begin Patch\n",
        ])
        .prop_map(<[u8]>::to_vec),
        Just(b"[".repeat(300)),
        Just(b"{\"a\":".repeat(300)),
    ]
}

fn damaged(mut bytes: Vec<u8>, damages: &[Damage]) -> Vec<u8> {
    for damage in damages {
        let length = bytes.len();
        let within = |at: usize| if length == 0 { 0 } else { at % length };
        match damage {
            Damage::Flip(at, byte) => {
                let at = within(*at);
                if let Some(old) = bytes.get_mut(at) {
                    *old ^= byte;
                }
            }
            Damage::Cut(at, cut) => {
                let at = within(*at);
                bytes.drain(at..(at + cut).min(length));
            }
            Damage::Double(at, double) => {
                let at = within(*at);
                let again = bytes[at..(at + double).min(length)].to_vec();
                bytes.splice(at..at, again);
            }
            Damage::Insert(at, piece) => {
                let at = within(*at);
                bytes.splice(at..at, piece.iter().copied());
            }
            Damage::End(at) => bytes.truncate(within(*at)),
        }
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes(bytes in vec(any::<u8>(), 0..2048)) {
        survives(&bytes);
    }

    #[test]
    fn pieces_of_json(pieces in vec(piece(), 0..64)) {
        survives(&pieces.concat());
    }

    #[test]
    fn shuffled_and_damaged_records(
        picks in vec(any::<prop::sample::Index>(), 1..24),
        damages in vec(damage(), 0..6),
    ) {
        let lines: Vec<&[u8]> = picks.iter().map(|pick| pick.get(&LINES).as_slice()).collect();
        survives(&damaged(lines.join(&b'\n'), &damages));
    }

    #[test]
    fn neighbouring_records_damaged(
        from in any::<prop::sample::Index>(),
        count in 1_usize..40,
        damages in vec(damage(), 1..4),
    ) {
        let from = from.index(LINES.len());
        let lines = &LINES[from..(from + count).min(LINES.len())];
        survives(&damaged(lines.join(&b'\n'), &damages));
    }

    #[test]
    fn any_command_is_read(command in "\\PC{0,80}|[a-z$(){}<>|&;'\"`\\\\ \n#=*!-]{0,120}") {
        for script in [shell::read(&command), shell::read_powershell(&command)] {
            for simple in &script.commands {
                prop_assert!(simple.span.start <= simple.span.end && simple.span.end <= command.len());
            }
        }
    }

    #[test]
    fn any_prose_is_read(text in "\\PC{0,120}|[a-zA-Z0-9.!?,:;`*_#>()|\\[\\]\n \\-]{0,200}") {
        let prose = Prose::read(&text);
        for sentence in prose.sentences() {
            prop_assert!(text.get(sentence.range.clone()).is_some());
        }
    }
}
