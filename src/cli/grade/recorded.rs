//! The arguments of a run as its context records them.

use std::ffi::OsString;

use crate::private::argv;

/// Flags whose value is a path, for the recorded arguments.
const PATH_FLAGS: [&str; 6] = [
    "--controls",
    "--out-private",
    "--out",
    "--config",
    "--from",
    "--judgments",
];
/// Flags without a value.
const SWITCHES: [&str; 4] = ["--all", "--demo", "--diff", "--quiet"];

/// The arguments as they are recorded. What follows a switch is no value of it, so that the two
/// are recorded apart: a path there must not pass for a harmless word.
pub(super) fn recorded(argv: &[OsString]) -> Vec<String> {
    let words: Vec<String> = argv
        .iter()
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let mut out = Vec::new();
    let mut rest = words.as_slice();
    let mut commands: &[&str] = &["grade", "regrade"];
    loop {
        let options = rest.iter().take_while(|word| *word != "--");
        let switch = options
            .enumerate()
            .find(|(_, word)| SWITCHES.contains(&word.as_str()));
        let Some((at, switch)) = switch else {
            out.extend(argv::redact(rest, &PATH_FLAGS, commands));
            return out;
        };
        out.extend(argv::redact(&rest[..at], &PATH_FLAGS, commands));
        out.push(switch.clone());
        rest = &rest[at + 1..];
        commands = &[];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_stays_in_the_recorded_arguments() {
        let words = |text: &str| -> Vec<OsString> { text.split(' ').map(OsString::from).collect() };
        let argv = words("deedcheck grade --quiet client-x --out=a --jobs 2 grade -- --quiet b");
        assert_eq!(
            recorded(&argv).join(" "),
            "grade --quiet <path> --out=<path> --jobs 2 <path> -- <path> <path>"
        );
        let argv = words("deedcheck regrade --from=/a --judgments b --diff c --rules gate");
        assert_eq!(
            recorded(&argv).join(" "),
            "regrade --from=<path> --judgments <path> --diff <path> --rules gate"
        );
        assert_eq!(
            recorded(&words("deedcheck --quiet grade")),
            ["--quiet", "<path>"]
        );
    }
}
