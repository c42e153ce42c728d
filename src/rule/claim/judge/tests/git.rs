//! What git's answers tell of commits and pushes whose own status says nothing.

use super::*;

/// A step of a record's line that has as many events before it.
fn at(line: u64, issued: u64, mut step: Step) -> Step {
    let place = |line: u64, start: u64| Place {
        line,
        start,
        end: start + 1,
    };
    step.call = place(line, issued);
    step.result = Some(place(line + 1, issued));
    step.issued = issued;
    step
}

const MADE: &str = "[main 5fa2423] Add the reports\n 2 files changed, 3 insertions(+)";
const ELSE: &str = "powershell.exe -Command \"git commit -m 'Add the reports'\"";

fn committed(steps: Vec<Step>) -> String {
    of(steps, "The reports are committed.", Kind::Commit)
}

#[test]
fn a_commit_before_the_failed_one_is_no_later_one() {
    let failed = |line, issued| at(line, issued, red("git commit -m x", "error: pathspec 'x'"));
    // Several events stand in one line.
    let got = committed(vec![at(3, 40, sh(ELSE, MADE)), failed(5, 42)]);
    assert!(got.starts_with("contradicted"), "{got}");
    // Lines without an event stand between.
    let got = committed(vec![failed(90, 4), at(95, 6, sh(ELSE, MADE))]);
    assert_eq!(got, "supported readback");
    // Both were called in one message.
    let got = committed(vec![failed(90, 4), at(90, 5, sh(ELSE, MADE))]);
    assert_eq!(got, "supported readback");
}

#[test]
fn a_commit_is_told_by_its_own_line_wherever_it_stands() {
    let failed = || at(1, 1, red("git commit -m x", "error: pathspec 'x'"));
    let hooks = "[INFO] Initializing environment for https://example.com/hooks.\n\
        [WARNING] Unstaged files detected.";
    let amended = "[main 5fa2423] Add the reports\n Date: Mon Jan 5 10:00:00 2026 +0100\n \
        2 files changed, 3 insertions(+)";
    let inside = "powershell.exe -Command \"git -C app commit --amend\"";
    for (command, text) in [
        (ELSE, format!("{hooks}\n{MADE}")),
        (ELSE, amended.to_owned()),
        (inside, MADE.to_owned()),
    ] {
        let got = committed(vec![failed(), at(5, 5, sh(command, &text))]);
        assert_eq!(got, "supported readback", "{text}");
    }
    let printed = at(5, 5, sh("echo \"git commit\"; cat old.log", MADE));
    let got = committed(vec![failed(), printed]);
    assert!(got.starts_with("contradicted"), "{got}");
}

#[test]
fn what_is_said_of_another_command_takes_no_commit_back() {
    for (rest, said) in [
        (
            "git push 2>&1 | tail -3",
            "fatal: unable to access 'https://example.com/'",
        ),
        (
            "git push 2>&1 | tail -3",
            " ! [rejected] main -> main (fetch first)",
        ),
        (
            "git status | tail -2",
            "nothing to commit, working tree clean",
        ),
    ] {
        let both = format!("git commit -m x 2>&1 | tail -3; {rest}");
        let got = committed(vec![sh(&both, &format!("{MADE}\n{said}"))]);
        assert!(got.starts_with("supported"), "{said}: {got}");
    }
    let close = "Committed and pushed.";
    let both = "git commit -m x 2>&1 | tail -3; git push 2>&1 | tail -3";
    let said = format!("{MADE}\nfatal: unable to access 'https://example.com/'");
    let got = of(vec![sh(both, &said)], close, Kind::Push);
    assert!(got.starts_with("contradicted"), "{got}");
    let again = "git push 2>&1 | tail -3; git pull --rebase -q; git push 2>&1 | tail -3";
    let said = " ! [rejected] main -> main (fetch first)\n   9ab31d0..1a2b3c4  main -> main";
    let got = of(vec![sh(again, said)], "Pushed to main.", Kind::Push);
    assert!(got.starts_with("supported"), "{got}");
}

#[test]
fn what_a_message_names_is_no_message() {
    let run = || sh("pytest", GREEN);
    let code = || edit("src/lib.rs");
    for command in [
        "git commit -m \"Document the -F src/lib.rs flag\"",
        "git commit -m -F src/lib.rs",
        "git tag -F src/lib.rs v1",
    ] {
        let got = tests_of(vec![run(), code(), sh(command, "")], "All tests pass.");
        assert_eq!(got, "unsupported stale", "{command}");
    }
}

#[test]
fn a_file_that_stood_there_stays_work_when_a_message_is_taken_from_it() {
    let other = || edit("src/a.py");
    let readme = || changed("README.md", "Install with pipx", Outcome::Ok);
    let sent = || sh("gh issue create --title x --body-file README.md", "");
    let close = "Updated `README.md`.";
    let got = of(vec![other(), readme(), sent()], close, Kind::Edit);
    assert_eq!(got, "supported direct");
}
