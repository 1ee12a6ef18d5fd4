//! A node: up to 8 children, their boxes side by side.

use crate::Aabb;
use bytemuck::{Pod, Zeroable};
use fearless_simd::{Simd, f32x8, prelude::*};
use glam::Vec3;

/// The number of children of a node at most.
pub(crate) const WIDTH: usize = 8;

/// A box around nothing, turned inside out.
pub(super) const NOTHING: Aabb = Aabb::from_ordered(Vec3::INFINITY, Vec3::NEG_INFINITY);

/// The boxes and places of up to 8 children: four cache lines.
#[derive(Debug, Clone, Copy, Zeroable, Pod)]
#[repr(C, align(64))]
pub(crate) struct Node {
    /// `bounds[axis][0]` holds the lower ends, `bounds[axis][1]` the upper ones.
    pub(super) bounds: [[[f32; WIDTH]; 2]; 3],
    pub(super) children: [Child; WIDTH],
    /// Bit k is set where child k exists.
    pub(crate) used: u32,
    /// 0, so that no byte is undefined.
    spare: [u32; 7],
}

/// Where a child is found: a node, or a leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Zeroable, Pod)]
#[repr(transparent)]
pub(super) struct Child(pub(super) u32);

/// What a child is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ChildKind {
    /// The node with this index.
    Node(u32),
    /// The leaf with this index.
    Leaf(u32),
}

impl Child {
    pub(super) const ROOT: Self = Self(0);

    /// Set for leaves. There are fewer than 2^31 of either, as a tree is made of at most 2^32 items
    /// in leaves that are mostly full, and of fewer nodes than leaves.
    const LEAF: u32 = 1 << 31;

    pub(super) fn node(index: usize) -> Self {
        Self(number(index))
    }

    pub(super) fn leaf(index: usize) -> Self {
        Self(number(index) | Self::LEAF)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_leaf(self) -> bool {
        self.0 & Self::LEAF != 0
    }

    /// The index of the node or leaf.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn number(self) -> u32 {
        self.0 & !Self::LEAF
    }

    /// The index of the node or leaf.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn place(self) -> usize {
        (self.0 & !Self::LEAF) as usize
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn kind(self) -> ChildKind {
        if self.0 & Self::LEAF == 0 {
            ChildKind::Node(self.0)
        } else {
            ChildKind::Leaf(self.0 & !Self::LEAF)
        }
    }
}

/// The box around the smallest of the lower rows and the largest of the upper ones; a row holds one
/// coordinate of many points.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn around_rows<S: Simd>(
    simd: S,
    lower: [&[f32; WIDTH]; 3],
    upper: [&[f32; WIDTH]; 3],
) -> Aabb {
    let low = |axis: usize| f32x8::load_array_ref(simd, lower[axis]).reduce_min();
    let high = |axis: usize| f32x8::load_array_ref(simd, upper[axis]).reduce_max();
    Aabb::from_ordered(
        Vec3::new(low(0), low(1), low(2)),
        Vec3::new(high(0), high(1), high(2)),
    )
}

fn number(index: usize) -> u32 {
    u32::try_from(index)
        .ok()
        .filter(|index| index & Child::LEAF == 0)
        .expect("a tree has fewer than 2^31 nodes and leaves")
}

impl Node {
    /// Places without a child are turned inside out, so that nothing touches them and the box around
    /// all places is that of the children.
    pub(super) const EMPTY: Self = Self {
        bounds: [[[f32::INFINITY; WIDTH], [f32::NEG_INFINITY; WIDTH]]; 3],
        children: [Child::ROOT; WIDTH],
        used: 0,
        spare: [0; 7],
    };

    /// Adds a child; a node holds 8 at most.
    pub(super) fn push(&mut self, child: Child, bounds: &Aabb) {
        let place = self.used.count_ones() as usize;
        self.children[place] = child;
        self.used |= 1 << place;
        self.set_bounds(place, bounds);
    }

    /// Takes the last child away.
    pub(super) fn pop(&mut self) {
        let last = self.len() - 1;
        self.set_bounds(last, &NOTHING);
        self.used &= !(1 << last);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn set_bounds(&mut self, place: usize, bounds: &Aabb) {
        for axis in 0..3 {
            self.bounds[axis][0][place] = bounds.min()[axis];
            self.bounds[axis][1][place] = bounds.max()[axis];
        }
    }

    /// The children's boxes: lower and upper ends along each axis, turned inside out where there is no
    /// child.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn boxes(&self) -> &[[[f32; WIDTH]; 2]; 3] {
        &self.bounds
    }

    /// The box of a child; [`NOTHING`] where there is none.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn bounds_at(&self, place: usize) -> Aabb {
        let corner =
            |end: usize| Vec3::from_array([0, 1, 2].map(|axis| self.bounds[axis][end][place]));
        Aabb::from_ordered(corner(0), corner(1))
    }

    /// The box around all children; [`NOTHING`] without any.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn bounds<S: Simd>(&self, simd: S) -> Aabb {
        let [x, y, z] = &self.bounds;
        around_rows(simd, [&x[0], &y[0], &z[0]], [&x[1], &y[1], &z[1]])
    }

    /// The children, in their places.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = ChildKind> {
        self.children[..self.len()].iter().map(|child| child.kind())
    }

    /// The number of children; they are in the first slots.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn len(&self) -> usize {
        self.used.count_ones() as usize
    }
}
