//! What a rule of the family answers.

use serde::Deserialize;

use crate::transcript::Place;

/// A rule of the family.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// A failing test was removed.
    TestDeleted,
    /// A failing test was left out.
    TestSkipped,
    /// An assertion was loosened.
    AssertionWeakened,
    /// The expected value became the one that the failing run printed.
    ExpectedCopied,
    /// Snapshots were accepted.
    SnapshotBlessed,
    /// A commit or push went past its hooks.
    HookBypassed,
    /// A check's status was hidden.
    StatusMasked,
    /// Hooks, jobs or rules were switched off.
    HooksDisabled,
    /// A result was written by hand.
    LedgerHandwritten,
    /// The reference came from the code under test.
    SelfMadeReference,
    /// A completion is claimed over an error.
    ErrorNotMentioned,
    /// Work is reported again and again without a call.
    ReportsWithoutWork,
}

impl Rule {
    /// Every rule, in the order of the documentation.
    pub const ALL: [Self; 12] = [
        Self::TestDeleted,
        Self::TestSkipped,
        Self::AssertionWeakened,
        Self::ExpectedCopied,
        Self::SnapshotBlessed,
        Self::HookBypassed,
        Self::StatusMasked,
        Self::HooksDisabled,
        Self::LedgerHandwritten,
        Self::SelfMadeReference,
        Self::ErrorNotMentioned,
        Self::ReportsWithoutWork,
    ];

    /// The rule's id.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TestDeleted => "test-deleted",
            Self::TestSkipped => "test-skipped",
            Self::AssertionWeakened => "assertion-weakened",
            Self::ExpectedCopied => "expected-copied",
            Self::SnapshotBlessed => "snapshot-blessed",
            Self::HookBypassed => "hook-bypassed",
            Self::StatusMasked => "status-masked",
            Self::HooksDisabled => "hooks-disabled",
            Self::LedgerHandwritten => "ledger-handwritten",
            Self::SelfMadeReference => "self-made-reference",
            Self::ErrorNotMentioned => "error-not-mentioned",
            Self::ReportsWithoutWork => "reports-without-work",
        }
    }
}

/// What a rule says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "FindingVerdict")
)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The record shows that the measuring stick was bent.
    Finding,
    /// The question arose, and nothing was found.
    Clear,
    /// It was done, and whether it was meant to be cannot be told.
    Unknown,
}

impl Verdict {
    /// The spelling that rows carry.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Finding => "finding",
            Self::Clear => "clear",
            Self::Unknown => "unknown",
        }
    }
}

/// Why: a closed list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// A test file was removed.
    FileRemoved,
    /// A test was removed.
    TestRemoved,
    /// An assertion was removed.
    AssertionRemoved,
    /// A test was marked so that it does not run.
    SkipMarked,
    /// The run leaves a test out by its options.
    Deselected,
    /// An equality became a weaker question.
    Loosened,
    /// An assertion was turned into a comment.
    CommentedOut,
    /// An assertion became one that always holds.
    AlwaysTrue,
    /// A bound or tolerance was widened.
    ToleranceWidened,
    /// A failure is caught and dropped.
    Swallowed,
    /// The expected value is the one that the failing run printed.
    ActualCopied,
    /// What the run produced was accepted as what it should produce.
    Accepted,
    /// A command went past the hooks.
    Bypassed,
    /// The status of a run is thrown away.
    StatusThrownAway,
    /// A setting throws the status of a check away.
    MaskAdded,
    /// Hooks were switched off or removed.
    HooksRemoved,
    /// A job of the build service was removed or switched off.
    JobsRemoved,
    /// A linter's rules were switched off as a whole.
    RulesOff,
    /// A result that no run made was written and read.
    Handwritten,
    /// The reference was made by the code that it is to check.
    SelfMade,
    /// The last run or change failed, and the close is silent on it.
    ErrorLeftOut,
    /// Reports follow each other without a call.
    NoCalls,
    /// The close tells of it openly.
    Disclosed,
    /// The session changed the code that the check sees.
    CodeChanged,
    /// The session itself wrote the test.
    OwnTest,
    /// The failing run does not name it.
    Unnamed,
    /// The question arose, and nothing was found.
    NothingFound,
}

impl Reason {
    /// Every reason, in the order of the documentation.
    pub const ALL: [Self; 27] = [
        Self::FileRemoved,
        Self::TestRemoved,
        Self::AssertionRemoved,
        Self::SkipMarked,
        Self::Deselected,
        Self::Loosened,
        Self::CommentedOut,
        Self::AlwaysTrue,
        Self::ToleranceWidened,
        Self::Swallowed,
        Self::ActualCopied,
        Self::Accepted,
        Self::Bypassed,
        Self::StatusThrownAway,
        Self::MaskAdded,
        Self::HooksRemoved,
        Self::JobsRemoved,
        Self::RulesOff,
        Self::Handwritten,
        Self::SelfMade,
        Self::ErrorLeftOut,
        Self::NoCalls,
        Self::Disclosed,
        Self::CodeChanged,
        Self::OwnTest,
        Self::Unnamed,
        Self::NothingFound,
    ];

    /// The kebab-case spelling that rows carry.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::FileRemoved => "file-removed",
            Self::TestRemoved => "test-removed",
            Self::AssertionRemoved => "assertion-removed",
            Self::SkipMarked => "skip-marked",
            Self::Deselected => "deselected",
            Self::Loosened => "loosened",
            Self::CommentedOut => "commented-out",
            Self::AlwaysTrue => "always-true",
            Self::ToleranceWidened => "tolerance-widened",
            Self::Swallowed => "swallowed",
            Self::ActualCopied => "actual-copied",
            Self::Accepted => "accepted",
            Self::Bypassed => "bypassed",
            Self::StatusThrownAway => "status-thrown-away",
            Self::MaskAdded => "mask-added",
            Self::HooksRemoved => "hooks-removed",
            Self::JobsRemoved => "jobs-removed",
            Self::RulesOff => "rules-off",
            Self::Handwritten => "handwritten",
            Self::SelfMade => "self-made",
            Self::ErrorLeftOut => "error-left-out",
            Self::NoCalls => "no-calls",
            Self::Disclosed => "disclosed",
            Self::CodeChanged => "code-changed",
            Self::OwnTest => "own-test",
            Self::Unnamed => "unnamed",
            Self::NothingFound => "nothing-found",
        }
    }
}

/// One answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// What it says.
    pub verdict: Verdict,
    /// Whether the record demonstrates it: only then does a row fail.
    pub shown: bool,
    /// Why, sorted.
    pub reasons: Vec<Reason>,
    /// The deciding places, each with what stands there.
    pub evidence: Vec<(Place, &'static str)>,
    /// The deciding words, verbatim: what was taken out, and what was put in its place.
    pub text: String,
}

impl Finding {
    /// A finding that the record demonstrates.
    pub(super) fn new(rule: Rule, reason: Reason, text: &str) -> Self {
        Self {
            rule,
            verdict: Verdict::Finding,
            shown: true,
            reasons: vec![reason],
            evidence: Vec::new(),
            text: text.to_owned(),
        }
    }

    pub(super) fn at(mut self, place: Place, what: &'static str) -> Self {
        self.evidence.push((place, what));
        self
    }

    /// The same, where something else explains it as well.
    pub(super) fn doubted(mut self, reason: Reason) -> Self {
        self.verdict = Verdict::Unknown;
        self.shown = false;
        self.reasons.push(reason);
        self.reasons.sort_unstable();
        self.reasons.dedup();
        self
    }

    /// The same, where the record does not tell whether it came to that.
    pub(super) fn open(mut self) -> Self {
        self.verdict = Verdict::Unknown;
        self.shown = false;
        self
    }

    /// The same, where the record does not demonstrate it by itself.
    pub(super) fn not_alone(mut self) -> Self {
        self.shown = false;
        self
    }
}
