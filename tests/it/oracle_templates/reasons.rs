//! Every reason that the original gives, with what we call it: each has a control that is planted to land there.

use std::collections::BTreeSet;

use deedcheck::control::{Expect, examples, kinds};

use super::Template;

/// Reasons of templates: the template, the original's id, ours.
const OF_TEMPLATES: &[(&str, &str, &str)] = &[
    ("T0", "capture_missing", "capture-missing"),
    ("T0", "capture_conflict", "capture-conflict"),
    ("T0", "key_missing", "key-missing"),
    ("T0", "subject_missing", "subject-missing"),
    ("T0", "subject_not_newest", "subject-not-newest"),
    ("T0", "test_count", "test-count"),
    ("T0", "test_status", "test-status"),
    ("T0", "test_skipped", "test-skipped"),
    ("T0", "test_failures", "test-failures"),
    ("T0", "test_errors", "test-errors"),
    ("T0", "env_mismatch", "env-mismatch"),
    ("T0", "unparsed", "unparsed"),
    ("T1", "headings_missing", "headings-missing"),
    ("T1", "headings_order", "headings-order"),
    ("T1", "heading_count", "heading-count"),
    ("T1", "token_lines", "berth-lines"),
    ("T1", "tree_drift", "tree-drift"),
    ("T2", "digest_missing", "digest-missing"),
    ("T2", "sha256", "digest"),
    ("T2", "bytes_missing", "bytes-missing"),
    ("T2", "bytes", "bytes"),
    ("T2", "verdict", "verdict"),
    ("T2", "recovery_missing", "recovery-missing"),
    ("T2", "call_state_unknown", "call-state-unknown"),
    ("T3", "definition_location", "definition-location"),
    ("T3", "definition_text", "definition-text"),
    ("T4", "citation_missing", "citation-missing"),
    ("T5", "site_excluded", "site-excluded"),
    ("T5", "site_spurious", "site-spurious"),
    ("T5", "sites_missing", "sites-missing"),
    ("T5", "definition_missing", "definition-missing"),
    ("T6", "citation_missing", "citation-missing"),
    ("T6", "citation_unresolved", "citation-unresolved"),
    ("T7", "citation_missing", "citation-missing"),
    ("T7", "no_historical_hit", "no-historical-hit"),
    ("T7", "result_unobservable", "result-unobservable"),
    ("T7", "call_state_unknown", "call-state-unknown"),
    ("T8", "names_missing", "names-missing"),
    ("T8", "name_excluded", "name-excluded"),
    ("T8", "count", "count"),
    ("T9", "json_strict_decode", "json-strict-decode"),
    ("T9", "toon_strict_decode", "toon-strict-decode"),
    ("T9", "strict_shape", "shape"),
    ("T9", "records", "records"),
    ("T9", "strict_types", "types"),
    ("T9", "key_order", "key-order"),
    ("T10", "files_missing", "files-missing"),
    ("T10", "count", "count"),
    ("T10", "site_spurious", "site-spurious"),
    ("T10", "sites_missing", "sites-missing"),
    ("T11", "functions_missing", "functions-missing"),
    ("T11", "sites_missing", "sites-missing"),
    ("T11", "input_missing", "input-missing"),
    ("T12", "retention", "kept"),
    ("T12", "key_missing", "key-missing"),
    ("T12", "key_drift", "key-drift"),
    ("T12", "unparsed", "unparsed"),
    ("T13", "unparsed", "unparsed"),
    ("T14", "no_archive_query", "no-archive-query"),
    (
        "T14",
        "archive_query_unobserved",
        "archive-query-unobserved",
    ),
    ("T14", "session_outside_table", "session-outside-table"),
    (
        "T14",
        "session_not_before_query",
        "session-not-before-query",
    ),
    ("T14", "start_unresolved", "start-unresolved"),
    ("T14", "session_missing", "session-missing"),
    ("T14", "count_mismatch", "count-mismatch"),
    ("T14", "owned_process_survives", "owned-process-survives"),
    ("T14", "survival_unobserved", "survival-unobserved"),
    ("T14", "unparsed", "unparsed"),
    ("T16", "records", "records"),
    ("T16", "latency_sum", "sum"),
    ("T16", "citation_missing", "citation-missing"),
    ("T16", "missing_source", "missing-source"),
    ("T16", "retrieval_unconfirmed", "retrieval-unconfirmed"),
    ("T21", "citation_missing", "citation-missing"),
    ("T21", "no_historical_hit", "no-historical-hit"),
    ("T21", "unparsed", "unparsed"),
    ("T26", "events", "events"),
    ("T26", "value_sum", "value-sum"),
    ("T26", "site_duplicated", "site-duplicated"),
    ("T26", "sites_missing", "sites-missing"),
    ("T27", "exit", "exit"),
    ("T27", "summary_literal", "summary"),
    ("T27", "inventory", "inventory"),
    ("T27", "line_count", "line-count"),
    ("T27", "acceptance_run", "acceptance-run"),
    ("T27", "key_missing", "key-missing"),
    ("T28", "files", "files"),
    ("T28", "hunks", "hunks"),
    ("T28", "added", "added"),
    ("T28", "deleted", "deleted"),
    ("T29", "name_missing", "name-missing"),
    ("T29", "line_count", "line-count"),
    ("T30", "exit", "exit"),
    ("T30", "py_compile", "py-compile"),
    ("T30", "post_w_missing", "post-w-missing"),
    ("T31", "input_hash", "input-hash"),
    ("T31", "block_grading", "block-grading"),
    ("T31", "conflicting_identity", "conflicting-identity"),
    ("T31", "extra_changes", "extra-changes"),
    ("T31", "empty_diff", "empty-diff"),
    ("T31", "bytes_differ", "bytes-differ"),
    ("T31", "greeting", "greeting"),
    ("T32", "verdict", "verdict"),
    ("T32", "record_id", "record"),
    ("T32", "latency", "latency"),
    ("T33", "events", "events"),
    ("T33", "levels", "levels"),
    ("T34", "count", "count"),
    ("T35", "first", "first"),
    ("T35", "last", "last"),
    ("T36", "path_only", "path-only"),
    ("T36", "sentinel_missing", "sentinel-missing"),
    ("T36", "sibling_value", "sibling-value"),
    ("T36", "inventory_missing", "inventory-missing"),
    ("T36", "before_lines", "before-lines"),
    ("T37", "names_missing", "names-missing"),
    ("T38", "input_hash", "input-hash"),
    ("T38", "elements_missing", "elements-missing"),
];

/// Reasons of evidence that no template asks for, which gates count: the check kind, what it is in the original, our reason.
const OF_KINDS: &[(&str, &str, &str)] = &[
    ("round-trip", "not_encoded", "not-encoded"),
    ("round-trip", "ineligible", "ineligible-encode"),
    ("round-trip", "ineligible_unknown", "ineligible-unknown"),
    ("round-trip", "unequal", "roundtrip-unequal"),
    ("round-trip", "output_file", "output-file"),
    ("round-trip", "call_state_unknown", "call-state-unknown"),
    ("round-trip", "unknown without an original", "no-original"),
    ("lane-use", "not_adopted", "not-adopted"),
    ("lane-use", "unknown", "call-state-unknown"),
    ("lane-use", "unknown by the ledger", "join-unknown"),
    ("blindness", "calls", "calls"),
    ("blindness", "injection", "injection"),
    ("blindness", "first_prompt", "first-prompt"),
    ("blindness", "memory_index", "reads"),
    ("blindness", "marker", "marker"),
    ("role-config", "role text once", "role-text"),
    ("role-config", "pinned model", "model"),
    ("role-config", "pinned effort", "effort"),
    ("role-config", "sandbox of the parent", "sandbox"),
    ("role-config", "cwd of the parent", "cwd"),
    ("role-config", "servers of the parent", "servers"),
    (
        "call-evidence",
        "pointer_outside_roots",
        "pointer-outside-roots",
    ),
];

#[test]
fn every_reason_of_the_original_has_a_control() {
    let templates = Template::all();
    let mut without = Vec::new();
    for (template, theirs, ours) in OF_TEMPLATES {
        let own = templates
            .iter()
            .find(|own| own.words("templates").any(|id| id == *template));
        if !own.is_some_and(|own| own.planted().contains(ours)) {
            without.push(format!("{template} {theirs}: {ours}"));
        }
    }
    let planted = || kinds().iter().chain(examples());
    let lands = |expect: &Expect, reason: &str| match expect {
        Expect::Check(answered) => {
            let mut reasons = answered.reasons.iter().chain(&answered.also_unknown);
            reasons.any(|own| own == reason)
        }
        _ => false,
    };
    for (kind, theirs, ours) in OF_KINDS {
        let mut own = planted().filter(|own| own.rule == *kind);
        if !own.any(|own| own.expect.iter().any(|expect| lands(expect, ours))) {
            without.push(format!("{kind} {theirs}: {ours}"));
        }
    }
    assert!(without.is_empty(), "no control for {without:#?}");
    let listed: BTreeSet<_> = OF_TEMPLATES.iter().chain(OF_KINDS).collect();
    assert_eq!(listed.len(), OF_TEMPLATES.len() + OF_KINDS.len(), "twice");
}
