//! Identifiers that a close names: the claim surface of seed 000, read from prose.

use core::ops::Range;

use super::inline::RegionKind;
use super::prose::Prose;

/// A path-like or backticked token of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ident<'a> {
    /// The token, as written.
    pub text: &'a str,
    /// Its bytes.
    pub range: Range<usize>,
    /// Whether it stood in backticks.
    pub code: bool,
}

/// Extensions that make a bare `name.ext` a file name.
const EXTENSIONS: &[&str] = &[
    "astro",
    "bash",
    "bat",
    "bin",
    "c",
    "cc",
    "cfg",
    "cjs",
    "clj",
    "conf",
    "cpp",
    "cs",
    "css",
    "csv",
    "cts",
    "cue",
    "dart",
    "db",
    "desktop",
    "diff",
    "env",
    "erl",
    "ex",
    "exe",
    "exs",
    "feature",
    "fish",
    "gif",
    "gitignore",
    "go",
    "gql",
    "gradle",
    "graphql",
    "h",
    "hbs",
    "hpp",
    "hs",
    "html",
    "ico",
    "ini",
    "ipynb",
    "java",
    "jpeg",
    "jpg",
    "js",
    "json",
    "json5",
    "jsonc",
    "jsonl",
    "jsx",
    "kt",
    "kts",
    "less",
    "lock",
    "log",
    "lua",
    "m",
    "mako",
    "md",
    "mdc",
    "mdx",
    "mjs",
    "mk",
    "ml",
    "mod",
    "mp4",
    "mts",
    "nix",
    "patch",
    "pdf",
    "php",
    "pl",
    "plist",
    "png",
    "prisma",
    "properties",
    "proto",
    "ps1",
    "py",
    "pyi",
    "r",
    "rb",
    "rs",
    "rst",
    "sass",
    "scala",
    "scss",
    "service",
    "sh",
    "snap",
    "sol",
    "sql",
    "sqlite",
    "srt",
    "sum",
    "svelte",
    "svg",
    "swift",
    "tex",
    "tf",
    "toml",
    "ts",
    "tsv",
    "tsx",
    "txt",
    "vue",
    "wasm",
    "webp",
    "xml",
    "yaml",
    "yml",
    "zig",
    "zip",
    "zsh",
];

/// Words of a shell line that name no thing of the project.
const SHELL_WORDS: &[&str] = &[
    "add", "apt", "awk", "bash", "brew", "bun", "bunx", "cargo", "cat", "cd", "checkout", "chmod",
    "cmake", "commit", "cp", "curl", "deno", "diff", "docker", "echo", "eval", "exec", "export",
    "false", "fetch", "find", "gem", "gh", "git", "go", "gradle", "grep", "head", "install",
    "jest", "jq", "kill", "less", "log", "ls", "make", "merge", "mkdir", "mvn", "node", "none",
    "npm", "npx", "null", "pip", "pip3", "pnpm", "poetry", "pull", "push", "pytest", "python",
    "python3", "rebase", "rg", "rm", "ruff", "run", "sed", "sh", "show", "source", "status",
    "sudo", "tail", "test", "then", "touch", "true", "tsc", "uv", "vitest", "wc", "xargs", "yarn",
    "zsh",
];

/// Whether `token` ends in an extension that is known as one.
pub(crate) fn known_extension(token: &str) -> bool {
    let Some((stem, ext)) = token.rsplit_once('.') else {
        return false;
    };
    let name = stem.rsplit('/').next().unwrap_or(stem);
    let hidden = name.is_empty() && ext.len() > 2;
    (hidden || name.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ']' | ')')))
        && ext.len() <= 10
        && EXTENSIONS
            .binary_search(&ext.to_ascii_lowercase().as_str())
            .is_ok()
}

/// The identifiers of a text in order: GATE's claim surface (b). Fenced code and block quotes are
/// left out, because they show a file's or another's text; quotations stay, for they name things.
#[must_use]
pub fn identifiers<'a>(prose: &Prose<'a>) -> Vec<Ident<'a>> {
    let mut out = Vec::new();
    let mut at = 0;
    for region in prose.regions() {
        match region.kind {
            RegionKind::Quoted => {}
            RegionKind::Code => {
                tokens(prose, at..region.range.start, false, &mut out);
                tokens(prose, region.range.clone(), true, &mut out);
                at = region.range.end;
            }
            RegionKind::Fence | RegionKind::BlockQuote | RegionKind::Url => {
                tokens(prose, at..region.range.start, false, &mut out);
                if region.kind == RegionKind::Url
                    && prose.source()[region.range.clone()].starts_with("](")
                {
                    tokens(prose, region.range.clone(), false, &mut out);
                }
                at = region.range.end;
            }
        }
    }
    tokens(prose, at..prose.source().len(), false, &mut out);
    out
}

fn tokens<'a>(prose: &Prose<'a>, span: Range<usize>, code: bool, out: &mut Vec<Ident<'a>>) {
    let text = &prose.source()[span.clone()];
    let mut at = 0;
    for token in text.split(|c: char| !is_ident(c)) {
        let start = at;
        at += token.len();
        at += text[at..].chars().next().map_or(0, char::len_utf8);
        let trimmed = token.trim_end_matches('.');
        if wanted(trimmed, code) {
            let from = span.start + start;
            out.push(Ident {
                text: trimmed,
                range: from..from + trimmed.len(),
                code,
            });
        }
    }
}

fn is_ident(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '/')
}

fn wanted(token: &str, code: bool) -> bool {
    let letters = token.chars().any(char::is_alphabetic);
    let version = token
        .trim_start_matches('v')
        .chars()
        .all(|c| c.is_ascii_digit() || matches!(c, '.' | '-'));
    if !letters || version || token.starts_with('-') {
        return false;
    }
    if token.contains('/') || known_extension(token) {
        // `and/or`, `read/write`: two plain words are no path unless they stand in backticks.
        return code
            || token.trim_matches('/').matches('/').count() > 1
            || super::word::is_path(token);
    }
    code && token.chars().count() >= 3 && SHELL_WORDS.binary_search(&token).is_err()
}

#[cfg(test)]
mod tests {
    use super::{EXTENSIONS, SHELL_WORDS, identifiers};
    use crate::text::Prose;

    fn names(text: &str) -> Vec<&str> {
        identifiers(&Prose::read(text))
            .into_iter()
            .map(|i| i.text)
            .collect()
    }

    #[test]
    fn tables_are_sorted() {
        assert!(EXTENSIONS.is_sorted() && SHELL_WORDS.is_sorted());
    }

    #[test]
    fn paths_and_code_words_but_no_numbers_or_shell_words() {
        assert_eq!(
            names("Changed src/a.rs and main.go, not and/or."),
            ["src/a.rs", "main.go"]
        );
        assert_eq!(
            names("`parse_line` in `git push` 0.1.0 `v1.2`"),
            ["parse_line"]
        );
        assert_eq!(names("e.g. this, i.e. that, 3.5 s"), [""; 0]);
        assert_eq!(names("see [x](/repo/src/b.rs:12)"), ["/repo/src/b.rs"]);
    }

    #[test]
    fn fences_are_not_claimed() {
        assert_eq!(names("```\nsrc/a.rs\n```\n`b.rs`"), ["b.rs"]);
    }
}
