//! The check kinds: one file, one page and one registry line each.

mod blindness;
mod call_evidence;
mod calls;
mod captured_command;
mod choice_in_clause;
mod citation_at;
mod count_before_noun;
mod find;
mod hex_digest;
mod int_fact;
mod key;
mod lane_use;
mod level_assertion;
mod literal;
mod name_set;
mod ordered_literals;
mod page_facts;
mod params;
mod payload;
mod quoted_source;
mod recorded_run;
mod representation_size;
mod required_literals;
mod role_config;
mod round_trip;
mod row_filter;
mod sentinel;
mod session_report;
mod source_segment;
mod steps;
mod steps_never;
mod steps_order;
mod structure_elements;
mod symbol_sites;
mod tree_change;
mod url_cited;
mod word_class;

use serde_json::Value;

use super::check::{Asked, Check, ParamError, Reading, Reads};
use super::evidence::Evidence;
use super::grammar::Answer;
use super::sight::{Sight, tone};
use super::verdict::Component;

pub use key::KeyShape;

/// What is known of a check kind without asking it.
pub struct KindInfo {
    /// Its name in a spec.
    pub id: &'static str,
    /// What it asks.
    pub question: &'static str,
    /// Every reason to fail, by its default id.
    pub failing: &'static [&'static str],
    /// Every reason not to know.
    pub unknown: &'static [&'static str],
    /// Its named guards.
    pub guards: &'static [&'static str],
    /// The rules in it that can be read in several ways.
    pub readings: &'static [Reading],
    /// What it reads.
    pub reads: Reads,
    /// Its page.
    pub page: &'static str,
    /// What a key of it may hold.
    pub key: KeyShape,
    /// Reads its parameters.
    pub parse: fn(&Value) -> Result<Box<dyn Check>, ParamError>,
}

/// Every kind, in the order of the documentation.
pub const KINDS: &[KindInfo] = &[
    int_fact::INFO,
    count_before_noun::INFO,
    ordered_literals::INFO,
    required_literals::INFO,
    word_class::INFO,
    choice_in_clause::INFO,
    hex_digest::INFO,
    citation_at::INFO,
    quoted_source::INFO,
    source_segment::INFO,
    symbol_sites::INFO,
    name_set::INFO,
    payload::INFO,
    row_filter::INFO,
    level_assertion::INFO,
    url_cited::INFO,
    structure_elements::INFO,
    page_facts::INFO,
    steps_order::INFO,
    steps_never::INFO,
    captured_command::INFO,
    recorded_run::INFO,
    tree_change::INFO,
    sentinel::INFO,
    call_evidence::INFO,
    session_report::INFO,
    round_trip::INFO,
    lane_use::INFO,
    blindness::INFO,
    role_config::INFO,
    representation_size::INFO,
];

/// What a check of evidence comes to where nothing was looked at.
fn unseen(check: &dyn Check, asked: &Asked<'_>) -> Component {
    let weighed = check.weigh(asked, &Evidence::default());
    weighed.map_or_else(|| Component::unknown("key-shape"), |own| own.result)
}

/// The places that an answer cites.
fn cited(answer: &Answer<'_>) -> Sight {
    let mut sight = Sight::default();
    for cite in answer.citations().iter().take(Sight::MOST) {
        let said = answer.said(answer.token_at(cite.start));
        sight.at(answer, (cite.start, cite.end), tone(said));
    }
    sight
}

/// A key that is not of the shape that the kind asks for.
fn key_shape(asked: &Asked<'_>) -> Component {
    match asked.guards.on("key-shape") {
        true => Component::unknown("key-shape"),
        false => Component::fail("key-shape"),
    }
}

/// How much of a definition's text is meant.
const DEFINITION_TEXT: Reading = Reading {
    id: "definition-text",
    values: &["full", "def-line"],
    question: "Is a definition's text all of its lines, or the line that opens it?",
};

#[cfg(test)]
mod tests;
