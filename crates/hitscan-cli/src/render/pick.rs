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
            if let Some(number) = triangle.number() {
                fact("triangle", &number.to_string());
            }
        }
        if let Some((joint, _)) = joint_of(scene, object, &hit) {
            fact("joint", &joint);
        }
    }
    fact("distance", &format!("{} m", number(hit.distance)));
    fact("point", &hit.point.to_array().map(number).join(","));
    fact("side", hit.side.name());
    output::print(text.as_bytes())
}

/// A number as tables have it.
fn number(number: f32) -> String {
    let mut text = Vec::new();
    hitscan_table::write_f32(number, &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_those_of_tables() {
        assert_eq!(number(7.275_958e-12), "7.275958e-12");
        assert_eq!(number(-0.5), "-0.5");
    }
}
