//! `deedcheck controls`, and the controls of every grade.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum, ValueHint};
use serde::Serialize;

use super::grade::{append, with_threads};
use super::{Exit, RunError, Surroundings};
use crate::aggregate::Aggregate;
use crate::control::{self, Control, ControlError, Disarmed, Elsewhere, FAMILIES, Guard};
use crate::report::{Style, clean};

/// Bytes of a file of controls at most.
const MOST_BYTES: u64 = 16 << 20;

/// How to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Shape {
    /// For a person.
    Table,
    /// One JSON object.
    Json,
}

#[derive(Debug, Args)]
#[command(
    after_help = "`deedcheck explain controls` says what they are and how to write your own.\n\
                  Exit codes: 0 all landed, and each guard that was switched off flipped exactly its own;\n\
                  1 otherwise; 2 refused."
)]
pub(super) struct Controls {
    /// Controls of this family only: gate, claim, integrity, oracle, canary or page
    #[arg(long, value_parser = PossibleValuesParser::new(FAMILIES), hide_possible_values = true)]
    family: Option<String>,
    /// Controls of this rule or check kind only
    #[arg(long, value_name = "RULE")]
    rule: Option<String>,
    /// What to print
    #[arg(long, value_enum, default_value_t = Shape::Table)]
    format: Shape,
    /// Controls of your own besides: TOML files under this folder
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    controls: Option<PathBuf>,
    /// Switch a guard off, named FAMILY/GUARD, oracle/KIND/GUARD or by a name that is its own:
    /// exactly its own controls must land elsewhere
    #[arg(long, value_name = "GUARD", conflicts_with = "disarm_all")]
    disarm: Option<String>,
    /// Switch each guard off in turn
    #[arg(long)]
    disarm_all: bool,
    /// Threads to use, 0 for one a core; the output is the same with any number
    #[arg(long, default_value_t = 0, value_name = "N")]
    jobs: usize,
}

/// How many were planted, and how many of them landed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub(super) struct Tally {
    /// How many ran.
    planted: u64,
    /// How many came to what was laid down for them.
    landed: u64,
}

/// A control that landed elsewhere, as it is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Strayed {
    control: String,
    expected: String,
    got: String,
}

/// What a run of controls came to.
#[derive(Debug, Default)]
pub(super) struct Planted {
    classes: BTreeMap<&'static str, Tally>,
    pub(super) strayed: Vec<Strayed>,
}

impl Planted {
    fn note(&mut self, control: &Control, elsewhere: Option<Elsewhere>) {
        let tally = self.classes.entry(control.family).or_default();
        tally.planted += 1;
        match elsewhere {
            None => tally.landed += 1,
            Some(Elsewhere { expected, got }) => self.strayed.push(Strayed {
                control: clean(&control.id),
                expected: clean(&expected),
                got: clean(&got),
            }),
        }
    }

    fn of(controls: &[&Control]) -> Self {
        let mut planted = Self::default();
        for (control, elsewhere) in controls.iter().zip(control::run_each(controls, None)) {
            planted.note(control, elsewhere);
        }
        planted
    }

    /// Puts the counts among a run's sums.
    pub(super) fn count(&self, sums: &mut Aggregate) {
        for (class, tally) in &self.classes {
            sums.controls(class, tally.planted, tally.landed);
        }
    }

    /// The counts, by the family of what is controlled.
    pub(super) fn tallies(&self) -> &BTreeMap<&'static str, Tally> {
        &self.classes
    }

    /// One line for each control that landed elsewhere.
    pub(super) fn lines(&self) -> Vec<String> {
        let line = |one: &Strayed| {
            format!(
                "control {} landed elsewhere: expected {}, got {}",
                one.control, one.expected, one.got
            )
        };
        self.strayed.iter().map(line).collect()
    }
}

/// Runs what every grade runs: the controls of the rules, of the check kinds, of the canary and of pages, and
/// the user's own.
pub(super) fn planted(own: &[Control]) -> Planted {
    // Run together, they share what costs more to make than to ask.
    let all: Vec<&Control> = built_in().into_iter().flatten().chain(own).collect();
    Planted::of(&all)
}

/// Every control of the program's own.
fn built_in() -> [&'static [Control]; 4] {
    [
        control::rules(),
        control::kinds(),
        control::canaries(),
        control::pages(),
    ]
}

/// The controls of a user's own, and the files that they stand in.
#[derive(Debug, Default)]
pub(super) struct Own {
    /// Each file's name below the folder, and its text.
    pub(super) texts: Vec<(String, String)>,
    /// The controls of all of them.
    pub(super) controls: Vec<Control>,
}

impl Own {
    /// Those of some files.
    pub(super) fn of(texts: Vec<(String, String)>) -> Result<Self, RunError> {
        let mut controls: Vec<Control> = Vec::new();
        let mut ids = BTreeSet::new();
        for (file, text) in &texts {
            let read = control::parse(text, file)?;
            // A control is told by its id alone wherever it is spoken of.
            let twice = read.iter().position(|one| !ids.insert(one.id.clone()));
            if let Some(at) = twice {
                return Err(RunError::Control(ControlError::Control {
                    file: file.clone(),
                    control: at + 1,
                    field: "id",
                    kind: "duplicate",
                }));
            }
            controls.extend(read);
        }
        controls.retain(Control::asks);
        Ok(Self { texts, controls })
    }

    /// Those of files that were kept, one a line.
    pub(super) fn kept(lines: &str) -> Option<Self> {
        let texts: Result<Vec<(String, String)>, _> =
            lines.lines().map(serde_json::from_str).collect();
        Self::of(texts.ok()?).ok()
    }
}

/// The controls of a user's own: every TOML file below a folder, in the order of their names.
pub(super) fn own(folder: Option<&Path>) -> Result<Own, RunError> {
    let Some(folder) = folder else {
        return Ok(Own::default());
    };
    let missing = RunError::Argument {
        field: "--controls",
        kind: "no-folder",
    };
    if !folder.is_dir() {
        return Err(missing);
    }
    let walk = walkdir::WalkDir::new(folder).sort_by_file_name();
    let files = walk.into_iter().filter_map(Result::ok).filter(|entry| {
        let named = entry.path().extension().is_some_and(|end| end == "toml");
        named && entry.file_type().is_file()
    });
    let mut texts = Vec::new();
    for entry in files {
        let below = entry.path().strip_prefix(folder).unwrap_or(entry.path());
        let file = clean(&below.to_string_lossy()).replace('\\', "/");
        let small = entry.metadata().is_ok_and(|meta| meta.len() <= MOST_BYTES);
        let text = std::fs::read_to_string(entry.path());
        let text = text.ok().filter(|_| small);
        let Some(text) = text else {
            return Err(ControlError::Unreadable { file }.into());
        };
        texts.push((file, text));
    }
    // A folder that was mistyped would look as green as one whose controls all landed.
    if texts.is_empty() {
        return Err(RunError::Argument {
            field: "--controls",
            kind: "no-controls",
        });
    }
    Own::of(texts)
}

pub(super) fn run(
    args: &Controls,
    around: &Surroundings,
    out: &mut dyn Write,
) -> Result<Exit, RunError> {
    let guards = guards(args)?;
    let own = own(args.controls.as_deref())?.controls;
    let unknown = args.rule.as_deref().map(control::family_of) == Some(None);
    if unknown {
        return Err(RunError::Argument {
            field: "--rule",
            kind: "unknown-value",
        });
    }
    let wanted = |control: &Control| {
        args.family.as_ref().is_none_or(|own| control.family == own)
            && args.rule.as_ref().is_none_or(|own| control.rule == *own)
    };
    if !built_in().into_iter().flatten().chain(&own).any(wanted) {
        return Err(RunError::Argument {
            field: "--rule",
            kind: "other-family",
        });
    }
    let (controls, planted, disarmed) = with_threads(args.jobs, || {
        let all = built_in().into_iter().flatten().chain(&own);
        let controls: Vec<&Control> = all.filter(|one| wanted(one)).collect();
        let planted = Planted::of(&controls);
        if guards.is_empty() {
            return (controls, planted, Vec::new());
        }
        // A page's examples are controls of guards only.
        let examples = control::examples().iter().filter(|one| wanted(one));
        let reached: Vec<&Control> = controls.iter().copied().chain(examples).collect();
        let disarmed = control::disarm_all(&guards, &reached);
        (controls, planted, disarmed)
    })?;
    match args.format {
        Shape::Table => table(&controls, &planted, &disarmed, args.disarm_all, around, out)?,
        Shape::Json => json(&controls, &planted, &disarmed, out)?,
    }
    out.flush()?;
    let exact = disarmed.iter().all(Disarmed::is_exact);
    Ok(if planted.strayed.is_empty() && exact {
        Exit::Done
    } else {
        Exit::Found
    })
}

/// The guards that are to be switched off, one after the other.
fn guards(args: &Controls) -> Result<Vec<Guard>, RunError> {
    if args.disarm_all {
        let of = |guard: &Guard| {
            let family = args.family.as_deref();
            family.is_none_or(|family| guard.family() == family)
        };
        return Ok(Guard::all().into_iter().filter(of).collect());
    }
    let Some(name) = &args.disarm else {
        return Ok(Vec::new());
    };
    let named = control::named(name);
    let kind = match named.len() {
        0 => "unknown-value",
        1 => return Ok(named),
        _ => "ambiguous",
    };
    Err(RunError::Argument {
        field: "--disarm",
        kind,
    })
}

fn origins<'c>(controls: impl Iterator<Item = &'c Control>) -> BTreeMap<&'static str, u64> {
    let mut origins = BTreeMap::new();
    for control in controls {
        *origins.entry(control.origin_class()).or_insert(0) += 1;
    }
    origins
}

fn departures(controls: &[&Control]) -> u64 {
    let departs = controls.iter().filter(|one| one.departure.is_some());
    departs.count() as u64
}

/// How many there are of each class, how many of them landed, and who says what must come out.
fn classes(
    controls: &[&Control],
    planted: &Planted,
    style: Style,
    out: &mut dyn Write,
) -> Result<(), RunError> {
    let head = "class       planted   landed   origins";
    writeln!(out, "{}", style.dim(head))?;
    for (class, tally) in &planted.classes {
        let own = controls.iter().filter(|one| one.family == *class);
        let origins = origins(own.copied()).into_iter();
        let origins: Vec<String> = origins
            .map(|(origin, count)| format!("{count} {origin}"))
            .collect();
        let (planted, landed, origins) = (tally.planted, tally.landed, origins.join(", "));
        writeln!(out, "{class:<10} {planted:>8} {landed:>8}   {origins}")?;
    }
    Ok(())
}

fn table(
    controls: &[&Control],
    planted: &Planted,
    disarmed: &[Disarmed],
    matrix: bool,
    around: &Surroundings,
    out: &mut dyn Write,
) -> Result<(), RunError> {
    let style = Style::of(around.columns, around.colour);
    classes(controls, planted, style, out)?;
    writeln!(out)?;
    match departures(controls) {
        0 => {}
        count => writeln!(out, "{count} depart from their reader on purpose")?,
    }
    for line in planted.lines() {
        writeln!(out, "{line}")?;
    }
    if matrix {
        let head =
            "guard                                                     listed  flipped    extra";
        writeln!(out, "\n{}", style.dim(head))?;
    }
    for one in disarmed {
        if matrix {
            let guard = one.guard.to_string();
            let (listed, flipped) = (one.listed.len(), one.flipped.len());
            let mark = if one.is_exact() { "" } else { "  not exact" };
            let extra = one.extra.len();
            writeln!(out, "{guard:<56} {listed:>7} {flipped:>8} {extra:>8}{mark}")?;
        } else {
            writeln!(out, "\nwithout {}", one.guard)?;
        }
        let lists = [
            ("flipped", &one.flipped, !matrix),
            ("missing", &one.missing, true),
            ("extra", &one.extra, true),
        ];
        for (word, list, shown) in lists {
            for id in list.iter().filter(|_| shown) {
                writeln!(out, "  {word:<8} {}", clean(id))?;
            }
        }
        if one.listed.is_empty() {
            writeln!(out, "  no control of its own")?;
        }
    }
    if matrix {
        let exact = disarmed.iter().filter(|one| one.is_exact()).count();
        writeln!(out, "\n{} guards, {exact} exact", disarmed.len())?;
    }
    Ok(())
}

/// What switching a guard off did, as it is told.
#[derive(Serialize)]
struct Off<'a> {
    guard: String,
    exact: bool,
    listed: &'a [String],
    flipped: &'a [String],
    missing: &'a [String],
    extra: &'a [String],
}

impl<'a> Off<'a> {
    fn of(one: &'a Disarmed) -> Self {
        Self {
            guard: one.guard.to_string(),
            exact: one.is_exact(),
            listed: &one.listed,
            flipped: &one.flipped,
            missing: &one.missing,
            extra: &one.extra,
        }
    }
}

/// A run of controls, as it is told.
#[derive(Serialize)]
struct Told<'a> {
    schema: &'static str,
    version: &'static str,
    classes: &'a BTreeMap<&'static str, Tally>,
    origins: BTreeMap<&'static str, u64>,
    departures: u64,
    elsewhere: &'a [Strayed],
    disarmed: Vec<Off<'a>>,
}

fn json(
    controls: &[&Control],
    planted: &Planted,
    disarmed: &[Disarmed],
    out: &mut dyn Write,
) -> Result<(), RunError> {
    let told = Told {
        schema: "deedcheck/controls/1",
        version: env!("CARGO_PKG_VERSION"),
        classes: &planted.classes,
        origins: origins(controls.iter().copied()),
        departures: departures(controls),
        elsewhere: &planted.strayed,
        disarmed: disarmed.iter().map(Off::of).collect(),
    };
    let mut bytes = Vec::new();
    append(&mut bytes, &told)?;
    out.write_all(&bytes)?;
    Ok(())
}
