//! Keys that no answer could be held against.

use serde_json::Value;

use super::super::*;
use super::SPEC;

/// A spec of one check of a kind that is built in.
fn of_kind(kind: &str, params: &str, key: &str, sources: &str) -> String {
    let checks = SPEC
        .split("[[tasks]]\nid = \"colour\"")
        .next()
        .unwrap()
        .split("[[tasks.checks]]")
        .next()
        .unwrap();
    format!(
        "{checks}[[tasks.checks]]\nid = \"one\"\nkind = \"{kind}\"\nparams = {params}\n{key}\n\
         extract = \"none\"\n[readings]\nattempt-rule = \"completed-attempts\"\n{sources}"
    )
}

/// A key that stands in the spec and that its check can never be asked with is refused where it
/// stands, before anything runs.
#[test]
fn a_key_that_no_answer_could_be_held_against_is_refused() {
    let kinds = crate::oracle::KINDS;
    let line = 1 + of_kind("x", "{}", "KEY", "")
        .lines()
        .position(|line| line == "KEY")
        .unwrap();
    let check = "tasks.0.checks.0";
    let words = "{ positive = [\"yes\"], negative = [\"no\"] }";
    let text = "[[sources]]\nid = \"s\"\nkind = \"inline\"\ntext = \"many\"\n";
    for (kind, params, key, sources, wanted) in [
        (
            "int-fact",
            "{ labels = [\"berths\"] }",
            "key = { value = \"many\" }",
            "",
            format!("{check}.key.value line={line} kind=key-shape"),
        ),
        (
            "int-fact",
            "{ labels = [\"berths\"] }",
            "",
            "",
            format!("{check}.key line={} kind=missing", line - 4),
        ),
        (
            "word-class",
            words,
            "key = { value = { class = \"good\" } }",
            "",
            format!("{check}.key.value line={line} kind=key-shape"),
        ),
        (
            "int-fact",
            "{ labels = [\"berths\"] }",
            "key = { source = \"s\", recipe = { take = \"text\" } }",
            text,
            format!("{check}.key.recipe line={line} kind=key-shape"),
        ),
        (
            "int-fact",
            "{ labels = [\"berths\"] }",
            "key = { source = \"s\", recipe = { take = \"lines\", pick = 4 } }",
            text,
            format!("{check}.key.recipe line={line} kind=key-missing"),
        ),
        (
            "int-fact",
            "{ labels = [\"berths\"] }",
            "key = { fields = { value = { value = [] } } }",
            "",
            format!("{check}.key.fields line={line} kind=key-shape"),
        ),
    ] {
        let said = parse(&of_kind(kind, params, key, sources), kinds);
        assert_eq!(
            said.unwrap_err().to_string(),
            format!("E_SPEC field={wanted}"),
            "{kind} {key}"
        );
    }
    for (kind, params, key, sources) in [
        (
            "int-fact",
            "{ labels = [\"a\"] }",
            "key = { value = \"7\" }",
            "",
        ),
        ("word-class", words, "", ""),
        ("word-class", words, "key = { value = \"negative\" }", ""),
        (
            "int-fact",
            "{ labels = [\"a\"] }",
            "key = { source = \"s\", recipe = { take = \"bytes\" } }",
            text,
        ),
    ] {
        let said = parse(&of_kind(kind, params, key, sources), kinds);
        assert_eq!(said.map(|_| ()), Ok(()), "{kind} {key}");
    }
}

/// A name that is misspelt in a key would be a fact that no answer is held against.
#[test]
fn a_key_holds_what_its_kind_asks_for() {
    let kinds = crate::oracle::KINDS;
    let cite = "value = { path = \"a.rs\", line = 4, endline = 9 }";
    let text = "[[sources]]\nid = \"s\"\nkind = \"inline\"\ntext = \"7\"\n";
    let of_s = "{ source = \"s\", recipe = { take = \"text\" } }";
    let sites = "value = { definition = { path = \"a.rs\", line = 1, end = 2 } }";
    let cases = [
        (
            "citation-at",
            "{}",
            cite.to_owned(),
            "",
            Some("value.endline line=L kind=unknown-field"),
        ),
        (
            "symbol-sites",
            "{}",
            sites.to_owned(),
            "",
            Some("value.definition.end line=L kind=unknown-field"),
        ),
        (
            "int-fact",
            "{ labels = [\"a\"] }",
            "value = { vaule = 7 }".to_owned(),
            "",
            Some("value.vaule line=L kind=unknown-field"),
        ),
        (
            "int-fact",
            "{ labels = [\"a\"] }",
            format!("fields = {{ vaule = {of_s} }}"),
            text,
            Some("fields.vaule line=L kind=unknown-field"),
        ),
        (
            "int-fact",
            "{ labels = [\"a\"] }",
            format!("fields = {{ value = {{ value = 7 }}, seen = {of_s} }}"),
            text,
            None,
        ),
    ];
    for (kind, params, key, sources, wanted) in cases {
        let spec = of_kind(kind, params, &format!("key = {{ {key} }}"), sources);
        let line = 1 + spec
            .lines()
            .position(|line| line.starts_with("key = "))
            .unwrap();
        let said = parse(&spec, kinds)
            .map(|_| ())
            .map_err(|error| error.to_string());
        let wanted = wanted.map(|wanted| {
            let wanted = wanted.replace("=L", &format!("={line}"));
            format!("E_SPEC field=tasks.0.checks.0.key.{wanted}")
        });
        assert_eq!(said.err(), wanted, "{kind} {key}");
    }
}

/// The misspelt parameter is named, not the one that is missing for it.
#[test]
fn a_misspelt_parameter_is_named() {
    let kinds = crate::oracle::KINDS;
    let said = |params: &str| {
        let text = of_kind("int-fact", params, "key = { value = 7 }", "");
        parse(&text, kinds).unwrap_err().to_string()
    };
    let told = said("{ label = [\"a\"] }");
    assert!(
        told.contains("params.label ") && told.ends_with("kind=unknown-field"),
        "{told}"
    );
    let told = said("{ lines = 3 }");
    assert!(
        told.contains("params.labels ") && told.ends_with("kind=missing"),
        "{told}"
    );
}

/// A key that is computed and that its check cannot be asked with is unknown, and says so.
#[test]
fn a_computed_key_of_the_wrong_shape_is_unknown() {
    let kinds = crate::oracle::KINDS;
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a"), "many").unwrap();
    let source = format!(
        "[[sources]]\nid = \"f\"\nkind = \"file\"\npath = \"a\"\nsha256 = \"{}\"\n",
        sha256(b"many")
    );
    let key = "key = { source = \"f\", recipe = { take = \"text\" } }";
    let text = of_kind("int-fact", "{ labels = [\"a\"] }", key, &source);
    let sealed = freeze(&text, kinds).unwrap();
    let sources = Sources::read(&sealed.spec, None, Some(dir.path()), &Facts::default()).unwrap();
    let made = compute(&sealed, &sources, kinds).unwrap();
    assert_eq!(made.unknown, [("one".to_owned(), "key-shape")]);
    assert_eq!((made.known, made.keyless), (0, 0));
    let keys = read_keys(std::str::from_utf8(&made.bytes).unwrap(), &sealed).unwrap();
    assert_eq!(keys.get("one", None), Err("key-shape"));
}

/// A check that asks without a key is none of the keys, and is asked all the same.
#[test]
fn checks_without_a_key_are_not_counted_as_keys() {
    let kinds = crate::oracle::KINDS;
    let words = "{ positive = [\"yes\"], negative = [\"no\"] }";
    let sealed = freeze(&of_kind("word-class", words, "", ""), kinds).unwrap();
    let made = compute(&sealed, &Sources::default(), kinds).unwrap();
    assert_eq!((made.known, made.unknown.len(), made.keyless), (0, 0, 1));
    let text = String::from_utf8(made.bytes).unwrap();
    assert!(text.ends_with("\"keys\":[]}\n"), "{text}");
    let keys = read_keys(&text, &sealed).unwrap();
    assert_eq!(keys.get("one", None), Ok(&Value::Null));
}
