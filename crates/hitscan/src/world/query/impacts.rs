//! Which objects' boxes meet while they move through one frame, and when.

use crate::shape_cast::{Impact, ShapeCast, impacts};
use crate::world::{ObjectId, Snapshot};
use crate::{Aabb, Error};
use glam::Vec3;
use std::collections::BTreeMap;

impl Snapshot<'_> {
    /// All pairs of objects whose bounding boxes meet while t goes from 0 to 1, in order of time, then
    /// of the objects. Each object moves by what `motions` says, metres, the last word counting; the
    /// others rest. Pairs that both rest are left out.
    ///
    /// The times are exact, as those of [`shape_cast::impacts`](crate::shape_cast::impacts). Objects
    /// that are not of this world are passed over.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for a motion that is NaN or infinite.
    pub fn impacts(&self, motions: &[(ObjectId, Vec3)]) -> Result<Vec<Impact<ObjectId>>, Error> {
        let motions: BTreeMap<ObjectId, Vec3> = motions.iter().copied().collect();
        let objects: Vec<(ObjectId, Aabb)> = self
            .state()
            .objects()
            .into_iter()
            .filter_map(|object| Some((object.id, object.bounds()?)))
            .collect();
        let moving = objects
            .iter()
            .map(|(id, bounds)| {
                let motion = motions.get(id).copied().unwrap_or(Vec3::ZERO);
                ShapeCast::new(*bounds, motion)
            })
            .collect::<Result<Vec<_>, _>>()?;
        let rests = |place: usize| moving[place].motion() == Vec3::ZERO;
        Ok(impacts(&moving)
            .into_iter()
            .filter(|impact| !(rests(impact.a) && rests(impact.b)))
            .map(|impact| impact.map(|place| objects[place].0))
            .collect())
    }
}
