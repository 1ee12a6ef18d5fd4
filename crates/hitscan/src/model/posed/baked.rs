//! Models in a pose as they are baked: the clip and the time, or the pose.

use super::{PosedModel, Source};
use crate::Error;
use crate::baked::{Reader, Writer};
use crate::model::{Model, Pose};
use std::sync::Arc;

/// A pose that was read, from which the model in it is yet to be made.
#[derive(Debug)]
pub(crate) struct BakedPose(Source);

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
        BakedPose::read(reader, model)?.of_model(model)
    }
}

impl BakedPose {
    /// The pose of `model` that was baked next.
    ///
    /// # Errors
    /// As [`PosedModel::from_baked`], but for vertices that the pose takes out of range.
    pub(crate) fn read(reader: &mut Reader<'_>, model: &Model) -> Result<Self, Error> {
        Ok(Self(match reader.u64_or_none("clip of a pose")? {
            Some(clip) => {
                let clip = usize::try_from(clip).unwrap_or(usize::MAX);
                let time_secs = reader.f64("time in a clip")?;
                model.check_time(clip, time_secs)?;
                Source::Clip { clip, time_secs }
            }
            None => Source::Pose(Box::new(Pose::from_baked(reader, model)?)),
        }))
    }

    /// The model in this pose.
    ///
    /// # Errors
    /// As [`PosedModel::new`].
    pub(crate) fn of_model(&self, model: &Arc<Model>) -> Result<PosedModel, Error> {
        match &self.0 {
            Source::Clip { clip, time_secs } => PosedModel::at_clip(model, *clip, *time_secs),
            Source::Pose(pose) => PosedModel::new(model, pose),
        }
    }
}
