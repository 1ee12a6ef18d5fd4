//! A snapshot between two recorded ticks: each object is interpolated when a query comes near it.
//!
//! The tree holds, for each object, a box of all that it passes through between the ticks.

use super::interpolated_primitive::interpolated_primitive;
use super::state::State;
use crate::bvh::{Bvh, MovingTree};
use crate::model::{PosedModel, RotationStretch};
use crate::parallel::on_one_thread;
use crate::world::instance::{Geometry, Instance};
use crate::world::object::{KeptSolid, Object, Shape};
use crate::world::placed_compound::{CompoundShape, PlacedCompound};
use glam::DAffine3;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// A snapshot between two states.
pub(crate) struct Interpolated {
    earlier: Arc<State>,
    later: Arc<State>,
    /// Over what the objects pass through from the earlier to the later.
    tree: Arc<Bvh>,
    /// How far from the earlier to the later, above 0 and below 1.
    alpha: f64,
    whole: OnceLock<State>,
}

impl Interpolated {
    pub(crate) fn new(
        (earlier, later): (Arc<State>, Arc<State>),
        tree: Arc<Bvh>,
        alpha: f64,
    ) -> Self {
        Self {
            earlier,
            later,
            tree,
            alpha,
            whole: OnceLock::new(),
        }
    }

    pub(crate) fn tree(&self) -> &Bvh {
        &self.tree
    }

    pub(crate) fn earlier_state(&self) -> &Arc<State> {
        &self.earlier
    }

    /// The object in a slot at this time; none where interpolation leaves nothing of
    /// it, as half way between a shape and its mirror image.
    pub(crate) fn object(&self, slot: u32) -> Option<Cow<'_, Object>> {
        let earlier = self.earlier.slots.get(slot)?;
        let shape = match self.later.object(earlier.id) {
            None => return Some(Cow::Borrowed(earlier)),
            Some(later) => match (&earlier.shape, &later.shape) {
                (Shape::Primitive(from), Shape::Primitive(to)) => Shape::Primitive(
                    KeptSolid::from(&interpolated_primitive(&from.get(), &to.get(), self.alpha)),
                ),
                (Shape::Instance(from), Shape::Instance(to)) if from.may_move_to(to) => {
                    Shape::Instance(interpolated_instance(from, to, self.alpha)?)
                }
                (Shape::Compound(from), Shape::Compound(to)) if is_moved(from, to) => {
                    Shape::Compound(interpolated_compound(from, to, self.alpha)?)
                }
                _ => return Some(Cow::Borrowed(earlier)),
            },
        };
        Some(Cow::Owned(earlier.with_shape(shape)))
    }

    /// Every object at this time, computed once.
    pub(crate) fn whole(&self) -> &State {
        self.whole.get_or_init(|| on_one_thread(|| self.computed()))
    }

    fn computed(&self) -> State {
        let mut state = State {
            surfaces: self.earlier.surfaces.clone(),
            ..State::default()
        };
        let mut tree = MovingTree::default();
        let objects = self.earlier.slots.iter().map(|earlier| {
            let slot = earlier.id.slot();
            (slot, self.object(slot).map(Cow::into_owned))
        });
        let mut objects: Vec<_> = objects.collect();
        state.put_all(objects.drain(..), |slot, object| {
            tree.set(slot, object.and_then(Object::culling_bounds));
        });
        tree.update();
        state.tree = Arc::clone(tree.tree());
        state
    }
}

fn interpolated_instance(from: &Instance, to: &Instance, alpha: f64) -> Option<Arc<Instance>> {
    let geometry = match (from.geometry(), to.geometry()) {
        (Geometry::Model(a), Geometry::Model(b)) if is_posed_anew(a, b) => {
            Geometry::Model(Arc::new(a.blended(b, alpha).ok()?))
        }
        (geometry, _) => geometry.clone(),
    };
    let (a, b) = (from.world_from_model(), to.world_from_model());
    Instance::new(geometry, &transform_between(a, b, alpha)).ok()
}

fn transform_between(from: &DAffine3, to: &DAffine3, alpha: f64) -> DAffine3 {
    if from == to {
        return *from;
    }
    RotationStretch::new(from).toward(&RotationStretch::new(to), alpha)
}

/// Whether two posed models are of one model, and may differ.
pub(super) fn is_posed_anew(a: &Arc<PosedModel>, b: &Arc<PosedModel>) -> bool {
    !Arc::ptr_eq(a, b) && Arc::ptr_eq(a.model(), b.model())
}

/// Whether a compound is one at both ticks, and in another place or pose.
pub(super) fn is_moved(from: &PlacedCompound, to: &PlacedCompound) -> bool {
    let is_placed_anew = from.world_from_own() != to.world_from_own();
    match (from.shape(), to.shape()) {
        (CompoundShape::Rigid(one), CompoundShape::Rigid(other)) => {
            (Arc::ptr_eq(one, other) || one == other) && is_placed_anew
        }
        (CompoundShape::Posed(one), CompoundShape::Posed(other)) => {
            let is_posed_anew = is_posed_anew(one.posed_model(), other.posed_model());
            one.differs_by_pose(other) && (is_placed_anew || is_posed_anew)
        }
        _ => false,
    }
}

fn interpolated_compound(
    from: &PlacedCompound,
    to: &PlacedCompound,
    alpha: f64,
) -> Option<Arc<PlacedCompound>> {
    let shape = match (from.shape(), to.shape()) {
        (CompoundShape::Posed(one), CompoundShape::Posed(other)) => {
            CompoundShape::Posed(Arc::new(one.blended(other, alpha).ok()?))
        }
        (shape, _) => shape.clone(),
    };
    let (from, to) = (from.world_from_own(), to.world_from_own());
    PlacedCompound::new(&shape, &transform_between(from, to, alpha)).ok()
}

#[cfg(test)]
mod tests {
    use crate::model::{Model, ModelData, NodeData, NodeTransform, PartData, PartSkin, SkinData};
    use crate::narrow_phase::shape_cast::ShapeCast;
    use crate::test_rng::Rng;
    use crate::world::{Snapshot, World};
    use crate::{Aabb, ObjectId, Ray, Sphere, TriMesh};
    use glam::{DAffine3, DQuat, DVec3, Vec3};
    use std::sync::Arc;

    struct Numbers(Rng);

    impl Numbers {
        fn place(&mut self, span: f64) -> DVec3 {
            DVec3::from_array([(); 3].map(|()| self.0.uniform(-span, span)))
        }

        fn turn(&mut self) -> DQuat {
            let q = [(); 4].map(|()| self.0.uniform(-0.5, 0.5));
            DQuat::from_array(q).normalize()
        }

        fn transform(&mut self) -> DAffine3 {
            let scale = DVec3::splat(0.5) + self.place(0.3);
            DAffine3::from_scale_rotation_translation(scale, self.turn(), self.place(6.0))
        }
    }

    fn cube() -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let positions = (0..8_u8).map(|i| {
            let bit = |axis: u8| f32::from(i >> axis & 1);
            Vec3::new(bit(0), bit(1), 3.0 * bit(2))
        });
        let quads = [
            [0, 2, 3, 1],
            [4, 5, 7, 6],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 4, 6, 2],
            [1, 3, 7, 5],
        ];
        let split = |[a, b, c, d]: [u32; 4]| [[a, b, c], [a, c, d]];
        (
            positions.collect(),
            quads.into_iter().flat_map(split).collect(),
        )
    }

    /// A bent bar: a box whose far end follows another joint.
    fn bar() -> Arc<Model> {
        let (positions, triangles) = cube();
        let joints: Vec<u16> = positions.iter().map(|p| u16::from(p.z > 1.0)).collect();
        let skin = PartSkin {
            skin: 0,
            influences: 1,
            weights: vec![1.0; joints.len()],
            joints,
        };
        let child = NodeData {
            parent: Some(0),
            ..NodeData::default()
        };
        let model = Model::new(ModelData {
            nodes: vec![NodeData::default(), child],
            skins: vec![SkinData {
                joints: vec![0, 1],
                inverse_bind: Vec::new(),
            }],
            parts: vec![PartData {
                positions,
                triangles,
                skin: Some(skin),
                ..PartData::default()
            }],
            ..ModelData::default()
        });
        Arc::new(model.unwrap())
    }

    fn change(world: &mut World, ids: &[ObjectId], numbers: &mut Numbers) {
        let model = Arc::clone(world.now().model(ids[2]).unwrap());
        let mut pose = model.rest_pose().clone();
        let local = NodeTransform::Trs {
            translation: numbers.place(0.5),
            rotation: numbers.turn(),
            scale: DVec3::ONE,
        };
        pose.set_local(1, local).unwrap();
        world.set_pose(ids[2], &pose).unwrap();
        for mover in [ids[0], ids[1], ids[2]] {
            world.set_transform(mover, numbers.transform()).unwrap();
        }
        let center = numbers.place(6.0).as_vec3();
        world
            .set_primitive(
                ids[3],
                Sphere::new(center, numbers.0.uniform(0.5, 1.5)).unwrap(),
            )
            .unwrap();
        let corner = numbers.place(6.0).as_vec3();
        let size = Vec3::splat(1.0) + numbers.place(0.5).as_vec3();
        world
            .set_primitive(ids[4], Aabb::new(corner, corner + size).unwrap())
            .unwrap();
    }

    /// Moves them a little, so that the boxes of their paths are the smaller ones.
    fn nudge(world: &mut World, ids: &[ObjectId], numbers: &mut Numbers) {
        for mover in [ids[0], ids[1], ids[2]] {
            let at = world.now().transform(mover).unwrap();
            let [turn, scale] = [0.2, 0.1].map(|span| numbers.place(span));
            let turn = DQuat::from_xyzw(turn.x, turn.y, turn.z, 1.0).normalize();
            let scale = DVec3::ONE + scale;
            let moved = numbers.place(0.5);
            let nudged = at * DAffine3::from_scale_rotation_translation(scale, turn, moved);
            world.set_transform(mover, nudged).unwrap();
        }
    }

    /// The tree over what objects pass through loses nothing: each object comes near the queries
    /// that would hit it.
    #[test]
    fn queries_between_ticks_find_what_brute_force_finds() {
        let mut numbers = Numbers(Rng(41));
        let mut hits = 0;
        for round in 0..80 {
            let mut world = World::new();
            world.keep_history(2);
            let (positions, triangles) = cube();
            let mesh = Arc::new(TriMesh::new(positions, triangles).unwrap());
            let mut ids: Vec<ObjectId> = (0..2)
                .map(|_| world.add_at(Arc::clone(&mesh), DAffine3::IDENTITY).unwrap())
                .collect();
            let bar = bar();
            let rest = bar.rest_pose();
            ids.push(world.add_model(&bar, rest, DAffine3::IDENTITY).unwrap());
            ids.push(world.add(Sphere::new([0.0; 3], 1.0).unwrap()));
            ids.push(world.add(Aabb::new([0.0; 3], [1.0; 3]).unwrap()));
            for tick in 0..2 {
                world.update();
                if tick == 1 && round % 2 == 0 {
                    nudge(&mut world, &ids, &mut numbers);
                } else {
                    change(&mut world, &ids, &mut numbers);
                }
                world.update();
                world.record(tick).unwrap();
            }
            let snapshot = world.at(numbers.0.uniform(0.01, 0.99)).unwrap();
            // The same time as a state with a tree over the interpolated objects.
            let whole = Snapshot::whole(Arc::new(snapshot.state().clone()));
            for _ in 0..600 {
                let (from, to) = (numbers.place(8.0).as_vec3(), numbers.place(8.0).as_vec3());
                let ray = Ray::new(from, to - from).unwrap();
                let found = snapshot.cast_ray(&ray, ());
                assert_eq!(found, whole.cast_ray(&ray, ()));
                assert_eq!(snapshot.cast_ray_any(&ray, ()), found.is_some());
                assert_eq!(
                    snapshot.cast_ray_all(&ray, ()),
                    whole.cast_ray_all(&ray, ())
                );
                let start = Aabb::new(from, from + 0.5).unwrap();
                let moving = ShapeCast::new(start, to - from).unwrap();
                assert_eq!(
                    snapshot.cast_shape(&moving, ()),
                    whole.cast_shape(&moving, ())
                );
                hits += usize::from(found.is_some());
            }
        }
        assert!(hits > 2000, "{hits} hits");
    }

    #[test]
    fn positions_go_straight_and_turns_along_the_shorter_arc() {
        let mut world = World::new();
        world.keep_history(2);
        let (positions, triangles) = cube();
        let mesh = Arc::new(TriMesh::new(positions, triangles).unwrap());
        let bar = world.add_at(mesh, DAffine3::IDENTITY).unwrap();
        for (tick, angle) in [(10, 0.0), (14, core::f64::consts::FRAC_PI_2)] {
            let at = DVec3::X * f64::from(u8::try_from(tick).unwrap());
            let turn = DQuat::from_rotation_x(angle);
            let placed = DAffine3::from_rotation_translation(turn, at);
            world.set_transform(bar, placed).unwrap();
            world.update();
            world.record(tick).unwrap();
        }
        let half = world.at(12.0).unwrap().object_bounds(bar).unwrap();
        // A bar from z = 0 to 3, half way of a quarter turn about x: its end is at 3 / sqrt(2).
        let end = 3.0 * core::f32::consts::FRAC_1_SQRT_2;
        assert_eq!((half.min().x, half.max().x), (12.0, 13.0));
        assert!((half.min().y + end).abs() < 1e-6, "{half:?}");
        assert!((half.max().z - end - core::f32::consts::FRAC_1_SQRT_2).abs() < 1e-6);
    }
}
