//! `deedcheck grade --spec` of a spec without tasks: its checks are asked of every turn of every run.

use std::collections::BTreeMap;
use std::io::{Read, Write};

use super::args::Grade;
use super::bind::line;
use super::frozen::{
    FROZEN_CONTEXT_SCHEMA, FrozenContext, FrozenPublic, lines_of, print, recorded,
};
use super::grade::{outputs, self_test, with_threads};
use super::page::vouch;
use super::retained::Retaining;
use super::sources::{sources, text_of};
use super::spec::write_public;
use super::watch::{knowing, surroundings};
use super::{Exit, RunError, Surroundings, lost};
use crate::frozen::{FrozenGrades, Judgments, PolicyInputs, awaited, grade_policy};
use crate::oracle::KINDS;
use crate::pipeline::ordered;
use crate::private::{Kind, Planned};
use crate::spec::{self, Keys, Sealed, read_keys, sha256};

/// What a run is given, read and looked at.
struct Given {
    sealed: Sealed,
    keys: Keys,
    judgments: Judgments,
    /// Each file as it is kept in the private directory, by its role.
    files: Vec<(&'static str, Vec<u8>)>,
}

/// What a run came to.
struct Done {
    graded: FrozenGrades,
    /// Every row, one a line.
    rows: Vec<u8>,
    sums: Vec<u8>,
    private: Vec<(Kind, String)>,
}

fn wrong(field: &'static str, kind: &'static str) -> RunError {
    RunError::Argument { field, kind }
}

pub(super) fn run(
    args: &Grade,
    around: &Surroundings,
    input: &mut dyn Read,
    out: &mut dyn Write,
) -> Result<Exit, RunError> {
    let given = given(args)?;
    let (private, public) = outputs(args)?;
    let found = sources(args, around, input)?;
    let (mut graded, inputs) = with_threads(args.jobs, || {
        let families = ordered(&found.files);
        let families: Vec<_> = families.into_iter().map(|own| own.members).collect();
        grade_policy(&PolicyInputs {
            sealed: &given.sealed,
            kinds: KINDS,
            keys: &given.keys,
            judgments: &given.judgments,
            families: &families,
        })
    })??;
    let passes = graded.sums.passes();
    if let Some(least) = args.frozen.min_cell {
        graded.sums.withhold(least);
    }
    let done = Done {
        rows: lines_of(&graded.rows)?,
        sums: sums_of(&given, &graded)?,
        private: private_values(&graded, &inputs, around),
        graded,
    };
    let sums = (&done.graded.sums, done.sums.as_slice());
    let printed = match args.quiet {
        true => Ok(()),
        false => print(args.format, sums, &done.rows, &done.private, out),
    };
    let printed = lost(printed)?;
    if let Some(private) = &private {
        write(private, args, &given, &done, inputs)?;
    }
    if let Some(public) = &public {
        vouch(&done.sums, &knowing(&done.private), "--out")?;
        write_public(public, &done.sums)?;
    }
    printed?;
    Ok(if passes { Exit::Done } else { Exit::Found })
}

/// Reads everything but the sessions. The seal of the spec comes first.
fn given(args: &Grade) -> Result<Given, RunError> {
    let path = args.frozen.spec.as_ref();
    let text = text_of(path.ok_or(wrong("--spec", "missing"))?, "--spec")?;
    let sealed = spec::open(text.as_bytes(), KINDS)?;
    if !sealed.spec.tasks.is_empty() {
        return Err(wrong("--bindings", "missing"));
    }
    let mut files: Vec<(&'static str, Vec<u8>)> = vec![("spec", sealed.bytes.clone())];
    let keyed = sealed.spec.checks().any(|(_, check)| check.key.is_some());
    let keys = match &args.frozen.keys {
        Some(path) => {
            let text = text_of(path, "--keys")?;
            let keys = read_keys(&text, &sealed)?;
            files.push(("keys", text.into_bytes()));
            keys
        }
        None if keyed => return Err(wrong("--keys", "missing")),
        None => Keys::none(&sealed.spec),
    };
    let judgments = match &args.frozen.judgments {
        Some(path) => {
            let text = text_of(path, "--judgments")?;
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

/// The sums as they are written.
fn sums_of(given: &Given, graded: &FrozenGrades) -> Result<Vec<u8>, RunError> {
    let keys = given.files.iter().find(|(role, _)| *role == "keys");
    line(&FrozenPublic {
        sums: &graded.sums,
        keys_sha256: sha256(keys.map_or(&[][..], |(_, bytes)| bytes)),
        canary: self_test(),
    })
}

/// What the run must not publish.
fn private_values(
    graded: &FrozenGrades,
    inputs: &BTreeMap<String, String>,
    around: &Surroundings,
) -> Vec<(Kind, String)> {
    let mut values = surroundings(around);
    for name in inputs.keys() {
        let base = name.rsplit('/').next().unwrap_or("");
        values.push((Kind::Locator, name.clone()));
        values.push((Kind::BaseName, base.to_owned()));
    }
    values.extend(graded.private.iter().cloned());
    values
}

/// What is kept of the run. No record is: it is graded again from its transcripts.
fn write(
    planned: &Planned,
    args: &Grade,
    given: &Given,
    done: &Done,
    inputs: BTreeMap<String, String>,
) -> Result<(), RunError> {
    let mut retaining = Retaining::create(planned)?;
    for (role, bytes) in &given.files {
        retaining.write(role, bytes)?;
    }
    retaining.write("awaited", &lines_of(&awaited(&done.graded.rows))?)?;
    retaining.write("grades", &done.rows)?;
    retaining.write("aggregate", &done.sums)?;
    let context = FrozenContext {
        schema: FROZEN_CONTEXT_SCHEMA.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        arguments: recorded(&args.frozen),
        min_cell: args.frozen.min_cell,
        inputs,
        files: retaining.digests().clone(),
        regraded_from: None,
        canary: self_test(),
        seal: String::new(),
    };
    retaining.publish(&done.private, &context)
}
