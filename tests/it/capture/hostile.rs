//! Trees and commands that mean no good.

use std::fs;
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::{Scene, alive, in_tree, timed};

#[test]
fn nothing_of_the_operator_s_environment_is_seen_but_what_is_listed() {
    let scene = Scene::new();
    let captures = in_tree("env", &["env"], "variables = [\"TABLE_MODE\"]");
    let probe = "import os, sys; print(os.environ.get('HOME')); print(open('/proc/self/environ').read().replace(chr(0), chr(10)))";
    scene.bind(
        &(captures + &in_tree("probe", &["python3", "-c", probe], "")),
        "",
    );
    let line = super::capture("pre-arm", "", "out");
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let output = scene
        .command(&words)
        .envs([
            ("RUN_TOKEN", "value-of-run-token"),
            ("GITHUB_TOKEN", "value-of-github-token"),
            ("AWS_SECRET_ACCESS_KEY", "value-of-aws"),
            ("HARMLESS", "value-of-harmless"),
            ("LD_LIBRARY_PATH", "/value-of-library"),
            ("PYTHONPATH", "/value-of-python"),
            ("GIT_DIR", "/value-of-git"),
            ("TABLE_MODE", "tidal"),
        ])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let kept = scene.kept("out");
    let home = scene.at("home");
    for id in ["env", "probe"] {
        let printed = kept.printed(id);
        assert!(printed.contains("PYTHONUSERBASE="), "{printed}");
        assert!(!printed.contains("value-of"), "{id}: {printed}");
        for name in [
            "TOKEN",
            "SECRET",
            "HARMLESS",
            "PYTHONPATH",
            "GIT_DIR",
            super::RUN,
        ] {
            assert!(!printed.contains(name), "{id} {name}: {printed}");
        }
        let own = format!("{}\n", home.display());
        assert!(!printed.contains(&own), "{id}: the operator's home");
    }
    assert!(kept.printed("env").contains("TABLE_MODE=tidal\n"));
    assert!(!kept.printed("probe").contains("tidal"), "it lists none");
}

#[test]
fn the_operator_s_own_packages_stay_visible() {
    let scene = Scene::new();
    let version = "import sys; print('python%d.%d' % sys.version_info[:2])";
    let version = Command::new("python3").args(["-c", version]).output();
    let version = version.expect("python3 is needed for the tests of captures");
    let version = String::from_utf8(version.stdout).unwrap();
    let site = format!("home/.local/lib/{}/site-packages", version.trim());
    fs::create_dir_all(scene.at(&site)).unwrap();
    fs::write(scene.at(&site).join("tidepack.py"), "HEIGHT = 310\n").unwrap();
    let script = "import tidepack; print(tidepack.HEIGHT)";
    let captures = in_tree("user", &["python3", "-c", script], "");
    let both = captures.replace("[\"plain\"]", "[\"arm\", \"plain\"]");
    scene.bind(&both, "");
    let kept = scene.capture("pre-arm", "", "out");
    for condition in ["arm", "plain"] {
        assert_eq!(
            kept.row("user", condition)["stdout"],
            "310\n",
            "{condition}"
        );
    }
}

#[test]
fn a_command_runs_in_a_copy_and_never_in_place() {
    let scene = Scene::new();
    symlink(scene.tree("table.txt"), scene.tree("inward")).unwrap();
    symlink("table.txt", scene.tree("beside")).unwrap();
    let script = "echo more > made; echo spoilt > inward; echo spoilt > beside; \
                  rm -rf .git; cat table.txt; git status; pwd";
    scene.bind(
        &in_tree("spoil", &["sh", "-c", script], "repository = true"),
        "",
    );
    let kept = scene.capture("pre-arm", "", "out");
    let printed = kept.printed("spoil");
    assert!(printed.starts_with("spoilt\n"), "{printed}");
    assert!(!printed.contains(scene.at("tree").to_str().unwrap()));
    assert_eq!(
        fs::read_to_string(scene.tree("table.txt")).unwrap(),
        "merle 310\n"
    );
    assert!(!scene.tree("made").exists() && scene.tree(".git/HEAD").exists());
    let row = kept.row("spoil", "plain");
    assert_eq!(row["tree-before"], row["tree-after"]);
    assert!(row["discarded"].is_null());
}

/// A repository in which each thing that git may run writes a mark.
fn trap(scene: &Scene) -> std::path::PathBuf {
    let mark = scene.at("mark");
    let trap = scene.at("trap");
    let text = format!("#!/bin/sh\necho \"$0 $*\" >> {}\ncat\n", mark.display());
    scene.program(&trap, &text);
    for hook in [
        "post-index-change",
        "pre-commit",
        "commit-msg",
        "post-commit",
        "reference-transaction",
        "post-checkout",
        "prepare-commit-msg",
        "fsmonitor-watchman",
    ] {
        scene.program(
            &scene.tree(".git/hooks").join(hook),
            &text.replace("\ncat\n", "\n"),
        );
    }
    let program = trap.to_str().unwrap();
    for (key, value) in [
        ("core.fsmonitor", program),
        ("core.hooksPath", scene.tree(".git/hooks").to_str().unwrap()),
        ("core.pager", program),
        ("core.sshCommand", program),
        ("diff.external", program),
        ("diff.trap.textconv", program),
        ("diff.trap.command", program),
        ("filter.trap.clean", program),
        ("filter.trap.smudge", program),
        ("filter.trap.process", program),
        ("gpg.program", program),
        ("alias.log", &format!("!{program}")),
        (
            "remote.origin.url",
            "https://op:ghp_0123456789abcdef@example.org/tides",
        ),
        ("include.path", scene.at("more").to_str().unwrap()),
    ] {
        scene.git(&["config", key, value]);
    }
    fs::write(scene.at("more"), format!("[core]\n\teditor = {program}\n")).unwrap();
    scene.write(".gitattributes", "*.txt filter=trap diff=trap\n");
    scene.write("table.txt", "merle 311\n");
    let _ = fs::remove_file(&mark);
    mark
}

#[test]
fn no_hook_no_monitor_and_no_filter_of_the_tree_is_run() {
    let scene = Scene::new();
    let mark = trap(&scene);
    let git = |words: &str| {
        let words: Vec<&str> = std::iter::once("git").chain(words.split(' ')).collect();
        in_tree(words[1], &words, "repository = true")
    };
    let mut captures: String = [
        "status --short",
        "log --format=%s",
        "diff --stat",
        "add --all",
    ]
    .map(git)
    .concat();
    captures += &in_tree(
        "commit",
        &[
            "git",
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@b",
            "commit",
            "-qam",
            "more",
        ],
        "repository = true",
    );
    captures += &in_tree("show", &["cat", ".git/config"], "repository = true");
    captures += "[[captures]]\nid = \"changes\"\nkind = \"tree\"\nphases = [\"pre-arm\"]\n";
    captures += &super::command(
        "base",
        &["ls", "-A"],
        "place = \"base\"\nconditions = [\"plain\"]",
    );
    scene.bind(&captures, "");
    let kept = scene.capture("pre-arm", "", "out");
    let told = fs::read_to_string(&mark).unwrap_or_default();
    assert_eq!(told, "", "something of the tree was run");
    assert_eq!(kept.printed("status"), " M table.txt\n?? .gitattributes\n");
    assert_eq!(kept.printed("log"), "Start the table\n");
    for id in ["add", "commit", "diff"] {
        assert_eq!(kept.row(id, "plain")["exit"], 0, "{id}");
    }
    let config = kept.printed("show");
    assert!(config.contains("filemode = true"), "{config}");
    for absent in ["ghp_", "trap", "remote", "include", "hooksPath"] {
        assert!(!config.contains(absent), "{absent}: {config}");
    }
    assert_eq!(kept.printed("base"), "table.txt\n");
    // The trap is one: git in place falls into it.
    let _ = Command::new("git")
        .arg("status")
        .current_dir(scene.at("tree"))
        .output();
    assert!(mark.exists(), "nothing was proved");
}

#[test]
fn compiled_code_that_was_planted_is_never_run() {
    let scene = Scene::new();
    scene.write("answer.py", "VALUE = 'source'\n");
    scene.write("planted.py", "VALUE = 'planted'\n");
    let compile = "import py_compile, os\n\
        mode = py_compile.PycInvalidationMode.UNCHECKED_HASH\n\
        import importlib.util as u\n\
        py_compile.compile('planted.py', cfile=u.cache_from_source('answer.py'), invalidation_mode=mode)\n\
        py_compile.compile('planted.py', cfile='legacy.pyc', invalidation_mode=mode)\n\
        os.remove('planted.py')\n";
    let here = |script: &str| {
        let output = Command::new("python3")
            .args(["-c", script])
            .current_dir(scene.at("tree"))
            .output();
        String::from_utf8(
            output
                .expect("python3 is needed for the tests of captures")
                .stdout,
        )
        .unwrap()
    };
    here(compile);
    let ask = "import answer; print(answer.VALUE)\ntry:\n import legacy; print(legacy.VALUE)\nexcept ImportError: print('none')";
    assert_eq!(here(ask), "planted\nplanted\n", "nothing was planted");
    let where_to = "import sys, os; print(os.listdir(sys.pycache_prefix))";
    let captures = in_tree("ask", &["python3", "-c", ask], "")
        + &in_tree("fresh", &["python3", "-c", where_to], "");
    scene.bind(&captures, "");
    let kept = scene.capture("pre-arm", "", "out");
    assert_eq!(kept.printed("ask"), "source\nnone\n");
    assert_eq!(kept.printed("fresh"), "[]\n");
    assert_eq!(kept.row("ask", "plain")["skipped"]["cache"], 2);
}

#[test]
fn folders_that_are_marked_as_caches_stay_behind() {
    let scene = Scene::new();
    scene.write(
        "target/CACHEDIR.TAG",
        "Signature: 8a477f597d28d172789f06886806bc55\n# Cargo\n",
    );
    scene.write("target/debug/built", "old");
    scene.write("node/target/CACHEDIR.TAG", "Signature: another\n");
    scene.bind(&in_tree("list", &["find", ".", "-type", "f"], ""), "");
    let kept = scene.capture("pre-arm", "", "out");
    let printed = kept.printed("list");
    let mut lines: Vec<&str> = printed.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines, ["./node/target/CACHEDIR.TAG", "./table.txt"]);
}

#[test]
fn a_command_that_never_ends_is_ended_with_all_that_it_started() {
    let scene = Scene::new();
    let word = format!("never-{}", std::process::id());
    let script = format!(
        "import os, signal, subprocess, sys, time\n\
         signal.signal(signal.SIGTERM, signal.SIG_IGN)\n\
         signal.signal(signal.SIGHUP, signal.SIG_IGN)\n\
         hold = 'import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)'\n\
         for new in (False, True):\n\
         \x20   subprocess.Popen([sys.executable, '-c', hold, '{word}'], start_new_session=new)\n\
         if os.fork() == 0:\n\
         \x20   os.setsid()\n\
         \x20   if os.fork() == 0:\n\
         \x20       os.execv(sys.executable, [sys.executable, '-c', hold, '{word}'])\n\
         \x20   os._exit(0)\n\
         print('begun', flush=True)\n\
         while True: time.sleep(1)\n"
    );
    let captures = in_tree(
        "never",
        &["python3", "-c", &script],
        "seconds = 10\nbytes = 4096",
    );
    scene.bind(&captures, "");
    let (kept, took) = timed(|| scene.capture("pre-arm", "", "out"));
    assert!(!alive(&word), "a child is still there");
    assert!(took < Duration::from_secs(60), "{took:?}");
    let row = kept.row("never", "plain");
    assert_eq!(row["timed-out"], true);
    assert_eq!(row["without-exit"], "timed-out");
    assert!(row["exit"].is_null() && row["signal"].is_null());
    assert_eq!(row["stdout"], "begun\n");
    assert!(row["left"].as_u64().unwrap() >= 2, "{row}");
}

#[test]
fn a_child_that_holds_the_output_is_not_waited_for() {
    let scene = Scene::new();
    let word = format!("holds-{}", std::process::id());
    let script = format!("setsid python3 -c 'import time; time.sleep(600)' {word} & echo done");
    scene.bind(&in_tree("hold", &["sh", "-c", &script], ""), "");
    let (kept, took) = timed(|| scene.capture("pre-arm", "", "out"));
    assert!(took < Duration::from_secs(15), "{took:?}");
    assert!(!alive(&word), "the child is still there");
    let row = kept.row("hold", "plain");
    assert_eq!(
        (&row["exit"], &row["stdout"]),
        (&0.into(), &"done\n".into())
    );
    assert!(row["left"].as_u64().unwrap() >= 1, "{row}");
}

#[test]
fn an_output_of_any_length_is_bounded_and_its_digest_is_of_all_of_it() {
    let scene = Scene::new();
    let many = in_tree(
        "many",
        &["head", "-c", "1073741824", "/dev/zero"],
        "seconds = 300\nbytes = 10",
    );
    let endless = in_tree("endless", &["yes"], "seconds = 1\nbytes = 10");
    let exact = in_tree(
        "exact",
        &["printf", "0123456789"],
        "seconds = 9\nbytes = 10",
    );
    let odd = in_tree("odd", &["printf", "a\\377b"], "");
    scene.bind(&[many, endless, exact, odd].concat(), "");
    let kept = scene.capture("pre-arm", "", "out");
    let row = kept.row("many", "plain");
    assert_eq!(
        (&row["bytes"], &row["cut"]),
        (&(1_u64 << 30).into(), &true.into())
    );
    assert_eq!(
        row["sha256"],
        "49bc20df15e412a64472421e13fe86ff1c5165e18b2afccf160d4dc19fe68a14"
    );
    assert_eq!(row["stdout"].as_str().unwrap().len(), 10);
    let row = kept.row("endless", "plain");
    assert_eq!(
        (&row["timed-out"], &row["cut"]),
        (&true.into(), &true.into())
    );
    let row = kept.row("exact", "plain");
    assert_eq!(
        (&row["stdout"], &row["cut"]),
        (&"0123456789".into(), &false.into())
    );
    assert_eq!(kept.printed("odd"), "a\u{fffd}b");
    assert!(kept.0.values().all(|bytes| bytes.len() < 10_000));
}

#[test]
fn what_is_no_plain_file_is_neither_followed_nor_waited_for() {
    let scene = Scene::new();
    fs::write(scene.at("secret"), "private-text").unwrap();
    symlink("loop", scene.tree("loop")).unwrap();
    symlink("..", scene.tree("up")).unwrap();
    symlink(scene.at("home"), scene.tree("out")).unwrap();
    symlink(scene.at("secret"), scene.tree("leak")).unwrap();
    let fifo = Command::new("mkfifo").arg(scene.tree("fifo")).status();
    assert!(fifo.unwrap().success());
    let _socket = UnixListener::bind(scene.tree("socket")).unwrap();
    let odd = |bytes: &[u8]| std::ffi::OsString::from_vec(bytes.to_vec());
    fs::write(scene.at("tree").join(odd(b"new\nline")), "n").unwrap();
    fs::write(scene.at("tree").join(odd(b"not-\xff-text")), "u").unwrap();
    scene.write("locked/deep/file", "l");
    for folder in ["locked/deep", "locked"] {
        fs::set_permissions(scene.tree(folder), fs::Permissions::from_mode(0o555)).unwrap();
    }
    let list = "import os\nfor name in sorted(os.listdir(b'.')): print(name)\n\
                print(os.readlink('leak'), open('locked/deep/file').read())\n\
                os.mkdir('locked/more'); os.chmod('locked/more', 0o000); os.chmod('locked', 0o555)";
    let mut captures = in_tree("list", &["python3", "-c", list], "");
    captures += "[[captures]]\nid = \"changes\"\nkind = \"tree\"\nphases = [\"pre-arm\"]\nkeep = [\"leak\", \"table.txt\", \"gone\"]\n";
    scene.bind(&captures, "");
    let (kept, took) = timed(|| scene.capture("pre-arm", "", "out"));
    assert!(took < Duration::from_secs(20), "{took:?}");
    let printed = kept.printed("list");
    for there in [
        "b'loop'",
        "b'up'",
        "b'out'",
        "b'leak'",
        "b'new\\nline'",
        "b'not-\\xff-text'",
    ] {
        assert!(printed.contains(there), "{there}: {printed}");
    }
    assert!(
        printed.ends_with(&format!("{} l\n", scene.at("secret").display())),
        "{printed}"
    );
    assert!(!printed.contains("b'fifo'") && !printed.contains("b'socket'"));
    let row = kept.row("list", "plain");
    assert_eq!(row["skipped"], serde_json::json!({"fifo": 1, "socket": 1}));
    assert_eq!(row["exit"], 0);
    let tree = kept.json("tree.json");
    let status = |path: &str| {
        let entries = tree["entries"].as_array().unwrap();
        let found = entries.iter().find(|entry| entry["path"] == path);
        found.map(|entry| entry["status"].as_str().unwrap().to_owned())
    };
    assert_eq!(status("new\\x0aline").as_deref(), Some("??"));
    assert_eq!(status("not-\\xff-text").as_deref(), Some("??"));
    assert_eq!(status("fifo").as_deref(), Some("??"));
    let kept_names: Vec<&String> = tree["kept"].as_object().unwrap().keys().collect();
    assert_eq!(kept_names, ["table.txt"], "a link is not followed");
    let leaked = kept
        .0
        .values()
        .any(|bytes| String::from_utf8_lossy(bytes).contains("private-text"));
    assert!(!leaked, "what a link leads to was read");
    for folder in ["locked", "locked/deep"] {
        fs::set_permissions(scene.tree(folder), fs::Permissions::from_mode(0o755)).unwrap();
    }
}

#[test]
fn the_tree_s_programs_never_stand_in_for_the_operator_s() {
    let scene = Scene::new();
    let text = "#!/bin/sh\necho taken over\n";
    for name in ["bin/python3", "bin/git", "python3", "git"] {
        scene.program(&scene.tree(name), text);
    }
    let captures = in_tree("ask", &["python3", "-c", "print('own')"], "")
        + &in_tree("log", &["git", "log", "--format=%s"], "repository = true")
        + &in_tree("tree", &["./python3"], "")
        + &in_tree("gone", &["no-such-program"], "");
    scene.bind(&captures, "");
    let line = super::capture("pre-arm", "", "out");
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}::.:bin:{path}", scene.tree("bin").display());
    let output = scene.command(&words).env("PATH", path).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let kept = scene.kept("out");
    assert_eq!(kept.printed("ask"), "own\n");
    assert_eq!(kept.printed("log"), "Start the table\n");
    assert_eq!(
        kept.printed("tree"),
        "taken over\n",
        "asked for by its path it is run"
    );
    assert_eq!(kept.row("gone", "plain")["without-exit"], "not-found");
}

#[test]
fn a_tree_does_not_borrow_the_repository_of_another() {
    let scene = Scene::new();
    let other = scene.at("other");
    fs::create_dir(&other).unwrap();
    scene.git_in(&other, &["init", "--quiet"]);
    fs::write(other.join("private"), "private-text").unwrap();
    scene.git_in(&other, &["add", "--all"]);
    scene.git_in(&other, &["commit", "-qm", "private-subject"]);
    let linked = scene.at("linked");
    scene.git(&[
        "worktree",
        "add",
        "--quiet",
        linked.to_str().unwrap(),
        "-b",
        "arm",
    ]);
    let log = in_tree("log", &["git", "log", "--format=%s"], "repository = true");
    let borrow = |tree: &Path, text: Option<String>, out: &str| {
        let own = scene.at("tree");
        let aside = scene.at("aside");
        fs::rename(&own, &aside).unwrap();
        symlink(tree, &own).unwrap();
        if let Some(text) = text {
            fs::write(tree.join(".git"), text).unwrap();
        }
        let said = scene.run(&super::capture("pre-arm", "", out));
        fs::remove_file(&own).unwrap();
        fs::rename(&aside, &own).unwrap();
        match said.code {
            0 => Ok(scene.kept(out).row("log", "plain")),
            _ => Err(said.err),
        }
    };
    scene.bind(&log, "");
    let bare = scene.at("bare");
    fs::create_dir(&bare).unwrap();
    let refused = borrow(
        &bare,
        Some(format!("gitdir: {}\n", other.join(".git").display())),
        "first",
    );
    let wanted = "E_CAPTURE field=repository kind=unreadable\n";
    assert_eq!(refused, Err(wanted.to_owned()));
    // The worktree that its repository knows is one.
    let row = borrow(
        &linked,
        Some(format!(
            "gitdir: {}\n",
            scene.at("aside/.git/worktrees/linked").display()
        )),
        "second",
    )
    .unwrap();
    assert_eq!(
        (&row["exit"], &row["stdout"]),
        (&0.into(), &"Start the table\n".into())
    );
}

#[test]
fn a_repository_that_names_folders_as_objects_lends_none_of_their_files() {
    let scene = Scene::new();
    let private = scene.at("private");
    fs::create_dir_all(private.join("pack")).unwrap();
    fs::create_dir_all(private.join("ab")).unwrap();
    for name in [
        "id_rsa",
        "pack/notes.txt",
        "ab/short",
        "pack/pack-1.pack.txt",
    ] {
        fs::write(private.join(name), "private-text").unwrap();
    }
    let alternates = scene.tree(".git/objects/info/alternates");
    fs::create_dir_all(alternates.parent().unwrap()).unwrap();
    fs::write(alternates, format!("{}\n/\n", private.display())).unwrap();
    let find = ["grep", "-r", "-l", "private-text", ".git"];
    let captures = in_tree("find", &find, "repository = true")
        + &in_tree("log", &["git", "log", "--format=%s"], "repository = true");
    scene.bind(&captures, "");
    let kept = scene.capture("pre-arm", "", "out");
    assert_eq!(kept.printed("find"), "");
    assert_eq!(kept.row("find", "plain")["exit"], 1);
    assert_eq!(kept.printed("log"), "Start the table\n");
}

#[test]
fn a_tree_of_any_depth_is_read_alike_with_a_copy_and_without() {
    let scene = Scene::new();
    let deep: std::path::PathBuf = std::iter::repeat_n("d", 400).collect();
    fs::create_dir_all(scene.tree("deep").join(deep)).unwrap();
    let long = "import os\nos.mkdir('long'); os.chdir('long')\n\
                for n in range(40): os.mkdir('n' * 200); os.chdir('n' * 200); open('file', 'w').close()";
    let made = Command::new("python3")
        .args(["-c", long])
        .current_dir(scene.at("tree"))
        .status();
    assert!(
        made.expect("python3 is needed for the tests of captures")
            .success()
    );
    let hole = fs::File::create(scene.tree("hole")).unwrap();
    hole.set_len(1 << 20).unwrap();
    scene.bind(&in_tree("count", &["sh", "-c", "find . | wc -l"], ""), "");
    let kept = scene.capture("pre-arm", "", "out");
    let row = kept.row("count", "plain");
    assert_eq!(row["tree-before"], row["tree-after"]);
    assert_eq!(row["skipped"], serde_json::json!({"deep": 2}));
    assert!(row["discarded"].is_null());
    hole.set_len(1 << 40).unwrap();
    let (said, took) = timed(|| scene.run(&super::capture("pre-arm", "", "large")));
    assert_eq!(said.err, "E_CAPTURE field=tree kind=too-large\n");
    assert!(took < Duration::from_secs(20), "{took:?}");
    assert!(!scene.at("work/large").exists());
    let left = fs::read_dir(scene.at("temp")).unwrap().count();
    assert_eq!(left, 0, "something was left of the workspace");
}
