use serde_json::json;

use super::*;

fn json(text: &str) -> Option<Datum> {
    decode(text, Format::Json)
}

#[test]
fn json_is_strict() {
    for good in [
        "[]",
        " {\"a\": [1, -0.5e+3, \"\\u00e9\\ud83d\\ude00\"]} ",
        "null",
        "\"x\"",
    ] {
        assert!(json(good).is_some(), "{good}");
    }
    for bad in [
        "",
        "[1,]",
        "{\"a\":1,\"a\":1}",
        "NaN",
        "[Infinity]",
        "01",
        "1.",
        "'a'",
        "{a:1}",
        "[1] x",
        "\"\u{1}\"",
        "\"\\ud800\"",
        "+1",
        "[1 2]",
        "\"\\x\"",
        "-",
    ] {
        assert!(json(bad).is_none(), "{bad}");
    }
}

#[test]
fn depth_is_bounded() {
    assert!(json(&("[".repeat(100) + &"]".repeat(100))).is_some());
    assert!(json(&"[".repeat(1_000_000)).is_none());
}

#[test]
fn csv_is_strict() {
    let key = Datum::of(&json!([{"a": 1, "b": "x,\"y"}, {"a": null, "b": "true"}]));
    let own = decode("a,b\r\n1.0,\"x,\"\"y\"\r\n,true\r\n", Format::Csv).expect("well-formed");
    assert_eq!(compare(&key, &own, true), Difference::default());
    for bad in ["a,b\n1\n", "a,a\n1,2", "a\n\"x", "a\nx\"y", "a\n\"x\"y", ""] {
        assert!(decode(bad, Format::Csv).is_none(), "{bad}");
    }
}

#[test]
fn toon_is_strict() {
    let key = Datum::of(&json!([{"id": 1, "n": null}]));
    let own = decode("[1]{id,n}:\n  1,null", Format::Toon).expect("well-formed");
    assert_eq!(compare(&key, &own, true), Difference::default());
    assert!(decode("[2]{id,n}:\n  1,null", Format::Toon).is_none());
    let key = json("[{\"n\": 18446744073709551617}]").expect("a key");
    for (text, same) in [
        ("18446744073709551617", true),
        ("18446744073709551618", false),
    ] {
        let own = decode(&format!("[1]{{n}}:\n  {text}"), Format::Toon).expect("well-formed");
        assert_eq!(
            compare(&key, &own, true) == Difference::default(),
            same,
            "{text}"
        );
    }
}

fn differs(key: &str, own: &str) -> Difference {
    compare(
        &json(key).expect("a key"),
        &json(own).expect("a value"),
        true,
    )
}

#[test]
fn values_are_compared_with_their_types() {
    let (same, types) = (
        Difference::default(),
        Difference {
            types: true,
            ..Difference::default()
        },
    );
    let records = Difference {
        records: true,
        ..Difference::default()
    };
    let order = Difference {
        order: true,
        ..Difference::default()
    };
    for (key, own, expected) in [
        ("17", "17.0", same),
        ("0", "-0", same),
        ("1000", "1e3", same),
        ("0.1", "0.10", same),
        ("18446744073709551617", "18446744073709551617", same),
        ("18446744073709551617", "18446744073709551618", records),
        ("17", "\"17\"", types),
        ("1", "true", types),
        ("null", "\"null\"", records),
        ("null", "0", records),
        ("\"a\"", "[\"a\"]", types),
        ("\"\u{e9}\"", "\"e\u{301}\"", records),
        ("{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", order),
        ("{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":3}", records),
        ("{\"a\":1}", "{\"a\":1,\"b\":2}", records),
        ("[1,2]", "[1]", records),
    ] {
        assert_eq!(differs(key, own), expected, "{key} {own}");
    }
}

/// The official conformance fixtures for decoding, and our own for what came later; see the page
/// beside them.
#[test]
fn toon_is_decoded_as_its_fixtures_say() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/toon");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the fixtures")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .collect();
    files.sort();
    let (mut asked, mut passed_over) = (0, 0);
    let mut wrong = Vec::new();
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a fixture");
        let file: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        for case in file["tests"].as_array().expect("cases") {
            let options = &case["options"];
            let indent = ["indent", "indentSize"].map(|name| options[name].as_u64());
            let another = indent.iter().flatten().any(|own| *own != 2);
            if another || options["strict"].as_bool() == Some(false) {
                passed_over += 1;
                continue;
            }
            asked += 1;
            let own = decode(case["input"].as_str().expect("a text"), Format::Toon);
            let right = match (case["shouldError"].as_bool(), &own) {
                (Some(true), own) => own.is_none(),
                (_, Some(own)) => {
                    let expected = Datum::of(&case["expected"]);
                    compare(&expected, own, true) == Difference::default()
                }
                (_, None) => false,
            };
            if !right {
                wrong.push(format!("{}: {}: {own:?}", path.display(), case["name"]));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!((asked, passed_over), (232, 13));
}
