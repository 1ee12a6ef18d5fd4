//! Nothing that a query touches is culled, whatever sizes and places are mixed, and little else is visited.

use super::*;
use crate::bvh::Bvh;
use crate::simd::Width;
use crate::test_rng::Rng;
use core::ops::ControlFlow;

/// A point with coordinates of any magnitude between these powers of two, some of them 0 or whole.
fn point(rng: &mut Rng, powers: [i32; 2]) -> DVec3 {
    let powers: Vec<i32> = (powers[0]..powers[1]).collect();
    DVec3::from_array([(); 3].map(|()| {
        let x = 2.0_f64.powi(rng.pick(&powers)) * rng.uniform(1.0, 2.0);
        let x = if rng.below(2) == 0 { x } else { -x };
        match rng.below(5) {
            0 => 0.0,
            1 => x.round(),
            _ => x,
        }
    }))
}

/// Boxes of any size in any place, flat ones too.
fn boxes(rng: &mut Rng, powers: [i32; 2]) -> Vec<Aabb> {
    let boxes = (0..2 + rng.below(60)).map(|_| {
        let (one, way) = (point(rng, powers), point(rng, [-10, powers[1]]));
        Aabb::around_f64([one, one + way]).unwrap()
    });
    boxes.collect()
}

/// A ray at a corner or a place within a box, from near or far, or a box that moves so.
fn query(rng: &mut Rng, boxes: &[Aabb], powers: [i32; 2]) -> TraversalQuery {
    let target = boxes[rng.below(boxes.len() as u64)];
    let fraction = DVec3::from_array([(); 3].map(|()| rng.pick(&[0.0, 1.0, 0.5, 0.3])));
    let (low, high) = (target.min().as_dvec3(), target.max().as_dvec3());
    let target = low + (high - low) * fraction;
    let mut from = point(rng, powers);
    if rng.below(2) == 0 {
        from = target + point(rng, [-10, 7]);
    }
    for axis in 0..3 {
        if rng.below(5) == 0 {
            from[axis] = target[axis];
        }
    }
    if rng.below(2) == 0 {
        from = from.as_vec3().as_dvec3();
    }
    let direction = (target - from) * rng.pick(&[1.0, 1.0, 0.3, 1e-20, 1e12]);
    let fastest = direction.abs().max_element().max(1e-30);
    let to_target = (target - from).abs().max_element() / fastest;
    let range = rng.pick(&[
        (0.0, f64::INFINITY),
        (0.0, to_target),
        (to_target, f64::INFINITY),
        (-to_target, 2.0 * to_target),
    ]);
    let half = if rng.below(3) == 0 {
        point(rng, [-10, 3]).abs()
    } else {
        DVec3::ZERO
    };
    TraversalQuery::moving_box((from - half, from + half), direction, range)
}

#[test]
fn no_box_that_is_touched_is_culled_among_boxes_of_any_size() {
    let mut rng = Rng(0x51AB);
    let (mut touched, mut visited) = (0, 0);
    for round in 0..3_000 {
        let powers = [-7, rng.pick(&[3, 10, 20, 30, 53])];
        let boxes = boxes(&mut rng, powers);
        let mut tree: Bvh = Bvh::build(&boxes);
        let widths = Width::available();
        tree.set_width(widths[round % widths.len()]);
        for _ in 0..20 {
            let query = query(&mut rng, &boxes, powers);
            let limit = rng.pick(&[f32::INFINITY, f32::INFINITY, 1.0]);
            let mut is_visited = vec![false; boxes.len()];
            let _ = tree.cast(&query, limit, |item| {
                is_visited[item as usize] = true;
                ControlFlow::Continue(limit)
            });
            for (bounds, is_visited) in boxes.iter().zip(is_visited) {
                let is_touched = query.may_touch(bounds, limit);
                assert!(
                    is_visited || !is_touched,
                    "{round}: {query:?} {bounds:?} {limit}"
                );
                touched += usize::from(is_touched);
                visited += usize::from(is_visited);
            }
        }
    }
    println!("{touched} touched, {visited} visited");
    assert!(touched > 80_000 && visited < touched + touched / 4);
}
