//! Solids where a transform takes them, as the parts of a compound are.

use super::placing::{in_range, placed_point};
use crate::{Aabb, Capsule, ConvexHull, Cylinder, Error, Obb, Primitive, Sphere};
use glam::{DAffine3, DMat3, DQuat, DVec3};

/// How far from right angles a box's edges may be, by the cosine, to be those of a turned box: more than what
/// the roundings of a rotation leave.
const SHEAR: f64 = 1.0 / (1_u64 << 44) as f64;

impl Primitive {
    /// The solid where a transform takes it. Each corner, end and centre is taken into the world once, in f64; a
    /// radius is multiplied by the longest image of a unit axis. A box becomes the turned box of its corners, or
    /// where the transform shears it the convex hull of them.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::OutOfRange`] where that is not finite or beyond ±1e18,
    /// [`Error::BadValue`] for such a radius.
    pub(crate) fn placed(&self, world_from_own: &DAffine3) -> Result<Self, Error> {
        if *world_from_own == DAffine3::IDENTITY {
            return Ok(self.clone());
        }
        Ok(match self {
            Self::Sphere(sphere) => sphere.placed(world_from_own)?.into(),
            Self::Capsule(capsule) => capsule.placed(world_from_own)?.into(),
            Self::Cylinder(cylinder) => cylinder.placed(world_from_own)?.into(),
            Self::ConvexHull(hull) => hull.moved(world_from_own)?.into(),
            Self::Aabb(aabb) => {
                let (min, max) = (aabb.min().as_dvec3(), aabb.max().as_dvec3());
                let (middle, half) = ((min + max) * 0.5, (max - min) * 0.5);
                match placed_box(world_from_own, (middle, DMat3::IDENTITY, half))? {
                    Some(obb) => obb.into(),
                    None => hull_of_corners(aabb, world_from_own)?.into(),
                }
            }
            Self::Obb(obb) => {
                let (middle, axes) = (obb.middle(), DMat3::from_quat(obb.rotation()));
                let half = obb.half_size();
                match placed_box(world_from_own, (middle, axes, half.as_dvec3()))? {
                    Some(obb) => obb.into(),
                    None => {
                        let own = Aabb::from_ordered(-half, half);
                        let own_from_box =
                            DAffine3::from_rotation_translation(obb.rotation(), middle);
                        hull_of_corners(&own, &(*world_from_own * own_from_box))?.into()
                    }
                }
            }
        })
    }

    /// The solid as its constructors make it of its centre, ends and half sizes as f32, the nearest.
    pub(crate) fn as_f32(&self) -> Self {
        let rounded = match self {
            Self::Sphere(sphere) => Sphere::new(sphere.center(), sphere.radius()).map(Self::from),
            Self::Capsule(capsule) => {
                return Capsule::of_checked([capsule.a(), capsule.b()], capsule.radius()).into();
            }
            Self::Cylinder(cylinder) => {
                let (a, b) = (cylinder.a(), cylinder.b());
                Cylinder::new(a, b, cylinder.radius()).map(Self::from)
            }
            Self::Obb(obb) => {
                let (center, half_size, rotation) = (obb.center(), obb.half_size(), obb.rotation());
                Obb::read(center, half_size, rotation)
                    .or_else(|_| Obb::new(center, half_size, rotation))
                    .map(Self::from)
            }
            Self::Aabb(_) | Self::ConvexHull(_) => return self.clone(),
        };
        // Rounding takes nothing out of range; it may only make the ends of a cylinder one.
        rounded.unwrap_or_else(|_| self.clone())
    }
}

/// A box around `middle` with these axes and half sizes where a transform takes it; `None` where its edges are at
/// no right angles then, or where one of them has no direction.
fn placed_box(
    world_from_own: &DAffine3,
    (middle, axes, half): (DVec3, DMat3, DVec3),
) -> Result<Option<Obb>, Error> {
    let directions = world_from_own.matrix3 * axes;
    let lengths = DVec3::new(
        directions.x_axis.length(),
        directions.y_axis.length(),
        directions.z_axis.length(),
    );
    // Of lengths that are not finite nothing is.
    let is_right_angled = [(0, 1), (0, 2), (1, 2)]
        .into_iter()
        .all(|(i, j): (usize, usize)| {
            let product = directions.col(i).dot(directions.col(j));
            product.abs() <= SHEAR * lengths[i] * lengths[j]
        });
    if !is_right_angled || lengths.min_element() <= 0.0 {
        return Ok(None);
    }
    let mut turned = DMat3::from_cols(
        directions.x_axis / lengths.x,
        directions.y_axis / lengths.y,
        directions.z_axis / lengths.z,
    );
    let mut edges = [0, 1, 2].map(|axis: usize| directions.col(axis) * half[axis]);
    if turned.determinant() < 0.0 {
        // A box is its own mirror image.
        turned.z_axis = -turned.z_axis;
        edges[2] = -edges[2];
    }
    let middle = placed_point(world_from_own, middle)?;
    in_range(middle.abs() + edges[0].abs() + edges[1].abs() + edges[2].abs())?;
    Obb::of_half_edges(middle, edges, DQuat::from_mat3(&turned)).map(Some)
}

fn hull_of_corners(aabb: &Aabb, world_from_own: &DAffine3) -> Result<ConvexHull, Error> {
    ConvexHull::new(aabb.corners())?.placed(world_from_own)
}
