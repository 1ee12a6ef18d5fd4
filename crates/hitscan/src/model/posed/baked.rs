//! Models in a pose as they are baked: the clip and the time, or the pose.

use super::{PosedModel, Source};
use crate::Error;
use crate::baked::{Reader, Writer};
use crate::model::check::check_finite;
use crate::model::{Model, Pose};
use glam::Affine3A;
use std::sync::Arc;

/// In the place of a clip: joint matrices follow.
const BY_JOINTS: u64 = u64::MAX;

/// A pose that was read, from which the model in it is yet to be made.
#[derive(Debug)]
pub(crate) enum BakedPose {
    Clip { clip: usize, time_secs: f64 },
    Pose(Box<Pose>),
    Joints(Box<[Affine3A]>, Box<[f64]>),
}

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
            Source::Joints(joints) => {
                writer.u64_or_none(Some(BY_JOINTS));
                for matrix in &joints.model_from_joints {
                    let numbers = matrix.to_cols_array();
                    numbers.into_iter().for_each(|number| writer.f32(number));
                }
                writer.f64s(&self.weights);
            }
        }
    }

    /// `model` in the pose that was baked next.
    ///
    /// # Errors
    /// [`Error::Baked`] for what no writer makes, and what [`PosedModel::new`] and [`PosedModel::by_joints`] refuse.
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
        Ok(match reader.u64_or_none("clip of a pose")? {
            Some(BY_JOINTS) => {
                let joints = (0..model.joint_count()).map(|_| {
                    let mut numbers = [0.0; 12];
                    for number in &mut numbers {
                        *number = reader.f32("joint matrix")?;
                    }
                    Ok(Affine3A::from_cols_array(&numbers))
                });
                let joints = joints.collect::<Result<_, Error>>()?;
                let weights = model.rest.all_weights().iter();
                let weights = weights.map(|_| reader.f64("morph weight"));
                let weights = weights.collect::<Result<Box<[f64]>, Error>>()?;
                check_finite("morph weight", weights.iter().copied())?;
                Self::Joints(joints, weights)
            }
            Some(clip) => {
                let clip = usize::try_from(clip).unwrap_or(usize::MAX);
                let time_secs = reader.f64("time in a clip")?;
                model.check_time(clip, time_secs)?;
                Self::Clip { clip, time_secs }
            }
            None => Self::Pose(Box::new(Pose::from_baked(reader, model)?)),
        })
    }

    /// The model in this pose.
    ///
    /// # Errors
    /// As [`PosedModel::new`] and [`PosedModel::by_joints`].
    pub(crate) fn of_model(&self, model: &Arc<Model>) -> Result<PosedModel, Error> {
        match self {
            Self::Clip { clip, time_secs } => PosedModel::at_clip(model, *clip, *time_secs),
            Self::Pose(pose) => PosedModel::new(model, pose),
            Self::Joints(joints, weights) => {
                PosedModel::with_joints(model, joints.clone(), weights.clone())
            }
        }
    }
}
