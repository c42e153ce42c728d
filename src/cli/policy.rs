//! `deedcheck grade --spec` of a spec without tasks: its checks are asked of every turn of every run.

use std::collections::BTreeMap;
use std::io::{Read, Write};

use super::args::Grade;
use super::bind::line;
use super::frozen::{FROZEN_CONTEXT_SCHEMA, FrozenContext, FrozenPublic, lines_of, recorded, said};
use super::grade::{self_test, watch_surroundings, with_threads};
use super::sources::{sources, text_of};
use super::spec::{open, write_public};
use super::{Exit, RunError, Surroundings};
use crate::frozen::{FrozenGrades, Judgments, PolicyInputs, awaited, grade_policy};
use crate::oracle::KINDS;
use crate::pipeline::ordered;
use crate::private::{Canary, Kind, Planned, PrivateDir, PublicFile};
use crate::spec::{Keys, Sealed, read_keys, sha256};

/// What a run is given, read and looked at.
struct Given {
    sealed: Sealed,
    keys: Keys,
    judgments: Judgments,
    /// Each file as it is kept in the private directory.
    files: Vec<(&'static str, Vec<u8>)>,
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
    let private = args.out_private.as_deref().map(PrivateDir::plan);
    let private = private.transpose()?;
    let public = args.out.as_deref().map(PublicFile::plan).transpose()?;
    if let (Some(private), Some(public)) = (&private, &public) {
        public.apart_from(private)?;
    }
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
    let sums = match &public {
        Some(_) => public_bytes(&given, &graded, &inputs, around)?,
        None => Vec::new(),
    };
    if let Some(private) = &private {
        write(private, args, &given, &graded, inputs)?;
    }
    if let Some(public) = &public {
        write_public(public, &sums)?;
    }
    if !args.quiet {
        said(&graded.sums, out)?;
    }
    Ok(if passes { Exit::Done } else { Exit::Found })
}

/// Reads everything but the sessions. The seal of the spec comes first.
fn given(args: &Grade) -> Result<Given, RunError> {
    let path = args.frozen.spec.as_ref();
    let sealed = open(path.ok_or(wrong("--spec", "missing"))?, "--spec")?;
    if !sealed.spec.tasks.is_empty() {
        return Err(wrong("--bindings", "missing"));
    }
    let mut files: Vec<(&'static str, Vec<u8>)> = vec![("spec.json", sealed.bytes.clone())];
    let keyed = sealed.spec.checks().any(|(_, check)| check.key.is_some());
    let keys = match &args.frozen.keys {
        Some(path) => {
            let text = text_of(path, "--keys")?;
            let keys = read_keys(&text, &sealed)?;
            files.push(("keys.json", text.into_bytes()));
            keys
        }
        None if keyed => return Err(wrong("--keys", "missing")),
        None => Keys::none(&sealed.spec),
    };
    let judgments = match &args.frozen.judgments {
        Some(path) => {
            let text = text_of(path, "--judgments")?;
            let judgments = Judgments::read(&text, &sealed)?;
            files.push(("judgments.jsonl", text.into_bytes()));
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

/// The sums as they may be published: written down, and searched for anything private.
fn public_bytes(
    given: &Given,
    graded: &FrozenGrades,
    inputs: &BTreeMap<String, String>,
    around: &Surroundings,
) -> Result<Vec<u8>, RunError> {
    let keys = given.files.iter().find(|(name, _)| *name == "keys.json");
    let bytes = line(&FrozenPublic {
        sums: &graded.sums,
        keys_sha256: sha256(keys.map_or(&[][..], |(_, bytes)| bytes)),
        canary: self_test(),
    })?;
    let mut canary = Canary::new();
    for name in inputs.keys() {
        canary.value(Kind::Locator, name);
        canary.value(Kind::BaseName, name.rsplit('/').next().unwrap_or(""));
    }
    for value in &graded.private {
        canary.value(Kind::Session, value);
    }
    watch_surroundings(&mut canary, around);
    match canary.scan(&bytes).first() {
        Some(hit) => Err(RunError::Privacy {
            output: "--out",
            kind: hit.kind.as_str(),
            at: hit.at,
        }),
        None => Ok(bytes),
    }
}

fn write(
    planned: &Planned,
    args: &Grade,
    given: &Given,
    graded: &FrozenGrades,
    inputs: BTreeMap<String, String>,
) -> Result<(), RunError> {
    let rows = lines_of(&graded.rows)?;
    let kept = given.files.iter().map(|(name, bytes)| (*name, bytes));
    let awaited = lines_of(&awaited(&graded.rows))?;
    let own = [("awaited.jsonl", &awaited), ("grades.jsonl", &rows)];
    let kept: Vec<(&str, &Vec<u8>)> = kept.chain(own).collect();
    let digest = |(name, bytes): &(&str, &Vec<u8>)| ((*name).to_owned(), sha256(bytes));
    let context = line(&FrozenContext {
        schema: FROZEN_CONTEXT_SCHEMA,
        version: env!("CARGO_PKG_VERSION"),
        arguments: recorded(&args.frozen),
        inputs,
        files: kept.iter().map(digest).collect(),
        canary: self_test(),
    })?;
    let mut dir = PrivateDir::create(planned)?;
    for (name, bytes) in kept {
        dir.write(name, bytes)?;
    }
    dir.write("context.json", &context)?;
    Ok(dir.publish()?)
}
