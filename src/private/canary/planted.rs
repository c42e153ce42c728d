//! Known canaries, one for each kind and spelling, planted through the scan in every grade.

use super::kind::{Armed, Kind, Spelling};
use super::scan::Canary;

/// A planted canary: `text` holds something of `kind`, hidden by `spelling` (plainly when none).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planted {
    /// What it must be caught as.
    pub kind: Kind,
    /// What hides it.
    pub spelling: Option<Spelling>,
    /// The text to scan.
    pub text: String,
}

/// Made-up things, one of each kind. None stands for anybody.
const SAMPLES: &[(Kind, &str)] = &[
    (Kind::Identity, "Quillon Farrowmere"),
    (Kind::Label, "zephyr-lantern-label"),
    (Kind::Session, "sess-plover-7741-quartz"),
    (Kind::Thread, "thrd-kestrel-1182-onyx"),
    (Kind::Agent, "agnt-merlin-5563-jasper"),
    (Kind::Message, "mesg-osprey-9924-beryl"),
    (Kind::Call, "cid-harrier-3375-topaz"),
    (Kind::Locator, "archive/wrenfold/day-3.jsonl:118"),
    (Kind::BaseName, "rookery-notes-0417.jsonl"),
    (Kind::RunToken, "tok-dunlin-8806-garnet"),
    (Kind::Root, "vault/larkspur/transcripts"),
    (Kind::WorkTree, "vault/fieldfare/checkout"),
    (Kind::Home, "people/yarrowby/nest"),
    (Kind::User, "tamsinfeatherstone"),
    (Kind::Host, "bramblewick-tower"),
    (Kind::Sentinel, "sentinel-whimbrel-6612"),
    (Kind::Uuid, "0f1e2d3c-4b5a-4678-9abc-def012345678"),
    (Kind::CallId, "toolu_01planted7canary2call4id"),
    (Kind::PosixPath, "/home/plantedcanary/nest"),
    (Kind::WindowsPath, "C:\\Planted\\Canary"),
    (Kind::HomeSlug, "-home-plantedcanary-nest"),
    (Kind::Email, "planted.canary@mail.example"),
    (Kind::Secret, "sk-ant-api03-planted0canary1planted2canary3"),
];

/// Every known canary.
#[must_use]
pub fn planted() -> Vec<Planted> {
    let mut all = Vec::new();
    for (kind, sample) in SAMPLES {
        let spellings = Spelling::ALL.iter().copied().map(Some);
        for spelling in std::iter::once(None).chain(spellings) {
            if let Some(hidden) = hide(*kind, sample, spelling) {
                all.push(Planted {
                    kind: *kind,
                    spelling,
                    text: format!("{{\"note\":\"see {hidden} there\"}}"),
                });
            }
        }
    }
    all
}

/// How many canaries were planted, and how many of them were caught as what they are.
#[must_use]
pub fn self_test(armed: Armed) -> (u64, u64) {
    let canary = sample_canary(armed);
    let all = planted();
    let caught = all.iter().filter(|planted| catches(&canary, planted));
    let caught = caught.count();
    (all.len() as u64, caught as u64)
}

/// A canary that knows the made-up values, and nothing of anybody.
#[must_use]
pub fn sample_canary(armed: Armed) -> Canary {
    let mut canary = Canary::new().with_armed(armed);
    for (kind, sample) in SAMPLES.iter().filter(|(kind, _)| !kind.is_shape()) {
        canary.value(*kind, sample);
    }
    canary
}

pub(super) fn catches(canary: &Canary, planted: &Planted) -> bool {
    canary
        .scan(&planted.text)
        .iter()
        .any(|hit| hit.kind == planted.kind)
}

/// `sample` in a spelling, or nothing where that spelling hides nothing of this kind.
fn hide(kind: Kind, sample: &str, spelling: Option<Spelling>) -> Option<String> {
    let Some(spelling) = spelling else {
        return Some(sample.to_owned());
    };
    let (head, tail) = sample.split_at_checked(cut(kind, sample))?;
    Some(match spelling {
        Spelling::Case => {
            let blind = matches!(
                kind,
                Kind::Uuid | Kind::PosixPath | Kind::WindowsPath | Kind::Email
            );
            if blind {
                return None;
            }
            sample.to_uppercase()
        }
        Spelling::Unicode => sample.chars().map(full_width).collect(),
        Spelling::Invisible => format!("{head}\u{200b}\u{ad}{tail}"),
        Spelling::Json => each(sample, |byte| format!("\\u{byte:04x}")),
        Spelling::Html => each(sample, |byte| format!("&#x{byte:x};")),
        Spelling::Percent => each(sample, |byte| format!("%{byte:02X}")),
        Spelling::Base64 => encode(format!("see {sample} there")),
        Spelling::Slash => match kind {
            Kind::WindowsPath => sample.replace('\\', "/"),
            _ if sample.contains('/') => sample.replace('/', "\\"),
            _ => return None,
        },
        Spelling::Tags => format!("{head}<b></b>{tail}"),
        Spelling::Lines => format!("{head}\n  {tail}"),
    })
}

/// Where a split hides the sample: a shape that is known by its beginning must be cut there.
fn cut(kind: Kind, sample: &str) -> usize {
    match kind {
        Kind::Email => sample.find('@').map_or(1, |at| at + 1),
        _ if kind.is_shape() => 1,
        _ => sample.len() / 2,
    }
}

fn full_width(c: char) -> char {
    match u32::from(c) {
        code @ 0x21..=0x7e => char::from_u32(code + 0xfee0).unwrap_or(c),
        _ => c,
    }
}

fn each(sample: &str, escape: impl Fn(u8) -> String) -> String {
    sample.bytes().map(escape).collect()
}

/// Base64 with padding.
pub(super) fn encode(text: impl AsRef<[u8]>) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for group in text.as_ref().chunks(3) {
        let mut bits = 0_u32;
        for index in 0..3 {
            bits = bits << 8 | u32::from(group.get(index).copied().unwrap_or_default());
        }
        for index in 0..4 {
            let sextet = bits >> (18 - 6 * index) & 0x3f;
            let shown = ALPHABET[sextet as usize];
            out.push(if index > group.len() {
                '='
            } else {
                char::from(shown)
            });
        }
    }
    out
}
