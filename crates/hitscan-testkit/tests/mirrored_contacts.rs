//! Of two equal ways out of a triangle the one to its front comes first, where the front is that of rays:
//! at meshes and models that are mirrored by their instance, by a node, or by both.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};
use hitscan::model::{Model, ModelData, NodeData, NodeTransform, PartData, PosedModel};
use hitscan::{
    Aabb, Capsule, Contact, ContactsPer, InitialOverlap, Obb, Primitive, QueryFilter, Ray,
    ShapeCast, Side, Snapshot, Sphere, StartState, World,
};
use hitscan_testkit::Rng;
use hitscan_testkit::closed_mesh::ClosedMesh;
use std::sync::Arc;

const ALL: QueryFilter<'static> = QueryFilter::new();

/// Places of whole numbers, so that shapes can be put onto triangles exactly: turned and mirrored, and
/// stretched beyond what rays are taken through.
fn places() -> Vec<DAffine3> {
    let quarter = DMat3::from_cols(DVec3::Z, DVec3::X, DVec3::Y);
    let mut all = Vec::new();
    for turn in [DMat3::IDENTITY, quarter] {
        for scale in [
            [1.0, 1.0, 1.0],
            [-1.0, 1.0, 1.0],
            [1.0, -2.0, 1.0],
            [-1.0, -1.0, -1.0],
            [8192.0, 1.0, 1.0],
            [1.0, -8192.0, 1.0],
        ] {
            let matrix = turn * DMat3::from_diagonal(DVec3::from_array(scale));
            all.push(DAffine3::from_mat3_translation(
                matrix,
                DVec3::new(3.0, -1.0, 2.0),
            ));
        }
    }
    all
}

/// A world of one cube.
struct Cube {
    world: World,
    /// The model by itself, where only its node places it.
    posed: Option<PosedModel>,
    world_from_cube: DAffine3,
}

/// Cubes that an instance places, a node, or both.
fn cubes(place: &DAffine3) -> Vec<Cube> {
    let cube = ClosedMesh::cube(2).moved(1.0, |p| p * 2.0);
    let mut by_instance = World::new();
    by_instance
        .add_at(Arc::new(cube.tri_mesh()), *place)
        .unwrap();
    by_instance.update();
    let mut all = vec![Cube {
        world: by_instance,
        posed: None,
        world_from_cube: *place,
    }];
    let mirror = DAffine3::from_scale(DVec3::new(1.0, 1.0, -1.0));
    for (instance, node) in [(DAffine3::IDENTITY, *place), (mirror, *place)] {
        let part = PartData {
            positions: cube.positions.clone(),
            triangles: cube.triangles.clone(),
            ..PartData::default()
        };
        let node = NodeData {
            local: NodeTransform::Matrix(node.into()),
            ..NodeData::default()
        };
        let data = ModelData {
            nodes: vec![node],
            parts: vec![part],
            ..ModelData::default()
        };
        let model = Arc::new(Model::new(data).unwrap());
        let posed = PosedModel::new(&model, model.rest_pose()).unwrap();
        let mut world = World::new();
        world
            .add_model(&model, model.rest_pose(), instance)
            .unwrap();
        world.update();
        let is_alone = instance == DAffine3::IDENTITY;
        all.push(Cube {
            world,
            posed: is_alone.then_some(posed),
            world_from_cube: instance * *place,
        });
    }
    all
}

/// Shapes, each with two equal ways out of the plane through `at` that is perpendicular to `normal`.
fn shapes(at: Vec3, normal: Vec3) -> Vec<Primitive> {
    let across = Vec3::new(normal.z, normal.x, normal.y) * 0.125;
    let half = normal.abs() * 0.25 + (Vec3::ONE - normal.abs()) * 0.5;
    let way = normal * 0.0625;
    vec![
        Sphere::new(at, 0.25).unwrap().into(),
        Capsule::new(at - way, at + way, 0.125).unwrap().into(),
        Capsule::new(at - across, at + across, 0.125)
            .unwrap()
            .into(),
        Aabb::new(at - half, at + half).unwrap().into(),
        Obb::new(at, half, DQuat::IDENTITY).unwrap().into(),
    ]
}

/// The direction to the front of the face through `at`, by a ray that hits it.
fn outward(now: &Snapshot, at: Vec3, normal: Vec3) -> Vec3 {
    let ray = Ray::new(at + normal * 0.25, -normal).unwrap();
    let hit = now.cast_ray(&ray, ALL).unwrap();
    assert_eq!(hit.t, 0.25);
    match hit.side {
        Side::Front => normal,
        _ => -normal,
    }
}

#[test]
fn the_front_is_the_first_of_two_equal_ways_out() {
    let mut rng = Rng::new(0x0F20_0001);
    let (mut asked, mut wrong) = (0, 0);
    for place in places() {
        for Cube {
            world,
            posed,
            world_from_cube,
        } in cubes(&place)
        {
            let now = world.now();
            for _ in 0..12 {
                // Inside a face, and off its edges and diagonals.
                let axis = rng.below(3);
                let mut own = DVec3::ZERO;
                own[axis] = [0.0, 4.0][rng.below(2)];
                own[(axis + 1) % 3] = [0.5, 2.5][rng.below(2)];
                own[(axis + 2) % 3] = [0.75, 2.75][rng.below(2)];
                let mut normal = DVec3::ZERO;
                normal[axis] = 1.0;
                let at = world_from_cube.transform_point3(own).as_vec3();
                let normal = world_from_cube.transform_vector3(normal);
                let normal = (normal / normal.abs().max_element()).as_vec3();
                let front = outward(now, at, normal);
                for shape in shapes(at, normal) {
                    let is_right = |way: Vec3| way == front;
                    let mut check = |is_right: bool| {
                        asked += 1;
                        wrong += usize::from(!is_right);
                    };
                    let contacts = now.contacts(&shape, 0.0, ContactsPer::Object, ALL);
                    check(is_right(contacts[0].normal));
                    let motion = ShapeCast::new(&shape, front * 0.125).unwrap();
                    let hit = now.cast_shape(&motion, ALL).unwrap();
                    let StartState::Overlap { way_out, .. } = hit.start else {
                        panic!("{hit:?}");
                    };
                    check(is_right(way_out));
                    // What moves to the front leaves, and what moves to the back does not.
                    let leaving = motion.with_initial_overlap(InitialOverlap::Escape);
                    check(now.cast_shape(&leaving, ALL).is_none());
                    let back = ShapeCast::new(&shape, -front * 0.125).unwrap();
                    let back = back.with_initial_overlap(InitialOverlap::Escape);
                    let stopped = now.cast_shape(&back, ALL);
                    check(stopped.is_some_and(|hit| hit.t == 0.0 && is_right(hit.normal)));
                    if let Some(posed) = &posed {
                        let alone = |contact: &Contact| (contact.separation, contact.normal);
                        let found = posed.contacts(shape, 0.0, ContactsPer::Object);
                        assert_eq!(alone(&found[0]), alone(&contacts[0]));
                    }
                }
            }
        }
    }
    println!("{wrong} of {asked} are wrong");
    assert!(asked > 5_000 && wrong == 0, "{wrong} of {asked}");
}
