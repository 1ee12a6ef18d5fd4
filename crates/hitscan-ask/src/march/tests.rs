//! The classic march: right where the ground is gentle, without its old faults, and the one that it
//! must keep shown.

use super::March;
use hitscan::height_field::Grid;
use hitscan::{Error, HeightField, QueryFilter, Ray, Side, Sides, WorkLimit, World};
use hitscan_testkit::Rng;
use std::sync::atomic::{AtomicBool, Ordering};

/// Gentle hills, 1 m a cell.
fn hills() -> HeightField {
    let (columns, rows) = (60, 50);
    let height = |i: usize, j: usize| {
        let bump = |k: usize, length: usize| {
            let fraction = (k % length) as f32 / length as f32;
            fraction * (1.0 - fraction)
        };
        12.0 * bump(i, 30) + 8.0 * bump(j, 25)
    };
    let heights = (0..columns * rows)
        .map(|k| height(k % columns, k / columns))
        .collect();
    HeightField::new(Grid::new(columns, rows, [1.0, 1.0]), heights).unwrap()
}

fn march(field: &HeightField, ray: &Ray) -> Option<(f32, Side)> {
    let hit = March::default().cast_ray(field, ray, Sides::Both)?;
    Some((hit.t, hit.side))
}

#[test]
fn on_gentle_ground_it_agrees_with_the_exact_answer() {
    let field = hills();
    let mut rng = Rng::new(30);
    let (mut agreed, mut differed) = (0, 0);
    for _ in 0..3_000 {
        let mut number = |low, high| rng.uniform_f32(low, high);
        let origin = [number(-20.0, 80.0), number(-4.0, 30.0), number(-20.0, 70.0)];
        let target = [number(0.0, 59.0), number(0.0, 5.0), number(0.0, 49.0)];
        let direction = [0, 1, 2].map(|k| target[k] - origin[k]);
        let ray = Ray::new(origin, direction).unwrap();
        let exact = field
            .cast_ray(&ray, Sides::Both)
            .map(|hit| (hit.t, hit.side));
        match (march(&field, &ray), exact) {
            (None, None) => agreed += 1,
            (Some((t, side)), Some((t_exact, exact_side)))
                if (t - t_exact).abs() < 1e-5 && side == exact_side =>
            {
                agreed += 1;
            }
            _ => differed += 1,
        }
    }
    println!("{agreed} agree, {differed} differ");
    assert!(differed * 50 < agreed);
}

#[test]
fn a_ridge_thinner_than_a_step_is_stepped_over() {
    // A wall one cell thick: the ray enters it at x = 10.2 and leaves it at 11.8.
    let mut heights = vec![0.0; 30 * 3];
    for row in 0..3 {
        heights[row * 30 + 11] = 5.0;
    }
    let field = HeightField::new(Grid::new(30, 3, [1.0, 1.0]), heights).unwrap();
    let ray = Ray::new([0.0, 1.0, 1.0], [1.0, -0.000_01, 0.0]).unwrap();
    let long_steps = March::default().with_step(4.0).unwrap();
    assert!(field.cast_ray(&ray, Sides::Both).is_some());
    assert!(march(&field, &ray).is_some());
    assert_eq!(long_steps.cast_ray(&field, &ray, Sides::Both), None);
}

#[test]
fn rays_from_below_from_outside_and_out_of_the_map_end() {
    let field = hills();
    let up = Ray::new([15.0, -3.0, 12.0], [0.0, 2.0, 0.0]).unwrap();
    let (t, side) = march(&field, &up).unwrap();
    assert_eq!(side, Side::Back);
    assert!((up.at(t).y - field.cast_ray(&up, Sides::Both).unwrap().point.y).abs() < 1e-5);
    assert_eq!(March::default().cast_ray(&field, &up, Sides::Front), None);

    let leaving = Ray::new([30.0, 20.0, 20.0], [1.0, 1.0, 1.0]).unwrap();
    assert_eq!(march(&field, &leaving), None);
    let beside = Ray::new([-5.0, 2.0, -5.0], [1.0, 0.0, -1.0]).unwrap();
    assert_eq!(march(&field, &beside), None);
    let along = Ray::new([-1e6, 4.0, 20.0], [1e-3, 0.0, 0.0]).unwrap();
    assert!(march(&field, &along).is_some());
    let short = along.with_range(0.0, 10.0).unwrap();
    assert_eq!(march(&field, &short), None);
}

#[test]
fn a_ray_that_starts_on_the_ground_hits_there() {
    let field = HeightField::new(Grid::new(4, 4, [1.0, 1.0]), vec![2.0; 16]).unwrap();
    let cast = |direction: [f32; 3]| march(&field, &Ray::new([1.5, 2.0, 1.5], direction).unwrap());
    assert_eq!(cast([0.1, -1.0, 0.0]), Some((0.0, Side::Front)));
    assert_eq!(cast([0.1, 1.0, 0.0]), Some((0.0, Side::Back)));
    // Along the ground there is no crossing, as in the exact search.
    assert_eq!(cast([1.0, 0.0, 0.0]), None);
}

#[test]
fn holes_are_passed_through() {
    let mut heights = vec![1.0; 49];
    heights[3 * 7 + 3] = f32::NAN;
    let field = HeightField::new(Grid::new(7, 7, [1.0, 1.0]), heights).unwrap();
    let through = Ray::new([3.0, 5.0, 3.0], [0.0, -1.0, 0.0]).unwrap();
    assert_eq!(march(&field, &through), None);
    let beside = Ray::new([1.0, 5.0, 1.0], [0.0, -1.0, 0.0]).unwrap();
    assert_eq!(march(&field, &beside), Some((4.0, Side::Front)));
    let all = HeightField::new(Grid::new(7, 7, [1.0, 1.0]), vec![f32::NAN; 49]).unwrap();
    assert_eq!(march(&all, &beside), None);
}

#[test]
fn settings_are_checked_and_the_smallest_step_ends() {
    let bad = |step| March::default().with_step(step);
    assert!(matches!(bad(f64::NAN), Err(Error::NotFinite { .. })));
    assert!(matches!(bad(f64::INFINITY), Err(Error::NotFinite { .. })));
    assert!(matches!(bad(0.0), Err(Error::BadValue { .. })));
    assert!(matches!(bad(-1.0), Err(Error::BadValue { .. })));
    let field =
        HeightField::new(Grid::new(2, 2, [1e-3, 1e-3]), vec![0.0, 1e-3, 0.0, 1e-3]).unwrap();
    let ray = Ray::new([0.0, 0.000_9, 0.0], [1.0, 0.0, 0.5]).unwrap();
    let tiny = March::default()
        .with_step(1e-300)
        .unwrap()
        .with_bisections(u32::MAX);
    let hit = tiny.cast_ray(&field, &ray, Sides::Both).unwrap();
    assert!((hit.t - 0.000_9).abs() < 1e-9);
    // Without bisections the answer is the first step beyond the ground.
    let coarse = March::default().with_step(1e-4).unwrap().with_bisections(0);
    let hit = coarse.cast_ray(&field, &ray, Sides::Both).unwrap();
    assert!(hit.t >= 0.000_9 && hit.t <= 0.001);
}

/// The number of steps is bounded by the map's size, however tall it is or small the steps are.
#[test]
fn absurd_maps_and_steps_end_soon() {
    let tall = HeightField::new(Grid::new(2, 2, [1.0, 1.0]), vec![0.0, 1e18, 1e18, 0.0]).unwrap();
    let down = Ray::new([0.25, 9e17, 0.25], [0.0, -1.0, 0.0]).unwrap();
    let steps = March::default().with_step(1e-3).unwrap();
    let (t, side) = march(&tall, &down).unwrap();
    assert!(side == Side::Front && (t - 4e17).abs() < 1e12, "{t}");
    let hit = steps.cast_ray(&tall, &down, Sides::Both).unwrap();
    assert_eq!((hit.t, hit.side), (t, side));
}

#[test]
fn a_march_keeps_within_a_limit() {
    let field = hills();
    // Over the hills from end to end, and within their bounds.
    let ray = Ray::new([0.0, 4.6, 20.0], [1.0, 0.0, 0.0]).unwrap();
    let ray = ray.with_range(0.0, 59.0).unwrap();
    let march = March::default().with_step(0.01).unwrap();
    let cancel = AtomicBool::new(false);
    let looks = |steps: u64| {
        let limit = WorkLimit::new(steps, &cancel);
        let work = (Sides::Both, Some(&limit));
        let (hit, looks) = march.trace_ray(&field, &ray, work, usize::MAX);
        assert!(hit.is_none());
        (looks.steps.len(), limit.is_reached())
    };
    assert_eq!(looks(10_000), (5_901, false));
    assert_eq!(looks(100), (100, true));
    let mut world = World::new();
    world.add(field.clone());
    world.update();
    let limit = WorkLimit::new(100, &cancel);
    let filter = QueryFilter::new().work_limit(&limit);
    let _ = march.nearest(world.now(), &ray, (Sides::Both, filter));
    assert!(limit.is_reached());
    cancel.store(true, Ordering::Relaxed);
    assert_eq!(looks(10_000), (0, true));
}
