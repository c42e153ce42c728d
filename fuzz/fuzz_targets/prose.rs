//! Prose: never a panic, linear work, ranges on character boundaries.
#![no_main]

use deedcheck::rule::gate::claim_type::infer;
use deedcheck::text::{Prose, identifiers, numbers};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let prose = Prose::read(text);
    assert_eq!(prose.masked().len(), text.len());
    for sentence in prose.sentences() {
        assert!(text.get(sentence.range.clone()).is_some());
        assert!(!prose.clauses_of(sentence).is_empty());
    }
    assert!(prose.steps() <= 64 * (text.len() + 64), "{} steps", prose.steps());
    let _ = (identifiers(&prose), numbers(&prose));
    for acted in [false, true] {
        if let Some(span) = infer(text, acted).span {
            assert!(text.get(span).is_some());
        }
    }
});
