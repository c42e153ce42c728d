//! The JSON Schemas of everything that is written and read, made from its own types.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value;

use super::grade::{CONTEXT_SCHEMA, Context, Public};
use crate::aggregate::AGGREGATE_SCHEMA;
use crate::grade::{Row, SCHEMA};
use crate::pipeline::Policy;

/// One published schema.
#[derive(Debug)]
pub struct Document {
    /// Its file name under `schemas/`.
    pub file: &'static str,
    /// The schema itself, JSON Schema 2020-12.
    pub schema: Value,
}

/// Every published schema.
#[must_use]
pub fn documents() -> Vec<Document> {
    let read = SchemaSettings::draft2020_12().into_generator();
    vec![
        written::<Row>("grade.v1.schema.json", SCHEMA),
        written::<Public<'_>>("aggregate.v1.schema.json", AGGREGATE_SCHEMA),
        written::<Context<'_>>("context.v1.schema.json", CONTEXT_SCHEMA),
        titled(
            "policy.v1.schema.json",
            "deedcheck/policy/1",
            Policy::schema(read),
        ),
    ]
}

fn written<T: JsonSchema>(file: &'static str, title: &str) -> Document {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    titled(
        file,
        title,
        settings.into_generator().into_root_schema_for::<T>(),
    )
}

/// Names a schema by its format rather than by the Rust type.
fn titled(file: &'static str, title: &str, mut schema: Schema) -> Document {
    schema.insert("title".to_owned(), title.into());
    Document {
        file,
        schema: schema.to_value(),
    }
}

pub(super) fn context_version(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "const": CONTEXT_SCHEMA })
}

pub(super) fn aggregate_version(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "const": AGGREGATE_SCHEMA })
}

/// Keys are words of ours, never an id, a path or a text of the input.
pub(super) fn cells(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "propertyNames": { "pattern": "^[a-z0-9-]+(\\.[a-z0-9-]+)*$" },
        "additionalProperties": { "type": "integer", "minimum": 1 },
    })
}
