//! Pairs of worlds: one with a compound, the other with its parts as objects of their own at the same place.

use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::height_field::Grid;
use hitscan::{
    Aabb, Capsule, Compound, CompoundPart, ConvexHull, Cylinder, HeightField, Obb, ObjectId,
    Primitive, RayHit, Sphere, TriMesh, TriangleId, World,
};
use hitscan_testkit::Rng;
use std::fmt;
use std::sync::Arc;

/// A number in quarters, from `-most` quarters on.
pub(crate) fn quarters(rng: &mut Rng, most: usize) -> f32 {
    let steps = u16::try_from(rng.below(2 * most + 1)).unwrap();
    (f32::from(steps) - f32::from(u16::try_from(most).unwrap())) * 0.25
}

/// A place where much is tied.
pub(crate) fn place(rng: &mut Rng) -> Vec3 {
    if rng.one_in(4) {
        return Vec3::from([(); 3].map(|()| rng.uniform_f32(-4.0, 4.0)));
    }
    Vec3::from([(); 3].map(|()| quarters(rng, 12)))
}

/// How a compound is placed: a turn, a factor, a way. Turns are exact in f64, factors powers of two.
pub(crate) struct Placing {
    pub(crate) turn: DQuat,
    pub(crate) factor: f32,
    pub(crate) way: DVec3,
}

impl Placing {
    fn new(rng: &mut Rng) -> Self {
        let turns = [
            DQuat::IDENTITY,
            DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5),
            DQuat::from_xyzw(0.0, 1.0, 0.0, 0.0),
            DQuat::from_xyzw(-0.5, 0.5, 0.5, 0.5),
            // A turn by no round angle whose matrix f64 holds.
            DQuat::from_xyzw(0.0, 0.28, 0.0, 0.96),
        ];
        let is_moved = !rng.one_in(4);
        Self {
            turn: if is_moved {
                turns[rng.below(4)]
            } else {
                turns[0]
            },
            factor: [1.0, 1.0, 0.5, 2.0][if is_moved { rng.below(4) } else { 0 }],
            way: if is_moved {
                DVec3::from_array([(); 3].map(|()| quarters(rng, 8).into()))
            } else {
                DVec3::ZERO
            },
        }
    }

    pub(crate) fn transform(&self) -> DAffine3 {
        DAffine3::from_scale_rotation_translation(
            DVec3::splat(self.factor.into()),
            self.turn,
            self.way,
        )
    }

    /// A solid where the transform takes it, as one that is added by itself.
    fn placed(&self, solid: &Primitive) -> Primitive {
        let transform = self.transform();
        let at = |point: Vec3| transform.transform_point3(point.as_dvec3()).as_vec3();
        match solid {
            _ if transform == DAffine3::IDENTITY => solid.clone(),
            Primitive::Sphere(sphere) => Sphere::new(
                at(sphere.center()),
                sphere.radius() * f64::from(self.factor),
            )
            .unwrap()
            .into(),
            Primitive::Capsule(capsule) => {
                let radius = capsule.radius() * f64::from(self.factor);
                Capsule::new(at(capsule.a()), at(capsule.b()), radius)
                    .unwrap()
                    .into()
            }
            Primitive::Cylinder(cylinder) => {
                let radius = cylinder.radius() * f64::from(self.factor);
                Cylinder::new(at(cylinder.a()), at(cylinder.b()), radius)
                    .unwrap()
                    .into()
            }
            Primitive::Aabb(aabb) => {
                let half = (aabb.max() - aabb.min()) * 0.5 * self.factor;
                Obb::new(at(aabb.center()), half, self.turn).unwrap().into()
            }
            Primitive::Obb(obb) => {
                let half = obb.half_size() * self.factor;
                Obb::new(at(obb.center()), half, self.turn * obb.rotation())
                    .unwrap()
                    .into()
            }
            Primitive::ConvexHull(hull) => hull
                .placed(&(transform * *hull.transform()))
                .unwrap()
                .into(),
        }
    }
}

/// A world with a compound, and one with its parts apart. Other objects precede and follow it.
pub(crate) struct Pair {
    pub(crate) compound: World,
    pub(crate) apart: World,
    pub(crate) id: ObjectId,
    pub(crate) parts: Vec<ObjectId>,
    /// Each object of the world of parts, by its number in the other.
    objects: Vec<ObjectId>,
    solids: Vec<Primitive>,
    placing: Placing,
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} at {}", self.solids, self.placing.transform())
    }
}

impl Pair {
    pub(crate) fn new(rng: &mut Rng, round: usize) -> Self {
        let placing = Placing::new(rng);
        let count = if round.is_multiple_of(8) {
            12 + rng.below(40)
        } else {
            1 + rng.below(6)
        };
        let solids: Vec<Primitive> = (0..count).map(|_| solid(rng)).collect();
        let parts = solids.iter().enumerate();
        let parts = parts.map(|(number, solid)| CompoundPart::new(format!("part{number}"), solid));
        let whole = Compound::new(parts).unwrap();
        let (mut compound, mut apart) = (World::new(), World::new());
        let mut objects = Vec::new();
        add_others(rng, &mut compound, &mut apart, &mut objects);
        let id = compound.add_at(whole, placing.transform()).unwrap();
        let parts: Vec<ObjectId> = solids
            .iter()
            .map(|solid| apart.add(placing.placed(solid)))
            .collect();
        objects.extend(parts.iter().map(|_| id));
        add_others(rng, &mut compound, &mut apart, &mut objects);
        compound.set_user_data(id, 40).unwrap();
        for part in &parts {
            apart.set_user_data(*part, 40).unwrap();
        }
        compound.update();
        apart.update();
        Self {
            compound,
            apart,
            id,
            parts,
            objects,
            solids,
            placing,
        }
    }

    /// Some of the parts, mostly none.
    pub(crate) fn hidden(&self, rng: &mut Rng) -> Vec<u32> {
        if !rng.one_in(3) {
            return Vec::new();
        }
        let all = 0..u32::try_from(self.parts.len()).unwrap();
        all.filter(|_| rng.one_in(2)).collect()
    }

    pub(crate) fn hidden_parts(&self, hidden: &[u32]) -> Vec<(ObjectId, u32)> {
        hidden.iter().map(|part| (self.id, *part)).collect()
    }

    pub(crate) fn hidden_objects(&self, hidden: &[u32]) -> Vec<ObjectId> {
        hidden
            .iter()
            .map(|part| self.parts[*part as usize])
            .collect()
    }

    pub(crate) fn has_boxes_only(&self) -> bool {
        let is_box = |solid: &Primitive| matches!(solid, Primitive::Aabb(_) | Primitive::Obb(_));
        self.solids.iter().all(is_box)
    }

    /// What an object of the world of parts, and what is named of it, are in the other world.
    pub(crate) fn named(
        &self,
        object: Option<ObjectId>,
        triangle: Option<TriangleId>,
    ) -> (Option<ObjectId>, Option<TriangleId>) {
        let Some(object) = object else {
            return (None, triangle);
        };
        let other = self.objects[object.index()];
        let Some(part) = self.parts.iter().position(|part| *part == object) else {
            return (Some(other), triangle);
        };
        let triangle = triangle.map_or(TriangleId::WHOLE_PART, |face| face.triangle);
        let part = u32::try_from(part).unwrap();
        (Some(other), Some(TriangleId { part, triangle }))
    }

    pub(crate) fn of_compound(&self, mut hit: RayHit) -> RayHit {
        (hit.object, hit.triangle) = self.named(hit.object, hit.triangle);
        hit
    }
}

/// A solid, of a size and at a place where much is tied; no box is flat.
pub(crate) fn solid(rng: &mut Rng) -> Primitive {
    let half = Vec3::from([(); 3].map(|()| quarters(rng, 3).abs() + 0.25));
    let center = Vec3::from([(); 3].map(|()| quarters(rng, 8)));
    match rng.below(5) {
        0 => Sphere::new(center, half.x).unwrap().into(),
        1 => Aabb::new(center - half, center + half).unwrap().into(),
        2 => Capsule::new(center, center + half - 0.5, half.z)
            .unwrap()
            .into(),
        3 => Obb::new(center, half, DQuat::from_xyzw(0.5, -0.5, 0.5, 0.5))
            .unwrap()
            .into(),
        _ => {
            let points = [(); 5].map(|()| center + Vec3::from([(); 3].map(|()| quarters(rng, 4))));
            let hull = ConvexHull::new(points).unwrap();
            let hull = hull.with_radius([0.0, 0.0, 0.25][rng.below(3)]).unwrap();
            let way = DAffine3::from_translation(center.as_dvec3() * 0.5);
            if rng.one_in(2) {
                hull.placed(&way).unwrap().into()
            } else {
                hull.into()
            }
        }
    }
}

/// The same objects in both worlds.
fn add_others(rng: &mut Rng, compound: &mut World, apart: &mut World, objects: &mut Vec<ObjectId>) {
    for _ in 0..rng.below(3) {
        match rng.below(4) {
            0 => {
                let heights = (0..25).map(|_| quarters(rng, 4) - 2.0).collect();
                let grid = Grid {
                    origin: [-4.0, 0.0, -4.0],
                    ..Grid::new(5, 5, [2.0, 2.0])
                };
                let field = Arc::new(HeightField::new(grid, heights).unwrap());
                objects.push(compound.add(Arc::clone(&field)));
                apart.add(field);
            }
            1 => {
                let corner = place(rng);
                let at = |x: f32, y: f32, z: f32| corner + Vec3::new(x, y, z);
                let positions = vec![
                    at(0.0, 0.0, 0.0),
                    at(2.0, 0.0, 0.0),
                    at(0.0, 2.0, 0.0),
                    at(0.0, 0.0, 2.0),
                ];
                let triangles = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
                let mesh = Arc::new(TriMesh::new(positions, triangles).unwrap());
                objects.push(compound.add(Arc::clone(&mesh)));
                apart.add(mesh);
            }
            _ => {
                let solid = solid(rng);
                objects.push(compound.add(solid.clone()));
                apart.add(solid);
            }
        }
    }
}
