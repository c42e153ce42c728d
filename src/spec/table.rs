//! Seals in the tables of a README: the file's name beside its SHA-256.

use super::error::SpecError;
use super::fields::is_hex;

/// What the newest seal of a README says of a file.
///
/// A seal is a heading that ends in the word `seal`, such as `Amendment 3 seal`, with a table
/// below it; a line in bold is a heading too, and a remark in brackets may end either. The one with the largest
/// number counts, and of several the last.
///
/// # Errors
/// `E_PREREG reason=no-seal` or `reason=not-listed`.
pub fn lookup<'t>(readme: &'t str, file: &str) -> Result<&'t str, SpecError> {
    let mut newest: Option<(u64, Vec<(&str, &str)>)> = None;
    let mut open: Option<(u64, Vec<(&str, &str)>)> = None;
    let close = |open: &mut Option<(u64, Vec<_>)>, newest: &mut Option<(u64, Vec<_>)>| {
        if let Some(seal) = open.take()
            && newest.as_ref().is_none_or(|newest| newest.0 <= seal.0)
        {
            *newest = Some(seal);
        }
    };
    let mut in_table = false;
    for line in readme.lines() {
        let line = line.trim();
        if let Some(heading) = heading(line) {
            close(&mut open, &mut newest);
            open = number_of(heading).map(|number| (number, Vec::new()));
            in_table = false;
        } else if let Some(row) = line.strip_prefix('|') {
            in_table = true;
            if let Some((_, rows)) = &mut open {
                rows.extend(cells(row));
            }
        } else if in_table {
            // The table is over, and whatever follows is no part of this seal.
            close(&mut open, &mut newest);
            in_table = false;
        }
    }
    close(&mut open, &mut newest);
    let (_, rows) = newest.ok_or(SpecError::Prereg("no-seal"))?;
    let mut found = rows.iter().filter(|(name, _)| *name == file);
    match (found.next(), found.next()) {
        (Some((_, digest)), None) => Ok(digest),
        _ => Err(SpecError::Prereg("not-listed")),
    }
}

/// The words of a heading.
fn heading(line: &str) -> Option<&str> {
    let bold = line
        .strip_prefix("**")
        .and_then(|rest| rest.strip_suffix("**"));
    bold.or_else(|| line.starts_with('#').then_some(line))
}

/// The number of a seal's heading; 0 where it has none.
fn number_of(heading: &str) -> Option<u64> {
    let heading = match heading.split_once('(') {
        Some((before, remark)) if remark.ends_with(')') => before,
        _ => heading,
    };
    let mut words: Vec<&str> = heading.split_whitespace().collect();
    let last = words.pop()?;
    if !last.eq_ignore_ascii_case("seal") {
        return None;
    }
    let number = words.iter().rev().find_map(|word| word.parse().ok());
    Some(number.unwrap_or(0))
}

/// A row of a file's name and a digest, and nothing of any other row.
fn cells(row: &str) -> Option<(&str, &str)> {
    let mut cells = row.trim_end_matches('|').split('|').map(bare);
    let (name, digest) = (cells.next()?, cells.next()?);
    is_hex(digest, 64).then_some((name, digest))
}

/// A cell without blanks and code marks.
fn bare(cell: &str) -> &str {
    cell.trim().trim_matches('`').trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_seal_counts_and_its_table_ends() {
        let (old, new, late) = ("1".repeat(64), "2".repeat(64), "3".repeat(64));
        let readme = format!(
            "# Plan\n\n## Amendment 2 seal\n\n| file | sha256 |\n|---|---|\n| `s.json` | `{new}` |\n\
             \nprose\n| other.json | {late} |\n## Amendment 1 seal\n| s.json | {old} |\n"
        );
        assert_eq!(lookup(&readme, "s.json"), Ok(new.as_str()));
        assert_eq!(
            lookup(&readme, "other.json"),
            Err(SpecError::Prereg("not-listed"))
        );
        let again = format!("{readme}\n### Amendment 2 Seal\n|s.json|{late}|\n");
        assert_eq!(lookup(&again, "s.json"), Ok(late.as_str()));
        assert_eq!(
            lookup("| s.json | 1 |", "s.json"),
            Err(SpecError::Prereg("no-seal"))
        );
        let bold = format!("**Amendment 4 seal (late)**\n\n| s.json | {late} |\n\n{readme}");
        assert_eq!(lookup(&bold, "s.json"), Ok(late.as_str()));
        let twice = format!("# Seal\n| s | {old} |\n| s | {new} |\n");
        assert_eq!(lookup(&twice, "s"), Err(SpecError::Prereg("not-listed")));
    }
}
