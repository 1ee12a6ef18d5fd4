//! The compounds of a scene, and the models whose places and poses they have.

use std::path::Path;
use std::sync::Arc;

use glam::DAffine3;
use hitscan::model::{Node, PosedModel};
use hitscan::world::ObjectShape;
use hitscan::{Compound, CompoundPart, Primitive};

use super::builder::Builder;
use super::content::ClipTime;
use super::hull_entry::{CompoundEntry, NodeChoice, PartEntry, PartSolid};
use super::location::Location;
use crate::Error;

/// A model of the scene, with its pose, its transform and its clip time.
struct StandingModel {
    posed: Arc<PosedModel>,
    world_from_model: DAffine3,
    clip_time: Option<ClipTime>,
}

impl Builder<'_> {
    pub(super) fn add_compound(&mut self, entry: &CompoundEntry) -> Result<(), Error> {
        // Its parts are at fault, or it has none, which is a fault already.
        if entry.parts.is_empty() {
            return Ok(());
        }
        let on_model = match &entry.model {
            Some(name) => Some(self.model_named(name, entry.locate("model"))?),
            None => None,
        };
        let world_from_own = match &on_model {
            Some(model) => model.world_from_model,
            None => DAffine3::from_scale_rotation_translation(
                entry.scale,
                entry.rotation,
                entry.translation,
            ),
        };
        let mut nodes = Vec::new();
        let mut parts = Vec::with_capacity(entry.parts.len());
        for (number, part) in (0..).zip(&entry.parts) {
            if let Some(choice) = &part.node {
                let node = find_node(self.path(), part, choice, on_model.as_ref())?;
                nodes.push((number, node));
            }
            let solid = match &part.solid {
                PartSolid::Primitive(solid) => solid.clone(),
                PartSolid::Hull(hull) => Primitive::from(self.hull(hull)?),
            };
            if part.node.is_none() {
                for corner in solid.bounds().corners() {
                    let corner = world_from_own.transform_point3(corner.as_dvec3());
                    self.placements.add(corner);
                }
            }
            parts.push(CompoundPart::new(&*part.name, solid));
        }
        let path = self.path();
        let refused =
            |key: &'static str| move |source| Error::refused(path, entry.locate(key), source);
        let compound = Compound::new(parts).map_err(refused("name"))?;
        let (id, place_keys) = match &on_model {
            Some(model) => {
                let posed = compound.on_joints(Arc::clone(&model.posed), &nodes);
                let id = posed.and_then(|posed| self.world.add_at(posed, world_from_own));
                (id, ["model"; 2])
            }
            None => {
                let id = self.world.add_at(compound, world_from_own);
                (id, ["scale", "translation"])
            }
        };
        let id = id.map_err(|source| match source {
            hitscan::Error::BadValue { .. } => refused(place_keys[0])(source),
            _ => refused(place_keys[1])(source),
        })?;
        if let Some(clip_time) = on_model.and_then(|model| model.clip_time) {
            self.add_clip(id, clip_time);
        }
        self.name(id, &entry.name, entry.location, entry.layers)
    }

    /// The model, or the member of a crowd, with this name, which a compound names at `location`.
    fn model_named(&mut self, name: &str, location: Location) -> Result<StandingModel, Error> {
        // Shapes and transforms are read from a snapshot.
        self.world.update();
        let now = self.world.now();
        let id = self.asked_models.get(name).copied().flatten();
        let shape = id.and_then(|id| Some((id, now.shape(id)?, now.transform(id)?)));
        let standing = shape.and_then(|(id, shape, at)| match shape {
            ObjectShape::Model(posed) => Some((id, posed, at)),
            ObjectShape::PosedCompound(solids) => Some((id, Arc::clone(solids.posed_model()), at)),
            _ => None,
        });
        let Some((id, posed, world_from_model)) = standing else {
            let expected = "the name of a model of the scene, or of a crowd's member";
            let found = format!("`{name}`");
            return Err(Error::malformed(self.path(), location, expected, found));
        };
        Ok(StandingModel {
            posed,
            world_from_model,
            clip_time: self.clip_time(id),
        })
    }
}

/// The node that a part is on.
fn find_node(
    path: &Path,
    part: &PartEntry,
    choice: &NodeChoice,
    model: Option<&StandingModel>,
) -> Result<usize, Error> {
    let location = part.locate("node");
    let Some(model) = model else {
        let expected = "`model` in the compound, whose node it is";
        return Err(Error::malformed(path, location, expected, "none"));
    };
    let nodes = model.posed.model().nodes();
    let (found, wanted) = match choice {
        NodeChoice::Index(index) => (Some(*index), index.to_string()),
        NodeChoice::Name(name) => (model.posed.model().find_node(name), name.clone()),
    };
    found.filter(|index| *index < nodes.len()).ok_or_else(|| {
        let names = nodes.iter().filter_map(Node::name);
        Error::unknown(path, location, "node", &wanted, names)
    })
}
