//! The surfaces that objects of a scene share, by their names.

use std::collections::BTreeMap;

use hitscan::SurfaceId;

/// The name of a surface; `None` for that of all georeferenced terrains.
pub(super) type SurfaceName<'a> = Option<&'a str>;

/// The surfaces so far, numbered as they come, and how many objects each has.
#[derive(Default)]
pub(super) struct SceneSurfaces(BTreeMap<Option<String>, (SurfaceId, usize)>);

impl SceneSurfaces {
    /// The surface of this name, for one more object.
    pub(super) fn named(&mut self, name: SurfaceName<'_>) -> SurfaceId {
        // Fewer than 2^32 objects have surfaces.
        let next = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        let of_name = self.0.entry(name.map(str::to_owned));
        let (surface, objects) = of_name.or_insert((SurfaceId::new(next), 0));
        *objects += 1;
        *surface
    }

    /// What is said of surfaces that nothing shares.
    pub(super) fn warnings(&self) -> impl Iterator<Item = String> {
        let lone = self.0.iter().filter(|(_, (_, objects))| *objects == 1);
        lone.map(|(name, _)| match name {
            Some(name) => format!(
                "one object alone has `surface = \"{name}\"`, which changes nothing: objects that share \
                 a surface name the same"
            ),
            None => "one terrain alone is georeferenced, so that `one_surface` in `[world]` changes nothing"
                .to_owned(),
        })
    }
}
