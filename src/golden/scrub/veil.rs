//! What the scanners read besides the bytes themselves: the same bytes with escapes blanked out, so
//! that the `n` of `\n` is no letter of the word behind it. Positions stay what they were.

/// Spells out, as themselves, characters beyond ASCII that are written `\uXXXX`, so that a name such
/// as `Jürgen` is one word. The text stands for the same value. Half of a pair is left as it is.
pub(super) fn spelt_out(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(next) = memchr::memchr(b'\\', &bytes[at..]) {
        let slash = at + next;
        out.extend_from_slice(&bytes[at..slash]);
        // An even number of backslashes stands for themselves.
        let run = run_of(bytes, slash, b'\\');
        out.extend_from_slice(&bytes[slash..slash + run - 1]);
        let last = slash + run - 1;
        match wide(bytes, last).filter(|_| run % 2 == 1) {
            Some((c, length)) => {
                let mut buffer = [0; 4];
                out.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes());
                at = last + length;
            }
            None => {
                out.push(b'\\');
                at = last + 1;
            }
        }
    }
    out.extend_from_slice(&bytes[at..]);
    out
}

/// How often a byte repeats.
pub(super) fn run_of(bytes: &[u8], at: usize, byte: u8) -> usize {
    bytes[at..].iter().take_while(|b| **b == byte).count()
}

fn wide(bytes: &[u8], at: usize) -> Option<(char, usize)> {
    let unit = |at: usize| -> Option<u32> {
        let rest = bytes.get(at..at + 6)?;
        let digits = rest.strip_prefix(b"\\u")?;
        digits.iter().try_fold(0_u32, |sum, byte| {
            Some(sum << 4 | char::from(*byte).to_digit(16)?)
        })
    };
    let high = unit(at)?;
    if (0xd800..0xdc00).contains(&high) {
        let low = unit(at + 6).filter(|low| (0xdc00..0xe000).contains(low))?;
        let code = 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00);
        return Some((char::from_u32(code)?, 12));
    }
    // Line separators and invisible characters are left, for they are no part of a name.
    let c = char::from_u32(high).filter(|c| *c >= '\u{a0}' && c.is_alphanumeric())?;
    Some((c, 6))
}

/// The bytes with escapes, and the colours of a terminal, blanked out.
pub(super) fn veil(bytes: &[u8]) -> Vec<u8> {
    let mut out = bytes.to_vec();
    for at in memchr::memchr_iter(b'\\', bytes) {
        match bytes.get(at + 1) {
            Some(b'n' | b't' | b'r' | b'b' | b'f') => out[at..at + 2].fill(b' '),
            Some(b'u' | b'x') => {
                let digits = if bytes[at + 1] == b'u' { 4 } else { 2 };
                let hex = bytes.get(at + 2..at + 2 + digits);
                if hex.is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)) {
                    let end = at + 2 + digits;
                    let colour = colour(bytes, end);
                    out[at..end + colour].fill(b' ');
                }
            }
            _ => {}
        }
    }
    out
}

/// The length of `[0;31m` and its like.
fn colour(bytes: &[u8], at: usize) -> usize {
    if bytes.get(at) != Some(&b'[') {
        return 0;
    }
    let rest = &bytes[at + 1..bytes.len().min(at + 17)];
    let digits = rest
        .iter()
        .take_while(|b| b.is_ascii_digit() || **b == b';')
        .count();
    match rest.get(digits) {
        Some(b'm' | b'K' | b'J' | b'H') => digits + 2,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_spelt_out_where_they_are_escaped_once() {
        let told = |text: &str| String::from_utf8(spelt_out(text.as_bytes())).unwrap();
        assert_eq!(told(r"J\u00fcrgen \\u00fc \n"), r"Jürgen \\u00fc \n");
        assert_eq!(told(r"\ud835\udc9c \ud83d \u0041\"), r"𝒜 \ud83d \u0041\");
    }

    #[test]
    fn escapes_are_blank_and_nothing_moves() {
        let text = r#"a\nb \u001b[0;31mred \"q\" C:\\x"#;
        let veiled = String::from_utf8(veil(text.as_bytes())).unwrap();
        assert_eq!(veiled.len(), text.len());
        assert_eq!(veiled, r#"a  b             red \"q\" C:\\x"#);
    }
}
