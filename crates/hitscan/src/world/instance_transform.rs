//! The transform of an instanced part into the world, and how far its rounding may displace a ray.

use crate::model::is_well_conditioned_by;
use crate::shape::aabb::check_coordinates;
use crate::tri_mesh::relative_error;
pub(super) use crate::tri_mesh::{MARGIN, max_abs};
use crate::{Aabb, Error};
use glam::DAffine3;

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

/// Whether a box is within the range that shapes accept, as nothing is.
pub(super) fn is_in_range(bounds: Option<Aabb>) -> bool {
    bounds.is_none_or(|bounds| check_range(&bounds).is_ok())
}

pub(super) fn check_range(bounds: &Aabb) -> Result<(), Error> {
    check_coordinates("placed corner", &[bounds.min(), bounds.max()])
}
