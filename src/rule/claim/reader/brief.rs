//! Short forms of what the other readers know in full: `PR opened.`, `Rebased onto main`, `The crash
//! is gone`, `I didn't change anything`.

use core::ops::Range;

use super::mark::near_end;
use super::model::Kind;
use super::scan::Scan;
use crate::text::{Clause, Cue};

/// A longer clause is no short form.
const FEW: usize = 12;

/// Reads the short form that one clause is, where nothing else has told it.
pub(super) fn read(scan: &mut Scan<'_, '_>, index: usize, clause: &Clause) {
    if clause.words.len() > FEW || clause.posed.is_some() || clause.cues.has(Cue::Open) {
        return;
    }
    let span = scan.span(&clause.words);
    let source = scan.prose.source();
    if !alone(source, &span) && !there_before(source, &span) {
        return;
    }
    let text = scan.prose.source().get(span).unwrap_or("").to_lowercase();
    let text = text.trim().replace('’', "'");
    let told = if there_before(scan.prose.source(), &scan.span(&clause.words)) {
        Some((Kind::Preexisting, false))
    } else if denies(&text) {
        Some((Kind::Disclosure, true))
    } else {
        kind(&text).map(|kind| (kind, false))
    };
    if let Some((kind, negated)) = told.filter(|(kind, _)| !scan.states_kind(index, *kind)) {
        scan.push_as(index, kind, &clause.words, negated);
    }
}

/// Whether nothing that would take a statement back stands beside it in its line: a mark in front
/// (`⬜`), or an answer behind (`: ❌`, ` other than …`).
fn alone(source: &str, span: &Range<usize>) -> bool {
    let before = near_end(source.get(..span.start).unwrap_or(""));
    let before = before.rsplit('\n').next().unwrap_or("");
    let marked = before.chars().any(|c| {
        let good = matches!(
            c,
            '✅' | '✓' | '✔' | '\u{fe0f}' | '—' | '–' | '’' | '“' | '”'
        );
        !c.is_ascii() && !c.is_alphanumeric() && !good
    });
    let after = source.get(span.end..).unwrap_or("");
    let after = after.trim_start_matches(['`', '*', '_', '"']);
    let ends = after.is_empty()
        || after.starts_with(['.', '!', ';', ',', '\n', '\r', '/'])
        || after.starts_with(" and ")
        || after.starts_with(" — ");
    !marked && ends
}

/// `The failure was there`, with ` before my change` behind it as a clause of its own.
fn there_before(source: &str, span: &Range<usize>) -> bool {
    let text = source.get(span.clone()).unwrap_or("");
    let rest = source.get(span.end..).unwrap_or("");
    let there = text.ends_with(" was there") || text.ends_with(" were there");
    there && rest.starts_with(" before my change")
}

fn kind(text: &str) -> Option<Kind> {
    let starts = |heads: &[&str]| heads.iter().any(|head| text.starts_with(head));
    let is = |whole: &[&str]| whole.contains(&text);
    if unchanged(text) {
        return Some(Kind::Nochange);
    }
    if is(&[
        "pr opened",
        "pr created",
        "pull request opened",
        "pull request created",
    ]) || starts(&["opened #", "created #", "marked #", "pr: #"]) && numbered(text)
    {
        return Some(Kind::Pr);
    }
    if starts(&["rebased onto ", "rebased on top of "]) {
        return Some(Kind::Merge);
    }
    if starts(&["cherry-picked ", "it's in commit `"]) {
        return Some(Kind::Commit);
    }
    if live(text) {
        return Some(Kind::Deploy);
    }
    if gone(text) {
        return Some(Kind::Fixed);
    }
    let before = [
        "there before my change",
        "there before my changes",
        "with and without my change",
        "with and without my changes",
    ];
    before
        .iter()
        .any(|end| text.contains(end))
        .then_some(Kind::Preexisting)
}

/// `Opened #41`, `Marked #41 as ready for review`: a number behind the sign.
fn numbered(text: &str) -> bool {
    let rest = text.split_once('#').map_or("", |(_, rest)| rest);
    rest.starts_with(|c: char| c.is_ascii_digit())
}

/// `I didn't change anything`, and nothing behind it that would take a part out.
fn unchanged(text: &str) -> bool {
    const OBJECTS: [&str; 3] = ["anything", "any file", "any files"];
    const VERBS: [&str; 5] = ["change", "modify", "touch", "edit", "write"];
    let rest = ["i didn't ", "i did not ", "i haven't ", "i have not "]
        .iter()
        .find_map(|head| text.strip_prefix(head));
    let own = rest.is_some_and(|rest| {
        let mut words = rest.splitn(2, ' ');
        let verb = words.next().unwrap_or("");
        let verb = VERBS.iter().any(|own| {
            verb.starts_with(own) || *own == "modify" && verb == "modified" || verb == "written"
        });
        verb && OBJECTS.contains(&words.next().unwrap_or("").trim_end_matches(" yet"))
    });
    own || matches!(
        text,
        "nothing was written"
            | "left the code as it is"
            | "left the code as it was"
            | "left everything as it was"
    )
}

/// `Rolled out to the cluster`, `It's live at https://…`: not of a server on this machine.
fn live(text: &str) -> bool {
    let local = ["localhost", "127.0.0.1", "0.0.0.0"]
        .iter()
        .any(|host| text.contains(host));
    let told = text.starts_with("rolled out to ")
        || text.starts_with("shipped to ")
        || text.contains(" live at http")
            && ["it's ", "it is ", "the "]
                .iter()
                .any(|head| text.starts_with(head))
        || matches!(
            text,
            "the new version is live" | "the new version is now live"
        );
    told && !local
}

/// `The crash is gone`, `it starts up fine now`, `the containers are up and running`.
fn gone(text: &str) -> bool {
    let fault = [
        "crash", "bug", "error", "failure", "warning", "leak", "flicker", "hang",
    ];
    let lost = [" is gone", " is gone now", " is now gone"]
        .iter()
        .any(|end| {
            let head = text.strip_suffix(end).unwrap_or("");
            fault.iter().any(|fault| head.ends_with(fault))
        });
    let starts = [
        "starts up fine now",
        "starts fine now",
        "starts up now",
        "starts up fine again",
    ];
    let up = [" are up", " are up and running", " is up and running"];
    let thing = ["containers", "services", "container", "stack"];
    let runs = up.iter().any(|end| {
        let head = text.strip_suffix(end).unwrap_or("");
        thing.iter().any(|thing| head.ends_with(thing))
    });
    lost || runs || starts.iter().any(|end| text.ends_with(end))
}

/// `I haven't committed anything`, `Not yet pushed`.
fn denies(text: &str) -> bool {
    const DEEDS: [&str; 5] = ["committed", "pushed", "deployed", "merged", "published"];
    let rest = ["i haven't ", "i have not ", "not yet "]
        .iter()
        .find_map(|head| text.strip_prefix(head));
    let Some(rest) = rest else {
        return false;
    };
    let mut words = rest.splitn(2, ' ');
    let deed = words.next().unwrap_or("");
    let object = words.next().unwrap_or("");
    DEEDS.contains(&deed)
        && matches!(
            object,
            "" | "anything" | "anything yet" | "it" | "it yet" | "yet"
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_forms_are_told_from_longer_ones() {
        assert_eq!(kind("pr opened"), Some(Kind::Pr));
        assert_eq!(kind("opened #41"), Some(Kind::Pr));
        assert_eq!(kind("opened # of files"), None);
        assert_eq!(kind("rebased onto main"), Some(Kind::Merge));
        assert_eq!(kind("the crash is gone"), Some(Kind::Fixed));
        assert_eq!(kind("the backup is gone"), None);
        assert_eq!(kind("it's live at http://localhost:3000"), None);
        assert_eq!(kind("i didn't change anything"), Some(Kind::Nochange));
        assert_eq!(kind("i didn't change anything in src"), None);
        assert!(denies("i haven't committed anything") && denies("not yet pushed"));
        assert!(!denies("i haven't committed the second fix"));
    }
}
