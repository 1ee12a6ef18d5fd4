//! Compounds on the joints of a model: their parts are where rigid parts at the places of their nodes are, in any pose
//! and between poses; with meshes they answer as the model and the parts do beside each other.

use crate::worlds::{place, solid};
use hitscan::baked::{Bytes, Reader, Writer};
use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::model::{Model, PosedModel};
use hitscan::world::ObjectKind;
use hitscan::{
    BallisticArc, ClosestPoint, Compound, CompoundPart, ContactsPer, Error, ObjectCast, ObjectId,
    QueryFilter, Ray, RayHit, ShapeCast, Snapshot, Sphere, World,
};
use hitscan_testkit::random_model;
use hitscan_testkit::{Rng, rounds};
use std::sync::Arc;

/// A model, solids on some of its nodes, and a transform.
struct Character {
    model: Arc<Model>,
    parts: Vec<CompoundPart>,
    nodes: Vec<(u32, usize)>,
    world_from_model: DAffine3,
}

fn transform(rng: &mut Rng) -> DAffine3 {
    let way = DVec3::from_array([(); 3].map(|()| rng.uniform(-2.0, 2.0)));
    DAffine3::from_rotation_y(rng.uniform(-3.0, 3.0)) * DAffine3::from_translation(way)
}

impl Character {
    fn random(rng: &mut Rng) -> Self {
        let model = Model::new(random_model(rng)).unwrap();
        let count = 1 + rng.below(6);
        let part = |number| CompoundPart::new(format!("p{number}"), solid(rng));
        let parts: Vec<CompoundPart> = (0..count).map(part).collect();
        let mut nodes = Vec::new();
        for part in 0..u32::try_from(count).unwrap() {
            if !rng.one_in(4) {
                nodes.push((part, rng.below(model.nodes().len())));
            }
        }
        Self {
            model: Arc::new(model),
            parts,
            nodes,
            world_from_model: transform(rng),
        }
    }

    fn posed(&self, time: f64) -> PosedModel {
        PosedModel::at_clip(&self.model, 0, time).unwrap()
    }

    fn compound(&self) -> Compound {
        Compound::new(self.parts.clone()).unwrap()
    }

    /// Where each part is in the world, by the pose and the transform that a snapshot states.
    fn places(&self, now: &Snapshot, id: ObjectId) -> Vec<DAffine3> {
        let nodes = self.model.model_from_nodes(&now.pose(id).unwrap()).unwrap();
        let world_from_model = now.transform(id).unwrap();
        let numbers = 0..u32::try_from(self.parts.len()).unwrap();
        numbers
            .map(|part| {
                let on = self.nodes.iter().find(|(of, _)| *of == part);
                on.map_or(world_from_model, |(_, node)| {
                    world_from_model * nodes[*node]
                })
            })
            .collect()
    }
}

/// The parts at these places, each a compound of its own; `None` where a joint is scaled to nothing, which a rigid
/// compound is not.
fn apart(character: &Character, places: &[DAffine3]) -> Option<(World, Vec<ObjectId>)> {
    let mut world = World::new();
    let parts = character.parts.iter().zip(places);
    let ids = parts.map(|(part, at)| {
        let alone = Compound::new([part.clone()]).unwrap();
        world.add_at(alone, *at).ok()
    });
    let ids = ids.collect::<Option<Vec<ObjectId>>>()?;
    world.update();
    Some((world, ids))
}

fn ray(rng: &mut Rng) -> Option<Ray> {
    let (from, to) = (place(rng), place(rng));
    Ray::new(from, to - from).ok()
}

#[test]
fn parts_are_where_their_nodes_are() {
    let mut rng = Rng::new(91);
    let (mut hits, mut between) = (0, 0);
    for _ in 0..rounds(200) {
        let character = Character::random(&mut rng);
        let mut world = World::new();
        world.keep_history(3);
        let on_joints = character
            .compound()
            .on_joints(character.posed(0.0), &character.nodes);
        let Ok(id) = on_joints.and_then(|one| world.add_at(one, character.world_from_model)) else {
            continue;
        };
        for tick in 0..3 {
            if tick > 0 {
                // What a pose takes too far is refused, and stays.
                let _ = world.set_pose_at(id, 0, rng.uniform(-0.5, 2.0));
                let _ = world.set_transform(id, transform(&mut rng));
            }
            world.update();
            world.record(tick).unwrap();
        }
        for _ in 0..6 {
            let time = rng.uniform(0.0, 2.0);
            let time = if rng.one_in(3) { time.floor() } else { time };
            let now = world.at(time).unwrap();
            if now.transform(id).is_none() {
                continue;
            }
            let Some((apart, ids)) = apart(&character, &character.places(&now, id)) else {
                continue;
            };
            between += usize::from(time.fract() != 0.0);
            let owner = |object: Option<ObjectId>| {
                let part = ids.iter().position(|id| Some(*id) == object).unwrap();
                u32::try_from(part).unwrap()
            };
            for _ in 0..20 {
                let Some(ray) = ray(&mut rng) else { continue };
                let expected = apart.now().cast_ray(&ray, ()).map(|mut hit| {
                    hit.triangle.as_mut().unwrap().part = owner(hit.object);
                    hit.object = Some(id);
                    hit
                });
                assert_eq!(now.cast_ray(&ray, ()), expected, "{ray:?} at {time}");
                hits += usize::from(expected.is_some());
            }
            assert_eq!(now.object_bounds(id), apart.now().bounds());
        }
    }
    assert!(
        hits > rounds(200) * 10 && between > rounds(200),
        "{hits} {between}"
    );
}

/// A world with a compound with meshes, and one with the model and the compound beside each other.
struct Both {
    one: Snapshot,
    two: Snapshot,
    whole: ObjectId,
    /// The model and the compound.
    apart: [ObjectId; 2],
    /// What else is in each world.
    others: [ObjectId; 2],
    ball: Sphere,
    /// How many parts the model has.
    meshes: u32,
}

/// What was hit and touched.
#[derive(Default)]
struct Counts {
    on_meshes: usize,
    on_solids: usize,
    touching: usize,
}

impl Both {
    fn random(rng: &mut Rng, character: &Character) -> Option<Self> {
        let posed = Arc::new(character.posed(rng.uniform(0.0, 1.0)));
        let at = character.world_from_model;
        let on_joints = character
            .compound()
            .on_joints(Arc::clone(&posed), &character.nodes)
            .ok()?;
        let (mut one, mut two) = (World::new(), World::new());
        let whole = one.add_at(on_joints.clone().with_meshes(), at).ok()?;
        let apart = [
            two.add_at(posed, at).unwrap(),
            two.add_at(on_joints, at).unwrap(),
        ];
        let ball = Sphere::new(place(rng), 1.0).unwrap();
        let others = [one.add(ball), two.add(ball)];
        one.update();
        two.update();
        Some(Self {
            one: one.now().clone(),
            two: two.now().clone(),
            whole,
            apart,
            others,
            ball,
            meshes: u32::try_from(character.model.parts().len()).unwrap(),
        })
    }

    /// A hit in the second world as one in the first.
    fn as_one(&self, mut hit: RayHit) -> RayHit {
        if hit.object == Some(self.others[1]) {
            hit.object = Some(self.others[0]);
            return hit;
        }
        if hit.object == Some(self.apart[1])
            && let Some(on) = &mut hit.triangle
        {
            on.part += self.meshes;
        }
        hit.object = Some(self.whole);
        hit
    }

    fn check_rays(&self, rng: &mut Rng, counts: &mut Counts) {
        let (one, two) = (&self.one, &self.two);
        for _ in 0..20 {
            let Some(ray) = ray(rng) else { continue };
            let as_one = |hit| self.as_one(hit);
            let expected = two.cast_ray(&ray, ()).map(as_one);
            assert_eq!(one.cast_ray(&ray, ()), expected, "{ray:?}");
            match expected.and_then(|hit| hit.part()) {
                Some(part) if part < self.meshes => counts.on_meshes += 1,
                Some(_) => counts.on_solids += 1,
                None => {}
            }
            let all: Vec<RayHit> = two.cast_ray_all(&ray, ()).into_iter().map(as_one).collect();
            assert_eq!(one.cast_ray_all(&ray, ()), all);
            assert_eq!(one.cast_rays(&[ray; 9], ()), vec![expected; 9]);
            assert_eq!(one.cast_ray_any(&ray, ()), expected.is_some());
            let point = place(rng);
            assert_eq!(
                one.is_visible(ray.origin(), point, ()),
                two.is_visible(ray.origin(), point, ())
            );
            let throw = BallisticArc::new(ray.origin(), ray.direction(), BallisticArc::GRAVITY);
            if let Ok(arc) = throw {
                assert_eq!(one.cast_arc(&arc, ()), two.cast_arc(&arc, ()).map(as_one));
            }
        }
    }

    fn check_shapes(&self, rng: &mut Rng, counts: &mut Counts) {
        let (one, two) = (&self.one, &self.two);
        let without = |out: usize| QueryFilter::new().exclude(&self.others[out..=out]);
        for _ in 0..20 {
            let point = place(rng);
            let place_of = |found: Option<ClosestPoint>| {
                found.map(|found| (found.distance, found.point, found.normal))
            };
            assert_eq!(
                place_of(one.closest_point(point, 5.0, ())),
                place_of(two.closest_point(point, 5.0, ()))
            );
            let ball = Sphere::new(point, 0.75).unwrap();
            let separations = |now: &Snapshot, each, out| -> Vec<f32> {
                let found = now.contacts(ball, 0.25, each, without(out));
                found.iter().map(|one| one.separation).collect()
            };
            let found = separations(one, ContactsPer::Triangle, 0);
            assert_eq!(found, separations(two, ContactsPer::Triangle, 1));
            counts.touching += found.len();
            let least = separations(one, ContactsPer::Object, 0);
            assert_eq!(least.first().copied(), found.into_iter().reduce(f32::min));
            assert_eq!(
                one.overlaps_shape(ball, without(0)),
                two.overlaps_shape(ball, without(1))
            );
            let cast = ShapeCast::new(ball, place(rng) - point).unwrap();
            let first = one.cast_shape(&cast, without(0)).map(|hit| hit.t);
            assert_eq!(first, two.cast_shape(&cast, without(1)).map(|hit| hit.t));
            let all = one.cast_shape_all(&cast, without(0));
            assert_eq!(all.len(), usize::from(first.is_some()));
            assert_eq!(one.cast_shape_any(&cast, without(0)), first.is_some());
        }
    }

    /// Overlaps and distances of objects, objects that move, and what turns towards them.
    fn check_objects(&self, middle: Vec3) {
        let worlds: [(&Snapshot, &[ObjectId], ObjectId); 2] = [
            (
                &self.one,
                core::slice::from_ref(&self.whole),
                self.others[0],
            ),
            (&self.two, &self.apart, self.others[1]),
        ];
        let overlaps = worlds.map(|(now, ids, other)| -> usize {
            let of = |id: &ObjectId| now.overlaps_of(*id, other, ()).len();
            ids.iter().map(of).sum()
        });
        assert_eq!(overlaps[0], overlaps[1]);
        let [distance, expected] = worlds.map(|(now, ids, other)| {
            let of = |id: &ObjectId| now.distance(*id, other, f64::INFINITY, ());
            let distances = ids.iter().filter_map(of).map(|found| found.distance);
            distances.reduce(f32::min)
        });
        assert_eq!(distance, expected);
        let away = self.ball.center() - middle;
        let [moved, expected] = worlds.map(|(now, ids, _)| {
            let of = |id: &ObjectId| {
                let cast = ObjectCast::new(*id, away).unwrap();
                now.cast_object(&cast, QueryFilter::new().exclude(ids))
            };
            let times = ids.iter().filter_map(of).map(|hit| hit.t);
            times.reduce(f32::min)
        });
        assert_eq!(moved, expected);
        let turning = ShapeCast::new(self.ball, -away).unwrap();
        let turning = turning.turning(Vec3::Y, 0.5).unwrap();
        let [turned, expected] = worlds.map(|(now, _, other)| {
            let hit = now.cast_turning(&turning, QueryFilter::new().exclude(&[other]));
            hit.map(|hit| (hit.status, hit.t, hit.gap))
        });
        assert_eq!(turned, expected);
    }
}

#[test]
fn with_meshes_a_compound_is_both() {
    let mut rng = Rng::new(92);
    let mut counts = Counts::default();
    for _ in 0..rounds(150) {
        let character = Character::random(&mut rng);
        let Some(both) = Both::random(&mut rng, &character) else {
            continue;
        };
        let (one, whole, meshes) = (&both.one, both.whole, both.meshes);
        assert_eq!(one.kind(whole), Some(ObjectKind::Compound));
        let triangles = both.two.triangle_count(both.apart[0]);
        assert_eq!(one.triangle_count(whole), triangles);
        assert_eq!(one.part_name(whole, meshes), Some("p0"));
        assert_eq!(one.compound_part_named(whole, "p0"), Some(meshes));
        both.check_rays(&mut rng, &mut counts);
        both.check_shapes(&mut rng, &mut counts);
        both.check_objects(character.world_from_model.translation.as_vec3());
    }
    let least = rounds(150);
    assert!(counts.on_meshes > least && counts.on_solids > least && counts.touching > least);
}

#[test]
fn joints_are_baked() {
    let mut rng = Rng::new(93);
    let mut world = World::new();
    let mut ids = Vec::new();
    while ids.len() < 20 {
        let character = Character::random(&mut rng);
        let posed = Arc::new(character.posed(0.25));
        let on_joints = character
            .compound()
            .on_joints(Arc::clone(&posed), &character.nodes);
        let Ok(mut on_joints) = on_joints else {
            continue;
        };
        if rng.one_in(2) {
            on_joints = on_joints.with_meshes();
            // A pose that two objects share.
            let _ = world.add_at(posed, character.world_from_model);
        }
        ids.extend(world.add_at(on_joints, character.world_from_model));
    }
    world.update();
    let mut writer = Writer::new();
    world.now().bake(&mut writer);
    let (table, arrays) = writer.into_parts();
    let read = |table: &[u8]| {
        let arrays = arrays.iter().map(|array| Bytes::lent(array)).collect();
        let mut reader = Reader::new(table, arrays);
        World::from_baked(&mut reader)
    };
    let mut baked = read(&table).unwrap();
    let (before, after) = (world.now().clone(), baked.now().clone());
    let others: Vec<ObjectId> = after.objects().collect();
    for (id, other) in before.objects().zip(&others) {
        assert_eq!(before.kind(id), after.kind(*other));
        assert_eq!(before.model(id).is_some(), after.model(*other).is_some());
        assert_eq!(before.object_bounds(id), after.object_bounds(*other));
    }
    for _ in 0..500 {
        let Some(ray) = ray(&mut rng) else { continue };
        assert_eq!(before.cast_ray(&ray, ()), after.cast_ray(&ray, ()));
    }
    // It can be posed anew.
    let moved = others
        .iter()
        .find(|id| after.compound(**id).is_some())
        .unwrap();
    let _ = baked.set_pose_at(*moved, 0, 0.75);
    // Damaged bytes are refused, or answer; nothing panics.
    for _ in 0..2_000 {
        let mut table = table.clone();
        let at = rng.below(table.len());
        table[at] ^= 1 << rng.below(8);
        if let Ok(world) = read(&table) {
            let _ = world.now().bounds();
        }
    }
}

#[test]
fn what_is_on_no_joint_is_refused_by_name() {
    let mut rng = Rng::new(94);
    let character = Character::random(&mut rng);
    let on = |nodes: &[(u32, usize)]| character.compound().on_joints(character.posed(0.0), nodes);
    let (parts, nodes) = (character.parts.len(), character.model.nodes().len());
    let none = u32::try_from(parts).unwrap();
    for wrong in [on(&[(none, 0)]), on(&[(0, nodes)])] {
        assert!(matches!(wrong, Err(Error::NoSuch { .. })), "{wrong:?}");
    }
    let part = CompoundPart::new("ball", Sphere::new([0.0; 3], 1.0).unwrap());
    let mut world = World::new();
    let rigid = world.add(Compound::new([part]).unwrap());
    let pose = character.model.rest_pose();
    assert!(matches!(
        world.set_pose(rigid, pose),
        Err(Error::WrongObject { .. })
    ));
}
