//! One guard off at a time: exactly its own controls must land elsewhere.

use super::guards::Guard;
use super::model::Control;
use super::run::{Elsewhere, run_each};

/// What switching one guard off did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disarmed {
    /// The guard.
    pub guard: Guard,
    /// The controls that are listed for it.
    pub listed: Vec<String>,
    /// Those of them that landed elsewhere.
    pub flipped: Vec<String>,
    /// Those of them that landed all the same.
    pub missing: Vec<String>,
    /// Others that landed elsewhere.
    pub extra: Vec<String>,
}

impl Disarmed {
    /// Whether the guard has controls, and they and no others landed elsewhere.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        !self.listed.is_empty() && self.missing.is_empty() && self.extra.is_empty()
    }
}

/// Switches a guard off. A guard reaches the rules of its own family only, so that the controls of
/// others need not run. Controls that land elsewhere anyway are no part of the answer.
#[must_use]
pub fn disarm(guard: Guard, controls: &[Control]) -> Disarmed {
    let own: Vec<&Control> = controls.iter().filter(|one| guard.reaches(one)).collect();
    let before = run_each(&own, None);
    against(guard, &own, &before)
}

/// As [`disarm`], for each guard that is given.
#[must_use]
pub fn disarm_all(guards: &[Guard], controls: &[&Control]) -> Vec<Disarmed> {
    let reached = |one: &&Control| guards.iter().any(|guard| guard.reaches(one));
    let all: Vec<&Control> = controls.iter().copied().filter(reached).collect();
    let before = run_each(&all, None);
    let off = |guard: &Guard| {
        let own = all.iter().zip(&before);
        let own = own.filter(|(one, _)| guard.reaches(one));
        let (own, before): (Vec<&Control>, Vec<_>) =
            own.map(|(one, before)| (*one, before.clone())).unzip();
        against(*guard, &own, &before)
    };
    guards.iter().map(off).collect()
}

fn against(guard: Guard, own: &[&Control], before: &[Option<Elsewhere>]) -> Disarmed {
    let after = run_each(own, Some(guard));
    let mut said = Disarmed {
        guard,
        listed: Vec::new(),
        flipped: Vec::new(),
        missing: Vec::new(),
        extra: Vec::new(),
    };
    for ((control, before), after) in own.iter().zip(before).zip(after) {
        let listed = control.guards.contains(&guard);
        let flipped = before.is_none() && after.is_some();
        let lists = [
            (&mut said.listed, listed),
            (&mut said.flipped, listed && flipped),
            (&mut said.missing, listed && !flipped),
            (&mut said.extra, !listed && flipped),
        ];
        for (list, holds) in lists {
            if holds {
                list.push(control.id.clone());
            }
        }
    }
    said
}
