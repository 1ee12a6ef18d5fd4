//! Traces of rays: the answer is that of the plain walk bit for bit, each box holds what is visited in it,
//! and worlds that are small enough to be followed by hand.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use glam::{DAffine3, Vec3};
use hitscan::explain::{TriangleMiss, Visit, VisitVerdict, Visited};
use hitscan::height_field::{Diagonal, Grid};
use hitscan::model::PosedModel;
use hitscan::{
    Aabb, FilteredBy, HeightField, Model, ObjectId, QueryFilter, Ray, RayCastSettings, RayStart,
    Side, Sides, TriMesh, World,
};
use hitscan_testkit::closed_mesh::ClosedMesh;
use hitscan_testkit::random_world::{Shape, placement};
use hitscan_testkit::traced_ray::check_trace;
use hitscan_testkit::{Rng, has_usual_numbers, random_model};
use std::collections::BTreeMap;
use std::sync::Arc;

const SEED: u64 = 0x0E14_0001;

/// How far from 0 things are, metres.
const SPAN: f32 = 12.0;

fn point(rng: &mut Rng) -> Vec3 {
    Vec3::from_array([0; 3].map(|_| rng.uniform_f32(-SPAN, SPAN)))
}

/// Rough ground of several levels of blocks, some of it level, with holes.
fn ground(rng: &mut Rng) -> HeightField {
    let (columns, rows) = (2 + rng.below(70), 2 + rng.below(70));
    let grid = Grid {
        origin: [-9.0, rng.uniform(-4.0, 0.0), -8.0],
        diagonal: if rng.one_in(2) {
            Diagonal::Main
        } else {
            Diagonal::Anti
        },
        ..Grid::new(
            columns,
            rows,
            [rng.uniform(0.2, 0.5), rng.uniform(0.2, 0.5)],
        )
    };
    let holes = 8 + rng.below(400);
    let heights = (0..columns * rows).map(|sample| {
        if rng.one_in(holes) {
            f32::NAN
        } else if sample / columns % 16 < 6 {
            1.0
        } else {
            rng.uniform_f32(-0.3, 1.5)
        }
    });
    HeightField::new(grid, heights.collect()).unwrap()
}

/// Ground, meshes, solids and models in their poses, in two layers.
fn world(rng: &mut Rng) -> World {
    let mut world = World::new();
    let mut objects = vec![world.add(Arc::new(ground(rng)))];
    for _ in 0..rng.below(12) {
        objects.push(Shape::random(rng, SPAN).add_to(&mut world));
    }
    let sphere = ClosedMesh::bumpy_sphere(3, 0.3, rng).tri_mesh();
    let place = placement(rng, SPAN);
    objects.push(world.add_at(Arc::new(sphere), place).unwrap());
    for _ in 0..2 {
        let model = Arc::new(Model::new(random_model(rng)).unwrap());
        let Ok(posed) = PosedModel::at_clip(&model, 0, rng.uniform(0.0, 2.0)) else {
            continue;
        };
        // Some models are beyond the range once they are placed.
        let place = DAffine3::from_translation(point(rng).as_dvec3());
        objects.extend(world.add_at(Arc::new(posed), place));
    }
    for object in objects {
        if rng.one_in(3) {
            world.set_layers(object, 0b10).unwrap();
        }
    }
    world.update();
    world
}

/// A ray across the world: anywhere, along axes, level with the ground, or limited.
fn ray(rng: &mut Rng) -> Ray {
    loop {
        let (mut from, mut to) = (point(rng), point(rng));
        match rng.below(8) {
            0 => (to.x, to.z) = (from.x, from.z),
            1 => (from.x, to.x) = (from.x.round(), from.x.round()),
            2 => to.y = from.y,
            3 => from *= 1e4,
            _ => {}
        }
        let Ok(ray) = Ray::new(from, to - from) else {
            continue;
        };
        return match rng.below(4) {
            0 => ray
                .with_range(rng.uniform_f32(-1.0, 0.4), rng.uniform_f32(0.4, 2.0))
                .unwrap(),
            1 => ray.with_range(0.0, 1.0).unwrap(),
            _ => ray,
        };
    }
}

#[test]
fn traced_rays_have_the_plain_answers() {
    let mut rng = Rng::new(SEED);
    let mut seen: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let (mut hits, mut exact) = (0, 0);
    for _ in 0..40 {
        let world = world(&mut rng);
        for _ in 0..250 {
            let ray = ray(&mut rng);
            let sides = [Sides::Both, Sides::Both, Sides::Front, Sides::Back][rng.below(4)];
            let start = [RayStart::Solid, RayStart::Hollow][rng.below(2)];
            let settings = RayCastSettings { sides, start };
            let filter = match rng.below(3) {
                0 => QueryFilter::new().layers(0b01),
                _ => QueryFilter::new(),
            };
            let (hit, trace) = check_trace(world.now(), &ray, settings, filter);
            hits += usize::from(hit.is_some());
            for visit in &trace.visits {
                *seen
                    .entry((visit.what.name(), visit.verdict.name()))
                    .or_default() += 1;
                exact += usize::from(visit.is_decided_exactly);
            }
            let (_, cut) = world.now().trace_ray(&ray, (settings, filter), 7);
            let (_, again) = world.now().trace_ray(&ray, (settings, filter), usize::MAX);
            assert_eq!(again, trace);
            assert_eq!(cut.count, trace.count);
            assert_eq!(cut.visits[..], trace.visits[..cut.visits.len()]);
        }
    }
    println!("{hits} hits, {exact} decided exactly, {seen:#?}");
    if has_usual_numbers() {
        for what in ["world_node", "object", "tree_node", "block", "cell", "part"] {
            for verdict in ["missed", "opened"] {
                assert!(seen.contains_key(&(what, verdict)), "{what} {verdict}");
            }
        }
        for verdict in [
            "missed",
            "hit",
            "wrong_side",
            "hole",
            "farther",
            "behind",
            "beyond",
        ] {
            assert!(seen.contains_key(&("triangle", verdict)), "{verdict}");
        }
        assert!(seen.contains_key(&("object", "filtered")) && exact > 10 && hits > 1000);
    }
}

/// What a ray downwards at x, z looks at: names, and verdicts.
fn seen_below(world: &World, [x, z]: [f32; 2], filter: QueryFilter<'_>) -> Vec<Visit> {
    let ray = Ray::new([x, 9.0, z], [0.1, -1.0, 0.0]).unwrap();
    let (_, trace) = check_trace(world.now(), &ray, Sides::Front.into(), filter);
    trace.visits
}

fn names(visits: &[Visit]) -> Vec<String> {
    let name = |visit: &Visit| format!("{} {}", visit.what.name(), visit.verdict.name());
    visits.iter().map(name).collect()
}

/// ```text
///    z      one cell with a hole at (1, 1), over it a triangle seen from behind
///    |
/// 0  +--+ x
///    |0/ 1: the hole
/// 1  +  o
/// ```
#[test]
fn a_small_world_is_followed() {
    let mut world = World::new();
    let heights = vec![0.0, 0.0, 0.0, f32::NAN];
    let field = HeightField::new(Grid::new(2, 2, [1.0, 1.0]), heights).unwrap();
    let ground = world.add(Arc::new(field));
    let positions = [[0.0, 3.0, 0.0], [4.0, 3.0, 0.0], [0.0, 3.0, 4.0]].map(Vec3::from_array);
    let above = TriMesh::new(positions.to_vec(), vec![[0, 1, 2]]).unwrap();
    let above = world.add_at(Arc::new(above), DAffine3::IDENTITY).unwrap();
    world.update();
    // From above the mesh's triangle is seen from behind, and the ground from the front.
    let mut visits = seen_below(&world, [-0.5, 0.25], QueryFilter::new());
    let found = names(&visits);
    assert_eq!(
        found,
        [
            "world_node opened",
            "object opened",
            "tree_node opened",
            "tree_node opened",
            "triangle wrong_side",
            "object opened",
            "block opened",
            "cell opened",
            "triangle hit",
            "triangle hole",
        ]
    );
    let hit = visits.swap_remove(8);
    assert_eq!(
        (hit.object, hit.part, hit.t),
        (Some(ground), Some(0), [9.0; 2])
    );
    assert_eq!(visits[4].verdict, VisitVerdict::WrongSide(Side::Back));
    assert_eq!((visits[4].object, visits[4].t), (Some(above), [6.0; 2]));
    assert_eq!(visits[7].what, Visited::Cell { column: 0, row: 0 });
    // Beside the ground, but in the box of the triangle above; which may be excluded.
    let visits = seen_below(&world, [2.6, 3.6], QueryFilter::new());
    let missed = visits.iter().find(|visit| !visit.what.is_box()).unwrap();
    let Some(TriangleMiss::PassesEdge { edge, weight }) = missed.miss else {
        panic!("{missed:?}")
    };
    assert_eq!(edge, [1, 2]);
    assert!((weight - -0.7).abs() < 1e-6, "{weight}");
    let why = format!("the ray passes its edge v1-v2 on the outside: the weight of v0 is {weight}");
    assert_eq!(missed.sentence(), why);
    let without = [above];
    let filter = QueryFilter::new().exclude(&without);
    let visits = seen_below(&world, [2.6, 3.6], filter);
    let left_out = visits
        .iter()
        .find(|visit| visit.object == Some(above))
        .unwrap();
    assert_eq!(
        left_out.verdict,
        VisitVerdict::Filtered(FilteredBy::Excluded)
    );
    assert_eq!(left_out.sentence(), "left out by the filter: ignored");
}

#[test]
fn of_hits_at_the_same_t_one_is_a_tie() {
    let mut world = World::new();
    let boxes: Vec<ObjectId> = (0..3)
        .map(|_| world.add(Aabb::new([1.0, -1.0, -1.0], [2.0, 1.0, 1.0]).unwrap()))
        .collect();
    let sheet = [[1.0, -1.0, -1.0], [1.0, 3.0, -1.0], [1.0, -1.0, 3.0]].map(Vec3::from_array);
    let sheet = Arc::new(TriMesh::new(sheet.to_vec(), vec![[0, 1, 2], [0, 1, 2]]).unwrap());
    world.add_at(sheet, DAffine3::IDENTITY).unwrap();
    world.update();
    let ray = Ray::new([0.0; 3], [1.0, 0.0, 0.0]).unwrap();
    let (hit, trace) = check_trace(world.now(), &ray, Sides::Both.into(), QueryFilter::new());
    assert_eq!(hit.and_then(|hit| hit.object), Some(boxes[0]));
    let met = trace.visits.iter().filter(|visit| !visit.what.is_box());
    let last = met
        .clone()
        .rfind(|visit| visit.verdict == VisitVerdict::Hit);
    assert_eq!(last.unwrap().object, Some(boxes[0]));
    assert_eq!(met.clone().count(), 5);
    assert!(met.clone().all(|visit| visit.t[0] == 1.0));
    assert!(met.clone().any(|visit| visit.verdict == VisitVerdict::Tie));
}

#[test]
fn every_ray_of_terrain_is_traced() {
    let mut rng = Rng::new(SEED + 1);
    for _ in 0..60 {
        let field = Arc::new(ground(&mut rng));
        let bounds = field.bounds();
        let mut world = World::new();
        world.add(Arc::clone(&field));
        world.update();
        for _ in 0..20 {
            let ray = ray(&mut rng);
            let (_, trace) = check_trace(world.now(), &ray, Sides::Both.into(), QueryFilter::new());
            for visit in trace.visits {
                check_block(&field, &visit);
                let is_there = |at: &[f32; 3]| bounds.unwrap().contains(*at);
                let is_far = visit.what == Visited::WorldNode || visit.what == Visited::Object;
                assert!(is_far || visit.corners.iter().all(is_there), "{visit:?}");
            }
        }
    }
}

/// A block's box is around the samples of its cells, and as small as that.
fn check_block(field: &HeightField, visit: &Visit) {
    let (first, size) = match visit.what {
        Visited::Block { level, column, row } => ([column, row], 4_usize.pow(level)),
        Visited::Cell { column, row } => ([column, row], 1),
        _ => return,
    };
    let grid = field.grid();
    let [low, high] = [visit.corners[0], visit.corners[7]];
    let mut heights: Vec<f32> = Vec::new();
    let of = |first: u32, end: usize| {
        let first = first as usize * size;
        first..end.min(first + size)
    };
    for row in of(first[1], grid.rows - 1) {
        for column in of(first[0], grid.columns - 1) {
            let triangle = u32::try_from(2 * (row * (grid.columns - 1) + column)).unwrap();
            let both = [triangle, triangle + 1].map(|triangle| field.triangle(triangle));
            for corner in both.into_iter().flatten().flatten() {
                heights.push(corner.as_vec3().y);
                assert!(corner.as_vec3().x >= low[0] && corner.as_vec3().x <= high[0]);
                assert!(corner.as_vec3().z >= low[2] && corner.as_vec3().z <= high[2]);
            }
        }
    }
    // A cell that is all hole is as high as the map.
    if let Some(lowest) = heights.iter().copied().reduce(f32::min) {
        let highest = heights.iter().copied().reduce(f32::max);
        assert_eq!((low[1], Some(high[1])), (lowest, highest), "{visit:?}");
    }
}

/// Triangles of 0.1 m: a floor of 60 x 60 cells; and one of `size` metres, below it.
fn floor_over_one_of(size: Option<f32>) -> TriMesh {
    let side = 61;
    let mut rng = Rng::new(SEED + 2);
    let mut positions: Vec<Vec3> = (0..side * side)
        .map(|k: u16| {
            let at = [k % side, k / side].map(|x| f32::from(x) * 0.1 - 3.0);
            Vec3::new(at[0], rng.uniform_f32(0.0, 0.05), at[1])
        })
        .collect();
    let mut triangles = Vec::new();
    for cell in (0..side * (side - 1)).filter(|cell| cell % side != side - 1) {
        let [a, c] = [cell, cell + side].map(u32::from);
        triangles.extend([[a, c, a + 1], [a + 1, c, c + 1]]);
    }
    if let Some(size) = size {
        let first = u32::try_from(positions.len()).unwrap();
        let corners = [[-size, -9.0, -size], [size, -9.0, -size], [0.0, -9.0, size]];
        positions.extend(corners.map(Vec3::from_array));
        triangles.push([0, 1, 2].map(|k| first + k));
    }
    TriMesh::new(positions, triangles).unwrap()
}

/// The slack of culling is that of the boxes and triangles tested, not of the farthest in the mesh.
#[test]
fn one_huge_triangle_makes_rays_test_few_more() {
    let counted = |size: Option<f32>| {
        let mut world = World::new();
        let mesh = Arc::new(floor_over_one_of(size));
        world.add_at(mesh, DAffine3::IDENTITY).unwrap();
        world.update();
        let mut rng = Rng::new(SEED + 3);
        let mut counts = [0; 2];
        for case in 0..400 {
            let mut place = |y: f32| {
                let [x, z] = [(); 2].map(|()| rng.uniform_f32(-2.9, 2.9));
                Vec3::new(x, y, z)
            };
            let from = place(2.0);
            let to = if case % 4 == 0 {
                from.with_y(0.0)
            } else {
                place(0.0)
            };
            let ray = Ray::new(from, to - from).unwrap();
            let both: RayCastSettings = Sides::Both.into();
            let filter = QueryFilter::new();
            let (hit, tests) = world.now().cast_ray_counted(&ray, (both, filter));
            assert!(hit.is_some());
            counts[0] += tests.boxes;
            counts[1] += tests.triangles;
        }
        counts
    };
    let alone = counted(None);
    println!("alone: {alone:?}");
    for size in [1e3, 1e4, 1e6, 1e9, 1e14] {
        let beside = counted(Some(size));
        println!("beside {size:e}: {beside:?}");
        for (beside, alone) in beside.into_iter().zip(alone) {
            assert!(beside <= 3 * alone, "{size:e}: {beside}, alone {alone}");
        }
    }
}
