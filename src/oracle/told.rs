//! A turn as pages and controls tell it: one line a deed.
//!
//! `edit PATH` and `look PATH` are calls of a tool; `EFFECT`, `EFFECT/DOMAIN` or the name of a check
//! of the work stand before the words of a command, whose paths follow ` : `. ` -> failed` (or
//! `refused`, `invalid`, or a reason not to know, with `?` behind it where it may not have been run) ends a
//! line. `+ ` stands before a deed of the same call, `& ` before one whose call was out at the same
//! time, and `there ` before one that was done on another machine. `gap REASON` and `cut-off` say what the record lacks.

use super::deed::{DOMAINS, Deed, Deeds, EFFECTS, Gap, How, VERIFIES, When};

/// What stands before a deed that was done on another machine.
const THERE: &str = "there ";

/// Reasons that a line may give, so that they live as long as the program.
const REASONS: [&str; 8] = [
    "outcome-hidden",
    "outcome-unknown",
    "ran-nothing",
    "delegated-unseen",
    "unread-command",
    "unknown-tool",
    "unknown-record",
    "order-unclear",
];

fn known(words: &[&'static str], text: &str) -> Option<&'static str> {
    words.iter().find(|word| **word == text).copied()
}

impl Deeds {
    /// Reads a turn; `None` for a line that is none. The session works in `/repo`.
    #[must_use]
    pub fn told(lines: &[&str]) -> Option<Self> {
        let mut deeds = Self {
            root: Some("/repo".to_owned()),
            ..Self::default()
        };
        let mut when = When {
            issued: 0,
            arrived: 0,
            within: 0,
            line: 0,
            span: (0, 0),
        };
        for line in lines {
            if *line == "cut-off" {
                deeds.cut_off = true;
                continue;
            }
            let (text, same) = match (line.strip_prefix("+ "), line.strip_prefix("& ")) {
                (Some(text), _) => {
                    when.within += 1;
                    (text, true)
                }
                (_, Some(text)) => {
                    when.line += 1;
                    when.within = 0;
                    when.arrived += 1;
                    (text, false)
                }
                _ => {
                    let next = when.arrived + 1;
                    when = When {
                        issued: next,
                        arrived: next + 1,
                        within: 0,
                        line: when.line + 1,
                        span: (0, 0),
                    };
                    (*line, false)
                }
            };
            if let Some(reason) = text.strip_prefix("gap ") {
                let reason = known(&REASONS, reason)?;
                let when = (!same).then_some(when);
                deeds.gaps.push(Gap { reason, when });
            } else {
                deeds.all.push(deed(text, when)?);
            }
        }
        Some(deeds)
    }
}

fn deed(text: &str, when: When) -> Option<Deed> {
    let (text, how) = match text.split_once(" -> ") {
        None => (text, How::Ok),
        Some((text, "failed")) => (text, How::Failed),
        Some((text, "refused")) => (text, How::Refused),
        Some((text, "invalid")) => (text, How::Never),
        Some((text, told)) => {
            let reason = known(&REASONS, told.trim_end_matches('?'))?;
            let ran = !told.ends_with('?');
            (text, How::Unsure { reason, ran })
        }
    };
    let (text, paths) = text.split_once(" : ").unwrap_or((text, ""));
    let own = text.strip_prefix(THERE).unwrap_or(text);
    let (lead, rest) = own.split_once(' ')?;
    let mut deed = Deed {
        effect: "read",
        domain: Some("workspace"),
        verify: None,
        words: Vec::new(),
        writes: Vec::new(),
        reads: Vec::new(),
        elsewhere: text.starts_with(THERE),
        how,
        when,
    };
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
    match lead {
        "edit" => (deed.effect, deed.writes) = ("mutate", vec![rest.to_owned()]),
        "look" => deed.reads = vec![rest.to_owned()],
        _ => {
            let (effect, domain) = lead.split_once('/').unwrap_or((lead, ""));
            deed.verify = known(&VERIFIES, lead);
            deed.effect = match deed.verify {
                Some(_) => "read",
                None => known(&EFFECTS, effect)?,
            };
            deed.domain = match domain {
                "" => None,
                domain => Some(known(&DOMAINS, domain)?),
            };
            deed.words = words(rest);
            let touched = words(paths);
            match deed.effect {
                "mutate" => deed.writes = touched,
                _ => deed.reads = touched,
            }
        }
    }
    Some(deed)
}
