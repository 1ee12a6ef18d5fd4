//! Coherent rays in packets have the answers that each has alone.

use super::cursors::Cursors;
use super::{WAVEFRONT_SIZE, Wavefront};
use crate::exact::expansion::nearest_f32;
use crate::height_field::{Diagonal, Grid, HeightField};
use crate::query::collector::{Any, Closest};
use crate::simd::Width;
use crate::test_rng::Rng;
use crate::{Ray, Sides};
use glam::Vec3;

/// A map of a few levels, rough, terraced or flat, some with holes.
fn random_field(rng: &mut Rng) -> HeightField {
    let (columns, rows) = rng.pick(&[(150, 90), (70, 300), (33, 33), (5, 200), (3, 2)]);
    let spacing = [rng.pick(&[1.0, 0.25, 30.0]), rng.pick(&[1.0, 0.7])];
    let origin = rng.pick(&[[0.0; 3], [-31.5, 2.0, 1000.1]]);
    let diagonal = rng.pick(&[Diagonal::Anti, Diagonal::Main]);
    let grid = Grid {
        columns,
        rows,
        spacing,
        origin,
        diagonal,
    };
    let holes = rng.pick(&[0, 0, 40, 3]);
    let steepness = rng.pick(&[0.0, 0.5, 1.0, 20.0]);
    let step = rng.pick(&[0.001, 1.0]);
    let mut height = 0.0;
    let heights = (0..columns * rows).map(|_| {
        height = (0.9 * height + rng.uniform(-steepness, steepness)).clamp(-60.0, 60.0);
        let is_hole = holes > 0 && rng.below(holes) == 0;
        if is_hole {
            f32::NAN
        } else {
            nearest_f32((height / step).round() * step)
        }
    });
    HeightField::new(grid, heights.collect()).expect("a good map")
}

/// Rays that are near each other: from one eye, or side by side, or both, along the grid now and then.
fn coherent_rays(rng: &mut Rng, field: &HeightField) -> Vec<Ray> {
    let bounds = field.bounds();
    let (middle, size) = match bounds {
        Some(bounds) => (bounds.center(), bounds.max() - bounds.min()),
        None => (Vec3::ZERO, Vec3::ONE),
    };
    let mut point = |spread: f32| {
        middle + Vec3::from_array([0; 3].map(|_| rng.signed())) * (size * spread + spread)
    };
    let (eye, target) = (point(1.0), point(0.6));
    let along = match rng.below(8) {
        0 => Vec3::NEG_Y,
        1 => Vec3::X,
        2 => Vec3::new(1e-6, -1.0, -1e-5),
        3 => Vec3::new(-1.0, 0.0, -1.0),
        _ => target - eye,
    };
    let [apart, spread] = rng.pick(&[
        [0.0, 0.01],
        [0.0, 0.1],
        [1.0, 0.0],
        [0.3, 0.003],
        [0.0, 0.0],
    ]);
    let t_max = rng.pick(&[f32::INFINITY, 1.0, 0.7]);
    let count = 1 + rng.below(WAVEFRONT_SIZE as u64);
    let rays = (0..count).filter_map(|_| {
        let mut shift = || Vec3::from_array([0; 3].map(|_| rng.signed()));
        let (origin, direction) = (
            eye + shift() * apart,
            along + shift() * along.length() * spread,
        );
        let ray = Ray::new(origin, direction).ok()?;
        ray.with_range(0.0, t_max).ok()
    });
    rays.collect()
}

#[test]
fn coherent_rays_answer_as_each_does_alone() {
    let mut rng = Rng(29);
    let (mut packets, mut hits, mut misses) = (0, 0, 0);
    for round in 0..400 {
        let widths = Width::available();
        let field = random_field(&mut rng).with_width(widths[round % widths.len()]);
        for _ in 0..6 {
            let rays = coherent_rays(&mut rng, &field);
            let sides = rng.pick(&[Sides::Both, Sides::Both, Sides::Front, Sides::Back]);
            let alone: Vec<_> = rays.iter().map(|ray| field.cast_ray(ray, sides)).collect();
            let mut found = vec![None; rays.len()];
            let unlimited = vec![f32::INFINITY; rays.len()];
            Wavefront::<Closest<u32>>::new().answer(&field, (&rays, &unlimited), sides, &mut found);
            assert_eq!(format!("{found:?}"), format!("{alone:?}"), "{rays:?}");
            let mut any = vec![false; rays.len()];
            Wavefront::<Any>::new().answer(&field, (&rays, &unlimited), sides, &mut any);
            let is_hit: Vec<bool> = alone.iter().map(Option::is_some).collect();
            assert_eq!(any, is_hit, "{rays:?}");
            // Every other ray ends at its hit or just before it.
            let limits: Vec<f32> = (0..)
                .zip(&alone)
                .map(|(place, hit)| match hit {
                    Some(hit) if place % 2 == 0 => rng.pick(&[hit.t, hit.t.next_down()]),
                    _ => f32::INFINITY,
                })
                .collect();
            let kept = alone.iter().zip(&limits);
            let kept: Vec<_> = kept
                .map(|(hit, limit)| hit.filter(|hit| hit.t <= *limit))
                .collect();
            Wavefront::<Closest<u32>>::new().answer(&field, (&rays, &limits), sides, &mut found);
            assert_eq!(
                format!("{found:?}"),
                format!("{kept:?}"),
                "{rays:?} {limits:?}"
            );

            let mut cursors = Cursors::NONE;
            cursors.init(&field, (&rays, &unlimited));
            packets += cursors.packets.active_count();
            hits += is_hit.iter().filter(|is_hit| **is_hit).count();
            misses += is_hit.iter().filter(|is_hit| !**is_hit).count();
        }
    }
    println!("{packets} packets, {hits} hits, {misses} misses");
    assert!(packets > 1_000 && hits > 20_000 && misses > 20_000);
}
