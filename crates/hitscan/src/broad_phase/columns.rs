//! Putting boxes into columns, in the order in which they begin along the axis of the sweep.
//!
//! `sweep.rs` finds the pairs of each.

use super::plan::{CellRange, Plan};
use super::sweep::{Entry, Rows};
use crate::Aabb;
use crate::parallel::map_all;
use crate::simd::Width;
use crate::simd::dispatch_wide;

/// Fewer boxes are swept as they are.
const FEW: usize = 64;

/// Columns in which fewer boxes begin while one lasts are swept as they are.
const FEW_AT_ONCE: usize = 64;

/// A plan for a column is followed if it promises less than this part of what sweeping costs.
const GAIN: f64 = 0.5;

/// A grid may make this many entries of a box, on average.
const MAX_COPIES: usize = 4;

/// How many entries all grids together may make of a box, where columns are taken apart again.
const MAX_COPIES_IN_ALL: usize = 16;

/// How often columns are taken apart at most: claims have 32 bits, and each time takes two.
const DEEPEST: u32 = 15;

/// About how many entries a thread takes at once.
const TASK: usize = 8192;

/// The pairs of boxes that touch, each once, in no order that means anything.
pub(super) fn pairs(boxes: &[Aabb], width: Width) -> Vec<[u32; 2]> {
    let count = u32::try_from(boxes.len()).expect("memory ends before 2^32 boxes");
    let all: Vec<Entry> = (0..count)
        .map(|number| Entry { number, claims: 0 })
        .collect();
    let plan = if all.len() > FEW {
        Plan::of(boxes, &all)
    } else {
        Plan::along_x()
    };
    let columns = Columns::new(boxes, &all, plan, Depth::default());
    let search = |tasks: core::ops::Range<usize>| {
        let mut search = Search::new(boxes, width);
        for column in tasks {
            search.column(&columns, column);
        }
        search.pairs
    };
    let mut found = map_all(columns.tasks(), search);
    if found.len() == 1 {
        return found.remove(0);
    }
    found.concat()
}

/// How far boxes have been taken apart.
#[derive(Debug, Clone, Copy)]
struct Depth {
    level: u32,
    /// How many entries there may be of a box.
    copies: usize,
    /// What a pair's claims must make up.
    claims: u32,
}

impl Default for Depth {
    fn default() -> Self {
        Self {
            level: 0,
            copies: 1,
            claims: 0,
        }
    }
}

/// Boxes in columns.
struct Columns {
    axis: usize,
    depth: Depth,
    entries: Vec<Entry>,
    /// Where each column ends.
    ends: Vec<usize>,
}

impl Columns {
    fn new(boxes: &[Aabb], entries: &[Entry], mut plan: Plan, mut depth: Depth) -> Self {
        let order = in_order_of_begin(boxes, entries, plan.axis);
        let mut cell_ranges: Vec<CellRange> = vec![[[0; 2]; 2]; entries.len()];
        let mut counts = Vec::new();
        while plan.columns() > 1 {
            counts.clear();
            counts.resize(plan.columns(), 0);
            if plan.count(boxes, entries, &mut cell_ranges, &mut counts)
                <= MAX_COPIES * entries.len()
            {
                break;
            }
            plan.coarsen();
        }
        if plan.columns() == 1 {
            let entries: Vec<Entry> = order.map(|place| entries[place as usize]).collect();
            let ends = vec![entries.len()];
            let axis = plan.axis;
            return Self {
                axis,
                depth,
                entries,
                ends,
            };
        }
        // A count becomes where the column's next entry goes, and in the end where it ends.
        let mut total = 0;
        for count in &mut counts {
            total += core::mem::replace(count, total);
        }
        let mut ends = counts;
        let bit = 1 << (2 * depth.level);
        let mut placed = vec![
            Entry {
                number: 0,
                claims: 0
            };
            total
        ];
        for place in order {
            let (entry, [first, second]) = (entries[place as usize], cell_ranges[place as usize]);
            for a in first[0]..=first[1] {
                let claims = entry.claims | if a == first[0] { bit } else { 0 };
                for b in second[0]..=second[1] {
                    let claims = claims | if b == second[0] { 2 * bit } else { 0 };
                    let end = &mut ends[plan.column(a, b)];
                    placed[*end] = Entry { claims, ..entry };
                    *end += 1;
                }
            }
        }
        depth.level += 1;
        depth.copies *= total.div_ceil(entries.len());
        depth.claims |= 3 * bit;
        Self {
            axis: plan.axis,
            depth,
            entries: placed,
            ends,
        }
    }

    fn column(&self, column: usize) -> &[Entry] {
        let first = if column == 0 {
            0
        } else {
            self.ends[column - 1]
        };
        &self.entries[first..self.ends[column]]
    }

    /// Ranges of columns that are about equal work.
    fn tasks(&self) -> Vec<core::ops::Range<usize>> {
        let mut tasks = Vec::new();
        let (mut first, mut first_entry) = (0, 0);
        for (column, end) in self.ends.iter().enumerate() {
            if *end - first_entry >= TASK || column + 1 == self.ends.len() {
                tasks.push(first..column + 1);
                (first, first_entry) = (column + 1, *end);
            }
        }
        tasks
    }
}

/// The search for pairs, column by column.
struct Search<'a> {
    boxes: &'a [Aabb],
    width: Width,
    rows: Rows,
    pairs: Vec<[u32; 2]>,
}

impl<'a> Search<'a> {
    fn new(boxes: &'a [Aabb], width: Width) -> Self {
        Self {
            boxes,
            width,
            rows: Rows::default(),
            pairs: Vec::new(),
        }
    }

    fn column(&mut self, columns: &Columns, column: usize) {
        let column = columns.column(column);
        if column.len() < 2 {
            return;
        }
        self.rows.fill(self.boxes, column, columns.axis);
        let depth = columns.depth;
        if let Some(plan) = self.better_plan(column, depth) {
            let columns = Columns::new(self.boxes, column, plan, depth);
            for column in 0..columns.ends.len() {
                self.column(&columns, column);
            }
            return;
        }
        let (rows, pairs) = (&self.rows, &mut self.pairs);
        dispatch_wide!(self.width, simd => rows.sweep(simd, column, depth.claims, pairs));
    }

    /// A plan that promises to be much cheaper than sweeping the column as it is in the rows.
    fn better_plan(&self, column: &[Entry], depth: Depth) -> Option<Plan> {
        let may_divide = depth.level < DEEPEST && depth.copies <= MAX_COPIES_IN_ALL;
        if column.len() <= FEW_AT_ONCE || !may_divide {
            return None;
        }
        let at_once = self.rows.at_once();
        if at_once <= FEW_AT_ONCE {
            return None;
        }
        let plan = Plan::of(self.boxes, column);
        (plan.price < GAIN * (at_once as f64 / 8.0)).then_some(plan)
    }
}

/// The entries' places in the order in which their boxes begin along `axis`.
///
/// Three passes of a radix sort, each of 11 bits of the key, or comparisons where they are few.
fn in_order_of_begin(
    boxes: &[Aabb],
    entries: &[Entry],
    axis: usize,
) -> impl Iterator<Item = u32> + use<> {
    const BITS: u32 = 11;
    const DIGITS: usize = 1 << BITS;
    let key = |(place, entry): (u64, &Entry)| {
        let begin = boxes[entry.number as usize].min()[axis];
        u64::from(ascending(begin)) << 32 | place
    };
    let mut keys: Vec<u64> = (0..).zip(entries).map(key).collect();
    if keys.len() < DIGITS {
        keys.sort_unstable();
    } else {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "only the lowest bits are kept"
        )]
        let digit = |key: u64, pass: u32| (key >> (32 + BITS * pass)) as usize % DIGITS;
        let mut places = [[0usize; DIGITS]; 3];
        for key in &keys {
            for pass in 0..3 {
                places[pass as usize][digit(*key, pass)] += 1;
            }
        }
        let mut sorted = vec![0u64; keys.len()];
        for (pass, places) in (0..).zip(&mut places) {
            let mut first = 0;
            for place in &mut *places {
                first += core::mem::replace(place, first);
            }
            for key in &keys {
                let place = &mut places[digit(*key, pass)];
                sorted[*place] = *key;
                *place += 1;
            }
            core::mem::swap(&mut keys, &mut sorted);
        }
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the lower half is the place"
    )]
    let place = |key| key as u32;
    keys.into_iter().map(place)
}

/// Numbers that are in the order of the coordinates.
fn ascending(coordinate: f32) -> u32 {
    let bits = coordinate.to_bits();
    if bits >> 31 == 0 {
        bits | 1 << 31
    } else {
        !bits
    }
}
