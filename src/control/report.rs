//! Controls of pages that are to be published.

use std::collections::BTreeSet;
use std::io::{BufRead, Cursor};

use super::model::{Markup, ReportInput};
use crate::page::{Against, Rows, Sums, Syntax, What, check};
use crate::private::canary::Canary;

/// What a page that nothing is wrong with comes to.
const CLEAN: &str = "clean";

/// Faults and leaks by their words, each once, in one line.
pub(super) fn spelled(faults: &[String]) -> String {
    let words: BTreeSet<&str> = faults.iter().map(String::as_str).collect();
    let words: Vec<&str> = words.into_iter().collect();
    match words.as_slice() {
        [] => CLEAN.to_owned(),
        _ => words.join(", "),
    }
}

/// What is found in a page.
pub(super) fn told(input: &ReportInput, canary: &Canary) -> String {
    let sums = input.aggregate.as_ref();
    let sums = sums.and_then(|text| Sums::read(text.as_bytes()));
    let rows = input.rows.clone();
    let open = || -> std::io::Result<Box<dyn BufRead>> {
        Ok(Box::new(Cursor::new(rows.clone().unwrap_or_default())))
    };
    let against = Against {
        canary: Some(canary),
        sums: sums.as_ref(),
        map: None,
        rows: input.rows.as_ref().map(|_| Rows {
            open: &open,
            canary: None,
        }),
    };
    let syntax = match input.syntax {
        Markup::Html => Syntax::Html,
        Markup::Markdown => Syntax::Markdown,
    };
    match check(input.report.as_bytes(), syntax, &against) {
        Ok(checked) => {
            let found = checked.findings.iter().map(|finding| match finding.what {
                What::Leak(kind, _) => kind.as_str().to_owned(),
                What::Untrue(fault) => fault.as_str().to_owned(),
                What::Missed(missed) => missed.as_str().to_owned(),
            });
            spelled(&found.collect::<Vec<String>>())
        }
        Err(error) => error.to_string(),
    }
}
