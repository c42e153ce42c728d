//! What is captured while an experiment goes on: declared beforehand, so that nobody chooses it by
//! its outcome.

use std::collections::{BTreeSet, HashSet};

use serde::Serialize;

use super::error::FieldError;
use super::fields::{At, Fields};

/// When something is captured: as the windows open, before and after an arm, as they close, and
/// after them.
pub const PHASES: [&str; 5] = ["w-open", "pre-arm", "post-arm", "w-close", "post-w"];
/// What a command runs under: the conditions that the bindings tell of its arm, or none.
pub const CONDITIONS: [&str; 2] = ["arm", "plain"];
/// Where a command runs: in a copy of the arm's tree, in an export of the commit that the tree was
/// at, or in an empty folder.
pub const PLACES: [&str; 3] = ["tree", "base", "empty"];
/// What of a command is kept as its output.
pub const OUTPUTS: [&str; 2] = ["stdout", "merged"];
/// The kinds of captures.
pub(super) const KINDS: [&str; 3] = ["command", "processes", "tree"];
/// The longest that a command may be given, in seconds.
const LONGEST: u32 = 86_400;
/// The most of an output that is kept, in bytes.
const MOST: u32 = 256 << 20;

/// Something that is captured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct CaptureSpec {
    /// Its id.
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::name"))]
    pub id: String,
    /// The phases in which it is captured.
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::phases"))]
    pub phases: Vec<&'static str>,
    /// What it is.
    #[serde(flatten)]
    pub what: Captured,
}

/// What is captured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Captured {
    /// What a command prints and how it ends.
    Command(CommandSpec),
    /// Which processes there are; after an arm, which have begun since the capture before it.
    Processes,
    /// How the arm's tree differs from the commit that it was at, or from the capture before.
    Tree {
        /// Files whose bytes are kept, by their paths in the tree.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "schema", schemars(default))]
        keep: Vec<String>,
    },
}

/// A command that is run, without a shell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CommandSpec {
    /// The program and its arguments.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub argv: Vec<String>,
    /// What it runs under: `arm`, `plain`, or one after the other.
    #[cfg_attr(
        feature = "schema",
        schemars(schema_with = "super::schema::conditions")
    )]
    pub conditions: Vec<&'static str>,
    /// Where it runs: `tree` is a copy of the arm's tree, `base` an export of the commit that the
    /// tree was at, `empty` an empty folder.
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::place"))]
    pub place: &'static str,
    /// What is kept as its output: `stdout`, or `merged` with what it says on standard error.
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::output"))]
    pub output: &'static str,
    /// After so many seconds it is ended, with all that it started.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = LONGEST)))]
    pub seconds: u32,
    /// So many bytes of its output are kept; the digest is that of all of it.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = MOST)))]
    pub bytes: u32,
    /// Whether the copy of the tree has a repository, without hooks and without its configuration.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "schema", schemars(default))]
    pub repository: bool,
    /// Variables of the operator's environment that it may see.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(default))]
    pub variables: Vec<String>,
    /// The name under which its output is a fact for keys, where it ends with 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fact: Option<String>,
}

impl CaptureSpec {
    /// Whether its command is to see the repository of a tree.
    #[must_use]
    pub fn sees_repository(&self) -> bool {
        match &self.what {
            Captured::Command(command) => command.repository && command.place == "tree",
            Captured::Processes | Captured::Tree { .. } => false,
        }
    }

    /// Whether it looks at an arm's tree.
    #[must_use]
    pub fn of_tree(&self) -> bool {
        match &self.what {
            Captured::Command(command) => {
                command.place != "empty" || command.conditions.contains(&"arm")
            }
            Captured::Processes => false,
            Captured::Tree { .. } => true,
        }
    }
}

/// Reads one entry of the table.
///
/// # Errors
/// The first field that is missing, unknown, or of the wrong shape.
pub(super) fn capture(at: &At<'_>) -> Result<CaptureSpec, FieldError> {
    let mut fields = at.table()?;
    let id = fields.need("id")?.name()?;
    let phases = words(&fields.need("phases")?, &PHASES)?;
    let what = match fields.need("kind")?.one_of(&KINDS)? {
        "command" => Captured::Command(command(&mut fields)?),
        "processes" => Captured::Processes,
        _ => Captured::Tree {
            keep: list(fields.may("keep").as_ref(), At::relative)?,
        },
    };
    fields.done()?;
    Ok(CaptureSpec { id, phases, what })
}

fn command(fields: &mut Fields<'_>) -> Result<CommandSpec, FieldError> {
    let argv = fields.need("argv")?;
    let mut words = Vec::new();
    for (index, at) in argv.some()?.iter().enumerate() {
        match at.text()? {
            text if text.contains('\0') || index == 0 && text.is_empty() => {
                return Err(at.fail("word"));
            }
            text => words.push(text.to_owned()),
        }
    }
    let place = fields.need("place")?.one_of(&PLACES)?;
    let repository = match fields.may("repository") {
        Some(at) if at.flag()? && place != "tree" => return Err(at.fail("no-tree")),
        Some(at) => at.flag()?,
        None => false,
    };
    Ok(CommandSpec {
        argv: words,
        conditions: self::words(&fields.need("conditions")?, &CONDITIONS)?,
        place,
        output: fields.need("output")?.one_of(&OUTPUTS)?,
        seconds: within(&fields.need("seconds")?, LONGEST)?,
        bytes: within(&fields.need("bytes")?, MOST)?,
        repository,
        variables: list(fields.may("variables").as_ref(), variable)?,
        fact: fields.may("fact").map(|at| at.name()).transpose()?,
    })
}

fn within(at: &At<'_>, most: u32) -> Result<u32, FieldError> {
    match at.count(1)? {
        count if count > most => Err(at.fail("range")),
        count => Ok(count),
    }
}

/// Some of some words, each once.
fn words(at: &At<'_>, known: &[&'static str]) -> Result<Vec<&'static str>, FieldError> {
    let mut seen = Vec::new();
    for at in at.some()? {
        let word = at.one_of(known)?;
        if seen.contains(&word) {
            return Err(at.fail("duplicate"));
        }
        seen.push(word);
    }
    Ok(seen)
}

fn list<'n>(
    at: Option<&At<'n>>,
    read: impl Fn(&At<'n>) -> Result<String, FieldError>,
) -> Result<Vec<String>, FieldError> {
    let Some(at) = at else {
        return Ok(Vec::new());
    };
    at.list()?.iter().map(read).collect()
}

/// The name of a variable that a command may see.
///
/// # Errors
/// `kind=name`, or `kind=secret` for one whose name says that it is a secret.
pub fn variable(at: &At<'_>) -> Result<String, FieldError> {
    let name = at.text()?;
    if !is_variable(name) {
        return Err(at.fail("name"));
    }
    if is_secret(name) {
        return Err(at.fail("secret"));
    }
    Ok(name.to_owned())
}

/// Whether a text can name a variable.
fn is_variable(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_ascii_digit())
        && (1..=128).contains(&name.len())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// Words that stand in the name of a secret, wherever they do.
const SECRET_PARTS: [&str; 15] = [
    "TOKEN",
    "SECRET",
    "PASSW",
    "PASSPHRASE",
    "CREDENTIAL",
    "APIKEY",
    "COOKIE",
    "BEARER",
    "PRIVATE",
    "NETRC",
    "ACCESSKEY",
    "SIGNATURE",
    "KUBECONFIG",
    "HTPASS",
    "WEBHOOK",
];
/// Words that name a secret where they stand alone between underscores.
const SECRET_WORDS: [&str; 15] = [
    "KEY", "KEYS", "AUTH", "PASS", "PWD", "PW", "PAT", "DSN", "JWT", "SESSION", "OAUTH", "CERT",
    "SALT", "SSH", "GPG",
];

/// Whether a variable's name says that it is a secret. Such a one is passed on to no command, even
/// where it is asked for.
#[must_use]
pub fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    SECRET_PARTS.iter().any(|part| name.contains(part))
        || name.split('_').any(|word| SECRET_WORDS.contains(&word))
}

/// Looks whether ids and facts are told apart.
///
/// # Errors
/// The first that is not.
pub(super) fn validate(captures: &[CaptureSpec], arms: bool) -> Result<(), FieldError> {
    let mut ids = BTreeSet::new();
    let mut facts = BTreeSet::new();
    let mut once = HashSet::new();
    for (index, capture) in captures.iter().enumerate() {
        let field = |name: &str| format!("captures.{index}.{name}");
        if !ids.insert(&capture.id) {
            return Err(FieldError::new(field("id"), "duplicate"));
        }
        if capture.of_tree() && !arms {
            return Err(FieldError::new(field("kind"), "no-arm"));
        }
        let Captured::Command(command) = &capture.what else {
            // There is one list of processes in a phase, and one look at the tree.
            let kind = std::mem::discriminant(&capture.what);
            if capture.phases.iter().any(|at| !once.insert((*at, kind))) {
                return Err(FieldError::new(field("kind"), "duplicate"));
            }
            continue;
        };
        if let Some(fact) = &command.fact {
            let told_twice = capture.phases.iter().any(|at| !facts.insert((fact, *at)));
            if told_twice || command.conditions.len() != 1 {
                return Err(FieldError::new(field("fact"), "ambiguous"));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets_are_told_from_others() {
        for name in [
            "RUN_TOKEN",
            "GITHUB_TOKEN",
            "AWS_SECRET_ACCESS_KEY",
            "OPENAI_API_KEY",
            "apikey",
            "PGPASSWORD",
            "MY_PASS",
            "DB_DSN",
            "SSH_AUTH_SOCK",
            "npm_config__auth",
            "SENTRY_DSN",
            "SESSION",
            "MYSQL_PWD",
        ] {
            assert!(is_secret(name), "{name}");
        }
        for name in [
            "PATH",
            "NODE_PATH",
            "JAVA_HOME",
            "CARGO_HOME",
            "LANG",
            "TZ",
            "PYTHONUSERBASE",
            "KEYBOARD",
            "AUTHOR",
            "COMPASS",
            "GOPATH",
        ] {
            assert!(!is_secret(name), "{name}");
        }
    }

    fn read(more: &str) -> Result<Vec<CaptureSpec>, String> {
        let text = format!("[[captures]]\n{more}");
        let node = super::super::node::Node::parse(&text).unwrap();
        let mut root = At::root(&node).table().unwrap();
        let list = root.need("captures").unwrap().list().unwrap();
        let all: Result<Vec<_>, _> = list.iter().map(capture).collect();
        let all = all.and_then(|all| validate(&all, true).map(|()| all));
        all.map_err(|error| error.to_string())
    }

    const SUITE: &str = r#"
id = "suite"
kind = "command"
phases = ["pre-arm", "post-arm"]
argv = ["python3", "-m", "tides.suite"]
conditions = ["arm", "plain"]
place = "tree"
output = "merged"
seconds = 60
bytes = 65536
"#;

    /// What stands in the suite, what in its place is refused, and how.
    const REFUSED: [(&str, &str, &str); 13] = [
        (
            "argv = [\"python3\", \"-m\", \"tides.suite\"]",
            "argv = []",
            "captures.0.argv line=6 kind=empty",
        ),
        (
            "argv = [\"python3\", \"-m\", \"tides.suite\"]",
            "argv = \"python3 -m x\"",
            "captures.0.argv line=6 kind=type",
        ),
        (
            "\"python3\", \"-m\"",
            "\"\", \"-m\"",
            "captures.0.argv.0 line=6 kind=word",
        ),
        (
            "[\"arm\", \"plain\"]",
            "[\"arm\", \"arm\"]",
            "captures.0.conditions.1 line=7 kind=duplicate",
        ),
        (
            "\"post-arm\"]",
            "\"later\"]",
            "captures.0.phases.1 line=5 kind=unknown-value",
        ),
        (
            "place = \"tree\"",
            "place = \"here\"",
            "captures.0.place line=8 kind=unknown-value",
        ),
        (
            "seconds = 60",
            "seconds = 0",
            "captures.0.seconds line=10 kind=range",
        ),
        (
            "seconds = 60",
            "seconds = 90000",
            "captures.0.seconds line=10 kind=range",
        ),
        (
            "bytes = 65536",
            "bytes = 65536\nshell = true",
            "captures.0.shell line=12 kind=unknown-field",
        ),
        (
            "bytes = 65536",
            "bytes = 1\nvariables = [\"RUN_TOKEN\"]",
            "captures.0.variables.0 line=12 kind=secret",
        ),
        (
            "bytes = 65536",
            "bytes = 1\nvariables = [\"A=B\"]",
            "captures.0.variables.0 line=12 kind=name",
        ),
        (
            "place = \"tree\"",
            "place = \"empty\"\nrepository = true",
            "captures.0.repository line=9 kind=no-tree",
        ),
        (
            "output = \"merged\"\n",
            "",
            "captures.0.output line=1 kind=missing",
        ),
    ];

    #[test]
    fn a_command_is_read_and_each_field_is_closed() {
        let all = read(SUITE).unwrap();
        assert!(all[0].of_tree());
        for (from, to, wanted) in REFUSED {
            assert!(SUITE.contains(from), "{from}");
            assert_eq!(
                read(&SUITE.replace(from, to)).unwrap_err(),
                format!("field={wanted}"),
                "{to}"
            );
        }
    }

    #[test]
    fn ids_and_facts_are_told_apart() {
        let fact = format!("{SUITE}fact = \"retention\"\n");
        assert_eq!(
            read(&fact).unwrap_err(),
            "field=captures.0.fact kind=ambiguous"
        );
        let fact = fact.replace("[\"arm\", \"plain\"]", "[\"plain\"]");
        assert!(read(&fact).is_ok());
        let both = format!(
            "{fact}[[captures]]\n{}",
            fact.replace("\"suite\"", "\"other\"")
        );
        assert_eq!(
            read(&both).unwrap_err(),
            "field=captures.1.fact kind=ambiguous"
        );
        let both = format!("{SUITE}[[captures]]\n{SUITE}");
        assert_eq!(
            read(&both).unwrap_err(),
            "field=captures.1.id kind=duplicate"
        );
        let who = "id = \"who\"\nkind = \"processes\"\nphases = [\"w-open\", \"post-arm\"]\n";
        let more = who.replace("who", "more");
        let twice = format!("{who}[[captures]]\n{more}");
        assert_eq!(
            read(&twice).unwrap_err(),
            "field=captures.1.kind kind=duplicate"
        );
        let apart = more.replace("[\"w-open\", \"post-arm\"]", "[\"pre-arm\"]");
        assert!(read(&format!("{who}[[captures]]\n{apart}")).is_ok());
        let all = read(SUITE).unwrap();
        let error = validate(&all, false).unwrap_err();
        assert_eq!(error.to_string(), "field=captures.0.kind kind=no-arm");
    }
}
