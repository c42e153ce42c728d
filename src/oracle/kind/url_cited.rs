//! `url-cited`: a page that the answer cites.

use serde_json::Value;

use super::super::check::{Asked, Check, ParamError, Reading, Readings, Reads};
use super::super::grammar::{Facts, Phrase, Tone, Url, flat, urls};
use super::super::guard::Guards;
use super::super::sight::Sight;
use super::super::verdict::Component;
use super::params::{Common, FAIL, Params};
use super::{KeyShape, KindInfo, key, key_shape};

const FAILING: &[&str] = &["missing"];

pub(super) const URL_MATCH: Reading = Reading {
    id: "url-match",
    values: &["exact-url", "host-and-path-suffix"],
    question: "Is a page cited by its very URL, or by its host and its path below the first \
               directory, which often names a version?",
};

pub(super) const INFO: KindInfo = KindInfo {
    id: "url-cited",
    question: "Does the answer cite this page, with the words that belong to it?",
    failing: FAILING,
    unknown: &["unparsed", "key-shape"],
    guards: &[
        "key-shape",
        "short-path-is-exact",
        "denied-page",
        "alternative-page",
        "absent-by-choice",
    ],
    readings: &[URL_MATCH],
    reads: Reads::Text,
    page: include_str!("url-cited.md"),
    key: KeyShape::fields(&["url"]),
    parse,
};

#[derive(Debug)]
struct UrlCited {
    words: Vec<Phrase>,
    common: Common,
}

fn parse(value: &Value) -> Result<Box<dyn Check>, ParamError> {
    let mut params = Params::new(value)?;
    let words = params.phrases("words")?;
    let common = Common::read(&mut params, FAILING, FAIL)?;
    params.finish()?;
    Ok(Box::new(UrlCited { words, common }))
}

/// Whether a URL leads to the page that a key names.
pub(super) fn same(key: &Url, own: &Url, suffix: bool, guards: Guards<'_>) -> bool {
    let (long, other) = (key.segments(), own.segments());
    if suffix && (long.len() > 1 || !guards.on("short-path-is-exact")) {
        key.host == own.host && long.get(1..) == other.get(1..)
    } else {
        key.origin == own.origin && key.rest == own.rest
    }
}

/// Whether the host and the path below the first directory are enough; `None` where a spec chose no reading.
pub(super) fn is_suffix(readings: &Readings) -> Option<bool> {
    match readings.get(URL_MATCH.id) {
        "exact-url" => Some(false),
        "host-and-path-suffix" => Some(true),
        _ => None,
    }
}

/// Whether `or` alone stands between two URLs.
fn is_joined(text: &str, one: &((usize, usize), Url), two: &((usize, usize), Url)) -> bool {
    let between = text.get(one.0.1..two.0.0).unwrap_or("");
    between.trim().eq_ignore_ascii_case("or")
}

impl Check for UrlCited {
    fn ask(&self, asked: &Asked<'_>) -> Component {
        // A key goes through the normaliser as the answer does.
        let url = key::main(asked.key, "url").and_then(key::text);
        let url = url.and_then(|url| Url::parse(&flat(url)));
        let (Some(url), Some(suffix)) = (url, is_suffix(asked.readings)) else {
            return key_shape(asked);
        };
        let answer = asked.answer;
        answer.step(answer.raw().len());
        let all = urls(answer.text());
        let mut cited = false;
        let mut named = false;
        for (index, ((start, _), own)) in all.iter().enumerate() {
            if !same(&url, own, suffix, asked.guards) {
                continue;
            }
            // A page that is only said not to be the one, or to be one of two, is named.
            let joined = index > 0 && is_joined(answer.text(), &all[index - 1], &all[index])
                || all
                    .get(index + 1)
                    .is_some_and(|next| is_joined(answer.text(), &all[index], next));
            let at = answer.token_at(*start);
            let denied = answer.is_denied_before(at) || answer.is_doubted(at);
            let named_only = asked.guards.hold("alternative-page", joined)
                || asked.guards.hold("denied-page", denied);
            if named_only {
                named = true;
            } else {
                cited = true;
            }
        }
        let words = self
            .words
            .iter()
            .all(|word| !word.places(answer).is_empty());
        let mut facts = Facts::default();
        if !cited || !words {
            match self.common.absent(asked.guards, "missing") {
                Some(reason) if !named || !words => facts.fail(reason),
                _ => facts.unparsed(),
            }
        }
        facts.finish()
    }

    fn sight(&self, asked: &Asked<'_>) -> Sight {
        let answer = asked.answer;
        let mut sight = Sight::default();
        for (range, _) in urls(answer.text()) {
            let denied = answer.is_denied_before(answer.token_at(range.0));
            let tone = if denied { Tone::Denied } else { Tone::Plain };
            sight.at(answer, range, tone);
        }
        sight
    }
}
