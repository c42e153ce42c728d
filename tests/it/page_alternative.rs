//! What stands for a number beside its text: what is read aloud or shown on hovering, what a program
//! reads, and how long a bar is. Each table was written before the checker knew of any of them.

use deedcheck::page::{Against, Map, Sums, Syntax, What, check};

const AGGREGATE: &str = "{\"schema\":\"deedcheck/aggregate/1\",\"version\":\"0\",\"cells\":{\"turns\":1200,\
                         \"claim.supported\":25,\"claim.unknown\":1}}\n";
const SHARE: &str = "share(claim.supported, claim.supported + claim.unknown)";

fn found(map: &str, page: &str) -> Vec<&'static str> {
    let sums = Sums::read(AGGREGATE.as_bytes()).unwrap();
    let map = (!map.is_empty())
        .then(|| Map::parse(&format!("schema = \"deedcheck/page-map/1\"\n{map}")).unwrap());
    let against = Against {
        canary: None,
        sums: Some(&sums),
        map: map.as_ref(),
        rows: None,
    };
    let checked = check(page.as_bytes(), Syntax::Html, &against).unwrap();
    let words = checked.findings.iter().map(|finding| match finding.what {
        What::Untrue(fault) => fault.as_str(),
        What::Leak(..) => "leak",
        What::Missed(missed) => missed.as_str(),
    });
    words.collect()
}

fn by_id(shows: &str) -> String {
    format!("[[number]]\nshows = \"{shows}\"\nid = \"t\"\n")
}

const NONE: [&str; 0] = [];

/// Each names a mapped or marked element that shows 25 claims, and says another number of it.
#[test]
fn what_is_read_aloud_is_the_number() {
    let map = by_id("claim.supported");
    for wrong in [
        "<b id=t aria-label='26'>25</b>",
        "<b id=t aria-label='26 claims'>25 claims</b>",
        "<b id=t aria-label='&#50;6'>25</b>",
        "<b id=t aria-label='not 25'>25</b>",
        "<b id=t aria-label='-25'>25</b>",
        "<b id=t aria-label='1,025 claims'>25</b>",
        "<b id=t aria-valuetext='26 of 26'>25</b>",
        "<b id=t aria-braillelabel='26'>25</b>",
        "<p id=t><b aria-label='26'>25</b> claims</p>",
        "<p id=t><img alt=26> 25 claims</p>",
        "<b id=t title='26'>25</b>",
        "<b id=t title='26 claims'>25 claims</b>",
        "<b id=t aria-description='26 claims'>25 claims</b>",
        "<p id=t><abbr title=26>25</abbr> claims</p>",
        "<data id=t value=26>25</data>",
        "<b id=t role=meter aria-valuenow=26 aria-valuemax=30>25</b>",
        "<a aria-label='26 claims'><b id=t>25</b></a>",
        "<td aria-label='26'><span><b id=t>25</b></span></td>",
    ] {
        assert_eq!(found(&map, wrong), ["alternative"], "{wrong}");
        let marked = wrong.replace("id=t", "data-deed=claim.supported");
        if !marked.contains(" claims<") && !marked.contains("<p ") {
            assert_eq!(found("", &marked), ["alternative"], "{marked}");
        }
    }
    for right in [
        "<b id=t aria-label='25'>25</b>",
        "<b id=t aria-label='25 of 26 claims'>25</b>",
        "<b id=t aria-label='claims that were borne out'>25</b>",
        "<b id=t aria-label='96.2 %: 25 claims'>25</b>",
        "<b id=t title='of 26 claims'>25</b>",
        "<b id=t title='as of 2026'>25</b>",
        "<b id=t title='2026-12-01'>25</b>",
        "<b id=t title='95 % interval: 81.1 to 99.3'>25</b>",
        "<b id=t title='v0.4'>25</b>",
        "<b id=t title='25'>25</b>",
        "<data id=t value=25>25</data>",
        "<data id=t value='25.0'>25</data>",
        "<data id=t value=claim-25-x>25</data>",
        "<b id=t role=meter aria-valuenow=25 aria-valuemax=30>25</b>",
        "<p id=t><img alt='Figure 3'> 25 claims</p>",
        "<p id=t>25 claims <button aria-label='Copy line 3'>copy</button></p>",
        "<p id=t>25 claims <b aria-label='4'>4</b></p>",
        "<section aria-label='Part 3 of 2026'><p>In all</p><b id=t>25</b></section>",
        "<table aria-label='Table 3'><tr><td id=t>25</td><td>7</td></table>",
        "<tr title=3><td>Row 3</td><td id=t>25</td></tr>",
        "<p title='Section 4'>Of these, <b id=t>25</b> hold</p>",
        "<li value=7 id=t>25</li>",
        "<svg role=img aria-label='Figure 3'><text id=t>25</text></svg>",
    ] {
        assert_eq!(found(&map, right), NONE, "{right}");
    }
    // What is fetched from elsewhere in the page, before or behind.
    for (page, faults) in [
        (
            "<b id=t aria-labelledby='n m'>25</b> <i id=n>26</i> <i id=m>claims</i>",
            &["alternative"][..],
        ),
        (
            "<p id=n>26 claims</p><p><b id=t ARIA-DESCRIBEDBY=n>25 claims</b>",
            &["alternative"],
        ),
        (
            "<b id=t aria-labelledby=n>25</b> <i id=n aria-label=26>25</i>",
            &["alternative"],
        ),
        (
            "<b id=t aria-labelledby=n>25</b> <i id=n>25 of 26 claims</i>",
            &[],
        ),
        (
            "<b id=t aria-labelledby='t n'>25</b> <i id=n>claims</i>",
            &[],
        ),
        (
            "<b id=t aria-describedby=n>25</b> <i id=n>of 26, as of 2026</i>",
            &[],
        ),
        (
            "<section aria-labelledby=n><h2 id=n>Part 3</h2><b id=t>25</b></section>",
            &[],
        ),
        ("<b id=t aria-labelledby=none>25</b>", &[]),
    ] {
        assert_eq!(found(&map, page), faults, "{page}");
    }
    let map = "[[number]]\nshows = \"claim.supported\"\nafter = \"in all:\"\n";
    for (page, faults) in [
        ("<p>in all: <b aria-label='26'>25</b>", &["alternative"][..]),
        (
            "<p>in all: <b title='26 claims'>25 claims</b>",
            &["alternative"],
        ),
        ("<p>in all: <b aria-label='25'>25</b>", &[]),
        ("<p aria-label='Part 3'>in all: 25", &[]),
        ("<p>in all: <b>25</b> <b aria-label='7'>8</b>", &[]),
        ("<b aria-label=3>3</b> in all: 25", &[]),
    ] {
        assert_eq!(found(map, page), faults, "{page}");
    }
}

/// The same of a share, 25 of 26, which may be told more exactly or more coarsely.
#[test]
fn what_is_said_of_a_share_is_that_share() {
    let map = by_id(SHARE);
    for wrong in [
        "<b id=t aria-label='97 %'>96.2 %</b>",
        "<b id=t aria-label='97 per cent'>96.2 %</b>",
        "<b id=t aria-label='26 of 26 claims'>96.2 %</b>",
        "<b id=t aria-label='97'>96.2 %</b>",
        "<b id=t title='97.2%'>96.2 %</b>",
        "<b id=t title='0.97'>96.2 %</b>",
        "<data id=t value='0.97'>96.2 %</data>",
        "<b id=t role=progressbar aria-valuenow=97>96.2 %</b>",
        "<meter id=t value=0.97>96.2 %</meter>",
        "<a title='97 %'><b id=t>96.2 %</b></a>",
    ] {
        let faults = found(&map, wrong);
        let own = if wrong.starts_with("<meter") {
            "wrong-number"
        } else {
            "alternative"
        };
        assert_eq!(faults, [own], "{wrong}");
    }
    for right in [
        "<b id=t aria-label='96 %'>96.2 %</b>",
        "<b id=t aria-label='96.15 percent'>96.2 %</b>",
        "<b id=t aria-label='25 of 26 claims'>96.2 %</b>",
        "<b id=t aria-label='25/26'>96.2 %</b>",
        "<b id=t title='0.9615'>96.2 %</b>",
        "<b id=t title='96.153846 %'>96.2 %</b>",
        "<b id=t title='95 % interval: 81.1–99.3 %'>96.2 %</b>",
        "<b id=t title='2 more than before'>96.2 %</b>",
        "<data id=t value='0.961538'>96.2 %</data>",
        "<b id=t role=progressbar aria-valuenow=96.2>96.2 %</b>",
        "<b id=t role=progressbar aria-valuenow=25 aria-valuemax=26>96.2 %</b>",
        "<b id=t role=progressbar aria-valuenow=0.9615>96.2 %</b>",
        "<meter id=t value=25 max=26></meter>",
    ] {
        assert_eq!(found(&map, right), NONE, "{right}");
    }
}

/// Drawings say in words what their shapes measure.
#[test]
fn words_of_a_drawing_are_those_of_its_shapes() {
    let bar = format!("<rect data-deed-width='{SHARE}' width=9615");
    let page = |svg: &str, shape: &str, within: &str| {
        format!("<svg viewBox='0 0 10000 20' {svg}>{within}{bar} {shape}/></svg>")
    };
    for (svg, shape, within) in [
        ("role=img aria-label='97 % borne out'", "", ""),
        ("", "aria-label='97 %'", ""),
        ("", "", "<title>97 % borne out</title>"),
        ("", "", "<desc>97.0 %</desc>"),
        ("", "><title>97 %</title></rect><i", ""),
    ] {
        assert_eq!(
            found("", &page(svg, shape, within)),
            ["alternative"],
            "{svg} {shape} {within}"
        );
    }
    for (svg, shape, within) in [
        ("role=img aria-label='96.2 % borne out'", "", ""),
        ("role=img aria-label='Figure 3'", "", ""),
        ("role=img aria-label='Share with its 95 % interval'", "", ""),
        (
            "",
            "",
            "<title>Borne out</title><desc>95 %: 81.1 % to 99.3 %</desc>",
        ),
        (
            "",
            "",
            "<title>Claims of 2026</title><desc>Between 81.1 % and 99.3 %: 96.2 %.</desc>",
        ),
        ("", "><title>25 of 26</title></rect><i", ""),
    ] {
        assert_eq!(
            found("", &page(svg, shape, within)),
            NONE,
            "{svg} {shape} {within}"
        );
    }
}

/// A mapping says which attribute or property of an element is a measure of what.
#[test]
fn bars_of_other_pages_are_as_long_as_they_should_be() {
    let map = |rest: &str| format!("{}measure = \"{rest}\n", by_id(SHARE));
    for (how, right) in [
        ("width\"", "<div id=t style='width:96.15%'></div>"),
        (
            "width\"",
            "<div id=t style='color:red; WIDTH: 96.2% !important'></div>",
        ),
        ("width\"", "<div id=t style='width:96%'></div>"),
        ("width\"", "<td id=t width='96%'></td>"),
        (
            "height\"\nscale = \"240\"",
            "<rect id=t height=231 width=9>",
        ),
        (
            "height\"\nscale = \"240\"",
            "<rect id=t height='230.76923076923077'>",
        ),
        (
            "height\"\nscale = \"2.5\"",
            "<div id=t style='height:2.4em'></div>",
        ),
        (
            "--size\"\nscale = \"1\"",
            "<td id=t style='--size: 0.9615'>x</td>",
        ),
        (
            "--size\"\nscale = \"1\"",
            "<td id=t style='--size:.9615'>x</td>",
        ),
    ] {
        assert_eq!(found(&map(how), right), NONE, "{right}");
    }
    for (how, wrong, fault) in [
        (
            "width\"",
            "<div id=t style='width:97%'></div>",
            "wrong-width",
        ),
        (
            "width\"",
            "<div id=t style='width:96.9%'></div>",
            "wrong-width",
        ),
        (
            "width\"",
            "<div id=t style='width:96.2%;width:50%'></div>",
            "wrong-width",
        ),
        (
            "width\"",
            "<div id=t style='width:50%' width='96.2%'></div>",
            "wrong-width",
        ),
        (
            "width\"",
            "<div id=t style='width:calc(96.2% - 9px)'></div>",
            "wrong-width",
        ),
        ("width\"", "<div id=t></div>", "wrong-width"),
        (
            "width\"",
            "<div id=t style='width:-96.2%'></div>",
            "wrong-width",
        ),
        (
            "width\"",
            "<div id=t style='width:96.2px'></div>",
            "wrong-width",
        ),
        (
            "width\"",
            "<div id=t style='width:96.2%;transform:scaleX(.5)'></div>",
            "distorted",
        ),
        (
            "width\"",
            "<div id=t style='width:96.2%;max-width:50%'></div>",
            "distorted",
        ),
        (
            "height\"\nscale = \"240\"",
            "<rect id=t height=200>",
            "wrong-width",
        ),
        (
            "width\"",
            "<div id=t style='width:96.2%' title='97 %'></div>",
            "alternative",
        ),
        ("width\"", "<p>no such</p>", "no-such-place"),
    ] {
        assert_eq!(found(&map(how), wrong), [fault], "{wrong}");
    }
    let both = format!("{}{}", by_id(SHARE), map("width\""));
    assert_eq!(found(&both, "<b id=t style='width:96.2%'>96.2 %</b>"), NONE);
    assert_eq!(
        found(&both, "<b id=t style='width:96.2%'>97 %</b>"),
        ["wrong-number"]
    );
    assert_eq!(
        found(&both, "<b id=t style='width:97%'>96.2 %</b>"),
        ["wrong-width"]
    );
    let count = format!(
        "{}measure = \"height\"\nscale = \"2\"\n",
        by_id("claim.supported")
    );
    assert_eq!(found(&count, "<i id=t style='height:50px'>"), NONE);
    assert_eq!(
        found(&count, "<i id=t style='height:52px'>"),
        ["wrong-width"]
    );
}

/// Each of a great many things that are told is looked at once.
#[test]
fn what_is_told_a_hundred_thousand_times_is_read_once() {
    let map = by_id("claim.supported");
    let words = "word ".repeat(200_000);
    let told = "<i title=9>x</i>".repeat(100_000);
    let page = format!("<p id=t>{words}{told}25</p>");
    assert_eq!(found(&map, &page), ["not-a-number"], "it stands too far");
    let page = format!("<p id=t>25 {told}</p>");
    assert_eq!(found(&map, &page), NONE);
    let labelled = |times: usize| format!("{}<b id=t>25</b>", "<a aria-label=x>".repeat(times));
    assert_eq!(found(&map, &labelled(60)), NONE);
    assert_eq!(found(&map, &labelled(100_000)), ["no-such-place"]);
    let many = format!("<p id=t>{}25</p>", "<img alt=26>".repeat(100));
    assert!(found(&map, &many).contains(&"too-deep"));
    let words = "[[number]]\nshows = \"claim.supported\"\nafter = \"in all:\"\n";
    let page = format!("{}in all: 25", "<i aria-label=7>7</i>".repeat(100_000));
    assert_eq!(found(words, &page), NONE);
}
