//! What notices a mutant: stages, the cheapest first.

use std::collections::BTreeSet;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

use super::build::Built;

/// Address space of a run in KiB; a mutant may well ask for more without end.
const MEMORY: &str = "ulimit -v 8000000; exec \"$0\" \"$@\"";
/// How many times as long as without a mutant a run may take.
const PATIENCE: u32 = 10;
/// What every run may take.
const LEAST: Duration = Duration::from_secs(20);
/// The stages, the cheapest first, each with how the names of its unit tests and of its integration
/// tests begin. A test belongs to the first stage that fits.
const STAGES: [(&str, &[&str], &[&str]); 5] = [
    ("specs", &[], &["rule_spec::"]),
    ("unit", &["rule::", "shell::", "text::"], &[]),
    (
        "cases",
        &["oracle::"],
        &["claim_", "control::", "gate_exact::", "oracle_", "shell::"],
    ),
    ("golden", &[], &["edge::", "golden", "spec_golden::"]),
    ("other", &[""], &[""]),
];
/// Tests that take longer than everything else together belong to the last stage.
const SLOW: [&str; 6] = [
    "hostile",
    "slow",
    "::any_",
    "classes_are_pythons",
    "each_guard_flips",
    "oracle_guards::",
];
/// The stage of the program's own controls and its demo.
const CONTROLS: &str = "controls";

/// How a run ended.
#[derive(Debug, PartialEq, Eq)]
enum Ended {
    /// With an exit status and this standard output.
    Said(Option<i32>, Vec<u8>),
    /// It had to be ended.
    Never,
}

/// One thing to run: the program, or some tests together.
#[derive(Clone)]
struct Planned {
    name: String,
    stage: &'static str,
    program: PathBuf,
    arguments: Vec<String>,
    tests: Vec<String>,
}

/// One thing to run, with what it did without any mutant.
struct Known {
    planned: Planned,
    /// Standard output, where that must stay the same.
    said: Option<Vec<u8>>,
    status: Option<i32>,
    took: Duration,
    reached: BTreeSet<usize>,
}

/// Everything that may notice a mutant.
pub(crate) struct Stages {
    source: PathBuf,
    known: Vec<Known>,
    /// Tests that fail without any mutant, which can notice nothing.
    pub(crate) failing: Vec<String>,
}

/// Who noticed a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Noticed {
    /// A stage, and in it a test.
    By(String, String),
    /// Nobody, though these many runs reached its place.
    Nobody(usize),
}

impl Stages {
    /// Runs everything once without a mutant, up to a stage or all of it.
    ///
    /// # Errors
    /// A program that cannot be run, or that does not end.
    pub(crate) fn new(
        folder: &Path,
        source: &Path,
        built: &Built,
        until: Option<&str>,
    ) -> Result<Self> {
        let mut stages = Self {
            source: source.to_path_buf(),
            known: Vec::new(),
            failing: Vec::new(),
        };
        for mut planned in runs(built, until)? {
            let mut known = learn(folder, source, &planned)?;
            let failing = known.said.as_deref().map(failed).unwrap_or_default();
            if planned.stage != CONTROLS && known.status != Some(0) {
                planned.tests.retain(|test| !failing.contains(test));
                stages.failing.extend(failing);
                known = learn(folder, source, &planned)?;
                if known.status != Some(0) {
                    bail!("{}: fails without a mutant", planned.name);
                }
            }
            if planned.stage != CONTROLS {
                known.said = None;
            }
            let (name, took) = (&planned.name, known.took.as_millis());
            eprintln!(
                "mutants: {name}: {} tests, {took} ms, {} mutants reached",
                planned.tests.len(),
                known.reached.len()
            );
            stages.known.push(known);
        }
        Ok(stages)
    }

    /// The stages that are asked.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        let mut names: Vec<&str> = self.known.iter().map(|known| known.planned.stage).collect();
        names.dedup();
        names
    }

    /// Who notices mutant `number` first.
    ///
    /// # Errors
    /// A program that cannot be run.
    pub(crate) fn notice(&self, number: usize) -> Result<Noticed> {
        let mut reached = 0;
        for known in self
            .known
            .iter()
            .filter(|known| known.reached.contains(&number))
        {
            reached += 1;
            let limit = LEAST + known.took * PATIENCE;
            let switch = [("MUTANT", number.to_string())];
            let ended = run(&self.source, &known.planned, &switch, limit)?;
            let same = match &ended {
                Ended::Never => false,
                Ended::Said(status, said) => {
                    *status == known.status && known.said.as_ref().is_none_or(|own| own == said)
                }
            };
            if same {
                continue;
            }
            let name = &known.planned.name;
            let by = match &ended {
                Ended::Never => format!("{name} (does not end)"),
                Ended::Said(_, said) => {
                    let first = failed(said).into_iter().next();
                    first.unwrap_or_else(|| name.clone())
                }
            };
            return Ok(Noticed::By(known.planned.stage.to_owned(), by));
        }
        Ok(Noticed::Nobody(reached))
    }
}

/// Everything to run, up to a stage.
fn runs(built: &Built, until: Option<&str>) -> Result<Vec<Planned>> {
    let program = |name: &str, line: &str| Planned {
        name: name.to_owned(),
        stage: CONTROLS,
        program: built.program.clone(),
        arguments: line.split(' ').map(str::to_owned).collect(),
        tests: Vec::new(),
    };
    let mut runs = vec![
        program("controls", "controls --format json"),
        program(
            "grade --demo",
            "grade --demo --format jsonl --rules gate,claim,integrity",
        ),
    ];
    let (mut unit, mut it) = (listed(&built.unit)?, listed(&built.it)?);
    for (stage, of_unit, of_it) in STAGES {
        if until.is_some_and(|until| runs.iter().any(|run| run.stage == until)) {
            break;
        }
        let own = |test: &String, begins: &[&str]| {
            let slow = stage != "other" && SLOW.iter().any(|word| test.contains(word));
            !slow && begins.iter().any(|start| test.starts_with(start))
        };
        let mut add = |program: &Path, tests: Vec<String>, kind: &str| {
            if !tests.is_empty() {
                runs.push(Planned {
                    name: format!("{stage} ({kind})"),
                    stage,
                    program: program.to_path_buf(),
                    arguments: vec!["-q".to_owned(), "--exact".to_owned()],
                    tests,
                });
            }
        };
        let (mine, rest) = unit.into_iter().partition(|test| own(test, of_unit));
        unit = rest;
        add(&built.unit, mine, "unit tests");
        let (mine, rest) = it.into_iter().partition(|test| own(test, of_it));
        it = rest;
        add(&built.it, mine, "integration tests");
    }
    Ok(runs)
}

/// Runs something without a mutant.
fn learn(folder: &Path, source: &Path, planned: &Planned) -> Result<Known> {
    let trace = folder.join("trace");
    if trace.exists() {
        std::fs::remove_dir_all(&trace)?;
    }
    std::fs::create_dir_all(&trace)?;
    let began = Instant::now();
    let traced = [("MUTANT_TRACE", trace.to_string_lossy().into_owned())];
    let ended = run(source, planned, &traced, Duration::from_secs(3600))?;
    let took = began.elapsed();
    let mut reached = BTreeSet::new();
    for entry in std::fs::read_dir(&trace)? {
        reached.extend(entry?.file_name().to_string_lossy().parse::<usize>());
    }
    let Ended::Said(status, said) = ended else {
        bail!("{}: does not end without a mutant", planned.name);
    };
    Ok(Known {
        planned: planned.clone(),
        said: Some(said),
        status,
        took,
        reached,
    })
}

/// The tests that a harness lists as failed.
fn failed(said: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(said);
    let Some((_, after)) = text.rsplit_once("\nfailures:\n") else {
        return Vec::new();
    };
    let lines = after
        .lines()
        .take_while(|line| !line.starts_with("test result"));
    let names = lines.map(str::trim).filter(|line| !line.is_empty());
    names.map(str::to_owned).collect()
}

/// Does something for each item in some threads; the results in the items' order.
pub(crate) fn each<T: Sync, R: Send>(
    jobs: usize,
    items: &[T],
    work: impl Fn(usize, &T) -> R + Sync,
) -> Vec<R> {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let done = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let Some(item) = items.get(at) else { return };
                    let result = work(at, item);
                    if let Ok(mut done) = done.lock() {
                        done.push((at, result));
                    }
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

fn listed(program: &Path) -> Result<Vec<String>> {
    let output = Command::new(program)
        .args(["--list", "--format=terse"])
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let names: Vec<String> = text
        .lines()
        .filter_map(|line| line.strip_suffix(": test"))
        .map(str::to_owned)
        .collect();
    if names.is_empty() {
        bail!("{}: no tests", program.display());
    }
    Ok(names)
}

/// Runs a program in a process group of its own, so that ending it ends what it started.
fn run(
    source: &Path,
    planned: &Planned,
    environment: &[(&str, String)],
    limit: Duration,
) -> Result<Ended> {
    let program = &planned.program;
    let mut child = Command::new("sh")
        .args(["-c", MEMORY])
        .arg(program)
        .args(&planned.arguments)
        .args(&planned.tests)
        .envs(environment.iter().map(|(name, value)| (name, value)))
        .env("INSTA_UPDATE", "no")
        .env("RUST_BACKTRACE", "0")
        .current_dir(source)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .with_context(|| program.display().to_string())?;
    let mut out = child.stdout.take().context("a pipe")?;
    let reader = std::thread::spawn(move || {
        let mut said = Vec::new();
        let _ = std::io::Read::read_to_end(&mut out, &mut said);
        said
    });
    let began = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if began.elapsed() > limit {
            let group = format!("-{}", child.id());
            Command::new("kill")
                .args(["-KILL", "--", &group])
                .status()?;
            child.wait()?;
            break None;
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let said = reader.join().unwrap_or_default();
    Ok(status.map_or(Ended::Never, |status| Ended::Said(status.code(), said)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(line: &str) -> Planned {
        Planned {
            name: String::new(),
            stage: "unit",
            program: PathBuf::from("/bin/sh"),
            arguments: vec!["-c".to_owned(), line.to_owned()],
            tests: Vec::new(),
        }
    }

    #[test]
    fn what_does_not_end_is_ended_with_what_it_started() {
        let began = Instant::now();
        let endless = shell("sleep 60 & sleep 60");
        let ended = run(Path::new("/"), &endless, &[], Duration::from_millis(200)).unwrap();
        assert_eq!(ended, Ended::Never);
        assert!(began.elapsed() < Duration::from_secs(30));
        let switch = [("MUTANT", "7".to_owned())];
        let ended = run(
            Path::new("/"),
            &shell("echo $MUTANT; exit 3"),
            &switch,
            LEAST,
        )
        .unwrap();
        assert_eq!(ended, Ended::Said(Some(3), b"7\n".to_vec()));
    }

    #[test]
    fn the_failed_tests_are_named() {
        let said = b"..\nfailures:\n\n---- a stdout ----\nno\n\nfailures:\n    x::a\n    x::b\n\ntest result: F";
        assert_eq!(failed(said), ["x::a", "x::b"]);
        assert!(failed(b"test result: ok").is_empty());
    }

    #[test]
    fn results_keep_the_order_of_their_items() {
        let items: Vec<usize> = (0..100).collect();
        let doubled = each(4, &items, |at, item| at + item);
        assert_eq!(doubled, (0..100).map(|n| 2 * n).collect::<Vec<_>>());
    }
}
