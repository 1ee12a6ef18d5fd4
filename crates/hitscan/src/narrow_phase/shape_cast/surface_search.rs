//! A moving shape against the triangles of one object.
//!
//! Of several overlaps at the start the lowest triangle index counts. Else the contact of the least exact time
//! does, rounded down to f64; of equal ones first those whose feature is active
//! (`contact/internal_edges/`), then the lowest triangle index. Times are compared by their enclosures, and rounded
//! exactly only where those overlap; neighbours are looked for only where times tie.
//!
//! Sides are tested after suppression. So where only one side counts, a suppressed contact answers only if
//! all of its time are suppressed, whatever their sides; else later times are searched.

use super::ShapeHit;
use super::best_contact::Best;
use super::initial_overlaps::InitialOverlaps;
use super::lower_bound::{OVERLAP, ROUNDING};
use super::prepared::{Encounter, PreparedCast};
use crate::exact::expansion::nearest_f32;
use crate::narrow_phase::contact::query::ContactQuery;
use crate::narrow_phase::contact::triangle_source::{BestFirst, SourceTriangle, TriangleSource};
use crate::narrow_phase::convex::Outline;
use crate::narrow_phase::ray_cast::hit::TriangleId;
use glam::DVec3;

/// The first triangle that is hit, and how.
#[derive(Debug)]
pub(crate) struct FirstTriangle {
    pub(crate) triangle: SourceTriangle,
    pub(crate) encounter: Encounter,
}

impl PreparedCast<'_> {
    /// The first triangle of an object that is hit, if it is not after `limit`, in f64.
    pub(crate) fn first_triangle(
        &self,
        source: &dyn TriangleSource,
        limit: f64,
    ) -> Option<FirstTriangle> {
        if self.is_empty {
            return None;
        }
        let mut search = Search::new(self, source, limit);
        loop {
            source.best_first(&self.swept(), &mut search);
            let mut best = search.best.take()?;
            if search.remains(&mut best) {
                return Some(FirstTriangle {
                    triangle: best.triangle,
                    encounter: best.encounter,
                });
            }
            search.after = best.floor();
        }
    }

    /// The first hit with an object's triangles, or `None`.
    pub(crate) fn first_hit(&self, source: &dyn TriangleSource) -> Option<ShapeHit> {
        let first = self.first_triangle(source, 1.0)?;
        Some(self.surface_answer(source, &first))
    }

    /// The whole answer for the first triangle of an object.
    pub(crate) fn surface_answer(
        &self,
        source: &dyn TriangleSource,
        first: &FirstTriangle,
    ) -> ShapeHit {
        self.triangle_answer(&first.triangle, &first.encounter, || {
            let deepest = ContactQuery::new(self.shape, 0.0).least(source)?;
            Some((deepest.separation, deepest.normal))
        })
    }

    /// Whether any triangle of an object is hit.
    pub(crate) fn meets_any(&self, source: &dyn TriangleSource) -> bool {
        if self.is_empty {
            return false;
        }
        let mut search = Search::new(self, source, 1.0);
        search.stops_at_any = true;
        source.best_first(&self.swept(), &mut search);
        let Some(mut any) = search.best.take() else {
            return false;
        };
        // What remains at its time is a hit, be it this contact or another one.
        search.remains(&mut any) || self.first_triangle(source, 1.0).is_some()
    }
}

struct Search<'a> {
    cast: &'a PreparedCast<'a>,
    source: &'a dyn TriangleSource,
    initial_overlaps: InitialOverlaps,
    /// Later hits do not matter.
    limit: f64,
    /// Nor do hits at this time, rounded down, or before.
    after: f64,
    stops_at_any: bool,
    best: Option<Best>,
}

impl<'a> Search<'a> {
    fn new(cast: &'a PreparedCast<'a>, source: &'a dyn TriangleSource, limit: f64) -> Self {
        Self {
            cast,
            source,
            initial_overlaps: InitialOverlaps::default(),
            limit,
            after: f64::NEG_INFINITY,
            stops_at_any: false,
            best: None,
        }
    }

    /// Whether a contact of an admitted side remains after suppression: it is not suppressed, or all of its
    /// time are.
    fn remains(&mut self, met: &mut Best) -> bool {
        let (cast, source) = (self.cast, self.source);
        if cast.admits_all() || !met.is_suppressed(cast, source) {
            return true;
        }
        let mut same_time = SameTime {
            cast,
            source,
            initial_overlaps: &mut self.initial_overlaps,
            floor: met.floor(),
            is_found: false,
        };
        source.best_first(&cast.swept(), &mut same_time);
        !same_time.is_found
    }

    /// Whether an encounter is after the times that do not matter.
    fn is_after(&self, new: &mut Best) -> bool {
        new.key[0] > self.after || new.key[1] > self.after && new.floor() > self.after
    }

    /// Whether a new encounter goes before the best one.
    fn is_better(&mut self, new: &mut Best) -> bool {
        let Some(best) = &mut self.best else {
            return new.key[0] <= self.limit;
        };
        if new.key[0] > best.key[1] {
            return false;
        }
        if new.key[1] < best.key[0] {
            return true;
        }
        let is_lower = new.triangle.id < best.triangle.id;
        if new.is_simultaneous(best) {
            // With one time, normal and feature both are suppressed, or neither: neither has a corner
            // further along the normal.
            return is_lower;
        }
        let (key, best_key) = (new.floor(), best.floor());
        if key != best_key {
            return key < best_key;
        }
        let (cast, source) = (self.cast, self.source);
        if best.is_suppressed(cast, source) {
            is_lower || !new.is_suppressed(cast, source)
        } else {
            is_lower && !new.is_suppressed(cast, source)
        }
    }
}

impl BestFirst for Search<'_> {
    fn lower_bound(&self, min: DVec3, max: DVec3) -> Option<f64> {
        self.cast.earliest_floor(min, max)
    }

    fn quick_bound(&self, min: DVec3, max: DVec3) -> Option<f64> {
        let quick = self.cast.quick_bound(min, max)?;
        match &self.best {
            // What may tie with the best is decided exactly.
            Some(best)
                if quick == OVERLAP
                    || quick <= best.key[1] && quick >= best.key[0] * (1.0 - 4.0 * ROUNDING) =>
            {
                self.lower_bound(min, max)
            }
            _ => Some(quick),
        }
    }

    fn admits(&mut self, bound: f64, id: TriangleId) -> bool {
        let Some(best) = &mut self.best else {
            return bound <= self.limit;
        };
        if self.stops_at_any {
            return false;
        }
        if bound != best.key[0] && (bound < best.key[0] || bound > best.key[1]) {
            return bound < best.key[0];
        }
        let key = best.floor();
        bound < key
            || bound == key && (id < best.triangle.id || best.is_suppressed(self.cast, self.source))
    }

    fn outline(&self) -> Option<&Outline> {
        Some(self.cast.outline())
    }

    fn has_found(&self) -> bool {
        self.best.is_some()
    }

    fn is_done(&self) -> bool {
        self.stops_at_any && self.best.is_some()
    }

    fn time_limit(&self) -> f32 {
        let latest = self.best.as_ref().map_or(self.limit, |best| best.key[1]);
        nearest_f32(latest.clamp(0.0, 1.0))
    }

    fn visit(&mut self, triangle: SourceTriangle) {
        let cast = self.cast;
        if !cast.admits_all() && !cast.admits(triangle.side(cast.motion)) {
            return;
        }
        let latest = self.best.as_ref().map_or(self.limit, |best| best.key[1]);
        let Some(encounter) = cast.meet_triangle(&triangle, latest.clamp(0.0, 1.0)) else {
            return;
        };
        let mut new = Best::new(triangle, encounter);
        if self.is_after(&mut new)
            && self.is_better(&mut new)
            && !self
                .initial_overlaps
                .is_ignored(cast, self.source, &new.triangle, &new.encounter)
        {
            self.best = Some(new);
        }
    }
}

/// A search for a contact at one time that is not suppressed, of any side.
struct SameTime<'a> {
    cast: &'a PreparedCast<'a>,
    source: &'a dyn TriangleSource,
    initial_overlaps: &'a mut InitialOverlaps,
    /// The time, rounded down.
    floor: f64,
    is_found: bool,
}

impl BestFirst for SameTime<'_> {
    fn lower_bound(&self, min: DVec3, max: DVec3) -> Option<f64> {
        self.cast.earliest_floor(min, max)
    }

    fn admits(&mut self, bound: f64, _: TriangleId) -> bool {
        !self.is_found && bound <= self.floor
    }

    fn outline(&self) -> Option<&Outline> {
        Some(self.cast.outline())
    }

    fn is_done(&self) -> bool {
        self.is_found
    }

    fn time_limit(&self) -> f32 {
        nearest_f32(self.floor.next_up().min(1.0))
    }

    fn visit(&mut self, triangle: SourceTriangle) {
        let (cast, source) = (self.cast, self.source);
        let Some(encounter) = cast.meet_triangle_at(&triangle, self.floor) else {
            return;
        };
        let is_ignored = self
            .initial_overlaps
            .is_ignored(cast, source, &triangle, &encounter);
        self.is_found |= !is_ignored && !Best::new(triangle, encounter).is_suppressed(cast, source);
    }
}
