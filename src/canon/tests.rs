use std::collections::BTreeMap;

use proptest::prelude::*;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{CanonError, append_line, to_vec};

fn text<T: Serialize + ?Sized>(value: &T) -> String {
    String::from_utf8(to_vec(value).unwrap()).unwrap()
}

#[derive(Serialize)]
struct Row {
    zebra: u8,
    apple: Option<&'static str>,
    map: Map<String, Value>,
}

#[derive(Serialize)]
enum Shape {
    Unit,
    New(i8),
    Pair(i8, bool),
    Named { b: u8, a: u8 },
}

#[test]
fn struct_fields_keep_their_order_and_maps_are_sorted_by_bytes() {
    let mut map = Map::new();
    for key in ["b", "é", "a", "B", "aa", ""] {
        map.insert(key.into(), json!({"y": [1, {"q": 1, "p": 2}], "x": null}));
    }
    let row = Row {
        zebra: 1,
        apple: None,
        map,
    };
    let value = r#"{"x":null,"y":[1,{"p":2,"q":1}]}"#;
    assert_eq!(
        text(&row),
        format!(
            r#"{{"zebra":1,"apple":null,"map":{{"":{value},"B":{value},"a":{value},"aa":{value},"b":{value},"é":{value}}}}}"#
        )
    );
}

#[test]
fn enums_and_empties() {
    let all = [
        Shape::Unit,
        Shape::New(-3),
        Shape::Pair(1, true),
        Shape::Named { b: 1, a: 2 },
    ];
    assert_eq!(
        text(&all),
        r#"["Unit",{"New":-3},{"Pair":[1,true]},{"Named":{"b":1,"a":2}}]"#
    );
    assert_eq!(text(&json!([{}, [], "", null])), r#"[{},[],"",null]"#);
    assert_eq!(
        text(&BTreeMap::from([(10, 'x'), (9, 'y')])),
        r#"{"10":"x","9":"y"}"#
    );
}

#[test]
fn escapes_are_minimal_and_fixed() {
    assert_eq!(
        text("\"\\/\u{8}\u{c}\n\r\t\u{0}\u{1b}\u{7f}\u{85}\u{9b}\u{a0}\u{2027}\u{2028}\u{2029}é😀"),
        "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001b\\u007f\\u0085\\u009b\u{a0}\u{2027}\\u2028\\u2029é😀\""
    );
}

#[test]
fn what_has_no_canonical_form_is_refused_and_leaves_no_bytes() {
    let mut out = b"kept".to_vec();
    assert_eq!(
        append_line(&mut out, &json!([1, 1.5])),
        Err(CanonError::Float)
    );
    assert_eq!(out, b"kept");
    append_line(&mut out, &u64::MAX).unwrap();
    assert_eq!(out, b"kept18446744073709551615\n");
    assert_eq!(to_vec(&u128::MAX), Err(CanonError::Integer));
    assert_eq!(
        to_vec(&(i128::from(i64::MIN) - 1)),
        Err(CanonError::Integer)
    );
    assert_eq!(to_vec(&BTreeMap::from([((1, 2), 3)])), Err(CanonError::Key));
    let raw = serde_json::value::RawValue::from_string("{\"b\": 1}".into()).unwrap();
    assert_eq!(to_vec(&raw), Err(CanonError::Raw));
    assert_eq!(to_vec(&Twice), Err(CanonError::DuplicateKey));
}

struct Twice;

impl Serialize for Twice {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([("a", 1), ("a", 1)])
    }
}

#[test]
fn depth_is_bounded_where_readers_stop() {
    let nest = |depth: usize| (0..depth).fold(json!(1), |inner, _| json!([inner]));
    let deep = to_vec(&nest(127)).unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&deep).unwrap(), nest(127));
    assert_eq!(to_vec(&nest(128)), Err(CanonError::Depth));
}

#[test]
fn an_error_of_a_value_does_not_carry_its_text() {
    struct Bad;
    impl Serialize for Bad {
        fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(serde::ser::Error::custom("secret-value"))
        }
    }
    assert_eq!(
        to_vec(&Bad).unwrap_err().to_string(),
        "E_CANON reason=value"
    );
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[\\x00-\\x7f\\u{80}-\\u{a0}\\u{2026}-\\u{202a}]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 64, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..6)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: proptest::test_runner::RngSeed::Fixed(7), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn reads_back_to_the_same_value_and_writes_the_same_bytes_again(value in values()) {
        let bytes = to_vec(&value).unwrap();
        let read: Value = serde_json::from_slice(&bytes).unwrap();
        prop_assert_eq!(&read, &value);
        prop_assert_eq!(to_vec(&read).unwrap(), bytes.clone());
        prop_assert!(bytes.iter().all(|&b| b >= 0x20 && b != 0x7f));
    }
}
