//! Scripts that put no blanks between words: Chinese, Japanese and Korean. Each character is a token of its own, so that a
//! word is found within a run of them.

/// A character of such a script.
pub(crate) fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{3096}' | '\u{309d}'..='\u{309f}'
        | '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{323af}')
}

/// Words that count things, between a number and its noun.
pub(super) fn counts(word: &str) -> bool {
    const COUNTERS: [&str; 20] = [
        "个", "個", "件", "条", "條", "項", "项", "次", "行", "本", "つ", "回", "名", "种", "種",
        "只", "份", "처", "개", "건",
    ];
    COUNTERS.contains(&word)
}

/// Words between a noun and its number.
pub(super) fn links(word: &str) -> bool {
    const LINKS: [&str; 14] = [
        "共", "有", "是", "为", "為", "数", "數", "は", "が", "の", "은", "는", "이", "가",
    ];
    LINKS.contains(&word)
}

/// What denies a clause, makes it a condition, a question or a wish, or says it of a part. Where one of these stands, the
/// whole clause is open: how far it reaches is not known here.
const OPENERS: [&str; 93] = [
    // No and not.
    "不",
    "没",
    "沒",
    "未",
    "无",
    "無",
    "非",
    "否",
    "莫",
    "勿",
    "ない",
    "なかっ",
    "なく",
    "ません",
    "ずに",
    "안 ",
    "못",
    "않",
    "없",
    "아니", // If, whether, and a question.
    "如果",
    "假如",
    "若",
    "もし",
    "れば",
    "たら",
    "なら",
    "만약",
    "면 ",
    "吗",
    "嗎",
    "か。",
    "か?",
    "까?",
    // To come, to be done, or wished for.
    "将",
    "將",
    "会",
    "會",
    "应",
    "應",
    "需",
    "要",
    "希望",
    "确保",
    "確保",
    "予定",
    "べき",
    "はず",
    "でしょう",
    // A part, and what is left out.
    "部分",
    "大多",
    "一半",
    "半数",
    "只有",
    "仅",
    "除了",
    "以外",
    "ほとんど",
    "一部",
    "대부분",
    "일부",
    // A guess, or a bound.
    "大约",
    "大約",
    "大概",
    "大致",
    "约",
    "約",
    "可能",
    "也许",
    "也許",
    "或",
    "估计",
    "估計",
    "左右",
    "至少",
    "至多",
    "最多",
    "最少",
    "超过",
    "超過",
    "以上",
    "以下",
    "たぶん",
    "おそらく",
    "およそ",
    "かも",
    "少なくとも",
    "아마",
    "약 ",
    "적어도",
    "최소",
    "이상",
    "정도",
];

/// Whether something in a clause leaves open what it says.
pub(super) fn leaves_open(clause: &str) -> bool {
    OPENERS.iter().any(|own| clause.contains(own))
}

#[cfg(test)]
mod tests {
    use super::super::{Answer, Asking, Phrase, Polarity};

    fn said(raw: &str, word: &str) -> Vec<Polarity> {
        let answer = Answer::read(raw);
        let places = Phrase::new(word).places(&answer);
        places.iter().map(|at| answer.said(*at)).collect()
    }

    #[test]
    fn a_word_is_found_within_a_run() {
        use Polarity::{Asserted, Open};
        for (raw, word, expected) in [
            ("测试全部通过", "通过", Asserted),
            ("テストはすべて成功しました。", "成功", Asserted),
            ("모든 테스트가 통과했습니다.", "통과", Asserted),
            ("测试没有通过", "通过", Open),
            ("测试未通过", "通过", Open),
            ("两者不一致", "一致", Open),
            ("テストは成功しない", "成功", Open),
            ("如果测试通过", "通过", Open),
            ("大部分测试通过", "通过", Open),
            ("请确保测试通过", "通过", Open),
            ("级别INFO的事件", "INFO", Asserted),
        ] {
            assert_eq!(said(raw, word), [expected], "{raw}");
        }
    }

    #[test]
    fn a_number_is_read_beside_its_counter() {
        for raw in [
            "共有 12 个测试",
            "共有12个测试。",
            "测试：12 个",
            "测试共 12 个",
        ] {
            let answer = Answer::read(raw);
            let asking = Asking {
                labels: vec![Phrase::new("测试")],
                ..Asking::default()
            };
            let stated = asking.by_label(&answer);
            let values: Vec<i128> = stated.iter().map(|own| own.value).collect();
            assert_eq!(values, [12], "{raw}");
        }
    }
}
