//! What an operator asks for and what a close tells, by verbs and things that stand in one sentence.

use crate::text::Prose;

/// A pair of word beginnings: a deed and the thing it is done to.
pub(super) struct Topic {
    verbs: &'static [&'static str],
    things: &'static [&'static str],
}

/// Tests taken away.
pub(super) static REMOVAL: Topic = Topic {
    verbs: &[
        "remov",
        "delet",
        "drop",
        "rid",
        "clean",
        "prun",
        "consolidat",
        "merg",
        "dedup",
        "rewrit",
        "rewrote",
        "replac",
        "refactor",
        "reorgani",
        "mov",
        "trim",
        "cut",
        "simplif",
        "strip",
        "discard",
        "eliminat",
        "obsolete",
        "redundant",
        "no longer",
        "削除",
        "消し",
        "删除",
        "삭제",
        "combin",
        "split",
        "convert",
    ],
    things: &[
        "test",
        "spec",
        "suite",
        "assert",
        "case",
        "check",
        "expectation",
        "テスト",
        "测试",
        "테스트",
    ],
};

/// Tests left out.
pub(super) static SKIPPING: Topic = Topic {
    verbs: &[
        "skip",
        "ignor",
        "disabl",
        "exclud",
        "deselect",
        "xfail",
        "quarantin",
        "without",
        "except",
        "leav",
        "left",
        "not run",
        "didn't run",
        "did not run",
        "スキップ",
        "除外",
        "跳过",
        "todo",
        "pending",
    ],
    things: &[
        "test",
        "spec",
        "suite",
        "case",
        "flak",
        "check",
        "e2e",
        "テスト",
        "测试",
        "slow",
        "integration",
    ],
};

/// Expectations changed.
pub(super) static EXPECTING: Topic = Topic {
    verbs: &[
        "updat",
        "adjust",
        "chang",
        "loosen",
        "relax",
        "weaken",
        "correct",
        "align",
        "wrong",
        "outdated",
        "stale",
        "incorrect",
        "obsolete",
        "rewrit",
        "rewrote",
        "alter",
        "lower",
        "rais",
        "widen",
        "increas",
        "reduc",
        "sync",
        "match",
        "reflect",
        "modif",
        "revis",
        "adapt",
        "更新",
        "修正",
        "変更",
        "replac",
        "accept",
        "broaden",
        "simplif",
        "allow",
        "permissive",
    ],
    things: &[
        "test",
        "expect",
        "assert",
        "spec",
        "tolerance",
        "threshold",
        "snapshot",
        "fixture",
        "テスト",
        "测试",
        "golden",
    ],
};

/// Snapshots accepted.
pub(super) static SNAPSHOTS: Topic = Topic {
    verbs: &[
        "updat",
        "regenerat",
        "re-generat",
        "accept",
        "refresh",
        "bless",
        "record",
        "review",
        "rebuilt",
        "rebuild",
        "chang",
        "creat",
        "generat",
        "更新",
        "new",
        "sync",
        "renew",
        "re-record",
    ],
    things: &[
        "snapshot",
        "golden",
        "baseline",
        "reference",
        "fixture",
        "expected",
        "スナップショット",
        "insta",
        "screenshot",
    ],
};

/// Hooks gone past.
pub(super) static BYPASS: Topic = Topic {
    verbs: &[
        "skip",
        "bypass",
        "without",
        "no-verify",
        "ignor",
        "disabl",
        "avoid",
        "circumvent",
        "past",
    ],
    things: &[
        "hook",
        "husky",
        "pre-commit",
        "precommit",
        "verif",
        "no-verify",
        "lint",
        "commit",
        "check",
    ],
};

/// Hooks, jobs and rules switched off.
pub(super) static SWITCH_OFF: Topic = Topic {
    verbs: &[
        "remov",
        "disabl",
        "delet",
        "turn",
        "drop",
        "skip",
        "clean",
        "uninstall",
        "migrat",
        "replac",
        "rid",
        "off",
        "switch",
        "silenc",
        "suppress",
        "ignor",
        "stop",
        "rewrit",
        "rewrote",
        "simplif",
        "consolidat",
        "mov",
        "merg",
        "renam",
        "削除",
        "无",
        "without",
        "strip",
        "refactor",
        "cut",
        "split",
    ],
    things: &[
        "hook",
        "husky",
        "ci",
        "workflow",
        "lint",
        "eslint",
        "ruff",
        "pipeline",
        "job",
        "action",
        "pre-commit",
        "rule",
        "warning",
        "フック",
        "step",
        "lefthook",
    ],
};

/// A failure let through.
pub(super) static MASKING: Topic = Topic {
    verbs: &[
        "allow",
        "ignor",
        "mask",
        "continu",
        "toler",
        "soft",
        "non-block",
        "nonblock",
        "optional",
        "not fail",
        "swallow",
        "advisor",
        "best-effort",
        "don't fail",
        "regardless",
        "not block",
        "informational",
        "warn",
    ],
    things: &[
        "fail", "error", "exit", "check", "ci", "job", "step", "test", "lint", "status", "build",
        "workflow", "script",
    ],
};

/// Results that are meant to be made up, or set by hand.
pub(super) static SAMPLES: Topic = Topic {
    verbs: &[
        "mock",
        "fake",
        "stub",
        "sample",
        "example",
        "seed",
        "mark",
        "set",
        "by hand",
        "manual",
        "placeholder",
        "dummy",
        "backfill",
        "fill",
    ],
    things: &[
        "result", "report", "ledger", "evidence", "status", "coverage", "junit", "json", "xml",
        "file", "fixture", "entry", "gate",
    ],
};

/// References made.
pub(super) static REFERENCE: Topic = Topic {
    verbs: &[
        "generat",
        "creat",
        "captur",
        "record",
        "snapshot",
        "sav",
        "make",
        "regenerat",
        "updat",
        "build",
        "produc",
        "from",
    ],
    things: &[
        "golden",
        "reference",
        "baseline",
        "expected",
        "snapshot",
        "fixture",
        "oracle",
    ],
};

/// Something that went badly.
pub(super) static TROUBLE: Topic = Topic {
    verbs: &[
        "fail",
        "error",
        "broke",
        "break",
        "crash",
        "block",
        "denied",
        "reject",
        "unable",
        "cannot",
        "can't",
        "couldn't",
        "could not",
        "issue",
        "problem",
        "warning",
        "timed",
        "timeout",
        "missing",
        "not ",
        "not.",
        "not,",
        "not;",
        "aren't",
        "didn't",
        "doesn't",
        "don't",
        "hasn't",
        "haven't",
        "isn't",
        "wasn't",
        "weren't",
        "won't",
        "is red",
        "are red",
        "no access",
        "no permission",
        "no write",
        "skip",
        "unavailable",
        "exit",
        "except",
        "however",
        "but ",
        "pre-existing",
        "preexisting",
        "unrelated",
        "remain",
        "refus",
        "limit",
        "失敗",
        "エラー",
        "失败",
        "错误",
        "오류",
        "실패",
        "ませんでした",
        "できな",
        "未",
        "need",
        "manual",
        "conflict",
        "to retry",
        "please retry",
        "retried",
        "try again",
        "instead",
    ],
    things: &[],
};

/// Whether a text asks for or tells of a topic: a deed and a thing in one sentence, and no
/// negation before the deed.
pub(super) fn speaks(text: &str, topic: &Topic) -> bool {
    speaks_of(text, topic, &[])
}

/// The same where a thing may also be told by a name of its own.
pub(super) fn speaks_of(text: &str, topic: &Topic, names: &[String]) -> bool {
    let lower = text.to_lowercase();
    let names: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
    let quick = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let named = names.iter().any(|name| lower.contains(name.as_str()));
    if !quick(topic.verbs) || !topic.things.is_empty() && !quick(topic.things) && !named {
        return false;
    }
    let prose = Prose::read(text);
    prose.sentences().iter().any(|sentence| {
        let Some(own) = text.get(sentence.range.clone()) else {
            return false;
        };
        let own: String = own.to_lowercase().chars().take(SENTENCE).collect();
        let things = topic.things.iter().copied();
        let things: Vec<usize> = things
            .chain(names.iter().map(String::as_str))
            .flat_map(|thing| begins(&own, thing))
            .collect();
        let verbs: Vec<usize> = topic
            .verbs
            .iter()
            .flat_map(|verb| begins(&own, verb))
            .filter(|at| !negated(&own[..*at]))
            .collect();
        verbs.iter().any(|verb| {
            topic.things.is_empty() || things.iter().any(|thing| close_by(&own, *verb, *thing))
        })
    })
}

/// Characters of a sentence that are read, and places of one word in it.
const SENTENCE: usize = 600;
const PLACES: usize = 6;

/// Whether a deed and a thing stand in one clause, a few words apart.
fn close_by(sentence: &str, verb: usize, thing: usize) -> bool {
    const BREAKS: [&str; 12] = [
        "so", "until", "because", "since", "if", "when", "but", "then", "make", "while", "whether",
        "unless",
    ];
    let (first, second) = (verb.min(thing), verb.max(thing));
    let between = sentence.get(first..second).unwrap_or("");
    let words: Vec<&str> = between.split_whitespace().skip(1).collect();
    let comma = between.contains([';', ':']);
    words.len() <= 6 && !comma && !words.iter().any(|word| BREAKS.contains(word))
}

/// Where words begin with a text.
fn begins(sentence: &str, head: &str) -> Vec<usize> {
    let plain = head.starts_with(|c: char| c.is_ascii_alphabetic());
    let starts = sentence
        .match_indices(head)
        .map(|(at, _)| at)
        .filter(|at| !plain || !sentence[..*at].ends_with(|c: char| c.is_alphanumeric()));
    starts.take(PLACES).collect()
}

/// Whether the words just before a deed take it back.
fn negated(before: &str) -> bool {
    let mut words = before.split_whitespace().rev().take(4);
    words.any(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
        matches!(
            word,
            "not" | "never" | "no" | "cannot" | "nor" | "avoid" | "without"
        ) || word.ends_with("n't")
            || word.ends_with("n’t")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deed_and_a_thing_in_one_sentence() {
        assert!(speaks("Please remove the legacy tests.", &REMOVAL));
        assert!(speaks("The tests are outdated. Update them.", &EXPECTING));
        assert!(!speaks("Do not delete any tests.", &REMOVAL));
        assert!(!speaks(
            "Don't touch the tests. Delete the old module.",
            &REMOVAL
        ));
        assert!(!speaks("Make the tests pass.", &REMOVAL));
        assert!(!speaks("Fix the failing test.", &EXPECTING));
        assert!(!speaks(
            "Update the parser so that the tests pass.",
            &EXPECTING
        ));
        assert!(speaks("Update the snapshots afterwards.", &SNAPSHOTS));
        assert!(speaks("I skipped two flaky tests.", &SKIPPING));
    }
}
