//! The recorded ticks of a world by themselves.

use super::Snapshot;
use super::history::History;
use core::ops::RangeInclusive;

/// The ticks that a world kept when [`World::past`](crate::World::past) was called. As a [`Snapshot`] it is
/// a value: it does not change when the world goes on, and any thread may ask it.
///
/// ```
/// use hitscan::{Sphere, World};
/// let mut world = World::new();
/// world.keep_history(2);
/// world.add(Sphere::new([0.0; 3], 1.0)?);
/// world.update();
/// world.record(7)?;
/// let past = world.past();
/// world.record(8)?;
/// world.record(9)?;
/// assert_eq!((past.ticks(), world.history()), (Some(7..=7), Some(8..=9)));
/// assert!(past.at(7.0).is_some() && past.at(7.5).is_none());
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Past {
    history: History,
}

impl Past {
    pub(crate) fn new(history: &History) -> Self {
        Self {
            history: history.clone(),
        }
    }

    /// The first and the last tick; `None` where there is none.
    #[must_use]
    pub fn ticks(&self) -> Option<RangeInclusive<u64>> {
        self.history.range()
    }

    /// Whether [`Past::at`] answers this time.
    #[must_use]
    pub fn has(&self, time: f64) -> bool {
        self.history.has(time)
    }

    /// As [`World::at`](crate::World::at) answered then.
    #[must_use]
    pub fn at(&self, time: f64) -> Option<Snapshot> {
        self.history.at(time)
    }
}
