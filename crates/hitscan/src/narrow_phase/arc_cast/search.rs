//! The search for an arc's first hit: what was found, and up to which t more of it matters.

use super::arc::WideArc;
use crate::{BallisticArc, ObjectId, RayCastSettings, RayHit, Sides};
use core::ops::ControlFlow;

/// The search for an arc's hit: the arc, the settings, and the best hit so far.
#[derive(Debug)]
pub(crate) struct ArcSearch {
    pub(crate) arc: WideArc,
    pub(crate) settings: RayCastSettings,
    /// The object that is searched, where it is one of a world.
    pub(crate) object: Option<ObjectId>,
    /// Whether any hit is enough.
    is_any_enough: bool,
    /// Hits after this do not matter.
    limit: f64,
    best: Option<RayHit>,
}

impl ArcSearch {
    /// The search for the nearest hit: of equal reported t that of the lowest object, part and triangle index.
    pub(crate) fn nearest(arc: &BallisticArc, settings: RayCastSettings) -> Self {
        let arc = WideArc::from(arc);
        Self {
            arc,
            settings,
            object: None,
            is_any_enough: false,
            limit: arc.t_max,
            best: None,
        }
    }

    /// The search for any hit.
    pub(crate) fn any(arc: &BallisticArc, settings: RayCastSettings) -> Self {
        Self {
            is_any_enough: true,
            ..Self::nearest(arc, settings)
        }
    }

    /// A new search with the same arc and limit, for other sides.
    pub(crate) fn with_sides(&self, sides: Sides) -> Self {
        Self {
            arc: self.arc,
            settings: RayCastSettings::from(sides),
            object: self.object,
            is_any_enough: false,
            limit: self.limit,
            best: None,
        }
    }

    /// Hits after this do not matter.
    #[inline]
    pub(crate) fn limit(&self) -> f64 {
        self.limit
    }

    /// The t up to which the search continues, if it does.
    #[inline]
    pub(crate) fn flow(&self) -> ControlFlow<(), f64> {
        if self.is_any_enough && self.best.is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(self.limit)
        }
    }

    /// Considers a hit from a side that counts.
    pub(crate) fn consider(&mut self, hit: RayHit) {
        let object = self.object;
        let hit = RayHit { object, ..hit };
        let rank = |hit: &RayHit| (hit.object, hit.triangle);
        let is_kept = self
            .best
            .as_ref()
            .is_none_or(|best| hit.t < best.t || hit.t == best.t && rank(&hit) < rank(best));
        if is_kept {
            self.limit = self.arc.t_max.min(last_rounding_to(hit.t));
            self.best = Some(hit);
        }
    }

    pub(crate) fn into_best(self) -> Option<RayHit> {
        self.best
    }

    pub(crate) fn is_hit(&self) -> bool {
        self.best.is_some()
    }
}

/// The largest t whose nearest f32 is not above `t`: half way to the next f32.
fn last_rounding_to(t: f32) -> f64 {
    f64::midpoint(f64::from(t), f64::from(t.next_up()))
}
