//! Building a mesh with options.

use super::block_corners::ByPosition;
use super::{TriMesh, build, check_mesh};
use crate::cancel::Cancel;
use crate::{BuildPreset, Error};
use core::sync::atomic::AtomicBool;
use glam::Vec3;
use std::sync::{Arc, OnceLock};

/// What a mesh is to be built from: [`TriMesh::builder`].
///
/// ```
/// use hitscan::{Error, TriMesh};
/// use std::sync::atomic::{AtomicBool, Ordering};
/// let cancel = AtomicBool::new(false);
/// let positions = vec![[0.0, 0.0, 0.0].into(), [1.0, 0.0, 0.0].into(), [0.0, 1.0, 0.0].into()];
/// let builder = TriMesh::builder(positions, vec![[0, 1, 2]]).cancel(&cancel);
/// assert!(builder.clone().build().is_ok());
/// // Another thread does so while the build is under way.
/// cancel.store(true, Ordering::Relaxed);
/// assert_eq!(builder.build().unwrap_err(), Error::Cancelled);
/// ```
#[derive(Debug, Clone)]
pub struct TriMeshBuilder<'a> {
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    preset: BuildPreset,
    cancel: Cancel<'a>,
}

impl<'a> TriMeshBuilder<'a> {
    pub(super) fn new(positions: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Self {
        Self {
            positions,
            triangles,
            preset: BuildPreset::default(),
            cancel: Cancel::NEVER,
        }
    }

    /// The choice between a quick build and quick queries.
    #[must_use]
    pub fn preset(self, preset: BuildPreset) -> Self {
        Self { preset, ..self }
    }

    /// Ends the build soon after `flag` is set, from whatever thread: within some milliseconds, but for
    /// the time that the system takes to free memory.
    #[must_use]
    pub fn cancel<'b>(self, flag: &'b AtomicBool) -> TriMeshBuilder<'b> {
        TriMeshBuilder {
            positions: self.positions,
            triangles: self.triangles,
            preset: self.preset,
            cancel: Cancel::by(flag),
        }
    }

    /// The mesh.
    ///
    /// # Errors
    /// As [`TriMesh::new`], and [`Error::Cancelled`] where the flag was set before it was done.
    pub fn build(self) -> Result<TriMesh, Error> {
        let Self {
            positions,
            triangles,
            preset,
            cancel,
        } = self;
        check_mesh(&positions, &triangles, cancel)?;
        let weld_key = ByPosition(&positions);
        let bvh = build(&positions, &triangles, (preset, cancel), &weld_key)?;
        Ok(TriMesh {
            positions: positions.into(),
            triangles: Arc::new(triangles.into()),
            bvh,
            block_corners: None,
            closed: OnceLock::new(),
            max_scatter: OnceLock::new(),
        })
    }
}
