//! Recipes: how a key is taken from the bytes of a source.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::csv::rows;
use super::json::strict;
use super::model::Recipe;
use super::sha256;

/// The key that a recipe takes; `None` where the source is nothing that it can be taken from.
/// `lines_with` is the chosen reading of when a line holds a word.
pub(super) fn take(recipe: &Recipe, bytes: &[u8], lines_with: &str) -> Option<Value> {
    match recipe {
        Recipe::Sha256 => return Some(sha256(bytes).into()),
        Recipe::Bytes => return Some(bytes.len().into()),
        _ => {}
    }
    let text = std::str::from_utf8(bytes).ok()?;
    Some(match recipe {
        Recipe::Lines {
            from,
            to,
            count,
            pick,
        } => several(lines(text, *from, *to)?, *count, *pick)?,
        Recipe::Json { pointer } => strict(text).ok()?.pointer(pointer)?.clone(),
        Recipe::Csv {
            column,
            integers,
            pick,
        } => several(csv(text, column.as_deref(), *integers)?, false, *pick)?,
        Recipe::LinesWith { word } => {
            let held = |line: &&str| holds(line, word, lines_with);
            text.lines().filter(held).count().into()
        }
        Recipe::Headings { level, count, pick } => several(headings(text, *level), *count, *pick)?,
        Recipe::Names { after, count, pick } => several(names(text, after), *count, *pick)?,
        Recipe::Text | Recipe::Sha256 | Recipe::Bytes => {
            let text = text.strip_suffix('\n').unwrap_or(text);
            text.strip_suffix('\r').unwrap_or(text).into()
        }
    })
}

/// A list, their number, or one of them.
fn several<T: Into<Value>>(all: Vec<T>, count: bool, pick: Option<u32>) -> Option<Value> {
    Some(match pick {
        Some(pick) => {
            let at = usize::try_from(pick).ok()?.checked_sub(1)?;
            all.into_iter().nth(at)?.into()
        }
        None if count => all.len().into(),
        None => all.into(),
    })
}

fn lines(text: &str, from: Option<u32>, to: Option<u32>) -> Option<Vec<&str>> {
    let all: Vec<&str> = text.lines().collect();
    let place = |line: u32| usize::try_from(line).ok();
    let first = place(from.unwrap_or(1))?.checked_sub(1)?;
    let last = to.map_or(Some(all.len()), place)?;
    Some(all.get(first..last)?.to_vec())
}

fn csv(text: &str, column: Option<&str>, integers: bool) -> Option<Vec<Value>> {
    let mut rows = rows(text)?.into_iter();
    let head = rows.next()?;
    let unique: BTreeSet<&String> = head.iter().collect();
    if unique.len() != head.len() {
        return None;
    }
    let cell = |text: String| match text.parse::<i64>() {
        // Only what reads back as it was written is a number: 007 is none.
        Ok(number) if integers && number.to_string() == text => Value::from(number),
        _ => Value::String(text),
    };
    let wanted = match column {
        Some(column) => Some(head.iter().position(|name| name == column)?),
        None => None,
    };
    let mut all = Vec::new();
    for row in rows {
        if row.len() != head.len() {
            return None;
        }
        all.push(match wanted {
            Some(at) => cell(row.into_iter().nth(at)?),
            None => {
                let entries = head.iter().cloned().zip(row.into_iter().map(cell));
                Value::Object(entries.collect::<Map<_, _>>())
            }
        });
    }
    Some(all)
}

/// Whether a line holds a word. Linear: places of a word do not overlap in a way that matters.
fn holds(line: &str, word: &str, reading: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || c == '_' && reading == "whole-word";
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        reading == "substring" || ![before, after].into_iter().flatten().any(inside)
    })
}

/// The headings of a Markdown text that begin with `#`, outside fenced code.
fn headings(text: &str, level: Option<u32>) -> Vec<&str> {
    let mut all = Vec::new();
    let mut fence: Option<(char, usize)> = None;
    for line in text.lines() {
        let indent = line.len() - line.trim_start_matches(' ').len();
        if indent > 3 {
            continue;
        }
        let line = line.trim();
        let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'));
        let run = mark.map_or(0, |mark| line.len() - line.trim_start_matches(mark).len());
        match (fence, mark) {
            (Some((open, length)), Some(mark))
                if mark == open && run >= length && run == line.len() =>
            {
                fence = None;
            }
            (None, Some(mark)) if run >= 3 && !(mark == '`' && line[run..].contains('`')) => {
                fence = Some((mark, run));
            }
            (None, None) => all.extend(heading(line, level)),
            _ => {}
        }
    }
    all
}

fn heading(line: &str, level: Option<u32>) -> Option<&str> {
    let rest = line.trim_start_matches('#');
    let own = line.len() - rest.len();
    let blank = rest.is_empty() || rest.starts_with([' ', '\t']);
    let asked = level.is_none_or(|level| usize::try_from(level) == Ok(own));
    if !(1..=6).contains(&own) || !blank || !asked {
        return None;
    }
    let text = rest.trim();
    // A closing run of marks is no part of the text.
    let open = text.trim_end_matches('#');
    let closed = open.is_empty() || open.ends_with([' ', '\t']);
    Some(if closed { open.trim() } else { text })
}

/// The names behind some literal texts at the beginning of lines: of `def `, the functions of a
/// Python file.
fn names<'t>(text: &'t str, after: &[String]) -> Vec<&'t str> {
    let name = |line: &'t str| {
        let rest = after
            .iter()
            .find_map(|prefix| line.strip_prefix(prefix.as_str()))?;
        let inside = |c: char| c.is_alphanumeric() || c == '_';
        let end = rest.find(|c| !inside(c)).unwrap_or(rest.len());
        (end > 0).then(|| &rest[..end])
    };
    text.lines().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn taken(recipe: &Recipe, text: &str) -> Option<Value> {
        take(recipe, text.as_bytes(), "whole-word")
    }

    #[test]
    fn each_recipe_takes_its_key() {
        let text = "one\ntwo\nthree\n";
        let some = |from, to, count| Recipe::Lines {
            from,
            to,
            count,
            pick: None,
        };
        assert_eq!(
            taken(&some(Some(2), Some(3), false), text),
            Some(json!(["two", "three"]))
        );
        assert_eq!(taken(&some(None, None, true), text), Some(json!(3)));
        assert_eq!(taken(&some(Some(2), Some(9), false), text), None);
        assert_eq!(taken(&Recipe::Text, "a\nb\r\n"), Some(json!("a\nb")));
        assert_eq!(taken(&Recipe::Bytes, "é"), Some(json!(2)));
        assert_eq!(
            taken(&Recipe::Sha256, "").unwrap().as_str().unwrap()[..8],
            *"e3b0c442"
        );
        let pointer = |pointer: &str| Recipe::Json {
            pointer: pointer.to_owned(),
        };
        let object = "{\"b\":[{\"z\":1,\"a\":2}]}";
        assert_eq!(
            taken(&pointer("/b/0"), object).unwrap().to_string(),
            "{\"z\":1,\"a\":2}"
        );
        assert_eq!(taken(&pointer("/c"), object), None);
        assert_eq!(taken(&pointer(""), "{\"a\":1,\"a\":1}"), None);
        assert_eq!(take(&Recipe::Text, b"\xff", ""), None);
        assert_eq!(take(&Recipe::Bytes, b"\xff", ""), Some(json!(1)));
    }

    #[test]
    fn columns_keep_their_types_only_where_asked() {
        let csv = |column: Option<&str>, integers| Recipe::Csv {
            column: column.map(str::to_owned),
            integers,
            pick: None,
        };
        let text = "id,name\n7,a\n007,b\n";
        assert_eq!(taken(&csv(Some("id"), true), text), Some(json!([7, "007"])));
        assert_eq!(
            taken(&csv(None, false), text),
            Some(json!([{"id": "7", "name": "a"}, {"id": "007", "name": "b"}]))
        );
        assert_eq!(taken(&csv(Some("no"), false), text), None);
        assert_eq!(taken(&csv(None, false), "a,a\n1,2\n"), None);
        assert_eq!(taken(&csv(None, false), "a,b\n1\n"), None);
    }

    #[test]
    fn a_line_holds_a_word_as_the_reading_says() {
        let text = "a token\ntokens\nthe_token\n(token)\n";
        let count = |reading: &str| {
            let recipe = Recipe::LinesWith {
                word: "token".to_owned(),
            };
            take(&recipe, text.as_bytes(), reading)
        };
        assert_eq!(count("whole-word"), Some(json!(2)));
        assert_eq!(count("substring"), Some(json!(4)));
        assert_eq!(count("alnum-boundary"), Some(json!(3)));
    }

    #[test]
    fn headings_and_names_are_those_of_the_text_itself() {
        let text = "# A #\n```sh\n# no\n```\n## B#\n    # code\n#none\n### \n";
        let all = |level, count| Recipe::Headings {
            level,
            count,
            pick: None,
        };
        let pick = |pick| Recipe::Headings {
            level: None,
            count: false,
            pick: Some(pick),
        };
        assert_eq!(taken(&pick(2), text), Some(json!("B#")));
        assert_eq!(taken(&pick(4), text), None);
        assert_eq!(taken(&all(None, false), text), Some(json!(["A", "B#", ""])));
        assert_eq!(taken(&all(Some(2), false), text), Some(json!(["B#"])));
        assert_eq!(taken(&all(None, true), text), Some(json!(3)));
        let names = Recipe::Names {
            after: vec!["def ".to_owned(), "class ".to_owned()],
            count: false,
            pick: None,
        };
        let code = "def one(a):\n    def two(): pass\nclass Three:\ndef (x)\n";
        assert_eq!(taken(&names, code), Some(json!(["one", "Three"])));
    }
}
