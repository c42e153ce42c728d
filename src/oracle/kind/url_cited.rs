//! `url-cited`: a page that the answer cites.

use serde_json::Value;

use super::super::check::{Asked, Check, ParamError, Reading};
use super::super::grammar::{Facts, Phrase, Url, urls};
use super::super::verdict::Component;
use super::params::{Common, FAIL, Params};
use super::{KindInfo, key, key_shape};

const FAILING: &[&str] = &["missing"];

const URL_MATCH: Reading = Reading {
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
    guards: &["key-shape", "short-path-is-exact", "absent-by-choice"],
    readings: &[URL_MATCH],
    page: include_str!("url-cited.md"),
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

fn same(key: &Url, own: &Url, suffix: bool) -> bool {
    let (long, other) = (key.segments(), own.segments());
    if suffix && long.len() > 1 {
        key.host == own.host && long.get(1..) == other.get(1..)
    } else {
        key.origin == own.origin && key.rest == own.rest
    }
}

impl Check for UrlCited {
    fn ask(&self, asked: &Asked<'_>) -> Component {
        let url = key::main(asked.key, "url")
            .and_then(key::text)
            .and_then(Url::parse);
        let suffix = match asked.readings.get(URL_MATCH.id) {
            "exact-url" => Some(false),
            "host-and-path-suffix" => Some(true),
            _ => None,
        };
        let (Some(url), Some(suffix)) = (url, suffix) else {
            return key_shape();
        };
        let answer = asked.answer;
        answer.step(answer.raw().len());
        // URLs are read as they are written: in the normalised text some have lost characters.
        let cited = urls(answer.raw()).iter().any(|own| same(&url, own, suffix));
        let words = self
            .words
            .iter()
            .all(|word| !word.places(answer).is_empty());
        let mut facts = Facts::default();
        if !cited || !words {
            match self.common.absent("missing") {
                Some(reason) => facts.fail(reason),
                None => facts.unparsed(),
            }
        }
        facts.finish()
    }
}
