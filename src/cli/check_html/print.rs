//! Findings as they are printed, for a person and for a program.

use std::io::Write;
use std::path::Path;

use serde::Serialize;

use super::Known;
use crate::cli::RunError;
use crate::page::{Checked, Finding, Missed, What};
use crate::private::Kind;
use crate::private::canary::{Spelling, Spellings};
use crate::report::clean;

/// The format of `--json`.
pub(in crate::cli) const CHECK_SCHEMA: &str = "deedcheck/page-check/1";

/// A line for each finding, and one for each page that says what was checked and what was not.
pub(super) fn lines(
    known: &Known,
    pages: &[(&Path, Checked)],
    out: &mut dyn Write,
) -> Result<(), RunError> {
    for (path, page) in pages {
        let name = clean(&path.to_string_lossy());
        for finding in &page.findings {
            let Finding { line, column, .. } = finding;
            writeln!(out, "{name}:{line}:{column}: {}", sentence(finding))?;
        }
        writeln!(out, "{name}: {}", summary(known, page))?;
    }
    Ok(())
}

fn sentence(finding: &Finding) -> String {
    let context = &finding.context;
    match finding.what {
        What::Leak(kind, spelling) => {
            let how: Vec<&str> = spellings(spelling).collect();
            let how = match how.is_empty() {
                true => String::new(),
                false => format!(" ({})", how.join(", ")),
            };
            format!("leak {}{how} in {context}", kind.as_str())
        }
        What::Missed(missed) => {
            let why = match missed {
                Missed::Unread => "escapes too thick to undo to the end",
                Missed::Cut => "too many findings of one kind, the others are left out",
            };
            format!(
                "missed {} in {context}; from here on: {why}",
                missed.as_str()
            )
        }
        What::Untrue(fault) => {
            let mut text = format!("untrue {} in {context}", fault.as_str());
            let numbers = [("shows", &finding.shown), ("should be", &finding.expected)];
            for (word, number) in numbers {
                if let Some(number) = number {
                    text.push_str(&format!("; {word} {number}"));
                }
            }
            text
        }
    }
}

fn summary(known: &Known, page: &Checked) -> String {
    let found = match page.findings.len() {
        0 => "clean".to_owned(),
        1 => "1 finding".to_owned(),
        many => format!("{many} findings"),
    };
    let counts = &page.counts;
    let shapes = Kind::ALL.iter().filter(|kind| kind.is_shape()).count();
    let values = known.canary.values();
    let mut text = format!("{found}; looked for {values} values and {shapes} shapes");
    let shown = counts.numbers + counts.shapes + counts.digests;
    let mut open = Vec::new();
    if known.sums.is_some() {
        text.push_str(&format!(
            "; checked {} numbers, {} bars, {} digests",
            counts.numbers, counts.shapes, counts.digests
        ));
        if shown > 0 && counts.digests == 0 {
            open.push("which aggregate it was made from: it names none");
        } else if shown > 0 && counts.facts == 0 {
            open.push("words that bear no number: it names no digest of them");
        }
    } else if shown > 0 {
        open.push("numbers: no --aggregate");
    }
    if known.rows.is_some() {
        text.push_str(&format!(", {} rows", counts.rows));
    } else if counts.rows > 0 {
        open.push("rows: no --from");
    }
    if known.rows.is_none() {
        open.push("values of the run: no --from");
    }
    if shown > 0 {
        open.push("what style sheets hide, show or move");
    }
    if page.unread > 0 {
        open.push("parts within it that are too large, too deep or in other characters");
    }
    if !open.is_empty() {
        text.push_str(&format!("; not checked: {}", open.join("; ")));
    }
    text
}

fn spellings(set: Spellings) -> impl Iterator<Item = &'static str> {
    let all = Spelling::ALL.iter().filter(move |one| set.has(**one));
    all.map(|one| one.as_str())
}

/// What `--json` prints.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub(in crate::cli) struct PageCheck {
    /// The format: `deedcheck/page-check/1`.
    #[cfg_attr(
        feature = "schema",
        schemars(schema_with = "super::super::schema::page_check_version")
    )]
    schema: &'static str,
    /// The program's version.
    version: &'static str,
    /// Whether nothing was found.
    clean: bool,
    /// Private values that were looked for.
    values: u64,
    /// Whether an aggregate was there to check numbers against.
    aggregate: bool,
    /// Whether rows were there to check fields against.
    rows: bool,
    /// The pages, in the order in which they were named.
    pages: Vec<Page>,
}

/// One page.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
struct Page {
    /// Which of the named files it is, from 1.
    file: u64,
    /// Its bytes.
    bytes: u64,
    /// Numbers that it says it shows of the aggregate.
    numbers: u64,
    /// Shapes that stand for a number.
    bars: u64,
    /// Rows that it lists.
    rows: u64,
    /// Fields of them.
    fields: u64,
    /// Digests of the aggregate that it names.
    digests: u64,
    /// Digests of its own words that it names, and that were checked.
    facts: u64,
    /// Parts within it that could not be looked into for leaks.
    unread: u64,
    /// What was found, by place.
    findings: Vec<Found>,
}

/// One finding.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
struct Found {
    /// `leak`, `untrue`, or `missed` for what was not looked at.
    what: &'static str,
    /// The kind of private thing, the fault, or `unread` or `cut`.
    kind: &'static str,
    /// The spellings that hid it.
    spelling: Vec<&'static str>,
    /// Line, from 1.
    line: u64,
    /// Column in characters, from 1.
    column: u64,
    /// Byte of the file, from 0.
    byte: u64,
    /// The part of the page.
    context: String,
    /// The number that stands there.
    shown: Option<String>,
    /// The number that should.
    expected: Option<String>,
}

pub(super) fn json(
    known: &Known,
    pages: &[(&Path, Checked)],
    out: &mut dyn Write,
) -> Result<(), RunError> {
    let told = PageCheck {
        schema: CHECK_SCHEMA,
        version: env!("CARGO_PKG_VERSION"),
        clean: pages.iter().all(|(_, page)| page.findings.is_empty()),
        values: known.canary.values() as u64,
        aggregate: known.sums.is_some(),
        rows: known.rows.is_some(),
        pages: (1..)
            .zip(pages)
            .map(|(file, (_, page))| told(file, page))
            .collect(),
    };
    let mut bytes = Vec::new();
    crate::canon::append_line(&mut bytes, &told).map_err(|_| RunError::Output {
        kind: std::io::ErrorKind::InvalidData,
    })?;
    Ok(out.write_all(&bytes)?)
}

fn told(file: u64, page: &Checked) -> Page {
    let counts = &page.counts;
    let findings = page.findings.iter().map(|finding| {
        let (what, kind, spelling) = match finding.what {
            What::Leak(kind, spelling) => ("leak", kind.as_str(), spelling),
            What::Untrue(fault) => ("untrue", fault.as_str(), Spellings::NONE),
            What::Missed(missed) => ("missed", missed.as_str(), Spellings::NONE),
        };
        Found {
            what,
            kind,
            spelling: spellings(spelling).collect(),
            line: finding.line,
            column: finding.column,
            byte: finding.byte,
            context: finding.context.clone(),
            shown: finding.shown.clone(),
            expected: finding.expected.clone(),
        }
    });
    Page {
        file,
        bytes: page.bytes,
        numbers: counts.numbers,
        bars: counts.shapes,
        rows: counts.rows,
        fields: counts.fields,
        digests: counts.digests,
        facts: counts.facts,
        unread: page.unread,
        findings: findings.collect(),
    }
}
