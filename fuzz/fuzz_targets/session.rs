//! A whole file, from its bytes to its rows.
#![no_main]

use deedcheck::canon;
use deedcheck::pipeline::{Policy, grade};
use deedcheck::source::discover;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(folder) = tempfile::tempdir() else {
        return;
    };
    let path = folder.path().join("session.jsonl");
    if std::fs::write(&path, bytes).is_err() {
        return;
    }
    let Ok(found) = discover(&[path]) else {
        return;
    };
    let graded = grade(&found.files, &Policy::default(), &|_| {});
    for report in graded.files.values().filter(|report| report.fault.is_none()) {
        let packed = bytes.starts_with(&[0x28, 0xB5, 0x2F, 0xFD]) || bytes.starts_with(&[0x1F, 0x8B]);
        let sum = report.record_bytes
            + report.separator_bytes
            + report.blank_bytes
            + report.bom_bytes
            + report.quarantined_bytes;
        assert!(packed || sum == bytes.len() as u64);
    }
    for row in &graded.rows {
        assert!(canon::to_vec(row).is_ok());
    }
});
