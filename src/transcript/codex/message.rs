//! Messages of the model's record: the agent's, the operator's, and what is said in another's name.

use std::borrow::Cow;

use super::adapter::{Codex, Voice, repeat};
use super::old;
use super::said::{Phase, Said};
use super::settings::{self, Parts};
use super::spoken::{self, Spoken};
use super::wire::{Part, Payload, joined};
use crate::transcript::beside::By;
use crate::transcript::loose::Content;
use crate::transcript::out::Out;
use crate::transcript::record::{Body, Opens, Thread, key_of};

impl Codex {
    pub(super) fn message(&mut self, payload: Payload<'_>, out: &mut Out<'_>) {
        match payload.role.get().unwrap_or("") {
            "assistant" => {
                let id = payload.id.get().map_or(0, |id| key_of(&[id]));
                self.message = payload.id.owned();
                let phase = Phase::of(payload.phase.get());
                let text = joined(payload.content);
                self.said(
                    Said {
                        text,
                        message: id,
                        phase,
                    },
                    Voice::Model,
                    out,
                );
                if let Some(call) = payload.function_call.0 {
                    old::asked(self, call, out);
                }
            }
            "function" | "tool" => old::answered(self, joined(payload.content), out),
            "user" => {
                let about = Parts::of(&payload);
                self.user(payload.content, &about, out);
            }
            role => {
                self.header.tells.roles |= role == "developer" && out.thread == Thread::Own;
                let about = Parts::of(&payload);
                settings::told(role, &about, payload.content, out);
                out.put(Body::Bookkeeping);
            }
        }
    }

    /// A user message whose parts may be a human's words beside the client's.
    fn user(&mut self, content: Content<'_, Part<'_>>, about: &Parts, out: &mut Out<'_>) {
        let Content::Items(parts) = content else {
            self.heard(joined(content), Voice::Model, out);
            return;
        };
        let mut own = Vec::new();
        let (mut texts, mut pictures) = (false, false);
        for (index, part) in parts.into_iter().enumerate() {
            pictures |= part.kind.get().is_some_and(|kind| kind.contains("image"));
            let Some(text) = part.text.0 else { continue };
            texts = true;
            if about.is_of_hook(index) {
                settings::around(By::Hook, &text, out);
            }
            if spoken::is_picture_tag(&text) {
                continue;
            }
            match spoken::read(text.clone()) {
                Spoken::Operator(_) => own.push(text),
                Spoken::Injected(kind) => {
                    if spoken::is_of_hook(&text) && !about.is_of_hook(index) {
                        settings::around(By::Hook, &text, out);
                    }
                    out.put(Body::Injected { kind, text });
                }
                Spoken::Aborted => out.put(Body::Bookkeeping),
            }
        }
        match own.len() {
            // Pictures alone are a prompt too.
            0 if pictures && !texts => self.asked(Cow::Borrowed(""), Voice::Model, out),
            0 => out.put(Body::Bookkeeping),
            1 => self.heard(own.remove(0), Voice::Model, out),
            _ => self.heard(Cow::Owned(own.join("\n")), Voice::Model, out),
        }
    }

    /// Words in the operator's place.
    pub(super) fn heard(&mut self, text: Cow<'_, str>, voice: Voice, out: &mut Out<'_>) {
        if spoken::is_of_hook(&text) {
            settings::around(By::Hook, &text, out);
        }
        match spoken::read(text.clone()) {
            Spoken::Operator(own) => {
                if own.len() != text.len() {
                    settings::around(By::Client, &text, out);
                }
                if own.trim().is_empty() {
                    out.put(Body::Bookkeeping);
                } else {
                    self.asked(own, voice, out);
                }
            }
            Spoken::Injected(kind) => out.put(Body::Injected { kind, text }),
            Spoken::Aborted => out.put(Body::Bookkeeping),
        }
    }

    /// A prompt, from the human or, in a launched agent's own file, from its parent.
    fn asked(&mut self, text: Cow<'_, str>, voice: Voice, out: &mut Out<'_>) {
        if self.told_already("user", &text, voice) {
            repeat(false, text, false, voice, out);
            return;
        }
        let opens = if self.subagent {
            Opens::FrameDelegated
        } else {
            Opens::Frame
        };
        out.put(Body::Operator { text, opens });
    }
}
