//! Sentences: where they end, and which heading or lead-in they stand under.

use core::ops::Range;

use super::block::{Block, BlockKind};
use super::prose::Prose;
use super::word::{self, WordKind};

/// What ends a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ender {
    /// `.` or `。`
    Stop,
    /// `?` or `？`
    Question,
    /// `!` or `！`
    Exclaim,
    /// A colon at the end of a line: the sentence introduces what follows.
    Colon,
    /// The block's end.
    Break,
}

/// One sentence. A heading, a list item or a table row without a full stop is one, too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// From the first word to the closing mark.
    pub range: Range<usize>,
    /// The kind of the line that it starts in.
    pub kind: BlockKind,
    /// What ends it.
    pub ender: Ender,
    /// Indices into [`Prose::words`]; never empty.
    pub words: Range<usize>,
    /// Indices into [`Prose::clauses`]; never empty.
    pub clauses: Range<usize>,
    /// The heading above it; of a heading, the one that it stands under.
    pub heading: Option<usize>,
    /// The parent item, or the sentence ending in a colon, that introduces it.
    pub lead: Option<usize>,
    /// Part of an artefact that the agent announced and only shows: a plan, a draft, a message.
    pub drafted: bool,
}

/// Reads words and sentences of every block; returns the steps taken.
pub(crate) fn read(prose: &mut Prose<'_>) -> usize {
    let units = units(prose.masked(), prose.blocks());
    let masked = prose.masked().to_owned();
    let mut steps = 0;
    let mut context = Context::default();
    for unit in units {
        match unit.kind {
            BlockKind::Blank | BlockKind::Rule | BlockKind::Fence | BlockKind::Quote => {
                context.pass(unit.kind);
            }
            _ => {
                let first = prose.words.len();
                steps += word::read(
                    &masked,
                    unit.span.clone(),
                    &mut prose.words,
                    &mut prose.forms,
                );
                context.enter(unit.kind);
                split(prose, &masked, &unit, first, &mut context);
            }
        }
    }
    steps
}

struct Unit {
    kind: BlockKind,
    span: Range<usize>,
}

/// Joins soft-wrapped lines to the paragraph or item that they continue.
fn units(masked: &str, blocks: &[Block]) -> Vec<Unit> {
    let mut out: Vec<Unit> = Vec::with_capacity(blocks.len());
    for (i, block) in blocks.iter().enumerate() {
        let content = block.content.min(block.range.end);
        if block.kind == BlockKind::Paragraph
            && i > 0
            && let Some(unit) = out.last_mut()
            && matches!(unit.kind, BlockKind::Paragraph | BlockKind::Item { .. })
            && continues(
                &masked[blocks[i - 1].range.clone()],
                &masked[content..block.range.end],
            )
        {
            unit.span.end = block.range.end;
            continue;
        }
        out.push(Unit {
            kind: block.kind,
            span: content..block.range.end,
        });
    }
    out
}

/// Agents end a line where they mean to; only a long line, a comma or a small letter reads on.
fn continues(above: &str, below: &str) -> bool {
    let last = above.trim_end();
    if above.ends_with("  ") || last.ends_with(['.', '!', '?', ':', '\\', '。', '！', '？', '：'])
    {
        return false;
    }
    let Some(first) = below.chars().next() else {
        return false;
    };
    first.is_lowercase()
        || last.ends_with(',')
        || (last.len() >= 60 && (first.is_alphanumeric() || first == '\u{1}'))
}

/// Which heading, parent items and lead-in govern the next sentence.
#[derive(Default)]
struct Context {
    /// Open headings, outermost first.
    headings: Vec<(u8, usize)>,
    /// `(indent, sentence)` of open items; a paragraph's lead-in has indent −1.
    leads: Vec<(isize, usize)>,
    blank: bool,
    announced: Option<usize>,
    drafting: Option<u8>,
}

impl Context {
    fn pass(&mut self, kind: BlockKind) {
        self.blank |= kind == BlockKind::Blank;
        // The artefact was the fence or the quotation itself.
        if matches!(kind, BlockKind::Fence | BlockKind::Quote) {
            self.announced = None;
        }
    }

    fn enter(&mut self, kind: BlockKind) {
        match kind {
            BlockKind::Item { indent, .. } => {
                let indent = isize::try_from(indent).unwrap_or(isize::MAX);
                while self.leads.pop_if(|lead| lead.0 >= indent).is_some() {}
            }
            BlockKind::Heading(level) => {
                self.leads.clear();
                while self.headings.pop_if(|heading| heading.0 >= level).is_some() {}
                if self.announced.take().is_some() && self.drafting.is_none() {
                    self.drafting = Some(level);
                } else if self.drafting.is_some_and(|draft| level < draft) {
                    self.drafting = None;
                }
            }
            BlockKind::Row => {}
            _ => {
                let introduced = self.leads.last().is_some_and(|lead| lead.0 < 0) && !self.blank;
                if !introduced {
                    self.leads.clear();
                }
                self.announced = None;
            }
        }
        self.blank = false;
    }

    fn note(&mut self, index: usize, sentence: &Sentence, announces: bool) {
        match sentence.kind {
            BlockKind::Heading(level) => {
                // Of a title of two sentences the last one governs.
                while self.headings.pop_if(|heading| heading.0 >= level).is_some() {}
                self.headings.push((level, index));
            }
            BlockKind::Item { indent, .. } => {
                let indent = isize::try_from(indent).unwrap_or(isize::MAX);
                while self.leads.pop_if(|lead| lead.0 >= indent).is_some() {}
                self.leads.push((indent, index));
            }
            BlockKind::Paragraph if sentence.ender == Ender::Colon => {
                self.leads.clear();
                self.leads.push((-1, index));
            }
            _ => {}
        }
        if announces {
            self.announced = Some(index);
        }
    }
}

/// Cuts the words `first..` of a unit into sentences.
fn split(prose: &mut Prose<'_>, masked: &str, unit: &Unit, first: usize, context: &mut Context) {
    let last = prose.words.len();
    let mut begin = first;
    let heading = context.headings.last().map(|heading| heading.1);
    for index in first..last {
        let gap_end = prose
            .words
            .get(index + 1)
            .map_or(unit.span.end, |w| w.range.start);
        let gap = prose.words[index].range.end..gap_end;
        let word = &prose.words[index];
        // `## 2. Title`: the number counts, it is no sentence.
        let counts = index == first && word.kind == WordKind::Number;
        let abbreviated =
            counts || (word.kind == WordKind::Plain && is_abbreviation(prose.form(index)));
        let found = boundary(&masked[gap.clone()], abbreviated, index + 1 == last);
        let (end, ender) = match found {
            Some((offset, ender)) => (gap.start + offset, ender),
            None if index + 1 == last => (gap.start, Ender::Break),
            None => continue,
        };
        let sentence = Sentence {
            range: prose.words[begin].range.start..end,
            kind: unit.kind,
            ender,
            words: begin..index + 1,
            clauses: 0..0,
            heading,
            lead: context.leads.last().map(|lead| lead.1),
            drafted: context.drafting.is_some(),
        };
        let announces = ender == Ender::Colon && announces_draft(prose, &sentence.words);
        context.note(prose.sentences.len(), &sentence, announces);
        prose.sentences.push(sentence);
        begin = index + 1;
    }
}

/// Offset behind the mark that ends a sentence within the gap between two words.
fn boundary(gap: &str, abbreviated: bool, last: bool) -> Option<(usize, Ender)> {
    let mut found: Option<(usize, Ender)> = None;
    for (at, c) in gap.char_indices() {
        let ender = match c {
            '。' => return Some((at + c.len_utf8(), Ender::Stop)),
            '！' => return Some((at + c.len_utf8(), Ender::Exclaim)),
            '？' => return Some((at + c.len_utf8(), Ender::Question)),
            '.' | '…' => Some(Ender::Stop),
            '!' => Some(Ender::Exclaim),
            '?' => Some(Ender::Question),
            ':' | '：' if last || gap[at..].contains('\n') => {
                return Some((at + c.len_utf8(), Ender::Colon));
            }
            _ => None,
        };
        match (ender, found) {
            (Some(Ender::Stop), Some((_, strong))) => found = Some((at + c.len_utf8(), strong)),
            (Some(ender), _) => found = Some((at + c.len_utf8(), ender)),
            (None, Some((_, kind))) if is_closing(c) => found = Some((at + c.len_utf8(), kind)),
            (None, Some(_)) if c.is_whitespace() => break,
            // A mark glued to what follows ends nothing: `?foo`, `.5`.
            (None, Some(_)) if !c.is_ascii() => break,
            (None, Some(_)) => found = None,
            (None, None) => {}
        }
    }
    let glued = found.is_some_and(|(end, _)| end == gap.len()) && !last;
    let dotted = abbreviated && !last && found.is_some_and(|(_, ender)| ender == Ender::Stop);
    found.filter(|_| !glued && !dotted)
}

fn is_closing(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | ')'
            | ']'
            | '*'
            | '_'
            | '`'
            | '”'
            | '’'
            | '»'
            | '」'
            | '』'
            | '\u{2}'
            | '\u{fe0f}'
    )
}

fn is_abbreviation(form: &str) -> bool {
    matches!(
        form,
        "e.g"
            | "i.e"
            | "vs"
            | "cf"
            | "approx"
            | "fig"
            | "dr"
            | "mr"
            | "mrs"
            | "resp"
            | "incl"
            | "al"
            | "no"
            | "viz"
    )
}

/// `Here is the draft:`, `Let me write the plan:`, `Suggested commit message:` and the like.
fn announces_draft(prose: &Prose<'_>, words: &Range<usize>) -> bool {
    let mut shown = false;
    let mut artefact = false;
    for index in words.clone() {
        let form = prose.form(index);
        shown |= matches!(
            form,
            "let"
                | "i'll"
                | "we'll"
                | "will"
                | "here"
                | "here's"
                | "suggested"
                | "proposed"
                | "draft"
                | "recommended"
        );
        artefact |= matches!(
            form,
            "plan"
                | "proposal"
                | "draft"
                | "message"
                | "template"
                | "design"
                | "spec"
                | "description"
                | "outline"
        );
    }
    shown && artefact
}
