//! Vertex deformation: the one formula of a posed vertex, for one vertex or all of a part.
//!
//! Morph targets first (`morph.rs`), then joints (`skin.rs`): in f64, in the same order of
//! operations in every vector width, and rounded to f32 once.

use super::joint_matrix::JointMatrix;
use super::part::Part;
use super::skinning::morph::{TargetsInUse, displaced};
use super::skinning::skin::VertexWeights;
use crate::Error;
use crate::shape::aabb::MAX_COORDINATE;
use crate::simd::Width;
use crate::simd::dispatch;
use fearless_simd::{Simd, prelude::*};
use glam::{DVec3, Vec3};

/// What takes vertices on from where morph targets leave them.
#[derive(Debug, Clone, Copy)]
pub(super) enum Motion<'a> {
    /// Nothing does.
    None,
    /// Joints of a skin, each with where it takes bind space in the model.
    Skin(&'a VertexWeights, &'a [JointMatrix]),
}

/// How a pose takes the vertices of one part.
#[derive(Debug)]
pub(super) struct Deformation<'a> {
    bind: &'a [Vec3],
    pub(super) in_use: TargetsInUse<'a>,
    pub(super) motion: Motion<'a>,
}

impl<'a> Deformation<'a> {
    /// `weights` are those of the part's morph targets.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(part: &'a Part, weights: &[f64], motion: Motion<'a>) -> Self {
        Self {
            bind: part.mesh().positions(),
            in_use: part.morph.in_use(weights),
            motion,
        }
    }

    /// Whether every vertex stays exactly where it is.
    pub(super) fn moves_nothing(&self) -> bool {
        self.in_use.is_empty() && matches!(self.motion, Motion::None)
    }

    /// Where a vertex is taken, not yet rounded to f32.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn place<S: Simd>(&self, simd: S, vertex: usize) -> DVec3 {
        let at = displaced(&self.in_use, vertex, self.bind[vertex]);
        let transformed = match &self.motion {
            Motion::None => return at,
            Motion::Skin(weights, joints) => weights.place(simd, vertex, at, joints),
        };
        let [x, y, z, _] = transformed.to_array();
        DVec3::new(x, y, z)
    }

    /// Where all vertices are taken, if all stay in range.
    pub(super) fn positions(&self) -> Vec<Vec3> {
        let mut positions = Vec::with_capacity(self.bind.len());
        dispatch!(Width::default(), simd => {
            for vertex in 0..self.bind.len() {
                positions.push(self.place(simd, vertex).as_vec3());
            }
        });
        positions
    }

    /// Where all vertices are taken.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a vertex that is taken beyond ±1e18.
    pub(super) fn checked_positions(&self) -> Result<Vec<Vec3>, Error> {
        let mut positions = Vec::with_capacity(self.bind.len());
        dispatch!(Width::default(), simd => {
            for vertex in 0..self.bind.len() {
                let placed = self.place(simd, vertex);
                in_range("posed position", vertex, placed)?;
                positions.push(placed.as_vec3());
            }
            Ok(positions)
        })
    }
}

/// Refuses a place where transforms have overflowed or gone beyond what shapes accept.
pub(super) fn in_range(what: &'static str, index: usize, place: DVec3) -> Result<(), Error> {
    let limit = f64::from(MAX_COORDINATE);
    let is_outside = |x: &f64| x.is_nan() || x.abs() > limit;
    match place.to_array().into_iter().find(is_outside) {
        None => Ok(()),
        Some(found) => Err(Error::OutOfRange {
            what,
            index,
            found,
            limit,
        }),
    }
}
