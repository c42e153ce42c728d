//! Texts that a shell is handed: whose directory and options they change.

use super::super::{Exit, Mask, Script, Simple, Visible, read};

#[test]
fn what_a_shell_of_its_own_does_to_its_directory_ends_with_it() {
    for (command, cwd) in [
        ("bash -c 'cd a'; ls", None),
        ("bash -c 'cd a && make'; ls", None),
        ("bash <<'X'\ncd a\nX\nls", None),
        // `eval` runs in the shell that reads it.
        ("eval 'cd a'; ls", Some("a")),
        ("eval cd a; ls", Some("a")),
    ] {
        let script = read(command);
        let last = script.commands.iter().find(|one| one.words[0] == "ls");
        let found = last.and_then(|one| one.cwd.as_deref());
        assert_eq!(found, cwd, "{command}");
    }
}

#[test]
fn an_option_that_is_set_by_eval_holds_behind_it() {
    let whole = read("eval 'set -o pipefail'; cargo test | tail");
    assert_ne!(whole.exit, Exit::Fixed);
    let plain = read("bash -c 'set -o pipefail'; cargo test | tail");
    let with = read("set -o pipefail; cargo test | tail");
    let without = read("cargo test | tail");
    let statuses = |script: &Script<'_>| {
        let own = |one: &&Simple<'_>| one.words[0] == "cargo";
        script.commands.iter().find(own).map(|one| one.status)
    };
    assert_eq!(statuses(&whole), statuses(&with));
    assert_eq!(statuses(&plain), statuses(&without));
    assert_ne!(statuses(&with), statuses(&without));
}

#[test]
fn a_pipe_comes_to_what_the_whole_of_it_does() {
    let followed = Visible::Masked(Mask::Followed);
    for (command, piped) in [
        ("make | head", Visible::Shown),
        ("make; ls", Visible::Shown),
        ("make | head; true", followed),
        ("(make | head) | tail; true", followed),
        ("{ make | head; ls; } | tail", followed),
        ("make | while read -r own; do ls; done", Visible::Shown),
        ("bash -c 'make | head'; true", followed),
        ("bash -c 'make | head' | tail; true", followed),
        ("own=$(make) | head; true", followed),
        ("make | head || true", Visible::Masked(Mask::Or)),
    ] {
        let script = read(command);
        let make = script.commands.iter().find(|own| own.program == "make");
        assert_eq!(make.unwrap().piped, piped, "{command}");
    }
    for (command, piped) in [
        ("python3 -m make x | head", Visible::Shown),
        ("python3 -m make x | head; true", followed),
        ("time make | head; true", followed),
    ] {
        let script = read(command);
        assert_eq!(script.wrapped.last().unwrap().piped, piped, "{command}");
    }
}
