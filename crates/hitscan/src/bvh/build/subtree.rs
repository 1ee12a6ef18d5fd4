//! Taking items apart from the root down: first the ranges of many, all threads together, then each
//! range of few by one thread.

use super::binned::Halves;
use super::grid::{self, Range, Scattered};
use super::item_box::{Extent, ItemBox, half_area};
use super::{
    BinaryNode, BinaryTree, BuildPreset, LEAF_ITEMS, LeafRule, LeafSize, TASK_ITEMS, binned,
    full_sweep,
};
use crate::Aabb;
use crate::cancel::{Cancel, Cancelled};
use crate::parallel::map_all;
use crate::simd::{Width, dispatch_wide};
use fearless_simd::prelude::*;

/// Below this depth items are halved by count, so that no input makes a deep tree.
const SAH_DEPTH: u32 = 48;
/// What it costs to visit a binary node, in tests of one block of items.
///
/// Eight children are tested at once at about the cost of a block, and a wide node replaces
/// about three levels of the binary tree.
const NODE_COST: f32 = 0.4;

/// A range of items that is to become a node.
pub(super) struct Branch<'a> {
    node: usize,
    items: &'a mut [ItemBox],
    /// `None` where it is not known yet.
    extent: Option<Extent>,
    /// The index of the first of the items among all.
    first: usize,
    depth: u32,
}

/// The tree over items with these boxes.
pub(super) fn build(
    bounds: &[Aabb],
    preset: BuildPreset,
    leaf: LeafRule<'_>,
    (width, cancel): (Width, Cancel<'_>),
) -> Result<BinaryTree, Cancelled> {
    let Scattered {
        mut boxes,
        ranges,
        mut nodes,
    } = if bounds.len() > grid::FEWEST {
        dispatch_wide!(width, simd => grid::scatter(simd, bounds, leaf.size, cancel))?
    } else {
        Scattered::whole(bounds)
    };
    let mut pending = Vec::new();
    let mut rest = boxes.as_mut_slice();
    for Range {
        node,
        first,
        count,
        depth,
    } in ranges
    {
        let (items, others) = rest.split_at_mut(count);
        pending.push(Branch {
            node,
            items,
            extent: None,
            first,
            depth,
        });
        rest = others;
    }
    let mut small = Vec::new();
    while !pending.is_empty() {
        cancel.check()?;
        let (large, few): (Vec<_>, Vec<_>) = pending
            .into_iter()
            .partition(|branch| branch.items.len() > TASK_ITEMS);
        small.extend(few);
        let halves = map_all(
            large,
            |branch: Branch<'_>| dispatch_wide!(width, simd => divide(simd, preset, branch, leaf.size)),
        );
        pending = Vec::new();
        for (node, bounds, mut children) in halves {
            nodes[node] = bounds.node(number(nodes.len()), 0);
            for child in &mut children {
                child.node = nodes.len();
                nodes.push(ItemBox::EMPTY.node(0, 0));
            }
            pending.extend(children);
        }
    }
    let grown = map_all(small, |branch: Branch<'_>| {
        let node = branch.node;
        let mut nodes = Vec::new();
        if cancel.is_set() {
            return (node, nodes);
        }
        dispatch_wide!(width, simd => grow(simd, preset, branch, leaf, &mut nodes));
        (node, nodes)
    });
    cancel.check()?;
    nodes.reserve(grown.iter().map(|(_, nodes)| nodes.len()).sum());
    for (node, mut branch) in grown {
        cancel.check()?;
        // The branch's root is node 0 of its own; the others follow.
        let offset = number(nodes.len()) - 1;
        for node in &mut branch {
            if node.count == 0 {
                node.index += offset;
            }
        }
        nodes[node] = branch[0];
        nodes.extend_from_slice(&branch[1..]);
    }
    let items = boxes.iter().map(ItemBox::number).collect();
    Ok(BinaryTree { nodes, items })
}

/// Splits a range of many items into two.
#[cfg_attr(not(debug_assertions), inline(always))]
fn divide<S: Simd>(
    simd: S,
    preset: BuildPreset,
    branch: Branch<'_>,
    leaf: LeafSize,
) -> (usize, ItemBox, [Branch<'_>; 2]) {
    let Branch {
        node,
        items,
        extent,
        first,
        depth,
    } = branch;
    let extent = extent.unwrap_or_else(|| Extent::of(simd, items));
    let Halves { middle, extents } = split_many(simd, preset, items, &extent, depth, leaf);
    let (before, behind) = items.split_at_mut(middle);
    let child = |items, extent, first| Branch {
        node: 0,
        items,
        extent: Some(extent),
        first,
        depth: depth + 1,
    };
    let children = [
        child(before, extents[0], first),
        child(behind, extents[1], first + middle),
    ];
    (node, extent.bounds, children)
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn split_many<S: Simd>(
    simd: S,
    preset: BuildPreset,
    items: &mut [ItemBox],
    extent: &Extent,
    depth: u32,
    leaf: LeafSize,
) -> Halves {
    let split = if depth >= SAH_DEPTH {
        None
    } else {
        binned::split(simd, preset, items, extent, leaf)
    };
    split
        .filter(|halves| (1..items.len()).contains(&halves.middle))
        .unwrap_or_else(|| {
            let middle = leaf.half(items.len());
            let (before, behind) = items.split_at(middle);
            Halves {
                middle,
                extents: [Extent::of(simd, before), Extent::of(simd, behind)],
            }
        })
}

/// A range of few items that still has to become a node.
struct Task {
    node: usize,
    from: usize,
    to: usize,
    depth: u32,
    extent: Extent,
}

/// Builds all nodes over a range of few items, its root first.
#[cfg_attr(not(debug_assertions), inline(always))]
fn grow<S: Simd>(
    simd: S,
    preset: BuildPreset,
    branch: Branch<'_>,
    leaf: LeafRule<'_>,
    nodes: &mut Vec<BinaryNode>,
) {
    let Branch {
        items,
        first,
        depth,
        extent,
        ..
    } = branch;
    let extent = extent.unwrap_or_else(|| Extent::of(simd, items));
    nodes.push(ItemBox::EMPTY.node(0, 0));
    let mut tasks = vec![Task {
        node: 0,
        from: 0,
        to: items.len(),
        depth,
        extent,
    }];
    while let Some(Task {
        node,
        from,
        to,
        depth,
        extent,
    }) = tasks.pop()
    {
        let range = &mut items[from..to];
        let count = range.len();
        let is_swept = count <= full_sweep::MAX_ITEMS && depth < SAH_DEPTH;
        let halves = if is_leaf(range, leaf) {
            None
        } else if is_swept {
            split_few(simd, range, &extent.bounds, leaf.size)
        } else if count > leaf.size.most.min(full_sweep::MAX_ITEMS) {
            Some(split_many(simd, preset, range, &extent, depth, leaf.size))
        } else {
            None
        };
        let Some(Halves {
            middle,
            extents: [before, behind],
        }) = halves
        else {
            nodes[node] = extent.bounds.node(number(first + from), number(count));
            continue;
        };
        let (child, middle, depth) = (nodes.len(), from + middle, depth + 1);
        nodes[node] = extent.bounds.node(number(child), 0);
        nodes.extend([ItemBox::EMPTY.node(0, 0); 2]);
        tasks.push(Task {
            node: child + 1,
            from: middle,
            to,
            depth,
            extent: behind,
        });
        tasks.push(Task {
            node: child,
            from,
            to: middle,
            depth,
            extent: before,
        });
    }
}

fn is_leaf(items: &[ItemBox], leaf: LeafRule<'_>) -> bool {
    if items.len() > LEAF_ITEMS {
        return false;
    }
    let mut numbers = [0; LEAF_ITEMS];
    for (number, item) in numbers.iter_mut().zip(items) {
        *number = item.number();
    }
    (leaf.is_leaf)(&numbers[..items.len()])
}

/// Splits few items into two halves, or `None` for a leaf. The halves' centre bounds stay empty.
#[cfg_attr(not(debug_assertions), inline(always))]
fn split_few<S: Simd>(
    simd: S,
    items: &mut [ItemBox],
    bounds: &ItemBox,
    leaf: LeafSize,
) -> Option<Halves> {
    let count = items.len();
    if count <= leaf.whole {
        return None;
    }
    let may_be_leaf = count <= leaf.most;
    let scale = bounds.scale();
    let area = half_area(bounds.load(simd), scale);
    let Some(split) = full_sweep::best(simd, items, scale, leaf) else {
        return (!may_be_leaf).then(|| halves_at(simd, items, leaf.half(count)));
    };
    // Leaf cost against traversal and split cost, both times the node's half area.
    if may_be_leaf && leaf.tests(number(count)) * area <= NODE_COST * area + split.cost {
        return None;
    }
    split.apply(items);
    Some(halves_at(simd, items, split.middle))
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn halves_at<S: Simd>(simd: S, items: &[ItemBox], middle: usize) -> Halves {
    let (before, behind) = items.split_at(middle);
    let extents = [before, behind].map(|half| Extent {
        bounds: ItemBox::around(simd, half),
        centres: ItemBox::EMPTY,
    });
    Halves { middle, extents }
}

impl LeafSize {
    /// How many tests `count` items take.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn tests(self, count: u32) -> f32 {
        let blocks = (count + (number(self.lanes) - 1)) >> self.lanes.trailing_zeros();
        blocks as f32
    }

    /// About half of `count`, so that the first half fills its blocks.
    pub(super) fn half(self, count: usize) -> usize {
        let half = (count / 2).next_multiple_of(self.lanes);
        if half < count { half } else { count / 2 }
    }
}

fn number(index: usize) -> u32 {
    u32::try_from(index).expect("items are fewer than 2^31, and nodes fewer than twice as many")
}
