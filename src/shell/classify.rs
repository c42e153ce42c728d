//! What one simple command does: the table, then what its options, redirections and paths add.

use std::borrow::Cow;

use super::inline;
use super::place::{self, Place};
use super::table::{self, Act, Rule};
use super::task::{self, task};
use super::touch;
use super::wrapper::any;
use super::{Access, Domain, Effect, Host, Redirect, RedirectKind, Touch, Verify};

/// What a command does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Class {
    /// Its effect.
    pub effect: Effect,
    /// What the effect is on.
    pub domain: Option<Domain>,
    /// The kind of verification it runs.
    pub verify: Option<Verify>,
    /// It grounds nothing.
    pub noop: bool,
    /// It shows what it is fed through a pipe, not what it is named.
    pub filter: bool,
    /// Its effect apart from its redirections.
    pub own: Effect,
}

impl Class {
    /// A class with an effect, a domain and a verification.
    #[must_use]
    pub fn is(effect: Effect, domain: Option<Domain>, verify: Option<Verify>) -> Self {
        Self {
            effect,
            domain,
            verify,
            noop: effect == Effect::None,
            filter: false,
            own: effect,
        }
    }

    /// Nothing is known.
    #[must_use]
    pub fn unknown() -> Self {
        Self::is(Effect::Unknown, None, None)
    }
}

/// A simple command and where it stands.
pub(super) struct Call<'c, 't> {
    pub(super) words: &'c [Cow<'t, str>],
    pub(super) env: &'c [Cow<'t, str>],
    pub(super) redirects: &'c [Redirect<'t>],
    pub(super) stdin: Option<&'t str>,
    pub(super) piped: bool,
    pub(super) place: Place<'c>,
    pub(super) host: Host,
}

/// Options that show help or a version and run nothing.
const ABOUT: &[&str] = &["--help", "--version", "-help"];
/// Short forms of the same, which count only where they stand alone.
const ABOUT_SHORT: &[&str] = &["-h", "-V", "-v", "version", "help", "-version", "-?"];
/// Programs whose `-v` asks for more words about the run, not for a version.
const VERBOSE: &[&str] = &["pytest", "unittest", "doctest", "nose2"];
/// Options that list or plan a verification without running it.
const PLANS: &[&str] = &[
    "--collect-only",
    "--co",
    "--list",
    "--list-tests",
    "--listTests",
    "--showConfig",
    "--print-config",
    "--show-settings",
    "--show-files",
    "--dry-run",
    "--dryRun",
    "--list-files",
    "--fixtures",
    "--markers",
    "--setup-plan",
    "--no-run-tests",
];
/// Options that let a verification write to the sources.
const FIXES: &[&str] = &[
    "--fix",
    "--fix-only",
    "--unsafe-fixes",
    "--write",
    "--apply",
    "--apply-unsafe",
    "--autocorrect",
    "--auto-correct",
    "--update-snapshot",
    "--update-snapshots",
    "--updateSnapshot",
    "--snapshot-update",
    "--update-goldens",
    "--update-golden",
    "--in-place",
    "--bless",
    "--accept",
    "--force-regen",
    "--regen-all",
    "--inline-snapshot",
    "--fix-dry",
    "--auto-fix",
];

/// No program has a longer name; a longer word is an expansion, which is not worth looking through.
const LONGEST_NAME: usize = 1024;

/// Base name of a program; a script of the project keeps its path, so that `./test` is not `test`.
pub(super) fn program_name<'w>(word: &'w str) -> Cow<'w, str> {
    if word.len() > LONGEST_NAME {
        return Cow::Borrowed("");
    }
    let strip = |name: &'w str| -> &'w str {
        [".exe", ".cmd", ".bat"]
            .iter()
            .find_map(|end| name.strip_suffix(end))
            .unwrap_or(name)
    };
    let Some(slash) = word.rfind(['/', '\\']) else {
        return Cow::Borrowed(strip(word));
    };
    let (folder, base) = (
        word.get(..slash).unwrap_or_default(),
        word.get(slash + 1..).unwrap_or_default(),
    );
    let last = folder.rsplit(['/', '\\']).next().unwrap_or_default();
    let installed = word.starts_with('/')
        || matches!(last, "bin" | ".bin" | "Scripts" | "sbin" | "shims")
        || word.get(1..2) == Some(":");
    if installed || matches!(base, "gradlew" | "mvnw" | "manage.py") {
        Cow::Borrowed(strip(base))
    } else {
        Cow::Borrowed(word)
    }
}

/// The name a program is looked up with: without a version number.
pub(super) fn key(name: &str) -> &str {
    for known in ["python", "pip", "ruby", "php", "node", "lua", "pypy"] {
        if let Some(rest) = name.strip_prefix(known)
            && rest
                .bytes()
                .all(|b| b.is_ascii_digit() || b == b'.' || b == b'-')
        {
            return if known == "pypy" { "python" } else { known };
        }
    }
    match name {
        "py" => "python",
        "nodejs" => "node",
        name => name,
    }
}

/// Classifies a command by its words alone, wrappers already taken off.
#[must_use]
pub fn classify(words: &[&str]) -> Class {
    let words: Vec<Cow<'_, str>> = words.iter().map(|word| Cow::Borrowed(*word)).collect();
    let call = Call {
        words: &words,
        env: &[],
        redirects: &[],
        stdin: None,
        piped: false,
        place: Place::default(),
        host: Host::Local,
    };
    classify_call(&call).0
}

/// Classifies a call; also gives the paths it touches and its program.
pub(super) fn classify_call<'t>(call: &Call<'_, 't>) -> (Class, Vec<Touch<'t>>, Cow<'t, str>) {
    let program = match call.words.first() {
        Some(Cow::Borrowed(word)) => program_name(word),
        Some(Cow::Owned(word)) => Cow::Owned(program_name(word).into_owned()),
        None => Cow::Borrowed(""),
    };
    let name = key(&program).to_owned();
    let words: Vec<&str> = call.words.iter().map(AsRef::as_ref).collect();
    let mut class = if words.is_empty() {
        Class::is(Effect::None, None, None)
    } else {
        by_table(&name, &words)
    };
    options(&name, &words, call, &mut class);
    let mut touches = named(&name, &words, call, &mut class);
    class.own = class.effect;
    relocate(&mut class, &touches, call.place);
    let written = touch::redirected(call.redirects, &mut touches);
    if let Some(domain) = written
        .into_iter()
        .map(|path| place::domain(&path, Access::Write, call.place))
        .max_by_key(|domain| domain.rank())
    {
        let stronger = class.effect != Effect::Mutate
            || class.domain.is_none_or(|old| old.rank() < domain.rank());
        class.effect = Effect::Mutate;
        class.noop = false;
        class.filter = false;
        if stronger {
            class.domain = Some(domain);
        }
    } else if words.is_empty() && touches.iter().any(|touch| touch.access == Access::Read) {
        class = Class::is(Effect::Read, Some(Domain::Workspace), None);
    }
    elsewhere(&mut class, call.host);
    (class, touches, program)
}

/// The paths that the words or an inline program name, and what those change about the answer.
fn named<'t>(name: &str, words: &[&str], call: &Call<'_, 't>, class: &mut Class) -> Vec<Touch<'t>> {
    let mut touches = touch::operands(name, call.words, class.effect);
    if matches!(name, "apply_patch" | "applypatch") {
        let patch = call.stdin.or_else(|| words.get(1).copied());
        touches = patch.map(touch::patched).unwrap_or_default();
    }
    if let Some(language) = inline::language(name)
        && class.effect == Effect::Unknown
        && let Some(code) = inline::code(language, call.words, call.stdin)
    {
        if inline::writes(language, code) {
            *class = Class::is(Effect::Mutate, Some(Domain::Workspace), None);
        }
        touches = inline::touches(code);
    }
    if matches!(name, "scp" | "rsync")
        && class.effect == Effect::Mutate
        && touches
            .last()
            .is_some_and(|touch| place::is_remote(&touch.path))
    {
        class.domain = Some(Domain::Remote);
    }
    class.filter = class.effect == Effect::Read
        && class.domain == Some(Domain::Workspace)
        && class.verify.is_none()
        && call.piped
        && touches.is_empty()
        && touch::is_known(name);
    if name == "cat" && touches.is_empty() && !call.piped && call.stdin.is_some() {
        *class = Class::is(Effect::None, None, None);
    }
    touches
}

/// On another machine or in a container, an effect is on that.
fn elsewhere(class: &mut Class, host: Host) {
    let domain = match host {
        Host::Local => return,
        Host::Remote => Domain::Remote,
        Host::Container => Domain::Environment,
    };
    if class.effect != Effect::None {
        class.domain = Some(domain);
        class.filter = false;
    }
}

/// Moves an effect on files to scratch or environment, where all the paths it names lie there.
fn relocate(class: &mut Class, touches: &[Touch<'_>], at: Place<'_>) {
    if class.domain != Some(Domain::Workspace) || class.verify.is_some() {
        return;
    }
    let counted =
        |touch: &&Touch<'_>| (class.effect == Effect::Mutate) == (touch.access != Access::Read);
    let strongest = touches
        .iter()
        .filter(counted)
        .map(|touch| place::domain(&touch.path, touch.access, at))
        .max_by_key(|domain| domain.rank());
    class.domain = strongest.or(class.domain);
}

/// The first row that fits.
fn by_table(program: &str, words: &[&str]) -> Class {
    let (rest, operands) = operands(program, words);
    let rules = table::rules(program);
    if rules.is_empty() {
        return Class::unknown();
    }
    for rule in rules {
        let Some(used) = fits(rule, rest, &operands) else {
            continue;
        };
        let left = operands.get(used..).unwrap_or_default();
        return match rule.act {
            Act::Is(effect, domain, verify) => Class::is(effect, domain, verify),
            Act::Task => task::all(left.iter().copied().filter(|name| !name.contains('=')))
                .unwrap_or_else(|| {
                    Class::is(Effect::Read, Some(Domain::Workspace), Some(Verify::Build))
                }),
            Act::Script => left.first().map_or_else(
                || Class::is(Effect::Read, Some(Domain::Workspace), None),
                |name| task(name),
            ),
        };
    }
    Class::unknown()
}

/// The words behind the program, and the operands among them.
fn operands<'w>(program: &str, words: &'w [&'w str]) -> (&'w [&'w str], Vec<&'w str>) {
    let rest = words.get(1..).unwrap_or_default();
    let valued = table::valued(program);
    let mut found = Vec::new();
    let mut skip = false;
    let mut plain = false;
    for word in rest {
        if skip {
            skip = false;
        } else if plain || !word.starts_with('-') || *word == "-" {
            if !(program == "cargo" && word.starts_with('+')) {
                found.push(*word);
            }
        } else if *word == "--" {
            plain = true;
        } else if !valued.is_empty() {
            skip = valued.split(' ').any(|option| option == *word);
        }
    }
    (rest, found)
}

/// How many operands the row's pattern uses, if it fits.
fn fits(rule: &Rule, words: &[&str], operands: &[&str]) -> Option<usize> {
    let mut used = 0;
    for term in rule.args.split(' ').filter(|term| !term.is_empty()) {
        let holds = if let Some(forbidden) = term.strip_prefix('!') {
            !words.iter().any(|word| option(forbidden, word))
        } else if term.starts_with(['-', '~']) {
            words.iter().any(|word| option(term, word))
        } else if term == "+" {
            operands.len() > used
        } else if term == "." {
            operands.len() == used
        } else {
            used += 1;
            let operand = operands.get(used - 1);
            operand.is_some_and(|operand| any(term, operand) || any(term, "*"))
        };
        if !holds {
            return None;
        }
    }
    Some(used)
}

/// Whether a word is one of the options of a term.
fn option(term: &str, word: &str) -> bool {
    term.split('|').any(|one| {
        if let Some(letter) = one.strip_prefix('~') {
            let letters = word
                .strip_prefix('-')
                .filter(|letters| !letters.starts_with('-'))
                .unwrap_or_default();
            let run = letters.bytes().take_while(u8::is_ascii_alphabetic).count();
            return run <= 8 && letters.get(..run).unwrap_or_default().contains(letter);
        }
        word == one
            || one.starts_with("--")
                && word
                    .strip_prefix(one)
                    .is_some_and(|rest| rest.starts_with('='))
    })
}

/// What options and the environment change about the table's answer.
fn options(program: &str, words: &[&str], call: &Call<'_, '_>, class: &mut Class) {
    let rest = words.get(1..).unwrap_or_default();
    let listed = |options: &[&str]| {
        rest.iter().any(|word| {
            options.iter().any(|option| {
                word == option
                    || word.strip_prefix(option).is_some_and(|value| {
                        value.starts_with('=') && !matches!(value, "=false" | "=0" | "=no")
                    })
            })
        })
    };
    if class.effect == Effect::None || table::rules(program).is_empty() {
        return;
    }
    let wordy = VERBOSE.contains(&program) && rest == ["-v"];
    let alone =
        matches!(rest, [only] if ABOUT_SHORT.contains(only)) && !wordy && !touch::is_known(program);
    if alone || rest.iter().take(8).any(|word| ABOUT.contains(word)) && program != "git" {
        *class = Class::is(Effect::Read, Some(Domain::Environment), None);
        return;
    }
    if class.verify.is_some() {
        let updates = call.env.iter().any(|pair| updates(pair));
        if listed(PLANS) {
            *class = Class::is(Effect::Read, Some(Domain::Workspace), None);
        } else if listed(FIXES) || updates {
            *class = Class::is(Effect::Mutate, Some(Domain::Workspace), None);
        }
    } else if class.effect == Effect::Mutate && listed(&["--dry-run", "--dryrun", "--dry"]) {
        class.effect = Effect::Read;
    }
    match program {
        "curl" | "http" | "https" | "xh" | "gh" | "glab" => transfer(program, rest, class),
        "wget" => wget(rest, class),
        "awk" | "gawk" | "mawk" | "nawk" => awk(rest, class),
        "perl" | "ruby" if rest.iter().any(|word| option("~i", word)) => {
            *class = Class::is(Effect::Mutate, Some(Domain::Workspace), None);
        }
        "source" | "." if rest.first().is_some_and(|file| prepares(file)) => {
            *class = Class::is(Effect::None, None, None);
        }
        "dd" if !rest.iter().any(|word| word.starts_with("of=")) => {
            *class = Class::is(Effect::Read, Some(Domain::Workspace), None);
        }
        _ => {}
    }
}

/// Files that only prepare the shell: virtual environments and profiles.
fn prepares(file: &str) -> bool {
    let ends = [
        "/activate",
        "/activate.fish",
        ".cargo/env",
        "/nvm.sh",
        ".bashrc",
        ".zshrc",
        ".profile",
        ".bash_profile",
        ".zprofile",
        ".envrc",
        ".env",
        "/env.sh",
        "/environment",
    ];
    file == "activate" || ends.iter().any(|end| file.ends_with(end))
}

/// `INSTA_UPDATE=always`, `UPDATE_SNAPSHOTS=1` and the like make a test run write its expectations.
fn updates(pair: &str) -> bool {
    let Some((name, value)) = pair.split_once('=') else {
        return false;
    };
    if matches!(value, "" | "0" | "no" | "false" | "off") {
        return false;
    }
    match name {
        "INSTA_UPDATE" => matches!(value, "always" | "force" | "unseen" | "1"),
        "TRYBUILD" => value == "overwrite",
        "BLESS" | "REGENERATE_GOLDENS" | "SNAPSHOT_UPDATE" | "RECORD_SNAPSHOTS" => true,
        name => name.starts_with("UPDATE_"),
    }
}

/// Requests that write to a file or to the other side.
fn transfer(program: &str, rest: &[&str], class: &mut Class) {
    if matches!(program, "gh" | "glab") && !rest.contains(&"api") {
        return;
    }
    let mut method = None;
    for (at, word) in rest.iter().enumerate() {
        if matches!(*word, "-X" | "--request" | "--method") {
            method = rest.get(at + 1).copied();
        } else if let Some(value) = word
            .strip_prefix("--request=")
            .or_else(|| word.strip_prefix("--method="))
        {
            method = Some(value);
        } else if let Some(value) = word
            .strip_prefix("-X")
            .or_else(|| word.strip_prefix("-sX"))
            .filter(|value| !value.is_empty())
        {
            method = Some(value);
        }
    }
    let sends = "-d|--data|--data-raw|--data-binary|--data-urlencode|--json|-F|--form|-T|--upload-file|-f|--field|--raw-field|--input";
    let curl = program == "curl";
    let body = rest.iter().any(|word| {
        option(
            if curl {
                &sends[..sends.len() - "|-f|--field|--raw-field|--input".len()]
            } else {
                sends
            },
            word,
        )
    });
    let effect = match method.map(str::to_ascii_uppercase).as_deref() {
        Some("GET" | "HEAD" | "OPTIONS") => Effect::Read,
        Some(_) => Effect::Mutate,
        None if body && program != "http" && program != "https" => Effect::Mutate,
        None => class.effect,
    };
    class.effect = effect;
    if !curl || effect == Effect::Mutate {
        return;
    }
    if saved(rest).is_some_and(|path| !place::is_null(path)) {
        *class = Class::is(Effect::Mutate, Some(Domain::Workspace), None);
    }
}

/// The file that `curl` saves to; `.` where it takes the remote name.
pub(super) fn saved<'w>(rest: &[&'w str]) -> Option<&'w str> {
    for (at, word) in rest.iter().enumerate() {
        if matches!(*word, "-o" | "--output") {
            return rest.get(at + 1).copied();
        }
        if let Some(path) = word.strip_prefix("--output=") {
            return Some(path);
        }
        if *word == "--remote-name" || option("~O", word) {
            return Some(".");
        }
        if option("~o", word) {
            // `-sSLo file`, or `-ofile`.
            return match word.split_once('o') {
                Some((_, "")) => rest.get(at + 1).copied(),
                Some((_, path)) => Some(path),
                None => None,
            };
        }
    }
    None
}

/// `wget` shows where it writes to standard output, and saves otherwise.
fn wget(rest: &[&str], class: &mut Class) {
    let shows = rest.iter().enumerate().any(|(at, word)| {
        word.ends_with("O-")
            || *word == "--spider"
            || *word == "--output-document=-"
            || (word.ends_with('O') || *word == "--output-document")
                && rest
                    .get(at + 1)
                    .is_some_and(|next| matches!(*next, "-" | "/dev/null" | "/dev/stdout"))
    });
    if shows {
        *class = Class::is(Effect::Read, Some(Domain::Remote), None);
    }
}

/// `awk` writes with `print > "file"`, and runs what it likes with `system`.
fn awk(rest: &[&str], class: &mut Class) {
    let inplace = rest
        .windows(2)
        .any(|pair| matches!(pair, ["-i", "inplace"]));
    if inplace || rest.iter().any(|word| prints_to_file(word)) {
        *class = Class::is(Effect::Mutate, Some(Domain::Workspace), None);
    } else if rest.iter().any(|word| word.contains("system(")) {
        *class = Class::unknown();
    }
}

/// Whether an `awk` program redirects a `print` to a file.
fn prints_to_file(program: &str) -> bool {
    let mut printing = false;
    let mut quoted = false;
    let mut depth = 0_u32;
    for (at, b) in program.bytes().enumerate() {
        match b {
            b'"' if at == 0 || program.as_bytes().get(at - 1) != Some(&b'\\') => quoted = !quoted,
            _ if quoted => {}
            b'p' => printing |= program.get(at..at + 5) == Some("print"),
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b';' | b'}' | b'\n' | b'{' => (printing, depth) = (false, 0),
            b'>' if printing && depth == 0 => {
                let target = program
                    .get(at + 1..)
                    .unwrap_or_default()
                    .trim_start_matches(['>', ' ']);
                return !target.starts_with("\"/dev/") && !target.starts_with('=');
            }
            _ => {}
        }
    }
    false
}

/// Whether a redirection writes to its target.
pub(super) fn writes(redirect: &Redirect<'_>) -> bool {
    matches!(
        redirect.kind,
        RedirectKind::Write | RedirectKind::Append | RedirectKind::ReadWrite
    )
}
