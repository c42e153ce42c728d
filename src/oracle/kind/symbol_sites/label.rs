//! What an answer cites a site as.

use super::super::super::grammar::{Answer, Citation, Polarity};

/// What a site is cited as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Label {
    Call,
    /// An import, a mention, a definition, or expressly no call.
    Other,
    /// What is told beside, of this place alone.
    Aside,
    /// A condition or a question.
    Unclear,
}

fn label(answer: &Answer<'_>, index: usize) -> Option<Label> {
    let word = answer.word(index);
    if word.len() > 14 || !word.is_ascii() {
        return None;
    }
    match word.to_ascii_lowercase().as_str() {
        "definition" | "defined" | "defines" if answer.is_denied_before(index) => {
            Some(Label::Unclear)
        }
        "import" | "imports" | "imported" | "importing" | "mention" | "mentions" | "mentioned"
        | "comment" | "comments" | "commented" | "string" | "strings" | "docstring"
        | "docstrings" | "textual" | "documentation" | "exclude" | "excludes" | "excluded"
        | "excluding" | "attribute" | "definition" | "defined" | "defines" | "def"
        | "declaration" | "declared" => Some(Label::Other),
        "starts" | "begins" | "starting" | "beginning" | "ruled" | "unrelated" | "comparison" => {
            Some(Label::Aside)
        }
        "call" | "calls" | "called" | "caller" | "callers" | "calling" | "invocation"
        | "invocations" | "invoke" | "invokes" | "invoked" => {
            Some(match answer.said_place(index) {
                Polarity::Asserted => Label::Call,
                Polarity::Denied => Label::Other,
                Polarity::Open => Label::Unclear,
            })
        }
        _ => None,
    }
}

/// Whether the clause of a citation says that something else is called there: `a.py:35 calls ramp`.
pub(super) fn calls_another(answer: &Answer<'_>, cite: &Citation) -> bool {
    const PLAIN: [&str; 24] = [
        "a", "an", "and", "are", "as", "at", "by", "for", "from", "function", "in", "is", "it",
        "like", "of", "on", "once", "site", "sites", "that", "the", "there", "this", "to",
    ];
    let from = answer.token_at(cite.end);
    let clause = answer.clause(from.saturating_sub(1));
    answer.step(8);
    (from..from + 8)
        .take_while(|at| answer.clause(*at) == clause && !answer.is_cited(*at))
        .any(|at| {
            let word = answer.word(at);
            let after = answer.word(at + 1);
            let after = match after {
                "only" | "`" => answer.word(at + 2),
                after => after,
            };
            ["calls", "call", "calling", "invokes"].contains(&word)
                && after.starts_with(|c: char| c.is_alphabetic() || c == '_')
                && !PLAIN.contains(&after)
        })
}

/// The last label among tokens. `Attribute call` is no call: what is excluded stays so.
fn last(answer: &Answer<'_>, tokens: std::ops::Range<usize>) -> Option<Label> {
    let labels: Vec<Label> = tokens.filter_map(|index| label(answer, index)).collect();
    if labels.contains(&Label::Other) {
        return Some(Label::Other);
    }
    labels.last().copied()
}

/// The label of every citation.
pub(super) fn read(answer: &Answer<'_>) -> Vec<Label> {
    answer.step(answer.len() * 2);
    let cites = answer.citations();
    let mut out: Vec<Label> = Vec::with_capacity(cites.len());
    // What the line before a list says that its items are.
    let mut heads = Heads::default();
    let mut before_end = 0;
    let mut carried = None;
    for (number, cite) in cites.iter().enumerate() {
        let head = heads.at(answer, cite.line);
        let (start, end) = (answer.token_at(cite.start), answer.token_at(cite.end));
        let clause = answer.clause(start).unwrap_or(0);
        let tokens = answer.clause_tokens(clause);
        let next = cites
            .get(number + 1)
            .map_or(usize::MAX, |next| answer.token_at(next.start));
        let from = before_end.max(tokens.start);
        let after = after_part(answer, end, next.min(tokens.end));
        let same_clause = number > 0 && from > tokens.start;
        if cite.url || answer.has_alternative(cite) || answer.is_doubted(start) {
            out.push(Label::Unclear);
            carried = Some(Label::Unclear);
            before_end = after;
            continue;
        }
        let own = last(answer, end..after).or_else(|| last(answer, from..start));
        let inherited = carried.filter(|_| same_clause);
        let label = own.or(inherited).or(head).unwrap_or(Label::Call);
        if label != Label::Aside {
            carried = Some(label);
        }
        out.push(label);
        before_end = after;
    }
    out
}

/// What is said of a citation after it: up to a comma or `and`, or in brackets.
fn after_part(answer: &Answer<'_>, end: usize, limit: usize) -> usize {
    let mut at = end;
    let mut depth = 0_u32;
    while at < limit {
        match answer.word(at) {
            "(" => depth += 1,
            // The brackets that the citation stands in are over.
            ")" | "," | "and" | "or" if depth == 0 => return at,
            ")" => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    at
}

/// The labels of lines that lead a list in, read once from the top.
#[derive(Default)]
struct Heads {
    line: usize,
    token: usize,
    current: Option<Label>,
    cite: usize,
}

impl Heads {
    fn at(&mut self, answer: &Answer<'_>, line: usize) -> Option<Label> {
        while self.line < line {
            let (start, text) = answer.line_text(self.line);
            let end = start + text.len();
            let cites = answer.citations();
            while cites.get(self.cite).is_some_and(|cite| cite.end <= start) {
                self.cite += 1;
            }
            let cited = cites.get(self.cite).is_some_and(|cite| cite.start < end);
            let first = self.token;
            while self.token < answer.len() && answer.range(self.token).0 < end {
                self.token += 1;
            }
            let leads = text.ends_with(':') || text.starts_with('#');
            if !text.is_empty() && !cited {
                self.current = leads.then(|| last(answer, first..self.token)).flatten();
            }
            self.line += 1;
        }
        // The tokens of the lines between are passed over.
        let (start, _) = answer.line_text(line);
        while self.token < answer.len() && answer.range(self.token).0 < start {
            self.token += 1;
        }
        self.current
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(raw: &str) -> Vec<Label> {
        let answer = Answer::read(raw);
        read(&answer)
    }

    #[test]
    fn a_label_holds_for_its_own_sites() {
        use Label::{Call, Other};
        for (raw, expected) in [
            ("Calls: src/a.py:5, src/b.py:9", vec![Call, Call]),
            ("Imports: src/a.py:1, src/b.py:1", vec![Other, Other]),
            (
                "Calls: src/a.py:5, src/b.py:9, and the import src/d.py:1",
                vec![Call, Call, Other],
            ),
            (
                "Defined at src/r.py:10; called at src/a.py:5",
                vec![Other, Call],
            ),
            ("src/a.py:5 (import), src/b.py:9", vec![Other, Other]),
            (
                "src/d.py:1 is an import and src/a.py:5 is a call",
                vec![Other, Call],
            ),
            ("src/c.py:3 is not a call", vec![Other]),
            (
                "Imports:\n- src/a.py:1\n- src/b.py:1\n\nCallers:\n- src/c.py:2",
                vec![Other, Other, Call],
            ),
            ("Attribute call: src/c.py:3", vec![Other]),
        ] {
            assert_eq!(labels(raw), expected, "{raw}");
        }
    }
}
