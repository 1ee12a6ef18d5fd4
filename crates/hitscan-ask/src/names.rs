//! Names of objects and parts as fields of a row, and of joints.

use hitscan::model::BindHit;
use hitscan::{ObjectId, RayHit};
use hitscan_assets::Scene;
use hitscan_table::RowWriter;
use std::borrow::Cow;

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

/// Writes part, triangle and weights of a hit: `part triangle u v`, empty where no triangle was hit.
pub(crate) fn write_triangle(
    scene: &Scene,
    object: ObjectId,
    hit: &RayHit,
    row: &mut RowWriter<'_>,
) {
    let Some(triangle) = hit.triangle else {
        row.empty().empty().empty().empty();
        return;
    };
    write_part(scene, object, triangle.part, row);
    row.u32(triangle.triangle).f32(hit.u()).f32(hit.v());
}

/// The name of the joint that moves a hit's point most (`node<index>` where it has none), and the
/// point in bind space; `None` where no model was hit.
#[must_use]
pub fn joint_of<'scene>(
    scene: &'scene Scene,
    object: ObjectId,
    hit: &RayHit,
) -> Option<(Cow<'scene, str>, BindHit)> {
    let model = scene.now().model(object)?;
    let bind = model.bind_hit(hit.triangle?, hit.barycentrics)?;
    let name = match model.nodes().get(bind.node)?.name() {
        Some(name) => Cow::Borrowed(name),
        None => Cow::Owned(format!("node{}", bind.node)),
    };
    Some((name, bind))
}
