//! What honestly bears a count out: the number beside its noun in what the agent was shown, a list
//! whose lines can be counted, the deeds themselves, or the very file that it wrote.
//!
//! By chance any number stands somewhere: in a date, a time, an id, the length of another file. So a
//! number counts only what it stands beside.

mod other;

use super::count::stems;
use super::numeral::{holds_number, lines_holding};
use super::size::{holds_size, measured, sizes};
use super::{Case, Judged, Reason};
use crate::rule::claim::Counted;
use crate::rule::evidence::OutwardKind;
use crate::transcript::{Outcome, Place, printed};
use crate::turn::{Act, Step};
use other::{counts_another, counts_changed, valued_otherwise};

/// Bytes of what is the answer to one question.
const ANSWER: usize = 2048;

/// A longer line is no summary, in bytes.
pub(super) const LINE: usize = 400;

/// A number of the statement and the words for what it counts.
pub(super) struct Figure {
    pub(super) value: u64,
    pub(super) nouns: Vec<String>,
    pub(super) at_least: bool,
    /// It is a guess by its own sign: `~200`.
    pub(super) guessed: bool,
}

/// Whether the record shows the number; open where it does not.
pub(super) fn borne(case: &Case<'_>) -> Judged {
    let figures = figures(case);
    let sizes = sizes(case.text());
    if figures.is_empty() && sizes.is_empty() {
        return Judged::unknown(Reason::Ambiguous);
    }
    let mut place = None;
    let mut carried = false;
    for figure in &figures {
        if let Some(found) = here(case, figure) {
            place = place.or(Some(found));
        } else if let Some(found) = earlier(case, figure) {
            carried |= is_earlier(case, found);
            place = place.or(Some(found));
        } else {
            return Judged::unknown(Reason::Ambiguous);
        }
    }
    for size in &sizes {
        if let Some(found) = measured(case, size) {
            place = place.or(Some(found));
        } else if let Some(found) = case
            .ledger
            .shown
            .line(&size.0, |line| holds_size(line, size))
        {
            carried |= is_earlier(case, found);
            place = place.or(Some(found));
        } else {
            return Judged::unknown(Reason::Ambiguous);
        }
    }
    match place {
        Some(place) if !carried => {
            Judged::supported(Reason::Direct, place, "the number stands here")
        }
        Some(place) => Judged::supported(Reason::Carried, place, "the number stands here"),
        None => Judged::unknown(Reason::Ambiguous),
    }
}

/// Whether a place stands before this turn.
fn is_earlier(case: &Case<'_>, place: Place) -> bool {
    let first = case.turn.prompt.as_ref().map(|prompt| prompt.place);
    let first = first.or_else(|| case.turn.steps.first().map(|step| step.call));
    first.is_none_or(|first| place.line < first.line)
}

/// Where this turn shows the number.
fn here(case: &Case<'_>, figure: &Figure) -> Option<Place> {
    shown(case, figure)
        .or_else(|| read_whole(case, figure))
        .or_else(|| listed(case, figure))
        .or_else(|| ahead(case, figure))
        .or_else(|| done(case, figure))
}

/// The numbers that a statement stands or falls with: those of two digits and more, or else the
/// greatest; of a row the first two, which tell before and after.
pub(super) fn figures(case: &Case<'_>) -> Vec<Figure> {
    let span = &case.claim.span;
    let sizes = sizes(case.text());
    let inside: Vec<&Counted> = case
        .claim
        .numbers
        .iter()
        .filter(|number| number.span.start >= span.start && number.span.end <= span.end)
        .filter(|number| sizes.is_empty() || !number.noun.is_empty() && number.noun != "percent")
        .collect();
    let row = case.text().contains('|');
    let many = inside.iter().filter(|number| number.value > 9).count();
    let most = inside.iter().map(|number| number.value).max();
    let mut out = Vec::new();
    for (at, number) in inside.iter().enumerate() {
        let meant = if row {
            at < 2
        } else if many > 0 {
            number.value > 9
        } else {
            Some(number.value) == most && out.is_empty()
        };
        if meant {
            let next = inside.get(at + 1).map_or(span.end, |next| next.span.start);
            out.push(Figure {
                value: number.value,
                nouns: nouns(case, number, next),
                at_least: case.close.as_bytes().get(number.span.end) == Some(&b'+'),
                guessed: number
                    .span
                    .start
                    .checked_sub(1)
                    .and_then(|at| case.close.as_bytes().get(at))
                    == Some(&b'~'),
            });
        }
    }
    out
}

/// The words for what a number counts, in the singular, and what tools call the same.
fn nouns(case: &Case<'_>, number: &Counted, next: usize) -> Vec<String> {
    let behind = case.close.get(number.span.end..next).unwrap_or("");
    let before = case.close.get(case.claim.span.start..number.span.start);
    let sentence = case.sentence();
    let label = sentence.trim_start_matches(['|', ' ']).split('|').next();
    let word = if case.text().contains('|') {
        label.and_then(last_word)
    } else {
        last_word(behind).or_else(|| before.and_then(last_word))
    };
    let mut nouns = Vec::new();
    if let Some(word) = word {
        let same: &[&str] = match word.as_str() {
            "conflicted" => &["conflict"],
            "finding" => &["leak", "found", "issue"],
            "insertion" | "addition" => &["insertion"],
            "scenario" | "spec" | "case" => &["test", "pass", "spec"],
            "hit" | "use" | "usage" | "occurrence" | "reference" | "site" | "instance" => {
                &["match", "occurrence", "result", "hit", "reference"]
            }
            "thread" => &["thread", "comment"],
            _ => &[],
        };
        nouns.extend(same.iter().map(|same| (*same).to_owned()));
        nouns.push(word);
    }
    // "-28 lines" are deletions.
    if nouns.iter().any(|noun| noun == "line") {
        let head = case.close.get(..number.span.start).unwrap_or("");
        match sign(head) {
            Some('-' | '\u{2212}') => nouns.push("deletion".to_owned()),
            Some('+') => nouns.push("insertion".to_owned()),
            _ => {}
        }
    }
    let lower = sentence.to_lowercase();
    let side = ["ahead", "behind"]
        .iter()
        .filter(|side| lower.contains(**side));
    nouns.extend(side.map(|side| (*side).to_owned()));
    nouns
}

/// The sign that a text ends in; within a range, "10-28 lines", it is none.
fn sign(head: &str) -> Option<char> {
    let mut back = head.chars().rev();
    let sign = back.next()?;
    let within = back.next().is_some_and(char::is_alphanumeric);
    (!within).then_some(sign)
}

/// The last word of a text that may name a thing, in the singular.
fn last_word(text: &str) -> Option<String> {
    const NO_NOUN: [&str; 9] = [
        "total", "all", "and", "the", "was", "were", "are", "created", "made",
    ];
    let words = text.split(|c: char| !c.is_alphabetic());
    let word = words
        .map(str::to_lowercase)
        .rfind(|word| word.len() > 2 && !NO_NOUN.contains(&word.as_str()))?;
    Some(match word.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => word.strip_suffix('s').unwrap_or(&word).to_owned(),
    })
}

/// Whether a text holds one of the words; a short one as a word of its own.
fn names(text: &str, nouns: &[String]) -> bool {
    const SHORT: usize = 3;
    let lower = text.to_lowercase();
    nouns.iter().any(|noun| {
        if noun.len() > SHORT {
            return lower.contains(noun.as_str());
        }
        let mut words = lower.split(|c: char| !c.is_alphabetic());
        words.any(|word| word == noun || word.strip_suffix('s') == Some(noun.as_str()))
    })
}

/// A number that stands beside its noun, alone in the answer to what counts, or in the short answer
/// to a call that names what is counted.
fn shown(case: &Case<'_>, figure: &Figure) -> Option<Place> {
    let digits = figure.value.to_string();
    let grouped = grouped(&digits);
    let words = stems(case.sentence());
    let holds = |line: &str| {
        !is_entry(line)
            && (holds_number(line, &digits)
                || grouped
                    .as_deref()
                    .is_some_and(|own| holds_number(line, own)))
    };
    let lines = figure.nouns.iter().any(|noun| noun == "line");
    let bears = |step: &&Step| {
        // What the client says of a call is no answer to it.
        let text = printed(step.text.as_str());
        let echoed = !step.acts.is_empty() && step.acts.iter().all(|act| act.noop);
        let own = grouped.iter().flat_map(|own| lines_holding(text, own));
        let mut lines_of = lines_holding(text, &digits)
            .chain(own)
            .filter(|line| line.len() <= LINE && holds(line))
            .peekable();
        if echoed || lines_of.peek().is_none() {
            return false;
        }
        let args = step.args.to_lowercase();
        // What makes a commit counts its files, not commits.
        let makes = args.contains("git commit");
        let asked = names(&args, &figure.nouns) && !makes && text.len() < ANSWER;
        let counts = ["wc ", "-c ", "count", "length"]
            .iter()
            .any(|word| args.contains(word));
        let about = || counts || words.iter().any(|word| args.contains(word.as_str()));
        lines_of.any(|line| {
            let own = line.trim();
            let quoted = own.len() > 6 && step.args.contains(own);
            let alone = own == digits || grouped.as_deref() == Some(own);
            !quoted
                && !counts_another(own, &digits, &figure.nouns)
                && !valued_otherwise(own, &digits, &figure.nouns)
                && !counts_changed(own, &figure.nouns, case.sentence())
                && !reads_own(case, step, own)
                && (names(line, &figure.nouns)
                    || asked
                    || alone && about()
                    || lines && args.contains("wc "))
        })
    };
    let step = case.turn.steps.iter().rev().find(bears)?;
    Some(step.result.unwrap_or(step.call))
}

/// Whether a line of a file that was read is the agent's own: what it wrote of a number shows none.
fn reads_own(case: &Case<'_>, step: &Step, line: &str) -> bool {
    let reads = step.acts.iter().any(|act| !act.reads.is_empty());
    let words = line.chars().filter(|c| c.is_alphabetic()).count();
    reads && words > 6 && case.ledger.written.wrote(line)
}

/// The lines of a file that was read to its end, of which the statement's line tells the name.
fn read_whole(case: &Case<'_>, figure: &Figure) -> Option<Place> {
    // A longer file is shown in parts.
    const AT_ONCE: u64 = 2000;
    let ledger = case.ledger;
    let sentence = case.sentence();
    let named = |path: &String| {
        let name = path.rsplit('/').next().unwrap_or(path);
        name.len() > 3 && sentence.contains(name)
    };
    let asked_for_all = |place: Place| {
        let step = case.step_at(place);
        step.is_some_and(|step| {
            let part = ["\"limit\"", "\"offset\"", "head", "sed", "tail"];
            !step.truncated && !part.iter().any(|word| step.args.contains(word))
        })
    };
    let ends = |stretch: Option<(u64, u64)>| stretch == Some((1, figure.value));
    let lines = figure.nouns.iter().any(|noun| noun == "line") && figure.value < AT_ONCE;
    let mut looks = ledger
        .looks
        .iter()
        .rev()
        .take_while(|look| look.turn == ledger.turn);
    let look = looks.find(|look| {
        lines && ends(look.lines) && look.paths.iter().any(named) && asked_for_all(look.place)
    })?;
    Some(look.place)
}

/// `16684` as people write it: `16,684`.
fn grouped(digits: &str) -> Option<String> {
    let cut = digits
        .len()
        .checked_sub(3)
        .filter(|cut| (1..=3).contains(cut))?;
    Some(format!("{},{}", &digits[..cut], &digits[cut..]))
}

/// An entry of a long listing: its numbers are sizes, days and times.
pub(super) fn is_entry(line: &str) -> bool {
    let line = line.trim_start();
    let mode = line.get(..10).unwrap_or("");
    mode.starts_with(['-', 'd', 'l'])
        && mode[1..].bytes().all(|byte| b"rwxstST-".contains(&byte))
        && mode.len() == 10
}

/// Where the session showed the number beside its noun, in words that the agent did not write.
fn earlier(case: &Case<'_>, figure: &Figure) -> Option<Place> {
    let digits = figure.value.to_string();
    let ledger = case.ledger;
    let tells = |digits: &str| {
        ledger.shown.line(digits, |line| {
            !is_entry(line)
                && holds_number(line, digits)
                && names(line, &figure.nouns)
                && !ledger.written.wrote(line)
        })
    };
    if figure.value <= 9 || figure.guessed {
        return None;
    }
    tells(&digits).or_else(|| grouped(&digits).and_then(|own| tells(&own)))
}

/// A list of this turn that has as many lines: each names the thing, or the command lists such things.
fn listed(case: &Case<'_>, figure: &Figure) -> Option<Place> {
    let conflicts = figure.nouns.iter().any(|noun| noun == "conflict");
    let wanted = usize::try_from(figure.value)
        .ok()
        .filter(|many| *many > 1)?;
    let fits = |step: &&Step| {
        let text = step.text.as_str();
        if step.delegate || step.truncated || step.text.is_cut() {
            return false;
        }
        let own = || text.lines().map(str::trim).filter(|line| !line.is_empty());
        if conflicts && own().filter(|line| line.starts_with("CONFLICT")).count() == wanted {
            return true;
        }
        let lists = step
            .acts
            .last()
            .is_some_and(|act| lists(act, &figure.nouns));
        let named = |line: &str| names(line, &figure.nouns);
        // Most answers are told by their first line, and need not be counted.
        if !lists && !own().next().is_some_and(named) {
            return false;
        }
        let counted = own()
            .take(wanted + 2)
            .filter(|line| !line.starts_with("##"));
        counted.count() == wanted && (lists || own().all(named))
    };
    let step = case.turn.steps.iter().rev().find(fits)?;
    Some(step.result.unwrap_or(step.call))
}

/// Whether a command prints one line for each thing of a kind.
fn lists(act: &Act, nouns: &[String]) -> bool {
    let of = |noun: &str| nouns.iter().any(|own| own == noun);
    let words = act.words.as_str();
    let opens = |heads: &[&str]| heads.iter().any(|head| words.starts_with(head));
    let files = [
        "git diff --name-only",
        "git ls-files",
        "git status --short",
        "git status -s",
        "git status --porcelain",
        "find ",
        "rg -l",
        "rg --files",
        "grep -l",
        "grep -rl",
        "fd ",
    ];
    act.shell
        && (of("file") && opens(&files)
            || of("commit") && opens(&["git log --oneline", "git rev-list"])
            || of("branch") && opens(&["git branch"])
            || of("worktree") && opens(&["git worktree list"]))
}

/// "3 commits ahead", where a status told of two and one more was made since.
fn ahead(case: &Case<'_>, figure: &Figure) -> Option<Place> {
    if !case.sentence().to_lowercase().contains("ahead") {
        return None;
    }
    let number = |line: &str| {
        let (_, rest) = line.split_once("ahead")?;
        let mut words = rest.split(|c: char| !c.is_ascii_digit());
        words.find(|word| !word.is_empty())?.parse::<u64>().ok()
    };
    let tells = |line: &str| {
        let told = line.contains("[ahead") || line.contains("branch is ahead of");
        // The name of the branch may hold digits of its own.
        let rest = line.rsplit_once("' by ").map_or(line, |(_, rest)| rest);
        if told && rest.len() < line.len() {
            return number(&format!("ahead {rest}"));
        }
        told.then(|| number(line)).flatten()
    };
    let mut steps = case.turn.steps.iter().rev();
    let (told, at) = steps.find_map(|step| {
        let many = step.text.as_str().lines().find_map(tells)?;
        Some((many, step.result.unwrap_or(step.call)))
    })?;
    let made = commits(case).filter(|place| place.line > at.line);
    let last = made.clone().last().unwrap_or(at);
    let more = u64::try_from(made.count()).ok()?;
    (told.saturating_add(more) == figure.value).then_some(last)
}

/// Commits of this turn that were made, in order.
fn commits<'a>(case: &Case<'a>) -> impl Iterator<Item = Place> + Clone + 'a {
    let ledger = case.ledger;
    ledger
        .outward
        .iter()
        .filter(|one| one.turn == ledger.turn && one.kind == OutwardKind::Commit)
        .filter(|one| one.outcome == Outcome::Ok && !one.rehearsal)
        .map(|one| one.place)
}

/// As many deeds of the kind as the statement tells: commits, comments, files changed, agents.
fn done(case: &Case<'_>, figure: &Figure) -> Option<Place> {
    let ledger = case.ledger;
    let wanted = usize::try_from(figure.value)
        .ok()
        .filter(|many| *many > 0)?;
    let of = |noun: &str| figure.nouns.iter().any(|own| own == noun);
    let side = of("ahead") || of("behind");
    if of("commit") && !side {
        let made = commits(case);
        return (made.clone().count() == wanted)
            .then(|| made.last())
            .flatten();
    }
    if of("comment") {
        let mut said: Vec<(&str, Place)> = ledger
            .outward
            .iter()
            .filter(|one| matches!(one.kind, OutwardKind::Other | OutwardKind::Pr))
            .filter(|one| one.outcome == Outcome::Ok && one.words.contains("comment"))
            .map(|one| (one.words.as_str(), one.place))
            .collect();
        said.sort_unstable_by_key(|(words, _)| *words);
        said.dedup_by_key(|(words, _)| *words);
        return (said.len() == wanted)
            .then(|| said.last().map(|(_, place)| *place))
            .flatten();
    }
    if of("worker") || of("agent") || of("subagent") {
        let own = ledger
            .delegations
            .iter()
            .filter(|one| one.turn == ledger.turn);
        return (own.clone().count() == wanted)
            .then(|| own.last().map(|one| one.place))
            .flatten();
    }
    let changed = [
        "changed", "modified", "edited", "updated", "touched", "created", "added",
    ];
    let lower = case.sentence().to_lowercase();
    if of("file") && changed.iter().any(|word| lower.contains(word)) {
        let own = || {
            ledger
                .edits
                .iter()
                .filter(|edit| edit.turn == ledger.turn && edit.stands())
        };
        let mut paths: Vec<&str> = own().map(|edit| edit.path.as_str()).collect();
        paths.sort_unstable();
        paths.dedup();
        let known = paths.iter().all(|path| !path.is_empty());
        return (known && paths.len() == wanted)
            .then(|| own().last().map(|edit| edit.place))
            .flatten();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_noun_is_the_last_word_in_the_singular() {
        assert_eq!(last_word(" local commits").as_deref(), Some("commit"));
        assert_eq!(last_word(" entries").as_deref(), Some("entry"));
        assert_eq!(last_word("Total Files:** ").as_deref(), Some("file"));
        assert_eq!(last_word(" ").as_deref(), None);
    }

    #[test]
    fn a_range_has_no_sign() {
        assert_eq!(sign("It is +3/-"), Some('-'));
        assert_eq!(sign("-"), Some('-'));
        assert_eq!(sign("10-"), None);
        assert_eq!(sign("pre-"), None);
    }

    #[test]
    fn numbers_of_a_listing_are_sizes_and_times() {
        assert!(is_entry("-rw-r--r-- 1 dev 197121 5217 Jan 22 15:22 a.yml"));
        assert!(!is_entry("22 files changed, 3 insertions(+)"));
        assert_eq!(grouped("16684").as_deref(), Some("16,684"));
        assert_eq!(grouped("684"), None);
    }
}
