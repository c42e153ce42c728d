//! The gate's answers beside the reader's statements.

use super::program::{about, rows};
use super::reading::{Case, Statement, Turn};

/// Each turn whose answer does not fit what the reader says of its statements, one line for each.
pub(super) fn misfits(case: &Case) -> Vec<String> {
    let rows = rows(&case.folder, &[case.client()]);
    let mut found = Vec::new();
    for file in case.main_files() {
        for (turn, row) in case.turns_of(file).iter().zip(about(&rows, "turn", file)) {
            let here = format!("{} turn {}", case.name, row["turn"]);
            found.extend(misfit(&here, &turn.statements, &row["gate"]));
            found.extend(unseen(&here, turn, &row["gate"]));
        }
    }
    for agent in case.agents() {
        for row in about(&rows, "turn", agent.file().unwrap_or_default()) {
            let here = format!("{} agent", case.name);
            found.extend(misfit(&here, &agent.statements, &row["gate"]));
        }
    }
    found
}

fn misfit(here: &str, statements: &[Statement], gate: &serde_json::Value) -> Option<String> {
    let verdict = gate["verdict"].as_str()?;
    let reason = gate["reason"].as_str()?;
    let unborne: Vec<String> = statements
        .iter()
        .filter(|statement| statement.borne_out == "no")
        .map(|statement| format!("{} by {}", statement.kind, statement.ground))
        .collect();
    let borne = statements.iter().all(|s| s.borne_out == "yes");
    match verdict {
        "accept" if !unborne.is_empty() => Some(format!(
            "{here}: accept ({reason}) of {}",
            unborne.join(", ")
        )),
        "reject" if borne && !statements.is_empty() => {
            Some(format!("{here}: reject ({reason}) of what is borne out"))
        }
        _ => None,
    }
}

/// An earlier attempt to close that nothing bore out, and that the gate did not count.
fn unseen(here: &str, turn: &Turn, gate: &serde_json::Value) -> Option<String> {
    let unborne = turn
        .said_before
        .iter()
        .any(|said| said.statements.iter().any(|s| s.borne_out == "no"));
    (unborne && gate["rejected_attempts"] == 0)
        .then(|| format!("{here}: no earlier attempt rejected"))
}
