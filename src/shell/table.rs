//! The one table of programs and runners: what each call does, on what, and which verification it runs.
//!
//! The rows stand in `programs.tsv`. A pattern is a list of terms that must all hold: `word` or `a|b`
//! is the next operand, `*` any further operand, `+` any that is not
//! used up, `.` no further operand, `-x|--long` one of these
//! options, `~x` the letter in a group of short options, and `!` in front forbids options. Options in
//! [`VALUED`] take the next word.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{Domain, Effect, Verify};

/// One row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// Program names, `|` between alternatives.
    pub program: &'static str,
    /// The pattern.
    pub args: &'static str,
    /// The answer.
    pub act: Act,
}

/// The answer of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// A fixed effect, domain and verification.
    Is(Effect, Option<Domain>, Option<Verify>),
    /// The remaining operands name tasks of the project, read by their names; without one it is a build.
    Task,
    /// The first remaining operand does; without one it is a listing.
    Script,
}

const ROWS: &str = include_str!("programs.tsv");

/// Every row, in order. A row that does not read is left out; a test holds that there is none.
pub fn rows() -> impl Iterator<Item = Rule> {
    ROWS.lines().filter_map(row)
}

fn row(line: &'static str) -> Option<Rule> {
    let mut columns = line.split('\t');
    let (program, args) = (columns.next()?, columns.next()?);
    let (effect, domain, verify) = (columns.next()?, columns.next()?, columns.next()?);
    let domain = match domain {
        "workspace" => Some(Domain::Workspace),
        "repo" => Some(Domain::Repo),
        "scratch" => Some(Domain::Scratch),
        "environment" => Some(Domain::Environment),
        "remote" => Some(Domain::Remote),
        "-" => None,
        _ => return None,
    };
    let verify = match verify {
        "test" => Some(Verify::Test),
        "build" => Some(Verify::Build),
        "lint" => Some(Verify::Lint),
        "typecheck" => Some(Verify::Typecheck),
        "format" => Some(Verify::Format),
        "run" => Some(Verify::Run),
        "-" => None,
        _ => return None,
    };
    let act = match effect {
        "none" => Act::Is(Effect::None, domain, verify),
        "read" => Act::Is(Effect::Read, domain, verify),
        "unknown" => Act::Is(Effect::Unknown, domain, verify),
        "mutate" => Act::Is(Effect::Mutate, domain, verify),
        "task" => Act::Task,
        "script" => Act::Script,
        _ => return None,
    };
    Some(Rule { program, args, act })
}

/// Options that take the next word as their value, by program: what stands before a sub-command.
pub const VALUED: &[(&str, &str)] = &[
    ("git", "-C -c --git-dir --work-tree --namespace --exec-path"),
    (
        "cargo",
        "--config -C -Z --manifest-path --color --target-dir -p --package --features --target --profile --bin --example --test -j --jobs -F",
    ),
    ("npm", "--prefix -w --workspace -C --loglevel --registry"),
    ("pnpm", "--filter -F -C --dir --prefix --reporter"),
    ("yarn", "--cwd"),
    ("bun", "--cwd --filter --config"),
    (
        "make|gmake|bmake",
        "-C -f -I -j -l -o --directory --file --jobs",
    ),
    ("ninja", "-C -f -j"),
    ("just", "-f -d --justfile --working-directory --set"),
    ("task|go-task", "-d -t --dir --taskfile"),
    ("mise|rtx", "-C --cd -j --jobs -E --env"),
    ("go", "-C"),
    (
        "docker|podman|nerdctl",
        "-H -c --host --context --config -l --log-level -f --file -p --project-name --profile --env-file --project-directory",
    ),
    (
        "docker-compose|podman-compose",
        "-f --file -p --project-name --profile --env-file --project-directory",
    ),
    (
        "kubectl|oc|k",
        "-n --namespace --context --kubeconfig --cluster --user -l --selector -o --output -f --filename",
    ),
    ("helm", "-n --namespace --kube-context --kubeconfig"),
    ("gh|glab", "-R --repo --hostname"),
    ("aws", "--profile --region --output --endpoint-url"),
    (
        "gcloud",
        "--project --zone --region --format --configuration",
    ),
    (
        "uv",
        "--directory --project --python -p --color --config-file --cache-dir",
    ),
    ("poetry", "-C --directory -P --project"),
    ("pdm", "-p --project"),
    ("hatch", "-e --env -p --project"),
    ("mvn|mvnw|./mvnw", "-f --file -pl --projects -P -s -T -rf"),
    (
        "gradle|gradlew|./gradlew",
        "-p -b -c -g -I --project-dir --tests -x --exclude-task",
    ),
    ("dotnet", "-c -f -o -v --configuration"),
    (
        "xcodebuild",
        "-scheme -project -workspace -destination -configuration -sdk -derivedDataPath -resultBundlePath -target -arch",
    ),
    (
        "swift",
        "--package-path --build-path --scratch-path --filter -c",
    ),
    ("cmake", "-S -B -G -D -C"),
    ("bazel|bazelisk", "--config --output_base"),
    ("python", "-W -X"),
    ("node", "-r --require --import --loader --env-file"),
    (
        "turbo|nx",
        "--filter --projects -p --project -c --configuration",
    ),
    ("terraform|tofu", "-chdir"),
    ("deno", "-c --config"),
    ("rake", "-f -C"),
    ("wget", "-O -P -o --header --user-agent -U"),
    (
        "curl",
        "-o -H -d -X -u -w -A -e -b -c -m -T -F --output --header --data --request --user --max-time --connect-timeout --retry --form --upload-file --data-raw --data-binary --json --url-query --write-out",
    ),
];

static INDEX: LazyLock<HashMap<&'static str, Vec<Rule>>> = LazyLock::new(|| {
    let mut index: HashMap<&'static str, Vec<Rule>> = HashMap::new();
    for rule in rows() {
        for program in rule.program.split('|') {
            index.entry(program).or_default().push(rule);
        }
    }
    index
});

/// The rows of one program, in order.
pub(super) fn rules(program: &str) -> &'static [Rule] {
    INDEX.get(program).map_or(&[], Vec::as_slice)
}

/// Whether a word behind `poetry run` and the like names a program of the table rather than a task.
pub(super) fn is_tool(program: &str) -> bool {
    !matches!(
        program,
        "test" | "build" | "[" | "act" | "task" | "m" | "w" | "n"
    ) && !rules(super::classify::key(program)).is_empty()
}

/// A table by each of the names that its rows give with `|`; the first row of a name counts.
pub(super) fn by_name<T: Copy>(rows: &'static [(&'static str, T)]) -> HashMap<&'static str, T> {
    let mut index = HashMap::new();
    for (names, value) in rows {
        for name in names.split('|') {
            index.entry(name).or_insert(*value);
        }
    }
    index
}

static VALUED_BY_NAME: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| by_name(VALUED));

/// The options of a program that take a value.
pub(super) fn valued(program: &str) -> &'static str {
    VALUED_BY_NAME.get(program).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_comment_or_a_row() {
        for line in ROWS.lines().filter(|line| !line.starts_with('#')) {
            let rule = row(line).unwrap_or_else(|| panic!("{line:?}"));
            assert!(
                rule.program
                    .split('|')
                    .all(|name| !name.is_empty() && !name.contains(' ')),
                "{line:?}"
            );
            assert_eq!(line.split('\t').count(), 5, "{line:?}");
        }
    }

    #[test]
    fn no_program_repeats_a_pattern() {
        for (program, rules) in INDEX.iter() {
            for (at, rule) in rules.iter().enumerate() {
                assert!(
                    rules
                        .iter()
                        .skip(at + 1)
                        .all(|later| later.args != rule.args),
                    "{program} {:?}",
                    rule.args
                );
            }
        }
    }
}
