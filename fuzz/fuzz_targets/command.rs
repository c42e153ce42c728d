//! Command strings: never a panic, linear work, spans within the text.
#![no_main]

use deedcheck::shell;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|command: &str| {
    for script in [shell::read(command), shell::read_powershell(command)] {
        for simple in &script.commands {
            assert!(simple.span.start <= simple.span.end && simple.span.end <= command.len());
        }
        assert!(script.steps() <= 64 * (command.len() + 64), "{} steps", script.steps());
    }
});
