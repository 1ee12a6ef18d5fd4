//! Moving shapes, contacts, closest points, arcs, footprints and sight, against digests of all bits.

use crate::digest::Digest;
use crate::inputs::{Numbers, field, hill_mesh, walker};
use glam::{DAffine3, Vec2, Vec3};
use hitscan::height_field::{Footprint, FootprintSample, ViewshedQuery};
use hitscan::model::{Model, PosedModel};
use hitscan::{
    Aabb, BallisticArc, Capsule, ContactsPer, Obb, Primitive, QueryFilter, ShapeCast, Sides,
    Sphere, TriMesh, World, glam,
};
use std::sync::Arc;

const QUESTIONS: usize = 1200;
/// Metres within which nearest points and contacts are looked for.
const REACH: f32 = 3.0;

/// The same questions to every shape.
struct Questions {
    casts: Vec<ShapeCast>,
    solids: Vec<Primitive>,
    points: Vec<Vec3>,
    arcs: Vec<BallisticArc>,
}

impl Questions {
    fn new(seed: u64) -> Self {
        let mut numbers = Numbers::new(seed);
        Self {
            casts: (0..QUESTIONS).map(|k| numbers.shape_cast(k)).collect(),
            solids: (0..QUESTIONS).map(|k| numbers.solid(k)).collect(),
            points: (0..QUESTIONS).map(|_| numbers.point()).collect(),
            arcs: (0..QUESTIONS).map(|k| numbers.arc(k)).collect(),
        }
    }
}

/// All answers of one shape, by the verbs that every shape has.
macro_rules! digest_of {
    ($shape:expr, $questions:expr) => {{
        let (shape, questions) = (&$shape, &$questions);
        let mut digest = Digest::new();
        for sides in [Sides::Both, Sides::Front, Sides::Back] {
            let hits = shape.cast_shapes(&questions.casts, sides);
            digest.add_each(&hits, Digest::add_shape_hit);
            digest.add_flags(&shape.cast_shapes_any(&questions.casts, sides));
            let hits = shape.cast_arcs(&questions.arcs, sides);
            digest.add_hits(&hits);
            digest.add_flags(&shape.cast_arcs_any(&questions.arcs, sides));
        }
        for each in [ContactsPer::Object, ContactsPer::Triangle] {
            for contacts in shape.contacts_of_shapes(&questions.solids, 0.25, each) {
                contacts
                    .iter()
                    .for_each(|contact| digest.add_contact(contact));
            }
        }
        digest.add_flags(&shape.overlaps_shapes(&questions.solids));
        let closest = shape.closest_points(&questions.points, REACH);
        digest.add_each(&closest, Digest::add_closest);
        digest
    }};
}

#[test]
fn shapes_over_terrain_have_the_golden_bits() {
    let (field, questions) = (field(), Questions::new(11));
    let mut digest = digest_of!(field, questions);
    let mut numbers = Numbers::new(12);
    for number in 0..400 {
        let center = Vec2::new(numbers.between(-52.0, 52.0), numbers.between(-52.0, 52.0));
        let size = f64::from(numbers.between(0.1, 6.0));
        let footprint = if number % 2 == 0 {
            Footprint::disc(center, size)
        } else {
            Footprint::rectangle(center, [size, 1.0], 0.75)
        };
        match field.footprint(&footprint.unwrap()) {
            FootprintSample::Hole => digest.add(0),
            FootprintSample::Outside => digest.add(1),
            FootprintSample::Ground(ground) => {
                digest.add_float(ground.height);
                digest.add_float(ground.min);
                digest.add_float(ground.max);
                digest.add_vector(ground.normal);
                digest.add_float(ground.slope);
                digest.add_float(ground.plane);
                digest.add_float(ground.coverage);
            }
        }
    }
    digest.assert_is("shapes over terrain", 0x1247_3987_4854_37d7);
}

#[test]
fn shapes_at_a_mesh_have_the_golden_bits() {
    let (positions, triangles) = hill_mesh();
    let mesh = TriMesh::new(positions, triangles).unwrap();
    let digest = digest_of!(mesh, Questions::new(13));
    digest.assert_is("shapes at a mesh", 0x2383_8e93_6e68_ed32);
}

#[test]
fn shapes_at_a_posed_model_have_the_golden_bits() {
    let model = Arc::new(Model::new(walker()).unwrap());
    let posed = PosedModel::at_clip(&model, 0, 0.75).unwrap();
    let mut questions = Questions::new(14);
    // The model is small, so the questions come near.
    for cast in &mut questions.casts {
        let Primitive::Sphere(ball) = cast.shape() else {
            continue;
        };
        let near = Sphere::new(ball.center() * 0.06, ball.radius()).unwrap();
        *cast = ShapeCast::new(near, cast.motion() * 0.5).unwrap();
    }
    questions.points.iter_mut().for_each(|point| *point *= 0.06);
    for arc in &mut questions.arcs {
        let origin = arc.origin() * 0.08;
        *arc = BallisticArc::new(origin, -origin, arc.acceleration()).unwrap();
    }
    let digest = digest_of!(posed, questions);
    digest.assert_is("shapes at a posed model", 0xc6d2_3430_5c77_2769);
}

#[test]
fn shapes_in_a_world_have_the_golden_bits() {
    let mut world = World::new();
    world.keep_history(2);
    let terrain = world.add(Arc::new(field()));
    let model = Arc::new(Model::new(walker()).unwrap());
    let mut numbers = Numbers::new(15);
    for kind in 0..600 {
        world.add(numbers.solid(kind));
    }
    let walkers: Vec<_> = (0..60)
        .map(|_| {
            let placement = numbers.placement();
            world
                .add_model(&model, model.rest_pose(), placement)
                .unwrap()
        })
        .collect();
    for tick in 0..2_u64 {
        for &walker in &walkers {
            let secs = f64::from(numbers.between(0.0, 2.0));
            world.set_pose_at(walker, 0, secs).unwrap();
            world.set_transform(walker, numbers.placement()).unwrap();
        }
        world.update();
        world.record(tick).unwrap();
    }
    let (questions, all) = (Questions::new(16), QueryFilter::new());
    let mut digest = Digest::new();
    for time in [0.0, 0.625] {
        let then = world.at(time).unwrap();
        for sides in [Sides::Both, Sides::Front] {
            let hits = then.cast_shapes(&questions.casts, (sides, all));
            digest.add_each(&hits, Digest::add_shape_hit);
            for hits in then.cast_shapes_all(&questions.casts, (sides, all)) {
                hits.iter().for_each(|hit| digest.add_shape_hit(hit));
            }
            digest.add_flags(&then.cast_shapes_any(&questions.casts, (sides, all)));
            digest.add_hits(&then.cast_arcs(&questions.arcs, (sides, all)));
        }
        for contacts in then.contacts_of_shapes(&questions.solids, 0.25, ContactsPer::Object, all) {
            contacts
                .iter()
                .for_each(|contact| digest.add_contact(contact));
        }
        let closest = then.closest_points_signed(&questions.points, REACH, all);
        digest.add_each(&closest, Digest::add_closest);
        let (eyes, targets) = questions.points[..60].split_at(20);
        digest.add_flags(&then.visible_pairs(eyes, targets, all));
        for blocker in then.first_blockers(eyes, targets, all) {
            digest.add_float(blocker.map_or(f32::NAN, |blocker| blocker.t));
        }
        let guard = ViewshedQuery::standing([1.25, 2.5])
            .with_above(2.0)
            .unwrap();
        let seen = then.viewshed(terrain, &guard, all).unwrap();
        seen.samples()
            .iter()
            .for_each(|&sample| digest.add(sample as u32));
    }
    digest.assert_is("shapes in a world", 0xc5db_f70a_adb5_9deb);
}

/// At the origin, and not turned, an object of a world answers as the shape by itself.
#[test]
fn a_world_of_one_object_answers_as_the_object() {
    let model = Arc::new(Model::new(walker()).unwrap());
    let posed = PosedModel::at_clip(&model, 0, 1.25).unwrap();
    let mut world = World::new();
    let walker = world
        .add_model(&model, &posed.pose(), DAffine3::IDENTITY)
        .unwrap();
    world.update();
    let (now, all) = (world.now(), QueryFilter::new());
    let mut numbers = Numbers::new(17);
    let mut met = 0;
    for kind in 0..1500 {
        let at = |numbers: &mut Numbers| {
            Vec3::new(
                numbers.between(-2.0, 2.0),
                numbers.between(-0.5, 3.5),
                numbers.between(-2.0, 2.0),
            )
        };
        let (from, to) = (at(&mut numbers), at(&mut numbers));
        let half = Vec3::splat(numbers.between(0.05, 0.5));
        let solid: Primitive = match kind % 4 {
            0 => Sphere::new(from, f64::from(half.x)).unwrap().into(),
            1 => Aabb::new(from - half, from + half).unwrap().into(),
            2 => Obb::new(from, half, glam::DQuat::from_xyzw(0.6, 0.0, 0.0, 0.8))
                .unwrap()
                .into(),
            _ => Capsule::new(from, from + half, 0.25).unwrap().into(),
        };
        let cast = ShapeCast::new(solid.clone(), to - from).unwrap();
        let alone = posed.cast_shape(&cast, ());
        let placed = now.cast_shape(&cast, all);
        met += usize::from(alone.is_some());
        assert_eq!(
            placed.map(|hit| (
                hit.object,
                hit.t,
                hit.normal,
                hit.point,
                hit.start,
                hit.triangle
            )),
            alone.map(|hit| (
                Some(walker),
                hit.t,
                hit.normal,
                hit.point,
                hit.start,
                hit.triangle
            )),
        );
        let closest = posed.closest_point(from, 1.0);
        let placed = now.closest_point(from, 1.0, all);
        let bits = |found: hitscan::ClosestPoint| {
            (found.distance, found.point, found.normal, found.triangle)
        };
        assert_eq!(placed.map(bits), closest.map(bits));
        let arc = BallisticArc::new(from, to - from, [0.0, -4.0, 0.0]).unwrap();
        let alone = posed.cast_arc(&arc, ());
        let placed = now.cast_arc(&arc, all);
        let bits = |hit: hitscan::RayHit| (hit.t, hit.point, hit.normal, hit.triangle);
        assert_eq!(placed.map(bits), alone.map(bits));
        let contact = posed.contacts(solid.clone(), 0.125, ContactsPer::Object);
        let placed = now.contacts(solid, 0.125, ContactsPer::Object, all);
        let bits = |found: &hitscan::Contact| {
            (found.status, found.separation, found.normal, found.triangle)
        };
        let [alone, placed] = [contact, placed].map(|found| found.first().map(bits));
        assert_eq!(placed, alone);
    }
    assert!(met > 300, "{met}");
}
