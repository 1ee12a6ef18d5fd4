//! hitscan on shapes that move or rest.

use super::hitscan::{alone, height_field, label, tri_mesh};
use crate::answer::{Met, Touch};
use crate::inputs;
use crate::inputs::moves::{Kind, Move, Solid};
use crate::shape::Obstacle;
use crate::subject::{Subjects, each, filled};
use glam::Vec3;
use hitscan::{Aabb, ClosestPoint, HeightField, ShapeCast, ShapeHit, TriMesh};
use std::sync::Arc;

fn cast(solid: Solid, own: &Move) -> (ShapeCast, f32) {
    let corner = |sign: f32| own.middle.map(|x| x + sign * solid.half);
    let shape = Aabb::new(corner(-1.0), corner(1.0)).expect("shapes are in range");
    let cast = ShapeCast::new(shape, own.motion).expect("motions are finite");
    (cast, own.length)
}

fn touch(hit: Option<ShapeHit>, length: f32) -> Option<Touch> {
    let hit = hit?;
    Some(Touch {
        distance: hit.t * length,
        normal: hit.normal.into(),
        primitive: hit.triangle?.triangle,
    })
}

pub struct Terrain(HeightField);

impl Terrain {
    pub fn new(terrain: &inputs::Terrain) -> Self {
        Self(height_field(terrain))
    }
}

impl Obstacle for Terrain {
    fn first_contacts<'a>(&'a self, solid: Solid, moves: &[Move]) -> Subjects<'a, Option<Touch>> {
        if solid.kind != Kind::Cube {
            return Vec::new();
        }
        let casts = moves.iter().map(|own| cast(solid, own)).collect();
        let ask = |(cast, length): &(ShapeCast, f32)| touch(self.0.cast_shape(cast), *length);
        vec![each(label(""), casts, None, ask)]
    }
}

pub struct Mesh(TriMesh);

impl Mesh {
    pub fn new(mesh: &inputs::Mesh) -> Self {
        Self(tri_mesh(mesh))
    }
}

impl Obstacle for Mesh {
    fn first_contacts<'a>(&'a self, solid: Solid, moves: &[Move]) -> Subjects<'a, Option<Touch>> {
        if solid.kind != Kind::Cube {
            return Vec::new();
        }
        let casts = moves.iter().map(|own| cast(solid, own)).collect();
        let ask = |(cast, length): &(ShapeCast, f32)| touch(self.0.cast_shape(cast), *length);
        vec![each(label(""), casts, None, ask)]
    }
}

pub fn separations<'a>(
    _mesh: &inputs::Mesh,
    _solid: Solid,
    _middles: &[[f32; 3]],
    _margin: f32,
) -> Subjects<'a, Option<f32>> {
    Vec::new()
}

/// C1: the distance of each point, one by one and all at once.
pub fn distances<'a>(mesh: &inputs::Mesh, points: &[[f32; 3]]) -> Subjects<'a, Option<Met>> {
    let mesh = Arc::new(tri_mesh(mesh));
    let read = |nearest: Option<ClosestPoint>| {
        let nearest = nearest?;
        Some(Met {
            t: nearest.distance,
            primitive: nearest.triangle?.triangle,
        })
    };
    let points: Vec<Vec3> = points.iter().map(|point| Vec3::from(*point)).collect();
    let all = points.clone();
    let shared = Arc::clone(&mesh);
    let fill = move |nearest: &mut Vec<Option<ClosestPoint>>| {
        *nearest = alone().install(|| shared.closest_points(&all, f32::INFINITY));
    };
    let ask = move |point: &Vec3| read(mesh.closest_point(*point, f32::INFINITY));
    vec![
        each(label(""), points, None, ask),
        filled(
            label("closest_points").of_many(),
            Vec::new(),
            fill,
            move |nearest| read(*nearest),
        ),
    ]
}
