//! Moving boxes and overlaps in worlds of many objects, against the same queries on every
//! object, and of every triangle, one by one; and what holds what.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

use glam::{DAffine3, DVec3, Vec3};
use hitscan::broad_phase::{AabbCast, ImpactStart};
use hitscan::overlap::{OverlapKind, triangle_triangle};
use hitscan::shape_cast::{PairHit, box_triangle};
use hitscan::world::OverlapPair;
use hitscan::{Aabb, ObjectId, Primitive, ShapeHit, Sphere, World};
use hitscan_testkit::closed_mesh::ClosedMesh;
use hitscan_testkit::random_world::{Shape, world_of};
use hitscan_testkit::{Rng, cast_box};
use std::sync::Arc;

const SEED: u64 = 0x0B0E_0003;

fn shapes(count: usize, rng: &mut Rng) -> Vec<Shape> {
    (0..count).map(|_| Shape::random(rng, 2.5)).collect()
}

/// The nearest f32 on the outer side.
fn outward(x: f64, is_upper: bool) -> f32 {
    #[expect(clippy::cast_possible_truncation, reason = "stepped outward below")]
    let rounded = x as f32;
    if is_upper && f64::from(rounded) < x {
        rounded.next_up()
    } else if !is_upper && f64::from(rounded) > x {
        rounded.next_down()
    } else {
        rounded
    }
}

fn expected_bounds(shape: &Shape) -> Option<[Vec3; 2]> {
    let (min, max) = match shape {
        Shape::Sphere(sphere) => {
            let (center, radius) = (sphere.center().as_dvec3(), sphere.radius());
            (center - radius, center + radius)
        }
        Shape::Aabb(aabb) => return Some([aabb.min(), aabb.max()]),
        Shape::Terrain(_) | Shape::Mesh(..) => {
            let corners = shape.triangles().into_iter().flat_map(|one| one.1);
            corners.fold(None, |found: Option<(DVec3, DVec3)>, p| {
                let (min, max) = found.unwrap_or((p, p));
                Some((min.min(p), max.max(p)))
            })?
        }
    };
    let round = |v: DVec3, is_upper| Vec3::from_array(v.to_array().map(|x| outward(x, is_upper)));
    Some([round(min, false), round(max, true)])
}

#[test]
fn bounds_and_touching_bounds_are_those_of_brute_force() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED);
    let (mut pairs, mut flat) = (0, 0);
    for _ in 0..40 {
        let all = shapes(1 + rng.below(40), &mut rng);
        let world = world_of(&all);
        let bounds: Vec<_> = all.iter().map(expected_bounds).collect();
        let ids: Vec<ObjectId> = world.now().objects().collect();
        assert_eq!(ids.len(), all.len());
        for (id, expected) in ids.iter().zip(&bounds) {
            let found = world.now().object_bounds(*id);
            assert_eq!(found.map(|found| [found.min(), found.max()]), *expected);
        }
        let mut expected = Vec::new();
        for a in 0..all.len() {
            for b in a + 1..all.len() {
                let (Some([min_a, max_a]), Some([min_b, max_b])) = (bounds[a], bounds[b]) else {
                    continue;
                };
                let (min, max) = (min_a.max(min_b), max_a.min(max_b));
                if min.cmple(max).all() {
                    expected.push((ids[a], ids[b], min, max));
                }
            }
        }
        let found: Vec<_> = world
            .now()
            .broad_phase_pairs(())
            .iter()
            .map(|pair| {
                let common = pair.intersection;
                (pair.a, pair.b, common.min(), common.max())
            })
            .collect();
        assert_eq!(found, expected);
        pairs += found.len();
        flat += found.iter().filter(|one| one.2.cmpeq(one.3).any()).count();
    }
    println!("{pairs} pairs, {flat} of them touch only");
    assert!(pairs > 2_000 && flat > 30);
}

/// All contacts of one shape, with the triangle.
fn contacts(moving: &AabbCast, shape: &Shape) -> Vec<(Option<u32>, PairHit)> {
    let alone = |hit: ShapeHit| {
        let start = if hit.is_overlap() {
            ImpactStart::Overlap
        } else {
            ImpactStart::Separate
        };
        let (t, normal) = (hit.t, hit.normal);
        (None, PairHit { t, normal, start })
    };
    match shape {
        Shape::Sphere(sphere) => cast_box(moving, *sphere).map(alone).into_iter().collect(),
        Shape::Aabb(aabb) => cast_box(moving, *aabb).map(alone).into_iter().collect(),
        Shape::Terrain(_) | Shape::Mesh(..) => shape
            .triangles()
            .into_iter()
            .filter_map(|(triangle, corners)| {
                Some((Some(triangle), box_triangle(moving, corners)?))
            })
            .collect(),
    }
}

fn random_motion(rng: &mut Rng) -> AabbCast {
    let mut point = |span: f32| {
        let p = Vec3::from_array([0; 3].map(|_| rng.uniform_f32(-span, span)));
        if rng.one_in(2) { p.round() } else { p }
    };
    let (at, size) = (point(7.0), point(1.0).abs());
    let mut motion = point(4.0) - at;
    if rng.one_in(4) {
        motion[rng.below(3)] = 0.0;
    }
    AabbCast::new(Aabb::new(at, at + size).unwrap(), motion).unwrap()
}

#[test]
fn moving_boxes_hit_first_what_they_hit_one_by_one() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED + 1);
    let (mut hits, mut overlaps, mut misses) = (0, 0, 0);
    for _ in 0..30 {
        let all = shapes(1 + rng.below(10), &mut rng);
        let world = world_of(&all);
        for _ in 0..80 {
            let moving = random_motion(&mut rng);
            // Of equal t the lower object; in it an overlap at the start first. Of triangles that are
            // hit at the same reported t any may answer here.
            let all: Vec<_> = all
                .iter()
                .enumerate()
                .flat_map(|(object, shape)| {
                    contacts(&moving, shape)
                        .into_iter()
                        .map(move |(triangle, contact)| (object, triangle, contact))
                })
                .collect();
            let rank = |(object, _, contact): &(usize, Option<u32>, PairHit)| {
                let is_later = contact.start == ImpactStart::Separate;
                (contact.t.to_bits(), *object, is_later)
            };
            let first = all.iter().map(rank).min();
            let found = world.now().cast_shape(&moving.into(), ());
            let Some(found) = found else {
                assert_eq!(first, None, "{moving:?}");
                misses += 1;
                continue;
            };
            assert!(found.triangle.is_none_or(|on| on.part == 0));
            let triangle = found.triangle.map(|on| on.triangle);
            let object = found.object.unwrap().index();
            let own = (found.t.to_bits(), object, !found.is_overlap());
            assert_eq!(Some(own), first, "{moving:?}");
            let answers = |one: &&(usize, Option<u32>, PairHit)| {
                rank(one) == own && one.1 == triangle && one.2.normal == found.normal
            };
            assert!(all.iter().any(|one| answers(&one)), "{found:?} {moving:?}");
            if found.is_overlap() {
                overlaps += 1;
            } else {
                hits += 1;
            }
        }
    }
    println!("{hits} hits, {overlaps} overlaps, {misses} misses");
    assert!(hits > 600 && overlaps > 100 && misses > 100);
}

/// What one pair of triangles, or a triangle and a solid, comes to.
type Detail = (Option<u32>, Option<u32>, OverlapKind, Option<[Vec3; 2]>);

fn details(a: &Shape, b: &Shape) -> Vec<Detail> {
    let mut found = Vec::new();
    let against_solid = |solid: &Shape, corners: &[DVec3; 3]| match solid {
        Shape::Sphere(sphere) => Primitive::from(*sphere).triangle_overlap(corners),
        Shape::Aabb(aabb) => Primitive::from(*aabb).triangle_overlap(corners),
        _ => None,
    };
    let is_solid = |shape: &Shape| matches!(shape, Shape::Sphere(_) | Shape::Aabb(_));
    match (is_solid(a), is_solid(b)) {
        (true, true) => {}
        (true, false) => {
            for (triangle, corners) in b.triangles() {
                if let Some(overlap) = against_solid(a, &corners) {
                    found.push((None, Some(triangle), overlap.kind, overlap.segment));
                }
            }
        }
        (false, true) => {
            for (triangle, corners) in a.triangles() {
                if let Some(overlap) = against_solid(b, &corners) {
                    found.push((Some(triangle), None, overlap.kind, overlap.segment));
                }
            }
        }
        (false, false) => {
            let others = b.triangles();
            for (own, corners) in a.triangles() {
                for (other, other_corners) in &others {
                    if let Some(overlap) = triangle_triangle(&corners, other_corners) {
                        found.push((Some(own), Some(*other), overlap.kind, overlap.segment));
                    }
                }
            }
        }
    }
    found
}

#[test]
fn overlaps_are_those_of_all_pairs_of_triangles() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED + 2);
    let (mut count, mut wholes) = (0, 0);
    for _ in 0..64 {
        let all = shapes(2 + rng.below(5), &mut rng);
        let world = world_of(&all);
        let overlaps = world.now().overlaps(());
        let number = |id: ObjectId| id.index();
        for a in 0..all.len() {
            for b in a + 1..all.len() {
                let (own, whole): (Vec<&OverlapPair>, Vec<&OverlapPair>) = overlaps
                    .iter()
                    .filter(|overlap| {
                        let pair = [number(overlap.a.object), number(overlap.b.object)];
                        pair == [a, b] || pair == [b, a]
                    })
                    .partition(|overlap| {
                        overlap.a.triangle.is_some() || overlap.b.triangle.is_some()
                    });
                wholes += whole.len();
                let found: Vec<Detail> = own
                    .iter()
                    .map(|overlap| {
                        assert_eq!([number(overlap.a.object), number(overlap.b.object)], [a, b]);
                        let triangle = |feature: hitscan::world::OverlapFeature| {
                            feature.triangle.map(|on| on.triangle)
                        };
                        let ends = (triangle(overlap.a), triangle(overlap.b));
                        (ends.0, ends.1, overlap.kind, overlap.segment)
                    })
                    .collect();
                let expected = details(&all[a], &all[b]);
                let is_held = whole.len() == 1 && found.is_empty();
                if is_held && expected.iter().all(|one| one.2 == OverlapKind::Contains) {
                    continue;
                }
                assert_eq!(found, expected, "objects {a} and {b}: {whole:?}");
                count += found.len();
            }
        }
    }
    println!("{count} pairs of triangles, {wholes} whole objects");
    assert!(count > 2_000 && wholes > 5);
}

/// What the world says of two shapes, where neither names triangles.
fn whole(first: &Shape, second: &Shape) -> Option<(OverlapKind, usize, usize)> {
    let overlaps = world_of([first, second]).now().overlaps(());
    overlaps
        .iter()
        .find(|overlap| overlap.a.triangle.is_none() && overlap.b.triangle.is_none())
        .map(|overlap| {
            let (a, b) = (overlap.a.object.index(), overlap.b.object.index());
            (overlap.kind, a, b)
        })
}

/// Checks in both orders whether `outer` holds `inner`, and `inner` never `outer`.
fn holds(outer: &Shape, inner: &Shape) -> bool {
    let contains = |one: Option<(OverlapKind, usize, usize)>, holder| {
        one.is_some_and(|(kind, a, b)| {
            if kind == OverlapKind::Contains {
                assert_eq!(
                    (a, b),
                    (holder, 1 - holder),
                    "the wrong one holds the other"
                );
            }
            kind == OverlapKind::Contains
        })
    };
    let forward = contains(whole(outer, inner), 0);
    assert_eq!(
        forward,
        contains(whole(inner, outer), 1),
        "the order of objects"
    );
    forward
}

fn cube(scale: f64, at: [f64; 3]) -> Shape {
    let placement =
        DAffine3::from_translation(at.into()) * DAffine3::from_scale(DVec3::splat(scale));
    Shape::Mesh(Arc::new(ClosedMesh::cube(1).tri_mesh()), placement)
}

#[test]
fn containers_hold_what_is_in_them() {
    let mut rng = Rng::new(SEED + 3);
    let outer = cube(4.0, [0.0; 3]);
    let mirrored = Shape::Mesh(
        Arc::new(ClosedMesh::cube(2).tri_mesh()),
        DAffine3::from_scale_rotation_translation(
            DVec3::new(-2.0, 2.0, 2.0),
            glam::DQuat::IDENTITY,
            DVec3::new(4.0, 0.0, 0.0),
        ),
    );
    let aabb = |min: [f32; 3], max: [f32; 3]| Shape::Aabb(Aabb::new(min, max).unwrap());
    let ball = |center: [f32; 3], radius| Shape::Sphere(Sphere::new(center, radius).unwrap());
    let block = aabb([0.0; 3], [4.0; 3]);
    let planet = ball([2.0; 3], 4.0);
    let round = ClosedMesh::bumpy_sphere(3, 0.1, &mut rng).tri_mesh();
    let round = Shape::Mesh(
        Arc::new(round),
        DAffine3::from_scale(DVec3::new(5.0, 5.0, -5.0)),
    );
    for (name, outer) in [
        ("cube", &outer),
        ("mirrored cube", &mirrored),
        ("box", &block),
        ("ball", &planet),
    ] {
        for (inside, is_held) in [
            (cube(1.0, [1.0; 3]), true),
            (cube(1.0, [8.0; 3]), false),
            (aabb([1.0; 3], [2.0; 3]), true),
            (ball([2.0; 3], 1.0), true),
            (ball([2.0, 2.0, 20.0], 1.0), false),
            // Through the surface.
            (cube(3.0, [3.0, 3.0, 3.0]), false),
            (aabb([-9.0, 1.0, 1.0], [9.0, 2.0, 2.0]), false),
        ] {
            assert_eq!(holds(outer, &inside), is_held, "{name}: {inside:?}");
        }
    }
    for (name, outer) in [("cube", &outer), ("mirrored", &mirrored), ("box", &block)] {
        // Touching from inside: at a face, in a corner, and everywhere.
        for inside in [
            cube(1.0, [1.0, 0.0, 1.0]),
            cube(1.0, [0.0; 3]),
            cube(2.0, [2.0; 3]),
            ball([2.0, 1.0, 2.0], 1.0),
            aabb([1.0, 1.0, 0.0], [2.0, 2.0, 1.0]),
        ] {
            assert!(holds(outer, &inside), "{name}: {inside:?}");
        }
        // Touching from outside.
        for outside in [
            cube(1.0, [1.0, -1.0, 1.0]),
            cube(1.0, [-1.0; 3]),
            ball([2.0, -1.0, 2.0], 1.0),
            aabb([4.0, 0.0, 0.0], [5.0, 4.0, 4.0]),
        ] {
            assert!(!holds(outer, &outside), "{name}: {outside:?}");
        }
    }
    // A ball that reaches out between the corners of a round mesh, and one that does not.
    assert!(holds(&round, &ball([0.5, 0.0, 0.0], 4.0)));
    assert!(!holds(&round, &ball([0.0; 3], 5.2)));
    assert!(holds(&ball([0.0; 3], 5.6), &round));
    // An open box holds nothing.
    let mut open = ClosedMesh::cube(1);
    open.triangles.pop();
    let open = Shape::Mesh(
        Arc::new(open.tri_mesh()),
        DAffine3::from_scale(DVec3::splat(4.0)),
    );
    assert!(!holds(&open, &cube(1.0, [1.0; 3])));
}

/// A model of two parts: each closed, or halves of one closed surface.
#[test]
fn models_of_several_parts_hold_as_one_or_each_for_itself() {
    use hitscan::model::{Model, ModelData, NodeData, PartData};
    let part = |name: &str, mesh: &ClosedMesh, triangles: &[[u32; 3]]| PartData {
        name: name.into(),
        positions: mesh.positions.clone(),
        triangles: triangles.to_vec(),
        ..PartData::default()
    };
    let model = |parts: Vec<PartData>| {
        let model = Model::new(ModelData {
            nodes: vec![NodeData::default()],
            parts,
            ..ModelData::default()
        });
        Arc::new(model.unwrap())
    };
    let cube = ClosedMesh::cube(4);
    let far = cube.clone().moved(1.0, |p| p + 10.0);
    let (one, other) = cube.triangles.split_at(31);
    let halves = model(vec![part("one", &cube, one), part("other", &cube, other)]);
    let two = model(vec![
        part("near", &cube, &cube.triangles),
        part("far", &far, &far.triangles),
    ]);
    let open = model(vec![part("one", &cube, one)]);
    for (model, is_held) in [(&halves, true), (&two, true), (&open, false)] {
        for mirror in [DVec3::ONE, DVec3::new(-1.0, 1.0, 1.0)] {
            let placement = DAffine3::from_scale(mirror);
            let mut world = World::new();
            world
                .add_model(model, model.rest_pose(), placement)
                .unwrap();
            let center = [2.0 * if mirror.x < 0.0 { -1.0 } else { 1.0 }, 2.0, 2.0];
            world.add(Sphere::new(center, 1.0).unwrap());
            world.update();
            let overlaps = world.now().overlaps(());
            assert_eq!(overlaps.len(), usize::from(is_held));
            for overlap in overlaps {
                assert_eq!(overlap.kind, OverlapKind::Contains);
                let pair = [overlap.a, overlap.b].map(|feature| feature.object.index());
                assert_eq!(pair, [0, 1]);
            }
        }
    }
}
