//! The forms of a text that a check may ask for.

use deedcheck::oracle::{Form, Guards, Readings, Text, ask_with, parse};
use serde_json::{Value, json};

fn told(kind: &str, params: &Value, key: &Value, text: &str) -> String {
    let check = parse(kind, params).unwrap();
    let text = Text::new(text, true);
    let answer = text.read(Form::of(params));
    let own = ask_with(&*check, &answer, key, &Readings::default(), Guards::ALL);
    let words = own.failing.iter().chain(&own.unknown).map(String::as_str);
    let words: Vec<&str> = words.collect();
    format!("{} {}", own.status.as_str(), words.join(" "))
        .trim_end()
        .to_owned()
}

#[test]
fn a_literal_stands_to_the_last_mark_where_the_raw_text_is_asked() {
    let key = json!({"items": ["`a.rs`  is **new**"]});
    let ask =
        |form: &str, text: &str| told("required-literals", &json!({"text": form}), &key, text);
    let (whole, plain) = ("Now `a.rs`  is **new**.", "Now a.rs is new.");
    assert_eq!(ask("normalized", whole), "pass");
    assert_eq!(ask("normalized", plain), "pass");
    assert_eq!(ask("raw", whole), "pass");
    assert_eq!(ask("raw", plain), "fail missing");
}

#[test]
fn a_label_and_its_value_meet_where_the_flat_text_is_asked() {
    let key = json!({"value": 7});
    let ask = |form: &str| {
        let params = json!({"labels": ["errors"], "direction": "after", "text": form});
        told("int-fact", &params, &key, "errors\n7")
    };
    assert_eq!(ask("normalized"), "unknown unparsed");
    assert_eq!(ask("flat"), "pass");
}

#[test]
fn nothing_is_a_fence_in_a_raw_or_flat_text() {
    let key = json!({"records": [{"id": 1}]});
    let readings = Readings(
        [
            ("payload-shape", "root-array"),
            ("object-key-order", "unordered"),
        ]
        .map(|(id, value)| (id.to_owned(), value.to_owned()))
        .into(),
    );
    let text = Text::new("```csv\nid\n1\n```", true);
    let fences = |form: &str| {
        let params = json!({"formats": ["csv"], "text": form});
        let answer = text.read(Form::of(&params));
        let check = parse("payload", &params).unwrap();
        let own = ask_with(&*check, &answer, &key, &readings, Guards::ALL);
        own.status.as_str()
    };
    assert_eq!(fences("normalized"), "pass");
    assert_eq!(fences("raw"), "unknown");
    assert_eq!(fences("flat"), "unknown");
}
