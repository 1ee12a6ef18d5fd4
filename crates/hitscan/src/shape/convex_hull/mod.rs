//! Convex hulls: solid polytopes with exact faces, and all within a radius of one.

mod simplified;

use super::aabb::{MAX_COORDINATE, MAX_RADIUS, check_coordinates};
use super::placing::longest_axis;
use super::polytope::{Numbering, Polytope};
use crate::{Aabb, Error};
use glam::{DAffine3, DQuat, DVec3, Vec3};
use std::sync::Arc;

/// The convex hull of points: solid, faces included. It may be flat, a segment or a point, and may have a
/// radius: then it is all within that of it (a rounded hull).
///
/// # The exact shape
/// The hull of f32 points is exact: points on a face or an edge are no corners, and coplanar triangles are one
/// face, whatever their shape. [`placed`](Self::placed) takes each corner into the world once, in f64, and the
/// hull there is that of those corners. Every query is exact on it.
///
/// # Numbers
/// Corners are numbered by ascending x, then y, then z, in the hull's own space. Faces are in ascending order
/// of their sorted corners, but the face parallel to one comes right after it: a box has the faces -x, +x, -y,
/// +y, -z, +z. A flat hull has two faces, 0 on the side to which its normal points whose first component of
/// x, y, z that is not 0 is positive. Hits of rays and arcs name the face in
/// [`RayHit::triangle`](crate::RayHit::triangle).
///
/// Cloning is cheap: what a hull is made of is shared.
///
/// Source: Barber, Dobkin, Huhdanpaa, "The Quickhull Algorithm for Convex Hulls", ACM Transactions on
/// Mathematical Software 22, 1996, with exact predicates.
///
/// ```
/// use hitscan::{ConvexHull, Ray, glam::Vec3};
/// let points = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0], [0.5, 0.5, 0.5]];
/// let rock = ConvexHull::new(points)?;
/// assert_eq!((rock.corners().len(), rock.face_count()), (4, 4));
/// let ray = Ray::new([0.25, 0.25, -3.0], [0.0, 0.0, 1.0])?;
/// let hit = rock.cast_ray(&ray, ()).expect("it is in the way");
/// assert_eq!((hit.t, hit.normal), (3.0, Vec3::NEG_Z));
/// assert!(rock.contains([0.5, 0.5, 0.5]) && !rock.contains([1.0, 1.0, 1.0]));
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ConvexHull {
    own: Arc<OwnHull>,
    /// The factors of the transform, where it was given by them.
    scale: DVec3,
    world_from_own: DAffine3,
    polytope: Arc<Polytope>,
    radius: f64,
}

/// A hull in its own space.
#[derive(Debug, PartialEq)]
struct OwnHull {
    corners: Box<[Vec3]>,
    polytope: Arc<Polytope>,
    radius: f64,
}

impl ConvexHull {
    /// The maximum number of corners.
    pub const MAX_CORNERS: usize = 4096;

    /// The hull of points, metres.
    ///
    /// # Errors
    /// [`Error::WrongLength`] without points, [`Error::NotFinite`] for NaN or infinity,
    /// [`Error::OutOfRange`] beyond ±1e18, [`Error::TooMany`] for more than [`Self::MAX_CORNERS`] corners:
    /// [`Self::simplified_from`] makes fewer.
    pub fn new<P: Into<Vec3>>(points: impl IntoIterator<Item = P>) -> Result<Self, Error> {
        Self::of(&points.into_iter().map(Into::into).collect::<Vec<Vec3>>())
    }

    fn of(points: &[Vec3]) -> Result<Self, Error> {
        let hull = hull_of(points)?.map_err(|corners| Error::TooMany {
            what: "corners of a convex hull",
            found: corners.len(),
            limit: Self::MAX_CORNERS,
        })?;
        Ok(Self::of_polytope(hull))
    }

    /// The hull that has this polytope, of f32 corners.
    fn of_polytope(polytope: Polytope) -> Self {
        let corners = polytope.corners().iter();
        let corners: Box<[Vec3]> = corners.map(|corner| corner.as_vec3()).collect();
        let polytope = Arc::new(polytope);
        let own = OwnHull {
            corners,
            polytope: Arc::clone(&polytope),
            radius: 0.0,
        };
        Self {
            own: Arc::new(own),
            scale: DVec3::ONE,
            world_from_own: DAffine3::IDENTITY,
            polytope,
            radius: 0.0,
        }
    }

    /// The same hull with all within a radius of it, metres, in its own space; 0 for none.
    ///
    /// # Errors
    /// [`Error::BadValue`] for a radius that is negative, not finite or beyond 1e18.
    pub fn with_radius(&self, radius: impl Into<f64>) -> Result<Self, Error> {
        let radius = checked_radius(radius.into())?;
        let own = OwnHull {
            corners: self.own.corners.clone(),
            polytope: Arc::clone(&self.own.polytope),
            radius,
        };
        let unplaced = Self {
            own: Arc::new(own),
            ..self.clone()
        };
        let placed = unplaced.placed(&self.world_from_own)?;
        Ok(Self {
            scale: self.scale,
            ..placed
        })
    }

    /// The same hull elsewhere: each corner of its own space taken into the world once, in f64. The radius is
    /// multiplied by the longest image of a unit axis. The transform may stretch unequally, mirror and
    /// flatten.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for a transform that is not finite, [`Error::OutOfRange`] where it takes a corner
    /// beyond ±1e18, [`Error::BadValue`] for such a radius.
    pub fn placed(&self, world_from_own: &DAffine3) -> Result<Self, Error> {
        let own = &self.own;
        if *world_from_own == DAffine3::IDENTITY {
            return Ok(Self {
                own: Arc::clone(own),
                scale: DVec3::ONE,
                world_from_own: *world_from_own,
                polytope: Arc::clone(&own.polytope),
                radius: own.radius,
            });
        }
        let corners: Vec<DVec3> = (own.corners.iter())
            .map(|corner| world_from_own.transform_point3(corner.as_dvec3()) + DVec3::ZERO)
            .collect();
        for (index, corner) in corners.iter().enumerate() {
            check_placed(index, *corner)?;
        }
        let is_mirrored = world_from_own.matrix3.determinant() < 0.0;
        let axes = [0, 1, 2].map(|axis: usize| world_from_own.matrix3.col(axis).length());
        let radius = checked_radius(own.radius * longest_axis(world_from_own))?;
        Ok(Self {
            own: Arc::clone(own),
            scale: DVec3::new(axes[0], axes[1], axes[2]),
            world_from_own: *world_from_own,
            polytope: Arc::new(Polytope::around(
                &corners,
                Numbering::As(&own.polytope, is_mirrored),
            )),
            radius,
        })
    }

    /// The same hull stretched along its own axes, then rotated, then moved: [`placed`](Self::placed) by that
    /// transform, with the factors kept as [`scale`](Self::scale).
    ///
    /// # Errors
    /// As [`placed`](Self::placed).
    pub fn placed_by(
        &self,
        scale: DVec3,
        rotation: DQuat,
        translation: DVec3,
    ) -> Result<Self, Error> {
        let transform = DAffine3::from_scale_rotation_translation(scale, rotation, translation);
        let placed = self.placed(&transform)?;
        Ok(Self { scale, ..placed })
    }

    /// The hull taken elsewhere from where it is; a radius that [`rounded_by`](Self::rounded_by) gave is
    /// multiplied as one of its own is.
    pub(crate) fn moved(&self, elsewhere: &DAffine3) -> Result<Self, Error> {
        let placed = self.placed(&(*elsewhere * self.world_from_own))?;
        match self.radius == self.own.radius * longest_axis(&self.world_from_own) {
            true => Ok(placed),
            false => placed.rounded_by(self.radius * longest_axis(elsewhere)),
        }
    }

    /// The same hull where it is, with this radius there, metres.
    ///
    /// # Errors
    /// [`Error::BadValue`] for a radius that is negative, not finite or beyond 1e18.
    pub fn rounded_by(&self, radius: impl Into<f64>) -> Result<Self, Error> {
        let radius = checked_radius(radius.into())?;
        Ok(Self {
            radius,
            ..self.clone()
        })
    }

    /// The factors by which it is stretched along its own axes: those of [`placed_by`](Self::placed_by), else
    /// the lengths of the transform's axes.
    #[must_use]
    pub fn scale(&self) -> DVec3 {
        self.scale
    }

    /// The transform that [`placed`](Self::placed) it; the identity where nothing did.
    #[must_use]
    pub fn transform(&self) -> &DAffine3 {
        &self.world_from_own
    }

    /// The corners where the hull is, metres, those that the rounding of its transform leaves: exactly what
    /// every query means.
    #[must_use]
    pub fn corners(&self) -> &[DVec3] {
        self.polytope.corners()
    }

    /// The corners in its own space, by their numbers.
    #[must_use]
    pub fn own_corners(&self) -> &[Vec3] {
        &self.own.corners
    }

    /// How many faces it has in its own space: 2 where it is flat, none of a segment or a point.
    #[must_use]
    pub fn face_count(&self) -> usize {
        self.own.polytope.faces().len()
    }

    /// The corners of a face by their numbers, counter-clockwise seen from outside in its own space.
    ///
    /// # Panics
    /// Where there is no such face.
    #[must_use]
    pub fn face(&self, face: usize) -> &[u16] {
        self.own.polytope.ring(face)
    }

    /// The edges by the numbers of their corners, in its own space.
    pub fn edges(&self) -> impl Iterator<Item = [u16; 2]> + '_ {
        self.own.polytope.edges().iter().map(|edge| edge.ends)
    }

    /// The edges where the hull is, by their ends, metres.
    pub fn placed_edges(&self) -> impl Iterator<Item = [DVec3; 2]> + '_ {
        self.polytope
            .edges()
            .iter()
            .map(|edge| self.polytope.edge_ends(edge))
    }

    /// The radius where the hull is, metres.
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The radius in its own space, metres.
    #[must_use]
    pub fn own_radius(&self) -> f64 {
        self.own.radius
    }

    /// The smallest box of f32 around the hull without its radius, grown by that.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        let [min, max] = self.polytope.bounds();
        let radius = DVec3::splat(self.radius);
        let [mut low, mut high] = [min - radius, max + radius];
        if self.radius > 0.0 {
            low = DVec3::from_array(low.to_array().map(f64::next_down));
            high = DVec3::from_array(high.to_array().map(f64::next_up));
        }
        Aabb::around_f64([low, high]).unwrap_or(Aabb::from_ordered(Vec3::ZERO, Vec3::ZERO))
    }

    /// Whether `point` belongs to the closed hull, exactly. A point that is not finite does not.
    #[must_use]
    pub fn contains(&self, point: impl Into<Vec3>) -> bool {
        let point = point.into();
        point.is_finite() && self.holds(point.as_dvec3())
    }

    pub(crate) fn holds(&self, point: DVec3) -> bool {
        if self.radius == 0.0 {
            self.polytope.holds(point)
        } else {
            self.polytope.reaches(point, [self.radius, 0.0])
        }
    }

    /// The same hull, said to be stretched by these factors.
    pub(crate) fn with_scale(self, scale: DVec3) -> Result<Self, Error> {
        if !scale.is_finite() {
            return Err(Error::NotFinite {
                what: "scale of a convex hull",
                found: scale.x + scale.y + scale.z,
            });
        }
        Ok(Self { scale, ..self })
    }

    /// Whether both are one hull in their own space.
    pub(crate) fn is_placed_as(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.own, &other.own) || self.own == other.own
    }

    /// How far from the origin of its own space anything of it may be, without the radius.
    pub(crate) fn max_radius(&self) -> f64 {
        let squares = self
            .own
            .corners
            .iter()
            .map(|corner| corner.as_dvec3().length_squared());
        squares.fold(0.0, f64::max).sqrt() + self.own.radius
    }

    /// The corners, edges and faces where the hull is.
    pub(crate) fn polytope(&self) -> &Arc<Polytope> {
        &self.polytope
    }

    /// How many bytes the hull takes where it is, without what it shares.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.polytope.memory_bytes()
    }
}

/// The polytope of f32 points, or its corners where these are too many.
fn hull_of(points: &[Vec3]) -> Result<Result<Polytope, Vec<DVec3>>, Error> {
    if points.is_empty() {
        return Err(Error::WrongLength {
            what: "points of a convex hull",
            expected: 1,
            found: 0,
        });
    }
    check_coordinates("point of a convex hull", points)?;
    let wide: Vec<DVec3> = points.iter().map(|point| point.as_dvec3()).collect();
    Ok(Polytope::within(
        &wide,
        Numbering::ByPlace,
        ConvexHull::MAX_CORNERS,
    ))
}

fn checked_radius(radius: f64) -> Result<f64, Error> {
    if (0.0..=MAX_RADIUS).contains(&radius) {
        return Ok(radius);
    }
    Err(Error::BadValue {
        what: "radius of a convex hull",
        expected: "zero or more and at most 1e18",
        found: radius,
    })
}

fn check_placed(index: usize, corner: DVec3) -> Result<(), Error> {
    let limit = f64::from(MAX_COORDINATE);
    for found in corner.to_array() {
        if !found.is_finite() {
            return Err(Error::NotFinite {
                what: "placed corner of a convex hull",
                found,
            });
        }
        if found.abs() > limit {
            return Err(Error::OutOfRange {
                what: "placed corner of a convex hull",
                index,
                found,
                limit,
            });
        }
    }
    Ok(())
}
