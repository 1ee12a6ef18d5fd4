//! Eyes on level ground and in the planes of slopes, which are seen edge-on: the sweep against the exact
//! segment to every sample, and what is left to that.

use super::check;
use crate::HeightField;
use crate::height_field::viewshed::coplanar_ground::coplanar_ground;
use crate::height_field::viewshed::start::Sweep;
use crate::height_field::{Diagonal, Grid, ViewshedQuery};
use crate::test_rng::Rng;

/// The lie of the land, by column and row, in quarters of a metre; most of it is in few planes.
fn height(kind: usize, [column, row]: [i64; 2], [at_column, at_row]: [i64; 2]) -> i64 {
    let (x, z) = (column - at_column, row - at_row);
    match kind {
        // Level ground, slopes, a roof, a plateau with a scarp, a pyramid, ground of two levels, a valley.
        0 | 1 => 8,
        2 => 3 * column - row,
        3 => 2 * x.abs(),
        4 => 8 - (z - 4).max(0),
        5 => -x.abs().max(z.abs()),
        6 => 8 + 4 * i64::from(x > 5),
        _ => (z - 3).abs().min(5),
    }
}

/// Such land with posts, pits, saddles and holes, and an eye on it or beside it.
fn question(rng: &mut Rng, size: [usize; 2]) -> (HeightField, ViewshedQuery) {
    let below = |rng: &mut Rng, count: usize| i64::try_from(rng.below(count as u64)).unwrap();
    let at = size.map(|count| below(rng, count));
    let kind = rng.below(8);
    let spoilt = rng.pick(&[0, 0, 200, 40, 8]);
    let holes = rng.pick(&[0, 0, 0, 60]);
    let mut heights = Vec::new();
    for row in 0..size[1] {
        for column in 0..size[0] {
            let place = [column, row].map(|index| i64::try_from(index).unwrap());
            let mut quarters = height(kind, place, at);
            if spoilt > 0 && rng.below(spoilt) == 0 {
                quarters += rng.pick(&[-1, 1, -8, 8]);
            }
            let is_hole = holes > 0 && rng.below(holes) == 0;
            heights.push(match is_hole {
                true => f32::NAN,
                false => quarters as f32 * 0.25,
            });
        }
    }
    let grid = Grid {
        columns: size[0],
        rows: size[1],
        spacing: [rng.pick(&[1.0, 30.0, 0.7]), 1.0],
        origin: [rng.pick(&[0.0, -3.25, 0.1]), 0.5, -2.0],
        diagonal: rng.pick(&[Diagonal::Anti, Diagonal::Main]),
    };
    // On the sample, the middle of an edge or of a cell, elsewhere on an edge or in a cell, beside the map.
    let aside = [
        [0.0, 0.0],
        [0.5, 0.0],
        [0.5, 0.5],
        [0.0, 0.25],
        [0.25, 0.75],
        [0.3, 0.1],
        [-99.0, 0.5],
    ];
    let aside = rng.pick(&aside);
    let [x, z] = [0, 2].map(|axis: usize| {
        let steps = at[axis / 2] as f64 + aside[axis / 2];
        (grid.origin[axis] + steps * grid.spacing[axis / 2]) as f32
    });
    let field = HeightField::new(grid, heights).unwrap();
    let ground = field.height([x, z]).ok().map(|ground| ground.height);
    let query = match rng.below(4) {
        // At the height of level ground, over whatever is there.
        0 => ViewshedQuery::at([x, 2.5, z]),
        1 => ViewshedQuery::at([x, ground.unwrap_or(2.5), z]),
        _ if ground.is_none() => ViewshedQuery::at([x, 2.5, z]),
        _ => ViewshedQuery::standing([x, z]),
    };
    let above = rng.pick(&[0.0, 0.0, 0.0, 0.0, 1.0, 1e-9, 1e-15]);
    let target_above = rng.pick(&[0.0, 0.0, 0.0, 0.0, 1.0, -0.25, 1e-9]);
    let query = query.with_above(above).unwrap();
    (field, query.with_target_above(target_above).unwrap())
}

#[test]
fn ground_that_is_seen_edge_on_is_decided_as_by_the_exact_segment() {
    let mut rng = Rng(7);
    let mut seen = 0;
    for case in 0..240 {
        let size = [[19, 17], [9, 33], [33, 9], [24, 23]][case % 4];
        let (field, query) = question(&mut rng, size);
        seen += check(&field, &query);
    }
    assert!(seen > 10_000, "{seen}");
}

/// The number of samples that need the exact segment though they are in the plane of the ground at the eye,
/// and how many are in it.
fn left(field: &HeightField, query: &ViewshedQuery) -> [usize; 2] {
    let eye = field.eye(query).unwrap();
    let sweep = Sweep::new(field, eye, 0.0);
    let coplanar = coplanar_ground(&sweep).unwrap();
    let samples = 0..field.samples().len();
    let in_plane =
        samples.filter(|sample| coplanar.planes_to(*sample) & coplanar.mask(*sample) != 0);
    let in_plane: Vec<usize> = in_plane.collect();
    let is_left = |sample: &&usize| coplanar.is_seen(**sample).is_none();
    [in_plane.iter().filter(is_left).count(), in_plane.len()]
}

#[test]
fn little_of_the_ground_in_the_plane_of_the_eye_is_left_to_the_exact_segment() {
    const SIZE: usize = 130;
    let mut rng = Rng(8);
    for diagonal in [Diagonal::Anti, Diagonal::Main] {
        for [column_rise, row_rise] in [[0.0, 0.0], [3.0, -1.0], [0.0, 0.25]] {
            for spoilt in [0, 60] {
                let mut heights: Vec<f32> = (0..SIZE * SIZE)
                    .map(|sample| {
                        (sample % SIZE) as f32 * column_rise + (sample / SIZE) as f32 * row_rise
                    })
                    .collect();
                for _ in 0..spoilt {
                    heights[rng.below((SIZE * SIZE) as u64)] += rng.pick(&[-2.0, 2.0]);
                }
                let grid = Grid {
                    diagonal,
                    ..Grid::new(SIZE, SIZE, [2.0; 2])
                };
                let field = HeightField::new(grid, heights).unwrap();
                // On a sample, in a cell, on edges, beside the middle.
                for eye in [
                    [128.0, 128.0],
                    [128.5, 129.25],
                    [129.0, 128.0],
                    [129.0, 129.0],
                    [40.25, 200.0],
                ] {
                    let [left, all] = left(&field, &ViewshedQuery::standing(eye));
                    let max_left = if spoilt == 0 { 8 } else { all / 20 };
                    assert!(all > SIZE * SIZE / 2, "{all}");
                    assert!(
                        left <= max_left,
                        "{left} of {all}: {eye:?} {diagonal:?} {column_rise} {spoilt}"
                    );
                }
            }
        }
    }
}
