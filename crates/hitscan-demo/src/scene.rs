//! The demo's scene file, and from where its picture is seen.
//!
//! Objects are put on the ground by the library's own heights.

use crate::camera_table::{camera_table, to_centimetres};
use crate::rig::rotation;
use crate::valley::{self, ground_height};
use glam::{DQuat, DVec3};
use hitscan::HeightField;
use hitscan_picture::View;
use std::fmt::Write as _;

/// A robot with its transform and pose.
struct Robot {
    name: &'static str,
    x: f64,
    z: f64,
    /// The rotation about +y, radians; at 0 it faces +z.
    angle: f64,
    clip: &'static str,
    time_secs: f64,
}

const ROBOTS: [Robot; 3] = [
    Robot {
        name: "ada",
        x: -1.55,
        z: 85.2,
        angle: 0.32,
        clip: "Walk",
        time_secs: 0.25,
    },
    Robot {
        name: "bruno",
        x: 1.75,
        z: 84.2,
        angle: -0.25,
        clip: "Wave",
        time_secs: 0.95,
    },
    Robot {
        name: "cleo",
        x: 5.0,
        z: 82.6,
        angle: 2.15,
        clip: "Walk",
        time_secs: 0.78,
    },
];

/// A robot's rotation, and its x and z; `None` where no robot has this name.
pub(crate) fn robot_transform(name: &str) -> Option<(DQuat, [f64; 2])> {
    let robot = ROBOTS.iter().find(|robot| robot.name == name)?;
    Some((rotation(DVec3::Y, robot.angle), [robot.x, robot.z]))
}

/// A sphere: name, x, z, height of its middle above the ground or the water, radius.
struct Ball(&'static str, f64, f64, f64, f64);

const BALLS: [Ball; 3] = [
    Ball("buoy", -9.6, 71.0, 0.35, 0.9),
    Ball("balloon", 8.5, 70.0, 6.5, 1.8),
    Ball("beacon", 27.0, 40.0, 1.2, 2.2),
];

/// The edge of a crate, metres.
pub(crate) const CRATE: f64 = 1.0;
/// The x and z of the least corners of the lower two crates. The third is on top of them.
const CRATES: [[f64; 2]; 2] = [[-6.2, 82.2], [-5.0, 82.5]];

/// The scene file, with everything on the ground.
pub(crate) fn toml(ground: &HeightField) -> String {
    let mut toml = String::from(
        "# Made by `hitscan demo`. Metres, seconds, radians; +y is up; quaternions are x, y, z, w.\n",
    );
    let [low, high] = valley::RANGE;
    let (spacing, corner) = (valley::SPACING, valley::CORNER);
    push(
        &mut toml,
        format_args!(
            "\n[[terrain]]\nname = \"valley\"\nheights = \"valley.png\"\nspacing = {spacing:?}\n\
             range = [{low:?}, {high:?}]\norigin = [{corner:?}, 0.0, {corner:?}]\n"
        ),
    );
    for Robot {
        name,
        x,
        z,
        angle,
        clip,
        time_secs,
    } in ROBOTS
    {
        let [_, sin, _, cos] = rotation(DVec3::Y, angle).to_array();
        let y = ground_height(ground, x, z) - 0.01;
        push(
            &mut toml,
            format_args!(
                "\n[[model]]\nname = \"{name}\"\nfile = \"robot.glb\"\n\
                 translation = [{x:?}, {y:.3}, {z:?}]\nrotation = [0.0, {sin:.6}, 0.0, {cos:.6}]\n\
                 clip = \"{clip}\"\ntime = {time_secs:?}\n"
            ),
        );
    }
    for Ball(name, x, z, above, radius) in BALLS {
        let y = ground_height(ground, x, z) + above;
        push(
            &mut toml,
            format_args!(
                "\n[[sphere]]\nname = \"{name}\"\ncenter = [{x:?}, {y:.3}, {z:?}]\n\
                 radius = {radius:?}\n"
            ),
        );
    }
    let [[ax, az], [bx, bz]] = CRATES;
    let floor = ground_height(ground, ax, az).max(ground_height(ground, bx, bz));
    let on_top = floor + CRATE;
    let middle = [(ax + bx) / 2.0, (az + bz) / 2.0];
    for (name, [x, z], y) in [
        ("crate-a", [ax, az], floor),
        ("crate-b", [bx, bz], floor),
        ("crate-c", middle, on_top),
    ] {
        let (x_end, y_end, z_end) = (x + CRATE, y + CRATE, z + CRATE);
        push(
            &mut toml,
            format_args!(
                "\n[[box]]\nname = \"{name}\"\nmin = [{x:.3}, {y:.3}, {z:.3}]\n\
                 max = [{x_end:.3}, {y_end:.3}, {z_end:.3}]\n"
            ),
        );
    }
    toml.push_str(&camera_table(view(ground)));
    toml
}

/// Down the valley, over all heads. Whole centimetres, so that it can be typed.
pub(crate) fn view(ground: &HeightField) -> View {
    let [x, z] = [1.6, 93.0];
    let eye_height = ground_height(ground, x, z) + 2.2;
    View {
        eye: to_centimetres(DVec3::new(x, eye_height, z)),
        target: to_centimetres(DVec3::new(-0.7, eye_height - 0.4, 80.0)),
    }
}

fn push(text: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing into a string cannot fail.
    let _ = text.write_fmt(line);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scene_is_the_same_each_time_and_on_the_ground() {
        let ground = valley::field(&valley::codes()).unwrap();
        assert_eq!(toml(&ground), toml(&ground));
        for Robot { name, x, z, .. } in ROBOTS {
            assert!(
                ground_height(&ground, x, z) > 0.05,
                "{name} is in the water"
            );
        }
        let Ball(_, x, z, ..) = BALLS[0];
        assert_eq!(ground_height(&ground, x, z), 0.0, "the buoy swims");
    }
}
