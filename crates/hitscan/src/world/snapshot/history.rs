//! The recorded ticks of a world, so that its past can be queried.
//!
//! Each is a state of the world; what did not change between ticks is kept once.

use super::Snapshot;
use super::interpolated::Interpolated;
use super::state::State;
use super::tree_between::tree_between;
use crate::Error;
use crate::bvh::Bvh;
use crate::parallel::on_one_thread;
use core::ops::RangeInclusive;
use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};

/// The largest tick, up to which every whole f64 is a tick of its own.
const MAX_TICK: u64 = 1 << 53;

/// The last ticks of a world, in order.
#[derive(Debug, Clone, Default)]
pub(crate) struct History {
    capacity: usize,
    ticks: VecDeque<Tick>,
}

/// The world at one tick.
#[derive(Debug, Clone)]
struct Tick {
    number: u64,
    state: Arc<State>,
    /// The tree over what passes between this tick and the next, once it was queried. Copies of the history
    /// share it.
    tree_to_next: Arc<OnceLock<Arc<Bvh>>>,
}

impl Tick {
    /// The tree over what passes between this tick and the next.
    fn tree_to(&self, next: &Self) -> Arc<Bvh> {
        let tree = || on_one_thread(|| tree_between(&self.state, &next.state));
        Arc::clone(self.tree_to_next.get_or_init(tree))
    }
}

impl History {
    /// Keeps at most `ticks`, dropping the oldest.
    pub(crate) fn set_capacity(&mut self, ticks: usize) {
        self.capacity = ticks;
        self.drop_oldest();
    }

    /// # Errors
    /// [`Error::BadValue`] for a tick that is not later than the last, or beyond 2^53.
    pub(crate) fn record(&mut self, number: u64, state: &Arc<State>) -> Result<(), Error> {
        let is_later = self.ticks.back().is_none_or(|last| last.number < number);
        if !is_later || number > MAX_TICK {
            #[expect(clippy::cast_precision_loss, reason = "for a message")]
            let found = number as f64;
            return Err(Error::BadValue {
                what: "tick",
                expected: "later than the last one recorded, and at most 2^53",
                found,
            });
        }
        if self.capacity > 0 {
            self.ticks.push_back(Tick {
                number,
                state: Arc::clone(state),
                tree_to_next: Arc::default(),
            });
            self.drop_oldest();
        }
        Ok(())
    }

    /// The first and the last tick that are kept.
    pub(crate) fn range(&self) -> Option<RangeInclusive<u64>> {
        Some(self.ticks.front()?.number..=self.ticks.back()?.number)
    }

    /// Whether a time is not before the first nor after the last tick.
    pub(crate) fn has(&self, time: f64) -> bool {
        self.range()
            .is_some_and(|ticks| (as_time(*ticks.start())..=as_time(*ticks.end())).contains(&time))
    }

    /// The world at a tick, or between two.
    pub(crate) fn at(&self, time: f64) -> Option<Snapshot> {
        let is_not_later = |tick: &Tick| as_time(tick.number) <= time;
        let place = self.ticks.partition_point(is_not_later).checked_sub(1)?;
        let earlier = &self.ticks[place];
        let begin = as_time(earlier.number);
        if begin == time {
            return Some(Snapshot::whole(Arc::clone(&earlier.state)));
        }
        let later = self.ticks.get(place + 1)?;
        let alpha = (time - begin) / (as_time(later.number) - begin);
        let tree = earlier.tree_to(later);
        let states = (Arc::clone(&earlier.state), Arc::clone(&later.state));
        let between = Interpolated::new(states, tree, alpha);
        Some(Snapshot::interpolated(between))
    }

    /// Visits the states, the oldest first.
    pub(crate) fn states(&self) -> impl Iterator<Item = &State> {
        self.ticks.iter().map(|tick| tick.state.as_ref())
    }

    /// The bytes of the trees between ticks.
    pub(crate) fn trees_between_bytes(&self) -> usize {
        let trees = self.ticks.iter().filter_map(|tick| tick.tree_to_next.get());
        trees.map(|tree| tree.memory_bytes()).sum()
    }

    fn drop_oldest(&mut self) {
        while self.ticks.len() > self.capacity {
            self.ticks.pop_front();
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "ticks are at most 2^53, which f64 holds"
)]
fn as_time(tick: u64) -> f64 {
    tick as f64
}
