//! The query and the answer of an object that turns while it moves among the others.

use super::object_cast::{ObjectCast, ObjectHit};
use crate::narrow_phase::turning_cast::turn::{
    Turn, check_pivot, check_tolerance, check_turn, defaults,
};
use crate::{Error, ObjectId, TriangleId, TurningHit, TurningStatus};
use glam::{DVec3, Vec3};

/// An object that moves in a straight line, with all its parts, and turns about an axis that moves with it, while t
/// goes from 0 to 1.
///
/// It is made by [`ObjectCast::turning`], and moves as a [`TurningCast`](crate::TurningCast) does: a point x of it is
/// at `p + t d + R(t angle) (x - p)`. What it comes to first is the answer of
/// [`Snapshot::cast_turning_object`](crate::Snapshot::cast_turning_object).
#[derive(Debug, Clone)]
#[must_use]
pub struct TurningObjectCast {
    cast: ObjectCast,
    axis: Vec3,
    angle: f64,
    pivot: Option<DVec3>,
    tolerance: Option<f64>,
}

impl ObjectCast {
    /// The same motion, while the object turns by `angle` radians about `axis`, of any length, through the middle
    /// of the box around it; see [`TurningObjectCast::about`] and [`TurningObjectCast::with_tolerance`].
    ///
    /// An overlap at the start stops it ([`InitialOverlap::Stop`](crate::InitialOverlap::Stop)), whatever this cast
    /// does with overlaps. With an angle of 0 it is answered as this cast, bit for bit.
    ///
    /// # Errors
    /// As of [`ShapeCast::turning`](crate::ShapeCast::turning).
    pub fn turning(self, axis: impl Into<Vec3>, angle: f64) -> Result<TurningObjectCast, Error> {
        let axis = axis.into();
        check_turn(axis, angle)?;
        Ok(TurningObjectCast {
            cast: self.with_initial_overlap(crate::InitialOverlap::Stop),
            axis,
            angle,
            pivot: None,
            tolerance: None,
        })
    }
}

impl TurningObjectCast {
    /// The same turn about an axis through `pivot`, metres, which moves with the object.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for a pivot that is not finite.
    pub fn about(self, pivot: impl Into<Vec3>) -> Result<Self, Error> {
        let pivot = Some(check_pivot(pivot.into())?);
        Ok(Self { pivot, ..self })
    }

    /// How near the object comes to what it hits, metres, where not even that is a hit: more than 0. Without it a
    /// ten-thousandth of the longest side of the box around the object.
    ///
    /// # Errors
    /// [`Error::BadValue`] for a tolerance that is not finite and more than 0.
    pub fn with_tolerance(self, tolerance: f64) -> Result<Self, Error> {
        check_tolerance(tolerance)?;
        let tolerance = Some(tolerance);
        Ok(Self { tolerance, ..self })
    }

    /// The object and its motion, without the turn.
    pub fn cast(&self) -> &ObjectCast {
        &self.cast
    }

    /// The axis, as it was given.
    #[must_use]
    pub fn axis(&self) -> Vec3 {
        self.axis
    }

    /// The angle by which the object has turned at t = 1, radians.
    #[must_use]
    pub fn angle(&self) -> f64 {
        self.angle
    }

    /// A point of the axis at t = 0, metres, if it was given.
    #[must_use]
    pub fn pivot(&self) -> Option<DVec3> {
        self.pivot
    }

    /// How near the object comes to what it hits, metres, if it was given.
    #[must_use]
    pub fn tolerance(&self) -> Option<f64> {
        self.tolerance
    }

    /// The turn of an object in a box of these corners, which are computed where they are needed.
    pub(crate) fn turn(&self, bounds: impl FnOnce() -> [DVec3; 2]) -> Turn {
        let (pivot, tolerance) = match (self.pivot, self.tolerance) {
            (Some(pivot), Some(tolerance)) => (pivot, tolerance),
            (pivot, tolerance) => {
                let (middle, usual) = defaults(bounds(), 0.0);
                (pivot.unwrap_or(middle), tolerance.unwrap_or(usual))
            }
        };
        Turn {
            axis: self.axis,
            angle: self.angle,
            pivot,
            tolerance,
        }
    }
}

/// What a turning object comes to first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TurningObjectHit {
    /// Whether it is a hit.
    pub status: TurningStatus,
    /// When, from 0 to 1, rounded down; never -0.
    pub t: f32,
    /// The distance of the two pieces that are named at `t` is at most this, metres; see [`TurningHit::gap`].
    pub gap: f32,
    /// A unit vector along which the two pieces are apart at `t`, from that of the obstacle; zero where they overlap at
    /// the start.
    pub normal: Vec3,
    /// The point of the obstacle's piece that is nearest to the mover's at `t`, metres; for an overlap a point of the
    /// obstacle's.
    pub point: Vec3,
    /// The object that it comes to.
    pub object: Option<ObjectId>,
    /// The number that [`World::set_user_data`](crate::World::set_user_data) gave it; 0 where it was given none.
    pub user_data: u64,
    /// The obstacle's triangle, or its part of a compound; `None` for an object that is one solid.
    pub triangle: Option<TriangleId>,
    /// The mover's triangle, or part of a compound; `None` for a mover that is one solid.
    pub mover_triangle: Option<TriangleId>,
}

impl TurningObjectHit {
    /// The answer of a mover that does not turn.
    pub(crate) fn of_plain(hit: ObjectHit) -> Self {
        Self {
            status: if hit.is_overlap() {
                TurningStatus::Overlap
            } else {
                TurningStatus::Hit
            },
            t: hit.t,
            gap: 0.0,
            normal: hit.normal,
            point: hit.point,
            object: hit.object,
            user_data: hit.user_data,
            triangle: hit.triangle,
            mover_triangle: hit.mover_triangle,
        }
    }
}

impl From<TurningHit> for TurningObjectHit {
    /// Of a mover that is one solid.
    fn from(hit: TurningHit) -> Self {
        Self {
            status: hit.status,
            t: hit.t,
            gap: hit.gap,
            normal: hit.normal,
            point: hit.point,
            object: hit.object,
            user_data: hit.user_data,
            triangle: hit.triangle,
            mover_triangle: None,
        }
    }
}
