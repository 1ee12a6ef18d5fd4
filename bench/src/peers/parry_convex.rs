//! parry3d: hulls and cylinders, distances of meshes, and shapes that turn while they move.

use super::parry::{label, tri_mesh, vector};
use super::parry_moves::{options, polyhedron, prepared, shape, touch};
use crate::answer::{Met, Touch, UNNUMBERED};
use crate::inputs::convex::Turn;
use crate::inputs::moves::{Move, Solid};
use crate::inputs::{self, Question, Rays};
use crate::shape::Obstacle;
use crate::subject::{Subjects, build, each};
use parry3d::math::{Pose, Vector};
use parry3d::query::{NonlinearRigidMotion, Ray, cast_shapes, cast_shapes_nonlinear, distance};
use parry3d::shape::{ConvexPolyhedron, Cylinder, Shape, TriMesh};
use std::f32::consts::FRAC_PI_2;

fn rays_at<'a>(way: &str, shape: impl Shape + Sync + 'a, rays: &Rays) -> Subjects<'a, Option<Met>> {
    let ray = |question: &Question| Ray::new(vector(question.origin), vector(question.direction));
    let ask = move |ray: &Ray| {
        let hit = shape.cast_local_ray_and_get_normal(ray, f32::MAX, true)?;
        Some(Met {
            t: hit.time_of_impact,
            primitive: UNNUMBERED,
        })
    };
    vec![each(label(way), rays.iter().map(ray).collect(), None, ask)]
}

pub fn rays_at_hull<'a>(points: &[[f32; 3]], rays: &Rays) -> Subjects<'a, Option<Met>> {
    rays_at("ConvexPolyhedron", polyhedron(points), rays)
}

pub fn rays_at_cylinder<'a>(half: f32, radius: f32, rays: &Rays) -> Subjects<'a, Option<Met>> {
    rays_at("Cylinder", Cylinder::new(half, radius), rays)
}

/// A hull that others move at.
pub struct Hull(ConvexPolyhedron);

impl Hull {
    pub fn new(points: &[[f32; 3]]) -> Self {
        Self(polyhedron(points))
    }
}

impl Obstacle for Hull {
    fn first_contacts<'a>(&'a self, solid: Solid, moves: &[Move]) -> Subjects<'a, Option<Touch>> {
        let shape = shape(solid);
        let ask = move |own: &super::parry_moves::Prepared| {
            let here = Pose::IDENTITY;
            let hit = cast_shapes(
                &here,
                Vector::ZERO,
                &self.0,
                &own.start,
                own.motion,
                &*shape,
                options(),
            );
            Some(touch(own, &hit.ok()??, UNNUMBERED))
        };
        vec![each(label("cast_shapes"), prepared(moves, 0.0), None, ask)]
    }
}

pub fn build_hull(points: &[[f32; 3]]) -> Subjects<'_, ()> {
    let bytes = |hull: &ConvexPolyhedron| {
        size_of_val(hull.points())
            + size_of_val(hull.faces())
            + size_of_val(hull.edges())
            + size_of_val(hull.vertices())
    };
    vec![build(
        label("ConvexPolyhedron"),
        || polyhedron(points),
        bytes,
    )]
}

/// How far a mesh is from itself moved to each place.
pub fn mesh_distances<'a>(mesh: &inputs::Mesh, places: &[[f32; 3]]) -> Subjects<'a, Option<f32>> {
    let mesh: TriMesh = tri_mesh(mesh);
    let ask = move |place: &Pose| {
        Some(
            distance(&Pose::IDENTITY, &mesh, place, &mesh)
                .ok()?
                .distance,
        )
    };
    let places = places
        .iter()
        .map(|place| Pose::from_translation(vector(*place)));
    vec![each(label("distance"), places.collect(), None, ask)]
}

/// parry turns shapes against meshes, not against its height fields: the terrain is a mesh.
pub fn turns_over_terrain<'a>(
    terrain: &inputs::Terrain,
    solid: Solid,
    turns: &[Turn],
) -> Subjects<'a, Option<f32>> {
    let (mesh, shape) = (tri_mesh(&terrain.as_mesh()), shape(solid));
    let motion = |turn: &Turn| {
        let start = Pose::from_translation(vector(turn.own.middle));
        let speed = vector(turn.axis) * FRAC_PI_2;
        NonlinearRigidMotion::new(start, Vector::ZERO, vector(turn.own.motion), speed)
    };
    let rest = NonlinearRigidMotion::constant_position(Pose::IDENTITY);
    let ask = move |turn: &NonlinearRigidMotion| {
        let hit = cast_shapes_nonlinear(&rest, &mesh, turn, &*shape, 0.0, 1.0, true);
        Some(hit.ok()??.time_of_impact)
    };
    vec![each(
        label("cast_shapes_nonlinear, TriMesh"),
        turns.iter().map(motion).collect(),
        None,
        ask,
    )]
}
