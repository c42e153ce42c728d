//! Raw rows that an answer repeats.

use super::Answer;
use super::token::Kind;

/// The integers of `"field": N` in order, in either quotes.
pub(crate) fn integers_of_field(answer: &Answer<'_>, field: &str) -> Vec<i128> {
    answer.step(answer.len());
    let mut out = Vec::new();
    for index in 1..answer.len() {
        let quoted = answer.word(index) == field
            && matches!(answer.word(index - 1), "\"" | "'")
            && answer.word(index + 1) == answer.word(index - 1)
            && answer.word(index + 2) == ":";
        if quoted
            && let Some(Kind::Int(int)) = answer.kind(index + 3)
            && answer.clause(index + 3) == answer.clause(index)
            && let Some(int) = answer.ints().get(int as usize)
        {
            out.push(int.value);
        }
    }
    out
}
