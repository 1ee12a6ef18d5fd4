//! The boxes that bound the pieces of a deformed part, whatever its pose: for each child of each node
//! of the part's tree, and each joint that moves vertices there, a box in bind space.
//!
//! The tree itself is the part's own (`tri_mesh/`), built in bind space. A pose takes a joint's boxes
//! by the joint's matrix; a child's vertices then lie within the box around its transformed boxes,
//! because a vertex lies between the places where its joints alone would take it.
//!
//! Source: Kavan, Zara, "Fast Collision Detection for Skeletally Deformable Models", Eurographics 2005.

use super::morph::MorphTargets;
use super::skin::VertexWeights;
use crate::TriMesh;
use crate::bvh::{ChildKind, WIDTH};
use glam::Vec3;
use std::collections::BTreeMap;

/// The boxes of a part's nodes.
#[derive(Debug)]
pub(in crate::model) struct JointBounds {
    /// The joints that move triangles of the part, as indices into the skin's. A part without a skin
    /// has one, the joint 0.
    joints: Vec<u16>,
    /// Node i has the boxes `starts[i]..starts[i + 1]`.
    starts: Vec<usize>,
    boxes: Vec<JointBoxes>,
    /// For each node, and each morph target, the boxes of its displacements.
    morph_bounds: Vec<Spans>,
    target_count: usize,
}

/// Eight boxes side by side, axis by axis: their middles, and half their sizes.
///
/// Each holds what it bounds exactly: half sizes are rounded up from the rounded middle.
#[derive(Debug, Clone)]
#[repr(align(32))]
pub(in crate::model) struct Spans {
    pub(in crate::model) middle: [[f32; WIDTH]; 3],
    pub(in crate::model) half: [[f32; WIDTH]; 3],
}

/// What one joint moves of a node's children.
#[derive(Debug, Clone)]
#[repr(align(32))]
pub(in crate::model) struct JointBoxes {
    pub(in crate::model) spans: Spans,
    /// 0 for children that have such vertices. Minus infinity for the others: a box with that half
    /// size lies beyond infinity on both sides, and disappears in a union.
    pub(in crate::model) child_mask: [f32; WIDTH],
    /// The place of the joint among those of the part.
    pub(in crate::model) joint: usize,
}

/// The ends of a box.
type Ends = (Vec3, Vec3);

/// What a piece of the part holds: for each joint, and for each target, a box.
#[derive(Debug, Clone, Default)]
struct Piece {
    joints: BTreeMap<u16, Ends>,
    targets: Vec<Ends>,
}

impl JointBounds {
    /// The boxes of a part whose mesh may be deformed; `None` for others.
    pub(in crate::model) fn new(
        mesh: &TriMesh,
        morph: &MorphTargets,
        skin: Option<&VertexWeights>,
    ) -> Option<Self> {
        let block_corners = mesh.block_corners()?;
        let tree = mesh.bvh();
        let leaf_piece = |leaf: u32| {
            let mut piece = Piece::default();
            for vertex in block_corners[leaf as usize] {
                let vertex = vertex as usize;
                let at = mesh.positions()[vertex];
                for joint in skin.map_or(&[0][..], |skin| skin.influences(vertex).0) {
                    widen(piece.joints.entry(*joint).or_insert((at, at)), (at, at));
                }
                let displacements = morph.displacements_of(vertex);
                piece.widen_targets(displacements.map(|by| (by, by)));
            }
            piece
        };
        // Children come after their parents, so from the back each node's children are ready.
        let mut pieces: Vec<Vec<Piece>> = vec![Vec::new(); tree.node_count()];
        for node in (0..tree.node_count()).rev() {
            let children = tree.children(node).map(|child| match child {
                ChildKind::Leaf(leaf) => leaf_piece(leaf),
                ChildKind::Node(below) => Piece::around(&pieces[below as usize]),
            });
            pieces[node] = children.collect();
        }
        let whole = pieces.first().map(|root| Piece::around(root));
        let whole = whole.unwrap_or_default();
        let joints: Vec<u16> = whole.joints.keys().copied().collect();
        let mut joint_bounds = Self {
            starts: vec![0],
            boxes: Vec::new(),
            morph_bounds: Vec::new(),
            target_count: morph.count(),
            joints,
        };
        for children in &pieces {
            joint_bounds.push_node(children);
        }
        Some(joint_bounds)
    }

    fn push_node(&mut self, children: &[Piece]) {
        let whole = Piece::around(children);
        for joint in whole.joints.keys() {
            let place = self.joints.binary_search(joint).unwrap_or(0);
            let ends = |child: usize| children.get(child)?.joints.get(joint).copied();
            let is_there = |child: usize| ends(child).is_some();
            let child_mask = |child: usize| {
                if is_there(child) {
                    0.0
                } else {
                    f32::NEG_INFINITY
                }
            };
            self.boxes.push(JointBoxes {
                spans: Spans::new(ends),
                child_mask: core::array::from_fn(child_mask),
                joint: place,
            });
        }
        for target in 0..self.target_count {
            let ends = |child: usize| children.get(child)?.targets.get(target).copied();
            self.morph_bounds.push(Spans::new(ends));
        }
        self.starts.push(self.boxes.len());
    }

    /// The joints that move triangles of the part, as indices into the skin's.
    pub(in crate::model) fn joints(&self) -> &[u16] {
        &self.joints
    }

    /// The boxes of a node's children, joint by joint.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::model) fn boxes(&self, node: u32) -> &[JointBoxes] {
        let node = node as usize;
        &self.boxes[self.starts[node]..self.starts[node + 1]]
    }

    /// The boxes of what a morph target adds to a node's children.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::model) fn morph_boxes(&self, node: u32, target: usize) -> &Spans {
        &self.morph_bounds[node as usize * self.target_count + target]
    }

    pub(in crate::model) fn memory_bytes(&self) -> usize {
        size_of_val(self.joints.as_slice())
            + size_of_val(self.starts.as_slice())
            + size_of_val(self.boxes.as_slice())
            + size_of_val(self.morph_bounds.as_slice())
    }
}

impl Piece {
    fn around(pieces: &[Self]) -> Self {
        let mut whole = Self::default();
        for piece in pieces {
            for (joint, ends) in &piece.joints {
                widen(whole.joints.entry(*joint).or_insert(*ends), *ends);
            }
            whole.widen_targets(piece.targets.iter().copied());
        }
        whole
    }

    fn widen_targets(&mut self, targets: impl Iterator<Item = Ends>) {
        for (target, ends) in targets.enumerate() {
            if self.targets.len() == target {
                self.targets.push(ends);
            }
            widen(&mut self.targets[target], ends);
        }
    }
}

fn widen(ends: &mut Ends, other: Ends) {
    *ends = (ends.0.min(other.0), ends.1.max(other.1));
}

impl Spans {
    /// The boxes with these ends; nothing at the origin where there are none.
    fn new(ends: impl Fn(usize) -> Option<Ends>) -> Self {
        let mut spans = Self {
            middle: [[0.0; WIDTH]; 3],
            half: [[0.0; WIDTH]; 3],
        };
        for child in 0..WIDTH {
            let (min, max) = ends(child).unwrap_or_default();
            for axis in 0..3 {
                let middle = f32::midpoint(min[axis], max[axis]);
                // A difference of f32s in f64 is off by far less than one step of f32.
                let wide = f64::from(max[axis]) - f64::from(middle);
                let wide = wide.max(f64::from(middle) - f64::from(min[axis]));
                spans.middle[axis][child] = middle;
                spans.half[axis][child] = if wide == 0.0 { 0.0 } else { upwards(wide) };
            }
        }
        spans
    }
}

/// The f32 next above the nearest.
#[expect(clippy::cast_possible_truncation, reason = "stepped up afterwards")]
fn upwards(x: f64) -> f32 {
    (x as f32).next_up()
}
