//! Markdown as structure: elements of an answer, and the words that it lists.

use std::collections::BTreeSet;

use super::token::Kind;
use super::{Answer, Place, lines};

/// The elements that can be asked for.
pub(crate) const ELEMENTS: [&str; 12] = [
    "blockquote",
    "bullet-list",
    "code-block",
    "emphasis",
    "heading",
    "image",
    "inline-code",
    "inline-code-entity",
    "link",
    "nested-list",
    "ordered-list",
    "table",
];

/// The elements that an answer has.
pub(crate) fn elements(answer: &Answer<'_>) -> BTreeSet<&'static str> {
    answer.step(answer.raw().len());
    let mut found = BTreeSet::new();
    let mut outer: Option<usize> = None;
    for line in 0..answer.line_count() {
        if answer.place(line) != Place::Prose {
            continue;
        }
        let raw = answer.raw_line(line);
        block(answer, line, raw, &mut outer, &mut found);
        inline(raw, &mut found);
    }
    if answer
        .fences()
        .iter()
        .any(|fence| fence.body.1 > fence.body.0)
    {
        found.insert("code-block");
    }
    found
}

fn block(
    answer: &Answer<'_>,
    line: usize,
    raw: &str,
    outer: &mut Option<usize>,
    found: &mut BTreeSet<&'static str>,
) {
    let text = raw.trim_start();
    let indent = raw.len() - text.len();
    let hashes = text.bytes().take_while(|byte| *byte == b'#').count();
    if (1..=6).contains(&hashes) && indent < 4 && text[hashes..].starts_with([' ', '\t']) {
        found.insert("heading");
    }
    let next = answer.raw_line(line + 1).trim();
    let underline = next.len() >= 2
        && (next.bytes().all(|byte| byte == b'=') || next.bytes().all(|byte| byte == b'-'));
    if underline && !text.is_empty() && item(text).is_none() {
        found.insert("heading");
    }
    if text.starts_with('>') {
        found.insert("blockquote");
    }
    if text.contains('|') && next.contains('|') && next.contains("--") && is_rule(next) {
        found.insert("table");
    }
    match item(text) {
        Some(ordered) => {
            found.insert(if ordered {
                "ordered-list"
            } else {
                "bullet-list"
            });
            if outer.is_some_and(|outer| indent >= outer + 2) {
                found.insert("nested-list");
            } else {
                *outer = Some(indent);
            }
        }
        None if text.is_empty() => {}
        None if indent == 0 => *outer = None,
        None => {}
    }
}

fn is_rule(line: &str) -> bool {
    line.bytes()
        .all(|byte| matches!(byte, b'|' | b'-' | b':' | b' '))
}

/// Whether a line is an item of a list, and of an ordered one.
fn item(text: &str) -> Option<bool> {
    if ["- ", "* ", "+ "].iter().any(|mark| text.starts_with(mark)) {
        return Some(false);
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &text[digits..];
    let marked = rest.starts_with(". ") || rest.starts_with(") ");
    ((1..=9).contains(&digits) && marked).then_some(true)
}

fn inline(raw: &str, found: &mut BTreeSet<&'static str>) {
    let spans = lines::spans(raw);
    let mut at = 0;
    for (start, end) in spans.iter().copied().chain([(raw.len(), raw.len())]) {
        let before = unescaped(raw.get(at..start).unwrap_or(""));
        links(&before, found);
        if emphasised(&before) {
            found.insert("emphasis");
        }
        if end > start {
            found.insert("inline-code");
            let body = &raw[start..end];
            let entity = body.find('&').and_then(|from| body[from..].find(';'));
            if entity.is_some_and(|length| length > 1) {
                found.insert("inline-code-entity");
            }
        }
        at = end;
    }
}

/// A text with its escaped marks as letters.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c == '\\' {
            let next = chars.next();
            out.push(next.filter(|c| !c.is_ascii_punctuation()).unwrap_or('x'));
        } else {
            out.push(c);
        }
    }
    out
}

fn links(text: &str, found: &mut BTreeSet<&'static str>) {
    let bytes = text.as_bytes();
    let mut open: Vec<bool> = Vec::new();
    for (index, byte) in bytes.iter().enumerate() {
        match byte {
            b'[' => open.push(index > 0 && bytes[index - 1] == b'!'),
            b']' => {
                let image = open.pop();
                let target = bytes.get(index + 1) == Some(&b'(')
                    && bytes.get(index + 2).is_some_and(|byte| *byte != b')');
                if let (Some(image), true) = (image, target) {
                    found.insert(if image { "image" } else { "link" });
                }
            }
            _ => {}
        }
    }
}

/// A run of `*` or `_` before a word and a later one after a word.
fn emphasised(text: &str) -> bool {
    ['*', '_'].iter().any(|mark| {
        let mut opened = false;
        let mut before = ' ';
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            let next = chars.peek().copied().unwrap_or(' ');
            if c == *mark && next != *mark {
                if opened && !before.is_whitespace() && !(c == '_' && super::is_word(next)) {
                    return true;
                }
                let free = !super::is_word(before) || c == '*';
                opened |= free && !next.is_whitespace();
            }
            if c != *mark || before == ' ' {
                before = c;
            }
        }
        false
    })
}

/// For every token, whether it is a word that the answer lists: the lead of a list item, a word of
/// a code span or a fenced block, the only word of a table's cell, or an item of a list by commas of at least three, of which seven
/// in ten are single words.
pub(crate) fn listed(answer: &Answer<'_>) -> Vec<bool> {
    answer.step(answer.len() * 3);
    let mut flags = vec![false; answer.len()];
    for (index, flag) in flags.iter_mut().enumerate() {
        *flag = answer.kind(index) == Some(Kind::Word)
            && !answer.is_shown(index)
            && (answer.place(answer.line(index)) == Place::Body
                || answer.is_code(index)
                || is_cell(answer, index));
    }
    let mut last = usize::MAX;
    for clause in 0..answer.clauses() {
        let tokens = answer.clause_tokens(clause);
        let line = answer.line(tokens.start);
        if line != last && item(answer.raw_line(line).trim_start()).is_some() {
            let lead = tokens
                .clone()
                .find(|index| answer.kind(*index) == Some(Kind::Word));
            lead.into_iter().for_each(|lead| flags[lead] = true);
        }
        last = line;
        commas(answer, tokens, &mut flags);
    }
    flags
}

/// The only word of a cell of a table.
fn is_cell(answer: &Answer<'_>, index: usize) -> bool {
    index > 0
        && answer.word(index - 1) == "|"
        && answer.word(index + 1) == "|"
        && answer.clause(index - 1) == answer.clause(index + 1)
}

fn commas(answer: &Answer<'_>, tokens: std::ops::Range<usize>, flags: &mut [bool]) {
    let mut items = 0;
    let mut singles = Vec::new();
    let mut own: Vec<usize> = Vec::new();
    let end = tokens.end;
    for index in tokens.chain([end]) {
        let word = if index < end { answer.word(index) } else { "," };
        match word {
            "," => {
                items += usize::from(!own.is_empty());
                if let [only] = own.as_slice() {
                    singles.push(*only);
                }
                own.clear();
            }
            // What stands before a colon leads the list in.
            ":" => own.clear(),
            "and" | "or" if own.is_empty() => {}
            "." | "(" | ")" | "\"" | "'" | "`" => {}
            _ => own.push(index),
        }
    }
    if items >= 3 && singles.len() * 10 >= items * 7 {
        for index in singles {
            flags[index] |= answer.kind(index) == Some(Kind::Word);
        }
    }
}
