//! When and how a moving box first hits one obstacle, and which of two such hits is first.

use glam::{DVec3, Vec3};

/// Whether two moving boxes overlap at t = 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ImpactStart {
    /// They are apart or only touch, and hit on the way.
    Separate,
    /// They overlap already.
    Overlap,
}

/// The first hit of a moving box with one obstacle.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairHit {
    /// When they hit, from 0 to 1: the exact time rounded once to the nearest f32; never -0.
    pub t: f32,
    /// The obstacle's unit normal there, against the motion; zero for [`ImpactStart::Overlap`].
    pub normal: Vec3,
    /// Whether the two overlap at the start.
    pub start: ImpactStart,
}

impl PairHit {
    /// The answer for a shape that overlaps the obstacle at the start.
    pub(crate) const OVERLAP: Self = Self {
        t: 0.0,
        normal: Vec3::ZERO,
        start: ImpactStart::Overlap,
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
            start: ImpactStart::Separate,
        }
    }

    /// What decides between this and another hit, before the triangle does.
    pub(crate) fn order(&self) -> HitOrder {
        HitOrder::new(self.t, self.start)
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
    pub(crate) fn new(t: f32, start: ImpactStart) -> Self {
        Self(t.to_bits() << 1 | u32::from(start == ImpactStart::Separate))
    }

    /// Before every hit at `t`, or, where hits at `t` still matter, after all of them.
    pub(crate) fn of_t(t: f32, includes_t: bool) -> Self {
        if includes_t {
            Self::new(t, ImpactStart::Separate).next()
        } else {
            Self::new(t, ImpactStart::Overlap)
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
