//! Many mutants in one text, each behind a switch.

use std::ops::Range;

use super::find::{Edit, Mutant};

/// The module that the rewritten source asks.
pub(crate) const SWITCH: &str = r#"//! Which mutant this run is.
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

static ACTIVE: OnceLock<u32> = OnceLock::new();
static TRACE: OnceLock<Option<PathBuf>> = OnceLock::new();
static SEEN: [AtomicBool; 8192] = [const { AtomicBool::new(false) }; 8192];

/// Whether mutant `n` is on; where a run is traced, that its place was reached is written down.
pub fn on(n: u32) -> bool {
    let trace = TRACE.get_or_init(|| std::env::var_os("MUTANT_TRACE").map(PathBuf::from));
    if let Some(folder) = trace
        && !SEEN[n as usize % 8192].swap(true, Ordering::Relaxed)
    {
        let _ = std::fs::File::create(folder.join(n.to_string()));
    }
    let number = || std::env::var("MUTANT").ok().and_then(|n| n.parse().ok());
    *ACTIVE.get_or_init(|| number().unwrap_or(0)) == n
}
"#;

/// A mutant and the number of its switch.
pub(crate) type Numbered<'a> = (usize, &'a Mutant);

/// A file's text with these mutants of it built in. Each stands between two comments that bear its
/// number, so that an error of the compiler can be laid at its door.
pub(crate) fn rewritten(text: &str, mutants: &[Numbered<'_>]) -> String {
    let mut ordered = mutants.to_vec();
    ordered.sort_by_key(|(number, mutant)| {
        let guard = !matches!(mutant.edit, Edit::Guard(_));
        let range = &mutant.range;
        (range.start, std::cmp::Reverse(range.end), guard, *number)
    });
    render(text, 0..text.len(), &ordered)
}

fn render(text: &str, within: Range<usize>, mutants: &[Numbered<'_>]) -> String {
    let mut out = String::new();
    let (mut at, mut rest) = (within.start, mutants);
    while let Some((first, _)) = rest.split_first() {
        let range = first.1.range.clone();
        let guard = matches!(first.1.edit, Edit::Guard(_));
        let same = |(_, mutant): &Numbered<'_>| {
            mutant.range == range && matches!(mutant.edit, Edit::Guard(_)) == guard
        };
        let group = rest.iter().take_while(|one| same(one)).count();
        let inside = rest[group..]
            .iter()
            .take_while(|(_, mutant)| mutant.range.start < range.end)
            .count();
        let (own, inner) = rest[..group + inside].split_at(group);
        out.push_str(&text[at..range.start]);
        out.push_str(&place(text, &range, own, inner));
        at = range.end;
        rest = &rest[group + inside..];
    }
    out.push_str(&text[at..within.end]);
    out
}

/// One place: what the switches of its own mutants lead to, and what stands there otherwise.
fn place(text: &str, range: &Range<usize>, own: &[Numbered<'_>], inner: &[Numbered<'_>]) -> String {
    let on = |number: usize| format!("crate::mutant::on({number})");
    let part = |range: &Range<usize>| {
        let within = |(_, mutant): &&Numbered<'_>| {
            range.start <= mutant.range.start && mutant.range.end <= range.end
        };
        let inner: Vec<Numbered<'_>> = inner.iter().filter(within).copied().collect();
        render(text, range.clone(), &inner)
    };
    let mut out = String::new();
    let mut original = part(range);
    if let Some((
        _,
        Mutant {
            edit: Edit::Operator { left, right, .. },
            ..
        },
    )) = own.first()
    {
        let between = &text[left.end..right.start];
        original = format!("{}{between}{}", part(left), part(right));
    }
    let mut otherwise = original;
    for (number, mutant) in own.iter().rev() {
        let switched = match &mutant.edit {
            Edit::Body(value) => format!(" if {} {{ return {value}; }} ", on(*number)),
            Edit::Arm => format!(" if !{} ", on(*number)),
            Edit::Guard(true) => format!("({} || ({otherwise}))", on(*number)),
            Edit::Guard(false) => format!("(!{} && ({otherwise}))", on(*number)),
            Edit::Unary(operand) => format!(
                "(if {} {{ {} }} else {{ {otherwise} }})",
                on(*number),
                part(operand)
            ),
            Edit::Operator { left, right, sign } => format!(
                "(if {} {{ {} {sign} {} }} else {{ {otherwise} }})",
                on(*number),
                part(left),
                part(right)
            ),
        };
        let marked = format!("/*<{number}*/{switched}/*{number}>*/");
        // What is put in stands beside the others, what replaces stands around them.
        match mutant.edit {
            Edit::Body(_) | Edit::Arm => out.push_str(&marked),
            _ => otherwise = marked,
        }
    }
    out.push_str(&otherwise);
    out
}

/// The numbers of the mutants that a byte range of a rewritten text lies in or touches.
pub(crate) fn touched(text: &str, range: &Range<usize>, count: usize) -> Vec<usize> {
    let within = |number: &usize| {
        let (open, close) = (format!("/*<{number}*/"), format!("/*{number}>*/"));
        let mut from = 0;
        while let Some(start) = text[from..].find(&open).map(|at| from + at) {
            let end = text[start..]
                .find(&close)
                .map_or(text.len(), |at| start + at);
            if range.start < end && start < range.end {
                return true;
            }
            from = start + open.len();
        }
        false
    };
    (1..=count).filter(within).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutants::find::of_file;

    const SOURCE: &str = "fn f(a: u8, b: bool) -> bool {\n    match a {\n        1 if !b => a < 3 && b,\n        2 => true,\n        _ => b,\n    }\n}\n";

    fn plain(text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("/*") {
            out.push_str(before);
            rest = after.split_once("*/").map_or("", |(_, rest)| rest);
        }
        out + rest
    }

    #[test]
    fn every_operator_finds_its_places() {
        let found = of_file("f.rs", SOURCE).unwrap();
        let told: Vec<String> = found
            .iter()
            .map(|mutant| format!("{} {}: {}", mutant.line, mutant.function, mutant.change))
            .collect();
        let wanted = [
            "1 f: body replaced by true",
            "1 f: body replaced by false",
            "3 f: match guard replaced by true",
            "3 f: match guard replaced by false",
            "3 f: ! deleted",
            "3 f: < replaced by ==",
            "3 f: < replaced by >",
            "3 f: < replaced by <=",
            "3 f: && replaced by ||",
            "4 f: match arm 2 deleted",
        ];
        assert_eq!(told, wanted);
    }

    #[test]
    fn nested_places_are_rewritten_together() {
        let found = of_file("f.rs", SOURCE).unwrap();
        let numbered: Vec<Numbered<'_>> = found.iter().enumerate().collect();
        let told = plain(&rewritten(SOURCE, &numbered));
        syn::parse_file(&told).unwrap();
        for number in 0..found.len() {
            assert!(told.contains(&format!("on({number})")), "{number}: {told}");
        }
        let some: Vec<Numbered<'_>> = numbered
            .iter()
            .filter(|(_, mutant)| {
                mutant.change.starts_with("&&") || mutant.change.starts_with("< replaced by >")
            })
            .copied()
            .collect();
        let told = plain(&rewritten(SOURCE, &some));
        let wanted = "1 if !b => (if crate::mutant::on(8) { (if crate::mutant::on(6) { a > 3 } else { a < 3 }) || b } \
                      else { (if crate::mutant::on(6) { a > 3 } else { a < 3 }) && b }),";
        assert!(told.contains(wanted), "{told}");
    }

    #[test]
    fn what_tests_are_built_of_and_constants_are_left_alone() {
        let source = "const A: usize = 1 + 2;\nconst fn g() -> bool { 1 < 2 }\n#[cfg(test)]\nmod tests { fn f() -> bool { 1 < 2 } }\n\
                      fn h(x: Option<u8>) { if let Some(a) = x && a > 1 { } }\n";
        let found = of_file("f.rs", source).unwrap();
        let told: Vec<&str> = found.iter().map(|mutant| mutant.change.as_str()).collect();
        let wanted = [
            "body replaced by ()",
            "> replaced by ==",
            "> replaced by <",
            "> replaced by >=",
        ];
        assert_eq!(told, wanted);
    }

    #[test]
    fn an_error_is_laid_at_the_door_of_the_mutant_that_it_stands_in() {
        let text = "a/*<1*/b/*1>*/c/*<2*/d/*2>*/";
        let at = |word: char| text.find(word).unwrap();
        assert_eq!(touched(text, &(at('b')..at('b') + 1), 2), [1]);
        assert_eq!(touched(text, &(at('c')..at('c') + 1), 2), [0; 0]);
        assert_eq!(touched(text, &(at('d')..at('d') + 1), 2), [2]);
    }
}
