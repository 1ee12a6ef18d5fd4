//! Batches and builds on the threads of others: the same bits whoever runs their tasks, and all tasks given to the
//! executor that is set.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

use glam::{DAffine3, DVec3, Vec3};
use hitscan::baked::Writer;
use hitscan::executor::{Executor, OneThread, with_executor};
use hitscan::height_field::Grid;
use hitscan::{
    BallisticArc, Camera, CameraTile, HeightField, ObjectId, QueryFilter, Ray, ShapeCast, Sphere,
    TriMesh, World,
};
use hitscan_testkit::Rng;
use hitscan_testkit::closed_mesh::ClosedMesh;
use hitscan_testkit::random_model;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

const SEED: u64 = 0x0B0E_0037;

/// Threads of its own for each call; counts tasks.
struct Counting {
    threads: usize,
    tasks: AtomicUsize,
}

impl Counting {
    fn new(threads: usize) -> Arc<Self> {
        let tasks = AtomicUsize::new(0);
        Arc::new(Self { threads, tasks })
    }

    fn taken(&self) -> usize {
        self.tasks.swap(0, Ordering::Relaxed)
    }
}

impl Executor for Counting {
    fn threads(&self) -> usize {
        self.threads
    }

    fn run(&self, count: usize, task: &(dyn Fn(usize) + Sync)) {
        let next = AtomicUsize::new(0);
        self.tasks.fetch_add(count, Ordering::Relaxed);
        thread::scope(|scope| {
            for _ in 0..self.threads.min(count) {
                scope.spawn(|| {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= count {
                            break;
                        }
                        // The last task first.
                        task(count - 1 - number);
                    }
                });
            }
        });
    }
}

/// A world of what is built from these random numbers, and handles of its models, spheres and instances.
fn built(rng: &mut Rng) -> (World, [Vec<ObjectId>; 3]) {
    let mut world = World::new();
    let mesh = Arc::new(ClosedMesh::bumpy_sphere(5, 0.5, rng).tri_mesh());
    let heights = (0..300 * 300).map(|_| rng.uniform_f32(0.0, 0.5)).collect();
    world.add(HeightField::new(Grid::new(300, 300, [0.1, 0.1]), heights).unwrap());
    let place = |rng: &mut Rng| DVec3::from_array([0; 3].map(|_| rng.uniform(0.0, 30.0)));
    let placed = |rng: &mut Rng| (Arc::clone(&mesh), DAffine3::from_translation(place(rng)));
    let instances: Vec<_> = (0..800).map(|_| placed(rng)).collect();
    let instances = world.add_batch(instances).unwrap();
    let sphere = |rng: &mut Rng| Sphere::new(place(rng).as_vec3(), 0.2).unwrap();
    let spheres = (0..900).map(|_| world.add(sphere(rng))).collect();
    let model = loop {
        let model = hitscan::Model::new(random_model(rng)).unwrap();
        if !model.clips().is_empty() {
            break Arc::new(model);
        }
    };
    let mut models = Vec::new();
    while models.len() < 100 {
        let at = DAffine3::from_translation(place(rng));
        models.push(world.add_model(&model, model.rest_pose(), at).unwrap());
    }
    world.update();
    (world, [models, spheres, instances])
}

/// The bytes that a world is baked to, which hold all that was built.
fn bytes(world: &World) -> Vec<u8> {
    let mut writer = Writer::new();
    world.now().bake(&mut writer);
    let (mut all, arrays) = writer.into_parts();
    arrays.iter().for_each(|array| all.extend(array.iter()));
    all
}

/// What a step makes or answers, in words or bytes.
type Step<'a> = (&'a str, Box<dyn Fn() -> Vec<u8> + 'a>);

fn text(answer: &dyn core::fmt::Debug) -> Vec<u8> {
    // Shortest round-trip printing shows all bits but the sign of NaN.
    format!("{answer:?}").into_bytes()
}

fn points(count: usize) -> Vec<Vec3> {
    let mut rng = Rng::new(SEED + 1);
    let point = |_| Vec3::from_array([0; 3].map(|_| rng.uniform_f32(0.0, 30.0)));
    (0..count).map(point).collect()
}

fn rays() -> Vec<Ray> {
    let points = points(3_000);
    let pairs = points.windows(2);
    pairs
        .map(|pair| Ray::between_or_empty(pair[0], pair[1]))
        .collect()
}

/// Builds and edits, each large enough for several tasks.
fn builds<'a>(world: &'a World, [models, _, instances]: &'a [Vec<ObjectId>; 3]) -> Vec<Step<'a>> {
    let edited = |edit: &dyn Fn(&mut World)| {
        let mut world = world.clone();
        edit(&mut world);
        world.update();
        bytes(&world)
    };
    vec![
        (
            "build of a world",
            Box::new(|| bytes(&built(&mut Rng::new(SEED)).0)) as Box<dyn Fn() -> Vec<u8>>,
        ),
        (
            "build of a mesh",
            Box::new(|| {
                let mesh = ClosedMesh::bumpy_sphere(6, 0.5, &mut Rng::new(SEED + 2));
                let mut world = World::new();
                world.add(TriMesh::new(mesh.positions, mesh.triangles).unwrap());
                world.update();
                bytes(&world)
            }),
        ),
        (
            "set_transforms",
            Box::new(move || {
                edited(&|world| {
                    let at = (0_u32..).map(|step| {
                        DAffine3::from_translation(DVec3::splat(f64::from(step) * 0.01))
                    });
                    let moved: Vec<_> = instances.iter().copied().zip(at).collect();
                    world.set_transforms(&moved).unwrap();
                })
            }),
        ),
        (
            "set_poses_at",
            Box::new(move || {
                edited(&|world| {
                    let poses: Vec<_> = models.iter().map(|model| (*model, 0, 0.5)).collect();
                    world.set_poses_at(&poses).unwrap();
                })
            }),
        ),
    ]
}

/// Batches, each large enough for several tasks.
fn batches<'a>(world: &'a World, [_, spheres, _]: &'a [Vec<ObjectId>; 3]) -> Vec<Step<'a>> {
    let now = world.now();
    vec![
        (
            "cast_rays",
            Box::new(move || text(&now.cast_rays(&rays(), ()))) as Box<dyn Fn() -> Vec<u8>>,
        ),
        (
            "cast_rays_any",
            Box::new(move || text(&now.cast_rays_any(&rays(), ()))),
        ),
        (
            "cast_rays_all",
            Box::new(move || text(&now.cast_rays_all(&rays(), ()))),
        ),
        (
            "cast_camera",
            Box::new(move || {
                let camera = Camera::new([15.0, 8.0, 40.0], [15.0; 3], 0.9, [160, 120]).unwrap();
                text(&now.cast_camera(&camera, &CameraTile::whole(&camera), ()))
            }),
        ),
        (
            "cast_arcs",
            Box::new(move || {
                let points = points(1_000);
                let arc =
                    |pair: &[Vec3]| BallisticArc::new_or_empty(pair[0], pair[1], [0.0, -9.75, 0.0]);
                text(&now.cast_arcs(&points.windows(2).map(arc).collect::<Vec<_>>(), ()))
            }),
        ),
        (
            "cast_shapes",
            Box::new(move || {
                let points = points(1_000);
                let ball = |pair: &[Vec3]| {
                    ShapeCast::new_or_empty(
                        Sphere::new(pair[0], 0.25).unwrap(),
                        (pair[1] - pair[0]) * 0.1,
                    )
                };
                text(&now.cast_shapes(&points.windows(2).map(ball).collect::<Vec<_>>(), ()))
            }),
        ),
        (
            "closest_points",
            Box::new(move || text(&now.closest_points(&points(3_000), 4.0, ()))),
        ),
        (
            "visible_pairs",
            Box::new(move || {
                let points = points(120);
                text(&now.visible_pairs(&points[..60], &points[60..], ()))
            }),
        ),
        (
            "pairs_within",
            Box::new(move || {
                let is_sphere = |object: ObjectId| spheres.binary_search(&object).is_ok();
                text(&now.pairs_within(1.0, QueryFilter::new().predicate(&is_sphere)))
            }),
        ),
    ]
}

#[test]
fn whoever_runs_the_tasks_the_bits_are_the_same_and_all_tasks_are_run_there() {
    let (world, objects) = built(&mut Rng::new(SEED));
    let one: Arc<dyn Executor> = Arc::new(OneThread);
    let mut steps = builds(&world, &objects);
    steps.extend(batches(&world, &objects));
    for (name, step) in steps {
        let expected = with_executor(&one, &step);
        assert!(!expected.is_empty(), "{name}");
        assert_eq!(step(), expected, "{name}: by rayon");
        for threads in [2, 5] {
            let counting = Counting::new(threads);
            let executor: Arc<dyn Executor> = counting.clone();
            let found = with_executor(&executor, &step);
            assert_eq!(found, expected, "{name}: {threads} threads");
            assert!(counting.taken() > 1, "{name} gives it no tasks");
        }
        // One thread runs no executor.
        let counting = Counting::new(1);
        let executor: Arc<dyn Executor> = counting.clone();
        assert_eq!(with_executor(&executor, &step), expected, "{name}: alone");
        assert_eq!(counting.taken(), 0, "{name}");
    }
}

/// What a query between ticks builds first is built under a lock: a pool's thread that waited for tasks there might be
/// given another query of that tick, and wait for ever.
#[test]
fn no_tasks_are_waited_for_under_the_locks_between_ticks() {
    let mut rng = Rng::new(SEED);
    let mut world = World::new();
    world.keep_history(2);
    let mut sphere = || {
        let place = [0; 3].map(|_| rng.uniform_f32(0.0, 30.0));
        Sphere::new(place, 0.2).unwrap()
    };
    let count = 20_000;
    let spheres: Vec<ObjectId> = (0..count).map(|_| world.add(sphere())).collect();
    let counting = Counting::new(2);
    let executor: Arc<dyn Executor> = counting.clone();
    with_executor(&executor, || {
        for tick in 0..2 {
            let moved: Vec<_> = spheres.iter().map(|id| (*id, sphere())).collect();
            world.set_primitives(&moved).unwrap();
            world.update();
            world.record(tick).unwrap();
        }
        assert!(counting.taken() > 1, "the present is built by all threads");
        let between = world.at(0.5).unwrap();
        assert_eq!(between.object_count(), count);
        assert_eq!(counting.taken(), 0);
    });
}

#[test]
fn a_predicate_that_panics_ends_the_batch_and_leaves_all_as_it_was() {
    let (world, _) = built(&mut Rng::new(SEED));
    let rays: Vec<Ray> = (0..4_000_u16)
        .map(|i| Ray::new([f32::from(i % 60) * 0.5, 50.0, 15.0], [0.0, -1.0, 0.01]).unwrap())
        .collect();
    let expected = world.now().cast_rays(&rays, ());
    let counting = Counting::new(3);
    let executor: Arc<dyn Executor> = counting.clone();
    let fatal = expected
        .iter()
        .rev()
        .flatten()
        .find_map(|hit| hit.object)
        .unwrap();
    let panics = |object: ObjectId| {
        assert_ne!(object, fatal, "the fatal object");
        true
    };
    let cast = || {
        let filter = QueryFilter::new().predicate(&panics);
        with_executor(&executor, || world.now().cast_rays(&rays, filter))
    };
    let payload = catch_unwind(AssertUnwindSafe(cast)).unwrap_err();
    let message = payload.downcast_ref::<String>().unwrap();
    assert!(message.contains("the fatal object"), "{message}");
    assert!(counting.taken() > 1);
    // Afterwards the thread has no executor of its own, and answers are as ever.
    assert_eq!(world.now().cast_rays(&rays, ()), expected);
    assert_eq!(counting.taken(), 0);
    assert_eq!(
        with_executor(&executor, || world.now().cast_rays(&rays, ())),
        expected
    );
    assert!(counting.taken() > 1);
}
