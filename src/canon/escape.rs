//! String escapes: minimal, fixed, and safe in a terminal and in a script element's data.

const HEX: &[u8; 16] = b"0123456789abcdef";

/// Appends `text` as a JSON string.
///
/// Beyond what JSON demands, DEL and the C1 controls are escaped (a terminal obeys U+009B as it
/// does ESC `[`), and U+2028 and U+2029 (older JavaScript ends a line at them).
pub(super) fn string(out: &mut Vec<u8>, text: &str) {
    let bytes = text.as_bytes();
    out.reserve(bytes.len() + 2);
    out.push(b'"');
    let mut from = 0;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let (length, code) = match byte {
            b'"' | b'\\' | 0..=0x1f | 0x7f => (1, u16::from(byte)),
            0xc2 => match bytes.get(at + 1) {
                Some(&low @ 0x80..=0x9f) => (2, u16::from(low)),
                _ => (0, 0),
            },
            0xe2 => match bytes.get(at + 1..at + 3) {
                Some([0x80, 0xa8]) => (3, 0x2028),
                Some([0x80, 0xa9]) => (3, 0x2029),
                _ => (0, 0),
            },
            _ => (0, 0),
        };
        if length == 0 {
            at += 1;
            continue;
        }
        out.extend_from_slice(bytes.get(from..at).unwrap_or_default());
        escape(out, code);
        at += length;
        from = at;
    }
    out.extend_from_slice(bytes.get(from..).unwrap_or_default());
    out.push(b'"');
}

fn escape(out: &mut Vec<u8>, code: u16) {
    let short = match code {
        0x22 => b'"',
        0x5c => b'\\',
        0x08 => b'b',
        0x09 => b't',
        0x0a => b'n',
        0x0c => b'f',
        0x0d => b'r',
        _ => {
            out.extend_from_slice(b"\\u");
            for shift in [12, 8, 4, 0] {
                out.push(HEX[usize::from(code >> shift & 0xf)]);
            }
            return;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}
