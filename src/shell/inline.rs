//! Programs given inline to an interpreter: what their text writes, as far as plain tokens tell.

use std::borrow::Cow;

use super::{Access, Touch};

/// Interpreter families.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    Python,
    Script,
    Ruby,
    Perl,
    Php,
}

/// Tokens that write, rename, remove or start a process (GATE §8.6).
const PYTHON: &[&str] = &[
    ".write_text(",
    ".write_bytes(",
    ".writelines(",
    ".write(",
    ".unlink(",
    ".rename(",
    ".rmtree(",
    "os.remove(",
    "os.replace(",
    ".mkdir(",
    "makedirs(",
    ".touch(",
    "shutil.",
    "subprocess",
    "os.system(",
    "os.popen(",
    ".symlink",
    ".to_csv(",
    ".savefig(",
    ".chmod(",
];
const SCRIPT: &[&str] = &[
    "writeFile",
    "appendFile",
    "createWriteStream",
    "unlink",
    "rename",
    "rmSync",
    "rmdir",
    "mkdir",
    "copyFile",
    "cpSync",
    "child_process",
    "execSync",
    "spawnSync",
    "Bun.write",
    "Deno.write",
    "Deno.remove",
    "fs.rm(",
];
const RUBY: &[&str] = &[
    "File.write",
    "FileUtils",
    ".delete(",
    "File.rename",
    "IO.write",
    "system(",
    "Dir.mkdir",
    "`",
];
const PERL: &[&str] = &["unlink", "rename", "system", "mkdir", "exec", "`"];
const PHP: &[&str] = &[
    "file_put_contents",
    "fwrite",
    "unlink",
    "rename",
    "mkdir",
    "exec(",
    "system(",
];

/// The family of an interpreter, by the name it is looked up with.
pub(super) fn language(name: &str) -> Option<Language> {
    match super::classify::key(name) {
        "python" => Some(Language::Python),
        "node" | "deno" | "bun" | "tsx" | "ts-node" => Some(Language::Script),
        "ruby" => Some(Language::Ruby),
        "perl" => Some(Language::Perl),
        "php" => Some(Language::Php),
        _ => None,
    }
}

/// The program text among the words, or the one read from standard input when no file is named.
pub(super) fn code<'w>(
    language: Language,
    words: &'w [Cow<'_, str>],
    stdin: Option<&'w str>,
) -> Option<&'w str> {
    let mut rest = words.iter().skip(1).map(AsRef::as_ref);
    while let Some(word) = rest.next() {
        let evaluates = match language {
            Language::Python => short(word, 'c'),
            Language::Script => matches!(word, "-e" | "-p" | "-pe" | "--eval" | "--print" | "eval"),
            Language::Ruby | Language::Perl => short(word, 'e') || short(word, 'E'),
            Language::Php => word == "-r",
        };
        if evaluates {
            return rest.next();
        }
        if word == "-" {
            return stdin;
        }
        if !word.starts_with('-') {
            return None;
        }
    }
    stdin
}

fn short(word: &str, letter: char) -> bool {
    word.strip_prefix('-')
        .is_some_and(|letters| !letters.starts_with('-') && letters.ends_with(letter))
}

/// Whether the text holds a token that writes or starts a process.
pub(super) fn writes(language: Language, code: &str) -> bool {
    let tokens = match language {
        Language::Python => PYTHON,
        Language::Script => SCRIPT,
        Language::Ruby => RUBY,
        Language::Perl => PERL,
        Language::Php => PHP,
    };
    tokens
        .iter()
        .any(|token| code.contains(token) && !(*token == ".write(" && only_streams(code)))
        || opens(code).any(|(_, writes)| writes)
}

/// `sys.stdout.write(…)` shows; it changes nothing.
fn only_streams(code: &str) -> bool {
    code.match_indices(".write(").all(|(at, _)| {
        let before = code.get(..at).unwrap_or_default();
        before.ends_with("stdout") || before.ends_with("stderr")
    })
}

/// Calls of `open` with a literal path, and whether each opens it to write.
fn opens(code: &str) -> impl Iterator<Item = (&str, bool)> {
    code.match_indices("open(").filter_map(|(at, call)| {
        let rest = code.get(at + call.len()..)?;
        let (path, after) = literal(rest).unwrap_or_else(|| {
            let end = rest
                .bytes()
                .take(200)
                .take_while(|b| !matches!(b, b',' | b')' | b'\n'))
                .count();
            ("", rest.get(end..).unwrap_or_default())
        });
        let mode = after
            .trim_start()
            .strip_prefix(',')
            .map(str::trim_start)
            .map(|m| m.strip_prefix("mode=").unwrap_or(m));
        let writes = mode.and_then(literal).is_some_and(|(mode, _)| {
            mode.len() <= 4 && mode.contains(['w', 'a', 'x', '+']) || mode.starts_with('>')
        });
        Some((path, writes))
    })
}

/// A short quoted string at the start of `text`, and what follows it.
fn literal(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix(['r', 'f', 'b']).unwrap_or(text);
    let quote = text
        .chars()
        .next()
        .filter(|c| matches!(c, '"' | '\'' | '`'))?;
    let inner = text.get(1..)?;
    let end = inner.bytes().take(500).position(|b| b == quote as u8)?;
    Some((inner.get(..end)?, inner.get(end + 1..)?))
}

/// Literal paths that the text reads or writes.
pub(super) fn touches<'a>(code: &str) -> Vec<Touch<'a>> {
    let mut touches = Vec::new();
    let mut add = |path: &str, access| {
        if !path.is_empty() {
            touches.push(Touch {
                path: Cow::Owned(path.to_owned()),
                access,
            });
        }
    };
    for (path, writes) in opens(code) {
        add(path, if writes { Access::Write } else { Access::Read });
    }
    for (call, access) in [
        ("writeFileSync(", Access::Write),
        ("writeFile(", Access::Write),
        ("appendFileSync(", Access::Write),
        ("readFileSync(", Access::Read),
        ("unlinkSync(", Access::Delete),
        ("os.remove(", Access::Delete),
        ("File.write(", Access::Write),
        ("File.read(", Access::Read),
        ("file_put_contents(", Access::Write),
    ] {
        for (at, _) in code.match_indices(call) {
            if let Some((path, _)) = code.get(at + call.len()..).and_then(literal) {
                add(path, access);
            }
        }
    }
    for (at, call) in code.match_indices("Path(") {
        if let Some((path, after)) = code.get(at + call.len()..).and_then(literal) {
            let method = after.strip_prefix(").").unwrap_or_default();
            if method.starts_with("write_") {
                add(path, Access::Write);
            } else if method.starts_with("read_") {
                add(path, Access::Read);
            } else if method.starts_with("unlink") {
                add(path, Access::Delete);
            }
        }
    }
    touches
}
