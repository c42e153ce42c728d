//! The names of the files that Codex keeps of its threads.

/// Whether a file's name is that of a copy of a thread, and whether the copy is packed. A thread
/// whose id ends alike is another one.
#[must_use]
pub fn copy_of(name: &str, thread: &str) -> Option<bool> {
    let (head, packed) = match name.strip_suffix(".jsonl.zst") {
        Some(head) => (head, true),
        None => (name.strip_suffix(".jsonl")?, false),
    };
    let time = head.strip_suffix(thread)?.strip_prefix("rollout-")?;
    let of_time = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'T');
    (time.ends_with('-') && time.bytes().all(of_time)).then_some(packed)
}
