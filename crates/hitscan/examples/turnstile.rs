//! Turning things of a level: a door that opens against a crate, a sword's stroke, a beam that swings over a bridge.
//!
//! Each is one cast, however fast it turns. The answer is a time up to which nothing is overlapped, at which
//! something is within the tolerance; `None` is a proof that nothing is in the way.

use hitscan::glam::{DQuat, Vec3};
use hitscan::{
    Aabb, Capsule, Error, Obb, ObjectId, Primitive, QueryFilter, ShapeCast, TurningCast,
    TurningStatus, World,
};
use std::f64::consts::{FRAC_PI_2, PI};

/// A door of 1 m on hinges at its left side, which swings by a right angle in one tick.
fn door(hinge: Vec3) -> Result<TurningCast, Error> {
    let leaf = Aabb::new(
        hinge + Vec3::new(0.0, 0.0, -0.02),
        hinge + Vec3::new(1.0, 2.0, 0.02),
    )?;
    ShapeCast::new(leaf, Vec3::ZERO)?
        .turning(Vec3::Y, FRAC_PI_2)?
        .about(hinge)?
        .with_tolerance(1e-3)
}

/// A blade that goes once round a swordsman who steps forward meanwhile.
fn stroke(feet: Vec3) -> Result<TurningCast, Error> {
    let hand = feet + Vec3::new(0.0, 1.3, 0.0);
    let blade = Capsule::new(hand + Vec3::X * 0.5, hand + Vec3::X * 1.5, 0.02)?;
    ShapeCast::new(blade, Vec3::X * 0.5)?
        .turning(Vec3::Y, 2.0 * PI)?
        .about(hand)
}

/// A beam of 8 m on a pin in its middle, which swings many times.
fn beam(pin: Vec3) -> Result<TurningCast, Error> {
    let beam = Obb::new(pin, [4.0, 0.2, 0.2], DQuat::IDENTITY)?;
    ShapeCast::new(beam, Vec3::ZERO)?.turning(Vec3::Y, 200.0)
}

/// A world whose objects have names.
struct Level {
    world: World,
    names: Vec<(ObjectId, &'static str)>,
}

impl Level {
    fn add(&mut self, name: &'static str, solid: impl Into<Primitive>) -> ObjectId {
        let object = self.world.add(solid.into());
        self.names.push((object, name));
        object
    }

    /// Says how far it turns, and what stops it; the answer is when.
    fn told(&self, what: &str, cast: &TurningCast, filter: QueryFilter<'_>) -> Option<f32> {
        let Some(hit) = self.world.now().cast_turning(cast, filter) else {
            println!("{what} goes all the way");
            return None;
        };
        assert_eq!(hit.status, TurningStatus::Hit);
        let turned = cast.angle().to_degrees() * f64::from(hit.t);
        let named = self.names.iter().find(|(id, _)| Some(*id) == hit.object);
        let name = named.map_or("", |(_, name)| name);
        let gap = hit.gap * 1000.0;
        println!("{what} is stopped after {turned:.2} degrees, {gap:.3} mm before the {name}");
        Some(hit.t)
    }
}

fn main() -> Result<(), Error> {
    let mut level = Level {
        world: World::new(),
        names: Vec::new(),
    };
    level.add("floor", Aabb::new([-20.0, -1.0, -20.0], [20.0, 0.0, 20.0])?);
    let crate_box = level.add("crate", Aabb::new([0.3, 0.0, -0.9], [0.8, 0.5, -0.4])?);
    level.add(
        "guard",
        Capsule::new([7.0, 0.3, 1.0], [7.0, 1.6, 1.0], 0.3)?,
    );
    level.add("post", Aabb::new([-10.2, 0.0, 3.3], [-9.8, 3.0, 3.7])?);
    level.world.update();
    let all = QueryFilter::new();

    // The door stands on the floor and slides over it: only the crate stops it.
    let opening = door(Vec3::ZERO)?;
    let at_crate = level.told("the door", &opening, all);
    assert!(at_crate.is_some_and(|t| t > 0.2 && t < 0.4));
    let without = all.exclude_one(crate_box);
    assert_eq!(
        level.told("the door without the crate", &opening, without),
        None
    );

    let met = level.told("the sword", &stroke(Vec3::new(6.0, 0.0, 0.0))?, all);
    assert!(met.is_some_and(|t| t > 0.5 && t < 1.0));

    let pin = Vec3::new(-10.0, 2.0, 0.0);
    let met = level.told("the low beam", &beam(pin)?, all);
    assert!(met.is_some_and(|t| t < 0.05));
    let met = level.told("the beam above", &beam(pin + Vec3::Y * 1.5)?, all);
    assert_eq!(met, None);
    Ok(())
}
