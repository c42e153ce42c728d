//! What the steps of the present turn speak of, in their calls and in what came back.
//!
//! As with the changes of a session, nothing is read before the first question.

use std::cell::RefCell;

use super::folded::{Folds, Side};
use super::index::Index;
use super::mention::{MOST, Term, stands_in};
use crate::transcript::Place;
use crate::turn::Step;

/// Which steps of a turn hold a word.
#[derive(Debug, Clone, Default)]
pub struct Sights {
    calls: RefCell<Read>,
    all: RefCell<Read>,
    folds: RefCell<Folds>,
}

#[derive(Debug, Clone, Default)]
struct Read {
    /// The first step that was read.
    from: Option<Place>,
    index: Index,
}

impl Sights {
    /// The numbers of the steps that hold a word in their calls or in what came back, in order, the
    /// latest ones where they are many, and how many there are.
    #[must_use]
    pub fn holding(&self, steps: &[Step], term: &Term) -> (Vec<usize>, usize) {
        self.all.borrow_mut().holding(steps, term, texts)
    }

    /// The same, of their calls alone.
    #[must_use]
    pub fn calling(&self, steps: &[Step], term: &Term) -> (Vec<usize>, usize) {
        self.calls.borrow_mut().holding(steps, term, call)
    }

    /// The last step whose answer holds all of some folded texts.
    #[must_use]
    pub fn answering<'s>(&self, steps: &'s [Step], wanted: &[String]) -> Option<&'s Step> {
        let number = self.folds.borrow_mut().last(steps, Side::Answer, wanted)?;
        steps.get(number)
    }

    /// The last step whose call holds all of some folded texts.
    #[must_use]
    pub fn writing<'s>(&self, steps: &'s [Step], wanted: &[String]) -> Option<&'s Step> {
        let number = self.folds.borrow_mut().last(steps, Side::Call, wanted)?;
        steps.get(number)
    }

    /// Whether the prompt that stands at a place holds all of some folded texts.
    #[must_use]
    pub fn asked(&self, place: Place, prompt: &str, wanted: &[String]) -> bool {
        self.folds.borrow_mut().asked(place, prompt, wanted)
    }
}

impl Read {
    fn holding<const N: usize>(
        &mut self,
        steps: &[Step],
        term: &Term,
        texts: fn(&Step) -> [&str; N],
    ) -> (Vec<usize>, usize) {
        let from = steps.first().map(|step| step.call);
        if self.from != from || self.index.upto > steps.len() {
            *self = Self {
                from,
                index: Index::default(),
            };
        }
        for (number, step) in steps.iter().enumerate().skip(self.index.upto) {
            for text in texts(step) {
                self.index.take(number, text);
            }
        }
        self.index.upto = steps.len();
        self.index.holding(term, MOST, |name, number| {
            let text = texts(&steps[number]);
            text.iter().any(|text| stands_in(name, text))
        })
    }
}

fn call(step: &Step) -> [&str; 2] {
    [&step.tool, &step.args]
}

fn texts(step: &Step) -> [&str; 3] {
    [&step.tool, &step.args, step.text.as_str()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::turn::Kept;

    fn step(line: u64, args: &str, text: &str) -> Step {
        Step {
            call: Place {
                line,
                ..Place::default()
            },
            args: args.to_owned(),
            text: Kept::of(text),
            ..Step::default()
        }
    }

    #[test]
    fn steps_hold_the_words_of_their_calls_and_results() {
        let steps = [
            step(1, "./run --demo", "prints three lines"),
            step(2, "cat src/a.rs", "fn parse_line() {}"),
        ];
        let sights = Sights::default();
        let word = |word: &str| sights.holding(&steps, &Term::Word(word.to_owned())).0;
        let name = |name: &str| sights.holding(&steps, &Term::Name(name.to_owned())).0;
        assert_eq!((word("printed"), word("parses")), (vec![0], vec![1]));
        assert_eq!((name("src/a.rs"), name("parse_line")), (vec![1], vec![1]));
        assert!(
            sights
                .holding(&steps[1..], &Term::Word("demo".to_owned()))
                .0
                .is_empty()
        );
    }
}
