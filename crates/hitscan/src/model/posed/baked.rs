//! Models in a pose as they are baked: the clip and the time, or the pose.

use super::{PosedModel, Source};
use crate::Error;
use crate::baked::{Reader, Writer};
use crate::model::{Model, Pose};
use std::sync::Arc;

impl PosedModel {
    /// Bakes the pose, without the model; see [`baked`](crate::baked).
    pub fn bake(&self, writer: &mut Writer<'_>) {
        match &self.source {
            Source::Clip { clip, time_secs } => {
                writer.u64_or_none(Some(*clip as u64));
                writer.f64(*time_secs);
            }
            Source::Pose(pose) => {
                writer.u64_or_none(None);
                pose.bake(writer);
            }
        }
    }

    /// `model` in the pose that was baked next.
    ///
    /// # Errors
    /// [`Error::Baked`] for what no writer makes, and what [`PosedModel::new`] refuses.
    pub fn from_baked(reader: &mut Reader<'_>, model: &Arc<Model>) -> Result<Self, Error> {
        match reader.u64_or_none("clip of a pose")? {
            Some(clip) => {
                let clip = usize::try_from(clip).unwrap_or(usize::MAX);
                Self::at_clip(model, clip, reader.f64("time in a clip")?)
            }
            None => Self::new(model, &Pose::from_baked(reader, model)?),
        }
    }
}
