//! The walk over the tree: simple commands in order, each with its place and what shows of it.

use std::borrow::Cow;
use std::ops::Range;

use super::classify::{Call, Class, classify_call};
use super::context::{Ctx, State};
use super::place::{self, Place};
use super::scan::parse;
use super::script::Script;
use super::status::{self, Fails};
use super::syntax::{Doc, Node, Op, Raw, RawRedirect, Sub, Tree, Word};
use super::wrapper::is_assignment;
use super::{Effect, Joint, Mask, Redirect, RedirectKind, Simple, Visible, Wrapped, script};

/// How often a text may hold the text of another shell.
pub(super) const MAX_TEXTS: u32 = 8;

/// How many variables with temporary paths are remembered.
const MAX_VARIABLES: usize = 32;

/// Collects the simple commands of one text and of the texts inside it.
pub(super) struct Walker<'t> {
    pub(super) text: &'t str,
    /// Where `text` starts in the original command.
    pub(super) base: usize,
    /// The span of everything here, where the text is not a slice of the original.
    pub(super) fixed: Option<Range<usize>>,
    pub(super) docs: Vec<Doc<'t>>,
    pub(super) out: Vec<Simple<'t>>,
    pub(super) wrapped: Vec<Wrapped<'t>>,
    pub(super) state: State,
    pub(super) joint: Joint,
    pub(super) pipelines: u32,
    pub(super) parsed: bool,
    pub(super) texts: u32,
    pub(super) steps: usize,
}

/// A simple command whose wrappers are off.
pub(super) struct Job<'t> {
    pub(super) span: Range<usize>,
    pub(super) env: Vec<Word<'t>>,
    pub(super) words: Vec<Word<'t>>,
    pub(super) redirects: Vec<RawRedirect<'t>>,
    /// Substitutions of words that are gone.
    pub(super) subs: Vec<Sub<'t>>,
    pub(super) ctx: Ctx,
}

/// Reads a whole command string.
pub(super) fn script(command: &str) -> Script<'_> {
    let mut walker = Walker::new(command, State::new());
    walker.joint = Joint::Start;
    walker.run(Ctx::top());
    script::finish((walker.out, walker.wrapped), walker.parsed, walker.steps)
}

impl<'t> Walker<'t> {
    pub(super) fn new(text: &'t str, state: State) -> Self {
        Self {
            text,
            base: 0,
            fixed: None,
            docs: Vec::new(),
            out: Vec::new(),
            wrapped: Vec::new(),
            state,
            joint: Joint::Seq,
            pipelines: 0,
            parsed: true,
            texts: 0,
            steps: 0,
        }
    }

    /// Parses the walker's text and walks it.
    pub(super) fn run(&mut self, ctx: Ctx) {
        let Tree {
            root,
            docs,
            ok,
            steps,
        } = parse(self.text);
        self.docs = docs;
        self.parsed &= ok;
        self.steps += steps;
        self.node(root, ctx);
    }

    /// Walks a text inside this one: that of `bash -c`, of backticks, of a heredoc that a shell reads.
    pub(super) fn inside(&mut self, text: Cow<'t, str>, at: usize, span: Range<usize>, ctx: Ctx) {
        if self.texts >= MAX_TEXTS {
            self.parsed = false;
            return;
        }
        self.texts += 1;
        match text {
            Cow::Borrowed(text) => {
                let base = self.base;
                let outer = (
                    std::mem::replace(&mut self.text, text),
                    std::mem::take(&mut self.docs),
                );
                self.base = base + at;
                self.run(ctx);
                (self.text, self.docs) = outer;
                self.base = base;
            }
            Cow::Owned(text) => {
                let mut inner = Walker::new(&text, self.state.clone());
                inner.fixed = Some(self.absolute(span));
                (inner.joint, inner.pipelines, inner.texts) =
                    (self.joint, self.pipelines, self.texts);
                inner.run(ctx);
                self.out.extend(
                    inner
                        .out
                        .into_iter()
                        .map(|simple| -> Simple<'t> { simple.into_owned() }),
                );
                let wrapped = inner.wrapped.into_iter();
                self.wrapped
                    .extend(wrapped.map(|own| -> Wrapped<'t> { own.into_owned() }));
                (self.joint, self.pipelines, self.state) =
                    (inner.joint, inner.pipelines, inner.state);
                self.parsed &= inner.parsed;
                self.steps += inner.steps;
            }
        }
        self.texts -= 1;
    }

    pub(super) fn absolute(&self, span: Range<usize>) -> Range<usize> {
        self.fixed
            .clone()
            .unwrap_or(self.base + span.start..self.base + span.end)
    }

    fn node(&mut self, node: Node<'t>, ctx: Ctx) {
        match node {
            Node::Empty => {}
            Node::Simple(raw) => self.simple(raw, ctx),
            Node::Pipeline { parts, negated } => self.pipeline(parts, negated, ctx),
            Node::AndOr { first, rest } => self.and_or(*first, rest, ctx),
            Node::List(members) => self.list(members, ctx),
            Node::Group {
                body,
                subshell,
                redirects,
            } => {
                if subshell {
                    let inner = ctx.subshell(ctx.visible(self.state.errexit));
                    self.forked(*body, inner);
                } else {
                    self.node(*body, ctx);
                }
                self.only_redirects(redirects, ctx);
            }
            Node::If {
                arms,
                otherwise,
                redirects,
            } => {
                self.conditional(arms, otherwise, ctx);
                self.only_redirects(redirects, ctx);
            }
            Node::Loop {
                head,
                condition,
                body,
                redirects,
            } => {
                self.head(head, ctx);
                if let Some(condition) = condition {
                    self.node(*condition, ctx.unchecked(Mask::Condition));
                }
                self.node(*body, ctx.with(Visible::Masked(Mask::Loop)));
                self.only_redirects(redirects, ctx);
            }
            Node::Case {
                head,
                arms,
                redirects,
            } => {
                self.head(head, ctx);
                for arm in arms {
                    self.node(arm, ctx.with(Visible::Masked(Mask::Condition)));
                }
                self.only_redirects(redirects, ctx);
            }
            Node::Function(body) => self.forked(*body, ctx.hidden(Mask::Deferred)),
        }
    }

    fn and_or(&mut self, first: Node<'t>, rest: Vec<(Op, Node<'t>)>, ctx: Ctx) {
        let mut contexts = status::and_or(&rest, ctx).into_iter();
        if let Some(ctx) = contexts.next() {
            self.node(first, ctx);
        }
        for ((op, node), ctx) in rest.into_iter().zip(contexts) {
            self.joint = match op {
                Op::And => Joint::And,
                Op::Or => Joint::Or,
            };
            self.node(node, ctx);
        }
    }

    fn list(&mut self, members: Vec<(Node<'t>, bool)>, ctx: Ctx) {
        let contexts = status::list(&members, ctx);
        for ((node, background), ctx) in members.into_iter().zip(contexts) {
            if background {
                self.forked(node, ctx);
                self.joint = Joint::Background;
            } else {
                self.node(node, ctx);
                self.joint = Joint::Seq;
            }
        }
    }

    /// Walks a node that runs in a shell of its own.
    fn forked(&mut self, node: Node<'t>, ctx: Ctx) {
        let state = self.state.clone();
        self.node(node, ctx);
        self.state = state;
    }

    /// The words of `for x in …` and `case … in` count for their substitutions alone.
    fn head(&mut self, head: Raw<'t>, ctx: Ctx) {
        for word in head.words {
            self.substitutions(word.subs, ctx.hidden(Mask::Substitution));
        }
    }

    fn conditional(
        &mut self,
        arms: Vec<(Node<'t>, Node<'t>)>,
        otherwise: Option<Box<Node<'t>>>,
        ctx: Ctx,
    ) {
        let single = arms.len() == 1;
        for (mut condition, body) in arms {
            let mut place = ctx.unchecked(Mask::Condition);
            if single {
                // A failing condition that always ends in failure shows: `if ! make; then exit 1; fi`.
                let inverted = inverted(&mut condition);
                let failing = match (inverted.is_some(), &otherwise) {
                    (true, _) => status::fails(&body, false),
                    (false, Some(otherwise)) => status::fails(otherwise, false),
                    (false, None) => Fails::No,
                };
                let value = match failing {
                    Fails::No => Visible::Masked(Mask::Condition),
                    Fails::Value => ctx.value.implied(),
                    Fails::Exit => ctx.abort.implied(),
                };
                place = place.with(value);
                if let (Some(negated), Fails::No) = (inverted, failing) {
                    *negated = true;
                }
            }
            self.node(condition, place);
            self.node(body, ctx.with(Visible::Masked(Mask::Condition)));
        }
        if let Some(otherwise) = otherwise {
            self.node(*otherwise, ctx.with(Visible::Masked(Mask::Condition)));
        }
    }

    fn pipeline(&mut self, mut parts: Vec<Node<'t>>, negated: bool, ctx: Ctx) {
        let mut whole = ctx;
        if negated {
            whole = ctx.unchecked(Mask::Negated);
        }
        if parts.len() == 1 {
            if let Some(only) = parts.pop() {
                self.node(only, whole);
            }
            return;
        }
        super::follow::feed(&mut parts);
        let shown = whole.visible(self.state.errexit);
        // An element that is a pipeline itself comes to what the one around it does.
        let piped = match shown {
            Visible::Masked(Mask::Pipe) => ctx.piped,
            shown => shown,
        };
        let number = ctx.pipeline.unwrap_or_else(|| self.number());
        let last = parts.len() - 1;
        for (index, part) in parts.into_iter().enumerate() {
            let value = match whole.element {
                Some(element) if element == index => shown,
                None if index == last => shown,
                None if self.state.pipefail => shown.implied(),
                _ => Visible::Masked(Mask::Pipe),
            };
            let place = Ctx {
                pipeline: Some(number),
                piped,
                last: ctx.last && index == last,
                ..whole.subshell(value)
            };
            if index > 0 {
                self.joint = Joint::Pipe;
            }
            self.forked(part, place);
        }
    }

    pub(super) fn number(&mut self) -> u32 {
        let number = self.pipelines;
        self.pipelines = self.pipelines.saturating_add(1);
        number
    }

    fn simple(&mut self, mut raw: Raw<'t>, ctx: Ctx) {
        let assigned = raw
            .words
            .iter()
            .take_while(|word| is_assignment(&word.text) && !word.text.starts_with('"'))
            .count();
        let words = raw.words.split_off(assigned);
        if raw.timed {
            let own = words.iter().map(|word| word.text.clone());
            self.wrapped.push(Wrapped {
                words: std::iter::once("time".into()).chain(own).collect(),
                program: "time".into(),
                redirects: raw.redirects.iter().map(listed).collect(),
                status: ctx.visible(self.state.errexit),
                piped: ctx.piped,
            });
        }
        self.unwrap(Job {
            span: raw.span,
            env: raw.words,
            words,
            redirects: raw.redirects,
            subs: Vec::new(),
            ctx,
        });
    }

    /// The redirections of a compound command, where they name files.
    pub(super) fn only_redirects(&mut self, redirects: Vec<RawRedirect<'t>>, ctx: Ctx) {
        let (Some(first), Some(last)) = (redirects.first(), redirects.last()) else {
            return;
        };
        let files = redirects.iter().any(|r| {
            !matches!(
                r.kind,
                RedirectKind::Duplicate | RedirectKind::Heredoc | RedirectKind::Herestring
            ) && r.target.text != "/dev/null"
        });
        if !files {
            for redirect in redirects {
                self.redirect_subs(redirect, ctx);
            }
            return;
        }
        self.emit(Job {
            span: first.target.span.start..last.target.span.end,
            env: Vec::new(),
            words: Vec::new(),
            redirects,
            subs: Vec::new(),
            ctx: ctx.with(Visible::Masked(Mask::Followed)),
        });
    }

    /// Takes the commands out of words, and walks them.
    pub(super) fn substitutions(&mut self, subs: Vec<Sub<'t>>, ctx: Ctx) {
        let joint = self.joint;
        let inner = Ctx {
            pipeline: None,
            ..ctx
        };
        for sub in subs {
            self.joint = Joint::Start;
            let state = self.state.clone();
            match sub {
                Sub::Tree(node) => self.node(node, inner),
                Sub::Text(text, at, span) => self.inside(text, at, span, inner),
            }
            self.state = state;
        }
        self.joint = joint;
    }

    fn redirect_subs(&mut self, redirect: RawRedirect<'t>, ctx: Ctx) {
        let hidden = ctx.hidden(Mask::Substitution);
        self.substitutions(redirect.target.subs, hidden);
        if let Some(doc) = redirect.doc.and_then(|doc| self.docs.get_mut(doc)) {
            let subs = std::mem::take(&mut doc.subs);
            self.substitutions(subs, hidden);
        }
    }

    /// The text that the command reads as its standard input, where it stands in the command.
    pub(super) fn stdin(&self, redirects: &[RawRedirect<'t>]) -> Option<(&'t str, usize, usize)> {
        let (redirect, number) = redirects
            .iter()
            .rev()
            .find_map(|redirect| Some((redirect, redirect.doc?)))?;
        debug_assert!(redirect.kind == RedirectKind::Heredoc);
        let body = self.docs.get(number)?.body.clone();
        Some((self.text.get(body.clone())?, body.start, number))
    }

    /// Records a simple command, then walks the commands in its words.
    pub(super) fn emit(&mut self, job: Job<'t>) {
        let Job {
            span,
            env,
            words,
            redirects,
            mut subs,
            ctx,
        } = job;
        let shown = ctx.visible(self.state.errexit);
        let body = self.stdin(&redirects).map(|(text, ..)| text);
        let (env, words) = (texts(env, &mut subs), texts(words, &mut subs));
        self.remember(&env, &words);
        let listed: Vec<_> = redirects.iter().map(listed).collect();
        let call = Call {
            words: &words,
            env: &env,
            redirects: &listed,
            stdin: body,
            piped: self.joint == Joint::Pipe,
            place: Place {
                cwd: self.state.cwd.as_deref(),
                temporary: &self.state.temporary,
            },
            host: self.state.host,
        };
        let (mut class, touches, program) = classify_call(&call);
        let bare = words.is_empty() && listed.is_empty();
        let number = ctx.pipeline.unwrap_or_else(|| self.number());
        if class.filter {
            self.filtered(&mut class, number);
        }
        let at = self.out.len();
        self.out.push(Simple {
            span: self.absolute(span),
            program,
            effect: class.effect,
            own: class.own,
            domain: class.domain,
            verify: class.verify,
            noop: class.noop,
            touches,
            cwd: self.state.cwd.clone(),
            host: self.state.host,
            joint: std::mem::replace(&mut self.joint, Joint::Seq),
            pipeline: number,
            last_in_pipeline: ctx.last,
            background: ctx.background,
            status: shown,
            piped: ctx.piped,
            words,
            env,
            redirects: listed,
            stdin: body.map(Cow::Borrowed),
        });
        self.after(at, redirects, subs, bare, ctx, shown);
    }

    /// Remembers variables that are set to temporary paths.
    fn remember(&mut self, env: &[Cow<'t, str>], words: &[Cow<'t, str>]) {
        let declares = matches!(
            words.first().map(AsRef::as_ref),
            None | Some("export" | "local" | "declare" | "readonly")
        );
        let found = env.iter().chain(words.iter().skip(1)).filter(|_| declares);
        for name in found.filter_map(|word| place::temporary_variable(word)) {
            if self.state.temporary.len() < MAX_VARIABLES {
                self.state.temporary.push(name.to_owned());
            }
        }
    }

    /// A filter shows what it is fed: nothing of interest where that is `echo`.
    fn filtered(&self, class: &mut Class, pipeline: u32) {
        let Some(before) = self.out.last().filter(|before| before.pipeline == pipeline) else {
            return;
        };
        if before.effect == Effect::None && class.effect == Effect::Read {
            (class.effect, class.domain, class.noop) = (Effect::None, None, before.noop);
            class.own = Effect::None;
        } else if before.domain.is_some() {
            class.domain = before.domain;
        }
    }

    fn after(
        &mut self,
        at: usize,
        redirects: Vec<RawRedirect<'t>>,
        mut subs: Vec<Sub<'t>>,
        bare: bool,
        ctx: Ctx,
        shown: Visible,
    ) {
        super::follow::shell_state(self, at);
        if bare {
            // The status of a bare assignment is that of its last substitution.
            if let Some(last) = subs.pop() {
                self.substitutions(subs, ctx.hidden(Mask::Substitution));
                self.substitutions(vec![last], ctx.subshell(shown));
            }
        } else {
            self.substitutions(subs, ctx.hidden(Mask::Substitution));
        }
        for redirect in redirects {
            self.redirect_subs(redirect, ctx);
        }
    }
}

/// The texts of words, their substitutions set aside.
fn texts<'t>(words: Vec<Word<'t>>, subs: &mut Vec<Sub<'t>>) -> Vec<Cow<'t, str>> {
    words
        .into_iter()
        .map(|mut word| {
            subs.append(&mut word.subs);
            word.text
        })
        .collect()
}

pub(super) fn listed<'t>(redirect: &RawRedirect<'t>) -> Redirect<'t> {
    Redirect {
        fd: redirect.fd,
        kind: redirect.kind,
        target: redirect.target.text.clone(),
    }
}

/// The negation sign of a condition, taken off; `None` where it has none.
fn inverted<'n>(condition: &'n mut Node<'_>) -> Option<&'n mut bool> {
    match condition {
        Node::Pipeline { negated, .. } if *negated => {
            *negated = false;
            Some(negated)
        }
        Node::List(members) => match members.as_mut_slice() {
            [(only, false)] => inverted(only),
            _ => None,
        },
        _ => None,
    }
}
