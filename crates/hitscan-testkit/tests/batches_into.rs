//! Batches that write into the caller's memory: the bits of those that allocate, in every element, and a panic where
//! lengths differ.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

use core::fmt::Debug;
use glam::{Vec2, Vec3};
use hitscan::height_field::{Footprint, FootprintSample, Ground};
use hitscan::{
    BallisticArc, Camera, CameraTile, ClosestPoint, ObjectCast, ObjectHit, Primitive, QueryFilter,
    Ray, ShapeCast, Snapshot, Sphere, TurningCast, World,
};
use hitscan_testkit::Rng;
use hitscan_testkit::living_world::LivingWorld;
use std::panic::{AssertUnwindSafe, catch_unwind};

const SEED: u64 = 0x0B0E_0036;

/// Compares a batch with its form that writes into a slice, which holds `stale` before; how many answers are something.
fn compare<A: Clone + Debug>(
    name: &str,
    allocated: &[A],
    stale: &A,
    into: impl Fn(&mut [A]),
    is_something: impl Fn(&A) -> bool,
) -> usize {
    let mut written = vec![stale.clone(); allocated.len()];
    into(&mut written);
    // Shortest round-trip printing shows all bits but the sign of NaN.
    assert_eq!(format!("{written:?}"), format!("{allocated:?}"), "{name}");
    for length in [allocated.len() - 1, allocated.len() + 1] {
        let mut wrong = vec![stale.clone(); length];
        let refused = catch_unwind(AssertUnwindSafe(|| into(&mut wrong)));
        assert!(refused.is_err(), "{name}: {length} slots");
    }
    allocated
        .iter()
        .filter(|answer| is_something(answer))
        .count()
}

/// A query of a world.
struct Questions {
    points: Vec<Vec3>,
    rays: Vec<Ray>,
    arcs: Vec<BallisticArc>,
    shapes: Vec<Primitive>,
    casts: Vec<ShapeCast>,
    turnings: Vec<TurningCast>,
    movers: Vec<ObjectCast>,
    grounds: Vec<Vec2>,
    footprints: Vec<Footprint>,
    camera: Camera,
}

impl Questions {
    fn new(now: &Snapshot, rng: &mut Rng) -> Self {
        let points: Vec<Vec3> = (0..700)
            .map(|_| Vec3::from_array([0; 3].map(|_| rng.uniform_f32(-8.0, 8.0))))
            .collect();
        let pairs = || points.windows(2);
        let shapes: Vec<Primitive> = points
            .iter()
            .map(|point| Sphere::new(*point, 0.75).unwrap().into())
            .collect();
        let casts: Vec<ShapeCast> = shapes
            .iter()
            .zip(&points)
            .map(|(shape, by)| ShapeCast::new_or_empty(shape, *by))
            .collect();
        let grounds: Vec<Vec2> = points.iter().map(|at| Vec2::new(at.x, at.z)).collect();
        Self {
            rays: pairs()
                .map(|pair| Ray::between_or_empty(pair[0], pair[1]))
                .collect(),
            arcs: pairs()
                .map(|pair| BallisticArc::new_or_empty(pair[0], pair[1], [0.0, -9.75, 0.0]))
                .collect(),
            turnings: casts[..8]
                .iter()
                .map(|cast| cast.clone().turning([0.0, 1.0, 0.0], 0.5).unwrap())
                .collect(),
            movers: now
                .objects()
                .map(|object| ObjectCast::new(object, [3.0, -1.0, 2.0]).unwrap())
                .collect(),
            footprints: grounds
                .iter()
                .map(|at| Footprint::disc(*at, 1.5).unwrap())
                .collect(),
            camera: Camera::new([0.0, 6.0, 14.0], [0.0; 3], 0.9, [90, 60]).unwrap(),
            points,
            shapes,
            casts,
            grounds,
        }
    }

    /// How many answers of casts are something, of each kind of batch.
    fn compare_casts(&self, now: &Snapshot) -> Vec<usize> {
        let tile = CameraTile::whole(&self.camera);
        let (rays, arcs, casts) = (&self.rays, &self.arcs, &self.casts);
        vec![
            compare(
                "cast_rays",
                &now.cast_rays(rays, ()),
                &None,
                |a| now.cast_rays_into(rays, (), a),
                Option::is_some,
            ),
            compare(
                "cast_rays_any",
                &now.cast_rays_any(rays, ()),
                &true,
                |a| now.cast_rays_any_into(rays, (), a),
                |a| *a,
            ),
            compare(
                "cast_camera",
                &now.cast_camera(&self.camera, &tile, ()),
                &None,
                |a| now.cast_camera_into(&self.camera, &tile, (), a),
                Option::is_some,
            ),
            compare(
                "cast_camera_any",
                &now.cast_camera_any(&self.camera, &tile, ()),
                &true,
                |a| now.cast_camera_any_into(&self.camera, &tile, (), a),
                |a| *a,
            ),
            compare(
                "cast_arcs",
                &now.cast_arcs(arcs, ()),
                &None,
                |a| now.cast_arcs_into(arcs, (), a),
                Option::is_some,
            ),
            compare(
                "cast_arcs_any",
                &now.cast_arcs_any(arcs, ()),
                &true,
                |a| now.cast_arcs_any_into(arcs, (), a),
                |a| *a,
            ),
            compare(
                "cast_shapes",
                &now.cast_shapes(casts, ()),
                &None,
                |a| now.cast_shapes_into(casts, (), a),
                Option::is_some,
            ),
            compare(
                "cast_shapes_any",
                &now.cast_shapes_any(casts, ()),
                &true,
                |a| now.cast_shapes_any_into(casts, (), a),
                |a| *a,
            ),
        ]
    }

    /// How many answers of others are something, of each kind of batch.
    fn compare_others(&self, now: &Snapshot) -> Vec<usize> {
        let stale_point: Option<ClosestPoint> = None;
        let stale_hit: Option<ObjectHit> = None;
        let (eyes, targets) = (&self.points[..30], &self.points[30..60]);
        let shapes = &self.shapes;
        vec![
            compare(
                "cast_turnings",
                &now.cast_turnings(&self.turnings, ()),
                &None,
                |a| now.cast_turnings_into(&self.turnings, (), a),
                Option::is_some,
            ),
            compare(
                "cast_objects",
                &now.cast_objects(&self.movers, ()),
                &stale_hit,
                |a| now.cast_objects_into(&self.movers, (), a),
                Option::is_some,
            ),
            compare(
                "cast_objects_any",
                &now.cast_objects_any(&self.movers, ()),
                &true,
                |a| now.cast_objects_any_into(&self.movers, (), a),
                |a| *a,
            ),
            compare(
                "overlaps_shapes",
                &now.overlaps_shapes(shapes, ()),
                &true,
                |a| now.overlaps_shapes_into(shapes, (), a),
                |a| *a,
            ),
            compare(
                "closest_points",
                &now.closest_points(&self.points, 3.0, ()),
                &stale_point,
                |a| now.closest_points_into(&self.points, 3.0, (), a),
                Option::is_some,
            ),
            compare(
                "closest_points_signed",
                &now.closest_points_signed(&self.points, 3.0, ()),
                &stale_point,
                |a| now.closest_points_signed_into(&self.points, 3.0, (), a),
                Option::is_some,
            ),
            compare(
                "visible_pairs",
                &now.visible_pairs(eyes, targets, ()),
                &false,
                |a| now.visible_pairs_into(eyes, targets, (), a),
                |a| *a,
            ),
            compare(
                "first_blockers",
                &now.first_blockers(eyes, targets, ()),
                &None,
                |a| now.first_blockers_into(eyes, targets, (), a),
                Option::is_some,
            ),
            compare(
                "heights",
                &now.heights(&self.grounds, ()),
                &Ground::Hole,
                |a| now.heights_into(&self.grounds, (), a),
                |a| a.ok().is_some(),
            ),
            compare(
                "footprints",
                &now.footprints(&self.footprints, ()),
                &FootprintSample::Hole,
                |a| now.footprints_into(&self.footprints, (), a),
                |a| a.ok().is_some(),
            ),
        ]
    }
}

#[test]
fn answers_of_nothing_overwrite_what_was_there() {
    let mut world = World::new();
    world.add(Sphere::new([3.0, 0.0, 0.0], 1.0).unwrap());
    world.update();
    let rays = [Ray::new([0.0; 3], [1.0, 0.0, 0.0]).unwrap(); 3];
    let mut hits = world.now().cast_rays(&rays, ());
    assert!(hits.iter().all(Option::is_some));
    let no_layer = QueryFilter::new().layers(0);
    world.now().cast_rays_into(&rays, no_layer, &mut hits);
    assert!(hits.iter().all(Option::is_none));
}

#[test]
fn slices_get_the_answers_of_vectors() {
    let mut rng = Rng::new(SEED);
    let mut sums = vec![0; 18];
    for _ in 0..4 {
        let mut living = LivingWorld::new(&mut rng);
        for _ in 0..30 {
            living.add(&mut rng);
        }
        living.world.update();
        let now = living.world.now();
        let questions = Questions::new(now, &mut rng);
        let counts = questions.compare_casts(now).into_iter();
        let counts: Vec<usize> = counts.chain(questions.compare_others(now)).collect();
        assert_eq!(counts.len(), sums.len());
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    assert!(sums.iter().all(|count| *count > 0), "{sums:?}");
}

#[test]
fn a_whole_slice_of_no_questions_is_fine() {
    let world = World::new();
    let now = world.now();
    now.cast_shapes_into(&[], (), &mut []);
    now.visible_pairs_into(&[], &[Vec3::ZERO], (), &mut []);
    now.closest_points_into(&[], 1.0, (), &mut []);
}
