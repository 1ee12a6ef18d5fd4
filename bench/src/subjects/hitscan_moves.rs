//! hitscan on shapes that move or rest.

use super::hitscan::{height_field, label, tri_mesh};
use crate::answer::{Met, Touch};
use crate::inputs;
use crate::inputs::moves::{Kind, Move, Solid};
use crate::shape::Obstacle;
use crate::subject::{Subjects, each};
use hitscan::{Aabb, HeightField, ShapeCast, ShapeHit, TriMesh};

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

pub fn distances<'a>(_mesh: &inputs::Mesh, _points: &[[f32; 3]]) -> Subjects<'a, Option<Met>> {
    Vec::new()
}
