//! Shapes and gauges: what a reader sees of a number that no text tells.

use super::Reader;
use super::tag::{
    ASPECT, MAX, MIN, OWN_WIDTH, OWN_X, STYLE, TRANSFORM, Tag, VALUE, VIEW_BOX, WIDTH, X,
};
use crate::page::alternative::{self, MILLIONTHS};
use crate::page::fault::Fault;
use crate::page::map;
use crate::report::expr::Shown;
use crate::report::told::measure as plain;

/// Properties that a shape's own style may set: none of them moves or stretches it.
const COLOURS: [&str; 8] = [
    "fill",
    "stroke",
    "color",
    "opacity",
    "fill-opacity",
    "stroke-opacity",
    "cursor",
    "shape-rendering",
];
/// Parts of the names of properties that bend what stands within.
const BENDING: [&str; 9] = [
    "transform",
    "scale",
    "rotate",
    "translate",
    "clip",
    "mask",
    "zoom",
    "animation",
    "offset",
];
/// Elements of SVG that change the attributes of another one while it is looked at.
const MOVING: [&[u8]; 4] = [b"animate", b"animatetransform", b"animatemotion", b"set"];
/// What a drawing is wide in which a shape measures hundredths of a per cent.
const WIDE: &str = "10000";

impl Reader<'_> {
    /// A shape whose place and width stand for numbers.
    pub(super) fn shape(&mut self, tag: &Tag) {
        let (width, x) = (self.value(tag, WIDTH), self.value(tag, X));
        if width.is_none() && x.is_none() {
            return;
        }
        self.truth.counts.shapes += 1;
        self.drawing = true;
        if self.bent > 0 || self.bends(tag) || !self.is_coloured(tag) {
            self.fault(tag.at, Fault::Distorted);
        }
        let Some(sums) = self.sums else {
            return;
        };
        let measure = |text: Option<&str>| text.map(|text| sums.hundredths(text)).transpose();
        let (width, x) = match (measure(width.as_deref()), measure(x.as_deref())) {
            (Ok(width), Ok(x)) => (width, x),
            (Err(fault), _) | (_, Err(fault)) => return self.fault(tag.at, fault),
        };
        let own = |which| {
            let text = self.value(tag, which)?;
            super::number(&plain(text.trim()))
        };
        let width = width.map(|width| width.saturating_sub(x.unwrap_or(0)));
        let pairs = [(width, own(OWN_WIDTH)), (x, own(OWN_X))];
        for (expected, own) in pairs {
            if let Some(expected) = expected.filter(|expected| own != Some(*expected)) {
                let own = own.map(|own| own.to_string());
                self.untrue(tag.at, Fault::WrongWidth, own, Some(expected.to_string()));
            }
        }
    }

    /// An element that moves the shapes of the drawing that is open.
    pub(super) fn moving(&mut self, tag: &Tag) {
        let name = self.bytes(tag.name);
        let moves = MOVING.iter().any(|word| name.eq_ignore_ascii_case(word));
        if moves && self.drawing {
            self.fault(tag.at, Fault::Distorted);
        }
    }

    /// Whether an element draws what stands within it elsewhere or in another size than its
    /// numbers say.
    pub(super) fn bends(&self, tag: &Tag) -> bool {
        let name = self.bytes(tag.name);
        let svg = name.eq_ignore_ascii_case(b"svg");
        let within = svg
            || [&b"g"[..], b"a", b"use", b"symbol", b"switch", b"rect"]
                .iter()
                .any(|word| name.eq_ignore_ascii_case(word));
        let styled = || {
            let style = self.value(tag, STYLE).unwrap_or_default();
            properties(&style).any(|name| BENDING.iter().any(|part| name.contains(part)))
        };
        let sliced = || {
            let ratio = self.value(tag, ASPECT).unwrap_or_default();
            ratio.to_ascii_lowercase().contains("slice")
        };
        tag.has(TRANSFORM) || within && styled() || svg && (!self.is_wide(tag) || sliced())
    }

    /// Whether a bar of another page is drawn in another size than it measures. Where it lies is no
    /// matter, and what bends all that stands around it bends what it is compared with, too.
    pub(super) fn is_bent(&self, tag: &Tag) -> bool {
        let stretches = |text: &str| {
            let text = text.to_ascii_lowercase();
            ["scale", "matrix", "skew"]
                .iter()
                .any(|word| text.contains(word))
        };
        let style = self.value(tag, STYLE).unwrap_or_default();
        let cut = properties(&style).any(|name| {
            let sizes = ["scale", "zoom", "clip", "mask", "animation"];
            sizes.iter().any(|part| name.contains(part))
        });
        let mut turns = style
            .split(';')
            .filter(|part| part.to_ascii_lowercase().contains("transform"));
        cut || turns.any(stretches) || self.value(tag, TRANSFORM).as_deref().is_some_and(stretches)
    }

    /// Whether a drawing is as wide as hundredths of a per cent ask for.
    fn is_wide(&self, tag: &Tag) -> bool {
        let view = self.value(tag, VIEW_BOX).unwrap_or_default();
        let mut parts = view
            .split([' ', ',', '\t', '\n'])
            .filter(|part| !part.is_empty());
        let mut is = |wanted: &str| parts.next().is_some_and(|part| plain(part) == wanted);
        is("0") && is("0") && is(WIDE)
    }

    fn is_coloured(&self, tag: &Tag) -> bool {
        let style = self.value(tag, STYLE).unwrap_or_default();
        properties(&style).all(|name| COLOURS.contains(&name.as_str()))
    }

    /// Whether an element's own style puts it into a line, or out of sight.
    pub(super) fn is_in_line(&self, tag: &Tag) -> bool {
        let style = self.value(tag, STYLE).unwrap_or_default();
        style.split(';').any(|part| {
            let (name, value) = part.split_once(':').unwrap_or((part, ""));
            let value = value.trim().to_ascii_lowercase();
            let display = name.trim().eq_ignore_ascii_case("display");
            display
                && ["inline", "contents", "none"]
                    .iter()
                    .any(|word| value.starts_with(word))
        })
    }

    /// Whether an element turns the direction of what is written in it.
    pub(super) fn turns(&self, tag: &Tag) -> bool {
        let style = self.value(tag, STYLE).unwrap_or_default();
        self.bytes(tag.name).eq_ignore_ascii_case(b"bdo")
            || properties(&style).any(|name| {
                let turning = [
                    "unicode-bidi",
                    "transform",
                    "rotate",
                    "scale",
                    "writing-mode",
                ];
                turning.contains(&name.as_str())
            })
    }

    /// Whether an element shows its value and not its text.
    pub(super) fn is_gauge(&self, tag: &Tag) -> bool {
        let name = self.bytes(tag.name);
        [&b"meter"[..], b"progress", b"input"]
            .iter()
            .any(|word| name.eq_ignore_ascii_case(word))
    }

    /// A gauge, whose value is what a reader sees.
    pub(super) fn gauge(&mut self, tag: &Tag, expression: &str) {
        self.truth.counts.numbers += 1;
        let Some(sums) = self.sums else {
            return;
        };
        let value = match sums.value(expression) {
            Ok(value) => value,
            Err(fault) => return self.fault(tag.at, fault),
        };
        let text = self.value(tag, VALUE).unwrap_or_default();
        let plain = self.bytes(tag.name).eq_ignore_ascii_case(b"input");
        let (least, most) = (self.value(tag, MIN), self.value(tag, MAX));
        let shows = match plain {
            true => value.is_shown_by(&text),
            false => points_to(value, &text, least.as_deref(), most.as_deref()),
        };
        if !shows {
            let shown = map::is_number(&text).then_some(text);
            self.untrue(tag.at, Fault::WrongNumber, shown, Some(value.text()));
        }
    }
}

/// Whether a gauge's needle stands where a number is.
fn points_to(value: Shown, text: &str, least: Option<&str>, most: Option<&str>) -> bool {
    let decimal = |text: &str| alternative::decimal(text).map(|(value, _)| value);
    let least = decimal(least.unwrap_or("0"));
    let (Some(own), Some(0), Some(most)) = (decimal(text), least, decimal(most.unwrap_or("1")))
    else {
        return false;
    };
    match value {
        Shown::Count(count) => own == u128::from(count) * MILLIONTHS,
        Shown::Tenths(None) => own == 0,
        Shown::Tenths(Some(tenths)) => {
            let rounded = (2000 * own + most).checked_div(2 * most);
            rounded == Some(u128::from(tenths))
        }
    }
}

/// The names of the properties that a style sets, in small letters.
pub(super) fn properties(style: &str) -> impl Iterator<Item = String> + '_ {
    let parts = style.split(';').map(|part| part.split(':').next());
    let names = parts.map(|name| name.unwrap_or("").trim().to_ascii_lowercase());
    names.filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needles_point_to_their_numbers() {
        let share = Shown::Tenths(Some(962));
        for (text, most) in [("25", Some("26")), ("0.962", None), ("96.2", Some("100"))] {
            assert!(points_to(share, text, None, most), "{text}");
        }
        assert!(!points_to(share, "0.97", None, None));
        assert!(!points_to(share, "25", None, Some("0")));
        assert!(!points_to(share, "25", Some("1"), Some("26")));
        assert!(points_to(Shown::Count(7), "7.0", None, Some("9")));
        assert!(!points_to(Shown::Count(7), "7e1", None, None));
        assert!(!points_to(Shown::Count(7), "", None, None));
    }
}
