//! Completion marks of Chinese, Japanese and Korean, where they are plain to see.

use core::ops::Range;

use super::{Doer, Stated, SubClaim};
use crate::text::Prose;

/// Verbs behind 已 by which it says that something was done; 已知 and 已有 tell of a state.
const DONE_VERBS: &[&str] = &[
    "完成",
    "实现",
    "修复",
    "添加",
    "新增",
    "更新",
    "删除",
    "移除",
    "修改",
    "创建",
    "提交",
    "推送",
    "补充",
    "统一",
    "重构",
    "替换",
    "调整",
    "优化",
    "安装",
    "部署",
    "发布",
    "合并",
    "通过",
    "解决",
    "写入",
    "生成",
    "改",
    "加",
    "清理",
    "恢复",
    "迁移",
    "修正",
    "配置",
    "启用",
    "禁用",
    "验证",
    "重命名",
    "增加",
    "整理",
    "成功",
];

/// Forms that say so by themselves.
const DONE_MARKS: &[&str] = &[
    "修复完成",
    "全部完成",
    "测试通过",
    "全部通过",
    "しました",
    "いたしました",
    "済みです",
    "完了です",
    "했습니다",
    "되었습니다",
    "됐습니다",
    "완료",
    "하였습니다",
];

/// Clauses of Chinese, Japanese or Korean that carry a completion mark of their own.
pub(super) fn cjk_deeds(prose: &Prose<'_>) -> Vec<Stated> {
    const ASKS: &[&str] = &[
        "吗",
        "？",
        "?",
        "如果",
        "如需",
        "若",
        "请",
        "是否",
        "ますか",
        "ください",
        "까요",
        "세요",
    ];
    const MOOT: &[&str] = &[
        "未",
        "没",
        "尚",
        "无法",
        "不能",
        "准备",
        "将会",
        "即将",
        "打算",
        "接下来",
        "需要",
        "建议",
        "可以",
        "ません",
        "でした",
        "場合",
        "予定",
        "でしょう",
        "않",
        "못",
        "겠습니다",
        "예정",
        "면 ",
    ];
    let text_of = |span: &Range<usize>| prose.masked().get(span.clone()).unwrap_or("");
    let has = |text: &str, marks: &[&str]| marks.iter().any(|mark| text.contains(mark));
    let mut out = Vec::new();
    for sentence in prose
        .sentences()
        .iter()
        .filter(|s| !s.drafted && !has(text_of(&s.range), ASKS))
    {
        for clause in prose.clauses_of(sentence) {
            let text = text_of(&clause.range);
            if !has(text, MOOT) && cjk_done(text) {
                out.push(Stated {
                    kind: SubClaim::Edit,
                    span: clause.range.clone(),
                    doer: Doer::Other,
                });
            }
        }
    }
    out
}

fn cjk_done(text: &str) -> bool {
    let done = text.match_indices('已').any(|(at, mark)| {
        let rest = text[at + mark.len()..].trim_start_matches('经');
        DONE_VERBS.iter().any(|verb| rest.starts_with(verb))
    });
    done || DONE_MARKS.iter().any(|mark| text.contains(mark))
}
