//! Whether a word is one, or made by a machine.

/// The least length of a tail that is told to be random by itself.
const LONG: usize = 16;
/// The least length of the value under an id's key.
const SHORT: usize = 6;

/// How often the kind of character changes from one to the next; a word that begins with a capital changes nothing.
pub(super) fn transitions(word: &[u8]) -> usize {
    let class = |b: &u8| match b {
        b'0'..=b'9' => 0,
        b'a'..=b'z' => 1,
        b'A'..=b'Z' => 2,
        _ => 3,
    };
    word.windows(2)
        .filter(|pair| {
            let capital = pair[0].is_ascii_uppercase() && pair[1].is_ascii_lowercase();
            !capital && class(&pair[0]) != class(&pair[1])
        })
        .count()
}

/// Whether a tail of letters and digits is no word of a person's: long, mixed, or hexadecimal.
pub(super) fn is_random(tail: &[u8]) -> bool {
    let digits = tail.iter().filter(|b| b.is_ascii_digit()).count();
    // Digests are of content, and commits are known by them.
    if tail.len() < LONG || digits == 0 || matches!(tail.len(), 40 | 64) {
        return false;
    }
    let hex = tail
        .iter()
        .all(|b| b.is_ascii_digit() || matches!(b, b'a'..=b'f'));
    // A number in zeros, as recorders make ids of, is one too.
    let number = digits == tail.len();
    hex || number || transitions(tail) * 10 >= tail.len() * 3
}

/// Whether the value of an id's key is an id that tells something, rather than a word or a number.
pub(super) fn is_hex_id(value: &[u8]) -> bool {
    let joint = value.iter().rposition(|b| matches!(b, b'_' | b'-'));
    let joint = joint.filter(|at| value.len() - at > SHORT);
    let tail = joint.map_or(value, |at| &value[at + 1..]);
    let digit = tail.iter().position(u8::is_ascii_digit);
    let letters = tail.iter().any(u8::is_ascii_alphabetic);
    let Some(first) =
        digit.filter(|_| tail.len() >= SHORT && tail.iter().all(u8::is_ascii_alphanumeric))
    else {
        return false;
    };
    // `step2` and `entry12` are words with a number; `b7x9k2m` is none.
    let within = tail[first..].iter().any(u8::is_ascii_alphabetic);
    let named = joint.is_some() && tail.len() >= 8;
    letters && within || named || letters && tail.iter().all(u8::is_ascii_hexdigit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_from_what_a_machine_made() {
        for id in [
            "01A09q90qw90lq917835lq9",
            "e55a5b729638448fb77ba8fc",
            "0000000000000001",
        ] {
            assert!(is_random(id.as_bytes()), "{id}");
        }
        for word in [
            "Http2ConnectionPool1",
            "implementation",
            "Short1",
            "abcdefghijklmnopqrst",
        ] {
            assert!(!is_random(word.as_bytes()), "{word}");
        }
        for id in [
            "ban21tcwn",
            "d66418",
            "a34e15671af38feda",
            "call_mock00000100",
            "agent-a1b2c3d",
        ] {
            assert!(is_hex_id(id.as_bytes()), "{id}");
        }
        for word in ["bash_1", "stage2", "12345", "main", "item_12", "step-42"] {
            assert!(!is_hex_id(word.as_bytes()), "{word}");
        }
    }
}
