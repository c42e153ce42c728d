//! Texts as a quotation is compared with them: without spacing, letters' case and colours.

use memchr::memmem::Finder;

use crate::transcript::Place;
use crate::turn::Step;

/// A text without spacing and colours, in small letters.
#[must_use]
pub fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        if matches!(byte, 0x1b | b'[')
            && let Some(after) = past_colour(&text[at..])
        {
            at = text.len() - after.len();
            continue;
        }
        let Some(c) = text[at..].chars().next() else {
            break;
        };
        at += c.len_utf8();
        if c.is_ascii() && !c.is_whitespace() {
            out.push(c.to_ascii_lowercase());
        } else if !c.is_whitespace() {
            out.extend(c.to_lowercase());
        }
    }
    out
}

/// What follows a terminal's colour code that a text opens with: `ESC[31m`, and `[31m` where the
/// first byte was lost on the way.
fn past_colour(text: &str) -> Option<&str> {
    let body = text
        .strip_prefix('\u{1b}')
        .unwrap_or(text)
        .strip_prefix('[')?;
    let end = body.bytes().take(12).position(|byte| byte == b'm')?;
    let codes = &body.as_bytes()[..end];
    let numbers = codes
        .iter()
        .all(|byte| byte.is_ascii_digit() || *byte == b';');
    numbers.then(|| &body[end + 1..])
}

/// Which of a step's texts is looked at.
#[derive(Debug, Clone, Copy)]
pub(super) enum Side {
    /// What the agent wrote.
    Call,
    /// What came back.
    Answer,
}

/// The texts of a turn, folded once each: a close of many quotations would else have all of them
/// folded for every one.
#[derive(Debug, Clone, Default)]
pub(super) struct Folds {
    /// The first step, which tells the turn.
    from: Option<Place>,
    /// Of each step the call and the answer, once they were looked at.
    steps: Vec<[Option<String>; 2]>,
    /// Where the prompt stands, and its text.
    prompt: Option<(Place, String)>,
}

impl Folds {
    /// The last step one text of which holds all of these, which are folded.
    pub(super) fn last(&mut self, steps: &[Step], side: Side, wanted: &[String]) -> Option<usize> {
        let from = steps.first().map(|step| step.call);
        if self.from != from || self.steps.len() > steps.len() {
            self.from = from;
            self.steps.clear();
        }
        self.steps.resize_with(steps.len(), Default::default);
        let finders = finders(wanted);
        let both = self.steps.iter_mut().zip(steps).enumerate().rev();
        for (number, ([call, answer], step)) in both {
            let text = match side {
                Side::Call => call.get_or_insert_with(|| folded(&step.args)),
                Side::Answer => answer.get_or_insert_with(|| folded(step.text.as_str())),
            };
            if holds(&finders, text) {
                return Some(number);
            }
        }
        None
    }

    /// Whether the prompt that stands at a place holds all of these, which are folded.
    pub(super) fn asked(&mut self, place: Place, prompt: &str, wanted: &[String]) -> bool {
        let known = self.prompt.take().filter(|(own, _)| *own == place);
        let (_, text) = self
            .prompt
            .insert(known.unwrap_or_else(|| (place, folded(prompt))));
        holds(&finders(wanted), text)
    }
}

fn finders(wanted: &[String]) -> Vec<Finder<'_>> {
    wanted.iter().map(|one| Finder::new(one.as_str())).collect()
}

fn holds(finders: &[Finder<'_>], text: &str) -> bool {
    let held = |finder: &Finder<'_>| finder.find(text.as_bytes()).is_some();
    finders.iter().all(held)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::turn::Kept;

    #[test]
    fn spacing_case_and_colours_do_not_count() {
        assert_eq!(folded("A  b\u{a0}\u{b}C\n"), "abc");
        assert_eq!(folded("\u{1b}[1;31mError\u{1b}[0m: [0mÉté"), "error:été");
        assert_eq!(folded("[12] \u{1b}x [a1m"), "[12]\u{1b}x[a1m");
    }

    #[test]
    fn the_last_step_that_holds_all_is_found_and_another_turn_is_read_anew() {
        let step = |line: u64, args: &str, text: &str| Step {
            call: Place {
                line,
                ..Place::default()
            },
            args: args.to_owned(),
            text: Kept::of(text),
            ..Step::default()
        };
        let mut folds = Folds::default();
        let mut last = |steps: &[Step], side, text: &str| folds.last(steps, side, &[folded(text)]);
        let mut steps = vec![step(1, "echo Three", "one two"), step(2, "", "One Two")];
        assert_eq!(last(&steps[..1], Side::Answer, "one  two"), Some(0));
        assert_eq!(last(&steps, Side::Answer, "one  two"), Some(1));
        assert_eq!(last(&steps, Side::Call, "three"), Some(0));
        assert_eq!(last(&steps, Side::Call, "two"), None);
        steps[0] = step(7, "", "four");
        assert_eq!(last(&steps[..1], Side::Answer, "one two"), None);
        assert_eq!(last(&steps[..1], Side::Answer, "four"), Some(0));
    }

    #[test]
    fn a_prompt_is_read_anew_where_it_is_another() {
        let mut folds = Folds::default();
        let at = |line: u64| Place {
            line,
            ..Place::default()
        };
        let wanted = [folded("One two")];
        assert!(folds.asked(at(1), "so one two", &wanted));
        assert!(folds.asked(at(1), "so one two", &wanted));
        assert!(!folds.asked(at(2), "another", &wanted));
    }
}
