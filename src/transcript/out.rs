//! Where an adapter puts the events of one record.

use super::record::{Body, Call, Event, Place, Text, Thread};

/// Where events of one record go.
pub(super) struct Out<'o> {
    pub(super) place: Place,
    pub(super) thread: Thread,
    pub(super) key: Option<u64>,
    pub(super) node: Option<u64>,
    pub(super) parent: Option<u64>,
    /// When the record was written.
    pub(super) at: Option<Text<'o>>,
    pub(super) sink: &'o mut dyn FnMut(Event<'_>),
}

impl Out<'_> {
    pub(super) fn put(&mut self, body: Body<'_>) {
        let at = self.at.as_deref().map(Text::Borrowed);
        let body = match body {
            Body::Call(call) => Body::Call(Call { at, ..call }),
            body => body,
        };
        (self.sink)(Event {
            place: self.place,
            thread: self.thread,
            key: self.key,
            node: self.node,
            parent: self.parent,
            body,
        });
    }
}
