//! `InitialOverlap::Escape` against `InitialOverlap::Stop`: where nothing overlaps at the start they are one answer, bit
//! for bit, for every pair of shapes.

use glam::Vec3;
use hitscan::convex::examined::ExaminedShape;
use hitscan::shape_cast::StartState;
use hitscan::{InitialOverlap, Primitive, ShapeCast, ShapeHit, Triangle};
use hitscan_testkit::Rng;
use hitscan_testkit::grid_shapes::{LEAST, Maker, Shapes};

const CASES: usize = 400;

fn cast_at(obstacle: &ExaminedShape, cast: &ShapeCast) -> Option<ShapeHit> {
    match obstacle {
        ExaminedShape::Solid(solid) => solid.cast_shape(cast, ()),
        ExaminedShape::Triangle(corners) => {
            let [a, b, c] = corners.map(|corner| corner.as_vec3());
            let triangle = Triangle::new(a, b, c).expect("corners are in range");
            triangle.cast_shape(cast, ())
        }
    }
}

fn solid(shape: &ExaminedShape) -> Primitive {
    match shape {
        ExaminedShape::Solid(solid) => solid.clone(),
        ExaminedShape::Triangle(_) => unreachable!("a solid was made"),
    }
}

fn bits(hit: &ShapeHit) -> impl PartialEq + core::fmt::Debug {
    let of = |v: Vec3| v.to_array().map(f32::to_bits);
    (
        hit.t.to_bits(),
        of(hit.normal),
        of(hit.point),
        hit.start,
        hit.side,
    )
}

#[test]
fn what_does_not_overlap_is_hit_as_where_overlaps_stop() {
    let solids: [(&str, Maker); 4] = [
        ("sphere", Shapes::sphere),
        ("capsule", Shapes::capsule),
        ("box", Shapes::aabb),
        ("turned box", Shapes::obb),
    ];
    let obstacles = solids
        .into_iter()
        .chain([("triangle", Shapes::triangle as Maker)]);
    for (obstacle_name, obstacle_of) in obstacles {
        for (name, shape_of) in solids {
            let mut hits = 0;
            for (is_on_grid, scale) in [(true, 1.0), (false, 1.0), (false, LEAST), (true, 1e16)] {
                let mut make = Shapes {
                    rng: Rng::new(0x1ea_5e00),
                    is_on_grid,
                    scale,
                };
                for _ in 0..CASES {
                    let (obstacle, shape) = (obstacle_of(&mut make), shape_of(&mut make));
                    let motion = 2.0 * (make.point() - make.point());
                    let cast = ShapeCast::new(solid(&shape), motion).expect("a motion is finite");
                    let stop = cast_at(
                        &obstacle,
                        &cast.clone().with_initial_overlap(InitialOverlap::Stop),
                    );
                    if stop.is_some_and(|hit| matches!(hit.start, StartState::Overlap { .. })) {
                        continue;
                    }
                    let leave = cast_at(
                        &obstacle,
                        &cast.clone().with_initial_overlap(InitialOverlap::Escape),
                    );
                    assert_eq!(
                        leave.as_ref().map(bits),
                        stop.as_ref().map(bits),
                        "{obstacle:?} {cast:?}"
                    );
                    hits += usize::from(stop.is_some());
                }
            }
            println!("{name} at {obstacle_name}: {hits} hits");
            assert!(hits > CASES / 8, "{name} at {obstacle_name}: {hits}");
        }
    }
}
