//! Bounds of a posed part: for each joint one box in bind space around all vertices that it moves,
//! transformed by the pose.
//!
//! A vertex that follows several joints lies between the places where each alone would take it, so a
//! posed part lies within the box around its joints' transformed boxes. The boxes of the pieces of a part
//! are in `joint_bounds.rs`.
//!
//! Source: Kavan, Zara, "Fast Collision Detection for Skeletally Deformable Models", Eurographics
//! 2005 (linear blending is a convex combination).

use super::morph::{MorphTargets, TargetInUse};
use super::skin::VertexWeights;
use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::model::joint_matrix::JointMatrix;
use crate::{Aabb, TriMesh};
use fearless_simd::{Simd, f64x4, prelude::*};
use glam::{DAffine3, DMat3, DVec3};

/// The largest sizes with which f32 bounds boxes: their products stay in its range.
const MAX_F32_SIZE: f64 = 1e17;

impl PartExtent {
    /// Whether f32 can bound the part, which is then well within the range of shapes as well.
    pub(in crate::model) fn fits_f32(&self) -> bool {
        self.size <= MAX_F32_SIZE && self.max_magnitude <= MAX_F32_SIZE
    }
}

/// Boxes around a part's vertices, before what moves them.
#[derive(Debug, Clone)]
pub(in crate::model) struct Extent {
    /// Around the vertices of triangles.
    drawn: Vec<JointBox>,
    /// Around those that no triangle uses. They are not hit, but must stay in range.
    hidden: Vec<JointBox>,
    /// For each morph target, the box of its displacements.
    targets: Vec<Span>,
    /// Bound on what is lost to rounding, in units of f64's roundoff times the extent's size: of a
    /// vertex n weights whose sum is 1 to (n + 2)u, n sums of n products, 8u for each transform, and
    /// as much again for morph targets; of a box its middle and half (2u) and what transforms them (14u).
    roundings: f64,
}

/// A box by its middle and half its size; the fourth number is 0.
#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
struct Span {
    middle: [f64; 4],
    half: [f64; 4],
}

/// The box around the vertices that a joint moves. A part without a skin has one joint.
#[derive(Debug, Clone, Copy)]
struct JointBox {
    joint: usize,
    span: Span,
}

/// What holds every vertex of a posed part.
#[derive(Debug, Clone, Copy)]
pub(in crate::model) struct PartExtent {
    /// The box around the triangles, or `None` without any.
    pub(in crate::model) bounds: Option<Aabb>,
    /// No less than the sum of the magnitudes of all that is added up on the way to a coordinate; NaN
    /// or infinite where that leaves f64.
    pub(in crate::model) size: f64,
    /// The largest magnitude of what is multiplied for it: of an entry of the matrices, or of a position
    /// before they transform it.
    pub(in crate::model) max_magnitude: f64,
}

impl Extent {
    pub(in crate::model) fn new(
        mesh: &TriMesh,
        morph: &MorphTargets,
        skin: Option<&VertexWeights>,
    ) -> Self {
        let mut is_drawn = vec![false; mesh.positions().len()];
        for vertex in mesh.triangles().as_flattened() {
            is_drawn[*vertex as usize] = true;
        }
        let boxes = |of_drawn: bool| {
            let mut boxes: Vec<Option<(DVec3, DVec3)>> = Vec::new();
            let vertices = is_drawn.iter().zip(mesh.positions()).enumerate();
            for (vertex, (_, at)) in vertices.filter(|(_, (drawn, _))| **drawn == of_drawn) {
                for joint in skin.map_or(&[0][..], |skin| skin.influences(vertex).0) {
                    let joint = usize::from(*joint);
                    if boxes.len() <= joint {
                        boxes.resize(joint + 1, None);
                    }
                    let at = at.as_dvec3();
                    let (min, max) = boxes[joint].unwrap_or((at, at));
                    boxes[joint] = Some((min.min(at), max.max(at)));
                }
            }
            let boxes = boxes.into_iter().enumerate();
            boxes
                .filter_map(|(joint, ends)| {
                    let span = Span::between(ends?);
                    Some(JointBox { joint, span })
                })
                .collect()
        };
        let max_influences = skin.map_or(1, |skin| {
            let vertices = 0..mesh.positions().len();
            let counts = vertices.map(|vertex| skin.influences(vertex).0.len());
            counts.max().unwrap_or(1)
        });
        let targets = (0..morph.count()).map(|target| {
            let displacements = morph.displacements(target).iter();
            let ends = displacements.fold(None, |ends: Option<(DVec3, DVec3)>, d| {
                let (min, max) = ends.unwrap_or((d.as_dvec3(), d.as_dvec3()));
                Some((min.min(d.as_dvec3()), max.max(d.as_dvec3())))
            });
            Span::between(ends.unwrap_or_default())
        });
        Self {
            drawn: boxes(true),
            hidden: boxes(false),
            targets: targets.collect(),
            roundings: 2.0 * (max_influences + morph.count()) as f64 + 32.0,
        }
    }

    /// What holds the part's vertices where `joint_matrix` gives each joint's transform.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::model) fn in_pose<'a, S: Simd>(
        &self,
        simd: S,
        in_use: &[TargetInUse<'_>],
        joint_matrix: impl Fn(usize) -> &'a JointMatrix,
    ) -> PartExtent {
        let none = f64x4::splat(simd, 0.0);
        let mut morph_boxes = (none, none);
        for target in in_use {
            let span = &self.targets[target.target];
            let weight = target.weight;
            morph_boxes.0 += f64x4::load_array_ref(simd, &span.middle) * weight;
            morph_boxes.1 += f64x4::load_array_ref(simd, &span.half) * weight.abs();
        }
        let mut low = f64x4::splat(simd, f64::INFINITY);
        let mut high = f64x4::splat(simd, f64::NEG_INFINITY);
        // Adds up 0 for every size that is a number, and NaN for others, which a maximum may lose.
        let (mut size, mut max_magnitude, mut nan_check) = (none, none, none);
        for (boxes, is_drawn) in [(&self.drawn, true), (&self.hidden, false)] {
            for JointBox { joint, span } in boxes {
                let [x, y, z, translation] = &joint_matrix(*joint).columns;
                let column = |column| f64x4::load_array_ref(simd, column);
                let columns = [column(x), column(y), column(z)];
                let translation = column(translation);
                let middle = f64x4::load_array_ref(simd, &span.middle) + morph_boxes.0;
                let half = f64x4::load_array_ref(simd, &span.half) + morph_boxes.1;
                let (middles, halves) = (middle.to_array(), half.to_array());
                let sizes = middle.abs() + half;
                max_magnitude = max_magnitude.max(sizes);
                let sizes = sizes.to_array();
                let (mut at, mut spread, mut total) = (translation, none, translation.abs());
                for axis in 0..3 {
                    let magnitude = columns[axis].abs();
                    at += columns[axis] * middles[axis];
                    spread += magnitude * halves[axis];
                    total += magnitude * sizes[axis];
                    max_magnitude = max_magnitude.max(magnitude);
                }
                size = size.max(total);
                nan_check += total * 0.0;
                if is_drawn {
                    low = low.min(at - spread);
                    high = high.max(at + spread);
                }
            }
        }
        let size = size.reduce_max() + nan_check.reduce_sum();
        let margin = self.roundings * UNIT_ROUNDOFF * size;
        let ends = [(low - margin).to_array(), (high + margin).to_array()];
        let ends = ends.map(|[x, y, z, _]| DVec3::new(x, y, z));
        PartExtent {
            bounds: Aabb::around_f64(ends).filter(|_| !self.drawn.is_empty()),
            size: size + 2.0 * margin,
            max_magnitude: max_magnitude.reduce_max(),
        }
    }

    /// The largest displacement of a vertex along each axis by morph targets with weights between these.
    pub(in crate::model) fn morph_bounds(&self, (one, other): (&[f64], &[f64])) -> DVec3 {
        let weights = one.iter().zip(other);
        self.displacement_of(weights.map(|(one, other)| one.abs().max(other.abs())))
    }

    /// How far morph targets move a vertex, at most, as their weights go from the one to the other.
    pub(in crate::model) fn morph_path(&self, (one, other): (&[f64], &[f64])) -> f64 {
        let weights = one.iter().zip(other);
        self.displacement_of(weights.map(|(one, other)| (other - one).abs()))
            .length()
    }

    /// The largest displacement along each axis by targets with these weights, which are not negative.
    fn displacement_of(&self, weights: impl Iterator<Item = f64>) -> DVec3 {
        let moves = self.targets.iter().zip(weights);
        moves.fold(DVec3::ZERO, |sum, (span, weight)| {
            sum + (span.middle().abs() + span.half()) * weight
        })
    }

    /// For each joint that moves triangles the radius around it in which they stay: of the box in the
    /// joint's space around what it moves, widened by `morph_boxes` in bind space.
    pub(in crate::model) fn radii<'a>(
        &self,
        morph_boxes: DVec3,
        joint_from_bind: impl Fn(usize) -> &'a JointMatrix,
    ) -> impl Iterator<Item = (usize, f64)> {
        self.drawn.iter().map(move |JointBox { joint, span }| {
            let DAffine3 {
                matrix3: turn,
                translation,
            } = DAffine3::from(joint_from_bind(*joint));
            let magnitude =
                DMat3::from_cols(turn.x_axis.abs(), turn.y_axis.abs(), turn.z_axis.abs());
            let half = span.half() + morph_boxes;
            let size = magnitude * (span.middle().abs() + half) + translation.abs();
            let far = (turn * span.middle() + translation).abs() + magnitude * half;
            (*joint, (far + size * (16.0 * UNIT_ROUNDOFF)).length())
        })
    }

    pub(in crate::model) fn memory_bytes(&self) -> usize {
        size_of_val(self.drawn.as_slice())
            + size_of_val(self.hidden.as_slice())
            + size_of_val(self.targets.as_slice())
    }
}

impl Span {
    fn middle(&self) -> DVec3 {
        let [x, y, z, _] = self.middle;
        DVec3::new(x, y, z)
    }

    fn half(&self) -> DVec3 {
        let [x, y, z, _] = self.half;
        DVec3::new(x, y, z)
    }

    fn between((min, max): (DVec3, DVec3)) -> Self {
        let middle = (min + max) / 2.0;
        let half = (max - middle).max(middle - min);
        Self {
            middle: middle.extend(0.0).to_array(),
            half: half.extend(0.0).to_array(),
        }
    }
}
