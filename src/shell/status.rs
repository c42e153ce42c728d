//! Whose status shows: lists that print, keep or re-raise a status, and branches that always fail.

use std::collections::HashSet;

use super::context::Ctx;
use super::syntax::{Node, Op, Raw, Word};
use super::{Mask, RedirectKind, Visible};

/// A status that a command refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ref<'n> {
    /// `$?`.
    Last,
    /// `${PIPESTATUS[n]}`.
    Element(usize),
    /// A variable.
    Var(&'n str),
}

/// How surely a node fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fails {
    No,
    /// Its own status is not zero.
    Value,
    /// It leaves the shell with a status that is not zero.
    Exit,
}

fn is_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes
        .next()
        .is_some_and(|b| b == b'_' || b.is_ascii_alphabetic())
        && bytes.all(|b| b == b'_' || b.is_ascii_alphanumeric())
}

/// Reads `$?`, `$rc`, `${rc}`, `${PIPESTATUS[0]}` and zsh's `${pipestatus[1]}`.
fn reference(text: &str) -> Option<Ref<'_>> {
    if text == "$?" || text == "${?}" {
        return Some(Ref::Last);
    }
    let name = text.strip_prefix('$')?;
    let name = name
        .strip_prefix('{')
        .and_then(|n| n.strip_suffix('}'))
        .unwrap_or(name);
    if let Some(index) = name
        .strip_prefix("PIPESTATUS[")
        .and_then(|n| n.strip_suffix(']'))
    {
        return index.parse().ok().map(Ref::Element);
    }
    if let Some(index) = name
        .strip_prefix("pipestatus[")
        .and_then(|n| n.strip_suffix(']'))
    {
        return index
            .parse::<usize>()
            .ok()?
            .checked_sub(1)
            .map(Ref::Element);
    }
    match name {
        "PIPESTATUS" => Some(Ref::Element(0)),
        _ if is_name(name) => Some(Ref::Var(name)),
        _ => None,
    }
}

fn text<'n>(raw: &'n Raw<'_>, index: usize) -> &'n str {
    raw.words.get(index).map_or("", |word| word.text.as_ref())
}

/// The one simple command that a node comes to, if it is one.
pub(super) fn simple<'n, 't>(node: &'n Node<'t>) -> Option<&'n Raw<'t>> {
    match node {
        Node::Simple(raw) => Some(raw),
        Node::List(members) => match members.as_slice() {
            [(only, false)] => simple(only),
            _ => None,
        },
        Node::Group {
            body,
            subshell: false,
            ..
        } => simple(body),
        _ => None,
    }
}

/// The status that a command hands on as its own: `exit $?`, `[ $rc -eq 0 ]`.
pub(super) fn raises<'n>(raw: &'n Raw<'_>) -> Option<Ref<'n>> {
    match text(raw, 0) {
        "exit" | "return" if raw.words.len() == 1 => Some(Ref::Last),
        "exit" | "return" => reference(text(raw, 1)),
        "test" | "[" | "[["
            if matches!(text(raw, 2), "-eq" | "=" | "==") && text(raw, 3) == "0" =>
        {
            reference(text(raw, 1))
        }
        _ => None,
    }
}

/// The variable and the status it takes in `rc=$?`.
fn keeps<'n>(raw: &'n Raw<'_>) -> Option<(&'n str, Ref<'n>)> {
    let [word] = raw.words.as_slice() else {
        return None;
    };
    let (name, value) = word.text.split_once('=')?;
    match reference(value)? {
        Ref::Var(_) => None,
        status if is_name(name) => Some((name, status)),
        _ => None,
    }
}

/// The words of a command that prints to the shown output.
fn printed<'n, 't>(node: &'n Node<'t>) -> Option<&'n [Word<'t>]> {
    let raw = simple(node)?;
    let hidden = raw.redirects.iter().any(|redirect| {
        matches!(redirect.kind, RedirectKind::Write | RedirectKind::Append)
            && redirect.fd.unwrap_or(1) == 1
    });
    (matches!(text(raw, 0), "echo" | "printf") && !hidden).then_some(raw.words.as_slice())
}

/// The first status among printed words: `echo "exit: $?"`.
fn printed_status(words: &[Word<'_>]) -> Option<Ref<'static>> {
    let word = words
        .iter()
        .find(|word| word.dynamic && has_status(&word.text))?;
    let Some((_, rest)) = word.text.split_once("{PIPESTATUS[") else {
        return Some(if word.text.contains("PIPESTATUS") {
            Ref::Element(0)
        } else {
            Ref::Last
        });
    };
    let index = rest.split(']').next().unwrap_or_default();
    Some(Ref::Element(index.parse().unwrap_or(0)))
}

fn has_status(text: &str) -> bool {
    text.contains("$?") || text.contains("PIPESTATUS")
}

/// Adds the variables named in printed words.
fn printed_names<'n>(words: &'n [Word<'_>], names: &mut HashSet<&'n str>) {
    for word in words.iter().filter(|word| word.dynamic) {
        for part in word.text.split('$').skip(1) {
            let part = part.strip_prefix('{').unwrap_or(part);
            let end = part
                .bytes()
                .take_while(|b| *b == b'_' || b.is_ascii_alphanumeric())
                .count();
            names.insert(part.get(..end).unwrap_or_default());
        }
    }
}

/// Whether a node always fails; `direct` says that it stands right behind `||`, where a bare `exit` hands on the failure.
pub(super) fn fails(node: &Node<'_>, direct: bool) -> Fails {
    match node {
        Node::Simple(raw) => match text(raw, 0) {
            "false" => Fails::Value,
            "exit" | "return" => match text(raw, 1) {
                "" | "$?" if direct => Fails::Exit,
                "" | "0" => Fails::No,
                code if code.bytes().all(|b| b.is_ascii_digit()) => Fails::Exit,
                _ => Fails::No,
            },
            _ => Fails::No,
        },
        Node::List(members) => {
            let alone = direct && members.len() == 1;
            let exits = members
                .iter()
                .any(|(node, bg)| !bg && fails(node, alone) == Fails::Exit);
            match members.last() {
                _ if exits => Fails::Exit,
                Some((last, false)) => fails(last, alone),
                _ => Fails::No,
            }
        }
        Node::Group { body, subshell, .. } => match fails(body, direct) {
            Fails::Exit if *subshell => Fails::Value,
            other => other,
        },
        Node::AndOr { rest, .. } if rest.iter().all(|(op, _)| *op == Op::And) => {
            match rest.last().map(|(_, node)| fails(node, false)) {
                // An earlier member may fail instead: the value is not zero, but the shell goes on.
                Some(Fails::Value | Fails::Exit) => Fails::Value,
                _ => Fails::No,
            }
        }
        _ => Fails::No,
    }
}

/// The contexts of the members of a list.
pub(super) fn list(members: &[(Node<'_>, bool)], ctx: Ctx) -> Vec<Ctx> {
    let followed = Ctx {
        element: None,
        ..ctx.with(Visible::Masked(Mask::Followed))
    };
    let mut contexts = vec![followed; members.len()];
    let Some(last) = members.len().checked_sub(1) else {
        return contexts;
    };
    let raised = final_status(members, ctx, &mut contexts, last);
    kept_statuses(members, ctx, &mut contexts, raised);
    for ((_, background), place) in members.iter().zip(&mut contexts) {
        if *background {
            *place = Ctx {
                background: true,
                ..ctx.hidden(Mask::Background)
            };
        }
    }
    contexts
}

/// Gives the list's own context to its last member, and past `exit $?` to the one before. Returns a variable that is raised.
fn final_status<'n>(
    members: &'n [(Node<'_>, bool)],
    ctx: Ctx,
    contexts: &mut [Ctx],
    last: usize,
) -> Option<&'n str> {
    let mut index = last;
    let mut element = ctx.element;
    loop {
        if let Some(place) = contexts.get_mut(index) {
            *place = Ctx { element, ..ctx };
        }
        let raised = members
            .get(index)
            .and_then(|(node, _)| simple(node))
            .and_then(raises);
        match (raised, index.checked_sub(1)) {
            (Some(Ref::Var(name)), _) => return Some(name),
            (Some(status), Some(before)) => {
                index = before;
                element = match status {
                    Ref::Element(number) => Some(number),
                    _ => None,
                };
            }
            _ => return None,
        }
    }
}

/// Follows `rc=$?` to where it is raised or printed, and `echo $?` to the command before it.
fn kept_statuses<'n>(
    members: &'n [(Node<'_>, bool)],
    ctx: Ctx,
    contexts: &mut [Ctx],
    mut raised: Option<&'n str>,
) {
    let mut names = HashSet::new();
    for index in (1..members.len()).rev() {
        let Some((node, _)) = members.get(index) else {
            continue;
        };
        let found = if let Some((name, status)) = simple(node).and_then(keeps) {
            let value = if raised == Some(name) {
                raised = None;
                ctx.value
            } else if names.remove(name) {
                Visible::Masked(Mask::Printed)
            } else {
                Visible::Masked(Mask::Followed)
            };
            Some((value, status))
        } else if let Some(words) = printed(node) {
            printed_names(words, &mut names);
            printed_status(words).map(|status| (Visible::Masked(Mask::Printed), status))
        } else {
            None
        };
        let Some((value, status)) = found else {
            continue;
        };
        if let Some(place) = contexts.get_mut(index - 1) {
            *place = ctx.with(value);
            if let Ref::Element(number) = status {
                place.element = Some(number);
            }
        }
    }
}

/// The contexts of the members of an and-or list.
pub(super) fn and_or(rest: &[(Op, Node<'_>)], ctx: Ctx) -> Vec<Ctx> {
    let count = rest.len() + 1;
    let mut contexts = Vec::with_capacity(count);
    // Walked from the end: `outcome` is what a failure at the current place comes to, `None` once `||` swallows it.
    let mut outcome = Some(ctx.value);
    let mut element = ctx.element;
    for index in (0..count).rev() {
        let own = index.checked_sub(1).and_then(|before| rest.get(before));
        let next = rest.get(index);
        let alternative = own.is_some_and(|(op, _)| *op == Op::Or);
        let place = match outcome {
            _ if alternative => ctx.unchecked(Mask::Or),
            None => ctx.unchecked(Mask::Or),
            Some(value) if next.is_none() => ctx.with(value),
            Some(value) => Ctx {
                checked: false,
                ..ctx.with(value.implied())
            },
        };
        contexts.push(Ctx { element, ..place });
        element = None;
        match own {
            Some((Op::Or, node)) => {
                outcome = match fails(node, true) {
                    Fails::No => None,
                    Fails::Value => outcome.map(Visible::implied),
                    Fails::Exit => Some(ctx.abort.implied()),
                };
            }
            Some((Op::And, node)) => {
                if let Some(Ref::Element(number)) = simple(node).and_then(raises) {
                    element = Some(number);
                }
            }
            None => {}
        }
    }
    contexts.reverse();
    contexts
}
