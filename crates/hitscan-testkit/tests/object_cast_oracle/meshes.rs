//! Random meshes on a grid, so that touches, ties, flush faces and shared edges are common.

use crate::pairs::{Meeting, Whole, minus};
use crate::rules::{Facing, Mesh, Move, Pair, first};
use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::model::{Model, ModelData, NodeData, PartData};
use hitscan::shape_cast::InitialOverlap;
use hitscan::{Mover, ObjectCast, ObjectHit, ObjectId, Sides, TriMesh, World};
use hitscan_testkit::{Rng, rounds};
use std::sync::Arc;

fn whole(rng: &mut Rng, span: usize) -> Whole {
    [(); 3].map(|()| rng.below(span) as i128 - span as i128 / 2)
}

fn moved(corner: Whole, by: Whole) -> Whole {
    [0, 1, 2].map(|i: usize| corner[i] + by[i])
}

/// Triangles that share corners: a fan, a strip, a tetrahedron, a box or a heap.
fn triangles(rng: &mut Rng, at: Whole) -> Vec<[Whole; 3]> {
    let corner = |rng: &mut Rng| moved(whole(rng, 5), at);
    match rng.below(5) {
        0 => {
            let [a, b, c, d] = [(); 4].map(|()| corner(rng));
            vec![[a, b, c], [a, c, d], [a, d, b], [b, d, c]]
        }
        1 => {
            let size = [1 + rng.below(3), rng.below(3), 1 + rng.below(3)].map(|x| x as i128);
            let corner = |bits: usize| {
                let end = |axis: usize| (bits >> axis & 1) as i128 * size[axis];
                moved(at, [end(0), end(1), end(2)])
            };
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
            halves.map(|triangle| triangle.map(corner)).collect()
        }
        2 => {
            // A floor that may bend.
            let heights: Vec<i128> = (0..9).map(|_| i128::from(rng.one_in(4))).collect();
            let corner =
                |i: usize, j: usize| moved(at, [2 * i as i128, heights[3 * j + i], 2 * j as i128]);
            let cells = (0..2).flat_map(|j| (0..2).map(move |i| (i, j)));
            let halves = cells.flat_map(|(i, j)| {
                [
                    [corner(i, j), corner(i, j + 1), corner(i + 1, j)],
                    [corner(i + 1, j), corner(i, j + 1), corner(i + 1, j + 1)],
                ]
            });
            halves.collect()
        }
        _ => {
            let corners: Vec<Whole> = (0..5).map(|_| corner(rng)).collect();
            let count = 1 + rng.below(5);
            (0..count)
                .map(|_| [(); 3].map(|()| corners[rng.below(5)]))
                .collect()
        }
    }
}

fn mesh(rng: &mut Rng, span: usize) -> Mesh {
    let at = whole(rng, span);
    let parts = 1 + rng.below(2);
    (0..parts).map(|_| triangles(rng, at)).collect()
}

fn wide(point: Whole) -> Vec3 {
    Vec3::from_array(point.map(|x| x as f32))
}

fn positions(part: &[[Whole; 3]]) -> Vec<Vec3> {
    part.iter().flatten().map(|corner| wide(*corner)).collect()
}

fn indices(part: &[[Whole; 3]]) -> Vec<[u32; 3]> {
    let firsts = (0..).step_by(3).take(part.len());
    firsts.map(|first| [first, first + 1, first + 2]).collect()
}

fn mesh_of(part: &[[Whole; 3]]) -> TriMesh {
    TriMesh::new(positions(part), indices(part)).expect("corners on a grid")
}

/// A mesh whose place takes it where the whole numbers say.
fn add(world: &mut World, mesh: &Mesh, shift: Whole) -> ObjectId {
    let back = |part: &Vec<[Whole; 3]>| -> Vec<[Whole; 3]> {
        let triangles = part.iter();
        triangles
            .map(|triangle| triangle.map(|at| minus(at, shift)))
            .collect()
    };
    let own: Mesh = mesh.iter().map(back).collect();
    let place = DAffine3::from_translation(DVec3::from_array(shift.map(|x| x as f64)));
    if let [part] = &own[..] {
        return world.add_at(mesh_of(part), place).expect("in range");
    }
    let parts = own.iter().enumerate().map(|(node, part)| PartData {
        name: node.to_string(),
        node,
        positions: positions(part),
        triangles: indices(part),
        ..PartData::default()
    });
    let model = Model::new(ModelData {
        nodes: vec![NodeData::default(); own.len()],
        parts: parts.collect(),
        ..ModelData::default()
    });
    let model = Arc::new(model.expect("a model"));
    world
        .add_model(&model, model.rest_pose(), place)
        .expect("in range")
}

fn check(found: Option<&ObjectHit>, expected: Option<&Pair>, what: &dyn Fn() -> String) {
    let (Some(hit), Some(pair)) = (found, expected) else {
        assert!(
            found.is_none() && expected.is_none(),
            "{found:?} {expected:?} {}",
            what()
        );
        return;
    };
    let context = || format!("{hit:?} {pair:?} {}", what());
    assert_eq!(hit.t, pair.t().rounded(), "{}", context());
    let is_stopped = hit.is_overlap();
    assert_eq!(
        is_stopped,
        matches!(pair.meeting, Meeting::Overlap(_)) && hit.normal == Vec3::ZERO,
        "{}",
        context()
    );
    let id = |triangle: Option<hitscan::TriangleId>| {
        let triangle = triangle.expect("a triangle");
        (triangle.part, triangle.triangle)
    };
    if !is_stopped {
        let is_any = matches!(pair.meeting, Meeting::Hit(_, _, true));
        let normal = pair.normal();
        let unit = DVec3::from_array(normal.map(|x| x as f64)).normalize_or_zero();
        let is_near = (hit.normal.as_dvec3() - unit).length() < 1e-6;
        if is_any && !is_near {
            // Of several edges in a plane: which is left open, and so is what it contradicts.
            return;
        }
        assert!(is_near, "{}", context());
    }
    assert_eq!(
        (id(hit.triangle), id(hit.mover_triangle)),
        (pair.obstacle, pair.mover),
        "{}",
        context()
    );
}

#[test]
fn meshes_that_move_hit_what_all_pairs_of_triangles_say() {
    let mut rng = Rng::new(61);
    let (mut hits, mut overlaps, mut misses, mut ways_out) = (0, 0, 0, 0);
    for _ in 0..rounds(1_000) {
        let span = [3, 5, 9][rng.below(3)];
        let mover = mesh(&mut rng, span);
        let obstacles = [mesh(&mut rng, span), mesh(&mut rng, span)];
        let motion = if rng.one_in(30) {
            [0; 3]
        } else {
            whole(&mut rng, 17)
        };
        let mut world = World::new();
        let ids = obstacles.each_ref().map(|mesh| {
            let shift = whole(&mut rng, 5);
            add(&mut world, mesh, shift)
        });
        let shift = whole(&mut rng, 5);
        let id = add(&mut world, &mover, shift);
        world.update();
        for facing in [Facing::Both, Facing::Front, Facing::Back] {
            let escapes = rng.one_in(3);
            let this = Move {
                motion,
                facing,
                escapes,
            };
            let sides = match facing {
                Facing::Both => Sides::Both,
                Facing::Front => Sides::Front,
                Facing::Back => Sides::Back,
            };
            let overlap = match escapes {
                false => InitialOverlap::Stop,
                true => InitialOverlap::Escape,
            };
            let cast = ObjectCast::new(id, wide(motion)).expect("finite");
            let cast = cast.with_initial_overlap(overlap);
            let now = world.now();
            let all = now.cast_object_all(&cast, sides);
            let what = || format!("{this:?} {mover:?} {obstacles:?}");
            let expected = obstacles.each_ref().map(|mesh| first(mesh, &mover, &this));
            for (of, expected) in ids.iter().zip(&expected) {
                let own = all.iter().find(|hit| hit.object == Some(*of));
                check(own, expected.as_ref(), &what);
                match (own, expected) {
                    (None, _) | (_, None) => misses += 1,
                    (Some(hit), _) if hit.is_overlap() => overlaps += 1,
                    (_, Some(pair)) if matches!(pair.meeting, Meeting::Overlap(_)) => ways_out += 1,
                    _ => hits += 1,
                }
            }
            // The first of all is that of the least reported t, and then of the lowest object.
            let nearest = now.cast_object(&cast, sides);
            assert_eq!(nearest.as_ref(), all.first(), "{}", what());
            assert_eq!(now.cast_object_any(&cast, sides), nearest.is_some());
            assert!(all.is_sorted_by_key(|hit| (hit.t.to_bits(), hit.object)));
            // One that is in no world is moved the same way.
            if let [part] = &mover[..] {
                let placed = Mover::placed(mesh_of(part), DAffine3::IDENTITY).expect("in range");
                let placed = ObjectCast::new(placed, wide(motion)).expect("finite");
                let filter = hitscan::QueryFilter::new().exclude_one(id);
                let placed = placed.with_initial_overlap(overlap);
                assert_eq!(now.cast_object(&placed, (sides, filter)), nearest);
            }
        }
    }
    println!("{hits} hits, {overlaps} overlaps, {ways_out} ways out, {misses} misses");
    assert!(
        hits > rounds(700) && overlaps > rounds(400) && misses > rounds(1_000),
        "{hits} {overlaps} {misses}"
    );
    assert!(ways_out > rounds(50), "{ways_out}");
}
