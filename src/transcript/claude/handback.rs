//! What a client wraps around the report of a subagent when it hands it back, and around output
//! that it put into a file.

/// How the line begins that a frame begins with.
const FRAME: &str = "[Subagent hand-back]";
/// The same behind the line before it.
const FRAME_LINE: &str = "\n[Subagent hand-back]";

/// The report of a subagent as its caller was given it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandBack<'a> {
    /// What was launched goes on: nothing was reported yet.
    Launched,
    /// The report, without the client's own lines behind it.
    Inline(&'a str),
    /// The report within a frame: each of its lines is indented by two spaces.
    Framed(&'a str),
    /// Lines of a frame stand here, but not as the client writes them: nothing is taken away.
    Unrecognized(&'a str),
}

impl HandBack<'_> {
    /// The report's text. `None` where nothing was reported yet.
    #[must_use]
    pub fn text(self) -> Option<String> {
        match self {
            Self::Launched => None,
            Self::Inline(text) | Self::Unrecognized(text) => Some(text.to_owned()),
            Self::Framed(body) => {
                let lines: Vec<&str> = body
                    .split('\n')
                    .map(|line| line.strip_prefix("  ").unwrap_or(line))
                    .collect();
                Some(lines.join("\n"))
            }
        }
    }
}

/// Takes the client's frame from a hand-back, by its structure and never by likeness (seed 002).
#[must_use]
pub fn hand_back(text: &str) -> HandBack<'_> {
    if text.starts_with("Async agent launched successfully.") {
        return HandBack::Launched;
    }
    let above = notes(text).unwrap_or(0);
    let framed = text[above..].starts_with(FRAME);
    let trailed = text.split('\n').any(|line| line.starts_with("<usage>"));
    if !framed && !trailed {
        return HandBack::Inline(text);
    }
    let Some(body) = without_trailer(text) else {
        return HandBack::Unrecognized(text);
    };
    if !framed {
        return HandBack::Inline(body);
    }
    match body.get(above..).unwrap_or("").split_once('\n') {
        Some((first, report)) if first.ends_with("The report follows:") && indented(report) => {
            HandBack::Framed(report)
        }
        _ => HandBack::Unrecognized(text),
    }
}

/// The path of the file that the whole of an output was put into, where the client says so in its
/// place.
#[must_use]
pub fn persisted(text: &str) -> Option<&str> {
    let body = text.strip_prefix("<persisted-output>")?;
    let (_, rest) = body.split_once("Full output saved to: ")?;
    Some(rest.lines().next().unwrap_or("").trim_end())
}

/// The length of the client's notes above a frame: lines that are indented as those of a report are, so that no
/// report can pass for them.
fn notes(text: &str) -> Option<usize> {
    let frame = match text.starts_with(FRAME) {
        true => 0,
        false => memchr::memmem::find(text.as_bytes(), FRAME_LINE.as_bytes())? + 1,
    };
    indented(text[..frame].trim_end_matches('\n')).then_some(frame)
}

fn indented(report: &str) -> bool {
    report
        .split('\n')
        .all(|line| line.is_empty() || line.starts_with("  "))
}

/// What stands before one line with the agent's id and one block of counts that ends the text.
fn without_trailer(text: &str) -> Option<&str> {
    let inner = text.trim_end().strip_suffix("</usage>")?;
    let (before, counts) = inner.rsplit_once("<usage>")?;
    let count = |line: &str| {
        line.split_once(": ").is_some_and(|(name, number)| {
            let word = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
            let digits = number.bytes().all(|byte| byte.is_ascii_digit());
            !name.is_empty() && name.bytes().all(word) && digits && !number.is_empty()
        })
    };
    if !counts.trim_matches('\n').split('\n').all(count) {
        return None;
    }
    let (body, agent) = before.strip_suffix('\n')?.rsplit_once('\n')?;
    let is_agent = |line: &str| line.starts_with("agentId: ");
    let last = body.rsplit('\n').next().unwrap_or("");
    (is_agent(agent) && !is_agent(last)).then_some(body)
}

#[cfg(test)]
mod tests {
    use super::{HandBack, hand_back, persisted};

    const TRAILER: &str = "agentId: a1\n<usage>total_tokens: 12\ntool_uses: 1</usage>";

    #[test]
    fn a_frame_is_taken_away_by_its_structure() {
        let framed = format!(
            "[Subagent hand-back] It ended. The report follows:\n  one\n\n  two\n{TRAILER}"
        );
        assert_eq!(hand_back(&framed).text().as_deref(), Some("one\n\ntwo"));
        // The newest client writes notes of its own above the frame.
        let noted = format!("  <tools-used>Bash</tools-used>\n  \n{framed}");
        assert_eq!(hand_back(&noted).text().as_deref(), Some("one\n\ntwo"));
        let inline = format!("one\ntwo\n{TRAILER}\n");
        assert_eq!(hand_back(&inline), HandBack::Inline("one\ntwo"));
        assert_eq!(hand_back("one"), HandBack::Inline("one"));
        for other in [
            format!("[Subagent hand-back] It ended. The report follows:\none\n{TRAILER}"),
            format!("[Subagent hand-back] It ended.\n  one\n{TRAILER}"),
            "one\n<usage>tool_uses: 1</usage>".to_owned(),
            "one\nagentId: a1\n<usage>tool_uses: one</usage>".to_owned(),
            "one\nagentId: a1\n<usage></usage>".to_owned(),
            format!("one\n{TRAILER}\nmore"),
        ] {
            assert_eq!(hand_back(&other), HandBack::Unrecognized(&other));
        }
        // Without the indent it is none of the client's own, and stays as it stands.
        let other = format!("a note\n{framed}");
        let whole = other.strip_suffix(&format!("\n{TRAILER}")).unwrap();
        assert_eq!(hand_back(&other), HandBack::Inline(whole));
        assert_eq!(
            hand_back("Async agent launched successfully.\n"),
            HandBack::Launched
        );
    }

    #[test]
    fn an_output_elsewhere_is_told_at_its_very_beginning() {
        let text =
            "<persisted-output>\nOutput too large. Full output saved to: /runs/a b.txt\n\nPreview";
        assert_eq!(persisted(text), Some("/runs/a b.txt"));
        assert_eq!(persisted(&format!(" {text}")), None);
        assert_eq!(persisted("<persisted-output>\nPreview"), None);
    }
}
