//! The query and the answer of an object that moves among the others: what moves and how far it is translated; what
//! it hits first.

use super::object::Object;
use crate::narrow_phase::shape_cast::check_motion;
use crate::{Error, InitialOverlap, ObjectId, ShapeHit, Side, StartState, TriangleId};
use glam::Vec3;
use std::sync::Arc;

/// What moves: an object of the world, or a shape that is in no world.
///
/// ```
/// use hitscan::glam::{DAffine3, DVec3};
/// use hitscan::{Mover, ObjectCast, Sphere, World};
/// let mut world = World::new();
/// let stone = world.add(Sphere::new([8.0, 0.0, 0.0], 1.0)?);
/// world.update();
/// let at = DAffine3::from_translation(DVec3::new(1.0, 0.0, 0.0));
/// let ball = Mover::placed(Sphere::new([0.0; 3], 1.0)?, at)?;
/// let roll = ObjectCast::new(ball, [10.0, 0.0, 0.0])?;
/// let hit = world.now().cast_object(&roll, ()).expect("the stone is in the way");
/// assert_eq!((hit.object, hit.t), (Some(stone), 0.5));
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Mover(pub(crate) MoverSource);

#[derive(Debug, Clone)]
pub(crate) enum MoverSource {
    InWorld(ObjectId),
    Placed(Arc<Object>),
}

impl Mover {
    /// The object of the world, if it is one.
    #[must_use]
    pub fn object(&self) -> Option<ObjectId> {
        match &self.0 {
            MoverSource::InWorld(object) => Some(*object),
            MoverSource::Placed(_) => None,
        }
    }
}

impl From<ObjectId> for Mover {
    /// The object as it is in the snapshot that is queried.
    fn from(object: ObjectId) -> Self {
        Self(MoverSource::InWorld(object))
    }
}

/// An object that is translated in a straight line from where it is while t goes from 0 to 1; it does not
/// turn. The motion may be zero.
///
/// What it hits first is the answer of [`Snapshot::cast_object`](crate::Snapshot::cast_object).
#[derive(Debug, Clone)]
#[must_use]
pub struct ObjectCast {
    mover: Mover,
    motion: Vec3,
    overlaps: InitialOverlap,
    is_empty: bool,
}

impl ObjectCast {
    /// The object at t = 0, which has moved by `motion`, metres, at t = 1. It stops at what it overlaps at the
    /// start ([`InitialOverlap::Stop`]).
    ///
    /// # Errors
    /// [`Error::NotFinite`] when a component of the motion is NaN or infinite.
    pub fn new(mover: impl Into<Mover>, motion: impl Into<Vec3>) -> Result<Self, Error> {
        let motion = motion.into();
        check_motion(motion)?;
        Ok(Self::new_or_empty(mover, motion))
    }

    /// As [`ObjectCast::new`], for game loops: where that is an error the cast is empty and hits nothing, not even
    /// what the object overlaps.
    pub fn new_or_empty(mover: impl Into<Mover>, motion: impl Into<Vec3>) -> Self {
        let motion = motion.into();
        let is_empty = !motion.is_finite();
        Self {
            mover: mover.into(),
            motion: if is_empty { Vec3::ZERO } else { motion },
            overlaps: InitialOverlap::Stop,
            is_empty,
        }
    }

    /// The same motion, with what the object overlaps at the start treated like this, pair by pair of a triangle or
    /// solid of each.
    pub fn with_initial_overlap(mut self, overlaps: InitialOverlap) -> Self {
        self.overlaps = overlaps;
        self
    }

    /// What moves.
    #[must_use]
    pub fn mover(&self) -> &Mover {
        &self.mover
    }

    /// How far it moves while t goes from 0 to 1, metres.
    #[must_use]
    pub fn motion(&self) -> Vec3 {
        self.motion
    }

    /// What it does with what it overlaps at the start.
    #[must_use]
    pub fn initial_overlap(&self) -> InitialOverlap {
        self.overlaps
    }

    /// Whether the cast hits nothing, because its motion was not finite.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.is_empty
    }
}

/// The first hit of an object that moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ObjectHit {
    /// When they hit, from 0 to 1: the exact time rounded once to the nearest f32; never -0.
    pub t: f32,
    /// The obstacle's unit normal there, against the motion, within 2^-22 of the exact one. Zero where the mover
    /// overlaps the obstacle at the start; with [`InitialOverlap::Escape`] the way out.
    pub normal: Vec3,
    /// A point that both share at the exact time, metres; where there are several, any.
    pub point: Vec3,
    /// How the mover and the triangle or solid that is hit lie at the start. Where they overlap, the separation is
    /// that of the object's contact with the mover, which may be of another pair than the one that is named.
    pub start: StartState,
    /// The side of the obstacle's triangle that faces the motion; `None` for solids and for a motion of zero.
    pub side: Option<Side>,
    /// The object that is hit.
    pub object: Option<ObjectId>,
    /// The number that [`World::set_user_data`](crate::World::set_user_data) gave it; 0 where it was given none.
    pub user_data: u64,
    /// The triangle that is hit, or the part of a compound; `None` for an object that is one solid.
    pub triangle: Option<TriangleId>,
    /// The mover's triangle, or part of a compound, that hits it; `None` for a mover that is one solid.
    pub mover_triangle: Option<TriangleId>,
}

impl ObjectHit {
    /// Whether it is the answer of a mover that overlaps the obstacle at the start, which stops it there without a
    /// normal ([`InitialOverlap::Stop`]).
    #[must_use]
    pub fn is_overlap(&self) -> bool {
        self.normal == Vec3::ZERO
    }
}

/// Two objects that collide as both move, and when: what [`Snapshot::shape_impacts`](crate::Snapshot::shape_impacts)
/// finds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ObjectImpact {
    /// The lower of the two.
    pub a: ObjectId,
    /// The higher of the two.
    pub b: ObjectId,
    /// When they collide, from 0 to 1; never -0.
    pub t: f32,
    /// The unit normal of `b` where `a` hits it, within 2^-22 of the exact one; zero where they overlap at the start.
    pub normal: Vec3,
    /// A point that both share then, metres; where there are several, any.
    pub point: Vec3,
    /// How the two triangles or solids lie at the start, as [`ObjectHit::start`].
    pub start: StartState,
    /// The triangle of `a` and that of `b`, or their parts of a compound; `None` for an object that is one solid.
    pub triangles: [Option<TriangleId>; 2],
}

impl From<ShapeHit> for ObjectHit {
    /// Of a mover that is one solid.
    fn from(hit: ShapeHit) -> Self {
        Self {
            t: hit.t,
            normal: hit.normal,
            point: hit.point,
            start: hit.start,
            side: hit.side,
            object: hit.object,
            user_data: hit.user_data,
            triangle: hit.triangle,
            mover_triangle: None,
        }
    }
}
