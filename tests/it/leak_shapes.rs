//! Shapes of private things, each beside what only looks like it. The tables were written from what
//! vendors and clients say of their ids, before the scanner was asked.

use deedcheck::private::{Canary, Kind};

fn kinds(text: &str) -> Vec<Kind> {
    let canary = Canary::new().for_pages();
    let mut kinds: Vec<Kind> = canary.scan(text).iter().map(|hit| hit.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

/// A secret of each family, and a word that begins or looks as it does.
const SECRETS: [(&str, &str); 20] = [
    (
        "sk-ant-api03-Zk3vQ8mT1xR7bN5wJ2yH",
        "sk-ant-colony-simulation",
    ),
    (
        "sk-or-v1-5f0c1a9be7d24c83a6f1e05b9d7c3a42",
        "sk-or-v1-release",
    ),
    ("sk-proj-Zk3vQ8mT1xR7bN5wJ2yHc6", "sk-proj-management-guide"),
    ("ghp_Zk3vQ8mT1xR7bN5wJ2yHc6LdPa9EfGu4", "ghp_pages_branch"),
    (
        "github_pat_11ABCDEFG0Zk3vQ8mT1xR7bN",
        "github_pat_documentation",
    ),
    ("glpat-Zk3vQ8mT1xR7bN5wJ2yH", "glpat-example"),
    ("AKIAZQ3DRSTUVWXY2345", "AKIA-like ids"),
    ("AIzaSyZk3vQ8mT1xR7bN5wJ2yHc6LdPa9EfGu4x", "AIza prefix"),
    ("xoxb-2345678901-Zk3vQ8mT1xR7bN5wJ2yH", "xoxb-style tokens"),
    (
        "https://hooks.slack.com/services/T02ABCDEF/B03GHIJKL/Zk3vQ8mT1xR7bN5wJ2yHc6Ld",
        "https://hooks.slack.com/services/about",
    ),
    ("whsec_Zk3vQ8mT1xR7bN5wJ2yHc6LdPa9EfG", "whsec_secret"),
    (
        "sbp_5f0c1a9be7d24c83a6f1e05b9d7c3a4219e8b706",
        "sbp_project",
    ),
    ("sk_live_Zk3vQ8mT1xR7bN5w", "sk_live_mode"),
    (
        "npm_Zk3vQ8mT1xR7bN5wJ2yHc6LdPa9EfGu4xVsK",
        "npm_config_registry",
    ),
    ("hf_Zk3vQ8mT1xR7bN5wJ2yHcLdPaEfGuXV", "hf_hub_download"),
    (
        "AccountKey=Zk3vQ8mT1xR7bN5wJ2yHc6LdPa9EfGu4xVsKZk3vQ8mT1xR7bN5wJ2yHc6Ld==",
        "AccountKey=your-key",
    ),
    (
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIx",
        "eyJ is how tokens begin",
    ),
    ("-----BEGIN OPENSSH PRIVATE KEY-----", "a private key"),
    ("712345678:AAHk3vQ8mT1xR7bN5wJ2yHc6LdPa9EfGu4x", "12:30:45"),
    ("postgres://app:Zk3vQ8mT@db/x", "postgres://db:5432/x"),
];

#[test]
fn every_family_is_caught_and_its_look_alike_is_not() {
    for (secret, other) in SECRETS {
        for (before, after) in [("<p>", "</p>"), ("{\"a\":\"", "\"}"), ("`", "`")] {
            let text = format!("{before}{secret}{after}");
            assert!(kinds(&text).contains(&Kind::Secret), "{text}");
            assert_eq!(kinds(&format!("{before}{other}{after}")), [], "{other}");
        }
    }
}

/// Names and passwords in addresses, and what documentation writes there.
#[test]
fn credentials_of_an_address_are_a_secret() {
    for secret in [
        "https://wren:hunter22@host.example/x",
        "redis://:hunter22@cache:6379",
        "mongodb+srv://app:pa%40ss@cluster0.example.net",
        "https://postgres:password@db/x",
        "https://x-access-token:Zk3vQ8mT1xR7@github.com/a/b",
        "ftp://wren:xylophone@host",
    ] {
        assert!(kinds(secret).contains(&Kind::Secret), "{secret}");
    }
    for other in [
        "https://user:pass@host/x",
        "https://USER:PASSWORD@host/x",
        "https://username:password@host/x",
        "https://{user}:{password}@host/x",
        "https://$USER:$TOKEN@host/x",
        "https://${USER}:${TOKEN}@host/x",
        "https://user:***@host/x",
        "https://wren:xxxx@host/x",
        "https://wren:REDACTED@host/x",
        "https://wren:[secret]@host/x",
        "https://%s:%s@host/x",
        "http://host:8080?to=a@b",
        "http://host:8080#a@b",
        "https://host:443/@wren",
        "https://medium.example/@wren",
        "ssh://git@github.com/x",
    ] {
        assert!(!kinds(other).contains(&Kind::Secret), "{other}");
    }
}

/// A home as the name of a folder, in which every sign is a dash.
#[test]
fn homes_are_found_as_names_of_folders() {
    for slug in [
        "-home-wren-src",
        "-Users-wren",
        "-root-src",
        "C--Users-wren-src",
        "-home--config-app",
        "-home-------src",
        "-var-home-wren",
        "-mnt-c-Users-wren",
        "-c-Users-wren",
        "-private-var-root-x",
        "-export-home-wren",
        "projects/-usr-home-wren",
    ] {
        assert_eq!(kinds(slug), [Kind::HomeSlug], "{slug}");
        let class = format!("<a href=\"x/{slug}/y.jsonl\">x</a>");
        assert_eq!(kinds(&class), [Kind::HomeSlug], "{class}");
    }
    for other in [
        "-home-page",
        "site-home-hero",
        "page--home--active",
        "a-var-home-x",
        "--home-x",
        "var(--root-color)",
        "go-home-early",
        "my-root-cause",
        "-webkit-home",
        "-home-",
        "-home--",
    ] {
        assert_eq!(kinds(&format!("<b class=\"{other}\">x</b>")), [], "{other}");
    }
}

/// A site's own pages begin at a home, too, and elements end behind it.
#[test]
fn a_page_that_is_called_home_is_no_home() {
    for page in [
        "<p>/home/</p>",
        "<a href=\"/home/\">Home</a>",
        "<header class=\"site-header home-header\">x</header>",
        "<td>/home/</td><td>x</td>",
    ] {
        assert_eq!(kinds(page), [], "{page}");
    }
    assert_eq!(kinds("<p>/home/<wbr>wren/x</p>"), [Kind::PosixPath]);
    assert_eq!(kinds("<p>/home/Привет/x</p>"), [Kind::PosixPath]);
}
