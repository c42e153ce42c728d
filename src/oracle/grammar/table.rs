//! Values below a label in a Markdown table.

use super::Answer;
use super::token::Kind;

/// Rows that are read below a header; a longer table is no statement of one value.
const ROWS: usize = 64;

/// A longer line is no row of a table that states a value; the bound keeps many labels in one
/// line linear.
pub(super) const WIDTH: usize = 4096;

/// Where the token stands in the header row of a table: the integers in the cells below it that
/// hold nothing but one.
pub(crate) fn below(answer: &Answer<'_>, index: usize) -> Option<Vec<usize>> {
    let line = answer.line(index);
    let (start, own) = answer.line_text(line);
    let (_, rule) = answer.line_text(line + 1);
    // A table has one header, its first row: each row is looked at for that one only.
    let inside = line > 0 && answer.line_text(line - 1).1.contains('|');
    if inside || own.len() > WIDTH || rule.len() > WIDTH || !is_rule(rule) {
        return None;
    }
    let header = answer.text().get(start..answer.range(index).0)?;
    let column = header.trim_start_matches('|').matches('|').count();
    let mut cells = Vec::new();
    // Tokens of the rows follow in order; the rule's own tokens are marks.
    let mut at = answer.clause_tokens(answer.clause(index)?).end;
    let mut row = line + 2;
    while row < answer.line_count().min(line + 2 + ROWS) {
        let (_, text) = answer.line_text(row);
        if text.len() > WIDTH || !text.contains('|') {
            break;
        }
        while at < answer.len() && answer.line(at) < row {
            at += 1;
        }
        let mut own = Vec::new();
        let mut cell = 0;
        let first = at;
        while at < answer.len() && answer.line(at) == row {
            if answer.word(at) == "|" {
                cell += usize::from(at != first);
            } else if cell == column {
                own.push(at);
            }
            at += 1;
        }
        if let [only] = own.as_slice()
            && matches!(answer.kind(*only), Some(Kind::Int(_)))
        {
            cells.push(*only);
        }
        row += 1;
    }
    answer.step(at.saturating_sub(index));
    Some(cells)
}

/// `|---|:--:|`.
pub(super) fn is_rule(line: &str) -> bool {
    line.contains('|')
        && line.contains("--")
        && line
            .bytes()
            .all(|byte| matches!(byte, b'|' | b'-' | b':' | b' '))
}
