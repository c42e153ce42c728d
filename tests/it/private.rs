//! The private side on a real file system: every refusal made to happen, nothing left behind.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use deedcheck::private::{PrivateDir, PublicFile, Refusal};

/// Everything below `dir`, links not followed, with modes: what a refusal must not change.
fn listing(dir: &Path) -> Vec<(PathBuf, u32)> {
    let mut all: Vec<_> = walkdir::WalkDir::new(dir)
        .into_iter()
        .map(|entry| {
            let entry = entry.expect("the test's own folder can be listed");
            let mode = entry
                .metadata()
                .expect("the test's own files can be looked at")
                .permissions()
                .mode();
            (entry.into_path(), mode)
        })
        .collect();
    all.sort();
    all
}

/// Plans the private directory and the public file at `path`; nothing may change and no refusal
/// may show any part of the path.
fn both(base: &Path, path: &Path) -> (String, String) {
    let before = listing(base);
    let say = |result: Result<_, Refusal>| match result {
        Ok(_) => "ok".to_owned(),
        Err(refusal) => refusal.to_string(),
    };
    let said = (say(PrivateDir::plan(path)), say(PublicFile::plan(path)));
    assert_eq!(listing(base), before, "planning wrote something");
    for line in [&said.0, &said.1] {
        assert!(!line.contains('\n'));
        assert!(!line.contains("tmp") && !line.contains("secret"), "{line}");
    }
    said
}

fn base() -> tempfile::TempDir {
    tempfile::Builder::new()
        .prefix("secret")
        .tempdir()
        .expect("a temporary folder")
}

fn refused(reason: &str) -> (String, String) {
    (
        format!("E_PATH field=--out-private {reason}"),
        format!("E_PATH field=--out {reason}"),
    )
}

#[test]
fn anything_there_is_refused_a_dangling_link_too() {
    let base = base();
    let at = |name: &str| base.path().join(name);
    fs::write(at("secret-file"), "x").unwrap();
    fs::create_dir(at("secret-dir")).unwrap();
    symlink("/nowhere/secret", at("secret-link")).unwrap();
    symlink(at("secret-dir"), at("secret-good-link")).unwrap();
    let socket = std::os::unix::net::UnixListener::bind(at("secret-socket")).unwrap();
    for (name, detail) in [
        ("secret-file", "file"),
        ("secret-dir", "directory"),
        ("secret-dir/", "directory"),
        ("secret-dir/.", "directory"),
        ("secret-link", "link"),
        ("secret-link/", "link"),
        ("secret-good-link", "link"),
        ("secret-good-link/", "link"),
        ("secret-socket", "special"),
    ] {
        let expected = refused(&format!("reason=exists detail={detail}"));
        assert_eq!(both(base.path(), &at(name)), expected, "{name}");
    }
    drop(socket);
}

#[test]
fn a_parent_that_cannot_hold_it_is_refused() {
    let base = base();
    let at = |name: &str| base.path().join(name);
    fs::write(at("secret-file"), "x").unwrap();
    symlink("/nowhere/secret", at("secret-link")).unwrap();
    symlink("secret-loop", at("secret-loop")).unwrap();
    for (name, detail) in [
        ("secret-file/run", "parent_not_directory"),
        ("secret-file/a/run", "parent_not_directory"),
        ("secret-link/run", "parent_dangling_link"),
        ("secret-link/a/run", "parent_dangling_link"),
        ("secret-loop/run", "other"),
        ("secret-none/../run", "parent_missing"),
        ("secret-none/..", "name"),
    ] {
        let expected = refused(&format!("reason=unwritable detail={detail}"));
        assert_eq!(both(base.path(), &at(name)), expected, "{name}");
    }
    let empty = refused("reason=unwritable detail=name");
    assert_eq!(both(base.path(), Path::new("")), empty);
    assert_eq!(both(base.path(), Path::new("/secret\0x/y")), empty);
    assert_eq!(
        both(base.path(), Path::new("/")),
        refused("reason=exists detail=directory")
    );
}

#[test]
fn a_read_only_place_is_refused() {
    let base = base();
    // No user, the superuser included, can make files below this one.
    let said = both(base.path(), Path::new("/proc/self/secret/run"));
    assert!(
        said.0
            .starts_with("E_PATH field=--out-private reason=unwritable detail="),
        "{said:?}"
    );
    assert!(
        said.1
            .starts_with("E_PATH field=--out reason=unwritable detail="),
        "{said:?}"
    );
    let locked = base.path().join("secret-locked");
    fs::create_dir(&locked).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o500)).unwrap();
    if fs::write(locked.join("probe"), "").is_ok() {
        // The superuser is not held by modes; the case above stands for this one.
        fs::remove_file(locked.join("probe")).unwrap();
        return;
    }
    assert_eq!(
        both(base.path(), &locked.join("run")),
        refused("reason=unwritable detail=denied")
    );
}

#[test]
fn a_missing_parent_is_made_for_the_private_side_only() {
    let base = base();
    let path = base.path().join("secret-a/secret-b/run");
    assert_eq!(
        both(base.path(), &path),
        (
            "ok".to_owned(),
            refused("reason=unwritable detail=parent_missing").1
        )
    );
}

/// The private refusal at `path`; a public file may stand in a work tree.
fn private_only(base: &Path, path: &Path, detail: &str) {
    let said = both(base, path);
    let expected = format!("E_PATH field=--out-private reason=work_tree detail={detail}");
    assert_eq!(said.0, expected);
    assert!(!said.1.contains("work_tree"));
}

#[test]
fn every_kind_of_git_place_is_refused() {
    let base = base();
    let at = |name: &str| base.path().join(name);
    fs::create_dir_all(at("tree/.git")).unwrap();
    fs::create_dir_all(at("tree/deep/er")).unwrap();
    private_only(base.path(), &at("tree/run"), "git_folder");
    private_only(base.path(), &at("tree/deep/er/run"), "git_folder");
    private_only(base.path(), &at("tree/not/yet/there/run"), "git_folder");
    private_only(base.path(), &at("tree/deep/../run"), "git_folder");

    fs::create_dir(at("linked")).unwrap();
    fs::write(at("linked/.git"), "gitdir: elsewhere").unwrap();
    private_only(base.path(), &at("linked/run"), "git_file");
    fs::create_dir(at("dangling")).unwrap();
    symlink("/nowhere/secret", at("dangling/.git")).unwrap();
    private_only(base.path(), &at("dangling/run"), "git_file");

    fs::create_dir_all(at("bare/objects/pack")).unwrap();
    fs::create_dir_all(at("bare/refs")).unwrap();
    fs::write(at("bare/HEAD"), "ref: refs/heads/main").unwrap();
    private_only(base.path(), &at("bare/run"), "bare_repository");
    private_only(base.path(), &at("bare/objects/pack/run"), "bare_repository");
    private_only(base.path(), &at("bare/not/yet/run"), "bare_repository");
    symlink(at("bare/refs"), at("into-bare")).unwrap();
    private_only(base.path(), &at("into-bare/not/yet/run"), "bare_repository");

    // The way in does not matter, the real place does.
    fs::create_dir(at("outside")).unwrap();
    symlink(at("tree/deep"), at("outside/in")).unwrap();
    private_only(base.path(), &at("outside/in/run"), "git_folder");
    symlink(at("outside"), at("tree/out")).unwrap();
    assert_eq!(both(base.path(), &at("tree/out/run")).0, "ok");

    private_only(base.path(), &at("outside/.git"), "git_name");
    private_only(base.path(), &at("outside/.GIT/x/run"), "git_name");
}

#[test]
fn what_git_itself_makes_is_refused() {
    let base = base();
    let git = |args: &[&str]| {
        let done = Command::new("git")
            .args(["-c", "user.name=t", "-c", "user.email=t@example.com"])
            .args(args)
            .current_dir(base.path())
            .output()
            .expect("this test needs git");
        assert!(done.status.success(), "git {args:?} failed");
    };
    git(&["init", "-q", "--bare", "bare.git"]);
    git(&["init", "-q", "main"]);
    git(&["-C", "main", "commit", "-q", "--allow-empty", "-m", "x"]);
    git(&["-C", "main", "worktree", "add", "-q", "../second"]);
    private_only(
        base.path(),
        &base.path().join("bare.git/run"),
        "bare_repository",
    );
    private_only(base.path(), &base.path().join("main/run"), "git_folder");
    private_only(
        base.path(),
        &base.path().join("main/.git/run"),
        "bare_repository",
    );
    private_only(base.path(), &base.path().join("second/run"), "git_file");
    let gitdir = base.path().join("main/.git/worktrees/second/run");
    private_only(base.path(), &gitdir, "bare_repository");
}

#[test]
fn a_published_directory_is_whole_and_closed_to_others() {
    let base = base();
    let path = base.path().join("new/parent/run");
    let planned = PrivateDir::plan(&path).unwrap();
    let mut dir = PrivateDir::create(&planned).unwrap();
    dir.write("context.json", b"{}").unwrap();
    let mut file = dir.file("grades.jsonl").unwrap();
    for _ in 0..100_000 {
        file.write_all(b"row\n").unwrap();
    }
    file.finish().unwrap();
    assert!(!path.exists(), "nothing shows before it is published");
    dir.publish().unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    assert_eq!(mode(&path), 0o700);
    assert_eq!(mode(&base.path().join("new")), 0o700);
    assert_eq!(mode(&base.path().join("new/parent")), 0o700);
    assert_eq!(mode(&path.join("context.json")), 0o600);
    assert_eq!(mode(&path.join("grades.jsonl")), 0o600);
    assert_eq!(fs::read(path.join("grades.jsonl")).unwrap().len(), 400_000);
    assert_eq!(
        fs::read_dir(base.path().join("new/parent"))
            .unwrap()
            .count(),
        1
    );
    assert!(PrivateDir::plan(&path).is_err());
}

#[test]
fn whatever_stops_a_run_nothing_is_left() {
    let base = base();
    let path = base.path().join("new/run");
    let planned = PrivateDir::plan(&path).unwrap();
    let mut dir = PrivateDir::create(&planned).unwrap();
    dir.write("a", b"x").unwrap();
    for name in ["", ".", "..", "a/b", "../a", "a\\b", "a\0"] {
        let refusal = dir.write(name, b"x").unwrap_err();
        assert_eq!(refusal.to_string(), "E_WRITE role=--out-private kind=name");
    }
    let refusal = dir.write("a", b"y").unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "E_WRITE role=--out-private kind=exists"
    );
    drop(dir);
    assert_eq!(fs::read_dir(base.path()).unwrap().count(), 0);

    // A file that was never finished keeps the whole directory from being published.
    let mut dir = PrivateDir::create(&planned).unwrap();
    drop(dir.file("half").unwrap());
    let refusal = dir.publish().unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "E_WRITE role=--out-private kind=unfinished"
    );
    assert_eq!(fs::read_dir(base.path()).unwrap().count(), 0);

    let planned = PublicFile::plan(&base.path().join("aggregate.json")).unwrap();
    let mut file = PublicFile::create(&planned).unwrap();
    file.write_all(b"half").unwrap();
    drop(file);
    assert_eq!(fs::read_dir(base.path()).unwrap().count(), 0);
}

#[test]
fn what_came_into_being_meanwhile_is_never_replaced() {
    let base = base();
    let path = base.path().join("run");
    let planned = PrivateDir::plan(&path).unwrap();
    for make in [
        (|path: &Path| fs::create_dir(path).unwrap()) as fn(&Path),
        |path| fs::write(path, "theirs").unwrap(),
        |path| symlink("/nowhere/secret", path).unwrap(),
    ] {
        let mut dir = PrivateDir::create(&planned).unwrap();
        dir.write("a", b"x").unwrap();
        make(&path);
        let refusal = dir.publish().unwrap_err();
        assert_eq!(
            refusal.to_string(),
            "E_PATH field=--out-private reason=exists detail=race"
        );
        assert_eq!(fs::read_dir(base.path()).unwrap().count(), 1);
        if fs::symlink_metadata(&path).unwrap().is_dir() {
            assert_eq!(fs::read_dir(&path).unwrap().count(), 0);
            fs::remove_dir(&path).unwrap();
        } else {
            fs::remove_file(&path).unwrap();
        }
    }
    let planned = PublicFile::plan(&path).unwrap();
    let mut file = PublicFile::create(&planned).unwrap();
    file.write_all(b"ours").unwrap();
    fs::write(&path, "theirs").unwrap();
    let refusal = file.publish().unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "E_PATH field=--out reason=exists detail=race"
    );
    assert_eq!(fs::read(&path).unwrap(), b"theirs");
    assert_eq!(fs::read_dir(base.path()).unwrap().count(), 1);
}

#[test]
fn a_public_file_is_published_whole() {
    let base = base();
    let path = base.path().join("aggregate.json");
    let planned = PublicFile::plan(&path).unwrap();
    let mut file = PublicFile::create(&planned).unwrap();
    file.write_all(b"{}\n").unwrap();
    assert!(!path.exists());
    file.publish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"{}\n");
    assert_eq!(fs::read_dir(base.path()).unwrap().count(), 1);
}

#[test]
fn two_outputs_never_share_a_place() {
    let base = base();
    let private = PrivateDir::plan(&base.path().join("x")).unwrap();
    let public = PublicFile::plan(&base.path().join("./x")).unwrap();
    let other = PublicFile::plan(&base.path().join("y")).unwrap();
    assert_eq!(
        public.apart_from(&private).unwrap_err().to_string(),
        "E_PATH field=--out reason=exists detail=same_place"
    );
    other.apart_from(&private).unwrap();
}

const CHILD: &str = "DEEDCHECK_TEST_PRIVATE_CHILD";

/// The run that [`a_killed_run_leaves_one_partial_and_harms_no_later_run`] kills; idle otherwise.
#[test]
fn killed_run_child() {
    let Some(path) = std::env::var_os(CHILD) else {
        return;
    };
    let planned = PrivateDir::plan(Path::new(&path)).unwrap();
    let mut dir = PrivateDir::create(&planned).unwrap();
    dir.write("a", b"x").unwrap();
    let mut file = dir.file("b").unwrap();
    loop {
        file.write_all(b"row\n").unwrap();
        file.flush().unwrap();
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_killed_run_leaves_one_partial_and_harms_no_later_run() {
    let base = base();
    let path = base.path().join("run");
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "private::killed_run_child"])
        .env(CHILD, &path)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let partial = || {
        let names: Vec<_> = fs::read_dir(base.path())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        names
            .into_iter()
            .find(|dir| fs::metadata(dir.join("b")).is_ok_and(|meta| meta.len() > 0))
    };
    let mut waited = 0;
    while partial().is_none() {
        assert!(waited < 6000, "the child never wrote");
        assert_eq!(child.try_wait().unwrap(), None, "the child ended early");
        std::thread::sleep(Duration::from_millis(10));
        waited += 1;
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let left = partial().unwrap();
    assert_eq!(left.extension().unwrap(), "partial");
    assert_eq!(fs::read_dir(base.path()).unwrap().count(), 1);
    assert_eq!(
        fs::metadata(&left).unwrap().permissions().mode() & 0o777,
        0o700
    );

    let planned = PrivateDir::plan(&path).unwrap();
    let mut dir = PrivateDir::create(&planned).unwrap();
    dir.write("a", b"y").unwrap();
    dir.publish().unwrap();
    assert_eq!(fs::read(path.join("a")).unwrap(), b"y");
    assert!(left.exists(), "what another run left is not ours to remove");
}

#[test]
fn a_link_that_is_planted_meanwhile_is_never_followed() {
    let base = base();
    let target = base.path().join("theirs");
    fs::write(&target, "theirs").unwrap();
    let planned = PrivateDir::plan(&base.path().join("new/run")).unwrap();
    let mut dir = PrivateDir::create(&planned).unwrap();
    let partial = fs::read_dir(base.path().join("new"))
        .unwrap()
        .next()
        .unwrap();
    let planted = partial.unwrap().path().join("grades.jsonl");
    symlink(&target, &planted).unwrap();
    let refusal = dir.write("grades.jsonl", b"ours").unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "E_WRITE role=--out-private kind=exists"
    );
    assert_eq!(fs::read(&target).unwrap(), b"theirs");
    drop(dir);
    assert!(!base.path().join("new/run").exists());
}

#[test]
fn what_a_run_keeps_is_closed_to_others_whatever_the_mask() {
    let base = base();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let script = "umask 000 && \"$0\" grade \"$1\" --quiet --out-private new/run --out sums.json";
    let ended = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_deedcheck")])
        .arg(root.join("golden/claude-stale-run"))
        .current_dir(base.path())
        .env("HOME", base.path())
        .status()
        .expect("this test needs sh");
    assert!(matches!(ended.code(), Some(0 | 1)));
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    let run = base.path().join("new/run");
    assert_eq!((mode(&base.path().join("new")), mode(&run)), (0o700, 0o700));
    let files: Vec<_> = fs::read_dir(&run)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert_eq!(files.len(), 5, "{files:?}");
    for file in files {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
}

#[test]
fn a_refused_place_costs_no_byte_anywhere() {
    let base = base();
    fs::create_dir_all(base.path().join("tree/.git")).unwrap();
    fs::write(base.path().join("there"), "").unwrap();
    let log = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/claude-stale-run");
    let before = listing(base.path());
    for (private, public) in [
        ("tree/run", "sums.json"),
        ("new/run", "there"),
        ("new/run", "none/sums.json"),
        ("there", "sums.json"),
        ("same", "same"),
    ] {
        let ended = crate::cli::program(base.path())
            .args([
                "grade",
                "--quiet",
                "--out-private",
                private,
                "--out",
                public,
            ])
            .arg(&log)
            .output()
            .unwrap();
        assert_eq!(ended.status.code(), Some(2));
        assert!(ended.stderr.starts_with(b"E_PATH field=--out"));
        assert_eq!(listing(base.path()), before, "{private} {public}");
    }
}
