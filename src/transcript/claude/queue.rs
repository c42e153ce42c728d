//! What the human typed while the agent worked, as the client's queue tells it.
//!
//! Newer versions also write such words as an attachment when the agent gets them; in older ones
//! they stand in the queue's own records only (`delexw/claude-code-trace#37`).

use std::collections::VecDeque;

use crate::transcript::record::key_of;

/// Words that were typed ahead.
#[derive(Debug, Default)]
pub(super) struct Queue {
    waiting: VecDeque<Waiting>,
    /// Keys of words that the agent was given and that no record of their own told yet.
    given: Vec<u64>,
}

#[derive(Debug)]
struct Waiting {
    text: String,
    /// Whether a record of their own told these words already.
    told: bool,
}

impl Queue {
    /// Words are put at the end.
    pub(super) fn enqueue(&mut self, text: &str) {
        self.waiting.push_back(Waiting {
            text: text.to_owned(),
            told: false,
        });
    }

    /// The first words become a prompt of their own.
    pub(super) fn dequeue(&mut self) {
        self.waiting.pop_front();
    }

    /// The first words are given to the agent in the middle of its work; they are handed back
    /// unless another record told them.
    pub(super) fn remove(&mut self) -> Option<String> {
        let first = self.waiting.pop_front()?;
        (!first.told).then_some(first.text)
    }

    /// All words go back to the human's input line.
    pub(super) fn clear(&mut self) {
        self.waiting.clear();
    }

    /// Notes that these words, taken from the queue, stand as the human's.
    pub(super) fn gave(&mut self, text: &str) {
        self.given.push(key_of(&[text.trim()]));
    }

    /// A record of their own tells words; whether they stand already.
    pub(super) fn tell(&mut self, text: &str) -> bool {
        let key = key_of(&[text.trim()]);
        if let Some(at) = self.given.iter().position(|given| *given == key) {
            self.given.remove(at);
            return true;
        }
        let same = |waiting: &&mut Waiting| !waiting.told && waiting.text.trim() == text.trim();
        if let Some(waiting) = self.waiting.iter_mut().find(same) {
            waiting.told = true;
        }
        false
    }

    /// A prompt is typed; whether it repeats words that the agent was given since the last one.
    /// A prompt that was waiting leaves the queue, though no record says so.
    pub(super) fn prompt(&mut self, text: &str) -> bool {
        let key = key_of(&[text.trim()]);
        let repeated = self.given.contains(&key);
        self.given.clear();
        self.take_up(text);
        repeated
    }

    /// Words leave the queue because they stand elsewhere.
    pub(super) fn take_up(&mut self, text: &str) {
        let same = |waiting: &Waiting| waiting.text.trim() == text.trim();
        if let Some(at) = self.waiting.iter().position(same) {
            self.waiting.remove(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_given_to_the_agent_are_told_once() {
        let mut queue = Queue::default();
        queue.enqueue("also b");
        assert_eq!(queue.remove().as_deref(), Some("also b"));
        queue.gave("also b");
        assert!(queue.tell("also b"), "its attachment comes after");
        queue.enqueue("also c");
        assert!(!queue.tell("also c"), "its attachment comes before");
        assert_eq!(queue.remove(), None);
    }

    #[test]
    fn a_prompt_that_repeats_words_given_before_is_known() {
        let mut queue = Queue::default();
        queue.enqueue("fix b");
        queue.remove();
        queue.gave("fix b");
        assert!(queue.prompt("fix b"));
        assert!(!queue.prompt("fix b"), "only the next prompt repeats them");
    }

    #[test]
    fn a_prompt_that_was_waiting_leaves_the_queue() {
        let mut queue = Queue::default();
        queue.enqueue("news");
        queue.take_up("news");
        queue.enqueue("more");
        assert_eq!(queue.remove().as_deref(), Some("more"));
    }
}
