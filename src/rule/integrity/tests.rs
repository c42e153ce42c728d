//! Whole turns, rule by rule.
