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

/// The same, where the client tells the server apart.
#[must_use]
pub fn served_by<'t>(tool: &'t str, server: Option<&'t str>) -> (&'t str, &'t str) {
    let Some(server) = server else {
        return served(tool);
    };
    let own = tool.strip_prefix("mcp__");
    let own = own.and_then(|own| own.strip_prefix(server));
    let own = own.map_or(tool, |own| own.strip_prefix("__").unwrap_or(own));
    (server, own)
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
        assert_eq!(
            served_by("mcp__tide__log__list", Some("tide__log")),
            ("tide__log", "list")
        );
        assert_eq!(served_by("mcp__logbook__list", None), ("logbook", "list"));
        for own in ["Bash", "mcp__x", "mcp____x", "my__tool"] {
            assert_eq!(served(own), ("", own));
        }
    }
}
