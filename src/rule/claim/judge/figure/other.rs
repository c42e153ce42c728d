//! Lines that hold a number and count something else by it.

use super::names;

/// Whether a line tells the number of something else: `2 sessions`, where files are counted.
pub(super) fn counts_another(line: &str, digits: &str, nouns: &[String]) -> bool {
    const OF_ANY: [&str; 14] = [
        "changed",
        "deletions",
        "insertions",
        "failed",
        "found",
        "items",
        "lines",
        "matched",
        "matches",
        "passed",
        "passing",
        "results",
        "skipped",
        "total",
    ];
    let mut found = line.match_indices(digits).peekable();
    let other = |(at, _): (usize, &str)| {
        let rest = line[at + digits.len()..].trim_start_matches('*');
        let Some(rest) = rest.strip_prefix(' ') else {
            return false;
        };
        let noun: String = rest
            .chars()
            .take_while(|c| c.is_alphabetic())
            .flat_map(char::to_lowercase)
            .collect();
        let own = |word: &String| {
            let stem: String = word.chars().take(4).collect();
            noun.starts_with(&stem)
        };
        // `230 scripts/a.py` counts the lines of a file.
        let mut behind = rest.chars().skip_while(|c| c.is_alphabetic());
        let joined = behind.next().is_some_and(|c| "/._-\\".contains(c));
        let path = joined && behind.next().is_some_and(char::is_alphanumeric);
        noun.len() > 4
            && !path
            && noun.ends_with('s')
            && !OF_ANY.contains(&noun.as_str())
            && !nouns.iter().any(own)
    };
    found.peek().is_some() && found.all(other)
}

/// Whether a line counts files that git says were changed, and the statement tells of no change.
pub(super) fn counts_changed(line: &str, nouns: &[String], sentence: &str) -> bool {
    const CHANGES: [&str; 7] = [
        "chang", "modif", "updat", "commit", "touch", "insert", "delet",
    ];
    const WHOLE: [&str; 6] = ["diff", "diffs", "edit", "edited", "editing", "edits"];
    let stat = line.contains(" changed, ") && (line.contains("(+)") || line.contains("(-)"));
    if !stat || !nouns.iter().any(|noun| noun == "file") {
        return false;
    }
    let lower = sentence.to_lowercase();
    let tells =
        |word: &str| WHOLE.contains(&word) || CHANGES.iter().any(|stem| word.starts_with(stem));
    let mut words = lower.split(|c: char| !c.is_alphabetic());
    !words.any(tells)
}

/// Whether a number is the value of a key that names something else: `"run_count": 2`, where commits
/// are counted.
pub(super) fn valued_otherwise(line: &str, digits: &str, nouns: &[String]) -> bool {
    let mut found = line.match_indices(digits).peekable();
    let other = |(at, _): (usize, &str)| {
        let head = line[..at].trim_end();
        let Some(key) = head.strip_suffix(':').and_then(|key| key.strip_suffix('"')) else {
            return false;
        };
        let key = key.rsplit('"').next().unwrap_or("").to_lowercase();
        let mut words = key.split(|c: char| !c.is_alphabetic()).filter(|word| {
            !matches!(
                *word,
                "" | "count" | "counts" | "total" | "num" | "number" | "length" | "size"
            )
        });
        words.next().is_some() && !names(&key, nouns)
    };
    found.peek().is_some() && found.all(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_stop_makes_no_path_of_a_noun() {
        let files = ["file".to_owned()];
        assert!(counts_another("Imported 2 sessions.", "2", &files));
        assert!(!counts_another("2 scripts/a.py", "2", &files));
        assert!(!counts_another("2 scripts.py", "2", &files));
    }

    #[test]
    fn a_change_is_told_by_words_and_not_by_their_parts() {
        let files = ["file".to_owned()];
        let sum = " 3 files changed, 9 insertions(+)";
        for (sentence, other) in [
            ("3 files hold the state", true),
            ("3 static files are served", true),
            ("3 different files are loaded", true),
            ("3 files were updated", false),
            ("The diff is of 3 files", false),
        ] {
            assert_eq!(counts_changed(sum, &files, sentence), other, "{sentence}");
        }
    }
}
