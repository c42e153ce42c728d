//! What a change of a test file takes away and brings, as far as its lines tell.

use super::mark::{
    is_assertion, is_comment, is_conditional, is_skip, is_test_path, marks_test, test_name,
};
use crate::turn::{Alter, Side};

/// A line with the test that it belongs to, where that is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) under: Option<String>,
    pub(super) line: String,
}

/// What one change of a test file comes to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Delta {
    pub(super) tests_out: Vec<String>,
    pub(super) tests_in: Vec<String>,
    /// Tests that stand on both sides.
    pub(super) tests_kept: Vec<String>,
    pub(super) asserts_out: Vec<Told>,
    pub(super) asserts_in: Vec<Told>,
    /// Assertions that stand on both sides.
    pub(super) asserts_kept: Vec<Told>,
    pub(super) skips_out: Vec<Told>,
    pub(super) skips_in: Vec<Told>,
    /// Those of them that stand under a condition, by their places.
    pub(super) conditioned: Vec<usize>,
    /// Lines that came in as comments, without their marks.
    pub(super) comments: Vec<String>,
    /// A handler that catches a failure and drops it.
    pub(super) swallows: Option<Told>,
}

/// Reads a change, or nothing where no test is touched.
pub(super) fn read(alter: &Alter) -> Option<Delta> {
    let test_file = is_test_path(&alter.path);
    let inline =
        alter.path.ends_with(".rs") && alter.lines.iter().any(|(_, line)| marks_test(line));
    if !test_file && !inline {
        return None;
    }
    let mut delta = Delta::default();
    // On each side by itself: the test that the next lines belong to, and whether the line before
    // marks the next declaration.
    let mut under: [Option<String>; 2] = [None, None];
    let mut marked = [false; 2];
    let mut waiting: Vec<usize> = Vec::new();
    for (at, (side, line)) in alter.lines.iter().enumerate() {
        if line.is_empty() && *side == Side::Both {
            under = [None, None];
            marked = [false; 2];
            continue;
        }
        let sides: &[usize] = match side {
            Side::Removed => &[0],
            Side::Added => &[1],
            Side::Both => &[0, 1],
        };
        let mark = sides.iter().any(|at| marked[*at])
            || alter.path.ends_with(".rs") && test_file && plain_test(line);
        if let Some(name) = test_name(line, mark) {
            match side {
                Side::Removed => delta.tests_out.push(name.to_owned()),
                Side::Added => delta.tests_in.push(name.to_owned()),
                Side::Both => delta.tests_kept.push(name.to_owned()),
            }
            for at in sides {
                under[*at] = Some(name.to_owned());
            }
            if *side != Side::Removed {
                for at in waiting.drain(..) {
                    delta.skips_in[at].under = Some(name.to_owned());
                }
            }
        }
        for at in sides {
            marked[*at] = marks_test(line)
                || marked[*at]
                    && (is_comment(line) || line.trim_start().starts_with(['@', '[', '#']));
        }
        let own = under[sides[0]].clone();
        let marks = delta.skips_in.len();
        delta.line(*side, line, own, &mut waiting);
        if delta.skips_in.len() > marks && is_conditioned(&alter.lines[..at], line) {
            delta.conditioned.push(marks);
        }
    }
    delta.settle();
    Some(delta)
}

/// Whether a line stands in a block that a condition opens, or behind one of its own. `before` are
/// the lines above it.
fn is_conditioned(before: &[(Side, String)], line: &str) -> bool {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut above = before.iter().rev().filter(|(side, line)| {
        *side != Side::Removed && !line.trim().is_empty() && !is_comment(line)
    });
    let opener = above.find(|(_, other)| indent(other) < indent(line));
    is_condition(line) || opener.is_some_and(|(_, opener)| is_condition(opener))
}

/// `if …`, unless what it asks always holds.
fn is_condition(line: &str) -> bool {
    let line = line.trim_start().trim_start_matches(['}', ' ']);
    let heads = ["if ", "if(", "elif ", "else if ", "else if(", "unless "];
    let Some(rest) = heads.iter().find_map(|head| line.strip_prefix(head)) else {
        return false;
    };
    let asked = rest.trim_start_matches(['(', ' ']);
    let word = asked.split(|c: char| !c.is_alphanumeric() && c != '_');
    !matches!(word.into_iter().next(), Some("true" | "True" | "1"))
}

fn plain_test(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("fn ") && line.contains("()")
}

impl Delta {
    fn line(&mut self, side: Side, line: &str, under: Option<String>, waiting: &mut Vec<usize>) {
        let told = Told {
            under,
            line: line.trim().to_owned(),
        };
        let skip = is_skip(line) || is_conditional(line);
        match side {
            Side::Removed if skip => self.skips_out.push(told),
            Side::Added if skip => {
                // A mark above its test waits for the name; one on its line or inside has it.
                let above = ["@", "#[", "["]
                    .iter()
                    .any(|head| line.trim_start().starts_with(head));
                if above {
                    waiting.push(self.skips_in.len());
                }
                self.skips_in.push(told);
            }
            Side::Removed if is_assertion(line) => self.asserts_out.push(told),
            Side::Added if is_assertion(line) => self.asserts_in.push(told),
            Side::Both if is_assertion(line) => self.asserts_kept.push(told),
            Side::Added if is_comment(line) => {
                let text = told.line.trim_start_matches(['#', '/', '*', '-', ' ']);
                self.comments.push(text.to_owned());
            }
            Side::Added if swallows(line) => self.swallows = Some(told),
            _ => {}
        }
    }

    /// Whether a line that was taken out is a comment now.
    pub(super) fn commented(&self, told: &Told) -> bool {
        self.comments.contains(&told.line)
    }

    /// Whether the test of an assertion that was taken out stands, with another that it had.
    pub(super) fn asks_on(&self, told: &Told) -> bool {
        let same = |other: &&Told| told.under.is_some() && other.under == told.under;
        let stays = |other: &Told| {
            self.asserts_out
                .iter()
                .any(|out| out.line == other.line && out.line != told.line)
        };
        self.asserts_kept.iter().any(|other| same(&other))
            || self.asserts_in.iter().filter(same).any(stays)
    }

    /// Takes out what only moved within the change.
    fn settle(&mut self) {
        let (mut out, mut come) = (Vec::new(), Vec::new());
        std::mem::swap(&mut out, &mut self.tests_out);
        std::mem::swap(&mut come, &mut self.tests_in);
        self.tests_out = out
            .iter()
            .filter(|name| !come.contains(name) && !self.tests_kept.contains(name))
            .cloned()
            .collect();
        self.tests_in = come
            .into_iter()
            .filter(|name| !out.contains(name))
            .collect();
    }
}

/// `except: pass` and its kin on one line.
fn swallows(line: &str) -> bool {
    let line = line.trim();
    [
        "except: pass",
        "except Exception: pass",
        "catch {}",
        "catch (e) {}",
        "catch (_) {}",
        "catch (error) {}",
        "catch(() => {})",
        "suppress(AssertionError)",
        "suppress(Exception)",
        "except AssertionError:",
        "rescue nil",
    ]
    .iter()
    .any(|mark| line.contains(mark))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::Change;

    fn alter(path: &str, lines: &[(Side, &str)]) -> Alter {
        Alter {
            path: path.to_owned(),
            change: Change::Update,
            lines: lines
                .iter()
                .map(|(side, line)| (*side, (*line).to_owned()))
                .collect(),
            cut: false,
        }
    }

    #[test]
    fn a_line_belongs_to_the_test_above_it() {
        use Side::{Added, Both, Removed};
        let delta = read(&alter(
            "tests/t.py",
            &[
                (Both, "def test_a():"),
                (Removed, "    assert f() == 1"),
                (Both, "def test_a():"),
                (Added, "    assert f()"),
                (Both, ""),
                (Removed, "def test_b():"),
                (Removed, "    assert g() == 2"),
                (Added, "@pytest.mark.skip"),
                (Both, "def test_c():"),
            ],
        ))
        .unwrap();
        assert_eq!(delta.asserts_out[0].under.as_deref(), Some("test_a"));
        assert_eq!(delta.asserts_out[1].under.as_deref(), Some("test_b"));
        assert_eq!(delta.tests_out, ["test_b"]);
        assert_eq!(delta.skips_in[0].under.as_deref(), Some("test_c"));
    }

    #[test]
    fn tests_inside_code_are_told_by_their_mark() {
        use Side::Removed;
        let lines = [
            (Removed, "#[test]"),
            (Removed, "fn adds() {"),
            (Removed, "assert_eq!(1, 2);"),
        ];
        assert_eq!(
            read(&alter("src/a.rs", &lines)).unwrap().tests_out,
            ["adds"]
        );
        assert!(read(&alter("src/a.rs", &lines[1..])).is_none());
        assert!(read(&alter("src/a.py", &[(Removed, "def test_a():")])).is_none());
    }
}
