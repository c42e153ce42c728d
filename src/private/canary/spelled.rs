//! Spellings of other programs than scripts, each of which once hid a value.

use super::Canary;
use super::kind::Kind;
use super::planted::encode;

const NAMED: &str = "/opt/kr\u{e5}keb\u{f8}lle/gr\u{f6}\u{df}e";

fn each(value: &str, form: &dyn Fn(u8) -> String) -> String {
    value.bytes().map(form).collect()
}

fn wide(value: &str, big: bool) -> String {
    let units = value.encode_utf16();
    let bytes: Vec<u8> = match big {
        true => units.flat_map(u16::to_be_bytes).collect(),
        false => units.flat_map(u16::to_le_bytes).collect(),
    };
    encode(bytes)
}

fn texts() -> Vec<String> {
    let shifted = |by: u32| -> String {
        let chars = "sess-quartz-771".chars();
        chars
            .filter_map(|c| char::from_u32(u32::from(c) + by))
            .collect()
    };
    let (full, tags) = (shifted(0xfee0), shifted(0xe0000));
    let zero: String = "sess-quartz-771"
        .chars()
        .flat_map(|c| [c, '\u{200b}'])
        .collect();
    let pairs: String = tags
        .encode_utf16()
        .map(|unit| format!("%u{unit:04X}"))
        .collect();
    let git = "modified: \"/opt/kr\\303\\245keb\\303\\270lle/gr\\303\\266\\303\\237e\"";
    vec![
        git.to_owned(),
        git.replace('\\', "\\\\"),
        each(NAMED, &|b| format!("\\x{b:02x}")),
        each(&full, &|b| format!("\\{b:03o}")),
        each(&zero, &|b| format!("\\x{b:02X}")),
        "/opt/kr%E5keb%F8lle/gr%F6%DFe".to_owned(),
        wide(
            "/opt/\u{43f}\u{440}\u{43e}\u{435}\u{43a}\u{442}/\u{434}\u{430}\u{43d}\u{43d}\u{44b}\u{435}",
            false,
        ),
        wide(
            "\u{feff}/opt/\u{9879}\u{76ee}\u{7532}/\u{6570}\u{636e}\u{5206}\u{6790}",
            false,
        ),
        wide(
            "/opt/\u{9879}\u{76ee}\u{7532}/\u{6570}\u{636e}\u{5206}\u{6790}",
            true,
        ),
        wide("/opt/\u{1f680}rocket-base", true),
        wide(&full, false),
        wide(&zero, false),
        wide(&tags, false),
        "/opt/%uD83D%uDE80rocket-base".to_owned(),
        "/opt/&#xD83D;&#xDE80;rocket-base".to_owned(),
        "/opt/&#55357;&#56960;rocket-base".to_owned(),
        "/opt/%ED%A0%BD%ED%BA%80rocket-base".to_owned(),
        "/opt/\\ud83d\\ude80rocket-base".to_owned(),
        "/opt/\\u{d83d}\\u{de80}rocket-base".to_owned(),
        "/opt/\\U0001F680rocket-base".to_owned(),
        format!("so {tags} it is"),
        pairs,
        "cd /srv/Acme\\ Kunde/x".to_owned(),
        "cd /srv//Acme Kunde/./x".to_owned(),
        "\"sess\\-quartz\\-771\"".to_owned(),
        "/srv/abcd/x\u{df}aaa".to_owned(),
        "/srv/abcd/xssaaa".to_owned(),
    ]
}

/// Spellings that programs other than scripts have: shells and version control quote bytes, whatever
/// writes two bytes a character packs any script so, and half a pair is written alone.
#[test]
fn spellings_of_other_programs_are_undone() {
    let mut canary = Canary::new();
    for value in [
        NAMED,
        "/opt/\u{43f}\u{440}\u{43e}\u{435}\u{43a}\u{442}/\u{434}\u{430}\u{43d}\u{43d}\u{44b}\u{435}",
        "/opt/\u{9879}\u{76ee}\u{7532}/\u{6570}\u{636e}\u{5206}\u{6790}",
        "/opt/\u{1f680}rocket-base",
        "/srv/Acme Kunde/x",
        "sess-quartz-771",
        "/srv/abcd/X\u{1e9e}aaa",
    ] {
        assert!(canary.value(Kind::WorkTree, value), "{value}");
    }
    for text in texts() {
        let found = canary
            .look(&text)
            .hits
            .iter()
            .any(|hit| hit.kind == Kind::WorkTree);
        assert!(found, "{text}");
    }
}
