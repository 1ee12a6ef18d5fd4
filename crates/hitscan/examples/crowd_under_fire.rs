//! A crowd of animated runners under fire: the server checks each shot against what the shooter saw
//! 100 ms ago, per triangle, in the pose of that time.
//!
//! cargo run --release -p hitscan --example crowd_under_fire

use hitscan::glam::{DAffine3, DMat4, DQuat, DVec3, Vec3};
use hitscan::model::{
    ChannelData, ClipData, Interpolation, Model, ModelData, NodeData, NodeTransform, PartData,
    PartSkin, Property, SkinData,
};
use hitscan::{ObjectId, Ray, Snapshot, World};
use std::error::Error;
use std::sync::Arc;

const TICKS_A_SECOND: f64 = 60.0;
const RUNNERS: u32 = 400;
const SPEED: f64 = 6.0;
/// What the shooter sees is this old.
const DELAY_TICKS: f64 = 0.1 * TICKS_A_SECOND;

fn main() -> Result<(), Box<dyn Error>> {
    let model = Arc::new(runner()?);
    let run = model.find_clip("run").ok_or("no such clip")?;
    let mut world = World::new();
    world.keep_history(16);
    let runners: Vec<ObjectId> = (0..RUNNERS)
        .map(|_| world.add_model(&model, model.rest_pose(), DAffine3::IDENTITY))
        .collect::<Result<_, _>>()?;

    let last_tick = 120_u32;
    for tick in 0..=last_tick {
        let secs = f64::from(tick) / TICKS_A_SECOND;
        for (number, runner) in (0..).zip(&runners) {
            world.set_transform(*runner, DAffine3::from_translation(place(number, secs)))?;
            world.set_pose_at(*runner, run, step_secs(number, secs))?;
        }
        world.update();
        world.record(tick.into())?;
    }

    // Every runner is shot at once, from a high place: at the chest, as it was seen.
    let seen_at = f64::from(last_tick) - DELAY_TICKS;
    let seen = world.at(seen_at).ok_or("the history reaches there")?;
    let (mut rewound, mut present) = (0, 0);
    for number in 0..RUNNERS {
        let target = place(number, seen_at / TICKS_A_SECOND) + DVec3::Y * 1.2;
        let from = target + DVec3::new(0.0, 10.0, -10.0);
        let shot = Ray::between(from.as_vec3(), target.as_vec3())?;
        let is_hit = |snapshot: &Snapshot| {
            let met = snapshot.cast_ray(&shot, ());
            met.is_some_and(|met| met.object == Some(runners[number as usize]))
        };
        rewound += u32::from(is_hit(&seen));
        present += u32::from(is_hit(world.now()));
    }
    println!("{RUNNERS} runners shot at where they were seen, 100 ms ago:");
    println!("  checked against that moment  {rewound} hit");
    println!("  checked against the present  {present} hit");

    // One shot, in the runner's own terms: where a wound goes.
    let shot_at = place(7, seen_at / TICKS_A_SECOND) + DVec3::new(0.1, 0.5, 0.0);
    let from = shot_at + DVec3::new(0.0, 5.0, -10.0);
    let shot = Ray::between(from.as_vec3(), shot_at.as_vec3())?;
    let met = seen.cast_ray(&shot, ()).ok_or("the leg was there")?;
    let bind = seen.bind_hit(&met).ok_or("a runner is a model")?;
    let joint = model.nodes()[bind.node].name().unwrap_or("?");
    println!(
        "  a low shot met the {joint}, in bind space at {:.2}",
        bind.point
    );
    println!(
        "history: {} ticks in {:.1} MB",
        world.history().map_or(0, |ticks| ticks.count()),
        world.history_bytes() as f64 / 1e6
    );
    assert!(rewound == RUNNERS && present < RUNNERS / 10);
    Ok(())
}

/// Where a runner is: in rows of 20, 2 m apart.
fn place(number: u32, secs: f64) -> DVec3 {
    let (column, row) = (f64::from(number % 20), f64::from(number / 20));
    DVec3::new(2.0 * column + SPEED * secs, 0.0, 2.0 * row)
}

/// Each runner is at its own point of the clip, which takes 0.8 s.
fn step_secs(number: u32, secs: f64) -> f64 {
    (secs + 0.13 * f64::from(number)) % 0.8
}

/// A body and two legs of boxes, skinned to three joints, with a clip `run`.
fn runner() -> Result<Model, hitscan::Error> {
    let joint = |name: &str, parent, at: DVec3| NodeData {
        name: Some(name.to_owned()),
        parent,
        local: NodeTransform::Trs {
            translation: at,
            rotation: DQuat::IDENTITY,
            scale: DVec3::ONE,
        },
        ..NodeData::default()
    };
    let hips = [DVec3::new(-0.12, 0.0, 0.0), DVec3::new(0.12, 0.0, 0.0)];
    let body_at = DVec3::Y * 0.9;
    let (mut positions, mut triangles, mut joints) = (Vec::new(), Vec::new(), Vec::new());
    let mut add_box = |joint: u16, middle: DVec3, size: DVec3| {
        let first = 8 * u32::from(joint);
        for corner in 0..8_u8 {
            let end = |axis: u8| f64::from(corner >> axis & 1) - 0.5;
            let at = middle + size * DVec3::new(end(0), end(1), end(2));
            positions.push(at.as_vec3());
            joints.push(joint);
        }
        let quads = [
            [0, 2, 3, 1],
            [4, 5, 7, 6],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 4, 6, 2],
            [1, 3, 7, 5],
        ];
        for [a, b, c, d] in quads {
            triangles
                .extend([[a, b, c], [a, c, d]].map(|corners| corners.map(|at: u32| first + at)));
        }
    };
    add_box(0, DVec3::Y * 1.3, DVec3::new(0.5, 0.8, 0.3));
    for (joint, hip) in (1..).zip(hips) {
        add_box(joint, hip + DVec3::Y * 0.45, DVec3::new(0.2, 0.9, 0.2));
    }
    let swing = |node: usize, sign: f64| ChannelData {
        node,
        property: Property::Rotation,
        interpolation: Interpolation::Linear,
        times: vec![0.0, 0.2, 0.4, 0.6, 0.8],
        values: [0.0, 0.6, 0.0, -0.6, 0.0]
            .into_iter()
            .flat_map(|angle| {
                let turn = DQuat::from_rotation_z(sign * angle).as_quat();
                turn.to_array()
            })
            .collect(),
    };
    let from_bind = |at: DVec3| DMat4::from_translation(-at);
    Model::new(ModelData {
        nodes: vec![
            joint("body", None, body_at),
            joint("left leg", Some(0), hips[0]),
            joint("right leg", Some(0), hips[1]),
        ],
        skins: vec![SkinData {
            joints: vec![0, 1, 2],
            inverse_bind: vec![
                from_bind(body_at),
                from_bind(body_at + hips[0]),
                from_bind(body_at + hips[1]),
            ],
        }],
        clips: vec![ClipData {
            name: Some("run".to_owned()),
            channels: vec![swing(1, 1.0), swing(2, -1.0)],
        }],
        parts: vec![PartData {
            name: "runner".to_owned(),
            skin: Some(PartSkin {
                skin: 0,
                influences: 1,
                weights: vec![1.0; joints.len()],
                joints,
            }),
            positions: positions.into_iter().collect::<Vec<Vec3>>(),
            triangles,
            ..PartData::default()
        }],
    })
}
