//! The first levels of the tree over very many items: found on a grid, so that the items' boxes are
//! written once, each next to those it stays with, where splitting level by level would carry all of
//! them through memory again and again. `subtree.rs` splits the ranges further.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "items are fewer than 2^31, and bins are masked"
)]

use super::item_box::{ItemBox, half_area};
use super::{BinaryNode, LeafSize, TASK_ITEMS};
use crate::Aabb;
use crate::cancel::{Cancel, Cancelled, LOOK_AFTER};
use fearless_simd::{f32x4, prelude::*};

/// Fewer items fit the caches, where splitting them level by level is as quick.
pub(super) const FEWEST: usize = 4 * TASK_ITEMS;
/// The number of cells of the grid along each axis at most, a power of two: eight planes are left to
/// choose from where a surface has been halved three times along each of two axes.
const MAX_CELLS: usize = 64;
/// Fewer items need fewer levels, and half as many cells along each axis do.
const MANY: usize = 500_000;

/// The largest depth that the grid makes; what is left then is split with all care for depth.
const MAX_DEPTH: u32 = 24;

/// A range of items that became a node, and is to be taken further apart.
pub(super) struct Range {
    pub(super) node: usize,
    pub(super) first: usize,
    pub(super) count: usize,
    pub(super) depth: u32,
}

/// Items in the order of `ranges`, which cover them.
pub(super) struct Scattered {
    pub(super) boxes: Vec<ItemBox>,
    pub(super) ranges: Vec<Range>,
    /// The nodes above the ranges; those of the ranges are left empty.
    pub(super) nodes: Vec<BinaryNode>,
}

impl Scattered {
    /// All items in one range.
    pub(super) fn whole(bounds: &[Aabb]) -> Self {
        Self {
            boxes: (0..)
                .zip(bounds)
                .map(|(number, item)| ItemBox::new(item, number))
                .collect(),
            ranges: vec![Range {
                node: 0,
                first: 0,
                count: bounds.len(),
                depth: 0,
            }],
            nodes: vec![ItemBox::EMPTY.node(0, 0)],
        }
    }
}

/// What lies in a cell that is not empty.
#[derive(Clone, Copy)]
struct Cell {
    at: [u8; 3],
    index: u32,
    count: u32,
}

/// Cells that become a node.
struct Task {
    node: usize,
    from: usize,
    to: usize,
    depth: u32,
}

/// Takes the items apart into ranges of at most [`TASK_ITEMS`] where the grid separates them.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn scatter<S: Simd>(
    simd: S,
    bounds: &[Aabb],
    leaf: LeafSize,
    cancel: Cancel<'_>,
) -> Result<Scattered, Cancelled> {
    let places = Places::over(simd, bounds, cancel)?;
    let mut around = vec![ItemBox::EMPTY; places.cells.pow(3)];
    let mut counts = vec![0u32; around.len()];
    for some in bounds.chunks(LOOK_AFTER) {
        cancel.check()?;
        for item in some {
            let item = ItemBox::new(item, 0);
            let cell = places.cell_of(simd, &item);
            around[cell] = ItemBox::of(around[cell].load(simd).min(item.load(simd)));
            counts[cell] += 1;
        }
    }
    let mut cells: Vec<Cell> = Vec::new();
    for (index, count) in (0u32..).zip(&counts) {
        if *count > 0 {
            let place = |axis: u32| (index as usize / places.cells.pow(axis) % places.cells) as u8;
            cells.push(Cell {
                at: [place(0), place(1), place(2)],
                index,
                count: *count,
            });
        }
    }
    let mut nodes = vec![ItemBox::EMPTY.node(0, 0)];
    let mut ranges = Vec::new();
    let mut tasks = vec![Task {
        node: 0,
        from: 0,
        to: cells.len(),
        depth: 0,
    }];
    let mut first = 0;
    while let Some(Task {
        node,
        from,
        to,
        depth,
    }) = tasks.pop()
    {
        let own = &mut cells[from..to];
        let count = own.iter().map(|cell| cell.count as usize).sum();
        let split = if count > TASK_ITEMS && depth < MAX_DEPTH {
            split(simd, own, &around, leaf)
        } else {
            None
        };
        let Some((middle, bounds)) = split else {
            ranges.push(Range {
                node,
                first,
                count,
                depth,
            });
            // For each cell where its items go.
            for cell in own {
                counts[cell.index as usize] = first as u32;
                first += cell.count as usize;
            }
            continue;
        };
        let (child, middle, depth) = (nodes.len(), from + middle, depth + 1);
        nodes[node] = bounds.node(child as u32, 0);
        nodes.extend([ItemBox::EMPTY.node(0, 0); 2]);
        tasks.push(Task {
            node: child + 1,
            from: middle,
            to,
            depth,
        });
        tasks.push(Task {
            node: child,
            from,
            to: middle,
            depth,
        });
    }
    let mut boxes = vec![ItemBox::EMPTY; bounds.len()];
    for (first, some) in (0..).step_by(LOOK_AFTER).zip(bounds.chunks(LOOK_AFTER)) {
        cancel.check()?;
        for (number, item) in (first..).zip(some) {
            let item = ItemBox::new(item, number);
            let next = &mut counts[places.cell_of(simd, &item)];
            boxes[*next as usize] = item;
            *next += 1;
        }
    }
    Ok(Scattered {
        boxes,
        ranges,
        nodes,
    })
}

/// Puts cells into two halves; `None` where there is only one cell. Also their box.
#[cfg_attr(not(debug_assertions), inline(always))]
fn split<S: Simd>(
    simd: S,
    cells: &mut [Cell],
    around: &[ItemBox],
    leaf: LeafSize,
) -> Option<(usize, ItemBox)> {
    let mut slabs = [[ItemBox::EMPTY; MAX_CELLS]; 3];
    let mut counts = [[0u32; MAX_CELLS]; 3];
    let mut bounds = ItemBox::EMPTY.load(simd);
    let mut all = 0;
    for cell in &*cells {
        let lanes = around[cell.index as usize].load(simd);
        bounds = bounds.min(lanes);
        all += cell.count;
        for axis in 0..3 {
            let place = usize::from(cell.at[axis]) & (MAX_CELLS - 1);
            slabs[axis][place] = ItemBox::of(slabs[axis][place].load(simd).min(lanes));
            counts[axis][place] += cell.count;
        }
    }
    let bounds = ItemBox::of(bounds);
    let scale = bounds.scale();
    let mut best = (f32::INFINITY, None);
    for axis in 0..3 {
        let mut areas_behind = [0.0f32; MAX_CELLS];
        let mut behind = ItemBox::EMPTY.load(simd);
        for place in (1..MAX_CELLS).rev() {
            behind = behind.min(slabs[axis][place].load(simd));
            areas_behind[place] = half_area(behind, scale);
        }
        let mut before = ItemBox::EMPTY.load(simd);
        let mut count_before = 0;
        for place in 1..MAX_CELLS {
            before = before.min(slabs[axis][place - 1].load(simd));
            count_before += counts[axis][place - 1];
            // With nothing on one side the area is infinite or the cost NaN: never the best.
            let cost = half_area(before, scale) * leaf.tests(count_before)
                + areas_behind[place] * leaf.tests(all - count_before);
            if cost < best.0 {
                best = (cost, Some((axis, place)));
            }
        }
    }
    let (axis, place) = best.1?;
    let mut middle = 0;
    for index in 0..cells.len() {
        let is_before = usize::from(cells[index].at[axis]) < place;
        cells.swap(index, middle);
        middle += usize::from(is_before);
    }
    Some((middle, bounds))
}

/// Where centres lie on the grid.
struct Places {
    /// The number of cells along each axis.
    cells: usize,
    origin: [f32; 4],
    scale: [f32; 4],
}

impl Places {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn over<S: Simd>(simd: S, bounds: &[Aabb], cancel: Cancel<'_>) -> Result<Self, Cancelled> {
        let mut centres = ItemBox::EMPTY.load(simd);
        for some in bounds.chunks(LOOK_AFTER) {
            cancel.check()?;
            for item in some {
                let (min, negated_max) = ItemBox::new(item, 0).load(simd).split();
                centres = centres.min((min - negated_max).combine(negated_max - min));
            }
        }
        let centres = ItemBox::of(centres);
        let cells = if bounds.len() > MANY {
            MAX_CELLS
        } else {
            MAX_CELLS / 2
        };
        let scale = centres.size().map(|size| {
            let scale = cells as f32 / size;
            if scale.is_finite() { scale } else { 0.0 }
        });
        let [x, y, z, ..] = centres.0;
        Ok(Self {
            cells,
            origin: [x, y, z, 0.0],
            scale: [scale[0], scale[1], scale[2], 0.0],
        })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn cell_of<S: Simd>(&self, simd: S, item: &ItemBox) -> usize {
        let origin = f32x4::load_array(simd, self.origin);
        let scale = f32x4::load_array(simd, self.scale);
        let place = ((item.centre(simd) - origin) * scale).min((self.cells - 1) as f32);
        let [x, y, z, _] = place.to_int::<fearless_simd::i32x4<S>>().to_array();
        let mask = |place: i32| place as usize & (self.cells - 1);
        mask(x) + self.cells * (mask(y) + self.cells * mask(z))
    }
}
