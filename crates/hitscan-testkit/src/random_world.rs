//! Worlds of random shapes: terrain with holes, meshes placed by any transform, spheres and boxes.
//!
//! Here is what a world holds; what it must answer is for the tests to work out.

use crate::Rng;
use crate::closed_mesh::ClosedMesh;
use glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::height_field::{Diagonal, Grid};
use hitscan::{Aabb, HeightField, ObjectId, Sphere, TriMesh, World};
use std::sync::Arc;

/// A shape as it is placed in a world.
#[derive(Debug, Clone)]
pub enum Shape {
    /// Terrain.
    Terrain(Arc<HeightField>),
    /// A mesh, and its transform into the world.
    Mesh(Arc<TriMesh>, DAffine3),
    /// A solid sphere.
    Sphere(Sphere),
    /// A solid box.
    Aabb(Aabb),
}

impl Shape {
    /// Adds the shape to a world.
    ///
    /// # Panics
    /// When the world refuses it.
    pub fn add_to(&self, world: &mut World) -> ObjectId {
        match self {
            Self::Terrain(field) => world.add(Arc::clone(field)),
            Self::Mesh(mesh, placement) => world
                .add_at(Arc::clone(mesh), *placement)
                .expect("placements are invertible"),
            Self::Sphere(sphere) => world.add(*sphere),
            Self::Aabb(aabb) => world.add(*aabb),
        }
    }

    /// The triangles as they are placed in the world, with their numbers; none for solids.
    #[must_use]
    pub fn triangles(&self) -> Vec<(u32, [DVec3; 3])> {
        match self {
            Self::Terrain(field) => (0..)
                .take(field.triangle_count())
                .filter_map(|triangle| Some((triangle, field.triangle(triangle)?)))
                .collect(),
            Self::Mesh(mesh, placement) => {
                let place = |corner: u32| {
                    placement.transform_point3(mesh.positions()[corner as usize].as_dvec3())
                };
                (0..)
                    .zip(mesh.triangles().iter().map(|corners| corners.map(place)))
                    .collect()
            }
            Self::Sphere(_) | Self::Aabb(_) => Vec::new(),
        }
    }

    /// Whether the transform turns the shape inside out.
    #[must_use]
    pub fn is_mirrored(&self) -> bool {
        matches!(self, Self::Mesh(_, placement) if placement.matrix3.determinant() < 0.0)
    }

    /// A random shape of some metres whose place is within `span` metres of 0 on each axis.
    ///
    /// # Panics
    /// Never: all that it makes is in range.
    #[must_use]
    pub fn random(rng: &mut Rng, span: f32) -> Self {
        match rng.below(8) {
            0 => Self::Terrain(Arc::new(terrain(rng, span))),
            1 => {
                let center = Vec3::from_array([0; 3].map(|_| rng.uniform_f32(-span, span)));
                let radius = rng.uniform(0.2, 3.0);
                Self::Sphere(Sphere::new(center, radius).expect("the radius is positive"))
            }
            2 => {
                // Whole coordinates, so that boxes touch.
                let [p, q] = [0; 2].map(|_| {
                    Vec3::from_array([0; 3].map(|_| rng.uniform_f32(-span, span).round()))
                });
                Self::Aabb(Aabb::new(p.min(q), p.max(q)).expect("the corners are ordered"))
            }
            _ => Self::Mesh(Arc::new(mesh(rng).tri_mesh()), placement(rng, span)),
        }
    }
}

/// The world of these shapes, in this order, up to date.
#[must_use]
pub fn world_of<'a>(shapes: impl IntoIterator<Item = &'a Shape>) -> World {
    let mut world = World::new();
    for shape in shapes {
        shape.add_to(&mut world);
    }
    world.update();
    world
}

/// A transform that turns, stretches and moves; often it mirrors, sometimes it only moves, and sometimes
/// it makes a slab or a rail.
#[must_use]
pub fn placement(rng: &mut Rng, span: f32) -> DAffine3 {
    let span = f64::from(span);
    let turn = loop {
        let turn = DQuat::from_array([0; 4].map(|_| rng.uniform(-1.0, 1.0)));
        if turn.length() > 0.1 {
            break turn.normalize();
        }
    };
    let at = DVec3::from_array([0; 3].map(|_| rng.uniform(-span, span)));
    if rng.one_in(4) {
        return DAffine3::from_translation(at.round());
    }
    let scale = DVec3::from_array([0; 3].map(|_| {
        let size = rng.uniform(0.3, 2.0);
        if rng.one_in(3) { -size } else { size }
    }));
    let scale = if rng.one_in(5) {
        scale * thinness(rng)
    } else {
        scale
    };
    DAffine3::from_scale_rotation_translation(scale, turn, at)
}

/// A transform that makes a slab or a rail up to a kilometre long, turned anyhow and often mirrored, at
/// some ten metres to a hundred kilometres from 0.
#[must_use]
pub fn far_slab(rng: &mut Rng) -> DAffine3 {
    let turned = loop {
        let turned = placement(rng, 1.0).matrix3;
        if turned.determinant().abs() > 0.01 {
            break turned;
        }
    };
    let (_, turn, _) = DAffine3::from_mat3(turned).to_scale_rotation_translation();
    // Thin along no axis of the mesh.
    let sheared = if rng.one_in(4) {
        DAffine3::from_quat(turn)
    } else {
        DAffine3::IDENTITY
    };
    let size = libm::pow(10.0, rng.uniform(0.0, 3.0));
    let scale = size * thinness(rng);
    let far = libm::pow(10.0, rng.uniform(1.0, 5.0));
    let at = DVec3::from_array([0; 3].map(|_| rng.uniform(-far, far)));
    DAffine3::from_scale_rotation_translation(scale, turn, at) * sheared
}

/// Scale factors, one or two of them so small that the condition number is beyond the limit for
/// transformed rays, sometimes beyond that for any query.
fn thinness(rng: &mut Rng) -> DVec3 {
    let thin = libm::pow(10.0, rng.uniform(-5.5, -3.7));
    let thin = if rng.one_in(8) { thin * 1e-5 } else { thin };
    let other = if rng.one_in(2) { thin } else { 1.0 };
    let mut factors = DVec3::new(1.0, thin, other);
    if rng.one_in(2) {
        factors.z = -factors.z;
    }
    match rng.below(3) {
        0 => factors,
        1 => DVec3::new(factors.z, factors.x, factors.y),
        _ => DVec3::new(factors.y, factors.z, factors.x),
    }
}

fn mesh(rng: &mut Rng) -> ClosedMesh {
    match rng.below(3) {
        0 => ClosedMesh::bumpy_sphere(1, 0.5, rng),
        1 => ClosedMesh::cube(1 + rng.below(3)),
        _ => ClosedMesh::voxels(3, |[x, y, z]| (x + 2 * y + z * (1 + x)) % 3 != 1),
    }
}

/// Terrain of a few cells with holes, off 0 and with oblong cells.
fn terrain(rng: &mut Rng, span: f32) -> HeightField {
    let span = f64::from(span);
    let (columns, rows) = (2 + rng.below(9), 2 + rng.below(9));
    let spacing = [rng.uniform(0.5, 2.0), rng.uniform(0.5, 2.0)];
    let mut grid = Grid::new(columns, rows, spacing);
    grid.origin = [0; 3].map(|_| rng.uniform(-span - 1.0, 1.0));
    if rng.one_in(2) {
        grid.diagonal = Diagonal::Main;
    }
    let heights = (0..columns * rows)
        .map(|_| {
            if rng.one_in(12) {
                f32::NAN
            } else {
                rng.uniform_f32(-1.0, 2.0)
            }
        })
        .collect();
    HeightField::new(grid, heights).expect("the grid is sound")
}
