//! Shapes that turn against poses that are sampled densely: no miss overlaps at any time, no hit passes an overlap,
//! and at a hit the gap is what the answer says.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

mod bodies;
mod checks;
mod cylinders;
mod movers;
mod objects;
mod round_bodies;
mod round_checks;
mod shapes;
mod starts;

use bodies::{Body, Turn};
use checks::{Seen, check};
use hitscan::glam::{DVec3, Vec3};
use hitscan::{Primitive, ShapeCast, TurningCast};
use hitscan_testkit::{Rng, has_usual_numbers, rounds};

/// A turn as both take it.
pub(crate) fn turning(
    (shape, body): &(Primitive, Body),
    motion: Vec3,
    (axis, angle): (Vec3, f64),
    pivot: Option<Vec3>,
) -> (TurningCast, Turn) {
    let cast = ShapeCast::new(shape.clone(), motion).unwrap();
    let mut cast = cast.turning(axis, angle).unwrap();
    if let Some(pivot) = pivot {
        cast = cast.about(pivot).unwrap();
    }
    let turn = Turn {
        body: body.clone(),
        motion: motion.as_dvec3(),
        axis: axis.as_dvec3(),
        angle,
        pivot: cast.pivot(),
    };
    (cast, turn)
}

/// A turn like those of games, or a nasty one.
pub(crate) fn random_turn(rng: &mut Rng, scale: f32) -> (TurningCast, Turn) {
    let at = shapes::point(rng, 2.0 * scale);
    let solid = shapes::solid(rng, at, scale);
    let motion = match rng.below(4) {
        0 => Vec3::ZERO,
        1 => Vec3::new(rng.uniform_f32(-3.0, 3.0), 0.0, 0.0) * scale,
        _ => shapes::point(rng, 4.0 * scale),
    };
    let axis = match rng.below(3) {
        0 => Vec3::Y * 3.0,
        1 => Vec3::Z,
        _ => shapes::point(rng, 1.0),
    };
    let angle = match rng.below(5) {
        0 => rng.uniform(-0.1, 0.1),
        1 => rng.uniform(-40.0, 40.0),
        _ => rng.uniform(-4.0, 4.0),
    };
    let pivot = match rng.below(4) {
        0 => Some(shapes::point(rng, 2.0 * scale)),
        1 => Some(at + shapes::point(rng, 1.0) * (30.0 * scale)),
        _ => None,
    };
    let (cast, turn) = turning(&solid, motion, (axis, angle), pivot);
    let tolerance = cast.tolerance();
    let cast = match rng.below(3) {
        0 => cast.with_tolerance(tolerance * 100.0).unwrap(),
        1 => cast.with_tolerance(tolerance * 0.01).unwrap(),
        _ => cast,
    };
    (cast, turn)
}

/// A point that the body passes, or nearly.
pub(crate) fn on_the_way(rng: &mut Rng, turn: &Turn, scale: f32) -> Vec3 {
    let body = turn.at(rng.uniform(0.1, 1.0));
    let corner = body.points[rng.below(body.points.len())];
    corner.as_vec3() + shapes::point(rng, scale)
}

#[test]
fn solids_and_triangles_at_every_scale() {
    let mut rng = Rng::new(317);
    let mut seen = Seen::default();
    for round in 0..rounds(1500) {
        let scale = match round % 8 {
            0 => f32::from_bits(0x2b80_0000), // 2^-40
            1 => f32::from_bits(0x5380_0000), // 2^40
            _ => 1.0,
        };
        let (cast, turn) = random_turn(&mut rng, scale);
        let at = on_the_way(&mut rng, &turn, scale);
        let (found, body) = if rng.one_in(3) {
            let (triangle, body) = shapes::triangle(&mut rng, at, 2.0 * scale);
            (triangle.cast_turning(&cast), body)
        } else {
            let (solid, body) = shapes::solid(&mut rng, at, scale);
            (solid.cast_turning(&cast), body)
        };
        check(
            &turn,
            &[body],
            0,
            cast.tolerance(),
            found.as_ref(),
            &mut seen,
        );
    }
    println!("{seen:?}");
    if has_usual_numbers() {
        assert!(
            seen.misses >= rounds(200) && seen.hits >= rounds(400),
            "{seen:?}"
        );
        assert!(
            seen.overlaps >= rounds(50) && seen.undecided == 0,
            "{seen:?}"
        );
    }
}

#[test]
fn boxes_that_turn_into_each_other_are_never_missed() {
    // parry's issue 317: two boxes that plainly run into each other while one turns.
    let mut seen = Seen::default();
    let half = Vec3::new(0.5, 2.0, 0.25);
    let body = Body {
        points: shapes::corners(-half.as_dvec3(), half.as_dvec3()),
        radius: 0.0,
    };
    let shape: Primitive = hitscan::Aabb::new(-half, half).unwrap().into();
    for step in 0..90_u8 {
        let angle = 0.1 * f64::from(step) - 4.45;
        let motion = Vec3::new(6.0, 0.0, 0.5);
        let turn = (Vec3::new(0.0, 0.2, 1.0), angle);
        let (cast, turn) = turning(&(shape.clone(), body.clone()), motion, turn, None);
        let (min, max) = (Vec3::new(3.0, -1.0, -1.0), Vec3::new(4.0, 1.0, 1.0));
        let wall = Body {
            points: shapes::corners(min.as_dvec3(), max.as_dvec3()),
            radius: 0.0,
        };
        let found = hitscan::Aabb::new(min, max).unwrap().cast_turning(&cast);
        assert!(
            found.is_some_and(|hit| hit.normal.x < 0.0),
            "{angle} {found:?}"
        );
        check(
            &turn,
            &[wall],
            0,
            cast.tolerance(),
            found.as_ref(),
            &mut seen,
        );
    }
    assert_eq!(seen.hits, 90);
}

#[test]
fn a_fast_sword_meets_a_thin_post() {
    // godot-jolt's issue 389: a blade that turns by more than half a circle a step passes what is between.
    let mut seen = Seen::default();
    let (a, b, radius) = (Vec3::new(0.25, 1.0, 0.0), Vec3::new(1.25, 1.0, 0.0), 0.0125);
    let shape: Primitive = hitscan::Capsule::new(a, b, radius).unwrap().into();
    let body = Body {
        points: vec![a.as_dvec3(), b.as_dvec3()],
        radius,
    };
    for step in 1..40_u8 {
        let place = 0.15 * f64::from(step);
        let [sine, cosine] = [libm::sin(place), libm::cos(place)].map(|x| x * 0.9);
        #[expect(clippy::cast_possible_truncation, reason = "a place near enough")]
        let at = Vec3::new(cosine as f32, 0.0, -sine as f32);
        let (min, max) = (
            at - Vec3::new(0.01, 0.0, 0.01),
            at + Vec3::new(0.01, 2.0, 0.01),
        );
        let post = Body {
            points: shapes::corners(min.as_dvec3(), max.as_dvec3()),
            radius: 0.0,
        };
        for angle in [6.2, 50.0, 2000.0] {
            let turn = (Vec3::Y, angle);
            let solid = (shape.clone(), body.clone());
            let (cast, turn) = turning(&solid, Vec3::ZERO, turn, Some(Vec3::ZERO));
            let found = hitscan::Aabb::new(min, max).unwrap().cast_turning(&cast);
            let hit = found.expect("the post is in the way");
            // The blade is 0.0125 thick, the post 0.01: they meet that much earlier.
            let early = place - f64::from(hit.t) * angle;
            assert!((0.0..0.05).contains(&early), "{place} {angle} {hit:?}");
            check(
                &turn,
                std::slice::from_ref(&post),
                0,
                cast.tolerance(),
                Some(&hit),
                &mut seen,
            );
        }
    }
    assert_eq!(seen.hits, 117);
}

#[test]
fn a_wall_as_thin_as_nothing_stops_what_spins_towards_it() {
    let mut rng = Rng::new(318);
    let mut seen = Seen::default();
    for _ in 0..rounds(200) {
        let mut solid = shapes::solid(&mut rng, Vec3::ZERO, 0.5);
        while solid.1.points.len() == 1 {
            solid = shapes::solid(&mut rng, Vec3::ZERO, 0.5);
        }
        let turn = (shapes::point(&mut rng, 1.0), rng.uniform(-200.0, 200.0));
        let (cast, turn) = turning(&solid, Vec3::X * 4.0, turn, None);
        let (min, max) = (Vec3::new(2.0, -3.0, -3.0), Vec3::new(2.0, 3.0, 3.0));
        let door = hitscan::Aabb::new(min, max).unwrap();
        let body = Body {
            points: vec![
                DVec3::new(2.0, -3.0, -3.0),
                DVec3::new(2.0, 3.0, -3.0),
                DVec3::new(2.0, -3.0, 3.0),
                DVec3::new(2.0, 3.0, 3.0),
            ],
            radius: 0.0,
        };
        let found = door.cast_turning(&cast);
        assert!(found.is_some(), "{turn:?}");
        check(
            &turn,
            &[body],
            0,
            cast.tolerance(),
            found.as_ref(),
            &mut seen,
        );
    }
}

#[test]
fn numbers_at_the_ends_of_their_ranges_have_an_answer() {
    let mut rng = Rng::new(319);
    let sizes: [f32; 5] = [1e-30, 1e-12, 1.0, 1e12, 9e17];
    let mut found = 0;
    for _ in 0..rounds(1000) {
        let mut size = || sizes[rng.below(sizes.len())];
        let (place, half, far, motion) = (size(), size(), size(), size());
        let at = shapes::point(&mut rng, place.min(4e17));
        let (shape, _) = shapes::solid(&mut rng, at, half.min(2e17));
        let motion = match rng.below(4) {
            0 => Vec3::splat(3e38),
            _ => shapes::point(&mut rng, motion),
        };
        let axis = Vec3::new(1e-38, rng.uniform_f32(-1.0, 1.0) * 3e38, 1.0);
        let angle = [1e-300, 1.0, -30.0, 5000.0][rng.below(4)];
        let cast = ShapeCast::new(shape, motion).unwrap();
        let cast = cast.turning(axis, angle).unwrap();
        let cast = cast.about(shapes::point(&mut rng, far)).unwrap();
        let at = shapes::point(&mut rng, place.min(4e17));
        let hit = if rng.one_in(2) {
            let (triangle, _) = shapes::triangle(&mut rng, at, half.min(2e17));
            triangle.cast_turning(&cast)
        } else {
            let (solid, _) = shapes::solid(&mut rng, at, half.min(2e17));
            solid.cast_turning(&cast)
        };
        if let Some(hit) = hit {
            found += 1;
            assert!((0.0..=1.0).contains(&hit.t) && hit.gap >= 0.0, "{hit:?}");
            assert!(hit.gap.is_finite() && hit.normal.is_finite(), "{hit:?}");
        }
    }
    assert!(found >= rounds(20), "{found}");
}
