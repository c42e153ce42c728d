//! What a changed path means for a check that ran before it, and what a run is narrowed to.

use crate::turn::Act;

/// How much a change of a path bears on a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// Prose, pictures, notes: no test or build reads them.
    Prose,
    /// Code, configuration, data: a check may read it.
    Code,
}

const PROSE: [&str; 16] = [
    ".md",
    ".mdx",
    ".markdown",
    ".txt",
    ".rst",
    ".adoc",
    ".png",
    ".jpg",
    ".jpeg",
    ".gif",
    ".svg",
    ".pdf",
    ".log",
    ".csv",
    ".license",
    ".org",
];

/// The weight of a path.
#[must_use]
pub fn weight(path: &str) -> Weight {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let prose = PROSE.iter().any(|ending| name.ends_with(ending))
        || matches!(
            name.as_str(),
            "license" | "changelog" | "authors" | "notice" | ".gitignore"
        )
        || path.contains("/.claude/plans/")
        || path.contains("/.claude/projects/");
    if prose { Weight::Prose } else { Weight::Code }
}

/// Flags whose value narrows a run.
const NARROWING: [&str; 14] = [
    "-k",
    "-t",
    "-run",
    "--run",
    "-p",
    "--package",
    "--filter",
    "--test",
    "--grep",
    "-g",
    "-m",
    "--testNamePattern",
    "--testPathPattern",
    "--lib",
];

/// Words that name a runner or a part of its own command line.
const OWN: [&str; 34] = [
    "test", "tests", "run", "exec", "check", "build", "pytest", "unittest", "jest", "vitest",
    "mocha", "cargo", "nextest", "go", "npm", "npx", "pnpm", "yarn", "bun", "python", "python3",
    "node", "make", "mise", "just", "tox", "nox", "gradle", "mvn", "dotnet", "all", "discover",
    "lint", "clippy",
];

/// What narrows a run of a check to a part of the work: files, packages, names. Empty where it
/// covers all of it, as far as its words tell.
pub(super) fn narrowed(act: &Act) -> Vec<String> {
    let mut found = Vec::new();
    let mut words = act.words.split(' ').skip(1).peekable();
    while let Some(word) = words.next() {
        if word == "--" {
            continue;
        }
        if NARROWING.contains(&word) {
            if let Some(value) = words.peek()
                && !value.starts_with('-')
            {
                found.push((*value).to_owned());
            } else if word == "--lib" {
                found.push(word.to_owned());
            }
            continue;
        }
        if word.starts_with('-')
            || word.is_empty()
            || word.ends_with("...")
            || matches!(word, "." | "./")
        {
            continue;
        }
        if word.contains('=') || OWN.contains(&word) || word.starts_with("test:") {
            continue;
        }
        let path = word.contains('/')
            || word.contains("::")
            || word
                .rsplit_once('.')
                .is_some_and(|(stem, _)| !stem.is_empty());
        if path
            && !matches!(
                word.trim_end_matches('/'),
                "tests" | "test" | "./tests" | "./test" | "src" | "./src"
            )
        {
            found.push(word.to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_told_from_code() {
        assert_eq!(weight("/r/README.md"), Weight::Prose);
        assert_eq!(weight("/r/src/a.rs"), Weight::Code);
        assert_eq!(weight("/r/Cargo.toml"), Weight::Code);
    }
}
