//! Words of the masked text.

use core::ops::Range;

use super::ident::known_extension;
use super::inline::{CODE, QUOTED, URL};
use super::script::is_cjk;

/// What a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordKind {
    /// Letters, perhaps with digits, dots, hyphens or an apostrophe inside.
    Plain,
    /// A run of Han, kana or hangul.
    Cjk,
    /// Digits, grouped or decimal, perhaps with `%`.
    Number,
    /// A dotted version such as `v1.2.3`.
    Version,
    /// A token that looks like a file or folder.
    Path,
    /// An inline code span.
    Code,
    /// A quotation.
    Quoted,
    /// A link or its target.
    Url,
}

/// One word. Its normal form (lower case, straight apostrophe) lives in the prose that read it:
/// see [`super::Prose::text_of`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// What it is.
    pub kind: WordKind,
    /// Bytes of the text.
    pub range: Range<usize>,
    pub(crate) form: Range<usize>,
}

/// Reads the words of `masked[span]`, appending them to `words` and their normal forms to `forms`.
pub(crate) fn read(
    masked: &str,
    span: Range<usize>,
    words: &mut Vec<Word>,
    forms: &mut String,
) -> usize {
    let mut at = span.start;
    let mut steps = 0;
    let mut glued = false;
    while at < span.end {
        let rest = &masked[at..span.end];
        let Some(c) = rest.chars().next() else { break };
        let token = match c {
            '\u{1}'..='\u{3}' => filler(rest, c),
            c if is_cjk(c) => Token::whole(take(rest, is_cjk), Some(WordKind::Cjk)),
            c if starts_word(c, rest, glued) => plain(rest),
            c => Token::whole(c.len_utf8(), None),
        };
        steps += token.seen;
        if let Some(kind) = token.kind {
            let start = forms.len();
            normal_form(&masked[at..at + token.len], kind, forms);
            words.push(Word {
                kind,
                range: at..at + token.len,
                form: start..forms.len(),
            });
        }
        glued = token.kind.is_some();
        at += token.len.max(1);
    }
    steps
}

/// What stands at a place: its bytes, its kind if it is a word, and how many bytes were looked at.
struct Token {
    len: usize,
    kind: Option<WordKind>,
    seen: usize,
}

impl Token {
    fn whole(len: usize, kind: Option<WordKind>) -> Self {
        Self {
            len,
            kind,
            seen: len,
        }
    }
}

fn take(rest: &str, keep: impl Fn(char) -> bool) -> usize {
    rest.find(|c| !keep(c)).unwrap_or(rest.len())
}

fn filler(rest: &str, c: char) -> Token {
    let kind = match u8::try_from(c) {
        Ok(CODE) => WordKind::Code,
        Ok(QUOTED) => WordKind::Quoted,
        _ => WordKind::Url,
    };
    debug_assert!(u8::try_from(c).is_ok_and(|b| matches!(b, CODE | QUOTED | URL)));
    Token::whole(take(rest, |d| d == c), Some(kind))
}

/// A slash opens a path, but not behind a word: `12/12` is two numbers.
fn starts_word(c: char, rest: &str, glued: bool) -> bool {
    if c.is_alphanumeric() || c == '_' {
        return true;
    }
    let second = rest[c.len_utf8()..].chars().next();
    let opens = matches!(c, '/' | '.' | '~') && !glued;
    opens && second.is_some_and(|d| d.is_alphanumeric() || matches!(d, '/' | '.' | '_'))
}

fn in_word(c: char) -> bool {
    c.is_alphanumeric()
        || matches!(
            c,
            '_' | '-' | '.' | '/' | '\'' | '’' | '+' | '#' | '@' | '~' | '%'
        )
}

/// The word at the start of `rest`. A run without a letter or digit is consumed as a whole, so that
/// no byte of it is looked at again.
fn plain(rest: &str) -> Token {
    let seen = run_len(rest);
    let run = rest[..seen].trim_end_matches(['.', '-', '\'', '’', '+', '#', '@', '~']);
    if !run.chars().any(|c| c.is_alphanumeric() || c == '_') {
        let len = seen.max(rest.chars().next().map_or(1, char::len_utf8));
        return Token {
            len,
            kind: None,
            seen: len,
        };
    }
    let kind = sort(run);
    match run.find('/') {
        Some(slash) if kind == WordKind::Plain && slash > 0 => {
            // `pass/fail` is two words.
            Token {
                len: slash,
                kind: Some(sort(&run[..slash])),
                seen,
            }
        }
        _ => Token {
            len: run.len(),
            kind: Some(kind),
            seen,
        },
    }
}

/// Bytes of the run of word characters; a comma belongs to a number only: `1,234`, never `a,b`.
fn run_len(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let digit = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_digit);
    let mut len = 0;
    for c in rest.chars() {
        let grouping = c == ','
            && len > 0
            && digit(len - 1)
            && (1..=3).all(|n| digit(len + n))
            && !digit(len + 4);
        if !(grouping || (in_word(c) && !is_cjk(c))) {
            break;
        }
        len += c.len_utf8();
    }
    len
}

fn sort(run: &str) -> WordKind {
    let bare = run.trim_end_matches('%');
    let first_is_digit = bare.starts_with(|c: char| c.is_ascii_digit());
    let all = |extra: &[char]| {
        bare.chars()
            .all(|c| c.is_ascii_digit() || extra.contains(&c))
    };
    if first_is_digit && all(&[',', '.']) {
        return if bare.matches('.').count() > 1 {
            WordKind::Version
        } else {
            WordKind::Number
        };
    }
    let unversioned = bare.strip_prefix(['v', 'V']).unwrap_or(bare);
    if unversioned.starts_with(|c: char| c.is_ascii_digit())
        && unversioned.contains('.')
        && !bare.contains('/')
    {
        return WordKind::Version;
    }
    if is_path(run) {
        WordKind::Path
    } else {
        WordKind::Plain
    }
}

pub(crate) fn is_path(run: &str) -> bool {
    let slashes = run.matches('/').count();
    let rooted = run.starts_with(['/', '~']) || run.starts_with("./") || run.starts_with("../");
    known_extension(run)
        || (rooted && run.chars().any(char::is_alphanumeric) && slashes > 0)
        || slashes > 2
        || (slashes > 0 && run.contains(['_', '.', '-']) && !first_is_digit(run))
        || (slashes > 0 && run.ends_with('/'))
}

fn first_is_digit(run: &str) -> bool {
    run.starts_with(|c: char| c.is_ascii_digit())
}

/// Lower case, with the curly apostrophe folded; a filler's form is empty.
fn normal_form(word: &str, kind: WordKind, forms: &mut String) {
    if matches!(kind, WordKind::Code | WordKind::Quoted | WordKind::Url) {
        return;
    }
    for c in word.chars() {
        match c {
            '’' => forms.push('\''),
            c => forms.extend(c.to_lowercase()),
        }
    }
}
