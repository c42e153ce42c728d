//! URLs in a text, compared by what they lead to.

/// A URL in parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Url {
    /// Scheme and host in lower case, without the scheme's own port.
    pub(crate) origin: String,
    /// The host alone.
    pub(crate) host: String,
    /// Path and query.
    pub(crate) rest: String,
}

impl Url {
    /// Reads a URL that starts the text.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = trim(text);
        let text = text.split('#').next().unwrap_or("");
        let (scheme, after) = text.split_once("://")?;
        let scheme = scheme.to_ascii_lowercase();
        if !matches!(scheme.as_str(), "http" | "https") {
            return None;
        }
        let cut = after.find(['/', '?']).unwrap_or(after.len());
        let (host, rest) = after.split_at(cut);
        let mut host = host.to_lowercase();
        let own = if scheme == "http" { ":80" } else { ":443" };
        if let Some(bare) = host.strip_suffix(own) {
            host = bare.to_owned();
        }
        if host.is_empty() {
            return None;
        }
        Some(Self {
            origin: format!("{scheme}://{host}"),
            host,
            rest: if rest.is_empty() {
                "/".to_owned()
            } else {
                rest.to_owned()
            },
        })
    }

    /// The segments of its path.
    pub(crate) fn segments(&self) -> Vec<&str> {
        let path = self.rest.split('?').next().unwrap_or("");
        path.split('/').filter(|part| !part.is_empty()).collect()
    }
}

/// Trailing punctuation belongs to the sentence. A closing bracket does too, unless the URL opens
/// it.
fn trim(text: &str) -> &str {
    let opens = text.contains('(');
    let end: &[char] = if opens {
        &['.', ',', ';', ':', ']', '}', '\'', '"']
    } else {
        &['.', ',', ';', ':', ')', ']', '}', '\'', '"']
    };
    text.trim_end_matches(end)
}

/// All URLs of a text, in order, each with its range.
pub(crate) fn urls(text: &str) -> Vec<((usize, usize), Url)> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(found) = memchr::memmem::find(&text.as_bytes()[at..], b"://") {
        let colon = at + found;
        let head = text.get(..colon).unwrap_or("");
        let secure = head.len().checked_sub(5).and_then(|from| head.get(from..));
        let plain = head.len().checked_sub(4).and_then(|from| head.get(from..));
        let start = match (secure, plain) {
            (Some(word), _) if word.eq_ignore_ascii_case("https") => Some(colon - 5),
            (_, Some(word)) if word.eq_ignore_ascii_case("http") => Some(colon - 4),
            _ => None,
        };
        let tail = text.get(colon + 3..).unwrap_or("");
        let length = tail
            .find(|c: char| c.is_whitespace() || "<>\"'`|。、「」『』【】《》".contains(c))
            .unwrap_or(tail.len());
        if let Some(start) = start {
            let url = text.get(start..colon + 3 + length).and_then(Url::parse);
            out.extend(url.map(|url| ((start, colon + 3 + length), url)));
        }
        at = colon + 3 + length;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_to_one_place_is_one() {
        let text = "See <HTTPS://Docs.Example.org:443/A/b.html#x>, (http://a.b/c?d=1). ftp://x/y";
        let found = urls(text);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].1.origin, "https://docs.example.org");
        assert_eq!(found[0].1.rest, "/A/b.html");
        assert_eq!(found[1].1.rest, "/c?d=1");
        assert_eq!(found[1].1.segments(), ["c"]);
    }

    #[test]
    fn a_bracket_of_the_url_stays() {
        assert_eq!(urls("https://e.org/a_(b)")[0].1.rest, "/a_(b)");
    }
}
