//! Compounds on the joints of a model: their parts are where rigid parts at the places of their nodes are, in any pose
//! and between poses.

use crate::worlds::{place, solid};
use hitscan::baked::{Bytes, Reader, Writer};
use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::model::{Model, ModelData, NodeData, NodeTransform, PosedModel};
use hitscan::{
    Capsule, Compound, CompoundPart, Cylinder, Error, ObjectId, Primitive, Ray, Snapshot, Sphere,
    World,
};
use hitscan_testkit::random_model;
use hitscan_testkit::{Rng, rounds};
use std::sync::Arc;

/// A model, solids on some of its nodes, and a transform.
pub(crate) struct Character {
    pub(crate) model: Arc<Model>,
    parts: Vec<CompoundPart>,
    pub(crate) nodes: Vec<(u32, usize)>,
    pub(crate) world_from_model: DAffine3,
}

fn transform(rng: &mut Rng) -> DAffine3 {
    let way = DVec3::from_array([(); 3].map(|()| rng.uniform(-2.0, 2.0)));
    DAffine3::from_rotation_y(rng.uniform(-3.0, 3.0)) * DAffine3::from_translation(way)
}

impl Character {
    pub(crate) fn random(rng: &mut Rng) -> Self {
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

    pub(crate) fn posed(&self, time: f64) -> PosedModel {
        PosedModel::at_clip(&self.model, 0, time).unwrap()
    }

    pub(crate) fn compound(&self) -> Compound {
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

pub(crate) fn ray(rng: &mut Rng) -> Option<Ray> {
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
fn a_joint_that_is_scaled_to_nothing_takes_its_parts_along() {
    let node = |scale: DVec3| NodeData {
        local: NodeTransform::Trs {
            translation: DVec3::Y,
            rotation: DQuat::IDENTITY,
            scale,
        },
        ..NodeData::default()
    };
    let up = Vec3::Y;
    let solids: [Primitive; 3] = [
        Sphere::new(up, 0.5).unwrap().into(),
        Capsule::new(-up, up, 0.5).unwrap().into(),
        Cylinder::new(-up, up, 0.5).unwrap().into(),
    ];
    for scale in [DVec3::ZERO, DVec3::new(1.0, 0.0, 1.0), DVec3::splat(1e-46)] {
        for solid in &solids {
            let nodes = vec![node(scale)];
            let data = ModelData {
                nodes,
                ..ModelData::default()
            };
            let model = Arc::new(Model::new(data).unwrap());
            let at_rest = PosedModel::new(&model, model.rest_pose()).unwrap();
            let part = CompoundPart::new("part", solid.clone());
            let compound = Compound::new([part]).unwrap();
            let mut world = World::new();
            let id = world.add(compound.on_joints(at_rest, &[(0, 0)]).unwrap());
            world.update();
            let bounds = world.now().object_bounds(id).unwrap();
            assert!(bounds.contains([0.0, 1.0, 0.0]), "{scale} {solid:?}");
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
