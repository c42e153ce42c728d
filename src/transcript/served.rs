//! Names of tools that a server gives.

/// The server of a tool and its own name there; a tool of the client's own has no server.
#[must_use]
pub fn served(tool: &str) -> (&str, &str) {
    let split = tool
        .strip_prefix("mcp__")
        .and_then(|own| own.split_once("__"));
    match split {
        Some((server, own)) if !server.is_empty() && !own.is_empty() => (server, own),
        _ => ("", tool),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_told_from_its_tool() {
        assert_eq!(
            served("mcp__logbook__search__all"),
            ("logbook", "search__all")
        );
        for own in ["Bash", "mcp__x", "mcp____x", "my__tool"] {
            assert_eq!(served(own), ("", own));
        }
    }
}
