//! Word classes that only claims need. Result verbs live in the text library's lexicon.

use super::model::Kind;

/// Ticks by which an agent marks what went well.
pub(super) const TICKS: [char; 4] = ['✓', '✔', '✅', '☑'];

/// Crosses by which an agent marks what went badly.
pub(super) const CROSSES: [char; 6] = ['✖', '✗', '✘', '❌', '👎', '🔴'];

/// Marks of what is not so yet, or not known.
pub(super) const WAITING: [char; 10] = ['⌛', '⏳', '☐', '⚪', '⛔', '⬜', '❓', '🚧', '🚫', '🟡'];

/// Whether a mark says that what stands by it is not so.
pub(in crate::rule) fn denies_by_mark(mark: char) -> bool {
    CROSSES.contains(&mark) || WAITING.contains(&mark)
}

/// The check that a word names.
pub(in crate::rule::claim) fn check_word(form: &str) -> Option<Kind> {
    let form = form.strip_suffix("'s").unwrap_or(form);
    Some(match form {
        "test" | "tests" | "suite" | "suites" | "spec" | "specs" | "e2e" | "pytest" | "vitest"
        | "jest" | "playwright" | "rspec" | "phpunit" | "junit" | "unittest" | "ctest"
        | "nextest" | "tox" | "subtests" => Kind::Tests,
        "build" | "builds" | "compilation" | "compile" | "rebuild" => Kind::Build,
        "lint" | "lints" | "linting" | "linter" | "linters" | "clippy" | "eslint"
        | "golangci-lint" | "ruff" | "flake8" | "pylint" | "biome" | "vet" | "shellcheck"
        | "markdownlint" | "rubocop" | "stylelint" | "oxlint" => Kind::Lint,
        "typecheck" | "typechecks" | "typechecking" | "type-check" | "type-checks"
        | "type-checking" | "tsc" | "mypy" | "pyright" | "typescript" => Kind::Typecheck,
        "formatting" | "fmt" | "prettier" | "gofmt" | "rustfmt" | "formatter" => Kind::Format,
        _ => return None,
    })
}

/// A word that stands for all checks at once, where nothing nearer names one.
pub(super) fn every_check(form: &str) -> bool {
    matches!(
        form,
        "everything" | "everything's" | "ci" | "checks" | "pipeline" | "all"
    )
}

/// Predicates of a check that went well.
pub(super) fn went_well(form: &str) -> bool {
    matches!(
        form,
        "pass"
            | "passes"
            | "passed"
            | "passing"
            | "green"
            | "clean"
            | "succeed"
            | "succeeds"
            | "succeeded"
            | "successful"
            | "successfully"
            | "cleanly"
            | "ok"
            | "pristine"
    )
}

/// Predicates of a check that went badly.
pub(super) fn went_badly(form: &str) -> bool {
    matches!(
        form,
        "fail"
            | "fails"
            | "failed"
            | "failing"
            | "broken"
            | "red"
            | "crashes"
            | "crashed"
            | "errored"
    )
}

/// Verbs by which a check says what it found.
pub(super) fn finds(form: &str) -> bool {
    matches!(
        form,
        "reports"
            | "reported"
            | "finds"
            | "found"
            | "has"
            | "shows"
            | "showed"
            | "returns"
            | "returned"
            | "raises"
            | "raised"
            | "gives"
            | "prints"
    )
}

/// Nouns for what a check finds.
pub(super) fn fault(form: &str) -> bool {
    matches!(
        form,
        "issues"
            | "issue"
            | "errors"
            | "error"
            | "failures"
            | "failure"
            | "warnings"
            | "warning"
            | "problems"
            | "regressions"
            | "regression"
            | "violations"
            | "offenses"
            | "findings"
    )
}

/// Nouns for a fault of the program.
pub(super) fn defect(form: &str) -> bool {
    fault(form)
        || matches!(
            form,
            "bug"
                | "bugs"
                | "crash"
                | "crashes"
                | "race"
                | "leak"
                | "deadlock"
                | "hang"
                | "dereference"
                | "panic"
                | "flake"
                | "flakiness"
                | "vulnerability"
                | "typo"
                | "exception"
                | "breakage"
                | "mismatch"
                | "spam"
        )
}

/// Participles of a state: without an auxiliary, or with a present one, they describe.
pub(super) fn stative(form: &str) -> bool {
    matches!(
        form,
        "enabled"
            | "disabled"
            | "configured"
            | "defined"
            | "mapped"
            | "exposed"
            | "optimized"
            | "optimised"
            | "linked"
            | "integrated"
            | "documented"
            | "hardened"
            | "closed"
            | "aligned"
            | "applied"
            | "written"
            | "split"
            | "wired"
            | "wrapped"
            | "registered"
    )
}

/// The noun of a count, in the plural, or nothing.
pub(super) fn counted(form: &str) -> Option<&'static str> {
    NOUNS
        .iter()
        .find(|(known, _)| known.contains(&form))
        .map(|&(_, plural)| plural)
}

const NOUNS: &[(&[&str], &str)] = &[
    (&["test", "tests", "specs", "subtests"], "tests"),
    (&["passed", "passing", "pass", "passes"], "passed"),
    (
        &["failed", "failing", "failures", "failure", "fail"],
        "failed",
    ),
    (&["skipped", "ignored"], "skipped"),
    (&["suites", "suite"], "suites"),
    (&["file", "files"], "files"),
    (&["line", "lines", "loc"], "lines"),
    (&["error", "errors"], "errors"),
    (&["warning", "warnings"], "warnings"),
    (&["commit", "commits"], "commits"),
    (&["issue", "issues", "findings"], "issues"),
    (&["comment", "comments", "threads"], "comments"),
    (&["insertion", "insertions", "additions"], "insertions"),
    (&["deletion", "deletions"], "deletions"),
    (
        &["package", "packages", "dependencies", "crates"],
        "packages",
    ),
    (&["case", "cases"], "cases"),
    (&["check", "checks"], "checks"),
    (&["conflict", "conflicts", "conflicted"], "conflicts"),
    (&["worker", "workers", "agents", "subagents"], "workers"),
    (
        &[
            "occurrence",
            "occurrences",
            "matches",
            "references",
            "sites",
            "locations",
            "instances",
            "uses",
            "usages",
            "hits",
        ],
        "occurrences",
    ),
    (
        &[
            "item", "items", "entries", "records", "rows", "tasks", "task",
        ],
        "items",
    ),
    (
        &[
            "function",
            "functions",
            "methods",
            "handlers",
            "constants",
            "classes",
            "modules",
        ],
        "symbols",
    ),
    (
        &["branch", "branches", "prs", "tags", "worktrees"],
        "branches",
    ),
    (&["directory", "directories", "folders"], "folders"),
    (
        &["doc", "docs", "documents", "pages", "sections"],
        "documents",
    ),
    (&["bug", "bugs", "vulnerabilities"], "bugs"),
];

/// Past forms that tell what was found or felt, or that qualify a noun; any other word in `-ed` that
/// opens an item is taken for a deed.
pub(super) fn unlisted_deed(form: &str) -> bool {
    let (manner, verb) = form.rsplit_once('-').unwrap_or(("", form));
    let plain = matches!(
        manner,
        "" | "hard" | "soft" | "re" | "pre" | "auto" | "de" | "un"
    );
    let past = plain && verb.len() > 4 && verb.ends_with("ed") && !verb.ends_with("eed");
    let known = matches!(
        form,
        "set" | "made" | "put" | "let" | "rebuilt" | "undid" | "brought" | "kept"
    );
    (past && !no_deed(form)) || (known && form != "kept")
}
/// Past forms that open an item and tell no change.
const NO_DEED: &[&str] = &[
    "based",
    "related",
    "expected",
    "needed",
    "limited",
    "detected",
    "failed",
    "passed",
    "skipped",
    "required",
    "used",
    "noted",
    "unused",
    "shared",
    "unrelated",
    "named",
    "advanced",
    "supposed",
    "mixed",
    "nested",
    "typed",
    "untyped",
    "preferred",
    "reported",
    "observed",
    "noticed",
    "decided",
    "wanted",
    "tried",
    "attempted",
    "called",
    "embedded",
    "estimated",
    "unexpected",
    "detailed",
    "supported",
    "unsupported",
    "allowed",
    "affected",
    "blocked",
    "hosted",
    "relied",
    "ignored",
    "misapplied",
    "loaded",
    "trusted",
    "automated",
    "distributed",
    "managed",
    "remained",
    "learned",
    "suggested",
    "proposed",
    "recommended",
    "triggered",
    "displayed",
    "caused",
    "followed",
    "listed",
    "stored",
    "planned",
    "combined",
    "isolated",
];

fn no_deed(form: &str) -> bool {
    NO_DEED.contains(&form)
}

/// Nouns for the state of a clone or of a session of tools.
pub(super) fn of_the_clone(form: &str) -> bool {
    matches!(
        form,
        "branch"
            | "branches"
            | "refs"
            | "ref"
            | "worktree"
            | "worktrees"
            | "remote"
            | "checkout"
            | "window"
            | "session"
            | "sessions"
            | "cache"
            | "caches"
            | "main"
            | "master"
            | "stash"
    )
}
/// Third persons that have an object.
const EFFECTS: &[&str] = &[
    "uses",
    "returns",
    "makes",
    "requires",
    "rejects",
    "shows",
    "checks",
    "handles",
    "creates",
    "tracks",
    "adds",
    "removes",
    "allows",
    "prevents",
    "ensures",
    "passes",
    "reads",
    "writes",
    "stores",
    "sets",
    "validates",
    "mandates",
    "calls",
    "falls",
    "skips",
    "logs",
    "records",
    "accepts",
    "emits",
    "raises",
    "throws",
    "renders",
    "includes",
    "defaults",
    "resolves",
    "loads",
    "saves",
    "replaces",
    "moves",
    "runs",
    "wraps",
    "parses",
    "supports",
    "exposes",
    "propagates",
    "preserves",
    "covers",
    "tests",
    "verifies",
    "expects",
    "captures",
    "extracts",
    "converts",
    "applies",
    "renames",
];

/// Verbs by which an item below `Changes` tells what a thing does.
pub(super) fn effect_verb(form: &str) -> bool {
    EFFECTS.contains(&form)
}

/// Nouns and qualities of what is left lying about.
pub(super) fn leftover(form: &str) -> bool {
    matches!(
        form,
        "temp"
            | "temporary"
            | "tmp"
            | "leftover"
            | "leftovers"
            | "scratch"
            | "stray"
            | "artifacts"
            | "debug"
            | "debugging"
            | "orphaned"
    )
}

/// Third-person verbs by which an item tells what a thing does.
pub(super) fn third_person(form: &str) -> bool {
    form.len() > 3
        && form.ends_with('s')
        && !form.ends_with("ss")
        && !form.ends_with("us")
        && !matches!(
            form,
            "remains"
                | "stays"
                | "keeps"
                | "exists"
                | "continues"
                | "minutes"
                | "seconds"
                | "hours"
                | "days"
                | "times"
                | "items"
                | "lists"
                | "leaves"
        )
        && !matches!(
            form,
            "this"
                | "tests"
                | "files"
                | "lines"
                | "errors"
                | "always"
                | "docs"
                | "changes"
                | "types"
        )
}
