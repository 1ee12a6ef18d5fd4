//! The nearest points of a cylinder and another solid: each on its own, and as far apart as the distance says.

use super::pairs::{cylinder, solid};
use super::support::{Body, gap, gap_along};
use hitscan::glam::DVec3;
use hitscan::world::DistanceStatus;
use hitscan::{Primitive, World};
use hitscan_testkit::{Rng, rounds};

/// How far points rounded to f32, of coordinates up to a size, may be off.
const ROUNDED: f64 = 1.0 / (1 << 22) as f64;

/// How far a point is outside a solid, or nearly so.
fn outside(solid: &Primitive, point: DVec3, rng: &mut Rng) -> f64 {
    let body = Body::of(solid);
    let dot = Body::of_point(point);
    match solid {
        Primitive::Cylinder(cylinder) => {
            let [a, b] = [cylinder.a(), cylinder.b()].map(|end| end.as_dvec3());
            let axis = (b - a).try_normalize().unwrap();
            let along = (point - a).dot(axis);
            let off = (point - a - axis * along).length() - cylinder.radius();
            off.max(-along).max(along - (b - a).length())
        }
        _ => gap(&body, &dot, None, rng).0,
    }
}

#[test]
fn nearest_points_are_of_both_and_as_far_apart_as_the_distance() {
    let mut rng = Rng::new(23);
    let mut apart = 0;
    for round in 0..rounds(1500) {
        let can = Primitive::from(cylinder(&mut rng, 1.0));
        let beside = solid(&mut rng, [0.5, 2.0][round % 2]);
        let mut world = World::new();
        let solids = if round % 3 == 0 {
            [can, beside]
        } else {
            [beside, can]
        };
        let ids = solids.clone().map(|solid| world.add(solid));
        world.update();
        let found = world
            .now()
            .distance(ids[0], ids[1], f64::INFINITY, ())
            .unwrap();
        if found.status != DistanceStatus::Apart {
            continue;
        }
        apart += 1;
        let bodies = solids.each_ref().map(Body::of);
        let bound = ROUNDED * bodies[0].size().max(bodies[1].size());
        let points = found.points.map(|point| point.as_dvec3());
        let place = || format!("{solids:?} {found:?}");
        for (solid, point) in solids.iter().zip(points) {
            let off = outside(solid, point, &mut rng);
            assert!(off < bound, "{off:e} {bound:e} {}", place());
        }
        let length = (points[1] - points[0]).length();
        let distance = f64::from(found.distance);
        assert!((length - distance).abs() < bound, "{length} {}", place());
        let lower = gap_along(
            &bodies[0],
            &bodies[1],
            found.normal.as_dvec3().try_normalize().unwrap(),
        );
        assert!((lower - distance).abs() < bound, "{lower} {}", place());
    }
    println!("{apart} apart");
    assert!(apart > rounds(400), "{apart}");
}
