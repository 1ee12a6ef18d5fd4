//! Memory of posed models: a deformed mesh is kept where it pays and has room, and no answer changes by it.

use super::{compare, refined, whole};
use hitscan::glam::{DAffine3, DQuat, DVec3};
use hitscan::model::{PosedModel, SkinnedShape};
use hitscan::world::ObjectShape;
use hitscan::{Model, World};
use hitscan_testkit::{Rng, random_model};
use std::sync::Arc;

/// A posed model that is queried so often that it deforms the whole part in between.
#[test]
fn many_rays_change_no_answer() {
    let mut rng = Rng::new(44);
    let mut hits = 0;
    for _ in 0..60 {
        let data = random_model(&mut rng);
        let data = refined(&mut rng, data);
        let model = Arc::new(Model::new(data).unwrap());
        let posed = model.skinned(model.rest_pose()).unwrap();
        let posed_model = PosedModel::new(&model, model.rest_pose()).unwrap();
        let before = posed_model.memory_bytes();
        let mut is_deformed = false;
        for (index, posed) in posed.parts().iter().enumerate() {
            let whole = whole(&model, index, posed);
            hits += compare(
                &mut rng,
                &posed_model.part(index).unwrap(),
                &whole,
                40,
                "many",
            );
            is_deformed |= matches!(posed.shape, SkinnedShape::Deformed(_));
        }
        assert_eq!(posed_model.memory_bytes() > before, is_deformed);
    }
    assert!(hits > 500, "{hits}");
}

/// Deformed meshes have room for one at a time: the pose that comes second is deformed piece by piece however
/// many rays it has, and answers alike; once the first is gone a third has room.
#[test]
fn a_limit_on_deformed_meshes_changes_no_answer() {
    let mut rng = Rng::new(46);
    let (mut hits, mut limited) = (0, 0);
    for _ in 0..60 {
        let data = random_model(&mut rng);
        let data = refined(&mut rng, data);
        let model = Arc::new(Model::new(data).unwrap().with_deformed_limit(1));
        let posed = model.skinned(model.rest_pose()).unwrap();
        let mut kept_after = |rng: &mut Rng, posed_model: &PosedModel| {
            let before = posed_model.memory_bytes();
            for (index, posed) in posed.parts().iter().enumerate() {
                let whole = whole(&model, index, posed);
                let part = posed_model.part(index).unwrap();
                hits += compare(rng, &part, &whole, 40, "limited");
            }
            posed_model.memory_bytes() - before
        };
        let pose = || PosedModel::new(&model, model.rest_pose()).unwrap();
        let (first, second) = (pose(), pose());
        let kept = kept_after(&mut rng, &first);
        let kept_by_second = kept_after(&mut rng, &second);
        if kept > 0 && kept_by_second == 0 {
            limited += 1;
            drop(first);
            assert_eq!(kept_after(&mut rng, &pose()), kept);
        }
    }
    assert!(hits > 1_000 && limited > 20, "{hits} {limited}");
}

/// The box of a world of posed models is that of all their vertices, and keeps no deformed mesh.
#[test]
fn the_bounds_of_posed_models_keep_no_mesh() {
    let mut rng = Rng::new(47);
    let mut deformed = 0;
    for round in 0..60 {
        let data = random_model(&mut rng);
        let data = refined(&mut rng, data);
        let model = Arc::new(Model::new(data).unwrap());
        let pose = model.pose_at(0, rng.uniform(0.0, 2.0)).unwrap();
        let posed = model.skinned(&pose).unwrap();
        let corners = model.parts().iter().zip(posed.parts());
        let corners = corners.flat_map(|(part, posed)| {
            let used = part.mesh().triangles().as_flattened().iter();
            used.map(|corner| {
                let at = posed.positions(part)[*corner as usize].as_dvec3();
                posed.model_from_part.transform_point3(at)
            })
        });
        let ends = corners.fold(None, |ends: Option<(DVec3, DVec3)>, at| {
            let (min, max) = ends.unwrap_or((at, at));
            Some((min.min(at), max.max(at)))
        });
        let mut world = World::new();
        let object = world.add_model(&model, &pose, DAffine3::IDENTITY).unwrap();
        world.update();
        let Some(ObjectShape::Model(posed_model)) = world.now().shape(object) else {
            panic!("the object is a model");
        };
        let before = posed_model.memory_bytes();
        let found = world.now().bounds();
        assert_eq!(posed_model.memory_bytes(), before, "round {round}");
        let mut shapes = posed.parts().iter().map(|part| &part.shape);
        deformed += usize::from(shapes.any(|shape| matches!(shape, SkinnedShape::Deformed(_))));
        assert_eq!(world.now().object_bounds(object), found);
        let Some((min, max)) = ends else {
            assert_eq!(found, None);
            continue;
        };
        let found = found.expect("there are triangles");
        // The nearest f32 on the outer side.
        for axis in 0..3 {
            let (low, high) = (found.min()[axis], found.max()[axis]);
            assert!(f64::from(low) <= min[axis] && f64::from(low.next_up()) > min[axis]);
            assert!(f64::from(high) >= max[axis] && f64::from(high.next_down()) < max[axis]);
        }
    }
    assert!(deformed > 20, "{deformed}");
}

/// The first exact overlaps of a posed model keep no deformed mesh of it, and are those with one.
#[test]
fn the_first_overlaps_of_posed_models_keep_no_mesh() {
    let mut rng = Rng::new(48);
    let (mut found, mut kept) = (0, 0);
    for round in 0..60 {
        let data = random_model(&mut rng);
        let data = refined(&mut rng, data);
        let model = Arc::new(Model::new(data).unwrap());
        let mut world = World::new();
        for _ in 0..2 {
            let pose = model.pose_at(0, rng.uniform(0.0, 2.0)).unwrap();
            let step = DVec3::from_array([0; 3].map(|_| rng.uniform(-0.3, 0.3)));
            let own = DAffine3::from_scale_rotation_translation(
                DVec3::new(1.0, rng.uniform(-1.5, -0.5), 1.0),
                DQuat::from_rotation_y(rng.uniform(0.0, 6.0)),
                step,
            );
            world.add_model(&model, &pose, own).unwrap();
        }
        world.update();
        let bytes = || -> usize {
            let objects = world.now().objects();
            let shapes = objects.map(|object| world.now().shape(object));
            let posed = shapes.map(|shape| match shape {
                Some(ObjectShape::Model(posed)) => posed.memory_bytes(),
                _ => panic!("the objects are models"),
            });
            posed.sum()
        };
        let before = bytes();
        let first = world.now().overlaps(());
        let is_held = first.iter().any(|overlap| overlap.a.triangle.is_none());
        // What may hold the other is looked at whole, too.
        assert!(
            is_held || bytes() == before || first.is_empty(),
            "round {round}"
        );
        for _ in 0..4 {
            assert_eq!(world.now().overlaps(()), first, "round {round}");
        }
        found += usize::from(!first.is_empty());
        kept += usize::from(bytes() > before);
    }
    assert!(found > 10 && kept > 10, "{found} {kept}");
}
