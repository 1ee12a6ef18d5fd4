//! Ballistic arcs against terrain, meshes and worlds: the answers are those of each triangle and solid
//! by itself, bit for bit, in every vector width, one by one and many at once.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use glam::{DVec3, Vec3};
use hitscan::height_field::{Diagonal, Grid};
use hitscan::simd::Width;
use hitscan::{BallisticArc, HeightField, RayHit, Sides, TriMesh, Triangle};
use hitscan_testkit::Rng;
use hitscan_testkit::arc_oracle::ExactArc;
use hitscan_testkit::closed_mesh::ClosedMesh;
use hitscan_testkit::exact;
use hitscan_testkit::random_world::{Shape, world_of};

const SEED: u64 = 0xA2C5_0100;
const SIDES: [Sides; 3] = [Sides::Both, Sides::Front, Sides::Back];

/// An arc that passes `target` at a small whole t, exactly where numbers have few digits; touching
/// there along `along`, straight up and down, or any way.
fn arc_through(rng: &mut Rng, target: Vec3, along: Vec3, scale: f32) -> BallisticArc {
    loop {
        let mut number = || (rng.uniform_f32(-4.0, 4.0) * 2.0).round() * 0.5 * scale;
        let any = Vec3::new(number(), number(), number());
        let gravity = [Vec3::Y * -scale, Vec3::Y * -2.0 * scale, any][rng.below(3)];
        let velocity = match rng.below(4) {
            0 => along,
            1 => gravity * [0.0, 1.0, -2.0][rng.below(3)],
            _ => any,
        };
        let t = [0.0, 1.0, 2.0, 4.0, 0.3][rng.below(5)];
        let origin = target - velocity * t + gravity * (0.5 * t * t);
        let ends = [(0.0, f32::INFINITY), (0.0, t), (t, 9.0), (-5.0, 2.0)];
        let (t_min, t_max) = ends[rng.below(8).min(3)];
        let arc = BallisticArc::new(origin, velocity - gravity * t, gravity);
        if gravity != Vec3::ZERO
            && let Ok(arc) = arc.and_then(|arc| arc.with_range(t_min, t_max))
        {
            return arc;
        }
    }
}

/// The first hit by testing every triangle.
fn by_triangles(triangles: &[(u32, Triangle)], arc: &BallisticArc, sides: Sides) -> Option<RayHit> {
    let hits = triangles.iter().filter_map(|(index, triangle)| {
        let mut hit = triangle.cast_arc(arc, sides)?;
        hit.triangle.as_mut().unwrap().triangle = *index;
        Some(hit)
    });
    // Of equal ones `min_by` returns the first, which is the lowest triangle.
    hits.min_by(|a, b| a.t.total_cmp(&b.t))
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "these numbers have few digits"
)]
fn random_field(rng: &mut Rng, scale: f64) -> HeightField {
    let sizes = [(2, 2), (2, 21), (6, 5), (18, 9), (34, 22), (67, 3)];
    let (columns, rows) = sizes[rng.below(sizes.len())];
    let grid = Grid {
        origin: [[0.0, -3.0, 64.0][rng.below(3)] * scale, 0.0, 0.0],
        diagonal: [Diagonal::Anti, Diagonal::Main][rng.below(2)],
        ..Grid::new(columns, rows, [scale, [scale, 2.0 * scale][rng.below(2)]])
    };
    let (kind, holes) = (rng.below(3), [0, 0, 4, 30][rng.below(4)]);
    let mut height = |index: usize| {
        if holes > 0 && rng.one_in(holes) {
            return f32::NAN;
        }
        let height = match kind {
            0 => 0.0,
            1 => (index % columns) as f64 * 0.5,
            _ => f64::from((rng.uniform_f32(0.0, 4.0) * 8.0).round()) / 8.0,
        };
        (height * scale) as f32
    };
    let heights = (0..columns * rows).map(&mut height).collect();
    HeightField::new(grid, heights).unwrap()
}

#[test]
fn terrain_answers_as_its_triangles_in_every_width() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED);
    let widths = Width::available();
    assert!(widths.len() > 1, "only {widths:?} to compare");
    let mut hits = 0;
    for map in 0..60 {
        let scale = [1.0, 1.0, 2f64.powi(-40), 2f64.powi(40)][rng.below(4)];
        let field = random_field(&mut rng, scale);
        let count = u32::try_from(field.triangle_count()).unwrap();
        let triangles: Vec<(u32, Triangle)> = (0..count)
            .filter_map(|index| {
                let [a, b, c] = field.triangle(index)?.map(|corner| corner.as_vec3());
                Some((index, Triangle::new(a, b, c).unwrap()))
            })
            .collect();
        let arcs: Vec<BallisticArc> = (0..30)
            .map(|_| {
                let grid = field.grid();
                let place = |rng: &mut Rng| {
                    let (i, j) = (rng.below(grid.columns), rng.below(grid.rows));
                    let height = field.sample(i, j).unwrap_or_default();
                    DVec3::new(grid.x(i), f64::from(height), grid.z(j)).as_vec3()
                };
                let (a, b) = (place(&mut rng), place(&mut rng));
                let target = [a, (a + b) * 0.5, a.lerp(b, 0.3)][rng.below(3)];
                let spacing = DVec3::splat(grid.spacing[0]).as_vec3().x;
                arc_through(&mut rng, target, (b - a) * 0.5, spacing)
            })
            .collect();
        for sides in SIDES {
            let expected: Vec<Option<RayHit>> = arcs
                .iter()
                .map(|arc| by_triangles(&triangles, arc, sides))
                .collect();
            hits += expected.iter().flatten().count();
            for width in &widths {
                let field = field.clone().with_width(*width);
                assert_eq!(field.cast_arcs(&arcs, sides), expected);
                for (arc, expected) in arcs.iter().zip(&expected) {
                    let found = field.cast_arc(arc, sides);
                    assert_eq!(&found, expected, "map {map} {width:?} {arc:?} {sides:?}");
                    assert_eq!(field.cast_arc_any(arc, sides), expected.is_some());
                }
                let any: Vec<bool> = expected.iter().map(Option::is_some).collect();
                assert_eq!(field.cast_arcs_any(&arcs, sides), any);
            }
        }
    }
    println!("{hits} hits");
    assert!(hits > 1_500);
}

#[test]
fn no_arc_leaves_a_closed_mesh_between_its_triangles() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED + 1);
    for (depth, bumps, offset) in [(1, 0.0, 0.0), (2, 0.5, 0.0), (2, 0.3, 1024.0)] {
        let closed = ClosedMesh::bumpy_sphere(depth, bumps, &mut rng);
        let middle = Vec3::new(offset, -offset, offset);
        let positions: Vec<Vec3> = closed.positions.iter().map(|at| *at + middle).collect();
        let triangles: Vec<(u32, Triangle)> = (0..)
            .zip(&closed.triangles)
            .map(|(index, corners)| {
                let [a, b, c] = corners.map(|corner| positions[corner as usize]);
                (index, Triangle::new(a, b, c).unwrap())
            })
            .collect();
        let mesh = TriMesh::new(positions.clone(), closed.triangles.clone()).unwrap();
        for case in 0..250 {
            let [a, b, _] = closed.triangles[rng.below(closed.triangles.len())];
            let (a, b) = (positions[a as usize], positions[b as usize]);
            let target = [a, (a + b) * 0.5, a.lerp(b, 0.7)][rng.below(3)];
            // From the middle to a corner or edge in a second; with any gravity it comes out.
            let gravity = Vec3::new(0.0, -1.0, 0.0) * [0.5, 2.0, 8.0][rng.below(3)];
            let velocity = target - middle - gravity * 0.5;
            let arc = BallisticArc::new(middle, velocity, gravity).unwrap();
            let expected = by_triangles(&triangles, &arc, Sides::Both);
            assert!(expected.is_some(), "case {case}: {arc:?} came out unseen");
            for sides in SIDES {
                let expected = by_triangles(&triangles, &arc, sides);
                assert_eq!(mesh.cast_arc(&arc, sides), expected, "case {case} {arc:?}");
                assert_eq!(mesh.cast_arc_any(&arc, sides), expected.is_some());
            }
            let near = arc_through(&mut rng, target, b - a, 1.0);
            let expected = by_triangles(&triangles, &near, Sides::Both);
            assert_eq!(mesh.cast_arc(&near, ()), expected, "case {case} {near:?}");
        }
    }
}

/// Where an arc crosses a triangle well inside it, in plain f64.
fn plain_crossings(arc: &BallisticArc, [a, b, c]: &[DVec3; 3]) -> Vec<f64> {
    let [o, v, g] =
        [arc.origin(), arc.velocity(), arc.acceleration()].map(|vector| vector.as_dvec3());
    let normal = (*b - *a).cross(*c - *a);
    let (c0, c1, c2) = (normal.dot(o - *a), normal.dot(v), 0.5 * normal.dot(g));
    let discriminant = c1 * c1 - 4.0 * c0 * c2;
    if discriminant <= 1e-9 * c1 * c1 {
        return Vec::new();
    }
    let q = -0.5 * (c1 + discriminant.sqrt().copysign(c1));
    let is_inside = |t: f64| {
        let at = o + v * t + g * (0.5 * t * t);
        let area = normal.dot(normal);
        let weight = |p: DVec3, q: DVec3| (q - p).cross(at - p).dot(normal) / area;
        [weight(*a, *b), weight(*b, *c), weight(*c, *a)]
            .iter()
            .all(|weight| *weight > 1e-4)
    };
    let range = f64::from(arc.t_min()) + 1e-6..f64::from(arc.t_max()) - 1e-6;
    [q / c2, c0 / q]
        .into_iter()
        .filter(|t| range.contains(t) && is_inside(*t))
        .collect()
}

#[test]
fn a_world_answers_as_its_objects() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED + 2);
    let (mut hits, mut on_triangles) = (0, 0);
    for case in 0..120 {
        let shapes: Vec<Shape> = (0..1 + rng.below(12))
            .map(|_| Shape::random(&mut rng, 8.0))
            .collect();
        let world = world_of(&shapes);
        let arcs: Vec<BallisticArc> = (0..12)
            .map(|_| {
                let mut number = || rng.uniform_f32(-9.0, 9.0);
                let target = Vec3::new(number(), number(), number());
                arc_through(&mut rng, target, Vec3::X, 1.0)
            })
            .collect();
        let all = world.now().cast_arcs(&arcs, ());
        for (arc, answer) in arcs.iter().zip(&all) {
            let place = || format!("case {case}: {arc:?} {answer:?}");
            let alone = world.now().cast_arc(arc, ());
            assert_eq!(&alone, answer, "{}", place());
            let any = world.now().cast_arc_any(arc, ());
            assert_eq!(any, answer.is_some(), "{}", place());
            let t = answer.map_or(f64::INFINITY, |hit| f64::from(hit.t));
            for (index, shape) in shapes.iter().enumerate() {
                let own = answer.filter(|hit| hit.object.unwrap().index() == index);
                let solid = match shape {
                    Shape::Sphere(sphere) => sphere.cast_arc(arc, ()),
                    Shape::Aabb(aabb) => aabb.cast_arc(arc, ()),
                    Shape::Terrain(_) | Shape::Mesh(..) => None,
                };
                if let Some(own) = own
                    && own.triangle.is_none()
                {
                    let own = RayHit {
                        object: None,
                        ..own
                    };
                    assert_eq!(Some(own), solid, "{}", place());
                    hits += 1;
                }
                assert!(solid.is_none_or(|hit| f64::from(hit.t) >= t), "{}", place());
                for (triangle, corners) in shape.triangles() {
                    let on = own.and_then(|hit| hit.triangle);
                    if on.is_some_and(|on| on.triangle == triangle) {
                        let exact = corners.map(|corner| corner.to_array().map(exact));
                        let exact = ExactArc::new(arc).triangle(&exact);
                        let first = exact.first().map(|hit| hit.t.nearest_f32());
                        assert_eq!(first.map(f64::from), Some(t), "{}", place());
                        on_triangles += 1;
                    }
                    let before = plain_crossings(arc, &corners);
                    assert!(before.iter().all(|one| *one > t - 1e-4), "{}", place());
                }
            }
        }
    }
    println!("{hits} hits on solids, {on_triangles} on triangles");
    assert!(hits > 40 && on_triangles > 40);
}
