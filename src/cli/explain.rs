//! `deedcheck explain` and `deedcheck rules`.

use std::io::Write;

use super::args::{Explain, command};
use super::{Exit, RunError, Surroundings};
use crate::capture;
use crate::control;
use crate::oracle::{KINDS, KindInfo, grammar};
use crate::report::{Style, because, wrapped};
use crate::rule::registry::{FAMILY_PAGES, RULES};
use crate::{differential, page, spec};

/// The page of refusals: a section for each code.
const CODES: &str = include_str!("codes.md");

/// Pages that are no rule's and no kind's: the topic, the page, and what it is about.
const PAGES: [(&str, &str, &str); 7] = [
    (
        "spec",
        spec::PAGE,
        "frozen checks: how to write a spec and grade by it",
    ),
    (
        "controls",
        control::PAGE,
        "planted inputs that prove the rules",
    ),
    (
        "capture",
        capture::PAGE,
        "commands that are run in copies of an arm's tree",
    ),
    (
        "differential",
        differential::PAGE,
        "another checker asked the same cases",
    ),
    (
        "check-html",
        page::PAGE,
        "what is checked before a page is published",
    ),
    (
        grammar::GRAMMAR,
        grammar::PAGE,
        "the grammar that answers are read with",
    ),
    ("refusals", CODES, "what each refusal means, by its code"),
];

pub(super) fn run(
    args: &Explain,
    around: &Surroundings,
    out: &mut dyn Write,
) -> Result<Exit, RunError> {
    let Some(topic) = args.topic.as_deref() else {
        return topics(around, out);
    };
    let rule = RULES.iter().find(|rule| rule.id == topic);
    let family = FAMILY_PAGES.iter().find(|(family, _)| *family == topic);
    let page = rule.map(|rule| rule.page).or(family.map(|(_, page)| *page));
    let own = PAGES.iter().find(|(own, ..)| *own == topic);
    let kind = KINDS.iter().find(|kind| kind.id == topic);
    if let Some(page) = page.or(own.map(|(_, page, _)| *page)) {
        out.write_all(page.as_bytes())?;
    } else if let Some(kind) = kind {
        self::kind(kind, out)?;
    } else if let Some(help) = help_of(topic, around) {
        out.write_all(help.as_bytes())?;
    } else if let Some(section) = section(topic) {
        out.write_all(section.as_bytes())?;
    } else if !mentioned(topic, out)? {
        return Err(RunError::Argument {
            field: "<TOPIC>",
            kind: "unknown-value",
        });
    }
    out.flush()?;
    Ok(Exit::Done)
}

/// The section of a refusal's code.
fn section(code: &str) -> Option<String> {
    let mut sections = CODES.split("\n## ").skip(1);
    let own = sections.find(|own| own.lines().next() == Some(code))?;
    Some(format!("# {}\n", own.trim_end()))
}

/// What a reason of a frozen check means, and what the pages say of it: every page that has it among its reasons or in its text, with the lines that hold it. It
/// tells whether there is any.
fn mentioned(word: &str, out: &mut dyn Write) -> Result<bool, RunError> {
    let quoted = format!("`{word}`");
    let meaning = because(word);
    if let Some(meaning) = meaning {
        writeln!(out, "{word} of a frozen check: {meaning}.")?;
    }
    let mut any = meaning.is_some();
    let mut told = |page: &str, topic: &str, lead: Option<String>, out: &mut dyn Write| {
        let lines: Vec<&str> = page.lines().filter(|line| line.contains(&quoted)).collect();
        if lines.is_empty() && lead.is_none() {
            return Ok(());
        }
        let gap = if any { "\n" } else { "" };
        any = true;
        writeln!(out, "{gap}{topic} (deedcheck explain {topic})")?;
        for line in lead.iter().map(String::as_str).chain(lines) {
            writeln!(out, "  {}", line.trim())?;
        }
        Ok::<(), RunError>(())
    };
    for kind in KINDS {
        let lead = if kind.failing.contains(&word) {
            Some(format!(
                "{} A check of this kind fails with it.",
                kind.question
            ))
        } else if kind.unknown.contains(&word) {
            Some(format!("{} With it that is unknown.", kind.question))
        } else {
            None
        };
        told(kind.page, kind.id, lead, out)?;
    }
    for rule in RULES {
        told(rule.page, rule.id, None, out)?;
    }
    for (topic, page) in FAMILY_PAGES {
        told(page, topic, None, out)?;
    }
    for (topic, page, _) in PAGES {
        told(page, topic, None, out)?;
    }
    Ok(any)
}

/// Everything that can be explained, by what it is.
fn topics(around: &Surroundings, out: &mut dyn Write) -> Result<Exit, RunError> {
    let style = Style::of(around.columns, around.colour);
    writeln!(out, "{}", style.bold("deedcheck explain TOPIC"))?;
    for (topic, _, about) in PAGES {
        writeln!(out, "  {topic:<12} {about}")?;
    }
    let command = command();
    let commands = command.get_subcommands().map(clap::Command::get_name);
    let lists = [
        (
            "families of rules",
            FAMILY_PAGES.iter().map(|(family, _)| *family).collect(),
        ),
        ("rules", RULES.iter().map(|rule| rule.id).collect()),
        ("check kinds", KINDS.iter().map(|kind| kind.id).collect()),
        ("commands", commands.collect::<Vec<_>>()),
    ];
    for (title, mut names) in lists {
        names.dedup();
        writeln!(out, "\n{}", style.dim(title))?;
        for line in wrapped(&names.join(", "), style.width - 2) {
            writeln!(out, "  {line}")?;
        }
    }
    for hint in [
        "A code of a refusal (E_SPEC) and a reason of a row (unparsed) are explained as well.",
        "deedcheck rules says what each rule asks; deedcheck schema what each file looks like.",
    ] {
        let lead = if hint.starts_with('A') { "\n" } else { "" };
        writeln!(out, "{lead}{}", style.dim(hint))?;
    }
    out.flush()?;
    Ok(Exit::Done)
}

/// The help of a command.
fn help_of(name: &str, around: &Surroundings) -> Option<String> {
    let style = Style::of(around.columns, around.colour);
    let mut command = command().term_width(style.width.min(100));
    command.build();
    let own = command.find_subcommand_mut(name)?;
    Some(own.render_help().to_string())
}

/// The page of a check kind, and what a spec has to know of it besides.
fn kind(kind: &KindInfo, out: &mut dyn Write) -> Result<(), RunError> {
    writeln!(out, "{}", kind.page.trim_end())?;
    writeln!(out, "\nFails with: {}.", kind.failing.join(", "))?;
    writeln!(out, "Unknown with: {}.", kind.unknown.join(", "))?;
    for reading in kind.readings {
        let values = reading.values.join(", ");
        writeln!(
            out,
            "Reading `{}` ({values}): {}",
            reading.id, reading.question
        )?;
    }
    Ok(())
}

pub(super) fn rules(around: &Surroundings, out: &mut dyn Write) -> Result<Exit, RunError> {
    let style = Style::of(around.columns, around.colour);
    let mut family = "";
    for rule in RULES {
        if rule.family != family {
            let lead = if family.is_empty() { "" } else { "\n" };
            family = rule.family;
            writeln!(out, "{lead}{}", style.dim(&format!("family {family}")))?;
        }
        let on = if rule.default { "on" } else { "off" };
        writeln!(out, "{}  {}", style.bold(rule.id), style.dim(on))?;
        for line in wrapped(rule.question, style.width - 4) {
            writeln!(out, "    {line}")?;
        }
        writeln!(out, "    {}", style.dim(&rule.verdicts.join(" · ")))?;
    }
    let title = "Check kinds of frozen specs; `deedcheck explain spec` says how to write one";
    writeln!(out, "\n{}", style.dim(title))?;
    for kind in KINDS {
        writeln!(out, "{}", style.bold(kind.id))?;
        for line in wrapped(kind.question, style.width - 4) {
            writeln!(out, "    {line}")?;
        }
    }
    let hint = "deedcheck explain RULE prints a rule's or a kind's page.";
    writeln!(out, "\n{}", style.dim(hint))?;
    out.flush()?;
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    /// What frozen grading can say by itself: the words that its sources hand to whatever makes a reason.
    fn of_grading() -> BTreeSet<String> {
        const MAKERS: [&str; 9] = [
            "Component::unknown(",
            "Outcome::unknown(",
            "Component::fail(",
            "Unresolved(",
            "Inadmissible(",
            "broken_off(",
            "without(",
            "doubt(",
            "Elsewhere(",
        ];
        let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/frozen");
        let files = walkdir::WalkDir::new(src).into_iter();
        let files = files.map(|file| file.unwrap().into_path());
        let mut all = BTreeSet::new();
        for file in files.filter(|file| file.extension().is_some_and(|own| own == "rs")) {
            let text = std::fs::read_to_string(&file).unwrap();
            for part in MAKERS.iter().flat_map(|maker| text.split(maker).skip(1)) {
                let quoted = part.trim_start().strip_prefix('"');
                let word = quoted.and_then(|rest| rest.split('"').next());
                all.extend(word.filter(|own| !own.is_empty()).map(str::to_owned));
            }
        }
        all
    }

    #[test]
    fn every_reason_of_a_kind_and_every_cause_of_an_attempt_is_explained() {
        let kinds = KINDS.iter();
        let kinds = kinds.flat_map(|kind| kind.failing.iter().chain(kind.unknown));
        let mut reasons: BTreeSet<String> = kinds.map(|own| (*own).to_owned()).collect();
        let mut paged = reasons.clone();
        let grading = of_grading();
        assert!(grading.len() > 25, "{grading:?}");
        assert!(grading.contains("usage-limit") && grading.contains("judge-quote"));
        reasons.extend(grading);
        // Those that are made otherwise.
        reasons.extend(
            [
                "attempt-class-unresolved",
                "attempt-unknown",
                "carrier-mismatch",
                "cut",
                "foreign-folder",
                "foreign-prompt",
                "input-hash",
                "judge-pending",
                "key-drift",
                "no-clean-verdict",
                "no-close",
                "not-inline",
                "pointer-outside-roots",
                "record-ends",
                "several-sessions",
                "transcript-changed",
                "transcript-missing",
                "tree-drift",
                "unclean-verdict",
                "unreadable",
                "wait-notice",
            ]
            .map(str::to_owned),
        );
        let unsaid: Vec<&String> = reasons
            .iter()
            .filter(|own| because(own).is_none())
            .collect();
        assert!(unsaid.is_empty(), "{unsaid:?}");
        // These speak of gates, specs and files.
        paged.extend(["too-few", "nothing-asked", "unknown-field", "not-given"].map(str::to_owned));
        for reason in paged {
            let mut out = Vec::new();
            assert!(mentioned(&reason, &mut out).unwrap(), "{reason}");
            let out = String::from_utf8(out).unwrap();
            let pages = out
                .lines()
                .filter(|line| line.contains("(deedcheck explain "));
            assert!(pages.count() > 0, "{reason}: {out}");
        }
        assert!(!mentioned("no-such-reason", &mut Vec::new()).unwrap());
    }
}
