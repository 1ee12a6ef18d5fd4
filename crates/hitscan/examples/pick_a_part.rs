//! Picking a part of an animated model with the pointer.
//!
//! A game turns the pointer's pixel into a ray and casts it at the model in its pose at that
//! time of its clip. The answer names the part and the triangle, and its barycentric weights say
//! where on the triangle: there a texture is looked up, or a decal goes that moves with the part.

use hitscan::glam::{DAffine3, Vec3};
use hitscan::model::{
    ChannelData, ClipData, Interpolation, Model, ModelData, NodeData, PartData, Property,
};
use hitscan::{Camera, Error, Sides, World};
use std::sync::Arc;

/// An upright plate that faces +Z, moved by the node with this index.
fn plate(name: &str, node: usize, [left, low, z]: [f32; 3], [right, high]: [f32; 2]) -> PartData {
    let corners = [[left, low], [right, low], [right, high], [left, high]];
    PartData {
        name: name.into(),
        node,
        positions: corners.map(|[x, y]| Vec3::new(x, y, z)).to_vec(),
        triangles: vec![[0, 1, 2], [0, 2, 3]],
        ..PartData::default()
    }
}

/// A body and an arm before it, which the clip `raise` turns about the shoulder (the origin) from
/// hanging to pointing along +X.
fn robot() -> Result<Model, Error> {
    let mut nodes = vec![NodeData::default(); 2];
    nodes[1].parent = Some(0);
    let body = plate("body", 0, [-1.0, -1.5, -0.2], [0.5, 0.3]);
    let arm = plate("arm", 1, [-0.1, -0.9, 0.0], [0.1, 0.1]);
    let s = std::f32::consts::FRAC_1_SQRT_2;
    let raise = ChannelData {
        node: 1,
        property: Property::Rotation,
        interpolation: Interpolation::Linear,
        times: vec![0.0, 1.0],
        // As x, y, z, w: no turn, then a quarter turn about +Z.
        values: vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, s, s],
    };
    let (name, channels) = (Some("raise".into()), vec![raise]);
    Model::new(ModelData {
        nodes,
        parts: vec![body, arm],
        clips: vec![ClipData { name, channels }],
        ..ModelData::default()
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let robot = Arc::new(robot()?);
    let clip = robot.find_clip("raise").ok_or("no such clip")?;
    let camera = Camera::new([0.0, 0.0, 4.0], [0.0; 3], 90_f64.to_radians(), [640, 480])?;
    let pointer = camera.ray(338.5, 258.5);

    let mut picked = Vec::new();
    for time_secs in [0.0, 0.5, 1.0] {
        let pose = robot.pose_at(clip, time_secs)?;
        let mut world = World::new();
        world.add_model(&robot, &pose, DAffine3::IDENTITY)?;
        world.update();

        let met = world.now().cast_ray(&pointer, Sides::Front);
        let hit = met.ok_or("nothing under the pointer")?;
        let on = hit.triangle.ok_or("not a model")?;
        let part = &robot.parts()[on.part as usize];
        println!("at {time_secs} s: {}, {on:?}", part.name());
        picked.push(part.name());
        // The weights give a place on the part at rest, for a decal, and the part's node moves it.
        let corners = part.mesh().triangles()[on.triangle as usize];
        let [a, b, c] = corners.map(|corner| part.mesh().positions()[corner as usize]);
        let decal = (1.0 - hit.u() - hit.v()) * a + hit.u() * b + hit.v() * c;
        let model_from_node = robot.model_from_nodes(&pose)?[part.node()];
        let posed = model_from_node.transform_point3(decal.as_dvec3());
        assert!(posed.as_vec3().abs_diff_eq(hit.point, 1e-5));
    }
    assert_eq!(picked, ["body", "arm", "body"]);
    Ok(())
}
