//! The transform of an instanced part into the world, and how far its rounding may displace a ray.

use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::model::is_well_conditioned_by;
use crate::shape::aabb::check_coordinates;
use crate::{Aabb, Error};
use glam::{DAffine3, DMat3, DVec3};

/// The share of the magnitudes involved by which a ray that is transformed into a part's space may be
/// displaced, as far as boxes in trees are concerned: they are widened by it.
///
/// Where a transform would displace rays by more, the part's corners are transformed instead.
pub(super) const MARGIN: f64 = 1.0 / 1_048_576.0;

/// The transform of an instance or one of its parts, shared by the instance's other poses.
#[derive(Debug)]
pub(super) struct InstanceTransform {
    pub(super) world_from_part: DAffine3,
    pub(super) part_from_world: DAffine3,
    /// See [`is_well_conditioned_by`].
    pub(super) is_well_conditioned: bool,
    /// Whether a transformed ray is displaced by no more than [`MARGIN`].
    pub(super) is_close: bool,
}

impl InstanceTransform {
    pub(super) const IDENTITY: Self = Self {
        world_from_part: DAffine3::IDENTITY,
        part_from_world: DAffine3::IDENTITY,
        is_well_conditioned: true,
        is_close: true,
    };

    /// # Errors
    /// [`Error::BadValue`] where the transform is singular or not finite.
    pub(super) fn new(world_from_part: DAffine3) -> Result<Self, Error> {
        let part_from_world = inverse(&world_from_part)?;
        Ok(Self {
            is_well_conditioned: is_well_conditioned_by(&world_from_part, &part_from_world.matrix3),
            is_close: relative_error(&world_from_part, &part_from_world) <= MARGIN,
            world_from_part,
            part_from_world,
        })
    }

    /// The transform of a part. Where it flattens the part, the part's corners are transformed instead.
    pub(super) fn of_part(world_from_part: DAffine3) -> Self {
        let flattened = |_| Self {
            world_from_part,
            part_from_world: DAffine3::IDENTITY,
            is_well_conditioned: false,
            is_close: false,
        };
        Self::new(world_from_part).unwrap_or_else(flattened)
    }

    pub(super) fn world_from_part(&self) -> &DAffine3 {
        &self.world_from_part
    }

    pub(super) fn is_well_conditioned(&self) -> bool {
        self.is_well_conditioned
    }
}

/// The inverse of a transform.
///
/// # Errors
/// [`Error::BadValue`] where there is none, or a number is not finite.
pub(super) fn inverse(transform: &DAffine3) -> Result<DAffine3, Error> {
    let inverse = transform.inverse();
    if transform.is_finite() && inverse.is_finite() {
        return Ok(inverse);
    }
    let (what, expected) = ("determinant of a transform", "finite and not zero");
    Err(Error::BadValue {
        what,
        expected,
        found: transform.matrix3.determinant(),
    })
}

/// A box around `boxes` where a transform takes them, widened by [`MARGIN`].
pub(super) fn around(
    boxes: impl IntoIterator<Item = Aabb>,
    world_from_part: &DAffine3,
) -> Option<Aabb> {
    let ends = boxes.into_iter().map(|one| {
        let (min, max) = (one.min().as_dvec3(), one.max().as_dvec3());
        transformed_box(min, max, world_from_part)
    });
    let (min, max) = ends.reduce(|all, one| (all.0.min(one.0), all.1.max(one.1)))?;
    let extent = max_abs(min).max(max_abs(max)) + max_abs(world_from_part.translation);
    let margin = MARGIN * extent;
    Aabb::around_f64([min - margin, max + margin])
}

/// Whether a box is within the range that shapes accept, as nothing is.
pub(super) fn is_in_range(bounds: Option<Aabb>) -> bool {
    bounds.is_none_or(|bounds| check_range(&bounds).is_ok())
}

pub(super) fn check_range(bounds: &Aabb) -> Result<(), Error> {
    check_coordinates("placed corner", &[bounds.min(), bounds.max()])
}

/// The ends of the box around what a transform makes of the box from `min` to `max`.
pub(super) fn transformed_box(min: DVec3, max: DVec3, transform: &DAffine3) -> (DVec3, DVec3) {
    let matrix = &transform.matrix3;
    let (mut low, mut high) = (transform.translation, transform.translation);
    for (axis, (least, most)) in [
        (matrix.x_axis, (min.x, max.x)),
        (matrix.y_axis, (min.y, max.y)),
        (matrix.z_axis, (min.z, max.z)),
    ] {
        let (one, other) = (axis * least, axis * most);
        low += one.min(other);
        high += one.max(other);
    }
    (low, high)
}

/// How far a point that is transformed there and back may be off, as a share of the magnitudes involved.
///
/// By the residual of the product, and by the rounding of two transforms: each component is a sum
/// of three products and a translation, below 8u of its terms' magnitudes, which the way back
/// multiplies by the magnitudes of its matrix. Four times the whole covers the box's own rounding
/// and that of the ray's way.
fn relative_error(outward: &DAffine3, inward: &DAffine3) -> f64 {
    let (forward, backward) = (outward.matrix3, inward.matrix3);
    let residual = forward * backward - DMat3::IDENTITY;
    let magnification = norm(&(magnitudes(&forward) * magnitudes(&backward)));
    4.0 * (norm(&residual) + 32.0 * UNIT_ROUNDOFF * (1.0 + magnification))
}

/// The matrix of the components' magnitudes.
pub(super) fn magnitudes(matrix: &DMat3) -> DMat3 {
    DMat3::from_cols(
        matrix.x_axis.abs(),
        matrix.y_axis.abs(),
        matrix.z_axis.abs(),
    )
}

/// The square root of the sum of squares, no smaller than the greatest stretch.
fn norm(matrix: &DMat3) -> f64 {
    matrix
        .to_cols_array()
        .iter()
        .map(|x| x * x)
        .sum::<f64>()
        .sqrt()
}

/// The greatest magnitude of a component.
pub(super) fn max_abs(v: DVec3) -> f64 {
    v.abs().max_element()
}
