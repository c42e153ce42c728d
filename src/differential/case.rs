//! The cases: files of gate cases, and the planted controls that are sessions.

use serde_json::Value;

use super::answer::{Asked, File, Question, answer};
use super::change::{Changed, gate, session, text};
use crate::control::session::{Client, Script, store};
use crate::control::{Control, Input};
use crate::rule::gate::Profile;

/// Why there is nothing to compare.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DifferentialError {
    /// A file of cases is none.
    #[error("E_CASES file={file} kind={kind}")]
    Cases {
        /// Which of the named files, from 1.
        file: usize,
        /// What is wrong with it.
        kind: &'static str,
    },
    /// There is no case that we have an answer to, or the other checker had none to any.
    #[error("E_CASES kind=nothing-compared")]
    Nothing,
}

/// What a case was made of, for planted changes of it.
#[derive(Debug, Clone)]
enum Source {
    Gate,
    Function,
    Session(Client, Box<Script>),
}

/// One case, as it stands or with a change planted.
#[derive(Debug, Clone)]
pub struct Case {
    /// Its own name.
    pub id: String,
    /// The change; none where it is as it stands.
    pub change: Option<String>,
    /// Our answer.
    pub ours: Value,
    /// Whether our answer is another one than to the case as it stands.
    pub turned: bool,
    question: Question,
    source: Source,
}

impl Case {
    fn new(id: String, question: Question, source: Source) -> Option<Self> {
        Some(Self {
            ours: answer(&question)?,
            id,
            change: None,
            turned: false,
            question,
            source,
        })
    }

    /// The line that the other checker is asked.
    #[must_use]
    pub fn line(&self) -> String {
        let asked = Asked::new(self.id.clone(), self.question.clone());
        serde_json::to_string(&asked).unwrap_or_default()
    }

    /// The case with planted changes: at most `count`, of every sort in turn, chosen by the seed and
    /// the case's name alone.
    #[must_use]
    pub fn changed(&self, seed: u64, count: usize) -> Vec<Self> {
        let sorts = match (&self.source, &self.question) {
            (Source::Gate, Question::Gate { case, .. }) => Vec::from(gate(case).map(values)),
            (Source::Function, Question::Function { call, .. }) => {
                Vec::from(text(call).map(values))
            }
            (Source::Session(_, script), _) => Vec::from(session(script).map(scripts)),
            _ => return Vec::new(),
        };
        let mut dice = Dice::new(seed, &self.id);
        let mut made: Vec<Self> = Vec::new();
        for (what, changed) in dealt(sorts, &mut dice) {
            if made.len() == count {
                break;
            }
            let id = format!("{}#{}", self.id, made.len() + 1);
            made.extend(self.with(id, what, changed));
        }
        made
    }

    /// This case with a change; none where we have no answer to it.
    fn with(&self, id: String, what: String, changed: Made) -> Option<Self> {
        let mut source = self.source.clone();
        let question = match (&self.question, changed) {
            (Question::Gate { profile, .. }, Made::Value(case)) => Question::Gate {
                profile: profile.clone(),
                case,
            },
            (Question::Function { profile, .. }, Made::Value(call)) => Question::Function {
                profile: profile.clone(),
                call,
            },
            (Question::Session { rule, .. }, Made::Script(script)) => {
                let Source::Session(client, own) = &mut source else {
                    return None;
                };
                *own = script;
                asked_of(rule, *client, &self.id, own)
            }
            _ => return None,
        };
        let mut case = Self::new(id, question, source)?;
        case.turned = case.ours != self.ours;
        case.change = Some(what);
        Some(case)
    }
}

/// A changed source.
enum Made {
    Value(Value),
    Script(Box<Script>),
}

type Sort = Vec<(String, Made)>;

fn values(sort: Vec<Changed<Value>>) -> Sort {
    let made = |one: Changed<Value>| (one.what, Made::Value(one.made));
    sort.into_iter().map(made).collect()
}

fn scripts(sort: Vec<Changed<Script>>) -> Sort {
    let made = |one: Changed<Script>| (one.what, Made::Script(Box::new(one.made)));
    sort.into_iter().map(made).collect()
}

/// Each sort's changes in an order of the dice, one of each sort in turn.
fn dealt(mut piles: Vec<Sort>, dice: &mut Dice) -> Vec<(String, Made)> {
    for sort in &mut piles {
        for at in (1..sort.len()).rev() {
            sort.swap(at, dice.below(at + 1));
        }
    }
    let mut out = Vec::new();
    loop {
        let before = out.len();
        out.extend(piles.iter_mut().filter_map(Vec::pop));
        if out.len() == before {
            return out;
        }
    }
}

/// The cases of a file that `replay` takes.
///
/// # Errors
/// A file that is none, or names no release and no profile is given, or holds a case that is none.
pub fn of_document(
    document: &str,
    file: usize,
    profile: Option<Profile>,
) -> Result<Vec<Case>, DifferentialError> {
    let wrong = |kind| DifferentialError::Cases { file, kind };
    let document: Value = serde_json::from_str(document).map_err(|_| wrong("not-json"))?;
    let reference = document.get("reference").and_then(Value::as_str);
    let profile = profile.or_else(|| Profile::from_reference(reference?));
    let profile = profile.ok_or_else(|| wrong("unknown-reference"))?;
    let named = profile.as_str().to_owned();
    let list = |name: &str| {
        document
            .get(name)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
    };
    let mut cases = Vec::new();
    for (at, case) in list("cases").enumerate() {
        let own = case.get("id").and_then(Value::as_str).map(str::to_owned);
        let id = format!(
            "{file}/{}",
            own.unwrap_or_else(|| format!("case-{}", at + 1))
        );
        let question = Question::Gate {
            profile: named.clone(),
            case: without(case, &["expect", "why", "origin"]),
        };
        let made = Case::new(id, question, Source::Gate);
        cases.push(made.ok_or_else(|| wrong("case"))?);
    }
    for (at, call) in list("functions").enumerate() {
        let question = Question::Function {
            profile: named.clone(),
            call: without(call, &["out", "why", "origin"]),
        };
        let made = Case::new(
            format!("{file}/function-{}", at + 1),
            question,
            Source::Function,
        );
        cases.push(made.ok_or_else(|| wrong("function"))?);
    }
    Ok(cases)
}

/// What is asked must not hold what is expected.
fn without(value: &Value, keys: &[&str]) -> Value {
    let mut value = value.clone();
    for key in keys {
        value.as_object_mut().and_then(|map| map.shift_remove(*key));
    }
    value
}

/// The planted controls that are sessions, as their clients would have stored them.
#[must_use]
pub fn of_controls(controls: &[Control]) -> Vec<Case> {
    let case = |control: &Control| {
        let Input::Session(input) = &control.input else {
            return None;
        };
        let script = Script::parse(&input.session).ok()?;
        let question = asked_of(&control.rule, input.client, &control.id, &script);
        let source = Source::Session(input.client, Box::new(script));
        Case::new(control.id.clone(), question, source)
    };
    controls.iter().filter_map(case).collect()
}

fn asked_of(rule: &str, client: Client, seed: &str, script: &Script) -> Question {
    let stored = store(client, seed, script);
    let own = std::iter::once(stored.own).chain(stored.others);
    let files = own.map(|file| File {
        path: file.path,
        text: String::from_utf8_lossy(&file.bytes).into_owned(),
    });
    Question::Session {
        rule: rule.to_owned(),
        client: client.as_str().to_owned(),
        files: files.collect(),
    }
}

/// Numbers that a seed and a name decide (`SplitMix64`).
struct Dice(u64);

impl Dice {
    fn new(seed: u64, name: &str) -> Self {
        let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Self(name.bytes().fold(0xcbf2_9ce4_8422_2325 ^ seed, mix))
    }

    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let most = u64::try_from(most).unwrap_or(u64::MAX).max(1);
        usize::try_from((z ^ (z >> 31)) % most).unwrap_or(0)
    }
}
