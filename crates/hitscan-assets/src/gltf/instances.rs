//! Instances of a node's mesh by `EXT_mesh_gpu_instancing`: translations, rotations and scales.
//!
//! Each instance becomes a node below the one that has the mesh, after all nodes of the file, so that
//! animations of the node carry its instances along. The parts on them are made in `parts.rs`.
//!
//! Source: Khronos Group, "EXT_mesh_gpu_instancing", 2020.

use glam::{DQuat, Vec3, Vec4};
use hitscan::model::{NodeData, NodeTransform};

use super::Source;
use super::accessors::Accessors;
use super::layout::Shape;
use crate::Error;
use crate::model_file::Notes;

/// What an instance takes in memory beside its name: a node, a part and what poses them.
const BYTES: usize = 1024;

/// For each node of the file, the first of its instances' nodes and how many there are; `None` where it
/// has its mesh once.
pub(super) type Instances = Vec<Option<[usize; 2]>>;

/// Appends a node for each instance to `nodes`, which are those of the file.
pub(super) fn read(
    source: Source<'_>,
    accessors: Accessors<'_>,
    is_shown: &[bool],
    nodes: &mut Vec<NodeData>,
    notes: &mut Notes,
) -> Result<Instances, Error> {
    let mut instances = vec![None; source.document.nodes.len()];
    for (index, node) in source.document.nodes.iter().enumerate() {
        let (Some(_), Some(instancing), true) =
            (node.mesh, &node.extensions.instancing, is_shown[index])
        else {
            continue;
        };
        let location = || format!("nodes[{index}].extensions.EXT_mesh_gpu_instancing");
        if node.skin.is_some() {
            notes.warn(
                "instances of a skinned mesh are left out: it is read once",
                location,
            );
            continue;
        }
        let attributes = &instancing.attributes;
        let Some(count) = attributes
            .values()
            .next()
            .map(|&first| accessors.count(first))
        else {
            let what = "TRANSLATION, ROTATION or SCALE";
            return Err(Error::missing(source.path, location(), what));
        };
        for (name, &accessor) in attributes {
            let found = accessors.count(accessor);
            if found != count {
                let location = format!("{}.attributes.{name}", location());
                let expected = format!("{count} elements, as the other attributes have");
                return Err(source.malformed(location, expected, found.to_string()));
            }
        }
        let name = node.name.as_ref().map_or(0, String::len);
        let primitives = source.document.meshes[node.mesh.unwrap_or(0)]
            .primitives
            .len();
        let bytes = BYTES.saturating_add(name).saturating_mul(primitives.max(1));
        accessors.charge(count.saturating_mul(bytes), location)?;
        let first = nodes.len();
        let transforms = transforms(source, accessors, attributes, count)?;
        for (instance, local) in transforms.into_iter().enumerate() {
            nodes.push(NodeData {
                name: node.name.as_ref().map(|name| format!("{name}[{instance}]")),
                parent: Some(index),
                local,
                morph_weights: nodes[index].morph_weights.clone(),
            });
        }
        instances[index] = Some([first, count]);
    }
    Ok(instances)
}

fn transforms(
    source: Source<'_>,
    accessors: Accessors<'_>,
    attributes: &super::document::Attributes,
    count: usize,
) -> Result<Vec<NodeTransform>, Error> {
    let vectors = |name: &str, default: Vec3| match attributes.get(name) {
        Some(&accessor) => {
            let values = accessors.floats(accessor, Shape::Vec3)?;
            let (vectors, _) = values.as_chunks::<3>();
            Ok(vectors.iter().copied().map(Vec3::from_array).collect())
        }
        None => Ok::<Vec<Vec3>, Error>(vec![default; count]),
    };
    let translations = vectors("TRANSLATION", Vec3::ZERO)?;
    let scales = vectors("SCALE", Vec3::ONE)?;
    let rotations = match attributes.get("ROTATION") {
        Some(&accessor) => rotations(source, accessors, accessor)?,
        None => vec![DQuat::IDENTITY; count],
    };
    let all = translations.into_iter().zip(rotations).zip(scales);
    Ok(all
        .map(|((translation, rotation), scale)| NodeTransform::Trs {
            translation: translation.as_dvec3(),
            rotation,
            scale: scale.as_dvec3(),
        })
        .collect())
}

/// Rotations, brought to unit length, which bytes and shorts only nearly have.
fn rotations(
    source: Source<'_>,
    accessors: Accessors<'_>,
    accessor: usize,
) -> Result<Vec<DQuat>, Error> {
    let values = accessors.floats(accessor, Shape::Vec4)?;
    let (quaternions, _) = values.as_chunks::<4>();
    let unit = |(at, parts): (usize, &[f32; 4])| {
        let parts = Vec4::from_array(*parts).as_dvec4();
        let largest = parts.abs().max_element();
        if largest == 0.0 {
            let location = accessors.element(accessor, at);
            return Err(source.malformed(location, "a quaternion", "zeros"));
        }
        // Divided by the largest part first, no square over- or underflows.
        let parts = parts / largest;
        Ok(DQuat::from_vec4(parts / parts.dot(parts).sqrt()))
    };
    quaternions.iter().enumerate().map(unit).collect()
}
