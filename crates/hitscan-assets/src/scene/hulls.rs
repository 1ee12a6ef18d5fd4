//! The convex hulls of a scene.

use hitscan::ConvexHull;

use super::builder::Builder;
use super::hull_entry::{HullEntry, HullPoints};
use super::hull_file::points_of;
use crate::Error;

impl Builder<'_> {
    pub(super) fn add_hull(&mut self, entry: &HullEntry) -> Result<(), Error> {
        let placed = self.hull(entry)?;
        for corner in placed.corners() {
            self.placements.add(*corner);
        }
        let id = self.world.add(placed);
        self.name(id, &entry.name, entry.location, entry.layers)
    }

    /// The hull of an entry, where that places it.
    pub(super) fn hull(&self, entry: &HullEntry) -> Result<ConvexHull, Error> {
        let path = self.path();
        let points = match &entry.points {
            HullPoints::Given(points) => points.clone(),
            HullPoints::File(file) => points_of(self.files(), file)
                .map_err(|error| error.referred(path, entry.locate("file"), file))?,
        };
        let refused =
            |key: &'static str| move |source| Error::refused(path, entry.locate(key), source);
        let key = match entry.points {
            HullPoints::Given(_) => "points",
            HullPoints::File(_) => "file",
        };
        let hull = match entry.max_corners {
            Some(corners) => ConvexHull::simplified_from(points, corners)
                .map_err(refused(if corners < 4 { "max_corners" } else { key }))?,
            None => ConvexHull::new(points).map_err(refused(key))?,
        };
        let hull = hull.with_radius(entry.radius).map_err(refused("radius"))?;
        let placed = hull.placed_by(entry.scale, entry.rotation, entry.translation);
        placed.map_err(refused("translation"))
    }
}
