//! What stands for a private value: of its shape, and with a number instead of what it told.

use super::random::is_hex_id;

/// The `number`th UUID: its first digits, by which people call it, tell the number too. Each part has a
/// letter in front where a version's digit does not stand, so that none is taken for a number.
pub(super) fn uuid(number: usize) -> Vec<u8> {
    format!("d{number:07x}-deed-4eed-8eed-deed{number:08x}").into_bytes()
}

/// An id of the same length: its vendor's prefix and the letter before its tail stay, for clients
/// tell kinds of ids by them. Of an id that is made of words nothing but the first letter stays, and a
/// `_` where it has some: a text that spells it is read as one that spells a name of code.
pub(super) fn id(value: &[u8], number: usize) -> Vec<u8> {
    let words = !is_hex_id(value);
    let joint = value.iter().rposition(|b| matches!(b, b'_' | b'-'));
    let joint = joint.filter(|at| value.len() - at > 6 && !words);
    let head = joint.map_or(0, |at| at + 1);
    let tail = &value[head..];
    let inner = value.get(1..value.len().saturating_sub(1)).unwrap_or(b"");
    let coded = words && value.len() > 4 && inner.contains(&b'_');
    let first = match tail.first() {
        Some(first) if first.is_ascii_alphabetic() => *first,
        _ if tail.iter().all(u8::is_ascii_hexdigit) => b'd',
        _ => b'x',
    };
    let width = tail.len().saturating_sub(if coded { 3 } else { 1 });
    let mut out = value[..head].to_vec();
    if coded {
        out.extend([first, b'_']);
    }
    out.push(first);
    out.extend(format!("{number:0width$}").bytes());
    out
}

/// The `number`th host.
pub(super) fn host(number: usize) -> Vec<u8> {
    format!("host{number}").into_bytes()
}

/// The `number`th address.
pub(super) fn email(number: usize) -> Vec<u8> {
    format!("person{number}@example.com").into_bytes()
}

/// A secret of the same length and of the same kinds of characters.
pub(super) fn filled(value: &[u8], number: usize) -> Vec<u8> {
    let mut out: Vec<u8> = value
        .iter()
        .map(|b| match b {
            b'0'..=b'9' => b'0',
            b'A'..=b'Z' => b'A',
            b'a'..=b'z' => b'a',
            other if other.is_ascii_punctuation() => *other,
            _ => b'x',
        })
        .collect();
    // A scheme and its slashes stay, and so does the sign before the host.
    let mut rest = number;
    for byte in out.iter_mut().rev().filter(|b| b.is_ascii_alphanumeric()) {
        *byte = b'0' + u8::try_from(rest % 10).unwrap_or(0);
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_for_a_value_has_its_shape() {
        let told = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        assert_eq!(told(uuid(19)), "d0000013-deed-4eed-8eed-deed00000013");
        assert_eq!(
            told(id(b"toolu_01A09q90qw90lq917835lq9", 7)),
            "toolu_x0000000000000000000007"
        );
        assert_eq!(told(id(b"a34e15671af38feda", 2)), "a0000000000000002");
        assert_eq!(told(id(b"d66418", 3)), "d00003");
        assert_eq!(told(id(b"ses_stage0_large", 4)), "s_s0000000000004");
        assert_eq!(told(id(b"demo-lineage-parent", 5)), "d000000000000000005");
        assert_eq!(told(filled(b"AbC9-x_Q7", 12)), "AaA0-a_12");
        assert_eq!(told(filled(b"://bob:pw@", 1)), "://aaa:a1@");
    }
}
