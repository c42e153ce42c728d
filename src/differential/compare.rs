//! Both sides' answers, held against each other.

use serde::Serialize;
use serde_json::Value;

use super::case::{Case, DifferentialError};
use super::peer::{PeerError, Said, ask};

/// How many agree, of how many that both sides answered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Agreement {
    /// Cases with equal answers.
    pub agree: u64,
    /// Cases that both sides answered.
    pub of: u64,
}

/// A case that the sides answered differently.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Disagreement {
    /// The case.
    pub id: String,
    /// The planted change; none where the case is as it stands.
    pub change: Option<String>,
    /// The first place within the answer that differs; empty for the whole of it.
    pub at: String,
    /// What we say there; none where there is nothing on our side.
    pub ours: Option<Value>,
    /// What the other checker says there; none where there is nothing on its side.
    pub theirs: Option<Value>,
}

/// What a comparison came to.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Comparison {
    /// All cases.
    pub all: Agreement,
    /// Cases as they stand.
    pub as_they_stand: Agreement,
    /// Cases with a planted change.
    pub planted: Agreement,
    /// Planted changes that turned our answer. Agreement on the others proves little.
    pub turned: u64,
    /// Cases that the other checker says it cannot judge.
    pub unable: Vec<String>,
    /// Every disagreement.
    pub disagreements: Vec<Disagreement>,
}

/// Asks the other checker all cases, waits these seconds at most for each answer, and holds its answers against ours.
///
/// # Errors
/// A checker that does not answer as the protocol says, or nothing that both sides answered.
pub fn compare(
    program: &[String],
    cases: &[Case],
    patience: u64,
) -> Result<Comparison, CompareError> {
    let mut made = Comparison::default();
    if cases.is_empty() {
        return Err(DifferentialError::Nothing.into());
    }
    let asked = cases.iter().map(|case| (case.id.clone(), case.line()));
    for (case, said) in cases.iter().zip(ask(program, asked.collect(), patience)?) {
        match said {
            Said::Unable => made.unable.push(case.id.clone()),
            Said::Answer(theirs) => made.note(case, &theirs),
        }
    }
    match made.all.of {
        0 => Err(DifferentialError::Nothing.into()),
        _ => Ok(made),
    }
}

/// Why there is no comparison.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// The other checker does not do its part.
    #[error(transparent)]
    Peer(#[from] PeerError),
    /// There is nothing to compare.
    #[error(transparent)]
    Cases(#[from] DifferentialError),
}

impl Comparison {
    fn note(&mut self, case: &Case, theirs: &Value) {
        let found = difference(Some(&case.ours), Some(theirs), "");
        let part = match case.change {
            None => &mut self.as_they_stand,
            Some(_) => &mut self.planted,
        };
        for sum in [part, &mut self.all] {
            sum.of += 1;
            sum.agree += u64::from(found.is_none());
        }
        self.turned += u64::from(case.turned);
        if let Some((at, ours, theirs)) = found {
            self.disagreements.push(Disagreement {
                id: case.id.clone(),
                change: case.change.clone(),
                at,
                ours: ours.cloned(),
                theirs: theirs.cloned(),
            });
        }
    }
}

type Place<'a> = (String, Option<&'a Value>, Option<&'a Value>);

/// The first place where two values differ. The order of an object's keys says nothing.
fn difference<'a>(
    ours: Option<&'a Value>,
    theirs: Option<&'a Value>,
    at: &str,
) -> Option<Place<'a>> {
    match (ours, theirs) {
        (Some(Value::Object(own)), Some(Value::Object(other))) => {
            let more = other.keys().filter(|key| !own.contains_key(*key));
            own.keys().chain(more).find_map(|key| {
                let at = if at.is_empty() {
                    key.clone()
                } else {
                    format!("{at}.{key}")
                };
                difference(own.get(key), other.get(key), &at)
            })
        }
        (Some(Value::Array(own)), Some(Value::Array(other))) => (0..own.len().max(other.len()))
            .find_map(|n| difference(own.get(n), other.get(n), &format!("{at}[{n}]"))),
        (ours, theirs) if ours == theirs => None,
        (ours, theirs) => Some((at.to_owned(), ours, theirs)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn told(ours: &Value, theirs: &Value) -> Option<String> {
        let (at, ours, theirs) = difference(Some(ours), Some(theirs), "")?;
        let side = |side: Option<&Value>| side.map_or("-".to_owned(), Value::to_string);
        Some(format!("{at} {} {}", side(ours), side(theirs)))
    }

    #[test]
    fn the_first_difference_is_found_wherever_it_is() {
        let ours = json!([{"a": 1, "b": [true, null]}]);
        assert_eq!(told(&ours, &json!([{"b": [true, null], "a": 1}])), None);
        let other = json!([{"a": 1, "b": [true, 0]}]);
        assert_eq!(told(&ours, &other).as_deref(), Some("[0].b[1] null 0"));
        let short = json!([{"a": 1, "b": [true]}]);
        assert_eq!(told(&ours, &short).as_deref(), Some("[0].b[1] null -"));
        let more = json!([{"a": 1, "b": [true, null], "c": 2}]);
        assert_eq!(told(&ours, &more).as_deref(), Some("[0].c - 2"));
        assert_eq!(told(&json!(1), &json!("1")).as_deref(), Some(" 1 \"1\""));
        assert_eq!(told(&json!(1), &json!(1.0)).as_deref(), Some(" 1 1.0"));
    }
}
