//! Where a path lies: in the workspace, among temporary and built files, or in the system.

use super::{Access, Domain};

/// What is known where a path is named.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place<'c> {
    /// The working directory that an earlier `cd` set, as written.
    pub(super) cwd: Option<&'c str>,
    /// Variables that hold temporary paths.
    pub(super) temporary: &'c [String],
}

/// Devices that take or give nothing that stays.
pub(super) fn is_null(path: &str) -> bool {
    matches!(
        path,
        "/dev/null"
            | "/dev/stdout"
            | "/dev/stderr"
            | "/dev/tty"
            | "/dev/stdin"
            | "-"
            | "NUL"
            | "nul"
            | "$null"
    ) || path.starts_with("/dev/fd/")
}

/// Folders whose content is built or downloaded.
const BUILT: &[&str] = &[
    "target",
    "node_modules",
    "__pycache__",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".cache",
    "dist",
    "build",
    ".next",
    ".nuxt",
    ".turbo",
    "coverage",
    "htmlcov",
    ".gradle",
    ".tox",
    ".nox",
    ".eggs",
    "DerivedData",
    ".parcel-cache",
    "logs",
    "log",
    "tmp",
    "temp",
    ".tmp",
    ".vite",
    ".svelte-kit",
    ".nyc_output",
    "out",
    "obj",
    "test-results",
    "playwright-report",
];

/// Where a path lies, as far as its text tells.
/// A file that is written may be called like a folder of built files: then only the folders above it count.
pub(super) fn domain(path: &str, access: Access, place: Place<'_>) -> Domain {
    let relative = !path.starts_with(['/', '~', '$']) && path.as_bytes().get(1) != Some(&b':');
    let folders = match access {
        Access::Write | Access::Move => path
            .rfind('/')
            .map_or("", |at| path.get(..at).unwrap_or_default()),
        Access::Read | Access::Create | Access::Delete => path,
    };
    if is_scratch(path, folders, place) {
        return Domain::Scratch;
    }
    if relative {
        let base = place.cwd.filter(|cwd| cwd.starts_with(['/', '~', '$']));
        return match base {
            Some(base)
                if (is_temporary(base) || holds_temporary(base, place))
                    && !path.starts_with("..") =>
            {
                Domain::Scratch
            }
            Some(base) if is_system(base) && !path.starts_with("..") => Domain::Environment,
            _ => Domain::Workspace,
        };
    }
    if is_system(path) {
        Domain::Environment
    } else {
        Domain::Workspace
    }
}

fn is_temporary(path: &str) -> bool {
    [
        "/tmp",
        "/var/tmp",
        "/private/tmp",
        "/var/folders",
        "/dev/shm",
        "$TMPDIR",
        "${TMPDIR",
        "$TMP",
        "$TEMP",
        "${TMP",
        "$RUNNER_TEMP",
    ]
    .iter()
    .any(|root| {
        path.strip_prefix(root)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '}', ':', '_', 'D']))
    })
}

/// Variables that were set to a temporary path, and those named like one: `$tmp`, `${TMP_DIR}`.
fn holds_temporary(path: &str, place: Place<'_>) -> bool {
    let name = path.strip_prefix('$').unwrap_or_default();
    let name = name.strip_prefix('{').unwrap_or(name);
    let end = name
        .bytes()
        .take_while(|b| *b == b'_' || b.is_ascii_alphanumeric())
        .count();
    let name = name.get(..end).unwrap_or_default();
    let named = |start: &str| {
        name.get(..start.len())
            .is_some_and(|lead| lead.eq_ignore_ascii_case(start))
    };
    named("tmp") || named("temp") || place.temporary.iter().any(|known| known == name)
}

/// The variable that an assignment sets to a temporary path.
pub(super) fn temporary_variable(assignment: &str) -> Option<&str> {
    let (name, value) = assignment.split_once('=')?;
    let temporary =
        value.starts_with("$(mktemp") || value.starts_with("`mktemp") || is_temporary(value);
    temporary.then_some(name)
}

fn is_scratch(path: &str, folders: &str, place: Place<'_>) -> bool {
    if is_temporary(path)
        || holds_temporary(path, place)
        || path.to_ascii_lowercase().ends_with(".log")
    {
        return true;
    }
    // An absolute path names the folder of the project too, which may be called anything.
    let built = if path.starts_with('/') {
        BUILT.get(..3)
    } else {
        Some(BUILT)
    };
    let built = built.unwrap_or_default();
    folders
        .split('/')
        .take(64)
        .any(|part| built.contains(&part))
}

/// `host:path` and `user@host:path`, as `scp` takes them; a capital before the colon is a Windows drive.
pub(super) fn is_remote(path: &str) -> bool {
    let first = path.split('/').next().unwrap_or_default();
    first.split_once(':').is_some_and(|(host, _)| {
        host.len() > 1 || host.bytes().all(|b| b.is_ascii_lowercase()) && !host.is_empty()
    })
}

fn is_system(path: &str) -> bool {
    [
        "/etc",
        "/usr",
        "/opt",
        "/var",
        "/proc",
        "/sys",
        "/dev",
        "/Library",
        "/System",
        "/Applications",
        "/bin",
        "/sbin",
        "/lib",
        "/boot",
        "/run",
    ]
    .iter()
    .any(|root| {
        path.strip_prefix(root)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }) || ["~/.", "$HOME/.", "${HOME}/."]
        .iter()
        .any(|root| path.starts_with(root))
}
