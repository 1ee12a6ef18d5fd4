//! The fields of an answer, and what each holds of a hit.
//!
//! | field | dtype | of a miss |
//! |---|---|---|
//! | `hit` | bool | False |
//! | `t`, `distance` | float32 | infinity |
//! | `point` | float64 or float32, (..., 3) | NaN |
//! | `normal` | float32, (..., 3) | NaN |
//! | `object`, `triangle` | int64 | -1 |
//! | `part`, `joint` | int32 | -1 |
//! | `uv` | float32, (..., 2) | NaN |
//! | `side` | int8: 0 front, 1 back, 2 inside | -1 |
//! | `status` | int8: 0 miss, 1 hit, 2 invalid | 0 |
//! | `bind_point` | float32, (..., 3) | NaN |

use crate::fields::Fields;
use crate::view::Target;
use glam::DVec3;
use hitscan::{RayHit, Side};
use pyo3::prelude::*;

/// The fields, in the order of the columns of an answer.
pub(crate) const FIELDS: [&str; 13] = [
    "hit",
    "t",
    "distance",
    "point",
    "normal",
    "object",
    "part",
    "triangle",
    "uv",
    "side",
    "status",
    "joint",
    "bind_point",
];

/// The first so many are answered unless others are requested.
const DEFAULT_FIELDS: usize = 11;

/// The fields of these names; the usual ones where there are none.
///
/// # Errors
/// `ValueError` for a name that no field has.
pub(crate) fn hit_fields(names: Option<Vec<String>>) -> PyResult<Fields> {
    Fields::named(&FIELDS, DEFAULT_FIELDS, names)
}

/// What the fields of a hit hold.
pub(crate) struct HitValues {
    pub(crate) t: f32,
    pub(crate) distance: f32,
    /// Measured from where the question's positions are.
    pub(crate) point: DVec3,
    pub(crate) normal: [f32; 3],
    pub(crate) object: i64,
    pub(crate) part: i32,
    pub(crate) triangle: i64,
    pub(crate) uv: [f32; 2],
    pub(crate) side: i8,
}

impl HitValues {
    /// The values of a hit whose point is measured from `origin`.
    #[inline(always)]
    pub(crate) fn of(hit: &RayHit, origin: DVec3) -> Self {
        let (part, triangle, uv) = match hit.triangle {
            Some(id) => match id.number() {
                Some(number) => (id.part.cast_signed(), i64::from(number), hit.barycentrics),
                None => (id.part.cast_signed(), -1, [f32::NAN; 2]),
            },
            None => (-1, -1, [f32::NAN; 2]),
        };
        Self {
            t: hit.t,
            distance: hit.distance,
            point: hit.point.as_dvec3() + origin,
            normal: hit.normal.to_array(),
            object: hit.object.map_or(-1, |object| whole(object.index())),
            part,
            triangle,
            uv,
            side: match hit.side {
                Side::Front => 0,
                Side::Back => 1,
                Side::Inside => 2,
            },
        }
    }
}

/// The joint that moves a hit's point most and the point in bind space; -1 and NaN without a model.
pub(crate) fn bind_values(hit: &RayHit, target: &Target) -> (i32, [f32; 3]) {
    let bind = target.bind_hit(hit);
    let joint = bind.as_ref().and_then(|bind| i32::try_from(bind.node).ok());
    let point = bind.map_or([f32::NAN; 3], |bind| bind.point.as_vec3().to_array());
    (joint.unwrap_or(-1), point)
}

/// An object's number, which is below 2^63.
pub(crate) fn whole(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
