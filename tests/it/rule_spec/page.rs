//! A page of cases: headings, prose, a `session` block and an `expect` block each.

use super::expect::Expect;
use super::script::Script;

pub(crate) struct Case {
    pub(crate) title: String,
    pub(crate) script: Script,
    pub(crate) expects: Vec<Expect>,
}

/// Reads a page; what it does not understand is an error that names the case.
pub(crate) fn cases(page: &str) -> Result<Vec<Case>, String> {
    let mut cases: Vec<Case> = Vec::new();
    let (mut title, mut script): (&str, Option<Script>) = ("", None);
    let mut told = false;
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(next) = line.strip_prefix("## ") {
            if script.is_some() {
                return Err(format!("{title}: a session without expectations"));
            }
            (title, told) = (next, false);
            continue;
        }
        let ticks = line.len() - line.trim_start_matches('`').len();
        if ticks < 3 {
            told = told || !line.trim().is_empty();
            continue;
        }
        let (fence, name) = line.split_at(ticks);
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != fence).collect();
        match name {
            "session" => {
                let read = Script::parse(&block.join("\n"));
                script = Some(read.map_err(|error| format!("{title}: {error}"))?);
            }
            "expect" => {
                let script = script
                    .take()
                    .ok_or_else(|| format!("{title}: expectations without a session"))?;
                if !told {
                    return Err(format!("{title}: no word on why"));
                }
                let expects = block
                    .iter()
                    .map(|line| Expect::parse(line))
                    .collect::<Result<Vec<_>, _>>()
                    .map_err(|error| format!("{title}: {error}"))?;
                for expect in &expects {
                    expect
                        .fits(&script)
                        .map_err(|error| format!("{title}: {error}"))?;
                }
                cases.push(Case {
                    title: title.to_owned(),
                    script,
                    expects,
                });
            }
            _ => return Err(format!("{title}: a block of {name:?}")),
        }
    }
    Ok(cases)
}
