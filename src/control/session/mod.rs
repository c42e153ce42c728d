//! Sessions in the language of `tests/rules/README.md`, written as the clients store theirs.
//!
//! The writers know the clients' spellings, as the adapters do that read them: a control goes the
//! whole way through the house.

mod claude;
mod codex;
mod ids;
mod json;
mod script;

pub use script::{Client, End, Script, Step, Turn};

/// A file that a client would have stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredFile {
    /// Its path below the folder of all clients.
    pub path: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// A session as a client would have stored it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// The root session's own file.
    pub own: StoredFile,
    /// Other files: delegates' records.
    pub others: Vec<StoredFile>,
}

/// Writes a session as a client would have. Its ids are drawn from `seed`.
#[must_use]
pub fn store(client: Client, seed: &str, script: &Script) -> Stored {
    match client {
        Client::Claude => claude::store(seed, script),
        Client::Codex => codex::store(seed, script),
    }
}
