//! Which calls of a run a check means, and what is known of each.

use std::borrow::Cow;

use serde_json::Value;

use super::super::check::ParamError;
use super::super::evidence::{Call, Evidence, Instant, State};
use super::super::grammar::is_word;
use super::super::guard::Guards;
use super::params::Params;
use crate::shell::{self, Mask, Redirect, RedirectKind, Script, Simple, Visible};

/// What is known of a call, or of a command in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Own {
    /// It is none of those meant.
    No,
    /// It failed.
    Failed,
    /// Its outcome is not known, or not whether it ran at all.
    Perhaps,
    /// It ran in a call that succeeded, and its own status is hidden by what follows it.
    Hidden,
    /// It succeeded.
    Yes,
}

/// Where a tool takes command text.
#[derive(Debug)]
struct Shell {
    tool: String,
    server: String,
    field: String,
    when: Vec<(String, String)>,
}

/// The tools that take command text.
#[derive(Debug, Default)]
pub(super) struct Shells(Vec<Shell>);

/// A value in a call's arguments by its dotted name.
pub(super) fn value<'v>(input: &'v Value, dotted: &str) -> Option<&'v Value> {
    dotted
        .split('.')
        .try_fold(input, |value, name| value.get(name))
}

/// A text in a call's arguments by its dotted name.
pub(super) fn text<'v>(input: &'v Value, dotted: &str) -> Option<&'v str> {
    value(input, dotted).and_then(Value::as_str)
}

/// A word as a shell would have to be given it.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

impl Shells {
    /// Reads the parameter `shells`.
    pub(super) fn read(params: &mut Params<'_>) -> Result<Self, ParamError> {
        let mut all = Vec::new();
        for mut table in params.tables("shells")? {
            all.push(Shell {
                tool: table.needed("tool")?.to_owned(),
                server: table.text("server")?.unwrap_or("").to_owned(),
                field: table.needed("field")?.to_owned(),
                when: table.pairs("when")?,
            });
            table.finish()?;
        }
        Ok(Self(all))
    }

    /// The command text of a call, where it is a call of a shell. A list of words is a command of these words.
    pub(super) fn text<'c>(&self, call: &'c Call<'_>) -> Option<Cow<'c, str>> {
        let holds = |shell: &&Shell| {
            let met = |(name, wanted): &(String, String)| {
                text(&call.input, name) == Some(wanted.as_str())
            };
            call.tool == shell.tool && call.server == shell.server && shell.when.iter().all(met)
        };
        let shell = self.0.iter().find(holds)?;
        match value(&call.input, &shell.field)? {
            Value::String(text) => Some(Cow::Borrowed(text)),
            Value::Array(words) => {
                let words = words.iter().map(|word| word.as_str().map(quoted));
                let words: Option<Vec<String>> = words.collect();
                Some(Cow::Owned(words?.join(" ")))
            }
            _ => None,
        }
    }
}

/// A span of time, with its first instant and without its last.
#[derive(Debug)]
struct Window {
    since: (Instant, String),
    until: (Instant, String),
}

impl Window {
    fn read(params: &mut Params<'_>) -> Result<Option<Self>, ParamError> {
        let Some(mut table) = params.table("window")? else {
            return Ok(None);
        };
        let mut end = |name| {
            let text = table.needed(name)?;
            let instant = Instant::parse(text);
            let instant = instant.ok_or_else(|| table.error(name, "unknown-value"))?;
            Ok((instant, text.to_owned()))
        };
        let window = Self {
            since: end("since")?,
            until: end("until")?,
        };
        table.finish()?;
        Ok(Some(window))
    }

    fn holds(&self, at: Option<&str>, guards: Guards<'_>) -> bool {
        let Some(text) = at else {
            return guards.on("undated-is-inside");
        };
        if !guards.on("instants-not-texts") {
            return self.since.1.as_str() <= text && text < self.until.1.as_str();
        }
        let Some(at) = Instant::parse(text) else {
            return true;
        };
        let last = !guards.on("window-half-open") && at == self.until.0;
        self.since.0 <= at && at < self.until.0 || last
    }
}

/// One kind of call that is meant. All that is told must hold.
#[derive(Debug, Default)]
struct Predicate {
    tool: Option<String>,
    server: Option<String>,
    program: Option<String>,
    /// The words right behind the program.
    args: Vec<String>,
    /// Where the address stands.
    field: Option<String>,
    /// What it is called for, and where that stands.
    actions: Vec<String>,
    action: String,
}

impl Predicate {
    fn read(mut params: Params<'_>) -> Result<Self, ParamError> {
        let own = |text: Option<&str>| text.map(str::to_owned);
        let list = |texts: Vec<&str>| texts.into_iter().map(str::to_owned).collect();
        let predicate = Self {
            tool: own(params.text("tool")?),
            server: own(params.text("server")?),
            program: own(params.text("program")?),
            args: list(params.texts("args")?),
            field: own(params.text("field")?),
            actions: list(params.texts("actions")?),
            action: params.text("action-field")?.unwrap_or("action").to_owned(),
        };
        let called = predicate.tool.is_some() || predicate.server.is_some();
        if called == predicate.program.is_some() {
            let kind = if called { "conflict" } else { "missing" };
            return Err(params.error("program", kind));
        }
        params.finish()?;
        Ok(predicate)
    }

    /// Whether a call is one of this tool, for one of the actions that are meant.
    fn is_call(&self, call: &Call<'_>, guards: Guards<'_>) -> bool {
        let server = match &self.server {
            Some(server) if guards.on("server-is-no-prefix") => call.server == *server,
            Some(server) => call.server.starts_with(server.as_str()),
            None => call.server.is_empty(),
        };
        let tool = self.tool.as_ref().is_none_or(|tool| call.tool == *tool);
        self.program.is_none() && server && tool
    }

    fn acts(&self, call: &Call<'_>) -> bool {
        let action = text(&call.input, &self.action);
        self.actions.is_empty()
            || action.is_some_and(|action| self.actions.iter().any(|own| own == action))
    }
}

/// What a check means by its parameters `predicates`, `shells` and `window`.
#[derive(Debug, Default)]
pub(super) struct Meant {
    predicates: Vec<Predicate>,
    pub(super) shells: Shells,
    window: Option<Window>,
    /// Arguments that make a call of a program none.
    pub(super) no_use: Vec<String>,
}

/// Whether a word stands in a text.
fn mentions(text: &str, word: &str) -> bool {
    super::find::stands(text, word, |c| is_word(c) || c == '-')
}

/// Whether the result of a call says that a program, or the module that it was to run, was not found, which a pipe hides
/// from the status.
fn was_not_found(call: &Call<'_>, program: &str, words: &[Cow<'_, str>]) -> bool {
    let result = call.result.as_deref().unwrap_or("");
    let module = words.windows(2).find(|own| own[0] == "-m");
    let module = module.map_or(program, |own| own[1].as_ref());
    result.lines().any(|line| {
        let told = line.contains("not found") || line.contains("No such file or directory");
        told && line.contains("sh: ") && mentions(line, program)
            || line.contains("No module named ") && mentions(line, module)
    })
}

/// What a command's place in its call tells of it.
pub(super) fn own(state: State, status: Visible, guards: Guards<'_>) -> Own {
    let state = match state {
        State::None if !guards.on("stateless-only-makes-unknown") => State::Succeeded,
        State::Failed if !guards.on("succeeded-only") => State::Succeeded,
        state => state,
    };
    let status = match guards.on("own-status") {
        true => status,
        false => Visible::Shown,
    };
    match (state, status) {
        (State::Succeeded, Visible::Shown | Visible::Implied | Visible::Masked(Mask::Pipe)) => {
            Own::Yes
        }
        (
            State::Succeeded,
            Visible::Masked(Mask::Followed | Mask::Printed | Mask::Negated | Mask::Substitution),
        ) => Own::Hidden,
        (State::Failed, Visible::Shown) => Own::Failed,
        // In a call that failed it may have been another command that did; one of a branch may never have run.
        _ => Own::Perhaps,
    }
}

impl Meant {
    /// Reads `predicates`, `shells` and `window`.
    pub(super) fn read(params: &mut Params<'_>) -> Result<Self, ParamError> {
        let predicates = params.tables("predicates")?.into_iter();
        Ok(Self {
            predicates: predicates.map(Predicate::read).collect::<Result<_, _>>()?,
            shells: Shells::read(params)?,
            window: Window::read(params)?,
            no_use: Vec::new(),
        })
    }

    /// Whether anything is meant at all; where not, every call is.
    pub(super) fn is_empty(&self) -> bool {
        self.predicates.is_empty()
    }

    /// The calls of the run itself, within the window.
    pub(super) fn calls<'e>(
        &'e self,
        evidence: &'e Evidence<'e>,
        guards: Guards<'e>,
    ) -> impl Iterator<Item = &'e Call<'e>> {
        evidence.calls.iter().filter(move |call| {
            let window = self.window.as_ref();
            let inside = window.is_none_or(|window| window.holds(call.at.as_deref(), guards));
            (call.owner.is_none() || !guards.on("own-calls-only"))
                && (inside || !guards.on("outside-window"))
        })
    }

    /// Whether a call is one of those meant, and what is known of it.
    pub(super) fn of(&self, call: &Call<'_>, guards: Guards<'_>) -> Own {
        let plain = own(call.state, Visible::Shown, guards);
        if self.predicates.is_empty() || !guards.on("predicate-decides") {
            return plain;
        }
        let text = self.shells.text(call);
        let all = self
            .predicates
            .iter()
            .map(|predicate| match (&predicate.program, &text) {
                (None, _) if predicate.is_call(call, guards) && predicate.acts(call) => plain,
                (Some(program), Some(text)) => {
                    let args = &predicate.args;
                    self.of_program((program, args), text, call, guards)
                }
                _ => Own::No,
            });
        all.max().unwrap_or(Own::No)
    }

    /// What is known of the calls of a program in a command text.
    fn of_program(
        &self,
        (program, args): (&str, &[String]),
        text: &str,
        call: &Call<'_>,
        guards: Guards<'_>,
    ) -> Own {
        let state = call.state;
        if !guards.on("mention-is-no-call") && mentions(text, program) {
            return own(state, Visible::Shown, guards);
        }
        if !guards.on("program-behind-wrappers") && !text.trim_start().starts_with(program) {
            return Own::No;
        }
        let script = shell::read(text);
        let mut best = Own::No;
        for form in forms(&script, guards) {
            let rest = form.words.get(1..).unwrap_or(&[]);
            let follows = args.len() <= rest.len() && args.iter().zip(rest).all(|(a, b)| a == b);
            if form.is(program, guards) && follows && !self.is_no_use(rest, guards) {
                let piped = form.status == Visible::Masked(Mask::Pipe);
                let known = match piped
                    && guards.on("own-status")
                    && was_not_found(call, program, form.words)
                {
                    true => Own::Perhaps,
                    false => own(state, form.status, guards),
                };
                best = best.max(known);
            }
        }
        // What cannot be read may hold the call.
        if best == Own::No && !script.parsed && mentions(text, program) {
            best = Own::Perhaps;
        }
        best
    }

    /// Whether what a program of those meant prints goes to a file.
    pub(super) fn is_redirected(&self, call: &Call<'_>, guards: Guards<'_>) -> bool {
        let programs = || {
            self.predicates
                .iter()
                .filter_map(|own| own.program.as_deref())
        };
        let text = self.shells.text(call);
        text.is_some_and(|text| {
            let script = shell::read(&text);
            let mut own = forms(&script, guards)
                .filter(|form| programs().any(|program| form.is(program, guards)));
            own.any(|form| goes_to_a_file(form.redirects))
        })
    }

    fn is_no_use(&self, words: &[Cow<'_, str>], guards: Guards<'_>) -> bool {
        let mut options = words.iter().take_while(|word| *word != "--");
        let no_use = options.any(|word| self.no_use.iter().any(|own| word == own));
        guards.hold("asking-the-version-is-no-use", no_use)
    }

    /// The address that a call of a tool leads to, and whether the call is for one of the actions that are meant.
    pub(super) fn address<'c>(
        &self,
        call: &'c Call<'_>,
        guards: Guards<'_>,
    ) -> Option<(&'c str, bool)> {
        let mut all = self.predicates.iter();
        let predicate = all.find(|own| own.field.is_some() && own.is_call(call, guards))?;
        let acts = predicate.acts(call) || !guards.on("search-is-no-retrieval");
        let address = text(&call.input, predicate.field.as_deref()?);
        // A search for an address leads nowhere, wherever it stands.
        match address {
            Some(address) => Some((address, acts)),
            None => {
                let fields = call.input.as_object()?;
                let any = fields.values().filter_map(Value::as_str);
                let any = any.into_iter().find(|text| text.contains("://"));
                any.map(|address| (address, acts && !predicate.actions.is_empty()))
            }
        }
    }
}

/// A program without its folder: whoever keeps it in the tree calls it by a path, and it is the same program.
pub(super) fn base_name(program: &str) -> &str {
    program.rsplit(['/', '\\']).next().unwrap_or("")
}

/// One of the ways to name what a command runs: by the program behind its wrappers, or by one of those, each with the
/// words that follow it there.
pub(super) struct Form<'s> {
    program: &'s str,
    pub(super) words: &'s [Cow<'s, str>],
    redirects: &'s [Redirect<'s>],
    pub(super) status: Visible,
}

/// Every form of every command of a script.
pub(super) fn forms<'s>(
    script: &'s Script<'s>,
    guards: Guards<'s>,
) -> impl Iterator<Item = Form<'s>> {
    let inner = script.commands.iter().map(|own| Form {
        program: &own.program,
        words: &own.words,
        redirects: &own.redirects,
        status: closed(own.status, own.piped),
    });
    let outer = script.wrapped.iter().map(|own| Form {
        program: &own.program,
        words: &own.words,
        redirects: &own.redirects,
        status: closed(own.status, own.piped),
    });
    inner.chain(outer.filter(move |_| guards.on("wrapper-is-a-program")))
}

/// What shows of a command in a pipe: no more than of the pipe itself, which may be followed or be one of a branch.
fn closed(status: Visible, piped: Visible) -> Visible {
    match status {
        Visible::Masked(Mask::Pipe) if piped.is_masked() => piped,
        status => status,
    }
}

impl Form<'_> {
    /// Whether it is one of a program.
    pub(super) fn is(&self, program: &str, guards: Guards<'_>) -> bool {
        names(self.program, program, guards)
    }
}

fn names(own: &str, program: &str, guards: Guards<'_>) -> bool {
    let called = |own: &str| {
        own == program || !guards.on("program-is-no-prefix") && own.starts_with(program)
    };
    called(own) || called(base_name(own))
}

/// Whether a command is one of a program.
pub(super) fn is_program(command: &Simple<'_>, program: &str, guards: Guards<'_>) -> bool {
    names(&command.program, program, guards)
}

/// Whether what a command prints goes to a file.
pub(super) fn writes_to_a_file(command: &Simple<'_>) -> bool {
    goes_to_a_file(&command.redirects)
}

fn goes_to_a_file(redirects: &[Redirect<'_>]) -> bool {
    redirects.iter().any(|own| {
        let out = matches!(own.fd, None | Some(1));
        out && matches!(own.kind, RedirectKind::Write | RedirectKind::Append)
    })
}
