//! Worlds for rays that are cast together: terrain and meshes of many triangles, at rest, rotated,
//! mirrored, all but flat, and models with parts of many triangles and of few, in their poses, among
//! solids.

use crate::closed_mesh::ClosedMesh;
use crate::random_world::{Shape, placement};
use crate::{Rng, random_model};
use glam::{DAffine3, DQuat, DVec3};
use hitscan::height_field::Grid;
use hitscan::model::{Model, ModelData, NodeData, NodeTransform, PartData, PosedModel};
use hitscan::simd::Width;
use hitscan::{Capsule, HeightField, Obb, ObjectId, TriMesh, World};
use std::sync::Arc;

/// Metres from 0 within which most things are.
pub const SPAN: f32 = 8.0;

/// Terrain of several blocks with holes.
///
/// # Panics
/// Never: the grid is sound.
#[must_use]
pub fn terrain(rng: &mut Rng) -> HeightField {
    let (columns, rows) = (40 + rng.below(30), 30 + rng.below(30));
    let mut grid = Grid::new(columns, rows, [0.4, 0.5]);
    grid.origin = [-10.0, rng.uniform(-3.0, 1.0).round(), -10.0];
    let heights = (0..columns * rows)
        .map(|_| match rng.below(40) {
            0 => f32::NAN,
            // Level ground here and there, so that terrains tie.
            1..20 => 0.0,
            _ => rng.uniform_f32(-0.5, 1.0),
        })
        .collect();
    HeightField::new(grid, heights).expect("the grid is sound")
}

/// A model at rest: parts of many triangles and of few, some of them rotated and mirrored by nodes.
fn still_model(parts: usize, rng: &mut Rng) -> Model {
    let nodes = (0..parts).map(|_| NodeData {
        local: NodeTransform::Trs {
            translation: DVec3::from_array([0; 3].map(|_| rng.uniform(-2.0, 2.0))),
            rotation: DQuat::IDENTITY,
            scale: DVec3::new(1.0, [1.0, -1.0][rng.below(2)], 0.7),
        },
        ..NodeData::default()
    });
    let nodes = nodes.collect();
    let parts = (0..parts).map(|node| {
        let mesh = ClosedMesh::bumpy_sphere([4, 1, 4][node % 3], 0.4, rng);
        PartData {
            name: format!("part{node}"),
            node,
            positions: mesh.positions,
            triangles: mesh.triangles,
            ..PartData::default()
        }
    });
    let data = ModelData {
        nodes,
        parts: parts.collect(),
        ..ModelData::default()
    };
    Model::new(data).expect("the model is sound")
}

/// What worlds are made of.
#[derive(Debug)]
pub struct Stock {
    terrains: Vec<HeightField>,
    meshes: Vec<TriMesh>,
    models: Vec<Arc<Model>>,
}

impl Stock {
    /// Terrains, meshes and models.
    ///
    /// # Panics
    /// Never: random models are accepted.
    #[must_use]
    pub fn new(rng: &mut Rng) -> Self {
        let mut models: Vec<Model> = [1, 3, 6].map(|parts| still_model(parts, rng)).into();
        models.extend((0..2).map(|_| Model::new(random_model(rng)).expect("the model is sound")));
        let meshes = [4, 5, 3].map(|depth| ClosedMesh::bumpy_sphere(depth, 0.5, rng).tri_mesh());
        Self {
            terrains: (0..2).map(|_| terrain(rng)).collect(),
            meshes: meshes.into(),
            models: models.into_iter().map(Arc::new).collect(),
        }
    }

    /// The models, some of which deform.
    #[must_use]
    pub fn models(&self) -> &[Arc<Model>] {
        &self.models
    }

    /// A random world whose shapes and tree use these vectors; the same for the same random numbers.
    ///
    /// # Panics
    /// Never: what is out of range is skipped.
    #[must_use]
    pub fn world(&self, width: Width, rng: &mut Rng) -> (World, Vec<ObjectId>) {
        let mut world = World::new();
        let mut objects = Vec::new();
        let terrains = self.terrains.iter().cloned();
        let terrains: Vec<_> = terrains
            .map(|field| Arc::new(field.with_width(width)))
            .collect();
        let meshes = self.meshes.iter().cloned();
        let meshes: Vec<_> = meshes
            .map(|mesh| Arc::new(mesh.with_width(width)))
            .collect();
        for _ in 0..4 + rng.below(16) {
            let at = match rng.below(12) {
                // Rays through these would lose too much: their corners are moved instead.
                0 => DAffine3::from_scale(DVec3::new(1.0, 1e-9, 1.0)),
                1 => DAffine3::IDENTITY,
                _ => placement(rng, SPAN),
            };
            let id = match rng.below(9) {
                0 | 1 => world.add(Arc::clone(&terrains[rng.below(2)])),
                2..5 => {
                    let mesh = Arc::clone(&meshes[rng.below(meshes.len())]);
                    world.add_at(mesh, at).expect("placements are invertible")
                }
                5 | 6 => {
                    let model = &self.models[rng.below(self.models.len())];
                    let posed = match model.clips().len() {
                        0 => PosedModel::new(model, model.rest_pose()),
                        clips => {
                            PosedModel::at_clip(model, rng.below(clips), rng.uniform(0.0, 3.0))
                        }
                    };
                    let added = posed.and_then(|posed| world.add_at(Arc::new(posed), at));
                    // A random model may be out of range there.
                    let Ok(id) = added else { continue };
                    id
                }
                _ if rng.one_in(3) => add_turned(&mut world, rng),
                _ => Shape::random(rng, SPAN).add_to(&mut world),
            };
            if rng.one_in(3) {
                let layers = [0, 1, 2, 3][rng.below(4)];
                world.set_layers(id, layers).expect("the object is there");
            }
            objects.push(id);
        }
        let mut world = world.with_width(width);
        world.update();
        (world, objects)
    }
}

/// Adds an oriented box or a capsule.
fn add_turned(world: &mut World, rng: &mut Rng) -> ObjectId {
    let at = placement(rng, SPAN);
    let (_, turn, place) = at.to_scale_rotation_translation();
    let [center, size] = [place, DVec3::new(0.5, 1.0, 2.0)].map(|v| v.as_vec3());
    if rng.one_in(2) {
        let capsule = Capsule::new(center, center + size, rng.uniform(0.1, 1.0));
        world.add(capsule.expect("the capsule is in range"))
    } else {
        let obb = Obb::new(center, size, turn.normalize());
        world.add(obb.expect("the box is in range"))
    }
}
