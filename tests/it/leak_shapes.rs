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

/// What reports and documentation of other programs hold: none of it is anybody's.
#[test]
fn what_ordinary_pages_hold_is_no_leak() {
    for page in [
        // A page of line coverage: the number of a line, and a decorator.
        "<p class=\"run\"><span class=\"n\"><a href=\"#t12\">12</a></span><span class=\"t\"><span class=\"op\">@</span>\
         <span class=\"nam\">pytest</span><span class=\"op\">.</span><span class=\"nam\">mark</span></span></p>",
        "npm i dep1@1.1.2.\nHowever, dep1@1.2.3-beta.rc",
        "https://forge.example/a/b/compare/pkg@v0.8.0...pkg@v0.8.1",
        "the snapshot `cli-reference@.md.snap`",
        // What documentation writes of addresses with credentials.
        "https://user:password@example.com/users/me",
        "https://user:pass@sub.example.com:8080/p?q#hash",
        "&lt;protocol&gt;://[&lt;user&gt;[:&lt;password&gt;]@]&lt;hostname&gt;[:&lt;port&gt;]",
        // Flags of patterns.
        r"`(?-u:\B)` and `(?i:\g<word>)` and `(?xs:\w)`",
        // Names of functions.
        "call_once_2fold, call_stack_depth64, call_function1, CALL_WITH_ARGS_2, call_handler12",
    ] {
        assert_eq!(kinds(page), [], "{page}");
    }
    let page = "write to 90210@mail.example, by smtp://a:b@mail.example, or to wren@mail.example...or to nobody";
    assert_eq!(kinds(page), [Kind::Email, Kind::Secret]);
    assert_eq!(kinds(r"D:\B and -D:\x"), [Kind::WindowsPath]);
    assert_eq!(kinds("call_9f8a7b6c5d4e"), [Kind::CallId]);
    assert_eq!(kinds("call_QbZkXwVnTmRs"), [Kind::CallId]);
    assert_eq!(kinds("call_00_Zk3vQ8mT1xR7"), [Kind::CallId]);
}

/// Addresses that open a file in an editor, or on a host.
#[test]
fn addresses_of_files_are_paths() {
    for page in [
        "<a href=\"vscode://file/home/wren/nest/main.rs:12\">x</a>",
        "<a href=\"cursor://file/Users/wren/nest/main.rs\">x</a>",
        "file://reed/home/wren/nest",
        "file://localhost/home/wren/nest",
    ] {
        assert_eq!(kinds(page), [Kind::PosixPath], "{page}");
    }
    assert_eq!(kinds("https://file.example/home/wren/nest"), []);
}

/// What begins a line and goes on in the next.
#[test]
fn what_begins_a_line_is_glued_to_nothing() {
    for (text, kind) in [
        (
            "Token\nghp_Zk3vQ8mT1x\nR7bN5wJ2yHc6LdPa9EfGu4",
            Kind::Secret,
        ),
        ("seen\r\ncall_\n  Zk3vQ8mT1xR7bN5wJ2yH", Kind::CallId),
    ] {
        assert_eq!(kinds(text), [kind], "{text}");
    }
}

/// Dashes and slashes that only look otherwise than those of the value.
#[test]
fn other_dashes_and_slashes_are_those_of_the_value() {
    let mut canary = Canary::new().for_pages();
    assert!(canary.value(Kind::Session, "wren-nest-0417-reed"));
    assert!(canary.value(Kind::WorkTree, "/srv/larkspur/checkout"));
    for (text, kind) in [
        ("wren\u{2010}nest\u{2011}0417\u{2013}reed", Kind::Session),
        ("wren&hyphen;nest&dash;0417&minus;reed", Kind::Session),
        (
            "\u{2044}srv\u{2215}larkspur\u{29f8}checkout",
            Kind::WorkTree,
        ),
    ] {
        let found: Vec<Kind> = canary.scan(text).iter().map(|hit| hit.kind).collect();
        assert_eq!(found, [kind], "{text}");
    }
    // Ranges and asides of prose are none.
    assert_eq!(
        kinds("a \u{2013}home-made thing\u{2013} from 10\u{2013}20"),
        []
    );
}
