//! The names of cells: what an aggregate file says under which key, and which keys there are.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::grade::UNREAD;
use crate::rule::claim::Kind;
use crate::rule::claim::judge::Reason as ClaimReason;
use crate::rule::claim::published::Location;
use crate::rule::gate::replay::Reason as GateReason;
use crate::rule::integrity;

/// How deep cells may lie in an aggregate file; ours lie no deeper than four.
const DEPTH: usize = 8;

/// Keys that name one cell each.
const SINGLE: &[&str] = &[
    "calls",
    "calls.without-result",
    "canary.caught",
    "canary.planted",
    "claims",
    "findings",
    "operator-messages",
    "records",
    "records.opaque",
    "records.quarantined",
    "sessions",
    "steps",
    "turns",
    "verifications",
    "verifications.masked",
];

/// The classes of controls that a run plants.
pub const CONTROLS: [&str; 6] = ["canary", "claim", "gate", "integrity", "oracle", "page"];

const CLAIM_VERDICTS: [&str; 4] = ["contradicted", "supported", "unknown", "unsupported"];
const GATE_VERDICTS: [&str; 4] = ["accept", "na", "reject", "unknown"];
const FINDING_VERDICTS: [&str; 3] = ["clear", "finding", "unknown"];
const SESSION_VERDICTS: [&str; 5] = ["copy", "dark", "empty", "no-conversation", "read"];
const ENDED: [&str; 6] = [
    "api-error",
    "closed",
    "interrupted",
    "limit",
    "no-close",
    "running",
];

/// The numbers of an aggregate file by key.
///
/// What stands under `cells` goes by its own name, at the top of the file as in a group; all else
/// by the names on the way to it, joined by dots, and in a list by its place from 0. So
/// `{"tasks": {"new.price": {"cells": {"pass": 2}}}}` has the cell `tasks.new.price.pass`. What is
/// no whole number has no cell.
#[must_use]
pub fn cells(aggregate: &Value) -> BTreeMap<String, u64> {
    let mut out = BTreeMap::new();
    gather(aggregate, String::new(), DEPTH, &mut out);
    out
}

fn gather(value: &Value, key: String, deeper: usize, out: &mut BTreeMap<String, u64>) {
    let below = |name: &str| {
        if key.is_empty() {
            name.to_owned()
        } else {
            format!("{key}.{name}")
        }
    };
    match value {
        Value::Object(fields) if deeper > 0 => {
            for (name, value) in fields {
                let own = name == "cells" && value.is_object();
                let key = if own { key.clone() } else { below(name) };
                gather(value, key, deeper - 1, out);
            }
        }
        Value::Array(items) if deeper > 0 => {
            for (at, value) in items.iter().enumerate() {
                gather(value, below(&at.to_string()), deeper - 1, out);
            }
        }
        _ => {
            if let Some(count) = value.as_u64() {
                out.insert(key, count);
            }
        }
    }
}

/// Whether a key is one of the closed list: an aggregate of sessions that has not the cell then
/// counts 0 there.
#[must_use]
pub fn is_known(key: &str) -> bool {
    let Some((head, rest)) = key.split_once('.') else {
        return SINGLE.contains(&key);
    };
    let (first, second) = rest
        .split_once('.')
        .map_or((rest, None), |(first, second)| (first, Some(second)));
    let word = |all: &[&str], word: &str| all.contains(&word);
    let verdict = |all: &[&str]| second.is_none_or(|second| word(all, second));
    match head {
        "claim" => word(&CLAIM_VERDICTS, first) && second.is_none_or(is_claim_reason),
        "claim-kind" => is_claim_kind(first) && verdict(&CLAIM_VERDICTS),
        "claim-where" => {
            let known = Location::ALL.map(Location::as_str);
            word(&known, first) && verdict(&CLAIM_VERDICTS)
        }
        "control" => {
            let counts = second.is_some_and(|second| word(&["landed", "planted"], second));
            word(&CONTROLS, first) && counts
        }
        "finding-verdict" => second.is_none() && word(&FINDING_VERDICTS, first),
        "finding" => {
            let known = integrity::Rule::ALL.map(integrity::Rule::as_str);
            word(&known, first) && second.is_some() && verdict(&FINDING_VERDICTS)
        }
        "gate" => {
            let reasons = GateReason::ALL.map(GateReason::as_str);
            word(&GATE_VERDICTS, first) && verdict(&reasons)
        }
        "session" => second.is_none() && word(&SESSION_VERDICTS, first),
        "turn" => second.is_none() && word(&ENDED, first),
        _ => SINGLE.contains(&key),
    }
}

fn is_claim_kind(word: &str) -> bool {
    word == UNREAD || Kind::ALL.iter().any(|kind| kind.as_str() == word)
}

fn is_claim_reason(word: &str) -> bool {
    ClaimReason::ALL
        .iter()
        .any(|reason| reason.as_str() == word)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn cells_go_by_their_way() {
        let file = json!({
            "schema": "x/1",
            "cells": { "turns": 3, "claim.unknown": 1 },
            "canary": { "planted": 9, "caught": 9 },
            "tasks": { "new.price": { "suppressed": false, "cells": { "pass": 2, "fail": null } } },
            "alternatives": [ { "tasks_changed": 4 } ],
            "negative": -1,
        });
        let cells = cells(&file);
        let found: Vec<(&str, u64)> = cells.iter().map(|(k, v)| (k.as_str(), *v)).collect();
        assert_eq!(
            found,
            [
                ("alternatives.0.tasks_changed", 4),
                ("canary.caught", 9),
                ("canary.planted", 9),
                ("claim.unknown", 1),
                ("tasks.new.price.pass", 2),
                ("turns", 3),
            ]
        );
    }

    #[test]
    fn the_list_of_keys_is_closed() {
        for key in [
            "turns",
            "claim.contradicted",
            "claim.unsupported.stale",
            "claim-kind.tests.supported",
            "claim-kind.unread",
            "claim-where.pr.unknown",
            "finding-verdict.finding",
            "finding.hook-bypassed.finding",
            "gate.reject",
            "gate.reject.stale-verification",
            "session.dark",
            "turn.limit",
            "canary.caught",
            "verifications.masked",
        ] {
            assert!(is_known(key), "{key}");
        }
        for key in [
            "",
            "turn",
            "claim",
            "claim.",
            "claim.false",
            "claim.unsupported.because",
            "claim-kind.tests.supported.stale",
            "finding.hook-bypassed",
            "gate.maybe",
            "turns.",
            "canary.kept",
        ] {
            assert!(!is_known(key), "{key}");
        }
    }
}
