//! Where a page is not looked into to the end, which is said, and what of it is none of ours.

use std::fmt::Write as _;
use std::fs;

use deedcheck::page::{Against, PageError, Sums, Syntax, What, check};
use deedcheck::private::{Canary, Kind};

use crate::cli::run;

/// What is found in a page, by its words.
fn found(syntax: Syntax, page: &[u8]) -> Vec<&'static str> {
    let mut canary = Canary::new().for_pages();
    assert!(canary.value(Kind::User, "quillon.farrow"));
    let against = Against {
        canary: Some(&canary),
        sums: None,
        map: None,
        rows: None,
    };
    let checked = check(page, syntax, &against).unwrap();
    let words = checked.findings.iter().map(|finding| match finding.what {
        What::Untrue(fault) => fault.as_str(),
        What::Leak(kind, _) => kind.as_str(),
        What::Missed(missed) => missed.as_str(),
    });
    words.collect()
}

fn html(page: &str) -> Vec<&'static str> {
    found(Syntax::Html, page.as_bytes())
}

fn packed(text: &str) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for group in text.as_bytes().chunks(3) {
        let bits = group
            .iter()
            .fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte));
        let bits = bits << (8 * (3 - group.len()));
        for at in 0..=group.len() {
            out.push(char::from(LETTERS[(bits >> (18 - 6 * at) & 63) as usize]));
        }
    }
    out
}

/// A path behind `</` passed for the tag that ends an element.
#[test]
fn a_path_that_looks_like_a_tag_is_a_leak() {
    for page in [
        "<p>see </home/orla/x.rs> there</p>",
        "<p></home/orla/src/quay/main.rs></p>",
        "<?/home/orla/x.rs?>",
        "<p></ home/orla/x.rs></p>",
        "<p>&lt;/home/orla/x.rs&gt;</p>",
    ] {
        assert_eq!(html(page), ["posix-path-shape"], "{page}");
    }
    for page in [
        "[a](</home/orla/x.rs>)",
        "see [r]\n\n[r]: </home/orla/x.rs>\n",
        "see </home/orla/x.rs> there",
    ] {
        assert_eq!(
            found(Syntax::Markdown, page.as_bytes()),
            ["posix-path-shape"],
            "{page}"
        );
    }
    let own = found(Syntax::Markdown, b"[a](</home/guide/>)");
    assert_eq!(own, Vec::<&str>::new());
    assert_eq!(html("<home>x</home><root>y</root>"), Vec::<&str>::new());
}

/// What lay deeper than escapes are undone was called clean.
#[test]
fn what_lies_too_deep_is_said() {
    let deep = |layers: usize, layer: &dyn Fn(&str) -> String| {
        let mut text = "by quillon.farrow".to_owned();
        for _ in 0..layers {
            text = layer(&text);
        }
        html(&format!("<p>{text}</p>"))
    };
    let percent = |text: &str| -> String {
        text.bytes().fold(String::new(), |mut out, byte| {
            let _ = write!(out, "%{byte:02X}");
            out
        })
    };
    let amp = |text: &str| text.replace('&', "&amp;").replace('.', "&#46;");
    for layers in [5, 6, 8] {
        assert!(!deep(layers, &packed).is_empty(), "{layers}");
        assert!(!deep(layers, &percent).is_empty(), "{layers}");
        assert!(!deep(layers, &amp).is_empty(), "{layers}");
    }
    assert_eq!(deep(3, &packed), ["user"]);
    assert_eq!(deep(3, &percent), ["user"]);
    // One character may be written at any length.
    for noughts in [1 << 10, 1 << 14, 1 << 18] {
        let long = format!("&#x{}71;", "0".repeat(noughts));
        assert!(
            html(&format!("<p title='{long}uillon.farrow'>x")).contains(&"unread"),
            "{noughts}"
        );
    }
    let stretched: String = "quillon.farrow"
        .chars()
        .flat_map(|c| {
            let hidden = std::iter::repeat_n('\u{200b}', 1 << 9);
            std::iter::once(c).chain(hidden)
        })
        .collect();
    assert!(html(&format!("<p title='{stretched}'>x")).contains(&"unread"));
    for harmless in [
        "\\".repeat(300),
        format!("{}/{}", "\\".repeat(64), "/".repeat(64)),
        packed(&"what everybody may read, line by line; ".repeat(50)),
        "%25 of &amp;amp;amp; and C:\\\\\\\\n".to_owned(),
        " ".repeat(1 << 15),
        format!(
            "<img src='data:image/png;base64,{}'>",
            "iVBORw0KGgo".repeat(3000)
        ),
    ] {
        assert_eq!(
            html(&format!("<p>{harmless}</p>")),
            Vec::<&str>::new(),
            "{harmless:.60}"
        );
    }
}

/// Pictures and archives were clean pages.
#[test]
fn what_is_no_text_is_refused() {
    let against = Against {
        canary: None,
        sums: None,
        map: None,
        rows: None,
    };
    let noise: Vec<u8> = (0..20_000_u32)
        .map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    let picture = [
        &b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0"[..],
        &noise[..],
    ]
    .concat();
    for bytes in [
        &picture,
        &noise,
        &[b"<p>text</p>".repeat(2000), noise.clone()].concat(),
    ] {
        let kind = check(bytes, Syntax::Html, &against).map(|_| ());
        assert_eq!(kind, Err(PageError::NotText));
    }
    for page in [&b"<p>\xe9t\xe9</p>"[..], b"", b"<p>\x1b[0m\x0c</p>"] {
        assert!(check(page, Syntax::Html, &against).is_ok());
    }
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("page.html"), &picture).unwrap();
    let said = run(dir.path(), &["check-html", "page.html"]);
    assert_eq!(
        (said.code, said.err.as_str()),
        (2, "E_PAGE file=1 kind=not-text\n")
    );
}

/// An address that holds what cannot be read was clean.
#[test]
fn addresses_that_may_hold_text_are_said() {
    let zip = packed("PK\u{3}\u{4}\0\0\0\0\u{8}\0\u{1}\u{2}\u{3}");
    let address = |kind: &str| format!("<a href='data:{kind};base64,{zip}'>x</a>");
    assert_eq!(html(&address("application/zip")), ["unread"]);
    for kind in [
        "image/png",
        "font/woff2",
        "application/font-woff",
        "audio/ogg",
    ] {
        assert_eq!(html(&address(kind)), Vec::<&str>::new(), "{kind}");
    }
    let text = packed("by quillon&#46;farrow");
    assert_eq!(
        html(&format!(
            "<a href='data:application/octet-stream;base64,{text}'>x</a>"
        )),
        ["user"]
    );
    let mut page = "by somebody".to_owned();
    for _ in 0..5 {
        page = format!(
            "<iframe srcdoc='{}'></iframe>",
            page.replace('&', "&amp;").replace('\'', "&#39;")
        );
    }
    assert_eq!(html(&page), ["unread"]);
}

/// Addresses of a site's own were leaks where they stood elsewhere than in `href`.
#[test]
fn addresses_of_a_site_are_its_own_wherever_they_stand() {
    for page in [
        "<div style='background:url(/home/hero.png)'>x</div>",
        "<style>p{background:url(\"/home/hero.png\")}</style>",
        "<img srcset='/home/hero.png 1x, /home/hero-2.png 2x'>",
        "<object data='/home/hero.png'></object>",
        "<meta http-equiv=refresh content='0; url=/home/start'>",
        "<meta property=og:url content='/home/start'>",
        "<a data-href='/home/start'>x</a>",
        "<p>write to wren@example.com, a@mail.example.org or b@c.invalid</p>",
        "<p>in /home/&lt;user&gt;/src</p>",
    ] {
        assert_eq!(html(page), Vec::<&str>::new(), "{page}");
    }
    for (page, kind) in [
        (
            "<div style='background:url(/home/wren/hero.rs)'>x</div>",
            "posix-path-shape",
        ),
        (
            "<img srcset='/hero.png 1x, /home/wren/.hidden/hero.png 2x'>",
            "posix-path-shape",
        ),
        (
            "<meta name=description content='/home/wren/src/main.rs'>",
            "posix-path-shape",
        ),
        ("<p>write to wren@example.company.fr</p>", "email-shape"),
        (
            "<p>write to zo\u{eb}.m\u{fc}ller@b\u{fc}ro.de</p>",
            "email-shape",
        ),
    ] {
        assert_eq!(html(page), [kind], "{page}");
    }
}

/// Where bytes are not what a page declares, only one of two readings was looked at.
#[test]
fn a_page_is_read_as_it_declares_and_as_its_bytes_are() {
    let mut canary = Canary::new().for_pages();
    assert!(canary.value(Kind::User, "zo\u{eb}-m\u{fc}ller"));
    let against = Against {
        canary: Some(&canary),
        sums: None,
        map: None,
        rows: None,
    };
    let old = [&b"<meta charset=utf-8><p>zo\xeb-m\xfcller</p>"[..], b"\xff"].concat();
    for page in [
        "<meta charset=iso-8859-1><p>zo\u{eb}-m\u{fc}ller</p>".as_bytes(),
        &old,
    ] {
        let checked = check(page, Syntax::Html, &against).unwrap();
        assert_eq!(checked.findings.len(), 1);
        let one = &checked.findings[0];
        assert!(matches!(one.what, What::Leak(Kind::User, _)));
        assert_eq!(page[usize::try_from(one.byte).unwrap()], b'z');
    }
}

/// Whoever named the aggregate was taken for a page of ours.
#[test]
fn a_page_that_names_an_aggregate_is_not_one_of_ours() {
    let text =
        "{\"schema\":\"deedcheck/aggregate/1\",\"version\":\"0\",\"cells\":{\"turns\":1478}}\n";
    let sums = Sums::read(text.as_bytes()).unwrap();
    let against = Against {
        canary: None,
        sums: Some(&sums),
        map: None,
        rows: None,
    };
    let untrue = |page: &str| -> Vec<&str> {
        let checked = check(page.as_bytes(), Syntax::Html, &against).unwrap();
        let words = checked
            .findings
            .iter()
            .filter_map(|finding| match finding.what {
                What::Untrue(fault) => Some(fault.as_str()),
                _ => None,
            });
        words.collect()
    };
    let digest = deedcheck::spec::sha256(text.as_bytes());
    let mark = format!("<meta name=deedcheck-aggregate content=sha256:{digest}>");
    let body = "<script>x()</script><img src=a.png alt=x><form><input></form><meter max=1478 data-deed=turns value=1478>";
    assert_eq!(untrue(&format!("{mark}{body}")), Vec::<&str>::new());
    let ours = format!("{mark}<meta name=deedcheck-page content=1>{body}");
    assert!(untrue(&ours).contains(&"altered"));
    for right in [
        "1478",
        "1,478",
        "1 478",
        "1\u{a0}478",
        "1\u{2009}478",
        "1.478",
        "1'478",
        "1’478",
    ] {
        assert_eq!(
            untrue(&format!("<b data-deed=turns>{right}</b>")),
            Vec::<&str>::new(),
            "{right}"
        );
        let told = format!("<b data-deed=turns aria-label=\"{right} turns\">1478</b>");
        assert_eq!(untrue(&told), Vec::<&str>::new(), "{right}");
    }
    assert_eq!(
        untrue("<b data-deed=turns aria-label='\u{ff11}\u{ff14}\u{ff17}\u{ff19}'>1478</b>"),
        ["alternative"]
    );
    assert_eq!(untrue("<b data-deed=turns>14.78</b>"), ["wrong-number"]);
}
