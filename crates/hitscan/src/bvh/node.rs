//! A node: up to 8 children, their boxes side by side.

use crate::Aabb;
use glam::Vec3;

/// How many children a node has at most.
pub(crate) const WIDTH: usize = 8;

/// The boxes and places of up to 8 children: four cache lines.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
pub(crate) struct Node {
    /// `bounds[axis][0]` holds the lower ends, `bounds[axis][1]` the upper ones.
    pub(super) bounds: [[[f32; WIDTH]; 2]; 3],
    pub(super) children: [Child; WIDTH],
    /// Bit k is set where child k exists.
    pub(super) used: u32,
}

/// Where a child is found: a node, or a leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Child(pub(super) u32);

/// What a child is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

    #[inline(always)]
    pub(super) fn kind(self) -> ChildKind {
        if self.0 & Self::LEAF == 0 {
            ChildKind::Node(self.0)
        } else {
            ChildKind::Leaf(self.0 & !Self::LEAF)
        }
    }
}

fn number(index: usize) -> u32 {
    u32::try_from(index)
        .ok()
        .filter(|index| index & Child::LEAF == 0)
        .expect("a tree has fewer than 2^31 nodes and leaves")
}

impl Node {
    pub(super) const EMPTY: Self = Self {
        bounds: [[[0.0; WIDTH]; 2]; 3],
        children: [Child::ROOT; WIDTH],
        used: 0,
    };

    /// Adds a child; a node holds 8 at most.
    pub(super) fn push(&mut self, child: Child, bounds: &Aabb) {
        let place = self.used.count_ones() as usize;
        self.children[place] = child;
        self.used |= 1 << place;
        self.set_bounds(place, bounds);
    }

    pub(super) fn set_bounds(&mut self, place: usize, bounds: &Aabb) {
        for axis in 0..3 {
            self.bounds[axis][0][place] = bounds.min()[axis];
            self.bounds[axis][1][place] = bounds.max()[axis];
        }
    }

    pub(super) fn bounds_of(&self, place: usize) -> Aabb {
        let end = |end: usize| {
            Vec3::from_array([0, 1, 2].map(|axis: usize| self.bounds[axis][end][place]))
        };
        Aabb::from_ordered(end(0), end(1))
    }

    /// How many children there are; they stand in the first places.
    pub(super) fn len(&self) -> usize {
        self.used.count_ones() as usize
    }
}
