//! Mutants of the rule modules: a seeded sample, built into one program behind a switch, and who
//! notices each. A build for each mutant would take hours where this takes minutes.

mod build;
mod find;
mod rewrite;
mod stage;
mod table;
mod value;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use sha2::{Digest as _, Sha256};

use find::Mutant;
use stage::{Noticed, Stages};
use table::Word;

/// The modules that mutants are made of.
const FOLDERS: [&str; 4] = ["oracle", "rule", "shell", "text"];
/// How many more candidates are tried than are wanted: about one in five does not compile.
const SPARE: usize = 3;

/// What is asked for.
pub(crate) struct Options {
    seed: u64,
    sample: usize,
    folder: PathBuf,
    only: Option<String>,
    list: bool,
    jobs: usize,
    again: bool,
    rest: bool,
    until: Option<String>,
    minutes: u64,
}

impl Options {
    /// Reads `--seed N --sample N --folder DIR --only WORD --jobs N
    /// --until STAGE --minutes N --list --again --rest`.
    ///
    /// # Errors
    /// A flag that is none, or has no fitting value.
    pub(crate) fn read(root: &Path, words: &[&str]) -> Result<Self> {
        let mut options = Self {
            seed: 1,
            sample: 200,
            folder: root.join("target/mutants"),
            only: None,
            list: false,
            jobs: 1,
            again: false,
            rest: false,
            until: None,
            minutes: 24 * 60,
        };
        let mut words = words.iter();
        while let Some(flag) = words.next() {
            match *flag {
                "--list" => options.list = true,
                "--again" => options.again = true,
                "--rest" => options.rest = true,
                _ => {}
            }
            if ["--list", "--again", "--rest"].contains(flag) {
                continue;
            }
            let value = words.next().with_context(|| format!("{flag}: no value"))?;
            match *flag {
                "--seed" => options.seed = value.parse()?,
                "--sample" => options.sample = value.parse()?,
                "--folder" => options.folder = PathBuf::from(value),
                "--jobs" => options.jobs = value.parse()?,
                "--until" => options.until = Some((*value).to_owned()),
                "--minutes" => options.minutes = value.parse()?,
                "--only" => options.only = Some((*value).to_owned()),
                _ => bail!("{flag}: no such flag"),
            }
        }
        Ok(options)
    }
}

/// Makes the sample, builds it, and says who notices what.
///
/// # Errors
/// A build that fails for another reason than a mutant, or a file that cannot be written.
pub(crate) fn run(root: &Path, options: &Options) -> Result<String> {
    let all = find::mutants(root, &FOLDERS)?;
    let places = all.len();
    let mut candidates = ordered(all, options.seed);
    candidates.truncate(options.sample * SPARE / 2);
    if options.list {
        let lines = candidates.iter().map(|mutant| {
            format!(
                "{}:{} {}: {}",
                mutant.file, mutant.line, mutant.function, mutant.change
            )
        });
        return Ok(lines.collect::<Vec<_>>().join("\n"));
    }
    let committed = root.join("calibration/mutants.toml");
    let (words, earlier) = table::words(&committed)?;
    std::fs::create_dir_all(&options.folder)?;
    let copy = build::copy(root, &options.folder, &candidates)?;
    let chosen: Vec<usize> = (0..candidates.len())
        .filter(|at| !copy.dropped.contains(at))
        .take(options.sample)
        .collect();
    let built = build::build(&options.folder, &copy.folder)?;
    eprintln!("mutants: built; now once without any");
    let until = options.until.as_deref();
    let stages = Stages::new(&options.folder, &copy.folder, &built, until)?;
    eprintln!("mutants: fail without any: {}", stages.failing.join(", "));
    // What nobody noticed was asked by the earlier stages, too.
    let mut asked = if options.again || options.rest {
        earlier
    } else {
        Vec::new()
    };
    for stage in stages.names() {
        if !asked.iter().any(|own| own == stage) {
            asked.push(stage.to_owned());
        }
    }
    let mut sample = noticed(options, &stages, &candidates, &chosen, &words)?;
    sample.sort_by_key(|(mutant, _)| (&mutant.file, mutant.line, mutant.key()));
    // Whatever stands behind the last chosen one was only tried so that enough would compile.
    let keys: BTreeSet<String> = sample.iter().map(|(mutant, _)| mutant.key()).collect();
    let is_asked = |at: &&usize| keys.contains(&candidates[**at].key());
    let last = chosen.iter().rfind(is_asked).copied().unwrap_or(0);
    let before = copy.dropped.iter().filter(|at| **at < last);
    let mut dropped: Vec<&Mutant> = before.map(|at| &candidates[*at]).collect();
    dropped.sort_by_key(|mutant| (&mutant.file, mutant.line, mutant.key()));
    let survives = |(_, noticed): &&(&Mutant, Noticed)| matches!(noticed, Noticed::Nobody(_));
    let survivors = sample.iter().filter(survives).count();
    let said = format!("{} mutants, {survivors} that nobody notices", sample.len());
    let run = table::Run {
        seed: options.seed,
        stages: asked,
        places,
        sample,
        dropped,
    };
    let target = match options.only {
        Some(_) => options.folder.join("mutants.toml"),
        None => committed,
    };
    std::fs::write(&target, table::table(&run, &words))?;
    std::fs::write(target.with_extension("md"), table::page(&run, &words))?;
    Ok(said)
}

/// Who notices each of the chosen mutants; of those that are settled, the committed table says so.
fn noticed<'a>(
    options: &Options,
    stages: &Stages,
    candidates: &'a [Mutant],
    chosen: &[usize],
    words: &BTreeMap<String, Word>,
) -> Result<Vec<(&'a Mutant, Noticed)>> {
    let wanted = |at: &usize| {
        let key = candidates[*at].key();
        let only = options.only.as_ref();
        only.is_none_or(|word| key.contains(word.as_str()))
    };
    let asked: Vec<usize> = chosen.iter().copied().filter(wanted).collect();
    let total = asked.len();
    let began = Instant::now();
    let found = stage::each(options.jobs, &asked, |count, at| {
        let mutant = &candidates[*at];
        if options.again || options.rest {
            let word = words.get(&mutant.key());
            if let Some(settled) = word.and_then(Word::noticed) {
                return Ok(Some(settled));
            }
            // What is not in the table was not asked then.
            if word.is_none() && !options.rest {
                return Ok(None);
            }
        }
        if began.elapsed().as_secs() / 60 >= options.minutes {
            return Ok(None);
        }
        let noticed = stages.notice(at + 1);
        let place = format!("{}:{} {}", mutant.file, mutant.line, mutant.function);
        let change = &mutant.change;
        eprintln!("{}/{total} {place}: {change} — {noticed:?}", count + 1);
        noticed.map(Some)
    });
    let mut sample = Vec::new();
    for (at, noticed) in asked.iter().zip(found) {
        sample.extend(noticed?.map(|noticed| (&candidates[*at], noticed)));
    }
    Ok(sample)
}

/// The mutants in an order that the seed decides, and that stays the same for those which a change
/// of the source leaves alone.
fn ordered(mut all: Vec<Mutant>, seed: u64) -> Vec<Mutant> {
    let place = |mutant: &Mutant| {
        let mut hash = Sha256::new();
        hash.update(format!("{seed} {}", mutant.key()).as_bytes());
        <[u8; 32]>::from(hash.finalize())
    };
    all.sort_by_cached_key(place);
    all
}
