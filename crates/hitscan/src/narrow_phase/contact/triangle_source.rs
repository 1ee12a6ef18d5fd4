//! The triangles of one object, as they are in the world, and searching them best first.

use crate::exact::adaptive::{Formula, Number, between, cross, dot, sign, vector};
use crate::narrow_phase::convex::{Convex, Outline};
use crate::narrow_phase::ray_cast::hit::{Side, TriangleId};
use core::cmp::Ordering;
use core::ops::ControlFlow;
use glam::DVec3;

/// A triangle of an object.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SourceTriangle {
    pub(crate) id: TriangleId,
    /// In the world.
    pub(crate) corners: [DVec3; 3],
    /// Whether its corners go clockwise seen from the front, as where a transform mirrors.
    pub(crate) is_mirrored: bool,
}

impl From<[DVec3; 3]> for SourceTriangle {
    /// A triangle that is an object by itself.
    fn from(corners: [DVec3; 3]) -> Self {
        Self {
            id: TriangleId {
                part: 0,
                triangle: 0,
            },
            corners,
            is_mirrored: false,
        }
    }
}

/// A visitor of triangles.
pub(crate) type VisitTriangle<'a> = &'a mut dyn FnMut(SourceTriangle) -> ControlFlow<()>;

/// An object made of triangles.
pub(crate) trait TriangleSource {
    /// Visits every triangle that touches the box from `min` to `max`, and perhaps others, in any
    /// order, until `visit` breaks.
    fn for_each_in(&self, min: DVec3, max: DVec3, visit: VisitTriangle<'_>) -> ControlFlow<()>;

    /// Visits every triangle that may touch `outline`, which is in the box from `min` to `max`, and perhaps
    /// others, in any order, until `visit` breaks.
    fn for_each_near(
        &self,
        _outline: &Outline,
        (min, max): (DVec3, DVec3),
        visit: VisitTriangle<'_>,
    ) -> ControlFlow<()> {
        self.for_each_in(min, max, visit)
    }

    /// Visits the triangles that `swept` may touch, those of the least lower bound first, until no
    /// other matters.
    fn best_first(&self, swept: &MovingBox, search: &mut dyn BestFirst);
}

/// A box that moves in a straight line while t goes from 0 to 1, for culling.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MovingBox {
    pub(crate) min: DVec3,
    pub(crate) max: DVec3,
    pub(crate) motion: DVec3,
}

/// A search for the triangle of the least key, an f64; of equal keys the lowest triangle index that counts.
pub(crate) trait BestFirst {
    /// No triangle inside the box from `min` to `max` has a lower key; `None` where none counts.
    fn lower_bound(&self, min: DVec3, max: DVec3) -> Option<f64>;

    /// The same bound or a lower one that is cheaper, where ties need not be resolved.
    fn quick_bound(&self, min: DVec3, max: DVec3) -> Option<f64> {
        self.lower_bound(min, max)
    }

    /// Whether triangles of keys not below `bound`, of part and index not below `id`, still matter.
    fn admits(&mut self, bound: f64, id: TriangleId) -> bool;

    /// The outline of what moves, where the key is the time at which it is touched: what it does not
    /// touch up to the limit does not matter.
    fn outline(&self) -> Option<&Outline> {
        None
    }

    /// The outline of what rests, where the key is the separation from it.
    fn resting(&self) -> Option<&Outline> {
        None
    }

    /// Whether a triangle is found with which others may tie.
    fn has_found(&self) -> bool {
        false
    }

    /// Whether no other triangle matters.
    fn is_done(&self) -> bool {
        false
    }

    /// What is touched after this t does not matter.
    fn time_limit(&self) -> f32;

    fn visit(&mut self, triangle: SourceTriangle);
}

impl SourceTriangle {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn convex(&self) -> Convex<'static> {
        Convex {
            is_mirrored: self.is_mirrored,
            ..Convex::triangle(self.corners)
        }
    }

    /// The side that faces what moves by `motion`; exact.
    pub(crate) fn side(&self, motion: DVec3) -> Side {
        let corners = self.corners;
        let order = sign(&AlongTriangleNormal { corners, motion });
        let front = if self.is_mirrored {
            Ordering::Greater
        } else {
            Ordering::Less
        };
        if order == front {
            Side::Front
        } else {
            Side::Back
        }
    }
}

/// A motion's product with a triangle's normal.
struct AlongTriangleNormal {
    corners: [DVec3; 3],
    motion: DVec3,
}

impl Formula for AlongTriangleNormal {
    fn value<N: Number>(&self) -> N {
        let [a, b, c] = self.corners;
        let normal: [N; 3] = cross(&between(a, b), &between(a, c));
        dot(&normal, &vector(self.motion))
    }
}
