//! What notices a mutant: stages, the cheapest first.

use std::collections::{BTreeMap, BTreeSet};
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
/// Stages within the integration tests: a name, and what its tests' names begin with.
const PARTS: [(&str, &[&str]); 2] = [
    (
        "specs",
        &[
            "rule_spec",
            "control",
            "oracle_cases",
            "oracle_controls",
            "oracle_forms",
            "shell",
            "gate_",
            "claim_",
        ],
    ),
    ("golden", &["golden", "spec_golden", "edge"]),
];

/// How a run ended.
#[derive(Debug, PartialEq, Eq)]
enum Ended {
    /// With an exit status and this standard output.
    Said(Option<i32>, Vec<u8>),
    /// It had to be ended.
    Never,
}

/// One thing to run.
#[derive(Clone)]
struct Planned {
    name: String,
    stage: &'static str,
    program: PathBuf,
    arguments: Vec<String>,
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
    /// Runs everything once without a mutant.
    ///
    /// # Errors
    /// A program that cannot be run.
    pub(crate) fn new(folder: &Path, source: &Path, built: &Built, jobs: usize) -> Result<Self> {
        let runs = runs(built)?;
        let learned = each(jobs, &runs, |at, planned| {
            let trace = folder.join(format!("trace-{at}"));
            let known = learn(source, &trace, planned);
            std::fs::remove_dir_all(&trace)?;
            known
        });
        let mut stages = Self {
            source: source.to_path_buf(),
            known: Vec::new(),
            failing: Vec::new(),
        };
        for (known, planned) in learned.into_iter().zip(&runs) {
            match known? {
                Some(known) => stages.known.push(known),
                None => stages.failing.push(planned.name.clone()),
            }
        }
        stages
            .known
            .sort_by_key(|known| (known.planned.stage != "controls", known.took));
        Ok(stages)
    }

    /// How long all of it takes without a mutant, by stage.
    pub(crate) fn costs(&self) -> BTreeMap<&'static str, (usize, Duration)> {
        let mut costs: BTreeMap<&'static str, (usize, Duration)> = BTreeMap::new();
        for known in &self.known {
            let cost = costs.entry(known.planned.stage).or_default();
            cost.0 += 1;
            cost.1 += known.took;
        }
        costs
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
            if !same {
                let mut name = known.planned.name.clone();
                if ended == Ended::Never {
                    name.push_str(" (does not end)");
                }
                return Ok(Noticed::By(known.planned.stage.to_owned(), name));
            }
        }
        Ok(Noticed::Nobody(reached))
    }
}

/// Everything to run.
fn runs(built: &Built) -> Result<Vec<Planned>> {
    let program = |name: &str, line: &str| Planned {
        name: name.to_owned(),
        stage: "controls",
        program: built.program.clone(),
        arguments: line.split(' ').map(str::to_owned).collect(),
    };
    let mut runs = vec![
        program("controls", "controls --format json"),
        program(
            "grade --demo",
            "grade --demo --format jsonl --rules gate,claim,integrity",
        ),
    ];
    for (program, unit) in [(&built.unit, true), (&built.it, false)] {
        for test in listed(program)? {
            let begins =
                |part: &&(&str, &[&str])| part.1.iter().any(|start| test.starts_with(start));
            let part = PARTS.iter().find(begins).map_or("other", |part| part.0);
            runs.push(Planned {
                stage: if unit { "unit" } else { part },
                program: program.clone(),
                arguments: vec!["--exact".to_owned(), "-q".to_owned(), test.clone()],
                name: test,
            });
        }
    }
    Ok(runs)
}

/// Runs something without a mutant; none where it fails even so.
fn learn(source: &Path, trace: &Path, planned: &Planned) -> Result<Option<Known>> {
    std::fs::create_dir_all(trace)?;
    let began = Instant::now();
    let traced = [("MUTANT_TRACE", trace.to_string_lossy().into_owned())];
    let ended = run(source, planned, &traced, Duration::from_secs(1800))?;
    let took = began.elapsed();
    let mut reached = BTreeSet::new();
    for entry in std::fs::read_dir(trace)? {
        reached.extend(entry?.file_name().to_string_lossy().parse::<usize>());
    }
    Ok(match ended {
        Ended::Said(status, said) if status == Some(0) || planned.stage == "controls" => {
            Some(Known {
                planned: planned.clone(),
                said: (planned.stage == "controls").then_some(said),
                status,
                took,
                reached,
            })
        }
        _ => None,
    })
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
    fn results_keep_the_order_of_their_items() {
        let items: Vec<usize> = (0..100).collect();
        let doubled = each(4, &items, |at, item| at + item);
        assert_eq!(doubled, (0..100).map(|n| 2 * n).collect::<Vec<_>>());
    }
}
