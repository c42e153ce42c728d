//! The keys of a spec's checks, computed from pinned sources and never from an answer.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use super::error::{FieldError, SpecError};
use super::fields::{At, is_hex};
use super::json::strict;
use super::model::{CheckSpec, KeySpec, Spec};
use super::node::Node;
use super::recipe::take;
use super::registry::{LINES_WITH, counts_words};
use super::seal::{Alternative, Sealed};
use super::sha256;
use super::source::{INPUT_HASH, INPUT_MISSING, KEY_DRIFT, KEY_MISSING, Sources};
use crate::oracle::{KindInfo, Readings, Reads, lacks};

/// The format of a file of keys.
pub const KEYS_SCHEMA: &str = "deedcheck/keys/1";
/// Why a key may be unknown.
pub(super) const REASONS: [&str; 5] =
    [INPUT_HASH, INPUT_MISSING, KEY_DRIFT, KEY_MISSING, KEY_SHAPE];
/// The key is there, and nothing that its check can be asked with.
const KEY_SHAPE: &str = "key-shape";

/// One key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct KeyRecord {
    /// The check's id.
    pub check: String,
    /// The reading under which the key is this one, where it is not the chosen one.
    pub under: Option<Alternative>,
    /// `ok` or `unknown`.
    #[cfg_attr(
        feature = "schema",
        schemars(schema_with = "super::schema::key_status")
    )]
    pub status: &'static str,
    /// Why it is unknown.
    #[cfg_attr(
        feature = "schema",
        schemars(schema_with = "super::schema::key_reason")
    )]
    pub reason: Option<&'static str>,
    /// The key as JSON text. It is text because the order of an object's keys may be asked for.
    pub key: Option<String>,
    /// SHA-256 of that text.
    pub key_sha256: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
/// Every key of a spec.
pub(super) struct KeysFile {
    /// The format: `deedcheck/keys/1`.
    #[cfg_attr(
        feature = "schema",
        schemars(schema_with = "super::schema::keys_format")
    )]
    pub(super) schema: &'static str,
    /// The seal of the spec that they belong to.
    pub(super) spec: String,
    /// The keys, in the order of the spec's checks. A check that asks without a key has none.
    pub(super) keys: Vec<KeyRecord>,
}

/// A key, or why it is unknown.
type Known = Result<Value, &'static str>;

/// The keys as a grading asks for them.
#[derive(Debug, Clone, Default)]
pub struct Keys {
    chosen: BTreeMap<String, Known>,
    others: BTreeMap<(String, Alternative), Known>,
}

impl Keys {
    /// The key of a check under the chosen readings, or under another one.
    ///
    /// # Errors
    /// Why it is unknown: `key-missing`, `key-shape`, `input-missing`, `input-hash`, `key-drift`.
    pub fn get(&self, check: &str, under: Option<&Alternative>) -> Result<&Value, &'static str> {
        let other = under.and_then(|under| self.others.get(&(check.to_owned(), under.clone())));
        match other.or_else(|| self.chosen.get(check)) {
            Some(Ok(key)) => Ok(key),
            Some(Err(reason)) => Err(reason),
            None => Err(KEY_MISSING),
        }
    }

    /// The keys of the checks that ask without one: each is known, and nothing.
    #[must_use]
    pub fn none(spec: &Spec) -> Self {
        let keyless = spec.checks().filter(|(_, check)| check.key.is_none());
        Self {
            chosen: keyless
                .map(|(_, check)| (check.id.clone(), Ok(Value::Null)))
                .collect(),
            others: BTreeMap::new(),
        }
    }

    /// Whether a check's key is another one under a reading.
    #[must_use]
    pub fn depends(&self, check: &str, under: &Alternative) -> bool {
        self.others.contains_key(&(check.to_owned(), under.clone()))
    }
}

/// The keys of a spec, computed.
#[derive(Debug)]
pub struct Computed {
    /// The file of keys.
    pub bytes: Vec<u8>,
    /// How many are known under the chosen readings.
    pub known: usize,
    /// Those that are unknown under the chosen readings: the check, and why.
    pub unknown: Vec<(String, &'static str)>,
    /// How many checks ask without a key.
    pub keyless: usize,
}

/// Computes every key of a spec. One that its check cannot be asked with is unknown.
///
/// # Errors
/// `E_KEYS` when a key has no text.
pub fn compute(
    sealed: &Sealed,
    sources: &Sources,
    kinds: &[KindInfo],
) -> Result<Computed, SpecError> {
    let spec = &sealed.spec;
    let mut keys = Vec::new();
    for (_, check) in spec.checks().filter(|(_, check)| check.key.is_some()) {
        let chosen = fitting(check, sources, &spec.readings, kinds);
        keys.push(record(&check.id, None, chosen));
        let recipes = check.key.as_ref().map(KeySpec::recipes).unwrap_or_default();
        if !recipes.into_iter().any(counts_words) {
            continue;
        }
        let others = sealed.alternatives.iter();
        for other in others.filter(|other| other.reading == LINES_WITH.id) {
            let mut readings = spec.readings.clone();
            readings.insert(other.reading.clone(), other.value.clone());
            let known = fitting(check, sources, &readings, kinds);
            keys.push(record(&check.id, Some(other.clone()), known));
        }
    }
    let chosen = || keys.iter().filter(|key| key.under.is_none());
    let unknown = chosen().filter_map(|key| Some((key.check.clone(), key.reason?)));
    let unknown: Vec<_> = unknown.collect();
    let (known, all) = (chosen().count() - unknown.len(), spec.checks().count());
    let file = KeysFile {
        schema: KEYS_SCHEMA,
        spec: sealed.seal.clone(),
        keys,
    };
    let mut bytes = Vec::new();
    crate::canon::append_line(&mut bytes, &file)
        .map_err(|_| SpecError::Keys(FieldError::new("keys", "unwritable")))?;
    Ok(Computed {
        bytes,
        known,
        keyless: all - known - unknown.len(),
        unknown,
    })
}

/// The key of a check, where the check can be asked with it.
fn fitting(
    check: &CheckSpec,
    sources: &Sources,
    readings: &BTreeMap<String, String>,
    kinds: &[KindInfo],
) -> Known {
    let lines_with = readings.get(LINES_WITH.id).map_or("", String::as_str);
    let key = of(check.key.as_ref(), sources, lines_with)?;
    let kind = kinds.iter().find(|kind| kind.id == check.kind);
    let asked = kind.and_then(|kind| Some(((kind.parse)(&check.params).ok()?, kind.reads)));
    let readings = Readings(readings.clone());
    match asked.and_then(|(asked, reads)| lacks((&*asked, reads), &key, &readings)) {
        Some(reason) => Err(reason),
        None => Ok(key),
    }
}

/// Why a check can never be asked with the key that stands in its spec; `None` where it can, or
/// where the key is still to be computed.
pub(super) fn unfit(spec: &Spec, check: &CheckSpec, kinds: &[KindInfo]) -> Option<&'static str> {
    let kind = kinds.iter().find(|kind| kind.id == check.kind)?;
    let inline = Sources::inline(spec);
    let mut sources = check.key.iter().flat_map(KeySpec::sources);
    let settled = sources.all(|source| inline.0.contains_key(source));
    if !settled || kind.reads == Reads::Steps {
        return None;
    }
    fitting(check, &inline, &spec.readings, kinds).err()
}

fn record(check: &str, under: Option<Alternative>, known: Known) -> KeyRecord {
    let (key, reason) = match known {
        Ok(key) => (Some(key.to_string()), None),
        Err(reason) => (None, Some(reason)),
    };
    KeyRecord {
        check: check.to_owned(),
        under,
        status: if key.is_some() { "ok" } else { "unknown" },
        reason,
        key_sha256: key.as_ref().map(|key| sha256(key.as_bytes())),
        key,
    }
}

/// The key that a spec describes. Of several reasons not to know it, that of the first part is told.
fn of(key: Option<&KeySpec>, sources: &Sources, lines_with: &str) -> Known {
    let Some(key) = key else {
        return Ok(Value::Null);
    };
    if let Some(value) = &key.value {
        return Ok(value.clone());
    }
    if let Some(parts) = &key.fields {
        let mut all = Map::new();
        for (name, part) in parts {
            all.insert(name.clone(), of(Some(part), sources, lines_with)?);
        }
        return Ok(Value::Object(all));
    }
    let (Some(source), Some(recipe)) = (&key.source, &key.recipe) else {
        return Err(KEY_MISSING);
    };
    let mut found: Option<Value> = None;
    for text in sources.0.get(source).map_or(&[][..], Vec::as_slice) {
        let bytes = text.as_ref().map_err(|reason| *reason)?;
        let value = take(recipe, bytes, lines_with).ok_or(KEY_MISSING)?;
        // Facts are compared, not the pages that they stood on.
        if found.as_ref().is_some_and(|found| *found != value) {
            return Err(KEY_DRIFT);
        }
        found = Some(value);
    }
    found.ok_or(KEY_MISSING)
}

/// Reads the keys of a spec.
///
/// # Errors
/// `E_KEYS` for a file that is none, `E_KEYS_MISMATCH` for keys of another spec, keys that are not
/// those of its checks, and a key that is not what its digest, or the sealed spec itself, says.
pub fn read_keys(text: &str, sealed: &Sealed) -> Result<Keys, SpecError> {
    let records = records(text, sealed)?;
    let inline = Inline {
        sources: Sources::inline(&sealed.spec),
        readings: &sealed.spec.readings,
    };
    let mut keys = Keys::none(&sealed.spec);
    for (check, under, known, intact) in records {
        if !intact {
            return Err(SpecError::KeysMismatch("key"));
        }
        let own = sealed.spec.checks().find(|(_, other)| other.id == check);
        let forged = own.is_some_and(|(_, own)| is_forged(own, under.as_ref(), &known, &inline));
        let before = match under {
            Some(under) if sealed.alternatives.contains(&under) => {
                keys.others.insert((check, under), known).is_some()
            }
            Some(_) => return Err(SpecError::KeysMismatch("under")),
            None => keys.chosen.insert(check, known).is_some(),
        };
        if before || own.is_none() {
            return Err(SpecError::KeysMismatch("check"));
        }
        if forged {
            return Err(SpecError::KeysMismatch("key"));
        }
    }
    let all = sealed.spec.checks().count();
    if keys.chosen.len() != all {
        return Err(SpecError::KeysMismatch("check"));
    }
    Ok(keys)
}

/// What a sealed spec tells of its keys by itself.
struct Inline<'a> {
    sources: Sources,
    readings: &'a BTreeMap<String, String>,
}

/// Whether a key that stands whole in its sealed spec is another one in a file of keys: the digest
/// beside it is the file's own word, and the seal is not.
fn is_forged(
    check: &CheckSpec,
    under: Option<&Alternative>,
    told: &Known,
    inline: &Inline<'_>,
) -> bool {
    let mut sources = check.key.iter().flat_map(KeySpec::sources);
    if !sources.all(|source| inline.sources.0.contains_key(source)) {
        return false;
    }
    let chosen = || {
        inline
            .readings
            .get(LINES_WITH.id)
            .map_or("", String::as_str)
    };
    let lines_with = under.map_or_else(chosen, |under| under.value.as_str());
    match (of(check.key.as_ref(), &inline.sources, lines_with), told) {
        // As text: the order of an object's keys may be asked for.
        (Ok(own), Ok(told)) => format!("{own}") != format!("{told}"),
        // No check is sealed that cannot be asked with the key in its spec, but another reading
        // may give it one of another shape.
        (Ok(_), Err(_)) => under.is_none(),
        (Err(own), Err(told)) => own != *told,
        (Err(_), Ok(_)) => true,
    }
}

type Read = (String, Option<Alternative>, Known, bool);

fn records(text: &str, sealed: &Sealed) -> Result<Vec<Read>, SpecError> {
    let node = Node::json(text).map_err(SpecError::Keys)?;
    let read = || -> Result<(String, Vec<Read>), FieldError> {
        let mut root = At::root(&node).table()?;
        root.need("schema")?.one_of(&[KEYS_SCHEMA])?;
        let spec = root.need("spec")?.hex(64)?;
        let list = root.need("keys")?.list()?;
        let records = list.iter().map(one).collect::<Result<_, _>>()?;
        root.done()?;
        Ok((spec, records))
    };
    let (spec, records) = read().map_err(SpecError::Keys)?;
    if spec != sealed.seal {
        return Err(SpecError::KeysMismatch("spec"));
    }
    Ok(records)
}

fn one(at: &At<'_>) -> Result<Read, FieldError> {
    let null = |at: &At<'_>| at.node.item == super::node::Item::Null;
    let mut fields = at.table()?;
    let check = fields.need("check")?.name()?;
    let under = fields.need("under")?;
    let under = if null(&under) {
        None
    } else {
        let mut fields = under.table()?;
        let under = Alternative {
            reading: fields.need("reading")?.name()?,
            value: fields.need("value")?.name()?,
        };
        fields.done()?;
        Some(under)
    };
    let status = fields.need("status")?.one_of(&["ok", "unknown"])?;
    let (reason, key) = (fields.need("reason")?, fields.need("key")?);
    let digest = fields.need("key_sha256")?;
    let (known, intact) = if status == "ok" {
        let text = key.text()?;
        let value = strict(text).map_err(|_| key.fail("json"))?;
        let told = digest.text()?;
        let intact = is_hex(told, 64) && told == sha256(text.as_bytes()) && null(&reason);
        (Ok(value), intact)
    } else {
        let reason = reason.one_of(&REASONS)?;
        (Err(reason), null(&key) && null(&digest))
    };
    fields.done()?;
    Ok((check, under, known, intact))
}
