//! What lines of tests look like: declarations, assertions, marks that leave a test out.

/// Whether a path is that of test code.
pub(super) fn is_test_path(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let name = lower.rsplit('/').next().unwrap_or("");
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    const CODE: &str = " py rs go js jsx ts tsx mjs cjs mts cts rb java kt kts cs swift php scala c cc cpp cxx h hpp m \
                        ex exs erl clj dart lua jl r sh bats vue svelte hs ml fs groovy pl t ";
    if !CODE.contains(&format!(" {ending} ")) || is_fixture(&lower) {
        return false;
    }
    let folder = lower.rsplit('/').skip(1).any(|part| {
        matches!(
            part,
            "test"
                | "tests"
                | "__tests__"
                | "spec"
                | "specs"
                | "e2e"
                | "testing"
                | "unittests"
                | "integration-tests"
                | "integration_tests"
                | "e2e-tests"
                | "androidtest"
        )
    });
    let words = ["test", "tests", "spec", "specs", "e2e"];
    let named = stem
        .split(['_', '.', '-'])
        .any(|part| words.contains(&part));
    folder || named || test_class(path).is_some()
}

/// The class of tests that a file is named after: `RateTest` of `RateTest.kt`.
pub(super) fn test_class(path: &str) -> Option<&str> {
    let own = path.rsplit('/').next().unwrap_or("");
    let own = own.split('.').next().unwrap_or("");
    let ends = ["Test", "Tests", "Spec", "TestCase"];
    ends.iter().any(|end| own.ends_with(end)).then_some(own)
}

/// Whether a path is that of data, templates or examples.
pub(super) fn is_fixture(path: &str) -> bool {
    path.to_ascii_lowercase().split('/').any(|part| {
        matches!(
            part,
            "fixtures"
                | "fixture"
                | "testdata"
                | "test-data"
                | "test_data"
                | "__fixtures__"
                | "__mocks__"
                | "mocks"
                | "examples"
                | "templates"
                | "samples"
                | "node_modules"
                | "__snapshots__"
        )
    })
}

/// A line without what stands in its quotes: quotes stay.
pub(super) fn blanked(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut open: Option<char> = None;
    let mut chars = line.chars().peekable();
    let mut before = ' ';
    while let Some(c) = chars.next() {
        match open {
            Some(_) if c == '\\' => {
                chars.next();
            }
            Some(quote) if c == quote => {
                open = None;
                out.push(c);
            }
            Some(_) => {}
            None => {
                // An apostrophe behind a letter is a lifetime or prose, unless it is a prefix.
                let quote = c == '"' || c == '`' || c == '\'' && !(before == '&' || before == '<');
                if quote && line_has_more(&chars, c) {
                    open = Some(c);
                }
                out.push(c);
            }
        }
        before = c;
    }
    out
}

fn line_has_more(rest: &std::iter::Peekable<std::str::Chars<'_>>, quote: char) -> bool {
    rest.clone().any(|c| c == quote)
}

/// Whether a line is only a comment.
pub(super) fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    let hash = line.starts_with('#') && !line.starts_with("#[");
    hash || ["//", "/*", "* ", "--", "<!--", "\"\"\""]
        .iter()
        .any(|head| line.starts_with(head))
}

fn name_after<'l>(line: &'l str, head: &str) -> Option<&'l str> {
    let rest = line.strip_prefix(head)?;
    let end = rest
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(rest.len());
    (end > 0).then_some(&rest[..end])
}

fn quoted(text: &str) -> Option<&str> {
    let text = text.trim_start_matches(['(', ' ']);
    let quote = text
        .chars()
        .next()
        .filter(|c| matches!(c, '"' | '\'' | '`'))?;
    let rest = &text[1..];
    let end = rest.find(quote)?;
    (end > 1).then_some(&rest[..end])
}

/// The name of the test that a line declares. `marked` tells that the line before marks one.
pub(super) fn test_name(line: &str, marked: bool) -> Option<&str> {
    let mut line = line.trim();
    for word in [
        "export ",
        "default ",
        "pub ",
        "public ",
        "private ",
        "internal ",
        "final ",
        "static ",
        "override ",
        "suspend ",
        "async ",
        "unsafe ",
        "pub(crate) ",
    ] {
        line = line.strip_prefix(word).unwrap_or(line);
    }
    if let Some(name) = name_after(line, "def ") {
        let own = name.starts_with("test");
        return own.then_some(name);
    }
    if let Some(rest) = line.strip_prefix("func ") {
        let rest = match rest.strip_prefix('(') {
            Some(method) => method.split_once(") ").map_or(rest, |(_, rest)| rest),
            None => rest,
        };
        let name = name_after(rest, "")?;
        let own = ["Test", "Benchmark", "Fuzz", "Example", "test"]
            .iter()
            .any(|head| name.starts_with(head));
        return own.then_some(name);
    }
    if let Some(name) = name_after(line, "fn ") {
        return (marked || name.starts_with("test_")).then_some(name);
    }
    called(line).or_else(|| method(line, marked))
}

/// `it("name", …)`, `test.only("name", …)`, `t.Run("name", …)`.
fn called(line: &str) -> Option<&str> {
    for head in [
        "it",
        "test",
        "describe",
        "specify",
        "context",
        "scenario",
        "t.Run",
        "xit",
        "xdescribe",
    ] {
        let Some(rest) = line.strip_prefix(head) else {
            continue;
        };
        let rest = [".only", ".skip", ".concurrent", ".todo", ".fails", ".fixme"]
            .iter()
            .find_map(|tail| rest.strip_prefix(tail))
            .unwrap_or(rest);
        if rest.starts_with(['(', ' '])
            && let Some(name) = quoted(rest)
        {
            return Some(name);
        }
    }
    None
}

/// `void testName()`, and any name where a mark stands above.
fn method(line: &str, marked: bool) -> Option<&str> {
    for head in ["void ", "fun ", "Task ", "function "] {
        if let Some(name) = name_after(line, head)
            && (marked || name.starts_with("test") || name.starts_with("Test"))
        {
            return Some(name);
        }
    }
    None
}

/// Whether a line marks the next declaration as a test.
pub(super) fn marks_test(line: &str) -> bool {
    let line = line.trim();
    line.starts_with("#[") && line.contains("test")
        || [
            "@Test",
            "@ParameterizedTest",
            "[Fact",
            "[Theory",
            "[Test",
            "[TestMethod",
        ]
        .iter()
        .any(|mark| line.starts_with(mark))
}

/// Whether a line asserts something.
pub(super) fn is_assertion(line: &str) -> bool {
    if is_comment(line) {
        return false;
    }
    let line = line.trim_start();
    // What stops a test whose preparation fails asks nothing of the code.
    let stops = line.contains("t.Fatal") || line.contains("t.Error");
    let told = ["want", "expect", "got", "should", "!=", "=="]
        .iter()
        .any(|word| line.contains(word));
    if stops && line.contains("err)") && !told {
        return false;
    }
    const INSIDE: [&str; 12] = [
        "expect(",
        "EXPECT_",
        "ASSERT_",
        "XCTAssert",
        "t.Error",
        "t.Fatal",
        ".should.",
        ".should(",
        "assertThat",
        "pytest.raises",
        "expectError",
        "assertRaises",
    ];
    const HEADS: [&str; 12] = [
        "assert",
        "self.assert",
        "await expect",
        "await assert",
        "require.",
        "Assert.",
        "debug_assert",
        "is.",
        "this.assert",
        "$this->assert",
        "insta::assert",
        "self.fail",
    ];
    HEADS.iter().any(|head| line.starts_with(head)) && !line.starts_with("require.resolve")
        || INSIDE.iter().any(|mark| line.contains(mark))
}

/// Whether a line leaves a test out. Such as do so on a condition only are none, see
/// [`is_conditional`].
pub(super) fn is_skip(line: &str) -> bool {
    const MARKS: [&str; 42] = [
        "mark.skip",
        "mark.xfail",
        "pytest.skip(",
        "pytest.xfail(",
        "unittest.skip",
        "unittest.expectedFailure",
        "@skip",
        "@expectedFailure",
        ".skipTest(",
        "#[ignore",
        "it.skip(",
        "test.skip(",
        "describe.skip(",
        "suite.skip(",
        "context.skip(",
        "it.skip.each",
        "test.skip.each",
        "xit(",
        "xtest(",
        "xdescribe(",
        "xcontext(",
        "it.todo(",
        "test.todo(",
        "test.fixme(",
        "it.fails(",
        "test.fails(",
        "test.failing(",
        "it.failing(",
        "@Disabled",
        "@Ignore",
        "t.Skip(",
        "t.Skipf(",
        "t.SkipNow(",
        "b.Skip(",
        "(Skip =",
        "[Ignore",
        "XCTSkip(",
        "markTestSkipped(",
        "markTestIncomplete(",
        "@tag :skip",
        "GTEST_SKIP(",
        "skip: true",
    ];
    if is_comment(line) && !line.trim_start().starts_with("#[") {
        return false;
    }
    let plain = blanked(line);
    MARKS.iter().any(|mark| {
        plain.match_indices(mark).any(|(at, _)| {
            let head = mark.starts_with(|c: char| c.is_ascii_alphabetic());
            !(head && plain[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
        })
    })
}

/// Whether a mark leaves a test out on a condition only.
pub(super) fn is_conditional(line: &str) -> bool {
    [
        "skipif",
        "skipIf",
        "skip_if",
        "skipUnless",
        "SkipUnless",
        "importorskip",
        "cfg_attr",
        "runIf",
        "EnabledOn",
    ]
    .iter()
    .any(|mark| line.contains(mark))
        && !line.contains("skipif(True")
        && !line.contains("skipIf(true")
        && !line.contains("skipIf(True")
}

/// Words of a line that are names or numbers, quotes' contents left out.
pub(super) fn tokens(plain: &str) -> impl Iterator<Item = &str> {
    plain
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
}

/// Whether a text holds a word that no letter or digit continues.
pub(super) fn holds(text: &str, word: &str) -> bool {
    if word.is_empty() {
        return false;
    }
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back().is_some_and(part);
        let after = text[at + word.len()..].chars().next().is_some_and(part);
        !(before && word.starts_with(part) || after && word.ends_with(part))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_code_is_told_by_its_path() {
        for path in [
            "/r/tests/a.py",
            "/r/src/a.test.ts",
            "/r/a_test.go",
            "/r/test_a.py",
            "/r/src/FooTest.java",
            "/r/spec/a_spec.rb",
        ] {
            assert!(is_test_path(path), "{path}");
        }
        for path in [
            "/r/src/a.py",
            "/r/tests/README.md",
            "/r/tests/fixtures/a.py",
            "/r/src/latest.rs",
            "/r/contest.py",
        ] {
            assert!(!is_test_path(path), "{path}");
        }
    }

    #[test]
    fn declarations_are_told_in_every_language() {
        for (line, name) in [
            ("    async def test_a(self):", "test_a"),
            ("func (s *Suite) TestB(t *testing.T) {", "TestB"),
            ("  it('adds two', () => {", "adds two"),
            ("test.only(\"adds\", async () => {", "adds"),
            ("  public void testC() {", "testC"),
            ("t.Run(\"sub case\", func", "sub case"),
        ] {
            assert_eq!(test_name(line, false), Some(name), "{line}");
        }
        assert_eq!(test_name("fn adds() {", true), Some("adds"));
        assert_eq!(test_name("fn adds() {", false), None);
        assert_eq!(test_name("def total():", true), None);
    }

    #[test]
    fn skips_are_marks_and_not_words() {
        for line in [
            "@pytest.mark.skip(reason='x')",
            "#[ignore]",
            "  it.skip('a', () => {",
            "\tt.Skip(\"flaky\")",
            "@Disabled",
        ] {
            assert!(is_skip(line), "{line}");
        }
        for line in [
            "exit(1)",
            "# @pytest.mark.skip",
            "await it.next()",
            "print('t.Skip(')",
        ] {
            assert!(!is_skip(line), "{line}");
        }
        assert!(is_conditional(
            "@pytest.mark.skipif(sys.platform == 'win32')"
        ));
    }

    #[test]
    fn quoted_words_are_left_out() {
        assert_eq!(blanked("assert x == 'a b'"), "assert x == ''");
        assert_eq!(blanked("fn f<'a>(x: &'a str)"), "fn f<'a>(x: &'a str)");
        assert!(holds("FAILED t.py::test_a - x", "test_a"));
        assert!(!holds("FAILED t.py::test_ab", "test_a"));
    }
}
