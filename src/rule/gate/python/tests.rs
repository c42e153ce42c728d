use sha2::{Digest as _, Sha256};

use super::*;

/// Word characters here that Python 3.11 does not know: assigned in Unicode 15.0 to 16.0.
const NEWER_WORD: [(u32, u32); 43] = [
    (0x1c89, 0x1c8a),
    (0xa7cb, 0xa7cd),
    (0xa7da, 0xa7dc),
    (0x105c0, 0x105f3),
    (0x10d40, 0x10d65),
    (0x10d6f, 0x10d85),
    (0x10ec2, 0x10ec4),
    (0x1123f, 0x11240),
    (0x11380, 0x11389),
    (0x1138b, 0x1138b),
    (0x1138e, 0x1138e),
    (0x11390, 0x113b5),
    (0x113b7, 0x113b7),
    (0x113d1, 0x113d1),
    (0x113d3, 0x113d3),
    (0x116d0, 0x116e3),
    (0x11bc0, 0x11be0),
    (0x11bf0, 0x11bf9),
    (0x11f02, 0x11f02),
    (0x11f04, 0x11f10),
    (0x11f12, 0x11f33),
    (0x11f50, 0x11f59),
    (0x1342f, 0x1342f),
    (0x13441, 0x13446),
    (0x13460, 0x143fa),
    (0x16100, 0x1611d),
    (0x16130, 0x16139),
    (0x16d40, 0x16d6c),
    (0x16d70, 0x16d79),
    (0x18cff, 0x18cff),
    (0x1b132, 0x1b132),
    (0x1b155, 0x1b155),
    (0x1ccf0, 0x1ccf9),
    (0x1d2c0, 0x1d2d3),
    (0x1df25, 0x1df2a),
    (0x1e030, 0x1e06d),
    (0x1e4d0, 0x1e4eb),
    (0x1e4f0, 0x1e4f9),
    (0x1e5d0, 0x1e5ed),
    (0x1e5f0, 0x1e5fa),
    (0x2b739, 0x2b739),
    (0x2ebf0, 0x2ee5d),
    (0x31350, 0x323af),
];

/// The digits among them.
const NEWER_DIGIT: [(u32, u32); 9] = [
    (0x10d40, 0x10d49),
    (0x116d0, 0x116e3),
    (0x11bf0, 0x11bf9),
    (0x11f50, 0x11f59),
    (0x16130, 0x16139),
    (0x16d70, 0x16d79),
    (0x1ccf0, 0x1ccf9),
    (0x1e4f0, 0x1e4f9),
    (0x1e5f1, 0x1e5fa),
];

/// How many code points the class holds and the SHA-256 over one `0` or `1` for each code point
/// but the surrogates, with the newer ones counted as outside.
fn digest(class: fn(char) -> bool, newer: &[(u32, u32)]) -> (usize, String) {
    let is_newer = |c| newer.iter().any(|&(a, b)| (a..=b).contains(&u32::from(c)));
    let bits: Vec<u8> = ('\0'..=char::MAX)
        .map(|c| if class(c) && !is_newer(c) { b'1' } else { b'0' })
        .collect();
    let count = bits.iter().filter(|&&b| b == b'1').count();
    let hex = Sha256::digest(&bits)
        .into_iter()
        .map(|b| format!("{b:02x}"));
    (count, hex.collect())
}

/// The digests were computed with `re` of Python 3.11.7 over all code points. A failure after an
/// update of the category crate means newer Unicode tables: list the new ranges above.
#[test]
fn classes_are_pythons_for_every_code_point() {
    let of = |count, hex: &str| (count, hex.to_owned());
    assert_eq!(
        digest(is_py_word, &NEWER_WORD),
        of(
            133_548,
            "75d93f8da75f01afa6ef08092878a7a9277ef123595ee42cae019636279297ff"
        )
    );
    assert_eq!(
        digest(is_py_digit, &NEWER_DIGIT),
        of(
            660,
            "493f65fd6328933d4699206651507199006a7085677e0eb1fbcec0603980c96a"
        )
    );
    assert_eq!(
        digest(is_py_space, &[]),
        of(
            29,
            "c288835013403941e55c84f9c3f66ba0c3c11f80bd5745e95622db8c61d3bf81"
        )
    );
}

#[test]
fn the_classes_differ_from_rusts_where_python_does() {
    assert!(is_py_word('²') && is_py_word('½') && is_py_word('Ⅳ'));
    assert!(!is_py_word('\u{301}') && !is_py_word('\u{203f}') && !is_py_word('\u{200d}'));
    assert!(is_py_digit('٣') && !is_py_digit('²'));
    assert!(is_py_space('\u{1c}') && is_py_space('\u{85}') && !is_py_space('\u{180e}'));
}

#[test]
fn identifiers_are_maximal_runs() {
    let of = |args, result| {
        extract_identifiers(args, result)
            .into_iter()
            .collect::<Vec<_>>()
    };
    assert_eq!(of("file.", "txt"), ["file.", "txt"]);
    assert_eq!(of("C:\\dir\\f.txt", ""), ["C", "dir", "f.txt"]);
    assert_eq!(of("`a-b/c_d.e` x:3", "x"), ["3", "a-b/c_d.e", "x"]);
    assert_eq!(of("e\u{301}cole", ""), ["cole", "e"]);
    assert!(of(" \n", "()").is_empty());
}
