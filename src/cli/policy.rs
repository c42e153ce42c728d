//! `deedcheck grade --spec` of a spec without tasks: its checks are asked of every turn of every run.

use std::collections::BTreeMap;
use std::io::{Read, Write};

use super::args::{FailOn, Format, Grade};
use super::bind::line;
use super::frozen::{Common, Files, FrozenPublic, Shown, lines_of, print};
use super::grade::{outputs, self_test, with_threads};
use super::page::vouch;
use super::retained::Retaining;
use super::sources::sources;
use super::spec::write_public;
use super::watch::{knowing, surroundings};
use super::{Exit, RunError, lost};
use crate::frozen::{FrozenGrades, Judgments, PolicyInputs, Runs, grade_policy};
use crate::oracle::KINDS;
use crate::pipeline::ordered;
use crate::private::{Kind, Planned};
use crate::record::{Shelf, header};
use crate::spec::{self, Keys, Sealed, read_keys, sha256};

/// What a run is given, read and looked at.
pub(super) struct Given {
    sealed: Sealed,
    keys: Keys,
    judgments: Judgments,
    /// Each file as it is kept in the private directory, by its role.
    files: Vec<(&'static str, Vec<u8>)>,
}

/// What a run came to.
pub(super) struct Done {
    graded: FrozenGrades,
    passes: bool,
    /// The SHA-256 of each file by its name in rows.
    inputs: BTreeMap<String, String>,
    /// Every row, one a line.
    pub(super) rows: Vec<u8>,
    sums: Vec<u8>,
    private: Vec<(Kind, String)>,
}

fn wrong(field: &'static str, kind: &'static str) -> RunError {
    RunError::Argument { field, kind }
}

pub(super) fn run(
    args: &Grade,
    files: &Files,
    run: &Common<'_>,
    input: &mut dyn Read,
    out: &mut dyn Write,
) -> Result<Exit, RunError> {
    let given = given(&mut |role| files.text(role))?;
    // A gate decides by itself; what else a session can be failed on is nothing that a policy asks.
    if args.fail_on.iter().any(|what| *what != FailOn::Dark) {
        return Err(wrong("--fail-on", "conflict"));
    }
    let (private, public) = outputs(args)?;
    let found = sources(args, run.around, input)?;
    let mut retaining = private.as_ref().map(Retaining::create).transpose()?;
    let families = || {
        let families = ordered(&found.files).into_iter();
        families.map(|own| own.members).collect::<Vec<_>>()
    };
    let runs = match &mut retaining {
        None => with_threads(args.jobs, || Runs::read(&families(), None))?,
        Some(retaining) => {
            let mut stream = retaining.stream("records")?;
            // A failed write is kept inside the stream, and `keep` names it.
            let _ = stream.write_all(&header()?);
            let shelf = Shelf::new(stream);
            let runs = with_threads(args.jobs, || Runs::read(&families(), Some(&shelf)))?;
            retaining.keep(shelf.into_inner().0)?;
            runs
        }
    };
    let passed_over = found.passed_over + runs.passed_over();
    let places = found.files.iter();
    let places = places.map(|own| (own.name.clone(), own.path.clone()));
    let shown = Shown::new(run.around, places);
    let done = with_threads(args.jobs, || run.grade_turns(&given, runs))??;
    let printed = lost(match args.quiet {
        true => Ok(()),
        false if public.is_some() && done.withheld() => Ok(()),
        false => done.print(args.format, (passed_over, &shown), out),
    })?;
    run.publish(retaining, public.as_ref(), &given, &done)?;
    printed?;
    Ok(done.exit(args.fail_on.contains(&FailOn::Dark)))
}

/// Reads everything but the sessions. The seal of the spec comes first. `text` gives the text of a
/// role's file, where there is one.
pub(super) fn given(
    text: &mut dyn FnMut(&'static str) -> Result<Option<String>, RunError>,
) -> Result<Given, RunError> {
    let sealed = text("spec")?.ok_or(wrong("--spec", "not-given"))?;
    let sealed = spec::open(sealed.as_bytes(), KINDS)?;
    if !sealed.spec.tasks.is_empty() {
        return Err(wrong("--bindings", "not-given"));
    }
    let mut files: Vec<(&'static str, Vec<u8>)> = vec![("spec", sealed.bytes.clone())];
    let keyed = sealed.spec.checks().any(|(_, check)| check.key.is_some());
    let keys = match text("keys")? {
        Some(text) => {
            let keys = read_keys(&text, &sealed)?;
            files.push(("keys", text.into_bytes()));
            keys
        }
        None if keyed => return Err(wrong("--keys", "not-given")),
        None => Keys::none(&sealed.spec),
    };
    let judgments = match text("judgments")? {
        Some(text) => {
            let judgments = Judgments::read(&text, &sealed)?;
            files.push(("judgments", text.into_bytes()));
            judgments
        }
        None => Judgments::default(),
    };
    Ok(Given {
        sealed,
        keys,
        judgments,
        files,
    })
}

impl Common<'_> {
    /// Grades, and makes everything that is written of it.
    pub(super) fn grade_turns(&self, given: &Given, runs: Runs) -> Result<Done, RunError> {
        let inputs = PolicyInputs {
            sealed: &given.sealed,
            kinds: KINDS,
            keys: &given.keys,
            judgments: &given.judgments,
        };
        let (mut graded, inputs) = grade_policy(&inputs, runs)?;
        let passes = graded.sums.passes();
        if let Some(least) = self.min_cell {
            graded.sums.withhold(least);
        }
        let keys = given.files.iter().find(|(role, _)| *role == "keys");
        let sums = line(&FrozenPublic {
            sums: &graded.sums,
            keys_sha256: sha256(keys.map_or(&[][..], |(_, bytes)| bytes)),
            control: self.planted.tallies(),
            canary: self_test(),
        })?;
        Ok(Done {
            rows: lines_of(&graded.rows)?,
            private: self.private_turns(&graded, &inputs),
            passes,
            inputs,
            sums,
            graded,
        })
    }

    /// What the run must not publish.
    fn private_turns(
        &self,
        graded: &FrozenGrades,
        inputs: &BTreeMap<String, String>,
    ) -> Vec<(Kind, String)> {
        let mut values = self.known.clone();
        values.extend(surroundings(self.around));
        for name in inputs.keys() {
            let base = name.rsplit('/').next().unwrap_or("");
            values.push((Kind::Locator, name.clone()));
            values.push((Kind::BaseName, base.to_owned()));
        }
        values.extend(graded.private.iter().cloned());
        values
    }

    /// Completes the private directory, and publishes the sums where they hold nothing private.
    pub(super) fn publish(
        &self,
        retaining: Option<Retaining>,
        public: Option<&Planned>,
        given: &Given,
        done: &Done,
    ) -> Result<(), RunError> {
        if let Some(mut retaining) = retaining {
            for (role, bytes) in &given.files {
                retaining.write(role, bytes)?;
            }
            self.keep_controls(&mut retaining)?;
            retaining.write("awaited", &lines_of(&done.graded.awaited)?)?;
            retaining.write("grades", &done.rows)?;
            retaining.write("aggregate", &done.sums)?;
            let context = self.context(done.inputs.clone(), &retaining);
            retaining.publish(&done.private, &context)?;
        }
        if let Some(public) = public {
            vouch(&done.sums, &knowing(&done.private), "--out")?;
            write_public(public, &done.sums)?;
        }
        Ok(())
    }
}

impl Done {
    /// Whether something private stands in the sums: nothing is printed of them, and publishing them
    /// is refused.
    pub(super) fn withheld(&self) -> bool {
        vouch(&self.sums, &knowing(&self.private), "--out").is_err()
    }

    /// What a run prints.
    pub(super) fn print(
        &self,
        format: Format,
        (passed_over, shown): (u64, &Shown),
        out: &mut dyn Write,
    ) -> Result<(), RunError> {
        let written = (self.sums.as_slice(), self.rows.as_slice());
        print(format, (&self.graded, shown), written, &self.private, out)?;
        if format == Format::Table && passed_over > 0 {
            let files = crate::report::counted(passed_over, "other file");
            writeln!(out, "not read: {files}")?;
        }
        Ok(())
    }

    /// How the run ends: by its gates, and by what could not be judged where that is asked for.
    pub(super) fn exit(&self, dark: bool) -> Exit {
        if self.passes && (!dark || self.graded.dark.is_empty()) {
            Exit::Done
        } else {
            Exit::Found
        }
    }
}
