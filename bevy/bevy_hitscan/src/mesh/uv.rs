//! Texture coordinates of a place on a triangle.

use bevy_math::{Vec2, Vec3};
use bevy_mesh::{Mesh, VertexAttributeValues};

/// The first texture coordinates where the corners count by these weights; `None` of a mesh without, and of one
/// whose data is in the render world alone.
pub(crate) fn uv_at(mesh: &Mesh, corners: [u32; 3], weights: Vec3) -> Option<Vec2> {
    let values = mesh.try_attribute_option(Mesh::ATTRIBUTE_UV_0).ok()??;
    let at = |corner: u32| -> Option<Vec2> {
        let corner = corner as usize;
        match values {
            VertexAttributeValues::Float32x2(uvs) => uvs.get(corner).copied().map(Vec2::from),
            VertexAttributeValues::Unorm16x2(uvs) => {
                let range = mesh.final_uv_ranges[0]?;
                let share = uvs.get(corner)?.map(|code| f32::from(code) / 65535.0);
                Some(range.min + Vec2::from(share) * (range.max - range.min))
            }
            _ => None,
        }
    };
    let [a, b, c] = corners.map(at);
    Some(a? * weights.x + b? * weights.y + c? * weights.z)
}
