//! Counts of the pairs of eyes and targets by status, and by what blocks them.

use super::status;
use hitscan::ObjectId;
use hitscan_assets::Scene;
use hitscan_table::Summary;
use std::collections::BTreeMap;

/// Counts of the rows that are written.
#[derive(Default)]
pub(super) struct Counts {
    visible: u64,
    blocked: u64,
    pub(super) invalid: u64,
    blockers: BTreeMap<ObjectId, u64>,
}

impl Counts {
    /// Adds a valid pair; `blocker` is the object between the two, where it is named.
    pub(super) fn add(&mut self, is_visible: bool, blocker: Option<ObjectId>) {
        match is_visible {
            true => self.visible += 1,
            false => self.blocked += 1,
        }
        if let Some(blocker) = blocker {
            *self.blockers.entry(blocker).or_default() += 1;
        }
    }

    pub(super) fn into_summary(self, mut summary: Summary, scene: &Scene) -> Summary {
        let counts = [
            (status(true), self.visible),
            (status(false), self.blocked),
            ("invalid", self.invalid),
        ];
        summary.answers = counts.iter().map(|(_, count)| count).sum();
        let counts = counts.into_iter().filter(|(_, count)| *count > 0);
        summary.statuses = counts
            .map(|(word, count)| (word.to_owned(), count))
            .collect();
        for (object, count) in self.blockers {
            let name = scene.object_name(object).unwrap_or_default();
            summary.objects.insert(name.to_owned(), count);
        }
        summary
    }
}
