//! The colliders of a model's file as parts of its objects.
//!
//! They are numbered by node, after the parts of its meshes. Triangles of a collider are a part of the model; solids are
//! parts of a compound on the model's nodes. Where triangles come after a solid, a part of the model without any keeps
//! the solid's place.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use hitscan::model::{Model, PartData, PosedCompound, PosedModel};
use hitscan::{Compound, CompoundPart};

use super::entry::ColliderUse;
use crate::{ColliderShape, Error, ModelCollider, ModelFile};

/// The solids of a model's colliders.
pub(super) struct Solids {
    parts: Vec<CompoundPart>,
    /// Of each the number in answers and the node.
    places: Vec<(u32, usize)>,
}

/// Takes the colliders out of a model's file, as it is to be used; their triangles become parts of the model. `None`
/// where no solid is among them.
pub(super) fn take_colliders(
    path: &Path,
    file: &mut ModelFile,
    usage: ColliderUse,
) -> Result<Option<Solids>, Error> {
    let colliders = std::mem::take(&mut file.colliders);
    match usage {
        ColliderUse::Ignored => return Ok(None),
        ColliderUse::Also => {}
        ColliderUse::Only if colliders.is_empty() => {
            let what = "a collider of a node, for `colliders = \"only\"`";
            return Err(Error::missing(path, "nodes", what));
        }
        ColliderUse::Only => {
            file.data.parts.clear();
            file.colors.clear();
        }
    }
    let parts = &mut file.data.parts;
    let mut names: HashSet<String> = parts.iter().map(|part| part.name.clone()).collect();
    let mut solids = Solids {
        parts: Vec::new(),
        places: Vec::new(),
    };
    let first = parts.len();
    let is_mesh = |collider: &ModelCollider| matches!(collider.shape, ColliderShape::Mesh(_));
    let before_solids = colliders
        .iter()
        .rposition(is_mesh)
        .map_or(0, |last| last + 1);
    for (place, collider) in colliders.into_iter().enumerate() {
        let (mut name, node) = (collider.name, collider.node);
        while !names.insert(name.clone()) {
            name.push_str(&format!("#{node}"));
        }
        let part = match collider.shape {
            ColliderShape::Mesh(part) => *part,
            ColliderShape::Solid(solid) => {
                let number = u32::try_from(first + place).unwrap_or(u32::MAX);
                solids.parts.push(CompoundPart::new(name.clone(), solid));
                solids.places.push((number, node));
                PartData::default()
            }
        };
        if place < before_solids {
            parts.push(PartData { name, node, ..part });
        }
    }
    Ok((!solids.parts.is_empty()).then_some(solids))
}

impl Solids {
    /// The solids on the nodes of their model at rest, with its triangles.
    pub(super) fn at_rest(self, model: &Arc<Model>) -> Result<PosedCompound, hitscan::Error> {
        let at_rest = PosedModel::new(model, model.rest_pose())?;
        let (numbers, nodes): (Vec<u32>, Vec<usize>) = self.places.into_iter().unzip();
        let nodes: Vec<(u32, usize)> = (0..).zip(nodes).collect();
        let on_joints = Compound::new(self.parts)?.on_joints(at_rest, &nodes)?;
        let follow_meshes = (model.parts().len()..)
            .zip(&numbers)
            .all(|(next, number)| next == *number as usize);
        match follow_meshes {
            true => Ok(on_joints.with_meshes()),
            false => on_joints.with_part_numbers(&numbers),
        }
    }
}
