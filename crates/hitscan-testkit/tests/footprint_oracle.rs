//! Footprints against oracles that share no code: rectangles turned by 3-4-5 angles in rationals,
//! triangle by triangle, and discs by adaptive subdivision of slices.

#![expect(
    clippy::unwrap_used,
    reason = "a shape that is refused is a failed test"
)]

use glam::DVec3;
use hitscan::height_field::{Diagonal, Footprint, FootprintGround, FootprintSample, Grid, Region};
use hitscan::{HeightField, World};
use hitscan_testkit::footprint_oracle::{Sums, disc_sums, rectangle_sums};
use hitscan_testkit::{Rng, exact};
use std::sync::Arc;

fn map(rng: &mut Rng) -> HeightField {
    let (columns, rows) = [(2, 2), (5, 4), (9, 13), (23, 18)][rng.below(4)];
    let holes = [0, 0, 7][rng.below(3)];
    let base = [0.0_f32, 1000.0][rng.below(2)];
    let height = |_| {
        if holes > 0 && rng.one_in(holes) {
            f32::NAN
        } else {
            base + rng.uniform_f32(-2.0, 2.0)
        }
    };
    let heights: Vec<f32> = (0..columns * rows).map(height).collect();
    let grid = Grid {
        origin: [[0.0, -4.0, 1e5][rng.below(3)], -3.0, 2.0],
        diagonal: [Diagonal::Anti, Diagonal::Main][rng.below(2)],
        ..Grid::new(columns, rows, [[1.0, 0.7][rng.below(2)], 1.0])
    };
    HeightField::new(grid, heights).unwrap()
}

/// A place on or beside the map, often at a sample, and a size.
#[expect(clippy::cast_possible_truncation, reason = "places are in f32")]
fn place(rng: &mut Rng, field: &HeightField) -> [f32; 2] {
    let grid = field.grid();
    let mut at = |count: usize| match rng.below(2) {
        0 => rng.below(count) as f64,
        _ => rng.uniform(-1.0, count as f64),
    };
    let (column, row) = (at(grid.columns), at(grid.rows));
    [
        (grid.origin[0] + column * grid.spacing[0]) as f32,
        (grid.origin[2] + row * grid.spacing[1]) as f32,
    ]
}

fn check(
    found: FootprintSample,
    sums: &Sums,
    area: f64,
    to_world: [f64; 2],
    context: &str,
) -> bool {
    let [own, first_x, first_z, xx, xz, zz, y, yx, yz] = sums.integrals;
    if own < 1e-9 * area {
        return false;
    }
    let found: FootprintGround = found.ok().unwrap_or_else(|| panic!("no ground: {context}"));
    let (mean, x, z) = (y / own, first_x / own, first_z / own);
    let relief = sums.high - sums.low;
    let unit = 2.0_f64.powi(-36) * sums.high.abs().max(sums.low.abs()).max(relief);
    let is_near = |found: f32, expected: f64, what: &str| {
        let ulp = f64::from(found.next_up()) - f64::from(found);
        // The oracle of discs is in f64 itself.
        let bound = ulp.max(unit) + 1e-12 * (1.0 + expected.abs());
        let off = (f64::from(found) - expected).abs();
        assert!(off <= bound, "{what} {found} {expected} {context}");
    };
    is_near(found.height, mean, "height");
    is_near(found.min, sums.low, "min");
    is_near(found.max, sums.high, "max");
    let coverage = own / area;
    assert!(
        (f64::from(found.coverage) - coverage).abs() < 2.0_f64.powi(-20),
        "{context}"
    );
    if coverage < 0.01 {
        return true;
    }
    let (xx, xz, zz) = (xx / own - x * x, xz / own - x * z, zz / own - z * z);
    let (yx, yz) = (yx / own - mean * x, yz / own - mean * z);
    let determinant = xx * zz - xz * xz;
    let gradient = [
        (yx * zz - yz * xz) / determinant,
        (yz * xx - yx * xz) / determinant,
    ];
    is_near(
        found.plane,
        mean - gradient[0] * x - gradient[1] * z,
        "plane",
    );
    let [cosine, sine] = to_world;
    let gradient = [
        cosine * gradient[0] + sine * gradient[1],
        cosine * gradient[1] - sine * gradient[0],
    ];
    let normal = DVec3::new(-gradient[0], 1.0, -gradient[1]);
    let normal = normal / normal.length();
    assert!(
        found.normal.as_dvec3().distance(normal) < 1e-6,
        "{found:?} {normal} {context}"
    );
    let slope = gradient[0].hypot(gradient[1]).atan();
    assert!((f64::from(found.slope) - slope).abs() < 1e-6, "{context}");
    true
}

#[test]
fn turned_rectangles_are_those_of_rationals() {
    let mut rng = Rng::new(0xf00);
    let mut answered = 0;
    for _ in 0..120 {
        let field = map(&mut rng);
        let center = place(&mut rng, &field);
        let half = [0, 1].map(|_| [0.25, 1.0, rng.uniform(0.01, 8.0)][rng.below(3)]);
        let (rise, run) = [
            (0.0, 1.0),
            (3.0, 4.0),
            (4.0, 3.0),
            (-3.0, 4.0),
            (4.0, -3.0),
            (1.0, 0.0),
        ][rng.below(6)];
        let length = if rise * run == 0.0 { 1.0 } else { 5.0 };
        let angle = libm::atan2(rise, run);
        let footprint = Footprint::rectangle(center, half, angle).unwrap();
        let direction = [exact(run) / exact(length), exact(rise) / exact(length)];
        let sums = rectangle_sums(&field, center, half, direction);
        let found = field.footprint(&footprint);
        let context = format!("{footprint:?} {:?}", field.grid());
        let to_world = [run / length, rise / length];
        answered += usize::from(check(
            found,
            &sums,
            4.0 * half[0] * half[1],
            to_world,
            &context,
        ));
    }
    assert!(answered > 60, "{answered}");
}

#[test]
fn discs_are_those_of_slices() {
    let mut rng = Rng::new(0xf01);
    let mut answered = 0;
    for _ in 0..60 {
        let field = map(&mut rng);
        let center = place(&mut rng, &field);
        let radius = [0.5, 1.0, rng.uniform(0.05, 9.0)][rng.below(3)];
        let footprint = Footprint::disc(center, radius).unwrap();
        let sums = disc_sums(&field, center, radius);
        let found = field.footprint(&footprint);
        let context = format!("{footprint:?} {:?}", field.grid());
        let area = std::f64::consts::PI * radius * radius;
        answered += usize::from(check(found, &sums, area, [1.0, 0.0], &context));
    }
    assert!(answered > 30, "{answered}");
}

#[test]
fn edits_leave_the_bits_of_a_fresh_map_and_the_greatest_maximum_answers() {
    let mut rng = Rng::new(0xf02);
    for _ in 0..20 {
        let mut field = map(&mut rng);
        let footprint = Footprint::disc(place(&mut rng, &field), 6.0).unwrap();
        let before = field.footprint(&footprint);
        let grid = *field.grid();
        let (column, row) = (rng.below(grid.columns), rng.below(grid.rows));
        let region = Region {
            column,
            row,
            columns: 1,
            rows: 1,
        };
        field.set_heights(region, &[7.0]).unwrap();
        let fresh = HeightField::new(grid, field.samples().to_vec()).unwrap();
        assert_eq!(field.footprint(&footprint), fresh.footprint(&footprint));
        let mut world = World::new();
        world.add(Arc::new(field));
        let second = world.add(Arc::new(
            HeightField::new(
                Grid {
                    origin: [grid.origin[0], 5000.0, grid.origin[2]],
                    ..grid
                },
                vec![0.0; grid.columns * grid.rows],
            )
            .unwrap(),
        ));
        world.update();
        let found = world.now().footprint(&footprint, ());
        if before.ok().is_some() {
            assert_eq!(found.ok().unwrap().object, Some(second));
        }
        let both = world.now().footprints(&[footprint, footprint], ());
        assert_eq!(both, [found, found]);
    }
}
