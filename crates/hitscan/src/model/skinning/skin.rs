//! Skins: joints, normalised weights, and linear blend skinning of one vertex.
//!

use crate::baked::{Reader, Writer};
use crate::model::check::{
    affine, at, check_count, check_exists, check_index, check_length, check_matrix,
};
use crate::model::joint_matrix::JointMatrix;
use crate::model::{PartSkin, SkinData};
use crate::{Error, ModelPlace};
use fearless_simd::{Simd, f64x4, prelude::*};
use glam::DVec3;

/// The joints of a skin and how bind space lies in each.
#[derive(Debug)]
pub(in crate::model) struct Skin {
    joints: Vec<usize>,
    joint_from_bind: Vec<JointMatrix>,
}

impl Skin {
    pub(in crate::model) fn new(
        index: usize,
        data: SkinData,
        node_count: usize,
    ) -> Result<Self, Error> {
        Self::checked(data, node_count).map_err(at(ModelPlace::Skin(index)))
    }

    fn checked(data: SkinData, node_count: usize) -> Result<Self, Error> {
        check_count("joints", data.joints.len())?;
        for (place, &joint) in data.joints.iter().enumerate() {
            check_index("joint node", place, joint, node_count)?;
        }
        if data.inverse_bind.is_empty() {
            return Ok(Self {
                joint_from_bind: vec![JointMatrix::IDENTITY; data.joints.len()],
                joints: data.joints,
            });
        }
        check_length(
            "inverse bind matrices",
            data.joints.len(),
            data.inverse_bind.len(),
        )?;
        for (joint, matrix) in data.inverse_bind.iter().enumerate() {
            check_matrix("inverse bind matrices", 16 * joint, matrix)?;
        }
        let matrices = data.inverse_bind.iter();
        Ok(Self {
            joints: data.joints,
            joint_from_bind: matrices
                .map(|matrix| JointMatrix::from(&affine(matrix)))
                .collect(),
        })
    }

    pub(in crate::model) fn joints(&self) -> &[usize] {
        &self.joints
    }

    /// From bind space to each joint's.
    pub(in crate::model) fn joint_from_bind(&self) -> &[JointMatrix] {
        &self.joint_from_bind
    }

    /// Adds, for each joint, where it takes bind space in the model. The transform of the node that has
    /// the mesh has no part in it (glTF 2.0, section 3.7.3.3).
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::model) fn model_from_bind<S: Simd>(
        &self,
        simd: S,
        model_from_nodes: &[JointMatrix],
        joint_matrices: &mut Vec<JointMatrix>,
    ) {
        for (&joint, joint_from_bind) in self.joints.iter().zip(&self.joint_from_bind) {
            joint_matrices.push(model_from_nodes[joint].after(simd, joint_from_bind));
        }
    }

    pub(in crate::model) fn memory_bytes(&self) -> usize {
        size_of_val(self.joints.as_slice()) + size_of_val(self.joint_from_bind.as_slice())
    }
}

/// Which joints move each vertex of a part, and by how much.
///
/// A vertex's influences are in ascending order of joint, each joint once, without zero weights:
/// vertices with the same influences then move by the same operations, and so to the same bits,
/// whatever the order in which the file lists them.
#[derive(Debug)]
pub(in crate::model) struct VertexWeights {
    /// The index of the skin.
    skin: usize,
    /// Vertex i has the influences `starts[i]..starts[i + 1]`.
    starts: Vec<u32>,
    /// Indices into the skin's joints.
    joints: Vec<u16>,
    /// Positive, with a sum of 1 for each vertex (to rounding).
    weights: Vec<f64>,
}

impl VertexWeights {
    /// Divides the weights by their sum; where that is zero the vertex's first joint has all.
    pub(in crate::model) fn new(
        data: &PartSkin,
        vertex_count: usize,
        skins: &[Skin],
    ) -> Result<Self, Error> {
        check_exists("skin", data.skin, skins.len())?;
        if data.influences == 0 {
            return Err(Error::BadValue {
                what: "influences of a vertex",
                expected: "at least one",
                found: 0.0,
            });
        }
        let count = data.influences.saturating_mul(vertex_count);
        check_count("influences", count)?;
        check_length("joint indices", count, data.joints.len())?;
        check_length("skin weights", count, data.weights.len())?;
        let joint_count = skins[data.skin].joints.len();
        for (place, &joint) in data.joints.iter().enumerate() {
            check_index("vertex joint", place, usize::from(joint), joint_count)?;
        }
        check_weights(&data.weights)?;

        let mut packed = Self {
            skin: data.skin,
            starts: Vec::with_capacity(vertex_count + 1),
            joints: Vec::with_capacity(count),
            weights: Vec::with_capacity(count),
        };
        packed.starts.push(0);
        let joints = data.joints.chunks_exact(data.influences);
        let mut influences = Vec::with_capacity(data.influences);
        for (joints, weights) in joints.zip(data.weights.chunks_exact(data.influences)) {
            influences.clear();
            influences.extend(joints.iter().copied().zip(weights.iter().copied()));
            packed.push_vertex(&mut influences);
        }
        packed.joints.shrink_to_fit();
        packed.weights.shrink_to_fit();
        Ok(packed)
    }

    pub(in crate::model) fn bake<'a>(&'a self, writer: &mut Writer<'a>) {
        writer.size(self.skin);
        writer.array(bytemuck::cast_slice(&self.starts));
        writer.array(bytemuck::cast_slice(&self.joints));
        writer.array(bytemuck::cast_slice(&self.weights));
    }

    /// The influences that were baked next, of so many vertices.
    pub(in crate::model) fn from_baked(
        reader: &mut Reader<'_>,
        vertex_count: usize,
        skins: &[Skin],
    ) -> Result<Self, Error> {
        let skin = reader.index("skin of a part", skins.len())?;
        let read = Self {
            skin,
            starts: reader.items("first influences")?.to_vec(),
            joints: reader.items("joints of vertices")?.to_vec(),
            weights: reader.items("weights of vertices")?.to_vec(),
        };
        check_length("first influences", vertex_count + 1, read.starts.len())?;
        check_length("weights", read.joints.len(), read.weights.len())?;
        let refused = |what, expected| Error::Baked {
            what,
            place: 0,
            expected,
        };
        let ends = [read.starts.first(), read.starts.last()].map(|end| end.map(|e| *e as usize));
        let are_filled = read.starts.windows(2).all(|pair| pair[0] < pair[1]);
        if ends != [Some(0), Some(read.joints.len())] || !are_filled {
            return Err(refused("first influences", "one for each vertex at least"));
        }
        let joint_count = skins[skin].joints.len();
        for vertex in 0..vertex_count {
            let (joints, weights) = read.influences(vertex);
            let are_ordered = joints.windows(2).all(|pair| pair[0] < pair[1]);
            let exist = joints.iter().all(|joint| usize::from(*joint) < joint_count);
            if !are_ordered || !exist {
                return Err(refused("joints of vertices", "of the skin, in order"));
            }
            if !weights.iter().all(|weight| *weight > 0.0 && *weight <= 1.0) {
                return Err(refused("weights of vertices", "more than 0, 1 at most"));
            }
        }
        Ok(read)
    }

    fn push_vertex(&mut self, influences: &mut Vec<(u16, f32)>) {
        let first = influences[0].0;
        influences.retain(|(_, weight)| *weight > 0.0);
        influences.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let begin = self.joints.len();
        for &(joint, weight) in influences.iter() {
            match self.joints[begin..].last() {
                Some(&last) if last == joint => {
                    let end = self.weights.len() - 1;
                    self.weights[end] += f64::from(weight);
                }
                _ => {
                    self.joints.push(joint);
                    self.weights.push(f64::from(weight));
                }
            }
        }
        if influences.is_empty() {
            self.joints.push(first);
            self.weights.push(1.0);
        }
        let sum: f64 = self.weights[begin..].iter().sum();
        for weight in &mut self.weights[begin..] {
            *weight /= sum;
        }
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the number of influences was checked to fit 32 bits"
        )]
        self.starts.push(self.joints.len() as u32);
    }

    /// The index of the skin.
    pub(in crate::model) fn skin(&self) -> usize {
        self.skin
    }

    /// The joints that move a vertex, in ascending order, and their weights.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::model) fn influences(&self, vertex: usize) -> (&[u16], &[f64]) {
        let range = self.starts[vertex] as usize..self.starts[vertex + 1] as usize;
        (&self.joints[range.clone()], &self.weights[range])
    }

    /// Where the joints take a vertex that is at `bind` in bind space: the one formula by which
    /// every skinned vertex is placed. The fourth lane means nothing.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::model) fn place<S: Simd>(
        &self,
        simd: S,
        vertex: usize,
        bind: DVec3,
        model_from_bind: &[JointMatrix],
    ) -> f64x4<S> {
        let (joints, weights) = self.influences(vertex);
        let mut sum = f64x4::splat(simd, 0.0);
        for (&joint, &weight) in joints.iter().zip(weights) {
            sum += model_from_bind[usize::from(joint)].transformed(simd, bind) * weight;
        }
        sum
    }

    pub(in crate::model) fn memory_bytes(&self) -> usize {
        size_of_val(self.starts.as_slice())
            + size_of_val(self.joints.as_slice())
            + size_of_val(self.weights.as_slice())
    }
}

fn check_weights(weights: &[f32]) -> Result<(), Error> {
    let is_good = |weight: &f32| weight.is_finite() && *weight >= 0.0;
    match weights.iter().position(|weight| !is_good(weight)) {
        None => Ok(()),
        Some(index) => Err(Error::BadElement {
            what: "skin weight",
            index,
            expected: "finite and not negative",
            found: f64::from(weights[index]),
        }),
    }
}
