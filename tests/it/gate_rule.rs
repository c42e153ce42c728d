//! The gate's cases in prose: `tests/rules/gate.md`, run one by one.

use std::path::Path;

use deedcheck::grade::{Row, TurnRow};
use deedcheck::pipeline::{Policy, grade};
use deedcheck::rule::gate::Preset;
use deedcheck::rule::gate::replay::{NearMiss, Reason};
use deedcheck::source::discover;

/// One case of the page.
struct Case<'a> {
    title: &'a str,
    records: String,
    expect: Vec<&'a str>,
}

/// Reads the page: a heading, a block of records, a block of expectations.
fn cases(page: &str) -> Vec<Case<'_>> {
    let mut cases: Vec<Case<'_>> = Vec::new();
    let (mut title, mut records, mut block) = ("", String::new(), "");
    for line in page.lines() {
        match (block, line) {
            ("", _) if line.starts_with("## ") => title = &line[3..],
            ("", "```jsonl") => (block, records) = ("jsonl", String::new()),
            ("", "```expect") => {
                block = "expect";
                cases.push(Case {
                    title,
                    records: std::mem::take(&mut records),
                    expect: Vec::new(),
                });
            }
            ("", _) => {}
            (_, "```") => block = "",
            ("jsonl", _) => {
                records.push_str(line);
                records.push('\n');
            }
            _ => cases.last_mut().unwrap().expect.push(line),
        }
    }
    cases
}

fn judged(case: &Case<'_>, folder: &Path) -> Vec<TurnRow> {
    let file = folder.join("s.jsonl");
    std::fs::write(&file, &case.records).unwrap();
    let mut policy = Policy::default();
    for line in &case.expect {
        if let Some(preset) = line.strip_prefix("preset: ") {
            policy.preset = Preset::parse(preset).unwrap();
        } else if let Some(goal) = line.strip_prefix("goal: ") {
            policy.goals.push(goal.to_owned());
        }
    }
    let found = discover(&[file]).unwrap();
    grade(&found.files, &policy, &|_| {})
        .rows
        .into_iter()
        .filter_map(|row| match row {
            Row::Turn(turn) => Some(turn),
            _ => None,
        })
        .collect()
}

#[test]
fn every_case_of_the_page_holds() {
    let page = include_str!("../rules/gate.md");
    let cases = cases(page);
    assert!(cases.len() > 50, "{} cases", cases.len());
    let folder = tempfile::tempdir().unwrap();
    let mut wrong = Vec::new();
    for case in &cases {
        let rows = judged(case, folder.path());
        let expected: Vec<&&str> = case
            .expect
            .iter()
            .filter(|line| !line.contains(": "))
            .collect();
        let got: Vec<String> = rows
            .iter()
            .map(|row| format!("{} {}", row.gate.verdict, row.gate.reason))
            .collect();
        let holds = rows.len() == expected.len()
            && expected.iter().zip(&rows).all(|(line, row)| {
                let mut words = line.split(' ');
                words.next() == Some(row.gate.verdict)
                    && words.next() == Some(row.gate.reason)
                    && words
                        .all(|miss| row.gate.near_misses.contains(&miss.trim_start_matches('!')))
            });
        if !holds {
            let misses: Vec<_> = rows
                .iter()
                .map(|row| row.gate.near_misses.clone())
                .collect();
            wrong.push(format!(
                "{}: expected {expected:?}, got {got:?} {misses:?}",
                case.title
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_cases_cover_the_reasons() {
    let page = include_str!("../rules/gate.md");
    let said: Vec<&str> = cases(page)
        .into_iter()
        .flat_map(|case| case.expect)
        .filter_map(|line| line.split(' ').nth(1))
        .collect();
    // `budget-exhausted` belongs to the exact profiles; `truncated` needs a result of many pages.
    let left = [Reason::BudgetExhausted, Reason::Truncated];
    for reason in Reason::ALL.iter().filter(|reason| !left.contains(reason)) {
        assert!(said.contains(&reason.as_str()), "{}", reason.as_str());
    }
}

#[test]
fn the_page_of_the_rule_tells_every_reason_and_near_miss() {
    let rule = deedcheck::rule::registry::RULES
        .iter()
        .find(|rule| rule.id == "gate")
        .unwrap();
    let words = Reason::ALL.iter().map(|reason| reason.as_str());
    for word in words.chain(NearMiss::ALL.iter().map(|miss| miss.as_str())) {
        assert!(rule.page.contains(&format!("`{word}`")), "{word}");
    }
}
