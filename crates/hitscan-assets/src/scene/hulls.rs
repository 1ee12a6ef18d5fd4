//! The convex hulls of a scene: their points, from the scene, a table or a model.

use std::path::Path;
use std::sync::Arc;

use glam::Vec3;
use hitscan::ConvexHull;
use hitscan::model::{Model, PosedModel};

use super::builder::Builder;
use super::csv_table::{CsvTable, location};
use super::hull_entry::{HullEntry, HullPoints};
use crate::Error;
use crate::read_file::MAX_SCENE_BYTES;
use crate::read_model::read_model_from;
use crate::scene_files::SceneFiles;

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

/// The points of a table with the columns `x`, `y` and `z`, or the corners of a model's triangles at rest.
fn points_of(files: &dyn SceneFiles, path: &Path) -> Result<Vec<Vec3>, Error> {
    let ending = path.extension().unwrap_or_default();
    if ending.eq_ignore_ascii_case("csv") {
        return points_of_table(files, path);
    }
    let file = read_model_from(files, path, &crate::ModelOptions::default())?;
    let model = Model::new(file.data).map_err(|error| Error::refused(path, "the model", error))?;
    let model = Arc::new(model);
    let posed = PosedModel::new(&model, model.rest_pose())
        .map_err(|error| Error::refused(path, "the model", error))?;
    let mut points = Vec::new();
    for part in posed.parts() {
        let (mesh, model_from_part) = (part.mesh(), part.model_from_part());
        let positions = mesh.positions();
        for corner in mesh.triangles().iter().flatten() {
            let at = positions[*corner as usize].as_dvec3();
            points.push(model_from_part.transform_point3(at).as_vec3());
        }
    }
    Ok(points)
}

fn points_of_table(files: &dyn SceneFiles, path: &Path) -> Result<Vec<Vec3>, Error> {
    let bytes = files.read(path, MAX_SCENE_BYTES)?;
    let mut table = CsvTable::open(path, &bytes)?;
    let mut columns = [("x", 0), ("y", 0), ("z", 0)];
    for (name, column) in &mut columns {
        *column = table.needed_column(name)?;
    }
    let mut points = Vec::new();
    for row in table.rows() {
        let row = row?;
        let mut point = Vec3::ZERO;
        for (axis, (name, column)) in columns.into_iter().enumerate() {
            let field = row.get(column).unwrap_or_default();
            let number = field.parse().ok();
            point[axis] = number
                .filter(|number: &f32| number.is_finite())
                .ok_or_else(|| {
                    let expected = "a number within the range of f32";
                    Error::malformed(path, location(&row, name), expected, format!("`{field}`"))
                })?;
        }
        points.push(point);
    }
    Ok(points)
}
