//! `hitscan ray --bind`: hits in the models' bind space.

use crate::{Folder, column};
use hitscan_testkit::GltfFixture;
use serde_json::json;

/// A square of 4 m whose left edge follows the joint `hip` and whose right edge follows a joint
/// without a name, which is 4 m behind it: the surface runs back along z as fast as along x.
fn bent_square() -> Vec<u8> {
    let mut fixture = GltfFixture::new();
    let corners = [
        [0.0, 0.0, 0.0],
        [4.0, 0.0, 0.0],
        [4.0, 4.0, 0.0],
        [0.0, 0.0, 0.0],
        [4.0, 4.0, 0.0],
        [0.0, 4.0, 0.0],
    ];
    let positions = fixture.floats("VEC3", corners.as_flattened());
    let joints = corners.map(|[x, ..]| [u8::from(x > 0.0), 0, 0, 0]);
    let joints = fixture.view(joints.as_flattened());
    let joints = fixture.accessor(json!({
        "bufferView": joints, "componentType": 5121, "count": 6, "type": "VEC4",
    }));
    let weights = fixture.floats("VEC4", &[1.0, 0.0, 0.0, 0.0].repeat(6));
    let node = fixture.node_with(json!({ "attributes": {
        "POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights,
    }}));
    fixture.document["nodes"][node]["skin"] = json!(0);
    let hip = fixture.push("nodes", json!({ "name": "hip" }));
    let foot = fixture.push("nodes", json!({ "translation": [0.0, 0.0, -4.0] }));
    fixture.push("skins", json!({ "joints": [hip, foot] }));
    fixture.glb()
}

fn scene() -> Folder {
    let folder = Folder::with_scene(
        "[[model]]\nname = \"square\"\nfile = \"square.glb\"\ntranslation = [10, 0, 0]\n\
         [[sphere]]\nname = \"ball\"\ncenter = [13, 1, -8]\nradius = 1\n",
    );
    folder.write("square.glb", bent_square());
    folder
}

const RAYS: &str = "ox,oy,oz,dx,dy,dz\n11,2,10,0,0,-1\n13,1,10,0,0,-1\n0,0,10,0,0,-1\n";

#[test]
fn the_strongest_joint_and_the_point_in_bind_space() {
    let run = scene().run_with(&["ray", "scene.toml", "-", "--bind"], RAYS);
    assert!(
        run.stdout
            .lines()
            .next()
            .unwrap()
            .ends_with(",u,v,side,joint,bind_x,bind_y,bind_z"),
        "{}",
        run.stdout
    );
    let rows = run.rows();
    assert_eq!(column(&rows, "z"), ["-1", "-3", ""]);
    assert_eq!(column(&rows, "joint"), ["hip", "node2", ""]);
    assert_eq!(column(&rows, "bind_x"), ["1", "3", ""]);
    assert_eq!(column(&rows, "bind_y"), ["2", "1", ""]);
    assert_eq!(column(&rows, "bind_z"), ["0", "0", ""]);
}

#[test]
fn all_hits_have_theirs_and_a_ball_has_none() {
    let arguments = ["ray", "scene.toml", "-", "--bind", "--hits", "all"];
    let rows = scene().run_with(&arguments, RAYS).rows();
    assert_eq!(column(&rows, "row"), ["0", "1", "1", "1", "2"]);
    assert_eq!(
        column(&rows, "object"),
        ["square", "square", "ball", "ball", ""]
    );
    assert_eq!(column(&rows, "joint"), ["hip", "node2", "", "", ""]);
    assert_eq!(column(&rows, "bind_x"), ["1", "3", "", "", ""]);
}

#[test]
fn it_needs_hits_that_say_where() {
    let folder = scene();
    let any = ["ray", "scene.toml", "-", "--bind", "--hits", "any"];
    folder.run(&any).assert_refused(&["--bind", "--hits any"]);
    let march = ["ray", "scene.toml", "-", "--bind", "--method", "march"];
    folder
        .run(&march)
        .assert_refused(&["--bind", "--method exact"]);
}
