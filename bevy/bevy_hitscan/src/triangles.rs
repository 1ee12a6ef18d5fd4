//! The triangles of an object as they are in the world.

use bevy_math::Vec3;
use hitscan::glam::DAffine3;
use hitscan::world::ObjectShape;
use hitscan::{ObjectId, Snapshot};

/// The triangles of a mesh in its pose, or of terrain.
pub(crate) struct Triangles {
    shape: ObjectShape,
    world_from_own: DAffine3,
}

impl Triangles {
    /// Those of an object; `None` of what has none.
    pub(crate) fn of(snapshot: &Snapshot, object: ObjectId) -> Option<Self> {
        let shape = snapshot.shape(object)?;
        let has_triangles = matches!(
            shape,
            ObjectShape::HeightField(_) | ObjectShape::TriMesh(_) | ObjectShape::Model(_)
        );
        let world_from_own = snapshot.transform(object)?;
        has_triangles.then_some(Self {
            shape,
            world_from_own,
        })
    }

    pub(crate) fn part_count(&self) -> u32 {
        match &self.shape {
            ObjectShape::Model(posed) => u32::try_from(posed.part_count()).unwrap_or(u32::MAX),
            _ => 1,
        }
    }

    pub(crate) fn triangle_count(&self, part: u32) -> u32 {
        let count = match &self.shape {
            ObjectShape::HeightField(field) => field.triangle_count(),
            ObjectShape::TriMesh(mesh) => mesh.triangles().len(),
            ObjectShape::Model(posed) => {
                let part = posed.part(part as usize);
                part.map_or(0, |part| part.mesh().triangles().len())
            }
            _ => 0,
        };
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    /// The corners of a triangle; `None` of one that does not exist, and of a hole in terrain.
    pub(crate) fn corners(&self, part: u32, triangle: u32) -> Option<[Vec3; 3]> {
        let (mesh, world_from_part) = match &self.shape {
            ObjectShape::HeightField(field) => {
                let corners = field.triangle(triangle)?;
                return Some(corners.map(|at| at.as_vec3()));
            }
            ObjectShape::TriMesh(mesh) => (mesh, self.world_from_own),
            ObjectShape::Model(posed) => {
                let part = posed.part(part as usize)?;
                (part.mesh(), self.world_from_own * part.model_from_part())
            }
            _ => return None,
        };
        let corners = mesh.triangles().get(triangle as usize)?;
        Some(corners.map(|corner| {
            let at = mesh.positions()[corner as usize].as_dvec3();
            world_from_part.transform_point3(at).as_vec3()
        }))
    }
}
