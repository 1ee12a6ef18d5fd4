//! Vertex attributes as a vertex shader reads them.

use crate::HitscanError;
use bevy_math::{Vec3, Vec3A};
use bevy_mesh::{Mesh, MeshAccessError, MeshVertexAttribute, VertexAttributeValues, VertexFormat};

/// The positions, compressed ones decoded: about the centre of the mesh's box, in units of its half size.
pub(super) fn positions(mesh: &Mesh) -> Result<Vec<Vec3>, HitscanError> {
    let attribute = Mesh::ATTRIBUTE_POSITION;
    match required(mesh, attribute)? {
        VertexAttributeValues::Float32x3(positions) => {
            Ok(positions.iter().copied().map(Vec3::from).collect())
        }
        VertexAttributeValues::Snorm16x4(positions) => {
            let bounds = mesh
                .final_aabb
                .ok_or_else(|| wrong_format(attribute, VertexFormat::Snorm16x4))?;
            let center = (bounds.min + bounds.max) / 2.0;
            let half_size = (bounds.max - bounds.min) / 2.0;
            let decoded = positions.iter().map(|[x, y, z, _]| {
                let units = Vec3A::new(snorm(*x), snorm(*y), snorm(*z));
                Vec3::from(center + units * half_size)
            });
            Ok(decoded.collect())
        }
        other => Err(wrong_format(attribute, other.into())),
    }
}

/// The joints of each vertex; `None` of a mesh that is not skinned.
pub(super) fn joint_indices(mesh: &Mesh) -> Result<Option<Vec<[u16; 4]>>, HitscanError> {
    let attribute = Mesh::ATTRIBUTE_JOINT_INDEX;
    match optional(mesh, attribute)? {
        None => Ok(None),
        Some(VertexAttributeValues::Uint16x4(joints)) => Ok(Some(joints.clone())),
        Some(other) => Err(wrong_format(attribute, other.into())),
    }
}

/// The weights of each vertex's joints; `None` of a mesh that is not skinned.
pub(super) fn joint_weights(mesh: &Mesh) -> Result<Option<Vec<[f32; 4]>>, HitscanError> {
    let attribute = Mesh::ATTRIBUTE_JOINT_WEIGHT;
    Ok(match optional(mesh, attribute)? {
        None => None,
        Some(VertexAttributeValues::Float32x4(weights)) => Some(weights.clone()),
        Some(VertexAttributeValues::Unorm16x4(weights)) => {
            let shares = weights.iter();
            Some(
                shares
                    .map(|codes| codes.map(|code| f32::from(code) / 65_535.0))
                    .collect(),
            )
        }
        Some(VertexAttributeValues::Unorm8x4(weights)) => {
            let shares = weights.iter();
            Some(
                shares
                    .map(|codes| codes.map(|code| f32::from(code) / 255.0))
                    .collect(),
            )
        }
        Some(other) => return Err(wrong_format(attribute, other.into())),
    })
}

/// The displacements of vertices by morph targets, target after target; empty of a mesh without.
pub(super) fn morph_displacements(mesh: &Mesh) -> Vec<Vec3> {
    let targets = mesh.get_morph_targets().unwrap_or_default();
    targets.iter().map(|target| target.position).collect()
}

/// The values of an attribute that must be there.
fn required(
    mesh: &Mesh,
    attribute: MeshVertexAttribute,
) -> Result<&VertexAttributeValues, HitscanError> {
    optional(mesh, attribute)?.ok_or_else(|| HitscanError::MissingAttribute {
        attribute: attribute.name.to_owned(),
    })
}

fn optional(
    mesh: &Mesh,
    attribute: MeshVertexAttribute,
) -> Result<Option<&VertexAttributeValues>, HitscanError> {
    let values = mesh.try_attribute_option(attribute);
    values.map_err(|error| gone(&error))
}

/// What it means that data cannot be read.
pub(super) fn gone(error: &MeshAccessError) -> HitscanError {
    match error {
        MeshAccessError::ExtractedToRenderWorld => HitscanError::MeshDataGone,
        MeshAccessError::NotFound => HitscanError::MissingAttribute {
            attribute: String::new(),
        },
    }
}

fn wrong_format(attribute: MeshVertexAttribute, format: VertexFormat) -> HitscanError {
    HitscanError::AttributeFormat {
        attribute: attribute.name.to_owned(),
        format: format!("{format:?}"),
    }
}

/// A signed normalised number of 16 bits, as graphics interfaces define it.
fn snorm(code: i16) -> f32 {
    (f32::from(code) / 32767.0).max(-1.0)
}
