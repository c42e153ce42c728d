//! What takes a name out of the list that it stands in: a remark behind it, one before it, or the head of its section.

use super::super::super::grammar::Answer;

/// Words that a remark behind a name is looked at for.
const REMARK: usize = 16;

pub(super) fn is(word: &str, words: &[&str]) -> bool {
    words.iter().any(|own| own.eq_ignore_ascii_case(word))
}

fn is_no(word: &str) -> bool {
    is(word, &["not", "never", "t"])
}

/// Whether words begin with one that takes a name out of a list, and not with one that describes it: `excluded from the
/// count`, `not counted`, and neither `skipped rows` nor `not in the table`.
fn takes_out(words: &[&str]) -> bool {
    const BEHIND: [&str; 15] = [
        "and", "as", "because", "by", "for", "from", "here", "in", "on", "outside", "per", "since",
        "so", "though", "too",
    ];
    const LIST: [&str; 6] = ["answer", "api", "count", "interface", "list", "set"];
    let verbs = ["is", "was", "isn", "wasn", "'"];
    let from = words.iter().position(|own| !is(own, &verbs));
    let words = words.get(from.unwrap_or(0)..).unwrap_or(&[]);
    let stops = |rest: &[&str]| {
        let next = rest.first().copied().unwrap_or("");
        !next.contains(char::is_alphanumeric) || is(next, &BEHIND)
    };
    let lists = |rest: &[&str]| {
        let between = ["of", "the", "this", "your", "public"];
        let next = rest.iter().find(|own| !is(own, &between));
        next.is_some_and(|own| is(own, &LIST))
    };
    match words {
        [first, rest @ ..] if is(first, &OUT) => stops(rest),
        [no, own, rest @ ..] if is_no(no) && is(own, &COUNTED) => stops(rest) || lists(rest),
        [no, own, rest @ ..] if is_no(no) && is(own, &["a", "an", "in", "one", "part"]) => {
            rest.is_empty() || lists(rest)
        }
        _ => false,
    }
}

const COUNTED: [&str; 9] = [
    "considered",
    "counted",
    "exported",
    "included",
    "listed",
    "meant",
    "public",
    "relevant",
    "required",
];
const OUT: [&str; 8] = [
    "excluded",
    "excluding",
    "ignored",
    "omitted",
    "removed",
    "separate",
    "skipped",
    "uncounted",
];

/// Whether a remark behind a name takes it out of the list, `tick (private, not counted)`, or may (`false`): it denies
/// something, and of what is not known. A remark without brackets is most often a description: only its first words
/// are about the list.
pub(super) fn behind(answer: &Answer<'_>, end: usize) -> Option<bool> {
    let clause = answer.clause(end)?;
    if answer.line(end) != answer.line(end.saturating_sub(1)) {
        return None;
    }
    let open = answer.word(end);
    if !matches!(open, "(" | "[" | ":" | "-" | ",") {
        return None;
    }
    let bracket = matches!(open, "(" | "[");
    let close: &[&str] = if bracket { &[")", "]"] } else { &[","] };
    answer.step(REMARK);
    let own = (end + 1..end + REMARK).take_while(|at| answer.clause(*at) == Some(clause));
    let own = own.map(|at| answer.word(at));
    let mut words: Vec<&str> = own.take_while(|own| !close.contains(own)).collect();
    let whole = words.len() + 1 < REMARK;
    while words
        .last()
        .is_some_and(|own| matches!(*own, "." | "!" | ";"))
    {
        words.pop();
    }
    let mut parts = words.split(|own| *own == ",");
    if parts.any(takes_out) {
        return Some(true);
    }
    let denies = match bracket {
        true => words.iter().any(|own| is_no(own) || is(own, &OUT)),
        false => words.first().is_some_and(|own| is_no(own)),
    };
    let last = words.len().saturating_sub(1);
    let ends = whole
        && (last.saturating_sub(1)..=last).any(|at| takes_out(words.get(at..).unwrap_or(&[])));
    (denies || ends).then_some(false)
}

/// Words of what is not asked for, which may stand in a remark for another reason too.
const ELSE: [&str; 10] = [
    "besides", "except", "helper", "helpers", "hidden", "internal", "private", "unlike",
    "unlisted", "without",
];

/// Whether some words lead in what is taken out, `Excluded:`, or may (`false`).
fn leads_out(words: &[&str], whole: bool) -> Option<bool> {
    let out = (0..words.len()).any(|at| takes_out(&words[at..]));
    let left = words
        .windows(2)
        .any(|own| is(own[0], &["left", "leave", "leaving"]) && is(own[1], &["out"]));
    let denied = words.first().is_some_and(|own| is(own, &["no", "none"]))
        || words
            .windows(2)
            .any(|own| is_no(own[0]) && is(own[1], &OUT));
    if (out || left) && whole && !denied {
        return Some(true);
    }
    let any = words.iter().any(|own| is(own, &OUT) || is(own, &ELSE));
    (out || left || any).then_some(false)
}

/// Whether what stands before a name in its line takes it out of the list: `Excluded: tick` does, `I left out tick` may.
pub(super) fn before(answer: &Answer<'_>, place: usize) -> Option<bool> {
    let line = answer.line(place);
    answer.step(REMARK);
    let from = (place.saturating_sub(REMARK)..place).find(|at| answer.line(*at) == line)?;
    let words: Vec<&str> = (from..place).map(|at| answer.word(at)).collect();
    let colon = words.iter().rposition(|own| *own == ":");
    let told = colon.and_then(|colon| leads_out(&words[..colon], true));
    told.or_else(|| leads_out(&words, false))
}

/// For every line, whether the head of its section takes out what stands below it.
pub(super) fn sections(answer: &Answer<'_>) -> Vec<Option<bool>> {
    answer.step(answer.len());
    let mut heads = vec![None; answer.line_count()];
    let (mut section, mut list, mut token) = (None, None, 0);
    for (line, head) in heads.iter_mut().enumerate() {
        let (start, text) = answer.line_text(line);
        let text = text.trim();
        let first = token;
        while token < answer.len() && answer.range(token).0 < start + text.len().max(1) {
            token += 1;
        }
        let words = || -> Vec<&str> {
            let words = (first..token).map(|at| answer.word(at));
            words
                .filter(|own| own.contains(char::is_alphanumeric))
                .collect()
        };
        let item =
            text.starts_with(['-', '+', '|']) || text.starts_with(|c: char| c.is_ascii_digit());
        if text.starts_with('#') {
            (section, list) = (leads_out(&words(), true), None);
        } else if text.ends_with(':') {
            list = leads_out(&words(), true);
        } else if !text.is_empty() && !item && first < token {
            // A line of prose ends what the one with a colon led in; marks of a list are no words of the text.
            let raw = answer.raw_line(line).trim_start();
            if !raw.starts_with(['*', '-', '+']) {
                list = None;
            }
        }
        *head = list.or(section);
    }
    heads
}
