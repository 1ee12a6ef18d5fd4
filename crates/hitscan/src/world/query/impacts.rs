//! The times of impact of objects' boxes that move through one frame.

use crate::broad_phase::{Impact, impacts};
use crate::narrow_phase::shape_cast::AabbCast;
use crate::query::filter::QueryFilter;
use crate::world::Snapshot;
use crate::{Aabb, Error, ObjectId};
use glam::Vec3;
use std::collections::BTreeMap;

impl Snapshot {
    /// All pairs of objects that `filter` accepts and whose bounding boxes collide while t goes from
    /// 0 to 1, in order of time, then of the objects. Each object moves by its translation in
    /// `motions`, metres, the last one where there are several; the others rest. Pairs that both rest
    /// are omitted.
    ///
    /// The times are exact; see [`broad_phase::impacts`](crate::broad_phase::impacts()). Motions of
    /// handles that are stale, or not of this world, move nothing; they must be finite all the same.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for a motion that is NaN or infinite, whatever its handle, and for one
    /// that carries a box out of the range of f32.
    pub fn impacts<'f>(
        &self,
        motions: &[(ObjectId, Vec3)],
        filter: impl Into<QueryFilter<'f>>,
    ) -> Result<Vec<Impact<ObjectId>>, Error> {
        self.impacts_of(motions, filter.into())
    }

    fn impacts_of(
        &self,
        motions: &[(ObjectId, Vec3)],
        filter: QueryFilter<'_>,
    ) -> Result<Vec<Impact<ObjectId>>, Error> {
        let motions = by_object(motions)?;
        let objects: Vec<(ObjectId, Aabb)> = self
            .state()
            .objects()
            .into_iter()
            .filter(|object| filter.sees(object.id, object.layers))
            .filter_map(|object| Some((object.id, object.bounds()?)))
            .collect();
        let moving = objects
            .iter()
            .map(|(id, bounds)| {
                let motion = motions.get(id).copied().unwrap_or(Vec3::ZERO);
                AabbCast::new(*bounds, motion)
            })
            .collect::<Result<Vec<_>, _>>()?;
        let rests = |place: u32| moving[place as usize].motion() == Vec3::ZERO;
        Ok(impacts(&moving)
            .into_iter()
            .filter(|impact| !(rests(impact.a) && rests(impact.b)))
            .map(|impact| impact.map(|place| objects[place as usize].0))
            .collect())
    }
}

/// The motion of each object, of several of one the last, all of them checked.
///
/// # Errors
/// [`Error::NotFinite`] for a motion that is NaN or infinite.
pub(super) fn by_object(motions: &[(ObjectId, Vec3)]) -> Result<BTreeMap<ObjectId, Vec3>, Error> {
    let components = motions.iter().flat_map(|(_, motion)| motion.to_array());
    if let Some(found) = components.into_iter().find(|x| !x.is_finite()) {
        return Err(Error::NotFinite {
            what: "motion of an object",
            found: f64::from(found),
        });
    }
    Ok(motions.iter().copied().collect())
}
