//! The triangles of an object in a snapshot, posed.

use bevy::prelude::*;
use bevy_hitscan::hitscan::world::ObjectShape;
use bevy_hitscan::hitscan::{ObjectId, Snapshot};

/// Those of a character or of terrain without holes, in their order; none of anything else.
pub(crate) fn triangles(snapshot: &Snapshot, object: ObjectId) -> Vec<[Vec3; 3]> {
    match snapshot.shape(object) {
        Some(ObjectShape::HeightField(field)) => (0..)
            .map_while(|triangle| field.triangle(triangle))
            .map(|corners| corners.map(|at| at.as_vec3()))
            .collect(),
        Some(ObjectShape::Model(posed)) => {
            let part = posed.part(0).zip(snapshot.transform(object));
            let posed = part.map(|(part, world_from_model)| {
                let world_from_part = world_from_model * part.model_from_part();
                let mesh = part.mesh();
                let place = |corner: u32| {
                    let at = mesh.positions()[corner as usize].as_dvec3();
                    world_from_part.transform_point3(at).as_vec3()
                };
                let triangles = mesh.triangles().iter();
                triangles.map(|corners| corners.map(place)).collect()
            });
            posed.unwrap_or_default()
        }
        _ => Vec::new(),
    }
}
