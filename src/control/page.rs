//! Pages of cases: headings, prose, a `session` block and an `expect` block each.

use super::expect::Expect;
use super::session::Script;

/// One case of a page.
#[derive(Debug, Clone)]
pub struct Case {
    /// Its heading.
    pub title: String,
    /// The words between its heading and its session.
    pub why: String,
    /// The session as it is written there.
    pub text: String,
    /// The session.
    pub script: Script,
    /// The lines of its `expect` block.
    pub lines: Vec<String>,
    /// What they say.
    pub expects: Vec<Expect>,
}

/// Reads a page.
///
/// # Errors
/// What it does not understand, led by the case's name.
pub fn cases(page: &str) -> Result<Vec<Case>, String> {
    let mut cases: Vec<Case> = Vec::new();
    let (mut title, mut session): (&str, Option<(Script, String)>) = ("", None);
    let mut why = String::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(next) = line.strip_prefix("## ") {
            if session.is_some() {
                return Err(format!("{title}: a session without expectations"));
            }
            title = next;
            why.clear();
            continue;
        }
        let ticks = line.len() - line.trim_start_matches('`').len();
        if ticks < 3 {
            why.push_str(line);
            why.push('\n');
            continue;
        }
        let (fence, name) = line.split_at(ticks);
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != fence).collect();
        match name {
            "session" => {
                let text = block.join("\n");
                let read = Script::parse(&text).map_err(|error| format!("{title}: {error}"))?;
                session = Some((read, text));
            }
            "expect" => {
                let (script, text) = session
                    .take()
                    .ok_or_else(|| format!("{title}: expectations without a session"))?;
                let why = why.trim();
                if why.is_empty() {
                    return Err(format!("{title}: no word on why"));
                }
                let expects = expects(&block, &script);
                cases.push(Case {
                    title: title.to_owned(),
                    why: why.to_owned(),
                    text,
                    script,
                    lines: block.iter().map(|line| (*line).to_owned()).collect(),
                    expects: expects.map_err(|error| format!("{title}: {error}"))?,
                });
            }
            _ => return Err(format!("{title}: a block of {name:?}")),
        }
    }
    Ok(cases)
}

fn expects(block: &[&str], script: &Script) -> Result<Vec<Expect>, String> {
    let read = |line: &&str| {
        let expect = Expect::parse(line)?;
        expect.fits(script)?;
        Ok(expect)
    };
    block.iter().map(read).collect()
}
