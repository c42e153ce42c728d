//! A slow and obvious backtracking matcher for the few constructs the package's patterns use.
//!
//! It shares the three character classes with the scanners under test and nothing else.

use crate::rule::gate::python::{is_py_digit, is_py_space, is_py_word};

enum Node {
    One(Box<dyn Fn(char) -> bool>),
    Boundary,
    Sequence(Vec<Node>),
    Choice(Vec<Node>),
    Repeat(Box<Node>, usize, usize),
}

/// `re.sub(pattern, token, text)`
pub(super) fn sub(pattern: &str, token: &str, text: &str) -> String {
    let mut source = pattern.chars().collect::<Vec<_>>().into_iter().peekable();
    let node = choice(&mut source);
    assert!(source.next().is_none(), "pattern not read to its end");
    let text: Vec<char> = text.chars().collect();
    let (mut out, mut at) = (String::new(), 0);
    while at < text.len() {
        match run(&node, &text, at, &mut Some) {
            Some(end) => {
                out.push_str(token);
                at = end;
            }
            None => {
                out.push(text[at]);
                at += 1;
            }
        }
    }
    out
}

type Source = std::iter::Peekable<std::vec::IntoIter<char>>;

fn choice(source: &mut Source) -> Node {
    let mut branches = vec![sequence(source)];
    while source.next_if_eq(&'|').is_some() {
        branches.push(sequence(source));
    }
    Node::Choice(branches)
}

fn sequence(source: &mut Source) -> Node {
    let mut parts = Vec::new();
    while source.peek().is_some_and(|c| !matches!(c, '|' | ')')) {
        let part = atom(source);
        parts.push(quantified(source, part));
    }
    Node::Sequence(parts)
}

fn atom(source: &mut Source) -> Node {
    match source.next().unwrap() {
        '(' => {
            assert_eq!((source.next(), source.next()), (Some('?'), Some(':')));
            let inner = choice(source);
            assert_eq!(source.next(), Some(')'));
            inner
        }
        '[' => {
            let mut items: Vec<Box<dyn Fn(char) -> bool>> = Vec::new();
            loop {
                match source.next().unwrap() {
                    ']' => break,
                    '\\' => items.push(class(source.next().unwrap())),
                    first => {
                        let range = source.clone().take(2).collect::<Vec<_>>();
                        let last = match range[..] {
                            ['-', last] if last != ']' => {
                                source.nth(1);
                                last
                            }
                            _ => first,
                        };
                        items.push(Box::new(move |c| (first..=last).contains(&c)));
                    }
                }
            }
            Node::One(Box::new(move |c| items.iter().any(|item| item(c))))
        }
        '\\' => match source.next().unwrap() {
            'b' => Node::Boundary,
            letter => Node::One(class(letter)),
        },
        literal => Node::One(Box::new(move |c| c == literal)),
    }
}

fn class(letter: char) -> Box<dyn Fn(char) -> bool> {
    match letter {
        'd' => Box::new(is_py_digit),
        's' => Box::new(is_py_space),
        'S' => Box::new(|c| !is_py_space(c)),
        'w' => Box::new(is_py_word),
        't' => Box::new(|c| c == '\t'),
        literal => Box::new(move |c| c == literal),
    }
}

fn quantified(source: &mut Source, part: Node) -> Node {
    let (least, most) = match source.peek() {
        Some('?') => (0, 1),
        Some('*') => (0, usize::MAX),
        Some('+') => (1, usize::MAX),
        Some('{') => {
            let text: String = source.clone().skip(1).take_while(|&c| c != '}').collect();
            source.nth(text.len());
            let (least, most) = text.split_once(',').unwrap_or((&text, &text));
            let most = most.parse().unwrap_or(usize::MAX);
            let node = Node::Repeat(Box::new(part), least.parse().unwrap(), most);
            source.next();
            return node;
        }
        _ => return part,
    };
    source.next();
    Node::Repeat(Box::new(part), least, most)
}

type Then<'a> = &'a mut dyn FnMut(usize) -> Option<usize>;

/// Tries the node at a place and what comes after it, greedy choices first.
fn run(node: &Node, text: &[char], at: usize, then: Then<'_>) -> Option<usize> {
    match node {
        Node::One(accepts) => match text.get(at) {
            Some(&c) if accepts(c) => then(at + 1),
            _ => None,
        },
        Node::Boundary => {
            let word =
                |i: Option<usize>| i.and_then(|i| text.get(i)).is_some_and(|&c| is_py_word(c));
            if word(at.checked_sub(1)) == word(Some(at)) {
                None
            } else {
                then(at)
            }
        }
        Node::Sequence(parts) => run_all(parts, text, at, then),
        Node::Choice(branches) => branches.iter().find_map(|b| run(b, text, at, then)),
        Node::Repeat(part, least, most) => repeat(part, *least, *most, text, at, then),
    }
}

fn run_all(parts: &[Node], text: &[char], at: usize, then: Then<'_>) -> Option<usize> {
    match parts.split_first() {
        None => then(at),
        Some((first, rest)) => run(first, text, at, &mut |next| run_all(rest, text, next, then)),
    }
}

fn repeat(
    part: &Node,
    least: usize,
    most: usize,
    text: &[char],
    at: usize,
    then: Then<'_>,
) -> Option<usize> {
    if most > 0 {
        let more = run(part, text, at, &mut |next| {
            repeat(part, least.saturating_sub(1), most - 1, text, next, then)
        });
        if more.is_some() {
            return more;
        }
    }
    if least == 0 { then(at) } else { None }
}
