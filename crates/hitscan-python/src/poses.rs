//! The poses of a world's models: of one, or of a crowd in one call.

use crate::arrays::{Argument, for_each_row};
use crate::edited::Edited;
use crate::errors::library_error;
use crate::models::{PyPose, no_clip};
use crate::threads::{lock, run_here, run_locked};
use crate::world::PyWorld;
use hitscan::ObjectId;
use hitscan::model::Model;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

/// Fewer models are posed by the calling thread.
const MANY_MODELS: usize = 256;

/// Puts a model into a pose.
#[pyfunction]
pub(crate) fn set_pose(
    py: Python<'_>,
    world: &PyWorld,
    handle: i64,
    pose: &PyPose,
) -> PyResult<()> {
    let mut edited = world.edit(py);
    let object = edited.objects.of_handle(handle)?;
    edited.changes += 1;
    let set = edited.world.set_pose(object, &pose.pose);
    set.map_err(|error| library_error(&error))
}

/// Puts models into the poses of a clip, named or numbered, each at its time; all of them or, where one
/// is refused, none.
#[pyfunction]
pub(crate) fn set_poses(
    py: Python<'_>,
    world: &PyWorld,
    handles: Vec<i64>,
    clip: &str,
    times: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let times = Argument::new("times", times)?;
    if !matches!(times.shape(), [] | [_]) {
        return Err(times.unexpected(&format!("() or ({},)", handles.len())));
    }
    let rows = times.rows(&[handles.len()], None)?;
    let mut seconds = Vec::with_capacity(handles.len());
    for_each_row(&rows, |[time]: [f64; 1]| seconds.push(time));
    let poses = clip_poses(&world.edit(py), &handles, clip, &seconds)?;
    let set = |edited: &mut Edited| {
        edited.changes += poses.len();
        edited.world.set_poses_at(&poses)
    };
    let set = match poses.len() < MANY_MODELS {
        true => run_here(py, || set(&mut lock(&world.edited))),
        false => run_locked(py, &world.edited, set),
    }?;
    set.map_err(|error| library_error(&error))
}

/// The objects of handles with their models' clips and times.
fn clip_poses(
    edited: &Edited,
    handles: &[i64],
    clip: &str,
    seconds: &[f64],
) -> PyResult<Vec<(ObjectId, usize, f64)>> {
    // Most crowds are of one model.
    let mut last: Option<(&Arc<Model>, usize)> = None;
    let pose = |(handle, time): (&i64, &f64)| {
        let object = edited.objects.of_handle(*handle)?;
        let model = edited.objects.model(edited.world.now(), object);
        let model = model.ok_or_else(|| {
            PyValueError::new_err(format!("handles: object {handle} is no model"))
        })?;
        let clip = match last {
            Some((of, clip)) if Arc::ptr_eq(of, model) => clip,
            _ => model.find_clip(clip).ok_or_else(|| no_clip(clip, model))?,
        };
        last = Some((model, clip));
        Ok((object, clip, *time))
    };
    handles.iter().zip(seconds).map(pose).collect()
}
