//! Animated models: nodes, skins, morph targets and clips, and poses.
//!
//! A [`Model`] is checked once and never changes; a [`Pose`] is a value; a [`SkinnedModel`] has every
//! vertex of a model moved by a pose; a [`PosedModel`] moves only what queries reach.

mod data;
mod check;
mod animation;
mod joint_matrix;
mod skeleton;
mod skinning;
mod part;
mod deform;
mod skinned;
mod skinned_mesh;
mod blend;
mod max_displacement;
mod part_tree;
mod deformed_memory;
mod posed;
mod part_numbers;
mod posed_compound;
mod bind_hit;
mod baked;

use crate::simd::dispatch;
pub use animation::clip::Clip;
pub(crate) use animation::path_length::PathLength;
pub use animation::pose::Pose;
pub(crate) use animation::quaternion::{matrix as rotation_matrix, normalized, rotation_of, slerp};
pub(crate) use animation::rotation_stretch::RotationStretch;
pub use bind_hit::BindHit;
pub use data::{
    ChannelData, ClipData, Interpolation, ModelData, NodeData, NodeTransform, PartData, PartSkin,
    Property, SkinData,
};
pub use part::Part;
pub(crate) use part_numbers::PartNumbers;
pub(crate) use part_tree::PartTree;
pub(crate) use posed::{BakedPose, PartPlaces, PlacedPart, PlacedParts};
pub use posed::{PosedModel, PosedPart};
pub use posed_compound::PosedCompound;
pub use skeleton::{Node, Winding};
pub use skinned::{SkinnedModel, SkinnedPart, SkinnedShape};
pub use skinned_mesh::SkinnedMeshData;

use crate::Error;
use crate::simd::{Width, prefetch};
use crate::sorting::sort_by_rank;
use check::{check_count, check_exists};
use core::ops::Range;
use deformed_memory::DeformedMemory;
use glam::{DAffine3, DMat4};
use joint_matrix::{JointMatrices, JointMatrix};
use skeleton::{Skeleton, parent_from_node};
use skinning::skin::Skin;

/// An animated model, checked: whatever its pose, posing it either succeeds or says which part leaves
/// the range that shapes accept.
///
/// Skin weights are divided by their sum over all joint sets of a vertex, in f64; where the sum is
/// zero the vertex's first joint has all. A skinned part follows its joints alone, not its own
/// node.
///
/// ```
/// use hitscan::model::{
///     ChannelData, ClipData, Interpolation, Model, ModelData, NodeData, PartData, Property,
/// };
/// let part = PartData {
///     name: "flag".into(),
///     positions: vec![[0.0, 0.0, 0.0].into(), [1.0, 0.0, 0.0].into(), [0.0, 1.0, 0.0].into()],
///     triangles: vec![[0, 1, 2]],
///     ..PartData::default()
/// };
/// let rise = ChannelData {
///     node: 0,
///     property: Property::Translation,
///     interpolation: Interpolation::Linear,
///     times: vec![0.0, 2.0],
///     values: vec![0.0, 0.0, 0.0, 0.0, 8.0, 0.0],
/// };
/// let model = Model::new(ModelData {
///     nodes: vec![NodeData::default()],
///     parts: vec![part],
///     clips: vec![ClipData { name: Some("rise".into()), channels: vec![rise] }],
///     ..ModelData::default()
/// })?;
/// let clip = model.find_clip("rise").unwrap();
/// let posed = model.skinned(&model.pose_at(clip, 0.5)?)?;
/// assert_eq!(posed.parts()[0].model_from_part.translation.y, 2.0);
/// # Ok::<(), hitscan::Error>(())
/// ```
pub struct Model {
    skeleton: Skeleton,
    rest: Pose,
    skins: Vec<Skin>,
    clips: Vec<Clip>,
    parts: Vec<Part>,
    /// Skin i has the joints `joint_starts[i]..joint_starts[i + 1]` of all skins.
    joint_starts: Vec<usize>,
    /// The nodes that are joints of any skin, in ascending order.
    joints: Vec<usize>,
    /// The nodes that move parts, and those above them, parents before their children.
    needed_nodes: Vec<usize>,
    deformed_memory: DeformedMemory,
}

impl Model {
    /// Checks `data` and makes a model of it.
    ///
    /// # Errors
    /// [`Error::InModel`] names the node, skin, part or channel and says what is wrong with it: an
    /// index past the end, an array of the wrong length, a number that is not finite, a negative skin
    /// weight, a position beyond ±1e18, key times that do not increase, a matrix that is not affine or
    /// is animated, a property animated twice. [`Error::NotAForest`] for a node that is its own
    /// ancestor. [`Error::TooMany`] for more elements than 32 bits can number.
    pub fn new(mut data: ModelData) -> Result<Self, Error> {
        check_count("parts", data.parts.len())?;
        let parts = core::mem::take(&mut data.parts);
        Self::with_parts(data, |nodes, skins| {
            let mut made = Vec::with_capacity(parts.len());
            for (index, part) in parts.into_iter().enumerate() {
                made.push(Part::new(index, part, nodes, skins, &made)?);
            }
            Ok(made)
        })
    }

    /// The model of `data`, its parts those that `parts` makes.
    fn with_parts(
        data: ModelData,
        parts: impl FnOnce(&[NodeData], &[Skin]) -> Result<Vec<Part>, Error>,
    ) -> Result<Self, Error> {
        let skeleton = Skeleton::new(&data.nodes)?;
        let rest = Pose::at_rest(&data.nodes)?;
        let skins = data.skins.into_iter().enumerate();
        let skins = skins
            .map(|(index, skin)| Skin::new(index, skin, data.nodes.len()))
            .collect::<Result<Vec<_>, _>>()?;
        let clips = data.clips.into_iter().enumerate();
        let clips = clips
            .map(|(index, clip)| Clip::new(index, clip, &data.nodes))
            .collect::<Result<Vec<_>, _>>()?;
        let parts = parts(&data.nodes, &skins)?;
        let moving = parts.iter().flat_map(|part| match part.skin() {
            Some(skin) => skins[skin].joints().to_vec(),
            None => vec![part.node()],
        });
        let needed_nodes = skeleton.with_ancestors(moving);
        let mut joint_starts = vec![0];
        joint_starts.extend(skins.iter().scan(0, |sum, skin| {
            *sum += skin.joints().len();
            Some(*sum)
        }));
        let mut joints: Vec<usize> = skins.iter().flat_map(Skin::joints).copied().collect();
        sort_by_rank(&mut joints, |joint| [*joint as u64, 0, 0]);
        joints.dedup();
        Ok(Self {
            skeleton,
            rest,
            skins,
            clips,
            parts,
            joint_starts,
            joints,
            needed_nodes,
            deformed_memory: DeformedMemory::default(),
        })
    }

    /// The same model, the deformed meshes of all its poses limited to about so many bytes together; 1 GiB
    /// where nothing is said.
    ///
    /// A part that many rays reach is deformed as a whole, once a pose, and its mesh kept as long as the
    /// [`PosedModel`]. Beyond the limit rays have the pieces near them deformed, each ray anew, which takes them
    /// longer and takes no memory. No answer depends on it. Contacts, overlaps, shape casts and closest points
    /// need the whole part, whatever the limit, and so does a part that a pose takes to where f32 ends.
    #[must_use]
    pub fn with_deformed_limit(mut self, bytes: usize) -> Self {
        self.deformed_memory = DeformedMemory::with_limit(bytes);
        self
    }

    /// The nodes, in the file's order.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        self.skeleton.nodes()
    }

    /// The parts, in the order in which answers number them.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The animation clips, in the file's order.
    #[must_use]
    pub fn clips(&self) -> &[Clip] {
        &self.clips
    }

    /// The nodes that are joints of at least one skin, in ascending order.
    #[must_use]
    pub fn joints(&self) -> Vec<usize> {
        self.joints.clone()
    }

    /// The number of nodes that are joints of at least one skin.
    #[must_use]
    pub fn joint_count(&self) -> usize {
        self.joints.len()
    }

    /// How many triangles all parts have.
    #[must_use]
    pub fn triangle_count(&self) -> usize {
        let parts = self.parts.iter();
        parts.map(|part| part.mesh().triangles().len()).sum()
    }

    /// The first clip with this name or, where none has it and `name` is a number, the clip with that
    /// index.
    #[must_use]
    pub fn find_clip(&self, name: &str) -> Option<usize> {
        let named = self.clips.iter().position(|clip| clip.name() == Some(name));
        // Only digits: Rust's numbers may have a sign.
        let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
        let index = || name.parse().ok().filter(|_| is_number);
        let numbered = || index().filter(|index| *index < self.clips.len());
        named.or_else(numbered)
    }

    /// The first node with this name.
    #[must_use]
    pub fn find_node(&self, name: &str) -> Option<usize> {
        let mut nodes = self.nodes().iter();
        nodes.position(|node| node.name() == Some(name))
    }

    /// The pose in which the file has the nodes.
    #[must_use]
    pub fn rest_pose(&self) -> &Pose {
        &self.rest
    }

    /// Room for the matrices of all joints of a pose, prefetched: memory that was freed a frame ago has left the
    /// caches by now, and is there again when the nodes are placed.
    fn joint_matrices_to_fill(&self) -> Vec<JointMatrix> {
        let count = self.joint_starts[self.skins.len()];
        let mut joint_matrices: Vec<JointMatrix> = Vec::with_capacity(count);
        for matrix in joint_matrices.spare_capacity_mut() {
            prefetch(matrix);
        }
        joint_matrices
    }

    /// The pose `time_secs` into a clip, on the clip's own timeline: what the clip does not move is
    /// at rest, and each channel is clamped to its own first and last key.
    ///
    /// # Errors
    /// [`Error::NoSuch`] for no such clip, [`Error::NotFinite`] for a time that is NaN or
    /// infinite.
    ///
    /// # Source
    /// Khronos Group, "glTF 2.0 Specification", 2021, appendix C.
    pub fn pose_at(&self, clip: usize, time_secs: f64) -> Result<Pose, Error> {
        self.check_time(clip, time_secs)?;
        Ok(self.sampled(clip, time_secs))
    }

    /// The pose of a clip that exists at a finite time.
    fn sampled(&self, clip: usize, time_secs: f64) -> Pose {
        let mut pose = self.rest.clone();
        self.clips[clip].at(time_secs).apply(&mut pose);
        pose
    }

    /// For each node, from its own space to the model's, computed in f64.
    ///
    /// Absurd scales may overflow to infinity or NaN here; [`Self::skinned`] refuses them where they
    /// move a part.
    ///
    /// # Errors
    /// [`Error::WrongLength`] for the pose of another model.
    pub fn model_from_nodes(&self, pose: &Pose) -> Result<Vec<DAffine3>, Error> {
        self.check_pose(pose)?;
        Ok(self
            .joint_matrices(pose)
            .iter()
            .map(DAffine3::from)
            .collect())
    }

    /// Gives a node of `pose` the transform `model_from_node` into the model's space, as a ragdoll or inverse
    /// kinematics have it; nodes below move with it. Place parents before their children.
    ///
    /// The node's own transform becomes a matrix: that of its parent, as `pose` has it, undone, times
    /// `model_from_node`.
    ///
    /// # Errors
    /// [`Error::WrongLength`] for the pose of another model, [`Error::NoSuch`] for no such node,
    /// [`Error::BadElement`] where `model_from_node` is not finite, or its parent is flattened, so that
    /// nothing undoes it. The pose then stays as it was.
    pub fn place_node(
        &self,
        pose: &mut Pose,
        node: usize,
        model_from_node: DAffine3,
    ) -> Result<(), Error> {
        self.check_pose(pose)?;
        check_exists("node", node, self.nodes().len())?;
        let mut local = model_from_node;
        if let Some(parent) = self.nodes()[node].parent() {
            let joint_matrices = self.joint_matrices(pose);
            local = DAffine3::from(&joint_matrices[parent]).inverse() * model_from_node;
        }
        pose.set_local(node, NodeTransform::Matrix(DMat4::from(local)))
    }

    /// The model in `pose`: nodes chained in f64, vertices morphed, then skinned by
    /// linear blending, in f64, and rounded to f32 once.
    ///
    /// Every vertex is computed by one formula from its own data alone, so vertices that coincide
    /// in the file, with the same influences, coincide in every pose, bit for bit. A part whose morph
    /// weights are all zero and that has no skin keeps its file's positions exactly.
    ///
    /// # Errors
    /// [`Error::WrongLength`] for the pose of another model. [`Error::InModel`] with
    /// [`Error::OutOfRange`] for a part that the pose takes beyond ±1e18.
    ///
    /// # Source
    /// Khronos Group, "glTF 2.0 Specification", 2021, sections 3.5, 3.7.2.2 and 3.7.3.
    pub fn skinned(&self, pose: &Pose) -> Result<SkinnedModel, Error> {
        self.check_pose(pose)?;
        SkinnedModel::new(self, pose)
    }

    /// The bytes that the model takes on the heap.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.skeleton.memory_bytes()
            + self.rest.memory_bytes()
            + self.skins.iter().map(Skin::memory_bytes).sum::<usize>()
            + self.clips.iter().map(Clip::memory_bytes).sum::<usize>()
            + size_of_val(self.joints.as_slice())
            + self.parts.iter().map(Part::memory_bytes).sum::<usize>()
    }

    /// For each node, from its own space to the model's.
    fn joint_matrices(&self, pose: &Pose) -> JointMatrices {
        let locals = pose.locals();
        let order = self.skeleton.parents_first();
        dispatch!(Width::default(), simd => {
            let local = |node: usize| parent_from_node(&locals[node]);
            let mut model_from_nodes = JointMatrices::new();
            self.skeleton.model_from_nodes(simd, order, local, &mut model_from_nodes);
            model_from_nodes
        })
    }

    /// Which of all skins' joints, one skin's after another's, are those of a skin.
    fn joints_of(&self, skin: usize) -> Range<usize> {
        self.joint_starts[skin]..self.joint_starts[skin + 1]
    }

    fn check_time(&self, clip: usize, time_secs: f64) -> Result<(), Error> {
        check_exists("clip", clip, self.clips.len())?;
        if time_secs.is_finite() {
            return Ok(());
        }
        Err(Error::NotFinite {
            what: "time",
            found: time_secs,
        })
    }

    fn check_pose(&self, pose: &Pose) -> Result<(), Error> {
        if pose.has_the_nodes_of(&self.rest) {
            return Ok(());
        }
        Err(Error::WrongLength {
            what: "the model's pose",
            expected: self.rest.node_count(),
            found: pose.node_count(),
        })
    }
}
