//! The convex hulls of a scene: their points, from the scene, a table or a model.

use std::path::Path;
use std::sync::Arc;

use glam::Vec3;
use hitscan::ConvexHull;
use hitscan::model::{Model, PosedModel};

use super::builder::Builder;
use super::entry::{HullEntry, HullPoints};
use crate::Error;
use crate::read_file::MAX_SCENE_BYTES;
use crate::read_model::read_model_from;
use crate::scene_files::SceneFiles;

impl Builder<'_> {
    pub(super) fn add_hull(&mut self, entry: &HullEntry) -> Result<(), Error> {
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
        let placed = placed.map_err(refused("translation"))?;
        for corner in placed.corners() {
            self.placements.add(*corner);
        }
        let id = self.world.add(placed);
        self.name(id, &entry.name, entry.location, entry.layers)
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
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let unreadable = |error: csv::Error| {
        let line = error.position().map_or(1, csv::Position::line);
        Error::malformed(
            path,
            format!("line {line}"),
            "a table of points in CSV",
            error.to_string(),
        )
    };
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_reader(bytes);
    let header = reader.headers().map_err(unreadable)?.clone();
    let column = |name: &str| {
        let missing = || Error::missing(path, "line 1".to_owned(), format!("the column `{name}`"));
        header
            .iter()
            .position(|column| column == name)
            .ok_or_else(missing)
    };
    let columns = [column("x")?, column("y")?, column("z")?];
    let mut points = Vec::new();
    for record in reader.records() {
        let record = record.map_err(unreadable)?;
        let mut point = Vec3::ZERO;
        for (axis, column) in columns.into_iter().enumerate() {
            let field = record.get(column).unwrap_or_default();
            let number = field
                .parse::<f32>()
                .ok()
                .filter(|number| number.is_finite());
            point[axis] = number.ok_or_else(|| {
                let line = record.position().map_or(0, csv::Position::line);
                let expected =
                    format!("a number within the range of f32 for `{}`", &header[column]);
                Error::malformed(
                    path,
                    format!("line {line}"),
                    expected,
                    format!("\"{field}\""),
                )
            })?;
        }
        points.push(point);
    }
    Ok(points)
}
