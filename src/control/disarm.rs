//! One guard off at a time: exactly its own controls must land elsewhere.

use super::guards::Guard;
use super::model::Control;
use super::run::run;

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
    let own: Vec<Control> = controls
        .iter()
        .filter(|control| control.family == guard.family())
        .cloned()
        .collect();
    let before = run(&own, None);
    against(guard, &own, &before)
}

/// As [`disarm`], for each guard of the families that are given.
#[must_use]
pub fn disarm_all(guards: &[Guard], controls: &[Control]) -> Vec<Disarmed> {
    let mut all = Vec::with_capacity(guards.len());
    for family in super::FAMILIES {
        let own: Vec<Control> = controls
            .iter()
            .filter(|control| control.family == family)
            .cloned()
            .collect();
        let before = run(&own, None);
        let guards = guards.iter().filter(|guard| guard.family() == family);
        all.extend(guards.map(|guard| against(*guard, &own, &before)));
    }
    all
}

fn against(guard: Guard, own: &[Control], before: &[Option<super::run::Elsewhere>]) -> Disarmed {
    let after = run(own, Some(guard));
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
