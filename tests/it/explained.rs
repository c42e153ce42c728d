//! Every code of a refusal that the program has is explained, and no other.

use std::collections::BTreeSet;
use std::path::Path;

use crate::cli::{program, run};

/// The codes that stand in the sources.
fn codes() -> BTreeSet<String> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = walkdir::WalkDir::new(src)
        .into_iter()
        .filter_map(Result::ok);
    let sources = files.filter(|file| file.path().extension().is_some_and(|own| own == "rs"));
    let mut all = BTreeSet::new();
    for file in sources {
        let text = std::fs::read_to_string(file.path()).unwrap();
        for part in text.split("\"E_").skip(1) {
            let end = part.find(|c: char| !c.is_ascii_uppercase() && c != '_');
            all.insert(format!("E_{}", &part[..end.unwrap_or(part.len())]));
        }
    }
    all
}

#[test]
fn every_code_is_explained() {
    let dir = tempfile::tempdir().unwrap();
    let codes = codes();
    assert!(codes.len() > 25 && codes.contains("E_SPEC"), "{codes:?}");
    for code in &codes {
        let said = run(dir.path(), &["explain", code]);
        assert_eq!((said.code, said.err.as_str()), (0, ""), "{code}");
        assert!(
            said.out.starts_with(&format!("# {code}\n")) && said.out.lines().count() > 1,
            "{code}"
        );
    }
    let page = run(dir.path(), &["explain", "refusals"]).out;
    let told: BTreeSet<String> = page
        .lines()
        .filter_map(|line| line.strip_prefix("## "))
        .map(str::to_owned)
        .collect();
    assert_eq!(told, codes);
}

#[test]
fn a_reason_is_explained_by_the_pages_that_have_it() {
    let dir = tempfile::tempdir().unwrap();
    let said = run(dir.path(), &["explain", "site-spurious"]);
    assert_eq!(said.code, 0);
    assert!(
        said.out.starts_with(
            "site-spurious of a frozen check: a place is cited that is none of the key's.\n\n\
             symbol-sites (deedcheck explain symbol-sites)\n"
        ),
        "{}",
        said.out
    );
    let said = run(dir.path(), &["explain", "foreign-folder"]);
    assert!(said.out.contains("neither the arm's tree"), "{}", said.out);
    let said = run(dir.path(), &["explain", "no-such-word"]);
    assert_eq!(said.err, "E_ARGUMENT field=<TOPIC> kind=unknown-value\n");
}

#[test]
fn what_is_wrong_with_an_argument_is_said_of_that_argument() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    let refused = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let said = run(dir.path(), &words);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{line}");
        said.err
    };
    write(
        "twice.toml",
        "schema = \"deedcheck/spec/1\"\ngrammar = \"g1\"\ngrammar = \"g1\"\n",
    );
    let twice = refused("spec freeze twice.toml --out o.json");
    assert_eq!(twice, "E_SPEC line=3 kind=duplicate-key\n");
    let spec = "schema = \"deedcheck/spec/1\"\ngrammar = \"g1\"\n[experiment]\nid = \"a\"\ntitle = \"A\"\n\
                [[checks]]\nid = \"c\"\nkind = \"int-fact\"\nextract = \"none\"\nparams = { labels = [\"errors\"] }\n\
                key = { source = \"s\", recipe = { take = \"text\" } }\n\
                [[sources]]\nid = \"s\"\nkind = \"git\"\ncommit = \"0123456789abcdef0123456789abcdef01234567\"\npath = \"a\"\n";
    // A byte order mark before what a person wrote is none of it.
    write("spec.toml", &format!("\u{feff}{spec}"));
    let frozen = run(
        dir.path(),
        &["spec", "freeze", "spec.toml", "--out", "spec.json"],
    );
    assert_eq!((frozen.code, frozen.err.as_str()), (0, ""));
    std::fs::create_dir(dir.path().join("empty")).unwrap();
    for (repo, kind) in [
        ("--repo nowhere ", "missing"),
        ("--repo empty ", "no-repository"),
        ("", "not-given"),
    ] {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let line = format!("keys --spec spec.json {repo}--out k.json");
        let said = program(dir.path())
            .env("PATH", path)
            .args(line.split(' '))
            .output()
            .unwrap();
        let err = String::from_utf8(said.stderr).unwrap();
        assert_eq!(
            err,
            format!("E_ARGUMENT field=--repo kind={kind}\n"),
            "{line}"
        );
    }
    // What only a run with bindings takes says so, and not that something else is missing.
    for flag in [
        "--captures empty",
        "--identity spec.json",
        "--join-ledger spec.json",
    ] {
        let told = refused(&format!("grade --spec spec.json {flag}"));
        assert_eq!(
            told, "E_ARGUMENT field=--bindings kind=not-given\n",
            "{flag}"
        );
    }
}
