//! Timing of a question, reported after its answer.

use super::query::{Query, What};
use hitscan::Snapshot;
use hitscan::explain::Question;
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};

/// So often a question is answered,
const REPEATS: usize = 101;
/// unless it takes longer than this, all repeats together.
const MOST_NS: u64 = 200_000_000;

/// A question whose answer is to be timed.
#[derive(Debug)]
pub(in crate::viewer) struct Timing {
    query: Query,
    world: Snapshot,
}

impl Timing {
    /// `None` for contacts, of which there may be very many.
    pub(super) fn new(query: Query, world: &Snapshot) -> Option<Self> {
        let is_timed = !matches!(query.what, What::Question(Question::Contacts { .. }));
        is_timed.then(|| Self {
            query,
            world: world.clone(),
        })
    }

    /// The median time of an answer, nanoseconds: of 101 repeats, of fewer where they take long or nobody waits any more. `clock`
    /// returns nanoseconds.
    pub(super) fn median_ns(&self, clock: &dyn Fn() -> u64, cancel: &AtomicBool) -> u64 {
        let begin = clock();
        let mut times = Vec::with_capacity(REPEATS);
        while times.len() < REPEATS {
            let before = clock();
            black_box(black_box(&self.query).answer(&self.world, None));
            let after = clock();
            times.push(after.saturating_sub(before));
            if after.saturating_sub(begin) > MOST_NS || cancel.load(Ordering::Relaxed) {
                break;
            }
        }
        times.sort_unstable();
        times[times.len() / 2]
    }
}
