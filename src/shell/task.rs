//! Tasks of a project, read by their names: `npm run lint:fix`, `make test`, `gradle assembleDebug`.

use super::classify::Class;
use super::{Domain, Effect, Verify};

/// Marks of a task that writes to the sources.
const FIXES: &[&str] = &[
    "fix",
    "fixes",
    "fixup",
    "autofix",
    "write",
    "apply",
    "autocorrect",
    "bless",
    "accept",
];
const FORMATS: &[&str] = &[
    "format",
    "fmt",
    "formatter",
    "formatting",
    "prettier",
    "prettify",
    "pretty",
    "spotless",
    "black",
    "gofmt",
];
const CHECKS: &[&str] = &[
    "check", "checks", "verify", "validate", "ci", "dry", "diff", "lint",
];
/// Marks of a task whose name does not tell what it does to files, services or other machines.
const OPAQUE: &[&str] = &[
    "deploy",
    "publish",
    "migrate",
    "migration",
    "migrations",
    "seed",
    "setup",
    "install",
    "uninstall",
    "start",
    "serve",
    "server",
    "bootstrap",
    "provision",
    "generate",
    "gen",
    "codegen",
    "push",
    "upload",
    "download",
    "init",
    "teardown",
    "down",
    "up",
    "logs",
    "shell",
    "console",
    "repl",
    "stop",
    "restart",
    "run",
    "exec",
    "update",
    "upgrade",
    "sync",
    "reset",
    "preview",
];
const CLEANS: &[&str] = &["clean", "clobber", "distclean", "mrproper"];
const LISTS: &[&str] = &[
    "help",
    "tasks",
    "dependencies",
    "projects",
    "properties",
    "version",
    "info",
    "targets",
];
const TESTS: &[&str] = &[
    "test",
    "tests",
    "testing",
    "spec",
    "specs",
    "e2e",
    "unit",
    "integration",
    "jest",
    "vitest",
    "playwright",
    "cypress",
    "pytest",
    "mocha",
    "coverage",
    "cov",
    "smoke",
    "regression",
    "regressions",
    "acceptance",
    "doctest",
    "unittest",
    "unittests",
    "nextest",
    "tox",
    "phpunit",
    "rspec",
    "bench",
    "benchmark",
];
const LINTS: &[&str] = &[
    "lint",
    "linter",
    "linting",
    "lints",
    "eslint",
    "clippy",
    "stylelint",
    "ruff",
    "flake8",
    "pylint",
    "rubocop",
    "golangci",
    "vet",
    "audit",
    "shellcheck",
    "staticcheck",
    "style",
    "checkstyle",
    "detekt",
    "ktlint",
    "biome",
    "oxlint",
    "knip",
    "phpcs",
    "credo",
];
const TYPES: &[&str] = &[
    "typecheck",
    "typechecks",
    "typechecking",
    "tsc",
    "types",
    "type",
    "typing",
    "mypy",
    "pyright",
    "phpstan",
    "dialyzer",
];
const BUILDS: &[&str] = &[
    "build", "builds", "compile", "bundle", "assemble", "dist", "package", "all", "binary",
    "binaries", "jar", "classes", "docs", "doc", "doctor", "release", "debug",
];
const GATES: &[&str] = &[
    "check",
    "checks",
    "verify",
    "validate",
    "ci",
    "precommit",
    "prepush",
    "preflight",
    "qa",
    "presubmit",
];

/// What a task of this name does, as far as the name tells; its domain is set only where the effect is known.
#[must_use]
pub fn task(name: &str) -> Class {
    let parts = parts(name);
    let has = |marks: &[&str]| parts.iter().any(|part| marks.contains(&part.as_str()));
    if has(FIXES)
        || has(FORMATS) && !has(CHECKS)
        || has(&["update"]) && (has(TESTS) || has(&["snapshot", "snapshots", "golden", "goldens"]))
    {
        return Class::is(Effect::Mutate, Some(Domain::Workspace), None);
    }
    if has(OPAQUE) {
        return Class::unknown();
    }
    let verify = if has(TESTS) {
        Verify::Test
    } else if has(TYPES) {
        Verify::Typecheck
    } else if has(FORMATS) {
        Verify::Format
    } else if has(LINTS) {
        Verify::Lint
    } else if has(BUILDS) {
        Verify::Build
    } else if has(GATES) {
        Verify::Lint
    } else if has(CLEANS) {
        return Class::is(Effect::Mutate, Some(Domain::Scratch), None);
    } else if has(LISTS) {
        return Class::is(Effect::Read, Some(Domain::Workspace), None);
    } else {
        return Class::unknown();
    };
    Class::is(Effect::Read, Some(Domain::Workspace), Some(verify))
}

/// The parts of a task's name in small letters: split at punctuation and before capitals.
fn parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut small = false;
    for c in name.chars().take(200) {
        let split = !c.is_alphanumeric() || (small && c.is_uppercase());
        if split && parts.last().is_some_and(|part| !part.is_empty()) {
            parts.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(part) = parts.last_mut()
        {
            part.extend(c.to_lowercase());
        }
        small = c.is_lowercase();
    }
    parts
}

/// What several tasks come to: the strongest effect, the first verification. Cleaning before a build is part of it.
pub(super) fn all<'n>(names: impl Iterator<Item = &'n str>) -> Option<Class> {
    let classes: Vec<Class> = names.map(task).collect();
    let verify = classes.iter().find_map(|class| class.verify);
    let counted = |class: &&Class| verify.is_none() || class.domain != Some(Domain::Scratch);
    let strongest = classes
        .iter()
        .filter(counted)
        .max_by_key(|class| class.effect)?;
    Some(Class {
        verify,
        ..*strongest
    })
}
