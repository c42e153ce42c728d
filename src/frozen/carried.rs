//! Which carrier an attempt has, and what it is asked with.

use super::attempt::Heard;
use super::carrier::{
    Carried, Child, Exec, Handed, Main, RunEnd, Spoken, Stream, StreamEnd, Teammate, ThreadCopies,
    Told, WorkflowRun,
};
use super::identity::IdentityRow;
use crate::record::{Elsewhere, HandedBack, Workflow};
use crate::transcript::Format;

impl Heard {
    /// What its carrier tells of an attempt.
    pub(super) fn carried(&self, row: &IdentityRow, spoken: &Spoken, told: &Told) -> Carried {
        let left = &self.left;
        if let Some(own) = &left.workflow {
            return workflow(own, spoken);
        }
        let through = row.through.as_ref();
        let thread = through.and_then(|through| through.thread.as_deref());
        if let (Some(thread), Some(copies)) = (thread, &left.copies) {
            let boundary = through.and_then(|through| through.boundary);
            let copies = ThreadCopies {
                thread,
                files: copies.iter().map(String::as_str).collect(),
                last_turn: boundary == Some("last-turn"),
                spoken,
            };
            return copies.carried();
        }
        match self.report.format {
            Format::CodexExec | Format::CodexExecOld => self.exec(spoken, told),
            Format::ClaudeStream | Format::ClaudeJson => {
                let end = left.printed.as_ref().map(|end| StreamEnd {
                    error: end.error,
                    text: &end.text,
                });
                Stream { spoken, end, told }.carried()
            }
            // A run that never printed anything left an empty file, of which no format can be told.
            Format::Unknown if row.actor == "codex-exec" && self.report.records == 0 => {
                self.exec(spoken, told)
            }
            _ => self.session(row.actor, spoken, told),
        }
    }

    fn exec(&self, spoken: &Spoken, told: &Told) -> Carried {
        // The first versions printed no id.
        let nameless = self.report.format == Format::CodexExecOld && self.report.records > 0;
        let exec = Exec {
            began: nameless || self.report.header.session.is_some(),
            spoken,
            told,
        };
        exec.carried()
    }

    fn session(&self, actor: &str, spoken: &Spoken, told: &Told) -> Carried {
        let left = &self.left;
        match actor {
            "subagent" => {
                let child = Child {
                    children: usize::try_from(left.children.unwrap_or(1)).unwrap_or(usize::MAX),
                    spoken,
                    handed: left.handed.as_ref().map(handed),
                    told,
                };
                child.carried()
            }
            "teammate" => {
                let mate = Teammate {
                    spoken: Some(spoken),
                    mapped: true,
                    told,
                };
                mate.carried()
            }
            _ => {
                let main = Main {
                    spoken,
                    printed: left.printed.as_ref().map(|own| own.text.as_str()),
                    told,
                };
                main.carried()
            }
        }
    }
}

fn handed(back: &HandedBack) -> Handed<'_> {
    match back {
        HandedBack::Missing => Handed::Missing,
        HandedBack::Launched => Handed::Launched,
        HandedBack::Report(text) => Handed::Report(text),
        HandedBack::Elsewhere(Elsewhere::OutsideRoots) => {
            Handed::Elsewhere("pointer-outside-roots")
        }
        HandedBack::Elsewhere(Elsewhere::Unreadable) => Handed::Elsewhere("pointer-unreadable"),
    }
}

fn workflow(left: &Workflow, spoken: &Spoken) -> Carried {
    let end = left.end.as_ref();
    let run = WorkflowRun {
        started: true,
        superseded: left.superseded,
        result: left.result.as_deref(),
        logged: left.logged.as_deref(),
        errors: left.errors.iter().map(String::as_str).collect(),
        end: end.map(|(status, error, capped)| RunEnd {
            status,
            error,
            capped: *capped,
        }),
        spoken,
    };
    run.carried()
}
