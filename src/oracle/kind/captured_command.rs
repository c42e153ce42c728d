//! `captured-command`: what commands printed, told again by an answer.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::check::{Asked, Check, ParamError, Reads};
use super::super::evidence::{Capture, Condition, Evidence, Phase, Weighed};
use super::super::grammar::{Answer, Asking, Claim, Equal, Facts, Single, Tone, single};
use super::super::guard::Guards;
use super::super::verdict::Component;
use super::literal::Literal;
use super::params::{Common, Params, reason};
use super::word_class::Words;
use super::{KeyShape, KindInfo, unseen};

const FAILING: &[&str] = &["capture-missing", "subject-missing", "subject-not-newest"];

pub(super) const INFO: KindInfo = KindInfo {
    id: "captured-command",
    question: "Does the answer tell what these commands printed when they were captured around the run?",
    failing: FAILING,
    unknown: &[
        "key-missing",
        "capture-conflict",
        "capture-unfinished",
        "env-mismatch",
        "unparsed",
    ],
    guards: &[
        "unended-run-is-no-key",
        "pre-and-post-agree",
        "facts-compared-not-bytes",
        "discarded-post-is-no-key",
        "arm-capture-is-the-key",
        "environment-tames-fail",
        "unverified-conditions",
        "fail-before-env-before-unparsed",
        "first-subject-decides",
        "subject-prefix",
        "optional-field",
        "clause-negation",
        "hedge",
    ],
    readings: &[],
    reads: Reads::Evidence,
    page: include_str!("captured-command.md"),
    key: KeyShape::None,
    parse,
};

/// How a value is read, in a capture and in an answer alike.
#[derive(Debug)]
enum Read {
    Count(Asking),
    Label(Asking),
    Word(Words),
}

/// A value that a field has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Told {
    Int(i128),
    Class(bool),
}

#[derive(Debug)]
struct Field {
    command: String,
    read: Read,
    required: bool,
    reason: String,
}

#[derive(Debug)]
struct CapturedCommand {
    commands: Vec<String>,
    newest: Option<String>,
    fields: Vec<Field>,
    common: Common,
}

fn parse(value: &Value) -> Result<Box<dyn Check>, ParamError> {
    let mut params = Params::new(value)?;
    let commands: Vec<String> = params
        .texts("commands")?
        .iter()
        .map(|id| (*id).to_owned())
        .collect();
    if commands.is_empty() {
        return Err(params.error("commands", "missing"));
    }
    let newest = params.text("newest")?.map(str::to_owned);
    if newest.as_ref().is_some_and(|own| !commands.contains(own)) {
        return Err(params.error("newest", "unknown-value"));
    }
    let fields = params.tables("fields")?.into_iter();
    let fields = fields
        .map(|table| field(table, &commands))
        .collect::<Result<Vec<_>, _>>()?;
    if newest.is_none() && fields.is_empty() {
        return Err(params.error("fields", "missing"));
    }
    let common = Common::reasons_only(&mut params, FAILING)?;
    params.finish()?;
    Ok(Box::new(CapturedCommand {
        commands,
        newest,
        fields,
        common,
    }))
}

fn field(mut table: Params<'_>, commands: &[String]) -> Result<Field, ParamError> {
    table.needed("name")?;
    let command = table.needed("command")?.to_owned();
    if !commands.contains(&command) {
        return Err(table.error("command", "unknown-value"));
    }
    let read = match table.choice("read", &["count", "label", "word"])? {
        "count" => Read::Count(Asking {
            nouns: table.some_phrases("nouns")?,
            ..Asking::default()
        }),
        "label" => Read::Label(Asking {
            labels: table.some_phrases("labels")?,
            nouns: table.phrases("nouns")?,
            ..Asking::default()
        }),
        _ => Read::Word(Words {
            positive: table.some_phrases("positive")?,
            negative: table.some_phrases("negative")?,
        }),
    };
    let required = table.flag("required", true)?;
    let reason = reason(&mut table, "reason")?.ok_or_else(|| table.error("reason", "missing"))?;
    table.finish()?;
    Ok(Field {
        command,
        read,
        required,
        reason,
    })
}

impl Read {
    /// The one value that a capture tells.
    fn captured(&self, text: &str) -> Option<Told> {
        let answer = Answer::read(text);
        let stated: Vec<i128> = match self {
            Self::Count(asking) => {
                let groups = asking.before_nouns(&answer);
                groups.into_iter().flatten().map(|own| own.value).collect()
            }
            Self::Label(asking) => asking
                .by_label(&answer)
                .iter()
                .map(|own| own.value)
                .collect(),
            Self::Word(words) => {
                let said = words.said(&answer, true, Guards::ALL);
                let plain = |class| said.contains(&(class, Tone::Plain));
                return match (plain(true), plain(false)) {
                    (_, true) => Some(Told::Class(false)),
                    (true, false) => Some(Told::Class(true)),
                    (false, false) => None,
                };
            }
        };
        let first = *stated.first()?;
        stated
            .iter()
            .all(|own| *own == first)
            .then_some(Told::Int(first))
    }

    /// What an answer claims, held against a captured value.
    fn claims(&self, answer: &Answer<'_>, expected: Told, guards: Guards<'_>) -> Vec<Claim> {
        let mut claims: Vec<Claim> = match (self, expected) {
            (Self::Count(asking), Told::Int(key)) => {
                let groups = asking.before_nouns(answer).into_iter().flatten();
                groups.map(|own| own.against(key)).collect()
            }
            (Self::Label(asking), Told::Int(key)) => asking
                .by_label(answer)
                .into_iter()
                .map(|own| own.against(key))
                .collect(),
            (Self::Word(words), Told::Class(key)) => {
                let said = words.said(answer, key, Guards::ALL).into_iter();
                said.map(|(class, tone)| Claim {
                    equal: Equal::from(class == key),
                    tone,
                })
                .collect()
            }
            _ => Vec::new(),
        };
        if !guards.on("hedge") {
            claims.truncate(1);
        }
        for claim in &mut claims {
            if claim.tone == Tone::Denied && !guards.on("clause-negation") {
                claim.tone = Tone::Plain;
            }
        }
        claims
    }
}

type Group<'e> = (Phase, Condition, Vec<&'e Capture<'e>>);

/// The captures that count, by phase and conditions.
struct Captured<'e> {
    groups: Vec<Group<'e>>,
}

impl<'e> Captured<'e> {
    /// The captures of some commands. With a tree that is not the one before the run, or that changed meanwhile, all of its
    /// phase and conditions are put aside.
    fn of(captures: &'e [Capture<'e>], commands: &[String], guards: Guards<'_>) -> Self {
        let mut groups: BTreeMap<(Phase, Condition), Vec<&Capture<'_>>> = BTreeMap::new();
        for capture in captures {
            let asked = commands.iter().any(|id| *id == capture.id);
            if asked && matches!(capture.phase, Phase::PreArm | Phase::PostArm) {
                groups
                    .entry((capture.phase, capture.condition))
                    .or_default()
                    .push(capture);
            }
        }
        let own = groups.get(&(Phase::PreArm, Condition::Arm));
        let tree = own
            .and_then(|own| own.first())
            .and_then(|own| own.tree_before.as_deref());
        let other = |own: &&Capture<'_>| own.moved() || own.tree_before.as_deref() != tree;
        let groups = groups
            .into_iter()
            .filter(|(_, own)| !guards.hold("discarded-post-is-no-key", own.iter().any(&other)));
        Self {
            groups: groups
                .map(|((phase, condition), own)| (phase, condition, own))
                .collect(),
        }
    }

    fn group(&self, phase: Phase, condition: Condition) -> Option<&[&'e Capture<'e>]> {
        let own = self
            .groups
            .iter()
            .find(|own| (own.0, own.1) == (phase, condition));
        own.map(|own| own.2.as_slice())
    }

    fn printed(&self, phase: Phase, condition: Condition, id: &str) -> Option<&'e str> {
        let own = self
            .group(phase, condition)?
            .iter()
            .find(|own| own.id == id)?;
        own.stdout.as_deref()
    }
}

impl CapturedCommand {
    /// Whether a phase lacks one of the commands: one that was begun, or one that is always needed.
    fn incomplete(&self, captured: &Captured<'_>) -> bool {
        let whole = |own: &[&Capture<'_>]| {
            self.commands
                .iter()
                .all(|id| own.iter().any(|capture| capture.id == *id))
        };
        let all = captured.groups.iter().all(|(_, _, own)| whole(own));
        !all || captured.group(Phase::PreArm, Condition::Arm).is_none()
    }

    /// The lines of the command whose first line is the newest, where it was captured.
    fn subjects<'e>(
        &self,
        captured: &Captured<'e>,
        phase: Phase,
        condition: Condition,
    ) -> Vec<&'e str> {
        let newest = self.newest.as_deref();
        let text = newest.and_then(|id| captured.printed(phase, condition, id));
        let lines = text.unwrap_or("").lines().map(str::trim);
        lines.filter(|line| !line.is_empty()).collect()
    }

    /// Whether what was captured after the run says otherwise than what was captured before it.
    fn conflicts(&self, captured: &Captured<'_>, guards: Guards<'_>) -> bool {
        [Condition::Arm, Condition::Plain]
            .into_iter()
            .any(|condition| {
                let both =
                    [Phase::PreArm, Phase::PostArm].map(|phase| captured.group(phase, condition));
                if both.contains(&None) {
                    return false;
                }
                let subject = |phase| self.subjects(captured, phase, condition).first().copied();
                let printed = |phase, id: &str| captured.printed(phase, condition, id);
                let told = |phase, field: &Field| {
                    printed(phase, &field.command).and_then(|text| field.read.captured(text))
                };
                let bytes = |id: &String| printed(Phase::PreArm, id) != printed(Phase::PostArm, id);
                if !guards.on("facts-compared-not-bytes") {
                    return self.commands.iter().any(bytes);
                }
                subject(Phase::PreArm) != subject(Phase::PostArm)
                    || self
                        .fields
                        .iter()
                        .any(|own| told(Phase::PreArm, own) != told(Phase::PostArm, own))
            })
    }

    /// The subject that the answer tells first must be the newest.
    fn subject(
        &self,
        answer: &Answer<'_>,
        subjects: &[&str],
        guards: Guards<'_>,
        facts: &mut Facts,
    ) {
        let Some(newest) = subjects.first() else {
            facts.unknown("key-missing");
            return;
        };
        let mut first: Option<(usize, usize, &str)> = None;
        let mut denied = false;
        for subject in subjects {
            let Some(literal) = Literal::new(answer, subject, true, true) else {
                continue;
            };
            let place = literal.places(answer).next();
            let Some(place) = place else { continue };
            if guards.hold("clause-negation", literal.is_unsaid(answer, &[])) {
                denied = true;
                continue;
            }
            if subject == newest && !guards.on("first-subject-decides") {
                return;
            }
            let longer = |own: &(usize, usize, &str)| match guards.on("subject-prefix") {
                true => own.0 < place || own.0 == place && own.1 >= literal.len(),
                false => own.0 < place,
            };
            if !first.as_ref().is_some_and(longer) {
                first = Some((place, literal.len(), subject));
            }
        }
        match first {
            Some((_, _, subject)) if subject == *newest => {}
            Some(_) => facts.fail(self.common.reason("subject-not-newest")),
            None if denied => facts.unparsed(),
            None => facts.fail(self.common.reason("subject-missing")),
        }
    }

    /// Whether a field may have another value under other conditions.
    fn depends(
        &self,
        captured: &Captured<'_>,
        field: &Field,
        arm: Option<Told>,
        guards: Guards<'_>,
    ) -> bool {
        let own = captured.group(Phase::PreArm, Condition::Arm).unwrap_or(&[]);
        let unverified = own.iter().any(|own| !own.verified);
        let plain = captured.printed(Phase::PreArm, Condition::Plain, &field.command);
        let plain = plain.and_then(|text| field.read.captured(text));
        guards.on("environment-tames-fail")
            && (guards.hold("unverified-conditions", unverified) || plain != arm)
    }

    fn fields(&self, captured: &Captured<'_>, asked: &Asked<'_>, facts: &mut Facts) {
        let guards = asked.guards;
        let (mut unparsed, mut environment) = (false, false);
        for field in &self.fields {
            let told = |condition| {
                let text = captured.printed(Phase::PreArm, condition, &field.command);
                text.and_then(|text| field.read.captured(text))
            };
            let arm = told(Condition::Arm);
            let key = match guards.on("arm-capture-is-the-key") {
                true => arm,
                false => told(Condition::Plain),
            };
            let Some(key) = key else {
                unparsed |= field.required;
                continue;
            };
            let claims = field.read.claims(asked.answer, key, guards);
            match single(&claims) {
                Single::Pass => {}
                Single::None => unparsed |= field.required || !guards.on("optional-field"),
                Single::Hedge => unparsed = true,
                Single::Wrong if self.depends(captured, field, arm, guards) => environment = true,
                Single::Wrong => facts.fail(&field.reason),
            }
        }
        if environment {
            facts.unknown("env-mismatch");
        }
        if unparsed && !guards.hold("fail-before-env-before-unparsed", environment) {
            facts.unparsed();
        }
    }
}

impl Check for CapturedCommand {
    fn ask(&self, asked: &Asked<'_>) -> Component {
        unseen(self, asked)
    }

    fn weigh(&self, asked: &Asked<'_>, evidence: &Evidence<'_>) -> Option<Weighed> {
        let guards = asked.guards;
        let captured = Captured::of(&evidence.captures, &self.commands, guards);
        let ended = |own: &Group<'_>| own.2.iter().all(|own| own.ended());
        Some(if captured.groups.is_empty() {
            Component::unknown("key-missing").into()
        } else if self.incomplete(&captured) {
            Component::fail(self.common.reason("capture-missing")).into()
        } else if !captured.groups.iter().all(ended) && guards.on("unended-run-is-no-key") {
            Component::unknown("capture-unfinished").into()
        } else if guards.on("pre-and-post-agree") && self.conflicts(&captured, guards) {
            Component::unknown("capture-conflict").into()
        } else {
            let mut facts = Facts::default();
            if self.newest.is_some() {
                let subjects = self.subjects(&captured, Phase::PreArm, Condition::Arm);
                self.subject(asked.answer, &subjects, guards, &mut facts);
            }
            self.fields(&captured, asked, &mut facts);
            facts.finish().into()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::grammar::Phrase;
    use super::*;

    #[test]
    fn one_reader_reads_both_sides() {
        let count = Read::Count(Asking {
            nouns: vec![Phrase::new("checks")],
            ..Asking::default()
        });
        assert_eq!(count.captured("Ran 31 checks in 0.4s"), Some(Told::Int(31)));
        assert_eq!(count.captured("31 checks, then 32 checks"), None);
        let label = Read::Label(Asking {
            labels: vec![Phrase::new("skipped")],
            ..Asking::default()
        });
        assert_eq!(label.captured("OK (skipped=2)"), Some(Told::Int(2)));
        assert_eq!(label.captured("OK"), None);
    }
}
