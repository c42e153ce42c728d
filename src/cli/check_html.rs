//! `deedcheck check-html`: is a page fit to be published?

pub(super) mod print;

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};

use super::retained::Retained;
use super::sources::{text_of, written_of};
use super::watch::{surroundings, watch};
use super::{Exit, RunError, Surroundings};
use crate::page::{Against, Checked, Map, PageError, Rows, Sums, Syntax, check};
use crate::private::Canary;

/// Bytes of a page that are read at most, and one more to tell that there are more.
const LARGEST: u64 = (1 << 30) + 1;

#[derive(Debug, Args)]
#[command(
    after_help = "A finding names its kind and its place, never what stands there. `deedcheck explain check-html` \
                  says what is looked for.\n\
                  Exit codes: 0 clean, 1 something was found, 2 refused."
)]
pub(super) struct CheckHtml {
    /// Pages: HTML, or Markdown by its ending or its look; `-` is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath, required = true)]
    files: Vec<PathBuf>,
    /// The private directory of the run that the pages tell of: its rows, and the private values
    /// that no page may hold
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    from: Option<PathBuf>,
    /// The aggregate that the pages' numbers are of
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    aggregate: Option<PathBuf>,
    /// Which numbers of a page stand for which cells, where the page does not say so itself
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    map: Option<PathBuf>,
    /// Print the findings as JSON
    #[arg(long)]
    json: bool,
}

/// What the pages are held against.
struct Known {
    canary: Canary,
    /// The values of the run with every shape, as its own pages were searched.
    strict: Option<Canary>,
    sums: Option<Sums>,
    map: Option<Map>,
    rows: Option<PathBuf>,
}

pub(super) fn run(
    args: &CheckHtml,
    around: &Surroundings,
    input: &mut dyn Read,
    out: &mut dyn Write,
) -> Result<Exit, RunError> {
    let known = known(args, around)?;
    let mut pages = Vec::new();
    for (index, path) in args.files.iter().enumerate() {
        let refused = |kind| RunError::Page {
            file: index + 1,
            kind,
        };
        let bytes = page(path, input).map_err(refused)?;
        let checked = checked(&known, path, &bytes).map_err(|error| {
            refused(match error {
                PageError::TooLarge => "too-large",
                PageError::Charset => "charset",
                PageError::Rows => "rows",
            })
        })?;
        pages.push((path.as_path(), checked));
    }
    if args.json {
        print::json(&known, &pages, out)?;
    } else {
        print::lines(&known, &pages, out)?;
    }
    out.flush()?;
    let clean = pages.iter().all(|(_, page)| page.findings.is_empty());
    Ok(if clean { Exit::Done } else { Exit::Found })
}

fn checked(known: &Known, path: &Path, bytes: &[u8]) -> Result<Checked, PageError> {
    let open = || -> std::io::Result<Box<dyn BufRead>> {
        let path = known.rows.as_deref().unwrap_or(Path::new(""));
        Ok(Box::new(BufReader::new(File::open(path)?)))
    };
    let rows = known.rows.is_some().then_some(Rows {
        open: &open,
        canary: known.strict.as_ref(),
    });
    let against = Against {
        canary: Some(&known.canary),
        sums: known.sums.as_ref(),
        map: known.map.as_ref(),
        rows,
    };
    check(bytes, syntax(path, bytes), &against)
}

/// A page's bytes. What cannot be read is told by its kind.
fn page(path: &Path, input: &mut dyn Read) -> Result<Vec<u8>, &'static str> {
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        let read = input.take(LARGEST).read_to_end(&mut bytes);
        read.map_err(|_| "unreadable")?;
        return Ok(bytes);
    }
    let meta = std::fs::metadata(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => "missing",
        _ => "unreadable",
    })?;
    if !meta.is_file() {
        return Err("not-regular");
    }
    let file = File::open(path).map_err(|_| "unreadable")?;
    // What is read at once is not copied while it grows.
    bytes.reserve_exact(usize::try_from(meta.len().min(LARGEST)).unwrap_or(0));
    let read = file.take(LARGEST).read_to_end(&mut bytes);
    read.map_err(|_| "unreadable")?;
    Ok(bytes)
}

/// How a page is written: its ending says so, and where it does not, its first words.
fn syntax(path: &Path, bytes: &[u8]) -> Syntax {
    let ending = path.extension().and_then(|ending| ending.to_str());
    match ending.map(str::to_ascii_lowercase).as_deref() {
        Some("md" | "markdown" | "mdown" | "mkd" | "mdx") => return Syntax::Markdown,
        Some("html" | "htm" | "xhtml" | "svg" | "xml") => return Syntax::Html,
        _ => {}
    }
    let head = bytes.get(..bytes.len().min(4096)).unwrap_or_default();
    // UTF-16 reads so too.
    let head: Vec<u8> = head.iter().copied().filter(u8::is_ascii_graphic).collect();
    let head = head.to_ascii_lowercase();
    let begins = ["<!doctype", "<html", "<head", "<body", "<svg", "<?xml"];
    let html = begins
        .iter()
        .any(|word| memchr::memmem::find(&head, word.as_bytes()).is_some());
    if html { Syntax::Html } else { Syntax::Markdown }
}

fn known(args: &CheckHtml, around: &Surroundings) -> Result<Known, RunError> {
    let mut canary = Canary::new().for_pages();
    let (mut strict, mut rows) = (None, None);
    let mut aggregate = args.aggregate.clone();
    if let Some(dir) = &args.from {
        let run = Retained::verify(dir)?;
        rows = Some(run.path("grades")?);
        if aggregate.is_none() && run.has("aggregate") {
            aggregate = Some(run.path("aggregate")?);
        }
        let values = run.canary();
        let mut every = Canary::new();
        watch(&mut canary, &values);
        watch(&mut every, &values);
        watch(&mut every, &surroundings(around));
        strict = Some(every);
    }
    watch(&mut canary, &surroundings(around));
    let wrong = |field, kind| RunError::Argument { field, kind };
    let sums = aggregate.as_deref().map(|path| {
        let text = text_of(path, "--aggregate")?;
        Sums::read(text.as_bytes()).ok_or(wrong("--aggregate", "no-aggregate"))
    });
    let sums = sums.transpose()?;
    let map = args.map.as_deref().map(|path| {
        let text = written_of(path, "--map")?;
        Ok::<_, RunError>(Map::parse(&text)?)
    });
    let map = map.transpose()?;
    if map.is_some() && sums.is_none() {
        return Err(wrong("--map", "needs-aggregate"));
    }
    Ok(Known {
        canary,
        strict,
        sums,
        map,
        rows,
    })
}
