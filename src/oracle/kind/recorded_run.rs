//! `recorded-run`: a command that the operator ran when all was over.

use serde_json::Value;

use super::super::check::{Asked, Check, ParamError, Reads};
use super::super::evidence::{Capture, Evidence, Phase, Weighed};
use super::super::guard::Guards;
use super::super::verdict::Component;
use super::params::{Common, Params, reason};
use super::{KeyShape, KindInfo, unseen};

const FAILING: &[&str] = &["acceptance-run"];

pub(super) const INFO: KindInfo = KindInfo {
    id: "recorded-run",
    question: "Did this command, run by the operator, end and print as it had to?",
    failing: FAILING,
    unknown: &[
        "key-missing",
        "run-unfinished",
        "capture-conflict",
        "output-cut",
    ],
    guards: &[
        "argv-exact",
        "phase-exact",
        "discarded-run-is-no-run",
        "one-run-speaks",
        "no-exit-is-no-success",
        "cut-output-is-unread",
        "silent",
        "last-line-not-any-line",
        "whole-last-line",
        "line-ends",
        "missing-reason-overridable",
    ],
    readings: &[],
    reads: Reads::Evidence,
    page: include_str!("recorded-run.md"),
    key: KeyShape::None,
    parse,
};

#[derive(Debug)]
struct RecordedRun {
    command: String,
    phase: Phase,
    argv: Vec<String>,
    exit: i32,
    /// `None`: nothing is printed.
    last_line: Option<String>,
    missing: Option<String>,
    common: Common,
}

/// The phases, in a spec.
const PHASES: [(&str, Phase); 5] = [
    ("post-w", Phase::PostW),
    ("w-open", Phase::WOpen),
    ("pre-arm", Phase::PreArm),
    ("post-arm", Phase::PostArm),
    ("w-close", Phase::WClose),
];

fn parse(value: &Value) -> Result<Box<dyn Check>, ParamError> {
    let mut params = Params::new(value)?;
    let command = params.needed("command")?.to_owned();
    let name = params.choice("phase", &PHASES.map(|(name, _)| name))?;
    let phase = PHASES.iter().find(|(own, _)| *own == name);
    let argv: Vec<String> = params
        .texts("argv")?
        .iter()
        .map(|word| (*word).to_owned())
        .collect();
    if argv.is_empty() {
        return Err(params.error("argv", "missing"));
    }
    let exit = params.int("exit")?.unwrap_or(0);
    let exit = i32::try_from(exit).map_err(|_| params.error("exit", "unknown-value"))?;
    let line = params.text("last-line")?.map(str::to_owned);
    let silent = params.flag("silent", false)?;
    if line.is_none() && !silent {
        return Err(params.error("last-line", "missing"));
    }
    let missing = reason(&mut params, "missing")?;
    let common = Common::reasons_only(&mut params, FAILING)?;
    params.finish()?;
    Ok(Box::new(RecordedRun {
        command,
        phase: phase.map_or(Phase::PostW, |(_, phase)| *phase),
        argv,
        exit,
        last_line: line.filter(|_| !silent),
        missing,
        common,
    }))
}

impl RecordedRun {
    fn is_it(&self, capture: &Capture<'_>, guards: Guards<'_>) -> bool {
        let argv = capture.argv == self.argv || !guards.on("argv-exact");
        let phase = capture.phase == self.phase || !guards.on("phase-exact");
        let moved = guards.hold("discarded-run-is-no-run", capture.moved());
        capture.id == self.command && argv && phase && !moved
    }

    /// Whether it printed what it had to; `None` where that is cut off.
    fn printed(&self, capture: &Capture<'_>, guards: Guards<'_>) -> Option<bool> {
        let text = capture.stdout.as_deref();
        let Some(line) = &self.last_line else {
            if !guards.on("silent") {
                return Some(true);
            }
            return match text {
                Some(text) if !text.is_empty() => Some(false),
                Some(_) if capture.sha256.is_none() => Some(true),
                _ => None,
            };
        };
        let text = text?;
        if guards.hold("cut-output-is-unread", capture.sha256.is_some()) {
            return None;
        }
        let same = |own: &str| match guards.on("whole-last-line") {
            true => own == line,
            false => own.contains(line.as_str()),
        };
        if !guards.on("last-line-not-any-line") {
            return Some(text.lines().any(same));
        }
        if !guards.on("line-ends") {
            return Some(same(
                text.strip_suffix('\n')
                    .unwrap_or(text)
                    .rsplit('\n')
                    .next()?,
            ));
        }
        let mut lines = text.lines().map(|line| line.trim_end_matches('\r'));
        Some(
            lines
                .rfind(|line| !line.trim().is_empty())
                .is_some_and(same),
        )
    }
}

impl Check for RecordedRun {
    fn ask(&self, asked: &Asked<'_>) -> Component {
        unseen(self, asked)
    }

    fn weigh(&self, asked: &Asked<'_>, evidence: &Evidence<'_>) -> Option<Weighed> {
        let guards = asked.guards;
        let runs = evidence
            .captures
            .iter()
            .filter(|own| self.is_it(own, guards));
        let runs: Vec<&Capture<'_>> = runs.collect();
        let Some(run) = runs.last() else {
            let named = self
                .missing
                .as_deref()
                .filter(|_| guards.on("missing-reason-overridable"));
            return Some(Component::unknown(named.unwrap_or("key-missing")).into());
        };
        let differs = |own: &&Capture<'_>| {
            (own.exit, &own.stdout, own.timed_out) != (run.exit, &run.stdout, run.timed_out)
        };
        if guards.hold("one-run-speaks", runs.iter().any(differs)) {
            return Some(Component::unknown("capture-conflict").into());
        }
        if guards.hold("no-exit-is-no-success", !run.ended()) {
            return Some(Component::unknown("run-unfinished").into());
        }
        let exit = run.exit.is_none_or(|exit| exit == self.exit);
        Some(match (exit, self.printed(run, guards)) {
            (true, Some(true)) => Component::pass().into(),
            (true, None) => Component::unknown("output-cut").into(),
            _ => Component::fail(self.common.reason("acceptance-run")).into(),
        })
    }
}
