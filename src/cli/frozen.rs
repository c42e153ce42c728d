//! `deedcheck grade --spec`: frozen checks of a sealed spec.

mod print;

pub(super) use print::Shown;

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use serde::{Deserialize, Serialize};

use super::args::{Format, Grade};
use super::bind::{beside, line};
use super::controls::{Own, Planted, Tally};
use super::grade::{CanaryCounts, self_test, with_threads};
use super::page::{page, picked, vouch};
use super::retained::{Digests, RegradedFrom, Retaining};
use super::sources::{roots, text_of, written_of};
use super::spec::write_public;
use super::watch::{knowing, surroundings};
use super::{Exit, RunError, Surroundings, lost};
use crate::canon;
use crate::frozen::{
    Bindings, Captures, FrozenGrades, Identities, Inputs, Judgments, Ledger, OnDisk, ReadAttempt,
    Sums, bundle, grade, read_bindings, read_identity,
};
use crate::oracle::KINDS;
use crate::private::{Kind, Planned, PrivateDir, PublicFile};
use crate::record::header;
use crate::spec::{self, Keys, Sealed, read_keys, sha256};

/// The schema that the context of a run with frozen checks names.
pub(super) const FROZEN_CONTEXT_SCHEMA: &str = "deedcheck/frozen-context/1";

/// What frozen checks are graded with.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Frozen checks")]
pub(super) struct Frozen {
    /// Grade the frozen checks of this sealed spec, one a run; of a folder: its spec.json, and where
    /// they lie there its bindings.json, identity.json, keys.json, judgments.jsonl and join.jsonl
    #[arg(
        long,
        value_name = "SPEC",
        value_hint = ValueHint::AnyPath,
        conflicts_with_all = [
            "demo", "show", "rules", "profile", "preset", "config", "records",
        ]
    )]
    pub(super) spec: Option<PathBuf>,
    /// What the runs were launched with, as `deedcheck bind` wrote it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "spec", conflicts_with_all = ["paths", "all"])]
    bindings: Option<PathBuf>,
    /// Whose answer stands where, as `deedcheck identity` wrote it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "spec")]
    identity: Option<PathBuf>,
    /// The keys, as `deedcheck keys` wrote them
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "spec")]
    keys: Option<PathBuf>,
    /// What judges said, one JSON object a line
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "spec")]
    judgments: Option<PathBuf>,
    /// What was captured around the runs: a folder that `deedcheck capture` wrote, or one with a
    /// `manifest.json` of observations; may be given once for each phase. It is only read
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, requires = "spec")]
    captures: Vec<PathBuf>,
    /// What another program says of the use of tools, for gates of lanes: one JSON object a line
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "spec")]
    join_ledger: Option<PathBuf>,
    /// Withhold cells of the sums that count fewer than this
    #[arg(long, value_name = "K", requires = "spec", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) min_cell: Option<u32>,
}

/// The files of each role, once a folder is taken apart.
#[derive(Debug, Default)]
pub(super) struct Files(BTreeMap<&'static str, PathBuf>);

/// What a folder of a run is looked through for, beside its sealed spec.
const ROLES: [(&str, &str); 6] = [
    ("spec", "spec.json"),
    ("bindings", "bindings.json"),
    ("identity", "identity.json"),
    ("keys", "keys.json"),
    ("judgments", "judgments.jsonl"),
    ("join", "join.jsonl"),
];

impl Files {
    /// Whether a role has a file.
    pub(super) fn has(&self, role: &str) -> bool {
        self.0.contains_key(role)
    }

    /// The text of a role's file, where there is one.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub(super) fn text(&self, role: &str) -> Result<Option<String>, RunError> {
        let field = match role {
            "spec" => "--spec",
            "bindings" => "--bindings",
            "identity" => "--identity",
            "keys" => "--keys",
            "join" => "--join-ledger",
            _ => "--judgments",
        };
        let path = self.0.get(role);
        let text = path.map(|path| match role {
            "judgments" | "join" => written_of(path, field),
            _ => text_of(path, field),
        });
        text.transpose()
    }
}

impl Frozen {
    /// Whether frozen checks are what is to be graded.
    pub(super) fn asked(&self) -> bool {
        self.spec.is_some()
    }

    /// Looks for what says nothing without bindings, which a policy has none of.
    fn without_bindings(&self) -> Result<(), RunError> {
        let given = self.identity.is_some() || self.join_ledger.is_some();
        if !given && self.captures.is_empty() {
            return Ok(());
        }
        Err(RunError::Argument {
            field: "--bindings",
            kind: "not-given",
        })
    }

    /// Every file that is given, or that lies in the folder that `--spec` names.
    fn files(&self) -> Files {
        let given = [
            ("spec", &self.spec),
            ("bindings", &self.bindings),
            ("identity", &self.identity),
            ("keys", &self.keys),
            ("judgments", &self.judgments),
            ("join", &self.join_ledger),
        ];
        let mut files = BTreeMap::new();
        for (role, path) in given {
            files.extend(path.clone().map(|path| (role, path)));
        }
        let folder = self.spec.as_ref().filter(|path| path.is_dir());
        for (role, name) in folder.iter().flat_map(|_| ROLES) {
            let own = folder.map(|folder| folder.join(name));
            let own = own.filter(|path| role == "spec" || path.is_file());
            if role == "spec" || !files.contains_key(role) {
                files.extend(own.map(|path| (role, path)));
            }
        }
        Files(files)
    }
}

/// What a private directory says of a run with frozen checks.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub(super) struct FrozenContext {
    /// The format: `deedcheck/frozen-context/1`.
    pub(super) schema: String,
    /// The program's version.
    pub(super) version: String,
    /// The arguments in a fixed order, with a placeholder for each path.
    pub(super) arguments: Vec<String>,
    /// Cells of the sums that count fewer than this are withheld.
    pub(super) min_cell: Option<u32>,
    /// SHA-256 of each transcript and answer, by its name in rows.
    pub(super) inputs: BTreeMap<String, String>,
    /// SHA-256 of the files beside this one, by their roles: `aggregate`, `awaited`, `bindings`, `captures`,
    /// `controls`, `grades`, `identity`, `join`, `judgments`, `keys`, `records`, `spec`.
    pub(super) files: Digests,
    /// The run whose record was graded again; null where transcripts were read.
    pub(super) regraded_from: Option<RegradedFrom>,
    /// The canary's proof of itself.
    pub(super) canary: CanaryCounts,
    /// SHA-256 of this context with an empty seal.
    pub(super) seal: String,
}

/// The public file: the sums and the canary's own proof.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct FrozenPublic<'a> {
    /// The sums.
    #[serde(flatten)]
    pub(super) sums: &'a Sums,
    /// SHA-256 of the keys.
    pub(super) keys_sha256: String,
    /// Controls by the family of what they control: how many ran, and how many landed.
    pub(super) control: &'a BTreeMap<&'static str, Tally>,
    /// The canary's proof of itself.
    pub(super) canary: CanaryCounts,
}

/// The files that a run is given, read and looked at.
pub(super) struct Given {
    sealed: Sealed,
    pub(super) bindings: Bindings,
    identity: Identities,
    keys: Keys,
    judgments: Judgments,
    captures: Captures,
    ledger: Ledger,
    /// Each file as it is kept in the private directory, by its role.
    files: Vec<(&'static str, Vec<u8>)>,
}

/// What differs between a run that reads transcripts and one that grades their record again, with tasks
/// and without.
pub(super) struct Common<'a> {
    pub(super) around: &'a Surroundings,
    /// The controls that ran with it.
    pub(super) planted: &'a Planted,
    /// The files of controls of the user's own.
    pub(super) controls: &'a [(String, String)],
    pub(super) min_cell: Option<u32>,
    pub(super) arguments: Vec<String>,
    /// The run whose record is graded again.
    pub(super) from: Option<RegradedFrom>,
    /// Private values beside those of the files that are read.
    pub(super) known: Vec<(Kind, String)>,
}

impl Common<'_> {
    /// Keeps the user's own controls, so that they run again with the record.
    pub(super) fn keep_controls(&self, retaining: &mut Retaining) -> Result<(), RunError> {
        if self.controls.is_empty() {
            return Ok(());
        }
        Ok(retaining.write("controls", &lines_of(self.controls)?)?)
    }

    /// What is told of the run, once every file beside is written.
    pub(super) fn context(
        &self,
        inputs: BTreeMap<String, String>,
        retaining: &Retaining,
    ) -> FrozenContext {
        FrozenContext {
            schema: FROZEN_CONTEXT_SCHEMA.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            arguments: self.arguments.clone(),
            min_cell: self.min_cell,
            inputs,
            files: retaining.digests().clone(),
            regraded_from: self.from.clone(),
            canary: self_test(),
            seal: String::new(),
        }
    }
}

/// A run with tasks, and where its outputs go.
pub(super) struct Run<'a> {
    pub(super) common: Common<'a>,
    pub(super) private: Planned,
    pub(super) public: Planned,
}

/// What a run came to, in bytes.
pub(super) struct Graded {
    graded: FrozenGrades,
    passes: bool,
    /// Every row, one a line.
    pub(super) rows: Vec<u8>,
    sums: Vec<u8>,
    private: Vec<(Kind, String)>,
}

pub(super) fn run(
    args: &Grade,
    around: &Surroundings,
    (planted, own): (&Planted, &Own),
    input: &mut dyn Read,
    out: &mut dyn Write,
) -> Result<Exit, RunError> {
    let files = args.frozen.files();
    let common = Common {
        around,
        planted,
        controls: &own.texts,
        min_cell: args.frozen.min_cell,
        arguments: recorded(&args.frozen),
        from: None,
        known: roots(args, around),
    };
    if !files.has("bindings") {
        args.frozen.without_bindings()?;
        return super::policy::run(args, &files, &common, input, out);
    }
    let captures = &args.frozen.captures;
    let given = given(&mut |role| match role {
        "captures" if captures.is_empty() => Ok(None),
        "captures" => Ok(Some(bundle(captures)?)),
        role => files.text(role),
    })?;
    let conflict = |field| RunError::Argument {
        field,
        kind: "conflict",
    };
    // These are for sessions, or for a policy; a folder of tasks may be named beside them.
    if !args.paths.is_empty() || args.all {
        return Err(conflict(if args.all { "--all" } else { "[PATH]..." }));
    }
    if !args.fail_on.is_empty() {
        return Err(conflict("--fail-on"));
    }
    let (private, public) = plan(args.out_private.as_deref(), args.out.as_deref())?;
    let run = Run {
        common,
        private,
        public,
    };
    let bindings = files.0.get("bindings");
    let beside = bindings.map_or(Path::new("."), |path| beside(path));
    let attempts = OnDisk::new(&given.bindings, beside);
    let graded = with_threads(args.jobs, || run.grade(&given, &attempts))??;
    let mut retaining = Retaining::create(&run.private)?;
    let mut stream = retaining.stream("records")?;
    for frame in std::iter::once(header()?).chain(attempts.frames()) {
        // A failed write is kept inside the stream, and `keep` names it.
        let _ = stream.write_all(&frame);
    }
    retaining.keep(stream)?;
    let printed = match args.quiet {
        true => Ok(()),
        false if graded.withheld() => Ok(()),
        false => graded.print(args.format, &given.shown(around, beside), out),
    };
    let printed = lost(printed)?;
    run.write(retaining, &given, &graded)?;
    printed?;
    Ok(exit(&graded))
}

impl Graded {
    /// Whether something private stands in the sums: nothing is printed of them, and publishing them
    /// is refused.
    pub(super) fn withheld(&self) -> bool {
        vouch(&self.sums, &knowing(&self.private), "--out").is_err()
    }

    /// What a run prints.
    pub(super) fn print(
        &self,
        format: Format,
        shown: &Shown,
        out: &mut dyn Write,
    ) -> Result<(), RunError> {
        let written = (self.sums.as_slice(), self.rows.as_slice());
        print(format, (&self.graded, shown), written, &self.private, out)
    }
}

/// What a run with frozen checks prints. `written` are its sums and its rows as they are written.
pub(super) fn print(
    format: Format,
    (graded, shown): (&FrozenGrades, &Shown),
    (sums, rows): (&[u8], &[u8]),
    private: &[(Kind, String)],
    out: &mut dyn Write,
) -> Result<(), RunError> {
    match format {
        Format::Table => print::said(graded, shown, out)?,
        Format::Json => out.write_all(sums)?,
        Format::Jsonl => out.write_all(rows)?,
        Format::Html | Format::Markdown => {
            let canary = knowing(private);
            let picked = picked(rows);
            out.write_all(&page(format, sums, &picked, &canary, "--format")?)?;
        }
    }
    Ok(out.flush()?)
}

/// How a run ends that was not refused.
pub(super) fn exit(graded: &Graded) -> Exit {
    if graded.passes {
        Exit::Done
    } else {
        Exit::Found
    }
}

/// Where the outputs go. Nothing is written yet.
pub(super) fn plan(
    private: Option<&Path>,
    public: Option<&Path>,
) -> Result<(Planned, Planned), RunError> {
    let missing = |field| RunError::Argument {
        field,
        kind: "not-given",
    };
    let private = PrivateDir::plan(private.ok_or(missing("--out-private"))?)?;
    let public = PublicFile::plan(public.ok_or(missing("--out"))?)?;
    public.apart_from(&private)?;
    Ok((private, public))
}

/// Reads everything. The seal of the spec comes first, and before every other argument. `text`
/// gives the text of a role's file, where there is one.
pub(super) fn given(
    text: &mut dyn FnMut(&'static str) -> Result<Option<String>, RunError>,
) -> Result<Given, RunError> {
    let mut files: Vec<(&'static str, Vec<u8>)> = Vec::new();
    let mut need = |role: &'static str| {
        let text = text(role)?;
        if let Some(text) = &text {
            files.push((role, text.clone().into_bytes()));
        }
        Ok::<Option<String>, RunError>(text)
    };
    let missing = |field| RunError::Argument {
        field,
        kind: "not-given",
    };
    let sealed = need("spec")?.ok_or(missing("--spec"))?;
    let sealed = spec::open(sealed.as_bytes(), KINDS)?;
    let bindings = need("bindings")?.ok_or(missing("--bindings"))?;
    let bindings = read_bindings(&bindings, &sealed)?;
    let identity = need("identity")?.ok_or(missing("--identity"))?;
    let identity = read_identity(&identity, &sealed, &bindings)?;
    let keys = need("keys")?.ok_or(missing("--keys"))?;
    let keys = read_keys(&keys, &sealed)?;
    let judgments = match need("judgments")? {
        Some(judgments) => Judgments::read(&judgments, &sealed)?,
        None => Judgments::default(),
    };
    let captures = match need("captures")? {
        Some(captures) => Captures::read(&captures, &sealed, &bindings)?,
        None => Captures::default(),
    };
    let ledger = match need("join")? {
        Some(ledger) => Ledger::read(&ledger, &sealed, &bindings)?,
        None => Ledger::default(),
    };
    // What was sealed is kept as its seal was taken of it.
    if let Some((_, bytes)) = files.iter_mut().find(|(role, _)| *role == "spec") {
        bytes.clone_from(&sealed.bytes);
    }
    Ok(Given {
        sealed,
        bindings,
        identity,
        keys,
        judgments,
        captures,
        ledger,
        files,
    })
}

impl Given {
    /// How the run is shown, with where the files of its rows lie. Relative roots are relative to `beside`.
    fn shown(&self, around: &Surroundings, beside: &Path) -> Shown {
        let rows = self.identity.rows.iter().filter_map(|(_, row)| {
            let root = self.bindings.root(&row.locator.root, beside)?;
            Some((row.name(), root.join(&row.locator.file)))
        });
        Shown::new(around, rows)
    }
}

impl Run<'_> {
    /// Grades, and makes everything that is written of it.
    pub(super) fn grade(
        &self,
        given: &Given,
        attempts: &dyn ReadAttempt,
    ) -> Result<Graded, RunError> {
        let mut graded = grade(&Inputs {
            sealed: &given.sealed,
            kinds: KINDS,
            bindings: &given.bindings,
            attempts,
            identity: &given.identity,
            keys: &given.keys,
            judgments: &given.judgments,
            captures: &given.captures,
            ledger: &given.ledger,
        })?;
        let passes = graded.sums.passes();
        if let Some(least) = self.common.min_cell {
            graded.sums.withhold(least);
        }
        let rows = lines_of(&graded.rows)?;
        let keys = given.files.iter().find(|(role, _)| *role == "keys");
        let sums = line(&FrozenPublic {
            sums: &graded.sums,
            keys_sha256: keys.map_or_else(String::new, |(_, bytes)| sha256(bytes)),
            control: self.common.planted.tallies(),
            canary: self_test(),
        })?;
        Ok(Graded {
            passes,
            rows,
            sums,
            private: self.private_values(given, &graded),
            graded,
        })
    }

    /// Completes the private directory, and publishes the sums where they hold nothing private.
    pub(super) fn write(
        &self,
        mut retaining: Retaining,
        given: &Given,
        graded: &Graded,
    ) -> Result<(), RunError> {
        for (role, bytes) in &given.files {
            retaining.write(role, bytes)?;
        }
        self.common.keep_controls(&mut retaining)?;
        retaining.write("awaited", &lines_of(&graded.graded.awaited)?)?;
        retaining.write("grades", &graded.rows)?;
        retaining.write("aggregate", &graded.sums)?;
        let inputs = given.identity.rows.iter().flat_map(|(_, row)| row.files());
        let context = self.common.context(inputs.collect(), &retaining);
        retaining.publish(&graded.private, &context)?;
        vouch(&graded.sums, &knowing(&graded.private), "--out")?;
        write_public(&self.public, &graded.sums)
    }

    /// What this run must not publish.
    fn private_values(&self, given: &Given, graded: &FrozenGrades) -> Vec<(Kind, String)> {
        let mut values = self.common.known.clone();
        values.push((Kind::RunToken, given.bindings.run.clone()));
        for (_, row) in &given.identity.rows {
            values.push((Kind::Identity, row.identity.clone()));
            values.extend(row.ids().map(|id| (Kind::Agent, id.to_owned())));
            for file in row.paths() {
                let base = file.rsplit('/').next().unwrap_or("");
                values.push((Kind::Locator, file.to_owned()));
                values.push((Kind::BaseName, base.to_owned()));
            }
        }
        for root in given.bindings.roots.values() {
            values.push((Kind::Root, root.clone()));
        }
        for arm in given.bindings.arms.values() {
            let trees = arm.folders.iter().chain([&arm.tree]).cloned();
            values.extend(trees.map(|tree| (Kind::WorkTree, tree)));
            if let Some(sentinel) = &arm.sentinel {
                values.push((Kind::Sentinel, sentinel.value.clone()));
            }
        }
        values.extend(graded.private.iter().cloned());
        values.extend(surroundings(self.common.around));
        values
    }
}

/// The arguments as they are recorded: in one order, so that the order in which they were typed
/// changes no byte, and without the number of threads, which changes no result.
pub(super) fn recorded(args: &Frozen) -> Vec<String> {
    let mut words = vec!["grade".to_owned()];
    let paths = [
        ("--spec", args.spec.is_some()),
        ("--bindings", args.bindings.is_some()),
        ("--identity", args.identity.is_some()),
        ("--keys", args.keys.is_some()),
        ("--judgments", args.judgments.is_some()),
        ("--captures", !args.captures.is_empty()),
        ("--join-ledger", args.join_ledger.is_some()),
        ("--out-private", true),
        ("--out", true),
    ];
    for (flag, _) in paths.into_iter().filter(|(_, given)| *given) {
        words.extend([flag.to_owned(), "<path>".to_owned()]);
    }
    if let Some(least) = args.min_cell {
        words.extend(["--min-cell".to_owned(), least.to_string()]);
    }
    words
}

/// Values as they are written, one a line.
pub(super) fn lines_of<T: Serialize>(values: &[T]) -> Result<Vec<u8>, RunError> {
    let mut bytes = Vec::new();
    for value in values {
        canon::append_line(&mut bytes, value).map_err(|_| RunError::Output {
            kind: std::io::ErrorKind::InvalidData,
        })?;
    }
    Ok(bytes)
}
