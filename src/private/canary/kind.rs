//! Kinds of private things, the spellings that hide them, and which detectors are armed.

macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$doc])* $variant,)* }

        impl $name {
            /// Every variant, in declared order.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The word for it in refusals and counts.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }
        }
    };
}

words! {
    /// What kind of private thing was met. The first sixteen are values handed to the canary, the
    /// others are shapes that it knows by itself.
    Kind {
        /// A person's, account's or actor's name.
        Identity = "identity",
        /// A label given to an agent or a run.
        Label = "label",
        /// A session id.
        Session = "session",
        /// A thread id.
        Thread = "thread",
        /// An agent id.
        Agent = "agent",
        /// A message id, handed over or of the clients' own shape, `msg_…`.
        Message = "message",
        /// The id of a tool call.
        Call = "call",
        /// Where a record was found.
        Locator = "locator",
        /// The last component of a locator.
        BaseName = "base-name",
        /// The token of a run.
        RunToken = "run-token",
        /// A root that was searched.
        Root = "root",
        /// A working tree.
        WorkTree = "work-tree",
        /// The home directory.
        Home = "home",
        /// The user's name.
        User = "user",
        /// The host's name.
        Host = "host",
        /// A sentinel planted in a run.
        Sentinel = "sentinel",
        /// The shape of a UUID.
        Uuid = "uuid-shape",
        /// The shape of a call id, `toolu_…` or `call_…`.
        CallId = "call-id-shape",
        /// An absolute POSIX path.
        PosixPath = "posix-path-shape",
        /// An absolute Windows path, a drive or a share.
        WindowsPath = "windows-path-shape",
        /// A home directory turned into one folder name, such as `-home-alice-src`.
        HomeSlug = "home-slug-shape",
        /// An e-mail address.
        Email = "email-shape",
        /// A secret of a named family.
        Secret = "secret-shape",
    }
}

impl Kind {
    /// Whether values of this kind are paths, which also occur as folder slugs.
    #[must_use]
    pub const fn is_path(self) -> bool {
        matches!(
            self,
            Self::Locator | Self::Root | Self::WorkTree | Self::Home
        )
    }

    /// Whether the canary knows this kind by its shape, without a value.
    #[must_use]
    pub fn is_shape(self) -> bool {
        self >= Self::Uuid
    }

    const fn bit(self) -> u32 {
        1 << self as u32
    }
}

words! {
    /// One way of spelling that hides a value from a plain search.
    Spelling {
        /// Other letter case.
        Case = "case",
        /// Full-width and other compatibility forms, composed or decomposed.
        Unicode = "unicode",
        /// Soft hyphens, zero-width and other invisible characters in between.
        Invisible = "invisible",
        /// Backslash escapes of JSON and JavaScript.
        Json = "json",
        /// Character references of HTML.
        Html = "html",
        /// Percent escapes.
        Percent = "percent",
        /// Base64, both alphabets.
        Base64 = "base64",
        /// Slashes for backslashes and the other way round.
        Slash = "slash",
        /// Split by tags.
        Tags = "tags",
        /// Split by line breaks.
        Lines = "lines",
    }
}

/// A set of spellings; empty means that the value stands there plainly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Spellings(u16);

impl Spellings {
    /// No spelling at all: plain.
    pub const NONE: Self = Self(0);
    /// No spelling either, but what was taken out parts two texts: the end of a paragraph, of a row, of
    /// a cell. A value may be written across it; what only looks like something private is none.
    pub(super) const APART: Self = Self(1 << 15);

    /// No spelling: it only stands around what is looked at, and is looked at elsewhere.
    pub(super) const AROUND: Self = Self(1 << 14);

    /// The spellings alone.
    pub(super) const fn plainly(self) -> Self {
        Self(self.0 & !(Self::APART.0 | Self::AROUND.0))
    }

    /// The same of what does not only stand around something.
    pub(super) const fn inside(self) -> Self {
        Self(self.0 & !Self::AROUND.0)
    }

    /// Nothing but whether it only stands around something.
    pub(super) const fn place(self) -> Self {
        Self(self.0 & Self::AROUND.0)
    }

    pub(super) const fn is_around(self) -> bool {
        self.0 & Self::AROUND.0 != 0
    }

    pub(super) const fn is_apart(self) -> bool {
        self.0 & Self::APART.0 != 0
    }

    /// The set with one more.
    #[must_use]
    pub const fn with(self, spelling: Spelling) -> Self {
        Self(self.0 | 1 << spelling as u16)
    }

    /// Both sets together.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the set holds `spelling`.
    #[must_use]
    pub const fn has(self, spelling: Spelling) -> bool {
        self.0 & 1 << spelling as u16 != 0
    }

    /// How many it holds.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether it holds none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// Which detectors are switched on. Full in every grade; only a control runner takes one out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Armed {
    kinds: u32,
    spellings: u16,
}

impl Default for Armed {
    fn default() -> Self {
        Self {
            kinds: u32::MAX,
            spellings: u16::MAX,
        }
    }
}

impl Armed {
    /// Everything but one kind.
    #[must_use]
    pub const fn without_kind(self, kind: Kind) -> Self {
        Self {
            kinds: self.kinds & !kind.bit(),
            ..self
        }
    }

    /// Everything but one spelling.
    #[must_use]
    pub const fn without_spelling(self, spelling: Spelling) -> Self {
        Self {
            spellings: self.spellings & !(1 << spelling as u16),
            ..self
        }
    }

    pub(super) const fn kind(self, kind: Kind) -> bool {
        self.kinds & kind.bit() != 0
    }

    pub(super) const fn spelling(self, spelling: Spelling) -> bool {
        self.spellings & 1 << spelling as u16 != 0
    }
}

/// One private thing met. It never holds the value itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hit {
    /// Byte offset in the scanned text at which it begins.
    pub at: usize,
    /// What kind it is.
    pub kind: Kind,
    /// The spellings that had to be undone to see it.
    pub spelling: Spellings,
}
