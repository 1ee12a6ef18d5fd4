//! Colliders of glTF files are numbered by node, triangles and solids alike: what is equally near is answered by that
//! of the lowest node.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

use hitscan::baked::Bytes;
use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::overlap::OverlapKind;
use hitscan::{
    Aabb, BallisticArc, ContactsPer, ObjectCast, ObjectId, QueryFilter, Ray, ShapeCast, Snapshot,
    Sphere, StartState, TriangleId, World,
};
use hitscan_assets::{MemoryFiles, Scene, load_scene_text_from, open_baked_bytes, write_baked};
use hitscan_testkit::GltfFixture;
use serde_json::json;
use std::path::Path;

/// What a node's collider is; all have their top in the plane y = 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A triangle, not convex as the file says.
    Mesh,
    /// A box.
    Solid,
}

/// A file whose first node is drawn far away, and whose others have a collider each, in this order.
fn file(kinds: [Kind; 4]) -> GltfFixture {
    let drawn = [99.0, -50.0, 0.0, 100.0, -50.0, 0.0, 99.0, -50.0, 1.0];
    let mut fixture = GltfFixture::with_positions(|fixture| fixture.floats("VEC3", &drawn));
    let sheet = [-9.0, 1.0, -9.0, -9.0, 1.0, 27.0, 27.0, 1.0, -9.0];
    let sheet = fixture.floats("VEC3", &sheet);
    let primitive = json!({ "attributes": { "POSITION": sheet } });
    let mesh = fixture.push("meshes", json!({ "primitives": [primitive] }));
    for (kind, name) in kinds.into_iter().zip(NAMES) {
        let geometry = match kind {
            Kind::Mesh => json!({ "mesh": mesh }),
            Kind::Solid => json!({ "shape": 0 }),
        };
        let collider = json!({ "collider": { "geometry": geometry } });
        let extensions = json!({ "KHR_physics_rigid_bodies": collider });
        fixture.push("nodes", json!({ "name": name, "extensions": extensions }));
    }
    let boxes = json!([{ "type": "box", "box": { "size": [4, 2, 4] } }]);
    fixture.document["extensions"] = json!({ "KHR_implicit_shapes": { "shapes": boxes } });
    fixture
}

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

/// Each order of meshes and solids.
fn orders() -> impl Iterator<Item = [Kind; 4]> {
    let of_bit = |is_solid| if is_solid { Kind::Solid } else { Kind::Mesh };
    (0..16).map(move |bits| [0, 1, 2, 3].map(|place| of_bit(bits >> place & 1 == 1)))
}

/// A scene of the file and a ball that no query of the file's object hits.
fn scene(kinds: [Kind; 4], colliders: &str) -> Scene {
    let mut files = MemoryFiles::default();
    files.add("m.glb", file(kinds).glb());
    let text = format!(
        "[[model]]\nname = 'm'\nfile = 'm.glb'\ncolliders = '{colliders}'\n\
         [[sphere]]\nname = 'ball'\ncenter = [0.25, 5, 0.25]\nradius = 1\nlayers = 2\n"
    );
    load_scene_text_from(&files, Path::new("scene.toml"), &text).unwrap()
}

/// The object, which colliders it has as parts with these numbers, and the other object.
struct Case {
    m: ObjectId,
    ball: ObjectId,
    parts: Vec<(u32, Kind)>,
}

impl Case {
    fn new(scene: &Scene, kinds: [Kind; 4], first: u32) -> Self {
        Self {
            m: scene.object_named("m").unwrap(),
            ball: scene.object_named("ball").unwrap(),
            parts: (first..).zip(kinds).collect(),
        }
    }

    /// The numbers of its parts.
    fn numbers(&self) -> Vec<u32> {
        self.parts.iter().map(|(part, _)| *part).collect()
    }

    /// The lowest of its parts that is a mesh.
    fn lowest_mesh(&self) -> Option<u32> {
        let mut parts = self.parts.iter();
        parts.find_map(|(part, kind)| (*kind == Kind::Mesh).then_some(*part))
    }

    /// Those of its parts that are solids, as filters name them.
    fn solids(&self) -> Vec<(ObjectId, u32)> {
        let solids = self.parts.iter().filter(|(_, kind)| *kind == Kind::Solid);
        solids.map(|(part, _)| (self.m, *part)).collect()
    }

    fn check(&self, now: &Snapshot) {
        let expected = Some(self.parts[0].0);
        self.check_first(now, QueryFilter::new().exclude_one(self.ball), expected);
        // Past its solids the lowest mesh is the nearest.
        let (solids, ball) = (self.solids(), [self.ball]);
        let without = QueryFilter::new().exclude(&ball).exclude_parts(&solids);
        self.check_first(now, without, self.lowest_mesh());
        self.check_lists(now);
        self.check_objects(now);
    }

    /// The part that is named first where all are equally near.
    fn check_first(&self, now: &Snapshot, filter: QueryFilter<'_>, expected: Option<u32>) {
        let part = |triangle: Option<TriangleId>| triangle.map(|on| on.part);
        let down = Ray::new([0.25, 9.0, 0.25], [0.0, -1.0, 0.0]).unwrap();
        let hit = now.cast_ray(&down, filter);
        assert_eq!(hit.and_then(|hit| hit.part()), expected);
        let many = now.cast_rays(&[down; 40], filter);
        assert!(many.iter().all(|one| *one == hit));
        let arc = BallisticArc::new([0.25, 3.0, 0.25], [0.0; 3], BallisticArc::GRAVITY).unwrap();
        let hit = now.cast_arc(&arc, filter);
        assert_eq!(hit.and_then(|hit| hit.part()), expected);
        let blocker = now.first_blocker([0.25, 3.0, 0.25], [0.25, -3.0, 0.25], filter);
        assert_eq!(part(blocker.and_then(|one| one.triangle)), expected);
        let closest = now.closest_point([0.25, 2.0, 0.25], 5.0, filter);
        assert_eq!(part(closest.and_then(|one| one.triangle)), expected);
        let closest = now.closest_point_signed([0.25, 2.0, 0.25], 5.0, filter);
        assert_eq!(part(closest.and_then(|one| one.triangle)), expected);

        let ball = |y: f32| Sphere::new([0.25, y, 0.25], 0.5).unwrap();
        let fall = ShapeCast::new(ball(3.0), [0.0, -4.0, 0.0]).unwrap();
        let hit = now.cast_shape(&fall, filter);
        assert_eq!(part(hit.and_then(|hit| hit.triangle)), expected);
        let all = now.cast_shape_all(&fall, filter);
        assert_eq!(all.len(), usize::from(expected.is_some()));
        assert_eq!(part(all.first().and_then(|hit| hit.triangle)), expected);
        // Of what is overlapped at the start the lowest part answers, whatever the depths.
        let inside = ShapeCast::new(ball(1.25), [0.0, -4.0, 0.0]).unwrap();
        let hit = now.cast_shape(&inside, filter);
        assert_eq!(part(hit.and_then(|hit| hit.triangle)), expected);
        assert!(hit.is_none_or(|hit| matches!(hit.start, StartState::Overlap { .. })));
        let turning = inside.turning(Vec3::Y, 0.5).unwrap();
        let hit = now.cast_turning(&turning, filter);
        assert_eq!(part(hit.and_then(|hit| hit.triangle)), expected);
        // Both lie 0.25 deep.
        let least = now.contacts(ball(1.25), 0.0, ContactsPer::Object, filter);
        assert_eq!(part(least.first().and_then(|one| one.triangle)), expected);
    }

    /// Lists are in order of parts.
    fn check_lists(&self, now: &Snapshot) {
        let without = QueryFilter::new().exclude_one(self.ball);
        let down = Ray::new([0.25, 9.0, 0.25], [0.0, -1.0, 0.0]).unwrap();
        let hits = now.cast_ray_all(&down, without);
        let near = hits.iter().filter(|hit| hit.t == 8.0);
        let near: Vec<u32> = near.filter_map(|hit| hit.part()).collect();
        assert_eq!(near, self.numbers());
        // Solids are left at their bottom.
        let far = hits.iter().filter(|hit| hit.t == 10.0);
        let far: Vec<u32> = far.filter_map(|hit| hit.part()).collect();
        let solids: Vec<u32> = self.solids().iter().map(|(_, part)| *part).collect();
        assert_eq!(far, solids);
        let ball = Sphere::new([0.25, 1.25, 0.25], 0.5).unwrap();
        let rows = now.contacts(ball, 0.0, ContactsPer::Triangle, without);
        let rows: Vec<u32> = rows
            .iter()
            .filter_map(|row| Some(row.triangle?.part))
            .collect();
        assert_eq!(rows, self.numbers());
    }

    /// Between objects, and where the object moves.
    fn check_objects(&self, now: &Snapshot) {
        let lowest = Some(self.parts[0].0);
        let part = |triangle: Option<TriangleId>| triangle.map(|on| on.part);
        let apart = now.distance(self.m, self.ball, f64::INFINITY, ()).unwrap();
        assert_eq!((apart.distance, part(apart.a.triangle)), (3.0, lowest));
        let rise = ObjectCast::new(self.m, [0.0, 8.0, 0.0]).unwrap();
        let hit = now.cast_object(&rise, ()).unwrap();
        assert_eq!(
            (hit.object, part(hit.mover_triangle)),
            (Some(self.ball), lowest)
        );
        let fall = ObjectCast::new(self.ball, [0.0, -8.0, 0.0]).unwrap();
        let hit = now.cast_object(&fall, ()).unwrap();
        assert_eq!((hit.object, part(hit.triangle)), (Some(self.m), lowest));
    }
}

#[test]
fn of_equally_near_colliders_that_of_the_lowest_node_answers() {
    for kinds in orders() {
        // In place of the drawn triangle, and after it.
        for (colliders, first) in [("only", 0), ("also", 1)] {
            let scene = scene(kinds, colliders);
            let case = Case::new(&scene, kinds, first);
            for (number, name) in case.numbers().into_iter().zip(NAMES) {
                assert_eq!(scene.part_name(case.m, number), Some(name), "{kinds:?}");
                let solid = scene.now().compound_part_named(case.m, name);
                let is_solid = case.solids().contains(&(case.m, number));
                assert_eq!(solid, is_solid.then_some(number), "{kinds:?}");
            }
            assert_eq!(scene.part_name(case.m, first + 4), None);
            case.check(scene.now());
        }
    }
}

#[test]
fn overlaps_of_objects_are_in_order_of_nodes() {
    for kinds in orders() {
        let scene = scene(kinds, "only");
        let case = Case::new(&scene, kinds, 0);
        let mut world = scene.world().clone();
        let slab = Aabb::new([-1.0, 0.5, -1.0], [1.0, 1.5, 1.0]).unwrap();
        let slab = world.add(slab);
        world.update();
        let overlaps = world.now().overlaps_of(case.m, slab, ());
        let found = overlaps
            .iter()
            .map(|one| (one.a.triangle.unwrap().part, one.kind));
        let found: Vec<(u32, OverlapKind)> = found.collect();
        let parts: Vec<u32> = found.iter().map(|(part, _)| *part).collect();
        assert_eq!(parts, case.numbers(), "{kinds:?}");
        assert!(found.iter().all(|(_, kind)| *kind == OverlapKind::Cross));
    }
}

#[test]
fn numbers_stay_in_baked_worlds_and_in_the_history() {
    for kinds in orders() {
        let scene = scene(kinds, "also");
        let case = Case::new(&scene, kinds, 1);
        let mut file = Vec::new();
        write_baked(&scene, &mut file).unwrap();
        let baked = open_baked_bytes(Path::new("scene.hitscan"), &Bytes::lent(&file)).unwrap();
        Case::new(&baked, kinds, 1).check(baked.now());
        // Between two ticks, and after the pose was set anew, all is where it was at rest.
        let mut world: World = baked.world().clone();
        world.keep_history(2);
        for (tick, y) in [(0, -2.0), (1, 2.0)] {
            let place = DAffine3::from_translation(DVec3::new(0.0, y, 0.0));
            world.set_transform(case.m, place).unwrap();
            world.update();
            world.record(tick).unwrap();
        }
        let between = world.at(0.5).unwrap();
        case.check(&between);
        let rest = world.now().model(case.m).unwrap().rest_pose().clone();
        world.set_pose(case.m, &rest).unwrap();
        world.set_transform(case.m, DAffine3::IDENTITY).unwrap();
        world.update();
        case.check(world.now());
    }
}
