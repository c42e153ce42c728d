//! Commands: lists, pipelines, compound commands, simple commands and redirections.

use super::RedirectKind;
use super::scan::{Parser, is_meta};
use super::syntax::{Node, Op, Raw, RawRedirect, Word};

/// Words that end a list when they stand where a command would.
const CLOSERS: &[&str] = &["then", "elif", "else", "fi", "do", "done", "esac", "}"];

impl<'t> Parser<'t> {
    /// Reads to the end of the text, stepping over what closes nothing.
    pub(super) fn script(&mut self) -> Node<'t> {
        let mut members = Vec::new();
        loop {
            match self.list() {
                Node::Empty => {}
                Node::List(mut more) => members.append(&mut more),
                node => members.push((node, false)),
            }
            if self.done() {
                return Node::List(members);
            }
            self.ok = false;
            let before = self.pos;
            self.bare_word();
            if self.pos == before {
                self.advance(1);
            }
        }
    }

    /// Reads commands up to what closes the list: `)`, `;;`, a closing reserved word, or the end.
    pub(super) fn list(&mut self) -> Node<'t> {
        let mut members = Vec::new();
        loop {
            self.blank_lines();
            if self.done() || self.at_closer() {
                break;
            }
            let before = self.pos;
            let node = self.and_or();
            self.blanks();
            let mut background = false;
            match self.peek() {
                b';' if self.peek_at(1) != b';' && self.peek_at(1) != b'&' => self.advance(1),
                b'&' if self.peek_at(1) != b'&' => {
                    self.advance(1);
                    background = true;
                }
                _ => {}
            }
            if !matches!(node, Node::Empty) {
                members.push((node, background));
            } else if self.pos == before {
                // An operator with nothing before it.
                if self.at_closer() || self.done() {
                    break;
                }
                self.ok = false;
                self.advance(1);
            }
        }
        if members.is_empty() {
            Node::Empty
        } else {
            Node::List(members)
        }
    }

    fn at_closer(&self) -> bool {
        match self.peek() {
            b')' => true,
            b';' => matches!(self.peek_at(1), b';' | b'&'),
            _ => CLOSERS.iter().any(|closer| self.at_reserved(closer)),
        }
    }

    fn at_reserved(&self, word: &str) -> bool {
        let rest = self.bytes.get(self.pos..self.end).unwrap_or_default();
        rest.strip_prefix(word.as_bytes())
            .is_some_and(|after| after.first().is_none_or(|b| is_meta(*b)))
    }

    /// Takes a reserved word, or notes that it is missing.
    fn expect(&mut self, word: &str) {
        if self.at_reserved(word) {
            self.advance(word.len());
        } else {
            self.ok = false;
        }
    }

    /// Skips blanks and line continuations.
    pub(super) fn blanks(&mut self) {
        loop {
            match self.peek() {
                b' ' | b'\t' | b'\r' => self.advance(1),
                b'\\' if self.peek_at(1) == b'\n' => self.advance(2),
                b'\\' if self.peek_at(1) == b'\r' && self.peek_at(2) == b'\n' => self.advance(3),
                b'#' => self.comment(),
                _ => return,
            }
        }
    }

    fn comment(&mut self) {
        self.pos = self.find(b'\n').unwrap_or(self.end);
    }

    /// Skips blanks, newlines (with the heredoc bodies they bring) and comments.
    fn blank_lines(&mut self) {
        loop {
            self.blanks();
            if self.peek() != b'\n' {
                return;
            }
            self.newline();
        }
    }

    /// Skips letters of a word that closes nothing.
    fn bare_word(&mut self) {
        while !self.done() && !is_meta(self.peek()) {
            self.advance(1);
        }
    }

    fn and_or(&mut self) -> Node<'t> {
        let first = self.pipeline();
        let mut rest = Vec::new();
        loop {
            self.blanks();
            let op = match (self.peek(), self.peek_at(1)) {
                (b'&', b'&') => Op::And,
                (b'|', b'|') => Op::Or,
                _ => break,
            };
            self.advance(2);
            self.blank_lines();
            let node = self.pipeline();
            self.ok &= !matches!(node, Node::Empty);
            rest.push((op, node));
        }
        if rest.is_empty() {
            return first;
        }
        let first = Box::new(first);
        Node::AndOr { first, rest }
    }

    fn pipeline(&mut self) -> Node<'t> {
        let (mut negated, mut timed) = (false, false);
        loop {
            self.blanks();
            if self.at_reserved("!") {
                negated = !negated;
                self.advance(1);
            } else if self.at_reserved("time") {
                self.advance(4);
                timed = true;
                self.blanks();
                if self.at_reserved("-p") {
                    self.advance(2);
                }
            } else {
                break;
            }
        }
        let mut parts = vec![self.command()];
        if let Some(Node::Simple(raw)) = parts.first_mut() {
            raw.timed = timed;
        }
        loop {
            self.blanks();
            match (self.peek(), self.peek_at(1)) {
                (b'|', b'|') => break,
                (b'|', b'&') => self.advance(2),
                (b'|', _) => self.advance(1),
                _ => break,
            }
            self.blank_lines();
            let node = self.command();
            self.ok &= !matches!(node, Node::Empty);
            parts.push(node);
        }
        if parts.len() > 1 || negated {
            return Node::Pipeline { parts, negated };
        }
        parts.pop().unwrap_or_default()
    }

    fn command(&mut self) -> Node<'t> {
        self.blanks();
        match self.peek() {
            b'(' if self.peek_at(1) == b'(' => self.arithmetic(),
            b'(' => self.subshell(),
            _ if self.at_reserved("{") => self.nested(Self::braced),
            _ if self.at_reserved("if") => self.nested(Self::conditional),
            _ if self.at_reserved("while") => self.nested(|p| p.while_loop("while")),
            _ if self.at_reserved("until") => self.nested(|p| p.while_loop("until")),
            _ if self.at_reserved("for") => self.nested(|p| p.for_loop("for")),
            _ if self.at_reserved("select") => self.nested(|p| p.for_loop("select")),
            _ if self.at_reserved("case") => self.nested(Self::case),
            _ if self.at_reserved("function") => {
                self.advance(8);
                self.blanks();
                let _name = self.word(false);
                self.function()
            }
            _ if self.at_reserved("[[") => self.bracketed(),
            _ if self.at_closer() => Node::Empty,
            _ => self.simple(),
        }
    }

    fn arithmetic(&mut self) -> Node<'t> {
        let start = self.pos;
        let Some(close) = self.arithmetic_end(2) else {
            return self.subshell();
        };
        let mut word = Word {
            text: "((".into(),
            at: start,
            dynamic: true,
            ..Word::default()
        };
        self.advance(2);
        self.data_until(close, &mut word.subs);
        self.pos = (close + 2).min(self.end);
        word.span = start..self.pos;
        Node::Simple(Raw {
            span: word.span.clone(),
            words: vec![word],
            redirects: self.redirects(),
            timed: false,
        })
    }

    fn subshell(&mut self) -> Node<'t> {
        self.advance(1);
        let body = self.nested(Self::list);
        if self.peek() == b')' {
            self.advance(1);
        } else {
            self.ok = false;
        }
        self.group(body, true)
    }

    fn braced(&mut self) -> Node<'t> {
        self.advance(1);
        let body = self.list();
        self.expect("}");
        self.group(body, false)
    }

    fn group(&mut self, body: Node<'t>, subshell: bool) -> Node<'t> {
        let redirects = self.redirects();
        let body = Box::new(body);
        Node::Group {
            body,
            subshell,
            redirects,
        }
    }

    fn conditional(&mut self) -> Node<'t> {
        self.advance(2);
        let mut arms = Vec::new();
        let mut otherwise = None;
        loop {
            let condition = self.list();
            self.expect("then");
            arms.push((condition, self.list()));
            if self.at_reserved("elif") {
                self.advance(4);
                continue;
            }
            if self.at_reserved("else") {
                self.advance(4);
                otherwise = Some(Box::new(self.list()));
            }
            break;
        }
        self.expect("fi");
        let redirects = self.redirects();
        Node::If {
            arms,
            otherwise,
            redirects,
        }
    }

    fn while_loop(&mut self, keyword: &str) -> Node<'t> {
        let head = Raw {
            span: self.pos..self.pos,
            ..Raw::default()
        };
        self.advance(keyword.len());
        let condition = Some(Box::new(self.list()));
        self.loop_body(head, condition)
    }

    fn for_loop(&mut self, keyword: &str) -> Node<'t> {
        let start = self.pos;
        self.advance(keyword.len());
        self.blanks();
        let mut head = Raw::default();
        if self.peek() == b'(' && self.peek_at(1) == b'(' {
            if let Node::Simple(raw) = self.arithmetic() {
                head = raw;
            }
        } else {
            while !self.done() && !is_meta(self.peek()) {
                head.words.push(self.word(false));
                self.blanks();
            }
        }
        head.span = start..self.pos;
        self.blanks();
        if self.peek() == b';' {
            self.advance(1);
        }
        self.blank_lines();
        self.loop_body(head, None)
    }

    fn loop_body(&mut self, head: Raw<'t>, condition: Option<Box<Node<'t>>>) -> Node<'t> {
        self.expect("do");
        let body = Box::new(self.list());
        self.expect("done");
        let redirects = self.redirects();
        Node::Loop {
            head,
            condition,
            body,
            redirects,
        }
    }

    fn case(&mut self) -> Node<'t> {
        let start = self.pos;
        self.advance(4);
        self.blanks();
        let mut head = Raw::default();
        head.words.push(self.word(false));
        head.span = start..self.pos;
        self.blank_lines();
        self.expect("in");
        let mut arms = Vec::new();
        loop {
            self.blank_lines();
            if self.done() || self.at_reserved("esac") {
                break;
            }
            if !self.pattern() {
                self.ok = false;
                break;
            }
            arms.push(self.list());
            if self.peek() == b';' {
                while matches!(self.peek(), b';' | b'&') {
                    self.advance(1);
                }
            } else if !self.at_reserved("esac") {
                self.ok = false;
                break;
            }
        }
        self.expect("esac");
        let redirects = self.redirects();
        Node::Case {
            head,
            arms,
            redirects,
        }
    }

    /// Reads the patterns of one arm and the parenthesis that ends them.
    fn pattern(&mut self) -> bool {
        if self.peek() == b'(' {
            self.advance(1);
        }
        loop {
            self.blanks();
            match self.peek() {
                b')' => {
                    self.advance(1);
                    return true;
                }
                b'|' => self.advance(1),
                b if is_meta(b) => return false,
                _ if self.done() => return false,
                _ => {
                    let _pattern = self.word(false);
                }
            }
        }
    }

    /// Reads a function's body, at its optional parentheses.
    fn function(&mut self) -> Node<'t> {
        self.blanks();
        if self.peek() == b'(' {
            self.advance(1);
            self.blanks();
            if self.peek() == b')' {
                self.advance(1);
            }
        }
        self.blank_lines();
        let body = self.nested(Self::command);
        Node::Function(Box::new(body))
    }

    fn bracketed(&mut self) -> Node<'t> {
        let start = self.pos;
        let mut raw = Raw::default();
        raw.words.push(self.word(false));
        loop {
            self.blank_lines();
            if self.done() {
                self.ok = false;
                break;
            }
            let closing = self.at_reserved("]]");
            raw.words.push(self.word(true));
            if closing {
                break;
            }
        }
        raw.span = start..self.pos;
        raw.redirects = self.redirects();
        Node::Simple(raw)
    }

    fn simple(&mut self) -> Node<'t> {
        let start = self.pos;
        let mut raw = Raw::default();
        let mut end = start;
        loop {
            self.blanks();
            if self.done() {
                break;
            }
            if let Some(redirect) = self.redirect() {
                raw.redirects.push(redirect);
            } else if self.peek() == b'(' && self.function_parens(&raw) {
                return self.function();
            } else if is_meta(self.peek()) && !self.at_process_substitution() {
                break;
            } else {
                let word = self.word(false);
                let array = word.text.ends_with('=') && self.peek() == b'(';
                raw.words.push(word);
                if array {
                    self.array(&mut raw);
                }
            }
            end = self.pos;
        }
        if raw.words.is_empty() && raw.redirects.is_empty() {
            return Node::Empty;
        }
        raw.span = start..end;
        Node::Simple(raw)
    }

    fn at_process_substitution(&self) -> bool {
        matches!(self.peek(), b'<' | b'>') && self.peek_at(1) == b'('
    }

    fn function_parens(&self, raw: &Raw<'t>) -> bool {
        let rest = self.bytes.get(self.pos + 1..self.end).unwrap_or_default();
        let blanks = rest.iter().take(8).take_while(|b| **b == b' ').count();
        raw.words.len() == 1 && raw.redirects.is_empty() && rest.get(blanks) == Some(&b')')
    }

    /// Reads the members of `name=( … )`; only their substitutions matter.
    fn array(&mut self, raw: &mut Raw<'t>) {
        self.advance(1);
        let mut members = Word {
            span: self.pos..self.pos,
            ..Word::default()
        };
        loop {
            self.blank_lines();
            if self.peek() == b')' {
                self.advance(1);
                break;
            }
            let before = self.pos;
            let mut word = self.word(false);
            members.subs.append(&mut word.subs);
            if self.pos == before {
                self.ok = false;
                break;
            }
        }
        members.span.end = self.pos;
        // Kept as an assignment-shaped word, so that no member is taken for an operand.
        members.text = "_=".into();
        raw.words.push(members);
    }

    fn redirects(&mut self) -> Vec<RawRedirect<'t>> {
        let mut redirects = Vec::new();
        loop {
            self.blanks();
            match self.redirect() {
                Some(redirect) => redirects.push(redirect),
                None => return redirects,
            }
        }
    }

    /// Reads one redirection, if one stands here.
    fn redirect(&mut self) -> Option<RawRedirect<'t>> {
        let fd = self.descriptor();
        let ahead = fd.map_or(0, |(_, length)| length);
        let at = |n: usize| self.peek_at(ahead + n);
        let (kind, length) = match (at(0), at(1), at(2)) {
            (b'&', b'>', b'>') if ahead == 0 => (RedirectKind::Append, 3),
            (b'&', b'>', _) if ahead == 0 => (RedirectKind::Write, 2),
            (b'<' | b'>', b'(', _) => return None,
            (b'<', b'<', b'<') => (RedirectKind::Herestring, 3),
            (b'<', b'<', b'-') => (RedirectKind::Heredoc, 3),
            (b'<', b'<', _) => (RedirectKind::Heredoc, 2),
            (b'<', b'>', _) => (RedirectKind::ReadWrite, 2),
            (b'<' | b'>', b'&', _) => (RedirectKind::Duplicate, 2),
            (b'<', _, _) => (RedirectKind::Read, 1),
            (b'>', b'>', _) => (RedirectKind::Append, 2),
            (b'>', b'|', _) => (RedirectKind::Write, 2),
            (b'>', _, _) => (RedirectKind::Write, 1),
            _ => return None,
        };
        let tabs = kind == RedirectKind::Heredoc && length == 3;
        let output = at(0) == b'>';
        self.advance(ahead + length);
        self.blanks();
        let target = self.word(false);
        self.ok &= !target.span.is_empty();
        let doc = (kind == RedirectKind::Heredoc).then(|| self.announce(&target, tabs));
        // `>&file` writes both streams to a file; only digits and `-` duplicate.
        let plain = target.text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
        let kind = match kind {
            RedirectKind::Duplicate if output && !plain && !target.dynamic => RedirectKind::Write,
            kind => kind,
        };
        Some(RawRedirect {
            fd: fd.map(|(fd, _)| fd),
            kind,
            target,
            doc,
        })
    }

    /// A descriptor number directly before `<` or `>`, with its length.
    fn descriptor(&self) -> Option<(u32, usize)> {
        let rest = self.bytes.get(self.pos..self.end).unwrap_or_default();
        let digits = rest
            .iter()
            .take(4)
            .take_while(|b| b.is_ascii_digit())
            .count();
        if digits == 0 || !matches!(rest.get(digits), Some(b'<' | b'>')) {
            return None;
        }
        let text = self.text.get(self.pos..self.pos + digits)?;
        Some((text.parse().ok()?, digits))
    }
}
