//! The JSON Schemas of everything that is written and read, made from its own types.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value};

use super::check_html::print::{CHECK_SCHEMA as PAGE_CHECK_SCHEMA, PageCheck};
use super::differential::{REPORT_SCHEMA, Report};
use super::export::{BUNDLE_SCHEMA, Manifest};
use super::frozen::{FROZEN_CONTEXT_SCHEMA, FrozenContext, FrozenPublic};
use super::golden::{CHECK_SCHEMA, Checked};
use super::grade::{CONTEXT_SCHEMA, Context, Public};
use super::retained::{CANARY_SCHEMA, CanaryValues};
use crate::aggregate::AGGREGATE_SCHEMA;
use crate::capture::{CAPTURES_SCHEMA, Capture, Captures, Processes, TreeRecord};
use crate::control::{CONTROL_SCHEMA, control_schema};
use crate::frozen::{
    Awaited, BINDINGS_SCHEMA, Bindings, DRIVER_SCHEMA, DriverEvent, FrozenRow, IDENTITY_SCHEMA,
    IdentityTable, JOIN_SCHEMA, JUDGMENT_SCHEMA, JoinLine, JudgmentLine, LaunchRecord,
    Manifest as Observations, OBSERVATION_SCHEMA, OBSERVATIONS_SCHEMA, Observation, SUMS_SCHEMA,
};
use crate::golden::SumsFile;
use crate::golden::expected::SUMS_SCHEMA as GOLDEN_SCHEMA;
use crate::grade::{Row, SCHEMA};
use crate::page::{MAP_SCHEMA, Map as PageMap};
use crate::pipeline::Policy;
use crate::record::{Line, RECORD_SCHEMA};
use crate::spec::{FACTS_SCHEMA, KEYS_SCHEMA, SPEC_SCHEMA, facts_schema, keys_schema, spec_schema};

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
    let controls = SchemaSettings::draft2020_12().into_generator();
    vec![
        written::<Row>("grade.v1.schema.json", SCHEMA),
        written::<Public<'_>>("aggregate.v1.schema.json", AGGREGATE_SCHEMA),
        written::<Context>("context.v1.schema.json", CONTEXT_SCHEMA),
        titled(
            "policy.v1.schema.json",
            "deedcheck/policy/1",
            Policy::schema(read),
        ),
        written::<PageCheck>("page-check.v1.schema.json", PAGE_CHECK_SCHEMA),
        titled(
            "page-map.v1.schema.json",
            MAP_SCHEMA,
            SchemaSettings::draft2020_12()
                .into_generator()
                .into_root_schema_for::<PageMap>(),
        ),
        titled(
            "control.v1.schema.json",
            CONTROL_SCHEMA,
            control_schema(controls),
        ),
        titled("spec.v1.schema.json", SPEC_SCHEMA, spec_schema()),
        titled("keys.v1.schema.json", KEYS_SCHEMA, keys_schema()),
        titled("facts.v1.schema.json", FACTS_SCHEMA, facts_schema()),
        handed_in::<LaunchRecord>("launch-record.v1.schema.json", "deedcheck/launch-record/1"),
        handed_in::<JudgmentLine>("judgment.v1.schema.json", JUDGMENT_SCHEMA),
        handed_in::<JoinLine>("join.v1.schema.json", JOIN_SCHEMA),
        handed_in::<DriverEvent>("driver.v1.schema.json", DRIVER_SCHEMA),
        written::<Awaited>("awaited.v1.schema.json", JUDGMENT_SCHEMA),
        written::<Bindings>("bindings.v1.schema.json", BINDINGS_SCHEMA),
        written::<Captures>("captures.v1.schema.json", CAPTURES_SCHEMA),
        written::<Capture>("capture.v1.schema.json", "deedcheck/capture/1"),
        written::<TreeRecord>("captured-tree.v1.schema.json", "deedcheck/captured-tree/1"),
        written::<Processes>(
            "captured-processes.v1.schema.json",
            "deedcheck/captured-processes/1",
        ),
        written::<IdentityTable>("identity.v1.schema.json", IDENTITY_SCHEMA),
        handed_in::<Observations>("observations.v1.schema.json", OBSERVATIONS_SCHEMA),
        handed_in::<Observation<'_>>("observation.v1.schema.json", OBSERVATION_SCHEMA),
        written::<FrozenRow>("frozen-rows.v1.schema.json", SCHEMA),
        written::<FrozenPublic<'_>>("frozen-aggregate.v1.schema.json", SUMS_SCHEMA),
        written::<SumsFile<'_>>("golden.v1.schema.json", GOLDEN_SCHEMA),
        written::<Checked>("golden-check.v1.schema.json", CHECK_SCHEMA),
        written::<Report<'_>>("differential-report.v1.schema.json", REPORT_SCHEMA),
        written::<FrozenContext>("frozen-context.v1.schema.json", FROZEN_CONTEXT_SCHEMA),
        written::<Line<'_>>("record.v1.schema.json", RECORD_SCHEMA),
        written::<CanaryValues>("canary.v1.schema.json", CANARY_SCHEMA),
        written::<Manifest>("bundle.v1.schema.json", BUNDLE_SCHEMA),
    ]
}

/// The schema of something that is only read, such as one line of a file.
fn handed_in<T: JsonSchema>(file: &'static str, title: &str) -> Document {
    let read = SchemaSettings::draft2020_12().into_generator();
    titled(file, title, read.into_root_schema_for::<T>())
}

fn written<T: JsonSchema>(file: &'static str, title: &str) -> Document {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    titled(
        file,
        title,
        settings.into_generator().into_root_schema_for::<T>(),
    )
}

/// Names a schema by its format rather than by the Rust type, and says so first.
fn titled(file: &'static str, title: &str, mut schema: Schema) -> Document {
    let mut ordered = Map::new();
    for (key, value) in [
        ("$schema", schema.remove("$schema").unwrap_or_default()),
        ("title", title.into()),
        (
            "description",
            schema.remove("description").unwrap_or_default(),
        ),
    ] {
        ordered.insert(key.to_owned(), value);
    }
    if let Value::Object(rest) = schema.to_value() {
        ordered.extend(rest.into_iter().filter(|(key, _)| key != "title"));
    }
    let mut schema = Value::Object(ordered);
    without_null_defaults(&mut schema);
    Document { file, schema }
}

/// A key that may be left out has no value then: `null` can be written in no policy file.
fn without_null_defaults(schema: &mut Value) {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for property in properties.into_iter().flat_map(Map::values_mut) {
        if let Some(property) = property.as_object_mut()
            && property.get("default").is_some_and(Value::is_null)
        {
            property.remove("default");
        }
    }
}

pub(super) fn context_version(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "const": CONTEXT_SCHEMA })
}

pub(super) fn page_check_version(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "const": PAGE_CHECK_SCHEMA })
}

pub(super) fn differential_version(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "const": REPORT_SCHEMA })
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
