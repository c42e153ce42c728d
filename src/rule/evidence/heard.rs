//! What a step's output tells of it, where no runner is named, and what of it is the agent's own.

use super::fact::{Run, Shown};
use super::ledger::Ledger;
use crate::rule::runner::{self, Speech};
use crate::shell::{Effect, Verify};
use crate::transcript::Place;
use crate::turn::{Act, Step};

impl Ledger {
    /// Where changes were laid aside that have not come back.
    #[must_use]
    pub fn laid_aside(&self) -> Option<&(u64, u32, Place)> {
        self.aside_at.as_ref().filter(|_| self.aside.is_some())
    }

    /// Notes that a fixer says that it mended something.
    pub(super) fn mended(&mut self, turn: u32, place: Place, act: &Act, step: Option<&Step>) {
        if step.is_some_and(|step| super::run::mended(act, step.text.as_str())) {
            self.pulled.push((self.order, turn, place));
        }
    }

    /// A step that names no runner, and whose output is a runner's all the same: a script of the
    /// project, or a tool that runs things (`amd/gaia#3730`).
    pub(super) fn loose(&mut self, turn: u32, place: Place, step: &Step) {
        let opaque = |act: &Act| act.effect == Effect::Unknown && act.verify.is_none();
        let Some(act) = step.acts.iter().find(|act| opaque(act)) else {
            return;
        };
        if step.delegate || step.acts.iter().any(|act| act.verify.is_some()) {
            return;
        }
        let inner = captured(step.text.as_str());
        let output = inner.as_deref().unwrap_or(step.text.as_str());
        let summary = runner::read("", output);
        if summary.tally.is_none() {
            return;
        }
        let shown = match summary.speech {
            Speech::Ok => Shown::Passed,
            Speech::Failed => Shown::Failed,
            Speech::Empty => Shown::Empty,
            Speech::Silent => return,
        };
        self.runs.push(Run {
            order: self.order,
            turn,
            place,
            verify: Verify::Test,
            words: act.words.clone(),
            shown,
            by_output: true,
            tally: summary.tally,
            narrowed: Vec::new(),
            delegated: false,
            dir: act.dir.clone().unwrap_or_default(),
            base: self.aside.is_some(),
            loose: true,
            self_made: self.wrote(output, &step.args) && !asserts(&step.args),
        });
    }

    /// Whether all that a step prints stands in what the agent had written itself.
    pub(super) fn echoes(&self, step: &Step) -> bool {
        const FEW: usize = 20;
        let output = step.text.as_str();
        let lines = output.lines().filter(|line| !line.trim().is_empty());
        let mut any = false;
        for (number, line) in lines.enumerate() {
            any = true;
            if number >= FEW || !self.written.wrote(line) {
                return false;
            }
        }
        any
    }

    /// Whether a line that sums up stands in what the agent had written itself.
    fn wrote(&self, output: &str, args: &str) -> bool {
        let speaks = |line: &&str| runner::read("", line).speech != Speech::Silent;
        output.lines().take(400).filter(speaks).any(|line| {
            let line = line.trim();
            args.contains(line) || self.written.wrote(line)
        })
    }
}

/// Whether a script checks what it loads before it prints: its summary is printed only where its
/// assertions held.
fn asserts(args: &str) -> bool {
    let has = |words: &[&str]| words.iter().any(|word| args.contains(word));
    has(&["assert ", "assert(", "assert.", "expect("]) && has(&["import ", "require("])
}

/// The output that a tool hands back as a field of an object: `{"stdout":"3 passed in 0.01s"}`.
fn captured(text: &str) -> Option<String> {
    let text = text.trim();
    if !text.starts_with('{') || text.len() > MOST {
        return None;
    }
    let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text).ok()?;
    let fields = ["stdout", "output"];
    let held = fields.iter().find_map(|key| object.get(*key)?.as_str())?;
    Some(held.to_owned())
}

/// A longer object is no tool's short answer, in bytes.
const MOST: usize = 256 * 1024;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_is_taken_out_of_an_object() {
        let text = r#"{"status":"success","stdout":"3 passed in 0.01s\n","return_code":0}"#;
        assert_eq!(captured(text).as_deref(), Some("3 passed in 0.01s\n"));
        assert_eq!(captured("3 passed in 0.01s"), None);
        assert_eq!(captured(r#"{"stdout":3}"#), None);
    }

    #[test]
    fn a_script_that_checks_what_it_loads_is_told_from_one_that_prints() {
        assert!(asserts("import app\nassert app.x == 2\nprint('2 passed')"));
        assert!(!asserts("assert True\nprint('2 passed')"));
        assert!(!asserts("import app\nprint('2 passed')"));
    }
}
