//! The answer: when and how a moving shape first hits something, and which of two hits is first.

use crate::ObjectId;
use crate::ray_cast::hit::TriangleId;
use glam::{DVec3, Vec3};

/// Whether the moving shape and the obstacle overlap at t = 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StartState {
    /// They are apart or only touch, and hit on the way.
    Separate,
    /// The moving shape's interior overlaps the obstacle already.
    Overlap,
}

/// The first hit of a moving shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShapeHit {
    /// When they hit, from 0 to 1: the exact time rounded once to the nearest f32; never -0.
    pub t: f32,
    /// The obstacle's unit normal there, against the motion; zero for [`StartState::Overlap`].
    pub normal: Vec3,
    /// Whether the two overlap at the start.
    pub start: StartState,
    /// The object that is hit; `None` where a shape is queried by itself.
    pub object: Option<ObjectId>,
    /// The triangle that is hit; `None` for primitives.
    pub triangle: Option<TriangleId>,
}

impl ShapeHit {
    /// The answer for a shape that overlaps the obstacle at the start.
    pub(crate) const OVERLAP: Self = Self {
        t: 0.0,
        normal: Vec3::ZERO,
        start: StartState::Overlap,
        object: None,
        triangle: None,
    };

    /// The hit at `t` with the normal along `direction`, which must not vanish.
    pub(super) fn at(t: f32, direction: DVec3) -> Self {
        // Scaling first keeps the squares of tiny and huge components inside f64. Adding zero
        // turns -0 into +0.
        let scaled = direction / direction.abs().max_element();
        let normal = scaled / scaled.length_squared().sqrt() + DVec3::ZERO;
        Self {
            t,
            normal: normal.as_vec3() + Vec3::ZERO,
            start: StartState::Separate,
            ..Self::OVERLAP
        }
    }

    /// What decides between this and another hit on the same object, before the triangle does.
    pub(crate) fn order(&self) -> HitOrder {
        HitOrder::new(self.t, self.start)
    }

    /// The same hit, on this triangle of part 0.
    pub(crate) fn on(self, triangle: u32) -> Self {
        Self {
            triangle: Some(TriangleId { part: 0, triangle }),
            ..self
        }
    }

    /// The same hit, its triangle being one of this part.
    pub(crate) fn of_part(self, part: u32) -> Self {
        let triangle = self.triangle.map(|id| TriangleId { part, ..id });
        Self { triangle, ..self }
    }
}

/// The order of hits on one object: by the reported t; at t = 0 an overlap comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct HitOrder(u32);

impl HitOrder {
    /// An overlap at the start, which comes before every other hit.
    pub(crate) const OVERLAP: Self = Self(0);

    /// After every hit.
    pub(crate) const END: Self = Self(u32::MAX);

    /// `t` lies between 0 and 1, where the bits of f32 are in the order of the numbers, and the
    /// highest two bits are zero.
    pub(crate) fn new(t: f32, start: StartState) -> Self {
        Self(t.to_bits() << 1 | u32::from(start == StartState::Separate))
    }

    /// Before every hit at `t`, or, where hits at `t` still matter, after all of them.
    pub(crate) fn of_t(t: f32, includes_t: bool) -> Self {
        if includes_t {
            Self::new(t, StartState::Separate).next()
        } else {
            Self::new(t, StartState::Overlap)
        }
    }

    /// Comes directly after this.
    pub(crate) fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// The reported t; 1 for [`HitOrder::END`].
    pub(crate) fn t(self) -> f32 {
        f32::from_bits(self.0 >> 1).min(1.0)
    }
}

/// The order of hits on the triangles of one mesh: of equal [`HitOrder`] the lowest triangle first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct HitRank(u64);

impl HitRank {
    /// A hit on `triangle`, or the least rank of hits on triangles from that one on.
    pub(crate) fn new(order: HitOrder, triangle: u32) -> Self {
        Self(u64::from(order.0) << 32 | u64::from(triangle))
    }

    pub(crate) fn order(self) -> HitOrder {
        HitOrder((self.0 >> 32) as u32)
    }
}
