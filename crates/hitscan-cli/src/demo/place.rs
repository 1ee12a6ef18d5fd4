//! Positions and objects in words.

use glam::Vec3;
use hitscan::{ObjectId, TriangleId};
use hitscan_assets::Scene;

/// Object, part and triangle, as the tables name them; empty where there is none.
pub(super) fn location(
    scene: &Scene,
    object: impl Into<Option<ObjectId>>,
    triangle: Option<TriangleId>,
) -> [String; 3] {
    let object = object.into();
    let name = object.and_then(|object| scene.object_name(object));
    let part = object.and_then(|object| scene.part_name(object, triangle?.part));
    [
        name.unwrap_or_default().to_owned(),
        part.unwrap_or_default().to_owned(),
        triangle
            .and_then(TriangleId::number)
            .map_or_else(String::new, |number| number.to_string()),
    ]
}

pub(super) fn point(p: Vec3) -> String {
    format!("({:.2}, {:.2}, {:.2})", p.x, p.y, p.z)
}
