//! What the status of a node means for the whole, handed down through the walk.

use std::sync::Arc;

use super::{Host, Mask, Visible};

/// Shell state that earlier commands leave behind.
#[derive(Debug, Clone)]
pub(super) struct State {
    pub(super) cwd: Option<Arc<str>>,
    pub(super) errexit: bool,
    pub(super) pipefail: bool,
    pub(super) host: Host,
    /// Variables that hold temporary paths.
    pub(super) temporary: Vec<String>,
}

impl State {
    pub(super) fn new() -> Self {
        Self {
            cwd: None,
            errexit: false,
            pipefail: false,
            host: Host::Local,
            temporary: Vec::new(),
        }
    }
}

/// How a node's status, and a shell that exits inside it, show in the status of the whole.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ctx {
    /// What the node's own status comes to.
    pub(super) value: Visible,
    /// What the status of a shell that exits here comes to.
    pub(super) abort: Visible,
    /// `set -e` would act on a failure here.
    pub(super) checked: bool,
    /// The element of the node's pipeline that `PIPESTATUS` asks for.
    pub(super) element: Option<usize>,
    /// The node runs in the background.
    pub(super) background: bool,
    /// The pipeline around it.
    pub(super) pipeline: Option<u32>,
    /// What that pipeline comes to.
    pub(super) piped: Visible,
    /// Its output ends that pipeline.
    pub(super) last: bool,
}

impl Ctx {
    /// The context of a whole script.
    pub(super) fn top() -> Self {
        Self {
            value: Visible::Shown,
            abort: Visible::Shown,
            checked: true,
            element: None,
            background: false,
            pipeline: None,
            piped: Visible::Shown,
            last: true,
        }
    }

    /// What shows of the node, given whether `set -e` is on.
    pub(super) fn visible(self, errexit: bool) -> Visible {
        if self.value.is_masked() && errexit && self.checked && !self.abort.is_masked() {
            return Visible::Implied;
        }
        self.value
    }

    /// The same place with another meaning of the node's own status.
    pub(super) fn with(self, value: Visible) -> Self {
        Self {
            value,
            element: None,
            ..self
        }
    }

    /// A place whose status never counts and where `set -e` is off.
    pub(super) fn unchecked(self, why: Mask) -> Self {
        Self {
            checked: false,
            ..self.with(Visible::Masked(why))
        }
    }

    /// A place where neither the status nor an exit shows.
    pub(super) fn hidden(self, why: Mask) -> Self {
        Self {
            abort: Visible::Masked(why),
            ..self.with(Visible::Masked(why))
        }
    }

    /// The context of a shell started here: what exits it is its value.
    pub(super) fn subshell(self, value: Visible) -> Self {
        Self {
            abort: value,
            ..self.with(value)
        }
    }
}

impl Visible {
    /// The status tells nothing.
    #[must_use]
    pub fn is_masked(self) -> bool {
        matches!(self, Self::Masked(_))
    }

    /// What remains for a command whose failure makes the whole fail, where this is what shows of the whole.
    pub(super) fn implied(self) -> Self {
        match self {
            Self::Shown => Self::Implied,
            other => other,
        }
    }
}
