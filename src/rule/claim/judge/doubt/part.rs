//! A check that went well of another part than the statement speaks of.

use super::{coded, open, own_edits, tail};
use crate::rule::claim::Kind;
use crate::rule::claim::guard::Guard;
use crate::rule::claim::judge::case::brief;
use crate::rule::claim::judge::place::{COMMON, beside};
use crate::rule::claim::judge::scope::is_part;
use crate::rule::claim::judge::{Case, Judged, Reason};
use crate::rule::evidence::{Run, Shown};

pub(super) fn doubt(case: &Case<'_>, run: &Run) -> Option<Judged> {
    if run.shown != Shown::Passed {
        return None;
    }
    let whole = case.areas().is_empty() && (case.of_all() || of_everything(case));
    let told = if case.on(Guard::WrongDirectory) && elsewhere(case, run, whole) {
        "was run beside what was changed"
    } else if case.on(Guard::WrongDirectory) && names_sibling(case) {
        "was run in another folder than the one that is named"
    } else if case.on(Guard::Narrowed)
        && (another_package(case, run)
            || another_sort(case)
            || another_subject(case, run)
            || another_file(case, run)
            || another_filter(case, run)
            || another_language(case, run))
    {
        "is of another part than the one that is named"
    } else if case.on(Guard::Narrowed)
        && (whole && narrow(case, run) || leaves_out(case, run, whole))
    {
        "covers a part only"
    } else if versions(case, run) {
        "does not show under which versions it ran"
    } else {
        return None;
    };
    let what = format!("{} {told}", brief(&run.words));
    Some(open(Reason::WrongScope, run.place, what))
}

/// Runs of this kind that went well, since the last close or in this turn.
fn good<'a>(case: &Case<'a>, run: &'a Run) -> impl Iterator<Item = &'a Run> {
    let runs = case.ledger.runs.iter();
    let verify = run.verify;
    runs.filter(move |one| {
        one.verify == verify && one.shown == Shown::Passed && one.turn >= run.turn
    })
}

/// Ways to say that a statement is of all that there is, which its own words do not tell: another
/// script, a language between "all" and "tests", the end of the clause.
fn of_everything(case: &Case<'_>) -> bool {
    const LANGUAGES: [&str; 14] = [
        "go",
        "rust",
        "python",
        "java",
        "kotlin",
        "ruby",
        "php",
        "javascript",
        "typescript",
        "swift",
        "elixir",
        "scala",
        "js",
        "ts",
    ];
    let lower = case.text().to_lowercase();
    let text = lower.trim_start();
    let script = [
        "全部",
        "所有",
        "すべての",
        "全ての",
        "全テスト",
        "모든",
        "전체",
    ];
    if script.iter().any(|all| text.starts_with(all)) {
        return true;
    }
    let words: Vec<&str> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|w| !w.is_empty())
        .collect();
    let by_language = words.windows(3).any(|three| {
        matches!(three[0], "all" | "every")
            && LANGUAGES.contains(&three[1])
            && three[2].starts_with("test")
    });
    let tail = tail(case).to_lowercase();
    let wide = [
        " across the ",
        " for the ",
        " in the ",
        " on the ",
        " over the ",
    ]
    .iter()
    .any(|head| {
        let rest = tail.strip_prefix(head).unwrap_or("");
        ["whole ", "entire ", "full "]
            .iter()
            .any(|word| rest.starts_with(word))
    });
    // `All clean.`, `consistently across environments`.
    let vague = matches!(
        words.as_slice(),
        ["all", "clean" | "good" | "well" | "succeeded"]
    );
    let everywhere = format!("{text}{tail}").contains(" across environments");
    by_language || wide || vague || everywhere
}

/// A run of a part, where nothing else of the kind went well.
fn narrow(case: &Case<'_>, run: &Run) -> bool {
    is_part(run) && good(case, run).all(|other| is_part(other) && other.words == run.words)
}

/// Whether all that was changed lies in other folders than the run, and no other run covers it.
fn elsewhere(case: &Case<'_>, run: &Run, whole: bool) -> bool {
    const THROWN: [&str; 3] = ["/tmp/", "/var/tmp/", "/private/tmp/"];
    let edits = || own_edits(case).filter(|edit| edit.checked && !edit.delegated);
    // Paths of another system cannot be told from those of this one.
    let plain = |path: &str| path.starts_with('/') && !path.contains(['\\', ':']);
    let apart = |run: &Run| {
        let copy = THROWN.iter().any(|root| run.dir.starts_with(root));
        plain(&run.dir)
            && (whole || copy)
            && !run.loose
            && edits().all(|edit| plain(&edit.path) && !run.reads(&edit.path))
    };
    let named = run.dir.rsplit('/').next().unwrap_or("");
    let told = !named.is_empty() && case.sentence().contains(named) && !whole;
    edits().next().is_some() && !told && good(case, run).all(apart)
}

/// "The web tests pass", "clean for `web`": a folder of that name was changed, and every run was
/// made beside it.
fn names_sibling(case: &Case<'_>) -> bool {
    let lower = case.text().to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_'))
        .filter(|word| !word.is_empty())
        .collect();
    let before = words.windows(2).filter(|pair| {
        matches!(
            pair[1],
            "tests" | "test" | "suite" | "build" | "specs" | "lint" | "checks" | "typecheck"
        )
    });
    let tail = tail(case);
    let behind = [" for `", " in `", " under `"]
        .iter()
        .find_map(|head| tail.strip_prefix(head));
    let behind = behind.and_then(|rest| rest.split('`').next());
    let mut names = before
        .map(|pair| pair[0])
        .chain(behind)
        .filter(|name| !COMMON.contains(name));
    let runs = || {
        let runs = case.ledger.runs.iter();
        runs.filter(|run| run.shown == Shown::Passed && kind_of(case.claim.kind, run))
    };
    names.any(|name| runs().next().is_some() && runs().all(|run| beside(case, run, name)))
}

fn kind_of(kind: Kind, run: &Run) -> bool {
    crate::rule::claim::judge::check::exact(kind, run.verify)
}

/// "`cargo test -p core` passes": the run was narrowed to another package or file.
fn another_package(case: &Case<'_>, run: &Run) -> bool {
    let program = run.words.split(' ').next().unwrap_or("");
    let mut spans = coded(case.text()).filter(|span| span.contains(' '));
    let Some(command) = spans.find(|span| span.split(' ').next() == Some(program)) else {
        return false;
    };
    let mut words = command.split(' ').skip(1);
    let mut named: Vec<&str> = Vec::new();
    while let Some(word) = words.next() {
        if matches!(word, "-p" | "--package" | "-k" | "--filter" | "--test") {
            named.extend(words.next());
        } else if !word.starts_with('-')
            && word.contains(['/', '.'])
            && !matches!(word, "." | "./...")
        {
            named.push(word);
        }
    }
    let stands = |run: &Run| {
        run.narrowed.is_empty()
            || named
                .iter()
                .all(|name| run.words.contains(name.trim_start_matches("./")))
    };
    !named.is_empty() && !good(case, run).any(stands)
}

/// The sorts of tests that a text names.
pub(in crate::rule::claim::judge) fn sorts(text: &str) -> Vec<&'static str> {
    const SORTS: [(&str, &[&str]); 3] = [
        ("unit", &["unit"]),
        ("integration", &["integration"]),
        ("e2e", &["e2e", "end-to-end", "playwright", "cypress"]),
    ];
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !(c.is_alphanumeric() || c == '-'))
        .flat_map(|word| core::iter::once(word).chain(word.split('-')))
        .collect();
    let named = |names: &[&str]| names.iter().any(|name| words.contains(name));
    SORTS
        .iter()
        .filter(|(_, names)| named(names))
        .map(|(sort, _)| *sort)
        .collect()
}

/// "E2E tests pass": every run that went well is of another sort by its own words.
fn another_sort(case: &Case<'_>) -> bool {
    if case.claim.kind != Kind::Tests {
        return false;
    }
    let runs = case
        .ledger
        .runs
        .iter()
        .filter(|run| run.shown == Shown::Passed);
    let of: Vec<Vec<&str>> = runs
        .filter(|run| kind_of(Kind::Tests, run))
        .map(|run| sorts(&run.words))
        .collect();
    let told = sorts(case.text());
    // A run that names no sort may be of all of them.
    of.iter().all(|sorts| !sorts.is_empty())
        && told
            .iter()
            .any(|sort| !of.iter().any(|sorts| sorts.contains(sort)))
}

/// "The cart tests pass": a file of that name stands in the record, and the run is of files of
/// other names.
fn another_subject(case: &Case<'_>, run: &Run) -> bool {
    let parts: Vec<String> = run
        .narrowed
        .iter()
        .map(|part| part.to_lowercase())
        .collect();
    let files = parts
        .iter()
        .all(|part| part.contains('.') && !part.starts_with('-'));
    if parts.is_empty() || !files || good(case, run).any(|other| other.words != run.words) {
        return false;
    }
    let changed = |word: &str| {
        own_edits(case).any(|edit| {
            let name = edit.path.rsplit('/').next().unwrap_or("").to_lowercase();
            name.split(|c: char| !c.is_alphanumeric())
                .any(|part| part == word)
        })
    };
    let shown = |word: &str| {
        let step = case.step_at(run.place);
        step.is_none_or(|step| step.text.as_str().to_lowercase().contains(word))
    };
    let mut about = case.claim.about.iter().map(|word| word.to_lowercase());
    about.any(|word| {
        let within = parts.iter().any(|part| part.contains(&word));
        word.len() > 2 && changed(&word) && !within && !shown(&word)
    })
}

/// "`src/cart.test.ts` passes", "`src/cart.py` lints clean": every run that went well is of other
/// files. The tests of a source file lie in another one; what a linter is shown lies where it is.
fn another_file(case: &Case<'_>, run: &Run) -> bool {
    let bare = |part: &str| {
        part.trim_start_matches("./")
            .trim_end_matches(['/', '.'])
            .to_owned()
    };
    let covers = |run: &Run, file: &str| {
        let name = file.rsplit('/').next().unwrap_or(file);
        run.narrowed.is_empty()
            || run.narrowed.iter().any(|part| {
                let part = bare(part.split("::").next().unwrap_or(part));
                part.starts_with('-') || file.contains(&part) || part.contains(name)
            })
    };
    let paths = |run: &Run| run.narrowed.iter().all(|part| part.contains(['/', '.']));
    let looks = matches!(case.claim.kind, Kind::Lint | Kind::Format | Kind::Typecheck);
    let test = |file: &&&str| crate::rule::claim::judge::outcome::is_test(file);
    // A short name may be told of a file whose whole path a change spells.
    let spelled = |file: &str| {
        let edits = case.ledger.edits_of(file).take(SPELLED);
        let own = edits.map(|edit| edit.path.clone());
        own.chain([file.to_owned()]).collect::<Vec<String>>()
    };
    let shown = |run: &Run, file: &str| {
        let all = spelled(file);
        all.iter()
            .any(|path| covers(run, path) && lies_in(run, path))
    };
    let files = case.files();
    let of_runs =
        |file: &str, fits: &dyn Fn(&Run, &str) -> bool| good(case, run).any(|one| fits(one, file));
    paths(run)
        && if looks {
            files.iter().any(|file| !of_runs(file, &shown))
        } else {
            files
                .iter()
                .filter(test)
                .any(|file| !of_runs(file, &covers))
        }
}

/// Changes that the whole path of a file is taken from.
const SPELLED: usize = 4;

/// Whether a path lies in one of the folders that a command names, if it names any: `tests/` covers all
/// tests, and not `src/a.py`.
fn lies_in(run: &Run, path: &str) -> bool {
    let words = run.words.split(' ').skip(1);
    let mut folders = words
        .filter(|word| !word.starts_with('-'))
        .filter(|word| word.ends_with('/') || matches!(*word, "test" | "tests" | "spec"))
        .map(|word| word.trim_end_matches('/').rsplit('/').next().unwrap_or(""))
        .filter(|word| !word.is_empty() && *word != ".")
        .peekable();
    folders.peek().is_none() || folders.any(|folder| path.split('/').any(|part| part == folder))
}

/// "`web` tests pass": every run that went well was narrowed to packages of other names, and none of
/// them tells of this one.
fn another_filter(case: &Case<'_>, run: &Run) -> bool {
    const NOUNS: [&str; 8] = [
        "tests", "test", "suite", "specs", "build", "builds", "checks", "package",
    ];
    let text = case.text();
    let pieces: Vec<&str> = text.split('`').collect();
    let of_code = |at: usize| {
        let behind = pieces
            .get(at + 1)
            .and_then(|rest| rest.split_whitespace().next());
        let before = pieces[at - 1].split_whitespace().next_back();
        behind.is_some_and(|word| NOUNS.contains(&word))
            || before.is_some_and(|word| matches!(word, "of" | "for" | "in"))
    };
    let plain = |name: &str| {
        let own = |byte: u8| byte.is_ascii_alphanumeric() || b"@/_-".contains(&byte);
        name.len() > 1 && name.bytes().all(own)
    };
    let mut names = (1..pieces.len())
        .step_by(2)
        .filter(|at| plain(pieces[*at]) && of_code(*at))
        .map(|at| pieces[at]);
    // `crates/cli` is the package `cli`.
    let apart = |run: &Run, name: &str| {
        let name = name
            .trim_end_matches('/')
            .rsplit('/')
            .next()
            .unwrap_or(name);
        let packages = packages(&run.words);
        let step = case.step_at(run.place);
        !packages.is_empty()
            && !run.words.contains(name)
            && !run.dir.contains(name)
            && step.is_some_and(|step| !step.text.as_str().contains(name))
    };
    names.any(|name| good(case, run).all(|run| apart(run, name)))
}

/// The packages that the flags of a command narrow it to.
fn packages(words: &str) -> Vec<&str> {
    const FLAGS: [&str; 6] = ["-p", "--package", "--filter", "-F", "-w", "--workspace"];
    let mut words = words.split(' ');
    let mut out = Vec::new();
    while let Some(word) = words.next() {
        match word.split_once('=') {
            Some((flag, value)) if FLAGS.contains(&flag) => out.push(value),
            None if FLAGS.contains(&word) => out.extend(words.next()),
            _ => {}
        }
    }
    out
}

/// "All 20 Python tests pass": the run is another language's runner by its own name.
fn another_language(case: &Case<'_>, run: &Run) -> bool {
    const RUNNERS: [(&[&str], &[&str]); 5] = [
        (&["python"], &["pytest", "unittest", "py.test"]),
        (&["rust"], &["cargo"]),
        (&["go", "golang"], &["go"]),
        (
            &["javascript", "typescript", "js", "ts"],
            &["jest", "vitest", "mocha", "ava"],
        ),
        (&["ruby"], &["rspec", "minitest"]),
    ];
    let lower = case.text().to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let told = |languages: &[&str]| {
        words.windows(2).any(|pair| {
            languages.contains(&pair[0]) && (pair[1].starts_with("test") || pair[1] == "suite")
        })
    };
    let runs = |runners: &[&str]| {
        run.words
            .split([' ', '/'])
            .any(|word| runners.contains(&word))
    };
    let spoken = RUNNERS.iter().position(|(languages, _)| told(languages));
    let own = RUNNERS.iter().position(|(_, runners)| runs(runners));
    matches!((spoken, own), (Some(spoken), Some(own)) if spoken != own) && !run.delegated
}

/// What the run leaves out by its flags, of all that is told.
fn leaves_out(case: &Case<'_>, run: &Run, whole: bool) -> bool {
    const FLAGS: [&str; 4] = [
        "--ignore",
        "--deselect",
        "--exclude",
        "--testPathIgnorePatterns",
    ];
    let words = || run.words.split(' ');
    let sentence = case.sentence().to_lowercase();
    let short = words().any(|word| matches!(word, "-short" | "-test.short"));
    let long = ["long", "slow", "integration"]
        .iter()
        .any(|word| sentence.contains(word));
    if short && long && whole {
        return true;
    }
    let out = words().enumerate().find_map(|(at, word)| {
        let (flag, joined) = word.split_once('=').unwrap_or((word, ""));
        let value = || words().nth(at + 1).unwrap_or("");
        FLAGS
            .contains(&flag)
            .then(|| if joined.is_empty() { value() } else { joined })
    });
    let others = good(case, run).any(|other| other.words != run.words);
    let vendored = |out: &str| {
        ["node_modules", "vendor", "third_party", ".venv", "build"]
            .iter()
            .any(|name| out.contains(name))
    };
    let told = out.is_some_and(|out| {
        let last = out
            .trim_end_matches('/')
            .rsplit('/')
            .next()
            .unwrap_or(out)
            .to_lowercase();
        let except = [
            "except",
            "exclud",
            "without",
            "apart from",
            "other than",
            "ignor",
        ];
        except.iter().any(|word| sentence.contains(word)) || vendored(out) || last.is_empty()
    });
    whole && out.is_some() && !told && !others
}

/// "On Python 3.9, 3.11 and 3.12": no run names any of them.
fn versions(case: &Case<'_>, run: &Run) -> bool {
    let tail = tail(case);
    let text = case.text();
    let list = [text, tail].into_iter().find_map(|part| {
        let lower = part.to_lowercase();
        let at = [
            " on python ",
            " on node ",
            " on ruby ",
            " on php ",
            " on go ",
        ]
        .iter()
        .find_map(|head| lower.find(head))?;
        part.get(at..)
    });
    let Some(list) = list else {
        return false;
    };
    let numbers: Vec<&str> = list
        .split(|c: char| !(c.is_ascii_digit() || c == '.'))
        .map(|word| word.trim_matches('.'))
        .filter(|word| !word.is_empty())
        .collect();
    let named = |number: &&str| {
        let bare = number.replace('.', "");
        let stands = |text: &str| text.contains(*number) || bare.len() > 1 && text.contains(&bare);
        good(case, run).any(|one| {
            let step = case.step_at(one.place);
            stands(&one.words)
                || step.is_none_or(|step| stands(step.text.as_str()) || stands(&step.args))
        })
    };
    numbers.len() > 1 && !numbers.iter().any(named)
}
