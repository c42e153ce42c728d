//! User records: prompts, tool results, and what programs put in the user's place.

use std::borrow::Cow;

use super::adapter::{Claude, malformed, prompt, speak};
use super::attached;
use super::reply::reply;
use super::spoken::{self, Spoken};
use super::wire::{Attachment, Block, Detail, Envelope, Message};
use crate::transcript::loose::Content;
use crate::transcript::out::Out;
use crate::transcript::record::{Body, Injection, Opens, Thread};

pub(super) fn record(adapter: &mut Claude, envelope: Envelope<'_>, out: &mut Out<'_>) {
    let Some(message) = envelope.message.0 else {
        out.put(malformed("user"));
        return;
    };
    let origin = envelope.origin.0.as_ref();
    adapter.human = origin.is_some_and(|origin| origin.kind.is("human"));
    let detail = if envelope.detail_camel.words.is_some() || envelope.detail_snake.words.is_none() {
        merge(envelope.detail_camel, envelope.detail_snake)
    } else {
        envelope.detail_snake
    };
    let injected = if envelope.summary.0 {
        Some(Injection::Summary)
    } else if origin.is_some_and(|origin| origin.kind.is("task-notification")) {
        Some(Injection::Notification)
    } else if envelope.meta.0 || envelope.synthetic.0 {
        Some(Injection::Context)
    } else {
        None
    };
    match message.content {
        Content::Absent => out.put(malformed("user")),
        Content::Text(text) => say(adapter, text, injected, out),
        Content::Items(blocks) => items(adapter, blocks, &detail, injected, out),
    }
}

fn merge<'a>(camel: Detail<'a>, snake: Detail<'a>) -> Detail<'a> {
    let camel_says = camel.words.is_some()
        || camel.fields.interrupted.0
        || camel.fields.is_async.0
        || camel.fields.background_task_id.get().is_some()
        || camel.fields.agent_id.get().is_some()
        || camel.fields.persisted_output_path.get().is_some()
        || camel.fields.return_code_interpretation.get().is_some();
    if camel_says { camel } else { snake }
}

/// The texts of one record are one prompt; its results are results.
fn items(
    adapter: &mut Claude,
    blocks: Vec<Block<'_>>,
    detail: &Detail<'_>,
    injected: Option<Injection>,
    out: &mut Out<'_>,
) {
    let mut words: Option<Cow<'_, str>> = None;
    let (mut silent, mut pictures) = (true, false);
    for mut block in blocks {
        match block.kind.get().unwrap_or("") {
            "tool_result" => {
                silent = false;
                let id = adapter.name(std::mem::take(&mut block.tool_use_id));
                out.put(Body::Outcome(reply(id, block, detail)));
            }
            "image" => pictures = true,
            "text" => {
                silent = false;
                let text = block.text.text();
                if !matches!(spoken::read(&text), Spoken::Operator(_)) {
                    say(adapter, text, injected, out);
                } else if let Some(before) = &mut words {
                    let joined = before.to_mut();
                    joined.push_str("\n\n");
                    joined.push_str(&text);
                } else {
                    words = Some(text);
                }
            }
            "thinking" | "redacted_thinking" | "tool_use" | "document" => {}
            other => out.put(Body::Opaque {
                name: Cow::Owned(format!("block:{other}")),
            }),
        }
    }
    if let Some(words) = words {
        say(adapter, words, injected, out);
    } else if silent && pictures && injected.is_none() && out.thread == Thread::Own {
        // A picture alone is a prompt too.
        prompt(adapter, Cow::Borrowed(""), Opens::Always, out);
    } else if silent {
        out.put(Body::Bookkeeping);
    }
}

fn say(adapter: &mut Claude, text: Cow<'_, str>, injected: Option<Injection>, out: &mut Out<'_>) {
    if out.thread == Thread::Other {
        out.put(Body::Injected {
            kind: Injection::Context,
            text,
        });
        return;
    }
    attached::around(&text, out);
    if let Some(kind) = injected {
        // A marker keeps its meaning in a record that is marked as injected.
        let by_words = match spoken::read(&text) {
            Spoken::Operator(_) => None,
            other => Some(other),
        };
        match by_words {
            Some(Spoken::Interrupt | Spoken::Notification(_)) => {
                speak(adapter, &text, Opens::Always, out);
            }
            Some(Spoken::Injected(found)) => out.put(Body::Injected { kind: found, text }),
            _ => out.put(Body::Injected { kind, text }),
        }
        return;
    }
    let opens = if matches!(spoken::read(&text), Spoken::Operator(_)) {
        if adapter.queue.prompt(&text) {
            Opens::Again
        } else if spoken::is_command(&text) {
            Opens::Command
        } else {
            Opens::Always
        }
    } else {
        adapter.queue.take_up(&text);
        Opens::Always
    };
    speak(adapter, &text, opens, out);
}

/// Only the results of another agent's user record: its prompts are not a human's.
pub(super) fn results_only(
    adapter: &mut Claude,
    message: Message<'_>,
    detail: &Detail<'_>,
    out: &mut Out<'_>,
) {
    let Content::Items(blocks) = message.content else {
        out.put(Body::Bookkeeping);
        return;
    };
    for mut block in blocks {
        if block.kind.is("tool_result") {
            let id = adapter.name(std::mem::take(&mut block.tool_use_id));
            out.put(Body::Outcome(reply(id, block, detail)));
        }
    }
}

/// Input typed while the agent works. It is an attachment in newer versions; in older ones only
/// the queue's own records hold it.
pub(super) fn queued_command(adapter: &mut Claude, attachment: Attachment<'_>, out: &mut Out<'_>) {
    let origin = attachment.origin.0.as_ref();
    let origin = origin.and_then(|origin| origin.kind.get());
    let human = origin.is_none_or(|kind| kind != "task-notification");
    adapter.human = origin == Some("human");
    // A launched agent's queue holds its parent's words, which nothing else tells apart.
    let foreign = adapter.is_subagent() && !adapter.human || out.thread == Thread::Other;
    let notification = attachment.mode.is("task-notification");
    let mut pictures = false;
    let text = match attachment.prompt {
        Content::Text(text) => text,
        Content::Absent => Cow::Borrowed(""),
        Content::Items(parts) => {
            pictures = parts.iter().any(|part| part.kind.is("image"));
            let texts: Vec<_> = parts.into_iter().filter_map(|part| part.text.0).collect();
            texts.join("\n\n").into()
        }
    };
    if foreign || text.trim().is_empty() && !pictures || attachment.meta.0 {
        out.put(Body::Bookkeeping);
    } else if notification && matches!(spoken::read(&text), Spoken::Operator(_)) {
        // Whatever became of its words, no human typed them.
        out.put(Body::Injected {
            kind: Injection::Notification,
            text,
        });
    } else if notification || human {
        if adapter.queue.tell(&text) {
            out.put(Body::Bookkeeping);
        } else if text.trim().is_empty() {
            prompt(adapter, text, Opens::IfIdle, out);
        } else {
            speak(adapter, &text, Opens::IfIdle, out);
        }
    } else {
        out.put(Body::Injected {
            kind: Injection::Notification,
            text,
        });
    }
}

/// The queue of typed-ahead input. What is removed from it was given to the agent at once; what
/// is dequeued comes back as a user record; what is popped goes back to the human's input line.
pub(super) fn queue_operation(adapter: &mut Claude, envelope: &Envelope<'_>, out: &mut Out<'_>) {
    match envelope.operation.get().unwrap_or("") {
        "enqueue" => {
            adapter.queue.enqueue(envelope.content.get().unwrap_or(""));
            out.put(Body::Bookkeeping);
        }
        "dequeue" => {
            adapter.queue.dequeue();
            out.put(Body::Bookkeeping);
        }
        "remove" => {
            let Some(text) = adapter.queue.remove() else {
                out.put(Body::Bookkeeping);
                return;
            };
            if matches!(spoken::read(&text), Spoken::Operator(_)) {
                adapter.queue.gave(&text);
            }
            speak(adapter, &text, Opens::IfIdle, out);
        }
        _ => {
            adapter.queue.clear();
            out.put(Body::Bookkeeping);
        }
    }
}
