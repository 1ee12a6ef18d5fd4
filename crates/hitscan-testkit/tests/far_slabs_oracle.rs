//! Slabs and rails far from 0, whose transforms are too ill-conditioned to bring a query to the mesh and
//! back: every answer is the exact one on the corners that the transform gives in f64, in rational
//! arithmetic over all triangles.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use glam::{DAffine3, DVec3, Vec3};
use hitscan::model::{Model, ModelData, NodeData, NodeTransform, PartData, PosedModel};
use hitscan::{
    BallisticArc, ClosestPoint, QueryFilter, Ray, RayHit, Side, Sides, Snapshot, TriangleId, World,
};
use hitscan_testkit::arc_oracle::ExactArc;
use hitscan_testkit::closed_mesh::ClosedMesh;
use hitscan_testkit::closest_oracle::{
    OracleTriangle, brute_force, check_triangles, to_f64, wide, winding,
};
use hitscan_testkit::polynomial::Root;
use hitscan_testkit::random_world::far_slab;
use hitscan_testkit::{
    Exact, ExactCrossing, Rng, Vector, exact, is_nearest_f32, line_triangle, rounds, vector,
};
use num_traits::{One, Signed, Zero};
use std::collections::BTreeMap;
use std::sync::Arc;

const SEED: u64 = 0x51AB_0001;

const ALL: QueryFilter<'static> = QueryFilter::new();

/// A closed mesh in the world, by its corners there.
struct Slab {
    snapshot: Snapshot,
    /// The same model by itself, where only its node places it.
    posed: Option<PosedModel>,
    triangles: Vec<OracleTriangle>,
    exactly: Vec<[Vector; 3]>,
}

impl Slab {
    fn new(
        snapshot: Snapshot,
        posed: Option<PosedModel>,
        mesh: &ClosedMesh,
        transform: &DAffine3,
    ) -> Self {
        let place =
            |corner: u32| transform.transform_point3(mesh.positions[corner as usize].as_dvec3());
        let is_mirrored = transform.matrix3.determinant() < 0.0;
        let triangles: Vec<OracleTriangle> = (0..)
            .zip(&mesh.triangles)
            .map(|(triangle, corners)| OracleTriangle {
                id: TriangleId { part: 0, triangle },
                corners: corners.map(place),
                is_mirrored,
            })
            .collect();
        let exactly = triangles.iter().map(|one| one.corners.map(wide));
        Self {
            snapshot,
            posed,
            exactly: exactly.collect(),
            triangles,
        }
    }

    /// One that an instance's transform places.
    fn of_mesh(mesh: &ClosedMesh, transform: DAffine3) -> Self {
        let mut world = World::new();
        world.add_at(Arc::new(mesh.tri_mesh()), transform).unwrap();
        world.update();
        Self::new(world.now().clone(), None, mesh, &transform)
    }

    /// One that a model's node places.
    fn of_node(mesh: &ClosedMesh, transform: DAffine3) -> Self {
        let part = PartData {
            positions: mesh.positions.clone(),
            triangles: mesh.triangles.clone(),
            ..PartData::default()
        };
        let node = NodeData {
            local: NodeTransform::Matrix(transform.into()),
            ..NodeData::default()
        };
        let model = Model::new(ModelData {
            nodes: vec![node],
            parts: vec![part],
            ..ModelData::default()
        });
        let model = Arc::new(model.unwrap());
        let posed = PosedModel::new(&model, model.rest_pose()).unwrap();
        let mut world = World::new();
        world
            .add_model(&model, model.rest_pose(), DAffine3::IDENTITY)
            .unwrap();
        world.update();
        Self::new(world.now().clone(), Some(posed), mesh, &transform)
    }

    /// One between two places, as a history has it.
    fn between(mesh: &ClosedMesh, [from, to]: [DAffine3; 2]) -> Self {
        let mut world = World::new();
        let id = world.add_at(Arc::new(mesh.tri_mesh()), from).unwrap();
        world.keep_history(2);
        world.update();
        world.record(0).unwrap();
        world.set_transform(id, to).unwrap();
        world.update();
        world.record(1).unwrap();
        let snapshot = world.at(0.375).unwrap();
        let transform = snapshot.transform(id).unwrap();
        Self::new(snapshot, None, mesh, &transform)
    }

    /// A point of a triangle, or of an edge or a corner.
    fn target(&self, rng: &mut Rng) -> DVec3 {
        let [a, b, c] = self.triangles[rng.below(self.triangles.len())].corners;
        let [mut u, mut v] = [0; 2].map(|_| rng.uniform(0.0, 0.5));
        match rng.below(10) {
            0 => v = 0.0,
            1 => (u, v) = (0.0, 0.0),
            _ => {}
        }
        a + (b - a) * u + (c - a) * v
    }

    /// A point some way from there, or inside.
    fn origin(&self, rng: &mut Rng) -> Vec3 {
        if rng.one_in(4) {
            let [a, b] = [0; 2].map(|_| self.target(rng));
            return ((a + b) * 0.5).as_vec3();
        }
        let way = libm::pow(10.0, rng.uniform(-1.0, 2.5));
        let aside = DVec3::from_array([0; 3].map(|_| rng.uniform(-way, way)));
        (self.target(rng) + aside).as_vec3()
    }

    fn side(&self, is_front: bool) -> Side {
        match is_front != self.triangles[0].is_mirrored {
            true => Side::Front,
            false => Side::Back,
        }
    }
}

/// How many questions of each kind were put, and how many were answered wrongly.
#[derive(Default)]
struct Tally(BTreeMap<&'static str, [usize; 2]>);

impl Tally {
    fn add(&mut self, kind: &'static str, is_right: bool) {
        let [asked, wrong] = self.0.entry(kind).or_default();
        *asked += 1;
        *wrong += usize::from(!is_right);
    }
}

/// The exact crossings of a ray with their triangles, by t and triangle.
fn crossings(slab: &Slab, ray: &Ray, sides: Sides) -> Vec<(u32, ExactCrossing)> {
    let (origin, direction) = (vector(ray.origin()), vector(ray.direction()));
    let low = exact(f64::from(ray.t_min()));
    let all = (0..).zip(&slab.exactly).filter_map(|(triangle, corners)| {
        let found = line_triangle(&origin, &direction, corners)?;
        let counts = found.t >= low && sides.admits(slab.side(found.is_front));
        counts.then_some((triangle, found))
    });
    let mut all: Vec<_> = all.collect();
    all.sort_by(|(one, a), (other, b)| a.t.cmp(&b.t).then(one.cmp(other)));
    all
}

/// Whether the nearest hit is the exact one.
fn is_nearest(slab: &Slab, hit: Option<&RayHit>, expected: &[(u32, ExactCrossing)]) -> bool {
    let (Some(hit), Some((_, first))) = (hit, expected.first()) else {
        return hit.is_none() && expected.is_empty();
    };
    let tied = expected
        .iter()
        .filter(|(_, found)| is_nearest_f32(hit.t, &found.t));
    let Some((triangle, found)) = tied.min_by_key(|(triangle, _)| *triangle) else {
        return false;
    };
    is_nearest_f32(hit.t, &first.t)
        && hit.triangle.unwrap().triangle == *triangle
        && hit.side == slab.side(found.is_front)
}

fn normal_of([a, b, c]: &[Vector; 3]) -> Vector {
    let minus = |p: &Vector, q: &Vector| [0, 1, 2].map(|i: usize| &p[i] - &q[i]);
    let (p, q) = (minus(b, a), minus(c, a));
    [(1, 2), (2, 0), (0, 1)].map(|(j, k): (usize, usize)| &p[j] * &q[k] - &p[k] * &q[j])
}

/// Whether a normal is within 2^-22 of the unit vector along `outward`.
fn is_along(normal: Vec3, outward: &Vector) -> bool {
    let greatest = outward.iter().map(Signed::abs).max().unwrap();
    let direction = [0, 1, 2].map(|i: usize| to_f64(&(&outward[i] / &greatest)));
    let direction = DVec3::from_array(direction).normalize_or_zero();
    (normal.as_dvec3() - direction).length() <= f64::powi(2.0, -22)
}

fn check_ray(slab: &Slab, ray: &Ray, sides: Sides, tally: &mut Tally) {
    let expected = crossings(slab, ray, sides);
    let now = &slab.snapshot;
    let hit = now.cast_ray(ray, (sides, ALL));
    let is_right = is_nearest(slab, hit.as_ref(), &expected);
    tally.add("ray", is_right);
    if let Some(hit) = hit.filter(|_| is_right) {
        let triangle = hit.triangle.unwrap().triangle as usize;
        let mut outward = normal_of(&slab.exactly[triangle]);
        if slab.triangles[triangle].is_mirrored {
            outward = outward.map(|x| -x);
        }
        tally.add("normal", is_along(hit.normal, &outward));
    }
    let is_hit = now.cast_ray_any(ray, (sides, ALL));
    tally.add("any", is_hit != expected.is_empty());
    let batch = [*ray; 24];
    let many = now.cast_rays(&batch, (sides, ALL));
    assert!(many.iter().all(|one| *one == hit), "{ray:?}");
    let many = now.cast_rays_any(&batch, (sides, ALL));
    assert!(many.iter().all(|one| *one == is_hit), "{ray:?}");
    let (traced, _) = now.trace_ray(ray, (sides, ALL), 100);
    let (counted, counts) = now.cast_ray_counted(ray, (sides, ALL));
    assert_eq!((traced, counted), (hit, hit), "{ray:?}");
    assert!(hit.is_none() || counts.triangles > 0);

    let is_inner = |found: &ExactCrossing| {
        let [u, v] = &found.weights;
        u.is_positive() && v.is_positive() && u + v < Exact::one()
    };
    let whole = crossings(slab, ray, Sides::Both);
    let is_clear = whole.windows(2).all(|pair| pair[0].1.t < pair[1].1.t);
    if is_clear && whole.iter().all(|(_, found)| is_inner(found)) {
        let all = now.cast_ray_all(ray, (sides, ALL));
        let is_right = all.len() == expected.len()
            && all.iter().zip(&expected).all(|(hit, (triangle, found))| {
                is_nearest_f32(hit.t, &found.t)
                    && hit.triangle.unwrap().triangle == *triangle
                    && hit.side == slab.side(found.is_front)
            });
        tally.add("all hits", is_right);
    }
    if let Some(posed) = &slab.posed {
        let alone = |hit: Option<RayHit>| {
            hit.map(|hit| RayHit {
                object: None,
                ..hit
            })
        };
        assert_eq!(posed.cast_ray(ray, sides), alone(hit), "{ray:?}");
        assert_eq!(posed.cast_ray_any(ray, sides), is_hit, "{ray:?}");
    }
}

/// The sides of a ray's hits from inside a closed surface: one more from the back than from the front.
fn check_leaks(slab: &Slab, ray: &Ray, tally: &mut Tally) {
    let origin = vector(ray.origin());
    let is_inside = winding(&origin, &slab.exactly, &mut Rng::new(SEED));
    if is_inside.is_some_and(|count| count != 0) {
        let all = slab.snapshot.cast_ray_all(ray, ALL);
        let backs = all.iter().filter(|hit| hit.side == Side::Back).count();
        tally.add("out of the inside", 2 * backs == all.len() + 1);
    }
}

fn check_sight(slab: &Slab, from: Vec3, to: Vec3, tally: &mut Tally) {
    let (a, b) = (vector(from), vector(to));
    let way = [0, 1, 2].map(|i: usize| &b[i] - &a[i]);
    if way.iter().all(Zero::is_zero) {
        return;
    }
    let times = slab.exactly.iter().filter_map(|corners| {
        let found = line_triangle(&a, &way, corners)?;
        (found.t.is_positive() && found.t < Exact::one()).then_some(found.t)
    });
    let first = times.min();
    let now = &slab.snapshot;
    tally.add("sight", now.is_visible(from, to, ALL) == first.is_none());
    let is_right = match (now.first_blocker(from, to, ALL), first) {
        (None, None) => true,
        (Some(found), Some(first)) => is_nearest_f32(found.t, &first),
        _ => false,
    };
    tally.add("blocker", is_right);
}

fn check_arc(slab: &Slab, from: Vec3, to: DVec3, tally: &mut Tally) {
    let gravity = Vec3::NEG_Y * 2.0;
    let arc = BallisticArc::new(
        from,
        (to - from.as_dvec3()).as_vec3() - 0.5 * gravity,
        gravity,
    );
    let Ok(arc) = arc.and_then(|arc| arc.with_range(0.0, 4.0)) else {
        return;
    };
    let path = ExactArc::new(&arc);
    let mut first: Option<Root> = None;
    for corners in &slab.exactly {
        if let Some(hit) = path.triangle(corners).into_iter().next()
            && first
                .as_ref()
                .is_none_or(|first| hit.t.compare_root(first).is_lt())
        {
            first = Some(hit.t);
        }
    }
    let expected = first.map(|root| root.nearest_f32().to_bits());
    let hit = slab.snapshot.cast_arc(&arc, ALL);
    tally.add("arc", hit.map(|hit| hit.t.to_bits()) == expected);
    let any = slab.snapshot.cast_arc_any(&arc, ALL);
    tally.add("any arc", any == expected.is_some());
}

fn check_closest(slab: &Slab, point: Vec3, rng: &mut Rng, tally: &mut Tally) {
    let expected = brute_force(point, &slab.triangles, f64::INFINITY);
    let around = winding(&vector(point), &slab.exactly, rng);
    let now = &slab.snapshot;
    for (kind, is_signed) in [("closest point", false), ("signed", true)] {
        let found = match is_signed {
            false => now.closest_point(point, f32::INFINITY, ALL),
            true => now.closest_point_signed(point, f32::INFINITY, ALL),
        };
        let is_inside = is_signed && around.is_some_and(|count| count != 0);
        let expected_short = expected.as_ref().map(|(distance, on, _)| {
            let distance = if is_inside {
                0.0 - *distance
            } else {
                *distance
            };
            (distance, on.id, is_inside)
        });
        let short =
            |found: ClosestPoint| (found.distance, found.triangle.unwrap(), found.is_inside);
        let is_right = found.map(short) == expected_short;
        tally.add(kind, is_right);
        if is_right {
            let what = format!("{kind} {point}");
            check_triangles(point, &expected, is_inside, found.as_ref(), &what);
        }
        if let Some(posed) = &slab.posed {
            let alone = match is_signed {
                false => posed.closest_point(point, f32::INFINITY),
                true => posed.closest_point_signed(point, f32::INFINITY),
            };
            assert_eq!(alone.map(short), found.map(short), "{kind} {point}");
        }
    }
}

fn check(slab: &Slab, rng: &mut Rng, tally: &mut Tally) {
    for _ in 0..6 {
        let (from, to) = (slab.origin(rng), slab.target(rng));
        let sides = [Sides::Both, Sides::Front, Sides::Back][rng.below(3)];
        let direction = (to - from.as_dvec3()).as_vec3() * rng.uniform_f32(0.1, 2.0);
        if let Ok(ray) = Ray::new(from, direction) {
            check_ray(slab, &ray, sides, tally);
            check_leaks(slab, &ray, tally);
        }
        let beyond = from.as_dvec3() + (to - from.as_dvec3()) * rng.uniform(0.9, 1.5);
        check_sight(slab, from, beyond.as_vec3(), tally);
        if rng.one_in(5) {
            check_arc(slab, from, to, tally);
        }
        check_closest(slab, from, rng, tally);
    }
}

fn finish(tally: &Tally) {
    println!("seed {SEED:#x}");
    for (kind, [asked, wrong]) in &tally.0 {
        println!("{kind}: {wrong} of {asked} are wrong");
    }
    assert!(
        tally
            .0
            .values()
            .all(|[asked, wrong]| *asked > rounds(10) && *wrong == 0)
    );
}

fn mesh(rng: &mut Rng) -> ClosedMesh {
    match rng.below(10) {
        0 => ClosedMesh::bumpy_sphere(1, 0.3, rng),
        1 => ClosedMesh::cube(2),
        _ => ClosedMesh::cube(1),
    }
}

#[test]
fn answers_are_exact_on_the_corners_of_instances() {
    let (mut rng, mut tally) = (Rng::new(SEED), Tally::default());
    for _ in 0..rounds(24) {
        let (mesh, transform) = (mesh(&mut rng), far_slab(&mut rng));
        check(&Slab::of_mesh(&mesh, transform), &mut rng, &mut tally);
    }
    finish(&tally);
}

#[test]
fn answers_are_exact_on_the_corners_of_nodes() {
    let (mut rng, mut tally) = (Rng::new(SEED + 1), Tally::default());
    for _ in 0..rounds(16) {
        let (mesh, transform) = (mesh(&mut rng), far_slab(&mut rng));
        check(&Slab::of_node(&mesh, transform), &mut rng, &mut tally);
    }
    finish(&tally);
}

#[test]
fn answers_are_exact_on_the_corners_between_ticks() {
    let (mut rng, mut tally) = (Rng::new(SEED + 2), Tally::default());
    for _ in 0..18 {
        let (mesh, from) = (mesh(&mut rng), far_slab(&mut rng));
        let moved = DAffine3::from_translation(DVec3::new(3.0, -1.0, 2.5)) * from;
        let slab = Slab::between(&mesh, [from, moved]);
        check(&slab, &mut rng, &mut tally);
    }
    finish(&tally);
}

/// Specks of 1e-13 m, and what is flattened into a plane or a line.
#[test]
fn answers_are_exact_on_the_corners_of_specks() {
    let (mut rng, mut tally) = (Rng::new(SEED + 3), Tally::default());
    for round in 0..rounds(12) {
        let at = DVec3::splat(0.01);
        let turn = far_slab(&mut rng).to_scale_rotation_translation().1;
        let scale = [
            DVec3::splat(1e-13),
            DVec3::new(3.0, 1e-12, 2.0),
            DVec3::new(2.0, -1e-14, 1e-14),
        ][round % 3];
        let transform = DAffine3::from_scale_rotation_translation(scale, turn, at);
        let mesh = mesh(&mut rng);
        check(&Slab::of_mesh(&mesh, transform), &mut rng, &mut tally);
        check(&Slab::of_node(&mesh, transform), &mut rng, &mut tally);
    }
    finish(&tally);
}
