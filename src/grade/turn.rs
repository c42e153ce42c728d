//! A turn's row.

use sha2::{Digest as _, Sha256};

use super::row::{CloseRef, EvidenceRow, GateRow, OperatorRef, SCHEMA, StepRow, TurnRow};
use super::session::{agent, hex};
use crate::rule::gate::claim_type::ClaimType;
use crate::rule::gate::replay::{Answer, GateVerdict};
use crate::rule::gate::{Preset, Profile};
use crate::shell::{Domain, Effect, Verify};
use crate::transcript::{Header, Outcome};
use crate::turn::{Step, Turn};

/// What a turn's row is made of.
pub struct TurnFacts<'a> {
    /// The file's name in rows.
    pub file: &'a str,
    /// What the file says of the session.
    pub header: &'a Header,
    /// The turn.
    pub turn: &'a Turn,
    /// The gate's answer.
    pub answer: &'a Answer,
    /// The profile that gave it.
    pub profile: Profile,
    /// The preset that it used.
    pub preset: Preset,
}

/// The row of a turn.
#[must_use]
pub fn turn_row(facts: &TurnFacts<'_>) -> TurnRow {
    let (turn, answer) = (facts.turn, facts.answer);
    let close = turn.close();
    TurnRow {
        schema: SCHEMA,
        kind: "turn",
        file: facts.file.to_owned(),
        session: facts.header.session.clone(),
        turn: turn.number,
        lines: turn.lines,
        status: status(answer.verdict),
        verdict: answer.verdict.as_str(),
        reasons: vec![answer.reason.as_str().to_owned()],
        evidence: answer
            .evidence
            .iter()
            .map(|evidence| EvidenceRow {
                file: facts.file.to_owned(),
                line: evidence.place.line,
                start: evidence.place.start,
                end: evidence.place.end,
                what: evidence.what.to_owned(),
            })
            .collect(),
        client: facts.header.client.as_str(),
        client_version: facts.header.version.clone(),
        agent: agent(facts.header),
        ended: turn.ended.as_str(),
        operator: turn.prompt.as_ref().map(|prompt| OperatorRef {
            line: prompt.place.line,
            delegated: prompt.delegated,
        }),
        close: close.map(|close| CloseRef {
            line: close.place.line,
            sha256: hex(&Sha256::digest(close.text.as_bytes())),
        }),
        steps: turn
            .in_result_order()
            .into_iter()
            .map(|at| step_row(&turn.steps[at]))
            .collect(),
        gate: gate_row(facts),
    }
}

/// What nothing in the record shows is unknown: only what is demonstrably wrong would fail.
pub(super) fn status(verdict: GateVerdict) -> &'static str {
    match verdict {
        GateVerdict::Accept => "pass",
        GateVerdict::Reject | GateVerdict::Unknown => "unknown",
        GateVerdict::Na => "na",
    }
}

fn gate_row(facts: &TurnFacts<'_>) -> GateRow {
    let answer = facts.answer;
    GateRow {
        profile: facts.profile.as_str(),
        preset: facts.preset.as_str(),
        claim_type: claim_type(answer.claim_type),
        claim_source: "inferred",
        span: answer
            .span
            .as_ref()
            .map(|span| (span.start as u64, span.end as u64)),
        text: claim_text(facts),
        verdict: answer.verdict.as_str(),
        reason: answer.reason.as_str(),
        near_misses: answer
            .near_misses
            .iter()
            .map(|miss| miss.as_str())
            .collect(),
        legal_next: answer.legal_next().to_vec(),
        partial_disclosure: answer.partial_disclosure,
        unverified_paths: answer.unverified_paths.clone(),
        budget: answer.budget,
        rejected_attempts: answer.rejected_attempts,
    }
}

/// The words of the claim, verbatim and cut where they are long.
fn claim_text(facts: &TurnFacts<'_>) -> String {
    const LIMIT: usize = 400;
    let close = facts.turn.close();
    let text = close
        .zip(facts.answer.span.clone())
        .and_then(|(close, span)| close.text.get(span));
    let text = text.unwrap_or("").trim();
    let end = text.floor_char_boundary(LIMIT);
    text[..end].to_owned()
}

pub(super) fn claim_type(claim: ClaimType) -> &'static str {
    match claim {
        ClaimType::None => "none",
        ClaimType::Assertion => "assertion",
        ClaimType::Completion => "completion",
        ClaimType::Unverified => "unverified",
        ClaimType::Unknown => "unknown",
    }
}

fn step_row(step: &Step) -> StepRow {
    let strongest = step
        .acts
        .iter()
        .map(|act| act.effect)
        .max()
        .unwrap_or(Effect::None);
    let domain = step
        .acts
        .iter()
        .filter(|act| act.effect == strongest)
        .find_map(|act| act.domain);
    StepRow {
        line: step.call.line,
        result: step.first.or(step.result).map(|place| place.line),
        call: step.tool.clone(),
        outcome: step.outcome.as_str(),
        code: match step.outcome {
            Outcome::Failed(code) => code,
            Outcome::Ok => step.code,
            Outcome::Denied
            | Outcome::Invalid
            | Outcome::Interrupted
            | Outcome::Running
            | Outcome::Missing
            | Outcome::Unknown => None,
        },
        masked: step.masked(),
        effect: strongest.as_str(),
        domain: domain.map(Domain::as_str),
        verify: step
            .acts
            .iter()
            .find_map(|act| act.verify)
            .map(Verify::as_str),
    }
}
