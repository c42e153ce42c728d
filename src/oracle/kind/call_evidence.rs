//! `call-evidence`: what a run must have found by a call of its own.

mod shown;

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::check::{Asked, Check, ParamError, Reading, Reads};
use super::super::deed::When;
use super::super::evidence::{Call, Evidence, Pointer, State, Weighed};
use super::super::grammar::{Url, is_word, urls};
use super::super::guard::Guards;
use super::super::verdict::Component;
use super::calls::{Form, Meant, Own, forms, own};
use super::find::{in_path, places, stands};
use super::params::{Common, Params};
use super::url_cited::{URL_MATCH, is_suffix, same};
use super::{KeyShape, KindInfo, key, key_shape, unseen};
use crate::shell::{self, Visible};

const FAILING: &[&str] = &["missing"];

/// Reasons not to know, in no order.
type Unknown = BTreeSet<&'static str>;

const NOT_SHOWN: Reading = Reading {
    id: "recovery-not-shown",
    values: &["fail", "unknown"],
    question: "Does a run fail where no call of its brought back the digest that it was to recover, or is that not known?",
};

pub(super) const INFO: KindInfo = KindInfo {
    id: "call-evidence",
    question: "Did the run itself find the record, fetch the pages or see the digest, by a call that succeeded?",
    failing: FAILING,
    unknown: &[
        "call-state-unknown",
        "result-unobservable",
        "pointer-outside-roots",
        "title-only",
        "retrieval-unconfirmed",
        "calls-unobserved",
        "key-shape",
    ],
    guards: &[
        "key-shape",
        "stateless-only-makes-unknown",
        "succeeded-only",
        "own-status",
        "own-calls-only",
        "unobserved-is-no-miss",
        "outside-window",
        "window-half-open",
        "undated-is-inside",
        "instants-not-texts",
        "predicate-decides",
        "server-is-no-prefix",
        "program-is-no-prefix",
        "program-behind-wrappers",
        "wrapper-is-a-program",
        "mention-is-no-call",
        "path-is-a-unit",
        "digest-whole",
        "stem-never-counts",
        "title-is-no-hit",
        "title-whole-words",
        "unseen-is-no-miss",
        "cut-is-no-miss",
        "pointer-under-roots",
        "input-is-no-hit",
        "repeat-is-no-hit",
        "denied-is-no-hit",
        "error-page-is-no-hit",
        "prompt-is-no-hit",
        "answer-decides-nothing",
        "every-url",
        "url-is-no-prefix",
        "short-path-is-exact",
        "search-is-no-retrieval",
        "naming-is-no-fetch",
        "on-none",
    ],
    readings: &[URL_MATCH, NOT_SHOWN],
    reads: Reads::Evidence,
    page: include_str!("call-evidence.md"),
    key: KeyShape::Table {
        own: &["records", "urls", "digest"],
        rows: &["path", "sha256", "title"],
    },
    parse,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Record,
    Url,
    Digest,
}

#[derive(Debug)]
struct CallEvidence {
    mode: Mode,
    meant: Meant,
    fetchers: Vec<String>,
    common: Common,
}

fn parse(value: &Value) -> Result<Box<dyn Check>, ParamError> {
    let mut params = Params::new(value)?;
    let mode = match params.needed("mode")? {
        "record" => Mode::Record,
        "url" => Mode::Url,
        "digest" => Mode::Digest,
        _ => return Err(params.error("mode", "unknown-value")),
    };
    let meant = Meant::read(&mut params)?;
    let fetchers: Vec<String> = params
        .texts("fetch-programs")?
        .iter()
        .map(|own| (*own).to_owned())
        .collect();
    if mode == Mode::Url && meant.is_empty() && fetchers.is_empty() {
        return Err(params.error("predicates", "missing"));
    }
    let common = Common::reasons_only(&mut params, FAILING)?;
    params.finish()?;
    Ok(Box::new(CallEvidence {
        mode,
        meant,
        fetchers,
        common,
    }))
}

/// A record that was there before the run.
#[derive(Debug, Default)]
struct Record<'k> {
    path: Option<&'k str>,
    digest: Option<String>,
    title: Option<&'k str>,
}

impl<'k> Record<'k> {
    fn of(key: &'k Value) -> Option<Self> {
        let text = |name| key::field(key, name).and_then(key::text);
        let record = Self {
            path: text("path"),
            digest: text("sha256").map(str::to_ascii_lowercase),
            title: text("title"),
        };
        (record.path.is_some() || record.digest.is_some()).then_some(record)
    }

    /// Whether a text names it by its whole path or by its digest.
    fn is_named(&self, text: &str, guards: Guards<'_>) -> bool {
        let unit = |c| guards.hold("path-is-a-unit", in_path(c));
        let path = self.path.is_some_and(|path| stands(text, path, unit));
        let digest = self
            .digest
            .as_deref()
            .is_some_and(|own| shows(text, own, guards));
        let stem = self.path.and_then(|path| path.rsplit('/').next());
        let stem = stem.and_then(|name| name.split('.').next());
        path || digest
            || !guards.on("stem-never-counts")
                && stem.is_some_and(|stem| stands(text, stem, is_word))
    }

    /// Whether every place where a text names it says that it is not there.
    fn is_denied(&self, text: &str) -> bool {
        let small = text.to_ascii_lowercase();
        let paths = self.path.into_iter();
        let paths = paths.flat_map(|path| places(text, path, in_path));
        let digests = self.digest.as_deref().into_iter();
        let digests = digests.flat_map(|own| places(&small, own, is_word));
        let mut all = paths.chain(digests).peekable();
        all.peek().is_some() && all.all(|place| shown::is_denied(text, place))
    }

    fn is_titled(&self, text: &str, guards: Guards<'_>) -> bool {
        let touches = |c| guards.hold("title-whole-words", is_word(c));
        let title = self.title.map(str::to_lowercase);
        title.is_some_and(|title| stands(&text.to_lowercase(), &title, touches))
    }
}

/// Whether a text shows a digest, whole.
fn shows(text: &str, digest: &str, guards: Guards<'_>) -> bool {
    let text = text.to_ascii_lowercase();
    match guards.on("digest-whole") {
        true => stands(&text, digest, is_word),
        false => text.contains(digest.get(..16).unwrap_or(digest)),
    }
}

/// What the calls of a run put somewhere: the files that they named beside the thing that is looked for.
#[derive(Debug, Default)]
struct Put {
    any: bool,
    files: BTreeSet<String>,
}

impl Put {
    fn take(&mut self, call: &Call<'_>, named: &dyn Fn(&str) -> bool) {
        self.any = true;
        let files = &mut self.files;
        shown::file_names(&call.input, &mut |name| {
            if name.contains(|c: char| c.is_alphabetic()) && !named(name) {
                files.insert(name.to_owned());
            }
        });
    }

    /// Whether what a call brings back may be what an earlier one put there. A digest that was once given has no other
    /// way into a command than the run's own words.
    fn holds(&self, mode: Mode, call: &Call<'_>) -> bool {
        if !self.any || mode == Mode::Digest {
            return self.any;
        }
        let mut found = false;
        shown::file_names(&call.input, &mut |name| {
            found |= name.contains('.') && self.files.contains(name);
        });
        found
    }
}

impl CallEvidence {
    /// Looks for a record in what the calls brought back.
    fn found(
        &self,
        records: &[Record<'_>],
        asked: &Asked<'_>,
        evidence: &Evidence<'_>,
    ) -> Result<Option<When>, Unknown> {
        let guards = asked.guards;
        let mut unknown = Unknown::new();
        let named = |text: &str| records.iter().any(|own| own.is_named(text, guards));
        if !guards.on("prompt-is-no-hit") && named(&evidence.prompt)
            || !guards.on("answer-decides-nothing") && named(asked.answer.raw())
        {
            return Ok(None);
        }
        let mut put = Put::default();
        for call in self.meant.calls(evidence, guards) {
            // What a call was given comes back of that call, and of one that reads where it was put.
            let given = shown::in_input(&call.input, &named);
            let own = given || put.holds(self.mode, call);
            if given && call.state != State::Failed {
                put.take(call, &named);
            }
            match self.meant.of(call, guards) {
                Own::No | Own::Failed => continue,
                Own::Perhaps => {
                    unknown.insert("call-state-unknown");
                    continue;
                }
                Own::Hidden | Own::Yes => {}
            }
            if !guards.on("input-is-no-hit") && given {
                return Ok(call.stands);
            }
            let Some(text) = call.result.as_deref() else {
                unknown.extend(absent(call, guards));
                continue;
            };
            let titled = records.iter().any(|own| own.is_titled(text, guards));
            let shown = records.iter().filter(|own| own.is_named(text, guards));
            let mut shown = shown.peekable();
            if shown.peek().is_some() {
                let denied = guards.hold("denied-is-no-hit", shown.all(|own| own.is_denied(text)));
                let anew = titled
                    && !shown::in_input(&call.input, &|text: &str| {
                        records.iter().any(|own| own.is_titled(text, guards))
                    });
                if denied && given {
                    continue;
                }
                if !denied && !guards.hold("repeat-is-no-hit", own && !anew) {
                    return Ok(call.stands);
                }
                unknown.insert("retrieval-unconfirmed");
                continue;
            }
            if titled && !guards.on("title-is-no-hit") {
                return Ok(call.stands);
            }
            if titled {
                unknown.insert("title-only");
            } else if guards.hold("cut-is-no-miss", call.cut) {
                unknown.insert(outside(call, guards).unwrap_or("result-unobservable"));
            }
        }
        Err(unknown)
    }

    /// What is known of the fetching of one page.
    fn fetched(
        &self,
        url: &Url,
        asked: &Asked<'_>,
        evidence: &Evidence<'_>,
    ) -> Result<Option<When>, Unknown> {
        let guards = asked.guards;
        let suffix = is_suffix(asked.readings).unwrap_or(false);
        let leads = |text: &str| {
            let found = urls(text);
            found.iter().any(|(_, own)| {
                same(url, own, suffix, guards)
                    || !guards.on("url-is-no-prefix") && own.rest.starts_with(&url.rest)
            })
        };
        let mut unknown = Unknown::new();
        for call in self.meant.calls(evidence, guards) {
            let state = own(call.state, Visible::Shown, guards);
            let mut best = Own::No;
            if let Some((address, acts)) = self.meant.address(call, guards) {
                if acts && leads(address) {
                    best = answered(state, call, false, guards);
                }
            } else if let Some(text) = self.meant.shells.text(call) {
                best = self.commanded(&text, call, leads, guards);
                let named = best == Own::No && state > Own::Failed && leads(&text);
                if named && !guards.on("naming-is-no-fetch") {
                    best = Own::Yes;
                } else if named {
                    unknown.insert("retrieval-unconfirmed");
                }
            }
            match best {
                Own::Yes => return Ok(call.stands),
                Own::Hidden => unknown.insert("retrieval-unconfirmed"),
                Own::Perhaps => unknown.insert("call-state-unknown"),
                Own::Failed | Own::No => false,
            };
        }
        Err(unknown)
    }

    /// What is known of the commands of a text that fetch a page.
    fn commanded(
        &self,
        text: &str,
        call: &Call<'_>,
        leads: impl Fn(&str) -> bool,
        guards: Guards<'_>,
    ) -> Own {
        let script = shell::read(text);
        let fetches = |form: &Form<'_>| self.fetchers.iter().any(|own| form.is(own, guards));
        let fetches = forms(&script, guards).filter(fetches);
        let all: Vec<Form<'_>> = fetches.collect();
        let leading = all.iter().filter(|form| {
            let rest = form.words.get(1..).unwrap_or(&[]);
            rest.iter().any(|word| leads(word))
        });
        let best = leading
            .map(|form| own(call.state, form.status, guards))
            .max();
        answered(best.unwrap_or(Own::No), call, all.len() > 1, guards)
    }

    /// Every page needs a call of its own.
    fn pages(&self, pages: &[Url], asked: &Asked<'_>, evidence: &Evidence<'_>) -> Weighed {
        let results = pages.iter().map(|url| self.fetched(url, asked, evidence));
        let results: Vec<Result<Option<When>, Unknown>> = results.collect();
        if !asked.guards.on("every-url") && results.iter().any(Result::is_ok) {
            return Component::pass().into();
        }
        // The calls that were looked at are the same for every page that is missing.
        let mut looked = false;
        let parts = results.into_iter().map(|result| match result {
            Ok(at) => hit(at),
            Err(unknown) => {
                let own = self.none(unknown, evidence, asked);
                match std::mem::replace(&mut looked, true) {
                    false => self.looked_at(own, evidence, asked.guards),
                    true => own.into(),
                }
            }
        });
        let parts: Vec<Weighed> = parts.collect();
        let results: Vec<Component> = parts.iter().map(|own| own.result.clone()).collect();
        let mut all = Weighed::from(super::super::verdict::combine(&results));
        for part in parts {
            all.facts.extend(part.facts);
            let told = all.places.iter().map(|(at, _)| at.line);
            let told: BTreeSet<u64> = told.collect();
            let further = part.places.into_iter();
            all.places
                .extend(further.filter(|(at, _)| !told.contains(&at.line)));
        }
        all
    }

    /// What it comes to that nothing was found.
    fn none(&self, mut unknown: Unknown, evidence: &Evidence<'_>, asked: &Asked<'_>) -> Component {
        let guards = asked.guards;
        if guards.hold("unobserved-is-no-miss", !evidence.calls_observed) {
            unknown.insert("calls-unobserved");
        }
        let reason = self.common.reason("missing");
        let soft = self.mode == Mode::Digest && asked.readings.get(NOT_SHOWN.id) == "unknown";
        if !unknown.is_empty() {
            let unknown = unknown.into_iter().map(str::to_owned).collect();
            Component::of(BTreeSet::new(), unknown)
        } else if guards.hold("on-none", soft) {
            Component::unknown(reason)
        } else {
            Component::fail(reason)
        }
    }

    /// A result with the calls that it rests on.
    fn looked_at(&self, own: Component, evidence: &Evidence<'_>, guards: Guards<'_>) -> Weighed {
        let calls = || self.meant.calls(evidence, guards);
        let meant = calls().filter(|call| self.meant.of(call, guards) != Own::No);
        let mut weighed = Weighed::from(own).resting(meant, "a call that was looked at");
        weighed.facts.insert("calls", calls().count().into());
        weighed
    }
}

/// What is known of a fetch once it is seen what came back of it: a page that says it is not there was not fetched. Of
/// `several` fetches in one call it is not known which that is.
fn answered(state: Own, call: &Call<'_>, several: bool, guards: Guards<'_>) -> Own {
    let refused = || shown::is_error_page(call.result.as_deref().unwrap_or(""));
    if state < Own::Hidden || !guards.hold("error-page-is-no-hit", refused()) {
        state
    } else if several {
        Own::Perhaps
    } else {
        Own::Failed
    }
}

/// It was found, by this call.
fn hit(at: Option<When>) -> Weighed {
    let mut weighed = Weighed::from(Component::pass());
    weighed
        .places
        .extend(at.map(|at| (at, "the call that found it")));
    weighed
}

/// Why a result that is not here is not.
fn absent(call: &Call<'_>, guards: Guards<'_>) -> Option<&'static str> {
    let unseen = guards.on("unseen-is-no-miss");
    outside(call, guards).or(unseen.then_some("result-unobservable"))
}

/// The reason where a result, or the rest of it, lies where it may not be followed.
fn outside(call: &Call<'_>, guards: Guards<'_>) -> Option<&'static str> {
    let outside = call.pointer == Some(Pointer::OutsideRoots);
    (outside && guards.on("pointer-under-roots")).then_some("pointer-outside-roots")
}

impl Check for CallEvidence {
    fn ask(&self, asked: &Asked<'_>) -> Component {
        unseen(self, asked)
    }

    fn weigh(&self, asked: &Asked<'_>, evidence: &Evidence<'_>) -> Option<Weighed> {
        let some = |own: &Vec<Record<'_>>| !own.is_empty();
        let records: Option<Vec<Record<'_>>> = match self.mode {
            Mode::Url => {
                let list = key::field(asked.key, "urls").and_then(key::texts);
                let pages = list.map(|list| list.into_iter().map(Url::parse).collect());
                let pages: Option<Vec<Url>> = pages.flatten();
                let chosen = is_suffix(asked.readings).is_some();
                return Some(match pages.filter(|pages| chosen && !pages.is_empty()) {
                    Some(pages) => self.pages(&pages, asked, evidence),
                    None => key_shape(asked).into(),
                });
            }
            Mode::Record => {
                let list = key::field(asked.key, "records").and_then(Value::as_array);
                list.and_then(|list| list.iter().map(Record::of).collect())
            }
            Mode::Digest => {
                let digest = key::main(asked.key, "digest").and_then(key::text);
                let chosen = NOT_SHOWN.values.contains(&asked.readings.get(NOT_SHOWN.id));
                let long = digest.filter(|own| chosen && own.len() >= 16);
                long.map(|own| {
                    vec![Record {
                        digest: Some(own.to_ascii_lowercase()),
                        ..Record::default()
                    }]
                })
            }
        };
        let Some(records) = records.filter(some) else {
            return Some(key_shape(asked).into());
        };
        Some(match self.found(&records, asked, evidence) {
            Ok(at) => hit(at),
            Err(unknown) => {
                let own = self.none(unknown, evidence, asked);
                self.looked_at(own, evidence, asked.guards)
            }
        })
    }
}
