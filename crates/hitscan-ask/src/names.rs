//! Fields that tables share: names of objects, parts and joints, and whether there is a hit.

use hitscan::model::BindHit;
use hitscan::world::ObjectKind;
use hitscan::{ObjectId, RayHit, TriangleId};
use hitscan_assets::Scene;
use hitscan_table::{AnswerBuilder, RowWriter, RowsWriter};
use std::borrow::Cow;
use std::cell::Cell;

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

/// Writes what hits are on, and the weights of their triangles: `object part triangle u v`. Without a hit the
/// columns are empty.
pub(crate) fn write_hit_features<'a, T>(
    scene: &'a Scene,
    hit: impl Fn(&'a T) -> Option<&'a RayHit>,
    rows: &mut RowsWriter<'_, 'a, T>,
) {
    let objects = LastObject::of(scene);
    let triangle = |answer| hit(answer)?.triangle?.number();
    // The face of a hull is no triangle, and has no weights.
    let weighted = |answer| {
        let hit = hit(answer)?;
        let (object, part) = (object_of(hit), hit.triangle?.part);
        let is_solid = match objects.get(object).1 {
            Some(ObjectKind::ConvexHull) => true,
            Some(ObjectKind::Compound) => scene.now().compound_part(object, part).is_some(),
            _ => false,
        };
        (!is_solid).then_some(hit)
    };
    rows.text(|answer| Some(objects.get(object_of(hit(answer)?)).0))
        .text(|answer| {
            let hit = hit(answer)?;
            let (object, part) = (object_of(hit), hit.triangle?.part);
            match objects.get(object).1 {
                Some(ObjectKind::Model | ObjectKind::Compound) => scene.part_name(object, part),
                _ => None,
            }
        })
        .u32(triangle)
        .f32(|answer| weighted(answer).map(RayHit::u))
        .f32(|answer| weighted(answer).map(RayHit::v));
}

/// The names and kinds of objects, with a cache of the last one.
struct LastObject<'a> {
    scene: &'a Scene,
    last: Cell<Option<(ObjectId, Described<'a>)>>,
}

/// An object's name and its kind.
type Described<'a> = (&'a str, Option<ObjectKind>);

impl<'a> LastObject<'a> {
    fn of(scene: &'a Scene) -> Self {
        Self {
            scene,
            last: Cell::new(None),
        }
    }

    #[inline]
    fn get(&self, object: ObjectId) -> Described<'a> {
        match self.last.get() {
            Some((last, described)) if last == object => described,
            _ => self.look_up(object),
        }
    }

    fn look_up(&self, object: ObjectId) -> Described<'a> {
        let name = self.scene.object_name(object).unwrap_or_default();
        let described = (name, self.scene.now().kind(object));
        self.last.set(Some((object, described)));
        described
    }
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
