//! What a run tells its canary.

use std::collections::BTreeSet;
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

/// Values, with what no output may say of where the program runs, and the homes and their users that the
/// paths among them lie below: a session of another machine has another home.
pub(super) fn everywhere(
    mut values: Vec<(Kind, String)>,
    around: &Surroundings,
) -> Vec<(Kind, String)> {
    values.extend(surroundings(around));
    let homes = values.iter().filter(|(kind, _)| kind.is_path());
    let homes: BTreeSet<(String, String)> = homes.filter_map(|(_, path)| home(path)).collect();
    for (home, user) in homes {
        values.push((Kind::Home, home));
        values.push((Kind::User, user));
    }
    values
}

/// The home that a path lies below, and whose it is.
fn home(path: &str) -> Option<(String, String)> {
    let drive = path
        .get(1..3)
        .is_some_and(|sign| matches!(sign, ":\\" | ":/"));
    let folders = path.get(if drive { 3 } else { 1 }..)?;
    let mut folders = folders.split(['/', '\\']);
    let (folder, user) = (folders.next()?, folders.next()?);
    let homes = match drive {
        true => folder.eq_ignore_ascii_case("users"),
        false => path.starts_with('/') && matches!(folder, "home" | "Users"),
    };
    let shared = ["shared", "public", "default"]
        .iter()
        .any(|own| user.eq_ignore_ascii_case(own));
    let length = path.len() - folders.map(|folder| folder.len() + 1).sum::<usize>();
    (homes && !user.is_empty() && !shared)
        .then(|| Some((path.get(..length)?.to_owned(), user.to_owned())))
        .flatten()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn homes_are_told_by_paths_below_them() {
        let told = |path: &str| home(path).map(|(home, user)| format!("{home} {user}"));
        for (path, expected) in [
            (
                "/home/annika.lind/src/tide",
                "/home/annika.lind annika.lind",
            ),
            ("/Users/annika.lind", "/Users/annika.lind annika.lind"),
            (
                "C:\\Users\\annika.lind\\src",
                "C:\\Users\\annika.lind annika.lind",
            ),
            (
                "d:/users/annika.lind/src",
                "d:/users/annika.lind annika.lind",
            ),
        ] {
            assert_eq!(told(path).as_deref(), Some(expected), "{path}");
        }
        for path in [
            "/srv/home/x",
            "home/wren/x",
            "/home/",
            "/home",
            "/Users/Shared/x",
            "C:\\src\\x",
            "",
        ] {
            assert_eq!(told(path), None, "{path}");
        }
    }
}
