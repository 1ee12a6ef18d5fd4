//! Pairs of boxes as one writes them by hand: sort and sweep, and a uniform grid.

use crate::label::{Family, Label};
use crate::subject::Subjects;
use crate::workloads::boxes::Primitive;
use crate::workloads::crowd::{first_impacts, partners};

fn label(way: &str) -> Label {
    Label::new(Family::ByHand, way)
}

pub fn broad_phase_pairs<'a>(boxes: &[Primitive]) -> Subjects<'a, u32> {
    let count = boxes.len();
    let (own, others) = (boxes.to_vec(), boxes.to_vec());
    let sweep = move || sort_and_sweep(&own);
    let grid = move || uniform_grid(&others);
    let mut subjects = partners(label("sort and sweep"), count, sweep);
    subjects.extend(partners(label("uniform grid"), count, grid));
    subjects
}

/// Boxes around the moving ones on the grid, then slabs in f32, then a sort by time.
pub fn impacts_of<'a>(boxes: &[Primitive], motions: &[[f32; 3]]) -> Subjects<'a, Option<f32>> {
    let (boxes, motions) = (boxes.to_vec(), motions.to_vec());
    let count = boxes.len();
    let find = move || {
        let around = |(solid, motion): (&Primitive, &[f32; 3])| swept(solid, motion);
        let bounds: Vec<Primitive> = boxes.iter().zip(&motions).map(around).collect();
        let mut overlaps: Vec<(f32, [u32; 2])> = Vec::new();
        for [a, b] in uniform_grid(&bounds) {
            let (i, j) = (a as usize, b as usize);
            if let Some(t) = time_of_impact((&boxes[i], &motions[i]), (&boxes[j], &motions[j])) {
                overlaps.push((t, [a, b]));
            }
        }
        overlaps.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        overlaps
    };
    first_impacts(label("uniform grid and slabs"), count, find)
}

/// The box around all that a moving one passes through.
pub fn swept(solid: &Primitive, motion: &[f32; 3]) -> Primitive {
    let mut swept = *solid;
    for axis in 0..3 {
        swept.min[axis] += motion[axis].min(0.0);
        swept.max[axis] += motion[axis].max(0.0);
    }
    swept
}

/// When two moving boxes first touch, by slabs.
fn time_of_impact(a: (&Primitive, &[f32; 3]), b: (&Primitive, &[f32; 3])) -> Option<f32> {
    let (mut enter, mut leave) = (0.0_f32, 1.0_f32);
    for axis in 0..3 {
        let inverse = 1.0 / (a.1[axis] - b.1[axis]);
        let near = (b.0.min[axis] - a.0.max[axis]) * inverse;
        let far = (b.0.max[axis] - a.0.min[axis]) * inverse;
        enter = enter.max(near.min(far));
        leave = leave.min(near.max(far));
    }
    (enter <= leave).then_some(enter)
}

fn touches(a: &Primitive, b: &Primitive) -> bool {
    (a.min[0] <= b.max[0])
        & (a.min[1] <= b.max[1])
        & (a.min[2] <= b.max[2])
        & (b.min[0] <= a.max[0])
        & (b.min[1] <= a.max[1])
        & (b.min[2] <= a.max[2])
}

fn push(pairs: &mut Vec<[u32; 2]>, a: u32, b: u32) {
    pairs.push([a.min(b), a.max(b)]);
}

/// Sorted by where they begin on x, each is held against those that begin before it ends; rows of
/// numbers, so that the compiler compares several at once.
fn sort_and_sweep(boxes: &[Primitive]) -> Vec<[u32; 2]> {
    const BLOCK: usize = 16;
    let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
    order.sort_unstable_by(|a, b| {
        let begin = |number: u32| boxes[number as usize].min[0];
        begin(*a).total_cmp(&begin(*b))
    });
    let row = |of: fn(&Primitive) -> f32| -> Vec<f32> {
        let numbers = order.iter().map(|number| of(&boxes[*number as usize]));
        numbers.chain([f32::INFINITY; BLOCK]).collect()
    };
    let (x0, x1) = (row(|s| s.min[0]), row(|s| s.max[0]));
    let (y0, y1) = (row(|s| s.min[1]), row(|s| s.max[1]));
    let (z0, z1) = (row(|s| s.min[2]), row(|s| s.max[2]));
    let mut pairs = Vec::new();
    for (i, number) in order.iter().enumerate() {
        let mut j = i + 1;
        while x0[j] <= x1[i] {
            let block =
                |row: &'_ [f32]| -> [f32; BLOCK] { std::array::from_fn(|k| row[j..j + BLOCK][k]) };
            let (begin, low, high) = (
                block(&x0),
                [block(&y0), block(&z0)],
                [block(&y1), block(&z1)],
            );
            let mut touching = [false; BLOCK];
            for k in 0..BLOCK {
                touching[k] = (begin[k] <= x1[i])
                    & (low[0][k] <= y1[i])
                    & (low[1][k] <= z1[i])
                    & (high[0][k] >= y0[i])
                    & (high[1][k] >= z0[i]);
            }
            if touching.contains(&true) {
                for k in (0..BLOCK).filter(|k| touching[*k]) {
                    push(&mut pairs, *number, order[j + k]);
                }
            }
            j += BLOCK;
            if j >= order.len() {
                break;
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

/// Cells as large as the largest box, each box in that of its lowest corner, in cells' order: what
/// touches it begins in its own cell or a neighbour. Half of the neighbours are looked at, in five
/// runs of memory.
fn uniform_grid(boxes: &[Primitive]) -> Vec<[u32; 2]> {
    let (mut low, mut high, mut side) = ([f32::MAX; 3], [f32::MIN; 3], 0.0_f32);
    for own in boxes {
        for axis in 0..3 {
            low[axis] = low[axis].min(own.min[axis]);
            high[axis] = high[axis].max(own.min[axis]);
            side = side.max(own.max[axis] - own.min[axis]);
        }
    }
    // A little more, as differences are rounded; and two more cells, so that all have neighbours.
    let inverse = 1.0 / (side * 1.0001).max(1e-6);
    let cells = [0, 1, 2].map(|axis| ((high[axis] - low[axis]) * inverse) as usize + 3);
    let (dy, dz) = (cells[0], cells[0] * cells[1]);
    let cell = |own: &Primitive| {
        let [x, y, z] = [0, 1, 2].map(|axis| ((own.min[axis] - low[axis]) * inverse) as usize + 1);
        x + y * dy + z * dz
    };
    let mut firsts = vec![0u32; dz * cells[2] + 2];
    let places: Vec<u32> = boxes.iter().map(|own| cell(own) as u32).collect();
    for place in &places {
        firsts[*place as usize + 2] += 1;
    }
    for k in 1..firsts.len() {
        firsts[k] += firsts[k - 1];
    }
    let nowhere = Primitive {
        min: [0.0; 3],
        max: [0.0; 3],
    };
    let mut placed = vec![(nowhere, 0u32, 0u32); boxes.len()];
    for ((solid, place), number) in boxes.iter().zip(&places).zip(0..) {
        let next = &mut firsts[*place as usize + 1];
        placed[*next as usize] = (*solid, number, *place);
        *next += 1;
    }
    let mut pairs = Vec::new();
    for (i, (own, number, place)) in placed.iter().enumerate() {
        let place = *place as usize;
        let run = |from: usize, to: usize| firsts[from] as usize..firsts[to + 1] as usize;
        let runs = [
            i + 1..firsts[place + 2] as usize,
            run(place + dy - 1, place + dy + 1),
            run(place + dz - dy - 1, place + dz - dy + 1),
            run(place + dz - 1, place + dz + 1),
            run(place + dz + dy - 1, place + dz + dy + 1),
        ];
        for run in runs {
            for (other, its, _) in &placed[run] {
                if touches(own, other) {
                    push(&mut pairs, *number, *its);
                }
            }
        }
    }
    pairs.sort_unstable();
    pairs
}
