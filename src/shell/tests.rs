//! Hostile and arbitrary texts: no panic, linear cost, spans in range and in order.

mod nested;

use proptest::prelude::*;

use super::{Access, Effect, Exit, Host, Joint, Mask, Script, Visible, read, read_powershell};

/// Bytes looked at for each byte of text, at most: the nesting bound times the few passes of each level.
const FACTOR: usize = 64;

fn sound(command: &str) -> Script<'_> {
    let script = read(command);
    assert!(
        script.steps() <= FACTOR * command.len() + 64,
        "{} steps for {} bytes",
        script.steps(),
        command.len()
    );
    for simple in &script.commands {
        assert!(
            command.get(simple.span.clone()).is_some(),
            "{:?} in {command:?}",
            simple.span
        );
        if !script.parsed {
            assert_eq!(simple.status, Visible::Masked(Mask::Unread));
        }
    }
    // A heredoc's commands run before what follows on its first line, those of a redirection's target
    // stand behind those of the words, and `find` launches from within its words.
    if !command.contains(['<', '>']) && !command.contains("exec") {
        let starts: Vec<usize> = script
            .commands
            .iter()
            .filter(|simple| !simple.words.is_empty())
            .map(|simple| simple.span.start)
            .collect();
        assert!(starts.is_sorted(), "out of order: {command:?} {starts:?}");
    }
    if let Exit::Of(index) = script.exit {
        assert_eq!(script.commands[index].status, Visible::Shown);
    }
    if !script.parsed {
        assert!(script.effect() >= Effect::Unknown);
    }
    script
}

/// What hostile texts repeat.
const UNITS: &[&str] = &[
    "(",
    "$(",
    "$((",
    "((",
    "`",
    "\"",
    "'",
    "\"$(",
    "${",
    "${x:-",
    "{ ",
    "if ",
    "if x; then ",
    "while ",
    "case x in a) ",
    "for x in ",
    "! ",
    "a|",
    "a&&",
    "a||",
    "a;",
    ";",
    "&",
    "|",
    "\\",
    "\\\n",
    "<<A ",
    "<<A\n",
    "$(<<A\n",
    "$(cat <<A\nA)",
    "a=(",
    "f() ",
    "<(",
    ">(",
    "$'",
    "\0",
    "#",
    "# \n",
    "[[ ",
    "[[ a ]] ",
    "bash -c ",
    "bash -c '",
    "eval ",
    "sudo ",
    "env A=b ",
    "xargs ",
    "find -exec ",
    "timeout 1 ",
    "cd a; ",
    "cd aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa && ",
    "rc=$?; ",
    "echo $?; ",
    "echo $rc; ",
    "x=$?; echo $x; ",
    "\u{1F600}",
    "é$(",
    "a\r\n",
    ">",
    "2>&1 ",
    "<<<",
    "$",
    "$((a) ",
    "\"$((\" ",
    "a\\`",
    "`\\`",
    "?(",
    "esac ",
    "fi ",
    "done ",
    ") ",
    "} ",
    "true && ",
    "\\$(",
    "-",
    "git -C ",
    "awk '{print",
    "sed -i ",
    "python -m ",
    "open(",
    "coverage run -m ",
    "ssh h ",
    "docker exec c ",
    "trap '",
    "cat <<A | sh\n",
];

#[test]
fn hostile_texts_cost_linear_time() {
    let n = 20_000;
    for unit in UNITS {
        let text = unit.repeat(n / unit.len().max(1));
        let script = sound(&text);
        assert!(script.commands.len() <= text.len());
        sound(&format!("cargo test; {text}"));
    }
    assert!(!sound(&"(".repeat(100_000)).parsed);
    assert!(!sound(&"$(".repeat(100_000)).parsed);
    assert!(sound(&"<<A ".repeat(10_000)).parsed);
    sound(&";".repeat(1_000_000));
}

#[test]
fn nested_shell_texts_are_bounded() {
    let mut text = String::from("rm x");
    for _ in 0..4 {
        text = format!(
            "bash -c \"{}\"",
            text.replace('\\', "\\\\").replace('"', "\\\"")
        );
    }
    let script = sound(&text);
    assert!(script.parsed);
    assert_eq!(
        script
            .commands
            .last()
            .map(|simple| simple.words.join(" "))
            .as_deref(),
        Some("rm x")
    );
    let deep = format!("{}ls", "eval eval ".repeat(200));
    assert!(!sound(&deep).parsed || sound(&deep).commands.len() == 1);
}

#[test]
fn spans_point_into_the_original_text() {
    let command = "cd é && bash -c 'rm x; ls' | tail; ssh h \"git \\$x push\" > 'o p'";
    let script = sound(command);
    let texts: Vec<&str> = script
        .commands
        .iter()
        .map(|simple| simple.text(command))
        .collect();
    assert_eq!(
        texts,
        ["cd é", "rm x", "ls", "tail", "\"git \\$x push\"", "'o p'"]
    );
    assert_eq!(script.commands[4].host, Host::Remote);
    assert_eq!(script.commands[4].words, ["git", "$x", "push"]);
}

#[test]
fn joints_pipelines_and_directories() {
    let script = sound("cd a && ls | wc -l; (cd b; make test) || rm x & pwd");
    let rows: Vec<_> = script
        .commands
        .iter()
        .map(|s| {
            (
                s.words.join(" "),
                s.joint,
                s.pipeline,
                s.last_in_pipeline,
                s.background,
                s.cwd.as_deref().map(str::to_owned),
            )
        })
        .collect();
    let row = |words: &str, joint, pipeline, last, background, cwd: Option<&str>| {
        (
            words.to_owned(),
            joint,
            pipeline,
            last,
            background,
            cwd.map(str::to_owned),
        )
    };
    assert_eq!(
        rows,
        [
            row("cd a", Joint::Start, 0, true, false, None),
            row("ls", Joint::And, 1, false, false, Some("a")),
            row("wc -l", Joint::Pipe, 1, true, false, Some("a")),
            row("cd b", Joint::Seq, 2, true, true, Some("a")),
            row("make test", Joint::Seq, 3, true, true, Some("a/b")),
            row("rm x", Joint::Or, 4, true, true, Some("a")),
            row("pwd", Joint::Background, 5, true, false, Some("a")),
        ]
    );
}

#[test]
fn a_function_is_told_by_its_parentheses() {
    let deferred = |s: &super::Simple<'_>| s.status == Visible::Masked(Mask::Deferred);
    for command in [
        "build() { make; }",
        "build (  ) { make; }",
        "function build { make; }",
    ] {
        let script = sound(command);
        let bodies: Vec<_> = script
            .commands
            .iter()
            .map(|s| (s.words.join(" "), deferred(s)))
            .collect();
        assert_eq!(bodies, [("make".to_owned(), true)], "{command}");
    }
    for command in ["build (make)", "build now() { make; }"] {
        assert!(!sound(command).commands.iter().any(deferred), "{command}");
    }
}

#[test]
fn touches_name_paths_as_written() {
    for (command, touches) in [
        ("cat src/lib.rs", &[("src/lib.rs", Access::Read)][..]),
        (
            "sed -n '1,40p' a.rs b.rs",
            &[("a.rs", Access::Read), ("b.rs", Access::Read)],
        ),
        ("sed -i '' 's/a/b/' a.rs", &[("a.rs", Access::Write)]),
        ("sed -i -e s/a/b/ a.rs", &[("a.rs", Access::Write)]),
        ("grep -rn -e x src", &[("src", Access::Read)]),
        ("grep -A 3 x f", &[("f", Access::Read)]),
        (
            "rm -rf a 'b c'",
            &[("a", Access::Delete), ("b c", Access::Delete)],
        ),
        ("mv a b", &[("a", Access::Move), ("b", Access::Write)]),
        (
            "cp -r a b c/",
            &[
                ("a", Access::Read),
                ("b", Access::Read),
                ("c/", Access::Write),
            ],
        ),
        ("mkdir -p -m 755 a/b", &[("a/b", Access::Create)]),
        ("echo x >> 'a b' 2>/dev/null", &[("a b", Access::Write)]),
        ("tee -a f < x", &[("f", Access::Write), ("x", Access::Read)]),
        (
            "dd if=a of=b bs=1",
            &[("a", Access::Read), ("b", Access::Write)],
        ),
        ("curl -sSLo f http://x", &[("f", Access::Write)]),
        ("git mv a b", &[("a", Access::Move), ("b", Access::Write)]),
        ("git checkout main -- a", &[("a", Access::Write)]),
        (
            "python3 -c \"open('a','w').write('x')\"",
            &[("a", Access::Write)],
        ),
        (
            "node -e \"fs.writeFileSync('a', 'x')\"",
            &[("a", Access::Write)],
        ),
        ("find src -name x -delete", &[("src", Access::Delete)]),
        ("head -n 5 f", &[("f", Access::Read)]),
        ("[ -f x.y ]", &[("x.y", Access::Read)]),
    ] {
        let script = sound(command);
        let found: Vec<_> = script.commands[0]
            .touches
            .iter()
            .map(|touch| (touch.path.as_ref(), touch.access))
            .collect();
        assert_eq!(found, touches, "{command}");
    }
}

#[test]
fn the_exit_status_is_of_one_command_of_none_or_unclear() {
    for (command, exit) in [
        ("cargo test", Exit::Of(0)),
        ("cd a && cargo test", Exit::Of(1)),
        ("cargo test | tail", Exit::Of(1)),
        ("cargo test; echo done", Exit::Fixed),
        ("cargo test || true", Exit::Unclear),
        ("cargo test; exit 0", Exit::Fixed),
        ("cargo test; exit $?", Exit::Of(0)),
        ("x=$(cargo test)", Exit::Of(1)),
        ("cargo test &", Exit::Fixed),
        ("", Exit::Fixed),
        ("for x in a; do cargo test; done", Exit::Unclear),
        ("cargo test; (", Exit::Unclear),
    ] {
        assert_eq!(sound(command).exit, exit, "{command}");
    }
}

#[test]
fn patches_and_redirected_effects() {
    let script = sound(
        "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.rs\n*** Add File: b.rs\n*** Delete File: c\nEOF",
    );
    let found: Vec<_> = script.commands[0]
        .touches
        .iter()
        .map(|touch| (touch.path.as_ref(), touch.access))
        .collect();
    assert_eq!(
        found,
        [
            ("a.rs", Access::Write),
            ("b.rs", Access::Create),
            ("c", Access::Delete)
        ]
    );
    let script = sound("./x > /tmp/log");
    assert_eq!(
        (script.commands[0].effect, script.commands[0].own),
        (Effect::Mutate, Effect::Unknown)
    );
    let script = sound("sed -i s/a/b/ f && cargo test; cat f");
    let after: Vec<_> = script
        .after_last_mutation(super::Domain::Workspace)
        .iter()
        .map(|s| s.program.as_ref())
        .collect();
    assert_eq!(after, ["cargo", "cat"]);
}

#[test]
fn powershell_is_never_guessed() {
    let script = read_powershell("Get-ChildItem | Select-Object Name; git status");
    assert_eq!(script.effect(), Effect::Unknown);
    assert_eq!(script.verify(), None);
    assert!(!script.parsed);
    assert_eq!(script.commands.len(), 3);
    assert_eq!(script.commands[2].words, ["git", "status"]);
}

proptest! {
    #[test]
    fn any_text_is_read(text in any::<String>()) {
        sound(&text);
        prop_assert!(read_powershell(&text).commands.len() <= text.len());
    }

    #[test]
    fn any_shell_like_text_is_read(parts in proptest::collection::vec(prop_oneof![
        Just("a"), Just(" "), Just("\n"), Just(";"), Just("&"), Just("&&"), Just("|"), Just("||"), Just("("), Just(")"), Just("{ "), Just("}"),
        Just("$("), Just("$(("), Just("))"), Just("`"), Just("'"), Just("\""), Just("\\"), Just("$'"), Just("${"), Just("<<E\n"), Just("<<-'E'\n"),
        Just("\nE\n"), Just("E"), Just("<"), Just(">"), Just("2>&1"), Just("if "), Just("then "), Just("else "), Just("fi"), Just("do "), Just("done"),
        Just("while "), Just("for x in "), Just("case x in "), Just("esac"), Just(";;"), Just("[[ "), Just("]]"), Just("f()"), Just("x=("), Just("é"),
        Just("#"), Just("!"), Just("bash -c "), Just("eval "), Just("sudo "), Just("find . -exec "), Just("xargs "), Just("ssh h "), Just("set -e"),
        Just("$?"), Just("cd "), Just("exit 1"), Just("cargo test"), Just("\r\n"), Just("\0"), Just("=")
    ], 0..40)) {
        sound(&parts.concat());
    }
}
