//! What a run tells its canary.

use std::path::PathBuf;

use super::Surroundings;
use crate::private::{Canary, Kind};

/// A canary that knows some values.
pub(super) fn knowing(values: &[(Kind, String)]) -> Canary {
    let mut canary = Canary::new();
    watch(&mut canary, values);
    canary
}

/// Tells a canary values that it must find.
pub(super) fn watch(canary: &mut Canary, values: &[(Kind, String)]) {
    for (kind, value) in values {
        canary.value(*kind, value);
    }
}

/// What no output may say of where the program runs.
pub(super) fn surroundings(around: &Surroundings) -> Vec<(Kind, String)> {
    let paths = [(Kind::Home, &around.home), (Kind::WorkTree, &around.cwd)];
    let names = [(Kind::User, &around.user), (Kind::Host, &around.host)];
    let path = |(kind, path): (Kind, &Option<PathBuf>)| {
        let path = path.as_ref()?;
        Some((kind, path.to_string_lossy().into_owned()))
    };
    let name = |(kind, name): (Kind, &Option<String>)| Some((kind, name.clone()?));
    let paths = paths.into_iter().filter_map(path);
    paths.chain(names.into_iter().filter_map(name)).collect()
}
