//! Worlds with one object of each kind, with known corners, and rays for the cases that are hard.

use glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};
use hitscan::model::{Model, PosedModel};
use hitscan::{Capsule, Obb, ObjectId, Ray, Sphere, World};
use hitscan_testkit::closest_oracle::wide;
use hitscan_testkit::random_world::Shape;
use hitscan_testkit::{Rng, Vector, random_model};
use std::sync::Arc;

/// What an object is made of.
pub(crate) enum Body {
    Triangles(Vec<[DVec3; 3]>),
    /// What is within a radius of one point, a segment or a box.
    Core(Vec<DVec3>, f64),
}

/// An object, and what it is made of.
pub(crate) struct Thing {
    pub(crate) object: ObjectId,
    pub(crate) body: Body,
    /// Whether rays are tested against exactly these corners: other meshes are tested in their own space.
    pub(crate) is_exact: bool,
}

impl Thing {
    fn corners(&self) -> Vec<DVec3> {
        match &self.body {
            Body::Triangles(all) => all.iter().flatten().copied().collect(),
            Body::Core(corners, _) => corners.clone(),
        }
    }

    pub(crate) fn pieces(&self) -> (Vec<Vec<DVec3>>, f64) {
        match &self.body {
            Body::Triangles(all) => (all.iter().map(|corners| corners.to_vec()).collect(), 0.0),
            Body::Core(corners, radius) => (vec![corners.clone()], *radius),
        }
    }

    /// Where its outline may be: the edges of triangles and boxes, the axis of a capsule.
    pub(crate) fn edges(&self) -> Vec<[DVec3; 2]> {
        match &self.body {
            Body::Triangles(all) => (all.iter())
                .flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]])
                .collect(),
            Body::Core(corners, _) if corners.len() == 8 => [1, 2, 4]
                .iter()
                .flat_map(|bit| (0..8).filter(move |k| k & bit == 0).map(move |k| (k, bit)))
                .map(|(k, bit)| [corners[k], corners[k | bit]])
                .collect(),
            Body::Core(corners, _) => vec![[corners[0], *corners.last().unwrap()]],
        }
    }
}

fn point(rng: &mut Rng, span: f32) -> Vec3 {
    Vec3::from_array([0; 3].map(|_| rng.uniform_f32(-span, span)))
}

fn turned(rng: &mut Rng) -> DQuat {
    DQuat::from_euler(
        glam::EulerRot::XYZ,
        rng.uniform(-3.0, 3.0),
        rng.uniform(-1.5, 1.5),
        rng.uniform(-3.0, 3.0),
    )
}

/// One of each kind, and some more meshes, mirrored, sheared and all but flat ones among them.
pub(crate) fn stock(rng: &mut Rng) -> (World, Vec<Thing>) {
    let mut world = World::new();
    let mut things = Vec::new();
    let mut meshes = 0;
    while meshes < 3 {
        let shape = Shape::random(rng, 6.0);
        let is_exact = match &shape {
            Shape::Mesh(_, placement) => placement.matrix3 == DMat3::IDENTITY,
            _ => true,
        };
        let body = match &shape {
            Shape::Sphere(ball) => Body::Core(vec![ball.center().as_dvec3()], ball.radius()),
            Shape::Aabb(aabb) => {
                let (min, max) = (aabb.min().as_dvec3(), aabb.max().as_dvec3());
                let end = |k: usize, i: usize| if k >> i & 1 == 1 { max[i] } else { min[i] };
                let corner = |k| DVec3::new(end(k, 0), end(k, 1), end(k, 2));
                Body::Core((0..8).map(corner).collect(), 0.0)
            }
            _ => {
                let triangles = shape.triangles();
                let triangles = triangles.into_iter().map(|(_, corners)| corners);
                Body::Triangles(triangles.filter(has_area).collect())
            }
        };
        if matches!(&body, Body::Triangles(all) if all.is_empty() || all.len() > 130) {
            continue;
        }
        meshes += usize::from(matches!(body, Body::Triangles(_)));
        let object = shape.add_to(&mut world);
        things.push(Thing {
            object,
            body,
            is_exact,
        });
    }
    let ball = Sphere::new(point(rng, 6.0), rng.uniform(0.01, 3.0)).unwrap();
    let a = point(rng, 6.0);
    let b = if rng.one_in(4) { a } else { point(rng, 6.0) };
    let capsule = Capsule::new(a, b, rng.uniform(0.01, 2.0)).unwrap();
    let mut half_size = point(rng, 2.0).abs();
    if rng.one_in(3) {
        half_size[rng.below(3)] = 0.0;
    }
    let obb = Obb::new(point(rng, 6.0), half_size, turned(rng)).unwrap();
    let ends = vec![capsule.a().as_dvec3(), capsule.b().as_dvec3()];
    let ends = if a == b { vec![ends[0]] } else { ends };
    let center = vec![ball.center().as_dvec3()];
    for (object, body) in [
        (world.add(ball), Body::Core(center, ball.radius())),
        (world.add(capsule), Body::Core(ends, capsule.radius())),
        (world.add(obb), Body::Core(obb.corners().to_vec(), 0.0)),
    ] {
        things.push(Thing {
            object,
            body,
            is_exact: true,
        });
    }
    things.push(model(rng, &mut world));
    world.update();
    (world, things)
}

/// Whether the corners are not all on one line, exactly: else a triangle is nothing.
fn has_area(corners: &[DVec3; 3]) -> bool {
    let [a, b, c] = corners.map(wide);
    let minus = |p: &Vector, q: &Vector| [0, 1, 2].map(|i: usize| &p[i] - &q[i]);
    let (u, v) = (minus(&b, &a), minus(&c, &a));
    [(1, 2), (2, 0), (0, 1)]
        .iter()
        .any(|(j, k)| &u[*j] * &v[*k] != &u[*k] * &v[*j])
}

/// A model in a pose, placed.
fn model(rng: &mut Rng, world: &mut World) -> Thing {
    loop {
        let model = Arc::new(Model::new(random_model(rng)).unwrap());
        let pose = model.pose_at(0, 0.3).unwrap();
        let scale = DVec3::new(1.5, [0.5, -0.5][rng.below(2)], 1.0);
        let at = point(rng, 5.0).as_dvec3();
        let placement = DAffine3::from_scale_rotation_translation(scale, turned(rng), at);
        let skinned = model.skinned(&pose).unwrap();
        let mut triangles = Vec::new();
        for (posed, part) in skinned.parts().iter().zip(model.parts()) {
            let positions = posed.positions(part);
            let world_from_part = placement * posed.model_from_part;
            for corners in part.mesh().triangles() {
                let place = |corner: u32| positions[corner as usize].as_dvec3();
                let corners = corners.map(|corner| world_from_part.transform_point3(place(corner)));
                triangles.extend(Some(corners).filter(has_area));
            }
        }
        let is_near = triangles.iter().flatten().all(|at| at.length() < 60.0);
        if triangles.is_empty() || !is_near {
            continue;
        }
        let posed = Arc::new(PosedModel::new(&model, &pose).unwrap());
        return Thing {
            object: world.add_at(posed, placement).unwrap(),
            body: Body::Triangles(triangles),
            is_exact: false,
        };
    }
}

/// Rays beside a face and in its plane, through corners, from within, over one t alone.
pub(crate) fn nasty_ray(rng: &mut Rng, thing: &Thing) -> Option<Ray> {
    let corners = thing.corners();
    let any = |rng: &mut Rng| {
        let start = rng.below(corners.len()) / 3 * 3;
        [0, 1, 2].map(|k: usize| corners[(start + k) % corners.len()])
    };
    let [a, b, c] = any(rng);
    let middle = corners.iter().sum::<DVec3>() / corners.len() as f64;
    let normal = (b - a).cross(c - a);
    let (origin, direction) = match rng.below(8) {
        0 => (a + normal * rng.uniform(-1.0, 1.0), b - a),
        1 => (a + (a - b) * 2.0, b - a + (c - a) * rng.uniform(0.0, 1.0)),
        2 => (a - (c - b) * 3.0, c - b),
        3 => {
            let origin = point(rng, 9.0).as_dvec3();
            (origin, a - origin)
        }
        4 => (middle, point(rng, 1.0).as_dvec3()),
        5 => {
            let origin = point(rng, 9.0).as_dvec3();
            (origin, middle + point(rng, 2.0).as_dvec3() - origin)
        }
        _ => (point(rng, 12.0).as_dvec3(), point(rng, 3.0).as_dvec3()),
    };
    let direction = direction.as_vec3();
    if direction.length() < 0.01 {
        return None;
    }
    let ray = Ray::new(origin.as_vec3(), direction).ok()?;
    let (from, to) = [
        (0.0, f32::INFINITY),
        (0.0, f32::INFINITY),
        (0.0, 0.5),
        (0.25, 2.0),
        (0.5, 0.5),
        (-1.0, 0.0),
    ][rng.below(6)];
    ray.with_range(from, to).ok()
}
