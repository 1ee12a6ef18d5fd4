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
/// there is none, and the part is that of terrain, which has no parts.
pub(crate) fn write_feature(
    scene: &Scene,
    object: ObjectId,
    triangle: Option<TriangleId>,
    row: &mut RowWriter<'_>,
) {
    write_object(scene, object, row);
    let Some(triangle) = triangle else {
        row.empty().empty();
        return;
    };
    match scene.part_name(object, triangle.part) {
        Some(part) => row.text(part),
        None => row.empty(),
    };
    row.u32(triangle.triangle);
}

/// Writes what a hit is on, and the weights of its triangle: `object part triangle u v`.
pub(crate) fn write_hit_feature(
    scene: &Scene,
    object: ObjectId,
    hit: &RayHit,
    row: &mut RowWriter<'_>,
) {
    write_feature(scene, object, hit.triangle, row);
    match hit.triangle {
        Some(_) => row.f32(hit.u()).f32(hit.v()),
        None => row.empty().empty(),
    };
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

/// Answers a question with its status alone.
pub(crate) fn write_status(is_hit: bool, question: usize, out: &mut AnswerBuilder) {
    out.row(question).text(if is_hit { "hit" } else { "miss" });
}
