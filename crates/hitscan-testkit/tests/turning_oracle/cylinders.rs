//! Cylinders that turn, and cylinders in the way of what turns: no point of one is ever in the other before the
//! answer, and there the two are as near as it says.

use crate::bodies::{Body, Turn};
use crate::round_bodies::RoundBody;
use crate::round_checks::{Seen, check};
use crate::shapes;
use hitscan::glam::{DQuat, DVec3, Vec3};
use hitscan::{
    Aabb, Capsule, Cylinder, Obb, Primitive, ShapeCast, Sphere, Triangle, TurningCast, TurningHit,
    TurningStatus, World,
};
use hitscan_testkit::{Rng, has_usual_numbers, rounds};

/// An obstacle of each sort.
enum Obstacle {
    Solid(Primitive),
    Triangle(Triangle),
}

impl Obstacle {
    fn cast_turning(&self, cast: &TurningCast) -> Option<TurningHit> {
        match self {
            Self::Solid(solid) => solid.cast_turning(cast),
            Self::Triangle(triangle) => triangle.cast_turning(cast),
        }
    }
}

fn drum(a: Vec3, b: Vec3, radius: f64) -> (Primitive, RoundBody) {
    let body = RoundBody::Drum {
        ends: [a.as_dvec3(), b.as_dvec3()],
        radius,
    };
    (Cylinder::new(a, b, radius).unwrap().into(), body)
}

fn random_drum(rng: &mut Rng, at: Vec3, size: f32) -> (Primitive, RoundBody) {
    let way = match rng.below(3) {
        0 => Vec3::Y * rng.uniform_f32(0.01, size),
        _ => shapes::point(rng, size),
    };
    drum(at - way, at + way, rng.uniform(0.02, f64::from(size)))
}

/// A block whose sides are along the axes.
fn block(min: Vec3, max: Vec3) -> (Primitive, RoundBody) {
    let half = (max - min).as_dvec3() * 0.5;
    let body = RoundBody::Block {
        middle: min.as_dvec3() + half,
        halves: [DVec3::X * half.x, DVec3::Y * half.y, DVec3::Z * half.z],
    };
    (Aabb::new(min, max).unwrap().into(), body)
}

fn random_solid(rng: &mut Rng, at: Vec3, size: f32) -> (Primitive, RoundBody) {
    let length = |rng: &mut Rng| rng.uniform_f32(0.05, size);
    let half = Vec3::new(length(rng), length(rng), length(rng));
    let radius = f64::from(length(rng));
    match rng.below(5) {
        0 => {
            let ends = [at.as_dvec3(); 2];
            let body = RoundBody::Rod { ends, radius };
            (Sphere::new(at, radius).unwrap().into(), body)
        }
        1 => {
            let radius = 0.25 * radius;
            let ends = [at - half, at + half];
            let body = RoundBody::Rod {
                ends: ends.map(Vec3::as_dvec3),
                radius,
            };
            let rod = Capsule::new(ends[0], ends[1], radius).unwrap();
            (rod.into(), body)
        }
        2 => block(at - half, at + half),
        3 => {
            let turn = DQuat::from_axis_angle(DVec3::Z, 0.75);
            let long = half.as_dvec3();
            let halves = [DVec3::X * long.x, DVec3::Y * long.y, DVec3::Z * long.z];
            let body = RoundBody::Block {
                middle: at.as_dvec3(),
                halves: halves.map(|half| turn * half),
            };
            (Obb::new(at, half, turn).unwrap().into(), body)
        }
        _ => random_drum(rng, at, size),
    }
}

fn random_obstacle(rng: &mut Rng, at: Vec3, size: f32) -> (Obstacle, RoundBody) {
    if rng.one_in(4) {
        let corners = [0; 3].map(|_| at + shapes::point(rng, size));
        let sheet = Triangle::new(corners[0], corners[1], corners[2]).unwrap();
        return (
            Obstacle::Triangle(sheet),
            RoundBody::Sheet(corners.map(Vec3::as_dvec3)),
        );
    }
    let (solid, body) = random_solid(rng, at, size);
    (Obstacle::Solid(solid), body)
}

fn turning(
    shape: &Primitive,
    motion: Vec3,
    (axis, angle): (Vec3, f64),
    pivot: Option<Vec3>,
) -> (TurningCast, Turn) {
    let none = Body {
        points: Vec::new(),
        radius: 0.0,
    };
    crate::turning(&(shape.clone(), none), motion, (axis, angle), pivot)
}

fn random_motion(rng: &mut Rng, shape: &Primitive) -> (TurningCast, Turn) {
    let motion = match rng.below(3) {
        0 => Vec3::ZERO,
        _ => shapes::point(rng, 4.0),
    };
    let axis = match rng.below(3) {
        0 => Vec3::Y,
        _ => shapes::point(rng, 1.0),
    };
    let angle = match rng.below(6) {
        0 => rng.uniform(-60.0, 60.0),
        _ => rng.uniform(-4.0, 4.0),
    };
    let pivot = rng.one_in(2).then(|| shapes::point(rng, 3.0));
    turning(shape, motion, (axis, angle), pivot)
}

#[test]
fn cylinders_and_what_they_meet_are_answered_as_points_say() {
    let mut rng = Rng::new(396);
    let mut seen = Seen::default();
    for round in 0..rounds(600) {
        let (shape, body) = match round % 2 {
            0 => random_drum(&mut rng, Vec3::ZERO, 1.0),
            _ => random_solid(&mut rng, Vec3::ZERO, 1.0),
        };
        let (cast, turn) = random_motion(&mut rng, &shape);
        let point = body.any_point(&mut rng);
        let way = turn.carried(point, rng.uniform(0.0, 1.0)).as_vec3();
        let at = way + shapes::point(&mut rng, 1.5);
        let (obstacle, other) = match round % 2 {
            0 => random_obstacle(&mut rng, at, 1.0),
            _ => {
                let (solid, body) = random_drum(&mut rng, at, 1.0);
                (Obstacle::Solid(solid), body)
            }
        };
        let found = obstacle.cast_turning(&cast);
        check(&(cast, turn), [&body, &other], found.as_ref(), &mut seen);
    }
    println!("{seen:?}");
    assert_eq!(seen.undecided, 0, "{seen:?}");
    if has_usual_numbers() {
        assert!(
            seen.hits >= rounds(100) && seen.misses >= rounds(100) && seen.overlaps >= rounds(20),
            "{seen:?}"
        );
    }
}

/// A floor at the height 0.
fn floor() -> (Triangle, RoundBody) {
    let corners = [[-9.0, 0.0, -9.0], [0.0, 0.0, 9.0], [9.0, 0.0, -9.0]];
    let floor = Triangle::new(corners[0], corners[1], corners[2]).unwrap();
    (
        floor,
        RoundBody::Sheet(corners.map(|corner| Vec3::from(corner).as_dvec3())),
    )
}

/// What a cylinder comes to on the floor.
fn on_floor(
    (shape, body): &(Primitive, RoundBody),
    motion: [f32; 3],
    (axis, angle): (Vec3, f64),
    pivot: Option<[f32; 3]>,
) -> Option<TurningHit> {
    let moving = turning(shape, motion.into(), (axis, angle), pivot.map(Vec3::from));
    let (floor, sheet) = floor();
    let found = floor.cast_turning(&moving.0);
    check(
        &moving,
        [body, &sheet],
        found.as_ref(),
        &mut Seen::default(),
    );
    found
}

fn assert_enters(found: Option<TurningHit>) {
    let hit = found.expect("it moves in");
    assert_eq!((hit.status, hit.t, hit.gap), (TurningStatus::Hit, 0.0, 0.0));
    assert!(hit.normal.y > 0.999_999, "{hit:?}");
}

#[test]
fn a_wheel_rolls_on() {
    let wheel = drum(Vec3::new(-0.125, 0.5, 0.0), Vec3::new(0.125, 0.5, 0.0), 0.5);
    assert_eq!(
        on_floor(&wheel, [0.0, 0.0, 3.0], (Vec3::X, 6.0), None),
        None
    );
    assert_eq!(
        on_floor(&wheel, [0.0, 0.5, -3.0], (Vec3::X, -600.0), None),
        None
    );
    assert_enters(on_floor(&wheel, [0.0, -0.5, 3.0], (Vec3::X, 6.0), None));
    // About its own axis, but off it: the axis swings down.
    let below = Some([0.0, 0.25, -2.0]);
    assert_enters(on_floor(&wheel, [0.0; 3], (Vec3::X, 0.5), below));
    assert_eq!(on_floor(&wheel, [0.0; 3], (Vec3::X, -0.5), below), None);
}

#[test]
fn a_drum_on_the_floor_spins_tips_and_is_lifted() {
    let drum = drum(Vec3::ZERO, Vec3::Y, 0.5);
    for motion in [[0.0; 3], [2.0, 0.0, 1.0], [0.5, 0.25, 0.0]] {
        for angle in [0.5, -7.0, 1e6] {
            assert_eq!(on_floor(&drum, motion, (Vec3::Y, angle), None), None);
        }
    }
    for axis in [Vec3::X, Vec3::Z, Vec3::new(1.0, 0.25, 3.0)] {
        assert_enters(on_floor(&drum, [0.0; 3], (axis, 0.5), None));
        assert_eq!(on_floor(&drum, [0.0, 4.0, 0.0], (axis, 0.5), None), None);
    }
    let beside = Some([-2.0, 0.0, 0.0]);
    assert_eq!(on_floor(&drum, [0.0; 3], (Vec3::Z, 1.5), beside), None);
    assert_enters(on_floor(&drum, [0.0; 3], (Vec3::Z, -1.5), beside));
}

#[test]
fn a_drum_that_lies_on_another_leaves_it_as_it_swings() {
    // Crossed: they touch in a point, and one end of the upper goes down.
    let lower = drum(Vec3::new(-4.0, -0.5, 0.0), Vec3::new(4.0, -0.5, 0.0), 0.5);
    let upper = drum(Vec3::new(0.0, 0.5, -4.0), Vec3::new(0.0, 0.5, 4.0), 0.5);
    let cast = |motion: [f32; 3], axis: Vec3, angle: f64, seen: &mut Seen| {
        let moving = turning(&upper.0, motion.into(), (axis, angle), None);
        let found = lower.0.cast_turning(&moving.0);
        check(&moving, [&upper.1, &lower.1], found.as_ref(), seen);
        found
    };
    let mut seen = Seen::default();
    assert_eq!(cast([0.0, 0.5, 0.0], Vec3::X, 0.25, &mut seen), None);
    assert_eq!(
        cast([0.0, 0.5, 0.0], Vec3::new(1.0, 0.0, 1.0), -0.25, &mut seen),
        None
    );
    assert_enters(cast([0.0, -0.5, 0.0], Vec3::X, 0.25, &mut seen));
    assert_eq!(cast([2.0, 0.0, 0.0], Vec3::Y, 1.5, &mut seen), None);
}

#[test]
fn what_is_a_hair_from_a_drum_does_not_stick() {
    let hair = 1.0 / 1_048_576.0;
    let pillar = drum(Vec3::new(0.0, -1.0, 0.0), Vec3::new(0.0, 1.0, 0.0), 0.5);
    let beam = block(
        Vec3::new(-3.0, -0.25, 0.5 + hair),
        Vec3::new(3.0, 0.25, 1.0),
    );
    let cast = |motion: [f32; 3], angle: f64| {
        let moving = turning(&beam.0, motion.into(), (Vec3::X, angle), None);
        let found = pillar.0.cast_turning(&moving.0);
        check(
            &moving,
            [&beam.1, &pillar.1],
            found.as_ref(),
            &mut Seen::default(),
        );
        found
    };
    assert_eq!(cast([0.5, 0.0, 1.0], 0.5), None);
    let hit = cast([0.5, 0.0, -1.0], 0.5).expect("it goes in");
    assert!(f64::from(hit.gap) <= 0.5 * f64::from(hair), "{hit:?}");
}

#[test]
fn a_beam_comes_to_a_pillar_in_a_world() {
    let pillar = Cylinder::new([3.0, -1.0, 0.0], [3.0, 1.0, 0.0], 0.5).unwrap();
    let mut world = World::new();
    let id = world.add(pillar);
    world.update();
    let beam = Aabb::new([-0.25; 3], [0.25; 3]).unwrap();
    let cast = |motion: [f32; 3], angle| {
        let turning = ShapeCast::new(beam, motion)
            .unwrap()
            .turning(Vec3::Y, angle);
        world.now().cast_turning(&turning.unwrap(), ())
    };
    let hit = cast([8.0, 0.0, 0.0], 1.0).unwrap();
    assert_eq!((hit.status, hit.object), (TurningStatus::Hit, Some(id)));
    // With an edge in front it would be there sooner than with a face.
    assert!(
        hit.t > 0.265 && hit.t < 0.28125 && hit.gap <= 5e-5,
        "{hit:?}"
    );
    assert_eq!(cast([0.0, 0.0, 8.0], 1.0), None);
    // Without an angle the plain cast answers.
    let plain = cast([8.0, 0.0, 0.0], 0.0).unwrap();
    assert_eq!((plain.status, plain.t), (TurningStatus::Hit, 0.28125));
}
