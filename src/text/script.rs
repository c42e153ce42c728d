//! Which scripts a text is written in, counted over letters.

/// Letters of a text by script. Shares are asked for in whole percent: no floats anywhere.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Script {
    /// All letters.
    pub letters: usize,
    /// Letters beyond Latin and its extensions.
    pub foreign: usize,
    /// Han, kana and hangul among the foreign letters.
    pub cjk: usize,
}

impl Script {
    /// Counts the letters of `text`.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut script = Self::default();
        for c in text.chars().filter(|c| c.is_alphabetic()) {
            script.letters += 1;
            script.foreign += usize::from(!is_latin(c));
            script.cjk += usize::from(is_cjk(c));
        }
        script
    }

    /// Whether more than `percent` of the letters are not Latin.
    #[must_use]
    pub fn foreign_over(&self, percent: usize) -> bool {
        self.foreign.saturating_mul(100) > self.letters.saturating_mul(percent)
    }
}

fn is_latin(c: char) -> bool {
    c.is_ascii_alphabetic()
        || matches!(c, '\u{aa}' | '\u{b5}' | '\u{ba}' | '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}')
        || matches!(c, '\u{2c60}'..='\u{2c7f}' | '\u{a720}'..='\u{a7ff}' | '\u{fb00}'..='\u{fb06}')
}

/// Han, kana or hangul.
pub(crate) fn is_cjk(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11ff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}')
        || matches!(c, '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}')
        || matches!(c, '\u{3005}' | '\u{31f0}'..='\u{31ff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::Script;

    #[test]
    fn counts_letters_only() {
        let latin = Script::of("naïve café 12 ✅");
        assert_eq!((latin.foreign, latin.letters), (0, 9));
        let mixed = Script::of("已添加 abc");
        assert_eq!((mixed.cjk, mixed.foreign, mixed.letters), (3, 3, 6));
        assert!(mixed.foreign_over(30) && !mixed.foreign_over(50));
        assert_eq!(Script::of("привет").cjk, 0);
        assert!(!Script::of("").foreign_over(0));
    }
}
