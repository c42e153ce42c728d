//! How much an assertion asks, and what changed between two of them.

use std::collections::BTreeSet;

use super::finding::Reason;
use super::mark::{blanked, tokens};

/// How much an assertion asks, weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// It always holds.
    Nothing,
    /// Something is there, or is true.
    Presence,
    /// A part, a bound, a type.
    Part,
    /// A value.
    Value,
}

const NOTHING: [&str; 13] = [
    "assert True",
    "assert 1 == 1",
    "assertTrue(True)",
    "assertTrue(true)",
    "assert!(true",
    "expect(true).toBe(true)",
    "expect(true).toBeTruthy(",
    "expect(true).toEqual(true)",
    "assert.True(t, true",
    "assert.ok(true",
    "or True",
    "|| true",
    "assertTrue(1",
];

const PRESENCE: [&str; 32] = [
    "is not None",
    "assertIsNotNone(",
    "assertNotNull(",
    "toBeTruthy(",
    "toBeDefined(",
    "not.toBeNull(",
    "not.toBeUndefined(",
    "not.toThrow(",
    ".NotNil(",
    ".NotEmpty(",
    "is_ok()",
    "is_some()",
    "isNotNull(",
    "isNotEmpty(",
    "toBeNotNull(",
    "to.exist",
    "to.be.ok",
    "assertNotEmpty(",
    "notNull(",
    ".is_ok(",
    ".NotZero(",
    "expect.anything()",
    "IsNotNull(",
    "IsNotEmpty(",
    "assert_not_nil",
    "assert_present",
    "be_truthy",
    "be_present",
    "XCTAssertNotNil",
    "toBeInTheDocument(",
    "!= nil",
    "!= null",
];

const PART: [&str; 46] = [
    " in ",
    "!=",
    ">=",
    "<=",
    " > ",
    " < ",
    "assertIn(",
    "assertNotIn(",
    "toContain(",
    "toContainEqual(",
    "toMatch(",
    "toMatchObject(",
    ".Contains(",
    "assertGreater",
    "assertLess",
    "toBeGreaterThan",
    "toBeLessThan",
    "expect.any(",
    "objectContaining(",
    "arrayContaining(",
    "stringContaining(",
    "stringMatching(",
    "startswith(",
    "endswith(",
    "starts_with(",
    "ends_with(",
    "approx(",
    "toBeCloseTo(",
    "isinstance(",
    "toBeInstanceOf(",
    "assert_ne!",
    "matches!(",
    ".contains(",
    ".includes(",
    "NotEqual",
    "assertAlmostEqual",
    "InDelta(",
    "toHaveProperty(",
    "assertRegex(",
    "re.match(",
    "re.search(",
    "to.include(",
    "assertContains(",
    ".any(",
    "any(",
    "hasattr(",
];

const VALUE: [&str; 31] = [
    "==",
    ".toBe(",
    ".toEqual(",
    "toStrictEqual(",
    "assertEqual",
    "assertEquals",
    "assert_eq",
    "assert.equal",
    "deepEqual",
    "DeepEqual",
    "strictEqual",
    ".Equal(",
    ".Equals(",
    "EXPECT_EQ",
    "ASSERT_EQ",
    "isEqualTo(",
    "toHaveLength(",
    "XCTAssertEqual",
    "assertListEqual",
    "assertDictEqual",
    "assertSame(",
    "AreEqual(",
    "to.equal(",
    "to.eql(",
    "toHaveBeenCalledWith(",
    "toHaveBeenCalledTimes(",
    "assert_called_once_with",
    "assert_called_with",
    "toThrow(",
    "assertRaises",
    "pytest.raises(",
];

/// How much a line asks.
pub(super) fn strength(line: &str) -> Strength {
    let plain = blanked(line);
    let has = |marks: &[&str]| marks.iter().any(|mark| plain.contains(mark));
    let constant = NOTHING.iter().any(|mark| {
        plain.match_indices(mark).any(|(at, _)| {
            let rest = plain[at + mark.len()..].trim_start();
            rest.is_empty() || rest.starts_with([',', ')', ';', '#', '/', ' ', '\\'])
        })
    });
    if constant {
        Strength::Nothing
    } else if has(&[
        "expect.any(",
        "expect.anything()",
        "objectContaining(",
        "arrayContaining(",
    ]) {
        Strength::Part
    } else if has(&VALUE) && !has(&["!==", "not.toBe(", "not.toEqual("]) {
        Strength::Value
    } else if has(&PRESENCE) {
        Strength::Presence
    } else if has(&PART) {
        Strength::Part
    } else if bare(&plain) {
        Strength::Presence
    } else {
        Strength::Part
    }
}

/// `assert x`, `assertTrue(x)`, `assert!(x)`, `assert.ok(x)`: nothing is compared.
fn bare(plain: &str) -> bool {
    let plain = plain.trim_start();
    let heads = [
        "assert ",
        "assert(",
        "self.assertTrue(",
        "assertTrue(",
        "assert!(",
        "assert.ok(",
        "assert.True(",
        "require.True(",
    ];
    heads.iter().any(|head| plain.starts_with(head))
}

/// Words of assertion libraries, which say nothing of what is asserted.
const FRAMEWORK: [&str; 46] = [
    "assert",
    "expect",
    "self",
    "t",
    "toBe",
    "toEqual",
    "toStrictEqual",
    "toBeTruthy",
    "toBeDefined",
    "not",
    "is",
    "None",
    "in",
    "True",
    "False",
    "true",
    "false",
    "null",
    "nil",
    "undefined",
    "assertEqual",
    "assertIn",
    "assertTrue",
    "assertIsNotNone",
    "require",
    "Equal",
    "NotNil",
    "Contains",
    "await",
    "toContain",
    "toMatch",
    "toMatchObject",
    "any",
    "anything",
    "Object",
    "String",
    "Number",
    "assert_eq",
    "ok",
    "len",
    "and",
    "or",
    "length",
    "NoError",
    "assertEquals",
    "assertNotNull",
];

/// The names that an assertion is about.
fn subjects(plain: &str) -> BTreeSet<&str> {
    tokens(plain)
        .filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
        .filter(|word| !FRAMEWORK.contains(word))
        .collect()
}

/// Whether two assertions are about the same thing.
pub(super) fn related(old: &str, new: &str) -> bool {
    let (old, new) = (blanked(old), blanked(new));
    let old = subjects(&old);
    let new = subjects(&new);
    let shared = old.intersection(&new).count();
    shared > 0 && shared * 2 >= old.len().min(new.len())
}

/// What makes the new assertion ask less than the old one.
pub(super) fn loosened(old: &str, new: &str) -> Option<Reason> {
    let (before, after) = (strength(old), strength(new));
    if after == Strength::Nothing && before > Strength::Nothing {
        return Some(Reason::AlwaysTrue);
    }
    if !related(old, new) {
        return None;
    }
    if widened(old, new) {
        return Some(Reason::ToleranceWidened);
    }
    (before == Strength::Value && after < before
        || before == Strength::Part && after == Strength::Presence)
        .then_some(Reason::Loosened)
}

/// A number as written, for comparing without floats.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Decimal {
    digits: String,
    /// Digits before the point.
    scale: i64,
}

impl Decimal {
    fn parse(text: &str) -> Option<Self> {
        let text = text.replace('_', "").to_ascii_lowercase();
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let exponent: i64 = exponent.parse().ok().filter(|e: &i64| e.abs() < 10_000)?;
        let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let plain =
            !mantissa.is_empty() && mantissa.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        if !plain || part.contains('.') {
            return None;
        }
        let all = format!("{whole}{part}");
        let lead = all.bytes().take_while(|b| *b == b'0').count();
        let digits = all[lead..].trim_end_matches('0').to_owned();
        let scale = i64::try_from(whole.len()).ok()? - i64::try_from(lead).ok()? + exponent;
        Some(Self { digits, scale })
    }

    fn above(&self, other: &Self) -> bool {
        match (self.digits.is_empty(), other.digits.is_empty()) {
            (true, _) => false,
            (false, true) => true,
            (false, false) => (self.scale, &self.digits) > (other.scale, &other.digits),
        }
    }
}

/// The numbers of a line, and the line with a mark in the place of each.
fn numbers(plain: &str) -> (Vec<&str>, String) {
    let mut found = Vec::new();
    let mut frame = String::with_capacity(plain.len());
    let bytes = plain.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let inside = at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_');
        if bytes[at].is_ascii_digit() && !inside {
            let mut end = at;
            while end < bytes.len() {
                let sign = matches!(bytes[end], b'-' | b'+')
                    && end > at
                    && matches!(bytes[end - 1], b'e' | b'E');
                if !(bytes[end].is_ascii_digit()
                    || matches!(bytes[end], b'.' | b'_' | b'e' | b'E')
                    || sign)
                {
                    break;
                }
                end += 1;
            }
            found.push(plain[at..end].trim_end_matches('.'));
            frame.push('#');
            at = end;
        } else {
            let length = plain[at..].chars().next().map_or(1, char::len_utf8);
            frame.push_str(&plain[at..at + length]);
            at += length;
        }
    }
    (found, frame)
}

/// Whether a number stands where a bigger one allows more (or a smaller one, for `true`).
fn bound(before: &str) -> Option<bool> {
    let head = before.trim_end_matches(|c: char| c == '#' || c.is_whitespace());
    const MORE: [&str; 18] = [
        "<",
        "<=",
        "abs=",
        "rel=",
        "abs =",
        "rel =",
        "delta=",
        "delta =",
        "atol=",
        "rtol=",
        "epsilon =",
        "tolerance=",
        "tolerance =",
        "toBeLessThan(",
        "toBeLessThanOrEqual(",
        "timeout=",
        "epsilon=",
        "tol=",
    ];
    const LESS: [&str; 9] = [
        ">",
        ">=",
        "places=",
        "decimal=",
        "toBeGreaterThan(",
        "toBeGreaterThanOrEqual(",
        "places =",
        "decimal =",
        "digits=",
    ];
    if head.ends_with("=>") || head.ends_with("->") {
        return None;
    }
    if LESS.iter().any(|mark| head.ends_with(mark)) {
        return Some(true);
    }
    if MORE.iter().any(|mark| head.ends_with(mark)) {
        return Some(false);
    }
    // The last argument of such calls is the number of digits, or the distance.
    if head.ends_with(',') {
        if head.contains("toBeCloseTo(") {
            return Some(true);
        }
        if [
            "assertLess(",
            "assertLessEqual(",
            "InDelta(",
            "InEpsilon(",
            "assertLessThan(",
        ]
        .iter()
        .any(|call| head.contains(call))
        {
            return Some(false);
        }
        if [
            "assertGreater(",
            "assertGreaterEqual(",
            "assertAlmostEqual(",
        ]
        .iter()
        .any(|call| head.contains(call))
        {
            return Some(true);
        }
    }
    None
}

/// Whether two lines differ in a tolerance or bound only, and the new one allows more.
fn widened(old: &str, new: &str) -> bool {
    let (old, new) = (blanked(old), blanked(new));
    let ((before, frame), (after, other)) = (numbers(&old), numbers(&new));
    if frame.trim() != other.trim() || before.len() != after.len() {
        return added_tolerance(&old, &new);
    }
    let mut heads = Vec::new();
    let mut from = 0;
    for (at, _) in frame.match_indices('#') {
        heads.push(&frame[..at]);
        from = at;
    }
    let _ = from;
    let changed: Vec<usize> = (0..before.len())
        .filter(|at| before[*at] != after[*at])
        .collect();
    let [at] = changed.as_slice() else {
        return false;
    };
    let (Some(old), Some(new)) = (Decimal::parse(before[*at]), Decimal::parse(after[*at])) else {
        return false;
    };
    match heads.get(*at).and_then(|head| bound(head)) {
        Some(true) => old.above(&new),
        Some(false) => new.above(&old),
        None => false,
    }
}

/// An equality that became one within a tolerance.
fn added_tolerance(old: &str, new: &str) -> bool {
    const NEAR: [&str; 8] = [
        "approx(",
        "toBeCloseTo(",
        "assertAlmostEqual",
        "InDelta(",
        "isclose(",
        "allclose(",
        "within(",
        "closeTo(",
    ];
    let near = |text: &str| NEAR.iter().any(|mark| text.contains(mark));
    near(new) && !near(old) && strength(old) == Strength::Value
}

/// The literals of a line: contents of quotes, and numbers, with the line in which a mark stands
/// for each.
fn literals(line: &str) -> (Vec<String>, String) {
    let plain = blanked(line);
    let mut found = Vec::new();
    let mut frame = String::new();
    // Quotes stay in the blanked line, so contents are found by walking both.
    let mut rest = line;
    let mut open: Option<char> = None;
    for c in plain.chars() {
        if matches!(c, '"' | '\'' | '`') {
            let Some(at) = rest.find(c) else { break };
            if open == Some(c) {
                found.push((frame.len(), rest[..at].to_owned()));
                open = None;
            } else if open.is_none() && rest[at + c.len_utf8()..].contains(c) {
                open = Some(c);
            }
            rest = &rest[at + c.len_utf8()..];
        }
        frame.push(c);
    }
    let (numbers, marked) = numbers(&frame);
    let mut all: Vec<String> = found.into_iter().map(|(_, text)| text).collect();
    all.extend(numbers.into_iter().map(str::to_owned));
    (all, marked.split_whitespace().collect())
}

/// The values that a line holds: contents of quotes, and numbers.
pub(super) fn values(line: &str) -> Vec<String> {
    literals(line).0
}

/// The one literal that differs between two lines that are else alike.
pub(super) fn swapped(old: &str, new: &str) -> Option<(String, String)> {
    let ((before, frame), (after, other)) = (literals(old), literals(new));
    if frame != other || before.len() != after.len() {
        return words_swapped(old, new);
    }
    let mut differ = before.into_iter().zip(after).filter(|(a, b)| a != b);
    let pair = differ.next()?;
    differ.next().is_none().then_some(pair)
}

/// `True` for `False`, `null` for `0` and the like.
fn words_swapped(old: &str, new: &str) -> Option<(String, String)> {
    const CONSTANT: [&str; 8] = [
        "True",
        "False",
        "true",
        "false",
        "None",
        "null",
        "nil",
        "undefined",
    ];
    let (old, new) = (blanked(old), blanked(new));
    let (before, after): (Vec<&str>, Vec<&str>) = (tokens(&old).collect(), tokens(&new).collect());
    if before.len() != after.len() {
        return None;
    }
    let mut differ = before.iter().zip(&after).filter(|(a, b)| a != b);
    let (old, new) = differ.next()?;
    let constant = CONSTANT.contains(old) && CONSTANT.contains(new);
    (constant && differ.next().is_none()).then(|| ((*old).to_owned(), (*new).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assertions_are_ranked_by_what_they_ask() {
        for (line, rank) in [
            ("assert True", Strength::Nothing),
            ("assert!(true);", Strength::Nothing),
            ("expect(true).toBe(true);", Strength::Nothing),
            ("assert result", Strength::Presence),
            ("expect(x).toBeTruthy();", Strength::Presence),
            ("assert 'a' in result", Strength::Part),
            ("expect(x).toContain('a == b')", Strength::Part),
            ("assert result == {'a': 1}", Strength::Value),
            ("self.assertTrue(x == 5)", Strength::Value),
            ("assert_eq!(a, b);", Strength::Value),
        ] {
            assert_eq!(strength(line), rank, "{line}");
        }
    }

    #[test]
    fn only_asking_less_is_loosening() {
        let cases = [
            (
                "assert total == 12",
                "assert total is not None",
                Some(Reason::Loosened),
            ),
            (
                "assert total == 12",
                "assert True",
                Some(Reason::AlwaysTrue),
            ),
            (
                "expect(out).toEqual({a: 1})",
                "expect(out).toBeDefined()",
                Some(Reason::Loosened),
            ),
            (
                "assert abs(x - 1) < 1e-6",
                "assert abs(x - 1) < 0.5",
                Some(Reason::ToleranceWidened),
            ),
            (
                "assert x == approx(1.0, abs=1e-6)",
                "assert x == approx(1.0, abs=0.1)",
                Some(Reason::ToleranceWidened),
            ),
            (
                "expect(x).toBeCloseTo(1.25, 5)",
                "expect(x).toBeCloseTo(1.25, 1)",
                Some(Reason::ToleranceWidened),
            ),
            ("assert total == 12", "assert total == 13", None),
            ("assert total is not None", "assert total == 12", None),
            ("assert a == 1", "assert other is not None", None),
            ("assert x < 0.5", "assert x < 0.1", None),
            (
                "assert n >= 3",
                "assert n >= 1",
                Some(Reason::ToleranceWidened),
            ),
        ];
        for (old, new, reason) in cases {
            assert_eq!(loosened(old, new), reason, "{old} / {new}");
        }
    }

    #[test]
    fn one_literal_is_swapped() {
        assert_eq!(
            swapped("assert f(2) == 5", "assert f(2) == 7"),
            Some(("5".into(), "7".into()))
        );
        assert_eq!(
            swapped("expect(g()).toBe('old');", "expect(g()).toBe('new text');"),
            Some(("old".into(), "new text".into()))
        );
        assert_eq!(swapped("assert f(2) == 5", "assert f(3) == 7"), None);
        assert_eq!(swapped("assert f(2) == 5", "assert h(2) == 7"), None);
        assert_eq!(
            swapped("assert ok() is True", "assert ok() is False"),
            Some(("True".into(), "False".into()))
        );
    }

    #[test]
    fn decimals_compare_without_floats() {
        let above = |a: &str, b: &str| {
            Decimal::parse(a)
                .unwrap()
                .above(&Decimal::parse(b).unwrap())
        };
        assert!(above("0.5", "1e-6") && above("100", "99.9") && above("1e3", "999"));
        assert!(!above("0.10", "0.1") && !above("0", "0.1"));
    }
}
