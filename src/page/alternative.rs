//! What stands for a number beside its text: what is read aloud in its place, what is shown on
//! hovering over it, what programs read of it.
//!
//! Words are words: of `Figure 3` or `as of 2026` nobody knows what they count. So an alternative is
//! untrue only where whoever gets it alone gets another number for the same thing.

use crate::report::expr::Shown;

/// How an alternative is met with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// In place of the text: `aria-label`, `alt`. Where it tells numbers, the right one is among them.
    Instead,
    /// Beside the text: `title`, a description. It may tell of anything; where it is a number and
    /// no more, or the very words of the text with another number, it tells that number again.
    Beside,
    /// By programs: `value` of `<data>`.
    Machine,
    /// As a needle between 0 and a most: `aria-valuenow`.
    Needle,
}

/// An alternative of an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Alternative {
    /// Where it stands in the page.
    pub(super) at: usize,
    pub(super) way: Way,
    pub(super) text: String,
    /// The most of a needle.
    pub(super) most: Option<String>,
}

/// A graded quantity, as exactly as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Quantity {
    pub(super) shown: Shown,
    /// The part and the whole of a share.
    pub(super) parts: Option<(u64, u64)>,
}

/// A number in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Told {
    /// Its value in millionths; none where it has a sign or is otherwise no plain number.
    value: Option<u128>,
    /// One in its last place, in millionths.
    place: u128,
    percent: bool,
    start: usize,
    end: usize,
}

/// Numbers of one alternative that are looked at.
const MOST: usize = 64;
pub(super) const MILLIONTHS: u128 = 1_000_000;

impl Alternative {
    /// Whether it is a number and no more.
    pub(super) fn is_number(&self) -> bool {
        is_bare(&self.text, &numbers(&self.text))
    }

    /// Whether whoever gets only this gets another number than the quantity, whose element shows
    /// `own`; then that number.
    pub(super) fn contradicts(&self, way: Way, quantity: &Quantity, own: &str) -> Option<String> {
        let text = self.text.trim();
        let told = numbers(text);
        let other = match way {
            Way::Needle => {
                (!points(quantity, text, self.most.as_deref())).then(|| told.first().copied())
            }
            Way::Machine => {
                (is_bare(text, &told) && !one(quantity, &told, true)).then(|| told.first().copied())
            }
            Way::Beside => {
                let same = is_bare(text, &told) || told.len() == 1 && words(text) == words(own);
                (same && !one(quantity, &told, true)).then(|| told.first().copied())
            }
            Way::Instead => instead(quantity, text, &told).then(|| told.first().copied()),
        };
        let number = |told: Told| {
            text.get(told.start..told.end)
                .unwrap_or_default()
                .to_owned()
        };
        other.map(|told| told.map(number).unwrap_or_default())
    }
}

fn one(quantity: &Quantity, told: &[Told], bare: bool) -> bool {
    told.iter().any(|told| quantity.is(told, bare))
}

/// Whether what is said in place of a quantity's text tells numbers of its kind, and not this one.
fn instead(quantity: &Quantity, text: &str, told: &[Told]) -> bool {
    if let Shown::Count(_) = quantity.shown {
        let counts: Vec<Told> = told.iter().copied().filter(|told| !told.percent).collect();
        return !counts.is_empty() && !one(quantity, &counts, true);
    }
    let shares: Vec<Told> = told.iter().copied().filter(|told| told.percent).collect();
    if !shares.is_empty() {
        return !one(quantity, &shares, false);
    }
    match (told, quantity.parts) {
        // `12 of 26` of what is 25 of 26.
        ([part, whole], Some((hits, all))) => {
            let between = text.get(part.end..whole.start).unwrap_or_default().trim();
            let of = matches!(between, "of" | "out of" | "/");
            let exactly =
                |told: &Told, count: u64| told.value == Some(u128::from(count) * MILLIONTHS);
            of && exactly(whole, all) && !exactly(part, hits)
        }
        _ => is_bare(text, told) && !one(quantity, told, true),
    }
}

impl Quantity {
    pub(super) fn is_count(&self) -> bool {
        matches!(self.shown, Shown::Count(_))
    }

    /// Whether a number is this quantity, as exactly as it is written. A share that is written without
    /// its sign may be a part of 1, too.
    fn is(&self, told: &Told, bare: bool) -> bool {
        let Some(value) = told.value else {
            return false;
        };
        match self.shown {
            Shown::Count(count) => !told.percent && value == u128::from(count) * MILLIONTHS,
            Shown::Tenths(None) => value == 0,
            Shown::Tenths(Some(tenths)) => {
                let percents = self.is_near(value, told.place, 100, tenths);
                percents || bare && !told.percent && self.is_near(value, told.place, 1, tenths)
            }
        }
    }

    /// Whether `value` is the share of `whole`, rounded to its own last place.
    fn is_near(&self, value: u128, place: u128, whole: u128, tenths: u64) -> bool {
        // Bounds are rounded outwards, and known to a tenth.
        let (part, all, slack) = match self.parts {
            Some((part, all)) => (u128::from(part), u128::from(all), 0),
            None => (u128::from(tenths), 1000, whole * MILLIONTHS / 1000),
        };
        let exact = part * whole * MILLIONTHS;
        let apart = value.saturating_mul(all).abs_diff(exact);
        // The text of the number itself is its rounding, too.
        let rounded = value.abs_diff(u128::from(tenths) * whole * MILLIONTHS / 1000);
        apart.saturating_mul(2) <= (place + 2 * slack + 2).saturating_mul(all)
            || 2 * rounded <= place
    }
}

/// Whether a needle stands where a quantity is.
fn points(quantity: &Quantity, text: &str, most: Option<&str>) -> bool {
    let Some((value, place)) = decimal(text) else {
        return false;
    };
    let told = |value, place| Told {
        value: Some(value),
        place,
        percent: false,
        start: 0,
        end: 0,
    };
    if matches!(quantity.shown, Shown::Count(_)) {
        return quantity.is(&told(value, place), true);
    }
    match most.map(decimal) {
        None => quantity.is(&told(value, place), true),
        Some(Some((most, _))) if most > 0 => {
            let of_whole = |number: u128| 100 * number * MILLIONTHS / most;
            quantity.is(&told(of_whole(value), of_whole(place).max(1)), false)
        }
        Some(_) => false,
    }
}

/// The letters of a text that are of no per cent sign, without what parts them.
fn words(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphabetic());
    let words = words.filter(|word| !word.is_empty()).map(str::to_lowercase);
    let words = words.filter(|word| !matches!(word.as_str(), "per" | "cent" | "percent"));
    words.collect::<Vec<_>>().join(" ")
}

fn is_bare(text: &str, told: &[Told]) -> bool {
    told.len() == 1 && words(text).is_empty()
}

/// The numbers of a text, but for those that are part of a word, such as `v2` or `3rd`.
fn numbers(text: &str) -> Vec<Told> {
    let mut told = Vec::new();
    let mut at = 0;
    while told.len() < MOST {
        let Some(found) = text
            .get(at..)
            .and_then(|rest| rest.find(|c: char| c.is_ascii_digit()))
        else {
            break;
        };
        let start = at + found;
        let end = start + length(text.get(start..).unwrap_or_default());
        at = end;
        let head = text.get(..start).unwrap_or_default();
        let tail = text.get(end..).unwrap_or_default();
        let before = head.chars().next_back();
        let glued = |c: Option<char>| c.is_some_and(|c| c.is_alphabetic() || c == '_');
        if glued(before) || glued(tail.chars().next()) || is_level(tail) {
            continue;
        }
        let percent = is_percent(tail);
        let (value, place) = value(text.get(start..end).unwrap_or_default(), percent);
        let value = value.filter(|_| !is_turned(head));
        told.push(Told {
            value,
            place,
            percent,
            start,
            end,
        });
    }
    told
}

/// How long the number is that a text begins with.
fn length(text: &str) -> usize {
    let mut end = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let digit = chars.peek().is_some_and(|(_, next)| next.is_ascii_digit());
        let mark = matches!(c, ',' | '.' | '\u{a0}' | '\u{202f}' | '\u{2009}' | '\'');
        if !(c.is_ascii_digit() || mark && digit) {
            break;
        }
        end = at + c.len_utf8();
    }
    end
}

fn is_percent(tail: &str) -> bool {
    let tail = tail.trim_start();
    ["%", "percent", "per cent"].iter().any(|sign| {
        let head = tail.get(..sign.len()).unwrap_or_default();
        head.eq_ignore_ascii_case(sign)
    })
}

/// Whether it is how sure an interval is, and no number of anything.
fn is_level(tail: &str) -> bool {
    let tail = tail.trim_start().trim_start_matches('%').trim_start();
    ["interval", "confidence", "ci ", "ci:", "level"]
        .iter()
        .any(|word| {
            let head = tail.get(..word.len()).unwrap_or_default();
            head.eq_ignore_ascii_case(word)
        })
}

/// Whether a sign or a word right before makes another number of it. What parts two numbers is none.
fn is_turned(head: &str) -> bool {
    let mut chars = head.chars().rev();
    let sign = chars.next().is_some_and(|c| "-−‒–+±¬!~≈≠<>≤≥".contains(c));
    let alone = chars
        .next()
        .is_none_or(|c| !c.is_alphanumeric() && c != '%');
    let word = head.trim_end().rsplit(|c: char| !c.is_alphabetic()).next();
    let word = word.unwrap_or_default();
    sign && alone
        || ["not", "minus", "never"]
            .iter()
            .any(|no| word.eq_ignore_ascii_case(no))
}

/// The value of a written number, and that of its last place, in millionths. Of a comma that may part
/// thousands or begin what is finer, a count takes the former.
fn value(text: &str, percent: bool) -> (Option<u128>, u128) {
    let mark = |c: char| !c.is_ascii_digit();
    let grouped = text.split(mark).skip(1).all(|group| group.len() == 3);
    let head = text.find(mark).is_none_or(|at| (1..=3).contains(&at));
    if text.contains(mark) && grouped && head && !percent && !text.starts_with('0') {
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        return match decimal(&digits) {
            Some((value, place)) => (Some(value), place),
            None => (None, 1),
        };
    }
    // Thousands before, and one last mark.
    let (whole, part) = text.rsplit_once(mark).unwrap_or((text, ""));
    let whole: String = whole.chars().filter(char::is_ascii_digit).collect();
    let plain = if part.is_empty() {
        whole
    } else {
        format!("{whole}.{part}")
    };
    match decimal(&plain) {
        Some((value, place)) => (Some(value), place),
        None => (None, 1),
    }
}

/// A plain decimal number in millionths, and one in its last place; what is finer is left out.
pub(super) fn decimal(text: &str) -> Option<(u128, u128)> {
    let (whole, part) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let none = whole.is_empty() && part.is_empty();
    if whole.len() > 18 || none || !digits(whole) || !digits(part) {
        return None;
    }
    let whole = if whole.is_empty() { "0" } else { whole };
    let place = (0..part.len().min(6)).fold(MILLIONTHS, |place, _| place / 10);
    let part: String = part.chars().chain("000000".chars()).take(6).collect();
    let value = whole.parse::<u128>().ok()? * MILLIONTHS + part.parse::<u128>().ok()?;
    Some((value, place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_alone() {
        let told = |text: &str| -> Vec<(u128, bool)> {
            let all = numbers(text).into_iter();
            all.map(|told| (told.value.unwrap_or(7), told.percent))
                .collect()
        };
        let million = MILLIONTHS;
        assert_eq!(
            told("1,200 of 1.5 %"),
            [(1200 * million, false), (1_500_000, true)]
        );
        assert_eq!(
            told("v2, 3rd, Q4 and 80–99 percent"),
            [(80 * million, false), (99 * million, true)]
        );
        assert_eq!(
            told("-5, not 6, 2026-12"),
            [
                (7, false),
                (7, false),
                (2026 * million, false),
                (12 * million, false)
            ]
        );
        assert_eq!(told("1'234.5"), [(1_234_500_000, false)]);
        assert_eq!(told("0.961"), [(961_000, false)]);
        assert_eq!(told(&"9 ".repeat(100)).len(), MOST);
    }

    #[test]
    fn shares_are_known_however_exactly() {
        let share = Quantity {
            shown: Shown::Tenths(Some(962)),
            parts: Some((25, 26)),
        };
        for right in ["96 %", "96.2%", "96,2 %", "96.15 %", "96.153846153846 %"] {
            assert!(!instead(&share, right, &numbers(right)), "{right}");
        }
        for wrong in ["97 %", "95 %", "96.3 %", "96.16 %", "9.62 %", "100 %"] {
            assert!(instead(&share, wrong, &numbers(wrong)), "{wrong}");
        }
        let high = Quantity {
            shown: Shown::Tenths(Some(994)),
            parts: None,
        };
        assert!(!instead(&high, "99.3 %", &numbers("99.3 %")));
        assert!(instead(&high, "99.0 %", &numbers("99.0 %")));
        assert!(points(&share, "25", Some("26")) && points(&share, "96.2", Some("100")));
        assert!(points(&share, "96.2", None) && points(&share, ".9615", None));
        assert!(!points(&share, "97", Some("100")) && !points(&share, "25", Some("0")));
    }
}
