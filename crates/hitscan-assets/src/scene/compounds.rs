//! The compounds of a scene.

use glam::DAffine3;
use hitscan::{Compound, CompoundPart, Primitive};

use super::builder::Builder;
use super::hull_entry::{CompoundEntry, PartSolid};
use crate::Error;

impl Builder<'_> {
    pub(super) fn add_compound(&mut self, entry: &CompoundEntry) -> Result<(), Error> {
        // Its parts are at fault, or it has none, which is a fault already.
        if entry.parts.is_empty() {
            return Ok(());
        }
        let world_from_own = DAffine3::from_scale_rotation_translation(
            entry.scale,
            entry.rotation,
            entry.translation,
        );
        let mut parts = Vec::with_capacity(entry.parts.len());
        for part in &entry.parts {
            let solid = match &part.solid {
                PartSolid::Primitive(solid) => solid.clone(),
                PartSolid::Hull(hull) => Primitive::from(self.hull(hull)?),
            };
            for corner in solid.bounds().corners() {
                let corner = world_from_own.transform_point3(corner.as_dvec3());
                self.placements.add(corner);
            }
            parts.push(CompoundPart::new(&*part.name, solid));
        }
        let path = self.path();
        let refused =
            |key: &'static str| move |source| Error::refused(path, entry.locate(key), source);
        let compound = Compound::new(parts).map_err(refused("name"))?;
        let id = self.world.add_at(compound, world_from_own);
        let id = id.map_err(|source| match source {
            hitscan::Error::BadValue { .. } => refused("scale")(source),
            _ => refused("translation")(source),
        })?;
        self.name(id, &entry.name, entry.location, entry.layers)
    }
}
