//! The stages of the reading, each over the golden sessions held in memory. Throughput is told in
//! bytes of what the stage reads.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use deedcheck::control::{self, Control};
use deedcheck::private::{Canary, Kind};
use deedcheck::rule::gate::exact::Gate;
use deedcheck::rule::gate::normalize::normalize_04;
use deedcheck::rule::gate::python::identifiers;
use deedcheck::rule::gate::{Preset, Profile};
use deedcheck::source::{Found, LineReader, discover};
use deedcheck::transcript::{Action, Body, Event, Format, Sink, read_file};
use deedcheck::turn::{Delegated, SessionFold, Turn, TurnSink};
use deedcheck::{canon, pipeline, shell, text};
use divan::counter::BytesCount;
use divan::{Bencher, black_box};

/// Bytes that a stage reads at least in one round.
const ROUND: usize = 8 << 20;

fn main() {
    divan::main();
}

/// What the golden sessions hold, by stage.
struct Golden {
    /// The files of each format, repeated to [`ROUND`] bytes.
    files: Vec<(Format, &'static [u8])>,
    commands: Vec<String>,
    closes: Vec<String>,
    results: Vec<String>,
    turns: Vec<Turn>,
    rows: Vec<deedcheck::grade::Row>,
    row_bytes: Vec<u8>,
}

#[derive(Default)]
struct Gathered {
    commands: Vec<String>,
    results: Vec<String>,
}

impl Sink for Gathered {
    fn event(&mut self, event: Event<'_>) {
        match event.body {
            Body::Call(call) => {
                if let Action::Shell { command, .. } = call.action {
                    self.commands.push(command.into_owned());
                }
            }
            Body::Outcome(reply) => self.results.push(reply.text.into_owned()),
            _ => {}
        }
    }
}

#[derive(Default)]
struct Turns(Vec<Turn>);

impl TurnSink for Turns {
    fn turn(&mut self, turn: Turn) {
        self.0.push(turn);
    }

    fn rewound(&mut self, _: &[u32]) {}
}

/// Hands events to a fold, as the pipeline does for a file of one session.
struct Folding<'f, 's>(&'f mut SessionFold<'s, Turns>);

impl Sink for Folding<'_, '_> {
    fn event(&mut self, event: Event<'_>) {
        self.0.event(event);
    }
}

/// Counts events without looking at them, so that decoding alone is measured.
struct Counted(u64);

impl Sink for Counted {
    fn event(&mut self, event: Event<'_>) {
        self.0 += 1;
        black_box(&event);
    }
}

static GOLDEN: LazyLock<Golden> = LazyLock::new(|| {
    let root: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    let found = discover(&[root]).expect("the golden sessions lie in the repository");
    let mut joined: Vec<(Format, Vec<u8>)> = Vec::new();
    let mut gathered = Gathered::default();
    let mut turns = Vec::new();
    for file in found.files.iter().filter(|file| file.expected) {
        let format = read_file(open(file), &mut gathered).format;
        turns.extend(fold(open(file)));
        let bytes = std::fs::read(&file.path).expect("a found file can be read");
        match joined.iter_mut().find(|(known, _)| *known == format) {
            Some((_, all)) => all.extend_from_slice(&bytes),
            None => joined.push((format, bytes)),
        }
    }
    let files = joined
        .into_iter()
        .filter(|(format, _)| *format != Format::Unknown)
        .map(|(format, bytes)| (format, repeated(&bytes)))
        .collect();
    let graded = pipeline::grade(&found.files, &pipeline::Policy::default(), &|_| {});
    let mut row_bytes = Vec::new();
    for row in &graded.rows {
        canon::append_line(&mut row_bytes, row).expect("rows can be written");
    }
    let closes = turns.iter().flat_map(|turn: &Turn| &turn.closes);
    Golden {
        files,
        commands: gathered.commands,
        closes: closes.map(|close| close.text.clone()).collect(),
        results: gathered.results,
        turns,
        rows: graded.rows,
        row_bytes,
    }
});

fn open(file: &Found) -> LineReader {
    file.open().expect("a found file can be opened")
}

fn repeated(bytes: &[u8]) -> &'static [u8] {
    let times = ROUND.div_ceil(bytes.len().max(1));
    Box::leak(bytes.repeat(times).into_boxed_slice())
}

fn reader(bytes: &'static [u8]) -> LineReader {
    LineReader::of_bytes(bytes.into()).expect("plain bytes need no unpacking")
}

fn fold(lines: LineReader) -> Vec<Turn> {
    let (owned, children): (HashSet<u64>, HashMap<String, Delegated>) = Default::default();
    let mut session = SessionFold::new(Turns::default(), &owned, &children, false);
    read_file(lines, &mut Folding(&mut session));
    session.finish().1.0
}

fn of_format(name: &str) -> &'static [u8] {
    let found = GOLDEN.files.iter().find(|(own, _)| own.as_str() == name);
    found.map_or(&[], |(_, bytes)| *bytes)
}

fn sum(texts: &[String]) -> BytesCount {
    BytesCount::new(texts.iter().map(String::len).sum::<usize>())
}

#[divan::bench]
fn lines_and_hash(bencher: Bencher<'_, '_>) {
    let bytes = of_format("claude-session");
    bencher.counter(BytesCount::new(bytes.len())).bench(|| {
        let mut lines = reader(bytes);
        while let Some(line) = lines.next_line() {
            black_box(line);
        }
        lines.finish()
    });
}

const FORMATS: [&str; 4] = [
    "claude-session",
    "claude-stream",
    "codex-rollout",
    "codex-exec",
];

/// Lines and hash included.
#[divan::bench(args = FORMATS)]
fn decode(bencher: Bencher<'_, '_>, format: &str) {
    let bytes = of_format(format);
    bencher
        .counter(BytesCount::new(bytes.len()))
        .bench(|| read_file(reader(bytes), &mut Counted(0)));
}

/// Decoding, lines and hash included.
#[divan::bench(args = FORMATS)]
fn decode_and_fold(bencher: Bencher<'_, '_>, format: &str) {
    let bytes = of_format(format);
    bencher
        .counter(BytesCount::new(bytes.len()))
        .bench(|| fold(reader(bytes)));
}

#[divan::bench]
fn shell_read(bencher: Bencher<'_, '_>) {
    let texts = &GOLDEN.commands;
    bencher.counter(sum(texts)).bench(|| {
        for command in texts {
            black_box(shell::read(command));
        }
    });
}

#[divan::bench]
fn prose_read(bencher: Bencher<'_, '_>) {
    let texts = &GOLDEN.closes;
    bencher.counter(sum(texts)).bench(|| {
        for close in texts {
            black_box(text::Prose::read(close));
        }
    });
}

#[divan::bench]
fn normalize(bencher: Bencher<'_, '_>) {
    let texts = &GOLDEN.results;
    bencher.counter(sum(texts)).bench(|| {
        for result in texts {
            black_box(normalize_04(result));
        }
    });
}

/// The scan that relevance to a claim rests on.
#[divan::bench]
fn surface_scan(bencher: Bencher<'_, '_>) {
    let texts = &GOLDEN.results;
    bencher.counter(sum(texts)).bench(|| {
        let runs = texts.iter().map(|text| identifiers(text).count());
        black_box(runs.sum::<usize>())
    });
}

/// Bytes are those of the results that the turns hold.
#[divan::bench]
fn gate_judge(bencher: Bencher<'_, '_>) {
    let turns = &GOLDEN.turns;
    let steps = turns.iter().flat_map(|turn| &turn.steps);
    let held: usize = steps.map(|step| step.text.held()).sum();
    bencher.counter(BytesCount::new(held)).bench(|| {
        let mut gate = Gate::new(Profile::Replay, Preset::Default, &[]);
        for turn in turns {
            black_box(gate.judge(turn));
        }
    });
}

#[divan::bench]
fn canon_write(bencher: Bencher<'_, '_>) {
    let golden = &*GOLDEN;
    bencher
        .counter(BytesCount::new(golden.row_bytes.len()))
        .bench(|| {
            let mut out = Vec::with_capacity(golden.row_bytes.len());
            for row in &golden.rows {
                black_box(canon::append_line(&mut out, row).is_ok());
            }
            out
        });
}

#[divan::bench]
fn canary_scan(bencher: Bencher<'_, '_>) {
    let bytes = repeated(&GOLDEN.row_bytes);
    let mut canary = Canary::new();
    for number in 0..200 {
        let id = format!("5e55f{number:03}-0001-4000-8000-00000000ffff");
        canary.value(Kind::Session, &id);
    }
    bencher
        .counter(BytesCount::new(bytes.len()))
        .bench(|| canary.scan(bytes));
}

/// All controls of a grade, read before. `benches/whole/controls.py` measures the reading as well.
#[divan::bench]
fn controls_run(bencher: Bencher<'_, '_>) {
    let all = [
        control::rules(),
        control::kinds(),
        control::canaries(),
        control::pages(),
    ];
    let all: Vec<&Control> = all.into_iter().flatten().collect();
    bencher.bench(|| control::run_each(&all, None));
}
