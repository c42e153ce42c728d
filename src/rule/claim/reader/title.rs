//! Words of a title by what stands below it.

/// Words of a title under which nothing is stated: plans, offers, uses, background.
pub(super) fn titles_moot(form: &str) -> bool {
    MOOT.contains(&form)
}

const MOOT: &[&str] = &[
    "next",
    "todo",
    "todos",
    "plan",
    "plans",
    "proposal",
    "proposed",
    "option",
    "options",
    "optional",
    "suggested",
    "suggestion",
    "suggestions",
    "recommended",
    "recommendation",
    "recommendations",
    "benefits",
    "benefit",
    "usage",
    "how",
    "example",
    "examples",
    "problem",
    "problems",
    "cause",
    "causes",
    "symptom",
    "symptoms",
    "background",
    "context",
    "why",
    "expected",
    "future",
    "alternatives",
    "alternative",
    "could",
    "can",
    "would",
    "should",
    "will",
    "risk",
    "risks",
    "question",
    "questions",
    "before",
    "previous",
    "previously",
    "upcoming",
    "instructions",
    "ideas",
    "findings",
    "nits",
    "strengths",
    "weaknesses",
    "assessment",
    "flow",
    "timeline",
    "observations",
];

/// Words of a title under which checks are listed.
pub(super) fn titles_check(form: &str) -> bool {
    matches!(
        form,
        "verification"
            | "validation"
            | "validated"
            | "testing"
            | "tests"
            | "test"
            | "checks"
            | "passed"
            | "pass"
            | "passing"
            | "tested"
            | "ran"
            | "results"
            | "quality"
            | "gates"
    )
}

/// Words of a title of checks that name the topic only.
pub(super) fn is_topic(form: &str) -> bool {
    matches!(form, "testing" | "test" | "tests" | "quality" | "gates")
}

/// Words of a title under which changes are listed.
pub(super) fn titles_change(form: &str) -> bool {
    matches!(
        form,
        "change"
            | "changes"
            | "update"
            | "fixes"
            | "fixups"
            | "fix"
            | "updates"
            | "edits"
            | "improvements"
            | "improvement"
            | "enhancements"
            | "implementation"
            | "refactor"
            | "refactoring"
            | "cleanup"
            | "done"
            | "completed"
            | "accomplished"
            | "highlights"
            | "did"
            | "modifications"
            | "adjustments"
            | "simplification"
            | "resolution"
            | "modernization"
    )
}

/// Words of a title under which things are described: nobody tells a change there.
pub(super) fn titles_other(form: &str) -> bool {
    matches!(
        form,
        "behavior"
            | "behaviour"
            | "features"
            | "feature"
            | "status"
            | "performance"
            | "impact"
            | "metrics"
            | "architecture"
            | "notes"
            | "note"
            | "details"
            | "structure"
            | "configuration"
            | "schedule"
            | "monitoring"
            | "capabilities"
            | "ready"
            | "documentation"
            | "contents"
            | "contains"
    ) || matches!(
        form,
        "includes"
            | "documents"
            | "covers"
            | "handles"
            | "works"
            | "shows"
            | "supports"
            | "state"
            | "caveats"
            | "caveat"
            | "outstanding"
            | "remaining"
            | "open"
            | "blockers"
            | "log"
            | "logs"
    )
}
