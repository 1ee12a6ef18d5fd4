//! Picking: the content of a pixel of a picture, in words.

use crate::failure::Failure;
use crate::output;
use crate::terminal::escaped;
use hitscan_ask::joint_of;
use hitscan_assets::Scene;
use hitscan_picture::{PictureOptions, pick};
use std::fmt::Write as _;

/// Prints what a pixel of the picture shows.
pub(super) fn run(
    scene: &Scene,
    options: &PictureOptions<'_>,
    pixel: [u32; 2],
) -> Result<(), Failure> {
    let [[x, y], [width, height]] = [pixel, options.size];
    if x >= width || y >= height {
        return Err(Failure::usage(format!(
            "--pick {x},{y} is outside the picture of {width} x {height} pixels, which are counted \
             from 0,0 in the upper left corner"
        )));
    }
    let Some(hit) = pick(scene.now(), options, pixel)? else {
        return output::print(b"sky\n");
    };
    let mut text = String::new();
    let mut fact = |name: &str, value: &str| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{name:8}  {}", escaped(value));
    };
    if let Some(object) = hit.object {
        fact("object", scene.object_name(object).unwrap_or_default());
        if let Some(triangle) = hit.triangle {
            if let Some(part) = scene.part_name(object, triangle.part) {
                fact("part", part);
            }
            fact("triangle", &triangle.triangle.to_string());
        }
        if let Some((joint, _)) = joint_of(scene, object, &hit) {
            fact("joint", &joint);
        }
    }
    fact("distance", &format!("{} m", hit.distance));
    let point = hit.point;
    fact("point", &format!("{},{},{}", point.x, point.y, point.z));
    fact("side", hit.side.name());
    output::print(text.as_bytes())
}
