//! The `deedcheck` binary: surroundings in, text and exit code out.

use std::ffi::OsString;
use std::io::{ErrorKind, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use deedcheck::capture::{Variables, Watched, attended, watch};
use deedcheck::cli::{self, Exit, Surroundings};

fn main() -> ExitCode {
    let argv: Vec<OsString> = std::env::args_os().collect();
    let variables: Variables = std::env::vars_os().collect();
    // Before anything holds standard input.
    let variables = attended(&variables, &std::io::stdin()).unwrap_or(variables);
    let around = surroundings(variables);
    if let Some(ended) = watched(&argv, &around) {
        return ended;
    }
    let mut input = std::io::stdin().lock();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut err = std::io::stderr().lock();
    let ended = cli::run(&argv, &around, &mut input, &mut out, &mut err);
    let ended = match ended {
        // The one line is said; that standard output failed may be the very thing it says.
        Ok(Exit::Refused) => Ok(Exit::Refused),
        other => other.and_then(|exit| out.flush().map(|()| exit)),
    };
    match ended {
        Ok(exit) => ExitCode::from(exit.code()),
        // Nobody reads on: that is the reader's choice and no failure of ours.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // Where standard error is closed too, there is nobody left to tell.
            let _ = writeln!(err, "{}", cli::RunError::from(error));
            ExitCode::from(2)
        }
    }
}

/// Lets a process of its own do what starts commands.
fn watched(argv: &[OsString], around: &Surroundings) -> Option<ExitCode> {
    let temporary = around.temporary.as_deref()?;
    let own = std::env::current_exe().ok()?;
    Some(match watch(&own, argv, &around.variables, temporary)? {
        Watched::Ended(code) => ExitCode::from(code),
        Watched::Broken => {
            let _ = writeln!(std::io::stderr(), "E_CAPTURE field=supervisor kind=ended");
            ExitCode::from(2)
        }
    })
}

fn surroundings(variables: Variables) -> Surroundings {
    let path = |name: &str| variables.get(name).map(PathBuf::from);
    let text = |name: &str| variables.get(name)?.to_str().map(str::to_owned);
    let terminal = std::io::stdout().is_terminal();
    Surroundings {
        home: path("HOME").or_else(|| path("USERPROFILE")),
        claude_dir: path("CLAUDE_CONFIG_DIR"),
        codex_dir: path("CODEX_HOME"),
        cwd: std::env::current_dir().ok(),
        user: text("USER").or_else(|| text("USERNAME")),
        host: host(),
        temporary: Some(variables.temporary()),
        columns: terminal.then(columns).flatten(),
        colour: terminal
            && text("NO_COLOR").is_none()
            && text("TERM").is_none_or(|term| term != "dumb"),
        progress: std::io::stderr().is_terminal(),
        variables,
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
