//! The closest point of terrain, placed meshes, posed models and whole worlds, against brute force
//! in rational arithmetic.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::height_field::{Diagonal, Grid};
use hitscan::model::{ModelData, NodeData, NodeTransform, PartData, PosedModel};
use hitscan::simd::Width;
use hitscan::{ClosestPoint, HeightField, Model, ObjectId, QueryFilter, TriangleId, World};
use hitscan_testkit::closed_mesh::ClosedMesh;
use hitscan_testkit::closest_oracle::{
    OracleTriangle, brute_force, check_triangles, wide, winding,
};
use hitscan_testkit::random_world::{Shape, world_of};
use hitscan_testkit::{Rng, Vector, rounds};
use std::sync::Arc;

const EVERYWHERE: f32 = f32::INFINITY;

fn oracle_of(shape: &Shape) -> Vec<OracleTriangle> {
    let is_mirrored = shape.is_mirrored();
    let all = shape.triangles().into_iter();
    all.map(|(triangle, corners)| OracleTriangle {
        id: TriangleId { part: 0, triangle },
        corners,
        is_mirrored,
    })
    .collect()
}

/// What one shape of a world answers by brute force, checked against what was found of it alone.
fn nearest_of(
    shape: &Shape,
    point: Vec3,
    max_distance: f32,
    is_signed: bool,
    found: Option<&ClosestPoint>,
    rng: &mut Rng,
) -> Option<(f32, bool)> {
    let solid = match shape {
        Shape::Sphere(sphere) => sphere.closest_point(point, max_distance),
        Shape::Aabb(aabb) => aabb.closest_point(point, max_distance),
        Shape::Terrain(_) | Shape::Mesh(..) => {
            let triangles = oracle_of(shape);
            let exactly: Vec<[Vector; 3]> =
                triangles.iter().map(|one| one.corners.map(wide)).collect();
            let is_closed = matches!(shape, Shape::Mesh(..));
            let around =
                (is_signed && is_closed).then(|| winding(&wide(point.as_dvec3()), &exactly, rng));
            let is_inside = around.flatten().is_some_and(|count| count != 0);
            let limit = if is_inside {
                f64::INFINITY
            } else {
                f64::from(max_distance)
            };
            let expected = brute_force(point, &triangles, limit);
            check_triangles(point, &expected, is_inside, found, &format!("{point}"));
            let (distance, ..) = expected?;
            return Some((if is_inside { 0.0 - distance } else { distance }, is_inside));
        }
    };
    let alone = solid.map(|solid| ClosestPoint {
        object: found.and_then(|found| found.object),
        ..solid
    });
    assert_eq!(alone.as_ref(), found);
    solid.map(|solid| (solid.distance, solid.is_inside))
}

#[test]
fn worlds_of_random_shapes() {
    let mut rng = Rng::new(0xc105_0031);
    let everything = QueryFilter::new();
    let (mut inside, mut none) = (0, 0);
    for round in 0..rounds(8) {
        let span = if round % 4 == 0 { 3.0 } else { 9.0 };
        let shapes: Vec<Shape> = (0..2 + rng.below(6))
            .map(|_| Shape::random(&mut rng, span))
            .collect();
        let mut world = world_of(&shapes);
        let ids: Vec<ObjectId> = world.now().objects().collect();
        world.keep_history(4);
        world.record(0).unwrap();
        world.record(1).unwrap();
        let snapshot = world.now();
        let points: Vec<Vec3> = (0..6)
            .map(|k| {
                let near = snapshot.object_bounds(ids[rng.below(ids.len())]);
                match near {
                    Some(near) if k % 2 == 0 => {
                        let share = Vec3::from_array([0; 3].map(|_| rng.uniform_f32(-0.8, 0.8)));
                        near.center() + near.half_size() * share
                    }
                    _ => Vec3::from_array([0; 3].map(|_| rng.uniform_f32(-span - 2.0, span + 2.0))),
                }
            })
            .collect();
        for is_signed in [false, true] {
            let ask = |point: Vec3, max_distance: f32, filter: QueryFilter<'_>| {
                if is_signed {
                    snapshot.closest_point_signed(point, max_distance, filter)
                } else {
                    snapshot.closest_point(point, max_distance, filter)
                }
            };
            for max_distance in [EVERYWHERE, 1.5] {
                let mut answers = Vec::new();
                for &point in &points {
                    let mut best: Option<(f32, usize)> = None;
                    for (index, shape) in shapes.iter().enumerate() {
                        let others: Vec<ObjectId> =
                            ids.iter().copied().filter(|id| *id != ids[index]).collect();
                        let alone = ask(point, max_distance, everything.exclude(&others));
                        assert!(alone.is_none_or(|alone| alone.object == Some(ids[index])));
                        let nearest = nearest_of(
                            shape,
                            point,
                            max_distance,
                            is_signed,
                            alone.as_ref(),
                            &mut rng,
                        );
                        if let Some((distance, _)) = nearest
                            && best.is_none_or(|(other, _)| distance < other)
                        {
                            best = Some((distance, index));
                        }
                    }
                    let found = ask(point, max_distance, everything);
                    let expected = best.map(|(distance, index)| (distance, Some(ids[index])));
                    assert_eq!(
                        found.map(|found| (found.distance, found.object)),
                        expected,
                        "{round} {point}"
                    );
                    inside += usize::from(found.is_some_and(|found| found.is_inside));
                    none += usize::from(found.is_none());
                    answers.push(found);
                }
                let together = if is_signed {
                    snapshot.closest_points_signed(&points, max_distance, everything)
                } else {
                    snapshot.closest_points(&points, max_distance, everything)
                };
                assert_eq!(together, answers);
            }
        }
        // What does not move is the same between two ticks.
        let between = world.at(0.5).unwrap();
        for &point in &points {
            let (now, then) = (snapshot, &between);
            let distance =
                |found: Option<ClosestPoint>| found.map(|found| (found.object, found.is_inside));
            let found = then.closest_point_signed(point, EVERYWHERE, everything);
            assert_eq!(
                distance(found),
                distance(now.closest_point_signed(point, EVERYWHERE, everything))
            );
        }
    }
    assert!(inside > rounds(5) && none > rounds(5), "{inside} {none}");
}

#[test]
fn equal_distances_go_to_the_lower_object_part_and_triangle() {
    let cube = Arc::new(ClosedMesh::cube(1).tri_mesh());
    let mut world = World::new();
    let place = |x: f64| DAffine3::from_translation(DVec3::new(x, 0.0, 0.0));
    let right = world.add_at(Arc::clone(&cube), place(2.0)).unwrap();
    let left = world.add_at(cube, place(-3.0)).unwrap();
    world.update();
    let found = |filter| {
        world
            .now()
            .closest_point([0.0, 0.5, 0.25], EVERYWHERE, filter)
            .unwrap()
    };
    assert_eq!(
        (
            found(QueryFilter::new()).object,
            found(QueryFilter::new()).distance
        ),
        (Some(right), 2.0)
    );
    assert_eq!(
        found(QueryFilter::new().exclude(&[right])).object,
        Some(left)
    );
}

#[test]
fn terrain() {
    let mut rng = Rng::new(0xc105_0032);
    for round in 0..9 {
        let (columns, rows) = (2 + rng.below(30), 2 + rng.below(30));
        let mut grid = Grid::new(columns, rows, [[1.0, 1.0], [0.3, 2.5]][round % 2]);
        grid.origin = [[0.0; 3], [1e5, -20.0, -3e5]][round / 2 % 2];
        grid.diagonal = [Diagonal::Anti, Diagonal::Main][round / 4 % 2];
        let heights = (0..columns * rows)
            .map(|_| match rng.below(9) {
                0 if round % 3 == 1 => f32::NAN,
                1 => 2.0,
                _ if round % 3 == 2 => 0.0,
                _ => rng.uniform_f32(-1.0, 3.0),
            })
            .collect();
        let field = Arc::new(HeightField::new(grid, heights).unwrap());
        let all = oracle_of(&Shape::Terrain(Arc::clone(&field)));
        let far = DVec3::from_array(grid.origin).as_vec3();
        let points: Vec<Vec3> = (0..rounds(16))
            .map(|k| {
                let at = |count: usize, spacing: f64, rng: &mut Rng| {
                    rng.uniform(-3.0, count as f64 * spacing + 3.0)
                };
                let (x, z) = (
                    at(columns, grid.spacing[0], &mut rng),
                    at(rows, grid.spacing[1], &mut rng),
                );
                let y = rng.uniform([-5.0, 0.0][k % 2], 6.0);
                let point = far + DVec3::new(x, y, z).as_vec3();
                if k % 3 == 0 { point.round() } else { point }
            })
            .collect();
        for width in Width::available() {
            let field = field.as_ref().clone().with_width(width);
            for &point in &points {
                for max_distance in [EVERYWHERE, 1.0] {
                    let expected = brute_force(point, &all, f64::from(max_distance));
                    let found = field.closest_point(point, max_distance);
                    check_triangles(
                        point,
                        &expected,
                        false,
                        found.as_ref(),
                        &format!("{round} {point}"),
                    );
                    assert_eq!(field.closest_point_signed(point, max_distance), found);
                }
            }
        }
        let one_by_one: Vec<_> = points
            .iter()
            .map(|p| field.closest_point(*p, EVERYWHERE))
            .collect();
        assert_eq!(field.closest_points(&points, EVERYWHERE), one_by_one);
    }
}

fn part(mesh: &ClosedMesh, node: usize, triangles: &[[u32; 3]]) -> PartData {
    PartData {
        node,
        positions: mesh.positions.clone(),
        triangles: triangles.to_vec(),
        ..PartData::default()
    }
}

/// A model of three parts: two halves of one cube, and a ball whose node mirrors it.
fn model() -> Model {
    let mut rng = Rng::new(0xc105_0033);
    let (cube, ball) = (
        ClosedMesh::cube(1),
        ClosedMesh::bumpy_sphere(1, 0.2, &mut rng),
    );
    let mirror = NodeTransform::Trs {
        translation: DVec3::new(3.0, 0.25, 0.0),
        rotation: DQuat::from_xyzw(0.0, 0.6, 0.0, 0.8),
        scale: DVec3::new(-1.0, 2.0, 0.5),
    };
    let nodes = vec![
        NodeData::default(),
        NodeData {
            local: mirror,
            ..NodeData::default()
        },
    ];
    let parts = vec![
        part(&cube, 0, &cube.triangles[..5]),
        part(&cube, 0, &cube.triangles[5..]),
        part(&ball, 1, &ball.triangles),
    ];
    Model::new(ModelData {
        nodes,
        parts,
        ..ModelData::default()
    })
    .unwrap()
}

/// All triangles of a posed model where a transform places it.
fn placed(posed: &PosedModel, world_from_model: &DAffine3) -> Vec<OracleTriangle> {
    let mut all = Vec::new();
    for (index, part) in (0..).zip(posed.parts()) {
        let world_from_part = *world_from_model * part.model_from_part();
        let is_mirrored = world_from_part.matrix3.determinant() < 0.0;
        let mesh = part.mesh();
        for (triangle, corners) in (0..).zip(mesh.triangles()) {
            let place = |corner: u32| {
                world_from_part.transform_point3(mesh.positions()[corner as usize].as_dvec3())
            };
            all.push(OracleTriangle {
                id: TriangleId {
                    part: index,
                    triangle,
                },
                corners: corners.map(place),
                is_mirrored,
            });
        }
    }
    all
}

/// A model whose triangles are closed together is a solid, though its parts are open by themselves;
/// in its own space and in the world.
#[test]
fn parts_that_are_closed_together() {
    let mut rng = Rng::new(0xc105_0034);
    let model = Arc::new(model());
    let posed = Arc::new(PosedModel::new(&model, model.rest_pose()).unwrap());
    let turn = DQuat::from_xyzw(0.48, 0.6, 0.0, 0.64);
    for (round, transform) in [
        DAffine3::IDENTITY,
        DAffine3::from_scale_rotation_translation(
            DVec3::new(1.5, 1.5, -1.5),
            turn,
            DVec3::new(1e3, 5.0, 0.0),
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let mut world = World::new();
        world.add_at(Arc::clone(&posed), transform).unwrap();
        world.update();
        let all = placed(&posed, &transform);
        let wound = all.iter().map(|one| {
            let [a, b, c] = one.corners.map(wide);
            if one.is_mirrored {
                [a, c, b]
            } else {
                [a, b, c]
            }
        });
        let wound: Vec<[Vector; 3]> = wound.collect();
        let mut inside = 0;
        for k in 0..40 {
            let own = Vec3::from_array([0; 3].map(|_| rng.uniform_f32(-0.2, 1.2)));
            let own = if k % 2 == 0 {
                own
            } else {
                own * Vec3::new(2.0, 3.0, 2.0) + Vec3::new(2.0, -1.5, -1.0)
            };
            let point = transform.transform_point3(own.as_dvec3()).as_vec3();
            let around = winding(&wide(point.as_dvec3()), &wound, &mut rng);
            let is_inside = around.is_some_and(|count| count != 0);
            inside += usize::from(is_inside);
            let expected = brute_force(point, &all, f64::INFINITY);
            let what = format!("{round} {point} {around:?}");
            let found = world.now().closest_point_signed(point, EVERYWHERE, ());
            check_triangles(point, &expected, is_inside, found.as_ref(), &what);
            let found = world.now().closest_point(point, EVERYWHERE, ());
            check_triangles(point, &expected, false, found.as_ref(), &what);
            if round == 0 {
                let found = posed.closest_point_signed(point, EVERYWHERE);
                check_triangles(point, &expected, is_inside, found.as_ref(), &what);
                let found = posed.closest_point(point, EVERYWHERE);
                check_triangles(point, &expected, false, found.as_ref(), &what);
            }
        }
        assert!(inside > 5, "{inside}");
    }
}
