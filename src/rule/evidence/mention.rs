//! What the changes of a session speak of: which of them hold a word.
//!
//! Taking a change in copies its text and no more; the first question has the texts read, each
//! once, so that a close of many statements costs no more than a look-up for each word.

use core::ops::Range;
use std::cell::RefCell;
use std::collections::HashSet;

use super::index::{Index, parts, stem_key, tokens};
use crate::shell::Effect;
use crate::transcript::Place;
use crate::turn::{Act, Step};

/// Bytes of text that are held at most. What does not fit in holds no word.
const LIMIT: usize = 8 << 20;

/// Changes that a look-up of one word names at most, the latest: a word that more hold tells
/// nothing of any of them.
pub(super) const MOST: usize = 256;

/// A step that changed something, or may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deed {
    /// Its place among the deeds of the session.
    pub order: u64,
    /// The turn.
    pub turn: u32,
    /// Where its result stands, or its call where there is none.
    pub place: Place,
    /// The numbers of its changes of files.
    pub edits: Range<usize>,
    /// Whether another agent was sent.
    pub delegate: bool,
    /// Whether its text is not known in full.
    pub cut: bool,
    /// Whether it is not known what it did: a script, a tool of another name than its deed, a command
    /// whose status is hidden.
    pub vague: bool,
    /// Of a command that hands a message on, its own words and its answer: what the message tells is not
    /// what the command did, unless these name it.
    pub own: Option<String>,
}

impl Deed {
    /// Whether it is a command that a statement's name is spelled in, or none that hands a message on.
    #[must_use]
    pub fn is_named_by(&self, term: &Term) -> bool {
        let Some(own) = self.own.as_deref() else {
            return true;
        };
        match term {
            Term::Name(name) => stands_in(name, own),
            Term::Word(word) => {
                let key = stem_key(word);
                tokens(own)
                    .flat_map(parts)
                    .any(|part| stem_key(part) == key)
            }
        }
    }
}

/// The steps that changed something, with their words.
#[derive(Debug, Clone, Default)]
pub struct Mentions {
    deeds: Vec<Deed>,
    /// All that a step speaks of.
    spoken: Texts,
    /// What it put in or took out by itself, and not what stands around that.
    changed: Texts,
}

/// One text for each step.
#[derive(Debug, Clone, Default)]
struct Texts {
    all: String,
    /// Where the text of each ends.
    ends: Vec<usize>,
    index: RefCell<Index>,
}

impl Texts {
    fn take(&mut self, texts: &[&str]) {
        for text in texts {
            if self.all.len() + text.len() <= LIMIT {
                self.all.push_str(text);
                self.all.push(' ');
            }
        }
        self.ends.push(self.all.len());
    }

    fn text(&self, number: usize) -> &str {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.all[start..self.ends[number]]
    }

    fn holding(&self, term: &Term) -> (Vec<usize>, usize) {
        self.read();
        let stands = |name: &str, number: usize| stands_in(name, self.text(number));
        self.index.borrow().holding(term, MOST, stands)
    }

    /// Reads what it has not read yet.
    fn read(&self) {
        let mut index = self.index.borrow_mut();
        for number in index.upto..self.ends.len() {
            index.take(number, self.text(number));
        }
        index.upto = self.ends.len();
    }
}

/// A word that a step may hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Term {
    /// A name, every part of which counts: `parse_line`, `av-2il.1`, `src/a.rs`.
    Name(String),
    /// A plain word, whatever its form.
    Word(String),
}

impl Term {
    /// What a text in small letters holds that tells of it: a name as a whole, of a word the beginning
    /// that its forms share.
    #[must_use]
    pub fn beginning(&self) -> String {
        match self {
            Self::Name(name) => name.to_lowercase(),
            Self::Word(word) => word.chars().take(5).collect::<String>().to_lowercase(),
        }
    }
}

impl Mentions {
    /// Takes a step in, with the texts that tell what it changed, and those of them that are the change itself.
    pub(super) fn take(&mut self, deed: Deed, spoken: &[&str], changed: &[&str]) {
        self.spoken.take(spoken);
        self.changed.take(changed);
        self.deeds.push(deed);
    }

    /// The steps, in order.
    #[must_use]
    pub fn deeds(&self) -> &[Deed] {
        &self.deeds
    }

    /// The numbers of the steps that hold a word, in order, the latest ones where they are many,
    /// and how many there are.
    #[must_use]
    pub fn holding(&self, term: &Term) -> (Vec<usize>, usize) {
        self.spoken.holding(term)
    }

    /// The numbers of the steps whose change itself holds a word: one that they put in or took out.
    #[must_use]
    pub fn changing(&self, term: &Term) -> Vec<usize> {
        self.changed.holding(term).0
    }

    /// The numbers of the steps that hold a name of ASCII letters in whatever capitals, in order, and
    /// how many they are.
    #[must_use]
    pub fn holding_in_any_case(&self, name: &str) -> (Vec<usize>, usize) {
        let (mut found, _) = self.holding(&Term::Word(name.to_owned()));
        found.retain(|number| {
            let mut words = tokens(self.spoken.text(*number));
            words.any(|word| word.eq_ignore_ascii_case(name))
        });
        let few = found.len();
        (found, few)
    }
}

/// Whether it is not known what a step did that changes no file, however well it ended.
pub(super) fn vague(step: &Step) -> bool {
    let prints = |act: &Act| matches!(act.program.as_str(), "echo" | "printf" | "cat" | "tee");
    let unread = |act: &Act| act.masked && act.effect != Effect::Read && !act.noop && !prints(act);
    let thrown = step.args.contains("2>/dev/null") || step.text.as_str().trim().is_empty();
    let hidden = |act: &Act| unread(act) && thrown;
    // To commit or to hand over what was changed before changes nothing more.
    let passes_on = |act: &Act| {
        const MOVES: [&str; 5] = ["add", "commit", "fetch", "pull", "push"];
        act.program == "git" && act.argv().skip(1).any(|word| MOVES.contains(&word))
    };
    let named = |act: &Act| {
        if passes_on(act) {
            return false;
        }
        let program = act.program.rsplit('/').next().unwrap_or("");
        let stem = program.split('.').next().unwrap_or(program);
        act.effect == Effect::Mutate
            || act.shell && says_change(stem)
            || act.shell && act.argv().skip(1).take(3).any(is_change)
    };
    let known = if step.acts.iter().any(|act| act.shell) {
        step.acts.iter().any(named)
    } else {
        says_change(step.tool.rsplit("__").next().unwrap_or(&step.tool))
    };
    !known || !step.published.is_empty() || step.acts.iter().any(hidden)
}

/// Whether a name is made of words one of which tells a change: `apply_patch`, `update-context`.
fn says_change(name: &str) -> bool {
    name.split(['_', '-']).any(is_change)
}

/// Words by which commands and tools say that they change something.
fn is_change(word: &str) -> bool {
    const CHANGES: &str = "add append apply assign close comment create delete disable edit enable \
        insert mark merge move note patch post put remove rename reopen replace rm set unset update \
        upload write";
    !word.is_empty() && CHANGES.split_ascii_whitespace().any(|own| own == word)
}

/// The words of the commands of a step and what they answered, where one of them hands a message on: a
/// sentence among its words that it neither prints nor runs.
pub(super) fn own_words(step: &Step) -> Option<String> {
    const RUNS: [&str; 16] = [
        "echo", "printf", "python", "python3", "node", "perl", "ruby", "bash", "sh", "zsh", "sed",
        "awk", "jq", "rg", "grep", "bun",
    ];
    let sentence = |word: &str| word.split_whitespace().nth(3).is_some();
    let hands =
        |act: &Act| act.shell && !RUNS.contains(&act.program.as_str()) && act.argv().any(sentence);
    if step.published.is_empty() && !step.acts.iter().any(|act| hands(act) || posts(act)) {
        return None;
    }
    let mut out = String::new();
    for word in step
        .acts
        .iter()
        .flat_map(Act::argv)
        .filter(|word| !sentence(word))
    {
        out.push_str(word);
        out.push(' ');
    }
    // What the answer repeats of the call is the agent's own.
    let answer = step.text.as_str();
    if step.published.is_empty() && answer.len() <= ANSWER {
        let said: HashSet<&str> = pieces(&step.args).collect();
        for word in pieces(answer).filter(|word| !said.contains(word)) {
            out.push_str(word);
            out.push(' ');
        }
    }
    Some(out)
}

/// Whether a command hands a text to a code host, be it in a variable: `gh api … -f body=$text`.
fn posts(act: &Act) -> bool {
    let text = |word: &str| {
        let field = ["body=", "title=", "description="];
        field.iter().any(|name| word.starts_with(name))
            || matches!(word, "--body" | "--body-file" | "--description" | "--notes")
    };
    act.shell && matches!(act.program.as_str(), "gh" | "glab") && act.argv().any(text)
}

/// The pieces of a text that may be names.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let plain = |c: char| c.is_alphanumeric() || "_-./#".contains(c);
    text.split(move |c| !plain(c))
        .filter(|word| !word.is_empty())
}

/// Bytes of an answer that tells what was made or changed.
pub(super) const ANSWER: usize = 8 * 1024;

/// Whether a name stands in a text, no letter or digit beside it.
pub(super) fn stands_in(name: &str, text: &str) -> bool {
    let bytes = text.as_bytes();
    let word = |at: Option<usize>| {
        let byte = at.and_then(|at| bytes.get(at));
        byte.is_some_and(u8::is_ascii_alphanumeric)
    };
    memchr::memmem::find_iter(bytes, name).any(|at| {
        let escaped = at > 1 && bytes[at - 2] == b'\\';
        (escaped || !word(at.checked_sub(1))) && !word(Some(at + name.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mentions(texts: &[&str]) -> Mentions {
        let mut all = Mentions::default();
        for text in texts {
            let deed = Deed {
                order: 1,
                turn: 1,
                place: Place::default(),
                edits: 0..0,
                delegate: false,
                cut: false,
                vague: false,
                own: None,
            };
            all.take(deed, &[text], &[text]);
        }
        all
    }

    #[test]
    fn words_are_found_in_any_form_and_names_as_they_are() {
        let all = mentions(&[
            r#"{"new_string":"fn x() {\nparseLine(a)"}"#,
            "tests/parsers/av-2il.12",
            "TestParseLine av-2il.1",
        ]);
        let word = |word: &str| all.holding(&Term::Word(word.to_owned())).0;
        let name = |name: &str| all.holding(&Term::Name(name.to_owned())).0;
        assert_eq!(word("parse"), [0, 1, 2]);
        assert_eq!(word("lines"), [0, 2]);
        assert_eq!(name("parseLine"), [0]);
        assert_eq!(name("av-2il.1"), [2]);
        assert!(name("nparseLine").is_empty());
    }

    #[test]
    fn a_name_stands_in_a_text_behind_an_escape_and_not_within_a_word() {
        assert!(stands_in("parse", r"{\nparse it}"));
        assert!(stands_in("parse", "parse"));
        assert!(!stands_in("parse", "reparse it"));
        assert!(!stands_in("parse", "the parser"));
    }
}
