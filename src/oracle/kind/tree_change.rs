//! `tree-change`: what a run changed in its tree, to the byte.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::check::{Asked, Check, ParamError, Reads};
use super::super::evidence::{Entry, Evidence, Weighed};
use super::super::grammar::Facts;
use super::super::guard::Guards;
use super::super::verdict::Component;
use super::params::{Common, Params};
use super::{KeyShape, KindInfo, key, key_shape, unseen};

const FAILING: &[&str] = &["extra-changes", "empty-diff", "bytes-differ", "behaviour"];

pub(super) const INFO: KindInfo = KindInfo {
    id: "tree-change",
    question: "Did the run bring these files to these bytes, and touch no others?",
    failing: FAILING,
    unknown: &[
        "block-grading",
        "conflicting-identity",
        "probe-missing",
        "capture-conflict",
        "key-shape",
    ],
    guards: &[
        "key-shape",
        "unobserved-is-no-empty-diff",
        "another-tree-speaks-for-no-one",
        "head-base-and-rev-agree",
        "path-is-no-prefix",
        "path-is-no-suffix",
        "both-ends-of-a-rename",
        "caches-ignored",
        "ignored-files-count",
        "touched-is-not-changed",
        "bytes-never-assumed",
        "bytes-before-behaviour",
        "unrun-probe-is-no-pass",
        "allowed-is-not-required",
    ],
    readings: &[],
    reads: Reads::Evidence,
    page: include_str!("tree-change.md"),
    key: KeyShape::fields(&["prepared", "base", "exec-rev", "before", "final"]),
    parse,
};

#[derive(Debug)]
struct Probe {
    command: String,
    exit: i32,
    stdout: Option<String>,
}

#[derive(Debug)]
struct TreeChange {
    allowed: Vec<String>,
    required: Vec<String>,
    ignore: Vec<String>,
    probe: Option<Probe>,
    common: Common,
}

fn parse(value: &Value) -> Result<Box<dyn Check>, ParamError> {
    let mut params = Params::new(value)?;
    let mut list = |name| -> Result<Vec<String>, ParamError> {
        Ok(params
            .texts(name)?
            .iter()
            .map(|text| (*text).to_owned())
            .collect())
    };
    let (allowed, required, ignore) = (list("allowed")?, list("required")?, list("ignore")?);
    if required.is_empty() {
        return Err(params.error("required", "missing"));
    }
    let shaped = |own: &String| own.ends_with('/') || own.starts_with("*.");
    if let Some(at) = ignore.iter().position(|own| !shaped(own)) {
        return Err(params.error(&format!("ignore.{at}"), "unknown-value"));
    }
    let probe = params.table("probe")?.map(probe).transpose()?.flatten();
    let common = Common::reasons_only(&mut params, FAILING)?;
    params.finish()?;
    Ok(Box::new(TreeChange {
        allowed,
        required,
        ignore,
        probe,
        common,
    }))
}

/// An empty table asks for no probe.
fn probe(mut table: Params<'_>) -> Result<Option<Probe>, ParamError> {
    let command = table.text("command")?.map(str::to_owned);
    let exit = i32::try_from(table.int("exit")?.unwrap_or(0));
    let exit = exit.map_err(|_| table.error("exit", "unknown-value"))?;
    let stdout = table.text("stdout")?.map(str::to_owned);
    if command.is_none() && stdout.is_some() {
        return Err(table.error("command", "missing"));
    }
    table.finish()?;
    Ok(command.map(|command| Probe {
        command,
        exit,
        stdout,
    }))
}

/// The key: the tree by its name, its revisions, and digests of files before and after.
struct Wanted<'k> {
    prepared: &'k str,
    base: &'k str,
    exec_rev: &'k str,
    before: BTreeMap<&'k str, &'k str>,
    last: BTreeMap<&'k str, &'k str>,
}

impl<'k> Wanted<'k> {
    fn read(key: &'k Value) -> Option<Self> {
        let text = |name| key::field(key, name).and_then(key::text);
        let digests = |name| -> Option<BTreeMap<&'k str, &'k str>> {
            let fields = key::field(key, name)?.as_object()?.iter();
            fields
                .map(|(path, own)| Some((path.as_str(), key::text(own)?)))
                .collect()
        };
        Some(Self {
            prepared: text("prepared")?,
            base: text("base")?,
            exec_rev: text("exec-rev")?,
            before: digests("before")?,
            last: digests("final")?,
        })
    }
}

/// Whether nobody could read what is there, so that it may have changed or not.
fn is_unread(entry: &Entry<'_>) -> bool {
    entry.status == "?"
}

impl TreeChange {
    fn is_ignored(&self, path: &str, guards: Guards<'_>) -> bool {
        guards.on("caches-ignored")
            && self.ignore.iter().any(|own| match own.strip_suffix('/') {
                Some(folder) => {
                    let above = path.rsplit_once('/').map_or("", |(above, _)| above);
                    above.split('/').any(|part| part == folder)
                }
                None => path.ends_with(own.trim_start_matches('*')),
            })
    }

    fn is_allowed(&self, path: &str, guards: Guards<'_>) -> bool {
        self.allowed.iter().chain(&self.required).any(|own| {
            own == path
                || !guards.on("path-is-no-prefix") && path.starts_with(own.as_str())
                || !guards.on("path-is-no-suffix") && path.ends_with(own.as_str())
        })
    }

    /// Whether anything was changed that may not be.
    fn strays(&self, entries: &[Entry<'_>], wanted: &Wanted<'_>, guards: Guards<'_>) -> bool {
        entries.iter().any(|entry| {
            let from = entry
                .from
                .as_deref()
                .filter(|_| guards.on("both-ends-of-a-rename"));
            let ignored = entry.status == "!!" && !guards.on("ignored-files-count");
            let before = wanted.before.get(&*entry.path).copied();
            let touched = before.is_some() && entry.sha256.as_deref() == before;
            let wrong =
                |path: &str| !self.is_allowed(path, guards) && !self.is_ignored(path, guards);
            !ignored
                && !touched
                && !is_unread(entry)
                && (wrong(&entry.path) || from.is_some_and(wrong))
        })
    }

    /// Holds the files that must be changed against the key; whether all of them are right.
    fn bytes(
        &self,
        entries: &[Entry<'_>],
        wanted: &Wanted<'_>,
        guards: Guards<'_>,
        facts: &mut Facts,
    ) -> bool {
        let mut must: Vec<&String> = self.required.iter().collect();
        if !guards.on("allowed-is-not-required") {
            must.extend(&self.allowed);
        }
        let (mut right, mut changed, mut unchanged) = (true, false, false);
        for path in must {
            let last = wanted.last.get(path.as_str()).copied();
            let before = wanted.before.get(path.as_str()).copied();
            let entry = entries.iter().find(|entry| entry.path == path.as_str());
            let own = entry.and_then(|entry| entry.sha256.as_deref());
            let same = entry.is_none()
                || guards.hold("touched-is-not-changed", own.is_some() && own == before);
            if same {
                // A file that was right before need not be changed.
                let fine = before.is_some() && before == last;
                unchanged |= !fine;
                right &= fine;
                continue;
            }
            changed = true;
            let gone = entry.is_some_and(|entry| entry.status.contains('D'));
            match (own, last) {
                (None, _) if !gone && guards.on("bytes-never-assumed") => {
                    facts.unknown("block-grading");
                    right = false;
                }
                (None, _) if !gone => {}
                (Some(own), Some(last)) if own == last => {}
                _ => {
                    facts.fail(self.common.reason("bytes-differ"));
                    right = false;
                }
            }
        }
        if unchanged {
            let reason = if changed {
                "bytes-differ"
            } else {
                "empty-diff"
            };
            facts.fail(self.common.reason(reason));
        }
        right
    }

    fn behaves(
        &self,
        probe: &Probe,
        evidence: &Evidence<'_>,
        guards: Guards<'_>,
        facts: &mut Facts,
    ) {
        let runs = evidence
            .captures
            .iter()
            .filter(|own| own.id == probe.command);
        let runs: Vec<_> = runs
            .filter(|own| own.ended() && own.sha256.is_none())
            .collect();
        let said = |own: &super::super::evidence::Capture<'_>| {
            let stdout = probe.stdout.as_deref();
            let printed = stdout.is_none() || own.stdout.as_deref() == stdout;
            own.exit == Some(probe.exit) && printed
        };
        let right = runs.iter().filter(|own| said(own)).count();
        if runs.is_empty() {
            if guards.on("unrun-probe-is-no-pass") {
                facts.unknown("probe-missing");
            }
        } else if right == 0 {
            facts.fail(self.common.reason("behaviour"));
        } else if right < runs.len() {
            facts.unknown("capture-conflict");
        }
    }
}

impl Check for TreeChange {
    fn ask(&self, asked: &Asked<'_>) -> Component {
        unseen(self, asked)
    }

    fn weigh(&self, asked: &Asked<'_>, evidence: &Evidence<'_>) -> Option<Weighed> {
        let guards = asked.guards;
        let Some(wanted) = Wanted::read(asked.key) else {
            return Some(key_shape(asked).into());
        };
        let tree = &evidence.tree;
        let observed = tree.observed.as_deref();
        let seen = observed.is_some() && evidence.entries_observed;
        if !seen && guards.on("unobserved-is-no-empty-diff") {
            return Some(Component::unknown("block-grading").into());
        }
        let another = observed.is_some_and(|own| match guards.on("path-is-no-prefix") {
            true => own != wanted.prepared,
            false => !own.starts_with(wanted.prepared),
        });
        if guards.hold("another-tree-speaks-for-no-one", another) {
            return Some(Component::unknown("conflicting-identity").into());
        }
        let revisions = [
            tree.base.as_deref(),
            tree.head.as_deref(),
            Some(wanted.exec_rev),
        ];
        let agree = revisions.iter().all(|own| *own == Some(wanted.base));
        if guards.hold("head-base-and-rev-agree", !agree) {
            return Some(Component::unknown("block-grading").into());
        }
        let mut facts = Facts::default();
        let mut unread = evidence.entries.iter().filter(|entry| is_unread(entry));
        // What cannot be read may hold a change of anything in it.
        if unread.any(|entry| !self.is_ignored(&entry.path, guards)) {
            facts.unknown("block-grading");
        }
        if self.strays(&evidence.entries, &wanted, guards) {
            facts.fail(self.common.reason("extra-changes"));
        }
        let right = self.bytes(&evidence.entries, &wanted, guards, &mut facts);
        if let Some(probe) = &self.probe
            && (right || !guards.on("bytes-before-behaviour"))
        {
            self.behaves(probe, evidence, guards, &mut facts);
        }
        Some(facts.finish().into())
    }
}
