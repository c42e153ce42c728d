//! What a claim is.

use core::ops::Range;

/// What a claim states, by the evidence that would bear it out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A test suite passed.
    Tests,
    /// A build succeeded.
    Build,
    /// A linter found nothing.
    Lint,
    /// A type checker found nothing.
    Typecheck,
    /// The format is as it should be.
    Format,
    /// Something was run, started or stopped, and it went as told.
    Run,
    /// A change was made.
    Edit,
    /// An outcome: the fault is gone, it works now.
    Fixed,
    /// A file or another thing was made.
    Create,
    /// A file or another thing was taken away.
    Delete,
    /// A figure that a record can show.
    Count,
    /// A commit was made.
    Commit,
    /// A branch or tag was pushed.
    Push,
    /// A pull request was opened or changed, or has a state.
    Pr,
    /// Branches were joined.
    Merge,
    /// Something went live.
    Deploy,
    /// A package or release was published.
    Publish,
    /// Something was installed.
    Install,
    /// Something was checked.
    Verified,
    /// An error or an output is quoted as having occurred.
    Quote,
    /// A place in a file, `path:line`, is cited.
    Site,
    /// A list of the files that changed.
    Filelist,
    /// Nothing, or not this, was changed.
    Nochange,
    /// A failure was there before.
    Preexisting,
    /// Leftovers were taken away.
    Cleanup,
    /// An honest report of a failure.
    Failing,
    /// Something was not done or not verified.
    Disclosure,
}

impl Kind {
    /// Every kind, in the order of the documentation.
    pub const ALL: [Self; 27] = [
        Self::Tests,
        Self::Build,
        Self::Lint,
        Self::Typecheck,
        Self::Format,
        Self::Run,
        Self::Edit,
        Self::Fixed,
        Self::Create,
        Self::Delete,
        Self::Count,
        Self::Commit,
        Self::Push,
        Self::Pr,
        Self::Merge,
        Self::Deploy,
        Self::Publish,
        Self::Install,
        Self::Verified,
        Self::Quote,
        Self::Site,
        Self::Filelist,
        Self::Nochange,
        Self::Preexisting,
        Self::Cleanup,
        Self::Failing,
        Self::Disclosure,
    ];

    /// The name in rows.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Tests => "tests",
            Self::Build => "build",
            Self::Lint => "lint",
            Self::Typecheck => "typecheck",
            Self::Format => "format",
            Self::Run => "run",
            Self::Edit => "edit",
            Self::Fixed => "fixed",
            Self::Create => "create",
            Self::Delete => "delete",
            Self::Count => "count",
            Self::Commit => "commit",
            Self::Push => "push",
            Self::Pr => "pr",
            Self::Merge => "merge",
            Self::Deploy => "deploy",
            Self::Publish => "publish",
            Self::Install => "install",
            Self::Verified => "verified",
            Self::Quote => "quote",
            Self::Site => "site",
            Self::Filelist => "filelist",
            Self::Nochange => "nochange",
            Self::Preexisting => "preexisting",
            Self::Cleanup => "cleanup",
            Self::Failing => "failing",
            Self::Disclosure => "disclosure",
        }
    }

    /// Whether a run of a checker bears it out.
    #[must_use]
    pub fn is_check(self) -> bool {
        matches!(
            self,
            Self::Tests | Self::Build | Self::Lint | Self::Typecheck | Self::Format
        )
    }
}

/// Who is said to have found or done it, where it is not the agent itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reporter {
    /// A continuous-integration service.
    Ci,
    /// A reviewer, human or not.
    Reviewer,
    /// A subagent or worker of the session.
    Delegate,
    /// The user. What only the user has said is no statement of the agent's, so no claim has it;
    /// a deed may.
    User,
    /// A document: the readme, a guide, a ticket. As with the user, no claim of a check has it.
    Docs,
    /// Anybody else, a log among them.
    Other,
}

/// A number of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counted {
    /// Its value; of `N/M passed`, there is one entry for `N` and one for `M`.
    pub value: u64,
    /// What is counted, in the plural: `tests`, `passed`, `failed`, `skipped`, `files`, `lines`,
    /// `errors`, `warnings`, `commits`, `issues`, `percent` and others of a closed list; empty
    /// where no known noun stands by it.
    pub noun: &'static str,
    /// Bytes of the digits in the close.
    pub span: Range<usize>,
}

/// A cited place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// The path, as written.
    pub path: String,
    /// The line, from 1; the first one of a range.
    pub line: u64,
    /// Bytes in the close.
    pub span: Range<usize>,
}

/// One checkable statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// What it states.
    pub kind: Kind,
    /// The clause or the part of it that states it, in bytes of the close.
    pub span: Range<usize>,
    /// It is stated not to be so: `not pushed yet`. Such a claim never accuses of a false success.
    pub negated: bool,
    /// Something is taken out of it: `all but two`, `except for`, `mostly`.
    pub partial: bool,
    /// Identifiers, packages and folders that it names, in order.
    pub scope: Vec<String>,
    /// Its numbers, in order.
    pub numbers: Vec<Counted>,
    /// The quoted string, marks left out.
    pub quote: Option<Range<usize>>,
    /// The places that it cites.
    pub sites: Vec<Site>,
    /// It speaks of the whole: `all tests`, `full suite`.
    pub whole: bool,
    /// It speaks of a time before this turn's work: `already`, `previously`.
    pub earlier: bool,
    /// It is said of another time or place than here and now, or of somebody else's deed: `passed
    /// before my change`, `on main all tests pass`. What this turn did speaks neither for nor against it.
    pub elsewhere: bool,
    /// Who is said to have found it.
    pub reported: Option<Reporter>,
    /// Plain words that narrow what was checked: `parser` of `all parser tests`. A claim that has
    /// any is never `whole`.
    pub about: Vec<String>,
    /// Where or under what it holds.
    pub place: Option<Place>,
    /// The parts of a count of tests.
    pub tally: Tally,
    /// The sentence tells of a run of the agent's own (`I ran`, `` Ran `npm test` ``), and not only of
    /// a state: what was run may have been run before the last change.
    pub ran: bool,
    /// A check: it is said how it went, and not only that it was run.
    pub outcome: bool,
}

impl Claim {
    /// A claim of which only the kind and the place are told.
    #[must_use]
    pub fn of(kind: Kind, span: Range<usize>) -> Self {
        Self {
            kind,
            span,
            negated: false,
            partial: false,
            scope: Vec::new(),
            numbers: Vec::new(),
            quote: None,
            sites: Vec::new(),
            whole: false,
            earlier: false,
            elsewhere: false,
            reported: None,
            about: Vec::new(),
            place: None,
            tally: Tally::default(),
            ran: false,
            outcome: true,
        }
    }
}

/// Where or under what a claim is said to hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A folder, a package or a file, as written: `` in `packages/web` ``.
    Path(String),
    /// A branch: `on main`.
    Branch(String),
    /// The state before the change: `on a clean checkout`, `without my change`.
    Base,
    /// Another system: `on Windows`, in small letters.
    System(String),
}

/// The parts of a count of tests: `38 passed, 2 failed`, `38 of 40 tests`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many passed.
    pub passed: Option<u64>,
    /// How many failed.
    pub failed: Option<u64>,
    /// How many were left out.
    pub skipped: Option<u64>,
    /// How many there are.
    pub total: Option<u64>,
}

/// Whether the text could be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// Every clause is in a language whose claims are read.
    Read,
    /// Some or all of it is not: rows are `unknown(language)`.
    Other,
}

/// The reading of a close.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// Claims by start, end and kind; those of one kind do not overlap.
    pub claims: Vec<Claim>,
    /// Whether the text could be read.
    pub language: Language,
    /// Clauses that state something in a language, or of a kind, that is not read, in order.
    pub unread: Vec<Range<usize>>,
}
