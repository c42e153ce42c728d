//! Programs that run the command standing in their own arguments.

use std::collections::HashMap;
use std::sync::LazyLock;

/// How a wrapper holds its command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// The words after the options and `skip` operands.
    Exec,
    /// The same, inside a container.
    Container,
    /// The same, on another machine.
    Remote,
    /// The same, joined to one text that a remote shell reads.
    RemoteText,
    /// Words that may also name a task of the project.
    ExecOrTask,
}

/// One wrapper.
pub(super) struct Wrapper {
    /// Program names, `|` between alternatives.
    pub(super) program: &'static str,
    /// Words that must follow at once, alternatives with `|`.
    pub(super) sub: &'static str,
    /// Options that take the next word as their value.
    pub(super) valued: &'static str,
    /// Operands before the command.
    pub(super) skip: usize,
    pub(super) how: How,
}

const fn w(
    program: &'static str,
    sub: &'static str,
    valued: &'static str,
    skip: usize,
    how: How,
) -> Wrapper {
    Wrapper {
        program,
        sub,
        valued,
        skip,
        how,
    }
}

use How::{Container, Exec, ExecOrTask, Remote, RemoteText};

/// The wrappers, one line each.
pub(super) const WRAPPERS: &[Wrapper] = &[
    w(
        "sudo|doas",
        "",
        "-u -g -h -p -C -r -t -T -U --user --group --prompt",
        0,
        Exec,
    ),
    w("env", "", "-u -C --unset --chdir", 0, Exec),
    w("time|gtime", "", "-f -o --format --output", 0, Exec),
    w(
        "timeout|gtimeout",
        "",
        "-s -k --signal --kill-after",
        1,
        Exec,
    ),
    w(
        "nohup|setsid|unbuffer|chronic|caffeinate|builtin|command|busybox|fakeroot|arch|catchsegv|then|do|else|rtk",
        "",
        "-t",
        0,
        Exec,
    ),
    w("exec", "", "-a", 0, Exec),
    w("stdbuf", "", "-i -o -e", 0, Exec),
    w("nice", "", "-n --adjustment", 0, Exec),
    w("ionice", "", "-c -n -p --class --classdata", 0, Exec),
    w("taskset|chrt|setarch|linux64", "", "", 1, Exec),
    w(
        "xargs|gxargs",
        "",
        "-I -n -P -L -d -E -s -a --max-args --max-procs --delimiter --arg-file --replace",
        0,
        Exec,
    ),
    w(
        "parallel",
        "",
        "-j --jobs -a --arg-file --colsep --delay --timeout",
        0,
        Exec,
    ),
    w("watch", "", "-n --interval", 0, Exec),
    w("strace|ltrace", "", "-e -o -p -s -P -u", 0, Exec),
    w("flock", "", "-w -E --timeout", 1, Exec),
    w(
        "xvfb-run|dbus-run-session",
        "",
        "-n -s -e -f -p --server-num --server-args",
        0,
        Exec,
    ),
    w(
        "systemd-run|firejail|proxychains|proxychains4|torsocks",
        "",
        "-p -u --unit --property",
        0,
        Exec,
    ),
    w(
        "hyperfine",
        "",
        "-w -r --warmup --runs --export-json --export-markdown -N",
        0,
        Exec,
    ),
    w(
        "poetry|pipenv|rye|uv|pixi",
        "run",
        "--with --python -p --extra --group --project --directory --package --env-file --with-requirements --index --index-url -e --environment -C",
        0,
        ExecOrTask,
    ),
    w("pdm|hatch", "run", "-p --project --env", 0, ExecOrTask),
    w("uvx", "", "--from --with --python -p --index", 0, Exec),
    w(
        "uv",
        "tool run",
        "--from --with --python -p --index",
        0,
        Exec,
    ),
    w("pipx", "run", "--spec --python", 0, Exec),
    w(
        "conda|mamba|micromamba",
        "run",
        "-n -p --name --prefix --cwd",
        0,
        Exec,
    ),
    w("mise|rtx", "exec|x", "-C --cd", 0, Exec),
    w("asdf|rbenv|pyenv|nodenv", "exec", "", 0, Exec),
    w("bundle", "exec", "", 0, Exec),
    w("npx|pnpx|bunx", "", "-p --package", 0, Exec),
    w("pnpm", "exec|dlx", "--filter -F -C --dir", 0, Exec),
    w("pnpm", "-r|--recursive exec", "", 0, Exec),
    w("yarn", "exec|dlx", "", 0, Exec),
    w("npm", "exec|x", "-p --package", 0, Exec),
    w("bun", "x", "", 0, Exec),
    w(
        "op|doppler|infisical|chamber|dotenvx",
        "run",
        "--env-file --project --config -f -e --env -p -c",
        0,
        Exec,
    ),
    w("dotenv", "", "-e -f -v", 0, Exec),
    w("direnv|aws-vault", "exec", "", 1, Exec),
    w("nix", "develop|shell", "", 0, Exec),
    w("rustup", "run", "", 1, Exec),
    w(
        "coverage",
        "run",
        "--source --omit --include --rcfile --data-file --branch --concurrency",
        0,
        Exec,
    ),
    w("wsl", "", "-d -u -e", 0, Exec),
    w(
        "docker|podman|nerdctl",
        "exec",
        "-e -w -u --env --workdir --user --env-file --detach-keys",
        1,
        Container,
    ),
    w(
        "docker|podman",
        "compose exec|run",
        "-e -w -u --env --workdir --user --index --entrypoint -v --volume -p --publish --name",
        1,
        Container,
    ),
    w(
        "docker-compose|podman-compose",
        "exec|run",
        "-e -w -u --env --workdir --user --index --entrypoint -v --volume -p --publish --name",
        1,
        Container,
    ),
    w(
        "kubectl|oc",
        "exec",
        "-n -c --namespace --container --context",
        1,
        Remote,
    ),
    w(
        "ssh",
        "",
        "-p -i -l -o -F -J -L -R -D -b -c -E -m -Q -S -W -w -B -e -I -O",
        1,
        RemoteText,
    ),
    w(
        "gcloud",
        "compute ssh",
        "--zone --project --command",
        1,
        RemoteText,
    ),
];

/// Shells whose `-c` text is read as a script.
pub(super) const SHELLS: &[&str] = &["bash", "sh", "zsh", "dash", "ksh", "ash", "fish"];

/// Whether `name` is one of the alternatives.
pub(super) fn any(alternatives: &str, name: &str) -> bool {
    alternatives.split('|').any(|one| one == name)
}

/// Where the inner command starts, if `words` call a wrapper and hold a command.
pub(super) fn inner(program: &str, words: &[&str]) -> Option<(usize, How)> {
    let wrappers = BY_NAME.get(program)?;
    wrappers
        .iter()
        .find_map(|wrapper| Some((start(wrapper, words)?, wrapper.how)))
}

static BY_NAME: LazyLock<HashMap<&str, Vec<&Wrapper>>> = LazyLock::new(|| {
    let mut index: HashMap<&str, Vec<&Wrapper>> = HashMap::new();
    for wrapper in WRAPPERS {
        for name in wrapper.program.split('|') {
            index.entry(name).or_default().push(wrapper);
        }
    }
    index
});

fn start(wrapper: &Wrapper, words: &[&str]) -> Option<usize> {
    let first = *words.first()?;
    let mut at = 1;
    for sub in wrapper.sub.split_whitespace() {
        // Options of the program itself may stand before its sub-command.
        while words
            .get(at)
            .is_some_and(|word| word.starts_with('-') && !any(sub, word))
        {
            at += if valued(wrapper, words.get(at)?) {
                2
            } else {
                1
            };
        }
        if !any(sub, words.get(at)?) {
            return None;
        }
        at += 1;
    }
    let mut skip = wrapper.skip;
    loop {
        let word = *words.get(at)?;
        if word == "--" {
            at += 1;
            if matches!(wrapper.how, Remote) {
                skip = 0;
            }
        } else if word == "-S" && first.ends_with("env") {
            at += 1;
        } else if word == "-m" && first.ends_with("uv") {
            return (at + 1 < words.len()).then_some(at + 1);
        } else if word.len() > 1 && word.starts_with('-') {
            // `command -v` and `command -V` only look a name up; `nix develop -c` and `npx -c` bring a command.
            if first == "command" && matches!(word, "-v" | "-V")
                || matches!(word, "--version" | "--help")
            {
                return None;
            }
            at += if valued(wrapper, word) { 2 } else { 1 };
        } else if is_assignment(word) && wrapper.skip == 0 {
            at += 1;
        } else if skip > 0 {
            skip -= 1;
            at += 1;
        } else if first == "nix"
            && !words
                .get(at - 1)
                .is_some_and(|w| matches!(*w, "-c" | "--command"))
        {
            // The installable of `nix develop .#x -c cmd`.
            at += 1;
        } else {
            return Some(at);
        }
    }
}

fn valued(wrapper: &Wrapper, word: &str) -> bool {
    wrapper.valued.split(' ').any(|option| option == word)
}

/// `NAME=value`, `NAME+=value` or `NAME[i]=value`.
pub(super) fn is_assignment(word: &str) -> bool {
    let Some((name, _)) = word.split_once('=') else {
        return false;
    };
    let name = name.strip_suffix('+').unwrap_or(name);
    let name = name.split('[').next().unwrap_or_default();
    !name.is_empty()
        && name.bytes().all(|b| b == b'_' || b.is_ascii_alphanumeric())
        && !name.starts_with(|c: char| c.is_ascii_digit())
}
