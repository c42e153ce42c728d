//! What a session runs with, where another's history stands at its head.

use crate::frozen::beside::Beside;
use crate::oracle::Evidence;
use crate::transcript::{Body, Event, Place, Settings, Text, Thread};

fn take(beside: &mut Beside, thread: Thread, body: Body<'_>) {
    beside.event(&Event {
        place: Place::default(),
        thread,
        key: None,
        node: None,
        parent: None,
        body,
    });
}

fn said() -> Body<'static> {
    Body::Said {
        text: "Nine.".into(),
        message: 0,
        aside: false,
    }
}

#[test]
fn settings_of_a_copied_history_are_its_parent_s_and_not_its_own() {
    let mut beside = Beside::default();
    let text = |text| Some(Text::Borrowed(text));
    let of_parent = Settings {
        model: text("tide-large-4"),
        effort: text("low"),
        sandbox: text("read-only"),
        servers: None,
    };
    take(&mut beside, Thread::Copied, Body::Settings(of_parent));
    take(&mut beside, Thread::Copied, said());
    let own = Settings {
        model: text("tide-small-2"),
        effort: text(""),
        ..Settings::default()
    };
    take(&mut beside, Thread::Own, Body::Settings(own));
    take(&mut beside, Thread::Own, said());
    let mut evidence = Evidence::default();
    beside.add(&mut evidence);
    let [copied, own] = evidence.turns.as_slice() else {
        panic!("two settings: {:?}", evidence.turns);
    };
    assert!(!copied.own && own.own);
    assert_eq!(own.model.as_deref(), Some("tide-small-2"));
    // What is told to be unset is told; what nobody told is not taken from the parent.
    assert_eq!(own.untold, ["sandbox", "cwd", "servers"]);
    assert_eq!(evidence.parent.sandbox.as_deref(), Some("read-only"));
    assert_eq!(evidence.parent.cwd, None);
}
