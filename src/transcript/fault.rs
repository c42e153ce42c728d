//! What clients say of what stopped a run: limits, and that nobody is logged in.

/// What a fault of the model's service, or of the client in front of it, is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// A usage limit was hit.
    Limit,
    /// Nobody is logged in (seed 002: such a run never began, or was broken off).
    Login,
    /// Anything else.
    Other,
}

/// What a fault is, by the client's own word for it and what it says of it.
#[must_use]
pub fn fault(kind: &str, text: &str) -> Fault {
    match kind {
        "rate_limit" => Fault::Limit,
        "authentication_failed" => Fault::Login,
        _ if is_limit_notice(text) => Fault::Limit,
        _ if is_login_failure(text) => Fault::Login,
        _ => Fault::Other,
    }
}

/// Whether a text is a client's notice of a limit. One that quotes such a notice is none.
#[must_use]
pub fn is_limit_notice(text: &str) -> bool {
    begins(text, "your")
}

/// Whether a text is a notice of Codex that ends its day. It has other limits too, which do not.
#[must_use]
pub fn is_usage_limit(text: &str) -> bool {
    begins(text, "your usage limit")
}

fn begins(text: &str, rest: &str) -> bool {
    let text = text.trim_start();
    let own = text
        .strip_prefix("You've hit ")
        .or_else(|| text.strip_prefix("You’ve hit "));
    own.is_some_and(|own| own.starts_with(rest))
}

/// Whether the model's service, or the client in front of it, says that nobody is logged in.
#[must_use]
pub fn is_login_failure(text: &str) -> bool {
    let lower = text.to_lowercase();
    let says = |words: &str| lower.contains(words);
    let refused = says("unauthorized") || says("authentication") || says("credential");
    says("please run /login")
        || says("invalid api key")
        || says("not logged in")
        || says("authentication_error")
        || refused
            && lower
                .split(|c: char| !c.is_ascii_digit())
                .any(|code| code == "401")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_failure_is_told_from_other_faults() {
        for own in [
            "Invalid API key · Please run /login",
            "API Error: 401 {\"type\":\"error\",\"error\":{\"type\":\"authentication_error\"}}",
            "unexpected status 401 Unauthorized",
            "You are not logged in.",
        ] {
            assert!(is_login_failure(own), "{own}");
        }
        for other in [
            "API Error: 529 overloaded",
            "unexpected status 4013",
            "401 lines were read",
            "",
        ] {
            assert!(!is_login_failure(other), "{other}");
        }
    }

    #[test]
    fn a_notice_of_a_limit_begins_its_text() {
        assert!(is_limit_notice(" You’ve hit your weekly limit"));
        assert!(is_usage_limit("You've hit your usage limit. Try later."));
        assert!(!is_usage_limit("You've hit your session limit"));
        assert!(!is_limit_notice("The page says: You've hit your limit"));
        assert_eq!(fault("rate_limit", ""), Fault::Limit);
        assert_eq!(fault("authentication_failed", ""), Fault::Login);
        assert_eq!(fault("overloaded", "busy"), Fault::Other);
    }
}
