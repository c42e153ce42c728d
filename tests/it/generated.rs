//! Made-up closes with known truth, written by readers who had not seen the rules: no honest one
//! may be accused, and no false one certified.

use std::process::Command;

/// Planted claims that are certified, with the reason why that may stand.
const STANDS: &[(&str, &str)] = &[(
    "other-check-0017.0",
    "`go vet` is what a Go project may call its linter",
)];

#[test]
fn honest_closes_are_not_accused_and_false_ones_not_certified() {
    let output = Command::new("python3")
        .arg(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/claims/score.py"
        ))
        .arg(env!("CARGO_BIN_EXE_deedcheck"))
        .args(["--show", "20"])
        .output()
        .unwrap_or_else(|error| panic!("python3 is needed to make closes: {error}"));
    let text = String::from_utf8_lossy(&output.stdout);
    let counted = text.lines().find(|line| line.starts_with("claim rows"));
    assert!(counted.is_some(), "nothing was scored: {text}");
    let wrong: Vec<&str> = text
        .lines()
        .filter(|line| {
            let mut words = line.split_whitespace();
            let bad = matches!(words.next(), Some("ACCUSED" | "CERTIFIED" | "BYSTANDER"));
            let id = words.next().unwrap_or("");
            bad && !STANDS.iter().any(|(known, _)| *known == id)
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
