//! The questions about shapes that move or rest, about the nearest things, and about arcs.

use crate::Question;
use crate::objects::Objects;
use crate::question::labelled;
use crate::scene::CRATE;
use glam::{DVec3, Vec3};
use hitscan::{Aabb, BallisticArc, Capsule, Error, ShapeCast, Sphere};

/// A ball that moves.
#[derive(Debug, Clone, Copy)]
pub struct Ball {
    /// Its middle.
    pub center: Vec3,
    /// How far it moves.
    pub motion: Vec3,
}

impl Ball {
    /// The radius of every ball, metres.
    pub const RADIUS: f32 = 0.5;

    /// The ball as a moving sphere.
    ///
    /// # Errors
    /// Those of [`Sphere::new`] and [`ShapeCast::new`].
    pub fn cast(&self) -> Result<ShapeCast, Error> {
        let ball = Sphere::new(self.center, f64::from(Self::RADIUS))?;
        ShapeCast::new(ball, self.motion)
    }
}

/// A person that moves, as games model them: an upright capsule.
#[derive(Debug, Clone, Copy)]
pub struct Person {
    /// The middle of its soles.
    pub soles: Vec3,
    /// How far it moves.
    pub motion: Vec3,
}

impl Person {
    /// The radius of every person, metres.
    pub const RADIUS: f32 = 0.375;
    /// The height of every person, metres.
    pub const HEIGHT: f32 = 1.75;

    /// The ends of the capsule's segment, the lower one first.
    #[must_use]
    pub fn segment(&self) -> [Vec3; 2] {
        [Self::RADIUS, Self::HEIGHT - Self::RADIUS].map(|above| self.soles + Vec3::Y * above)
    }

    /// The person as a moving capsule.
    ///
    /// # Errors
    /// Those of [`Capsule::new`] and [`ShapeCast::new`].
    pub fn cast(&self) -> Result<ShapeCast, Error> {
        let [a, b] = self.segment();
        let body = Capsule::new(a, b, f64::from(Self::RADIUS))?;
        ShapeCast::new(body, self.motion)
    }
}

pub(crate) fn balls(objects: &Objects<'_>) -> Vec<Question<Ball>> {
    let balloon = objects.point("balloon", [0.5; 3]);
    let [before, behind] = [4.0, -1.0].map(|ahead| objects.on_robot("bruno", [0.0, 1.3, ahead]));
    let ball = |center, motion| Ball { center, motion };
    labelled(vec![
        (
            "a ball falls on the balloon",
            ball(balloon + Vec3::Y * 8.0, Vec3::NEG_Y * 10.0),
        ),
        ("a ball is thrown at bruno", ball(before, behind - before)),
        (
            "a ball passes the balloon",
            ball(balloon + Vec3::new(-6.0, 2.5, 0.0), Vec3::X * 12.0),
        ),
    ])
}

pub(crate) fn walks(objects: &Objects<'_>) -> Vec<Question<Person>> {
    let person = |soles, motion| Person { soles, motion };
    let on_crate = objects.point("crate-c", [0.5, 1.0, 0.5]);
    let [before, ada] = [3.0, 0.0].map(|ahead| objects.on_robot("ada", [0.0, 0.7, ahead]));
    labelled(vec![
        (
            "a person falls on crate-c",
            person(on_crate + Vec3::Y * 3.0, Vec3::NEG_Y * 4.0),
        ),
        ("a person walks into ada", person(before, ada - before)),
        (
            "a person walks into the hill",
            person(objects.above_ground([20.0, 60.0], 1.0), Vec3::X * 30.0),
        ),
        (
            "a person starts half in crate-a",
            person(objects.point("crate-a", [0.0, 0.1, 0.5]), Vec3::NEG_X),
        ),
        (
            "a person stands on crate-c and walks",
            person(on_crate, Vec3::X * 0.25),
        ),
    ])
}

pub(crate) fn shapes(objects: &Objects<'_>) -> Result<Vec<Question<Aabb>>, Error> {
    let size = DVec3::splat(CRATE).as_vec3();
    let at = |min: Vec3| Aabb::new(min, min + size);
    let beside = objects.point("crate-c", [1.0, 0.0, 0.0]);
    Ok(labelled(vec![
        ("a crate beside crate-c", at(beside + Vec3::X * 0.25)?),
        (
            "a crate on crate-c",
            at(objects.point("crate-c", [0.0, 1.0, 0.0]))?,
        ),
        ("a crate a quarter in crate-c", at(beside - Vec3::X * 0.25)?),
        (
            "a crate where bruno stands",
            at(objects.on_robot("bruno", [0.0, 1.0, 0.0]) - size * 0.5)?,
        ),
        (
            "a crate in the air",
            at(objects.above_ground([0.0, 80.0], 6.0))?,
        ),
    ]))
}

pub(crate) fn probes(objects: &Objects<'_>) -> Vec<Question<Vec3>> {
    labelled(vec![
        (
            "above the balloon",
            objects.point("balloon", [0.5; 3]) + Vec3::Y * 3.0,
        ),
        (
            "inside the buoy",
            objects.point("buoy", [0.5; 3]) + Vec3::X * 0.3,
        ),
        (
            "off a corner of crate-c",
            objects.point("crate-c", [1.0; 3]) + Vec3::splat(0.5),
        ),
        (
            "inside ada's chest",
            objects.on_robot("ada", [0.0, 1.3, 0.0]),
        ),
        (
            "a metre above the meadow",
            objects.above_ground([2.0, 78.0], 1.0),
        ),
        (
            "high above the valley",
            objects.above_ground([0.0, 0.0], 80.0),
        ),
    ])
}

pub(crate) fn arcs(objects: &Objects<'_>) -> Result<Vec<Question<BallisticArc>>, Error> {
    let still_air = BallisticArc::GRAVITY;
    let wind = still_air + Vec3::X * 2.5;
    let gun = objects.above_ground([2.0, 78.0], 1.5);
    // In so many seconds from one point to another.
    let aimed = |from: Vec3, to: Vec3, secs: f32, acceleration: Vec3| {
        let velocity = (to - from) / secs - acceleration * (secs / 2.0);
        BallisticArc::new(from, velocity, acceleration)
    };
    let up_the_valley = objects.above_ground([-8.0, -46.0], 0.0);
    let east = objects.above_ground([84.0, 30.0], 0.0);
    let drop = objects.point("crate-c", [0.5, 1.0, 0.5]) + Vec3::Y * 5.0;
    let [thrower, bruno] = [12.0, 0.0].map(|ahead| objects.on_robot("bruno", [0.0, 1.4, ahead]));
    Ok(labelled(vec![
        (
            "a stone falls on crate-c",
            BallisticArc::new(drop, Vec3::ZERO, still_air)?,
        ),
        (
            "a stone is thrown at bruno",
            aimed(thrower, bruno, 1.0, still_air)?,
        ),
        ("a shell in the wind", aimed(gun, up_the_valley, 5.0, wind)?),
        (
            "the same target from high up",
            aimed(gun, up_the_valley, 9.0, wind)?,
        ),
        ("a shell at the east wall", aimed(gun, east, 6.0, wind)?),
        (
            "a shell that leaves the map",
            BallisticArc::new(gun, Vec3::new(-25.0, 40.0, 20.0), still_air)?,
        ),
    ]))
}
