//! parry3d: shapes that move against a `HeightField` or a `TriMesh`, or rest at one; points.

use super::parry::{Mesh, Terrain, label, vector};
use crate::answer::{Met, Touch, UNNUMBERED};
use crate::inputs;
use crate::inputs::convex::{self, MOVING_CORNERS};
use crate::inputs::moves::{Kind, Move, Solid};
use crate::shape::Obstacle;
use crate::subject::{Subject, Subjects, each};
use parry3d::math::{Pose, Real, Vector};
use parry3d::query::details::{cast_shapes_heightfield_shape, contact_composite_shape_shape};
use parry3d::query::{DefaultQueryDispatcher, PointQuery as _, ShapeCastHit, ShapeCastOptions};
use parry3d::shape::{
    Ball, Capsule, CompositeShapeRef, ConvexPolyhedron, Cuboid, Cylinder, Shape, TriMesh,
};

pub fn polyhedron(points: &[[f32; 3]]) -> ConvexPolyhedron {
    let points: Vec<Vector> = points.iter().map(|point| vector(*point)).collect();
    ConvexPolyhedron::from_convex_hull(&points).expect("the points have a hull")
}

pub fn shape(solid: Solid) -> Box<dyn Shape> {
    let half = solid.half;
    match solid.kind {
        Kind::Sphere => Box::new(Ball::new(half)),
        Kind::Cube => Box::new(Cuboid::new(Vector::splat(half))),
        Kind::Capsule => Box::new(Capsule::new_y(half, half)),
        Kind::Hull => Box::new(polyhedron(&convex::hull(MOVING_CORNERS, f64::from(half)))),
        Kind::Cylinder => Box::new(Cylinder::new(half, half)),
    }
}

/// A move in parry's own types.
pub struct Prepared {
    pub start: Pose,
    pub motion: Vector,
    length: Real,
}

pub fn prepared(moves: &[Move], shift: f32) -> Vec<Prepared> {
    let prepare = |own: &Move| Prepared {
        start: Pose::from_translation(vector(own.middle) - Vector::new(shift, 0.0, shift)),
        motion: vector(own.motion),
        length: own.length,
    };
    moves.iter().map(prepare).collect()
}

pub fn options() -> ShapeCastOptions {
    ShapeCastOptions::with_max_time_of_impact(1.0)
}

pub fn touch(own: &Prepared, hit: &ShapeCastHit, primitive: u32) -> Touch {
    Touch {
        distance: hit.time_of_impact * own.length,
        normal: hit.normal1.into(),
        primitive,
    }
}

impl Obstacle for Terrain {
    fn first_contacts<'a>(&'a self, solid: Solid, moves: &[Move]) -> Subjects<'a, Option<Touch>> {
        let (shape, options) = (shape(solid), options());
        let ask = move |own: &Prepared| {
            let (dispatcher, start) = (&DefaultQueryDispatcher, &own.start);
            let (field, motion) = (&self.field, own.motion);
            let hit =
                cast_shapes_heightfield_shape(dispatcher, start, motion, field, &*shape, options);
            Some(touch(own, &hit.ok()??, UNNUMBERED))
        };
        vec![each(
            label("HeightField"),
            prepared(moves, self.shift),
            None,
            ask,
        )]
    }
}

impl Obstacle for Mesh {
    fn first_contacts<'a>(&'a self, solid: Solid, moves: &[Move]) -> Subjects<'a, Option<Touch>> {
        let (shape, options) = (shape(solid), options());
        let ask = move |own: &Prepared| {
            let (dispatcher, mesh) = (&DefaultQueryDispatcher, CompositeShapeRef(&self.mesh));
            let hit = mesh.cast_shape(dispatcher, &own.start, own.motion, &*shape, options);
            let (triangle, hit) = hit?;
            Some(touch(own, &hit, triangle))
        };
        vec![each(label("TriMesh"), prepared(moves, 0.0), None, ask)]
    }
}

/// O1: the least separation of each shape within a margin.
pub fn separations<'a>(
    mesh: &inputs::Mesh,
    solid: Solid,
    middles: &[[f32; 3]],
    margin: f32,
) -> Box<dyn Subject<Option<f32>> + 'a> {
    let (mesh, shape): (TriMesh, _) = (super::parry::tri_mesh(mesh), shape(solid));
    let place = |middle: &[f32; 3]| Pose::from_translation(vector(*middle));
    let ask = move |place: &Pose| {
        let (dispatcher, shape) = (&DefaultQueryDispatcher, &*shape);
        let contact = contact_composite_shape_shape(dispatcher, place, &mesh, shape, margin);
        contact.map(|contact| contact.dist)
    };
    let places = middles.iter().map(place).collect();
    each(label("TriMesh, contact"), places, None, ask)
}

/// C1: the distance of each point.
pub fn distances<'a>(
    mesh: &inputs::Mesh,
    points: &[[f32; 3]],
) -> Box<dyn Subject<Option<Met>> + 'a> {
    let mesh = super::parry::tri_mesh(mesh);
    let ask = move |point: &Vector| {
        let nearest = mesh.project_local_point(*point, true);
        Some(Met {
            t: (nearest.point - *point).length(),
            primitive: nearest.subshape,
        })
    };
    let points = points.iter().map(|point| vector(*point)).collect();
    each(label("TriMesh, project_point"), points, None, ask)
}
