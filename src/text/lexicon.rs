//! Word lists by class. They are meant to hold whole classes of English verbs, not phrases that
//! were seen somewhere.

use std::sync::LazyLock;

/// What a result verb says was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Act {
    /// Something existing was changed.
    Edit,
    /// Something new was made.
    Create,
    /// Something was taken away or put elsewhere.
    Delete,
    /// A fault is gone.
    Fix,
    /// A commit was made.
    Commit,
    /// A branch or tag was pushed.
    Push,
    /// Branches were joined.
    Merge,
    /// Something went live or was sent out.
    Publish,
    /// Something was set up on a machine.
    Install,
    /// A process was run, started or stopped.
    Run,
    /// Something was checked.
    Verify,
    /// Work as a whole is at its end.
    Complete,
    /// Something was only looked at.
    Read,
}

const EDIT: &[&str] = &[
    "added",
    "updated",
    "changed",
    "modified",
    "edited",
    "adjusted",
    "extended",
    "expanded",
    "simplified",
    "refactored",
    "rewrote",
    "rewritten",
    "reworked",
    "replaced",
    "converted",
    "switched",
    "swapped",
    "wired",
    "hooked",
    "linked",
    "integrated",
    "documented",
    "improved",
    "optimized",
    "optimised",
    "increased",
    "doubled",
    "tripled",
    "halved",
    "decreased",
    "reduced",
    "tightened",
    "hardened",
    "bumped",
    "renamed",
    "moved",
    "relocated",
    "reorganized",
    "reorganised",
    "restructured",
    "consolidated",
    "inserted",
    "appended",
    "prepended",
    "injected",
    "exposed",
    "enabled",
    "disabled",
    "registered",
    "applied",
    "implemented",
    "introduced",
    "incorporated",
    "cleaned",
    "formatted",
    "reformatted",
    "normalized",
    "normalised",
    "reordered",
    "aligned",
    "unified",
    "standardized",
    "standardised",
    "centralized",
    "extracted",
    "inlined",
    "deduplicated",
    "migrated",
    "ported",
    "backported",
    "patched",
    "tweaked",
    "clarified",
    "polished",
    "translated",
    "annotated",
    "tagged",
    "labelled",
    "labeled",
    "marked",
    "closed",
    "reopened",
    "reverted",
    "restored",
    "deprecated",
    "refreshed",
    "revised",
    "rephrased",
    "reworded",
    "trimmed",
    "shortened",
    "wrapped",
    "threaded",
    "plumbed",
    "parameterized",
    "parameterised",
    "generalized",
    "generalised",
    "defined",
    "redefined",
    "assigned",
    "mapped",
    "configured",
    "reconfigured",
    "refined",
    "hoisted",
    "factored",
    "synced",
    "synchronized",
    "synchronised",
    "stubbed",
    "mocked",
    "rewired",
    "redirected",
    "routed",
    "toggled",
    "overhauled",
    "modernized",
    "modernised",
    "regenerated",
    "split",
    "folded",
    "surfaced",
    "guarded",
    "resized",
    "redesigned",
    "customized",
    "customised",
];
const CREATE: &[&str] = &[
    "created",
    "wrote",
    "written",
    "generated",
    "scaffolded",
    "drafted",
    "produced",
    "saved",
    "captured",
    "recorded",
    "exported",
    "initialized",
    "initialised",
    "bootstrapped",
    "opened",
    "filed",
    "authored",
    "established",
    "set-up",
    "composed",
    "assembled",
    "duplicated",
    "copied",
    "cloned",
    "downloaded",
    "prepared",
];
const DELETE: &[&str] = &[
    "removed",
    "deleted",
    "dropped",
    "stripped",
    "pruned",
    "purged",
    "uninstalled",
    "erased",
    "cleared",
    "archived",
];
const FIX: &[&str] = &[
    "fixed",
    "resolved",
    "solved",
    "repaired",
    "addressed",
    "corrected",
    "eliminated",
    "silenced",
    "sanitized",
    "sanitised",
    "unblocked",
    "mitigated",
    "remedied",
    "remediated",
    "handled",
    "worked-around",
];
const COMMIT: &[&str] = &["committed", "amended", "staged", "squashed", "stashed"];
const PUSH: &[&str] = &["pushed"];
const MERGE: &[&str] = &["merged", "rebased", "cherry-picked"];
const PUBLISH: &[&str] = &[
    "deployed",
    "released",
    "shipped",
    "published",
    "uploaded",
    "posted",
    "submitted",
    "sent",
    "launched",
    "rolled",
    "delivered",
];
const INSTALL: &[&str] = &[
    "installed",
    "upgraded",
    "downgraded",
    "reinstalled",
    "provisioned",
    "mounted",
];
const RUN: &[&str] = &[
    "ran",
    "executed",
    "started",
    "restarted",
    "reloaded",
    "stopped",
    "killed",
    "triggered",
    "re-ran",
    "reran",
    "spawned",
    "delegated",
    "scheduled",
    "rebooted",
    "rebuilt",
    "built",
    "compiled",
];
const VERIFY: &[&str] = &[
    "verified",
    "validated",
    "tested",
    "confirmed",
    "checked",
    "linted",
    "reproduced",
    "re-verified",
];
const COMPLETE: &[&str] = &[
    "done",
    "complete",
    "completed",
    "finished",
    "finalized",
    "finalised",
];
const READ: &[&str] = &[
    "found",
    "read",
    "reviewed",
    "analyzed",
    "analysed",
    "investigated",
    "explored",
    "searched",
    "inspected",
    "examined",
    "identified",
    "looked",
    "traced",
    "compared",
    "measured",
    "studied",
    "gathered",
    "discovered",
];

const CLASSES: &[(Act, &[&str])] = &[
    (Act::Edit, EDIT),
    (Act::Create, CREATE),
    (Act::Delete, DELETE),
    (Act::Fix, FIX),
    (Act::Commit, COMMIT),
    (Act::Push, PUSH),
    (Act::Merge, MERGE),
    (Act::Publish, PUBLISH),
    (Act::Install, INSTALL),
    (Act::Run, RUN),
    (Act::Verify, VERIFY),
    (Act::Complete, COMPLETE),
    (Act::Read, READ),
];

/// All forms in order: every word of a close is looked up here.
static ACTS: LazyLock<Vec<(&str, Act)>> = LazyLock::new(|| {
    let forms = CLASSES
        .iter()
        .flat_map(|&(act, forms)| forms.iter().map(move |&form| (form, act)));
    let mut all: Vec<_> = forms.collect();
    all.sort_unstable();
    all
});

/// The act that a past form or participle names. Of a hyphenated word the last part counts where
/// the first says how it was done (`force-pushed`, `re-added`); `well-tested` is a quality.
#[must_use]
pub fn past_act(form: &str) -> Option<Act> {
    let found = ACTS.binary_search_by(|(known, _)| known.cmp(&form));
    let exact = found.ok().map(|index| ACTS[index].1);
    exact.or_else(|| {
        let (prefix, last) = form.rsplit_once('-')?;
        let manner = matches!(
            prefix,
            "force"
                | "squash"
                | "hard"
                | "soft"
                | "re"
                | "hand"
                | "double"
                | "fast"
                | "co"
                | "batch"
        );
        if manner { past_act(last) } else { None }
    })
}

const BASE: &[&str] = &[
    "add",
    "adjust",
    "allow",
    "analyze",
    "answer",
    "append",
    "apply",
    "approve",
    "ask",
    "avoid",
    "build",
    "call",
    "change",
    "check",
    "choose",
    "click",
    "clone",
    "close",
    "commit",
    "compare",
    "configure",
    "confirm",
    "consider",
    "copy",
    "create",
    "define",
    "delete",
    "deploy",
    "describe",
    "disable",
    "document",
    "download",
    "drop",
    "edit",
    "enable",
    "enter",
    "execute",
    "explore",
    "fetch",
    "find",
    "fix",
    "follow",
    "generate",
    "get",
    "give",
    "go",
    "guide",
    "identify",
    "ignore",
    "implement",
    "include",
    "initialize",
    "inspect",
    "install",
    "investigate",
    "keep",
    "learn",
    "leave",
    "list",
    "locate",
    "look",
    "make",
    "mark",
    "merge",
    "migrate",
    "modify",
    "monitor",
    "move",
    "navigate",
    "note",
    "open",
    "pass",
    "paste",
    "pick",
    "pin",
    "press",
    "provide",
    "publish",
    "pull",
    "push",
    "put",
    "re-run",
    "read",
    "rebase",
    "rebuild",
    "refactor",
    "reload",
    "remember",
    "remove",
    "rename",
    "replace",
    "report",
    "reproduce",
    "rerun",
    "resolve",
    "restart",
    "revert",
    "review",
    "rotate",
    "run",
    "say",
    "search",
    "see",
    "select",
    "send",
    "share",
    "ship",
    "show",
    "skip",
    "specify",
    "start",
    "stop",
    "submit",
    "switch",
    "tell",
    "test",
    "try",
    "type",
    "understand",
    "update",
    "upgrade",
    "use",
    "validate",
    "verify",
    "view",
    "visit",
    "wait",
    "watch",
    "write",
];

/// A base form that opens an order when it stands where a subject would.
pub(crate) fn is_base_verb(form: &str) -> bool {
    BASE.binary_search(&form).is_ok()
}

/// Verbs of finding out: not having done one of them is a disclosure.
pub(crate) fn is_epistemic(form: &str) -> bool {
    matches!(
        form,
        "verify"
            | "verified"
            | "confirm"
            | "confirmed"
            | "test"
            | "tested"
            | "run"
            | "ran"
            | "reproduce"
    ) || matches!(
        form,
        "reproduced" | "validate" | "validated" | "check" | "checked" | "execute" | "executed"
    ) || matches!(
        form,
        "re-run" | "rerun" | "access" | "reach" | "open" | "fetch" | "determine" | "inspect"
    ) || matches!(
        form,
        "read" | "load" | "view" | "browse" | "connect" | "download" | "retrieve" | "exercise"
    )
}

/// Nouns for third parties whose words an agent passes on.
#[must_use]
pub fn is_reporter(form: &str) -> bool {
    let form = form.strip_suffix("'s").unwrap_or(form);
    matches!(
        form,
        "reviewer"
            | "reviewers"
            | "agent"
            | "agents"
            | "subagent"
            | "subagents"
            | "delegate"
            | "user"
    ) || matches!(
        form,
        "worker" | "workers" | "bot" | "ci" | "log" | "logs" | "docs" | "documentation" | "readme"
    ) || matches!(
        form,
        "comment" | "issue" | "ticket" | "author" | "maintainer" | "report" | "review" | "copilot"
    )
}

/// Verbs of saying.
pub(crate) fn is_said(form: &str) -> bool {
    matches!(
        form,
        "say"
            | "says"
            | "said"
            | "report"
            | "reports"
            | "reported"
            | "claim"
            | "claims"
            | "claimed"
    ) || matches!(
        form,
        "state" | "states" | "stated" | "note" | "notes" | "noted" | "suggests" | "suggested"
    ) || matches!(
        form,
        "approved" | "approves" | "mentions" | "mentioned" | "told" | "wrote" | "asked" | "flagged"
    ) || matches!(
        form,
        "confirmed" | "confirms" | "recommends" | "recommended" | "concluded" | "found"
    )
}

#[cfg(test)]
mod tests {
    use super::{Act, BASE, CLASSES, past_act};

    #[test]
    fn no_word_has_two_classes() {
        let mut all: Vec<_> = CLASSES.iter().flat_map(|(_, forms)| forms.iter()).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
        assert!(BASE.is_sorted());
    }

    #[test]
    fn a_hyphen_keeps_the_verb() {
        assert_eq!(past_act("force-pushed"), Some(Act::Push));
        assert_eq!(past_act("well-implemented"), None);
        assert_eq!(past_act("address"), None);
    }
}
