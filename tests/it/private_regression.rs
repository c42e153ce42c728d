//! Faults of the private side, each held so that it cannot come back. `regression` says how to add
//! one.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::Path;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::cli::{ID, program, run, session};

/// A folder with a graded run: `run`, `sums.json`, `page.html` and `page.md`.
fn graded(close: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("logs")).unwrap();
    for (at, name) in ["one.jsonl", "two.jsonl"].into_iter().enumerate() {
        let id = ID.replace("5f0c", &format!("5f{at}c"));
        fs::write(
            dir.path().join("logs").join(name),
            session(&id, "/srv/larkspur/tree", close),
        )
        .unwrap();
    }
    for (format, page) in [("html", "page.html"), ("markdown", "page.md")] {
        let out = ["--out", "sums.json", "--out-private", "run"];
        let out = if format == "html" { &out[..] } else { &[] };
        let args = ["grade", "logs", "--fail-on", "never", "--format", format];
        let said = run(dir.path(), &[&args[..], out].concat());
        assert_eq!((said.code, said.err.as_str()), (0, ""));
        fs::write(dir.path().join(page), said.out).unwrap();
    }
    dir
}

/// The faults of a page of that run.
fn faults(dir: &Path, name: &str, page: &str) -> Vec<String> {
    let file = format!("spoilt-{name}");
    fs::write(dir.join(&file), page).unwrap();
    let said = run(dir, &["check-html", &file, "--from", "run", "--json"]);
    let told: Value = serde_json::from_str(&said.out).unwrap_or_else(|_| panic!("{}", said.err));
    let findings = told["pages"][0]["findings"].as_array().unwrap();
    let kinds = findings
        .iter()
        .map(|one| one["kind"].as_str().unwrap().to_owned());
    kinds.collect()
}

/// A field whose attribute was stripped, a row of nobody's, a list that was taken out and another
/// session's number went unnoticed.
#[test]
fn what_a_page_of_ours_tells_is_what_it_was_made_with() {
    let dir = graded("I fixed `src/a.rs` and all 12 tests pass.");
    for name in ["page.html", "page.md"] {
        let page = fs::read_to_string(dir.path().join(name)).unwrap();
        assert_eq!(faults(dir.path(), name, &page), Vec::<String>::new());
        let bare = page.replacen(" data-deed-field=\"rule\"", "", 1);
        assert_eq!(faults(dir.path(), name, &bare), ["altered"], "{name}");
        let session = page.replacen("session 1, ", "session 2, ", 1);
        assert_ne!(session, page);
        assert_eq!(faults(dir.path(), name, &session), ["altered"], "{name}");
        let number = page.replacen(" data-deed=\"turns\"", "", 1);
        assert_eq!(faults(dir.path(), name, &number), ["altered"], "{name}");
        let (start, end) = match name {
            "page.html" => ("<ol ", "</ol>"),
            _ => ("<div ", "</div>"),
        };
        let at = page.find(start).unwrap();
        let to = at + page[at..].find(end).unwrap();
        let without = [&page[..at], &page[to + end.len()..]].concat();
        assert_eq!(faults(dir.path(), name, &without), ["altered"], "{name}");
        let more = [
            &page[..to],
            "\n<li>Nothing else was found.</li>\n",
            &page[to..],
        ]
        .concat();
        assert_eq!(faults(dir.path(), name, &more), ["altered"], "{name}");
        // What stands around it is somebody else's.
        let around = format!("{page}\n<p>Made on Monday, with 7 runs.</p>\n");
        assert_eq!(faults(dir.path(), name, &around), Vec::<String>::new());
    }
    let page = fs::read_to_string(dir.path().join("page.html")).unwrap();
    let other = page.replacen("data-deed-row=\"", "data-deed-row=\"00", 1);
    assert!(faults(dir.path(), "page.html", &other).contains(&"unknown-row".to_owned()));
}

/// Pages of ours passed with a number that nobody saw, a picture of one, whole lying blocks, bars drawn
/// over, and cut off where the digest of their words should tell.
#[test]
fn a_page_of_ours_holds_nothing_that_was_not_in_it() {
    let dir = graded("I fixed `src/a.rs` and all 12 tests pass.");
    let page = fs::read_to_string(dir.path().join("page.html")).unwrap();
    let number = page.find("data-deed=\"claims\">").unwrap() + 19;
    let bar = page.find("<rect class=\"rail\"").unwrap();
    let header = page.find("<header>").unwrap() + 8;
    let into = |at: usize, text: &str| format!("{}{text}{}", &page[..at], &page[at..]);
    let mut wrong = Vec::new();
    for hidden in [
        "<span hidden>1,</span>",
        "<span style=\"display:none\">1</span>",
        "<dialog>1,</dialog>",
        "<template>1</template>",
        "<span style=\"float:right\">1</span>",
        "<sup>1</sup>",
        "<img alt=\"7\">",
        "<input value=\"7\">",
        "<b style=\"transform:rotate(180deg)\"></b>",
    ] {
        wrong.push(into(number, hidden));
    }
    for block in [
        "<iframe srcdoc=\"&lt;h1>All is well&lt;/h1>\"></iframe>",
        "<p><img alt=\"All statements are supported.\"></p>",
        "<script>1</script>",
        "<p onclick=\"x()\"></p>",
        "<meta http-equiv=refresh content=1>",
        "<object data=\"data:text/html,x\"></object>",
        "<p aria-label=\"0\"></p>",
        "<p title=\"0\"></p>",
        "<del></del>",
        "<!--",
        "<textarea>",
        "<plaintext>",
        "<p class=\"",
    ] {
        wrong.push(into(header, block));
    }
    wrong.push(into(bar, "<rect class=\"good\" x=\"0\" width=\"9800\"/>"));
    wrong.push(into(bar, "<g display=\"none\"></g>"));
    for (from, to) in [
        ("height=\"14\"", "height=\"0\""),
        ("y=\"3\"", "y=\"-99\""),
        ("class=\"rail\"", "class=\"rail\" opacity=\"0\""),
        ("width=\"10000\"", "width=\"6000\""),
        ("bar-1-t bar-1-d\"", "bar-2-t bar-2-d\""),
        ("role=\"img\"", "role=\"img\" style=\"width:160%\""),
    ] {
        assert!(page.contains(from), "{from}");
        wrong.push(page.replacen(from, to, 1));
    }
    wrong.push(page[..header].to_owned());
    wrong.push(page.replace("deedcheck-facts", "facts"));
    wrong.push(into(
        page.find("</body>").unwrap(),
        "<script src=x></script>",
    ));
    for spoilt in &wrong {
        let at = spoilt.bytes().zip(page.bytes()).position(|(a, b)| a != b);
        let at = at.unwrap_or(0).saturating_sub(20);
        let near: String = spoilt.chars().skip(at).take(90).collect();
        assert_ne!(
            faults(dir.path(), "page.html", spoilt),
            Vec::<String>::new(),
            "{near}"
        );
    }
    for same in [
        page.replace("width=\"10000\"", "width=\"1e4\""),
        page.replace("height=\"14\"", "height=\"14.0\""),
        page.replace("<main>", "<main><div>")
            .replace("</main>", "</div></main>"),
        page.replace("<span class=\"n\"", "<span style=\"color: red\""),
        page.replace("</li>", "")
            .replace("</td>", "")
            .replace("</tr>", ""),
        page.replace('\n', "\r\n"),
    ] {
        assert_eq!(faults(dir.path(), "page.html", &same), Vec::<String>::new());
    }
    let said = run(dir.path(), &["check-html", "page.html", "--from", "run"]);
    assert!(
        !said.out.contains("words that bear no number"),
        "{}",
        said.out
    );
    assert!(said.out.contains("what style sheets hide"), "{}", said.out);
    let page = fs::read_to_string(dir.path().join("page.md")).unwrap();
    let headline = page.find("### ").unwrap() + 4;
    for struck in [
        format!("{}~~{}", &page[..headline], &page[headline..]),
        page.replace("deedcheck-facts", "facts"),
    ] {
        assert_eq!(faults(dir.path(), "page.md", &struck), ["altered"]);
    }
}

/// The folder that was named was none of the values, nor was the place of one that was named
/// relative to another.
#[test]
fn named_folders_are_private_values() {
    let dir = graded("All 12 tests pass.");
    let logs = fs::canonicalize(dir.path().join("logs")).unwrap();
    let page = format!("<p>sessions lie in {} now</p>", logs.display());
    fs::write(dir.path().join("logs.html"), page).unwrap();
    let told = faults(
        dir.path(),
        "logs.html",
        &fs::read_to_string(dir.path().join("logs.html")).unwrap(),
    );
    assert!(
        told.contains(&"root".to_owned()) || told.contains(&"work-tree".to_owned()),
        "{told:?}"
    );
    let away = tempfile::tempdir().unwrap();
    fs::copy(
        dir.path().join("logs").join("one.jsonl"),
        away.path().join("run-marigold.jsonl"),
    )
    .unwrap();
    let named = format!("../{}", away.path().file_name().unwrap().to_string_lossy());
    let said = run(
        dir.path(),
        &[
            "grade",
            &named,
            "--fail-on",
            "never",
            "--out-private",
            "other",
        ],
    );
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    let page = format!(
        "<p>sessions lie in {} now</p>",
        fs::canonicalize(away.path()).unwrap().display()
    );
    fs::write(dir.path().join("away.html"), page).unwrap();
    let said = run(
        dir.path(),
        &["check-html", "away.html", "--from", "other", "--json"],
    );
    assert!(said.out.contains("\"root\""), "{}", said.out);
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect()
}

/// A sealed file after a change, sealed anew.
fn resealed(text: &str) -> String {
    let (before, seal) = text.rsplit_once("\"seal\":\"").unwrap();
    let (_, after) = seal.split_once('"').unwrap();
    let seal = sha256(format!("{before}\"seal\":\"\"{after}").as_bytes());
    format!("{before}\"seal\":\"{seal}\"{after}")
}

/// A manifest was believed in whatever only it tells, and a folder whose digests somebody had made
/// anew was not searched.
#[test]
fn a_bundle_is_held_against_itself() {
    let dir = graded("All 12 tests pass.");
    let said = run(
        dir.path(),
        &["export", "--from", "run", "--out-dir", "bundle"],
    );
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    let at = |name: &str| dir.path().join("bundle").join(name);
    let verified = || {
        let said = run(dir.path(), &["export", "--verify", "bundle"]);
        (said.code, said.out + &said.err)
    };
    assert_eq!(verified().0, 0);
    let manifest = fs::read_to_string(at("manifest.json")).unwrap();
    let value: Value = serde_json::from_str(&manifest).unwrap();
    let (rows, planted) = (&value["rows"], &value["canary"]["planted"]);
    let grades = value["grades_sha256"].as_str().unwrap();
    let digest = sha256(b"other");
    for (from, to, anew, fault) in [
        (
            format!("\"rows\":{rows}"),
            "\"rows\":1".to_owned(),
            true,
            "manifest: rows\n",
        ),
        (grades.to_owned(), digest, false, "manifest: seal\n"),
        (
            "\"version\":\"0".to_owned(),
            "\"version\":\"9".to_owned(),
            false,
            "manifest: seal\n",
        ),
        (
            format!("\"caught\":{planted}"),
            "\"caught\":0".to_owned(),
            true,
            "manifest: canary\n",
        ),
        (
            format!("\"planted\":{planted}"),
            "\"planted\":1".to_owned(),
            true,
            "manifest: canary\n",
        ),
        (
            "\"grade\"".to_owned(),
            "\"../x/y\"".to_owned(),
            true,
            "manifest: command\n",
        ),
    ] {
        let other = manifest.replacen(&from, &to, 1);
        assert_ne!(other, manifest, "{from}");
        let other = if anew { resealed(&other) } else { other };
        fs::write(at("manifest.json"), other).unwrap();
        assert_eq!(verified(), (1, fault.to_owned()), "{from}");
    }
    // Somebody changed a page and made every digest anew.
    for (name, change) in [
        ("report.html", "<p>/home/wren/notes.txt</p></body>"),
        (
            "report.html",
            "<p data-deed-field=\"verdict\">pass</p></body>",
        ),
    ] {
        let page = fs::read_to_string(at(name)).unwrap();
        let other = page.replacen("</body>", change, 1);
        let lengths = [page.len(), other.len()].map(|bytes| format!("\"bytes\":{bytes}"));
        let made = manifest
            .replace(&sha256(page.as_bytes()), &sha256(other.as_bytes()))
            .replace(&lengths[0], &lengths[1]);
        fs::write(at("manifest.json"), resealed(&made)).unwrap();
        fs::write(at(name), &other).unwrap();
        let (code, told) = verified();
        assert!(code == 1 && told.starts_with("report.html: "), "{told}");
        fs::write(at(name), &page).unwrap();
    }
    fs::rename(at("manifest.json"), dir.path().join("m.json")).unwrap();
    std::os::unix::fs::symlink("../m.json", at("manifest.json")).unwrap();
    assert_eq!(
        verified(),
        (2, "E_BUNDLE role=manifest kind=link\n".to_owned())
    );
}

/// The private values of another run passed for those of this one.
#[test]
fn private_values_belong_to_their_run() {
    let (one, other) = (
        graded("All 12 tests pass."),
        graded("I ran the linter; it is clean."),
    );
    let canary = |dir: &Path| dir.join("run/canary.json");
    fs::copy(canary(other.path()), canary(one.path())).unwrap();
    let args = ["check-html", "page.html", "--from", "run"];
    let said = run(one.path(), &args);
    assert_eq!(
        (said.code, said.err.as_str()),
        (2, "E_RETAINED role=canary kind=other-run\n")
    );
}

/// Outputs within each other were written although the run was refused, and so was everything
/// where standard output could not take what was printed.
#[test]
fn nothing_is_written_by_a_run_that_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let logs = session(ID, "/srv/larkspur/tree", "All 12 tests pass.");
    fs::write(dir.path().join("a.jsonl"), logs).unwrap();
    let names = || {
        let entries = fs::read_dir(dir.path()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = names();
    let within = ["grade", "a.jsonl", "--out-private", "x/run", "--out", "x"];
    let said = run(dir.path(), &within);
    assert_eq!(
        (said.code, said.err.as_str()),
        (2, "E_PATH field=--out reason=exists detail=within_output\n")
    );
    assert_eq!(names(), before);
    let full = |args: &[&str]| {
        let full = fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let output = program(dir.path())
            .args(args)
            .stdout(full)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(
            (output.status.code(), said.as_str()),
            (Some(2), "E_WRITE role=stdout kind=disk_full\n")
        );
    };
    full(&[
        "grade",
        "a.jsonl",
        "--out-private",
        "run",
        "--out",
        "sums.json",
    ]);
    assert_eq!(names(), before);
    let made = run(
        dir.path(),
        &["grade", "a.jsonl", "--quiet", "--out-private", "run"],
    );
    assert_eq!(made.code, 0);
    let before = names();
    full(&[
        "regrade",
        "--from",
        "run",
        "--out-private",
        "two",
        "--out",
        "two.json",
    ]);
    full(&["export", "--from", "run", "--out-dir", "bundle"]);
    assert_eq!(names(), before);
}

/// A fact that names a file by its absolute path was withheld as a whole.
#[test]
fn facts_name_files_by_their_last_names() {
    let dir = graded("I fixed `a.rs` and all tests pass.");
    for name in ["page.html", "page.md"] {
        let page = fs::read_to_string(dir.path().join(name)).unwrap();
        let withheld: Vec<_> = page.match_indices("withheld: ").collect();
        assert_eq!(withheld, [], "{name}");
        assert!(!page.contains("larkspur"), "{name}");
    }
}

/// Ids of messages were no private values.
#[test]
fn ids_of_messages_are_private() {
    let dir = tempfile::tempdir().unwrap();
    let own = "message-of-mallowfield-77";
    let logs = session(ID, "/srv/larkspur/tree", "All 12 tests pass.");
    let logs = logs.replace("\"m2\"", &format!("\"{own}\""));
    fs::write(dir.path().join("a.jsonl"), logs).unwrap();
    let args = [
        "grade",
        "a.jsonl",
        "--quiet",
        "--fail-on",
        "never",
        "--out-private",
        "run",
    ];
    assert_eq!(run(dir.path(), &args).code, 0);
    for id in [own, "msg_01AbCdEfGhIjKlMnOpQrStUv"] {
        fs::write(dir.path().join("page.html"), format!("<p>{id}</p>")).unwrap();
        let said = run(dir.path(), &["check-html", "page.html", "--from", "run"]);
        assert_eq!(said.code, 1, "{id}: {}", said.out);
    }
    fs::write(
        dir.path().join("page.html"),
        "<p>msg_buffer_2024 msg_template1</p>",
    )
    .unwrap();
    let said = run(dir.path(), &["check-html", "page.html", "--from", "run"]);
    assert_eq!(said.code, 0, "{}", said.out);
}

/// A user's own controls were not kept, so that a run graded again had other sums.
#[test]
fn controls_of_ones_own_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    let logs = session(ID, "/srv/larkspur/tree", "All 12 tests pass.");
    fs::write(dir.path().join("a.jsonl"), logs).unwrap();
    fs::create_dir(dir.path().join("own")).unwrap();
    let built_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("calibration/controls");
    let files = walkdir::WalkDir::new(built_in)
        .sort_by_file_name()
        .into_iter();
    let mut files = files.filter_map(Result::ok).filter(|entry| {
        let path = entry.path().to_string_lossy().into_owned();
        path.ends_with(".toml") && path.contains("claim")
    });
    fs::copy(files.next().unwrap().path(), dir.path().join("own/a.toml")).unwrap();
    let done = |line: &str| {
        let said = run(dir.path(), &line.split(' ').collect::<Vec<_>>());
        assert!(matches!(said.code, 0 | 1), "{line}: {}", said.err);
    };
    done("grade a.jsonl --controls own --quiet --out-private one --out one.json");
    done("grade a.jsonl --quiet --out-private plain --out plain.json");
    fs::remove_dir_all(dir.path().join("own")).unwrap();
    done("regrade --from one --quiet --out-private two --out two.json");
    done("regrade --from two --quiet --out-private three --out three.json");
    let read = |name: &str| fs::read(dir.path().join(name)).unwrap();
    assert_ne!(read("one.json"), read("plain.json"));
    assert_eq!(read("one.json"), read("two.json"));
    assert_eq!(read("one.json"), read("three.json"));
    let context: Value = serde_json::from_slice(&read("one/context.json")).unwrap();
    assert_eq!(
        context["files"]["controls"],
        json!(sha256(&read("one/controls.jsonl")))
    );
}

/// One line of gigabytes in a small packed file took as much memory.
#[test]
fn a_line_without_an_end_is_counted_and_left() {
    let dir = tempfile::tempdir().unwrap();
    let logs = session(ID, "/srv/larkspur/tree", "I am done.");
    let long = (deedcheck::source::LONGEST_LINE + 1) as u64;
    let endless = std::io::repeat(b'x').take(long);
    let whole = logs
        .as_bytes()
        .chain(endless)
        .chain(&b"\n"[..])
        .chain(logs.as_bytes());
    let packed = zstd::encode_all(whole, 1).unwrap();
    assert!(packed.len() < 1 << 20);
    fs::write(dir.path().join("a.jsonl.zst"), packed).unwrap();
    let said = run(
        dir.path(),
        &[
            "grade",
            "a.jsonl.zst",
            "--format",
            "jsonl",
            "--fail-on",
            "never",
        ],
    );
    assert_eq!(said.code, 0, "{}", said.err);
    let row: Value = serde_json::from_str(said.out.lines().next().unwrap()).unwrap();
    let at = &row["quarantine"][0];
    assert_eq!(
        (&at["reason"], &at["line"]),
        (&json!("too-long"), &json!(5)),
        "{row}"
    );
}

/// A record was graded again on one thread only.
#[test]
fn threads_change_no_byte_of_what_is_graded_again() {
    let dir = graded("All 12 tests pass.");
    let packed = fs::read(dir.path().join("run/records.jsonl.zst")).unwrap();
    let record = dir.path().join("record");
    fs::write(&record, &packed).unwrap();
    let frames = |path: &Path| {
        let file = fs::File::open(path).unwrap();
        deedcheck::record::frames(&file).map(|frames| frames.len())
    };
    assert_eq!(frames(&record), Some(3), "a head and two families");
    for jobs in ["1", "5"] {
        let out = format!("sums-{jobs}.json");
        let private = format!("run-{jobs}");
        let args = [
            "regrade",
            "--from",
            "run",
            "--quiet",
            "--jobs",
            jobs,
            "--out",
            &out,
            "--out-private",
            &private,
        ];
        assert!(matches!(run(dir.path(), &args).code, 0 | 1));
        for (one, other) in [
            ("sums.json".to_owned(), out),
            (
                "run/grades.jsonl".to_owned(),
                format!("{private}/grades.jsonl"),
            ),
        ] {
            let read = |name: &str| fs::read(dir.path().join(name)).unwrap();
            assert!(read(&one) == read(&other), "{other}");
        }
    }
    // In one frame, it is read in one go.
    let text = zstd::decode_all(packed.as_slice()).unwrap();
    let mut whole = fs::File::create(&record).unwrap();
    whole
        .write_all(&zstd::encode_all(text.as_slice(), 3).unwrap())
        .unwrap();
    let policy = deedcheck::pipeline::Policy::default();
    let graded = deedcheck::pipeline::regrade(fs::File::open(&record).unwrap(), &policy).unwrap();
    assert_eq!(graded.files.len(), 2);
}
