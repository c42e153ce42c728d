//! The closed vocabularies of the rows as JSON Schema, spelled by the types that spell the rows.
//!
//! `closed!` names every variant of an enum in a match without a wildcard: a new variant does not
//! compile until it stands in the published schema too.

use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use super::claim::UNREAD;
use super::row::SCHEMA;
use super::turn;
use crate::rule::claim::Kind;
use crate::rule::claim::judge::{Reason as ClaimReason, Verdict};
use crate::rule::claim::published::Location;
use crate::rule::gate::claim_type::ClaimType;
use crate::rule::gate::replay::{GateVerdict, NearMiss, Reason, Signal};
use crate::rule::gate::{LEGAL_NEXT, Preset, Profile};
use crate::rule::integrity::{self, Verdict as FindingVerdict};
use crate::shell::{Domain, Effect, Verify};
use crate::source::ReadFault;
use crate::transcript::{Client, Format, Outcome, Reason as Unread};
use crate::turn::Ended;

/// The spellings of every variant of an enum, in the order given.
macro_rules! closed {
    ($spell:expr, $kind:ident { $($variant:ident $(($inner:pat => $value:expr))?),+ $(,)? }) => {{
        const fn witness(value: &$kind) {
            match value { $($kind::$variant $(($inner))? => (),)+ }
        }
        let all = [$($kind::$variant $(($value))?),+];
        all.iter().for_each(witness);
        all.map($spell).to_vec()
    }};
}

fn one_of(words: &[&str]) -> Schema {
    json_schema!({ "type": "string", "enum": words })
}

fn list_of(words: &[&str]) -> Schema {
    json_schema!({ "type": "array", "items": { "type": "string", "enum": words } })
}

fn one_of_or_null(words: Vec<&str>) -> Schema {
    let mut words: Vec<Value> = words.into_iter().map(Value::from).collect();
    words.push(Value::Null);
    json_schema!({ "type": ["string", "null"], "enum": words })
}

fn constant(word: &str) -> Schema {
    json_schema!({ "type": "string", "const": word })
}

pub(crate) fn version(_: &mut SchemaGenerator) -> Schema {
    constant(SCHEMA)
}

pub(crate) fn session_kind(_: &mut SchemaGenerator) -> Schema {
    constant("session")
}

pub(crate) fn turn_kind(_: &mut SchemaGenerator) -> Schema {
    constant("turn")
}

pub(crate) fn session_status(_: &mut SchemaGenerator) -> Schema {
    one_of(&["pass", "unknown", "na"])
}

pub(crate) fn turn_status(_: &mut SchemaGenerator) -> Schema {
    let verdicts = gate_verdicts();
    let mut words: Vec<&str> = verdicts
        .iter()
        .map(|(_, verdict)| turn::status(*verdict))
        .collect();
    words.sort_unstable();
    words.dedup();
    one_of(&words)
}

pub(crate) fn session_verdict(_: &mut SchemaGenerator) -> Schema {
    one_of(&["read", "dark", "no-conversation", "empty", "copy"])
}

pub(crate) fn session_reasons(_: &mut SchemaGenerator) -> Schema {
    let mut words = closed!(
        ReadFault::as_str,
        ReadFault {
            Unreadable,
            NotRegular,
            Shrunk,
            BadCompression,
            TooLarge
        }
    );
    words.extend(["no-record", "unknown-format", "no-turn", "copied-history"]);
    list_of(&words)
}

pub(crate) fn client(_: &mut SchemaGenerator) -> Schema {
    one_of(&closed!(
        Client::as_str,
        Client {
            ClaudeCode,
            Codex,
            Unknown
        }
    ))
}

pub(crate) fn agent(_: &mut SchemaGenerator) -> Schema {
    one_of(&["main", "subagent", "compaction"])
}

pub(crate) fn format(_: &mut SchemaGenerator) -> Schema {
    one_of(&closed!(
        Format::as_str,
        Format {
            ClaudeSession,
            ClaudeStream,
            ClaudeJson,
            ClaudeJournal,
            CodexRollout,
            CodexRolloutBare,
            CodexExec,
            CodexExecOld,
            Unknown,
        }
    ))
}

pub(crate) fn sha256(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "pattern": "^[0-9a-f]{64}$" })
}

pub(crate) fn quarantine_reason(_: &mut SchemaGenerator) -> Schema {
    one_of(&closed!(
        Unread::as_str,
        Unread {
            TornLast,
            Torn,
            NotJson,
            NotObject,
            TooDeep,
            TooLong
        }
    ))
}

fn endings() -> Vec<&'static str> {
    closed!(
        Ended::as_str,
        Ended {
            Closed,
            Interrupted,
            ApiError,
            Limit,
            NoClose,
            Running
        }
    )
}

pub(crate) fn ended(_: &mut SchemaGenerator) -> Schema {
    one_of(&endings())
}

pub(crate) fn ended_counts(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "propertyNames": { "enum": endings() },
        "additionalProperties": { "type": "integer", "minimum": 0 },
    })
}

fn gate_verdicts() -> Vec<(&'static str, GateVerdict)> {
    closed!(
        |verdict| (verdict.as_str(), verdict),
        GateVerdict {
            Accept,
            Reject,
            Unknown,
            Na
        }
    )
}

pub(crate) fn gate_verdict(_: &mut SchemaGenerator) -> Schema {
    let words: Vec<&str> = gate_verdicts().into_iter().map(|(word, _)| word).collect();
    one_of(&words)
}

pub(crate) fn gate_reason(_: &mut SchemaGenerator) -> Schema {
    one_of(&Reason::ALL.map(Reason::as_str))
}

pub(crate) fn gate_reasons(_: &mut SchemaGenerator) -> Schema {
    list_of(&Reason::ALL.map(Reason::as_str))
}

pub(crate) fn near_misses(_: &mut SchemaGenerator) -> Schema {
    list_of(&closed!(
        NearMiss::as_str,
        NearMiss {
            Empty,
            Novelty,
            Irrelevant,
            Mutating,
            Failed,
            Running,
            Masked,
            Subagent,
            Parallel,
            Truncated,
            Unknown,
            NamesOnly,
        }
    ))
}

pub(crate) fn legal_next(_: &mut SchemaGenerator) -> Schema {
    list_of(&LEGAL_NEXT)
}

pub(crate) fn claim_type(_: &mut SchemaGenerator) -> Schema {
    one_of(&closed!(
        turn::claim_type,
        ClaimType {
            None,
            Assertion,
            Completion,
            Unverified,
            Unknown
        }
    ))
}

pub(crate) fn claim_source(_: &mut SchemaGenerator) -> Schema {
    one_of(&["declared", "inferred"])
}

pub(crate) fn profile(_: &mut SchemaGenerator) -> Schema {
    one_of(&Profile::ALL.map(Profile::as_str))
}

pub(crate) fn preset(_: &mut SchemaGenerator) -> Schema {
    one_of(&Preset::ALL.map(Preset::as_str))
}

/// A profile as a policy file may spell it: the older spellings are read too.
pub(crate) fn profile_read(_: &mut SchemaGenerator) -> Schema {
    let mut words: Vec<Value> = Profile::ALL.map(|known| json!(known.as_str())).to_vec();
    words.extend([json!("gg-0.1.0"), json!("gg-replay")]);
    json_schema!({ "type": "string", "enum": words })
}

pub(crate) fn outcome(_: &mut SchemaGenerator) -> Schema {
    one_of(&closed!(
        Outcome::as_str,
        Outcome {
            Ok,
            Failed(_ => None),
            Denied,
            Invalid,
            Interrupted,
            Running,
            Missing,
            Unknown,
        }
    ))
}

pub(crate) fn effect(_: &mut SchemaGenerator) -> Schema {
    one_of(&closed!(
        Effect::as_str,
        Effect {
            None,
            Read,
            Unknown,
            Mutate
        }
    ))
}

pub(crate) fn domain(_: &mut SchemaGenerator) -> Schema {
    one_of_or_null(closed!(
        Domain::as_str,
        Domain {
            Workspace,
            Repo,
            Scratch,
            Environment,
            Remote
        }
    ))
}

pub(crate) fn verify(_: &mut SchemaGenerator) -> Schema {
    one_of_or_null(closed!(
        Verify::as_str,
        Verify {
            Test,
            Build,
            Lint,
            Typecheck,
            Format,
            Run
        }
    ))
}

pub(crate) fn signals(_: &mut SchemaGenerator) -> Schema {
    list_of(&Signal::ALL.map(Signal::as_str))
}

pub(crate) fn claim_kind(_: &mut SchemaGenerator) -> Schema {
    constant("claim")
}

pub(crate) fn claim_status(_: &mut SchemaGenerator) -> Schema {
    one_of(&["pass", "fail", "unknown"])
}

pub(crate) fn claim_verdict(_: &mut SchemaGenerator) -> Schema {
    one_of(&closed!(
        Verdict::as_str,
        Verdict {
            Supported,
            Unsupported,
            Contradicted,
            Unknown
        }
    ))
}

pub(crate) fn claim_reasons(_: &mut SchemaGenerator) -> Schema {
    list_of(&ClaimReason::ALL.map(ClaimReason::as_str))
}

pub(crate) fn claim_rule(_: &mut SchemaGenerator) -> Schema {
    let mut words = Kind::ALL.map(Kind::as_str).to_vec();
    words.push(UNREAD);
    one_of(&words)
}

pub(crate) fn claim_location(_: &mut SchemaGenerator) -> Schema {
    one_of(&Location::ALL.map(Location::as_str))
}

pub(crate) fn finding_kind(_: &mut SchemaGenerator) -> Schema {
    constant("finding")
}

pub(crate) fn finding_verdict(_: &mut SchemaGenerator) -> Schema {
    one_of(&closed!(
        integrity::Verdict::as_str,
        FindingVerdict {
            Finding,
            Clear,
            Unknown
        }
    ))
}

pub(crate) fn finding_reasons(_: &mut SchemaGenerator) -> Schema {
    list_of(&integrity::Reason::ALL.map(integrity::Reason::as_str))
}

pub(crate) fn finding_rule(_: &mut SchemaGenerator) -> Schema {
    one_of(&integrity::Rule::ALL.map(integrity::Rule::as_str))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_profile_of_a_policy_is_read() {
        let schema = profile_read(&mut SchemaGenerator::default());
        let words = schema.get("enum").unwrap().as_array().unwrap();
        assert_eq!(words.len(), Profile::ALL.len() + 2);
        for word in words {
            assert!(Profile::parse(word.as_str().unwrap()).is_some(), "{word}");
        }
    }
}
