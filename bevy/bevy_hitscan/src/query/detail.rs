//! Details of a hit, computed on demand.

use super::entity_hit::EntityHit;
use super::view::View;
use crate::mesh::uv_at;
use bevy_ecs::entity::Entity;
use bevy_math::{Vec2, Vec3};
use hitscan::{ObjectId, RayHit, Side, TriangleId};

/// A hit in terms of the mesh or collider that was hit.
///
/// Picking has it as the [`extra`](bevy_picking::backend::HitData::extra) of each hit.
///
/// ```
/// # use bevy_hitscan::HitscanHit;
/// # use bevy_picking::backend::HitData;
/// fn triangle_of(hit: &HitData) -> Option<u32> {
///     hit.extra_as::<HitscanHit>()?.triangle
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HitscanHit {
    /// The triangle of the mesh, strips unrolled, or of terrain; the face of a convex hull. `None` of other solids.
    pub triangle: Option<u32>,
    /// How much each corner of the triangle counts; zero where there is none.
    pub barycentric: Vec3,
    /// The first texture coordinates there, where the mesh has any and is in the main world.
    pub uv: Option<Vec2>,
    /// From which side the surface was hit.
    pub side: Side,
    /// The joint that counts most there, of a skinned mesh; of an earlier time the entity's joint by now.
    pub joint: Option<Entity>,
    /// The place on the mesh before it is posed, in the mesh's own space; `None` of colliders and terrain.
    pub bind_position: Option<Vec3>,
    /// The number of the solid in a collider.
    pub shape: Option<u32>,
}

impl View<'_, '_, '_> {
    pub(super) fn detail(&self, hit: &EntityHit<RayHit>) -> HitscanHit {
        let mut detail = HitscanHit {
            triangle: hit.triangle.and_then(TriangleId::number),
            barycentric: Vec3::ZERO,
            uv: None,
            side: hit.side,
            joint: None,
            bind_position: None,
            shape: None,
        };
        let Some(object) = hit.object else {
            return detail;
        };
        if self.snapshot.compound(object).is_some() {
            detail.shape = hit.part();
            return detail;
        }
        let Some(triangle) = detail.triangle else {
            return detail;
        };
        let [u, v] = hit.barycentrics;
        detail.barycentric = Vec3::new(1.0 - u - v, u, v);
        if let Some((corners, positions)) = self.corners(object, triangle) {
            let [a, b, c] = positions;
            let [of_a, of_b, of_c] = detail.barycentric.to_array();
            detail.bind_position = Some(a * of_a + b * of_b + c * of_c);
            detail.joint = self.world.joint(self.snapshot, hit);
            let asset = self.world.uses.get(&hit.entity).and_then(|uses| uses.mesh);
            let meshes = self.lookups.meshes.as_deref();
            let asset = asset.and_then(|asset| meshes?.get(asset));
            detail.uv = asset.and_then(|asset| uv_at(asset, corners, detail.barycentric));
        }
        detail
    }

    /// The corners of a mesh's triangle, and where they are before they are posed.
    fn corners(&self, object: ObjectId, triangle: u32) -> Option<([u32; 3], [Vec3; 3])> {
        let rigid = self.snapshot.mesh(object);
        let mesh = match &rigid {
            Some(mesh) => mesh,
            None => self.snapshot.model(object)?.parts().first()?.mesh(),
        };
        let corners = *mesh.triangles().get(triangle as usize)?;
        Some((
            corners,
            corners.map(|corner| mesh.positions()[corner as usize]),
        ))
    }
}
