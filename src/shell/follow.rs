//! Following commands into the arguments of others: wrappers, shells, `eval`, `find -exec`, remote shells.

use std::borrow::Cow;
use std::sync::Arc;

use super::classify::program_name;
use super::context::Ctx;
use super::syntax::{Node, RawRedirect, Word};
use super::walk::{Job, Walker, listed};
use super::wrapper::{How, SHELLS, inner, is_assignment};
use super::{Host, Mask, RedirectKind, Visible, Wrapped, table};

/// How many wrappers may stand before one command.
const MAX_WRAPPERS: usize = 16;

/// The longest working directory kept; a longer one cannot exist.
const MAX_PATH: usize = 4096;

/// What a shell's words ask for.
#[derive(Default)]
struct ShellCall {
    /// The word that holds the script text.
    text: Option<usize>,
    /// A script file is named.
    file: bool,
    errexit: bool,
    pipefail: bool,
    /// The script is only checked.
    check: bool,
}

impl<'t> Walker<'t> {
    /// Takes wrappers off, follows what holds commands, and records the rest.
    pub(super) fn unwrap(&mut self, mut job: Job<'t>) {
        let host = self.state.host;
        let mut unwrapped = false;
        for _ in 0..MAX_WRAPPERS {
            let words: Vec<&str> = job.words.iter().map(|word| word.text.as_ref()).collect();
            let Some((at, how)) = words.first().and_then(|word| {
                let program = program_name(word);
                module(&program, &words)
                    .map(|at| (at, How::Exec))
                    .or_else(|| inner(&program, &words))
            }) else {
                break;
            };
            if how == How::ExecOrTask
                && !words
                    .get(at)
                    .is_some_and(|word| table::is_tool(&program_name(word)))
            {
                // It may be a task of that name, and is called by it either way.
                self.wraps(&job, at);
                break;
            }
            self.wraps(&job, 0);
            self.drop_words(&mut job, at);
            unwrapped = true;
            match how {
                How::Exec | How::ExecOrTask => {}
                How::Container => self.state.host = Host::Container,
                How::Remote => self.state.host = Host::Remote,
                How::RemoteText => {
                    self.state.host = Host::Remote;
                    self.remote_text(job);
                    self.state.host = host;
                    return;
                }
            }
        }
        self.dispatch(job, unwrapped);
        self.state.host = host;
    }

    /// Records a command that runs another, from one of its words on, before that is taken out of it.
    fn wraps(&mut self, job: &Job<'t>, from: usize) {
        let words = job.words.get(from..).unwrap_or(&[]);
        let Some(first) = words.first() else {
            return;
        };
        self.wrapped.push(Wrapped {
            words: words.iter().map(|word| word.text.clone()).collect(),
            program: program_name(&first.text).into_owned().into(),
            redirects: job.redirects.iter().map(listed).collect(),
            status: job.ctx.visible(self.state.errexit),
            piped: job.ctx.piped,
        });
    }

    fn drop_words(&mut self, job: &mut Job<'t>, at: usize) {
        let rest = job.words.split_off(at);
        for mut word in std::mem::replace(&mut job.words, rest) {
            if is_assignment(&word.text) {
                job.env.push(word);
            } else {
                job.subs.append(&mut word.subs);
            }
        }
    }

    fn remote_text(&mut self, job: Job<'t>) {
        let shell = job
            .words
            .first()
            .is_some_and(|word| SHELLS.contains(&word.text.as_ref()));
        if shell && (job.words.len() == 1 || self.stdin(&job.redirects).is_some()) {
            return self.dispatch(job, true);
        }
        let ctx = job.ctx.subshell(job.ctx.visible(self.state.errexit));
        self.text_of(job, 0, ctx);
    }

    fn dispatch(&mut self, job: Job<'t>, unwrapped: bool) {
        let Some(first) = job.words.first() else {
            self.emit(job);
            return;
        };
        if unwrapped && first.quoted && first.text.contains(char::is_whitespace) {
            let ctx = job.ctx.subshell(job.ctx.visible(self.state.errexit));
            return self.text_of(job, 0, ctx);
        }
        let program = program_name(&first.text).into_owned();
        match program.as_str() {
            name if SHELLS.contains(&name) => self.shell(job),
            "eval" if job.words.len() > 1 => {
                self.wraps(&job, 0);
                let ctx = job.ctx;
                self.text_of(job, 1, ctx);
            }
            "su" | "nix-shell" | "script" | "trap" => self.text_option(job, &program),
            "find" | "gfind" | "fd" => self.find(job),
            "ssh" => match self.stdin(&job.redirects) {
                Some(_) => {
                    let host = std::mem::replace(&mut self.state.host, Host::Remote);
                    self.stdin_script(job);
                    self.state.host = host;
                }
                None => self.emit(job),
            },
            _ => self.emit(job),
        }
    }

    /// Walks the words from `at` on as one text; the redirections stay with the caller's command.
    fn text_of(&mut self, mut job: Job<'t>, at: usize, ctx: Ctx) {
        let mut rest = job.words.split_off(at.min(job.words.len()));
        let subs: Vec<_> = job
            .words
            .into_iter()
            .flat_map(|word| word.subs)
            .chain(job.subs)
            .collect();
        let span = match (rest.first(), rest.last()) {
            (Some(first), Some(last)) => first.span.start..last.span.end,
            _ => job.span.clone(),
        };
        let state = self.state.clone();
        let keep = ctx.abort == job.ctx.abort && at == 1;
        if rest.len() == 1
            && let Some(word) = rest.pop()
        {
            self.inside(word.text, word.at, span, ctx);
        } else {
            let text: Vec<&str> = rest.iter().map(|word| word.text.as_ref()).collect();
            self.inside(Cow::Owned(text.join(" ")), 0, span, ctx);
        }
        if !keep {
            self.state = state;
        }
        self.substitutions(subs, job.ctx.hidden(Mask::Substitution));
        self.only_redirects(job.redirects, job.ctx);
    }

    fn shell(&mut self, job: Job<'t>) {
        let call = shell_call(&job.words);
        let state = self.state.clone();
        let ctx = job.ctx.subshell(job.ctx.visible(self.state.errexit));
        let brought = call.text.is_some() || !call.file && has_text(&job.redirects);
        if brought && !call.check {
            self.wraps(&job, 0);
        }
        (self.state.errexit, self.state.pipefail) = (call.errexit, call.pipefail);
        match call.text {
            Some(at) if !call.check => {
                let mut job = job;
                job.words.truncate(at + 1);
                self.text_of(job, at, ctx);
            }
            None if !call.file && !call.check && has_text(&job.redirects) => self.stdin_script(job),
            _ => self.emit(job),
        }
        self.state = state;
    }

    /// Walks the heredoc or here-string that a shell reads.
    fn stdin_script(&mut self, job: Job<'t>) {
        let ctx = job.ctx.subshell(job.ctx.visible(self.state.errexit));
        let state = self.state.clone();
        let mut redirects = job.redirects;
        let found = self.stdin(&redirects);
        if let Some((text, at, number)) = found {
            // The body's own substitutions are read as part of it.
            if let Some(doc) = self.docs.get_mut(number) {
                doc.subs.clear();
            }
            self.inside(Cow::Borrowed(text), at, at..at + text.len(), ctx);
        } else if let Some(index) = redirects
            .iter()
            .position(|r| r.kind == RedirectKind::Herestring)
        {
            let word = redirects.remove(index).target;
            self.inside(word.text, word.at, word.span, ctx);
        }
        self.state = state;
        self.substitutions(job.subs, job.ctx.hidden(Mask::Substitution));
        self.only_redirects(redirects, job.ctx);
    }

    /// Programs that take a script text behind an option, and `trap`, which takes it first.
    fn text_option(&mut self, mut job: Job<'t>, program: &str) {
        let at = match program {
            "trap" => Some(0),
            "nix-shell" => job
                .words
                .iter()
                .position(|w| matches!(w.text.as_ref(), "--run" | "--command")),
            _ => job.words.iter().position(|w| {
                w.text.starts_with('-') && !w.text.starts_with("--") && w.text.ends_with('c')
            }),
        };
        let at = at.map(|at| at + 1).filter(|at| *at < job.words.len());
        let Some(at) = at else {
            return self.emit(job);
        };
        if program != "trap" {
            self.wraps(&job, 0);
        }
        job.words.truncate(at + 1);
        let ctx = if program == "trap" {
            job.ctx.hidden(Mask::Deferred)
        } else {
            job.ctx.subshell(job.ctx.visible(self.state.errexit))
        };
        let state = self.state.clone();
        self.text_of(job, at, ctx);
        self.state = state;
    }

    /// Records a `find`, then the commands that it launches.
    fn find(&mut self, mut job: Job<'t>) {
        let launch = |word: &Word<'t>| {
            matches!(
                word.text.as_ref(),
                "-exec" | "-execdir" | "-ok" | "-okdir" | "-x" | "-X" | "--exec" | "--exec-batch"
            )
        };
        let Some(at) = job.words.iter().position(launch) else {
            return self.emit(job);
        };
        let rest = job.words.split_off(at);
        let (ctx, span) = (job.ctx, job.span.clone());
        self.emit(job);
        if self.texts >= super::walk::MAX_TEXTS {
            self.parsed = false;
            return;
        }
        self.texts += 1;
        let mut words = Vec::new();
        let mut open = false;
        for word in rest {
            let end = open && matches!(word.text.as_ref(), ";" | "+");
            if !end && !launch(&word) {
                if open {
                    words.push(word);
                }
                continue;
            }
            open = !end;
            let status = if word.text == "+" {
                ctx.value.implied()
            } else {
                Visible::Masked(Mask::Launcher)
            };
            self.launched(std::mem::take(&mut words), span.clone(), ctx.with(status));
        }
        self.launched(words, span, ctx.with(Visible::Masked(Mask::Launcher)));
        self.texts -= 1;
    }

    fn launched(&mut self, words: Vec<Word<'t>>, span: std::ops::Range<usize>, ctx: Ctx) {
        let (Some(first), Some(last)) = (words.first(), words.last()) else {
            return;
        };
        let start = first.span.start.clamp(span.start, span.end);
        let span = start..last.span.end.clamp(start, span.end);
        self.unwrap(Job {
            span,
            env: Vec::new(),
            words,
            redirects: Vec::new(),
            subs: Vec::new(),
            ctx,
        });
    }
}

/// Where the module stands in `python -m module`: it is the program that counts.
fn module(program: &str, words: &[&str]) -> Option<usize> {
    if super::classify::key(program) != "python" {
        return None;
    }
    let mut at = 1;
    loop {
        match *words.get(at)? {
            "-m" => return (at + 1 < words.len()).then_some(at + 1),
            "-W" | "-X" => at += 2,
            option if option.starts_with('-') && option != "-c" && option != "-" => at += 1,
            _ => return None,
        }
    }
}

fn has_text(redirects: &[RawRedirect<'_>]) -> bool {
    redirects
        .iter()
        .any(|r| matches!(r.kind, RedirectKind::Heredoc | RedirectKind::Herestring))
}

/// Reads the options of a shell.
fn shell_call(words: &[Word<'_>]) -> ShellCall {
    let mut call = ShellCall::default();
    let mut command = false;
    let mut at = 1;
    while let Some(word) = words.get(at) {
        let text = word.text.as_ref();
        let Some(letters) = text
            .strip_prefix(['-', '+'])
            .filter(|letters| !letters.is_empty())
        else {
            if command {
                call.text = Some(at);
            } else {
                call.file = true;
            }
            break;
        };
        at += 1;
        if matches!(text, "--rcfile" | "--init-file") {
            at += 1;
        }
        if letters.starts_with('-') {
            continue;
        }
        command |= letters.contains('c');
        call.errexit |= letters.contains('e');
        call.check |= letters.contains('n');
        if letters.ends_with(['o', 'O']) {
            call.pipefail |= words
                .get(at)
                .is_some_and(|option| option.text == "pipefail");
            call.errexit |= words.get(at).is_some_and(|option| option.text == "errexit");
            at += 1;
        }
        if letters.contains('s') && !command {
            break;
        }
    }
    call
}

/// In `cat <<EOF | sh` the shell is what reads the heredoc.
pub(super) fn feed(parts: &mut [Node<'_>]) {
    for at in 1..parts.len() {
        let (before, after) = parts.split_at_mut(at);
        let (Some(Node::Simple(source)), Some(Node::Simple(sink))) =
            (before.last_mut(), after.first_mut())
        else {
            continue;
        };
        let source_words: Vec<&str> = source.words.iter().map(|word| word.text.as_ref()).collect();
        let reads = sink.words.iter().any(|word| {
            let name = program_name(&word.text);
            SHELLS.contains(&name.as_ref())
                || name == "ssh"
                || super::inline::language(&name).is_some()
        });
        if !reads || !matches!(source_words.as_slice(), ["cat"] | ["cat", "-"]) {
            continue;
        }
        if let Some(index) = source
            .redirects
            .iter()
            .position(|redirect| redirect.doc.is_some())
        {
            sink.redirects.push(source.redirects.remove(index));
        }
    }
}

/// What a recorded command leaves behind in its shell: `cd`, `set -e`, `set -o pipefail`.
pub(super) fn shell_state(walker: &mut Walker<'_>, at: usize) {
    let Some(command) = walker.out.get(at) else {
        return;
    };
    let word = |index: usize| command.words.get(index).map(AsRef::as_ref);
    match command.program.as_ref() {
        "cd" | "pushd" | "chdir" => {
            let target = command
                .words
                .iter()
                .skip(1)
                .map(AsRef::as_ref)
                .find(|w| !w.starts_with('-') || *w == "-");
            let joined = directory(walker.state.cwd.as_deref(), target.unwrap_or("~"));
            walker.parsed &= joined.is_some();
            walker.state.cwd = joined;
        }
        "popd" => walker.state.cwd = None,
        "set" => {
            let state = &mut walker.state;
            let mut on = true;
            for option in command.words.iter().skip(1) {
                match option.as_ref() {
                    "pipefail" => state.pipefail = on,
                    "errexit" => state.errexit = on,
                    "--" => break,
                    text => {
                        on = !text.starts_with('+');
                        if text.starts_with(['-', '+']) && text.contains('e') {
                            state.errexit = on;
                        }
                    }
                }
            }
        }
        "setopt" if word(1).is_some_and(|w| w.eq_ignore_ascii_case("pipefail")) => {
            walker.state.pipefail = true;
        }
        "setopt" if word(1).is_some_and(|w| w.eq_ignore_ascii_case("errexit")) => {
            walker.state.errexit = true;
        }
        _ => {}
    }
}

/// The working directory after `cd target`, as written; `None` beyond the longest possible path.
fn directory(cwd: Option<&str>, target: &str) -> Option<Arc<str>> {
    let fresh = target.starts_with(['/', '~', '$', '-']) || target.as_bytes().get(1) == Some(&b':');
    let joined = match cwd {
        Some(cwd) if target == "." => cwd.to_owned(),
        Some(cwd) if !fresh => format!(
            "{}/{}",
            cwd.trim_end_matches('/'),
            target.trim_start_matches("./")
        ),
        _ => target.to_owned(),
    };
    (joined.len() <= MAX_PATH).then(|| joined.into())
}
