//! The format of controls, `deedcheck/control/1`: one TOML file for each rule or check kind.

use std::sync::Arc;

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::expect::{Answered, Expect};
use super::guards::{Guard, guard_of};
use super::session::{Client, Script};
use crate::oracle::{Evidence, KINDS, Reads};
use crate::private::canary::{Kind, Spelling};
use crate::rule::registry::RULES;

/// The format of a file of controls.
pub const CONTROL_SCHEMA: &str = "deedcheck/control/1";

/// The family of the canary's controls, which is no family of rules.
pub const CANARY: &str = "canary";
/// The family of the controls of check kinds.
pub const ORACLE: &str = "oracle";

/// The family of the controls of pages, which is none of rules either.
pub const PAGES: &str = "page";
/// What stands for a rule in files of such controls.
const CHECK_HTML: &str = "check-html";

/// Why a file of controls is refused. Files are named as they lie below the folder that was named.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ControlError {
    /// It cannot be read.
    #[error("E_CONTROL file={file} kind=unreadable")]
    Unreadable {
        /// The file.
        file: String,
    },
    /// It is no TOML of the format.
    #[error("E_CONTROL file={file} line={line} field={field} kind=invalid")]
    Syntax {
        /// The file.
        file: String,
        /// The line that is wrong, from 1.
        line: usize,
        /// What stands in front of it on its line: a key, or the header of a table.
        field: String,
    },
    /// A control is none.
    #[error("E_CONTROL file={file} control={control} field={field} kind={kind}")]
    Control {
        /// The file.
        file: String,
        /// The number of the control in it, from 1; 0 for the file as a whole.
        control: usize,
        /// The field, dotted.
        field: &'static str,
        /// What is wrong with it.
        kind: &'static str,
    },
}

/// A file of controls of one rule or check kind.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct ControlFile {
    /// The id of the rule or of the check kind; `canary` for the search for private values,
    /// `check-html` for pages.
    rule: String,
    /// What every check of the file is asked with, where a control names nothing else.
    #[serde(default = "Table::none")]
    params: Table,
    /// The key of every check of the file, likewise.
    #[serde(default = "Table::none")]
    key: Table,
    /// The readings of every check of the file, likewise.
    #[serde(default)]
    readings: Map<String, Value>,
    /// What a run left behind beside its answer, for kinds that weigh it: each name of it likewise.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Evidence<'_>"))]
    run: Map<String, Value>,
    /// The controls.
    #[serde(default)]
    control: Vec<Written>,
}

/// One control as it is written.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Written {
    /// Its name, its own among all controls.
    id: String,
    /// The guard that it is for: with this guard off, and with no other, it lands elsewhere. Left
    /// out for a plain positive or negative.
    #[serde(default)]
    guard: Option<String>,
    /// Who says what must come out: `seed 000`, `design GATE 6`, `reader`, `observed`, or a public
    /// report as `owner/repository#1` or a page's name. Never the author of the rule.
    origin: String,
    /// What goes in.
    input: Input,
    /// What must come out; all of it.
    expect: Vec<Expect>,
    /// Where the rule departs from the reader on purpose: what it comes to, and why.
    #[serde(default)]
    departure: Option<Departure>,
    /// Why another outcome could be defended.
    #[serde(default)]
    doubt: Option<String>,
    /// The condition that it is about, in its reader's words, where no guard has that name.
    #[serde(default)]
    about: Option<String>,
}

/// What a control comes to where the rule departs from its reader on purpose.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Departure {
    /// What comes out.
    pub expect: Vec<Expect>,
    /// Why.
    pub why: String,
}

/// What goes in.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Input {
    /// An answer to a check. Most controls are one: they are tried in this order.
    Answer(Box<AnswerInput>),
    /// A session.
    Session(SessionInput),
    /// Records of a transcript.
    Records(RecordsInput),
    /// The steps of a turn, for a check that asks them.
    Deeds(DeedsInput),
    /// A text that is about to be published.
    Canary(CanaryInput),
    /// A page that is about to be published.
    Report(ReportInput),
}

/// A session in the language of `tests/rules/README.md`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SessionInput {
    /// The session.
    pub session: String,
    /// The client whose files it is written as.
    pub client: Client,
}

/// Records of a transcript as they are.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RecordsInput {
    /// One JSON object a line.
    pub records: String,
    /// The gate's preset, where it is not `default`.
    #[serde(default)]
    pub preset: Option<String>,
    /// Signals that a completion needs.
    #[serde(default)]
    pub goal_signals: Vec<String>,
}

/// The steps of a turn, one a line in the words of the pages of such checks.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DeedsInput {
    /// The steps.
    pub did: Vec<String>,
    /// In place of the file's parameters of these names.
    #[serde(default = "Table::none")]
    pub params: Table,
}

/// An object, of which the controls of a file hold the same one where they change nothing of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Table(Arc<Value>);

impl Table {
    /// One of these entries.
    #[must_use]
    pub fn new(entries: Map<String, Value>) -> Self {
        Self(Arc::new(Value::Object(entries)))
    }

    fn none() -> Self {
        Self::new(Map::new())
    }

    /// The object.
    #[must_use]
    pub fn value(&self) -> &Value {
        &self.0
    }

    fn has(&self, name: &str) -> bool {
        self.0.get(name).is_some()
    }

    /// Takes over what a file says and this does not replace.
    fn fill(&mut self, file: &Self) {
        let (Value::Object(entries), Value::Object(own)) = (&*file.0, &*self.0) else {
            return;
        };
        if own.is_empty() {
            self.clone_from(file);
        } else if !entries.is_empty() {
            let mut own = own.clone();
            over(entries, &mut own);
            *self = Self::new(own);
        }
    }
}

impl<'de> Deserialize<'de> for Table {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Map::deserialize(from).map(Self::new)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Table {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        Map::<String, Value>::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Map::<String, Value>::json_schema(generator)
    }
}

/// An answer, and what a check of it is asked with besides.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct AnswerInput {
    /// The answer.
    pub answer: String,
    /// Texts beside the answer.
    #[serde(default)]
    pub evidence: Vec<String>,
    /// In place of the file's parameters of these names.
    #[serde(default = "Table::none")]
    pub params: Table,
    /// In place of the file's entries of the key.
    #[serde(default = "Table::none")]
    pub key: Table,
    /// In place of the file's readings.
    #[serde(default)]
    pub readings: Map<String, Value>,
    /// In place of what the file says that the run left behind, by its names.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Evidence<'_>"))]
    pub run: Map<String, Value>,
    /// The key is unknown, for this reason.
    #[serde(default)]
    pub key_unknown: Option<String>,
    /// What the answer was given about had drifted.
    #[serde(default)]
    pub drift: bool,
}

/// A text in which something private may be hidden.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CanaryInput {
    /// The text.
    pub text: String,
    /// What it must be caught as, by the word in refusals.
    pub canary: String,
    /// What hides it, by the word for the spelling.
    #[serde(default)]
    pub spelling: Option<String>,
}

/// How a page is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Markup {
    /// HTML.
    Html,
    /// Markdown.
    Markdown,
}

/// A page, and what it is held against beside planted private values.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ReportInput {
    /// The page.
    pub report: String,
    /// How it is written.
    pub syntax: Markup,
    /// The aggregate that its numbers are of, as its file.
    #[serde(default)]
    pub aggregate: Option<String>,
    /// The rows that it shows some of, as their file.
    #[serde(default)]
    pub rows: Option<String>,
}

/// One control, ready to run.
#[derive(Debug, Clone, PartialEq)]
pub struct Control {
    /// Its name.
    pub id: String,
    /// The family of its rule.
    pub family: &'static str,
    /// Its rule or check kind.
    pub rule: String,
    /// The guards that it is for.
    pub guards: Vec<Guard>,
    /// Who says what must come out.
    pub origin: String,
    /// What goes in.
    pub input: Input,
    /// What must come out.
    pub expect: Vec<Expect>,
    /// Where the rule departs from the reader.
    pub departure: Option<Departure>,
    /// Why another outcome could be defended.
    pub doubt: Option<String>,
    /// The condition that it is about, in its reader's words.
    pub about: Option<String>,
}

impl Control {
    /// What it must come to for the rule as it is.
    #[must_use]
    pub fn wanted(&self) -> &[Expect] {
        let departs = self.departure.as_ref();
        departs.map_or(&self.expect, |departs| &departs.expect)
    }

    /// Whether it asks a check at all: where the tree of an arm had drifted, none is asked.
    #[must_use]
    pub fn asks(&self) -> bool {
        !matches!(&self.input, Input::Answer(input) if input.drift)
    }

    /// The class of its origin: `seed`, `design`, `public`, `observed` or `reader`; `page` for an
    /// example of a check kind's own page.
    #[must_use]
    pub fn origin_class(&self) -> &'static str {
        match self.origin.split(' ').next() {
            Some("reader") => "reader",
            Some("seed") => "seed",
            Some("observed") => "observed",
            Some("design") => "design",
            Some("page") => "page",
            _ => "public",
        }
    }
}

/// The family of a rule, a check kind or the canary.
#[must_use]
pub fn family_of(rule: &str) -> Option<&'static str> {
    if rule == CANARY {
        return Some(CANARY);
    }
    if rule == CHECK_HTML {
        return Some(PAGES);
    }
    let found = RULES.iter().find(|info| info.id == rule);
    let kind = || KINDS.iter().any(|kind| kind.id == rule).then_some(ORACLE);
    found.map(|info| info.family).or_else(kind)
}

/// Reads a file of controls. `file` names it in refusals.
///
/// # Errors
/// What is not of the format, or speaks of a rule or guard that there is not.
pub fn parse(text: &str, file: &str) -> Result<Vec<Control>, ControlError> {
    let read: ControlFile = toml::from_str(text).map_err(|error| syntax(&error, text, file))?;
    let refuse = |control, (field, kind)| ControlError::Control {
        file: file.to_owned(),
        control,
        field,
        kind,
    };
    let mut controls = ready(read).map_err(|(at, wrong)| refuse(at, wrong))?;
    for (control, at) in controls.iter_mut().zip(1..) {
        check(control).map_err(|wrong| refuse(at, wrong))?;
    }
    Ok(controls)
}

/// Reads a file of controls as the build script wrote it. A test holds that each is as its TOML says, and
/// fits: a grade does not ask that again. A file that is none has no controls, and the test says so.
pub(super) fn built_in(text: &str) -> Vec<Control> {
    let read: Option<ControlFile> = serde_json::from_str(text).ok();
    read.and_then(|read| ready(read).ok()).unwrap_or_default()
}

/// What is wrong with a control, by its number, field and kind.
type Wrong = (usize, (&'static str, &'static str));

/// The controls of a file with what it says of all of them, and their guards by name.
fn ready(read: ControlFile) -> Result<Vec<Control>, Wrong> {
    let family = family_of(&read.rule).ok_or((0, ("rule", "unknown-value")))?;
    let mut controls = Vec::with_capacity(read.control.len());
    for (at, own) in read.control.into_iter().enumerate() {
        let mut control = Control {
            id: own.id,
            family,
            rule: read.rule.clone(),
            guards: Vec::new(),
            origin: own.origin,
            input: own.input,
            expect: own.expect,
            departure: own.departure,
            doubt: own.doubt,
            about: own.about,
        };
        if let Input::Deeds(deeds) = &mut control.input {
            deeds.params.fill(&read.params);
        }
        if let Input::Answer(answer) = &mut control.input {
            answer.params.fill(&read.params);
            // The two captures of a page are one setting: where a control has one, it is the only
            // one.
            let whole = ["open", "close"].iter().any(|name| answer.key.has(name));
            if !whole {
                answer.key.fill(&read.key);
            }
            over(&read.readings, &mut answer.readings);
            over(&read.run, &mut answer.run);
        }
        if let Some(name) = &own.guard {
            let guard = guard_of(&read.rule, family, name);
            let unknown = (at + 1, ("guard", "unknown-value"));
            control.guards.push(guard.ok_or(unknown)?);
        }
        controls.push(control);
    }
    Ok(controls)
}

/// Where a file is no TOML of the format.
fn syntax(error: &toml::de::Error, text: &str, file: &str) -> ControlError {
    let before = error.span().and_then(|span| text.get(..span.start));
    let line = 1 + before.unwrap_or("").matches('\n').count();
    let own = text.lines().nth(line - 1).unwrap_or("");
    let own = own.split('=').next().unwrap_or("").trim();
    let field = own.trim_matches(['[', ']', ' ']);
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let named = !field.is_empty() && field.len() <= 60 && field.chars().all(plain);
    ControlError::Syntax {
        file: file.to_owned(),
        line,
        field: if named { field } else { "none" }.to_owned(),
    }
}

/// The file's entries that a control does not replace.
fn over(file: &Map<String, Value>, own: &mut Map<String, Value>) {
    for (name, value) in file {
        if !own.contains_key(name) {
            own.insert(name.clone(), value.clone());
        }
    }
}

/// Whether input and expectation fit the family and each other; else the field and what is wrong
/// with it.
fn check(control: &mut Control) -> Result<(), (&'static str, &'static str)> {
    if control.id.is_empty() || control.id.chars().any(char::is_control) {
        return Err(("id", "invalid"));
    }
    if control.origin.is_empty() {
        return Err(("origin", "empty"));
    }
    let mut expected = control.expect.iter().chain(control.wanted());
    if !expected.all(Expect::is_known) {
        return Err(("expect", "unknown-value"));
    }
    let other = |expect: &Expect| matches!(expect, Expect::Check(_) | Expect::Report(_));
    let checks = |expect: &Expect| matches!(expect, Expect::Check(Answered { .. }));
    let wanted = control.wanted().iter();
    match (&control.input, control.family) {
        (Input::Session(input), "gate" | "claim" | "integrity") => {
            let invalid = |_| ("input.session", "invalid");
            let script = Script::parse(&input.session).map_err(invalid)?;
            if wanted.clone().any(|one| one.fits(&script).is_err()) {
                return Err(("expect", "no-such-place"));
            }
            none(wanted.clone().any(other))?;
        }
        (Input::Records(_), "gate") => none(wanted.clone().any(other))?,
        (Input::Report(_), PAGES) => {
            let pages = |expect: &Expect| matches!(expect, Expect::Report(_));
            none(wanted.len() != 1 || !wanted.clone().all(pages))?;
        }
        (Input::Answer(_) | Input::Deeds(_), ORACLE) => {
            left(control)?;
            none(wanted.len() != 1 || !wanted.clone().all(checks))?;
        }
        (Input::Canary(input), CANARY) => {
            let unknown = |field| (field, "unknown-value");
            let kind = Kind::ALL.iter().find(|kind| kind.as_str() == input.canary);
            let kind = kind.ok_or(unknown("input.canary"))?;
            let mut guards = vec![guard_of(CANARY, CANARY, kind.as_str())];
            if let Some(name) = &input.spelling {
                let known = Spelling::ALL.iter().find(|one| one.as_str() == name);
                let known = known.ok_or(unknown("input.spelling"))?;
                guards.push(guard_of(CANARY, CANARY, known.as_str()));
            }
            control.guards = guards.into_iter().flatten().collect();
            return none(!control.expect.is_empty());
        }
        _ => return Err(("input", "other-family")),
    }
    none(control.wanted().is_empty())
}

/// Refuses what no run leaves behind, and what the check kind never looks at.
fn left(control: &Control) -> Result<(), (&'static str, &'static str)> {
    let Input::Answer(input) = &control.input else {
        return Ok(());
    };
    let kind = KINDS.iter().find(|kind| kind.id == control.rule);
    let weighs = kind.is_some_and(|kind| kind.reads == Reads::Evidence);
    if !input.run.is_empty() && !weighs {
        return Err(("input.run", "other-kind"));
    }
    match Evidence::deserialize(&input.run) {
        Ok(_) => Ok(()),
        Err(_) => Err(("input.run", "invalid")),
    }
}

/// Refuses an expectation that is none of the family.
fn none(wrong: bool) -> Result<(), (&'static str, &'static str)> {
    if wrong {
        Err(("expect", "other-family"))
    } else {
        Ok(())
    }
}

/// The JSON Schema of a file of controls.
#[cfg(feature = "schema")]
pub(crate) fn control_schema(generator: schemars::SchemaGenerator) -> schemars::Schema {
    generator.into_root_schema_for::<ControlFile>()
}
