//! What a command sees of the operator's environment: what is listed, and nothing else.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};

use super::error::CaptureError;
use crate::spec::is_secret;

/// Where a system has its programs.
const SYSTEM: &str = "/usr/bin:/bin";

/// The operator's environment. It is looked names up in and never shown.
#[derive(Clone, Default)]
pub struct Variables(Vec<(OsString, OsString)>);

impl fmt::Debug for Variables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} variables", self.0.len())
    }
}

impl FromIterator<(OsString, OsString)> for Variables {
    fn from_iter<I: IntoIterator<Item = (OsString, OsString)>>(all: I) -> Self {
        Self(all.into_iter().collect())
    }
}

impl Variables {
    /// The value of a variable that is set and not empty.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        let found = self.0.iter().find(|(own, _)| own == name);
        found
            .map(|(_, value)| value.as_os_str())
            .filter(|value| !value.is_empty())
    }

    /// All of them.
    pub(super) fn all(&self) -> &[(OsString, OsString)] {
        &self.0
    }

    /// The folder for temporary files.
    #[must_use]
    pub fn temporary(&self) -> PathBuf {
        let own = self.get("TMPDIR").map(PathBuf::from);
        own.unwrap_or_else(std::env::temp_dir)
    }

    /// The folders that programs are looked for in: absolute ones only, and none below the tree,
    /// whose programs would otherwise stand in for the operator's.
    pub(super) fn path(&self, tree: Option<&Path>) -> Vec<PathBuf> {
        let own = self.get("PATH").unwrap_or(OsStr::new(SYSTEM));
        let outside = |folder: &PathBuf| {
            let real = std::fs::canonicalize(folder);
            let real = real.as_ref().unwrap_or(folder);
            tree.is_none_or(|tree| !real.starts_with(tree) && !folder.starts_with(tree))
        };
        let folders: Vec<PathBuf> = std::env::split_paths(own)
            .filter(|folder| folder.is_absolute())
            .filter(outside)
            .collect();
        // An empty path is the folder that one stands in.
        if folders.is_empty() {
            return std::env::split_paths(SYSTEM).collect();
        }
        folders
    }

    /// Where the operator's own packages of Python lie. A suite that skips what it cannot import
    /// would tell another count without them.
    fn python_base(&self) -> Option<PathBuf> {
        let own = self.get("PYTHONUSERBASE").map(PathBuf::from);
        own.or_else(|| Some(Path::new(self.get("HOME")?).join(".local")))
    }
}

/// The folders of one run.
pub(super) struct Folders<'a> {
    /// All others lie in it.
    pub(super) workspace: &'a Path,
    /// The folder of the tree itself, not of the copy.
    pub(super) tree: Option<&'a Path>,
}

impl Folders<'_> {
    /// A home that holds nothing.
    pub(super) fn home(&self) -> PathBuf {
        self.workspace.join("home")
    }

    /// Where temporary files go.
    pub(super) fn temporary(&self) -> PathBuf {
        self.workspace.join("tmp")
    }

    /// Where compiled code goes. It is empty as the run begins.
    pub(super) fn compiled(&self) -> PathBuf {
        self.workspace.join("compiled")
    }

    /// A folder that stays empty.
    pub(super) fn empty(&self) -> PathBuf {
        self.workspace.join("empty")
    }
}

/// What git reads beside its arguments, so that no hook, no monitor and nobody's configuration has
/// a say.
const GIT: [(&str, &str); 13] = [
    ("GIT_ATTR_NOSYSTEM", "1"),
    ("GIT_CONFIG_COUNT", "5"),
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_CONFIG_KEY_0", "core.fsmonitor"),
    ("GIT_CONFIG_KEY_1", "safe.directory"),
    ("GIT_CONFIG_KEY_2", "gc.auto"),
    ("GIT_CONFIG_KEY_3", "maintenance.auto"),
    ("GIT_CONFIG_KEY_4", "core.hooksPath"),
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_CONFIG_VALUE_0", "false"),
    ("GIT_CONFIG_VALUE_1", "*"),
    ("GIT_CONFIG_VALUE_2", "0"),
    ("GIT_CONFIG_VALUE_3", "false"),
];
/// What keeps git from asking, from fetching and from looking elsewhere.
const GIT_MANNERS: [(&str, &str); 6] = [
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_PAGER", "cat"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_PROTOCOL_FROM_USER", "0"),
];

/// The environment of a command: a path, a language, a home of its own, the operator's package
/// base, and of the operator's other variables the listed ones. `set` are those of its conditions.
///
/// # Errors
/// `E_CAPTURE field=variables`: a name that says that it is a secret, or a value that tells the
/// run's own id.
pub(super) fn environment(
    variables: &Variables,
    folders: &Folders<'_>,
    listed: &[String],
    set: &[(String, String)],
    run: &str,
) -> Result<Vec<(OsString, OsString)>, CaptureError> {
    let mut all: Vec<(OsString, OsString)> = Vec::new();
    let mut put = |name: &str, value: OsString| {
        all.retain(|(own, _)| own != name);
        all.push((name.into(), value));
    };
    let language = variables.get("LANG").unwrap_or(OsStr::new("C.UTF-8"));
    put("LANG", language.to_owned());
    let own = |name: &String| Some((name.clone(), variables.get(name)?.to_owned()));
    let set = set.iter().map(|(name, value)| (name.clone(), value.into()));
    for (name, value) in listed.iter().filter_map(own).chain(set) {
        if is_secret(&name) {
            return Err(CaptureError::new("variables", "secret"));
        }
        if value.to_string_lossy().contains(run) {
            return Err(CaptureError::new("variables", "run"));
        }
        put(&name, value);
    }
    let path = std::env::join_paths(variables.path(folders.tree));
    put("PATH", path.unwrap_or_default());
    put("HOME", folders.home().into());
    put("TMPDIR", folders.temporary().into());
    if let Some(base) = variables.python_base() {
        put("PYTHONUSERBASE", base.into());
    }
    put("PYTHONDONTWRITEBYTECODE", "1".into());
    put("PYTHONPYCACHEPREFIX", folders.compiled().into());
    put("NODE_DISABLE_COMPILE_CACHE", "1".into());
    for (name, value) in GIT.iter().chain(&GIT_MANNERS) {
        put(name, (*value).into());
    }
    put("GIT_CONFIG_VALUE_4", folders.empty().into());
    put("GIT_CEILING_DIRECTORIES", folders.workspace.into());
    Ok(all)
}

/// The program that a word names: by itself where it is a path, else in the folders of the path.
pub(super) fn program(word: &OsStr, path: &[PathBuf], folder: &Path) -> Option<PathBuf> {
    if Path::new(word).components().count() > 1 || word.to_string_lossy().contains('/') {
        return Some(folder.join(word)).filter(|path| path.is_file());
    }
    path.iter()
        .map(|folder| folder.join(word))
        .find(|path| is_program(path))
}

fn is_program(path: &Path) -> bool {
    use rustix::fs::{Access, access};
    path.is_file() && access(path, Access::EXEC_OK).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operator(pairs: &[(&str, &str)]) -> Variables {
        let pairs = pairs.iter();
        pairs.map(|(n, v)| ((*n).into(), (*v).into())).collect()
    }

    fn seen(
        operator: &Variables,
        listed: &[&str],
        set: &[(&str, &str)],
    ) -> Result<Vec<(String, String)>, CaptureError> {
        let folders = Folders {
            workspace: Path::new("/ws"),
            tree: Some(Path::new("/arm/tree")),
        };
        let listed: Vec<String> = listed.iter().map(|name| (*name).to_owned()).collect();
        let set: Vec<_> = set
            .iter()
            .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
            .collect();
        let all = environment(operator, &folders, &listed, &set, "run-2031-05")?;
        let text = |text: OsString| text.to_string_lossy().into_owned();
        Ok(all.into_iter().map(|(n, v)| (text(n), text(v))).collect())
    }

    fn value<'a>(all: &'a [(String, String)], name: &str) -> Option<&'a str> {
        let found = all.iter().find(|(own, _)| own == name);
        found.map(|(_, value)| value.as_str())
    }

    #[test]
    fn what_is_not_listed_is_not_seen() {
        let operator = operator(&[
            ("HOME", "/home/op"),
            ("RUN_TOKEN", "x"),
            ("SECRET_STUFF", "x"),
            ("EDITOR", "vi"),
            ("NODE_PATH", "/opt/node"),
            ("GIT_DIR", "/elsewhere"),
            ("PYTHONPATH", "/arm/tree"),
        ]);
        let all = seen(&operator, &["NODE_PATH", "GONE"], &[]).unwrap();
        assert_eq!(value(&all, "NODE_PATH"), Some("/opt/node"));
        assert_eq!(value(&all, "HOME"), Some("/ws/home"));
        assert_eq!(value(&all, "PYTHONUSERBASE"), Some("/home/op/.local"));
        for absent in [
            "RUN_TOKEN",
            "SECRET_STUFF",
            "EDITOR",
            "GIT_DIR",
            "PYTHONPATH",
            "GONE",
        ] {
            assert_eq!(value(&all, absent), None, "{absent}");
        }
    }

    #[test]
    fn a_secret_is_refused_even_where_it_is_listed() {
        let operator = operator(&[("RUN_TOKEN", "x"), ("JOB", "run-2031-05.B")]);
        let secret = CaptureError::new("variables", "secret");
        assert_eq!(seen(&operator, &["RUN_TOKEN"], &[]), Err(secret.clone()));
        assert_eq!(seen(&operator, &[], &[("API_KEY", "x")]), Err(secret));
        let run = CaptureError::new("variables", "run");
        assert_eq!(seen(&operator, &["JOB"], &[]), Err(run));
    }

    #[test]
    fn neither_the_spec_nor_conditions_undo_what_keeps_a_run_apart() {
        let operator = operator(&[("HOME", "/home/op"), ("PATH", "/usr/bin")]);
        let set = [
            ("HOME", "/home/op"),
            ("GIT_CONFIG_NOSYSTEM", "0"),
            ("LANG", "de_DE"),
        ];
        let all = seen(&operator, &["HOME", "PATH"], &set).unwrap();
        assert_eq!(value(&all, "HOME"), Some("/ws/home"));
        assert_eq!(value(&all, "GIT_CONFIG_NOSYSTEM"), Some("1"));
        assert_eq!(value(&all, "LANG"), Some("de_DE"));
        let count = all.iter().filter(|(name, _)| name == "HOME").count();
        assert_eq!(count, 1);
    }

    #[test]
    fn the_tree_s_own_programs_never_stand_in_for_the_operator_s() {
        let operator = operator(&[("PATH", ".:/arm/tree/bin::/usr/bin:bin:/arm/tree")]);
        let all = seen(&operator, &[], &[]).unwrap();
        assert_eq!(value(&all, "PATH"), Some("/usr/bin"));
        assert_eq!(format!("{operator:?}"), "1 variables");
        let operator = self::operator(&[("PATH", ".:/arm/tree/bin")]);
        let all = seen(&operator, &[], &[]).unwrap();
        assert_eq!(value(&all, "PATH"), Some(SYSTEM));
    }
}
