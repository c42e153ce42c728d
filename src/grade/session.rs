//! A session's row.

use super::row::{BytesRow, CountsRow, QuarantineRow, SCHEMA, SessionRow};
use crate::transcript::{FileReport, Header, Opaque, Reason};
use crate::turn::Counts;

/// What a session's row is made of.
pub struct SessionFacts<'a> {
    /// The file's name in rows.
    pub file: &'a str,
    /// What was read of the file.
    pub report: &'a FileReport,
    /// What the file says of this session.
    pub header: &'a Header,
    /// What was counted in it.
    pub counts: &'a Counts,
    /// First and last line of its turns.
    pub lines: Option<(u64, u64)>,
    /// Whether this is the file's first session; what was counted of the whole file stands there.
    pub first: bool,
}

/// The row of a session.
#[must_use]
pub fn session_row(facts: &SessionFacts<'_>) -> SessionRow {
    let (status, verdict, reason) = session_verdict(facts.report, facts.counts);
    let report = facts.report;
    let whole = |count: u64| if facts.first { count } else { 0 };
    let torn_last = report
        .quarantined
        .iter()
        .any(|piece| piece.reason == Reason::TornLast);
    let counts = facts.counts;
    SessionRow {
        schema: SCHEMA,
        kind: "session",
        file: facts.file.to_owned(),
        session: facts.header.session.clone(),
        lines: facts.lines,
        status,
        verdict,
        reasons: reason.into_iter().map(str::to_owned).collect(),
        evidence: Vec::new(),
        client: facts.header.client.as_str(),
        client_version: facts.header.version.clone(),
        agent: agent(facts.header),
        format: report.format.as_str(),
        sha256: hex(&report.sha256),
        bytes: report.size,
        counts: CountsRow {
            records: whole(report.records),
            opaque: whole(report.opaque.values().sum()),
            quarantined: whole(report.quarantined.len() as u64),
            torn_last: whole(u64::from(torn_last)),
            calls: counts.calls,
            results: counts.results,
            pairs: counts.pairs,
            orphan_calls: counts.orphan_calls,
            orphan_results: counts.orphan_results,
            operator_messages: counts.operator_messages,
            turns: counts.turns,
            copied_turns: counts.copied_turns + counts.inherited_turns,
            rewound_turns: counts.rewound_turns,
            ended: counts
                .ended
                .iter()
                .map(|(ended, n)| (ended.as_str(), *n))
                .collect(),
            bytes: BytesRow {
                record: whole(report.record_bytes),
                separator: whole(report.separator_bytes),
                blank: whole(report.blank_bytes),
                bom: whole(report.bom_bytes),
                quarantined: whole(report.quarantined_bytes),
            },
        },
        opaque_types: opaque(facts),
        quarantine: quarantine(facts),
    }
}

/// What becomes of a session: its status, its verdict, and why. `dark` is what could not be judged.
#[must_use]
pub fn session_verdict(
    report: &FileReport,
    counts: &Counts,
) -> (&'static str, &'static str, Option<&'static str>) {
    let dark = |reason| ("unknown", "dark", Some(reason));
    if let Some(fault) = report.fault {
        return dark(fault.as_str());
    }
    let turns = counts.turns;
    if turns > 0 {
        if counts.copied_turns == turns {
            return ("na", "copy", Some("copied-history"));
        }
        return ("pass", "read", None);
    }
    let bytes = report.record_bytes + report.quarantined_bytes;
    if bytes == 0 {
        return ("na", "empty", None);
    }
    if report.records == 0 {
        return dark("no-record");
    }
    if report.format == crate::transcript::Format::Unknown {
        return dark("unknown-format");
    }
    if report.records == report.bookkeeping && report.quarantined.is_empty() {
        return ("na", "no-conversation", None);
    }
    if counts.copied_turns + counts.inherited_turns + counts.rewound_turns > 0 {
        return ("na", "no-conversation", None);
    }
    dark("no-turn")
}

fn opaque(facts: &SessionFacts<'_>) -> Opaque {
    if facts.first {
        facts.report.opaque.clone()
    } else {
        Opaque::new()
    }
}

fn quarantine(facts: &SessionFacts<'_>) -> Vec<QuarantineRow> {
    if !facts.first {
        return Vec::new();
    }
    facts
        .report
        .quarantined
        .iter()
        .map(|piece| QuarantineRow {
            line: piece.line,
            start: piece.start,
            end: piece.end,
            reason: piece.reason.as_str(),
        })
        .collect()
}

/// Whose session it is: `main`, `subagent` or `compaction`.
#[must_use]
pub fn agent(header: &Header) -> &'static str {
    if header.compaction {
        "compaction"
    } else if header.subagent {
        "subagent"
    } else {
        "main"
    }
}

/// Bytes as lower-case hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut out = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        out.push(char::from(DIGITS[usize::from(byte >> 4)]));
        out.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    out
}
