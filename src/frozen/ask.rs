//! The checks of a spec, asked of one attempt under the chosen readings and under every other.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::attempt::{Attempt, Class};
use super::captures::Captures;
use super::identity::Slot;
use super::judgment::Judgments;
use super::ledger::Ledger;
use crate::oracle::grammar::Answer;
use crate::oracle::{
    Asked, Check, Component, Deeds, Evidence, Form, Guards, Join, KindInfo, Readings, Reads, Sight,
    Status, Text, Weighed, When, combine, settle_drift,
};
use crate::spec::{
    ANSWER, Alternative, CheckSpec, FieldError, Keys, LINES_WITH, Sealed, SpecError,
};

/// The reason of an unread fact, which a judge may still read.
const UNPARSED: &str = "unparsed";
/// Bytes of a key that a row holds at most.
const KEY: usize = 400;
/// What is not known while a judge has not spoken.
const PENDING: &str = "judge-pending";

/// A check that is ready to be asked.
pub(super) struct Ready<'s> {
    pub(super) spec: &'s CheckSpec,
    kind: &'s KindInfo,
    check: Box<dyn Check>,
    form: Form,
}

impl Ready<'_> {
    /// What a check of its kind asks.
    pub(super) fn question(&self) -> &'static str {
        self.kind.question
    }

    /// Whether it reads the words of a text.
    pub(super) fn reads_text(&self) -> bool {
        self.kind.reads == Reads::Text
    }

    /// What it reads in a text, and where that stands there.
    fn sight(
        &self,
        (text, answers, _): (&str, &Forms<'_>, &Evidence<'_>),
        key: &Value,
        view: &View,
    ) -> Sight {
        let answer = answers.of(self.form);
        let sight = self.check.sight(&Asked {
            key,
            answer,
            readings: &view.readings,
            guards: Guards::ALL,
        });
        if self.form != Form::Flat {
            return sight;
        }
        let read = sight.read.into_iter();
        Sight {
            read: read.map(|own| own.within(answer.raw(), text)).collect(),
            ..sight
        }
    }

    /// What it comes to for what a turn did, or why it is not asked.
    fn of_steps(&self, deeds: &Deeds) -> Result<Answered, &'static str> {
        let seen = self.check.ask_steps(deeds, Guards::ALL);
        let seen = seen.ok_or("not-asked")?;
        Ok(Answered {
            places: seen.places,
            ..seen.result.into()
        })
    }
}

/// A way to read every rule: the chosen one, or with one reading replaced.
pub(super) struct View {
    /// The reading that is replaced.
    pub(super) other: Option<Alternative>,
    /// All readings.
    pub(super) readings: Readings,
}

impl View {
    /// The chosen readings, and then each other one alone.
    pub(super) fn all(sealed: &Sealed) -> Vec<Self> {
        let chosen = Readings(sealed.spec.readings.clone());
        let mut all = vec![Self {
            other: None,
            readings: chosen.clone(),
        }];
        for other in &sealed.alternatives {
            let mut readings = chosen.clone();
            readings
                .0
                .insert(other.reading.clone(), other.value.clone());
            all.push(Self {
                other: Some(other.clone()),
                readings,
            });
        }
        all
    }
}

/// An answer in each form that a check asks for.
struct Forms<'t> {
    normalized: Answer<'t>,
    flat: Option<Answer<'t>>,
    raw: Option<Answer<'t>>,
}

fn wants(checks: &[Ready<'_>], form: Form) -> bool {
    checks.iter().any(|ready| ready.form == form)
}

impl<'t> Forms<'t> {
    fn read(text: &'t Text<'_>, checks: &[Ready<'_>]) -> Self {
        let read = |form| wants(checks, form).then(|| text.read(form));
        Self {
            normalized: text.read(Form::Normalized),
            flat: read(Form::Flat),
            raw: read(Form::Raw),
        }
    }

    fn of(&self, form: Form) -> &Answer<'t> {
        let other = match form {
            Form::Normalized => None,
            Form::Flat => self.flat.as_ref(),
            Form::Raw => self.raw.as_ref(),
        };
        other.unwrap_or(&self.normalized)
    }
}

/// What became of a judgment of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Judged {
    /// There is none, or it was not needed.
    No,
    /// It decided the check.
    Decided,
    /// Its quotes do not stand in the text, so that it says nothing.
    Refused,
}

/// What a check comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answered {
    pub(super) component: Component,
    pub(super) judged: Judged,
    /// The calls that it rests on, each with what it is to the check.
    pub(super) places: Vec<(When, &'static str)>,
    /// What it tells beside the verdict.
    pub(super) facts: BTreeMap<&'static str, Value>,
    /// What it read in the text, under the chosen readings.
    pub(super) sight: Sight,
    /// What its key holds, as JSON, under the chosen readings.
    pub(super) key: Option<String>,
    /// Whether it applies to the attempt at all.
    pub(super) applies: bool,
}

impl From<Component> for Answered {
    fn from(component: Component) -> Self {
        Self {
            component,
            judged: Judged::No,
            places: Vec::new(),
            facts: BTreeMap::new(),
            sight: Sight::default(),
            key: None,
            applies: true,
        }
    }
}

/// What one attempt comes to under one way to read the rules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Graded {
    /// Each check of the answer, in the order of the spec.
    pub(super) answers: Vec<Answered>,
    /// All of them together; `None` where the attempt says nothing.
    pub(super) sum: Option<Component>,
    /// Each check of turns with each turn, or why it is not asked of it. Without a turn it stands for
    /// those that could not be read.
    pub(super) turns: Vec<(usize, Option<usize>, Result<Answered, &'static str>)>,
    /// Why a completed attempt has no answer.
    pub(super) cause: Option<Cow<'static, str>>,
}

/// The checks that are asked of the attempts of one task.
pub(super) struct Questions<'s> {
    pub(super) answers: Vec<Ready<'s>>,
    pub(super) turns: Vec<Ready<'s>>,
}

impl Questions<'_> {
    /// What a check came to in an attempt; none where it was not asked.
    pub(super) fn told<'g>(&self, check: &str, graded: &'g Graded) -> Option<&'g Answered> {
        let at = self
            .answers
            .iter()
            .position(|ready| ready.spec.id == check)?;
        graded.answers.get(at)
    }

    /// What some checks of an attempt come to together: one that fails is enough, and all must pass.
    pub(super) fn worst<'c>(
        &self,
        checks: impl IntoIterator<Item = &'c CheckSpec>,
        graded: &Graded,
    ) -> Status {
        let told = |check: &CheckSpec| {
            let told = self.told(&check.id, graded);
            told.map(|own| own.component.status)
        };
        let all: Vec<Option<Status>> = checks.into_iter().map(told).collect();
        if all.contains(&Some(Status::Fail)) {
            Status::Fail
        } else if !all.is_empty() && all.iter().all(|own| *own == Some(Status::Pass)) {
            Status::Pass
        } else {
            Status::Unknown
        }
    }
}

/// The checks of each task of a spec.
///
/// # Errors
/// `E_SPEC` for parameters that no kind takes; a spec whose seal holds has none.
pub(super) fn questions<'s>(
    sealed: &'s Sealed,
    kinds: &'s [KindInfo],
) -> Result<Vec<Questions<'s>>, SpecError> {
    let spec = &sealed.spec;
    let mut all = Vec::with_capacity(spec.tasks.len());
    for task in &spec.tasks {
        let of_task = task.checks.iter();
        let everywhere = spec.checks.iter().filter(|_| task.dispatch != "file");
        let mut questions = Questions {
            answers: Vec::new(),
            turns: Vec::new(),
        };
        for check in of_task.chain(everywhere) {
            let ready = ready(check, kinds)?;
            if check.subject == "turn" {
                questions.turns.push(ready);
            } else {
                questions.answers.push(ready);
            }
        }
        all.push(questions);
    }
    Ok(all)
}

/// The checks of a spec without tasks.
///
/// # Errors
/// As for [`questions`].
pub(super) fn policy<'s>(
    sealed: &'s Sealed,
    kinds: &'s [KindInfo],
) -> Result<Questions<'s>, SpecError> {
    let checks = sealed.spec.checks.iter();
    Ok(Questions {
        answers: Vec::new(),
        turns: checks
            .map(|check| ready(check, kinds))
            .collect::<Result<_, _>>()?,
    })
}

fn ready<'s>(spec: &'s CheckSpec, kinds: &'s [KindInfo]) -> Result<Ready<'s>, SpecError> {
    let kind = kinds.iter().find(|kind| kind.id == spec.kind);
    let kind = kind.ok_or_else(|| FieldError::new("kind", "unknown-value"))?;
    let check =
        (kind.parse)(&spec.params).map_err(|error| FieldError::new(error.field, error.kind))?;
    Ok(Ready {
        spec,
        kind,
        check,
        form: Form::of(&spec.params),
    })
}

/// Everything that the checks of an attempt lean on.
pub(super) struct Asking<'a> {
    pub(super) keys: &'a Keys,
    pub(super) judgments: &'a Judgments,
    pub(super) identity: &'a str,
    /// What is told of the attempt from elsewhere.
    pub(super) around: Option<Around<'a>>,
}

/// What is told of an attempt beside its transcript.
#[derive(Clone, Copy)]
pub(super) struct Around<'a> {
    /// What was captured.
    pub(super) captures: &'a Captures,
    /// What another program says of the use of tools.
    pub(super) ledger: &'a Ledger,
    /// Whose attempt it is.
    pub(super) slot: Slot,
    /// Its arm and its family.
    pub(super) place: (&'a str, &'a str),
    /// The servers that its arm's clients could call, where the launch tells.
    pub(super) servers: Option<&'a [String]>,
}

impl<'a> Around<'a> {
    /// Adds the servers that the launching session could call, which its record need not tell. Where it
    /// tells of others, nobody knows which it were.
    fn serve<'e>(&self, evidence: &mut Evidence<'e>)
    where
        'a: 'e,
    {
        let Some(bound) = self.servers else {
            return;
        };
        let own: BTreeSet<&str> = bound.iter().map(String::as_str).collect();
        let servers = &mut evidence.parent.servers;
        let told = servers.as_ref().map(|told| told.iter().map(AsRef::as_ref));
        let differs = told.is_some_and(|told| told.collect::<BTreeSet<&str>>() != own);
        *servers = (!differs).then(|| bound.iter().map(Into::into).collect());
    }

    /// What the ledger says of the lane that a check asks for.
    fn join(&self, check: &CheckSpec) -> Option<Join> {
        let lane = check.params.get("lane")?.as_str()?;
        self.ledger.join(lane, self.slot)
    }

    /// What a check comes to where what it asks about had drifted before the run began.
    fn settled(&self, check: &CheckSpec, component: Component) -> Component {
        let (arm, family) = self.place;
        if check.scope.is_empty() || component.status != Status::Fail {
            return component;
        }
        settle_drift(component, &check.scope, &self.captures.before(arm, family))
    }
}

impl<'a> Asking<'a> {
    /// What is known of an attempt beside its answer, where any of its checks asks for it.
    fn evidence<'e>(&self, attempt: &'e Attempt, questions: &Questions<'_>) -> Evidence<'e>
    where
        'a: 'e,
    {
        let reads = |ready: &Ready<'_>| ready.kind.reads == Reads::Evidence;
        if !questions.answers.iter().any(reads) {
            return Evidence::default();
        }
        let mut evidence = attempt.evidence();
        if let Some(around) = self.around {
            let (arm, family) = around.place;
            around
                .captures
                .add(&mut evidence, (arm, family, self.identity));
            around.serve(&mut evidence);
        }
        evidence
    }

    /// What an attempt comes to under one way to read the rules.
    pub(super) fn grade(
        &self,
        attempt: &Attempt,
        questions: &Questions<'_>,
        view: &View,
    ) -> Graded {
        let last = view.readings.get(ANSWER.id) == "last-message";
        let answer = attempt.answer(last);
        let mut graded = Graded::default();
        match (attempt.class, answer) {
            // Of two copies that differ nobody knows which is the answer: neither is asked.
            (Class::Completed, Ok(_)) if attempt.carrier.reason().is_some() => {
                graded.sum = Some(attempt.carrier.borne());
            }
            (Class::Completed, Ok(text)) => {
                let forms = Text::new(text, wants(&questions.answers, Form::Flat));
                let read = Forms::read(&forms, &questions.answers);
                let mut evidence = self.evidence(attempt, questions);
                for ready in &questions.answers {
                    evidence.join = self.around.and_then(|around| around.join(ready.spec));
                    let said = (text, &read, &evidence);
                    let mut answered = self.ask(ready, 0, said, view);
                    if let Some(around) = self.around {
                        answered.component = around.settled(ready.spec, answered.component);
                    }
                    graded.answers.push(answered);
                }
                graded.sum = Some(sum(&questions.answers, &graded.answers));
            }
            (Class::Completed, Err(cause)) => {
                graded.sum = Some(Component::fail(&cause));
                graded.cause = Some(cause);
            }
            (Class::Unresolved(_), _) => {
                graded.sum = Some(Component::unknown("attempt-class-unresolved"));
            }
            (Class::Inadmissible(_), _) => {}
        }
        if questions.answers.is_empty() {
            // Nothing was asked, and nothing is right.
            graded.sum = None;
        }
        self.turns(attempt, questions, view, &mut graded);
        graded
    }

    pub(super) fn turns(
        &self,
        attempt: &Attempt,
        questions: &Questions<'_>,
        view: &View,
        graded: &mut Graded,
    ) {
        if questions.turns.is_empty() {
            return;
        }
        for (at, turn) in attempt.turns.iter().enumerate() {
            let close = turn.close.as_ref().map(|(_, text)| text.as_str());
            let forms = close.map(|text| Text::new(text, wants(&questions.turns, Form::Flat)));
            let read = forms.as_ref().map(|own| Forms::read(own, &questions.turns));
            for (index, ready) in questions.turns.iter().enumerate() {
                let answered = match (ready.kind.reads, close.zip(read.as_ref())) {
                    (Reads::Steps, _) => ready.of_steps(&turn.deeds),
                    (Reads::Evidence, _) => Err("not-asked"),
                    (Reads::Text, None) => Err("no-close"),
                    (Reads::Text, Some((text, read))) => {
                        let said = (text, read, &Evidence::default());
                        Ok(self.ask(ready, turn.number, said, view))
                    }
                };
                graded.turns.push((index, Some(at), answered));
            }
        }
        if let Some(cause) = attempt.unread() {
            for index in 0..questions.turns.len() {
                let unread = Component::unknown(cause).into();
                graded.turns.push((index, None, Ok(unread)));
            }
        }
    }

    /// What a check comes to for a text, and what it read in it where the readings are the chosen ones: nobody is told
    /// of what it read under another.
    fn ask(
        &self,
        ready: &Ready<'_>,
        turn: u32,
        said: (&str, &Forms<'_>, &Evidence<'_>),
        view: &View,
    ) -> Answered {
        let answered = self.judge(ready, turn, said, view);
        let key = self.keys.get(&ready.spec.id, None);
        match (key, &view.other) {
            (Ok(key), None) if answered.applies => Answered {
                sight: ready.sight(said, key, view),
                key: (!key.is_null()).then(|| held(key)),
                ..answered
            },
            _ => answered,
        }
    }

    fn judge(
        &self,
        ready: &Ready<'_>,
        turn: u32,
        (text, answers, evidence): (&str, &Forms<'_>, &Evidence<'_>),
        view: &View,
    ) -> Answered {
        let weighed = match self.keys.get(&ready.spec.id, view.other.as_ref()) {
            Err(reason) => Some(Component::unknown(reason).into()),
            Ok(key) => {
                let asked = Asked {
                    key,
                    answer: answers.of(ready.form),
                    readings: &view.readings,
                    guards: Guards::ALL,
                };
                ready.check.weigh(&asked, evidence)
            }
        };
        let Some(Weighed {
            result: component,
            facts,
            places,
        }) = weighed
        else {
            return Answered {
                applies: false,
                ..Component::pass().into()
            };
        };
        let unread = component.status == Status::Unknown
            && component.unknown.iter().all(|reason| reason == UNPARSED);
        let own = Answered {
            facts,
            places,
            ..component.into()
        };
        if ready.spec.extract != "judge" {
            return own;
        }
        let told = self.judgments.of(self.identity, &ready.spec.id, turn, text);
        match told {
            Some((said, judged)) if unread => Answered {
                judged,
                ..said.into()
            },
            // What the grammar read needs no judge, but what a judge made up is not passed over.
            Some((_, Judged::Refused)) => Answered {
                judged: Judged::Refused,
                ..own
            },
            None if unread => Answered {
                component: Component {
                    status: Status::Pending,
                    ..Component::unknown(PENDING)
                },
                ..own
            },
            _ => own,
        }
    }
}

/// A key as JSON, cut where it is long.
fn held(key: &Value) -> String {
    let mut text = key.to_string();
    if text.len() > KEY {
        text.truncate(text.floor_char_boundary(KEY));
        text.push('…');
    }
    text
}

/// What an answer comes to, by the checks that decide it.
fn sum(checks: &[Ready<'_>], answers: &[Answered]) -> Component {
    let asked = checks.iter().zip(answers);
    let asked = asked.filter(|(ready, answered)| ready.spec.decides && answered.applies);
    let asked = asked.map(|(_, answered)| answered);
    let all = combine(asked.clone().map(|answered| &answered.component));
    // An attempt that nothing applies to has shown nothing.
    match asked.count() {
        0 if !answers.is_empty() => Component::unknown("not-applicable"),
        _ => all,
    }
}

/// Whether another reading can change what an attempt comes to. Where it cannot, the checks are
/// not asked again.
pub(super) fn touches(questions: &Questions<'_>, keys: &Keys, other: &Alternative) -> bool {
    if other.reading == ANSWER.id {
        return true;
    }
    let all = || questions.answers.iter().chain(&questions.turns);
    if all().any(|ready| keys.depends(&ready.spec.id, other)) {
        return true;
    }
    let declares = |ready: &Ready<'_>| {
        ready
            .kind
            .readings
            .iter()
            .any(|own| own.id == other.reading)
    };
    other.reading != LINES_WITH.id && all().any(declares)
}
