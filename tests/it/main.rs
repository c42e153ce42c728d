//! The one integration binary.
#![expect(
    clippy::unwrap_used,
    clippy::use_debug,
    reason = "a test that cannot go on stops, and says what it saw"
)]
#![expect(
    clippy::too_many_lines,
    reason = "a test that tells one long story is read from top to bottom"
)]

mod calibrate;
mod canary_generated;
mod capture;
mod carriers;
mod check_html;
mod claim_reader;
mod claim_type;
mod cli;
mod control;
mod damaged;
mod determinism;
mod differential;
mod early;
mod edge;
mod explained;
mod gate_counts;
mod gate_exact;
mod gate_labels;
mod gate_rule;
mod generated;
mod golden;
mod golden_command;
mod house;
mod killed;
mod leak_shapes;
mod mutants;
mod oracle_cases;
mod oracle_controls;
mod oracle_forms;
mod oracle_guards;
mod oracle_pages;
mod oracle_templates;
mod page_alternative;
mod page_faults;
mod page_regression;
mod pages;
mod private;
mod private_regression;
mod published;
mod reference;
mod refusals;
mod regrade;
mod regression;
mod report;
mod rule_spec;
mod schema;
mod shared;
mod shell;
mod spec_attempts;
mod spec_beside;
mod spec_carriers;
mod spec_evidence;
mod spec_gates;
mod spec_golden;
mod spec_policy;
mod spec_refusals;
mod spec_shown;
mod spec_tides;
mod survives;
mod traced;
