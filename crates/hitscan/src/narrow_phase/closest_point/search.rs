//! The state of a closest-triangle search: the nearest triangle found, and the distance beyond which
//! others are culled.

use super::ClosestPoint;
use super::distance::tie_limit;
use super::enclosure::enclosure;
use super::estimate::Estimate;
use super::nearest::Nearest;
use crate::exact::expansion::{UNIT_ROUNDOFF, nearest_f32};
use crate::narrow_phase::ray_cast::hit::MAX_HIT_COORDINATE;
use crate::narrow_phase::ray_cast::ray_triangle::normal;
use crate::shape::unit_vector::unit;
use crate::{Aabb, TriangleId};
use core::fmt;
use core::ops::ControlFlow;
use glam::{DVec3, Vec3};

/// What decides how many triangles a search may look at.
pub(crate) trait Allowance: fmt::Debug {
    /// Takes up one more triangle; breaks where none is allowed any more.
    fn take_triangle(&self) -> ControlFlow<()>;
}

/// A search for the triangle of the smallest reported distance, of equal ones the lowest.
#[derive(Debug)]
pub(crate) struct Search<'a> {
    point: DVec3,
    /// Triangles farther than this do not count.
    max_distance: f64,
    /// Triangles farther than this do not matter.
    limit: f64,
    allowance: Option<&'a dyn Allowance>,
    best: Option<Found>,
}

/// The nearest triangle of a search.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found {
    /// The exact distance rounded once.
    pub(crate) distance: f32,
    pub(crate) triangle: u32,
    corners: [DVec3; 3],
}

impl<'a> Search<'a> {
    /// A search up to `max_distance`, for which triangles farther than `limit` do not matter.
    pub(crate) fn new(point: DVec3, max_distance: f64, limit: f64) -> Self {
        Self {
            point,
            max_distance,
            limit: limit.min(max_distance),
            allowance: None,
            best: None,
        }
    }

    /// The same search among as many triangles as are allowed.
    pub(crate) fn within(self, allowance: Option<&'a dyn Allowance>) -> Self {
        Self { allowance, ..self }
    }

    pub(crate) fn point(&self) -> DVec3 {
        self.point
    }

    /// Triangles farther than this do not matter.
    #[inline]
    pub(crate) fn limit(&self) -> f64 {
        self.limit
    }

    /// Takes a triangle if it is nearer than the others.
    pub(crate) fn offer(&mut self, triangle: u32, corners: &[DVec3; 3]) {
        let allowance = self.allowance.map(Allowance::take_triangle);
        if allowance.is_some_and(|allowance| allowance.is_break()) {
            // Nothing is as near.
            self.limit = f64::NEG_INFINITY;
            return;
        }
        let Some((low, high)) = enclosure(self.point, corners) else {
            self.offer_exactly(triangle, corners);
            return;
        };
        let (min, max) = (nearest_f32(low), nearest_f32(high));
        if low > self.limit || !self.is_better(min, triangle) {
            return;
        }
        if min == max && high <= self.max_distance && max < f32::INFINITY {
            self.take(min, triangle, corners);
        } else {
            self.offer_exactly(triangle, corners);
        }
    }

    #[cold]
    #[inline(never)]
    fn offer_exactly(&mut self, triangle: u32, corners: &[DVec3; 3]) {
        let Some(nearest) = Nearest::of_triangle(self.point, *corners) else {
            return;
        };
        if nearest.compare(0.0, self.max_distance).is_gt() {
            return;
        }
        let distance = nearest.rounded(0.0);
        if self.is_better(distance, triangle) {
            self.take(distance, triangle, corners);
        }
    }

    fn is_better(&self, distance: f32, triangle: u32) -> bool {
        self.best.as_ref().is_none_or(|best| {
            distance < best.distance || (distance == best.distance && triangle < best.triangle)
        })
    }

    fn take(&mut self, distance: f32, triangle: u32, corners: &[DVec3; 3]) {
        self.limit = self.limit.min(tie_limit(distance));
        self.best = Some(Found {
            distance,
            triangle,
            corners: *corners,
        });
    }

    pub(crate) fn into_found(self) -> Option<Found> {
        self.best
    }
}

/// The part that a found triangle belongs to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PartInfo {
    pub(crate) part: u32,
    /// Whether the query point is strictly inside what the triangle bounds.
    pub(crate) is_inside: bool,
    /// Whether the triangle's front is that from which its corners run clockwise.
    pub(crate) is_mirrored: bool,
}

impl PartInfo {
    /// A triangle of a surface as it is given.
    pub(crate) const SURFACE: Self = Self {
        part: 0,
        is_inside: false,
        is_mirrored: false,
    };
}

impl Found {
    /// The nearest point where an estimate will not do. What was found has an area.
    #[cold]
    #[inline(never)]
    fn exactly(&self, point: DVec3) -> Estimate {
        let nearest = Nearest::of_triangle(point, self.corners);
        let nearest = nearest.unwrap_or_else(|| Nearest::of_point(point, self.corners[0]));
        Estimate {
            at: nearest.nearest_point(),
            direction: nearest.direction(),
            barycentrics: nearest.barycentrics(),
        }
    }

    /// The distance, negative if the query point is inside.
    pub(crate) fn signed(&self, is_inside: bool) -> f32 {
        if is_inside {
            0.0 - self.distance
        } else {
            self.distance
        }
    }

    pub(crate) fn answer(&self, point: DVec3, part_info: PartInfo) -> ClosestPoint {
        let PartInfo {
            part,
            is_inside,
            is_mirrored,
        } = part_info;
        let id = TriangleId {
            part,
            triangle: self.triangle,
        };
        let Estimate {
            at,
            direction,
            barycentrics,
        } = Estimate::new(point, &self.corners).unwrap_or_else(|| self.exactly(point));
        let mut outward = direction;
        if outward == DVec3::ZERO {
            let front = normal(&self.corners);
            outward = if is_mirrored { -front } else { front };
        } else if is_inside {
            outward = -outward;
        }
        ClosestPoint {
            distance: self.signed(is_inside),
            is_inside,
            point: rounded_point(at),
            normal: unit(outward),
            object: None,
            user_data: 0,
            triangle: Some(id),
            barycentrics: barycentrics.map(nearest_f32),
        }
    }
}

/// How far a search over parts goes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reach<'a> {
    /// What is farther than this does not count.
    pub(crate) max_distance: f64,
    /// What is farther than this does not matter.
    pub(crate) limit: f64,
    pub(crate) allowance: Option<&'a dyn Allowance>,
}

impl Reach<'static> {
    /// Over all triangles, however far.
    pub(crate) const ANYWHERE: Self = Self::up_to(f64::INFINITY);

    /// Up to a distance.
    pub(crate) const fn up_to(max_distance: f64) -> Self {
        Self {
            max_distance,
            limit: max_distance,
            allowance: None,
        }
    }
}

/// The smallest signed distance over the parts of an object.
#[derive(Debug)]
pub(crate) struct PartSearch<'a> {
    point: DVec3,
    max_distance: f64,
    /// What is farther than this does not matter.
    limit: f64,
    allowance: Option<&'a dyn Allowance>,
    best: Option<(f32, Found, PartInfo)>,
}

impl<'a> PartSearch<'a> {
    pub(crate) fn new(point: DVec3, reach: Reach<'a>) -> Self {
        Self {
            point,
            max_distance: reach.max_distance,
            limit: reach.limit,
            allowance: reach.allowance,
            best: None,
        }
    }

    /// Whether no triangle is allowed any more.
    pub(crate) fn is_over(&self) -> bool {
        self.limit == f64::NEG_INFINITY
    }

    /// Parts that the point is not inside and that are farther than this do not matter.
    pub(crate) fn limit(&self) -> f64 {
        match &self.best {
            None => self.limit,
            Some((distance, ..)) => self.limit.min(tie_limit(*distance)),
        }
    }

    /// Takes what `search_part` finds of a part, if it is nearer.
    pub(crate) fn offer(&mut self, part_info: PartInfo, search_part: impl FnOnce(&mut Search<'_>)) {
        let (max_distance, limit) = if part_info.is_inside {
            (f64::INFINITY, f64::INFINITY)
        } else {
            (self.max_distance, self.limit())
        };
        let mut search = Search::new(self.point, max_distance, limit).within(self.allowance);
        search_part(&mut search);
        if search.limit() == f64::NEG_INFINITY {
            self.limit = f64::NEG_INFINITY;
        }
        let Some(found) = search.into_found() else {
            return;
        };
        let distance = found.signed(part_info.is_inside);
        let is_better = self.best.as_ref().is_none_or(|(other, _, on)| {
            distance < *other || (distance == *other && part_info.part < on.part)
        });
        if is_better {
            self.best = Some((distance, found, part_info));
        }
    }

    /// The answer; `is_inside_all` where the parts together are a solid that the point is inside.
    pub(crate) fn into_answer(self, is_inside_all: bool) -> Option<ClosestPoint> {
        let (_, found, part_info) = self.best?;
        let is_inside = part_info.is_inside || is_inside_all;
        Some(found.answer(
            self.point,
            PartInfo {
                is_inside,
                ..part_info
            },
        ))
    }
}

/// No more than the distance of a point from a box.
pub(crate) fn box_distance(point: DVec3, bounds: &Aabb) -> f64 {
    corner_distance(point, bounds.min().as_dvec3(), bounds.max().as_dvec3())
}

/// No more than the distance of a point from the box between two corners.
pub(crate) fn corner_distance(point: DVec3, min: DVec3, max: DVec3) -> f64 {
    let away = (min - point).max(point - max).max(DVec3::ZERO);
    // Each operation errs by half an ulp.
    away.dot(away).sqrt() * (1.0 - 16.0 * UNIT_ROUNDOFF)
}

/// The nearest f32 to each coordinate, in its range.
pub(super) fn rounded_point(at: DVec3) -> Vec3 {
    let limit = DVec3::splat(MAX_HIT_COORDINATE);
    Vec3::from_array(at.clamp(-limit, limit).to_array().map(nearest_f32))
}
