//! Morph targets: displacements of a part's vertices, added by weight.
//!
//! The weights are in the pose (`pose.rs`); skins move what comes out of here (`skin.rs`).

use crate::Error;
use crate::model::check::{check_count, check_finite, check_length};
use glam::{DVec3, Vec3};
use smallvec::SmallVec;

/// The morph targets of one part.
#[derive(Debug)]
pub(in crate::model) struct MorphTargets {
    /// For each target one displacement a vertex, metres.
    displacements: Vec<Vec<Vec3>>,
}

impl MorphTargets {
    /// Refuses displacements that are not finite, or not one for each vertex, and more targets than
    /// there are weights.
    pub(in crate::model) fn new(
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

    /// For each target one displacement a vertex.
    pub(in crate::model) fn all(&self) -> &[Vec<Vec3>] {
        &self.displacements
    }

    pub(in crate::model) fn count(&self) -> usize {
        self.displacements.len()
    }

    /// The targets that these weights use. Without any, every vertex stays exactly where it is.
    #[inline]
    pub(in crate::model) fn in_use<'a>(&'a self, weights: &[f64]) -> TargetsInUse<'a> {
        if self.displacements.is_empty() {
            return TargetsInUse::new();
        }
        let weighted = weights.iter().zip(&self.displacements).enumerate();
        weighted
            .filter(|(_, (weight, _))| **weight != 0.0)
            .map(|(target, (weight, displacements))| TargetInUse {
                target,
                weight: *weight,
                displacements,
            })
            .collect()
    }

    /// By how much a target moves each vertex, at a weight of 1.
    pub(in crate::model) fn displacements(&self, target: usize) -> &[Vec3] {
        &self.displacements[target]
    }

    /// By how much each target moves a vertex, at a weight of 1.
    pub(in crate::model) fn displacements_of(&self, vertex: usize) -> impl Iterator<Item = Vec3> {
        self.displacements.iter().map(move |target| target[vertex])
    }

    pub(in crate::model) fn memory_bytes(&self) -> usize {
        let targets = self.displacements.iter();
        targets.map(|target| size_of_val(target.as_slice())).sum()
    }
}

/// A target whose weight is not 0.
#[derive(Debug, Clone, Copy)]
pub(in crate::model) struct TargetInUse<'a> {
    /// The target's index.
    pub(in crate::model) target: usize,
    pub(in crate::model) weight: f64,
    displacements: &'a [Vec3],
}

pub(in crate::model) type TargetsInUse<'a> = SmallVec<[TargetInUse<'a>; 4]>;

/// Where the targets `in_use` take a vertex that rests at `base`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(in crate::model) fn displaced(in_use: &[TargetInUse<'_>], vertex: usize, base: Vec3) -> DVec3 {
    in_use.iter().fold(base.as_dvec3(), |at, target| {
        at + target.displacements[vertex].as_dvec3() * target.weight
    })
}
