//! The paths that a simple command names, and what it does to each.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use super::classify::{saved, writes};
use super::place;
use super::table::by_name;
use super::wrapper::any;
use super::{Access, Effect, Redirect, RedirectKind, Touch};

/// How a program's operands are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spec {
    /// Every operand.
    All(Access),
    /// Every operand but the first, which is a pattern, a program or a mode.
    Rest(Access),
    /// All are read, the last is written.
    Copy,
    /// All are moved to the last.
    Move,
    /// Read, or written where the command changes files.
    Edit,
    /// The same, behind a pattern or program.
    RestEdit,
    /// The first operand is read: a script or a patch.
    First,
    /// `if=` and `of=`.
    Dd,
    /// `-f archive`, `-C folder`.
    Tar,
    /// `-o file`.
    Curl,
    /// Operands of the sub-command.
    Git,
    /// The start folders, up to the first test.
    Find,
}

use Access::{Create, Delete, Read, Write};

/// Programs whose operands are paths.
const SPECS: &[(&str, Spec)] = &[
    (
        "cat|bat|batcat|head|tail|less|more|wc|nl|tac|rev|od|xxd|hexdump|strings|paste|comm|diff|colordiff|cmp|md5|md5sum|sha1sum|sha256sum|sha512sum|shasum|cksum|base64|jless|glow|zcat|ls|ll|la|tree|stat|file|du|readlink|realpath|exa|eza|cloc|tokei|scc|cut|uniq|column|fold|lsd|source|.|objdump|nm|ldd|size|pdftotext|pdfinfo|ffprobe|csvlook|tr|expand|join|zless",
        Spec::All(Read),
    ),
    (
        "sort|black|isort|prettier|gofmt|goimports|rustfmt|eslint|biome|autopep8|yapf|shfmt|clang-format|rubocop|stylelint|dos2unix|swiftformat|gzip|gunzip|bzip2|xz|unxz|zstd",
        Spec::Edit,
    ),
    (
        "grep|egrep|fgrep|rg|ripgrep|ag|ack|zgrep|jq",
        Spec::Rest(Read),
    ),
    ("sed|gsed|awk|gawk|mawk|nawk|yq|perl|ruby", Spec::RestEdit),
    ("rm|rmdir|unlink|shred|trash|trash-put", Spec::All(Delete)),
    ("mkdir|touch|mkfifo|mktemp", Spec::All(Create)),
    ("tee|truncate|sponge", Spec::All(Write)),
    ("chmod|chown|chgrp|setfacl", Spec::Rest(Write)),
    (
        "cp|gcp|install|ln|rsync|scp|ditto|convert|magick",
        Spec::Copy,
    ),
    ("mv|gmv", Spec::Move),
    ("python|node|bash|sh|zsh|patch|pandoc", Spec::First),
    ("unzip|tar|gtar|bsdtar", Spec::Tar),
    ("dd", Spec::Dd),
    ("curl|wget", Spec::Curl),
    ("git", Spec::Git),
    ("find|gfind|fd|fdfind", Spec::Find),
    ("[|test|[[", Spec::All(Read)),
];

/// Options of plain tools that take the next word.
const VALUED: &[(&str, &str)] = &[
    ("head|tail", "-n -c --lines --bytes"),
    (
        "grep|egrep|fgrep|zgrep",
        "-A -B -C -m --max-count --include --exclude --exclude-dir --color -D -d --label",
    ),
    (
        "rg|ripgrep|ag|ack",
        "-A -B -C -m -g --glob -t -T --type -j -M --max-count --sort --max-depth --iglob -r --replace -E",
    ),
    ("sort", "-k -t -S -T --key --field-separator"),
    ("cut", "-d -f -c -b --delimiter --fields"),
    ("tree", "-L -I -P --filelimit"),
    ("du", "-d --max-depth --exclude"),
    ("awk|gawk|mawk|nawk", "-F -v -f -i"),
    ("jq", "--indent"),
    ("column", "-s -t -c -o"),
    ("xxd|od|hexdump", "-l -s -c -n -N -A -j -t -w -e"),
    ("paste|join", "-d -t -o"),
    ("fold", "-w"),
    ("mkdir", "-m --mode"),
    ("touch", "-d -r -t --date --reference"),
    ("truncate", "-s --size"),
    ("install", "-m -o -g --mode"),
    ("patch", "-p -i -d -o"),
    ("rsync", "-e --exclude --include --filter"),
    ("stat", "-c -f --format --printf"),
    ("base64", "-w -i -o"),
    ("shfmt", "-i -ln"),
    ("diff", "-U -C -x -I --exclude"),
    (
        "prettier|eslint|biome|black|isort",
        "--config -c --config-path --ignore-path --ext --parser -l --line-length --profile",
    ),
    ("python", "-W -X"),
    ("perl", "-I"),
];

static SPEC_BY_NAME: LazyLock<HashMap<&str, Spec>> = LazyLock::new(|| by_name(SPECS));
static VALUED_BY_NAME: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| by_name(VALUED));

fn spec(program: &str) -> Option<Spec> {
    SPEC_BY_NAME.get(program).copied()
}

/// Whether a program is a plain tool that works on paths or on what it is fed.
pub(super) fn is_known(program: &str) -> bool {
    spec(program).is_some_and(|spec| !matches!(spec, Spec::Git | Spec::First | Spec::Curl))
        || any(
            "tr|cut|uniq|column|fold|fmt|bc|ts|pv|shuf|delta|iconv|xmllint|gron|look|rev|tsort",
            program,
        )
}

/// The operands of a command that are paths.
pub(super) fn operands<'t>(
    program: &str,
    words: &[Cow<'t, str>],
    effect: Effect,
) -> Vec<Touch<'t>> {
    let Some(spec) = spec(program) else {
        return Vec::new();
    };
    let rest = words.get(1..).unwrap_or_default();
    let edit = if effect == Effect::Mutate {
        Write
    } else {
        Read
    };
    match spec {
        Spec::All(access) => touched(plain(program, rest, false), access),
        Spec::Rest(access) => touched(plain(program, rest, true), access),
        Spec::Edit => edited(program, rest, edit),
        Spec::RestEdit => touched(plain(program, rest, true), edit),
        Spec::Copy | Spec::Move => moved(program, rest, spec),
        Spec::First => touched(
            plain(program, rest, false).into_iter().take(1).collect(),
            if program == "patch" { Write } else { Read },
        ),
        Spec::Dd => rest
            .iter()
            .filter_map(|word| {
                let (name, path) = word.split_once('=')?;
                let access = match name {
                    "of" => Write,
                    "if" => Read,
                    _ => return None,
                };
                Some(touch(path, access))
            })
            .collect(),
        Spec::Tar => archive(rest, effect),
        Spec::Curl => {
            let plain: Vec<&str> = rest.iter().map(AsRef::as_ref).collect();
            let path = if program == "curl" {
                saved(&plain)
            } else {
                behind(&plain, &["-O", "-qO", "--output-document", "-P"])
            };
            path.filter(|path| effect == Effect::Mutate && !place::is_null(path))
                .map(|path| touch(path, Write))
                .into_iter()
                .collect()
        }
        Spec::Git => git(rest, effect),
        Spec::Find => rest
            .iter()
            .take_while(|word| !word.starts_with(['-', '!', '(']))
            .skip(usize::from(program.starts_with("fd")))
            .map(|word| Touch {
                path: word.clone(),
                access: if effect == Effect::Mutate {
                    Delete
                } else {
                    Read
                },
            })
            .collect(),
    }
}

fn touch<'t>(path: &str, access: Access) -> Touch<'t> {
    Touch {
        path: Cow::Owned(path.to_owned()),
        access,
    }
}

fn touched(paths: Vec<Cow<'_, str>>, access: Access) -> Vec<Touch<'_>> {
    paths
        .into_iter()
        .map(|path| Touch { path, access })
        .collect()
}

fn behind<'w>(words: &[&'w str], options: &[&str]) -> Option<&'w str> {
    let at = words.iter().position(|word| options.contains(word))?;
    words.get(at + 1).copied()
}

/// Operands without options and their values; `rest` leaves out the first, unless an option brought it.
fn plain<'t>(program: &str, words: &[Cow<'t, str>], rest: bool) -> Vec<Cow<'t, str>> {
    let valued = VALUED_BY_NAME.get(program).copied().unwrap_or_default();
    // On BSD, `sed -i ''` brings an empty suffix as a word of its own.
    let backup = matches!(program, "sed" | "gsed") && words.iter().any(|word| word.is_empty());
    let scripts = match program {
        "sed" | "gsed" => "-e -f --expression --file",
        "grep" | "egrep" | "fgrep" | "rg" | "zgrep" => "-e -f --regexp --file",
        "perl" | "ruby" => "-e -E -pe -ne -pie -i -pi",
        "awk" | "gawk" | "mawk" | "nawk" => "-f",
        "jq" => "-f --from-file",
        _ => "",
    };
    let mut found = Vec::new();
    let mut first = rest && !matches!(program, "perl" | "ruby");
    let (mut skip, mut only) = (false, false);
    for word in words {
        if skip {
            skip = false;
        } else if only || !word.starts_with('-') || word == "-" {
            if first {
                first = false;
            } else if !word.is_empty()
                && word != "-"
                && !word.starts_with(['<', '>'])
                && !bracket(program, word)
            {
                found.push(word.clone());
            }
        } else if word == "--" {
            only = true;
        } else {
            let script = scripts.split(' ').any(|option| option == word)
                && !matches!(word.as_ref(), "-i" | "-pi")
                || matches!(program, "perl" | "ruby")
                    && !word.starts_with("--")
                    && word.ends_with('e');
            first &= !(script || program == "rg" && word == "--files");
            skip =
                script || valued.split(' ').any(|option| option == word) || backup && word == "-i";
        }
    }
    found
}

/// Operators and closing brackets of `[`.
fn bracket(program: &str, word: &str) -> bool {
    matches!(program, "[" | "test" | "[[")
        && (matches!(
            word,
            "]" | "]]" | "!" | "=" | "==" | "!=" | "=~" | "&&" | "||" | "(" | ")" | "<" | ">"
        ) || word.bytes().all(|b| b.is_ascii_digit())
            || !word.contains(['/', '.']) && word.contains('$'))
}

fn edited<'t>(program: &str, rest: &[Cow<'t, str>], access: Access) -> Vec<Touch<'t>> {
    let mut touches: Vec<Touch<'t>> = Vec::new();
    let mut words = plain(program, rest, false);
    words.retain(|word| !matches!(word.as_ref(), "check" | "format" | "lint" | "ci" | "fix"));
    if program == "sort" {
        let plain: Vec<&str> = rest.iter().map(AsRef::as_ref).collect();
        let output = behind(&plain, &["-o", "--output"]);
        words.retain(|word| Some(word.as_ref()) != output);
        touches.extend(output.map(|path| touch(path, Write)));
        touches.extend(touched(words, Read));
        return touches;
    }
    touched(words, access)
}

fn moved<'t>(program: &str, rest: &[Cow<'t, str>], spec: Spec) -> Vec<Touch<'t>> {
    let plain_words: Vec<&str> = rest.iter().map(AsRef::as_ref).collect();
    let from = match (spec, program) {
        (Spec::Move, _) => Access::Move,
        _ => Read,
    };
    let folder = behind(&plain_words, &["-t", "--target-directory"]);
    let mut paths = plain(program, rest, false);
    let last = match folder {
        Some(folder) => {
            paths.retain(|path| path != folder);
            Some(Cow::Owned(folder.to_owned()))
        }
        None => paths.pop(),
    };
    let mut touches = touched(paths, from);
    touches.extend(last.map(|path| Touch {
        path,
        access: Write,
    }));
    touches
}

fn archive<'t>(rest: &[Cow<'t, str>], effect: Effect) -> Vec<Touch<'t>> {
    let words: Vec<&str> = rest.iter().map(AsRef::as_ref).collect();
    if effect != Effect::Mutate {
        return Vec::new();
    }
    let creates = words.first().is_some_and(|mode| {
        mode.trim_start_matches('-').starts_with(['c', 'r', 'u']) || *mode == "--create"
    });
    let target = if creates {
        words.get(1).copied()
    } else {
        behind(&words, &["-C", "--directory", "-d"])
    };
    target.map(|path| touch(path, Write)).into_iter().collect()
}

/// Paths of git sub-commands, in so far as they cannot be revisions.
fn git<'t>(rest: &[Cow<'t, str>], effect: Effect) -> Vec<Touch<'t>> {
    let mut words = rest.iter();
    let mut sub = "";
    while let Some(word) = words.next() {
        match word.as_ref() {
            "-C" | "-c" | "--git-dir" | "--work-tree" => {
                words.next();
            }
            option if option.starts_with('-') => {}
            name => {
                sub = name;
                break;
            }
        }
    }
    let left: Vec<Cow<'t, str>> = words.cloned().collect();
    let marked = left.iter().position(|word| word == "--");
    let behind_mark = marked.map(|at| left.get(at + 1..).unwrap_or_default().to_vec());
    let access = if effect == Effect::Mutate {
        Write
    } else {
        Read
    };
    match sub {
        "rm" => touched(plain("", &left, false), Delete),
        "mv" => moved("", &left, Spec::Move),
        "restore" | "add" | "stage" | "blame" | "apply" if sub != "apply" => touched(
            behind_mark.unwrap_or_else(|| plain("", &left, false)),
            if matches!(sub, "add" | "stage") {
                Read
            } else {
                access
            },
        ),
        "clone" => folder(
            &left,
            1,
            "-b -o -c -j --branch --depth --origin --config --jobs --reference --filter",
        ),
        "worktree"
            if left
                .first()
                .is_some_and(|word| word == "add" || word == "remove") =>
        {
            folder(&left, 1, "-b -B --reason")
        }
        "checkout" | "diff" | "log" | "show" | "status" | "grep" | "reset" => {
            touched(behind_mark.unwrap_or_default(), access)
        }
        _ => Vec::new(),
    }
}

/// The folder that a sub-command makes or removes: the operand of this number.
fn folder<'t>(words: &[Cow<'t, str>], number: usize, valued: &str) -> Vec<Touch<'t>> {
    let mut skip = false;
    let operands = words.iter().filter(|word| {
        let value = std::mem::replace(&mut skip, valued.split(' ').any(|option| option == **word));
        !value && !word.starts_with('-')
    });
    operands
        .skip(number)
        .take(1)
        .map(|path| Touch {
            path: path.clone(),
            access: Create,
        })
        .collect()
}

/// The files that the headers of an `apply_patch` text name.
pub(super) fn patched<'t>(patch: &str) -> Vec<Touch<'t>> {
    let heads = [
        ("*** Update File: ", Write),
        ("*** Add File: ", Create),
        ("*** Delete File: ", Delete),
        ("*** Move to: ", Create),
    ];
    patch
        .lines()
        .filter_map(|line| {
            heads.iter().find_map(|(head, access)| {
                Some(touch(line.strip_prefix(head)?.trim_end(), *access))
            })
        })
        .collect()
}

/// Adds the targets of redirections; gives those that are written.
pub(super) fn redirected<'t>(
    redirects: &[Redirect<'t>],
    touches: &mut Vec<Touch<'t>>,
) -> Vec<Cow<'t, str>> {
    let mut written = Vec::new();
    for redirect in redirects {
        let path = redirect.target.clone();
        if place::is_null(&path) || path.is_empty() || path.contains(">(") || path.contains("<(") {
            continue;
        }
        if writes(redirect) {
            written.push(path.clone());
            touches.push(Touch {
                path,
                access: Write,
            });
        } else if redirect.kind == RedirectKind::Read {
            touches.push(Touch { path, access: Read });
        }
    }
    written
}
