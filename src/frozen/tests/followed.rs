//! Results that a client put into a file: read under declared roots only, and kept in the record.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::super::attempt::{Attempt, material};
use super::super::left::Roots;
use super::super::{IdentityRow, Locator, OnRecord, ReadAttempt as _};
use crate::oracle::Pointer;
use crate::record::{Decoder, Encoder, header};

fn record(number: u32, kind: &str, content: &Value) -> String {
    let message = json!({"id": format!("msg_{number}"), "role": kind, "type": "message",
        "model": "m", "content": content});
    let record = json!({"parentUuid": (number > 1).then(|| format!("u{}", number - 1)),
        "isSidechain": false, "type": kind, "message": message, "uuid": format!("u{number}"),
        "sessionId": "s-followed", "cwd": "/home/dev/tides", "version": "2.1.332"});
    format!("{record}\n")
}

/// A session whose one call came back with this.
fn session(result: &str) -> String {
    let call = json!([{"type": "tool_use", "id": "call-one", "name": "Bash",
        "input": {"command": "cat merle.csv"}}]);
    let came = json!([{"type": "tool_result", "tool_use_id": "call-one", "content": result,
        "is_error": false}]);
    record(1, "user", &json!("How high?"))
        + &record(2, "assistant", &call)
        + &record(3, "user", &came)
        + &record(4, "assistant", &json!([{"type": "text", "text": "310 cm"}]))
}

/// The result of the call and why it is not here, as read from the disk and from its record.
fn seen(result: &str, root: &std::path::Path) -> [(Option<String>, Option<Pointer>); 2] {
    let text = session(result);
    std::fs::write(root.join("s.jsonl"), &text).unwrap();
    let row = IdentityRow {
        identity: "run-of-tests.with.task.1".to_owned(),
        actor: "main",
        locator: Locator {
            root: "r".to_owned(),
            file: "s.jsonl".to_owned(),
            sha256: crate::spec::sha256(text.as_bytes()),
        },
        driver: None,
        through: None,
    };
    let all = [root.to_owned()];
    let roots = Roots {
        own: root,
        all: &all,
    };
    let mut encoder = Encoder::new(Vec::new()).unwrap();
    let read = material(&row, roots, "r/s.jsonl", Some(&mut encoder)).attempt(&row);
    let mut bytes = header().unwrap();
    bytes.extend(encoder.finish().unwrap());
    // What is read again has no file left to follow anything into.
    std::fs::remove_dir_all(root.join("kept")).unwrap();
    let record = OnRecord::read(&mut Decoder::open(bytes.as_slice()).unwrap()).unwrap();
    let again = record.attempt(&row, "r/s.jsonl");
    let call = |attempt: &Attempt| {
        let evidence = attempt.evidence();
        let call = &evidence.calls[0];
        (call.result.as_deref().map(str::to_owned), call.pointer)
    };
    [call(&read), call(&again)]
}

#[test]
fn a_result_in_a_file_is_read_under_declared_roots_only() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("root");
    let outside = dir.path().join("outside.txt");
    std::fs::create_dir_all(&root).unwrap();
    std::fs::write(&outside, "310 cm, outside").unwrap();
    let kept = root.join("kept/result.txt");
    let pointing = |path: &PathBuf| {
        let path = path.display();
        format!("<persisted-output>\nOutput too large. Full output saved to: {path}\n\nPreview:\n3")
    };
    let link = root.join("kept/link.txt");
    let around = root.join("kept/../../outside.txt");
    let none = root.join("kept/none.txt");
    let cases = [
        (pointing(&kept), Some("310 cm, whole".to_owned()), None),
        (pointing(&outside), None, Some(Pointer::OutsideRoots)),
        (pointing(&link), None, Some(Pointer::OutsideRoots)),
        (pointing(&around), None, Some(Pointer::OutsideRoots)),
        (pointing(&none), None, Some(Pointer::Unreadable)),
        ("310 cm".to_owned(), Some("310 cm".to_owned()), None),
    ];
    for (result, text, pointer) in cases {
        std::fs::create_dir_all(root.join("kept")).unwrap();
        std::fs::write(&kept, "310 cm, whole").unwrap();
        std::os::unix::fs::symlink(&outside, &link).unwrap();
        for (own, why) in seen(&result, &root) {
            // What was not followed stays as the client wrote it.
            assert_eq!((own, why), (text.clone().or(Some(result.clone())), pointer));
        }
    }
}
