use sha2::{Digest as _, Sha256};

use super::kind::{Armed, Hit, Kind, Spelling, Spellings};
use super::planted::{catches, encode, planted, sample_canary, self_test};
use super::scan::{MARGIN, OVERLAP, WINDOW};
use super::{Canary, slug};

#[test]
fn every_planted_canary_is_caught() {
    let canary = sample_canary(Armed::default());
    let missed: Vec<_> = planted()
        .into_iter()
        .filter(|planted| !catches(&canary, planted))
        .collect();
    assert_eq!(missed, []);
    let (planted, caught) = self_test(Armed::default());
    assert_eq!(planted, caught);
    assert!(planted > 200, "{planted}");
}

#[test]
fn switching_a_spelling_off_flips_exactly_its_own_canaries() {
    for off in Spelling::ALL {
        let canary = sample_canary(Armed::default().without_spelling(*off));
        for planted in planted() {
            let own = planted.spelling == Some(*off);
            assert_eq!(catches(&canary, &planted), !own, "{off:?} {planted:?}");
        }
    }
}

#[test]
fn switching_a_kind_off_flips_exactly_its_own_canaries() {
    for off in Kind::ALL {
        let canary = sample_canary(Armed::default().without_kind(*off));
        for planted in planted() {
            let own = planted.kind == *off;
            assert_eq!(catches(&canary, &planted), !own, "{off:?} {planted:?}");
        }
    }
}

/// A small generator with a fixed seed, so that every run tries the same spellings.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % sides
    }
}

const WAYS: usize = 17;

/// One way of hiding, applied to the whole text or to single characters by chance.
fn hide(text: &str, way: usize, dice: &mut Dice) -> String {
    use unicode_normalization::UnicodeNormalization as _;
    // A layer's own sign is always escaped, as every writer of that layer does.
    let mut some = |sign: char, escape: &dyn Fn(char) -> String| -> String {
        text.chars()
            .map(|c| {
                if c == sign || dice.roll(3) == 0 {
                    escape(c)
                } else {
                    c.to_string()
                }
            })
            .collect()
    };
    let bytes = |c: char, form: &dyn Fn(u8) -> String| -> String {
        c.to_string().bytes().map(form).collect()
    };
    let wide = |c: char| match c {
        // A full-width backslash before an escape can be read two ways; one reading is undone.
        '\\' => c.to_string(),
        '!'..='~' => char::from_u32(u32::from(c) + 0xfee0).unwrap().to_string(),
        _ => c.to_string(),
    };
    match way {
        0 => text.to_uppercase(),
        1 => text.nfd().collect(),
        2 => text.nfc().collect(),
        3 => some('\0', &wide),
        4 => some('\\', &|c| {
            let mut units = [0; 2];
            c.encode_utf16(&mut units)
                .iter()
                .map(|unit| format!("\\u{unit:04X}"))
                .collect()
        }),
        5 => serde_json::to_string(text).unwrap().replace('/', "\\/"),
        6 => some('&', &|c| format!("&#{};", u32::from(c))),
        7 => some('&', &|c| format!("&#x000{:X}", u32::from(c)) + ";"),
        8 => text
            .replace('&', "&amp;")
            .replace('/', "&sol;")
            .replace('-', "&shy;-")
            .replace('é', "&eacute;"),
        9 => some('%', &|c| bytes(c, &|b| format!("%{b:02x}"))),
        10 => text
            .chars()
            .map(|c| bytes(c, &|b| format!("%{b:02X}")))
            .collect(),
        11 => some('\0', &|c| format!("\u{ad}{c}\u{200b}\u{2060}\u{feff}")),
        12 => some('\0', &|c| format!("<wbr>{c}<i class=\"a\"></i>")),
        13 => some('\0', &|c| format!("<a title='>'>{c}</a>")),
        14 => some('\0', &|c| format!("\r\n\t {c}")),
        15 => encode(format!("it is {text} again")),
        _ => format!("run{}", encode(format!("it is {text} again")))
            .replace('+', "-")
            .replace('/', "_"),
    }
}

/// Values that composed spellings hide. None has blanks, since a line break may replace a blank.
const VALUES: &[(Kind, &str)] = &[
    (Kind::Identity, "JoséFarrowmere"),
    (Kind::Session, "sess-plover-7741-quartz"),
    (Kind::Locator, "archive/wrenfold/day-3.jsonl:118"),
    (Kind::WorkTree, "\\new\\bramble\\tools\\fold"),
    (Kind::Host, "straße-turm-ost"),
    (Kind::User, "Пользователь"),
];

fn value_canary() -> Canary {
    let mut canary = Canary::new();
    for (kind, value) in VALUES {
        assert!(canary.value(*kind, value), "{value}");
    }
    canary
}

#[test]
fn thousands_of_composed_spellings_are_caught() {
    let canary = value_canary();
    let mut dice = Dice(42);
    let mut tried = 0;
    let mut missed = Vec::new();
    for (kind, value) in VALUES {
        for first in 0..WAYS {
            for second in 0..WAYS {
                // Upper case over escapes or base64 destroys them; it hides nothing then.
                // Tags inside tags are no tags to any reader.
                let tags = [12, 13];
                if (second == 0 && first > 3) || (tags.contains(&first) && tags.contains(&second)) {
                    continue;
                }
                for _ in 0..3 {
                    let once = hide(value, first, &mut dice);
                    let twice = hide(&once, second, &mut dice);
                    let text = format!("{{\"note\": \"before {twice} after\"}}\n");
                    tried += 1;
                    if !canary.scan(&text).iter().any(|hit| hit.kind == *kind) {
                        missed.push((first, second, text));
                    }
                }
            }
        }
    }
    assert!(tried > 4000, "{tried}");
    missed.truncate(12);
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn three_layers_are_undone() {
    let canary = value_canary();
    let mut dice = Dice(7);
    let ways = [4, 5, 6, 7, 9, 10, 11, 12, 14];
    for (kind, value) in VALUES {
        for _ in 0..300 {
            let mut text = (*value).to_owned();
            let mut used = Vec::new();
            for _ in 0..3 {
                let way = ways[dice.roll(ways.len())];
                // Neither tags inside tags nor a break inside a break's own escape is read by anyone.
                if [12, 14].contains(&way) && used.contains(&way) {
                    continue;
                }
                used.push(way);
                text = hide(&text, way, &mut dice);
            }
            let caught = canary.scan(&text).iter().any(|hit| hit.kind == *kind);
            assert!(caught, "{used:?} {text}");
        }
    }
}

#[test]
fn a_hit_names_place_kind_and_spelling() {
    let mut canary = Canary::new();
    canary.value(Kind::Label, "zephyr-lantern");
    let one = |text: &str| -> Hit {
        let hits = canary.scan(text);
        assert_eq!(hits.len(), 1, "{text} {hits:?}");
        hits[0]
    };
    let hit = one("{\"zephyr-lantern\":1}");
    assert_eq!((hit.at, hit.kind), (2, Kind::Label));
    assert_eq!(hit.spelling, Spellings::NONE);
    let hit = one("é: Zephyr&#45;lan\u{ad}tern");
    assert_eq!(hit.at, 4);
    let expected = Spellings::NONE
        .with(Spelling::Case)
        .with(Spelling::Html)
        .with(Spelling::Invisible);
    assert_eq!(hit.spelling, expected);
    let hit = one("ab zephyr\n  -lantern");
    assert_eq!(hit.at, 3);
    assert_eq!(hit.spelling, Spellings::NONE.with(Spelling::Lines));
}

#[test]
fn short_values_and_vocabulary_are_not_taken() {
    let mut canary = Canary::new();
    for value in [
        "seven77",
        "  short  ",
        "workflow_child",
        "general-purpose",
        "README.md",
        "",
    ] {
        assert!(!canary.value(Kind::Label, value), "{value}");
    }
    assert!(canary.value(Kind::Label, "eight888"));
    assert!(canary.value(Kind::Root, "/home/user"));
    assert_eq!(canary.values(), 2);
    assert_eq!(
        canary.scan("the workflow_child read README.md for general-purpose"),
        []
    );
}

#[test]
fn folder_slugs_are_lossy_and_found() {
    assert_eq!(slug("/home/alice/src.app"), "-home-alice-src-app");
    assert_eq!(slug("/Users/k/Проект"), slug("/Users/k/Привет"));
    assert_eq!(slug("C:\\Users\\k"), "C--Users-k");
    assert_eq!(slug("/x/e\u{301}/😀"), "-x---".to_owned() + "--");
    let mut canary = Canary::new();
    canary.value(Kind::WorkTree, "/vault/fieldfare/my.checkout");
    let hits = canary.scan("in projects: -VAULT-fieldfare-my-checkout.");
    assert_eq!(hits.first().map(|hit| hit.kind), Some(Kind::WorkTree));
}

#[test]
fn shapes_are_caught() {
    let canary = Canary::new();
    let digits = "0123456789".repeat(8);
    let t = |length: usize| digits.get(..length).unwrap().replace('5', "d");
    let all = [
        (
            Kind::Uuid,
            "id 0F1E2D3C-4b5a-4678-9abc-def012345678".to_owned(),
        ),
        (Kind::CallId, "call_AbCdEfGhIjKl".to_owned()),
        (Kind::CallId, "srvtoolu_01abcdefgh".to_owned()),
        (Kind::PosixPath, "\"/tmp\"".to_owned()),
        (Kind::PosixPath, "at /Проект/x".to_owned()),
        (Kind::PosixPath, "file:///etc/passwd".to_owned()),
        (Kind::PosixPath, "--out=/srv/x".to_owned()),
        (Kind::PosixPath, "\\home\\deedly\\x".to_owned()),
        (Kind::WindowsPath, "\"c:\\\\users\\\\k\"".to_owned()),
        (Kind::WindowsPath, "D:/work".to_owned()),
        (Kind::WindowsPath, "\\\\server\\share".to_owned()),
        (Kind::HomeSlug, "projects/-home-alice-src-app/x".to_owned()),
        (Kind::HomeSlug, "C--Users-k".to_owned()),
        (Kind::Email, "<a.b+c@mail.example.org>".to_owned()),
        (Kind::Secret, format!("sk-ant-api03-{}", t(20))),
        (Kind::Secret, format!("sk-or-v1-{}", t(64))),
        (Kind::Secret, format!("sk-{}", t(48))),
        (Kind::Secret, format!("ghp_{}", t(36))),
        (Kind::Secret, format!("github_pat_{}", t(40))),
        (Kind::Secret, format!("glpat-{}", t(20))),
        (Kind::Secret, format!("AKIA{}", t(16))),
        (Kind::Secret, format!("AIza{}", t(35))),
        (Kind::Secret, format!("xoxb-{}", t(30))),
        (Kind::Secret, format!("whsec_{}", t(32))),
        (Kind::Secret, format!("sbp_{}", t(40))),
        (Kind::Secret, format!("npm_{}", t(36))),
        (Kind::Secret, format!("12345678:AAx_{}", t(32))),
        (Kind::Secret, "-----BEGIN RSA PRIVATE KEY-----".to_owned()),
        (Kind::Secret, "https://me:pw@host.example/x".to_owned()),
        (
            Kind::Secret,
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30".to_owned(),
        ),
    ];
    for (kind, text) in all {
        let caught = canary.scan(&text).iter().any(|hit| hit.kind == kind);
        assert!(caught, "{kind:?} {text}");
    }
}

#[test]
fn look_alikes_pass() {
    let canary = sample_canary(Armed::default());
    for text in [
        r#"{"schema":"deedcheck/aggregate/1","tool":"deedcheck 0.1.0","share":"3/4"}"#,
        r#"{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0"}"#,
        r#"{"client":"claude-code","client_version":"2.1.154","model":"claude-opus-4-1-20250805"}"#,
        r#"{"model":"gpt-5.1-codex-max","ended":"api-error","text":"line one\nnext\ttab\\n"}"#,
        "pass / fail, and/or, n/a, 1/2, text/html, src/main.rs, ./x, ../y, a:b, x: y",
        "<p>tests pass</p><br/><i>3</i></td>\n<td>4</td>",
        "non-root-cause --home-dir=x --root-dir at-home-office stay-home-alone",
        "call_function_name tool_call_count recall_precision toolu_ call_",
        "<h2>ptrace_<wbr>sys<wbr>call_<wbr>info_<wbr>data</h2><h3>Fields</h3><p>One of 3</p>",
        "<li><a title=\"x\">call_site</a></li><li>join</li><li>mixedSite2</li><li>Span</li>",
        "pkg@1.2.3 @scope/pkg user@host a@b @ x@y.z1 checkout@v4",
        "sk-learn risk-assessment task-0123456789012345678901234567890123456789 AKIAK ghp_short",
        "2026-01-02T03:04:05 12345678:90 aa:bb:cc C: D:\" e:\n",
        "sess-plover zephyr lantern farrowmere quillon 7741",
        "%d %s 100% &copy &nosuch; \\d+ \\w \\u12 %zz",
        "PTRACE_SET_SYSCALL_INFO_2 CALL_FUNCTION_KW CALL_INTRINSIC_1 sys<wbr>call_<wbr>info_<wbr>data2",
        "<p>Use <code>npm@7.</code></p><p>All of it.</p> `pkg@2.0.0`.\n\n* `npm diff`\n\nnpm@5.\n\nAll data",
        "<p>C:</p><p>next</p>\n<td>a:</td>\n<td>b/c</td> <li>call_site</li><li>Next</li>",
        "<img src=\"logo@2x.png\" srcset=\"a@1.5x.webp\">",
        "<script>z=y?a:/foo/.test(b):0;{b:/c/}</script> $f:\\mathbb{R}$ a:\\frac{1}{2} \"e:\\n\"",
        "git@github.com:a/b.git noreply@anthropic.com 00000000-0000-0000-0000-000000000000",
    ] {
        assert_eq!(canary.scan(text), [], "{text}");
    }
}

#[test]
fn an_id_that_tags_split_is_no_row_of_names() {
    let canary = sample_canary(Armed::default());
    for id in [
        "call_9fQ2xLr7VbT0aZ4kW8mNc3Ju",
        "toolu_01Hq3Zs8YtB5nKd7WcXv2RpLmF",
        "call_0a91f7c3b2d84e6f",
    ] {
        let (head, tail) = id.split_at(12);
        for text in [
            format!("<b>{head}</b>{tail}"),
            format!("<td>{head}<wbr>{tail}</td><td>Fields</td>"),
        ] {
            assert!(!canary.scan(&text).is_empty(), "{text}");
        }
    }
}

#[test]
fn thousands_of_digests_pass() {
    let canary = sample_canary(Armed::default());
    let mut text = String::new();
    for index in 0..5000_u32 {
        let digest = Sha256::digest(index.to_le_bytes());
        let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        text.push_str(&format!(
            "{{\"sha256\":\"{hex}\",\"short\":\"{}\",\"count\":{index}}}\n",
            &hex[..16]
        ));
    }
    assert_eq!(canary.scan(&text), []);
}

#[test]
fn windows_meet_without_a_gap_and_without_false_edges() {
    let mut canary = Canary::new();
    canary.value(Kind::Label, "zephyr-lantern");
    let window = WINDOW;
    for near in [
        window - OVERLAP,
        window - MARGIN,
        window,
        2 * window - OVERLAP,
    ] {
        for shift in [0, 7, 13, 20] {
            let at = near - shift;
            let mut text = "aé/b ".repeat(at / 6);
            text.push_str(&"x".repeat(at - text.len()));
            text.push_str("zephyr-lan\u{ad}tern");
            text.push_str(&"a/b é".repeat(window / 4));
            let hits = canary.scan(&text);
            assert_eq!(hits.len(), 1, "{at} {hits:?}");
            assert_eq!(hits[0].at, at);
        }
    }
}

#[test]
fn bytes_that_are_no_text_hide_nothing() {
    let mut canary = Canary::new();
    canary.value(Kind::Label, "zephyr-lantern");
    let hits = canary.scan(b"\xff\xfe\x80zephyr-lantern\xc3");
    assert_eq!(hits.first().map(|hit| hit.at), Some(3));
}

#[test]
fn no_input_panics() {
    let canary = sample_canary(Armed::default());
    let mut dice = Dice(3);
    let parts: &[&[u8]] = &[
        b"\\",
        b"u",
        b"d83d",
        b"&",
        b"#",
        b"x",
        b"0",
        b";",
        b"%",
        b"<",
        b"!--",
        b"-->",
        b">",
        b"\"",
        b"'",
        b"\n",
        b" ",
        b"/",
        b":",
        b"C",
        b"@",
        b".",
        b"-",
        b"_",
        b"\xff",
        b"\xc3",
        b"\xa9",
        "\u{301}".as_bytes(),
        "\u{200b}".as_bytes(),
        "ﷺ".as_bytes(),
        "😀".as_bytes(),
        b"YWFhYWFh",
        b"toolu",
        b"call",
        b"home-",
        b"{",
        b"}",
    ];
    for _ in 0..3000 {
        let mut text = Vec::new();
        for _ in 0..dice.roll(40) {
            text.extend_from_slice(parts[dice.roll(parts.len())]);
        }
        let _ = canary.scan(&text);
    }
}

/// However many there are of one kind, no other kind is lost, and what is left out is said.
#[test]
fn hits_are_bounded_in_number_and_the_cut_is_said() {
    let mut canary = Canary::new();
    canary.value(Kind::Label, "zephyr-lantern");
    let many = "/tmp/x ".repeat(1000);
    let look = canary.look(format!("{many}zephyr-lantern"));
    assert_eq!((look.hits.len(), look.cut), (1001, None));
    let look = canary.look(format!("{many}{many}zephyr-lantern"));
    assert_eq!(look.hits.len(), 1001);
    assert_eq!(look.cut, Some(many.len()));
}

/// Text made so that its escapes cannot be undone to the end is not called clean.
#[test]
fn what_is_left_is_said() {
    let canary = value_canary();
    let plain = "sums of 3 % &amp; \"two\\n\" lines\n".repeat(20_000);
    assert_eq!(canary.look(plain).unread, None);
    let parts = [
        "%2525%2541",
        "\\\\u0025",
        "&amp;amp;#37;",
        "\\\\x5cu0041",
        "\\134u0041",
        "<b>",
        "\n",
    ];
    let mut dice = Dice(11);
    let thick: String = (0..60_000).map(|_| parts[dice.roll(parts.len())]).collect();
    assert_eq!(canary.look(thick).unread, Some(0));
}

/// Would not end in any reasonable time if a walk were quadratic or the layers multiplied freely.
#[test]
fn hostile_text_is_walked_in_bounded_work() {
    let canary = sample_canary(Armed::default());
    let units = [
        "<a \"",
        "<!--",
        "&#0",
        "%25",
        "\\\\u005c",
        "YWFh",
        "/a",
        "@a",
        "call_",
        "-home-",
        "\u{301}",
        "a\n",
        "://a:",
        "sk-",
        "\u{fdfa}",
        "<b>&amp;lt;b&amp;gt;\n%2525",
    ];
    for unit in units {
        let text = unit.repeat((1 << 18) / unit.len());
        let _ = canary.scan(&text);
    }
}
