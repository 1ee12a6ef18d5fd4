//! Morph targets: displacements of a part's vertices, added by weight.
//!
//! The weights are in the pose (`pose.rs`); skins move what comes out of here (`skin.rs`).

use super::check::{check_count, check_finite, check_length};
use crate::Error;
use glam::{DVec3, Vec3};

/// The morph targets of one part.
#[derive(Debug)]
pub(super) struct MorphTargets {
    /// For each target one displacement a vertex, metres.
    displacements: Vec<Vec<Vec3>>,
}

impl MorphTargets {
    /// Refuses displacements that are not finite, or not one for each vertex, and more targets than
    /// there are weights.
    pub(super) fn new(
        displacements: Vec<Vec<Vec3>>,
        vertex_count: usize,
        weight_count: usize,
    ) -> Result<Self, Error> {
        check_count("morph targets", displacements.len())?;
        if displacements.len() > weight_count {
            check_length("morph weights", displacements.len(), weight_count)?;
        }
        for target in &displacements {
            check_length("morph displacements", vertex_count, target.len())?;
            let components = target.iter().flat_map(|d| d.as_dvec3().to_array());
            check_finite("morph displacement component", components)?;
        }
        Ok(Self { displacements })
    }

    pub(super) fn count(&self) -> usize {
        self.displacements.len()
    }

    /// The targets that these weights use. Without any, every vertex stays exactly where it is.
    pub(super) fn in_use<'a>(&'a self, weights: &[f64]) -> Vec<(f64, &'a [Vec3])> {
        let weighted = weights.iter().zip(&self.displacements);
        weighted
            .filter(|(weight, _)| **weight != 0.0)
            .map(|(weight, target)| (*weight, target.as_slice()))
            .collect()
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let targets = self.displacements.iter();
        targets.map(|target| size_of_val(target.as_slice())).sum()
    }
}

/// Where the targets `in_use` take a vertex that rests at `base`.
pub(super) fn displaced(in_use: &[(f64, &[Vec3])], vertex: usize, base: Vec3) -> DVec3 {
    let moves = in_use.iter();
    moves.fold(base.as_dvec3(), |at, (weight, target)| {
        at + target[vertex].as_dvec3() * *weight
    })
}
