//! What the program wrote, as far as its calls show it.

use std::collections::BTreeSet;

use super::super::super::check::Asked;
use super::super::super::decode::{Datum, Format, decode};
use super::super::super::evidence::{Call, Evidence, State};
use super::super::super::grammar::{is_word, toon_header};
use super::super::super::guard::Guards;
use super::super::calls::{Own, is_program, own, writes_to_a_file};
use super::super::find::stands;
use super::{RoundTrip, SHAPE, equals, list};
use crate::shell::{self, Simple, Visible};

/// What the encodes of a run come to.
#[derive(Debug, Default)]
pub(super) struct Encoded {
    /// One of them is what it had to be.
    pub(super) sure: bool,
    /// Why it cannot be told that none is.
    open: BTreeSet<&'static str>,
    /// Documents that were not worth an encoding.
    pub(super) ineligible: u64,
    /// Documents of which that cannot be told.
    pub(super) ineligible_unknown: u64,
    /// Why not.
    unread: BTreeSet<&'static str>,
}

/// What a document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Document {
    /// What had to be written.
    Wanted,
    /// A list that is worth it.
    Eligible,
    /// Anything else.
    Ineligible,
}

/// A text without the codes that colour a terminal.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(code) = rest.strip_prefix('[') {
            let end = code.find(|c: char| ('@'..='~').contains(&c));
            rest = end.map_or("", |end| code.get(end + 1..).unwrap_or(""));
        }
    }
    out.push_str(rest);
    out
}

/// Whether a list holds records of scalars under the same names.
fn is_flat(list: &Datum) -> bool {
    let Datum::List(rows) = list else {
        return false;
    };
    let names = |row: &Datum| match row {
        Datum::Record(fields) => {
            let scalar = |value: &Datum| !matches!(value, Datum::List(_) | Datum::Record(_));
            let all = fields.iter().all(|(_, value)| scalar(value));
            all.then(|| {
                fields
                    .iter()
                    .map(|(name, _)| name.clone())
                    .collect::<Vec<_>>()
            })
        }
        _ => None,
    };
    let first = rows.first().and_then(names);
    first.is_some() && rows.iter().all(|row| names(row) == first)
}

impl RoundTrip {
    /// The document in what the program printed: the whole, or the first block that decodes.
    fn document(&self, printed: &str, guards: Guards<'_>) -> Option<Datum> {
        let text = match guards.on("escape-codes-dropped") {
            true => plain(printed),
            false => printed.to_owned(),
        };
        let status = |line: &&str| {
            let own = self
                .status
                .iter()
                .any(|lead| line.starts_with(lead.as_str()));
            guards.hold("status-lines-dropped", own)
        };
        let lines: Vec<&str> = text.lines().filter(|line| !status(line)).collect();
        let whole = lines.join("\n");
        let document = |text: &str| {
            let value = decode(text.trim(), self.format)?;
            let other = self.format != Format::Json && decode(text.trim(), Format::Json).is_some();
            (!other && matches!(value, Datum::List(_) | Datum::Record(_))).then_some(value)
        };
        if let Some(value) = document(&whole) {
            return Some(value);
        }
        let mut at = 0;
        while at < lines.len() {
            let block = match self.format {
                Format::Toon if toon_header(lines[at]).is_some() => {
                    let rows = lines[at + 1..].iter();
                    let rows = rows
                        .take_while(|own| own.starts_with([' ', '\t']) && !own.trim().is_empty());
                    1 + rows.count()
                }
                Format::Json if lines[at].starts_with(['[', '{']) => 1,
                _ => 0,
            };
            if block > 0
                && let Some(value) = document(&lines[at..at + block].join("\n"))
            {
                return Some(value);
            }
            at += block.max(1);
        }
        None
    }

    fn judge(&self, value: &Datum, original: Option<&Datum>, asked: &Asked<'_>) -> Document {
        let guards = asked.guards;
        let own = list(value, asked.readings.get(SHAPE.id));
        let long = |list: &Datum| match list {
            Datum::List(rows) => rows.len() >= self.minimum || !guards.on("eligible-minimum"),
            _ => false,
        };
        let eligible =
            own.is_some_and(|own| is_flat(own) && long(own)) || !guards.on("eligible-by-shape");
        let wanted = match (self.seeded, original) {
            (true, Some(original)) if guards.on("encoded-means-equal") => {
                equals(original, value, asked)
            }
            (true, None) => false,
            _ => eligible,
        };
        match (wanted, eligible) {
            (true, _) => Document::Wanted,
            (false, true) => Document::Eligible,
            (false, false) => Document::Ineligible,
        }
    }

    /// The commands of a text that encode, with what is known of each.
    fn encodes<'s>(
        &self,
        commands: &'s [Simple<'s>],
        state: State,
        guards: Guards<'_>,
    ) -> Vec<(&'s Simple<'s>, Own)> {
        let own_ones = commands.iter().filter(|command| {
            is_program(command, &self.program, guards)
                && !guards.hold(
                    "decode-is-no-encode",
                    self.has(&self.decode, command, commands, guards),
                )
        });
        own_ones
            .map(|command| (command, own(state, command.status, guards)))
            .collect()
    }
}

impl Encoded {
    pub(super) fn read(
        check: &RoundTrip,
        original: Option<&Datum>,
        asked: &Asked<'_>,
        evidence: &Evidence<'_>,
    ) -> Self {
        let guards = asked.guards;
        let mut encoded = Self::default();
        for call in evidence.calls.iter().filter(|call| call.owner.is_none()) {
            let Some(text) = check.shells.text(call) else {
                continue;
            };
            let script = shell::read(&text);
            let all = check.encodes(&script.commands, call.state, guards);
            let named = stands(&text, &check.program, |c| is_word(c) || c == '-');
            let told = all.is_empty() && named && !guards.on("mention-is-no-call");
            let best = match all.iter().map(|(_, own)| *own).max() {
                None if told => own(call.state, Visible::Shown, guards),
                None if !script.parsed && named => Own::Perhaps,
                None => continue,
                Some(best) => best,
            };
            let output = |command: &Simple<'_>| {
                check.has(&check.output, command, &script.commands, guards)
                    || writes_to_a_file(command)
            };
            let kept = !all.is_empty() && all.iter().all(|(command, _)| output(command));
            encoded.call(check, (call, best, kept), original, asked);
        }
        encoded
    }

    fn call(
        &mut self,
        check: &RoundTrip,
        (call, best, kept): (&Call<'_>, Own, bool),
        original: Option<&Datum>,
        asked: &Asked<'_>,
    ) {
        let guards = asked.guards;
        match (best, call.result.as_deref()) {
            (Own::No | Own::Failed, _) => {}
            (Own::Perhaps, text) => {
                let value = text
                    .filter(|_| !kept)
                    .and_then(|text| check.document(text, guards));
                match value.map(|value| check.judge(&value, original, asked)) {
                    Some(Document::Ineligible) => {
                        self.ineligible_unknown += 1;
                        self.unread.insert("call-state-unknown");
                    }
                    Some(Document::Eligible) => {}
                    Some(Document::Wanted) | None => {
                        self.open.insert("call-state-unknown");
                    }
                }
            }
            (_, _) if kept => {
                self.open.insert("output-file");
            }
            (_, None) => {
                if guards.on("unseen-is-no-miss") {
                    self.open.insert("result-unobservable");
                    self.ineligible_unknown += 1;
                    self.unread.insert("result-unobservable");
                }
            }
            (_, Some(text)) => match check.document(text, guards) {
                Some(value) => match check.judge(&value, original, asked) {
                    Document::Wanted => self.sure = true,
                    Document::Eligible => {}
                    Document::Ineligible => self.ineligible += 1,
                },
                None => {
                    self.ineligible_unknown += 1;
                    self.unread.insert("ineligible-unknown");
                    if check.seeded {
                        self.open.insert("unparsed");
                    }
                }
            },
        }
    }

    /// The word for whether anything was encoded as it had to be.
    pub(super) fn state(&self) -> &'static str {
        match (self.sure, self.open.is_empty()) {
            (true, _) => "encoded",
            (false, false) => "unknown",
            (false, true) => "not-encoded",
        }
    }

    /// What is not known: why it cannot be told whether it was encoded or, where that is no question, why a document cannot be
    /// told to be worth it.
    pub(super) fn reasons(&self) -> BTreeSet<&'static str> {
        let mut reasons = BTreeSet::new();
        if !self.sure && !self.open.is_empty() {
            reasons.extend(&self.open);
        } else {
            reasons.extend(&self.unread);
        }
        // A call without a known outcome may have written what was not worth it, beside one that is known.
        if self.unread.contains("call-state-unknown") {
            reasons.insert("call-state-unknown");
        }
        reasons
    }
}
