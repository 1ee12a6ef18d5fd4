//! The sweep against the exact segment to every sample.

#![expect(
    clippy::cast_possible_truncation,
    reason = "tests are in f32, and about small numbers"
)]

mod edge_on;

use super::{ViewshedQuery, Visibility};
use crate::height_field::{Diagonal, Grid};
use crate::narrow_phase::sight::SightLine;
use crate::test_rng::Rng;
use crate::{HeightField, Ray};
use core::ops::ControlFlow;

/// A terrain that is flat, stepped, rolling or rough, with holes or without.
fn terrain(rng: &mut Rng, size: [usize; 2]) -> HeightField {
    let kind = rng.below(4);
    let holes = rng.pick(&[0, 0, 9, 60]);
    let height = |sample: usize| {
        let (column, row) = (sample % size[0], sample / size[0]);
        if holes > 0 && rng.below(holes) == 0 {
            return f32::NAN;
        }
        match kind {
            0 => 2.0,
            1 => rng.below(3) as f32,
            2 => libm::sinf(column as f32 * 0.4) * 3.0 + libm::cosf(row as f32 * 0.3) * 2.0,
            _ => rng.uniform_f32(0.0, 1.0) * 4.0,
        }
    };
    let heights: Vec<f32> = (0..size[0] * size[1]).map(height).collect();
    let grid = Grid {
        columns: size[0],
        rows: size[1],
        spacing: [rng.pick(&[1.0, 0.7, 30.0]), 1.0],
        origin: [rng.pick(&[0.0, -3.3, 1e5]), 0.1, -2.0],
        diagonal: rng.pick(&[Diagonal::Anti, Diagonal::Main]),
    };
    HeightField::new(grid, heights).unwrap()
}

/// A line, half way between two, or anywhere from two before the first to two after the last.
fn place(rng: &mut Rng, count: usize) -> f64 {
    match rng.below(4) {
        0 | 1 => rng.below(count as u64) as f64,
        2 => rng.below(2 * count as u64) as f64 * 0.5,
        _ => f64::from(rng.uniform_f32(0.0, 1.0)) * (count as f64 + 4.0) - 2.0,
    }
}

/// An eye on a sample, on a line, on a diagonal, anywhere, or beside the map; high, low, on the ground.
fn query(rng: &mut Rng, field: &HeightField) -> ViewshedQuery {
    let grid = field.grid();
    let (column, row) = (place(rng, grid.columns), place(rng, grid.rows));
    let [x, z] = [
        (grid.origin[0] + column * grid.spacing[0]) as f32,
        (grid.origin[2] + row * grid.spacing[1]) as f32,
    ];
    let query = match rng.below(3) {
        0 => ViewshedQuery::at([x, rng.uniform_f32(0.0, 1.0) * 8.0 - 2.0, z]),
        1 => match field.height([x, z]).ok() {
            Some(ground) => ViewshedQuery::at([x, ground.height, z]),
            None => ViewshedQuery::at([x, 1.0, z]),
        },
        _ => ViewshedQuery::standing([x, z]),
    };
    let above = rng.pick(&[0.0, 0.0, 1.7, 20.0, -0.5]);
    let target_above = rng.pick(&[0.0, 0.0, 1.0, 1e-9, -0.5]);
    let query = query.with_above(above).unwrap();
    query.with_target_above(target_above).unwrap()
}

/// Whether a triangle blocks the line, by each that may.
fn is_blocked(field: &HeightField, line: &SightLine) -> bool {
    let visited = field.for_each_candidate(&line.ray(), &mut |_, corners| match !line.is_point()
        && line.crosses_ground(corners)
    {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    });
    visited.is_break()
}

/// Compares a viewshed, and returns the number of visible samples.
fn check(field: &HeightField, query: &ViewshedQuery) -> usize {
    let Some(eye) = field.eye(query) else {
        return 0;
    };
    let mut viewshed = field.all_in_range(query, eye);
    field.hide_behind_itself(query, &mut viewshed, None);
    // Lines of sight read tiles where a ray has made them.
    field.prepare();
    let mut with_tiles = field.all_in_range(query, eye);
    field.hide_behind_itself(query, &mut with_tiles, None);
    assert_eq!(viewshed, with_tiles);
    for row in 0..field.grid().rows {
        for column in 0..field.grid().columns {
            let expected = if field.sample(column, row).is_none() {
                Visibility::Outside
            } else {
                let to = field.target(query, column, row);
                match is_blocked(field, &SightLine { from: eye, to }) {
                    true => Visibility::Hidden,
                    false => Visibility::Visible,
                }
            };
            let found = viewshed.at(column, row);
            assert_eq!(
                found,
                Some(expected),
                "{column} {row} of {:?}: {query:?}",
                field.grid()
            );
        }
    }
    viewshed.count(Visibility::Visible)
}

#[test]
fn a_sweep_answers_as_the_exact_segment_to_each_sample() {
    let mut rng = Rng(5);
    let mut seen = 0;
    for case in 0..600 {
        let size = [[2, 2], [3, 5], [9, 7], [6, 14], [14, 6]][case % 5];
        let field = terrain(&mut rng, size);
        seen += check(&field, &query(&mut rng, &field));
    }
    assert!(seen > 3000, "{seen}");
}

#[test]
fn neither_heights_nor_viewsheds_make_what_rays_need() {
    let heights = (0..1600_u16).map(|sample| f32::from(sample % 7)).collect();
    let field = HeightField::new(Grid::new(40, 40, [1.0; 2]), heights).unwrap();
    let before = field.memory_bytes();
    let query = ViewshedQuery::standing([20.2, 20.0])
        .with_above(1.7)
        .unwrap();
    let eye = field.eye(&query).unwrap();
    field.hide_behind_itself(&query, &mut field.all_in_range(&query, eye), None);
    assert!(field.elevation([3.5, 4.5]).is_some());
    assert_eq!(field.memory_bytes(), before);
    let ray = Ray::new([3.0, 9.0, 4.0], [0.5, -1.0, 0.25]).unwrap();
    assert!(field.cast_ray(&ray, ()).is_some());
    assert!(field.memory_bytes() > before);
}

#[test]
fn far_samples_are_swept_as_near_ones() {
    let mut rng = Rng(6);
    for _ in 0..8 {
        let field = terrain(&mut rng, [70, 53]);
        check(&field, &query(&mut rng, &field));
    }
}

/// The ground before a sample at the corner of a block is a hole, so that the block has no triangle there.
#[test]
fn a_sample_beside_holes_is_not_hidden_with_their_block() {
    for size in [[41, 31], [31, 41]] {
        for turned in [false, true] {
            let height = |sample: usize| {
                let (mut column, mut row) = (sample % size[0], sample / size[0]);
                if turned {
                    (column, row) = (row, column);
                }
                match (column, row) {
                    (20, 12 | 17) => 60.0,
                    (17..=20, _) => f32::NAN,
                    (8, _) => 3.0,
                    _ => 0.0,
                }
            };
            let heights = (0..size[0] * size[1]).map(height).collect();
            let field = HeightField::new(Grid::new(size[0], size[1], [1.0; 2]), heights).unwrap();
            let query = ViewshedQuery::standing([1.0, 1.0]).with_above(1.5).unwrap();
            assert!(check(&field, &query) > 100);
        }
    }
}

#[test]
fn distance_and_holes_are_outside() {
    let mut heights = vec![0.0; 25];
    heights[7] = f32::NAN;
    let field = HeightField::new(Grid::new(5, 5, [3.0, 4.0]), heights).unwrap();
    let query = ViewshedQuery::at([0.0, 9.0, 0.0])
        .with_max_distance(5.0)
        .unwrap();
    let viewshed = field.all_in_range(&query, field.eye(&query).unwrap());
    let near = [(0, 0), (1, 0), (0, 1), (1, 1)];
    for row in 0..5 {
        for column in 0..5 {
            let is_near = near.contains(&(column, row));
            let found = viewshed.at(column, row);
            assert_eq!(
                found == Some(Visibility::Visible),
                is_near,
                "{column} {row}"
            );
        }
    }
    assert_eq!(viewshed.at(5, 0), None);
    assert!(query.with_max_distance(-1.0).is_err() && query.with_above(f64::NAN).is_err());
    // There is no eye over a hole or off the map.
    assert_eq!(field.eye(&ViewshedQuery::standing([6.0, 4.0])), None);
    assert_eq!(field.eye(&ViewshedQuery::standing([-1.0, 4.0])), None);
}
