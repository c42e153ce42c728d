//! How kept records spell keys, digests and what is left out.
//!
//! Keys fill all of their 64 bits, and readers of JSON may turn such a number into a float; digits
//! in base 16 stay what they are.

use std::fmt::Write as _;

use serde::de::Error as _;
use serde::{Deserialize as _, Deserializer};

/// Whether a switch is off, and so not written.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde asks with a reference"
)]
pub(crate) fn is_false(value: &bool) -> bool {
    !*value
}

/// Whether a key stands for none, and so is not written.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde asks with a reference"
)]
pub(crate) fn is_zero(value: &u64) -> bool {
    *value == 0
}

fn spelt(key: u64) -> String {
    format!("{key:016x}")
}

fn read(text: &str) -> Option<u64> {
    let digits = text
        .bytes()
        .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
    (digits && text.len() == 16).then(|| u64::from_str_radix(text, 16).ok())?
}

fn text<'de, D: Deserializer<'de>>(from: D) -> Result<std::borrow::Cow<'de, str>, D::Error> {
    std::borrow::Cow::<'de, str>::deserialize(from)
}

/// A key as sixteen digits.
pub(crate) mod key {
    use serde::{Deserializer, Serializer};

    use super::{read, spelt, text};
    use serde::de::Error as _;

    pub(crate) fn serialize<S: Serializer>(key: &u64, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&spelt(*key))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        read(&text(from)?).ok_or_else(|| D::Error::custom("a key"))
    }
}

/// Keys as sixteen digits each.
pub(crate) mod keys {
    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};

    use super::{read, spelt};

    pub(crate) fn serialize<S: Serializer>(keys: &[u64], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(keys.iter().map(|key| spelt(*key)))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u64>, D::Error> {
        let texts = Vec::<String>::deserialize(from)?;
        let keys: Option<Vec<u64>> = texts.iter().map(|text| read(text)).collect();
        keys.ok_or_else(|| D::Error::custom("a key"))
    }
}

/// A key that may be missing.
pub(crate) mod some_key {
    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};

    use super::{read, spelt};

    pub(crate) fn serialize<S: Serializer>(key: &Option<u64>, to: S) -> Result<S::Ok, S::Error> {
        match key {
            Some(key) => to.serialize_some(&spelt(*key)),
            None => to.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
        match Option::<String>::deserialize(from)? {
            Some(text) => match read(&text) {
                Some(key) => Ok(Some(key)),
                None => Err(D::Error::custom("a key")),
            },
            None => Ok(None),
        }
    }
}

/// A SHA-256 as 64 digits.
pub(crate) mod digest {
    use serde::{Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(digest: &[u8; 32], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&super::digest_text(digest))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<[u8; 32], D::Error> {
        super::digest_of(from)
    }
}

fn digest_text(digest: &[u8; 32]) -> String {
    let mut out = String::with_capacity(64);
    for byte in digest {
        // Writing to a string never fails.
        let _ = write!(out, "{byte:02x}");
    }
    out
}

fn digest_of<'de, D: Deserializer<'de>>(from: D) -> Result<[u8; 32], D::Error> {
    let text = text(from)?;
    let mut digest = [0; 32];
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if pairs.len() != 32 || !rest.is_empty() {
        return Err(D::Error::custom("a digest"));
    }
    for (byte, pair) in digest.iter_mut().zip(pairs) {
        let pair = str::from_utf8(pair).ok();
        let read = pair.and_then(|pair| u8::from_str_radix(pair, 16).ok());
        *byte = read.ok_or_else(|| D::Error::custom("a digest"))?;
    }
    Ok(digest)
}
