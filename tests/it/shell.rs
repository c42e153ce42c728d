//! The shell reader against labelled commands.

use std::path::PathBuf;

use deedcheck::shell::{self, Domain, Effect, Mask, Simple, Verify, Visible};
use serde_json::Value;

/// Cases of this folder, or of the one that `DEEDCHECK_CASES` names.
fn cases(name: &str) -> Vec<Value> {
    let own = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let path = std::env::var_os("DEEDCHECK_CASES")
        .map(|folder| PathBuf::from(folder).join(name))
        .filter(|path| path.exists())
        .unwrap_or_else(|| own.join(name));
    let read = std::fs::read_to_string(&path).map_err(|error| error.to_string());
    let document = read
        .and_then(|text| serde_json::from_str::<Value>(&text).map_err(|error| error.to_string()));
    match document
        .as_ref()
        .map(|document| document["cases"].as_array())
    {
        Ok(Some(cases)) => cases.clone(),
        other => panic!("{}: {other:?}", path.display()),
    }
}

#[expect(
    clippy::print_stdout,
    reason = "how many cases ran shows with --nocapture"
)]
fn counted(name: &str, cases: &[Value]) {
    println!("{name}: {} cases", cases.len());
}

fn effect(effect: Effect) -> &'static str {
    match effect {
        Effect::None => "none",
        Effect::Read => "read",
        Effect::Unknown => "unknown",
        Effect::Mutate => "mutate",
    }
}

fn domain(domain: Option<Domain>) -> Value {
    match domain {
        None => Value::Null,
        Some(Domain::Workspace) => "workspace".into(),
        Some(Domain::Repo) => "repo".into(),
        Some(Domain::Scratch) => "scratch".into(),
        Some(Domain::Environment) => "environment".into(),
        Some(Domain::Remote) => "remote".into(),
    }
}

#[test]
fn every_label_of_the_shell_cases_holds() {
    let cases = cases("shell.json");
    let mut wrong = Vec::new();
    for case in &cases {
        let command = case["cmd"].as_str().unwrap();
        let script = shell::read(command);
        let got = (
            effect(script.effect()),
            script.verify().is_some(),
            domain(script.domain()),
        );
        let want = (
            case["effect"].as_str().unwrap(),
            case["verify"].as_bool().unwrap(),
            case["domain"].clone(),
        );
        if got != want || !script.parsed {
            wrong.push(format!(
                "{command:?}: got {got:?}, want {want:?}, parsed {}",
                script.parsed
            ));
        }
    }
    counted("shell.json", &cases);
    assert!(!cases.is_empty(), "no cases");
    assert!(
        wrong.is_empty(),
        "{} of {} wrong:\n{}",
        wrong.len(),
        cases.len(),
        wrong.join("\n")
    );
}

fn status(command: &Simple<'_>) -> &'static str {
    match command.status {
        Visible::Shown => "shown",
        Visible::Implied => "implied",
        Visible::Masked(Mask::Printed) => "printed",
        Visible::Masked(_) => "masked",
    }
}

#[test]
fn whose_exit_status_shows() {
    let cases = cases("masked-exit.json");
    let mut wrong = Vec::new();
    for case in &cases {
        let command = case["cmd"].as_str().unwrap();
        let script = shell::read(command);
        let verifier = case["verifier"].as_str().unwrap().replace('\'', "");
        let found: Vec<_> = script
            .commands
            .iter()
            .filter(|simple| simple.words.join(" ") == verifier)
            .map(status)
            .collect();
        let want = case["status"].as_str().unwrap();
        if found != [want] {
            wrong.push(format!("{command:?}: {verifier} is {found:?}, want {want}"));
        }
    }
    counted("masked-exit.json", &cases);
    assert!(cases.len() > 100);
    assert!(
        wrong.is_empty(),
        "{} of {} wrong:\n{}",
        wrong.len(),
        cases.len(),
        wrong.join("\n")
    );
}

/// affaan-m/ECC#2886, `destructive_command_guard`#341: what stands in a heredoc is data unless a shell reads it.
#[test]
fn heredocs_are_data_unless_a_shell_reads_them() {
    let words = |command: &str| -> Vec<String> {
        let script = shell::read(command);
        assert!(script.parsed, "{command:?}");
        script
            .commands
            .iter()
            .map(|simple| simple.words.join(" "))
            .collect()
    };
    assert_eq!(
        words("cat > notes.md <<'EOF'\ngit checkout -- foo.ts\nEOF"),
        ["cat"]
    );
    assert_eq!(
        words("bash <<'EOF'\ngit reset --hard\nEOF"),
        ["git reset --hard"]
    );
    assert_eq!(
        words("git commit -F - <<EOF\nrows restore byte identical\nEOF"),
        ["git commit -F -"]
    );
    assert_eq!(words("cat <<EOF; rm -rf ~"), ["cat", "rm -rf ~"]);
    assert_eq!(
        words("cat <<A <<'B' && rm x\n1\nA\n2\nB\nls"),
        ["cat", "rm x", "ls"]
    );
    assert_eq!(words("cat <<-EOF\n\tx\n\tEOF\nls"), ["cat", "ls"]);
    assert_eq!(words("cat <<EOF\n$(rm x)\nEOF"), ["cat", "rm x"]);
    assert_eq!(words("cat <<'EOF'\n$(rm x)\nEOF"), ["cat"]);
    assert_eq!(words("cat <<'EOF' | sh\nrm x\nEOF"), ["cat", "rm x"]);
    assert_eq!(
        words("git commit -m \"$(cat <<'EOF'\nit's (done)\nEOF\n)\" && ls"),
        [
            "git commit -m $(cat <<'EOF'\nit's (done)\nEOF\n)",
            "cat",
            "ls"
        ]
    );
    let passwd = shell::read("cat <<EOF > /etc/passwd");
    assert_eq!(
        (passwd.effect(), passwd.domain()),
        (Effect::Mutate, Some(Domain::Environment))
    );
    let committed = shell::read("git commit -F - <<EOF\nrows restore byte identical\nEOF");
    assert_eq!(committed.domain(), Some(Domain::Repo));
}

/// Help, versions, listings and plans run no test (anthropics/claude-code#92505).
#[test]
fn what_only_lists_or_helps_verifies_nothing() {
    for command in [
        "pytest --collect-only",
        "pytest --version",
        "pytest --help",
        "grep -rn pytest .",
        "cargo test -- --list",
        "cargo --version",
        "jest --listTests",
        "make -n test",
        "echo cargo test",
        "tsc --version",
        "ls tests",
        "cat test.log",
        "npm ls jest",
        "which pytest",
        "git commit -m 'cargo test passes'",
        "cargo fmt",
        "eslint --fix .",
        "jest -u",
        "INSTA_UPDATE=always cargo test",
        "npm run lint:fix",
        "prettier --write .",
        "./test.sh",
        "tox --list",
        "ctest -N",
        "go test -list .",
        "black .",
    ] {
        assert_eq!(shell::read(command).verify(), None, "{command}");
    }
}

/// Runners, wrapped and plain, each with its kind.
#[test]
fn runners_verify() {
    for (command, kind) in [
        ("python -m pytest -q", Verify::Test),
        ("python3 -m unittest", Verify::Test),
        ("tox", Verify::Test),
        ("bun test", Verify::Test),
        ("npx vitest run", Verify::Test),
        ("npx -y jest", Verify::Test),
        ("pnpm --filter web test", Verify::Test),
        ("yarn test:unit", Verify::Test),
        ("poetry run pytest", Verify::Test),
        ("uv run --with x pytest -q", Verify::Test),
        ("uv run -m pytest", Verify::Test),
        ("mise run test", Verify::Test),
        ("make test", Verify::Test),
        ("make -C sub -j 4 check", Verify::Lint),
        ("make", Verify::Build),
        ("./gradlew :app:testDebugUnitTest", Verify::Test),
        ("mvn -q test", Verify::Test),
        ("cargo nextest run", Verify::Test),
        ("cargo +nightly test", Verify::Test),
        ("cargo check", Verify::Typecheck),
        ("npx tsc --noEmit", Verify::Typecheck),
        ("mypy src", Verify::Typecheck),
        ("black --check .", Verify::Format),
        ("prettier --check .", Verify::Format),
        ("gofmt -l .", Verify::Format),
        ("pre-commit run -a", Verify::Lint),
        ("golangci-lint run", Verify::Lint),
        ("shellcheck a.sh", Verify::Lint),
        ("bash -n a.sh", Verify::Lint),
        ("npm run -s test", Verify::Test),
        ("npm --prefix web run build", Verify::Build),
        ("docker compose exec web pytest", Verify::Test),
        ("dotnet test", Verify::Test),
        ("swift test", Verify::Test),
        ("bundle exec rspec", Verify::Test),
        ("phpunit", Verify::Test),
        ("bazel test //...", Verify::Test),
        ("node --test", Verify::Test),
        ("deno test", Verify::Test),
        ("go vet ./...", Verify::Lint),
        ("node_modules/.bin/jest", Verify::Test),
        ("venv/bin/pytest", Verify::Test),
        ("just test", Verify::Test),
        ("mvn clean install", Verify::Test),
        ("nix develop -c cargo test", Verify::Test),
        ("turbo run build", Verify::Build),
        ("cargo test --no-run", Verify::Build),
        ("npm t", Verify::Test),
        ("ninja -C build", Verify::Build),
        ("cmake --build build", Verify::Build),
        ("python -m mypy .", Verify::Typecheck),
    ] {
        let script = shell::read(command);
        assert_eq!(
            (script.verify(), script.effect()),
            (Some(kind), Effect::Read),
            "{command}"
        );
    }
}

const PLACES: &[(&str, Effect, Option<Domain>)] = &[
    ("cat a 2>&1", Effect::Read, Some(Domain::Workspace)),
    ("cat a &> /dev/null", Effect::Read, Some(Domain::Workspace)),
    ("cat a &> out.txt", Effect::Mutate, Some(Domain::Workspace)),
    ("cat a >& out.txt", Effect::Mutate, Some(Domain::Workspace)),
    ("echo 'a -> b' \"c > d\"", Effect::None, None),
    ("grep '->' f", Effect::Read, Some(Domain::Workspace)),
    (
        "awk '$1 > 3 {print $2}' f",
        Effect::Read,
        Some(Domain::Workspace),
    ),
    (
        "awk '{print $1 >> \"o\"}' f",
        Effect::Mutate,
        Some(Domain::Workspace),
    ),
    ("sort f | tee o", Effect::Mutate, Some(Domain::Workspace)),
    (
        "curl -sSo f http://x",
        Effect::Mutate,
        Some(Domain::Workspace),
    ),
    (
        "curl -so /dev/null http://x",
        Effect::Read,
        Some(Domain::Remote),
    ),
    (
        "curl --data x http://x",
        Effect::Mutate,
        Some(Domain::Remote),
    ),
    (
        "curl -s http://x | jq .",
        Effect::Read,
        Some(Domain::Remote),
    ),
    (
        "gh api repos/x --method GET -f a=b",
        Effect::Read,
        Some(Domain::Remote),
    ),
    (
        "gh api repos/x -f a=b",
        Effect::Mutate,
        Some(Domain::Remote),
    ),
    ("git log | head", Effect::Read, Some(Domain::Repo)),
    ("echo src/a.rs | cat", Effect::None, None),
    (
        "find . -name x | xargs rm",
        Effect::Mutate,
        Some(Domain::Workspace),
    ),
    (
        "find . -name x -exec sed -i s/a/b/ {} ';'",
        Effect::Mutate,
        Some(Domain::Workspace),
    ),
    ("dd if=a of=b", Effect::Mutate, Some(Domain::Workspace)),
    ("rm -rf target/debug", Effect::Mutate, Some(Domain::Scratch)),
    ("rm -rf node_modules", Effect::Mutate, Some(Domain::Scratch)),
    ("echo x > /tmp/a", Effect::Mutate, Some(Domain::Scratch)),
    ("cd /tmp && touch a", Effect::Mutate, Some(Domain::Scratch)),
    (
        "cd /tmp && touch ../a",
        Effect::Mutate,
        Some(Domain::Workspace),
    ),
    (
        "T=$(mktemp) && cat a > \"$T\"",
        Effect::Mutate,
        Some(Domain::Scratch),
    ),
    ("cp /tmp/a src/b", Effect::Mutate, Some(Domain::Workspace)),
    ("cp src/a /tmp/b", Effect::Mutate, Some(Domain::Scratch)),
    ("cat x > out", Effect::Mutate, Some(Domain::Workspace)),
    (
        "sudo tee /etc/x < y",
        Effect::Mutate,
        Some(Domain::Environment),
    ),
    (
        "git -C sub -c a=b commit -m x",
        Effect::Mutate,
        Some(Domain::Repo),
    ),
    ("git push --dry-run", Effect::Read, Some(Domain::Remote)),
    ("git checkout -- a", Effect::Mutate, Some(Domain::Workspace)),
    ("git apply --check p", Effect::Read, Some(Domain::Workspace)),
    (
        "docker exec c rm x",
        Effect::Mutate,
        Some(Domain::Environment),
    ),
    (
        "docker exec -it c ls",
        Effect::Read,
        Some(Domain::Environment),
    ),
    (
        "ssh -p 22 h 'cd x && rm y'",
        Effect::Mutate,
        Some(Domain::Remote),
    ),
    (
        "ssh h <<'EOF'\nrm x\nEOF",
        Effect::Mutate,
        Some(Domain::Remote),
    ),
    (
        "kubectl exec p -- rm x",
        Effect::Mutate,
        Some(Domain::Remote),
    ),
    (
        "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.rs\nEOF",
        Effect::Mutate,
        Some(Domain::Workspace),
    ),
    (
        "python3 - <<'EOF'\nopen('a', 'w').write('x')\nEOF",
        Effect::Mutate,
        Some(Domain::Workspace),
    ),
    (
        "python3 - <<'EOF'\nprint(open('a').read())\nEOF",
        Effect::Unknown,
        None,
    ),
    (
        "python3 -c 'import sys; sys.stdout.write(\"x\")'",
        Effect::Unknown,
        None,
    ),
    (
        "node -e \"require('fs').unlinkSync('a')\"",
        Effect::Mutate,
        Some(Domain::Workspace),
    ),
    (
        "npm install -g x",
        Effect::Mutate,
        Some(Domain::Environment),
    ),
    (
        "golangci-lint run --fix=false",
        Effect::Read,
        Some(Domain::Workspace),
    ),
    ("$CMD x", Effect::Unknown, None),
    ("./test.sh", Effect::Unknown, None),
    (
        ". venv/bin/activate && ls",
        Effect::Read,
        Some(Domain::Workspace),
    ),
    ("a=(1 $(rm x) 3)", Effect::Mutate, Some(Domain::Workspace)),
    (
        "echo $((1 + $(rm x; echo 2)))",
        Effect::Mutate,
        Some(Domain::Workspace),
    ),
    (
        "[[ -f a && $x =~ ^(b|c)$ ]] || rm a",
        Effect::Mutate,
        Some(Domain::Workspace),
    ),
    (
        "echo ${x:-$(rm y)}",
        Effect::Mutate,
        Some(Domain::Workspace),
    ),
    (
        "cat <<< \"$(rm y)\"",
        Effect::Mutate,
        Some(Domain::Workspace),
    ),
    ("printf '%s' $'it\\'s > x'", Effect::None, None),
    (
        "case $x in *.rs|a) rm y ;; (b) ls ;; esac",
        Effect::Mutate,
        Some(Domain::Workspace),
    ),
    ("ls (", Effect::Unknown, None),
];

/// What redirections, paths, options and places add to the table (GATE §8).
#[test]
fn effects_follow_options_paths_and_places() {
    for (command, want, place) in PLACES.iter().copied() {
        let script = shell::read(command);
        assert_eq!(
            (script.effect(), script.domain()),
            (want, place),
            "{command}"
        );
        assert_eq!(script.parsed, command != "ls (", "{command}");
    }
}
