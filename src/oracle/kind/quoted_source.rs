//! `quoted-source`: quotes that stand where the answer cites them from.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::check::{Asked, Check, ParamError, Reads};
use super::super::grammar::{Answer, Citation, Facts, Place, Polarity, flat, is_word, resolve};
use super::super::sight::Sight;
use super::super::verdict::Component;
use super::params::{Common, FAIL, Params};
use super::{KeyShape, KindInfo, cited, key, key_shape};

const FAILING: &[&str] = &["missing", "unresolved"];

pub(super) const INFO: KindInfo = KindInfo {
    id: "quoted-source",
    question: "Does the answer cite the passage, and does every quote stand where it is cited?",
    failing: FAILING,
    unknown: &["unparsed", "key-shape"],
    guards: &[
        "key-shape",
        "absent-by-choice",
        "span-after-citation",
        "span-names-a-place",
        "lone-word",
        "block-after-citation",
        "denied-citation",
        "denied-quote",
        "alternative-quote",
        "said-of-a-line",
        "quotation-marks",
        "too-many-quotes",
    ],
    readings: &[],
    reads: Reads::Text,
    page: include_str!("quoted-source.md"),
    key: KeyShape::fields(&["path", "line", "end-line", "files"]),
    parse,
};

/// More quotes than this in one answer are not followed: each is sought in a part of a file.
const QUOTES: usize = 2000;

#[derive(Debug)]
struct QuotedSource {
    common: Common,
}

fn parse(value: &Value) -> Result<Box<dyn Check>, ParamError> {
    let mut params = Params::new(value)?;
    let common = Common::read(&mut params, FAILING, FAIL)?;
    params.finish()?;
    Ok(Box::new(QuotedSource { common }))
}

struct Key<'k> {
    path: &'k str,
    first: u64,
    last: u64,
    files: BTreeMap<&'k str, Vec<String>>,
}

fn read(key: &Value) -> Option<Key<'_>> {
    let path = key::field(key, "path").and_then(key::text)?;
    let first = key::line(key::field(key, "line"))?;
    let last = key::line(key::field(key, "end-line")).unwrap_or(first);
    let mut files = BTreeMap::new();
    for (path, lines) in key::field(key, "files")?.as_object()? {
        let lines: Option<Vec<String>> = match lines {
            Value::String(text) => Some(text.lines().map(flat).collect()),
            Value::Array(lines) => lines.iter().map(|line| line.as_str().map(flat)).collect(),
            _ => None,
        };
        files.insert(path.as_str(), lines?);
    }
    Some(Key {
        path,
        first,
        last,
        files,
    })
}

impl Key<'_> {
    /// The file that a citation names.
    fn file(&self, cite: &Citation) -> Option<&[String]> {
        let mut known: Vec<&str> = self.files.keys().copied().collect();
        if !known.contains(&self.path) {
            known.push(self.path);
        }
        let path = resolve(&cite.path, &known)?;
        self.files.get(path).map(Vec::as_slice)
    }

    fn opens(&self, cite: &Citation) -> bool {
        let mut known: Vec<&str> = self.files.keys().copied().collect();
        if !known.contains(&self.path) {
            known.push(self.path);
        }
        let (first, last) = cite.lines();
        resolve(&cite.path, &known) == Some(self.path) && first >= self.first && last <= self.last
    }
}

/// The text of lines, from and to, counted from one, both within.
fn window(file: &[String], first: u64, last: u64) -> String {
    let from = usize::try_from(first.saturating_sub(1)).unwrap_or(usize::MAX);
    let to = usize::try_from(last).unwrap_or(usize::MAX).min(file.len());
    let lines = file.get(from.min(to)..to).unwrap_or(&[]);
    let filled: Vec<&str> = lines
        .iter()
        .map(String::as_str)
        .filter(|line| !line.is_empty())
        .collect();
    filled.join(" ")
}

/// What a quote comes to.
enum Quote {
    Stands,
    /// It is one word that the cited line does not hold: more a name than a quote.
    Name,
    Unresolved,
}

fn quote(text: &str, file: &[String], cite: &Citation) -> Quote {
    let (first, last) = cite.lines();
    if window(file, first, last).contains(text) {
        return Quote::Stands;
    }
    let lone = text.chars().all(|c| is_word(c) || c == '.') || text.ends_with("()");
    if lone
        && file
            .iter()
            .any(|line| line.contains(text.trim_end_matches("()")))
    {
        Quote::Name
    } else {
        Quote::Unresolved
    }
}

/// Whether `or` stands before a quote: one of two.
fn joined(answer: &Answer<'_>, token: usize) -> bool {
    token > 0 && answer.word(token - 1).eq_ignore_ascii_case("or")
}

/// Whether what stands between a citation and a span says that the span follows from the line: `a.py:24, so f(2000)`.
fn follows(answer: &Answer<'_>, cite: &Citation, token: usize) -> bool {
    const WORDS: [&str; 14] = [
        "e",
        "example",
        "for",
        "given",
        "gives",
        "hence",
        "if",
        "means",
        "so",
        "then",
        "therefore",
        "thus",
        "when",
        "yields",
    ];
    let from = answer.token_at(cite.end).max(token.saturating_sub(8));
    answer.step(8);
    let mut said = (from..token).filter(|at| !answer.is_code(*at));
    said.any(|at| {
        WORDS
            .iter()
            .any(|own| own.eq_ignore_ascii_case(answer.word(at)))
    })
}

/// The texts between quotation marks in a line, each with its start.
fn marked(line: &str) -> Vec<(usize, &str)> {
    let is = |c: char| matches!(c, '"' | '\u{201c}' | '\u{201d}');
    let mut found = Vec::new();
    let mut open: Option<usize> = None;
    for (at, c) in line.char_indices().filter(|(_, c)| is(*c)) {
        match open.take() {
            Some(from) if c != '\u{201c}' => {
                found.extend(line.get(from..at).map(|own| (from, own)));
            }
            _ => open = Some(at + c.len_utf8()),
        }
    }
    found
}

impl QuotedSource {
    /// A passage in quotation marks behind a citation may be a quote or another's name: one that does not stand there is
    /// no quote that holds.
    fn marks(asked: &Asked<'_>, key: &Key<'_>, facts: &mut Facts) {
        let answer = asked.answer;
        let cites = answer.citations();
        let mut count = 0;
        for line in 0..answer.line_count() {
            if answer.place(line) != Place::Prose {
                continue;
            }
            let (start, text) = answer.line_text(line);
            for (from, own) in marked(text) {
                let names = cites.partition_point(|cite| cite.end <= start + from);
                let cite = names.checked_sub(1).map(|at| &cites[at]);
                let Some(cite) = cite.filter(|cite| cite.line == line) else {
                    continue;
                };
                let own = flat(own);
                let Some(file) = key.file(cite).filter(|_| own.contains(' ')) else {
                    continue;
                };
                count += 1;
                if count > QUOTES || matches!(quote(&own, file, cite), Quote::Unresolved) {
                    return facts.unparsed();
                }
            }
        }
    }

    fn spans(&self, asked: &Asked<'_>, key: &Key<'_>, facts: &mut Facts) {
        let (answer, guards) = (asked.answer, asked.guards);
        let cites = answer.citations();
        let mut count = 0;
        for (start, end, line) in answer.spans() {
            let names = cites.partition_point(|cite| cite.end <= *start);
            let Some(cite) = names.checked_sub(1).map(|at| &cites[at]) else {
                continue;
            };
            // A span that holds a citation, or only a path, names a place and quotes nothing.
            let holds = cites.get(names).is_some_and(|next| next.start < *end);
            let text = flat(answer.text().get(*start..*end).unwrap_or(""));
            let path = text.contains('.') && key.files.keys().any(|path| path.ends_with(&text));
            let token = answer.token_at(*start);
            let skipped = guards.hold("span-after-citation", cite.line != *line)
                || guards.hold("span-names-a-place", holds || path);
            if skipped || text.is_empty() {
                continue;
            }
            let Some(file) = key.file(cite) else { continue };
            count += 1;
            if guards.hold("too-many-quotes", count > QUOTES) {
                return facts.unparsed();
            }
            match (quote(&text, file, cite), answer.said(token)) {
                (Quote::Stands, _) => {}
                (Quote::Name, _) if guards.on("lone-word") => {}
                (_, Polarity::Denied) if guards.on("denied-quote") => {}
                (_, Polarity::Open) => facts.unparsed(),
                _ if guards.hold("said-of-a-line", follows(answer, cite, token)) => {
                    facts.unparsed();
                }
                _ if guards.hold("alternative-quote", joined(answer, token)) => facts.unparsed(),
                _ => facts.fail(self.common.reason("unresolved")),
            }
        }
    }

    fn blocks(&self, asked: &Asked<'_>, key: &Key<'_>, facts: &mut Facts) {
        let (answer, guards) = (asked.answer, asked.guards);
        let cites = answer.citations();
        let mut count = 0;
        for fence in answer.fences() {
            let Some(before) = fence.opener.checked_sub(1) else {
                continue;
            };
            let (start, text) = answer.line_text(before);
            let end = start + text.trim_end_matches([':', '.', ')', ' ', '"']).len();
            let at = cites.partition_point(|cite| cite.end < end);
            let right = cites.get(at).filter(|cite| cite.line == before);
            let any = || cites.iter().rfind(|cite| cite.line <= before);
            let loose = !guards.on("block-after-citation");
            let Some(cite) = right.or_else(|| any().filter(|_| loose)) else {
                continue;
            };
            let Some(file) = key.file(cite) else { continue };
            let rows = (fence.body.1 - fence.body.0) as u64;
            let (first, last) = cite.lines();
            let window = window(file, first, last.max(first.saturating_add(rows)));
            for row in fence.body.0..fence.body.1 {
                let row = flat(answer.raw_line(row));
                count += 1;
                if guards.hold("too-many-quotes", count > QUOTES) {
                    return facts.unparsed();
                }
                if !row.is_empty() && !window.contains(&row) {
                    facts.fail(self.common.reason("unresolved"));
                }
            }
        }
    }

    fn cited(&self, asked: &Asked<'_>, key: &Key<'_>, facts: &mut Facts) {
        let answer = asked.answer;
        let cites = answer.citations().iter();
        let mut named = false;
        for cite in cites.filter(|cite| key.opens(cite)) {
            match answer.said_place(answer.token_at(cite.start)) {
                Polarity::Denied | Polarity::Open if asked.guards.on("denied-citation") => {
                    named = true;
                }
                _ => return,
            }
        }
        match self.common.absent(asked.guards, "missing") {
            Some(reason) if !named => facts.fail(reason),
            _ => facts.unparsed(),
        }
    }
}

impl Check for QuotedSource {
    fn ask(&self, asked: &Asked<'_>) -> Component {
        let Some(key) = read(asked.key) else {
            return key_shape(asked);
        };
        let answer = asked.answer;
        answer.step(answer.raw().len());
        let mut facts = Facts::default();
        self.cited(asked, &key, &mut facts);
        self.spans(asked, &key, &mut facts);
        self.blocks(asked, &key, &mut facts);
        if asked.guards.on("quotation-marks") {
            Self::marks(asked, &key, &mut facts);
        }
        facts.finish()
    }

    fn sight(&self, asked: &Asked<'_>) -> Sight {
        let mut sight = cited(asked.answer);
        let key = read(asked.key);
        let opened = |key: &Key<'_>| asked.answer.citations().iter().any(|cite| key.opens(cite));
        if let Some(key) = key.filter(|key| !opened(key)) {
            sight.misses(&format!("{}:{}-{}", key.path, key.first, key.last));
        }
        sight
    }
}
