//! What a command can do to whoever runs it, and what stays when somebody ends a capture.

use std::fs;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use super::{Scene, alive, capture, in_tree, said, timed};

/// Waits for something that must come.
fn comes(what: &str, mut seen: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !seen() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The program with signals as a terminal leaves them: whoever runs tests in the background ignores some, and what is
/// ignored stays so in all that it starts.
fn started(scene: &Scene, line: &str) -> Child {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let own = scene.command(&words);
    let mut command = std::process::Command::new("env");
    command
        .args(["--default-signal=INT,HUP"])
        .arg(own.get_program())
        .args(own.get_args());
    for (name, value) in own.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    if let Some(folder) = own.get_current_dir() {
        command.current_dir(folder);
    }
    command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn left(scene: &Scene) -> usize {
    fs::read_dir(scene.at("temp")).unwrap().count()
}

/// A capture that somebody broke off left its commands running, and the copy of the tree.
#[cfg(target_os = "linux")]
#[test]
fn a_capture_that_is_broken_off_leaves_neither_commands_nor_copies() {
    for (signal, mark) in [
        ("INT", "9911.5"),
        ("TERM", "9912.5"),
        ("HUP", "9913.5"),
        ("KILL", "9914.5"),
    ] {
        let scene = Scene::new();
        let script = format!("setsid sleep {mark} & sleep {mark}");
        scene.bind(&in_tree("long", &["sh", "-c", &script], ""), "");
        let mut child = started(&scene, &capture("pre-arm", "", "out"));
        comes("the command runs", || {
            super::running(&format!("sleep\0{mark}")).len() == 2
        });
        let sent = std::process::Command::new("kill")
            .args([&format!("-{signal}"), &child.id().to_string()])
            .status();
        assert!(sent.unwrap().success());
        assert!(!child.wait().unwrap().success());
        comes("the command ends", || !alive(mark));
        comes("the copy goes", || left(&scene) == 0);
        assert!(!scene.at("work/out").exists());
    }
}

/// A command that stopped its parent held the capture beyond every limit; one that killed it left its children.
#[cfg(target_os = "linux")]
#[test]
fn a_command_that_stops_or_kills_its_parent_ends_the_capture() {
    for (signal, mark) in [("STOP", "9921.5"), ("KILL", "9922.5")] {
        let scene = Scene::new();
        let script = format!("setsid sleep {mark} & kill -{signal} $PPID; sleep {mark}");
        scene.bind(&in_tree("hostile", &["sh", "-c", &script], ""), "");
        let line = capture("pre-arm", "", "out");
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let (output, took) = timed(|| scene.command(&words).output().unwrap());
        let said = said(&output);
        assert_eq!(
            (said.code, said.err.as_str()),
            (2, "E_CAPTURE field=supervisor kind=ended\n")
        );
        assert!(took < Duration::from_secs(15), "{took:?}");
        assert!(!alive(mark));
        assert_eq!(left(&scene), 0);
        assert!(!scene.at("work/out").exists());
    }
}

/// Whoever may read every process read the operator's secrets from the parent of a command.
#[cfg(target_os = "linux")]
#[test]
fn a_command_s_parent_holds_nothing_of_the_operator_s_environment() {
    let scene = Scene::new();
    let script = "tr '\\0' '\\n' < /proc/$PPID/environ; true";
    let captures = in_tree("parent", &["sh", "-c", script], "")
        + "[[captures]]\nid = \"who\"\nkind = \"processes\"\nphases = [\"pre-arm\"]\n";
    scene.bind(&captures, "");
    let line = capture("pre-arm", "", "out");
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let mut command = scene.command(&words);
    let child = command
        .env("HARBOUR_TOKEN", "tide-7731")
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let id = u64::from(child.id());
    let output = child.wait_with_output().unwrap();
    assert_eq!(said(&output).err, "");
    let kept = scene.kept("out");
    let printed = kept.printed("parent");
    assert!(
        !printed.contains("tide-7731") && !printed.contains("HOME"),
        "{printed}"
    );
    // Neither of our own processes is one of the run's.
    let processes = kept.json("processes.json");
    let mut all = processes["list"].as_array().unwrap().iter();
    assert!(all.all(|one| one["pid"] != id && one["ppid"] != id));
}

/// A command that was to see the history of the tree ran without it, where there was none that could be read.
#[test]
fn a_repository_that_cannot_be_read_is_refused_before_anything_runs() {
    let scene = Scene::new();
    let mark = scene.at("ran");
    let script = format!("touch {}", mark.display());
    let captures = in_tree("first", &["sh", "-c", &script], "")
        + &in_tree("log", &["git", "log"], "repository = true\n");
    scene.bind(&captures, "");
    let refused = || {
        let said = scene.run(&capture("pre-arm", "", "out"));
        let wanted = "E_CAPTURE field=repository kind=unreadable\n";
        assert_eq!((said.code, said.err.as_str()), (2, wanted));
        assert!(!mark.exists() && !scene.at("work/out").exists());
        assert_eq!(left(&scene), 0);
    };
    fs::rename(scene.tree(".git/HEAD"), scene.tree(".git/head-away")).unwrap();
    refused();
    fs::remove_dir_all(scene.tree(".git")).unwrap();
    refused();
    scene.write(".git", "gitdir: /nowhere\n");
    refused();
}

/// A command that changed the tree was followed by others that spoke of the changed one, and the summary did not
/// say which was discarded.
#[test]
fn nothing_speaks_of_a_tree_that_a_command_changed() {
    let scene = Scene::new();
    let script = format!("echo more >> {}", scene.tree("table.txt").display());
    let captures = in_tree("first", &["sh", "-c", &script], "")
        + &in_tree("second", &["cat", "table.txt"], "")
        + "[[captures]]\nid = \"changes\"\nkind = \"tree\"\nphases = [\"pre-arm\"]\nkeep = [\"table.txt\"]\n";
    scene.bind(&captures, "");
    let list = scene
        .run("capture --spec spec.json --bindings bindings.json --phase pre-arm --arm with --list");
    assert!(
        list.out.ends_with("changes  tree  1 file kept\n"),
        "{}",
        list.out
    );
    let said = scene.run(&capture("pre-arm", "", "out"));
    assert_eq!(
        (said.code, said.out.as_str()),
        (
            0,
            "2 commands, 2 of them discarded, 0 ended as their time was over, 0 not started; 0 facts\n\
             discarded, as the tree changed: first under plain, second under plain\n"
        )
    );
    let kept = scene.kept("out");
    let second = kept.row("second", "plain");
    assert_eq!(
        (&second["discarded"], &second["stdout"]),
        (&"tree-changed".into(), &"".into())
    );
    let tree = kept.json("tree.json");
    assert_eq!(
        (&tree["against"], &tree["entries"]),
        (&"nothing".into(), &serde_json::json!([]))
    );
}
