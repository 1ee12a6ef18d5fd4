//! An oriented box and another box.
//!
//! Fifteen separating axes; on each the projections of both boxes are compared exactly. With
//! spheres and capsules oriented boxes are in `solid_capsule.rs`.

use super::PrimitiveOverlap;
use crate::exact::adaptive::{Approx, Number, cross, decided, vector};
use crate::exact::expansion::Expansion;
use crate::shape::box_hull::BoxHull;
use crate::{Aabb, Obb};
use core::cmp::Ordering;

/// How two solid oriented boxes overlap, or `None` where they are apart.
///
/// They touch where they do not overlap on every axis that can part them; so two flat boxes of one
/// plane touch.
///
/// # Accuracy
/// Exact on the shape that [`Obb`] describes, see [the module](super#accuracy).
///
/// # Source
/// Gottschalk, Lin, Manocha, "OBBTree: A Hierarchical Structure for Rapid Interference Detection",
/// SIGGRAPH 1996, for the axes.
///
/// ```
/// use hitscan::Obb;
/// use hitscan::glam::DQuat;
/// use hitscan::overlap::{PrimitiveOverlap, obb_obb};
/// let quarter = DQuat::from_xyzw(0.0, 1.0, 0.0, 1.0);
/// let beam = Obb::new([0.0; 3], [4.0, 1.0, 1.0], DQuat::IDENTITY)?;
/// let across = Obb::new([0.0; 3], [4.0, 1.0, 1.0], quarter)?;
/// assert_eq!(obb_obb(&beam, &across), Some(PrimitiveOverlap::Cross));
/// # Ok::<(), hitscan::Error>(())
/// ```
#[must_use]
pub fn obb_obb(first: &Obb, second: &Obb) -> Option<PrimitiveOverlap> {
    hull_hull(&BoxHull::from(first), &BoxHull::from(second))
}

/// How a solid box (first) and a solid oriented box (second) overlap, or `None` where they are apart.
///
/// # Accuracy
/// Exact on the shape that [`Obb`] describes, see [the module](super#accuracy).
#[must_use]
pub fn aabb_obb(aabb: &Aabb, obb: &Obb) -> Option<PrimitiveOverlap> {
    hull_hull(&BoxHull::from(aabb), &BoxHull::from(obb))
}

fn hull_hull(first: &BoxHull, second: &BoxHull) -> Option<PrimitiveOverlap> {
    let holds = |a: &BoxHull, b: &BoxHull| b.corners.iter().all(|corner| a.holds(*corner));
    let depth = decided(depth::<Approx>(first, second), || {
        depth::<Expansion>(first, second)
    });
    Some(match depth {
        Ordering::Less => return None,
        Ordering::Equal => PrimitiveOverlap::Touch,
        Ordering::Greater if holds(first, second) => PrimitiveOverlap::FirstContains,
        Ordering::Greater if holds(second, first) => PrimitiveOverlap::SecondContains,
        Ordering::Greater => PrimitiveOverlap::Cross,
    })
}

/// Whether the boxes overlap (`Greater`), touch or are apart on the axis on which they overlap
/// least.
fn depth<N: Number>(first: &BoxHull, second: &BoxHull) -> Option<Ordering> {
    let mut least = Ordering::Greater;
    let mut classify = |axis: &[N; 3]| {
        let placement = first.placement(second, axis);
        let depth = placement.reach.minus(&placement.way.magnitude());
        least = least.min(depth.known_sign()?);
        Some(())
    };
    for own in 0..3 {
        classify(&first.normal(own))?;
        classify(&second.normal(own))?;
    }
    for a in first.directions {
        for b in second.directions {
            let axis: [N; 3] = cross(&vector(a), &vector(b));
            let mut is_axis = false;
            for component in &axis {
                is_axis |= component.known_sign()?.is_ne();
            }
            // The product of parallel directions is no axis.
            if is_axis {
                classify(&axis)?;
            }
        }
    }
    Some(least)
}
