//! `symbol-sites`: where a symbol is defined and called.

mod label;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::super::check::{Asked, Check, ParamError, Reading, Reads};
use super::super::grammar::{Answer, Facts, Kind, Phrase, Place, resolve};
use super::super::guard::Guards;
use super::super::sight::Sight;
use super::super::verdict::Component;
use super::params::{Common, FAIL, Params};
use super::{KeyShape, KindInfo, cited, key, key_shape};
use label::Label;

const FAILING: &[&str] = &[
    "sites-missing",
    "site-excluded",
    "site-spurious",
    "site-duplicated",
    "definition-missing",
    "functions-missing",
];

const REFERENCES: Reading = Reading {
    id: "references",
    values: &["complete-and-precise", "precision-only"],
    question: "Does an answer have to cite every site, or only none that is wrong?",
};

const CALLERS: Reading = Reading {
    id: "callers",
    values: &["sites-and-functions", "sites-only", "functions-only"],
    question: "Is a caller named by its site and its function, by its site, or by its function?",
};

pub(super) const INFO: KindInfo = KindInfo {
    id: "symbol-sites",
    question: "Does the answer cite where the symbol is defined and called, and nothing else as such?",
    failing: FAILING,
    unknown: &["unparsed", "key-shape"],
    guards: &[
        "key-shape",
        "unknown-file",
        "labelled-site",
        "alternative-site",
        "fenced-site",
        "call-and-not",
        "inside-definition",
        "range-is-no-site",
        "other-callee",
        "line-apart",
        "name-of-another",
        "complete-by-choice",
        "functions-by-reading",
        "absent-by-choice",
    ],
    readings: &[REFERENCES, CALLERS],
    reads: Reads::Text,
    page: include_str!("symbol-sites.md"),
    key: KeyShape::Table {
        own: &[
            "definition",
            "calls",
            "attribute-calls",
            "imports",
            "mentions",
        ],
        rows: &["path", "line", "end-line", "function"],
    },
    parse,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Complete {
    Reading,
    Always,
    WhenCited,
    Never,
}

#[derive(Debug)]
struct SymbolSites {
    definition: bool,
    complete: Complete,
    once: bool,
    functions: bool,
    common: Common,
}

fn parse(value: &Value) -> Result<Box<dyn Check>, ParamError> {
    let mut params = Params::new(value)?;
    let check = SymbolSites {
        definition: params.flag("definition", true)?,
        complete: match params.choice("complete", &["reading", "always", "when-cited", "never"])? {
            "always" => Complete::Always,
            "when-cited" => Complete::WhenCited,
            "never" => Complete::Never,
            _ => Complete::Reading,
        },
        once: params.flag("once", false)?,
        functions: params.flag("function-names", false)?,
        common: Common::read(&mut params, FAILING, FAIL)?,
    };
    params.finish()?;
    Ok(Box::new(check))
}

/// A site of the key.
struct Site<'k> {
    path: &'k str,
    line: u64,
    last: u64,
    function: Option<&'k str>,
}

fn site(value: &Value) -> Option<Site<'_>> {
    if let Value::Array(parts) = value {
        let path = parts.first().and_then(key::text)?;
        let line = key::line(parts.get(1))?;
        let third = parts.get(2);
        return Some(Site {
            path,
            line,
            last: key::line(third).unwrap_or(line),
            function: third.and_then(Value::as_str),
        });
    }
    let line = key::line(key::field(value, "line"))?;
    Some(Site {
        path: key::field(value, "path").and_then(key::text)?,
        line,
        last: key::line(key::field(value, "end-line")).unwrap_or(line),
        function: key::field(value, "function").and_then(Value::as_str),
    })
}

struct Key<'k> {
    definition: Option<Site<'k>>,
    calls: Vec<Site<'k>>,
    excluded: BTreeSet<(&'k str, u64)>,
    paths: Vec<&'k str>,
}

fn read(key: &Value) -> Option<Key<'_>> {
    let list =
        |name: &str| -> Option<Vec<Site<'_>>> { key::items(key, name)?.iter().map(site).collect() };
    let definition = match key::field(key, "definition") {
        None | Some(Value::Null) => None,
        Some(value) => Some(site(value)?),
    };
    key::field(key, "calls")?;
    let calls = list("calls")?;
    let others = [
        list("attribute-calls")?,
        list("imports")?,
        list("mentions")?,
    ];
    let others: Vec<Site<'_>> = others.into_iter().flatten().collect();
    let mut paths: BTreeSet<&str> = calls.iter().chain(&others).map(|site| site.path).collect();
    paths.extend(definition.iter().map(|site| site.path));
    Some(Key {
        excluded: others.iter().map(|site| (site.path, site.line)).collect(),
        paths: paths.into_iter().collect(),
        definition,
        calls,
    })
}

/// What the answer's citations come to.
#[derive(Default)]
struct Claimed<'k> {
    /// Calls that are cited, with how often, and the lines of the answer that do.
    calls: BTreeMap<(&'k str, u64), Vec<usize>>,
    /// How often a call is cited by its very line.
    exact: BTreeMap<(&'k str, u64), usize>,
    /// Whether another caller's name stands where a call's own would.
    swapped: bool,
    defined: bool,
    excluded: bool,
    spurious: bool,
    unclear: bool,
    /// Calls that are cited as something else.
    others: BTreeSet<(&'k str, u64)>,
}

impl<'k> Key<'k> {
    fn claims(&self, answer: &Answer<'_>, guards: Guards<'_>) -> Claimed<'k> {
        let labels = label::read(answer);
        let calls: BTreeSet<(&str, u64)> = self
            .calls
            .iter()
            .map(|site| (site.path, site.line))
            .collect();
        let mut claimed = Claimed::default();
        let names = self.functions(answer);
        for (number, (cite, label)) in answer.citations().iter().zip(labels).enumerate() {
            let Some(path) = resolve(&cite.path, &self.paths) else {
                claimed.spurious |= !guards.on("unknown-file");
                continue;
            };
            let label = match label {
                Label::Other | Label::Aside if !guards.on("labelled-site") => Label::Call,
                Label::Unclear if !guards.on("alternative-site") => Label::Call,
                label => label,
            };
            let (first, last) = cite.lines();
            let inside = self
                .definition
                .as_ref()
                .is_some_and(|own| own.path == path && first >= own.line && first <= own.last);
            claimed.defined |= inside && label != Label::Unclear;
            match label {
                Label::Call => {}
                Label::Unclear => {
                    claimed.unclear = true;
                    continue;
                }
                Label::Other | Label::Aside => {
                    claimed.others.extend(call_at(&calls, path, first, last));
                    continue;
                }
            }
            if let Some(call) = call_at(&calls, path, first, last) {
                claimed.calls.entry(call).or_default().push(cite.line);
                if first == last || !guards.on("range-is-no-site") {
                    *claimed.exact.entry(call).or_default() += 1;
                }
                claimed.swapped |= self.is_swapped(answer, number, call, &names);
            } else if guards.hold("fenced-site", answer.place(cite.line) == Place::Body) {
                // What a search printed is shown, and claims no more than it has to.
            } else if self.excluded.contains(&(path, first)) {
                claimed.excluded = true;
            } else if (first == last || !guards.on("range-is-no-site"))
                && !guards.hold("inside-definition", inside)
            {
                if guards.hold("other-callee", label::calls_another(answer, cite)) {
                    claimed.unclear = true;
                } else {
                    claimed.spurious = true;
                }
            }
        }
        claimed
    }
}

impl Key<'_> {
    /// Where the functions of the calls are named: the token, and whose name it is.
    fn functions<'s>(&'s self, answer: &Answer<'_>) -> BTreeMap<usize, &'s str> {
        let names: BTreeSet<&str> = self.calls.iter().filter_map(|own| own.function).collect();
        let places = names.into_iter().flat_map(|name| {
            let places = Phrase::with_case(name, true).places(answer);
            places.into_iter().map(move |place| (place, name))
        });
        places.collect()
    }

    /// Whether the name right behind a citation, `a.py:5 in cool`, is that of another call's function.
    fn is_swapped(
        &self,
        answer: &Answer<'_>,
        number: usize,
        (path, line): (&str, u64),
        names: &BTreeMap<usize, &str>,
    ) -> bool {
        let own = self
            .calls
            .iter()
            .find(|own| own.path == path && own.line == line);
        let Some(own) = own.and_then(|own| own.function) else {
            return false;
        };
        let cite = &answer.citations()[number];
        let from = answer.token_at(cite.end);
        let next = answer.citations().get(number + 1);
        let next = next.map_or(usize::MAX, |next| answer.token_at(next.start));
        let to = (from + 4).min(next);
        let linked = |index: usize| {
            let word = answer.word(index);
            answer.clause(index) == answer.clause(from)
                && (matches!(word, "(" | "`") || matches!(word, "in" | "by" | "from" | "within"))
        };
        let mut at = from;
        while at < to && linked(at) {
            at += 1;
        }
        at > from && names.get(&at).is_some_and(|name| *name != own)
    }

    /// Whether every site that is not cited may stand in the answer apart from its file: `lines 31 and 39 of a.py`.
    fn is_read_apart(&self, answer: &Answer<'_>, claimed: &Claimed<'_>) -> bool {
        let calls = self.calls.iter();
        let mut missing = calls
            .filter(|own| !claimed.calls.contains_key(&(own.path, own.line)))
            .chain(self.definition.iter().filter(|_| !claimed.defined))
            .peekable();
        answer.step(answer.len());
        let free = (0..answer.len()).filter(|index| !answer.is_cited(*index));
        let ints = free.filter_map(|index| match answer.kind(index) {
            Some(Kind::Int(int)) => answer.ints().get(int as usize).map(|int| int.value),
            _ => None,
        });
        let apart: BTreeSet<i128> = ints.collect();
        missing.peek().is_some()
            && missing.all(|own| {
                let cited = claimed.others.contains(&(own.path, own.line));
                let file = own.path.rsplit('/').next().unwrap_or(own.path);
                !cited && apart.contains(&i128::from(own.line)) && answer.text().contains(file)
            })
    }
}

/// The call that a citation covers: its line, or the only one in a range of a few lines.
fn call_at<'k>(
    calls: &BTreeSet<(&'k str, u64)>,
    path: &'k str,
    first: u64,
    last: u64,
) -> Option<(&'k str, u64)> {
    if last < first || last - first > 5 {
        return None;
    }
    let mut found = calls.range((path, first)..=(path, last));
    match (found.next(), found.next()) {
        (Some(call), None) => Some(*call),
        _ => None,
    }
}

impl SymbolSites {
    fn complete(&self, asked: &Asked<'_>, cited: bool) -> Option<bool> {
        let readings = asked.readings;
        let own = match asked.guards.on("complete-by-choice") {
            true => self.complete,
            false => Complete::Always,
        };
        Some(match own {
            Complete::Always => true,
            Complete::Never => false,
            Complete::WhenCited => cited,
            Complete::Reading => match readings.get(REFERENCES.id) {
                "complete-and-precise" => true,
                "precision-only" => false,
                _ => return None,
            },
        })
    }

    fn absent(&self, asked: &Asked<'_>, reason: &'static str, unclear: bool, facts: &mut Facts) {
        match self.common.absent(asked.guards, reason) {
            Some(reason) if !unclear => facts.fail(reason),
            _ => facts.unparsed(),
        }
    }

    fn sites(
        &self,
        asked: &Asked<'_>,
        key: &Key<'_>,
        claimed: &Claimed<'_>,
        facts: &mut Facts,
        complete: bool,
    ) {
        if claimed.excluded {
            facts.fail(self.common.reason("site-excluded"));
        }
        if claimed.spurious {
            facts.fail(self.common.reason("site-spurious"));
        }
        if self.once && claimed.exact.values().any(|count| *count > 1) {
            facts.fail(self.common.reason("site-duplicated"));
        }
        let both = claimed
            .calls
            .keys()
            .any(|call| claimed.others.contains(call));
        if asked.guards.hold("call-and-not", both) {
            facts.unparsed();
        }
        let all = key
            .calls
            .iter()
            .all(|site| claimed.calls.contains_key(&(site.path, site.line)));
        if complete && !all {
            self.absent(asked, "sites-missing", claimed.unclear, facts);
        }
        if self.definition && key.definition.is_some() && !claimed.defined {
            self.absent(asked, "definition-missing", claimed.unclear, facts);
        }
    }

    /// Every function is named: on a line that cites its site, or anywhere where sites are not
    /// asked for. A module's own code has no name to give.
    fn functions(
        &self,
        answer: &Answer<'_>,
        key: &Key<'_>,
        claimed: &Claimed<'_>,
        sites: bool,
    ) -> bool {
        key.calls.iter().all(|site| {
            let Some(name) = site.function.filter(|name| !name.starts_with('<')) else {
                return true;
            };
            let places = Phrase::with_case(name, true).places(answer);
            if !sites {
                return !places.is_empty();
            }
            let Some(lines) = claimed.calls.get(&(site.path, site.line)) else {
                return true;
            };
            let named: BTreeSet<usize> =
                places.into_iter().map(|place| answer.line(place)).collect();
            lines.iter().any(|line| named.contains(line))
        })
    }
}

impl Check for SymbolSites {
    fn ask(&self, asked: &Asked<'_>) -> Component {
        let callers = if self.functions && asked.guards.on("functions-by-reading") {
            asked.readings.get(CALLERS.id)
        } else {
            "sites-only"
        };
        let answer = asked.answer;
        let Some(key) = read(asked.key).filter(|_| CALLERS.values.contains(&callers)) else {
            return key_shape(asked);
        };
        let mut claimed = key.claims(answer, asked.guards);
        let apart = key.is_read_apart(answer, &claimed);
        claimed.unclear |= asked.guards.hold("line-apart", apart);
        let cited = !claimed.calls.is_empty();
        let Some(complete) = self.complete(asked, cited) else {
            return key_shape(asked);
        };
        let mut facts = Facts::default();
        if callers != "functions-only" {
            self.sites(asked, &key, &claimed, &mut facts, complete);
        }
        let sites = callers == "sites-and-functions";
        if callers != "sites-only" && !self.functions(answer, &key, &claimed, sites) {
            self.absent(asked, "functions-missing", claimed.unclear, &mut facts);
        } else if sites && asked.guards.hold("name-of-another", claimed.swapped) {
            facts.unparsed();
        }
        facts.finish()
    }

    fn sight(&self, asked: &Asked<'_>) -> Sight {
        let mut sight = cited(asked.answer);
        let Some(key) = read(asked.key) else {
            return sight;
        };
        let claimed = key.claims(asked.answer, asked.guards);
        for site in &key.calls {
            if !claimed.calls.contains_key(&(site.path, site.line)) {
                sight.misses(&format!("{}:{}", site.path, site.line));
            }
        }
        sight
    }
}
