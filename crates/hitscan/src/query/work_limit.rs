//! Limits on the work of queries, and flags that end them.

use crate::narrow_phase::closest_point::Allowance;
use core::fmt;
use core::ops::ControlFlow;
use core::sync::atomic::{AtomicBool, AtomicI64, Ordering};

/// A limit on the work of queries that may look at all of a world, for queries of untrusted clients: so many
/// steps, unless a flag is set before.
///
/// A step is an object, a triangle or a node of a tree that the query looks at by itself. Where the limit
/// is reached the query ends soon, and its answer is what it found until then: the caller checks
/// [`WorkLimit::is_reached`] and discards it. It holds for shapes that rest and move, for overlaps of objects
/// and their distances, for closest points, for heights within a radius or under a footprint (a step is a
/// block of samples), for viewsheds (a step is a sample that is tested, once by the terrain and once by other
/// objects), and for explanations; other queries do not look at it. [`QueryFilter::work_limit`] sets it.
///
/// ```
/// use hitscan::height_field::Grid;
/// use hitscan::{Aabb, ContactsPer, HeightField, QueryFilter, WorkLimit, World};
/// use std::sync::atomic::{AtomicBool, Ordering};
///
/// let mut world = World::new();
/// world.add(HeightField::new(Grid::new(100, 100, [1.0; 2]), vec![0.0; 100 * 100])?);
/// world.update();
/// let everywhere = Aabb::new([0.0, -1.0, 0.0], [99.0, 1.0, 99.0])?;
/// let contacts = |limit: &WorkLimit| {
///     let filter = QueryFilter::new().work_limit(limit);
///     world.now().contacts(everywhere, 0.0, ContactsPer::Triangle, filter)
/// };
///
/// let cancel = AtomicBool::new(false);
/// let (enough, few) = (WorkLimit::new(1_000_000, &cancel), WorkLimit::new(1_000, &cancel));
/// let all = world.now().contacts(everywhere, 0.0, ContactsPer::Triangle, ());
/// assert_eq!(contacts(&enough), all);
/// assert!(all.len() > 19_000 && !enough.is_reached());
/// assert!(contacts(&few).len() <= 1_000);
/// assert!(few.is_reached());
/// cancel.store(true, Ordering::Relaxed);
/// assert!(contacts(&enough).is_empty() && enough.is_reached());
/// # Ok::<(), hitscan::Error>(())
/// ```
///
/// [`QueryFilter::work_limit`]: crate::QueryFilter::work_limit
pub struct WorkLimit<'a> {
    /// Less than 0 where a step was wanted and none was left.
    left: AtomicI64,
    cancel: &'a AtomicBool,
}

impl<'a> WorkLimit<'a> {
    /// So many steps, all queries with this limit together; none once `cancel` is set.
    #[must_use]
    pub fn new(steps: u64, cancel: &'a AtomicBool) -> Self {
        Self {
            left: AtomicI64::new(i64::try_from(steps).unwrap_or(i64::MAX)),
            cancel,
        }
    }

    /// How many steps are left.
    #[must_use]
    pub fn steps_left(&self) -> u64 {
        u64::try_from(self.left.load(Ordering::Relaxed)).unwrap_or(0)
    }

    /// Whether a query wanted more steps than there were, or the flag is set: the answer is then not whole.
    #[must_use]
    pub fn is_reached(&self) -> bool {
        self.left.load(Ordering::Relaxed) < 0 || self.cancel.load(Ordering::Relaxed)
    }

    /// Takes a step; breaks where there is none.
    #[inline]
    pub(crate) fn step(&self) -> ControlFlow<()> {
        self.take_steps(1)
    }

    /// Takes so many steps at once; breaks where there are not as many. For searches of others that are to
    /// keep within the same limit.
    ///
    /// ```
    /// use hitscan::WorkLimit;
    /// use std::sync::atomic::AtomicBool;
    /// let cancel = AtomicBool::new(false);
    /// let limit = WorkLimit::new(5, &cancel);
    /// assert!(limit.take_steps(3).is_continue() && limit.take_steps(2).is_continue());
    /// assert!(!limit.is_reached());
    /// assert!(limit.take_steps(1).is_break() && limit.is_reached());
    /// ```
    #[inline]
    pub fn take_steps(&self, steps: u32) -> ControlFlow<()> {
        let steps = i64::from(steps);
        if self.cancel.load(Ordering::Relaxed)
            || self.left.fetch_sub(steps, Ordering::Relaxed) < steps
        {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

impl Allowance for WorkLimit<'_> {
    fn take_triangle(&self) -> ControlFlow<()> {
        self.step()
    }
}

impl fmt::Debug for WorkLimit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorkLimit")
            .field("steps_left", &self.steps_left())
            .field("is_reached", &self.is_reached())
            .finish()
    }
}
