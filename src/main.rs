//! The `deedcheck` binary: surroundings in, text and exit code out.

use std::ffi::OsString;
use std::io::{IsTerminal as _, Read as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use deedcheck::cli::{self, Surroundings};

fn main() -> ExitCode {
    let argv: Vec<OsString> = std::env::args_os().collect();
    let around = surroundings(&argv);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut err = std::io::stderr().lock();
    let ended = cli::run(&argv, &around, &mut out, &mut err);
    let flushed = out.flush();
    match (ended, flushed) {
        (Ok(exit), Ok(())) => ExitCode::from(exit.code()),
        (Err(error), _) | (Ok(_), Err(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        _ => ExitCode::from(2),
    }
}

fn surroundings(argv: &[OsString]) -> Surroundings {
    let path = |name: &str| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let text = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let terminal = std::io::stdout().is_terminal();
    Surroundings {
        home: path("HOME").or_else(|| path("USERPROFILE")),
        claude_dir: path("CLAUDE_CONFIG_DIR"),
        codex_dir: path("CODEX_HOME"),
        cwd: std::env::current_dir().ok(),
        user: text("USER").or_else(|| text("USERNAME")),
        host: host(),
        columns: terminal.then(columns).flatten(),
        colour: terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
        progress: std::io::stderr().is_terminal(),
        stdin: argv.iter().any(|word| word == "-").then(|| {
            let mut bytes = Vec::new();
            let _ = std::io::stdin().lock().read_to_end(&mut bytes);
            bytes
        }),
    }
}

#[cfg(unix)]
fn host() -> Option<String> {
    let name = rustix::system::uname();
    name.nodename().to_str().ok().map(str::to_owned)
}

#[cfg(not(unix))]
fn host() -> Option<String> {
    std::env::var("COMPUTERNAME").ok()
}

#[cfg(unix)]
fn columns() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(std::io::stdout()).ok()?;
    (size.ws_col > 0).then_some(usize::from(size.ws_col))
}

#[cfg(not(unix))]
fn columns() -> Option<usize> {
    std::env::var("COLUMNS").ok()?.parse().ok()
}
