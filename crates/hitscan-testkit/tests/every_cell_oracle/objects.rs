//! Worlds of one object, and the triangles or the solid that it consists of.

use hitscan::convex::examined::ExaminedShape;
use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::height_field::Grid;
use hitscan::model::{Model, PosedModel};
use hitscan::{
    Aabb, Capsule, Compound, CompoundPart, HeightField, Obb, Primitive, Sphere, TriMesh, World,
};
use hitscan_testkit::core_oracle::RationalCore;
use hitscan_testkit::round_cases::core;
use hitscan_testkit::{Rng, exact, random_model};
use std::sync::Arc;

/// One convex piece of an object: a triangle or a solid.
pub(crate) struct Piece {
    pub(crate) corners: Vec<DVec3>,
    pub(crate) radius: f64,
    pub(crate) core: RationalCore,
}

impl Piece {
    pub(crate) fn new(corners: Vec<DVec3>, radius: f64) -> Self {
        let exact = |corner: &DVec3| corner.to_array().map(exact);
        let core = RationalCore::new(corners.iter().map(exact).collect());
        Self {
            corners,
            radius,
            core,
        }
    }

    pub(crate) fn of(solid: &Primitive) -> Self {
        let (corners, radius) = core(&ExaminedShape::Solid(solid.clone()));
        Self::new(corners, radius)
    }

    fn bounds(&self) -> [DVec3; 2] {
        let ends = |f: fn(DVec3, DVec3) -> DVec3| self.corners.iter().copied().reduce(f);
        let [low, high] = [ends(DVec3::min), ends(DVec3::max)].map(Option::unwrap);
        [low - self.radius, high + self.radius]
    }

    /// Whether the boxes of both, this one moved anywhere along its way, come as near as `margin`.
    pub(crate) fn may_meet(&self, other: &Self, way: DVec3, margin: f64) -> bool {
        let ([low, high], [min, max]) = (self.bounds(), other.bounds());
        let (low, high) = (low + way.min(DVec3::ZERO), high + way.max(DVec3::ZERO));
        (low - margin).cmple(max).all() && (high + margin).cmpge(min).all()
    }
}

/// A world of one object, and what that consists of.
pub(crate) struct Object {
    pub(crate) name: &'static str,
    pub(crate) world: World,
    pub(crate) pieces: Vec<Piece>,
    pub(crate) is_surface: bool,
}

impl Object {
    pub(crate) fn solid(name: &'static str, solid: Primitive) -> Self {
        let mut world = World::new();
        world.add(solid.clone());
        world.update();
        Self {
            name,
            world,
            pieces: vec![Piece::of(&solid)],
            is_surface: false,
        }
    }

    fn surface(name: &'static str, world: World, triangles: Vec<[DVec3; 3]>) -> Self {
        let triangles = triangles.into_iter().filter(has_area);
        Self {
            name,
            world,
            pieces: triangles
                .map(|corners| Piece::new(corners.to_vec(), 0.0))
                .collect(),
            is_surface: true,
        }
    }

    pub(crate) fn triangles(&self) -> impl Iterator<Item = [DVec3; 3]> {
        let pieces = self.pieces.iter().filter(|_| self.is_surface);
        pieces.map(|piece| [piece.corners[0], piece.corners[1], piece.corners[2]])
    }
}

fn has_area([a, b, c]: &[DVec3; 3]) -> bool {
    (*b - *a).cross(*c - *a).length() > 1e-9
}

pub(crate) fn point(rng: &mut Rng, reach: f32) -> Vec3 {
    Vec3::from_array([0; 3].map(|_: u8| rng.uniform_f32(-reach, reach)))
}

pub(crate) fn terrain(rng: &mut Rng) -> Object {
    let heights: Vec<f32> = (0..64).map(|_| rng.uniform_f32(-1.5, 1.5)).collect();
    let grid = Grid {
        origin: [-3.5, 0.0, -3.5],
        ..Grid::new(8, 8, [1.0, 1.0])
    };
    let field = HeightField::new(grid, heights).unwrap();
    let count = u32::try_from(field.triangle_count()).unwrap();
    let triangles = (0..count).filter_map(|id| field.triangle(id)).collect();
    let mut world = World::new();
    world.add(Arc::new(field));
    world.update();
    Object::surface("terrain", world, triangles)
}

pub(crate) fn mesh(rng: &mut Rng) -> Object {
    placed_mesh("mesh", rng, DAffine3::IDENTITY)
}

/// A mesh whose transform makes it a slab or a rail, mirrored in every other world.
pub(crate) fn slab(rng: &mut Rng) -> Object {
    let turn = DQuat::from_array([0; 4].map(|_: u8| rng.uniform(-1.0, 1.0)));
    let [thin, other] = [[1e-4, 1.0], [-3e-5, 1e-4], [1e-9, 1.0]][rng.below(3)];
    let other = if rng.one_in(2) { other } else { -other };
    let transform = DAffine3::from_scale_rotation_translation(
        DVec3::new(1.25, thin, other),
        turn.normalize(),
        point(rng, 1.0).as_dvec3(),
    );
    placed_mesh("slab", rng, transform)
}

fn placed_mesh(name: &'static str, rng: &mut Rng, transform: DAffine3) -> Object {
    let positions: Vec<Vec3> = (0..24).map(|_| point(rng, 3.0)).collect();
    let corner = |rng: &mut Rng| u32::try_from(rng.below(24)).unwrap();
    let triangles: Vec<[u32; 3]> = (0..20).map(|_| [0; 3].map(|_: u8| corner(rng))).collect();
    let wide = |corner: u32| transform.transform_point3(positions[corner as usize].as_dvec3());
    let pieces = triangles.iter().map(|own| own.map(wide)).collect();
    let mesh = TriMesh::new(positions.clone(), triangles.clone()).unwrap();
    let mut world = World::new();
    world.add_at(Arc::new(mesh), transform).unwrap();
    world.update();
    Object::surface(name, world, pieces)
}

/// A posed model of random nodes, skins and morph targets.
pub(crate) fn model(rng: &mut Rng) -> Object {
    loop {
        let model = Arc::new(Model::new(random_model(rng)).unwrap());
        let pose = model.pose_at(0, rng.uniform(0.0, 2.0)).unwrap();
        let Ok(posed) = PosedModel::new(&model, &pose) else {
            continue;
        };
        let mut triangles = Vec::new();
        for part in posed.parts() {
            let (mesh, place) = (part.mesh(), part.model_from_part());
            let corner =
                |corner: u32| place.transform_point3(mesh.positions()[corner as usize].as_dvec3());
            triangles.extend(mesh.triangles().iter().map(|own| own.map(corner)));
        }
        let is_near = |corner: &DVec3| corner.abs().max_element() < 8.0;
        let with_area = triangles.iter().filter(|triangle| has_area(triangle));
        let near = with_area.flatten().filter(|corner| is_near(corner));
        let mut world = World::new();
        let is_added = world.add_model(&model, &pose, DAffine3::IDENTITY).is_ok();
        if is_added && triangles.len() < 60 && near.count() > 12 {
            world.update();
            return Object::surface("posed model", world, triangles);
        }
    }
}

/// A compound of spheres and capsules under a transform that leaves none of them where f32 is: each centre and end is
/// taken once, in f64, a radius is multiplied by the longest image of a unit axis.
pub(crate) fn compound(rng: &mut Rng) -> Object {
    let turn = DQuat::from_array([0; 4].map(|_: u8| rng.uniform(-1.0, 1.0)));
    let factors = DVec3::from_array([0; 3].map(|_: u8| rng.uniform(0.5, 1.25)));
    let way = DVec3::from_array([0; 3].map(|_: u8| rng.uniform(-1.0, 1.0)));
    let transform = DAffine3::from_scale_rotation_translation(factors, turn.normalize(), way);
    let columns = [0, 1, 2].map(|axis: usize| transform.matrix3.col(axis).length());
    let longest = columns.into_iter().fold(0.0, f64::max);
    let (mut parts, mut pieces) = (Vec::new(), Vec::new());
    for number in 0..3 + rng.below(6) {
        let kind = 3 * rng.below(2);
        let solid = random_solid(rng, kind, 2.0);
        let (ends, radius) = match &solid {
            Primitive::Sphere(sphere) => (vec![sphere.center()], sphere.radius()),
            Primitive::Capsule(capsule) => (vec![capsule.a(), capsule.b()], capsule.radius()),
            other => panic!("{other:?}"),
        };
        let ends = ends
            .into_iter()
            .map(|end| transform.transform_point3(end.as_dvec3()));
        pieces.push(Piece::new(ends.collect(), radius * longest));
        parts.push(CompoundPart::new(format!("part{number}"), solid));
    }
    let mut world = World::new();
    world
        .add_at(Compound::new(parts).unwrap(), transform)
        .unwrap();
    world.update();
    Object {
        name: "compound",
        world,
        pieces,
        is_surface: false,
    }
}

pub(crate) fn random_solid(rng: &mut Rng, kind: usize, reach: f32) -> Primitive {
    let (center, half) = (point(rng, reach), point(rng, 1.0).abs() + 0.125);
    let radius = f64::from(rng.uniform_f32(0.125, 1.0));
    match kind {
        0 => Sphere::new(center, radius).unwrap().into(),
        1 => Aabb::new(center - half, center + half).unwrap().into(),
        2 => {
            let turn = DQuat::from_array([0; 4].map(|_: u8| rng.uniform(-1.0, 1.0)));
            Obb::new(center, half, turn.normalize()).unwrap().into()
        }
        _ => Capsule::new(center, center + point(rng, 1.0), radius)
            .unwrap()
            .into(),
    }
}
