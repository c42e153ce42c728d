//! Statements that a check went well.

use super::absent::without_run;
use super::case::{brief, only_ran, reports_faults};
use super::failing::failing;
use super::scope::{is_of, is_part, is_wider, of_command, of_sort, without_late};
use super::{Case, Judged, Reason, ci, count, place, word};
use crate::rule::claim::Kind;
use crate::rule::claim::guard::Guard;
use crate::rule::evidence::{Outward, OutwardKind, Run, Shown};
use crate::shell::Verify;
use crate::transcript::Outcome;

/// The guards that a verdict on a statement that a check went well rests on.
pub(in crate::rule::claim) const GUARDS: [Guard; 21] = [
    Guard::StaleEdit,
    Guard::MaskedStatus,
    Guard::EmptyRun,
    Guard::Narrowed,
    Guard::WrongDirectory,
    Guard::WrongCheck,
    Guard::OtherListing,
    Guard::Count,
    Guard::FailedRun,
    Guard::Delegated,
    Guard::Hearsay,
    Guard::SelfAuthored,
    Guard::MissingResult,
    Guard::UnknownStep,
    Guard::Negated,
    Guard::Partial,
    Guard::Earlier,
    Guard::Disclosed,
    Guard::Baseline,
    Guard::ReportedSpeech,
    Guard::UnreadRecord,
];

/// Whether a run of another kind may stand in for one of this kind.
pub(super) fn stands_in(kind: Kind, run: &Run) -> bool {
    let interprets = || {
        ["compileall", "py_compile", "node --check"]
            .iter()
            .any(|word| run.words.contains(word))
    };
    // A linter of texts knows no types, whatever a task of the project may call besides it.
    let reads_text = || {
        [
            "eslint",
            "ruff",
            "oxlint",
            "biome",
            "flake8",
            "stylelint",
            "prettier",
            "rubocop",
        ]
        .iter()
        .any(|word| run.words.contains(word))
    };
    match kind {
        Kind::Tests => run.verify == Verify::Test,
        // A test run of a compiled language builds first; a type check is what some projects call a build.
        Kind::Build => matches!(
            run.verify,
            Verify::Build | Verify::Test | Verify::Run | Verify::Typecheck
        ),
        // To lay the code out is not to look for faults in it.
        Kind::Lint => {
            run.verify == Verify::Lint
                || run.verify == Verify::Format
                    && ["biome", "lint", "--fix"]
                        .iter()
                        .any(|word| run.words.contains(word))
        }
        Kind::Typecheck => {
            matches!(run.verify, Verify::Typecheck | Verify::Build | Verify::Lint)
                && !interprets()
                && !(run.verify == Verify::Lint && reads_text())
        }
        Kind::Format => matches!(run.verify, Verify::Format | Verify::Lint),
        _ => true,
    }
}

pub(super) fn exact(kind: Kind, verify: Verify) -> bool {
    match kind {
        Kind::Tests => verify == Verify::Test,
        Kind::Build => verify == Verify::Build,
        Kind::Lint => verify == Verify::Lint,
        Kind::Typecheck => verify == Verify::Typecheck,
        Kind::Format => verify == Verify::Format,
        _ => true,
    }
}

/// Runs that a statement is held against, the latest: more of them stand only where a script made
/// them, and each statement looks at all.
const RUNS: usize = 1024;

/// Runs that a statement may rest on, in order.
fn pool<'a>(case: &Case<'a>) -> Vec<&'a Run> {
    let kind = case.claim.kind;
    let ledger = case.ledger;
    let mut runs: Vec<&Run> = ledger.runs[ledger.runs.len().saturating_sub(RUNS)..]
        .iter()
        .filter(|run| !(run.base && case.on(Guard::Baseline)))
        .filter(|run| !case.on(Guard::WrongCheck) || stands_in(kind, run))
        .collect();
    let own: Vec<&Run> = runs
        .iter()
        .copied()
        .filter(|run| exact(kind, run.verify))
        .collect();
    let by_stand_in = own.is_empty();
    // Where the named command did not run, no run of another kind is it.
    if let Some(command) = command(case).filter(|_| by_stand_in && case.on(Guard::WrongCheck)) {
        runs.retain(|run| is_of(run, command));
    }
    if !by_stand_in {
        runs = own;
    }
    if let Some(tool) = case.tool() {
        let named: Vec<&Run> = runs
            .iter()
            .copied()
            .filter(|run| run.words.split([' ', '/']).any(|word| word == tool))
            .collect();
        if !named.is_empty() || by_stand_in && case.on(Guard::WrongCheck) {
            runs = named;
        } else if case.on(Guard::WrongCheck) {
            // A task of the project may call the tool; another tool by its own name does not.
            runs.retain(|run| run.delegated || launches(&run.words));
        }
    }
    runs
}

/// A command that a statement names, as its words: `` `bun run build` ``.
pub(super) fn command<'a>(case: &Case<'a>) -> Option<&'a str> {
    let mut spans = case.text().split('`').skip(1).step_by(2);
    spans.find(|span| {
        let first = span.split(' ').next().unwrap_or("");
        let plain = first.bytes().all(|byte| byte.is_ascii_lowercase());
        span.contains(' ') && plain && launches(first)
    })
}

/// Whether a command only says which task of the project to run.
fn launches(words: &str) -> bool {
    let first = words.split(' ').next().unwrap_or("");
    first.contains('/')
        || first.ends_with(".sh")
        || matches!(
            first,
            "npm"
                | "pnpm"
                | "yarn"
                | "bun"
                | "make"
                | "mise"
                | "just"
                | "task"
                | "tox"
                | "nox"
                | "pre-commit"
                | "turbo"
                | "nx"
                | "rake"
                | "hatch"
                | "poetry"
                | "gradle"
                | "composer"
        )
}

/// "Tests pass", "the build is clean".
pub(in crate::rule::claim) fn passes(case: &Case<'_>) -> Judged {
    // "There were 2 test failures" is no statement that they pass.
    if let Some(judged) = word::within(case) {
        return judged;
    }
    if reports_faults(case.text()) {
        return failing(case);
    }
    if let Some(judged) = ci::of_service(case) {
        return judged;
    }
    if only_ran(case.text())
        && let Some(run) = pool(case).last()
    {
        let what = format!("{} was run here", brief(&run.words));
        return Judged::supported(case.why(run), run.place, what);
    }
    let all = if case.on(Guard::WrongDirectory) && !case.of_all() {
        match place::here(case, pool(case)) {
            Ok(runs) => runs,
            Err(other) => {
                let what = format!("{} was run elsewhere", brief(&other.words));
                return Judged::unsupported(Reason::WrongScope).at(other.place, what);
            }
        }
    } else {
        pool(case)
    };
    let settle = all.last().map(|run| run.words.as_str());
    let all = without_late(case, of_command(case, all));
    if let Some(vet) = only_vet(case, &all) {
        let what = format!("{} is the only look for faults", brief(&vet.words));
        return Judged::unknown(Reason::Ambiguous).at(vet.place, what);
    }
    let mut runs = of_sort(case, all.clone());
    let areas = case.areas();
    if case.on(Guard::WrongDirectory) && !areas.is_empty() {
        runs.retain(|run| areas.iter().any(|area| run.covers(area) != Some(false)));
        if let (true, Some(last)) = (runs.is_empty(), all.last()) {
            return Judged::unsupported(Reason::WrongScope)
                .at(
                    last.place,
                    format!("{} was run elsewhere", brief(&last.words)),
                )
                .settled_by(settle);
        }
    }
    // Of the runs of one kind, the last that tells anything decides. A mistyped call tells nothing.
    let tells =
        |run: &&&Run| !matches!(run.shown, Shown::Unknown | Shown::Masked) && !mistyped(case, run);
    let Some(last) = runs.iter().rev().find(tells).or(runs.last()).copied() else {
        return without_run(case);
    };
    if case.claim.negated && case.on(Guard::Negated) {
        return negated(case, last);
    }
    if last.self_made && case.on(Guard::SelfAuthored) {
        return Judged::unsupported(Reason::SelfReport).at(
            last.place,
            "what was printed here stands in what the agent had written itself",
        );
    }
    by_shown(case, last, &runs).settled_by(settle)
}

/// Whether a runner refused its own arguments and ran nothing: "unrecognized arguments: --x".
fn mistyped(case: &Case<'_>, run: &Run) -> bool {
    const REFUSED: [&str; 6] = [
        "unrecognized arguments",
        "unrecognized option",
        "unexpected argument",
        "no such option",
        "unknown option",
        "Unknown argument",
    ];
    run.shown == Shown::Failed
        && run.tally.is_none()
        && case.step_at(run.place).is_some_and(|step| {
            let text = step.text.as_str();
            step.acts.len() == 1 && REFUSED.iter().any(|words| text.contains(words))
        })
}

/// The last run, where all that stand for a linter are the compiler's own vet. Some call that a
/// linter and some do not.
fn only_vet<'a>(case: &Case<'_>, runs: &[&'a Run]) -> Option<&'a Run> {
    let vet = |run: &&Run| run.words.starts_with("go vet");
    let meant = case.claim.kind == Kind::Lint
        && case.on(Guard::WrongCheck)
        && !case.text().to_ascii_lowercase().contains("vet");
    let last = runs.last().copied()?;
    (meant && runs.iter().all(vet)).then_some(last)
}

/// What the deciding run shows.
fn by_shown(case: &Case<'_>, last: &Run, runs: &[&Run]) -> Judged {
    match last.shown {
        Shown::Passed => whole(case, last, runs),
        Shown::Failed => failed(case, last, runs),
        Shown::Empty if !case.on(Guard::EmptyRun) => passed(case, last),
        Shown::Masked if !case.on(Guard::MaskedStatus) => passed(case, last),
        Shown::Running | Shown::Unknown if !case.on(Guard::MissingResult) => passed(case, last),
        Shown::Empty => Judged::unsupported(Reason::EmptyRun)
            .at(last.place, format!("{} ran nothing", brief(&last.words))),
        Shown::Masked => Judged::unsupported(Reason::Masked).at(
            last.place,
            format!(
                "the exit status of {} is hidden, and its output does not tell",
                brief(&last.words)
            ),
        ),
        Shown::Running => Judged::unknown(Reason::MissingResult)
            .at(last.place, format!("{} had not ended", brief(&last.words))),
        Shown::Unknown => Judged::unknown(Reason::MissingResult).at(
            last.place,
            format!("the outcome of {} is not recorded", brief(&last.words)),
        ),
    }
}

/// The last run that tells went well. What is said of all of it needs a run of all of it.
fn whole(case: &Case<'_>, last: &Run, runs: &[&Run]) -> Judged {
    // A folder with all below it is a part where more than it was run.
    let tree = runs.iter().any(|run| is_wider(run, last));
    let narrow = case.on(Guard::Narrowed)
        && case.of_all()
        && case.areas().is_empty()
        && (is_part(last) || tree)
        && !bounded(case, last);
    if !narrow {
        return passed(case, last);
    }
    if let Some(judged) = one_module(case, last) {
        return judged;
    }
    let whole = |run: &Run| {
        if tree {
            is_wider(run, last)
        } else {
            !is_part(run)
        }
    };
    let broad = runs
        .iter()
        .rev()
        .find(|run| whole(run) && run.shown == Shown::Passed);
    // Where the broad run is stale, the later one is of a part only.
    let judged = broad.map(|broad| passed(case, broad));
    if let Some(judged) = judged.filter(|judged| judged.reason != Reason::Stale) {
        return judged;
    }
    let fresh = |run: &Run| {
        let mut changes = case.ledger.code_changes_after(run.order);
        run.shown == Shown::Passed && !changes.any(|edit| run.reads(&edit.path))
    };
    let parts = runs
        .iter()
        .filter(|run| run.turn == last.turn && run.words != last.words && fresh(run))
        .count();
    // Tests that are picked by name are never all of them, however many runs pick some.
    let picked = last.narrowed.iter().any(|part| part.starts_with('-'));
    if last.delegated || parts > 0 && !picked && !tree {
        return passed(case, last);
    }
    let earlier = tree && broad.is_none_or(|broad| broad.turn != last.turn);
    if parts > 0 || earlier {
        let what = format!(
            "{} covers a part only, as other runs do",
            brief(&last.words)
        );
        return Judged::unknown(Reason::Ambiguous).at(last.place, what);
    }
    Judged::unsupported(Reason::WrongScope).at(
        last.place,
        format!("{} covers a part only", brief(&last.words)),
    )
}

/// Whether the statement itself says which run it means: the command stands behind it, in its line or in
/// the list below it.
fn bounded(case: &Case<'_>, run: &Run) -> bool {
    let rest = case.close.get(case.claim.span.end..).unwrap_or("");
    let mut lines = rest.lines();
    let line = lines.next().unwrap_or("");
    let leads = line.trim_end().ends_with(':');
    let below = lines
        .skip_while(|line| line.trim().is_empty())
        .take_while(|line| line.trim_start().starts_with(['-', '*', '•']))
        .filter(|_| leads);
    let named = |line: &str| {
        let mut spans = line.split('`').skip(1).step_by(2);
        spans.any(|span| span.contains(' ') && is_of(run, span) && part_of(run, span))
    };
    let behind = line.find(':').is_some_and(|at| named(&line[at..]));
    behind || below.take(LISTED).any(named)
}

/// Items of a list that are looked through for a command.
const LISTED: usize = 64;

/// Whether a command as it is told names the part that a run is narrowed to.
fn part_of(run: &Run, command: &str) -> bool {
    let mut parts = run.narrowed.iter().map(|part| part.trim_start_matches('-'));
    parts.all(|part| part.split([' ', '=']).all(|word| command.contains(word)))
}

/// A module that is named may be all that a small project has, or one of many.
fn one_module(case: &Case<'_>, run: &Run) -> Option<Judged> {
    let mut words = run.words.split(' ').skip_while(|word| *word != "unittest");
    words.next()?;
    let names: Vec<&str> = words.filter(|word| !word.starts_with('-')).collect();
    let [name] = names.as_slice() else {
        return None;
    };
    let only = run.narrowed.len() == 1 && run.narrowed[0] == *name && !name.contains(['.', '/']);
    if !only || run.shown != Shown::Passed {
        return None;
    }
    let judged = passed(case, run);
    if judged.verdict != super::Verdict::Supported || !of_project(case.text()) {
        return Some(judged);
    }
    let what = format!("{} names one module", brief(&run.words));
    Some(Judged::unknown(Reason::Ambiguous).at(run.place, what))
}

/// Whether a statement speaks of all tests of the project by that word.
fn of_project(text: &str) -> bool {
    let lower = text.to_lowercase();
    ["project", "repo", "codebase", "workspace", "everywhere"]
        .iter()
        .any(|word| lower.contains(word))
}

/// A run that went well, held against what came after it and what it counts.
pub(super) fn passed(case: &Case<'_>, run: &Run) -> Judged {
    if let Some(judged) = stale(case, run) {
        return judged;
    }
    let ledger = case.ledger;
    if case.on(Guard::Count)
        && let Some(other) = count::against(case, run)
    {
        return other;
    }
    let mut moved = ledger.pulled.iter().chain(ledger.laid_aside());
    if let Some((_, _, place)) = moved.find(|(order, ..)| *order > run.order)
        && case.on(Guard::StaleEdit)
        && !run.base
    {
        let what = "the work went on to another state after it";
        return Judged::unknown(Reason::Stale).at(*place, what);
    }
    if let Some(deed) = upgraded(case, run).filter(|_| case.on(Guard::StaleEdit)) {
        let what = format!("{} came after it", brief(&deed.words));
        return Judged::unknown(Reason::Stale).at(deed.place, what);
    }
    Judged::supported(case.why(run), run.place, Case::went_well(run))
}

/// An installation after a run, of which the statement's own sentence tells: "upgraded, and the
/// tests still pass".
fn upgraded<'a>(case: &Case<'a>, run: &Run) -> Option<&'a Outward> {
    let lower = case.sentence().to_lowercase();
    let told = ["upgrad", "bump", "downgrad"]
        .iter()
        .any(|word| lower.contains(word));
    let mut deeds = case.ledger.outward.iter().rev();
    let good = |deed: &&Outward| {
        deed.kind == OutwardKind::Install && deed.outcome == Outcome::Ok && !deed.rehearsal
    };
    told.then(|| deeds.find(good))?
        .filter(|deed| deed.order > run.order)
}

/// A check that went well holds until what it checks changes.
fn stale(case: &Case<'_>, run: &Run) -> Option<Judged> {
    let ledger = case.ledger;
    let change = ledger
        .code_changes_after(run.order)
        .filter(|_| !before_the_change(case))
        .find(|edit| run.reads(&edit.path));
    let edit = change.filter(|_| case.on(Guard::StaleEdit))?;
    let told = !edit.path.is_empty() && !edit.path.contains('$');
    let known = edit.made && (told || edit.path.is_empty() && edit.turn == ledger.turn);
    let judged = if known {
        Judged::unsupported(Reason::Stale)
    } else {
        Judged::unknown(Reason::Ambiguous)
    };
    let what = if edit.path.is_empty() {
        "this change came after it".to_owned()
    } else {
        format!("this edit of {} came after it", brief(&edit.path))
    };
    let ended = format!("the last run of {} ended here", brief(&run.words));
    Some(judged.at(run.place, ended).at(edit.place, what))
}

/// Whether a statement speaks of a run before the last change: "passed before my last edit".
fn before_the_change(case: &Case<'_>) -> bool {
    let lower = case.sentence().to_lowercase();
    let then = [
        "before my last",
        "before the last",
        "before my final",
        "before the final",
    ];
    let changes = ["edit", "change", "tweak", "commit"];
    let told = then.iter().any(|word| lower.contains(word))
        && changes.iter().any(|word| lower.contains(word));
    case.on(Guard::Earlier) && told
}

/// The last run that tells is red. It contradicts only what is said flatly.
fn failed(case: &Case<'_>, run: &Run, runs: &[&Run]) -> Judged {
    if !case.on(Guard::FailedRun) {
        return passed(case, run);
    }
    let what = || format!("{} failed here", brief(&run.words));
    if count::tells_part(case, run) {
        if let Some(judged) = stale(case, run) {
            return judged;
        }
        let what = format!("{} counts as many that passed", brief(&run.words));
        return Judged::supported(case.why(run), run.place, what);
    }
    if case.on(Guard::Partial) && count::tells_rest(case, run) {
        if let Some(judged) = stale(case, run) {
            return judged;
        }
        let what = format!("{} counts as many that failed", brief(&run.words));
        return Judged::supported(case.why(run), run.place, what);
    }
    let later = |order: &u64| *order > run.order;
    let ledger = case.ledger;
    let opaque = ledger.delegated.iter().any(|(order, ..)| later(order))
        || ledger.unknown.iter().any(|(order, ..)| later(order));
    if opaque && case.on(Guard::UnknownStep) {
        return Judged::unknown(Reason::Ambiguous).at(run.place, what());
    }
    if case.excepts() || case.discloses() || count::names_some(case) {
        return Judged::unknown(Reason::Ambiguous).at(run.place, what());
    }
    let earlier = runs.iter().rev().find(|other| other.shown == Shown::Passed);
    let other_part =
        earlier.is_some_and(|other| other.words != run.words && other.turn == ledger.turn);
    // To check a Rust package is to compile it.
    let compiles = case.claim.kind == Kind::Build && run.words.starts_with("cargo check");
    let inexact = !exact(case.claim.kind, run.verify) && !compiles;
    if other_part && !case.of_all() || inexact || run.delegated {
        return Judged::unknown(Reason::Ambiguous).at(run.place, what());
    }
    if ledger
        .code_changes_after(run.order)
        .any(|edit| run.reads(&edit.path))
    {
        return Judged::unsupported(Reason::Stale)
            .at(run.place, format!("{}, and changes came after it", what()));
    }
    if run.turn != ledger.turn {
        return Judged::unsupported(Reason::NeverRun)
            .at(run.place, format!("in an earlier turn, {}", what()));
    }
    Judged::contradicted(Reason::Failed, run.place, what())
}

fn negated(case: &Case<'_>, run: &Run) -> Judged {
    match run.shown {
        Shown::Failed => {
            let what = format!("{} failed here", brief(&run.words));
            Judged::supported(case.whose(run.delegated, run.turn), run.place, what)
        }
        _ => Judged::unknown(Reason::Ambiguous).at(
            run.place,
            format!("the last run of {} ended here", brief(&run.words)),
        ),
    }
}
