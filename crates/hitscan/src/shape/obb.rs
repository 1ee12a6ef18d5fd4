//! Turned boxes: solid boxes with a rotation.
//!
//! The exact shape that every query means is defined here.

use super::aabb::{MAX_COORDINATE, check_coordinates};
use super::sphere::power_of_two_near;
use super::unit_vector::unit;
use crate::exact::adaptive::{Formula, Number, between, cross, dot, sign, vector};
use crate::{Aabb, Error};
use core::cmp::Ordering;
use glam::{DMat3, DQuat, DVec3, Vec3};

/// An oriented box: solid, faces included. It may be flat.
///
/// # The exact shape
/// The box is the parallelepiped around `centre` with three half edges, which are the rotation's
/// axes times the half sizes, rounded so that all eight corners are f64 exactly. That takes from a
/// coordinate at most 2^-50 of the largest magnitude of the box along the same axis (or
/// 2^-149 m, f32's finest step), less than f32 can hold. Every query, of rays,
/// moving boxes and overlaps, is exact on this one shape, so they agree with one another; and a box
/// without rotation answers as the [`Aabb`] between its corners. Half sizes that are lost in
/// that rounding count as zero.
///
/// ```
/// use hitscan::glam::{DQuat, Vec3};
/// use hitscan::{Obb, Ray};
/// // Turned by an eighth about y, a cube of two metres shows an edge to x.
/// let eighth = DQuat::from_xyzw(0.0, 0.3826834323650898, 0.0, 0.9238795325112867);
/// let crate_box = Obb::new([5.0, 0.0, 0.0], [1.0, 1.0, 1.0], eighth)?;
/// let ray = Ray::new([0.0, 0.0, 0.5], [1.0, 0.0, 0.0])?;
/// let hit = crate_box.cast_ray(&ray, ()).unwrap();
/// assert!((hit.t - (5.5 - 2f32.sqrt())).abs() < 1e-6);
/// assert!((hit.normal - Vec3::new(-1.0, 0.0, 1.0) / 2f32.sqrt()).length() < 1e-6);
/// assert!(crate_box.contains([6.4, 0.0, 0.0]));
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Obb {
    center: Vec3,
    half_size: Vec3,
    rotation: DQuat,
    /// The centre and the half edges of the exact shape: multiples of a step so coarse that their
    /// sums are exact.
    middle: DVec3,
    half_edges: [DVec3; 3],
}

/// How far the roundings of a rotation that was brought to unit length may leave it from that.
const UNIT_SLACK: f64 = 16.0 * f64::EPSILON;

impl Obb {
    /// The box around `center` with these half sizes along its own axes, metres, rotated by
    /// `rotation`, which is brought to unit length.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for NaN or infinity; [`Error::OutOfRange`] for a centre or a corner
    /// beyond ±1e18; [`Error::BadValue`] for a half size that is negative or beyond 1e18;
    /// [`Error::ZeroVector`] for a rotation of zero.
    pub fn new(
        center: impl Into<Vec3>,
        half_size: impl Into<Vec3>,
        rotation: DQuat,
    ) -> Result<Self, Error> {
        let (center, half_size) = (center.into(), half_size.into());
        check_coordinates("oriented box center", &[center])?;
        for half in half_size.to_array() {
            if !(0.0..=MAX_COORDINATE).contains(&half) {
                return Err(Error::BadValue {
                    what: "oriented box half size",
                    expected: "zero or more and at most 1e18",
                    found: f64::from(half),
                });
            }
        }
        Self::of_unit(center, half_size, unit_rotation(rotation)?)
    }

    /// A box that was read back: as [`Obb::new`], but that the rotation, which must be of unit length,
    /// keeps its bits. Normalizing is not idempotent: it changes the last bits of a third of all rotations.
    pub(crate) fn read(center: Vec3, half_size: Vec3, rotation: DQuat) -> Result<Self, Error> {
        let again = Self::new(center, half_size, rotation)?;
        let off = (again.rotation - rotation).length();
        if off <= UNIT_SLACK {
            return Self::of_unit(center, half_size, rotation);
        }
        Err(Error::BadValue {
            what: "length of a rotation",
            expected: "1",
            found: rotation.length(),
        })
    }

    fn of_unit(center: Vec3, half_size: Vec3, rotation: DQuat) -> Result<Self, Error> {
        let axes = axes(rotation);
        let sizes = half_size.as_dvec3().to_array();
        let edges = [0, 1, 2].map(|i: usize| axes[i] * sizes[i]);
        let unrounded = Self {
            center,
            half_size: half_size + Vec3::ZERO,
            rotation,
            middle: center.as_dvec3(),
            half_edges: edges,
        };
        unrounded.rounded(sizes)
    }

    /// The box with these half edges, which are at right angles but for rounding, and the rotation whose axes
    /// they are along. Its centre and half sizes as f32 are those that are nearest.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a corner beyond ±1e18.
    pub(crate) fn of_half_edges(
        middle: DVec3,
        half_edges: [DVec3; 3],
        rotation: DQuat,
    ) -> Result<Self, Error> {
        let sizes = half_edges.map(|edge| edge.dot(edge).sqrt());
        let unrounded = Self {
            center: middle.as_vec3(),
            half_size: DVec3::from_array(sizes).as_vec3(),
            rotation,
            middle,
            half_edges,
        };
        unrounded.rounded(sizes)
    }

    /// The same box with its middle and half edges, of these lengths, rounded so that all corners are exact.
    fn rounded(self, sizes: [f64; 3]) -> Result<Self, Error> {
        let (middle, edges) = (self.middle, self.half_edges);
        let max_abs = middle.abs() + edges[0].abs() + edges[1].abs() + edges[2].abs();
        let step = DVec3::from_array(max_abs.to_array().map(step_for));
        // Powers of two, and numbers below 2^52 of them.
        let per_step = 1.0 / step;
        let rounded = |v: DVec3| small_to_even(v * per_step) * step;
        // Rounding moves an end by less than a step; below two steps it could turn an edge over.
        let half_edges = [0, 1, 2].map(|i: usize| {
            if sizes[i] <= 2.0 * step.max_element() {
                DVec3::ZERO
            } else {
                rounded(edges[i])
            }
        });
        let obb = Self {
            middle: rounded(middle),
            half_edges,
            ..self
        };
        let farthest = (obb.middle.abs() + obb.half_extents()).max_element();
        if farthest > f64::from(MAX_COORDINATE) {
            let bounds = obb.bounds();
            check_coordinates("oriented box corner", &[bounds.min(), bounds.max()])?;
        }
        Ok(obb)
    }

    /// The centre, metres.
    #[must_use]
    pub fn center(&self) -> Vec3 {
        self.center
    }

    /// Half of the lengths along the box's own axes, metres.
    #[must_use]
    pub fn half_size(&self) -> Vec3 {
        self.half_size
    }

    /// The rotation from the box's own axes to the world's, of unit length.
    #[must_use]
    pub fn rotation(&self) -> DQuat {
        self.rotation
    }

    /// The corners, metres: exactly those that every query means. Bit `i` of a corner's index
    /// is set where it lies at the upper end of the box's own axis `i`.
    #[must_use]
    pub fn corners(&self) -> [DVec3; 8] {
        core::array::from_fn(|corner| {
            (0..3).fold(self.middle, |sum, i| {
                if corner >> i & 1 == 1 {
                    sum + self.half_edges[i]
                } else {
                    sum - self.half_edges[i]
                }
            })
        })
    }

    /// The smallest box of f32 around the oriented box.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        let half = self.half_extents();
        // Sums are exact. Adding zero turns -0 into +0.
        let ends = [self.middle - half + DVec3::ZERO, self.middle + half];
        Aabb::around_f64(ends).unwrap_or(Aabb::from_ordered(self.center, self.center))
    }

    /// Half of the extent along the world's axes, exactly.
    fn half_extents(&self) -> DVec3 {
        let [x, y, z] = self.half_edges;
        x.abs() + y.abs() + z.abs()
    }

    /// Whether `point` belongs to the closed box, exactly. A point that is not finite does not.
    #[must_use]
    pub fn contains(&self, point: impl Into<Vec3>) -> bool {
        let point = point.into();
        point.is_finite() && self.holds(point.as_dvec3())
    }

    /// Whether `point` belongs to the closed box, exactly.
    pub(crate) fn holds(&self, point: DVec3) -> bool {
        (0..3).all(|axis| self.depth_sign(point, axis).is_ge())
    }

    /// How deep `point` is in the slab of an axis: less than 0 where it is outside.
    pub(crate) fn depth_sign(&self, point: DVec3, axis: usize) -> Ordering {
        let obb = self;
        sign(&DepthInSlab { obb, point, axis })
    }

    /// On which side of the box's middle `point` is along an axis, greater on the upper one.
    pub(crate) fn side(&self, point: DVec3, axis: usize) -> Ordering {
        let obb = self;
        sign(&OffsetInSlab { obb, point, axis })
    }

    pub(crate) fn middle(&self) -> DVec3 {
        self.middle
    }

    pub(crate) fn half_edges(&self) -> &[DVec3; 3] {
        &self.half_edges
    }

    /// The direction of each of the three kinds of edges, of any length but zero: also of edges
    /// without length. They are those of a right-handed system.
    pub(crate) fn directions(&self) -> [DVec3; 3] {
        let is_flat = self.half_edges.contains(&DVec3::ZERO);
        let axes = if is_flat {
            axes(self.rotation)
        } else {
            self.half_edges
        };
        [0, 1, 2].map(|i: usize| {
            if self.half_edges[i] == DVec3::ZERO {
                // In steps of 2^-52, so that products do not underflow.
                to_even(axes[i] * STEPS) / STEPS
            } else {
                self.half_edges[i]
            }
        })
    }

    /// The unit normal of the upper face of an own axis, in f32, and of the lower one if not
    /// `is_upper`.
    pub(crate) fn normal(&self, axis: usize, is_upper: bool) -> Vec3 {
        let directions = self.directions();
        let [j, k] = [(axis + 1) % 3, (axis + 2) % 3];
        // Edges are so nearly at right angles that f64's product is good to a few units.
        let normal = directions[j].cross(directions[k]);
        unit(if is_upper { normal } else { -normal })
    }
}

/// 2^52.
const STEPS: f64 = 4_503_599_627_370_496.0;

/// How far inside the slab of an own axis a point lies, times the normal's length.
struct DepthInSlab<'a> {
    obb: &'a Obb,
    point: DVec3,
    axis: usize,
}

impl Formula for DepthInSlab<'_> {
    fn value<N: Number>(&self) -> N {
        let (obb, axis) = (self.obb, self.axis);
        let normal: [N; 3] = face_normal(&obb.directions(), axis);
        let half_width = dot(&normal, &vector(obb.half_edges[axis]));
        let offset = dot(&normal, &between(obb.middle, self.point));
        half_width.minus(&offset.magnitude())
    }
}

/// How far a point is above the box's middle along a face's normal, of that normal's length.
struct OffsetInSlab<'a> {
    obb: &'a Obb,
    point: DVec3,
    axis: usize,
}

impl Formula for OffsetInSlab<'_> {
    fn value<N: Number>(&self) -> N {
        let normal: [N; 3] = face_normal(&self.obb.directions(), self.axis);
        dot(&normal, &between(self.obb.middle, self.point))
    }
}

/// The normal of the upper face of an own axis, of any length.
pub(crate) fn face_normal<N: Number>(directions: &[DVec3; 3], axis: usize) -> [N; 3] {
    let [j, k] = [(axis + 1) % 3, (axis + 2) % 3];
    cross(&vector(directions[j]), &vector(directions[k]))
}

/// A quantum whose multiples up to `max_abs` sum up exactly in f64.
fn step_for(max_abs: f64) -> f64 {
    // f32's smallest number: finer steps would let products of six coordinates underflow.
    let finest = f64::from(f32::from_bits(1));
    // Rounding each of four numbers adds half a step to each, far less than the room of one bit.
    (power_of_two_near(max_abs.max(f64::MIN_POSITIVE)) * (2.0 / STEPS)).max(finest)
}

/// Each component, below 2^52 in magnitude, at its nearest whole number, ties to even. Without the
/// instructions for that, they are a call each.
fn small_to_even(v: DVec3) -> DVec3 {
    (v.abs() + STEPS - STEPS).copysign(v)
}

/// Each component at its nearest whole number, ties to even.
fn to_even(v: DVec3) -> DVec3 {
    DVec3::from_array(v.to_array().map(f64::round_ties_even))
}

/// `rotation` at unit length.
fn unit_rotation(rotation: DQuat) -> Result<DQuat, Error> {
    let parts = rotation.to_array();
    if let Some(&found) = parts.iter().find(|part| !part.is_finite()) {
        return Err(Error::NotFinite {
            what: "oriented box rotation",
            found,
        });
    }
    let largest = parts.iter().fold(0.0, |max: f64, part| max.max(part.abs()));
    if largest == 0.0 {
        return Err(Error::ZeroVector {
            what: "oriented box rotation",
        });
    }
    // Divided by the largest part first, no square overflows and their sum is at least 1.
    let [x, y, z, w] = parts.map(|part| part / largest);
    let length = (x * x + y * y + z * z + w * w).sqrt();
    Ok(DQuat::from_array([x, y, z, w].map(|part| part / length)))
}

/// The axes of a rotation of unit length.
fn axes(rotation: DQuat) -> [DVec3; 3] {
    let matrix = DMat3::from_quat(rotation);
    [matrix.x_axis, matrix.y_axis, matrix.z_axis]
}

#[cfg(test)]
mod tests;
