//! What a changed path means for a check that ran before it, and what a run is narrowed to.

use super::fact::Run;
use crate::turn::Act;

/// How much a change of a path bears on a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// Prose, pictures, notes: no test or build reads them.
    Prose,
    /// Code, configuration, data: a check may read it.
    Code,
}

const PROSE: [&str; 17] = [
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
    ".desktop",
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
        || name.ends_with(".metainfo.xml")
        || is_kept_apart(path);
    if prose { Weight::Prose } else { Weight::Code }
}

/// Whether a path lies in a tool's own hidden folder: plans, results and notes, which no check
/// reads. An extension that it loads is code all the same, and what configures builds and checks is kept in some of them, too.
fn is_kept_apart(path: &str) -> bool {
    const READ: [&str; 4] = [".cargo", ".config", ".storybook", ".mise"];
    const CODE: [&str; 10] = [
        ".ts", ".tsx", ".js", ".mjs", ".jsx", ".rs", ".go", ".java", ".cs", ".rb",
    ];
    if CODE.iter().any(|ending| path.ends_with(ending)) {
        return false;
    }
    let mut parts = path.split('/');
    parts.next_back();
    parts.any(|part| {
        let hidden = part.len() > 1 && part.starts_with('.') && part != "..";
        hidden && !READ.contains(&part) && !part.contains("worktree")
    })
}

/// Flags whose value picks a package or a folder.
const PLACES: [&str; 16] = [
    "--package",
    "--filter",
    "--workspace",
    "-w",
    "--prefix",
    "--cwd",
    "--dir",
    "-C",
    "--directory",
    "--manifest-path",
    "-pl",
    "--projects",
    "--project",
    "--scope",
    "-F",
    "-p",
];

/// Flags whose value picks tests by name.
const PICKS: [&str; 16] = [
    "--filter",
    "-k",
    "-m",
    "-t",
    "-run",
    "--run",
    "--grep",
    "-g",
    "--testNamePattern",
    "--testPathPattern",
    "--tests",
    "-R",
    "-E",
    "--tests-regex",
    "--test",
    "--testPathPatterns",
];

/// Flags that leave all but what failed last, or what changed, out.
const LEAVES: [&str; 7] = [
    "--lf",
    "--last-failed",
    "--onlyChanged",
    "--changedSince",
    "--findRelatedTests",
    "--only-failures",
    "--onlyFailures",
];

/// Words that name a runner or a part of its own command line, or that cover everything.
const OWN: [&str; 36] = [
    "test", "tests", "run", "exec", "check", "build", "pytest", "unittest", "jest", "vitest",
    "mocha", "cargo", "nextest", "go", "npm", "npx", "pnpm", "yarn", "bun", "python", "python3",
    "node", "make", "mise", "just", "tox", "nox", "gradle", "mvn", "dotnet", "all", "discover",
    "lint", "clippy", "src", "spec",
];

/// What narrows a run of a check to a part of the work: packages and paths as they stand, picked
/// names behind the flag that picks them. Empty where it covers all, as far as its words tell.
pub(super) fn narrowed(act: &Act) -> Vec<String> {
    let all: Vec<&str> = act.words.split(' ').collect();
    let cargo = act.program == "cargo";
    let cargo_tests = cargo
        && all
            .iter()
            .any(|word| matches!(*word, "test" | "nextest" | "t"));
    let modules = all.contains(&"unittest");
    let mut found = Vec::new();
    let mut words = all.iter().skip(1).copied().peekable();
    let mut own = false;
    let launcher = matches!(
        act.program.as_str(),
        "npm" | "pnpm" | "yarn" | "mise" | "just"
    ) && all.iter().any(|word| word.starts_with("test"));
    let mut flagged = false;
    while let Some(word) = words.next() {
        let behind_flag = std::mem::replace(&mut flagged, word.starts_with('-') && word != "--");
        if word == "--" {
            own = true;
            continue;
        }
        let (flag, joined) = match word.split_once('=') {
            Some((flag, value)) if flag.starts_with('-') => (flag, Some(value)),
            _ => (word, None),
        };
        let value = |words: &mut std::iter::Peekable<_>| -> Option<String> {
            let next = words.next_if(|next: &&str| !next.starts_with('-'));
            joined.or(next).map(str::to_owned)
        };
        if PLACES.contains(&flag) && places(flag, act, cargo) {
            found.extend(value(&mut words));
        } else if PICKS.contains(&flag) && (launcher && own || picks(flag, act, cargo, &all)) {
            found.extend(value(&mut words).map(|value| format!("{flag} {value}")));
        } else if matches!(flag, "-Dtest" | "-Dit.test") || cargo && flag == "--lib" {
            found.push(format!("{flag} {}", joined.unwrap_or("")));
        } else if LEAVES.contains(&flag) {
            found.push(flag.to_owned());
        } else if takes_value(flag, act) {
            words.next();
        } else if word.starts_with('-') || word.is_empty() || OWN.contains(&word) {
            continue;
        } else if launcher && own && !behind_flag && picked(word) {
            found.push(format!("-- {word}"));
        } else if !word.contains('=')
            && (operand(word)
                || cargo_tests && !own
                || modules && (word.contains('.') || word.starts_with("test_")))
        {
            found.push(word.to_owned());
        }
    }
    found
}

/// Whether a flag picks a place for this program.
fn places(flag: &str, act: &Act, cargo: bool) -> bool {
    match flag {
        "-p" => cargo,
        "-F" | "--filter" => {
            act.program == "pnpm" || act.program == "turbo" || act.words.starts_with("bun")
        }
        "--workspace" | "-w" => matches!(act.program.as_str(), "npm" | "yarn"),
        "--project" => matches!(act.program.as_str(), "nx" | "npx"),
        "-C" => act.program != "git",
        _ => true,
    }
}

/// Whether a flag picks tests for this program.
fn picks(flag: &str, act: &Act, cargo: bool, all: &[&str]) -> bool {
    let any = |names: &[&str]| all.iter().any(|word| names.contains(word));
    match flag {
        "--test" => cargo,
        "-k" => any(&["pytest", "py.test", "unittest"]),
        // `python -m pytest` names a module; `pytest -m fast` picks by a mark.
        "-m" => {
            let at = |name: &str| all.iter().position(|word| *word == name);
            let runner = at("pytest").or_else(|| at("py.test"));
            let last = all.iter().rposition(|word| *word == "-m");
            runner.is_some_and(|runner| last > Some(runner))
        }
        "-t" => any(&["jest", "vitest", "bun", "npm", "pnpm", "yarn"]),
        "-run" | "--run" => any(&["go", "gotestsum"]),
        "-R" => any(&["ctest"]),
        "-E" => any(&["nextest", "ctest"]),
        "--filter" => any(&["dotnet", "swift", "phpunit", "vendor/bin/phpunit"]),
        "-g" => any(&["mocha", "playwright"]),
        _ => !act.program.is_empty(),
    }
}

/// Whether the next word is a flag's value and no operand.
fn takes_value(flag: &str, act: &Act) -> bool {
    matches!(
        flag,
        "-m" | "-c"
            | "--config"
            | "--features"
            | "--target"
            | "--profile"
            | "-j"
            | "--jobs"
            | "--timeout"
            | "--test-dir"
            | "-s"
            | "--reporter"
            | "--tsconfig"
            | "-p"
            | "-n"
            | "-o"
            | "--maxfail"
    ) && !matches!(act.program.as_str(), "npm" | "yarn")
        || flag == "-D" && act.words.contains("clippy")
}

/// Whether a word behind `--` of a task picks tests by their name.
fn picked(word: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    word.len() > 3 && word.bytes().all(plain) && !word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether an operand is a path or a test's own name.
fn operand(word: &str) -> bool {
    let whole = word.ends_with("...") && matches!(word.trim_end_matches("..."), "./" | "")
        || matches!(word, "." | "./" | "*")
        || matches!(
            word.trim_matches(['.', '/']),
            "tests" | "test" | "src" | "spec" | "lib" | "**"
        );
    let path = word.contains('/')
        || word.contains("::")
        || word
            .rsplit_once('.')
            .is_some_and(|(stem, ending)| !stem.is_empty() && !ending.is_empty());
    path && !whole
}

/// Folders in which others' packages lie side by side.
const HOLDERS: [&str; 10] = [
    "packages",
    "crates",
    "apps",
    "libs",
    "services",
    "modules",
    "plugins",
    "pkgs",
    "projects",
    "components",
];

/// Folders that are parts of a package and no packages.
const PARTS: [&str; 14] = [
    "build", "builddir", "_build", "out", "dist", "target", "test", "tests", "scripts", "bin",
    "e2e", "ci", "src", "lib",
];

impl Run {
    /// Whether it covers an area that a close names: `Some(false)` where it surely was made
    /// elsewhere, `None` where nothing tells.
    #[must_use]
    pub fn covers(&self, area: &str) -> Option<bool> {
        let area = area.trim_start_matches("./").trim_end_matches(['/', '.']);
        let last = area.rsplit('/').next().unwrap_or(area);
        if within(&self.dir, area) {
            return Some(true);
        }
        let mut elsewhere = false;
        for part in &self.narrowed {
            let part = part.trim_start_matches("./").trim_end_matches(['/', '.']);
            if part.starts_with('-') {
                continue;
            }
            let name = part.rsplit(['/', '@']).next().unwrap_or(part);
            if name == last || within(part, area) || within(area, part) {
                return Some(true);
            }
            elsewhere = true;
        }
        if elsewhere {
            return Some(false);
        }
        if area.starts_with('/') {
            let apart = self.dir.starts_with('/') && !within(area, &self.dir);
            return apart.then_some(false);
        }
        // A sibling of what is named: `packages/web` against `…/packages/api`.
        let (holder, _) = area.split_once('/')?;
        let mut parts = self.dir.split('/').skip_while(|part| *part != holder);
        parts.next();
        parts.next().map(|_| false)
    }

    /// Whether a changed file belongs to what it checks; yes where nothing tells.
    #[must_use]
    pub fn reads(&self, path: &str) -> bool {
        if path.is_empty() || !path.starts_with('/') {
            return true;
        }
        let dir = self.dir.as_str();
        let name = dir.rsplit('/').next().unwrap_or(dir);
        let home = if PARTS.contains(&name) || name.starts_with("cmake-build") {
            dir.strip_suffix(name).unwrap_or(dir).trim_end_matches('/')
        } else {
            dir
        };
        let outside = home.starts_with('/') && home.len() > 1 && !within(path, home);
        !outside && !self.other_package(path) && !self.other_tests(path)
    }

    /// Whether a path is a file of tests, and it runs other files of tests only. What several of them share counts as code.
    fn other_tests(&self, path: &str) -> bool {
        let named = self.narrowed.iter().filter(|part| !part.starts_with('-'));
        let mut named = named
            .map(|part| part.split("::").next().unwrap_or(part))
            .peekable();
        named.peek().is_some()
            && is_tests(path)
            && named.all(|own| is_tests(own) && !within(path, own.trim_start_matches("./")))
    }

    /// Whether a path lies in a package beside the one that it is narrowed to.
    fn other_package(&self, path: &str) -> bool {
        let named: Vec<&str> = self
            .narrowed
            .iter()
            .filter(|part| !part.starts_with('-'))
            .map(|part| part.trim_end_matches("/...").trim_end_matches('/'))
            .collect();
        if named.is_empty() {
            return false;
        }
        // What lies above the folder of the run holds no package of it: `~/projects/app`.
        let below = path.strip_prefix(self.dir.as_str()).unwrap_or(path);
        let mut parts = below.split('/').skip_while(|part| !HOLDERS.contains(part));
        let (Some(holder), Some(package)) = (parts.next(), parts.next()) else {
            return false;
        };
        let holds = |name: &&str| name.split(['/', '@']).any(|part| part == package);
        let packaged = named.iter().any(|name| {
            name.split('/').any(|part| part == holder) || !name.contains(['/', '.', ':'])
        });
        packaged && !named.iter().any(holds)
    }
}

/// Whether a file holds tests and nothing that others share, by its name.
fn is_tests(path: &str) -> bool {
    const SHARED: [&str; 6] = ["util", "help", "common", "support", "base", "fixture"];
    let name = path.rsplit('/').next().unwrap_or(path);
    let lower = name.to_ascii_lowercase();
    is_named_test(name) && name.contains('.') && !SHARED.iter().any(|word| lower.contains(word))
}

/// Whether the name of a file is one of tests: `test_a.py`, `a_test.go`, `a.spec.ts`.
#[must_use]
pub fn is_named_test(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem.ends_with("_spec")
        || name.contains(".test.")
        || name.contains(".spec.")
}

/// Whether whole components of `path` are those of `part`.
fn within(path: &str, part: &str) -> bool {
    let part = part.trim_end_matches('/');
    let head = path.strip_prefix(part);
    if !part.is_empty() && head.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) {
        return true;
    }
    !part.is_empty()
        && path.match_indices(part).any(|(at, found)| {
            let before = at == 0 || path[..at].ends_with("/");
            let rest = &path[at + found.len()..];
            before && (rest.is_empty() || rest.starts_with('/'))
        })
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
