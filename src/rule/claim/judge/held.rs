//! What a file that the agent wrote, or a folder that it listed, holds: as many as are told, or not.

use super::figure::{figures, is_entry};
use super::numeral::holds_number;
use super::{Case, Guard, Judged, Reason};
use crate::transcript::Outcome;
use crate::turn::Step;

/// Names in code of the statement's sentence.
fn coded<'a>(case: &Case<'a>) -> impl Iterator<Item = &'a str> + 'a {
    case.sentence().split('`').skip(1).step_by(2)
}

/// The steps of this turn that wrote into a file of that name, the last first.
fn wrote<'a>(case: &Case<'a>, name: &str) -> impl Iterator<Item = &'a Step> {
    let whole = move |step: &&Step| {
        let mut acts = step.acts.iter();
        let at = |path: &String| {
            let path = path.replace('\\', "/");
            path == name || path.ends_with(&format!("/{name}"))
        };
        step.outcome == Outcome::Ok
            && !step.args_may_be_cut()
            && acts.any(|act| act.writes.iter().any(at))
    };
    case.turn.steps.iter().rev().filter(whole)
}

/// "8 tests" in a file, "30 tasks": what the agent wrote into the file holds as many.
pub(super) fn written(case: &Case<'_>) -> Option<Judged> {
    let figures = figures(case);
    let [figure] = figures.as_slice() else {
        return None;
    };
    let wanted = usize::try_from(figure.value)
        .ok()
        .filter(|many| *many > 0)?;
    let of = |noun: &str| figure.nouns.iter().any(|own| own == noun);
    let supported = |step: &Step| {
        let place = step.result.unwrap_or(step.call);
        Judged::supported(Reason::Direct, place, "what was written here holds as many")
    };
    if of("test") || of("case") {
        let fits = |step: &&Step| {
            let many = tests_in(&step.args);
            many == wanted || figure.at_least && many > wanted
        };
        return coded(case)
            .find_map(|name| wrote(case, name).find(fits))
            .map(supported);
    }
    let label = case.text().split_once('=').map(|(label, _)| label.trim());
    if !(of("task") || of("item") || of("step") || label.is_some()) {
        return None;
    }
    let mut steps = case.turn.steps.iter().rev();
    let boxes = |args: &str| match label {
        Some(label) => args.matches(&format!("[{label}]")).count(),
        None => args.matches("- [ ]").count() + args.matches("- [x]").count(),
    };
    let step = steps.find(|step| {
        let made = step.acts.iter().any(|act| !act.writes.is_empty());
        made && step.outcome == Outcome::Ok && boxes(&step.args) == wanted
    })?;
    Some(supported(step))
}

/// How many tests a text of code declares; of a table of cases each is one.
fn tests_in(args: &str) -> usize {
    let count = |marks: &[&str]| {
        marks
            .iter()
            .map(|mark| args.matches(mark).count())
            .sum::<usize>()
    };
    let declared = count(&[
        "func Test",
        "def test_",
        "#[test]",
        "@Test",
        " it('",
        " it(\\\"",
        " test('",
        " test(\\\"",
        "\\tit('",
        "\\tit(\\\"",
        "\\ttest('",
    ]);
    let table = if args.contains("t.Run(") {
        count(&["name:"])
    } else {
        0
    };
    declared.max(table)
}

/// "`a.py` (264 lines)", where the agent wrote that file whole and it has another length.
pub(super) fn other_length(case: &Case<'_>) -> Option<Judged> {
    let text = case.text();
    let (name, rest) = text.split_once(" (")?;
    let (told, _) = rest.split_once(" lines)")?;
    let told: usize = told.trim_start_matches(['~', '+']).parse().ok()?;
    let name = name.trim().trim_matches('`');
    let step = wrote(case, name).next()?;
    let edits = case
        .ledger
        .edits_of(name)
        .filter(|edit| edit.stands())
        .count();
    let longest = strings(&step.args).into_iter().max_by_key(String::len)?;
    let lines = longest.lines().count();
    let filled = longest
        .lines()
        .filter(|line| !line.trim().is_empty())
        .count();
    let place = step.result.unwrap_or(step.call);
    if (lines.saturating_sub(1)..=lines + 1).contains(&told) {
        return Some(Judged::supported(
            Reason::Direct,
            place,
            "it was written whole here",
        ));
    }
    let sure = edits == 1 && lines > 1 && told != filled && !text.contains('~');
    let shown = case
        .turn
        .steps
        .iter()
        .any(|step| holds_number(step.text.as_str(), &told.to_string()));
    (sure && !shown && case.on(Guard::Count)).then(|| {
        let what = format!("{lines} lines were written here");
        Judged::contradicted(Reason::CountMismatch, place, what)
    })
}

/// The texts that a call's arguments hold, where these are one object.
fn strings(args: &str) -> Vec<String> {
    let object: Option<serde_json::Map<String, serde_json::Value>> =
        serde_json::from_str(args).ok();
    let values = object.into_iter().flatten().map(|(_, value)| value);
    values
        .filter_map(|value| value.as_str().map(str::to_owned))
        .collect()
}

/// "`dir` - 22 files", where the only listing of that very folder shows files alone, all of them, and
/// another number.
pub(super) fn other_listing(case: &Case<'_>) -> Option<Judged> {
    let number = case.numbers().find(|number| number.noun == "files")?;
    let sentence = case.sentence();
    let before = case.close.get(..number.span.start).unwrap_or("");
    let about = before.ends_with('~') || case.close.as_bytes().get(number.span.end) == Some(&b'+');
    if about || !case.on(Guard::Count) {
        return None;
    }
    let wanted = usize::try_from(number.value).ok()?;
    let changed = |step: &Step, dir: &str| {
        let place = step.result.unwrap_or(step.call);
        let mut later = case.ledger.edits.iter();
        later.any(|edit| edit.place.line > place.line && edit.path.contains(dir))
    };
    let mut found = case.turn.steps.iter().filter_map(|step| {
        let [act] = step.acts.as_slice() else {
            return None;
        };
        let mut words = act.words.split(' ').skip(1);
        let whole = words.next().is_some_and(|flags| {
            flags.starts_with('-')
                && flags.contains('l')
                && flags.contains(['a', 'A'])
                && !flags.contains('R')
        });
        let dir = words.next().filter(|_| words.next().is_none())?;
        let dir = dir.trim_matches(['"', '\'', '/']);
        let named = dir.len() > 2 && names_folder(sentence, dir) && !changed(step, dir);
        let listing =
            act.program == "ls" && whole && named && !step.truncated && !step.text.is_cut();
        listing.then_some(step)
    });
    let (step, None) = (found.next()?, found.next()) else {
        return None;
    };
    let entries = || {
        step.text
            .as_str()
            .lines()
            .filter(|line| is_entry(line) && !line.ends_with(" .") && !line.ends_with(" .."))
    };
    let many = entries().count();
    let plain = entries().all(|line| line.trim_start().starts_with('-'));
    let place = step.result.unwrap_or(step.call);
    if many == wanted {
        return Some(Judged::supported(
            Reason::Direct,
            place,
            "as many are listed here",
        ));
    }
    (plain && many > 0).then(|| {
        let what = format!("{many} files are listed here");
        Judged::contradicted(Reason::CountMismatch, place, what)
    })
}

/// Whether a sentence names the folder of a command: the last components are the same.
fn names_folder(sentence: &str, dir: &str) -> bool {
    let last = |path: &str| -> Vec<String> {
        let parts = path.split(['/', '\\']).filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect()
    };
    let own = last(dir);
    let mut words = sentence.split(|c: char| c.is_whitespace() || "*`(),:".contains(c));
    words.any(|word| {
        let named = last(word);
        named.len() > 1 && own.ends_with(&named)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_counted_in_what_was_written() {
        let go = r#"{"content":"func TestA(t *testing.T) {}\nfunc TestB(t *testing.T) {}\n"}"#;
        assert_eq!(tests_in(go), 2);
        let python = r#"{"content":"def test_a():\n    pass\n"}"#;
        assert_eq!(tests_in(python), 1);
    }
}
