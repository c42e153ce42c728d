//! Chinese, Japanese and Korean: tests, builds, edits and their denial.

use core::ops::Range;

use super::model::Kind;
use super::scan::{Found, Scan, is_item};
use super::section::Mode;
use super::stance::Stance;
use crate::text::Clause;

const TESTS: &[&str] = &["测试", "測試", "テスト", "테스트"];
const BUILD: &[&str] = &[
    "构建",
    "編譯",
    "编译",
    "ビルド",
    "コンパイル",
    "빌드",
    "컴파일",
];
const WELL: &[&str] = &[
    "通过", "通過", "成功", "全绿", "パス", "通り", "通っ", "合格", "통과", "성공", "pass", "PASS",
];
/// Verbs of change, as they stand behind 已 or 了, or in front of しました and 했습니다.
const CHANGE: &[&str] = &[
    "添加",
    "新增",
    "增加",
    "更新",
    "删除",
    "移除",
    "修改",
    "修复",
    "实现",
    "补充",
    "重构",
    "替换",
    "调整",
    "优化",
    "统一",
    "改为",
    "迁移",
    "修正",
    "重命名",
    "整理",
    "清理",
    "追加",
    "変更",
    "削除",
    "実装",
    "修正し",
    "重写",
    "改成",
    "改用",
    "写在",
    "추가",
    "수정",
    "변경",
    "삭제",
    "구현",
    "加入",
    "写入",
    "完善",
    "改成",
];
const DONE_JA_KO: &[&str] = &[
    "しました",
    "いたしました",
    "済み",
    "했습니다",
    "하였습니다",
    "되었습니다",
    "됐습니다",
    "완료",
];
/// Marks of completion whose deed is of a kind that is not read.
const OTHER_DONE: &[&str] = &[
    "已提交",
    "已推送",
    "已部署",
    "已发布",
    "已安装",
    "已合并",
    "已运行",
    "已验证",
    "已提交并",
    "プッシュしました",
    "コミットしました",
    "デプロイしました",
    "インストールしました",
    "マージしました",
    "実行しました",
    "確認しました",
    "푸시했습니다",
    "커밋했습니다",
    "배포했습니다",
    "설치했습니다",
    "병합했습니다",
    "실행했습니다",
    "확인했습니다",
];
const MOOT: &[&str] = &[
    "如果",
    "如需",
    "若",
    "请",
    "是否",
    "吗",
    "？",
    "可以",
    "建议",
    "需要",
    "将会",
    "即将",
    "打算",
    "接下来",
    "应该",
    "应当",
    "能否",
    "ください",
    "ますか",
    "場合",
    "予定",
    "でしょう",
    "べき",
    "세요",
    "까요",
    "예정",
    "겠습니다",
    "나요",
    "것입니다",
    "겁니다",
    "하면",
    "되면",
    "려면",
    "はず",
    "れば",
    "たら",
    "だろう",
    "ましょう",
    "ことを確認し",
    "是不是",
    "假如",
    "只要",
    "一旦",
    "确保",
    "能通过",
    "才会",
    "才能",
    "才可",
    "目标：",
    "目标是",
    "目標：",
    "后再",
    "後再",
    "해야",
    "目標は",
    "목표",
];
const DENIED: &[&str] = &[
    "未",
    "没有",
    "没",
    "ません",
    "않",
    "못",
    "尚",
    "并非",
    "不是",
    "無法",
    "无法",
    "ていない",
];
const FAILED: &[&str] = &["失败", "失敗", "실패", "未通过"];
/// A change that was tried and did not come about.
const NOT_CHANGED: &[&str] = &[
    "修改失败",
    "更新失败",
    "替换失败",
    "写入失败",
    "删除失败",
    "添加失败",
    "に失敗し",
    "에 실패",
];

/// Words for a time before the work that is told of.
const BEFORE: &[&str] = &[
    "修改前",
    "改动前",
    "变更前",
    "更改前",
    "之前",
    "以前",
    "此前",
    "原来",
    "原先",
    "昨天",
    "上次",
    "変更前",
    "修正前",
    "昨日",
    "前回",
    "수정 전",
    "변경 전",
    "이전",
    "어제",
    "지난",
];

/// Words for the time after it.
const NOW: &[&str] = &[
    "现在",
    "目前",
    "如今",
    "今は",
    "現在",
    "今では",
    "지금",
    "이제",
];

/// Branches, as the place of what is told.
const BRANCHES: &[&str] = &[
    "在 main",
    "在 master",
    "在main",
    "mainでは",
    "main では",
    "masterでは",
    "main에서는",
    "master에서는",
];

/// Words that take something out of what is told: all others, all but, N of M.
const EXCEPT: &[&str] = &[
    "除了",
    "以外",
    "之外",
    "其他",
    "其它",
    "其余",
    "제외",
    "를 빼고",
    "을 빼고",
    "他の",
    "ほか",
    "다른",
    "나머지",
    "只有",
    "のみ",
];

/// How a clause, and the sentence up to its end, stand to the statement in it.
pub(super) fn stance(clause: &str, sentence: &str) -> Option<Stance> {
    let place = |marks: &[&str]| marks.iter().filter_map(|mark| clause.find(mark)).min();
    let first = place(WELL).unwrap_or(clause.len());
    // What was so before, and is told to be so now, is told of now.
    let then = place(BEFORE).is_some_and(|at| at < first);
    let now = place(NOW).is_some_and(|at| at < first);
    if then && !now || has(clause, BRANCHES) {
        return Some(Stance::Elsewhere);
    }
    // `除了 … 还 …` adds to what was done.
    let out = has(sentence, EXCEPT) || sentence.contains('除') && sentence.contains('外');
    let more = has(sentence, &["还", "也", "並び"]);
    (out && !more || is_share(sentence)).then_some(Stance::Part)
}

/// `12 个测试中有 11 个`, `12件中11件`, `12개 중 11개`: so many of so many, and not all of them.
pub(super) fn is_share(text: &str) -> bool {
    let number = |text: &str| -> Option<u64> {
        let from = text.find(|c: char| c.is_ascii_digit())?;
        let digits = text[from..].bytes().take_while(u8::is_ascii_digit).count();
        text[from..from + digits].parse().ok()
    };
    let parts = ["中", "중"].iter().find_map(|mark| text.split_once(mark));
    parts.is_some_and(
        |(all, part)| matches!((number(all), number(part)), (Some(all), Some(part)) if part < all),
    )
}

/// Reads the clauses that hold Han, kana or hangul; returns those that state something of a kind
/// that is not read.
pub(super) fn read(scan: &mut Scan<'_, '_>) -> Vec<Range<usize>> {
    let mut unread = Vec::new();
    if scan.prose.script().cjk == 0 {
        return unread;
    }
    let prose = scan.prose;
    let mut title = false;
    let mut told = false;
    let mut sentence_of_deed = usize::MAX;
    let mut unread_in = usize::MAX;
    for (index, sentence) in prose.sentences().iter().enumerate() {
        let text = prose.masked().get(sentence.range.clone()).unwrap_or("");
        if super::scan::is_heading(sentence) || scan.leads(index) {
            title = titles_change(text) || (title && !super::scan::is_heading(sentence));
        }
        if scan.section(index).moot || has(text, &["？", "吗"]) {
            continue;
        }
        for clause in prose.clauses_of(sentence) {
            let text = prose.masked().get(clause.range.clone()).unwrap_or("");
            if script_free(text) || has(text, MOOT) {
                continue;
            }
            let listed = index == sentence_of_deed
                || (title || told || scan.section(index).mode == Mode::Change) && is_item(sentence);
            // `変更をプッシュしました`: the verb decides, and not the noun in front of it.
            let other = (text.ends_with("しました") || text.ends_with("했습니다"))
                && OTHER_DONE.iter().any(|done| text.ends_with(done));
            match kind(text, listed).filter(|_| !other) {
                Some(kind) => {
                    if kind == Kind::Edit {
                        told = true;
                        sentence_of_deed = index;
                    }
                    push(scan, index, clause, kind);
                }
                // One row a sentence is enough to say that it was not read.
                None if has(text, OTHER_DONE) && unread_in != index => {
                    unread_in = index;
                    unread.push(clause.range.clone());
                }
                None => {}
            }
        }
    }
    unread
}

fn has(text: &str, marks: &[&str]) -> bool {
    marks.iter().any(|mark| text.contains(mark))
}

fn script_free(text: &str) -> bool {
    text.is_ascii()
}

/// `变更`, `修改`, `変更点`, `변경 사항`: below such a title every item tells a change.
fn titles_change(text: &str) -> bool {
    has(
        text,
        &[
            "变更", "修改", "改动", "更新", "変更", "修正", "변경", "수정",
        ],
    ) && !has(text, &["建议", "方案", "计划", "下一步", "提案", "予定"])
        && text.len() < 60
}

fn kind(text: &str, listed: bool) -> Option<Kind> {
    let denied = has(text, DENIED);
    let ran =
        text.contains("运行") && text.contains('/') && text.contains(|c: char| c.is_ascii_digit());
    // `再测成功链路`: what is to be tested next.
    if has(text, &["再测", "再補", "再补"]) {
        return None;
    }
    if (ran || has(text, TESTS)) && has(text, WELL) && !denied && !has(text, &["缺少", "路径"])
    {
        return Some(Kind::Tests);
    }
    if has(text, BUILD) && has(text, WELL) && !denied {
        return Some(Kind::Build);
    }
    // What is missing did not fail: 缺少失败路径的测试.
    let missing = has(text, &["缺少", "缺乏", "足りな", "부족"]);
    let checked = has(text, TESTS) || has(text, BUILD);
    if checked && has(text, FAILED) && !missing || has(text, NOT_CHANGED) {
        return Some(Kind::Failing);
    }
    if denied
        && has(
            text,
            &[
                "运行",
                "验证",
                "測試",
                "测试过",
                "执行",
                "検証",
                "실행",
                "검증",
            ],
        )
    {
        return Some(Kind::Disclosure);
    }
    if denied {
        let changed = has(
            text,
            &[
                "修改", "改动", "新增", "变更", "变动", "触碰", "変更", "변경", "수정",
            ],
        );
        return changed.then_some(Kind::Nochange);
    }
    let done = text.match_indices('已').any(|(at, mark)| {
        let rest = text[at + mark.len()..].trim_start_matches('经');
        let near: String = rest.chars().take(6).collect();
        has(&near, CHANGE)
    });
    let perfect = text.contains('了') && has(text, CHANGE);
    let polite = has(text, DONE_JA_KO) && has(text, CHANGE);
    // Below a title of changes the bare verb, or 为 … 增加, tells the deed.
    let bare = listed && (has(text, CHANGE) || labelled(text));
    (done || perfect || polite || bare).then_some(Kind::Edit)
}

/// `` `cli.py`：… ``: below a title of changes a name in code and what became of it.
fn labelled(text: &str) -> bool {
    let name = text.trim_start_matches('\u{1}');
    name.len() < text.len() && name.trim_start().starts_with(['：', ':'])
}

fn push(scan: &mut Scan<'_, '_>, index: usize, clause: &Clause, kind: Kind) {
    scan.found.push(Found {
        kind,
        span: clause.range.clone(),
        negated: matches!(kind, Kind::Failing | Kind::Disclosure),
        reported: None,
        sentence: Some(index),
    });
}
