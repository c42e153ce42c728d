//! Keeps an argument vector with a placeholder for each path.
//!
//! Rule (seed 002, the recorded command of a run): a path-valued flag loses its value in both
//! spellings, `--flag v` and `--flag=v`; a `NAME=FILE` value keeps its name; anything else that
//! could be a path is replaced too, since a record that is too poor harms nobody.

/// What stands in the record instead of a path.
pub const PLACEHOLDER: &str = "<path>";

/// The argument vector as it may be recorded.
///
/// `args` starts after the program's own name. `path_flags` names the flags whose value is a path,
/// with their leading dashes; `commands` holds the words that may stand without a flag (the
/// subcommands). Every other positional argument is taken for a path.
#[must_use]
pub fn redact<S: AsRef<str>>(args: &[S], path_flags: &[&str], commands: &[&str]) -> Vec<String> {
    let mut out = Vec::with_capacity(args.len());
    let mut expect = Expect::Anything;
    let mut only_paths = false;
    let mut leading = true;
    for arg in args {
        let arg = arg.as_ref();
        if only_paths {
            out.push(PLACEHOLDER.to_owned());
            continue;
        }
        match expect {
            Expect::Path => {
                out.push(named(arg));
                expect = Expect::Anything;
                continue;
            }
            Expect::Value if !arg.starts_with("--") => {
                out.push(word_or_path(arg));
                expect = Expect::Anything;
                continue;
            }
            Expect::Value | Expect::Anything => expect = Expect::Anything,
        }
        if arg == "--" {
            only_paths = true;
            out.push(arg.to_owned());
        } else if arg.starts_with('-') && arg.len() > 1 {
            let (shown, next) = flag(arg, path_flags);
            out.push(shown);
            expect = next;
        } else if leading && commands.contains(&arg) {
            out.push(arg.to_owned());
            continue;
        } else {
            out.push(PLACEHOLDER.to_owned());
        }
        leading = false;
    }
    out
}

/// What the argument after a flag may be.
#[derive(Clone, Copy)]
enum Expect {
    /// A path: the flag before it wants one.
    Path,
    /// Perhaps the value of a flag that takes no path.
    Value,
    /// A new argument.
    Anything,
}

fn flag(arg: &str, path_flags: &[&str]) -> (String, Expect) {
    match arg.split_once('=') {
        Some((name, value)) if path_flags.contains(&name) => {
            (format!("{name}={}", named(value)), Expect::Anything)
        }
        Some((name, value)) if plain_flag(name) => {
            (format!("{name}={}", word_or_path(value)), Expect::Anything)
        }
        None if path_flags.contains(&arg) => (arg.to_owned(), Expect::Path),
        None if plain_flag(arg) => (arg.to_owned(), Expect::Value),
        _ => (PLACEHOLDER.to_owned(), Expect::Anything),
    }
}

/// A flag as the command line knows them: dashes, small letters, digits.
fn plain_flag(name: &str) -> bool {
    let body = name.trim_start_matches('-');
    !body.is_empty()
        && body
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

/// `NAME=FILE` keeps its name when the name is a plain word; any other path loses everything.
fn named(value: &str) -> String {
    match value.split_once('=') {
        Some((name, _)) if is_word(name) && name.len() <= 32 => format!("{name}={PLACEHOLDER}"),
        _ => PLACEHOLDER.to_owned(),
    }
}

/// A value that cannot be a path or an identifier stays; all else becomes the placeholder.
fn word_or_path(value: &str) -> String {
    let harmless = value
        .split(',')
        .all(|part| is_word(part) || part.bytes().all(|b| b.is_ascii_digit()) || is_ratio(part));
    if harmless && value.len() <= 64 {
        value.to_owned()
    } else {
        PLACEHOLDER.to_owned()
    }
}

/// `i/n`, the one value with a slash that is no path: a shard.
fn is_ratio(part: &str) -> bool {
    part.split_once('/').is_some_and(|(left, right)| {
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        digits(left) && digits(right)
    })
}

fn is_word(part: &str) -> bool {
    !part.is_empty()
        && part
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_' || b == b'.')
        && part.bytes().any(|b| b.is_ascii_alphanumeric())
        && !part.starts_with('.')
}

/// Whether a recorded word still looks like a path, by itself or as a flag's value: whoever
/// publishes an argument vector refuses it then. A placeholder and a shard do not.
#[must_use]
pub fn looks_like_path(word: &str) -> bool {
    let value = match word.split_once('=') {
        Some((flag, value)) if plain_flag(flag) => value,
        _ => word,
    };
    value.split(['=', ',']).any(|part| {
        let drive = matches!(part.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
        let dots = part.starts_with('.') && part.bytes().all(|b| b == b'.');
        let slash = part.contains(['/', '\\']) && !is_ratio(part);
        part != PLACEHOLDER && (slash || drive || dots || part.starts_with('~'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_still_looks_like_a_path_is_told_in_both_spellings() {
        for word in [
            "/home/a",
            "a/b",
            "./a",
            "..",
            ".",
            "~",
            "~a",
            "C:",
            "c:x",
            "C:\\a",
            "\\\\host\\a",
            "--out=/x",
            "--out=~",
            "--since=d:",
            "B=/x/y",
            "--run-mode=B=a/b",
            "--rules=gate,a/b",
            "/",
            "1/2/3",
            "a/1",
        ] {
            assert!(looks_like_path(word), "{word}");
        }
        for word in [
            "grade",
            "--out",
            "<path>",
            "--out=<path>",
            "B=<path>",
            "--run-mode=B=<path>",
            "1/8",
            "--shard=1/8",
            "--fail-on=contradicted,dark",
            "2026-01-02",
            "--",
            "gg-0.4",
            "",
        ] {
            assert!(!looks_like_path(word), "{word}");
        }
    }

    #[test]
    fn nothing_that_is_recorded_looks_like_a_path() {
        let values = [
            "/home/a", "~/a", "C:\\a", "a/b", "..", "\\\\h\\s", "./x", "B=/x", "1/8",
        ];
        let flags = [
            "--out",
            "--spec",
            "--run-mode",
            "--profile",
            "--shard",
            "--rules",
        ];
        for value in values {
            for flag in flags {
                for args in [
                    vec!["grade".to_owned(), flag.to_owned(), value.to_owned()],
                    vec!["grade".to_owned(), format!("{flag}={value}")],
                    vec!["grade".to_owned(), value.to_owned(), flag.to_owned()],
                ] {
                    let kept = redact(&args, PATHS, COMMANDS);
                    assert!(!kept.iter().any(|word| looks_like_path(word)), "{kept:?}");
                }
            }
        }
    }

    const PATHS: &[&str] = &["--out", "--out-private", "--spec", "--run-mode"];
    const COMMANDS: &[&str] = &["grade", "spec", "freeze"];

    fn shown(args: &[&str]) -> String {
        redact(args, PATHS, COMMANDS).join(" ")
    }

    #[test]
    fn both_spellings_lose_the_path() {
        assert_eq!(
            shown(&[
                "grade",
                "--out",
                "/home/a/x",
                "--out-private=/home/a/p",
                "--jobs",
                "2"
            ]),
            "grade --out <path> --out-private=<path> --jobs 2"
        );
    }

    #[test]
    fn positional_paths_and_all_after_two_dashes_go() {
        assert_eq!(
            shown(&["grade", "sessions", "--all", "a/b", "--", "--out", "grade"]),
            "grade <path> --all <path> -- <path> <path>"
        );
        assert_eq!(shown(&["grade", "grade2", "grade"]), "grade <path> <path>");
        assert_eq!(shown(&["spec", "freeze", "-"]), "spec freeze <path>");
    }

    #[test]
    fn a_named_file_keeps_its_name_only() {
        assert_eq!(
            shown(&[
                "grade",
                "--run-mode",
                "B=/x/y",
                "--run-mode=A=/x/y",
                "--run-mode",
                "/x=/y"
            ]),
            "grade --run-mode B=<path> --run-mode=A=<path> --run-mode <path>"
        );
    }

    #[test]
    fn values_of_other_flags_stay_when_harmless() {
        assert_eq!(
            shown(&[
                "grade",
                "--shard",
                "1/8",
                "--fail-on=contradicted,dark",
                "--since",
                "2026-01-02"
            ]),
            "grade --shard 1/8 --fail-on=contradicted,dark --since 2026-01-02"
        );
        assert_eq!(
            shown(&[
                "grade",
                "--profile",
                "~/x",
                "--rules=C:\\a",
                "--format",
                "--all"
            ]),
            "grade --profile <path> --rules=<path> --format --all"
        );
    }

    #[test]
    fn a_path_flag_swallows_even_a_flag_and_odd_flags_go() {
        assert_eq!(shown(&["--out", "--spec", "x"]), "--out <path> <path>");
        assert_eq!(
            shown(&["--/home/a", "-/home/a=b", "--Weird=/x"]),
            "<path> <path> <path>"
        );
    }
}
