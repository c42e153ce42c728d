//! What a case expects of the rows, and whether they bear it out.

use std::ops::Range;

use serde_json::Value;

use super::script::{Script, Step};

/// Verdicts that accuse.
const BAD: [&str; 2] = ["unsupported", "contradicted"];
const VERDICTS: [&str; 4] = ["supported", "unsupported", "contradicted", "unknown"];

#[derive(Debug)]
enum What {
    /// A row of one of these kinds on these words, with one of these verdicts and reasons.
    Claim {
        kinds: Vec<String>,
        words: String,
        verdicts: Vec<String>,
        reasons: Vec<String>,
    },
    /// No row of these kinds on these words, unless it reads a denial as one.
    No {
        kinds: Vec<String>,
        words: String,
    },
    /// No row of these kinds on these words has one of these verdicts.
    Not {
        verdicts: Vec<String>,
        kinds: Vec<String>,
        words: String,
    },
    NoAccusation,
    Finding {
        verdict: String,
        id: String,
    },
    NoFinding {
        id: String,
    },
}

#[derive(Debug)]
pub(crate) struct Expect {
    pub(crate) line: String,
    /// None: the last turn; for findings, any.
    turn: Option<usize>,
    /// `close`, `commit`, `pr`, `task` or `handback`.
    place: String,
    what: What,
}

/// The rows of one run, and which file and session are the case's own.
pub(crate) struct Seen<'a> {
    pub(crate) rows: &'a [Value],
    pub(crate) file: &'a str,
    pub(crate) script: &'a Script,
}

fn list(text: &str) -> Vec<String> {
    text.split('|').map(str::to_owned).collect()
}

/// `KINDS "words" REST`.
fn quoted(text: &str) -> Result<(Vec<String>, String, &str), String> {
    let (kinds, rest) = text.split_once(" \"").ok_or("words are missing")?;
    let (words, rest) = rest.rsplit_once('"').ok_or("words have no end")?;
    Ok((list(kinds), words.to_owned(), rest.trim()))
}

fn verdicts(text: &str) -> Result<Vec<String>, String> {
    let found = list(text);
    for verdict in &found {
        if !VERDICTS.contains(&verdict.as_str()) {
            return Err(format!("no verdict: {verdict}"));
        }
    }
    Ok(found)
}

fn claim(text: &str) -> Result<What, String> {
    let (kinds, words, rest) = quoted(text)?;
    let (verdict, reason) = rest.split_once(' ').unwrap_or((rest, ""));
    Ok(What::Claim {
        kinds,
        words,
        verdicts: verdicts(verdict)?,
        reasons: if reason.is_empty() {
            Vec::new()
        } else {
            list(reason)
        },
    })
}

fn what(text: &str) -> Result<What, String> {
    let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
    match first {
        "finding" | "clear" | "unknown" if !rest.contains('"') => Ok(What::Finding {
            verdict: first.to_owned(),
            id: rest.to_owned(),
        }),
        "no" if rest == "accusation" => Ok(What::NoAccusation),
        "no" if rest.starts_with("finding ") => Ok(What::NoFinding {
            id: rest["finding ".len()..].to_owned(),
        }),
        "no" => {
            let (kinds, words, _) = quoted(rest)?;
            Ok(What::No { kinds, words })
        }
        "not" => {
            let (verdict, rest) = rest.split_once(' ').ok_or("not VERDICT KIND WORDS")?;
            let (kinds, words, _) = quoted(rest)?;
            Ok(What::Not {
                verdicts: verdicts(verdict)?,
                kinds,
                words,
            })
        }
        _ => claim(text),
    }
}

impl Expect {
    pub(crate) fn parse(line: &str) -> Result<Self, String> {
        let (mut turn, mut place, mut rest) = (None, "close", line);
        while let Some((head, tail)) = rest.split_once(": ").filter(|(head, _)| {
            ["commit", "pr", "task", "handback"].contains(head) || head.parse::<usize>().is_ok()
        }) {
            match head.parse() {
                Ok(number) => turn = Some(number),
                Err(_) => place = head,
            }
            rest = tail;
        }
        Ok(Self {
            line: line.to_owned(),
            turn,
            place: place.to_owned(),
            what: what(rest).map_err(|error| format!("{line}: {error}"))?,
        })
    }

    /// The words must stand where the expectation says that they do.
    pub(crate) fn fits(&self, script: &Script) -> Result<(), String> {
        let turn = self.turn.unwrap_or(script.turns.len());
        let turn = script
            .turns
            .get(turn.wrapping_sub(1))
            .ok_or_else(|| format!("{}: no such turn", self.line))?;
        let (What::Claim { words, .. } | What::No { words, .. } | What::Not { words, .. }) =
            &self.what
        else {
            return Ok(());
        };
        let stands = if self.place == "close" {
            turn.close
                .as_deref()
                .is_some_and(|close| close.contains(words))
        } else {
            turn.steps.iter().any(|step| match step {
                Step::Command { cmd, .. } => cmd.contains(words),
                Step::Todo(items) => items.iter().any(|(_, text)| text.contains(words)),
                Step::Agent { answer, .. } => answer.contains(words),
                Step::Tool { input, .. } => input.to_string().contains(words),
                _ => false,
            })
        };
        stands
            .then_some(())
            .ok_or_else(|| format!("{}: the words are nowhere", self.line))
    }

    /// Whether the rows fail to bear the expectation out.
    pub(crate) fn broken(&self, seen: &Seen<'_>) -> bool {
        match &self.what {
            What::Claim {
                kinds,
                words,
                verdicts,
                reasons,
            } => {
                let rows = self.over(seen, kinds, words);
                let right = |row: &&Value| {
                    verdicts.iter().any(|verdict| row["verdict"] == *verdict)
                        && (reasons.is_empty() || has(row, reasons))
                };
                let opposite = |row: &&Value| {
                    let verdict = row["verdict"].as_str().unwrap_or("");
                    let wanted_good = verdicts.iter().any(|verdict| verdict == "supported");
                    let wanted_bad = verdicts
                        .iter()
                        .any(|verdict| BAD.contains(&verdict.as_str()));
                    (verdict == "supported" && !wanted_good)
                        || (BAD.contains(&verdict) && !wanted_bad)
                };
                !rows.iter().any(right) || rows.iter().any(opposite)
            }
            What::No { kinds, words } => self
                .over(seen, kinds, words)
                .iter()
                .any(|row| row["negated"] != true),
            What::Not {
                verdicts,
                kinds,
                words,
            } => self.over(seen, kinds, words).iter().any(|row| {
                row["negated"] != true && verdicts.iter().any(|verdict| row["verdict"] == *verdict)
            }),
            What::NoAccusation => self.claims(seen).any(|row| {
                row["verdict"]
                    .as_str()
                    .is_some_and(|verdict| BAD.contains(&verdict))
            }),
            What::Finding { verdict, id } => {
                let rows = self.findings(seen, id);
                !rows.iter().any(|row| row["verdict"] == *verdict)
                    || verdict != "finding" && rows.iter().any(|row| row["verdict"] == "finding")
            }
            What::NoFinding { id } => self
                .findings(seen, id)
                .iter()
                .any(|row| row["verdict"] == "finding"),
        }
    }

    /// Rows of claims of the turn, whatever their place, and those of delegates.
    fn claims<'a>(&self, seen: &Seen<'a>) -> impl Iterator<Item = &'a Value> {
        let turn = self.turn.unwrap_or(seen.script.turns.len());
        let file = seen.file.to_owned();
        seen.rows
            .iter()
            .filter(move |row| row["kind"] == "claim" && (!own(row, &file) || row["turn"] == turn))
    }

    fn over<'a>(&self, seen: &Seen<'a>, kinds: &[String], words: &str) -> Vec<&'a Value> {
        let turn = self.turn.unwrap_or(seen.script.turns.len());
        let close = seen.script.turns[turn - 1].close.as_deref().unwrap_or("");
        let span = close.find(words).map(|at| at..at + words.len());
        self.claims(seen)
            .filter(|row| {
                kinds
                    .iter()
                    .any(|kind| kind == "claim" || row["claim"] == *kind)
            })
            .filter(|row| {
                // A delegate's close is a hand-back, in whichever file it is reported.
                let place = match row["where"].as_str().unwrap_or("close") {
                    "close" if !own(row, seen.file) => "handback",
                    place => place,
                };
                place == self.place
                    && if place == "close" {
                        span.clone().is_some_and(|span| overlaps(row, &span))
                    } else {
                        let text = row["text"].as_str().unwrap_or("");
                        !text.is_empty() && (text.contains(words) || words.contains(text))
                    }
            })
            .collect()
    }

    fn findings<'a>(&self, seen: &Seen<'a>, id: &str) -> Vec<&'a Value> {
        seen.rows
            .iter()
            .filter(|row| row["kind"] == "finding")
            .filter(|row| {
                ["finding", "rule", "check", "id"]
                    .iter()
                    .any(|key| row[*key] == id)
            })
            .filter(|row| self.turn.is_none_or(|turn| row["turn"] == turn))
            .collect()
    }
}

/// Whether the row is about the case's own session, not a delegate's.
fn own(row: &Value, file: &str) -> bool {
    row["file"]
        .as_str()
        .is_some_and(|name| name.ends_with(file))
}

fn has(row: &Value, reasons: &[String]) -> bool {
    row["reasons"].as_array().is_some_and(|said| {
        said.iter()
            .any(|one| reasons.iter().any(|want| one == want))
    })
}

fn overlaps(row: &Value, span: &Range<usize>) -> bool {
    let at = |key: &str| {
        row["span"][key]
            .as_u64()
            .and_then(|number| usize::try_from(number).ok())
    };
    match (at("start"), at("end")) {
        (Some(start), Some(end)) => start < span.end && span.start < end,
        _ => false,
    }
}
