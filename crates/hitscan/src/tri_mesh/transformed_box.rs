//! Boxes that a transform takes from a mesh's space into the world or back, and how far its rounding
//! may displace what is in them.

use crate::Aabb;
use crate::bvh::TraversalQuery;
use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::narrow_phase::contact::triangle_source::MovingBox;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use glam::{DAffine3, DMat3, DVec3};

/// Bound on the displacement by a transformation into a part's space, relative to the magnitudes involved,
/// as far as boxes in trees are concerned: they are widened by it, and so are the queries that
/// are brought to them.
///
/// It is no bound of all transforms. [`relative_error`] bounds how far each displaces; where that is more,
/// its inverse is not used (`InverseUse::Nothing`), and the tree's boxes are transformed instead.
pub(crate) const MARGIN: f64 = 1.0 / 1_048_576.0;

/// The bounds of all that `transform` makes of points between `min` and `max`, rounded as each point
/// is.
///
/// Products and sums are rounded monotonically, so a placed coordinate is smallest where each of the
/// point's coordinates is at the end that the sign of its factor chooses: the bounds have no slack.
pub(crate) fn placed_bounds(transform: &DAffine3, min: DVec3, max: DVec3) -> (DVec3, DVec3) {
    let (mut low, mut high) = (DVec3::ZERO, DVec3::ZERO);
    for axis in 0..3 {
        let factors = transform.matrix3.row(axis);
        let grows = factors.cmpge(DVec3::ZERO);
        let first = DVec3::select(grows, min, max);
        let last = DVec3::select(grows, max, min);
        low[axis] = transform.transform_point3(first)[axis];
        high[axis] = transform.transform_point3(last)[axis];
    }
    (low, high)
}

/// A box of a part's space that at every t holds the world's.
pub(crate) fn local_box(
    swept: &MovingBox,
    world_from_part: &DAffine3,
    part_from_world: &DAffine3,
) -> MovingBox {
    let MovingBox { min, max, motion } = *swept;
    let (low, high) = transformed_box(min, max, part_from_world);
    let stretch = magnitudes(&part_from_world.matrix3) * DVec3::ONE;
    let margin = stretch * (MARGIN * magnitude(swept, world_from_part));
    MovingBox {
        min: low - margin,
        max: high + margin,
        motion: part_from_world.transform_vector3(motion),
    }
}

/// A bound on the coordinates that a moving box and a transform's translation add up.
pub(super) fn magnitude(swept: &MovingBox, world_from_part: &DAffine3) -> f64 {
    let far = swept.min.abs().max(swept.max.abs()).max_element();
    far + max_abs(swept.motion) + max_abs(world_from_part.translation)
}

/// The ends of the box around what a transform makes of the box from `min` to `max`.
fn transformed_box(min: DVec3, max: DVec3, transform: &DAffine3) -> (DVec3, DVec3) {
    let matrix = &transform.matrix3;
    let (mut low, mut high) = (transform.translation, transform.translation);
    for (axis, (start, end)) in [
        (matrix.x_axis, (min.x, max.x)),
        (matrix.y_axis, (min.y, max.y)),
        (matrix.z_axis, (min.z, max.z)),
    ] {
        let (one, other) = (axis * start, axis * end);
        low += one.min(other);
        high += one.max(other);
    }
    (low, high)
}

/// A box around `part` where a transform takes it, widened by [`MARGIN`].
pub(crate) fn placed_box(part: &Aabb, world_from_part: &DAffine3) -> Option<Aabb> {
    let (min, max) = (part.min().as_dvec3(), part.max().as_dvec3());
    let ends = transformed_box(min, max, world_from_part);
    widened_box(ends, part, world_from_part)
}

/// The box between ends that were computed of boxes in `part`, widened by [`MARGIN`] and by what rounding
/// takes from it.
///
/// A coordinate is the sum of three products and a translation, in f64, which takes 4u of their magnitudes
/// from a corner, and from an end, by a middle and half edges which are rounded too, 6u.
/// Twice that covers the rounding of the bound itself, which is infinite or NaN where products overflow.
pub(super) fn widened_box(
    (min, max): (DVec3, DVec3),
    part: &Aabb,
    world_from_part: &DAffine3,
) -> Option<Aabb> {
    let extent = max_abs(min).max(max_abs(max)) + max_abs(world_from_part.translation);
    let margin = MARGIN * extent + 20.0 * UNIT_ROUNDOFF * max_abs_of(world_from_part, part);
    Aabb::around_f64([min - margin, max + margin])
}

/// A bound on the coordinates that the transform makes of those in a box, and on what it adds up for
/// them; infinite or NaN where that leaves f64's range.
pub(super) fn max_abs_of(transform: &DAffine3, bounds: &Aabb) -> f64 {
    let far = bounds.min().abs().max(bounds.max().abs()).as_dvec3();
    let size = magnitudes(&transform.matrix3) * far + transform.translation.abs();
    size.x + size.y + size.z
}

/// The query of a tree over placed boxes that a ray makes: widened by [`MARGIN`] of its origin, as far as
/// the ray may be displaced where a transform takes it to a part.
pub(crate) fn widened_query(ray: &LocalRay) -> TraversalQuery {
    let margin = MARGIN * max_abs(ray.origin);
    let corners = (ray.origin - margin, ray.origin + margin);
    TraversalQuery::moving_box(corners, ray.direction, (ray.t_min, ray.t_max))
}

/// The matrix of the components' magnitudes.
pub(crate) fn magnitudes(matrix: &DMat3) -> DMat3 {
    DMat3::from_cols(
        matrix.x_axis.abs(),
        matrix.y_axis.abs(),
        matrix.z_axis.abs(),
    )
}

/// The largest magnitude of a component.
pub(crate) fn max_abs(v: DVec3) -> f64 {
    v.abs().max_element()
}

/// Bound on the error of a point that is transformed there and back, relative to the magnitudes involved.
///
/// By the residual of the product, and by the rounding of two transforms: each component is a sum
/// of three products and a translation, below 8u of its terms' magnitudes, which the way back
/// multiplies by the magnitudes of its matrix. Four times the whole covers the box's own rounding
/// and that of the ray's way.
pub(crate) fn relative_error(outward: &DAffine3, inward: &DAffine3) -> f64 {
    let (forward, backward) = (outward.matrix3, inward.matrix3);
    let residual = forward * backward - DMat3::IDENTITY;
    let magnification = norm(&(magnitudes(&forward) * magnitudes(&backward)));
    4.0 * (norm(&residual) + 32.0 * UNIT_ROUNDOFF * (1.0 + magnification))
}

/// The square root of the sum of squares, no smaller than the largest stretch.
fn norm(matrix: &DMat3) -> f64 {
    matrix
        .to_cols_array()
        .iter()
        .map(|x| x * x)
        .sum::<f64>()
        .sqrt()
}
