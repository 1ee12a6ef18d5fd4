//! A row for the hit of a ray or an arc: everything that its columns hold, looked up once.
//!
//! Whether there is a hit decides one branch a row. In each column it would be another, and processors mispredict
//! it where hits and misses alternate.

use crate::names::object_of;
use hitscan::glam::Vec3;
use hitscan::world::ObjectKind;
use hitscan::{ObjectId, RayHit};
use hitscan_assets::Scene;
use hitscan_table::RowsWriter;

/// The row of a hit, or of a miss, which is the default.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct HitRow<'a> {
    pub(crate) is_hit: bool,
    pub(crate) t: f32,
    pub(crate) distance: f32,
    point: Vec3,
    normal: Vec3,
    object: Option<&'a str>,
    part: Option<&'a str>,
    triangle: Option<u32>,
    /// The weights of the triangle's second and third corner.
    weights: [f32; 2],
    has_weights: bool,
    side: Option<&'static str>,
}

/// Makes the rows of hits in a scene. The name of the last object is kept for the next hit.
pub(crate) struct HitRows<'a> {
    scene: &'a Scene,
    last: Option<(ObjectId, Described<'a>)>,
}

/// An object's name and its kind.
type Described<'a> = (&'a str, Option<ObjectKind>);

impl<'a> HitRows<'a> {
    pub(crate) fn of(scene: &'a Scene) -> Self {
        Self { scene, last: None }
    }

    #[inline(always)]
    pub(crate) fn row(&mut self, hit: Option<&RayHit>) -> HitRow<'a> {
        let Some(hit) = hit else {
            return HitRow::default();
        };
        let id = object_of(hit);
        let (name, kind) = self.described(id);
        let part = hit.triangle.map(|triangle| triangle.part);
        // The face of a hull is no triangle, and has no weights.
        let is_solid = match kind {
            Some(ObjectKind::ConvexHull) => true,
            Some(ObjectKind::Compound) => {
                part.is_some_and(|part| self.scene.now().compound_part(id, part).is_some())
            }
            _ => false,
        };
        let has_weights = part.is_some() && !is_solid;
        let is_of_parts = matches!(kind, Some(ObjectKind::Model | ObjectKind::Compound));
        HitRow {
            is_hit: true,
            t: hit.t,
            distance: hit.distance,
            point: hit.point,
            normal: hit.normal,
            object: Some(name),
            part: part
                .filter(|_| is_of_parts)
                .and_then(|part| self.scene.part_name(id, part)),
            triangle: hit.triangle.and_then(|triangle| triangle.number()),
            weights: if has_weights {
                hit.barycentrics
            } else {
                [0.0; 2]
            },
            has_weights,
            side: Some(hit.side.name()),
        }
    }

    #[inline]
    fn described(&mut self, object: ObjectId) -> Described<'a> {
        if let Some((last, described)) = self.last
            && last == object
        {
            return described;
        }
        let name = self.scene.object_name(object).unwrap_or_default();
        let described = (name, self.scene.now().kind(object));
        self.last = Some((object, described));
        described
    }
}

/// Writes where hits are, and the normals there: `x y z nx ny nz`. Of a miss the columns are empty.
pub(crate) fn write_hit_places<'a, T>(
    row: impl Fn(&'a T) -> &'a HitRow<'a>,
    rows: &mut RowsWriter<'_, 'a, T>,
) {
    for axis in 0..3 {
        rows.f32_or_0(|answer| (row(answer).is_hit, row(answer).point[axis]));
    }
    for axis in 0..3 {
        rows.f32_or_0(|answer| (row(answer).is_hit, row(answer).normal[axis]));
    }
}

/// Writes what hits are on, the weights of their triangles, and from which side: `object part triangle u v side`.
/// Of a miss the columns are empty.
pub(crate) fn write_hit_features<'a, T>(
    row: impl Fn(&'a T) -> &'a HitRow<'a>,
    rows: &mut RowsWriter<'_, 'a, T>,
) {
    rows.text(|answer| row(answer).object)
        .text(|answer| row(answer).part)
        .u32(|answer| row(answer).triangle)
        .f32_or_0(|answer| (row(answer).has_weights, row(answer).weights[0]))
        .f32_or_0(|answer| (row(answer).has_weights, row(answer).weights[1]))
        .text(|answer| row(answer).side);
}
