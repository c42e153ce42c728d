use super::check::{Against, Checked, Rows, Syntax, What, check};
use super::fault::Fault;
use super::map::{MAP_SCHEMA, Map};
use super::sums::Sums;
use super::token::{Token, Tokens, Written};
use crate::grade::hex;
use crate::private::{Canary, Kind};

const VALUE: &str = "sess-plover-7741-quartz";

fn canary() -> Canary {
    let mut canary = Canary::new().for_pages();
    canary.value(Kind::Session, VALUE);
    canary.value(Kind::Root, "/srv/larkspur/checkout");
    canary
}

fn leaks_in(page: &[u8], syntax: Syntax) -> Checked {
    let canary = canary();
    let against = Against {
        canary: Some(&canary),
        sums: None,
        map: None,
        rows: None,
    };
    check(page, syntax, &against).expect("the page can be read")
}

fn told(checked: &Checked) -> Vec<(Kind, &str)> {
    let leaks = checked
        .findings
        .iter()
        .filter_map(|finding| match finding.what {
            What::Leak(kind, _) => Some((kind, finding.context.as_str())),
            What::Untrue(_) | What::Missed(_) => None,
        });
    leaks.collect()
}

/// Tokens as one line each.
fn tokens(page: &str) -> Vec<String> {
    let mut tokens = Tokens::of(page.as_bytes());
    let mut out = Vec::new();
    while let Some(token) = tokens.next() {
        let text = |span| String::from_utf8_lossy(tokens.bytes(span)).into_owned();
        out.push(match token {
            Token::Text { span, written } => format!("{written:?} {}", text(span)),
            Token::Open { name } => format!("<{}", text(name)),
            Token::Attribute { name, value } => format!("{}={}", text(name), text(value)),
            Token::Opened { empty } => if empty { "/>" } else { ">" }.to_owned(),
            Token::Close { name } => format!("</{}", text(name)),
            Token::Comment { span } => format!("!{}", text(span)),
        });
    }
    out
}

#[test]
fn tokens_are_those_of_a_browser() {
    let of = |page: &str| tokens(page).join(" | ");
    assert_eq!(
        of("<a b='1>' c=2/ d \"=x>t</a b>"),
        "<a | b=1> | c=2/ | d= | \"=x | > | Text t | </a"
    );
    assert_eq!(
        of("a < b <3 </ x> </>"),
        "Text a < b <3  | ! x | Text   | !"
    );
    assert_eq!(
        of("<!--a--!>b<!-->c<!--->d<!-- e"),
        "!a | Text b | ! | Text c | ! | Text d | ! e"
    );
    assert_eq!(
        of("<?php x ?><!DOCTYPE html>"),
        "!?php x ? | !!DOCTYPE html"
    );
    assert_eq!(of("<br/><p/>"), "<br | /> | <p | >");
    assert_eq!(
        of("<title><b>&amp;</title>"),
        "<title | > | Title <b>&amp; | </title"
    );
    assert_eq!(
        of("<script>a<!--<script></script>b--></SCRIPT >c"),
        "<script | > | Script a<!--<script></script>b--> | </SCRIPT | Text c"
    );
    assert_eq!(
        of("<style><b></styles></style>"),
        "<style | > | Style <b></styles> | </style"
    );
    assert_eq!(
        of("<svg><style><b></svg>"),
        "<svg | > | <style | > | <b | > | </svg"
    );
    assert_eq!(
        of("<svg><title><![CDATA[x]]></title><![CDATA[<y>]]></svg><![CDATA[z]]>"),
        "<svg | > | <title | > | !![CDATA[x]] | </title | Plain <y> | </svg | !![CDATA[z]]"
    );
    assert_eq!(of("<svg/><style>x"), "<svg | /> | <style | > | Style x");
    assert_eq!(of("<a href=x"), "<a | href=x");
    assert_eq!(
        of("<plaintext></plaintext>"),
        "<plaintext | > | Plain </plaintext>"
    );
    assert_eq!(of("<img =x =y>"), "<img | =x=y | />");
    let written = Written::Text;
    assert_eq!(tokens("x"), [format!("{written:?} x")]);
}

#[test]
fn the_tokenizer_looks_at_each_byte_a_few_times_at_most() {
    let units = [
        "<div><span>",
        "<",
        "<a b=c ",
        "<a \"",
        "<!--",
        "</",
        "&#0",
        "<svg>",
        "<math><mi>",
        "<script><!--",
        "<![CDATA[",
        "--",
        "<title>",
        "<a b='",
        "<x/",
        "=",
        "<svg><p>",
        "<!",
        "'",
    ];
    for unit in units {
        let mut last = 0;
        for size in [1 << 16, 1 << 20] {
            let page = unit.repeat(size / unit.len());
            let mut tokens = Tokens::of(page.as_bytes());
            let count = tokens.by_ref().count() as u64;
            let steps = tokens.steps();
            let bound = 4 * page.len() as u64 + 16;
            assert!(
                steps <= bound && count <= bound,
                "{unit} {steps} {}",
                page.len()
            );
            assert!(last == 0 || steps <= 17 * last, "{unit} {last} {steps}");
            last = steps;
        }
    }
}

/// A page of a million nested tags is read in steps that grow as its length does.
#[test]
fn a_million_nested_tags_are_read_in_linear_steps() {
    let page = "<i a=\"b\"><p>".repeat(500_000);
    let mut tokens = Tokens::of(page.as_bytes());
    assert_eq!(tokens.by_ref().count(), 2_500_000);
    assert!(tokens.steps() <= 4 * page.len() as u64);
    let truth = super::truth::read(page.as_bytes(), None, None, false);
    assert_eq!(truth.untruths.len(), 0);
}

/// Base64 without padding.
fn base64(text: &str) -> String {
    let mut out = String::new();
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for group in text.as_bytes().chunks(3) {
        let byte = |at: usize| u32::from(group.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..=group.len() {
            let place = (bits >> (18 - 6 * at) & 63) as usize;
            out.push(char::from(alphabet[place]));
        }
    }
    out
}

/// Pages that give a value away on their surface, and the part that does.
fn open_leaks() -> Vec<(String, &'static str)> {
    let (head, tail) = VALUE.split_at(9);
    let gap = "x".repeat(200_000);
    vec![
        (format!("<p>{VALUE}</p>"), "text"),
        (format!("<p>{head}<b></b><!-- c -->{tail}</p>"), "text"),
        (
            format!("<p>{head}<script>/*{gap}*/</script>{tail}</p>"),
            "text",
        ),
        (format!("<p>{head}<br>{tail}</p>"), "text"),
        (format!("<title>{VALUE}</title>"), "title"),
        (format!("<a href=\"x?{VALUE}\">"), "attribute href of a"),
        (format!("<a {VALUE}=1>"), "name of an attribute of a"),
    ]
}

/// Pages that give a value away in what they hold within, and the part that does.
fn packed_leaks() -> Vec<(String, &'static str)> {
    let css: String = VALUE.bytes().map(|b| format!("\\{b:x} ")).collect();
    let wide: String = VALUE.bytes().map(|b| format!("%00%{b:02x}")).collect();
    let (head, tail) = VALUE.split_at(9);
    vec![
        (
            format!("<!--[if IE]><b>{head}</b>{tail}<![endif]-->"),
            "comment",
        ),
        (
            format!("<script>var x = '{head}' + \"{tail}\";</script>"),
            "script",
        ),
        (
            format!("<script type=application/json>{{\"{VALUE}\":1}}</script>"),
            "script",
        ),
        (
            format!("<style>a::before{{content:\"{css}\"}}</style>"),
            "style",
        ),
        (
            format!("<style>a::before{{content:\"{head}\" '{tail}'}}</style>"),
            "style",
        ),
        (
            format!("<p style=\"content:'{css}'\">"),
            "attribute style of p",
        ),
        (
            format!("<iframe srcdoc=\"&lt;p&gt;{head}&lt;!--&amp;--&gt;{tail}\">"),
            "attribute srcdoc of iframe",
        ),
        (
            format!(
                "<img src=\"data:text/html;base64,{}\">",
                base64(&format!("<p>{head}<i>{tail}"))
            ),
            "attribute src of img",
        ),
        (
            format!("<a href='data:text/plain;charset=utf-16be,{wide}'>"),
            "attribute href of a",
        ),
        (format!("<template><p>{VALUE}</p></template>"), "text"),
        (format!("<svg><text>{VALUE}</text></svg>"), "text"),
        (format!("<noscript>{VALUE}</noscript>"), "text"),
        (format!("<textarea>{VALUE}</textarea>"), "title"),
        (format!("<!doctype {VALUE}>"), "comment"),
        (format!("<a title=\"{VALUE}"), "attribute title of a"),
    ]
}

#[test]
fn leaks_are_found_in_every_part() {
    for (page, context) in open_leaks().into_iter().chain(packed_leaks()) {
        let checked = leaks_in(page.as_bytes(), Syntax::Html);
        let short = page.get(..200).unwrap_or(&page);
        assert_eq!(told(&checked), [(Kind::Session, context)], "{short}");
    }
    let wide: Vec<u8> = format!("\u{feff}<p>{VALUE}")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let checked = leaks_in(&wide, Syntax::Html);
    assert_eq!(told(&checked), [(Kind::Session, "text")]);
    let finding = &checked.findings[0];
    assert_eq!((finding.line, finding.column, finding.byte), (1, 4, 8));
}

#[test]
fn markdown_hides_nothing_either() {
    let (head, tail) = VALUE.split_at(9);
    for page in [
        format!("see {VALUE}."),
        format!("see **{head}**{tail}"),
        format!("see {}", VALUE.replace('-', "\\-")),
        format!("`{VALUE}`"),
        format!("```\n{head}{tail}\n```"),
        format!("[{head}](http://a.example){tail}"),
        format!("> {head}\n> {tail}"),
        format!("[x](https://a.example/{VALUE})"),
        format!("a <span title='{VALUE}'>b</span>"),
        format!("<!-- {VALUE} -->"),
    ] {
        let checked = leaks_in(page.as_bytes(), Syntax::Markdown);
        let kinds: Vec<Kind> = told(&checked).iter().map(|(kind, _)| *kind).collect();
        assert_eq!(kinds, [Kind::Session], "{page}");
    }
}

#[test]
fn a_sites_own_paths_and_web_addresses_are_no_leaks() {
    for page in [
        "<a href=\"/docs/guide\">/etc/hosts /usr/bin/env</a>",
        "<a href=\"/home/guide\">x</a> <a href=https://a.example/home/x/y>y</a>",
        "<p>GET /users/octocat/repos, /api/users/1, \\\\server\\share</p>",
        "<a href=\"//cdn.example/home/x\">z</a>",
    ] {
        assert_eq!(told(&leaks_in(page.as_bytes(), Syntax::Html)), [], "{page}");
    }
    for page in [
        "[home](/home/guide) and /tmp/x",
        "[x](/home/shop/list.html) [y](</home/shop/a.png> 'y') [z](/Users/Details/5)",
    ] {
        assert_eq!(
            told(&leaks_in(page.as_bytes(), Syntax::Markdown)),
            [],
            "{page}"
        );
    }
    // A site has no file of a program's source, no lines and no hidden folders.
    for page in [
        "[main.rs](/home/wren/nest/src/main.rs)",
        "[main](/home/wren/nest/src/Makefile:12)",
        "[a](/Users/wren/nest/index.html#L7)",
        "[a](/home/wren/.config/x)",
        "[a]: /home/wren/nest/x.toml",
    ] {
        assert_eq!(
            told(&leaks_in(page.as_bytes(), Syntax::Markdown)).len(),
            1,
            "{page}"
        );
    }
    for page in [
        "<p>/home/wren/notes</p>",
        "<p>in /Users/wren</p>",
        "<p>(/root/x)</p>",
        "<p>/mnt/c/Users/wren</p>",
        "<a href=\"file:///home/wren/x\">x</a>",
        "<p>C:\\build\\x</p>",
        "<p>/srv/larkspur/checkout/a.rs</p>",
        "<a href=\"/srv/larkspur/checkout/a.html\">x</a>",
        "<a href=\"/home/wren/nest/main.rs:12\">x</a>",
        "<ruby>/home/wr<rp>(</rp><rt></rt><rp>)</rp>en/x</ruby>",
    ] {
        assert_eq!(
            told(&leaks_in(page.as_bytes(), Syntax::Html)).len(),
            1,
            "{page}"
        );
    }
}

const AGGREGATE: &str = "{\"schema\":\"deedcheck/aggregate/1\",\"version\":\"0\",\"cells\":{\"turns\":1200,\
                         \"claim.supported\":25,\"claim.unknown\":1},\"canary\":{\"planted\":1,\"caught\":1}}\n";

/// The faults of a page with the aggregate, in the order of their places.
fn faults(page: &str, syntax: Syntax, map: Option<&Map>) -> Vec<&'static str> {
    let sums = Sums::read(AGGREGATE.as_bytes()).expect("an aggregate");
    let rows = "{\"verdict\":\"unknown\",\"text\":\"All tests  <pass> & more\"}\n{\"verdict\":\"fail\"}\n{}\n";
    let open = || -> std::io::Result<Box<dyn std::io::BufRead>> {
        Ok(Box::new(std::io::Cursor::new(rows)))
    };
    let against = Against {
        canary: None,
        sums: Some(&sums),
        map,
        rows: Some(Rows {
            open: &open,
            canary: None,
        }),
    };
    let checked = check(page.as_bytes(), syntax, &against).expect("the page can be read");
    let fault = |what: What| match what {
        What::Untrue(fault) => fault.as_str(),
        What::Leak(..) => "leak",
        What::Missed(missed) => missed.as_str(),
    };
    checked
        .findings
        .iter()
        .map(|finding| fault(finding.what))
        .collect()
}

fn html(page: &str) -> Vec<&'static str> {
    faults(page, Syntax::Html, None)
}

#[test]
fn numbers_are_those_of_the_aggregate() {
    for right in [
        "<b data-deed=turns>1200</b>",
        "<b data-deed='turns'> 1&#44;200\n</b>",
        "<td data-deed=\"turns\">1<i>,2</i>00<td>5",
        "<b data-deed='claim.supported + claim.unknown'>26</b>",
        "<b data-deed='share(claim.supported, claim.supported + claim.unknown)'>96.2&nbsp;%</b>",
        "<b data-deed=claim.contradicted>0</b>",
        "<b data-deed=turns>1200<script>9</script><!-- 9 --></b>",
        "<b>1201 turns</b>",
        "<rect data-deed-width='share(claim.supported, claim.supported + claim.unknown)' width=9615>",
        "<b data-deed=turns data-deed=other>1200</b>",
        "<ul><li data-deed=turns>1200<li data-deed=claim.unknown>1</ul>",
    ] {
        assert_eq!(html(right), Vec::<&str>::new(), "{right}");
    }
    for (wrong, fault) in [
        ("<b data-deed=turns>1201</b>", Fault::WrongNumber),
        ("<b data-deed=turns>1.200</b>", Fault::WrongNumber),
        ("<b data-deed=turns>many</b>", Fault::NotANumber),
        ("<b data-deed=turns></b>", Fault::NotANumber),
        ("<br data-deed=turns>1200", Fault::NotANumber),
        ("<b data-deed=nosuch>0</b>", Fault::UnknownKey),
        ("<b data-deed='turns +'>0</b>", Fault::BadExpression),
        ("<b data-deed=turns>1200 9</b>", Fault::WrongNumber),
        (
            "<rect width=9616 data-deed-width='share(claim.supported, claim.supported + claim.unknown)'>",
            Fault::WrongWidth,
        ),
        (
            "<meta name=deedcheck-aggregate content=sha256:00>",
            Fault::StaleDigest,
        ),
        ("<!-- deedcheck-aggregate sha256:00 -->", Fault::StaleDigest),
    ] {
        assert_eq!(html(wrong), [fault.as_str()], "{wrong}");
    }
    use sha2::Digest as _;
    let digest = hex(&sha2::Sha256::digest(AGGREGATE.as_bytes()));
    let page = format!("<meta content='sha256:{digest}' name='deedcheck-aggregate'>");
    assert_eq!(html(&page), Vec::<&str>::new());
}

#[test]
fn rows_are_those_that_were_graded() {
    let list = |rows: &str| format!("<ul data-deed-rows=2>{rows}</ul>");
    let right = list(
        "<li data-deed-row=1><b data-deed-field=verdict>unknown</b>\
         <q data-deed-field=text>All tests &lt;pass> &#38;\n more</q>\
         <li data-deed-row=2><b data-deed-field=verdict>fail</b>",
    );
    assert_eq!(html(&right), Vec::<&str>::new());
    let withheld = right.replace("All tests &lt;pass> &#38;\n more", "withheld: session");
    assert_eq!(html(&withheld), Vec::<&str>::new());
    let other = right.replace("unknown", "withheld: session");
    assert_eq!(html(&other), ["wrong-text"]);
    assert_eq!(html(&right.replace("more", "less")), ["wrong-text"]);
    assert_eq!(
        html(&right.replace("=verdict>fail", "=ended>fail")),
        ["unknown-field"]
    );
    assert_eq!(html(&right.replace("row=2", "row=4")), ["unknown-row"]);
    assert_eq!(
        html(&right.replace("row=2", "row=0")),
        ["unknown-row", "row-order"]
    );
    assert_eq!(html(&right.replace("rows=2", "rows=3")), ["row-count"]);
    assert_eq!(html("<p data-deed-row=1>x</p>"), ["outside"]);
    assert_eq!(html("<p data-deed-field=verdict>x</p>"), ["outside"]);
    let deep = "<b data-deed=turns>".repeat(9) + "1200";
    assert_eq!(html(&deep), ["too-deep"]);
}

#[test]
fn markdown_shows_the_same() {
    let of = |page: &str| faults(page, Syntax::Markdown, None);
    assert_eq!(
        of("<span data-deed=\"turns\">1,200</span>"),
        Vec::<&str>::new()
    );
    assert_eq!(
        of("<span data-deed=\"turns\">**12**00</span>"),
        Vec::<&str>::new()
    );
    assert_eq!(of("<span data-deed=\"turns\">13</span>"), ["wrong-number"]);
    assert_eq!(
        of("`<span data-deed=\"turns\">13</span>`"),
        Vec::<&str>::new()
    );
    assert_eq!(
        of("```\n<span data-deed=\"turns\">13</span>\n```"),
        Vec::<&str>::new()
    );
    assert_eq!(
        of("<!-- deedcheck-aggregate sha256:00 -->"),
        ["stale-digest"]
    );
}

#[test]
fn foreign_pages_are_mapped() {
    let map = format!(
        "schema = \"{MAP_SCHEMA}\"\n[[number]]\nshows = \"turns\"\nid = \"t\"\n\
         [[number]]\nshows = \"claim.supported\"\nafter = \"borne out:\"\nnth = 2\n"
    );
    let map = Map::parse(&map).expect("a mapping");
    let of = |page: &str| faults(page, Syntax::Html, Some(&map));
    let right =
        "<p>borne out: none</p><p id=t>about 1,200 turns</p><p>borne <b>out</b>: <i>25</i></p>";
    assert_eq!(of(right), Vec::<&str>::new());
    assert_eq!(of(&right.replace("1,200", "1,201")), ["wrong-number"]);
    assert_eq!(of(&right.replace("25", "26")), ["wrong-number"]);
    assert_eq!(of(&right.replace("25", "few")), ["not-a-number"]);
    assert_eq!(of(&right.replace("id=t", "")), ["no-such-place"]);
    assert_eq!(of(&right.replace("out", "in")), ["no-such-place"]);
}

#[test]
fn what_cannot_be_read_is_counted() {
    let deep = |depth: usize| {
        let mut page = "x".to_owned();
        for _ in 0..depth {
            page = page.replace('&', "&amp;").replace('"', "&quot;");
            page = format!("<iframe srcdoc=\"{page}\">");
        }
        page
    };
    assert_eq!(leaks_in(deep(3).as_bytes(), Syntax::Html).unread, 0);
    assert_eq!(leaks_in(deep(4).as_bytes(), Syntax::Html).unread, 1);
    let other = b"<a href=\"data:text/plain;charset=shift_jis,x\">";
    assert_eq!(leaks_in(other, Syntax::Html).unread, 1);
}

/// No page makes it panic, and none takes more than it should.
#[test]
fn hostile_pages_are_read() {
    let units = [
        "<b data-deed=turns>",
        "<p data-deed-row=1>",
        "<p data-deed-rows=1>",
        "<svg>",
        "&#x0",
        "<a srcdoc=\"<a srcdoc='",
        "data:,",
        "<style>url(data:",
        "\\",
        "<!--<",
        "`",
        "](",
        "<t id=t>",
        "<iframe srcdoc=\"&lt;",
        "\u{1}",
        "<p data-deed-field=text>",
        "'\"",
        "\u{feff}",
        "%",
        "<td><tr>",
    ];
    let mut seed = 7_u64;
    for round in 0..300 {
        let mut page = String::new();
        for _ in 0..40 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let unit = units[(seed >> 33) as usize % units.len()];
            page.push_str(&unit.repeat(1 + (seed >> 50) as usize % 3));
        }
        let syntax = if round % 2 == 0 {
            Syntax::Html
        } else {
            Syntax::Markdown
        };
        leaks_in(page.as_bytes(), syntax);
        let _ = faults(&page, syntax, None);
    }
    for unit in units {
        let page = unit.repeat((1 << 17) / unit.len());
        let _ = faults(&page, Syntax::Html, None);
        let _ = faults(&page, Syntax::Markdown, None);
    }
}

/// A sheet of addresses that never end is read once, and not once for each of them.
#[test]
fn addresses_without_an_end_are_read_once() {
    let leak = "<style>a{background:url(data:,x) url('data:text/plain,%2Fhome%2Fplantedcanary%2Fnest')}</style>";
    assert!(!leaks_in(leak.as_bytes(), Syntax::Html).findings.is_empty());
    let page = format!("<style>{}", "url(data:,".repeat(1 << 16));
    assert!(leaks_in(page.as_bytes(), Syntax::Html).findings.is_empty());
}

/// A count that is none would be taken for 0.
#[test]
fn an_aggregate_of_other_than_counts_is_none() {
    let told = |count: &str| {
        let text = format!(r#"{{"schema":"deedcheck/aggregate/1","cells":{{"turns":{count}}}}}"#);
        Sums::read(text.as_bytes()).is_some()
    };
    assert!(told("7") && told("18446744073709551615"));
    assert!(!told("18446744073709551616") && !told("-1") && !told("1.5") && !told("\"7\""));
}
