//! The aggregate and its addition.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::grade::Row;

/// The schema that an aggregate names.
pub const AGGREGATE_SCHEMA: &str = "deedcheck/aggregate/1";

/// What leads the cells of controls.
const CONTROL: &str = "control.";

/// Counts by key. Addition is commutative and associative, and the empty aggregate is its zero.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Aggregate {
    /// [`AGGREGATE_SCHEMA`].
    pub schema: &'static str,
    /// The program's version.
    pub version: &'static str,
    /// Counts by key, such as `gate.reject.stale-verification`.
    pub cells: BTreeMap<String, u64>,
}

impl Default for Aggregate {
    fn default() -> Self {
        Self {
            schema: AGGREGATE_SCHEMA,
            version: env!("CARGO_PKG_VERSION"),
            cells: BTreeMap::new(),
        }
    }
}

impl Aggregate {
    /// The sums of some rows.
    #[must_use]
    pub fn of(rows: &[Row]) -> Self {
        let mut sums = Self::default();
        for row in rows {
            sums.row(row);
        }
        sums
    }

    /// Notes how many controls of a class were planted in a run, and how many of them landed.
    pub fn controls(&mut self, class: &str, planted: u64, landed: u64) {
        self.add(&format!("control.{class}.planted"), planted);
        self.add(&format!("control.{class}.landed"), landed);
    }

    pub(super) fn add(&mut self, key: &str, count: u64) {
        if count > 0 {
            *self.cells.entry(key.to_owned()).or_insert(0) += count;
        }
    }

    fn row(&mut self, row: &Row) {
        match row {
            Row::Session(row) => {
                self.add("sessions", 1);
                self.add(&format!("session.{}", row.verdict), 1);
                self.add(&format!("client.{}", row.client), 1);
                self.add(&format!("format.{}", row.format), 1);
                for reason in &row.reasons {
                    self.add(&format!("session.{}.{reason}", row.verdict), 1);
                }
                let counts = &row.counts;
                self.add("records", counts.records);
                self.add("records.opaque", counts.opaque);
                self.add("records.quarantined", counts.quarantined);
                self.add("calls", counts.calls);
                self.add("calls.without-result", counts.orphan_calls);
                self.add("operator-messages", counts.operator_messages);
            }
            Row::Claim(row) => {
                self.add("claims", 1);
                self.add(&format!("claim.{}", row.verdict), 1);
                self.add(&format!("claim-kind.{}", row.claim), 1);
                self.add(&format!("claim-kind.{}.{}", row.claim, row.verdict), 1);
                self.add(&format!("claim-where.{}", row.location), 1);
                self.add(&format!("claim-where.{}.{}", row.location, row.verdict), 1);
                for reason in &row.reasons {
                    self.add(&format!("claim.{}.{reason}", row.verdict), 1);
                }
            }
            Row::Finding(row) => {
                self.add("findings", 1);
                self.add(&format!("finding-verdict.{}", row.verdict), 1);
                self.add(&format!("finding.{}.{}", row.rule, row.verdict), 1);
                for reason in &row.reasons {
                    self.add(&format!("finding.{}.{}.{reason}", row.rule, row.verdict), 1);
                }
            }
            Row::Turn(row) => {
                self.add("turns", 1);
                self.add(&format!("turn.{}", row.ended), 1);
                self.add(&format!("claim-type.{}", row.gate.claim_type), 1);
                self.add(&format!("gate.{}", row.gate.verdict), 1);
                self.add(&format!("gate.{}.{}", row.gate.verdict, row.gate.reason), 1);
                for step in &row.steps {
                    self.add("steps", 1);
                    self.add(&format!("step.{}", step.outcome), 1);
                    if step.verify.is_some() {
                        self.add("verifications", 1);
                        self.add("verifications.masked", u64::from(step.masked));
                    }
                }
            }
        }
    }

    /// Adds another run's sums. Controls are the same in each shard of a run, so that they do not
    /// add up: the most that were planted count, less the most that landed elsewhere.
    pub fn merge(&mut self, other: &Self) {
        let classes: BTreeSet<String> = [&*self, other]
            .iter()
            .flat_map(|sums| sums.cells.keys())
            .filter_map(|key| Some(key.strip_prefix(CONTROL)?.rsplit_once('.')?.0.to_owned()))
            .collect();
        let of = |sums: &Self, class: &str| {
            let planted = sums.cell(&format!("{CONTROL}{class}.planted"));
            let landed = sums.cell(&format!("{CONTROL}{class}.landed"));
            (planted, planted.saturating_sub(landed))
        };
        let controls: Vec<(String, u64, u64)> = classes
            .into_iter()
            .map(|class| {
                let (one, two) = (of(self, &class), of(other, &class));
                (class, one.0.max(two.0), one.1.max(two.1))
            })
            .collect();
        self.cells.retain(|key, _| !key.starts_with(CONTROL));
        for (class, planted, elsewhere) in controls {
            self.controls(&class, planted, planted.saturating_sub(elsewhere));
        }
        for (key, count) in &other.cells {
            if !key.starts_with(CONTROL) {
                self.add(key, *count);
            }
        }
    }

    /// One cell; 0 where nothing was counted.
    #[must_use]
    pub fn cell(&self, key: &str) -> u64 {
        self.cells.get(key).copied().unwrap_or(0)
    }

    /// The cells right below a key, without its prefix, largest first and then by name.
    #[must_use]
    pub fn below(&self, key: &str) -> Vec<(&str, u64)> {
        below(&self.cells, key)
    }
}

/// The cells right below a key, without its prefix, largest first and then by name.
#[must_use]
pub fn below<'a>(cells: &'a BTreeMap<String, u64>, key: &str) -> Vec<(&'a str, u64)> {
    let prefix = format!("{key}.");
    let mut found: Vec<(&str, u64)> = cells
        .range(prefix.clone()..)
        .take_while(|(name, _)| name.starts_with(&prefix))
        .filter_map(|(name, count)| {
            let rest = name.get(prefix.len()..)?;
            (!rest.contains('.')).then_some((rest, *count))
        })
        .collect();
    found.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addition_does_not_care_for_order() {
        let mut one = Aggregate::default();
        one.add("a", 1);
        one.add("b.c", 2);
        let mut two = Aggregate::default();
        two.add("a", 3);
        two.add("b.d", 2);
        let (mut left, mut right) = (one.clone(), two.clone());
        left.merge(&two);
        right.merge(&one);
        assert_eq!(left, right);
        assert_eq!(left.cell("a"), 4);
        assert_eq!(left.below("b"), [("c", 2), ("d", 2)]);
    }

    #[test]
    fn controls_of_shards_do_not_add_up() {
        let shard = |landed| {
            let mut sums = Aggregate::default();
            sums.add("a", 1);
            sums.controls("gate", 5, landed);
            sums
        };
        let (mut left, mut right) = (shard(5), shard(3));
        left.merge(&shard(3));
        right.merge(&shard(5));
        assert_eq!(left, right);
        assert_eq!(left.cell("a"), 2);
        assert_eq!(left.cell("control.gate.planted"), 5);
        assert_eq!(left.cell("control.gate.landed"), 3);
        let alone = shard(3);
        let mut zero = Aggregate::default();
        zero.merge(&alone);
        assert_eq!(zero, alone);
    }
}
