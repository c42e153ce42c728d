//! Whether a word is one, or made by a machine.

/// The least length of a tail that is told to be random by itself.
const LONG: usize = 16;
/// The least length of the value under an id's key.
const SHORT: usize = 6;

/// Whether the kind of character changes as often as only a machine changes it. Names of code begin
/// their words with capitals, so that a capital and its small letters are no change where three of
/// ten are asked for; ids of mixed case have so many of those that four of ten count them all.
pub(super) fn is_mixed(word: &[u8]) -> bool {
    let (changes, capitals) = changes(word);
    changes * 10 >= word.len() * 3 || (changes + capitals) * 10 >= word.len() * 4
}

/// How often the kind of character changes from one to the next, and besides that how often a
/// capital is followed by a small letter.
fn changes(word: &[u8]) -> (usize, usize) {
    let class = |b: &u8| match b {
        b'0'..=b'9' => 0,
        b'a'..=b'z' => 1,
        b'A'..=b'Z' => 2,
        _ => 3,
    };
    let mut found = (0, 0);
    for pair in word.windows(2) {
        if pair[0].is_ascii_uppercase() && pair[1].is_ascii_lowercase() {
            found.1 += 1;
        } else if class(&pair[0]) != class(&pair[1]) {
            found.0 += 1;
        }
    }
    found
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
    hex || number || is_mixed(tail)
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

/// What a key of ids says of its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    /// Of sessions and threads: every value is somebody's.
    Session,
    /// Of agents and requests: every value is one, but a name without a digit is a word as well.
    Agent,
    /// Of calls: clients count them in short words.
    Call,
    /// Another one.
    Other,
}

impl Key {
    /// The kind of a key by its name.
    pub(super) fn of(key: &[u8]) -> Self {
        let small: Vec<u8> = key
            .iter()
            .filter(|byte| byte.is_ascii_alphanumeric())
            .map(u8::to_ascii_lowercase)
            .collect();
        let has = |words: &[&str]| {
            let mut words = words.iter();
            words.any(|word| memchr::memmem::find(&small, word.as_bytes()).is_some())
        };
        if has(&["session", "thread", "conversation"]) {
            Self::Session
        } else if has(&["agent", "request"]) {
            Self::Agent
        } else if has(&["call", "tooluse"]) {
            Self::Call
        } else {
            Self::Other
        }
    }

    /// Whether a value that looks like a word is an id under this key.
    pub(super) fn tells(self, value: &[u8]) -> bool {
        match self {
            Self::Session | Self::Agent => true,
            Self::Call => self.spreads(value),
            Self::Other => false,
        }
    }

    /// Whether such an id is replaced wherever it stands, rather than under keys of ids and in names of
    /// files only: where it is long enough, and no word of a language.
    pub(super) fn spreads(self, value: &[u8]) -> bool {
        let digit = value.iter().any(u8::is_ascii_digit);
        // Names of fields have one, as `thread_id`, and more of them only before their `id`.
        let joints = value.iter().filter(|b| matches!(b, b'_' | b'-')).count();
        let joint = joints > 1 && !value.to_ascii_lowercase().ends_with(b"id");
        let letters = value.iter().any(u8::is_ascii_alphabetic);
        let long = value.len() >= LONG / 2 && letters;
        match self {
            Self::Session => long && (digit || joint) || is_hex_word(value),
            Self::Agent => long && digit || is_hex_word(value),
            Self::Call => long && digit || is_drawn(value),
            Self::Other => false,
        }
    }
}

/// Whether a value ends in so many letters of both cases that somebody drew them.
pub(super) fn is_drawn(value: &[u8]) -> bool {
    let joint = value.iter().rposition(|b| matches!(b, b'_' | b'-'));
    let tail = joint.map_or(value, |at| &value[at + 1..]);
    let upper = tail.iter().filter(|b| b.is_ascii_uppercase()).count();
    tail.len() >= LONG
        && tail.iter().all(u8::is_ascii_alphanumeric)
        && upper * 5 >= tail.len()
        && upper * 5 <= tail.len() * 4
}

/// Whether a value is of the hexadecimal letters alone, as one in a hundred short digests is.
pub(super) fn is_hex_word(value: &[u8]) -> bool {
    value.len() > SHORT && value.iter().all(|b| matches!(b, b'a'..=b'f'))
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
            "011CV8zYcNq9vQXe7p2wT4uJ",
            "iyqIHMPa5pyilfwQbggwJi2b",
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

    #[test]
    fn a_key_tells_what_its_values_are() {
        for (key, value, tells, spreads) in [
            ("sessionId", "ses_stage0_large", true, true),
            ("parent_thread_id", "demo-lineage-parent", true, true),
            ("session_id", "main", true, false),
            ("threadId", "parent_thread_id", true, false),
            ("agentId", "abadced", true, true),
            ("agent_id", "code-reviewer", true, false),
            ("agentId", "agent-001", true, true),
            ("requestId", "req_stage0", true, true),
            ("toolUseId", "t1", false, false),
            ("call_id", "call_exec_command_1", true, true),
            ("call_id", "call_LcFqdbWwqBNTWUgxnLShkxLB", true, true),
            ("call_id", "call_implementation_of", false, false),
            ("parentId", "openclaw-stage0-drift", false, false),
        ] {
            let kind = Key::of(key.as_bytes());
            let value = value.as_bytes();
            assert_eq!(
                (kind.tells(value), kind.spreads(value)),
                (tells, spreads),
                "{key}"
            );
        }
    }
}
