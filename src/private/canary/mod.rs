//! Stub.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
/// k
pub enum Kind {
    /// h
    Home,
}
impl Kind {
    /// s
    pub const fn as_str(self) -> &'static str {
        "home"
    }
}
#[derive(Debug)]
/// c
pub struct Canary;
#[derive(Debug)]
/// h
pub struct Hit;
