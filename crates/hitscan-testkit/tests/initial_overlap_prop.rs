//! Casts that leave what they overlap at the start, against casts that every overlap stops: of a shape
//! that overlaps nothing they have the same hit.

use hitscan::glam::{DQuat, Vec3};
use hitscan::{
    Aabb, Capsule, ContactsPer, InitialOverlap, Obb, Primitive, ShapeCast, Sides, Sphere, TriMesh,
};
use hitscan_testkit::{Rng, rounds};

const SEED: u64 = 0x1ea7e;

/// A point of a grid of half metres in a cube around the origin.
fn grid_point(rng: &mut Rng) -> Vec3 {
    Vec3::from_array([0; 3].map(|_: i32| rng.below(9) as f32 * 0.5 - 2.0))
}

/// Ground of one-metre squares whose corners are on few levels, with a box embedded in it.
fn mesh(rng: &mut Rng) -> TriMesh {
    let mut corners = Vec::new();
    let mut height = [[0.0; 5]; 5];
    for one in height.as_flattened_mut() {
        *one = [0.0, 0.0, 0.0, 0.5, -0.5][rng.below(5)];
    }
    let at = |i: usize, j: usize| Vec3::new(i as f32 - 2.0, height[j][i], j as f32 - 2.0);
    for (i, j) in (0..4).flat_map(|i| (0..4).map(move |j| (i, j))) {
        corners.extend([at(i, j), at(i, j + 1), at(i + 1, j + 1)]);
        corners.extend([at(i, j), at(i + 1, j + 1), at(i + 1, j)]);
    }
    let end = |bits: usize| {
        Vec3::from_array([0, 1, 2].map(|axis| if bits >> axis & 1 == 1 { 1.0 } else { -1.0 }))
    };
    for (axis, side) in (0..3).flat_map(|axis| [(axis, 0), (axis, 1)]) {
        let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
        let face = |a: usize, b: usize| end(side << axis | a << j | b << k);
        corners.extend([face(0, 0), face(1, 0), face(1, 1)]);
        corners.extend([face(0, 0), face(1, 1), face(0, 1)]);
    }
    let indices: Vec<[u32; 3]> = (0..)
        .step_by(3)
        .take(corners.len() / 3)
        .map(|i| [i, i + 1, i + 2])
        .collect();
    TriMesh::new(corners, indices).expect("in range")
}

fn shape(rng: &mut Rng) -> Primitive {
    let (center, other) = (grid_point(rng), grid_point(rng));
    let mut half = Vec3::from_array([0; 3].map(|_: i32| rng.below(4) as f32 * 0.5));
    let radius = 0.5 * (1.0 + rng.below(2) as f64);
    let built = match rng.below(4) {
        0 => Sphere::new(center, radius).map(Primitive::from),
        1 => Capsule::new(center, other, radius).map(Primitive::from),
        2 => Aabb::new(center - half, center + half).map(Primitive::from),
        _ => {
            half.y += 0.5;
            let turns = [
                (0.0, 1.0, 0.0, 0.0),
                (0.5, 0.5, 0.5, 0.5),
                (0.0, 0.6, 0.0, 0.8),
            ];
            let (x, y, z, w) = turns[rng.below(turns.len())];
            Obb::new(center, half, DQuat::from_xyzw(x, y, z, w)).map(Primitive::from)
        }
    };
    built.expect("in range")
}

#[test]
fn a_shape_that_overlaps_nothing_is_stopped_by_the_same_triangle() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED);
    let (mut compared, mut touching, mut hits) = (0, 0, 0);
    for _ in 0..rounds(40) {
        let mesh = mesh(&mut rng);
        for _ in 0..1_000 {
            let shape = shape(&mut rng);
            if mesh.overlaps_shape(&shape) {
                continue;
            }
            let touches = !mesh.contacts(&shape, 0.0, ContactsPer::Object).is_empty();
            let motion = if rng.below(2) == 0 {
                grid_point(&mut rng)
            } else {
                Vec3::from_array([0.0; 3].map(|_: f32| rng.uniform_f32(-5.0, 5.0)))
            };
            let cast = ShapeCast::new(shape, motion).expect("in range");
            for sides in [Sides::Both, Sides::Front, Sides::Back] {
                let [stop, leave] =
                    [InitialOverlap::Stop, InitialOverlap::Escape].map(|overlaps| {
                        mesh.cast_shape(&cast.clone().with_initial_overlap(overlaps), sides)
                    });
                assert_eq!(stop, leave, "{cast:?} {sides:?}");
                hits += usize::from(stop.is_some());
            }
            compared += 1;
            touching += usize::from(touches);
        }
    }
    println!("{compared} shapes, {touching} of them touch at the start; {hits} hits");
    assert!(compared > rounds(10_000) && touching > rounds(2_000) && hits > rounds(10_000));
}
