//! Misses of rays: the triangles that one passes, against all triangles one by one, and the changes
//! that would make it hit, tried; the axes of a moving box against the exact cast.
//!
//! The oracle of distances shares no code with the library: it halves the ray, and holds what may still
//! be nearest by how far its middle is from each triangle.

use glam::{DQuat, DVec3, Vec3};
use hitscan::explain::{MissCause, SweepIntervals};
use hitscan::height_field::Grid;
use hitscan::{
    Aabb, HeightField, Obb, ObjectId, Primitive, QueryFilter, Ray, RayCastSettings, ShapeCast,
    Sides, TriangleId, World,
};
use hitscan_testkit::Rng;
use hitscan_testkit::random_world::{Shape, world_of};

const SEED: u64 = 0x0E14_0002;

/// The point of a triangle that is nearest to a point: inside, on an edge, or a corner.
fn to_triangle(point: DVec3, corners: &[DVec3; 3]) -> f64 {
    let [a, b, c] = *corners;
    let normal = (b - a).cross(c - a);
    let mut least = f64::INFINITY;
    if normal.length() > 0.0 {
        let foot = point - normal * ((point - a).dot(normal) / normal.dot(normal));
        let is_in = |p: DVec3, q: DVec3| (q - p).cross(foot - p).dot(normal) >= 0.0;
        if is_in(a, b) && is_in(b, c) && is_in(c, a) {
            least = (foot - point).length();
        }
    }
    for (p, q) in [(a, b), (b, c), (c, a)] {
        let along = q - p;
        let share = (point - p).dot(along) / along.dot(along).max(f64::MIN_POSITIVE);
        least = least.min((p + along * share.clamp(0.0, 1.0) - point).length());
    }
    least
}

/// The least distance of a segment from something convex: the distance is convex along it.
fn least_on(segment: [DVec3; 2], distance: impl Fn(DVec3) -> f64) -> f64 {
    let at = |s: f64| distance(segment[0].lerp(segment[1], s));
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let third = (high - low) / 3.0;
        if at(low + third) <= at(high - third) {
            high -= third;
        } else {
            low += third;
        }
    }
    at(low).min(at(high)).min(at(0.0)).min(at(1.0))
}

fn to_shape(segment: [DVec3; 2], shape: &Shape) -> f64 {
    match shape {
        Shape::Sphere(sphere) => {
            let center = sphere.center().as_dvec3();
            let to_center = least_on(segment, |at| (at - center).length());
            (to_center - sphere.radius()).max(0.0)
        }
        Shape::Aabb(aabb) => least_on(segment, |at| {
            let (low, high) = (aabb.min().as_dvec3(), aabb.max().as_dvec3());
            (at.clamp(low, high) - at).length()
        }),
        _ => (shape.triangles().iter())
            .map(|(_, corners)| least_on(segment, |at| to_triangle(at, corners)))
            .fold(f64::INFINITY, f64::min),
    }
}

fn point(rng: &mut Rng, span: f32) -> Vec3 {
    Vec3::from_array([0; 3].map(|_| rng.uniform_f32(-span, span)))
}

#[test]
fn what_is_passed_is_what_brute_force_finds() {
    let mut rng = Rng::new(SEED);
    let mut passed_by = 0;
    for _ in 0..12 {
        let shapes: Vec<Shape> = (0..6).map(|_| Shape::random(&mut rng, 9.0)).collect();
        let world = world_of(&shapes);
        for _ in 0..3 {
            let (from, to) = (point(&mut rng, 12.0), point(&mut rng, 12.0));
            let ray = Ray::between(from, to).unwrap();
            let found = world.now().nearest_approaches(&ray, (), 4);
            let segment = [from.as_dvec3(), to.as_dvec3()];
            let mut expected: Vec<f64> = shapes
                .iter()
                .map(|shape| to_shape(segment, shape))
                .filter(|one| one.is_finite())
                .collect();
            expected.sort_by(f64::total_cmp);
            expected.truncate(4);
            assert_eq!(found.len(), expected.len());
            for (one, expected) in found.iter().zip(expected) {
                let error = (f64::from(one.distance) - expected).abs();
                assert!(
                    error <= 2e-6 * (1.0 + expected),
                    "{ray:?} {one:?} {expected}"
                );
                let apart = (one.on_object - one.on_ray).length();
                assert!((apart - one.distance).abs() <= 1e-5, "{one:?}");
                assert!((ray.at(one.t) - one.on_ray).length() <= 1e-5, "{one:?}");
                passed_by += usize::from(expected > 0.1);
            }
        }
    }
    assert!(passed_by > 25, "{passed_by}");
}

#[test]
fn changes_make_rays_hit() {
    let mut rng = Rng::new(SEED + 1);
    let mut seen = [0; 4];
    for _ in 0..40 {
        let shapes: Vec<Shape> = (0..5).map(|_| Shape::random(&mut rng, 6.0)).collect();
        let mut world = world_of(&shapes);
        for object in world.now().objects().collect::<Vec<_>>() {
            if rng.one_in(3) {
                world.set_layers(object, 0b10).unwrap();
            }
        }
        world.update();
        for _ in 0..50 {
            let (from, to) = (point(&mut rng, 8.0), point(&mut rng, 8.0));
            let ray = Ray::new(from, to - from).unwrap();
            let t_min = if rng.one_in(2) {
                0.0
            } else {
                rng.uniform_f32(-0.2, 0.5)
            };
            let t_max = t_min + rng.uniform_f32(0.05, 1.0);
            let ray = ray.with_range(t_min, t_max).unwrap();
            let sides = [Sides::Both, Sides::Front, Sides::Back][rng.below(3)];
            let filter = QueryFilter::new().layers(0b01);
            let miss = world.now().explain_miss(&ray, (sides, filter), 8);
            let hit = world.now().cast_ray(&ray, (sides, filter));
            assert_eq!(miss.is_none(), hit.is_some());
            for passed in miss.iter().flat_map(|miss| &miss.passed) {
                let way = f64::from(passed.t) * ray.direction().as_dvec3().length();
                assert!(passed.distance == 0.0 || f64::from(passed.distance) < way);
            }
            for change in miss.into_iter().flat_map(|miss| miss.changes) {
                assert!(!change.sentence().is_empty());
                let (t_min, t_max) = (ray.t_min(), ray.t_max());
                let settings = RayCastSettings::from(sides);
                let only = |id| id == change.object;
                let (ray, settings, filter) = match change.what {
                    MissCause::Sides(_) => (ray, Sides::Both.into(), filter),
                    MissCause::Filter(_) => (ray, settings, QueryFilter::new().predicate(&only)),
                    MissCause::TMax(t) => (ray.with_range(t_min, t).unwrap(), settings, filter),
                    MissCause::TMin(t) => {
                        assert!(t >= 0.0, "nothing is before the origin: {change:?}");
                        (ray.with_range(t, t_max).unwrap(), settings, filter)
                    }
                    _ => panic!("{change:?}"),
                };
                let hit = world.now().cast_ray(&ray, (settings, filter)).unwrap();
                let found = (hit.object, hit.triangle, hit.t);
                assert_eq!(found, (Some(change.object), change.triangle, change.t));
                seen[["sides", "layers", "t_max", "t_min"]
                    .iter()
                    .position(|name| *name == change.what.name())
                    .unwrap()] += 1;
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
}

/// ```text
///          * crate       A shot from the ground over the crate: the ground under the eye is no near
///    o--------->         miss, and what is behind the eye no reason to begin earlier.
///   ------------- ground
/// ```
#[test]
fn what_is_beside_the_eye_is_no_near_miss() {
    let mut world = World::new();
    let heights = vec![0.0, 0.25, 0.0, 0.0, 0.25, 0.0, 0.0, 0.25, 0.0];
    let mut grid = Grid::new(3, 3, [40.0, 40.0]);
    grid.origin = [-40.0, 0.0, -40.0];
    let ground = world.add(HeightField::new(grid, heights).unwrap());
    let above = world.add(Aabb::new([20.0, 5.0, -1.0], [21.0, 6.0, 1.0]).unwrap());
    let behind = world.add(Aabb::new([-6.0, 0.0, -2.0], [-4.0, 6.0, 2.0]).unwrap());
    world.update();
    let shot = Ray::new([0.0, 1.75, 0.0], [1.0, 0.125, 0.0]).unwrap();
    let now = world.now();
    let nearest: Vec<ObjectId> = (now.nearest_approaches(&shot, (), 8).iter())
        .map(|one| one.object)
        .collect();
    assert_eq!(nearest, [above, ground, behind]);
    let miss = now.explain_miss(&shot, (), 8).unwrap();
    let passed = miss.passed.iter().map(|one| one.object);
    assert_eq!(
        (passed.collect::<Vec<_>>(), miss.changes),
        (vec![above], vec![])
    );
    // A range that begins later is one that may begin earlier, as far as the origin.
    let late = Ray::new([0.0, 5.5, 0.0], [1.0, 0.0, 0.0]).unwrap();
    let miss = now
        .explain_miss(&late.with_range(30.0, 50.0).unwrap(), (), 8)
        .unwrap();
    let changes = miss.changes.iter().map(|one| (one.what, one.object));
    assert_eq!(
        changes.collect::<Vec<_>>(),
        [(MissCause::TMin(21.0), above)]
    );
}

#[test]
fn the_last_axis_to_overlap_is_when_a_box_hits() {
    let mut rng = Rng::new(SEED + 2);
    let mut hits = 0;
    for case in 0..400 {
        let shapes: Vec<Shape> = (0..4).map(|_| Shape::random(&mut rng, 5.0)).collect();
        let world = world_of(&shapes);
        let start = point(&mut rng, 9.0);
        let shape = if case % 2 == 0 {
            Primitive::from(Aabb::new(start, start + 1.0).unwrap())
        } else {
            let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.3, 1.1, rng.uniform(0.0, 3.0));
            Primitive::from(Obb::new(start, [0.5, 0.8, 0.3], turn).unwrap())
        };
        let motion = point(&mut rng, 20.0);
        let cast = ShapeCast::new(shape, motion).unwrap();
        let Some(hit) = world.now().cast_shape(&cast, ()) else {
            continue;
        };
        let (object, triangle) = (hit.object.unwrap(), hit.triangle);
        let found = world
            .now()
            .sweep_intervals(&cast, object, triangle)
            .unwrap();
        let SweepIntervals::Axes(found) = found else {
            continue;
        };
        let decides = found.axes[found.decides.unwrap()];
        assert_eq!(decides.t.unwrap()[0], found.t[0]);
        assert!(found.t[0] <= found.t[1]);
        if hit.is_overlap() {
            assert!(found.t[0] <= 0.0 && found.t[1] >= 0.0, "{found:?}");
            continue;
        }
        assert!((found.t[0] - hit.t).abs() <= 2e-6, "{hit:?} {found:?}");
        hits += 1;
        assert!(found.axes.len() >= if triangle.is_some() { 4 } else { 6 });
        assert!(!decides.axis.sentence().is_empty());
        let none = Some(TriangleId {
            part: 7,
            triangle: 0,
        });
        assert_eq!(world.now().sweep_intervals(&cast, object, none), None);
    }
    assert!(hits > 25, "{hits}");
}
