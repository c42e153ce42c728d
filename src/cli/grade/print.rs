//! What a run prints: the table, the sums, or the rows.

use std::io::Write;

use super::super::args::{Format, Grade, Listed};
use super::super::page::page;
use super::super::watch::knowing;
use super::super::{RunError, Surroundings};
use super::{Outcome, POLICY_FILE, Plan, exit};
use crate::grade::Row;
use crate::pipeline::Policy;
use crate::report::{Listing, Picked, Style, TableView, quoted, table};

/// Prints what was asked for, to its end.
///
/// # Errors
/// Output that cannot be written, and sums that may not be published.
pub(in crate::cli) fn print(
    args: &Grade,
    plan: &Plan,
    around: &Surroundings,
    outcome: &Outcome,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<(), RunError> {
    let rows = &outcome.graded.rows;
    let passed_over = plan.found.passed_over + outcome.graded.passed_over;
    if rows.is_empty() && !args.demo {
        writeln!(err, "{}", nothing(args, passed_over))?;
    }
    match args.format {
        // A terminal would obey some characters that JSON lets stand.
        Format::Jsonl if around.columns.is_some() => {
            let text = String::from_utf8_lossy(&outcome.rows);
            out.write_all(escaped(&text).as_bytes())?;
        }
        Format::Jsonl => out.write_all(&outcome.rows)?,
        Format::Json => out.write_all(sums(outcome)?)?,
        Format::Html | Format::Markdown => {
            let sums = sums(outcome)?;
            let canary = knowing(&outcome.private);
            let picked = Picked::of(rows);
            out.write_all(&page(args.format, sums, &picked, &canary, "--format")?)?;
        }
        Format::Table if rows.is_empty() && !args.demo => {}
        Format::Table => {
            let listing = listing(args, rows);
            let first = first_to_see(plan, rows, listing);
            let judges = judges(&plan.policy, policy_file(args, around));
            let judges: Vec<&str> = judges.iter().map(String::as_str).collect();
            let demo = args.demo && outcome.planted.lines().is_empty();
            let text = table(&TableView {
                rows,
                aggregate: &outcome.aggregate,
                passed_over,
                judged_by: &judges,
                listing,
                first: first.as_deref(),
                demo: demo.then(|| exit(args, outcome).code()),
                style: Style::of(around.columns, around.colour),
            });
            out.write_all(text.as_bytes())?;
            for line in outcome.planted.lines() {
                writeln!(out, "{line}")?;
            }
        }
    }
    Ok(out.flush()?)
}

/// The sums as they may be published.
fn sums(outcome: &Outcome) -> Result<&[u8], RunError> {
    match &outcome.public {
        Some(Ok(bytes)) => Ok(bytes),
        Some(Err(leak)) => Err(leak.refusal("--format")),
        None => Ok(&[]),
    }
}

/// What judged: each family that ran, and the policy file where one was read.
fn judges(policy: &Policy, file: bool) -> Vec<String> {
    let (profile, preset) = (policy.profile.as_str(), policy.preset.as_str());
    let gate = format!("gate ({profile}, {preset} preset)");
    let families = [(policy.claims, "claim"), (policy.integrity, "integrity")];
    let families = families.into_iter().filter(|(runs, _)| *runs);
    let names = families
        .map(|(_, name)| name)
        .chain(file.then_some(POLICY_FILE));
    std::iter::once(gate)
        .chain(names.map(str::to_owned))
        .collect()
}

/// Whether a policy file was read.
fn policy_file(args: &Grade, around: &Surroundings) -> bool {
    let beside = || {
        let cwd = around.cwd.as_ref();
        cwd.is_some_and(|cwd| cwd.join(POLICY_FILE).is_file())
    };
    args.judging.config.is_some() || (!args.demo && beside())
}

/// What is said where there was nothing to grade.
fn nothing(args: &Grade, passed_over: u64) -> String {
    if passed_over > 0 {
        let files = if passed_over == 1 { "file" } else { "files" };
        return format!("nothing to grade: no session among {passed_over} other {files}");
    }
    let what = if !args.paths.is_empty() {
        "no session under the paths that were named"
    } else if args.all {
        "no sessions of Claude Code or Codex on this machine; name a file or folder"
    } else {
        "no session of this working directory; name a file or folder, or use --all or --demo"
    };
    format!("nothing to grade: {what}")
}

/// What is listed one by one. The example shows what the gate says where there are no claims.
fn listing(args: &Grade, rows: &[Row]) -> Listing {
    let shows = |what| args.show.contains(&what) || args.show.contains(&Listed::All);
    let claims = rows.iter().any(|row| matches!(row, Row::Claim(_)));
    Listing {
        gate: shows(Listed::Gate) || args.demo && !claims,
        supported: shows(Listed::Supported),
        unsupported: shows(Listed::Unsupported),
        unknown: shows(Listed::Unknown),
    }
}

/// The command that lays out the turn that is to be looked at first, where its path can be typed.
fn first_to_see(plan: &Plan, rows: &[Row], listing: Listing) -> Option<String> {
    let claimed = |verdict| {
        rows.iter().find_map(move |row| match row {
            Row::Claim(claim) if claim.verdict == verdict => Some((&claim.file, claim.turn)),
            _ => None,
        })
    };
    let found = || {
        rows.iter().find_map(|row| match row {
            Row::Finding(finding) if finding.verdict == "finding" => {
                Some((&finding.file, finding.turn))
            }
            _ => None,
        })
    };
    let rejected = || {
        rows.iter().find_map(|row| match row {
            Row::Turn(turn) if turn.gate.verdict == "reject" => Some((&turn.file, turn.turn)),
            _ => None,
        })
    };
    let (file, turn) = claimed("contradicted")
        .or_else(|| claimed("unsupported"))
        .or_else(found)
        .or_else(|| listing.gate.then(rejected).flatten())?;
    let file = plan.found.files.iter().find(|found| found.name == *file)?;
    let path = file.path.to_str()?;
    let lead = if path.starts_with('-') { "./" } else { "" };
    let target = quoted(&format!("{lead}{path}:{turn}"))?;
    Some(format!("deedcheck show {target}"))
}

/// JSON with every character escaped that a terminal might obey; it reads as the same JSON.
fn escaped(text: &str) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let harmless = c == '\n' || crate::report::clean(c.encode_utf8(&mut [0; 4])).starts_with(c);
        if harmless {
            out.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_escapes_for_what_it_would_obey() {
        let text = "{\"a\":\"\u{9b}31m\u{202e}\u{7f}é日\"}\n";
        let safe = escaped(text);
        assert_eq!(safe, "{\"a\":\"\\u009b31m\\u202e\\u007fé日\"}\n");
        let same: serde_json::Value = serde_json::from_str(&safe).unwrap();
        assert_eq!(
            same,
            serde_json::from_str::<serde_json::Value>(text).unwrap()
        );
    }
}
