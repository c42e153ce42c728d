//! The session language of the pages under `tests/rules`, whose `README.md` defines it: a session
//! without the spellings of any client.

use serde::Deserialize;

/// Stands in an output for the place where the client cut it; each client writes its own mark there.
pub(super) const CUT: char = '\u{e000}';

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With this exit code.
    Code(i64),
    /// Refused by the operator: it never ran.
    Denied,
    /// The record holds no result.
    Missing,
    /// A poll that found the command still at work.
    Running,
    /// Ended, but the record's exit code is null.
    Null,
}

/// What stands between a prompt and a close.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// What the agent says between calls.
    Say(String),
    /// A shell call.
    Command {
        /// What was typed.
        cmd: String,
        /// What was printed.
        out: String,
        /// How it ended.
        end: End,
    },
    /// A shell call in the background.
    Launch {
        /// By what a poll names it.
        tag: String,
        /// What was typed.
        cmd: String,
    },
    /// A look at a call in the background.
    Poll {
        /// The tag of its launch.
        tag: String,
        /// What was printed.
        out: String,
        /// How it ended.
        end: End,
    },
    /// A change of a file by the client's tool.
    Edit {
        /// The file.
        path: String,
        /// The lines that were there.
        old: String,
        /// The lines that are there now.
        new: String,
        /// Whether the tool did it.
        ok: bool,
    },
    /// A new file by the client's tool.
    Write {
        /// The file.
        path: String,
        /// Its text.
        text: String,
        /// Whether the tool did it.
        ok: bool,
    },
    /// A look at a file.
    Read {
        /// The file.
        path: String,
        /// Its text.
        text: String,
        /// How it ended.
        end: End,
    },
    /// The removal of a file.
    Delete {
        /// The file.
        path: String,
    },
    /// Items of a to-do list, each led by `x`, `~` or a space for its state.
    Todo(Vec<(char, String)>),
    /// A launched agent.
    Agent {
        /// What it was told to do.
        task: String,
        /// Its own record, where there is one.
        steps: Option<Vec<Self>>,
        /// What it handed back.
        answer: String,
    },
    /// Any other tool.
    Tool {
        /// Its name.
        name: String,
        /// Its arguments.
        input: serde_json::Value,
        /// What it answered.
        out: String,
        /// How it ended.
        end: End,
    },
    /// The client compacted the conversation to this summary.
    Compact(String),
    /// A record of a kind, named here, that no adapter knows.
    Strange(String),
}

/// A prompt and what followed.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    /// The operator's words.
    pub prompt: String,
    /// What was done, in order.
    pub steps: Vec<Step>,
    /// The closing words; none where the operator broke the turn off.
    pub close: Option<String>,
}

/// A whole session.
#[derive(Debug, Clone, PartialEq)]
pub struct Script {
    /// The working directory.
    pub cwd: String,
    /// The one client that it is for; none for both.
    pub client: Option<Client>,
    /// Its turns.
    pub turns: Vec<Turn>,
}

/// A client whose files a session is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Client {
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
}

impl Client {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Claude, Self::Codex];

    /// The name in controls.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
        }
    }
}

/// Agents that launch agents at most.
const DEPTH: usize = 4;

/// The lines yet to be read.
struct Lines<'a> {
    all: &'a [&'a str],
    at: usize,
    /// How many agents stand above these lines.
    depth: usize,
}

impl<'a> Lines<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.all.get(self.at).copied()
    }

    fn next(&mut self) -> Option<&'a str> {
        let line = self.peek()?;
        self.at += 1;
        Some(line)
    }

    /// The lines led by `mark`, without it. A line that is the mark alone is an empty one.
    fn led(&mut self, mark: &str) -> Vec<&'a str> {
        let mut found = Vec::new();
        while let Some(line) = self.peek() {
            let bare = mark.trim_end();
            let Some(rest) = line
                .strip_prefix(mark)
                .or_else(|| (line == bare && !bare.is_empty()).then_some(""))
            else {
                break;
            };
            found.push(rest);
            self.at += 1;
        }
        found
    }

    /// What a call printed, `~` alone being a cut, and how it ended.
    fn outcome(&mut self) -> Result<(String, End), String> {
        let mut out: Vec<String> = Vec::new();
        loop {
            let rows = self.led("| ");
            let more = !rows.is_empty();
            out.extend(rows.into_iter().map(str::to_owned));
            if self.peek() == Some("~") {
                self.at += 1;
                out.push(CUT.to_string());
            } else if !more {
                break;
            }
        }
        let end = match self.led("= ").as_slice() {
            [] => End::Code(0),
            ["denied"] => End::Denied,
            ["missing"] => End::Missing,
            ["running"] => End::Running,
            ["null"] => End::Null,
            [code] => End::Code(code.parse().map_err(|_| format!("no outcome: = {code}"))?),
            _ => return Err("two outcomes".to_owned()),
        };
        Ok((out.join("\n"), end))
    }

    /// The close: everything up to the next prompt, without the empty lines at its end.
    fn close(&mut self) -> String {
        let mut text: Vec<&str> = Vec::new();
        while let Some(line) = self.peek().filter(|line| !line.starts_with("operator: ")) {
            text.push(line);
            self.at += 1;
        }
        text.join("\n").trim_end().to_owned()
    }
}

fn joined(first: &str, more: &[&str]) -> String {
    let mut text = first.to_owned();
    for line in more {
        text.push('\n');
        text.push_str(line);
    }
    text
}

fn edit(lines: &mut Lines<'_>, path: &str, ok: bool) -> Step {
    let (mut old, mut new) = (Vec::new(), Vec::new());
    while let Some(line) = lines.peek() {
        let mut bytes = line.chars();
        let mark = bytes.next();
        let rest = bytes.as_str();
        let rest = rest.strip_prefix(' ').unwrap_or(rest);
        match mark {
            Some('-') => old.push(rest),
            Some('+') => new.push(rest),
            Some(' ') => {
                old.push(rest);
                new.push(rest);
            }
            _ => break,
        }
        lines.at += 1;
    }
    Step::Edit {
        path: path.to_owned(),
        old: old.join("\n"),
        new: new.join("\n"),
        ok,
    }
}

fn write(lines: &mut Lines<'_>, path: &str, ok: bool) -> Step {
    let mut text = lines.led("+ ").join("\n");
    text.push('\n');
    Step::Write {
        path: path.to_owned(),
        text,
        ok,
    }
}

fn agent(lines: &mut Lines<'_>, task: &str) -> Result<Step, String> {
    let inner = lines.led("  ");
    let steps = if inner.is_empty() {
        None
    } else {
        if lines.depth >= DEPTH {
            return Err("agents launch agents too deep".to_owned());
        }
        let mut own = Lines {
            all: &inner,
            at: 0,
            depth: lines.depth + 1,
        };
        let mut steps = Vec::new();
        while let Some(line) = own.next() {
            steps.push(step(&mut own, line)?);
        }
        Some(steps)
    };
    Ok(Step::Agent {
        task: task.to_owned(),
        steps,
        answer: lines.led("| ").join("\n"),
    })
}

fn tool(lines: &mut Lines<'_>, rest: &str) -> Result<Step, String> {
    let (name, input) = rest.split_once(' ').unwrap_or((rest, "{}"));
    let input = serde_json::from_str(input).map_err(|error| format!("{rest}: {error}"))?;
    let (out, end) = lines.outcome()?;
    Ok(Step::Tool {
        name: name.to_owned(),
        input,
        out,
        end,
    })
}

fn todo(lines: &mut Lines<'_>, first: &str) -> Result<Step, String> {
    let mut items = Vec::new();
    for line in std::iter::once(first).chain(lines.led("todo ")) {
        let mut chars = line.chars();
        match (chars.next(), chars.next(), chars.next(), chars.next()) {
            (Some('['), Some(state @ ('x' | '~' | ' ')), Some(']'), Some(' ')) => {
                items.push((state, chars.as_str().to_owned()));
            }
            _ => return Err(format!("no to-do: {line}")),
        }
    }
    Ok(Step::Todo(items))
}

fn step(lines: &mut Lines<'_>, line: &str) -> Result<Step, String> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let rest = rest.to_owned();
    Ok(match word {
        "say:" => Step::Say(joined(&rest, &lines.led("  "))),
        "$" => {
            let cmd = joined(&rest, &lines.led("> "));
            let (out, end) = lines.outcome()?;
            Step::Command { cmd, out, end }
        }
        "$&" => {
            let (tag, cmd) = rest.split_once(' ').ok_or("$& TAG COMMAND")?;
            Step::Launch {
                tag: tag.to_owned(),
                cmd: cmd.to_owned(),
            }
        }
        "poll" => {
            let (out, end) = lines.outcome()?;
            Step::Poll {
                tag: rest,
                out,
                end,
            }
        }
        "edit" | "edit!" => edit(lines, &rest, word == "edit"),
        "write" | "write!" => write(lines, &rest, word == "write"),
        "delete" => Step::Delete { path: rest },
        "read" => {
            let (text, end) = lines.outcome()?;
            Step::Read {
                path: rest,
                text,
                end,
            }
        }
        "todo" => todo(lines, &rest)?,
        "agent:" => agent(lines, &rest)?,
        "tool" => tool(lines, &rest)?,
        "compact:" => Step::Compact(rest),
        "strange" => Step::Strange(rest),
        _ => return Err(format!("not understood: {line}")),
    })
}

impl Script {
    /// How many records of it no adapter knows.
    #[must_use]
    pub fn strange(&self) -> u64 {
        let steps = self.turns.iter().flat_map(|turn| &turn.steps);
        steps
            .filter(|step| matches!(step, Step::Strange(_)))
            .count() as u64
    }

    /// Reads a session.
    ///
    /// # Errors
    /// The line that is not understood.
    pub fn parse(text: &str) -> Result<Self, String> {
        let all: Vec<&str> = text.lines().collect();
        let mut lines = Lines {
            all: &all,
            at: 0,
            depth: 0,
        };
        let mut script = Self {
            cwd: "/home/dev/app".to_owned(),
            client: None,
            turns: Vec::new(),
        };
        while let Some(line) = lines.next() {
            if let Some(prompt) = line.strip_prefix("operator: ") {
                let prompt = joined(prompt, &lines.led("  "));
                script.turns.push(Turn {
                    prompt,
                    steps: Vec::new(),
                    close: None,
                });
                continue;
            }
            let Some(turn) = script.turns.last_mut() else {
                match line.split_once(": ") {
                    Some(("cwd", cwd)) => cwd.clone_into(&mut script.cwd),
                    Some(("client", name)) => {
                        let known = Client::ALL.into_iter().find(|one| one.as_str() == name);
                        script.client = Some(known.ok_or_else(|| format!("no client: {name}"))?);
                    }
                    _ => return Err(format!("before the first prompt: {line}")),
                }
                continue;
            };
            if turn.close.is_some() {
                return Err(format!("after the close: {line}"));
            }
            match line {
                "close:" => turn.close = Some(lines.close()),
                "interrupted" | "" => {}
                _ => turn.steps.push(step(&mut lines, line)?),
            }
        }
        if script.turns.is_empty() {
            return Err("no turn".to_owned());
        }
        Ok(script)
    }
}
