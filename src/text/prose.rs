//! A text read once: blocks, regions, words, sentences and clauses, all with byte offsets.

use super::block::{self, Block};
use super::clause::{self, Clause};
use super::inline::{self, Region};
use super::script::Script;
use super::sentence::{self, Sentence};
use super::word::Word;

/// A close (or any other prose of an agent), read in one pass.
///
/// ```
/// let prose = deedcheck::text::Prose::read("Tests pass, but `main.rs` is not formatted.");
/// let sentence = &prose.sentences()[0];
/// assert_eq!(prose.clauses_of(sentence).len(), 2);
/// ```
#[derive(Debug, Clone)]
pub struct Prose<'a> {
    source: &'a str,
    masked: String,
    script: Script,
    blocks: Vec<Block>,
    regions: Vec<Region>,
    pub(crate) words: Vec<Word>,
    pub(crate) forms: String,
    pub(crate) sentences: Vec<Sentence>,
    pub(crate) clauses: Vec<Clause>,
    steps: usize,
}

impl<'a> Prose<'a> {
    /// Reads `source`. Any text will do; the work is linear in its length.
    #[must_use]
    pub fn read(source: &'a str) -> Self {
        let blocks = block::blocks(source);
        let (masked, regions, steps) = inline::mask(source, &blocks);
        let mut prose = Self {
            source,
            script: Script::of(&masked),
            masked,
            blocks,
            regions,
            words: Vec::new(),
            forms: String::new(),
            sentences: Vec::new(),
            clauses: Vec::new(),
            steps,
        };
        prose.steps += sentence::read(&mut prose);
        clause::read(&mut prose);
        prose
    }

    /// The text as it was given.
    #[must_use]
    pub fn source(&self) -> &'a str {
        self.source
    }

    /// The text with code, quotations and links replaced by filler of the same length, so that
    /// every offset holds in both.
    #[must_use]
    pub fn masked(&self) -> &str {
        &self.masked
    }

    /// One entry a line.
    #[must_use]
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Masked spans in order; they do not overlap.
    #[must_use]
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// All words outside fences and block quotes.
    #[must_use]
    pub fn words(&self) -> &[Word] {
        &self.words
    }

    /// The normal form of a word: lower case with a straight apostrophe; empty for code,
    /// quotations and links.
    #[must_use]
    pub fn text_of(&self, word: &Word) -> &str {
        &self.forms[word.form.clone()]
    }

    /// The normal form of the word at `index`, or the empty string.
    #[must_use]
    pub fn form(&self, index: usize) -> &str {
        self.words.get(index).map_or("", |word| self.text_of(word))
    }

    /// Sentences in order.
    #[must_use]
    pub fn sentences(&self) -> &[Sentence] {
        &self.sentences
    }

    /// Clauses of all sentences in order.
    #[must_use]
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// The clauses of one sentence: at least one.
    #[must_use]
    pub fn clauses_of(&self, sentence: &Sentence) -> &[Clause] {
        self.clauses.get(sentence.clauses.clone()).unwrap_or(&[])
    }

    /// Scripts of the prose, code and quotations left out.
    #[must_use]
    pub fn script(&self) -> Script {
        self.script
    }

    /// Characters visited by the inner scanners: a test holds it to a small multiple of the length.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.steps
    }
}
