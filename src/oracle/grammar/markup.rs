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
    let (mut defined, mut referred) = (false, false);
    for line in 0..answer.line_count() {
        if answer.place(line) != Place::Prose {
            continue;
        }
        let raw = answer.raw_line(line);
        block(answer, line, raw, &mut outer, &mut found);
        inline(raw, &mut found);
        let blank = line == 0 || answer.raw_line(line - 1).trim().is_empty();
        let filled = !raw.trim().is_empty();
        if filled && blank && outer.is_none() && columns(raw) >= 4 {
            found.insert("code-block");
        }
        defined |= is_reference(raw);
        referred |= raw.contains('[');
    }
    if answer
        .fences()
        .iter()
        .any(|fence| fence.body.1 > fence.body.0)
    {
        found.insert("code-block");
    }
    if defined && referred {
        references(answer, &mut found);
    }
    found
}

/// How far a line is indented: a tab goes on to the next fourth column.
fn columns(raw: &str) -> usize {
    let blanks = raw.bytes().take_while(|byte| matches!(byte, b' ' | b'\t'));
    blanks.fold(0, |at, byte| {
        if byte == b'\t' {
            at / 4 * 4 + 4
        } else {
            at + 1
        }
    })
}

/// The label of a line that says where a link by reference leads, `[label]: address`.
fn reference(raw: &str) -> Option<String> {
    let (label, address) = raw.trim_start().strip_prefix('[')?.split_once("]:")?;
    let whole = !label.is_empty() && !label.contains(['[', ']']) && !address.trim().is_empty();
    (whole && columns(raw) < 4).then(|| label.to_lowercase())
}

fn is_reference(raw: &str) -> bool {
    reference(raw).is_some()
}

/// Links by reference, `[text][label]`, `[label][]` and `[label]`, whose label leads somewhere.
fn references(answer: &Answer<'_>, found: &mut BTreeSet<&'static str>) {
    let lines = || (0..answer.line_count()).filter(|line| answer.place(*line) == Place::Prose);
    let labels = lines().filter_map(|line| reference(answer.raw_line(line)));
    let labels: BTreeSet<String> = labels.collect();
    for line in lines().filter(|line| !is_reference(answer.raw_line(*line))) {
        let raw = answer.raw_line(line);
        let mut parts = raw.split('[');
        let mut before = parts.next().unwrap_or("");
        for part in parts {
            let label = part.split_once(']').map(|(label, _)| label.to_lowercase());
            if label.is_some_and(|label| labels.contains(&label)) {
                found.insert(if before.ends_with('!') {
                    "image"
                } else {
                    "link"
                });
            }
            before = part;
        }
    }
}

fn block(
    answer: &Answer<'_>,
    line: usize,
    raw: &str,
    outer: &mut Option<usize>,
    found: &mut BTreeSet<&'static str>,
) {
    let text = raw.trim_start();
    let indent = columns(raw);
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
    if text.contains('|') && next.contains('|') && next.contains('-') && is_rule(next) {
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
        let auto = before
            .split('<')
            .skip(1)
            .filter_map(|own| own.split_once('>'));
        let mut auto = auto.map(|(own, _)| own);
        if auto.any(|own| own.contains("://") && !own.contains(char::is_whitespace)) {
            found.insert("link");
        }
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
            if c != *mark {
                before = c;
                continue;
            }
            while chars.next_if_eq(mark).is_some() {}
            let next = chars.peek().copied().unwrap_or(' ');
            if opened && !before.is_whitespace() && !(c == '_' && super::is_word(next)) {
                return true;
            }
            let free = !super::is_word(before) || c == '*';
            opened |= free && !next.is_whitespace();
            before = c;
        }
        false
    })
}

/// Whether a word is one that the answer lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Listed {
    /// It is only said.
    No,
    /// It stands out, and may be listed or only spoken of.
    Perhaps,
    /// It is what an item of a list is the item of.
    Yes,
}

/// For every token, whether it is a word that the answer lists: the lead of a list item or of a line in a fenced block, the first word
/// of a table's row where it fills its cell, or an item of a list by commas of at least three, of which seven in ten are single
/// words. Another word of a code span, of a fenced block or of a cell that it fills may be one.
pub(crate) fn listed(answer: &Answer<'_>) -> Vec<Listed> {
    answer.step(answer.len() * 3);
    let mut flags = vec![Listed::No; answer.len()];
    let mut line = usize::MAX;
    let mut depth = 0_usize;
    let mut lead = true;
    let mut is_item = false;
    for (index, flag) in flags.iter_mut().enumerate() {
        let own = answer.line(index);
        if own != line {
            (line, depth, lead) = (own, 0, true);
            is_item = item(answer.raw_line(line).trim_start()).is_some();
        }
        match answer.word(index) {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if answer.kind(index) != Some(Kind::Word) || answer.is_shown(index) {
            continue;
        }
        let body = answer.place(line) == Place::Body;
        let cell = is_cell(answer, index);
        *flag = if lead && (is_item || body || cell) {
            Listed::Yes
        } else if is_item && depth > 0 || !(body || cell || answer.is_code(index)) {
            Listed::No
        } else {
            Listed::Perhaps
        };
        lead = false;
    }
    for clause in 0..answer.clauses() {
        commas(answer, answer.clause_tokens(clause), &mut flags);
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

fn commas(answer: &Answer<'_>, tokens: std::ops::Range<usize>, flags: &mut [Listed]) {
    let mut items = 0;
    let mut singles = Vec::new();
    let mut own: Vec<usize> = Vec::new();
    let end = tokens.end;
    for index in tokens.clone().chain([end]) {
        let word = if index < end { answer.word(index) } else { "," };
        // `free and tick` are two items, `it frees and ticks` is none.
        let joins = matches!(word, "and" | "or" | "&") && own.len() == 1;
        match word {
            "and" | "or" | "&" if own.is_empty() => {}
            _ if word == "," || joins => {
                items += usize::from(!own.is_empty());
                if let [only] = own.as_slice() {
                    singles.push(*only);
                }
                own.clear();
            }
            // What stands before a colon leads the list in.
            ":" => own.clear(),
            "." | "(" | ")" | "\"" | "'" | "`" => {}
            _ => own.push(index),
        }
    }
    let listed = singles.len();
    if items >= 3 && singles.len() * 10 >= items * 7 {
        for index in singles {
            if answer.kind(index) == Some(Kind::Word) {
                flags[index] = Listed::Yes;
            }
        }
    }
    // Behind items of a list, `(tick too)` goes on with it, and `(calls tick)` does not.
    let goes_on = |index: &usize| {
        answer.is_code(*index)
            && answer.kind(index - 1) != Some(Kind::Word)
            && !answer.is_code(index - 1)
    };
    for index in tokens.skip(1).filter(goes_on).filter(|_| listed >= 2) {
        if flags[index] == Listed::Perhaps {
            flags[index] = Listed::Yes;
        }
    }
}
