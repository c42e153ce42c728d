//! Expectations as the pages under `tests/rules` spell them, one a line.

use super::expect::{Claimed, Expect, Found, Gated, Quiet};
use crate::rule::claim::judge::Verdict;
use crate::rule::claim::published::Location;
use crate::rule::integrity::Verdict as FindingVerdict;

fn list(text: &str) -> Vec<String> {
    text.split('|').map(str::to_owned).collect()
}

/// `KINDS "words" REST`.
fn quoted(text: &str) -> Result<(Claimed, &str), String> {
    let (kinds, rest) = text.split_once(" \"").ok_or("words are missing")?;
    let (words, rest) = rest.rsplit_once('"').ok_or("words have no end")?;
    let claimed = Claimed {
        claim: list(kinds),
        words: words.to_owned(),
        ..Claimed::default()
    };
    Ok((claimed, rest.trim()))
}

fn verdicts(text: &str) -> Result<Vec<Verdict>, String> {
    let of = |word: &str| {
        let found = Verdict::ALL.into_iter().find(|one| one.as_str() == word);
        found.ok_or_else(|| format!("no verdict: {word}"))
    };
    text.split('|').map(of).collect()
}

fn reasons(text: &str) -> Vec<String> {
    match text {
        "" => Vec::new(),
        _ => list(text),
    }
}

fn claim(text: &str) -> Result<Expect, String> {
    let (claimed, rest) = quoted(text)?;
    let (verdict, reason) = rest.split_once(' ').unwrap_or((rest, ""));
    Ok(Expect::Claim(Claimed {
        verdict: verdicts(verdict)?,
        reasons: reasons(reason),
        ..claimed
    }))
}

fn gate(text: &str) -> Expect {
    let (rest, miss) = match text.split_once(" !") {
        Some((rest, miss)) => (rest, Some(miss.to_owned())),
        None => (text, None),
    };
    let (verdict, reason) = rest.split_once(' ').unwrap_or((rest, ""));
    Expect::Gate(Gated {
        gate: list(verdict),
        reasons: reasons(reason),
        near_miss: miss,
        turn: None,
    })
}

fn what(text: &str) -> Result<Expect, String> {
    let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
    let finding = |id: &str, verdict| {
        Expect::Finding(Found {
            finding: id.to_owned(),
            turn: None,
            verdict,
        })
    };
    let verdict = match first {
        "finding" => Some(FindingVerdict::Finding),
        "clear" => Some(FindingVerdict::Clear),
        "unknown" => Some(FindingVerdict::Unknown),
        _ => None,
    };
    if verdict.is_some() && !rest.contains('"') {
        return Ok(finding(rest, verdict));
    }
    match first {
        "gate" => Ok(gate(rest)),
        "no" if rest == "accusation" => Ok(Expect::Quiet(Quiet {
            accusation: false,
            turn: None,
        })),
        "no" if rest.starts_with("finding ") => Ok(finding(&rest["finding ".len()..], None)),
        "no" => {
            let (claimed, _) = quoted(rest)?;
            Ok(Expect::Claim(Claimed {
                absent: true,
                ..claimed
            }))
        }
        "not" => {
            let (verdict, rest) = rest.split_once(' ').ok_or("not VERDICT KIND WORDS")?;
            let (claimed, _) = quoted(rest)?;
            Ok(Expect::Claim(Claimed {
                not: verdicts(verdict)?,
                ..claimed
            }))
        }
        _ => claim(text),
    }
}

impl Expect {
    /// Reads a line of a page's `expect` block.
    ///
    /// # Errors
    /// What is not understood of it.
    pub fn parse(line: &str) -> Result<Self, String> {
        let (mut turn, mut at, mut rest) = (None, Location::Close, line);
        while let Some((head, tail)) = rest.split_once(": ") {
            let venue = Location::ALL
                .into_iter()
                .find(|venue| venue.as_str() == head);
            match (venue, head.parse()) {
                (Some(Location::Close) | None, Err(_)) => break,
                (_, Ok(number)) => turn = Some(number),
                (Some(venue), Err(_)) => at = venue,
            }
            rest = tail;
        }
        let mut expect = what(rest).map_err(|error| format!("{line}: {error}"))?;
        match &mut expect {
            Self::Claim(claimed) => (claimed.turn, claimed.at) = (turn, at),
            Self::Finding(found) => found.turn = turn,
            Self::Gate(gated) => gated.turn = turn,
            Self::Quiet(quiet) => quiet.turn = turn,
            Self::Check(_) | Self::Report(_) => {}
        }
        Ok(expect)
    }
}
