//! JSON values as Python would write them: `json.dumps(value, sort_keys=True)` and `str(value)`.
//!
//! The adapter hashes and tokenises these texts, so their spelling decides verdicts: everything
//! outside ASCII is written `\uXXXX`, which breaks an accented name into pieces. Recursion is
//! bounded by the JSON reader, which refuses more than 128 levels.

use std::fmt::Write as _;

use serde_json::{Number, Value};

/// `json.dumps(value, sort_keys=True)` with Python's default separators and ASCII escapes.
pub(super) fn dumps(value: &Value) -> String {
    let mut out = String::new();
    write_value(&mut out, value);
    out
}

/// `str(value)` of a scalar; nothing for arrays and objects, whose `repr` no caller needs.
pub(super) fn scalar_str(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some("None".to_owned()),
        Value::Bool(true) => Some("True".to_owned()),
        Value::Bool(false) => Some("False".to_owned()),
        Value::Number(number) => Some(number_repr(number)),
        Value::String(text) => Some(text.clone()),
        Value::Array(_) | Value::Object(_) => None,
    }
}

fn write_value(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => out.push_str(&number_repr(number)),
        Value::String(text) => write_string(out, text),
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                out.push_str(if i == 0 { "" } else { ", " });
                write_value(out, item);
            }
            out.push(']');
        }
        Value::Object(map) => {
            // UTF-8 byte order is code point order, which is how Python sorts.
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            out.push('{');
            for (i, (key, item)) in entries.into_iter().enumerate() {
                out.push_str(if i == 0 { "" } else { ", " });
                write_string(out, key);
                out.push_str(": ");
                write_value(out, item);
            }
            out.push('}');
        }
    }
}

fn write_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{c}' => out.push_str("\\f"),
            '\u{8}' => out.push_str("\\b"),
            ' '..='~' => out.push(c),
            _ => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    // Writing to a String cannot fail.
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
        }
    }
    out.push('"');
}

/// Python's `repr` of a number: integers as they stand, floats by [`float_repr`].
fn number_repr(number: &Number) -> String {
    match number.as_f64() {
        Some(value) if number.is_f64() => float_repr(value),
        _ => number.to_string(),
    }
}

/// Python's `repr` of a finite float: the shortest digits that read back, plain from 1e-4 up to
/// below 1e16, otherwise with an exponent of two digits at least.
fn float_repr(value: f64) -> String {
    let scientific = format!("{value:e}");
    let Some((mantissa, exponent)) = scientific.split_once('e') else {
        return scientific;
    };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let (sign, mantissa) = match mantissa.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", mantissa),
    };
    if !(-4..16).contains(&exponent) {
        let mark = if exponent < 0 { '-' } else { '+' };
        return format!("{sign}{mantissa}e{mark}{:02}", exponent.unsigned_abs());
    }
    let digits: String = mantissa.chars().filter(|&c| c != '.').collect();
    let shift = usize::try_from(exponent.unsigned_abs()).unwrap_or(0);
    if exponent < 0 {
        return format!("{sign}0.{}{digits}", "0".repeat(shift - 1));
    }
    let whole = shift + 1;
    if digits.len() <= whole {
        return format!("{sign}{digits}{}.0", "0".repeat(whole - digits.len()));
    }
    format!("{sign}{}.{}", &digits[..whole], &digits[whole..])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{dumps, float_repr, scalar_str};

    #[test]
    fn objects_are_sorted_spaced_and_ascii() {
        let value = json!({"é": ["a\u{7f}\"\\\n", 1, null], "b": {"😀": true}});
        assert_eq!(
            dumps(&value),
            r#"{"b": {"\ud83d\ude00": true}, "\u00e9": ["a\u007f\"\\\n", 1, null]}"#
        );
        assert_eq!(dumps(&json!({})), "{}");
        assert_eq!(dumps(&json!([])), "[]");
    }

    #[test]
    fn floats_are_written_as_python_writes_them() {
        for (value, text) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (0.1, "0.1"),
            (-2.5, "-2.5"),
            (120.0, "120.0"),
            (123.25, "123.25"),
            (0.0001, "0.0001"),
            (0.00012, "0.00012"),
            (0.00001, "1e-05"),
            (1.5e-7, "1.5e-07"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (1.25e100, "1.25e+100"),
            (9007199254740993.0, "9007199254740992.0"),
        ] {
            assert_eq!(float_repr(value), text);
        }
    }

    #[test]
    fn scalars_take_pythons_names() {
        assert_eq!(scalar_str(&json!(null)).as_deref(), Some("None"));
        assert_eq!(scalar_str(&json!(true)).as_deref(), Some("True"));
        assert_eq!(scalar_str(&json!(-3)).as_deref(), Some("-3"));
        assert_eq!(scalar_str(&json!([])), None);
    }
}
