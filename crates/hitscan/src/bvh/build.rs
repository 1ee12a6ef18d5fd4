//! Building the tree: binned surface area heuristic, before it is
//! collapsed.
//!
//! Sources: Wald, "On fast Construction of SAH-based Bounding Volume Hierarchies", RT 2007
//! (binning); Wald, Benthin, Boulos, "Getting Rid of Packets", RT 2008 (collapsing a binary tree
//! by opening the child with the largest area).

use super::LEAF_ITEMS;
use crate::Aabb;

/// How many planes are tried on each axis, plus one.
const BINS: usize = 16;
/// Below this depth items are halved by count, so that no input makes a deep tree.
const SAH_DEPTH: usize = 48;
/// What it costs to visit a node, in tests of one item.
const NODE_COST: f32 = 1.0;

/// A node of the binary tree that is collapsed later.
pub(super) struct BinaryNode {
    pub(super) bounds: Aabb,
    pub(super) kind: BinaryKind,
}

pub(super) enum BinaryKind {
    Leaf { first: usize, count: usize },
    Inner { children: [usize; 2] },
}

/// A range of items that still has to become a node.
struct Task {
    node: usize,
    first: usize,
    end: usize,
    depth: usize,
}

pub(super) fn build_binary(bounds: &[Aabb], items: &mut [u32]) -> Vec<BinaryNode> {
    let mut nodes = Vec::with_capacity(items.len());
    if items.is_empty() {
        return nodes;
    }
    let leaf = |items: &[u32], first: usize, end: usize| BinaryNode {
        bounds: bounds_of(bounds, &items[first..end]),
        kind: BinaryKind::Leaf {
            first,
            count: end - first,
        },
    };
    nodes.push(leaf(items, 0, items.len()));
    let mut tasks = vec![Task {
        node: 0,
        first: 0,
        end: items.len(),
        depth: 0,
    }];
    while let Some(Task {
        node,
        first,
        end,
        depth,
    }) = tasks.pop()
    {
        let range = &mut items[first..end];
        let Some(split) = split(bounds, range, &nodes[node].bounds, depth) else {
            continue;
        };
        let middle = first + split;
        let children = [nodes.len(), nodes.len() + 1];
        for (child, (from, to)) in [(first, middle), (middle, end)].into_iter().enumerate() {
            nodes.push(leaf(items, from, to));
            tasks.push(Task {
                node: children[child],
                first: from,
                end: to,
                depth: depth + 1,
            });
        }
        nodes[node].kind = BinaryKind::Inner { children };
    }
    nodes
}

/// Orders `items` into two groups and returns where the second begins, or `None` for a leaf.
fn split(bounds: &[Aabb], items: &mut [u32], around: &Aabb, depth: usize) -> Option<usize> {
    if items.len() <= 1 {
        return None;
    }
    let plane = if depth < SAH_DEPTH {
        best_plane(bounds, items, around)
    } else {
        None
    };
    if let Some(plane) = plane {
        let leaf_cost = 1.0f32;
        if items.len() <= LEAF_ITEMS && leaf_cost <= plane.cost {
            return None;
        }
        let middle = partition(items, |item| {
            plane.bin_of(&bounds[item as usize]) < plane.bin
        });
        if 0 < middle && middle < items.len() {
            return Some(middle);
        }
    }
    // All centres are in one place, or the tree is too deep.
    (items.len() > LEAF_ITEMS).then_some(items.len() / 2)
}

/// A plane between two bins of centres.
struct SplitPlane {
    axis: usize,
    origin: f32,
    bins_per_metre: f32,
    /// The first bin of the second group.
    bin: usize,
    cost: f32,
}

impl SplitPlane {
    fn bin_of(&self, bounds: &Aabb) -> usize {
        bin_of(centre(bounds, self.axis), self.origin, self.bins_per_metre)
    }
}

fn best_plane(bounds: &[Aabb], items: &[u32], around: &Aabb) -> Option<SplitPlane> {
    let mut best: Option<SplitPlane> = None;
    let area = half_area(around);
    for axis in 0..3 {
        let centres = items
            .iter()
            .map(|item| centre(&bounds[*item as usize], axis));
        let (low, high) = centres.fold((f32::INFINITY, f32::NEG_INFINITY), |(l, h), c| {
            (l.min(c), h.max(c))
        });
        let bins_per_metre = BINS as f32 / (high - low);
        if !(bins_per_metre.is_finite() && bins_per_metre > 0.0) {
            continue;
        }
        let mut bins: [(Option<Aabb>, usize); BINS] = [(None, 0); BINS];
        for item in items {
            let item = &bounds[*item as usize];
            let bin = &mut bins[bin_of(centre(item, axis), low, bins_per_metre)];
            bin.0 = Some(union(bin.0, item));
            bin.1 += 1;
        }
        // The cost of everything from a bin to the end, swept from the back.
        let mut costs_behind = [0.0f32; BINS];
        let (mut box_behind, mut count_behind) = (None, 0);
        for bin in (1..BINS).rev() {
            if let Some(bounds) = &bins[bin].0 {
                box_behind = Some(union(box_behind, bounds));
            }
            count_behind += bins[bin].1;
            costs_behind[bin] = box_behind.as_ref().map_or(0.0, half_area) * count_behind as f32;
        }
        let (mut box_before, mut count_before) = (None, 0);
        for bin in 1..BINS {
            if let Some(bounds) = &bins[bin - 1].0 {
                box_before = Some(union(box_before, bounds));
            }
            count_before += bins[bin - 1].1;
            if count_before == 0 || count_before == items.len() {
                continue;
            }
            let before = box_before.as_ref().map_or(0.0, half_area) * count_before as f32;
            let cost = NODE_COST + (before + costs_behind[bin]) / area.max(f32::MIN_POSITIVE);
            if best.as_ref().is_none_or(|best| cost < best.cost) {
                best = Some(SplitPlane {
                    axis,
                    origin: low,
                    bins_per_metre,
                    bin,
                    cost,
                });
            }
        }
    }
    best
}

/// Moves the items for which `is_first` holds to the front and returns how many they are.
fn partition(items: &mut [u32], is_first: impl Fn(u32) -> bool) -> usize {
    let mut middle = 0;
    for index in 0..items.len() {
        if is_first(items[index]) {
            items.swap(index, middle);
            middle += 1;
        }
    }
    middle
}

fn bounds_of(bounds: &[Aabb], items: &[u32]) -> Aabb {
    let first = bounds[items[0] as usize];
    items
        .iter()
        .fold(first, |all, item| all.union(&bounds[*item as usize]))
}

fn union(all: Option<Aabb>, one: &Aabb) -> Aabb {
    all.map_or(*one, |all| all.union(one))
}

fn centre(bounds: &Aabb, axis: usize) -> f32 {
    0.5 * bounds.min()[axis] + 0.5 * bounds.max()[axis]
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a float to integer cast saturates, and the bin is clamped"
)]
fn bin_of(centre: f32, origin: f32, bins_per_metre: f32) -> usize {
    (((centre - origin) * bins_per_metre) as usize).min(BINS - 1)
}

pub(super) fn half_area(bounds: &Aabb) -> f32 {
    let size = bounds.max() - bounds.min();
    size.x * size.y + size.y * size.z + size.z * size.x
}
