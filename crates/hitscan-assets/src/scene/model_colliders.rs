//! The colliders of a model's file as parts of its objects.
//!
//! Triangles of a collider are a part of the model, after those of its meshes; solids are parts of a compound on the
//! model's nodes, after those.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use hitscan::model::{Model, PartData, PosedCompound, PosedModel};
use hitscan::{Compound, CompoundPart};

use super::entry::ColliderUse;
use crate::{ColliderShape, Error, ModelFile};

/// The solids of a model's colliders, with their nodes.
pub(super) struct Solids {
    parts: Vec<CompoundPart>,
    nodes: Vec<(u32, usize)>,
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
    let parts = file.data.parts.iter();
    let mut names: HashSet<String> = parts.map(|part| part.name.clone()).collect();
    let mut solids = Solids {
        parts: Vec::new(),
        nodes: Vec::new(),
    };
    for collider in colliders {
        let (mut name, node) = (collider.name, collider.node);
        while !names.insert(name.clone()) {
            name.push_str(&format!("#{node}"));
        }
        match collider.shape {
            ColliderShape::Solid(solid) => {
                let number = u32::try_from(solids.parts.len()).unwrap_or(u32::MAX);
                solids.parts.push(CompoundPart::new(name, solid));
                solids.nodes.push((number, node));
            }
            ColliderShape::Mesh(part) => {
                let part = PartData {
                    name,
                    node,
                    ..*part
                };
                file.data.parts.push(part);
            }
        }
    }
    Ok((!solids.parts.is_empty()).then_some(solids))
}

impl Solids {
    /// The solids on the nodes of their model at rest, with its triangles.
    pub(super) fn at_rest(self, model: &Arc<Model>) -> Result<PosedCompound, hitscan::Error> {
        let at_rest = PosedModel::new(model, model.rest_pose())?;
        let on_joints = Compound::new(self.parts)?.on_joints(at_rest, &self.nodes)?;
        Ok(on_joints.with_meshes())
    }
}
