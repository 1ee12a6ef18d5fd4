//! Names of objects and parts as fields of a row.

use hitscan::ObjectId;
use hitscan_assets::Scene;
use hitscan_table::RowWriter;

/// Writes an object's name; a scene names each object of its world.
pub(crate) fn write_object(scene: &Scene, object: ObjectId, row: &mut RowWriter<'_>) {
    row.text(scene.object_name(object).unwrap_or_default());
}

/// Writes the name of a model's part; an empty field for terrain, which has no parts.
pub(crate) fn write_part(scene: &Scene, object: ObjectId, part: u32, row: &mut RowWriter<'_>) {
    match scene.part_name(object, part) {
        Some(part) => row.text(part),
        None => row.empty(),
    };
}
