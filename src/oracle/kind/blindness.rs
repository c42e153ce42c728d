//! `blindness`: whether a run saw its packet, and nothing that leads to what is under test.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::check::{Asked, Check, ParamError, Reading, Reads};
use super::super::evidence::{Call, Evidence, RowKind, State, Weighed};
use super::super::grammar::Facts;
use super::super::guard::Guards;
use super::super::verdict::Component;
use super::calls::text;
use super::find::{folder, in_name, lies_in, resolved, stands};
use super::params::{Common, Params};
use super::{KeyShape, KindInfo, key_shape, unseen};

const FAILING: &[&str] = &["calls", "injection", "first-prompt", "reads", "marker"];

const TOOLS: Reading = Reading {
    id: "blind-tools",
    values: &["read-tools-only", "named-tools-only"],
    question: "May a blind run call only the tools that are allowed, or all but those that are forbidden?",
};
const ATTACHMENTS: Reading = Reading {
    id: "blind-attachments",
    values: &["allowlist", "denylist"],
    question: "May a client put in only what is allowed before the first answer, or all but what is denied?",
};
const READS: Reading = Reading {
    id: "blind-reads",
    values: &["packet-roots", "memory-index-roots"],
    question: "Must every read stay in the packet, or only keep out of the folders of memories?",
};
const MARKER: Reading = Reading {
    id: "blind-marker",
    values: &["any-row", "first-prompt-and-hook-context"],
    question: "May the marker stand in no row at all, or not in the first prompt and what hooks put in?",
};

pub(super) const INFO: KindInfo = KindInfo {
    id: "blindness",
    question: "Did the run see its packet, and nothing that leads to what is under test?",
    failing: FAILING,
    unknown: &[
        "calls-unobserved",
        "injection-unobserved",
        "first-prompt-unobserved",
        "reads-unobserved",
        "marker-unobserved",
        "call-state-unknown",
        "key-shape",
    ],
    guards: &[
        "key-shape",
        "unobserved-is-not-clean",
        "unobserved-is-not-zero",
        "every-call",
        "tool-is-no-prefix",
        "tool-with-server-is-another",
        "allowed-needs-no-state",
        "stateless-only-makes-unknown",
        "every-read-tool",
        "path-resolved",
        "path-is-no-prefix",
        "failed-read-shows-nothing",
        "anchor-whole-line",
        "marker-is-bounded",
        "own-words-are-no-row",
    ],
    readings: &[TOOLS, ATTACHMENTS, READS, MARKER],
    reads: Reads::Evidence,
    page: include_str!("blindness.md"),
    key: KeyShape::None,
    parse,
};

/// Where a tool that reads takes its paths.
#[derive(Debug)]
struct Reader {
    tool: String,
    path: Option<String>,
    pattern: Option<String>,
}

#[derive(Debug)]
struct Blindness {
    allowed: Vec<String>,
    forbidden: Vec<String>,
    servers: Vec<String>,
    readers: Vec<Reader>,
    packets: Vec<String>,
    memories: Vec<String>,
    marker: String,
    headers: Vec<String>,
    anchors: Vec<String>,
    attachments: Vec<String>,
    denied: Vec<String>,
    common: Common,
}

fn parse(value: &Value) -> Result<Box<dyn Check>, ParamError> {
    let mut params = Params::new(value)?;
    let mut readers = Vec::new();
    for mut table in params.tables("reads")? {
        let own = |text: Option<&str>| text.map(str::to_owned);
        let reader = Reader {
            tool: table.needed("tool")?.to_owned(),
            path: own(table.text("path")?),
            pattern: own(table.text("pattern")?),
        };
        if reader.path.is_none() && reader.pattern.is_none() {
            return Err(table.error("path", "missing"));
        }
        table.finish()?;
        readers.push(reader);
    }
    let marker = params.needed("marker")?.to_owned();
    let mut list = |name| -> Result<Vec<String>, ParamError> {
        Ok(params.texts(name)?.into_iter().map(str::to_owned).collect())
    };
    let mut check = Blindness {
        allowed: list("allowed-tools")?,
        forbidden: list("forbidden-tools")?,
        servers: list("forbidden-servers")?,
        readers,
        packets: list("packet-roots")?,
        memories: list("memory-roots")?,
        marker,
        headers: list("server-headers")?,
        anchors: list("anchors")?,
        attachments: list("attachments")?,
        denied: list("denied-attachments")?,
        common: Common::reasons_only(&mut params, FAILING)?,
    };
    for (name, roots) in [
        ("packet-roots", &mut check.packets),
        ("memory-roots", &mut check.memories),
    ] {
        for (index, root) in roots.iter_mut().enumerate() {
            let placed = resolved(root, "");
            *root =
                placed.ok_or_else(|| params.error(&format!("{name}.{index}"), "unknown-value"))?;
        }
    }
    if check.packets.is_empty() {
        return Err(params.error("packet-roots", "missing"));
    }
    params.finish()?;
    Ok(Box::new(check))
}

impl Blindness {
    /// Whether a blind run may make a call.
    fn allows(&self, call: &Call<'_>, tools: &str, guards: Guards<'_>) -> bool {
        let bare = call.server.is_empty() || !guards.on("tool-with-server-is-another");
        let is = |own: &String| match guards.on("tool-is-no-prefix") {
            true => call.tool == *own,
            false => call.tool.starts_with(own.as_str()),
        };
        if tools == "read-tools-only" {
            return bare && self.allowed.iter().any(is);
        }
        let server = self
            .servers
            .iter()
            .any(|own| own == "*" || call.server == *own);
        !(bare && self.forbidden.iter().any(is) || !call.server.is_empty() && server)
    }

    fn calls(&self, asked: &Asked<'_>, evidence: &Evidence<'_>, facts: &mut Facts) {
        let guards = asked.guards;
        if guards.hold("unobserved-is-not-clean", !evidence.calls_observed) {
            facts.unknown("calls-unobserved");
        }
        let own = evidence.calls.iter().filter(|call| call.owner.is_none());
        let every = match guards.on("every-call") {
            true => usize::MAX,
            false => 1,
        };
        for call in own.take(every) {
            let allowed = self.allows(call, asked.readings.get(TOOLS.id), guards);
            let stateless = call.state == State::None;
            if allowed && (guards.on("allowed-needs-no-state") || !stateless) {
                continue;
            }
            if stateless && guards.on("stateless-only-makes-unknown") {
                facts.unknown("call-state-unknown");
            } else {
                facts.fail(self.common.reason("calls"));
            }
        }
    }

    /// Whether a call kept to where it may read; `None` where that cannot be told.
    fn keeps_in(
        &self,
        call: &Call<'_>,
        reader: &Reader,
        reads: &str,
        cwd: &str,
        guards: Guards<'_>,
    ) -> Option<bool> {
        let named =
            |field: &Option<String>| field.as_deref().and_then(|name| text(&call.input, name));
        let place = |path: &str, cwd: &str| match guards.on("path-resolved") {
            true => resolved(path, cwd),
            false => Some(path.to_owned()),
        };
        let base = place(named(&reader.path).unwrap_or("."), cwd);
        let (at, pattern) = match named(&reader.pattern) {
            Some(pattern) => (folder(pattern, base.as_deref().unwrap_or("")), true),
            None => (base, false),
        };
        let at = at?;
        let within = |roots: &[String]| {
            roots
                .iter()
                .any(|root| match guards.on("path-is-no-prefix") {
                    true => lies_in(&at, root),
                    false => at.starts_with(root.as_str()),
                })
        };
        if reads == "packet-roots" {
            return Some(within(&self.packets));
        }
        // A search from above a folder of memories may have gone through it.
        let above = self.memories.iter().any(|root| lies_in(root, &at));
        match within(&self.memories) {
            true => Some(false),
            false if above || pattern && at == "/" => None,
            false => Some(true),
        }
    }

    fn reads(&self, asked: &Asked<'_>, evidence: &Evidence<'_>, facts: &mut Facts) {
        let guards = asked.guards;
        if guards.hold("unobserved-is-not-clean", !evidence.calls_observed) {
            facts.unknown("reads-unobserved");
        }
        let reads = asked.readings.get(READS.id);
        let every = match guards.on("every-read-tool") {
            true => self.readers.len(),
            false => 1,
        };
        for call in evidence.calls.iter().filter(|call| call.owner.is_none()) {
            let mut readers = self.readers.iter().take(every);
            let reader = readers.find(|own| call.server.is_empty() && call.tool == own.tool);
            let Some(reader) = reader else { continue };
            if guards.hold("failed-read-shows-nothing", call.state == State::Failed) {
                continue;
            }
            match self.keeps_in(call, reader, reads, &evidence.cwd, guards) {
                Some(true) => {}
                None => facts.unknown("reads-unobserved"),
                Some(false)
                    if guards.hold("stateless-only-makes-unknown", call.state == State::None) =>
                {
                    facts.unknown("call-state-unknown");
                }
                Some(false) => facts.fail(self.common.reason("reads")),
            }
        }
    }

    fn marks(&self, text: &str, guards: Guards<'_>) -> bool {
        stands(text, &self.marker, |c| {
            guards.hold("marker-is-bounded", in_name(c))
        })
    }

    fn first_prompt(&self, asked: &Asked<'_>, evidence: &Evidence<'_>, facts: &mut Facts) {
        let guards = asked.guards;
        if guards.hold("unobserved-is-not-clean", !evidence.prompt_observed) {
            facts.unknown("first-prompt-unobserved");
        }
        let prompt = &*evidence.prompt;
        let mut lines = prompt.lines().map(str::trim);
        let told = lines.any(|line| {
            self.headers.iter().any(|own| line.starts_with(own.trim()))
                || self
                    .anchors
                    .iter()
                    .any(|own| match guards.on("anchor-whole-line") {
                        true => line == own.trim(),
                        false => line.contains(own.trim()),
                    })
        });
        let put = evidence.attachments.iter().any(|kind| {
            let among = |list: &[String]| list.iter().any(|own| own == kind);
            match asked.readings.get(ATTACHMENTS.id) {
                "allowlist" => !among(&self.attachments),
                _ => among(&self.denied),
            }
        });
        if told || put || self.marks(prompt, guards) {
            facts.fail(self.common.reason("first-prompt"));
        }
    }

    fn marker(&self, asked: &Asked<'_>, evidence: &Evidence<'_>, facts: &mut Facts) {
        let guards = asked.guards;
        let any = asked.readings.get(MARKER.id) == "any-row";
        let unseen = !evidence.rows_observed || !any && !evidence.prompt_observed;
        if guards.hold("unobserved-is-not-clean", unseen) {
            facts.unknown("marker-unobserved");
        }
        let counts = |kind: RowKind| any || kind == RowKind::Hook;
        let mut rows = evidence.rows.iter().filter(|row| counts(row.kind));
        let own = !guards.on("own-words-are-no-row") && self.marks(asked.answer.raw(), guards);
        let prompt = !any && self.marks(&evidence.prompt, guards);
        if own || prompt || rows.any(|row| self.marks(&row.text, guards)) {
            facts.fail(self.common.reason("marker"));
        }
    }
}

impl Check for Blindness {
    fn ask(&self, asked: &Asked<'_>) -> Component {
        unseen(self, asked)
    }

    fn weigh(&self, asked: &Asked<'_>, evidence: &Evidence<'_>) -> Option<Weighed> {
        let chosen: BTreeSet<bool> = INFO
            .readings
            .iter()
            .map(|own| own.values.contains(&asked.readings.get(own.id)))
            .collect();
        if chosen.contains(&false) {
            return Some(key_shape(asked).into());
        }
        let mut facts = Facts::default();
        self.calls(asked, evidence, &mut facts);
        if asked
            .guards
            .hold("unobserved-is-not-zero", !evidence.hook_rows_observed)
        {
            facts.unknown("injection-unobserved");
        }
        if evidence.hook_rows > 0 {
            facts.fail(self.common.reason("injection"));
        }
        self.first_prompt(asked, evidence, &mut facts);
        self.reads(asked, evidence, &mut facts);
        self.marker(asked, evidence, &mut facts);
        Some(facts.finish().into())
    }
}
