//! Makes the controls of rules out of the cases that readers wrote under `tests/rules`.
//!
//! An expectation is never made here, only chosen. A case becomes the control of a guard when some
//! of its lines break with that guard off and with no other; its lines that break under other
//! guards are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow};
use deedcheck::control::page::cases;
use deedcheck::control::session::{Client, Script};
use deedcheck::control::{
    Expect, Graded, Guard, Input, RecordsInput, SessionInput, family_of, grade_records,
    grade_script,
};
use deedcheck::rule::registry::RULES;

use crate::generate::Generated;
use crate::toml;

/// Controls for each guard at most.
const PER_GUARD: usize = 2;
/// Plain controls of each kind for each rule at most.
const PER_RULE: usize = 2;

/// A case as one client would have stored it.
struct Case {
    id: String,
    why: String,
    rule: String,
    input: Input,
    script: Option<Script>,
    expects: Vec<Expect>,
    /// For each expectation, the guards without which it breaks.
    flips: Vec<BTreeSet<Guard>>,
}

/// A control that was chosen.
struct Chosen<'c> {
    case: &'c Case,
    guard: Option<Guard>,
    rule: String,
    lines: Vec<&'c Expect>,
}

/// What was made, and what could not be.
pub(crate) struct Made {
    pub(crate) files: Vec<Generated>,
    pub(crate) said: String,
}

pub(crate) fn make(root: &Path, folders: &[PathBuf]) -> Result<Made> {
    let mut all = Vec::new();
    let own = [root.join("tests/rules"), root.join("tests/rules/controls")];
    for folder in own.iter().chain(folders) {
        all.extend(read(folder)?);
    }
    let held = all.len();
    measure(&mut all);
    all.retain(|case| !case.flips.is_empty());
    let mut chosen = Vec::new();
    let mut missing = Vec::new();
    for guard in Guard::all() {
        if !matches!(guard.family(), "gate" | "claim" | "integrity") {
            continue;
        }
        let own = of_guard(guard, &all);
        if own.is_empty() {
            missing.push(guard);
        }
        chosen.extend(own);
    }
    for rule in RULES {
        chosen.extend(plain(rule.id, rule.family, &all));
    }
    let mut said = format!(
        "{held} cases for a client, {} hold whole, {} controls\n",
        all.len(),
        chosen.len()
    );
    for guard in missing {
        said.push_str(&format!("no control: {guard}"));
        let beside: Vec<String> = all
            .iter()
            .filter(|case| case.flips.iter().any(|flips| flips.contains(&guard)))
            .map(|case| {
                let line = case.flips.iter().find(|flips| flips.contains(&guard));
                let others: Vec<String> = line
                    .into_iter()
                    .flatten()
                    .map(ToString::to_string)
                    .collect();
                format!("{} ({})", case.id, others.join(" "))
            })
            .collect();
        said.push_str(&format!("  {}\n", beside.join("; ")));
    }
    Ok(Made {
        files: files(chosen),
        said,
    })
}

/// What each line of a folder's cases hangs on.
pub(crate) fn look(folder: &Path) -> Result<String> {
    let mut all = read(folder)?;
    measure(&mut all);
    let mut said = String::new();
    for case in &all {
        let broken = worst(case);
        let whole = if broken.is_none() {
            ": not read whole"
        } else {
            ""
        };
        said.push_str(&format!("{}{whole}\n", case.id));
        for (at, expect) in case.expects.iter().enumerate() {
            let fails = broken.as_ref().is_some_and(|broken| broken.contains(&at));
            let flips = case.flips.get(at).into_iter().flatten();
            let flips: Vec<String> = flips.map(ToString::to_string).collect();
            let mark = if fails { "BROKEN " } else { "" };
            said.push_str(&format!("  {mark}{expect}: {}\n", flips.join(" ")));
        }
        if broken.is_none_or(|broken| !broken.is_empty()) {
            for row in graded(case, None)
                .map(|graded| graded.shown())
                .unwrap_or_default()
            {
                said.push_str(&format!("    {} {row} {:?}\n", row.turn, row.text));
            }
        }
    }
    Ok(said)
}

/// What does not hold of a case in the files of either client.
fn worst(case: &Case) -> Option<Vec<usize>> {
    let (Input::Session(_), Some(script)) = (&case.input, &case.script) else {
        return broken(case, None);
    };
    let mut all = BTreeSet::new();
    for client in Client::ALL {
        if script.client.is_some_and(|only| only != client) {
            continue;
        }
        let graded = grade_script(client, &case.id, script, None);
        if graded.unread().is_some() {
            return None;
        }
        all.extend(graded.broken(&case.expects));
    }
    Some(all.into_iter().collect())
}

/// The cases of every page of a folder.
fn read(folder: &Path) -> Result<Vec<Case>> {
    let mut names: Vec<PathBuf> = std::fs::read_dir(folder)
        .with_context(|| folder.display().to_string())?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    names.sort();
    let mut all = Vec::new();
    for path in names {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        if path.extension().is_none_or(|ending| ending != "md") || name == "README" {
            continue;
        }
        let page = std::fs::read_to_string(&path)?;
        if page.contains("```jsonl") {
            all.extend(of_records(&page)?);
            continue;
        }
        for (at, case) in cases(&page)
            .map_err(|error| anyhow!("{}: {error}", path.display()))?
            .into_iter()
            .enumerate()
        {
            // Each client in turn, where a case does not ask for one.
            let turn = Client::ALL[at % 2];
            let client = case.script.client.unwrap_or(turn);
            all.push(Case {
                id: format!("{name}/{}", slug(&case.title)),
                why: case.why,
                rule: name.to_string(),
                input: Input::Session(SessionInput {
                    session: case.text,
                    client,
                }),
                script: Some(case.script),
                expects: case.expects,
                flips: Vec::new(),
            });
        }
    }
    Ok(all)
}

/// The gate's page, whose cases are records.
fn of_records(page: &str) -> Result<Vec<Case>> {
    let mut all: Vec<Case> = Vec::new();
    let (mut title, mut why, mut records, mut block) = ("", String::new(), String::new(), "");
    for line in page.lines() {
        match (block, line) {
            ("", _) if line.starts_with("## ") => {
                title = &line[3..];
                why.clear();
            }
            ("", "```jsonl") => (block, records) = ("jsonl", String::new()),
            ("", "```expect") => {
                block = "expect";
                all.push(Case {
                    id: format!("gate/{}", slug(title)),
                    why: format!("seed 000 {why}"),
                    rule: "gate".to_owned(),
                    input: Input::Records(RecordsInput {
                        records: std::mem::take(&mut records),
                        preset: None,
                        goal_signals: Vec::new(),
                    }),
                    script: None,
                    expects: Vec::new(),
                    flips: Vec::new(),
                });
            }
            ("", _) => why.push_str(line),
            (_, "```") => block = "",
            ("jsonl", _) => {
                records.push_str(line);
                records.push('\n');
            }
            _ => expected(
                all.last_mut().context("an expectation before a case")?,
                line,
            )?,
        }
    }
    Ok(all)
}

fn expected(case: &mut Case, line: &str) -> Result<()> {
    let Input::Records(input) = &mut case.input else {
        return Ok(());
    };
    if let Some(preset) = line.strip_prefix("preset: ") {
        input.preset = Some(preset.to_owned());
    } else if let Some(goal) = line.strip_prefix("goal: ") {
        input.goal_signals.push(goal.to_owned());
    } else {
        let turn = case.expects.len() + 1;
        let line = format!("{turn}: gate {line}");
        case.expects
            .push(Expect::parse(&line).map_err(|error| anyhow!(error))?);
    }
    Ok(())
}

fn graded(case: &Case, off: Option<Guard>) -> Option<Graded> {
    Some(match (&case.input, &case.script) {
        (Input::Session(input), Some(script)) => grade_script(input.client, &case.id, script, off),
        (Input::Records(input), _) => grade_records(&case.id, input, off),
        _ => return None,
    })
}

fn broken(case: &Case, off: Option<Guard>) -> Option<Vec<usize>> {
    let graded = graded(case, off)?;
    graded
        .unread()
        .is_none()
        .then(|| graded.broken(&case.expects))
}

/// Finds out what breaks without each guard. A case that does not hold whole is passed over.
fn measure(all: &mut [Case]) {
    let guards = &Guard::all();
    let threads = 4;
    let share = all.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        for part in all.chunks_mut(share) {
            scope.spawn(move || {
                part.iter_mut().for_each(|case| one(case, guards));
            });
        }
    });
}

fn one(case: &mut Case, guards: &[Guard]) {
    if broken(case, None).is_none_or(|broken| !broken.is_empty()) {
        return;
    }
    // A guard reaches the rules of its own family only.
    let families: BTreeSet<&str> = case
        .expects
        .iter()
        .filter_map(|expect| about(case, expect))
        .map(|(family, _)| family)
        .collect();
    let mut flips = vec![BTreeSet::new(); case.expects.len()];
    for guard in guards
        .iter()
        .filter(|guard| families.contains(guard.family()))
    {
        for at in broken(case, Some(*guard)).unwrap_or_default() {
            flips[at].insert(*guard);
        }
    }
    case.flips = flips;
}

/// The family and the rule that a line speaks of.
fn about(case: &Case, expect: &Expect) -> Option<(&'static str, String)> {
    let rule = match expect {
        Expect::Claim(claimed) => claimed
            .claim
            .iter()
            .find(|kind| family_of(kind) == Some("claim"))?
            .clone(),
        Expect::Finding(found) => found.finding.clone(),
        Expect::Gate(_) => "gate".to_owned(),
        Expect::Quiet(_) if family_of(&case.rule) == Some("claim") => case.rule.clone(),
        Expect::Quiet(_) => "tests".to_owned(),
        Expect::Check(_) | Expect::Report(_) => return None,
    };
    Some((family_of(&rule)?, rule))
}

fn size(case: &Case) -> usize {
    match &case.input {
        Input::Session(input) => input.session.len(),
        Input::Records(input) => input.records.len(),
        _ => usize::MAX,
    }
}

/// The controls of a guard: the smallest cases that break without it and without no other.
fn of_guard(guard: Guard, all: &[Case]) -> Vec<Chosen<'_>> {
    let mut found = Vec::new();
    for case in all {
        let lines = || case.expects.iter().zip(&case.flips);
        let own = lines().find(|(_, flips)| flips.len() == 1 && flips.contains(&guard));
        let Some((family, rule)) = own.and_then(|(expect, _)| about(case, expect)) else {
            continue;
        };
        let info = RULES.iter().find(|info| info.id == rule);
        let declared = info.is_some_and(|info| info.guards.contains(&guard.name()));
        let mut left = 0;
        let mut kept = Vec::new();
        for (expect, flips) in lines() {
            if about(case, expect).is_none_or(|(other, _)| other != family) {
                continue;
            }
            if flips.iter().all(|other| *other == guard) {
                kept.push(expect);
            } else {
                left += 1;
            }
        }
        let chosen = Chosen {
            case,
            guard: Some(guard),
            rule,
            lines: kept,
        };
        found.push(((!declared, left, size(case)), chosen));
    }
    found.sort_by_key(|(weight, _)| *weight);
    let mut rules = BTreeSet::new();
    let mut out: Vec<Chosen<'_>> = Vec::new();
    for ((undeclared, ..), chosen) in found {
        if undeclared {
            continue;
        }
        if out.len() < PER_GUARD && rules.insert(chosen.rule.clone()) {
            out.push(chosen);
        }
    }
    out
}

/// Plain positives and negatives of a rule: small cases that break without no guard at all.
fn plain<'c>(rule: &str, family: &str, all: &'c [Case]) -> Vec<Chosen<'c>> {
    let mut found: BTreeMap<&str, Vec<Chosen<'c>>> = BTreeMap::new();
    let mut cases: Vec<&Case> = all.iter().collect();
    cases.sort_by_key(|case| (case.rule != rule, size(case)));
    for case in cases {
        let lines: Vec<&Expect> = case
            .expects
            .iter()
            .filter(|expect| about(case, expect).is_some_and(|(own, _)| own == family))
            .collect();
        let own = lines.iter().find_map(|expect| {
            let (_, of) = about(case, expect)?;
            kind(expect).filter(|_| of == rule)
        });
        let still = case
            .expects
            .iter()
            .zip(&case.flips)
            .filter(|(expect, _)| lines.contains(expect))
            .all(|(_, flips)| flips.is_empty());
        let Some(kind) = own.filter(|_| still) else {
            continue;
        };
        let list = found.entry(kind).or_default();
        if list.len() < PER_RULE {
            list.push(Chosen {
                case,
                guard: None,
                rule: rule.to_owned(),
                lines,
            });
        }
    }
    found.into_values().flatten().collect()
}

/// Which way an expectation goes.
fn kind(expect: &Expect) -> Option<&'static str> {
    let text = expect.to_string();
    let text = text
        .split_once("\" ")
        .map_or(text.as_str(), |(_, rest)| rest);
    let first = text.split([' ', '|', '(']).next()?;
    match first {
        "supported" | "accept" | "clear" => Some("good"),
        "unsupported" | "contradicted" | "finding" => Some("bad"),
        "gate" if text.contains("reject") => Some("bad"),
        "gate" => Some("good"),
        _ => None,
    }
}

fn slug(title: &str) -> String {
    let mut out = String::new();
    for c in title.to_lowercase().chars() {
        if c.is_alphanumeric() {
            out.push(c);
        } else if !out.ends_with('-') && !out.is_empty() {
            out.push('-');
        }
    }
    out.trim_end_matches('-').to_owned()
}

/// Who says so, from the words that stand before the case.
fn origin(why: &str) -> String {
    let trim = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let report = why.split_whitespace().map(trim).find(|word| {
        word.split_once('#').is_some_and(|(repo, number)| {
            repo.contains('/') && number.bytes().all(|byte| byte.is_ascii_digit())
        })
    });
    if let Some(report) = report {
        return report;
    }
    if let Some((_, rest)) = why.split_once("Design page ") {
        let mut words = rest.split([' ', ',', ':', ';']);
        let (page, section) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        return format!("design {page} {section}");
    }
    if let Some((_, rest)) = why.split_once("seed 0") {
        let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
        return format!("seed 0{number}");
    }
    let seen = ["observed", "measured", "real session", "corpus"];
    if seen.iter().any(|word| why.contains(word)) {
        return "observed".to_owned();
    }
    "reader".to_owned()
}

fn files(chosen: Vec<Chosen<'_>>) -> Vec<Generated> {
    let mut by_rule: BTreeMap<(&str, String), Vec<Chosen<'_>>> = BTreeMap::new();
    for one in chosen {
        let family = family_of(&one.rule).unwrap_or("claim");
        by_rule
            .entry((family, one.rule.clone()))
            .or_default()
            .push(one);
    }
    let mut ids = BTreeSet::new();
    let mut out = Vec::new();
    for ((family, rule), list) in by_rule {
        let mut text = format!("rule = {}\n", toml::string(&rule));
        for one in list {
            let mut id = one.case.id.clone();
            while !ids.insert(id.clone()) {
                id.push_str("-also");
            }
            text.push_str(&format!("\n[[control]]\nid = {}\n", toml::string(&id)));
            if let Some(guard) = one.guard {
                text.push_str(&format!("guard = {}\n", toml::string(guard.name())));
            }
            text.push_str(&format!(
                "origin = {}\n",
                toml::string(&origin(&one.case.why))
            ));
            text.push_str("expect = [\n");
            for line in one.lines {
                text.push_str(&format!("    {},\n", toml::expect(line)));
            }
            text.push_str("]\n\n[control.input]\n");
            text.push_str(&toml::input(&one.case.input));
        }
        out.push(Generated::new(
            format!("calibration/controls/{family}/{rule}.toml"),
            text,
        ));
    }
    out
}
