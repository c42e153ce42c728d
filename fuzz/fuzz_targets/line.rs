//! One line after a known head: splitting, repair and every adapter's decoding of one record.
#![no_main]

use deedcheck::source::LineReader;
use deedcheck::transcript::{Event, FileReport, Sink, read_file};
use libfuzzer_sys::fuzz_target;

/// Records that decide the format, so that the line under test reaches each adapter.
const HEADS: [&str; 4] = [
    concat!(
        r#"{"type":"user","uuid":"u","parentUuid":null,"isSidechain":false,"sessionId":"s","#,
        r#""message":{"role":"user","content":"hi"}}"#
    ),
    r#"{"type":"session_meta","payload":{"id":"s","cwd":"/w"}}"#,
    r#"{"type":"thread.started","thread_id":"t"}"#,
    r#"{"type":"system","subtype":"init","session_id":"s","cwd":"/w"}"#,
];

struct Ends(u64);

impl Sink for Ends {
    fn event(&mut self, event: Event<'_>) {
        assert!(event.place.start < event.place.end);
        assert!(event.place.end <= self.0);
    }
}

fuzz_target!(|line: &[u8]| {
    for head in HEADS {
        let bytes = [head.as_bytes(), b"\n", line, b"\n"].concat();
        let Ok(file) = tempfile::NamedTempFile::new() else {
            return;
        };
        if std::fs::write(file.path(), &bytes).is_err() {
            return;
        }
        let Ok(lines) = LineReader::open(file.path()) else {
            return;
        };
        let report = read_file(lines, &mut Ends(bytes.len() as u64));
        assert_eq!(report.fault, None);
        assert_eq!(accounted(&report), bytes.len() as u64);
    }
});

fn accounted(report: &FileReport) -> u64 {
    report.record_bytes
        + report.separator_bytes
        + report.blank_bytes
        + report.bom_bytes
        + report.quarantined_bytes
}
