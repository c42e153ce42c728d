//! The closed vocabularies of specs and keys as JSON Schema.

use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings, json_schema};

use super::capture::{CONDITIONS, OUTPUTS, PHASES, PLACES};
use super::keys::{KEYS_SCHEMA, KeysFile, REASONS};
use super::model::{
    DISPATCHES, EXTRACTS, GATES, GRAMMAR, OPPORTUNITIES, SPEC_SCHEMA, SUBJECTS, Spec,
};
use super::source::FACTS_SCHEMA;
use crate::oracle::KINDS;

/// The JSON Schema of a spec that a person writes.
pub(crate) fn spec() -> Schema {
    read::<Spec>()
}

/// The JSON Schema of a file of keys.
pub(crate) fn keys() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<KeysFile>()
}

/// Facts that were captured while runs went on: one file a phase.
#[derive(serde::Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is made")]
#[schemars(deny_unknown_fields)]
struct FactsFile {
    /// The format: `deedcheck/facts/1`.
    #[schemars(schema_with = "facts_format")]
    schema: String,
    /// The phase that they were captured in.
    #[schemars(schema_with = "name")]
    phase: String,
    /// Each fact by its name: a text as it stood there, or any other JSON value.
    #[schemars(schema_with = "named")]
    facts: serde_json::Value,
}

fn facts_format(_: &mut SchemaGenerator) -> Schema {
    constant(FACTS_SCHEMA)
}

fn named(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "propertyNames": { "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$", "maxLength": 64 },
    })
}

/// The JSON Schema of a file of captured facts.
pub(crate) fn facts() -> Schema {
    read::<FactsFile>()
}

/// The schema of something that is read. What may be left out has no default that could be
/// written instead.
fn read<T: JsonSchema>() -> Schema {
    let mut schema = SchemaSettings::draft2020_12()
        .into_generator()
        .into_root_schema_for::<T>();
    without_defaults(schema.as_object_mut().map(|map| map.values_mut()));
    schema
}

fn without_defaults<'v>(values: Option<impl Iterator<Item = &'v mut serde_json::Value>>) {
    for value in values.into_iter().flatten() {
        if let Some(map) = value.as_object_mut() {
            // A property may well be called `default`; a default itself stands beside a type.
            if map.contains_key("type") || map.contains_key("$ref") || map.contains_key("anyOf") {
                map.remove("default");
            }
            without_defaults(Some(map.values_mut()));
        } else if let Some(list) = value.as_array_mut() {
            without_defaults(Some(list.iter_mut()));
        }
    }
}

fn one_of(words: &[&str]) -> Schema {
    json_schema!({ "type": "string", "enum": words })
}

fn constant(word: &str) -> Schema {
    json_schema!({ "type": "string", "const": word })
}

pub(crate) fn format(_: &mut SchemaGenerator) -> Schema {
    constant(SPEC_SCHEMA)
}

pub(crate) fn keys_format(_: &mut SchemaGenerator) -> Schema {
    constant(KEYS_SCHEMA)
}

pub(crate) fn grammar(_: &mut SchemaGenerator) -> Schema {
    constant(GRAMMAR)
}

pub(crate) fn name(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$", "maxLength": 64 })
}

fn some_of(words: &[&str]) -> Schema {
    json_schema!({
        "type": "array", "minItems": 1, "uniqueItems": true,
        "items": { "type": "string", "enum": words },
    })
}

pub(crate) fn phases(_: &mut SchemaGenerator) -> Schema {
    some_of(&PHASES)
}

pub(crate) fn conditions(_: &mut SchemaGenerator) -> Schema {
    some_of(&CONDITIONS)
}

pub(crate) fn place(_: &mut SchemaGenerator) -> Schema {
    one_of(&PLACES)
}

pub(crate) fn output(_: &mut SchemaGenerator) -> Schema {
    one_of(&OUTPUTS)
}

pub(crate) fn params(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "object" })
}

pub(crate) fn kind(_: &mut SchemaGenerator) -> Schema {
    let ids: Vec<&str> = KINDS.iter().map(|kind| kind.id).collect();
    one_of(&ids)
}

pub(crate) fn opportunity(_: &mut SchemaGenerator) -> Schema {
    one_of(&OPPORTUNITIES)
}

pub(crate) fn dispatch(_: &mut SchemaGenerator) -> Schema {
    one_of(&DISPATCHES)
}

pub(crate) fn extract(_: &mut SchemaGenerator) -> Schema {
    one_of(&EXTRACTS)
}

pub(crate) fn subject(_: &mut SchemaGenerator) -> Schema {
    one_of(&SUBJECTS)
}

pub(crate) fn gate(_: &mut SchemaGenerator) -> Schema {
    one_of(&GATES)
}

pub(crate) fn key_status(_: &mut SchemaGenerator) -> Schema {
    one_of(&["ok", "unknown"])
}

pub(crate) fn key_reason(_: &mut SchemaGenerator) -> Schema {
    let mut words: Vec<Option<&str>> = REASONS.iter().copied().map(Some).collect();
    words.push(None);
    json_schema!({ "type": ["string", "null"], "enum": words })
}
