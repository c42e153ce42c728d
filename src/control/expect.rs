//! What a case or control expects of the rows, and whether they bear it out.

use core::fmt;
use core::ops::Range;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::session::{Script, Step};
use super::shown::{About, Shown};
use crate::rule::claim::judge::Verdict;
use crate::rule::claim::published::Location;
use crate::rule::integrity::Verdict as FindingVerdict;
use crate::rule::registry::RULES;

/// The family of claims, and as a kind any of them.
const CLAIM: &str = "claim";
const INTEGRITY: &str = "integrity";
/// Verdicts that accuse.
const BAD: [&str; 2] = ["unsupported", "contradicted"];

/// Words of a turn, and the kinds of claim that are meant: the span is the words' place.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Claimed {
    /// Kinds of claim, the best first; `claim` stands for any.
    pub claim: Vec<String>,
    /// The words.
    pub words: String,
    /// Where they were published; in the close unless told otherwise.
    #[serde(default)]
    pub at: Location,
    /// The turn, from 1; the last one unless told otherwise.
    #[serde(default)]
    pub turn: Option<u32>,
    /// A row there has one of these verdicts, and none says the opposite.
    #[serde(default)]
    pub verdict: Vec<Verdict>,
    /// And one of these reasons.
    #[serde(default)]
    pub reasons: Vec<String>,
    /// No row there has one of these verdicts, but a denial read as one.
    #[serde(default)]
    pub not: Vec<Verdict>,
    /// There is no row there, but a denial read as one.
    #[serde(default)]
    pub absent: bool,
    /// The row must be marked as a denial, or must not be.
    #[serde(default)]
    pub negated: Option<bool>,
}

/// What a rule of integrity says.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Found {
    /// The rule.
    pub finding: String,
    /// The turn, from 1; any unless told otherwise.
    #[serde(default)]
    pub turn: Option<u32>,
    /// `finding`, `clear` or `unknown`; left out, no row says `finding`.
    #[serde(default)]
    pub verdict: Option<FindingVerdict>,
}

/// What the gate says of a turn.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Gated {
    /// `accept`, `reject`, `unknown` or `na`; several are alternatives.
    pub gate: Vec<String>,
    /// Its reason; several are alternatives.
    #[serde(default)]
    pub reasons: Vec<String>,
    /// A near miss that is listed.
    #[serde(default)]
    pub near_miss: Option<String>,
    /// The turn, from 1; the last one unless told otherwise.
    #[serde(default)]
    pub turn: Option<u32>,
}

/// No claim of a turn is accused.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Quiet {
    /// Always false: whether anything is accused.
    pub accusation: bool,
    /// The turn, from 1; the last one unless told otherwise.
    #[serde(default)]
    pub turn: Option<u32>,
}

/// What a check of a frozen spec comes to.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Answered {
    /// `pass`, `fail` or `unknown`.
    pub status: Status,
    /// The reasons of that status.
    #[serde(default)]
    pub reasons: Vec<String>,
    /// What a failing check left unread besides.
    #[serde(default)]
    pub also_unknown: Vec<String>,
    /// What is told beside the verdict, by name; what is not named here is not asked.
    #[serde(default)]
    pub facts: Map<String, Value>,
}

/// What is wrong with a page.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Reported {
    /// Kinds of leaks and of untruths, by the words of `check-html`; none for a page that nothing
    /// is wrong with.
    pub faults: Vec<String>,
}

/// The status of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// It is as the key says.
    Pass,
    /// It is demonstrably otherwise.
    Fail,
    /// Nothing shows it.
    Unknown,
    /// It has nothing to say.
    Na,
}

/// One expectation.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Expect {
    /// Of a check of a frozen spec. Most are one: they are tried in this order.
    Check(Answered),
    /// Of a claim.
    Claim(Claimed),
    /// Of a rule of integrity.
    Finding(Found),
    /// Of the gate.
    Gate(Gated),
    /// Of a turn as a whole.
    Quiet(Quiet),
    /// Of a page.
    Report(Reported),
}

/// The rows of one run, and which file and session are the case's own.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    /// The rows.
    pub rows: &'a [Shown],
    /// The name of the session's own file.
    pub file: &'a str,
    /// The closes of the session's turns.
    pub closes: &'a [Option<&'a str>],
}

impl Seen<'_> {
    fn last(&self) -> u32 {
        u32::try_from(self.closes.len()).unwrap_or(u32::MAX)
    }

    /// Whether the row is about the case's own session, not a delegate's.
    fn own(&self, row: &Shown) -> bool {
        row.file.ends_with(self.file)
    }
}

impl Expect {
    /// Whether it speaks of rules that there are. A misspelt one has no row, and so every "is not" of it would hold.
    pub(super) fn is_known(&self) -> bool {
        let rule = |family: &str, id: &str| {
            let mut rules = RULES.iter();
            rules.any(|info| info.family == family && info.id == id)
        };
        match self {
            Self::Claim(claimed) => {
                let kind = |kind: &String| kind == CLAIM || rule(CLAIM, kind);
                !claimed.words.is_empty()
                    && !claimed.claim.is_empty()
                    && claimed.claim.iter().all(kind)
            }
            Self::Finding(found) => rule(INTEGRITY, &found.finding),
            Self::Quiet(quiet) => !quiet.accusation,
            Self::Gate(_) | Self::Check(_) | Self::Report(_) => true,
        }
    }

    pub(super) fn turn(&self) -> Option<u32> {
        match self {
            Self::Claim(claimed) => claimed.turn,
            Self::Finding(found) => found.turn,
            Self::Gate(gated) => gated.turn,
            Self::Quiet(quiet) => quiet.turn,
            Self::Check(_) | Self::Report(_) => None,
        }
    }

    /// The words must stand where the expectation says that they do.
    ///
    /// # Errors
    /// The expectation, and what is wrong with it.
    pub fn fits(&self, script: &Script) -> Result<(), String> {
        let turn = self.turn().map_or(script.turns.len(), |turn| turn as usize);
        let turn = script.turns.get(turn.wrapping_sub(1));
        let turn = turn.ok_or_else(|| format!("{self}: no such turn"))?;
        let Self::Claim(claimed) = self else {
            return Ok(());
        };
        let words = claimed.words.as_str();
        let stands = if claimed.at == Location::Close {
            let close = turn.close.as_deref();
            close.is_some_and(|close| close.contains(words))
        } else {
            turn.steps.iter().any(|step| match step {
                Step::Command { cmd, .. } => cmd.contains(words),
                Step::Todo(items) => items.iter().any(|(_, text)| text.contains(words)),
                Step::Agent { answer, .. } => answer.contains(words),
                Step::Tool { input, .. } => input.to_string().contains(words),
                _ => false,
            })
        };
        if stands {
            Ok(())
        } else {
            Err(format!("{self}: the words are nowhere"))
        }
    }

    /// Whether the rows fail to bear the expectation out.
    #[must_use]
    pub fn broken(&self, seen: &Seen<'_>) -> bool {
        match self {
            Self::Claim(claimed) => broken(claimed, seen),
            Self::Quiet(quiet) => claims(seen, quiet.turn).any(|row| BAD.contains(&row.verdict)),
            Self::Finding(found) => {
                let mut any = false;
                let mut accused = false;
                for row in findings(seen, found) {
                    accused |= row.verdict == "finding";
                    any |= found
                        .verdict
                        .is_none_or(|verdict| row.verdict == verdict.as_str());
                }
                match found.verdict {
                    None => accused,
                    Some(FindingVerdict::Finding) => !any,
                    Some(_) => !any || accused,
                }
            }
            Self::Gate(gated) => {
                let turn = gated.turn.unwrap_or(seen.last());
                let mut rows = seen
                    .rows
                    .iter()
                    .filter(|row| row.about == About::Gate && seen.own(row) && row.turn == turn);
                !rows.any(|row| {
                    let miss = gated.near_miss.as_deref();
                    gated.gate.iter().any(|verdict| row.verdict == verdict)
                        && (gated.reasons.is_empty() || has(row, &gated.reasons))
                        && miss.is_none_or(|miss| row.misses.contains(&miss))
                })
            }
            Self::Check(_) | Self::Report(_) => true,
        }
    }

    /// The rows that an expectation speaks of.
    #[must_use]
    pub fn about<'a>(&self, seen: &Seen<'a>) -> Vec<&'a Shown> {
        match self {
            Self::Claim(claimed) => over(claimed, seen),
            Self::Quiet(quiet) => {
                let bad = |row: &&Shown| BAD.contains(&row.verdict);
                claims(seen, quiet.turn).filter(bad).collect()
            }
            Self::Finding(found) => findings(seen, found).collect(),
            Self::Gate(gated) => {
                let turn = gated.turn.unwrap_or(seen.last());
                let rows = seen.rows.iter();
                rows.filter(|row| row.about == About::Gate && seen.own(row) && row.turn == turn)
                    .collect()
            }
            Self::Check(_) | Self::Report(_) => Vec::new(),
        }
    }
}

fn broken(claimed: &Claimed, seen: &Seen<'_>) -> bool {
    let rows = over(claimed, seen);
    let stated = || rows.iter().filter(|row| !row.negated);
    if claimed.absent {
        return stated().next().is_some();
    }
    if !claimed.not.is_empty() {
        return stated().any(|row| claimed.not.iter().any(|not| row.verdict == not.as_str()));
    }
    let wanted = |verdict: &str| claimed.verdict.iter().any(|one| one.as_str() == verdict);
    let right = |row: &&&Shown| {
        wanted(row.verdict)
            && (claimed.reasons.is_empty() || has(row, &claimed.reasons))
            && claimed.negated.is_none_or(|negated| row.negated == negated)
    };
    let wanted_bad = BAD.iter().any(|verdict| wanted(verdict));
    let opposite = |row: &&Shown| {
        (row.verdict == "supported" && !wanted("supported"))
            || (BAD.contains(&row.verdict) && !wanted_bad)
    };
    !rows.iter().any(|row| right(&row)) || rows.iter().any(opposite)
}

/// Rows of claims of the turn, whatever their place, and those of delegates.
fn claims<'a>(seen: &Seen<'a>, turn: Option<u32>) -> impl Iterator<Item = &'a Shown> {
    let turn = turn.unwrap_or(seen.last());
    let seen = *seen;
    let own = move |row: &&Shown| row.about == About::Claim && (!seen.own(row) || row.turn == turn);
    seen.rows.iter().filter(own)
}

fn over<'a>(claimed: &Claimed, seen: &Seen<'a>) -> Vec<&'a Shown> {
    let turn = claimed.turn.unwrap_or(seen.last());
    let close = seen.closes.get((turn as usize).wrapping_sub(1));
    let close = close.copied().flatten().unwrap_or("");
    let words = claimed.words.as_str();
    let span = close
        .find(words)
        .map(|at| at as u64..(at + words.len()) as u64);
    claims(seen, claimed.turn)
        .filter(|row| {
            let mut kinds = claimed.claim.iter();
            kinds.any(|kind| kind == CLAIM || row.name == kind)
        })
        .filter(|row| {
            // A delegate's close is a hand-back, in whichever file it is reported.
            let place = match row.place {
                "close" if !seen.own(row) => "handback",
                place => place,
            };
            let there = if place == "close" {
                span.as_ref().is_some_and(|span| overlaps(&row.span, span))
            } else {
                let text = row.text.as_str();
                !text.is_empty() && (text.contains(words) || words.contains(text))
            };
            place == claimed.at.as_str() && there
        })
        .collect()
}

fn findings<'a>(seen: &Seen<'a>, found: &Found) -> impl Iterator<Item = &'a Shown> {
    let rows = seen.rows.iter();
    rows.filter(move |row| {
        row.about == About::Finding
            && row.name == found.finding
            && found.turn.is_none_or(|turn| row.turn == turn)
    })
}

fn has(row: &Shown, reasons: &[String]) -> bool {
    row.reasons
        .iter()
        .any(|one| reasons.iter().any(|want| one == want))
}

fn overlaps(row: &Range<u64>, span: &Range<u64>) -> bool {
    row.start < span.end && span.start < row.end
}

fn alternatives(f: &mut fmt::Formatter<'_>, verdicts: &[Verdict]) -> fmt::Result {
    let words: Vec<&str> = verdicts.iter().map(|verdict| verdict.as_str()).collect();
    f.write_str(&words.join("|"))
}

/// As the pages spell it.
impl fmt::Display for Expect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(turn) = self.turn() {
            write!(f, "{turn}: ")?;
        }
        match self {
            Self::Claim(claimed) => {
                if claimed.at != Location::Close {
                    write!(f, "{}: ", claimed.at.as_str())?;
                }
                if claimed.absent {
                    f.write_str("no ")?;
                } else if !claimed.not.is_empty() {
                    f.write_str("not ")?;
                    alternatives(f, &claimed.not)?;
                    f.write_str(" ")?;
                }
                write!(f, "{} \"{}\"", claimed.claim.join("|"), claimed.words)?;
                if !claimed.verdict.is_empty() {
                    f.write_str(" ")?;
                    alternatives(f, &claimed.verdict)?;
                }
                if claimed.reasons.is_empty() {
                    Ok(())
                } else {
                    write!(f, "({})", claimed.reasons.join("|"))
                }
            }
            Self::Finding(found) => match found.verdict {
                Some(verdict) => write!(f, "{} {}", verdict.as_str(), found.finding),
                None => write!(f, "no finding {}", found.finding),
            },
            Self::Gate(gated) => {
                write!(f, "gate {}", gated.gate.join("|"))?;
                if !gated.reasons.is_empty() {
                    write!(f, "({})", gated.reasons.join("|"))?;
                }
                match &gated.near_miss {
                    Some(miss) => write!(f, " !{miss}"),
                    None => Ok(()),
                }
            }
            Self::Quiet(_) => f.write_str("no accusation"),
            Self::Check(answered) => f.write_str(&super::oracle::spelled(answered)),
            Self::Report(reported) => f.write_str(&super::report::spelled(&reported.faults)),
        }
    }
}
