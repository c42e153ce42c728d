//! Single faults in generated pages are all found, and edits that change no fact raise no alarm.

use std::io::{BufRead, Cursor};
use std::path::PathBuf;

use deedcheck::aggregate::Aggregate;
use deedcheck::page::{Against, Rows, Sums, Syntax, check};
use deedcheck::pipeline::{Policy, grade};
use deedcheck::report::{PageView, Picked, html, markdown};
use deedcheck::source::discover;
use rayon::prelude::*;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

const EACH: u64 = 5000;

/// A generator with a fixed seed, so that every run tries the same edits.
struct Dice(u64);

impl Dice {
    fn of(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % sides.max(1)
    }
}

struct Run {
    aggregate: Vec<u8>,
    rows: String,
    pages: Vec<(Syntax, String)>,
}

/// The pages of the golden sessions, with every family of rules.
fn golden() -> Run {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("golden");
    let found = discover(&[root]).unwrap();
    let mut policy = Policy::default();
    policy.select(&["claim".to_owned(), "integrity".to_owned()]);
    let graded = grade(&found.files, &policy, &|_| {});
    let mut rows = String::new();
    let mut picked = Picked::default();
    for row in &graded.rows {
        let row = serde_json::to_value(row).unwrap();
        picked.row(&row);
        rows.push_str(&row.to_string());
        rows.push('\n');
    }
    let cells = Aggregate::of(&graded.rows).cells;
    let value = json!({
        "schema": "deedcheck/aggregate/1", "version": "0", "cells": cells,
        "canary": {"planted": 7, "caught": 7},
    });
    let aggregate = value.to_string().into_bytes();
    let digest: String = Sha256::digest(&aggregate)
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect();
    let view = PageView {
        aggregate: &value,
        digest: &digest,
        picked: &picked,
        private: &|_| None,
    };
    let pages = vec![
        (Syntax::Html, html(&view)),
        (Syntax::Markdown, markdown(&view)),
    ];
    Run {
        aggregate,
        rows,
        pages,
    }
}

impl Run {
    /// How many findings a page has against this run.
    fn findings(&self, syntax: Syntax, page: &str) -> Vec<String> {
        let sums = Sums::read(&self.aggregate).unwrap();
        let open = || -> std::io::Result<Box<dyn BufRead>> {
            Ok(Box::new(Cursor::new(self.rows.clone())))
        };
        let against = Against {
            canary: None,
            sums: Some(&sums),
            map: None,
            rows: Some(Rows {
                open: &open,
                canary: None,
            }),
        };
        let checked = check(page.as_bytes(), syntax, &against).unwrap();
        checked
            .findings
            .iter()
            .map(|finding| format!("{finding:?}"))
            .collect()
    }
}

/// The texts right behind start tags that bear an attribute, as places in the page.
fn texts(page: &str, attribute: &str) -> Vec<(usize, usize)> {
    let mark = format!(" {attribute}=\"");
    let all = page.match_indices(&mark).filter_map(|(at, _)| {
        let start = at + page[at..].find('>')? + 1;
        let end = start + page[start..].find('<')?;
        (!page[start..end].trim().is_empty()).then_some((start, end))
    });
    all.collect()
}

/// The values of an attribute, as places.
fn values(page: &str, attribute: &str) -> Vec<(usize, usize)> {
    let mark = format!(" {attribute}=\"");
    let all = page.match_indices(&mark).filter_map(|(at, _)| {
        let start = at + mark.len();
        Some((start, start + page[start..].find('"')?))
    });
    all.collect()
}

fn replaced(page: &str, (start, end): (usize, usize), text: &str) -> String {
    format!("{}{text}{}", &page[..start], &page[end..])
}

/// Characters of a text that stand there as themselves, as places.
fn letters(page: &str, (start, end): (usize, usize)) -> Vec<(usize, char)> {
    let mut reference = false;
    let mut out = Vec::new();
    for (at, c) in page[start..end].char_indices() {
        reference |= c == '&';
        if !reference && c.is_ascii_alphanumeric() {
            out.push((start + at, c));
        }
        reference &= c != ';';
    }
    out
}

/// One fault, or nothing where the page has no place for one of this kind.
fn fault(page: &str, dice: &mut Dice) -> Option<(&'static str, String)> {
    let pick = |dice: &mut Dice, places: Vec<(usize, usize)>| -> Option<(usize, usize)> {
        let at = dice.roll(places.len());
        places.get(at).copied()
    };
    let other = |dice: &mut Dice, place: (usize, usize)| {
        let letters = letters(page, place);
        let (at, c) = *letters.get(dice.roll(letters.len()))?;
        let next = match c {
            '0'..='8' | 'a'..='y' | 'A'..='Y' => char::from(c as u8 + 1),
            '9' => '0',
            _ => 'a',
        };
        Some(replaced(page, (at, at + 1), &next.to_string()))
    };
    Some(match dice.roll(8) {
        0 | 1 => {
            let place = pick(dice, texts(page, "data-deed"))?;
            ("number", other(dice, place)?)
        }
        2 | 3 => {
            let place = pick(dice, texts(page, "data-deed-field"))?;
            ("field", other(dice, place)?)
        }
        4 => ("row", without_row(page, dice)?),
        5 => {
            let place = pick(dice, values(page, "data-deed-rows"))?;
            let count: u64 = page[place.0..place.1].parse().ok()?;
            ("total", replaced(page, place, &(count + 1).to_string()))
        }
        6 => {
            let at = page.find("sha256:")? + 7;
            ("digest", other(dice, (at, at + 64))?)
        }
        _ => {
            let bars: Vec<usize> = page
                .match_indices("data-deed-width=")
                .map(|(at, _)| at)
                .collect();
            let bar = *bars.get(dice.roll(bars.len()))?;
            let start = page[..bar].rfind('<')?;
            let tag = &page[start..bar];
            let names = [" width=\"", " x=\""];
            let name = names[dice.roll(if tag.contains("data-deed-x") { 2 } else { 1 })];
            let at = start + tag.find(name)? + name.len();
            let end = at + page[at..].find('"')?;
            let width: u64 = page[at..end].parse().ok()?;
            ("bar", replaced(page, (at, end), &(width + 1).to_string()))
        }
    })
}

/// The page without one of its rows.
fn without_row(page: &str, dice: &mut Dice) -> Option<String> {
    let rows: Vec<usize> = page
        .match_indices(" data-deed-row=\"")
        .map(|(at, _)| at)
        .collect();
    let at = *rows.get(dice.roll(rows.len()))?;
    let start = page[..at].rfind('<')?;
    let name: String = page[start + 1..]
        .chars()
        .take_while(char::is_ascii_alphanumeric)
        .collect();
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let mut depth = 1;
    let mut end = start + open.len();
    while depth > 0 {
        let next_close = end + page[end..].find(&close)?;
        match page[end..next_close].find(&open) {
            Some(next) => {
                depth += 1;
                end += next + open.len();
            }
            None => {
                depth -= 1;
                end = next_close + close.len();
            }
        }
    }
    Some(replaced(page, (start, end), ""))
}

/// An edit that changes no fact.
fn cosmetic(page: &str, syntax: Syntax, dice: &mut Dice) -> Option<(&'static str, String)> {
    let blocks = [
        "<table", "<tr", "<section", "<h2", "<li", "<details", "<svg", "<rect", "<p>", "<dl",
        "<ol", "<ul",
    ];
    let tags: Vec<usize> = blocks
        .iter()
        .flat_map(|block| page.match_indices(block).map(|(at, _)| at))
        .filter(|at| page[..*at].trim_end().ends_with('>'))
        .collect();
    let between = |dice: &mut Dice| match syntax {
        Syntax::Html => tags.get(dice.roll(tags.len())).copied(),
        Syntax::Markdown => {
            let lines: Vec<usize> = page.match_indices("\n\n").map(|(at, _)| at + 1).collect();
            lines.get(dice.roll(lines.len())).copied()
        }
    };
    Some(match dice.roll(6) {
        0 => {
            let at = between(dice)?;
            let blanks = ["\n", "\n\n", "  \n", "\t\n"][dice.roll(4)];
            ("blanks", replaced(page, (at, at), blanks))
        }
        1 => {
            let at = between(dice)?;
            (
                "comment",
                replaced(
                    page,
                    (at, at),
                    &format!("<!-- seen {} -->\n", dice.roll(100)),
                ),
            )
        }
        2 => ("order", swapped(page, dice)?),
        3 => {
            let places = values(page, "class");
            let place = *places.get(dice.roll(places.len()))?;
            (
                "class",
                replaced(page, place, &format!("c{}", dice.roll(1000))),
            )
        }
        4 => {
            let places = values(page, "data-deed");
            let place = *places.get(dice.roll(places.len()))?;
            let style = format!("\" style=\"color:#{:06x}", dice.roll(1 << 24));
            ("colour", replaced(page, (place.1, place.1), &style))
        }
        _ => {
            let names = ["data-deed", "data-deed-field"];
            let places = texts(page, names[dice.roll(2)]);
            let place = *places.get(dice.roll(places.len()))?;
            let letters = letters(page, place);
            let (at, c) = *letters.get(dice.roll(letters.len()))?;
            let code = u32::from(c);
            let forms = [
                format!("&#{code};"),
                format!("&#x{code:x};"),
                format!("&#X000{code:X};"),
            ];
            (
                "reference",
                replaced(page, (at, at + 1), &forms[dice.roll(3)]),
            )
        }
    })
}

/// The page with two attributes of a tag in the other order.
fn swapped(page: &str, dice: &mut Dice) -> Option<String> {
    let marks: Vec<usize> = page.match_indices(" data-deed").map(|(at, _)| at).collect();
    let at = *marks.get(dice.roll(marks.len()))?;
    let start = page[..at].rfind('<')?;
    let end = start + page[start..].find('>')?;
    let tag = page[start..end].trim_end_matches('/');
    let mut parts: Vec<&str> = Vec::new();
    let mut rest = tag;
    while let Some(space) = rest.find(' ') {
        let close = match rest[space..].find("=\"") {
            Some(quote) if !rest[space + 1..space + quote].contains(' ') => {
                let from = space + quote + 2;
                from + rest[from..].find('"')? + 1
            }
            _ => return None,
        };
        parts.push(&rest[space..close]);
        rest = &rest[close..];
    }
    if parts.len() < 2 {
        return None;
    }
    let name = &tag[..tag.find(' ')?];
    let by = 1 + dice.roll(parts.len() - 1);
    parts.rotate_left(by);
    Some(replaced(
        page,
        (start, start + tag.len()),
        &format!("{name}{}", parts.concat()),
    ))
}

#[test]
fn every_single_fault_is_found_and_no_cosmetic_edit_alarms() {
    let run = golden();
    for (syntax, page) in &run.pages {
        assert_eq!(run.findings(*syntax, page), [] as [String; 0], "{syntax:?}");
    }
    let count = |edits: &[(&'static str, bool)], kind: &str| {
        edits.iter().filter(|(told, _)| *told == kind).count()
    };
    let tried = |wrong: bool| -> Vec<(&'static str, bool)> {
        (0..EACH)
            .into_par_iter()
            .map(|seed| {
                let mut dice = Dice::of(seed + u64::from(wrong) * EACH);
                loop {
                    let (syntax, page) = &run.pages[dice.roll(4) / 3];
                    let edit = match wrong {
                        true => fault(page, &mut dice),
                        false => cosmetic(page, *syntax, &mut dice),
                    };
                    let Some((kind, edited)) = edit.filter(|(_, edited)| edited != page) else {
                        continue;
                    };
                    let found = run.findings(*syntax, &edited);
                    if found.is_empty() == wrong {
                        let at = edited.bytes().zip(page.bytes()).position(|(a, b)| a != b);
                        let near = at.unwrap_or(0);
                        let near: String = edited
                            .chars()
                            .skip(near.saturating_sub(80))
                            .take(240)
                            .collect();
                        panic!("{kind} {seed} {found:?}\n{near}");
                    }
                    return (kind, !found.is_empty());
                }
            })
            .collect()
    };
    let faults = tried(true);
    for kind in ["number", "field", "row", "total", "digest", "bar"] {
        assert!(count(&faults, kind) > 100, "{kind}");
    }
    let edits = tried(false);
    for kind in ["blanks", "comment", "order", "class", "colour", "reference"] {
        assert!(count(&edits, kind) > 100, "{kind}");
    }
    assert_eq!((faults.len(), edits.len()), (5000, 5000));
}

#[test]
fn a_page_of_another_aggregate_is_stale() {
    let mut run = golden();
    let mut value: Value = serde_json::from_slice(&run.aggregate).unwrap();
    value["version"] = json!("1");
    run.aggregate = value.to_string().into_bytes();
    for (syntax, page) in &run.pages {
        let found = run.findings(*syntax, page);
        assert!(
            found.len() == 1 && found[0].contains("StaleDigest"),
            "{found:?}"
        );
    }
}
