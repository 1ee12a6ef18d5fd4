//! Compounds with the meshes of their model: they answer as the model and the compound do beside each other.

use crate::joints::{Character, ray};
use crate::worlds::place;
use hitscan::glam::Vec3;
use hitscan::world::ObjectKind;
use hitscan::{
    BallisticArc, ClosestPoint, ContactsPer, ObjectCast, ObjectId, QueryFilter, RayHit, ShapeCast,
    Snapshot, Sphere, World,
};
use hitscan_testkit::{Rng, rounds};
use std::sync::Arc;

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
