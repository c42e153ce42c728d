//! Bars of pages that are not ours: an attribute or a property of an element's own style that a mapping
//! calls the measure of a number.

use super::alternative::{Quantity, decimal};
use super::fault::Fault;
use crate::report::expr::Shown;

/// What a length comes to, beside its number.
struct Length<'a> {
    value: u128,
    /// One in its last place.
    place: u128,
    unit: &'a str,
}

/// A bar is drawn in whole steps of this part of its full length, whatever it is written as: nobody
/// sees less.
const STEPS: u128 = 1000;

/// What is wrong with a bar: with what its attribute says, where its own style says nothing, or with
/// what that says. `scale` is the measure of 100 %, or of 1 for a count.
pub(super) fn fault(
    quantity: &Quantity,
    measure: &str,
    scale: Option<(u128, u128)>,
    attribute: Option<&str>,
    style: &str,
) -> Option<Fault> {
    let own: Vec<&str> = declared(style, measure).collect();
    let lengths: Vec<&str> = match (own.is_empty(), attribute) {
        (false, _) => own,
        (true, Some(text)) => vec![text],
        (true, None) => return Some(Fault::WrongWidth),
    };
    let mut least = None;
    for text in lengths {
        let Some(length) = length(text).filter(|length| is_drawn(quantity, length, scale)) else {
            return Some(Fault::WrongWidth);
        };
        least = Some(length);
    }
    let is = least?;
    let bound = |name: &str, beyond: fn(u128, u128) -> bool| {
        declared(style, &format!("{name}-{measure}")).any(|text| {
            let bound = length(text).filter(|bound| bound.unit == is.unit);
            bound.is_some_and(|bound| beyond(bound.value, is.value))
        })
    };
    let bent = bound("min", |bound, is| bound > is) || bound("max", |bound, is| bound < is);
    bent.then_some(Fault::Distorted)
}

/// What a style says of a property, each time.
fn declared<'a>(style: &'a str, property: &str) -> impl Iterator<Item = &'a str> {
    style.split(';').filter_map(move |part| {
        let (name, value) = part.split_once(':')?;
        name.trim().eq_ignore_ascii_case(property).then_some(value)
    })
}

fn length(text: &str) -> Option<Length<'_>> {
    let text = text.trim();
    let text = text.split('!').next().unwrap_or(text).trim_end();
    let number = |c: char| c.is_ascii_digit() || c == '.';
    let end = text.find(|c: char| !number(c)).unwrap_or(text.len());
    let (digits, unit) = text.split_at_checked(end)?;
    let (value, place) = decimal(digits)?;
    let plain = unit.is_empty() || unit == "%" || unit.bytes().all(|b| b.is_ascii_alphabetic());
    plain.then_some(Length { value, place, unit })
}

/// Whether a length is that of a quantity, as finely as it is written.
fn is_drawn(quantity: &Quantity, length: &Length<'_>, scale: Option<(u128, u128)>) -> bool {
    let (part, all) = match (quantity.shown, quantity.parts) {
        (Shown::Count(count), _) => (u128::from(count), 1),
        (Shown::Tenths(None), _) => (0, 1),
        (Shown::Tenths(Some(_)), Some((part, all))) => (u128::from(part), u128::from(all).max(1)),
        (Shown::Tenths(Some(tenths)), None) => (u128::from(tenths), 1000),
    };
    let whole = match scale {
        Some((scale, _)) => scale,
        None if length.unit == "%" => 100 * super::alternative::MILLIONTHS,
        None => return false,
    };
    let (own, exact) = (length.value.saturating_mul(all), part.saturating_mul(whole));
    let step = match quantity.shown {
        Shown::Count(_) => 0,
        Shown::Tenths(_) => whole / STEPS,
    };
    // Rounded to its own last place, or cut off there.
    let near = own.abs_diff(exact) <= (length.place / 2).max(step).saturating_mul(all);
    let cut = own <= exact && exact - own < length.place.saturating_mul(all);
    near || cut
}
