//! Fields that tables share: names of objects, parts and joints, and whether there is a hit.

use hitscan::model::BindHit;
use hitscan::world::ObjectKind;
use hitscan::{ObjectId, RayHit, TriangleId};
use hitscan_assets::Scene;
use hitscan_table::{AnswerBuilder, RowWriter, RowsWriter};
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
    write_part(scene, object, triangle, row);
}

/// Writes which triangle of an object: `part triangle`, as [`write_feature`] does.
pub(crate) fn write_part(
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

/// Writes what hits are on, and the weights of their triangles: `object part triangle u v`. Without a hit the
/// columns are empty.
pub(crate) fn write_hit_features<'a, T>(
    scene: &'a Scene,
    hit: impl Fn(&'a T) -> Option<&'a RayHit>,
    rows: &mut RowsWriter<'_, 'a, T>,
) {
    let triangle = |answer| hit(answer)?.triangle?.number();
    // The face of a hull is no triangle, and has no weights.
    let weighted = |answer| {
        let hit = hit(answer)?;
        hit.triangle?;
        let kind = scene.now().kind(object_of(hit));
        let is_solid = matches!(kind, Some(ObjectKind::ConvexHull | ObjectKind::Compound));
        (!is_solid).then_some(hit)
    };
    rows.text(|answer| {
        Some(
            scene
                .object_name(object_of(hit(answer)?))
                .unwrap_or_default(),
        )
    })
    .text(|answer| {
        let hit = hit(answer)?;
        scene.part_name(object_of(hit), hit.triangle?.part)
    })
    .u32(triangle)
    .f32(|answer| weighted(answer).map(RayHit::u))
    .f32(|answer| weighted(answer).map(RayHit::v));
}

/// Writes where hits are, and the normals there: `x y z nx ny nz`. Without a hit the columns are empty.
pub(crate) fn write_hit_places<'a, T>(
    hit: impl Fn(&'a T) -> Option<&'a RayHit>,
    rows: &mut RowsWriter<'_, 'a, T>,
) {
    for axis in 0..3 {
        rows.f32(|answer| Some(hit(answer)?.point[axis]));
    }
    for axis in 0..3 {
        rows.f32(|answer| Some(hit(answer)?.normal[axis]));
    }
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
    out.row(question).text(status(is_hit));
}

/// The status of a question with or without a hit.
pub(crate) fn status(is_hit: bool) -> &'static str {
    if is_hit { "hit" } else { "miss" }
}
