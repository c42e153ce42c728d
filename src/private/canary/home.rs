//! Where people's homes lie: what makes a path private in a page, whose other paths are a site's.

/// Folders that homes lie under, on other systems' disks or seen through a container.
const ABOVE: [&str; 5] = ["private/", "var/", "usr/", "export/", "mnt/"];

/// Whether the path that begins with the slashes at `at` leads into a home.
pub(super) fn begins(bytes: &[u8], at: usize, any_case: bool) -> bool {
    let slashes = |rest: &[u8]| {
        let run = rest.iter().take_while(|b| matches!(b, b'/' | b'\\'));
        run.take(8).count()
    };
    let mut rest = bytes.get(at..).unwrap_or_default();
    rest = rest.get(slashes(rest)..).unwrap_or_default();
    // `/mnt/c/Users` has two of them.
    for _ in 0..2 {
        let above = ABOVE.iter().find(|above| {
            let head = rest.get(..above.len()).unwrap_or_default();
            same(head, above, any_case)
        });
        let drive = matches!(rest, [letter, b'/', ..] if letter.is_ascii_alphabetic());
        let length = above.map_or(if drive { 2 } else { 0 }, |above| above.len());
        rest = rest.get(length..).unwrap_or_default();
    }
    let home = ["home", "Users", "root"].iter().find(|home| {
        let head = rest.get(..home.len()).unwrap_or_default();
        // In small letters, `/users/` is what web interfaces call theirs.
        same(head, home, any_case) && head != b"users"
    });
    let Some(home) = home else {
        return false;
    };
    let rest = rest.get(home.len()..).unwrap_or_default();
    let run = slashes(rest);
    let name = rest.get(run);
    let begins = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_');
    let name_on = rest.get(run..).unwrap_or_default();
    // What stands for the end of an element is no letter.
    let letter = || {
        let head = name_on.get(..name_on.len().min(4)).unwrap_or_default();
        let head = String::from_utf8_lossy(head);
        head.chars().next().is_some_and(char::is_alphanumeric)
    };
    run > 0 && !is_route(name_on) && (name.is_some_and(begins) || letter())
}

/// Words behind a `home` that is a site's first page, and no folder of anybody's.
const ROUTES: [&str; 16] = [
    "about",
    "banner",
    "button",
    "content",
    "dashboard",
    "feed",
    "footer",
    "header",
    "hero",
    "icon",
    "index",
    "link",
    "nav",
    "page",
    "screen",
    "section",
];

/// Whether a name that follows a home is a part of a site.
pub(super) fn is_route(name: &[u8]) -> bool {
    let length = name
        .iter()
        .take(16)
        .take_while(|b| b.is_ascii_alphanumeric())
        .count();
    let name = name.get(..length).unwrap_or_default();
    ROUTES
        .iter()
        .any(|word| name.eq_ignore_ascii_case(word.as_bytes()))
}

fn same(bytes: &[u8], word: &str, any_case: bool) -> bool {
    if any_case {
        bytes.len() == word.len()
            && bytes.iter().zip(word.bytes()).all(|(a, b)| {
                // A slash turned round is a slash.
                a.eq_ignore_ascii_case(&b) || (*a == b'\\' && b == b'/')
            })
    } else {
        bytes == word.as_bytes()
    }
}
