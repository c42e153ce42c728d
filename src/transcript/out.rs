//! Where an adapter puts the events of one record.

use super::record::{Body, Event, Place, Thread};

/// Where events of one record go.
pub(super) struct Out<'o> {
    pub(super) place: Place,
    pub(super) thread: Thread,
    pub(super) key: Option<u64>,
    pub(super) node: Option<u64>,
    pub(super) parent: Option<u64>,
    pub(super) sink: &'o mut dyn FnMut(Event<'_>),
}

impl Out<'_> {
    pub(super) fn put(&mut self, body: Body<'_>) {
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
