//! The points of a hull from a file: a table or a model.

use std::path::Path;
use std::sync::Arc;

use glam::Vec3;
use hitscan::ConvexHull;
use hitscan::model::{Model, PosedModel};

use super::csv_table::{CsvTable, location};
use crate::Error;
use crate::read_file::MAX_SCENE_BYTES;
use crate::read_model::read_model_from;
use crate::scene_files::{DiskFiles, SceneFiles};

/// Reads the convex hull of the points of a table (`.csv`, columns `x y z`), or of a model at rest, as the key `file`
/// of a `[[hull]]` of a scene does.
///
/// # Errors
/// [`Error`] with the file and the place in it: a file that cannot be read or is broken, a column that is missing, a
/// field that is no number; no point, or more corners than [`ConvexHull::MAX_CORNERS`].
///
/// ```
/// # let path = std::env::temp_dir().join(format!("hitscan-hull-{}.csv", std::process::id()));
/// std::fs::write(&path, "x,y,z\n0,0,0\n1,0,0\n0,1,0\n0,0,1\n")?;
/// let hull = hitscan_assets::read_hull(&path)?;
/// assert_eq!(hull.face_count(), 4);
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_hull(path: &Path) -> Result<ConvexHull, Error> {
    let points = points_of(&DiskFiles, path)?;
    ConvexHull::new(points).map_err(|error| Error::refused(path, "the points", error))
}

/// The points of a table with the columns `x`, `y` and `z`, or the corners of a model's triangles at rest.
pub(super) fn points_of(files: &dyn SceneFiles, path: &Path) -> Result<Vec<Vec3>, Error> {
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
