//! The ground of viewsheds: the terrain, what hides it, and the earth's curvature.

use crate::failure::Failure;
use hitscan::height_field::{Curvature, Viewshed, ViewshedQuery};
use hitscan::world::ObjectKind;
use hitscan::{ObjectId, QueryFilter, Snapshot, World};

/// The terrain that is looked at, and what hides it.
pub(super) struct Ground<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) terrain: ObjectId,
    pub(super) mask: u32,
    pub(super) ignored: Vec<ObjectId>,
    pub(super) curvature: Option<Curvature>,
}

impl Ground<'_> {
    /// Refuses objects that curvature would leave where they are while the ground under them is lowered.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let is_lowered =
            |object: ObjectId| self.snapshot.kind(object) == Some(ObjectKind::HeightField);
        let mut hiding = self.snapshot.objects().filter(|object| self.hides(*object));
        if self.curvature.is_none() || hiding.all(is_lowered) {
            return Ok(());
        }
        Err(Failure::usage(
            "--curvature lowers terrain alone, and the scene has models or solids that hide: leave them \
             out by --ignore or --mask",
        ))
    }

    /// The viewshed of an eye; `None` where it stands on no ground.
    pub(super) fn viewshed(&self, query: &ViewshedQuery) -> Result<Option<Viewshed>, Failure> {
        let Some(curvature) = self.curvature else {
            let filter = QueryFilter::new().layers(self.mask);
            let filter = filter.exclude(&self.ignored);
            return Ok(self.snapshot.viewshed(self.terrain, query, filter));
        };
        let mut world = World::new();
        let mut of_terrain = None;
        let mut ignored = Vec::new();
        for (object, field) in self.snapshot.height_fields(()) {
            let hides = self.hides(object);
            if !hides && object != self.terrain {
                continue;
            }
            let lowered = field.lowered_around(query.place(), curvature);
            let lowered = lowered.map_err(|error| Failure::usage(error.to_string()))?;
            let id = world.add(lowered);
            if object == self.terrain {
                of_terrain = Some(id);
                ignored.extend((!hides).then_some(id));
            }
        }
        world.update();
        let filter = QueryFilter::new().exclude(&ignored);
        Ok(of_terrain.and_then(|terrain| world.now().viewshed(terrain, query, filter)))
    }

    fn hides(&self, object: ObjectId) -> bool {
        let layers = self.snapshot.layers(object).unwrap_or_default();
        layers & self.mask != 0 && !self.ignored.contains(&object)
    }
}
