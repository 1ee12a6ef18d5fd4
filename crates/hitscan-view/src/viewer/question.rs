//! The columns of a question: those of a pixel, and what a view adds.

use super::sent_frames::Shown;
use crate::protocol::{FieldError, Refusal, Tool, ViewRequest};
use glam::{DVec3, Vec3};
use hitscan_ask::{Axis, ignore_field, ignored_names, table_frame};
use hitscan_assets::Scene;

/// How far before what a pixel shows the point is whose nearest surface it queries, metres.
const BEFORE_HIT: f64 = 0.5;

/// Columns and the texts of their fields.
type Fields = Vec<(String, String)>;

/// The question of a pixel: the very ray that drew it, or a point on that ray.
pub(super) fn pixel_question(
    shown: &Shown,
    pixel: [u32; 2],
    tool: Tool,
) -> Result<Fields, FieldError> {
    let painter = &shown.view.painter;
    let Some(ray) = painter.ray(shown.look, pixel) else {
        let [width, height] = shown.look.size(painter.size());
        let found = format!("[{},{}]", pixel[0], pixel[1]);
        return Err(Refusal::new(
            "pixel",
            found,
            format!("within {width} x {height}"),
        ));
    };
    let scene = &shown.view.scene;
    if tool == Tool::Ray {
        let mut fields = position(scene, ["ox", "oy", "oz"], ray.origin()).to_vec();
        let direction = ray.direction().to_array();
        for (name, number) in ["dx", "dy", "dz"].into_iter().zip(direction) {
            fields.push((name.to_owned(), number.to_string()));
        }
        return Ok(fields);
    }
    let hit = painter
        .hit(&ray)
        .ok_or_else(|| Refusal::new("pixel", "the sky", "a pixel that shows a surface"))?;
    if tool == Tool::Height {
        let [x, _, z] = position(scene, ["x", "y", "z"], hit.point);
        return Ok(vec![x, z]);
    }
    let direction = ray.direction().as_dvec3();
    let back = (f64::from(hit.distance) - BEFORE_HIT).max(0.0);
    let along: DVec3 = direction * (back / direction.length());
    let point = (ray.origin().as_dvec3() + along).as_vec3();
    Ok(position(scene, ["px", "py", "pz"], point).to_vec())
}

/// A position of the world in the coordinates of the scene's tables.
fn position(scene: &Scene, names: [&str; 3], point: Vec3) -> [(String, String); 3] {
    let frame = table_frame(scene);
    let axes = [Axis::X, Axis::Y, Axis::Z];
    std::array::from_fn(|axis| {
        let map = frame.own_map(axes[axis]);
        let metres = point[axis];
        let text = match map.is_identity() {
            true => metres.to_string(),
            false => map.to_table(metres.into()).to_string(),
        };
        (names[axis].to_owned(), text)
    })
}

/// The same question of what a view shows: its layers and hidden objects are in the columns `mask` and
/// `ignore`, so that the command answers the same.
pub(super) fn with_filter(mut fields: Fields, view: &ViewRequest) -> Fields {
    let mut take = |name: &str| {
        let place = fields.iter().position(|(found, _)| found == name)?;
        Some(fields.remove(place).1).filter(|text| !text.trim().is_empty())
    };
    let (mask, ignore) = (take("mask"), take("ignore"));
    let mask = match mask.map(|text| (parse_mask(&text), text)) {
        // What is no mask is refused as in a table.
        Some((None, text)) => Some(text),
        Some((Some(mask), _)) => Some((mask & view.layers).to_string()),
        None if view.layers == u32::MAX => None,
        None => Some(view.layers.to_string()),
    };
    // A question that is repeated has the names already.
    let named = ignored_names(ignore.as_deref().unwrap_or_default());
    let hidden = view.hide.iter().filter(|name| !named.contains(name));
    let hidden = ignore_field(hidden.map(String::as_str));
    let hidden = Some(hidden).filter(|names| !names.is_empty());
    let ignored: Vec<String> = ignore.into_iter().chain(hidden).collect();
    fields.extend(mask.map(|mask| ("mask".to_owned(), mask)));
    if !ignored.is_empty() {
        fields.push(("ignore".to_owned(), ignored.join(";")));
    }
    fields
}

/// A mask as tables have it: decimal, hexadecimal or binary.
fn parse_mask(text: &str) -> Option<u32> {
    let text = text.trim();
    let digits = |prefix: [&str; 2]| prefix.iter().find_map(|start| text.strip_prefix(start));
    match (digits(["0x", "0X"]), digits(["0b", "0B"])) {
        (Some(digits), _) => u32::from_str_radix(digits, 16).ok(),
        (_, Some(digits)) => u32::from_str_radix(digits, 2).ok(),
        (None, None) => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_are_those_of_tables() {
        let masks = ["5", " 0x5", "0b101 ", "0xffffffff", "-1", "five", ""];
        let read: Vec<_> = masks.into_iter().map(parse_mask).collect();
        let five = Some(5);
        assert_eq!(read, [five, five, five, Some(u32::MAX), None, None, None]);
    }
}
