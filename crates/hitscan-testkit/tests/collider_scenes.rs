//! Colliders of glTF files as parts of a scene's models, and compounds on a model's nodes.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

use hitscan::glam::Vec3;
use hitscan::{Ray, RayHit, Snapshot, Sphere};
use hitscan_assets::{Error, MemoryFiles, Scene, load_scene_text_from};
use hitscan_testkit::GltfFixture;
use serde_json::{Value, json};
use std::path::Path;

/// A body of two drawn triangles, on a node at x = 0 and on one at x = 10, with these extensions.
fn character(shapes: Value, of_body: Value, of_head: Value) -> GltfFixture {
    let mut fixture = GltfFixture::triangle();
    let body = fixture.push(
        "nodes",
        json!({ "name": "body", "translation": [4, 0, 0], "extensions": of_body }),
    );
    fixture.push(
        "nodes",
        json!({ "name": "head", "translation": [0, 3, 0], "extensions": of_head }),
    );
    fixture.push(
        "nodes",
        json!({ "children": [body + 1], "translation": [10, 0, 0] }),
    );
    fixture.document["extensions"] = shapes;
    fixture
}

fn khr(geometry: Value) -> Value {
    json!({ "KHR_physics_rigid_bodies": { "collider": { "geometry": geometry } } })
}

fn omi(shape: usize) -> Value {
    json!({ "OMI_physics_body": { "collider": { "shape": shape } } })
}

fn load(fixture: &GltfFixture, text: &str) -> Result<Scene, Error> {
    let mut files = MemoryFiles::default();
    files.add("m.glb", fixture.glb());
    load_scene_text_from(&files, Path::new("scene.toml"), text)
}

fn model(colliders: &str) -> String {
    format!("[[model]]\nname = 'm'\nfile = 'm.glb'\ncolliders = '{colliders}'\n")
}

/// What is hit straight below a place.
fn below(now: &Snapshot, x: f32) -> Option<RayHit> {
    now.cast_ray(&Ray::new([x, 50.0, 0.0], [0.0, -1.0, 0.0]).unwrap(), ())
}

#[test]
fn colliders_are_parts_in_place_of_meshes_or_beside_them() {
    let shapes = json!({ "KHR_implicit_shapes": { "shapes": [
        { "type": "box", "box": { "size": [2, 1, 2] } },
        { "type": "sphere", "sphere": { "radius": 0.25 } },
    ] } });
    let fixture = character(
        shapes,
        khr(json!({ "shape": 0 })),
        khr(json!({ "shape": 1 })),
    );
    let drawn = load(&fixture, &model("none")).unwrap();
    let m = drawn.object_named("m").unwrap();
    assert!(drawn.now().compound(m).is_none());
    let meshes = u32::try_from(drawn.now().model(m).unwrap().parts().len()).unwrap();
    assert!(meshes > 0 && drawn.now().triangle_count(m) > 0);

    let only = load(&fixture, &model("only")).unwrap();
    let names = |scene: &Scene| -> Vec<(u32, String)> {
        let parts = scene.now().compound_parts(m);
        parts
            .map(|(number, part)| (number, part.name().to_owned()))
            .collect()
    };
    assert_eq!(
        names(&only),
        [(0, "body".to_owned()), (1, "head".to_owned())]
    );
    assert_eq!(only.now().triangle_count(m), 0);
    let hit = below(only.now(), 4.0).unwrap();
    assert_eq!(
        (hit.point.y, only.part_name(m, hit.part().unwrap())),
        (0.5, Some("body"))
    );
    let hit = below(only.now(), 10.0).unwrap();
    assert_eq!(
        (hit.point.y, only.part_name(m, hit.part().unwrap())),
        (3.25, Some("head"))
    );

    let also = load(&fixture, &model("also")).unwrap();
    assert_eq!(also.now().triangle_count(m), drawn.now().triangle_count(m));
    assert_eq!(names(&also)[0].0, meshes);
    assert_eq!(below(also.now(), 4.0).unwrap().part(), Some(meshes));
    let own = Ray::new([0.2, 0.2, 50.0], [0.0, 0.0, -1.0]).unwrap();
    let hit = also.now().cast_ray(&own, ()).unwrap();
    assert_eq!(Some(hit.t), drawn.now().cast_ray(&own, ()).map(|hit| hit.t));
    assert_eq!(
        also.part_name(m, hit.part().unwrap()),
        drawn.part_name(m, 0)
    );
}

#[test]
fn shapes_leave_out_what_their_extension_says() {
    let shapes = |extension: &str| {
        let all = ["sphere", "box", "capsule", "cylinder"].map(|kind| json!({ "type": kind }));
        json!({ extension: { "shapes": all } })
    };
    let tops = |shapes: Value, bodies: [Value; 2]| {
        let [body, head] = bodies;
        let scene = load(&character(shapes, body, head), &model("only")).unwrap();
        [4.0, 10.0].map(|x| below(scene.now(), x).map(|hit| hit.point.y))
    };
    let shape = |number: usize| khr(json!({ "shape": number }));
    let of_khr = shapes("KHR_implicit_shapes");
    let of_omi = shapes("OMI_physics_shape");
    // A capsule of KHR is 0.5 between the centres and 0.25 around them, one of OMI 1 and 0.5.
    assert_eq!(
        tops(of_khr.clone(), [shape(0), shape(2)]),
        [Some(0.5), Some(3.5)]
    );
    assert_eq!(tops(of_khr, [shape(1), json!({})]), [Some(0.5), None]);
    assert_eq!(tops(of_omi, [omi(0), omi(3)]), [Some(0.5), Some(4.0)]);
}

#[test]
fn meshes_are_hulls_or_triangles() {
    let mesh = |is_convex: bool| khr(json!({ "mesh": 0, "convexHull": is_convex }));
    let fixture = character(json!({}), mesh(true), mesh(false));
    let only = load(&fixture, &model("only")).unwrap();
    let m = only.object_named("m").unwrap();
    assert_eq!(
        (only.part_name(m, 0), only.part_name(m, 1)),
        (Some("body"), Some("head"))
    );
    assert_eq!(only.now().triangle_count(m), 1);
    assert_eq!(only.now().compound_parts(m).count(), 1);
    let at = |x: f32, y: f32| {
        let ray = Ray::new([x + 0.2, y + 0.2, 9.0], [0.0, 0.0, -1.0]).unwrap();
        only.now().cast_ray(&ray, ()).map(|hit| hit.part())
    };
    assert_eq!(
        (at(4.0, 0.0), at(10.0, 3.0)),
        (Some(Some(0)), Some(Some(1)))
    );

    // By the names of OMI, and by a node that has the mesh.
    let shapes = json!({ "OMI_physics_shape": { "shapes": [
        { "type": "trimesh", "trimesh": { "mesh": 0 } },
    ] } });
    let of_node = khr(json!({ "node": 0, "convexHull": true }));
    let again = load(&character(shapes, of_node, omi(0)), &model("only")).unwrap();
    assert_eq!(again.now().object_bounds(m), only.now().object_bounds(m));
}

#[test]
fn what_cannot_be_a_collider_is_an_error() {
    let shapes = |kind: &str, sizes: Value| json!({ "KHR_implicit_shapes": { "shapes": [{ "type": kind, kind: sizes }] } });
    let refused = |shapes: Value, body: Value| {
        let fixture = character(shapes, body, json!({}));
        // Without a request for colliders no error of theirs is reported.
        load(&fixture, &model("none")).unwrap();
        let error = load(&fixture, &model("only")).unwrap_err();
        let error = error.of_file();
        let cause = std::error::Error::source(error).map(ToString::to_string);
        format!("{error}: {}", cause.unwrap_or_default())
    };
    let first = || khr(json!({ "shape": 0 }));
    let plane = refused(shapes("plane", json!({})), first());
    assert!(
        plane.contains("shapes[0]") && plane.contains("`plane`"),
        "{plane}"
    );
    let cone = shapes("capsule", json!({ "radiusTop": 1 }));
    let cone = refused(cone, first());
    assert!(
        cone.contains("equal radii") && cone.contains("0.25 and 1"),
        "{cone}"
    );
    let flat = refused(shapes("sphere", json!({ "radius": 0 })), first());
    assert!(flat.contains("sphere radius"), "{flat}");
    let none = refused(json!({}), json!({}));
    assert!(none.contains("collider"), "{none}");
    let beyond = refused(json!({}), first());
    assert!(beyond.contains("one of 0 shapes"), "{beyond}");
    let mesh = refused(json!({}), khr(json!({ "mesh": 9 })));
    assert!(mesh.contains("one of 1 meshes"), "{mesh}");
    // A trigger is none.
    let trigger =
        json!({ "KHR_physics_rigid_bodies": { "trigger": { "geometry": { "shape": 0 } } } });
    let trigger = refused(shapes("box", json!({})), trigger);
    assert_eq!(trigger, none);
    let word = load(&GltfFixture::triangle(), &model("all")).unwrap_err();
    assert!(
        word.to_string().contains("\"none\", \"only\" or \"also\""),
        "{word}"
    );
}

#[test]
fn colliders_move_with_the_pose_and_in_crowds() {
    let mut fixture = character(
        json!({ "KHR_implicit_shapes": { "shapes": [{ "type": "box" }] } }),
        khr(json!({ "shape": 0 })),
        json!({}),
    );
    let times = fixture.floats("SCALAR", &[0.0, 1.0]);
    let places = fixture.floats("VEC3", &[4.0, 0.0, 0.0, 4.0, 2.0, 0.0]);
    fixture.push(
        "animations",
        json!({
            "name": "jump",
            "samplers": [{ "input": times, "output": places }],
            "channels": [{ "sampler": 0, "target": { "node": 1, "path": "translation" } }],
        }),
    );
    let text = "[[model]]\nname = 'm'\nfile = 'm.glb'\ncolliders = 'only'\nclip = 'jump'\ntime = 0.5\n\
                [[crowd]]\nname = 'c'\nfile = 'm.glb'\ncolliders = 'also'\ncount = 3\narea = [[100, 0], [101, 1]]\n";
    let scene = load(&fixture, text).unwrap();
    assert_eq!(below(scene.now(), 4.0).unwrap().point.y, 1.5);
    let m = scene.object_named("m").unwrap();
    assert!(scene.clip_time(m).is_some());
    let mut world = scene.world().clone();
    world.set_pose_at(m, 0, 1.0).unwrap();
    world.update();
    assert_eq!(below(world.now(), 4.0).unwrap().point.y, 2.5);
    let c2 = scene.object_named("c2").unwrap();
    assert_eq!(scene.now().compound_parts(c2).count(), 1);
    assert!(scene.now().triangle_count(c2) > 0);
}

const ON_FOX: &str = "
[[compound]]
name = 'boxes'
model = 'fox'
[[compound.part]]
name = 'head'
shape = 'sphere'
center = [0, 0, 0]
radius = 0.5
node = 'head'
[[compound.part]]
name = 'tail'
shape = 'hull'
points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
node = 1
[[compound.part]]
name = 'whole'
shape = 'box'
min = [-1, -1, -1]
max = [-0.5, -0.5, -0.5]
";

#[test]
fn a_compound_may_be_on_a_models_nodes() {
    let fixture = character(json!({}), json!({}), json!({}));
    let fox = "[[model]]\nname = 'fox'\nfile = 'm.glb'\ntranslation = [0, 100, 0]\n";
    let scene = load(&fixture, &format!("{ON_FOX}{fox}")).unwrap();
    let (fox_id, boxes) = (
        scene.object_named("fox").unwrap(),
        scene.object_named("boxes").unwrap(),
    );
    assert!(fox_id < boxes);
    let now = scene.now();
    assert_eq!(now.transform(boxes), now.transform(fox_id));
    let head = now.part_solid(boxes, 0).unwrap();
    let expected = Sphere::new([10.0, 103.0, 0.0], 0.5).unwrap();
    assert_eq!(head, expected.into());
    assert_eq!(
        now.part_solid(boxes, 1).unwrap().bounds().min(),
        Vec3::new(4.0, 100.0, 0.0)
    );
    assert_eq!(
        now.part_solid(boxes, 2).unwrap().bounds().max(),
        Vec3::new(-0.5, 99.5, -0.5)
    );

    // Also where the model has solids of its own.
    let shapes = json!({ "KHR_implicit_shapes": { "shapes": [{ "type": "sphere" }] } });
    let own = character(shapes, khr(json!({ "shape": 0 })), json!({}));
    let also = fox.replace("name = 'fox'", "name = 'fox'\ncolliders = 'also'");
    let also = load(&own, &format!("{ON_FOX}{also}")).unwrap();
    assert_eq!(also.now().part_solid(boxes, 0), now.part_solid(boxes, 0));

    let refused = |text: String| load(&fixture, &text).unwrap_err().to_string();
    let no_model = refused(ON_FOX.to_owned());
    assert!(
        no_model.contains("line 4") && no_model.contains("`fox`"),
        "{no_model}"
    );
    let no_node = refused(format!(
        "{fox}{}",
        ON_FOX.replace("'head'\n[[", "'heat'\n[[")
    ));
    assert!(
        no_node.contains("node `heat`") && no_node.contains("`head`"),
        "{no_node}"
    );
    let placed = refused(format!(
        "{fox}{}",
        ON_FOX.replace("model = 'fox'", "model = 'fox'\nscale = 2")
    ));
    assert!(placed.contains("either `model`"), "{placed}");
    let rigid = refused(ON_FOX.replace("model = 'fox'\n", ""));
    assert!(rigid.contains("`model` in the compound"), "{rigid}");
}
