//! Two solids: spheres and boxes, of which one may contain the other.

use super::OverlapKind;
use crate::exact::adaptive::{Formula, Number, sign};
use crate::{Aabb, Sphere};
use core::cmp::Ordering;
use glam::DVec3;

/// How two solids overlap, and which of them lies in the other.
///
/// ```
/// use hitscan::Aabb;
/// use hitscan::overlap::{OverlapKind, PrimitiveOverlap, aabb_aabb};
/// let hall = Aabb::new([0.0; 3], [9.0; 3])?;
/// let pillar = Aabb::new([1.0, 0.0, 1.0], [2.0, 9.0, 2.0])?;
/// let overlap = aabb_aabb(&pillar, &hall).unwrap();
/// assert_eq!(overlap, PrimitiveOverlap::SecondContains);
/// assert_eq!(overlap.kind(), OverlapKind::Contains);
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PrimitiveOverlap {
    /// Their interiors intersect, and neither lies in the other.
    Cross,
    /// Only their boundaries touch.
    Touch,
    /// The second lies in the first, boundary included; so it is for equal ones.
    FirstContains,
    /// The first lies in the second, boundary included.
    SecondContains,
}

impl PrimitiveOverlap {
    /// The kind without which one contains the other.
    #[must_use]
    pub fn kind(self) -> OverlapKind {
        match self {
            Self::Cross => OverlapKind::Cross,
            Self::Touch => OverlapKind::Touch,
            Self::FirstContains | Self::SecondContains => OverlapKind::Contains,
        }
    }
}

impl PrimitiveOverlap {
    /// The same overlap with first and second exchanged.
    #[must_use]
    pub fn exchanged(self) -> Self {
        match self {
            Self::FirstContains => Self::SecondContains,
            Self::SecondContains => Self::FirstContains,
            Self::Cross | Self::Touch => self,
        }
    }
}

/// How two solid boxes overlap, or `None` where they are apart.
///
/// They touch where they do not overlap as [`Aabb::overlaps`] says; so a flat box in another's
/// face touches it, and so do two flat boxes of one plane.
#[must_use]
pub fn aabb_aabb(first: &Aabb, second: &Aabb) -> Option<PrimitiveOverlap> {
    let holds = |a: &Aabb, b: &Aabb| a.contains(b.min()) && a.contains(b.max());
    if !first.touches(second) {
        None
    } else if !first.overlaps(second) {
        Some(PrimitiveOverlap::Touch)
    } else if holds(first, second) {
        Some(PrimitiveOverlap::FirstContains)
    } else if holds(second, first) {
        Some(PrimitiveOverlap::SecondContains)
    } else {
        Some(PrimitiveOverlap::Cross)
    }
}

/// How two solid spheres overlap, or `None` where they are apart.
///
/// A sphere that touches another from inside lies in it.
///
/// # Accuracy
/// Exact, see [the module](super#accuracy).
#[must_use]
pub fn sphere_sphere(first: &Sphere, second: &Sphere) -> Option<PrimitiveOverlap> {
    let centers = [first.center().as_dvec3(), second.center().as_dvec3()];
    let compared_with = |radii: [f64; 2]| sign(&CentersBeyond { centers, radii });
    match compared_with([first.radius(), second.radius()]) {
        Ordering::Greater => None,
        Ordering::Equal => Some(PrimitiveOverlap::Touch),
        Ordering::Less if compared_with([first.radius(), -second.radius()]).is_gt() => {
            Some(PrimitiveOverlap::Cross)
        }
        Ordering::Less if first.radius() >= second.radius() => {
            Some(PrimitiveOverlap::FirstContains)
        }
        Ordering::Less => Some(PrimitiveOverlap::SecondContains),
    }
}

/// The squared distance of two centres, less the squared sum of two radii.
struct CentersBeyond {
    centers: [DVec3; 2],
    radii: [f64; 2],
}

impl Formula for CentersBeyond {
    fn value<N: Number>(&self) -> N {
        let [a, b] = self.centers;
        let radius = N::difference(self.radii[0], -self.radii[1]);
        let limit = radius.times(&radius);
        squared_length([0, 1, 2].map(|axis| N::difference(b[axis], a[axis]))).minus(&limit)
    }
}

/// How a solid sphere (first) and a solid box (second) overlap, or `None` where they are apart.
///
/// # Accuracy
/// Exact, see [the module](super#accuracy).
#[must_use]
pub fn sphere_aabb(sphere: &Sphere, aabb: &Aabb) -> Option<PrimitiveOverlap> {
    let (center, radius) = (sphere.center().as_dvec3(), sphere.radius());
    let (min, max) = (aabb.min().as_dvec3(), aabb.max().as_dvec3());
    let beyond = |point: DVec3| {
        let centers = [center, point];
        let radii = [radius, 0.0];
        sign(&CentersBeyond { centers, radii })
    };
    match beyond(center.clamp(min, max)) {
        Ordering::Greater => return None,
        Ordering::Equal => return Some(PrimitiveOverlap::Touch),
        Ordering::Less => {}
    }
    let farthest = DVec3::from_array([0, 1, 2].map(|axis| {
        let is_max_farther = sign(&FromMiddle(center[axis], min[axis], max[axis])).is_lt();
        if is_max_farther { max[axis] } else { min[axis] }
    }));
    let ball_in_box = || {
        (0..3).all(|axis| {
            sign(&Room(center[axis], min[axis], radius)).is_ge()
                && sign(&Room(max[axis], center[axis], radius)).is_ge()
        })
    };
    Some(if beyond(farthest).is_le() {
        PrimitiveOverlap::FirstContains
    } else if ball_in_box() {
        PrimitiveOverlap::SecondContains
    } else {
        PrimitiveOverlap::Cross
    })
}

/// `2 * center - min - max`: less than zero in the lower half of the interval.
struct FromMiddle(f64, f64, f64);

impl Formula for FromMiddle {
    fn value<N: Number>(&self) -> N {
        N::difference(self.0, self.1).plus(&N::difference(self.0, self.2))
    }
}

/// `high - low - radius`.
struct Room(f64, f64, f64);

impl Formula for Room {
    fn value<N: Number>(&self) -> N {
        N::difference(self.0, self.1).minus(&N::from_f64(self.2))
    }
}

fn squared_length<N: Number>([x, y, z]: [N; 3]) -> N {
    x.times(&x).plus(&y.times(&y)).plus(&z.times(&z))
}
