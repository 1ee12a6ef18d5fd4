//! The closest point of terrain: the pyramid of ranges is searched nearest blocks first.

use super::HeightField;
use super::storage::pyramid::FAN_OUT;
use crate::narrow_phase::closest_point::{Search, corner_distance};
use core::cmp::{Ordering, Reverse};
use glam::DVec3;
use std::collections::BinaryHeap;

impl HeightField {
    /// Offers the triangles that may be the nearest to the search.
    pub(crate) fn search_near(&self, search: &mut Search<'_>) {
        let root = self.ranges.root();
        if root.is_empty() {
            return;
        }
        let mut blocks = BinaryHeap::new();
        let mut block = Block {
            distance: 0.0,
            level: self.ranges.top(),
            column: 0,
            row: 0,
        };
        loop {
            if block.level == 0 {
                self.offer_cell(&block, search);
            } else {
                self.open(&block, search, &mut blocks);
            }
            match blocks.pop() {
                Some(Reverse(next)) if next.distance <= search.limit() => block = next,
                _ => return,
            }
        }
    }

    /// Keeps a block's children that may hold the nearest triangle.
    fn open(&self, block: &Block, search: &Search<'_>, blocks: &mut BinaryHeap<Reverse<Block>>) {
        let level = block.level - 1;
        let lines = [self.grid.x_lines(), self.grid.z_lines()];
        for place in 0..FAN_OUT * FAN_OUT {
            let column = block.column * FAN_OUT + place % FAN_OUT;
            let row = block.row * FAN_OUT + place / FAN_OUT;
            let first = [column << (2 * level), row << (2 * level)];
            if first[0] >= lines[0].last || first[1] >= lines[1].last {
                continue;
            }
            let range = if level == 0 {
                self.cell_range(column, row)
            } else {
                let node = self.ranges.node(block.level, block.column, block.row);
                node.child(place)
            };
            if range.is_empty() {
                continue;
            }
            let ends = |axis: usize| {
                let last = (first[axis] + (1 << (2 * level))).min(lines[axis].last);
                [lines[axis].at(first[axis]), lines[axis].at(last)]
            };
            let ([west, east], [north, south]) = (ends(0), ends(1));
            let [low, high] = [range.min, range.max].map(|height| self.grid.y(height));
            let distance = corner_distance(
                search.point(),
                DVec3::new(west, low, north),
                DVec3::new(east, high, south),
            );
            if distance <= search.limit() {
                blocks.push(Reverse(Block {
                    distance,
                    level,
                    column,
                    row,
                }));
            }
        }
    }

    fn offer_cell(&self, block: &Block, search: &mut Search<'_>) {
        let cell = self.cell(block.column, block.row);
        for half in 0..2 {
            if let Some(corners) = cell.triangle(half) {
                search.offer(cell.first_triangle + u32::from(half == 1), &corners);
            }
        }
    }
}

/// A block of cells, by no more than its distance; of level 0 it is a cell.
#[derive(Debug, PartialEq)]
struct Block {
    distance: f64,
    level: usize,
    column: usize,
    row: usize,
}

impl Eq for Block {}

impl PartialOrd for Block {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Block {
    /// By distance; of equal ones the smaller block first.
    fn cmp(&self, other: &Self) -> Ordering {
        let place = |block: &Self| (block.level, block.row, block.column);
        let by_distance = self.distance.total_cmp(&other.distance);
        by_distance.then_with(|| place(self).cmp(&place(other)))
    }
}
