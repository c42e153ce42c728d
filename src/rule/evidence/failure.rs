//! Whether an output tells that what printed it failed, for where no exit status does.

/// Beginnings of lines that tell of a failure, in small letters.
const STARTS: [&str; 14] = [
    "traceback (most recent call last)",
    "error:",
    "error response",
    "error[",
    "fatal:",
    "fatal error",
    "e: ",
    "npm error",
    "npm err!",
    "panic:",
    "failed",
    "err_pnpm",
    "internal server error",
    "unhandled",
];

/// Words that do so wherever they stand, in small letters.
const HOLDS: [&str; 8] = [
    "permission denied",
    "command not found",
    "accessdenied",
    "access denied",
    "authentication failed",
    "could not connect",
    "connection refused",
    "exited with code 1",
];

/// Whether a line of an output tells of a failure.
#[must_use]
pub fn tells_of_failure(output: &str) -> bool {
    output.lines().any(|line| {
        let line = line.trim();
        let lower = line.to_lowercase();
        STARTS.iter().any(|head| lower.starts_with(head))
            || HOLDS.iter().any(|words| lower.contains(words))
            || is_exception(line)
    })
}

/// `ValueError: bad`, `sqlalchemy.exc.OperationalError: could not connect`.
fn is_exception(line: &str) -> bool {
    let name = line.split(':').next().unwrap_or("");
    let last = name.rsplit('.').next().unwrap_or("");
    let ends = ["Error", "Exception"]
        .iter()
        .any(|end| last.ends_with(end) && last.len() > end.len());
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '_';
    ends && name.len() < line.len() && name.chars().all(plain)
}

/// Whether a program says in its own output that it could not: `rm: cannot remove 'a'`.
pub(super) fn complains(program: &str, output: &str) -> bool {
    const SIGNS: [&str; 7] = [
        "cannot ",
        "can't ",
        "permission denied",
        "not permitted",
        "no space left",
        "read-only file system",
        "no such file",
    ];
    let removes = matches!(program, "rm" | "unlink" | "rmdir");
    output.lines().any(|line| {
        let own = line
            .trim()
            .strip_prefix(program)
            .filter(|_| !program.is_empty());
        let lower = own
            .and_then(|rest| rest.strip_prefix(": "))
            .map(str::to_lowercase);
        lower.is_some_and(|rest| {
            // What is not there is gone.
            let gone = removes && rest.contains("no such file");
            !gone && SIGNS.iter().any(|sign| rest.contains(sign))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_told_from_what_only_speaks_of_them() {
        for line in [
            "ERROR: No matching distribution found for torch",
            "Error: creating S3 bucket: AccessDenied",
            "ValueError: bad",
            "sqlalchemy.exc.OperationalError: could not connect",
            "Traceback (most recent call last):",
        ] {
            assert!(tells_of_failure(line), "{line}");
        }
        for line in [
            "0 errors",
            "errors: none",
            "added errors.py",
            "Error handling: on",
        ] {
            assert!(!tells_of_failure(line), "{line}");
        }
    }

    #[test]
    fn a_program_speaks_for_itself() {
        assert!(complains("rm", "rm: cannot remove 'a': Permission denied"));
        assert!(!complains(
            "rm",
            "rm: cannot remove 'a': No such file or directory"
        ));
        assert!(!complains("rm", "a cannot be found"));
    }
}
