//! Whole objects that turn: each of their pieces against poses that are sampled, and against the pairs one by one.

use crate::bodies::{Body, Turn};
use crate::checks::{Seen, check, check_before};
use crate::shapes;
use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::{
    Compound, CompoundPart, Mover, ObjectCast, Primitive, ShapeCast, TriMesh, TurningHit,
    TurningObjectCast, TurningObjectHit, TurningStatus, World,
};
use hitscan_testkit::{Rng, has_usual_numbers, rounds};

/// A motion like those of games.
#[derive(Debug, Clone)]
struct Motion {
    motion: Vec3,
    axis: Vec3,
    angle: f64,
    pivot: Vec3,
    tolerance: f64,
}

fn random_motion(rng: &mut Rng) -> Motion {
    Motion {
        motion: match rng.below(3) {
            0 => Vec3::ZERO,
            _ => shapes::point(rng, 4.0),
        },
        axis: match rng.below(3) {
            0 => Vec3::Y,
            _ => shapes::point(rng, 1.0),
        },
        angle: match rng.below(4) {
            0 => rng.uniform(-30.0, 30.0),
            _ => rng.uniform(-4.0, 4.0),
        },
        pivot: shapes::point(rng, 2.0),
        tolerance: if rng.one_in(2) { 1e-4 } else { 1e-2 },
    }
}

impl Motion {
    fn cast(&self, mover: impl Into<Mover>) -> TurningObjectCast {
        let cast = ObjectCast::new(mover, self.motion).unwrap();
        let cast = cast.turning(self.axis, self.angle).unwrap();
        let cast = cast.about(self.pivot).unwrap();
        cast.with_tolerance(self.tolerance).unwrap()
    }

    fn turn(&self, body: &Body) -> Turn {
        Turn {
            body: body.clone(),
            motion: self.motion.as_dvec3(),
            axis: self.axis.as_dvec3(),
            angle: self.angle,
            pivot: self.pivot.as_dvec3(),
        }
    }
}

/// Checks an answer of a mover of these pieces; `named` are the piece and the obstacle that it names.
fn check_object(
    motion: &Motion,
    (pieces, obstacles): (&[Body], &[Body]),
    named: [usize; 2],
    found: Option<&TurningObjectHit>,
    seen: &mut Seen,
) {
    let turns: Vec<Turn> = pieces.iter().map(|body| motion.turn(body)).collect();
    if found.is_none_or(|hit| hit.status != TurningStatus::Overlap) {
        let last = found.map_or(1.0, |hit| f64::from(hit.t));
        check_before(&turns, obstacles, last);
    }
    let as_shape = found.map(|hit| TurningHit {
        status: hit.status,
        t: hit.t,
        gap: hit.gap,
        normal: hit.normal,
        point: hit.point,
        object: hit.object,
        user_data: hit.user_data,
        triangle: hit.triangle,
    });
    let [piece, obstacle] = named;
    let near = std::slice::from_ref(&obstacles[obstacle]);
    let tolerance = motion.tolerance;
    check(&turns[piece], near, 0, tolerance, as_shape.as_ref(), seen);
}

#[test]
fn compounds_answer_as_their_parts_one_by_one() {
    let mut rng = Rng::new(393);
    let mut seen = Seen::default();
    for _ in 0..rounds(200) {
        let motion = random_motion(&mut rng);
        let parts: Vec<(Primitive, Body)> = (0..4)
            .map(|_| {
                let at = shapes::point(&mut rng, 1.5);
                shapes::solid(&mut rng, at, 0.5)
            })
            .collect();
        let named = parts.iter().enumerate();
        let named = named.map(|(i, (solid, _))| CompoundPart::new(format!("p{i}"), solid.clone()));
        let compound = Compound::new(named).unwrap();
        let mut world = World::new();
        let mut obstacles = Vec::new();
        for _ in 0..5 {
            let turns = motion.turn(&parts[rng.below(4)].1);
            let at = crate::on_the_way(&mut rng, &turns, 1.5);
            let (solid, body) = shapes::solid(&mut rng, at, 0.5);
            obstacles.push((world.add(solid.clone()), solid, body));
        }
        let mover = world.add(compound.clone());
        world.update();
        let found = world.now().cast_turning_object(&motion.cast(mover), ());
        // From outside of the world, which has no part in it.
        world.remove(mover).unwrap();
        world.update();
        let placed = Mover::placed(compound, DAffine3::IDENTITY).unwrap();
        let outside = world.now().cast_turning_object(&motion.cast(placed), ());
        assert_eq!(found, outside, "{motion:?}");
        // One by one.
        let mut first: Option<f32> = None;
        for (solid, _) in &parts {
            let cast = ShapeCast::new(solid.clone(), motion.motion).unwrap();
            let cast = cast.turning(motion.axis, motion.angle).unwrap();
            let cast = cast.about(motion.pivot).unwrap();
            let cast = cast.with_tolerance(motion.tolerance).unwrap();
            let alone = obstacles
                .iter()
                .map(|(_, obstacle, _)| obstacle.cast_turning(&cast));
            first = alone
                .flatten()
                .map(|hit| hit.t)
                .chain(first)
                .reduce(f32::min);
        }
        assert_eq!(found.map(|hit| hit.t), first, "{motion:?}");
        let place = |hit: &TurningObjectHit| {
            let obstacle = (obstacles.iter()).position(|(id, ..)| Some(*id) == hit.object);
            [hit.mover_triangle.unwrap().part as usize, obstacle.unwrap()]
        };
        let named = found.as_ref().map_or([0; 2], place);
        let pieces: Vec<Body> = parts.into_iter().map(|(_, body)| body).collect();
        let bodies: Vec<Body> = obstacles.into_iter().map(|(.., body)| body).collect();
        check_object(
            &motion,
            (&pieces, &bodies),
            named,
            found.as_ref(),
            &mut seen,
        );
    }
    println!("{seen:?}");
    if has_usual_numbers() {
        assert!(
            seen.hits >= rounds(40) && seen.misses >= rounds(10) && seen.overlaps >= rounds(5),
            "{seen:?}"
        );
    }
}

/// A mesh of triangles at random, and their bodies.
fn mesh(rng: &mut Rng, at: Vec3, count: usize) -> (TriMesh, Vec<Body>) {
    let mut positions = Vec::new();
    for _ in 0..count {
        let near = at + shapes::point(rng, 1.0);
        positions.extend([0; 3].map(|_| near + shapes::point(rng, 0.6)));
    }
    let bodies = positions.chunks(3).map(|corners| Body {
        points: corners.iter().map(|corner| corner.as_dvec3()).collect(),
        radius: 0.0,
    });
    let bodies = bodies.collect();
    let triangles = (0..positions.len() / 3).map(|i| {
        let first = u32::try_from(3 * i).unwrap();
        [first, first + 1, first + 2]
    });
    (
        TriMesh::new(positions, triangles.collect()).unwrap(),
        bodies,
    )
}

#[test]
fn meshes_among_meshes_are_answered_as_sampled_and_the_same_in_any_order() {
    let mut rng = Rng::new(394);
    let mut seen = Seen::default();
    for _ in 0..rounds(100) {
        let motion = random_motion(&mut rng);
        let (mover, pieces) = mesh(&mut rng, Vec3::ZERO, 9);
        let turn = motion.turn(&pieces[0]);
        let at = crate::on_the_way(&mut rng, &turn, 2.5);
        let (obstacle, bodies) = mesh(&mut rng, at, 9);
        let mut world = World::new();
        let [mover, obstacle] = [world.add(mover), world.add(obstacle)];
        world.update();
        let cast = motion.cast(mover);
        let found = world.now().cast_turning_object(&cast, ());
        assert!(found.is_none_or(|hit| hit.object == Some(obstacle)));
        let casts = std::slice::from_ref(&cast);
        assert_eq!(world.now().cast_turning_objects(casts, ())[0], found);
        let place = |hit: &TurningObjectHit| {
            [hit.mover_triangle, hit.triangle].map(|id| id.unwrap().triangle as usize)
        };
        let named = found.as_ref().map_or([0; 2], place);
        check_object(
            &motion,
            (&pieces, &bodies),
            named,
            found.as_ref(),
            &mut seen,
        );
        // The same triangles the other way round.
        let reversed = |bodies: &[Body]| {
            let corners = bodies.iter().rev().flat_map(|body| &body.points);
            let positions: Vec<Vec3> = corners.map(|corner| corner.as_vec3()).collect();
            let triangles = (0..9).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
            TriMesh::new(positions, triangles.collect()).unwrap()
        };
        let mut world = World::new();
        let mover = world.add(reversed(&pieces));
        world.add(reversed(&bodies));
        world.update();
        let other = world.now().cast_turning_object(&motion.cast(mover), ());
        let bits = |hit: Option<TurningObjectHit>| hit.map(|hit| (hit.t.to_bits(), hit.status));
        assert_eq!(bits(other), bits(found), "{motion:?}");
    }
    println!("{seen:?}");
    if has_usual_numbers() {
        assert!(
            seen.hits >= rounds(15) && seen.misses >= rounds(10),
            "{seen:?}"
        );
    }
}

#[test]
fn pivot_and_tolerance_are_those_of_the_box_around_the_mover() {
    let corners = [
        [0.0, 0.0, 0.0],
        [4.0, 0.0, 0.0],
        [4.0, 2.0, 0.0],
        [0.0, 2.0, 1.0],
    ];
    let sail = TriMesh::new(corners.map(Vec3::from).to_vec(), vec![[0, 1, 2], [0, 2, 3]]).unwrap();
    let mut world = World::new();
    let sail = world.add(sail);
    let post = Body {
        points: shapes::corners(DVec3::new(1.5, 0.0, -1.75), DVec3::new(2.5, 2.0, -1.5)),
        radius: 0.0,
    };
    let [min, max] = [post.points[0], post.points[7]].map(|corner| corner.as_vec3());
    world.add(hitscan::Aabb::new(min, max).unwrap());
    world.update();
    let cast = || {
        ObjectCast::new(sail, [0.0; 3])
            .unwrap()
            .turning([0.0, 2.0, 0.0], 1.5)
            .unwrap()
    };
    let usual = world.now().cast_turning_object(&cast(), ()).unwrap();
    let given = cast()
        .about([2.0, 1.0, 0.5])
        .unwrap()
        .with_tolerance(4.0 * 1e-4)
        .unwrap();
    assert_eq!(world.now().cast_turning_object(&given, ()), Some(usual));
    let other = cast().about([2.0, 1.0, 0.0]).unwrap();
    assert_ne!(world.now().cast_turning_object(&other, ()), Some(usual));
}

#[test]
fn what_slides_on_a_floor_does_not_stick_and_what_tips_does() {
    // A crate of twelve triangles on a floor of two.
    let corners = shapes::corners(DVec3::new(-1.0, 0.0, -1.0), DVec3::new(1.0, 2.0, 1.0));
    let quads = [
        [0, 4, 6, 2],
        [1, 3, 7, 5],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 2, 3, 1],
        [4, 5, 7, 6],
    ];
    let halves = quads
        .iter()
        .flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]);
    let positions = corners.iter().map(|corner| corner.as_vec3()).collect();
    let crate_mesh = TriMesh::new(positions, halves.collect()).unwrap();
    let floor = [
        [-9.0, 0.0, -9.0],
        [-9.0, 0.0, 9.0],
        [9.0, 0.0, 9.0],
        [9.0, 0.0, -9.0],
    ];
    let floor = TriMesh::new(floor.map(Vec3::from).to_vec(), vec![[0, 1, 2], [0, 2, 3]]).unwrap();
    let mut world = World::new();
    let [mover, floor] = [world.add(crate_mesh), world.add(floor)];
    world.update();
    let cast = |motion: [f32; 3], axis: [f32; 3], angle: f64| {
        let cast = ObjectCast::new(mover, motion).unwrap();
        let cast = cast.turning(axis, angle).unwrap();
        world.now().cast_turning_object(&cast, ())
    };
    assert_eq!(cast([2.0, 0.0, 1.0], [0.0, 1.0, 0.0], 3.0), None);
    assert_eq!(cast([0.0, 0.5, 0.0], [0.0, -1.0, 0.0], 700.0), None);
    let sunk = cast([0.0, -0.5, 0.0], [0.0, 1.0, 0.0], 1.0).unwrap();
    assert_eq!((sunk.t, sunk.gap, sunk.object), (0.0, 0.0, Some(floor)));
    let tipped = cast([0.0; 3], [0.0, 0.0, 1.0], 0.5).unwrap();
    assert_eq!((tipped.t, tipped.gap), (0.0, 0.0));
}

#[test]
fn an_object_without_an_angle_moves_as_it_stands() {
    let mut rng = Rng::new(395);
    let mut hits = 0;
    for _ in 0..rounds(60) {
        let mut world = World::new();
        let (mover, _) = mesh(&mut rng, Vec3::ZERO, 5);
        let mover = world.add(mover);
        for _ in 0..3 {
            let at = shapes::point(&mut rng, 3.0);
            let (solid, _) = shapes::solid(&mut rng, at, 1.0);
            world.add(solid);
        }
        world.update();
        let plain = ObjectCast::new(mover, shapes::point(&mut rng, 6.0)).unwrap();
        let expected = world.now().cast_object(&plain, ());
        let turning = plain.turning([0.0; 3], 0.0).unwrap();
        let found = world.now().cast_turning_object(&turning, ());
        assert_eq!(
            found.map(|hit| (
                hit.t,
                hit.normal,
                hit.object,
                hit.triangle,
                hit.mover_triangle
            )),
            expected.map(|hit| (
                hit.t,
                hit.normal,
                hit.object,
                hit.triangle,
                hit.mover_triangle
            )),
        );
        hits += usize::from(found.is_some());
    }
    assert!(hits >= rounds(10), "{hits}");
}
