//! Controls as TOML, laid out for a reader.

use deedcheck::control::{Expect, Input};

/// A string of one line or several; literal where it can be.
pub(crate) fn string(text: &str) -> String {
    let odd = |c: char| c.is_control() && c != '\n' && c != '\t';
    let plain = !text.chars().any(odd);
    if text.contains('\n') && plain && !text.contains("'''") && !text.ends_with('\'') {
        return format!("'''\n{text}'''");
    }
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn list<T: AsRef<str>>(words: &[T]) -> String {
    let words: Vec<String> = words.iter().map(|word| string(word.as_ref())).collect();
    format!("[{}]", words.join(", "))
}

/// An expectation as an inline table.
pub(crate) fn expect(expect: &Expect) -> String {
    let mut pairs: Vec<String> = Vec::new();
    let mut put = |key: &str, value: String| pairs.push(format!("{key} = {value}"));
    let turn = match expect {
        Expect::Claim(claimed) => {
            put("claim", list(&claimed.claim));
            put("words", string(&claimed.words));
            if claimed.at.as_str() != "close" {
                put("at", string(claimed.at.as_str()));
            }
            let words = |all: &[deedcheck::rule::claim::judge::Verdict]| {
                let words: Vec<&str> = all.iter().map(|one| one.as_str()).collect();
                list(&words)
            };
            if !claimed.verdict.is_empty() {
                put("verdict", words(&claimed.verdict));
            }
            if !claimed.reasons.is_empty() {
                put("reasons", list(&claimed.reasons));
            }
            if !claimed.not.is_empty() {
                put("not", words(&claimed.not));
            }
            if claimed.absent {
                put("absent", "true".to_owned());
            }
            claimed.turn
        }
        Expect::Finding(found) => {
            put("finding", string(&found.finding));
            if let Some(verdict) = found.verdict {
                put("verdict", string(verdict.as_str()));
            }
            found.turn
        }
        Expect::Gate(gated) => {
            put("gate", list(&gated.gate));
            if !gated.reasons.is_empty() {
                put("reasons", list(&gated.reasons));
            }
            if let Some(miss) = &gated.near_miss {
                put("near-miss", string(miss));
            }
            gated.turn
        }
        Expect::Quiet(quiet) => {
            put("accusation", "false".to_owned());
            quiet.turn
        }
        Expect::Check(_) | Expect::Report(_) => None,
    };
    if let Some(turn) = turn {
        put("turn", turn.to_string());
    }
    format!("{{ {} }}", pairs.join(", "))
}

/// The keys of an input.
pub(crate) fn input(input: &Input) -> String {
    match input {
        Input::Session(input) => format!(
            "client = {}\nsession = {}\n",
            string(input.client.as_str()),
            string(&format!("{}\n", input.session))
        ),
        Input::Records(input) => {
            let mut out = String::new();
            if let Some(preset) = &input.preset {
                out.push_str(&format!("preset = {}\n", string(preset)));
            }
            if !input.goal_signals.is_empty() {
                out.push_str(&format!("goal-signals = {}\n", list(&input.goal_signals)));
            }
            out.push_str(&format!("records = {}\n", string(&input.records)));
            out
        }
        _ => String::new(),
    }
}
