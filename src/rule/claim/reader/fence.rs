//! Status blocks: fenced lines in the agent's own voice, told from code by their ticks.

use super::model::Kind;
use super::scan::{Found, Scan};
use super::words;
use crate::text::{Act, BlockKind, Prose};

/// More lines than this are an excerpt.
const LINES: usize = 400;

/// Reads the fenced lines that open with a tick or a cross.
pub(super) fn read(scan: &mut Scan<'_, '_>) {
    let prose = scan.prose;
    let mut found = Vec::new();
    for block in prose
        .blocks()
        .iter()
        .filter(|b| b.kind == BlockKind::Fence)
        .take(LINES)
    {
        if shows(scan, block.range.start) {
            continue;
        }
        let Some(line) = prose.source().get(block.range.clone()) else {
            continue;
        };
        let body = line.trim_start();
        if let Some(file) = counted_file(body) {
            let start = block.range.end - (line.len() - line.find(file).unwrap_or(0));
            found.push(Found {
                kind: Kind::Count,
                span: start..start + file.len(),
                negated: false,
                reported: None,
                sentence: None,
            });
            continue;
        }
        let Some(rest) = body.strip_prefix(['✅', '✓', '✔', '☑']) else {
            continue;
        };
        let text = rest.trim_start_matches('\u{fe0f}').trim();
        let start = block.range.end - (line.len() - line.find(text).unwrap_or(0));
        let span = start..start + text.len();
        for kind in kinds(text) {
            found.push(Found {
                kind,
                span: span.clone(),
                negated: false,
                reported: None,
                sentence: None,
            });
        }
    }
    scan.found.append(&mut found);
}

/// `scripts/search.py (264 lines)`: a file of a list, with its length.
fn counted_file(body: &str) -> Option<&str> {
    let body = body.trim_end();
    let (path, rest) = body.split_once(" (")?;
    let digits = rest.strip_suffix(" lines)")?;
    let counted = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let plain = !path.contains(' ') && path.contains('.') && super::object::is_path(path);
    (counted && plain).then_some(body)
}

/// The block stands below an example, a plan or a draft.
fn shows(scan: &Scan<'_, '_>, start: usize) -> bool {
    let sentences = scan.prose.sentences();
    let next = sentences.partition_point(|sentence| sentence.range.end <= start);
    let Some(above) = next.checked_sub(1) else {
        return false;
    };
    let sentence = &sentences[above];
    let titles = scan.is_title(sentence) || scan.leads(above);
    let example = sentence
        .words
        .clone()
        .take(16)
        .any(|at| super::title::titles_moot(scan.form(at)));
    scan.section(above).moot || (titles && example)
}

/// What a ticked line states; nothing where it names no deed and no check.
fn kinds(text: &str) -> Vec<Kind> {
    if text.len() > 200 {
        return Vec::new();
    }
    let prose = Prose::read(text);
    let opens: Vec<&str> = (0..prose.words().len().min(5))
        .map(|at| prose.form(at))
        .collect();
    if super::scan::denies(&opens) || matches!(opens[..], ["i", "have", "not", ..] | ["not", ..]) {
        return Vec::new();
    }
    let mut out: Vec<Kind> = Vec::new();
    let mut well = false;
    let mut checks = Vec::new();
    for at in 0..prose.words().len() {
        let form = prose.form(at);
        well |= words::went_well(form);
        checks.extend(words::check_word(form));
        let kind = match crate::text::past_act(form) {
            Some(Act::Edit | Act::Fix) => Some(Kind::Edit),
            Some(Act::Create) => Some(Kind::Create),
            Some(Act::Delete) => Some(Kind::Delete),
            Some(Act::Commit) => Some(Kind::Commit),
            Some(Act::Push) => Some(Kind::Push),
            Some(Act::Run) => Some(Kind::Run),
            Some(Act::Verify) => Some(Kind::Verified),
            Some(Act::Install) => Some(Kind::Install),
            _ => None,
        };
        out.extend(kind.filter(|_| out.is_empty()));
    }
    let manual = prose
        .words()
        .first()
        .is_some_and(|_| prose.form(0) == "manual");
    if well && !checks.is_empty() {
        out.clear();
        out.push(if manual { Kind::Run } else { checks[0] });
    } else if well && text.starts_with(|c: char| c.is_ascii_digit()) {
        out.clear();
        out.push(Kind::Tests);
    }
    out
}
