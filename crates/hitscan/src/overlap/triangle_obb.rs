//! A triangle and a solid oriented box.

use super::orientation::flattening;
use super::{Overlap, OverlapKind};
use crate::Obb;
use crate::exact::adaptive::{Approx, Number, between, cross, decided, dot, vector};
use crate::exact::expansion::Expansion;
use crate::shape::box_hull::BoxHull;
use core::cmp::Ordering;
use glam::DVec3;

/// How a triangle overlaps the solid oriented box, or `None` where they are apart or the triangle
/// has no area.
///
/// A triangle in a face of the box touches it. There is no segment.
///
/// # Shape and units
/// Corners in metres, finite.
///
/// # Accuracy
/// Exact on the shape that [`Obb`] describes, see [the module](super#accuracy).
///
/// # Source
/// Akenine-Möller, "Fast 3D Triangle-Box Overlap Testing", Journal of Graphics Tools 6(1), 2001,
/// for the axes.
///
/// ```
/// use hitscan::Obb;
/// use hitscan::glam::{DQuat, DVec3};
/// use hitscan::overlap::{OverlapKind, triangle_obb};
/// let floor = [[-9.0, 0.0, -9.0], [0.0, 0.0, 9.0], [9.0, 0.0, -9.0]].map(DVec3::from);
/// let quarter = DQuat::from_xyzw(0.0, 1.0, 0.0, 1.0);
/// let crate_box = Obb::new([0.0, 1.0, 0.0], [1.0; 3], quarter)?;
/// assert_eq!(triangle_obb(&floor, &crate_box).unwrap().kind, OverlapKind::Touch);
/// # Ok::<(), hitscan::Error>(())
/// ```
#[must_use]
pub fn triangle_obb(triangle: &[DVec3; 3], obb: &Obb) -> Option<Overlap> {
    flattening(triangle)?;
    let hull = BoxHull::from(obb);
    let depth = decided(depth::<Approx>(triangle, &hull), || {
        depth::<Expansion>(triangle, &hull)
    });
    let kind = match depth {
        Ordering::Less => return None,
        Ordering::Equal => OverlapKind::Touch,
        Ordering::Greater if triangle.iter().all(|corner| hull.holds(*corner)) => {
            OverlapKind::Contains
        }
        Ordering::Greater => OverlapKind::Cross,
    };
    Some(Overlap::of_kind(kind))
}

/// Whether both overlap (`Greater`), touch or are apart on the axis on which they overlap least.
fn depth<N: Number>(triangle: &[DVec3; 3], hull: &BoxHull) -> Option<Ordering> {
    let [a, b, c] = *triangle;
    let edges: [[N; 3]; 3] = [between(a, b), between(b, c), between(c, a)];
    let mut least = depth_along(triangle, hull, &cross(&edges[0], &edges[1]))?;
    for own in 0..3 {
        least = least.min(depth_along(triangle, hull, &hull.normal::<N>(own))?);
    }
    for edge in &edges {
        for direction in hull.directions {
            let axis = cross(edge, &vector(direction));
            let mut is_axis = false;
            for component in &axis {
                is_axis |= component.known_sign()?.is_ne();
            }
            // The product of parallel directions is no axis.
            if is_axis {
                least = least.min(depth_along(triangle, hull, &axis)?);
            }
        }
    }
    Some(least)
}

fn depth_along<N: Number>(
    triangle: &[DVec3; 3],
    hull: &BoxHull,
    axis: &[N; 3],
) -> Option<Ordering> {
    // The box reaches from -reach to reach, seen from its middle and doubled.
    let reach = hull.reach(axis);
    let (mut above, mut below) = (Ordering::Less, Ordering::Less);
    for corner in triangle {
        let way = dot(axis, &hull.twice_from(*corner));
        above = above.max(reach.minus(&way).known_sign()?);
        below = below.max(reach.plus(&way).known_sign()?);
    }
    Some(above.min(below))
}
