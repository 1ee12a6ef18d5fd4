//! The `[camera]` of a scene file.

use glam::DVec3;

use super::camera::{SceneCamera, is_near};
use super::keys::{Keys, Value};
use crate::Error;
use crate::model_file::MAX_COORDINATE;

pub(super) const CAMERA_KEYS: [&str; 4] = ["eye", "look", "fov", "projection"];

/// Reads the camera of a scene file.
pub(super) fn camera(keys: &Keys) -> SceneCamera {
    let point = |key| {
        let point = keys.need(key).and_then(|value| point(&value));
        DVec3::from(keys.kept(point))
    };
    let (eye, look) = (point("eye"), point("look"));
    let fov = keys
        .get("fov")
        .map_or(Ok(SceneCamera::FOV_DEGREES), |value| fov(&value));
    let projection = keys.get("projection").map(|value| match value.as_string() {
        Some("perspective") => Ok(false),
        Some("orthographic") => Ok(true),
        _ => Err(value.wrong("\"perspective\" or \"orthographic\"")),
    });
    let camera = SceneCamera {
        eye,
        look,
        fov_degrees: keys.kept_or(fov, SceneCamera::FOV_DEGREES),
        is_orthographic: keys.kept(projection.unwrap_or(Ok(false))),
    };
    if keys.is_sound() {
        keys.kept(check(keys, &camera));
    }
    camera
}

fn point(value: &Value) -> Result<[f64; 3], Error> {
    let point: [f64; 3] = value.numbers("metres [x, y, z]")?;
    let is_near = point.into_iter().all(is_near);
    let wrong = || value.wrong(&format!("metres [x, y, z] within ±{MAX_COORDINATE:e}"));
    is_near.then_some(point).ok_or_else(wrong)
}

fn fov(value: &Value) -> Result<f64, Error> {
    let degrees = value.number()?;
    let is_angle = degrees > 0.0 && degrees < 180.0;
    let wrong = || value.wrong("degrees between 0 and 180");
    is_angle.then_some(degrees).ok_or_else(wrong)
}

/// Refuses a camera whose rays the library cannot cast.
fn check(keys: &Keys, camera: &SceneCamera) -> Result<(), Error> {
    let blame = [("eye", "eye"), ("fov", "fov"), ("", "look")];
    let checked = camera.check();
    checked.map_err(|error| keys.refused(error, &blame))
}
