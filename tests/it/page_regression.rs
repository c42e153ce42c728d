//! Faults of what checks published pages, each held so that it cannot come back. `regression` says
//! how to add one.

use deedcheck::page::{Against, Checked, Map, Rows, Sums, Syntax, What, check};
use deedcheck::private::{Canary, Kind};

const AGGREGATE: &str = "{\"schema\":\"deedcheck/aggregate/1\",\"version\":\"0\",\"cells\":{\"turns\":5,\
                         \"claim.supported\":25,\"claim.unknown\":1}}\n";
const ROWS: &str = "{\"verdict\":\"supported\",\"kind\":\"claim\"}\n";

/// What is untrue of a page with these sums and rows, by its words.
fn untrue(syntax: Syntax, page: &str) -> Vec<&'static str> {
    let sums = Sums::read(AGGREGATE.as_bytes()).unwrap();
    let open = || -> std::io::Result<Box<dyn std::io::BufRead>> {
        Ok(Box::new(std::io::Cursor::new(ROWS)))
    };
    let against = Against {
        canary: None,
        sums: Some(&sums),
        map: None,
        rows: Some(Rows {
            open: &open,
            canary: None,
        }),
    };
    let checked = check(page.as_bytes(), syntax, &against).unwrap();
    let words = checked.findings.iter().map(|finding| match finding.what {
        What::Untrue(fault) => fault.as_str(),
        What::Leak(..) => "leak",
        What::Missed(missed) => missed.as_str(),
    });
    words.collect()
}

/// A digit, a sign or a word right beside a number's element was not seen: `50` passed for 5.
#[test]
fn what_stands_beside_a_number_is_seen() {
    let number = "<span data-deed=turns>5</span>";
    for (before, after) in [
        ("", "<span>0</span>"),
        ("", "<!-- c --><b></b>\u{2067}0\u{2069}"),
        ("1", ""),
        ("<i>-</i>", ""),
        ("\u{2212}\u{200b}", ""),
        ("", " %"),
        ("", ".5"),
        ("", "<style>a{}</style>k"),
        ("not ", ""),
        ("&#49;", ""),
        ("", "\u{200a}000"),
        ("", "<div style='display:inline'>0</div>"),
        ("<br hidden>1", ""),
    ] {
        for syntax in [Syntax::Html, Syntax::Markdown] {
            let page = format!("<p>so {before}{number}{after}</p>");
            assert_eq!(untrue(syntax, &page), ["beside"], "{page}");
        }
    }
    for (before, after) in [
        ("", " 0"),
        ("0 ", ""),
        ("(", ")"),
        ("", "<br>0"),
        ("<p>0</p>", "<p>0</p>"),
        ("", ", and 7"),
        ("None of ", "."),
        ("<td>0</td><td>", "</td><td>0</td>"),
        ("3–", "/7"),
    ] {
        let page = format!("<p>{before}{number}{after}</p>");
        assert_eq!(untrue(Syntax::Html, &page), Vec::<&str>::new(), "{page}");
    }
    for page in [
        format!("<p>\u{202e}{number}</p>"),
        format!("<bdo dir=rtl>{number}</bdo>"),
        format!("<p style='unicode-bidi:bidi-override;direction:rtl'>{number}</p>"),
    ] {
        assert_eq!(untrue(Syntax::Html, &page), ["turned"], "{page}");
    }
    let verdict = |before: &str, after: &str| {
        format!(
            "<ul data-deed-rows=1><li data-deed-row=1>{before}<b data-deed-field=verdict>supported</b>{after}</ul>"
        )
    };
    for (before, after) in [("not ", ""), ("un", ""), ("", "ish"), ("non-", "")] {
        assert_eq!(untrue(Syntax::Html, &verdict(before, after)), ["beside"]);
    }
    assert_eq!(
        untrue(Syntax::Html, &verdict("Verdict: ", " · tests")),
        Vec::<&str>::new()
    );
}

/// A row's number passed with idle noughts, and pages within pages, gauges and bent bars were not
/// looked at.
#[test]
fn numbers_are_seen_wherever_they_are_shown() {
    let row = "<ul data-deed-rows=1><li data-deed-row=01>x</ul>";
    assert_eq!(untrue(Syntax::Html, row), ["unknown-row", "row-order"]);
    let share = "share(claim.supported, claim.supported + claim.unknown)";
    let bar = format!("<rect data-deed-width=\"{share}\" width=9615 ");
    let box_of = |shape: &str| format!("<svg viewBox=\"0 0 10000 20\">{shape}/></svg>");
    for right in [
        "<iframe srcdoc=\"<b data-deed='turns'>5</b>\">".to_owned(),
        format!("<meter data-deed=\"{share}\" value=25 max=26>96.2 %</meter>"),
        "<input data-deed=turns value=5>".to_owned(),
        box_of(&bar),
        box_of(&format!("{bar} style=\"fill:#fff\"")),
        "<svg viewBox='0 0 9 9'><text transform='rotate(9)'>x</text></svg>".to_owned(),
    ] {
        assert_eq!(untrue(Syntax::Html, &right), Vec::<&str>::new(), "{right}");
    }
    for (wrong, fault) in [
        (
            "<iframe srcdoc=\"<b data-deed='turns'>6</b>\">".to_owned(),
            "wrong-number",
        ),
        (
            "<iframe src=\"data:text/html,<b DATA-Deed=turns>6\">".to_owned(),
            "wrong-number",
        ),
        (
            "<iframe srcdoc=\"&lt;b data-deed='turns'>6\">".to_owned(),
            "wrong-number",
        ),
        (
            format!("<meter data-deed=\"{share}\" value=24 max=26>96.2 %</meter>"),
            "wrong-number",
        ),
        (
            format!("<progress data-deed=\"{share}\">96.2 %</progress>"),
            "wrong-number",
        ),
        ("<input data-deed=turns value=6>".to_owned(), "wrong-number"),
        (box_of(&format!("{bar} style=\"width:9px\"")), "distorted"),
        (
            box_of(&format!("{bar} transform=\"scale(.5 1)\"")),
            "distorted",
        ),
        (
            format!("<svg viewBox=\"0 0 20000 20\">{bar}/></svg>"),
            "distorted",
        ),
        (format!("<svg>{bar}/></svg>"), "distorted"),
        (
            box_of(&format!("<g style=\"transform:scaleX(.5)\">{bar}/></g><i")),
            "distorted",
        ),
        (
            box_of(&format!("{bar}/><animate attributeName=width to=9")),
            "distorted",
        ),
    ] {
        assert_eq!(untrue(Syntax::Html, &wrong), [fault], "{wrong}");
    }
}

const VALUE: &str = "sess-plover-7741-quartz";

fn leaks(page: &[u8], syntax: Syntax) -> Checked {
    let mut canary = Canary::new().for_pages();
    canary.value(Kind::Session, VALUE);
    let against = Against {
        canary: Some(&canary),
        sums: None,
        map: None,
        rows: None,
    };
    check(page, syntax, &against).unwrap()
}

fn base64(bytes: &[u8]) -> String {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for group in bytes.chunks(3) {
        let byte = |at: usize| u32::from(group.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..=group.len() {
            out.push(char::from(alphabet[(bits >> (18 - 6 * at) & 63) as usize]));
        }
    }
    out
}

/// Values that only what shows nothing parts, or that lie one layer deeper than was looked.
#[test]
fn values_are_found_behind_what_shows_nothing_and_three_layers_deep() {
    let (head, tail) = VALUE.split_at(9);
    let octal: String = VALUE.bytes().map(|b| format!("\\{b:o}")).collect();
    let wide: Vec<u8> = VALUE.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let deep = base64(base64(base64(VALUE.as_bytes()).as_bytes()).as_bytes());
    for page in [
        format!("<p>{head}<style>a{{color:red}}</style>{tail}</p>"),
        format!("<p>{head}<title>so</title>{tail}</p>"),
        format!("<p>{head}<template><b>so</b></template>{tail}</p>"),
        format!("<p>{head}<span hidden>so</span>{tail}</p>"),
        format!("<p>{head}<div style='display: none'>so</div>{tail}</p>"),
        format!("<p>{head}<script>1</script>{tail}</p>"),
        format!("<a data-x='{deep}'>"),
        format!("<script>x = '{octal}'</script>"),
        format!("<script>x = '{head}\\\n{tail}'</script>"),
        format!("<a onclick=\"x('{head}' + '{tail}')\">"),
        format!("<p data-x='{}'>", base64(&wide)),
        format!(
            "<p>{}</p>",
            base64(&[b"\xff\xfe", wide.as_slice()].concat())
        ),
    ] {
        let checked = leaks(page.as_bytes(), Syntax::Html);
        let session = |what: &What| matches!(what, What::Leak(Kind::Session, _));
        let found = checked
            .findings
            .iter()
            .any(|finding| session(&finding.what));
        assert!(found, "{page}");
    }
    let broken = leaks(format!("see {head}\\\n{tail}").as_bytes(), Syntax::Markdown);
    assert_eq!(broken.findings.len(), 1);
    let packed = b"<a href='data:application/gzip;base64,H4sIAAAA'>";
    assert_eq!(leaks(packed, Syntax::Html).unread, 1);
    let picture = b"<img src='data:image/png;base64,iVBORw0K'>";
    assert_eq!(leaks(picture, Syntax::Html).unread, 0);
}

/// In much that is packed and no text, shapes come about by chance: 36 were told in 50 MB.
#[test]
fn what_only_looks_packed_tells_nothing() {
    let mut state = 9_u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as u8
    };
    let bytes: Vec<u8> = (0..3 << 19).map(|_| next()).collect();
    let text = base64(&bytes);
    let page = format!("<script>x = '{text}'</script>");
    assert_eq!(leaks(page.as_bytes(), Syntax::Html).findings, []);
    // A value within it is one all the same.
    let hidden = [&bytes[..9000], VALUE.as_bytes(), &bytes[9000..20_000]].concat();
    let page = format!("<script>x = '{}'</script>", base64(&hidden));
    assert_eq!(leaks(page.as_bytes(), Syntax::Html).findings.len(), 1);
}

/// Numbers of a mapping had no neighbours, and a number's element could hold what nobody sees.
#[test]
fn numbers_of_a_mapping_have_neighbours() {
    let map = "schema = \"deedcheck/page-map/1\"\n[[number]]\nshows = \"turns\"\n";
    let sums = Sums::read(AGGREGATE.as_bytes()).unwrap();
    let found = |way: &str, page: &str| -> usize {
        let map = Map::parse(&format!("{map}{way}\n")).unwrap();
        let against = Against {
            canary: None,
            sums: Some(&sums),
            map: Some(&map),
            rows: None,
        };
        check(page.as_bytes(), Syntax::Html, &against)
            .unwrap()
            .findings
            .len()
    };
    for wrong in [
        "<b id=t>\u{2212}5</b>",
        "<p>3<b id=t>5</b>",
        "<b id=t>5</b>7",
        "<b id=t>5k</b>",
        "<b id=t>5\u{d7}10</b>",
        "<b id=t>not 5</b>",
        "<b id=t>5-6</b>",
        "<b id=t>5</b> <b id=t>5</b>",
    ] {
        assert_ne!(found("id = \"t\"", wrong), 0, "{wrong}");
    }
    for right in [
        "<b id=t>5</b>",
        "<p>in all <b id=t>5 turns</b>, or so",
        "<b id=t>turns: 5</b>.",
    ] {
        assert_eq!(found("id = \"t\"", right), 0, "{right}");
    }
    for wrong in ["5 000", "5-6", "5+", "5th"] {
        assert_ne!(
            found("after = \"in all:\"", &format!("<p>in all: {wrong}")),
            0,
            "{wrong}"
        );
    }
    for right in ["5", "5 turns", "5.", "5, and 6"] {
        assert_eq!(
            found("after = \"in all:\"", &format!("<p>in all: {right}")),
            0,
            "{right}"
        );
    }
    for wrong in [
        "<b data-deed=turns>5<span hidden>1</span></b>",
        "<b data-deed=turns><template>1</template>5</b>",
        "<b data-deed=turns>5<img alt=7></b>",
        "<img alt=1><b data-deed=turns>5</b>",
        "<b data-deed=turns>5</b><input value=0>",
        "<b data-deed=turns style='display:inline-block;transform:rotate(180deg)'>5</b>",
    ] {
        assert_ne!(untrue(Syntax::Html, wrong), Vec::<&str>::new(), "{wrong}");
    }
}

/// A page was called clean whose escapes were not undone to the end, and one leak too many hid the
/// one that mattered.
#[test]
fn what_was_not_looked_at_is_a_finding() {
    let missed = |page: &str| -> Vec<&'static str> {
        let checked = leaks(page.as_bytes(), Syntax::Html);
        let words = checked
            .findings
            .iter()
            .filter_map(|finding| match finding.what {
                What::Missed(missed) => Some(missed.as_str()),
                _ => None,
            });
        words.collect()
    };
    let mails = "<p>a.b@cdef.org</p>\n".repeat(1100);
    let page = format!("{mails}<p>{VALUE}</p>");
    assert_eq!(missed(&page), ["cut"]);
    let session =
        |finding: &deedcheck::page::Finding| matches!(finding.what, What::Leak(Kind::Session, _));
    assert!(
        leaks(page.as_bytes(), Syntax::Html)
            .findings
            .iter()
            .any(session)
    );
    // Pieces in no order that comes back, so that none is one that was read before.
    let parts = [
        "%2525%2541",
        "\\\\u0025",
        "&amp;amp;#37;",
        "\\\\x5cu0041",
        "\\134u0041",
        "<b>",
        "\n",
    ];
    let mut dice = 11_u64;
    let thick: String = (0..60_000)
        .map(|_| {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            parts[usize::try_from(dice >> 33).unwrap() % parts.len()]
        })
        .collect();
    assert_eq!(missed(&thick), ["unread"]);
    assert_eq!(missed("<p>plain &amp; simple</p>"), [""; 0]);
}
