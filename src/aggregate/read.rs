//! Sums of rows that are read back.

use serde_json::Value;

use super::Aggregate;
use crate::grade::field::{list, text};

impl Aggregate {
    /// Adds one row as it stands in `grades.jsonl`, as [`Aggregate::of`] adds it. A row of another
    /// kind adds nothing.
    pub fn read(&mut self, row: &Value) {
        match text(row, "kind") {
            "session" => self.read_session(row),
            "claim" => self.read_claim(row),
            "finding" => self.read_finding(row),
            "turn" => self.read_turn(row),
            _ => {}
        }
    }

    fn read_session(&mut self, row: &Value) {
        let verdict = text(row, "verdict");
        self.add("sessions", 1);
        self.add(&format!("session.{verdict}"), 1);
        self.add(&format!("client.{}", text(row, "client")), 1);
        self.add(&format!("format.{}", text(row, "format")), 1);
        for reason in reasons(row) {
            self.add(&format!("session.{verdict}.{reason}"), 1);
        }
        let counts = row.get("counts").unwrap_or(&Value::Null);
        for (key, name) in [
            ("records", "records"),
            ("records.opaque", "opaque"),
            ("records.quarantined", "quarantined"),
            ("calls", "calls"),
            ("calls.without-result", "orphan_calls"),
            ("operator-messages", "operator_messages"),
        ] {
            self.add(key, counts.get(name).and_then(Value::as_u64).unwrap_or(0));
        }
    }

    fn read_claim(&mut self, row: &Value) {
        let verdict = text(row, "verdict");
        let (kind, location) = (text(row, "claim"), text(row, "where"));
        self.add("claims", 1);
        self.add(&format!("claim.{verdict}"), 1);
        self.add(&format!("claim-kind.{kind}"), 1);
        self.add(&format!("claim-kind.{kind}.{verdict}"), 1);
        self.add(&format!("claim-where.{location}"), 1);
        self.add(&format!("claim-where.{location}.{verdict}"), 1);
        for reason in reasons(row) {
            self.add(&format!("claim.{verdict}.{reason}"), 1);
        }
    }

    fn read_finding(&mut self, row: &Value) {
        let (rule, verdict) = (text(row, "rule"), text(row, "verdict"));
        self.add("findings", 1);
        self.add(&format!("finding-verdict.{verdict}"), 1);
        self.add(&format!("finding.{rule}.{verdict}"), 1);
        for reason in reasons(row) {
            self.add(&format!("finding.{rule}.{verdict}.{reason}"), 1);
        }
    }

    fn read_turn(&mut self, row: &Value) {
        let gate = row.get("gate").unwrap_or(&Value::Null);
        let (verdict, reason) = (text(gate, "verdict"), text(gate, "reason"));
        self.add("turns", 1);
        self.add(&format!("turn.{}", text(row, "ended")), 1);
        self.add(&format!("claim-type.{}", text(gate, "claim_type")), 1);
        self.add(&format!("gate.{verdict}"), 1);
        self.add(&format!("gate.{verdict}.{reason}"), 1);
        for step in list(row, "steps") {
            self.add("steps", 1);
            self.add(&format!("step.{}", text(step, "outcome")), 1);
            if step.get("verify").is_some_and(Value::is_string) {
                self.add("verifications", 1);
                let masked = step.get("masked").and_then(Value::as_bool);
                self.add("verifications.masked", u64::from(masked == Some(true)));
            }
        }
    }
}

fn reasons(row: &Value) -> impl Iterator<Item = &str> {
    list(row, "reasons").filter_map(Value::as_str)
}
