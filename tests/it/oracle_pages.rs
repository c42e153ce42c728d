//! What the pages show can be used as it stands.

use std::fmt::Write as _;

use deedcheck::oracle::{KINDS, KindInfo, Reads};
use deedcheck::spec::{PAGE, freeze};

/// The TOML blocks of a page.
fn blocks(page: &str) -> Vec<&str> {
    let parts = page.split("```toml\n").skip(1);
    parts
        .map(|part| part.split("\n```").next().unwrap())
        .collect()
}

/// A spec around one check, with every reading that its kind asks for.
fn around(kind: &KindInfo, check: &str) -> String {
    let mut spec = "schema = \"deedcheck/spec/1\"\ngrammar = \"g1\"\n\
                    [experiment]\nid = \"page\"\ntitle = \"A page\"\n"
        .to_owned();
    if kind.reads != Reads::Steps {
        spec.push_str(
            "[[arms]]\nid = \"one\"\n[[tasks]]\nid = \"task\"\nprompt = \"?\"\nfamily = \"files\"\n\
             opportunity = \"organic\"\ndispatch = \"file\"\narms = [\"one\"]\n",
        );
    }
    spec.push_str(check);
    spec.push_str("\n[readings]\n");
    if kind.reads != Reads::Steps {
        spec.push_str("attempt-rule = \"completed-attempts\"\n");
    }
    for reading in kind.readings {
        let _ = writeln!(spec, "{} = {:?}", reading.id, reading.values[0]);
    }
    spec
}

#[test]
fn the_check_of_every_page_freezes_as_it_stands() {
    for kind in KINDS {
        let check = blocks(kind.page)
            .into_iter()
            .find(|own| own.starts_with("[["));
        let check = check.unwrap_or_else(|| panic!("{}: no check", kind.id));
        let spec = around(kind, check);
        let sealed = freeze(&spec, KINDS);
        assert!(sealed.is_ok(), "{}: {:?}\n{spec}", kind.id, sealed.err());
        assert!(check.contains(&format!("kind = \"{}\"", kind.id)));
    }
}

#[test]
fn the_specs_of_the_page_freeze_as_they_stand() {
    let specs = blocks(PAGE).into_iter();
    let specs: Vec<&str> = specs
        .filter(|own| own.starts_with("schema = \"deedcheck/spec/1\""))
        .collect();
    assert_eq!(specs.len(), 2);
    for spec in specs {
        let sealed = freeze(spec, KINDS);
        assert!(sealed.is_ok(), "{:?}\n{spec}", sealed.err());
    }
}
