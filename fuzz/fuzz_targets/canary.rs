//! The canary: never a panic, hits within the text, and a planted value is found wherever it stands
//! on its own.
#![no_main]

use deedcheck::private::{Canary, Kind};
use libfuzzer_sys::fuzz_target;

const VALUE: &str = "zebra-quartz-77f1";

fuzz_target!(|bytes: &[u8]| {
    let mut canary = Canary::new();
    assert!(canary.value(Kind::WorkTree, VALUE));
    for hit in canary.scan(bytes) {
        assert!(hit.at <= bytes.len());
    }
    let planted = [bytes, b"\n", VALUE.as_bytes(), b"\n"].concat();
    assert!(!canary.scan(&planted).is_empty());
});
