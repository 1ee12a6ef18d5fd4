//! Shapes that touch at the start, or nearly: what parts and what slides does not stick, and what moves in is stopped
//! there.

use crate::bodies::{Body, Turn};
use crate::checks::{Seen, check};
use crate::{shapes, turning};
use hitscan::glam::{DVec3, Vec3};
use hitscan::{Aabb, Capsule, ConvexHull, Primitive, Sphere, Triangle, TurningHit, TurningStatus};
use hitscan_testkit::{Rng, has_usual_numbers, rounds};

/// A floor for a shape of 1 m to rest on, with room around it.
fn floor() -> Triangle {
    Triangle::new([-9.0, 0.0, -9.0], [0.0, 0.0, 9.0], [9.0, 0.0, -9.0]).unwrap()
}

fn cube(bottom: f32) -> (Primitive, Body) {
    let (min, max) = (
        Vec3::new(-0.5, bottom, -0.5),
        Vec3::new(0.5, bottom + 1.0, 0.5),
    );
    let body = Body {
        points: shapes::corners(min.as_dvec3(), max.as_dvec3()),
        radius: 0.0,
    };
    (Aabb::new(min, max).unwrap().into(), body)
}

/// What a shape comes to on the floor.
fn on_floor(
    solid: &(Primitive, Body),
    motion: [f32; 3],
    axis: [f32; 3],
    angle: f64,
    pivot: Option<[f32; 3]>,
) -> Option<TurningHit> {
    let pivot = pivot.map(Vec3::from);
    let (cast, turn) = turning(solid, motion.into(), (axis.into(), angle), pivot);
    let found = floor().cast_turning(&cast);
    let corners = [[-9.0, 0.0, -9.0], [0.0, 0.0, 9.0], [9.0, 0.0, -9.0]];
    let body = Body {
        points: corners.map(DVec3::from).to_vec(),
        radius: 0.0,
    };
    check(
        &turn,
        &[body],
        0,
        cast.tolerance(),
        found.as_ref(),
        &mut Seen::default(),
    );
    found
}

fn assert_entered(found: Option<TurningHit>) {
    let hit = found.expect("it moves in");
    assert_eq!((hit.status, hit.t, hit.gap), (TurningStatus::Hit, 0.0, 0.0));
    assert_eq!(hit.normal, Vec3::Y);
}

const Y: [f32; 3] = [0.0, 1.0, 0.0];
const Z: [f32; 3] = [0.0, 0.0, 1.0];

#[test]
fn what_slides_across_the_axis_is_not_met() {
    let cube = cube(0.0);
    for motion in [[0.0; 3], [2.0, 0.0, 1.0], [0.5, 0.25, 0.0]] {
        for angle in [0.5, -7.0, 1e6] {
            assert_eq!(on_floor(&cube, motion, Y, angle, None), None);
        }
    }
    assert_entered(on_floor(&cube, [1.0, -0.5, 0.0], Y, 3.0, None));
    let (a, b) = (Vec3::new(-1.0, 0.25, 0.0), Vec3::new(1.0, 0.25, 0.0));
    let body = Body {
        points: vec![a.as_dvec3(), b.as_dvec3()],
        radius: 0.25,
    };
    let rod = (Capsule::new(a, b, 0.25).unwrap().into(), body);
    assert_eq!(on_floor(&rod, [1.0, 0.0, 0.0], Y, 20.0, None), None);
    assert_entered(on_floor(&rod, [1.0, -1.0, 0.0], Y, 20.0, None));
}

#[test]
fn what_tips_is_stopped_and_what_is_lifted_is_let_go() {
    let cube = cube(0.0);
    // About its middle: one half of the base goes down.
    assert_entered(on_floor(&cube, [0.0; 3], Z, 0.5, None));
    // About a point beside it: all of the base rises, or all of it sinks.
    let beside = Some([-2.0, 0.0, 0.0]);
    assert_eq!(on_floor(&cube, [0.0; 3], Z, 1.5, beside), None);
    assert_entered(on_floor(&cube, [0.0; 3], Z, -1.5, beside));
    // Over and down, on the other side of the point.
    let hit = on_floor(&cube, [0.0; 3], Z, 6.0, beside).expect("it comes down");
    let is_beyond = hit.normal.y > 0.9 && hit.point.x < -3.0;
    assert!(is_beyond && hit.t > 0.4 && hit.t < 0.5, "{hit:?}");
    // Up, faster than it tips.
    assert_eq!(on_floor(&cube, [0.0, 4.0, 0.0], Z, 0.5, None), None);
}

#[test]
fn a_ball_rolls_on() {
    let center = Vec3::new(0.0, 0.5, 0.0);
    let body = Body {
        points: vec![center.as_dvec3()],
        radius: 0.5,
    };
    let ball = (Sphere::new(center, 0.5).unwrap().into(), body);
    assert_eq!(on_floor(&ball, [2.0, 0.0, 0.0], Z, -4.0, None), None);
    assert_eq!(on_floor(&ball, [2.0, 0.5, 0.0], Z, -4.0, None), None);
    assert_entered(on_floor(&ball, [2.0, -0.5, 0.0], Z, -4.0, None));
}

#[test]
fn a_card_on_the_floor_leaves_it_either_way() {
    let corners = [
        [-0.5, 0.0, -0.5],
        [0.5, 0.0, -0.5],
        [-0.5, 0.0, 0.5],
        [0.5, 0.0, 0.5],
    ];
    let body = Body {
        points: corners
            .map(|corner: [f32; 3]| Vec3::from(corner).as_dvec3())
            .to_vec(),
        radius: 0.0,
    };
    let card = (ConvexHull::new(corners).unwrap().into(), body);
    for motion in [[0.0, 2.0, 0.0], [0.0, -2.0, 0.0]] {
        assert_eq!(on_floor(&card, motion, Z, 0.25, None), None);
    }
}

#[test]
fn what_is_a_hair_above_the_floor_does_not_stick() {
    let hair = f32::from_bits(0x3580_0000); // 2^-20
    let cube = cube(hair);
    assert_eq!(on_floor(&cube, [1.0, 0.25, 0.0], Z, 0.2, None), None);
    assert_eq!(on_floor(&cube, [1.0, 0.0, 0.0], Y, 2.0, None), None);
    let hit = on_floor(&cube, [1.0, -0.5, 0.0], Z, 0.2, None).expect("it goes down");
    assert!(hit.gap <= 0.5 * hair && hit.gap > 0.0, "{hit:?}");
}

#[test]
fn corners_edges_and_faces_that_touch_are_decided_by_what_moves_in() {
    let mut rng = Rng::new(391);
    let mut seen = Seen::default();
    for _ in 0..rounds(400) {
        // Boxes with whole corners that share a face, part of it, an edge or a corner.
        let whole = |rng: &mut Rng| f32::from(u8::try_from(rng.below(3)).unwrap()) - 1.0;
        let mut min = Vec3::new(whole(&mut rng), whole(&mut rng), whole(&mut rng)) * 2.0;
        min[rng.below(3)] = if rng.one_in(2) { 2.0 } else { -2.0 };
        let max = min + Vec3::splat(2.0);
        let body = Body {
            points: shapes::corners(min.as_dvec3(), max.as_dvec3()),
            radius: 0.0,
        };
        let solid = (Aabb::new(min, max).unwrap().into(), body);
        let motion = shapes::point(&mut rng, 2.0);
        let turn = (shapes::point(&mut rng, 1.0), rng.uniform(-1.0, 1.0));
        let pivot = rng.one_in(2).then(|| shapes::point(&mut rng, 4.0));
        let (cast, turn): (_, Turn) = turning(&solid, motion, turn, pivot);
        let unit = Aabb::new([0.0; 3], [2.0; 3]).unwrap();
        let obstacle = Body {
            points: shapes::corners(DVec3::ZERO, DVec3::splat(2.0)),
            radius: 0.0,
        };
        let found = unit.cast_turning(&cast);
        check(
            &turn,
            &[obstacle],
            0,
            cast.tolerance(),
            found.as_ref(),
            &mut seen,
        );
    }
    println!("{seen:?}");
    assert_eq!(seen.undecided, 0, "{seen:?}");
    if has_usual_numbers() {
        assert!(
            seen.misses >= rounds(50) && seen.at_start >= rounds(50),
            "{seen:?}"
        );
    }
}

/// A roof with its ridge along x, at the height 0.
fn roof() -> (ConvexHull, Body) {
    let corners = [
        [-2.0, 0.0, 0.0],
        [2.0, 0.0, 0.0],
        [-2.0, -1.0, -1.0],
        [2.0, -1.0, -1.0],
        [-2.0, -1.0, 1.0],
        [2.0, -1.0, 1.0],
    ];
    let body = Body {
        points: corners.map(|corner| Vec3::from(corner).as_dvec3()).to_vec(),
        radius: 0.0,
    };
    (ConvexHull::new(corners).unwrap(), body)
}

/// What lies across the ridge of the roof, which it touches in the origin: a roof that is upside down, its edge alone,
/// a capsule, a sheet.
fn across_the_ridge() -> Vec<(Primitive, Body)> {
    let edge = [Vec3::new(-1.0, 0.0, -2.0), Vec3::new(1.0, 0.0, 2.0)];
    let above = |radius: f32| edge.map(|end| end + Vec3::Y * radius);
    let high = edge.map(|end| end + Vec3::new(0.0, 1.0, 0.5));
    let body = |points: &[Vec3], radius: f64| Body {
        points: points.iter().map(|point| point.as_dvec3()).collect(),
        radius,
    };
    let upside_down = [edge, high, high.map(|end| end - Vec3::Z)].concat();
    let sheet = [edge, high].concat();
    let [a, b] = above(0.25);
    let hull = |points: &[Vec3]| ConvexHull::new(points.iter().copied()).unwrap();
    vec![
        (hull(&upside_down).into(), body(&upside_down, 0.0)),
        (hull(&sheet).into(), body(&sheet, 0.0)),
        (
            Capsule::new(a, b, 0.25).unwrap().into(),
            body(&[a, b], 0.25),
        ),
    ]
}

#[test]
fn edges_that_cross_are_decided_by_their_crossing_alone() {
    let mut rng = Rng::new(397);
    let mut seen = Seen::default();
    let (roof, under) = roof();
    let mut sinking = 0;
    for round in 0..rounds(600) {
        let solids = across_the_ridge();
        let solid = &solids[round % solids.len()];
        let motion = shapes::point(&mut rng, 1.0);
        let turn = (shapes::point(&mut rng, 1.0), rng.uniform(-1.5, 1.5));
        let pivot = rng.one_in(2).then(|| shapes::point(&mut rng, 2.0));
        let (cast, turn) = turning(solid, motion, turn, pivot);
        let speed = |point: DVec3| {
            let unit = turn.axis / turn.axis.length();
            (turn.motion + unit.cross(point - turn.pivot) * turn.angle).y
        };
        let rises = speed(DVec3::ZERO) > 0.0;
        let ends = solid.1.points[..2].iter().map(|end| speed(*end));
        sinking += usize::from(rises && ends.fold(f64::INFINITY, f64::min) < 0.0);
        let found = roof.cast_turning(&cast);
        let place = std::slice::from_ref(&under);
        check(&turn, place, 0, cast.tolerance(), found.as_ref(), &mut seen);
        match found {
            Some(hit) if !rises => assert_eq!((hit.t, hit.gap), (0.0, 0.0), "{turn:?}"),
            None if !rises => panic!("it goes in: {turn:?}"),
            Some(hit) => assert!(hit.t > 0.0, "{turn:?} {hit:?}"),
            None => {}
        }
    }
    println!("{seen:?} {sinking}");
    assert_eq!(seen.undecided, 0, "{seen:?}");
    if has_usual_numbers() {
        assert!(
            seen.at_start >= rounds(100) && seen.misses >= rounds(60) && sinking >= rounds(60),
            "{seen:?} {sinking}"
        );
    }
}

#[test]
fn what_hangs_over_on_both_sides_tips_at_the_edges() {
    // A rod on a box, and a plank: they touch it from edge to edge, and no corner of either is there.
    let table = Aabb::new([-1.0, -1.0, -1.0], [1.0, 0.0, 1.0]).unwrap();
    let under = Body {
        points: shapes::corners(DVec3::splat(-1.0), DVec3::new(1.0, 0.0, 1.0)),
        radius: 0.0,
    };
    let (a, b) = (Vec3::new(-3.0, 0.25, 0.0), Vec3::new(3.0, 0.25, 0.0));
    let rod = Body {
        points: vec![a.as_dvec3(), b.as_dvec3()],
        radius: 0.25,
    };
    let (min, max) = (Vec3::new(-3.0, 0.0, -0.25), Vec3::new(3.0, 0.25, 0.25));
    let plank = Body {
        points: shapes::corners(min.as_dvec3(), max.as_dvec3()),
        radius: 0.0,
    };
    let solids: [(Primitive, Body); 2] = [
        (Capsule::new(a, b, 0.25).unwrap().into(), rod),
        (Aabb::new(min, max).unwrap().into(), plank),
    ];
    let mut seen = Seen::default();
    for solid in &solids {
        for angle in [0.25, -0.25] {
            // Its middle rises, an edge of the table is 1 m away from it.
            for (rise, enters) in [(0.0, true), (0.125, true), (0.5, false)] {
                let motion = Vec3::new(0.0, rise, 0.0);
                let (cast, turn) = turning(solid, motion, (Vec3::Z, angle), None);
                let found = table.cast_turning(&cast);
                let place = std::slice::from_ref(&under);
                check(&turn, place, 0, cast.tolerance(), found.as_ref(), &mut seen);
                if enters {
                    assert_entered(found);
                } else {
                    assert_eq!(found, None);
                }
            }
        }
    }
}

#[test]
fn solids_that_touch_a_floor_or_nearly() {
    let mut rng = Rng::new(392);
    let mut seen = Seen::default();
    for round in 0..rounds(600) {
        let (solid, body) = shapes::solid(&mut rng, Vec3::Y * 3.0, 1.0);
        let lowest = body.points.iter().map(|corner| corner.y);
        let lowest = lowest.fold(f64::INFINITY, f64::min) - body.radius;
        let gap = match round % 4 {
            0 => 0.0,
            1 => 1e-6,
            _ => rng.uniform(0.0, 1e-4),
        };
        #[expect(clippy::cast_possible_truncation, reason = "a level near enough")]
        let level = (lowest - gap) as f32;
        let corners = [[-9.0, level, -9.0], [0.0, level, 9.0], [9.0, level, -9.0]];
        let motion = match round % 3 {
            0 => Vec3::ZERO,
            _ => shapes::point(&mut rng, 1.0),
        };
        let axis = match round % 5 {
            0 => Vec3::Y,
            1 => Vec3::X,
            _ => shapes::point(&mut rng, 1.0),
        };
        let turn = (axis, rng.uniform(-2.0, 2.0));
        let pivot = rng.one_in(2).then(|| shapes::point(&mut rng, 4.0));
        let (cast, turn) = turning(&(solid, body), motion, turn, pivot);
        let floor = Triangle::new(corners[0], corners[1], corners[2]).unwrap();
        let obstacle = Body {
            points: corners.map(|corner| Vec3::from(corner).as_dvec3()).to_vec(),
            radius: 0.0,
        };
        let found = floor.cast_turning(&cast);
        check(
            &turn,
            &[obstacle],
            0,
            cast.tolerance(),
            found.as_ref(),
            &mut seen,
        );
    }
    println!("{seen:?}");
    if has_usual_numbers() {
        assert!(
            seen.misses >= rounds(60) && seen.at_start >= rounds(20),
            "{seen:?}"
        );
        assert!(seen.near_start >= rounds(60), "{seen:?}");
    }
}
