//! What is kept comes back as it was.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::*;
use crate::source::discover;
use crate::transcript::{Body, Event, FileReport, Injection, Place, Sink, Text, glance, read_file};

/// Owned events, in their bounded form.
#[derive(Default)]
struct Events(Vec<String>);

impl Sink for Events {
    fn event(&mut self, event: Event<'_>) {
        // `Debug` tells everything of an event; a borrowed one and an owned one look the same.
        self.0.push(format!("{:?}", bounded(&event)));
    }
}

fn holds(paths: &[PathBuf]) -> usize {
    let found = discover(paths).unwrap();
    let mut packed = header().unwrap();
    let mut told = Vec::new();
    for file in &found.files {
        let mut encoder = Encoder::new(packed).unwrap();
        encoder.family(1);
        encoder.file(FileLine::of(file, &glance(file)));
        let mut events = Events::default();
        let mut tee = Tee {
            encoder: &mut encoder,
            sink: &mut events,
        };
        let report = match file.open() {
            Ok(lines) => read_file(lines, &mut tee),
            Err(fault) => FileReport {
                fault: Some(fault),
                ..FileReport::default()
            },
        };
        encoder.end(&report);
        packed = encoder.finish().unwrap();
        told.push((events.0, report));
    }
    let mut decoder = Decoder::open(packed.as_slice()).unwrap();
    for (file, (before, report)) in found.files.iter().zip(&told) {
        assert_eq!(decoder.entry(), Ok(Some(Entry::Family(1))));
        let line = decoder.file().unwrap();
        assert_eq!(line, FileLine::of(file, &glance(file)));
        let mut events = Events::default();
        assert_eq!(decoder.events(&mut events).as_ref(), Ok(report));
        assert!(events.0 == *before, "{} comes back otherwise", file.name);
    }
    assert_eq!(decoder.entry(), Ok(None));
    told.iter().map(|(events, _)| events.len()).sum()
}

#[test]
fn every_event_of_the_transcripts_comes_back() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let events = holds(&[root.join("golden"), root.join("tests/edge")]);
    assert!(events > 2000, "{events} events");
}

#[test]
fn lines_that_are_none_are_told_by_their_number() {
    let open = |bytes: &[u8]| Decoder::open(bytes).map(|_| ()).unwrap_err();
    assert_eq!(open(b"no zstd"), RecordError::Unreadable);
    assert_eq!(open(b""), RecordError::Unreadable);
    let pack = |text: &str| zstd::encode_all(text.as_bytes(), 3).unwrap();
    let other = pack("{\"records\":{\"schema\":\"deedcheck/records/9\"}}\n");
    assert_eq!(open(&other), RecordError::Schema);
    let head = "{\"records\":{\"schema\":\"deedcheck/records/1\"}}\n";
    for (line, number) in [
        ("{\"event\":{\"body\":\"compaction\"}}\n", 2),
        ("{\"family\":{}}\n", 2),
        ("[]\n", 2),
    ] {
        let bytes = pack(&format!("{head}{line}"));
        let mut decoder = Decoder::open(bytes.as_slice()).unwrap();
        assert_eq!(decoder.entry(), Err(RecordError::Line { line: number }));
    }
    let file = "{\"file\":{\"name\":\"a\",\"named\":true,\"expected\":true,\"size\":1,\"glance\":{\"subagent\":false,\"printed\":false,\"depth\":1}}}\n";
    let orphan = pack(&format!(
        "{head}{file}{}",
        "{\"event\":{\"body\":\"compaction\"}}\n"
    ));
    let mut decoder = Decoder::open(orphan.as_slice()).unwrap();
    assert_eq!(decoder.file().unwrap().name, "a");
    let events = decoder.events(&mut Events::default());
    assert_eq!(events, Err(RecordError::Line { line: 3 }));
}

#[test]
fn frames_are_written_in_the_order_of_their_numbers() {
    let shelf = Shelf::new(Vec::new());
    let told = || String::from_utf8(shelf.0.lock().unwrap().out.clone()).unwrap();
    let more = |number, text: &str| {
        let mut slot = Slot {
            shelf: &shelf,
            number,
        };
        slot.write_all(text.as_bytes()).unwrap();
    };
    more(2, "c");
    shelf.end(2);
    more(1, "b1");
    more(0, "a1");
    assert_eq!(told(), "a1", "the first goes through as it comes");
    shelf.end(3);
    more(0, "a2");
    shelf.end(0);
    assert_eq!(told(), "a1a2b1", "what has waited comes as soon as it may");
    more(1, "b2");
    more(5, "f");
    shelf.end(1);
    assert_eq!(told(), "a1a2b1b2c", "a frame that is not kept is none");
    shelf.end(4);
    shelf.end(5);
    assert_eq!(shelf.into_inner(), (b"a1a2b1b2cf".to_vec(), false));
}

#[test]
fn a_long_text_is_cut_where_the_fold_cuts_it() {
    let long = "é".repeat(200_000);
    let event = Event {
        place: Place::default(),
        thread: crate::transcript::Thread::Own,
        key: None,
        node: Some(7),
        parent: Some(u64::MAX),
        body: Body::Injected {
            kind: Injection::Summary,
            text: Text::Borrowed(&long),
        },
    };
    let mut encoder = Encoder::new(header().unwrap()).unwrap();
    encoder.file(FileLine {
        name: "a".to_owned(),
        named: true,
        expected: true,
        size: 0,
        glance: Default::default(),
    });
    encoder.event(&event);
    encoder.event(&event);
    encoder.end(&FileReport::default());
    let packed = encoder.finish().unwrap();
    let text = zstd::decode_all(packed.as_slice()).unwrap();
    assert!(text.len() < 250_000);
    let text = String::from_utf8(text).unwrap();
    assert_eq!(
        text.matches("ffffffffffffffff").count(),
        1,
        "a record is named once"
    );
    let mut decoder = Decoder::open(packed.as_slice()).unwrap();
    decoder.file().unwrap();
    let mut events = Events::default();
    decoder.events(&mut events).unwrap();
    assert_eq!(events.0, vec![format!("{:?}", bounded(&event)); 2]);
}
