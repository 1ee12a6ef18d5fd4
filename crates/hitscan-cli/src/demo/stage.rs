//! Who stands where in the demo: the scene file, and where its picture is seen from.
//!
//! Places on the ground come from the library's own heights. What is asked of the scene is in
//! `questions.rs`.

use super::valley;
use crate::picture::view::View;
use glam::DVec3;
use hitscan::HeightField;
use hitscan::height_field::Ground;
use std::fmt::Write as _;

/// A robot: name, x, z, the turn about +y in radians, clip and time in seconds.
struct Robot(&'static str, f64, f64, f64, &'static str, f64);

const ROBOTS: [Robot; 3] = [
    Robot("ada", -1.3, 86.4, 0.32, "Walk", 0.25),
    Robot("bruno", 1.75, 84.2, -0.25, "Wave", 0.95),
    Robot("cleo", 5.0, 82.6, 2.15, "Walk", 0.78),
];

/// A sphere: name, x, z, height of its middle above the ground or the water, radius.
struct Ball(&'static str, f64, f64, f64, f64);

const BALLS: [Ball; 3] = [
    Ball("buoy", -9.6, 71.0, 0.35, 0.9),
    Ball("balloon", 8.5, 70.0, 6.5, 1.8),
    Ball("beacon", 27.0, 40.0, 1.2, 2.2),
];

/// The edge of a crate, metres.
pub(crate) const CRATE: f64 = 1.0;
/// Where the lower two crates stand: x and z of their smallest corner. The third stands on them.
const CRATES: [[f64; 2]; 2] = [[-5.4, 83.0], [-4.2, 83.3]];

/// The scene, ready to be written.
pub(crate) struct Stage {
    /// The scene file.
    pub(crate) toml: String,
    /// Where its picture is seen from.
    pub(crate) view: View,
}

/// Sets everything on the ground.
pub(crate) fn set(ground: &HeightField) -> Stage {
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
    for Robot(name, x, z, turn, clip, time) in ROBOTS {
        let (sin, cos) = libm::sincos(turn / 2.0);
        let y = height(ground, x, z) - 0.01;
        push(
            &mut toml,
            format_args!(
                "\n[[model]]\nname = \"{name}\"\nfile = \"robot.glb\"\n\
                 translation = [{x:?}, {y:.3}, {z:?}]\nrotation = [0.0, {sin:.6}, 0.0, {cos:.6}]\n\
                 clip = \"{clip}\"\ntime = {time:?}\n"
            ),
        );
    }
    for Ball(name, x, z, above, radius) in BALLS {
        let y = height(ground, x, z) + above;
        push(
            &mut toml,
            format_args!(
                "\n[[sphere]]\nname = \"{name}\"\ncenter = [{x:?}, {y:.3}, {z:?}]\n\
                 radius = {radius:?}\n"
            ),
        );
    }
    let [[ax, az], [bx, bz]] = CRATES;
    let floor = height(ground, ax, az).max(height(ground, bx, bz));
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
    let eye_ground = height(ground, 1.6, 93.0);
    Stage {
        toml,
        view: View {
            eye: DVec3::new(1.6, eye_ground + 2.2, 93.0),
            look: DVec3::new(-0.7, eye_ground + 2.75, 80.0),
        },
    }
}

/// The ground's height at x, z; the stage lies well inside the valley.
fn height(ground: &HeightField, x: f64, z: f64) -> f64 {
    let place = DVec3::new(x, 0.0, z).as_vec3();
    match ground.height(place.x, place.z) {
        Ground::Height(found) => f64::from(found.height),
        Ground::Outside | Ground::Hole => 0.0,
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
    fn the_stage_is_the_same_each_time_and_stands_on_the_ground() {
        let ground = valley::field().unwrap();
        let stage = set(&ground);
        assert_eq!(stage.toml, set(&ground).toml);
        for Robot(name, x, z, ..) in ROBOTS {
            assert!(height(&ground, x, z) > 0.05, "{name} stands in the water");
        }
        let Ball(_, x, z, ..) = BALLS[0];
        assert_eq!(height(&ground, x, z), 0.0, "the buoy swims");
    }
}
