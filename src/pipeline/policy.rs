//! What a run is told of its project: `deedcheck.toml` and the options that outrank it.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

#[cfg(feature = "schema")]
use crate::grade::schema as vocabulary;
use crate::rule::gate::replay::Signal;
use crate::rule::gate::{Preset, Profile};
use crate::rule::registry::{RULES, RuleInfo};
use crate::rule::{claim, gate, integrity};
use crate::shell::{Domain, Effect, Verify};
use crate::turn::{Act, Turn};

/// How a run judges.
#[derive(Debug, Clone)]
pub struct Policy {
    /// The gate's profile.
    pub profile: Profile,
    /// The gate's preset.
    pub preset: Preset,
    /// Signals that a completion needs.
    pub goals: Vec<String>,
    /// Whether claims are held against the record.
    pub claims: bool,
    /// Whether the integrity of the checks is watched.
    pub integrity: bool,
    /// Rules and families that were asked for by name; all that run where it is empty.
    named: Vec<String>,
    /// The guards of each family: all of them, but where a run of controls switches one off.
    pub(crate) guards: Standing,
    tools: Vec<(String, Class)>,
    runners: Vec<(String, Verify)>,
    scratch: Vec<String>,
    repeatable: Vec<String>,
    normalizers: BTreeMap<String, Vec<String>>,
    extractors: BTreeMap<String, Vec<String>>,
}

/// The guards of each family that stand.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Standing {
    pub(crate) gate: gate::replay::Guards,
    pub(crate) claim: claim::guard::Guards,
    pub(crate) integrity: integrity::Guards,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Read,
    Mutate,
    Neutral,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            profile: Profile::Replay,
            preset: Preset::Default,
            goals: Vec::new(),
            claims: by_default("claim"),
            integrity: by_default("integrity"),
            named: Vec::new(),
            guards: Standing::default(),
            tools: Vec::new(),
            runners: Vec::new(),
            scratch: Vec::new(),
            repeatable: Vec::new(),
            normalizers: BTreeMap::new(),
            extractors: BTreeMap::new(),
        }
    }
}

/// Whether a family runs unless told otherwise.
fn by_default(family: &str) -> bool {
    let mut rules = RULES.iter().filter(|rule| rule.family == family);
    rules.any(|rule| rule.default)
}

/// Why a policy file is refused.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum PolicyError {
    /// It is no TOML, or holds a value of the wrong type.
    #[error("E_POLICY line={line} kind=invalid")]
    Syntax {
        /// The line that is wrong, from 1.
        line: usize,
    },
    /// It holds a key that is not known.
    #[error("E_POLICY line={line} field={key} kind=unknown-key")]
    UnknownKey {
        /// The line of the key, from 1.
        line: usize,
        /// The key's name, as far as it is made of what keys are made of.
        key: String,
    },
    /// A key holds a value that is not one of its words.
    #[error("E_POLICY field={field} kind=unknown-value")]
    Value {
        /// The key.
        field: &'static str,
    },
}

/// What a project tells the audit: the file `deedcheck.toml`. A key that is not here is refused.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct PolicyFile {
    /// The gate's profile; `replay` unless told otherwise.
    #[cfg_attr(feature = "schema", schemars(schema_with = "vocabulary::profile_read"))]
    profile: Option<String>,
    /// The gate's preset; `default` unless told otherwise.
    #[cfg_attr(feature = "schema", schemars(schema_with = "vocabulary::preset"))]
    preset: Option<String>,
    /// Signals that a completion needs.
    #[cfg_attr(feature = "schema", schemars(schema_with = "vocabulary::signals"))]
    goal_signals: Vec<String>,
    /// Tools of the project's own that read only, by name.
    read_only_tools: Vec<String>,
    /// Tools of the project's own that change something, by name.
    mutating_tools: Vec<String>,
    /// Tools of the project's own that prove and change nothing, by name.
    neutral_tools: Vec<String>,
    /// Tools whose results are never compared with earlier ones, by name.
    novelty_exempt_tools: Vec<String>,
    /// For a tool, texts that mark a line of its results as noise: such lines are left out.
    normalizers: BTreeMap<String, Vec<String>>,
    /// For a tool, the arguments whose values alone name what a call touches.
    extractors: BTreeMap<String, Vec<String>>,
    /// Parts of paths of files that are not the work itself.
    scratch_paths: Vec<String>,
    /// Commands of the project's own that verify.
    runners: Runners,
}

/// Commands of the project's own that verify, by what they verify. A command is told by its first
/// words.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Runners {
    /// They run tests.
    test: Vec<String>,
    /// They build.
    build: Vec<String>,
    /// They lint.
    lint: Vec<String>,
    /// They check types.
    typecheck: Vec<String>,
    /// They check the format and write nothing.
    format: Vec<String>,
    /// They run the program under work.
    run: Vec<String>,
}

#[cfg(feature = "schema")]
impl Policy {
    /// The JSON Schema of a policy file.
    pub(crate) fn schema(generator: schemars::SchemaGenerator) -> schemars::Schema {
        generator.into_root_schema_for::<PolicyFile>()
    }
}

impl Policy {
    /// Reads a policy file's text.
    ///
    /// # Errors
    /// Text that is no TOML, an unknown key, or an unknown word; nothing of the text is repeated.
    pub fn parse(text: &str) -> Result<Self, PolicyError> {
        let file: PolicyFile = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| line_of(text, span.start));
            match unknown_key(error.message()) {
                Some(key) => PolicyError::UnknownKey { line, key },
                None => PolicyError::Syntax { line },
            }
        })?;
        let mut policy = Self::default();
        if let Some(profile) = &file.profile {
            policy.profile =
                Profile::parse(profile).ok_or(PolicyError::Value { field: "profile" })?;
        }
        if let Some(preset) = &file.preset {
            policy.preset = Preset::parse(preset).ok_or(PolicyError::Value { field: "preset" })?;
        }
        // A signal that nothing gives could never be met: every completion would fall short of it.
        let known = |goal: &String| Signal::ALL.iter().any(|signal| signal.as_str() == goal);
        if !file.goal_signals.iter().all(known) {
            return Err(PolicyError::Value {
                field: "goal-signals",
            });
        }
        policy.goals = file.goal_signals;
        let classes = [
            (file.read_only_tools, Class::Read),
            (file.mutating_tools, Class::Mutate),
            (file.neutral_tools, Class::Neutral),
        ];
        for (names, class) in classes {
            policy
                .tools
                .extend(names.into_iter().map(|name| (name, class)));
        }
        let runners = file.runners;
        let kinds = [
            (runners.test, Verify::Test),
            (runners.build, Verify::Build),
            (runners.lint, Verify::Lint),
            (runners.typecheck, Verify::Typecheck),
            (runners.format, Verify::Format),
            (runners.run, Verify::Run),
        ];
        for (commands, kind) in kinds {
            policy
                .runners
                .extend(commands.into_iter().map(|command| (command, kind)));
        }
        policy.scratch = file.scratch_paths;
        policy.repeatable = file.novelty_exempt_tools;
        policy.normalizers = file.normalizers;
        policy.extractors = file.extractors;
        policy.refuse_empty()?;
        Ok(policy)
    }

    /// An empty text would stand for everything.
    fn refuse_empty(&self) -> Result<(), PolicyError> {
        let fields = [
            (
                "scratch-paths",
                self.scratch
                    .iter()
                    .any(|root| root.trim_matches('/').is_empty()),
            ),
            (
                "runners",
                self.runners
                    .iter()
                    .any(|(command, _)| command.trim().is_empty()),
            ),
            (
                "normalizers",
                self.normalizers.values().flatten().any(String::is_empty),
            ),
        ];
        match fields.into_iter().find(|(_, empty)| *empty) {
            Some((field, _)) => Err(PolicyError::Value { field }),
            None => Ok(()),
        }
    }

    /// Lets some guards stand only: for a run of controls and for nothing else.
    pub(crate) fn with_guards(mut self, guards: Standing) -> Self {
        self.guards = guards;
        self
    }

    /// Reads a turn's steps as the policy says.
    pub fn apply(&self, turn: &mut Turn) {
        if self.says_nothing() {
            return;
        }
        for step in &mut turn.steps {
            step.repeatable = self.repeatable.contains(&step.tool);
            if let Some(noise) = self.normalizers.get(&step.tool) {
                let noisy = |line: &str| noise.iter().any(|mark| line.contains(mark.as_str()));
                step.text.retain_lines(|line| !noisy(line));
            }
            if let Some(keys) = self.extractors.get(&step.tool) {
                let touched = values_of(&step.args, keys);
                for act in &mut step.acts {
                    act.reads.clone_from(&touched);
                }
            }
            if let Some((_, class)) = self.tools.iter().find(|(name, _)| *name == step.tool) {
                step.neutral = *class == Class::Neutral;
                for act in &mut step.acts {
                    act.effect = match class {
                        Class::Read => Effect::Read,
                        Class::Mutate => Effect::Mutate,
                        Class::Neutral => Effect::None,
                    };
                    act.domain = Some(Domain::Workspace);
                }
            }
            for act in &mut step.acts {
                self.apply_to_act(act);
            }
        }
    }

    /// Runs the rules that are named, by their ids or their families, and no others. The gate
    /// always runs: a turn's row holds its answer.
    pub fn select(&mut self, names: &[String]) {
        self.named = names.to_vec();
        let runs = |family: &str| {
            let mut rules = RULES.iter().filter(|rule| rule.family == family);
            rules.any(|rule| self.tells(rule.id))
        };
        (self.claims, self.integrity) = (runs("claim"), runs("integrity"));
    }

    /// Whether a rule's answers are wanted.
    #[must_use]
    pub fn tells(&self, id: &str) -> bool {
        let named = |rule: &RuleInfo| {
            let own = |name: &String| *name == rule.id || *name == rule.family;
            self.named.iter().any(own)
        };
        let mut rules = RULES.iter().filter(|rule| rule.id == id);
        self.named.is_empty() || rules.any(named)
    }

    fn says_nothing(&self) -> bool {
        self.tools.is_empty()
            && self.runners.is_empty()
            && self.scratch.is_empty()
            && self.repeatable.is_empty()
            && self.normalizers.is_empty()
            && self.extractors.is_empty()
    }

    fn apply_to_act(&self, act: &mut Act) {
        let runner = self.runners.iter().find(|(command, _)| {
            act.words
                .strip_prefix(command.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        });
        if let Some((_, kind)) = runner {
            act.verify = Some(*kind);
            act.effect = Effect::Read;
            act.domain = Some(Domain::Workspace);
        }
        let scratch = |path: &String| self.scratch.iter().any(|root| lies_under(path, root));
        if act.changes_work() && !act.writes.is_empty() && act.writes.iter().all(scratch) {
            act.domain = Some(Domain::Scratch);
        }
    }
}

/// The texts that some arguments of a call hold, in the order of the keys.
fn values_of(args: &str, keys: &[String]) -> Vec<String> {
    let Ok(Value::Object(args)) = serde_json::from_str::<Value>(args) else {
        return Vec::new();
    };
    let values = keys.iter().filter_map(|key| args.get(key)?.as_str());
    values.map(str::to_owned).collect()
}

/// Whether a path lies in a folder, or is it: an absolute one from its beginning, another one
/// anywhere, and never in a folder whose name merely begins alike.
fn lies_under(path: &str, root: &str) -> bool {
    let root = root.trim_end_matches('/');
    path.match_indices(root).any(|(at, _)| {
        let begins = at == 0 || (!root.starts_with('/') && path.as_bytes()[at - 1] == b'/');
        let rest = &path[at + root.len()..];
        begins && (rest.is_empty() || rest.starts_with('/'))
    })
}

/// The name of the key that the parser does not know.
fn unknown_key(message: &str) -> Option<String> {
    let rest = message.strip_prefix("unknown field `")?;
    let name = &rest[..rest.find('`')?];
    let plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    Some(name.chars().filter(plain).take(40).collect())
}

fn line_of(text: &str, offset: usize) -> usize {
    text.bytes()
        .take(offset)
        .filter(|byte| *byte == b'\n')
        .count()
        + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_keys_and_words_are_refused_by_place() {
        let unknown = Policy::parse("preset = \"skipper\"\ntypo = 1\n").unwrap_err();
        assert_eq!(
            unknown.to_string(),
            "E_POLICY line=2 field=typo kind=unknown-key"
        );
        let word = Policy::parse("profile = \"gg-9\"\n").unwrap_err();
        assert_eq!(
            word.to_string(),
            "E_POLICY field=profile kind=unknown-value"
        );
        assert_eq!(
            Policy::parse("preset = \"skipper\"").unwrap().preset,
            Preset::Skipper
        );
        for (empty, field) in [
            ("scratch-paths = [\"/\"]", "scratch-paths"),
            ("[runners]\ntest = [\" \"]", "runners"),
        ] {
            assert_eq!(
                Policy::parse(empty).unwrap_err(),
                PolicyError::Value { field }
            );
        }
    }

    #[test]
    fn rules_are_run_by_id_and_by_family() {
        let runs = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            let mut policy = Policy::default();
            policy.select(&names);
            (
                policy.claims,
                policy.integrity,
                policy.tells("test-deleted"),
            )
        };
        let usual = Policy::default();
        assert!(usual.claims && usual.integrity && usual.tells("test-deleted"));
        assert_eq!(runs(&["gate"]), (false, false, false));
        assert_eq!(runs(&["claim", "test-deleted"]), (true, true, true));
        assert_eq!(runs(&["hook-bypassed"]), (false, true, false));
        assert_eq!(runs(&["integrity"]), (false, true, true));
    }

    #[test]
    fn a_scratch_folder_is_a_whole_folder() {
        assert!(lies_under("/w/tmp/a", "/w/tmp/"));
        assert!(lies_under("/w/tmp/a", "tmp"));
        assert!(lies_under("/w/tmp", "tmp"));
        assert!(!lies_under("/w/tmpl/a", "tmp"));
        assert!(!lies_under("/w/tmpl/a", "/w/tmp"));
        assert!(!lies_under("/x/w/tmp/a", "/w/tmp"));
    }

    #[test]
    fn noise_is_left_out_and_named_arguments_are_what_is_touched() {
        let text = "novelty-exempt-tools = [\"t\"]\n[normalizers]\nt = [\"id:\"]\n[extractors]\nt = [\"page\"]\n";
        let policy = Policy::parse(text).unwrap();
        assert_eq!(policy.repeatable, ["t"]);
        let mut text = crate::turn::Kept::of("a\nid: 7\nb");
        text.retain_lines(|line| {
            !policy.normalizers["t"]
                .iter()
                .any(|mark| line.contains(mark))
        });
        assert_eq!((text.as_str(), text.is_cut()), ("a\nb", false));
        let touched = values_of("{\"page\":\"src/a.rs\",\"q\":1}", &policy.extractors["t"]);
        assert_eq!(touched, ["src/a.rs"]);
    }
}
