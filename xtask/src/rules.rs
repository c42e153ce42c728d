//! The index of rules, from their registry.

use std::fmt::Write as _;

use deedcheck::rule::registry::RULES;

/// The whole index.
pub(crate) fn page() -> String {
    let mut out = String::from(
        "# Rules\n\nMade by `cargo run -p xtask -- generate` from the registry; do not edit by hand.\n\
         `deedcheck explain RULE` prints a rule's page.\n\n\
         | rule | family | default | asks | verdicts |\n|---|---|---|---|---|\n",
    );
    for rule in RULES {
        let verdicts: Vec<String> = rule
            .verdicts
            .iter()
            .map(|word| format!("`{word}`"))
            .collect();
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | {} | {} |",
            rule.id,
            rule.family,
            if rule.default { "on" } else { "off" },
            rule.question.replace('|', "\\|"),
            verdicts.join(" "),
        );
    }
    out
}
