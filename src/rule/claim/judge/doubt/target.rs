//! An outward deed whose own words or answer tell of another target than the statement: another
//! number, version, app, base or branch, or another state.

use super::{coded, open};
use crate::rule::claim::Kind;
use crate::rule::claim::judge::case::brief;
use crate::rule::claim::judge::seen::version;
use crate::rule::claim::judge::{Case, Judged, Reason};
use crate::rule::evidence::{Outward, OutwardKind};
use crate::turn::Step;

pub(super) fn doubt(case: &Case<'_>, deed: &Outward) -> Option<Judged> {
    let step = case.step_at(deed.place);
    let text = case.text();
    let other = match case.claim.kind {
        Kind::Pr => other_state(text, deed, step) || other_base(text, deed),
        Kind::Push => {
            unforced(text, deed, step) || other_branch(text, deed) || other_tag(text, deed, step)
        }
        Kind::Deploy => other_app(text, deed, step) || preview(text, deed, step),
        Kind::Install | Kind::Publish => other_version(case, deed, step),
        _ => false,
    };
    let what = || format!("{} tells of another", brief(&deed.words));
    other.then(|| open(Reason::Ambiguous, deed.place, what()))
}

fn number(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once('#')?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0).then(|| &rest[..digits])
}

/// "PR #41 is merged", and what was looked at is another, or is in another state.
fn other_state(text: &str, deed: &Outward, step: Option<&Step>) -> bool {
    let (OutwardKind::State, Some(step)) = (deed.kind, step) else {
        return false;
    };
    let answer = step.text.as_str();
    let lower = text.to_lowercase();
    let answered = answer.to_lowercase();
    let told = ["merged", "closed"]
        .into_iter()
        .find(|state| lower.contains(state));
    let elsewhere =
        number(text).is_some_and(|number| !deed.words.contains(number) && !answer.contains(number));
    elsewhere || told.is_some_and(|state| !answered.contains(state))
}

/// The value behind one of some flags of a command.
fn flag<'a>(words: &'a str, flags: &[&str]) -> Option<&'a str> {
    let mut words = words.split(' ');
    words
        .find_map(|word| {
            let (name, joined) = match word.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (word, None),
            };
            flags.contains(&name).then_some(joined)
        })
        .and_then(|joined| joined.or_else(|| words.next()))
}

/// "Opened a PR against `main`", and another base was given.
fn other_base(text: &str, deed: &Outward) -> bool {
    let heads = ["against `", "into `", "targeting `", "onto `"];
    let told = heads.iter().find_map(|head| text.split_once(head));
    let told = told.and_then(|(_, rest)| rest.split('`').next());
    let given = flag(&deed.words, &["--base", "-B", "--target-branch"]);
    matches!((told, given), (Some(told), Some(given)) if !given.contains(told) && !told.contains(given))
}

/// "Force-pushed", and neither the command nor the answer tells of force.
fn unforced(text: &str, deed: &Outward, step: Option<&Step>) -> bool {
    let lower = text.to_lowercase();
    let told = ["force-push", "force push", "forced push"]
        .iter()
        .any(|word| lower.contains(word));
    let mut words = deed.words.split(' ');
    let forced = words.any(|word| {
        word.starts_with("--force")
            || word.starts_with('+')
            || word == "-f"
            || word == "-uf"
            || word == "-fu"
    });
    let answered = step.is_none_or(|step| step.text.as_str().contains("forced update"));
    told && !forced && !answered && deed.words.starts_with("git ")
}

/// "Pushed to `origin/main`", and git was told another branch: `HEAD:dev`.
fn other_branch(text: &str, deed: &Outward) -> bool {
    let Some((_, rest)) = text.split_once("to `") else {
        return false;
    };
    let told = rest.split('`').next().unwrap_or("");
    let told = told.rsplit_once('/').map_or(told, |(_, name)| name);
    let mut words = deed.words.split(' ').filter(|word| !word.starts_with('-'));
    let to = words.find_map(|word| word.split_once(':').filter(|(from, _)| !from.contains('/')));
    let Some((_, to)) = to else {
        return false;
    };
    let to = to.rsplit('/').next().unwrap_or(to);
    !told.is_empty() && !to.contains(['$', '@', '.']) && !to.is_empty() && told != to
}

/// "Pushed `v1.2.0`", and git was told another tag.
fn other_tag(text: &str, deed: &Outward, step: Option<&Step>) -> bool {
    let tag = |word: &str| {
        let bare = word.trim_start_matches('v');
        version(word).is_some_and(|version| bare.starts_with(version))
    };
    let Some(told) = coded(text).find(|span| tag(span)) else {
        return false;
    };
    let given = deed.words.split(' ').any(tag);
    let shown = step.is_some_and(|step| step.text.as_str().contains(told));
    given && !deed.words.contains(told) && !shown
}

/// "Deployed the `shop` app", and another app was named.
fn other_app(text: &str, deed: &Outward, step: Option<&Step>) -> bool {
    let given = flag(
        &deed.words,
        &["--app", "-a", "--project", "--service", "--name"],
    );
    let Some(given) = given.filter(|given| !given.contains('$')) else {
        return false;
    };
    let shown = |name: &str| {
        deed.words.contains(name) || step.is_some_and(|step| step.text.as_str().contains(name))
    };
    let plain = |span: &&str| {
        span.bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b))
    };
    let mut spans = coded(text).filter(plain).peekable();
    spans.peek().is_some() && !text.contains(given) && !spans.any(shown)
}

/// "Deployed to production", and the answer tells of a preview.
fn preview(text: &str, deed: &Outward, step: Option<&Step>) -> bool {
    let answer = step.map_or("", |step| step.text.as_str());
    let all = format!("{} {answer}", deed.words).to_lowercase();
    text.to_lowercase().contains("production") && all.contains("preview") && !all.contains("prod")
}

/// "Installed httpx 0.28.1", and the answer names another version of it.
fn other_version(case: &Case<'_>, deed: &Outward, step: Option<&Step>) -> bool {
    let Some(told) = version(case.text()) else {
        return false;
    };
    let named = |text: &str| text.contains(told);
    match step {
        Some(step) => {
            let answers = version(step.text.as_str()).is_some();
            answers && !named(step.text.as_str()) && !named(&deed.words)
        }
        // The answer of an earlier turn is not at hand; this turn speaks of the version, and no line
        // that was shown names it as a package's.
        None => {
            let at = format!("@{told}");
            let answers = |line: &str| {
                [at.as_str(), "Published", "Upload"]
                    .iter()
                    .any(|sign| line.contains(sign))
            };
            let shown = case.ledger.shown.line(told, answers).is_some();
            !named(&deed.words) && !shown && super::known(case, told)
        }
    }
}
