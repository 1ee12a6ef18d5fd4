//! Skins: which nodes are joints, and their transforms in the bind pose.
//!
//! Which vertex follows which joint is part of a primitive: see `parts.rs`.

use glam::{DMat4, Mat4};
use hitscan::model::SkinData;

use super::Source;
use super::accessors::Accessors;
use super::document::Skin;
use super::layout::Shape;
use super::nodes::with_affine_row;
use crate::Error;
use crate::model_file::Notes;

/// Reads all skins.
pub(super) fn read(
    source: Source<'_>,
    accessors: Accessors<'_>,
    notes: &mut Notes,
) -> Result<Vec<SkinData>, Error> {
    let skins = source.document.skins.iter().enumerate();
    skins
        .map(|(index, skin)| {
            Ok(SkinData {
                joints: skin.joints.clone(),
                inverse_bind: inverse_bind(source, accessors, index, skin, notes)?,
            })
        })
        .collect()
}

/// One matrix for each joint, or none where the file has none: all are identities then.
fn inverse_bind(
    source: Source<'_>,
    accessors: Accessors<'_>,
    index: usize,
    skin: &Skin,
    notes: &mut Notes,
) -> Result<Vec<DMat4>, Error> {
    let joints = skin.joints.len();
    let location = || format!("skins[{index}].inverseBindMatrices");
    let Some(accessor) = skin.inverse_bind_matrices else {
        return Ok(Vec::new());
    };
    if accessors.count(accessor) < joints {
        let expected = format!("one for each of {joints} joints");
        let found = accessors.count(accessor).to_string();
        return Err(source.malformed(location(), expected, found));
    }
    let bytes = joints.saturating_mul(size_of::<DMat4>());
    accessors.charge(bytes, location)?;
    let values = accessors.floats(accessor, Shape::Mat4)?;
    let (matrices, _) = values.as_chunks::<16>();
    let matrices = matrices.iter().take(joints);
    Ok(matrices
        .enumerate()
        .map(|(joint, matrix)| {
            let matrix = Mat4::from_cols_array(matrix).as_dmat4();
            with_affine_row(matrix, notes, || accessors.element(accessor, joint))
        })
        .collect())
}
