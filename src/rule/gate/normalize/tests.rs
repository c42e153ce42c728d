use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;

mod slow;

/// The patterns of 0.1.0.
const PATTERNS_01: [(&str, &str); 2] = [
    (r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}\S*", "<TS>"),
    (r"\b[0-9a-f]{8,}\b", "<HEX>"),
];

/// The patterns of 0.4.1; `MON` and `DOW` stand for the lists of names.
const PATTERNS_04: [(&str, &str); 12] = [
    (
        r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?(?:[.,]\d+)?(?:Z|[+-]\d{2}:?\d{2})?",
        "<TS>",
    ),
    (
        r"\bMON[ \t]+\d{1,2}[ \t]+\d{1,2}:\d{2}(?::\d{2})?\b",
        "<TS>",
    ),
    (r"\b(?:DOW,?[ \t]+)?\d{1,2}[ \t]+MON[ \t]+\d{4}\b", "<DATE>"),
    (r"\bMON[ \t]+\d{1,2}[ \t]+\d{4}\b", "<DATE>"),
    (r"\b\d{4}[-/]\d{2}[-/]\d{2}\b", "<DATE>"),
    (r"\b\d{1,2}/\d{1,2}/(?:19|20)\d{2}\b", "<DATE>"),
    (
        r"\b\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?\s*[APap]\.?[Mm]\.?\b",
        "<TS>",
    ),
    (r"\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?\b", "<TS>"),
    (
        concat!(
            r"\b\d+\s*(?:ms|s|secs?|seconds|m|mins?|minutes|h|hrs?|hours|",
            r"d|days?|w|wks?|weeks?|mos?|months?|y|yrs?|years?)\s+ago\b"
        ),
        "<REL>",
    ),
    (
        r"\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b",
        "<HEX>",
    ),
    (r"\b0[xX][0-9a-fA-F]{6,}\b", "<HEX>"),
    (r"\b[0-9a-fA-F]{8,}\b", "<HEX>"),
];

fn slowly(patterns: &[(&str, &str)], text: &str) -> String {
    let months = format!("(?:{})", MONTHS.join("|"));
    let days = format!("(?:{})", WEEKDAYS.join("|"));
    patterns
        .iter()
        .fold(text.to_owned(), |text, (pattern, token)| {
            let pattern = pattern.replace("MON", &months).replace("DOW", &days);
            slow::sub(&pattern, token, &text)
        })
}

/// Texts made of what the patterns are made of, so that near misses are frequent.
fn trap() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[0-9]{1,5}",
        2 => "[0-9]{2}",
        3 => "[-:/.,T Z+]",
        1 => "[0-9a-fA-F]{4,13}",
        1 => "(2026|1999)-(01|1)-02[T ]03:04(:05)?([.,][0-9]{1,3})?(Z|\\+01:?00|x)?",
        1 => "(Jan|Jul|Dec|Sept)[ \t]{1,2}[0-9]{1,2}[ \t]{1,2}([0-9]{1,2}:[0-9]{2}(:[0-9]{2})?|[0-9]{4})",
        1 => "((Mon|Sun),?[ \t])?[0-9]{1,2} (May|Jun) [0-9]{4}",
        1 => "[0-9]{1,2}:[0-9]{2}(:[0-9]{2})?([.,][0-9]+)?[ \u{1c}]?([APap]\\.?[Mm]\\.?)?",
        1 => "[0-9]{1,2}/[0-9]{1,2}/(19|20|21)[0-9]{2}",
        1 => "[0-9]{1,2}\\s?(ms|sec|secs|second|mins?|h|days?|mos|years?)\\s(ago|agox)",
        1 => "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{11,12}",
        1 => "0[xX][0-9a-fA-F]{5,8}",
        1 => "[٠-٩०-९]{1,4}",
        1 => "[é²½_xg<>\u{301}\u{1c}\u{85}\u{a0}\t\n日]",
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..10).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn both_versions_are_what_backtracking_gives(text in trap()) {
        prop_assert_eq!(&*normalize_01(&text), slowly(&PATTERNS_01, &text));
        prop_assert_eq!(&*normalize_04(&text), slowly(&PATTERNS_04, &text));
    }
}

#[test]
fn optional_parts_are_dropped_for_a_boundary() {
    for (text, normal) in [
        ("Jul 10 20:47:123", "<TS>:123"),
        ("12:34:56.789abc", "<TS>.789abc"),
        ("9:41 a.m.", "<TS>."),
        ("9:41 a.m.x", "<TS>x"),
        ("9:41 amx", "9:41 amx"),
        ("5 min ago", "<REL>"),
        ("5 min agos", "5 min agos"),
        ("10/12/1024", "10/12/1024"),
        ("0xFF 0xdeadbe", "0xFF <HEX>"),
        ("Thu, 10 Jul 2026 at 16:9", "<DATE> at 16:9"),
    ] {
        assert_eq!(normalize_04(text), normal, "{text}");
    }
}

/// One plain example of each pattern of 0.4.1, in the order of the patterns.
#[test]
fn each_pattern_replaces_its_own() {
    for (text, normal) in [
        ("at 2026-01-02T03:04:05.678Z.", "at <TS>."),
        ("Jul 10 20:47 a.rs", "<TS> a.rs"),
        ("10 Jul 2026", "<DATE>"),
        ("Jul 10  2025 a.rs", "<DATE> a.rs"),
        ("built 2026-01-02", "built <DATE>"),
        ("built 2026/01/02.", "built <DATE>."),
        ("due 1/2/2026", "due <DATE>"),
        ("9:41 PM", "<TS>"),
        ("23:59:58", "<TS>"),
        ("3 days ago", "<REL>"),
        ("id 6f0c7c1e-1111-4222-8333-944444444444", "id <HEX>"),
        ("at 0xDEADBEEF", "at <HEX>"),
        ("commit 1A2B3C4D", "commit <HEX>"),
    ] {
        assert_eq!(normalize_04(text), normal, "{text}");
    }
}

#[test]
fn an_untouched_text_is_borrowed() {
    assert!(matches!(normalize_04("plain text"), Cow::Borrowed(_)));
    assert!(matches!(normalize_01(""), Cow::Borrowed(_)));
}

/// Each text is 200 kB of beginnings that mostly never become a match. Quadratic work on one would
/// be some 10^10 steps, and there are a hundred of them; the bound is generous for a slow machine.
#[test]
fn hostile_texts_take_linear_time() {
    let start = Instant::now();
    for unit in [
        "1",
        "f",
        "1:",
        "12:",
        "1 ",
        "Jan ",
        "Mon, ",
        "Jan 1 ",
        "1 s ",
        "0x",
        "1.",
        " ",
        "\t",
        "2026-01-02T03:04",
        "1:11\u{1c}",
        "12:34:56.",
        "\u{661}",
        "deadbeef-",
        "日",
        "1/1/",
    ] {
        let text = unit.repeat(200_000 / unit.len());
        for lead in ["", "1", "Jan 1", "1:11", "1 s"] {
            let text = format!("{lead}{text}\u{e9}");
            assert!(!normalize_01(&text).is_empty());
            assert!(!normalize_04(&text).is_empty());
        }
    }
    assert!(
        start.elapsed() < Duration::from_secs(60),
        "took {:?}",
        start.elapsed()
    );
}
