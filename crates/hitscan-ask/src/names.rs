//! Fields that tables share: names of objects, parts and joints, and whether there is a hit.

use hitscan::model::BindHit;
use hitscan::{ObjectId, RayHit, TriangleId};
use hitscan_assets::Scene;
use hitscan_table::{AnswerBuilder, RowWriter};
use std::borrow::Cow;

/// Writes an object's name; a scene names each object of its world.
pub(crate) fn write_object(scene: &Scene, object: ObjectId, row: &mut RowWriter<'_>) {
    row.text(scene.object_name(object).unwrap_or_default());
}

/// Writes an object and which of its triangles: `object part triangle`. The last two are empty where
/// there is none, the part is that of terrain, which has no parts, and the triangle is a whole part of a compound.
pub(crate) fn write_feature(
    scene: &Scene,
    object: ObjectId,
    triangle: Option<TriangleId>,
    row: &mut RowWriter<'_>,
) {
    write_object(scene, object, row);
    write_parts(scene, object, triangle, row);
}

/// The same without the object's name: `part triangle`.
pub(crate) fn write_parts(
    scene: &Scene,
    object: ObjectId,
    triangle: Option<TriangleId>,
    row: &mut RowWriter<'_>,
) {
    let Some(triangle) = triangle else {
        row.empty().empty();
        return;
    };
    match scene.part_name(object, triangle.part) {
        Some(part) => row.text(part),
        None => row.empty(),
    };
    match triangle.number() {
        Some(number) => row.u32(number),
        None => row.empty(),
    };
}

/// The object of a hit.
pub(crate) fn object_of(hit: &RayHit) -> ObjectId {
    hit.object.expect("a hit in a world names its object")
}

/// The name of the joint that moves a hit's point most (`node<index>` where it has none), and the
/// point in bind space; `None` where no model was hit.
#[must_use]
pub fn joint_of<'scene>(
    scene: &'scene Scene,
    object: ObjectId,
    hit: &RayHit,
) -> Option<(Cow<'scene, str>, BindHit)> {
    let bind = scene.now().bind_hit(hit)?;
    let model = scene.now().model(object)?;
    let name = match model.nodes().get(bind.node)?.name() {
        Some(name) => Cow::Borrowed(name),
        None => Cow::Owned(format!("node{}", bind.node)),
    };
    Some((name, bind))
}

/// Answers a question with its status alone.
pub(crate) fn write_status(is_hit: bool, question: usize, out: &mut AnswerBuilder) {
    out.row(question).text(status(is_hit));
}

/// The status of a question with or without a hit.
pub(crate) fn status(is_hit: bool) -> &'static str {
    if is_hit { "hit" } else { "miss" }
}
