//! Tools of code hosts that open or reword a pull request: whichever client calls them, and whatever
//! prefix it gives them, they end alike.

use serde::Deserialize;

use super::loose::Str;
use super::record::{Action, Text};

const ENDINGS: [&str; 5] = [
    "create_pull_request",
    "update_pull_request",
    "create_merge_request",
    "update_merge_request",
    "edit_pull_request",
];

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Proposal<'a> {
    #[serde(borrow)]
    title: Str<'a>,
    #[serde(borrow)]
    body: Str<'a>,
    #[serde(borrow)]
    description: Str<'a>,
}

/// What such a tool is asked for; `None` for every other tool.
pub(super) fn action<'a>(tool: &str, args: &'a str) -> Option<Action<'a>> {
    if !ENDINGS.iter().any(|ending| tool.ends_with(ending)) {
        return None;
    }
    let fields: Proposal<'a> = serde_json::from_str(args).unwrap_or_default();
    let body = fields.body.0.or(fields.description.0);
    let text = match (fields.title.0, body) {
        (Some(title), Some(body)) => Text::Owned(format!("{title}\n\n{body}")),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => Text::Borrowed(""),
    };
    Some(Action::Propose { text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pull_request_is_told_by_the_end_of_its_tool_s_name() {
        let args = r#"{"title":"Set n","body":"All tests pass."}"#;
        let text = |tool: &str| match action(tool, args) {
            Some(Action::Propose { text }) => text.into_owned(),
            _ => String::new(),
        };
        assert_eq!(
            text("mcp__host__create_pull_request"),
            "Set n\n\nAll tests pass."
        );
        assert_eq!(text("_create_pull_request"), "Set n\n\nAll tests pass.");
        assert_eq!(text("mcp__host__get_pull_request"), "");
    }
}
