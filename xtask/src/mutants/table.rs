//! The table that is committed: what noticed each mutant, and what became of those that nobody did.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde::Deserialize;

use super::find::Mutant;
use super::stage::Noticed;
use crate::toml::string;

/// What was found out in one run.
pub(crate) struct Run<'a> {
    /// What the sample was drawn by.
    pub(crate) seed: u64,
    /// The stages that were asked.
    pub(crate) stages: Vec<String>,
    /// How many places there are in all.
    pub(crate) places: usize,
    /// Each mutant of the sample, and who noticed it.
    pub(crate) sample: Vec<(&'a Mutant, Noticed)>,
    /// What did not compile.
    pub(crate) dropped: Vec<&'a Mutant>,
}

/// A reader's word about a mutant that nobody noticed once.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Word {
    /// Its file.
    pub(crate) file: String,
    /// Its function.
    pub(crate) function: String,
    /// Its change.
    pub(crate) change: String,
    /// Which of the same changes in the function.
    #[serde(default = "first")]
    pub(crate) nth: usize,
    /// The stage that noticed it.
    noticed: String,
    /// The test that did.
    #[serde(default)]
    by: String,
    /// Why no test can tell it from the program.
    #[serde(default)]
    pub(crate) equivalent: Option<String>,
    /// The test that was written for it and notices it now.
    #[serde(default)]
    pub(crate) killed_by: Option<String>,
}

/// The stage of what nobody noticed.
const NOBODY: &str = "nobody";

fn first() -> usize {
    1
}

#[derive(Debug, Default, Deserialize)]
struct Words {
    #[serde(default)]
    mutant: Vec<Word>,
    #[serde(default)]
    stages: Vec<String>,
}

impl Word {
    /// What was found out then, where it need not be found out again: whoever noticed it does still.
    pub(crate) fn noticed(&self) -> Option<Noticed> {
        let settled = self.noticed != NOBODY && self.killed_by.is_none();
        settled.then(|| Noticed::By(self.noticed.clone(), self.by.clone()))
    }

    fn key(&self) -> String {
        format!(
            "{} {} {} {}",
            self.file, self.function, self.change, self.nth
        )
    }
}

/// The words of an earlier table, by the mutant that they are about, and the stages it was made by.
///
/// # Errors
/// A file that is no such table.
pub(crate) fn words(file: &Path) -> Result<(BTreeMap<String, Word>, Vec<String>)> {
    let Ok(text) = std::fs::read_to_string(file) else {
        return Ok((BTreeMap::new(), Vec::new()));
    };
    let words: Words = toml::from_str(&text).with_context(|| file.display().to_string())?;
    let by_key = words.mutant.into_iter().map(|word| (word.key(), word));
    Ok((by_key.collect(), words.stages))
}

/// The table. A mutant that nobody noticed and nobody has a word about stands in it without one,
/// and the tests refuse that.
pub(crate) fn table(run: &Run<'_>, words: &BTreeMap<String, Word>) -> String {
    let mut stages: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, noticed) in &run.sample {
        let stage = match noticed {
            Noticed::By(stage, _) => stage.as_str(),
            Noticed::Nobody(_) => NOBODY,
        };
        *stages.entry(stage).or_default() += 1;
    }
    let mut out = String::from(
        "# Made by `cargo run -p xtask -- mutants`; `equivalent` and `killed_by` are a reader's words, and are kept.\n",
    );
    out.push_str(&format!(
        "seed = {}\nplaces = {}\nsample = {}\n",
        run.seed,
        run.places,
        run.sample.len()
    ));
    out.push_str(&format!(
        "do_not_compile = {}\n\n[noticed]\n",
        run.dropped.len()
    ));
    for (stage, count) in stages {
        out.push_str(&format!("{stage} = {count}\n"));
    }
    for (mutant, noticed) in &run.sample {
        out.push_str("\n[[mutant]]\n");
        out.push_str(&place(mutant));
        match noticed {
            Noticed::By(stage, name) => {
                out.push_str(&format!("noticed = {}\n", string(stage)));
                out.push_str(&format!("by = {}\n", string(name)));
            }
            Noticed::Nobody(reached) => {
                out.push_str(&format!(
                    "noticed = \"{NOBODY}\"
reached_by = {reached}
"
                ));
            }
        }
        let word = words.get(&mutant.key());
        if let Some(reason) = word.and_then(|word| word.equivalent.as_ref()) {
            out.push_str(&format!("equivalent = {}\n", string(reason)));
        }
        if let Some(test) = word.and_then(|word| word.killed_by.as_ref()) {
            out.push_str(&format!("killed_by = {}\n", string(test)));
        }
    }
    for mutant in &run.dropped {
        out.push_str("\n[[does_not_compile]]\n");
        out.push_str(&place(mutant));
    }
    out
}

fn place(mutant: &Mutant) -> String {
    let mut out = format!(
        "file = {}\nline = {}\nfunction = {}\nchange = {}\n",
        string(&mutant.file),
        mutant.line,
        string(&mutant.function),
        string(&mutant.change)
    );
    if mutant.nth > 1 {
        out.push_str(&format!("nth = {}\n", mutant.nth));
    }
    out
}

/// The same for a reader: how many each stage noticed, and each one that nobody did at first.
pub(crate) fn page(run: &Run<'_>, words: &BTreeMap<String, Word>) -> String {
    let mut stages: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut killed, mut equal, mut open) = (Vec::new(), Vec::new(), Vec::new());
    for (mutant, noticed) in &run.sample {
        let word = words.get(&mutant.key());
        let place = format!(
            "`{}` `{}`: {}",
            mutant.file,
            mutant.function,
            mutant.change.replace('|', "\\|")
        );
        match (noticed, word.and_then(|word| word.killed_by.as_ref())) {
            (Noticed::By(stage, _), test) => {
                *stages.entry(stage).or_default() += 1;
                killed.extend(test.map(|test| format!("| {place} | `{test}` |\n")));
            }
            (Noticed::Nobody(_), _) => match word.and_then(|word| word.equivalent.as_ref()) {
                Some(reason) => equal.push(format!("| {place} | {reason} |\n")),
                None => open.push(format!("* {place}\n")),
            },
        }
    }
    let caught: usize = stages.values().sum();
    let mut out = format!(
        "# Mutants of the rule modules\n\n\
         Made by `cargo run -p xtask -- mutants --seed {}`; `mutants.toml` has every mutant of the sample and who notices it.\n\
         {} of {} places are in the sample, {caught} of them are noticed. {} candidates did not compile and were replaced.\n\
         Asked, in this order: {}.\n\n\
         | stage | notices first |\n|---|---|\n",
        run.seed,
        run.sample.len(),
        run.places,
        run.dropped.len(),
        run.stages.join(", ")
    );
    for (stage, count) in &stages {
        out.push_str(&format!("| {stage} | {count} |\n"));
    }
    out.push_str(&format!("| nobody | {} |\n", equal.len() + open.len()));
    out.push_str("\n## Noticed since a test was written for it\n\n| mutant | test |\n|---|---|\n");
    out.extend(killed);
    out.push_str("\n## Nobody can notice\n\n| mutant | why it is equivalent |\n|---|---|\n");
    out.extend(equal);
    if !open.is_empty() {
        out.push_str("\n## Nobody notices yet\n\n");
        out.extend(open);
    }
    out
}
