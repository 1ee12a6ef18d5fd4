//! Moving and resting shapes against a posed model: as in a world in which nothing moves it, on models with
//! mirrored, flattened and deformed parts.

use hitscan::glam::{DAffine3, Vec3};
use hitscan::model::PosedModel;
use hitscan::{
    Aabb, Capsule, Contact, ContactsPer, Model, Primitive, ShapeCast, ShapeHit, Sides, Sphere,
    World,
};
use hitscan_testkit::{Rng, random_model};
use std::sync::Arc;

/// A shape near a point, of about that size.
fn shape(rng: &mut Rng, near: Vec3, size: f32) -> Option<Primitive> {
    let mut offset = || Vec3::from_array([0.0; 3].map(|_: f32| rng.uniform_f32(-size, size)));
    let (center, other) = (near + offset(), near + offset());
    match rng.below(3) {
        0 => Some(Sphere::new(center, f64::from(size) * 0.3).ok()?.into()),
        1 => Some(
            Capsule::new(center, other, f64::from(size) * 0.2)
                .ok()?
                .into(),
        ),
        _ => Some(Aabb::new(center.min(other), center.max(other)).ok()?.into()),
    }
}

/// Everything of a hit but the object, which only a world has.
fn of_hit(hit: ShapeHit) -> String {
    format!(
        "{:?}",
        ShapeHit {
            object: None,
            ..hit
        }
    )
}

fn of_contacts(contacts: &[Contact]) -> Vec<String> {
    let without_object = |contact: &Contact| Contact {
        object: None,
        ..*contact
    };
    let texts = contacts.iter().map(without_object);
    texts.map(|contact| format!("{contact:?}")).collect()
}

#[test]
fn shapes_meet_a_posed_model_as_in_a_world() {
    let mut rng = Rng::new(45);
    let (mut hits, mut one_sided, mut touched) = (0, 0, 0);
    for round in 0..200 {
        let model = Arc::new(Model::new(random_model(&mut rng)).expect("valid"));
        let time = rng.uniform(-1.0, 2.0);
        let posed = PosedModel::at_clip(&model, 0, time).expect("in range");
        let Some(bounds) = posed.bounds() else {
            continue;
        };
        let mut world = World::new();
        let pose = model.pose_at(0, time).expect("there is such a clip");
        world
            .add_model(&model, &pose, DAffine3::IDENTITY)
            .expect("in range");
        world.update();
        let snapshot = world.now();
        let size = bounds.half_size().max_element().max(1e-3);
        for _ in 0..20 {
            let at = bounds.center() + bounds.half_size() * rng.uniform_f32(-1.0, 1.0);
            let Some(start) = shape(&mut rng, at, size) else {
                continue;
            };
            let motion = Vec3::from_array([0.0; 3].map(|_: f32| rng.uniform_f32(-3.0, 3.0) * size));
            let cast = ShapeCast::new(start, motion).expect("in range");
            let what = format!("round {round}: {cast:?}");
            let mut answers = Vec::new();
            for sides in [Sides::Both, Sides::Front, Sides::Back] {
                let expected = snapshot.cast_shape(&cast, sides);
                let found = posed.cast_shape(&cast, sides);
                assert_eq!(found.map(of_hit), expected.map(of_hit), "{what}, {sides:?}");
                let any = posed.cast_shape_any(&cast, sides);
                assert_eq!(any, expected.is_some(), "{what}, {sides:?}");
                hits += usize::from(expected.is_some());
                answers.push(expected.map(of_hit));
            }
            one_sided += usize::from(answers[1] != answers[2]);
            let expected = snapshot.contacts(start, size * 0.1, ContactsPer::Triangle, ());
            let found = posed.contacts(start, size * 0.1, ContactsPer::Triangle);
            assert_eq!(of_contacts(&found), of_contacts(&expected), "{what}");
            touched += found.len();
        }
    }
    assert!(
        hits > 1_000 && one_sided > 200 && touched > 1_000,
        "{hits} {one_sided} {touched}"
    );
}
