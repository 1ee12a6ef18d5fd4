//! Vertex influences, joints and weights: all joint sets of a primitive side by side.
//!
//! Weights are left as they are in the file; `hitscan::model` divides them by their sum.

use hitscan::model::PartSkin;

use super::layout::Shape;
use super::primitive::Reader;
use crate::Error;
use crate::model_file::Notes;

/// How many joints one set has.
const SET: usize = 4;

/// The influences of `skin` on the vertices of a primitive, or `None` where it states none: such a
/// primitive stays rigid.
pub(super) fn read(
    reader: &Reader<'_>,
    skin: usize,
    vertices: usize,
    notes: &mut Notes,
) -> Result<Option<PartSkin>, Error> {
    let attributes = &reader.primitive.attributes;
    let location = || reader.location.to_string();
    let mut sets = Vec::new();
    while let Some(&joints) = attributes.get(&format!("JOINTS_{}", sets.len())) {
        let name = format!("WEIGHTS_{}", sets.len());
        let weights = *attributes.get(&name).ok_or_else(|| {
            Error::missing(
                reader.source.path,
                location(),
                format!("the attribute {name}"),
            )
        })?;
        sets.push((joints, weights));
    }
    if sets.is_empty() {
        notes.add("has a skin, but no joints, and stays rigid", location);
        return Ok(None);
    }

    let influences = SET * sets.len();
    let length = vertices.saturating_mul(influences);
    let bytes = length.saturating_mul(size_of::<u16>() + size_of::<f32>());
    reader.accessors.charge(bytes, location)?;
    let mut part = PartSkin {
        skin,
        influences,
        joints: vec![0; length],
        weights: vec![0.0; length],
    };
    for (set, (joints, weights)) in sets.into_iter().enumerate() {
        reader.require_count(joints, vertices, location)?;
        reader.require_count(weights, vertices, location)?;
        let joints = joint_indices(reader, skin, joints)?;
        let weights = positive_weights(reader, weights)?;
        for (vertex, (joints, weights)) in joints.iter().zip(&weights).enumerate() {
            let start = vertex * influences + set * SET;
            part.joints[start..start + SET].copy_from_slice(joints);
            part.weights[start..start + SET].copy_from_slice(weights);
        }
    }
    Ok(Some(part))
}

fn joint_indices(
    reader: &Reader<'_>,
    skin: usize,
    accessor: usize,
) -> Result<Vec<[u16; SET]>, Error> {
    let count = reader.source.document.skins[skin].joints.len();
    let values = reader.accessors.integers(accessor, Shape::Vec4)?;
    let joints: Result<Vec<u16>, Error> = values
        .iter()
        .enumerate()
        .map(|(at, &joint)| {
            let index = u16::try_from(joint).ok();
            index
                .filter(|&index| usize::from(index) < count)
                .ok_or_else(|| {
                    let location = reader.accessors.element(accessor, at / SET);
                    let expected = format!("the index of one of the {count} joints of skin {skin}");
                    reader
                        .source
                        .malformed(location, expected, joint.to_string())
                })
        })
        .collect();
    let joints = joints?;
    let (joints, _) = joints.as_chunks::<SET>();
    Ok(joints.to_vec())
}

fn positive_weights(reader: &Reader<'_>, accessor: usize) -> Result<Vec<[f32; SET]>, Error> {
    let values = reader.accessors.floats(accessor, Shape::Vec4)?;
    if let Some(at) = values.iter().position(|&weight| weight < 0.0) {
        let location = reader.accessors.element(accessor, at / SET);
        let expected = "a weight that is not negative";
        return Err(reader
            .source
            .malformed(location, expected, values[at].to_string()));
    }
    let (weights, _) = values.as_chunks::<SET>();
    Ok(weights.to_vec())
}
