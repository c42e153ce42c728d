//! What a change of the program changes on real sessions: one folder graded with two binaries.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};
use deedcheck::golden::{Difference, Judged, differences, rows_of};

/// Samples that are shown of each kind of change.
const SAMPLES: usize = 3;
/// Characters of a sample's words that are shown.
const WORDS: usize = 100;

/// Grades a folder with both binaries and says what changed, by rule and verdict.
///
/// # Errors
/// A binary that cannot be run or refuses, or that prints what are no rows.
pub fn ecosystem(old: &Path, new: &Path, folder: &Path, rules: Option<&str>) -> Result<String> {
    let (before, after) = (graded(old, folder, rules)?, graded(new, folder, rules)?);
    let found = differences(&before, &after);
    Ok(report(before.len(), after.len(), &found))
}

fn graded(binary: &Path, folder: &Path, rules: Option<&str>) -> Result<Vec<Judged>> {
    let mut command = Command::new(binary);
    command
        .args(["grade", "--format", "jsonl", "--fail-on", "never"])
        .args(rules.map(|rules| format!("--rules={rules}")))
        .arg("--")
        .arg(folder)
        .stdin(Stdio::null());
    let name = binary.display();
    let output = command
        .output()
        .with_context(|| format!("{name} cannot be run"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("{name}: {}: {}", output.status, said.trim());
    }
    match rows_of(&output.stdout) {
        Ok(rows) => Ok(rows.into_iter().map(Judged::plain).collect()),
        Err(line) => bail!("{name}: line {line} of what it printed is no row"),
    }
}

/// One kind of change: how often it came, and where first.
#[derive(Default)]
struct Group<'a> {
    count: usize,
    samples: Vec<&'a Difference>,
}

fn report(before: usize, after: usize, found: &[Difference]) -> String {
    let mut groups: BTreeMap<(&str, String), Group<'_>> = BTreeMap::new();
    for difference in found {
        let key = (difference.rule.as_str(), kind_of(difference));
        let group = groups.entry(key).or_default();
        group.count += 1;
        if group.samples.len() < SAMPLES {
            group.samples.push(difference);
        }
    }
    let of = |kind: &str| {
        found
            .iter()
            .filter(|difference| difference.kind == kind)
            .count()
    };
    let mut out = format!(
        "rows: {before} before, {after} after; {} changed, {} gone, {} new\n",
        of("changed"),
        of("missing"),
        of("extra")
    );
    let mut rule = "";
    for ((name, kind), group) in &groups {
        if *name != rule {
            let total = found
                .iter()
                .filter(|difference| difference.rule == *name)
                .count();
            out.push_str(&format!("\n{name}: {total}\n"));
            rule = name;
        }
        out.push_str(&format!("  {:>6}  {kind}\n", group.count));
        for sample in &group.samples {
            out.push_str(&sample_line(sample));
        }
    }
    out.trim_end().to_owned()
}

/// What changed, without where: a verdict for another, or the fields that are other ones.
fn kind_of(found: &Difference) -> String {
    let side = |side: &Option<String>| side.clone().unwrap_or_else(|| "no row".to_owned());
    let (before, after) = (side(&found.before), side(&found.after));
    // Fields are told with their values, and verdicts hold no colon.
    if !before.contains(": ") {
        return format!("{before} → {after}");
    }
    let fields = before.split("; ").filter_map(|field| field.split_once(':'));
    let plain = |name: &str| {
        let words = name.split(' ').filter(|word| word.parse::<u64>().is_err());
        words.collect::<Vec<_>>().join(" ")
    };
    let mut names: Vec<String> = fields.map(|(name, _)| plain(name)).collect();
    names.sort();
    names.dedup();
    format!("the same verdict, other {}", names.join(", "))
}

fn sample_line(found: &Difference) -> String {
    let words: String = found.words.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut: String = words
        .chars()
        .filter(|c| !c.is_control())
        .take(WORDS)
        .collect();
    let words = match (cut.is_empty(), cut.len() < words.len()) {
        (true, _) => String::new(),
        (false, true) => format!("  “{cut}…”"),
        (false, false) => format!("  “{cut}”"),
    };
    let file: String = found.file.chars().filter(|c| !c.is_control()).collect();
    let told = match (&found.before, &found.after) {
        (Some(before), Some(after)) if before.contains(": ") => format!("  {before} → {after}"),
        _ => String::new(),
    };
    let told: String = told
        .chars()
        .filter(|c| !c.is_control())
        .take(2 * WORDS)
        .collect();
    format!(
        "          {file}:{}  turn {}{words}{told}\n",
        found.line, found.turn
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(folder: &Path, name: &str, body: &str) -> std::path::PathBuf {
        let path = folder.join(name);
        // Written by another process: a program that this one has open for writing, or had when
        // another test's thread forked, cannot be started (`ETXTBSY`).
        let written = std::process::Command::new("sh")
            .args([
                "-c",
                "printf '#!/bin/sh\\n%s\\n' \"$1\" > \"$0\" && chmod 755 \"$0\"",
            ])
            .arg(&path)
            .arg(body)
            .status();
        assert!(written.is_ok_and(|status| status.success()));
        path
    }

    fn claim(line: u64, verdict: &str, reason: &str) -> String {
        format!(
            "{{\"kind\":\"claim\",\"file\":\"f/a.jsonl\",\"turn\":1,\"lines\":[{line},{line}],\
             \"claim\":\"tests\",\"verdict\":\"{verdict}\",\"reasons\":[\"{reason}\"],\"text\":\"ok\"}}"
        )
    }

    #[test]
    fn what_changed_is_told_by_rule_and_verdict() {
        let folder =
            std::env::temp_dir().join(format!("deedcheck-ecosystem-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let rows = |verdict: &str, reason: &str| -> String {
            let rows = (1..=5).map(|line| claim(line, verdict, reason));
            rows.collect::<Vec<_>>().join("\n")
        };
        let print = |rows: &str| format!("cat <<'ROWS'\n{rows}\nROWS");
        let old = script(&folder, "old", &print(&rows("unsupported", "stale")));
        let kept = rows("unsupported", "stale");
        let turned = kept
            .replace("unsupported", "supported")
            .replace("stale", "direct");
        let fresh = format!("{turned}\n{}", claim(9, "unknown", "masked"));
        let new = script(&folder, "new", &print(&fresh));
        let told = ecosystem(&old, &new, &folder, Some("claim")).unwrap();
        let wanted = "rows: 5 before, 6 after; 5 changed, 0 gone, 1 new\n\n\
                      tests: 6\n       \
                      1  no row → unknown (masked)\n          \
                      f/a.jsonl:9  turn 1  “ok”\n       \
                      5  unsupported (stale) → supported (direct)\n          \
                      f/a.jsonl:1  turn 1  “ok”\n          \
                      f/a.jsonl:2  turn 1  “ok”\n          \
                      f/a.jsonl:3  turn 1  “ok”";
        assert_eq!(told, wanted);
        let same = ecosystem(&old, &old, &folder, None).unwrap();
        assert_eq!(same, "rows: 5 before, 5 after; 0 changed, 0 gone, 0 new");
        let refusing = script(&folder, "refusing", "echo E_USAGE >&2; exit 2");
        let error = ecosystem(&old, &refusing, &folder, None).unwrap_err();
        assert!(error.to_string().ends_with("E_USAGE"), "{error}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
