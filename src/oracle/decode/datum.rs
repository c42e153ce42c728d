//! A decoded value, and how two of them differ.

use serde_json::Value;

/// A decoded value. Numbers keep their digits: no integer is too large to be compared.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Datum {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    /// A field of CSV, which has no types: it equals what it spells.
    Cell(String),
    List(Vec<Self>),
    Record(Vec<(String, Self)>),
}

/// How a decoded value differs from the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Difference {
    /// Something else is there.
    pub(crate) records: bool,
    /// The same is there as another type.
    pub(crate) types: bool,
    /// The fields stand in another order.
    pub(crate) order: bool,
}

impl Datum {
    /// From JSON.
    pub(crate) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(own) => Self::Bool(*own),
            Value::Number(number) => Self::Number(number.to_string()),
            Value::String(text) => Self::Text(text.clone()),
            Value::Array(items) => Self::List(items.iter().map(Self::of).collect()),
            Value::Object(fields) => Self::Record(
                fields
                    .iter()
                    .map(|(name, value)| (name.clone(), Self::of(value)))
                    .collect(),
            ),
        }
    }
}

/// A number as sign, digits without zeros at the ends, and the exponent of ten.
fn canonical(text: &str) -> Option<(bool, String, i64)> {
    let (negative, text) = text
        .strip_prefix('-')
        .map_or((false, text), |rest| (true, rest));
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent: i64 = exponent.parse().ok()?;
    let mut digits = format!("{whole}{fraction}");
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut shift = exponent.checked_sub(i64::try_from(fraction.len()).ok()?)?;
    let end = digits.trim_end_matches('0').len();
    shift = shift.checked_add(i64::try_from(digits.len() - end).ok()?)?;
    digits.truncate(end);
    let digits = digits.trim_start_matches('0').to_owned();
    if digits.is_empty() {
        return Some((false, digits, 0));
    }
    Some((negative, digits, shift))
}

/// Whether two numbers are one. A key that came as a binary fraction is compared as one: its
/// digits are those of its shortest form, not all of them.
fn same_number(key: &str, own: &str) -> bool {
    let exact = canonical(key).is_some() && canonical(key) == canonical(own);
    let binary = key.contains(['.', 'e', 'E']);
    exact
        || binary
            && matches!(
                (key.parse::<f64>(), own.parse::<f64>()),
                (Ok(a), Ok(b)) if a.to_bits() == b.to_bits()
            )
}

/// Compares an answer's value with the key's. With `ordered`, fields stand in the key's order.
pub(crate) fn compare(key: &Datum, own: &Datum, ordered: bool) -> Difference {
    let mut out = Difference::default();
    walk(key, own, ordered, &mut out);
    // An order is only told where nothing else differs.
    out.order &= !out.records && !out.types;
    out
}

fn walk(key: &Datum, own: &Datum, ordered: bool, out: &mut Difference) {
    match (key, own) {
        (Datum::List(key), Datum::List(own)) => {
            out.records |= key.len() != own.len();
            for (key, own) in key.iter().zip(own) {
                walk(key, own, ordered, out);
            }
        }
        (Datum::Record(key), Datum::Record(own)) => record(key, own, ordered, out),
        (_, Datum::Cell(cell)) => out.records |= !spells(key, cell),
        _ => scalar(key, own, out),
    }
}

fn record(key: &[(String, Datum)], own: &[(String, Datum)], ordered: bool, out: &mut Difference) {
    let found: std::collections::BTreeMap<&str, &Datum> = own
        .iter()
        .map(|(name, value)| (name.as_str(), value))
        .collect();
    if key.len() != own.len() {
        out.records = true;
    }
    for (name, value) in key {
        match found.get(name.as_str()) {
            Some(own) => walk(value, own, ordered, out),
            None => out.records = true,
        }
    }
    let same = key.iter().zip(own).all(|(a, b)| a.0 == b.0);
    out.order |= ordered && !same;
}

fn is_scalar(value: &Datum) -> bool {
    !matches!(value, Datum::List(_) | Datum::Record(_))
}

fn scalar(key: &Datum, own: &Datum, out: &mut Difference) {
    let same = match (key, own) {
        (Datum::Null, Datum::Null) => true,
        (Datum::Bool(a), Datum::Bool(b)) => a == b,
        (Datum::Number(a), Datum::Number(b)) => same_number(a, b),
        (Datum::Text(a), Datum::Text(b)) => a == b,
        _ => false,
    };
    if same {
        return;
    }
    if is_scalar(key) != is_scalar(own) || numerically_same(key, own) {
        out.types = true;
    } else {
        out.records = true;
    }
}

/// The same number in two types: `"17"` and 17, true and 1.
fn numerically_same(key: &Datum, own: &Datum) -> bool {
    let number = |value: &Datum| match value {
        Datum::Bool(own) => Some(if *own { "1" } else { "0" }.to_owned()),
        Datum::Number(text) | Datum::Text(text) => canonical(text).map(|_| text.clone()),
        _ => None,
    };
    std::mem::discriminant(key) != std::mem::discriminant(own)
        && matches!((number(key), number(own)), (Some(a), Some(b)) if same_number(&a, &b))
}

fn spells(key: &Datum, cell: &str) -> bool {
    match key {
        Datum::Null => cell.is_empty(),
        Datum::Bool(own) => cell == if *own { "true" } else { "false" },
        Datum::Number(number) => same_number(number, cell),
        Datum::Text(text) | Datum::Cell(text) => text == cell,
        Datum::List(_) | Datum::Record(_) => false,
    }
}
